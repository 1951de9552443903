//! The nodes of a parsed expression or template, in post-order.
//!
//! A [`Program`] is one slice of small nodes. Every node follows its operands, and the nodes of an
//! operand are contiguous: [`Node::size`] nodes that end with the operand's own. So a walk goes
//! backwards over the slice, an evaluation goes forwards with a stack of values, and neither
//! recurses:
//!
//! ```text
//! a + b.c * 2          0 Traversal a   1 Traversal b.c   2 Number 2   3 Binary *  (size 3)   4 Binary +  (size 5)
//! ```
//!
//! Data that does not fit into a node is in side tables, at [`Node::payload`].
//!
//! `for` and splats evaluate a part once per element. A leaf precedes that part
//! ([`Kind::ForStart`], [`Kind::SplatStart`]) and marks where each repetition begins:
//!
//! ```text
//! [for k, v in C : V if T]      C…  ForStart  V…  T…  For          {for k, v in C : K => V if T}   C…  ForStart  K…  V…  T…  For
//! s[*].b[i]                     s…  SplatStart  Item  Relative .b  Traversal i  Index  Splat
//! ```

use std::hash::{Hash, Hasher};

use super::traversal::{Step, StepKind};
use crate::arena::Arena;
use crate::hash::HashMap;
use crate::source::Source;
use crate::span::Span;

/// A parsed template, expression or traversal.
pub(crate) type Program<'a> = LentProgram<'a, 'a>;

/// A [`Program`] whose slices are lent for `'t`: they stand in the parser's memory.
#[derive(Clone, Copy)]
pub(crate) struct LentProgram<'t, 'a> {
    pub(crate) source: Source<'a>,
    /// In post-order. The last one is the root.
    pub(crate) nodes: &'t [Node],
    /// Decoded text of literals and names, and the digits of numbers.
    pub(crate) texts: &'t [&'a str],
    /// Steps of [`Kind::Traversal`] and [`Kind::Relative`], one traversal after the other, and
    /// where each starts.
    pub(crate) steps: &'t [Step<'a>],
    pub(crate) traversals: &'t [u32],
    pub(crate) calls: &'t [Call<'a>],
    pub(crate) loops: &'t [For<'a>],
}

impl<'t, 'a> LentProgram<'t, 'a> {
    /// A program without nodes.
    pub(crate) fn empty(source: Source<'a>) -> Self {
        let (nodes, texts, steps, traversals) = (&[], &[], &[], &[]);
        Self { source, nodes, texts, steps, traversals, calls: &[], loops: &[] }
    }

