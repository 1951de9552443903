//! The dependency lock file, `.terraform.lock.hcl`: the versions of providers that `init` has
//! selected.
//!
//! ```
//! use simd_hcl::module::LockFile;
//! use simd_hcl::{Arena, Dialect, ParsedFile, Source};
//!
//! let text = br#"
//! provider "registry.opentofu.org/hashicorp/aws" {
//!   version     = "5.0.0"
//!   constraints = "~> 5.0"
//!   hashes      = ["h1:abc="]
//! }
//! "#;
//! let arena = Arena::new();
//! let source = Source::from_bytes(&arena, ".terraform.lock.hcl", text)?;
//! let file = ParsedFile::native(&arena, source);
//! let mut diagnostics = Vec::new();
//! let locks = LockFile::read(Dialect::OpenTofu, file.body(), &mut diagnostics);
//! assert!(diagnostics.is_empty());
//! assert_eq!(locks.providers[0].version, Some("5.0.0"));
//! # Ok::<(), simd_hcl::source::SourceError>(())
//! ```

use super::provider_source::ProviderSource;
use super::read;
use super::version::{Version, VersionConstraint};
use crate::body::{AttributeSchema, Block, BlockSchema, Body, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::Dialect;
use crate::expression::Expression;
use crate::hash::HashMap;

static FILE: Schema<'static> = Schema::new(
    &[],
    // The tools reserve locks of modules for a later version.
    &[BlockSchema::new("provider", &["source_addr"]), BlockSchema::new("module", &["path"])],
);

static PROVIDER: Schema<'static> = Schema::new(
    &[
        AttributeSchema::required("version"),
        AttributeSchema::optional("constraints"),
        AttributeSchema::optional("hashes"),
    ],
    &[],
);

/// A dependency lock file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LockFile<'a> {
    /// The locked providers, in the order of the file.
    pub providers: Vec<LockedProvider<'a>>,
}

/// A `provider` block of a lock file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LockedProvider<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The address: host, namespace and type.
    pub source: ProviderSource<'a>,
    /// The selected version.
    pub version: Option<&'a str>,
    /// The constraints of the configuration when the version was selected.
    pub constraints: Option<&'a str>,
    /// The accepted checksums of packages, each with its scheme: `h1:…`.
    pub hashes: Vec<&'a str>,
}

impl<'a> LockFile<'a> {
    /// Reads a lock file. `dialect` has the host of addresses without one, which must be written.
    ///
    /// Cost: linear in the file.
    pub fn read(dialect: Dialect, body: Body<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let mut file = Self::default();
        let mut known: HashMap<&'a str, Label<'a>> = HashMap::default();
        for block in body.content(&FILE, sink).blocks("provider") {
            let Some(provider) = LockedProvider::read(dialect, block, sink) else { continue };
            let address = block.label(0).unwrap_or_default();
            if let Some(first) = known.get(address) {
                let diagnostic = invalid(block.definition_label(), "The provider is locked twice.");
                sink.report(diagnostic.with_related(*first, "locked first here"));
                continue;
            }
            known.insert(address, block.definition_label());
            file.providers.push(provider);
        }
        file
    }
}

impl<'a> LockedProvider<'a> {
    /// Reads a block; `None` if its address is invalid.
    fn read(dialect: Dialect, block: Block<'a>, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let address = block.label(0)?;
        let why = match ProviderSource::parse(address) {
            Err(_) => "The address must have the form hostname/namespace/type.",
            Ok(ProviderSource {
                host: Some("terraform.io"), namespace: Some("builtin"), ..
            }) => "The provider is part of the tool, so its version cannot be locked.",
            Ok(source) if source.parts_in(dialect).join("/") != address => {
                "The address must have a host and a namespace, and be in lower case."
            }
            Ok(source) => return Some(Self::of(block, source, sink)),
        };
        sink.report(invalid(block.label_place(0), why));
        None
    }

