//! The cases of `corpus/conformance`. They are packed in [archives](crate::archive), one for each
//! group; tests read them from directories, into which they are unpacked beside the test program.
//!
//! A set is a directory of `corpus/conformance`, such as `terraform`. Its archive `GROUP.txt` has the
//! cases `SET/GROUP/CASE`; that of a set with one group is `cases.txt`, and has the cases `SET/CASE`.
//!
//! With the environment variable `SIMD_HCL_CASE`, only cases are tested whose path contains its value.
//!
//! Everything here is for tests, and panics if the corpus is not what it should be.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::hash::Hasher as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::archive::Archive;

/// The directory of the archives.
const CONFORMANCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../conformance");

/// After this time, cases that were unpacked from other versions of an archive are removed.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// The sets.
pub const SETS: [&str; 7] =
    ["expand", "expand-state", "hcl-json", "opentofu", "packer", "terraform", "test-files"];

fn must<T, E: std::fmt::Display>(result: Result<T, E>, path: &Path) -> T {
    result.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Whether a name is one of a case: `NNN-name`.
fn is_case(name: &[u8]) -> bool {
    name.iter().take_while(|byte| byte.is_ascii_digit()).count() == 3 && name.get(3) == Some(&b'-')
}

/// The archives of a set, sorted, with their texts.
fn archives(set: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut directories = vec![Path::new(CONFORMANCE).join(set)];
    while let Some(directory) = directories.pop() {
        for entry in must(fs::read_dir(&directory), &directory) {
            let path = must(entry, &directory).path();
            if path.is_dir() {
                let name = path.file_name().unwrap_or_default();
                let is_case = is_case(name.as_encoded_bytes());
                assert!(!is_case, "{}: `archive.py pack` it, and remove it", path.display());
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "txt") {
                let text = must(fs::read(&path), &path);
                found.push((path, text));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "{set}: a set of corpus/conformance with archives");
    found
}

/// The directory of the cases of an archive: `SET/GROUP`, or `SET`.
fn group_of(archive: &Path) -> PathBuf {
    let group = must(archive.strip_prefix(CONFORMANCE), archive).with_extension("");
    match group.file_name() {
        Some(name) if name == "cases" => group.parent().unwrap_or(&group).to_owned(),
        _ => group,
    }
}

/// The directory into which cases are unpacked: `conformance` beside the programs of this build.
fn base() -> PathBuf {
    // `target/debug/deps/it-…`. WebAssembly does not tell.
    let program = env::current_exe().ok();
    let build = program.as_deref().and_then(|it| it.ancestors().nth(2)).map(Path::to_owned);
    build.unwrap_or_else(|| Path::new(CONFORMANCE).join("../../target")).join("conformance")
}

/// Returns the directory with the cases of a set, which is called as the set, unpacked.
///
/// Cost: reads the archives. Files are written once for each version of them, not for each process.
pub fn conformance(set: &str) -> PathBuf {
    static UNPACKED: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut unpacked = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
    unpacked.entry(set.to_owned()).or_insert_with(|| unpack(set)).clone()
}

fn unpack(set: &str) -> PathBuf {
    let archives = archives(set);
    // The name of a directory needs no secret key.
    #[allow(clippy::disallowed_types)]
    let mut hasher = std::hash::DefaultHasher::new();
    for (path, text) in &archives {
        hasher.write(group_of(path).as_os_str().as_encoded_bytes());
        hasher.write(text);
    }
    let base = base();
    must(fs::create_dir_all(&base), &base);
    let version = base.join(format!("{set}.{:016x}", hasher.finish()));
    if !version.exists() {
        let new = new_directory(&version);
        for (path, text) in &archives {
            let group = new.join(group_of(path));
            for (name, files) in must(Archive::parse(text), path).cases {
                let is_case = is_case(name.as_bytes());
                assert!(is_case, "{}: {name}: not `NNN-name`", path.display());
                for (file, bytes) in files {
                    let file = group.join(&name).join(file);
                    let directory = file.parent().unwrap_or(&file);
                    must(fs::create_dir_all(directory), directory);
                    must(fs::write(&file, bytes), &file);
                }
            }
        }
        // Another process may have been faster.
        if let Err(error) = fs::rename(&new, &version) {
            assert!(version.exists(), "{}: {error}", version.display());
            let _ = fs::remove_dir_all(&new);
        }
        remove_others(set, &version);
    }
    version.join(set)
}

/// Creates a directory beside `version`.
fn new_directory(version: &Path) -> PathBuf {
    let mut number = 0;
    loop {
        let mut path = version.as_os_str().to_owned();
        path.push(format!(".{number}"));
        let path = PathBuf::from(path);
        match fs::create_dir(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            created => {
                must(created, &path);
                return path;
            }
        }
    }
}

/// Removes what was unpacked of a set some time ago.
fn remove_others(set: &str, version: &Path) {
    let entries = version.parent().and_then(|base| fs::read_dir(base).ok());
    for path in entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_of_set = name.strip_prefix(set).is_some_and(|rest| rest.starts_with('.'));
        let age = || path.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_of_set && path != version && age().is_some_and(|age| age > KEPT) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Returns the directories of the cases of a set or of a group, `terraform` or `hcl-json/expr`, sorted:
/// those that are asked for.
pub fn cases(within: &str) -> Vec<PathBuf> {
    let (set, group) = within.split_once('/').unwrap_or((within, ""));
    let mut cases = Vec::new();
    let mut directories = vec![conformance(set).join(group)];
    while let Some(directory) = directories.pop() {
        for entry in must(fs::read_dir(&directory), &directory) {
            let path = must(entry, &directory).path();
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            match is_case(name) {
                true => cases.push(path),
                false => directories.push(path),
            }
        }
    }
    cases.sort();
    assert!(!cases.is_empty(), "{within}: there are no cases");
    if let Ok(part) = env::var("SIMD_HCL_CASE") {
        cases.retain(|case| name_of(case).contains(&part));
    }
    cases
}

/// Returns the files of a folder of the corpus, or of all of it (`""`), sorted; of `conformance`, those of
/// the cases instead of the archives.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    let mut directories = vec![corpus.join(folder)];
    while let Some(directory) = directories.pop() {
        for entry in must(fs::read_dir(&directory), &directory) {
            let path = must(entry, &directory).path();
            let set = SETS.iter().find(|set| path.ends_with(format!("conformance/{set}")));
            if let Some(set) = set {
                directories.push(conformance(set));
            } else if path.is_dir() {
                directories.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Whether all cases are tested: what has to be true of all of them may be false of some.
#[must_use]
pub fn are_all() -> bool {
    env::var_os("SIMD_HCL_CASE").is_none()
}

/// The name of a case: `terraform/forms/001-args-variable-type`.
#[must_use]
pub fn name_of(case: &Path) -> String {
    let base = base();
    let inside = must(case.strip_prefix(&base), case);
    let parts: Vec<_> = inside.iter().skip(1).map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// Replaces a file of a case in its archive; `None` removes it. The unpacked file stays as it is.
pub fn bless(case: &Path, file: &str, bytes: Option<&[u8]>) {
    static WRITING: Mutex<()> = Mutex::new(());
    let _lock = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let name = name_of(case);
    let of_case = |(path, _): &(PathBuf, Vec<u8>)| {
        group_of(path) == Path::new(&name).parent().unwrap_or(Path::new(""))
    };
    let set = name.split('/').next().unwrap_or_default();
    let Some((path, text)) = archives(set).into_iter().find(of_case) else {
        panic!("{name}: there is no archive with the case");
    };
    let mut archive = must(Archive::parse(&text), &path);
    let last = name.rsplit('/').next().unwrap_or_default();
    let Some(files) = archive.cases.get_mut(last) else { panic!("{name}: no such case") };
    match bytes {
        Some(bytes) => files.insert(file.to_owned(), bytes.to_owned()),
        None => files.remove(file),
    };
    let new = archive.to_bytes();
    if new != text {
        must(fs::write(&path, new), &path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text that a program writes differs from the text that people wrote only where they meant it.
    #[test]
    fn archives_are_as_they_are_written() {
        for set in SETS {
            for (path, text) in archives(set) {
                let archive = Archive::parse(&text).unwrap();
                let place = path.display();
                assert!(archive.to_bytes() == text, "{place}: run `archive.py sort` on it");
            }
        }
    }

    #[test]
    fn cases_are_those_of_the_archives() {
        let case = conformance("terraform").join("native/forms/204-files-ignored-names");
        assert_eq!(name_of(&case), "terraform/native/forms/204-files-ignored-names");
        assert!(!are_all() || cases("terraform").contains(&case));
        assert!(case.join("dir/s .tf").is_file());
        let archives = archives("packer");
        let [(path, text)] = archives.as_slice() else { panic!("one archive") };
        let count = Archive::parse(text).unwrap().cases.len();
        assert!(!are_all() || cases("packer").len() == count, "{}", path.display());
        let files = files("conformance");
        let has = |end: &str| files.iter().any(|path| path.ends_with(end));
        assert!(has("204-files-ignored-names/dir/s .tf") && has("hcldec/cases.txt"));
        assert!(!has("terraform/forms.txt"));
    }
}
