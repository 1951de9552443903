//! The containers of a file whose items can be edited: bodies, and objects and lists of both
//! syntaxes.

use crate::json::{Member, Node};
use crate::native::{Kind, Native};
use crate::parsed::ParsedFile;
use crate::span::Span;
use crate::structure::{FileAttribute, FileBlock, FileBody, Item};

/// A container.
#[derive(Clone, Copy)]
pub(super) enum Container<'a> {
    /// The body of a native file or block, and whether it is that of the file.
    Body(FileBody<'a>, bool),
    /// `{…}` or `[…]` in native syntax.
    Native(Native<'a>),
    /// An object or an array of JSON.
    Json(Node<'a>),
}

/// An item of a container.
#[derive(Clone, Copy)]
pub(super) struct ItemNode<'a> {
    /// All of its bytes, with its name.
    pub(super) span: Span,
    /// The bytes of its value; of a block, its body.
    pub(super) value: Span,
    inner: Inner<'a>,
}

#[derive(Clone, Copy)]
enum Inner<'a> {
    Attribute(FileAttribute<'a>),
    Block(FileBlock<'a>),
    /// The key, unless it is an element.
    Native(Option<Native<'a>>, Native<'a>),
    /// The member, unless it is an element.
    Json(Option<Member<'a>>, Node<'a>),
}

impl<'a> Container<'a> {
    pub(super) fn of_file(file: ParsedFile<'a>) -> Option<Self> {
        match (file.as_native(), file.as_json()) {
            (Some(native), _) => Some(Self::Body(native.body(), true)),
            (None, Some(document)) => Self::of_json(document.root()),
            (None, None) => None,
        }
    }

    fn of_json(node: Node<'a>) -> Option<Self> {
        (node.is_object() || node.is_array()).then_some(Self::Json(node))
    }

    fn of_native(native: Native<'a>) -> Option<Self> {
        let inner = native.inner();
        (inner.is(Kind::Object) || inner.is(Kind::Tuple)).then_some(Self::Native(inner))
    }

    /// Its bytes, brackets included; all bytes of a native file.
    pub(super) fn span(self) -> Span {
        match self {
            Self::Body(body, _) => body.span(),
            Self::Native(native) => native.span(),
            Self::Json(node) => node.span(),
        }
    }

    /// Its items, in order.
    pub(super) fn items(self) -> Vec<ItemNode<'a>> {
        match self {
            Self::Body(body, _) => body.items().map(ItemNode::of_item).collect(),
            Self::Native(native) if native.is(Kind::Object) => {
                let operands = native.operands();
                let (items, _) = operands.as_chunks();
                items.iter().map(|&[key, value]| ItemNode::of_native(Some(key), value)).collect()
            }
            Self::Native(native) => {
                native.operands().into_iter().map(|it| ItemNode::of_native(None, it)).collect()
            }
            Self::Json(node) => match (node.as_object(), node.as_array()) {
                (Some(object), _) => {
                    let of_member = object.members().map(|member| ItemNode {
                        span: member.span(),
                        value: member.value().span(),
                        inner: Inner::Json(Some(member), member.value()),
                    });
                    of_member.collect()
                }
                (None, Some(array)) => {
                    let of_element = array.elements().map(|node| ItemNode {
                        span: node.span(),
                        value: node.span(),
                        inner: Inner::Json(None, node),
                    });
                    of_element.collect()
                }
                (None, None) => Vec::new(),
            },
        }
    }

    /// Whether its items have names.
    pub(super) fn has_names(self) -> bool {
        match self {
            Self::Body(..) => true,
            Self::Native(native) => native.is(Kind::Object),
            Self::Json(node) => node.is_object(),
        }
    }
}

impl<'a> ItemNode<'a> {
    fn of_item(item: Item<'a>) -> Self {
        match item {
            Item::Attribute(attribute) => Self {
                span: attribute.span(),
                value: attribute.value_span(),
                inner: Inner::Attribute(attribute),
            },
            Item::Block(block) => {
                Self { span: block.span(), value: block.body().span(), inner: Inner::Block(block) }
            }
        }
    }

    fn of_native(key: Option<Native<'a>>, value: Native<'a>) -> Self {
        let span = key.map_or(value.span(), |key| key.span().to(value.span()));
        Self { span, value: value.span(), inner: Inner::Native(key, value) }
    }

    /// The container that is its value.
    pub(super) fn container(self) -> Option<Container<'a>> {
        match self.inner {
            Inner::Attribute(attribute) => Container::of_native(attribute.expression().ok()?),
            Inner::Block(block) => Some(Container::Body(block.body(), false)),
            Inner::Native(_, value) => Container::of_native(value),
            Inner::Json(_, node) => Container::of_json(node),
        }
    }

    /// The bytes of its names: of the name, or of the type and the labels.
    pub(super) fn names(self) -> Vec<Span> {
        match self.inner {
            Inner::Attribute(attribute) => vec![attribute.name_span()],
            Inner::Block(block) => {
                std::iter::once(block.type_span()).chain(block.label_spans()).collect()
            }
            Inner::Native(key, _) => key.map(Native::span).into_iter().collect(),
            Inner::Json(member, _) => member.map(Member::name_span).into_iter().collect(),
        }
    }

    /// Whether it is a member of JSON with this name.
    pub(super) fn is_named(self, name: &str) -> bool {
        matches!(self.inner, Inner::Json(Some(member), _) if member.is_named(name))
    }

    /// Whether it is a block.
    pub(super) fn is_block(self) -> bool {
        matches!(self.inner, Inner::Block(_))
    }
}
