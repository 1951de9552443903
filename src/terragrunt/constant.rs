//! Constants in the files of units that may be secrets although nothing marks them: those of backends in
//! `remote_state`, and those in the texts that `generate` writes.
//!
//! A value in a written text is a secret if it is one in such a file of the module: constants of providers
//! and backends, and defaults and values of variables that the module hides.

use super::config::Config;
use super::flow::{Graph, Id};
use super::parse::{Parsed, Part};
use crate::arena::Arena;
use crate::body::Body;
use crate::dialect::{Dialect, FileKind, List, Syntax, root_schema};
use crate::expression::Expression;
use crate::functions::paths::base;
use crate::hidden::{Hidden, hides_in_unit};
use crate::native::{Construct, Native};
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::span::Span;

/// The values that constants hide.
#[derive(Default)]
pub(super) struct Constants {
    /// Values that are hidden with all that they are made of.
    pub(super) whole: Vec<Id>,
    /// Values that are hidden as they are written.
    pub(super) written: Vec<Id>,
}

impl Constants {
    /// Returns those of a unit. `hidden` is what its module hides. Cost: linear in the files, and in the
    /// texts that are written.
    pub(super) fn of<'a>(
        graph: &mut Graph<'a>,
        files: &[&Parsed<'a>],
        config: &Config<'_>,
        hidden: &Hidden,
    ) -> Self {
        let mut found = Self::default();
        for (place, file) in files.iter().enumerate() {
            let part = |name: &str| -> Vec<(&'a str, Expression<'a>)> {
                let blocks = file.root.blocks(name).flat_map(|it| &it.attributes);
                blocks.map(|it| (it.name(), it.expression())).collect()
            };
            for (name, value) in part("remote_state").into_iter().chain(of_attribute(&file.root)) {
                for (argument, value) in value.as_map().into_iter().flatten() {
                    let path = [name, argument.to_str()];
                    let node = graph.find(&["remote_state", name, argument.to_str()]);
                    found.whole.extend(node.filter(|_| hides_in_unit(&path, value)));
                }
            }
            for block in file.root.blocks("generate") {
                if let Some(contents) = block.get("contents") {
                    found.add_text(graph, (place, block.label, contents), config, hidden);
                }
            }
            let all = file.root.get("generate").and_then(Expression::as_map);
            for (label, block) in all.into_iter().flatten() {
                if let Some(contents) = block.member("contents") {
                    found.add_text(graph, (place, label.to_str(), contents), config, hidden);
                }
            }
        }
        found
    }

    /// Adds the text that a block `generate` writes.
    fn add_text<'a>(
        &mut self,
        graph: &mut Graph<'a>,
        (file, label, contents): (usize, &'a str, Expression<'a>),
        config: &Config<'_>,
        hidden: &Hidden,
    ) {
        let Some(node) = graph.find(&["generate", label, "contents"]) else { return };
        let block = config.generate.iter().find(|(known, _)| *known == label).map(|(_, it)| *it);
        let evaluated = |name: &str| block.and_then(|it| it.get(name)?.as_str());
        let path = evaluated("path").map_or("main.tf", base);
        if let Some((text, parts)) = with_placeholders(contents) {
            let Some(secrets) = secrets(path, &text, hidden) else {
                return self.add_evaluated(node, path, evaluated("contents"), hidden);
            };
            if secrets.is_empty() {
                return;
            }
            self.written.push(node);
            let is_secret = |at: usize| {
                secrets.iter().any(|it| (it.start as usize..it.end as usize).contains(&at))
            };
            let Some(written) = graph.text_in(node, file) else { return };
            for (_, part) in parts.into_iter().filter(|(at, _)| is_secret(*at)) {
                let part = graph.add_element(Expression::from_native(part.inner()), written);
                self.whole.push(part);
            }
            return;
        }
        self.add_evaluated(node, path, evaluated("contents"), hidden);
    }

    fn add_evaluated(&mut self, node: Id, path: &str, text: Option<&str>, hidden: &Hidden) {
        let secrets = text.and_then(|text| secrets(path, text, hidden));
        if secrets.is_some_and(|secrets| !secrets.is_empty()) {
            self.whole.push(node);
        }
    }
}

/// The parts of `remote_state` that is written as an attribute.
fn of_attribute<'a>(root: &Part<'a>) -> Vec<(&'a str, Expression<'a>)> {
    let entries = root.get("remote_state").and_then(Expression::as_map).into_iter().flatten();
    entries.map(|(name, value)| (name.to_str(), value)).collect()
}

/// The text of a template with a number in place of each interpolation, and where these are; `None` for
/// an expression that is not one.
fn with_placeholders(contents: Expression<'_>) -> Option<(String, Vec<(usize, Native<'_>)>)> {
    let native = match contents.is_json() {
        true => contents.template().and_then(Result::ok).and_then(Native::of),
        false => contents.as_native(),
    };
    let Construct::Template(parts) = native?.construct() else { return None };
    let (mut text, mut found) = (String::new(), Vec::new());
    for part in parts {
        match part.as_text() {
            Some(literal) => text.push_str(literal),
            None => {
                found.push((text.len(), part));
                // A constant, in quotes and without.
                text.push('8');
            }
        }
    }
    Some((text, found))
}

/// The secrets in the text of a file; `None` if it cannot be parsed.
fn secrets(name: &str, text: &str, hidden: &Hidden) -> Option<Vec<Span>> {
    let Some(kind) = FileKind::of(name.as_ref(), Dialect::OpenTofu) else {
        return Some(Vec::new());
    };
    let arena = Arena::new();
    let source = Source::copy_from(&arena, name, text.as_bytes()).ok()?;
    let parsed = match kind.syntax {
        Syntax::Json => ParsedFile::parse(&arena, source).ok()?,
        Syntax::Native => ParsedFile::native(&arena, source),
    };
    if !parsed.diagnostics().is_empty() {
        return None;
    }
    let (mut found, mut open) = (Vec::new(), Vec::new());
    match root_schema(Dialect::OpenTofu, kind.list) {
        Some(schema) => Body::from(parsed).visit_blocks(schema, &mut (), |block, _| {
            let mut names = vec![block.block_type().to_owned()];
            names.extend((0..).map_while(|at| block.label(at)).map(str::to_owned));
            open.push((names, block.as_expression()));
        }),
        None if kind.list == List::Variables => {
            for attribute in Body::from(parsed).just_attributes(&mut ()) {
                open.push((vec![attribute.name().to_owned()], attribute.expression()));
            }
        }
        None => {}
    }
    while let Some((names, value)) = open.pop() {
        let path: Vec<&str> = names.iter().map(String::as_str).collect();
        if !hidden.hides(kind.list, &path, Some(value)) {
            continue;
        }
        if let Some(elements) = value.as_list() {
            open.extend(elements.map(|element| (names.clone(), element)));
        } else if let Some(entries) = value.as_map().filter(|_| names.len() < DEEPEST) {
            for (name, value) in entries {
                let name = name.to_str().to_owned();
                open.push((names.iter().cloned().chain([name]).collect(), value));
            }
        } else {
            found.push(value.span());
        }
    }
    Some(found)
}

/// The most names of a path; of what is deeper, all of it is a secret.
const DEEPEST: usize = 32;
