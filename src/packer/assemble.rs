//! From the blocks of files to one template.
//!
//! Files in their order, and every block in the order of its file. Of two declarations of one name the first counts,
//! whichever of `variable` and `variables`, or `local` and `locals`, each stands in.

use std::hash::Hash;

use super::{
    Build, Data, Local, Options, Registry, RequiredPlugin, Settings, Source, Template, Variable,
    assignment,
};
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::{Dialect, List, root_schema};
use crate::document::Document;
use crate::hash::HashMap;
use crate::module::{Declarations, Declared};
use crate::span::Span;

impl<'a> Template<'a> {
    /// Reads the files of a template, in the order in which Packer reads them, each with the list that it is in.
    ///
    /// Cost: the bodies of all blocks are opened one level, those of blocks in builds too, and defaults of variables
    /// are evaluated.
    #[must_use]
    pub fn read(
        files: impl IntoIterator<Item = (List, Document<'a>)>,
        options: &Options,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let mut template = Self::default();
        for (list, document) in files {
            if list == List::Variables {
                template.assignments.extend(assignment::read(document, sink));
                continue;
            }
            let Some(schema) = root_schema(Dialect::Packer, list) else { continue };
            if let Some(builders) = legacy(document) {
                template.legacy.push(document.source());
                sink.report(Diagnostic::new(
                    Code::LegacyTemplate,
                    Label::new(document.source(), builders),
                ));
                continue;
            }
            let content = document.body().content(schema, sink);
            for &block in content.all_blocks() {
                template.declare(block, options, sink);
            }
        }
        template.check_plugins(sink);
        template.check_registries(sink);
        template
    }

    fn declare(&mut self, block: Block<'a>, options: &Options, sink: &mut dyn Sink<'a>) {
        match block.block_type() {
            "packer" => self.settings.push(Settings::read(block, sink)),
            "variable" => self.declare_variable(Variable::read(block, options, sink), sink),
            "variables" => {
                for &entry in block.body().just_attributes(sink) {
                    let variable = Variable::of_entry(entry, options, sink);
                    self.declare_variable(variable, sink);
                }
            }
            "local" => self.declare_local(Local::read(block, sink), sink),
            "locals" => {
                for &entry in block.body().just_attributes(sink) {
                    self.declare_local(Local::of_entry(entry), sink);
                }
            }
            "data" => {
                let data = Data::read(block, sink);
                let place = |data: &Data<'a>| data.block.definition_label();
                first(&mut self.data, data.name, data, "data source", place, sink);
            }
            "source" => {
                let source = Source::read(block);
                let place = |source: &Source<'a>| source.block.definition_label();
                first(&mut self.sources, source.name, source, "source", place, sink);
            }
            "build" => self.builds.push(Build::read(block, sink)),
            "hcp_packer_registry" => match self.registry {
                None => self.registry = Some(Registry::read(block, sink)),
                Some(earlier) => sink.report(
                    Diagnostic::new(Code::DuplicateBlock, block.definition_label())
                        .with_arguments(&["hcp_packer_registry"])
                        .with_related(earlier.block.definition_label(), "first here"),
                ),
            },
            _ => self.others.push(block),
        }
    }

    fn declare_variable(&mut self, variable: Variable<'a>, sink: &mut dyn Sink<'a>) {
        first(&mut self.variables, variable.name, variable, "variable", Variable::name_label, sink);
    }

    fn declare_local(&mut self, local: Local<'a>, sink: &mut dyn Sink<'a>) {
        first(&mut self.locals, local.name, local, "local value", Local::name_label, sink);
    }

    /// Reports plugins that are required twice.
    fn check_plugins(&self, sink: &mut dyn Sink<'a>) {
        let mut names: HashMap<&str, &RequiredPlugin<'a>> = HashMap::default();
        for plugin in self.settings.iter().flat_map(|settings| settings.required_plugins) {
            let place = |it: &RequiredPlugin<'a>| it.attribute.name_label();
            match names.get(plugin.name) {
                Some(earlier) => report("required plugin", place(plugin), place(earlier), sink),
                None => drop(names.insert(plugin.name, plugin)),
            }
        }
    }

    /// Reports registries of builds: all but one, that of the root before others, and the one as deprecated.
    fn check_registries(&self, sink: &mut dyn Sink<'a>) {
        let mut first = self.registry;
        for registry in self.builds.iter().filter_map(|build| build.registry) {
            let block = registry.block;
            let label = block.definition_label();
            sink.report(match first {
                Some(first) => Diagnostic::new(Code::DuplicateBlock, label)
                    .with_arguments(&["hcp_packer_registry"])
                    .with_related(first.block.definition_label(), "first here"),
                None => Diagnostic::new(Code::RegistryDeprecation, label)
                    .with_arguments(&["The registry of a build", "the block at the root"]),
            });
            first.get_or_insert(registry);
        }
    }
}

/// Where a file says that it is in the format before HCL.
fn legacy(document: Document<'_>) -> Option<Span> {
    let root = document.root().as_object()?;
    let builders = root.members().find(|member| member.is_named("builders"))?;
    Some(builders.name_span())
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
        report(kind, place(&item), place(earlier), sink);
    }
}

#[cold]
fn report<'a>(kind: &'static str, later: Label<'a>, earlier: Label<'a>, sink: &mut dyn Sink<'a>) {
    sink.report(
        Diagnostic::new(Code::DuplicateDeclaration, later)
            .with_arguments(&[kind])
            .with_related(earlier, "declared first here"),
    );
}
