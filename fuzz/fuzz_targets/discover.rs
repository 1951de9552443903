//! Trees of files with links, odd names and permissions: the same modules for any number of
//! threads, each directory once, and loading them ends.
//!
//! The input is a program: a byte that says what to make, one that says in which directory, and the
//! bytes of a name up to a NUL.
#![no_main]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use simd_hcl::directory::{DiscoverOptions, Discovery, ModuleFiles, discover};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Dialect};

/// Names of configuration, of what hides or replaces it, and of directories of tools.
const NAMES: &[&str] = &[
    "main.tf.json",
    "main.tf",
    "main.tofu.json",
    "a_override.tf.json",
    "t.tftest.json",
    "x.auto.tfvars.json",
    "i.pkr.json",
    "v.auto.pkrvars.json",
    ".gitignore",
    ".ignore",
    ".terraform",
    "modules.json",
    "tests",
    ".git",
    "main.tf.json~",
    ".hidden.tf.json",
];
const TEXTS: &[&str] = &[
    "{}",
    r#"{"module":{"a":{"source":"./a"},"b":{"source":"../"},"c":{"source":"./a/../a"}}}"#,
    r#"{"variable":{"v":{}},"output":{"o":{"value":"${var.v}"}}}"#,
    "*\n!main.tf.json\n",
    "{",
];
const MOST: usize = 40;

/// A name from the input: one that means something, or any bytes that a file system takes.
fn name(bytes: &[u8]) -> Option<PathBuf> {
    let name = match bytes {
        [number] => NAMES[usize::from(*number) % NAMES.len()].as_bytes(),
        _ => bytes.get(..bytes.len().min(200))?,
    };
    let is_path = name.contains(&b'/') || matches!(name, b"" | b"." | b"..");
    (!is_path).then(|| PathBuf::from(OsStr::from_bytes(name)))
}

/// Makes a tree, and returns its directories.
fn build(root: &Path, mut program: &[u8]) -> Vec<PathBuf> {
    let mut directories = vec![root.to_owned()];
    for _ in 0..MOST {
        let [what, place, rest @ ..] = program else { break };
        let len = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        program = rest.get(len + 1..).unwrap_or_default();
        let directory = directories[usize::from(*place) % directories.len()].clone();
        let Some(name) = name(&rest[..len]) else { continue };
        let path = directory.join(name);
        // A step that fails (a name that is taken or too long) is left out.
        match what % 8 {
            0 | 1 => {
                if fs::create_dir(&path).is_ok() {
                    directories.push(path);
                }
            }
            2 => drop(symlink(&directories[usize::from(*what) % directories.len()], &path)),
            3 => drop(symlink(&path, &path)),
            4 => drop(symlink("..", &path)),
            5 => drop(fs::set_permissions(&path, Permissions::from_mode(0))),
            _ => drop(fs::write(&path, TEXTS[usize::from(*place) % TEXTS.len()])),
        }
    }
    directories
}

fn found(paths: &[PathBuf], options: &DiscoverOptions) -> Discovery {
    let discovery = discover(paths, options);
    let mut seen = BTreeSet::new();
    for module in &discovery.modules {
        assert!(seen.insert((module.path.to_string(), module.dialect)), "{:?} twice", module.path);
        assert!(!module.files.is_empty());
        for file in &module.files {
            // Tests belong to the module above theirs.
            let path = file.on_disk().expect("files that are found are on disk");
            assert!(path.ends_with(&file.name), "{path:?} is not {:?}", file.name);
            assert!(fs::symlink_metadata(path).is_ok(), "{path:?} does not exist");
        }
    }
    assert_eq!(
        discovery.modules.is_empty(),
        discovery.nothing.len() + discovery.problems.len() > 0 && seen.is_empty()
    );
    discovery
}

fuzz_target!(|data: &[u8]| {
    let root = tempfile::tempdir().expect("a directory can be made");
    let directories = build(root.path(), data);
    let roots = [root.path().to_owned()];
    for ignore_files in [false, true] {
        let mut options = DiscoverOptions::default().with_threads(1);
        options.respect_ignore_files = ignore_files;
        let one = found(&roots, &options);
        let four = found(&roots, &options.clone().with_threads(4));
        assert_eq!(format!("{one:?}"), format!("{four:?}"));
        // Every directory named as well changes nothing but what is entered only when named.
        let all = found(&directories, &options);
        assert!(all.modules.len() >= one.modules.len());
        let arena = Arena::new();
        let tree = Tree::load(&arena, one.modules, &TreeOptions::default());
        assert!(tree.modules().len() <= 40 * directories.len().max(1) * 16);
        tree.diagnostics().for_each(|found| assert!(!found.detail().is_empty()));
    }
    for directory in &directories {
        if let Ok(listed) = ModuleFiles::list(directory, Dialect::OpenTofu) {
            assert!(
                listed
                    .files
                    .iter()
                    .all(|file| file.on_disk().and_then(Path::parent) == Some(directory))
            );
        }
    }
    // So that the directory can be removed.
    for path in &directories {
        let _ = fs::set_permissions(path, Permissions::from_mode(0o700));
    }
});
