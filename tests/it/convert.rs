//! Converted files declare the same as the originals, also after they are converted back.

use std::fs;
use std::path::Path;

use simd_hcl::convert::{Converted, to_json, to_native};
use simd_hcl::dialect::{FileKind, List, Syntax, name_in_other_syntax};
use simd_hcl::show::{BodySchemas, SchemaBlock, SchemaKind, Schemas};
use simd_hcl::structure::File;
use simd_hcl::{Arena, Diagnostic, Dialect, Document, Source};
use simd_hcl_corpus::sized;

use crate::configuration::represent;

const DIALECT: Dialect = Dialect::Terraform;

/// A case with a text that is not UTF-8, which JSON replaces.
const NOT_UTF8: &str = "blocks-error/008-invalid-utf8";

/// Returns the schemas of a case. Its stubs have each type once.
fn stubs<'a>(case: &Path, arena: &'a Arena) -> Option<Schemas<'a>> {
    let source = Source::read(arena, case.join("schemas.json")).ok()?;
    Schemas::of(Document::parse(arena, source).unwrap(), &mut ())
}

fn schema_of<'a>(
    schemas: Option<Schemas<'a>>,
    block_type: &str,
    label: &str,
) -> Option<SchemaBlock<'a>> {
    let kind = match block_type {
        "resource" => SchemaKind::Resource,
        "data" => SchemaKind::DataSource,
        "ephemeral" => SchemaKind::Ephemeral,
        "provider" => {
            let name = |full: &str| full.rsplit('/').next() == Some(label);
            let found = schemas?.providers().find(|(full, _)| name(full))?.1;
            return found.provider().value()?.block().value();
        }
        _ => return None,
    };
    let (_, found) = schemas?.find(kind, label).next()?;
    found.block().value()
}

/// Returns a file in the other syntax; `None` if a part of it cannot be converted.
fn converted(name: &str, text: &[u8], schemas: Option<Schemas<'_>>) -> Option<Converted> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, name, text).unwrap();
    let kind = FileKind::of_known(name.as_ref(), DIALECT)?;
    let place = Some((DIALECT, kind.list));
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let converted = match kind.syntax {
        Syntax::Json => {
            let document = Document::parse(&arena, source).ok()?;
            to_native(document, place, &|block, label| schema_of(schemas, block, label), &mut found)
        }
        Syntax::Native => {
            let file = File::parse(&arena, source, &mut found);
            file.check(&mut found);
            to_json(file, place, &mut found)
        }
    };
    found.is_empty().then_some(converted)
}

fn is_of_module(kind: FileKind) -> bool {
    kind.list != List::Other
}

/// Converts the files in a directory and below it. Returns false if a part of one cannot be
/// converted.
fn convert_all(from: &Path, to: &Path, schemas: Option<Schemas<'_>>) -> bool {
    fs::create_dir_all(to).unwrap();
    fs::read_dir(from).unwrap().all(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        if path.is_dir() {
            return convert_all(&path, &to.join(name), schemas);
        }
        let text = fs::read(&path).unwrap();
        let Some(name) = name
            .to_str()
            .filter(|it| FileKind::of_known(it.as_ref(), DIALECT).is_some_and(is_of_module))
        else {
            fs::write(to.join(name), text).unwrap();
            return true;
        };
        let Some(other) = converted(name, &text, schemas) else { return false };
        fs::write(to.join(name_in_other_syntax(name.as_ref())), other.text).unwrap();
        true
    })
}

#[test]
fn converted_modules_declare_the_same() {
    let (mut compared, mut differences) = (0, Vec::new());
    for case in crate::terraform_cases().into_iter().step_by(sized([4, 1, 1])) {
        let text = fs::read_to_string(case.join("expected.json")).unwrap();
        let expected: serde_json::Value = serde_json::from_str(&text).unwrap();
        // Modules that the tool does not load have parts that native syntax cannot express.
        if expected.get("configuration").is_none() || case.ends_with(NOT_UTF8) {
            continue;
        }
        let arena = Arena::new();
        let schemas = stubs(&case, &arena);
        let folder = tempfile::tempdir().unwrap();
        let [native, back] = ["native", "back"].map(|name| folder.path().join(name));
        if !convert_all(&case.join("dir"), &native, schemas)
            || !convert_all(&native, &back, schemas)
        {
            differences.push(format!("{}: not converted", case.display()));
            continue;
        }
        compared += 1;
        let all = [case.join("dir"), native, back].map(|directory| {
            let schemas = schemas.map(|schemas| BodySchemas::new(schemas).with_built_in(&arena));
            represent(&arena, &directory, DIALECT, schemas, false)
        });
        if all[0] != all[1] || all[0] != all[2] {
            let all = all.map(|it| it.map_or_else(|| "nothing".to_owned(), |it| it.to_string()));
            differences.push(format!("{}:\n{}", case.display(), all.join("\n")));
        }
    }
    println!("{compared} compared");
    assert!(compared > 60, "only {compared} cases were compared");
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}
