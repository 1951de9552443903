//! `review` and `diff --values`: what a change does to root modules.

use serde_json::{Value, json as value};

use crate::tool::{feed_bytes, git, json, run, simd_hcl, status, stderr, stdout, tree};

/// The review of two directories, `a` and `b`, with one file each.
fn compared(before: &str, after: &str) -> Value {
    let tree = tree(&[("a/main.tf", before), ("b/main.tf", after)]);
    let output = run(tree.path(), &["diff", "--values", "a", "b", "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let answer = json(&output);
    assert_eq!(answer["roots"][0]["path"], ".");
    answer
}

/// Git lists a tree of a few kilobytes as many files; functions look for some of them.
#[test]
fn lists_of_revisions_have_limits() {
    let main = "output \"o\" {\n  value = fileset(path.module, \"*.txt\")\n}\n";
    let tree = tree(&[("main.tf", main), ("a.txt", "")]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    let make = |entries: String| {
        let mut make = std::process::Command::new("git");
        make.current_dir(path).args(["mktree", "--missing"]);
        stdout(&feed_bytes(make, entries.as_bytes())).trim().to_owned()
    };
    let [text, main] = ["a.txt", "main.tf"].map(|name| git(path, &["hash-object", "-w", name]));
    let mut bomb =
        make((0..10).map(|at| format!("100644 blob {}\t{at}.txt\n", text.trim())).collect());
    for _ in 0..4 {
        bomb = make((0..10).map(|at| format!("040000 tree {bomb}\t{at}d\n")).collect());
    }
    let top = make(format!("100644 blob {}\tmain.tf\n040000 tree {bomb}\ttop\n", main.trim()));
    let commit = git(path, &["commit-tree", "-m", "bomb", &top]);
    let command = ["diff", "--values", commit.trim(), "."];
    let output = run(path, &[&command[..], &["--max-decompressed", "1000000"]].concat());
    let text = stdout(&output) + &stderr(&output);
    assert!(text.contains("--max-decompressed"), "{text}");
    let output = run(path, &command);
    assert!(!(stdout(&output) + &stderr(&output)).contains("--max-decompressed"));
}

/// The changes, without places.
fn changes(before: &str, after: &str) -> Value {
    let mut changes = compared(before, after)["roots"][0]["changes"].take();
    for change in changes.as_array_mut().unwrap() {
        change.as_object_mut().unwrap().remove("range");
    }
    changes
}

/// Action, address and previous address of each change.
fn actions(before: &str, after: &str) -> Vec<String> {
    let text = |change: &Value| {
        let was = change["previous_address"].as_str().map(|it| format!(" was {it}"));
        format!(
            "{} {}{}",
            change["action"].as_str().unwrap(),
            change["address"].as_str().unwrap(),
            was.unwrap_or_default()
        )
    };
    changes(before, after).as_array().unwrap().iter().map(text).collect()
}

fn data(name: &str, arguments: &str) -> String {
    format!("resource \"terraform_data\" \"{name}\" {{\n{arguments}\n}}\n")
}

#[test]
fn leaves_have_both_values() {
    let before =
        data("a", "input = { x = 1, l = [1, 2], k = \"same\" }") + "output \"o\" { value = 1 }";
    let after = data("a", "input = { x = \"1\", l = [1], n = {} }")
        + "output \"o\" {\n  value = \"s\"\n  sensitive = true\n}";
    assert_eq!(
        changes(&before, &after),
        value!([
            {"address": "terraform_data.a", "action": "update", "leaves": [
                {"path": "input.k", "before": "same"},
                {"path": "input.l[1]", "before": 2},
                {"path": "input.n", "after": {}},
                {"path": "input.x", "before": 1, "after": "1"}]},
            {"address": "output.o", "action": "update", "leaves": [
                {"path": "value", "sensitive": true}]},
        ])
    );
    assert_eq!(changes(&before, &before), value!([]));
}

#[test]
fn destructive_changes_come_first() {
    let before = data("gone", "input = 1") + &data("same", "triggers_replace = 1");
    let after = data("new", "input = [true]") + &data("same", "triggers_replace = 2");
    let wanted =
        ["delete terraform_data.gone", "replace terraform_data.same", "create terraform_data.new"];
    assert_eq!(actions(&before, &after), wanted);
}

#[test]
fn moves_are_followed() {
    let moved = |from: &str, to: &str| format!("moved {{\n  from = {from}\n  to = {to}\n}}\n");
    let a = data("a", "input = 1");
    // A chain, and the move that the tools make themselves.
    let chain = moved("terraform_data.a", "terraform_data.b")
        + &moved("terraform_data.b", "terraform_data.c");
    let after = data("c", "input = 1") + &chain;
    assert_eq!(actions(&a, &after), ["move terraform_data.c was terraform_data.a"]);
    let counted = data("a", "count = 1\ninput = 2");
    assert_eq!(actions(&a, &counted), ["update terraform_data.a[0] was terraform_data.a"]);
    assert_eq!(actions(&counted, &a), ["update terraform_data.a was terraform_data.a[0]"]);
    // Without a block, it is a rename that nobody has announced.
    let renamed = compared(&a, &data("b", "input = 1"));
    let wanted = value!([{"from": "terraform_data.a", "to": "terraform_data.b", "likeness": 100}]);
    assert_eq!(renamed["roots"][0]["renames"], wanted);
    assert_eq!(renamed["roots"][0]["summary"]["delete"], 1);
}

#[test]
fn a_called_module_moves_as_a_whole() {
    let call = |name: &str| format!("module \"{name}\" {{\n  source = \"./m\"\n}}\n");
    let moved = "moved {\n  from = module.a\n  to = module.b\n}\n";
    let (before, after) = (call("a"), call("b") + moved);
    let child = data("x", "input = 1");
    let tree = tree(&[
        ("a/main.tf", &before),
        ("a/m/main.tf", &child),
        ("b/main.tf", &after),
        ("b/m/main.tf", &child),
    ]);
    let answer = json(&run(tree.path(), &["diff", "--values", "a", "b", "--format", "json"]));
    let change = &answer["roots"][0]["changes"][0];
    assert_eq!(change["action"], "move");
    assert_eq!(change["address"], "module.b.terraform_data.x");
    assert_eq!(change["previous_address"], "module.a.terraform_data.x");
    assert_eq!(answer["roots"][0]["changes"].as_array().unwrap().len(), 1);
}

/// An instance loses its key, and its module gets one.
#[test]
fn keys_change_before_modules_move() {
    let call = |count: &str| format!("module \"m\" {{\n  source = \"./m\"\n{count}}}\n");
    let moved = "moved {\n  from = module.m\n  to = module.m[0]\n}\n";
    let tree = tree(&[
        ("a/main.tf", &call("")),
        ("a/m/main.tf", &data("x", "count = 1\ninput = 1")),
        ("b/main.tf", &(call("  count = 1\n") + moved)),
        ("b/m/main.tf", &data("x", "input = 1")),
    ]);
    let answer = json(&run(tree.path(), &["diff", "--values", "a", "b", "--format", "json"]));
    let changes = answer["roots"][0]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{answer}");
    assert_eq!(changes[0]["address"], "module.m[0].terraform_data.x");
    assert_eq!(changes[0]["previous_address"], "module.m.terraform_data.x[0]");
}

#[test]
fn changes_pull_replacements() {
    let pulled = "input = 1\nlifecycle {\n  replace_triggered_by = [terraform_data.a.input]\n}";
    let next = "lifecycle {\n  replace_triggered_by = [terraform_data.b]\n}";
    let rest = data("b", pulled) + &data("c", next);
    let before = data("a", "input = 1") + &rest;
    let after = data("a", "input = 2") + &rest;
    let wanted =
        ["replace terraform_data.b", "replace terraform_data.c", "update terraform_data.a"];
    assert_eq!(actions(&before, &after), wanted);
    // Another attribute does not pull it.
    let other = data("a", "input = 1\ntriggers_replace = 1") + &rest;
    let wanted = ["replace terraform_data.a"];
    assert_eq!(actions(&before, &other), wanted);
}

#[test]
fn settings_name_arguments_that_replace() {
    let text =
        |ami: &str| format!("resource \"aws_instance\" \"a\" {{\n  ami = \"{ami}\"\n  x = 1\n}}\n");
    let settings = "[replace]\naws_instance = [\"ami\"]\n";
    let tree = tree(&[
        ("simd-hcl.toml", settings),
        ("a/main.tf", &text("one")),
        ("b/main.tf", &text("two")),
    ]);
    let answer = json(&run(tree.path(), &["diff", "--values", "a", "b", "--format", "json"]));
    assert_eq!(answer["roots"][0]["changes"][0]["action"], "replace");
}

#[test]
fn what_is_not_known_is_said() {
    let before = "resource \"a_b\" \"c\" {\n  for_each = toset([\"x\"])\n}\n";
    let after = "variable \"v\" {}\nresource \"a_b\" \"c\" {\n  for_each = var.v\n}\n";
    assert_eq!(actions(before, after), ["unknown a_b.c"]);
    let remote = "module \"m\" {\n  source = \"corp/x/y\"\n}\n";
    let answer = compared("", remote);
    assert_eq!(answer["roots"][0]["modules"][0]["source"], value!({"after": "corp/x/y"}));
    assert_eq!(answer["incomplete"][0]["where"], value!([".:module.m"]));
    let wrong = "output \"o\" { value = tonumber(\"x\") }";
    assert_eq!(compared("", wrong)["incomplete"][0]["where"], value!(["b/main.tf:1"]));
}

/// Layout, comments and syntax are no change of a backend.
#[test]
fn backends_are_compared_by_meaning() {
    let native = "terraform {\n  backend \"remote\" {\n    organization = \"x\"\n    workspaces {\n      name = \"a\"\n    }\n  }\n}\n";
    let other = "terraform {\n  backend \"remote\" {\n    workspaces { # only one\n      name   = \"a\"\n    }\n    \
                 organization    = \"x\"\n  }\n}\n";
    let json_file = "{\"terraform\": {\"backend\": {\"remote\": {\"organization\": \"x\", \"workspaces\": {\"name\": \"a\"}}}}}";
    let another = other.replace("\"a\"", "\"b\"");
    let cloud =
        |name: &str| format!("terraform {{\n  cloud {{\n    organization = {name}\n  }}\n}}\n");
    for (name, before, after, wanted) in [
        ("main.tf", native, other, value!(null)),
        ("main.tf.json", native, json_file, value!(null)),
        ("main.tf", native, &another, value!(["workspaces"])),
        ("main.tf", &cloud("\"a\""), &cloud("   \"b\""), value!(["organization"])),
        ("main.tf", &cloud("\"a\""), &cloud("   \"a\""), value!(null)),
    ] {
        let tree = tree(&[("a/main.tf", before), (&format!("b/{name}"), after)]);
        let answer = json(&run(tree.path(), &["diff", "--values", "a", "b", "--format", "json"]));
        assert_eq!(answer["roots"][0]["backend"]["arguments"], wanted, "{after}");
    }
}

#[test]
fn setup_is_compared() {
    let text = |version: &str, bucket: &str| {
        format!(
            "terraform {{\n  required_providers {{\n    aws = {{ source = \"hashicorp/aws\", version = \
             \"{version}\" }}\n  }}\n  backend \"s3\" {{\n    bucket = \"{bucket}\"\n    key = \"k\"\n  }}\n}}\n"
        )
    };
    let answer = compared(&text("~> 5", "secret-one"), &text("~> 6", "secret-two"));
    let root = &answer["roots"][0];
    let wanted = value!([{"name": "aws", "version": {"before": "~> 5", "after": "~> 6"}}]);
    assert_eq!(root["providers"], wanted);
    let wanted = value!({"type": {"before": "s3", "after": "s3"}, "arguments": ["bucket"]});
    assert_eq!(root["backend"], wanted);
    assert!(!answer.to_string().contains("secret-"));
}

/// Arguments of provider configurations are compared by value, and none is shown.
#[test]
fn provider_configurations_are_compared() {
    let text = |region: &str, more: &str| {
        format!(
            "variable \"region\" {{
  default = \"{region}\"
}}
provider \"aws\" {{
  region = var.region
  token  = \"same\"
}}
provider \"aws\" {{
  alias = \"west\"
  default_tags {{
    tags = {{ a = \"{region}\" }}
  }}
}}
{more}"
        )
    };
    let gone = "provider \"null\" {\n  alias = \"gone\"\n  a = \"secret-a\"\n}\n";
    let answer = compared(&text("secret-one", gone), &text("secret-two", ""));
    let wanted = value!([
        {"name": "aws", "arguments": ["region"]},
        {"name": "aws.west", "arguments": ["default_tags"]},
        {"name": "null.gone", "arguments": ["a"]},
    ]);
    assert_eq!(answer["roots"][0]["providers"], wanted);
    assert!(!answer.to_string().contains("secret-"));
    let same = compared(&text("one", ""), &text("one", "").replace("var.region", "\"one\""));
    assert_eq!(same["roots"][0]["providers"], value!([]));
}

