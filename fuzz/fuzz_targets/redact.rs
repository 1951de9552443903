//! Redaction: whatever else a plan or state holds, a planted secret does not survive, and what is
//! left is a document of the same kind.
//!
//! The input is any JSON; it becomes a member of a plan that marks the secret, and strings in it
//! that hold `SECRET` repeat the secret in some form of escape. Redaction as a stream has the same
//! result.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::show::redact::{Large, Options, Places, write};
use simd_hcl::show::{DocumentKind, Plan, document};
use simd_hcl::{Arena, ParseOptions, Source};

/// As the value itself, and as it is written in JSON and in JSON inside a string.
const SECRET: &str = "hunter2 \"quoted\" <angle>";
const FORMS: [&str; 4] = [
    r#"hunter2 \"quoted\" <angle>"#,
    r#"hunter2 \"quoted\" \u003cangle\u003e"#,
    r#"hunter2 \\\"quoted\\\" \\u003cangle\\u003e"#,
    r#"hunter2 \\\\\\\"quoted\\\\\\\" <angle>"#,
];

fuzz_target!(|input: (u8, &str)| {
    let (form, text) = input;
    let secret = FORMS[usize::from(form) % FORMS.len()];
    let parsed: Result<serde_json::Value, _> = serde_json::from_str(text);
    let Ok(parsed) = parsed else { return };
    let repeated = parsed.to_string().replace("SECRET", secret);
    let plan = format!(
        r#"{{"format_version":"1.2","planned_values":{{"outputs":{{"o":{{"sensitive":true,"value":"{}"}},"p":{{"sensitive":false,"value":{repeated}}}}},"root_module":{{}}}},"configuration":{repeated}}}"#,
        FORMS[0]
    );
    let arena = Arena::new();
    let Ok(source) = Source::from_bytes(&arena, "plan", plan.as_bytes()) else { return };
    let mut diagnostics = Vec::new();
    let parse = ParseOptions::default();
    let Ok(parsed) = document(&arena, source, &parse, &mut diagnostics) else { return };
    let Some(view) = Plan::of(parsed, &mut diagnostics) else { return };
    let mut out = Vec::new();
    write(source, &Places::of_plan(view, Options::default()), &mut out).expect("memory");
    let mut input = std::io::Cursor::new(plan.as_bytes());
    let settings = simd_hcl::stream::Options::default();
    let streamed = Arena::new();
    match Large::read(&streamed, &mut input, Options::default(), settings, &mut ()) {
        Ok(mut large) => {
            let mut text = Vec::new();
            large.write(&mut text).expect("memory");
            assert!(text == out, "{}", String::from_utf8_lossy(&text));
        }
        // A document that may be misread is not redacted either way.
        Err(_) => assert!(Places::of(parsed, Options::default(), &mut ()).is_none()),
    }
    let left: serde_json::Value = serde_json::from_slice(&out).expect("JSON");
    assert!(!holds(&left, 0), "{}", String::from_utf8_lossy(&out));
    let again = Arena::new();
    let source = Source::from_bytes(&again, "redacted", &out).expect("shorter than 4 GiB");
    let document = document(&again, source, &parse, &mut ()).expect("JSON");
    assert_eq!(DocumentKind::of(document.root()), DocumentKind::of(parsed.root()));
});

/// Whether the secret is in a string or a name, or in JSON inside a string.
fn holds(value: &serde_json::Value, depth: u32) -> bool {
    use serde_json::Value;
    match value {
        Value::String(text) => {
            text.contains(SECRET)
                || depth < 3
                    && serde_json::from_str(text)
                        .or_else(|_| serde_json::from_str(&format!("\"{text}\"")))
                        .is_ok_and(|inner: Value| holds(&inner, depth + 1))
        }
        Value::Array(elements) => elements.iter().any(|element| holds(element, depth)),
        Value::Object(members) => {
            members.iter().any(|(name, value)| name.contains(SECRET) || holds(value, depth))
        }
        _ => false,
    }
}
