//! `dynamic` blocks in bodies that have no schema: finds the templates, and the iterator names that
//! each of them can use besides the names of the module.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use smallvec::{SmallVec, smallvec};

use crate::body::{Attribute, Block, Body};
use crate::expression::Expression;
use crate::json::{self, Node};

/// Visits the templates of a property of a body that a plugin reads: an attribute, or a block of
/// any depth. Each comes with the names of the iterators around it. A list keeps the parts to
/// visit, since blocks can be nested to any depth.
///
/// Without a schema, JSON does not distinguish blocks from objects. So an object that can be one is
/// visited as one if it has comments or `dynamic` blocks: see [`Nested`].
pub(crate) fn visit_templates<'a>(
    property: Attribute<'a>,
    nested: Nested,
    mut visit: impl FnMut(Expression<'a>, &[&'a str]),
) {
    let mut iterators: Vec<&'a str> = Vec::new();
    let mut work = vec![Work::Property(property, nested)];
    while let Some(next) = work.pop() {
        let from = work.len();
        match next {
            Work::Property(property, nested) => match made_by(property, nested) {
                Some(made) => {
                    let made = made.into_iter();
                    work.extend(made.map(|(name, body)| Work::Dynamic(name, body, nested)));
                }
                None => match Nested::of(property, nested) {
                    Some((bodies, nested)) => {
                        let inner = bodies.into_iter().flat_map(Body::properties);
                        work.extend(inner.map(|inner| Work::Property(inner, nested)));
                    }
                    None => visit(property.expression(), &iterators),
                },
            },
            Work::Dynamic(block_type, body, nested) => {
                let get = |name| body.properties().find(|it| it.is_named(name));
                let argument = |name| get(name).filter(|it| it.as_block().is_none());
                if let Some(for_each) = argument("for_each") {
                    visit(for_each.expression(), &iterators);
                }
                let iterator = argument("iterator").and_then(|it| it.expression().as_keyword());
                iterators.push(iterator.unwrap_or(block_type));
                work.push(Work::Leave);
                let from = work.len();
                work.extend(argument("labels").map(|it| Work::Property(it, Nested::None)));
                let content = body.properties().filter(|it| it.is_named("content"));
                let inner = content.flat_map(bodies).flat_map(Body::properties);
                work.extend(inner.map(|inner| Work::Property(inner, nested)));
                work[from..].reverse();
                continue;
            }
            Work::Leave => drop(iterators.pop()),
        }
        work[from..].reverse();
    }
}

/// A part of a property that is still to be visited.
enum Work<'a> {
    Property(Attribute<'a>, Nested),
    /// One block below `dynamic`, with the type of the blocks that it makes.
    Dynamic(&'a str, Body<'a>, Nested),
    /// The end of such a block.
    Leave,
}

/// The facts about objects in a JSON value that is an attribute or blocks.
///
/// An object can be a block unless a key of it is a template; an array can be blocks if its elements
/// can. In a value, and in a block without comments and `dynamic` blocks, the same expressions are
/// evaluated, so it makes no difference which of them it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nested {
    /// They have neither comments nor `dynamic` blocks.
    None,
    /// They may have some.
    Unknown,
    /// They may have some, and it has been looked for in all of them.
    Some,
}

impl Nested {
    /// The bodies of a property that is read as blocks, and what is known about objects in them;
    /// `None` for an attribute. `around` is what is known about the objects around it.
    pub(crate) fn of<'a>(
        property: Attribute<'a>,
        around: Self,
    ) -> Option<(SmallVec<[Body<'a>; 1]>, Self)> {
        let Some(member) = property.as_member() else {
            return property.as_block().map(|block| (smallvec![block.body()], around));
        };
        let node = member.value();
        let is_split = match around {
            Self::None => false,
            Self::Unknown => may_differ(node),
            Self::Some => node.is_object() || node.is_array(),
        };
        (is_split && can_be_blocks(node)).then(|| (bodies(property).collect(), Self::Some))
    }
}

