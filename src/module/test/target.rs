//! The target of an override: the address in `target`.

use std::fmt;

use crate::body::{Attribute, Block};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::module::address::{Address, wrong};
use crate::module::rules::Rules;
use crate::native::{Key, StepKind, Traversal};
use crate::reference::Mode;

/// The kind of object that a block overrides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Resource,
    Data,
    Module,
}

impl Kind {
    /// The kind for the type of the block; `None` if it is not an override.
    pub(super) fn of(block: Block<'_>) -> Option<Self> {
        match block.block_type() {
            "override_resource" => Some(Self::Resource),
            "override_data" => Some(Self::Data),
            "override_module" => Some(Self::Module),
            _ => None,
        }
    }
}

/// The object that a block overrides.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Target<'a> {
    /// The argument.
    pub attribute: Attribute<'a>,
    /// The address as written.
    pub traversal: Traversal<'a>,
    /// The parsed address.
    pub address: Address<'a>,
}

impl<'a> Target<'a> {
    pub(super) fn read(
        attribute: Attribute<'a>,
        kind: Kind,
        rules: Rules,
        sink: &mut dyn Sink<'a>,
    ) -> Option<Self> {
        let value = attribute.expression();
        let is_pattern = kind != Kind::Module && !rules.is_terraform();
        let traversal = match is_pattern.then(|| value.as_traversal_pattern()).flatten() {
            Some(pattern) => pattern,
            None => value.traversal(sink)?,
        };
        let address = Address::of(keyed(traversal), rules);
        let fits = match (kind, address.as_ref().map(|it| it.resource.map(|it| it.mode))) {
            (Kind::Module, Ok(None)) => true,
            // OpenTofu does not check the kind of the resource.
            (Kind::Resource | Kind::Data, Ok(Some(_))) if !rules.is_terraform() => true,
            (Kind::Resource, Ok(Some(Mode::Managed))) | (Kind::Data, Ok(Some(Mode::Data))) => true,
            (_, Ok(_)) => false,
            (_, Err(_)) => traversal.root_name() != "ephemeral",
        };
        if !fits {
            let wants = match kind {
                Kind::Resource => "managed resources",
                Kind::Data => "data sources",
                Kind::Module => "modules",
            };
            sink.report(
                Diagnostic::new(Code::OverrideTarget, attribute.label()).with_arguments(&[wants]),
            );
            return None;
        }
        let address = match address {
            Ok(address) => address,
            Err(diagnostic) => {
                sink.report(diagnostic);
                return None;
            }
        };
        if kind == Kind::Module && address.has_module_key && !rules.is_terraform() {
            sink.report(wrong(traversal, None, "all instances of a module, without a key"));
            return None;
        }
        Some(Self { attribute, traversal, address })
    }
}

impl fmt::Display for Target<'_> {
    /// Writes the address as written, without a redundant prefix `resource`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.traversal.to_string();
        f.write_str(text.strip_prefix("resource.").unwrap_or(&text))
    }
}

/// Replaces each `[*]` of a traversal, which stands for any key, with a key.
fn keyed(traversal: Traversal<'_>) -> Traversal<'_> {
    let is_splat = |kind| kind == StepKind::Splat;
    if !traversal.steps().iter().any(|step| is_splat(step.kind)) {
        return traversal;
    }
    let mut steps = traversal.steps().to_vec();
    for step in steps.iter_mut().filter(|step| is_splat(step.kind)) {
        step.kind = StepKind::Index(Key::Number("0"));
    }
    let source = traversal.source();
    Traversal::new(source, source.arena().bump().alloc_slice_copy(&steps))
}
