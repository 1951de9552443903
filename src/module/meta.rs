//! Meta-arguments: arguments of several block types that the tools read themselves.

use super::ProviderReference;
use super::read;
use super::rules::Rules;
use crate::body::{Attribute, Block, Parts};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::native::Traversal;

/// The local name of the provider of a type: as an argument says, or the type's name up to the
/// first underscore.
pub(crate) fn provider_name<'a>(
    provider: Option<ProviderReference<'a>>,
    of_type: &'a str,
) -> &'a str {
    match provider {
        Some(provider) => provider.name().local_name,
        None => {
            let end = of_type.bytes().position(|byte| byte == b'_');
            end.map_or(of_type, |end| &of_type[..end])
        }
    }
}

/// Reports more than one of `count`, `for_each` and `enabled` of a `lifecycle`: they exclude each
/// other.
pub(super) fn exclusive<'a>(
    content: &impl Parts<'a>,
    enabled: Option<Attribute<'a>>,
    sink: &mut dyn Sink<'a>,
) {
    let for_each = content.attribute("for_each");
    if for_each.is_none() && enabled.is_none() {
        return;
    }
    let count = content.attribute("count");
    match (count.or(for_each), enabled.or(for_each)) {
        (Some(earlier), Some(later)) if earlier.name() != later.name() => {
            contradict(earlier, later, sink);
        }
        _ => {}
    }
}

#[cold]
fn contradict<'a>(earlier: Attribute<'a>, later: Attribute<'a>, sink: &mut dyn Sink<'a>) {
    sink.report(
        Diagnostic::new(Code::ExclusiveArguments, later.name_label())
            .with_arguments(&[earlier.name(), later.name()])
            .with_related(earlier.name_label(), "set here"),
    );
}

/// The elements of `depends_on`. It cannot name an action in Terraform: the resource that triggers
/// an action determines its order.
pub(super) fn dependencies<'a>(
    list: Expression<'a>,
    rules: Rules,
    sink: &mut dyn Sink<'a>,
) -> &'a [Traversal<'a>] {
    let all = read::traversals(list, sink);
    let is_action = |traversal: &Traversal<'a>| traversal.root_name() == "action";
    if !rules.is_terraform() || !all.iter().any(is_action) {
        return all;
    }
    for action in all.iter().filter(|traversal| is_action(traversal)) {
        sink.report(
            Diagnostic::new(Code::InvalidDependency, action.label())
                .with_arguments(&["it is an action, which runs when a resource triggers it"]),
        );
    }
    let kept: Vec<_> = all.iter().copied().filter(|traversal| !is_action(traversal)).collect();
    list.source().arena().bump().alloc_slice_copy(&kept)
}

/// Reports reserved block types, once per position: several blocks can share the one that names the
/// type.
pub(super) fn reserved<'a>(blocks: impl Iterator<Item = Block<'a>>, sink: &mut dyn Sink<'a>) {
    let mut last = None;
    for nested in blocks {
        if last.replace(nested.type_span()) != Some(nested.type_span()) {
            sink.report(
                Diagnostic::new(Code::ReservedBlock, nested.type_label())
                    .with_arguments(&[nested.block_type()]),
            );
        }
    }
}
