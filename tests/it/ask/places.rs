//! Definitions, references, renames, links, lenses and calls.

use std::collections::BTreeSet;

use simd_hcl::ask::LinkTarget;
use simd_hcl::directory::DecodeOptions;
use simd_hcl::facts::{Places, Referred};
use simd_hcl::module::Object;
use simd_hcl::refactor::rename::{Request, plan};
use simd_hcl::tree::Origin;

use super::{BOTH, Syntax, World};

type Written = (&'static str, &'static str);

fn owned(places: &[Written]) -> Vec<(String, String)> {
    places.iter().map(|(stem, text)| ((*stem).to_owned(), (*text).to_owned())).collect()
}

/// The name at a place: the file, a text, the part of it that is asked for, the declarations.
const DEFINITIONS: [(&str, &str, &str, &[Written]); 12] = [
    ("main", "var.size", "size", &[("main", "size")]),
    ("main", "var.size", "var", &[("main", "size")]),
    ("main", "local.twice", "twice", &[("main", "twice")]),
    ("main", "local.tags.Name", "Name", &[("main", "tags")]),
    ("main", "module.net.id", "net", &[("main", "net")]),
    ("main", "module.net.id", "id", &[("modules/net/net", "id")]),
    ("modules/net/net", "module.leaf.id", "id", &[("modules/leaf/leaf", "id")]),
    ("modules/leaf/leaf", "var.hosts", "hosts", &[("modules/leaf/leaf", "hosts")]),
    ("terraform.tfvars", "size", "size", &[("main", "size")]),
    ("tests/all.tftest", "var.size", "size", &[("main", "size")]),
    ("moved", "terraform_data.web", "web", &[("main", "web")]),
    ("image.pkr", "var.region", "region", &[("image.pkr", "region")]),
];

#[test]
fn definitions_are_found() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            for (stem, around, part, expected) in DEFINITIONS {
                let offset = world.offset(stem, around, part);
                let found = answers.definition(&world.file(stem), offset);
                let found: Vec<_> = found.iter().map(|place| world.written(place)).collect();
                assert_eq!(found, owned(expected), "{syntax:?} {stem} {around} {part}");
            }
        });
    }
}

#[test]
fn names_of_for_hide_objects() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            let file = world.file("main");
            let offset = world.offset("main", "person.email", "person");
            let declared = answers.definition(&file, offset);
            assert_eq!(declared.len(), 1, "{syntax:?}");
            let declaration = world.offset("main", "person in", "person");
            assert_eq!(declared[0].span.start, declaration, "{syntax:?}");
            let uses = answers.references(&file, offset, true);
            assert_eq!(uses.len(), 2, "{syntax:?}");
            assert_eq!(uses, answers.references(&file, declaration, true), "{syntax:?}");
            let renamed = answers
                .rename(&file, declaration, "one", &DecodeOptions::default(), false)
                .unwrap();
            assert_eq!(renamed.files[0].1.len(), 2, "{syntax:?}");
        });
    }
}

/// The names of an object: the file, the text around, the part, the files with references.
const REFERENCES: [(&str, &str, &str, &[Written]); 6] = [
    (
        "main",
        "var.size",
        "size",
        &[
            ("main", "size"),
            ("terraform.tfvars", "size"),
            ("tests/all.tftest", "size"),
            ("tests/all.tftest", "size"),
        ],
    ),
    ("main", "local.twice", "twice", &[("main", "twice")]),
    ("modules/net/net", "var.size", "size", &[("main", "size"), ("modules/net/net", "size")]),
    ("main", "module.net.id", "id", &[("main", "id")]),
    (
        "modules/leaf/leaf",
        "var.hosts",
        "hosts",
        &[
            ("modules/leaf/leaf", "hosts"),
            ("modules/leaf/leaf", "hosts"),
            ("modules/net/net", "hosts"),
        ],
    ),
    ("image.pkr", "local.zone", "zone", &[("image.pkr", "local.zone")]),
];

#[test]
fn references_are_found_in_all_modules() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            for (stem, around, part, expected) in REFERENCES {
                let offset = world.offset(stem, around, part);
                let found = answers.references(&world.file(stem), offset, false);
                let mut found: Vec<_> = found.iter().map(|it| world.written(&it.name)).collect();
                found.sort();
                assert_eq!(found, owned(expected), "{syntax:?} {stem} {around} {part}");
                // An argument of a call asks about the variable of the called module.
                let all = answers.references(&world.file(stem), offset, true);
                for reference in &all {
                    let at = reference.name.span.start;
                    let again = answers.references(&reference.name.file, at, true);
                    assert_eq!(
                        again,
                        all,
                        "{syntax:?} {stem} {around} {:?}",
                        world.written(&reference.name)
                    );
                }
            }
        });
    }
}

