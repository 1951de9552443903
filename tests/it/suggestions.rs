//! "Did you mean …?": every diagnostic about an unknown name suggests the most similar known name.

use std::fs;

use simd_hcl::dialect::List;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::module::Module;
use simd_hcl::show::{BodySchemas, Schemas};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Diagnostic, Dialect, Document, typed};

/// Returns the code of a diagnostic, and the name that it suggests.
fn suggestion(diagnostic: &Diagnostic<'_>) -> (&'static str, String) {
    (diagnostic.code().as_str(), diagnostic.suggestion().unwrap_or("-").to_owned())
}

/// Returns the suggestions for a tree of files.
fn in_tree(files: &[(&str, &str)]) -> Vec<(&'static str, String)> {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let discovery = discover(&[root.path()], &DiscoverOptions::default());
    let arena = Arena::new();
    let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
    let of_modules = tree.modules().iter().flat_map(|module| &module.diagnostics);
    let of_templates = tree.templates().iter().flat_map(|template| &template.diagnostics);
    of_modules.chain(of_templates).map(suggestion).collect()
}

fn expect(found: &[(&'static str, String)], expected: &[(&str, &str)]) {
    let found: Vec<_> = found.iter().map(|(code, name)| (*code, &**name)).collect();
    assert_eq!(found, expected);
}

#[test]
fn of_modules() {
    let text = r#"{
        "variable": {"region": {}, "regions": {}},
        "locals": {"name": "${var.reigons}", "names": "${local.nmae} ${local.name}"},
        "resource": {
            "aws_x": {"first": {}, "frist": {"cuont": 1}},
            "aws_y": {"third": {"a": "${aws_x.firts.id} ${aws_x.third.id}"}}
        },
        "output": {
            "a": {"value": "${var.region} ${var.regions} ${local.names} ${path.modul}", "sensitiv": true},
            "b": {"value": "${module.on.x} ${module.one.otuput}"}
        },
        "module": {"one": {"source": "./one", "nmae": 1}},
        "terraform": {"backend": {"kubernets": {}}}
    }"#;
    let one = r#"{"variable": {"name": {"default": "${null}"}, "game": {"default": 1}},
        "output": {"output": {"value": "${var.name} ${var.game}"}}}"#;
    let mut found = in_tree(&[("main.tf.json", text), ("one/main.tf.json", one)]);
    found.sort();
    expect(
        &found,
        &[
            ("extraneous-property", "sensitive"),
            ("undeclared-argument", "name"),
            ("undeclared-output", "output"),
            // A name of two letters, and a name of another resource type.
            ("undeclared-reference", "-"),
            ("undeclared-reference", "-"),
            ("undeclared-reference", "first"),
            ("undeclared-reference", "name"),
            ("undeclared-reference", "regions"),
            ("unknown-attribute", "module"),
            ("unknown-backend", "kubernetes"),
        ],
    );
}

#[test]
fn of_test_files() {
    let text = r#"{"variable": {"region": {}}, "output": {"result": {"value": "${var.region}"}}}"#;
    let test = r#"{"run": {"a": {"variables": {"regoin": 1}, "assert": {
        "condition": "${output.reslut == var.regio}", "error_message": "No."}}}}"#;
    let mut found = in_tree(&[("main.tf.json", text), ("tests/a.tftest.json", test)]);
    found.sort();
    expect(
        &found,
        &[
            ("undeclared-reference", "region"),
            ("undeclared-reference", "result"),
            ("undeclared-variable-value", "region"),
        ],
    );
}

#[test]
fn of_packer() {
    let text = r#"{
        "variable": {"region": {"default": "x"}},
        "locals": {"a": "${var.regoin} ${lcoal.b} ${packer.verison} ${data.x.reigon}"},
        "data": {"x": {"region": {}}, "y": {"reigon": {}}},
        "source": {"null": {"first": {"a": "${local.a} ${data.x.region} ${data.y.reigon} ${var.region}"}}},
        "build": {"sources": ["source.null.first", "source.null.frist"],
            "provisioner": {"shell": {"only": ["null.fist"]}}}
    }"#;
    let mut found = in_tree(&[("a.pkr.json", text), ("a.auto.pkrvars.json", r#"{"rgion": 1}"#)]);
    found.sort();
    expect(
        &found,
        &[
            ("undeclared-reference", "first"),
            ("undeclared-reference", "region"),
            ("undeclared-reference", "region"),
            ("undeclared-variable-value", "region"),
            ("unknown-attribute", "version"),
            ("unknown-variable", "local"),
            ("unmatched-selection", "null.first"),
        ],
    );
}

#[test]
fn of_provider_schemas() {
    let schemas = r#"{"format_version": "1.0", "provider_schemas": {"registry.opentofu.org/hashicorp/t": {
        "provider": {"version": 0, "block": {}},
        "resource_schemas": {
            "t_instances": {"version": 0, "block": {}},
            "t_instance": {"version": 0, "block": {
                "attributes": {"name": {"type": "string", "optional": true}},
                "block_types": {"disk": {"nesting_mode": "list", "block": {}}}}}
        },
        "data_source_schemas": {"t_instances": {"version": 0, "block": {}}}
    }}}"#;
    let text = r#"{
        "resource": {
            "t_instanec": {"a": {}},
            "t_instance": {
                "b": {"nmae": 1, "dynamic": {"disc": {"for_each": [], "content": {}}}},
                "c": {"name": "${t_instance.b.names}", "provisioner": {"local-exce": {}}}
            }
        },
        "data": {"t_instance": {"d": {}}}
    }"#;
    let arena = Arena::new();
    let parse =
        |name, text: &str| Document::parse_bytes(&arena, name, arena.str(text).as_bytes()).unwrap();
    let schemas = Schemas::of(parse("schemas.json", schemas), &mut ()).unwrap();
    let schemas = BodySchemas::new(schemas).with_built_in(&arena);
    let documents = [(List::Primary, parse("main.tf.json", text))];
    let module = Module::read(Dialect::OpenTofu, documents, false, &mut ());
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    typed::check(&module, &schemas, &mut found);
    found.sort_by_key(|it| it.span().start);
    let found: Vec<_> = found.iter().map(suggestion).collect();
    expect(
        &found,
        &[
            ("unknown-type", "t_instance"),
            ("extraneous-property", "name"),
            ("extraneous-property", "disk"),
            ("unsupported-attribute", "name"),
            ("unknown-provisioner", "local-exec"),
            ("unknown-type", "t_instances"),
        ],
    );
}
