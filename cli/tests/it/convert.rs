//! `convert`: converts files to the other syntax.

use std::fs;
use std::path::Path;

use crate::tool::{feed, json, run, simd_hcl, status, stderr, stdout, tree};

const JSON: &str = r#"{"resource": {"x_a": {"b": {
    "//": "one\ntwo", "provider": "x.west", "name": "${var.n}", "odd": [{"p": 1}], "text": "a\nb\n"}}}}"#;

const NATIVE: &str = "resource \"x_a\" \"b\" {
  # one
  # two
  provider = x.west
  name     = var.n
  odd = [
    {
      p = 1
    },
  ]
  text = <<EOT
a
b
EOT
}
";

#[test]
fn one_file_is_printed() {
    let tree = tree(&[("main.tf.json", JSON), ("main.tf", NATIVE)]);
    let output = run(tree.path(), &["convert", "--to", "native", "main.tf.json"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, NATIVE));
    assert!(stderr(&output).contains("1 object or list of objects is written as arguments"));
    let output = run(tree.path(), &["convert", "--to", "json", "main.tf"]);
    assert_eq!(status(&output), 0);
    assert!(stdout(&output).contains(r#""provider": "x.west","#), "{}", stdout(&output));
    // The name of standard input determines its kind.
    let output = feed(
        &["convert", "--to", "json", "--stdin-name", "a.tf", "-"],
        "variable \"v\" {\n  type = list(string)\n}\n",
    );
    assert!(stdout(&output).contains(r#""type": "list(string)""#), "{}", stdout(&output));
    let output = feed(&["convert", "--to", "json", "-"], "type = list(string)\n");
    assert!(stdout(&output).contains(r#""type": "${list(string)}""#), "{}", stdout(&output));
}

#[test]
fn files_of_the_wanted_syntax_are_refused() {
    let tree = tree(&[("main.tf.json", JSON), ("main.tf", NATIVE)]);
    for (to, file, syntax) in
        [("native", "main.tf", "native syntax"), ("json", "main.tf.json", "JSON")]
    {
        let output = run(tree.path(), &["convert", "--to", to, file]);
        let message = format!("simd-hcl: {file}: the file is {syntax} already\n");
        assert_eq!((status(&output), stderr(&output)), (2, message));
    }
}

#[test]
fn schemas_tell_blocks_from_arguments() {
    let schemas = r#"{"format_version": "1.0", "provider_schemas": {"registry.opentofu.org/hashicorp/x": {
        "resource_schemas": {"x_a": {"version": 0, "block": {
            "attributes": {"name": {"type": "string", "optional": true}},
            "block_types": {"rule": {"nesting_mode": "list", "block": {"attributes": {"p": {"type": "number", "optional": true}}}},
                "named": {"nesting_mode": "map", "block": {}}}}}}}}}"#;
    let json =
        r#"{"resource": {"x_a": {"b": {"rule": [{"p": 1}, {"p": 2}], "named": {"k": {}}}}}}"#;
    let tree = tree(&[("main.tf.json", json), ("schemas.json", schemas)]);
    let arguments =
        ["convert", "--to", "native", "main.tf.json", "--provider-schemas", "schemas.json"];
    let output = run(tree.path(), &arguments);
    let expected = "resource \"x_a\" \"b\" {
  rule {
    p = 1
  }
  rule {
    p = 2
  }
  named \"k\" {
  }
}
";
    assert_eq!((stdout(&output).as_str(), stderr(&output).as_str()), (expected, ""));
}

#[test]
fn files_are_written_under_their_other_names() {
    let tree = tree(&[
        ("main.tf.json", r#"{"locals": {"a": 1}}"#),
        ("x.pkr.json", r#"{"build": {"sources": ["source.null.x"]}}"#),
        ("broken.tf.json", "{"),
        ("odd.tf.json", r#"{"locals": {"a b": 1, "c": 2}}"#),
        ("out/main.tf", "old"),
    ]);
    let files = ["main.tf.json", "x.pkr.json", "broken.tf.json", "odd.tf.json"];
    let output = run(tree.path(), &[&["convert", "--to", "native"], &files[..]].concat());
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("--out-dir"), "{}", stderr(&output));
    let read = |name: &str| fs::read_to_string(tree.path().join("out").join(name)).unwrap();
    // Files that exist stay.
    let kept = ["convert", "--to", "native", "--out-dir", "out", "main.tf.json"];
    let output = run(tree.path(), &kept);
    let exists = Path::new("out").join("main.tf").display().to_string() + ": it exists";
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert!(stderr(&output).contains(&exists), "{}", stderr(&output));
    assert_eq!(read("main.tf"), "old");
    let arguments =
        [&["convert", "--to", "native", "--force", "--out-dir", "out"], &files[..]].concat();
    let output = run(tree.path(), &arguments);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert_eq!(status(&run(tree.path(), &kept)), 0, "the text is the same");
    assert!(stderr(&output).contains("broken.tf.json:1:2"), "{}", stderr(&output));
    assert!(stderr(&output).contains("converted 3 of 4 files"), "{}", stderr(&output));
    assert!(stderr(&output).contains("no-native-syntax"), "{}", stderr(&output));
    assert_eq!(read("main.tf"), "locals {\n  a = 1\n}\n");
    assert_eq!(read("x.pkr.hcl"), "build {\n  sources = [\"source.null.x\"]\n}\n");
    assert_eq!(read("odd.tf"), "locals {\n  c = 2\n}\n");
    assert!(!tree.path().join("out/broken.tf").exists());
    // The directory is made.
    let output =
        run(tree.path(), &["convert", "--to", "native", "--out-dir", "new/er", "main.tf.json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(tree.path().join("new/er/main.tf").exists());
    fs::write(tree.path().join("file"), "").unwrap();
    let output =
        run(tree.path(), &["convert", "--to", "native", "--out-dir", "file/x", "main.tf.json"]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
}

/// Several runs at the same time write whole files, and none fails.
#[test]
fn parallel_runs_write_whole_files() {
    let text: String = (0..2000).map(|n| format!("a{n} = {n}\n")).collect();
    let tree = tree(&[("main.tf", &format!("locals {{\n{text}}}\n"))]);
    let out = tree.path().join("out/main.tf.json");
    for _ in 0..3 {
        let _ = fs::remove_file(&out);
        let runs: Vec<_> = (0..4)
            .map(|_| {
                let mut command =
                    simd_hcl(&["convert", "--to", "json", "--out-dir", "out", "main.tf"]);
                command.current_dir(tree.path()).stdout(std::process::Stdio::null());
                command.spawn().unwrap()
            })
            .collect();
        let mut running = runs;
        while !running.is_empty() {
            // A file is there with its whole text, or not at all.
            if let Ok(text) = fs::read_to_string(&out) {
                assert!(text.ends_with("}\n"), "{} bytes", text.len());
            }
            running.retain_mut(|run| match run.try_wait().unwrap() {
                Some(status) => {
                    assert!(status.success());
                    false
                }
                None => true,
            });
        }
        let names: Vec<_> = fs::read_dir(tree.path().join("out")).unwrap().collect();
        assert_eq!(names.len(), 1, "no temporary file is left");
    }
}

#[test]
fn directories_keep_their_shape() {
    let tree = tree(&[
        ("live/main.tf", "locals {\n  a = 1\n}\n"),
        ("live/net/vpc.tofu", "locals {\n  b = 2\n}\n"),
        ("live/net/other.tf.json", "{}"),
        ("live/notes.txt", "a"),
        ("other/main.tf", "locals {\n}\n"),
        ("empty/notes.txt", "a"),
    ]);
    let at = |path: &str| tree.path().join(path);
    fs::create_dir(at("out")).unwrap();
    let convert = |paths: &[&str]| {
        run(tree.path(), &[&["convert", "--to", "json", "--out-dir", "out"], paths].concat())
    };
    let output = convert(&["live"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(
        stdout(&output),
        "out/main.tf.json\nout/net/vpc.tofu.json\n".replace('/', std::path::MAIN_SEPARATOR_STR)
    );
    assert!(fs::read_to_string(at("out/net/vpc.tofu.json")).unwrap().contains("\"b\": 2"));
    assert!(!at("out/net/other.tf").exists());
    assert_eq!(stdout(&convert(&["./live"])), stdout(&output));
    // Nothing is written twice.
    let output = convert(&["live", "other"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("another file was written there"), "{}", stderr(&output));
    assert_eq!(status(&convert(&["empty"])), 2);
    assert_eq!(status(&run(tree.path(), &["convert", "--to", "json", "live"])), 2);
}

/// Standard input without a name is configuration if all that it has is blocks.
#[test]
fn standard_input_may_be_configuration() {
    let output = feed(
        &["convert", "--to", "json", "-"],
        "variable \"a\" {\n  type = list(string)\n}\nresource \"x_y\" \"z\" {\n  depends_on = [x_y.w]\n}\n",
    );
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let converted = json(&output);
    assert_eq!(converted["variable"]["a"]["type"], "list(string)");
    assert_eq!(converted["resource"]["x_y"]["z"]["depends_on"][0], "x_y.w");
    let text = r#"{"//": "c", "variable": {"a": {"type": "string"}}, "resource": {"x_y": {"z": {"n": 1}}}}"#;
    let output = feed(&["convert", "--to", "native", "-"], text);
    let native = stdout(&output);
    assert!(native.contains("variable \"a\" {\n  type = string\n}"), "{native}");
    assert!(native.contains("resource \"x_y\" \"z\" {"), "{native}");
    // Anything else is not.
    let output = feed(&["convert", "--to", "native", "-"], r#"{"resource": {"a": 1}, "b": 2}"#);
    assert_eq!(stdout(&output), "resource = {\n  a = 1\n}\nb = 2\n");
}

/// A file of another name is configuration if it looks like it.
#[test]
fn other_names_may_be_configuration() {
    let convert = |name: &str, text: &str, to: &str| {
        let tree = tree(&[(name, text)]);
        let output = run(tree.path(), &["convert", "--to", to, name]);
        (stdout(&output), status(&output))
    };
    let json = r#"{"variable": {"a": {"type": "list(string)"}}}"#;
    let native = "variable \"a\" {\n  type = list(string)\n}\n";
    assert_eq!(convert("synth.json", json, "native"), (native.to_owned(), 0));
    let back =
        "{\n  \"variable\": {\n    \"a\": {\n      \"type\": \"list(string)\"\n    }\n  }\n}\n";
    assert_eq!(convert("synth.hcl", native, "json"), (back.to_owned(), 0));
    // Other documents have such members, too.
    for other in
        [r#"{"data": {"user": {"name": "x"}}}"#, r#"{"resource": "x"}"#, r#"{"output": {}}"#]
    {
        let (text, status) = convert("answer.json", other, "native");
        assert!(text.contains(" = ") && status == 0, "{text}");
    }
}

/// A file that git-crypt has encrypted is said with the reason, and the others are converted.
#[test]
fn encrypted_files_are_said() {
    let tree = tree(&[("a.tf", "\0GITCRYPT\0x"), ("b.tf", "locals {}\n")]);
    let arguments = ["convert", "--to", "json", "--out-dir", "out", "a.tf", "b.tf"];
    let output = run(tree.path(), &arguments);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("a.tf: it is encrypted by git-crypt"), "{output:?}");
    assert!(tree.path().join("out/b.tf.json").is_file());
}

/// In JSON, a block with the name of an argument would be that argument.
#[test]
fn blocks_with_the_name_of_an_argument_are_refused() {
    let text = "provider \"x\" {\n  alias {\n    a = b\n  }\n  region = \"r\"\n}\nresource \"x_y\" \"z\" {\n  alias {\n    a = local.b\n  }\n}\n";
    let tree = tree(&[("main.tf", text)]);
    let output = run(tree.path(), &["convert", "--to", "json", "main.tf"]);
    assert_eq!(status(&output), 1, "{}", stdout(&output));
    let told = stderr(&output);
    assert!(told.contains("no-json-syntax") && told.contains("main.tf:2:3"), "{told}");
    assert_eq!(told.matches("no-json-syntax").count(), 1, "{told}");
}

/// An argument of the tools is no block in native syntax, though resources have blocks of its name.
#[test]
fn arguments_stay_arguments() {
    let text = r#"{"provider": {"x": {"alias": [{"a": "${b}"}]}}, "resource": {"x_y": {"z": {"alias": [{"a": "${local.b}"}]}}}}"#;
    let tree = tree(&[("main.tf.json", text)]);
    let output = run(tree.path(), &["convert", "--to", "native", "main.tf.json"]);
    let native = stdout(&output);
    assert!(native.contains("  alias = [\n") && native.contains("a = \"$${b}\""), "{native}");
    assert!(native.contains("  alias {\n    a = local.b\n"), "{native}");
}
