//! Stacks of Terramate: where they are, in which order they run, and the files that they watch.
//!
//! A folder is a stack if a file `*.tm.hcl` or `*.tm` in it has a block `stack`. [`find`] reads the
//! lists of these blocks: `after`, `before`, `wants`, `wanted_by` and `watch`. The files that
//! `generate_hcl` and `generate_file` write are not computed; usually they are in the repository,
//! and read there.
//!
//! ```
//! let folder = std::env::temp_dir().join(format!("simd-hcl-terramate-{}", std::process::id()));
//! std::fs::create_dir_all(folder.join("net"))?;
//! std::fs::create_dir_all(folder.join("app"))?;
//! std::fs::write(folder.join("net/stack.tm.hcl"), "stack {}\n")?;
//! let app = "stack {\n  after = [\"/net\"]\n  watch = [\"/policy.json\"]\n}\n";
//! std::fs::write(folder.join("app/stack.tm.hcl"), app)?;
//!
//! let stacks = simd_hcl::terramate::find(&folder);
//! assert_eq!(stacks.stacks[0].path, "app");
//! assert_eq!(stacks.stacks[0].after, ["net"]);
//! let policy = folder.canonicalize()?.join("policy.json");
//! assert_eq!(stacks.affected(&[policy.to_string_lossy().into_owned()]), [(0, 0)]);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Bound;
use std::path::Path;

use crate::arena::Arena;
use crate::body::{AttributeSchema, Block, BlockSchema, Schema};
use crate::functions::paths::{directory, join, relative, slashed};
use crate::functions::real_text;
use crate::parsed::ParsedFile;
use crate::source::{Access, Source};

/// The stacks below a folder.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Stacks {
    /// The stacks, by path.
    pub stacks: Vec<TerramateStack>,
    /// The paths that could not be read or known, and why.
    pub gaps: BTreeSet<(String, String)>,
    /// The stacks that watch each path.
    watchers: BTreeMap<String, Vec<usize>>,
}

/// A stack. Paths are relative to the searched folder.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TerramateStack {
    /// Its folder; `.` for the searched one.
    pub path: String,
    /// Its folder as an absolute path.
    pub folder: String,
    /// Its tags.
    pub tags: BTreeSet<String>,
    /// The stacks that run before it, sorted.
    pub after: Vec<String>,
    /// The stacks that run whenever it does, sorted.
    pub wants: Vec<String>,
    /// The files and folders whose changes affect it, as absolute paths.
    pub watch: Vec<String>,
}

const LISTS: [&str; 6] = ["after", "before", "tags", "wanted_by", "wants", "watch"];

static ROOT: Schema<'static> = Schema::new(&[], &[BlockSchema::new("stack", &[])]);
static STACK: Schema<'static> = Schema::new(
    &[
        AttributeSchema::optional("after"),
        AttributeSchema::optional("before"),
        AttributeSchema::optional("tags"),
        AttributeSchema::optional("wanted_by"),
        AttributeSchema::optional("wants"),
        AttributeSchema::optional("watch"),
    ],
    &[],
);

/// Folders that are never searched.
const SKIPPED: [&str; 4] = [".git", ".terraform", ".terragrunt-cache", "node_modules"];

