//! Trees that lead out of what is given: installed modules, directories beside, modules that call themselves.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::tree::{Link, Origin, Tree, TreeOptions};
use simd_hcl::{Arena, Diagnostic};

/// Writes files below a new directory, and loads what is below some of its directories.
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

/// What is told of a tree: code and the text that it points at.
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

/// The modules below the root, and how they came into the tree.
fn origins(root: &Path, tree: &Tree<'_>) -> Vec<(String, Origin)> {
    let path = |path: &Path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
    tree.modules().iter().map(|module| (path(&module.files.path), module.origin)).collect()
}

#[test]
fn directories_beside_are_decoded_and_not_told_of() {
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
            ("missing-module-argument", "}"),
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
    // Where everything is given, everything is told.
    with_tree(&files, &["live", "shared"], |_, tree| {
        assert!(tree.modules().iter().all(|module| module.origin == Origin::Given));
        assert!(told(tree).len() > 3);
    });
}

/// A root with modules from a registry and a repository; one of them calls a module of its own, one calls further.
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
            ("missing-module-argument", "}"),
            ("missing-module-argument", "}"),
            ("undeclared-argument", "\"nome\""),
            ("undeclared-argument", "\"wrong\""),
            ("undeclared-output", ".nothing"),
        ];
        assert_eq!(found, owned(&expected));
    });
    // Given alone, a module of the tree is no root: what is installed for the root above is not known.
    with_tree(&INSTALLED, &["app"], |_, tree| {
        assert_eq!(tree.modules()[0].links, [Link::Remote]);
    });
    // What is given is never told of as installed.
    with_tree(&INSTALLED, &["live", "live/.terraform/modules/vpc"], |_, tree| {
        assert!(told(tree).iter().any(|(code, _)| *code == "extraneous-property"));
    });
}

fn path_below(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap();
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
        let place =
            graph.nodes().iter().position(|node| node.object.to_string() == "local.l").unwrap();
        let found: Vec<_> = graph
            .dependents(&[place as u32])
            .iter()
            .map(|each| graph.nodes()[each.node as usize].object.to_string())
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
        assert!(tree.graph().dependents(&[0, 1, 2]).len() < tree.graph().nodes().len());
    });
    // Of a cycle through modules that are not given, the last given one is told.
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

/// The time to load a tree and to walk its graph.
fn time(files: &[(String, String)], given: &str) -> Duration {
    let files: Vec<_> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let mut best = Duration::MAX;
    with_tree(&files, &["m0"], |root, _| {
        for _ in 0..3 {
            let start = Instant::now();
            load(root, &[given], |tree| {
                let graph = tree.graph();
                std::hint::black_box(graph.dependents(&[0]));
            });
            best = best.min(start.elapsed());
        }
    });
    best
}

/// Four times as many modules take about four times as long, with room for noise.
#[test]
fn large_trees_take_linear_time() {
    let chain = |count: usize| -> Vec<_> {
        let text = |place: usize| {
            format!(
                r#"{{"variable": {{"v": {{}}}}, "module": {{"n": {{"source": "../m{}", "v": "${{var.v}}"}}}},
                "output": {{"o": {{"value": "${{module.n.o}}"}}}}}}"#,
                (place + 1) % count
            )
        };
        (0..count).map(|place| (format!("m{place}/a.tf.json"), text(place))).collect()
    };
    let star = |count: usize| -> Vec<_> {
        let calls: Vec<_> = (1..count)
            .map(|place| {
                format!(
                    r#""n{place}": {{"source": "../m{place}", "v": "${{var.v}}", "count": 1,
                        "providers": {{"aws.a": "aws.b"}}}}"#
                )
            })
            .collect();
        let centre = format!(r#"{{"variable": {{"v": {{}}}}, "module": {{{}}}}}"#, calls.join(","));
        // Every point calls one module of many resources.
        let point =
            r#"{"variable": {"v": {}}, "module": {"hub": {"source": "../hub", "count": 1}}}"#;
        let resources: Vec<_> = (0..count).map(|place| format!(r#""r{place}": {{}}"#)).collect();
        let hub = format!(r#"{{"resource": {{"t": {{{}}}}}}}"#, resources.join(","));
        let points = (1..count).map(|place| (format!("m{place}/a.tf.json"), point.to_owned()));
        let mut files: Vec<_> = points.collect();
        files.push(("m0/a.tf.json".to_owned(), centre));
        files.push(("hub/a.tf.json".to_owned(), hub));
        files
    };
    type Shape<'a> = &'a dyn Fn(usize) -> Vec<(String, String)>;
    let shapes: [(&str, Shape<'_>); 2] = [("chain", &chain), ("star", &star)];
    for (name, shape) in shapes {
        // One module and what it reaches, or all at once.
        for given in ["m0", "."] {
            let (small, large) = (time(&shape(750), given), time(&shape(3_000), given));
            let ratio = large.as_secs_f64() / small.as_secs_f64();
            println!("{name} of {given}: {small:?}, {large:?}");
            assert!(ratio < 10.0, "{name} of {given}: 750 in {small:?}, 3,000 in {large:?}");
        }
    }
}
