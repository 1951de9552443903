//! Refactorings other than renames: moves, local values that are inlined and extracted, unused
//! declarations, versions.

use std::collections::BTreeMap;
use std::fs;

use simd_hcl::directory::DecodeOptions;
use simd_hcl::module::Object;
use simd_hcl::refactor::{Change, Refusal, extract, inline, keys, relocate, unused, upgrade};
use simd_hcl::tree::Tree;
use simd_hcl::{Arena, Severity};

pub(crate) type Texts = BTreeMap<String, String>;

fn texts(files: &[(&str, &str)]) -> Texts {
    files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// The place of the module in a directory of a tree.
pub(crate) fn place(tree: &Tree<'_>, root: &std::path::Path, directory: &str) -> usize {
    let path = root.join(directory);
    let path = if directory.is_empty() { root.to_owned() } else { path };
    let mut modules = tree.modules().iter();
    modules.position(|module| module.files.path.disk() == Some(&path)).unwrap()
}

pub(crate) fn object<'a>(tree: &Tree<'a>, module: usize, address: &str) -> Object<'a> {
    let mut objects = tree.modules()[module].module.objects();
    objects.find(|object| object.to_string() == address).unwrap()
}

fn errors(tree: &Tree<'_>) -> Vec<&'static str> {
    let all = tree.diagnostics().filter(|found| found.severity() == Severity::Error);
    let mut all: Vec<_> = all.map(|found| found.code().as_str()).collect();
    all.sort_unstable();
    all
}

/// Applies a refactoring to files; there are no new errors afterwards.
pub(crate) fn applied(
    files: &Texts,
    plan: impl for<'a> Fn(&Tree<'a>, &std::path::Path, &DecodeOptions) -> Result<Change<'a>, Refusal>,
) -> Result<Texts, Refusal> {
    let written = |files: &Texts| {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        directory
    };
    let directory = written(files);
    let arena = Arena::new();
    let tree = Tree::open(&arena, &[directory.path()]).unwrap();
    let before = errors(&tree);
    let change = plan(&tree, directory.path(), &DecodeOptions::default())?;
    let mut new = files.clone();
    for changed in change.files {
        let path = changed.source.path().unwrap().strip_prefix(directory.path()).unwrap();
        new.insert(path.to_str().unwrap().to_owned(), changed.edited.into_text());
    }
    let directory = written(&new);
    let arena = Arena::new();
    let tree = Tree::open(&arena, &[directory.path()]).unwrap();
    let after = errors(&tree);
    assert!(after.iter().all(|code| before.contains(code)), "{after:?} {new:#?}");
    Ok(new)
}

fn inlined(files: &Texts, name: &str) -> Result<Texts, Refusal> {
    applied(files, |tree, root, options| {
        inline::plan(tree, options, &inline::Request::new(place(tree, root, ""), name))
    })
}

