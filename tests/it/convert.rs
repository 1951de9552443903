//! Converted files declare the same as the originals, also after they are converted back.

use std::fs;
use std::path::Path;

use simd_hcl::convert::{
    Converted, JsonBlocks, lost_comments, split_json, split_native, to_json, to_native,
};
use simd_hcl::dialect::{FileKind, List, Syntax, name_in_other_syntax};
use simd_hcl::diff::{Objects, changes};
use simd_hcl::fuzzing::every_construct;
use simd_hcl::show::{BodySchemas, SchemaBlock, SchemaKind, Schemas};
use simd_hcl::structure::File;
use simd_hcl::{Arena, Diagnostic, Dialect, Document, Expression, ParsedFile, Source};
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

/// Every construct of the language means the same in the other syntax, and keeps its comments.
#[test]
fn generated_files_mean_the_same() {
    let lists =
        [List::Primary, List::Override, List::Test, List::Variables, List::Mock, List::Query];
    let kinds = [Dialect::OpenTofu, Dialect::Terraform].into_iter();
    let kinds = kinds.flat_map(|dialect| lists.map(|list| (dialect, list)));
    let kinds: Vec<_> = kinds
        .chain([
            (Dialect::Packer, List::Primary),
            (Dialect::Packer, List::Variables),
            (Dialect::Terraform, List::Component),
            (Dialect::Terraform, List::Deployment),
        ])
        .collect();
    let mut compared = 0;
    for (seed, &kind) in (0..sized([300, 3_000, 30_000])).zip(kinds.iter().cycle()) {
        let mut state = seed as u64 * 2 + 1;
        let mut choose = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let text = every_construct(kind.0, kind.1, &mut choose);
        compared += usize::from(is_the_same(&text, kind));
    }
    assert!(compared > 100, "only {compared} files could be converted");
}

const KINDS: [Option<(Dialect, List)>; 5] = [
    None,
    Some((Dialect::OpenTofu, List::Primary)),
    Some((Dialect::OpenTofu, List::Test)),
    Some((Dialect::Packer, List::Primary)),
    Some((Dialect::Terraform, List::Variables)),
];

/// Converts JSON to native syntax and back; `None` if one of them has no equivalent.
fn there_and_back(json: &str, kind: Option<(Dialect, List)>) -> Option<String> {
    let arena = Arena::new();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let document = Document::parse_bytes(&arena, "json", json.as_bytes()).ok()?;
    let native = to_native(document, kind, &|_, _| None, &mut found).text;
    let source = Source::from_bytes(&arena, "native", native.as_bytes()).ok()?;
    let file = File::parse(&arena, source, &mut found);
    file.check(&mut found);
    let json = to_json(file, kind, &mut found).text;
    found.is_empty().then_some(json)
}

/// Converts JSON there and back until it does not change any more. Returns the last two texts if it does
/// not settle.
fn settled(json: &str, kind: Option<(Dialect, List)>) -> Result<(), [String; 2]> {
    let mut last = json.to_owned();
    for _ in 0..20 {
        match there_and_back(&last, kind) {
            Some(next) if next != last => last = next,
            _ => return Ok(()),
        }
    }
    let next = there_and_back(&last, kind).unwrap_or_default();
    Err([last, next])
}

/// Every construct of the language settles.
#[test]
fn generated_files_settle() {
    let mut failed = 0;
    let seeds = 0..sized([10_usize, 200, 5_000]);
    let random = seeds.map(|seed| {
        let mut state = seed as u64 * 2 + 1;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u8
        };
        (0..5_000).map(|_| next()).collect::<Vec<u8>>()
    });
    let repeated = ["{\"x\":\"${{(null) = 1}}\"}"].map(|it| it.repeat(200).into_bytes());
    for choices in repeated.into_iter().chain(random) {
        for kind in KINDS.into_iter().flatten() {
            let mut choices = choices.iter().copied();
            let mut choose = |below: usize| usize::from(choices.next().unwrap_or_default()) % below;
            let native = every_construct(kind.0, kind.1, &mut choose);
            let arena = Arena::new();
            let source = Source::from_bytes(&arena, "native", native.as_bytes()).unwrap();
            let mut found: Vec<Diagnostic<'_>> = Vec::new();
            let json =
                to_json(File::parse(&arena, source, &mut found), Some(kind), &mut found).text;
            if let (true, Err([one, other])) = (found.is_empty(), settled(&json, Some(kind))) {
                let differences =
                    one.lines().zip(other.lines()).filter(|(one, other)| one != other);
                for (one, other) in differences.take(3) {
                    println!("{kind:?}\n{one}\n{other}");
                }
                failed += 1;
            }
        }
    }
    assert_eq!(failed, 0);
}

