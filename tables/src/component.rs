//! Components: the modules of a repository that depend on one another through calls.
//!
//! The rows of tables that need several modules are the same whether the modules of a repository are
//! read together or component by component, and then only one component is in memory. Modules are
//! only kept apart if that is certain: a call whose source has to be evaluated, that leads out of
//! the repository, or that an installation decides, joins all modules of the repository.

use std::collections::HashMap;
use std::path::{Component as Part, Path, PathBuf};

use memchr::memmem;
use rayon::prelude::*;
use simd_hcl::dialect::List;
use simd_hcl::directory::ModuleFiles;
use simd_hcl::module::SourceAddress;
use simd_hcl::{Arena, Dialect};

use crate::file::{self, Attribute, Depth};
use crate::source::{FoundModule, Sources};

/// The installed modules of a root module, below its directory.
const INSTALLED: &str = ".terraform/modules/modules.json";

/// The directories that a module calls.
#[derive(Debug, Default)]
struct Calls {
    /// Their absolute paths.
    local: Vec<PathBuf>,
    /// Whether other calls may lead anywhere.
    is_open: bool,
}

impl Sources {
    /// The modules of a repository that depend on one another, by their indexes: what tables that need
    /// several modules are read from at a time.
    ///
    /// Cost: that of reading all files of the repository.
    pub(crate) fn components(&self, repository: usize) -> Vec<Vec<usize>> {
        self.closed_components(repository).0
    }

    /// The same, and whether all that the modules call is in them.
    pub(crate) fn closed_components(&self, repository: usize) -> (Vec<Vec<usize>>, bool) {
        let places = self.repositories().get(repository).map(|(_, places)| places.as_slice());
        components(self.modules(), places.unwrap_or_default())
    }
}

/// Divides modules, which are the ones at `places`, into components, each sorted, in the order of
/// their first modules; and says whether no call may lead to another module.
///
/// Cost: that of reading all files, and of parsing those that may call modules.
fn components(modules: &[FoundModule], places: &[usize]) -> (Vec<Vec<usize>>, bool) {
    let base = std::env::current_dir().unwrap_or_default();
    let calls: Vec<Calls> = places
        .par_iter()
        .map_init(Arena::new, |arena, place| {
            let calls = Calls::of(&modules[*place].files, &base, arena);
            arena.reset();
            calls
        })
        .collect();
    let mut directories: HashMap<PathBuf, usize> = HashMap::new();
    for (number, place) in places.iter().enumerate() {
        let files = &modules[*place].files;
        if files.dialect != Dialect::Packer && !files.is_one_file() {
            directories.insert(absolute(&base, file::on_disk(&files.path)), number);
        }
    }
    let mut sets = Sets::new(places.len());
    for (number, calls) in calls.iter().enumerate() {
        let mut is_open = calls.is_open;
        for directory in &calls.local {
            match directories.get(directory) {
                Some(called) => sets.join(number, *called),
                // It may call modules of the repository.
                None => is_open |= directory.exists(),
            }
        }
        if is_open {
            return (vec![places.to_vec()], false);
        }
    }
    let mut components: Vec<Vec<usize>> = Vec::new();
    let mut known: HashMap<usize, usize> = HashMap::new();
    for (number, place) in places.iter().enumerate() {
        let component = *known.entry(sets.first(number)).or_insert(components.len());
        match components.get_mut(component) {
            Some(members) => members.push(*place),
            None => components.push(vec![*place]),
        }
    }
    (components, true)
}

impl Calls {
    fn of(module: &ModuleFiles, base: &Path, arena: &Arena) -> Self {
        let mut calls = Self::default();
        if module.dialect == Dialect::Packer {
            return calls;
        }
        let directory = module.directory();
        let directory = file::on_disk(&directory);
        calls.is_open = directory.join(INSTALLED).exists();
        let has_calls = |list| matches!(list, List::Primary | List::Override | List::Test);
        for file in module.files.iter().filter(|it| it.is_read() && has_calls(it.kind.list)) {
            // A file that cannot be read calls nothing.
            let Ok(source) = file::open(arena, file) else { continue };
            // An escape may stand for a letter.
            let may_call = |word: &str| memmem::find(source.bytes(), word.as_bytes()).is_some();
            if !may_call("module") && !may_call("\\u") {
                continue;
            }
            let Some(parsed) = file::parse_in_part(arena, file, source, Depth::Bodies) else {
                continue;
            };
            for block in parsed.blocks(module.dialect, file.kind.list) {
                match block.block_type {
                    "module" => calls.add(block.body.attribute("source"), base, directory),
                    "run" => {
                        for called in block.body.bodies("module") {
                            calls.add(called.attribute("source"), base, directory);
                        }
                    }
                    _ => {}
                }
            }
        }
        calls
    }

    fn add(&mut self, source: Option<Attribute<'_>>, base: &Path, directory: &Path) {
        let Some(source) = source else { return };
        match source.to_str() {
            Some(text) => {
                if let Ok(SourceAddress::Local(path)) = SourceAddress::parse(text) {
                    let path = directory.join(path.replace('\\', "/"));
                    self.local.push(absolute(base, &path));
                }
            }
            None => self.is_open = true,
        }
    }
}

/// The absolute path of a directory, without `.` and `..`, as calls are resolved: links are not
/// followed.
fn absolute(base: &Path, directory: &Path) -> PathBuf {
    let mut path = PathBuf::new();
    for part in base.join(directory).components() {
        match part {
            Part::CurDir => {}
            Part::ParentDir => {
                path.pop();
            }
            _ => path.push(part),
        }
    }
    path
}

/// Disjoint sets of numbers.
struct Sets {
    /// A number of the same set that is not larger; its own for the first one of a set.
    before: Vec<usize>,
}

impl Sets {
    fn new(count: usize) -> Self {
        Self { before: (0..count).collect() }
    }

    /// The first number of a set.
    fn first(&mut self, mut number: usize) -> usize {
        while self.before[number] != number {
            self.before[number] = self.before[self.before[number]];
            number = self.before[number];
        }
        number
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        self.before[one.max(other)] = one.min(other);
    }
}
