//! Plans and states with a secret that they mark at one place at least, and copies of it anywhere else:
//! as values, in texts, in JSON inside of texts, as names, in keys of instances.

use std::io::{Cursor, Write};

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};
use simd_hcl::json::Node;
use simd_hcl::plan_file::{PlanFile, ShowOptions};
use simd_hcl::policy::{CheckOptions, Rules};
use simd_hcl::show::redact::{self, Large, Places};
use simd_hcl::show::{Change, Leaves, Plan, RawState, Shown, State, document};
use simd_hcl::{Arena, Document, ParseOptions, Source};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A word stays in names, since it may be the name of anything. So this is none.
const TEXT: &str = "Tr0ub4dor \"&3\" <x>";

/// Its first word, which no form escapes.
const SECRET: &str = super::SECRET;

/// A text with the secret, in a form that tools print.
fn copy(u: &mut Unstructured<'_>) -> Result<String> {
    let json = |text: &str| serde_json::to_string(text).unwrap_or_default();
    Ok(match u.int_in_range(0..=5)? {
        0 => TEXT.to_owned(),
        1 => format!("before {TEXT} after"),
        2 => format!("{{\"a\": [{}]}}", json(TEXT)),
        3 => format!("{{\"a\": {}}}", json(&format!("[{}]", json(TEXT)))),
        // As Go writes JSON.
        4 => {
            let text = json(TEXT).replace('<', "\\u003c").replace('>', "\\u003e");
            format!("[{}]", text.replace('&', "\\u0026"))
        }
        _ => format!("x_y.z[{}].a", json(TEXT)),
    })
}

/// A value, and its marks.
fn value(u: &mut Unstructured<'_>, depth: u8) -> Result<(Value, Value)> {
    let kind = u.int_in_range(0..=if depth == 0 { 4 } else { 6 })?;
    Ok(match kind {
        0 => (json!(TEXT), json!(true)),
        1 => (json!({"k": [TEXT, 1, null]}), json!(true)),
        2 => (json!(copy(u)?), json!(false)),
        3 => (json!(u.choose(&["plain", "", "a.b"])?), json!(false)),
        4 => (json!(null), json!(false)),
        5 => {
            let (one, mark) = value(u, depth - 1)?;
            let (other, second) = value(u, depth - 1)?;
            (json!([one, other]), json!([mark, second]))
        }
        _ => {
            let (mut all, mut marks) = (Map::new(), Map::new());
            for _ in 0..u.int_in_range(0..=3)? {
                let name =
                    if u.ratio(1, 6)? { copy(u)? } else { u.choose(&["a", "b", "c"])?.to_string() };
                let (one, mark) = value(u, depth - 1)?;
                marks.insert(name.clone(), mark);
                all.insert(name, one);
            }
            (all.into(), marks.into())
        }
    })
}

/// The attributes of a resource, one of which is the secret.
fn attributes(u: &mut Unstructured<'_>) -> Result<(Value, Value)> {
    let (one, mark) = value(u, 3)?;
    Ok((json!({"key": TEXT, "other": one}), json!({"key": true, "other": mark})))
}

fn change(u: &mut Unstructured<'_>) -> Result<Value> {
    let (before, before_marks) = attributes(u)?;
    let (after, after_marks) = attributes(u)?;
    const ACTIONS: [&[&str]; 4] = [&["update"], &["delete", "create"], &["create"], &["no-op"]];
    let actions = u.choose(&ACTIONS)?;
    Ok(json!({"actions": actions, "before": before, "after": after, "after_unknown": {},
        "before_sensitive": before_marks, "after_sensitive": after_marks}))
}

fn address(u: &mut Unstructured<'_>) -> Result<String> {
    let key = if u.ratio(1, 3)? { TEXT } else { "plain" };
    Ok(format!("x_y.z[{}]", serde_json::to_string(key).unwrap_or_default()))
}

fn resource_change(u: &mut Unstructured<'_>) -> Result<Value> {
    let (address, change) = (address(u)?, change(u)?);
    Ok(json!({"address": address, "mode": "managed", "type": "x_y", "name": "z",
        "provider_name": "registry.terraform.io/hashicorp/x", "change": change}))
}

fn values(u: &mut Unstructured<'_>) -> Result<Value> {
    let (values, marks) = attributes(u)?;
    let (output, is_secret) = value(u, 2)?;
    let is_secret = is_secret != json!(false);
    Ok(json!({"outputs": {"o": {"sensitive": is_secret, "value": output}},
        "root_module": {"resources": [{"address": address(u)?, "mode": "managed", "type": "x_y",
            "name": "z", "provider_name": "registry.terraform.io/hashicorp/x", "schema_version": 0,
            "values": values, "sensitive_values": marks}]}}))
}

