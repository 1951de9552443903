//! Native files and expressions as the JSON of hcl2json, which other tools read.
//!
//! [hcl2json](https://github.com/tmccombs/hcl2json) is a converter in Go. `@cdktf/hcl2json` and
//! `hcl2-parser` are its packages for JavaScript. [`to_json`] returns what it returns for a file, and
//! [`syntax_tree`] what `@cdktf/hcl2json` returns for an expression:
//!
//! * A block is an object in a list, below an object for each of its labels. Blocks of the same type and
//!   labels share a list.
//! * Numbers, `true`, `false`, `null`, lists, objects and texts are values of JSON. Any other
//!   expression is a text, `${…}`, with the expression as it is written.
//! * Templates are texts with their sequences. Escapes and heredocs are decoded, `<<-` is
//!   unindented.
//! * Members are sorted by name. Of equal keys, the last one counts.
//!
//! This is not the JSON syntax of HCL: [`convert`](crate::convert) writes that one, without loss.
//!
//! ```
//! use simd_hcl::hcl2json::{Version, to_json};
//! use simd_hcl::{Arena, Source};
//!
//! let arena = Arena::new();
//! let text = b"variable \"size\" {\n  type    = number\n  default = 2\n}\n";
//! let source = Source::from_bytes(&arena, "main.tf", text)?;
//! let json = to_json(source, Version::V0_6, &mut ()).unwrap();
//! assert_eq!(json, r#"{"variable":{"size":[{"default":2,"type":"${number}"}]}}"#);
//! # Ok::<(), simd_hcl::source::SourceError>(())
//! ```

mod body;
mod number;
#[cfg(test)]
mod tests;
mod tree;
mod value;

pub use self::body::to_json;
pub use self::tree::syntax_tree;

/// The version of hcl2json whose results are returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Version {
    /// 0.3, in `hcl2-parser` 1.0. Literal text is returned without escapes, so `$${a}` and `${a}` are
    /// the same. A template in which `null` stands is an error.
    V0_3,
    /// 0.6, in `@cdktf/hcl2json` 0.21. `${` and `%{` in literal text are escaped, as in native syntax.
    V0_6,
}

/// The maximum number of bytes that texts repeat: in a syntax tree, each node has the text of all
/// nodes below it; in a file, a number of few bytes can have a million digits.
const MAX_REPEATED: usize = 16 << 20;
