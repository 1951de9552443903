//! Templates of `corpus/conformance/packer`: declarations, references and diagnostics.
//!
//! `NOTES.md` there describes `expected.json`. Further tests cover parts of the API that no case
//! can show.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use simd_hcl::dialect::List;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::packer::{
    Build, Defaults, Dynamic, ObjectName, Options, PostProcessors, Provisioner, Registry, Settings,
    Subject, Template, Variable,
};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Code, Diagnostic, Document, Severity, Source, Span};
use simd_hcl_corpus::sized;

fn cases() -> Vec<PathBuf> {
    let cases = simd_hcl_corpus::cases("packer");
    assert!(cases.len() >= 60 || !simd_hcl_corpus::are_all(), "cases are missing");
    cases
}

/// Returns `FILE:LINE:COLUMN`, with the file name only.
fn at(source: Source<'_>, span: Span) -> Value {
    let name = Path::new(source.name()).file_name().unwrap().to_string_lossy();
    let at = source.position(span.start);
    json!(format!("{name}:{}:{}", at.line, at.column))
}

/// Returns an object without members that are null, false or empty.
fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let says_something = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    };
    let members = members.into_iter().filter(|(_, value)| says_something(value));
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

fn list<T>(items: impl IntoIterator<Item = T>, show: impl Fn(T) -> Value) -> Value {
    items.into_iter().map(show).collect()
}

fn settings(settings: &Settings<'_>) -> Value {
    let block = settings.block;
    object([
        ("at", at(block.source(), block.definition_span())),
        ("required_version", json!(settings.required_version)),
        (
            "required_plugins",
            list(settings.required_plugins, |plugin| {
                object([
                    ("name", json!(plugin.name)),
                    ("at", at(plugin.attribute.source(), plugin.attribute.name_span())),
                    ("source", json!(plugin.source)),
                    ("version", json!(plugin.version)),
                ])
            }),
        ),
    ])
}

fn variable(variable: &Variable<'_>) -> Value {
    let constraint = variable.constraint.map(|constraint| constraint.ty.to_string());
    object([
        ("name", json!(variable.name)),
        ("at", at(variable.source(), variable.name_span)),
        ("type", json!(constraint)),
        ("required", json!(variable.is_required())),
        ("description", json!(variable.description)),
        ("sensitive", json!(variable.sensitive)),
        ("messages", list(variable.validations, |validation| json!(validation.error_message))),
    ])
}

fn step(kind: &str, block: simd_hcl::body::Block<'_>) -> Value {
    let label = block.label_spans().next().unwrap();
    object([("type", json!(kind)), ("at", at(block.source(), label))])
}

fn provisioner(provisioner: &Provisioner<'_>) -> Value {
    step(provisioner.provisioner_type, provisioner.block)
}

fn dynamic(dynamic: &Dynamic<'_>) -> Value {
    let mut shown = step(dynamic.block_type, dynamic.block);
    shown["iterator"] = json!(dynamic.iterator);
    shown
}

fn sequence(sequence: &PostProcessors<'_>) -> Value {
    let steps = sequence.steps.iter().map(|it| step(it.post_processor_type, it.block));
    steps.chain(sequence.dynamics.iter().map(dynamic)).collect()
}

fn registry(registry: &Registry<'_>) -> Value {
    at(registry.block.source(), registry.block.definition_span())
}

fn build(build: &Build<'_>) -> Value {
    let source = build.block.source();
    object([
        ("at", at(source, build.block.definition_span())),
        (
            "sources",
            list(build.sources, |used| {
                object([
                    ("name", json!(used.name.map(|name| name.to_string()))),
                    ("at", at(source, used.label.span)),
                    ("block", json!(used.block.is_some())),
                    ("local_name", json!(used.local_name)),
                ])
            }),
        ),
        ("provisioners", list(build.provisioners, provisioner)),
        ("error_cleanup", json!(build.error_cleanup.as_ref().map(provisioner))),
        ("post_processors", list(build.post_processors, sequence)),
        ("dynamics", list(build.dynamics, dynamic)),
        ("registry", json!(build.registry.as_ref().map(registry))),
    ])
}

