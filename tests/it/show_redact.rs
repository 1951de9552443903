//! Redaction removes all occurrences of sensitive values, and changes nothing else.

use serde_json::{Value as Json, json};
use simd_hcl::show::redact::{Large, Options, Places, Refusal, has_marks, write};
use simd_hcl::show::{DocumentKind, Plan, RawState, State};
use simd_hcl::{Arena, Code, Diagnostic, Document, ParseOptions, Source};
use simd_hcl_corpus::sized;

fn redacted_at(text: &str, options: Options, depth: u32) -> String {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "test.json", text.as_bytes()).unwrap();
    let options_of_parser = ParseOptions::default().with_skeleton_depth(depth);
    let document = Document::parse_with(&arena, source, &options_of_parser).unwrap();
    let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
    let places = match DocumentKind::of(document.root()) {
        DocumentKind::Plan => {
            Places::of_plan(Plan::of(document, &mut diagnostics).unwrap(), options)
        }
        DocumentKind::State => {
            Places::of_state(State::of(document, &mut diagnostics).unwrap(), options)
        }
        DocumentKind::RawState => {
            Places::of_raw_state(RawState::of(document, &mut diagnostics).unwrap(), options)
        }
        kind => panic!("{kind:?}"),
    };
    let mut out = Vec::new();
    write(source, &places, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn redacted(text: &str) -> String {
    let all: Vec<String> = [0, 2, 4, u32::MAX]
        .into_iter()
        .map(|depth| redacted_at(text, Options::default(), depth))
        .collect();
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
    let all = all.into_iter().next().unwrap();
    match streamed(text, Options::default()) {
        Ok(text) => assert_eq!(text, all),
        // Documents that may be misread are not redacted either way.
        Err(_) => assert!(!is_understood(text)),
    }
    all
}

fn is_understood(text: &str) -> bool {
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "test.json", text.as_bytes()).unwrap();
    Places::of(document, Options::default(), &mut ()).is_some()
}

/// The result of redaction as a stream.
fn streamed(text: &str, options: Options) -> Result<String, Refusal> {
    let arena = Arena::new();
    let mut input = std::io::Cursor::new(text.as_bytes());
    let settings = simd_hcl::stream::Options::default();
    let mut large = Large::read(&arena, &mut input, options, settings, &mut ())?;
    let mut out = Vec::new();
    large.write(&mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

/// Returns whether a secret is in a document: in a string or a name, or in JSON inside a string.
fn holds(document: &Json, secret: &str) -> bool {
    match document {
        Json::String(text) => {
            text.contains(secret)
                || (text.contains(['{', '[', '"'])
                    && serde_json::from_str(text).is_ok_and(|inner: Json| holds(&inner, secret)))
        }
        Json::Array(elements) => elements.iter().any(|element| holds(element, secret)),
        Json::Object(members) => {
            members.iter().any(|(name, value)| name.contains(secret) || holds(value, secret))
        }
        _ => false,
    }
}

/// Returns a plan that marks `secret` at one of many places, and repeats it at all others.
fn plan_with(secret: &Json, marked: usize) -> Json {
    let mark = |place: usize| place == marked;
    let tree = |place: usize| if mark(place) { json!({"p": true}) } else { json!({}) };
    let nested = json!({"user": "admin", "password": secret}).to_string();
    let twice = json!([nested, {"again": secret}]).to_string();
    let text = secret.as_str().unwrap();
    let values = json!({"p": secret, "list": [1, {"deep": secret}], "json": nested, "twice": twice,
        "inside": format!("user:{text}@host"), "map": {text: "as a name", "other": 1}});
    let change = |before: usize, after: usize| {
        json!({"actions": ["update"], "before": values, "after": values, "after_unknown": {},
            "before_sensitive": tree(before), "after_sensitive": tree(after)})
    };
    let entry = |before: usize, after: usize| {
        json!({"address": format!("module.m[{secret}].t.x"), "mode": "managed", "type": "t",
            "name": "x", "index": secret, "change": change(before, after)})
    };
    let action = |place: usize| {
        json!({"address": "action.a.b", "type": "a", "name": "b", "config_values": {"p": secret},
            "config_sensitive": tree(place)})
    };
    let resource = |place: usize| {
        json!({"address": "t.y", "mode": "managed", "type": "t", "name": "y", "values": values,
            "sensitive_values": tree(place), "identity": {"id": secret}})
    };
    let expressions =
        json!({"p": {"constant_value": secret}, "block": [{"q": {"constant_value": secret}}]});
    let block = json!({"address": "t.x", "mode": "managed", "type": "t", "name": "x",
        "expressions": expressions,
        "provisioners": [{"type": "local-exec", "expressions": {"command": {"constant_value": format!("echo {text}")}}}]});
    json!({
        "format_version": "1.2",
        "variables": {"v": {"value": secret}, "w": {"value": {"nested": secret}}},
        "planned_values": {
            "outputs": {"o": {"sensitive": mark(0), "value": secret}},
            "root_module": {"resources": [resource(1)],
                "child_modules": [{"resources": [resource(2)], "address": "module.m"}]}},
        "resource_drift": [entry(3, 4)],
        "resource_changes": [entry(5, 6)],
        "deferred_changes": [{"reason": "unknown", "resource_change": entry(7, 8)}],
        "deferred_action_invocations": [{"reason": "unknown", "action_invocation": action(9)}],
        "output_changes": {"o": {"actions": ["create"], "before": secret, "after": secret,
            "after_unknown": false, "before_sensitive": mark(10), "after_sensitive": mark(11)}},
        "action_invocations": [action(12)],
        "prior_state": {"format_version": "1.0", "values": {
            "outputs": {"o": {"sensitive": mark(13), "value": secret}},
            "root_module": {"resources": [resource(14)]}},
            "checks": [{"address": {"kind": "var", "to_display": "var.v"}, "status": "fail",
                "instances": [{"address": {"to_display": "var.v"}, "status": "fail",
                    "problems": [{"message": format!("{text} is wrong")}]}]}]},
        "configuration": {
            "provider_config": {"p": {"name": "p", "expressions": {"token": {"constant_value": secret}}}},
            "root_module": {
                "outputs": {"o": {"sensitive": mark(15), "expression": {"constant_value": secret},
                    "description": format!("The output {text}.")}},
                "resources": [block],
                "variables": {"v": {"sensitive": mark(16), "default": secret, "description": text},
                    "w": {"default": [secret]}},
                "module_calls": {"m": {"source": format!("git::https://{text}@host/x"),
                    "expressions": {"p": {"constant_value": secret}},
                    "module": {
                        "resources": [block],
                        "outputs": {"o": {"sensitive": mark(17), "expression": {"constant_value": secret}}},
                        "variables": {"p": {"sensitive": mark(18), "default": secret}}}}}}},
        "relevant_attributes": [{"resource": "t.x", "attribute": ["p", secret]}],
        "checks": [{"address": {"kind": "resource", "to_display": "t.x"}, "status": "fail",
            "instances": [{"address": {"to_display": "t.x", "instance_key": secret}, "status": "fail",
                "problems": [{"message": nested}]}]}]
    })
}

/// The number of places in [`plan_with`] that can be marked.
const PLACES: usize = 19;

/// Returns text that is hard to find, with all kinds of characters that are escaped.
fn secret(seed: u64) -> String {
    let alphabet: Vec<char> = "abcXYZ0189-_.:%+ \"\\/<>&'=\n\t{}[]$éß😀\u{2028}".chars().collect();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % 1024).unwrap()
    };
    let len = 8 + next() % 24;
    let middle: String = (0..len).map(|_| alphabet[next() % alphabet.len()]).collect();
    // Starts and ends without white space, which is ignored there.
    format!("k{middle}z")
}