    /// The steps of a traversal, by the payload of its node.
    #[inline]
    pub(crate) fn traversal(&self, place: u32) -> &'t [Step<'a>] {
        steps_of(self.steps, self.traversals, place)
    }

    /// Whether it stands for an expression with a syntax error, so that its references are not known.
    pub(crate) fn is_invalid(&self) -> bool {
        self.nodes.last().is_some_and(|root| root.kind == Kind::Invalid)
    }

    /// Whether its value depends on no variable and no function.
    pub(crate) fn is_constant(&self) -> bool {
        let is_open =
            |node: &Node| matches!(node.kind, Kind::Traversal | Kind::Relative | Kind::Call);
        // The tables may be those of a larger program.
        self.traversals.is_empty() && self.calls.is_empty() || !self.nodes.iter().any(is_open)
    }

    /// Whether a value is computed by anything other than joining texts and references, so that it
    /// may have an error. A reference into a value that may not be an object counts as well, such as
    /// an attribute of `var.a` or `path.module`.
    pub(crate) fn is_computed(&self) -> bool {
        // The first node of the outermost template: its parts are joined.
        let mut joined_from = usize::MAX;
        self.nodes.iter().enumerate().rev().any(|(at, node)| {
            let is_joined = at >= joined_from;
            match node.kind {
                Kind::Text | Kind::Wrap => false,
                Kind::Template => {
                    if !is_joined {
                        joined_from = (at + 1).saturating_sub(node.size as usize);
                    }
                    false
                }
                Kind::True | Kind::False | Kind::Null | Kind::Tuple => is_joined,
                Kind::Number => is_joined || self.has_exponent(node),
                Kind::Object => is_joined || !self.has_plain_keys(at),
                Kind::Traversal => match self.traversal(node.payload) {
                    [Step { kind: StepKind::Root(root), .. }, _, _, ..] => {
                        matches!(
                            *root,
                            "var" | "local" | "path" | "terraform" | "tofu" | "count" | "each"
                        )
                    }
                    [Step { kind: StepKind::Root(root), .. }] => {
                        matches!(*root, "string" | "number" | "bool" | "any")
                    }
                    _ => false,
                },
                _ => true,
            }
        })
    }

    /// Whether a number has an exponent: it may be out of range.
    fn has_exponent(&self, number: &Node) -> bool {
        let digits = self.texts.get(number.payload as usize);
        digits.is_some_and(|digits| digits.contains(['e', 'E']))
    }

    /// Whether all keys of the object at a place are names or texts.
    pub(crate) fn has_plain_keys(&self, object: usize) -> bool {
        let first = (object + 1).saturating_sub(self.nodes[object].size as usize);
        let mut at = object;
        let mut is_key = false;
        while at > first {
            let Node { kind, size, .. } = self.nodes[at - 1];
            let is_text = kind == Kind::Text
                || kind == Kind::Template && size == 2 && self.nodes[at - 2].kind == Kind::Text;
            if is_key && !is_text {
                return false;
            }
            at = at.saturating_sub((size as usize).max(1));
            is_key = !is_key;
        }
        true
    }

    /// The keys that an object of the program has more than once, as names or texts: the text, the
    /// node of the earlier one, and that of the later one, which counts. Cost: linear.
    pub(crate) fn duplicate_keys(&self) -> Vec<(&'a str, Span, Span)> {
        let mut found = Vec::new();
        let mut keys: HashMap<&str, Span> = HashMap::default();
        let objects = self.nodes.iter().enumerate().filter(|(_, node)| node.kind == Kind::Object);
        for (object, _) in objects.filter(|(_, node)| node.payload > 1) {
            let first = (object + 1).saturating_sub(self.nodes[object].size as usize);
            let mut at = object;
            let mut is_key = false;
            keys.clear();
            while at > first {
                let node = self.nodes[at - 1];
                let text = match node.kind {
                    Kind::Text => Some(&node),
                    Kind::Template if node.size == 2 => self.nodes.get(at.wrapping_sub(2)),
                    _ => None,
                };
                if let Some(text) = text.filter(|text| is_key && text.kind == Kind::Text)
                    && let Some(&text) = self.texts.get(text.payload as usize)
                    && let Some(later) = keys.insert(text, node.span)
                {
                    found.push((text, node.span, later));
                }
                at = at.saturating_sub((node.size as usize).max(1));
                is_key = !is_key;
            }
        }
        found
    }

    /// Whether a function is called of which an argument is a type.
    pub(crate) fn takes_types(&self) -> bool {
        self.own_calls().any(|call| matches!(call.name, "convert" | "core::convert"))
    }

    /// The calls of its nodes: its table may be that of a larger program.
    pub(crate) fn own_calls(&self) -> impl Iterator<Item = &'t Call<'a>> + use<'t, 'a> {
        let Self { nodes, calls, .. } = *self;
        // Most programs call nothing.
        let nodes = if calls.is_empty() { &[] } else { nodes };
        let calls_of = nodes.iter().filter(|node| node.kind == Kind::Call);
        calls_of.filter_map(|node| calls.get(node.payload as usize))
    }

    /// Whether both say the same, however they are formatted and wherever they stand.
    pub(crate) fn is_same(&self, other: &LentProgram<'_, '_>) -> bool {
        fn text<'a>(program: &LentProgram<'_, 'a>, node: &Node) -> Option<&'a str> {
            program.texts.get(node.payload as usize).copied()
        }
        fn steps<'t>(
            program: &LentProgram<'t, '_>,
            node: &Node,
        ) -> impl Iterator<Item = StepKind<'t>> {
            program.traversal(node.payload).iter().map(|step| step.kind)
        }
        let is_same_call = |one: &Call<'_>, two: &Call<'_>| {
            (one.name, one.arguments, one.expands) == (two.name, two.arguments, two.expands)
        };
        let is_same = |one: &Node, two: &Node| match one.kind {
            Kind::Number | Kind::Text => text(self, one) == text(other, two),
            Kind::Traversal | Kind::Relative => steps(self, one).eq(steps(other, two)),
            Kind::Call => {
                let calls =
                    (self.calls.get(one.payload as usize), other.calls.get(two.payload as usize));
                matches!(calls, (Some(one), Some(two)) if is_same_call(one, two))
            }
            Kind::ForStart | Kind::For => {
                self.loops.get(one.payload as usize) == other.loops.get(two.payload as usize)
            }
            Kind::Tuple | Kind::Object | Kind::Template | Kind::SplatStart => {
                one.payload == two.payload
            }
            _ => true,
        };
        self.nodes.len() == other.nodes.len()
            && self
                .nodes
                .iter()
                .zip(other.nodes)
                .all(|(one, two)| (one.kind, one.size) == (two.kind, two.size) && is_same(one, two))
    }

    /// Whether both have the same value as they are written: a template that is one interpolation
    /// says what stands in it.
    pub(crate) fn is_same_value(&self, other: &LentProgram<'_, '_>) -> bool {
        self.unwrapped().is_same(&other.unwrapped())
    }

    /// Hashes the value as it is written: equal values by [`is_same_value`](Self::is_same_value) have
    /// equal hashes.
    pub(crate) fn hash_value<H: Hasher>(&self, state: &mut H) {
        let unwrapped = self.unwrapped();
        for node in unwrapped.nodes {
            (node.kind, node.size).hash(state);
            match node.kind {
                Kind::Number | Kind::Text => {
                    self.texts.get(node.payload as usize).hash(state);
                }
                Kind::Traversal | Kind::Relative => {
                    self.traversal(node.payload).iter().for_each(|step| step.kind.hash(state));
                }
                Kind::Call => {
                    self.calls.get(node.payload as usize).map(|call| call.name).hash(state);
                }
                Kind::ForStart | Kind::For => {
                    self.loops.get(node.payload as usize).hash(state);
                }
                _ => {}
            }
        }
    }

    /// The expression without brackets around it, and without a template that is nothing else.
    fn unwrapped(&self) -> Self {
        let mut nodes = self.nodes;
        while let [rest @ .., Node { kind: Kind::Wrap | Kind::Parentheses, .. }] = nodes {
            nodes = rest;
        }
        Self { nodes, ..*self }
    }

    /// The same in the arena.
    pub(crate) fn keep(&self, arena: &'a Arena) -> &'a Program<'a> {
        fn copied<'a, T: Copy>(arena: &'a Arena, items: &[T]) -> &'a [T] {
            if items.is_empty() { &[] } else { arena.bump().alloc_slice_copy(items) }
        }
        arena.bump().alloc(Program {
            source: self.source,
            nodes: copied(arena, self.nodes),
            texts: copied(arena, self.texts),
            steps: copied(arena, self.steps),
            traversals: copied(arena, self.traversals),
            calls: copied(arena, self.calls),
            loops: copied(arena, self.loops),
        })
    }
}