/// Finds the stacks below a folder. Links to folders are not followed. Nothing is run or written.
///
/// Cost: linear in the entries of the folders, in the bytes of the files `*.tm.hcl`, and in the stacks
/// for each path that an order names.
#[must_use]
pub fn find(folder: impl AsRef<Path>) -> Stacks {
    let mut found = Stacks::default();
    let given = folder.as_ref();
    let base = match real_text(given) {
        Ok(base) => base,
        Err(why) => {
            found.gaps.insert((".".to_owned(), why));
            return found;
        }
    };
    // Absolute paths start at the project.
    let has_git = |it: &&Path| it.join(".git").exists();
    let project = Path::new(&base).ancestors().find(has_git).and_then(Path::to_str);
    let project = project.map_or_else(|| base.clone(), slashed);
    let mut lists: BTreeMap<String, BTreeMap<&'static str, Vec<String>>> = BTreeMap::new();
    let mut open = vec![base.clone()];
    while let Some(folder) = open.pop() {
        let place = relative(&base, &folder).unwrap_or_else(|| folder.clone());
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                found.gaps.insert((place, error.to_string()));
                continue;
            }
        };
        for entry in entries.flatten() {
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else {
                continue;
            };
            let path = join(&folder, &name);
            if kind.is_dir() && !SKIPPED.contains(&name.as_str()) {
                open.push(path);
            } else if kind.is_file() && is_read(&name) {
                match read(&path) {
                    Ok(None) => {}
                    Ok(Some((stack, unknown))) => {
                        let known = lists.entry(folder.clone()).or_default();
                        for (list, mut values) in stack {
                            known.entry(list).or_default().append(&mut values);
                        }
                        for list in unknown {
                            let why = format!("the list {list} of the stack is not known");
                            found.gaps.insert((place.clone(), why));
                        }
                    }
                    Err(why) => drop(found.gaps.insert((place.clone(), why))),
                }
            }
        }
    }
    let folders: Vec<String> = lists.keys().cloned().collect();
    let tags: Vec<BTreeSet<String>> = lists
        .values()
        .map(|lists| lists.get("tags").into_iter().flatten().cloned().collect())
        .collect();
    // The stacks that an entry of a list names: those in a folder and below, or with a tag.
    let named = |from: &str, entry: &str| -> Vec<usize> {
        if let Some(tag) = entry.strip_prefix("tag:") {
            return (0..folders.len()).filter(|&at| tags[at].contains(tag)).collect();
        }
        let path = placed(&project, from, entry);
        let below = format!("{path}/");
        let first = folders.partition_point(|folder| *folder < path);
        let own = (first..folders.len()).take_while(|&at| folders[at].starts_with(&path));
        own.filter(|&at| folders[at] == path || folders[at].starts_with(&below)).collect()
    };
    let mut after: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); folders.len()];
    let mut wants: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); folders.len()];
    for (at, (folder, lists)) in lists.iter().enumerate() {
        let all = |list: &str| -> BTreeSet<usize> {
            let entries = lists.get(list).into_iter().flatten();
            entries.flat_map(|entry| named(folder, entry)).filter(|&other| other != at).collect()
        };
        after[at].extend(all("after"));
        wants[at].extend(all("wants"));
        all("before").into_iter().for_each(|other| _ = after[other].insert(at));
        all("wanted_by").into_iter().for_each(|other| _ = wants[other].insert(at));
    }
    let shown = |folder: &String| relative(&base, folder).unwrap_or_else(|| folder.clone());
    let names = |all: &BTreeSet<usize>| all.iter().map(|&at| shown(&folders[at])).collect();
    found.stacks = lists
        .iter()
        .enumerate()
        .map(|(at, (folder, lists))| {
            let watch = lists.get("watch").into_iter().flatten();
            TerramateStack {
                path: shown(folder),
                folder: folder.clone(),
                tags: tags[at].clone(),
                after: names(&after[at]),
                wants: names(&wants[at]),
                watch: watch.map(|entry| placed(&project, folder, entry)).collect(),
            }
        })
        .collect();
    for (at, stack) in found.stacks.iter().enumerate() {
        for path in &stack.watch {
            found.watchers.entry(path.clone()).or_default().push(at);
        }
    }
    found
}

/// A path of a list as an absolute one.
fn placed(project: &str, folder: &str, entry: &str) -> String {
    match entry.strip_prefix('/') {
        Some(rest) => join(project, rest),
        None => join(folder, entry),
    }
}

/// The lists of a stack, and the names of those that are not known.
type Lists = (Vec<(&'static str, Vec<String>)>, Vec<&'static str>);

/// Whether a file of this name may declare a stack.
fn is_read(name: &str) -> bool {
    name.ends_with(".tm.hcl") || name.ends_with(".tm")
}

/// Whether a file with this name and text declares a stack, as far as it is valid.
///
/// Cost: that of parsing it.
#[must_use]
pub fn declares_stack(name: &str, text: &[u8]) -> bool {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, name, text).ok().filter(|_| is_read(name));
    let file = source.map(|source| ParsedFile::native(&arena, source));
    file.is_some_and(|file| {
        let (content, _) = file.body().partial_content(&ROOT, &mut ());
        content.blocks("stack").next().is_some()
    })
}

/// Reads the stack that a file declares, if it does.
fn read(path: &str) -> Result<Option<Lists>, String> {
    let arena = Arena::new();
    let source = Source::read_as(&arena, Path::new(path), Access::FOUND);
    let file = ParsedFile::native(&arena, source.map_err(|error| error.to_string())?);
    if !file.is_complete() {
        let name = path.rsplit('/').next().unwrap_or(path);
        return Err(format!("{name} has a syntax error"));
    }
    let (content, _) = file.body().partial_content(&ROOT, &mut ());
    let mut stacks = content.blocks("stack").peekable();
    if stacks.peek().is_none() {
        return Ok(None);
    }
    let (mut lists, mut unknown) = (Vec::new(), Vec::new());
    stacks.for_each(|block| add(block, &mut lists, &mut unknown));
    Ok(Some((lists, unknown)))
}

