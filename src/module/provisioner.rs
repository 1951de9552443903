//! `provisioner`: programs to run when an instance is created or destroyed.

use super::block::{argument, single};
use super::config::Config;
use super::dynamic::Nested;
use super::meta::reserved;
use super::rules::Rules;
use super::site::Visitor;
use crate::body::{Block, Body, Parts};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::modules::PROVISIONER;
use crate::expression::Expression;
use crate::native::{StepKind, Traversal};
use crate::span::Span;

/// Provisioners that the tools no longer have.
const REMOVED: [&str; 4] = ["chef", "habitat", "puppet", "salt-masterless"];

/// A provisioner.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Provisioner<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its type.
    pub provisioner_type: &'a str,
    /// Whether it runs when the instance is destroyed, instead of when it is created.
    pub on_destroy: bool,
    /// Whether its failure is ignored.
    pub continues_on_failure: bool,
    /// How to reach the instance.
    pub connection: Option<Block<'a>>,
    /// The body that the provisioner reads, without the arguments above.
    pub config: Config<'a>,
    /// The block `_`. Its arguments are always the provisioner's, even if they are called `when` or
    /// `on_failure`.
    pub escape: Option<Block<'a>>,
}

impl<'a> Provisioner<'a> {
    /// Visits its expressions.
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        visitor.config(self.config, self.escape, Nested::None);
        visitor.values(self.connection);
    }

    /// Reads the provisioners of a body, without those that the tools no longer have, which are
    /// reported once per label.
    pub(super) fn read_all(
        content: &impl Parts<'a>,
        rules: Rules,
        sink: &mut dyn Sink<'a>,
    ) -> Vec<Self> {
        let mut read = Vec::new();
        let mut last = Span::default();
        for block in content.blocks("provisioner") {
            let provisioner_type = block.label(0).unwrap_or_default();
            if !REMOVED.contains(&provisioner_type) {
                read.push(Self::read(block, provisioner_type, rules, sink));
                continue;
            }
            let label = block.label_spans().next().unwrap_or_default();
            if label != last {
                last = label;
                sink.report(
                    Diagnostic::new(Code::RemovedProvisioner, block.label_place(0))
                        .with_arguments(&[provisioner_type]),
                );
            }
        }
        read
    }

    fn read(
        block: Block<'a>,
        provisioner_type: &'a str,
        rules: Rules,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let (content, config) = block.body().partial_content(PROVISIONER.common(), sink);
        reserved(content.blocks("lifecycle"), sink);
        let when = keyword(argument(&content, "when"), ["create", "destroy"], sink);
        let on_failure = keyword(argument(&content, "on_failure"), ["fail", "continue"], sink);
        let on_destroy = when == Some("destroy");
        let connection = single(&content, "connection", sink);
        if on_destroy {
            only_self(config, rules, sink);
            if let Some(connection) = connection {
                only_self(connection.body(), rules, sink);
            }
        }
        Self {
            block,
            provisioner_type,
            on_destroy,
            continues_on_failure: on_failure == Some("continue"),
            connection,
            config: Config::new(config),
            escape: single(&content, "_", sink),
        }
    }
}

/// Reports arguments that refer to anything but the instance itself: when it is destroyed, other
/// objects may be gone. Blocks are not checked.
pub(super) fn only_self<'a>(body: Body<'a>, rules: Rules, sink: &mut dyn Sink<'a>) {
    if !body.is_single() {
        return;
    }
    for attribute in body.just_attributes(&mut ()) {
        let value = attribute.expression();
        if value.variables().any(|traversal| !is_of_instance(traversal, rules)) {
            sink.report(
                Diagnostic::new(Code::DestroyReference, value.start_label())
                    .with_arguments(&[attribute.name()]),
            );
        }
    }
}

/// Whether a reference is to the instance itself, or needs no instance.
fn is_of_instance(traversal: Traversal<'_>, rules: Rules) -> bool {
    let only =
        |name| matches!(traversal.steps(), [_, step] if step.kind == StepKind::Attribute(name));
    match traversal.root_name() {
        "self" | "path" | "terraform" => true,
        "tofu" => !rules.is_terraform(),
        "count" => only("index"),
        "each" => only("key"),
        _ => false,
    }
}

/// One of two keywords.
pub(super) fn keyword<'a>(
    value: Option<Expression<'a>>,
    known: [&'static str; 2],
    sink: &mut dyn Sink<'a>,
) -> Option<&'static str> {
    let value = value?;
    let word = value.unquoted(sink).as_keyword();
    let found = known.into_iter().find(|&known| word == Some(known));
    if found.is_none() && !value.is_invalid() {
        sink.report(
            Diagnostic::new(Code::UnknownKeyword, value.start_label()).with_arguments(&known),
        );
    }
    found
}
