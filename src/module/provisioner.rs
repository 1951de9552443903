//! `provisioner`: what is run when an instance is created or destroyed.

use super::block::{argument, plain, single};
use super::config::Config;
use crate::body::{AttributeSchema, Block, Schema};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;

static PROVISIONER: Schema<'static> = Schema::new(
    &[AttributeSchema::optional("when"), AttributeSchema::optional("on_failure")],
    &[plain("connection"), plain("_"), plain("lifecycle")],
);

/// Those that the tools no longer have.
const REMOVED: [&str; 4] = ["chef", "habitat", "puppet", "salt-masterless"];

/// A provisioner.
#[derive(Clone, Copy, Debug)]
pub struct Provisioner<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its type.
    pub provisioner_type: &'a str,
    /// It is run when the instance is destroyed, not when it is created.
    pub on_destroy: bool,
    /// Its failure is passed over.
    pub continues_on_failure: bool,
    /// How the instance is reached.
    pub connection: Option<Block<'a>>,
    /// What the provisioner reads: the body without the arguments above.
    pub config: Config<'a>,
    /// The block `_`, whose arguments are the provisioner's whatever they are called.
    pub escape: Option<Block<'a>>,
}

impl<'a> Provisioner<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut impl Sink<'a>) -> Self {
        let (content, config) = block.body().partial_content(&PROVISIONER, sink);
        let provisioner_type = block.label(0).unwrap_or_default();
        if REMOVED.contains(&provisioner_type) {
            let label = block.label_spans().next().unwrap_or_default();
            sink.report(
                Diagnostic::new(Code::RemovedProvisioner, block.source(), label)
                    .with_arguments(&[provisioner_type]),
            );
        }
        for nested in content.blocks("lifecycle") {
            sink.report(
                Diagnostic::new(Code::ReservedBlock, nested.source(), nested.type_span())
                    .with_arguments(&["lifecycle"]),
            );
        }
        let when = keyword(argument(&content, "when"), ["create", "destroy"], sink);
        let on_failure = keyword(argument(&content, "on_failure"), ["fail", "continue"], sink);
        Self {
            block,
            provisioner_type,
            on_destroy: when == Some("destroy"),
            continues_on_failure: on_failure == Some("continue"),
            connection: single(&content, "connection", sink),
            config: Config::new(config),
            escape: single(&content, "_", sink),
        }
    }
}

/// One of two keywords.
fn keyword<'a>(
    value: Option<Expression<'a>>,
    known: [&'static str; 2],
    sink: &mut impl Sink<'a>,
) -> Option<&'static str> {
    let value = value?;
    let word = value.as_keyword();
    let found = known.into_iter().find(|&known| word == Some(known));
    if found.is_none() {
        sink.report(
            Diagnostic::new(Code::UnknownKeyword, value.source(), value.start_span())
                .with_arguments(&known),
        );
    }
    found
}
