//! A picture as one SVG file.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use super::Picture;
use super::layout::{Area, place};
use crate::page::escaped;

const NODE_HEIGHT: f64 = 24.0;
const PAD: f64 = 14.0;
const TITLE: f64 = 24.0;
/// The width of a character of the font, which is monospaced; others may be twice as wide.
const CHARACTER: f64 = 7.3;
/// Longer labels are cut. The tooltip has the whole.
const LONGEST: usize = 60;

const STYLE: &str = "svg{max-width:100%;height:auto;font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;background:#fff}\
.g{fill:#3c5a8c;fill-opacity:.05;stroke:#b3c0d0}.t{font-weight:600;fill:#33445c}.e{fill:none;stroke:#74849a;stroke-opacity:.7}\
.n{fill:#fff;stroke:#a9b6c6}text{fill:#1c2430}marker path{fill:#74849a}\
@media(prefers-color-scheme:dark){svg{background:#14181f}.g{fill:#96afd2;fill-opacity:.07;stroke:#46566b}.t{fill:#c5d2e3}\
.e{stroke:#8b9bb0}.n{fill:#1d2530;stroke:#56667c}text{fill:#e4e8ee}marker path{fill:#8b9bb0}}";

/// A group: its name, the groups and nodes in it, and the group that it is in.
#[derive(Default)]
struct Group {
    name: String,
    parent: usize,
    /// Its index among the groups of its parent.
    place: usize,
    depth: usize,
    groups: Vec<usize>,
    nodes: Vec<usize>,
    area: Area,
}

/// Writes the picture. Cost: linear in nodes and edges, times the depth of groups.
pub(crate) fn write(picture: &Picture, out: &mut dyn Write) -> io::Result<()> {
    let (mut groups, homes) = groups(picture);
    let mut nodes: Vec<Area> = picture
        .nodes
        .iter()
        .map(|node| Area {
            width: text_width(&node.0) + 22.0,
            height: NODE_HEIGHT,
            ..Area::default()
        })
        .collect();
    arrange(picture, &mut groups, &homes, &mut nodes);
    let root = groups[0].area;
    let (width, height) = (root.width, root.height);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title\" \
         width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <title id=\"title\">{}: {}</title>\n<style>{STYLE}</style>\n\
         <defs><marker id=\"a\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">\
         <path d=\"M0 0L6 3L0 6z\"/></marker></defs>",
        escaped(&picture.title),
        escaped(&picture.summary)
    )?;
    for group in groups.iter().skip(1).filter(|group| group.area.width > 0.0) {
        let Area { x, y, width, height } = group.area;
        writeln!(
            out,
            "<rect class=\"g\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"8\"/>\
             <text class=\"t\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 10.0,
            y + 18.0,
            escaped(&group.name)
        )?;
    }
    for edge in picture.edges.chunks_exact(2) {
        if edge[0] == edge[1] {
            continue;
        }
        let (from, to) = (nodes[edge[0]], nodes[edge[1]]);
        let is_right = to.x >= from.x + from.width;
        let is_left = to.x + to.width <= from.x;
        let x1 = if is_left { from.x } else { from.x + from.width };
        let x2 = if is_right { to.x } else { to.x + to.width };
        let (y1, y2) = (from.y + NODE_HEIGHT / 2.0, to.y + NODE_HEIGHT / 2.0);
        let bend = if is_right || is_left { (x2 - x1) / 2.0 } else { 40.0 };
        let back = if is_right || is_left { -bend } else { bend };
        writeln!(
            out,
            "<path class=\"e\" marker-end=\"url(#a)\" d=\"M{x1:.1} {y1:.1}C{:.1} {y1:.1} {:.1} {y2:.1} {x2:.1} {y2:.1}\"/>",
            x1 + bend,
            x2 + back
        )?;
    }
    for (node, area) in picture.nodes.iter().zip(&nodes) {
        let Area { x, y, width, height } = area;
        writeln!(
            out,
            "<g><title>{} ({})</title><rect class=\"n\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height}\" rx=\"4\"/>\
             <rect x=\"{:.1}\" y=\"{:.1}\" width=\"4\" height=\"{}\" fill=\"{}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            escaped(&node.0),
            node.1,
            x + 2.0,
            y + 3.0,
            height - 6.0,
            colour(node.1),
            x + 12.0,
            y + 16.0,
            escaped(&shortened(&node.0))
        )?;
    }
    writeln!(out, "</svg>")
}

