//! Everything that prints a plan or a state hides what redaction hides: `Shown` decides it.

use std::fs;
use std::path::PathBuf;

use simd_hcl::show::redact::{Large, Options, Places, RowKind, write};
use simd_hcl::show::{
    BodySchemas, Change, Content, Leaf, List, Plan, RawResource, RawState, Read, Resource,
    ResourceChange, Schemas, Shown, State,
};
use simd_hcl::{Arena, Code, Diagnostic, Document, stream};

/// A part of every secret of the corpus.
const SECRET: &str = "S3CR3T";

fn corpus(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/secrets");
    fs::read(folder.join(name)).unwrap()
}

fn redacted(text: &[u8]) -> String {
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "test.json", text).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let places = Places::of(document, Options::default(), &mut found);
    let places = places.unwrap_or_else(|| panic!("{found:?}"));
    let mut out = Vec::new();
    write(document.source(), &places, &mut out).unwrap();
    let mut input = std::io::Cursor::new(text);
    let settings = stream::Options::default();
    let mut large = Large::read(&arena, &mut input, Options::default(), settings, &mut ()).unwrap();
    let mut streamed = Vec::new();
    large.write(&mut streamed).unwrap();
    assert!(out == streamed, "{}", String::from_utf8_lossy(&streamed));
    String::from_utf8(out).unwrap()
}

