//! `move` to a file that does not exist.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use crate::tool::{json, run, status, stderr, stdout, tree};

const MAIN: &str = "locals {\n  a = 1\n  b = 2\n}\n\n# Says it.\nresource \"terraform_data\" \"r\" {\n  input = local.a\n}\n";

fn read(tree: &TempDir, name: &str) -> String {
    fs::read_to_string(tree.path().join(name)).unwrap()
}

fn moved(name: &str, text: &str, address: &str, to: &str) -> String {
    let tree = tree(&[(name, text)]);
    let output = run(tree.path(), &["move", address, to, "--tree", ".", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    read(&tree, to)
}

#[test]
fn the_file_is_created() {
    let tree = crate::tool::tree(&[("net/main.tf", MAIN)]);
    let arguments = ["move", "net:terraform_data.r", "data.tf", "--tree", "."];
    let with = |more: &[&str]| run(tree.path(), &[&arguments[..], more].concat());
    let new = "# Says it.\nresource \"terraform_data\" \"r\" {\n  input = local.a\n}\n";
    let output = with(&["--check"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (1, "net/data.tf\nnet/main.tf\n"));
    let output = with(&["--format", "json"]);
    let changes = json(&output);
    let created = serde_json::json!({
        "path": "net/data.tf", "created": true, "edits": [{"start": 0, "end": 0, "text": new}]
    });
    assert_eq!(changes["files"][0], created);
    assert_eq!(changes["files"][1].get("created"), None);
    // The patch creates it.
    let output = with(&[]);
    let patch = stdout(&output);
    assert!(patch.starts_with("--- /dev/null\n+++ b/net/data.tf\n@@ -0,0 +1,4 @@\n"), "{patch}");
    assert!(!tree.path().join("net/data.tf").exists());
    let output = with(&["--write"]);
    assert_eq!(stdout(&output), "net/data.tf\nnet/main.tf\n", "{}", stderr(&output));
    let after = ["net/data.tf", "net/main.tf"].map(|name| read(&tree, name));
    assert_eq!(after, [new, "locals {\n  a = 1\n  b = 2\n}\n"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode =
            |name: &str| fs::metadata(tree.path().join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("net/data.tf"), mode("net/main.tf"));
    }
    let applied = crate::tool::tree(&[("net/main.tf", MAIN)]);
    fs::write(applied.path().join("x.patch"), patch).unwrap();
    let git = Command::new("git").args(["apply", "x.patch"]).current_dir(applied.path()).output();
    assert!(git.unwrap().status.success());
    assert_eq!(["net/data.tf", "net/main.tf"].map(|name| read(&applied, name)), after);
}

#[test]
fn it_looks_like_the_file_before() {
    let local = "locals {\n  b = 2\n}\n";
    assert_eq!(moved("main.tf", MAIN, "local.b", "b.tf"), local);
    let line = "locals { /* of b */ b = 2 }\nlocals { c = 3 }\n";
    assert_eq!(moved("main.tf", line, "local.b", "b.tf"), "locals {\n  /* of b */\n  b = 2\n}\n");
    assert_eq!(moved("main.tf", line, "local.c", "b.tf"), "locals {\n  c = 3\n}\n");
    let crlf = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(moved("main.tf", &crlf(MAIN), "local.b", "b.tf"), crlf(local));
    assert_eq!(moved("main.tf", MAIN.trim_end(), "local.b", "b.tf"), local.trim_end());
    let json = "{\n  \"locals\": [\n    {\n      \"b\": 2\n    }\n  ]\n}\n";
    assert_eq!(moved("main.tf", MAIN, "local.b", "b.tf.json"), json);
    assert_eq!(moved("main.tf", &crlf(MAIN), "local.b", "b.tf.json"), crlf(json));
    let minified = "{\"locals\":{\"a\":1,\"b\":2},\"resource\":{\"terraform_data\":{\"r\":{\"input\":\"${local.a}\"}}}}";
    assert_eq!(
        moved("main.tf.json", minified, "terraform_data.r", "r.tf.json"),
        "{\"resource\":{\"terraform_data\":{\"r\":{\"input\":\"${local.a}\"}}}}"
    );
    assert_eq!(
        moved("main.tf.json", minified, "terraform_data.r", "r.tf"),
        "resource \"terraform_data\" \"r\" {\n  input = local.a\n}"
    );
}

#[test]
fn other_names_are_refused() {
    let tree = tree(&[("main.tf", MAIN), ("sub/x.tf", ""), ("known_override.tf", "")]);
    fs::create_dir(tree.path().join("folder.tf")).unwrap();
    for (name, why) in [
        ("sub/new.tf", "a new file is in that directory"),
        ("../new.tf", "a new file is in that directory"),
        ("..", "a new file is in that directory"),
        ("new.txt", "is not a name of configuration"),
        ("new_override.tf", "is not a name of configuration"),
        ("known_override.tf", "is not a name of configuration"),
        ("x.tftest.hcl", "is not a name of configuration"),
        (".new.tf", "is not a name of configuration"),
        ("main.tofu", "would hide another file, or be hidden by it"),
        ("folder.tf", "exists, and is not a file"),
    ] {
        let output = run(tree.path(), &["move", "local.b", name, "--tree", ".", "--write"]);
        assert!(stderr(&output).contains(why), "{name}: {}", stderr(&output));
        assert_eq!(status(&output), 2, "{name}");
    }
    assert_eq!(read(&tree, "main.tf"), MAIN);
    assert_eq!(fs::read_dir(tree.path()).unwrap().count(), 4);
}
