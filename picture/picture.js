// A picture of a graph: nested groups of nodes on a canvas, with pan, zoom, search and focus, and a
// panel that says the same in words.
//
// Data: `{ title, modules: [[PART…]…], nodes: [[LABEL, KIND, MODULE]…], edges: [FROM, TO, …], kinds:
// {KIND: COLOUR} }`, where MODULE, FROM and TO are indexes. An edge goes from what needs to what is needed. With
// `changes`, changes.js makes the page.

import { place } from "./layout.js";
import css from "./picture.css";

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

const NODE = 24;
const PAD = 14;
const TITLE = 30;
/** Groups are opened at first as long as fewer boxes than this are shown. */
const OPEN = 350;
/** A picture with more objects opens with one level of groups. */
const MANY = 1000;
/** What is folded into its group at first, in a picture with more than `OPEN` objects. */
const FOLDED = ["variable", "output", "local"];
/** More edges than this are not drawn while the picture moves. */
const EDGES = 3000;
const FONT = "13px system-ui, sans-serif";
const NEEDED = ["#1a6fd0", "#6db1ff"];
const AFFECTED = ["#c25700", "#ffa24d"];
const PALETTE = {
  resource: ["#7b5cd6", "#a58cff"],
  data: ["#1f8a8a", "#5bc9c9"],
  variable: ["#7d8793", "#97a3b1"],
  local: ["#9a8b6f", "#c2b08c"],
  output: ["#3f7f3f", "#79c279"],
  module: ["#b0457b", "#ef86b8"],
  module_call: ["#b0457b", "#ef86b8"],
  provider: ["#5a6ea8", "#8ea4e8"],
  create: ["#14813f", "#55c47f"],
  update: ["#b07a00", "#e6b23c"],
  delete: ["#c4281c", "#ff7b70"],
  replace: ["#8e24aa", "#d27be8"],
  read: ["#1f8a8a", "#5bc9c9"],
  "no-op": ["#8b95a1", "#768391"],
  check: ["#c4281c", "#ff7b70"],
  drift: ["#b0457b", "#ef86b8"],
  deferred: ["#5a6ea8", "#8ea4e8"],
};
const OTHER = ["#6d7885", "#98a4b2"];

const isDark = matchMedia("(prefers-color-scheme: dark)");
const shade = (pair) => pair[isDark.matches ? 1 : 0];
/** The colour of a kind of objects, or of an action. */
export const colour = (kind) => shade(Object.hasOwn(PALETTE, kind) ? PALETTE[kind] : OTHER);

