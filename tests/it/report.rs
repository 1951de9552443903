//! Diagnostics that own their texts: content, rendering and JSON.

use simd_hcl::body::Schema;
use simd_hcl::diagnostic::{CustomCode, Label, Severity, Sink};
use simd_hcl::report::{FoundBy, OwnedDiagnostic, Renderer};
use simd_hcl::show::{Plan, RawState};
use simd_hcl::{Arena, Code, Diagnostic, Document, Source, Span};

const TEXT: &str = "{\n  \"a\": 1,\n  \"a\": \"x\u{1b}\\u001b\"\n}";

/// Returns a diagnostic with a related place, whose arena is dropped.
fn duplicate() -> OwnedDiagnostic {
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "a.tf.json", br#"{"a": 1, "a": 2}"#).unwrap();
    let mut found = Vec::new();
    document.body().content(&Schema::new(&[], &[]), &mut found);
    document.body().just_attributes(&mut found);
    let found = found.iter().find(|it| !it.related().is_empty()).unwrap();
    let owned = OwnedDiagnostic::of(found);
    assert_eq!(owned.to_string(), found.to_string());
    owned
}

#[test]
fn diagnostics_outlive_the_arena() {
    fn is_free<T: Send + Sync + std::error::Error + 'static>(_: &T) {}
    let owned = duplicate();
    is_free(&owned);
    let thrown: Box<dyn std::error::Error + Send + Sync> = Box::new(owned.clone());
    assert_eq!(thrown.to_string(), owned.to_string());
    assert_eq!(owned.related.len(), 1);
    assert_eq!(owned.snippet.as_ref().map(|it| &*it.code), Some(r#"{"a": 1, "a": 2}"#));
}

/// The lines of a plan or a state may contain secrets that are not part of the diagnostic.
#[test]
fn texts_of_plans_and_states_are_not_kept() {
    let text =
        br#"{"format_version": "1.2", "resource_changes": [{"address": 1, "x": "hunter2"}]}"#;
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "plan.json", text).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    Plan::of(document, &mut found).unwrap().check(&mut found);
    let state = br#"{"version": 4, "terraform_version": "1.5.0", "serial": 1, "lineage": "a", "resources": 1, "x": "hunter2"}"#;
    let document = Document::parse_bytes(&arena, "terraform.tfstate", state).unwrap();
    RawState::of(document, &mut found).unwrap().check(&mut found);
    assert!(found.len() > 1);
    for diagnostic in &found {
        assert!(diagnostic.source().is_secret());
        let place = diagnostic.primary();
        let owned = OwnedDiagnostic::of(diagnostic).with_related("also here", place);
        assert!(owned.snippet.is_none());
        assert!(!Renderer::plain().render(&owned).contains("hunter2"));
        assert_eq!(OwnedDiagnostic::showing(diagnostic, |_| true).snippet, None);
        assert_eq!(OwnedDiagnostic::new("own", Severity::Error, place).snippet, None);
    }
}

/// A rule of another crate reports to the sink that the library reports to.
#[test]
fn rules_report_to_the_sink_of_the_library() {
    static RULE: CustomCode =
        CustomCode::new("acme-one", Severity::Error, "Not one", "\"{0}\" is not one.")
            .with_help("Write 1 instead of {0}.");
    fn check<'a>(document: Document<'a>, sink: &mut dyn Sink<'a>) {
        let a = document.body().just_attributes(sink)[0];
        let custom = Diagnostic::new(Code::Custom(&RULE), a.expression().label());
        sink.report(custom.with_arguments(&["2"]));
    }
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "a.tf.json", br#"{"a": 1, "a": 2}"#).unwrap();
    let mut found: Vec<OwnedDiagnostic> = Vec::new();
    check(document, &mut |diagnostic: Diagnostic<'_>| found.push(diagnostic.into()));
    let codes: Vec<&str> = found.iter().map(|it| &*it.code).collect();
    assert_eq!(codes, ["duplicate-attribute", "acme-one"]);
    assert_eq!(
        found[1].to_string(),
        "a.tf.json:1:7: error[acme-one]: Not one: \"2\" is not one. Write 1 instead of 2."
    );
    let drawn = Renderer::plain().render(&found[1]);
    assert!(drawn.starts_with("error[acme-one]: Not one\n"), "{drawn}");
    assert!(drawn.contains("Write 1 instead of 2."), "{drawn}");
    let json = serde_json::to_value(&found[1]).unwrap();
    assert_eq!((&json["code"], &json["severity"]), (&"acme-one".into(), &"error".into()));
    assert_eq!(Code::from_name("acme-one"), None);
    assert_eq!(Code::Custom(&RULE).severity(), Severity::Error);
}

/// A name with control characters, in the file and in the texts of a rule.
fn custom() -> OwnedDiagnostic {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "dir/\u{1b}[2J.json", TEXT.as_bytes()).unwrap();
    let place = |span| Label::new(source, span);
    OwnedDiagnostic::new("acme-rule", Severity::Warning, place(Span::new(14, 17)))
        .with_summary("Two of a name")
        .with_detail("Say \u{202e}it once.")
        .with_related("first here", place(Span::new(4, 7)))
        .with_help("Rename one.")
}

