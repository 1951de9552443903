//! Paths that are known in part: a changed file that may be meant is a gap.

use std::path::Path;

use serde_json::Value;

use crate::tool::{json, run, tree};

/// The places of the gaps of an answer, and the root modules that it has.
fn gaps(directory: &Path, file: &str) -> (Vec<String>, Vec<String>) {
    let answer = json(&run(directory, &["affected", "--format", "json", "--roots", file]));
    let texts = |all: &Value, member: &str| {
        let all = all.as_array().into_iter().flatten();
        let texts = all.filter_map(|it| match &it[member] {
            Value::Array(places) => Some(places[0].as_str()?.to_owned()),
            other => Some(other.as_str()?.to_owned()),
        });
        texts.collect::<Vec<_>>()
    };
    (texts(&answer["incomplete"], "where"), texts(&answer["modules"], "path"))
}

/// Each argument alone in a module, a file that it may mean, and one that it cannot.
#[test]
fn what_goes_on_after_an_unknown_part_is_known() {
    let cases = [
        ("source_dir = \"${path.module}/fn/${var.x}/src\"", "fn/a/src/index.py", "fn/a/other.py"),
        ("source_dir = \"${path.module}/fn/${var.x}/src\"", "fn/a/src/b/c.py", "fn/src.py"),
        ("source_dir = \"fn/${var.x}/src/\"", "fn/a/src/index.py", "fn/a/index.py"),
        ("source_dir = \"${path.module}/fn/${var.x}/./src//lib\"", "fn/a/src/lib/x", "fn/a/x"),
        ("source_dir = \"${path.module}/fn/${var.x}\"", "fn/a/b/c.py", "other/a.py"),
        ("source_dir = \"fn/${var.x}\"", "fn/a/b/c.py", "other/a.py"),
        ("source_dir = \"${var.x}/src/\"", "a/src/c.py", "a/c.py"),
        ("chart = \"${path.module}/charts/${var.x}/\"", "charts/a/Chart.yaml", "other/a"),
        ("chart = \"./charts/${var.x}-v1/\"", "charts/a-v1/templates/a", "charts/a/b"),
        ("source = \"conf/${var.x}/files\"", "conf/a/files/b", "conf/a/b"),
        ("working_dir = \"${path.root}/wd/${var.x}/sub\"", "wd/a/sub/b", "wd/a/b"),
        ("command = \"cd ${path.module}/wd/${var.x}/sub && make\"", "wd/a/sub/b", "wd/a/b"),
        ("a = { b = [\"${path.module}/fn/${var.x}/src\"] }", "fn/a/src/index.py", "fn/a/other.py"),
        ("a = file(\"${path.module}/fn/${var.x}/../c.json\")", "c.json", "fn/d.json"),
        ("a = fileset(\"${path.module}/fn/${var.x}/src\", \"**\")", "fn/a/src/b/c", "other/c"),
        ("source_dir = format(\"%s/fn/%s/src\", path.module, var.x)", "fn/a/src/b", "fn/a/b"),
        ("source_dir = join(\"/\", [\"fn\", var.x, \"src\"])", "fn/a/src/b", "fn/a/b"),
        ("source_dir = abspath(\"fn/${var.x}/src\")", "fn/a/src/b", "fn/a/b"),
        ("source_dir = local.directory", "local/a/src/b", "local/a/b"),
        ("source_dir = \"src-${terraform.workspace}\"", "src-prod/a.py", "other/a.py"),
        ("source_dir = \"src-${a_b.other.id}\"", "src-prod/a.py", "other/a.py"),
        ("filename = \"${var.x}.zip\"", "a.zip", "a.tar"),
        (
            "filename = join(\"/\", concat([\"zip\"], split(\"-\", var.x), [\"c.zip\"]))",
            "zip/a/b/c.zip",
            "zip/c",
        ),
        (
            "filename = join(\"/\", concat([\"zip\"], split(\"-\", var.x), [\"c.zip\"]))",
            "zip/c.zip",
            "c.zip",
        ),
        ("filename = join(\"/\", compact([\"zip\", var.x, \"c.zip\"]))", "zip/c.zip", "zip/a/c"),
        ("filename = join(\"/\", compact([var.x, \"c.zip\"]))", "a/c.zip", "c/a.zip"),
        ("filename = join(\"/\", [for p in [\"zip\", var.x] : lower(p)])", "zip/a", "a/zip"),
        ("filename = join(\"/\", reverse([\"${var.x}.zip\", \"zip\"]))", "zip/a.zip", "a/zip"),
        (
            "filename = one([for f in [\"a\", \"b\"] : \"zip/${f}-${var.x}\" if f != var.x])",
            "zip/b-c",
            "zip/c",
        ),
    ];
    for (argument, may, cannot) in cases {
        let module = format!(
            "variable \"x\" {{}}\nterraform {{\n  backend \"s3\" {{}}\n}}\nlocals {{\n  directory = \
             \"${{path.module}}/local/${{var.x}}/src\"\n}}\nresource \"a_b\" \"it\" {{\n  \
             {argument}\n}}\n"
        );
        let (may, cannot) = (format!("app/{may}"), format!("app/{cannot}"));
        let directory = tree(&[("app/main.tf", &module), (&may, ""), (&cannot, "")]);
        let (incomplete, roots) = gaps(directory.path(), &may);
        // A text that has no unknown part in one of several cases is certain.
        let is_found = incomplete == ["app:a_b.it"] || roots == ["app"];
        assert!(is_found, "{argument} {may}: {incomplete:?} {roots:?}");
        assert_eq!(gaps(directory.path(), &cannot), (vec![], vec![]), "{argument} {cannot}");
    }
}

/// A condition that is not known chooses one of several paths: each is one for certain.
#[test]
fn one_of_several_paths() {
    let arguments = [
        "filename = one([for f in [\"zip/a\", \"zip/b\"] : f if f == var.x])",
        "filename = [for f in [\"zip/a\", \"zip/b\"] : f if f != var.x][0]",
        "filename = element([for f in [\"a\", \"b\"] : \"zip/${f}\"], var.x)",
        "filename = join(\"/\", [\"zip\", element([\"a\", \"b\"], var.x)])",
        "a = file(one([for f in [\"zip/a\", \"zip/b\"] : f if f == var.x]))",
    ];
    for argument in arguments {
        let module = format!(
            "variable \"x\" {{}}\nterraform {{\n  backend \"s3\" {{}}\n}}\nresource \"a_b\" \"it\" {{\n  \
             {argument}\n}}\n"
        );
        let directory = tree(&[
            ("app/main.tf", &module),
            ("app/zip/a", ""),
            ("app/zip/b", ""),
            ("app/zip/c", ""),
        ]);
        for (file, expected) in
            [("app/zip/a", &["app"][..]), ("app/zip/b", &["app"]), ("app/zip/c", &[])]
        {
            let found = gaps(directory.path(), file);
            let expected: Vec<String> = expected.iter().map(|it| (*it).to_owned()).collect();
            assert_eq!(found, (vec![], expected), "{argument} {file}");
        }
    }
}
