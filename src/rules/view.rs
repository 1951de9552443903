//! Views of a module and of a tree, which rules read.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::required::{Required, by_callers, of_module};
use crate::arena::Arena;
use crate::diagnostic::Label;
use crate::dialect::List;
use crate::facts::Interface;
use crate::hash::HashMap;
use crate::module::test::TestFile;
use crate::module::{Module, ModuleCall};
use crate::parsed::ParsedFile;
use crate::reference::Subject;
use crate::source::Source;
use crate::span::Span;
use crate::stacks::Kind;
use crate::tree::{Link, Origin, PlaceByDirectory, Tree, TreeModule, local_path};

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
    /// The index of the module in the tree, and what is known of all modules.
    among: Option<(usize, &'v Shared<'a>)>,
}

/// Facts about all modules of a tree, computed when they are first needed.
#[derive(Debug, Default)]
pub(super) struct Shared<'a> {
    required: OnceLock<Vec<Vec<Required<'a>>>>,
}

/// A module that a call leads to.
pub(super) enum Called<'v> {
    /// The declarations that callers see.
    Known(&'v Interface),
    /// A directory that does not exist.
    Missing,
    /// It is not read, or is not whole.
    Unknown,
}

impl<'v, 'a> View<'v, 'a> {
    /// `None` for a module without files.
    pub(super) fn new(tree: &'v Tree<'a>, in_tree: &'v TreeModule<'a>) -> Option<Self> {
        let arena = in_tree.sources.first()?.arena();
        in_tree.files.has_configuration().then_some(Self { tree, in_tree, arena, among: None })
    }

    /// Lets rules ask about the callers of the module, which has this index in the tree.
    pub(super) fn among(self, place: usize, shared: &'v Shared<'a>) -> Self {
        Self { among: Some((place, shared)), ..self }
    }

