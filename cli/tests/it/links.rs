//! Links that lead out of the given paths: nothing is read through them unless the user allows it, and
//! nothing is written through them at all.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;

use crate::tool::{git, json, run, status, stderr, stdout, tree};

const SECRET: &str = "aws_secret_access_key = wJalrXUtnFEMI\n";
const UGLY: &str = "locals { x=1 }\n";

/// Returns a repository with links to files beside it.
fn linked() -> TempDir {
    let outer = tree(&[
        ("outside/credentials", SECRET),
        ("outside/other.tf", UGLY),
        ("outside/module/main.tf", UGLY),
        ("outside/modules.json", SECRET),
        ("repo/main.tf", "module \"m\" {\n  source = \"./m\"\n}\n\nlocals {\n  a = local.x\n}\n"),
    ]);
    let link = |to: &str, from: &str| symlink(to, outer.path().join("repo").join(from)).unwrap();
    link("../outside/credentials", "b.tf");
    link("../outside/other.tf", "c.tf");
    link("../outside/module", "m");
    fs::create_dir_all(outer.path().join("repo/.terraform/modules")).unwrap();
    link("../../../outside/modules.json", ".terraform/modules/modules.json");
    outer
}

/// Whether no file outside of the repository has changed.
fn is_untouched(outer: &Path) -> bool {
    let read = |name: &str| fs::read_to_string(outer.join("outside").join(name)).unwrap();
    let count = fs::read_dir(outer.join("outside")).unwrap().count();
    (read("credentials"), read("other.tf"), read("module/main.tf"), count)
        == (SECRET.to_owned(), UGLY.to_owned(), UGLY.to_owned(), 4)
}

#[test]
fn nothing_is_read_outside() {
    let outer = linked();
    for format in ["human", "json", "concise", "github", "sarif", "junit", "gitlab", "azure"] {
        for level in ["syntax", "module", "values"] {
            let output =
                run(outer.path(), &["check", "--format", format, "--level", level, "repo"]);
            let all = stdout(&output) + &stderr(&output);
            assert!(!all.contains("wJalr"), "{format}: {all}");
            assert!(all.contains("b.tf") && all.contains("outside/credentials"), "{format}: {all}");
            assert_eq!(status(&output), 0, "{format}: {all}");
        }
    }
    for command in ["inspect", "references", "templates", "graph", "config", "expand"] {
        let output = run(outer.path(), &[command, "repo"]);
        let all = stdout(&output) + &stderr(&output);
        assert!(!all.contains("wJalr"), "{command}: {all}");
        assert!(all.contains("outside/"), "{command}: {all}");
    }
    for arguments in [&["query", "**", "repo"][..], &["diff", "repo", "outside"]] {
        let output = run(outer.path(), arguments);
        let all = stdout(&output) + &stderr(&output);
        assert!(!all.contains("wJalr") && all.contains("outside/"), "{arguments:?}: {all}");
    }
    let report = json(&run(outer.path(), &["check", "--format", "json", "repo"]));
    let gaps = report["incomplete"].to_string() + &report["diagnostics"].to_string();
    for link in ["repo/b.tf", "repo/c.tf", "outside/credentials", "outside/module"] {
        assert!(gaps.contains(link), "{link}: {gaps}");
    }
}

#[test]
fn links_are_followed_if_that_is_allowed() {
    let outer = linked();
    let output = run(outer.path(), &["check", "--follow-links", "repo"]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("aws_secret_access_key"), "{}", stdout(&output));
    // A file that is named is read, wherever it is.
    let output = run(outer.path(), &["query", "**", "repo/c.tf"]);
    assert!(stdout(&output).contains("x"), "{}", stdout(&output));
}

/// Shared files are a usual pattern.
#[test]
fn links_within_the_paths_and_the_repository_are_read() {
    let shared = |repo: &TempDir| {
        symlink("../shared/variables.tf", repo.path().join("a/variables.tf")).unwrap();
        symlink("../shared", repo.path().join("a/linked")).unwrap();
    };
    let files = [
        ("a/main.tf", "module \"m\" {\n  source = \"./linked\"\n  v      = var.v\n}\n"),
        ("shared/variables.tf", "variable \"v\" {\n  type = string\n}\n"),
    ];
    let repo = tree(&files);
    shared(&repo);
    let is_read = |paths: &[&str]| {
        let output = run(repo.path(), &[&["check", "--deny", "link-outside"], paths].concat());
        let said = stdout(&output);
        assert_eq!(said.contains("link-outside"), status(&output) == 1, "{said}");
        status(&output) == 0
    };
    assert!(is_read(&["."]));
    assert!(is_read(&["a", "shared"]));
    assert!(!is_read(&["a"]));
    git(repo.path(), &["init", "--quiet"]);
    assert!(is_read(&["a"]));
    assert!(is_read(&["a/main.tf"]));
}

