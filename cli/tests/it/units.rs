//! `units`: what Terragrunt itself answers on trees, and what it is silent about.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use simd_hcl_corpus::{cases, name_of};
use tempfile::TempDir;

use crate::tool::{json, run, simd_hcl, status, stderr, stdout, tree};

/// The flags of each list.
const LISTS: [(&str, &[&str]); 5] = [
    ("plain", &[]),
    ("no-hidden", &["--no-hidden"]),
    ("details", &["--dependencies", "--include", "--reading", "--exclude"]),
    ("dag", &["--dag", "--dependencies", "--include", "--reading", "--exclude"]),
    ("as", &["--dependencies", "--include", "--reading", "--exclude", "--queue-construct-as"]),
];

/// The files below a folder.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let (mut found, mut open) = (BTreeSet::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => _ = found.insert(path),
            }
        }
    }
    found
}

/// Copies a case to a folder of its own, which is a git work tree.
fn copied(case: &Path) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join(".git")).unwrap();
    let from = case.join("tree");
    for file in files(&from) {
        let to = directory.path().join(file.strip_prefix(&from).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(file, to).unwrap();
    }
    directory
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether an entry of `incomplete` is about a unit.
fn is_named(answer: &Value, unit: &str) -> bool {
    let gaps = answer["incomplete"].as_array().unwrap();
    gaps.iter().any(|gap| texts(&gap["where"]).contains(&unit))
}

/// The members of a row that Terragrunt has, without empty ones.
fn row(unit: &Value) -> Map<String, Value> {
    let mut row = Map::new();
    for name in ["type", "path", "exclude", "include", "dependencies", "reading"] {
        let mut value = unit[name].clone();
        if let Value::Array(list) = &mut value {
            list.sort_by_key(|item| item.to_string());
        }
        if let Value::Object(object) = &mut value {
            object.retain(|_, value| !value.is_null());
        }
        let is_empty = match &value {
            Value::Null => true,
            Value::Array(list) => list.is_empty(),
            Value::Object(object) => object.is_empty(),
            _ => false,
        };
        if !is_empty {
            row.insert(name.to_owned(), value);
        }
    }
    row
}

/// Compares a list with that of Terragrunt. Returns what differs.
fn list_differs(want: &Value, broken: &[&str], is_clean: bool, answer: &Value) -> Option<String> {
    let lost = |units: &[&str]| {
        let lost = units.iter().find(|unit| !is_named(answer, unit))?;
        Some(format!("{lost} is not in `incomplete`: {}", answer["incomplete"]))
    };
    if want["silent"].is_array() {
        return lost(&texts(&want["silent"]));
    }
    let gaps = answer["incomplete"].as_array().unwrap();
    if want["rc"] != 0 {
        return gaps.is_empty().then(|| "Terragrunt fails here".to_owned());
    }
    if is_clean && !gaps.is_empty() {
        return Some(format!("everything is known here, but: {gaps:?}"));
    }
    let rows = |units: &Value| {
        let mut rows: Vec<_> = units.as_array().into_iter().flatten().map(row).collect();
        if !broken.is_empty() {
            rows.sort_by_key(|row| row["path"].to_string());
        }
        for row in &mut rows {
            if broken.contains(&row["path"].as_str().unwrap()) {
                row.retain(|name, _| name == "type" || name == "path");
            }
        }
        rows
    };
    let (want, got) = (rows(&want["units"]), rows(&answer["units"]));
    if want != got {
        return Some(format!("want {}\n got {}", json!(want), json!(got)));
    }
    lost(broken)
}

fn is_below(path: &str, all: &[&str]) -> bool {
    all.iter().any(|it| {
        path.strip_prefix(it).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })
}

/// Returns the first place at which values differ, apart from what is not known.
fn value_differs(want: &Value, got: &Value, at: &str, unknown: &[&str]) -> Option<String> {
    if is_below(at, unknown) {
        return None;
    }
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            let is_config = want.contains_key("terraform_binary");
            let is_set = |value: &Value| {
                !is_config || !matches!(value.to_string().as_str(), "null" | "\"\"" | "{}" | "[]")
            };
            let names: BTreeSet<&String> = want.keys().chain(got.keys()).collect();
            names.into_iter().find_map(|name| {
                let path = format!("{at}.{name}");
                let of =
                    |object: &Map<String, Value>| object.get(name).filter(|it| is_set(it)).cloned();
                match (of(want), of(got)) {
                    (None, None) => None,
                    _ if is_below(&path, unknown) => None,
                    (Some(want), Some(got)) => value_differs(&want, &got, &path, unknown),
                    _ => Some(path),
                }
            })
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => (0..want.len())
            .find_map(|item| {
                value_differs(&want[item], &got[item], &format!("{at}[{item}]"), unknown)
            }),
        (Value::Number(want), Value::Number(got)) => {
            (want.as_f64() != got.as_f64()).then(|| at.to_owned())
        }
        _ => (want != got).then(|| at.to_owned()),
    }
}

/// Compares the values of a unit with those of Terragrunt. Returns what differs.
fn values_differ(unit: &str, want: &Value, answer: &Value, allowed: &[&str]) -> Option<String> {
    let units = answer["units"].as_array().unwrap();
    let got = units.iter().find(|it| it["path"] == unit)?;
    if want.is_null() {
        let is_said = is_named(answer, unit) || !texts(&got["unknown"]).is_empty();
        return (!is_said).then(|| format!("{unit}: Terragrunt fails here"));
    }
    let unknown = texts(&got["unknown"]);
    if let Some(path) = unknown.iter().find(|path| !is_below(path, allowed)) {
        return Some(format!("{unit}: {path} is known"));
    }
    ["inputs", "locals"].iter().find_map(|name| {
        let or_empty = |value: &Value| if value.is_null() { json!({}) } else { value.clone() };
        let (want, got) = (or_empty(&want[name]), or_empty(&got[name]));
        let path = value_differs(&want, &got, name, &unknown)?;
        Some(format!("{unit}: {path}: want {want}, got {got}"))
    })
}

