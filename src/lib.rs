//! Reads the configuration of OpenTofu, Terraform and Packer, in JSON (`.tf.json`, `.tofu.json`,
//! `.pkr.json`) and in native syntax, and the plans, states and other JSON that these tools write.
//!
//! ```
//! use simd_hcl::body::{BlockSchema, Schema};
//! use simd_hcl::{Arena, Document};
//!
//! static ROOT: Schema = Schema::new(&[], &[BlockSchema::new("resource", &["type", "name"])]);
//!
//! let arena = Arena::new();
//! let json = br#"{"resource": {"aws_instance": {"web": {"ami": "${var.ami}"}}}}"#;
//! let document = Document::parse_bytes(&arena, "main.tf.json", json)?;
//!
//! let mut diagnostics = Vec::new();
//! let content = document.body().content(&ROOT, &mut diagnostics);
//! let web = content.blocks("resource").next().unwrap();
//! assert_eq!(web.labels().collect::<Vec<_>>(), ["aws_instance", "web"]);
//!
//! let attributes = web.body().just_attributes(&mut diagnostics);
//! let ami = attributes[0].expression();
//! assert_eq!(ami.to_str(), Some("${var.ami}"));
//! let at = document.source().position(ami.span().start);
//! assert_eq!((at.line, at.column), (1, 47));
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```
//!
//! # Types by task
//!
//! | to | take |
//! |---|---|
//! | own all decoded data | [`Arena`] |
//! | parse one JSON file of any dialect | [`Document`] |
//! | parse one file in either syntax | [`ParsedFile`] |
//! | read values without a schema | [`Document::root`], [`Node`], [`json`] |
//! | walk a whole file without views | [`Document::events`] |
//! | read attributes and blocks by a schema | [`Document::body`], [`Body`], [`Schema`] |
//! | list the references of an attribute | [`Expression::variables`] |
//! | read an attribute as a list, a reference, a keyword, a type | [`Expression`], [`expression::TypeConstraint`] |
//! | compute the value of an attribute | [`Expression::value`], [`evaluate::Scope`], [`value::Value`] |
//! | find every template of a file, without a schema | [`Document::templates`] |
//! | parse an expression that is not in a file | [`native::Native`] |
//! | read the attributes and blocks of a native file (`.tf`) | [`structure::File`] |
//! | write a native file in canonical layout | [`format::format`] |
//! | call the functions of OpenTofu | `functions`, with the feature of that name |
//! | find the modules of a tree, and decode their files in parallel | [`directory`] |
//! | list what a module declares and refers to | [`module::Module`], [`reference::Reference`] |
//! | list what a Packer template declares and refers to | [`packer::Template`] |
//! | answer questions about a place in a file | `ask`, with the feature of that name |
//! | make the reference page of a module | `docs`, with the feature of that name |
//! | find dependencies across a tree | [`tree::Tree`], [`tree::Graph`] |
//! | select blocks and attributes by a path pattern | [`query`] |
//! | compare two configurations | [`diff`] |
//! | find out which values of configuration must not be shown | [`hidden`] |
//! | get errors and warnings | [`Diagnostic`], [`Sink`]; [`OwnedDiagnostic`] if there is no document |
//! | read JSON of any length in bounded memory | [`stream`] |
//! | read plans, states and provider schemas | [`show`] |
//! | check a plan by rules | [`policy`] |
//! | check style and upkeep of configuration | `rules`, with the feature of that name |
//! | read files that are compressed with gzip or zstd | `compression`, with the feature of that name |
//! | read the binary files that `plan -out` writes | `plan_file`, with the feature `plan-file` |
//! | read bodies by a specification, as `hcldec` does | `spec`, with the feature of that name |
//! | write native files as the JSON of hcl2json | `hcl2json`, with the feature of that name |
//! | read files of either syntax into your own types | `serde`, with the feature of that name |
//! | keep a diagnostic, render it, or report your own findings | [`report`], [`OwnedDiagnostic`] |
//! | keep a document, a file or a tree in a cache or a server | [`OwnedDocument`], [`OwnedFile`], [`OwnedTree`] |
//! | write JSON | [`mod@write`] |
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | none | | sources, JSON, bodies, expressions, values and their evaluation |
//! | `parallel` | yes | several threads, of the current rayon pool; an [`Arena`] can be shared between threads |
//! | `mmap` | yes | files are mapped; without it [`Source::map`] reads them |
//! | `owned` | yes | [`OwnedDocument`], [`OwnedFile`], [`OwnedTree`] |
//! | `documents` | yes | [`show`], [`policy`] |
//! | `model` | yes | [`directory`], [`module`], [`tree`], [`query`], [`diff`], [`convert`], with `documents` and `parallel` |
//! | `packer` | yes | [`packer`], with `model` |
//! | `functions` | | the functions of OpenTofu whose results depend only on their arguments |
//! | `ask` | | answers to questions about a place in a tree: [`ask`], with `workspace` |
//! | `compression` | | files that are compressed with gzip or zstd |
//! | `plan-file` | | the binary files that `plan -out` writes, with `documents` and `compression` |
//! | `rules` | | rules of style and upkeep, with `model` and `functions` |
//! | `hcl2json` | | the JSON of hcl2json, which `@cdktf/hcl2json` and `hcl2-parser` return |
//! | `serde` | | your own types from documents, bodies, expressions and values; JSON of diagnostics |
//! | `terragrunt` | | [`terragrunt`] and [`terramate`], with `model` and `functions` |
//! | `docs` | | reference pages of modules, with `model` and `functions` |
//! | `workspace` | | trees that stay in memory while files change: [`workspace`], with `rules` and `owned` |
//! | `spec` | | specifications of bodies, as `hcldec` reads them, with `functions` and `parallel` |
//! | `render` | | diagnostics with source excerpts: [`report`] |
//! | `miette` | | an [`OwnedDiagnostic`] is a `miette::Diagnostic` |
//!
//! # Guarantees
//!
//! - Every byte of a JSON file is validated before any of it is read: RFC 8259, UTF-8, a limit on
//!   nesting.
//! - Every input has a result or a diagnostic at its exact place, in linear time, without recursion
//!   and without a panic.
//! - Views borrow from the file if possible, otherwise from the arena. Numbers keep their text, and
//!   objects keep all their members in order.
//! - The same input has the same results and diagnostics, with every kernel and any number of
//!   threads.
//! - Opening a view takes no lock that is held across other work and enters no thread pool, so
//!   views may be read under locks and inside jobs.
//!
//! `docs/guarantees.md` has the cost of each entry point, and the test that proves it.
//!
//! # Limits
//!
//! A source must be smaller than 4 GiB ([`source::MAX_LEN`]); a [`stream`] has no limit. Only JSON
//! files have events.

#![cfg_attr(docsrs, feature(doc_cfg))]
// The lower layers have functions that only the layers of some features call.
#![cfg_attr(
    not(all(feature = "functions", feature = "mmap", feature = "packer", feature = "serde")),
    allow(dead_code, unused_imports)
)]
// Processors without a kernel for them do not run the vectorised engines.
#![cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))),
    allow(dead_code)
)]

pub mod arena;
#[cfg(feature = "ask")]
pub mod ask;
pub mod body;
#[cfg(feature = "model")]
mod command_line;
#[cfg(feature = "compression")]
pub mod compression;
#[cfg(feature = "model")]
pub mod convert;
#[cfg(feature = "model")]
pub mod deployments;
pub mod diagnostic;
#[cfg(feature = "model")]
pub mod dialect;
#[cfg(feature = "model")]
pub mod diff;
#[cfg(feature = "model")]
pub mod directory;
#[cfg(feature = "docs")]
pub mod docs;
pub mod document;
#[cfg(feature = "model")]
pub mod edit;
mod encoding;
mod engine;
pub mod evaluate;
pub mod event;
#[cfg(feature = "model")]
pub mod expand;
pub mod expression;
#[cfg(feature = "model")]
pub mod facts;
mod fault;
mod file;
pub mod format;
#[cfg(feature = "functions")]
pub mod functions;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
#[cfg(feature = "documents")]
pub mod glob;
mod hash;
#[cfg(feature = "hcl2json")]
pub mod hcl2json;
#[cfg(feature = "model")]
pub mod hidden;
#[cfg(feature = "model")]
pub mod impact;
pub mod json;
mod lexical;
mod mapping;
#[cfg(feature = "model")]
pub mod module;
pub mod native;
#[cfg(feature = "owned")]
mod owned;
#[cfg(feature = "packer")]
pub mod packer;
#[cfg(feature = "documents")]
mod parallel;
mod parsed;
#[cfg(feature = "plan-file")]
pub mod plan_file;
#[cfg(feature = "documents")]
pub mod policy;
pub mod position;
mod program;
#[cfg(feature = "model")]
pub mod query;
#[cfg(feature = "model")]
pub mod refactor;
pub mod reference;
#[cfg(any(feature = "model", feature = "plan-file"))]
mod relative;
pub mod report;
#[cfg(feature = "model")]
pub mod representation;
#[cfg(feature = "model")]
pub mod review;
#[cfg(feature = "rules")]
pub mod rules;
pub mod scan;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(feature = "documents")]
pub mod show;
pub mod source;
pub mod span;
#[cfg(feature = "spec")]
pub mod spec;
#[cfg(feature = "model")]
pub mod stacks;
mod steps;
pub mod stream;
pub mod structure;
pub mod suggest;
#[cfg(feature = "terragrunt")]
pub mod terragrunt;
#[cfg(feature = "terragrunt")]
pub mod terramate;
#[cfg(feature = "model")]
pub mod tree;
#[cfg(feature = "model")]
pub mod typed;
pub mod value;
mod word;
#[cfg(feature = "workspace")]
pub mod workspace;
pub mod write;

pub use arena::Arena;
pub use body::{Body, Schema};
pub use diagnostic::{Code, Diagnostic, Severity, Sink};
#[cfg(feature = "model")]
pub use dialect::Dialect;
pub use document::Document;
pub use event::ParseOptions;
pub use expression::Expression;
pub use json::Node;
#[cfg(all(feature = "owned", feature = "model"))]
pub use owned::OwnedTree;
#[cfg(feature = "owned")]
pub use owned::{OwnedDocument, OwnedFile};
pub use parsed::ParsedFile;
pub use position::Position;
pub use report::OwnedDiagnostic;
pub use scan::Kernel;
pub use source::Source;
pub use span::Span;

/// The examples of the page about the library are tested.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Library;

/// The examples of the tutorial are tested.
#[cfg(doctest)]
#[doc = include_str!("../docs/tutorials/embed.md")]
struct Tutorial;
