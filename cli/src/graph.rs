//! `graph` and `dependents`: what depends on what, across modules.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use simd_hcl::module::Object;
use simd_hcl::tree::{Graph, GraphNode, Link, Tree};

use crate::args::{self, Common, Format};
use crate::incomplete::Incomplete;
use crate::modules::{Rests, path_of, with_tree};
use crate::output::{self, Csv};
use crate::status::{Failure, Status};
use crate::visible::visible;

#[derive(Serialize)]
struct Node {
    id: String,
    kind: &'static str,
    module: String,
}

#[derive(Serialize)]
struct Edge {
    from: String,
    to: String,
}

/// Nodes and edges, however they are shown.
#[derive(Serialize)]
struct Drawing {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    incomplete: Incomplete,
}

pub(crate) fn run(graph: &args::Graph, common: &Common) -> Result<Status, Failure> {
    let format = graph.format.into();
    let ((), status) = with_tree(&graph.configuration, common, Rests::OnCalls, format, |loaded| {
        let tree = loaded.tree;
        let mut drawing = if graph.modules { modules(tree) } else { objects(tree) };
        drawing.incomplete = loaded.incomplete.clone();
        match (graph.format, graph.mermaid) {
            (Format::Human, false) => output::data(|out| dot(&drawing, out))?,
            (Format::Human, true) => output::data(|out| mermaid(&drawing, out))?,
            (format, _) => output::value(format, &drawing)?,
        }
        Ok(())
    })?;
    Ok(status)
}

fn modules(tree: &Tree<'_>) -> Drawing {
    let nodes = tree.modules().iter().map(|module| {
        let path = path_of(module);
        Node { id: path.clone(), kind: "module", module: path }
    });
    let mut edges = Vec::new();
    for module in tree.modules() {
        for link in &module.links {
            if let Link::Module(called) = link {
                let to = path_of(&tree.modules()[*called]);
                edges.push(Edge { from: path_of(module), to });
            }
        }
    }
    Drawing { nodes: nodes.collect(), edges, incomplete: Incomplete::default() }
}

fn objects(tree: &Tree<'_>) -> Drawing {
    let graph = tree.graph();
    // Of `terraform`, `moved` and `removed` blocks those are shown that something connects.
    let is_shown = |&(number, node): &(u32, &GraphNode<'_>)| match node.object {
        Object::Setting(_) | Object::Moved(_) | Object::Removed(_) => {
            graph.needs(number).next().is_some() || graph.needed_by(number).next().is_some()
        }
        _ => true,
    };
    let nodes = (0..).zip(graph.nodes()).filter(is_shown).map(|(_, node)| Node {
        id: id(tree, node),
        kind: kind(node.object),
        module: path_of(&tree.modules()[node.module]),
    });
    let edges = (0..graph.nodes().len() as u32).flat_map(|from| {
        let mut needs: Vec<u32> = graph.needs(from).collect();
        needs.sort_unstable();
        needs.dedup();
        let id = |node: u32| id(tree, &graph.nodes()[node as usize]);
        needs.into_iter().map(move |to| Edge { from: id(from), to: id(to) })
    });
    let (nodes, edges) = (nodes.collect(), edges.collect());
    Drawing { nodes, edges, incomplete: Incomplete::default() }
}

/// The address of an object, behind the path of its module if the tree has several.
fn id(tree: &Tree<'_>, node: &GraphNode<'_>) -> String {
    match tree.modules() {
        [_] => node.object.to_string(),
        modules => format!("{}:{}", path_of(&modules[node.module]), node.object),
    }
}

