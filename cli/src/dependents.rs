//! `dependents`: everything that is affected when an object or a file changes, object by object.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use simd_hcl::Source;
use simd_hcl::tree::{Affected, Graph, Place, Tree, TreeTemplate};

use crate::args::{self, Common};
use crate::git::canonical;
use crate::graph::{id, id_in};
use crate::modules::{Rests, path_of, path_of_template, with_tree};
use crate::output::{self, Csv};
use crate::status::{Failure, Status};
use crate::visible::visible;

#[derive(Serialize)]
struct Row {
    address: String,
    module: String,
    distance: u32,
    /// What it depends on directly; itself where it is what changes.
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

/// What changes: objects by their numbers, and modules as a whole.
#[derive(Default)]
struct Starts {
    objects: Vec<u32>,
    modules: Vec<usize>,
    /// Of each template that something changes in, the numbers of its objects.
    templates: Vec<(usize, Vec<u32>)>,
}

impl Starts {
    fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.modules.is_empty() && self.templates.is_empty()
    }
}

pub(crate) fn run(dependents: &args::Dependents, common: &Common) -> Result<Status, Failure> {
    let (configuration, format) = (&dependents.configuration, dependents.format);
    let ((), status) = with_tree(configuration, common, Rests::OnCalls, format, |loaded| {
        let tree = loaded.tree;
        let graph = tree.graph();
        let mut starts = of_address(tree, &graph, &dependents.of);
        if starts.is_empty() {
            starts = of_file(tree, &graph, Path::new(&dependents.of));
        }
        if starts.is_empty() {
            let message = format!("{}: no such object or file in these modules", dependents.of);
            return Err(Failure::Message(message));
        }
        let mut rows = of_modules(tree, &graph, &starts);
        for (place, objects) in &starts.templates {
            rows.extend(of_template(tree, &tree.templates()[*place], objects));
        }
        output::list(format, rows, loaded.incomplete)?;
        Ok(())
    })?;
    Ok(status)
}

/// The objects of an address in every module, or after the path of one (`path:address`).
fn of_address(tree: &Tree<'_>, graph: &Graph<'_, '_>, of: &str) -> Starts {
    let is_same_place = |path: &Path, given: &str| {
        let places = (canonical(path), canonical(Path::new(given)));
        matches!(places, (Ok(one), Ok(two)) if one == two)
    };
    let is_meant = |path: &Path, address: &str| {
        address == of
            || of
                .strip_suffix(address)
                .and_then(|rest| rest.strip_suffix(':'))
                .is_some_and(|given| is_same_place(path, given))
    };
    let mut starts = Starts::default();
    for (number, node) in (0..).zip(graph.nodes()) {
        let path = &tree.modules()[node.module].files.path;
        if is_meant(path, &node.object.to_string()) {
            starts.objects.push(number);
        }
    }
    for (place, template) in tree.templates().iter().enumerate() {
        let numbered = (0..).zip(template.template.objects());
        let meant = numbered.filter(|(_, it)| is_meant(&template.files.path, &it.to_string()));
        let objects: Vec<u32> = meant.map(|(number, _)| number).collect();
        if !objects.is_empty() {
            starts.templates.push((place, objects));
        }
    }
    starts
}

/// What a file declares, what reads it, and the modules that it belongs to.
fn of_file(tree: &Tree<'_>, graph: &Graph<'_, '_>, file: &Path) -> Starts {
    let Affected { modules, .. } = tree.affected(&[file]);
    let identity = canonical(file).ok();
    // The file system is asked once per source, however much it declares.
    let sources_of = |sources: &[Source<'_>]| -> HashSet<u32> {
        let is_file = |it: &&Source<'_>| canonical(Path::new(it.name())).ok() == identity;
        sources.iter().filter(is_file).map(|source| source.id()).collect()
    };
    let mut starts = Starts::default();
    for affected in modules.iter().filter(|it| it.because.len() == 1) {
        let reader = affected.because.first().and_then(|reason| reason.object);
        match affected.place {
            Place::Module(place) => {
                let module = &tree.modules()[place];
                let sources = sources_of(&module.sources);
                let is_of_module = |node: &&simd_hcl::tree::GraphNode<'_>| node.module == place;
                let declared =
                    graph.nodes().iter().filter(is_of_module).filter(|node| match reader {
                        Some(reader) => node.object == reader,
                        None => module
                            .declares(node.object)
                            .is_some_and(|it| sources.contains(&it.id())),
                    });
                starts.objects.extend(declared.filter_map(|node| graph.number(*node)));
                starts.modules.push(place);
            }
            Place::Template(place) => {
                let TreeTemplate { template, sources, .. } = &tree.templates()[place];
                let sources = sources_of(sources);
                let declared = (0..).zip(template.objects()).filter(|(_, object)| {
                    template
                        .declaration(*object)
                        .is_some_and(|it| sources.contains(&it.source.id()))
                });
                starts.templates.push((place, declared.map(|(number, _)| number).collect()));
            }
        }
    }
    starts
}

/// What changes and what depends on it, in modules.
fn of_modules(tree: &Tree<'_>, graph: &Graph<'_, '_>, starts: &Starts) -> Vec<Row> {
    let row = |number: u32, distance: u32, via: Option<u32>| {
        let node = graph.nodes()[number as usize];
        let via = match via {
            Some(via) => id(tree, &graph.nodes()[via as usize]),
            // The module that changes as a whole is the one that is called.
            None => tree.modules()[node.module]
                .called_by(node.object)
                .map_or_else(String::new, |called| path_of(&tree.modules()[called])),
        };
        let module = path_of(&tree.modules()[node.module]);
        Row { address: node.object.to_string(), module, distance, via }
    };
    let mut rows: Vec<Row> = starts.objects.iter().map(|&it| row(it, 0, Some(it))).collect();
    let found = graph.dependents_of(&starts.objects, &starts.modules);
    rows.extend(found.iter().map(|it| row(it.node, it.distance, it.via)));
    rows
}

/// The same in a template of Packer.
fn of_template(tree: &Tree<'_>, template: &TreeTemplate<'_>, objects: &[u32]) -> Vec<Row> {
    let module = path_of_template(template);
    let names: Vec<String> = template.template.objects().map(|it| it.to_string()).collect();
    let row = |number: u32, distance: u32, via: u32| Row {
        address: names[number as usize].clone(),
        module: module.clone(),
        distance,
        via: id_in(tree, &module, &names[via as usize]),
    };
    let mut rows: Vec<Row> = objects.iter().map(|&it| row(it, 0, it)).collect();
    let found = template.dependents(objects);
    rows.extend(found.iter().map(|it| row(it.node, it.distance, it.via.unwrap_or(it.node))));
    rows
}
