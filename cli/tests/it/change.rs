//! `set` and `unset`: what selects, what is written, and how.

use std::fs;

use serde_json::Value;

use crate::tool::{feed, feed_in, json, run, status, stderr, stdout, tree};

const MAIN: &str = "resource \"a_b\" \"c\" {\n  size = 1\n  tags = {\n    x = \"1\"\n  }\n}\n";

#[test]
fn a_patch_unless_it_is_written() {
    let tree = tree(&[("m/main.tf", MAIN), ("m/other.tf", "locals {\n  a = 1\n}\n")]);
    let read = || fs::read_to_string(tree.path().join("m/main.tf")).unwrap();
    let patch = "--- a/m/main.tf\n+++ b/m/main.tf\n@@ -1,5 +1,5 @@\n resource \"a_b\" \"c\" {\n-  size = 1\n\
                 +  size = 2\n   tags = {\n     x = \"1\"\n   }\n";
    let set = ["set", "resource.*.*.size", "2", "m"];
    for flags in [&[][..], &["--diff"]] {
        let output = run(tree.path(), &[&set, flags].concat());
        assert_eq!((status(&output), stdout(&output).as_str()), (0, patch), "{}", stderr(&output));
        assert_eq!(read(), MAIN);
    }
    let output = run(tree.path(), &[&set[..], &["--check"]].concat());
    assert_eq!((status(&output), stdout(&output).as_str()), (1, "m/main.tf\n"));
    let output = run(tree.path(), &[&set[..], &["--check", "--diff"]].concat());
    assert_eq!((status(&output), stdout(&output).as_str()), (1, patch));
    assert_eq!(read(), MAIN);

    let output = run(tree.path(), &[&set[..], &["--format", "json"]].concat());
    let start = MAIN.find("1\n").unwrap();
    let edits = serde_json::json!([{"start": start, "end": start + 1, "text": "2"}]);
    assert_eq!(json(&output)["files"], serde_json::json!([{"path": "m/main.tf", "edits": edits}]));
    assert_eq!(read(), MAIN);

    let output = run(tree.path(), &[&set[..], &["--write"]].concat());
    assert_eq!((status(&output), stdout(&output).as_str()), (0, "m/main.tf\n"));
    assert_eq!(read(), MAIN.replace("size = 1", "size = 2"));
    let output = run(tree.path(), &[&set[..], &["--write", "--quiet"]].concat());
    assert_eq!((status(&output), stdout(&output).as_str(), &*stderr(&output)), (0, "", ""));
}

