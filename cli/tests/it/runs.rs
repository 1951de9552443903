//! Refactorings in test files whose runs run other modules than that of the file.

use std::fs;

use tempfile::TempDir;

use crate::tool::{json, run, status, stderr, stdout, tree};

const MAIN: &str =
    "variable \"name\" {\n  default = \"d\"\n}\noutput \"o\" {\n  value = var.name\n}\n";

const INNER: &str = "variable \"size\" {}\nvariable \"name\" {\n  default = \"inner\"\n}\n\
                     resource \"terraform_data\" \"m\" {\n  input = local.l\n}\n\
                     locals {\n  l = \"${var.name}-${var.size}\"\n}\n\
                     output \"id\" {\n  value = local.l\n}\n";

const TEST: &str = "variables {\n  size = 3\n  name = \"file\"\n}\n\
                    run \"setup\" {\n  module {\n    source = \"./inner\"\n  }\n  assert {\n    \
                    condition     = output.id == local.l && var.size == 3\n    \
                    error_message = terraform_data.m.input\n  }\n}\n\
                    run \"main\" {\n  variables {\n    name = \"${run.setup.id}${var.size}\"\n  }\n  assert {\n    \
                    condition     = output.o == var.name && var.size == 3\n    \
                    error_message = output.o\n  }\n}\n\
                    run \"again\" {\n  module {\n    source = \"./inner\"\n  }\n  variables {\n    \
                    size = 4\n    name = run.main.o\n  }\n}\n";

const JSON: &str = r#"{
  "variables": {
    "size": 3,
    "name": "file"
  },
  "run": {
    "setup": {
      "module": {"source": "./inner"},
      "assert": {"condition": "${output.id == local.l && var.size == 3}", "error_message": "x"}
    },
    "main": {
      "variables": {"name": "${run.setup.id}${var.size}"},
      "assert": {"condition": "${output.o == var.name && var.size == 3}", "error_message": "x"}
    }
  }
}
"#;

/// An address, its new name, and what changes in the test.
type Case<'c> = (&'c str, &'c str, &'c [(&'c str, &'c str)]);

fn modules(name: &str, test: &str) -> TempDir {
    tree(&[("main.tf", MAIN), ("inner/main.tf", INNER), (name, test)])
}

fn read(tree: &TempDir, name: &str) -> String {
    fs::read_to_string(tree.path().join(name)).unwrap()
}

/// Renames, and returns what is not changed.
fn rename(tree: &TempDir, address: &str, new: &str) -> Vec<String> {
    let rename = ["rename", address, new, "--tree", ".", "--write", "--format", "json"];
    let output = run(tree.path(), &rename);
    assert_eq!(status(&output), 0, "{address}: {}", stderr(&output));
    let left = json(&output)["not_changed"].as_array().unwrap().clone();
    left.iter().map(|it| it["why"].as_str().unwrap().to_owned()).collect()
}

