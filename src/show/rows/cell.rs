//! Cells and columns of rows, and the macro that declares them.

use std::borrow::Cow;

use crate::json::Node;
use crate::show::address::Key;
use crate::show::leaves::{Content, Leaf};
use crate::show::shown::Shown;
use crate::write::{Layout, Slot, to_string};

/// The value of a row in a column.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Cell<'a> {
    /// Nothing: the document does not say it.
    Absent,
    /// A text without its hidden parts.
    Text(Cow<'a, str>),
    /// A number.
    Number(u64),
    /// True or false.
    Flag(bool),
    /// Texts, in order.
    Texts(Vec<Cow<'a, str>>),
    /// The key of an instance.
    Key(Key<'a>),
    /// A JSON value without its hidden parts.
    Value(Node<'a>),
    /// A value that is null.
    Null,
    /// There is a value, and it is hidden.
    Hidden,
}

/// A value of a document, as it may be shown.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// There is none.
    Absent,
    /// A value without its hidden parts.
    Known(Node<'a>),
    /// It is null.
    Null,
    /// It is not known yet.
    Unknown,
    /// There is one, and it is hidden.
    Hidden,
}

impl<'a> Value<'a> {
    /// A member of an object, without its hidden parts.
    pub(super) fn of(node: Option<Node<'a>>, shown: &Shown) -> Self {
        match node {
            None => Self::Absent,
            Some(node) if node.is_null() && !shown.hides_node(node) => Self::Null,
            Some(node) => shown.node(node).map_or(Self::Hidden, Self::Known),
        }
    }

    /// A leaf, all of which is hidden if `is_hidden`.
    pub(super) fn of_leaf(leaf: &Leaf<'a>, is_hidden: bool) -> Self {
        match leaf.content {
            Content::Absent => Self::Absent,
            Content::Unknown => Self::Unknown,
            Content::Known(_) | Content::Null if is_hidden => Self::Hidden,
            Content::Known(node) => Self::Known(node),
            Content::Null => Self::Null,
        }
    }
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColumnType {
    /// A text.
    Text,
    /// An unsigned integer of 64 bits.
    Number,
    /// True or false.
    Flag,
    /// A list of texts.
    Texts,
    /// The key of an instance: a number or a text.
    Key,
    /// A JSON value.
    Value,
}

/// A column of a row.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Column {
    /// Its name, which is that of the member in JSON.
    pub name: &'static str,
    /// Its type.
    pub kind: ColumnType,
    /// Its content.
    pub doc: &'static str,
    /// Whether JSON leaves the member out if there is nothing, or if a flag is false. Other members
    /// are null if the document does not say them.
    pub is_optional: bool,
}

/// A row of a plan or a state.
pub trait Row<'a>: Copy {
    /// All columns, in order.
    const COLUMNS: &'static [Column];

    /// Returns the value in the column of this name; [`Cell::Absent`] if there is no such column. Reads no
    /// other column.
    fn cell(self, name: &str, shown: &Shown) -> Cell<'a>;

    /// The entry of the document.
    fn node(self) -> Node<'a>;
}

impl Column {
    /// The column of this name.
    #[must_use]
    pub fn named(columns: &'static [Self], name: &str) -> Option<&'static Self> {
        columns.iter().find(|column| column.name == name)
    }
}

impl Cell<'_> {
    /// Whether JSON has no member for it in an optional column.
    #[must_use]
    pub fn is_left_out(&self) -> bool {
        matches!(self, Self::Absent | Self::Hidden | Self::Flag(false))
    }

    /// Writes it as JSON. Nothing is null, and so is a hidden value.
    pub fn write(&self, slot: Slot<'_, '_>) {
        match self {
            Self::Absent | Self::Null | Self::Hidden | Self::Key(Key::Unknown) => slot.null(),
            Self::Text(text) | Self::Key(Key::Text(text)) => slot.string(text),
            Self::Number(number) => slot.unsigned(*number),
            Self::Flag(flag) => slot.bool(*flag),
            Self::Texts(texts) => {
                let mut list = slot.array();
                texts.iter().for_each(|text| list.element().string(text));
            }
            Self::Key(Key::Number(digits)) => slot.number(digits),
            Self::Value(node) => slot.node(*node),
        }
    }

    /// The text of a cell in a table of texts: empty for nothing and for hidden values, the texts
    /// of a list with spaces between them, a value as JSON.
    #[must_use]
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            Self::Absent | Self::Hidden | Self::Key(Key::Unknown) => Cow::Borrowed(""),
            Self::Text(text) | Self::Key(Key::Text(text)) => Cow::Borrowed(text),
            Self::Number(number) => number.to_string().into(),
            Self::Flag(flag) => flag.to_string().into(),
            Self::Texts(texts) => texts.join(" ").into(),
            Self::Key(Key::Number(digits)) => Cow::Borrowed(digits),
            Self::Null => Cow::Borrowed("null"),
            Self::Value(node) => to_string(Layout::Compact, |slot| slot.node(*node)).into(),
        }
    }
}

