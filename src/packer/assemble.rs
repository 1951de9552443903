//! Assembles one template from the blocks of its files.
//!
//! Files and their blocks keep their order. Of two declarations of one name the first counts,
//! whether they are in `variable` or `variables`, or in `local` or `locals`.

use super::{
    Build, Data, Local, Options, Registry, RequiredPlugin, Settings, Source, Template, Variable,
    assignment,
};
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::{
    BlockKind, Dialect, List, only_beside_modules, only_in_modules, only_in_tests, root_schema,
};
use crate::document::Document;
use crate::hash::HashMap;
use crate::module::block::duplicate_block;
use crate::module::declarations::duplicate;
use crate::parsed::ParsedFile;
use crate::span::Span;

impl<'a> Template<'a> {
    /// Reads the files of a template, in the order in which Packer reads them, each with the list
    /// it belongs to.
    ///
    /// Cost: opens one level of the bodies of all blocks, also of blocks in builds, and evaluates
    /// defaults of variables.
    #[must_use]
    pub fn read(
        files: impl IntoIterator<Item = (List, impl Into<ParsedFile<'a>>)>,
        options: &Options,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let mut template = Self::default();
        for (list, file) in files {
            let file: ParsedFile<'a> = file.into();
            if list == List::Variables {
                template.assignments.extend(assignment::read(file.body(), sink));
                continue;
            }
            let Some(schema) = root_schema(Dialect::Packer, list) else { continue };
            if let Some(builders) = file.as_json().and_then(legacy) {
                template.legacy.push(file.source());
                sink.report(Diagnostic::new(
                    Code::LegacyTemplate,
                    Label::new(file.source(), builders),
                ));
                continue;
            }
            let content = file.body().content(schema, sink);
            for &block in content.all_blocks() {
                template.declare(block, options, sink);
            }
        }
        template.check_plugins(sink);
        template.check_registries(sink);
        template
    }

    fn declare(&mut self, block: Block<'a>, options: &Options, sink: &mut dyn Sink<'a>) {
        let Some(kind) = BlockKind::of(block) else { return };
        match kind {
            BlockKind::Packer => self.settings.push(Settings::read(block, sink)),
            BlockKind::Variable => {
                self.declare_variable(Variable::read(block, options, sink), sink);
            }
            BlockKind::Variables => {
                for &entry in block.body().just_attributes(sink) {
                    let variable = Variable::of_entry(entry, options, sink);
                    self.declare_variable(variable, sink);
                }
            }
            BlockKind::Local => self.declare_local(Local::read(block, sink), sink),
            BlockKind::Locals => {
                for &entry in block.body().just_attributes(sink) {
                    self.declare_local(Local::of_entry(entry), sink);
                }
            }
            BlockKind::Data => {
                let data = Data::read(block, sink);
                self.data.declare_first(
                    data,
                    "data source",
                    |it| it.block.definition_label(),
                    sink,
                );
            }
            BlockKind::Source => {
                let source = Source::read(block);
                let place = |it: &Source<'a>| it.block.definition_label();
                self.sources.declare_first(source, "source", place, sink);
            }
            BlockKind::Build => self.builds.push(Build::read(block, sink)),
            BlockKind::HcpPackerRegistry => match self.registry {
                None => self.registry = Some(Registry::read(block, sink)),
                Some(earlier) => sink.report(duplicate_block(block, earlier.block)),
            },
            BlockKind::Communicator => self.others.push(block),
            only_in_modules!() | only_in_tests!() | only_beside_modules!() => {}
            BlockKind::Provider
            | BlockKind::Output
            | BlockKind::RequiredProviders
            | BlockKind::Removed
            | BlockKind::OverrideResource
            | BlockKind::OverrideData => {}
        }
    }

    fn declare_variable(&mut self, variable: Variable<'a>, sink: &mut dyn Sink<'a>) {
        self.variables.declare_first(variable, "variable", Variable::name_label, sink);
    }

    fn declare_local(&mut self, local: Local<'a>, sink: &mut dyn Sink<'a>) {
        self.locals.declare_first(local, "local value", Local::name_label, sink);
    }

    /// Reports plugins that are required more than once.
    fn check_plugins(&self, sink: &mut dyn Sink<'a>) {
        let mut names: HashMap<&str, &RequiredPlugin<'a>> = HashMap::default();
        for plugin in self.settings.iter().flat_map(|settings| settings.required_plugins) {
            let place = |it: &RequiredPlugin<'a>| it.attribute.name_label();
            match names.get(plugin.name) {
                Some(earlier) => {
                    sink.report(duplicate("required plugin", place(plugin), place(earlier)));
                }
                None => drop(names.insert(plugin.name, plugin)),
            }
        }
    }

    /// Reports registries of builds: as a duplicate if there is an earlier one, or one at the root,
    /// and as deprecated otherwise.
    fn check_registries(&self, sink: &mut dyn Sink<'a>) {
        let mut first = self.registry;
        for registry in self.builds.iter().filter_map(|build| build.registry) {
            let block = registry.block;
            sink.report(match first {
                Some(first) => duplicate_block(block, first.block),
                None => Diagnostic::new(Code::RegistryDeprecation, block.definition_label())
                    .with_arguments(&["The registry of a build", "the block at the root"]),
            });
            first.get_or_insert(registry);
        }
    }
}

/// The member that shows that a file has the format before HCL.
fn legacy(document: Document<'_>) -> Option<Span> {
    let root = document.root().as_object()?;
    let builders = root.members().find(|member| member.is_named("builders"))?;
    Some(builders.name_span())
}