fn replaced(test: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(test.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

#[test]
fn names_of_the_modules_follow() {
    let shared = ("  name = \"file\"\n", "  name = \"file\"\n  label = \"file\"\n");
    let size = [("size = 3", "length = 3"), ("size = 4", "length = 4"), ("var.size", "var.length")];
    let cases: &[Case<'_>] = &[
        // The module of the file has the name, too.
        ("inner:var.name", "label", &[shared, ("name = run.main.o", "label = run.main.o")]),
        (
            "var.name",
            "label",
            &[shared, ("    name = \"${run", "    label = \"${run"), ("var.name", "var.label")],
        ),
        ("inner:var.size", "length", &size),
        ("inner:output.id", "ident", &[("output.id", "output.ident"), ("setup.id", "setup.ident")]),
        ("output.o", "all", &[("output.o", "output.all"), ("run.main.o", "run.main.all")]),
        ("inner:local.l", "k", &[("local.l", "local.k")]),
        ("inner:terraform_data.m", "n", &[("data.m.", "data.n.")]),
    ];
    for &(address, new, edits) in cases {
        let tree = modules("main.tftest.hcl", TEST);
        assert_eq!(rename(&tree, address, new), [""; 0], "{address}");
        assert_eq!(read(&tree, "main.tftest.hcl"), replaced(TEST, edits), "{address}");
        let (start, old) = address.rsplit_once('.').unwrap();
        rename(&tree, &format!("{start}.{new}"), old);
        let all = ["main.tf", "inner/main.tf", "main.tftest.hcl"].map(|name| read(&tree, name));
        assert_eq!(all, [MAIN, INNER, TEST], "{address}");
    }
}

#[test]
fn names_of_the_modules_follow_in_json() {
    let shared = ("\"name\": \"file\"\n", "\"name\": \"file\",\n    \"label\": \"file\"\n");
    let size = [("\"size\"", "\"length\""), ("var.size", "var.length")];
    let cases: &[Case<'_>] = &[
        ("inner:var.name", "label", &[shared]),
        ("inner:var.size", "length", &size),
        ("inner:output.id", "ident", &[("output.id", "output.ident"), ("setup.id", "setup.ident")]),
    ];
    for &(address, new, edits) in cases {
        let tree = modules("main.tftest.json", JSON);
        assert_eq!(rename(&tree, address, new), [""; 0], "{address}");
        assert_eq!(read(&tree, "main.tftest.json"), replaced(JSON, edits), "{address}");
        let (start, old) = address.rsplit_once('.').unwrap();
        rename(&tree, &format!("{start}.{new}"), old);
        assert_eq!(read(&tree, "main.tftest.json"), JSON, "{address}");
    }
}

#[test]
fn values_that_a_rename_would_mix_are_refused_or_listed() {
    let test = replaced(TEST, &[("  size = 3\n", "  size = 3\n  length = 5\n")]);
    let tree = modules("main.tftest.hcl", &test);
    let output = run(tree.path(), &["rename", "inner:var.size", "length", "--tree", "."]);
    let told = stderr(&output);
    assert!(told.contains("main.tftest.hcl sets or uses a variable `length` already"), "{told}");
    assert_eq!(status(&output), 2);
    // A module that is not known may have the variable.
    let unknown = format!("{TEST}run \"far\" {{\n  module {{\n    source = \"a/b/c\"\n  }}\n}}\n");
    let tree = modules("main.tftest.hcl", &unknown);
    rename(&tree, "inner:var.size", "length");
    let text = read(&tree, "main.tftest.hcl");
    assert!(text.contains("  size = 3\n  name = \"file\"\n  length = 3\n"), "{text}");
    // A value of several lines stays one.
    let test = "variables {\n  size = 1\n  name = <<EOT\na\nEOT\n}\nrun \"a\" {\n}\nrun \"b\" {\n  module {\n    source = \"./inner\"\n  }\n}\n";
    let tree = modules("main.tftest.hcl", test);
    assert_eq!(rename(&tree, "inner:var.name", "label"), [""; 0]);
    let expected = test.replace("EOT\n}", "EOT\n  label = <<EOT\na\nEOT\n}");
    assert_eq!(read(&tree, "main.tftest.hcl"), expected);
    rename(&tree, "inner:var.label", "name");
    assert_eq!(read(&tree, "main.tftest.hcl"), test);
    // The module of the test has the value, under a name of its own.
    let test = replaced(TEST, &[("  size = 3\n", "")]);
    let tree = modules("main.tftest.hcl", &test);
    fs::write(tree.path().join("terraform.tfvars"), "size = 3\n").unwrap();
    let told = "takes the value from a file of values, under the old name";
    assert!(rename(&tree, "inner:var.size", "length").contains(&told.to_owned()));
    // An override for all runs may be of any of the modules.
    let all = "override_resource {\n  target = terraform_data.m\n}\n";
    let tree = modules("main.tftest.hcl", &format!("{TEST}{all}"));
    let more = format!("{MAIN}resource \"terraform_data\" \"m\" {{\n}}\n");
    fs::write(tree.path().join("main.tf"), more).unwrap();
    let told = "also names an object of another module that the file runs";
    assert_eq!(rename(&tree, "inner:terraform_data.m", "n"), [told]);
    let text = read(&tree, "main.tftest.hcl");
    assert!(text.ends_with(all) && text.contains("error_message = terraform_data.n.input"));
}

#[test]
fn what_runs_use_is_used() {
    let more = "variable \"gone\" {\n  default = 1\n}\nvariable \"both\" {\n  default = 1\n}\n";
    let test = replaced(
        TEST,
        &[
            ("  size = 3\n", "  size = 3\n  gone = 1\n  both = 1\n  other = 1\n"),
            ("  variables {\n    size = 4", "  variables {\n    other = 2\n    size = 4"),
        ],
    );
    let tree = modules("main.tftest.hcl", &test);
    fs::write(tree.path().join("main.tf"), format!("{MAIN}{more}")).unwrap();
    let inner = "variable \"other\" {}\nvariable \"both\" {}\noutput \"b\" {\n  value = var.both\n}\n\
                 locals {\n  unused = 1\n}\n";
    fs::write(tree.path().join("inner/main.tf"), format!("{INNER}{inner}")).unwrap();
    let output = run(tree.path(), &["fix-unused", ".", "--tree", ".", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), "inner/main.tf\nmain.tf\nmain.tftest.hcl\n");
    let expected = replaced(TEST, &[("  size = 3\n", "  size = 3\n  both = 1\n")]);
    assert_eq!(read(&tree, "main.tftest.hcl"), expected);
    assert_eq!(read(&tree, "main.tf"), MAIN);
    // Objects that only assertions of such a run use stay.
    assert!(read(&tree, "inner/main.tf").contains("  l = \""));
    // A value of a file of variables reaches the module that a run runs.
    fs::write(tree.path().join("main.tftest.hcl"), replaced(TEST, &[("  size = 3\n", "")]))
        .unwrap();
    fs::write(tree.path().join("terraform.tfvars"), "size = 3\n").unwrap();
    fs::write(tree.path().join("main.tf"), format!("{MAIN}variable \"size\" {{}}\n")).unwrap();
    let output = run(tree.path(), &["fix-unused", ".", "--tree", "."]);
    assert_eq!(stdout(&output), "", "{}", stderr(&output));
}

#[test]
fn other_refactorings_know_the_runs() {
    let tree = modules("main.tftest.hcl", TEST);
    let refused = |arguments: &[&str], why: &str| {
        let output = run(tree.path(), &[arguments, &["--tree", "."]].concat());
        assert!(stderr(&output).contains(why), "{arguments:?}: {}", stderr(&output));
        assert_eq!(status(&output), 2, "{arguments:?}");
    };
    refused(&["inline", "inner:local.l"], "the tests in main.tftest.hcl use it");
    fs::write(
        tree.path().join("outer.tf"),
        "module \"inner\" {\n  source = \"./inner\"\n  size   = 1\n}\n",
    )
    .unwrap();
    refused(
        &["move", "inner:terraform_data.m", ".:terraform_data.m"],
        "the tests in main.tftest.hcl run inner, too",
    );
    let keyed =
        replaced(INNER, &[("  input = local.l", "  for_each = { a = 1 }\n  input    = local.l")]);
    fs::write(tree.path().join("inner/main.tf"), keyed).unwrap();
    let test = replaced(TEST, &[("data.m.input", "data.m[\"a\"].input")]);
    fs::write(tree.path().join("main.tftest.hcl"), &test).unwrap();
    rename(&tree, "inner:terraform_data.m[\"a\"]", "b");
    assert_eq!(read(&tree, "main.tftest.hcl"), replaced(&test, &[("[\"a\"]", "[\"b\"]")]));
}

#[test]
fn overrides_of_modules_have_the_names_of_outputs() {
    let test = "override_module {\n  target  = module.inner\n  outputs = {\n    id = \"x\"\n  }\n}\n\
                run \"a\" {\n  override_module {\n    target  = module.inner\n    outputs = { \"id\" = \"y\", other = \"id\" }\n  }\n}\n";
    let tree = modules("main.tftest.hcl", test);
    let call = "module \"inner\" {\n  source = \"./inner\"\n  size   = 1\n}\n";
    fs::write(tree.path().join("main.tf"), format!("{MAIN}{call}")).unwrap();
    assert_eq!(rename(&tree, "inner:output.id", "ident"), ["not a reference to it"]);
    let expected = replaced(test, &[("    id = ", "    ident = "), ("\"id\" =", "\"ident\" =")]);
    assert_eq!(read(&tree, "main.tftest.hcl"), expected);
    rename(&tree, "inner:output.ident", "id");
    assert_eq!(read(&tree, "main.tftest.hcl"), test);
    // In a run of a module without the call, it has no effect.
    let far = "run \"b\" {\n  module {\n    source = \"./inner\"\n  }\n}\n";
    fs::write(tree.path().join("main.tftest.hcl"), format!("{test}{far}")).unwrap();
    assert_eq!(rename(&tree, "inner:output.id", "ident"), ["not a reference to it"]);
    assert_eq!(read(&tree, "main.tftest.hcl"), format!("{expected}{far}"));
    rename(&tree, "inner:output.ident", "id");
    // In one of a module whose call of this name leads to another module, it is one of that.
    for (name, text) in [
        ("far/main.tf", "module \"inner\" {\n  source = \"../deep\"\n}\n"),
        ("deep/main.tf", "output \"id\" {\n  value = 1\n}\n"),
    ] {
        fs::create_dir_all(tree.path().join(name).parent().unwrap()).unwrap();
        fs::write(tree.path().join(name), text).unwrap();
    }
    let far = far.replace("./inner", "./far");
    fs::write(tree.path().join("main.tftest.hcl"), format!("{test}{far}")).unwrap();
    let told = "also names an object of another module that the file runs";
    assert!(rename(&tree, "inner:output.id", "ident").contains(&told.to_owned()));
}

#[test]
fn components_of_stacks_follow() {
    let stack = "component \"inner\" {\n  source = \"./inner\"\n  inputs = {\n    size = 1\n  }\n}\n\
                 component \"many\" {\n  for_each = [1]\n  source   = \"./inner\"\n  inputs   = { size = 2 }\n}\n\
                 output \"o\" {\n  type  = string\n  value = component.inner.id\n}\n\
                 output \"p\" {\n  type  = string\n  value = component.many[\"x\"][\"id\"]\n}\n\
                 output \"q\" {\n  type  = any\n  value = component.inner\n}\n";
    let tree = tree(&[("inner/main.tf", INNER), ("main.tfcomponent.hcl", stack)]);
    let left = rename(&tree, "inner:var.size", "length");
    assert_eq!(left, [""; 0]);
    assert_eq!(read(&tree, "main.tfcomponent.hcl"), stack.replace("size", "length"));
    rename(&tree, "inner:var.length", "size");
    let left = rename(&tree, "inner:output.id", "ident");
    assert_eq!(left, ["uses the module as a whole, and perhaps this output of it"]);
    let expected = stack.replace("inner.id", "inner.ident").replace("[\"id\"]", "[\"ident\"]");
    assert_eq!(read(&tree, "main.tfcomponent.hcl"), expected);
    // A variable that a component sets stays.
    fs::write(tree.path().join("inner/main.tf"), "variable \"size\" {}\nvariable \"no\" {}\n")
        .unwrap();
    let output = run(tree.path(), &["fix-unused", "inner", "--tree", ".", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(read(&tree, "inner/main.tf"), "variable \"size\" {}\n");
}

const PROVIDERS: &str = "terraform {\n  required_providers {\n    aws = {\n      source                = \"hashicorp/aws\"\n      \
                         configuration_aliases = [aws.west]\n    }\n  }\n}\n";

const MOCKS: &str = "mock_provider \"aws\" {\n  alias = \"west\"\n}\nprovider \"aws\" {\n  alias  = \"real\"\n  region = \"x\"\n}\n\
                     run \"own\" {\n}\n\
                     run \"other\" {\n  module {\n    source = \"./inner\"\n  }\n  providers = {\n    aws.in = aws.west\n  }\n}\n\
                     run \"passed\" {\n  providers = {\n    aws.west = aws.real\n  }\n}\n";

const MOCKS_JSON: &str = r#"{
  "mock_provider": {"aws": {"alias": "west"}},
  "provider": {"aws": {"alias": "real", "region": "x"}},
  "run": {
    "own": {},
    "other": {"module": {"source": "./inner"}, "providers": {"aws.in": "aws.west"}},
    "passed": {"providers": {"aws.west": "aws.real"}}
  }
}
"#;

#[test]
fn provider_configurations_of_tests_follow() {
    let inner = PROVIDERS.replace("west", "in");
    let files = |name: &str, test: &str| {
        tree(&[("main.tf", PROVIDERS), ("inner/main.tf", &inner), (name, test)])
    };
    for (name, test) in [("t.tftest.hcl", MOCKS), ("t.tftest.json", MOCKS_JSON)] {
        let tree = files(name, test);
        assert_eq!(rename(&tree, "provider.aws.west", "east"), [""; 0], "{name}");
        assert_eq!(read(&tree, name), test.replace("west", "east"));
        assert_eq!(rename(&tree, "inner:provider.aws.in", "inside"), [""; 0], "{name}");
        let expected = test.replace("west", "east").replace("aws.in", "aws.inside");
        assert_eq!(read(&tree, name), expected);
        // The file has a configuration with the new name, which runs of the module would take.
        let output = run(tree.path(), &["rename", "provider.aws.east", "real"]);
        assert!(stderr(&output).contains("provider.aws.real already"), "{}", stderr(&output));
    }
    // Runs of the module itself alone.
    let alone = "mock_provider \"aws\" {\n  alias = \"west\"\n}\nrun \"a\" {\n}\n";
    let tree = files("t.tftest.hcl", alone);
    assert_eq!(rename(&tree, "provider.aws.west", "east"), [""; 0]);
    assert_eq!(read(&tree, "t.tftest.hcl"), alone.replace("west", "east"));
    // All runs say what they take: the name in the file is another one.
    let passing = alone
        .replace("run \"a\" {\n", "run \"a\" {\n  providers = {\n    aws.west = aws.west\n  }\n");
    let tree = files("t.tftest.hcl", &passing);
    assert_eq!(rename(&tree, "provider.aws.west", "east"), ["not a reference to it"; 2]);
    assert_eq!(read(&tree, "t.tftest.hcl"), passing.replace("aws.west =", "aws.east ="));
    // Another module takes the configuration of the file, too.
    let inner = PROVIDERS;
    let both = format!("{alone}run \"b\" {{\n  module {{\n    source = \"./inner\"\n  }}\n}}\n");
    let tree =
        self::tree(&[("main.tf", PROVIDERS), ("inner/main.tf", inner), ("t.tftest.hcl", &both)]);
    let told = "also names an object of another module that the file runs";
    assert_eq!(rename(&tree, "provider.aws.west", "east"), [told]);
    assert_eq!(read(&tree, "t.tftest.hcl"), both);
}

#[test]
fn shadowed_tests_follow() {
    let other = "run \"a\" {\n}\n";
    for (name, shadow) in [("t.tftest.hcl", "t.tofutest.hcl"), ("t.tftest.json", "t.tofutest.json")]
    {
        let (test, other) = match name.ends_with("json") {
            true => (JSON, "{\"run\": {\"a\": {}}}\n"),
            false => (TEST, other),
        };
        let tree = modules(name, test);
        fs::write(tree.path().join(shadow), other).unwrap();
        let before = rename(&tree, "var.name", "title").len();
        let renamed = read(&tree, name);
        assert!(renamed.contains("o == var.title && var.size"), "{renamed}");
        assert_eq!(rename(&tree, "var.title", "name").len(), before);
        assert_eq!(read(&tree, name), test);
        assert_eq!(rename(&tree, "inner:var.size", "length"), [""; 0], "{name}");
        assert_eq!(read(&tree, name), test.replace("size", "length"));
    }
    // A test of one module.
    let alone = "variables {\n  name = \"x\"\n}\nrun \"a\" {\n  assert {\n    condition     = output.o == var.name\n    \
                 error_message = \"x\"\n  }\n}\n";
    let tree = modules("t.tftest.hcl", alone);
    fs::write(tree.path().join("t.tofutest.hcl"), other).unwrap();
    assert_eq!(rename(&tree, "var.name", "title"), [""; 0]);
    assert_eq!(read(&tree, "t.tftest.hcl"), alone.replace("name", "title"));
}
