//! The expression and template sub-languages of HCL's native syntax, in native files and inside
//! JSON strings.
//!
//! The result is a [`Program`]: the nodes of one template or one expression, in the arena, each
//! with its exact bytes in the file. Nothing is evaluated here. The syntax is that of the chapters
//! "Expressions" and "Templates" of the HCL native syntax specification, and that of the reference
//! implementation where the two differ.
//!
//! * [`text`]: decoded text, and the place of each byte in the file.
//! * [`lexer`]: tokens of expressions.
//! * [`parser`]: the machine that reads them, in linear time and without recursion; its parts are
//!   [`operand`], [`after_operand`], [`brackets`], [`steps`] and [`template`], its state is in
//!   [`frame`] and [`output`].
//! * [`fixed`]: strings that contain only a reference.
//! * `variables`: the references of a program.
//! * [`view`]: expressions as values of a type for each construct.
//!
//! ```
//! use simd_hcl::native::{Construct, Native, Operator};
//! use simd_hcl::{Arena, Source};
//!
//! let arena = Arena::new();
//! let source = Source::from_bytes(&arena, "text", b"var.size * 2")?;
//! let product = Native::expression(&arena, source, &mut ());
//! assert!(matches!(product.construct(), Construct::Binary(Operator::Multiply, _, _)));
//! assert_eq!(product.variables().next().unwrap().to_string(), "var.size");
//! # Ok::<(), simd_hcl::source::SourceError>(())
//! ```

mod after_operand;
mod brackets;
mod fixed;
mod frame;
pub(crate) mod lexer;
mod operand;
mod output;
mod parser;
mod steps;
mod template;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod variables;
mod view;

pub(crate) use self::fixed::{parse_pattern, parse_relative, parse_traversal};
pub use crate::program::node::Operator;
pub(crate) use crate::program::node::{Call, For, Kind, Node, Program};
pub use crate::program::traversal::{Key, LentTraversal, Step, StepKind, Traversal};
pub(crate) use text::Text;
pub(crate) use variables::variables;
pub(crate) use view::not_utf8;
pub use view::{Construct, ForExpression, FunctionCall, Native, UnaryOperator};

use crate::arena::Arena;
use crate::diagnostic::Sink;
use crate::program::LentProgram;
pub(crate) use output::Output;
use parser::Parser;
pub(crate) use parser::remedy;

/// The default limit of the nesting depth of expressions.
pub const MAX_DEPTH: u32 = 10_000;

/// Parses the content of a JSON string as a template. Returns `None`, and reports why, if it is
/// invalid.
///
/// Cost: linear in the text.
pub(crate) fn parse_template<'a>(
    arena: &'a Arena,
    text: &Text<'a>,
    max_depth: u32,
    sink: &mut dyn Sink<'a>,
) -> Option<&'a Program<'a>> {
    let mut output = Output::default();
    let program = template_into(&mut output, arena, text, max_depth, sink)?;
    Some(program.keep(arena))
}

/// Like [`parse_template`], but leaves the program in `output`.
pub(crate) fn template_into<'t, 'a>(
    output: &'t mut Output<'a>,
    arena: &'a Arena,
    text: &Text<'a>,
    max_depth: u32,
    sink: &mut dyn Sink<'a>,
) -> Option<LentProgram<'t, 'a>> {
    let mut parser = Parser::new(arena, text.decoded(), max_depth, output);
    let parsed = parser.template();
    output.finish(text, parsed, sink)
}

/// Parses a text as one expression. Returns `None`, and reports why, if it is invalid.
///
/// Cost: linear in the text.
pub(crate) fn parse_expression<'a>(
    arena: &'a Arena,
    text: &Text<'a>,
    max_depth: u32,
    sink: &mut dyn Sink<'a>,
) -> Option<&'a Program<'a>> {
    let mut output = Output::default();
    let program = expression_into(&mut output, arena, text, max_depth, sink)?;
    Some(program.keep(arena))
}

/// The same, behind other expressions in `output`. Returns the place of its root.
pub(crate) fn expression_onto<'a>(
    output: &mut Output<'a>,
    arena: &'a Arena,
    text: &Text<'a>,
    max_depth: u32,
    sink: &mut dyn Sink<'a>,
) -> Option<usize> {
    let mark = output.mark();
    let mut parser = Parser::new(arena, text.decoded(), max_depth, output);
    parser.at = text.from();
    // A line feed ends an argument, and is a token in an index before its key.
    parser.new_lines = true;
    let parsed = parser.expression();
    output.settle(&mark, text, parsed, sink)
}

/// Like [`parse_expression`], but leaves the program in `output`.
pub(crate) fn expression_into<'t, 'a>(
    output: &'t mut Output<'a>,
    arena: &'a Arena,
    text: &Text<'a>,
    max_depth: u32,
    sink: &mut dyn Sink<'a>,
) -> Option<LentProgram<'t, 'a>> {
    let mut parser = Parser::new(arena, text.decoded(), max_depth, output);
    let parsed = parser.expression();
    output.finish(text, parsed, sink)
}
