//! The releases of the tools that the constructs of a module need.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use memchr::{memchr, memmem};

use super::construct::{Construct, ConstructKind};
use super::guards::guarded;
use super::node::{NodeKinds, RuleNode, texts_of_templates, visit_attribute, visit_json};
use super::uses;
use super::view::View;
use super::written::{Add, visit_blocks, visit_file, visit_test};
use crate::body::Block;
use crate::dialect::arguments::modules::{
    ACTION_TRIGGER, CALL, IMPORT, LIFECYCLE, OUTPUT, PROVIDER, REMOVED, VARIABLE,
};
use crate::dialect::{BlockKind, List, Table};
use crate::evaluate::release::{ALWAYS, NEVER, in_};
use crate::evaluate::{KnownFunction, Release, known_function, known_functions};
use crate::module::{Module, backend_releases};
use crate::native::{self, Kind, Native, Operator, UnaryOperator};
use crate::tree::{Tree, TreeModule};

/// The start of the names of functions of providers.
const PREFIX: &str = "provider::";
/// The releases that have namespaces of functions: `provider::…` and `core::…`.
const OF_NAMESPACES: (Release, Release) = (in_(7), in_(8));

/// A function, what only later releases accept of it, whether a call has that, and the releases.
type NewCall = (&'static str, &'static str, fn(&[Native<'_>]) -> bool, (Release, Release));

const CALLS: &[NewCall] = &[
    ("contains", "`contains` of null", is_of_null, (in_(13), in_(16))),
    ("element", "`element` with a negative index", has_negative_index, (in_(10), in_(10))),
    ("cidrsubnets", "`cidrsubnets` with more than 32 new bits", has_many_bits, (in_(13), NEVER)),
];

/// The releases whose `&&` and `||` may decide by one operand, and what older ones refuse.
const OF_ONE_OPERAND: (Release, Release) = (in_(10), in_(12));
const BEHIND_NULL: &str = "use of a null value behind `&&` or `||`";

fn is_of_null(arguments: &[Native<'_>]) -> bool {
    arguments.first().is_some_and(|list| list.is(Kind::Null))
}

fn has_negative_index(arguments: &[Native<'_>]) -> bool {
    let [_, index] = arguments else { return false };
    match index.construct() {
        native::Construct::Unary(UnaryOperator::Negate, number) => number.digits().is_some(),
        _ => false,
    }
}

fn has_many_bits(arguments: &[Native<'_>]) -> bool {
    let bits = arguments.iter().skip(1).filter_map(|it| it.digits()?.parse::<u32>().ok());
    bits.max() > Some(32)
}

/// The constructs that decide which releases of the tools a module needs: for each tool, those of the
/// newest release. Empty if all releases have all of them; a tool that does not have one of them at all
/// has [`Release::Never`].
///
/// Cost: linear in the declarations and native expressions of the module; templates of JSON are parsed
/// if they name such a function.
#[must_use]
pub fn needs<'a>(tree: &Tree<'a>, module: &TreeModule<'a>) -> Needs<'a> {
    let mut needs = Needs::default();
    if let Some(view) = View::new(tree, module) {
        visit(&view, |construct| {
            let newest = |known: &Option<Construct<'a>>, release: fn(&Construct<'a>) -> Release| {
                known.as_ref().is_none_or(|known| release(&construct) > release(known))
                    && release(&construct) != ALWAYS
            };
            if newest(&needs.opentofu, |it| it.opentofu) {
                needs.opentofu = Some(construct);
            }
            if newest(&needs.terraform, |it| it.terraform) {
                needs.terraform = Some(construct);
            }
        });
    }
    needs
}

/// The constructs that decide which releases a module needs; `None` if all releases will do.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Needs<'a> {
    /// That of OpenTofu.
    pub opentofu: Option<Construct<'a>>,
    /// That of Terraform.
    pub terraform: Option<Construct<'a>>,
}

/// Visits the constructs of a module that not all releases of both tools have, except those of tests.
///
/// Cost: linear in the declarations of those kinds, and in native expressions; the templates of a
/// JSON file are parsed if they name such a function.
pub(super) fn visit<'a>(view: &View<'_, 'a>, mut visit: impl FnMut(Construct<'a>)) {
    let module = view.module();
    let mut add = |kind, name: &'a str, label, (opentofu, terraform): (Release, Release)| {
        if (opentofu, terraform) != (ALWAYS, ALWAYS) {
            visit(Construct { kind, name, label, opentofu, terraform });
        }
    };
    of_declarations(module, &mut add);
    for file in view.files_of(List::Override) {
        visit_file(file, module.dialect, &mut add);
    }
    if let Some(backend) = module.backend().filter(|it| it.is("backend"))
        && let Some((releases, name)) =
            backend.label(0).and_then(|it| Some((backend_releases(it)?, it)))
    {
        add(ConstructKind::Backend, name, backend.label_place(0), releases);
    }
    expressions(view, &mut add);
    uses::visit(view, &mut visit);
}

/// Block types and arguments in primary files. Those of override files are not in declarations.
fn of_declarations<'a>(module: &Module<'a>, add: &mut Add<'_, 'a>) {
    let blocks = module
        .moved
        .iter()
        .map(|it| it.block)
        .chain(module.imports.iter().map(|it| it.block))
        .chain(module.removed.iter().map(|it| it.block))
        .chain(module.languages.iter().map(|it| it.block))
        .chain(module.checks.iter().map(|it| it.block))
        .chain(module.actions.iter().map(|it| it.block))
        .chain(module.resources.iter().map(|it| it.block));
    for block in blocks {
        if let Some(kind) = BlockKind::of(block) {
            add(ConstructKind::Block, kind.name(), block.definition_label(), kind.releases());
        }
    }
    let mut add_arguments = |table: &'static Table, block: Block<'a>| {
        for property in block.body().properties() {
            if let Some(releases) = table.releases(property.name()) {
                add(ConstructKind::Argument, property.name(), property.name_label(), releases);
            }
        }
    };
    module.variables.iter().for_each(|it| add_arguments(&VARIABLE, it.block));
    module.outputs.iter().for_each(|it| add_arguments(&OUTPUT, it.block));
    module.providers.iter().for_each(|it| add_arguments(&PROVIDER, it.block));
    module.calls.iter().for_each(|it| add_arguments(&CALL, it.block));
    module.imports.iter().for_each(|it| add_arguments(&IMPORT, it.block));
    module.removed.iter().for_each(|it| add_arguments(&REMOVED, it.block));
    for lifecycle in module.resources.iter().filter_map(|it| it.lifecycle()) {
        add_arguments(&LIFECYCLE, lifecycle.block);
        lifecycle.action_triggers().iter().for_each(|it| add_arguments(&ACTION_TRIGGER, it.block));
    }
    // Their nested blocks have new arguments, too.
    visit_blocks(module.settings.iter().map(|it| it.block).collect(), module.dialect, add);
}

