//! Places boxes in layers, left to right along their edges, in linear time.
//!
//! The crate `rust-sugiyama` takes 0.4 s for 400 nodes, and does not end within 100 s for 1,600: this is the
//! same method without its slow steps. A layer is the longest path to a box; boxes are sorted by the
//! mean place of those that they have edges with; long layers are wrapped. Boxes without edges are put
//! into rows below.

const GAP: f64 = 14.0;
const LAYER_GAP: f64 = 60.0;
/// A picture that is so many times as wide as high is put into bands.
const WIDEST: f64 = 5.0;
/// How often the layers are sorted, in both directions.
const ROUNDS: usize = 3;

/// A box: its size, and its place, which [`place`] finds.
#[derive(Clone, Copy, Default)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Places boxes, and returns the size of the whole. Edges are pairs of indexes.
pub(super) fn place(boxes: &mut [Area], edges: &[(usize, usize)]) -> (f64, f64) {
    let mut is_linked = vec![false; boxes.len()];
    for &(from, to) in edges {
        is_linked[from] = true;
        is_linked[to] = true;
    }
    let (linked, rest): (Vec<usize>, Vec<usize>) =
        (0..boxes.len()).partition(|&number| is_linked[number]);
    let size = layers(boxes, &linked, edges);
    let (width, height) = in_bands(boxes, &linked, size);
    let top = if linked.is_empty() || rest.is_empty() { height } else { height + 2.0 * GAP };
    let (rest_width, rest_height) = rows(boxes, &rest, width, top);
    (width.max(rest_width), top + rest_height)
}

/// Returns the square root of the area that boxes take.
fn side(boxes: &[Area], which: &[usize]) -> f64 {
    let area = |&number: &usize| (boxes[number].width + GAP) * (boxes[number].height + GAP);
    which.iter().map(area).sum::<f64>().sqrt()
}

/// Puts a picture that is much wider than high into bands below one another. Returns its size.
fn in_bands(boxes: &mut [Area], which: &[usize], (width, height): (f64, f64)) -> (f64, f64) {
    if width < WIDEST * height || width < 800.0 {
        return (width, height);
    }
    let count = (width / height / 2.0).sqrt().round();
    let band_of = |area: &Area| (area.x * count / width).floor();
    // The start of each band.
    let mut starts = vec![f64::INFINITY; count as usize + 1];
    for &number in which {
        let start = &mut starts[band_of(&boxes[number]) as usize];
        *start = start.min(boxes[number].x);
    }
    let (mut wide, mut high) = (0.0_f64, 0.0_f64);
    for &number in which {
        let area = &mut boxes[number];
        let band = band_of(area);
        area.x -= starts[band as usize];
        area.y += band * (height + LAYER_GAP);
        wide = wide.max(area.x + area.width);
        high = high.max(area.y + area.height);
    }
    (wide, high)
}

fn rows(boxes: &mut [Area], which: &[usize], width: f64, top: f64) -> (f64, f64) {
    let limit = width.max(side(boxes, which) * 1.5);
    let (mut x, mut y, mut high, mut wide) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for &number in which {
        let area = &mut boxes[number];
        if x > 0.0 && x + area.width > limit {
            (x, y, high) = (0.0, y + high + GAP, 0.0);
        }
        (area.x, area.y) = (x, top + y);
        wide = wide.max(x + area.width);
        high = high.max(area.height);
        x += area.width + GAP;
    }
    (wide, y + high)
}

