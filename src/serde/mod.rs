//! Reads and writes your own types with [serde](https://serde.rs): documents, bodies, expressions
//! and values.
//!
//! | to read | call | strings |
//! |---|---|---|
//! | any JSON: plans, states, settings | [`from_document`], [`from_node`] | as they are |
//! | configuration in either syntax, by blocks and attributes | [`from_body`] | templates, evaluated in a scope |
//! | configuration with its templates as text | [`from_body_literally`] | as they are |
//! | one attribute | [`from_expression`] | templates, evaluated in a scope |
//! | an evaluated value | [`from_value`] | |
//!
//! # Bodies
//!
//! The type is the schema. In a struct that is read from a body:
//!
//! - a struct or an enum is a block, and a `Vec` of them is the blocks of one type, in source
//!   order;
//! - fields with names that start with `$` take the labels of the block, in order. Further labels
//!   are names of properties, as in JSON; `#[serde(deny_unknown_fields)]` reports those without a
//!   field;
//! - the label of a block selects the variant of an enum. Such a block has no other label. For more,
//!   use a struct with one field for each variant, `struct Source { disk: Vec<Disk> }`: its fields
//!   take the first label;
//! - a map takes one label for each of its levels: `BTreeMap<String, BTreeMap<String, Resource>>`.
//!   It also reads an attribute with arbitrary keys;
//! - everything else is an attribute, which is evaluated, and converted between strings, numbers
//!   and booleans as in HCL. Attributes that are absent or null are `None`.
//!
//! Arrays at any level, repeated properties and `"//"` comments are read as in the JSON syntax
//! specification of HCL (see [`crate::body`]). Properties without a field are ignored, unless the
//! struct has `#[serde(deny_unknown_fields)]`. A struct with `#[serde(flatten)]` has no labels,
//! because serde does not name its fields. For `flatten`, `untagged` and `tag`, serde buffers the
//! values, which are then not converted.
//!
//! A native file is read like the equivalent JSON; [`ParsedFile::open`](crate::ParsedFile::open)
//! reads both. The type distinguishes blocks from attributes there, too, so an attribute with an
//! object can stand for a block. Read literally, an expression that JSON has no literal for is the
//! equivalent template: `var.ami` is the text `${var.ami}`. References, keywords and types, which
//! are strings in JSON, can be read from both as [`NativeText`]. An error in the structure of a
//! native file is an error for every type.
//!
//! ```
//! use serde::Deserialize;
//! use simd_hcl::evaluate::Scope;
//! use simd_hcl::serde::{Spanned, Unevaluated, from_body};
//!
//! #[derive(Deserialize)]
//! struct Configuration {
//!     #[serde(default)]
//!     resource: Vec<Resource>,
//! }
//!
//! #[derive(Deserialize)]
//! struct Resource {
//!     #[serde(rename = "$type")]
//!     kind: String,
//!     #[serde(rename = "$name")]
//!     name: Spanned<String>,
//!     count: Option<u32>,
//!     ami: Option<Unevaluated>,
//! }
//!
//! let arena = simd_hcl::Arena::new();
//! let json = br#"{"resource": {"aws_instance": {"web": {"count": "${1 + 1}", "ami": "${var.ami}"}}}}"#;
//! let document = simd_hcl::Document::parse_bytes(&arena, "main.tf.json", json)?;
//!
//! let configuration: Configuration = from_body(document.body(), &Scope::new())?;
//! let web = &configuration.resource[0];
//! assert_eq!((&*web.kind, &*web.name.value, web.count), ("aws_instance", "web", Some(2)));
//! assert_eq!(web.ami.as_ref().unwrap().0, "${var.ami}");
//! assert_eq!(document.source().position(web.name.span.start).column, 32);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Writing
//!
//! Views and values implement `Serialize`: documents, bodies, expressions and every view of plans,
//! states and schemas as their JSON, bodies of native files as the equivalent JSON, evaluated
//! values as JSON, [`Diagnostic`](crate::Diagnostic) and
//! [`OwnedDiagnostic`](crate::OwnedDiagnostic) as `simd-hcl check` prints them. With the feature
//! `model`, modules, Packer templates and trees are written as `simd-hcl inspect` prints them: see
//! `module::Inventory`. Numbers keep their exact value.
//! Sensitive values of a plan are written, too: see `show::redact`.
//!
//! ```
//! use simd_hcl::{Arena, Document};
//!
//! let arena = Arena::new();
//! let document = Document::parse_bytes(&arena, "a.json", br#"{"a": [1, 2.50, true]}"#)?;
//! assert_eq!(serde_json::to_string(&document)?, r#"{"a":[1,2.5,true]}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! Reading stops at the first error. [`Error`] has its exact place, and needs neither the arena nor
//! the document.
//!
//! # Cost
//!
//! Linear in the parts that the type asks for; parts without a field stay sealed. Serde recurses
//! with the data, so more than [`MAX_DEPTH`] levels are an error.

mod body;
mod depth;
mod error;
mod expression;
mod forward;
mod node;
#[cfg(feature = "model")]
pub(crate) mod object;
mod reader;
mod serialize;
mod spanned;
mod text;
mod value;
mod written;

use serde_core::de::Deserialize;