#[test]
fn rules_of_others_have_codes_and_texts_of_their_own() {
    let found = custom();
    assert_eq!((found.id(), found.is_error()), ("acme-rule", false));
    assert_eq!(
        found.to_string(),
        "dir/\\u{1b}[2J.json:3:3: warning[acme-rule]: Two of a name: Say \\u{202e}it once. Rename one."
    );
    let named = found.clone().with_rule(Some(FoundBy::new("other").with_url(Some("https://x"))));
    assert_eq!(named.id(), "other");
}

#[test]
fn pictures_show_all_places_and_steer_nothing() {
    let picture = Renderer::plain().render(&custom());
    assert_eq!(
        picture,
        "\
warning[acme-rule]: Two of a name
 --> dir/\\u{1b}[2J.json:3:3
  |
3 |   \"a\": \"x\\u{1b}\\u001b\"
  |   ^^^
  |
  = Say \\u{202e}it once.
  = help: Rename one.
note: first here
 --> dir/\\u{1b}[2J.json:2:3
  |
2 |   \"a\": 1,
  |   ---

"
    );
    let styled = Renderer::styled().render(&custom());
    assert!(styled.contains("\u{1b}["));
    assert!(!styled.contains("\u{1b}[2J"), "{styled}");
}

/// The output of Rust for an error that `main` returns is readable.
#[test]
fn main_prints_what_a_person_can_read() {
    let error: Box<OwnedDiagnostic> =
        Document::parse_bytes(&Arena::new(), "a.json", b"{\"a\" 1}").err().unwrap();
    assert!(format!("{error:?}").starts_with("a.json:1:6: error["), "{error:?}");
    let printed = format!("{:?}", duplicate());
    assert!(printed.contains(" --> a.tf.json:1:10\n"), "{printed}");
    let missing = Document::open(&Arena::new(), "no/such/file.json").err().unwrap();
    assert!(format!("{missing:?}").starts_with("no/such/file.json: error["), "{missing:?}");
}

#[test]
fn a_file_that_cannot_be_read_has_no_lines() {
    let owned = Document::open(&Arena::new(), "no/such/file.json").err().unwrap();
    assert!(!owned.has_lines && owned.snippet.is_none());
    assert!(owned.to_string().starts_with("no/such/file.json: error[unreadable-file]"));
    let picture = Renderer::plain().render(&owned);
    assert!(picture.contains("--> no/such/file.json\n"), "{picture}");
}

/// The members, names and order are those of `check --format json`.
#[test]
fn json_is_that_of_the_command_line() {
    let found = duplicate();
    let json = serde_json::to_value(&found).unwrap();
    let names: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["severity", "code", "summary", "detail", "range", "related", "snippet"]);
    assert_eq!(json["severity"], "error");
    assert_eq!(
        json["range"],
        serde_json::json!({
            "filename": "a.tf.json",
            "start": {"line": 1, "column": 10, "byte": 9},
            "end": {"line": 1, "column": 13, "byte": 12}
        })
    );
    assert_eq!(json["snippet"]["context"], serde_json::Value::Null);
    assert_eq!(json["snippet"]["values"], serde_json::json!([]));
    assert_eq!(json["related"][0]["range"]["start"]["byte"], 1);
    let custom = serde_json::to_value(custom()).unwrap();
    assert_eq!((&custom["code"], &custom["help"]), (&"acme-rule".into(), &"Rename one.".into()));
    let rule = duplicate().with_rule(Some(FoundBy::new("r").with_help(Some("Do."))));
    let rule = serde_json::to_value(rule).unwrap();
    assert_eq!(rule["rule"], serde_json::json!({"name": "r", "help": "Do."}));
}

#[test]
fn diagnostics_for_miette() {
    use miette::Diagnostic as _;

    let found = custom();
    assert_eq!(found.code().unwrap().to_string(), "acme-rule");
    assert_eq!(found.severity(), Some(miette::Severity::Warning));
    assert_eq!(found.help().unwrap().to_string(), "Rename one.");
    let labels: Vec<_> = found.labels().unwrap().collect();
    assert_eq!(labels.len(), 1);
    let text = found.source_code().unwrap().read_span(labels[0].inner(), 0, 0).unwrap();
    assert_eq!((text.line(), text.name()), (2, Some("dir/\u{1b}[2J.json")));
    let place = labels[0].offset()..labels[0].offset() + labels[0].len();
    assert_eq!(&text.data()[place], b"\"a\"");
    let both: Vec<_> = duplicate().labels().unwrap().map(|it| it.offset()).collect();
    assert_eq!(both, [9, 1]);
}
