//! Decodes the JSON side of HCL (OpenTofu, Terraform, Packer) at the speed of the memory.

pub mod arena;
pub mod body;
pub mod diagnostic;
pub mod dialect;
pub mod directory;
pub mod document;
#[cfg(target_arch = "x86_64")]
mod engine;
pub mod error;
pub mod event;
pub mod expression;
pub mod json;
pub mod position;
pub mod scan;
pub mod source;
pub mod span;
mod suggest;
pub mod write;

pub use arena::Arena;
pub use body::{Body, Schema};
pub use diagnostic::{Code, Diagnostic, Severity, Sink};
pub use dialect::Dialect;
pub use document::Document;
pub use error::OpenError;
pub use event::{Engine, ParseOptions};
pub use expression::Expression;
pub use json::Node;
pub use position::Position;
pub use scan::Kernel;
pub use source::Source;
pub use span::Span;
