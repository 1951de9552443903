//! Where the objects of a plan are declared.

use std::fs;
use std::path::Path;

use simd_hcl::Arena;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::show::Address;
use simd_hcl::tree::{PlanSource, Tree, TreeOptions};

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// For each address the file and the text of the line that declares it, or why there is none.
fn sources(root: &Path, addresses: &[&str]) -> Vec<String> {
    let arena = Arena::new();
    let discovery = discover(&[root], &DiscoverOptions::default());
    let modules = discovery.modules.into_iter().filter(|module| module.path == root).collect();
    let tree = Tree::load(&arena, modules, &TreeOptions::default());
    let place = tree.modules().iter().position(|module| module.files.path == root).unwrap();
    let sources = tree.plan_sources(place);
    let shown = |address: &&str| {
        let (kind, label) = match sources.find(&Address::parse(address).unwrap()) {
            PlanSource::Declared(label) => ("declared", label),
            PlanSource::Removed(label) => ("removed", label),
            PlanSource::Nowhere => return "nowhere".to_owned(),
            PlanSource::Unknown(module, gap) => {
                let path = tree.modules()[module].files.path.strip_prefix(root).unwrap();
                return format!("{gap:?} in {:?}", path.display().to_string());
            }
        };
        let source = label.source;
        let path = Path::new(source.name()).strip_prefix(root).unwrap();
        format!("{kind} {}:{}", path.display(), source.position(label.span.start).line)
    };
    addresses.iter().map(shown).collect()
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
          {"from": "module.old", "lifecycle": {"destroy": true}}]}"#;
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
    ];
    let addresses = expected.map(|(address, _)| address);
    let found = sources(root, &addresses);
    for ((address, expected), found) in expected.iter().zip(found) {
        assert_eq!(found, *expected, "{address}");
    }
}

#[test]
fn what_is_not_read_is_said() {
    let directory = tempfile::tempdir().unwrap();
    let root = &directory.path().canonicalize().unwrap();
    let main = r#"{"resource": {"aws_a": {"one": {}}}, "module": {
        "native": {"source": "./native"}, "broken": {"source": "./broken"}, "gone": {"source": "./gone"},
        "far": {"source": "corp/net/aws"}, "loop": {"source": "./"}}}"#;
    write(root, "main.tf.json", main);
    write(root, "native/main.tf", "");
    write(root, "native/main.tf.json", r#"{"resource": {"aws_a": {"known": {}}}}"#);
    write(root, "broken/main.tf.json", "{");
    let deep = format!("{}aws_a.one", "module.loop.".repeat(201));
    let expected = [
        ("aws_a.one", "declared main.tf.json:1"),
        ("module.native.aws_a.known", "declared native/main.tf.json:1"),
        ("module.native.aws_a.other", "NativeSyntax in \"native\""),
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
