//! Checks that files exist which functions read: `file("${path.module}/user-data.sh")`.
//!
//! Only the existence of a file is checked, never its content, and only for literal paths that
//! start with `path.module` and stay below it. Other paths depend on the directory that the tool
//! runs in, or on values. Calls that `try`, `can` or a condition may skip are not checked.

use std::fs;
use std::path::{Component, Path, PathBuf};

use memchr::memmem;

use super::module::TreeModule;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::directory::Location;
use crate::evaluate::{KnownFunction, known_function};
use crate::expression::Seen;
use crate::hash::{HashMap, HashSet};
use crate::module::{Object, Reading};
use crate::native::StepKind;
use crate::program::node::{Kind, LentProgram, Node, Operator};
use crate::span::Span;

/// The maximal number of files to check in one module.
const MOST_FILES: usize = 10_000;

/// Reports files that do not exist.
///
/// Cost: that of visiting the expressions of modules that write `path.module`, and one query of the
/// file system for each of the first 10,000 paths.
pub(super) fn check<'a>(module: &TreeModule<'a>) -> Vec<Diagnostic<'a>> {
    // The files of an archive or a browser need not be all that there are.
    let Location::Disk(directory) = module.files.directory() else { return Vec::new() };
    let writes_paths = |text: &[u8]| memmem::find(text, b"path.module").is_some();
    if !module.sources.iter().any(|source| writes_paths(source.bytes())) {
        return Vec::new();
    }
    let mut seen: HashMap<PathBuf, Option<&'static str>> = HashMap::default();
    let mut reported: HashSet<(u32, Span)> = HashSet::default();
    let mut found = Vec::new();
    module.module.visit_expressions(|site| {
        // Provider configurations that nothing uses are not evaluated. Assertions and validations
        // are not evaluated before values are known.
        let is_evaluated = matches!(
            site.object,
            Object::Local(_) | Object::Output(_) | Object::Resource(_) | Object::ModuleCall(_)
        );
        let (Reading::Template(value) | Reading::Native(value)) = site.reading else { return };
        if !is_evaluated || !site.usage.is_reference() || !site.iterators.is_empty() {
            return;
        }
        let source = value.source();
        if !writes_paths(value.span().slice(source.bytes())) {
            return;
        }
        value.visit_variables(|seen_here| {
            let Seen::Template(program) = seen_here else { return };
            paths(program, |written, span| {
                let Some(path) = below(&directory, written) else { return };
                if !seen.contains_key(&path) && seen.len() == MOST_FILES {
                    return;
                }
                let wrong = *seen.entry(path).or_insert_with_key(|path| problem(path));
                if let Some(wrong) = wrong
                    && reported.insert((source.id(), span))
                {
                    let written = source.arena().str(written);
                    found.push(
                        Diagnostic::new(Code::MissingFile, Label::new(source, span))
                            .with_arguments(&[written, wrong]),
                    );
                }
            });
        });
    });
    found
}

/// Visits the paths after `path.module/` in calls that read files and are always made, and the
/// positions of these arguments.
fn paths(program: &LentProgram<'_, '_>, mut visit: impl FnMut(&str, Span)) {
    if program.calls.is_empty() {
        return;
    }
    let nodes = program.nodes;
    let mut end = nodes.len();
    // Backwards, each node comes before its operands.
    while let Some(node) = end.checked_sub(1).and_then(|last| nodes.get(last)) {
        let inner = end - 1;
        let start = end.saturating_sub(node.size as usize);
        end = match node.kind {
            Kind::Conditional
            | Kind::If
            | Kind::For
            | Kind::Join
            | Kind::AttributeSplat
            | Kind::FullSplat
            | Kind::Binary(Operator::And | Operator::Or) => start,
            Kind::Call => {
                let call = program.calls.get(node.payload as usize);
                let name = call.map_or("", |call| call.name);
                let name = name.strip_prefix("core::").unwrap_or(name);
                if known_function(name).is_some_and(KnownFunction::needs_file)
                    && let Some(arguments) = nodes.get(start..inner)
                    && let Some(argument) = first(name, arguments)
                    && let Some(path) = after_path(program, argument)
                {
                    visit(path, argument.last().map_or(node.span, |last| last.span));
                }
                if matches!(name, "try" | "can" | "templatestring") { start } else { inner }
            }
            _ => inner,
        };
    }
}

/// The argument that names the file. The tools do not call `templatefile` before the variables are
/// known to be an object.
fn first<'n>(name: &str, arguments: &'n [Node]) -> Option<&'n [Node]> {
    match arguments {
        [.., last] if name == "templatefile" => {
            let length = arguments.len().checked_sub(last.size as usize)?;
            arguments.get(..length).filter(|_| last.kind == Kind::Object)
        }
        _ => Some(arguments),
    }
}

/// The text after `path.module/`, if the argument is a template of just these parts.
fn after_path<'t>(program: &LentProgram<'t, '_>, argument: &[Node]) -> Option<&'t str> {
    let [base, text, template] = argument else { return None };
    let is_template = template.kind == Kind::Template && text.kind == Kind::Text;
    let [root, module] = program.traversal(base.payload) else { return None };
    let is_path = base.kind == Kind::Traversal
        && root.kind == StepKind::Root("path")
        && module.kind == StepKind::Attribute("module");
    if !is_template || !is_path {
        return None;
    }
    program.texts.get(text.payload as usize)?.strip_prefix('/')
}

/// A path below a directory; `None` if it may lead out of it.
fn below(directory: &Path, written: &str) -> Option<PathBuf> {
    let mut path = directory.to_owned();
    for component in Path::new(written).components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (path != directory).then_some(path)
}

/// Why a file cannot be read; `None` if it may be.
fn problem(path: &Path) -> Option<&'static str> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Some("is a directory"),
        Ok(_) => None,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some("does not exist"),
        Err(_) => None,
    }
}
