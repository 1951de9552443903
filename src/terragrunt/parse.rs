//! One configuration file: its attributes and blocks by the schema of Terragrunt, and the order of
//! its local values.

use super::schema::Kind;
use crate::arena::Arena;
use crate::body::{Attribute, Block, Body};
use crate::diagnostic::{Code, Diagnostic, Label, Severity};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::native::StepKind;
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::span::Span;
use crate::structure::Item;

/// The attributes and blocks of a body.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    pub(super) kind: &'static Kind,
    /// The label; empty if there is none.
    pub(super) label: &'a str,
    /// The place of the block's definition; `None` for a file.
    pub(super) place: Option<Label<'a>>,
    pub(super) attributes: Vec<Attribute<'a>>,
    pub(super) blocks: Vec<Part<'a>>,
}

impl<'a> Part<'a> {
    /// The value of an attribute.
    pub(super) fn get(&self, name: &str) -> Option<Expression<'a>> {
        let found = self.attributes.iter().find(|attribute| attribute.is_named(name))?;
        Some(found.expression())
    }

    /// The blocks of a type.
    pub(super) fn blocks<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Self> {
        self.blocks.iter().filter(move |block| block.kind.name == name)
    }

    /// The first block of a type.
    pub(super) fn block(&self, name: &str) -> Option<&Self> {
        self.blocks.iter().find(|block| block.kind.name == name)
    }
}

/// A local value that cannot be evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stuck<'a> {
    pub(super) index: u32,
    /// The target that it may not or cannot refer to.
    pub(super) refers_to: &'a str,
    pub(super) is_local: bool,
}

impl Stuck<'_> {
    /// The reason, as the rest of a sentence that starts with the local value.
    pub(super) fn why(&self) -> String {
        match self.is_local {
            true => format!("refers to local.{}, which cannot be evaluated", self.refers_to),
            false => format!("refers to {}, which local values cannot use", self.refers_to),
        }
    }
}

/// The local values of a file.
#[derive(Debug, Default)]
pub(super) struct Locals<'a> {
    pub(super) entries: Vec<(&'a str, Expression<'a>)>,
    /// The entries that can be evaluated, each after those that it refers to.
    pub(super) order: Vec<u32>,
    pub(super) stuck: Vec<Stuck<'a>>,
}

/// The references of the expressions of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uses {
    /// Local values or `dependency` blocks refer to `include`.
    pub(super) include_early: bool,
    /// Other parts refer to `include`.
    pub(super) include_late: bool,
    /// Parts other than local values refer to `dependency`.
    pub(super) dependency: bool,
    /// Some part refers to `values`.
    pub(super) values: bool,
}

/// A configuration file.
#[derive(Debug)]
pub(super) struct Parsed<'a> {
    pub(super) source: Option<Source<'a>>,
    pub(super) root: Part<'a>,
    pub(super) locals: Locals<'a>,
    pub(super) uses: Uses,
    /// Errors of the syntax, and of the parts that are read to list units.
    pub(super) errors: Vec<Diagnostic<'a>>,
    /// Errors of the parts that are read only to run a unit.
    pub(super) late_errors: Vec<Diagnostic<'a>>,
}

