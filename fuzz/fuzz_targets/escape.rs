//! Names that lead out of a folder: in plan files, in lists of installed modules, in calls of
//! modules, and as links. Nothing outside of the folder is written, and a text that only an archive
//! or a list of installed modules leads to is not read.
//!
//! The input is pairs of bytes: what is made, and with which name of `NAMES`. If the command line is
//! built (`target/debug` or `target/release`), its commands that write are run as well.
#![no_main]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use simd_hcl::directory::{DiscoverOptions, MemoryFiles, ModuleFile, discover, in_memory};
use simd_hcl::plan_file::PlanFile;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Source};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Paths of directories, most of which lead to `outside` from some directory.
const NAMES: &[&str] = &[
    "x",
    ".",
    "..",
    "../outside",
    "../../outside",
    "x/../../outside",
    "./../outside",
    "x/../../../outside",
    "/outside",
    "//outside",
    "\\\\outside",
    "..\\outside",
    "..\\..\\outside",
    "C:\\outside",
    "C:outside",
    "OUTSIDE",
    "outside",
    "x//..//../outside",
    "./x/./../..//outside",
    "\0/../outside",
    "",
];

/// A text that is outside, and not in canonical layout.
const SECRET: &str = "locals {\nsecret_of_others=1\n}\n";

/// A text of the attacker.
const EVIL: &str = "locals {\nevil=1\n}\n";

fn archive(manifest: &str, files: &[(String, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    // A plan of version 3 without changes.
    let parts = [("tfplan".to_owned(), "\x08\x03"), ("tfconfig/modules.json".to_owned(), manifest)];
    for (name, content) in parts.iter().chain(files) {
        // Names that the crate does not write are left out.
        if writer.start_file(name.as_str(), SimpleFileOptions::default()).is_ok() {
            writer.write_all(content.as_bytes()).expect("memory");
        }
    }
    writer.finish().expect("memory").into_inner()
}

/// The files below a directory, and the links, by their paths.
fn content(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut left = vec![directory.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => left.push(path),
                Ok(kind) if kind.is_file() => {
                    let text = fs::read(&path).unwrap_or_default();
                    all.insert(path, text);
                }
                _ => {}
            }
        }
    }
    all
}

/// The command line, if it is built.
fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
        let built = ["release", "debug"].map(|kind| target.join(kind).join("simd-hcl"));
        let found = built.into_iter().find(|path| path.exists());
        if found.is_none() {
            eprintln!("skipped: commands that write (simd-hcl is not built)");
        }
        found
    };
    PROGRAM.get_or_init(find).as_deref()
}

fn json(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

fuzz_target!(|data: &[u8]| {
    let root = tempfile::tempdir().expect("a directory can be made");
    let (inside, outside) = (root.path().join("inside"), root.path().join("outside"));
    let list = inside.join(".terraform/modules");
    for directory in [&list, &outside, &inside.join("x"), &inside.join("out")] {
        fs::create_dir_all(directory).expect("a directory can be made");
    }
    fs::write(outside.join("main.tf"), SECRET).expect("a file can be written");
    let outside_name = outside.to_str().expect("the name is UTF-8");

    let mut calls = String::new();
    let (mut manifest, mut installed) = (vec![r#"{"Key":"","Dir":"."}"#.to_owned()], Vec::new());
    let mut parts = vec![("tfconfig/m-/main.tf".to_owned(), EVIL)];
    let mut memory = MemoryFiles::new(outside_name);
    for (number, pair) in data.chunks_exact(2).take(8).enumerate() {
        let name = NAMES[usize::from(pair[1]) % NAMES.len()].replace("OUTSIDE", outside_name);
        let key = format!("k{number}");
        let dir = json(&name);
        match pair[0] % 8 {
            0 => {
                manifest.push(format!(r#"{{"Key":"{key}","Source":"./x","Dir":{dir}}}"#));
                parts.push((format!("tfconfig/m-{key}/main.tf"), EVIL));
            }
            1 => {
                manifest.push(format!(r#"{{"Key":"{key}","Source":{dir},"Dir":{dir}}}"#));
                parts.push((format!("tfconfig/m-{key}/main.tf"), EVIL));
            }
            2 => parts.push((format!("tfconfig/m-/{name}/main.tf"), EVIL)),
            3 => parts.push((format!("{name}/main.tf"), EVIL)),
            4 => {
                calls.push_str(&format!("module \"{key}\" {{\n  source = \"a/b/c\"\n}}\n"));
                installed.push(format!(
                    r#"{{"Key":"{key}","Source":"registry.terraform.io/a/b/c","Dir":{dir}}}"#
                ));
            }
            5 => drop(memory.insert(&format!("{name}/main.tf"), EVIL.as_bytes().into())),
            6 => drop(symlink(&name, list.join(&key))),
            _ => {
                calls.push_str(&format!("module \"{key}\" {{\n  source = \"a/b/c\"\n}}\n"));
                installed.push(format!(
                    r#"{{"Key":"{key}","Source":"registry.terraform.io/a/b/c","Dir":".terraform/modules/k0"}}"#
                ));
            }
        }
    }
    fs::write(inside.join("main.tf"), calls).expect("a file can be written");
    let installed = format!(r#"{{"Modules":[{}]}}"#, installed.join(","));
    fs::write(list.join("modules.json"), installed).expect("a file can be written");
    let bytes = archive(&format!("[{}]", manifest.join(",")), &parts);
    let plan = inside.join("evil.tfplan");
    fs::write(&plan, &bytes).expect("a file can be written");
    let before = content(&outside);
    let beside = fs::read_dir(root.path()).expect("it can be listed").count();

    // No tree reads the text, and nothing of an archive is a file that could be written.
    let secret = SECRET.as_bytes();
    let arena = Arena::new();
    let modules = discover(&[&inside], &DiscoverOptions::default()).modules;
    let tree = Tree::load(&arena, modules, &TreeOptions::default());
    assert!(tree.sources().all(|source| source.bytes() != secret));
    let source = Source::read(&arena, &plan).expect("the plan file can be read");
    let in_plan = PlanFile::open(&arena, source).and_then(|file| file.module_files());
    for modules in [in_plan.unwrap_or_default(), in_memory(memory, None)] {
        let on_disk = |file: &ModuleFile| file.on_disk().is_some() || file.path.disk().is_some();
        assert!(!modules.iter().flat_map(|module| &module.files).any(on_disk));
        let tree = Tree::load(&arena, modules, &TreeOptions::default());
        assert!(tree.sources().all(|source| source.path().is_none()));
        assert!(tree.sources().all(|source| source.bytes() != secret));
    }

    if let Some(program) = program() {
        for arguments in [
            &["fmt", "evil.tfplan", "."][..],
            &["check", "--fix", "evil.tfplan", "."],
            &["convert", "--to", "json", "--out-dir", "out", "evil.tfplan"],
            &["convert", "--to", "json", "--out-dir", "out", "."],
        ] {
            let mut command = Command::new(program);
            command.args(arguments).current_dir(&inside).stdin(Stdio::null());
            let output = command.output().expect("the program starts");
            assert!(output.status.code().is_some(), "{arguments:?}");
            for text in [&output.stdout, &output.stderr] {
                let text = String::from_utf8_lossy(text);
                assert!(!text.contains("secret_of_others"), "{arguments:?}: {text}");
            }
        }
    }
    assert_eq!(content(&outside), before);
    assert_eq!(fs::read_dir(root.path()).expect("it can be listed").count(), beside);
});
