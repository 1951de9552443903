//! The states of units of Terragrunt: what reads one depends on the unit.

use std::path::Path;

use tempfile::TempDir;

use crate::tool::{json, run, tree};

const READER: &str = "  backend = \"s3\"\n  config = {\n    bucket = \"states\"\n    key    = ";

fn reads(key: &str) -> String {
    format!("data \"terraform_remote_state\" \"it\" {{\n{READER}{key}\n  }}\n}}\n")
}

fn root(key: &str) -> String {
    format!(
        "terraform {{\n  backend \"s3\" {{\n    bucket = \"states\"\n    key    = \"{key}\"\n  }}\n}}\n"
    )
}

fn unit(source: &str, more: &str) -> String {
    format!(
        "include \"root\" {{\n  path = find_in_parent_folders(\"root.hcl\")\n}}\nterraform {{\n  source = \
         \"../../{source}\"\n}}\n{more}"
    )
}

/// Units whose states others read: `vpc` is read by the root module `reader`, by the module of the unit
/// `app`, and by a file that the unit `made` generates. `chain` reads the state of `reader`.
fn live(state: &str) -> TempDir {
    let common = format!(
        "remote_state {{\n  backend = \"s3\"\n{state}  config = {{\n    bucket = \"states\"\n    \
         key    = \"${{path_relative_to_include()}}/terraform.tfstate\"\n  }}\n}}\n"
    );
    let made = format!(
        "generate \"data\" {{\n  path      = \"data.tf\"\n  if_exists = \"overwrite\"\n  contents  = \
         <<-E\n{}E\n}}\n",
        reads("\"vpc/terraform.tfstate\"")
    );
    tree(&[
        ("live/root.hcl", &common),
        ("live/vpc/terragrunt.hcl", &unit("modules/vpc", "inputs = {\n  name = \"a\"\n}\n")),
        ("live/app/terragrunt.hcl", &unit("modules/app", "")),
        ("live/made/terragrunt.hcl", &unit("modules/plain", &made)),
        ("live/chain/terragrunt.hcl", &unit("modules/chain", "")),
        ("live/other/terragrunt.hcl", &unit("modules/plain", "")),
        (
            "live/far/terragrunt.hcl",
            &unit("modules/vpc", "dependency \"vpc\" {\n  config_path = \"../vpc\"\n}\n"),
        ),
        ("modules/vpc/main.tf", "terraform {\n  backend \"s3\" {}\n}\nvariable \"name\" {}\n"),
        ("modules/app/main.tf", &reads("\"vpc/terraform.tfstate\"")),
        ("modules/chain/main.tf", &reads("\"reader.tfstate\"")),
        ("modules/plain/main.tf", "terraform {\n  backend \"s3\" {}\n}\n"),
        (
            "reader/main.tf",
            &format!("{}{}", root("reader.tfstate"), reads("\"vpc/terraform.tfstate\"")),
        ),
        (
            "unrelated/main.tf",
            &format!("{}{}", root("u.tfstate"), reads("\"other/terraform.tfstate\"")),
        ),
        ("plain/main.tf", &root("plain.tfstate")),
    ])
}

/// The affected root modules, and what the answer is incomplete about.
fn affected(directory: &Path, arguments: &[&str]) -> (Vec<String>, Vec<String>) {
    let all = [&["affected", "--format", "json", "--roots"], arguments].concat();
    let answer = json(&run(directory, &all));
    let texts = |list: &str, member: &str| {
        let all = answer[list].as_array().unwrap().iter();
        let mut texts: Vec<String> = all
            .map(|it| match &it[member] {
                serde_json::Value::Array(places) => places[0].as_str().unwrap().to_owned(),
                text => text.as_str().unwrap().to_owned(),
            })
            .collect();
        texts.sort();
        texts
    };
    (texts("modules", "path"), texts("incomplete", "where"))
}

#[test]
fn units_lead_to_the_readers_of_their_states() {
    let generate =
        "  generate = {\n    path      = \"backend.tf\"\n    if_exists = \"overwrite\"\n  }\n";
    for state in ["", generate] {
        let directory = live(state);
        let directory = directory.path();
        let readers = ["live/app", "live/chain", "live/far", "live/made", "live/vpc", "reader"];
        for file in ["live/vpc/terragrunt.hcl", "modules/vpc/main.tf"] {
            assert_eq!(
                affected(directory, &[file]),
                (readers.map(str::to_owned).to_vec(), vec![]),
                "{file}"
            );
        }
        for (file, expected) in [
            ("live/other/terragrunt.hcl", &["live/other", "unrelated"][..]),
            ("reader/main.tf", &["live/chain", "reader"]),
            ("plain/main.tf", &["plain"]),
            ("modules/app/main.tf", &["live/app"]),
        ] {
            let (roots, gaps) = affected(directory, &[file]);
            assert_eq!(
                (roots, gaps),
                (expected.iter().map(|it| (*it).to_owned()).collect(), vec![]),
                "{file}"
            );
        }
    }
}

