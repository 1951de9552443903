//! Changes by which something is gone: what depended on it is affected.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::tool::{commit, git, json, run, tree};

fn committed(files: &[(&str, &str)]) -> TempDir {
    let directory = tree(files);
    git(directory.path(), &["init", "-q"]);
    commit(directory.path());
    directory
}

/// The root modules that an answer since the last commit has, and those that are removed.
fn since_head(directory: &Path) -> (Vec<String>, Vec<String>) {
    let answer = json(&run(directory, &["affected", "--since", "HEAD", "--format", "json"]));
    let roots = |list: &Value| {
        let all = list.as_array().into_iter().flatten().filter(|it| it["root"] == true);
        all.map(|it| it["path"].as_str().unwrap().to_owned()).collect()
    };
    (roots(&answer["modules"]), roots(&answer["removed"]))
}

const MODULE: &str = "resource \"terraform_data\" \"a\" {}\n";

#[test]
fn parts_of_stacks() {
    let component = |name: &str, source: &str| {
        format!("component \"{name}\" {{\n  source = \"{source}\"\n  inputs = {{}}\n}}\n")
    };
    let outer = format!(
        "{}stack \"inner\" {{\n  source = \"../inner\"\n  inputs = {{}}\n}}\n",
        component("net", "../modules/net")
    );
    let deployments = "deployment \"prod\" {\n  inputs = {}\n}\n";
    for (gone, expected, removed) in [
        ("modules/net", "stack", None),
        ("modules/db", "stack", None),
        ("inner", "stack", None),
        ("inner/more.tfcomponent.hcl", "stack", None),
        ("stack/main.tfdeploy.hcl", "stack", None),
        ("stack", "", Some("stack")),
    ] {
        let directory = committed(&[
            ("stack/main.tfcomponent.hcl", &outer),
            ("stack/main.tfdeploy.hcl", deployments),
            ("inner/main.tfcomponent.hcl", &component("db", "../modules/db")),
            ("inner/more.tfcomponent.hcl", &component("more", "../modules/net")),
            ("modules/net/main.tf", MODULE),
            ("modules/db/main.tf", MODULE),
        ]);
        git(directory.path(), &["rm", "-rq", gone]);
        let roots: Vec<&str> = [expected].into_iter().filter(|it| !it.is_empty()).collect();
        let removed: Vec<&str> = removed.into_iter().collect();
        let found = since_head(directory.path());
        assert_eq!((found.0, found.1), (owned(&roots), owned(&removed)), "{gone}");
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn stacks_of_terramate() {
    let stack = "stack {\n  name = \"a\"\n}\n";
    let directory = committed(&[
        ("stacks/a/stack.tm.hcl", stack),
        ("stacks/a/main.tf", MODULE),
        ("stacks/b/stack.tm.hcl", stack),
        ("stacks/c/stack.tm.hcl", stack),
        ("stacks/c/main.tf", MODULE),
        ("stacks/d/stack.tm.hcl", stack),
    ]);
    git(directory.path(), &["rm", "-rq", "stacks/a", "stacks/b", "stacks/c/stack.tm.hcl"]);
    let expected = owned(&["stacks/a", "stacks/b", "stacks/c"]);
    assert_eq!(since_head(directory.path()), (vec![], expected));
    let answer = json(&run(directory.path(), &["affected", "--since", "HEAD", "--format", "json"]));
    assert_eq!(answer["incomplete"], serde_json::json!([]));
    assert_eq!(answer["unrelated"], Value::Null);
}

/// The folder of what the link leads to has a module, to which the file belongs, too.
#[cfg(unix)]
#[test]
fn targets_of_links() {
    let directory = committed(&[
        ("app/main.tf", "terraform {\n  backend \"s3\" {}\n}\nvariable \"a\" {}\n"),
        (
            "data/main.tf",
            "terraform {\n  backend \"s3\" {}\n}\nlocals {\n  a = file(\"in.txt\")\n}\n",
        ),
        ("common/main.tf", "variable \"a\" {}\n"),
        ("common/common.tfvars", "a = 1\n"),
        ("common/in.txt", "1\n"),
    ]);
    let link = |to: &str, at: &str| {
        std::os::unix::fs::symlink(to, directory.path().join(at)).unwrap();
    };
    link("../common/common.tfvars", "app/terraform.tfvars");
    link("../common/in.txt", "data/in.txt");
    commit(directory.path());
    for (file, expected) in [("common/common.tfvars", "app"), ("common/in.txt", "data")] {
        fs::remove_file(directory.path().join(file)).unwrap();
        assert_eq!(since_head(directory.path()), (owned(&[expected]), vec![]), "{file}");
        let answer =
            json(&run(directory.path(), &["affected", file, "--roots", "--format", "json"]));
        assert_eq!(answer["modules"][0]["path"], expected, "{answer}");
        git(directory.path(), &["checkout", "-q", "."]);
    }
}

const ROOT: &str = "terraform {\n  backend \"local\" {}\n}\n";

/// A root module that reads a file of a module, and one that reads none.
fn callers() -> TempDir {
    committed(&[
        ("m/main.tf", "output \"o\" {\n  value = file(\"${path.module}/f.txt\")\n}\n"),
        ("m/f.txt", ""),
        ("m/README.md", ""),
        ("m/.terraform.lock.hcl", ""),
        ("m/x.tftest.hcl", "run \"a\" {}\n"),
        ("app/main.tf", &format!("{ROOT}module \"m\" {{\n  source = \"../m\"\n}}\n")),
        ("other/main.tf", ROOT),
    ])
}

/// A file that something depended on before is not one that nothing depends on.
#[test]
fn files_of_modules_that_are_gone() {
    let directory = callers();
    let directory = directory.path();
    let unrelated = || {
        let answer = json(&run(directory, &["affected", "--since", "HEAD", "--format", "json"]));
        let unrelated: Vec<Value> = answer["unrelated"].as_array().cloned().unwrap_or_default();
        (unrelated, answer["incomplete"].as_array().cloned().unwrap_or_default())
    };
    fs::remove_dir_all(directory.join("m")).unwrap();
    let expected = (vec![Value::from("m/README.md")], vec![]);
    assert_eq!(unrelated(), expected);
    fs::write(directory.join("app/main.tf"), ROOT).unwrap();
    assert_eq!(unrelated(), expected);
    fs::remove_dir_all(directory.join("other")).unwrap();
    assert_eq!(unrelated(), expected);
    let way = run(directory, &["affected", "--since", "HEAD", "--explain", "app"]);
    let way = String::from_utf8(way.stdout).unwrap();
    assert!(way.contains("m/main.tf") || way.contains("app/main.tf"), "{way}");
}

/// `A..B` compares two commits, of which neither need be checked out.
#[test]
fn commits_that_are_not_checked_out() {
    let directory = callers();
    let directory = directory.path();
    let write = |name: &str, text: &str| {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        commit(directory);
    };
    write("m/f.txt", "changed");
    write("new/main.tf", &format!("{ROOT}module \"m\" {{\n  source = \"../m\"\n}}\n"));
    write("m/f.txt", "again");
    fs::remove_dir_all(directory.join("new")).unwrap();
    write("app/main.tf", ROOT);
    let affected = |range: &str| {
        let answer =
            json(&run(directory, &["affected", "--roots", "--since", range, "--format", "json"]));
        let texts = |list: &str, member: &str| -> Vec<String> {
            let all = answer[list].as_array().into_iter().flatten();
            all.map(|it| it[member].as_str().unwrap_or_default().to_owned()).collect()
        };
        let mut paths = texts("modules", "path");
        paths.sort();
        (paths, texts("removed", "path"), answer["incomplete"].as_array().map_or(0, Vec::len))
    };
    for (range, modules, removed) in [
        ("HEAD~4..HEAD~3", &["app"][..], &[][..]),
        ("HEAD~3..HEAD~2", &["new"], &[]),
        ("HEAD~2..HEAD~1", &["app", "new"], &[]),
        ("HEAD~1..HEAD", &["app"], &["new"]),
        ("HEAD~2..HEAD~3", &[], &["new"]),
    ] {
        assert_eq!(affected(range), (owned(modules), owned(removed), 0), "{range}");
    }
}

/// Git compares one repository, that of the working directory.
#[test]
fn directories_of_other_repositories_are_gaps() {
    let (here, other) = (callers(), callers());
    fs::write(other.path().join("m/f.txt"), "changed").unwrap();
    let path = other.path().to_str().unwrap();
    let arguments = ["affected", "--since", "HEAD", path, "--format", "json"];
    let answer = json(&run(here.path(), &arguments));
    assert_eq!(answer["incomplete"][0]["where"][0], path);
    let outside = tempfile::tempdir().unwrap();
    let output = run(outside.path(), &["affected", "--since", "HEAD", path]);
    assert!(crate::tool::stderr(&output).contains("not a git repository"), "{output:?}");
}