fn layers(boxes: &mut [Area], linked: &[usize], edges: &[(usize, usize)]) -> (f64, f64) {
    if linked.is_empty() {
        return (0.0, 0.0);
    }
    let mut next = vec![Vec::new(); boxes.len()];
    let mut before = vec![Vec::new(); boxes.len()];
    for &(from, to) in edges {
        next[from].push(to);
        before[to].push(from);
    }
    let order = reverse_post_order(&next, linked);
    let mut turn = vec![0; boxes.len()];
    for (number, &place) in order.iter().enumerate() {
        turn[place] = number;
    }
    let mut rank = vec![0; boxes.len()];
    for &from in &order {
        for &to in &next[from] {
            // An edge back closes a circle.
            if turn[to] > turn[from] {
                rank[to] = rank[to].max(rank[from] + 1);
            }
        }
    }
    let depth = order.iter().map(|&number| rank[number]).max().unwrap_or_default();
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); depth + 1];
    for &number in &order {
        layers[rank[number]].push(number);
    }
    let mut position = vec![0.0; boxes.len()];
    layers.iter().for_each(|layer| settle(layer, &mut position));
    for _ in 0..ROUNDS {
        layers.iter_mut().for_each(|layer| sort(layer, &before, &mut position));
        layers.iter_mut().rev().for_each(|layer| sort(layer, &next, &mut position));
    }
    let highest = linked.iter().map(|&number| boxes[number].height).fold(0.0, f64::max);
    let limit = highest.max(side(boxes, linked) * 1.2);
    let mut columns: Vec<(Vec<usize>, f64, bool)> = Vec::new();
    for layer in &layers {
        let (mut column, mut y) = (Vec::new(), 0.0);
        for &number in layer {
            let height = boxes[number].height;
            if y > 0.0 && y + height > limit {
                columns.push((std::mem::take(&mut column), y - GAP, false));
                y = 0.0;
            }
            column.push(number);
            y += height + GAP;
        }
        columns.push((column, y - GAP, true));
    }
    let tallest = columns.iter().map(|column| column.1).fold(0.0, f64::max);
    let mut x = 0.0;
    let mut right = 0.0;
    for (column, height, is_last) in columns {
        let mut y = (tallest - height) / 2.0;
        let mut width: f64 = 0.0;
        for number in column {
            let area = &mut boxes[number];
            (area.x, area.y) = (x, y);
            y += area.height + GAP;
            width = width.max(area.width);
        }
        right = x + width;
        x = right + if is_last { LAYER_GAP } else { GAP };
    }
    (right, tallest)
}

/// Returns the boxes so that edges go forward, but for those that close a circle.
fn reverse_post_order(next: &[Vec<usize>], starts: &[usize]) -> Vec<usize> {
    let mut is_seen = vec![false; next.len()];
    let mut order = Vec::with_capacity(starts.len());
    for &start in starts {
        if std::mem::replace(&mut is_seen[start], true) {
            continue;
        }
        let mut stack = vec![(start, 0)];
        while let Some((number, at)) = stack.pop() {
            let Some(&to) = next[number].get(at) else {
                order.push(number);
                continue;
            };
            stack.push((number, at + 1));
            if !std::mem::replace(&mut is_seen[to], true) {
                stack.push((to, 0));
            }
        }
    }
    order.reverse();
    order
}

/// Notes the relative places of the boxes of a layer.
fn settle(layer: &[usize], position: &mut [f64]) {
    for (place, &number) in layer.iter().enumerate() {
        position[number] = place as f64 / layer.len() as f64;
    }
}

/// Sorts a layer by the mean places of the others that its boxes have edges with.
fn sort(layer: &mut [usize], others: &[Vec<usize>], position: &mut [f64]) {
    let mut weighed: Vec<(f64, usize)> = layer
        .iter()
        .map(|&number| {
            let near = &others[number];
            let sum: f64 = near.iter().map(|&other| position[other]).sum();
            let mean = if near.is_empty() { position[number] } else { sum / near.len() as f64 };
            (mean, number)
        })
        .collect();
    weighed.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    for (slot, (_, number)) in layer.iter_mut().zip(weighed) {
        *slot = number;
    }
    settle(layer, position);
}

#[cfg(test)]
mod tests {
    use super::{Area, LAYER_GAP, place};

    #[test]
    fn boxes_do_not_overlap_and_edges_go_on() {
        // A chain with a circle, a star, and boxes without edges.
        let mut edges: Vec<(usize, usize)> = (0..20).map(|from| (from, from + 1)).collect();
        edges.push((5, 2));
        edges.extend((30..90).map(|to| (25, to)));
        let mut boxes = vec![Area { width: 100.0, height: 24.0, ..Area::default() }; 100];
        let (width, height) = place(&mut boxes, &edges);
        for (number, one) in boxes.iter().enumerate() {
            assert!(one.x >= 0.0 && one.y >= 0.0);
            assert!(one.x + one.width <= width && one.y + one.height <= height);
            for other in &boxes[number + 1..] {
                let is_beside = one.x + one.width <= other.x || other.x + other.width <= one.x;
                let is_below = one.y + one.height <= other.y || other.y + other.height <= one.y;
                assert!(is_beside || is_below, "{number}");
            }
        }
        // To the right, or from the end of a band to a lower one.
        let goes_on = |&(from, to): &(usize, usize)| {
            let (from, to) = (boxes[from], boxes[to]);
            from.x < to.x || from.y + LAYER_GAP < to.y
        };
        assert!(edges.iter().filter(|edge| **edge != (5, 2)).all(goes_on));
        // A picture that is not wide has one band.
        let (short, mut boxes) =
            (&edges[..3], vec![Area { width: 9.0, height: 9.0, ..Area::default() }; 4]);
        place(&mut boxes, short);
        assert!(short.iter().all(|&(from, to)| boxes[from].x < boxes[to].x));
    }
}
