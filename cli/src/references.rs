//! `references`: the references between the objects of each module.

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Serialize;
use simd_hcl::Arena;
use simd_hcl::directory::AskedFor;
use simd_hcl::facts::{Places, Referred};
use simd_hcl::module::Module;
use simd_hcl::stacks;
use simd_hcl::terragrunt::{self, Runs, UnitReference};
use simd_hcl::tree::Tree;

use crate::args::{self, Common, ListFormat};
use crate::excerpt::LentRange;
use crate::in_parts::in_parts;
use crate::incomplete::Incomplete;
use crate::input;
use crate::modules::{DependsOn, Loaded, path_of, path_of_template, with_tree};
use crate::output::{self, Csv, Layout, List, Rows, text_of};
use crate::status::{Failure, Status};
use crate::unit_graph::named;
use crate::visible::visible;

/// A reference as it is printed.
#[derive(Serialize)]
pub(crate) struct Row<'r> {
    module: &'r str,
    from: &'r str,
    to: &'r str,
    kind: &'static str,
    text: &'r str,
    range: LentRange<'r>,
}

/// The number of objects of a module whose references one thread renders at a time.
const OBJECTS: u32 = 1024;

pub(crate) fn run(references: &args::References, common: &Common) -> Result<Status, Failure> {
    let format = references.format;
    let folders = &references.configuration.paths;
    let print =
        |loaded: Loaded<'_, '_>| print(loaded.tree, (folders, common), loaded.incomplete, format);
    let loaded = with_tree(&references.configuration, common, DependsOn::Units, format, print);
    loaded.map(|((), status)| status)
}

/// A module whose references are listed.
struct Listed<'t, 'a> {
    path: String,
    asked_for: AskedFor,
    module: &'t Module<'a>,
}

/// The references of some objects of a module.
struct Part {
    /// The number of the module in the list.
    module: usize,
    rows: Rows,
    /// Those to functions of providers, which follow the others of the whole module.
    functions: Rows,
}

impl Listed<'_, '_> {
    /// Renders the references of objects that have an effect.
    fn part(
        &self,
        (module, numbers): (usize, Range<u32>),
        rows: impl Fn() -> Rows,
    ) -> io::Result<Part> {
        let mut part = Part { module, rows: rows(), functions: rows() };
        let (mut user, mut from) = (None, String::new());
        let (mut target, mut written) = (String::new(), String::new());
        let mut rendered = Ok(());
        Places::visit_references_of(self.module, numbers, |found| {
            if rendered.is_err() || !self.asked_for.contains(found.label.source.name()) {
                return;
            }
            if user != Some(found.user) {
                let Some(object) = self.module.object(found.user) else { return };
                write_to(&mut from, object);
                user = Some(found.user);
            }
            let (to, kind, text) = match found.to {
                Referred::Function(name) => (name, "function", name),
                Referred::Value(traversal, subject) => {
                    write_to(&mut written, traversal);
                    match subject {
                        Some(subject) => {
                            write_to(&mut target, subject);
                            (&*target, subject.kind(), &*written)
                        }
                        None => (&*written, "unknown", &*written),
                    }
                }
                _ => return,
            };
            let range = LentRange::of(found.label.source, found.label.span);
            let rows = match found.to {
                Referred::Function(_) => &mut part.functions,
                _ => &mut part.rows,
            };
            rendered = rows.push(&Row { module: &self.path, from: &from, to, kind, text, range });
        });
        rendered.map(|()| part)
    }
}

/// Replaces a text by that of a value.
fn write_to(text: &mut String, value: impl Display) {
    use std::fmt::Write;
    text.clear();
    // A text takes everything.
    let _ = write!(text, "{value}");
}

/// Prints the references between the objects of modules.
fn print_modules(tree: &Tree<'_>, list: &mut List) -> io::Result<()> {
    let listed = tree.given().map(|module| Listed {
        path: path_of(module),
        asked_for: module.files.asked_for(),
        module: &module.module,
    });
    let listed: Vec<_> = listed.collect();
    let parts = listed.iter().enumerate().flat_map(|(place, listed)| {
        let count = listed.module.object_count();
        let starts = (0..count).step_by(OBJECTS as usize);
        starts.map(move |start| (place, start..count.min(start.saturating_add(OBJECTS))))
    });
    let parts: Vec<_> = parts.collect();
    let rows = list.rows();
    let (mut module, mut functions) = (0, Vec::new());
    in_parts(
        &parts,
        |(place, numbers)| listed[*place].part((*place, numbers.clone()), &rows),
        |part| {
            let part = part?;
            if part.module != module {
                module = part.module;
                functions.drain(..).try_for_each(|rows| list.append(rows))?;
            }
            functions.push(part.functions);
            list.append(part.rows)
        },
    )?;
    functions.into_iter().try_for_each(|rows| list.append(rows))
}

impl output::Row for Row<'_> {
    const MEMBER: Option<&'static str> = Some("references");
    const LAYOUT: Layout = Layout::Lines;
    const COLUMNS: &'static [&'static str] =
        &["module", "from", "to", "kind", "text", "filename", "line", "column"];

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let LentRange { filename, start, .. } = self.range;
        let place = format!("{}:{}:{}", visible(filename), start.line, start.column);
        writeln!(out, "{place}: {} -> {}", visible(self.from), visible(self.text))
    }

    fn records(&self, out: &mut Csv<'_>) {
        let Self { module, from, to, kind, text, range } = self;
        let start = range.start;
        let (line, column) = (start.line.to_string(), start.column.to_string());
        out.record([module, from, to, kind, text, range.filename, &line, &column]);
    }
}

fn print(
    tree: &Tree<'_>,
    (folders, common): (&[PathBuf], &Common),
    incomplete: &Incomplete,
    format: ListFormat,
) -> Result<(), Failure> {
    let mut list = List::new::<Row<'_>>(format, common.style())?;
    print_modules(tree, &mut list)?;
    let mut written = Ok(());
    for module in tree.given() {
        let Some(stack) = &module.stack else { continue };
        let path = path_of(module);
        let asked_for = module.files.asked_for();
        stack.visit_references(|reference| {
            let traversal = reference.traversal;
            if written.is_err() || !asked_for.contains(traversal.source().name()) {
                return;
            }
            let range = LentRange::of(traversal.source(), traversal.span());
            let (to, kind) = match stacks::Subject::of(traversal) {
                Some(subject) => (subject.to_string(), subject.kind.block_type()),
                None => (text_of(traversal), "unknown"),
            };
            let from = stack.objects.get(reference.from).map(ToString::to_string);
            let (from, text) = (from.unwrap_or_default(), text_of(traversal));
            let row = Row { module: &path, from: &from, to: &to, kind, text: &text, range };
            written = list.push(&row);
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
            let range = LentRange::of(place.source, place.span);
            let from = object.to_string();
            let row = Row { module: &path, from: &from, to: &to, kind, text: &text, range };
            written = list.push(&row);
        });
    }
    let mut incomplete = incomplete.clone();
    for folder in input::directories(folders, &mut incomplete) {
        visit_units(folder, common, &mut incomplete, |row| {
            if written.is_ok() {
                written = list.push(row);
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
    mut visit: impl FnMut(&Row<'_>),
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
            Some((module, _)) => module,
            None => ".",
        };
        let range = LentRange::of(source, traversal.span());
        let text = text_of(traversal);
        visit(&Row { module, from: &from, to: &to, kind, text: &text, range });
    });
}
