//! Random refactorings of generated trees, in both syntaxes: the findings and the values stay, a second
//! run has nothing to do, and the way back gives the bytes of before.

use simd_hcl::convert::to_json;
use simd_hcl::dialect::{Dialect, List};
use simd_hcl::evaluate::Functions;
use simd_hcl::expand::Selection;
use simd_hcl::functions::Environment;
use simd_hcl::module::Object;
use simd_hcl::refactor::{extract, inline, relocate, rename, unused};
use simd_hcl::reference::Mode;
use simd_hcl::tree::Tree;
use simd_hcl::{Arena, ParsedFile, Source};
use simd_hcl_corpus::sized;

use crate::expand::{all_resources, run, written};
use crate::random::Random;
use crate::refactorings::{Texts, applied, object, place};

/// A module that is written: its blocks by file, and what expressions of it may refer to.
#[derive(Default)]
struct Module {
    blocks: Vec<(usize, String)>,
    /// Expressions that are strings.
    texts: Vec<String>,
    outputs: Vec<String>,
    variables: Vec<String>,
}

/// An expression that is a string.
fn expression(random: &mut Random, texts: &[String]) -> String {
    if texts.is_empty() || random.below(6) == 0 {
        return format!("\"t{}\"", random.below(9));
    }
    let one = random.of(texts).clone();
    let other = random.of(texts).clone();
    match random.below(9) {
        0 => format!("\"${{{one}}}-x ${{{other}}}\""),
        1 => format!("upper({one})"),
        2 => format!("{one} == \"t1\" ? {one} : {other}"),
        3 => format!("join(\"-\", [{one}, {other}])"),
        4 => format!("[for v in [{one}, {other}] : \"${{v}}!\"][0]"),
        5 => format!("{{ \"a\" = {one}, b = {other} }}[\"b\"]"),
        _ => one,
    }
}

/// A module with these children: their names, sources, outputs and variables.
fn module(random: &mut Random, is_root: bool, children: &[(&str, &str, &Module)]) -> Module {
    let mut module = Module::default();
    let comments = ["", "", "# About it.\n", "// Two\n# lines.\n"];
    let add = |random: &mut Random, text: String| {
        let comment = random.of(&comments).to_owned();
        (random.below(2), format!("{comment}{text}"))
    };
    for at in 0..random.below(4) {
        let name = format!("v{at}");
        let default = match is_root || random.below(3) == 0 {
            true => format!("  default = \"t{}\"\n", random.below(3)),
            false => String::new(),
        };
        let written_type = random.of(&["  type    = string\n", ""]);
        let text = format!("variable \"{name}\" {{\n{written_type}{default}}}\n");
        let block = add(random, text);
        module.blocks.push(block);
        module.texts.push(format!("var.{name}"));
        module.variables.push(name);
    }
    for at in 0..3 + random.below(6) {
        let value = expression(random, &module.texts);
        match random.below(4) {
            0 => {
                let text = format!("locals {{\n  l{at} = {value} # l{at}\n}}\n");
                let block = add(random, text);
                module.blocks.push(block);
                module.texts.push(format!("local.l{at}"));
            }
            1 | 2 => {
                let (more, key) = match random.below(4) {
                    0 => ("  count = 2\n", "[1]"),
                    1 => ("  for_each = { k = \"x\" }\n", "[\"k\"]"),
                    _ => ("", ""),
                };
                let text = format!(
                    "resource \"terraform_data\" \"r{at}\" {{\n{more}  input = {value}\n}}\n"
                );
                let block = add(random, text);
                module.blocks.push(block);
                module.texts.push(format!("terraform_data.r{at}{key}.input"));
            }
            _ if !children.is_empty() => {
                let (_, source, child) = *random.of(children);
                let mut text = format!("module \"m{at}\" {{\n  source = \"{source}\"\n");
                for name in &child.variables {
                    let value = expression(random, &module.texts);
                    text.push_str(&format!("  {name} = {value}\n"));
                }
                text.push_str("}\n");
                let block = add(random, text);
                module.blocks.push(block);
                module
                    .texts
                    .extend(child.outputs.iter().map(|name| format!("module.m{at}.{name}")));
            }
            _ => {}
        }
    }
    for at in 0..1 + random.below(3) {
        let value = expression(random, &module.texts);
        let text = format!("output \"o{at}\" {{\n  value = {value}\n}}\n");
        let block = add(random, text);
        module.blocks.push(block);
        module.outputs.push(format!("o{at}"));
    }
    module
}