/// The bodies of a property in JSON that are probably blocks: the objects of a list. `None` for any
/// other property.
pub(crate) fn listed_blocks<'a>(property: Attribute<'a>) -> Option<SmallVec<[Body<'a>; 1]>> {
    let node = property.as_member()?.value();
    (node.is_array() && can_be_blocks(node)).then(|| bodies(property).collect())
}

/// Whether a property in JSON is such a list, and a value in it is or may be null.
pub(crate) fn may_list_null(property: Attribute<'_>) -> bool {
    let Some(node) = property.as_member().map(json::Member::value) else { return false };
    let text = node.span().slice(node.source().bytes());
    let has = |part: &[u8]| memchr::memmem::find(text, part).is_some();
    node.is_array() && (has(b"null") || has(b"${") || has(b"\\u")) && can_be_blocks(node)
}

/// Whether a value has comments or `dynamic` blocks in it if its objects are blocks. May also return
/// true if it has none.
fn may_differ(node: Node<'_>) -> bool {
    // Either name can be written with escapes. Most values are so short that to prepare the
    // searches would cost more than to search.
    static PARTS: LazyLock<[Finder<'_>; 4]> =
        LazyLock::new(|| [&br#""//""#[..], br#""dynamic""#, br#""\/"#, br"\u"].map(Finder::new));
    (node.is_object() || node.is_array()) && {
        let text = node.span().slice(node.source().bytes());
        PARTS.iter().any(|part| part.find(text).is_some())
    }
}

/// Whether a value is an object, or an array of objects, without templates as keys.
fn can_be_blocks(node: Node<'_>) -> bool {
    let is_body = |node: Node<'_>| {
        node.as_object()
            .is_some_and(|object| object.members().all(|member| !member.name().may_be_template()))
    };
    is_body(node)
        || node.as_array().is_some_and(|array| {
            let mut elements = array.elements().peekable();
            elements.peek().is_some() && elements.all(is_body)
        })
}

/// The blocks of a property `dynamic`, each with the type of the blocks that it makes; `None` for any
/// other property.
pub(crate) fn made_by<'a>(
    property: Attribute<'a>,
    around: Nested,
) -> Option<SmallVec<[(&'a str, Body<'a>); 1]>> {
    if let Some(block) = property.as_block() {
        let made = || (block.label(0).unwrap_or_default(), block.body());
        return block.is("dynamic").then(|| smallvec![made()]);
    }
    let member = property.as_member().filter(|it| it.is_named("dynamic"))?;
    let types = objects(member.value()).flat_map(json::Object::members);
    let all = || types.clone().flat_map(|it| objects(it.value()).map(move |body| (it, body)));
    // In an object that is perhaps a value, a key can have this name.
    let is_dynamic = |object: json::Object<'_>| {
        object.get("for_each").is_some() && object.get("content").is_some()
    };
    if around == Nested::Some && !all().all(|(_, object)| is_dynamic(object)) {
        return None;
    }
    Some(all().map(|(it, body)| (it.name().to_str(), Body::from_json(body.node()))).collect())
}

/// The bodies of a property that is one or several blocks.
fn bodies<'a>(property: Attribute<'a>) -> impl Iterator<Item = Body<'a>> {
    let native = property.as_block().map(Block::body);
    let member = property.as_member();
    let json = member.into_iter().flat_map(|member| objects(member.value()));
    native.into_iter().chain(json.map(|object| Body::from_json(object.node())))
}

/// The objects that are blocks: the value, or the elements of an array.
fn objects(node: Node<'_>) -> impl Iterator<Item = json::Object<'_>> + Clone {
    let elements = node.as_array().into_iter().flat_map(json::Array::elements);
    elements.chain(node.is_object().then_some(node)).filter_map(Node::as_object)
}