fn kind(object: Object<'_>) -> &'static str {
    match object {
        Object::Variable(_) => "variable",
        Object::Local(_) => "local",
        Object::Output(_) => "output",
        Object::Provider(..) => "provider",
        Object::Resource(resource) => match resource.mode.as_str() {
            "managed" => "resource",
            mode => mode,
        },
        Object::ModuleCall(_) => "module_call",
        Object::Action(_) => "action",
        Object::Check(_) => "check",
        Object::Import(_) => "import",
        Object::Moved(_) => "moved",
        Object::Removed(_) => "removed",
        _ => "terraform",
    }
}

fn dot(drawing: &Drawing, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph {{\n  rankdir = LR;\n  node [shape = box];")?;
    for node in &drawing.nodes {
        writeln!(out, "  {};", dot_quoted(&node.id))?;
    }
    for edge in &drawing.edges {
        writeln!(out, "  {} -> {};", dot_quoted(&edge.from), dot_quoted(&edge.to))?;
    }
    writeln!(out, "}}")
}

/// A quoted name of DOT. It is also the label, in which backslashes start escapes and ampersands start
/// character references.
fn dot_quoted(text: &str) -> String {
    let text = visible(text).replace('\\', "\\\\");
    format!("\"{}\"", text.replace('"', "\\\"").replace('&', "&amp;"))
}

/// Nodes of Mermaid need names without punctuation: they are numbered.
fn mermaid(drawing: &Drawing, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "flowchart LR")?;
    let numbers: std::collections::HashMap<&str, usize> =
        drawing.nodes.iter().enumerate().map(|(number, node)| (&*node.id, number)).collect();
    for (number, node) in drawing.nodes.iter().enumerate() {
        writeln!(out, "  n{number}[\"{}\"]", mermaid_text(&node.id))?;
    }
    for edge in &drawing.edges {
        if let (Some(from), Some(to)) = (numbers.get(&*edge.from), numbers.get(&*edge.to)) {
            writeln!(out, "  n{from} --> n{to}")?;
        }
    }
    Ok(())
}

/// The text of a quoted label of Mermaid, where what is special to Mermaid, Markdown or HTML is written as
/// a number.
fn mermaid_text(text: &str) -> String {
    let mut escaped = String::new();
    for character in visible(text).chars() {
        match character {
            '"' => escaped.push_str("#quot;"),
            '#' | '&' | '<' | '>' | '`' | '\\' => {
                escaped.push_str(&format!("#{};", u32::from(character)));
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

#[derive(Serialize)]
struct Row {
    address: String,
    module: String,
    distance: u32,
    via: String,
}

impl output::Row for Row {
    const COLUMNS: &'static [&'static str] = &["address", "module", "distance", "via"];

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { address, module, distance, via } = self;
        let [address, module, via] = [address, module, via].map(|text| visible(text));
        writeln!(out, "{distance:>4}  {module}  {address}  (via {via})")
    }

    fn records(&self, out: &mut Csv<'_>) {
        let Self { address, module, distance, via } = self;
        out.record([address, module, &distance.to_string(), via]);
    }
}

pub(crate) fn dependents(
    dependents: &args::Dependents,
    common: &Common,
) -> Result<Status, Failure> {
    let (configuration, format) = (&dependents.configuration, dependents.format);
    let ((), status) = with_tree(configuration, common, Rests::OnCalls, format, |loaded| {
        let tree = loaded.tree;
        let graph = tree.graph();
        let starts = starts(tree, &graph, &dependents.of);
        if starts.is_empty() {
            let message = format!("{}: no such object or file in these modules", dependents.of);
            return Err(Failure::Message(message));
        }
        let rows = graph.dependents(&starts).into_iter().map(|dependent| {
            let node = graph.nodes()[dependent.node as usize];
            let via = dependent.via.map(|via| &graph.nodes()[via as usize]);
            Row {
                address: node.object.to_string(),
                module: path_of(&tree.modules()[node.module]),
                distance: dependent.distance,
                via: id(tree, via),
            }
        });
        output::list(format, rows, loaded.incomplete)?;
        Ok(())
    })?;
    Ok(status)
}

/// The objects that an address or a file stands for: those of that address in every module, or behind the
/// path of one (`path:address`); everything that a file declares.
fn starts(tree: &Tree<'_>, graph: &Graph<'_, '_>, of: &str) -> Vec<u32> {
    let file = Path::new(of);
    let numbered = graph.nodes().iter().zip(0_u32..);
    let is_meant = |node: &GraphNode<'_>| {
        let module = &tree.modules()[node.module];
        node.object.to_string() == of
            || format!("{}:{}", module.files.path.display(), node.object) == of
            || module.declares(node.object).is_some_and(|source| Path::new(source.name()) == file)
    };
    numbered.filter(|(node, _)| is_meant(node)).map(|(_, number)| number).collect()
}