/** A square of a colour. */
export function swatch(fill) {
  const made = element("span", { class: "key", "aria-hidden": "true" });
  made.style.background = fill;
  return made;
}

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** Shows a picture in an element. Returns functions for scripts and tests. */
export function mount(root, data) {
  const count = data.nodes.length;
  const edges = [];
  for (let at = 0; at < data.edges.length; at += 2) edges.push([data.edges[at], data.edges[at + 1]]);
  const needs = Array.from({ length: count }, () => []);
  const users = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) {
    needs[from].push(to);
    users[to].push(from);
  }

  // Groups: a tree by the parts of module names. A group of one group and nothing else is joined with it.
  const top = { name: "", parent: null, groups: new Map(), nodes: [], depth: 0, total: 0, isOpen: true };
  const owners = data.modules.map((parts) => {
    let group = top;
    for (const part of parts) {
      let below = group.groups.get(part);
      if (!below) {
        below = { name: part, parent: group, groups: new Map(), nodes: [], depth: 0, total: 0, isOpen: false };
        group.groups.set(part, below);
      }
      group = below;
    }
    return group;
  });
  data.nodes.forEach((node, number) => owners[node[2]].nodes.push(number));
  const separator = data.separator ?? "/";
  const all = [];
  {
    const stack = [top];
    while (stack.length > 0) {
      const group = stack.pop();
      let only = [...group.groups.values()];
      while (group !== top && only.length === 1 && group.nodes.length === 0) {
        const [inner] = only;
        group.name += separator + inner.name;
        group.groups = inner.groups;
        group.nodes = inner.nodes;
        only = [...group.groups.values()];
      }
      for (const inner of only) {
        inner.parent = group;
        inner.depth = group.depth + 1;
      }
      all.push(group);
      stack.push(...only.reverse());
    }
  }
  const home = new Array(count);
  for (const group of all) for (const node of group.nodes) home[node] = group;
  for (let number = all.length - 1; number >= 0; number--) {
    const group = all[number];
    group.total += group.nodes.length;
    if (group.parent) group.parent.total += group.total;
  }
  const path = (group) => (group.parent && group.parent !== top ? path(group.parent) + separator : "") + group.name;
  const name = (node) => (home[node] === top ? "" : path(home[node]) + (separator === "." ? "." : ": ")) + data.nodes[node][0];

  function openFirst() {
    for (const group of all) group.isOpen = group === top;
    let shown = top.groups.size + top.nodes.length;
    let work = [...top.groups.values()];
    while (work.length > 0) {
      const next = [];
      for (const group of work) {
        const more = group.groups.size + group.nodes.length;
        if (shown + more > OPEN || (count > MANY && shown > 1)) continue;
        shown += more;
        group.isOpen = true;
        next.push(...group.groups.values());
      }
      work = next;
    }
  }

  // What is shown.
  let focus = null;
  let depth = 1;
  let isAlone = false;
  let isFolded = count > OPEN && data.nodes.some((node) => FOLDED.includes(node[1])) && data.nodes.some((node) => !FOLDED.includes(node[1]));
  const canFold = isFolded;
  let near = null;
  let boxes = [];
  let shownEdges = [];
  let scale = 1;
  let [left, up] = [0, 0];

  const measure = document.createElement("canvas").getContext("2d");
  measure.font = FONT;
  const widths = new Map();
  const width = (text) => {
    let known = widths.get(text);
    if (known === undefined) widths.set(text, (known = Math.min(measure.measureText(text).width, 320)));
    return known;
  };

  /** Finds what the focus needs and what it affects, up to `depth` edges. */
  function follow() {
    if (!focus) return (near = null);
    near = new Map();
    const starts = focus.group ? inside(focus.group) : [focus.node];
    for (const start of starts) near.set(start, 0);
    for (const [sign, next] of [[-1, needs], [1, users]]) {
      const seen = new Set(starts);
      let work = starts;
      for (let step = 1; step <= depth && work.length > 0; step++) {
        const found = [];
        for (const node of work) {
          for (const to of next[node]) {
            if (seen.has(to)) continue;
            seen.add(to);
            found.push(to);
            // In a circle, an object is both; it is affected.
            if (!near.has(to) || (sign > 0 && near.get(to) < 0)) near.set(to, sign * step);
          }
        }
        work = found;
      }
    }
  }

  function inside(group) {
    const found = [];
    const stack = [group];
    while (stack.length > 0) {
      const next = stack.pop();
      found.push(...next.nodes);
      stack.push(...next.groups.values());
    }
    return found;
  }

  /** Makes boxes of the groups and nodes that are shown, and places them. */
  function arrange() {
    const isShown = isAlone && near ? (node) => near.has(node) : () => true;
    const isOpen = (group) => group.isOpen || (isAlone && near !== null);
    const counts = new Map();
    if (isAlone && near) {
      for (const node of near.keys()) {
        for (let group = home[node]; group; group = group.parent) counts.set(group, (counts.get(group) ?? 0) + 1);
      }
    }
    const hasAny = (group) => !(isAlone && near) || counts.has(group);
    const boxOfNode = new Array(count).fill(null);
    boxes = [];
    const root = { group: top, parent: null, items: [], level: 0 };
    const stack = [root];
    const opened = [root];
    while (stack.length > 0) {
      const box = stack.pop();
      for (const inner of box.group.groups.values()) {
        if (!hasAny(inner)) continue;
        const made = { group: inner, parent: box, items: null, level: box.level + 1, index: box.items.length };
        box.items.push(made);
        if (isOpen(inner)) {
          made.items = [];
          stack.push(made);
          opened.push(made);
        } else for (const node of inside(inner)) boxOfNode[node] = made;
      }
      for (const node of box.group.nodes) {
        if (!isShown(node)) continue;
        if (isFolded && box !== root && FOLDED.includes(data.nodes[node][1])) {
          boxOfNode[node] = box;
          continue;
        }
        const made = { node, parent: box, items: null, level: box.level + 1, index: box.items.length };
        boxOfNode[node] = made;
        box.items.push(made);
      }
    }
    // Edges between boxes; for the layout, those between the two parts of the smallest group around them.
    const seen = new Set();
    shownEdges = [];
    const within = new Map();
    let serial = 0;
    for (const box of opened) for (const item of box.items) item.serial = serial++;
    for (const [from, to] of edges) {
      let [one, other] = [boxOfNode[from], boxOfNode[to]];
      if (!one || !other || one === other) continue;
      const key = one.serial * serial + other.serial;
      if (seen.has(key)) continue;
      seen.add(key);
      shownEdges.push([one, other]);
      while (one.level > other.level) one = one.parent;
      while (other.level > one.level) other = other.parent;
      while (one.parent !== other.parent) [one, other] = [one.parent, other.parent];
      if (one === other) continue;
      let pairs = within.get(one.parent);
      if (!pairs) within.set(one.parent, (pairs = new Map()));
      pairs.set(one.serial * serial + other.serial, [one.index, other.index]);
    }
    for (const box of opened.reverse()) {
      for (const item of box.items) {
        if (item.items) continue;
        const title = item.group ? `${item.group.name} (${item.group.total})` : data.nodes[item.node][0];
        item.w = width(title) + 26;
        item.h = item.group ? NODE + 10 : NODE;
      }
      const size = place(box.items, [...(within.get(box)?.values() ?? [])]);
      const title = box === root ? 0 : width(box.group.name) + 40;
      box.w = Math.max(size.w, title) + PAD * 2;
      box.h = size.h + PAD * 2 + (box === root ? 0 : TITLE - PAD / 2);
    }
    root.x = root.y = 0;
    for (const box of opened.reverse()) {
      boxes.push(box);
      for (const item of box.items) {
        item.x += box.x + PAD;
        item.y += box.y + PAD + (box === root ? 0 : TITLE - PAD / 2);
        if (!item.items) boxes.push(item);
      }
    }
    boxes.sort((one, other) => one.level - other.level);
  }

  // Drawing.
  const canvas = element("canvas", { tabindex: "0", role: "application", "aria-roledescription": "picture of a graph" });
  const context = canvas.getContext("2d");
  let isAsked = false;
  let isMoving = false;
  let settled;
  /** Draws soon, without most edges while the picture moves. */
  function move() {
    isMoving = true;
    clearTimeout(settled);
    settled = setTimeout(() => {
      isMoving = false;
      redraw();
    }, 150);
    redraw();
  }
  function redraw() {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(draw);
  }
  const sideOf = (box) => {
    if (!near) return undefined;
    if (box.node !== undefined) return near.get(box.node);
    if (box.items) return near.has(box) ? 0 : undefined;
    let found;
    for (const node of inside(box.group)) {
      const side = near.get(node);
      if (side !== undefined && (found === undefined || Math.abs(side) < Math.abs(found))) found = side;
    }
    return found;
  };
  let sides = new Map();
  function draw() {
    isAsked = false;
    const ratio = devicePixelRatio || 1;
    const { clientWidth: wide, clientHeight: high } = canvas;
    if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(high * ratio)) {
      canvas.width = Math.round(wide * ratio);
      canvas.height = Math.round(high * ratio);
    }
    const dark = isDark.matches;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, wide, high);
    context.setTransform(ratio * scale, 0, 0, ratio * scale, -left * scale * ratio, -up * scale * ratio);
    const [right, down] = [left + wide / scale, up + high / scale];
    const isSeen = (box) => box.x < right && box.x + box.w > left && box.y < down && box.y + box.h > up;
    context.font = FONT;
    context.textBaseline = "middle";
    for (const box of boxes) {
      if (!box.items || box.level === 0 || !isSeen(box)) continue;
      context.fillStyle = dark ? `rgba(150,175,210,0.07)` : `rgba(60,90,140,0.05)`;
      context.strokeStyle = dark ? "#46566b" : "#b3c0d0";
      context.lineWidth = 1 / Math.min(scale, 1);
      context.beginPath();
      context.roundRect(box.x, box.y, box.w, box.h, 8);
      context.fill();
      context.stroke();
    }
    const paths = [new Path2D(), new Path2D(), new Path2D()];
    let heads = [new Path2D(), new Path2D(), new Path2D()];
    const arrow = scale > 0.3;
    const drawn = isMoving && shownEdges.length > EDGES ? [] : shownEdges;
    for (const [one, other] of drawn) {
      const isRight = other.x + other.w / 2 >= one.x + one.w / 2;
      const overlaps = other.x < one.x + one.w && one.x < other.x + other.w;
      const x1 = overlaps ? one.x + one.w : isRight ? one.x + one.w : one.x;
      const x2 = overlaps ? other.x + other.w : isRight ? other.x : other.x + other.w;
      const [y1, y2] = [one.y + one.h / 2, other.y + other.h / 2];
      const margin = 60;
      if (Math.max(x1, x2) + margin < left || Math.min(x1, x2) - margin > right) continue;
      if (Math.max(y1, y2) < up || Math.min(y1, y2) > down) continue;
      let kind = 0;
      if (near) {
        const [a, b] = [sides.get(one), sides.get(other)];
        if (a !== undefined && b !== undefined) {
          if (a <= 0 && b < 0) kind = 1;
          else if (a > 0 && b >= 0) kind = 2;
        }
      }
      const bend = overlaps ? 40 : Math.max(Math.abs(x2 - x1) / 2, 12) * (isRight ? 1 : -1);
      paths[kind].moveTo(x1, y1);
      paths[kind].bezierCurveTo(x1 + bend, y1, overlaps ? x2 + bend : x2 - bend, y2, x2, y2);
      if (arrow) {
        const size = overlaps || !isRight ? 6 : -6;
        heads[kind].moveTo(x2, y2);
        heads[kind].lineTo(x2 + size, y2 - 3.5);
        heads[kind].lineTo(x2 + size, y2 + 3.5);
      }
    }
    const faint = near ? 0.18 : shownEdges.length > 2000 ? 0.25 : 0.65;
    const strokes = [dark ? "#8b9bb0" : "#74849a", shade(NEEDED), shade(AFFECTED)];
    for (const kind of [0, 1, 2]) {
      context.globalAlpha = kind === 0 ? faint : 1;
      context.strokeStyle = context.fillStyle = strokes[kind];
      context.lineWidth = (kind === 0 ? 1 : 1.8) / Math.max(Math.min(scale, 1), 0.15);
      context.stroke(paths[kind]);
      if (arrow) context.fill(heads[kind]);
    }
    context.globalAlpha = 1;
    const hasText = scale > 0.35;
    for (const box of boxes) {
      if (box.items || !isSeen(box)) continue;
      const side = sides.get(box);
      context.globalAlpha = near && side === undefined ? 0.3 : 1;
      const own = colour(box.group ? (box.group.kind ?? "module") : data.nodes[box.node][1]);
      if (!hasText && !box.group) {
        context.fillStyle = side === undefined || side === 0 ? own : shade(side < 0 ? NEEDED : AFFECTED);
        context.fillRect(box.x, box.y, box.w, box.h);
        continue;
      }
      context.fillStyle = dark ? "#1d2530" : "#fff";
      context.strokeStyle = side === undefined ? (dark ? "#56667c" : "#a9b6c6") : side === 0 ? (dark ? "#fff" : "#000") : shade(side < 0 ? NEEDED : AFFECTED);
      context.lineWidth = side === undefined ? 1 : 2.2;
      context.beginPath();
      context.roundRect(box.x, box.y, box.w, box.h, 5);
      context.fill();
      context.fillStyle = own;
      context.fillRect(box.x + 1.5, box.y + 3, 5, box.h - 6);
      context.stroke();
      if (box.group) {
        context.beginPath();
        context.roundRect(box.x + 2.5, box.y + 2.5, box.w - 5, box.h - 5, 3);
        context.stroke();
      }
      if (!hasText) continue;
      context.fillStyle = dark ? "#e4e8ee" : "#1c2430";
      const text = box.group ? `${box.group.name} (${box.group.total})` : data.nodes[box.node][0];
      context.fillText(fitted(text, box.w - 18), box.x + 13, box.y + box.h / 2 + 0.5);
    }
    context.globalAlpha = 1;
    // Titles of groups keep a readable size when the picture is small.
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const taken = [];
    for (const box of boxes) {
      if (!box.group || box.level === 0 || !isSeen(box)) continue;
      if (!box.items && hasText) continue;
      const size = Math.max(13 * Math.min(scale, 1.3), 11);
      context.font = `600 ${size}px system-ui, sans-serif`;
      const room = box.w * scale - 8;
      if (room < 40) continue;
      const text = fitted(box.group.name, room, size / 13);
      const x = Math.max((box.x - left) * scale, 0) + 8 * Math.min(scale, 1);
      const y = (box.y - up) * scale + (box.items ? Math.max(13 * scale, 8) : (box.h * scale) / 2);
      const area = [x, y - size / 2, x + context.measureText(text).width, y + size / 2];
      if (taken.some((other) => area[0] < other[2] && other[0] < area[2] && area[1] < other[3] && other[1] < area[3])) continue;
      if (taken.length < 500) taken.push(area);
      if (size > 13 * scale) {
        context.fillStyle = dark ? "rgba(20,24,31,0.75)" : "rgba(255,255,255,0.8)";
        context.fillRect(area[0] - 2, area[1] - 1, area[2] - area[0] + 4, size + 2);
      }
      context.fillStyle = dark ? "#c5d2e3" : "#33445c";
      context.fillText(text, x, y);
    }
  }
  function fitted(text, room, factor = 1) {
    if (width(text) * factor < room && text.length < 60) return text;
    let [low, high] = [1, text.length];
    if (measure.measureText(text).width * factor <= room) return text;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (measure.measureText(text.slice(0, middle) + "…").width * factor <= room) low = middle;
      else high = middle - 1;
    }
    return text.slice(0, low) + "…";
  }

  function refresh() {
    sides = new Map();
    if (near) for (const box of boxes) if (!box.items) sides.set(box, sideOf(box));
    redraw();
  }
  function rearrange(keep) {
    const before = keep && boxes.find(keep);
    const anchor = before && [(before.x - left) * scale, (before.y - up) * scale];
    arrange();
    refresh();
    const after = keep && boxes.find(keep);
    if (anchor && after) {
      left = after.x - anchor[0] / scale;
      up = after.y - anchor[1] / scale;
    }
  }
  function fit() {
    const root = boxes[0];
    const { clientWidth: wide, clientHeight: high } = canvas;
    scale = Math.max(Math.min(wide / root.w, high / root.h, 1.2), 0.005);
    left = root.w / 2 - wide / scale / 2;
    up = root.h / 2 - high / scale / 2;
    redraw();
  }
  function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
    const to = Math.max(Math.min(scale * factor, 4), 0.005);
    left += x / scale - x / to;
    up += y / scale - y / to;
    scale = to;
    move();
  }
  function centre(is) {
    const box = boxes.find(is);
    if (!box) return;
    scale = Math.max(scale, 0.8);
    left = box.x + box.w / 2 - canvas.clientWidth / scale / 2;
    up = box.y + box.h / 2 - canvas.clientHeight / scale / 2;
    redraw();
  }
  const boxAt = (x, y) => {
    const [px, py] = [left + x / scale, up + y / scale];
    for (let number = boxes.length - 1; number > 0; number--) {
      const box = boxes[number];
      if (px >= box.x && px <= box.x + box.w && py >= box.y && py <= box.y + box.h) return box;
    }
    return null;
  };

  // The focus.
  function setFocus(next, goThere = false) {
    focus = next;
    follow();
    if (next && next.node !== undefined && goThere) {
      let isHidden = false;
      for (let group = home[next.node]; group; group = group.parent) {
        if (!group.isOpen) isHidden = group.isOpen = true;
      }
      if (isFolded && FOLDED.includes(data.nodes[next.node][1])) {
        isHidden = folded.checked = true;
        isFolded = false;
      }
      if (isHidden && !isAlone) arrange();
    }
    if (isAlone) {
      arrange();
      refresh();
      fit();
    } else {
      refresh();
      if (goThere && next) centre((box) => (next.group ? box.group === next.group : box.node === next.node));
    }
    describe();
  }
  function toggle(group) {
    group.isOpen = !group.isOpen;
    rearrange((box) => box.group === group);
  }

  // The panel.
  const status = element("span", { class: "count", role: "status" });
  const search = element("input", { type: "search", placeholder: "Search ( / )", "aria-label": "Search objects", "aria-controls": "picture-found" });
  const found = element("ul", { id: "picture-found", role: "listbox", "aria-label": "Objects that match the search" });
  const about = element("section", { "aria-live": "polite", "aria-label": "Focus" });
  const depthInput = element("input", { type: "number", min: "1", max: "99", value: "1", "aria-label": "Depth: how many edges to follow from the focus" });
  const alone = element("input", { type: "checkbox" });
  const folded = element("input", { type: "checkbox", onchange: () => {
    isFolded = !folded.checked;
    arrange();
    refresh();
    fit();
  } });
  const button = (text, label, onclick) => element("button", { type: "button", title: label, "aria-label": text.length === 1 && label, onclick }, text);
  const openAll = (isOpen) => {
    for (const group of all) group.isOpen = isOpen || group === top;
    arrange();
    refresh();
    fit();
  };
  const heading = (text, key) => element("h2", {}, ...(key ? [swatch(key)] : []), text);
  const link = (node) => element("li", {}, element("button", { type: "button", onclick: () => setFocus({ node }, true) }, swatch(colour(data.nodes[node][1])), name(node)));
  function links(nodes) {
    const shown = nodes.slice(0, 200).map(link);
    if (nodes.length > 200) shown.push(element("li", { class: "dim" }, `and ${nodes.length - 200} more`));
    return element("ul", {}, ...shown);
  }
  function describe() {
    about.replaceChildren();
    if (!focus) {
      const kinds = new Map();
      for (const node of data.nodes) kinds.set(node[1], (kinds.get(node[1]) ?? 0) + 1);
      const entries = [...kinds].sort((one, other) => other[1] - one[1]);
      about.append(heading("Colours"), element("div", { class: "legend" }, ...entries.map(([kind, number]) => element("span", {}, swatch(colour(kind)), `${kind} (${number})`))));
      about.append(element("p", { class: "dim" }, "Click an object to see what it needs and what it affects. Double-click a module to open or close it. Arrow keys move, + and − zoom, 0 shows all, / searches, Esc ends the focus."));
      return;
    }
    const title = focus.group ? path(focus.group) : name(focus.node);
    about.append(heading(title));
    if (focus.group) {
      const { group } = focus;
      about.append(element("p", {}, `module, ${group.total} objects `, button(group.isOpen ? "Close" : "Open", group.isOpen ? "Close this module" : "Open this module", () => { toggle(group); describe(); })));
    } else about.append(element("p", { class: "dim" }, data.nodes[focus.node][1]));
    about.append(button("End focus", "End the focus (Esc)", () => setFocus(null)));
    const side = (sign) => [...near].filter(([, at]) => Math.sign(at) === sign).sort((one, other) => Math.abs(one[1]) - Math.abs(other[1]) || one[0] - other[0]).map(([node]) => node);
    const [below, above] = [side(-1), side(1)];
    about.append(heading(`Needs (${below.length})`, shade(NEEDED)), links(below), heading(`Affects (${above.length})`, shade(AFFECTED)), links(above));
  }
  let wanted = [];
  const lower = data.nodes.map((node, number) => name(number).toLowerCase());
  let results = [];
  let current = -1;
  function find() {
    wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    results = [];
    current = -1;
    if (wanted.length > 0) for (let node = 0; node < count && results.length < 100; node++) if (wanted.every((word) => lower[node].includes(word))) results.push(node);
    found.replaceChildren(...results.map((node, number) => element("li", { role: "option", id: `picture-found-${number}`, "aria-selected": "false", onclick: () => setFocus({ node }, true) }, swatch(colour(data.nodes[node][1])), name(node))));
    search.removeAttribute("aria-activedescendant");
    status.textContent = wanted.length > 0 ? (results.length === 100 ? "100 or more objects match" : `${results.length} objects match`) : summary;
    }
  function choose(number) {
    if (results.length === 0) return;
    current = (number + results.length) % results.length;
    [...found.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === current)));
    found.children[current].scrollIntoView({ block: "nearest" });
    search.setAttribute("aria-activedescendant", `picture-found-${current}`);
  }
  const summary = data.summary ?? `${count} objects, ${edges.length} edges, ${all.length - 1} modules`;
  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(current + 1);
    else if (event.key === "ArrowUp") choose(current - 1);
    else if (event.key === "Enter" && results.length > 0) setFocus({ node: results[Math.max(current, 0)] }, true);
    else if (event.key === "Escape") {
      search.value = "";
      find();
      canvas.focus();
    } else return;
    event.preventDefault();
  });
  depthInput.addEventListener("input", () => {
    depth = Math.max(1, Math.min(99, depthInput.valueAsNumber || 1));
    setFocus(focus);
  });
  alone.addEventListener("change", () => {
    isAlone = alone.checked;
    arrange();
    refresh();
    fit();
  });
  const view = element("div", { class: "view" }, canvas);
  const page = element(
    "div",
    { class: "picture" },
    element("header", {}, element("h1", {}, data.title), status, search, element("label", {}, "Depth ", depthInput), element("label", {}, alone, " only the focus"), ...(canFold ? [element("label", {}, folded, " variables, locals and outputs")] : []), button("Fit", "Show all (0)", fit), button("+", "Zoom in", () => zoom(1.3)), button("−", "Zoom out", () => zoom(1 / 1.3)), button("Open all", "Open all modules", () => openAll(true)), button("Close all", "Close all modules", () => openAll(false))),
    view,
    element("aside", { "aria-label": "Objects" }, found, about),
  );
  canvas.setAttribute("aria-label", `${data.title}: ${summary}. Arrow keys move, plus and minus zoom, 0 shows all, slash searches.`);

  // Pointers: drag to move, wheel or two fingers to zoom, click for the focus.
  const pointers = new Map();
  let hasMoved = false;
  const point = (event) => {
    const area = canvas.getBoundingClientRect();
    return [event.clientX - area.left, event.clientY - area.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, point(event));
    hasMoved = false;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = point(event);
    if (Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]) > 2) hasMoved = true;
    if (pointers.size === 2) {
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const distance = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]);
      zoom(distance(now) / Math.max(distance(before), 1), other[0], other[1]);
    } else if (hasMoved) {
      left -= (now[0] - before[0]) / scale;
      up -= (now[1] - before[1]) / scale;
      move();
    } else return;
    pointers.set(event.pointerId, now);
  });
  canvas.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("pointerup", (event) => {
    if (pointers.delete(event.pointerId) && !hasMoved) {
      const box = boxAt(...point(event));
      setFocus(box && box.level > 0 ? (box.group ? (box.items ? null : { group: box.group }) : { node: box.node }) : null);
    }
  });
  canvas.addEventListener("dblclick", (event) => {
    const box = boxAt(...point(event));
    if (box?.group && box.level > 0) toggle(box.group);
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), ...point(event));
  }, { passive: false });
  const step = 60;
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") left -= step / scale;
    else if (event.key === "ArrowRight") left += step / scale;
    else if (event.key === "ArrowUp") up -= step / scale;
    else if (event.key === "ArrowDown") up += step / scale;
    else if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "0") fit();
    else if (event.key === "Escape") setFocus(null);
    else if (event.key === "Enter" && focus?.group) toggle(focus.group);
    else return;
    event.preventDefault();
    move();
  });
  // A slash searches, wherever the focus is.
  const onSlash = (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea")) return;
    event.preventDefault();
    search.focus();
  };
  if (!data.isBeside) document.addEventListener("keydown", onSlash);
  root.replaceChildren(page);
  openFirst();
  arrange();
  status.textContent = summary;
  describe();
  refresh();
  fit();
  // A hidden picture has no size.
  let isSized = false;
  const observer = new ResizeObserver(() => {
    if (canvas.clientWidth === 0) return;
    if (isSized) redraw();
    else fit();
    isSized = true;
  });
  observer.observe(canvas);
  isDark.addEventListener("change", redraw);
  const at = (label) => data.nodes.findIndex((node, number) => node[0] === label || name(number) === label);
  return {
    focusNode: (node) => setFocus({ node }, true),
    focus: (label) => setFocus(at(label) < 0 ? null : { node: at(label) }, true),
    near: () => (near ? Object.fromEntries([...near].map(([node, side]) => [name(node), side])) : null),
    boxes: () => boxes.length,
    openAll,
    draw,
    move: () => {
      move();
      draw();
    },
    close: () => {
      document.removeEventListener("keydown", onSlash);
      observer.disconnect();
    },
  };
}
