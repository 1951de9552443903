//! Provider configurations across module calls. Errors and warnings are the same as those of
//! Terraform.

use std::fs;

use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Dialect, Severity};

/// Returns the diagnostics of a root module that calls `./m`, which may call `../n`: severity,
/// code, and the text at the position.
fn told(dialect: Dialect, files: [&str; 3]) -> Vec<String> {
    let root = tempfile::tempdir().unwrap();
    for (directory, text) in [".", "m", "n"].into_iter().zip(files) {
        let directory = root.path().join(directory);
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("a.tf.json"), text).unwrap();
    }
    let options = DiscoverOptions::default().with_dialect(Some(dialect));
    let discovery = discover(&[root.path()], &options);
    let arena = Arena::new();
    let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
    let mut told: Vec<String> = tree
        .diagnostics()
        .map(|each| {
            let text = each.span().slice(each.source().bytes());
            let text = String::from_utf8_lossy(text).into_owned();
            let severity = if each.severity() == Severity::Error { "error" } else { "warning" };
            format!("{severity} {} {text}", each.code())
        })
        .collect();
    told.sort();
    told
}

#[track_caller]
fn assert_told(files: [&str; 3], expected: &[&str]) {
    for dialect in [Dialect::Terraform, Dialect::OpenTofu] {
        assert_eq!(told(dialect, files), expected, "{files:?}");
    }
}

const CALL: &str = r#"{"module": {"m": {"source": "./m"}}}"#;
const REPEATED: &str = r#"{"module": {"m": {"source": "./m", "count": 1}}}"#;
const ON: &str = r#"{"module": {"n": {"source": "../n"}}}"#;

/// Returns a module that requires the built-in provider, and has `rest`.
fn requiring(rest: &str) -> String {
    let required = r#""terraform": {"required_providers": {"t": {"source": "terraform.io/builtin/terraform"}}}"#;
    format!("{{{required}{rest}}}")
}

/// Returns a root module that requires the same provider, and passes it to the module.
fn passing(providers: &str, rest: &str) -> String {
    requiring(&format!(
        r#", "module": {{"m": {{"source": "./m", "providers": {{{providers}}}}}}}{rest}"#
    ))
}

/// Returns a module that requires a configuration with an alias.
fn aliased(rest: &str) -> String {
    format!(
        r#"{{"terraform": {{"required_providers": {{"t": {{"source": "terraform.io/builtin/terraform",
        "configuration_aliases": ["t.x"]}}}}}}{rest}}}"#
    )
}