/// Visits the constructs of the tests of a module that not all releases have. Who calls the module runs none
/// of them.
///
/// Cost: linear in their blocks and arguments.
pub(super) fn visit_tests<'a>(view: &View<'_, 'a>, mut visit: impl FnMut(Construct<'a>)) {
    for test in view.tests() {
        visit_test(test.blocks, view.module().dialect, &mut |kind, name, label, releases| {
            let (opentofu, terraform) = releases;
            visit(Construct { kind, name, label, opentofu, terraform });
        });
    }
}

/// The releases that have a function, by the name of a call.
fn releases(name: &str) -> Option<(Release, Release)> {
    if name.starts_with(PREFIX) {
        return Some(OF_NAMESPACES);
    }
    let (name, (opentofu, terraform)) = match name.strip_prefix("core::") {
        Some(name) => (name, OF_NAMESPACES),
        None => (name, (ALWAYS, ALWAYS)),
    };
    let function = known_function(name)?;
    Some((function.in_opentofu().max(opentofu), function.in_terraform().max(terraform)))
}

/// Calls, and operations such as `&&`.
const KINDS: NodeKinds = NodeKinds::CALL.and(NodeKinds::DECISION);

fn expressions<'a>(view: &View<'_, 'a>, add: &mut Add<'_, 'a>) {
    let mut of_node = |node: &RuleNode<'_, 'a>, argument: &str| {
        if let Some(guarded) = guarded(node.native).filter(|_| !fails_anyway(node, argument)) {
            add(ConstructKind::Use, BEHIND_NULL, guarded.label(), OF_ONE_OPERAND);
        }
        let Some((name, span)) = node.native.called_name() else { return };
        if let Some(releases) = releases(name) {
            add(ConstructKind::Function, name, node.label_of(span), releases);
        }
        let mut rows = CALLS.iter().filter(|(function, ..)| *function == name);
        if let Some((_, what, is_new, releases)) = rows.next()
            && let native::Construct::Call(call) = node.native.construct()
            && is_new(&call.arguments)
        {
            add(ConstructKind::Use, what, node.label_of(span), *releases);
        }
    };
    for file in view.files() {
        if let Some(native) = file.as_native() {
            for attribute in native.attributes() {
                visit_attribute(attribute, KINDS, |_, node| of_node(node, attribute.name()));
            }
            continue;
        }
        let bytes = file.source().bytes();
        if texts_of_templates(bytes).any(may_have_new) {
            // Any of them may be a condition.
            visit_json(file, KINDS, |_, node| of_node(node, CONDITION));
        }
    }
}

/// Conditions of validations, checks and the like. A module fails if one of them is false.
const CONDITION: &str = "condition";

/// Whether an operation is a condition, or a part of one, that has to be true: with a null it fails in all
/// releases, only with another error.
fn fails_anyway(node: &RuleNode<'_, '_>, argument: &str) -> bool {
    let is_and = |native: Native<'_>| native.is(Kind::Binary(Operator::And));
    argument == CONDITION && is_and(node.native) && node.parent().is_none_or(is_and)
}

/// Whether a text may have an expression that not all releases have.
fn may_have_new(text: &[u8]) -> bool {
    static NAMES: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let releases = |it: &KnownFunction| (it.in_opentofu(), it.in_terraform());
        let new = known_functions().iter().filter(|it| releases(it) != (ALWAYS, ALWAYS));
        let arguments = CALLS.iter().map(|(name, ..)| *name);
        AhoCorasick::new(new.map(KnownFunction::name).chain([PREFIX, "core::"]).chain(arguments))
            .ok()
    });
    // Most texts call nothing.
    let calls =
        || memchr(b'(', text).is_some() && names.as_ref().is_none_or(|it| it.is_match(text));
    memmem::find(text, b"null").is_some() || calls()
}
