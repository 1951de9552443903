//! Declarations of the objects of a plan.

use std::fs;
use std::path::Path;

use simd_hcl::diagnostic::Label;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::show::Address;
use simd_hcl::tree::{PlanCause, PlanSource, PlanSources, Tree, TreeOptions};
use simd_hcl::{Arena, Dialect};

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Loads the module at `root`, and passes its declarations to `work`.
fn with_sources<T>(root: &Path, work: impl FnOnce(&Tree<'_>, &PlanSources<'_, '_>) -> T) -> T {
    let arena = Arena::new();
    let discovery =
        discover(&[root], &DiscoverOptions::default().with_dialect(Some(Dialect::Terraform)));
    let modules = discovery.modules.into_iter().filter(|module| module.path == *root).collect();
    let tree = Tree::load(&arena, modules, &TreeOptions::default());
    let place = tree.modules().iter().position(|module| module.files.path == *root).unwrap();
    work(&tree, &tree.plan_sources(place))
}

/// Returns the file and line of a place.
fn place(root: &Path, label: Label<'_>) -> String {
    let path = Path::new(label.source.name()).strip_prefix(root).unwrap();
    format!("{}:{}", path.display(), label.source.position(label.span.start).line)
}

/// Returns the places of the blocks that caused a change.
fn cause(root: &Path, tree: &Tree<'_>, cause: &PlanCause<'_>) -> String {
    match cause {
        PlanCause::Blocks(labels) => {
            labels.iter().map(|label| place(root, *label)).collect::<Vec<_>>().join(" ")
        }
        PlanCause::Unknown(module, gap) => {
            let path =
                tree.modules()[*module].files.path.disk().unwrap().strip_prefix(root).unwrap();
            format!("{gap:?} in {:?}", path.display().to_string())
        }
    }
}

/// Returns file and line text of the declaration of each address, or why there is none.
fn sources(root: &Path, addresses: &[&str]) -> Vec<String> {
    with_sources(root, |tree, sources| {
        addresses.iter().map(|address| source(root, tree, sources, address)).collect()
    })
}

fn source(root: &Path, tree: &Tree<'_>, sources: &PlanSources<'_, '_>, address: &str) -> String {
    let (kind, label) = match sources.find(&Address::parse(address).unwrap()) {
        PlanSource::Declared(label) => ("declared", label),
        PlanSource::Removed(label) => ("removed", label),
        PlanSource::Nowhere => return "nowhere".to_owned(),
        PlanSource::Unknown(module, gap) => {
            let path =
                tree.modules()[module].files.path.disk().unwrap().strip_prefix(root).unwrap();
            return format!("{gap:?} in {:?}", path.display().to_string());
        }
    };
    format!("{kind} {}", place(root, label))
}

#[test]
fn changes_are_joined_to_their_blocks() {
    let directory = tempfile::tempdir().unwrap();
    let root = &directory.path().canonicalize().unwrap();
    let main = r#"{"resource": {
          "aws_a": {"one": {}},
          "aws_b": {"one": [
            {"count": 2}]}},
        "data": {"aws_a": {"one": {}}},
        "check": {"c": {
          "data": {"aws_c": {"of_check": {}}},
          "assert": {"condition": "${true}", "error_message": "No."}}},
        "module": {"m": {"source": "./m", "for_each": {}}, "far": {"source": "corp/net/aws", "version": "1.0.0"}},
        "removed": [
          {"from": "aws_gone.x", "lifecycle": {"destroy": false}},
          {"from": "module.m.aws_gone.x", "lifecycle": {"destroy": false}},
          {"from": "module.old", "lifecycle": {"destroy": true}},
          {"from": "resource.aws_gone.z", "lifecycle": {"destroy": true}}]}"#;
    write(root, "main.tf.json", main);
    write(
        root,
        "m/main.tf.json",
        "{\"module\": {\"n\": {\"source\": \"../n\"}},\n\"resource\": {\"aws_a\": {\"two\": {}}}}",
    );
    write(root, "n/main.tf.json", "{\n\"ephemeral\": {\"aws_e\": {\"three\": {}}}}");
    write(
        root,
        ".terraform/modules/far/main.tf.json",
        "{\"resource\":\n {\"aws_a\": {\"far\": {}}}}",
    );
    let manifest = r#"{"Modules": [{"Key": "", "Source": "", "Dir": "."},
        {"Key": "far", "Source": "registry.terraform.io/corp/net/aws", "Version": "1.0.0", "Dir": ".terraform/modules/far"}]}"#;
    write(root, ".terraform/modules/modules.json", manifest);
    let expected = [
        ("aws_a.one", "declared main.tf.json:2"),
        ("aws_b.one[1]", "declared main.tf.json:4"),
        ("data.aws_a.one", "declared main.tf.json:5"),
        ("data.aws_c.of_check", "declared main.tf.json:7"),
        ("module.m[\"k.1\"].aws_a.two", "declared m/main.tf.json:2"),
        ("module.m[\"k\"].module.n.ephemeral.aws_e.three", "declared n/main.tf.json:2"),
        ("module.far.aws_a.far[\"x\"]", "declared .terraform/modules/far/main.tf.json:2"),
        ("aws_a.none", "nowhere"),
        ("data.aws_b.one", "nowhere"),
        ("module.none.aws_a.one", "nowhere"),
        ("aws_gone.x[0]", "removed main.tf.json:11"),
        ("module.m[\"k\"].aws_gone.x", "removed main.tf.json:12"),
        ("module.old[0].module.inner.aws_a.one", "removed main.tf.json:13"),
        ("aws_gone.y", "nowhere"),
        ("aws_gone.z[0]", "removed main.tf.json:14"),
    ];
    let addresses = expected.map(|(address, _)| address);
    let found = sources(root, &addresses);
    for ((address, expected), found) in expected.iter().zip(found) {
        assert_eq!(found, *expected, "{address}");
    }
}