fn declared(template: &Template<'_>) -> Value {
    let label =
        |block: simd_hcl::body::Block<'_>| at(block.source(), block.label_spans().last().unwrap());
    object([
        ("packer", list(&template.settings, settings)),
        ("variables", list(&template.variables, variable)),
        (
            "locals",
            list(&template.locals, |local| {
                object([
                    ("name", json!(local.name)),
                    ("at", at(local.source(), local.name_span)),
                    ("sensitive", json!(local.sensitive)),
                ])
            }),
        ),
        (
            "data",
            list(&template.data, |data| {
                object([("name", json!(data.name.to_string())), ("at", label(data.block))])
            }),
        ),
        (
            "sources",
            list(&template.sources, |source| {
                object([("name", json!(source.name.to_string())), ("at", label(source.block))])
            }),
        ),
        ("builds", list(&template.builds, build)),
        ("registry", json!(template.registry.as_ref().map(registry))),
        (
            "others",
            list(&template.others, |block| {
                object([("type", json!(block.block_type())), ("at", label(*block))])
            }),
        ),
        (
            "assignments",
            list(&template.assignments, |assignment| {
                object([
                    ("name", json!(assignment.name())),
                    ("at", at(assignment.source(), assignment.name_span())),
                ])
            }),
        ),
        ("legacy", list(&template.legacy, |source| at(*source, Span::default()))),
    ])
}

/// Returns `FROM -> TO at PLACE`, with `?` as the target of an invalid reference.
fn references(template: &Template<'_>) -> Value {
    let mut references = Vec::new();
    template.visit_references(|from, reference| {
        let to = reference.subject.as_ref().map_or("?".to_owned(), ToString::to_string);
        let place = at(reference.label.source, reference.label.span);
        references.push(json!(format!("{from} -> {to} at {}", place.as_str().unwrap())));
    });
    Value::Array(references)
}

fn diagnostic(diagnostic: &Diagnostic<'_>) -> Value {
    let severity = match diagnostic.severity() {
        Severity::Error => "error",
        _ => "warning",
    };
    let place = at(diagnostic.source(), diagnostic.span());
    json!(format!("{severity} {} at {}", diagnostic.code().as_str(), place.as_str().unwrap()))
}

/// Returns our result for a case, in the format of `expected.json`.
fn given(case: &Path, expected: &Value) -> Value {
    let mut options = Options::default();
    if let Some(defaults) = expected["defaults"].as_str() {
        options = options.with_defaults(defaults.parse().unwrap());
    }
    // If Packer is given a file, it does not read other files.
    let (path, alone) = match expected["file"].as_str() {
        Some(file) => (case.join("dir").join(file), true),
        None => (case.join("dir"), false),
    };
    let discovery = discover(&[path], &DiscoverOptions::default().with_alone(alone));
    assert!(discovery.modules.len() == 1, "{}: one template", case.display());
    let arena = Arena::new();
    let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default().with_packer(options));
    let [template] = tree.templates() else { panic!("{}: no template", case.display()) };
    object([
        ("declared", declared(&template.template)),
        ("references", references(&template.template)),
        ("diagnostics", template.diagnostics.iter().map(diagnostic).collect()),
    ])
}

#[test]
fn cases_are_read_as_expected() {
    let mut failures = Vec::new();
    for case in cases() {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(case.join("expected.json")).unwrap();
        let mut expected: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let given = given(&case, &expected);
        let about = expected.as_object_mut().unwrap();
        assert!(about.remove("shows").is_some(), "{name}: what does it show?");
        about.retain(|key, _| !matches!(key.as_str(), "defaults" | "file"));
        for part in ["declared", "references", "diagnostics"] {
            if expected[part] != given[part] {
                let show = |value: &Value| serde_json::to_string_pretty(value).unwrap();
                let (expected, given) = (show(&expected[part]), show(&given[part]));
                failures.push(format!("{name}: {part}\nexpected {expected}\ngiven {given}"));
            }
        }
        let unknown = expected
            .as_object()
            .unwrap()
            .keys()
            .find(|key| !matches!(key.as_str(), "declared" | "references" | "diagnostics"));
        assert_eq!(unknown, None, "{name}: a part that is not compared");
    }
    assert!(failures.is_empty(), "{}\n{} differ", failures.join("\n\n"), failures.len());
}

/// Returns a template of one file, and its diagnostics.
fn read<'a>(arena: &'a Arena, text: &'a str) -> (Template<'a>, Vec<Diagnostic<'a>>) {
    let document = Document::parse_bytes(arena, "t.pkr.json", text.as_bytes()).unwrap();
    let mut diagnostics = Vec::new();
    let files = [(List::Primary, document)];
    let template = Template::read(files, &Options::default(), &mut diagnostics);
    template.analyse(arena, false, &mut diagnostics);
    (template, diagnostics)
}

fn codes(diagnostics: &[Diagnostic<'_>]) -> Vec<Code> {
    diagnostics.iter().map(Diagnostic::code).collect()
}

const IMAGE: &str = r#"{
  "variable": {"from": {"default": ["a", 1]}, "to": {"type": "list(string)"}},
  "source": {"docker": {"base": {"image": "${var.from[0]}"}}},
  "build": {
    "sources": ["source.docker.base"],
    "provisioner": {"shell": {"only": ["docker.base"], "inline": ["${build.ID}", "${upper(source.name)}"]}},
    "post-processors": {"post-processor": {"docker-tag": {"tags": "${var.to}"}, "docker-push": {}}}
  }
}"#;