/// The files of a module, each in one of the syntaxes.
fn files(random: &mut Random, directory: &str, module: &Module, all: &mut Texts) {
    for (at, stem) in ["main", "other"].iter().enumerate() {
        let blocks = module.blocks.iter().filter(|(file, _)| *file == at);
        let text: Vec<&str> = blocks.map(|(_, text)| text.as_str()).collect();
        let newline = *random.of(&["\n", "\n", "\r\n"]);
        let text = text.join("\n").replace('\n', newline);
        match random.below(3) {
            0 => {
                let arena = Arena::new();
                let source = Source::from_bytes(&arena, "main.tf", text.as_bytes()).unwrap();
                let file = ParsedFile::native(&arena, source);
                let kind = Some((Dialect::OpenTofu, List::Primary));
                let json = to_json(file.as_native().unwrap(), kind, &mut ()).text;
                let json = match random.below(2) {
                    0 => json,
                    _ => serde_json::from_str::<serde_json::Value>(&json).unwrap().to_string(),
                };
                all.insert(format!("{directory}{stem}.tf.json"), json);
            }
            _ => {
                all.insert(format!("{directory}{stem}.tf"), text);
            }
        }
    }
}

/// A tree: a root module that calls two others, of which one calls the other.
fn tree(random: &mut Random) -> Texts {
    let mut all = Texts::new();
    let inner = module(random, false, &[]);
    let middle = module(random, false, &[("b", "../b", &inner)]);
    let children = [("a", "./a", &middle), ("b", "./b", &inner)];
    let called = &children[..1 + random.below(2)];
    let root = module(random, true, called);
    files(random, "b/", &inner, &mut all);
    files(random, "a/", &middle, &mut all);
    files(random, "", &root, &mut all);
    if let Some(name) = root.variables.first() {
        all.insert("terraform.tfvars".to_owned(), format!("# Given.\n{name} = \"given\"\n"));
    }
    all
}

/// The values of the root module, without addresses: of resources and of outputs.
fn values(files: &Texts) -> Vec<String> {
    let list: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let directory = written(&list);
    let functions = Environment::new();
    let all = Selection::default();
    let given = (Some(&functions as &dyn Functions), None);
    let (found, codes) = run(directory.path(), Dialect::OpenTofu, &all, given, |inputs| inputs);
    assert_eq!(codes, Vec::<&str>::new(), "{files:#?}");
    let resources = all_resources(&found);
    let of_resources = resources.values().map(|it| format!("{} {}", it["index"], it["values"]));
    let outputs = found["planned_values"]["outputs"].as_object().cloned().unwrap_or_default();
    let mut all: Vec<String> =
        of_resources.chain(outputs.values().map(|it| it.to_string())).collect();
    all.sort();
    all
}

