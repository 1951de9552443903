//! `--source`: the declarations of the objects that a plan changes.

use std::path::PathBuf;
use std::sync::Mutex;

use simd_hcl::Arena;
use simd_hcl::diagnostic::Label;
use simd_hcl::show::{Address, ResourceChange};
use simd_hcl::tree::{PlanCause, PlanSource, SourceGap, Tree, TreeOptions};

use crate::args::{Common, Configuration};
use crate::excerpt::{Excerpt, Range};
use crate::incomplete::Incomplete;
use crate::input;
use crate::plan_file;
use crate::status::Failure;
use crate::visible;

/// The declarations of a root module and the modules it calls, and their gaps.
pub(super) struct Sources<'s> {
    find: &'s (dyn Fn(&Address<'_>) -> Source + Sync),
    moves: &'s (dyn Fn(&Address<'_>, &Address<'_>) -> Cause + Sync),
    imports: &'s (dyn Fn(&Address<'_>) -> Cause + Sync),
    gaps: Mutex<Incomplete>,
}

/// A place in the configuration, and its text.
pub(super) type Place = (Range, Excerpt);

/// The blocks that cause a part of a change.
pub(super) enum Cause {
    /// These blocks; empty if no block causes it.
    Blocks(Vec<Place>),
    /// Something is not read: the directory of a module, and why.
    Unknown(String, &'static str),
}

impl Cause {
    /// Returns the blocks, if they are known.
    pub(super) fn blocks(&self) -> Option<&[Place]> {
        match self {
            Self::Blocks(places) => Some(places),
            Self::Unknown(..) => None,
        }
    }
}

/// The declaration of a change.
pub(super) enum Source {
    /// This block. For an object that is no longer declared, this is its `removed` block.
    Declared(Place),
    /// No file declares it.
    Nowhere,
    /// Something is not read: the directory of a module, and why.
    Unknown(String, &'static str),
}

const NOT_AN_ADDRESS: &str = "not the address of a resource";

impl Sources<'_> {
    /// Returns the declaration of the object of a change. If it is not known, [`gaps`](Self::gaps)
    /// reports it.
    pub(super) fn of(&self, change: ResourceChange<'_>) -> Source {
        let address = change.address().value().unwrap_or_default();
        let source = match Address::parse(address) {
            Ok(address) => (self.find)(&address),
            Err(_) => Source::Unknown(address.to_owned(), NOT_AN_ADDRESS),
        };
        if let Source::Unknown(place, why) = &source {
            self.add_gap("source", place, why);
        }
        source
    }

    /// Returns the `moved` blocks that gave an object its address, in the order in which they
    /// apply; `None` if the change has no previous address.
    pub(super) fn moves(&self, change: ResourceChange<'_>) -> Option<Cause> {
        let previous = change.previous_address().value()?;
        let address = change.address().value().unwrap_or_default();
        Some(self.cause("moved", address, |to| match Address::parse(previous) {
            Ok(from) => (self.moves)(&from, to),
            Err(_) => Cause::Unknown(previous.to_owned(), NOT_AN_ADDRESS),
        }))
    }

    /// Returns the `import` blocks that import an object; `None` if the change imports nothing.
    pub(super) fn imports(&self, change: ResourceChange<'_>) -> Option<Cause> {
        change.change().value().filter(|change| change.is_import())?;
        let address = change.address().value().unwrap_or_default();
        Some(self.cause("import", address, |to| (self.imports)(to)))
    }

    fn cause(
        &self,
        what: &'static str,
        address: &str,
        find: impl FnOnce(&Address<'_>) -> Cause,
    ) -> Cause {
        let cause = match Address::parse(address) {
            Ok(address) => find(&address),
            Err(_) => Cause::Unknown(address.to_owned(), NOT_AN_ADDRESS),
        };
        if let Cause::Unknown(place, why) = &cause {
            self.add_gap(what, place, why);
        }
        cause
    }

    fn add_gap(&self, what: &'static str, place: &str, why: &'static str) {
        if let Ok(mut gaps) = self.gaps.lock() {
            gaps.add(what, place, why);
        }
    }

    /// Returns the gaps of all lookups so far.
    pub(super) fn gaps(&self) -> Incomplete {
        self.gaps.lock().map(|gaps| gaps.clone()).unwrap_or_default()
    }
}

/// Loads the root module in `directory`, if one is given, and passes its declarations to `work`.
///
/// # Errors The directory has no configuration of OpenTofu or Terraform, or cannot be read; or
/// `work` fails.
pub(super) fn with_sources<T>(
    directory: Option<&PathBuf>,
    common: &Common,
    work: impl FnOnce(Option<&Sources<'_>>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Some(directory) = directory else { return work(None) };
    let fail = |why: &str| Failure::Message(format!("{}: {why}", visible::path(directory)));
    let root = plan_file::Root::of(directory).map_err(|error| fail(&error.to_string()))?;
    let configuration = Configuration::of_directory(directory.clone(), None);
    let discovery = input::modules(&configuration, common)?;
    if let Some(problem) = discovery.problems.first() {
        return Err(fail(&problem.message));
    }
    let modules = discovery.modules;
    let arena = Arena::new();
    let options = TreeOptions::default().with_decode(input::decode_options(common)?);
    let tree = Tree::load(&arena, modules, &options);
    let place = root.find(tree.modules().iter().map(|module| &module.files));
    let place =
        place.ok_or_else(|| fail("this directory has no module of OpenTofu or Terraform"))?;
    let sources = tree.plan_sources(place);
    let place = |label: Label<'_>| {
        (Range::of(label.source, label.span), Excerpt::of(label.source, label.span))
    };
    let path_of = |place: usize| {
        let module = tree.modules().get(place).map(|module| &module.files.path);
        module.map_or_else(String::new, |path| path.to_string_lossy().into_owned())
    };
    let find = |address: &Address<'_>| match sources.find(address) {
        PlanSource::Declared(label) | PlanSource::Removed(label) => Source::Declared(place(label)),
        PlanSource::Nowhere => Source::Nowhere,
        PlanSource::Unknown(place, gap) => Source::Unknown(path_of(place), reason(gap)),
    };
    let cause = |cause: PlanCause<'_>| match cause {
        PlanCause::Blocks(labels) => Cause::Blocks(labels.into_iter().map(place).collect()),
        PlanCause::Unknown(place, gap) => Cause::Unknown(path_of(place), reason(gap)),
    };
    let moves = |from: &Address<'_>, to: &Address<'_>| cause(sources.moves(from, to));
    let imports = |to: &Address<'_>| cause(sources.imports(to));
    let gaps = Mutex::default();
    work(Some(&Sources { find: &find, moves: &moves, imports: &imports, gaps }))
}

fn reason(gap: SourceGap) -> &'static str {
    match gap {
        SourceGap::Undecoded => {
            "a file could not be read, or has a syntax error, and may declare what the plan changes"
        }
        SourceGap::NotInstalled => {
            "a module that it calls is not installed, so its files cannot be read"
        }
        SourceGap::Missing => "the directory of a module that it calls does not exist",
        SourceGap::Unreadable => "a module that it calls could not be read",
        SourceGap::TooDeep => "the address goes through too many modules",
        _ => "something that may declare what the plan changes is not read",
    }
}