/// However a document encodes a secret that it repeats, it is found.
#[test]
fn repeated_text_is_hidden_in_every_encoding() {
    let after =
        |inner: &str| format!("\"after\": {{\"password\": \"REDACTED_SENSITIVE\", {inner}}}");
    let hidden = "REDACTED_SENSITIVE";
    for (name, expected) in [
        ("dotnet", after(r#""template_output": "{\"key\": \"REDACTED_SENSITIVE\"}""#)),
        ("letter", after(&format!(r#""copy": "{hidden}""#))),
        ("letter_first", after(&format!(r#""copy": "{hidden}""#))),
        ("enc", after(&format!(r#""u": "{hidden}", "h": "{hidden}""#))),
        (
            "mis",
            after(
                r#""c": "\\{\"p\": \"REDACTED_SENSITIVE\"}", "d": "x\\\\{\"p\": \"REDACTED_SENSITIVE\"}""#,
            ),
        ),
        ("lower", after(&format!(r#""c": {{"{hidden}": 1, "x": "{hidden}"}}"#))),
        ("mapkey", after(&format!(r#""c": "{hidden}""#))),
        ("names", after(&format!(r#""m": {{"{hidden}": 1, "x{hidden}": 2}}"#))),
        ("num", after(&format!(r#""c": "id {hidden}""#))),
        ("prov", after(&format!(r#""copy": "prov-{hidden}""#))),
        ("tie1", after(&format!(r#""p2": "{hidden}", "copy": "pre-{hidden}""#))),
        ("tie2", after(&format!(r#""p2": "{hidden}", "copy": "pre-{hidden}""#))),
    ] {
        let out = redacted(&corpus(&format!("escapes/{name}.json")));
        assert!(out.contains(&expected), "{name}: {out}");
    }
    for name in ["deep", "deep2"] {
        let out = redacted(&corpus(&format!("escapes/{name}.json")));
        assert!(!out.contains("Tr0ub"), "{name}");
        assert_eq!(out.matches(hidden).count(), 2, "{name}");
    }
}

/// More levels of escapes than anyone writes hide all of the string.
#[test]
fn a_chain_of_escapes_hides_the_string() {
    let chain = format!("\\u005c{}0061bcdefghij", "u005c".repeat(40));
    let text = format!(
        r#"{{"format_version":"1.2","planned_values":{{"outputs":{{"o":{{"sensitive":true,"value":"abcdefghij"}},
        "p":{{"sensitive":false,"value":"x {chain}"}}}}}}}}"#
    );
    let out = redacted(text.as_bytes());
    assert!(out.contains(r#""sensitive":false,"value":"REDACTED_SENSITIVE""#), "{out}");
}

#[test]
fn a_document_with_a_second_mark_is_refused() {
    let text = corpus("duplicate.json");
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "test.json", &text).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    assert!(Places::of(document, Options::default(), &mut found).is_none());
    assert_eq!(found.last().map(Diagnostic::code), Some(Code::DuplicateAttribute), "{found:?}");
    // A value that is not understood is not shown.
    let plan = Plan::of(document, &mut ()).unwrap();
    let shown = Shown::of_plan(plan, Options::default());
    assert!(shown.is_unclear());
    let (_, output) = plan.outputs().next().unwrap();
    assert!(output.differences().all(|difference| shown.hides(&difference)));
    assert_eq!(&*shown.value(output.object().node()), b"\"REDACTED_SENSITIVE\"");
}

fn text_of(leaf: &Leaf<'_>, is_hidden: bool) -> String {
    match leaf.content {
        _ if is_hidden => "hidden".to_owned(),
        Content::Known(node) => String::from_utf8_lossy(node.text()).into_owned(),
        other => format!("{other:?}"),
    }
}

/// Returns all that the leaves of a change show.
fn lines(change: Change<'_>, shown: &Shown) -> Vec<String> {
    let mut lines = Vec::new();
    for mut leaves in [change.leaves(), change.differences()] {
        while let Some(leaf) = leaves.next() {
            let path = shown.path(leaves.path());
            let hidden = shown.hides(&leaf);
            let sides = [leaf.before, leaf.after].map(|side| text_of(&side, hidden));
            lines.push(format!("{path}: {}", sides.join(" → ")));
        }
    }
    for name in ["before", "after", "importing"] {
        if let Some(node) = change.object().get(name) {
            lines.push(String::from_utf8_lossy(&shown.value(node)).into_owned());
            lines.push(shown.node(node).map_or_else(String::new, |node| {
                String::from_utf8_lossy(node.text()).into_owned()
            }));
        }
    }
    lines
}

fn of_change(change: ResourceChange<'_>, shown: &Shown) -> Vec<String> {
    let of = change.object().node();
    let mut all = change.change().value().map(|it| lines(it, shown)).unwrap_or_default();
    for name in [change.address(), change.previous_address(), change.module_address()] {
        all.extend(name.value().map(|name| shown.name(of, name).into_owned()));
    }
    all
}

/// The whole and the stream show the same, and no secret; without hiding, they show secrets.
#[test]
fn the_stream_of_a_plan_shows_what_the_whole_shows() {
    let text = corpus("plan.json");
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "plan.json", &text).unwrap();
    let plan = Plan::of(document, &mut ()).unwrap();
    for shows_secrets in [false, true] {
        let shown = match shows_secrets {
            true => Shown::everything(),
            false => Shown::of_plan(plan, Options::default()),
        };
        let changes = plan.drift().chain(plan.changes());
        let whole: Vec<String> = changes.flat_map(|it| of_change(it, &shown)).collect();
        let mut input = std::io::Cursor::new(&text);
        let settings = stream::Options::default();
        let streams = Arena::new();
        let mut large =
            Large::read(&streams, &mut input, Options::default(), settings, &mut ()).unwrap();
        let mut streamed = Vec::new();
        large
            .rows(shows_secrets, &mut |rows, shown| {
                for row in rows {
                    assert!(matches!(row.kind(), RowKind::Change | RowKind::Drift));
                    let change = ResourceChange::read(row.node()).unwrap();
                    streamed.extend(of_change(change, shown));
                }
                Ok(())
            })
            .unwrap();
        assert_eq!(whole, streamed);
        assert_eq!(whole.iter().any(|line| line.contains(SECRET)), shows_secrets, "{whole:#?}");
    }
}

fn of_leaves(mut leaves: simd_hcl::show::Leaves<'_>, shown: &Shown) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(leaf) = leaves.next() {
        let text = text_of(&leaf, shown.hides_leaf(&leaf));
        lines.push(format!("{}: {text}", shown.path(leaves.path())));
    }
    lines
}

/// Reads the resources of a state as a stream.
fn streamed_state(text: &[u8]) -> Vec<String> {
    let arena = Arena::new();
    let mut input = std::io::Cursor::new(text);
    let settings = stream::Options::default();
    let mut large = Large::read(&arena, &mut input, Options::default(), settings, &mut ()).unwrap();
    let mut lines = Vec::new();
    large
        .rows(false, &mut |rows, shown| {
            for row in rows {
                if row.kind() == RowKind::RawResource {
                    let resource = RawResource::read(row.node()).unwrap();
                    for one in resource.instances().value().into_iter().flat_map(List::iter) {
                        lines.extend(of_leaves(one.leaves(), shown));
                    }
                } else {
                    let resource = Resource::read(row.node()).unwrap();
                    lines.extend(of_leaves(resource.leaves(), shown));
                }
            }
            Ok(())
        })
        .unwrap();
    lines
}

#[test]
fn states_show_no_secret() {
    let text = corpus("state.json");
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "state.json", &text).unwrap();
    let state = State::of(document, &mut ()).unwrap();
    let shown = Shown::of_state(state, Options::default());
    let whole: Vec<String> =
        state.resources().flat_map(|it| of_leaves(it.leaves(), &shown)).collect();
    assert!(!whole.iter().any(|line| line.contains(SECRET)), "{whole:#?}");
    assert_eq!(whole, streamed_state(&text));
    assert!(!redacted(&text).contains(SECRET));
}

/// A schema marks what a state file does not. Without it, the types are named.
#[test]
fn state_files_are_hidden_by_the_schemas_of_their_types() {
    let (text, schemas) = (corpus("tfstate.json"), corpus("schemas.json"));
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "tfstate.json", &text).unwrap();
    let schemas = Document::parse_bytes(&arena, "schemas.json", &schemas).unwrap();
    let schemas = BodySchemas::new(Schemas::of(schemas, &mut ()).unwrap());
    let state = RawState::of(document, &mut ()).unwrap();
    let lines = |shown: &Shown| -> Vec<String> {
        let resources = state.resources().value().into_iter().flat_map(List::iter);
        let instances =
            resources.flat_map(|it| it.instances().value().into_iter().flat_map(List::iter));
        instances.flat_map(|it| of_leaves(it.leaves(), shown)).collect()
    };
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let shown = Shown::of_raw_state(state, Options::default(), Some(&schemas), &mut found);
    let hidden = lines(&shown);
    assert!(!hidden.iter().any(|line| line.contains(SECRET)), "{hidden:#?}");
    assert!(hidden.iter().any(|line| line.contains("nested[0].user: \"u\"")), "{hidden:#?}");
    assert!(found.is_empty(), "{found:?}");
    let shown = Shown::of_raw_state(state, Options::default(), None, &mut found);
    assert!(lines(&shown).iter().any(|line| line.contains("S3CR3T-data")));
    assert_eq!(lines(&shown), streamed_state(&text));
    let [only] = &found[..] else { panic!("{found:?}") };
    assert_eq!(only.code(), Code::MissingStateSchema);
    assert!(only.detail().contains("values of d, flat are"), "{}", only.detail());
    // Flat attributes are hidden by their paths, too.
    let out = redacted(&text);
    for gone in ["S3CR3T-flat-0", "S3CR3T-flat-1", "S3CR3T-4dor", "S3CR3T-key-1"] {
        assert!(!out.contains(gone), "{gone}: {out}");
    }
    assert!(out.contains(r#""list.1": "plain""#), "{out}");
    let places = Places::with_schemas(document, Options::default(), Some(&schemas), &mut ());
    let mut out = Vec::new();
    write(document.source(), &places.unwrap(), &mut out).unwrap();
    assert!(!String::from_utf8_lossy(&out).contains(SECRET));
}