#[test]
fn local_values_are_inlined() {
    let main = "locals {\n  # The size.\n  a = var.x + 1 # of all\n  b = [local.a, local.a.c]\n}\n\
                variable \"x\" {}\noutput \"o\" {\n  value = local.a\n}\noutput \"p\" {\n  value = \
                \"${local.a}-${2 * local.a}\"\n}\n";
    let new = inlined(&texts(&[("main.tf", main)]), "a").unwrap();
    let expected = "locals {\n  b = [var.x + 1, (var.x + 1).c]\n}\nvariable \"x\" {}\noutput \"o\" \
                    {\n  value = var.x + 1\n}\noutput \"p\" {\n  value = \"${var.x + 1}-${2 * (var.x + \
                    1)}\"\n}\n";
    assert_eq!(new["main.tf"], expected);
    // The block goes with its last attribute.
    let new = inlined(&new, "b").unwrap();
    assert!(new["main.tf"].starts_with("variable \"x\" {}\n"), "{new:#?}");

    let json = r#"{"locals":{"a":"${upper(\"x\")}","b":1},"output":{"o":{"value":"${local.a} ${local.b}"}}}"#;
    let new = inlined(&texts(&[("main.tf.json", json)]), "a").unwrap();
    let expected = r#"{"locals":{"b":1},"output":{"o":{"value":"${upper(\"x\")} ${local.b}"}}}"#;
    assert_eq!(new["main.tf.json"], expected);
    let new = inlined(&new, "b").unwrap();
    assert_eq!(new["main.tf.json"], r#"{"output":{"o":{"value":"${upper(\"x\")} ${1}"}}}"#);

    let refused = |main: &str| inlined(&texts(&[("main.tf", main)]), "a").unwrap_err().to_string();
    for call in
        ["uuid()", "upper(timestamp())", "core::timestamp()", "plantimestamp()", "bcrypt(\"x\")"]
    {
        let text = format!("locals {{\n  a = {call}\n}}\n");
        assert!(refused(&text).contains("another result"), "{call}");
    }
    let bound = "locals {\n  a = var.x\n  b = [for var in [1] : local.a]\n}\nvariable \"x\" {}\n";
    assert!(refused(bound).contains("another meaning"));
    let heredoc = "locals {\n  a = <<X\ny\nX\n}\n";
    assert!(refused(heredoc).contains("heredoc"));
}

#[test]
fn values_get_parentheses_where_they_need_them() {
    for (value, reference, expected) in [
        ("(var.x) + (var.x)", "2 * local.a", "2 * ((var.x) + (var.x))"),
        ("(var.x + 1)", "2 * local.a", "2 * (var.x + 1)"),
        ("(true) ? (false) : (true)", "!local.a", "!((true) ? (false) : (true))"),
        ("-1", "2 - local.a", "2 - (-1)"),
        ("var.l[*].a", "local.a[0]", "(var.l[*].a)[0]"),
        ("var.l.*.a", "local.a[*].b", "(var.l.*.a)[*].b"),
        ("var.l[*].a", "local.a[var.x]", "(var.l[*].a)[var.x]"),
        ("var.l[*].a", "(local.a /* c */ [0])", "((var.l[*].a) /* c */ [0])"),
        ("var.l[*].a", "[local.a, 1]", "[var.l[*].a, 1]"),
        ("1", "local.a / 2", "1 / 2"),
        ("1", "try(local.a.0, 3)", "try((1).0, 3)"),
        ("[1, 2]", "local.a[0]", "[1, 2][0]"),
        ("var.l", "local.a[0].a", "var.l[0].a"),
    ] {
        let main = format!(
            "locals {{\n  a = {value}\n}}\nvariable \"x\" {{}}\nvariable \"l\" {{}}\noutput \"o\" {{\n  value = \
             {reference}\n}}\n"
        );
        let new = inlined(&texts(&[("main.tf", &main)]), "a").unwrap();
        let line = format!("  value = {expected}\n");
        assert!(new["main.tf"].contains(&line), "{value} in {reference}: {new:#?}");
    }
}

#[test]
fn modules_with_syntax_errors_keep_their_declarations() {
    let uses = [
        (
            "main.tf",
            "resource \"terraform_data\" \"a\" {\n  depends_on = [local.a, local.b +]\n}\n",
        ),
        ("main.tf", "output \"o\" {\n  value = local.b +\n}\n"),
        ("main.tf.json", r#"{"output":{"o":{"value":1,"depends_on":["local.b +"]}}}"#),
        ("main.tftest.hcl", "run \"r\" {\n  variables {\n    x = local.b +\n  }\n}\n"),
    ];
    for (name, text) in uses {
        let declared = "locals {\n  a = 1\n  b = 2\n}\n";
        let files = texts(&[("declared.tf", declared), (name, text)]);
        let new = applied(&files, |tree, _, options| {
            unused::plan(tree, options, &unused::Request::new(&[0]))
        });
        assert_eq!(new.unwrap(), files, "{text}");
        let refused = inlined(&files, "a").unwrap_err();
        assert!(matches!(refused, Refusal::Unread(_)), "{text}: {refused}");
    }
}

fn extracted(files: &Texts, text: &str, name: &str, kind: extract::Kind) -> Result<Texts, Refusal> {
    let (file, offset) = files
        .iter()
        .find_map(|(file, all)| Some((file, all.find(text)? as u32)))
        .unwrap_or_else(|| panic!("{text} in {files:#?}"));
    applied(files, |tree, root, options| {
        let module = place(tree, root, "");
        let file = root.join(file);
        let request = extract::Request::new(module, file.to_str().unwrap(), offset, name);
        extract::plan(tree, options, &request.with_kind(kind))
    })
}

#[test]
fn expressions_are_extracted() {
    use extract::Kind::{Local, Variable};
    let main = "variable \"x\" {}\nresource \"terraform_data\" \"a\" {\n  for_each = { k = 1 }\n  \
                input = [var.x * 2, each.value, [for v in [3] : v + 1]]\n}\n";
    let files = texts(&[("main.tf", main)]);
    let new = extracted(&files, "* 2", "double", Local).unwrap();
    let expected =
        main.replace("var.x * 2", "local.double") + "\nlocals {\n  double = var.x * 2\n}\n";
    assert_eq!(new["main.tf"], expected);
    assert_eq!(inlined(&new, "double").unwrap()["main.tf"], main);
    let new = extracted(&new, "3]", "three", Variable).unwrap();
    assert!(new["main.tf"].contains("for v in [var.three]"), "{new:#?}");
    let variable = "variable \"three\" {\n  type    = number\n  default = 3\n}\n";
    assert!(new["main.tf"].contains(variable), "{new:#?}");
    let refused =
        |text: &str, name: &str, kind| extracted(&files, text, name, kind).unwrap_err().to_string();
    assert!(refused("each.value", "y", Local).contains("`each`"));
    assert!(refused("v + 1", "y", Local).contains("`v`"));
    assert!(refused("var.x *", "x", Variable).contains("has var.x already"));
    assert!(refused("var.x *", "y", Variable).contains("constant"));
    assert!(refused("for_each", "y", Local).contains("no expression"));

    let json = r#"{"locals":{"a":1},"output":{"o":{"value":"${upper(\"x\")} ${1 + local.a}"},"p":{"value":[1,{"k":true}]}}}"#;
    let files = texts(&[("main.tf.json", json)]);
    let new = extracted(&files, "+ local", "sum", Local).unwrap();
    let expected = json
        .replace("1 + local.a", "local.sum")
        .replace("\"a\":1", "\"a\":1,\"sum\":\"${1 + local.a}\"");
    assert_eq!(new["main.tf.json"], expected);
    let new = extracted(&files, "x\\\")", "letter", Local).unwrap();
    assert!(new["main.tf.json"].contains("upper(local.letter)"), "{new:#?}");
    let new = extracted(&files, "true", "flag", Variable).unwrap();
    assert!(new["main.tf.json"].contains("{\"k\":\"${var.flag}\"}"), "{new:#?}");
}

#[test]
fn unused_declarations_go_with_what_only_they_use() {
    let files = texts(&[
        (
            "main.tf",
            "variable \"a\" {}\nvariable \"kept\" {}\nlocals {\n  # Only here.\n  one = var.a\n  two = \
             local.one\n}\nmodule \"m\" {\n  source = \"./m\"\n  size   = local.two\n  used   = \
             var.kept\n}\noutput \"o\" {\n  value = module.m.o\n}\n",
        ),
        ("terraform.tfvars", "a = 1\n\n# Kept.\nkept = 2\n"),
        (
            "m/main.tf",
            "variable \"size\" {}\n\nvariable \"used\" {}\n\noutput \"o\" {\n  value = var.used\n}\n",
        ),
    ]);
    let removed = |files: &Texts| {
        applied(files, |tree, _, options| {
            let all: Vec<usize> = (0..tree.modules().len()).collect();
            unused::plan(tree, options, &unused::Request::new(&all))
        })
        .unwrap()
    };
    let new = removed(&files);
    let main = "variable \"kept\" {}\nmodule \"m\" {\n  source = \"./m\"\n  used   = var.kept\n}\noutput \
                \"o\" {\n  value = module.m.o\n}\n";
    assert_eq!(new["main.tf"], main);
    assert_eq!(new["terraform.tfvars"], "# Kept.\nkept = 2\n");
    assert!(new["m/main.tf"].starts_with("variable \"used\" {}\n"), "{new:#?}");
    assert_eq!(removed(&new), new);
}

const OUTER: &str = "variable \"cidr\" {\n  type = string\n}\n\n# The first one.\nresource \
                     \"terraform_data\" \"net\" {\n  input = [var.cidr, terraform_data.base.input]\n} # \
                     net\n\nresource \"terraform_data\" \"base\" {\n  input = 1\n}\n\nmodule \"inner\" \
                     {\n  source = \"./inner\"\n}\n\noutput \"net\" {\n  value = \
                     terraform_data.net.input\n}\n";

fn moved(
    files: &Texts,
    module: &str,
    address: &str,
    to: relocate::Destination<'_>,
) -> Result<Texts, Refusal> {
    applied(files, |tree, root, options| {
        let module = place(tree, root, module);
        let to = match to {
            relocate::Destination::Module(_) => {
                relocate::Destination::Module(place(tree, root, ""))
            }
            to => to,
        };
        let request = relocate::Request::new(module, object(tree, module, address), to);
        relocate::plan(tree, options, &request)
    })
}

#[test]
fn objects_move() {
    use relocate::Destination::{Call, File, Module};
    let files = texts(&[
        ("main.tf", OUTER),
        ("other.tf", "# Other.\n"),
        ("inner/main.tf", "output \"x\" {\n  value = 1\n}\n"),
    ]);
    let new = moved(&files, "", "terraform_data.net", File("other.tf")).unwrap();
    let net = "# The first one.\nresource \"terraform_data\" \"net\" {\n  input = [var.cidr, \
               terraform_data.base.input]\n} # net\n";
    assert_eq!(new["other.tf"], format!("# Other.\n\n{net}"));
    assert_eq!(new["main.tf"], OUTER.replace(&format!("{net}\n"), ""));

    let new = moved(&files, "", "terraform_data.net", Call("inner")).unwrap();
    for text in [
        "  base_input = terraform_data.base.input\n",
        "  cidr       = var.cidr\n",
        "  value = module.inner.net_input\n",
        "moved {\n  from = terraform_data.net\n  to   = module.inner.terraform_data.net\n}\n",
    ] {
        assert!(new["main.tf"].contains(text), "{text}\n{}", new["main.tf"]);
    }
    for text in [
        "# The first one.\nresource \"terraform_data\" \"net\" {\n  input = [var.cidr, \
         var.base_input]\n} # net\n",
        "variable \"cidr\" {\n  type = string\n}\n",
        "variable \"base_input\" {\n  type = any\n}\n",
        "output \"net_input\" {\n  value = terraform_data.net.input\n}\n",
    ] {
        assert!(new["inner/main.tf"].contains(text), "{text}\n{}", new["inner/main.tf"]);
    }
    let back = moved(&new, "inner", "terraform_data.net", Module(0)).unwrap();
    let main = &back["main.tf"];
    assert!(main.contains("input = [var.cidr, terraform_data.base.input]\n"), "{main}");
    assert!(main.contains("  net_input  = terraform_data.net.input\n"), "{main}");
    assert!(back["inner/main.tf"].contains("  value = var.net_input\n"), "{back:#?}");
    let refused = moved(&files, "", "output.net", Call("inner")).unwrap_err().to_string();
    assert!(refused.contains("not a resource"), "{refused}");
}

#[test]
fn moves_are_refused_where_a_name_means_something_else() {
    let refused = |input: &str, output: &str| {
        let main = format!(
            "resource \"terraform_data\" \"net\" {{\n  input = {input}\n}}\nmodule \"inner\" {{\n  source = \
             \"./inner\"\n}}\noutput \"o\" {{\n  value = {output}\n}}\n"
        );
        let inner = "locals {\n  z = [1]\n}\noutput \"z\" {\n  value = local.z\n}\n";
        let files = texts(&[("main.tf", &main), ("inner/main.tf", inner)]);
        let moved = moved(&files, "", "terraform_data.net", relocate::Destination::Call("inner"));
        moved.map(|_| ()).map_err(|why| why.to_string())
    };
    let plain = "terraform_data.net.input";
    assert_eq!(refused("[for v in [1] : module.inner.z]", plain), Ok(()));
    let why = refused("[for local in [1] : module.inner.z]", plain).unwrap_err();
    assert!(why.contains("`local` has another meaning"), "{why}");
    let why = refused("1", "[for module in [1] : terraform_data.net.input]").unwrap_err();
    assert!(why.contains("`module` has another meaning"), "{why}");
}

#[test]
fn moves_are_refused_where_a_module_further_out_has_the_address() {
    let call = |name: &str| format!("module \"{name}\" {{\n  source = \"../{name}\"\n}}\n");
    let import = "import {\n  to = module.mid.module.a.terraform_data.net\n  id = \"1\"\n}\n";
    let a = format!("{}resource \"terraform_data\" \"net\" {{}}\n", call("inner"));
    let top = call("mid") + import;
    let (mid, into) = (call("a"), relocate::Destination::Call("inner"));
    let files = [("top/main.tf", &*top), ("mid/main.tf", &mid), ("a/main.tf", &a)];
    let files = texts(&[&files[..], &[("inner/main.tf", "\n")]].concat());
    let why = moved(&files, "a", "terraform_data.net", into).unwrap_err().to_string();
    assert!(why.contains("top names terraform_data.net by its address"), "{why}");
    let mut files = files;
    files.insert("top/main.tf".to_owned(), call("mid"));
    moved(&files, "a", "terraform_data.net", into).unwrap();
}

#[test]
fn keys_of_several_blocks_are_renamed_together() {
    let main = "locals {\n  all = { a = 1, b = 2 }\n}\nresource \"terraform_data\" \"x\" {\n  for_each = \
                local.all\n}\nresource \"terraform_data\" \"y\" {\n  for_each = local.all\n  input    = \
                terraform_data.x[\"a\"].id\n}\nmoved {\n  from = terraform_data.x[\"new\"]\n  to   = \
                terraform_data.x[\"a\"]\n}\n";
    let top = "module \"m\" {\n  source = \"./m\"\n}\nimport {\n  to = \
               module.m.terraform_data.y[\"a\"]\n  id = \"1\"\n}\n";
    let files = texts(&[("m/main.tf", main), ("main.tf", top)]);
    let new = applied(&files, |tree, root, options| {
        let module = place(tree, root, "m");
        let object = object(tree, module, "terraform_data.x");
        keys::plan(tree, options, &keys::Request::new(module, object, "a", "new"))
    });
    let new = new.unwrap();
    let moved =
        "moved {\n  from = terraform_data.y[\"a\"]\n  to   = terraform_data.y[\"new\"]\n}\n";
    let expected = main.split("moved {").next().unwrap().replace("{ a = 1", "{ new = 1");
    let expected = expected.replace("[\"a\"]", "[\"new\"]") + moved;
    assert_eq!(new["m/main.tf"], expected);
    assert_eq!(new["main.tf"], top.replace("[\"a\"]", "[\"new\"]"));
}

#[test]
fn versions_are_upgraded() {
    use upgrade::Subject::{Module, Provider, Tool};
    let main = "terraform {\n  required_version = \">= 1.5\"\n  required_providers {\n    aws = {\n      \
                source  = \"hashicorp/aws\"\n      version = \"~> 5.1\" # aws\n    }\n  }\n}\nmodule \
                \"a\" {\n  source  = \"terraform-aws-modules/vpc/aws//modules/x\"\n  version = \
                \"5.0.0\"\n}\nmodule \"c\" {\n  source = \
                \"git::ssh://git@github.com/acme/net.git//a?depth=1&ref=v1.0.0\"\n}\nmodule \"hg\" {\n  \
                source = \"hg::http://example.com/vpc?ref=1&rev=1.4\"\n}\n";
    let files = texts(&[("main.tf", main)]);
    let upgraded = |subject, version: &str, from: Option<&str>| {
        let new = applied(&files, |tree, _, options| {
            let mut request = upgrade::Request::new(subject, version);
            request.from = from;
            upgrade::plan(tree, options, &request)
        });
        new.map(|mut new| new.remove("main.tf").unwrap())
    };
    let aws = main.replace("~> 5.1", "~> 6.0");
    assert_eq!(upgraded(Provider("aws"), "~> 6.0", None).unwrap(), aws);
    assert_eq!(upgraded(Provider("hashicorp/aws"), "~> 6.0", Some("~> 5.0")).unwrap(), aws);
    assert_eq!(upgraded(Provider("aws"), "~> 6.0", Some("~> 4.0")).unwrap(), main);
    let module = Module("terraform-aws-modules/vpc/aws");
    assert_eq!(upgraded(module, "6.0.0", None).unwrap(), main.replace("5.0.0", "6.0.0"));
    let net = Module("github.com/acme/net");
    assert_eq!(upgraded(net, "1.1.0", None).unwrap(), main.replace("v1.0.0", "v1.1.0"));
    let mercurial = Module("hg::http://example.com/vpc");
    assert_eq!(upgraded(mercurial, "1.5", None).unwrap(), main.replace("1.4", "1.5"));
    assert_eq!(upgraded(net, "main", None).unwrap(), main.replace("v1.0.0", "main"));
    assert_eq!(upgraded(Tool, ">= 1.9", None).unwrap(), main.replace(">= 1.5", ">= 1.9"));
    assert!(upgraded(net, "~> 1", None).is_err() && upgraded(Tool, "new", None).is_err());
}
