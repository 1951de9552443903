//! The output of commands fits the JSON Schemas in `docs/schemas`, as JSON and NDJSON.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::tool::{run, stdout, tree};

/// Checks a value by the keywords that our schemas use; any other keyword is an error in the
/// schema.
fn validate(value: &Value, schema: &Value, root: &Value, at: &str) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{at}: {what}: {value} by {schema}"));
    let is_of = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("{other} is no type"),
    };
    for (keyword, rule) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => {}
            "$ref" => {
                let pointer = rule.as_str().unwrap().strip_prefix('#').unwrap();
                validate(value, root.pointer(pointer).unwrap(), root, at)?;
            }
            "type" => {
                let names = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                if !names.iter().any(|name| is_of(name.as_str().unwrap())) {
                    return wrong("type");
                }
            }
            "const" if value != rule => return wrong("const"),
            "enum" if !rule.as_array().unwrap().contains(value) => return wrong("enum"),
            "const" | "enum" => {}
            "minimum" if value.as_i64() < rule.as_i64() => return wrong("minimum"),
            "minimum" => {}
            "anyOf" => {
                let tried: Vec<_> = rule
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|one| validate(value, one, root, at))
                    .collect();
                if tried.iter().all(Result::is_err) {
                    return Err(format!("{tried:?}"));
                }
            }
            "items" => {
                for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(item, rule, root, &format!("{at}[{place}]"))?;
                }
            }
            "required" => {
                for name in rule.as_array().unwrap() {
                    if value.get(name.as_str().unwrap()).is_none() {
                        return wrong("required");
                    }
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        validate(member, rule, root, &format!("{at}.{name}"))?;
                    }
                }
            }
            "additionalProperties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    if schema.get("properties").is_some_and(|known| known.get(name).is_some()) {
                        continue;
                    }
                    match rule {
                        Value::Bool(true) => {}
                        Value::Bool(false) => return wrong(&format!("{name} is not described")),
                        rule => validate(member, rule, root, &format!("{at}.{name}"))?,
                    }
                }
            }
            other => panic!("the test does not know the keyword {other}"),
        }
    }
    Ok(())
}

/// A plan with all members of plans.
const WHOLE_PLAN: &str = r#"{"format_version": "1.2", "terraform_version": "1.14.0", "planned_values": {},
    "complete": false, "applyable": true, "errored": false, "timestamp": "2026-01-01T00:00:00Z",
    "variables": {"v": {"value": [1]}, "w": {}},
    "resource_changes": [
        {"address": "module.m[\"k\"].a_b.c[0]", "previous_address": "a_b.c", "module_address": "module.m[\"k\"]",
         "mode": "managed", "type": "a_b", "name": "c", "index": 0, "deposed": "0a1b2c3d", "provider_name": "p",
         "action_reason": "replace_by_triggers",
         "change": {"actions": ["delete", "create"], "before": {"x": 1, "p": "s3cret"}, "after": {"x": 2, "p": null},
            "after_unknown": {"id": true}, "before_sensitive": {"p": true}, "replace_paths": [["x"]],
            "importing": {"id": "i"}, "generated_config": "x = 1"}},
        {"address": "a_b.c", "type": "a_b", "name": "c", "index": "k", "mode": "data",
         "change": {"actions": ["read"], "after_unknown": true}}],
    "resource_drift": [{"address": "a_b.c", "type": "a_b", "name": "c", "change": {"actions": ["update"]}}],
    "output_changes": {"o": {"actions": ["create"], "before": null, "after": {"a": [1]}, "after_unknown": false}},
    "deferred_changes": [{"reason": "unknown", "resource_change": {"address": "a_b.d", "type": "a_b",
        "name": "d", "change": {"actions": ["create"], "after": {}}}}],
    "deferred_action_invocations": [{"reason": "unknown", "action_invocation": {"address": "action.a.b"}}],
    "action_invocations": [{"address": "action.a.b", "type": "a", "name": "b", "provider_name": "p",
        "lifecycle_action_trigger": {"actions_list_index": 0}}],
    "checks": [{"address": {"kind": "check", "to_display": "check.c"}, "status": "fail", "instances": [
        {"address": {"to_display": "check.c"}, "status": "fail", "problems": [{"message": "No."}]}]}],
    "relevant_attributes": [{"resource": "a_b.c", "attribute": ["x", 0]}]}"#;