/// Returns a string as Go writes it, with HTML characters escaped.
fn as_go(text: &str) -> String {
    let text = text.replace('<', "\\u003c").replace('>', "\\u003e");
    text.replace('&', "\\u0026").replace('\u{2028}', "\\u2028")
}

#[test]
fn no_secret_survives_wherever_it_is_marked() {
    for seed in 0..4 {
        let secret = secret(seed);
        for marked in 0..PLACES {
            let plan = plan_with(&json!(secret), marked);
            for text in [plan.to_string(), as_go(&plan.to_string())] {
                let out = redacted_at(&text, Options::default(), 3);
                let document: Json =
                    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"));
                assert!(!holds(&document, &secret), "place {marked}, {secret:?}: {out}");
                let arena = Arena::new();
                let document = Document::parse_bytes(&arena, "out", out.as_bytes()).unwrap();
                assert_eq!(DocumentKind::of(document.root()), DocumentKind::Plan);
                let mut found: Vec<Diagnostic<'_>> = Vec::new();
                Plan::of(document, &mut found).unwrap().check(&mut found);
                assert!(found.is_empty(), "{found:?}");
                assert_eq!(redacted_at(&out, Options::default(), 3), out, "twice is once");
            }
        }
    }
}

#[test]
fn depth_changes_nothing() {
    redacted(&plan_with(&json!("hunter2-\"quoted\"-<hunter>"), 6).to_string());
}

#[test]
fn a_plan_without_marks_stays_as_it_is() {
    let plan = plan_with(&json!("hunter2hunter2"), usize::MAX);
    let text = serde_json::to_string_pretty(&plan).unwrap();
    let kept = Options::default().with_provider_config(true);
    assert_eq!(redacted_at(&text, kept, 3), text);
}

/// Constants of providers have no marks. Those that say where something is are in many values.
#[test]
fn constants_of_providers_are_hidden() {
    let text = |region: &str, token: &str, url: &str| {
        format!(
            r#"{{"format_version":"1.2","planned_values":{{"root_module":{{"resources":[{{"address":"t.x","type":"t","name":"x",
            "values":{{"zone":"eu-central-1a","url":"{url}"}},"sensitive_values":{{}}}}]}}}},
            "configuration":{{"provider_config":{{"p":{{"name":"p","expressions":{{"region":{{"constant_value":"{region}"}},
            "token":{{"constant_value":"{token}"}}}}}}}}}}}}"#
        )
    };
    let hidden = "REDACTED_SENSITIVE";
    assert_eq!(
        redacted(&text("eu-central-1", "hunter2hunter2", "https://hunter2hunter2@host")),
        text(hidden, hidden, &format!("https://{hidden}@host"))
    );
}

/// A default of a sensitive variable is hidden, unless it is kept.
#[test]
fn defaults_of_sensitive_variables_are_hidden() {
    let text = |default: &str| {
        format!(
            r#"{{"format_version":"1.2","planned_values":{{}},"configuration":{{"root_module":{{"variables":{{
            "a":{{"default":"{default}","sensitive":true}},"b":{{"default":"kept"}}}}}}}}}}"#
        )
    };
    assert_eq!(redacted(&text("pw")), text("REDACTED_SENSITIVE"));
    let kept = Options::default().with_kept_defaults(true);
    assert_eq!(redacted_at(&text("pw"), kept, 3), text("pw"));
}

