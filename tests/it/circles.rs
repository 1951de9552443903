//! Imports between files run in one direction: no file imports itself, directly or indirectly.
//!
//! A re-export (`pub use`) is not an import: a file that imports the name from there imports the
//! file that defines it. A module may use the names that it re-exports, since some types contain
//! one another, such as a node and an object. Test modules may import what they test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::layers::rust_files;

/// The path of a module or of an item, from the root of the crate.
type ItemPath = Vec<String>;

/// The definitions, imports and re-exports of a file.
#[derive(Default)]
struct File {
    defined: BTreeSet<String>,
    /// The origin of each imported name.
    names: BTreeMap<String, ItemPath>,
    /// All paths to other files, except re-exports.
    used: BTreeSet<ItemPath>,
}

/// Returns the code of a file without comments, string literals and test modules.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = text.lines().map(|line| line.split("//").next().unwrap());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Reads `use` trees, and returns each path with its name in the file.
fn leaves(tree: &str, before: &[&str], found: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    if let Some((head, rest)) = tree.split_once('{') {
        let mut path = before.to_vec();
        path.extend(head.split("::").map(str::trim).filter(|part| !part.is_empty()));
        let (mut depth, mut start) = (0, 0);
        let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
        for (at, character) in inner.char_indices().chain([(inner.len(), ',')]) {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    leaves(&inner[start..at], &path, found);
                    start = (at + 1).min(inner.len());
                }
                _ => {}
            }
        }
    } else if !tree.is_empty() {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path: Vec<&str> =
            before.iter().copied().chain(path.split("::").map(str::trim)).collect();
        if path.last() == Some(&"self") {
            path.pop();
        }
        let name = if name.is_empty() { path.last().copied().unwrap_or_default() } else { name };
        found.push((path.iter().map(|part| (*part).to_owned()).collect(), name.trim().to_owned()));
    }
}

/// Returns the segments of the path at the start of `code`.
fn words(code: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = code;
    loop {
        let len = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
        words.push(rest[..len].to_owned());
        match rest[len..].strip_prefix("::") {
            Some(behind) if behind.starts_with(|c: char| c == '_' || c.is_alphabetic()) => {
                rest = behind
            }
            _ => return words,
        }
    }
}

struct Crate {
    files: BTreeMap<ItemPath, File>,
}

impl Crate {
    fn read(src: &Path) -> Self {
        let mut paths: Vec<PathBuf> = Vec::new();
        rust_files(src, &mut paths);
        let module = |path: &Path| -> ItemPath {
            let relative = path.strip_prefix(src).unwrap().with_extension("");
            let parts = relative.iter().map(|part| part.to_str().unwrap().to_owned());
            parts.filter(|part| !["mod", "lib", "main"].contains(&part.as_str())).collect()
        };
        let is_test = |path: &ItemPath| path.last().is_some_and(|last| last == "tests");
        let modules: BTreeMap<ItemPath, PathBuf> = paths
            .into_iter()
            .map(|path| (module(&path), path))
            .filter(|(path, _)| !is_test(path))
            .collect();
        let known: BTreeSet<ItemPath> = modules.keys().cloned().collect();
        let files = modules.iter().map(|(module, path)| {
            (module.clone(), File::read(module, &code(&fs::read_to_string(path).unwrap()), &known))
        });
        Self { files: files.collect() }
    }

    /// Returns the file that defines the item at a path.
    fn defines(&self, path: &[String], steps: usize) -> Option<&ItemPath> {
        let len = (0..=path.len()).rev().find(|&len| self.files.contains_key(&path[..len]))?;
        let (module, file) = self.files.get_key_value(&path[..len])?;
        let Some(name) = path.get(len) else { return Some(module) };
        match file.names.get(name) {
            Some(target) if steps > 0 && !file.defined.contains(name) => {
                let target: Vec<String> = target.iter().chain(&path[len + 1..]).cloned().collect();
                self.defines(&target, steps - 1)
            }
            _ => Some(module),
        }
    }

    /// Returns the files that each file imports.
    fn imports(&self) -> BTreeMap<&ItemPath, BTreeSet<&ItemPath>> {
        let of = |module, file: &File| {
            let imported = file.used.iter().filter_map(|path| self.defines(path, 8));
            imported.filter(|imported| *imported != module).collect()
        };
        self.files.iter().map(|(module, file)| (module, of(module, file))).collect()
    }
}

