// Places boxes: left to right along their edges.
//
// dagre places up to `DAGRE` boxes; its time grows faster than their number. More are placed by
// `layers`, in linear time. Boxes without edges go into rows below.

import { layout as dagre } from "@dagrejs/dagre";
import { Graph } from "@dagrejs/graphlib";

const DAGRE = 60;
const GAP = 14;
const RANK_GAP = 60;
/** A picture that is so many times as wide as high is put into bands. */
const WIDEST = 5;

/** Sets `x` and `y` (top left) of boxes with `w` and `h`. `edges` are pairs of indexes. */
export function place(boxes, edges) {
  const isLinked = new Uint8Array(boxes.length);
  for (const [from, to] of edges) if (from !== to) isLinked[from] = isLinked[to] = 1;
  const linked = [];
  const place = new Int32Array(boxes.length).fill(-1);
  boxes.forEach((box, number) => {
    if (isLinked[number]) place[number] = linked.push(box) - 1;
  });
  const between = edges.filter(([from, to]) => from !== to).map(([from, to]) => [place[from], place[to]]);
  let size = { w: 0, h: 0 };
  if (linked.length > 0) {
    const few = linked.length <= DAGRE && between.length <= 2 * DAGRE;
    size = inBands(linked, few ? byDagre(linked, between) : layers(linked, between));
  }
  const rest = rows(boxes.filter((_, number) => !isLinked[number]), size.w);
  if (linked.length > 0 && rest.boxes.length > 0) for (const box of rest.boxes) box.y += size.h + GAP * 2;
  const below = rest.boxes.length > 0 ? rest.h + (linked.length > 0 ? GAP * 2 : 0) : 0;
  return { w: Math.max(size.w, rest.w), h: size.h + below };
}

function byDagre(boxes, edges) {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: GAP, ranksep: RANK_GAP, ranker: "tight-tree" });
  graph.setDefaultEdgeLabel(() => ({}));
  boxes.forEach((box, number) => graph.setNode(String(number), { width: box.w, height: box.h }));
  for (const [from, to] of edges) graph.setEdge(String(from), String(to));
  dagre(graph);
  boxes.forEach((box, number) => {
    const { x, y } = graph.node(String(number));
    box.x = x - box.w / 2;
    box.y = y - box.h / 2;
  });
  return fromOrigin(boxes);
}

/** Puts boxes into layers by their longest path, each near those that it has edges with. */
function layers(boxes, edges) {
  const next = boxes.map(() => []);
  const before = boxes.map(() => []);
  for (const [from, to] of edges) {
    next[from].push(to);
    before[to].push(from);
  }
  // In post-order, without the edges that close a circle.
  const state = new Uint8Array(boxes.length);
  const at = new Int32Array(boxes.length);
  const order = [];
  for (let start = 0; start < boxes.length; start++) {
    const stack = state[start] ? [] : [start];
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      state[top] = 1;
      const to = next[top][at[top]++];
      if (to === undefined) {
        state[top] = 2;
        order.push(top);
        stack.pop();
      } else if (!state[to]) stack.push(to);
    }
  }
  const done = new Int32Array(boxes.length);
  order.forEach((box, number) => (done[box] = number));
  const rank = new Int32Array(boxes.length);
  for (let number = order.length - 1; number >= 0; number--) {
    const from = order[number];
    for (const to of next[from]) if (done[to] < number) rank[to] = Math.max(rank[to], rank[from] + 1);
  }
  const byRank = [];
  order.reverse().forEach((box) => (byRank[rank[box]] ??= []).push(box));
  const position = new Float64Array(boxes.length);
  const settle = (layer) => layer.forEach((box, number) => (position[box] = number / layer.length));
  byRank.forEach(settle);
  const sweep = (layer, others) => {
    const weight = new Map();
    for (const box of layer) {
      const near = others[box];
      const sum = near.reduce((all, other) => all + position[other], 0);
      weight.set(box, near.length > 0 ? sum / near.length : position[box]);
    }
    layer.sort((one, other) => weight.get(one) - weight.get(other) || one - other);
    settle(layer);
  };
  for (let round = 0; round < 3; round++) {
    byRank.forEach((layer) => sweep(layer, before));
    byRank.slice().reverse().forEach((layer) => sweep(layer, next));
  }
  // Long layers are wrapped into several columns, so that the whole is about as wide as high.
  const area = boxes.reduce((all, box) => all + (box.w + GAP) * (box.h + GAP), 0);
  const limit = Math.max(Math.sqrt(area) * 1.2, ...boxes.map((box) => box.h).slice(0, 1000));
  let x = 0;
  for (const layer of byRank) {
    const columns = [[]];
    let y = 0;
    for (const box of layer) {
      if (y > 0 && y + boxes[box].h > limit) {
        columns.push([]);
        y = 0;
      }
      columns[columns.length - 1].push(box);
      y += boxes[box].h + GAP;
    }
    for (const column of columns) {
      const height = column.reduce((all, box) => all + boxes[box].h + GAP, -GAP);
      let y = (limit - height) / 2;
      let width = 0;
      for (const box of column) {
        boxes[box].x = x;
        boxes[box].y = y;
        y += boxes[box].h + GAP;
        width = Math.max(width, boxes[box].w);
      }
      x += width + GAP;
    }
    x += RANK_GAP;
  }
  return fromOrigin(boxes);
}

/** Puts a picture that is much wider than high into bands below one another. */
function inBands(boxes, size) {
  if (size.w < WIDEST * size.h || size.w < 800) return size;
  const width = size.w / Math.round(Math.sqrt(size.w / size.h / 2));
  const starts = new Map();
  const bandOf = (box) => Math.floor(box.x / width);
  for (const box of boxes) starts.set(bandOf(box), Math.min(starts.get(bandOf(box)) ?? Infinity, box.x));
  for (const box of boxes) {
    const band = bandOf(box);
    box.x -= starts.get(band);
    box.y += band * (size.h + RANK_GAP);
  }
  return fromOrigin(boxes);
}

/** Puts boxes into rows, about as wide as high, or as wide as what is above. */
function rows(boxes, width) {
  const area = boxes.reduce((all, box) => all + (box.w + GAP) * (box.h + GAP), 0);
  const limit = Math.max(width, Math.sqrt(area) * 1.5);
  let [x, y, high, wide] = [0, 0, 0, 0];
  for (const box of boxes) {
    if (x > 0 && x + box.w > limit) {
      x = 0;
      y += high + GAP;
      high = 0;
    }
    box.x = x;
    box.y = y;
    x += box.w + GAP;
    high = Math.max(high, box.h);
    wide = Math.max(wide, x - GAP);
  }
  return { boxes, w: wide, h: y + high };
}

function fromOrigin(boxes) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.w);
    bottom = Math.max(bottom, box.y + box.h);
  }
  for (const box of boxes) {
    box.x -= left;
    box.y -= top;
  }
  return { w: right - left, h: bottom - top };
}
