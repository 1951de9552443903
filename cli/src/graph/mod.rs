//! `graph`: the dependencies of objects across modules and in Packer templates.
//!
//! A [`Drawing`] has nodes and edges. [`filter`] selects a part of it, the same for all formats, and
//! a file for each format writes it: [`dot`].

mod address;
mod components;
mod dot;
mod drawing;
mod filter;
mod units;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use simd_hcl::directory::Location;
use simd_hcl::module::{ModuleCall, Object, SourceAddress};
use simd_hcl::tree::{GraphNode, Link, Tree, TreeModule};

pub(crate) use self::address::{id, id_in};
use self::drawing::{Drawing, Edge, Node};
use crate::args::{self, Common, Format, GraphFormat, ListFormat};
use crate::lists::Lists;
use crate::modules::{DependsOn, cleaned, path_of, path_of_template, with_tree};
use crate::output;
use crate::picture::{self, Picture};
use crate::status::{Failure, Status};
use crate::unit_graph::UnitGraph;
use crate::visible::visible;

pub(crate) fn run(graph: &args::Graph, common: &Common) -> Result<Status, Failure> {
    let shape = if graph.mermaid { GraphFormat::Mermaid } else { graph.format };
    let format = match shape {
        GraphFormat::Json | GraphFormat::Ndjson => ListFormat::Json,
        GraphFormat::Human
        | GraphFormat::Dot
        | GraphFormat::Mermaid
        | GraphFormat::Html
        | GraphFormat::Svg => ListFormat::Human,
    };
    let ((), status) =
        with_tree(&graph.configuration, common, DependsOn::CallsAndUnits, format, |loaded| {
            let tree = loaded.tree;
            let folders = &graph.configuration.paths;
            let units = UnitGraph::of(folders, (tree, &tree.graph()), false, common)?;
            let mut drawing = if graph.modules { modules(tree) } else { objects(tree) };
            match graph.modules {
                true => {
                    components::add_to_modules(&mut drawing, tree);
                    units::add_to_modules(&mut drawing, &units, tree);
                }
                false => {
                    components::add_to_objects(&mut drawing, tree);
                    units::add_to_objects(&mut drawing, &units, tree);
                }
            }
            drawing.incomplete = loaded.incomplete.clone();
            drawing.incomplete.append(units.incomplete);
            let drawing = filter::apply(drawing, &graph.part, common)?;
            match shape {
                GraphFormat::Human | GraphFormat::Dot => {
                    output::data(|out| dot::dot(&drawing, out))?
                }
                GraphFormat::Mermaid => output::data(|out| dot::mermaid(&drawing, out))?,
                GraphFormat::Json => {
                    let mut lists = Lists::start(common.style())?;
                    lists.list("nodes", &drawing.nodes)?;
                    lists.list("edges", &drawing.edges)?;
                    lists.end(&drawing.incomplete)?;
                }
                GraphFormat::Ndjson => output::value(Format::Ndjson, common.style(), &drawing)?,
                GraphFormat::Html => {
                    output::data(|out| picture::write_page(&picture_of(&drawing, folders), out))?;
                }
                GraphFormat::Svg => {
                    output::data(|out| picture::svg::write(&picture_of(&drawing, folders), out))?;
                }
            }
            Ok(())
        })?;
    Ok(status)
}

/// Returns a picture with a group for each directory. One of the folders is named by its last name,
/// however it was given.
fn picture_of(drawing: &Drawing, folders: &[PathBuf]) -> Picture {
    let mut picture = Picture::new("Dependencies", "/");
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let above: Option<&Path> = match folders {
        [only] => only.parent().filter(|it| !it.as_os_str().is_empty()),
        _ => None,
    };
    let parts = |path: &str| -> Vec<String> {
        let inside = above.and_then(|above| Path::new(path).strip_prefix(above).ok());
        let path = inside.map_or(Cow::Borrowed(path), |inside| inside.to_string_lossy());
        let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
        parts.map(|part| visible(part).into_owned()).collect()
    };
    for node in &drawing.nodes {
        // A whole module is a node in the directory above it.
        let (label, group) = match (node.kind, node.module.rsplit_once('/')) {
            ("module" | "template" | "missing", Some((above, name)))
                if node.address == node.module =>
            {
                (name, above)
            }
            _ if node.address == node.module => (&*node.address, ""),
            _ => (&*node.address, &*node.module),
        };
        let number = picture.add(visible(label).into_owned(), node.kind, parts(group));
        numbers.insert(&node.id, number);
    }
    for edge in &drawing.edges {
        if let (Some(&from), Some(&to)) = (numbers.get(&*edge.from), numbers.get(&*edge.to)) {
            picture.edges.extend([from, to]);
        }
    }
    let (nodes, edges) = (picture.nodes.len(), picture.edges.len() / 2);
    picture.summary = format!("{nodes} objects, {edges} edges");
    if !drawing.incomplete.is_empty() {
        picture.summary.push_str(", incomplete");
    }
    picture
}

