//! Trees: module calls, diagnostics across modules, and dependencies.

use std::fs;
use std::path::Path;

use simd_hcl::Arena;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::tree::{GraphNode, Link, Tree, TreeOptions};

/// Writes files below a new directory and loads them.
fn with_tree(files: &[(&str, &str)], test: impl FnOnce(&Path, &Tree<'_>)) {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let discovery = discover(&[root.path()], &DiscoverOptions::default());
    let arena = Arena::new();
    let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
    test(root.path(), &tree);
}

/// Returns the diagnostics of a tree: code, and the text at the position.
fn diagnostics(tree: &Tree<'_>) -> Vec<(&'static str, String)> {
    let all = tree.modules().iter().flat_map(|module| &module.diagnostics);
    all.map(|diagnostic| {
        let text = diagnostic.span().slice(diagnostic.source().bytes());
        (diagnostic.code().as_str(), String::from_utf8_lossy(text).into_owned())
    })
    .collect()
}

#[test]
fn calls_lead_to_modules() {
    let files = [
        (
            "app/main.tf.json",
            r#"{"module": {
                "net": {"source": "../net", "cidr": "10.0.0.0/8"},
                "far": {"source": "hashicorp/consul/aws"},
                "gone": {"source": "./gone"},
                "soon": {"source": "${var.where}"}
            }, "variable": {"where": {}}}"#,
        ),
        (
            "net/main.tf.json",
            r#"{"variable": {"cidr": {}}, "output": {"id": {"value": "${var.cidr}"}}}"#,
        ),
    ];
    with_tree(&files, |_, tree| {
        let links: Vec<_> = tree.modules().iter().map(|module| module.links.clone()).collect();
        assert_eq!(links[0], [Link::Module(1), Link::Remote, Link::Missing, Link::Unknown]);
        assert_eq!(diagnostics(tree), [("missing-module", "\"./gone\"".to_owned())]);
    });
}

/// Paths that exist but cannot be read are neither missing nor skipped.
#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_reported() {
    let root = tempfile::tempdir().unwrap();
    let app = root.path().join("app");
    // A list of installed modules that is a directory, and a call to a link that leads to itself.
    fs::create_dir_all(app.join(".terraform/modules/modules.json")).unwrap();
    std::os::unix::fs::symlink("loop", app.join("loop")).unwrap();
    let call = r#"{"module": {"a": {"source": "./loop"}, "b": {"source": "../gone"}}}"#;
    fs::write(app.join("main.tf.json"), call).unwrap();
    let discovery = discover(&[&app], &DiscoverOptions::default());
    let arena = Arena::new();
    let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
    assert_eq!(tree.modules()[0].links, [Link::Unknown, Link::Missing]);
    let expected = [
        ("unreadable-file", String::new()),
        ("unreadable-directory", "\"./loop\"".to_owned()),
        ("missing-module", "\"../gone\"".to_owned()),
    ];
    assert_eq!(diagnostics(&tree), expected);
}

#[test]
fn arguments_fit_variables() {
    let files = [
        ("app/main.tf.json", r#"{"module": {"net": {"source": "../net", "sider": 1}}}"#),
        (
            "net/main.tf.json",
            r#"{"variable": {"cidr": {}, "name": {"default": "x"}},
            "output": {"o": {"value": ["${var.cidr}", "${var.name}"]}}}"#,
        ),
    ];
    with_tree(&files, |_, tree| {
        let codes: Vec<_> = diagnostics(tree).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, ["missing-module-argument", "undeclared-argument"]);
    });
    // A native file declares objects like any other; the declarations of a broken one are not
    // known.
    let native = [files[0], files[1], ("net/more.tf", "variable \"sider\" {}")];
    with_tree(&native, |_, tree| {
        let codes: Vec<_> = diagnostics(tree).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, ["missing-module-argument", "unused-declaration"]);
    });
    let broken = [files[0], files[1], ("net/more.tf", "variable \"sider\" {")];
    with_tree(&broken, |_, tree| {
        let codes: Vec<_> = diagnostics(tree).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, ["unclosed-block"]);
    });
}