impl<'a> From<Option<Cow<'a, str>>> for Cell<'a> {
    fn from(text: Option<Cow<'a, str>>) -> Self {
        text.map_or(Self::Absent, Self::Text)
    }
}

impl From<Option<u64>> for Cell<'_> {
    fn from(number: Option<u64>) -> Self {
        number.map_or(Self::Absent, Self::Number)
    }
}

impl From<bool> for Cell<'_> {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<'a> From<Vec<Cow<'a, str>>> for Cell<'a> {
    fn from(texts: Vec<Cow<'a, str>>) -> Self {
        Self::Texts(texts)
    }
}

impl<'a> From<Option<Key<'a>>> for Cell<'a> {
    fn from(key: Option<Key<'a>>) -> Self {
        key.map_or(Self::Absent, Self::Key)
    }
}

impl<'a> From<Value<'a>> for Cell<'a> {
    fn from(value: Value<'a>) -> Self {
        match value {
            Value::Absent | Value::Unknown => Self::Absent,
            Value::Known(node) => Self::Value(node),
            Value::Null => Self::Null,
            Value::Hidden => Self::Hidden,
        }
    }
}

/// The type that an accessor returns.
macro_rules! type_of {
    ($life:lifetime Text) => { Option<std::borrow::Cow<$life, str>> };
    ($life:lifetime Number) => { Option<u64> };
    ($life:lifetime Flag) => { bool };
    ($life:lifetime Texts) => { Vec<std::borrow::Cow<$life, str>> };
    ($life:lifetime Key) => { Option<$crate::show::address::Key<$life>> };
    ($life:lifetime Value) => { $crate::show::rows::Value<$life> };
}
pub(super) use type_of;

/// Whether a column is optional.
macro_rules! is_optional {
    (always) => {
        false
    };
    (optional) => {
        true
    };
}
pub(super) use is_optional;

/// Declares the columns of a row: for each an accessor, its name and type, whether JSON may leave it
/// out, its documentation, and how it is read.
macro_rules! rows {
    ($row:ident $(<$path:lifetime>)? {
        $($(#[doc = $doc:literal])+ $field:ident $name:literal $kind:ident $presence:ident = $read:expr;)*
    }) => {
        impl<'a $(, $path)?> $row<$($path,)? 'a> {
            $(
                $(#[doc = $doc])+
                #[must_use]
                pub fn $field(
                    self,
                    shown: &$crate::show::shown::Shown,
                ) -> $crate::show::rows::cell::type_of!('a $kind) {
                    let read: fn(
                        Self,
                        &$crate::show::shown::Shown,
                    ) -> $crate::show::rows::cell::type_of!('a $kind) = $read;
                    read(self, shown)
                }
            )*
        }

        impl<'a $(, $path)?> $crate::show::rows::Row<'a> for $row<$($path,)? 'a> {
            const COLUMNS: &'static [$crate::show::rows::Column] = &[$(
                $crate::show::rows::Column {
                    name: $name,
                    kind: $crate::show::rows::ColumnType::$kind,
                    doc: concat!($($doc),+).trim_ascii(),
                    is_optional: $crate::show::rows::cell::is_optional!($presence),
                },
            )*];

            fn cell(
                self,
                name: &str,
                shown: &$crate::show::shown::Shown,
            ) -> $crate::show::rows::Cell<'a> {
                match name {
                    $($name => self.$field(shown).into(),)*
                    _ => $crate::show::rows::Cell::Absent,
                }
            }

            fn node(self) -> $crate::json::Node<'a> {
                self.of()
            }
        }
    };
}
pub(super) use rows;
