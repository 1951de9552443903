//! Bodies of resources, data sources and providers, checked by the schemas of a provider.

use simd_hcl::dialect::List;
use simd_hcl::module::Module;
use simd_hcl::show::{BodySchemas, Schemas};
use simd_hcl::{Arena, Dialect, Document, typed};

const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.opentofu.org/hashicorp/t": {
    "provider": {"version": 0, "block": {"attributes": {"region": {"type": "string", "required": true}}}},
    "resource_schemas": {"t_x": {"version": 1, "block": {
        "attributes": {
            "id": {"type": "string", "computed": true},
            "name": {"type": "string", "required": true},
            "size": {"type": "number", "optional": true, "computed": true},
            "on": {"type": "bool", "optional": true},
            "old": {"type": "string", "optional": true, "deprecated": true},
            "older": {"type": "string", "optional": true, "deprecated": true,
                "deprecation_message": "Use name."},
            "tags": {"type": ["map", "string"], "optional": true},
            "ports": {"type": ["list", ["object", {"from": "number", "to": "number"}]], "optional": true},
            "zones": {"type": ["set", "string"], "optional": true},
            "nested": {"optional": true, "nested_type": {"nesting_mode": "list", "attributes": {
                "key": {"type": "string", "required": true},
                "value": {"type": "number", "optional": true}}}}
        },
        "block_types": {
            "one": {"nesting_mode": "single", "min_items": 1, "block": {"attributes": {
                "a": {"type": "string", "required": true}}}},
            "few": {"nesting_mode": "list", "min_items": 1, "max_items": 2, "block": {"attributes": {
                "a": {"type": "number", "optional": true}},
                "block_types": {"deep": {"nesting_mode": "set", "block": {"attributes": {
                    "b": {"type": "bool", "required": true}}}}}}},
            "by_key": {"nesting_mode": "map", "block": {"attributes": {
                "a": {"type": "string", "optional": true}}}},
            "gone": {"nesting_mode": "list", "block": {"deprecated": true}}
        }}}}
}}}"#;

fn parse<'a>(arena: &'a Arena, name: &str, text: &'a str) -> Document<'a> {
    Document::parse_bytes(arena, name, text.as_bytes()).unwrap()
}

/// Returns the diagnostics of a file and its override files: code, and the text at its position.
fn found_in(primary: &str, overrides: &[&str]) -> Vec<String> {
    let arena = Arena::new();
    let schemas = Schemas::of(parse(&arena, "schemas.json", SCHEMAS), &mut ()).unwrap();
    let schemas = BodySchemas::new(schemas).with_built_in(&arena);
    let mut documents = vec![(List::Primary, parse(&arena, "main.tf.json", primary))];
    documents.extend(
        overrides.iter().map(|text| (List::Override, parse(&arena, "o_override.tf.json", text))),
    );
    let mut of_module: Vec<simd_hcl::Diagnostic<'_>> = Vec::new();
    let module = Module::read(Dialect::OpenTofu, documents, false, &mut of_module);
    assert!(of_module.is_empty(), "{of_module:#?}");
    let mut found: Vec<simd_hcl::Diagnostic<'_>> = Vec::new();
    typed::check(&module, &schemas, &mut found);
    found.sort_by_key(|it| (it.source().id(), it.span().start));
    let text = |it: &simd_hcl::Diagnostic<'_>| {
        let bytes = it.span().slice(it.source().bytes());
        format!("{} {}", it.code().as_str(), String::from_utf8_lossy(bytes))
    };
    found.iter().map(text).collect()
}

/// Does the same for the body of one resource that has all required arguments.
fn found(more: &str) -> Vec<String> {
    found_in(
        &format!(
            r#"{{"resource": {{"t_x": {{"r": {{"name": "n", "one": {{"a": ""}}, "few": {{}} {more}}}}}}}}}"#
        ),
        &[],
    )
}

