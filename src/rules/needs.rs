//! The releases of the tools that the constructs of a module need.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::construct::{Construct, ConstructKind};
use super::node::{NodeKinds, RuleNode, texts_of_templates, visit_json, visit_native};
use super::uses;
use super::view::View;
use crate::body::Block;
use crate::diagnostic::Label;
use crate::dialect::BlockKind;
use crate::dialect::arguments::modules::{
    ACTION_TRIGGER, CALL, IMPORT, LIFECYCLE, OUTPUT, PROVIDER, REMOVED, TERRAFORM, VARIABLE,
};
use crate::dialect::table::Table;
use crate::evaluate::release::{ALWAYS, in_};
use crate::evaluate::{KnownFunction, Release, known_function, known_functions};
use crate::module::backend_releases;
use crate::tree::{Tree, TreeModule};

/// The start of the names of functions of providers, and the releases that have these.
const PREFIX: &str = "provider::";
const OF_PROVIDERS: (Release, Release) = (in_(7), in_(8));

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
    module.settings.iter().for_each(|it| add_arguments(&TERRAFORM, it.block));
    for lifecycle in module.resources.iter().filter_map(|it| it.lifecycle()) {
        add_arguments(&LIFECYCLE, lifecycle.block);
        lifecycle.action_triggers().iter().for_each(|it| add_arguments(&ACTION_TRIGGER, it.block));
    }
    if let Some(backend) = module.backend().filter(|it| it.is("backend"))
        && let Some((releases, name)) =
            backend.label(0).and_then(|it| Some((backend_releases(it)?, it)))
    {
        add(ConstructKind::Backend, name, backend.label_place(0), releases);
    }
    functions(view, &mut |name, label, releases| {
        add(ConstructKind::Function, name, label, releases);
    });
    uses::visit(view, &mut visit);
}

/// The releases that have a function, by the name of a call.
fn releases(name: &str) -> Option<(Release, Release)> {
    if name.starts_with(PREFIX) {
        return Some(OF_PROVIDERS);
    }
    let function = known_function(name.strip_prefix("core::").unwrap_or(name))?;
    Some((function.in_opentofu(), function.in_terraform()))
}

fn functions<'a>(view: &View<'_, 'a>, add: &mut dyn FnMut(&'a str, Label<'a>, (Release, Release))) {
    let mut of_node = |node: &RuleNode<'_, 'a>| {
        if let Some((name, span)) = node.native.called_name()
            && let Some(releases) = releases(name)
        {
            add(name, node.label_of(span), releases);
        }
    };
    for file in view.files() {
        if file.as_native().is_some() {
            visit_native(file, NodeKinds::CALL, |_, node| of_node(node));
            continue;
        }
        let bytes = file.source().bytes();
        if texts_of_templates(bytes).any(may_have_new) {
            visit_json(file, NodeKinds::CALL, |_, node| of_node(node));
        }
    }
}

/// Whether a text has the name of a function that not all releases have, or of one of a provider.
fn may_have_new(text: &[u8]) -> bool {
    static NAMES: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let releases = |it: &KnownFunction| (it.in_opentofu(), it.in_terraform());
        let new = known_functions().iter().filter(|it| releases(it) != (ALWAYS, ALWAYS));
        AhoCorasick::new(new.map(KnownFunction::name).chain([PREFIX])).ok()
    });
    names.as_ref().is_none_or(|names| names.is_match(text))
}