fn add(
    block: Block<'_>,
    lists: &mut Vec<(&'static str, Vec<String>)>,
    unknown: &mut Vec<&'static str>,
) {
    let (content, _) = block.body().partial_content(&STACK, &mut ());
    for name in LISTS {
        let Some(attribute) = content.attributes().iter().find(|it| it.is_named(name)) else {
            continue;
        };
        let mut error: Option<crate::Diagnostic<'_>> = None;
        let value = attribute.expression().constant_value(&mut error);
        if error.is_some() || !value.is_wholly_known() {
            unknown.push(name);
            continue;
        }
        let texts = value.elements().iter().filter_map(|it| it.as_str());
        lists.push((name, texts.map(str::to_owned).collect()));
    }
}

impl Stacks {
    /// Returns the stacks that changed files affect, each with its place and that of the first file: files
    /// `*.tm.hcl` of the stack, and what it watches. Stacks that an affected stack wants are among them.
    /// Files are absolute paths, and may be gone. A path that ends with `/` stands for all files in a
    /// folder and below.
    ///
    /// Cost: linear in the changed files, the stacks that each one affects by itself, and the stacks that
    /// they want.
    #[must_use]
    pub fn affected(&self, changed: &[String]) -> Vec<(usize, usize)> {
        let mut causes: Vec<Option<usize>> = vec![None; self.stacks.len()];
        for (number, file) in changed.iter().enumerate() {
            for at in self.readers(file) {
                causes[at].get_or_insert(number);
            }
        }
        let by_path: BTreeMap<&str, usize> =
            (0..).zip(&self.stacks).map(|(at, stack)| (stack.path.as_str(), at)).collect();
        let mut open: Vec<usize> = (0..causes.len()).filter(|&at| causes[at].is_some()).collect();
        while let Some(at) = open.pop() {
            for wanted in &self.stacks[at].wants {
                let Some(&other) = by_path.get(wanted.as_str()) else { continue };
                if causes[other].is_none() {
                    causes[other] = causes[at];
                    open.push(other);
                }
            }
        }
        (0..).zip(causes).filter_map(|(at, cause)| Some((at, cause?))).collect()
    }

    /// Whether a changed file affects a stack by itself. See [`affected`](Self::affected).
    #[must_use]
    pub fn reads(&self, file: &str) -> bool {
        !self.readers(file).is_empty()
    }

    /// The stacks that a changed file affects by itself.
    fn readers(&self, file: &str) -> Vec<usize> {
        let (path, is_folder) = match file.strip_suffix('/') {
            Some(path) => (path, true),
            None => (file, false),
        };
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        let around = ends.filter_map(|end| self.watchers.get(&path[..end]));
        let mut readers: Vec<usize> = around.flatten().copied().collect();
        let own = |folder: &str| {
            let at = self.stacks.binary_search_by(|stack| stack.folder.as_str().cmp(folder));
            at.ok()
        };
        if is_folder {
            let from = (Bound::Included(file), Bound::Unbounded);
            let below = self.watchers.range::<str, _>(from);
            let below = below.take_while(|(watched, _)| watched.starts_with(file));
            readers.extend(below.flat_map(|(_, stacks)| stacks));
            readers.extend(own(path));
            let first = self.stacks.partition_point(|stack| stack.folder.as_str() < file);
            let below = (first..).zip(&self.stacks[first..]);
            let below = below.take_while(|(_, stack)| stack.folder.starts_with(file));
            readers.extend(below.map(|(at, _)| at));
        } else if file.ends_with(".tm.hcl") || file.ends_with(".tm") {
            readers.extend(own(&directory(file)));
        }
        readers.retain(|&at| at < self.stacks.len());
        readers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_have_an_order() {
        let root = std::env::temp_dir().join(format!("simd-hcl-stacks-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("a/stack.tm.hcl", "stack {\n  tags = [\"base\"]\n  before = [\"../b\"]\n}\n");
        write("b/any.tm", "globals {\n  x = 1\n}\nstack {\n  after = [\"tag:base\", \"/d\"]\n}\n");
        write(
            "c/stack.tm.hcl",
            "stack {\n  wants = [\"/b\"]\n  watch = [\"../w\", \"x.txt\"]\n}\n",
        );
        write("d/one/stack.tm.hcl", "stack {\n  after = [global.x]\n}\n");
        write("d-two/stack.tm.hcl", "stack {}\n");
        write("none/config.tm.hcl", "globals {\n  y = 1\n}\n");
        let found = find(&root);
        fs::remove_dir_all(&root).unwrap();
        let paths: Vec<&str> = found.stacks.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, ["a", "b", "c", "d-two", "d/one"]);
        assert_eq!(found.stacks[1].after, ["a", "d/one"]);
        assert!(found.stacks[0].after.is_empty());
        let gaps: Vec<&str> = found.gaps.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(gaps, ["d/one"]);
        let base = directory(&found.stacks[0].folder);
        let at = |path: &str| format!("{base}/{path}");
        let affected = |path: &str| -> Vec<&str> {
            let all = found.affected(&[at(path)]).into_iter();
            all.map(|(stack, _)| found.stacks[stack].path.as_str()).collect()
        };
        assert_eq!(affected("w/deep/file"), ["b", "c"]);
        assert_eq!(affected("c/x.txt"), ["b", "c"]);
        assert_eq!(affected("a/stack.tm.hcl"), ["a"]);
        assert_eq!(affected("a/main.tf"), [""; 0]);
        // Folders, which may be gone.
        assert_eq!(affected("w/deep/"), ["b", "c"]);
        assert_eq!(affected("w/"), ["b", "c"]);
        assert_eq!(affected("c/"), ["b", "c"]);
        assert_eq!(affected("d/"), ["d/one"]);
        assert_eq!(affected("d-two/"), ["d-two"]);
        assert_eq!(affected("w-other/"), [""; 0]);
        assert!(found.reads(&at("w/one")) && found.reads(&at("c/x.txt")));
        assert!(!found.reads(&at("b/main.tf")));
    }
}
