//! The language: every command accepts valid files, and refuses others.

use crate::tool::{feed, json, run, status, stderr, stdout, tree};

/// The findings of `check` with these arguments: a line and a code each.
fn found(files: &[(&str, &str)], arguments: &[&str]) -> Vec<String> {
    let tree = tree(files);
    let output = run(tree.path(), &[&["check", "--format", "json"], arguments, &["."]].concat());
    let diagnostics = json(&output)["diagnostics"].as_array().unwrap().clone();
    let shown = diagnostics.iter().map(|it| {
        let line = &it["range"]["start"]["line"];
        format!("{line} {}", it["code"].as_str().unwrap())
    });
    shown.collect()
}

/// Spaces may follow the name that ends a heredoc, in files of every kind.
#[test]
fn heredocs_end_with_spaces_after_their_name() {
    let text = "a = <<E\nE x\nE \t\nb = <<-F\r\n  y\r\n  F \r\n";
    let body = format!("locals {{\n{text}}}\n");
    let files = [
        ("main.tf", body.as_str()),
        ("terraform.tfvars", text),
        ("p/x.pkr.hcl", &body),
        ("t/terragrunt.hcl", &body),
    ];
    let tree = tree(&files);
    for (name, _) in files {
        let output = run(tree.path(), &["check", "--level", "syntax", "--quiet", name]);
        assert_eq!((status(&output), stdout(&output).as_str()), (0, ""), "{name}");
    }
    let output = run(tree.path(), &["convert", "--to", "json", "terraform.tfvars"]);
    assert_eq!(json(&output), serde_json::json!({"a": "E x\n", "b": "y\r\n"}));
    assert_eq!(
        found(&[("v.tf", &body), ("o.tf", "output \"o\" {\n value = [local.a, local.b]\n}")], &[]),
        [""; 0]
    );
}

const BLOCKS: &str = r#"{
  "variable": {"bs": {"type": "list(string)", "default": ["x"]}},
  "resource": {"demo_thing": {"t": {
    "//": "${demo_thing.gone.id}",
    "outer": [{
      "\/\/": "${demo_thing.gone.id}",
      "dynamic": {"inner": {"for_each": "${var.bs}",
        "content": {"v": "${inner.value}", "//": "${demo_thing.gone.id}"}}},
      "deep": {"dynamic": [{"other": [{"for_each": "${inner.unknown}", "content": {}}]}]}
    }],
    "map": {"${var.bs[0]}": {"//": "${local.key}"}},
    "list": [[{"//": "${local.element}"}]]
  }}}
}"#;

/// In JSON, an object that may be a block is read as one: its comments have no meaning, and its
/// `dynamic` blocks have iterators.
#[test]
fn nested_objects_may_be_blocks() {
    let files = [("main.tf.json", BLOCKS)];
    let expected = ["9 undeclared-reference", "11 undeclared-reference", "12 undeclared-reference"];
    assert_eq!(found(&files, &[]), expected);
    let tree = tree(&files);
    let listed = stdout(&run(tree.path(), &["references", "--quiet", "."]));
    assert!(listed.contains("-> var.bs") && !listed.contains("inner.value"), "{listed}");
    assert!(!listed.contains("gone"), "{listed}");
    let expanded = json(&run(tree.path(), &["expand", "--format", "json", "."]));
    let resource = &expanded["planned_values"]["root_module"]["resources"][0];
    let outer = &resource["values"]["outer"];
    assert_eq!(*outer, serde_json::json!([{"inner": [{"v": "x"}], "deep": {}}]), "{resource}");
}

/// In a value, which has no blocks, a key is a key.
#[test]
fn keys_of_values_are_no_comments() {
    let text = r#"{
  "locals": {"a": {"//": "${local.gone}"}},
  "resource": {"terraform_data": {"t": {
    "input": {"//": "${local.gone}"},
    "provisioner": {"local-exec": {"command": "x",
      "environment": {"//": "${local.gone}"}}}
  }}}
}"#;
    let gone = "undeclared-reference";
    let expected = [2, 4, 6].map(|line| format!("{line} {gone}"));
    assert_eq!(found(&[("main.tf.json", text)], &["--allow", "warnings"]), expected);
}

/// Where labels are expected, `//` is a label.
#[test]
fn comments_among_labels_are_labels() {
    for text in [
        r#"{"resource": {"//": "x"}}"#,
        r#"{"variable": {"//": "x"}}"#,
        r#"{"output": {"//": "x"}}"#,
        r#"{"terraform": {"required_providers": {"a": {"//": "x"}}}}"#,
    ] {
        assert_eq!(found(&[("main.tf.json", text)], &["--allow", "warnings"]).len(), 1, "{text}");
    }
}

/// The lines with findings of `check` for one native file, without warnings.
fn lines(text: &str, dialect: &str) -> Vec<String> {
    let arguments = ["--allow", "warnings", "--dialect", dialect];
    found(&[("main.tf", text)], &arguments)
}