/// A program without the file that it is in: what evaluation goes over.
#[derive(Clone, Copy)]
pub(crate) struct Instructions<'t, 'a> {
    /// The bytes of the file.
    pub(crate) bytes: &'a [u8],
    pub(crate) nodes: &'t [Node],
    pub(crate) texts: &'t [&'a str],
    steps: &'t [Step<'a>],
    traversals: &'t [u32],
    pub(crate) calls: &'t [Call<'a>],
    pub(crate) loops: &'t [For<'a>],
}

impl<'t, 'a> Instructions<'t, 'a> {
    /// Those of a program.
    pub(crate) fn of(program: &LentProgram<'t, 'a>) -> Self {
        let LentProgram { source, nodes, texts, steps, traversals, calls, loops } = *program;
        Self { bytes: source.bytes(), nodes, texts, steps, traversals, calls, loops }
    }

    /// The steps of a traversal, by the payload of its node.
    #[inline]
    pub(crate) fn traversal(&self, place: u32) -> &'t [Step<'a>] {
        steps_of(self.steps, self.traversals, place)
    }
}

/// The steps of a traversal.
#[inline]
fn steps_of<'t, 'a>(steps: &'t [Step<'a>], traversals: &[u32], place: u32) -> &'t [Step<'a>] {
    let place = place as usize;
    let end = traversals.get(place + 1).map_or(steps.len(), |end| *end as usize);
    let start = traversals.get(place).map_or(end, |start| *start as usize);
    steps.get(start..end).unwrap_or_default()
}

