//! Native files of public repositories, where `SIMD_HCL_REPOSITORIES` names a folder of checkouts of
//! hashicorp/terraform, opentofu/opentofu, hashicorp/packer and gruntwork-io/terragrunt.
//!
//! They parse, except those that are broken on purpose; what parses is formatted once and for all,
//! and can be converted there and back.

use std::fs;
use std::path::{Path, PathBuf};

use simd_hcl::convert::{to_json, to_native};
use simd_hcl::format::{Style, format};
use simd_hcl::structure::File;
use simd_hcl::{Arena, Diagnostic, Document, Source};

/// A part of the path of each file that the reference refuses, too.
const BROKEN: &[&str] = &[
    "init-syntax-invalid-backend-attribute-invalid/",
    "broken_no_valid_hcl/",
    "invalid-files/interp-in-data-label.tf",
    "invalid-files/interp-in-rsrc-label.tf",
    "invalid-files/json-as-native-syntax.tf",
    "invalid-files/provider-syntax.tf",
    "multiple-required-providers-with-syntax-error/other.tf",
    "fmt_errs/malformed.pkr.hcl",
    "hcp-packer-iteration/test-fixtures/",
    "hcp-packer-version/test-fixtures/",
    "duplicate_required_plugins/packer.pkr.hcl",
    "init-with-duplicates/secondary.tf",
    "init-with-overrides-and-duplicates/secondary_override.tf",
    "/repeated-attr",
    "duplicate-var-file/duplicate.tfvars",
    "/.boilerplate/terragrunt.hcl",
    "disabled/unit-disabled/terragrunt.hcl",
    "hcl-filter/validate/semantic-error/",
    "hcl-filter/validate/stacks/syntax-error/",
    "hcl-filter/validate/syntax-error/",
    "hclfmt-errors/",
    "hclvalidate/second/a/terragrunt.hcl",
];

fn native_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        let extension = path.extension().and_then(|extension| extension.to_str());
        if kind.is_dir() {
            native_files(&path, files);
        } else if kind.is_file() && matches!(extension, Some("tf" | "tofu" | "hcl" | "tfvars")) {
            files.push(path);
        }
    }
}

/// Whether a text is valid.
fn is_valid(text: &[u8]) -> bool {
    let arena = Arena::new();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    File::parse(&arena, Source::from_bytes(&arena, "a.hcl", text).unwrap(), &mut found)
        .check(&mut found);
    found.is_empty()
}

#[test]
fn files_are_read_formatted_and_converted() {
    let Some(folder) = std::env::var_os("SIMD_HCL_REPOSITORIES") else {
        println!(
            "skipped: files_are_read_formatted_and_converted (SIMD_HCL_REPOSITORIES names no folder)"
        );
        return;
    };
    let mut files = Vec::new();
    native_files(Path::new(&folder), &mut files);
    assert!(files.len() > 7_000, "{} files below {}", files.len(), folder.display());
    let mut refused = Vec::new();
    for path in &files {
        let text = fs::read(path).unwrap();
        if !is_valid(&text) {
            refused.push(path.to_string_lossy().replace('\\', "/"));
            continue;
        }
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "a.hcl", &text).unwrap();
        let mut found: Vec<Diagnostic<'_>> = Vec::new();
        let file = File::parse(&arena, source, &mut found);

        let once = format(file, Style::Tofu, &mut found).unwrap();
        assert!(is_valid(once.as_bytes()), "{}", path.display());
        let source = Source::from_bytes(&arena, "a.hcl", once.as_bytes()).unwrap();
        let again = format(File::parse(&arena, source, &mut found), Style::Tofu, &mut found);
        assert_eq!(again.unwrap(), once, "{}", path.display());

        let json = to_json(file, None, &mut ()).text;
        let document = Document::parse_bytes(&arena, "a.json", json.as_bytes()).unwrap();
        let back = to_native(document, None, &|_, _| None, &mut found).text;
        assert!(found.is_empty(), "{}: {found:?}", path.display());
        assert!(is_valid(back.as_bytes()), "{}", path.display());
    }
    let unexpected = refused.iter().filter(|path| !BROKEN.iter().any(|it| path.contains(it)));
    let unexpected: Vec<_> = unexpected.collect();
    assert!(unexpected.is_empty(), "{unexpected:#?}");
    let missing: Vec<_> =
        BROKEN.iter().filter(|it| !refused.iter().any(|path| path.contains(**it))).collect();
    assert!(missing.is_empty(), "not refused: {missing:?}");
}
