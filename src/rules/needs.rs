//! The releases of the tools that the constructs of a module need.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::node::{NodeKinds, RuleNode, texts_of_templates, visit_json, visit_native};
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
use crate::module::{Module, Reading};
use crate::tree::{Tree, TreeModule};

/// A construct of the language that not all releases have.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Construct<'a> {
    /// Its kind.
    pub kind: ConstructKind,
    /// The type of the block, or the name of the argument or the function.
    pub name: &'a str,
    /// A place where it is used.
    pub label: Label<'a>,
    /// The first release of OpenTofu that has it.
    pub opentofu: Release,
    /// The first release of Terraform that has it.
    pub terraform: Release,
}

/// A kind of construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConstructKind {
    /// A block type.
    Block,
    /// An argument, or a nested block type.
    Argument,
    /// A function.
    Function,
}

impl ConstructKind {
    /// `"block"`, `"argument"` or `"function"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Argument => "argument",
            Self::Function => "function",
        }
    }
}

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
    of_values(module, &mut |name, label, releases| {
        add(ConstructKind::Argument, name, label, releases);
    });
    functions(view, &mut |name, label, releases| {
        add(ConstructKind::Function, name, label, releases);
    });
}

/// The first releases with [`of_values`].
const OF_VALUES: (Release, Release) = (Release::Never, in_(16));

/// Visits constructs of actions that no table of arguments has: events, the name `caller`, and what
/// `terraform_data` keeps for them.
fn of_values<'a>(module: &Module<'a>, add: &mut dyn FnMut(&'a str, Label<'a>, (Release, Release))) {
    for resource in &module.resources {
        if resource.address().resource_type == "terraform_data"
            && let Some(store) = resource.config().properties().find(|it| it.is_named("store"))
        {
            add(store.name(), store.name_label(), OF_VALUES);
        }
        let triggers = resource.lifecycle().map_or(&[][..], |it| it.action_triggers());
        for trigger in triggers {
            let new = trigger.events.iter().find(|it| it.is_of_destroy());
            let events = trigger.block.body().properties().find(|it| it.is_named("events"));
            if let (Some(event), Some(events)) = (new, events) {
                add(event.as_str(), events.name_label(), OF_VALUES);
            }
        }
    }
    if module.actions.is_empty() {
        return;
    }
    module.visit_expressions(|site| {
        if site.iterators.contains(&"caller")
            && let Reading::Template(expression) = site.reading
            && let Some(caller) = expression.variables().find(|it| it.root_name() == "caller")
        {
            add("caller", caller.label(), OF_VALUES);
        }
    });
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
