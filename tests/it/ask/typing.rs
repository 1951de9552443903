//! Files that are typed letter by letter: every question has an answer, and nothing panics.

use std::path::Path;
use std::sync::Arc;

use simd_hcl::Arena;
use simd_hcl::ask::{Answers, ask_unit};
use simd_hcl::directory::{DecodeOptions, DiscoverOptions, discover};
use simd_hcl::show::BodySchemas;
use simd_hcl::span::Span;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::workspace::{Options, Workspace};
use simd_hcl_corpus::sized;

use super::{BOTH, FILES, World};

/// Asks everything at an offset. `is_whole` says whether the answers know all files.
fn ask_all(answers: &Answers<'_, '_>, file: &str, offset: u32, is_whole: bool) {
    let options = DecodeOptions::default();
    let len = answers.source(file).map_or(0, |source| source.bytes().len() as u32);
    let is_inside =
        |span: Span| assert!(span.start <= span.end && span.end <= len, "{file} {span:?}");
    let completions = answers.completions(file, offset);
    is_inside(completions.replaced);
    let _ = answers.signature(file, offset);
    if let Some(hover) = answers.hover(file, offset) {
        is_inside(hover.span);
    }
    for place in answers.definition(file, offset) {
        assert!(!is_whole || answers.has_file(&place.file), "{}", place.file);
    }
    let _ = answers.references(file, offset, true);
    let _ = answers.rename(file, offset, "other", &options, true);
    let _ = answers.module_at(file, offset);
    answers.selection(file, offset).into_iter().for_each(is_inside);
    answers.symbols(file).iter().for_each(|symbol| is_inside(symbol.span));
    answers.tokens(file).iter().for_each(|token| is_inside(token.span));
    answers.folds(file).iter().for_each(|fold| is_inside(fold.span));
    answers.links(file).iter().for_each(|link| is_inside(link.span));
    let _ = answers.hints(file, Span::new(0, len));
    let _ = answers.lenses(file);
}

#[test]
fn files_are_typed_letter_by_letter() {
    let step = sized([23, 3, 1]);
    for syntax in BOTH {
        let world = World::new(syntax);
        let found = discover(&[world.directory.path()], &DiscoverOptions::default()).modules;
        for (at, (stem, _)) in FILES.into_iter().enumerate() {
            let (file, text) = (world.file(stem), &world.texts[stem]);
            for end in (at..=text.len()).step_by(step) {
                if !text.is_char_boundary(end) {
                    continue;
                }
                let mut modules = found.clone();
                for each in modules.iter_mut().flat_map(|module| &mut module.files) {
                    if each.path.to_string_lossy() == file {
                        *each = each.clone().with_content(Arc::from(&text.as_bytes()[..end]));
                    }
                }
                let arena = Arena::new();
                let tree = Tree::load(&arena, modules, &TreeOptions::default());
                let schemas = BodySchemas::built_in(&arena);
                let answers = Answers::new(&tree, &schemas);
                assert!(answers.has_file(&file), "{file}");
                ask_all(&answers, &file, end as u32, true);
                ask_all(&answers, &file, end as u32 / 2, true);
            }
        }
    }
}

/// Deep brackets and long lines take linear time, and no stack.
#[test]
fn hostile_files_have_answers() {
    let depth = sized([2_000, 9_000, 9_000]);
    let texts = [
        format!("locals {{\n  a = {}1{}\n}}\n", "[".repeat(depth), "]".repeat(depth)),
        format!("locals {{\n  a = {}1\n}}\n", "(".repeat(depth)),
        format!("locals {{\n  a = {}1{}\n}}\n", "{ a = ".repeat(depth), " }".repeat(depth)),
        "a {\n".repeat(depth),
        "\"${".repeat(depth),
        format!("locals {{\n  a = {}\n}}\n", "[for x in y : ".repeat(depth)),
        format!("locals {{\n  a = 1{}\n}}\n", " + 1".repeat(depth)),
        "\u{feff}a = <<X\n".to_owned(),
        "é".repeat(depth),
    ];
    for text in texts {
        for stem in ["main", "terraform.tfvars"] {
            for syntax in BOTH {
                let world = World::with(syntax, &[(stem, &text)]);
                world.ask(|answers| {
                    for offset in [0, 7, text.len() as u32 / 2, text.len() as u32, u32::MAX] {
                        ask_all(answers, &world.file(stem), offset, true);
                    }
                });
            }
        }
    }
}

/// A unit with everything that its names can lead to.
const UNIT: &str = r#"include "root" {
  path   = find_in_parent_folders("root.hcl")
  expose = true
}
locals {
  names = [for name in ["a", "b"] : upper(name)]
}
terraform {
  source = "${get_repo_root()}/../net"
}
feature "on" {
  default = true
}
dependency "net" {
  config_path  = "../net"
  mock_outputs = { id = "x" }
}
inputs = merge(include.root.inputs, {
  size = feature.on.value ? dependency.net.outputs.id : local.names[0]
  zone = "${include.root.locals.zone}-${values.zone}"
})
"#;

#[test]
fn files_of_units_are_typed_letter_by_letter() {
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("root.hcl", "locals {\n  zone = \"z\"\n}\ninputs = { size = 1 }\n");
    write("app/terragrunt.hcl", UNIT);
    write("app/terragrunt.values.hcl", "zone = \"z\"\n");
    write("net/terragrunt.hcl", "");
    write("net/main.tf", "variable \"size\" {}\noutput \"id\" {\n  value = var.size\n}\n");
    let mut workspace = Workspace::open(vec![root.path().to_owned()], Options::default());
    let path = root.path().join("app/terragrunt.hcl");
    for end in (0..=UNIT.len()).step_by(sized([17, 3, 1])) {
        workspace.edit(&path, UNIT.as_bytes()[..end].into());
        let asked = ask_unit(&workspace.snapshot(), &path, |answers, file| {
            ask_all(answers, file, end as u32, false);
            ask_all(answers, file, end as u32 / 2, false);
        });
        assert!(asked.is_some());
    }
    // A stack, and files that are not those of units.
    let stack = root.path().join("terragrunt.stack.hcl");
    let text = "unit \"a\" {\n  source = \"./app\"\n  path   = unit.a.path\n}\n";
    workspace.edit(&stack, text.as_bytes().into());
    let ask = |path: &Path| {
        ask_unit(&workspace.snapshot(), path, |answers, file| {
            answers.definition(file, text.rfind("a.path").unwrap() as u32).len()
        })
    };
    assert_eq!(ask(&stack), Some(1));
    assert_eq!(ask(&root.path().join("net/main.tf")), None);
    assert_eq!(ask(&root.path().join("gone/terragrunt.hcl")), None);
}