/// A type is checked where it is written, whether or not a default passes through it.
#[test]
fn types_are_checked_when_written() {
    for (ty, expected) in [
        ("object({ a = string, a = number })", "invalid-type"),
        ("object({ a = optional(list(string), {}) })", "invalid-default"),
        ("object({ a = optional(string, var.x) })", "variables-not-allowed"),
        ("object({ a = optional(string, upper(\"a\")) })", "function-calls-not-allowed"),
        ("list(object({ a = optional(bool, \"maybe\") }))", "invalid-default"),
    ] {
        let expected = [format!("2 {expected}")];
        for dialect in ["opentofu", "terraform"] {
            let native = format!("variable \"v\" {{\n  type = {ty}\n}}\n");
            assert_eq!(lines(&native, dialect), expected, "{ty}");
            let text = serde_json::to_string(ty).unwrap();
            let json = format!("{{\"variable\": {{\"v\": {{\n\"type\": {text}}}}}}}");
            let arguments = ["--allow", "warnings", "--dialect", dialect];
            assert_eq!(found(&[("main.tf.json", &json)], &arguments), expected, "{ty}");
        }
    }
}

/// In an object, whose lines are its items, the star of a splat has no line breaks around it.
#[test]
fn splats_are_on_one_line() {
    let with =
        |value: &str| format!("locals {{\n b = [{{ x = 1 }}]\n a = {{ c = {value}\n }}\n}}\n");
    assert_eq!(lines(&with("local.b[\n*]"), "opentofu"), ["4 invalid-expression"]);
    assert_eq!(lines(&with("local.b[*\n].x"), "opentofu"), ["3 missing-splat-bracket"]);
    assert_eq!(lines(&with("[local.b[\n*], local.b[*\n].x]"), "opentofu"), [""; 0]);
    assert_eq!(lines(&with("local.b[\n0\n]"), "opentofu"), [""; 0]);
}

/// A keyword has no quotes in native syntax.
#[test]
fn keywords_have_no_quotes() {
    let native =
        "resource \"terraform_data\" \"a\" {\n lifecycle {\n  ignore_changes = \"all\"\n }\n}\n";
    assert_eq!(lines(native, "opentofu"), ["3 static-list-required"]);
    let json = "{\"resource\": {\"terraform_data\": {\"a\": {\"lifecycle\": {\"ignore_changes\": \"all\"}}}}}";
    assert_eq!(found(&[("main.tf.json", json)], &[]), [""; 0]);
}

/// Blocks that follow changes of the configuration have the errors that every plan reports.
#[test]
fn moves_fit_what_is_declared() {
    let thing = |name: &str| format!("resource \"terraform_data\" \"{name}\" {{\n}}\n");
    let moved = |from: &str, to: &str| {
        format!("moved {{\n from = terraform_data.{from}\n to = terraform_data.{to}\n}}\n")
    };
    for (text, expected) in [
        (moved("a", "b") + &thing("a") + &thing("b"), vec!["1 still-declared"]),
        (moved("a", "a"), vec!["1 redundant-move"]),
        (moved("a", "b") + &moved("b", "a"), vec!["1 cyclic-move"]),
        (moved("a", "b") + &moved("a", "c"), vec!["5 ambiguous-move"]),
        (moved("a", "c") + &moved("b", "c"), vec!["5 ambiguous-move"]),
        (moved("a", "b") + &moved("b", "c") + &thing("c"), vec![]),
        // All instances, and the one without a key, are different objects.
        (moved("a", "b") + &moved("a", "c[0]") + &thing("b") + &thing("c"), vec![]),
        (moved("a", "c[0]") + &moved("a", "c[1]") + &thing("c"), vec!["5 ambiguous-move"]),
        (moved("a", "b[0]") + &thing("b"), vec![]),
        (moved("a[0]", "a[\"x\"]") + &thing("a"), vec![]),
        (
            "removed {\n from = terraform_data.a\n lifecycle {\n  destroy = false\n }\n}\n"
                .to_owned()
                + &thing("a"),
            vec!["1 still-declared"],
        ),
    ] {
        for dialect in ["opentofu", "terraform"] {
            assert_eq!(lines(&text, dialect), expected, "{text}");
        }
    }
    let repeated = "moved {\n from = terraform_data.a\n to = terraform_data.a[0]\n}\nresource \"terraform_data\" \"a\" {\n count = 1\n}\n";
    assert_eq!(lines(repeated, "opentofu"), [""; 0]);
}

/// An import needs an instance to import to.
#[test]
fn imports_have_a_target() {
    let text = "import {\n for_each = { k = \"v\" }\n to = terraform_data.a[each.key]\n id = each.value\n}\nresource \"terraform_data\" \"a\" {\n}\n";
    assert_eq!(lines(text, "terraform"), ["3 import-target"]);
    let text = "import {\n to = terraform_data.nope\n id = \"x\"\n}\n";
    assert_eq!(lines(text, "opentofu"), ["2 undeclared-import"]);
}