impl File {
    fn read(module: &ItemPath, code: &str, known: &BTreeSet<ItemPath>) -> Self {
        let mut file = Self::default();
        for keyword in
            ["struct", "enum", "fn", "trait", "type", "const", "static", "mod", "macro_rules!"]
        {
            for (at, _) in code.match_indices(&format!("{keyword} ")) {
                file.defined.insert(words(&code[at + keyword.len() + 1..])[0].clone());
            }
        }
        let absolute = |path: &[String]| -> Option<ItemPath> {
            let supers = path.iter().take_while(|part| *part == "super").count();
            let (around, rest) = match path.first()?.as_str() {
                "crate" => (0, 1),
                "self" => (module.len(), 1),
                "super" => (module.len().checked_sub(supers)?, supers),
                first => {
                    let child = [module.as_slice(), &[first.to_owned()]].concat();
                    known.contains(&child).then_some((module.len(), 0))?
                }
            };
            Some(module[..around].iter().chain(&path[rest..]).cloned().collect())
        };
        let mut rest = String::new();
        let mut handed_on = BTreeSet::new();
        for statement in code.split_inclusive(';') {
            let Some(at) = statement.rfind("use ").filter(|&at| {
                statement.ends_with(';') && statement[..at].ends_with(['\n', ' ']) | (at == 0)
            }) else {
                rest.push_str(statement);
                continue;
            };
            let before = statement[..at].trim_end().lines().last().unwrap_or_default().trim();
            let is_handed_on = before.starts_with("pub");
            let mut found = Vec::new();
            leaves(statement[at + 4..].trim_end_matches(';'), &[], &mut found);
            for (path, name) in found {
                let Some(path) = absolute(&path) else { continue };
                if is_handed_on {
                    handed_on.insert(name.clone());
                } else {
                    file.used.insert(path.clone());
                }
                file.names.insert(name, path);
            }
        }
        let is_start = |at: usize| {
            !rest[..at].ends_with(|c: char| c == '_' || c == ':' || c.is_alphanumeric())
        };
        for (at, _) in rest.match_indices("::") {
            let start =
                rest[..at].rfind(|c: char| c != '_' && !c.is_alphanumeric()).map_or(0, |at| at + 1);
            if start == at || !is_start(start) {
                continue;
            }
            let path = words(&rest[start..]);
            if handed_on.contains(&path[0]) {
                continue;
            }
            let imported = file.names.get(&path[0]);
            let path = match imported {
                Some(imported) => Some(imported.iter().chain(&path[1..]).cloned().collect()),
                None => absolute(&path),
            };
            file.used.extend(path);
        }
        file
    }
}

/// Returns the files that import themselves, directly or indirectly.
fn circles(imports: &BTreeMap<&ItemPath, BTreeSet<&ItemPath>>) -> Vec<String> {
    let mut left: BTreeMap<_, _> = imports.clone();
    // A file without imports of or by the remaining files is not in a circle.
    loop {
        let before = left.len();
        let imported: BTreeSet<_> = left.values().flatten().copied().collect();
        let names: BTreeSet<_> = left.keys().copied().collect();
        left.retain(|file, imports| imported.contains(file) && !imports.is_disjoint(&names));
        if left.len() == before {
            return left.keys().map(|path| path.join("/")).collect();
        }
    }
}

/// The sources of the crates of more than a few files.
const SOURCES: [&str; 8] = [
    "src",
    "cli/src",
    "corpus/generator/src",
    "fuzz/differential/src",
    "python/src",
    "tables/cluster/src",
    "tables/sql/src",
    "tables/src",
];

#[test]
fn no_file_imports_itself_through_others() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for src in SOURCES {
        let all = Crate::read(&root.join(src));
        let imports = all.imports();
        let count: usize = imports.values().map(BTreeSet::len).sum();
        assert!(count > imports.len() / 2, "{src}: found imports to check");
        assert_eq!(circles(&imports), Vec::<String>::new(), "{src}: files in or between circles");
    }
}

#[test]
fn circles_are_found() {
    let file = |path: &[&str], code: &str, known: &[&[&str]]| {
        let owned =
            |path: &[&str]| -> ItemPath { path.iter().map(|part| (*part).to_owned()).collect() };
        let known = known.iter().map(|path| owned(path)).collect();
        (owned(path), File::read(&owned(path), code, &known))
    };
    let modules: [&[&str]; 4] = [&[], &["a"], &["a", "b"], &["a", "c"]];
    let read = |c: &str| {
        let files = [
            file(&[], "mod a;\n", &modules),
            file(&["a"], "mod b;\nmod c;\npub use self::b::{One, Two as Second};\n", &modules),
            file(
                &["a", "b"],
                "use super::c;\nstruct One;\nstruct Two;\nfn f() { c::go() }\n",
                &modules,
            ),
            file(&["a", "c"], c, &modules),
        ];
        Crate { files: files.into() }
    };
    for c in ["use super::One;\n", "fn go(it: super::Second) {}\n", "use crate::a::{One};\n"] {
        assert_eq!(circles(&read(c).imports()), ["a/b", "a/c"], "{c}");
    }
    for c in ["use super::Other;\n", "use std::fmt;\nfn go() {}\n"] {
        assert!(circles(&read(c).imports()).is_empty(), "{c}");
    }
}
