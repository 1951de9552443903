//! The answer: the modules that changed files affect, the reasons, and the gaps.

use std::path::PathBuf;

use super::space::UnknownPlace;
use crate::diagnostic::Label;
use crate::directory::Location;
use crate::module::Object;

/// The modules that changed files affect.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Affected<'a> {
    /// The modules and templates of Packer, in the order of the tree: modules first.
    pub modules: Vec<AffectedModule<'a>>,
    /// The runs of modules by another tool that read the state of something affected, apart from those that
    /// were passed.
    pub runs: Vec<AffectedModule<'a>>,
    /// The parts that the answer does not cover.
    pub gaps: Vec<Gap<'a>>,
    /// Changed files, as given, that some tool reads for modules that the tree does not tell: files
    /// of variables outside of all modules, and files of other tools, such as `terragrunt.hcl`.
    pub unassigned: Vec<PathBuf>,
    /// Other changed files, as given, that nothing depends on.
    pub unrelated: Vec<PathBuf>,
    /// Changed files, and files and directories of modules, that could not be located. A module
    /// that a changed file belongs to may be missing because of them.
    pub unknown_places: Vec<UnknownPlace>,
}

/// A module, a template of Packer, or a run of a module by another tool, that is affected.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AffectedModule<'a> {
    /// The module, template or run.
    pub place: Place,
    /// Its directory.
    pub path: Location,
    /// Whether it is a root module ([`Tree::roots`](crate::tree::Tree::roots)); a template of Packer and a run
    /// always are.
    pub is_root: bool,
    /// A shortest way from a changed file to the module: each step affects the next one. Of more than
    /// 100 steps, only the first one and the last 99.
    pub because: Vec<Reason<'a>>,
}

/// One step from a changed file to a module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reason<'a> {
    /// The changed file, as given; only in the first step.
    pub file: Option<PathBuf>,
    /// The affected object of the module: the call of the previous module, the data source that
    /// reads its state, or the object that depends on the file. `None` if the file belongs to the
    /// module.
    pub object: Option<Object<'a>>,
    /// The address of what leads here from the module before, if that is no object of a module: `run.first` of
    /// a test.
    pub part: Option<&'a str>,
    /// The directory of the module.
    pub module: Location,
    /// Where the object names the file or the module before; `None` if the file belongs to the module.
    pub label: Option<Label<'a>>,
}

/// A module or object that may be affected.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Gap<'a> {
    /// The directory of the module.
    pub module: Location,
    /// The object in the module; `None` if the whole module may be affected.
    pub object: Option<Object<'a>>,
    /// The reason why this is not known.
    pub why: GapKind,
}

/// Why it is not known whether a module or object is affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GapKind {
    /// The source of a module call is known only when it is evaluated.
    UnknownSource,
    /// A data source reads a state whose place is known only when it is evaluated.
    UnknownState,
    /// The path of a file that an object depends on is known only when it is evaluated.
    UnknownFile,
    /// Some files of the module could not be read, so their calls are not known.
    UnreadFiles,
    /// A file of variables could not be decoded, so the files that the module reads are not known.
    UnreadValues,
    /// The module is not evaluated as a whole: calls nest too deep, or it exceeds the budget.
    Unevaluated,
}

impl GapKind {
    /// The reason, a clause that follows the name of an object or module.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownSource => "calls a module whose source is known only when it is evaluated",
            Self::UnknownState => "reads a state whose place is known only when it is evaluated",
            Self::UnknownFile => "reads a file whose path is known only when it is evaluated",
            Self::UnreadFiles => "has files that are not read, and may call other modules there",
            Self::UnreadValues => {
                "has a file of variables that is not decoded, and may read other files with its values"
            }
            Self::Unevaluated => "is too large to be evaluated, and may read files",
        }
    }
}

/// A module or a template of Packer in a tree, or a run of a module by another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A module, by its index in [`Tree::modules`](crate::tree::Tree::modules).
    Module(usize),
    /// A template of Packer, by its index in [`Tree::templates`](crate::tree::Tree::templates).
    Template(usize),
    /// A run, by its index among those of [`ImpactOptions::runs`](super::ImpactOptions::runs).
    Run(usize),
}

/// How a module depends on a file directly.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ReadBy<'a> {
    /// The file belongs to it, or a part that has no address reads it.
    Module,
    /// An object reads it.
    Object(Object<'a>),
    /// Its tests read it, at this place of a test file.
    Tests(Option<Label<'a>>),
}

impl Reason<'_> {
    /// The address of what leads here: an object of the module, or another part of it. `None` if the file
    /// belongs to the module, or what reads it has no address.
    #[must_use]
    pub fn address(&self) -> Option<String> {
        let part = || self.part.map(str::to_owned);
        self.object.map(|object| object.to_string()).or_else(part)
    }
}
