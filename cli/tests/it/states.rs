//! `rename` of outputs that other root modules read from the state.

use std::fs;

use tempfile::TempDir;

use crate::tool::{json, run, status, stderr, tree};

const ROOT: &str = "terraform {\n  backend \"s3\" {\n    bucket = \"b\"\n    key    = \"net\"\n  }\n}\n\
                    output \"id\" {\n  value = 1\n}\n";

const STATE: &str =
    "  backend = \"s3\"\n  config = {\n    bucket = \"b\"\n    key    = \"net\"\n  }\n";

/// Renames `output.id` of `net` in a tree with a reader. Returns the new text of the reader, and what
/// is not changed.
fn renamed(name: &str, reader: &str) -> (TempDir, String, Vec<String>) {
    let tree = tree(&[("net/main.tf", ROOT), (name, reader)]);
    let rename = ["rename", "net:output.id", "ident", "--tree", ".", "--write", "--format", "json"];
    let output = run(tree.path(), &rename);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let left = json(&output)["not_changed"].as_array().unwrap().clone();
    let text = |it: &serde_json::Value| {
        format!("{}: {}", it["text"].as_str().unwrap(), it["why"].as_str().unwrap())
    };
    let read = fs::read_to_string(tree.path().join(name)).unwrap();
    (tree, read, left.iter().map(text).collect())
}

#[test]
fn readers_follow_there_and_back() {
    let reader = format!(
        "data \"terraform_remote_state\" \"net\" {{\n{STATE}  defaults = {{\n    id = 0\n  }}\n}}\n\
         data \"terraform_remote_state\" \"many\" {{\n  for_each = toset([\"a\"])\n{STATE}}}\n\
         data \"terraform_remote_state\" \"other\" {{\n{}}}\n\
         check \"state\" {{\n  data \"terraform_remote_state\" \"checked\" {{\n{STATE}  }}\n  assert {{\n    \
         condition     = data.terraform_remote_state.checked.outputs.id > 0\n    error_message = \"x\"\n  }}\n}}\n\
         locals {{\n  a = data.terraform_remote_state.net.outputs.id\n  \
         b = data.terraform_remote_state.net.outputs[\"id\"]\n  \
         c = \"${{data.terraform_remote_state.many[\"a\"].outputs.id}}\"\n  \
         d = values(data.terraform_remote_state.many)[*].outputs\n  \
         e = data.terraform_remote_state.other.outputs.id\n  \
         f = data.terraform_remote_state.net.outputs\n  \
         g = data.terraform_remote_state.net.outputs.idle\n}}\n",
        STATE.replace("net", "app")
    );
    let (tree, text, left) = renamed("app/main.tf", &reader);
    let expected = reader
        .replace("    id = 0", "    ident = 0")
        .replace("net.outputs.id\n", "net.outputs.ident\n")
        .replace("net.outputs[\"id\"]", "net.outputs[\"ident\"]")
        .replace("[\"a\"].outputs.id", "[\"a\"].outputs.ident")
        .replace("checked.outputs.id", "checked.outputs.ident");
    assert_eq!(text, expected);
    let whole = "uses all outputs of the state, and perhaps this one";
    let expected = [
        format!("data.terraform_remote_state.many: {whole}"),
        "id: not a reference to it".to_owned(),
        format!("data.terraform_remote_state.net.outputs: {whole}"),
    ];
    assert_eq!(left, expected);
    let back = run(tree.path(), &["rename", "net:output.ident", "id", "--tree", ".", "--write"]);
    assert_eq!(status(&back), 0, "{}", stderr(&back));
    assert_eq!(fs::read_to_string(tree.path().join("app/main.tf")).unwrap(), reader);
    assert_eq!(fs::read_to_string(tree.path().join("net/main.tf")).unwrap(), ROOT);
}

#[test]
fn readers_in_json_follow() {
    let reader = r#"{
  "data": {"terraform_remote_state": {"net": {
    "backend": "s3", "config": {"bucket": "b", "key": "net"}, "defaults": {"id": 1}
  }}},
  "locals": {
    "a": "${data.terraform_remote_state.net.outputs.id}",
    "b": "${data.terraform_remote_state.net.outputs[\"id\"]}"
  }
}
"#;
    let (_tree, text, left) = renamed("app/main.tf.json", reader);
    let expected = reader
        .replace("{\"id\": 1}", "{\"ident\": 1}")
        .replace("outputs.id", "outputs.ident")
        .replace("[\\\"id\\\"]", "[\\\"ident\\\"]");
    assert_eq!((text, left), (expected, Vec::new()));
}

#[test]
fn states_that_may_be_others_are_listed() {
    let reader = "variable \"key\" {}\ndata \"terraform_remote_state\" \"net\" {\n  backend = \"s3\"\n  config = {\n    \
                  bucket = \"b\"\n    key    = var.key\n  }\n}\nlocals {\n  \
                  a = data.terraform_remote_state.net.outputs.id\n}\n";
    let (_tree, text, left) = renamed("app/main.tf", reader);
    assert_eq!(text, reader);
    let place = "data.terraform_remote_state.net.outputs.id";
    assert_eq!(left, [format!("{place}: reads a state that may be another one")]);
    // Two root modules have the state.
    let tree = tree(&[
        ("net/main.tf", ROOT),
        ("old/main.tf", ROOT),
        ("app/main.tf", &reader.replace("var.key", "\"net\"")),
    ]);
    let rename = ["rename", "net:output.id", "ident", "--tree", ".", "--format", "json"];
    let output = run(tree.path(), &rename);
    let left = json(&output)["not_changed"].as_array().unwrap().clone();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(left[0]["why"], "reads a state that may be another one");
}

#[test]
fn outputs_of_workspaces_follow() {
    let root = "terraform {\n  cloud {\n    organization = \"o\"\n    workspaces {\n      name = \"w\"\n    }\n  }\n}\n\
                output \"id\" {\n  value = 1\n}\n";
    let reader = "data \"tfe_outputs\" \"net\" {\n  organization = \"o\"\n  workspace    = \"w\"\n}\n\
                  locals {\n  a = data.tfe_outputs.net.values.id\n  b = data.tfe_outputs.net.nonsensitive_values[\"id\"]\n  \
                  c = data.tfe_outputs.net.id\n}\n";
    let tree = tree(&[("net/main.tf", root), ("app/main.tf", reader)]);
    let output = run(tree.path(), &["rename", "net:output.id", "x", "--tree", ".", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = fs::read_to_string(tree.path().join("app/main.tf")).unwrap();
    assert_eq!(text, reader.replace("values.id", "values.x").replace("[\"id\"]", "[\"x\"]"));
}

#[test]
fn overrides_of_states_follow() {
    let reader = format!(
        "data \"terraform_remote_state\" \"net\" {{\n{STATE}}}\nlocals {{\n  a = data.terraform_remote_state.net.outputs.id\n}}\n"
    );
    let test = "override_data {\n  target = data.terraform_remote_state.net\n  values = {\n    outputs = { id = 1 }\n  }\n}\nrun \"a\" {}\n";
    let tree = tree(&[("net/main.tf", ROOT), ("app/main.tf", &reader), ("app/a.tftest.hcl", test)]);
    let output = run(tree.path(), &["rename", "net:output.id", "x", "--tree", ".", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = fs::read_to_string(tree.path().join("app/a.tftest.hcl")).unwrap();
    assert_eq!(text, test.replace("{ id = 1 }", "{ x = 1 }"));
}