impl<'a> Parsed<'a> {
    /// Reads a file, or explains why it has no body.
    pub(super) fn read(
        arena: &'a Arena,
        source: Source<'a>,
        kind: &'static Kind,
    ) -> Result<Self, String> {
        let file = match source.name().ends_with(".json") {
            true => ParsedFile::parse(arena, source).map_err(|error| error.to_string())?,
            // Terragrunt skips a byte order mark.
            false => ParsedFile::native(arena, source),
        };
        let is_error = |it: &&Diagnostic<'a>| {
            it.severity() == Severity::Error && it.code() != Code::ByteOrderMark
        };
        let syntax: Vec<_> = file.diagnostics().iter().filter(is_error).cloned().collect();
        let mut parsed = Self::of_body(file.body(), kind);
        parsed.source = Some(source);
        parsed.errors.splice(0..0, syntax);
        Ok(parsed)
    }

    /// Reads a body that has the form of a file.
    pub(super) fn of_body(body: Body<'a>, kind: &'static Kind) -> Self {
        let mut errors = Errors { early: Vec::new(), late: Vec::new() };
        let root = part(body, kind, "", None, &mut errors);
        Self::of_part(root, errors)
    }

    /// Returns a part as a file.
    pub(super) fn of_block(root: Part<'a>) -> Self {
        Self::of_part(root, Errors { early: Vec::new(), late: Vec::new() })
    }

    fn of_part(root: Part<'a>, mut errors: Errors<'a>) -> Self {
        let mut first: HashMap<&str, Option<Label<'a>>> = HashMap::default();
        for block in root.blocks.iter().filter(|block| block.kind.is_single) {
            let Some(&earlier) = first.get(block.kind.name) else {
                first.insert(block.kind.name, block.place);
                continue;
            };
            if let (Some(label), Some(earlier)) = (block.place, earlier) {
                errors.early.push(
                    Diagnostic::new(Code::DuplicateBlock, label)
                        .with_arguments(&[block.kind.name])
                        .with_related(earlier, "first block here"),
                );
            }
        }
        let locals = root.block("locals").map(Locals::of).unwrap_or_default();
        let uses = uses(&root);
        Self { source: None, root, locals, uses, errors: errors.early, late_errors: errors.late }
    }
}

struct Errors<'a> {
    early: Vec<Diagnostic<'a>>,
    late: Vec<Diagnostic<'a>>,
}

/// Reads a body by the schema of its kind. Kinds nest four levels deep at most.
fn part<'a>(
    body: Body<'a>,
    kind: &'static Kind,
    label: &'a str,
    place: Option<Label<'a>>,
    errors: &mut Errors<'a>,
) -> Part<'a> {
    let mut found: Vec<Diagnostic<'a>> = Vec::new();
    let mut part = Part { kind, label, place, attributes: Vec::new(), blocks: Vec::new() };
    if kind.is_free {
        part.attributes = body.just_attributes(&mut found).to_vec();
    } else {
        let bare = bare_includes(body, kind);
        let content = body.content(kind.schema, &mut found);
        part.attributes = content.attributes().to_vec();
        let mut blocks: Vec<Block<'a>> = content.all_blocks().to_vec();
        if !bare.is_empty() {
            // In the order of the file; none is in another one.
            let spans: Vec<Span> = bare.iter().map(|(block, _)| block.span()).collect();
            let around = |inner: Span| {
                let after = spans.partition_point(|span| span.start <= inner.start);
                let span = *spans.get(after.checked_sub(1)?)?;
                (inner.end <= span.end).then_some(span)
            };
            found.retain(|it| around(it.span()).is_none());
            blocks.retain(|block| around(block.span()) != Some(block.span()));
        }
        for block in blocks {
            let Some(inner) = kind.blocks.iter().find(|inner| block.is(inner.name)) else {
                continue;
            };
            let label = block.label(0).unwrap_or_default();
            let place = Some(block.definition_label());
            part.blocks.push(self::part(block.body(), inner, label, place, errors));
        }
        for (block, inner) in bare {
            let place = Some(block.definition_label());
            part.blocks.push(self::part(block.body(), inner, "", place, errors));
        }
        part.blocks.sort_by_key(|block| block.place.map(|label| label.span.start));
    }
    let is_error = |it: &Diagnostic<'a>| it.severity() == Severity::Error;
    // Attributes and blocks that the root does not have are skipped when units are listed.
    for error in found.into_iter().filter(is_error) {
        match error.code() {
            Code::UnsupportedArgument
            | Code::UnsupportedBlock
            | Code::UnexpectedBlock
            | Code::ExtraneousProperty => errors.late.push(error),
            _ if kind.is_late => errors.late.push(error),
            _ => errors.early.push(error),
        }
    }
    part
}

