//! `decode --spec`: the output of hcldec, and the specification suite of hashicorp/hcl.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::tool::{json, run, status, stderr, stdout, tree};

/// Cases with a different answer, and the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("set of objects", "their order is not defined"),
    ("default of a required attribute", "it is missing once, at the end of the file"),
    ("too few blocks", "they are missing at the end of the file"),
    ("several files without an attribute", "it is missing in the first file"),
    ("block without a specification", "it is missing at the end of the block"),
    ("block without a type", "it is missing at the end of the block"),
    ("transform of two", "the second is too many"),
    ("map without labels", "the labels are at their place"),
    ("type that is text", "the type is at its place"),
    ("type with an optional attribute", "one diagnostic for one fact"),
];

fn write(directory: &Path, name: &str, text: &str) {
    fs::write(directory.join(name), text).unwrap();
}

struct Case<'t> {
    name: &'t str,
    flags: Vec<&'t str>,
    inputs: Vec<&'t str>,
    files: BTreeMap<&'t str, String>,
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/conformance/hcldec")
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    for case in text.split("=== ").skip(1) {
        let (name, rest) = case.split_once('\n').unwrap();
        let mut case =
            Case { name, flags: Vec::new(), inputs: vec!["a.hcl"], files: BTreeMap::new() };
        let mut last = None;
        for line in rest.lines() {
            if let Some(flags) = line.strip_prefix("--- flags ") {
                case.flags = flags.split_whitespace().collect();
            } else if let Some(inputs) = line.strip_prefix("--- input ") {
                case.inputs = inputs.split_whitespace().collect();
            } else if let Some(name) = line.strip_prefix("--- ") {
                last = Some(case.files.entry(name).or_default());
            } else if let Some(text) = &mut last {
                text.push_str(line);
                text.push('\n');
            }
        }
        cases.push(case);
    }
    cases
}

/// Returns the positions of diagnostics by file and line.
fn places<'v>(
    diagnostics: &'v Value,
    place: impl Fn(&'v Value) -> [&'v Value; 2],
) -> BTreeSet<String> {
    let all = diagnostics.as_array().unwrap().iter();
    all.map(|diagnostic| format!("{:?}", place(diagnostic))).collect()
}

