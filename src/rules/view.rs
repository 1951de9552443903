//! What rules see of a module and of a tree.

use crate::arena::Arena;
use crate::diagnostic::Label;
use crate::dialect::List;
use crate::facts::Interface;
use crate::module::Module;
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::span::Span;
use crate::tree::{Link, Tree, TreeModule};

/// A comment of a native file.
pub(super) struct FileComment<'a> {
    pub(super) source: Source<'a>,
    /// As it is written, without the line feed that ends it.
    pub(super) text: &'a str,
    pub(super) span: Span,
}

/// A module with configuration.
#[derive(Clone, Copy)]
pub(super) struct View<'v, 'a> {
    tree: &'v Tree<'a>,
    in_tree: &'v TreeModule<'a>,
    pub(super) arena: &'a Arena,
}

/// A module that a call leads to.
pub(super) enum Called<'v> {
    /// What callers see of it.
    Known(&'v Interface),
    /// It is not read, or is not whole.
    Unknown,
}

impl<'v, 'a> View<'v, 'a> {
    /// `None` for a module without files.
    pub(super) fn new(tree: &'v Tree<'a>, in_tree: &'v TreeModule<'a>) -> Option<Self> {
        let arena = in_tree.sources.first()?.arena();
        in_tree.files.has_configuration().then_some(Self { tree, in_tree, arena })
    }

    /// What the module declares.
    pub(super) fn module(&self) -> &'v Module<'a> {
        &self.in_tree.module
    }

    /// Whether declarations may be missing, because a file was not read.
    pub(super) fn withholds(&self) -> bool {
        self.in_tree.withholds()
    }

    /// The parsed files of the configuration: primary files, then override files.
    pub(super) fn files(&self) -> impl Iterator<Item = ParsedFile<'a>> + use<'v, 'a> {
        let is_of_module = |list: List| matches!(list, List::Primary | List::Override);
        let files = self.in_tree.configuration.iter();
        files.filter(move |(list, _)| is_of_module(*list)).map(|(_, file)| *file)
    }

    /// The modules that its calls lead to, in the order of the calls, without directories that do not
    /// exist.
    pub(super) fn called(&self) -> impl Iterator<Item = Called<'v>> + use<'v, 'a> {
        let Self { tree, in_tree, .. } = *self;
        let links = in_tree.links.iter().filter(|link| **link != Link::Missing);
        links.map(move |link| match *link {
            Link::Module(place) => {
                let interface = tree.modules().get(place).and_then(TreeModule::interface);
                let whole = interface.filter(|interface| !interface.withholds());
                whole.map_or(Called::Unknown, |interface| Called::Known(interface))
            }
            _ => Called::Unknown,
        })
    }

    /// The name of a file without its directory, and whether it is JSON.
    pub(super) fn file_name(source: Source<'a>) -> (&'a str, bool) {
        let name = source.name();
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        (base, base.ends_with(".json"))
    }

    /// The start of the file of this name in the directory of the module, whether or not there is one.
    pub(super) fn start_of(&self, name: &str) -> Label<'a> {
        let sources = self.in_tree.sources.iter().copied();
        let known = sources.clone().find(|source| Self::file_name(*source).0 == name);
        let source = known.unwrap_or_else(|| {
            let directory = sources
                .map(Source::name)
                .find_map(|path| Some(&path[..path.rfind(['/', '\\'])? + 1]));
            Source::empty(self.arena, &format!("{}{name}", directory.unwrap_or_default()))
        });
        Label::new(source, Span::at(0))
    }

    /// The order of a place in the module: of its file, then of its offset.
    pub(super) fn order(&self, label: Label<'a>) -> (usize, u32) {
        let is_its = |source: &Source<'a>| source.id() == label.source.id();
        let file = self.in_tree.sources.iter().position(is_its);
        (file.unwrap_or(usize::MAX), label.span.start)
    }
}

/// All modules of a tree.
#[derive(Clone, Copy)]
pub(super) struct TreeView<'v, 'a> {
    pub(super) tree: &'v Tree<'a>,
}