#[test]
fn unread_files_are_reported() {
    let directory = tempfile::tempdir().unwrap();
    let root = &directory.path().canonicalize().unwrap();
    let main = r#"{"resource": {"aws_a": {"one": {}}}, "module": {
        "native": {"source": "./native"}, "broken": {"source": "./broken"}, "gone": {"source": "./gone"},
        "far": {"source": "corp/net/aws"}, "loop": {"source": "./"}}}"#;
    write(root, "main.tf.json", main);
    write(root, "native/main.tf", "resource \"aws_a\" \"in\" {}\n");
    write(root, "native/main.tf.json", r#"{"resource": {"aws_a": {"known": {}}}}"#);
    write(root, "native/broken.tf", "x = [\n");
    write(root, "broken/main.tf.json", "{");
    let deep = format!("{}aws_a.one", "module.loop.".repeat(201));
    let expected = [
        ("aws_a.one", "declared main.tf.json:1"),
        ("module.native.aws_a.known", "declared native/main.tf.json:1"),
        ("module.native.aws_a.in", "declared native/main.tf:1"),
        ("module.native.aws_a.other", "Undecoded in \"native\""),
        ("module.broken.aws_a.one", "Undecoded in \"broken\""),
        ("module.gone.aws_a.one", "Missing in \"\""),
        ("module.far.aws_a.one", "NotInstalled in \"\""),
        (&deep, "TooDeep in \"\""),
    ];
    let addresses = expected.map(|(address, _)| address);
    for ((address, expected), found) in expected.iter().zip(sources(root, &addresses)) {
        assert_eq!(found, *expected, "{address}");
    }
}