#[test]
fn references_are_declared_and_declarations_used() {
    let files = [(
        "main.tf.json",
        r#"{
            "variable": {"used": {}, "spare": {}},
            "locals": {"a": "${local.b}", "b": "${local.c}", "c": "${local.b}", "lone": 1},
            "resource": {"t": {"r": {
                "x": ["${var.used}", "${var.usde}", "${t.r.id}", "${u.v.w}", "${data.d.e}", "${local.a}"],
                "depends_on": ["t.q"]
            }}},
            "output": {"o": {"value": "${module.m.x}"}}
        }"#,
    )];
    with_tree(&files, |_, tree| {
        let mut found = diagnostics(tree);
        found.sort();
        let expected = [
            ("circular-reference", "\"b\""),
            ("resource-of-itself", "t.r.id"),
            ("undeclared-dependency", "t.q"),
            ("undeclared-reference", "data.d.e"),
            ("undeclared-reference", "module.m.x"),
            ("undeclared-reference", "u.v.w"),
            ("undeclared-reference", "var.usde"),
            ("unused-declaration", "\"lone\""),
            ("unused-declaration", "\"spare\""),
        ];
        let expected: Vec<_> =
            expected.iter().map(|(code, text)| (*code, (*text).to_owned())).collect();
        assert_eq!(found, expected);
    });
}

#[test]
fn dependents_go_through_locals_variables_and_outputs() {
    let files = [
        (
            "app/main.tf.json",
            r#"{
                "resource": {"vpc": {"main": {}}, "subnet": {"s": {"vpc": "${local.vpc}"}},
                    "host": {"h": {"net": "${module.net.id}"}}, "other": {"o": {}}},
                "locals": {"vpc": "${vpc.main.id}"},
                "module": {"net": {"source": "../net", "vpc": "${local.vpc}"}}
            }"#,
        ),
        (
            "net/main.tf.json",
            r#"{"variable": {"vpc": {}}, "resource": {"gateway": {"g": {"vpc": "${var.vpc}"}}},
                "output": {"id": {"value": "${gateway.g.id}"}}}"#,
        ),
    ];
    with_tree(&files, |_, tree| {
        let graph = tree.graph();
        let number = |module: usize, address: &str| {
            let mut nodes = graph.nodes().zip(0_u32..);
            nodes
                .find(|(node, _)| node.module == module && node.object.to_string() == address)
                .unwrap()
                .1
        };
        let found: Vec<_> = graph
            .dependents(&[number(0, "vpc.main")])
            .into_iter()
            .map(|dependent| {
                let node = graph.node(dependent.node).unwrap();
                (node.module, node.object.to_string(), dependent.distance)
            })
            .collect();
        let expected = [
            (0, "local.vpc", 1),
            (0, "subnet.s", 2),
            (1, "var.vpc", 2),
            (1, "gateway.g", 3),
            (1, "output.id", 4),
            (0, "host.h", 5),
        ];
        let expected: Vec<_> =
            expected.iter().map(|&(module, name, far)| (module, name.to_owned(), far)).collect();
        assert_eq!(found, expected);
        assert_eq!(graph.needed_by(number(0, "other.o")).count(), 0);
    });
}

/// Returns the dependents of an object: module, address and distance.
fn dependents(tree: &Tree<'_>, module: usize, address: &str) -> Vec<(usize, String, u32)> {
    let graph = tree.graph();
    let is_it = |node: GraphNode<'_>| node.module == module && node.object.to_string() == address;
    let start = graph.nodes().position(is_it).expect(address) as u32;
    let found = graph.dependents(&[start]).into_iter().map(|dependent| {
        let node = graph.node(dependent.node).unwrap();
        (node.module, node.object.to_string(), dependent.distance)
    });
    found.collect()
}