/// OpenTofu accepts an empty identifier of an import. Terraform refuses it.
#[test]
fn an_empty_identifier_is_an_error_of_terraform() {
    let variable = "variable \"none\" {\n  default = \"\"\n}\n";
    for id in ["var.none", "join(\"\", [var.none, \"\"])"] {
        let text = format!(
            "{variable}resource \"terraform_data\" \"a\" {{}}\nimport {{\n  to = terraform_data.a\n  id = {id}\n}}\n"
        );
        let tree = tree(&[("main.tf", text.as_str())]);
        for (dialect, severity, code) in [("opentofu", "warning", 0), ("terraform", "error", 1)] {
            let level = ["--level", "values", "--dialect", dialect, "--format", "json", "."];
            let output = run(tree.path(), &[&["check"][..], &level].concat());
            let all = json(&output)["diagnostics"].as_array().unwrap().clone();
            let all: Vec<_> = all.iter().map(|it| (&it["code"], &it["severity"])).collect();
            let expected = serde_json::json!(["import-identifier", severity]);
            assert_eq!(serde_json::json!(all), serde_json::json!([expected]), "{id} {dialect}");
            assert_eq!(status(&output), code, "{id} {dialect}");
            let found = json(&output)["diagnostics"][0]["range"]["start"]["line"].clone();
            assert_eq!(found, 7, "{id}");
        }
    }
}

/// A resource cannot use itself.
#[test]
fn resources_do_not_refer_to_themselves() {
    let text = "resource \"terraform_data\" \"a\" {\n input = terraform_data.a.output\n provisioner \"local-exec\" {\n  command = self.id\n }\n}\n";
    assert_eq!(lines(text, "opentofu"), ["2 resource-of-itself"]);
}

/// Events and the name of the instance that runs an action (Terraform 1.16).
#[test]
fn actions_know_their_caller() {
    let text = "action \"x_act\" \"f\" {\n config {\n  n = caller.id\n }\n}\nresource \"terraform_data\" \"a\" {\n lifecycle {\n  destroy = false\n  action_trigger {\n   events = [before_destroy, after_destroy]\n   actions = [action.x_act.f]\n  }\n }\n}\n";
    assert_eq!(lines(text, "terraform"), [""; 0]);
}

/// A set for `for_each` has no null in it.
#[test]
fn sets_of_keys_have_no_null() {
    let text = "resource \"terraform_data\" \"a\" {\n for_each = toset([\"a\", null])\n}\n";
    assert_eq!(lines(text, "terraform"), ["2 for-each-value"]);
    assert_eq!(lines(&text.replace("\"a\", null", ""), "terraform"), [""; 0]);
}

/// `fmt DIR` formats what the formatters of the tools format, each file by its name.
#[test]
fn every_native_file_of_a_tool_is_formatted() {
    let formatted = [
        "a.tf",
        "b.tofu",
        "p.pkr.hcl",
        "p.pkrvars.hcl",
        "prod.tfvars",
        "q.tfquery.hcl",
        "s/c.tfcomponent.hcl",
        "s/d.tfdeploy.hcl",
        "s/m.tfmock.hcl",
        "t.tftest.hcl",
        "t.tofutest.hcl",
    ];
    let others = [
        ".hidden.tf",
        ".hidden/x.tf",
        ".terraform.lock.hcl",
        "docker-bake.hcl",
        "x.tfvars.json",
        "#y.tfvars#",
    ];
    let all = formatted.iter().chain(&others).map(|name| (*name, "a=1\n"));
    let tree = tree(&all.collect::<Vec<_>>());
    let output = run(tree.path(), &["fmt", "--check", "."]);
    let text = stdout(&output);
    let mut listed: Vec<&str> = text.lines().collect();
    listed.sort_unstable();
    assert_eq!((status(&output), listed.as_slice()), (1, formatted.as_slice()));
    assert!(stderr(&output).contains("files would change"), "{}", stderr(&output));
    let of = |dialect| {
        let text = stdout(&run(tree.path(), &["fmt", "--check", "--dialect", dialect, "."]));
        let mut names: Vec<&str> = text.lines().collect();
        names.sort_unstable();
        names.join(" ")
    };
    assert_eq!(of("packer"), "p.pkr.hcl p.pkrvars.hcl");
    assert_eq!(of("opentofu"), "a.tf b.tofu prod.tfvars t.tftest.hcl t.tofutest.hcl");
    let of_terraform = "a.tf prod.tfvars q.tfquery.hcl s/c.tfcomponent.hcl s/d.tfdeploy.hcl \
                        s/m.tfmock.hcl t.tftest.hcl";
    assert_eq!(of("terraform"), of_terraform);
}

