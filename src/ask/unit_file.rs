//! A file of Terragrunt that is asked about, and the files that its names lead to.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::expressions::contains;
use super::quotes::unquoted;
use super::unit_names::{self, Name, Place};
use crate::body::Block;
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::span::Span;
use crate::terragrunt::UnitLinks;

/// A file of Terragrunt that is asked about, and what its names lead to.
#[derive(Debug)]
pub(super) struct UnitFile<'a> {
    pub(super) file: ParsedFile<'a>,
    pub(super) places: Vec<Place>,
    pub(super) links: UnitLinks,
    /// The included files, by label.
    pub(super) included: BTreeMap<String, ParsedFile<'a>>,
    /// The file that gives values.
    pub(super) values: Option<ParsedFile<'a>>,
    /// The modules of the tree, by their folders.
    pub(super) modules: BTreeMap<PathBuf, usize>,
}

impl<'a> UnitFile<'a> {
    pub(super) fn at(&self, offset: u32) -> Option<&Place> {
        self.places.iter().find(|place| contains(place.span, offset))
    }

    pub(super) fn module(&self) -> Option<usize> {
        self.modules.get(self.links.module.as_ref()?).copied()
    }

    pub(super) fn module_of(&self, dependency: &str) -> Option<usize> {
        let link = self.links.dependencies.get(dependency)?;
        self.modules.get(link.module.as_ref()?).copied()
    }

    /// Where a name is declared in files of Terragrunt: the file, and the bytes.
    pub(super) fn declared(&self, name: &Name) -> Vec<(Source<'a>, Span)> {
        let in_file = |file: ParsedFile<'a>, spans: &mut dyn Iterator<Item = Span>| {
            spans.map(|span| (file.source(), span)).collect()
        };
        let included = |label: &String| self.included.get(label).copied();
        match name {
            Name::Local(_) | Name::Block(..) => {
                let declared = self.places.iter().filter(|it| it.is_declaration);
                let mut spans = declared.filter(|it| it.name == *name).map(|it| it.span);
                in_file(self.file, &mut spans)
            }
            Name::IncludedLocal(label, local) => {
                let Some(file) = included(label) else { return Vec::new() };
                let locals = unit_names::locals(file).filter(|it| it.is_named(local));
                in_file(file, &mut locals.map(|it| it.name_span()))
            }
            Name::IncludedInput(label, input) => {
                let Some(file) = included(label) else { return Vec::new() };
                let wanted = Name::Input(input.clone());
                let inputs = unit_names::places(file).into_iter().filter(|it| it.name == wanted);
                in_file(file, &mut inputs.map(|it| it.span))
            }
            Name::Value(name) => {
                let Some(file) = self.values else { return Vec::new() };
                let values = file.body().properties().filter(|it| it.is_named(name));
                in_file(file, &mut values.map(|it| it.name_span()))
            }
            Name::Input(_) | Name::Output(..) => Vec::new(),
        }
    }

    /// The blocks of a type with the bytes of an argument that is a text, without quotes.
    pub(super) fn texts(&self, block_type: &str, argument: &str) -> Vec<(Block<'a>, Span)> {
        let blocks = self.file.body().properties().filter_map(|it| it.as_block());
        let blocks = blocks.filter(|block| block.is(block_type));
        let found = blocks.filter_map(|block| {
            let mut properties = block.body().properties();
            let argument = properties.find(|it| it.is_named(argument))?;
            let span = argument.expression().span();
            Some((block, unquoted(span, self.file.source().bytes())))
        });
        found.collect()
    }
}
