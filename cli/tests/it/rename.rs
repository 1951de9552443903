//! `rename`: what it finds, refuses and writes.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use crate::tool::{feed, git, json, run, status, stderr, stdout, tree};

fn repository() -> TempDir {
    let tree = tree(&[
        ("net/main.tf", "variable \"cidr\" {}\noutput \"id\" {\n  value = var.cidr\n}\n"),
        (
            "live/prod/main.tf",
            "module \"net\" {\n  source = \"../../net\"\n  cidr   = \"10.0.0.0/8\" # cidr\n}\n",
        ),
        ("live/prod/other.tf", "variable \"stage\" {}\nlocals {\n  s = var.stage\n}\n"),
        ("live/prod/env/prod.tfvars", "stage = \"prod\"\n"),
        ("simd-hcl.toml", "[[root]]\npath = \"live/*\"\nvar-files = [\"env/{name}.tfvars\"]\n"),
    ]);
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(tree.path()).output();
        assert!(output.unwrap().status.success());
    };
    git(&["init", "-q"]);
    tree
}

fn read(tree: &TempDir, name: &str) -> String {
    fs::read_to_string(tree.path().join(name)).unwrap()
}

#[test]
fn callers_in_the_work_tree_follow() {
    let tree = repository();
    let rename = ["rename", "net:var.cidr", "var.cidr_block"];
    let output = run(tree.path(), &[&rename[..], &["--format", "json"]].concat());
    let changes = json(&output);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let files: Vec<_> = changes["files"].as_array().unwrap().iter().map(|it| &it["path"]).collect();
    assert_eq!(files, ["live/prod/main.tf", "net/main.tf"]);
    let left = changes["not_changed"].as_array().unwrap();
    assert_eq!((left.len(), &left[0]["why"]), (1, &"a comment".into()), "{left:?}");
    assert!(read(&tree, "net/main.tf").contains("var.cidr\n"));

    let output = run(tree.path(), &[&rename[..], &["--check"]].concat());
    assert_eq!(
        (status(&output), stdout(&output).as_str()),
        (1, "live/prod/main.tf\nnet/main.tf\n")
    );
    // From inside of the module: the tree is the work tree, and names in the patch are those in it.
    let inside = tree.path().join("net");
    let output = run(&inside, &["rename", "var.cidr", "cidr_block"]);
    assert!(stdout(&output).starts_with("--- a/live/prod/main.tf\n"), "{}", stdout(&output));
    let output = run(&inside, &["rename", "var.cidr", "cidr_block", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let main = read(&tree, "live/prod/main.tf");
    assert!(main.contains("  cidr_block   = \"10.0.0.0/8\" # cidr\n"), "{main}");
    assert_eq!(read(&tree, "net/main.tf").matches("cidr_block").count(), 2);

    let output = run(&inside, &["rename", "var.cidr_block", "cidr", "--write", "--fmt"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(read(&tree, "live/prod/main.tf").contains("  cidr   = \"10.0.0.0/8\" # cidr\n"));
}

#[test]
fn files_of_variables_of_the_settings_follow() {
    let tree = repository();
    let output = run(tree.path(), &["rename", "var.stage", "tier", "live/prod", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(read(&tree, "live/prod/env/prod.tfvars"), "tier = \"prod\"\n");
    assert!(read(&tree, "live/prod/other.tf").contains("s = var.tier"));
}

#[test]
fn what_cannot_be_renamed_is_an_error() {
    let tree = repository();
    let fails = |arguments: &[&str], text: &str| {
        let output = run(tree.path(), arguments);
        assert_eq!(status(&output), 2, "{arguments:?} {}", stdout(&output));
        assert!(stderr(&output).contains(text), "{arguments:?}: {}", stderr(&output));
    };
    fails(
        &["rename", "var.stag", "x", "live/prod"],
        "no such object in live/prod; it has `var.stage`",
    );
    fails(&["rename", "var.cidr", "x", "live/prod"], "there is `net:var.cidr`");
    fails(&["rename", "var.cidr", "x"], "has no module");
    fails(&["rename", "var.cidr", "x", "none"], "no such file or directory");
    fails(&["rename", "net:var.cidr", "local.x"], "not an address of the same kind");
    fails(&["rename", "net:var.cidr", "a b"], "`a b` is not a name");
    fails(&["rename", "net:var.cidr", "source"], "`source` is an argument of all calls");
    fails(&["rename", "net:var.cidr", "version"], "is an argument of all calls");
    assert_eq!(read(&tree, "net/main.tf").matches("cidr").count(), 2);
}

#[test]
fn nothing_outside_of_the_tree_is_written() {
    let tree = tree(&[
        ("a/main.tf", "module \"b\" {\n  source = \"../b\"\n  size   = 1\n}\n"),
        ("b/main.tf", "variable \"size\" {}\n"),
    ]);
    // Callers elsewhere are not searched for, if there is no work tree.
    let output = run(tree.path(), &["rename", "var.size", "x", "b", "--check"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (1, "b/main.tf\n"));
    let output = run(tree.path(), &["rename", "var.size", "x", "b", "--check", "--tree", "."]);
    assert_eq!(stdout(&output), "a/main.tf\nb/main.tf\n");
    let output = run(&tree.path().join("a"), &["rename", "module.b", "c", "--write"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(read(&tree, "a/main.tf").starts_with("module \"c\" {"));
    assert!(
        read(&tree, "a/main.tf")
            .ends_with("}\n\nmoved {\n  from = module.b\n  to   = module.c\n}\n")
    );
}

#[test]
fn standard_input_is_a_filter() {
    let text = "resource \"a_b\" \"c\" {\n}\nlocals {\n  x = a_b.c.id\n}\n";
    let output = feed(&["rename", "a_b.c", "d", "-", "--no-moved"], text);
    let renamed = text.replace("\"c\"", "\"d\"").replace("a_b.c", "a_b.d");
    assert_eq!((status(&output), stdout(&output)), (0, renamed));
    // Text without a rename is passed on.
    let output = feed(&["rename", "a_b.x", "d", "-"], text);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, text));
}

#[test]
fn units_of_terragrunt_follow() {
    let unit =
        "terraform {\n  source = \"../../net\"\n}\ninputs = {\n  cidr = \"10.0.0.0/8\" # cidr\n}\n";
    let other = "terraform {\n  source = \"../../app\"\n}\ndependency \"net\" {\n  config_path  = \
                 \"../a\"\n  mock_outputs = { id = \"m\" }\n}\ninputs = {\n  id = \
                 dependency.net.outputs.id\n}\n";
    let tree = tree(&[
        ("net/main.tf", "variable \"cidr\" {}\noutput \"id\" {\n  value = var.cidr\n}\n"),
        ("app/main.tf", "variable \"id\" {}\n"),
        ("live/a/terragrunt.hcl", unit),
        ("live/b/terragrunt.hcl", other),
    ]);
    let rename = |arguments: &[&str]| {
        let output = run(tree.path(), &[&["rename"], arguments, &["--tree", "."]].concat());
        assert_eq!(status(&output), 0, "{arguments:?} {}", stderr(&output));
        json(&output)["incomplete"].clone()
    };
    let none = serde_json::json!([]);
    let json = ["--write", "--format", "json"];
    assert_eq!(rename(&[&["net:var.cidr", "block"], &json[..]].concat()), none);
    let changed = unit.replace("  cidr = ", "  block = ");
    assert_eq!(read(&tree, "live/a/terragrunt.hcl"), changed);
    assert_eq!(read(&tree, "live/b/terragrunt.hcl"), other);
    assert_eq!(rename(&[&["net:output.id", "name"], &json[..]].concat()), none);
    let changed = other.replace("{ id =", "{ name =").replace("outputs.id", "outputs.name");
    assert_eq!(read(&tree, "live/b/terragrunt.hcl"), changed);
    // A file that units of other modules include may mean another variable.
    let root = "inputs = {\n  block = 1\n  id    = 2\n}\n";
    let include = "include \"root\" {\n  path = find_in_parent_folders(\"root.hcl\")\n}\n";
    fs::write(tree.path().join("live/root.hcl"), root).unwrap();
    for name in ["a", "b"] {
        let path = tree.path().join(format!("live/{name}/terragrunt.hcl"));
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, format!("{include}{text}")).unwrap();
    }
    let gaps = rename(&[&["net:var.block", "cidr"], &json[..]].concat());
    assert!(gaps.to_string().contains("live/root.hcl"), "{gaps}");
    assert_eq!(read(&tree, "live/root.hcl"), root);
}

/// A `dependency` block of an included file is one of each unit that includes it.
#[test]
fn outputs_of_included_dependencies_follow() {
    let include = "include \"d\" {\n  path = \"../_d.hcl\"\n}\nterraform {\n  source = ";
    let uses = "inputs = {\n  x = dependency.v.outputs.id\n}\n";
    let stack = "dependency \"n\" {\n  config_path = \"../live\"\n}\ninputs = {\n  x = \
                 dependency.n.outputs.net.id\n}\n";
    let mocks =
        "dependency \"v\" {\n  config_path  = \"../vpc\"\n  mock_outputs = { id = \"m\" }\n}\n";
    let own = format!("{include}\"../m\"\n}}\n{uses}");
    let other = format!("{include}\"../m2\"\n}}\n{uses}");
    let tree = tree(&[
        ("m/main.tf", "variable \"x\" {\n  default = 1\n}\noutput \"id\" {\n  value = var.x\n}\n"),
        ("m2/main.tf", "variable \"x\" {}\n"),
        ("vpc/terragrunt.hcl", "terraform {\n  source = \"../m\"\n}\n"),
        ("_d.hcl", mocks),
        ("app3/terragrunt.hcl", &own),
        ("app4/terragrunt.hcl", &other),
        (
            "live/terragrunt.stack.hcl",
            "unit \"net\" {\n  source = \"../vpc\"\n  path = \"net\"\n}\n",
        ),
        ("out/terragrunt.hcl", stack),
    ]);
    let rename = ["rename", "m:output.id", "vid", "--tree", ".", "--write", "--format", "json"];
    let output = run(tree.path(), &rename);
    let gaps = json(&output)["incomplete"].to_string();
    assert_eq!(read(&tree, "_d.hcl"), mocks.replace("{ id =", "{ vid ="), "{gaps}");
    assert_eq!(read(&tree, "app3/terragrunt.hcl"), own.replace("outputs.id", "outputs.vid"));
    assert_eq!(read(&tree, "app4/terragrunt.hcl"), other.replace("outputs.id", "outputs.vid"));
    // A stack has the outputs of its units.
    assert!(gaps.contains("out/terragrunt.hcl"), "{gaps}");
}

/// Inputs that come from files that a unit reads are listed.
#[test]
fn inputs_from_other_files_are_listed() {
    let read_config = "inputs = read_terragrunt_config(\"../common.hcl\").inputs\n";
    let read_yaml = "inputs = yamldecode(file(\"v.yaml\"))\n";
    let unit = |inputs: &str| format!("terraform {{\n  source = \"../m\"\n}}\n{inputs}");
    let tree = tree(&[
        ("m/main.tf", "variable \"cidr\" {\n  default = 1\n}\n"),
        ("common.hcl", "inputs = {\n  cidr = 5\n}\n"),
        ("a/terragrunt.hcl", &unit(read_config)),
        ("b/terragrunt.hcl", &unit(read_yaml)),
        ("b/v.yaml", "cidr: 5\n"),
    ]);
    let rename = ["rename", "m:var.cidr", "block", "--tree", ".", "--format", "json"];
    let gaps = json(&run(tree.path(), &rename))["incomplete"].to_string();
    assert!(gaps.contains("common.hcl") && gaps.contains("b/v.yaml"), "{gaps}");
}

/// Of two files of a unit, Terragrunt reads the one in JSON.
#[test]
fn the_file_of_a_unit_that_is_read_is_the_one_that_counts() {
    let native = "terraform {\n  source = \"../../net\"\n}\ninputs = {\n  cidr = 1\n}\n";
    let json_text = r#"{"terraform": {"source": "../../net"}, "inputs": {"cidr": 2}}"#;
    let tree = tree(&[
        ("net/main.tf", "variable \"cidr\" {}\noutput \"id\" {\n  value = var.cidr\n}\n"),
        ("live/a/terragrunt.hcl", native),
        ("live/a/terragrunt.hcl.json", json_text),
    ]);
    let units = json(&run(tree.path(), &["units", ".", "--render", "--format", "json"]));
    assert_eq!(units["units"][0]["inputs"]["cidr"], 2);
    let rename = ["rename", "net:var.cidr", "block", "--tree", ".", "--write", "--format", "json"];
    let gaps = json(&run(tree.path(), &rename))["incomplete"].to_string();
    assert!(gaps.contains("live/a/terragrunt.hcl.json"), "{gaps}");
    assert_eq!(read(&tree, "live/a/terragrunt.hcl"), native);
    assert_eq!(read(&tree, "live/a/terragrunt.hcl.json"), json_text);
}

#[test]
fn objects_of_templates_are_renamed() {
    let native = "variable \"region\" {\n  default = \"x\"\n}\nlocals {\n  name = \"a-${var.region}\" # region\n}\nlocal \
                  \"pw\" {\n  expression = var.region\n}\nsource \"null\" \"one\" {\n  communicator = \
                  \"none\"\n}\ndata \"null\" \"d\" {\n  input = local.name\n}\nbuild {\n  sources = [\"source.null.one\", \
                  \"null.one\"]\n  provisioner \"shell-local\" {\n    inline = [\"${var.region} ${data.null.d.output} one\"]\n    \
                  only   = [\"null.one\"]\n  }\n}\nbuild {\n  source \"null.one\" {\n    name = \"two\"\n  }\n}\n";
    let values = "region = \"y\"\n";
    let tree = tree(&[
        ("t/a.pkr.hcl", native),
        ("t/v.auto.pkrvars.hcl", values),
        ("t/prod.pkrvars.hcl", values),
    ]);
    let rename = |address: &str, name: &str| {
        let output = run(tree.path(), &["rename", address, name, "t", "--tree", ".", "--write"]);
        assert_eq!(status(&output), 0, "{address}: {}", stderr(&output));
        (read(&tree, "t/a.pkr.hcl"), stderr(&output))
    };
    let (text, left) = rename("var.region", "zone");
    let expected = native.replace("var.region", "var.zone").replace("\"region\"", "\"zone\"");
    assert_eq!(text, expected);
    assert!(left.contains("region: a comment"), "{left}");
    for file in ["t/v.auto.pkrvars.hcl", "t/prod.pkrvars.hcl"] {
        assert_eq!(read(&tree, file), "zone = \"y\"\n");
    }
    let (text, _) = rename("local.name", "local.label");
    assert!(text.contains("  label = \"a-") && text.contains("input = local.label\n"), "{text}");
    let (text, _) = rename("local.pw", "secret");
    assert!(text.contains("local \"secret\" {"), "{text}");
    let (text, _) = rename("data.null.d", "e");
    assert!(
        text.contains("data \"null\" \"e\"") && text.contains("${data.null.e.output} one"),
        "{text}"
    );
    let (text, left) = rename("source.null.one", "first");
    for part in [
        "source \"null\" \"first\" {",
        "[\"source.null.first\", \"null.first\"]",
        "only   = [\"null.first\"]",
        "source \"null.first\" {",
        ".output} one\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(left.contains("one: not a reference"), "{left}");
    let fails = |address: &str, name: &str, why: &str| {
        let output = run(tree.path(), &["rename", address, name, "t", "--tree", "."]);
        assert_eq!(status(&output), 2, "{address}");
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    };
    fails("local.label", "secret", "has local.secret already");
    fails("local.label", "a b", "is not a name");
    fails("build[0]", "x", "has no name that can be changed");
    fails("local.labels", "x", "no such object in t; it has `local.label`");

    let json = r#"{"variable":{"r":{"default":"x"}},"source":{"null":{"one":{"communicator":"none"}}},
"build":{"sources":["null.one"],"provisioner":{"shell-local":{"inline":["${var.r}"],"except":["null.one"]}}}}"#;
    let files = crate::tool::tree(&[("a.pkr.json", json)]);
    for (address, name) in [("var.r", "s"), ("source.null.one", "two")] {
        let output = run(files.path(), &["rename", address, name, "--write"]);
        assert_eq!(status(&output), 0, "{address}: {}", stderr(&output));
    }
    let expected = json.replace("\"r\"", "\"s\"").replace("var.r", "var.s");
    let expected = expected.replace("\"one\"", "\"two\"").replace("null.one", "null.two");
    assert_eq!(read(&files, "a.pkr.json"), expected);
}

#[test]
fn json_is_what_it_was_after_the_way_back() {
    for moved in [
        "",
        ",\"moved\":[]",
        ",\n  \"moved\" : []",
        ",\"moved\":[{\"from\":\"t.x\",\"to\":\"t.y\"}]",
    ] {
        let text = format!("{{\"resource\":{{\"terraform_data\":{{\"a\":{{}}}}}}{moved}}}");
        let tree = tree(&[("main.tf.json", &text)]);
        let rename = |old: &str, new: &str| {
            let output = run(tree.path(), &["rename", old, new, "--tree", ".", "--write"]);
            assert_eq!(status(&output), 0, "{}", stderr(&output));
            read(&tree, "main.tf.json")
        };
        let renamed = rename("terraform_data.a", "b");
        assert!(renamed.contains("\"from\":\"terraform_data.a\""), "{renamed}");
        let output = run(tree.path(), &["check"]);
        assert_eq!(status(&output), 0, "{}", stdout(&output));
        assert_eq!(rename("terraform_data.b", "a"), text);
    }
}

#[test]
fn a_variable_of_a_template_is_renamed_on_both_sides() {
    let template =
        "Hello ${name}, ${upper(name)}! %{ for name in names }${name}%{ endfor }\n# name\n";
    let main = "locals {\n  a = templatefile(\"${path.module}/t/user.tftpl\", { name = \"x\", names = [] })\n  \
                b = templatefile(\"t/user.tftpl\", merge(local.more, { \"name\" = 1 }))\n  \
                c = templatefile(\"t/user.tftpl\", local.more)\n  \
                d = templatefile(\"t/other.tftpl\", { name = 1 })\n  \
                f = templatefile(\"${path.module}/t/${local.name}.tftpl\", { name = 2 })\n  more = { names = [] }\n  name = 1\n}\n";
    let json = "{\"locals\":{\"e\":\"${templatefile(\\\"${path.module}/../live/t/user.tftpl\\\", {\\\"name\\\" = 2})}\"}}";
    let other = "Bye ${name}\n";
    let files = [
        ("live/main.tf", main),
        ("live/t/user.tftpl", template),
        ("live/t/other.tftpl", other),
        ("net/main.tf.json", json),
    ];
    let tree = tree(&files);
    let rename = |address: &str, new: &str| {
        run(tree.path(), &["rename", address, new, "--tree", ".", "--write", "--format", "json"])
    };
    let output = rename("live/t/user.tftpl:name", "title");
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let left = json_whys(&output);
    assert_eq!(
        left,
        [
            "local.more: computed: its text is not written here",
            "\"${path.module}/t/${local.name}.tftpl\": computed: its text is not written here",
            "name: not a reference to it",
            "name: not a reference to it",
            "name: not a reference to it",
        ]
    );
    assert_eq!(
        read(&tree, "live/t/user.tftpl"),
        "Hello ${title}, ${upper(title)}! %{ for name in names }${name}%{ endfor }\n# name\n"
    );
    let new =
        main.replace("{ name = \"x\"", "{ title = \"x\"").replace("\"name\" = 1", "\"title\" = 1");
    assert_eq!(read(&tree, "live/main.tf"), new);
    assert_eq!(read(&tree, "net/main.tf.json"), json.replace("name\\", "title\\"));
    assert_eq!(read(&tree, "live/t/other.tftpl"), other);
    // The way back gives the bytes of before.
    assert_eq!(status(&rename("live/t/user.tftpl:title", "name")), 0);
    for (name, text) in files {
        assert_eq!(read(&tree, name), text);
    }
    for (address, new, why) in [
        ("live/t/user.tftpl:name", "names", "uses `names` already"),
        ("live/t/user.tftpl:name", "a b", "`a b` is not a name"),
        ("live/t/user.tftpl:nothing", "x", "has no variable `nothing`"),
        ("live/t/user.tftpl:names", "name", "uses `name` already"),
    ] {
        let output = rename(address, new);
        assert_eq!(status(&output), 2, "{address}");
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

/// The places that stay: the text and the reason of each.
fn json_whys(output: &std::process::Output) -> Vec<String> {
    let left = json(output)["not_changed"].as_array().unwrap().clone();
    let text = |it: &serde_json::Value| {
        format!("{}: {}", it["text"].as_str().unwrap(), it["why"].as_str().unwrap())
    };
    left.iter().map(text).collect()
}

#[test]
fn options_and_outputs_of_runs_are_renamed() {
    let test = "run \"one\" {\n  plan_options {\n    target  = [terraform_data.a]\n    replace = [terraform_data.a]\n  }\n}\n\
                run \"two\" {\n  module {\n    source = \"./x\"\n  }\n  variables {\n    v = run.one.id\n  }\n}\n\
                run \"three\" {\n  assert {\n    condition     = run.one.id != run.two.id && run.one[\"id\"] != \"\"\n    \
                error_message = run.two.id\n  }\n}\n";
    let tree = tree(&[
        (
            "main.tf",
            "resource \"terraform_data\" \"a\" {}\noutput \"id\" {\n  value = terraform_data.a.id\n}\n",
        ),
        ("x/main.tf", "variable \"v\" {}\noutput \"id\" {\n  value = var.v\n}\n"),
        ("main.tftest.hcl", test),
    ]);
    for (address, new) in [("terraform_data.a", "b"), ("output.id", "ident")] {
        let output = run(tree.path(), &["rename", address, new, "--tree", ".", "--write"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
    }
    let expected =
        test.replace("terraform_data.a", "terraform_data.b").replace("run.one.id", "run.one.ident");
    let expected = expected.replace("run.one[\"id\"]", "run.one[\"ident\"]");
    assert_eq!(read(&tree, "main.tftest.hcl"), expected);
}

/// A file that several modules have, by links, is edited once, and all of them follow.
#[test]
#[cfg(unix)]
fn shared_files() {
    use std::os::unix::fs::symlink;
    let tree = tree(&[
        ("common/variables.tf", "variable \"zone\" {}\nlocals {\n  z = var.zone\n}\n"),
        ("a/main.tf", "output \"o\" {\n  value = \"${var.zone}${local.z}\"\n}\n"),
        ("a/terraform.tfvars", "zone = \"a\"\n"),
        ("b/main.tf", "resource \"terraform_data\" \"x\" {\n  input = var.zone\n}\n"),
        ("c/main.tf", "variable \"zone\" {}\noutput \"o\" {\n  value = var.zone\n}\n"),
        ("top/main.tf", "module \"b\" {\n  source = \"../b\"\n  zone   = 1\n}\n"),
    ]);
    for module in ["a", "b"] {
        symlink("../common/variables.tf", tree.path().join(module).join("variables.tf")).unwrap();
    }
    let before: Vec<String> =
        ["a/main.tf", "b/main.tf", "common/variables.tf"].map(|name| read(&tree, name)).into();
    let rename = |old: &str, new: &str| {
        let output = run(tree.path(), &["rename", old, new, "--tree", ".", "--write"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    rename("a:var.zone", "region");
    assert!(
        read(&tree, "common/variables.tf")
            .contains("variable \"region\" {}\nlocals {\n  z = var.region")
    );
    assert!(read(&tree, "a/main.tf").contains("${var.region}${local.z}"));
    assert_eq!(read(&tree, "a/terraform.tfvars"), "region = \"a\"\n");
    assert!(read(&tree, "b/main.tf").contains("input = var.region"));
    assert!(read(&tree, "top/main.tf").contains("  region   = 1"));
    // It has the same name, and another file.
    assert!(read(&tree, "c/main.tf").contains("variable \"zone\""));
    assert!(fs::symlink_metadata(tree.path().join("b/variables.tf")).unwrap().is_symlink());
    rename("b:var.region", "zone");
    let after: Vec<String> =
        ["a/main.tf", "b/main.tf", "common/variables.tf"].map(|name| read(&tree, name)).into();
    assert_eq!(after, before);
    // Other refactorings would change the other modules.
    for command in [["inline", "a:local.z", "--tree"], ["move", "a:local.z", "main.tf"]] {
        let more = if command[0] == "move" { vec!["--tree", "."] } else { vec!["."] };
        let output = run(tree.path(), &[&command[..], &more].concat());
        let told = stderr(&output);
        assert!(told.contains("is also a file of "), "{command:?} {told}");
        assert_eq!(status(&output), 2);
    }
    fs::write(tree.path().join("b/main.tf"), "").unwrap();
    fs::write(tree.path().join("a/main.tf"), "output \"o\" {\n  value = var.zone\n}\n").unwrap();
    let output = run(tree.path(), &["fix-unused", "b"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""), "{}", stderr(&output));
}

/// A file of values that the settings name for several root modules sets the variables of all of them.
#[test]
fn files_of_values_of_several_root_modules() {
    let main = "variable \"zone\" {}\noutput \"o\" {\n  value = var.zone\n}\n";
    let tree = tree(&[
        ("live/a/main.tf", main),
        ("live/b/main.tf", main),
        ("live/common.tfvars", "zone = 1\n"),
        ("simd-hcl.toml", "[[root]]\npath = \"live/*\"\nvar-files = [\"../common.tfvars\"]\n"),
    ]);
    let output = run(tree.path(), &["rename", "live/a:var.zone", "region", "--tree", "."]);
    let told = "simd-hcl: var.zone is not renamed: live/common.tfvars also sets zone of live/b\n";
    assert_eq!(stderr(&output), told);
    assert_eq!(status(&output), 2);
}

/// A file of variables that cannot be decoded names no resource.
#[test]
fn encrypted_values() {
    let main = "variable \"v\" {}\nresource \"terraform_data\" \"a\" {\n  input = var.v\n}\n";
    let tree = tree(&[("main.tf", main), ("terraform.tfvars", "\0GITCRYPT\0x")]);
    let output = run(tree.path(), &["rename", "terraform_data.a", "b", ".", "--tree", "."]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let output = run(tree.path(), &["rename", "var.v", "w", ".", "--tree", "."]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
}

/// A `moved` block that a commit has may be applied: it says the reverse when the object is renamed back.
#[test]
fn committed_moves_are_reversed() {
    for (name, text) in [
        (
            "main.tf",
            "resource \"terraform_data\" \"a\" {\n}\n\nmoved {\n  from = terraform_data.old\n  to   = \
             terraform_data.a\n}\n",
        ),
        (
            "main.tf.json",
            "{\n  \"resource\": {\"terraform_data\": {\"a\": {}}},\n  \"moved\": [{\"from\": \"terraform_data.old\", \
             \"to\": \"terraform_data.a\"}]\n}\n",
        ),
    ] {
        let tree = tree(&[(name, text)]);
        let git = |arguments: &[&str]| {
            let names = ["-c", "user.name=n", "-c", "user.email=e"];
            let arguments = [&names[..], arguments].concat();
            let output = Command::new("git").args(arguments).current_dir(tree.path()).output();
            assert!(output.unwrap().status.success());
        };
        let rename = |old: &str, new: &str| {
            let old = format!("terraform_data.{old}");
            let output = run(tree.path(), &["rename", &old, new, "--write", "--format", "json"]);
            assert_eq!(status(&output), 0, "{}", stderr(&output));
            json_whys(&output)
        };
        git(&["init", "-q"]);
        git(&["add", "."]);
        git(&["commit", "-qm", "first"]);
        assert_eq!(rename("a", "b"), [""; 0]);
        let renamed = read(&tree, name);
        assert_eq!(rename("b", "a"), [""; 0]);
        assert_eq!(read(&tree, name), text);

        rename("a", "b");
        git(&["commit", "-qam", "second"]);
        let why = "the block is committed, so states may have the new address: it says the reverse";
        assert_eq!(rename("b", "a"), [format!("terraform_data.a: {why}")]);
        // Objects that have moved to `a` go by `b`: two blocks that lead to one address are an error.
        let place = |text: &str| {
            let new: String = text.chars().filter(|it| !it.is_whitespace() && *it != '"').collect();
            new.replace("from=", "from:").replace("to=", ",to:")
        };
        let new = place(&read(&tree, name));
        for (from, to) in [("old", "b"), ("b", "a")] {
            let moved = format!("from:terraform_data.{from},to:terraform_data.{to}");
            assert!(new.contains(&moved), "{moved} in {new}");
        }
        assert_eq!(new.matches("from:").count(), 2);
        assert_eq!(rename("a", "b").len(), 1);
        assert_eq!(read(&tree, name), renamed);
        let output =
            run(tree.path(), &["rename", "terraform_data.b", "a", "--write", "--no-moved"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert_eq!(read(&tree, name), text);
    }
}

/// Files that units of Terragrunt use beside their own configuration do not follow; they are listed.
#[test]
fn other_files_of_units_are_listed() {
    let source = "terraform {\n  source = \"../../m\"\n";
    let arguments = |text: &str| {
        format!(
            "{source}  extra_arguments \"e\" {{\n    commands = [\"plan\"]\n    {text}\n  }}\n}}\n"
        )
    };
    let tree = tree(&[
        ("m/main.tf", "variable \"cidr\" { default = 1 }\n"),
        (
            "live/c/terragrunt.hcl",
            &arguments("required_var_files = [\"${get_terragrunt_dir()}/v.tfvars\"]"),
        ),
        ("live/c/v.tfvars", "cidr = 7\n"),
        ("live/d/terragrunt.hcl", &arguments("env_vars = { TF_VAR_cidr = \"8\" }")),
        (
            "live/e/terragrunt.hcl",
            &format!(
                "{source}}}\ninputs = merge({{ cidr = 1 }}, yamldecode(file(\"../in.yaml\")))\n"
            ),
        ),
        ("live/e/more.tf", "output \"p\" { value = var.cidr }\n"),
        ("live/e/other.tf", "output \"q\" { value = 1 }\n"),
        ("live/in.yaml", "cidr: 4\n"),
    ]);
    git(tree.path(), &["init", "-q"]);
    let output = run(tree.path(), &["rename", "m:var.cidr", "block", "--format", "json"]);
    let files: Vec<String> = gaps(&output).into_iter().map(|(place, _)| place).collect();
    let expected = ["live/c/v.tfvars", "live/d/terragrunt.hcl", "live/e/more.tf", "live/in.yaml"];
    assert_eq!(files, expected);
}

/// A configuration that a unit reads has outputs of dependencies, whose blocks are not in the unit.
#[test]
fn outputs_behind_configurations_that_units_read_follow() {
    let unit = |read: &str| {
        format!(
            "terraform {{\n  source = \"../other\"\n}}\nlocals {{\n  deps = {read}\n}}\ninputs = {{\n  q = local.deps.dependency.x.outputs.id\n}}\n"
        )
    };
    let tree = tree(&[
        ("m/main.tf", "output \"id\" { value = 1 }\n"),
        ("other/main.tf", "variable \"q\" {}\n"),
        ("m1/terragrunt.hcl", "terraform {\n  source = \"../m\"\n}\n"),
        ("deps.hcl", "dependency \"x\" {\n  config_path = \"./m1\"\n}\n"),
        ("near/deps.hcl", "dependency \"x\" {\n  config_path = \"../m1\"\n}\nlocals { id = 1 }\n"),
        ("near/terragrunt.hcl", &unit("read_terragrunt_config(\"deps.hcl\")")),
        (
            "found/terragrunt.hcl",
            &unit("read_terragrunt_config(find_in_parent_folders(\"deps.hcl\"))"),
        ),
        (
            "direct/terragrunt.hcl",
            "dependency \"x\" {\n  config_path = \"../m1\"\n}\ninputs = { id = dependency.x.outputs.id }\n",
        ),
        ("unrelated/terragrunt.hcl", "locals { id = 1 }\n"),
    ]);
    git(tree.path(), &["init", "-q"]);
    let output = run(tree.path(), &["rename", "m:output.id", "ident", "--format", "json"]);
    let changed = |output: &std::process::Output| -> Vec<String> {
        let files = json(output)["files"].as_array().unwrap().clone();
        files.iter().map(|it| it["path"].as_str().unwrap().to_owned()).collect()
    };
    let all = ["direct/terragrunt.hcl", "found/terragrunt.hcl", "m/main.tf", "near/terragrunt.hcl"];
    assert_eq!(changed(&output), all);
    // The local value in a configuration that is read, and the input of a unit.
    assert_eq!(gaps(&output), []);
    assert_eq!(json_whys(&output), ["id: not a reference to it"; 2]);
    let before = all.map(|name| read(&tree, name));
    let write = |old: &str, new: &str| {
        let output = run(tree.path(), &["rename", old, new, "--write"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
    };
    write("m:output.id", "ident");
    for (name, before) in all.iter().zip(&before) {
        let renamed = before.replace("outputs.id", "outputs.ident").replace("\"id\"", "\"ident\"");
        assert_eq!(read(&tree, name), renamed);
    }
    write("m:output.ident", "id");
    assert_eq!(all.map(|name| read(&tree, name)), before);

    // Mocks and uses in the configuration that is read, a computed path of a dependency, and an included file
    // that reads a configuration.
    let deps = "dependency \"x\" {\n  config_path = \"${get_terragrunt_dir()}/../m1\"\n  \
                mock_outputs = { id = 1 }\n}\ninputs = { a = dependency.x.outputs.id }\n";
    fs::write(tree.path().join("near/deps.hcl"), deps).unwrap();
    let root = "locals {\n  deps = read_terragrunt_config(\"${get_parent_terragrunt_dir()}/deps.hcl\")\n}\n\
                inputs = {\n  q = local.deps.dependency.x.outputs[\"id\"]\n  r = local.deps.dependency.x.outputs\n}\n";
    fs::write(tree.path().join("root.hcl"), root).unwrap();
    let unit = "include \"root\" {\n  path = find_in_parent_folders(\"root.hcl\")\n}\n\
                terraform {\n  source = \"../other\"\n}\n";
    for name in ["u1", "u2"] {
        fs::create_dir(tree.path().join(name)).unwrap();
        fs::write(tree.path().join(name).join("terragrunt.hcl"), unit).unwrap();
    }
    let output =
        run(tree.path(), &["rename", "m:output.id", "ident", "--write", "--format", "json"]);
    let expected = [&all[..3], &["near/deps.hcl", "near/terragrunt.hcl", "root.hcl"]].concat();
    assert_eq!(changed(&output), expected);
    assert_eq!(gaps(&output), []);
    let whole = "local.deps.dependency.x.outputs: uses the module as a whole, and perhaps this output of it";
    assert_eq!(json_whys(&output), ["id: not a reference to it", whole]);
    let renamed = deps.replace("{ id", "{ ident").replace("outputs.id", "outputs.ident");
    assert_eq!(read(&tree, "near/deps.hcl"), renamed);
    assert_eq!(read(&tree, "root.hcl"), root.replace("\"id\"", "\"ident\""));
}

/// A unit reads the inputs of a file that it includes.
#[test]
fn inputs_of_included_files_follow() {
    let unit = |root: &str| {
        format!(
            "include \"root\" {{\n  path   = \"../{root}.hcl\"\n  expose = true\n}}\nterraform {{\n  source = \"../m\"\n}}\ninputs = \
             {{\n  size = include.root.inputs.size + include.root.inputs[\"size\"]\n}}\n"
        )
    };
    let computed = "locals {\n  all = { size = 1 }\n}\ninputs = local.all\n";
    let tree = tree(&[
        ("m/main.tf", "variable \"size\" {}\n"),
        ("root.hcl", "inputs = {\n  size = 1\n}\n"),
        ("computed.hcl", computed),
        ("u/terragrunt.hcl", &unit("root")),
        ("v/terragrunt.hcl", &unit("computed")),
        (
            "bare/terragrunt.hcl",
            "include {\n  path = \"../root.hcl\"\n}\nterraform {\n  source = \"../m\"\n}\ninputs = {\n  size = include.inputs.size\n}\n",
        ),
    ]);
    git(tree.path(), &["init", "-q"]);
    let output =
        run(tree.path(), &["rename", "m:var.size", "length", "--write", "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(read(&tree, "u/terragrunt.hcl"), unit("root").replace("size", "length"));
    assert_eq!(read(&tree, "root.hcl"), "inputs = {\n  length = 1\n}\n");
    assert!(read(&tree, "bare/terragrunt.hcl").contains("length = include.inputs.length"));
    let kept = unit("computed").replace("  size =", "  length =");
    assert_eq!(
        (read(&tree, "v/terragrunt.hcl"), read(&tree, "computed.hcl")),
        (kept, computed.into())
    );
    assert_eq!(json_whys(&output), ["size: not a reference to it"; 3]);
}

#[cfg(unix)]
#[test]
fn files_of_units_that_cannot_be_read_are_gaps() {
    let tree = tree(&[
        ("m/main.tf", "variable \"cidr\" {}\n"),
        (
            "live/terragrunt.hcl",
            "terraform {\n  source = \"../m\"\n}\ninputs = { cidr = file(\"far.txt\") }\n",
        ),
    ]);
    let outside = self::tree(&[("far.txt", "cidr\n")]);
    std::os::unix::fs::symlink(outside.path().join("far.txt"), tree.path().join("live/far.txt"))
        .unwrap();
    git(tree.path(), &["init", "-q"]);
    let output = run(tree.path(), &["rename", "m:var.cidr", "block", "--format", "json"]);
    let found = gaps(&output);
    let is_said = |(place, why): &(String, String)| {
        place.ends_with("live/far.txt") && why.starts_with("not searched (")
    };
    assert!(found.iter().any(is_said), "{found:?}");
}

/// A unit whose check would fail is said, whichever way it uses what is renamed.
#[test]
fn units_whose_check_would_fail_are_listed() {
    let unit = |path: &str| {
        format!(
            "include \"root\" {{\n  path = \"../root.hcl\"\n}}\ndependency \"x\" {{\n  config_path = \"{path}\"\n}}\n"
        )
    };
    let tree = tree(&[
        ("m/main.tf", "output \"id\" { value = 1 }\n"),
        ("n/main.tf", "output \"id\" { value = 1 }\n"),
        ("other/main.tf", "variable \"q\" {}\n"),
        ("m1/terragrunt.hcl", "terraform {\n  source = \"../m\"\n}\n"),
        ("n1/terragrunt.hcl", "terraform {\n  source = \"../n\"\n}\n"),
        // Of units with outputs of different modules.
        (
            "root.hcl",
            "terraform {\n  source = \"../other\"\n}\ninputs = {\n  q = dependency.x.outputs.id\n}\n",
        ),
        ("u1/terragrunt.hcl", &unit("../m1")),
        ("u2/terragrunt.hcl", &unit("../n1")),
    ]);
    git(tree.path(), &["init", "-q"]);
    let rename = ["rename", "m:output.id", "ident", "--write", "--format", "json"];
    let output = run(tree.path(), &rename);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let gaps = gaps(&output);
    let failing =
        gaps.iter().filter(|(_, why)| why.starts_with("the check of a unit would fail: "));
    let failing: Vec<&str> = failing.map(|(place, _)| &**place).collect();
    assert_eq!(failing, ["root.hcl"], "{gaps:?}");
    let check = run(tree.path(), &["check", "--format", "json", "."]);
    let found = json(&check)["diagnostics"].as_array().unwrap().clone();
    let errors = found.iter().filter(|it| it["severity"] == "error");
    let files: Vec<&str> = errors.map(|it| it["range"]["filename"].as_str().unwrap()).collect();
    assert_eq!(files, failing);
}

/// The gaps of an answer: where, and why.
fn gaps(output: &std::process::Output) -> Vec<(String, String)> {
    let answer = json(output);
    let gaps = answer["incomplete"].as_array().unwrap();
    let places = gaps.iter().flat_map(|gap| {
        let why = gap["why"].as_str().unwrap();
        let places = gap["where"].as_array().unwrap().iter();
        places.map(|place| (place.as_str().unwrap().to_owned(), why.to_owned())).collect::<Vec<_>>()
    });
    let mut places: Vec<_> = places.collect();
    places.sort();
    places
}

/// Values that only a command line or the settings give keep the name; they are listed.
#[test]
fn values_elsewhere_are_listed() {
    let main = "terraform {\n  backend \"local\" {}\n}\nvariable \"size\" { default = 1 }\n";
    let tree = tree(&[
        ("live/a/main.tf", main),
        ("live/a/env/prod.tfvars", "size = 2\n"),
        ("live/a/env/other.tfvars", "name = 2\n"),
        ("live/a/vars/x.tfvars.json", "{\"size\": 3}\n"),
        ("live/a/env/eu/west/1/a/deep.tfvars", "size = 5\n"),
        ("live/a/inner/main.tf", "variable \"size\" { default = 1 }\n"),
        ("live/a/inner/x.tfvars", "size = 4\n"),
        ("live/b/main.tf", main),
        ("simd-hcl.toml", "[[root]]\npath = \"live/b\"\nvariables = { size = 3 }\n"),
    ]);
    git(tree.path(), &["init", "-q"]);
    let places = |address: &str| -> Vec<String> {
        let answer = json(&run(tree.path(), &["rename", address, "sz", "--format", "json"]));
        let gaps = answer["incomplete"].as_array().unwrap().clone();
        let gaps = gaps.iter().flat_map(|gap| gap["where"].as_array().unwrap().clone());
        gaps.map(|place| place.as_str().unwrap().to_owned()).collect()
    };
    let expected = [
        "live/a/env/eu/west/1/a/deep.tfvars",
        "live/a/env/prod.tfvars",
        "live/a/vars/x.tfvars.json",
    ];
    assert_eq!(places("live/a:var.size"), expected);
    let found = places("live/b:var.size");
    assert!(found.len() == 1 && found[0].ends_with("simd-hcl.toml"), "{found:?}");
}

#[test]
fn actions_are_renamed() {
    let native = "action \"x_run\" \"go\" {\n  count = 2\n  config {\n    id = caller.id # go\n  }\n}\n\
                  resource \"x_thing\" \"go\" {\n  lifecycle {\n    action_trigger {\n      \
                  events  = [after_create]\n      actions = [action.x_run.go[0], action . x_run . go [1], action.y_run.go]\n    \
                  }\n  }\n}\naction \"y_run\" \"go\" {\n}\n";
    let main = serde_json::json!({
        "action": {"x_run": {"go": {"count": 2}}, "y_run": {"go": {}}},
        "resource": {"x_thing": {"go": {"lifecycle": {"action_trigger": {
            "events": ["after_create"],
            "actions": ["action.x_run.go[0]", "action.x_run.go[1]", "action.y_run.go"],
        }}}}},
    });
    let main = serde_json::to_string_pretty(&main).unwrap();
    let overriding = "action \"x_run\" \"go\" {\n  count = 3\n}\n";
    for (file, text) in [("main.tf", native), ("main.tf.json", &*main)] {
        let tree = tree(&[(file, text), ("x_override.tf", overriding)]);
        let rename = |old: &str, new: &str, flag: &str| {
            run(tree.path(), &["rename", old, new, flag, "--dialect", "terraform"])
        };
        let output = rename("action.x_run.go", "y", "--write");
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let new = text.replace("\"x_run\" \"go\"", "\"x_run\" \"y\"");
        let new = new.replace("action.x_run.go", "action.x_run.y");
        let new = new.replace("action . x_run . go", "action . x_run . y");
        let new = new.replacen("\"x_run\": {\n      \"go\"", "\"x_run\": {\n      \"y\"", 1);
        assert_eq!(read(&tree, file), new);
        assert_eq!(read(&tree, "x_override.tf"), overriding.replace("go", "y"));
        let output = run(tree.path(), &["check", "--dialect", "terraform"]);
        assert_eq!(status(&output), 0, "{}", stdout(&output));
        let output = rename("action.x_run.go", "y", "--write");
        assert_eq!(status(&output), 2);
        let output = rename("action.x_run.y", "action.x_run.go", "--write");
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert_eq!(
            (read(&tree, file), read(&tree, "x_override.tf")),
            (text.into(), overriding.into())
        );
        let move_to_file =
            ["move", "action.y_run.go", "action.tf", "--write", "--dialect", "terraform"];
        let output = run(tree.path(), &move_to_file);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert!(read(&tree, "action.tf").starts_with("action \"y_run\" \"go\" {"));
    }
}

/// Blocks about instances were there before, and are there again.
#[test]
fn moved_instances_do_not_hinder_the_way_back() {
    let main = "resource \"terraform_data\" \"a\" {\n  for_each = { k = 1 }\n}\nresource \"terraform_data\" \"b\" {\n  for_each = { l = 1 }\n}\n\
                moved {\n  from = terraform_data.a\n  to   = terraform_data.a[\"k\"]\n}\n\
                moved {\n  from = terraform_data.a[\"l\"]\n  to   = terraform_data.b[\"l\"]\n}\n";
    let tree = tree(&[("main.tf", main)]);
    let rename = |old: &str, new: &str| run(tree.path(), &["rename", old, new, "--write"]);
    let output = rename("terraform_data.a", "c");
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let output = rename("terraform_data.c", "a");
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(read(&tree, "main.tf"), main);
    // Another object would get what the blocks say.
    fs::write(tree.path().join("main.tf"), main.replace("\"a\"", "\"d\"")).unwrap();
    let output = rename("terraform_data.d", "a");
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("says that terraform_data.a has moved to"));
}
