//! Renames: of every object of real and generated trees, in both syntaxes, there and back.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use simd_hcl::convert::to_native;
use simd_hcl::dialect::{Dialect, List};
use simd_hcl::directory::DecodeOptions;
use simd_hcl::module::Object;
use simd_hcl::refactor::rename::{Request, plan};
use simd_hcl::refactor::{Change, Refusal, Why};
use simd_hcl::tree::{Origin, Tree};
use simd_hcl::{Arena, Document, Severity};

type Texts = BTreeMap<String, String>;

/// Writes files to a new directory.
fn written(files: &Texts) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

fn texts(files: &[(&str, &str)]) -> Texts {
    files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// The errors of a tree, without places.
fn errors(tree: &Tree<'_>) -> Vec<&'static str> {
    let all = tree.diagnostics().filter(|found| found.severity() == Severity::Error);
    let mut codes: Vec<_> = all.map(|found| found.code().as_str()).collect();
    codes.sort_unstable();
    codes
}

/// The result of a rename.
#[derive(Debug)]
struct Renamed {
    files: Texts,
    moved: Vec<(String, String)>,
    /// The texts of lines with what is not changed, and why.
    not_changed: Vec<(String, Why)>,
}

/// Renames an object of the module in a directory. Returns the new texts of all files.
fn rename(
    files: &Texts,
    module: &str,
    address: &str,
    name: &str,
    request: impl for<'r, 'a> Fn(Request<'r, 'a>) -> Request<'r, 'a>,
) -> Result<Renamed, Refusal> {
    let directory = written(files);
    let arena = Arena::new();
    let tree = Tree::open(&arena, &[directory.path()]).unwrap();
    let path = directory.path().join(module);
    let is_meant = |path_of: &simd_hcl::directory::Location| path_of.disk() == Some(&path);
    let place = tree.modules().iter().position(|module| is_meant(&module.files.path)).unwrap();
    let object = tree.modules()[place].module.objects();
    let object = object.into_iter().find(|object| object.to_string() == address);
    let object = object.unwrap_or_else(|| panic!("{address} in {module}"));
    let before = errors(&tree);
    let Change { files: changed, moved, not_changed, .. } =
        plan(&tree, &DecodeOptions::default(), &request(Request::new(place, object, name)))?;
    let mut new = files.clone();
    for changed in changed {
        let source = changed.source;
        let old = std::str::from_utf8(source.bytes()).unwrap();
        assert_eq!(changed.edited.edits().apply(old), changed.edited.text());
        let path = source.path().unwrap().strip_prefix(directory.path()).unwrap();
        let name = path.to_str().unwrap().to_owned();
        assert_eq!(new[&name], old);
        new.insert(name, changed.edited.into_text());
    }
    let not_changed = not_changed
        .iter()
        .map(|not| {
            let source = not.label.source;
            let line = source.line_span(not.label.span.start).slice(source.bytes());
            (String::from_utf8_lossy(line).trim().to_owned(), not.why)
        })
        .collect();
    let arena = Arena::new();
    let directory = written(&new);
    let tree = Tree::open(&arena, &[directory.path()]).unwrap();
    assert_eq!(errors(&tree), before, "{address} in {module}: {new:#?}");
    Ok(Renamed { files: new, moved, not_changed })
}

fn plain<'r, 'a>(request: Request<'r, 'a>) -> Request<'r, 'a> {
    request
}

/// The objects that can be renamed, with the directories of their modules.
fn objects(files: &Texts) -> Vec<(String, String)> {
    let directory = written(files);
    let arena = Arena::new();
    let tree = Tree::open(&arena, &[directory.path()]).unwrap();
    let mut all = BTreeSet::new();
    for module in tree.modules().iter().filter(|module| module.origin == Origin::Given) {
        let path = module.files.path.disk().unwrap().strip_prefix(directory.path()).unwrap();
        for object in module.module.objects() {
            let has_name = match object {
                Object::Provider(name) => name.alias.is_some(),
                Object::Variable(_)
                | Object::Local(_)
                | Object::Output(_)
                | Object::Resource(_)
                | Object::ModuleCall(_) => true,
                _ => false,
            };
            if has_name {
                all.insert((path.to_str().unwrap().to_owned(), object.to_string()));
            }
        }
    }
    all.into_iter().collect()
}

/// Renames every object there and back.
fn there_and_back(files: &Texts, step: usize) -> usize {
    let mut count = 0;
    for (module, address) in objects(files).into_iter().step_by(step) {
        let (prefix, old) = match address.rsplit_once('.') {
            Some((prefix, old)) => (format!("{prefix}."), old),
            None => (String::new(), &*address),
        };
        let there = rename(files, &module, &address, "renamed_for_a_test", plain);
        let there = match there {
            Ok(there) => there,
            Err(Refusal::Name(_) | Refusal::Unread(_)) => continue,
            Err(refusal) => panic!("{address} in {module}: {refusal}"),
        };
        assert_ne!(there.files, *files, "{address} in {module}");
        let new = format!("{prefix}renamed_for_a_test");
        let back = rename(&there.files, &module, &new, old, plain).unwrap();
        for (name, text) in files {
            assert_eq!(back.files[name], *text, "{name} after {address} in {module}");
        }
        let reversed: Vec<_> = back.moved.into_iter().map(|(from, to)| (to, from)).collect();
        assert_eq!(reversed, there.moved);
        count += 1;
    }
    count
}

/// All files below a directory of the corpus that are text.
fn corpus(directory: &str) -> Texts {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(directory);
    let mut all = Texts::new();
    let mut open = vec![root.clone()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
                all.insert(name.replace('\\', "/"), text);
            }
        }
    }
    all
}

