//! The modules that a change affects, in trees with known answers.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use simd_hcl::Arena;
use simd_hcl::directory::{DiscoverOptions, Location, discover};
use simd_hcl::impact::{Affected, GapKind};
use simd_hcl::tree::{Tree, TreeOptions};

/// A tree of files in a temporary directory.
struct Files(tempfile::TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let files_of = Self(tempfile::tempdir().unwrap());
        files.iter().for_each(|(name, text)| files_of.write(name, text));
        files_of
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Returns `PATH` of each affected module, with `*` if it is a root module, and the steps that
    /// lead to it.
    fn affected(&self, changed: &[&str]) -> Vec<String> {
        self.ask(changed, |root, affected| {
            let short = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
            let place = |place: &Location| short(place.disk().unwrap());
            let modules = affected.modules.iter().map(|module| {
                let steps = module.because.iter().map(|step| {
                    let file = step.file.as_ref().map(|file| short(file)).unwrap_or_default();
                    let address = step.address().unwrap_or_default();
                    format!("{file}>{}:{address}", place(&step.module))
                });
                let star = if module.is_root { "*" } else { "" };
                format!("{}{star} {}", place(&module.path), steps.collect::<Vec<_>>().join(" "))
            });
            modules.collect()
        })
    }

    fn gaps(&self, changed: &[&str]) -> Vec<GapKind> {
        self.ask(changed, |_, affected| affected.gaps.iter().map(|gap| gap.why).collect())
    }

    fn ask<T>(&self, changed: &[&str], answer: impl FnOnce(&Path, &Affected<'_>) -> T) -> T {
        let arena = Arena::new();
        let modules = discover(&[self.0.path()], &DiscoverOptions::default()).modules;
        let tree = Tree::load(&arena, modules, &TreeOptions::default());
        let changed: Vec<PathBuf> = changed.iter().map(|name| self.path(name)).collect();
        answer(self.0.path(), &tree.affected(&changed))
    }
}

const BACKEND: &str = r#""terraform": {"backend": {"s3": {"bucket": "states", "key": "KEY"}}}"#;

fn call(source: &str) -> String {
    format!(r#""module": {{"m": {{"source": "{source}"}}}}"#)
}

#[test]
fn a_module_affects_its_callers_though_nothing_uses_it() {
    let files = Files::new(&[
        ("root/main.tf.json", &format!("{{{}, {BACKEND}}}", call("../middle"))),
        ("middle/main.tf.json", &format!("{{{}}}", call("../leaf"))),
        ("leaf/main.tf.json", r#"{"locals": {"a": 1}}"#),
        ("other/main.tf.json", r#"{"provider": {"aws": {}}}"#),
    ]);
    assert_eq!(
        files.affected(&["leaf/main.tf.json"]),
        [
            "leaf leaf/main.tf.json>leaf:",
            "middle leaf/main.tf.json>leaf: >middle:module.m",
            "root* leaf/main.tf.json>leaf: >middle:module.m >root:module.m",
        ]
    );
    assert_eq!(files.affected(&["other/main.tf.json"]), ["other* other/main.tf.json>other:"]);
    assert_eq!(files.affected(&["README.md", "leaf/notes.txt"]), [""; 0]);
    assert_eq!(files.affected(&["leaf"]).len(), 3, "a directory");
    assert_eq!(files.affected(&["."]).len(), 4);
}

#[test]
fn files_are_what_the_file_system_says() {
    let files = Files::new(&[
        ("root/main.tf.json", &format!("{{{}}}", call("../leaf"))),
        ("leaf/main.tf.json", "{}"),
        ("leaf/tests/one.tftest.json", "{}"),
    ]);
    let all = files.affected(&["leaf/main.tf.json"]).len();
    assert_eq!(all, 2);
    for same in [
        "./leaf/main.tf.json",
        "root/../leaf/main.tf.json",
        "leaf/deleted.tf.json",
        "leaf/prod.auto.tfvars.json",
        "leaf/native.tf",
        "leaf/.terraform.lock.hcl",
        "leaf/.terraform/modules/modules.json",
        "leaf/tests/one.tftest.json",
        "leaf/tests/deleted.tftest.json",
    ] {
        assert_eq!(files.affected(&[same]).len(), all, "{same}");
    }
    assert_eq!(files.affected(&["leaf/tests/main.tf.json"]), [""; 0], "no test");
}

#[cfg(unix)]
#[test]
fn links_are_their_targets() {
    use std::os::unix::fs::symlink;
    let files = Files::new(&[
        ("real/main.tf.json", "{}"),
        ("shared/common.json", r#"{"locals": {"a": 1}}"#),
        ("a/main.tf.json", &format!("{{{}}}", call("../linked"))),
    ]);
    symlink(files.path("real"), files.path("linked")).unwrap();
    symlink(files.path("shared/common.json"), files.path("a/common.tf.json")).unwrap();
    let names = |changed: &[&str]| -> BTreeSet<String> {
        let affected = files.affected(changed);
        affected.iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect()
    };
    // The call leads through the link.
    assert!(names(&["real/main.tf.json"]).contains("a"));
    assert!(names(&["linked/main.tf.json"]).contains("real"));
    assert_eq!(names(&["shared/common.json"]), BTreeSet::from(["a".to_owned()]));
    assert_eq!(names(&["a/common.tf.json"]), BTreeSet::from(["a".to_owned()]));
}

#[test]
fn files_that_functions_read() {
    let files =
        Files::new(&[("root/main.tf.json", &format!("{{{}, {BACKEND}}}", call("../leaf")))]);
    files.write(
        "leaf/main.tf.json",
        r#"{"locals": {
            "a": "${file(\"${path.module}/init.sh\")}",
            "b": "x-${templatefile(\"${path.root}/t/x.tpl\", {v = file(\"cwd.txt\")})}",
            "c": "${[for f in fileset(\"${path.module}/d\", \"**/*.json\") : jsondecode(file(\"${path.module}/d/${f}\"))]}"
        }}"#,
    );
    let leaf_and_root = |changed: &str, object: &str| {
        let affected = files.affected(&[changed]);
        assert_eq!(affected.len(), 2, "{changed}: {affected:?}");
        assert_eq!(affected[0], format!("leaf {changed}>leaf:{object}"));
    };
    leaf_and_root("leaf/init.sh", "local.a");
    leaf_and_root("root/t/x.tpl", "local.b");
    leaf_and_root("root/cwd.txt", "local.b");
    leaf_and_root("leaf/d/one.json", "local.c");
    leaf_and_root("leaf/d/deep/er/two.json", "local.c");
    assert_eq!(files.affected(&["leaf/t/x.tpl"]), [""; 0]);
    assert_eq!(files.affected(&["leaf/d/one.txt"]), [""; 0]);
    assert_eq!(files.gaps(&["leaf/d/one.txt"]), []);
    assert_eq!(files.gaps(&["elsewhere.txt"]), []);
}

/// Names that no text of the configuration ends with: functions and the workspace make them.
#[test]
fn names_that_are_made() {
    let cases = [
        ("format(\"%s%02d\", \"part-\", 7)", "part-07"),
        ("lower(\"READ.ME\")", "read.me"),
        ("\"${terraform.workspace}\"", "default"),
        ("\"env/${terraform.workspace}\"", "env/default"),
        ("split(\",\", \"a.txt,b.txt\")[0]", "a.txt"),
        ("\"${\"odd\"}}\"", "odd}"),
        ("\"x${7}\"", "x7"),
        ("file(\"name.txt\")", "../out/in.txt"),
        ("base64decode(\"Li4vb3V0L2VuYw==\")", "../out/enc"),
        ("dirname(\"/\") == \"/\" ? \"plain\" : \"\"", "plain"),
    ];
    for (expression, file) in cases {
        let main = format!("terraform {{}}\nresource \"x\" \"a\" {{\n  path = {expression}\n}}\n");
        let files = Files::new(&[
            ("r/main.tf", &main),
            ("r/name.txt", "../out/in.txt"),
            ("s/main.tf", "terraform {}\n"),
        ]);
        let changed = format!("r/{file}").replace("r/../", "");
        files.write(&changed, "");
        let affected = files.affected(&[&changed]);
        let found: Vec<&str> = affected.iter().filter_map(|it| it.split(' ').next()).collect();
        assert_eq!(found, ["r"], "{expression}");
    }
}

/// Each argument names a file or a directory of the root module, in its own way.
#[test]
fn strings_that_name_files() {
    let files = Files::new(&[
        (
            "app/m/main.tf",
            "variable \"p\" {}\nvariable \"q\" { default = \"q.txt\" }\nresource \"x\" \"a\" {\n  from = var.p\n  other = var.q\n}\noutput \"o\" { value = \"out/${var.q}\" }\n",
        ),
        ("app/r/x.txt", ""),
        ("app/data.json", "{\"a\": [\"conf/one.ini\"]}"),
        ("shared/x.txt", ""),
        ("app/t.tpl", "${file(\"${dir}/in.txt\")}"),
    ]);
    files.write(
        "app/main.tf",
        r#"
variable "stage" { default = "dev" }
variable "given" {}
variable "unset" { type = string }
locals {
  shared = "${path.module}/../shared/x.txt"
  parts  = ["env", "${var.stage}.json"]
  table  = { dev = "table/dev.cfg", prod = "table/prod.cfg" }
  names  = ["a", "b"]
  text   = templatefile("${path.module}/t.tpl", { dir = "inner" })
}
provider "p" { config_path = "kube/config" }
module "m" {
  source = "./m"
  p      = join("/", local.parts)
}
module "remote" {
  source      = "registry/x/y"
  source_path = "${path.module}/src"
}
resource "x" "a" {
  dir    = "${path.module}/whole"
  shared = file(local.shared)
  pick   = local.table[var.stage]
  list   = [for n in local.names : "for/${n}.txt"]
  fmt    = format("%s/%03d.bin", "fmt", 7)
  data   = jsondecode(file("data.json")).a[0]
  given  = var.given
  out    = module.m.o
  nested {
    deep { script = "deep/run.sh" }
  }
  dynamic "each" {
    for_each = toset(["one", "two"])
    content { file = "dyn/${each.value}.yml" }
  }
  provisioner "file" { source = "prov/file.conf" }
  provisioner "local-exec" { command = "bash ${path.module}/prov/run.sh --now" }
  provisioner "remote-exec" { scripts = ["prov/a.sh"] }
}
resource "x" "none" {
  count = 0
  file  = "none/x.txt"
}
resource "x" "perhaps" { file = "perhaps/${var.unset}.json" }
data "x" "d" {
  for_each = fileset("${path.module}/set", "**/*.yaml")
  content  = file("${path.module}/set/${each.value}")
}
output "final" { value = "output.txt" }
"#,
    );
    files.write("app/terraform.tfvars", "given = \"from/tfvars.txt\"\n");
    for (changed, object) in [
        ("app/kube/config", "provider.p"),
        ("app/src/deep/new.py", "module.remote"),
        ("app/whole/new/file.txt", "x.a"),
        ("shared/x.txt", "x.a"),
        ("app/table/dev.cfg", "x.a"),
        ("app/for/b.txt", "x.a"),
        ("app/fmt/007.bin", "x.a"),
        ("app/conf/one.ini", "x.a"),
        ("app/data.json", "x.a"),
        ("app/from/tfvars.txt", "x.a"),
        ("app/out/q.txt", "x.a"),
        ("app/deep/run.sh", "x.a"),
        ("app/dyn/two.yml", "x.a"),
        ("app/prov/file.conf", "x.a"),
        ("app/prov/run.sh", "x.a"),
        ("app/prov/a.sh", "x.a"),
        ("app/none/x.txt", "x.none"),
        ("app/set/new.yaml", "data.x.d"),
        ("app/set/a/b.yaml", "data.x.d"),
        ("app/t.tpl", "local.text"),
        ("app/inner/in.txt", "local.text"),
        ("app/output.txt", "output.final"),
    ] {
        assert_eq!(
            files.affected(&[changed]),
            [format!("app* {changed}>app:{object}")],
            "{changed}"
        );
        assert_eq!(files.gaps(&[changed]), [], "{changed}");
    }
    let of_module = |changed: &str| {
        let affected = files.affected(&[changed]);
        assert_eq!(affected.len(), 2, "{changed}: {affected:?}");
        assert_eq!(affected[1], format!("app/m {changed}>app/m:x.a"));
    };
    of_module("app/env/dev.json");
    of_module("app/q.txt");
    for changed in [
        "app/table/prod.cfg",
        "app/env/prod.json",
        "app/README.md",
        "other/x.txt",
        "app/set/x.txt",
        "app/in.txt",
    ] {
        assert_eq!(files.affected(&[changed]), [""; 0], "{changed}");
        assert_eq!(files.gaps(&[changed]), [], "{changed}");
    }
    assert_eq!(files.affected(&["app/perhaps/x.json"]), [""; 0]);
    assert_eq!(files.gaps(&["app/perhaps/x.json"]), [GapKind::UnknownFile]);
}

/// Patterns are about names: a file that is gone, with its folder, was found by them.
#[test]
fn patterns_match_files_that_are_gone() {
    let text = r#"
locals { all = fileset("${path.module}/conf", "**/*.json") }
resource "x" "a" {
  for_each = fileset(path.root, "env/{dev,prod}/*.y[a-c]ml")
  source   = each.value
}
"#;
    let files = Files::new(&[]);
    for root in ["live/a", "live/b{c", "live/*", "live/[x]"] {
        files.write(&format!("{root}/main.tf"), text);
    }
    for root in ["live/a", "live/b{c", "live/*", "live/[x]"] {
        for (gone, object) in [
            ("conf/old/b.json", "local.all"),
            ("conf/b.json", "local.all"),
            ("env/dev/x.yaml", "x.a"),
        ] {
            let gone = format!("{root}/{gone}");
            assert_eq!(files.affected(&[&gone]), [format!("{root} {gone}>{root}:{object}")]);
        }
        for other in ["conf/b.txt", "env/test/x.yaml", "env/dev/x.yml"] {
            assert_eq!(files.affected(&[&format!("{root}/{other}")]), [""; 0], "{root} {other}");
        }
    }
}

/// The written parts of an unknown path say which files may be meant.
#[test]
fn paths_that_are_known_in_part() {
    let files = Files::new(&[(
        "app/main.tf",
        r#"
variable "stage" { type = string }
variable "any" { type = string }
locals {
  dir   = "${path.module}/local"
  other = var.stage == "prod" ? "cond/p.txt" : "cond/d.txt"
}
resource "x" "a" { v = file("${path.module}/env/${var.stage}.json") }
resource "x" "b" { v = templatefile("${local.dir}/${var.stage}/t.tpl", {}) }
resource "x" "c" { v = file(local.other) }
resource "x" "d" { v = filemd5(join("/", ["join", var.stage, "x.bin"])) }
resource "x" "e" { v = fileset("set/${var.stage}", "*.yml") }
resource "x" "f" { v = templatefile("known.tpl", var.any) }
resource "x" "g" {
  v = [for f in fileset("loop", "*"): { c = file("loop/${f}"), id = x.a.id }]
}
"#,
    )]);
    for (changed, object) in [
        ("app/cond/p.txt", "x.c"),
        ("app/cond/d.txt", "x.c"),
        ("app/known.tpl", "x.f"),
        ("app/loop/new", "x.g"),
    ] {
        assert_eq!(files.affected(&[changed]), [format!("app {changed}>app:{object}")]);
        assert_eq!(files.gaps(&[changed]), [], "{changed}");
    }
    for (changed, count) in [
        ("app/env/x.json", 1),
        ("app/local/x/t.tpl", 1),
        ("app/join/x/x.bin", 1),
        ("app/set/x/y.yml", 1),
        ("app/env/x.txt", 0),
        ("app/local/x/u.tpl", 0),
        ("app/README.md", 0),
        ("app/loop/deep/x", 0),
        ("other/env/x.json", 0),
    ] {
        assert_eq!(files.affected(&[changed]), [""; 0], "{changed}");
        assert_eq!(files.gaps(&[changed]).len(), count, "{changed}");
    }
}

/// The parts of paths that functions keep say which files may be meant.
#[test]
fn paths_that_functions_change() {
    let main = r#"
variable "d" { type = string }
variable "list" { type = list(string) }
resource "x" "a" { v = file(replace("../c/X.json", "X", var.d)) }
resource "x" "b" { v = file(lower("../Low/${var.d}.YML")) }
resource "x" "c" { v = file(trimsuffix("../trim/${var.d}.tpl.off", ".off")) }
resource "x" "d" { v = file(substr("xx../sub/${var.d}.ini", 2, -1)) }
resource "x" "e" { v = file("${dirname("../dir/x/${var.d}")}/in.txt") }
resource "x" "f" { v = file(replace("../any/X.csv", var.d, "x")) }
resource "x" "g" { v = [for f in var.list : file("../loop/${f}.toml")] }
resource "x" "h" { v = [for f in var.list : file("../fixed/a.txt")] }
resource "x" "i" { v = "%{ for f in var.list }${file("../text/${f}.md")}${file("../fixed/b.txt")}%{ endfor }" }
resource "x" "j" { v = [for f in ["known"] : "${file("./own/${f}.txt")}${var.d}"] }
resource "x" "k" { filename = replace("../named/X.bin", "X", var.d) }
"#;
    let files = Files::new(&[("app/main.tf", main), ("app/own/known.txt", "")]);
    for (changed, object) in
        [("fixed/a.txt", "x.h"), ("fixed/b.txt", "x.i"), ("dir/x/in.txt", "x.e")]
    {
        assert_eq!(files.affected(&[changed]), [format!("app {changed}>app:{object}")]);
    }
    for (changed, count) in [
        ("c/y.json", 1),
        ("c/y.yml", 0),
        ("low/y.yml", 1),
        ("trim/y.tpl", 1),
        ("trim/y.off", 0),
        ("sub/y.ini", 1),
        ("dir/x/y/in.txt", 1),
        ("any/y.csv", 1),
        ("loop/y.toml", 1),
        ("loop/y.txt", 0),
        ("text/y.md", 1),
        ("named/y.bin", 1),
        ("app/own/other.txt", 0),
        ("README.md", 0),
    ] {
        assert_eq!(files.affected(&[changed]), [""; 0], "{changed}");
        assert_eq!(files.gaps(&[changed]).len(), count, "{changed}");
    }
}

/// A path is one of several, or is defined elsewhere, and no function reads it.
#[test]
fn arguments_that_are_known_in_part() {
    let main = r#"
variable "d" { type = string }
variable "is" { type = bool }
locals {
  defined = "../defined/${var.d}.json"
  one     = var.is ? "../one/a.json" : "../one/b.json"
}
resource "x" "a" { v = lookup({ prod = "../map/prod.bin", dev = "../map/dev.bin" }, var.d, "../map/other.bin") }
resource "x" "b" { filename = var.is ? "a.zip" : "b.zip" }
resource "x" "c" { v = local.defined }
resource "x" "d" { v = local.one }
resource "x" "e" { filename = "f-${var.d}.zip" }
resource "x" "f" { source = "${var.d}/app.tar" }
resource "x" "g" { name = "n-${var.d}.txt" }
module "m" {
  source = "./m"
  d      = var.d
}
resource "x" "h" { v = module.m.path }
resource "x" "i" {
  dynamic "block" {
    for_each = var.list
    content {
      v = "../block/${block.value}.txt"
    }
  }
}
variable "list" { type = list(string) }
"#;
    let module = "variable \"d\" {}\noutput \"path\" {\n  value = \"../output/${var.d}.md\"\n}\n";
    let files = Files::new(&[("app/main.tf", main), ("app/m/main.tf", module)]);
    for (changed, object) in [
        ("map/prod.bin", "x.a"),
        ("map/other.bin", "x.a"),
        ("app/b.zip", "x.b"),
        ("one/a.json", "x.d"),
    ] {
        assert_eq!(files.affected(&[changed]), [format!("app {changed}>app:{object}")]);
    }
    for (changed, count) in [
        ("defined/y.json", 1),
        ("defined/y.txt", 0),
        ("app/f-y.zip", 1),
        ("app/g-y.zip", 0),
        ("app/x/app.tar", 1),
        ("app/n-y.txt", 0),
        ("output/y.md", 1),
        ("block/y.txt", 1),
        ("block/y.md", 0),
        ("app/README.md", 0),
    ] {
        assert_eq!(files.affected(&[changed]), [""; 0], "{changed}");
        assert_eq!(files.gaps(&[changed]).len(), count, "{changed}");
    }
}

/// So do paths in templates, where what is repeated is not known.
#[test]
fn paths_in_templates_that_are_known_in_part() {
    let files = Files::new(&[
        (
            "app/main.tf",
            r#"
variable "d" { type = string }
variable "list" { type = list(string) }
variable "m" { type = map(string) }
resource "x" "a" { v = templatefile("a.tpl", { dir = "a", list = var.list, d = var.d }) }
resource "x" "c" { v = templatefile("c.tpl", { one = ["x"], d = var.d }) }
resource "x" "b" { v = templatefile("b.tpl", var.m) }
"#,
        ),
        (
            "app/a.tpl",
            "%{ for x in list }${file(\"${dir}/${x}.txt\")}${file(\"${dir}/fixed.md\")}%{ endfor }\
             ${file(\"${dir}/${d}.ini\")}",
        ),
        ("app/c.tpl", "%{ for x in one }${file(\"./known/${x}.txt\")}%{ endfor }${d}"),
        ("app/b.tpl", "${file(\"${dir}/in.yml\")}"),
        ("app/known/x.txt", ""),
    ]);
    for (changed, object) in
        [("app/a/fixed.md", "x.a"), ("app/known/x.txt", "x.c"), ("app/a.tpl", "x.a")]
    {
        assert_eq!(files.affected(&[changed]), [format!("app {changed}>app:{object}")]);
    }
    for (changed, count) in [
        ("app/a/y.txt", 1),
        ("app/a/y.ini", 1),
        ("app/b/in.yml", 1),
        ("app/known/y.txt", 0),
        ("app/a/y.csv", 0),
        ("app/README.md", 0),
    ] {
        assert_eq!(files.affected(&[changed]), [""; 0], "{changed}");
        assert_eq!(files.gaps(&[changed]).len(), count, "{changed}");
    }
}

#[test]
fn paths_of_the_root_module_belong_to_it() {
    let call = "provider \"p\" {}\nmodule \"m\" { source = \"../leaf\" }\n";
    let files = Files::new(&[
        ("one/main.tf", call),
        ("two/main.tf", call),
        (
            "leaf/main.tf",
            "locals {\n  a = file(\"${path.root}/conf/x.json\")\n  b = file(\"${path.module}/y.json\")\n}\n",
        ),
    ]);
    assert_eq!(
        files.affected(&["one/conf/x.json"]),
        ["leaf one/conf/x.json>leaf:local.a", "one* one/conf/x.json>leaf:local.a >one:module.m"]
    );
    assert_eq!(files.affected(&["leaf/y.json"]).len(), 3);
    assert_eq!(files.affected(&["leaf/conf/x.json"]), [""; 0]);
}

/// The question decides what is evaluated, but not the answer.
#[test]
fn any_question_has_the_same_answer() {
    let files = Files::new(&[
        (
            "a/main.tf",
            "locals { x = [\"one\", \"two\"] }\nresource \"x\" \"y\" {\n  for_each = toset(local.x)\n  z = \"d/${each.key}\"\n}\n",
        ),
        (
            "b/main.tf.json",
            r#"{"locals": {"d": "con"}, "resource": {"x": {"y": {"z": "${local.d}f/${1 + 1}"}}}}"#,
        ),
        (
            "c/main.tf",
            "resource \"x\" \"y\" {\n  count = 2\n  z = \"n-${count.index}\"\n  w = { k1 = \"v\" }\n}\n",
        ),
        ("d/main.tf", "module \"m\" { source = \"../e\" }\n"),
        (
            "e/main.tf",
            "locals { up = \"..\" }\nresource \"x\" \"y\" { z = \"${local.up}/b/con\" }\n",
        ),
        (
            "f/main.tf",
            "locals { m = { key = 1 } }\nresource \"x\" \"y\" { z = [for k, v in local.m : \"f/${k}\"] }\n",
        ),
    ]);
    let arena = Arena::new();
    let modules = discover(&[files.0.path()], &DiscoverOptions::default()).modules;
    let tree = Tree::load(&arena, modules, &TreeOptions::default());
    let impact = tree.impact(&simd_hcl::impact::ImpactOptions::default());
    for (changed, expected) in [
        ("a/d/one", 1),
        ("a/d/two/x", 1),
        ("a/d/three", 0),
        ("b/conf/2", 1),
        ("b/conf/3", 0),
        ("c/n-0", 1),
        ("c/n-1/x", 1),
        ("c/n-2", 0),
        ("b/con", 2),
        ("b/con/x", 2),
        ("f/f/key", 1),
        ("f/f/other", 0),
    ] {
        let path = files.path(changed);
        let places = |affected: &Affected<'_>| {
            affected.modules.iter().map(|it| it.place).collect::<Vec<_>>()
        };
        let (all, asked) = (impact.affected(&[&path]), tree.affected(&[&path]));
        assert_eq!(places(&all), places(&asked), "{changed}");
        assert_eq!(all.modules.len(), expected, "{changed}: {:?}", all.modules);
    }
}

#[test]
fn what_no_longer_exists() {
    let files = Files::new(&[("root/main.tf.json", &format!("{{{}}}", call("../gone")))]);
    assert_eq!(files.affected(&["gone/main.tf.json"]), ["root gone/main.tf.json>root:module.m"]);
    assert_eq!(files.affected(&["gone/main.txt"]), [""; 0]);
}

#[test]
fn states_that_other_modules_read() {
    let state = |backend: &str, config: &str| {
        format!(
            r#"{{"data": {{"terraform_remote_state": {{"up": {{"backend": "{backend}", "config": {config}}}}}}}}}"#
        )
    };
    let files = Files::new(&[
        ("net/main.tf.json", &format!("{{{}}}", BACKEND.replace("KEY", "net"))),
        ("dns/main.tf.json", &format!("{{{}}}", BACKEND.replace("KEY", "dns"))),
        ("app/main.tf.json", &state("s3", r#"{"bucket": "states", "key": "net", "region": "r"}"#)),
        ("plain/main.tf.json", r#"{"provider": {"aws": {}}}"#),
        (
            "file/main.tf.json",
            r#"{"terraform": {"backend": {"local": {"path": "state/x.tfstate"}}}}"#,
        ),
        ("reader/main.tf.json", &state("local", r#"{"path": "../plain/terraform.tfstate"}"#)),
        (
            "other/main.tf.json",
            &state("local", r#"{"path": "${path.module}/../file/state/x.tfstate"}"#),
        ),
        ("vague/main.tf.json", &state("s3", r#"{"bucket": "states", "key": "${var.key}"}"#)),
    ]);
    let up = "data.terraform_remote_state.up";
    assert_eq!(
        files.affected(&["net/main.tf.json"]),
        [format!("app net/main.tf.json>net: >app:{up}"), "net* net/main.tf.json>net:".to_owned()]
    );
    assert_eq!(files.affected(&["plain/main.tf.json"]).len(), 2);
    assert_eq!(files.affected(&["file/main.tf.json"]).len(), 2);
    assert_eq!(files.gaps(&["dns/main.tf.json"]), [GapKind::UnknownState]);
}

/// A module whose data source reads a state.
fn reader(backend: &str, config: &str) -> String {
    format!("data \"terraform_remote_state\" \"up\" {{\n  backend = \"{backend}\"\n{config}\n}}\n")
}

/// The answer about `app/main.tf`, whose data source reads the state of `net` with a block for its state:
/// `link`, `gap`, or nothing.
fn said(block: &str, reader: &str, more: &[(&str, &str)]) -> &'static str {
    let backend = format!("terraform {{\n{block}\n}}\n");
    let mut all = vec![("net/main.tf", &*backend), ("app/main.tf", reader)];
    all.extend(more);
    let files = Files::new(&all);
    files.ask(&["net/main.tf"], |_, affected| {
        let is_app = |path: &Location| path.file_name().is_some_and(|name| name == "app");
        match () {
            () if affected.modules.iter().any(|module| is_app(&module.path)) => "link",
            () if affected.gaps.iter().any(|gap| is_app(&gap.module)) => "gap",
            () => "",
        }
    })
}

#[test]
fn states_of_each_backend() {
    let table: &[(&str, &str, &str, &str)] = &[
        // A setting that is given elsewhere may be the one that is read.
        ("backend \"s3\" {}", "s3", "bucket = \"b\", key = \"k\"", "gap"),
        ("backend \"s3\" { bucket = \"b\" }", "s3", "bucket = \"b\", key = \"k\"", "gap"),
        ("backend \"s3\" { bucket = \"x\" }", "s3", "bucket = \"b\", key = \"k\"", ""),
        (
            "backend \"s3\" {\nbucket = \"b\"\nkey = \"\"\n}",
            "s3",
            "bucket = \"b\", key = \"k\"",
            "gap",
        ),
        (
            "backend \"s3\" {\nbucket = var.b\nkey = \"k\"\n}",
            "s3",
            "bucket = \"b\", key = \"k\"",
            "gap",
        ),
        (
            "backend \"s3\" {\nbucket = \"b\"\nkey = \"k\"\n}",
            "s3",
            "bucket = \"b\", key = \"k\"",
            "link",
        ),
        (
            "backend \"s3\" {\nbucket = \"b\"\nkey = \"k\"\n}",
            "s3",
            "bucket = var.b, key = \"k\"",
            "gap",
        ),
        (
            "backend \"s3\" {\nbucket = \"b\"\nkey = \"k\"\n}",
            "s3",
            "bucket = var.b, key = \"x\"",
            "",
        ),
        ("backend \"s3\" {\nbucket = \"b\"\nkey = \"k\"\n}", "gcs", "bucket = \"b\"", ""),
        // Workspaces.
        (
            "backend \"s3\" {\nbucket = \"b\"\nkey = \"k\"\n}",
            "s3",
            "bucket = \"b\", key = \"env:/prod/k\"",
            "link",
        ),
        (
            "backend \"s3\" {\nbucket = \"b\"\nkey = \"k\"\nworkspace_key_prefix = \"a/net\"\n}",
            "s3",
            "bucket = \"b\", key = \"a/net/prod/k\"",
            "link",
        ),
        (
            "backend \"s3\" {\nbucket = \"b\"\nkey = \"k\"\nworkspace_key_prefix = \"net\"\n}",
            "s3",
            "bucket = \"b\", key = \"dns/prod/k\"",
            "",
        ),
        (
            "backend \"azurerm\" {\nstorage_account_name = \"a\"\ncontainer_name = \"c\"\nkey = \"k\"\n}",
            "azurerm",
            "storage_account_name = \"a\", container_name = \"c\", key = \"kenv:prod\"",
            "link",
        ),
        (
            "backend \"azurerm\" { key = \"k\" }",
            "azurerm",
            "storage_account_name = \"a\", container_name = \"c\", key = \"k\"",
            "gap",
        ),
        // Forms of one value.
        (
            "backend \"gcs\" {\nbucket = \"b\"\nprefix = \"a/\"\n}",
            "gcs",
            "bucket = \"b\", prefix = \"a\"",
            "link",
        ),
        ("backend \"gcs\" { bucket = \"b\" }", "gcs", "bucket = \"b\"", "link"),
        ("backend \"gcs\" { bucket = \"b\" }", "gcs", "bucket = \"b\", prefix = \"a\"", "gap"),
        ("backend \"http\" {}", "http", "address = \"https://h/net\"", "gap"),
        (
            "backend \"http\" { address = \"https://u:p@h/net/\" }",
            "http",
            "address = \"https://h/net\"",
            "link",
        ),
        (
            "backend \"http\" { address = \"https://h/dns\" }",
            "http",
            "address = \"https://h/net\"",
            "",
        ),
        (
            "backend \"pg\" { conn_str = \"postgres://a:b@h/d?sslmode=x\" }",
            "pg",
            "conn_str = \"postgres://h/d\"",
            "link",
        ),
        ("backend \"consul\" { path = \"a\" }", "consul", "path = \"a\"", "link"),
        (
            "backend \"kubernetes\" { secret_suffix = \"a\" }",
            "kubernetes",
            "secret_suffix = \"a\", namespace = \"default\"",
            "link",
        ),
        (
            "backend \"oci\" {\nbucket = \"b\"\nnamespace = \"n\"\n}",
            "oci",
            "bucket = \"b\", namespace = \"n\"",
            "link",
        ),
        // Local files.
        (
            "backend \"local\" { path = \"s/x.tfstate\" }",
            "local",
            "path = \"../net/s/x.tfstate\"",
            "link",
        ),
        ("backend \"local\" {}", "local", "path = \"../net/terraform.tfstate\"", "link"),
        (
            "backend \"local\" {}",
            "local",
            "path = \"../net/terraform.tfstate.d/prod/terraform.tfstate\"",
            "link",
        ),
        ("backend \"local\" {}", "local", "path = \"/elsewhere/x.tfstate\"", "gap"),
        (
            "backend \"local\" { path = \"x.tfstate\" }",
            "local",
            "path = \"/elsewhere/x.tfstate\"",
            "",
        ),
        // Workspaces of HCP Terraform.
        (
            "cloud {\norganization = \"o\"\nworkspaces { name = \"net\" }\n}",
            "remote",
            "organization = \"o\", workspaces = { name = \"net\" }",
            "link",
        ),
        (
            "cloud {\norganization = \"o\"\nworkspaces { name = \"dns\" }\n}",
            "remote",
            "organization = \"o\", workspaces = { name = \"net\" }",
            "",
        ),
        (
            "cloud {\norganization = \"o\"\nworkspaces { tags = [\"net\"] }\n}",
            "remote",
            "organization = \"o\", workspaces = { name = \"net\" }",
            "gap",
        ),
        (
            "cloud {\norganization = \"x\"\nworkspaces { tags = [\"net\"] }\n}",
            "remote",
            "organization = \"o\", workspaces = { name = \"net\" }",
            "",
        ),
        ("cloud {}", "remote", "organization = \"o\", workspaces = { name = \"net\" }", "gap"),
        (
            "backend \"remote\" {\norganization = \"o\"\nworkspaces { prefix = \"net-\" }\n}",
            "remote",
            "organization = \"o\", workspaces = { name = \"net-prod\" }",
            "link",
        ),
        (
            "backend \"remote\" {\norganization = \"o\"\nworkspaces { prefix = \"dns-\" }\n}",
            "remote",
            "organization = \"o\", workspaces = { name = \"net-prod\" }",
            "",
        ),
    ];
    for (block, backend, config, expected) in table {
        let reader = reader(backend, &format!("config = {{ {config} }}"));
        assert_eq!(said(block, &reader, &[]), *expected, "{block} {config}");
    }
}

/// A state in the repository is a file of it, and no root module has it unless its settings say so.
#[test]
fn states_in_the_repository() {
    let reader = reader("local", "config = { path = \"${path.module}/../states/x.tfstate\" }");
    let block = "backend \"local\" {}";
    assert_eq!(said(block, &reader, &[("states/x.tfstate", "{}")]), "");
    assert_eq!(said(block, &reader, &[]), "gap");
}

#[test]
fn states_of_workspaces() {
    let block = "backend \"s3\" {\nbucket = \"b\"\nkey = \"k\"\nworkspace_key_prefix = \"net\"\n}";
    for (workspace, prefix, expected) in [
        ("\"prod\"", "net", "link"),
        ("\"prod\"", "dns", ""),
        ("var.w", "dns", ""),
        ("\"default\"", "dns", "link"),
    ] {
        let config = format!("bucket = \"b\", key = \"k\", workspace_key_prefix = \"{prefix}\"");
        let reader = reader("s3", &format!("workspace = {workspace}\nconfig = {{ {config} }}"));
        assert_eq!(said(block, &reader, &[]), expected, "{workspace} {prefix}");
    }
    let block = "backend \"remote\" {\norganization = \"o\"\nworkspaces { name = \"net-prod\" }\n}";
    let config = "organization = \"o\", workspaces = { prefix = \"net-\" }";
    let reader = reader("remote", &format!("workspace = \"prod\"\nconfig = {{ {config} }}"));
    assert_eq!(said(block, &reader, &[]), "link");
    for (organization, workspace, expected) in
        [("organization = \"o\"", "net-prod", "link"), ("", "net-prod", "gap"), ("", "dns", "")]
    {
        let outputs = format!(
            "data \"tfe_outputs\" \"up\" {{\n{organization}\nworkspace = \"{workspace}\"\n}}\n"
        );
        assert_eq!(said(block, &outputs, &[]), expected, "{organization} {workspace}");
    }
}

#[test]
fn settings_of_backends_in_files() {
    let reader = reader("s3", "config = { bucket = \"b\", key = \"k\" }");
    let block = "backend \"s3\" {}";
    let (whole, other) = ("bucket = \"b\"\nkey = \"k\"\n", "bucket = \"b\"\nkey = \"x\"\n");
    for (file, text, expected) in [
        ("net/prod.s3.tfbackend", whole, "link"),
        ("net/prod.tfbackend", other, ""),
        ("net/prod.tfbackend", "bucket = \"b\"\n", "gap"),
        ("net/prod.tfbackend", "bucket = \"x\"\n", ""),
        ("net/prod.tfbackend", "bucket = \n", "gap"),
        ("net/backend.hcl", whole, "link"),
        ("net/prod.tfbackend.json", "{\"bucket\": \"b\", \"key\": \"k\"}", "link"),
        ("net/config/prod.tfbackend", whole, "link"),
        ("net/env/prod/backend.tfvars", whole, "link"),
        ("backends/net.tfbackend", whole, "gap"),
    ] {
        assert_eq!(said(block, &reader, &[(file, text)]), expected, "{file} {text}");
    }
    // The setting of the file counts, also where configuration has another value.
    let block = "backend \"s3\" {\nbucket = \"b\"\nkey = \"default\"\n}";
    assert_eq!(said(block, &reader, &[("net/prod.tfbackend", "key = \"k\"\n")]), "link");
    assert_eq!(said(block, &reader, &[]), "");
}

#[test]
fn files_of_backends_belong_to_root_modules() {
    let files = Files::new(&[
        ("net/main.tf", "terraform {\n  backend \"s3\" {}\n}\n"),
        ("net/config/prod.tfbackend", "bucket = \"b\"\nkey = \"k\"\n"),
        ("net/modules/x/main.tf", "locals {}\n"),
        ("app/main.tf", &reader("s3", "config = { bucket = \"b\", key = \"k\" }")),
    ]);
    for file in ["net/prod.tfbackend", "net/config/prod.tfbackend", "net/env/prod/backend.hcl"] {
        let affected = files.affected(&[file]);
        assert_eq!(affected.len(), 2, "{file} {affected:?}");
    }
    assert_eq!(files.affected(&["net/modules/x/prod.tfbackend"]).len(), 1);
    assert_eq!(files.affected(&["net/modules/x/backend.hcl"]), [""; 0]);
    let unassigned = |file: &str| files.ask(&[file], |_, found| found.unassigned.len());
    assert_eq!(unassigned("backends/prod.tfbackend"), 1);
    assert_eq!(unassigned("net/prod.tfbackend"), 0);
}

#[test]
fn files_that_tests_read() {
    let test = r#"
variables {
  a = "../data/a.txt"
  b = file("../data/b.txt")
}
mock_provider "aws" {
  mock_resource "aws_x" {
    defaults = { y = file("../data/mocked.txt") }
  }
}
provider "other" {
  nested {
    key = file("${path.module}/../data/provider.txt")
  }
}
run "plain" {
  assert {
    condition     = output.o == file("../data/assert.txt")
    error_message = "no"
  }
}
run "own" {
  variables {
    a = "../data/own.txt"
    c = "./unused/${run.plain.x}.json"
  }
}
run "helper" {
  variables {
    name = "given"
  }
  module {
    source = "../helper"
  }
}
"#;
    let root = "variable \"a\" {\n}\nvariable \"b\" {\n}\nprovider \"aws\" {\n}\n\
                output \"o\" {\n  value = file(var.a)\n}\n";
    let helper = "variable \"name\" {\n}\noutput \"o\" {\n  value = file(\"${path.module}/${var.name}.txt\")\n}\n";
    let mut all = vec![
        ("net/main.tf", root),
        ("net/tests/x.tftest.hcl", test),
        ("helper/main.tf", helper),
        ("app/main.tf", "module \"net\" {\n  source = \"../net\"\n  a = \"./a\"\n  b = \"\"\n}\n"),
    ];
    let names = ["a", "b", "mocked", "provider", "assert", "own", "other"];
    let data: Vec<String> = names.iter().map(|name| format!("data/{name}.txt")).collect();
    all.extend(data.iter().map(|name| (name.as_str(), "x")));
    all.extend([("helper/given.txt", "x"), ("helper/other.txt", "x"), ("net/README", "x")]);
    let files = Files::new(&all);
    for name in &data {
        let expected = !name.contains("other");
        let affected = files.affected(&[name]);
        assert_eq!(
            affected.iter().any(|it| it.starts_with("net ")),
            expected,
            "{name} {affected:?}"
        );
        assert_eq!(files.gaps(&[name]), [], "{name}");
    }
    let affected = files.affected(&["helper/given.txt"]);
    assert!(
        affected.contains(&"net helper/given.txt>helper:output.o >net:run.helper".to_owned()),
        "{affected:?}"
    );
    // A change of the module that a run runs.
    let affected = files.affected(&["helper/main.tf"]);
    let way = "net helper/main.tf>helper: >net:run.helper".to_owned();
    assert!(affected.contains(&way), "{affected:?}");
    assert_eq!(files.affected(&["helper/README", "data/other.txt", "net/README"]), [""; 0]);
    assert_eq!(files.gaps(&["net/unused/x.json"]), [GapKind::UnknownFile]);
}

#[test]
fn folders_of_mocks_belong_to_tests() {
    let test = "mock_provider \"aws\" {\n  source = \"./mocks\"\n}\n";
    let files = Files::new(&[
        ("net/main.tf", "provider \"aws\" {\n}\n"),
        ("net/x.tftest.hcl", test),
        ("net/mocks/a.tfmock.hcl", "mock_resource \"aws_x\" {\n  defaults = {}\n}\n"),
    ]);
    let arena = Arena::new();
    let options = DiscoverOptions::default().with_dialect(Some(simd_hcl::Dialect::Terraform));
    let modules = discover(&[files.path("")], &options).modules;
    let tree = Tree::load(&arena, modules, &TreeOptions::default());
    let affected = tree.affected(&[files.path("net/mocks/a.tfmock.hcl")]);
    let is_net = |path: &Location| path.file_name().is_some_and(|name| name == "net");
    assert!(affected.modules.iter().any(|module| is_net(&module.path)), "{affected:?}");
}

#[test]
fn files_that_stacks_read() {
    let components = r#"
variable "x" {
  type = string
}
variable "dir" {
  type = string
}
variable "name" {
  type = string
}
locals {
  unused = file("${path.module}/../data/local.txt")
}
provider "aws" "this" {
  config {
    key = file("../data/provider.txt")
  }
}
component "net" {
  source = "./net"
  inputs = {
    x   = file("${var.dir}/x.txt")
    name = var.name
    f    = "../data/named.txt"
  }
}
component "each" {
  for_each = toset(["a", "b"])
  source   = "./net"
  inputs = {
    x   = file("../data/each-${each.key}.txt")
    name = upstream_input.other.name
    f    = ""
  }
}
output "o" {
  type  = string
  value = file("../data/output.txt")
}
"#;
    let deployments = r#"
locals {
  z = file("../data/deployments.txt")
}
deployment "prod" {
  inputs = {
    x   = file("../data/input.txt")
    dir = "../prod"
    name = "prod"
  }
}
deployment "test" {
  inputs = {
    x   = local.z
    dir = "../test"
    name = "test"
  }
}
"#;
    let net = "variable \"x\" {\n}\nvariable \"name\" {\n}\nvariable \"f\" {\n}\n\
               resource \"terraform_data\" \"y\" {\n  input = file(\"${path.module}/../../env-${var.name}/y.txt\")\n}\n";
    let mut all = vec![
        ("st/a.tfcomponent.hcl", components),
        ("st/b.tfdeploy.hcl", deployments),
        ("st/net/main.tf", net),
        ("env-prod/y.txt", ""),
        ("env-test/y.txt", ""),
    ];
    let names = ["local", "provider", "named", "each-a", "output", "deployments", "input"];
    let data: Vec<String> = names.iter().map(|name| format!("data/{name}.txt")).collect();
    all.extend(data.iter().map(|name| (name.as_str(), "x")));
    let files = Files::new(&all);
    let ask = |changed: &str| {
        let arena = Arena::new();
        let options = DiscoverOptions::default().with_dialect(Some(simd_hcl::Dialect::Terraform));
        let modules = discover(&[files.path("")], &options).modules;
        let tree = Tree::load(&arena, modules, &TreeOptions::default());
        let affected = tree.affected(&[files.path(changed)]);
        let is_stack = |path: &Location| path.file_name().is_some_and(|name| name == "st");
        let found = affected.modules.iter().find(|module| is_stack(&module.path));
        let last = found.and_then(|module| module.because.last()?.address());
        (found.is_some(), last.unwrap_or_default(), affected.gaps.len())
    };
    for name in data.iter().map(String::as_str).chain(["prod/x.txt", "test/x.txt"]) {
        assert_eq!(ask(name), (true, String::new(), 0), "{name}");
    }
    for name in ["env-prod/y.txt", "env-test/y.txt"] {
        assert_eq!(ask(name), (true, "component.net".to_owned(), 0), "{name}");
    }
    // The other stack may give any name.
    assert_eq!(ask("env-other/y.txt"), (false, String::new(), 1));
    assert_eq!(ask("data/other.txt"), (false, String::new(), 0));
    assert_eq!(ask("st/net/README.md"), (false, String::new(), 0));
}

#[test]
fn what_is_not_known_is_said() {
    let files = Files::new(&[
        ("root/main.tf.json", &format!("{{{}}}", call("${var.source}"))),
        ("native/main.tf", "module \"x\" { source = \"../leaf\" }"),
        ("leaf/main.tf.json", "{}"),
    ]);
    let gaps = files.gaps(&["leaf/main.tf.json"]);
    assert!(gaps.contains(&GapKind::UnknownSource), "{gaps:?}");
    assert_eq!(files.gaps(&["nothing.md"]), []);
}

#[test]
fn files_that_are_named_on_a_command_line() {
    let files = Files::new(&[("a/main.tf.json", "{}"), ("b/main.tf", "")]);
    assert_eq!(files.affected(&["a/prod.tfvars"]), ["a a/prod.tfvars>a:"]);
    assert_eq!(files.affected(&["b/prod.tfvars.json"]), ["b b/prod.tfvars.json>b:"]);
    assert_eq!(files.affected(&["a/x.pkrvars.hcl"]), [""; 0]);
    let unassigned = |file: &str| files.ask(&[file], |_, found| found.unassigned.len());
    for (file, count) in [
        ("a/env/prod.tfvars", 1),
        ("prod.pkrvars.hcl", 1),
        ("a/terragrunt.hcl", 1),
        ("a/prod.tfvars", 0),
        ("a/.terraform.lock.hcl", 0),
        ("a/README.md", 0),
        ("a/data.json", 0),
    ] {
        assert_eq!(unassigned(file), count, "{file}");
    }
}

/// 1,500 directories: 300 leaves, 300 modules that call two leaves each, 900 stacks that call one
/// of these modules or a leaf.
#[test]
fn a_repository_of_known_answers() {
    let files = Files::new(&[]);
    for leaf in 0..300 {
        files.write(
            &format!("modules/leaf{leaf}/main.tf.json"),
            r#"{"variable": {"a": {"default": 1}}}"#,
        );
    }
    for middle in 0..300 {
        let (one, two) = (middle, (middle * 7 + 1) % 300);
        let text = format!(
            r#"{{"module": {{"one": {{"source": "../../modules/leaf{one}"}}, "two": {{"source": "../../modules/leaf{two}"}}}}}}"#
        );
        files.write(&format!("blocks/middle{middle}/main.tf.json"), &text);
    }
    for stack in 0..900 {
        let source = match stack % 3 {
            0 => format!("../../modules/leaf{}", stack / 3),
            _ => format!("../../blocks/middle{}", stack / 3),
        };
        let key = BACKEND.replace("KEY", &format!("stack{stack}"));
        files.write(
            &format!("stacks/s{stack}/main.tf.json"),
            &format!("{{{}, {key}}}", call(&source)),
        );
    }
    let arena = Arena::new();
    let modules = discover(&[files.0.path()], &DiscoverOptions::default()).modules;
    let tree = Tree::load(&arena, modules, &TreeOptions::default());
    for leaf in (0..300).step_by(37) {
        let middles: Vec<usize> =
            (0..300).filter(|middle| *middle == leaf || (middle * 7 + 1) % 300 == leaf).collect();
        let mut expected =
            BTreeSet::from([format!("modules/leaf{leaf}"), format!("stacks/s{}", leaf * 3)]);
        for middle in middles {
            expected.insert(format!("blocks/middle{middle}"));
            expected.insert(format!("stacks/s{}", middle * 3 + 1));
            expected.insert(format!("stacks/s{}", middle * 3 + 2));
        }
        let affected = tree.affected(&[files.path(&format!("modules/leaf{leaf}/main.tf.json"))]);
        let found: BTreeSet<String> = affected
            .modules
            .iter()
            .map(|module| {
                module
                    .path
                    .disk()
                    .unwrap()
                    .strip_prefix(files.0.path())
                    .unwrap()
                    .display()
                    .to_string()
            })
            .collect();
        assert_eq!(found, expected);
        for module in &affected.modules {
            let is_stack =
                module.path.disk().unwrap().components().any(|part| part.as_os_str() == "stacks");
            assert_eq!(module.is_root, is_stack, "{module:?}");
            // The shortest path to a stack is given.
            assert!(module.because.len() <= 3);
        }
        assert!(affected.gaps.is_empty());
    }
}

/// Returns `MODULE:OBJECT DISTANCE` for everything that depends on an object or, if it is `None`,
/// on the module.
fn dependents(files: &Files, module: &str, object: Option<&str>) -> Vec<String> {
    let arena = Arena::new();
    let modules = discover(&[files.0.path()], &DiscoverOptions::default()).modules;
    let tree = Tree::load(&arena, modules, &TreeOptions::default());
    let graph = tree.graph();
    let short = |place: usize| {
        let path = &tree.modules()[place].files.path;
        path.disk().unwrap().strip_prefix(files.0.path()).unwrap().display().to_string()
    };
    let is_meant = |place: usize| short(place) == module;
    let found = match object {
        Some(object) => {
            let start = graph
                .nodes()
                .position(|node| is_meant(node.module) && node.object.to_string() == object);
            graph.dependents(&[start.unwrap() as u32])
        }
        None => {
            let place = (0..tree.modules().len()).find(|place| is_meant(*place)).unwrap();
            graph.dependents_of(&[], &[place])
        }
    };
    let line = |found: &simd_hcl::tree::Dependent| {
        let node = graph.node(found.node).unwrap();
        format!("{}:{} {}", short(node.module), node.object, found.distance)
    };
    found.iter().map(line).collect()
}

#[test]
fn an_object_affects_the_calls_of_its_module() {
    let files = Files::new(&[
        (
            "leaf/main.tf.json",
            r#"{"resource": {"a": {"x": {}, "y": {}}}, "output": {"y": {"value": "${a.y.id}"}}}"#,
        ),
        (
            "root/main.tf.json",
            r#"{"module": {"m": {"source": "../leaf", "count": "${local.n}"}}, "locals": {"n": 1, "out": "${module.m[0].y}"},
                "resource": {"b": {"waits": {"depends_on": ["module.m"]}, "apart": {}}}}"#,
        ),
    ]);
    // No output uses `a.x`. Still, the call depends on it, and so do objects that depend on the
    // module.
    assert_eq!(dependents(&files, "leaf", Some("a.x")), ["root:module.m 1", "root:b.waits 2"]);
    assert_eq!(
        dependents(&files, "leaf", Some("a.y")),
        ["leaf:output.y 1", "root:module.m 1", "root:local.out 2", "root:b.waits 2"]
    );
    assert_eq!(dependents(&files, "leaf", None), ["root:module.m 1", "root:b.waits 2"]);
    // The other way round: what the call gives affects all that the module declares.
    let of_count = dependents(&files, "root", Some("local.n"));
    for expected in ["leaf:a.x", "leaf:a.y", "leaf:output.y", "root:local.out", "root:b.waits"] {
        assert!(of_count.iter().any(|line| line.starts_with(expected)), "{expected}: {of_count:?}");
    }
    assert_eq!(dependents(&files, "root", Some("b.apart")), [""; 0]);
}

/// The operating system cannot resolve a link to itself, unlike a path that does not exist.
#[cfg(unix)]
#[test]
fn unknown_places_are_reported() {
    let files = Files::new(&[("app/main.tf.json", "{}")]);
    std::os::unix::fs::symlink("loop", files.path("loop")).unwrap();
    let unknown = |changed: &str| {
        files.ask(&[changed], |_, affected| {
            let places = affected.unknown_places.iter();
            places.map(|it| (it.path.clone(), it.message.clone())).collect::<Vec<_>>()
        })
    };
    assert_eq!(unknown("app/main.tf.json"), []);
    assert_eq!(unknown("app/gone/main.tf.json"), []);
    let found = unknown("loop/main.tf.json");
    let place = found.iter().find(|(path, _)| *path == files.path("loop"));
    assert!(place.is_some_and(|(_, message)| message.contains("symbolic links")), "{found:?}");
}
