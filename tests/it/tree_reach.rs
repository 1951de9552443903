//! Trees that lead out of the given paths: installed modules, sibling directories, modules that
//! call themselves.

use std::fs;
use std::path::Path;

use simd_hcl::directory::{DiscoverOptions, Location, discover};
use simd_hcl::tree::{Dependent, GraphNode, Link, Origin, Tree, TreeOptions};
use simd_hcl::{Arena, Diagnostic};

/// Writes files below a new directory, and loads some of its directories.
fn with_tree(files: &[(&str, &str)], given: &[&str], test: impl FnOnce(&Path, &Tree<'_>)) {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    load(root.path(), given, |tree| test(root.path(), tree));
}

fn load(root: &Path, given: &[&str], test: impl FnOnce(&Tree<'_>)) {
    let paths: Vec<_> = given.iter().map(|path| root.join(path)).collect();
    let discovery = discover(&paths, &DiscoverOptions::default());
    let arena = Arena::new();
    test(&Tree::load(&arena, discovery.modules, &TreeOptions::default()));
}

/// Returns the diagnostics of a tree: code, and the text at the position.
fn told(tree: &Tree<'_>) -> Vec<(&'static str, String)> {
    tree.diagnostics().map(|each| (each.code().as_str(), text(each))).collect()
}

fn text(diagnostic: &Diagnostic<'_>) -> String {
    let text = diagnostic.span().slice(diagnostic.source().bytes());
    String::from_utf8_lossy(text).into_owned()
}

fn owned(expected: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    expected.iter().map(|&(code, text)| (code, text.to_owned())).collect()
}

/// Returns the modules below the root, and why they are in the tree.
fn origins(root: &Path, tree: &Tree<'_>) -> Vec<(String, Origin)> {
    let path = |path: &Location| path_below(root, path);
    tree.modules().iter().map(|module| (path(&module.files.path), module.origin)).collect()
}

#[test]
fn sibling_directories_are_decoded_but_not_reported() {
    let files = [
        (
            "live/a.tf.json",
            r#"{"module": {"n": {"source": "../shared/net", "extra": 1}},
                "output": {"o": {"value": "${module.n.nothing}"}}}"#,
        ),
        (
            "shared/net/a.tf.json",
            r#"{"variable": {"cidr": {}}, "module": {"d": {"source": "../deep"}}, "bad": 1}"#,
        ),
        ("shared/net/tests/a.tftest.json", r#"{"run": {"r": {}}}"#),
        ("shared/net/sub/a.tf.json", "nobody calls this"),
        ("shared/deep/a.tf.json", "{"),
    ];
    with_tree(&files, &["live"], |root, tree| {
        let expected = [("live", Origin::Given), ("shared/net", Origin::Called)];
        let mut expected: Vec<_> =
            expected.iter().map(|&(path, origin)| (path.to_owned(), origin)).collect();
        expected.push(("shared/deep".to_owned(), Origin::Called));
        assert_eq!(origins(root, tree), expected);
        let expected = [
            ("undeclared-argument", "\"extra\""),
            ("missing-module-argument", "{"),
            ("undeclared-output", ".nothing"),
        ];
        let mut found = told(tree);
        found.sort();
        let mut expected = owned(&expected);
        expected.sort();
        assert_eq!(found, expected);
        assert!(!tree.modules()[1].diagnostics.is_empty());
        assert_eq!(tree.modules()[1].links, [Link::Module(2)]);
    });
    // If everything is given, everything is reported.
    with_tree(&files, &["live", "shared"], |_, tree| {
        assert!(tree.modules().iter().all(|module| module.origin == Origin::Given));
        assert!(told(tree).len() > 3);
    });
}

/// A root module with modules from a registry and a repository, which call other modules.
const INSTALLED: [(&str, &str); 7] = [
    (
        "live/a.tf.json",
        r#"{"module": {
            "vpc": {"source": "team/vpc/aws", "version": "~> 1.0", "wrong": 1},
            "app": {"source": "../app"},
            "old": {"source": "team/old/aws"},
            "late": {"source": "team/late/aws"}
        }, "output": {"o": {"value": "${module.vpc.nothing}"}}}"#,
    ),
    (
        "live/.terraform/modules/modules.json",
        r#"{"Modules": [
            {"Key": "", "Source": "", "Dir": "."},
            {"Key": "vpc", "Source": "registry.terraform.io/team/vpc/aws", "Version": "1.2.3",
                "Dir": ".terraform/modules/vpc"},
            {"Key": "vpc.sub", "Source": "./modules/sub", "Dir": ".terraform/modules/vpc/modules/sub"},
            {"Key": "app", "Source": "../app", "Dir": "../app"},
            {"Key": "app.git", "Source": "git::https://github.com/team/git.git?ref=v1",
                "Dir": ".terraform/modules/app.git"},
            {"Key": "old", "Source": "registry.terraform.io/team/other/aws", "Dir": ".terraform/modules/vpc"},
            {"Key": "late", "Source": "registry.terraform.io/team/late/aws", "Dir": ".terraform/modules/late"},
            {"Key": "a.b.c", "Dir": "nowhere"}
        ]}"#,
    ),
    (
        "live/.terraform/modules/vpc/a.tf.json",
        r#"{"variable": {"cidr": {}}, "module": {"sub": {"source": "./modules/sub"}}, "bad": 1}"#,
    ),
    ("live/.terraform/modules/vpc/modules/sub/a.tf.json", r#"{"output": {"x": {"value": 1}}}"#),
    ("live/.terraform/modules/app.git/a.tf.json", r#"{"variable": {"name": {}}}"#),
    (
        "app/a.tf.json",
        r#"{"module": {"git": {"source": "github.com/team/git?ref=v1", "nome": "x"}}}"#,
    ),
    ("app/.terraform/modules/modules.json", r#"{"Modules": null}"#),
];

#[test]
fn installed_modules_are_compared_with_their_calls() {
    with_tree(&INSTALLED, &["."], |root, tree| {
        let paths: Vec<_> = tree
            .modules()
            .iter()
            .map(|module| (path_below(root, &module.files.path), module.origin))
            .collect();
        let expected = [
            ("app", Origin::Given),
            ("live", Origin::Given),
            ("live/.terraform/modules/app.git", Origin::Installed),
            ("live/.terraform/modules/vpc", Origin::Installed),
            ("live/.terraform/modules/vpc/modules/sub", Origin::Installed),
        ];
        let expected: Vec<_> =
            expected.iter().map(|&(path, origin)| (path.to_owned(), origin)).collect();
        assert_eq!(paths, expected);
        assert_eq!(tree.modules()[0].links, [Link::Module(2)]);
        let live = [Link::Module(3), Link::Module(0), Link::Remote, Link::Remote];
        assert_eq!(tree.modules()[1].links, live);
        assert_eq!(tree.modules()[3].links, [Link::Module(4)]);
        let mut found = told(tree);
        found.sort();
        let expected = [
            ("missing-module-argument", "{"),
            ("missing-module-argument", "{"),
            ("undeclared-argument", "\"nome\""),
            ("undeclared-argument", "\"wrong\""),
            ("undeclared-output", ".nothing"),
        ];
        assert_eq!(found, owned(&expected));
    });
    // A module of the tree that is given alone is not a root module: the modules installed for the
    // root module are not known.
    with_tree(&INSTALLED, &["app"], |_, tree| {
        assert_eq!(tree.modules()[0].links, [Link::Remote]);
    });
    // Given modules are never reported as installed.
    with_tree(&INSTALLED, &["live", "live/.terraform/modules/vpc"], |_, tree| {
        assert!(told(tree).iter().any(|(code, _)| *code == "extraneous-property"));
    });
}

fn path_below(root: &Path, path: &Location) -> String {
    let below = path.disk().unwrap().strip_prefix(root).unwrap();
    below.to_str().unwrap().replace('\\', "/")
}

#[test]
fn dependents_go_through_installed_modules() {
    let files = [
        (
            "a.tf.json",
            r#"{"locals": {"l": 1}, "module": {"m": {"source": "t/m/aws", "v": "${local.l}"}},
                "output": {"o": {"value": "${module.m.out}"}}}"#,
        ),
        (
            ".terraform/modules/modules.json",
            r#"{"Modules": [{"Key": "m", "Source": "t/m/aws", "Dir": ".terraform/modules/m"}]}"#,
        ),
        (
            ".terraform/modules/m/a.tf.json",
            r#"{"variable": {"v": {}}, "output": {"out": {"value": "${var.v}"}}}"#,
        ),
    ];
    with_tree(&files, &["."], |_, tree| {
        assert_eq!(told(tree), []);
        let graph = tree.graph();
        let place = graph.nodes().position(|node| node.object.to_string() == "local.l").unwrap();
        let found: Vec<_> = graph
            .dependents(&[place as u32])
            .iter()
            .map(|each| graph.node(each.node).unwrap().object.to_string())
            .collect();
        assert_eq!(found, ["var.v", "output.out", "output.o"]);
    });
}

#[test]
fn what_is_wrong_with_the_list_of_installed_modules() {
    let list = |text: &str, expected: &[(&'static str, &str)], link: Link| {
        let files = [
            ("a.tf.json", r#"{"module": {"m": {"source": "t/m/aws"}}}"#),
            (".terraform/modules/modules.json", text),
            ("installed/a.tf.json", "{}"),
        ];
        with_tree(&files, &["a.tf.json"], |_, tree| {
            assert_eq!(told(tree), owned(expected), "{text}");
            assert_eq!(tree.modules()[0].links, [link], "{text}");
        });
    };
    let entry = r#"{"Key": "m", "Source": "t/m/aws", "Dir": "installed"}"#;
    for nothing in ["", "{}", r#"{"Modules": []}"#, r#"{"Other": 1}"#] {
        list(nothing, &[], Link::Remote);
    }
    list("[]", &[("module-manifest", "[")], Link::Remote);
    list("{", &[("missing-value", "")], Link::Remote);
    list(r#"{"Modules": {}}"#, &[("module-manifest", "{")], Link::Remote);
    for (wrong, at) in [
        ("1", "1"),
        ("null", "null"),
        (r#"{"Key": 5, "Dir": "x"}"#, "5"),
        (r#"{"Key": "x", "Dir": ["x"]}"#, "["),
        (r#"{"Key": "x", "Dir": "x", "Version": "new"}"#, "\"new\""),
        (r#"{"Key": "x"}"#, "\"x\""),
        (r#"{"Key": "m", "Dir": "other"}"#, "\"m\""),
    ] {
        let text = format!(r#"{{"Modules": [{entry}, {wrong}]}}"#);
        list(&text, &[("module-manifest", at)], Link::Module(1));
    }
}

#[test]
fn modules_that_call_themselves() {
    let files = [
        ("a/a.tf.json", r#"{"module": {"b": {"source": "../b"}, "own": {"source": "./."}}}"#),
        ("b/a.tf.json", r#"{"module": {"c": {"source": "../c"}}}"#),
        ("c/a.tf.json", r#"{"module": {"a": {"source": "../a"}, "d": {"source": "../d"}}}"#),
        ("d/a.tf.json", r#"{"module": {"up": {"source": "./../d/../d"}}}"#),
        ("root/a.tf.json", r#"{"module": {"b": {"source": "../b"}}}"#),
    ];
    with_tree(&files, &["."], |_, tree| {
        let cycles: Vec<_> = tree
            .diagnostics()
            .map(|each| (each.code().as_str(), text(each), each.related().len()))
            .collect();
        // The root calls b, so that the call of b closes the cycle.
        let expected = [
            ("module-cycle", "\"../b\"".to_owned(), 2),
            ("module-cycle", "\"./.\"".to_owned(), 0),
            ("module-cycle", "\"./../d/../d\"".to_owned(), 0),
        ];
        assert_eq!(cycles, expected);
        assert!(tree.graph().dependents(&[0, 1, 2]).len() < tree.graph().len());
    });
    // A cycle through modules that are not given is reported at the last given one.
    with_tree(&files, &["c"], |_, tree| {
        assert_eq!(told(tree), owned(&[("module-cycle", "\"../a\"")]));
        let cycle = tree.diagnostics().next().unwrap();
        let related: Vec<_> = cycle
            .related()
            .iter()
            .map(|each| each.label.span.slice(each.label.source.bytes()))
            .collect();
        assert_eq!(related, [b"\"../b\"", b"\"../c\""]);
    });
}

#[cfg(unix)]
#[test]
fn links_that_lead_upwards_end() {
    let root = tempfile::tempdir().unwrap();
    for name in ["one", "two", "three"] {
        std::os::unix::fs::symlink(".", root.path().join(name)).unwrap();
    }
    let text = r#"{"module": {"a": {"source": "./one"}, "b": {"source": "./two"},
        "c": {"source": "./three"}}}"#;
    fs::write(root.path().join("a.tf.json"), text).unwrap();
    load(root.path(), &["."], |tree| {
        assert!(tree.modules().len() < 50, "{}", tree.modules().len());
    });
}

/// Every module calls the next one, passes a variable on and returns an output; the last one calls
/// the first.
#[test]
fn a_long_chain_of_modules() {
    const COUNT: usize = 300;
    let files = simd_hcl_corpus::chain(COUNT);
    let files: Vec<_> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    for given in ["m0", "."] {
        with_tree(&files, &[given], |_, tree| {
            assert_eq!(tree.modules().len(), COUNT);
            let codes: Vec<_> = tree.diagnostics().map(|each| each.code().as_str()).collect();
            assert_eq!(codes, ["module-cycle"]);
            let (graph, names) = (tree.graph(), names(tree));
            let number = |of: &str| names.iter().position(|name| name == of).unwrap() as u32;
            let name = |of: &Dependent| &*names[of.node as usize];
            let variable = number("m0:var.v");
            // The variables of all other modules depend on it, in turn. So do the calls of changed
            // modules, which are all calls, since the last module calls the first.
            let is_call = |each: &&Dependent| name(each).ends_with(":module.n");
            let dependents = graph.dependents(&[variable]);
            assert_eq!(dependents.iter().filter(is_call).count(), COUNT);
            let variables: Vec<_> = dependents.iter().filter(|each| !is_call(each)).collect();
            assert_eq!([name(variables[0]), name(variables[1])], ["m1:var.v", "m2:var.v"]);
            assert_eq!(variables.len(), COUNT - 1);
            assert_eq!(variables.last().unwrap().distance as usize, COUNT - 1);
            let output = graph.dependents(&[number("m5:output.o")]);
            let outputs: Vec<_> = output.iter().filter(|each| !is_call(each)).collect();
            assert_eq!(name(outputs[0]), "m4:output.o");
            assert_eq!((outputs.len(), output.len()), (COUNT - 1, 2 * COUNT - 1));
        });
    }
}

/// One module calls all others, and each of these calls one module of many resources.
#[test]
fn a_star_of_modules() {
    const COUNT: usize = 300;
    let files = simd_hcl_corpus::star(COUNT);
    let files: Vec<_> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    for given in ["m0", "."] {
        with_tree(&files, &[given], |_, tree| {
            assert_eq!(tree.modules().len(), COUNT + 1);
            let (graph, names) = (tree.graph(), names(tree));
            let number = |of: &str| names.iter().position(|name| name == of).unwrap() as u32;
            let name = |of: &Dependent| &*names[of.node as usize];
            // All resources of the hub depend on every call of it, and so does the call of the
            // module with that call.
            let of_call = graph.dependents(&[number("m7:module.hub")]);
            let is_resource = |each: &&Dependent| name(each).starts_with("hub:t.r");
            assert_eq!(of_call.iter().filter(is_resource).count(), COUNT);
            assert_eq!(of_call.len(), 1 + COUNT);
            assert!(of_call.iter().any(|each| name(each) == "m0:module.n7"));
            let of_centre = graph.dependents(&[number("m0:module.n7")]);
            let names: Vec<_> = of_centre.iter().map(name).collect();
            assert_eq!((names[0], names.len()), ("m7:module.hub", 1 + COUNT));
            let of_variable = graph.dependents(&[number("m0:var.v")]);
            assert_eq!(of_variable.len(), COUNT - 1);
        });
    }
}

/// Returns the objects of a tree by number, as `directory:address`.
fn names(tree: &Tree<'_>) -> Vec<String> {
    let name = |node: GraphNode<'_>| {
        let path = &tree.modules()[node.module].files.path;
        format!("{}:{}", path.file_name().unwrap().to_str().unwrap(), node.object)
    };
    tree.graph().nodes().map(name).collect()
}

/// `modules/current` is a link to `net/svc`, which calls `../base`: the tools look for it beside the
/// target of the link.
#[cfg(unix)]
#[test]
fn calls_of_a_module_behind_a_link_start_at_its_target() {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = root.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "app/main.tf",
        "module \"m\" { source = \"../modules/current\" }\nmodule \"n\" { source = \"../modules/net/svc\" }\n",
    );
    write("modules/net/svc/main.tf", "module \"b\" { source = \"../base\" }\n");
    write("modules/net/base/main.tf", "output \"x\" { value = file(\"${path.module}/x.txt\") }\n");
    std::os::unix::fs::symlink("net/svc", root.path().join("modules/current")).unwrap();
    let arena = Arena::new();
    std::fs::create_dir(root.path().join(".git")).unwrap();
    let modules = discover(&[root.path().join("app")], &DiscoverOptions::default()).modules;
    let tree = Tree::load(&arena, modules, &TreeOptions::default());
    let path = |place: usize| tree.modules()[place].files.path.clone();
    assert_eq!(tree.modules()[0].links, [Link::Module(1), Link::Module(1)]);
    assert!(path(1) == root.path().join("modules/net/svc"));
    assert_eq!(tree.modules()[1].links, [Link::Module(2)]);
    assert!(path(2) == root.path().join("modules/net/base"));
    let changed = root.path().join("modules/net/base/x.txt");
    assert_eq!(tree.affected(&[changed]).modules.len(), 3);
    // Another target of the link.
    let changed = root.path().join("modules/current");
    assert!(tree.affected(&[changed]).modules.iter().any(|it| it.path == root.path().join("app")));
}