/// Draws whole modules: their calls, and the states that they read.
fn modules(tree: &Tree<'_>) -> Drawing {
    let mut nodes: BTreeMap<String, Node> = BTreeMap::new();
    let mut add = |id: String, kind, version: Option<String>| {
        let node =
            || Node { id: id.clone(), kind, module: id.clone(), version, address: id.clone() };
        nodes.entry(id.clone()).or_insert_with(node);
    };
    let mut edges = BTreeSet::new();
    for module in tree.modules() {
        add(path_of(module), "module", None);
    }
    for template in tree.templates() {
        add(path_of_template(template), "template", None);
    }
    for module in tree.modules() {
        for (call, link) in module.module.calls.iter().zip(&module.links) {
            let to = match link {
                Link::Module(called) => path_of(&tree.modules()[*called]),
                _ => {
                    let (id, kind) = unread(module, call, *link);
                    let version = call.version.and_then(|version| version.expression().to_str());
                    add(id.clone(), kind, version.map(str::to_owned));
                    id
                }
            };
            edges.insert((path_of(module), to));
        }
    }
    for edge in tree.module_graph().edges {
        let [from, to] = [edge.from, edge.to].map(|place| path_of(&tree.modules()[place]));
        edges.insert((from, to));
    }
    let edges = edges.into_iter().map(|(from, to)| Edge { from, to });
    Drawing::new(nodes.into_values().collect(), edges.collect())
}

/// Returns name and kind of the target of a call that is not read.
fn unread(module: &TreeModule<'_>, call: &ModuleCall<'_>, link: Link) -> (String, &'static str) {
    let source = call.source.and_then(|source| source.expression().to_str());
    match call.source_address() {
        Some(SourceAddress::Local(path)) => {
            let name = match module.files.directory() {
                Location::Disk(directory) => {
                    cleaned(&directory.join(path)).to_string_lossy().into_owned()
                }
                Location::Memory(directory) => directory.join(path).to_string(),
            };
            (name, if link == Link::Missing { "missing" } else { "unknown" })
        }
        Some(SourceAddress::Registry(_) | SourceAddress::Remote(_)) => {
            (source.unwrap_or_default().to_owned(), "remote")
        }
        _ => match source {
            Some(source) => (source.to_owned(), "unknown"),
            None => (format!("{}:module.{}", path_of(module), call.name), "unknown"),
        },
    }
}

/// Draws the objects of all modules and templates.
fn objects(tree: &Tree<'_>) -> Drawing {
    let graph = tree.graph();
    // `terraform`, `moved` and `removed` blocks are shown only if they have edges.
    let is_shown = |&(number, node): &(u32, GraphNode<'_>)| match node.object {
        Object::Setting(_) | Object::Moved(_) | Object::Removed(_) => {
            graph.needs(number).next().is_some() || graph.needed_by(number).next().is_some()
        }
        _ => true,
    };
    let new = |id, kind, module, address| Node { id, kind, module, version: None, address };
    let numbered: Vec<_> = (0..).zip(graph.nodes()).filter(is_shown).collect();
    let nodes = numbered.into_par_iter().map(|(_, node)| {
        let module = path_of(&tree.modules()[node.module]);
        new(id(tree, &node), kind(node.object), module, node.object.to_string())
    });
    let mut nodes: Vec<Node> = nodes.collect();
    let edges = (0..graph.len() as u32).into_par_iter().flat_map_iter(|from| {
        let mut needs: Vec<u32> = graph.needs(from).collect();
        needs.sort_unstable();
        needs.dedup();
        let id = |node: u32| graph.node(node).map_or_else(String::new, |node| id(tree, &node));
        needs.into_iter().map(move |to| Edge { from: id(from), to: id(to) })
    });
    let mut edges: Vec<Edge> = edges.collect();
    for template in tree.templates() {
        let path = path_of_template(template);
        let objects: Vec<_> = template.template.objects().collect();
        let ids: Vec<String> = objects.iter().map(|object| id_in(tree, &path, object)).collect();
        for &(from, to) in template.uses.edges() {
            if let (Some(from), Some(to)) = (ids.get(from as usize), ids.get(to as usize)) {
                edges.push(Edge { from: from.clone(), to: to.clone() });
            }
        }
        nodes.extend(ids.into_iter().zip(objects).map(|(id, object)| {
            new(id, object.block_kind().name(), path.clone(), object.to_string())
        }));
    }
    Drawing::new(nodes, edges)
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