#[test]
fn attributes_are_added_where_they_are_missing() {
    let set = |pattern: &str, more: &[&str]| {
        let output = feed(&[&["set", pattern, "var.x", "-"], more].concat(), MAIN);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let added = set("resource.a_b.*.tags.owner", &[]);
    assert_eq!(added, MAIN.replace("    x = \"1\"\n", "    x     = \"1\"\n    owner = var.x\n"));
    assert_eq!(set("resource.a_b.*.tags.owner", &["--only-existing"]), MAIN);
    assert_eq!(set("resource.a_b.c.new", &[]), MAIN.replace("  }\n}", "  }\n  new = var.x\n}"));
    // A label is not a member, and nothing is added to a value.
    assert_eq!(set("resource.a_b.d", &[]), MAIN);
    assert_eq!(set("resource.a_b.c.size.x", &[]), MAIN);
    assert_eq!(set("resource.a_b.c.new", &["--where", "size == 2"]), MAIN);
    assert_ne!(set("resource.a_b.c.new", &["--where", "size == 1"]), MAIN);
}

#[test]
fn what_is_not_changed_is_said() {
    let text = "resource \"a\" \"b\" {\n  tags = merge(var.a, {})\n  n {\n  }\n}\n";
    let tree = tree(&[("main.tf", text)]);
    let why = |pattern: &str| -> Vec<String> {
        let output = run(tree.path(), &["set", pattern, "1", "--format", "json"]);
        let not_changed = json(&output)["not_changed"].take();
        let all = not_changed.as_array().unwrap().iter();
        all.map(|not| format!("{}: {}", not["text"], not["why"])).collect()
    };
    let tags = why("resource.*.*.tags.owner");
    assert!(tags[0].contains("merge(") && tags[0].contains("its members"), "{tags:?}");
    assert!(why("resource.a.b.n")[0].contains("a block is not a value"));
    assert_eq!(why("resource.a.b.x"), Vec::<String>::new());
}

#[test]
fn wrong_arguments_are_errors() {
    let tree = tree(&[("main.tf", MAIN), ("broken.tf", "a = [\n")]);
    let fails = |arguments: &[&str], text: &str| {
        let output = run(tree.path(), arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(text), "{}", stderr(&output));
    };
    fails(&["set", "resource.*.*.size", "1 2", "."], "invalid value");
    fails(&["set", "resource.*.*.size", "1\n}\nlocals {\n  a = 1", "."], "invalid value");
    fails(&["set", "resource..size", "1", "."], "invalid pattern");
    fails(&["unset", ".", "resource.*"], "the pattern comes before the paths");
    fails(&["unset", "resource.*", "none"], "none");
    fails(&["set", "a.b", "1", "--write", "--check"], "cannot be used with");
    let output = run(tree.path(), &["unset", "resorce.*", "main.tf"]);
    assert_eq!(status(&output), 0);
    assert!(stderr(&output).contains("did you mean `resource`?"), "{}", stderr(&output));
}

#[test]
fn all_files_are_written_or_none() {
    let tree = tree(&[("a.tf", MAIN), ("b.tf", &MAIN.replace("\"c\"", "\"d\""))]);
    let path = tree.path().join("b.tf");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let output = run(tree.path(), &["set", "resource.*.*.size", "2", "--write"]);
    assert_eq!(status(&output), 2, "{}", stdout(&output));
    assert!(stderr(&output).contains("no file is changed"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(tree.path().join("a.tf")).unwrap(), MAIN);
}

#[test]
fn a_filter_keeps_what_it_does_not_change() {
    let text = |arguments: &[&str], input: &str| {
        let output = feed(arguments, input);
        (status(&output), stdout(&output), stderr(&output))
    };
    let whole = "resource \"foo\" \"bar\" {}";
    assert_eq!(text(&["unset", "resource.foo.bar", "-"], whole).1, "");
    // Neither a syntax error nor an edit that is refused loses the input.
    for broken in ["a = [\n", "{\"a\": "] {
        for command in [&["unset", "a", "-"][..], &["set", "a", "1", "-"]] {
            let (status, out, errors) = text(command, broken);
            assert_eq!((status, &*out), (1, broken), "{command:?} {errors}");
        }
        let (status, out, errors) = text(&["rename", "var.a", "b", "-"], broken);
        assert_eq!((status, &*out), (2, broken), "{errors}");
    }
    let variable = "variable \"a\" {}\n";
    for command in [
        &["rename", "var.a", "count", "-"][..],
        &["rename", "var.a", "local.b", "-"],
        &["rename", "var.a[\"x\"]", "var.b[\"x\"]", "-"],
        &["move", "var.a", "b.tf", "-"],
        &["inline", "local.a", "-"],
        &["extract", "-:1:1", "b"],
        &["upgrade", "provider", "a", "x", "-"],
    ] {
        let (status, out, errors) = text(command, variable);
        assert_eq!((status, &*out), (2, variable), "{command:?} {errors}");
    }
    let (_, out, errors) = text(&["extract", "-:1:14", "b"], "locals { a = 1 }\n");
    assert_eq!(out, "locals {\n  a = local.b\n  b = 1\n}\n", "{errors}");
    // Nothing is listed that stays as it is.
    for more in [&["--check"][..], &["--diff"]] {
        let (status, out, _) = text(&[&["set", "none.*", "1", "-"], more].concat(), MAIN);
        assert_eq!((status, &*out), (0, ""), "{more:?}");
    }
    let (_, out, _) = text(&["set", "none.*", "1", "-", "--format", "json"], MAIN);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["files"], serde_json::json!([]));
}

#[test]
fn a_filter_changes_no_files() {
    let tree = tree(&[("m/main.tf", MAIN)]);
    for more in [&["--write"][..], &[]] {
        let set = ["set", "resource.*.*.size", "2", "-", "m"];
        let output = feed_in(tree.path(), &[&set[..], more].concat(), MAIN);
        assert_eq!((status(&output), &*stdout(&output)), (2, ""));
        let why = "standard input is changed alone: give no other paths";
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    assert_eq!(fs::read_to_string(tree.path().join("m/main.tf")).unwrap(), MAIN);
}

#[test]
fn json_follows_its_own_rules() {
    let text = r#"{"resource":{"a_b":{"c":{"size":1,"depends_on":["a_b.d"]},"d":{}}}}"#;
    let set = |pattern: &str, value: &str| {
        let output = feed(&["set", pattern, value, "-", "--stdin-name", "x.tf.json"], text);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let size = set("resource.a_b.c.size", "var.x + 1");
    assert_eq!(size, text.replace("1,", "\"${var.x + 1}\","));
    let depends = set("resource.a_b.c.depends_on", "[a_b.d, a_b.e]");
    assert_eq!(depends, text.replace("[\"a_b.d\"]", "[\"a_b.d\",\"a_b.e\"]"));
    let provider = set("resource.a_b.d.provider", "a.west");
    assert_eq!(provider, text.replace("\"d\":{}", "\"d\":{\"provider\":\"a.west\"}"));
    let output = feed(&["unset", "resource.a_b.*", "-", "--stdin-name", "x.tf.json"], text);
    assert_eq!(stdout(&output), "{}");
}

#[test]
fn the_text_of_matches() {
    let text = |pattern: &str| {
        let output = feed(&["query", pattern, "-", "--format", "text"], MAIN);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(text("resource.a_b.c.tags"), "{\n    x = \"1\"\n  }\n");
    assert_eq!(text("resource.a_b.c.*"), "1\n{\n    x = \"1\"\n  }\n");
    assert_eq!(text("resource.a_b.c"), MAIN);
}

/// The commands of hcledit that have a command here, with the same bytes.
#[test]
fn documented_commands_of_hcledit() {
    let Some(data) = std::env::var_os("SIMD_HCL_DATA") else {
        return println!("skipped: commands of hcledit (SIMD_HCL_DATA names no folder)");
    };
    let path = std::path::Path::new(&data).join("hcledit.json");
    let cases: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let mut compared = 0;
    for case in cases["entries"].as_array().unwrap() {
        let Some(command) = case["simd_hcl"].as_array() else { continue };
        let command: Vec<&str> = command.iter().map(|it| it.as_str().unwrap()).collect();
        let input = cases["inputs"][case["input"].as_str().unwrap()].as_str().unwrap();
        let is_get = case["command"][0] == "attribute" && case["command"][1] == "get";
        if case["same_bytes"] == true {
            let output = feed(&command, input);
            assert_eq!(stdout(&output), case["output"].as_str().unwrap(), "{command:?} {input}");
            compared += 1;
        } else if is_get && !input.contains("\r\n") {
            let output = feed(&[&command[..], &["--format", "text"]].concat(), input);
            let (ours, theirs) = (stdout(&output), case["output"].as_str().unwrap());
            // hcledit prints the first match only.
            let is_prefix = ours.trim_end().starts_with(theirs.trim_end());
            assert!(is_prefix, "{command:?}\n{input}\n{ours}\n{theirs}");
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

/// An attribute of blocks that are one in a module is added to one of them.
#[test]
fn blocks_that_are_one_in_a_module_get_an_attribute_once() {
    let locals = |name: &str| format!("locals {{\n  {name} = 1\n}}\n");
    let files = tree(&[
        ("a/main.tf", "output \"o\" {\n  value = 1\n}\n"),
        ("a/one.tf", &format!("{}{}", locals("a"), locals("b"))),
        ("a/two.tf", &locals("c")),
        ("a/x_override.tf", &locals("c")),
        ("b/main.tf.json", "{\"locals\": [{\"a\": 1}, {\"b\": 2}]}\n"),
    ]);
    let read = |name: &str| fs::read_to_string(files.path().join(name)).unwrap();
    let set = |arguments: &[&str], changed: &str| {
        let output = run(files.path(), &[&["set"], arguments, &["--write"]].concat());
        assert_eq!((status(&output), stdout(&output).as_str()), (0, changed), "{arguments:?}");
        stderr(&output)
    };
    set(&["locals.new", "2", "a", "b"], "a/one.tf\nb/main.tf.json\n");
    let expected = locals("a") + &locals("b").replace("}", "  new = 2\n}").replace("b =", "b   =");
    assert_eq!(read("a/one.tf"), expected);
    assert_eq!(read("b/main.tf.json"), "{\"locals\": [{\"a\": 1}, {\"b\": 2, \"new\": 2}]}\n");
    // Where it is, it is replaced.
    set(&["locals.new", "3", "a"], "a/one.tf\n");
    assert_eq!(read("a/one.tf"), expected.replace("new = 2", "new = 3"));
    set(&["locals.c", "3", "a"], "a/two.tf\na/x_override.tf\n");
    let told = set(&["locals.new", "4", "a/two.tf"], "");
    assert!(told.contains("a/one.tf has it"), "{told}");
    let told = set(&["locals.other", "4", "a/x_override.tf"], "");
    assert!(told.contains("an override file, which cannot declare new names"), "{told}");
    set(&["*.more", "1", "a/two.tf"], "a/two.tf\n");

    let terraform = "terraform {\n  required_version = \">= 1.5\"\n}\nterraform {\n}\n";
    fs::write(files.path().join("a/main.tf"), terraform).unwrap();
    set(&["terraform.required_version", "\">= 1.6\"", "a"], "a/main.tf\n");
    assert_eq!(read("a/main.tf"), terraform.replace("1.5", "1.6"));
    let template = "variables {\n  a = 1\n}\nvariables {\n  b = 1\n}\n";
    fs::create_dir(files.path().join("p")).unwrap();
    fs::write(files.path().join("p/x.pkr.hcl"), template).unwrap();
    set(&["variables.c", "1", "p"], "p/x.pkr.hcl\n");
    assert_eq!(read("p/x.pkr.hcl"), template.replace("b = 1", "b = 1\n  c = 1"));
    // Nested blocks and those with labels are each their own.
    let many = "data \"a\" \"b\" {\n  x {\n  }\n  x {\n  }\n}\n";
    fs::write(files.path().join("a/main.tf"), many).unwrap();
    set(&["data.a.b.x.y", "1", "a"], "a/main.tf\n");
    assert_eq!(read("a/main.tf"), many.replace("x {\n", "x {\n    y = 1\n"));
}

/// `query` selects from files of Terragrunt, and so do `set` and `unset`.
#[test]
fn files_of_units_change_with_their_directory() {
    let unit = "locals {\n  a = 9\n}\ninputs = {\n  q = 1\n}\n";
    let tree = tree(&[("live/terragrunt.hcl", unit), ("m/main.tf", "locals {\n  a = 1\n}\n")]);
    let read = |name: &str| fs::read_to_string(tree.path().join(name)).unwrap();
    let change = |arguments: &[&str]| {
        let output = run(tree.path(), &[arguments, &["--write"]].concat());
        assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
    };
    change(&["set", "locals.a", "2", "."]);
    assert_eq!(read("m/main.tf"), "locals {\n  a = 2\n}\n");
    change(&["set", "inputs.q", "3", "."]);
    assert_eq!(read("live/terragrunt.hcl"), unit.replace('9', "2").replace("q = 1", "q = 3"));
    change(&["unset", "inputs.q", "live"]);
    assert!(!read("live/terragrunt.hcl").contains('q'));
}

/// Local values of modules are added to modules; other tools have blocks of the same name.
#[test]
fn attributes_are_added_to_the_files_of_one_tool() {
    let locals = "locals {\n  a = 1\n}\n";
    let files =
        [("main.tf", locals), ("live/terragrunt.hcl", locals), ("images/a.pkr.hcl", locals)];
    let tree = tree(&files);
    let read = |name: &str| fs::read_to_string(tree.path().join(name)).unwrap();
    let set = |arguments: &[&str]| {
        let output = run(tree.path(), &[&["set"], arguments, &["--write"]].concat());
        assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
        stderr(&output)
    };
    let told = set(&["locals.new", "1", "."]);
    let is_left = |name: &str| {
        let lines = told.lines().filter(|line| line.contains(": a file of another tool"));
        lines.filter(|line| line.contains(&format!("{name}:1:1: "))).count() == 1
    };
    assert!(is_left("live/terragrunt.hcl") && is_left("images/a.pkr.hcl"), "{told}");
    let added = |text: &str| text.replace("a = 1", "a   = 1\n  new = 1");
    assert_eq!(files.map(|(name, _)| read(name)), [&*added(locals), locals, locals]);
    // A value that is there is replaced everywhere.
    set(&["locals.a", "2", "."]);
    let two = locals.replace('1', "2");
    assert_eq!([read("live/terragrunt.hcl"), read("images/a.pkr.hcl")], [&*two, &*two]);
    // A file that is named, and a directory of one tool, are meant.
    set(&["locals.new", "1", "main.tf", "live/terragrunt.hcl"]);
    set(&["locals.new", "1", "images"]);
    let two = two.replace("a = 2", "a   = 2\n  new = 1");
    assert_eq!([read("live/terragrunt.hcl"), read("images/a.pkr.hcl")], [&*two, &*two]);
    // Only Terragrunt has such a block.
    fs::write(tree.path().join("live/terragrunt.hcl"), "include \"root\" {\n  path = \"x\"\n}\n")
        .unwrap();
    set(&["include.root.expose", "true", "."]);
    assert!(read("live/terragrunt.hcl").contains("expose = true"));
}

/// A member that was in the middle of a line was not aligned.
#[test]
fn members_of_one_line_keep_their_bytes() {
    let text = "resource \"a\" \"b\" {\n  y = {\n    a=1, b=2 # c\n  }\n}\n";
    let tree = tree(&[("main.tf", text)]);
    let unset = ["unset", "resource.a.b.y.a", "--write", "main.tf"];
    assert_eq!(status(&run(tree.path(), &unset)), 0);
    let read = fs::read_to_string(tree.path().join("main.tf")).unwrap();
    assert_eq!(read, text.replace("a=1, ", ""));
}

/// Nothing may follow the end of a heredoc on its line.
#[test]
fn a_member_is_added_behind_a_heredoc() {
    let object = |inside: &str| format!("resource \"a\" \"b\" {{\n  y = {inside}\n}}\n");
    for (old, new) in [
        (
            "{\n    a = 1,\n    b = <<X\nx\nX\n  }",
            "{\n    a = 1,\n    b = <<X\nx\nX\n    c = 2\n  }",
        ),
        (
            "{\n    a = 1, z = 3\n    b = <<X\nx\nX\n  }",
            "{\n    a = 1, z = 3\n    b = <<X\nx\nX\n    c = 2\n  }",
        ),
        ("{ a = 1, b = <<X\nx\nX\n  }", "{ a = 1, b = <<X\nx\nX\n    c = 2\n  }"),
        ("{ b = f(<<X\nx\nX\n  ) }", "{ b = f(<<X\nx\nX\n  ), c = 2 }"),
        // A comma between items on one line says nothing about those at ends of lines.
        ("{\n    a = 1, z = 3\n    b = 4\n  }", "{\n    a = 1, z = 3\n    b = 4\n    c = 2\n  }"),
    ] {
        let output = feed(&["set", "resource.a.b.y.c", "2", "-"], &object(old));
        assert_eq!((stdout(&output), status(&output)), (object(new), 0), "{}", stderr(&output));
    }
}
