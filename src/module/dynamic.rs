//! `dynamic` blocks in bodies that have no schema: finds the templates, and the iterator names that
//! each of them can use besides the names of the module.

use super::block::plain;
use crate::body::{Attribute, AttributeSchema, Block, Body, Schema};
use crate::expression::Expression;
use crate::json::{self, JsonString, Member, Node};

/// The body of a `dynamic` block.
pub(crate) static DYNAMIC: Schema<'static> = Schema::new(
    &[
        AttributeSchema::required("for_each"),
        AttributeSchema::optional("iterator"),
        AttributeSchema::optional("labels"),
    ],
    &[plain("content")],
);

/// Visits the templates of a property of a body that a plugin reads: an attribute, or a block of
/// any depth. Each comes with the names of the iterators around it. A list keeps the nodes to
/// visit, since `dynamic` blocks can be nested to any depth.
pub(crate) fn visit_templates<'a>(
    property: Attribute<'a>,
    mut visit: impl FnMut(Expression<'a>, &[&'a str]),
) {
    let Some(member) = property.as_member() else {
        return visit_native(property, visit);
    };
    if !property.is_named("dynamic") {
        return visit(property.expression(), &[]);
    }
    let mut iterators: Vec<&'a str> = Vec::new();
    let mut work = vec![Work::Property(member)];
    while let Some(next) = work.pop() {
        match next {
            Work::Template(value) => visit(Expression::from_json(value), &iterators),
            Work::Property(property) if property.is_named("dynamic") => {
                let from = work.len();
                for types in objects(property.value()) {
                    for block_type in types.members() {
                        let blocks = objects(block_type.value());
                        work.extend(blocks.map(|block| Work::Dynamic(block_type.name(), block)));
                    }
                }
                work[from..].reverse();
            }
            Work::Property(property) => work.push(Work::Template(property.value())),
            Work::Dynamic(block_type, block) => {
                let get = |name| block.get(name);
                if let Some(for_each) = get("for_each") {
                    visit(Expression::from_json(for_each), &iterators);
                }
                let iterator = get("iterator").map(Expression::from_json);
                let iterator = iterator.and_then(Expression::as_keyword);
                iterators.push(iterator.unwrap_or_else(|| block_type.to_str()));
                work.push(Work::Leave);
                let from = work.len();
                work.extend(get("labels").map(Work::Template));
                let content = get("content").into_iter().flat_map(objects);
                work.extend(content.flat_map(json::Object::members).map(Work::Property));
                work[from..].reverse();
            }
            Work::Leave => {
                iterators.pop();
            }
        }
    }
}

/// Visits the templates of an attribute or a block of a native file.
fn visit_native<'a>(property: Attribute<'a>, mut visit: impl FnMut(Expression<'a>, &[&'a str])) {
    if property.as_block().is_none() {
        return visit(property.expression(), &[]);
    }
    let mut iterators: Vec<&'a str> = Vec::new();
    let mut work = vec![Some(property)];
    while let Some(next) = work.pop() {
        // The end of a `dynamic` block.
        let Some(property) = next else {
            iterators.pop();
            continue;
        };
        let Some(block) = property.as_block() else {
            visit(property.expression(), &iterators);
            continue;
        };
        let from;
        if block.is("dynamic") {
            let get = |name| block.body().properties().find(|it| it.is_named(name));
            let attribute = |name| get(name).filter(|it| it.as_block().is_none());
            if let Some(for_each) = attribute("for_each") {
                visit(for_each.expression(), &iterators);
            }
            let iterator = attribute("iterator").and_then(|it| it.expression().as_keyword());
            iterators.push(iterator.or(block.label(0)).unwrap_or_default());
            work.push(None);
            from = work.len();
            work.extend(attribute("labels").map(Some));
            let content = block.body().properties().filter(|it| it.is_named("content"));
            let bodies = content.filter_map(Attribute::as_block).map(Block::body);
            work.extend(bodies.flat_map(Body::properties).map(Some));
        } else {
            from = work.len();
            work.extend(block.body().properties().map(Some));
        }
        work[from..].reverse();
    }
}

/// A part of a property that is still to be visited.
enum Work<'a> {
    Property(Member<'a>),
    Template(Node<'a>),
    /// One block below `dynamic`, with the name of its iterator unless it sets another.
    Dynamic(JsonString<'a>, json::Object<'a>),
    /// The end of such a block.
    Leave,
}

/// The objects that are blocks: the value, or the elements of an array.
fn objects(node: Node<'_>) -> impl Iterator<Item = json::Object<'_>> {
    let elements = node.as_array().into_iter().flat_map(json::Array::elements);
    elements.chain(node.is_object().then_some(node)).filter_map(Node::as_object)
}
