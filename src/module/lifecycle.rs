//! `lifecycle`: how a resource is replaced and destroyed, and its conditions.

use super::action::ActionTrigger;
use super::block::argument;
use super::condition::Condition;
use super::read;
use super::rules::Rules;
use super::site::{Use, Visitor, Wanted};
use super::triggers;
use crate::body::{Attribute, Block, BriefContent, Parts};
use crate::diagnostic::{Code, Diagnostic, Fix, Sink};
use crate::dialect::Dialect;
use crate::dialect::arguments::modules::LIFECYCLE;
use crate::expression::{Expression, Literal};
use crate::native::Traversal;
use crate::reference::{Mode, Reference, ResourceName};
use crate::span::Span;

/// The arguments that only managed resources have.
const MANAGED_ONLY: [&str; 5] = [
    "create_before_destroy",
    "prevent_destroy",
    "destroy",
    "ignore_changes",
    "replace_triggered_by",
];

/// A `lifecycle` block.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Lifecycle<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Whether a replacement is created before the old instance is destroyed.
    pub create_before_destroy: Option<bool>,
    /// The changes to ignore.
    pub ignore_changes: IgnoreChanges<'a>,
    /// None if it has nothing else.
    rare: Option<&'a Rare<'a>>,
}

/// The arguments that few `lifecycle` blocks have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rare<'a> {
    pub(super) prevent_destroy: Option<Expression<'a>>,
    pub(super) destroy: Option<Expression<'a>>,
    pub(super) enabled: Option<Attribute<'a>>,
    pub(super) replace_triggered_by: &'a [Expression<'a>],
    pub(super) action_triggers: &'a [ActionTrigger<'a>],
    pub(super) preconditions: &'a [Condition<'a>],
    pub(super) postconditions: &'a [Condition<'a>],
}

/// The changes that `ignore_changes` lists.
#[derive(Clone, Copy, Debug)]
pub enum IgnoreChanges<'a> {
    /// Changes of these attributes. The traversals start at the resource.
    Of(&'a [Traversal<'a>]),
    /// All changes.
    All,
}

impl<'a> Lifecycle<'a> {
    /// Whether a plan that destroys an instance is an error. A template in OpenTofu, read literally
    /// in Terraform.
    #[must_use]
    pub fn prevent_destroy(&self) -> Option<Expression<'a>> {
        self.rare?.prevent_destroy
    }

    /// Whether it is destroyed, or only forgotten: a boolean.
    #[must_use]
    pub fn destroy(&self) -> Option<Expression<'a>> {
        self.rare?.destroy
    }

    /// Whether the instance exists (OpenTofu).
    #[must_use]
    pub fn enabled(&self) -> Option<Attribute<'a>> {
        self.rare?.enabled
    }

    /// The objects whose changes replace the instance, as native expressions.
    #[must_use]
    pub fn replace_triggered_by(&self) -> &'a [Expression<'a>] {
        self.rare.map_or(&[], |rare| rare.replace_triggered_by)
    }

    /// The triggers of actions (Terraform).
    #[must_use]
    pub fn action_triggers(&self) -> &'a [ActionTrigger<'a>] {
        self.rare.map_or(&[], |rare| rare.action_triggers)
    }

    /// Conditions to check before the object is evaluated.
    #[must_use]
    pub fn preconditions(&self) -> &'a [Condition<'a>] {
        self.rare.map_or(&[], |rare| rare.preconditions)
    }

    /// Conditions to check after the object is evaluated.
    #[must_use]
    pub fn postconditions(&self) -> &'a [Condition<'a>] {
        self.rare.map_or(&[], |rare| rare.postconditions)
    }

    /// Returns all but the block, `create_before_destroy` and `ignore_changes`.
    pub(super) fn rare(&self) -> Rare<'a> {
        self.rare.copied().unwrap_or_default()
    }

    /// The same with another rest.
    pub(super) fn with(self, rare: Rare<'a>) -> Self {
        let Rare {
            prevent_destroy,
            destroy,
            enabled,
            replace_triggered_by,
            action_triggers,
            preconditions,
            postconditions,
        } = rare;
        let is_empty = prevent_destroy.is_none()
            && destroy.is_none()
            && enabled.is_none()
            && replace_triggered_by.is_empty()
            && action_triggers.is_empty()
            && preconditions.is_empty()
            && postconditions.is_empty();
        let bump = self.block.source().arena().bump();
        Self { rare: (!is_empty).then(|| &*bump.alloc(rare)), ..self }
    }

    /// Visits its expressions, in the scope of the resource.
    pub(super) fn visit(&self, dialect: Dialect, visitor: &mut Visitor<'_, 'a>) {
        let Some(rare) = self.rare else { return };
        let repeated = visitor.available;
        // Terraform reads it literally.
        match dialect {
            Dialect::Terraform => visitor.literal(rare.prevent_destroy),
            _ => visitor.guard(rare.prevent_destroy),
        }
        visitor.literal(rare.destroy);
        visitor.wanted(rare.enabled.map(Attribute::expression), Wanted::Enabled);
        visitor.natives(rare.replace_triggered_by.iter().copied(), Use::Trigger);
        visitor.available = repeated.with_self();
        for trigger in rare.action_triggers {
            visitor.template(trigger.condition);
            visitor.natives(trigger.actions.iter().copied(), Use::Run);
        }
        visitor.available = repeated;
        visitor.conditions(rare.preconditions, Wanted::Any);
        visitor.available = repeated.with_self();
        visitor.conditions(rare.postconditions, Wanted::Any);
    }

    /// Reads the block of the resource `address`. For a data source or an ephemeral resource it
    /// reads only `enabled` and the conditions, and rejects the other arguments.
    pub(super) fn read(
        block: Block<'a>,
        address: ResourceName<'a>,
        rules: Rules,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let content = block.body().brief_content(rules.schema(&LIFECYCLE), sink);
        let conditions = |block_type, sink: &mut dyn Sink<'a>| {
            conditions(&content, block_type, address, rules, sink)
        };
        let mut lifecycle = Self {
            block,
            create_before_destroy: None,
            ignore_changes: IgnoreChanges::Of(&[]),
            rare: None,
        };
        let mut rare = Rare {
            enabled: content.attribute("enabled"),
            preconditions: conditions("precondition", sink),
            postconditions: conditions("postcondition", sink),
            ..Rare::default()
        };
        if address.mode != Mode::Managed {
            refuse(&content, address.mode, sink);
            return lifecycle.with(rare);
        }
        let get = |name| argument(&content, name);
        if let Some(value) = get("create_before_destroy") {
            lifecycle.create_before_destroy = read::boolean(value, sink);
        }
        rare.prevent_destroy = get("prevent_destroy");
        if let Some(value) = rare.prevent_destroy
            && rules.is_terraform()
        {
            read::boolean(value, sink);
        }
        rare.destroy = get("destroy");
        if let Some(value) = rare.destroy
            && !matches!(value.literal(), Literal::Bool(_))
        {
            // The tools evaluate it without a scope, and do not convert the value.
            read::unsuitable::<()>(value, "true or false", sink);
        }
        if let Some(value) = get("ignore_changes") {
            lifecycle.ignore_changes = IgnoreChanges::read(value, sink);
        }
        if let Some(list) = get("replace_triggered_by") {
            rare.replace_triggered_by = triggers::replacements(list, address, rules, sink);
        }
        let triggers: Vec<_> = content
            .blocks("action_trigger")
            .map(|block| ActionTrigger::read(block, sink))
            .collect();
        rare.action_triggers = block.source().arena().bump().alloc_slice_copy(&triggers);
        lifecycle.with(rare)
    }
}