/// The same tree in native syntax.
fn native(files: &Texts) -> Texts {
    let mut all = Texts::new();
    for (name, text) in files {
        let arena = Arena::new();
        let stem = name.strip_suffix(".tf.json").map(|stem| format!("{stem}.tf"));
        let document = Document::parse_bytes(&arena, name, text.as_bytes());
        match (stem, document) {
            (Some(stem), Ok(document)) => {
                let kind = Some((Dialect::OpenTofu, List::Primary));
                let converted = to_native(document, kind, &|_, _| None, &mut ());
                all.insert(stem, converted.text);
            }
            _ => drop(all.insert(name.clone(), text.clone())),
        }
    }
    all
}

/// A tree in native syntax with what makes edits hard.
const ODD: &[(&str, &str)] = &[
    (
        "main.tf",
        "# main\nvariable \"size\" { default = 1 }\n/* two */ variable \"list\" {\n\tdefault = [1]\n}\n\
         locals {\n  # of size\n  twice = 2 * var.size # var.size\n  text = <<-EOT\n    ${var.size} var.size\n    \
         %{ for it in var.list }${it}${local.twice}%{ endfor }\n  EOT\n}\n\
         resource \"terraform_data\" \"one\" {\n  input = [var.size, local.text, \"var.size\"]\n}\n\
         resource \"terraform_data\" \"two\" {\n  count = 2\n  input = terraform_data.one.output\n  \
         depends_on = [terraform_data.one, module.inner]\n  lifecycle {\n    replace_triggered_by = [terraform_data.one]\n  \
         }\n}\n\nmodule \"inner\" {\n  source = \"./inner\"\n  size   = var.size\n}\n\n\
         output \"all\" {\n  value = [terraform_data.two[*].id, module.inner.id, module.inner]\n}\n\
         moved {\n  from = terraform_data.older\n  to   = terraform_data.one\n}\n\n\
         import {\n  to = module.inner.terraform_data.x\n  id = \"i\"\n}",
    ),
    ("terraform.tfvars", "size = 3\n\n# list\nlist = [var_size]\n"),
    (
        "a.tftest.hcl",
        "variables {\n  size = 2\n}\nrun \"r\" {\n  variables {\n    size = 4\n  }\n  assert {\n    condition     = \
         output.all != null && var.size == 4\n    error_message = \"size\"\n  }\n}\n",
    ),
    (
        "inner/main.tf",
        "variable \"size\" {\r\n  type = number\r\n}\r\nresource \"terraform_data\" \"x\" {\r\n  input = var.size\r\n}\r\n\
         output \"id\" {\r\n  value = terraform_data.x.id\r\n}\r\n",
    ),
];

