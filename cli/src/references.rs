//! `references`: the references between the objects of each module.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use simd_hcl::Arena;
use simd_hcl::facts::{Places, Referred};
use simd_hcl::stacks;
use simd_hcl::terragrunt::{self, Runs, UnitReference};
use simd_hcl::tree::{Tree, TreeModule};

use crate::args::{self, Common, ListFormat};
use crate::excerpt::Range;
use crate::incomplete::Incomplete;
use crate::input;
use crate::modules::{DependsOn, Loaded, path_of, path_of_template, with_tree};
use crate::output::{self, Csv, Layout, List, text_of};
use crate::status::{Failure, Status};
use crate::unit_graph::named;
use crate::visible::visible;

/// A reference as it is printed.
#[derive(Serialize)]
pub(crate) struct Row {
    module: String,
    from: String,
    to: String,
    kind: &'static str,
    text: String,
    range: Range,
}

pub(crate) fn run(references: &args::References, common: &Common) -> Result<Status, Failure> {
    let format = references.format;
    let folders = &references.configuration.paths;
    let print =
        |loaded: Loaded<'_, '_>| print(loaded.tree, (folders, common), loaded.incomplete, format);
    let loaded = with_tree(&references.configuration, common, DependsOn::Units, format, print);
    loaded.map(|((), status)| status)
}

/// Visits the references of a module at `path` that have an effect, then the functions of providers
/// that it calls.
fn visit(path: &str, module: &TreeModule<'_>, mut visit: impl FnMut(Row)) {
    let mut functions = Vec::new();
    Places::visit_references(&module.module, |found| {
        let Some(user) = module.module.object(found.user) else { return };
        let (to, kind, text) = match found.to {
            Referred::Function(name) => (name.to_owned(), "function", name.to_owned()),
            Referred::Value(traversal, Some(to)) => (text_of(to), to.kind(), text_of(traversal)),
            Referred::Value(traversal, None) => {
                let text = text_of(traversal);
                (text.clone(), "unknown", text)
            }
            _ => return,
        };
        let range = Range::of(found.label.source, found.label.span);
        let row = Row { module: path.to_owned(), from: text_of(user), to, kind, text, range };
        match found.to {
            Referred::Function(_) => functions.push(row),
            _ => visit(row),
        }
    });
    functions.into_iter().for_each(visit);
}

impl output::Row for Row {
    const MEMBER: Option<&'static str> = Some("references");
    const LAYOUT: Layout = Layout::Lines;
    const COLUMNS: &'static [&'static str] =
        &["module", "from", "to", "kind", "text", "filename", "line", "column"];

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Range { filename, start, .. } = &self.range;
        let place = format!("{}:{}:{}", visible(filename), start.line, start.column);
        writeln!(out, "{place}: {} -> {}", visible(&self.from), visible(&self.text))
    }

    fn records(&self, out: &mut Csv<'_>) {
        let Self { module, from, to, kind, text, range } = self;
        let start = range.start;
        let (line, column) = (start.line.to_string(), start.column.to_string());
        out.record([module, from, to, *kind, text, &range.filename, &line, &column]);
    }
}

fn print(
    tree: &Tree<'_>,
    (folders, common): (&[PathBuf], &Common),
    incomplete: &Incomplete,
    format: ListFormat,
) -> Result<(), Failure> {
    let mut list = List::new::<Row>(format, common.style())?;
    let mut written = Ok(());
    for module in tree.given() {
        let path = path_of(module);
        let asked_for = module.files.asked_for();
        visit(&path, module, |row| {
            if written.is_ok() && asked_for.contains(&row.range.filename) {
                written = list.push(&row);
            }
        });
    }
    for module in tree.given() {
        let Some(stack) = &module.stack else { continue };
        let path = path_of(module);
        let asked_for = module.files.asked_for();
        stack.visit_references(|reference| {
            let traversal = reference.traversal;
            let range = Range::of(traversal.source(), traversal.span());
            if written.is_err() || !asked_for.contains(&range.filename) {
                return;
            }
            let (to, kind) = match stacks::Subject::of(traversal) {
                Some(subject) => (subject.to_string(), subject.kind.block_type()),
                None => (text_of(traversal), "unknown"),
            };
            let from = stack.objects.get(reference.from).map(ToString::to_string);
            let (module, from) = (path.clone(), from.unwrap_or_default());
            written = list.push(&Row { module, from, to, kind, text: text_of(traversal), range });
        });
    }
    for template in tree.templates() {
        let path = path_of_template(template);
        let asked_for = template.files.asked_for();
        template.template.visit_references(|object, reference| {
            let place = reference.label;
            if written.is_err() || !asked_for.contains(place.source.name()) {
                return;
            }
            let text = reference.to_string();
            let (to, kind) = match &reference.subject {
                Ok(subject) => (subject.to_string(), subject.kind()),
                Err(_) => (text.clone(), "unknown"),
            };
            let range = Range::of(place.source, place.span);
            let module = path.clone();
            let row = Row { module, from: object.to_string(), to, kind, text, range };
            written = list.push(&row);
        });
    }
    let mut incomplete = incomplete.clone();
    for folder in input::directories(folders, &mut incomplete) {
        visit_units(folder, common, &mut incomplete, |row| {
            if written.is_ok() {
                written = list.push(&row);
            }
        });
    }
    written?;
    list.finish(&incomplete)?;
    Ok(())
}

/// Visits the references in the files of units of Terragrunt below a folder.
fn visit_units(
    folder: &Path,
    common: &Common,
    incomplete: &mut Incomplete,
    mut visit: impl FnMut(Row),
) {
    let options = terragrunt::Options::default()
        .with_inputs(true)
        .with_stacks(true)
        .following_links(common.follow_links)
        .within(common.limits());
    let arena = Arena::new();
    let runs = match Runs::open(&arena, folder, &options) {
        Ok(runs) => runs,
        Err(gap) => return incomplete.add("unit", gap.place, gap.why),
    };
    let units = runs.units();
    // Without units, Terragrunt is not used.
    if units.units.is_empty() {
        return;
    }
    for gap in &units.gaps {
        incomplete.add("unit", named(folder, &gap.place), &gap.why);
    }
    runs.visit_references(|reference| {
        let UnitReference { source, from, to, kind, traversal, .. } = reference;
        let module = match source.name().rsplit_once('/') {
            Some((module, _)) => module.to_owned(),
            None => ".".to_owned(),
        };
        let range = Range::of(source, traversal.span());
        visit(Row { module, from, to, kind, text: text_of(traversal), range });
    });
}