/// A unit whose module is called by an absolute path.
#[test]
fn absolute_paths_of_generated_calls() {
    let generate = "generate \"main\" {\n  path      = \"main.tf\"\n  if_exists = \"overwrite\"\n  contents  = \
                    <<-E\nmodule \"x\" {\n  source = \"${get_repo_root()}/modules/x\"\n}\nmodule \"z\" {\n  source = \
                    \"${get_repo_root()}//modules/z\"\n}\nE\n}\n";
    let directory = tree(&[
        ("live/a/terragrunt.hcl", generate),
        (
            "live/b/terragrunt.hcl",
            &format!("terraform {{\n  source = \"../../modules/y\"\n}}\n{generate}"),
        ),
        ("modules/x/main.tf", "resource \"terraform_data\" \"a\" {}\n"),
        ("modules/y/more.tf", "resource \"terraform_data\" \"a\" {}\n"),
        ("modules/z/main.tf", "resource \"terraform_data\" \"a\" {}\n"),
    ]);
    crate::tool::git(directory.path(), &["init", "-q"]);
    let both = vec!["live/a".to_owned(), "live/b".to_owned()];
    assert_eq!(affected(directory.path(), &["modules/x/main.tf"]), (both.clone(), vec![]));
    assert_eq!(affected(directory.path(), &["modules/z/main.tf"]), (both, vec![]));
    assert_eq!(
        affected(directory.path(), &["modules/y/more.tf"]),
        (vec!["live/b".to_owned()], vec![])
    );
}

/// A file that `-backend-config` names gives a unit its state, wherever it is.
#[test]
fn files_with_settings_of_backends() {
    let unit = |arguments: &str| {
        format!(
            "terraform {{\n  source = \"../../modules/net\"\n  extra_arguments \"init\" {{\n    commands  = \
                 [\"init\"]\n    arguments = [{arguments}]\n  }}\n}}\n"
        )
    };
    let directory = tree(&[
        (
            "live/one/terragrunt.hcl",
            &unit("\"-backend-config=../../backend/one.hcl\", \"-backend-config=key=a\""),
        ),
        (
            "live/two/terragrunt.hcl",
            &unit("\"-backend-config\", \"${get_terragrunt_dir()}/../../backend/two.hcl\""),
        ),
        ("backend/one.hcl", "bucket = \"states\"\nkey = \"b\"\n"),
        ("backend/two.hcl", "bucket = \"states\"\nkey = \"b\"\n"),
        ("modules/net/main.tf", "terraform {\n  backend \"s3\" {}\n}\n"),
        ("reader/main.tf", &format!("{}{}", root("r"), reads("\"a\""))),
        ("other/main.tf", &format!("{}{}", root("o"), reads("\"b\""))),
    ]);
    let owned = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    for (file, expected) in [
        ("backend/one.hcl", &["live/one", "reader"]),
        ("backend/two.hcl", &["live/two", "other"]),
        ("live/one/terragrunt.hcl", &["live/one", "reader"]),
    ] {
        let mut expected = owned(expected);
        expected.sort();
        assert_eq!(affected(directory.path(), &[file]), (expected, vec![]), "{file}");
    }
}

/// The state of a unit that is gone, or that has another state now.
#[test]
fn states_of_the_older_revision() {
    let directory = live("");
    let directory = directory.path();
    crate::tool::git(directory, &["init", "-q"]);
    crate::tool::commit(directory);
    let since = || affected(directory, &["--since", "HEAD"]).0;
    std::fs::remove_dir_all(directory.join("live/other")).unwrap();
    assert_eq!(since(), ["unrelated"]);
    crate::tool::git(directory, &["checkout", "-q", "."]);
    let root = std::fs::read_to_string(directory.join("live/root.hcl")).unwrap();
    let moved = root.replace("/terraform.tfstate", "/moved.tfstate");
    std::fs::write(directory.join("live/root.hcl"), moved).unwrap();
    let units = ["live/app", "live/chain", "live/far", "live/made", "live/other", "live/vpc"];
    assert_eq!(since(), [&units[..], &["reader", "unrelated"]].concat());
}

/// Settings that are not known may name any state.
#[test]
fn unknown_states_are_gaps() {
    let directory = tree(&[
        (
            "live/vpc/terragrunt.hcl",
            "remote_state {\n  backend = \"s3\"\n  config = {\n    bucket = \"states\"\n    \
          key    = get_env(\"KEY\")\n  }\n}\nterraform {\n  source = \"../../modules/plain\"\n}\n",
        ),
        ("modules/plain/main.tf", "terraform {\n  backend \"s3\" {}\n}\n"),
        (
            "reader/main.tf",
            &format!("{}{}", root("reader.tfstate"), reads("\"vpc/terraform.tfstate\"")),
        ),
        ("far/main.tf", &root("far").replace("states", "others")),
    ]);
    let (roots, gaps) = affected(directory.path(), &["live/vpc/terragrunt.hcl"]);
    assert_eq!(roots, ["live/vpc"]);
    assert!(gaps.iter().any(|gap| gap == "reader:data.terraform_remote_state.it"), "{gaps:?}");
}

