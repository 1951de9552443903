//! Schemas: the attributes and blocks that a body may have.

use std::sync::OnceLock;

use crate::hash::HashMap;
/// The attributes and block types that a body is read by.
///
/// Schemas can be constructed in constants. Make it a `static`, so that the lookup table of a large
/// schema is built once. Of entries with the same name the last one counts, and an attribute hides
/// a block type with its name.
///
/// ```
/// use simd_hcl::body::{AttributeSchema, BlockSchema, Schema};
/// static SCHEMA: Schema = Schema::new(
///     &[AttributeSchema::required("source"), AttributeSchema::optional("version")],
///     &[BlockSchema::new("provider", &["name"])],
/// );
/// ```
#[derive(Debug, Default)]
pub struct Schema<'s> {
    attributes: &'s [AttributeSchema<'s>],
    blocks: &'s [BlockSchema<'s>],
    table: OnceLock<Table>,
}

/// The entries of a large schema by name.
#[derive(Debug, Default)]
struct Table {
    entries: HashMap<Box<[u8]>, Entry>,
    /// The block types that an attribute with the same name hides.
    hidden: HashMap<Box<[u8]>, u32>,
    /// The indices of the attributes that must be set, in order.
    required: Vec<u32>,
    /// By the last five bits of the first byte: the lengths of names, so that most unknown names
    /// are not hashed.
    lengths: [u64; 32],
}

impl Table {
    /// Returns the index of a name in `lengths`, and the bit of its length.
    #[inline]
    fn place(name: &[u8]) -> (usize, u64) {
        let first = name.first().copied().unwrap_or_default();
        (usize::from(first & 31), 1 << name.len().min(63))
    }

    #[inline]
    fn get(&self, name: &[u8]) -> Option<Entry> {
        let (place, length) = Self::place(name);
        if self.lengths[place] & length == 0 {
            return None;
        }
        self.entries.get(name).copied()
    }

    fn insert(&mut self, name: &str, entry: Entry) {
        let name = name.as_bytes();
        let (place, length) = Self::place(name);
        self.lengths[place] |= length;
        let earlier = self.entries.insert(name.into(), entry);
        if let (Entry::Attribute(_), Some(Entry::Block(block))) = (entry, earlier) {
            self.hidden.insert(name.into(), block);
        }
    }
}

/// One attribute that a body may have.
///
/// ```
/// use simd_hcl::body::AttributeSchema;
///
/// assert!(AttributeSchema::required("source").required);
/// assert!(!AttributeSchema::optional("version").required);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AttributeSchema<'s> {
    /// Its name.
    pub name: &'s str,
    /// Whether a missing attribute is an error.
    pub required: bool,
}

impl<'s> AttributeSchema<'s> {
    /// Returns an attribute that may be missing.
    #[must_use]
    pub const fn optional(name: &'s str) -> Self {
        Self { name, required: false }
    }

    /// Returns an attribute that must be set.
    ///
    /// ```
    /// use simd_hcl::body::{AttributeSchema, Schema};
    /// use simd_hcl::{Arena, Document};
    ///
    /// static SERVICE: Schema = Schema::new(&[AttributeSchema::required("port")], &[]);
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", b"{}")?;
    /// let mut found = Vec::new();
    /// document.body().content(&SERVICE, &mut found);
    /// assert_eq!(found[0].code().as_str(), "missing-argument");
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub const fn required(name: &'s str) -> Self {
        Self { name, required: true }
    }
}

/// One type of blocks that a body may have.
///
/// ```
/// use simd_hcl::body::BlockSchema;
///
/// const RESOURCE: BlockSchema<'static> = BlockSchema::new("resource", &["type", "name"]);
/// assert_eq!((RESOURCE.block_type, RESOURCE.labels.len()), ("resource", 2));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BlockSchema<'s> {
    /// The block type.
    pub block_type: &'s str,
    /// The names of its labels, in order: one level of properties for each.
    pub labels: &'s [&'s str],
}

impl<'s> BlockSchema<'s> {
    /// Returns a block type with labels of these names.
    #[must_use]
    pub const fn new(block_type: &'s str, labels: &'s [&'s str]) -> Self {
        Self { block_type, labels }
    }
}

/// The schema's entry for a name: the index of its attribute or block type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Attribute(u32),
    Block(u32),
}

impl Entry {
    /// Returns the number of the entry: attributes first, then block types.
    pub(super) fn index(self, schema: &Schema<'_>) -> usize {
        match self {
            Self::Attribute(index) => index as usize,
            Self::Block(index) => schema.attributes.len() + index as usize,
        }
    }
}

impl<'s> Schema<'s> {
    /// With at most this many entries, a search is faster than the table.
    const FEW: usize = 8;