/// Secrets that are too short to be searched for are hidden by path.
#[test]
fn short_secrets_are_followed_by_path() {
    let plan = json!({
        "format_version": "1.2",
        "variables": {"root": {"value": "s3c-a"}, "plain": {"value": "plain"}},
        "planned_values": {"root_module": {}},
        "resource_changes": [
            {"address": "module.m[\"k\"].module.n.t.x[0]", "mode": "managed", "type": "t", "name": "x",
             "change": {"actions": ["create"], "before": null,
                "after": {"p": "s3c-b", "q": "plain", "tags": {"a": "s3c-c", "b": "plain"},
                    "block": [{"r": "s3c-d", "s": "plain"}]},
                "after_unknown": {}, "before_sensitive": false,
                "after_sensitive": {"p": true, "tags": {"a": true}, "block": [{"r": true}]}}}],
        "configuration": {"root_module": {
            "variables": {"root": {}, "plain": {}},
            "resources": [
                {"address": "t.none", "mode": "managed", "type": "t", "name": "none", "expressions": {
                    "p": {"constant_value": "s3c-e"}, "q": {"constant_value": "plain"}}},
                {"address": "u.w", "mode": "managed", "type": "u", "name": "w", "expressions": {
                    "secret_wo": {"constant_value": "s3c-f"},
                    "deep": [{"token_wo": {"constant_value": "s3c-g"}, "v": {"constant_value": "plain"}}]}}],
            "module_calls": {"m": {
                "expressions": {"pass": {"references": ["var.root"]}, "lit": {"constant_value": "s3c-h"},
                    "eph": {"constant_value": "s3c-i"}, "free": {"constant_value": "plain"}},
                "module": {
                    "variables": {"pass": {}, "lit": {}, "eph": {"ephemeral": true}, "free": {}},
                    "module_calls": {"n": {
                        "expressions": {"pass": {"references": ["var.pass"]}, "lit": {"references": ["var.lit"]}},
                        "module": {
                            "variables": {"pass": {}, "lit": {}},
                            "outputs": {"o": {"sensitive": true, "expression": {"constant_value": "s3c-j"}}},
                            "resources": [{"address": "t.x", "mode": "managed", "type": "t", "name": "x",
                                "expressions": {
                                    "p": {"references": ["var.pass"]},
                                    "q": {"constant_value": "plain"},
                                    "tags": {"constant_value": {"a": "s3c-k", "b": "plain"}},
                                    "block": [{"r": {"references": ["var.lit"]}, "s": {"constant_value": "plain"}},
                                        {"r": {"constant_value": "s3c-l"}, "s": {"constant_value": "plain"}}]}}]
                        }}}}}}}}
    })
    .to_string();
    let out = redacted(&plan);
    assert!(!out.contains("s3c"), "{out}");
    assert_eq!(out.matches("plain\"").count(), plan.matches("plain\"").count(), "{out}");
}

/// A set of blocks is marked as a whole, so the configuration below the mark has no marks of its
/// own.
#[test]
fn variables_are_followed_from_inside_marked_blocks() {
    let plan = json!({
        "format_version": "1.2",
        "variables": {
            "set": {"value": "s3c-a"}, "list": {"value": "s3c-b"}, "deep": {"value": "s3c-c"},
            "output": {"value": "s3c-d"}, "wo": {"value": "s3c-e"}, "part": {"value": "plain"},
            "plain": {"value": "plain"}},
        "planned_values": {"root_module": {}},
        "resource_changes": [
            {"address": "t.x", "mode": "managed", "type": "t", "name": "x",
             "change": {"actions": ["create"], "before": null,
                "after": {"set": [{"v": "s3c-f"}], "list": [{"v": "s3c-g"}], "q": "plain"},
                "after_unknown": {}, "before_sensitive": false,
                "after_sensitive": {"set": true, "list": [true]}}}],
        "configuration": {"root_module": {
            "variables": {"set": {}, "list": {}, "deep": {}, "output": {"sensitive": true}, "wo": {},
                "part": {}, "plain": {}},
            "resources": [{"address": "t.x", "mode": "managed", "type": "t", "name": "x",
                "expressions": {
                    "set": [
                        {"v": {"references": ["var.set"]}, "inner": [{"w": {"references": ["var.deep"]}}],
                         "part": {"references": ["var.part", "var.plain"]}}],
                    "list": [{"v": {"references": ["var.list"]}}],
                    "block": [{"key_wo": {"references": ["var.wo"]}}],
                    "q": {"references": ["var.plain"]}}}]}}
    })
    .to_string();
    let out = redacted(&plan);
    assert!(!out.contains("s3c"), "{out}");
    assert_eq!(out.matches("plain\"").count(), plan.matches("plain\"").count(), "{out}");
}

