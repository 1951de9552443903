//! Assembles the blocks of files into one module.
//!
//! Primary files come first, then override files, each sorted by name; the blocks of a file keep
//! their order. A block of a primary file declares an object. A second one of the same name is
//! reported as a duplicate, with a label at the first. Which of them counts depends on the kind of
//! object, as in the tools:
//!
//! | kind | counts |
//! |---|---|
//! | variable, local value, output, module call | the last |
//! | provider configuration, resource, data source, ephemeral resource, action, check | the first |

use std::cell::RefCell;

use super::batch::Batch;
use super::computed::Computed;
use super::declarations::duplicate;
use super::encryption_check;
use super::once;
use super::overrides::Overrides;
use super::provider_instances::check_instances;
use super::rules::Rules;
use super::settings::misplaced;
use super::{
    Action, Check, Import, Language, Local, Module, ModuleCall, Moved, Output, Provider, Removed,
    Resource, Settings, Variable, refactor, resource,
};
use crate::body::{Block, Body};
use crate::diagnostic::Sink;
use crate::dialect::{
    BlockKind, Dialect, List, only_beside_modules, only_in_packer, only_in_tests, root_schema,
};
use crate::reference::{Mode, ResourceName};

impl<'a> Module<'a> {
    /// Reads the files of a module. `files` are in the order in which the tools read them, each
    /// with the list it belongs to; tests and files of variables are skipped. `withholds` means
    /// that some files could not be read: errors that their content could refute are not reported
    /// then.
    ///
    /// Cost: the bodies of all blocks are opened one level, those of `lifecycle` and `provisioner`
    /// blocks too.
    #[must_use]
    pub fn read(
        dialect: Dialect,
        files: impl IntoIterator<Item = (List, impl Into<Body<'a>>)>,
        withholds: bool,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let mut module = Self { dialect, ..Self::default() };
        let mut declared = 0;
        let mut overrides = Vec::new();
        for (list, body) in files {
            let Some(schema) = root_schema(dialect, list) else { continue };
            if !matches!(list, List::Primary | List::Override | List::Query) {
                continue;
            }
            let mut checks = Vec::new();
            let waiting = RefCell::new(Batch::default());
            let mut hold = |diagnostic| waiting.borrow_mut().hold(diagnostic);
            body.into().visit_blocks(schema, &mut hold, |block, _| {
                let waiting = &mut waiting.borrow_mut();
                match list {
                    List::Override => overrides.push(block),
                    _ => declared += module.declare(block, waiting, &mut checks, sink),
                }
            });
            module.declare_resources(&mut waiting.borrow_mut(), sink);
            // The data sources of checks come after all others of their file.
            for block in checks {
                module.declare_check(block, sink);
            }
        }
        module.has_ineffective = !overrides.is_empty()
            || declared != module.named_objects()
            || module.has_several_settings();
        let mut collected = Overrides::default();
        for block in overrides {
            module.merge(block, &mut collected, withholds, sink);
        }
        collected.apply(&mut module);
        module.merged_encryption = module.merge_encryption();
        if let Some(encryption) = &module.merged_encryption
            && !withholds
        {
            encryption_check::check(encryption, sink);
        }
        for part in module.settings_parts() {
            if let Err((earlier, later)) = module.parts.declare(part.setting, part) {
                *earlier = later;
            }
        }
        module.shrink();
        refactor::check_imports(&module.imports, sink);
        refactor::check_import_targets(&module, withholds, sink);
        let (computed, of_defaults) = (Computed::new(withholds), Computed::of_defaults(withholds));
        let computed = (&computed, &of_defaults);
        let evaluated: Vec<_> =
            module.calls.iter().map(|call| call.check_source(&module, computed, sink)).collect();
        for (place, evaluated) in (0..).zip(evaluated) {
            if let Some(call) = module.calls.at_mut(place) {
                call.evaluated = evaluated;
            }
        }
        once::check(&module, sink);
        if dialect == Dialect::OpenTofu {
            check_instances(&module, withholds, sink);
        }
        module
    }

    /// The number of objects that have names.
    fn named_objects(&self) -> usize {
        self.variables.len()
            + self.locals.len()
            + self.outputs.len()
            + self.providers.len()
            + self.resources.len()
            + self.calls.len()
            + self.actions.len()
            + self.checks.len()
    }

    /// Whether a setting that counts once is written several times.
    fn has_several_settings(&self) -> bool {
        let of_type = |names: &[&'static str]| {
            let blocks = self.settings.iter().flat_map(|settings| settings.blocks);
            blocks.filter(|block| names.iter().any(|name| block.is(name))).count()
        };
        of_type(&["backend", "cloud"]) > 1
            || of_type(&["state_store"]) > 1
            || of_type(&["encryption"]) > 1
            || of_type(&["required_providers", "provider_meta"]) > 1
    }

    /// Frees the room for further objects of the kinds that have many.
    fn shrink(&mut self) {
        self.variables.shrink();
        self.locals.shrink();
        self.outputs.shrink();
        self.resources.shrink();
        self.calls.shrink();
    }

    /// Declares the object of a block of a primary file. `waiting` collects resources, which are
    /// declared before any other block that follows, and `checks` the checks until the end of the
    /// file. Returns the number of names that the block declares.
    fn declare(
        &mut self,
        block: Block<'a>,
        waiting: &mut Batch<'a>,
        checks: &mut Vec<Block<'a>>,
        sink: &mut dyn Sink<'a>,
    ) -> usize {
        let rules = Rules::primary(self.dialect);
        let Some(kind) = BlockKind::of(block) else { return 0 };
        let mode = match kind {
            BlockKind::Resource => Some(Mode::Managed),
            BlockKind::Data => Some(Mode::Data),
            BlockKind::Ephemeral => Some(Mode::Ephemeral),
            BlockKind::List => Some(Mode::List),
            _ => None,
        };
        if let Some(mode) = mode {
            self.has_queries |= mode == Mode::List;
            if waiting.push(block, mode) {
                self.declare_resources(waiting, sink);
            }
            return 1;
        }
        self.declare_resources(waiting, sink);
        match kind {
            BlockKind::Variable => {
                let variable = Variable::read(block, rules, sink);
                self.variables.declare_last(
                    variable,
                    "variable",
                    |it| it.block.definition_label(),
                    sink,
                );
            }
            BlockKind::Output => {
                let output = Output::read(block, rules, sink);
                self.outputs.declare_last(output, "output", |it| it.block.definition_label(), sink);
            }
            BlockKind::Locals => {
                let mut read = Vec::new();
                Local::read_all(block, sink, |local| read.push(local));
                let names = read.len();
                for local in read {
                    let place = |local: &Local<'a>| local.attribute.label();
                    self.locals.declare_last(local, "local value", place, sink);
                }
                return names;
            }
            BlockKind::Module => {
                let call = ModuleCall::read(block, rules, sink);
                self.calls.declare_last(
                    call,
                    "module call",
                    |it| it.block.definition_label(),
                    sink,
                );
            }
            BlockKind::Provider => {
                let provider = Provider::read(block, rules, sink);
                let kind = "provider configuration";
                self.providers.declare_first(
                    provider,
                    kind,
                    |it| it.block.definition_label(),
                    sink,
                );
            }
            BlockKind::Action => {
                if let Some(action) = Action::read(block, rules, sink) {
                    self.actions.declare_first(
                        action,
                        "action",
                        |it| it.block.definition_label(),
                        sink,
                    );
                }
            }
            BlockKind::Check => checks.push(block),
            _ => {
                self.declare_unnamed(kind, block, sink);
                return 0;
            }
        }
        1
    }

    /// Adds a block of a primary file that declares no name.
    fn declare_unnamed(&mut self, kind: BlockKind, block: Block<'a>, sink: &mut dyn Sink<'a>) {
        let rules = Rules::primary(self.dialect);
        match kind {
            BlockKind::Moved => self.moved.push(Moved::read(block, rules, sink)),
            BlockKind::Removed => self.removed.push(Removed::read(block, rules, sink)),
            BlockKind::Import => self.imports.push(Import::read(block, rules, sink)),
            BlockKind::Terraform => self.settings.push(Settings::read(block, rules, sink)),
            BlockKind::Language => self.languages.push(Language::read(block, sink)),
            BlockKind::RequiredProviders => misplaced(block, sink),
            only_in_tests!() | only_in_packer!() | only_beside_modules!() => {}
            BlockKind::Variables | BlockKind::OverrideResource | BlockKind::OverrideData => {}
            // They declare a name.
            BlockKind::Variable
            | BlockKind::Output
            | BlockKind::Locals
            | BlockKind::Module
            | BlockKind::Provider
            | BlockKind::Resource
            | BlockKind::Data
            | BlockKind::Ephemeral
            | BlockKind::Action
            | BlockKind::Check => {}
        }
    }

    /// Reads and declares the resources that wait.
    fn declare_resources(&mut self, waiting: &mut Batch<'a>, sink: &mut dyn Sink<'a>) {
        let rules = Rules::primary(self.dialect);
        waiting.read(rules, sink, |resource, sink| self.declare_resource(resource, sink));
    }

    fn declare_resource(&mut self, resource: Resource<'a>, sink: &mut dyn Sink<'a>) {
        let kind = resource::kind(resource.mode);
        let place = |resource: &Resource<'a>| resource.block.definition_label();
        if let Some(check) = self.scoped_by(resource.address()) {
            let earlier = check.data.map_or(check.block, |data| data.block);
            sink.report(duplicate(kind, place(&resource), earlier.definition_label()));
            return;
        }
        let again = self.resources.declare_first(resource, kind, place, sink);
        self.redeclared.extend(again);
    }
}

impl<'a> Module<'a> {
    /// Declares a check, and its data source among those of the module. If the address of the data
    /// source is taken, the check does not count either.
    fn declare_check(&mut self, block: Block<'a>, sink: &mut dyn Sink<'a>) {
        let check = Check::read(block, Rules::primary(self.dialect), sink);
        if let Some(data) = check.data {
            let earlier = match self.resources.get(data.address()) {
                Some(resource) => Some(resource.block),
                None => self.scoped_by(data.address()).and_then(|it| it.data).map(|it| it.block),
            };
            if let Some(earlier) = earlier {
                sink.report(duplicate(
                    "data source",
                    data.block.definition_label(),
                    earlier.definition_label(),
                ));
                return;
            }
        }
        if self.checks.get(check.name).is_none()
            && let Some(data) = check.data
        {
            self.scoped.insert(data.address(), check.name);
        }
        self.checks.declare_first(check, "check", |it| it.block.definition_label(), sink);
    }

    /// The name of the check that the data source of an address belongs to.
    pub(crate) fn scoping_check(&self, address: ResourceName<'a>) -> Option<&'a str> {
        self.scoped.get(&address).copied()
    }

    /// The check that the data source of an address belongs to.
    pub(super) fn scoped_by(&self, address: ResourceName<'a>) -> Option<&Check<'a>> {
        if self.scoped.is_empty() {
            return None;
        }
        self.checks.get(self.scoped.get(&address)?)
    }
}