#[test]
fn defaults_have_names() {
    for defaults in [Defaults::Actual, Defaults::Documented] {
        assert_eq!(defaults.to_string().parse(), Ok(defaults));
    }
    assert_eq!(Defaults::default(), Defaults::Actual);
    let error = "Actual".parse::<Defaults>().unwrap_err();
    assert_eq!(error.to_string(), "defaults are read as actual or as documented");
}

#[test]
fn objects_are_found_by_their_names() {
    let arena = Arena::new();
    let (template, diagnostics) = read(&arena, IMAGE);
    assert_eq!(codes(&diagnostics), []);
    let from = template.variables.get("from").unwrap();
    assert!(!from.is_required() && from.constraint.is_none() && from.written_type.is_none());
    assert_eq!(from.inferred_type.unwrap().to_string(), "tuple");
    let to = template.variables.get("to").unwrap();
    assert!(to.is_required() && to.inferred_type.is_none());
    assert_eq!(to.written_type.unwrap().to_str(), Some("list(string)"));
    let name = ObjectName { object_type: "docker", name: "base" };
    let source = template.sources.get(name).unwrap();
    assert_eq!(source.name, name);
    let properties: Vec<_> = source.config.properties().collect();
    assert!(properties.len() == 1 && properties[0].is_named("image"));
    assert!(template.sources.get(ObjectName { object_type: "docker", name: "bas" }).is_none());

    let [build] = &template.builds[..] else { panic!("one build") };
    assert!(!build.has_unknown_sources());
    assert_eq!((build.sources[0].name, build.sources[0].text), (Some(name), "source.docker.base"));
    // Arguments that Packer reads are not passed to the plugin.
    let rest: Vec<_> = build.provisioners[0].config.properties().collect();
    assert!(rest.len() == 1 && rest[0].is_named("inline"));
    let types = build.post_processors[0].steps.iter().map(|step| step.post_processor_type);
    assert_eq!(types.collect::<Vec<_>>(), ["docker-tag", "docker-push"]);
}

#[test]
fn references_are_shown_as_they_are_written_and_by_what_they_mean() {
    let arena = Arena::new();
    let (template, _) = read(&arena, IMAGE);
    let mut shown = Vec::new();
    template.visit_references(|object, reference| {
        let subject = reference.subject.clone().unwrap();
        shown.push(format!("{object}: {reference} is {subject}, a {}", subject.kind()));
    });
    assert_eq!(
        shown,
        [
            "source.docker.base: var.from[0] is var.from, a variable",
            "build[0]: source.docker.base is source.docker.base, a source",
            "build[0]: build.ID is build.ID, a build",
            "build[0]: source.name is source.name, a source",
            "build[0]: var.to is var.to, a variable",
        ]
    );
    assert_eq!(Subject::Path("cwd").kind(), "path");
    assert_eq!(Subject::Packer("version").to_string(), "packer.version");
}

#[test]
fn what_rests_on_absence_can_be_withheld() {
    let whole = r#"{"variables": {"a": 1, "b": "${c}"}, "locals": {"d": "${local.e}"}}"#;
    // The references of the rest of the template are not known.
    let broken = r#"{"variables": {"a": 1, "b": "${c}"}, "locals": {"d": "${local.e}${"}}"#;
    for (text, is_broken) in [(whole, false), (broken, true)] {
        let arena = Arena::new();
        let (template, diagnostics) = read(&arena, text);
        let told = codes(&diagnostics);
        assert!(told.contains(&Code::VariablesNotAllowed), "{told:?}");
        assert_eq!(told.contains(&Code::UnusedDeclaration), !is_broken, "{told:?}");
        let mut diagnostics = Vec::new();
        template.analyse(&arena, true, &mut diagnostics);
        assert!(!codes(&diagnostics).contains(&Code::UnusedDeclaration));
        assert_eq!(diagnostics.is_empty(), !is_broken, "the broken template is reported");
    }
}