/// Standard input without a name is native for `fmt`; other commands look at its first byte.
#[test]
fn the_syntax_of_standard_input_is_recognised() {
    for text in ["a=1\n", "a = 1\n"] {
        let output = feed(&["fmt", "-"], text);
        assert_eq!((status(&output), stdout(&output).as_str()), (0, "a = 1\n"));
    }
    for (text, name) in [
        ("b = 1\n", "stdin.tf:1"),
        ("# c\n\n/* d */ b = 1\n", "stdin.tf:3"),
        ("{\"b\": 1}", "stdin.tf.json:1"),
        ("\u{feff}{\"b\": 1}", "stdin.tf.json:1"),
    ] {
        let output = feed(&["check", "--format", "concise", "-"], text);
        assert!(stdout(&output).contains(name), "{text}: {}", stdout(&output));
    }
    let output = feed(&["query", "locals.*", "-"], "locals {\n  a = 1\n}\n");
    assert!(stdout(&output).contains("stdin.tf"), "{}", stdout(&output));
}

/// Converts one file, and returns the text.
fn converted(name: &str, text: &str, to: &str, dialect: &str) -> String {
    let tree = tree(&[(name, text)]);
    let output = run(tree.path(), &["convert", "--quiet", "--dialect", dialect, "--to", to, name]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    stdout(&output)
}

/// Literal JSON has its value.
#[test]
fn literals_are_written_as_their_values() {
    let of = |name: &str, text: &str, dialect: &str| -> serde_json::Value {
        serde_json::from_str(&converted(name, text, "json", dialect)).unwrap()
    };
    let native = "variable \"a\" {\n  default = 60 * 60\n}\nvariable \"b\" {\n  default = { (1 + 1) = \"${\"t\"}\" }\n}\n";
    let expected =
        serde_json::json!({"variable": {"a": {"default": 3600}, "b": {"default": {"2": "t"}}}});
    assert_eq!(of("main.tf", native, "opentofu"), expected);
    let vars = "x = { k = 1, k = 2 }\ny = !true\n";
    assert_eq!(of("v.tfvars", vars, "opentofu"), serde_json::json!({"x": {"k": 2}, "y": false}));
    let backend = "terraform {\n  backend \"local\" {\n    path = \"x$${y}\"\n  }\n}\n";
    let path = |value: &serde_json::Value| value["terraform"]["backend"]["local"]["path"].clone();
    assert_eq!(path(&of("main.tf", backend, "terraform")), "x${y}");
    assert_eq!(path(&of("main.tf", backend, "opentofu")), "x$${y}");
    let tree = tree(&[("v.tfvars", "x = var.y\n"), ("w.tfvars", "x = upper(\"a\")\n")]);
    for name in ["v.tfvars", "w.tfvars"] {
        let output = run(tree.path(), &["convert", "--to", "json", name]);
        assert_eq!(status(&output), 1, "{}", stdout(&output));
    }
}

/// References, keywords and types are the same after a conversion.
#[test]
fn conversions_keep_meanings() {
    let native = "terraform {\n  language = TF2021\n}\nresource \"a_b\" \"c\" {\n  depends_on = [terraform_data.x.0]\n}\n";
    let json: serde_json::Value =
        serde_json::from_str(&converted("main.tf", native, "json", "terraform")).unwrap();
    assert_eq!(json["terraform"]["language"], "TF2021");
    assert_eq!(json["resource"]["a_b"]["c"]["depends_on"][0], "terraform_data.x[0]");
    let mock = "override_resource {\n  target = a_b.c\n}\nmock_resource \"a_b\" {\n  override_during = plan\n}\n";
    let json: serde_json::Value =
        serde_json::from_str(&converted("m.tfmock.hcl", mock, "json", "terraform")).unwrap();
    assert_eq!(json["override_resource"]["target"], "a_b.c");
    assert_eq!(json["mock_resource"]["a_b"]["override_during"], "plan");
    // A type of several lines, and a line break that would end an expression.
    let json = r#"{"variable": {"x": {"type": "object({\n  a = string\n  b = number\n})"}},
        "locals": {"ok": "${(var.x == 1) ||\n(var.x == 2)}"}}"#;
    let native = converted("main.tf.json", json, "native", "opentofu");
    assert!(native.contains("type = object({"), "{native}");
    assert_eq!(found(&[("main.tf", &native)], &["--allow", "warnings"]), [""; 0], "{native}");
}

/// A module whose source is the default of a variable is read.
#[test]
fn sources_are_known_by_defaults() {
    let main = "variable \"p\" {\n  default = \"./m\"\n}\nlocals {\n  q = \"${var.p}\"\n}\nmodule \"a\" {\n  source = local.q\n}\noutput \"o\" {\n  value = module.a.nope\n}\n";
    let files = [("main.tf", main), ("m/m.tf", "output \"x\" {\n  value = 1\n}\n")];
    assert_eq!(found(&files, &["--allow", "warnings"]), ["11 undeclared-output"]);
}