/// The blocks `include` without a label, which have an empty one.
fn bare_includes<'a>(body: Body<'a>, kind: &'static Kind) -> Vec<(Block<'a>, &'static Kind)> {
    let Some(include) = kind.blocks.iter().find(|it| it.name == "include") else {
        return Vec::new();
    };
    if let Some(native) = body.as_native() {
        let items = native.items().filter_map(|item| match item {
            Item::Block(block) if block.block_type() == "include" => Some(block),
            _ => None,
        });
        let bare = items.filter(|block| block.labels().len() == 0);
        return bare.map(|block| (Block::of_file(block), *include)).collect();
    }
    // In JSON, `path` as a text tells a block from labels.
    let object = body.as_json().and_then(|node| node.as_object());
    let found = object.into_iter().flat_map(|object| object.members());
    let is_bare = found.filter(|member| member.is_named("include")).any(|member| {
        let value = member.value();
        let object = value.as_object().or_else(|| {
            let mut elements = value.as_array()?.elements();
            elements.next()?.as_object()
        });
        object.is_some_and(|object| {
            object.members().any(|it| it.is_named("path") && it.value().as_string().is_some())
        })
    });
    if !is_bare {
        return Vec::new();
    }
    let (content, _) = body.partial_content(&super::schema::BARE, &mut ());
    content.blocks("include").map(|block| (block, *include)).collect()
}

/// The name that a reference to a local value has.
pub(super) fn local_name<'a>(steps: &[crate::native::Step<'a>]) -> Option<&'a str> {
    steps.iter().skip(1).find_map(|step| match step.kind {
        StepKind::Attribute(name) => Some(name),
        _ => None,
    })
}

impl<'a> Locals<'a> {
    /// Orders local values. Cost: linear in the values and their references.
    fn of(block: &Part<'a>) -> Self {
        let entries: Vec<_> =
            block.attributes.iter().map(|it| (it.name(), it.expression())).collect();
        let numbers: HashMap<&str, u32> =
            (0..).zip(&entries).map(|(number, (name, _))| (*name, number)).collect();
        let mut waiting = vec![0_usize; entries.len()];
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); entries.len()];
        let mut reasons: Vec<Option<(&'a str, bool)>> = vec![None; entries.len()];
        for (at, (_, expression)) in entries.iter().enumerate() {
            for traversal in expression.variables() {
                match traversal.root_name() {
                    "include" | "feature" | "values" | "unit" | "stack" => {}
                    "local" => {
                        let name = local_name(traversal.steps());
                        match name.and_then(|name| numbers.get(name)) {
                            Some(&number) => {
                                waiting[at] += 1;
                                users[number as usize].push(at as u32);
                            }
                            None => reasons[at] = Some((name.unwrap_or("local"), true)),
                        }
                    }
                    other => reasons[at] = Some((other, false)),
                }
            }
        }
        let is_ready = |at: &usize| waiting[*at] == 0 && reasons[*at].is_none();
        let mut order: Vec<u32> = (0..entries.len()).filter(is_ready).map(|at| at as u32).collect();
        let mut next = 0;
        while let Some(&done) = order.get(next) {
            next += 1;
            for &user in &users[done as usize] {
                let left = &mut waiting[user as usize];
                *left -= 1;
                if *left == 0 && reasons[user as usize].is_none() {
                    order.push(user);
                }
            }
        }
        let mut is_ordered = vec![false; entries.len()];
        order.iter().for_each(|&at| is_ordered[at as usize] = true);
        let stuck = (0..entries.len()).filter(|at| !is_ordered[*at]).map(|at| {
            let (refers_to, is_local) = reasons[at].unwrap_or((entries[at].0, true));
            Stuck { index: at as u32, refers_to, is_local }
        });
        let stuck = stuck.collect();
        Self { entries, order, stuck }
    }
}

/// Finds the objects that the expressions of a file refer to.
fn uses(root: &Part<'_>) -> Uses {
    let mut uses = Uses::default();
    let mut open: Vec<(&Part<'_>, &str)> = vec![(root, "")];
    while let Some((part, top)) = open.pop() {
        let is_early = matches!(top, "locals" | "dependency");
        for attribute in &part.attributes {
            for traversal in attribute.expression().variables() {
                match traversal.root_name() {
                    "include" if is_early => uses.include_early = true,
                    "include" => uses.include_late = true,
                    "dependency" if top != "locals" => uses.dependency = true,
                    "values" => uses.values = true,
                    _ => {}
                }
            }
        }
        open.extend(
            part.blocks
                .iter()
                .map(|inner| (inner, if top.is_empty() { inner.kind.name } else { top })),
        );
    }
    uses
}
