//! The states of root modules, and the data sources that read them.

use std::path::Path;

use crate::tool::{json, run, tree};

/// The affected root modules, and what the answer is incomplete about.
fn affected(directory: &Path, file: &str) -> (Vec<String>, Vec<String>) {
    let answer = json(&run(directory, &["affected", "--format", "json", "--roots", file]));
    let modules = answer["modules"].as_array().unwrap().iter();
    let paths = modules.map(|it| it["path"].as_str().unwrap().to_owned());
    let gaps = answer["incomplete"].as_array().unwrap().iter();
    let gaps = gaps.flat_map(|it| it["where"].as_array().unwrap());
    (paths.collect(), gaps.map(|it| it.as_str().unwrap().to_owned()).collect())
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|it| (*it).to_owned()).collect()
}

/// A root module whose state has a key in a bucket.
fn root(key: &str) -> String {
    format!("terraform {{\n  backend \"s3\" {{\n    bucket = \"b\"\n    key    = {key}\n  }}\n}}\n")
}

const LOCAL: &str = "terraform {\n  backend \"local\" {}\n}\n";

/// A data source that reads a state with a key in a bucket.
fn reader(key: &str) -> String {
    format!(
        "data \"terraform_remote_state\" \"it\" {{\n  backend = \"s3\"\n  config = {{\n    bucket = \"b\"\n    \
         key    = {key}\n  }}\n}}\n"
    )
}

const READER: &str = "app:data.terraform_remote_state.it";