/// The events of an apply, and a line that is not an event.
const LOG: &str = r#"{"@level":"info","@message":"Terraform 1.14.0","@timestamp":"2026-01-01T00:00:00Z","type":"version","terraform":"1.14.0","ui":"1.2"}
{"@level":"info","@message":"x","@timestamp":"2026-01-01T00:00:01Z","type":"planned_change","change":{"resource":{"addr":"a_b.c","resource_type":"a_b"},"previous_resource":{"addr":"a_b.d"},"action":"update","reason":"cannot_update","importing":{}}}
{"@level":"info","@message":"x","type":"resource_drift","change":{"resource":{"addr":"a_b.c","resource_type":"a_b"},"action":"update"}}
{"@level":"info","@message":"x","type":"change_summary","changes":{"add":0,"change":1,"import":0,"remove":0,"operation":"apply"}}
{"@level":"info","@message":"x","@timestamp":"2026-01-01T00:00:02Z","type":"apply_start","hook":{"resource":{"addr":"a_b.c"},"action":"update"}}
{"@level":"info","@message":"x","@timestamp":"2026-01-01T00:00:03Z","type":"apply_complete","hook":{"resource":{"addr":"a_b.c"},"action":"update","elapsed_seconds":1}}
{"@level":"error","@message":"x","type":"diagnostic","diagnostic":{"severity":"error","summary":"s","detail":"d","address":"a_b.c","range":{"filename":"f","start":{"line":1,"column":2}}}}
{"@level":"info","@message":"x","type":"outputs","outputs":{"o":{"sensitive":false,"value":[1.5]},"p":{"sensitive":true}}}
panic: something
"#;

const STATE: &str = r#"{"version": 4, "terraform_version": "1.14.0", "serial": 1, "lineage": "x",
    "outputs": {"o": {"value": "v", "type": "string", "sensitive": true}},
    "resources": [{"module": "module.m", "mode": "managed", "type": "a_b", "name": "c", "provider": "provider[\"p\"]",
        "instances": [{"index_key": 0, "status": "tainted", "deposed": "0a1b2c3d", "schema_version": 1,
            "attributes": {"x": null, "p": "s3cret"},
            "sensitive_attributes": [[{"type": "get_attr", "value": "p"}]]}]}]}"#;

/// Commands whose shape is that of another tool.
const OTHERS: [&str; 2] = ["config", "decode"];