/// Reports arguments that only managed resources may have.
fn refuse<'a>(content: &BriefContent<'a>, mode: Mode, sink: &mut dyn Sink<'a>) {
    let mut report = |name, label| {
        sink.report(
            Diagnostic::new(Code::LifecycleArgument, label).with_arguments(&[name, mode.as_str()]),
        );
    };
    for attribute in content.attributes() {
        if let Some(&name) = MANAGED_ONLY.iter().find(|&&name| attribute.name() == name) {
            report(name, attribute.name_label());
        }
    }
    // The blocks of one array share the position of their type.
    let mut last = Span::default();
    for nested in content.blocks("action_trigger") {
        if nested.type_span() != last {
            last = nested.type_span();
            report("action_trigger", nested.type_label());
        }
    }
}

/// The conditions of a type, which must not refer to their own resource, and cannot be overridden.
fn conditions<'a>(
    content: &BriefContent<'a>,
    block_type: &'static str,
    address: ResourceName<'a>,
    rules: Rules,
    sink: &mut dyn Sink<'a>,
) -> &'a [Condition<'a>] {
    let mut read = Vec::new();
    for block in content.blocks(block_type) {
        if rules.is_override {
            sink.report(
                Diagnostic::new(Code::UnsupportedOverride, block.definition_label())
                    .with_arguments(&[block_type]),
            );
            continue;
        }
        let condition = Condition::read(block, sink);
        for expression in [condition.condition, condition.error_message].into_iter().flatten() {
            let is_self = |traversal| {
                let reference = Reference::of(traversal).ok();
                reference.and_then(|it| it.subject().resource()) == Some(address)
            };
            if expression.variables().any(is_self) {
                sink.report(
                    Diagnostic::new(Code::SelfReference, expression.start_label())
                        .with_arguments(&[block_type]),
                );
            }
        }
        read.push(condition);
    }
    match content.all_blocks().first() {
        Some(block) => block.source().arena().bump().alloc_slice_copy(&read),
        None => &[],
    }
}

/// The keyword `all` instead of the list `["*"]`; `None` for a list with more in it.
fn all_instead_of(list: Expression<'_>) -> Option<Fix> {
    let text = list.text().iter().filter(|byte| !byte.is_ascii_whitespace());
    let keyword = if list.is_json() { "\"all\"" } else { "all" };
    text.eq(b"[\"*\"]").then(|| Fix::replacement(list.span(), keyword))
}

impl<'a> IgnoreChanges<'a> {
    /// Reads the keyword `all`, or a list of relative traversals.
    fn read(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Self {
        if value.as_keyword() == Some("all") {
            return Self::All;
        }
        let Some(elements) = value.list(sink) else { return Self::Of(&[]) };
        let mut attributes = Vec::new();
        let mut wildcard = None;
        for element in elements {
            if matches!(element.literal(), Literal::Text("*")) {
                wildcard = Some(element);
                let instead = match value.is_json() {
                    true => "\"ignore_changes\": \"all\"",
                    false => "ignore_changes = all",
                };
                let diagnostic = Diagnostic::new(Code::IgnoreWildcard, element.label());
                let diagnostic = diagnostic.with_arguments(&[instead]);
                sink.report(diagnostic.with_repair(all_instead_of(value)));
            } else if let Some(attribute) = element.unquoted(sink).relative_traversal(sink) {
                attributes.push(attribute);
            }
        }
        match wildcard {
            None => Self::Of(value.source().arena().bump().alloc_slice_copy(&attributes)),
            Some(wildcard) => {
                if !attributes.is_empty() {
                    sink.report(Diagnostic::new(Code::IgnoreMixture, wildcard.label()));
                }
                Self::All
            }
        }
    }
}