#[test]
fn renaming_back_gives_the_same_bytes() {
    let step = simd_hcl_corpus::sized([19, 3, 1]);
    let odd = texts(ODD);
    let mut count = there_and_back(&odd, 1);
    assert!(count >= 10, "{count}");
    let monorepo = corpus("monorepo");
    count += there_and_back(&monorepo, step);
    count += there_and_back(&native(&monorepo), step);
    let minified = monorepo.iter().map(|(name, text)| {
        let text = match serde_json::from_str::<serde_json::Value>(text) {
            Ok(value) => value.to_string(),
            Err(_) => text.clone(),
        };
        (name.clone(), text)
    });
    count += there_and_back(&minified.collect(), step);
    assert!(count >= 20, "{count}");
}

#[test]
fn everything_that_names_a_variable_follows() {
    let renamed = rename(&texts(ODD), "", "var.size", "count_of", plain).unwrap();
    let main = &renamed.files["main.tf"];
    assert!(main.starts_with("# main\nvariable \"count_of\" { default = 1 }\n"), "{main}");
    assert!(main.contains("  twice = 2 * var.count_of # var.size\n"), "{main}");
    assert!(main.contains("    ${var.count_of} var.size\n"), "{main}");
    assert!(main.contains("input = [var.count_of, local.text, \"var.size\"]"), "{main}");
    assert!(main.contains("  size   = var.count_of\n"), "{main}");
    assert_eq!(renamed.files["terraform.tfvars"], "count_of = 3\n\n# list\nlist = [var_size]\n");
    let test = &renamed.files["a.tftest.hcl"];
    assert!(test.starts_with("variables {\n  count_of = 2\n}"), "{test}");
    assert!(test.contains("    count_of = 4\n") && test.contains("var.count_of == 4"), "{test}");
    assert_eq!(renamed.files["inner/main.tf"], texts(ODD)["inner/main.tf"]);
    let left: Vec<_> = renamed.not_changed.iter().map(|(line, why)| (&**line, *why)).collect();
    assert!(left.contains(&("error_message = \"size\"", Why::NoReference)), "{left:?}");
    assert!(left.contains(&("twice = 2 * var.size # var.size", Why::Comment)), "{left:?}");

    let renamed = rename(&texts(ODD), "inner", "var.size", "count_of", plain).unwrap();
    assert!(renamed.files["main.tf"].contains("  count_of   = var.size\n"), "{renamed:#?}");
    assert!(renamed.files["inner/main.tf"].contains("variable \"count_of\" {\r\n"));
}

#[test]
fn resources_move_and_outputs_are_followed() {
    let renamed = rename(&texts(ODD), "", "terraform_data.one", "first", plain).unwrap();
    let main = &renamed.files["main.tf"];
    // It follows the resource, and the older block stays.
    let after = main.find("resource \"terraform_data\" \"first\"").unwrap();
    assert!(
        main[after..]
            .contains("moved {\n  from = terraform_data.one\n  to   = terraform_data.first\n}"),
        "{main}"
    );
    assert!(main.contains("  to   = terraform_data.one\n}"), "{main}");
    assert!(main.contains("[terraform_data.first, module.inner]"), "{main}");
    assert!(main.contains("replace_triggered_by = [terraform_data.first]"), "{main}");
    let address = |name: &str| format!("terraform_data.{name}");
    assert_eq!(renamed.moved, [(address("one"), address("first"))]);

    let renamed = rename(&texts(ODD), "inner", "terraform_data.x", "y", plain).unwrap();
    assert!(renamed.files["main.tf"].contains("to = module.inner.terraform_data.y\n"));

    let renamed = rename(&texts(ODD), "inner", "output.id", "name", plain).unwrap();
    assert!(renamed.files["main.tf"].contains("module.inner.name, module.inner]"));
    let whole = renamed.not_changed.iter().filter(|(_, why)| *why == Why::WholeModule);
    assert_eq!(whole.count(), 1, "{:?}", renamed.not_changed);
}

fn without_moved<'r, 'a>(request: Request<'r, 'a>) -> Request<'r, 'a> {
    request.with_moved(false)
}

#[test]
fn without_moved_blocks_older_ones_follow() {
    let renamed = rename(&texts(ODD), "", "terraform_data.one", "first", without_moved).unwrap();
    let main = &renamed.files["main.tf"];
    let older = "from = terraform_data.older\n  to   = terraform_data.first\n";
    assert!(main.contains(older) && main.matches("moved {").count() == 1, "{main}");
    assert_eq!(renamed.moved, []);
}