/// Files that are read only if they are named are checked, too, and lock files.
#[test]
fn values_of_any_name_are_checked() {
    let files = [
        ("m/main.tf", "locals {\n}\n"),
        (
            "m/.terraform.lock.hcl",
            "provider \"registry.opentofu.org/a/b\" {\n  version = \"1.0.0\"\n  hashes  = []\n}\n",
        ),
        ("vars/prod.tfvars", "\na = {\n"),
        ("vars/prod.tfvars.json", "\n\n{\"a\": 1, \"a\": 2}\n"),
        ("vars/more.tfvars", "a = 1\n"),
        ("vars/p.pkrvars.hcl", "a {}\n"),
        ("vars/p.pkrvars.json", "{\n"),
    ];
    let expected = [
        "3 provider-lock",
        "1 unexpected-block",
        "2 missing-value",
        "2 unterminated-object",
        "3 duplicate-attribute",
    ];
    assert_eq!(found(&files, &[]), expected);
    assert_eq!(found(&files, &["--level", "syntax"]), expected);
    assert_eq!(found(&files, &["--dialect", "packer"]), &expected[1..3]);
    let tree = tree(&[("vars/prod.tfvars", "a = 1\n")]);
    let output = run(tree.path(), &["check", "vars", "vars/prod.tfvars"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""), "{}", stderr(&output));
    assert!(!stderr(&output).contains("incomplete"), "{}", stderr(&output));
}

/// A `dynamic` block of a provider without schemas has its own arguments, too.
#[test]
fn dynamic_blocks_are_checked_without_schemas() {
    let check = |body: &str| {
        let text = format!(
            "resource \"x_a\" \"b\" {{\n  outer {{\n    dynamic \"in\" {{\n{body}\n    }}\n  }}\n}}\n"
        );
        found(&[("main.tf", &text)], &[])
    };
    for (body, expected) in [
        ("for_each = []\ncontent {}", &[][..]),
        ("for_each = []\niterator = it\nlabels = [\"a\"]\ncontent {}", &[]),
        ("for_each = []\niterator = \"it\"\ncontent {}", &["5 keyword-required"]),
        ("for_each = []\niterator = it.x\ncontent {}", &["5 keyword-required"]),
        ("content {}", &["5 missing-argument"]),
        ("for_each = []", &["5 block-count"]),
        ("for_each = []\nmore = 1\ncontent {}", &["5 unsupported-argument"]),
        ("for_each = []\ncontent {}\ncontent {}", &["6 duplicate-block"]),
    ] {
        assert_eq!(check(body), expected, "{body}");
    }
    let labels =
        "resource \"x_a\" \"b\" {\n  dynamic {\n    for_each = []\n    content {}\n  }\n}\n";
    assert_eq!(found(&[("main.tf", labels)], &[]), ["2 missing-block-label"]);
    // In JSON, it may be a value.
    let value = r#"{"resource": {"x_a": {"b": {"outer": {"dynamic": {"in": {"more": 1}}}}}}}"#;
    assert_eq!(found(&[("main.tf.json", value)], &[]), [""; 0]);
}

/// Constructs of Terraform 1.16 that no table of arguments has.
#[test]
fn actions_need_releases() {
    let main = "action \"x_do\" \"a\" {\n  config {\n    id = caller.id\n  }\n}\nresource \"terraform_data\" \"b\" {\n  store {\n    input = 1\n  }\n  lifecycle {\n    action_trigger {\n      events     = [after_create, before_destroy]\n      actions    = [action.x_do.a]\n      on_failure = taint\n    }\n  }\n}\n";
    let files = [("main.tf", main)];
    assert_eq!(found(&files, &["--dialect", "terraform@1.16"]), [""; 0]);
    let expected = ["3", "7", "12", "14"].map(|line| format!("{line} needs-newer-version"));
    assert_eq!(found(&files, &["--dialect", "terraform@1.15"]), expected);
}

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/x/t": {
  "provider": {"version": 0, "block": {}},
  "functions": {
    "f": {"return_type": ["list", "string"], "parameters": [{"name": "s", "type": "string"}, {"name": "n", "type": "number"}]},
    "g": {"return_type": "string", "parameters": [], "variadic_parameter": {"name": "more", "type": "string"}}},
  "resource_identity_schemas": {"t_a": {"version": 0, "attributes": {
    "account": {"type": "string", "required_for_import": true}, "n": {"type": "number", "optional_for_import": true}}}},
  "resource_schemas": {"t_plain": {"version": 0, "block": {}}, "t_a": {"version": 0, "block": {
    "attributes": {
      "num": {"type": "number", "optional": true}, "labels": {"type": ["map", "string"], "optional": true},
      "nests": {"nested_type": {"nesting_mode": "list", "attributes": {
        "c": {"type": "string", "computed": true}, "o": {"type": "string", "optional": true}}}, "optional": true}},
    "block_types": {
      "many": {"nesting_mode": "list", "block": {"attributes": {"v": {"type": "string", "optional": true}}}},
      "one": {"nesting_mode": "single", "block": {"attributes": {"y": {"type": "number", "optional": true}}}}}}}}}}}"#;