#[test]
fn resources_depend_on_provider_configurations() {
    let files = [
        (
            "app/main.tf.json",
            r#"{
                "variable": {"region": {}},
                "provider": {"x": [{"region": "${var.region}"}, {"alias": "east"}]},
                "resource": {"x_thing": {"own": {}, "east": {"provider": "x.east"}}, "y_thing": {"other": {}}},
                "module": {"between": {"source": "../between", "providers": {"x.far": "x.east"}}}
            }"#,
        ),
        (
            "between/main.tf.json",
            r#"{
                "terraform": {"required_providers": {"x": {"configuration_aliases": ["x.far"]}}},
                "module": {"end": {"source": "../end", "providers": {"x.end": "x.far"}}}
            }"#,
        ),
        (
            "end/main.tf.json",
            r#"{
                "terraform": {"required_providers": {"other": {"source": "hashicorp/x"},
                    "x": {"source": "corp/x", "configuration_aliases": ["x.end"]}}},
                "resource": {"x_thing": {"passed": {"provider": "x.end"}, "default": {"provider": "other"},
                    "not_theirs": {}}},
                "data": {"x_list": {"all": {"provider": "x.end"}}}
            }"#,
        ),
    ];
    with_tree(&files, |_, tree| {
        let expected = |list: &[(usize, &str, u32)]| -> Vec<_> {
            list.iter().map(|&(module, name, far)| (module, name.to_owned(), far)).collect()
        };
        assert_eq!(
            dependents(tree, 0, "provider.x"),
            expected(&[(0, "x_thing.own", 1), (2, "x_thing.default", 1)])
        );
        assert_eq!(
            dependents(tree, 0, "provider.x.east"),
            expected(&[
                (0, "x_thing.east", 1),
                (0, "module.between", 1),
                (1, "module.end", 1),
                (2, "x_thing.passed", 1),
                (2, "data.x_list.all", 1),
            ])
        );
        // Resources depend on everything that their provider configuration depends on.
        let of_region = dependents(tree, 0, "var.region");
        assert!(of_region.contains(&(2, "x_thing.default".to_owned(), 2)), "{of_region:?}");
    });
}

#[test]
fn settings_are_objects_of_the_graph() {
    let main = r#"{
        "variable": {"bucket": {}, "phrase": {}},
        "locals": {"name": "${var.bucket}-state"},
        "terraform": {
            "backend": {"s3": {"bucket": "${local.name}"}},
            "encryption": {
                "key_provider": {"pbkdf2": {"main": {"passphrase": "${var.phrase}"}}},
                "method": {"aes_gcm": {"main": {"keys": "${key_provider.pbkdf2.main}"}}},
                "state": {"method": "method.aes_gcm.main"}
            }
        }
    }"#;
    with_tree(&[("app/main.tf.json", main)], |_, tree| {
        assert_eq!(diagnostics(tree), []);
        assert_eq!(
            dependents(tree, 0, "var.bucket"),
            [(0, "local.name".to_owned(), 1), (0, "terraform.backend".to_owned(), 2)]
        );
        assert_eq!(dependents(tree, 0, "var.phrase"), [(0, "terraform.encryption".to_owned(), 1)]);
    });
}

#[test]
fn a_reference_of_a_setting_marks_no_call() {
    // Of a module with `for_each`, any name may be a key. What an unused key provider refers to
    // says nothing about it.
    let main = r#"{
        "terraform": {"encryption": {
            "key_provider": {"pbkdf2": {"unused": {"passphrase": "${module.a.out}"}}},
            "method": {"unencrypted": {"main": {}}}, "state": {"method": "method.unencrypted.main"}}},
        "module": {"a": {"source": "../a"}, "b": {"source": "../a", "for_each": {"foo": 1}}},
        "output": {"x": {"value": "${module.b.foo.out}"}}
    }"#;
    let called = r#"{"output": {"out": {"value": "1"}}}"#;
    with_tree(&[("app/main.tf.json", main), ("a/main.tf.json", called)], |_, tree| {
        assert_eq!(diagnostics(tree), []);
    });
}
