//! The texts that an expression may have, as far as it writes them itself.

use crate::arena::Arena;
use crate::evaluate::shape::Shape;
use crate::evaluate::shape_of_program::{DEEPEST, Parts, Question, of_nodes};
use crate::expression::{Expression, Syntax};
use crate::native::Step;
use crate::program::LentProgram;
use crate::program::node::Node;
use crate::value::Value;

/// Knows no names.
struct Nothing<'v>(&'v Arena);

impl<'v, 'a> Parts<'v, 'a> for Nothing<'v> {
    fn arena(&self) -> &'v Arena {
        self.0
    }

    fn part(&self, _: &LentProgram<'_, 'a>, _: &[Node]) -> Value<'v> {
        Value::dynamic()
    }

    fn defined(&self, _: &[Step<'a>], _: u32, _: &Question) -> Shape {
        Shape::hole()
    }
}

/// Returns the texts that an expression may have, with holes for what it refers to.
///
/// Cost: bounded.
pub(super) fn known_texts(expression: Expression<'_>) -> Vec<String> {
    let arena = Arena::new();
    let (names, question) = (Nothing(&arena), Question::new());
    let shape = match expression.syntax() {
        Syntax::Native(native) => {
            let program = native.program();
            of_nodes(&names, &program, program.nodes, DEEPEST, &question)
        }
        Syntax::Json(_) => match expression.template() {
            Some(Ok(program)) => of_nodes(&names, program, program.nodes, DEEPEST, &question),
            _ => Shape::hole(),
        },
        Syntax::Block(_) => Shape::hole(),
    };
    shape.into_texts()
}