#[test]
fn what_is_passed_is_declared_on_both_sides() {
    let child = requiring("");
    assert_told([&passing(r#""t": "t""#, ""), &child, "{}"], &[]);
    let with_alias = r#", "provider": {"t": {"alias": "e"}}"#;
    assert_told([&passing(r#""t": "t.e""#, with_alias), &child, "{}"], &[]);
    // An alias without a block is not declared.
    assert_told([&passing(r#""t": "t.e""#, ""), &child, "{}"], &["error undeclared-provider t.e"]);
    // The same in the called module.
    assert_told(
        [&passing(r#""t.y": "t.e""#, with_alias), &child, "{}"],
        &["error undeclared-provider t.y"],
    );
    let empty = requiring(r#", "provider": {"t": {"alias": "y"}}"#);
    assert_told(
        [&passing(r#""t.y": "t.e""#, with_alias), &empty, "{}"],
        &["warning redundant-provider {"],
    );
}

#[test]
fn names_alone_stand_for_providers_of_the_registry() {
    let root = |rest: &str| {
        format!(
            r#"{{{rest}"module": {{"m": {{"source": "./m", "providers": {{"null": "null"}}}}}}}}"#
        )
    };
    let required = r#""terraform": {"required_providers": {"null": {"source": "hashicorp/Null"}}}"#;
    let child = format!("{{{required}}}");
    assert_told([&root(""), &child, "{}"], &["warning implied-provider null"]);
    let required = format!("{required}, ");
    assert_told([&root(&required), "{}", "{}"], &["warning implied-provider null"]);
    let version = r#"{"terraform": {"required_providers": {"null": "~> 3.0"}}}"#;
    assert_told([&root(&required), version, "{}"], &[]);
    // An empty block does not declare a configuration in the calling module, but does in the called
    // module.
    let block = r#""provider": {"null": {}}, "#;
    assert_told([&root(block), &child, "{}"], &["warning implied-provider null"]);
    let block = r#"{"provider": {"null": {}}}"#;
    assert_told([&root(&required), block, "{}"], &["warning redundant-provider {"]);
    let block = r#""provider": {"null": {"a": 1}}, "#;
    assert_told([&root(block), &child, "{}"], &[]);
}

#[test]
fn both_sides_are_of_one_provider() {
    let other = r#"{"terraform": {"required_providers": {"o": {"source": "team/other"}}}}"#;
    assert_told([&passing(r#""o": "t""#, ""), other, "{}"], &["error provider-mismatch o"]);
    assert_told([&passing(r#""t": "t""#, ""), "{}", "{}"], &["error provider-mismatch t"]);
}

#[test]
fn required_aliases_are_passed() {
    let child = aliased("");
    assert_told([CALL, &child, "{}"], &["error missing-provider {"]);
    let with_alias = r#", "provider": {"t": {"alias": "e"}}"#;
    assert_told([&passing(r#""t.x": "t.e""#, with_alias), &child, "{}"], &[]);
    assert_told([&passing(r#""t.x": "t""#, ""), &child, "{}"], &[]);
    // A block with arguments satisfies the requirement, a block without does not.
    assert_told([CALL, &aliased(r#", "provider": {"t": {"alias": "x", "a": 1}}"#), "{}"], &[]);
    assert_told(
        [CALL, &aliased(r#", "provider": {"t": {"alias": "x"}}"#), "{}"],
        &["error missing-provider {", "warning redundant-provider {"],
    );
    // A configuration that is required from the caller can be passed on.
    let on = aliased(r#", "module": {"n": {"source": "../n", "providers": {"t": "t.x"}}}"#);
    let root = passing(r#""t.x": "t.e""#, with_alias);
    assert_told([&root, &on, &requiring("")], &[]);
}

#[test]
fn what_is_passed_on_is_there() {
    let on = requiring(r#", "module": {"n": {"source": "../n", "providers": {"t": "t"}}}"#);
    assert_told([CALL, &on, &requiring("")], &["warning missing-provider {"]);
    assert_told([&passing(r#""t": "t""#, ""), &on, &requiring("")], &[]);
}

#[test]
fn modules_with_providers_of_their_own() {
    let own = r#"{"provider": {"t": {"a": 1}}}"#;
    assert_told([CALL, own, "{}"], &[]);
    assert_told([REPEATED, own, "{}"], &["error legacy-module 1"]);
    let each = r#"{"module": {"m": {"source": "./m", "for_each": {"a": 1}}}}"#;
    assert_told([each, own, "{}"], &["error legacy-module {"]);
    let waiting = r#"{"resource": {"t": {"r": {}}}, "module": {"m": {"source": "./m", "depends_on": ["t.r"]}}}"#;
    assert_told([waiting, own, "{}"], &["error legacy-module t.r"]);
    let not_waiting = r#"{"module": {"m": {"source": "./m", "depends_on": []}}}"#;
    assert_told([not_waiting, own, "{}"], &[]);
    // A block with arguments is a configuration; comments are not arguments.
    for empty in [r#"{"alias": "x"}"#, r#"{"//": "x"}"#, r#"{"_": {}}"#] {
        let child = format!(r#"{{"provider": {{"t": {empty}}}}}"#);
        assert_told([REPEATED, &child, "{}"], &["warning redundant-provider {"]);
    }
    assert_told(
        [REPEATED, r#"{"provider": {"t": {"_": {"a": 1}}}}"#, "{}"],
        &["error legacy-module 1"],
    );
    let versioned = r#"{"provider": {"t": {"version": ">= 1"}}}"#;
    assert_told(
        [REPEATED, versioned, "{}"],
        &["error legacy-module 1", "warning provider-version \">= 1\""],
    );
    // If there are modules between, the nearest argument is reported.
    assert_told([REPEATED, ON, own], &["error legacy-module 1"]);
    let on_repeated = r#"{"module": {"n": {"source": "../n", "count": 2}}}"#;
    assert_told([REPEATED, on_repeated, own], &["error legacy-module 2"]);
    // Only OpenTofu knows this argument.
    let enabled = r#"{"module": {"m": {"source": "./m", "lifecycle": {"enabled": true}}}}"#;
    assert_eq!(told(Dialect::OpenTofu, [enabled, own, "{}"]), ["error legacy-module true"]);
}

#[test]
fn configurations_of_the_called_module_stay() {
    let own = requiring(r#", "provider": {"t": {"a": 1}}"#);
    assert_told([&passing(r#""t": "t""#, ""), &own, "{}"], &["error own-provider t"]);
    let empty = requiring(r#", "provider": {"t": {}}"#);
    assert_told([&passing(r#""t": "t""#, ""), &empty, "{}"], &["warning redundant-provider {"]);
}
