//! From the blocks of files to one module.
//!
//! Primary files first, then override files, each in the order of their names and every block in the order of
//! its file. A primary block declares an object; a second of the same name is a duplicate, and cites the first.
//! Which of the two counts is the tools' choice, and differs by kind:
//!
//! | kind | counts |
//! |---|---|
//! | variable, local value, output, module call | the last |
//! | provider configuration, resource, data source, ephemeral resource, action, check | the first |

use std::hash::Hash;

use super::declarations::{Declarations, Declared};
use super::once;
use super::provider_reference::check_instances;
use super::rules::Rules;
use super::{
    Action, Check, Import, Language, Local, Module, ModuleCall, Moved, Output, Provider, Removed,
    Resource, Settings, Variable, refactor,
};
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::{Dialect, List, root_schema};
use crate::document::Document;
use crate::reference::{Mode, ResourceName};

impl<'a> Module<'a> {
    /// Reads the files of a module. `files` are in the order in which the tools read them, each with the list
    /// that it is in; tests and files of variables are passed over. `withholds` says that the module has files
    /// in native syntax, too: what rests on the absence of something is not reported then.
    ///
    /// Cost: the bodies of all blocks are opened one level, those of `lifecycle` and `provisioner` blocks too.
    #[must_use]
    pub fn read(
        dialect: Dialect,
        files: impl IntoIterator<Item = (List, Document<'a>)>,
        withholds: bool,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let mut module = Self { dialect, ..Self::default() };
        let mut overrides = Vec::new();
        for (list, document) in files {
            let Some(schema) = root_schema(dialect, list) else { continue };
            if !matches!(list, List::Primary | List::Override) {
                continue;
            }
            let mut checks = Vec::new();
            document.body().visit_blocks(schema, sink, |block, sink| match list {
                List::Primary => module.declare(block, &mut checks, sink),
                _ => overrides.push(block),
            });
            // The data sources of checks come behind all others of their file.
            for block in checks {
                module.declare_check(block, sink);
            }
        }
        for block in overrides {
            module.merge(block, withholds, sink);
        }
        refactor::check_imports(&module.imports, sink);
        refactor::check_import_targets(&module, withholds, sink);
        for call in &module.calls {
            call.check_source(sink);
        }
        once::check(&module, sink);
        if dialect == Dialect::OpenTofu {
            check_instances(&module, withholds, sink);
        }
        module
    }

    /// Declares what a block of a primary file declares. Checks are kept for the end of the file.
    fn declare(&mut self, block: Block<'a>, checks: &mut Vec<Block<'a>>, sink: &mut dyn Sink<'a>) {
        match block.type_bytes() {
            b"variable" => {
                let variable = Variable::read(block, Rules::primary(self.dialect), sink);
                let place = |variable: &Variable<'a>| variable.block.definition_label();
                let kind = "variable";
                last(&mut self.variables, variable.name, variable, kind, place, sink);
            }
            b"output" => {
                let output = Output::read(block, Rules::primary(self.dialect), sink);
                let place = |output: &Output<'a>| output.block.definition_label();
                last(&mut self.outputs, output.name, output, "output", place, sink);
            }
            b"locals" => {
                let mut read = Vec::new();
                Local::read_all(block, sink, |local| read.push(local));
                for local in read {
                    let place = |local: &Local<'a>| local.attribute.label();
                    last(&mut self.locals, local.name, local, "local value", place, sink);
                }
            }
            b"module" => {
                let call = ModuleCall::read(block, Rules::primary(self.dialect), sink);
                let place = |call: &ModuleCall<'a>| call.block.definition_label();
                last(&mut self.calls, call.name, call, "module call", place, sink);
            }
            b"provider" => {
                let provider = Provider::read(block, Rules::primary(self.dialect), sink);
                let place = |provider: &Provider<'a>| provider.block.definition_label();
                let key = (provider.name, provider.alias);
                first(&mut self.providers, key, provider, "provider configuration", place, sink);
            }
            b"resource" => self.declare_resource(block, Mode::Managed, sink),
            b"data" => self.declare_resource(block, Mode::Data, sink),
            b"ephemeral" => self.declare_resource(block, Mode::Ephemeral, sink),
            b"action" => {
                if let Some(action) = Action::read(block, Rules::primary(self.dialect), sink) {
                    let place = |action: &Action<'a>| action.block.definition_label();
                    first(&mut self.actions, action.address, action, "action", place, sink);
                }
            }
            b"check" => checks.push(block),
            b"moved" => self.moved.push(Moved::read(block, Rules::primary(self.dialect), sink)),
            b"removed" => {
                self.removed.push(Removed::read(block, Rules::primary(self.dialect), sink))
            }
            b"import" => self.imports.push(Import::read(block, Rules::primary(self.dialect), sink)),
            b"terraform" => {
                self.settings.push(Settings::read(block, Rules::primary(self.dialect), sink));
            }
            b"language" => self.languages.push(Language::read(block, sink)),
            _ => misplaced(block, sink),
        }
    }

    fn declare_resource(&mut self, block: Block<'a>, mode: Mode, sink: &mut dyn Sink<'a>) {
        let resource = Resource::read(block, mode, Rules::primary(self.dialect), sink);
        let place = |resource: &Resource<'a>| resource.block.definition_label();
        let kind = match mode {
            Mode::Managed => "resource",
            Mode::Data => "data source",
            Mode::Ephemeral => "ephemeral resource",
        };
        if let Some(check) = self.scoped_by(resource.address) {
            let earlier = check.data.map_or(check.block, |data| data.block);
            sink.report(duplicate(kind, block.definition_label(), earlier.definition_label()));
            return;
        }
        first(&mut self.resources, resource.address, resource, kind, place, sink);
    }
}

impl<'a> Module<'a> {
    /// Declares a check, and its data source among those of the module. If there is one of its address, the check
    /// does not count either.
    fn declare_check(&mut self, block: Block<'a>, sink: &mut dyn Sink<'a>) {
        let check = Check::read(block, Rules::primary(self.dialect), sink);
        if let Some(data) = check.data {
            let earlier = match self.resources.get(data.address) {
                Some(resource) => Some(resource.block),
                None => self.scoped_by(data.address).and_then(|it| it.data).map(|it| it.block),
            };
            if let Some(earlier) = earlier {
                let later = data.block.definition_label();
                sink.report(duplicate("data source", later, earlier.definition_label()));
                return;
            }
        }
        let place = |check: &Check<'a>| check.block.definition_label();
        if self.checks.get(check.name).is_none()
            && let Some(data) = check.data
        {
            self.scoped.insert(data.address, check.name);
        }
        first(&mut self.checks, check.name, check, "check", place, sink);
    }

