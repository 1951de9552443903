//! Lists the references of a body's expressions, by a specification.

use super::content::{Content, Shape};
use super::{Kind, Spec};
use crate::body::Body;
use crate::native::Traversal;

/// Returns the traversals in the expressions that [`decode`](super::decode()) would evaluate, in the
/// order of the specification. If a body does not match it, the matching parts are read.
///
/// Cost: linear in the parts that the specification reads. Recurses as deep as the specification.
pub fn variables<'a>(spec: Spec<'a>, bodies: &[Body<'a>]) -> Vec<Traversal<'a>> {
    let mut found = Vec::new();
    let shape = Shape::of(spec);
    match bodies {
        [body] => of_content(spec, &shape.read_partly(*body), &mut found),
        bodies => {
            if let Some(content) = shape.read_all(bodies, &mut ()) {
                of_content(spec, &content, &mut found);
            }
        }
    }
    found
}

fn of_content<'a>(spec: Spec<'a>, content: &Content<'a>, found: &mut Vec<Traversal<'a>>) {
    spec.visit_same_body(&mut |spec| {
        let (block_type, nested) = match spec.kind {
            Kind::Attribute { name, .. } => {
                let attribute = content.attribute(name);
                found.extend(attribute.into_iter().flat_map(|it| it.expression().variables()));
                return;
            }
            Kind::BlockAttributes { block_type, .. } => {
                for block in content.blocks(block_type).iter().take(1) {
                    let attributes = block.body().just_attributes(&mut ());
                    found.extend(attributes.iter().flat_map(|it| it.expression().variables()));
                }
                return;
            }
            Kind::Block { block_type, nested, .. } => {
                for block in content.blocks(block_type).iter().take(1) {
                    let content = Shape::of(*nested).read_partly(block.body());
                    of_content(*nested, &content, found);
                }
                return;
            }
            Kind::Blocks(blocks) => (blocks.block_type, blocks.nested),
            Kind::BlockMap { block_type, nested, .. } => (block_type, nested),
            _ => return,
        };
        let shape = Shape::of(*nested);
        for block in content.blocks(block_type) {
            of_content(*nested, &shape.read_partly(block.body()), found);
        }
    });
}