/// One node: 20 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Its bytes in the file, operands included.
    pub(crate) span: Span,
    /// How many nodes it has, itself and all below: never 0.
    pub(crate) size: u32,
    /// An index into a side table, or a count of operands; see [`Kind`].
    pub(crate) payload: u32,
}

/// The kind of a node, its operands in order, and the meaning of its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A part that did not parse. Its value is unknown; its diagnostic has been reported.
    Invalid,
    Null,
    True,
    False,
    /// Payload: the digits, in `texts`.
    Number,
    /// Literal text of a template, or the name of an object's key. Payload: in `texts`.
    Text,
    /// Payload: in `traversals`, a root first.
    Traversal,
    /// Steps from the value of the operand. Payload: in `traversals`.
    Relative,
    /// Collection, key.
    Index,
    /// Operand.
    Negate,
    /// Operand.
    Not,
    /// Left, right.
    Binary(Operator),
    /// Condition, value when true, value when false.
    Conditional,
    /// `%{if}`: as `Conditional`, over two templates; a missing one is an empty `Template`.
    If,
    /// Arguments, as many as the payload's entry of `calls` says.
    Call,
    /// Payload: how many elements.
    Tuple,
    /// Key and value of each item in turn. Payload: how many items.
    Object,
    /// An item's key that is a bare traversal of several steps. It is ambiguous and needs
    /// parentheses or quotes. Operand: the traversal.
    AmbiguousKey,
    /// The operand, in parentheses.
    Parentheses,
    /// A quoted template, heredoc or bare template: its parts, joined to a string. Payload: how
    /// many.
    Template,
    /// A template that is one interpolation: the operand's value as it is. Also `"${a}"` in quotes.
    Wrap,
    /// `%{for}`: a `For` whose elements are joined to a string.
    Join,
    /// A leaf between the collection and what is evaluated per element. Payload: in `loops`.
    ForStart,
    /// Collection, `ForStart`, key if it makes an object, value, condition if it has one. Payload:
    /// in `loops`.
    For,
    /// A leaf between the source and what is evaluated per element. Payload: how many nodes it is
    /// to `Splat`.
    SplatStart,
    /// A leaf: the element of the innermost splat.
    Item,
    /// `.*`: source, `SplatStart`, what becomes of each element.
    AttributeSplat,
    /// `[*]`: the same.
    FullSplat,
}

impl Kind {
    /// Whether an index or an attribute may follow the text of such an expression as it is, and belongs
    /// to all of it. One that follows a splat belongs to each element.
    pub(crate) fn takes_steps(self) -> bool {
        matches!(
            self,
            Self::Traversal
                | Self::Relative
                | Self::Index
                | Self::Call
                | Self::Tuple
                | Self::Object
                | Self::For
                | Self::Parentheses
                | Self::Template
                | Self::Wrap
        )
    }
}

/// A binary operator, from lowest to highest precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

impl Operator {
    /// The operator as it is written.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Or => "||",
            Self::And => "&&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }
}

/// A function's name, and what is special about its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    /// `name`, or `provider::a::name`, without whitespace.
    pub(crate) name: &'a str,
    pub(crate) name_span: Span,
    /// How many arguments.
    pub(crate) arguments: u32,
    /// The last argument is followed by `...`: its elements are the arguments.
    pub(crate) expands: bool,
    /// The brackets: from `(` to `)`, both included.
    pub(crate) parentheses: Span,
}

/// The head of a `for` expression or directive, and where its parts stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct For<'a> {
    /// `k` of `for k, v`.
    pub(crate) key_name: Option<&'a str>,
    pub(crate) value_name: &'a str,
    /// The result is an object.
    pub(crate) makes_object: bool,
    /// `...` after the value: values of one key are collected.
    pub(crate) groups: bool,
    /// Nodes of the key, 0 if it makes a tuple; of the value; of the condition, 0 if it has none.
    /// They follow `ForStart` in this order.
    pub(crate) key_size: u32,
    pub(crate) value_size: u32,
    pub(crate) condition_size: u32,
}
