//! `yamldecode` and `yamlencode`.
//!
//! OpenTofu reads and writes YAML with go-cty-yaml, whose syntax is that of libyaml: YAML 1.1,
//! without some of its corners, and scalars of YAML 1.2 with the booleans of 1.1. [`scanner`] splits a
//! text into tokens, [`parser`] these into events, [`decode`] makes a value of them, [`scalar`] reads
//! a scalar. [`encode`] writes the layout of that library.
//!
//! This reader is our own because the result must equal that of go-cty-yaml, value for value. Of
//! the crates that read YAML, saphyr-parser and granit-parser follow version 1.2, which gives other
//! values for the same text, and libyaml-safer, a translation of libyaml, panics on `[!a,b]` and
//! differs in flow scalars. A crate would only have replaced the scanner and the parser: the tags,
//! scalars, merge keys and the layout of the output are those of that one library.
//!
//! Nothing recurses, and time is linear in the text. Aliases share the value of their anchor.

mod decode;
mod encode;
mod parser;
mod scalar;
mod scanner;

pub(crate) use self::parser::{Event, Parser};
pub(crate) use self::scanner::{Problem, Style};
use super::builtin::{Builtin, function};

pub(super) const FUNCTIONS: &[Builtin] =
    &[function("yamldecode", decode::decode), function("yamlencode", encode::encode)];