/// Each row of the command `references` is a reference to what it names.
#[test]
fn references_are_those_of_the_command() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            let mut count = 0;
            for module in answers.tree().modules() {
                Places::visit_references(&module.module, |found| {
                    let Referred::Value(_, Some(_)) = found.to else { return };
                    let name = found.label.source.name();
                    let own = answers.references(name, found.label.span.end, false);
                    let is_built_in = own.is_empty();
                    let is_found = own.iter().any(|reference| {
                        *reference.name.file == *name
                            && reference.whole.start == found.label.span.start
                    });
                    assert!(is_built_in || is_found, "{syntax:?} {name} {:?}", found.label.span);
                    count += usize::from(is_found);
                });
            }
            assert!(count > 10, "{count} references");
        });
    }
}

/// The edits of a rename are those of the command `rename`, from each place that names an object, and
/// change each reference that is written.
#[test]
fn renames_are_those_of_the_command() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            let options = DecodeOptions::default();
            let mut count = 0;
            for (place, module) in answers.tree().modules().iter().enumerate() {
                for object in module.module.objects() {
                    let request = Request::new(place, object, "renamed").with_moved(false);
                    let Ok(change) = plan(answers.tree(), &options, &request) else { continue };
                    let expected: BTreeSet<_> = change
                        .files
                        .iter()
                        .flat_map(|changed| {
                            let name = changed.source.name();
                            changed
                                .edited
                                .edits()
                                .iter()
                                .map(move |edit| (name.to_owned(), edit.span().start))
                        })
                        .collect();
                    let (file, offset) = expected.iter().next().unwrap();
                    let references = answers.references(file, *offset, true);
                    let found: BTreeSet<_> = references
                        .iter()
                        .map(|it| (it.name.file.to_string(), it.name.span.start))
                        .collect();
                    assert_eq!(found, expected, "{syntax:?} {object}");
                    for (file, offset) in &expected {
                        assert!(
                            answers.renamable(file, *offset).is_some(),
                            "{object} {file} {offset}"
                        );
                        let renamed =
                            answers.rename(file, *offset, "renamed", &options, false).unwrap();
                        let edits: BTreeSet<_> = renamed
                            .files
                            .iter()
                            .flat_map(|(name, edits)| {
                                edits.iter().map(|edit| (name.to_string(), edit.span().start))
                            })
                            .collect();
                        assert_eq!(edits, expected, "{syntax:?} {object}");
                    }
                    count += 1;
                }
            }
            assert!(count > 12, "{count} objects");
        });
    }
}

#[test]
fn links_lead_to_modules_and_files() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            let links = answers.links(&world.file("main"));
            let [module, file] = links.as_slice() else { panic!("{syntax:?} {links:?}") };
            let LinkTarget::Module { file: Some(net), .. } = &module.target else { panic!() };
            assert_eq!(**net, *world.file("modules/net/net"));
            let user = world.directory.path().join("user.txt");
            assert_eq!(file.target, LinkTarget::File(user.to_str().unwrap().into()), "{syntax:?}");
            let source = world.offset("main", "./modules/net", "net");
            let definition = answers.definition(&world.file("main"), source);
            assert_eq!(*definition[0].file, *world.file("modules/net/net"));
        });
    }
}

#[test]
fn modules_call_one_another() {
    let world = World::new(Syntax::Json);
    world.ask(|answers| {
        let file = world.file("modules/net/net");
        let net = answers.module_at(&file, 0).unwrap().module;
        let incoming = answers.incoming_calls(net).unwrap();
        let calls: Vec<_> =
            incoming.iter().flat_map(|it| &it.calls).map(|it| world.written(it)).collect();
        assert_eq!(calls, owned(&[("main", "net")]));
        let outgoing = answers.outgoing_calls(net).unwrap();
        let calls: Vec<_> =
            outgoing.iter().flat_map(|it| &it.calls).map(|it| world.written(it)).collect();
        assert_eq!(calls, owned(&[("modules/net/net", "leaf")]));
        let leaf = world.offset("modules/net/net", "leaf", "leaf");
        assert_eq!(answers.module_at(&file, leaf).unwrap().module, outgoing[0].item.module);
        assert!(answers.incoming_calls(usize::MAX).is_none());
    });
}

#[test]
fn lenses_count_references_and_roots() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            let lenses = answers.lenses(&world.file("modules/net/net"));
            let of = |address: &str| lenses.iter().find(|it| *it.address == *address).unwrap();
            assert_eq!(of("var.size").references, 2, "{syntax:?}");
            assert_eq!(of("output.id").references, 1, "{syntax:?}");
            assert_eq!(*of("output.id").roots, [world.directory.path().to_str().unwrap().into()]);
            for module in answers.tree().modules().iter().filter(|it| it.origin == Origin::Given) {
                let names =
                    module.module.objects().filter(|it| !matches!(it, Object::Moved(_))).count();
                let sources = module.sources.iter();
                let found: usize = sources.map(|source| answers.lenses(source.name()).len()).sum();
                assert_eq!(found, names, "{syntax:?} {}", module.files.path);
            }
        });
    }
}
