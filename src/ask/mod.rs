//! Answers to questions about a position in the files of a tree, as editors, agents and scripts ask
//! them.
//!
//! [`Answers`] has a method for each question, each in a file of its own. Files have the names of
//! their sources, positions are offsets in bytes, and answers own their data: names of files,
//! spans, texts. The servers and bindings only translate them.
//!
//! | question | answer |
//! |---|---|
//! | what is here | [`Answers::hover`], [`Answers::values`], [`Answers::signature`] |
//! | where is it declared | [`Answers::definition`], [`Answers::links`] |
//! | what names it | [`Answers::references`], [`Answers::lenses`] |
//! | which modules call this one | [`Answers::incoming_calls`], [`Answers::outgoing_calls`] |
//! | what can be written here | [`Answers::completions`] |
//! | how is it renamed | [`Answers::renamable`], [`Answers::rename`] |
//! | what does the file declare | [`Answers::symbols`], [`Answers::workspace_symbols`], [`workspace_symbols()`] |
//! | how is it shown | [`Answers::tokens`], [`Answers::folds`], [`Answers::selection`], [`Answers::hints`] |
//!
//! [`ask_unit()`] answers such questions about files of units of Terragrunt.
//!
//! Both syntaxes have the same answers. A file may be half-written: completions depend only on the
//! text before the position, and other answers cover the parts that can be parsed. Secrets are
//! never shown.
//!
//! ```
//! use simd_hcl::Arena;
//! use simd_hcl::ask::Answers;
//! use simd_hcl::show::BodySchemas;
//! use simd_hcl::tree::Tree;
//!
//! let arena = Arena::new();
//! let tree = Tree::open(&arena, &["corpus/monorepo"])?;
//! let schemas = BodySchemas::built_in(&arena);
//! let answers = Answers::new(&tree, &schemas);
//!
//! let symbols = answers.workspace_symbols("var.readers", 10);
//! let place = &symbols[0].place;
//! let references = answers.references(&place.file, place.span.start, false);
//! assert!(!references.is_empty());
//! # Ok::<(), simd_hcl::directory::DiscoverProblem>(())
//! ```

mod answers;
mod calls;
mod completion;
mod context;
mod definition;
mod expressions;
mod folding;
mod hints;
mod hover;
mod lens;
mod links;
mod markdown;
mod named;
mod outline;
mod quotes;
mod references;
mod rename;
mod schema;
mod selection;
mod signature;
mod symbols;
mod tokens;
mod unit_file;
mod unit_names;
mod units;
mod value;
mod variables;
mod workspace_symbols;

pub use self::answers::{Answers, FileSpan};
pub use self::calls::{ModuleCalls, ModuleItem};
pub use self::completion::{Completion, CompletionKind, Completions};
pub use self::folding::Fold;
pub use self::hints::Hint;
pub use self::hover::Hover;
pub use self::lens::Lens;
pub use self::links::{Link, LinkTarget};
pub use self::named::Named;
pub use self::references::Reference;
pub use self::rename::Renamed;
pub use self::signature::Signature;
pub use self::symbols::{Symbol, SymbolKind, WorkspaceSymbol};
pub use self::tokens::{Token, TokenKind};
pub use self::units::ask_unit;
pub use self::value::ShownValue;
pub use self::workspace_symbols::workspace_symbols;
