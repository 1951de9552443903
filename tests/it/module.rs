//! Modules of `corpus/conformance/terraform`: our declarations compared with those of Terraform.
//!
//! `expected.json` is Terraform's answer. The test compares the objects that a module declares by
//! kind, name and position.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use simd_hcl::dialect::Syntax;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::module::Module;
use simd_hcl::reference::Mode;
use simd_hcl::{Arena, Diagnostic, Dialect, Document, ParsedFile, Source, Span};

/// The position of a declaration: file name, line, column, byte.
type Place = (String, u64, u64, u64);

fn place(source: Source<'_>, span: Span) -> Place {
    let name = Path::new(source.name()).file_name().unwrap().to_str().unwrap().to_owned();
    let at = source.position(span.start);
    (name, at.line, at.column, at.byte)
}

fn expected_place(range: &Value) -> Place {
    let start = &range["start"];
    (
        range["filename"].as_str().unwrap_or_default().to_owned(),
        start["line"].as_u64().unwrap_or_default(),
        start["column"].as_u64().unwrap_or_default(),
        start["byte"].as_u64().unwrap_or_default(),
    )
}

fn expected(load: &Value, kind: &str) -> BTreeMap<String, Place> {
    let objects = load[kind].as_object();
    objects
        .into_iter()
        .flatten()
        .map(|(name, object)| (name.clone(), expected_place(&object["decl_range"])))
        .collect()
}

/// Returns whether the positions differ only because Terraform places each block of an array at the
/// bracket of the array.
fn in_array(case: &Path, ours: &Place, theirs: &Place) -> bool {
    let text = fs::read(case.join("dir").join(&theirs.0)).unwrap();
    ours.0 == theirs.0 && ours.3 > theirs.3 && text.get(theirs.3 as usize) == Some(&b'[')
}

#[test]
fn objects_are_those_of_terraform() {
    let mut differences = Vec::new();
    let mut compared = 0;
    for case in crate::terraform_cases() {
        let expected_json: Value =
            serde_json::from_str(&fs::read_to_string(case.join("expected.json")).unwrap()).unwrap();
        let Some(load) = expected_json.get("load") else { continue };
        if case.ends_with("blocks-error/007-byte-order-mark") {
            // We continue after the byte order mark.
            continue;
        }
        let options = DiscoverOptions::default().with_dialect(Some(Dialect::Terraform));
        let discovery = discover(&[case.join("dir")], &options);
        let Some(files) = discovery.modules.iter().find(|module| module.path == case.join("dir"))
        else {
            continue;
        };
        let arena = Arena::new();
        let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
        let documents = files.files.iter().filter(|file| file.is_read()).filter_map(|file| {
            let source = Source::read(&arena, file.path.disk()?).ok()?;
            let parsed = match file.kind.syntax {
                Syntax::Json => ParsedFile::json(Document::parse(&arena, source).ok()?),
                Syntax::Native => ParsedFile::native(&arena, source),
            };
            Some((file.kind.list, parsed))
        });
        let documents: Vec<_> = documents.collect();
        if documents.len() < files.files.iter().filter(|file| file.is_read()).count() {
            // We have no body for a file with a syntax error; Terraform decodes the rest of it.
            continue;
        }
        let module = Module::read(Dialect::Terraform, documents, false, &mut diagnostics);
        compared += 1;
        let mut compare = |kind: &str, ours: BTreeMap<String, Place>| {
            let theirs = expected(load, kind);
            let agree = ours.len() == theirs.len()
                && ours.iter().zip(&theirs).all(|((name, ours), (expected, theirs))| {
                    name == expected && (ours == theirs || in_array(&case, ours, theirs))
                });
            if !agree {
                differences.push(format!("{}: {kind}: {ours:?}, not {theirs:?}", case.display()));
            }
        };
        let block =
            |block: simd_hcl::body::Block<'_>| place(block.source(), block.definition_span());
        compare(
            "variables",
            module.variables.iter().map(|each| (each.name.to_owned(), block(each.block))).collect(),
        );
        compare(
            "outputs",
            module.outputs.iter().map(|each| (each.name.to_owned(), block(each.block))).collect(),
        );
        compare(
            "module_calls",
            module.calls.iter().map(|each| (each.name.to_owned(), block(each.block))).collect(),
        );
        compare(
            "locals",
            module
                .locals
                .iter()
                .map(|each| {
                    let attribute = each.attribute;
                    (each.name.to_owned(), place(attribute.source(), attribute.span()))
                })
                .collect(),
        );
        for (kind, mode) in [("managed_resources", Mode::Managed), ("data_resources", Mode::Data)] {
            let resources = module.resources.iter().filter(|each| each.mode == mode);
            compare(
                kind,
                resources.map(|each| (each.address().to_string(), block(each.block))).collect(),
            );
        }
    }
    println!("{compared} modules compared");
    assert!(compared > 100, "only {compared} modules were compared");
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}