    /// The check that the data source of an address belongs to.
    pub(super) fn scoped_by(&self, address: ResourceName<'a>) -> Option<&Check<'a>> {
        if self.scoped.is_empty() {
            return None;
        }
        self.checks.get(self.scoped.get(&address)?)
    }
}

/// Declares an object of which the last declaration counts.
fn last<'a, K: Copy + Eq + Hash, T: Declared<K>>(
    declarations: &mut Declarations<K, T>,
    key: K,
    item: T,
    kind: &'static str,
    place: impl Fn(&T) -> Label<'a>,
    sink: &mut dyn Sink<'a>,
) {
    if let Err((earlier, item)) = declarations.declare(key, item) {
        sink.report(duplicate(kind, place(&item), place(earlier)));
        *earlier = item;
    }
}

/// Declares an object of which the first declaration counts.
fn first<'a, K: Copy + Eq + Hash, T: Declared<K>>(
    declarations: &mut Declarations<K, T>,
    key: K,
    item: T,
    kind: &'static str,
    place: impl Fn(&T) -> Label<'a>,
    sink: &mut dyn Sink<'a>,
) {
    if let Err((earlier, item)) = declarations.declare(key, item) {
        sink.report(duplicate(kind, place(&item), place(earlier)));
    }
}

/// `required_providers`, the one type that the root knows only to be told where it belongs.
#[cold]
pub(super) fn misplaced<'a>(block: Block<'a>, sink: &mut dyn Sink<'a>) {
    sink.report(Diagnostic::new(Code::MisplacedRequirements, block.type_label()));
}

#[cold]
fn duplicate<'a>(kind: &'static str, later: Label<'a>, earlier: Label<'a>) -> Diagnostic<'a> {
    Diagnostic::new(Code::DuplicateDeclaration, later)
        .with_arguments(&[kind])
        .with_related(earlier, "declared first here")
}