/// A key of an object may be any expression. Files that have been converted there and back often enough
/// do not change any more.
#[test]
fn keys_settle() {
    const KEYS: [&str; 26] = [
        "null",
        "(null)",
        "1",
        "(1)",
        "-1",
        "(-1)",
        "1.50",
        "(1.50)",
        "(1e3)",
        "true",
        "(true)",
        "a",
        "(a)",
        "(a.b)",
        "a.b",
        "((a))",
        "((null))",
        "for",
        "(a ? b : c)",
        "(a == null)",
        "([])",
        "({})",
        "(upper(a))",
        "[for x in a : x]",
        "({ (null) = 1 })",
        "(\n null\n)",
    ];
    let quoted =
        ["a", "null", "1", "${a}", "${null}", "${1}", "x-${1}", "x-${null}", "$${a}", "${\"b\"}"];
    let quoted = quoted.iter().flat_map(|it| [format!("\"{it}\""), format!("(\"{it}\")")]);
    let keys: Vec<String> = KEYS.iter().map(|it| (*it).to_owned()).chain(quoted).collect();
    let mut failed = Vec::new();
    for key in &keys {
        for text in [
            format!("{{{key} = 1}}"),
            format!("{{{key} = 1, b = 2}}"),
            format!("[{{{key} = {{{key} = 1}}}}]"),
        ] {
            let mut first = String::from("{\"x\": ");
            first.push_str(&serde_json::to_string(&format!("${{{text}}}")).unwrap());
            first.push_str("}\n");
            for kind in KINDS {
                if let Err([one, other]) = settled(&first, kind) {
                    failed.push(format!("{kind:?} {first}{one}{other}"));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A large file is converted piece by piece, with the result of the whole.
#[test]
fn pieces_are_the_whole() {
    let kind = Some((Dialect::OpenTofu, List::Primary));
    for case in crate::terraform_cases().into_iter().step_by(sized([6, 1, 1])) {
        let Ok(entries) = fs::read_dir(case.join("dir")) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let (arena, mut whole, mut found) = (Arena::new(), String::new(), Vec::new());
            let Ok(source) = Source::read(&arena, &path) else { continue };
            if name.ends_with(".tf.json") {
                let Ok(document) = Document::parse(&arena, source) else { continue };
                whole.push_str(&to_native(document, kind, &|_, _| None, &mut found).text);
                let mut text = String::new();
                let done = split_json(document, kind, 64, &mut |piece| {
                    let scratch = Arena::new();
                    let document =
                        Document::parse_bytes(&scratch, "piece", piece.as_bytes()).unwrap();
                    let piece = to_native(document, kind, &|_, _| None, &mut ()).text;
                    text.push_str(if text.is_empty() || piece.is_empty() { "" } else { "\n" });
                    text.push_str(&piece);
                    Some(())
                });
                // Invalid text is not laid out.
                let whole_file = Source::from_bytes(&arena, "whole", whole.as_bytes()).unwrap();
                File::parse(&arena, whole_file, &mut found).check(&mut found);
                if done.is_some() && found.is_empty() {
                    assert_eq!(text, whole, "{}", path.display());
                }
            } else if name.ends_with(".tf") {
                let file = File::parse(&arena, source, &mut found);
                whole.push_str(&to_json(file, kind, &mut found).text);
                let skeleton = File::skeleton(&arena, source, &mut found);
                let Some(pieces) = split_native(skeleton, kind, 64) else { continue };
                let mut blocks = JsonBlocks::default();
                for piece in pieces {
                    let text = piece.slice(source.bytes());
                    let piece = Source::from_bytes(&arena, "piece", text).unwrap();
                    blocks.add(File::parse(&arena, piece, &mut found), kind, &mut ()).unwrap();
                }
                if found.is_empty() {
                    assert_eq!(blocks.finish(), whole, "{}", path.display());
                }
            }
        }
    }
}

/// Compares a native file with what it becomes, and that with what it becomes again. Returns false if it
/// cannot be converted.
fn is_the_same(text: &str, (dialect, list): (Dialect, List)) -> bool {
    let arena = Arena::new();
    let kind = Some((dialect, list));
    let source = Source::from_bytes(&arena, "main.tf", text.as_bytes()).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let file = File::parse(&arena, source, &mut found);
    file.check(&mut found);
    let broken: Vec<_> = found.iter().map(Diagnostic::code).collect();
    assert!(broken.is_empty(), "{broken:?}\n{text}");
    let json = to_json(file, kind, &mut found).text;
    if !found.is_empty() {
        return false;
    }
    let native = ParsedFile::native(&arena, source);
    let document = Document::parse_bytes(&arena, "main.tf.json", json.as_bytes()).unwrap();
    let twin = ParsedFile::json(document);
    let differ = |files: [_; 2], text: &str| {
        let differences = differences(&arena, files, (dialect, list));
        assert!(differences.is_empty(), "{}\n{text}\n{json}", differences.join("\n"));
    };
    differ([native, twin], text);
    assert!(lost_comments(native, twin).is_empty(), "{text}\n{json}");
    let back = to_native(document, kind, &|_, _| None, &mut found).text;
    if found.is_empty() {
        let source = Source::from_bytes(&arena, "main.tf", back.as_bytes()).unwrap();
        differ([twin, ParsedFile::native(&arena, source)], &back);
    }
    true
}

/// The values that differ between two files.
fn differences<'a>(
    arena: &'a Arena,
    files: [ParsedFile<'a>; 2],
    (dialect, list): (Dialect, List),
) -> Vec<String> {
    let read = |file: ParsedFile<'a>| Objects::read(arena, dialect, [(list, "file", file.body())]);
    let [old, new] = files.map(read);
    let text =
        |it: Option<Expression<'_>>| it.map(|it| String::from_utf8_lossy(it.text()).into_owned());
    let found = changes(&old, &new);
    let texts = found.iter().map(|change| {
        let leaves = change.leaves.iter().map(|leaf| {
            format!("{}: {:?} -> {:?}", leaf.path, text(leaf.before), text(leaf.after))
        });
        format!("{} {}", change.address, leaves.collect::<Vec<_>>().join(", "))
    });
    texts.collect()
}