    /// Returns a schema.
    #[must_use]
    pub const fn new(attributes: &'s [AttributeSchema<'s>], blocks: &'s [BlockSchema<'s>]) -> Self {
        Self { attributes, blocks, table: OnceLock::new() }
    }

    /// The attributes.
    #[must_use]
    pub fn attributes(&self) -> &'s [AttributeSchema<'s>] {
        self.attributes
    }

    /// The block types.
    #[must_use]
    pub fn blocks(&self) -> &'s [BlockSchema<'s>] {
        self.blocks
    }

    /// The block type with that name. Cost: constant, except for the first call.
    ///
    /// ```
    /// use simd_hcl::body::{BlockSchema, Schema};
    ///
    /// static ROOT: Schema = Schema::new(&[], &[BlockSchema::new("resource", &["type", "name"])]);
    /// assert_eq!(ROOT.block("resource").unwrap().labels, ["type", "name"]);
    /// assert!(ROOT.block("resouce").is_none());
    /// ```
    #[must_use]
    pub fn block(&self, block_type: &str) -> Option<BlockSchema<'s>> {
        match self.entry(block_type.as_bytes())? {
            Entry::Block(index) => self.blocks.get(index as usize).copied(),
            Entry::Attribute(_) => None,
        }
    }

    /// The attribute with that name. Cost: constant, except for the first call.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<AttributeSchema<'s>> {
        match self.entry(name.as_bytes())? {
            Entry::Attribute(index) => self.attributes.get(index as usize).copied(),
            Entry::Block(_) => None,
        }
    }

    /// The number of attributes and block types.
    pub(super) fn len(&self) -> usize {
        self.attributes.len() + self.blocks.len()
    }

    /// The attribute or block type of a name. Cost: constant, except for the first call.
    #[inline]
    pub(super) fn entry(&self, name: &[u8]) -> Option<Entry> {
        if self.len() <= Self::FEW {
            let attribute = self.attributes.iter().rposition(|known| known.name.as_bytes() == name);
            let block =
                || self.blocks.iter().rposition(|known| known.block_type.as_bytes() == name);
            return attribute
                .map(|index| Entry::Attribute(index as u32))
                .or_else(|| block().map(|index| Entry::Block(index as u32)));
        }
        self.table().get(name)
    }

    /// The block type with this name, which is also the name of an attribute. Cost: constant, except
    /// for the first call.
    #[cold]
    pub(super) fn hidden_block(&self, name: &[u8]) -> Option<Entry> {
        let found = match self.len() <= Self::FEW {
            true => {
                let found =
                    self.blocks.iter().rposition(|known| known.block_type.as_bytes() == name);
                found.map(|index| index as u32)
            }
            false => self.table().hidden.get(name).copied(),
        };
        found.map(Entry::Block)
    }

    /// The numbers of the attributes that must be set, in order. Cost: constant for each, except for
    /// the first call.
    pub(super) fn required(&self) -> impl Iterator<Item = usize> {
        let (few, listed): (_, &[u32]) = match self.len() <= Self::FEW {
            true => (self.attributes, &[]),
            false => (&[][..], &self.table().required),
        };
        let few = few.iter().enumerate().filter(|(_, known)| known.required);
        few.map(|(index, _)| index).chain(listed.iter().map(|index| *index as usize))
    }

    fn table(&self) -> &Table {
        self.table.get_or_init(|| self.make_table())
    }

    fn make_table(&self) -> Table {
        let mut table = Table::default();
        for (index, known) in self.blocks.iter().enumerate() {
            table.insert(known.block_type, Entry::Block(index as u32));
        }
        for (index, known) in self.attributes.iter().enumerate() {
            table.insert(known.name, Entry::Attribute(index as u32));
            if known.required {
                table.required.push(index as u32);
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_schemas_look_up_alike() {
        let names: Vec<String> = (0..40).map(|number| format!("n{}", number % 30)).collect();
        for attributes in [0, 1, 3, 5, 39] {
            for blocks in [0, 1, 3, 40] {
                let attributes: Vec<_> = names[..attributes]
                    .iter()
                    .map(|name| AttributeSchema { name, required: name.ends_with('7') })
                    .collect();
                let blocks: Vec<_> =
                    names[..blocks].iter().map(|name| BlockSchema::new(name, &[])).collect();
                let schema = Schema::new(&attributes, &blocks);
                let required = attributes.iter().enumerate().filter(|(_, known)| known.required);
                let required: Vec<usize> = required.map(|(index, _)| index).collect();
                assert_eq!(schema.required().collect::<Vec<_>>(), required);
                for name in names.iter().map(String::as_str).chain(["", "other"]) {
                    let attribute = attributes.iter().rposition(|known| known.name == name);
                    let block = blocks.iter().rposition(|known| known.block_type == name);
                    let expected = match (attribute, block) {
                        (Some(index), _) => Some(Entry::Attribute(index as u32)),
                        (None, index) => index.map(|index| Entry::Block(index as u32)),
                    };
                    assert_eq!(schema.entry(name.as_bytes()), expected, "{name}");
                    if attribute.is_some() {
                        let hidden = block.map(|index| Entry::Block(index as u32));
                        assert_eq!(schema.hidden_block(name.as_bytes()), hidden, "{name}");
                    }
                }
            }
        }
    }
}