const PROVIDERS: &str =
    "terraform {\n  required_providers {\n    t = {\n      source = \"x/t\"\n    }\n  }\n}\n";

/// Returns the findings of `check` in a file with these schemas, which are the same in both syntaxes.
fn by_schema(text: &str) -> Vec<String> {
    let tree = tree(&[("n/main.tf", text), ("n/p.tf", PROVIDERS), ("schemas.json", SCHEMAS)]);
    let output = run(tree.path(), &["convert", "--to", "json", "--out-dir", "j", "n"]);
    assert_eq!(status(&output), 0, "{text}: {}", stderr(&output));
    let codes = |directory| {
        let arguments = ["check", "--dialect", "terraform", "--provider-schemas", "schemas.json"];
        let output = run(tree.path(), &[&arguments, &["--format", "json", directory][..]].concat());
        let diagnostics = json(&output)["diagnostics"].as_array().unwrap().clone();
        let codes = diagnostics.iter().map(|it| it["code"].as_str().unwrap().to_owned());
        codes.collect::<Vec<_>>()
    };
    let found = codes("n");
    assert_eq!(codes("j"), found, "{text}");
    found
}

/// Functions of providers have the parameters and results that the schemas say.
#[test]
fn functions_of_providers_have_signatures() {
    let value = |value: &str| by_schema(&format!("output \"o\" {{\n  value = {value}\n}}\n"));
    assert_eq!(
        value("[provider::t::f(\"a\", 1), provider::t::g(), provider::t::g(\"a\", \"b\")]"),
        [""; 0]
    );
    assert_eq!(value("provider::t::f(\"a\")"), ["too-few-arguments"]);
    assert_eq!(value("provider::t::f(\"a\", 1, 2)"), ["too-many-arguments"]);
    assert_eq!(value("provider::t::f(\"a\", \"x\")"), ["invalid-argument"]);
    assert_eq!(value("provider::t::f(null, 1)"), ["invalid-argument"]);
    assert_eq!(value("provider::t::gone(1)"), ["unknown-function"]);
    let resource = "resource \"t_a\" \"b\" {\n  num = provider::t::f(\"a\", 1)\n}\n";
    assert_eq!(by_schema(resource), ["argument-type"]);
}

/// An identity has the attributes that the schemas require; further ones have no effect.
#[test]
fn identities_fit_their_resource_types() {
    let import = |of: &str, identity: &str| {
        by_schema(&format!(
            "resource \"{of}\" \"b\" {{}}\nimport {{\n  to       = {of}.b\n  identity = {identity}\n}}\n"
        ))
    };
    assert_eq!(import("t_a", "{ account = \"a\", n = \"1\", more = true }"), [""; 0]);
    for wrong in ["{ n = 1 }", "{ account = \"a\", n = \"x\" }"] {
        assert_eq!(import("t_a", wrong), ["import-identity"], "{wrong}");
    }
    assert_eq!(import("t_plain", "{ account = \"a\" }"), ["import-identity"]);
}

/// Attributes and paths in a body are those of the schemas, at any depth.
#[test]
fn schemas_reach_into_values_and_paths() {
    let body = |text: &str| by_schema(&format!("resource \"t_a\" \"b\" {{\n{text}\n}}\n"));
    assert_eq!(body("nests = [{ o = \"x\", c = null }]"), [""; 0]);
    assert_eq!(body("nests = [{ o = \"x\" }, { c = \"x\" }]"), ["computed-argument"]);
    let ignored = |path: &str| body(&format!("lifecycle {{\n  ignore_changes = [{path}]\n}}"));
    assert_eq!(ignored("one.y, many[0].v, labels[\"a\"], nests[0].o"), [""; 0]);
    for wrong in ["one.z", "many[0].z", "nests[0].z"] {
        assert_eq!(ignored(wrong), ["unsupported-attribute"], "{wrong}");
    }
    assert_eq!(body("one {\n}\none {\n}"), ["duplicate-block"]);
    let made = |value: &str| {
        body(&format!(
            "dynamic \"many\" {{\n  for_each = [\"a\"]\n  content {{\n    v = {value}\n  }}\n}}"
        ))
    };
    assert_eq!(made("\"${many.key}-${try(many.x, many.value)}\""), [""; 0]);
    assert_eq!(made("many.x"), ["unsupported-attribute"]);
}

/// Terraform knows what constant variables get before it installs modules.
#[test]
fn constant_variables_get_constants() {
    let called = "variable \"p\" {\n  type  = string\n  const = true\n}\noutput \"o\" {\n  value = var.p\n}\n";
    let findings = |value: &str| {
        let text = format!(
            "resource \"terraform_data\" \"x\" {{}}\nvariable \"c\" {{\n  default = \"a\"\n  const = true\n}}\n\
             locals {{\n  c = \"${{var.c}}-b\"\n  x = terraform_data.x.id\n}}\n\
             module \"m\" {{\n  source = \"./m\"\n  p = {value}\n}}\noutput \"all\" {{\n  value = [local.c, local.x]\n}}\n"
        );
        found(&[("main.tf", &text), ("m/main.tf", called)], &["--dialect", "terraform"])
    };
    for constant in ["\"a\"", "var.c", "local.c", "\"${path.module}/a\""] {
        assert_eq!(findings(constant), [""; 0], "{constant}");
    }
    for other in ["terraform_data.x.id", "local.x", "timestamp()"] {
        assert_eq!(findings(other), ["12 const-argument"], "{other}");
    }
}

