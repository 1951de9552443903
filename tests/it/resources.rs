//! Diagnostics about resources, actions, calls, override files and references, by the rules of each
//! dialect.
//!
//! Each case is the text of a file, and the expected diagnostics: codes, each with the text at its
//! position.

use std::fs;

use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::module::{Event, SourceAddress};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Dialect, Severity};

/// Writes files below a new directory and loads them.
fn with_tree(dialect: Dialect, files: &[(&str, &str)], test: impl FnOnce(&Tree<'_>)) {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let options = DiscoverOptions::default().with_dialect(Some(dialect));
    let arena = Arena::new();
    let discovery = discover(&[root.path()], &options);
    test(&Tree::load(&arena, discovery.modules, &TreeOptions::default()));
}

/// Returns the errors of all modules as `CODE TEXT`.
fn errors(dialect: Dialect, files: &[(&str, &str)]) -> Vec<String> {
    let mut errors = Vec::new();
    with_tree(dialect, files, |tree| {
        for diagnostic in tree.modules().iter().flat_map(|module| &module.diagnostics) {
            if diagnostic.severity() == Severity::Error {
                let text = diagnostic.span().slice(diagnostic.source().bytes());
                let text = String::from_utf8_lossy(text);
                errors.push(format!("{} {text}", diagnostic.code()));
            }
        }
    });
    errors
}

#[track_caller]
fn says(dialect: Dialect, text: &str, expected: &[&str]) {
    assert_eq!(errors(dialect, &[("main.tf.json", text)]), expected, "{text}");
}

#[track_caller]
fn terraform(text: &str, expected: &[&str]) {
    says(Dialect::Terraform, text, expected);
}

#[track_caller]
fn opentofu(text: &str, expected: &[&str]) {
    says(Dialect::OpenTofu, text, expected);
}

/// Returns a managed resource `t.n` with this body, and `t.m`.
fn resource(body: &str) -> String {
    format!(r#"{{"resource": {{"t": {{"n": {body}, "m": {{}}}}}}}}"#)
}

#[test]
fn repetition_is_reported_once() {
    let both = r#"{"count": 1, "for_each": {}}"#;
    terraform(&resource(both), &["exclusive-arguments \"for_each\""]);
    opentofu(&resource(both), &["exclusive-arguments \"for_each\""]);
    terraform(
        r#"{"check": {"c": {"data": {"t": {"n": {"count": 1, "for_each": {}, "lifecycle": {}}}},
            "assert": {"condition": "${data.t.n.x}", "error_message": "m"}}}}"#,
        &["check-data \"count\"", "check-data \"for_each\"", "check-data {"],
    );
}