#[test]
fn nothing_is_written_outside() {
    let outer = linked();
    let repo = outer.path().join("repo");
    let follow = "--follow-links";
    let runs = |arguments: &[&str]| {
        let output = run(outer.path(), arguments);
        assert!(is_untouched(outer.path()), "{arguments:?}: {}", stderr(&output));
        output
    };
    runs(&["fmt", "repo"]);
    for arguments in [&["fmt", follow, "repo"][..], &["fmt", "repo/c.tf"]] {
        let output = runs(arguments);
        let said = stderr(&output);
        assert_eq!(status(&output), 2, "{said}");
        assert!(said.contains("cannot write") && said.contains("outside/other.tf"), "{said}");
    }
    // An edit for a syntax error.
    let broken = "{\"locals\": {\"a\": 1,}}";
    fs::write(outer.path().join("outside/fix.tf.json"), broken).unwrap();
    symlink("../outside/fix.tf.json", repo.join("d.tf.json")).unwrap();
    for arguments in
        [&["check", "--fix", follow, "repo"][..], &["check", "--fix", "repo/d.tf.json"]]
    {
        let output = run(outer.path(), arguments);
        assert_eq!(status(&output), 2, "{}", stderr(&output));
        let text = fs::read_to_string(outer.path().join("outside/fix.tf.json")).unwrap();
        assert_eq!(text, broken);
    }
    fs::remove_file(outer.path().join("outside/fix.tf.json")).unwrap();

    // Files of results: a link to a file, one to a file that does not exist, and one to a directory.
    let out = outer.path().join("out");
    for (name, target) in [
        ("main.tf.json", "../outside/other.tf"),
        ("main.tf.json", "../outside/new.json"),
        ("sub", "../outside/module"),
        ("sub", "../outside"),
    ] {
        fs::create_dir_all(&out).unwrap();
        symlink(target, out.join(name)).unwrap();
        fs::create_dir_all(outer.path().join("in/sub/deep")).unwrap();
        fs::write(outer.path().join("in/main.tf"), UGLY).unwrap();
        fs::write(outer.path().join("in/sub/deep/main.tf"), UGLY).unwrap();
        let output = runs(&["convert", "--to", "json", "--out-dir", "out", "in"]);
        assert_eq!(status(&output), 2, "{name} -> {target}: {}", stderr(&output));
        assert!(!outer.path().join("outside/module/deep").exists());
        fs::remove_dir_all(&out).unwrap();
    }
    fs::create_dir_all(&out).unwrap();
    symlink("../outside/other.tf", out.join("x.json")).unwrap();
    symlink("../outside/new.json", out.join("y.json")).unwrap();
    fs::write(outer.path().join("spec.hcl"), "literal {\n  value = 1\n}\n").unwrap();
    for name in ["out/x.json", "out/y.json"] {
        let output = runs(&["decode", "--spec", "spec.hcl", "--out", name, "in/main.tf"]);
        assert_eq!(status(&output), 2, "{}", stderr(&output));
        let output = runs(&["check", "--baseline", name, "--write-baseline", "in"]);
        assert_eq!(status(&output), 2, "{}", stderr(&output));
    }
}

/// Output does not tell what exists outside.
#[test]
fn what_exists_outside_is_not_told() {
    let outer = linked();
    let said = |target: &str, module: &str| {
        let repository = outer.path().join("repo");
        for (link, to) in [("b.tf", target), ("c.tf", target), ("m", module)] {
            fs::remove_file(repository.join(link)).unwrap();
            symlink(to, repository.join(link)).unwrap();
        }
        let check = run(outer.path(), &["check", "--quiet", "--format", "json", "repo"]);
        let units = run(outer.path(), &["graph", "--format", "json", "repo"]);
        let all = [stdout(&check), stderr(&check), stdout(&units), stderr(&units)].concat();
        all.replace("credentials", "X").replace("missing", "X").replace("module", "X")
    };
    let missing = said("../outside/missing", "../outside/missing");
    assert_eq!(said("../outside/credentials", "../outside/module"), missing);
    let below = said("../outside/missing/missing", "../outside/missing/missing");
    assert_eq!(said("../outside/module/missing", "../outside/module/missing"), below);
}

/// Commands that write edit a file once, whatever the number of its names.
#[test]
fn files_with_several_names_are_written_once() {
    let text = "variable \"zone\" {\n  default = \"x\"\n}\nlocals {\n    z = \"${var.zone}\"\n}\n";
    let commands: [&[&str]; 4] = [
        &["fmt", "."],
        &["set", "variable.zone.default", "\"y\"", ".", "--write"],
        &["set", "variable.zone.default", "\"y\"", "b", "a", "--write"],
        &["check", "--fix", "--select", "deprecated-interpolation", "."],
    ];
    for command in commands {
        let repo = tree(&[("common/v.tf", text), ("a/main.tf", ""), ("b/main.tf", "")]);
        git(repo.path(), &["init", "-q"]);
        for module in ["a", "b"] {
            symlink("../common/v.tf", repo.path().join(module).join("v.tf")).unwrap();
        }
        let output = run(repo.path(), command);
        assert_eq!(status(&output), 0, "{command:?} {}", stderr(&output));
        assert!(!stderr(&output).contains("cannot write"), "{command:?} {}", stderr(&output));
        let new = std::fs::read_to_string(repo.path().join("common/v.tf")).unwrap();
        assert_ne!(new, text, "{command:?}");
        assert!(repo.path().join("a/v.tf").is_symlink());
    }
    let repo = tree(&[("common/v.tf", text), ("a/main.tf", "")]);
    symlink("../common/v.tf", repo.path().join("a/v.tf")).unwrap();
    let output = run(repo.path(), &["set", "variable.zone.default", "\"y\"", "."]);
    let patch = stdout(&output);
    assert_eq!(patch.matches("+++ ").count(), 1, "{patch}");
    assert!(patch.contains("+++ b/common/v.tf"), "{patch}");
}