    /// The versions of the tools that the modules which call it require together.
    fn required_by_callers(&self) -> &'v [Required<'a>] {
        let Some((place, shared)) = self.among else { return &[] };
        let all = shared.required.get_or_init(|| by_callers(self.tree));
        all.get(place).map_or(&[], Vec::as_slice)
    }

    /// The versions of the tools that the module requires, or, if it requires none itself, the modules that call
    /// it.
    pub(super) fn required(&self) -> Cow<'v, [Required<'a>]> {
        let own = of_module(self.module(), self.arena);
        match own.is_empty() {
            true => Cow::Borrowed(self.required_by_callers()),
            false => Cow::Owned(own),
        }
    }

    /// The declarations of the module.
    pub(super) fn module(&self) -> &'v Module<'a> {
        &self.in_tree.module
    }

    /// Whether a module of the tree calls it.
    pub(super) fn is_called(&self) -> bool {
        self.in_tree.is_called
    }

    /// Whether declarations may be missing, because a file was not read.
    pub(super) fn withholds(&self) -> bool {
        self.in_tree.withholds()
    }

    /// Whether references may be missing, because a file or an expression was not read.
    pub(super) fn is_broken(&self) -> bool {
        self.withholds() || self.in_tree.broken().is_some()
    }

    /// The parsed files of the configuration: primary files, then override files.
    pub(super) fn files(&self) -> impl Iterator<Item = ParsedFile<'a>> + use<'v, 'a> {
        let files = self.in_tree.configuration.iter();
        files.filter(|(list, _)| list.declares()).map(|(_, file)| *file)
    }

    /// The parsed files of a list: primary files or override files.
    pub(super) fn files_of(
        &self,
        list: List,
    ) -> impl Iterator<Item = ParsedFile<'a>> + use<'v, 'a> {
        let files = self.in_tree.configuration.iter();
        files.filter(move |(of, _)| *of == list).map(|(_, file)| *file)
    }

    /// Its test files.
    pub(super) fn tests(&self) -> &'v [TestFile<'a>] {
        &self.in_tree.tests
    }

    /// The modules that its calls lead to, one for each call, in order.
    pub(super) fn called(&self) -> impl Iterator<Item = Called<'v>> + use<'v, 'a> {
        let Self { tree, in_tree, .. } = *self;
        in_tree.links.iter().map(move |link| match *link {
            Link::Module(place) => {
                let interface = tree.modules().get(place).and_then(TreeModule::interface);
                let whole = interface.filter(|interface| !interface.withholds());
                whole.map_or(Called::Unknown, |interface| Called::Known(interface))
            }
            Link::Missing => Called::Missing,
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

    /// The indexes of its files among all, by the number of the source.
    pub(super) fn order(&self) -> HashMap<u32, usize> {
        let sources = self.in_tree.sources.iter().enumerate();
        sources.map(|(place, source)| (source.id(), place)).collect()
    }
}

/// All modules of a tree, as far as one may see of another: interfaces, calls, and the places that
/// findings point to.
#[derive(Clone, Copy)]
pub(super) struct TreeView<'v, 'a> {
    tree: &'v Tree<'a>,
}

/// A module of a tree.
#[derive(Clone, Copy)]
pub(super) struct InTree<'v, 'a> {
    pub(super) place: usize,
    module: &'v TreeModule<'a>,
}

/// A call of one module of a tree by another.
#[derive(Clone, Copy)]
pub(super) struct TreeCall<'v, 'a> {
    pub(super) caller: InTree<'v, 'a>,
    pub(super) call: &'v ModuleCall<'a>,
    /// The index of the called module; `None` if it is not in the tree.
    pub(super) called: Option<usize>,
}

impl<'v, 'a> TreeView<'v, 'a> {
    pub(super) fn new(tree: &'v Tree<'a>) -> Self {
        Self { tree }
    }

    /// The modules, the given ones first.
    pub(super) fn modules(&self) -> impl Iterator<Item = InTree<'v, 'a>> + use<'v, 'a> {
        let modules = self.tree.modules().iter().enumerate();
        modules.map(|(place, module)| InTree { place, module })
    }

    /// The number of modules.
    pub(super) fn len(&self) -> usize {
        self.tree.modules().len()
    }

    /// All calls, by caller.
    pub(super) fn calls(&self) -> impl Iterator<Item = TreeCall<'v, 'a>> + use<'v, 'a> {
        let view = *self;
        self.modules().flat_map(move |caller| view.calls_of(caller))
    }

    /// The calls by one module.
    pub(super) fn calls_of(
        &self,
        caller: InTree<'v, 'a>,
    ) -> impl Iterator<Item = TreeCall<'v, 'a>> + use<'v, 'a> {
        let calls = caller.module.module.calls.iter().zip(&caller.module.links);
        calls.map(move |(call, link)| {
            let called = match *link {
                Link::Module(place) => Some(place),
                _ => None,
            };
            TreeCall { caller, call, called }
        })
    }

    /// For each module, whether something other than a call of a module runs it: a run of a test, or a
    /// component of a stack. These set variables and read outputs, too.
    ///
    /// Cost: linear in the runs of tests and the objects of stacks.
    pub(super) fn is_run(&self) -> Vec<bool> {
        let mut is_run = vec![false; self.len()];
        let mut places: Option<PlaceByDirectory> = None;
        for module in self.tree.modules() {
            for link in module.run_links.iter().flatten().flatten() {
                if let Link::Module(place) = *link {
                    is_run[place] = true;
                }
            }
            for object in module.stack.iter().flat_map(|stack| &stack.objects) {
                let source = (object.kind == Kind::Component)
                    .then(|| object.argument("source")?.expression().to_str())
                    .flatten();
                let directory = source.and_then(|it| local_path(&module.files.directory(), it));
                let Some(directory) = directory else { continue };
                let places = places.get_or_insert_with(|| PlaceByDirectory::of(self.tree));
                if let Some(place) = places.at(&directory) {
                    is_run[place] = true;
                }
            }
        }
        is_run
    }

    /// For each module, whether nothing calls it and it seems to be a root module.
    pub(super) fn roots(&self) -> Vec<bool> {
        self.tree.roots()
    }
}

impl<'v, 'a> InTree<'v, 'a> {
    /// Whether findings about it are wanted: it was given, and is whole.
    pub(super) fn is_checked(&self) -> bool {
        self.module.origin == Origin::Given && !self.module.withholds()
    }

    /// Whether it is whole, so that everything that it uses is known.
    pub(super) fn is_whole(&self) -> bool {
        self.module.broken().is_none() && !self.module.withholds()
    }

    /// Whether it has configuration, not only tests or values.
    pub(super) fn has_configuration(&self) -> bool {
        self.module.files.has_configuration()
    }

    /// Whether it has tests, which may use all outputs and set all variables.
    pub(super) fn has_tests(&self) -> bool {
        !self.module.tests.is_empty()
    }

    /// Its declarations, for the places of findings.
    pub(super) fn declared(&self) -> &'v Module<'a> {
        &self.module.module
    }

    /// The outputs that it uses of the modules that it calls: the name of the call, and the output;
    /// `None` for all of them.
    pub(super) fn used_outputs(
        &self,
    ) -> impl Iterator<Item = (&'a str, Option<&'a str>)> + use<'v, 'a> {
        let uses = self.module.uses().calls().iter();
        uses.filter_map(|it| match it.reference.subject() {
            Subject::ModuleOutput { call, output, .. } => Some((call, Some(output))),
            subject => Some((subject.module_call()?, None)),
        })
    }

    /// The start of its first file.
    pub(super) fn start(&self) -> Option<Label<'a>> {
        self.module.sources.first().map(|source| Label::new(*source, Span::at(0)))
    }
}