#[test]
fn templates_stay_usable_after_errors() {
    let arena = Arena::new();
    let (template, diagnostics) = read(
        &arena,
        r#"{
          "extra": 1,
          "variable": {"a": {"type": 5, "default": "x"}, "a": {}, "b": 7},
          "source": {"null": {"x": {}}},
          "build": [7, {"sources": ["null.x", 5, []], "provisioner": {"shell": {"only": 5}}}]
        }"#,
    );
    assert!(diagnostics.iter().filter(|it| it.severity() == Severity::Error).count() > 5);
    assert_eq!(template.variables.iter().count(), 1);
    assert_eq!(template.variables.get("a").unwrap().inferred_type.unwrap().to_string(), "string");
    let build = template.builds.last().unwrap();
    assert_eq!(build.sources[0].name.unwrap().to_string(), "null.x");
    assert_eq!(build.provisioners.len(), 1);
}

#[test]
fn suggestions_are_near() {
    let arena = Arena::new();
    let text = r#"{"locals": {"region": 1, "a": "${local.regoin}", "b": "${local.zone}"}}"#;
    let (_, diagnostics) = read(&arena, text);
    let details: Vec<_> = diagnostics
        .iter()
        .filter(|it| it.code() == Code::UndeclaredReference)
        .map(Diagnostic::message)
        .collect();
    assert!(
        details[0].contains("local.regoin") && details[0].contains("\"region\""),
        "{details:?}"
    );
    assert!(!details[1].contains("mean"), "{details:?}");
}

/// Returns local values, each of which depends on the next one. The last one depends on the first
/// one if `is_closed`.
fn chain(length: usize, is_closed: bool) -> String {
    let last = if is_closed { "${local.n0}" } else { "end" };
    let entries = (1..length).map(|next| format!("\"n{}\": \"${{local.n{next}}}\", ", next - 1));
    format!("{{\"locals\": {{{}\"n{}\": \"{last}\"}}}}", entries.collect::<String>(), length - 1)
}

#[test]
fn long_cycles_need_no_stack() {
    let work = || {
        for is_closed in [true, false] {
            let text = chain(20_000, is_closed);
            let arena = Arena::new();
            let (_, diagnostics) = read(&arena, &text);
            // In the open chain, nothing refers to the first one.
            let expected =
                if is_closed { Code::CircularReference } else { Code::UnusedDeclaration };
            assert_eq!(codes(&diagnostics), [expected]);
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 20);
        thread.spawn_scoped(scope, work).unwrap().join().unwrap();
    });
}

/// Collects the path of every value of a document.
fn places(value: &Value, path: &mut Vec<usize>, places: &mut Vec<Vec<usize>>) {
    places.push(path.clone());
    let children: Vec<&Value> = match value {
        Value::Array(elements) => elements.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    for (step, child) in children.into_iter().enumerate() {
        path.push(step);
        self::places(child, path, places);
        path.pop();
    }
}

fn value_at<'v>(value: &'v mut Value, path: &[usize]) -> &'v mut Value {
    path.iter().fold(value, |value, &step| match value {
        Value::Array(elements) => &mut elements[step],
        Value::Object(members) => members.values_mut().nth(step).unwrap(),
        _ => unreachable!(),
    })
}

#[test]
fn any_value_may_stand_anywhere() {
    let others = [
        json!(null),
        json!(true),
        json!(1e40),
        json!(""),
        json!("a.b.c"),
        json!("${"),
        json!("${var.x}"),
        json!([]),
        json!({}),
        json!([[{"a": {"b": [null]}}]]),
        json!({"a": {"b": {"for_each": 1, "content": {}}}}),
    ];
    let step = sized([5, 1, 1]);
    let mut count = 0;
    for case in cases() {
        for entry in fs::read_dir(case.join("dir")).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let Ok(document) = serde_json::from_str::<Value>(&text) else { continue };
            let is_values = path.to_string_lossy().ends_with("pkrvars.json");
            let list = if is_values { List::Variables } else { List::Primary };
            let mut all = Vec::new();
            places(&document, &mut Vec::new(), &mut all);
            for place in all {
                for other in others.iter().skip(count % step).step_by(step) {
                    let mut changed = document.clone();
                    *value_at(&mut changed, &place) = other.clone();
                    checked(&changed.to_string(), list);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 10_000 / step, "{count}");
}

/// Reads any text as a template, and checks that its diagnostics are inside the file.
fn checked(text: &str, list: List) {
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "t.json", text.as_bytes()).unwrap();
    let mut diagnostics = Vec::new();
    let template = Template::read([(list, document)], &Options::default(), &mut diagnostics);
    template.analyse(&arena, false, &mut diagnostics);
    let is_inside = |span: Span| span.start <= span.end && span.end as usize <= text.len();
    for diagnostic in &diagnostics {
        assert!(is_inside(diagnostic.span()), "{text}: {diagnostic}");
        assert!(diagnostic.related().iter().all(|related| is_inside(related.label.span)));
    }
    template.visit_references(|_, reference| {
        assert!(is_inside(reference.label.span), "{text}: {reference}");
    });
}