/// Returns the tree of groups, parents first, and the group of each module. A group of nothing but
/// another group is joined with it.
fn groups(picture: &Picture) -> (Vec<Group>, Vec<usize>) {
    let mut groups = vec![Group::default()];
    let mut below: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    let mut homes = Vec::new();
    for parts in &picture.modules {
        let mut at = 0;
        for part in parts {
            let next = groups.len();
            let place = *below.entry((at, part)).or_insert(next);
            if place == next {
                let place = groups[at].groups.len();
                groups[at].groups.push(next);
                groups.push(Group { name: part.clone(), parent: at, place, ..Group::default() });
            }
            at = place;
        }
        homes.push(at);
    }
    for (number, node) in picture.nodes.iter().enumerate() {
        groups[homes[node.2]].nodes.push(number);
    }
    for outer in 1..groups.len() {
        if groups[outer].nodes.is_empty() && groups[outer].groups.len() == 1 {
            let inner = groups[outer].groups[0];
            // The name of a long chain is made once, not again for each group in it.
            let mut name = std::mem::take(&mut groups[outer].name);
            name.push_str(picture.separator);
            name.push_str(&groups[inner].name);
            let Group { parent, place, .. } = groups[outer];
            groups[inner].name = name;
            groups[inner].parent = parent;
            groups[inner].place = place;
            groups[parent].groups[place] = inner;
            groups[outer].groups.clear();
        }
    }
    // Parents are before their groups, so each depth is known before it is used.
    for number in 1..groups.len() {
        groups[number].depth = groups[groups[number].parent].depth + 1;
    }
    (groups, homes)
}

/// Places the nodes and groups.
fn arrange(picture: &Picture, groups: &mut [Group], homes: &[usize], nodes: &mut [Area]) {
    // The index of each node among what its group has.
    let mut node_place = vec![0; nodes.len()];
    for group in groups.iter() {
        for (place, &number) in group.nodes.iter().enumerate() {
            node_place[number] = group.groups.len() + place;
        }
    }
    // Edges between the parts of the smallest group around both ends.
    let mut within: Vec<HashSet<(usize, usize)>> = vec![HashSet::new(); groups.len()];
    for edge in picture.edges.chunks_exact(2) {
        let mut ends =
            [edge[0], edge[1]].map(|node| (homes[picture.nodes[node].2], node_place[node]));
        while ends[0].0 != ends[1].0 {
            let deeper = usize::from(groups[ends[1].0].depth >= groups[ends[0].0].depth);
            let group = ends[deeper].0;
            ends[deeper] = (groups[group].parent, groups[group].place);
        }
        if ends[0].1 != ends[1].1 {
            within[ends[0].0].insert((ends[0].1, ends[1].1));
        }
    }
    // Inner groups first: they come later.
    for number in (0..groups.len()).rev() {
        if number > 0 && groups[number].groups.is_empty() && groups[number].nodes.is_empty() {
            continue;
        }
        let group = &groups[number];
        let mut areas: Vec<Area> = group.groups.iter().map(|&inner| groups[inner].area).collect();
        areas.extend(group.nodes.iter().map(|&node| nodes[node]));
        let mut edges: Vec<(usize, usize)> = within[number].iter().copied().collect();
        edges.sort_unstable();
        let (width, height) = place(&mut areas, &edges);
        let title = if number == 0 { 0.0 } else { text_width(&group.name) };
        let top = if number == 0 { PAD } else { PAD / 2.0 + TITLE };
        let (inner, own) = (group.groups.clone(), group.nodes.clone());
        for (&group, area) in inner.iter().zip(&areas) {
            groups[group].area = *area;
        }
        for (&node, area) in own.iter().zip(&areas[inner.len()..]) {
            nodes[node] = *area;
        }
        groups[number].area = Area {
            width: width.max(title) + 2.0 * PAD,
            height: height + top + PAD,
            ..Area::default()
        };
    }
    for number in 0..groups.len() {
        let Area { x, y, .. } = groups[number].area;
        let top = if number == 0 { PAD } else { PAD / 2.0 + TITLE };
        let inner = groups[number].groups.clone();
        for group in inner {
            groups[group].area.x += x + PAD;
            groups[group].area.y += y + top;
        }
        for &node in &groups[number].nodes {
            nodes[node].x += x + PAD;
            nodes[node].y += y + top;
        }
    }
}

fn shortened(text: &str) -> String {
    crate::visible::abridged(text, LONGEST).into_owned()
}

fn text_width(text: &str) -> f64 {
    let wide = |character: char| if u32::from(character) < 0x1100 { 1.0 } else { 2.0 };
    shortened(text).chars().map(wide).sum::<f64>() * CHARACTER
}

fn colour(kind: &str) -> &'static str {
    match kind {
        "resource" => "#7b5cd6",
        "data" | "read" => "#1f8a8a",
        "variable" => "#7d8793",
        "local" => "#9a8b6f",
        "output" => "#3f7f3f",
        "module" | "module_call" => "#b0457b",
        "provider" => "#5a6ea8",
        _ => "#6d7885",
    }
}