#[test]
fn provider_references() {
    for (value, wrong) in [
        (r#""aws""#, &[][..]),
        (r#""aws.x""#, &["undeclared-provider aws.x"]),
        (r#""AWS""#, &["provider-local-name AWS"]),
        (r#""a_b""#, &["provider-local-name a_b"]),
        (r#""aws[0]""#, &["provider-reference [0]"]),
        (r#""a.b.c""#, &["provider-reference \"a.b.c\""]),
        ("null", &["provider-reference null"]),
    ] {
        terraform(&resource(&format!(r#"{{"provider": {value}}}"#)), wrong);
    }
    // Only OpenTofu has instances of provider configurations.
    let instance = resource(r#"{"provider": "aws.x[\"k\"]"}"#);
    terraform(&instance, &[r#"provider-reference "aws.x[\"k\"]""#]);
    opentofu(&instance, &[r#"provider-instance aws.x[\"k\"]"#]);
    let provider = r#""provider": {"aws": {"alias": "x", "for_each": {}}}"#;
    let among = |body: &str| resource(body).replacen('{', &format!("{{{provider}, "), 1);
    opentofu(&among(r#"{"provider": "aws.x[\"k\"]"}"#), &[]);
    opentofu(&among(r#"{"for_each": {}, "provider": "aws.x[each.key]"}"#), &[]);
    opentofu(&resource(r#"{"provider": 5}"#), &["native-expression-required 5"]);
    opentofu(&resource(r#"{"provider": "aws[0]"}"#), &["provider-reference [0]"]);
    opentofu(&resource(r#"{"provider": "aws[x]"}"#), &["provider-reference aws"]);
}

#[test]
fn lifecycles_of_each_mode() {
    let literal = resource(r#"{"lifecycle": {"prevent_destroy": "${t.m.x}"}}"#);
    terraform(&literal, &["unsuitable-value \"${t.m.x}\""]);
    opentofu(&literal, &[]);
    let enabled = resource(r#"{"lifecycle": {"enabled": true}}"#);
    terraform(&enabled, &["extraneous-property \"enabled\""]);
    opentofu(&enabled, &[]);
    let data =
        r#"{"data": {"t": {"n": {"lifecycle": {"ignore_changes": 5, "prevent_destroy": []}}}}}"#;
    let refused =
        ["lifecycle-argument \"ignore_changes\"", "lifecycle-argument \"prevent_destroy\""];
    terraform(data, &refused);
    opentofu(data, &refused);
    terraform(
        r#"{"ephemeral": {"t": {"n": {"connection": {}, "provisioner": {"x": {}}, "lifecycle": {"action_trigger": 1}}}}}"#,
        &["incorrect-type 1"],
    );
    opentofu(
        r#"{"ephemeral": {"t": {"n": {"connection": {}, "provisioner": {"x": {}}}}}}"#,
        &["reserved-block \"connection\"", "reserved-block \"provisioner\""],
    );
}

#[test]
fn triggers_of_replacement() {
    let triggers =
        |list: &str| resource(&format!(r#"{{"lifecycle": {{"replace_triggered_by": {list}}}}}"#));
    for (list, wrong) in [
        (r#"["t.m", "t.m.x[count.index]", "t.m[each.key].y"]"#, &[][..]),
        (
            r#"["path.module"]"#,
            &["trigger-reference \"path.module\"", "trigger-count \"path.module\""],
        ),
        (r#"["t.m[each.value]"]"#, &["trigger-reference \"t.m[each.value]\""]),
        (r#"["t.m + t.n"]"#, &["trigger-count \"t.m + t.n\""]),
        (r#"["1"]"#, &["trigger-count \"1\""]),
        ("[5, null]", &["native-expression-required 5", "native-expression-required null"]),
        // After the first invalid element, the others are only parsed.
        (r#"["1", "2", "t.m t.m"]"#, &["trigger-count \"1\"", "extra-after-expression t"]),
        (r#"["t"]"#, &["invalid-reference t"]),
    ] {
        terraform(&triggers(list), wrong);
    }
}

#[test]
fn actions_and_their_triggers() {
    let trigger = |events: &str, actions: &str| {
        format!(
            r#"{{"action": {{"a": {{"b": {{}}}}}}, "resource": {{"t": {{"n": {{"lifecycle": {{
            "action_trigger": {{"events": {events}, "actions": {actions}}}}}}}}}}}}}"#
        )
    };
    let events = r#"["after_create"]"#;
    for (actions, wrong) in [
        (r#"["action.a.b", "action.a.b[0]", "action.a.b[each.key]"]"#, &[][..]),
        (r#"["action.a.c"]"#, &["undeclared-reference action.a.c"]),
        (r#"["action.a"]"#, &["invalid-reference action.a"]),
        (r#"["action.a[0].b"]"#, &["invalid-reference [0]"]),
        (r#"["t.n"]"#, &["action-reference \"t.n\"", "empty-trigger \"t.n\""]),
        (r#"["path.module"]"#, &["empty-trigger \"path.module\""]),
        (r#"["action.a.b + action.a.b"]"#, &["action-reference \"action.a.b + action.a.b\""]),
        ("[]", &["empty-trigger {"]),
    ] {
        terraform(&trigger(events, actions), wrong);
    }
    let action = r#"["action.a.b"]"#;
    terraform(&trigger("[]", action), &["empty-trigger {"]);
    terraform(
        &trigger(r#"["after_create", "after_create"]"#, action),
        &["duplicate-event \"after_create\""],
    );
    let unknown = ["empty-trigger {", "unknown-event \"after_delete\""];
    terraform(&trigger(r#"["after_delete"]"#, action), &unknown);
    terraform(&trigger(r#"["before_destroy", "after_destroy"]"#, action), &[]);
    terraform(r#"{"action": {"a": {"b": {"config": [{}, {}]}}}}"#, &["duplicate-block {"]);
    terraform(r#"{"action": {"a": {"b": [{}, {}]}}}"#, &["duplicate-declaration {"]);
    terraform(
        r#"{"output": {"o": {"value": "${action.a.b}"}}}"#,
        &["invalid-reference action.a.b"],
    );
    // In OpenTofu it is a resource type like any other.
    opentofu(
        r#"{"output": {"o": {"value": "${action.a.b}"}}}"#,
        &["undeclared-reference action.a.b"],
    );
    let files = [("main.tf.json", trigger(events, action))];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    with_tree(Dialect::Terraform, &files, |tree| {
        let module = &tree.modules()[0].module;
        let lifecycle = module.resources.iter().next().unwrap().lifecycle().unwrap();
        assert_eq!(lifecycle.action_triggers()[0].events, [Event::AfterCreate]);
        assert_eq!(lifecycle.action_triggers()[0].actions.len(), 1);
        assert_eq!(module.actions.iter().next().unwrap().address.to_string(), "action.a.b");
    });
}

#[test]
fn provisioners_at_destroy_time() {
    let body = |more: &str| {
        resource(&format!(
            r#"{{"for_each": {{}}, "connection": {{"host": "${{t.m.x}}"}}, "provisioner": {{"local-exec": {{
            "a": "${{self.id}} ${{each.key}} ${{path.module}}", "b": "${{t.m.x}} ${{t.m.y}}"{more}}}}}}}"#
        ))
    };
    terraform(&body(""), &[]);
    let expected = ["destroy-reference \"${t.m.x}\"", "destroy-reference \"${t.m.x} ${t.m.y}\""];
    terraform(&body(r#", "when": "destroy""#), &expected);
    terraform(
        &resource(
            r#"{"provisioner": [{"chef": {"when": 5}}, {"x": {"when": "later", "lifecycle": {}}}]}"#,
        ),
        &[
            "removed-provisioner \"chef\"",
            "unknown-keyword \"later\"",
            "reserved-block \"lifecycle\"",
        ],
    );
}

#[test]
fn conditions_do_not_refer_to_their_resource() {
    let condition = r#"{"condition": "${self.x == t.n.x}", "error_message": "${t.n[0].x}"}"#;
    opentofu(
        &resource(&format!(r#"{{"lifecycle": {{"postcondition": {condition}}}}}"#)),
        &[
            "self-reference \"${self.x == t.n.x}\"",
            "self-reference \"${t.n[0].x}\"",
            "unexpected-instance-key t.n[0].x",
        ],
    );
}

#[test]
fn module_calls() {
    let call = |body: &str| format!(r#"{{"module": {{"m": {body}}}}}"#);
    for (body, wrong) in [
        (r#"{"source": "a/b/c", "version": "1.0"}"#, &[][..]),
        (r#"{"source": "/x", "version": "1.0"}"#, &["module-source \"/x\""]),
        (r#"{"source": "x"}"#, &["module-source \"x\""]),
        (r#"{"source": "$${x}"}"#, &["module-source \"$${x}\""]),
        (r#"{"source": 5}"#, &["module-source 5"]),
        (r#"{"source": []}"#, &["unsuitable-value ["]),
        (
            r#"{"source": "a/b/c", "lifecycle": {}, "locals": {}}"#,
            &["reserved-block \"lifecycle\"", "reserved-block \"locals\""],
        ),
        (
            r#"{"source": "a/b/c", "ignore_nested_deprecations": "true"}"#,
            &["unsuitable-value \"true\""],
        ),
        (r#"{"source": "a/b/c", "providers": ["x"]}"#, &["static-map-required ["]),
        (
            r#"{"source": "a/b/c", "providers": {"x.y": "p", "x.z": "p", "x.y ": "q"}}"#,
            &["duplicate-pass \"q\""],
        ),
        (
            r#"{"source": "a/b/c", "providers": {"//": "p", "x": 1}}"#,
            &["provider-reference \"//\"", "provider-reference 1"],
        ),
        (
            r#"{"source": "a/b/c", "depends_on": ["action.a.b"]}"#,
            &["invalid-dependency action.a.b"],
        ),
    ] {
        terraform(&call(body), wrong);
    }
    opentofu(&call(r#"{"source": "a/b/c", "lifecycle": {}}"#), &[]);
    opentofu(&call(r#"{"source": "a/b/c", "lifecycle": [{}, {}]}"#), &["duplicate-block {"]);
    let variables = r#"{"module": {"a": {"source": "./${var.c}"}, "b": {"source": "./${var.v}"},
        "d": {"source": "${terraform.workspace}"}}, "variable": {"c": {"const": true}, "v": {}}}"#;
    let found = ["unknown-source \"./${var.v}\"", "source-reference terraform.workspace"];
    let found_all = errors(Dialect::Terraform, &[("main.tf.json", variables)]);
    for expected in found {
        assert!(found_all.iter().any(|it| it == expected), "{found_all:?}");
    }
    let files = [("main.tf.json", r#"{"module": {"m": {"source": "r.example/a/b/c//d"}}}"#)];
    with_tree(Dialect::OpenTofu, &files, |tree| {
        let call = tree.modules()[0].module.calls.get("m").unwrap();
        let Some(SourceAddress::Registry(address)) = call.source_address() else { panic!() };
        assert_eq!((address.host, address.system), (Some("r.example"), "c"));
    });
}

#[test]
fn duplicates() {
    terraform(r#"{"resource": {"t": {"n": [{}, {}]}}}"#, &["duplicate-declaration {"]);
    // The data source of a check belongs to the module.
    let check = r#""check": {"c": {"data": {"t": {"n": {}}}, "assert": {"condition": "${data.t.n.x}", "error_message": "m"}}}"#;
    terraform(
        &format!(r#"{{{check}, "data": {{"t": {{"n": {{}}}}}}}}"#),
        &["duplicate-declaration {"],
    );
    terraform(
        &format!(r#"{{{check}, "output": {{"o": {{"value": "${{data.t.n.x}}"}}}}}}"#),
        &["scoped-reference data.t.n.x"],
    );
}

#[test]
fn settings_stand_once() {
    terraform(
        r#"{"terraform": {"backend": {"local": [{}, {}]}, "cloud": {}, "required_providers": [{}, {}],
            "provider_meta": [{"x": {}}, {"y": {}}]}}"#,
        &["backend-and-cloud {", "duplicate-block {", "duplicate-block {"],
    );
    // Two names of one provider.
    terraform(
        r#"{"terraform": {"required_providers": {"y": {"source": "hashicorp/x"}},
            "provider_meta": [{"x": {}}, {"y": {}}]}}"#,
        &["duplicate-block {"],
    );
    // An override file replaces both by its own, of which it may have one.
    let files = [
        ("main.tf.json", r#"{"terraform": {"backend": {"local": {}}}}"#),
        ("a_override.tf.json", r#"{"terraform": {"cloud": {}}}"#),
        ("b_override.tf.json", r#"{"terraform": {"cloud": [{}, {}, {}]}}"#),
    ];
    assert_eq!(errors(Dialect::OpenTofu, &files), ["duplicate-block {"]);
}

#[test]
fn override_files() {
    let base = r#"{"resource": {"t": {"n": {"a": 1, "_": {"b": "${t.gone.x}"}}}}, "module": {"m": {"source": "./m"}}}"#;
    let child = r#"{"variable": {"x": {}}, "output": {"o": {"value": "${var.x}"}}}"#;
    let with = |text: &str| {
        errors(
            Dialect::Terraform,
            &[("main.tf.json", base), ("m/main.tf.json", child), ("override.tf.json", text)],
        )
    };
    let undeclared = "undeclared-reference t.gone.x";
    let missing = "missing-module-argument {";
    assert_eq!(with("{}"), [undeclared, missing]);
    // Arguments in a block `_` can be overridden.
    assert_eq!(with(r#"{"resource": {"t": {"n": {"b": 2}}}}"#), [missing]);
    // Whether an argument is set is asked of the base; what is unknown is not reported then.
    assert_eq!(with(r#"{"module": {"m": {"x": 1, "y": 1}}}"#), [undeclared, missing]);
    let refused = r#"{"resource": {"t": {"n": {"depends_on": ["t.n"], "lifecycle": {"precondition": {}}}}},
        "ephemeral": {"t": {"e": {}}}, "action": {"a": {"b": {}}}, "import": {"to": "t.n", "id": "x"}}"#;
    let expected = [
        undeclared,
        missing,
        "unsupported-override t.n",
        "unsupported-override {",
        "missing-base {",
        "unsupported-override {",
    ];
    assert_eq!(with(refused), expected);
}

#[test]
fn references_fit_their_places() {
    let output = |value: &str| format!(r#"{{"output": {{"o": {{"value": "{value}"}}}}}}"#);
    for (value, wrong) in [
        ("${each.key}", &["out-of-scope each.key"][..]),
        ("${count.index}", &["out-of-scope count.index"]),
        ("${self.x}", &["out-of-scope self.x"]),
        ("${path.nope} ${path.module}", &["unknown-attribute path.nope"]),
        ("${terraform.applying}", &[]),
        ("${each.nope}", &["unknown-attribute each.nope"]),
        ("${data.x}", &["invalid-reference data.x"]),
        ("${data[0]}", &["invalid-reference data[0]"]),
        ("${data[0].x}", &["invalid-reference [0]"]),
        ("${x}", &["invalid-reference x"]),
        ("${string}", &["unknown-variable string"]),
        ("${convert(1, list(string))}", &[]),
        ("${path.module.x}", &["unsupported-attribute .x"]),
        ("${upper()} ${nope(1)}", &["too-few-arguments )", "unknown-function nope"]),
        ("${core::upper(1)} ${try(nope, 1)}", &["invalid-reference nope"]),
        ("${provider::a::b(1)}", &["unknown-function provider::a::b"]),
        ("${[] + 1}", &["invalid-operand []"]),
        ("${", &["missing-expression "]),
    ] {
        terraform(&output(value), wrong);
    }
    opentofu(&output("${terraform.applying}"), &[]);
    opentofu(&output("${tofu.nope}"), &["unknown-attribute tofu.nope"]);
    opentofu(
        r#"{"resource": {"t": {
            "one": {}, "many": {"count": 2, "x": "${count.index}"}, "each": {"for_each": {}, "x": "${each.value}"},
            "q": {"x": ["${t.one[0].x}", "${t.many.x}", "${t.each.x}", "${t.many[0].x}", "${t.many[*].x}", "${t.one.count}"],
                "depends_on": ["t.many", "t.one.x", "t.one[0]"]}
        }}}"#,
        &[
            "unexpected-instance-key t.one[0].x",
            "missing-instance-key t.many.x",
            "missing-instance-key t.each.x",
            "count-attribute t.one.count",
            "invalid-dependency .x",
            "unexpected-instance-key t.one[0]",
        ],
    );
    let files = [
        (
            "main.tf.json",
            r#"{"module": {"m": {"source": "./m"}, "n": {"source": "./m", "count": 2}}, "locals": {"l": [
                "${module.m.o}", "${module.m.nope}", "${module.m[0].o}", "${module.m[\"o\"]}", "${module.n.o}",
                "${module.n[0].nope}", "${module.n[*].o}"]}, "output": {"o": {"value": "${local.l}"}}}"#,
        ),
        ("m/main.tf.json", r#"{"output": {"o": {"value": 1}}}"#),
    ];
    let expected = [
        "undeclared-output .nope",
        "unexpected-module-key [0]",
        "missing-module-key .o",
        "undeclared-output .nope",
    ];
    assert_eq!(errors(Dialect::OpenTofu, &files), expected);
}