/// Terraform 1.16 keeps write-only values in `store` of `terraform_data`.
#[test]
fn terraform_data_has_a_store() {
    let text = "resource \"terraform_data\" \"x\" {\n  store {\n    input   = \"a\"\n    replace = true\n  }\n}\n\
                output \"o\" {\n  value = terraform_data.x.store.output\n}\n";
    assert_eq!(lines(text, "terraform"), [""; 0]);
    assert_eq!(lines(&text.replace("replace", "gone"), "terraform"), ["4 unsupported-argument"]);
    assert_eq!(lines(text, "opentofu")[0], "2 unsupported-block");
}

/// A native file, there and back.
fn there_and_back(text: &str) -> (serde_json::Value, String) {
    let there = converted("main.tf", text, "json", "opentofu");
    let back = converted("main.tf.json", &there, "native", "opentofu");
    (serde_json::from_str(&there).unwrap(), back)
}

/// Comments in objects, tuples and brackets are kept; what has no place is said.
#[test]
fn comments_in_expressions_are_kept() {
    let text = "locals {\n  a = { # one\n    b = [\n      1, // two\n      # three\n    ]\n  }\n  c = ( # four\n    1\n  )\n  d = max(\n    1, # five\n  )\n}\n";
    let (there, back) = there_and_back(text);
    assert_eq!(there["locals"]["//"], "one\ntwo\nthree\nfour");
    assert!(there["locals"]["d"].as_str().unwrap().contains("# five"), "{there}");
    assert!(back.starts_with("locals {\n  # one\n  # two\n  # three\n  # four\n"), "{back}");
    // The value of a literal has no comments.
    let output = feed(
        &["convert", "--to", "json", "--stdin-name", "a.tfvars", "-"],
        "a = {\n  # lost\n  b = 1\n  b = 2\n}\n",
    );
    assert!(
        stderr(&output).contains("a.tfvars:2: the comment has no place"),
        "{}",
        stderr(&output)
    );
}

/// Nested blocks of providers come back as blocks, in their order, with their comments.
#[test]
fn blocks_come_back_as_blocks() {
    let text = "resource \"x_a\" \"b\" {
  odd {
    # why
    p = 1
  }
  versioning_configuration {
    status = \"Enabled\"
  }
  odder {
    dynamic \"inner\" {
      for_each = [1]
      iterator = it
      content {
        v = it.value
      }
    }
  }
  rule {
    n = 1
  }
  dynamic \"rule\" {
    for_each = [2]
    content {
      n = rule.value
    }
  }
  rule {
    n = 3
  }
}
";
    let (_, back) = there_and_back(text);
    assert_eq!(back, text);
    let tree = tree(&[("a/main.tf", text), ("b/none.txt", "")]);
    let output = run(tree.path(), &["convert", "--to", "json", "--out-dir", "b", "a"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&run(tree.path(), &["diff", "a", "b"])), "");
    let values = |directory| {
        let expanded = json(&run(tree.path(), &["expand", "--format", "json", directory]));
        expanded["planned_values"]["root_module"]["resources"][0].clone()
    };
    assert_eq!(values("a")["values"]["rule"], serde_json::json!([{"n": 1}, {"n": 2}, {"n": 3}]));
    assert_eq!(values("a"), values("b"));
}

/// Null in a block may be set by the provider, in both syntaxes.
#[test]
fn null_in_blocks_is_unknown_in_both_syntaxes() {
    let text = "resource \"x_a\" \"b\" {\n  odd {\n    p = null\n    m = { k = null }\n    q = try(var.gone, null)\n  }\n}\nvariable \"gone\" {\n  default = null\n}\n";
    let tree = tree(&[("a/main.tf", text), ("b/none.txt", "")]);
    assert_eq!(status(&run(tree.path(), &["convert", "--to", "json", "--out-dir", "b", "a"])), 0);
    let values = |directory| {
        let expanded = json(&run(tree.path(), &["expand", "--format", "json", directory]));
        expanded["planned_values"]["root_module"]["resources"][0].clone()
    };
    assert_eq!(
        values("a")["unknown_values"],
        serde_json::json!({"odd": [{"m": {}, "p": true, "q": true}]})
    );
    assert_eq!(values("a"), values("b"));
}

