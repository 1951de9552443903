//! The modules that are compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use simd_hcl_corpus::{ConfigOptions, NativeOptions, config_bytes, native_bytes};
use tempfile::TempDir;

/// A directory of configuration, and what is below it.
#[derive(Clone)]
pub(super) struct Module {
    pub(super) name: String,
    /// By path, with `/`.
    pub(super) files: BTreeMap<String, Vec<u8>>,
}

/// Endings of files in native syntax, and of the same files in JSON.
const ENDINGS: [(&str, &str); 10] = [
    (".tf", ".tf.json"),
    (".tofu", ".tofu.json"),
    (".tfvars", ".tfvars.json"),
    (".tftest.hcl", ".tftest.json"),
    (".tofutest.hcl", ".tofutest.json"),
    (".tfmock.hcl", ".tfmock.json"),
    (".tofumock.hcl", ".tofumock.json"),
    (".tfquery.hcl", ".tfquery.json"),
    (".pkr.hcl", ".pkr.json"),
    (".pkrvars.hcl", ".pkrvars.json"),
];

/// Whether the name is that of a native file, and whether it is that of a JSON file.
pub(super) fn syntax_of(name: &str) -> [bool; 2] {
    let is_json = ENDINGS.iter().any(|(_, json)| name.ends_with(json));
    [ENDINGS.iter().any(|(native, _)| name.ends_with(native)), is_json]
}

impl Module {
    /// Writes the files to a new directory with this name.
    pub(super) fn write(&self, base: &Path, name: &str) -> PathBuf {
        let directory = base.join(name);
        for (path, bytes) in &self.files {
            let path = directory.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        directory
    }

    /// Returns the files of the directory itself that are configuration.
    pub(super) fn own_files(&self) -> Vec<&str> {
        let names = self.files.keys().map(String::as_str).filter(|path| !path.contains('/'));
        names.filter(|name| syntax_of(name).contains(&true)).collect()
    }
}

/// Returns at most this many of the modules, spread over all of them.
pub(super) fn some(most: usize, is_wanted: impl Fn(&Module) -> bool) -> Vec<Module> {
    static ALL: OnceLock<Vec<Module>> = OnceLock::new();
    let all = ALL.get_or_init(all);
    let wanted: Vec<&Module> = all.iter().filter(|module| is_wanted(module)).collect();
    let step = wanted.len().div_ceil(most).max(1);
    // The first ones are generated.
    wanted.into_iter().step_by(step).cloned().collect()
}

fn all() -> Vec<Module> {
    let mut modules = generated();
    for set in ["terraform", "opentofu", "expand", "packer", "test-files"] {
        for case in simd_hcl_corpus::cases(set) {
            let directory = if case.join("dir").is_dir() { case.join("dir") } else { case };
            modules.extend(read(&directory));
        }
    }
    let monorepo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/monorepo");
    for part in ["payments", "modules", "images", "localisation", "sandbox"] {
        modules.extend(read(&monorepo.join(part)));
    }
    match std::env::var_os("SIMD_HCL_DATA") {
        Some(data) => modules.extend(real(Path::new(&data))),
        None => println!("skipped: agreement about real modules (SIMD_HCL_DATA names no folder)"),
    }
    assert!(modules.len() > 1000, "{} modules", modules.len());
    modules
}

fn generated() -> Vec<Module> {
    let native = NativeOptions { resources: 12, ..NativeOptions::default() };
    let json = ConfigOptions { resources: 12, ..ConfigOptions::default() };
    let module = |name: &str, file: &str, bytes| Module {
        name: name.to_owned(),
        files: BTreeMap::from([(file.to_owned(), bytes)]),
    };
    vec![
        module("generated native", "main.tf", native_bytes(&native)),
        module("generated JSON", "main.tf.json", config_bytes(&json)),
    ]
}

/// Modules of OpenTofu's own tests and of public repositories.
fn real(data: &Path) -> Vec<Module> {
    let mut modules = Vec::new();
    for (archive, below) in [
        ("upstream/corpus.tar.gz", "corpus/opentofu/tree"),
        ("wild/corpus.tar.gz", "corpus/config"),
    ] {
        let directory = TempDir::new().unwrap();
        let mut tar = Command::new("tar");
        tar.arg("xzf").arg(data.join(archive)).arg("-C").arg(directory.path());
        match tar.status() {
            Ok(status) if status.success() => {}
            _ => {
                println!(
                    "skipped: agreement about real modules ({archive} is not there, or no tar)"
                );
                continue;
            }
        }
        let mut work = vec![directory.path().join(below)];
        while let Some(path) = work.pop() {
            // A module with those below it, unless it has none itself.
            let module = read(&path).filter(|module| !module.own_files().is_empty());
            match module {
                Some(module) => modules.push(module),
                None => {
                    let entries = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
                    let mut below: Vec<_> = entries.filter(|path| path.is_dir()).collect();
                    below.sort();
                    work.extend(below);
                }
            }
        }
    }
    modules
}

/// Reads a directory; `None` if it has too much, or names that are not UTF-8.
fn read(directory: &Path) -> Option<Module> {
    const MOST_BYTES: usize = 300_000;
    let (mut files, mut bytes, mut work) = (BTreeMap::new(), 0, vec![directory.to_owned()]);
    while let Some(path) = work.pop() {
        for entry in fs::read_dir(&path).ok()? {
            let path = entry.ok()?.path();
            if path.is_symlink() {
                return None;
            } else if path.is_dir() {
                work.push(path);
            } else {
                let content = fs::read(&path).ok()?;
                bytes += content.len();
                let name = path.strip_prefix(directory).ok()?.to_str()?.to_owned();
                files.insert(name, content);
            }
        }
        if bytes > MOST_BYTES {
            return None;
        }
    }
    let parts: Vec<_> = directory.iter().rev().take(3).map(|it| it.to_string_lossy()).collect();
    let name = parts.into_iter().rev().collect::<Vec<_>>().join("/");
    Some(Module { name, files })
}
