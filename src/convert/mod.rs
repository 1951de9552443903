//! Converts configuration between JSON and native syntax.
//!
//! The declarations of a file stay the same, its layout does not. Strings, numbers and expressions
//! are written exactly as the tools read them in the other syntax:
//!
//! * A JSON string that is one `${…}` becomes the expression in it, and vice versa. Other templates
//!   stay templates, with the escapes of the other syntax.
//! * Arguments that the tools read as a literal, a reference, a keyword or a type are written as
//!   such: `depends_on`, `provider`, `type`, `ignore_changes` and others.
//! * JSON does not mark nested blocks. Those of the language itself are known; those of a resource
//!   or a provider are known from the schemas of providers ([`Blocks`]). Without schemas, a name is
//!   taken for a block if public modules use it for nothing else, or if a `dynamic` block generates
//!   it; other objects and lists of objects are written as arguments, and counted
//!   ([`Converted::unknown_blocks`]).
//! * An expression that the tools read literally in JSON must be constant, and becomes its value.
//! * `"//"` members become comments. Comments before a block and in its body become its `"//"`
//!   member, in their order, also those in objects and tuples; those outside of blocks become that of
//!   the file. Comments in other expressions stay in their text. [`lost_comments`] finds those that
//!   have no place: in a constant that becomes its value.
//! * An object of JSON in the body of a resource or a provider that has a `"//"` member, or a `dynamic`
//!   block, is written as a block, since a value seldom has such keys; it is counted, too.
//!
//! ```
//! use simd_hcl::convert::{to_json, to_native};
//! use simd_hcl::dialect::{Dialect, List};
//! use simd_hcl::structure::File;
//! use simd_hcl::{Arena, Document, Source};
//!
//! let arena = Arena::new();
//! let json = br#"{"resource": {"x_a": {"b": {"provider": "x.west", "size": "${var.size}"}}}}"#;
//! let document = Document::parse_bytes(&arena, "main.tf.json", json)?;
//! let kind = Some((Dialect::OpenTofu, List::Primary));
//! let native = to_native(document, kind, &|_, _| None, &mut ()).text;
//! assert_eq!(native, "resource \"x_a\" \"b\" {\n  provider = x.west\n  size     = var.size\n}\n");
//!
//! let source = Source::from_bytes(&arena, "main.tf", native.as_bytes())?;
//! let json = to_json(File::parse(&arena, source, &mut ()), kind, &mut ()).text;
//! assert!(json.contains(r#""size": "${var.size}""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod comments;
mod json;
mod native;
mod pieces;
mod plain;
#[cfg(test)]
mod tests;
mod text;
mod walk;

pub use self::comments::lost_comments;
pub use self::json::to_json;
pub use self::native::to_native;
pub use self::pieces::{JsonBlocks, split_json, split_native};
pub use self::plain::JsonText;
pub use self::walk::{JsonArgument, JsonKey, JsonVisitor, visit_json};

use crate::show::SchemaBlock;

/// A file in the other syntax.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// Its text.
    pub text: String,
    /// The number of members that were written as arguments, but may be nested blocks: objects, and
    /// lists of objects, in bodies whose schema is not known.
    pub unknown_blocks: usize,
}

impl Converted {
    /// A text, and the number of members that may be nested blocks.
    #[must_use]
    pub fn new(text: String, unknown_blocks: usize) -> Self {
        Self { text, unknown_blocks }
    }
}

/// Finds the schema of a block by its type and its first label: `("resource", "aws_instance")`,
/// `("provider", "aws")`.
pub type Blocks<'f, 's> = &'f dyn Fn(&str, &str) -> Option<SchemaBlock<'s>>;