/// The objects of the modules of a tree, with the directories of the modules.
fn objects(files: &Texts, is_wanted: impl Fn(Object<'_>) -> bool) -> Vec<(String, String)> {
    let list: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let directory = written(&list);
    let arena = Arena::new();
    let tree = Tree::open(&arena, &[directory.path()]).unwrap();
    let mut all = Vec::new();
    for module in tree.modules() {
        let path = module.files.path.disk().unwrap().strip_prefix(directory.path()).unwrap();
        let path = path.to_str().unwrap().to_owned();
        let objects = module.module.objects().filter(|object| is_wanted(*object));
        all.extend(objects.map(|object| (path.clone(), object.to_string())));
    }
    all
}

fn is_resource(object: Object<'_>) -> bool {
    matches!(object, Object::Resource(name) if name.mode == Mode::Managed)
}

fn renamed(files: &Texts, module: &str, address: &str, name: &str) -> Texts {
    let new = applied(files, |tree, root, options| {
        let module = place(tree, root, module);
        let object = object(tree, module, address);
        rename::plan(tree, options, &rename::Request::new(module, object, name))
    });
    new.unwrap_or_else(|why| panic!("{module}:{address} to {name}: {why}\n{files:#?}"))
}

#[test]
fn renames_there_and_back() {
    for seed in 0..sized([25, 400, 4000]) {
        let random = &mut Random(seed);
        let old = tree(random);
        let before = values(&old);
        let all = objects(&old, |object| {
            let has_name = matches!(
                object,
                Object::Variable(_) | Object::Local(_) | Object::Output(_) | Object::ModuleCall(_)
            );
            has_name || is_resource(object)
        });
        let (module, address) = random.of(&all);
        let new = renamed(&old, module, address, "renamed");
        assert_ne!(new, old, "{seed}");
        assert_eq!(values(&new), before, "{seed}: {module}:{address}\n{new:#?}");
        let (kind, name) = address.rsplit_once('.').unwrap();
        let there = format!("{kind}.renamed");
        assert_eq!(renamed(&new, module, &there, "renamed"), new, "{seed}");
        assert_eq!(renamed(&new, module, &there, name), old, "{seed}: {module}:{address}");
    }
}

#[test]
fn moves_and_other_changes_keep_values() {
    let mut made = [0; 6];
    let count = sized([40, 600, 6000]);
    for seed in 0..count {
        let random = &mut Random(seed + (1 << 32));
        let old = tree(random);
        let before = values(&old);
        let is_local = |object: Object<'_>| matches!(object, Object::Local(_));
        let all = objects(&old, |object| is_resource(object) || is_local(object));
        let Some((module, address)) = all.get(random.below(all.len().max(1))) else { continue };
        let moved = |files: &Texts, module: &str, address: &str, to: relocate::Destination<'_>| {
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
        };
        let check = |new: &Texts, what: &str| {
            assert_eq!(values(new), before, "{seed}: {what}\n{old:#?}\n{new:#?}");
        };
        let files = old.keys().filter(|name| name.contains(".tf") && !name.ends_with("vars"));
        let here = files.filter(|name| match name.rsplit_once('/') {
            Some((directory, _)) => directory == module,
            None => module.is_empty(),
        });
        for file in here {
            let file = file.rsplit('/').next().unwrap();
            if let Ok(new) = moved(&old, module, address, relocate::Destination::File(file)) {
                check(&new, &format!("move {module}:{address} {file}"));
                let again = moved(&new, module, address, relocate::Destination::File(file));
                assert_eq!(again.unwrap(), new, "{seed}");
                made[0] += usize::from(new != old);
            }
        }
        let calls = objects(&old, |object| matches!(object, Object::ModuleCall(_)));
        for (_, call) in calls.iter().filter(|(of, _)| of == module) {
            let name = call.strip_prefix("module.").unwrap();
            let Ok(new) = moved(&old, module, address, relocate::Destination::Call(name)) else {
                continue;
            };
            check(&new, &format!("move {module}:{address} {call}"));
            made[1] += 1;
            let inner = objects(&new, is_resource);
            let inner = inner.iter().find(|(of, it)| of != module && it == address).unwrap();
            if module.is_empty()
                && let Ok(back) = moved(&new, &inner.0, address, relocate::Destination::Module(0))
            {
                check(&back, &format!("move {}:{address} back", inner.0));
                made[2] += 1;
            }
        }
        if let Some(name) = address.strip_prefix("local.") {
            let new = applied(&old, |tree, root, options| {
                inline::plan(tree, options, &inline::Request::new(place(tree, root, module), name))
            });
            if let Ok(new) = new {
                check(&new, &format!("inline {module}:{address}"));
                made[3] += 1;
            }
        }
        let names: Vec<&String> = old.keys().filter(|name| !name.ends_with("vars")).collect();
        let name = *random.of(&names);
        let offset = random.below(old[name].len()) as u32;
        let new = applied(&old, |tree, root, options| {
            let directory = name.rsplit_once('/').map_or("", |(directory, _)| directory);
            let path = root.join(name);
            let module = place(tree, root, directory);
            let request =
                extract::Request::new(module, path.to_str().unwrap(), offset, "extracted");
            extract::plan(tree, options, &request)
        });
        if let Ok(new) = new {
            check(&new, &format!("extract {name} {offset}"));
            made[4] += 1;
        }
        let unused = |files: &Texts| {
            let new = applied(files, |tree, _, options| {
                let all: Vec<usize> = (0..tree.modules().len()).collect();
                unused::plan(tree, options, &unused::Request::new(&all))
            });
            new.unwrap_or_else(|why| panic!("{seed}: {why}\n{files:#?}"))
        };
        let new = unused(&old);
        check(&new, "fix-unused");
        assert_eq!(unused(&new), new, "{seed}");
        made[5] += usize::from(new != old);
    }
    let [files, calls, back, inlined, extracted, unused] = made;
    let least = count as usize / 40;
    assert!(files > 5 * least && calls > 0, "{made:?}");
    assert!(count < 100 || back > 0, "{made:?}");
    assert!(inlined > least && extracted > least && unused > 5 * least, "{made:?}");
}
