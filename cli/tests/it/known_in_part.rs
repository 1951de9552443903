//! Paths that are known in part: a changed file that may be meant is a gap.

use std::path::Path;

use serde_json::Value;

use crate::tool::{json, run, tree};

/// The places of the gaps of an answer, and the root modules that it has.
fn gaps(directory: &Path, file: &str) -> (Vec<String>, Vec<String>) {
    let answer = json(&run(directory, &["affected", "--format", "json", "--roots", file]));
    let texts = |all: &Value, member: &str| {
        let all = all.as_array().into_iter().flatten();
        let texts = all.flat_map(|it| match &it[member] {
            Value::Array(places) => places.clone(),
            other => vec![other.clone()],
        });
        texts.filter_map(|it| Some(it.as_str()?.to_owned())).collect::<Vec<_>>()
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
        ("a = [for f in [\"zip/${var.x}\"] : file(f)]", "zip/a", "c"),
        (
            "a = { for k, f in { a = \"zip/${var.x}\" } : k => file(\"${f}.json\") }",
            "zip/a.json",
            "zip/a",
        ),
        (
            "a = [for d in [\"zip\", \"${var.x}/zip\"] : [for f in [\"a\", \"b\"] : file(\"${d}/${f}\")]]",
            "c/zip/b",
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

/// The elements of `for_each` are known in part: `each` is one of them.
#[test]
fn elements_of_for_each() {
    let path = "\"${path.module}/env/${var.x}.json\"";
    let object = "{ a = { path = \"env/${a_b.other.id}.json\" } }";
    for (for_each, argument) in [
        (format!("{{ a = {path} }}"), "source = each.value"),
        (format!("{{ a = {path} }}"), "a = file(each.value)"),
        (format!("{{ (var.x) = {path} }}"), "a = { filename = each.value }"),
        (object.to_owned(), "source = each.value.path"),
        (object.to_owned(), "provisioner \"file\" {\n    source = each.value.path\n  }"),
        (format!("toset([{path}])"), "source = each.key"),
        (format!("toset([{path}])"), "a {\n    source = each.value\n  }"),
        (format!("toset([for x in [{path}] : x])"), "source = each.value"),
        ("local.all".to_owned(), "source = each.value"),
        (
            format!("{{ a = {path} }}"),
            "lifecycle {\n    precondition {\n      condition = fileexists(each.value)\n      error_message = \
             \"a\"\n    }\n  }",
        ),
    ] {
        for called in [false, true] {
            let start = "variable \"x\" {}\nterraform {\n  backend \"s3\" {}\n}\nlocals {\n  all = { a = \
                         \"env/${var.x}.json\" }\n}\n";
            let argument = match called {
                false => format!(
                    "resource \"a_b\" \"it\" {{\n  for_each = {for_each}\n  {argument}\n}}\n"
                ),
                true if argument.contains('{') => continue,
                true => {
                    let argument = argument.replace("source =", "p =").replace("a = ", "p = ");
                    format!(
                        "module \"it\" {{\n  source   = \"../m\"\n  for_each = {for_each}\n  {argument}\n}}\n"
                    )
                }
            };
            let other = "resource \"a_b\" \"other\" {}\n";
            let directory = tree(&[
                ("app/main.tf", &format!("{start}{argument}{other}")),
                ("app/env/a.json", ""),
                ("app/env/a.yaml", ""),
                (
                    "m/main.tf",
                    "variable \"p\" {}\nresource \"a_b\" \"it\" {\n  source = var.p\n}\n",
                ),
            ]);
            let place = if called { "m:a_b.it" } else { "app:a_b.it" };
            let place = if argument.contains("file(") && called { "app:module.it" } else { place };
            let (incomplete, roots) = gaps(directory.path(), "app/env/a.json");
            assert!(incomplete.iter().any(|it| it == place), "{argument}: {incomplete:?}");
            assert_eq!(roots, Vec::<String>::new(), "{argument}");
            assert_eq!(gaps(directory.path(), "app/env/a.yaml"), (vec![], vec![]), "{argument}");
        }
    }
}
