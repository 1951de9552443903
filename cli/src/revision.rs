//! The configuration files of a revision, in memory. Nothing is written to the file system.
//!
//! `git ls-tree` lists the whole tree, `git cat-file` reads the wanted files: those below the
//! requested path, and those below directories that they name with `../`, since they may call
//! modules there. Links are followed inside the tree. Files that the repository does not have are
//! gaps: submodules, files in Git LFS, files of a partial clone, links that lead out of the tree.
//!
//! A tree of a few kilobytes may list more files than fit in any memory, and a small object may have any
//! length, so paths and contents together have a limit.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::thread;

use simd_hcl::Dialect;
use simd_hcl::dialect::{FileKind, is_backend_file};
use simd_hcl::directory::{InvalidPath, MemoryFiles, MemoryPath, ModuleFiles, in_memory_below};

use crate::args::Common;
use crate::git::{self, Commit, Limits};
use crate::incomplete::Incomplete;
use crate::paths::is_unit;
use crate::status::Failure;

/// The most entries of a tree, and bytes of one entry's path.
const MOST_ENTRIES: usize = 8 << 20;
const LONGEST_PATH: u64 = 1 << 16;

/// The longest target of a link: more is no path.
const LONGEST_TARGET: usize = 4096;

/// The number of links that a path may go through.
const MOST_LINKS: usize = 40;

/// The directory of the tests of a module.
const TESTS: &str = "tests";

/// The number of times that files are read because others name their directories. Then all are read.
const MOST_ROUNDS: usize = 8;

/// The configuration files of a revision.
pub(crate) struct Revision {
    /// The revision as it was given, and a colon.
    name: String,
    root: MemoryPath,
    /// The requested file or directory.
    path: MemoryPath,
    gaps: Vec<Gap>,
    /// The directories of submodules.
    submodules: BTreeSet<String>,
    /// The files that declare units of Terragrunt at the requested path.
    units: Vec<String>,
    /// The directories of files that are not known.
    partial: BTreeSet<String>,
}

/// Something that the revision does not have. Its path starts at the top of the repository.
struct Gap {
    what: &'static str,
    path: String,
    why: String,
}

/// An entry of the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Link,
}

impl Revision {
    /// Reads the configuration files that a revision has at a path, which is a file or a directory in
    /// the working tree, where it need not exist. There are none if the revision does not have it.
    pub(crate) fn read(commit: &Commit, path: &Path, common: &Common) -> Result<Self, Failure> {
        let inside = git::path_in_repository(path)?;
        let within = Limits::of(&git::top()?, common);
        let tree = Tree::list(&commit.hash, common.max_decompressed, &within)?;
        let name = format!("{}:", commit.name);
        let reader = Reader {
            commit: commit.hash.clone(),
            files: MemoryFiles::new(&name),
            left: tree.left,
            tree,
            gaps: Vec::new(),
            limit: common.max_decompressed,
            within,
        };
        reader.read(name, &inside)
    }

    /// The top of the repository.
    pub(crate) fn root(&self) -> MemoryPath {
        self.root.clone()
    }

    /// The modules at the requested path.
    pub(crate) fn modules(&self, dialect: Option<Dialect>) -> Vec<ModuleFiles> {
        in_memory_below(&self.path, dialect)
    }

    /// The modules of the whole revision, if its top was requested.
    pub(crate) fn all_modules(&self, dialect: Option<Dialect>) -> Vec<ModuleFiles> {
        in_memory_below(&self.root, dialect)
    }

    /// The module in a directory, whose path starts at the top of the repository; `None` if there are
    /// no files in it.
    pub(crate) fn list(&self, directory: &str, dialect: Dialect) -> Option<ModuleFiles> {
        ModuleFiles::list_in_memory(&self.root.join(directory), dialect)
    }

    /// The path of the requested file or directory, from the top of the repository.
    pub(crate) fn path(&self) -> &str {
        self.path.as_str()
    }

    /// Whether not all files of the module in a directory are known.
    pub(crate) fn is_partial(&self, directory: &str) -> bool {
        let mut outer = Some(directory);
        while let Some(directory) = outer {
            if self.submodules.contains(directory) {
                return true;
            }
            outer = directory.rsplit_once('/').map(|(outer, _)| outer);
        }
        self.partial.contains(directory)
    }

    /// The name of a file, by its path from the top of the repository.
    pub(crate) fn named(&self, path: &str) -> String {
        format!("{}{path}", self.name)
    }

