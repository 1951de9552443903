//! `action` blocks, and `action_trigger` blocks in the lifecycle of a resource (Terraform).

use super::available::Available;
use super::block::{argument, duplicate_block};
use super::config::Config;
use super::dynamic::Nested;
use super::meta::{exclusive, provider_name};
use super::provider_reference::{ProviderReference, provider_reference};
use super::rules::Rules;
use super::site::{Use, Visitor};
use super::{read, triggers};
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::modules::{ACTION, ACTION_TRIGGER};
use crate::expression::Expression;
use crate::reference::ActionName;

/// The values of `on_failure`.
const ON_FAILURE: [&str; 3] = ["halt", "taint", "continue"];

/// An `action` block: an operation that a provider runs.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Action<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The address in the module.
    pub address: ActionName<'a>,
    /// The number of instances.
    pub count: Option<Expression<'a>>,
    /// The map or set with one element per instance.
    pub for_each: Option<Expression<'a>>,
    /// The provider configuration, if it is not the default one of the provider that the type's
    /// name starts with.
    pub provider: Option<ProviderReference<'a>>,
    /// The block `config`, which the provider reads.
    pub config: Option<Config<'a>>,
}

impl<'a> Action<'a> {
    /// The local name of the provider: as the block says, or the type's name up to the first
    /// underscore.
    #[must_use]
    pub fn provider_name(&self) -> &'a str {
        provider_name(self.provider, self.address.action_type)
    }
}

/// An `action_trigger` block: runs actions when an instance of a resource changes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ActionTrigger<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The events that run the actions.
    pub events: &'a [Event],
    /// The condition on which they are run, a template.
    pub condition: Option<Expression<'a>>,
    /// The actions, in order, as native expressions.
    pub actions: &'a [Expression<'a>],
}

/// An event that runs actions: a change of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Event {
    /// `before_create`
    BeforeCreate,
    /// `after_create`
    AfterCreate,
    /// `before_update`
    BeforeUpdate,
    /// `after_update`
    AfterUpdate,
    /// `before_destroy`
    BeforeDestroy,
    /// `after_destroy`
    AfterDestroy,
}

impl Event {
    /// All events.
    pub const ALL: [Self; 6] = [
        Self::BeforeCreate,
        Self::AfterCreate,
        Self::BeforeUpdate,
        Self::AfterUpdate,
        Self::BeforeDestroy,
        Self::AfterDestroy,
    ];

    /// The keyword.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BeforeCreate => "before_create",
            Self::AfterCreate => "after_create",
            Self::BeforeUpdate => "before_update",
            Self::AfterUpdate => "after_update",
            Self::BeforeDestroy => "before_destroy",
            Self::AfterDestroy => "after_destroy",
        }
    }

    /// Whether an instance is destroyed.
    #[must_use]
    pub const fn is_of_destroy(self) -> bool {
        matches!(self, Self::BeforeDestroy | Self::AfterDestroy)
    }
}

impl<'a> Action<'a> {
    /// Visits its expressions.
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        visitor.repetition(self.count, self.for_each);
        visitor.available = Available::repeated(self.count.is_some(), self.for_each.is_some());
        if let Some(config) = self.config {
            // The instance whose change runs the action.
            visitor.config_with(&["caller"], config, None, Nested::Unknown);
        }
        visitor.provider(self.provider, Use::Provider);
    }

    /// Reads a block with the labels type and name. Returns `None` if it has two `config` blocks.
    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let mut labels = block.labels().zip(block.label_places());
        let mut label = || {
            let Some((name, label)) = labels.next() else { return "" };
            read::name(name, label, sink);
            name
        };
        let address = ActionName { action_type: label(), name: label() };
        let content = block.body().content(ACTION.common(), sink);
        exclusive(&content, None, sink);
        let mut configs = content.blocks("config");
        let config = configs.next();
        if let (Some(first), Some(further)) = (config, configs.next()) {
            sink.report(duplicate_block(further, first));
            return None;
        }
        Some(Self {
            block,
            address,
            count: argument(&content, "count"),
            for_each: argument(&content, "for_each"),
            provider: argument(&content, "provider")
                .and_then(|value| provider_reference(value, rules, sink)),
            config: config.map(|config| Config::new(config.body())),
        })
    }
}

impl<'a> ActionTrigger<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(ACTION_TRIGGER.common(), sink);
        let events = argument(&content, "events");
        let events = events.map_or(&[][..], |list| self::events(list, sink));
        if let Some(value) = argument(&content, "on_failure")
            && !value.as_keyword().is_some_and(|keyword| ON_FAILURE.contains(&keyword))
        {
            read::unsuitable::<()>(value, "halt, taint or continue", sink);
        }
        let actions = argument(&content, "actions");
        let actions = actions.map_or(&[][..], |list| triggers::actions(list, sink));
        for (is_empty, what) in [(actions.is_empty(), "an action"), (events.is_empty(), "an event")]
        {
            if is_empty {
                sink.report(
                    Diagnostic::new(Code::EmptyTrigger, block.definition_label())
                        .with_arguments(&[what]),
                );
            }
        }
        Self { block, events, condition: argument(&content, "condition"), actions }
    }
}

/// The keywords of `events`, without duplicates.
fn events<'a>(list: Expression<'a>, sink: &mut dyn Sink<'a>) -> &'a [Event] {
    let Some(elements) = list.list(sink) else { return &[] };
    let mut events = Vec::new();
    for element in elements {
        let keyword = element.as_keyword();
        let event = Event::ALL.into_iter().find(|event| keyword == Some(event.as_str()));
        let Some(event) = event else {
            sink.report(Diagnostic::new(Code::UnknownEvent, element.start_label()));
            continue;
        };
        if events.contains(&event) {
            sink.report(
                Diagnostic::new(Code::DuplicateEvent, element.label())
                    .with_arguments(&[event.as_str()]),
            );
        } else {
            events.push(event);
        }
    }
    list.source().arena().bump().alloc_slice_copy(&events)
}
