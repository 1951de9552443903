//! The order of the library's layers: a module imports only from earlier layers.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers, lowest first.
const LAYERS: &[&str] = &[
    "span",
    "steps",
    "hash",
    "suggest",
    "glob",
    "relative",
    "command_line",
    "parallel",
    "mapping",
    "arena",
    "position",
    "file",
    "source",
    "compression",
    "encoding",
    "diagnostic",
    "program",
    "fault",
    "report",
    "lexical",
    "word",
    "scan",
    "engine",
    "event",
    "json",
    "write",
    "value",
    "native",
    "reference",
    "structure",
    "format",
    "evaluate",
    "expression",
    "body",
    "document",
    "parsed",
    "hcl2json",
    "stream",
    "functions",
    "spec",
    "serde",
    "show",
    "policy",
    "dialect",
    "hidden",
    "query",
    "convert",
    "diff",
    "edit",
    "module",
    "typed",
    "packer",
    "stacks",
    "facts",
    "directory",
    "tree",
    "rules",
    "terragrunt",
    "terramate",
    "expand",
    "deployments",
    "impact",
    "review",
    "refactor",
    "representation",
    "docs",
    "owned",
    "workspace",
    "ask",
    "plan_file",
    "fuzzing",
];

pub(crate) fn rust_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|&known| known == module)
}

/// Returns the modules in the table of ARCHITECTURE.md, lowest layer first.
fn documented() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md");
    let text = fs::read_to_string(page).unwrap();
    let table = text.lines().skip_while(|line| !line.starts_with("| layer | module |")).skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    let modules = rows.flat_map(|row| row.split('|').nth(2).unwrap().split(','));
    modules.map(|module| module.trim().trim_matches('`').to_owned()).collect()
}

#[test]
fn the_table_of_layers_is_complete() {
    assert_eq!(documented(), LAYERS);
}

#[test]
fn imports_go_down() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let mut seen = 0;
    for file in files {
        let relative = file.strip_prefix(&src).unwrap().to_str().unwrap().to_owned();
        let module = relative.split(['/', '\\', '.']).next().unwrap();
        if module == "lib" {
            continue;
        }
        let own = layer(module).unwrap_or_else(|| panic!("{relative}: {module} is in no layer"));
        for line in fs::read_to_string(&file).unwrap().lines() {
            let code = line.split("//").next().unwrap();
            for path in code.split("crate::").skip(1) {
                let name: String =
                    path.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                // Re-exports at the root and macros have no layer of their own.
                let Some(used) = layer(&name) else { continue };
                assert!(used <= own, "{relative} ({module}) imports {name}: {line}");
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "found imports to check");
}