/// A repository with two root modules that call one module, whose change is not committed.
fn repository() -> tempfile::TempDir {
    let root =
        "terraform {\n  backend \"local\" {}\n}\nmodule \"m\" {\n  source = \"../../m\"\n}\n";
    let module =
        "resource \"terraform_data\" \"a\" {\n  input = file(\"${path.module}/note.txt\")\n}\n";
    let tree = tree(&[
        ("live/a/main.tf", root),
        ("live/b/main.tf", root),
        ("live/c/main.tf", "terraform {\n  backend \"local\" {}\n}\n"),
        ("m/main.tf", module),
        ("m/note.txt", "one"),
    ]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "-q", "-m", "one"]);
    std::fs::write(tree.path().join("m/note.txt"), "two").unwrap();
    tree
}

#[test]
fn affected_roots_are_compared_with_a_revision() {
    let tree = repository();
    let output = run(tree.path(), &["review", "--since", "HEAD", "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let answer = json(&output);
    let roots = answer["roots"].as_array().unwrap();
    let paths: Vec<&str> = roots.iter().map(|root| root["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["live/a", "live/b"]);
    let leaves = &roots[0]["changes"][0]["leaves"];
    assert_eq!(*leaves, value!([{"path": "input", "before": "one", "after": "two"}]));
    assert_eq!(answer["incomplete"], value!([]));
    let only = json(&run(tree.path(), &["review", "live/b", "--format", "json"]));
    assert_eq!(only["roots"].as_array().unwrap().len(), 1);
    // Both versions from git, and a root module that is gone.
    std::fs::remove_dir_all(tree.path().join("live/b")).unwrap();
    git(tree.path(), &["add", "-A"]);
    git(tree.path(), &["commit", "-q", "-m", "two"]);
    let output = run(tree.path(), &["review", "--since", "HEAD~1..HEAD", "--format", "json"]);
    let answer = json(&output);
    assert_eq!(answer["roots"][0]["changes"][0]["action"], "update");
    assert_eq!(answer["roots"][1]["changes"][0]["action"], "delete");
}

/// The working directory decides how things are named, not what is reviewed.
#[test]
fn a_subdirectory_reviews_the_whole_repository() {
    let tree = repository();
    std::fs::create_dir(tree.path().join("docs")).unwrap();
    for (directory, names, file) in [
        ("live/a", [".", "../../live/b"], "../../m/main.tf"),
        ("live", ["a", "b"], "../m/main.tf"),
        ("m", ["../live/a", "../live/b"], "main.tf"),
        ("docs", ["../live/a", "../live/b"], "../m/main.tf"),
    ] {
        let output = run(&tree.path().join(directory), &["review", "--format", "json"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let answer = json(&output);
        assert_eq!(answer["incomplete"], value!([]), "{directory}");
        let roots = answer["roots"].as_array().unwrap();
        let found: Vec<&str> = roots.iter().map(|root| root["path"].as_str().unwrap()).collect();
        assert_eq!(found, names, "{directory}");
        for root in roots {
            let changes = root["changes"].as_array().unwrap();
            assert_eq!(changes.len(), 1, "{directory}: {root}");
            assert_eq!(changes[0]["action"], "update", "{directory}");
            assert_eq!(changes[0]["range"]["filename"], file, "{directory}");
        }
    }
    // Only what is named.
    let only = run(&tree.path().join("live/a"), &["review", "../b", "--format", "json"]);
    assert_eq!(json(&only)["roots"][0]["path"], "../../live/b");
}

#[test]
fn git_is_asked_once_for_each_fact() {
    let tree = repository();
    for (revision, most) in [("HEAD", 3), ("HEAD..HEAD", 3)] {
        let trace = tree.path().join(".git/trace");
        let mut command = simd_hcl(&["review", "--since", revision]);
        let output = command.current_dir(tree.path()).env("GIT_TRACE", &trace).output().unwrap();
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let trace = std::fs::read_to_string(&trace).unwrap();
        let asked = trace.lines().filter(|line| line.contains("built-in: git rev-parse"));
        assert!((1..=most).contains(&asked.count()), "{trace}");
        std::fs::remove_file(tree.path().join(".git/trace")).unwrap();
    }
}

/// Keys of instances may look like parts of addresses.
#[test]
fn data_sources_are_read() {
    let call = |value: u8| {
        format!(
            "module \"m\" {{\n  source = \"./m\"\n  for_each = toset([\"a.data.b\"])\n  v = {value}\n}}\n\
             data \"a_b\" \"c\" {{\n  v = {value}\n}}\n"
        )
    };
    let child = "variable \"v\" {}\nresource \"terraform_data\" \"x\" {\n  input = var.v\n}\n";
    let tree = tree(&[
        ("a/main.tf", &call(1)),
        ("a/m/main.tf", child),
        ("b/main.tf", &call(2)),
        ("b/m/main.tf", child),
    ]);
    let shown = stdout(&run(tree.path(), &["diff", "--values", "a", "b"]));
    assert!(shown.contains("~ data.a_b.c read with other arguments"), "{shown}");
    assert!(shown.contains("[\"a.data.b\"].terraform_data.x update"), "{shown}");
}

/// A repository with one root module, whose resource has the value of the variable `v`.
fn with_variable(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = "terraform {\n  backend \"local\" {}\n}\nvariable \"v\" {\n  default = 0\n}\n\
                resource \"terraform_data\" \"a\" {\n  input = var.v\n}\n";
    let tree = tree(&[&[("live/main.tf", root)][..], files].concat());
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "-q", "-m", "one"]);
    tree
}

/// A file of variables is read in the same way, wherever it is.
#[test]
fn files_of_variables_of_both_versions_are_read_alike() {
    for (name, text) in [
        ("vars.conf", "{\"v\": VALUE}"),
        ("vars.tfvars", "v = VALUE"),
        ("vars.tfvars.json", "{\"v\": VALUE}"),
        ("vars", "v = VALUE"),
    ] {
        let tree = with_variable(&[(name, &text.replace("VALUE", "1"))]);
        std::fs::write(tree.path().join(name), text.replace("VALUE", "2")).unwrap();
        std::fs::write(tree.path().join("live/new.tf"), "output \"o\" { value = 1 }").unwrap();
        let output = run(tree.path(), &["review", "--var-file", name, "--format", "json"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let answer = json(&output);
        let leaves = &answer["roots"][0]["changes"][0]["leaves"];
        assert_eq!(*leaves, value!([{"path": "input", "before": 1, "after": 2}]), "{name}");
        assert_eq!(answer["roots"][0]["inputs"]["var_files"], value!([name]));
    }
}

/// A file that is gone has its place among the files of variables: the next one still takes precedence.
#[test]
fn files_of_variables_that_are_gone_keep_their_place() {
    let settings = "[[root]]\npath = \"live\"\nvar-files = [\"one.tfvars\", \"two.tfvars\"]\n";
    let tree = with_variable(&[
        ("simd-hcl.toml", settings),
        ("live/one.tfvars", "v = 1"),
        ("live/two.tfvars", "v = 2"),
    ]);
    std::fs::remove_file(tree.path().join("live/one.tfvars")).unwrap();
    let answer = json(&run(tree.path(), &["review", "--format", "json"]));
    assert_eq!(answer["roots"][0]["path"], "live");
    assert_eq!(answer["roots"][0]["changes"], value!([]));
    std::fs::write(tree.path().join("live/one.tfvars"), "v = 1").unwrap();
    std::fs::remove_file(tree.path().join("live/two.tfvars")).unwrap();
    let answer = json(&run(tree.path(), &["review", "--format", "json"]));
    let leaves = &answer["roots"][0]["changes"][0]["leaves"];
    assert_eq!(*leaves, value!([{"path": "input", "before": 2, "after": 1}]));
}

/// A module that the settings name is a root module, whatever it has.
#[test]
fn root_modules_of_the_settings_are_compared() {
    let tree = tree(&[
        ("simd-hcl.toml", "[[root]]\npath = \"live/*\"\n"),
        ("live/one/main.tf", &data("a", "input = 1")),
        ("library/main.tf", &data("a", "input = 1")),
    ]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "-A"]);
    git(path, &["commit", "-qm", "one"]);
    for directory in ["live/one", "library"] {
        std::fs::write(path.join(directory).join("main.tf"), data("a", "input = 2")).unwrap();
    }
    let answer = json(&run(path, &["review", "--since", "HEAD", "--format", "json"]));
    let roots = answer["roots"].as_array().unwrap();
    assert_eq!(roots.len(), 1, "{answer}");
    assert_eq!(roots[0]["path"], "live/one");
}

#[test]
fn elements_are_aligned_for_people() {
    let text = |list: &str| data("a", &format!("input = {list}"));
    let tree = tree(&[
        ("a/main.tf", &text("[\"b\", \"c\", \"d\"]")),
        ("b/main.tf", &text("[\"a\", \"b\", \"c\", \"d\"]")),
    ]);
    for arguments in [&["diff", "a", "b"][..], &["diff", "--values", "a", "b"]] {
        let shown = stdout(&run(tree.path(), arguments));
        assert!(shown.contains("input[0]: inserted \"a\"\n"), "{shown}");
        assert_eq!(shown.matches("input[").count(), 1, "{shown}");
    }
}

#[test]
fn markdown_is_cut_at_its_limit() {
    let tree = repository();
    let many = "terraform {\n  backend \"local\" {}\n}\nresource \"terraform_data\" \"many\" {\n  for_each = toset([for p in \
                setproduct(range(1000), range(3)) : \"é${p[0]}-${p[1]}\"])\n  input = \"``` ${each.key}\"\n}\n";
    std::fs::write(tree.path().join("live/a/main.tf"), many).unwrap();
    let print = |arguments: &[&str]| {
        let output =
            run(tree.path(), &[&["review", "--format", "markdown"][..], arguments].concat());
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let whole = print(&[]);
    assert!(whole.encode_utf16().count() <= 65_535);
    assert!(whole.len() > 50_000, "it is filled: {}", whole.len());
    assert_eq!(whole.matches("<details>").count(), 2);
    assert_eq!(whole.matches("</details>").count(), 2);
    // The deletion comes first, and what is left out is counted.
    let shown = whole.matches("terraform_data.many[").count();
    let deletion = whole.find("- module.m.terraform_data.a delete").unwrap();
    assert!(deletion < whole.find("terraform_data.many[").unwrap());
    let counted = format!("… and {} more", crate_count(3000 - shown));
    assert!(whole.contains(&counted), "{counted}");
    assert_eq!(whole, print(&["--threads", "1"]));
    for limit in ["0", "100", "300", "1000", "5000"] {
        let cut = print(&["--max-length", limit]);
        assert!(cut.encode_utf16().count() <= limit.parse::<usize>().unwrap().max(400), "{cut}");
    }
    let page = stdout(&run(tree.path(), &["review", "--format", "html"]));
    assert!(page.contains("<details class=\"root\"") && !page.contains("<script"));
    assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
    let notes = stdout(&run(tree.path(), &["review", "live/b", "--format", "github"]));
    assert!(notes.starts_with("::notice file=m/main.tf,line=1"), "{notes}");
}

/// A number of changes in words.
fn crate_count(number: usize) -> String {
    if number == 1 { "1 change".to_owned() } else { format!("{number} changes") }
}

/// The known sides of the leaves of a change, by path, and which are sensitive. Leaves without a known
/// side may be left out.
fn leaves(change: &Value) -> std::collections::BTreeMap<String, [Option<Value>; 3]> {
    let leaves = change["leaves"].as_array().unwrap().iter();
    let known = leaves.filter(|leaf| {
        ["before", "after", "sensitive"].iter().any(|side| leaf.get(*side).is_some())
    });
    let side = |leaf: &Value, known: &str, unknown: &str| {
        let is_unknown = leaf.get(unknown).is_some();
        leaf.get(known).cloned().or(is_unknown.then(|| value!({"unknown": true})))
    };
    known
        .map(|leaf| {
            let sides = [
                side(leaf, "before", "before_unknown"),
                side(leaf, "after", "unknown"),
                leaf.get("sensitive").cloned(),
            ];
            (leaf["path"].as_str().unwrap().to_owned(), sides)
        })
        .collect()
}

#[test]
fn pairs_differ_as_the_plans_of_opentofu_do() {
    let pairs = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/review/pairs.jsonl");
    let mut seen = 0;
    for line in std::fs::read_to_string(pairs).unwrap().lines() {
        let pair: Value = serde_json::from_str(line).unwrap();
        let mut files: Vec<(String, &str)> = Vec::new();
        for side in ["before", "after"] {
            for (name, text) in pair[side].as_object().unwrap() {
                files.push((format!("{side}/{name}"), text.as_str().unwrap()));
            }
        }
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        let tree = tree(&files);
        let arguments = ["diff", "--values", "before", "after", "--format", "json"];
        let answer = json(&run(tree.path(), &arguments));
        let id = &pair["id"];
        assert_eq!(answer["incomplete"], value!([]), "{id}");
        let key = |change: &Value| {
            let text = |name: &str| change[name].as_str().unwrap_or_default().to_owned();
            (text("address"), text("action"), text("previous_address"), leaves(change))
        };
        let changes = |changes: &Value| {
            let mut keys: Vec<_> = changes.as_array().unwrap().iter().map(key).collect();
            keys.sort_by(|one, other| one.0.cmp(&other.0));
            keys
        };
        assert_eq!(changes(&answer["roots"][0]["changes"]), changes(&pair["changes"]), "{id}");
        seen += 1;
    }
    assert!(seen >= 12);
}

/// The gaps of an answer: each kind and place, with its reason.
fn gaps(answer: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let gaps = answer["incomplete"].as_array().unwrap().iter();
    let of_gap = |gap: &Value| {
        let places = gap["where"].as_array().unwrap().clone();
        let (what, why) = (text(&gap["what"]), text(&gap["why"]));
        places.into_iter().map(move |place| (what.clone(), text(&place), why.clone()))
    };
    gaps.flat_map(of_gap).collect()
}

/// The commit of a submodule is in another repository.
#[test]
fn files_of_submodules_are_unknown() {
    let functions = "resource \"terraform_data\" \"a\" {\n  input = {\n    exists = fileexists(\"../sub/x.txt\")\n    \
                     text = file(\"../sub/x.txt\")\n    all = fileset(\"..\", \"**/*.txt\")\n    \
                     directories = fileset(\"..\", \"*.txt\")\n  }\n}\n";
    let root = format!("terraform {{\n  backend \"local\" {{}}\n}}\n{functions}");
    let tree = tree(&[("live/main.tf", &root), ("a.txt", "a")]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    let submodule = "160000,0123456789012345678901234567890123456789,sub";
    git(path, &["update-index", "--add", "--cacheinfo", submodule]);
    git(path, &["commit", "-qm", "one"]);
    std::fs::create_dir(path.join("sub")).unwrap();
    std::fs::write(path.join("sub/x.txt"), "x").unwrap();
    std::fs::write(path.join("live/more.tf"), "locals {}\n").unwrap();
    let answer = json(&run(path, &["review", "--format", "json"]));
    let leaves = &answer["roots"][0]["changes"][0]["leaves"];
    let wanted = value!([
        {"path": "input.all", "before_unknown": true},
        {"path": "input.all[0]", "after": "a.txt"},
        {"path": "input.all[1]", "after": "sub/x.txt"},
        {"path": "input.exists", "before_unknown": true, "after": true},
        {"path": "input.text", "before_unknown": true, "after": "x"},
    ]);
    assert_eq!(*leaves, wanted);
    let gaps = gaps(&answer);
    let places: Vec<&str> = gaps.iter().map(|(_, place, _)| &**place).collect();
    assert!(places.contains(&"HEAD:sub/x.txt"), "{gaps:?}");
    assert!(gaps.iter().all(|(_, _, why)| !why.contains("has an error")), "{gaps:?}");
}

/// A module that nothing calls and that is no root module is not compared, which is no answer.
#[test]
fn modules_that_are_not_compared_are_named() {
    let tree = tree(&[("m/main.tf", &data("a", "input = 1")), ("docs/a.md", "")]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
    std::fs::write(path.join("docs/a.md"), "a").unwrap();
    let output = run(path, &["review"]);
    assert_eq!(stdout(&output), "no root module is compared\n");
    assert_eq!(stderr(&output), "");
    std::fs::write(path.join("m/main.tf"), data("a", "input = 2")).unwrap();
    for format in ["json", "ndjson", "human", "markdown", "html", "github"] {
        let output = run(path, &["review", "--format", format, "--fail-if-incomplete"]);
        assert_eq!(status(&output), 1, "{format}");
        let text = stdout(&output) + &stderr(&output);
        assert!(text.contains("no module calls it"), "{format}: {text}");
        assert!(!text.to_lowercase().contains("no changes"), "{format}: {text}");
    }
    let answer = json(&run(path, &["review", "--format", "json"]));
    assert_eq!(gaps(&answer)[0].1, "m");
    // A module that was not asked for is no gap.
    let answer = json(&run(path, &["review", "docs", "--format", "json"]));
    assert_eq!(answer["incomplete"], value!([]));
    let output = run(path, &["review", "typo"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("typo: no such file or directory"), "{}", stderr(&output));
}

/// A file of variables that no root module is known to read.
#[test]
fn changed_files_of_variables_are_named() {
    let tree = with_variable(&[("vars/a.tfvars", "v = 1")]);
    std::fs::write(tree.path().join("vars/a.tfvars"), "v = 2").unwrap();
    let answer = json(&run(&tree.path().join("live"), &["review", "--format", "json"]));
    assert_eq!(gaps(&answer)[0].1, "../vars/a.tfvars");
    let given = ["review", "--var-file", "vars/a.tfvars", "--format", "json"];
    let answer = json(&run(tree.path(), &given));
    assert_eq!(answer["incomplete"], value!([]));
    assert_eq!(answer["roots"][0]["changes"][0]["action"], "update");
}

/// A unit whose folder has no configuration but what it generates, and a unit whose module is elsewhere.
#[test]
fn units_may_generate_their_modules() {
    let unit = |value: u8| {
        format!(
            "generate \"main\" {{\n  path = \"main.tf\"\n  if_exists = \"overwrite\"\n  contents = <<EOT\n\
             resource \"terraform_data\" \"a\" {{\n  input = {value}\n}}\nEOT\n}}\n"
        )
    };
    let elsewhere = "terraform {\n  source = \"git::https://example.com/m.git\"\n}\n";
    let tree = tree(&[("live/a/terragrunt.hcl", &unit(1)), ("live/b/terragrunt.hcl", elsewhere)]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
    std::fs::write(path.join("live/a/terragrunt.hcl"), unit(2)).unwrap();
    std::fs::write(path.join("live/b/terragrunt.hcl"), format!("{elsewhere}inputs = {{}}\n"))
        .unwrap();
    let answer = json(&run(path, &["review", "--format", "json"]));
    let roots = answer["roots"].as_array().unwrap();
    assert_eq!(roots.len(), 1, "{answer}");
    assert_eq!(roots[0]["path"], "live/a");
    let leaves = value!([{"path": "input", "before": 1, "after": 2}]);
    assert_eq!(roots[0]["changes"][0]["leaves"], leaves);
    assert_eq!(gaps(&answer)[0].1, "live/b");
}

/// Units name files by absolute paths.
#[test]
fn files_of_units_are_named_from_here() {
    let unit = "terraform {\n  source = \"../../m\"\n  extra_arguments \"v\" {\n    commands = [\"plan\"]\n    \
                required_var_files = [\"${get_terragrunt_dir()}/../../vars/a.tfvars\"]\n  }\n}\n";
    let module = "variable \"v\" {}\n".to_owned() + &data("a", "input = var.v");
    let tree = tree(&[
        ("live/a/terragrunt.hcl", unit),
        ("m/main.tf", &module),
        ("vars/a.tfvars", "v = 1"),
    ]);
    let path = tree.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
    std::fs::write(path.join("vars/a.tfvars"), "v = 2").unwrap();
    for (directory, file) in
        [(".", "vars/a.tfvars"), ("live/a", "../../vars/a.tfvars"), ("vars", "a.tfvars")]
    {
        for format in ["json", "ndjson", "human", "markdown", "html", "github"] {
            let output = run(&path.join(directory), &["review", "--format", format]);
            let text = stdout(&output) + &stderr(&output);
            let top = path.canonicalize().unwrap();
            assert!(!text.contains(top.to_str().unwrap()), "{format}: {text}");
        }
        let answer = json(&run(&path.join(directory), &["review", "--format", "json"]));
        assert_eq!(answer["roots"][0]["inputs"]["var_files"], value!([file]), "{answer}");
        assert_eq!(answer["roots"][0]["changes"][0]["action"], "update");
        assert_eq!(answer["incomplete"], value!([]), "{directory}");
    }
}

/// Links that lead in circles end where the tools end, on disk and in a revision.
#[cfg(unix)]
#[test]
fn links_in_circles_end() {
    let root = "terraform {\n  backend \"local\" {}\n}\noutput \"n\" {\n  value = length(fileset(path.module, \
                \"d/**/*.txt\"))\n}\n";
    let tree = tree(&[("main.tf", root), ("d/x.txt", "")]);
    let path = tree.path();
    std::os::unix::fs::symlink(".", path.join("d/l")).unwrap();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
    std::fs::write(path.join("d/y.txt"), "").unwrap();
    let answer = json(&run(path, &["review", "--format", "json"]));
    let leaves = value!([{"path": "value", "before": 41, "after": 82}]);
    assert_eq!(answer["roots"][0]["changes"][0]["leaves"], leaves);
    assert_eq!(answer["incomplete"], value!([]));
}

/// The known parts of a text are compared.
#[test]
fn known_parts_of_unknown_texts_are_compared() {
    let text = |start: &str, end: &str, rest: &str| {
        data("u", "")
            + "variable \"secret\" {\n  default = \"hunter2\"\n  sensitive = true\n}\n"
            + &data("a", &format!("input = [\"{start}-${{terraform_data.u.id}}-{end}\"]"))
            + &data("same", "input = \"x-${terraform_data.u.id}\"")
            + &data(
                "hidden",
                &format!("input = \"${{var.secret}}-{start}-${{terraform_data.u.id}}\""),
            )
            + rest
    };
    let both =
        "output \"o\" {\n  value = \"${terraform_data.u.id}${terraform_data.u.output}-x\"\n}\n";
    let before = text("one", "x", both) + &data("b", "input = \"one\"");
    let after = text("two", "x", both) + &data("b", "input = \"two-${terraform_data.u.id}\"");
    let leaf = |parts: Value, before: Value| {
        let mut leaf = before;
        leaf["path"] = value!("input");
        leaf["unknown"] = value!(true);
        leaf["parts"] = parts;
        leaf
    };
    let mut of_list = leaf(
        value!(["two-", "-x"]),
        value!({"before_unknown": true, "before_parts": ["one-", "-x"]}),
    );
    of_list["path"] = value!("input[0]");
    assert_eq!(
        changes(&before, &after),
        value!([
            {"address": "terraform_data.a", "action": "update", "leaves": [of_list]},
            {"address": "terraform_data.b", "action": "update",
             "leaves": [leaf(value!(["two-", ""]), value!({"before": "one"}))]},
            {"address": "terraform_data.hidden", "action": "update",
             "leaves": [{"path": "input", "sensitive": true}]},
        ])
    );
    assert!(!compared(&before, &after).to_string().contains("hunter2"));
    // Another value may be the same text.
    let moved = before.replace(
        "\"one-${terraform_data.u.id}-x\"",
        "\"one-${terraform_data.u.output}${terraform_data.u.id}${\"-\"}x\"",
    );
    assert_ne!(moved, before);
    assert_eq!(changes(&before, &moved), value!([]));
    let whole = before.replace("\"one-${terraform_data.u.id}-x\"", "terraform_data.u.id");
    assert_eq!(changes(&before, &whole), value!([]));
    let tree = tree(&[("a/main.tf", &before), ("b/main.tf", &after)]);
    let shown = stdout(&run(tree.path(), &["diff", "--values", "a", "b"]));
    let line = "input[0]: \"one-\" + (known after apply) + \"-x\" -> \"two-\" + (known after apply) + \"-x\"\n";
    assert!(shown.contains(line), "{shown}");
}

/// Functions keep what is known of their arguments.
#[test]
fn functions_keep_known_parts() {
    let after = |a: &str, b: &str| {
        let text = |part: &str| {
            format!(
                "resource \"null_resource\" \"x\" {{}}
locals {{
  id   = null_resource.x.id
  text = \"{part}-${{local.id}}\"
}}
output \"format\" {{
  value = format(\"%s-{part}-%03d\", local.id, local.id)
}}
output \"join\" {{
  value = join(\"/\", [\"{part}\", local.id], [\"c\"])
}}
output \"json\" {{
  value = jsonencode({{ b = [\"{part}\", local.id], a = local.text, c = local.id == \"x\" }})
}}
output \"list\" {{
  value = formatlist(\"%s=%s\", [\"{part}\"], local.text)
}}
output \"lower\" {{
  value = lower(\"A-${{upper(local.text)}}\")
}}
output \"starts\" {{
  value = [startswith(local.text, \"a\"), startswith(local.text, \"a-\"), local.text == \"a\"]
}}
"
            )
        };
        changes(&text(a), &text(b))
    };
    let parts = |before: &[&str], after: &[&str]| -> Value {
        value!({"before_unknown": true, "unknown": true, "before_parts": before, "parts": after})
    };
    let found = after("a", "b");
    let leaf = |at: usize| {
        let mut leaf = found[at]["leaves"][0].clone();
        leaf.as_object_mut().unwrap().remove("path");
        leaf
    };
    assert_eq!(found.as_array().unwrap().len(), 6, "{found}");
    assert_eq!(leaf(0), parts(&["", "-a-", ""], &["", "-b-", ""]));
    assert_eq!(leaf(1), parts(&["a/", "/c"], &["b/", "/c"]));
    let json = |part: &str| {
        [
            format!("{{\"a\":\"{part}-"),
            format!("\",\"b\":[\"{part}\","),
            "],\"c\":".into(),
            "}".into(),
        ]
    };
    let [before, after] = [json("a"), json("b")];
    let [before, after] = [&before, &after].map(|it| it.each_ref().map(String::as_str));
    assert_eq!(leaf(2), parts(&before, &after));
    assert_eq!(leaf(3), parts(&["a=a-", ""], &["b=b-", ""]));
    assert_eq!(leaf(4), parts(&["a-a-", ""], &["a-b-", ""]));
    assert_eq!(
        found[5]["leaves"],
        value!([
            {"path": "value[0]", "before": true, "after": false},
            {"path": "value[1]", "before": true, "after": false},
        ])
    );
}

/// A plan does not make the changes that are ignored, unless it replaces the object.
#[test]
fn ignored_changes_are_left_out() {
    let lifecycle = |list: &str| format!("\nlifecycle {{\n  ignore_changes = {list}\n}}");
    let text = |value: u8, trigger: u8| {
        let input = format!("input = {{ a = {value}, b = {value} }}");
        data("whole", &(input.clone() + &lifecycle("[input]")))
            + &data("part", &(input.clone() + &lifecycle("[input.a]")))
            + &data("all", &(input.clone() + &lifecycle("all")))
            + &data(
                "replaced",
                &format!("{input}\ntriggers_replace = {trigger}{}", lifecycle("[input]")),
            )
            + &data(
                "pulled",
                &format!(
                    "{input}\nlifecycle {{\n  ignore_changes = all\n  replace_triggered_by = [terraform_data.part]\n}}"
                ),
            )
    };
    let a = || value!({"path": "input.a", "before": 1, "after": 2});
    let b = || value!({"path": "input.b", "before": 1, "after": 2});
    let trigger = value!({"path": "triggers_replace", "before": 1, "after": 2});
    assert_eq!(
        changes(&text(1, 1), &text(2, 2)),
        value!([
            {"address": "terraform_data.pulled", "action": "replace", "leaves": [a(), b()]},
            {"address": "terraform_data.replaced", "action": "replace", "leaves": [a(), b(), trigger]},
            {"address": "terraform_data.part", "action": "update", "leaves": [b()]},
        ])
    );
    // The object is new: nothing is ignored.
    let new = changes("", &data("whole", &("input = 1".to_owned() + &lifecycle("all"))));
    assert!(new[0]["leaves"].as_array().unwrap().contains(&value!({"path": "input", "after": 1})));
}

#[test]
fn flags_of_differences_name_variables() {
    let text = "variable \"v\" {\n  default = 1\n}\noutput \"o\" {\n  value = var.v\n}\n";
    let tree = tree(&[("a/main.tf", text), ("b/main.tf", &text.replace("var.v", "var.v + 1"))]);
    let of = |flag: &str| run(tree.path(), &["diff", "--values", "a", "b", "--var", flag]);
    assert!(stdout(&of("v=7")).contains("-> 8"));
    let output = of("w=7");
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("no root module declares a variable \"w\""));
}

/// An expression that refers to an ignored argument sees the value that the object keeps.
#[test]
fn what_refers_to_ignored_arguments_keeps_its_value() {
    let text = |value: u8, trigger: u8| {
        format!(
            "resource \"aws_instance\" \"a\" {{
  ami   = \"ami-{value}\"
  ports = [{value}]
  tags  = {{ a = {value}, b = {value} }}
  ebs {{
    size = {value}
  }}
  lifecycle {{
    ignore_changes = [ami, ports, tags[\"a\"], ebs]
  }}
}}
resource \"terraform_data\" \"count\" {{
  count            = {value} + 1
  input            = 1
  triggers_replace = {trigger}
  lifecycle {{
    ignore_changes = [input]
  }}
}}
resource \"terraform_data\" \"pulled\" {{
  input = {value}
  lifecycle {{
    ignore_changes       = all
    replace_triggered_by = [terraform_data.count[0]]
  }}
}}
resource \"terraform_data\" \"next\" {{
  input            = 1
  triggers_replace = terraform_data.pulled.input
  lifecycle {{
    ignore_changes = [input]
  }}
}}
module \"m\" {{
  source = \"./m\"
  ami    = aws_instance.a.ami
}}
output \"ami\" {{
  value = \"${{aws_instance.a.ami}}-${{module.m.ami}}-${{aws_instance.a.ports[0]}}\"
}}
output \"pulled\" {{
  value = terraform_data.pulled.input
}}
output \"b\" {{
  value = aws_instance.a.tags[\"b\"]
}}
"
        )
    };
    let module = "variable \"ami\" {}\noutput \"ami\" {\n  value = var.ami\n}\n";
    let compared = |before: &str, after: &str| -> Vec<String> {
        let tree = tree(&[
            ("a/main.tf", before),
            ("b/main.tf", after),
            ("a/m/main.tf", module),
            ("b/m/main.tf", module),
        ]);
        let output = run(tree.path(), &["diff", "--values", "a", "b", "--format", "json"]);
        let answer = json(&output);
        assert!(answer["incomplete"].as_array().unwrap().is_empty(), "{answer}");
        let changes = answer["roots"][0]["changes"].as_array().unwrap().iter();
        changes.map(|it| format!("{} {}", it["action"], it["address"]).replace('"', "")).collect()
    };
    assert_eq!(
        compared(&text(1, 1), &text(2, 1)),
        ["update aws_instance.a", "update output.b", "create terraform_data.count[2]",]
    );
    // Replaced objects have the new values.
    assert_eq!(
        compared(&text(1, 1), &text(2, 2)),
        [
            "replace terraform_data.count[0]",
            "replace terraform_data.count[1]",
            "replace terraform_data.next",
            "replace terraform_data.pulled",
            "update aws_instance.a",
            "update output.b",
            "update output.pulled",
            "create terraform_data.count[2]",
        ]
    );
}
