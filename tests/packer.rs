//! Templates of `corpus/conformance/packer`: what they declare, what they refer to, and what is wrong with them.
//!
//! `NOTES.md` there says what `expected.json` holds. Beside the cases: what of the interface no case can show.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::packer::{
    Build, Dynamic, Options, PostProcessors, Provisioner, Registry, Settings, Template, Variable,
};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Diagnostic, Severity, Source, Span};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conformance/packer")
}

fn cases() -> Vec<PathBuf> {
    let entries = fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    cases.sort();
    assert!(cases.len() >= 60, "cases are missing");
    cases
}

/// `FILE:LINE:COLUMN`, the file by its name alone.
fn at(source: Source<'_>, span: Span) -> Value {
    let name = Path::new(source.name()).file_name().unwrap().to_string_lossy();
    let at = source.position(span.start);
    json!(format!("{name}:{}:{}", at.line, at.column))
}

/// An object without the members that say nothing: null, false, and what is empty.
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
                    ("at", at(source, used.span)),
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

/// `FROM -> TO at PLACE`; a reference that means nothing has `?` for the second.
fn references(template: &Template<'_>) -> Value {
    let mut references = Vec::new();
    template.visit_references(|from, reference| {
        let to = reference.subject.as_ref().map_or("?".to_owned(), ToString::to_string);
        let place = at(reference.place.source, reference.place.span);
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

/// What a case gives, in the form of its `expected.json`.
fn given(case: &Path, expected: &Value) -> Value {
    let mut options = Options::default();
    if let Some(defaults) = expected["defaults"].as_str() {
        options = options.with_defaults(defaults.parse().unwrap());
    }
    let path = match expected["file"].as_str() {
        Some(file) => case.join("dir").join(file),
        None => case.join("dir"),
    };
    let discovery = discover(&[path], &DiscoverOptions::default());
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