    /// The files of units of Terragrunt at the requested path, with the name of the revision.
    pub(crate) fn units(&self) -> impl Iterator<Item = String> {
        self.units.iter().map(|path| self.named(path))
    }

    /// Adds the gaps of the revision at the requested path.
    pub(crate) fn add_gaps(&self, incomplete: &mut Incomplete) {
        for gap in &self.gaps {
            incomplete.add(gap.what, self.named(&gap.path), gap.why.clone());
        }
    }
}

/// The entries of a tree that matter, by path.
struct Tree {
    /// Configuration files, and links with such names.
    wanted: BTreeMap<String, (Kind, Box<str>)>,
    /// The hashes of all links.
    links: BTreeMap<String, Box<str>>,
    submodules: Vec<String>,
    /// Files that declare units of Terragrunt.
    units: Vec<String>,
    /// Files whose names are not UTF-8, or have a backslash.
    odd: Vec<String>,
    /// The bytes that contents may have.
    left: u64,
}

impl Tree {
    fn list(commit: &str, limit: u64, within: &Limits) -> Result<Self, Failure> {
        let mut tree = Self {
            wanted: BTreeMap::new(),
            links: BTreeMap::new(),
            submodules: Vec::new(),
            units: Vec::new(),
            odd: Vec::new(),
            left: limit,
        };
        let mut refused = None;
        git::read(&["ls-tree", "-r", "-z", "--full-tree", commit], &mut |stdout| {
            let (mut stdout, mut entry) = (BufReader::new(stdout), Vec::new());
            for number in 0.. {
                entry.clear();
                let length = (&mut stdout).take(LONGEST_PATH).read_until(0, &mut entry)?;
                if length == 0 {
                    return Ok(true);
                }
                if number == MOST_ENTRIES || entry.pop() != Some(0) {
                    let most = format!("{MOST_ENTRIES} files, or paths of {LONGEST_PATH} bytes");
                    refused = Some(format!("the revision lists more than {most}"));
                    return Ok(false);
                }
                if let Err(why) = tree.add(&entry, within) {
                    refused = Some(why);
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        refused.map_or(Ok(tree), |why| Err(Failure::Message(why)))
    }

    /// Adds an entry of `git ls-tree`: `MODE TYPE HASH\tPATH`.
    fn add(&mut self, entry: &[u8], within: &Limits) -> Result<(), String> {
        let lossy = String::from_utf8_lossy(entry);
        let Some((head, path)) = lossy.split_once('\t') else { return Ok(()) };
        let mut head = head.split(' ');
        let (Some(mode), Some(kind), Some(hash)) = (head.next(), head.next(), head.next()) else {
            return Ok(());
        };
        let is_link = mode == "120000";
        let is_wanted = kind == "blob" && is_wanted(path);
        let is_unit = kind == "blob" && is_unit(path);
        if !(is_wanted || is_unit || is_link || kind == "commit") || !within.allows(path) {
            return Ok(());
        }
        let cost = 2 * (path.len() + hash.len()) as u64;
        self.left = self.left.checked_sub(cost).ok_or_else(|| too_large(path))?;
        // A repository can contain a tree with an entry `..`.
        match MemoryFiles::new("").insert(path, Arc::from([])) {
            Ok(()) if str::from_utf8(entry).is_ok() => {}
            Ok(()) | Err(InvalidPath::Character) => {
                self.odd.push(path.to_owned());
                return Ok(());
            }
            Err(_) => return Err(format!("invalid path in the revision: {path}")),
        }
        if is_wanted {
            let kind = if is_link { Kind::Link } else { Kind::File };
            self.wanted.insert(path.to_owned(), (kind, hash.into()));
        }
        if is_unit {
            self.units.push(path.to_owned());
        }
        if is_link {
            self.links.insert(path.to_owned(), hash.into());
        } else if kind == "commit" {
            self.submodules.push(path.to_owned());
        }
        Ok(())
    }
}

/// Returns whether some tool reads files with this name, also if only a command line names them.
fn is_wanted(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_read = |dialect| FileKind::of(name.as_ref(), dialect).is_some();
    Dialect::ALL.into_iter().any(is_read) || is_backend_file(name.as_ref())
}

fn too_large(path: &str) -> String {
    format!("the revision has more configuration, up to {path}, than --max-decompressed allows")
}

/// The directory of a path; empty for the top.
fn directory_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Whether a path is a directory, or is in it.
fn is_below(path: &str, directory: &str) -> bool {
    let rest = path.strip_prefix(directory);
    directory.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

struct Reader {
    commit: String,
    files: MemoryFiles,
    tree: Tree,
    gaps: Vec<Gap>,
    left: u64,
    limit: u64,
    within: Limits,
}

impl Reader {
    fn read(mut self, name: String, inside: &str) -> Result<Revision, Failure> {
        let targets = self.link_targets()?;
        for (path, target) in &targets {
            if let Ok(target) = target {
                // A link that is no directory is found as a file.
                let _ = self.files.link(path, target);
            }
        }
        let mut unread = std::mem::take(&mut self.tree.wanted);
        let mut round = match unread.contains_key(inside) {
            true => take_around(&mut unread, inside),
            false => take_below(&mut unread, inside),
        };
        let mut rounds = 0;
        while !round.is_empty() {
            let named = self.read_files(&round, &targets)?;
            rounds += 1;
            round = match rounds {
                MOST_ROUNDS => std::mem::take(&mut unread),
                _ => BTreeMap::new(),
            };
            for directory in named {
                let real = resolve(&directory, &targets).unwrap_or(directory);
                round.append(&mut take_below(&mut unread, &real));
            }
        }
        let mut gaps = self.gaps;
        let partial = gaps.iter().map(|gap| directory_of(&gap.path).to_owned()).collect();
        for path in &self.tree.submodules {
            let why = "a submodule: its files are not in this repository";
            gaps.push(Gap { what: "directory", path: path.clone(), why: why.to_owned() });
        }
        for path in self.tree.odd {
            let why = "not read: its name is not UTF-8, or has a backslash";
            gaps.push(Gap { what: "file", path, why: why.to_owned() });
        }
        gaps.retain(|gap| is_below(&gap.path, inside));
        let root = self.files.into_root();
        let path = root.join(inside);
        let submodules = self.tree.submodules.into_iter().collect();
        let mut units = self.tree.units;
        units.retain(|path| is_below(path, inside));
        Ok(Revision { name, root, path, gaps, submodules, units, partial })
    }

    /// Where each link leads, or why it leads nowhere.
    fn link_targets(&mut self) -> Result<Targets, Failure> {
        let links = std::mem::take(&mut self.tree.links);
        let mut texts: BTreeMap<String, Result<String, &'static str>> = BTreeMap::new();
        let paths: Vec<String> = links.keys().cloned().collect();
        let hashes: Vec<String> = links.into_values().map(String::from).collect();
        self.objects(&hashes, &mut |at, object| {
            let text = match object {
                Object::Content(bytes) if bytes.len() <= LONGEST_TARGET => {
                    String::from_utf8(bytes).map_err(|_| "its target is not UTF-8")
                }
                Object::Content(_) => Err("its target is too long"),
                Object::Other => Err(MISSING),
            };
            texts.insert(paths[at].clone(), text);
        })?;
        // A target is relative to the directory of the link.
        let joined = texts.into_iter().map(|(path, text)| {
            let target = text.and_then(|text| joined(directory_of(&path), &text).ok_or(OUTSIDE));
            (path, target)
        });
        let direct: Targets = joined.collect();
        let whole = direct.iter().map(|(path, target)| {
            let target = target.clone().and_then(|target| resolve(&target, &direct).ok_or(OUTSIDE));
            (path.clone(), target)
        });
        Ok(whole.collect())
    }

    /// Reads files, and returns the directories that they name.
    fn read_files(
        &mut self,
        wanted: &BTreeMap<String, (Kind, Box<str>)>,
        targets: &Targets,
    ) -> Result<BTreeSet<String>, Failure> {
        let (mut paths, mut objects) = (Vec::new(), Vec::new());
        for (path, (kind, hash)) in wanted {
            let object = match (kind, targets.get(path)) {
                (Kind::File, _) => hash.to_string(),
                (Kind::Link, Some(Ok(target)))
                    if !target.contains('\n') && self.within.allows(target) =>
                {
                    format!("{}:{target}", self.commit)
                }
                (Kind::Link, target) => {
                    let why = target.and_then(|it| it.as_ref().err()).copied().unwrap_or(OUTSIDE);
                    self.add_gap(path, why);
                    continue;
                }
            };
            paths.push((path.as_str(), *kind));
            objects.push(object);
        }
        let mut named = BTreeSet::new();
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        self.objects(&objects, &mut |at, object| match (object, paths[at]) {
            (Object::Content(bytes), (path, _)) if git::is_lfs_pointer(&bytes) => {
                missing.push((path, "not decoded (it is stored in Git LFS)"));
            }
            (Object::Content(bytes), (path, _)) => {
                add_named(directory_of(path), &bytes, &mut named);
                found.push((path, bytes));
            }
            (Object::Other, (path, Kind::File)) => missing.push((path, MISSING)),
            (Object::Other, (path, Kind::Link)) => missing.push((path, NOWHERE)),
        })?;
        missing.into_iter().for_each(|(path, why)| self.add_gap(path, why));
        for (path, bytes) in found {
            let invalid = |_| Failure::Message(format!("invalid path in the revision: {path}"));
            self.files.insert(path, bytes.into()).map_err(invalid)?;
        }
        Ok(named)
    }

    fn add_gap(&mut self, path: &str, why: &str) {
        self.gaps.push(Gap { what: "file", path: path.to_owned(), why: why.to_owned() });
    }

    /// Passes on objects, which are named by their hash or by `COMMIT:PATH`, with their place.
    fn objects(
        &mut self,
        names: &[String],
        found: &mut dyn FnMut(usize, Object),
    ) -> Result<(), Failure> {
        if names.is_empty() {
            return Ok(());
        }
        let failed = |error: io::Error| git::cannot("read the revision", &error);
        let mut child = git::command(&["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let mut left = self.left;
        let read = thread::scope(|scope| {
            let (mut stdin, stdout) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
            // Writes on another thread while this one reads, since neither pipe can hold everything.
            let ask = move || names.iter().try_for_each(|name| writeln!(stdin, "{name}"));
            let asking = thread::Builder::new().spawn_scoped(scope, ask)?;
            // Closes the pipe when it returns, so that git ends even if not everything was read.
            let read = read_objects(names.len(), BufReader::new(stdout), &mut left, found);
            match asking.join() {
                Ok(Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
                _ => read,
            }
        });
        let ended = child.wait().map_err(failed)?;
        self.left = left;
        if !read.map_err(failed)? {
            let limit = self.limit;
            return Err(Failure::Message(format!(
                "the configuration of the revision has more than {limit} bytes (--max-decompressed \
                 sets the limit)"
            )));
        }
        if ended.success() { Ok(()) } else { Err(failed(io::ErrorKind::Other.into())) }
    }
}

const OUTSIDE: &str = "not decoded (the link leads out of the revision)";
const NOWHERE: &str = "not decoded (the link leads to no file of the revision)";
const MISSING: &str = "not decoded (this clone does not have it)";

/// The targets of links, from the top of the repository.
type Targets = BTreeMap<String, Result<String, &'static str>>;

/// An object that was asked for.
enum Object {
    Content(Vec<u8>),
    /// The repository does not have it, or it is not a file.
    Other,
}

/// Reads the output of `git cat-file --batch`: for each object `HASH TYPE SIZE`, the content and a
/// line feed, or `NAME missing`. Returns whether there was enough room.
fn read_objects(
    count: usize,
    mut stdout: impl BufRead,
    left: &mut u64,
    found: &mut dyn FnMut(usize, Object),
) -> io::Result<bool> {
    for at in 0..count {
        let mut head = Vec::new();
        (&mut stdout).take(2 * LONGEST_PATH).read_until(b'\n', &mut head)?;
        if head.pop() != Some(b'\n') {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let head = String::from_utf8_lossy(&head);
        if head.ends_with(" missing") {
            found(at, Object::Other);
            continue;
        }
        let mut parts = head.rsplit(' ');
        let size = parts.next().and_then(|size| size.parse::<u64>().ok());
        let (Some(size), Some(kind)) = (size, parts.next()) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let Some(rest) = left.checked_sub(size) else { return Ok(false) };
        *left = rest;
        let mut content = Vec::new();
        (&mut stdout).take(size).read_to_end(&mut content)?;
        stdout.read_exact(&mut [0])?;
        found(at, if kind == "blob" { Object::Content(content) } else { Object::Other });
    }
    Ok(true)
}

/// Takes the entries at a path or below.
fn take_below<T>(all: &mut BTreeMap<String, T>, path: &str) -> BTreeMap<String, T> {
    if path.is_empty() {
        return std::mem::take(all);
    }
    let mut rest = all.split_off(path);
    // `/` is followed by `0`.
    let mut below = BTreeMap::new();
    if let Some((path, entry)) = rest.remove_entry(path) {
        below.insert(path, entry);
    }
    let mut inner = rest.split_off(&format!("{path}/"));
    let mut after = inner.split_off(&format!("{path}0"));
    below.append(&mut inner);
    all.append(&mut rest);
    all.append(&mut after);
    below
}

/// Takes a file, and those of the module around it: they may declare that its values are secret.
fn take_around<T>(all: &mut BTreeMap<String, T>, path: &str) -> BTreeMap<String, T> {
    let directory = directory_of(path);
    let is_of_tests = directory.rsplit('/').next() == Some(TESTS);
    let above = is_of_tests.then(|| directory_of(directory));
    let is_around = |file: &str| [Some(directory), above].contains(&Some(directory_of(file)));
    let taken: Vec<String> = all.keys().filter(|file| is_around(file)).cloned().collect();
    taken.into_iter().filter_map(|path| all.remove_entry(&path)).collect()
}

/// A path from a directory, without `.` and `..`; `None` if it leads out of the top.
fn joined(directory: &str, path: &str) -> Option<String> {
    if path.is_empty() || path.starts_with('/') || path.contains(['\\', '\0']) {
        return None;
    }
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Where a path leads through links; `None` if it leads out of the top, or through too many.
fn resolve(path: &str, links: &Targets) -> Option<String> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        let mut found = ends.filter_map(|end| Some((end, links.get(&path[..end])?)));
        let Some((end, target)) = found.next() else { return Some(path) };
        let target = target.as_ref().ok()?;
        let rest = path[end..].trim_start_matches('/');
        path = match (target.is_empty(), rest.is_empty()) {
            (_, true) => target.clone(),
            (true, _) => rest.to_owned(),
            (false, false) => format!("{target}/{rest}"),
        };
    }
    None
}

/// Adds the directories that a text names: strings that start with `./` or `../`. If an escape may hide
/// a part of one, all directories are meant.
fn add_named(directory: &str, text: &[u8], named: &mut BTreeSet<String>) {
    for start in memchr::memmem::find_iter(text, b"\".") {
        let path = &text[start + 1..];
        let end = path.iter().position(|byte| matches!(byte, b'"' | b'\n' | b'$' | b'%'));
        let path = &path[..end.unwrap_or(0)];
        match str::from_utf8(path) {
            Ok(path) if path.contains('\\') => {
                named.insert(String::new());
            }
            Ok(path) if path == ".." || path.starts_with("./") || path.starts_with("../") => {
                named.extend(joined(directory, path));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_below_a_path() {
        let all = ["a", "a-b/x", "a.b", "a/b", "a/b/c", "a0", "b"];
        let mut all: BTreeMap<String, ()> = all.map(|path| (path.to_owned(), ())).into();
        let below: Vec<String> = take_below(&mut all, "a").into_keys().collect();
        assert_eq!(below, ["a", "a/b", "a/b/c"]);
        assert!(all.keys().eq(["a-b/x", "a.b", "a0", "b"]));
    }

    #[test]
    fn links_are_resolved_below_the_top() {
        let links = [("a", "b"), ("b", "c/d"), ("x", "y"), ("y", "x"), ("top", "")];
        let mut links: Targets =
            links.map(|(from, to)| (from.to_owned(), Ok(to.to_owned()))).into();
        links.insert("out".into(), Err(OUTSIDE));
        let to = |path| resolve(path, &links);
        assert_eq!(to("a/e").as_deref(), Some("c/d/e"));
        assert_eq!(to("e/a").as_deref(), Some("e/a"));
        assert_eq!(to("top/a").as_deref(), Some("c/d"));
        assert_eq!((to("x/z"), to("out/z")), (None, None));
        assert_eq!(joined("a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(joined("a", ".."), Some(String::new()));
        for path in ["/a", "../../a", "", "..\\a"] {
            assert_eq!(joined("a", path), None, "{path}");
        }
    }

    #[test]
    fn directories_that_a_text_names() {
        let mut named = BTreeSet::new();
        let text =
            br#"source = "../net"; x = "../../top/${y}" "..." "../a\u002fb" "../up" "./c" ".c/" ".."#;
        add_named("stacks/app", text, &mut named);
        assert_eq!(Vec::from_iter(named), ["", "stacks/app/c", "stacks/net", "stacks/up", "top"]);
    }
}