#[test]
fn bodies_that_fit() {
    for body in [
        "",
        r#", "size": 5, "on": true, "tags": {"a": "b"}, "ports": [{"from": 1, "to": "2"}]"#,
        r#", "size": "5", "on": "true", "tags": {"a": 1}, "zones": ["a", true]"#,
        // Unknown values fit any type.
        r#", "size": "${var.x}", "on": "${f(1)}", "tags": "${merge(var.a, {})}", "ports": "${[]}""#,
        r#", "nested": [{"key": "k"}, {"key": "${var.x}", "value": "1"}], "id": null, "old": null"#,
        r#", "by_key": {"a": {"a": "x"}, "b": [{}]}, "//": "comment""#,
        r#", "dynamic": {"by_key": {"for_each": "${var.x}", "labels": ["k"], "content": {"a": "${by_key.value}"}}}"#,
        r#", "dynamic": {"ports": {"for_each": ["a"], "content": {"from": 1, "to": 1}}}"#,
    ] {
        assert_eq!(found(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn names_that_are_missing_or_unknown() {
    let resource =
        |body: &str| found_in(&format!(r#"{{"resource": {{"t_x": {{"r": {body}}}}}}}"#), &[]);
    assert_eq!(resource(r#"{"one": {"a": ""}, "few": {}}"#), ["missing-argument }"]);
    assert_eq!(
        resource(r#"{"name": null, "one": {"a": ""}, "few": {}}"#),
        ["missing-argument null"]
    );
    assert_eq!(resource(r#"{"name": "n", "one": {}, "few": {"deep": {}}}"#).len(), 2);
    assert_eq!(found(r#", "nmae": 1"#), [r#"extraneous-property "nmae""#]);
    assert_eq!(found(r#", "id": "x""#), [r#"computed-argument "id""#]);
    assert_eq!(found(r#", "id": "${var.x}""#), [r#"computed-argument "id""#]);
    assert_eq!(
        found(r#", "old": "x", "older": ""}"#.trim_end_matches('}')),
        [r#"deprecated-argument "old""#, r#"deprecated-argument "older""#]
    );
    assert_eq!(found(r#", "gone": [{}, {}]"#), [r#"deprecated-argument "gone""#]);
    let unknown =
        found_in(r#"{"resource": {"t_y": {"r": {"a": 1}}}, "data": {"t_x": {"r": {}}}}"#, &[]);
    assert_eq!(unknown, [r#"unknown-type "t_y""#, r#"unknown-type "t_x""#]);
    // Providers without schemas are not checked, and a local name can mean another provider.
    assert!(found_in(r#"{"resource": {"u_y": {"r": {"a": 1}}}}"#, &[]).is_empty());
    let renamed = r#"{"terraform": {"required_providers": {"u": {"source": "hashicorp/t"}, "t": {"source": "o/t"}}},
        "resource": {"u_x": {"r": {}}, "t_y": {"r": {}}}}"#;
    assert_eq!(found_in(renamed, &[]), [r#"unknown-type "u_x""#]);
    let provider = r#"{"provider": {"t": [{"alias": "a"}, {"region": ["x"], "regoin": 1}]}}"#;
    assert_eq!(
        found_in(provider, &[]),
        ["missing-argument }", "argument-type [", r#"extraneous-property "regoin""#]
    );
}

#[test]
fn values_that_do_not_fit() {
    for (value, place) in [
        (r#""size": "a""#, r#""a""#),
        (r#""size": true"#, "true"),
        (r#""size": []"#, "["),
        (r#""size": "a${var.x}", "on": "b""#, r#""b""#),
        (r#""tags": "x${var.x}""#, r#""x${var.x}""#),
        (r#""tags": ["a"]"#, "["),
        (r#""tags": {"a": {}}"#, "{"),
        (r#""ports": [{"from": 1, "to": 2}, {"from": 1, "to": "x"}]"#, r#""x""#),
        (r#""ports": {"from": 1, "to": 2}"#, "{"),
        (r#""zones": ["a", ["b"]]"#, "["),
        (r#""nested": [{"value": 1}]"#, "["),
        (r#""nested": [{"key": "", "value": "v"}]"#, r#""v""#),
    ] {
        let all = found(&format!(", {value}"));
        assert_eq!(all, [format!("argument-type {place}")], "{value}");
    }
}

#[test]
fn numbers_of_blocks() {
    let resource = |blocks: &str| {
        found_in(&format!(r#"{{"resource": {{"t_x": {{"r": {{"name": "" {blocks}}}}}}}}}"#), &[])
    };
    assert_eq!(resource(""), ["block-count }", "block-count }"]);
    assert_eq!(
        resource(r#", "one": {"a": ""}, "few": [{}, {}, {"x": 1}]"#),
        ["block-count {", r#"extraneous-property "x""#]
    );
    assert_eq!(
        resource(r#", "one": [{"a": ""}, {"a": ""}], "few": null"#),
        ["duplicate-block {", "block-count }"]
    );
    assert_eq!(found(r#", "by_key": [{"a": {}}, {"a": {}}]"#), ["duplicate-block {"]);
    let dynamic =
        |block: &str| resource(&format!(r#", "one": {{"a": ""}}, "dynamic": {{"few": {block}}}"#));
    assert!(dynamic(r#"{"for_each": [], "content": {"deep": {"b": true}}}"#).is_empty());
    assert_eq!(
        dynamic(r#"{"for_each": 5, "content": {"deep": {"c": 1}}}"#),
        ["argument-type 5", r#"extraneous-property "c""#, "missing-argument }"]
    );
    assert_eq!(
        dynamic(r#"{"content": [{}, {}], "labels": ["a"]}"#),
        ["duplicate-block {", r#"block-count "labels""#, "missing-argument }"]
    );
    assert_eq!(dynamic(r#"{"for_each": {}}"#), ["block-count }"]);
    assert_eq!(
        found(r#", "dynamic": {"nope": {"for_each": []}}"#),
        [r#"extraneous-property "nope""#]
    );
}

#[test]
fn bodies_that_are_read_as_one() {
    let base = r#"{"resource": {"t_x": {"r": {"name": "n", "size": "x", "one": {"a": ""}, "few": [{}, {}, {}]}}}}"#;
    let overrides = [r#"{"resource": {"t_x": {"r": {"size": 1, "few": [{"a": "y"}]}}}}"#];
    assert_eq!(found_in(base, &overrides), [r#"argument-type "y""#]);
    let base = r#"{"resource": {"t_x": {"r": {"one": {"a": ""}, "few": {}}}}}"#;
    let overrides = [r#"{"resource": {"t_x": {"r": {"name": "n"}}}}"#];
    assert_eq!(found_in(base, &overrides), ["missing-argument }"]);
    let escape = r#"{"resource": {"t_x": {"r": {"one": {"a": ""}, "size": 1,
        "_": {"name": "n", "size": 2, "few": {}, "count": 1}}}}}"#;
    assert_eq!(
        found_in(escape, &[]),
        [r#"duplicate-argument "size""#, r#"extraneous-property "count""#]
    );
}

#[test]
fn what_is_built_in() {
    let text = r#"{"resource": {"terraform_data": {
            "a": {"id": "x", "input": 1, "provisioner": [
                {"local-exec": {"comand": "x", "environment": ["a"]}},
                {"file": {"destination": "d", "connection": {"host": "h", "port": "p"}}}, {"nope": {}}]},
            "b": {"connection": {"user": "u"}}},
        "terraform_foo": {"a": {}}},
        "data": {"terraform_remote_state": {"s": {"workspace": "w"}}}}"#;
    assert_eq!(
        found_in(text, &[]),
        [
            r#"computed-argument "id""#,
            r#"extraneous-property "comand""#,
            "argument-type [",
            "missing-argument }",
            r#"argument-type "p""#,
            "argument-combination }",
            r#"unknown-provisioner "nope""#,
            r#"unknown-type "terraform_foo""#,
            "missing-argument }"
        ]
    );
}

#[test]
fn attributes_that_are_referred_to() {
    let found = found_in(
        r#"{"resource": {"t_x": {
            "a": {"name": "n", "one": {"a": "x"}, "few": {}, "lifecycle": {"ignore_changes": ["tags[\"a\"]", "few", "id", "nope.x", "id.x"]}},
            "c": {"count": 2, "name": "n", "one": {"a": "x"}, "few": {}}
        }}, "output": {"o": {"value": ["${t_x.a.id} ${t_x.a.one.a} ${t_x.a.nope}", "${t_x.c[0].id} ${t_x.c[0].nop.x}",
            "${t_x.c[*].nope}", "${t_x.a}", "${data.t_x.a.nope}"]}}, "data": {"u_y": {"a": {}}}}"#,
        &[],
    );
    let expected = [
        "redundant-ignore id",
        "unsupported-attribute nope",
        "unsupported-attribute .x",
        "unsupported-attribute .nope",
        "unsupported-attribute .nop",
    ];
    assert_eq!(found, expected);
}
