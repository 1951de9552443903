//! `diff`: differences between two configurations.

use crate::tool::{feed_bytes, git, json, list, run, simd_hcl, status, stderr, stdout, tree};

#[test]
fn diff_compares_directories_and_files() {
    let tree = tree(&[
        (
            "old/a/main.tf.json",
            r#"{"locals": {"x": 1, "y": [1]}, "variable": {"gone": {"default": 1}}}"#,
        ),
        ("old/b/main.tf.json", r#"{"locals": {"z": 1}}"#),
        ("new/a/one.tf.json", r#"{"locals": {"y": [2], "x": 1.0}}"#),
        ("new/a/two.tf.json", r#"{"output": {"o": {"value": "${local.x}"}}}"#),
        ("new/b/main.tf.json", r#"{"locals": [{"z": 1}]}"#),
    ]);
    let output = run(tree.path(), &["diff", "old", "new"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), "~ a:local.y\n    [0]: 1 -> 2\n+ a:output.o\n- a:var.gone\n");
    let output = run(tree.path(), &["diff", "old", "new", "--format", "json", "--exit-code"]);
    assert_eq!(status(&output), 1);
    let rows = list(&output, "differences");
    assert_eq!(rows[0]["module"], "a");
    assert_eq!(rows[0]["action"], "changed");
    assert_eq!(rows[0]["leaves"][0]["path"], "[0]");
    assert_eq!(rows[0]["leaves"][0]["after"], 2);
    assert_eq!(rows[0]["before_range"]["filename"], "old/a/main.tf.json");
    assert_eq!(rows[1]["leaves"][0]["after"], "${local.x}");
    assert!(rows[2].get("after_range").is_none());
    let files = run(tree.path(), &["diff", "old/b/main.tf.json", "new/b/main.tf.json"]);
    assert_eq!((status(&files), stdout(&files)), (0, String::new()));
}

#[test]
fn diff_does_not_compare_what_it_cannot_read() {
    let tree = tree(&[
        ("old/main.tf.json", r#"{"locals": {"x": 1}}"#),
        ("new/main.tf.json", r#"{"locals": {"x": 1"#),
    ]);
    let output = run(tree.path(), &["diff", "old", "new"]);
    assert_eq!((status(&output), stdout(&output)), (1, String::new()));
    assert!(stderr(&output).contains("new/main.tf.json"));
    let missing = run(tree.path(), &["diff", "old", "neither-a-path-nor-a-revision"]);
    assert_eq!(status(&missing), 2);
}

#[test]
fn diff_reads_revisions() {
    let tree = tree(&[
        ("stack/main.tf.json", r#"{"locals": {"x": 1}}"#),
        ("odd \"name\"/a.tf.json", "{}"),
    ]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
    std::fs::write(path.join("stack/main.tf.json"), r#"{"locals": {"x": 2}}"#).unwrap();
    std::fs::create_dir(path.join("fresh")).unwrap();
    std::fs::write(path.join("fresh/main.tf.json"), r#"{"locals": {"n": 1}}"#).unwrap();

    let output = run(path, &["diff", "HEAD", "."]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), "+ fresh:local.n\n~ stack:local.x\n    value: 1 -> 2\n");
    // The default of the second one is the current directory.
    assert_eq!(
        stdout(&run(&path.join("stack"), &["diff", "HEAD"])),
        "~ local.x\n    value: 1 -> 2\n"
    );
    assert_eq!(stdout(&run(path, &["diff", "HEAD", "fresh"])), "+ local.n\n");

    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "two"]);
    let output = run(path, &["diff", "HEAD~1", "HEAD:stack", "--format", "json"]);
    let output_of_both = run(path, &["diff", "HEAD~1:stack", "HEAD:stack", "--format", "json"]);
    let rows = list(&output_of_both, "differences");
    assert_eq!(rows[0]["before_range"]["filename"], "HEAD~1:stack/main.tf.json");
    assert_eq!(status(&output), 0);
    // Files of a revision that cannot be read have their name in the revision.
    std::fs::write(path.join("stack/main.tf.json"), "{").unwrap();
    std::fs::write(path.join("stack/more.tf"), "").unwrap();
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "three"]);
    let output = run(path, &["diff", "HEAD", "HEAD~1"]);
    let errors = stderr(&output);
    assert!(errors.contains("HEAD:stack/main.tf.json:1:"), "{errors}");
    assert!(!errors.contains("tmp"), "{errors}");
    let output = run(path, &["diff", "--", "--output=x", "."]);
    assert_eq!(status(&output), 2);
}

#[test]
fn diff_says_which_file_of_a_revision_is_broken() {
    let tree = tree(&[("main.tf.json", r#"{"locals": "#)]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "-qm", "one"]);
    std::fs::write(tree.path().join("main.tf.json"), "{}").unwrap();
    let output = run(tree.path(), &["diff", "HEAD"]);
    assert_eq!((status(&output), stdout(&output)), (1, String::new()));
    let errors = stderr(&output);
    assert!(errors.contains("HEAD:main.tf.json:1:"), "{errors}");
    assert!(errors.contains("incomplete: HEAD:main.tf.json"), "{errors}");
}

/// Writes a tree object, or a commit of one.
fn make_tree(directory: &std::path::Path, entries: &str) -> String {
    let mut make = std::process::Command::new("git");
    make.current_dir(directory).arg("mktree").arg("--missing");
    let output = feed_bytes(make, entries.as_bytes());
    assert_eq!(status(&output), 0, "git mktree makes any tree: {}", stderr(&output));
    stdout(&output).trim().to_owned()
}

/// Git trees may have entries that no file system allows.
#[test]
fn diff_refuses_trees_that_lead_out() {
    let tree = tree(&[("tmp/x", ""), ("a.tf.json", "{}")]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    let blob = git(path, &["hash-object", "-w", "a.tf.json"]);
    let inner = make_tree(path, &format!("100644 blob {}\tevil.tf.json\n", blob.trim()));
    let outer = make_tree(path, &format!("040000 tree {inner}\t..\n"));
    let commit = git(path, &["commit-tree", "-m", "evil", &outer]);
    let mut diff = simd_hcl(&["diff", commit.trim(), "."]);
    let output = diff.current_dir(path).env("TMPDIR", path.join("tmp")).output().unwrap();
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert!(stderr(&output).contains("invalid path in the revision"), "{}", stderr(&output));
    let left: Vec<_> = std::fs::read_dir(path.join("tmp")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// A revision is read in memory: no directory for temporary files is needed.
#[cfg(unix)]
#[test]
fn revisions_need_no_temporary_directory() {
    let tree = tree(&[("m/main.tf", "locals {\n  a = 1\n}\n")]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
    std::fs::write(path.join("m/main.tf"), "locals {\n  a = 2\n}\n").unwrap();
    for command in [["diff", "HEAD", "."], ["affected", "--since", "HEAD"]] {
        let mut command = simd_hcl(&command);
        let output =
            command.current_dir(path).env("TMPDIR", "/no/such/directory").output().unwrap();
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).contains("local.a"), "{}", stdout(&output));
    }
}

/// A tree of a few hundred bytes that lists more files than fit in any memory, and a large object.
#[test]
fn revisions_have_limits() {
    let tree = tree(&[("a.tf.json", "{}"), ("big.tf", &" ".repeat(1 << 20))]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    let blob = git(path, &["hash-object", "-w", "a.tf.json"]);
    let entries = |kind: &str, hash: &str, name: &str| {
        let entry = |number| format!("{kind} {hash}\t{number}{name}\n");
        (0..10).map(entry).collect::<String>()
    };
    let mut bomb = make_tree(path, &entries("100644 blob", blob.trim(), ".tf.json"));
    for _ in 0..8 {
        bomb = make_tree(path, &entries("040000 tree", &bomb, "d"));
    }
    let commit = git(path, &["commit-tree", "-m", "bomb", &bomb]);
    for command in [&["diff", commit.trim(), "."][..], &["affected", "--since", commit.trim()]] {
        let limited = [command, &["--max-decompressed", "10000000"]].concat();
        let output = run(path, &limited);
        assert_eq!(status(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains("--max-decompressed"), "{}", stderr(&output));
    }
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
    let output = run(path, &["diff", "HEAD", ".", "--max-decompressed", "1000000"]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert!(stderr(&output).contains("--max-decompressed"), "{}", stderr(&output));
    assert_eq!(status(&run(path, &["diff", "HEAD", "."])), 0);
}

/// Links of a revision are followed inside of its tree, and nothing that it lacks seems to have changed.
#[cfg(unix)]
#[test]
fn links_submodules_and_pointers_of_revisions() {
    use std::os::unix::fs::symlink;
    let tree = tree(&[
        ("shared/common.tf", "variable \"region\" {\n  default = \"a\"\n}\n"),
        ("shared/secret/main.tf", "variable \"key\" {\n  sensitive = true\n}\n"),
        ("app/main.tf", "output \"r\" {\n  value = var.region\n}\n"),
        ("calls/main.tf", "module \"m\" {\n  source = \"./linked\"\n  key    = \"Tr0ub4dor\"\n}\n"),
        ("lfs/a.tf", "locals {\n  x = 1\n}\n"),
        ("odd/a.tf", "locals {\n  y = 1\n}\n"),
        ("out/b.tf", "locals {\n  z = 1\n}\n"),
    ]);
    let path = tree.path();
    symlink("../shared/common.tf", path.join("app/common.tf")).unwrap();
    symlink("../shared/secret", path.join("calls/linked")).unwrap();
    symlink("linked/main.tf", path.join("calls/more.tf")).unwrap();
    symlink("../../elsewhere.tf", path.join("out/a.tf")).unwrap();
    symlink("a.tf", path.join("odd/b.tf")).unwrap();
    symlink("c.tf", path.join("odd/c.tf")).unwrap();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n";
    std::fs::write(path.join("pointer"), pointer).unwrap();
    let blob = git(path, &["hash-object", "-w", "pointer"]);
    git(path, &["update-index", "--cacheinfo", &format!("100644,{},lfs/a.tf", blob.trim())]);
    let commit = "0123456789012345678901234567890123456789";
    git(path, &["update-index", "--add", "--cacheinfo", &format!("160000,{commit},libs/net")]);
    git(path, &["commit", "-qm", "one"]);
    std::fs::create_dir_all(path.join("libs/net/deep")).unwrap();
    std::fs::write(path.join("libs/net/deep/main.tf"), "locals {\n  q = 1\n}\n").unwrap();
    for directory in ["app", "calls"] {
        let main = path.join(directory).join("main.tf");
        let text = std::fs::read_to_string(&main).unwrap();
        std::fs::write(main, text.replace("var.region", "1").replace("dor\"", "dor2\"")).unwrap();
    }
    let output = run(path, &["diff", "HEAD", ".", "--format", "json"]);
    let answer = json(&output);
    let text = stdout(&output);
    let found: Vec<_> = answer["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{}:{}", it["module"].as_str().unwrap(), it["address"].as_str().unwrap()))
        .collect();
    assert_eq!(found, ["app:output.r", "calls:module.m"], "{text} {}", stderr(&output));
    // The linked module says that the argument is a secret, below a directory, too.
    assert!(text.contains("(sensitive)") && !text.contains("Tr0ub4dor"), "{text}");
    let output = run(&path.join("calls"), &["diff", "HEAD"]);
    assert!(stdout(&output).contains("\"(sensitive)\" -> \"(sensitive)\""), "{}", stdout(&output));
    let output = run(path, &["diff", "HEAD", "."]);
    let gaps = stderr(&output);
    for (place, why) in [
        ("HEAD:lfs/a.tf", "stored in Git LFS"),
        ("HEAD:libs/net", "a submodule"),
        ("HEAD:out/a.tf", "leads out of the revision"),
        ("HEAD:odd/c.tf", "leads out of the revision"),
    ] {
        let line = gaps.lines().find(|line| line.contains(place));
        assert!(line.is_some_and(|line| line.contains(why)), "{place}: {gaps}");
    }
    let output = run(path, &["affected", "--since", "HEAD", "--format", "json"]);
    let text = stdout(&output);
    assert!(!text.contains("var.region") && text.contains("output.r"), "{text}");
    assert!(text.contains("a submodule"), "{text}");
}

/// Hooks and helpers that the configuration of a repository names are not started.
#[cfg(unix)]
#[test]
fn git_starts_no_other_program() {
    use std::os::unix::fs::PermissionsExt;
    let tree = tree(&[
        ("a.tf", "locals {\n  a = 1\n}\n"),
        (".gitattributes", "*.tf diff=evil\n"),
        ("evil", "#!/bin/sh\ntouch started\ncat\n"),
    ]);
    let path = tree.path();
    let evil = path.join("evil");
    std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
    let evil = evil.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.pager",
        "core.editor",
    ] {
        git(path, &["config", key, evil]);
    }
    std::fs::write(path.join("a.tf"), "locals {\n  a = 2\n}\n").unwrap();
    for command in [["diff", "HEAD", "."], ["affected", "--since", "HEAD"]] {
        let output = run(path, &command);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).contains("local.a"), "{}", stdout(&output));
        assert!(!path.join("started").exists(), "{command:?}");
    }
}