#[test]
fn names_that_are_taken_are_refused() {
    let refused = |module: &str, address: &str, name: &str| match rename(
        &texts(ODD),
        module,
        address,
        name,
        plain,
    ) {
        Err(Refusal::Name(why)) => why,
        other => panic!("{address} {name}: {other:?}"),
    };
    assert!(refused("", "var.size", "list").contains("has var.list already"));
    assert!(refused("", "var.size", "a b").contains("is not a name"));
    assert!(refused("", "var.size", "1a").contains("is not a name"));
    // A chain of moves would have no start.
    assert!(refused("", "terraform_data.two", "older").contains("has moved to terraform_data.one"));
    let files = texts(&[("main.tf", "variable \"a\" {}\nlocals {\n  x = var.b\n}\n")]);
    let why = rename(&files, "", "var.a", "b", plain).unwrap_err().to_string();
    assert!(why.contains("refers to var.b"), "{why}");
    let broken = texts(&[("main.tf", "variable \"a\" {}\n"), ("b.tf", "x = [\n")]);
    assert!(matches!(rename(&broken, "", "var.a", "b", plain), Err(Refusal::Unread(_))));
}

#[test]
fn long_addresses_in_a_deep_tree_are_not_followed() {
    let mut files = texts(&[("l13/main.tf", "resource \"terraform_data\" \"x\" {}\n")]);
    for level in 0..13 {
        let next = level + 1;
        let call = |name: &str| {
            let name = name.repeat(4000);
            format!("module \"{name}\" {{\n  source = \"../l{next}\"\n}}\n")
        };
        files.insert(format!("l{level}/main.tf"), call("a") + &call("b"));
    }
    match rename(&files, "l13", "terraform_data.x", "y", plain) {
        Err(Refusal::Unsupported(why)) => assert!(why.contains("more ways"), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn outputs_of_instances_follow_where_they_are_proven() {
    let renamed = |value: &str| {
        let main = format!(
            "module \"m\" {{\n  source   = \"./m\"\n  for_each = toset([\"a\"])\n}}\nmodule \"c\" {{\n  source = \
             \"./m\"\n  count  = 2\n}}\nvariable \"k\" {{}}\noutput \"o\" {{\n  value = {value}\n}}\n"
        );
        let inner = "output \"old\" {\n  value = { a = [1] }\n}\n";
        let files = texts(&[("main.tf", &main), ("m/main.tf", inner)]);
        let renamed = rename(&files, "m", "output.old", "new", plain).unwrap();
        let text = &renamed.files["main.tf"];
        let start = text.find("value = ").unwrap() + "value = ".len();
        let whole = renamed.not_changed.iter().filter(|(_, why)| *why == Why::WholeModule);
        (text[start..].lines().next().unwrap().to_owned(), whole.count())
    };
    for value in [
        "[for k, v in module.m : v.old if v.old != null]",
        "[for k, v in module.m : v[\"old\"]]",
        "module.m[var.k].old",
        "(module.m)[var.k].old.a",
        "values(module.m)[0].old",
        "values(module.m)[*].old.a",
        "module.c[*].old[var.k]",
        "module.c[*].old.a[*]",
        "one(values(module.m)).old",
        "element(module.c, 0).old",
        "lookup(module.m, var.k).old",
        "tolist(module.c)[1].old",
        "reverse(module.c)[*].old",
        "[for v in module.c[*] : v.old]",
        "length(module.m)",
        "[for k in keys(module.m) : module.m[k].old]",
    ] {
        assert_eq!(renamed(value), (value.replace("old", "new"), 0), "{value}");
    }
    for value in [
        "[for k, v in module.m : v]",
        "[for k, v in module.m : v[k]]",
        "[for v in module.c : [for v in [1] : v.old]]",
        "[for v in module.c[0] : v.old]",
        "module.c[0]",
        "values(module.m)",
        "lookup(module.m, var.k, { old = 1 }).old",
        "merge(module.m, {})[var.k].old",
        "module.m[var.k]",
    ] {
        assert_eq!(renamed(value), (value.to_owned(), 1), "{value}");
    }
}