fn plan(u: &mut Unstructured<'_>) -> Result<Value> {
    let (before, mark) = value(u, 2)?;
    let constant = if u.ratio(1, 2)? { json!(copy(u)?) } else { json!(1) };
    Ok(json!({"format_version": "1.2", "terraform_version": "1.9.0",
        "variables": {"v": {"value": copy(u)?}},
        "planned_values": values(u)?,
        "resource_changes": [resource_change(u)?, resource_change(u)?],
        "resource_drift": [resource_change(u)?],
        "output_changes": {"o": {"actions": ["update"], "before": before, "after": TEXT,
            "after_unknown": false, "before_sensitive": mark, "after_sensitive": true}},
        "prior_state": {"format_version": "1.0", "terraform_version": "1.9.0", "values": values(u)?},
        "checks": [{"address": {"kind": "check", "name": "c", "to_display": "check.c"},
            "status": "fail", "instances": [{"address": {"to_display": "check.c"}, "status": "fail",
                "problems": [{"message": copy(u)?}]}]}],
        "configuration": {"provider_config": {"x": {"name": "x",
                "full_name": "registry.terraform.io/hashicorp/x",
                "expressions": {"token": {"constant_value": copy(u)?}}}},
            "root_module": {"variables": {"v": {"default": constant, "sensitive": true}},
                "resources": [{"address": "x_y.z", "mode": "managed", "type": "x_y", "name": "z",
                    "provider_config_key": "x", "schema_version": 0,
                    "expressions": {"key": {"constant_value": TEXT}}}]}}}))
}

fn state_file(u: &mut Unstructured<'_>) -> Result<Value> {
    let (attributes, _) = attributes(u)?;
    let (output, mark) = value(u, 2)?;
    let index = if u.ratio(1, 2)? { copy(u)? } else { "k".to_owned() };
    // Only `key` is marked, so `other` has nothing but copies.
    Ok(json!({"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l",
        "outputs": {"o": {"value": output, "type": "string", "sensitive": mark != json!(false)}},
        "resources": [{"mode": "managed", "type": "x_y", "name": "z",
            "provider": "provider[\"registry.terraform.io/hashicorp/x\"]",
            "instances": [{"index_key": index, "schema_version": 0, "attributes": attributes,
                "sensitive_attributes": [[{"type": "get_attr", "value": "key"}]]}]}]}))
}

fn assert_hidden(what: &str, shown: &str, document: &str) {
    assert!(!shown.contains(SECRET), "{what}: {shown}\nof\n{document}");
}

/// Every value, name and text of a document.
fn check_nodes(root: Node<'_>, shown: &Shown, document: &str) {
    let whole = shown.value(root);
    assert_hidden("the whole", &String::from_utf8_lossy(&whole), document);
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if let Some(object) = node.as_object() {
            for member in object.members() {
                assert_hidden("a name", &shown.member(member.name()), document);
                open.push(member.value());
            }
        } else if let Some(array) = node.as_array() {
            open.extend(array.elements());
        } else if let Some(text) = node.to_str() {
            assert_hidden("a value", &String::from_utf8_lossy(&shown.value(node)), document);
            assert_hidden("a text", &shown.text(root, text), document);
            assert_hidden("any text", &shown.anything(text), document);
            assert_hidden("an address", &shown.name(root, text), document);
        }
    }
}

fn check_leaves(mut leaves: Leaves<'_>, shown: &Shown, document: &str) {
    while let Some(leaf) = leaves.next() {
        assert_hidden("a path", &shown.path(leaves.path()), document);
        if !shown.hides_leaf(&leaf) {
            assert_hidden("a leaf", &format!("{:?}", leaf.content), document);
        }
    }
}

fn check_change(change: Change<'_>, shown: &Shown, document: &str) {
    let mut differences = change.differences();
    while let Some(one) = differences.next() {
        assert_hidden("a path", &shown.path(differences.path()), document);
        if !shown.hides(&one) {
            let text = format!("{:?} {:?}", one.before.content, one.after.content);
            assert_hidden("a difference", &text, document);
        }
    }
    check_leaves(change.before_leaves(), shown, document);
    check_leaves(change.after_leaves(), shown, document);
}

/// A rule that quotes all that it may.
const RULES: &[u8] = br#"{"rule": {"r": {"warn": "${true}",
    "message": "${change.address} ${jsonencode(change.after)} ${jsonencode(change.before)}"}}}"#;