#[test]
fn cases_print_what_hcldec_prints() {
    let text = fs::read_to_string(corpus().join("cases.txt")).unwrap();
    let expected = fs::read_to_string(corpus().join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let cases = cases(&text);
    assert_eq!(cases.len(), expected.as_object().unwrap().len());
    for Case { name, flags, inputs, files } in cases {
        let tree = tree(&[]);
        for (name, text) in files {
            write(tree.path(), name, &text);
        }
        let spec = ["decode", "--spec", "spec.hcldec", "--diags=json"];
        let output = run(tree.path(), &[&spec[..], &flags, &inputs].concat());
        let expected = &expected[name];
        let exception = EXCEPTIONS.iter().any(|(known, _)| *known == name);
        assert_eq!(status(&output), expected["status"].as_i64().unwrap() as i32, "{name}");
        if let Some(text) = expected["output"].as_str() {
            let ours = stdout(&output);
            let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            let is_same = match (exception, flags.contains(&"--var-refs")) {
                (true, _) => {
                    let sorted = |text: &str| {
                        let elements = parse(text);
                        let mut elements = elements.as_array().unwrap().clone();
                        elements.sort_by_key(Value::to_string);
                        elements
                    };
                    sorted(&ours) == sorted(text)
                }
                // Go escapes some characters that need no escape.
                (false, true) => parse(&ours) == parse(text),
                (false, false) => ours == text,
            };
            assert!(is_same, "{name}: {ours}");
            assert_eq!(stderr(&output), "", "{name}");
        } else if expected.get("error").is_none() {
            assert_eq!(stdout(&output), "", "{name}");
            let ours: Value = serde_json::from_str(&stderr(&output)).unwrap();
            let ours = places(&ours["diagnostics"], |it| {
                [&it["subject"]["filename"], &it["subject"]["start"]["line"]]
            });
            let theirs = places(&expected["diagnostics"], |it| [&it["file"], &it["line"]]);
            assert_eq!(ours != theirs, exception, "{name}: {ours:?}, hcldec: {theirs:?}");
        }
    }
}

#[test]
fn specifications_have_more_than_hcldec_reads() {
    let tree = tree(&[
        (
            "s.hcldec",
            "object {\n  block_tuple \"a\" {\n    attr {\n      name = \"b\"\n    }\n  }\n  \
             block_attrs \"c\" {\n    element_type = number\n  }\n  refine \"d\" {\n    \
             not_null = true\n    attr {\n      name = \"d\"\n    }\n  }\n}\n",
        ),
        ("a.hcl", "a {\n  b = []\n}\na {\n  b = true\n}\nc {\n  x = \"1\"\n  y = 2\n}\nd = 1\n"),
        ("b.hcl", "d = null\nc {\n  x = []\n}\n"),
        ("c.hcl", "c {\n}\nc {\n}\n"),
    ]);
    let decode = |file| run(tree.path(), &["decode", "--spec", "s.hcldec", "--diags=json", file]);
    assert_eq!(stdout(&decode("a.hcl")), "{\"a\":[[],true],\"c\":{\"x\":1,\"y\":2},\"d\":1}\n");
    let codes = |file| {
        let output = decode(file);
        assert_eq!(status(&output), 2);
        let lines: Value = serde_json::from_str(&stderr(&output)).unwrap();
        let lines = lines["diagnostics"].as_array().unwrap().iter();
        lines.map(|it| it["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes("b.hcl"), ["argument-type", "spec-null"]);
    assert_eq!(codes("c.hcl"), ["block-count", "spec-null"]);
}

#[test]
fn warnings_do_not_change_the_exit_status() {
    let tree = tree(&[
        ("s.hcldec", "default {\n  attr {\n    name = \"a\"\n  }\n}\n"),
        ("a.hcl", "a = 1\n"),
    ]);
    let output = run(tree.path(), &["decode", "--spec", "s.hcldec", "a.hcl"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, "1\n"));
    assert!(stderr(&output).contains("useless-default"), "{}", stderr(&output));
}

#[test]
fn specifications_nest_to_a_limit() {
    let nested = |levels| {
        let open = "block {\nblock_type = \"b\"\n".repeat(levels);
        format!("{open}literal {{\nvalue = 1\n}}\n{}", "}\n".repeat(levels))
    };
    let tree = tree(&[("a.hcl", &("b {\n".repeat(99) + &"}\n".repeat(99)))]);
    write(tree.path(), "s.hcldec", &nested(99));
    let decode = || run(tree.path(), &["decode", "--spec", "s.hcldec", "a.hcl"]);
    assert_eq!(stdout(&decode()), "1\n");
    write(tree.path(), "s.hcldec", &nested(100));
    assert!(stderr(&decode()).contains("spec-depth"));
    write(tree.path(), "s.hcldec", &nested(9_000));
    assert!(stderr(&decode()).contains("spec-depth"));
}

#[test]
fn the_value_goes_to_a_file() {
    let tree = tree(&[("s.hcldec", "literal {\n  value = [1]\n}\n"), ("a.hcl", "")]);
    let output = run(tree.path(), &["decode", "-s", "s.hcldec", "-o", "out.json", "a.hcl"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""));
    assert_eq!(fs::read_to_string(tree.path().join("out.json")).unwrap(), "[1]\n");
    // Nothing is written after an error.
    write(tree.path(), "a.hcl", "a = 1\n");
    fs::remove_file(tree.path().join("out.json")).unwrap();
    let output = run(tree.path(), &["decode", "-s", "s.hcldec", "-o", "out.json", "a.hcl"]);
    assert_eq!(status(&output), 2);
    assert!(!tree.path().join("out.json").exists());
}

#[test]
fn flags_of_specifications_need_one() {
    let tree = tree(&[("a.hcl", ""), ("b.hcl", ""), ("s.json", "{}")]);
    for flags in [
        &["a.hcl"][..],
        &["a.hcl", "b.hcl", "--schema", "s.json"],
        &["a.hcl", "--schema", "s.json", "--var-refs"],
        &["a.hcl", "--schema", "s.json", "--diags=json"],
        &["a.hcl", "--schema", "s.json", "--vars", "s.json", "--vars", "s.json"],
        &["a.hcl", "--schema", "s.json", "--spec", "s.json"],
    ] {
        assert_eq!(status(&run(tree.path(), &[&["decode"], flags].concat())), 2, "{flags:?}");
    }
}

/// The cases of the specification suite: `SIMD_HCL_SPECSUITE` is the directory `specsuite/tests` of
/// hashicorp/hcl.
#[test]
fn the_specification_suite_passes() {
    let Some(suite) = std::env::var_os("SIMD_HCL_SPECSUITE") else {
        eprintln!("skipped: SIMD_HCL_SPECSUITE names no directory");
        return;
    };
    let mut open = vec![PathBuf::from(suite)];
    let mut passed = 0;
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "t") {
                for input in [path.with_extension("hcl"), path.with_extension("hcl.json")] {
                    if input.exists() {
                        suite_case(&path, &input);
                    }
                }
                passed += 1;
            }
        }
    }
    assert_eq!(passed, 15);
}

/// Decodes the expectations of a case by our own specification, and compares.
fn suite_case(case: &Path, input: &Path) {
    let tree = tree(&[("expected.hcldec", EXPECTED)]);
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let (case, spec, input) = (path(case), path(&case.with_extension("hcldec")), path(input));
    let expected =
        run(tree.path(), &["decode", "--spec", "expected.hcldec", "--keep-nulls", &case]);
    let expected = json(&expected);
    let arguments = ["decode", "--spec", &spec, "--diags=json", "--with-type", "--keep-nulls"];
    let output = run(tree.path(), &[&arguments[..], &[input.as_str()]].concat());
    let place = |range: &Value, first: &str, last: &str| {
        let place = |end: &Value| {
            [end["line"].to_string(), end["column"].to_string(), end["byte"].to_string()]
        };
        [place(&range[first]), place(&range[last])]
    };
    if let Some(wanted) = expected["diagnostics"].as_array().filter(|it| !it.is_empty()) {
        assert_eq!(status(&output), 2, "{input}");
        let found: Value = serde_json::from_str(&stderr(&output)).unwrap();
        let found = found["diagnostics"].as_array().unwrap().iter();
        let found: BTreeSet<_> = found.map(|it| place(&it["subject"], "start", "end")).collect();
        let wanted: BTreeSet<_> = wanted.iter().map(|it| place(it, "from", "to")).collect();
        assert_eq!(found, wanted, "{input}");
        return;
    }
    assert_eq!(status(&output), 0, "{input}: {}", stderr(&output));
    let decoded = json(&output);
    let value = if decoded.is_object() { &decoded["value"] } else { &decoded };
    if !expected["result"].is_null() {
        assert_eq!(*value, expected["result"], "{input}");
    }
    if !expected["result_type"].is_null() && decoded.is_object() {
        assert_eq!(decoded["type"], expected["result_type"], "{input}");
    }
}

/// The specification of expectations.
const EXPECTED: &str = r#"
variables {
  string = "string"
  number = "number"
  bool   = "bool"
  any    = "dynamic"
}
function "object" {
  params = [attributes]
  result = ["object", attributes]
}
function "map" {
  params = [element]
  result = ["map", element]
}
object {
  attr "result" {
  }
  attr "result_type" {
  }
  block "traversals" {
    object {}
  }
  block "diagnostics" {
    block_list {
      block_type = "error"
      object {
        block "from" {
          object {
            attr "line" {}
            attr "column" {}
            attr "byte" {}
          }
        }
        block "to" {
          object {
            attr "line" {}
            attr "column" {}
            attr "byte" {}
          }
        }
      }
    }
  }
}
"#;