    fn of(block: Block<'a>, source: ProviderSource<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(&PROVIDER, sink);
        let mut text = |name, why, is_valid: fn(&str) -> bool| {
            let value = content.attribute(name)?.expression();
            text_of(value, why, is_valid, sink)
        };
        let version = text("version", "The version must be of the form 1.2.3.", is_normal);
        let constraints = text("constraints", "The version constraints are invalid.", |text| {
            text.is_empty() || VersionConstraint::parse_all(text).is_some()
        });
        let mut hashes = Vec::new();
        if let Some(hash_list) = content.attribute("hashes")
            && let Some(list) = hash_list.expression().list(sink)
        {
            let why = "A hash must be a string that starts with its scheme, such as \"h1:\".";
            let is_hash = |text: &str| text.find(':').is_some_and(|colon| colon > 0);
            let count = list.clone().count();
            hashes.extend(list.filter_map(|element| text_of(element, why, is_hash, sink)));
            if count == 0 {
                let label = hash_list.expression().label();
                sink.report(invalid(label, "The list of hashes must not be empty."));
            }
        }
        Self { block, source, version, constraints, hashes }
    }
}

/// Reads a text without variables.
fn text_of<'a>(
    value: Expression<'a>,
    why: &'static str,
    is_valid: impl Fn(&str) -> bool,
    sink: &mut dyn Sink<'a>,
) -> Option<&'a str> {
    let text = read::string(value, &mut ()).filter(|text| is_valid(text));
    if text.is_none() && !value.is_invalid() {
        sink.report(invalid(value.label(), why));
    }
    text
}

fn invalid<'a>(label: Label<'a>, why: &'static str) -> Diagnostic<'a> {
    Diagnostic::new(Code::ProviderLock, label).with_arguments(&[why])
}

/// Whether a version has three numbers, and nothing that could be left out.
fn is_normal(text: &str) -> bool {
    let is_plain = |number: &str| number == "0" || !number.starts_with('0');
    let numbers = text.split(['-', '+']).next().unwrap_or_default();
    !text.starts_with('v')
        && numbers.split('.').all(is_plain)
        && Version::parse(text).is_some_and(|version| version.segments.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Arena;
    use crate::parsed::ParsedFile;
    use crate::source::Source;

    /// The code of each diagnostic, and the text that it points at.
    fn problems(text: &str) -> Vec<(String, String)> {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, ".terraform.lock.hcl", text.as_bytes()).unwrap();
        let file = ParsedFile::native(&arena, source);
        let mut found: Vec<Diagnostic<'_>> = Vec::new();
        LockFile::read(Dialect::OpenTofu, file.body(), &mut found);
        let place = |it: &Diagnostic<'_>| {
            let bytes = it.span().slice(text.as_bytes());
            (it.code().to_string(), String::from_utf8_lossy(bytes).into_owned())
        };
        found.iter().map(place).collect()
    }

    #[test]
    fn locks_are_checked_as_the_tools_do() {
        let of = |body: &str| problems(&format!("provider \"a.io/b/c\" {{\n{body}\n}}\n"));
        let one = |code: &str, place: &str| vec![(code.to_owned(), place.to_owned())];
        assert_eq!(of("version = \"1.2.3-beta.1+x\"\nhashes = [\"h1:a=\", \"zh:b\"]"), []);
        assert_eq!(of("version = \"1.2.3\"\nconstraints = \">= 1.0, < 2.0.0\""), []);
        assert_eq!(of(""), one("missing-argument", "}"));
        for version in ["\"1.2\"", "\"v1.2.3\"", "\"1.02.3\"", "\"x\"", "null", "1", "a.b"] {
            assert_eq!(of(&format!("version = {version}")), one("provider-lock", version));
        }
        let rest = |rest: &str| of(&format!("version = \"1.2.3\"\n{rest}"));
        assert_eq!(rest("constraints = \"~~ 1\""), one("provider-lock", "\"~~ 1\""));
        assert_eq!(rest("hashes = []"), one("provider-lock", "[]"));
        assert_eq!(rest("hashes = [\"h1:a=\", \":b\"]"), one("provider-lock", "\":b\""));
        assert_eq!(rest("hashes = \"h1:a=\"")[0].0, "static-list-required");
        assert_eq!(rest("hash = 1")[0].0, "unsupported-argument");
        assert_eq!(problems("module \"x\" {}\n"), []);
        assert_eq!(problems("x = 1\n")[0].0, "unsupported-argument");
        for address in
            ["aws", "hashicorp/aws", "A.io/b/c", "a//b", "terraform.io/builtin/terraform"]
        {
            let text = format!("provider \"{address}\" {{\n  version = \"1.0.0\"\n}}\n");
            assert_eq!(problems(&text), one("provider-lock", &format!("\"{address}\"")));
        }
        let twice = "provider \"a.io/b/c\" {\n  version = \"1.0.0\"\n}\n".repeat(2);
        assert_eq!(problems(&twice), one("provider-lock", "provider \"a.io/b/c\""));
    }
}