fn check(text: &str) {
    let functions = simd_hcl::functions::standard();
    let arena = Arena::new();
    let source = Source::copy_from(&arena, "input.json", text.as_bytes()).expect("it is short");
    let parse = ParseOptions::default();
    let mut found = Vec::new();
    let parsed = document(&arena, source, &parse, &mut found).expect("it is JSON");
    let options = redact::Options::default();
    let root = parsed.root();
    let shown = if let Some(plan) = Plan::of(parsed, &mut found) {
        plan.check(&mut found);
        let shown = Shown::of_plan(plan, options);
        for one in plan.changes().chain(plan.drift()) {
            if let Some(change) = one.change().value() {
                check_change(change, &shown, text);
            }
        }
        for (_, change) in plan.outputs() {
            check_change(change, &shown, text);
        }
        let mut rules = Rules::new(Some(&functions));
        let file = Document::parse_bytes(&arena, "rules.hcl.json", RULES).expect("it is JSON");
        assert!(rules.parse(file, &mut ()), "the rules are right");
        let checked = rules.check(plan, &CheckOptions::default());
        let messages = checked.findings.iter().map(|it| it.diagnostic().clone());
        found.extend(messages);
        shown
    } else if let Some(state) = State::of(parsed, &mut found) {
        state.check(&mut found);
        let shown = Shown::of_state(state, options);
        state.resources().for_each(|one| check_leaves(one.leaves(), &shown, text));
        shown
    } else {
        let state = RawState::of(parsed, &mut found).expect("it is one of the three");
        state.check(&mut found);
        Shown::of_raw_state(state, options, None, &mut found)
    };
    check_nodes(root, &shown, text);
    for message in found {
        assert_hidden("a message", &shown.message(&arena, message).message(), text);
    }
    let mut written = Vec::new();
    if let Some(places) = Places::of(parsed, options, &mut ()) {
        redact::write(source, &places, &mut written).expect("memory");
    }
    assert_hidden("redact", &String::from_utf8_lossy(&written), text);
    let mut input = Cursor::new(text.as_bytes());
    let streamed = Arena::new();
    let settings = simd_hcl::stream::Options::default();
    if let Ok(mut large) = Large::read(&streamed, &mut input, options, settings, &mut ()) {
        let mut written = Vec::new();
        large.write(&mut written).expect("memory");
        assert_hidden("redact as a stream", &String::from_utf8_lossy(&written), text);
    }
}

fn message(number: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2];
    let mut len = content.len();
    while len > 127 {
        out.push(len as u8 | 128);
        len >>= 7;
    }
    out.push(len as u8);
    out.extend_from_slice(content);
    out
}

/// A string with its type, in MessagePack.
fn packed(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap_or_default();
    let mut out = vec![0x92, 0xc4, 8];
    out.extend_from_slice(b"\"string\"");
    out.extend_from_slice(&[0xd9, length]);
    out.extend_from_slice(&text.as_bytes()[..usize::from(length)]);
    out
}

/// A plan file: outputs, one of which is sensitive, the state before it, and a configuration.
fn plan_file(u: &mut Unstructured<'_>, configuration: &str) -> Result<Vec<u8>> {
    let output = |name: &str, text: &str, is_sensitive: bool| {
        let change = [vec![8, 1], message(2, &message(1, &packed(text)))].concat();
        let flag: &[u8] = if is_sensitive { &[24, 1] } else { &[] };
        message(4, &[&message(1, name.as_bytes())[..], &message(2, &change), flag].concat())
    };
    let copied = copy(u)?;
    let plan = [vec![8, 3], output("o", TEXT, true), output("p", &copied, false)].concat();
    let state = state_file(u)?.to_string();
    let manifest = r#"[{"Key":"","Dir":"."}]"#;
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("tfplan", &plan[..]),
        ("tfstate", state.as_bytes()),
        ("tfconfig/modules.json", manifest.as_bytes()),
        ("tfconfig/m-/main.tf", configuration.as_bytes()),
    ] {
        writer.start_file(name, stored).expect("memory");
        writer.write_all(content).expect("memory");
    }
    Ok(writer.finish().expect("memory").into_inner())
}

fn check_plan_file(bytes: &[u8]) {
    let arena = Arena::new();
    let source = Source::copy_from(&arena, "plan", bytes).expect("it is short");
    let file = PlanFile::open(&arena, source).expect("it is well");
    for message in [file.state().err(), file.module_files().err()].into_iter().flatten() {
        assert_hidden("an error", &message.to_string(), "a plan file");
    }
    if let Ok(printed) = file.show_json(&ShowOptions::default()) {
        for gap in &printed.incomplete {
            assert_hidden("a gap", &format!("{} {}", gap.place, gap.why), "a plan file");
        }
        let json = String::from_utf8_lossy(&printed.json);
        assert!(json.contains(SECRET), "the plan has the secret: {json}");
        check(&json);
    }
    if let Ok(Some(state)) = file.state() {
        check(&String::from_utf8_lossy(state.bytes()));
    }
}

/// One document of each kind.
pub(super) fn run(u: &mut Unstructured<'_>, configuration: &str) -> Result<()> {
    check(&plan(u)?.to_string());
    let state =
        json!({"format_version": "1.0", "terraform_version": "1.9.0", "values": values(u)?});
    check(&state.to_string());
    check(&state_file(u)?.to_string());
    check_plan_file(&plan_file(u, configuration)?);
    Ok(())
}