#[test]
fn trees_have_the_answers_of_terragrunt() {
    let mut wrong = Vec::new();
    for case in cases("terragrunt") {
        let expected: Value =
            serde_json::from_slice(&fs::read(case.join("expected.json")).unwrap()).unwrap();
        let directory = copied(&case);
        let root = directory.path().canonicalize().unwrap();
        let folder = root.join(expected["dir"].as_str().unwrap_or_default());
        let before = files(&root);
        let mut flags: Vec<String> =
            texts(&expected["args"]).iter().map(|it| (*it).to_owned()).collect();
        for (flag, values) in [("--env", &expected["env"]), ("--feature", &expected["feature"])] {
            for (name, value) in values.as_object().into_iter().flatten() {
                flags.extend([flag.to_owned(), format!("{name}={}", value.as_str().unwrap())]);
            }
        }
        let ask = |more: &[&str]| {
            let arguments = [&["units", ".", "--format", "json"], more].concat();
            let output = simd_hcl(&arguments)
                .args(&flags)
                .current_dir(&folder)
                .env("SIMDHCL_NOT_SET", "read from the environment")
                .output()
                .unwrap();
            let text = stdout(&output).replace(root.to_str().unwrap(), "$ROOT");
            serde_json::from_str::<Value>(&text)
                .unwrap_or_else(|error| panic!("{}: {error}: {}", case.display(), stderr(&output)))
        };
        let name = name_of(&case);
        let stacks = &expected["stacks"];
        let mut check = |finds: &Value, more: &[&str]| {
            let broken = texts(&finds["broken"]);
            for (kind, list) in LISTS {
                let want = &finds[kind];
                if want.is_null() {
                    continue;
                }
                let mut all = [list, more].concat();
                if kind == "as" {
                    all.insert(list.len(), expected["as"].as_str().unwrap());
                }
                let broken = if kind == "plain" || kind == "no-hidden" { &[][..] } else { &broken };
                let is_clean = expected["clean"] == true;
                if let Some(why) = list_differs(want, broken, is_clean, &ask(&all)) {
                    wrong.push(format!("{name} {kind} {more:?}: {why}"));
                }
            }
        };
        check(&expected["find"], &[]);
        if stacks["rc"] == 0 {
            check(&stacks["find"], &["--stacks"]);
        } else if stacks.is_object() {
            check(&json!({"plain": stacks}), &["--stacks"]);
        }
        let more: &[&str] =
            if stacks["rc"] == 0 { &["--render", "--stacks"] } else { &["--render"] };
        let answer = ask(more);
        for (unit, want) in expected["render"].as_object().unwrap() {
            let allowed = texts(&expected["unknown"][unit]);
            wrong.extend(
                values_differ(unit, want, &answer, &allowed).map(|why| format!("{name} {why}")),
            );
        }
        assert_eq!(files(&root), before, "{name}: something was written");
    }
    assert!(wrong.is_empty(), "{} answers differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Arguments, and whether Terragrunt renders a unit that has them: each line is `holds` or `fails`, and the text
/// of the file of the unit with `\n` for line feeds.
const ARGUMENTS: &str = include_str!("units/arguments.txt");

#[test]
fn arguments_take_the_values_that_terragrunt_takes() {
    let directory = tree(&[(".git/HEAD", ""), ("r.hcl", ""), ("v/terragrunt.hcl", "")]);
    fs::create_dir(directory.path().join("u")).unwrap();
    let mut wrong = Vec::new();
    for line in ARGUMENTS.lines() {
        let (verdict, text) = line.split_once(' ').unwrap();
        fs::write(directory.path().join("u/terragrunt.hcl"), text.replace("\\n", "\n")).unwrap();
        let answer = json(&run(directory.path(), &["units", ".", "--render", "--format", "json"]));
        let unit = answer["units"].as_array().unwrap().iter().find(|it| it["path"] == "u").unwrap();
        let fails = is_named(&answer, "u") || !texts(&unit["unknown"]).is_empty();
        let checked = status(&run(directory.path(), &["check", "."]));
        if fails != (verdict == "fails") || fails != (checked == 1) {
            wrong.push(format!("{line}: {}, check exits {checked}", answer["incomplete"]));
        }
    }
    assert!(wrong.is_empty(), "{} answers differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Components of one path, and `enabled` without its experiment, are what `stack generate` refuses.
#[test]
fn stacks_that_terragrunt_refuses_are_named() {
    let unit =
        |name: &str, more: &str| format!("unit \"{name}\" {{\n  source = \"../u\"\n  {more}\n}}\n");
    let x = "path = \"x\"";
    let stack = "stack \"b\" {\n  source = \"../s\"\n  path = \"x\"\n}\n";
    let inner = "unit \"z\" {\n  source = \"${get_repo_root()}/u\"\n  path = \"z\"\n}\n";
    for (text, why) in [
        (unit("a", x) + &unit("b", x), "unit \"a\" and unit \"b\" have one path"),
        (unit("a", x) + stack, "unit \"a\" and stack \"b\" have one path"),
        (unit("a", x) + &unit("b", "path = \"./x\""), ""),
        (unit("a", &format!("{x}\n  enabled = true")), "\"block-iteration\" is not on"),
    ] {
        let directory = tree(&[
            (".git/HEAD", ""),
            ("u/terragrunt.hcl", ""),
            ("s/terragrunt.stack.hcl", inner),
            ("live/terragrunt.stack.hcl", &text),
        ]);
        let flags = ["units", ".", "--stacks", "--format", "json"];
        let answer = json(&run(directory.path(), &flags));
        let whys = answer["incomplete"].as_array().unwrap().iter().map(|it| it["why"].as_str());
        let whys: Vec<&str> = whys.flatten().collect();
        assert_eq!(whys.len(), usize::from(!why.is_empty()), "{text}: {whys:?}");
        assert!(whys.iter().all(|it| it.contains(why)), "{text}: {whys:?}");
    }
}

/// Terragrunt goes on with an attribute that does not exist; only outputs of a state may have it.
#[test]
fn missing_attributes_of_inputs_are_reported() {
    let unit = "dependency \"v\" {\n  config_path = \"../v\"\n  mock_outputs = { id = 1 }\n}\n\
                locals {\n  a = { b = 1 }\n  read = read_terragrunt_config(\"../r.hcl\")\n}\n\
                inputs = {\n  x = local.a.nope\n  y = dependency.v.outputs.new\n  \
                z = local.read.dependency.v.outputs.new\n  t = try(local.a.nope, 1)\n}\n";
    let read = "dependency \"v\" {\n  config_path = \"v\"\n  mock_outputs = { id = 1 }\n}\n";
    let directory = tree(&[
        (".git/HEAD", ""),
        ("u/terragrunt.hcl", unit),
        ("v/terragrunt.hcl", ""),
        ("r.hcl", read),
    ]);
    let checked = run(directory.path(), &["check", ".", "--format", "concise"]);
    let found = stdout(&checked);
    assert!(found.starts_with("u/terragrunt.hcl:10:14: error[unsupported-attribute]"), "{found}");
    assert_eq!(found.lines().count(), 1, "{found}");
}

/// A tree that would run, write and download, if anything could.
const HOSTILE: &[(&str, &str)] = &[
    (
        "u/terragrunt.hcl",
        r#"
terraform {
  source = "git::https://example.invalid/x.git"
  before_hook "h" {
    commands = ["plan"]
    execute  = ["touch", "hook"]
  }
}
generate "g" {
  path      = "generated.tf"
  if_exists = "overwrite"
  contents  = run_cmd("touch", "generated")
}
locals {
  ran    = run_cmd("sh", "-c", "touch ran")
  secret = get_env("UNITS_SECRET")
  home   = get_env("HOME", "none")
}
inputs = {
  ran    = local.ran
  secret = local.secret
  home   = local.home
  outside = fileexists("/etc/passwd")
  text   = try(file("/etc/passwd"), "not read")
}
"#,
    ),
    (
        "s/terragrunt.stack.hcl",
        "unit \"a\" {\n  source = \"../u\"\n  path = \"a\"\n}\nunit \"r\" {\n  source = \"git::https://example.invalid/y.git\"\n  path = \"r\"\n}\n",
    ),
];

#[test]
fn nothing_is_run_written_or_taken_from_the_environment() {
    let directory = tree(HOSTILE);
    let before = files(directory.path());
    for flags in [
        &["--render", "--stacks"][..],
        &["--dag", "--reading", "--dependencies", "--include", "--exclude", "--stacks"],
    ] {
        let output = simd_hcl(&[&["units", ".", "--format", "json"], flags].concat())
            .current_dir(directory.path())
            .env("UNITS_SECRET", "hunter2")
            .output()
            .unwrap();
        assert_eq!(files(directory.path()), before);
        assert!(!stdout(&output).contains("hunter2") && !stdout(&output).contains("root:"));
        assert!(stdout(&output).contains("is not a folder of this tree"), "{}", stdout(&output));
    }
    for arguments in [
        &["check", "."][..],
        &["expand", "u"],
        &["expand", "s/.terragrunt-stack/a"],
        &["why", "x", "u"],
        &["graph"],
        &["graph", "--modules"],
        &["dependents", "u/terragrunt.hcl"],
        &["affected", "u/terragrunt.hcl", "--format", "json"],
        &["references"],
        &["query", "**"],
        &["inspect", "--format", "json"],
        &["fmt", "--check", "."],
    ] {
        let output = simd_hcl(arguments)
            .current_dir(directory.path())
            .env("UNITS_SECRET", "hunter2")
            .output()
            .unwrap();
        assert_eq!(files(directory.path()), before, "{arguments:?}");
        let said = stdout(&output) + &stderr(&output);
        assert!(!said.contains("hunter2") && !said.contains("root:"), "{arguments:?}: {said}");
    }
    let answer = json(&run(directory.path(), &["units", ".", "--render", "--format", "json"]));
    let unit = &answer["units"][0];
    assert_eq!(unit["inputs"]["home"], "none");
    assert_eq!(
        unit["unknown"],
        json!(["inputs.outside", "inputs.ran", "inputs.secret", "locals.ran", "locals.secret"])
    );
    assert!(is_named(&answer, "u"), "{answer}");
    let strict = ["units", ".", "--render", "--fail-if-incomplete"];
    assert_eq!(status(&run(directory.path(), &strict)), 1);
}

#[test]
fn configurations_that_read_one_another_are_reported() {
    let directory = tree(&[
        ("u/terragrunt.hcl", "locals {\n  a = read_terragrunt_config(\"../a.hcl\")\n}\n"),
        ("a.hcl", "locals {\n  b = read_terragrunt_config(\"./b.hcl\")\n}\n"),
        ("b.hcl", "locals {\n  a = read_terragrunt_config(\"./a.hcl\")\n}\n"),
        ("v/terragrunt.hcl", "locals {\n  v = read_terragrunt_config(\"terragrunt.hcl\")\n}\n"),
        ("w/terragrunt.hcl", "include \"w\" {\n  path = \"terragrunt.hcl\"\n}\n"),
        ("x/terragrunt.hcl", "include \"y\" {\n  path = \"../y.hcl\"\n}\n"),
        ("y.hcl", "include \"z\" {\n  path = \"z.hcl\"\n}\n"),
    ]);
    let answer = json(&run(directory.path(), &["units", ".", "--reading", "--format", "json"]));
    for unit in ["u", "v", "w", "x"] {
        assert!(is_named(&answer, unit), "{unit}: {answer}");
    }
}

#[test]
fn all_files_that_decide_about_a_unit_are_listed() {
    let directory = tree(&[
        (".git/HEAD", ""),
        ("root.hcl", "locals {\n  tags = yamldecode(file(\"tags.yaml\"))\n}\n"),
        ("tags.yaml", "a: 1\n"),
        (
            "u/terragrunt.hcl",
            "include \"root\" {\n  path = find_in_parent_folders(\"root.hcl\")\n}\ninputs = {\n  t = templatefile(\"t.tpl\", {})\n  n = values.n\n  m = mark_glob_as_read(\"conf/*.yaml\")\n}\nterraform {\n  source = \"../m\"\n  extra_arguments \"v\" {\n    commands = [\"plan\"]\n    optional_var_files = [\"missing.tfvars\"]\n  }\n}\n",
        ),
        ("u/t.tpl", "x"),
        ("u/terragrunt.values.hcl", "n = 1\n"),
        ("m/main.tf", ""),
        ("m/inner/x.tofu", ""),
        ("m/readme.md", ""),
    ]);
    let answer = json(&run(directory.path(), &["units", ".", "--reading", "--format", "json"]));
    let unit = &answer["units"][0];
    assert_eq!(unit["reading"], json!(["m/inner/x.tofu", "m/main.tf", "root.hcl"]));
    let also = json!(["tags.yaml", "u/missing.tfvars", "u/t.tpl", "u/terragrunt.values.hcl"]);
    assert_eq!(unit["also_reading"], also);
    assert_eq!(answer["incomplete"], json!([]));
}

#[test]
fn all_formats_have_the_same_units() {
    let directory = tree(&[
        ("a/terragrunt.hcl", "dependencies {\n  paths = [\"../b\"]\n}\n"),
        ("b/terragrunt.hcl", "inputs = {\n  s = sensitive(\"hunter2\")\n}\n"),
        ("c/terragrunt.stack.hcl", ""),
    ]);
    let print = |flags: &[&str]| stdout(&run(directory.path(), &[&["units"], flags].concat()));
    assert_eq!(print(&[]), "a\nb\nc (stack)\n");
    assert_eq!(print(&["--dag", "--dependencies"]), "b\nc (stack)\na\n    depends on b\n");
    assert_eq!(
        print(&["--format", "csv", "--dependencies"]),
        "type,path,dependencies,include,reading\nunit,a,b,,\nunit,b,,,\nstack,c,,,\n"
    );
    assert_eq!(
        print(&["--format", "ndjson", "--dag"]),
        "{\"type\":\"unit\",\"path\":\"b\"}\n{\"type\":\"stack\",\"path\":\"c\"}\n{\"type\":\"unit\",\"path\":\"a\"}\n"
    );
    let named = print(&["a", "b"]);
    assert_eq!(named, "a\nb\n");
    let rendered = print(&["--render", "--format", "json"]);
    assert!(rendered.contains("(sensitive)") && !rendered.contains("hunter2"), "{rendered}");
    assert!(print(&["--render", "--show-sensitive"]).contains("hunter2"));
    let missing = run(directory.path(), &["units", "missing"]);
    assert_eq!((status(&missing), stdout(&missing)), (2, String::new()));
    assert!(stderr(&missing).contains("missing"), "{}", stderr(&missing));
}

/// Two modules, one of which calls a third, and three units.
fn live() -> TempDir {
    let directory = tree(&[
        (
            "root.hcl",
            "locals { tags = yamldecode(file(\"${get_repo_root()}/tags.yaml\")) }\n\
             inputs = { tags = local.tags }\n",
        ),
        ("tags.yaml", "a: b\n"),
        ("unused.hcl", "locals { a = 1 }\n"),
        ("modules/m0/main.tf", "variable \"tags\" {}\noutput \"id\" {\n  value = var.tags\n}\n"),
        (
            "modules/m1/main.tf",
            "variable \"tags\" {}\nmodule \"sub\" {\n  source = \"../sub\"\n  tags   = var.tags\n}\n",
        ),
        ("modules/sub/main.tf", "variable \"tags\" {}\noutput \"id\" {\n  value = var.tags\n}\n"),
        (
            "live/net/terragrunt.hcl",
            "include \"root\" { path = find_in_parent_folders(\"root.hcl\") }\n\
             terraform { source = \"../../modules/m0\" }\n",
        ),
        (
            "live/app/terragrunt.hcl",
            "include \"root\" { path = find_in_parent_folders(\"root.hcl\") }\n\
             terraform { source = \"../../modules//m1\" }\n\
             dependency \"net\" { config_path = \"../net\" }\n",
        ),
        (
            "live/other/terragrunt.hcl",
            "terraform { source = \"../../modules/m0\" }\n\
             inputs = { tags = jsonencode(fileset(get_terragrunt_dir(), \"conf/*.json\")) }\n",
        ),
        ("live/other/conf/a.json", "{}\n"),
    ]);
    fs::create_dir(directory.path().join(".git")).unwrap();
    directory
}

#[test]
fn changed_files_affect_units() {
    let directory = live();
    let affected = |file: &str| {
        let arguments = ["affected", file, "--roots", "--format", "json"];
        let output = simd_hcl(&arguments).current_dir(directory.path()).output().unwrap();
        assert_eq!(status(&output), 0, "{file}: {}", stderr(&output));
        let answer = json(&output);
        let paths = |name: &str| -> Vec<String> {
            let all = answer[name].as_array().into_iter().flatten();
            all.map(|it| it["path"].as_str().or(it.as_str()).unwrap().to_owned()).collect()
        };
        (paths("modules"), paths("unrelated"))
    };
    let cases: [(&str, &[&str]); 7] = [
        ("tags.yaml", &["live/app", "live/net"]),
        ("root.hcl", &["live/app", "live/net"]),
        ("modules/m0/main.tf", &["live/app", "live/net", "live/other"]),
        ("modules/sub/main.tf", &["live/app"]),
        ("live/net/terragrunt.hcl", &["live/app", "live/net"]),
        ("live/other/conf/a.json", &["live/other"]),
        ("unused.hcl", &[]),
    ];
    for (file, units) in cases {
        let (found, unrelated) = affected(file);
        assert_eq!(found, units, "{file}");
        assert_eq!(unrelated.is_empty(), !units.is_empty(), "{file}");
    }
    let arguments = ["affected", "modules/sub/main.tf", "--explain", "live/app"];
    let output = simd_hcl(&arguments).current_dir(directory.path()).output().unwrap();
    let way = stdout(&output);
    let steps = ["live/app\n", "    modules/sub/main.tf\n", "modules/m1:module.sub", "-> live/app"];
    assert!(steps.iter().all(|step| way.contains(step)), "{way}{}", stderr(&output));
    fs::write(directory.path().join("live/other/conf/b.json"), "{}").unwrap();
    let arguments = ["affected", "live/other/conf/b.json", "--roots", "--format", "github-matrix"];
    let output = simd_hcl(&arguments).current_dir(directory.path()).output().unwrap();
    assert_eq!(stdout(&output).trim(), r#"{"include":[{"path":"live/other"}]}"#);
    // A unit that is gone affects those that depend on it.
    fs::remove_file(directory.path().join("live/net/terragrunt.hcl")).unwrap();
    fs::write(directory.path().join("list"), "live/net/terragrunt.hcl\n").unwrap();
    let arguments = ["affected", "--files-from", "list", "--roots"];
    let output = simd_hcl(&arguments).current_dir(directory.path()).output().unwrap();
    assert!(stdout(&output).starts_with("live/app (root)\n"), "{}", stdout(&output));
}

/// Patterns and folders are about names, not about what exists.
#[test]
fn patterns_match_files_that_are_gone() {
    let directory = tree(&[
        ("root.hcl", ""),
        ("live/a/terragrunt.hcl", "locals { all = mark_glob_as_read(\"conf/*/**\") }\n"),
        (
            "live/b{c/terragrunt.hcl",
            "inputs = { all = jsonencode(fileset(\"conf\", \"**/*.json\")) }\n",
        ),
        ("live/b{c/main.tf", "variable \"all\" {}\n"),
        (
            "live/d/terragrunt.hcl",
            "locals { all = mark_glob_as_read(\"../../env/{dev,prod}.yaml\") }\n",
        ),
        (
            "live/e/terragrunt.hcl",
            "locals { all = [for f in fileset(\"${get_terragrunt_dir()}/conf\", \"*\") : f] }\n",
        ),
        ("live/f[g]/terragrunt.hcl", "terraform { source = \"../../modules/m{0//sub\" }\n"),
        ("modules/m{0/sub/main.tf", ""),
    ]);
    fs::create_dir(directory.path().join(".git")).unwrap();
    for (gone, unit) in [
        ("live/a/conf/old/b.json", "live/a"),
        ("live/a/conf/old/deep/b.json", "live/a"),
        ("live/a/conf/b.json", ""),
        ("live/a/.terraform.lock.hcl", "live/a"),
        ("live/b{c/conf/old/b.json", "live/b{c"),
        ("live/b{c/conf/b.json", "live/b{c"),
        ("live/b{c/conf/b.txt", ""),
        ("live/b{c/outputs.tf", "live/b{c"),
        ("live/b{c/prod.tfvars", "live/b{c"),
        ("env/prod.yaml", "live/d"),
        ("env/test.yaml", ""),
        ("live/e/conf/x", "live/e"),
        ("live/e/conf/x/y", ""),
        ("modules/m{0/sub/gone.tf", "live/f[g]"),
        ("modules/m{0/sub/in/gone.hcl", "live/f[g]"),
    ] {
        fs::write(directory.path().join("list"), gone).unwrap();
        let arguments = ["affected", "--files-from", "list", "--roots", "--format", "json"];
        let output = simd_hcl(&arguments).current_dir(directory.path()).output().unwrap();
        let answer = json(&output);
        let units = answer["modules"].as_array().unwrap().iter();
        let units: Vec<&str> = units.map(|unit| unit["path"].as_str().unwrap()).collect();
        let wanted: &[&str] = if unit.is_empty() { &[] } else { &[unit] };
        assert_eq!(units, wanted, "{gone}: {answer}");
    }
}

#[test]
fn check_compares_units_and_modules() {
    let directory = live();
    let codes = || {
        let output = simd_hcl(&["check", ".", "--format", "json"])
            .current_dir(directory.path())
            .output()
            .unwrap();
        let answer = json(&output);
        let findings = answer["diagnostics"].as_array().unwrap().iter();
        findings
            .map(|it| {
                let file = it["range"]["filename"].as_str().unwrap();
                format!("{file}: {}", it["code"].as_str().unwrap())
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(), [""; 0]);
    // A generated file declares what the module uses.
    let generated = "generate \"v\" {\n  path = \"v.tf\"\n  if_exists = \"overwrite\"\n  \
                     contents = <<-E\n    variable \"region\" {}\n  E\n}\n";
    let write = |path: &str, text: &str| fs::write(directory.path().join(path), text).unwrap();
    write("modules/m0/use.tf", "output \"region\" {\n  value = var.region\n}\n");
    assert_eq!(codes(), ["modules/m0/use.tf: undeclared-reference"]);
    let root = fs::read_to_string(directory.path().join("root.hcl")).unwrap();
    write("root.hcl", &format!("{root}{generated}"));
    assert_eq!(codes(), [""; 0]);
    write("live/more.hcl", "inputs = { tags = dependency.net.outputs.none }\n");
    write(
        "live/app/terragrunt.hcl",
        "include \"more\" { path = \"../more.hcl\" }\n\
         terraform { source = \"../../modules/m1\" }\n\
         dependency \"net\" { config_path = \"../net\" }\n\
         inputs = { size = 1 }\n",
    );
    assert_eq!(codes(), ["live/app/terragrunt.hcl: unit-input", "live/more.hcl: unit-output"]);
}

/// A `dependency` block in an included file is one of the unit. Of a name that both have, a shallow merge
/// keeps both paths, and a deep one that of the unit.
#[test]
fn dependencies_of_included_files_are_those_of_the_unit() {
    let unit = |strategy: &str, more: &str| {
        format!(
            "include \"root\" {{\n  path = \"../root.hcl\"\n  merge_strategy = \"{strategy}\"\n}}\n\
             terraform {{\n  source = \"../m\"\n}}\n\
             inputs = {{\n  id = dependency.net.outputs.id\n}}\n{more}"
        )
    };
    let own = "dependency \"net\" {\n  config_path = \"../net\"\n}\n";
    let directory = tree(&[
        (".git/HEAD", ""),
        ("root.hcl", "dependency \"net\" {\n  config_path = \"../other\"\n}\n"),
        ("empty.hcl", "dependency \"net\" {\n  config_path = \"\"\n}\n"),
        ("filled/terragrunt.hcl", &unit("shallow", own).replace("root.hcl", "empty.hcl")),
        ("plain/terragrunt.hcl", &unit("shallow", "")),
        ("shallow/terragrunt.hcl", &unit("shallow", own)),
        ("deep/terragrunt.hcl", &unit("deep", own)),
        ("net/terragrunt.hcl", "terraform {\n  source = \"../n\"\n}\n"),
        ("other/terragrunt.hcl", "terraform {\n  source = \"../o\"\n}\n"),
        ("m/main.tf", "variable \"id\" {}\noutput \"id\" {\n  value = var.id\n}\n"),
        ("n/main.tf", "output \"id\" {\n  value = 1\n}\n"),
        ("o/main.tf", "output \"another\" {\n  value = 1\n}\n"),
    ]);
    let at = |arguments: &[&str]| run(directory.path(), arguments);
    let listed = json(&at(&["units", ".", "--dependencies", "--format", "json"]));
    let dependencies = |path: &str| {
        let units = listed["units"].as_array().unwrap();
        texts(&units.iter().find(|unit| unit["path"] == path).unwrap()["dependencies"])
    };
    assert_eq!(dependencies("plain"), ["other"]);
    assert_eq!(dependencies("shallow"), ["net", "other"]);
    assert_eq!(dependencies("deep"), ["net"]);
    assert_eq!(dependencies("filled"), ["net"]);
    assert_eq!(listed["incomplete"], json!([]));
    // The output of the merged block reaches the inputs.
    let users = json(&at(&["dependents", "n:output.id", ".", "--format", "json"]));
    let users: Vec<&str> = users["dependents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["address"] == "inputs.id")
        .filter_map(|it| it["module"].as_str())
        .collect();
    assert_eq!(users, ["deep", "filled", "shallow"]);
    let check = stdout(&at(&["check", ".", "--format", "concise"]));
    assert!(check.contains("plain/terragrunt.hcl") && check.contains("unit-output"), "{check}");
    assert!(!check.contains("deep/") && !check.contains("shallow/"), "{check}");
}

#[test]
fn directories_with_units_are_formatted() {
    let directory = live();
    let write = |path: &str| {
        let path = directory.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "a   = 1\n").unwrap();
    };
    let formatted = || {
        let output = run(directory.path(), &["fmt", "--check", "--quiet", "."]);
        let all = stdout(&output);
        all.lines().map(str::to_owned).collect::<BTreeSet<_>>()
    };
    assert_eq!(formatted(), BTreeSet::new());
    let others = ["live/x/terragrunt.hcl", "common.hcl", "modules/m0/terraform.tfvars"];
    others.iter().for_each(|path| write(path));
    write(".terraform.lock.hcl");
    write("live/.terragrunt-stack/terragrunt.hcl");
    write("live/.boilerplate/terragrunt.hcl");
    assert_eq!(formatted(), others.iter().map(|&it| it.to_owned()).collect());
    // Without units, other files are those of other tools.
    let alone = tree(&[("main.tf", ""), ("job.hcl", "a   = 1\n")]);
    assert_eq!(stdout(&run(alone.path(), &["fmt", "--check", "--quiet", "."])), "");
}

#[test]
fn trees_without_modules_have_units() {
    let unit = "inputs = { a = file(\"../a.txt\") }\n";
    let directory = tree(&[("a/terragrunt.hcl", unit), ("a.txt", "a\n")]);
    let output = run(directory.path(), &["affected", "a.txt", "--format", "json"]);
    let answer = json(&output);
    assert_eq!((&answer["modules"][0]["path"], status(&output)), (&json!("a"), 0));
    assert_eq!(answer["incomplete"], json!([]));
    let output = run(directory.path(), &["check", "."]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    fs::write(directory.path().join("a/terragrunt.hcl"), "inputs = { a = }\n").unwrap();
    assert_eq!(status(&run(directory.path(), &["check", "."])), 1);
}

/// The units that changed files affect; `None` for a gap.
fn affected(directory: &Path, files: &[&str]) -> Option<Vec<String>> {
    fs::write(directory.join("changed"), files.join("\n") + "\n").unwrap();
    let arguments = ["affected", "--files-from", "changed", "--roots", "--format", "json"];
    let output = run(directory, &arguments);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let answer = json(&output);
    if answer["incomplete"] != json!([]) {
        eprintln!("{}", answer["incomplete"]);
        return None;
    }
    let modules = answer["modules"].as_array().unwrap().iter();
    Some(modules.map(|it| it["path"].as_str().unwrap().to_owned()).collect())
}

fn work_tree(files: &[(&str, &str)]) -> TempDir {
    let directory = tree(files);
    fs::create_dir(directory.path().join(".git")).unwrap();
    directory
}

/// Users report that Terragrunt does not see that `file` and such read a file, neither in a unit nor in
/// what it includes.
#[test]
fn files_that_functions_read_affect_units() {
    let directory = work_tree(&[
        ("root.hcl", "locals {\n  all = jsondecode(file(\"${get_repo_root()}/all.json\"))\n}\n"),
        ("all.json", "{}"),
        (
            "a/terragrunt.hcl",
            "include \"root\" {\n  path = \"../root.hcl\"\n}\ninputs = {\n  t = templatefile(\"t.tpl\", {})\n  h = filesha256(\"h.bin\")\n}\n",
        ),
        ("a/t.tpl", "x"),
        ("a/h.bin", "x"),
        ("b/terragrunt.hcl", "inputs = {\n  e = fileexists(\"e\")\n}\n"),
    ]);
    for (file, units) in
        [("all.json", "a"), ("a/t.tpl", "a"), ("a/h.bin", "a"), ("b/e", "b"), ("root.hcl", "a")]
    {
        assert_eq!(affected(directory.path(), &[file]), Some(vec![units.to_owned()]), "{file}");
    }
}

/// Users report that files that are added or deleted below a pattern affect nothing.
#[test]
fn added_and_deleted_files_of_patterns_affect_units() {
    let directory = work_tree(&[
        ("a/terragrunt.hcl", "inputs = {\n  f = fileset(\"conf\", \"*.yaml\")\n}\n"),
        ("b/terragrunt.hcl", "locals {\n  f = mark_glob_as_read(\"conf/**/*.yaml\")\n}\n"),
        (
            "c/terragrunt.hcl",
            "inputs = {\n  f = fileset(\"${get_terragrunt_dir()}/..\", \"shared/**/*.json\")\n}\n",
        ),
        (
            "live/d/terragrunt.hcl",
            "locals {\n  all = mark_glob_as_read(\"{x,y}/[ab].json\")\n}\nterraform {\n  source = \"../../modules/m\"\n}\n",
        ),
        ("modules/m/main.tf", ""),
    ]);
    let path = directory.path();
    let one = |unit: &str| Some(vec![unit.to_owned()]);
    // None of these folders and files exist: they are new or gone.
    for (file, unit) in [
        ("a/conf/x.yaml", "a"),
        ("b/conf/deep/er/x.yaml", "b"),
        ("live/d/y/b.json", "live/d"),
        ("modules/m/inner/new.tf", "live/d"),
    ] {
        assert_eq!(affected(path, &[file]), one(unit), "{file}");
    }
    for file in ["a/conf/x.json", "a/conf/deep/x.yaml", "live/d/z/b.json", "modules/m/notes.md"] {
        assert_ne!(affected(path, &[file]), one("a"), "{file}");
    }
}

/// Users report that what `read_terragrunt_config` reads in stacks is not seen.
#[test]
fn files_that_stacks_read_affect_their_units() {
    let directory = work_tree(&[
        (
            "live/terragrunt.stack.hcl",
            "locals {\n  env = read_terragrunt_config(\"../env.hcl\")\n}\nunit \"app\" {\n  source = \"../units/app\"\n  path   = \"app\"\n  values = { name = local.env.locals.name }\n}\n",
        ),
        ("env.hcl", "locals {\n  name = yamldecode(file(\"name.yaml\")).name\n}\n"),
        ("name.yaml", "name: n\n"),
        ("units/app/terragrunt.hcl", "inputs = {\n  name = values.name\n}\n"),
    ]);
    let unit = "live/.terragrunt-stack/app".to_owned();
    for file in ["env.hcl", "name.yaml", "live/terragrunt.stack.hcl", "units/app/terragrunt.hcl"] {
        let found = affected(directory.path(), &[file]);
        assert!(found.as_ref().is_some_and(|it| it.contains(&unit)), "{file}: {found:?}");
    }
}

/// Users report that dependents of a changed unit are missing, those further away included.
#[test]
fn all_dependents_of_a_unit_are_affected() {
    let directory = work_tree(&[
        ("a/terragrunt.hcl", ""),
        ("b/terragrunt.hcl", "dependency \"a\" {\n  config_path = \"../a\"\n}\n"),
        ("c/terragrunt.hcl", "dependencies {\n  paths = [\"../b\"]\n}\n"),
        ("deps.hcl", "dependency \"c\" {\n  config_path = \"${get_repo_root()}/c\"\n}\n"),
        ("d/terragrunt.hcl", "include \"deps\" {\n  path = \"../deps.hcl\"\n}\n"),
        ("e/terragrunt.hcl", ""),
    ]);
    let all = ["a", "b", "c", "d"].map(str::to_owned);
    assert_eq!(affected(directory.path(), &["a/terragrunt.hcl"]), Some(all.to_vec()));
}

/// Users report that a search finds nothing where it is started in a folder without units, or through
/// a link.
#[test]
fn units_are_found_from_any_folder() {
    let directory = work_tree(&[("x/y/live/a/terragrunt.hcl", ""), ("x/readme.md", "")]);
    for (folder, unit) in [(".", "x/y/live/a\n"), ("x", "y/live/a\n"), ("x/y/live/a", ".\n")] {
        assert_eq!(stdout(&run(&directory.path().join(folder), &["units"])), unit);
        assert_eq!(stdout(&run(directory.path(), &["units", folder])), unit);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("x/y", directory.path().join("link")).unwrap();
        assert_eq!(stdout(&run(directory.path(), &["units", "link"])), "live/a\n");
    }
}

#[test]
fn paths_are_relative() {
    let directory = work_tree(&[
        ("live/a/terragrunt.hcl", "dependencies {\n  paths = [\"../s\"]\n}\n"),
        (
            "live/s/terragrunt.stack.hcl",
            "unit \"u\" {\n  source = \"../none\"\n  path = \"u\"\n}\nlocals {\n  x = read_terragrunt_config(\"../../env.hcl\")\n}\n",
        ),
        (
            "other/b/terragrunt.hcl",
            "include \"none\" {\n  path = \"../../none.hcl\"\n}\ndependencies {\n  paths = [\"../c\"]\n}\n",
        ),
        ("other/c/terragrunt.hcl", ""),
    ]);
    let path = directory.path();
    let real = path.canonicalize().unwrap();
    for arguments in [
        &["units", "live", "--dependencies", "--reading", "--stacks", "--format", "json"][..],
        &["units", "live", "other", "--dependencies", "--reading", "--format", "json"],
        &["units", ".", "--dependencies", "--format", "json"],
    ] {
        let text = stdout(&run(path, arguments));
        assert!(!text.contains(real.to_str().unwrap()), "{arguments:?}: {text}");
    }
    let text = stdout(&run(path, &["units", "live", "other", "--dependencies"]));
    assert!(text.contains("other/b\n    depends on other/c\n"), "{text}");
}

#[test]
fn projects_of_pipelines_have_an_order() {
    let directory = live();
    let print = |format: &str| {
        let arguments = ["affected", "live/net/terragrunt.hcl", "--format", format];
        stdout(&run(directory.path(), &arguments))
    };
    assert_eq!(
        print("atlantis"),
        "version: 3\nprojects:\n\
         - name: \"live/app\"\n  dir: \"live/app\"\n  autoplan:\n    when_modified: [\"../net/terragrunt.hcl\"]\n  depends_on: [\"live/net\"]\n\
         - name: \"live/net\"\n  dir: \"live/net\"\n  autoplan:\n    when_modified: [\"terragrunt.hcl\"]\n"
    );
    assert_eq!(
        print("digger"),
        "projects:\n- name: \"live/app\"\n  dir: \"live/app\"\n  depends_on: [\"live/net\"]\n\
         - name: \"live/net\"\n  dir: \"live/net\"\n"
    );
    assert_eq!(print("list0"), "live/app\0live/net\0");
}

#[test]
fn stacks_of_terramate_are_roots() {
    let directory = work_tree(&[
        ("net/stack.tm.hcl", "stack {\n  watch = [\"/policy.json\"]\n}\n"),
        ("net/main.tf", ""),
        ("app/stack.tm.hcl", "stack {\n  after = [\"/net\"]\n  watch = [\"../shared\"]\n}\n"),
        ("app/main.tf", ""),
        ("other/main.tf", ""),
    ]);
    let path = directory.path();
    let all = |units: &[&str]| Some(units.iter().map(|&it| it.to_owned()).collect::<Vec<_>>());
    assert_eq!(affected(path, &["policy.json"]), all(&["net"]));
    assert_eq!(affected(path, &["shared/x/y.txt"]), all(&["app"]));
    assert_eq!(affected(path, &["app/stack.tm.hcl"]), all(&["app"]));
    assert_eq!(affected(path, &["app/main.tf"]), all(&["app"]));
    // Every file that a stack watches is known, and folders that are gone.
    assert_eq!(affected(path, &["shared/x.txt", "shared/y.txt"]), all(&["app"]));
    assert_eq!(affected(path, &["shared/x/"]), all(&["app"]));
    assert_eq!(affected(path, &["shared/"]), all(&["app"]));
    let output = run(path, &["affected", "app/main.tf", "net/main.tf", "--format", "digger"]);
    assert!(stdout(&output).contains("  depends_on: [\"net\"]\n"), "{}", stdout(&output));
}

/// A module outside of the given folder and its work tree is not opened, also if a unit names it.
#[cfg(unix)]
#[test]
fn modules_outside_are_not_read() {
    let directory = tree(&[
        ("repository/.git/HEAD", ""),
        (
            "repository/u/terragrunt.hcl",
            "terraform {\n  source = \"../../outside\"\n}\ninputs = {\n  a = 1\n}\n",
        ),
        (
            "repository/v/terragrunt.hcl",
            "terraform {\n  source = \"../module\"\n}\ninputs = {\n  a = 1\n}\n",
        ),
        ("repository/module/main.tf", "variable \"own\" {}\n"),
        ("repository/w/terragrunt.hcl", "terraform {\n  source = \"../linked\"\n}\n"),
        ("repository/linked/main.tf", ""),
        ("outside/main.tf", "variable \"hidden_name\" {}\n"),
    ]);
    let repository = directory.path().join("repository");
    std::os::unix::fs::symlink("../../outside/main.tf", repository.join("linked/linked.tf"))
        .unwrap();
    let check = |flags: &[&str]| {
        let output = run(&repository, &[&["check", ".", "--format", "concise"], flags].concat());
        stdout(&output) + &stderr(&output)
    };
    let said = check(&[]);
    assert!(!said.contains("hidden_name"), "{said}");
    assert!(said.contains("own"), "{said}");
    assert!(check(&["--follow-links"]).contains("hidden_name"));
}

/// Returns the findings of `check`: `file:line:column code`.
fn checked(directory: &Path) -> Vec<String> {
    let answer = json(&run(directory, &["check", ".", "--format", "json"]));
    let findings = answer["diagnostics"].as_array().unwrap().iter();
    let text = |it: &Value| {
        let (range, code) = (&it["range"], it["code"].as_str().unwrap());
        let start = &range["start"];
        format!(
            "{}:{}:{} {code}",
            range["filename"].as_str().unwrap(),
            start["line"],
            start["column"]
        )
    };
    findings.map(text).collect()
}

/// Each kind of finding, in both syntaxes.
#[test]
fn findings_have_exact_places() {
    const MODULES: [(&str, &str); 2] = [
        ("m/main.tf", "variable \"size\" {}\noutput \"size\" {\n  value = var.size\n}\n"),
        ("dep/terragrunt.hcl", "terraform {\n  source = \"../m\"\n}\ninputs = {\n  size = 1\n}\n"),
    ];
    // The configuration in both syntaxes, with the text at the place of the finding in each, and its code.
    let cases: [(&str, &str, &str, &str, &str); 11] = [
        (
            "include \"a\" {\n  path           = \"../dep/terragrunt.hcl\"\n  merge_strategy = \"Deep\"\n}\n",
            "\"Deep\"",
            "{\"include\": {\"a\": {\"path\": \"../dep/terragrunt.hcl\", \"merge_strategy\": \"Deep\"}}}",
            "\"Deep\"",
            "unit-configuration",
        ),
        (
            "include \"a\" {\n  path = \"../none.hcl\"\n}\n",
            "\"../none.hcl\"",
            "{\"include\": {\"a\": {\"path\": \"../none.hcl\"}}}",
            "\"../none.hcl\"",
            "unit-include",
        ),
        (
            "dependency \"d\" {\n  config_path = \"../none\"\n}\n",
            "\"../none\"",
            "{\"dependency\": {\"d\": {\"config_path\": \"../none\"}}}",
            "\"../none\"",
            "unit-dependency",
        ),
        (
            "dependencies {\n  paths = [\"../none\"]\n}\n",
            "[\"../none\"]",
            "{\"dependencies\": {\"paths\": [\"../none\"]}}",
            "[\"../none\"]",
            "unit-dependency",
        ),
        (
            "dependencies {\n  paths = [\".\"]\n}\n",
            "[\".\"]",
            "{\"dependencies\": {\"paths\": [\".\"]}}",
            "[\".\"]",
            "unit-cycle",
        ),
        (
            "terraform {\n  source = \"../m\"\n}\ndependency \"d\" {\n  config_path = \"../dep\"\n}\ninputs = {\n  size = dependency.d.outputs.none\n}\n",
            "dependency.d.outputs.none",
            "{\"terraform\": {\"source\": \"../m\"}, \"dependency\": {\"d\": {\"config_path\": \"../dep\"}}, \"inputs\": {\"size\": \"${dependency.d.outputs.none}\"}}",
            "dependency.d.outputs.none",
            "unit-output",
        ),
        (
            "terraform {\n  source = \"../m\"\n}\ninputs = {\n  size  = 1\n  other = 2\n}\n",
            "other",
            "{\"terraform\": {\"source\": \"../m\"}, \"inputs\": {\"size\": 1, \"other\": 2}}",
            "\"other\"",
            "unit-input",
        ),
        (
            "terraform {\n  source = \"../m\"\n}\ninputs = {}\n",
            "{}",
            "{\"terraform\": {\"source\": \"../m\"}, \"inputs\": {}}",
            "{}",
            "missing-input",
        ),
        ("nonsense = 1\n", "nonsense", "{\"nonsense\": 1}", "\"nonsense\"", "unsupported-argument"),
        (
            "terraform {\n  before_hook \"h\" {\n    commands = []\n    execute = [\"a\"]\n    more = 1\n  }\n}\n",
            "more",
            "{\"terraform\": {\"before_hook\": {\"h\": {\"commands\": [], \"execute\": [\"a\"], \"more\": 1}}}}",
            "\"more\"",
            "unsupported-argument",
        ),
        (
            "locals {\n  a = dependency.x.outputs.y\n}\n",
            "dependency.x",
            "{\"locals\": {\"a\": \"${dependency.x.outputs.y}\"}}",
            "\"${dependency.x",
            "unit-configuration",
        ),
    ];
    for (native, native_at, text, text_at, code) in cases {
        for (name, text, at) in
            [("terragrunt.hcl", native, native_at), ("terragrunt.hcl.json", text, text_at)]
        {
            let path = format!("u/{name}");
            let directory = work_tree(&MODULES);
            fs::create_dir(directory.path().join("u")).unwrap();
            fs::write(directory.path().join("u/terragrunt.hcl"), "").unwrap();
            fs::write(directory.path().join(&path), text).unwrap();
            let before = &text[..text.find(at).unwrap()];
            let (line, column) = match before.rfind('\n') {
                Some(end) => (before.matches('\n').count() + 1, before.len() - end),
                None => (1, before.len() + 1),
            };
            // A member of an object in JSON has a code of its own.
            let code = match code {
                "unsupported-argument" if name.ends_with(".json") => "extraneous-property",
                code => code,
            };
            let expected = format!("{path}:{line}:{column} {code}");
            assert_eq!(checked(directory.path()), [expected], "{text}");
        }
    }
}

/// Generated stacks are checked in place of their sources, and included files are not run.
#[test]
fn check_knows_templates_and_included_units() {
    let directory = work_tree(&[
        (
            "modules/m/main.tf",
            "variable \"name\" {}\nvariable \"size\" {}\noutput \"all\" {\n  value = [var.name, var.size]\n}\n",
        ),
        (
            "live/terragrunt.stack.hcl",
            "unit \"a\" {\n  source = \"../units/m\"\n  path   = \"a\"\n  values = { name = \"n\", size = 1 }\n}\n",
        ),
        (
            "units/m/terragrunt.hcl",
            "terraform {\n  source = \"${get_repo_root()}/modules/m\"\n}\ninputs = {\n  name = values.name\n  size = values.size\n}\n",
        ),
        ("catalog/x/terragrunt.hcl", "inputs = {\n  x = values.x\n}\n"),
        ("old/terragrunt.hcl", "terraform {\n  source = \"../modules/m\"\n}\n"),
        (
            "old/u/terragrunt.hcl",
            "include \"root\" {\n  path = find_in_parent_folders()\n}\ninputs = {\n  name = \"n\"\n  size = 1\n}\n",
        ),
        ("far/terragrunt.hcl", "dependencies {\n  paths = [\"/nowhere/else\"]\n}\n"),
    ]);
    let none: [&str; 0] = [];
    assert_eq!(checked(directory.path()), none);
    let unit = directory.path().join("units/m/terragrunt.hcl");
    let text = fs::read_to_string(&unit).unwrap();
    fs::write(&unit, text.replace("values.size", "nonsense(values.size)")).unwrap();
    assert_eq!(checked(directory.path()), ["units/m/terragrunt.hcl:6:10 unknown-function"]);
}

#[test]
fn trees_of_terragrunt_are_checked_without_false_alarms() {
    for case in cases("terragrunt") {
        let expected: Value =
            serde_json::from_slice(&fs::read(case.join("expected.json")).unwrap()).unwrap();
        if expected["clean"] != true {
            continue;
        }
        let directory = copied(&case);
        let mut flags: Vec<String> = Vec::new();
        if expected["args"].as_array().is_some_and(|it| !it.is_empty()) {
            continue;
        }
        flags.extend(["check", ".", "--format", "json"].map(str::to_owned));
        let arguments: Vec<&str> = flags.iter().map(String::as_str).collect();
        let answer = json(&run(directory.path(), &arguments));
        let findings = answer["diagnostics"].as_array().unwrap();
        let is_of_units = |it: &&Value| {
            let file = it["range"]["filename"].as_str().unwrap();
            file.ends_with(".hcl") || file.ends_with(".hcl.json")
        };
        // In some trees the inputs of a unit differ from the variables of its module, which Terragrunt does not check.
        let is_about_inputs =
            |it: &&Value| it["code"] == "unit-input" || it["code"] == "missing-input";
        let errors = findings.iter().filter(is_of_units).filter(|it| it["severity"] == "error");
        let errors: Vec<&Value> = errors.filter(|it| !is_about_inputs(it)).collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", case.display());
    }
}

#[test]
fn stacks_of_terraform_call_modules() {
    let directory = work_tree(&[
        (
            "stack/main.tfcomponent.hcl",
            "variable \"size\" {\n  type = number\n}\ncomponent \"net\" {\n  source = \"../modules/net\"\n  inputs = { size = var.size }\n}\n\
             component \"app\" {\n  source = \"../modules/app\"\n  inputs = { id = component.net.id }\n}\n",
        ),
        ("stack/all.tfdeploy.hcl", "deployment \"prod\" {\n  inputs = { size = 1 }\n}\n"),
        ("modules/net/main.tf", "variable \"size\" {}\noutput \"id\" {\n  value = var.size\n}\n"),
        ("modules/app/main.tf", "variable \"id\" {}\nmodule \"sub\" {\n  source = \"../sub\"\n}\n"),
        ("modules/sub/main.tf", ""),
    ]);
    let path = directory.path();
    for file in ["modules/net/main.tf", "modules/sub/main.tf", "stack/main.tfcomponent.hcl"] {
        assert_eq!(affected(path, &[file]), Some(vec!["stack".to_owned()]), "{file}");
    }
    let answer = json(&run(path, &["graph", "--format", "json"]));
    let edges: BTreeSet<String> = answer["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {}", it["from"].as_str().unwrap(), it["to"].as_str().unwrap()))
        .collect();
    for edge in [
        "stack:component.net stack:var.size",
        "stack:component.app stack:component.net",
        "stack:component.app modules/net:output.id",
        "modules/net:var.size stack:component.net",
        "modules/app:var.id stack:component.app",
    ] {
        assert!(edges.contains(edge), "{edge}: {edges:#?}");
    }
    let answer = json(&run(path, &["graph", "--modules", "--format", "json"]));
    assert!(
        answer["edges"]
            .as_array()
            .unwrap()
            .contains(&json!({"from": "stack", "to": "modules/net"}))
    );
}

/// The gaps of a unit.
fn whys(directory: &Path, unit: &str, flags: &[&str]) -> Vec<String> {
    let answer =
        json(&run(directory, &[&["units", ".", "--render", "--format", "json"], flags].concat()));
    let gaps = answer["incomplete"].as_array().unwrap().iter();
    let gaps = gaps.filter(|gap| texts(&gap["where"]).contains(&unit));
    gaps.map(|gap| gap["why"].as_str().unwrap().to_owned()).collect()
}

/// Configurations that Terragrunt refuses, as in its own fixtures.
#[test]
fn what_terragrunt_refuses_is_said() {
    let include = "include {\n  path = \"../root.hcl\"\n}\n";
    let hook = |execute: &str| {
        format!(
            "terraform {{\n  before_hook \"h\" {{\n    commands = [\"plan\"]\n    execute  = {execute}\n  }}\n}}\n"
        )
    };
    let generate = "generate \"g\" {\n  path      = \"g.tf\"\n  if_exists = \"overwrite\"\n  contents  = \"\"\n  mutable   = true\n}\n";
    let directory = work_tree(&[
        ("root.hcl", ""),
        ("one/terragrunt.hcl", include),
        ("two/terragrunt.hcl", &include.repeat(2)),
        ("none/terragrunt.hcl", &hook("[]")),
        ("empty/terragrunt.hcl", &hook("[\"\", \"a\"]")),
        ("some/terragrunt.hcl", &hook("[\"a\", \"\"]")),
        ("mutable/terragrunt.hcl", generate),
        (
            "marks/terragrunt.hcl",
            "locals {\n  a = [for f in split(\" \", run_cmd(\"ls\")) : mark_as_read(f)]\n}\n",
        ),
        (
            "marked/terragrunt.hcl",
            "locals {\n  a = mark_as_read(\"a.txt\")\n  b = run_cmd(\"ls\")\n}\n",
        ),
    ]);
    let path = directory.path();
    for unit in ["one", "some", "marked"] {
        assert_eq!(whys(path, unit, &[]), Vec::<String>::new(), "{unit}");
    }
    assert_eq!(whys(path, "two", &[]), ["two include blocks have no label"]);
    for unit in ["none", "empty"] {
        assert_eq!(whys(path, unit, &[]), ["execute of before_hook \"h\" has no command"]);
    }
    assert!(whys(path, "mutable", &[])[0].contains("mutable-generate"));
    assert_eq!(whys(path, "mutable", &["--experiment", "mutable-generate"]), Vec::<String>::new());
    assert!(whys(path, "marks", &[])[0].contains("mark_as_read"));
}

fn listed(directory: &Path) -> Value {
    json(&run(directory, &["units", ".", "--reading", "--dependencies", "--format", "json"]))
}

#[test]
fn modules_beside_their_unit_are_read() {
    let unit = "terraform {\n  source = \".\"\n}\n";
    let directory = work_tree(&[("terragrunt.hcl", unit), ("main.tf", ""), ("sub/a.hcl", "")]);
    let answer = listed(directory.path());
    assert_eq!(answer["units"][0]["reading"], json!(["main.tf", "sub/a.hcl", "terragrunt.hcl"]));
    // Of a generated unit, also what the stack writes beside it.
    let stack = "unit \"a\" {\n  source = \"../a\"\n  path   = \"a\"\n  values = { x = 1 }\n  autoinclude {\n    inputs = {}\n  }\n}\n";
    let directory = work_tree(&[
        ("a/terragrunt.hcl", "terraform {\n  source = \".\"\n}\ninputs = { x = values.x }\n"),
        ("a/main.tf", ""),
        ("live/terragrunt.stack.hcl", stack),
    ]);
    let answer =
        json(&run(directory.path(), &["units", ".", "--reading", "--stacks", "--format", "json"]));
    let units = answer["units"].as_array().unwrap();
    let made = units.iter().find(|it| it["path"] == "live/.terragrunt-stack/a").unwrap();
    let names =
        ["main.tf", "terragrunt.autoinclude.hcl", "terragrunt.hcl", "terragrunt.values.hcl"];
    let names = names.map(|name| format!("live/.terragrunt-stack/a/{name}"));
    assert_eq!(made["reading"], json!(names), "{answer}");
}

#[test]
fn stacks_have_the_files_that_they_read() {
    let stack = "locals {\n  all = read_terragrunt_config(find_in_parent_folders(\"common.hcl\"))\n  t   = file(\"t.txt\")\n}\n\
                 include \"more\" {\n  path = \"../more.hcl\"\n}\n\
                 unit \"a\" {\n  source = \"../a\"\n  path   = local.all.locals.path\n}\n";
    let template = "unit \"a\" {\n  source = \"../a\"\n  path   = values.path\n}\n";
    let directory = work_tree(&[
        ("common.hcl", "locals {\n  path = \"x\"\n}\n"),
        ("more.hcl", ""),
        ("a/terragrunt.hcl", ""),
        ("live/terragrunt.stack.hcl", stack),
        ("live/t.txt", ""),
        ("template/terragrunt.stack.hcl", template),
        (
            "broken/terragrunt.stack.hcl",
            "unit \"a\" {\n  source = \"../a\"\n  path   = local.gone\n}\n",
        ),
    ]);
    let answer = listed(directory.path());
    let units = answer["units"].as_array().unwrap();
    let live = units.iter().find(|it| it["path"] == "live").unwrap();
    assert_eq!(live["reading"], json!(["common.hcl", "more.hcl"]));
    assert_eq!(live["also_reading"], json!(["live/t.txt"]));
    // A stack that others are generated from lacks values.
    let gaps = answer["incomplete"].as_array().unwrap();
    assert_eq!(gaps.len(), 1, "{gaps:?}");
    assert!(is_named(&answer, "broken"));
}

#[test]
fn files_of_filters_decide_what_is_listed() {
    let units = ["a", "b", "c/a", "c/b", "c/d/b"].map(|it| format!("{it}/terragrunt.hcl"));
    let mut files: Vec<(&str, &str)> = units.iter().map(|it| (it.as_str(), "")).collect();
    files
        .push(("s/terragrunt.stack.hcl", "unit \"a\" {\n  source = \"../a\"\n  path = \"a\"\n}\n"));
    let directory = work_tree(&files);
    let paths = |filters: Option<&str>, excludes: Option<&str>| {
        for (name, text) in [(".terragrunt-filters", filters), (".terragrunt-excludes", excludes)] {
            let path = directory.path().join(name);
            match text {
                Some(text) => fs::write(path, text).unwrap(),
                None => drop(fs::remove_file(path)),
            }
        }
        let answer = json(&run(directory.path(), &["units", ".", "--format", "json"]));
        let units = answer["units"].as_array().unwrap().iter();
        let units: Vec<_> = units.map(|it| it["path"].as_str().unwrap().to_owned()).collect();
        (units.join(" "), answer["incomplete"].as_array().unwrap().len())
    };
    let all = "a b c/a c/b c/d/b s";
    for (filters, excludes, expected) in [
        (None, None, all),
        (Some(""), Some("# nothing\n\n"), all),
        (None, Some("a/\n"), "b c/a c/b c/d/b s"),
        (None, Some("a\n"), "b c/b c/d/b s"),
        (None, Some("./c/**\n"), "a b s"),
        (None, Some("c/*\r\ntype=stack\n"), "a b c/d/b"),
        (Some("./c/*\n"), None, "c/a c/b"),
        (Some("name=b\n{a}\n"), None, "a b c/b c/d/b"),
        (Some("./c/** | !b\n"), None, "c/a"),
        (Some("./c/**\n!b\n"), Some("x\n"), "c/a"),
        (Some("type=unit\n"), Some("c/d/b\n"), "a b c/a c/b"),
    ] {
        assert_eq!(paths(filters, excludes), (expected.to_owned(), 0), "{filters:?} {excludes:?}");
    }
    // Filters by dependencies, revisions and files are not applied, and said so.
    for filter in ["a...", "[main...HEAD]", "reading=x.hcl", "^a", "(.)...a"] {
        assert_eq!(paths(Some(filter), None), (all.to_owned(), 1), "{filter}");
    }
}

#[test]
fn checks_reach_dependencies_beside_the_folder() {
    let unit = "terraform {\n  source = \"../m\"\n}\ndependency \"net\" {\n  config_path = \"../net\"\n}\ninputs = {\n  id = dependency.net.outputs.none\n}\n";
    let directory = work_tree(&[
        ("m/main.tf", "variable \"id\" {}\noutput \"id\" {\n  value = var.id\n}\n"),
        ("net/terragrunt.hcl", "terraform {\n  source = \"../m\"\n}\nnonsense = 1\n"),
        ("app/terragrunt.hcl", unit),
    ]);
    // Errors of the other unit are no findings here.
    assert_eq!(checked(&directory.path().join("app")), ["terragrunt.hcl:8:8 unit-output"]);
}

#[test]
fn checks_know_hooks_includes_and_generated_providers() {
    let generate = "generate \"g\" {\n  path      = \"g.tf\"\n  if_exists = \"overwrite\"\n  contents  = <<E\nprovider \"aws\" {\n  alias = \"eu\"\n}\nE\n}\n";
    let resource =
        |alias: &str| format!("resource \"aws_x\" \"y\" {{\n  provider = aws.{alias}\n}}\n");
    let directory = work_tree(&[
        ("root.hcl", ""),
        ("m/main.tf", &resource("eu")),
        ("n/main.tf", &resource("us")),
        ("a/terragrunt.hcl", &format!("terraform {{\n  source = \"../m\"\n}}\n{generate}")),
        ("b/terragrunt.hcl", &format!("terraform {{\n  source = \"../n\"\n}}\n{generate}")),
        (
            "c/terragrunt.hcl",
            "terraform {\n  after_hook \"h\" {\n    commands = []\n    execute  = []\n  }\n}\n",
        ),
        (
            "d/terragrunt.hcl",
            "include {\n  path = \"../root.hcl\"\n}\ninclude {\n  path = \"../root.hcl\"\n}\n",
        ),
    ]);
    assert_eq!(
        checked(directory.path()),
        [
            "c/terragrunt.hcl:2:3 unit-configuration",
            "d/terragrunt.hcl:4:1 unit-configuration",
            "n/main.tf:2:14 undeclared-provider",
        ]
    );
}
