//! Files that a module reads by a function with a literal path: `file("${path.module}/init.sh")`.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use memchr::memmem;

use super::module::TreeModule;
use crate::expression::Seen;
use crate::module::Object;
use crate::native::Step;
use crate::program::LentProgram;
use crate::program::node::{Kind, Node};
use crate::program::traversal::StepKind;

/// Functions whose first argument is the path of a file to read.
const READERS: [&str; 11] = [
    "file",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "fileset",
    "filesha1",
    "filesha256",
    "filesha512",
    "templatefile",
];

/// A file, or the files of a directory, that an object reads.
#[derive(Clone, Debug)]
pub(super) struct Input<'a> {
    /// The object that reads it.
    pub(super) object: Object<'a>,
    /// The directory that the path is relative to.
    pub(super) base: Base,
    /// The path of a file, or of the directory that the pattern starts from; `None` if it is not a
    /// literal.
    path: Option<PathBuf>,
    /// The pattern of `fileset`.
    pattern: Option<GlobMatcher>,
}

/// A directory that paths are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// `path.module`.
    Module,
    /// `path.root`, `path.cwd`, or none: the tools run in the directory of the root module.
    Root,
}

impl<'a> Input<'a> {
    /// Whether the path is not a literal, so that it may be any file.
    pub(super) fn is_unknown(&self) -> bool {
        self.path.is_none()
    }

    /// Whether it reads a file. `directory` is that of the module, or of a root module. Both paths
    /// are absolute.
    pub(super) fn reads(&self, directory: &Path, file: &Path) -> bool {
        let Some(path) = &self.path else { return false };
        let path = super::path::clean(&directory.join(path));
        match &self.pattern {
            None => file == path,
            Some(pattern) => file.strip_prefix(&path).is_ok_and(|rest| pattern.is_match(rest)),
        }
    }

    /// The files that the objects of a module read, in order.
    ///
    /// Cost: that of parsing the module's templates, if its files contain the name of such a
    /// function.
    pub(super) fn of(module: &TreeModule<'a>) -> Vec<Self> {
        let is_in = |source: &crate::Source<'_>| {
            ["file", "\\u0066"]
                .iter()
                .any(|name| memmem::find(source.bytes(), name.as_bytes()).is_some())
        };
        let mut inputs = Vec::new();
        if !module.sources.iter().any(is_in) {
            return inputs;
        }
        module.module.visit_expressions(|site| {
            let object = site.object;
            site.visit(|seen| {
                if let Seen::Template(program) = seen {
                    of_program(program, object, &mut inputs);
                }
            });
        });
        inputs
    }
}

/// Finds the calls in a template.
fn of_program<'a>(program: &LentProgram<'_, 'a>, object: Object<'a>, inputs: &mut Vec<Input<'a>>) {
    for (place, node) in program.nodes.iter().enumerate() {
        if node.kind != Kind::Call {
            continue;
        }
        let Some(call) = program.calls.get(node.payload as usize) else { continue };
        let name = call.name.strip_prefix("core::").unwrap_or(call.name);
        if !READERS.contains(&name) {
            continue;
        }
        let arguments = operands(program.nodes, place, call.arguments as usize);
        let mut literals = arguments.iter().map(|argument| literal(program, argument));
        let path = literals.next().flatten();
        let (base, path) = match path {
            Some((base, path)) => (base, Some(PathBuf::from(path.replace('\\', "/")))),
            None => (Base::Root, None),
        };
        let input = Input { object, base, path, pattern: None };
        inputs.push(match (name, literals.next()) {
            ("fileset", Some(Some((Base::Root, pattern)))) => {
                match GlobBuilder::new(&pattern).literal_separator(true).build() {
                    Ok(glob) => Input { pattern: Some(glob.compile_matcher()), ..input },
                    Err(_) => Input { path: None, ..input },
                }
            }
            ("fileset", _) => Input { path: None, ..input },
            _ => input,
        });
    }
}

/// The nodes of each argument of the call at `place`.
fn operands(nodes: &[Node], place: usize, count: usize) -> Vec<&[Node]> {
    let mut operands = Vec::with_capacity(count);
    let mut end = place;
    for _ in 0..count {
        let Some(last) = end.checked_sub(1).and_then(|at| nodes.get(at)) else { break };
        let start = end.saturating_sub(last.size as usize);
        operands.push(&nodes[start..end]);
        end = start;
    }
    operands.reverse();
    operands
}

/// The text of an expression that is literal except for a leading `path.module` or similar.
fn literal(program: &LentProgram<'_, '_>, nodes: &[Node]) -> Option<(Base, String)> {
    let mut base = None;
    let mut text = String::new();
    for node in nodes {
        match node.kind {
            Kind::Text => text.push_str(program.texts.get(node.payload as usize)?),
            Kind::Template | Kind::Wrap | Kind::Parentheses => {}
            Kind::Traversal if base.is_none() && text.is_empty() => {
                base = Some(base_of(program.traversal(node.payload))?);
            }
            _ => return None,
        }
    }
    match base {
        // The text that follows is a path below the base.
        Some(base) => Some((base, text.trim_start_matches('/').to_owned())),
        None => Some((Base::Root, text)),
    }
}

fn base_of(steps: &[Step<'_>]) -> Option<Base> {
    let [root, attribute] = steps else { return None };
    match (root.kind, attribute.kind) {
        (StepKind::Root("path"), StepKind::Attribute("module")) => Some(Base::Module),
        (StepKind::Root("path"), StepKind::Attribute("root" | "cwd")) => Some(Base::Root),
        _ => None,
    }
}