/// A heredoc with indentation and interpolations comes back as one.
#[test]
fn heredocs_come_back_as_heredocs() {
    let text = "locals {\n  a = <<-E\n    ${var.x}\n      b\n  E\n  c = [\n    <<-E\n      ${var.x}\n        b\n    E\n    , 1,\n  ]\n}\n";
    let (there, back) = there_and_back(text);
    assert!(!back.contains("\"${<<"), "{back}");
    let tree =
        tree(&[("a/main.tf", text), ("b/main.tf", &back), ("c/main.tf.json", &there.to_string())]);
    for other in ["b", "c"] {
        assert_eq!(stdout(&run(tree.path(), &["diff", "a", other])), "", "{back}");
    }
}

/// Files of migrations and policies of Terraform are read by their schemas; those of other tools with
/// such names are not.
#[test]
fn migrations_and_policies() {
    const POLICY_TEST: &str = "policytest {\n  targets = [\"a.policy.hcl\"]\n  terraform_config {\n    required_version = \">= 1.16.0\"\n  }\n  plugins {\n    one = { source = \"./one\" }\n  }\n}\ninputs {\n  sizes = [\"a\"]\n}\nlocals {\n  a = 1\n}\nresource \"aws_instance\" \"small\" {\n  expect_failure = true\n  skip           = false\n  prior_attrs    = { id = null }\n  attrs          = { instance_type = \"t3.micro\" }\n  meta           = { operation = \"update\" }\n  inputs {\n    sizes = []\n  }\n}\ndata \"aws_ami\" \"one\" {\n  attrs = {}\n}\nprovider \"aws\" \"one\" {\n  meta = { version = \"4.0.0\" }\n}\nmodule \"a/b/c\" \"one\" {\n  expect_failure = true\n}\n";
    let store = "state_store_provider {\n  x = { source = \"a/x\" }\n}\nfrom {\n  state_store \"x_bucket\" {\n    provider \"x\" {\n      region = \"a\"\n    }\n    bucket = \"b\"\n  }\n}\n";
    let policy = "policy {\n  terraform_config {\n    required_version = \">= 1.16.0\"\n  }\n  plugins {\n    one = { source = \"./one\" }\n  }\n}\n\ninput \"sizes\" {\n  type    = list(string)\n  default = [\"a\"]\n}\n\nlocals {\n  a = 1\n}\n\nresource_policy \"aws_instance\" \"size\" {\n  operations        = [\"create\"]\n  enforcement_level = \"mandatory\"\n  filter            = attrs.tags.env == \"test\"\n\n  locals {\n    allowed = \"t3.micro\"\n  }\n\n  enforce {\n    condition     = core::contains(input.sizes, attrs.instance_type)\n    error_message = \"Only ${local.allowed}.\"\n  }\n}\n\nprovider_policy \"*\" \"region\" {\n  enforce {\n    condition = attrs.region == \"a\"\n  }\n}\n\nmodule_policy \"*\" \"version\" {\n  enforce {\n    condition = meta.version != null\n  }\n}\n";
    let codes = |files: &[(&str, &str)]| {
        let files = [&[("main.tf", "resource \"terraform_data\" \"a\" {}\n")], files].concat();
        let mut all = found(&files, &["--dialect", "terraform"]);
        all.iter_mut().for_each(|it| drop(it.drain(..=it.find(' ').unwrap())));
        all.sort();
        all.join(" ")
    };
    for (files, expected) in [
        (&[("a.tfmigrate.hcl", store), ("a.policy.hcl", policy)][..], ""),
        (&[("a.tfmigrate.hcl", "from {\n  backend \"local\" {}\n}\n")], ""),
        (&[("a.tfmigrate.hcl", "")], "migration"),
        (&[("a.tfmigrate.hcl", "from {}\n")], "migration"),
        (
            &[(
                "a.tfmigrate.hcl",
                "from {\n  state_store \"x\" {\n    provider \"x\" {}\n  }\n}\n",
            )],
            "migration",
        ),
        (&[("a.tfmigrate.hcl", store), ("b.tfmigrate.hcl", "from {}\n")], "duplicate-block"),
        (&[("a.tfmigrate.hcl", "to {}\n")], "migration unsupported-block"),
        // Those of other tools.
        (&[(".tfmigrate.hcl", "tfmigrate {}\n"), ("v.policy.hcl", "path \"secret/*\" {}\n")], ""),
        (&[("a.policytest.hcl", POLICY_TEST)], ""),
        (
            &[(
                "a.policytest.hcl",
                "data \"a_b\" \"c\" {\n  expect_failure = true\n}\nresource \"a_b\" {}\nfoo {}\n",
            )],
            "missing-block-label unsupported-argument unsupported-block",
        ),
        (
            &[("a.policy.hcl", "input \"a\" {}\npath \"x\" {}\n")],
            "missing-argument unsupported-block",
        ),
        (
            &[(
                "a.policy.hcl",
                "resource_policy \"a\" \"b\" {\n  enforce {}\n}\nmodule_policy \"a\" \"b\" {}\n",
            )],
            "duplicate-declaration missing-argument",
        ),
    ] {
        assert_eq!(codes(files), expected, "{files:?}");
    }
}