pub use self::depth::MAX_DEPTH;
pub use self::error::Error;
pub use self::spanned::Spanned;
pub use self::text::{NativeText, NumberText, Unevaluated};

use self::body::BodyDeserializer;
use self::expression::ExpressionDeserializer;
use self::node::NodeDeserializer;
use self::reader::Reader;
use self::value::ValueDeserializer;
use crate::arena::Arena;
use crate::body::Body;
use crate::document::Document;
use crate::evaluate::Scope;
use crate::expression::Expression;
use crate::json::Node;
use crate::value::Value;

/// Reads a whole document as JSON. See [`from_node`].
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Lock<'a> {
///     version: u32,
///     #[serde(borrow)]
///     names: Vec<&'a str>,
/// }
///
/// let arena = simd_hcl::Arena::new();
/// let document = simd_hcl::Document::parse_bytes(&arena, "a.json", br#"{"version": 1, "names": ["x"]}"#)?;
/// let lock: Lock<'_> = simd_hcl::serde::from_document(document)?;
/// assert_eq!((lock.version, lock.names), (1, vec!["x"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Borrowed data does not outlive the arena:
///
/// ```compile_fail,E0505
/// let arena = simd_hcl::Arena::new();
/// let document = simd_hcl::Document::parse_bytes(&arena, "a.json", br#"["x"]"#).unwrap();
/// let names: Vec<&str> = simd_hcl::serde::from_document(document).unwrap();
/// drop(arena);
/// names.len();
/// ```
///
/// # Errors
/// The document does not fit the type.
pub fn from_document<'a, T: Deserialize<'a>>(document: Document<'a>) -> Result<T, Error> {
    from_node(document.root())
}

/// Reads a JSON value. Strings without escapes are borrowed from the file, others from the arena.
///
/// Numbers are integers if they have neither a fraction nor an exponent, or if the type asks for an
/// integer and the value is one, such as `1e3`. Numbers that do not fit in an `f64` are an error;
/// [`NumberText`] keeps every digit.
///
/// # Errors
/// The value does not fit the type.
pub fn from_node<'a, T: Deserialize<'a>>(node: Node<'a>) -> Result<T, Error> {
    T::deserialize(NodeDeserializer::new(node))
}

/// Reads the body of a [`Document`], a [`ParsedFile`](crate::ParsedFile) in either syntax, a
/// [`File`](crate::structure::File) or a block. Templates are evaluated in `scope`. See [the
/// module](self) for how the type is used as the schema.
///
/// ```
/// use simd_hcl::evaluate::Scope;
/// use simd_hcl::serde::from_body;
/// use simd_hcl::structure::File;
/// use simd_hcl::{Arena, Source};
///
/// #[derive(serde::Deserialize)]
/// struct Settings {
///     service: Vec<Service>,
/// }
///
/// #[derive(serde::Deserialize)]
/// struct Service {
///     #[serde(rename = "$name")]
///     name: String,
///     port: u16,
/// }
///
/// let arena = Arena::new();
/// let text = b"service \"web\" {\n  port = 8000 + 80\n}\n";
/// let source = Source::from_bytes(&arena, "services.hcl", text)?;
/// let settings: Settings = from_body(File::parse(&arena, source, &mut ()), &Scope::new())?;
/// assert_eq!((&*settings.service[0].name, settings.service[0].port), ("web", 8080));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The body does not fit the type, or an expression that the type asks for has no value: it is
/// invalid, exceeds the scope's budget, or is unknown.
pub fn from_body<'a, T: Deserialize<'a>>(
    body: impl Into<Body<'a>>,
    scope: &Scope<'_, 'a>,
) -> Result<T, Error> {
    read_body(body.into(), Some(scope))
}

/// Reads a body without evaluating anything: strings are read as they are, with or without
/// templates. See [the module](self) for expressions of native files.
///
/// # Errors
/// The body does not fit the type.
pub fn from_body_literally<'a, T: Deserialize<'a>>(body: impl Into<Body<'a>>) -> Result<T, Error> {
    read_body(body.into(), None)
}

fn read_body<'a, T: Deserialize<'a>>(
    body: Body<'a>,
    scope: Option<&Scope<'_, 'a>>,
) -> Result<T, Error> {
    T::deserialize(BodyDeserializer::new(Reader { scope, depth: 0 }, body))
}

/// Evaluates an expression in `scope`, and reads its value. See [`from_value`].
///
/// # Errors
/// The expression has no value, or one that does not fit the type.
pub fn from_expression<'a, T: Deserialize<'a>>(
    expression: Expression<'a>,
    scope: &Scope<'_, 'a>,
) -> Result<T, Error> {
    let reader = Reader { scope: Some(scope), depth: 0 };
    T::deserialize(ExpressionDeserializer { reader, value: expression })
}

/// Reads a value, with the conversions of HCL between strings, numbers and booleans. Marks are
/// ignored: sensitive values are read as they are.
///
/// # Errors
/// The value does not fit the type, or a part that the type needs is unknown.
pub fn from_value<'a, T: Deserialize<'a>>(arena: &'a Arena, value: Value<'a>) -> Result<T, Error> {
    T::deserialize(ValueDeserializer::new(arena, value))
}