/// The known parts of a key tell which states may be meant.
#[test]
fn keys_that_are_known_in_part() {
    let reader = format!(
        "variable \"x\" {{}}\n{}{}",
        root("reader.tfstate"),
        reads("\"${var.x}/vpc/terraform.tfstate\"")
    );
    let state =
        |name: &str| (format!("{name}/main.tf"), root(&format!("{name}/terraform.tfstate")));
    let roots = ["prod/vpc", "dev/vpc", "prod/db"].map(state);
    let mut files: Vec<(&str, &str)> = vec![("reader/main.tf", &reader)];
    files.extend(roots.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let below = root("vpc/terraform.tfstate").replace("states", "others");
    files.push(("far/main.tf", &below));
    let directory = tree(&files);
    for (file, is_gap) in [
        ("prod/vpc/main.tf", true),
        ("dev/vpc/main.tf", true),
        ("prod/db/main.tf", false),
        ("far/main.tf", false),
    ] {
        let (_, gaps) = affected(directory.path(), &[file]);
        let gap = gaps.iter().any(|gap| gap == "reader:data.terraform_remote_state.it");
        assert_eq!(gap, is_gap, "{file}: {gaps:?}");
    }
}

/// Configuration in the folder of a unit is a part of its module.
#[test]
fn files_beside_units_are_parts_of_modules() {
    let directory = tree(&[
        (
            "live/app/terragrunt.hcl",
            "terraform {\n  source = \"../../modules/app\"\n}\ninputs = {\n  a = 1\n}\n",
        ),
        ("live/app/extra.tf", "output \"x\" {\n  value = var.a\n}\n"),
        ("live/own/terragrunt.hcl", "inputs = {\n  a = 1\n}\n"),
        ("live/own/main.tf", "output \"x\" {\n  value = var.a\n}\n"),
        (
            "modules/app/main.tf",
            "variable \"a\" {}\nvariable \"b\" {\n  default = 1\n}\nlocals {\n  c = var.b\n  d = \
             var.a\n}\n",
        ),
        ("live/app/more.tf", "output \"y\" {\n  value = local.c\n}\nvariable \"z\" {}\n"),
    ]);
    let codes = |path: &str| {
        let answer = json(&run(directory.path(), &["check", "--format", "json", path]));
        let all = answer["diagnostics"].as_array().unwrap().iter();
        let errors = all.filter(|it| it["severity"] == "error");
        errors.map(|it| it["range"]["filename"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes("."), ["live/own/main.tf"]);
    assert_eq!(codes("live/app/extra.tf"), Vec::<String>::new());
    assert_eq!(codes("live/own/main.tf"), ["live/own/main.tf"]);
    let all = json(&run(directory.path(), &["check", "--format", "json", "."]));
    let unused = all["diagnostics"].as_array().unwrap().iter();
    let unused = unused.filter(|it| it["code"] == "unused-declaration");
    let lines: Vec<(&str, u64)> = unused
        .map(|it| {
            let range = &it["range"];
            (range["filename"].as_str().unwrap(), range["start"]["line"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(lines, [("modules/app/main.tf", 7)]);
}

/// The way to a reader of the state of a unit has the way to the unit.
#[test]
fn ways_through_states_of_units() {
    let directory = live("");
    let module = directory.path().join("modules/vpc/more.tf");
    std::fs::write(module, "module \"x\" {\n  source = \"../x\"\n}\n").unwrap();
    let called = directory.path().join("modules/x");
    std::fs::create_dir(&called).unwrap();
    std::fs::write(
        called.join("main.tf"),
        "output \"o\" {\n  value = file(\"${path.module}/f\")\n}\n",
    )
    .unwrap();
    std::fs::write(called.join("f"), "").unwrap();
    let arguments = ["affected", "--format", "json", "modules/x/f"];
    let answer = json(&run(directory.path(), &arguments));
    let way = |path: &str| {
        let modules = answer["modules"].as_array().unwrap();
        let module = modules.iter().find(|it| it["path"] == path).unwrap();
        let steps = module["because"].as_array().unwrap();
        let places = steps[0]["via"].as_array().unwrap();
        assert_eq!(steps[0]["file"], "modules/x/f");
        assert_eq!(steps.len(), places.len());
        let texts = |steps: &[serde_json::Value]| -> Vec<String> {
            steps.iter().map(|step| step["module"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(texts(steps), texts(places));
        texts(steps)
    };
    let vpc = ["modules/x", "modules/vpc", "live/vpc"];
    assert_eq!(way("live/vpc"), vpc);
    assert_eq!(way("reader"), [&vpc[..], &["reader"]].concat());
    assert_eq!(way("live/app"), [&vpc[..], &["modules/app", "live/app"]].concat());
    let chain = ["reader", "modules/chain", "live/chain"];
    assert_eq!(way("live/chain"), [&vpc[..], &chain].concat());
    let arguments = ["affected", "--explain", "reader", "modules/x/f"];
    let text = crate::tool::stdout(&run(directory.path(), &arguments));
    assert!(text.contains("-> live/vpc") && text.contains("-> modules/vpc"), "{text}");
}