#[test]
fn answers_fit_their_schemas() {
    let main = r#"{"resource": {"a_b": {"c": {"x": "${var.v} ${var.none}", "y": 1}}},
        "module": {"m": {"source": "corp/x/y"}}, "variable": {"v": {"type": "string"}},
        "locals": {"l": "${a_b.c.x}"}, "terraform": {"required_providers": {"a": {"source": "corp/a"}},
        "required_version": ">= 1", "backend": {"local": {}}}}"#;
    let tree = tree(&[
        ("m/main.tf.json", main),
        ("m/main.tf", ""),
        ("m/broken.tf.json", "{"),
        (
            "plan.json",
            r#"{"format_version": "1.2", "planned_values": {}, "errored": true, "resource_changes":
                [{"address": "a.b", "type": "a", "name": "b", "change": {"actions": ["create"], "after": {}}}]}"#,
        ),
        ("whole.json", WHOLE_PLAN),
        ("log", LOG),
        ("state.json", STATE),
        (
            "schema.json",
            r#"{"blocks": {"resource": {"labels": ["t", "n"], "body": {"attributes": {"y": {}}}}}}"#,
        ),
        (
            "rules.json",
            r#"{"rule": {"r": {"warn": true, "help": "h", "url": "u"}, "s": {"deny": "${resource.x}"}}}"#,
        ),
        (
            "cases.hcl",
            "rule \"r\" {\n  for_each = output\n  deny = true\n  case \"c\" {\n    main = \"\"\n    finds = [\"output.o\"]\n  }\n}\n",
        ),
        (
            "u/terragrunt.hcl",
            "include \"r\" {\n  path = \"../r.hcl\"\n}\nexclude {\n  if = true\n  actions = []\n}\ninputs = {\n  a = run_cmd(\"a\")\n}\n",
        ),
        ("r.hcl", ""),
        (
            "stk/a.tfcomponent.hcl",
            "variable \"x\" {\n  type = string\n}\ncomponent \"n\" {\n  source = \"../n\"\n}\ncomponent \"far\" {\n  source = \"a/b/c\"\n}\noutput \"o\" {\n  type  = string\n  value = var.x\n}\n",
        ),
        ("stk/a.tfdeploy.hcl", "deployment \"d\" {\n  inputs = { x = \"y\" }\n}\n"),
        ("n/main.tf.json", r#"{"resource": {"a_b": {"c": {"y": 2}}}}"#),
        ("p/a.pkr.json", r#"{"source": {"d": {"b": {}}}, "build": {"sources": ["source.d.b"]}}"#),
    ]);
    let commands: [(&str, &[&str]); 41] = [
        ("overview", &["overview", "."]),
        ("plan", &["plan", "plan.json"]),
        ("plan", &["plan", "whole.json", "--values", "--source", "n", "--against", "log"]),
        ("plan", &["plan", "whole.json", "--diff", "--show-sensitive"]),
        ("stream", &["plan", "log"]),
        ("stream", &["plan", "log", "--against", "plan.json"]),
        ("state", &["state", "state.json", "--values"]),
        ("config", &["config", "m"]),
        ("config", &["config", "m", "--compat"]),
        ("expand", &["expand", "m"]),
        ("expand", &["expand", "stk"]),
        ("why", &["why", "a_b.c.y", "n"]),
        ("decode", &["decode", "n/main.tf.json", "--schema", "schema.json"]),
        ("eval", &["eval", "upper(\"a\")"]),
        ("eval", &["eval", "[x, 1"]),
        ("policy", &["plan", "plan.json", "--rules", "rules.json"]),
        ("check", &["check", "."]),
        ("inspect", &["inspect", "."]),
        ("inspect-versions", &["inspect", "--versions", "."]),
        ("references", &["references", "."]),
        ("templates", &["templates", "."]),
        ("graph", &["graph", "."]),
        ("graph", &["graph", "--modules", "."]),
        ("graph", &["graph", "--collapse", "."]),
        ("dependents", &["dependents", "var.v", "."]),
        ("affected", &["affected", ".", "n/main.tf.json"]),
        ("units", &["units", ".", "--dependencies", "--include", "--reading", "--exclude"]),
        ("units", &["units", ".", "--render"]),
        ("query", &["query", "resource.*.*.*", "."]),
        ("change", &["set", "resource.*.*.y", "[1]", "."]),
        ("change", &["rename", "a_b.c", "d", "n", "--tree", "n"]),
        ("change", &["unset", "resource.*.*.*", "."]),
        ("change", &["fix-unused", ".", "--tree", "."]),
        ("change", &["upgrade", "required-version", ">= 1", "."]),
        ("diff", &["diff", "m/main.tf.json", "n/main.tf.json"]),
        ("review", &["diff", "--values", "m", "n"]),
        ("events", &["events", "n/main.tf.json"]),
        ("explain", &["explain", "unknown-variable", "naming-convention"]),
        ("rules", &["rules"]),
        ("rules-test", &["rules", "test", "cases.hcl"]),
        ("kernels", &["kernels"]),
    ];
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas");
    for (name, command) in commands {
        let schema = fs::read(schemas.join(format!("{name}.json"))).unwrap();
        let schema: Value = serde_json::from_slice(&schema).unwrap();
        let print = |format| stdout(&run(tree.path(), &[command, &["--format", format]].concat()));
        let answer: Value = serde_json::from_str(&print("json")).unwrap();
        validate(&answer, &schema, &schema, name).unwrap();
        if !OTHERS.contains(&name) {
            assert!(answer["format_version"].is_string(), "{name}");
            assert!(answer["incomplete"].is_array(), "{name}");
        }
        let (row, rest) = (schema.pointer("/$defs/row"), schema.pointer("/$defs/rest"));
        let lines = print("ndjson");
        assert!(!lines.is_empty(), "{name}");
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let is_rest = line.get("incomplete").is_some() && rest.is_some();
            let schema_of_line = if is_rest { rest } else { row.or(Some(&schema)) };
            validate(&line, schema_of_line.unwrap(), &schema, name).unwrap();
        }
        // A schema that accepts everything proves nothing.
        assert!(validate(&serde_json::json!([{"wrong": 1}]), &schema, &schema, name).is_err());
    }
    for file in fs::read_dir(schemas).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap().replace(".json", "");
        assert!(commands.iter().any(|(known, _)| *known == name), "{name} is not compared");
    }
}
