//! `provisioner` and `error-cleanup-provisioner`: steps to run on a machine, in order, or after an
//! error.

use super::read;
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::packer::STEP;
use crate::expression::Expression;
use crate::module::read::unsuitable;
use crate::module::{Config, block};

/// A provisioner.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Provisioner<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Its type; empty for the content of a `dynamic` block.
    pub provisioner_type: &'a str,
    /// Its name in messages.
    pub name: Option<Expression<'a>>,
    /// The time to wait before it.
    pub pause_before: Option<Expression<'a>>,
    /// The number of retries.
    pub max_retries: Option<Expression<'a>>,
    /// The time after which it is stopped.
    pub timeout: Option<Expression<'a>>,
    /// Whether its failure is ignored.
    pub continue_on_error: Option<Expression<'a>>,
    /// The sources for which it is run.
    pub selection: Selection<'a>,
    /// Arguments by source, which replace those below.
    pub overrides: Option<Expression<'a>>,
    /// The body that the plugin reads, without the arguments above.
    pub config: Config<'a>,
}

/// `only` and `except`: the sources that a step is for.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// Only these sources.
    pub only: Option<Expression<'a>>,
    /// All sources except these.
    pub except: Option<Expression<'a>>,
    /// The names in both lists that are not templates.
    pub(super) names: &'a [(&'a str, Expression<'a>)],
}

impl<'a> Selection<'a> {
    /// Reads both arguments. Reports if both are set.
    pub(super) fn read(
        block: Block<'a>,
        only: Option<Expression<'a>>,
        except: Option<Expression<'a>>,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let mut names = Vec::new();
        for value in [only, except].into_iter().flatten() {
            names.extend(read::texts(value, sink));
        }
        let is_set = |value: Expression<'a>| match value.as_list() {
            Some(mut elements) => elements.next().is_some(),
            None => !value.is_null(),
        };
        if let (Some(only), Some(except)) =
            (only.filter(|it| is_set(*it)), except.filter(|it| is_set(*it)))
        {
            sink.report(
                Diagnostic::new(Code::ExclusiveSelection, except.start_label())
                    .with_related(only.start_label(), "the other one"),
            );
        }
        Self { only, except, names: block.source().arena().bump().alloc_slice_copy(&names) }
    }
}

impl<'a> Provisioner<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let (content, config) = block.body().partial_content(STEP.common(), sink);
        let get = |name| block::argument(&content, name);
        let provisioner = Self {
            block,
            provisioner_type: block.label(0).unwrap_or_default(),
            name: get("name"),
            pause_before: get("pause_before"),
            max_retries: get("max_retries"),
            timeout: get("timeout"),
            continue_on_error: get("continue_on_error"),
            selection: Selection::read(block, get("only"), get("except"), sink),
            overrides: get("override"),
            config: Config::new(config),
        };
        provisioner.name.and_then(|value| read::text(value, sink));
        provisioner.pause_before.and_then(|value| read::duration(value, sink));
        provisioner.max_retries.and_then(|value| read::integer(value, sink));
        provisioner.timeout.and_then(|value| read::duration(value, sink));
        provisioner.continue_on_error.and_then(|value| read::boolean(value, sink));
        if let Some(overrides) = provisioner.overrides {
            check_overrides(overrides, sink);
        }
        provisioner
    }
}

/// Checks that overrides are an object of objects.
fn check_overrides<'a>(overrides: Expression<'a>, sink: &mut dyn Sink<'a>) {
    let mut check = |value: Expression<'a>| {
        let is_right = value.is_map() || read::is_template(value);
        if !is_right {
            unsuitable::<()>(value, "an object", sink);
        }
    };
    if overrides.is_null() {
        return;
    }
    check(overrides);
    for (_, of_source) in overrides.as_map().into_iter().flatten() {
        check(of_source);
    }
}
