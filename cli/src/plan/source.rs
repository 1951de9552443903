//! `--source`: where the configuration declares what a plan changes.

use std::path::PathBuf;
use std::sync::Mutex;

use simd_hcl::Arena;
use simd_hcl::show::{Address, ResourceChange};
use simd_hcl::tree::{PlanSource, SourceGap, Tree, TreeOptions};

use crate::args::{Common, Configuration};
use crate::excerpt::{Excerpt, Range};
use crate::incomplete::Incomplete;
use crate::input;
use crate::plan_file;
use crate::status::Failure;
use crate::visible;

/// The declarations of a root module and of all that it calls, and what is not known of them.
pub(super) struct Sources<'s> {
    find: &'s (dyn Fn(&Address<'_>) -> Source + Sync),
    gaps: Mutex<Incomplete>,
}

/// Where a change is declared.
pub(super) enum Source {
    /// In this block; of an object that is no longer declared, the `removed` block that says so.
    Declared(Range, Excerpt),
    /// Nowhere, as far as all files say.
    Nowhere,
    /// Something is not read: the directory of a module, and why.
    Unknown(String, &'static str),
}

impl Sources<'_> {
    /// Where the object of a change is declared. What is not known is kept for [`gaps`](Self::gaps).
    pub(super) fn of(&self, change: ResourceChange<'_>) -> Source {
        let address = change.address().value().unwrap_or_default();
        let source = match Address::parse(address) {
            Ok(address) => (self.find)(&address),
            Err(_) => Source::Unknown(address.to_owned(), "this is not the address of a resource"),
        };
        if let Source::Unknown(place, why) = &source
            && let Ok(mut gaps) = self.gaps.lock()
        {
            gaps.add("source", place.as_str(), *why);
        }
        source
    }

    /// What was not known of the changes asked for so far.
    pub(super) fn gaps(&self) -> Incomplete {
        self.gaps.lock().map(|gaps| gaps.clone()).unwrap_or_default()
    }
}

/// Loads the root module of `directory`, if one is given, and hands its declarations to `work`.
///
/// # Errors
/// The directory has no configuration of OpenTofu or Terraform, or cannot be read; or what `work` returns.
pub(super) fn with_sources<T>(
    directory: Option<&PathBuf>,
    common: &Common,
    work: impl FnOnce(Option<&Sources<'_>>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Some(directory) = directory else { return work(None) };
    let fail = |why: &str| Failure::Message(format!("{}: {why}", visible::path(directory)));
    let root = plan_file::root_of(directory).map_err(|error| fail(&error.to_string()))?;
    let configuration = Configuration::of_directory(directory.clone(), None);
    let discovery = input::modules(&configuration, common)?;
    if let Some(problem) = discovery.problems.first() {
        return Err(fail(&problem.message));
    }
    let modules = discovery.modules;
    let arena = Arena::new();
    let options = TreeOptions::default().with_decode(input::decode_options(common)?);
    let tree = Tree::load(&arena, modules, &options);
    let mut modules = tree.modules().iter();
    let place = modules.position(|module| plan_file::is_root(&module.files.path, &root));
    let place = place.ok_or_else(|| fail("no module of OpenTofu or Terraform is read here"))?;
    let sources = tree.plan_sources(place);
    let find = |address: &Address<'_>| match sources.find(address) {
        PlanSource::Declared(label) | PlanSource::Removed(label) => {
            let (source, span) = (label.source, label.span);
            Source::Declared(Range::of(source, span), Excerpt::of(source, span))
        }
        PlanSource::Nowhere => Source::Nowhere,
        PlanSource::Unknown(place, gap) => {
            let module = tree.modules().get(place).map(|module| &module.files.path);
            let path = module.map_or_else(String::new, |path| path.to_string_lossy().into_owned());
            Source::Unknown(path, reason(gap))
        }
    };
    work(Some(&Sources { find: &find, gaps: Mutex::default() }))
}

fn reason(gap: SourceGap) -> &'static str {
    match gap {
        SourceGap::NativeSyntax => {
            "files in native syntax are not read, and may declare what the plan changes"
        }
        SourceGap::Undecoded => {
            "a file could not be read, or has a syntax error, and may declare what the plan changes"
        }
        SourceGap::NotInstalled => {
            "a module that it calls is not installed, so its files cannot be read"
        }
        SourceGap::Missing => "the directory of a module that it calls does not exist",
        SourceGap::Unreadable => "a module that it calls could not be read",
        SourceGap::TooDeep => "the address leads through more modules than are followed",
    }
}