#[test]
fn marks_that_do_not_fit_hide_the_whole_value() {
    for (value, tree) in [
        ("[\"s3cret\"]", "[false,true]"),
        ("[\"s3cret\",\"s3cret\"]", "[true]"),
        ("{\"a\":\"s3cret\"}", "[true]"),
        ("\"s3cret\"", "{\"a\":true}"),
        ("\"s3cret\"", "\"true\""),
        ("\"s3cret\"", "1"),
    ] {
        let text = format!(
            r#"{{"format_version":"1.2","planned_values":{{}},"resource_changes":[{{"address":"t.x","change":{{
            "actions":["create"],"before":null,"after":{{"x":{value},"y":1}},"after_sensitive":{{"x":{tree}}}}}}}]}}"#
        );
        let out = redacted(&text);
        assert!(!out.contains("s3cret") && out.contains("\"y\":1"), "{value} {tree}: {out}");
        assert_eq!(out.matches("REDACTED_SENSITIVE").count(), 1, "{value} {tree}: {out}");
    }
}

#[test]
fn state_files_keep_their_attributes() {
    let state = |attributes: &str, paths: &str| {
        format!(
            r#"{{"version":4,"serial":1,"lineage":"x","resources":[{{"mode":"managed","type":"t","name":"x",
            "provider":"provider[\"a/b/c\"]","instances":[{{"attributes":{attributes},"sensitive_attributes":{paths}}}]}}]}}"#
        )
    };
    let step = |name: &str| format!(r#"{{"type":"get_attr","value":"{name}"}}"#);
    for (attributes, paths, expected) in [
        (r#"{"a":"s3cret"}"#, format!("[[{}]]", step("a")), r#"{"a":"REDACTED_SENSITIVE"}"#),
        (r#"{"a":"s3cret"}"#, format!("[{}]", step("a")), r#"{"a":"REDACTED_SENSITIVE"}"#),
        (r#"{"a":1}"#, format!("[[{}]]", step("absent")), r#"{"a":1}"#),
        (r#"{"a":{"b":1}}"#, format!("[[{},{}]]", step("a"), step("absent")), r#"{"a":{"b":1}}"#),
        (r#"{"a":null}"#, format!("[[{},{}]]", step("a"), step("b")), r#"{"a":null}"#),
        (r#"{"a":1,"b":null}"#, "[[]]".to_owned(), r#"{"a":"REDACTED_SENSITIVE","b":null}"#),
        (r#"{"a":1}"#, "[[7]]".to_owned(), r#"{"a":"REDACTED_SENSITIVE"}"#),
        (
            r#"{"a":[{"b":1}]}"#,
            format!(r#"[[{},{{"type":"index","value":{{"b":1}}}}]]"#, step("a")),
            r#"{"a":"REDACTED_SENSITIVE"}"#,
        ),
        (
            r#"{"a":[1,2]}"#,
            format!(
                r#"[[{},{{"type":"index","value":{{"value":1,"type":"number"}}}}]]"#,
                step("a")
            ),
            r#"{"a":[1,"REDACTED_SENSITIVE"]}"#,
        ),
        // A value of a dynamic type is wrapped with its type; paths do not include the wrapper.
        (
            r#"{"a":{"value":{"b":"s3cret","c":1},"type":["object",{"b":"string","c":"number"}]}}"#,
            format!("[[{},{}]]", step("a"), step("b")),
            r#"{"a":{"value":{"b":"REDACTED_SENSITIVE","c":1},"type":["object",{"b":"string","c":"number"}]}}"#,
        ),
        (
            r#"{"a":{"type":["tuple",["string"]],"value":["s3cret"]}}"#,
            format!(
                r#"[[{},{{"type":"index","value":{{"value":0,"type":"number"}}}}]]"#,
                step("a")
            ),
            r#"{"a":{"type":["tuple",["string"]],"value":["REDACTED_SENSITIVE"]}}"#,
        ),
        (
            r#"{"a":{"value":{"b":1},"type":["object",{"b":"number"}]}}"#,
            format!("[[{},{}]]", step("a"), step("absent")),
            r#"{"a":{"value":{"b":1},"type":["object",{"b":"number"}]}}"#,
        ),
        (
            r#"{"a":{"value":["s3cret"],"type":["set","string"]}}"#,
            format!("[[{},{}]]", step("a"), step("b")),
            r#"{"a":"REDACTED_SENSITIVE"}"#,
        ),
        // It may be an object with these attributes.
        (
            r#"{"a":{"value":"s3cret","type":"string"}}"#,
            format!("[[{},{}]]", step("a"), step("value")),
            r#"{"a":{"value":"REDACTED_SENSITIVE","type":"string"}}"#,
        ),
        (
            r#"{"a":{"value":{"value":"s3cret"},"type":"x"}}"#,
            format!("[[{},{}]]", step("a"), step("value")),
            r#"{"a":"REDACTED_SENSITIVE"}"#,
        ),
    ] {
        let out = redacted(&state(attributes, &paths));
        assert_eq!(out, state(expected, &paths), "{attributes} {paths}");
        let arena = Arena::new();
        let document = Document::parse_bytes(&arena, "out", out.as_bytes()).unwrap();
        let mut found: Vec<Diagnostic<'_>> = Vec::new();
        RawState::of(document, &mut found).unwrap().check(&mut found);
        assert!(found.iter().all(|one| one.detail().contains("sensitive_attributes")), "{found:?}");
    }
}

#[test]
fn states_hide_what_they_repeat() {
    let text = r#"{"format_version":"1.0","values":{"outputs":{"o":{"sensitive":true,"value":"hunter2-password"},
        "p":{"sensitive":false,"value":"url of hunter2-password"}},"root_module":{"resources":[{"address":"t.password",
        "type":"t","name":"password","values":{"a":"hunter2-password","b":"kept"},"sensitive_values":{}}]}}}"#;
    let out = redacted(text);
    assert!(!out.contains("hunter2"), "{out}");
    assert!(out.contains("url of REDACTED_SENSITIVE") && out.contains("\"b\":\"kept\""), "{out}");
}

/// A secret that is a plain word stays in names, and is hidden elsewhere.
#[test]
fn plain_words_stay_in_names() {
    let text = r#"{"format_version":"1.2","planned_values":{"root_module":{"resources":[{"address":"random_password.password",
        "type":"random_password","name":"password","values":{"password":"password","keys":["my password"]},
        "sensitive_values":{"password":true}}]}},"configuration":{"root_module":{"outputs":{"password":
        {"expression":{"references":["random_password.password"]},"description":"The password."}}}}}"#;
    let expected = text
        .replace(r#""password":"password""#, r#""password":"REDACTED_SENSITIVE""#)
        .replace(r#""my password""#, r#""my REDACTED_SENSITIVE""#)
        .replace("The password.", "The REDACTED_SENSITIVE.");
    assert_eq!(redacted(text), expected);
}

#[test]
fn names_stay_apart() {
    let text = r#"{"format_version":"1.0","values":{"outputs":{"o":{"sensitive":true,"value":["secret-1-x","secret-2-x"]}},
        "root_module":{"resources":[{"address":"t.x","type":"t","name":"x","values":{"m":{"secret-1-x":1,"secret-2-x":2,"a":3}}}]}}}"#;
    let out = redacted(text);
    assert!(out.contains(r#"{"REDACTED_SENSITIVE":1,"REDACTED_SENSITIVE_2":2,"a":3}"#), "{out}");
}

#[test]
fn formats_without_marks_are_known() {
    for (text, expected) in [
        (r#"{"format_version":"0.1","planned_values":{}}"#, false),
        (r#"{"format_version":"0.2","planned_values":{}}"#, true),
        (r#"{"format_version":"1.2","planned_values":{}}"#, true),
        (r#"{"format_version":"0.1","values":{}}"#, false),
        (r#"{"version":3,"serial":1,"lineage":"x","modules":[]}"#, false),
        (r#"{"version":4,"serial":1,"lineage":"x"}"#, true),
        (r#"{"planned_values":{}}"#, true),
    ] {
        let arena = Arena::new();
        let document = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap();
        assert_eq!(has_marks(document.root()), expected, "{text}");
    }
}

/// Many overlapping secrets take linear time, and all are found.
#[test]
fn overlapping_secrets_are_all_hidden() {
    let secrets: Vec<String> = (8..400).map(|len| "ab".repeat(len)).collect();
    let plan = json!({"format_version": "1.2", "planned_values": {"outputs": {
        "o": {"sensitive": true, "value": secrets},
        "p": {"sensitive": false, "value": format!("x{}y", "ab".repeat(20_000))},
        "q": {"sensitive": false, "value": "left-abababababababab-right"}}, "root_module": {}}});
    let out: Json = serde_json::from_str(&redacted(&plan.to_string())).unwrap();
    assert_eq!(out["planned_values"]["outputs"]["p"]["value"], "xREDACTED_SENSITIVEy");
    assert_eq!(out["planned_values"]["outputs"]["q"]["value"], "left-REDACTED_SENSITIVE-right");
}

/// Returns the redacted document, or the codes of the errors.
fn strictly(text: &str) -> Result<String, Vec<Code>> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "test.json", text.as_bytes()).unwrap();
    let options = ParseOptions::default().with_skeleton_depth(Places::DEPTH);
    let document = Document::parse_with(&arena, source, &options).unwrap();
    let answer = |threads| {
        let mut found: Vec<Diagnostic<'_>> = Vec::new();
        let places = Places::of(document, Options::default().with_threads(threads), &mut found);
        let Some(places) = places else {
            return Err(found.iter().map(Diagnostic::code).collect::<Vec<_>>());
        };
        let mut out = Vec::new();
        write(source, &places, &mut out).unwrap();
        Ok(String::from_utf8(out).unwrap())
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let (one, two) = (answer(1), pool.install(|| answer(0)));
    assert_eq!(one, two);
    let is_old = DocumentKind::of(document.root()) == DocumentKind::OldState;
    match (&one, streamed(text, Options::default())) {
        (Ok(one), Ok(streamed)) => assert_eq!(*one, streamed, "{text}"),
        (Ok(_), Err(refusal)) => assert!(is_old, "{refusal}: {text}"),
        (Err(codes), Ok(_)) => panic!("{codes:?}: {text}"),
        (Err(_), Err(_)) => {}
    }
    one
}

/// Returns a plan with the given change.
fn plan_of(change: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","planned_values":{{}},"resource_changes":[{{"address":"t.x","mode":"managed","type":"t","name":"x",{change}}}]}}"#
    )
}

#[test]
fn what_is_not_understood_is_refused() {
    let marked = r#""after":{"p":"s3cret"},"after_sensitive":{"p":true}"#;
    for (text, code) in [
        (plan_of(&format!(r#""change":{{{marked},"after_sensitive":{{}}}}"#)), Code::DuplicateAttribute),
        (plan_of(&format!(r#""change":{{{marked},"after":{{"p":"s3cret"}}}}"#)), Code::DuplicateAttribute),
        (plan_of(&format!(r#""change":{{{marked}}},"change":{{}}"#)), Code::DuplicateAttribute),
        (plan_of(&format!(r#""change":{{{marked}}},"address":1"#)), Code::DuplicateAttribute),
        (plan_of(&format!(r#""change":[{{{marked}}}]"#)), Code::UnexpectedType),
        (plan_of(r#""change":{"after":{"p":"s3cret"},"after_sensitive":{"p":"yes"}}"#), Code::UnexpectedType),
        (plan_of(r#""change":{"after":{"p":"s3cret"},"after_sensitive":"p"}"#), Code::UnexpectedType),
        (
            r#"{"format_version":"1.2","planned_values":{"outputs":{"o":{"sensitive":"yes","value":"s3cret"}}}}"#.into(),
            Code::UnexpectedType,
        ),
        (
            r#"{"format_version":"1.2","planned_values":{"outputs":{"o":{"sensitive":true,"value":"x","value":"s3cret"}}}}"#.into(),
            Code::DuplicateAttribute,
        ),
        (
            r#"{"format_version":"1.2","planned_values":{},"variables":{"v":{"value":"x"},"v":{"value":"s3cret"}}}"#.into(),
            Code::DuplicateAttribute,
        ),
        (
            r#"{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"t.x","values":{"p":"s3cret"},"sensitive_values":{"p":1}}]}}}"#.into(),
            Code::UnexpectedType,
        ),
        (r#"{"provider_schemas":{}}"#.into(), Code::UnexpectedDocument),
    ] {
        let codes = strictly(&text).expect_err(&text);
        assert!(codes.contains(&code), "{text}: {codes:?}");
    }
}

#[test]
fn all_members_of_a_name_that_is_marked_are_hidden() {
    for (value, tree) in [
        (r#"{"p":"s3c-a","p":"s3c-b","q":1}"#, r#"{"p":true}"#),
        (r#"{"q":1,"p":"s3c-a"}"#, r#"{"p":false,"p":true}"#),
        (r#"{"p":["s3c-a"],"q":1}"#, r#"{"p":true,"p":[false]}"#),
        (r#"{"z":"s3c-a","q":1,"a":"s3c-b"}"#, r#"{"a":true,"z":true}"#),
        (r#"{"z":"s3c-a","q":1,"a":{"b":"s3c-b"}}"#, r#"{"z":true,"a":{"b":true,"q":true}}"#),
        (r#"{"p\u0071":"s3c-a","q":1}"#, r#"{"pq":true}"#),
    ] {
        let text = plan_of(&format!(r#""change":{{"after":{value},"after_sensitive":{tree}}}"#));
        let out = strictly(&text).unwrap();
        assert!(!out.contains("s3c") && out.contains("\"q\":1"), "{out}");
    }
    let state = r#"{"version":4,"serial":1,"lineage":"x","resources":[{"mode":"managed","type":"t","name":"x",
        "provider":"p","instances":[{"attributes":{"a":"s3c-a","a":"s3c-b"},
        "sensitive_attributes":[[{"type":"get_attr","value":"a"}]]}]}]}"#;
    assert!(!strictly(state).unwrap().contains("s3c"));
}

/// Marks are found by name; names may have escapes.
#[test]
fn names_of_marks_may_have_escapes() {
    for name in ["after_sensitive", "after\\u005fsensitive", "after_sensi\\u0074ive"] {
        let text =
            plan_of(&format!(r#""change":{{"after":{{"p":"s3c"}},"{name}" : {{"p":true}}}}"#));
        assert!(!strictly(&text).unwrap().contains("s3c"), "{name}");
    }
}

/// Some versions mark a value only in the change of its resource.
#[test]
fn values_are_marked_by_changes() {
    let resource = |address: &str, secret: &str| {
        json!({"address": address, "mode": "managed", "type": "t", "name": "x", "values": {"p": secret, "q": "plain"},
            "sensitive_values": {}})
    };
    let change = |address: &str, previous: Option<&str>| {
        json!({"address": address, "previous_address": previous, "mode": "managed", "type": "t", "name": "x",
            "change": {"actions": ["no-op"], "before": {"p": "s3c-a"}, "after": {"p": "s3c-b"},
                "before_sensitive": {"p": true}, "after_sensitive": {"p": true}}})
    };
    let text = json!({
        "format_version": "1.2",
        "planned_values": {"root_module": {"resources": [resource("t.x", "s3c-c"), resource("t.new", "s3c-d"),
            resource("t.other", "plain")]}},
        "prior_state": {"format_version": "1.0", "values": {"root_module": {"child_modules": [
            {"resources": [resource("t.x", "s3c-e"), resource("t.old", "s3c-f"), resource("t.other", "plain")]}]}}},
        "resource_changes": [change("t.x", None), change("t.new", Some("t.old"))]})
    .to_string();
    let out = strictly(&text).unwrap();
    assert!(!out.contains("s3c"), "{out}");
    assert_eq!(out.matches("plain").count(), text.matches("plain").count());
}

/// Whatever comes first, values or the changes that mark them.
#[test]
fn members_may_have_any_order() {
    let plan = simd_hcl_corpus::PlanOptions { changes: 60, ..Default::default() };
    let plan: Json = serde_json::from_slice(&simd_hcl_corpus::plan_bytes(&plan)).unwrap();
    let mut members: Vec<String> = plan
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| format!("{}:{value}", json!(name)))
        .collect();
    let secrets: Vec<&str> = plan["resource_changes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|entry| entry["change"]["before"]["password"].as_str())
        .collect();
    assert!(secrets.len() > 5);
    for _ in 0..2 {
        for _ in 0..members.len() {
            members.rotate_left(1);
            let out = redacted(&format!("{{{}}}", members.join(",")));
            assert!(secrets.iter().all(|secret| !out.contains(secret)), "{out}");
        }
        members.reverse();
    }
}

/// A secret that is written like another one is spelled.
#[test]
fn secrets_with_escapes_are_not_mistaken_for_others() {
    let [one, other] = [r"first\\name-x", r"first\name-x"];
    for secrets in [[one, other], [other, one]] {
        let text = json!({"format_version": "1.2", "planned_values": {"root_module": {}, "outputs": {
            "a": {"sensitive": true, "value": secrets[0]}, "b": {"sensitive": true, "value": secrets[1]},
            "c": {"sensitive": false, "value": format!("it is {one} or {other}, and no more")}}}});
        let out = redacted(&text.to_string());
        assert!(!out.contains("first"), "{out}");
        assert!(
            out.contains("it is REDACTED_SENSITIVE or REDACTED_SENSITIVE, and no more"),
            "{out}"
        );
    }
}

/// Instances that differ in their marks: some have more sets of marks than are shared.
#[test]
fn instances_with_different_marks_stay_apart() {
    let names: Vec<String> = (0..12).map(|n| format!("a{n}")).collect();
    let values = |what: &str, key: usize| -> Json {
        names.iter().map(|name| (name.clone(), json!(format!("{what}-{key}-{name}")))).collect()
    };
    let (mut changes, mut resources, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
    for block in 0..4 {
        for key in 0..6 {
            let address = format!("t.b{block}[{key}]");
            let mark = |n: usize| json!({ (names[n % 12].as_str()): true });
            changes.push(json!({"address": address, "mode": "managed", "type": "t", "name": format!("b{block}"),
                "index": key, "change": {"actions": ["update"], "before": values("old", key),
                "after": values("new", key), "before_sensitive": mark(block * key), "after_sensitive": mark(block + key)}}));
            resources.push(json!({"address": address, "mode": "managed", "type": "t", "name": format!("b{block}"),
                "index": key, "values": values("new", key), "sensitive_values": {}}));
        }
        let expressions: Json = names
            .iter()
            .map(|name| (name.clone(), json!({"constant_value": format!("{block}{name}")})))
            .collect();
        blocks.push(json!({"address": format!("t.b{block}"), "mode": "managed", "type": "t",
            "name": format!("b{block}"), "expressions": expressions}));
    }
    let out = redacted(
        &json!({"format_version": "1.2", "resource_changes": changes,
        "planned_values": {"root_module": {"resources": resources}},
        "configuration": {"root_module": {"resources": blocks}}})
        .to_string(),
    );
    let out: Json = serde_json::from_str(&out).unwrap();
    for (at, resource) in
        out["planned_values"]["root_module"]["resources"].as_array().unwrap().iter().enumerate()
    {
        let hidden = (at / 6 + at % 6) % 12;
        let text = resource["values"][&names[hidden]].as_str().unwrap();
        assert_eq!(text, "REDACTED_SENSITIVE", "{resource}");
    }
    for (block, resource) in
        out["configuration"]["root_module"]["resources"].as_array().unwrap().iter().enumerate()
    {
        for (at, name) in names.iter().enumerate() {
            let is_hidden = (0..6).any(|key| block * key % 12 == at || (block + key) % 12 == at);
            let text = resource["expressions"][name]["constant_value"].as_str().unwrap();
            assert_eq!(text == "REDACTED_SENSITIVE", is_hidden, "{resource}");
        }
    }
}

/// A block whose only instance is deferred has an instance, whatever else the plan has.
#[test]
fn deferred_instances_count() {
    let block = |name: &str| {
        json!({"address": format!("t.{name}"), "mode": "managed", "type": "t", "name": name,
            "expressions": {"p": {"constant_value": format!("written-in-{name}")}}})
    };
    let deferred = |name: &str, is_marked: bool| {
        json!({"reason": "unknown", "resource_change": {"address": format!("t.{name}"), "mode": "managed",
            "type": "t", "name": name, "change": {"actions": ["create"], "after": {"p": "new"},
                "after_sensitive": {"p": is_marked}}}})
    };
    let marked = json!({"address": "t.marked", "mode": "managed", "type": "t", "name": "marked",
        "values": {"p": "value-of-it"}, "sensitive_values": {"p": true}});
    for has_value in [true, false] {
        let resources = if has_value { vec![marked.clone()] } else { Vec::new() };
        let out = redacted(&json!({"format_version": "1.2",
            "planned_values": {"root_module": {"resources": resources}},
            "deferred_changes": [deferred("marked", !has_value), deferred("other", false)],
            "configuration": {"root_module": {"resources": [block("marked"), block("other"), block("absent")]}}})
        .to_string());
        for (name, is_hidden) in [("marked", true), ("other", false), ("absent", true)] {
            assert_eq!(!out.contains(&format!("written-in-{name}")), is_hidden, "{name}: {out}");
        }
    }
}

/// Numbers that look random, from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len() as u64) as usize]
    }

    /// A text that may be a secret, or have one inside.
    fn text(&mut self) -> String {
        let words =
            ["hunter2-hunter2", "pa55word-1234", "short", "plain_word", "it \"is\" <quoted>", "x"];
        match self.below(6) {
            0 => format!("before {} after", self.pick(&words)),
            1 => json!({"inner": self.pick(&words)}).to_string(),
            _ => (*self.pick(&words)).to_owned(),
        }
    }

    fn value(&mut self) -> Json {
        let mut value =
            json!({"p": self.text(), "q": [self.text(), {"r": self.text()}], "n": self.below(9)});
        if self.below(3) == 0 {
            value[self.text()] = json!(self.text());
        }
        if self.below(6) == 0 { Json::Null } else { value }
    }

    fn tree(&mut self) -> Json {
        match self.below(9) {
            0 => json!({"p": true}),
            1 => json!({"q": [false, {"r": true}]}),
            2 => json!({"q": [true]}),
            3 => json!(true),
            4 => json!({"p": false, "q": []}),
            5 => json!({"n": true}),
            _ => json!({}),
        }
    }

    fn address(&mut self) -> (String, &'static str, &'static str) {
        let module =
            *self.pick(&["", "", "module.m.", "module.m[\"k\"].module.values.", "module.x."]);
        let (kind, name) =
            (*self.pick(&["a_a", "a_b", "a_c"]), *self.pick(&["one", "two", "three"]));
        let key = *self.pick(&["", "[0]", "[\"hunter2-hunter2\"]"]);
        (format!("{module}{kind}.{name}{key}"), kind, name)
    }

    fn change(&mut self) -> Json {
        let (address, kind, name) = self.address();
        let mut change = json!({"address": address, "mode": "managed", "type": kind, "name": name, "change": {
            "actions": ["update"], "before": self.value(), "after": self.value(), "after_unknown": {},
            "before_sensitive": self.tree(), "after_sensitive": self.tree()}});
        if self.below(4) == 0 {
            change["previous_address"] = json!(self.address().0);
        }
        change
    }

    fn many(&mut self, limit: u64, mut one: impl FnMut(&mut Self) -> Json) -> Json {
        let count = self.below(limit);
        (0..count).map(|_| one(self)).collect()
    }

    fn module(&mut self, depth: u64) -> Json {
        let mut module = json!({"resources": self.many(4, |dice| {
            let (address, kind, name) = dice.address();
            json!({"address": address, "mode": "managed", "type": kind, "name": name, "values": dice.value(),
                "sensitive_values": dice.tree()})
        })});
        if depth > 0 {
            module["child_modules"] = self.many(3, |dice| dice.module(depth - 1));
            module["address"] = json!("module.m");
        }
        module
    }

    fn values(&mut self) -> Json {
        json!({"outputs": {"o": {"sensitive": self.below(3) == 0, "value": self.text()}},
            "root_module": self.module(2)})
    }

    fn expression(&mut self) -> Json {
        match self.below(3) {
            0 => json!({"references": [self.pick(&["var.v", "var.w", "local.x"])]}),
            _ => json!({"constant_value": self.text()}),
        }
    }

    fn configuration(&mut self, depth: u64) -> Json {
        let mut module = json!({
            "outputs": {"o": {"sensitive": self.below(4) == 0, "expression": self.expression()}},
            "resources": self.many(4, |dice| {
                let (_, kind, name) = dice.address();
                json!({"address": format!("{kind}.{name}"), "mode": "managed", "type": kind, "name": name,
                    "expressions": {"p": dice.expression(), "q": [dice.expression()], "s_wo": dice.expression()}})
            }),
            "variables": {"v": {"default": self.text()}, "w": {"sensitive": self.below(4) == 0}}});
        if depth > 0 {
            module["module_calls"] = json!({"m": {"expressions": {"v": self.expression(), "w": self.expression()},
                "module": self.configuration(depth - 1)}, "values": {"module": self.configuration(depth - 1)}});
        }
        module
    }

    fn document(&mut self) -> String {
        let mut members = vec![
            ("resource_changes", self.many(5, Self::change)),
            ("planned_values", self.values()),
            ("prior_state", json!({"format_version": "1.0", "values": self.values()})),
            (
                "configuration",
                json!({"root_module": self.configuration(2),
                "provider_config": {"a": {"expressions": {"token": self.expression()}}}}),
            ),
            ("resource_drift", self.many(3, Self::change)),
            ("variables", json!({"v": {"value": self.text()}, "w": {"value": self.text()}})),
            (
                "output_changes",
                json!({"o": {"actions": ["update"], "before": self.text(), "after": self.text(),
                "before_sensitive": self.below(3) == 0, "after_sensitive": false}}),
            ),
            (
                "deferred_changes",
                self.many(2, |dice| json!({"reason": "unknown", "resource_change": dice.change()})),
            ),
            (
                "relevant_attributes",
                json!([{"resource": "a_a.one", "attribute": ["p", self.text()]}]),
            ),
            ("note", json!([self.text(), self.text()])),
        ];
        let mut text = "{\"format_version\":\"1.2\"".to_owned();
        while !members.is_empty() {
            let next = self.below(members.len() as u64) as usize;
            // Usually in the order of the tools, in which the configuration is last.
            let (name, value) = members.remove(if self.0.is_multiple_of(2) { next } else { 0 });
            let value = if self.below(9) == 0 {
                serde_json::to_string_pretty(&value).unwrap()
            } else {
                value.to_string()
            };
            text.push_str(&format!(",\n\"{name}\": {value}"));
        }
        text + "}\n"
    }
}

#[test]
fn random_documents_are_redacted_alike_as_streams() {
    let count = sized([50, 2000, 50_000]);
    let mut hidden = 0;
    for seed in 0..count {
        let text = Dice(seed).document();
        // Compares with the stream.
        let out = strictly(&text).unwrap();
        hidden += usize::from(out != text);
    }
    assert!(hidden > count as usize / 2, "{hidden}");
}
