//! `move`, `extract`, `inline`, `fix-unused` and `upgrade`: what they write, and that values stay.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::tool::{feed, git, json, run, status, stderr, stdout, tree};

/// The values of a root module: of each resource by its type and name, wherever it is, and of outputs.
fn values(directory: &Path, root: &str) -> BTreeMap<String, Value> {
    let output = run(directory, &["expand", root, "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let mut values = BTreeMap::new();
    collect(&json(&output), &mut values);
    values
}

fn collect(value: &Value, values: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(members) => {
            if let (Some(kind), Some(name), Some(of)) =
                (members.get("type"), members.get("name"), members.get("values"))
            {
                let index = members.get("index").cloned().unwrap_or_default();
                values.insert(format!("{kind}.{name}[{index}]"), of.clone());
            }
            if let Some(Value::Object(outputs)) = members.get("outputs") {
                values.extend(outputs.iter().map(|(name, of)| (name.clone(), of.clone())));
            }
            members.values().for_each(|value| collect(value, values));
        }
        Value::Array(elements) => elements.iter().for_each(|value| collect(value, values)),
        _ => {}
    }
}

/// The codes of all findings.
fn findings(directory: &Path) -> Vec<String> {
    let output = run(directory, &["check", "--format", "json", "--exit-zero", "."]);
    let found = json(&output)["diagnostics"].take();
    let mut codes: Vec<String> =
        found.as_array().unwrap().iter().map(|it| it["code"].to_string()).collect();
    codes.sort();
    codes
}

fn read(tree: &TempDir, name: &str) -> String {
    fs::read_to_string(tree.path().join(name)).unwrap()
}

/// Runs a command that writes, and proves that the values of the root module and the findings stay.
fn write(tree: &TempDir, root: &str, arguments: &[&str]) {
    let (before, found) = (values(tree.path(), root), findings(tree.path()));
    assert!(!before.is_empty());
    let output = run(tree.path(), &[arguments, &["--write"]].concat());
    assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
    assert_ne!(stdout(&output), "", "{arguments:?}: {}", stderr(&output));
    assert_eq!(values(tree.path(), root), before, "{arguments:?}");
    assert_eq!(findings(tree.path()), found, "{arguments:?}");
}

fn fails(tree: &TempDir, arguments: &[&str], why: &str) {
    let output = run(tree.path(), &[arguments, &["--write"]].concat());
    let errors = stderr(&output);
    assert_eq!((status(&output), &*stdout(&output)), (2, ""), "{arguments:?}: {errors}");
    assert!(errors.contains(why), "{arguments:?}: {errors}");
}

const LOCALS: &str = "variable \"stage\" {\n  type    = string\n  default = \"dev\"\n}\n\nlocals {\n  \
                      # The size.\n  size = var.stage == \"prod\" ? 3 : 1 # of all\n  name = \
                      \"n-${local.size}\"\n}\n\nresource \"terraform_data\" \"a\" {\n  input = {\n    \
                      double = local.size * 2\n    list   = [local.size, local.name]\n    text   = \
                      \"${local.size}-x\"\n  }\n}\n\noutput \"size\" {\n  value = local.size\n}\n";

#[test]
fn local_values_are_inlined() {
    let files = tree(&[("main.tf", LOCALS)]);
    write(&files, ".", &["inline", "local.size"]);
    let main = read(&files, "main.tf");
    let value = "var.stage == \"prod\" ? 3 : 1";
    for text in [
        format!("double = ({value}) * 2\n"),
        format!("list   = [{value}, local.name]\n"),
        format!("\"${{{value}}}-x\""),
        format!("  value = {value}\n"),
        format!("locals {{\n  name = \"n-${{{value}}}\"\n}}\n"),
    ] {
        assert!(main.contains(&text), "{text}\n{main}");
    }
    // The block goes with its last attribute.
    write(&files, ".", &["inline", "local.name"]);
    let main = read(&files, "main.tf");
    assert!(!main.contains("locals"), "{main}");
    fails(&files, &["inline", "local.name"], "no such object");
    fails(&files, &["inline", "var.stage"], "is not a local value");

    let text = r#"{"locals":{"size":"${var.s + 1}","x":1},"variable":{"s":{"default":1,"type":"number"}},
"output":{"o":{"value":"${local.size * 2}"},"p":{"value":["${local.size}", "\"${local.size}\""]}}}"#;
    let files = tree(&[("main.tf.json", text)]);
    write(&files, ".", &["inline", "local.size"]);
    let expected = text
        .replace(r#""size":"${var.s + 1}","#, "")
        .replace("local.size * 2", "(var.s + 1) * 2")
        .replace("local.size", "var.s + 1");
    assert_eq!(read(&files, "main.tf.json"), expected);
}

#[test]
fn what_cannot_be_inlined_is_refused() {
    let refused = |text: &str, why: &str| {
        let files = tree(&[("main.tf", text)]);
        fails(&files, &["inline", "local.a"], why);
    };
    refused("locals {\n  a = uuid()\n}\n", "another result");
    refused("locals {\n  a = <<X\ny\nX\n}\noutput \"o\" {\n  value = local.a\n}\n", "heredoc");
    let bound = "[for var in [1] : local.a + var]";
    let text = format!(
        "variable \"v\" {{}}\nlocals {{\n  a = var.v\n}}\noutput \"o\" {{\n  value = {bound}\n}}\n"
    );
    refused(&text, "another meaning");
}

#[test]
fn expressions_are_extracted() {
    let files = tree(&[("main.tf", LOCALS)]);
    // The sum, whose operator is at this place.
    let at = |files: &TempDir, name: &str, text: &str| {
        let all = read(files, name);
        let offset = all.find(text).unwrap_or_else(|| panic!("{text} in {all}"));
        let line = all[..offset].matches('\n').count() + 1;
        let column = all[..offset].rsplit('\n').next().unwrap().chars().count() + 1;
        format!("{name}:{line}:{column}")
    };
    write(&files, ".", &["extract", &at(&files, "main.tf", "* 2\n"), "double"]);
    let main = read(&files, "main.tf");
    assert!(main.contains("double = local.double\n"), "{main}");
    assert!(main.contains("  double = local.size * 2\n}\n"), "{main}");
    write(&files, ".", &["extract", &at(&files, "main.tf", "3 : 1"), "most", "--variable"]);
    let main = read(&files, "main.tf");
    assert!(main.contains("\"prod\" ? var.most : 1 # of all\n"), "{main}");
    let block = "\nvariable \"most\" {\n  type    = number\n  default = 3\n}\n";
    assert!(main.contains(block), "{main}");
    // Back to where it was.
    write(&files, ".", &["inline", "local.double"]);
    assert!(read(&files, "main.tf").contains("double = local.size * 2\n"));

    let place = at(&files, "main.tf", "local.name]");
    fails(&files, &["extract", &place, "size"], "has local.size already");
    fails(&files, &["extract", &place, "a b"], "is not a name");
    fails(&files, &["extract", &place, "x", "--variable"], "must be constant");
    fails(&files, &["extract", "main.tf:99:1", "x"], "has no line 99");
    fails(&files, &["extract", "main.tf", "x"], "is not a place");
    fails(&files, &["extract", "main.tf:1:1", "x"], "there is no expression");

    let text = "resource \"terraform_data\" \"a\" {\n  for_each = { x = 1 }\n  input = [for v in [1, 2] : \
                v + each.value]\n}\n";
    let files = tree(&[("main.tf", text)]);
    fails(&files, &["extract", "main.tf:3:34", "x"], "it uses `each`");
    fails(&files, &["extract", "main.tf:3:30", "x"], "it uses `v`");
    write(&files, ".", &["extract", "main.tf:3:25", "two"]);
    let main = read(&files, "main.tf");
    assert!(main.contains("[for v in [1, local.two] : v + each.value]"), "{main}");
    assert!(main.ends_with("\n}\n\nlocals {\n  two = 2\n}\n"), "{main}");

    let text = "{\"locals\": {\"a\": 1},\n\"output\": {\"o\": {\"value\": \"${upper(\\\"x\\\")} ${1 + \
                local.a}\"},\n\"p\": {\"value\": [1, {\"k\": true}]}}}";
    let files = tree(&[("main.tf.json", text)]);
    write(&files, ".", &["extract", &at(&files, "main.tf.json", "+ local"), "sum"]);
    let main = read(&files, "main.tf.json");
    assert!(
        main.contains("${local.sum}") && main.contains("\"sum\": \"${1 + local.a}\""),
        "{main}"
    );
    write(&files, ".", &["extract", &at(&files, "main.tf.json", "x\\\")"), "letter"]);
    let main = read(&files, "main.tf.json");
    assert!(main.contains("upper(local.letter)") && main.contains("\"letter\": \"x\""), "{main}");
    write(&files, ".", &["extract", &at(&files, "main.tf.json", "true"), "flag", "--variable"]);
    let main = read(&files, "main.tf.json");
    assert!(main.contains("{\"k\": \"${var.flag}\"}") && main.contains("\"bool\""), "{main}");
}

#[test]
fn unused_declarations_go_with_what_only_they_use() {
    let files = tree(&[
        (
            "main.tf",
            "variable \"a\" {\n  type = number\n}\nvariable \"kept\" {\n  type = number\n}\nlocals {\n  \
             # Only for the unused one.\n  one = var.a\n  two = local.one\n}\nmodule \"m\" {\n  source = \
             \"./m\"\n  size   = local.two\n  used   = var.kept\n}\noutput \"o\" {\n  value = module.m.o\n}\n",
        ),
        ("terraform.tfvars", "a = 1\n\n# Kept.\nkept = 2\n"),
        (
            "m/main.tf",
            "variable \"size\" {\n  type = number\n}\n\nvariable \"used\" {\n  type = \
             number\n}\n\noutput \"o\" {\n  value = var.used\n}\n",
        ),
    ]);
    let before = values(files.path(), ".");
    let output = run(files.path(), &["fix-unused", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(values(files.path(), "."), before);
    let main = "variable \"kept\" {\n  type = number\n}\nmodule \"m\" {\n  source = \"./m\"\n  used   = \
                var.kept\n}\noutput \"o\" {\n  value = module.m.o\n}\n";
    assert_eq!(read(&files, "main.tf"), main);
    assert_eq!(read(&files, "terraform.tfvars"), "# Kept.\nkept = 2\n");
    assert!(read(&files, "m/main.tf").starts_with("variable \"used\""));
    assert_eq!(findings(files.path()), Vec::<String>::new());
    let output = run(files.path(), &["fix-unused", "--check"]);
    assert_eq!((status(&output), &*stdout(&output)), (0, ""), "{}", stderr(&output));
}

#[test]
fn nothing_is_said_to_be_unused_where_something_is_not_known() {
    let files = tree(&[
        ("whole/main.tf", "locals {\n  a = 1\n}\noutput \"o\" {\n  value = local.a\n}\n"),
        ("gap/main.tf", "variable \"a\" {}\n"),
        ("gap/broken.tf", "output \"o\" {\n  value = \n"),
        (
            "part/main.tf",
            "variable \"a\" {}\noutput \"o\" {\n  value      = 1\n  depends_on = [var.a +]\n}\n",
        ),
        ("text/readme.md", "Text.\n"),
        ("image/a.pkr.hcl", "variable \"a\" {}\n"),
    ]);
    let fixed = |path: &str| {
        let output = run(files.path(), &["fix-unused", path, "--tree", "."]);
        assert_eq!(stdout(&output), "", "{path}");
        (status(&output), stderr(&output))
    };
    let (code, notes) = fixed("part");
    assert_eq!(code, 0, "{notes}");
    assert!(notes.contains("part/main.tf: not changed: a syntax error"), "{notes}");
    for path in ["gap", "part"] {
        assert!(!fixed(path).1.contains("nothing is unused"), "{path}");
    }
    for path in ["text", "image"] {
        let (code, notes) = fixed(path);
        assert_eq!(code, 2, "{path}: {notes}");
        assert!(notes.contains("has no module of OpenTofu or Terraform"), "{path}: {notes}");
    }
    let output = run(files.path(), &["fix-unused", "whole", "--tree", "whole"]);
    assert_eq!(status(&output), 0);
    assert!(stderr(&output).contains("nothing is unused"), "{}", stderr(&output));

    let upgraded = |path: &str| {
        let output = run(files.path(), &["upgrade", "provider", "aws", "~> 6.0", path]);
        (status(&output), stderr(&output))
    };
    let (code, notes) = upgraded("gap");
    assert!(code == 0 && !notes.contains("nothing requires"), "{notes}");
    let (code, notes) = upgraded("whole");
    assert!(code == 0 && notes.contains("nothing requires another version"), "{notes}");
    let (code, notes) = upgraded("image");
    assert!(code == 2 && notes.contains("image has no module"), "{notes}");
}

#[test]
fn keys_of_for_each_are_renamed() {
    let main = "locals {\n  zones = toset([\"a\", \"b\"])\n}\n\nresource \"terraform_data\" \"x\" {\n  \
                for_each = local.zones\n  input    = each.key\n}\n\nmodule \"m\" {\n  source   = \
                \"./m\"\n  for_each = { k = 1, \"l\" = 2 }\n}\n\noutput \"o\" {\n  value = \
                [terraform_data.x[\"a\"].input, module.m[\"k\"].n, keys(terraform_data.x)]\n}\n";
    let called = r#"{"resource":{"terraform_data":{"y":{"for_each":{"p":1},"input":2}}},
"output":{"n":{"value":"${terraform_data.y[\"p\"].input}"}}}"#;
    let files = tree(&[("main.tf", main), ("m/main.tf.json", called)]);
    let found = findings(files.path());
    let rename = |arguments: &[&str]| {
        let output = run(files.path(), &[&["rename"], arguments, &["--write"]].concat());
        assert_eq!(status(&output), 0, "{arguments:?} {}", stderr(&output));
        assert_eq!(findings(files.path()), found, "{arguments:?}");
        stderr(&output)
    };
    let left = rename(&["terraform_data.x[\"a\"]", "[\"north\"]"]);
    assert!(left.contains("terraform_data.x: uses all instances, with their keys"), "{left}");
    let expected = main.replace("(\"a\"", "(\"north\"").replace("([\"a\"", "([\"north\"");
    let expected = expected.replace("x[\"a\"]", "x[\"north\"]");
    let block =
        "}\n\nmoved {\n  from = terraform_data.x[\"a\"]\n  to   = terraform_data.x[\"north\"]\n}\n";
    let moved = expected.replace("each.key\n}\n", &format!("each.key\n{block}"));
    assert_eq!(read(&files, "main.tf"), moved);
    rename(&["terraform_data.x[\"north\"]", "a"]);
    assert_eq!(read(&files, "main.tf"), main);
    rename(&["module.m[\"k\"]", "module.m[\"a b\"]"]);
    let text = read(&files, "main.tf");
    assert!(text.contains("{ \"a b\" = 1, \"l\" = 2 }"), "{text}");
    assert!(text.contains("module.m[\"a b\"].n"), "{text}");
    rename(&["m:terraform_data.y[\"p\"]", "q"]);
    let text = read(&files, "m/main.tf.json");
    assert!(text.contains(r#""for_each":{"q":1}"#) && text.contains(r#"y[\"q\"].input"#), "{text}");
    assert!(text.contains(r#""from":"terraform_data.y[\"p\"]""#), "{text}");
    fails(&files, &["rename", "terraform_data.x[\"a\"]", "b"], "there is a key `b` already");
    fails(&files, &["rename", "terraform_data.x[\"z\"]", "y"], "there is no key `z`");
    fails(&files, &["rename", "terraform_data.x[\"a\"]", "a\"b"], "with quotes");
}

const OUTER: &str = "variable \"cidr\" {\n  type    = string\n  default = \"10.0.0.0/8\"\n}\n\n# The \
                     first one.\nresource \"terraform_data\" \"net\" {\n  input = [var.cidr, \
                     terraform_data.base.input]\n} # net\n\nresource \"terraform_data\" \"base\" {\n  \
                     input = 1\n}\n\nmodule \"inner\" {\n  source = \"./inner\"\n}\n\noutput \"net\" {\n  \
                     value = terraform_data.net.input\n}\n";

#[test]
fn objects_move_to_another_file() {
    let files = tree(&[("main.tf", OUTER), ("other.tf", "# Other.\n"), ("inner/main.tf", "\n")]);
    write(&files, ".", &["move", "terraform_data.net", "other.tf"]);
    let other = read(&files, "other.tf");
    let net = "# The first one.\nresource \"terraform_data\" \"net\" {\n  input = [var.cidr, \
               terraform_data.base.input]\n} # net\n";
    assert_eq!(other, format!("# Other.\n\n{net}"));
    assert_eq!(read(&files, "main.tf"), OUTER.replace(&format!("{net}\n"), ""));
    write(&files, ".", &["move", "var.cidr", "other.tf"]);
    fails(&files, &["move", "var.cidr", "inner/none.tf"], "a new file is in that directory");
    let output = run(files.path(), &["move", "var.cidr", "other.tf", "--check"]);
    assert_eq!((status(&output), &*stdout(&output)), (0, ""), "{}", stderr(&output));

    // Comments stay with their item, wherever they stand.
    let items = [
        "/* about v\n   and more */\nvariable \"v\" {} # behind",
        "/* in front */\nvariable \"w\" { # opened\n  # first\n\n  # between\n  default = 1 # one\n  /* last\n     of all */\n}",
        "# about\n// the alias\nprovider \"aws\" {\n  alias = \"west\"\n}",
    ];
    let rest = "# Head.\n\noutput \"o\" {\n  value = \"${var.v}${var.w}\"\n}\n";
    let text = format!("{rest}\n{}\n", items.join("\n\n"));
    let text = text.replace("/* in front */\n", "/* in front */ ");
    for newline in ["\n", "\r\n"] {
        let in_file = |text: &str| text.replace('\n', newline);
        let files = tree(&[("main.tf", &in_file(&text)), ("other.tf", &in_file("# Other.\n"))]);
        for address in ["var.v", "var.w", "provider.aws.west"] {
            let output = run(files.path(), &["move", address, "other.tf", "--write"]);
            assert_eq!(status(&output), 0, "{address}: {}", stderr(&output));
        }
        assert_eq!(read(&files, "main.tf"), in_file(rest));
        let expected = format!("# Other.\n\n{}\n", items.join("\n\n"));
        assert_eq!(read(&files, "other.tf"), in_file(&expected));
    }
    let locals = "locals {\n  a = 1 /* a */ // more\n  /* of b */ b = 2 /* behind b */\n  /* of\n     c */\n  c = 3\n}\n";
    let files = tree(&[("main.tf", locals), ("other.tf", "")]);
    for address in ["local.b", "local.c"] {
        let output = run(files.path(), &["move", address, "other.tf", "--write"]);
        assert_eq!(status(&output), 0, "{address}: {}", stderr(&output));
    }
    assert_eq!(read(&files, "main.tf"), "locals {\n  a = 1 /* a */ // more\n}\n");
    assert_eq!(
        read(&files, "other.tf"),
        "locals {\n  /* of b */\n  b = 2 /* behind b */\n  /* of\n     c */\n  c = 3\n}\n"
    );

    let files = tree(&[("main.tf", LOCALS), ("l.tf.json", "{}")]);
    let output = run(files.path(), &["move", "local.size", "l.tf.json"]);
    let told = stderr(&output);
    assert!(told.contains("main.tf:8:3: size: its comments are lost: JSON has none"), "{told}");
    write(&files, ".", &["move", "local.size", "l.tf.json"]);
    assert!(
        read(&files, "l.tf.json").contains("\"size\": \"${var.stage == \\\"prod\\\" ? 3 : 1}\"")
    );
    write(&files, ".", &["move", "local.size", "main.tf"]);
    assert!(read(&files, "main.tf").contains("  size = var.stage == \"prod\" ? 3 : 1\n}"));
}

#[test]
fn resources_move_into_a_module_and_out_of_it() {
    let files = tree(&[("main.tf", OUTER), ("inner/main.tf", "output \"x\" {\n  value = 1\n}\n")]);
    write(&files, ".", &["move", "terraform_data.net", "module.inner"]);
    let main = read(&files, "main.tf");
    for text in [
        "module \"inner\" {\n  source     = \"./inner\"\n",
        "  base_input = terraform_data.base.input\n",
        "  cidr       = var.cidr\n",
        "  value = module.inner.net_input\n",
        "moved {\n  from = terraform_data.net\n  to   = module.inner.terraform_data.net\n}\n",
    ] {
        assert!(main.contains(text), "{text}\n{main}");
    }
    let inner = read(&files, "inner/main.tf");
    for text in [
        "# The first one.\nresource \"terraform_data\" \"net\" {\n  input = [var.cidr, \
         var.base_input]\n} # net\n",
        "variable \"cidr\" {\n  type = string\n}\n",
        "variable \"base_input\" {\n  type = any\n}\n",
        "output \"net_input\" {\n  value = terraform_data.net.input\n}\n",
    ] {
        assert!(inner.contains(text), "{text}\n{inner}");
    }
    fails(&files, &["move", "terraform_data.base", "module.none"], "there is no module.none");
    fails(&files, &["move", "output.net", "module.inner"], "is not a resource");

    let back = ["move", "inner:terraform_data.net", ".:terraform_data.net"];
    fails(&files, &back, "--tree DIR names a larger tree");
    let back = [&back[..], &["--tree", "."]].concat();
    let before = values(files.path(), ".");
    let output = run(files.path(), &[&back[..], &["--write"]].concat());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(values(files.path(), "."), before);
    let main = read(&files, "main.tf");
    assert!(main.contains("input = [var.cidr, terraform_data.base.input]\n"), "{main}");
    assert!(main.contains("  net_input  = terraform_data.net.input\n"), "{main}");
    assert!(read(&files, "inner/main.tf").contains("  value = var.net_input\n"));
}

#[test]
fn versions_are_upgraded_in_both_syntaxes() {
    let main = "terraform {\n  required_version = \">= 1.5\"\n  required_providers {\n    aws = {\n      \
                source  = \"hashicorp/aws\"\n      version = \"~> 5.1\" # aws\n    }\n    other = {\n      \
                source = \"acme/other\"\n    }\n  }\n}\nmodule \"a\" {\n  source  = \
                \"terraform-aws-modules/vpc/aws//modules/x\"\n  version = \"5.0.0\"\n}\nmodule \"b\" {\n  \
                source = \"terraform-aws-modules/vpc/aws\"\n}\nmodule \"c\" {\n  source = \
                \"git::ssh://git@github.com/acme/net.git//a?depth=1&ref=v1.0.0\"\n}\n";
    let other = r#"{"terraform":[{"required_providers":{"amazon":{"source":"hashicorp/aws","version":"~> 4.0"}}}],
"module":{"d":{"source":"registry.terraform.io/terraform-aws-modules/vpc/aws","version":"4.0.0"}}}"#;
    let lock = "provider \"registry.opentofu.org/hashicorp/aws\" {\n  version = \"5.1.2\"\n}\n";
    let unit = "terraform {\n  source = \
                \"tfr:///terraform-aws-modules/vpc/aws?version=5.0.0\"\n}\ninputs = {}\n";
    let stack = "unit \"a\" {\n  source = \"git::https://github.com/acme/net.git//a?ref=v1.0.0\"\n  path   = \
                 \"a\"\n}\nstack \"b\" {\n  source = \"github.com/acme/net//b?ref=v1.0.0\"\n  path   = \"b\"\n}\n";
    let files = tree(&[
        ("main.tf", main),
        ("o/other.tf.json", other),
        (".terraform.lock.hcl", lock),
        ("u/terragrunt.hcl", unit),
        ("s/terragrunt.stack.hcl", stack),
    ]);
    let upgrade = |arguments: &[&str]| {
        let output = run(files.path(), &[&["upgrade"], arguments, &["--format", "json"]].concat());
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let mut changes = json(&output);
        let texts = |value: Value, member: &str| -> Vec<String> {
            let all = value.as_array().unwrap().iter();
            all.map(|it| it[member].as_str().unwrap().to_owned()).collect()
        };
        let mut edits = Vec::new();
        for file in changes["files"].take().as_array().unwrap() {
            let path = file["path"].as_str().unwrap();
            for edit in file["edits"].as_array().unwrap() {
                edits.push(format!("{path}: {}", edit["text"].as_str().unwrap()));
            }
        }
        (edits, texts(changes["not_changed"].take(), "why"))
    };
    let all = |edits: &[&str]| edits.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let locked = all(&["in a lock file: `init -upgrade` changes it"]);
    let (edits, left) = upgrade(&["provider", "aws", "~> 6.0"]);
    assert_eq!((edits, left), (all(&["main.tf: ~> 6.0"]), locked.clone()));
    let (edits, left) = upgrade(&["provider", "hashicorp/aws", "~> 6.0"]);
    assert_eq!((edits, left), (all(&["main.tf: ~> 6.0", "o/other.tf.json: ~> 6.0"]), locked));
    let (edits, _) = upgrade(&["provider", "hashicorp/aws", "~> 6.0", "--from", "~> 5.0"]);
    assert_eq!(edits, all(&["main.tf: ~> 6.0"]));
    let (edits, left) = upgrade(&["provider", "other", "~> 1.0"]);
    assert_eq!((edits, left), (all(&[]), all(&["requires no version"])));
    let (edits, left) = upgrade(&["module", "terraform-aws-modules/vpc/aws", "6.0.0"]);
    let expected = all(&["main.tf: 6.0.0", "o/other.tf.json: 6.0.0", "u/terragrunt.hcl: 6.0.0"]);
    assert_eq!((edits, left), (expected, all(&["requires no version"])));
    let (edits, _) = upgrade(&["module", "github.com/acme/net", "1.1.0"]);
    let in_stack = "s/terragrunt.stack.hcl: v1.1.0";
    assert_eq!(edits, all(&["main.tf: v1.1.0", in_stack, in_stack]));
    let (edits, _) = upgrade(&["module", "github.com/acme/net//b/", "1.1.0"]);
    assert_eq!(edits, all(&[in_stack]));
    let (edits, _) = upgrade(&["module", "github.com/acme/net//a", "main"]);
    assert_eq!(edits, all(&["main.tf: main", "s/terragrunt.stack.hcl: main"]));
    let (edits, _) = upgrade(&["required-version", ">= 1.9"]);
    assert_eq!(edits, all(&["main.tf: >= 1.9"]));

    let run_upgrade = |arguments: &[&str]| run(files.path(), &[&["upgrade"], arguments].concat());
    let output = run_upgrade(&["provider", "hashicorp/aws", "~> 6.0", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(read(&files, "main.tf"), main.replace("~> 5.1", "~> 6.0"));
    assert_eq!(read(&files, "o/other.tf.json"), other.replace("~> 4.0", "~> 6.0"));
    let output = run_upgrade(&["provider", "hashicorp/aws", "~> 6.0", "--check"]);
    assert_eq!((status(&output), &*stdout(&output)), (0, ""), "{}", stderr(&output));
    for (arguments, why) in [
        (&["provider", "aws", "new"][..], "is not a version constraint"),
        (&["module", "./net", "1.0.0"], "has no version"),
        (&["module", "github.com/acme/net", "~> 1"], "not the name of a tag"),
        (&["required-version", ">= 1", "--from", "x"], "is not a version constraint"),
    ] {
        let output = run_upgrade(arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    let filtered = feed(&["upgrade", "provider", "aws", "~> 6.0", "-"], main);
    assert_eq!(stdout(&filtered), main.replace("~> 5.1", "~> 6.0"));
}

/// A provider of the tools' own registry is the same one with and without the host.
#[test]
fn providers_are_upgraded_however_their_source_is_written() {
    for (source, is_meant) in [
        ("hashicorp/aws", true),
        ("aws", true),
        ("registry.terraform.io/hashicorp/aws", true),
        ("registry.opentofu.org/hashicorp/aws", true),
        ("registry.example.com/hashicorp/aws", false),
    ] {
        for dialect in ["terraform", "opentofu"] {
            let text = format!(
                "terraform {{\n  required_providers {{\n    aws = {{\n      source  = \"{source}\"\n      version = \"~> 4.0\"\n    }}\n  }}\n}}\n"
            );
            let files = tree(&[("main.tf", &text)]);
            let upgrade = ["upgrade", "provider", "hashicorp/aws", "~> 6.0", "--write"];
            run(files.path(), &[&upgrade[..], &["--dialect", dialect, "."]].concat());
            let new = read(&files, "main.tf");
            assert_eq!(new.contains("~> 6.0"), is_meant, "{source} {dialect} {new}");
        }
    }
}

/// The lines of a heredoc are a part of the value, with their line ends and their indentation.
#[test]
fn heredocs_keep_their_values() {
    let lf = "terraform {\n  required_version = \">= 1.5\"\n}\nresource \"terraform_data\" \"a\" {\n  \
              input = <<-EOT\n    one \"x\"\n      ${local.a}\n  EOT\n}\n";
    let other = "locals {\n  a = 1\n}\n";
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let indented = "  locals {\n    a = 1\n  }\n".to_owned();
    for (from, to) in [
        (lf.to_owned(), crlf(other)),
        (crlf(lf), other.to_owned()),
        (crlf(lf), crlf(other)),
        (lf.to_owned(), indented),
    ] {
        let files = tree(&[("main.tf", &from), ("other.tf", &to)]);
        write(&files, ".", &["move", "terraform_data.a", "other.tf"]);
        let new = read(&files, "other.tf");
        let is_crlf = to.contains('\r');
        assert_eq!(
            new.matches("\r\n").count(),
            if is_crlf { new.matches('\n').count() } else { 0 }
        );
    }
    // A value of several lines has the line ends of its new place.
    let value = "locals {\n  a = [\n    1,\n  ]\n}\n";
    let files = tree(&[("l.tf", &crlf(value)), ("o.tf", "output \"o\" {\n  value = local.a\n}\n")]);
    write(&files, ".", &["inline", "local.a"]);
    assert_eq!(read(&files, "o.tf"), "output \"o\" {\n  value = [\n    1,\n  ]\n}\n");
    let files = tree(&[("main.tf", &crlf(lf)), ("other.tf", &crlf(other))]);
    let heredoc = "<<EOT\n%{ if true }a%{ endif }\nEOT";
    let output = run(files.path(), &["set", "locals.a", heredoc, "other.tf", "--write"]);
    assert!(stderr(&output).contains("a heredoc with directives"), "{}", stderr(&output));
    assert_eq!(read(&files, "other.tf"), crlf(other));
    let output = run(files.path(), &["set", "locals.a", "<<EOT\nx\nEOT", "other.tf", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(read(&files, "other.tf"), crlf("locals {\n  a = \"x\\n\"\n}\n"));
}

/// Whatever else runs a module would get or lose what moves, or would need a value.
#[test]
fn modules_that_others_run_are_not_moved_into() {
    let main = "variable \"a\" {\n  default = 1\n}\nmodule \"m\" {\n  source = \"./m\"\n}\n\
                resource \"terraform_data\" \"r\" {\n  input = var.a\n}\n\
                resource \"terraform_data\" \"s\" {\n  input = 1\n}\n";
    let files = tree(&[("main.tf", main), ("m/main.tf", "locals {\n  a = 1\n}\n")]);
    let other = |name: &str, text: &str| {
        let path = files.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let moved = |address: &str| {
        let output = run(files.path(), &["move", address, "module.m", "--tree", ".", "--check"]);
        (status(&output), stderr(&output))
    };
    assert_eq!(moved("terraform_data.r").0, 1);
    other("m/a.tftest.hcl", "run \"a\" {\n}\n");
    let (code, told) = moved("terraform_data.r");
    assert!(told.contains("run the module, which would need var.a"), "{told}");
    assert_eq!(code, 2);
    // Without a new variable, tests have one resource more.
    assert_eq!(moved("terraform_data.s").0, 1);
    fs::remove_file(files.path().join("m/a.tftest.hcl")).unwrap();
    other("a.tftest.hcl", "run \"a\" {\n  module {\n    source = \"./m\"\n  }\n}\n");
    let (code, told) = moved("terraform_data.s");
    assert!(told.contains("the tests in a.tftest.hcl run m, too"), "{told}");
    assert_eq!(code, 2);
    fs::remove_file(files.path().join("a.tftest.hcl")).unwrap();
    other("live/terragrunt.hcl", "terraform {\n  source = \"../m\"\n}\n");
    let (code, told) = moved("terraform_data.s");
    assert!(told.contains("the unit live runs m"), "{told}");
    assert_eq!(code, 2);
    fs::remove_file(files.path().join("live/terragrunt.hcl")).unwrap();
    other("x/main.tfcomponent.hcl", "component \"m\" {\n  source = \"../m\"\n}\n");
    let (code, told) = moved("terraform_data.s");
    assert!(told.contains("a component of a stack runs"), "{told}");
    assert_eq!(code, 2);
}

/// A value of a file that other modules read, too, stays as long as one of them has the variable.
#[test]
fn fix_unused_keeps_values_of_other_modules() {
    let root = |rest: &str| format!("terraform {{\n  backend \"local\" {{}}\n}}\n{rest}");
    let size = "variable \"size\" { default = 1 }\n";
    let tree = tree(&[
        ("simd-hcl.toml", "[[root]]\npath = \"live/*\"\nvar-files = [\"../../common.tfvars\"]\n"),
        ("common.tfvars", "size = 3\nname = \"n\"\n"),
        (
            "live/a/main.tf",
            &root(&format!("{size}variable \"name\" {{}}\noutput \"o\" {{ value = var.name }}\n")),
        ),
        ("live/b/main.tf", &root(&format!("{size}output \"o\" {{ value = var.size }}\n"))),
    ]);
    git(tree.path(), &["init", "-q"]);
    let values = tree.path().join("common.tfvars");
    run(tree.path(), &["fix-unused", "live", "--write"]);
    assert!(!fs::read_to_string(tree.path().join("live/a/main.tf")).unwrap().contains("size"));
    assert_eq!(fs::read_to_string(&values).unwrap(), "size = 3\nname = \"n\"\n");
    // The tools only warn about values that a root module does not declare.
    let expanded = run(tree.path(), &["expand", "live/b"]);
    assert!(stdout(&expanded).contains("o = 3"), "{expanded:?}");
    fs::write(tree.path().join("live/b/main.tf"), root(size)).unwrap();
    run(tree.path(), &["fix-unused", "live", "--write"]);
    assert_eq!(fs::read_to_string(&values).unwrap(), "name = \"n\"\n");
}

/// An object that a file of a unit's folder uses, or one that it generates, is neither unused nor inlined.
#[test]
fn files_beside_units_use_what_they_name() {
    let files = tree(&[
        (
            "m/main.tf",
            "variable \"region\" {\n  default = \"eu\"\n}\nvariable \"zone\" {\n  default = 1\n}\n\
             variable \"rest\" {\n  default = 1\n}\nlocals {\n  l = 1\n}\n",
        ),
        (
            "live/root.hcl",
            "generate \"p\" {\n  path      = \"p.tf\"\n  if_exists = \"overwrite\"\n  contents  = \
             <<EOF\nprovider \"aws\" {\n  region = var.region\n  x      = local.l\n}\nEOF\n}\n",
        ),
        (
            "live/a/terragrunt.hcl",
            "include {\n  path = find_in_parent_folders(\"root.hcl\")\n}\nterraform {\n  source = \
             \"../../m\"\n}\n",
        ),
        ("live/a/extra.tf", "output \"z\" {\n  value = var.zone\n}\n"),
    ]);
    fails(&files, &["inline", "m:local.l", "--tree", "."], "puts beside the module uses it");
    for (address, place) in [("m:local.l", "p.tf"), ("m:var.zone", "extra.tf")] {
        let rename = ["rename", address, "other", "--tree", ".", "--format", "json"];
        let gaps = json(&run(files.path(), &rename))["incomplete"].to_string();
        assert!(gaps.contains(place), "{address}: {gaps}");
    }
    let output = run(files.path(), &["fix-unused", "m", "--tree", ".", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let main = read(&files, "m/main.tf");
    assert!(!main.contains("\"rest\""), "{main}");
    for kept in ["\"region\"", "\"zone\"", "l = 1"] {
        assert!(main.contains(kept), "{kept}: {main}");
    }
}

/// A use of an output behind a local value is an error of `check`.
#[test]
fn uses_behind_local_values_refuse_a_rename() {
    let files = tree(&[
        ("m/main.tf", "output \"o\" {\n  value = 1\n}\n"),
        (
            "r/main.tf",
            "module \"m\" {\n  source = \"../m\"\n}\nlocals {\n  all = { m = module.m }\n}\n\
             output \"x\" {\n  value = local.all.m.o\n}\n",
        ),
    ]);
    fails(&files, &["rename", "m:output.o", "out", "--tree", "."], "there would be a new error");
    // Earlier errors are none of the rename.
    let text = read(&files, "r/main.tf").replace("m.o\n", "m.p\n");
    fs::write(files.path().join("r/main.tf"), text).unwrap();
    let output = run(files.path(), &["rename", "m:output.o", "out", "--tree", ".", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
}

/// Stacks, generated texts and lock files are upgraded or listed.
#[test]
fn what_else_requires_versions_is_upgraded_or_listed() {
    let module = "terraform {\n  required_providers {\n    aws = {\n      source  = \"hashicorp/aws\"\n      \
                  version = \"~> 5.0\"\n    }\n  }\n}\n";
    let stack = "required_providers {\n  aws = {\n    source  = \"hashicorp/aws\"\n    version = \"~> \
                 5.0\"\n  }\n}\ncomponent \"v\" {\n  source  = \
                 \"terraform-aws-modules/vpc/aws\"\n  version = \"5.0.0\"\n  inputs  = {}\n}\n";
    let unit = format!(
        "generate \"v\" {{\n  path      = \"v.tf\"\n  if_exists = \"overwrite\"\n  contents  = <<EOF\n{module}EOF\n}}\n"
    );
    let lock = "provider \"registry.terraform.io/hashicorp/aws\" {\n  version     = \"5.1.0\"\n  \
                constraints = \"~> 5.0\"\n}\n";
    let files = tree(&[
        ("a/main.tf", module),
        ("a/.terraform.lock.hcl", lock),
        ("st/main.tfcomponent.hcl", stack),
        ("b/terragrunt.hcl", &unit),
    ]);
    let upgrade = |arguments: &[&str]| {
        let output = run(
            files.path(),
            &[&["upgrade"], arguments, &["--write", "--format", "json"]].concat(),
        );
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        json(&output)["not_changed"].to_string()
    };
    let left = upgrade(&["provider", "hashicorp/aws", "~> 6.0"]);
    assert!(left.contains("b/terragrunt.hcl") && left.contains(".terraform.lock.hcl"), "{left}");
    assert_eq!(read(&files, "a/main.tf"), module.replace("5.0", "6.0"));
    upgrade(&["module", "terraform-aws-modules/vpc/aws", "6.0.0"]);
    let upgraded = stack.replace("5.0\"", "6.0\"").replace("5.0.0", "6.0.0");
    assert_eq!(read(&files, "st/main.tfcomponent.hcl"), upgraded);
}

#[test]
fn templates_of_packer_are_upgraded() {
    let native = "packer {\n  required_version = \">= 1.7\"\n  required_plugins {\n    amazon = {\n      version = \">= 1.0\" # amazon\n      \
                  source  = \"github.com/hashicorp/amazon\"\n    }\n    docker = {\n      version = \">= 1.0\"\n      \
                  source  = \"github.com/hashicorp/docker\"\n    }\n  }\n}\n";
    let json = r#"{"packer": [{"required_version": ">= 1.7", "required_plugins": [{"aws": {"version": ">= 1.0", "source": "github.com/Hashicorp/amazon"}}]}]}"#;
    let module = "terraform {\n  required_version = \">= 1.7\"\n  required_providers {\n    amazon = {\n      version = \">= 1.0\"\n      source = \"github.com/hashicorp/amazon\"\n    }\n  }\n}\n";
    let images = [("images/a.pkr.hcl", native), ("images/b.pkr.json", json)];
    let files = tree(&[images[0], images[1], ("m/main.tf", module)]);
    let upgrade = |arguments: &[&str]| {
        let arguments = [&["upgrade"], arguments, &["--write", "--format", "json"]].concat();
        let output = run(files.path(), &arguments);
        assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
        let left = crate::tool::json(&output)["not_changed"].as_array().unwrap().clone();
        left.iter().map(|it| it["why"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let amazon = |text: &str| text.replacen("\">= 1.0\"", "\">= 1.2\"", 1);
    assert_eq!(upgrade(&["plugin", "github.com/hashicorp/amazon", ">= 1.2"]), [""; 0]);
    assert_eq!(read(&files, "images/a.pkr.hcl"), amazon(native));
    assert_eq!(read(&files, "images/b.pkr.json"), amazon(json));
    assert_eq!(read(&files, "m/main.tf"), module);
    assert_eq!(upgrade(&["plugin", "docker", ">= 1.2", "--from", ">= 2"]), [""; 0]);
    assert_eq!(upgrade(&["plugin", "docker", ">= 1.2"]), [""; 0]);
    let plugins = native.replace("\">= 1.0\"", "\">= 1.2\"");
    assert_eq!(read(&files, "images/a.pkr.hcl"), plugins);
    // A version of the tool is not one of Packer.
    let left = upgrade(&["required-version", ">= 1.9"]);
    assert_eq!(left, ["a version of Packer: `--dialect packer` sets it"; 2]);
    assert_eq!(read(&files, "m/main.tf"), module.replace(">= 1.7", ">= 1.9"));
    assert_eq!(read(&files, "images/a.pkr.hcl"), plugins);
    assert_eq!(upgrade(&["required-version", ">= 1.11", "--dialect", "packer"]), [""; 0]);
    assert_eq!(read(&files, "m/main.tf"), module.replace(">= 1.7", ">= 1.9"));
    assert_eq!(read(&files, "images/a.pkr.hcl"), plugins.replace(">= 1.7", ">= 1.11"));
    assert_eq!(upgrade(&["required-version", ">= 1.12", "images"]), [""; 0]);
    assert_eq!(read(&files, "images/b.pkr.json"), amazon(json).replace(">= 1.7", ">= 1.12"));
}

#[test]
fn new_blocks_of_one_type_are_one_member_of_json() {
    let main = r#"{"resource": {"terraform_data": {"a": {"input": 1}}}, "module": {"m": {"source": "./m"}}, "output": {"o": {"value": "${terraform_data.a.output}-${terraform_data.a.id}"}}}"#;
    for inner in ["{}", "{\"locals\": {}}"] {
        let files = tree(&[("main.tf.json", main), ("m/main.tf.json", inner)]);
        let output =
            run(files.path(), &["move", "terraform_data.a", "module.m", "--tree", ".", "--write"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let text = read(&files, "m/main.tf.json");
        assert_eq!(text.matches("\"output\"").count(), 1, "{text}");
        let value: Value = serde_json::from_str(&text).unwrap();
        let outputs = value["output"].as_object().unwrap();
        assert_eq!(outputs.keys().collect::<Vec<_>>(), ["a_id", "a_output"], "{text}");
    }
}

/// Lines of a value have the indentation of the place that they move to, but for those of heredocs.
#[test]
fn values_of_several_lines_are_indented() {
    let block = "resource \"a\" \"b\" {\n  nested {\n    labels = {\n      \"x\" = 1\n\n      y = [\n        2, # two\n      ]\n    }\n  }\n}\n";
    let value = "{\n    \"x\" = 1\n\n    y = [\n      2, # two\n    ]\n  }";
    for (locals, expected) in [
        ("", format!("locals {{\n  new = {value}\n}}\n")),
        ("locals {\n  a = 1\n}\n", format!("locals {{\n  a = 1\n  new = {value}\n}}\n")),
    ] {
        let main = format!("{block}{locals}");
        let tree = tree(&[("main.tf", &*main)]);
        let extract = run(tree.path(), &["extract", "main.tf:3:14", "new", "--write"]);
        assert_eq!(status(&extract), 0, "{}", stderr(&extract));
        let text = fs::read_to_string(tree.path().join("main.tf")).unwrap();
        assert!(text.contains("    labels = local.new\n"), "{text}");
        assert!(text.ends_with(&expected), "{text}");
        let inline = run(tree.path(), &["inline", "local.new", "--write"]);
        assert_eq!(status(&inline), 0, "{}", stderr(&inline));
        let text = fs::read_to_string(tree.path().join("main.tf")).unwrap();
        assert_eq!(text.trim_end(), main.trim_end());
    }
    let tree = tree(&[
        ("main.tf", "locals {\n    a = {\n        b = 1\n    }\n}\n"),
        ("x.tf", "locals {\n  c = 1\n}\n"),
    ]);
    let output = run(tree.path(), &["move", "local.a", "x.tf", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = fs::read_to_string(tree.path().join("x.tf")).unwrap();
    assert_eq!(text, "locals {\n  c = 1\n  a = {\n      b = 1\n  }\n}\n");
}

/// A local value is always evaluated.
#[test]
fn what_may_fail_is_not_extracted_from_a_condition() {
    let main = "variable \"v\" {\n  default = null\n}\nresource \"terraform_data\" \"r\" {\n  count = var.v == null ? 0 : 1\n  input = \"x-${var.v.name}\"\n}\n\
                output \"o\" {\n  value = try(terraform_data.r[0].id, null)\n}\noutput \"p\" {\n  value = var.v == null ? null : terraform_data.r[0].id\n}\n\
                output \"q\" {\n  value = [for x in [] : upper(var.v)]\n}\noutput \"s\" {\n  value = var.v != null && length(var.v) > 0\n}\n\
                output \"t\" {\n  value = \"%{ if var.v != null }${upper(var.v)}%{ endif }\"\n}\n";
    let tree = tree(&[("main.tf", main)]);
    let extract = |part: &str, shift: usize| {
        let at = main.find(part).unwrap() + shift;
        let line = main[..at].matches('\n').count() + 1;
        let column = at - main[..at].rfind('\n').unwrap();
        let place = format!("main.tf:{line}:{column}");
        run(tree.path(), &["extract", &place, "new", "--check"])
    };
    for (part, shift, why) in [
        ("var.v.name", 4, "it may fail, and is evaluated there only under a condition"),
        ("try(terraform_data.r", 8, "`try` or `can` catches its errors there"),
        (": terraform_data.r[0]", 4, "only under a condition"),
        ("upper(var.v)]", 2, "only under a condition"),
        ("length(var.v)", 2, "only under a condition"),
        ("upper(var.v)}", 2, "only under a condition"),
    ] {
        let output = extract(part, shift);
        assert_eq!(status(&output), 2, "{part}: {}", stdout(&output));
        assert!(stderr(&output).contains(why), "{part}: {}", stderr(&output));
    }
    for (part, shift) in
        [("var.v == null ? 0", 6), ("try(", 1), ("[for x in", 0), ("upper(var.v)]", 8)]
    {
        let output = extract(part, shift);
        assert_eq!(status(&output), 1, "{part}: {}", stderr(&output));
    }
}