#[test]
fn moves_are_joined_to_their_blocks() {
    let directory = tempfile::tempdir().unwrap();
    let root = &directory.path().canonicalize().unwrap();
    let main = r#"{"resource": {"aws_a": {"new": {"count": 2}, "last": {}, "keyed": {"for_each": {}}}},
        "module": {"b": {"source": "./m", "for_each": {}}, "far": {"source": "corp/net/aws"}},
        "moved": [
          {"from": "aws_a.old", "to": "aws_a.new"},
          {"from": "resource.aws_a.first", "to": "resource.aws_a.second"},
          {"from": "aws_a.second", "to": "aws_a.last"},
          {"from": "aws_a.list[0]", "to": "aws_a.keyed[\"k\"]"},
          {"from": "aws_a.single", "to": "aws_a.keyed[\"s\"]"},
          {"from": "module.a", "to": "module.b"},
          {"from": "module.b[\"x\"]", "to": "module.b[\"y\"]"},
          {"from": "aws_a.out", "to": "module.b[\"z\"].aws_a.in"},
          {"from": "aws_a.one", "to": "aws_a.two"},
          {"from": "aws_a.two", "to": "aws_a.one"}]}"#;
    write(root, "main.tf.json", main);
    let inner = r#"{"resource": {"aws_a": {"in": {}, "inner": {}}}, "moved": {
        "from": "aws_a.outer", "to": "aws_a.inner"}}"#;
    write(root, "m/main.tf.json", inner);
    let expected = [
        ("aws_a.old", "aws_a.new", "main.tf.json:4"),
        // A block without keys moves all instances, each with its key.
        ("aws_a.old[1]", "aws_a.new[1]", "main.tf.json:4"),
        ("aws_a.old[1]", "aws_a.new[0]", ""),
        ("aws_a.first", "aws_a.last", "main.tf.json:5 main.tf.json:6"),
        ("aws_a.list[0]", "aws_a.keyed[\"k\"]", "main.tf.json:7"),
        ("aws_a.list[1]", "aws_a.keyed[\"k\"]", ""),
        ("aws_a.single", "aws_a.keyed[\"s\"]", "main.tf.json:8"),
        ("module.a[\"q\"].aws_a.in", "module.b[\"q\"].aws_a.in", "main.tf.json:9"),
        ("module.a[\"x\"].aws_a.in", "module.b[\"y\"].aws_a.in", "main.tf.json:9 main.tf.json:10"),
        (
            "module.b[\"x\"].module.c.aws_a.in",
            "module.b[\"y\"].module.c.aws_a.in",
            "main.tf.json:10",
        ),
        ("aws_a.out", "module.b[\"z\"].aws_a.in", "main.tf.json:11"),
        // A block in a module applies to each instance of the module.
        ("module.b[\"q\"].aws_a.outer", "module.b[\"q\"].aws_a.inner", "m/main.tf.json:1"),
        ("module.a[0].aws_a.outer", "module.b[0].aws_a.inner", "main.tf.json:9 m/main.tf.json:1"),
        ("module.b[\"q\"].aws_a.outer", "module.b[\"r\"].aws_a.inner", ""),
        // The tools move it without a block.
        ("aws_a.last[0]", "aws_a.last", ""),
        // A cycle, which the tools reject.
        ("aws_a.one", "aws_a.three", ""),
        ("aws_a.one", "aws_a.one", ""),
        ("module.far.aws_a.x", "module.far.aws_a.y", "NotInstalled in \"\""),
    ];
    with_sources(root, |tree, sources| {
        for (from, to, blocks) in expected {
            let [from, to] = [from, to].map(|text| Address::parse(text).unwrap());
            let found = cause(root, tree, &sources.moves(&from, &to));
            assert_eq!(found, blocks, "{from} {to}");
        }
    });
    write(root, "more.tf", "x = [");
    with_sources(root, |tree, sources| {
        let [from, to] = ["aws_a.x", "aws_a.y"].map(|text| Address::parse(text).unwrap());
        let found = cause(root, tree, &sources.moves(&from, &to));
        assert_eq!(found, "Undecoded in \"\"");
    });
}

#[test]
fn imports_are_joined_to_their_blocks() {
    let directory = tempfile::tempdir().unwrap();
    let root = &directory.path().canonicalize().unwrap();
    let main = r#"{"resource": {"aws_a": {"one": {}, "many": {"for_each": {}}, "two": {"for_each": {}}}},
        "module": {"m": {"source": "./m"}},
        "import": [
          {"to": "aws_a.one", "id": "1"},
          {"to": "aws_a.many[\"k\"]", "id": "2"},
          {"to": "module.m.aws_a.in[0]", "id": "3"},
          {"to": "aws_a.many[each.key]", "id": "${each.value}", "for_each": {"x": "4"}},
          {"to": "aws_a.two[each.key]", "id": "${each.value}", "for_each": {"x": "5"}},
          {"to": "aws_a.two[each.key]", "id": "${each.value}", "for_each": {"y": "6"}}]}"#;
    write(root, "main.tf.json", main);
    write(root, "m/main.tf.json", r#"{"resource": {"aws_a": {"in": {"count": 1}}}}"#);
    let expected = [
        ("aws_a.one", "main.tf.json:4"),
        ("aws_a.one[0]", ""),
        ("aws_a.many[\"k\"]", "main.tf.json:5"),
        ("module.m.aws_a.in[0]", "main.tf.json:6"),
        ("module.m.aws_a.in[1]", ""),
        ("aws_a.many[\"x\"]", "main.tf.json:7"),
        // Either block may have this key.
        ("aws_a.two[\"y\"]", "main.tf.json:8 main.tf.json:9"),
        ("aws_a.none", ""),
    ];
    with_sources(root, |tree, sources| {
        for (to, blocks) in expected {
            let found = cause(root, tree, &sources.imports(&Address::parse(to).unwrap()));
            assert_eq!(found, blocks, "{to}");
        }
    });
}