/// Arguments that are computed are evaluated in each root module.
#[test]
fn computed_arguments() {
    let each = "data \"terraform_remote_state\" \"it\" {\n  for_each = toset([\"a\", \"z\"])\n  backend  = \
                \"s3\"\n  config = {\n    bucket = \"b\"\n    key    = \"net/${each.key}\"\n  }\n}\n";
    let merged = "locals {\n  all = { bucket = \"b\" }\n}\ndata \"terraform_remote_state\" \"it\" {\n  backend = \
                  \"s3\"\n  config  = merge(local.all, { key = \"net/a\" })\n}\n";
    let backend = format!("variable \"t\" {{\n  default = \"s3\"\n}}\n{}", reader("\"net/a\""))
        .replace("backend = \"s3\"", "backend = var.t");
    let variable =
        |more: &str| format!("variable \"k\" {{{more}}}\n{}", reader("\"net/${var.k}\""));
    let file = reader("yamldecode(file(\"keys.yaml\")).net");
    let locals = format!("locals {{\n  k = \"net/a\"\n}}\n{}", reader("local.k"));
    let app: &[&str] = &["app"];
    for (text, other, net, more, gaps) in [
        (reader("format(\"net/%s\", \"a\")"), ("", ""), app, &[][..], &[][..]),
        (reader("format(\"net/%s\", \"z\")"), ("", ""), &[], &[], &[]),
        (locals, ("", ""), app, &[], &[]),
        (variable("\n  default = \"a\"\n"), ("", ""), app, &[], &[]),
        (variable(""), ("app/terraform.tfvars", "k = \"a\"\n"), app, &[], &[]),
        (variable(""), ("app/a.tfvars", "k = \"a\"\n"), app, &[], &[READER]),
        (variable(""), ("", ""), &[], &[], &[READER]),
        (file, ("app/keys.yaml", "net: net/a\n"), app, &[], &[]),
        (each.to_owned(), ("", ""), app, &[], &[]),
        (merged.to_owned(), ("", ""), app, &[], &[]),
        (backend, ("", ""), app, &[], &[]),
        (reader("\"net/${terraform.workspace}\""), ("", ""), &[], &[], &[READER]),
    ] {
        let text = format!("{LOCAL}{text}");
        let mut files = vec![
            ("net/main.tf", root("\"net/a\"")),
            ("more/main.tf", root("\"net/b\"")),
            ("app/main.tf", text.clone()),
        ];
        if !other.0.is_empty() {
            files.push((other.0, other.1.to_owned()));
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
        let directory = tree(&files);
        let directory = directory.path();
        // A module that reads the state for certain is no gap.
        let left = if net.is_empty() { gaps } else { &[] };
        let (roots, incomplete) = affected(directory, "net/main.tf");
        assert_eq!((roots, incomplete), (owned(&[net, &["net"]].concat()), owned(left)), "{text}");
        let (roots, incomplete) = affected(directory, "more/main.tf");
        assert_eq!(
            (roots, incomplete),
            (owned(&[more, &["more"]].concat()), owned(gaps)),
            "{text}"
        );
    }
}

/// A module reads another state in each root module that calls it.
#[test]
fn computed_arguments_in_called_modules() {
    let call =
        |key: &str| format!("{LOCAL}module \"m\" {{\n  source = \"../m\"\n  key    = {key}\n}}\n");
    let directory = tree(&[
        ("net/main.tf", &root("\"net/a\"")),
        ("more/main.tf", &root("\"net/b\"")),
        ("m/main.tf", &format!("variable \"key\" {{}}\n{}", reader("var.key"))),
        ("a/main.tf", &call("\"net/a\"")),
        ("b/main.tf", &call("\"net/b\"")),
        ("z/main.tf", &call("\"net/z\"")),
        ("open/main.tf", &format!("variable \"k\" {{}}\n{}", call("\"net/${var.k}\""))),
    ]);
    let directory = directory.path();
    let gap = owned(&["m:data.terraform_remote_state.it"]);
    assert_eq!(affected(directory, "net/main.tf"), (owned(&["a", "net"]), gap.clone()));
    assert_eq!(affected(directory, "more/main.tf"), (owned(&["b", "more"]), gap));
    assert_eq!(affected(directory, "z/main.tf"), (owned(&["z"]), vec![]));
    let arguments = ["affected", "--explain", "a", "net/main.tf"];
    let way = crate::tool::stdout(&run(directory, &arguments));
    let lines: Vec<&str> = way.lines().map(str::trim).collect();
    let expected = [
        "a",
        "net/main.tf",
        "-> net  (net/main.tf)",
        "-> m:data.terraform_remote_state.it  (m/main.tf:2)",
        "-> a:module.m  (a/main.tf:5)",
    ];
    assert_eq!(lines, expected);
}

/// Paths of local states start at the root module; `tfe_outputs` and backends are computed, too.
#[test]
fn other_backends_and_computed_states() {
    let local = format!(
        "{LOCAL}locals {{\n  d = \"net\"\n}}\ndata \"terraform_remote_state\" \"it\" {{\n  backend = \"local\"\n  \
         config = {{\n    path = \"${{path.module}}/../${{local.d}}/terraform.tfstate\"\n  }}\n}}\n"
    );
    let directory =
        tree(&[("net/main.tf", LOCAL), ("app/main.tf", &local), ("more/main.tf", LOCAL)]);
    assert_eq!(affected(directory.path(), "net/main.tf"), (owned(&["app", "net"]), vec![]));
    assert_eq!(affected(directory.path(), "more/main.tf"), (owned(&["more"]), vec![]));
    let cloud = |name: &str| {
        format!(
            "terraform {{\n  cloud {{\n    organization = \"o\"\n    workspaces {{\n      name = \"{name}\"\n    }}\n  }}\n}}\n"
        )
    };
    let outputs = format!(
        "{LOCAL}locals {{\n  w = \"w\"\n}}\ndata \"tfe_outputs\" \"it\" {{\n  organization = \"o\"\n  workspace    = \
         local.w\n}}\n"
    );
    let remote = format!(
        "{LOCAL}locals {{\n  w = \"w\"\n}}\ndata \"terraform_remote_state\" \"it\" {{\n  backend = \"remote\"\n  config = \
         {{\n    organization = \"o\"\n    workspaces   = {{ name = local.w }}\n  }}\n}}\n"
    );
    for reader in [&outputs, &remote] {
        let directory = tree(&[
            ("net/main.tf", &cloud("w")),
            ("app/main.tf", reader),
            ("more/main.tf", &cloud("v")),
        ]);
        assert_eq!(affected(directory.path(), "net/main.tf"), (owned(&["app", "net"]), vec![]));
        assert_eq!(affected(directory.path(), "more/main.tf"), (owned(&["more"]), vec![]));
    }
    let computed =
        format!("variable \"k\" {{\n  default = \"a\"\n}}\n{}", root("\"net/${var.k}\""));
    let app = format!("{LOCAL}{}", reader("\"net/a\""));
    let directory = tree(&[("net/main.tf", &computed), ("app/main.tf", &app)]);
    assert_eq!(affected(directory.path(), "net/main.tf"), (owned(&["app", "net"]), vec![]));
}

/// The settings name files and values for `-backend-config`, wherever the files are.
#[test]
fn settings_of_backends() {
    let partial = "terraform {\n  backend \"s3\" {}\n}\n";
    let app = format!("{LOCAL}{}", reader("\"net/a\""));
    for (given, file, expected, gaps) in [
        ("\"bucket=b\", \"key=net/a\"", "", &["app", "net"][..], &[][..]),
        ("\"bucket=b\", \"key=net/z\"", "", &["net"], &[]),
        ("\"key=net/z\", \"bucket=b\", \"key=net/a\"", "", &["app", "net"], &[]),
        (
            "\"../conf/{name}.tfbackend\"",
            "bucket = \"b\"\nkey    = \"net/a\"\n",
            &["app", "net"],
            &[],
        ),
        ("\"../conf/{name}.tfbackend\"", "bucket = \"b\"\nkey    = \"net/z\"\n", &["net"], &[]),
        ("\"../conf/{name}.tfbackend\", \"key=net/a\"", "bucket = \"b\"\n", &["app", "net"], &[]),
        ("\"bucket=b\"", "", &["net"], &[READER]),
        ("\"../conf/missing\"", "", &["net"], &["conf/missing", READER]),
    ] {
        let settings = format!("[[root]]\npath = \"net\"\nbackend-config = [{given}]\n");
        let directory = tree(&[
            ("simd-hcl.toml", &settings),
            ("net/main.tf", partial),
            ("app/main.tf", &app),
            ("conf/net.tfbackend", file),
        ]);
        let (roots, mut incomplete) = affected(directory.path(), "net/main.tf");
        incomplete.sort();
        let mut expected_gaps = owned(gaps);
        expected_gaps.sort();
        assert_eq!((roots, incomplete), (owned(expected), expected_gaps), "{given} {file}");
        if given.contains("{name}") {
            assert_eq!(
                affected(directory.path(), "conf/net.tfbackend").0,
                owned(expected),
                "{given}"
            );
        }
    }
    let outside = "[[root]]\npath = \"net\"\nbackend-config = [\"../../x.tfbackend\"]\n";
    let directory = tree(&[("simd-hcl.toml", outside), ("net/main.tf", partial)]);
    let output = run(directory.path(), &["affected", "net/main.tf"]);
    assert!(crate::tool::stderr(&output).contains("is not below the directory"), "{output:?}");
}
