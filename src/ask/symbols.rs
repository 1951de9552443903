//! Symbols: the declarations of one file and of all files.

use super::answers::{Answers, FileSpan};
use super::context;
use super::named::{name_of, unquoted};
use super::outline::{self, Item, ItemKind};
use crate::body::Block;
use crate::dialect::{BlockKind, List, block_address};
use crate::facts::{PlaceUse, Target};
use crate::module::Object;
use crate::span::Span;

/// A kind of symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SymbolKind {
    /// A block at the root of a file.
    Block(BlockKind),
    /// A block in another one, or of an unknown type.
    Nested,
    /// A local value.
    Local,
    /// An argument.
    Argument,
}

/// A symbol of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Symbol {
    /// The number of symbols around it: it is in the last one before it with a lower number.
    pub depth: u32,
    /// Its name: the address of the object that a block declares, or the name of an argument.
    pub name: Box<str>,
    /// Its kind.
    pub kind: SymbolKind,
    /// All of its bytes; of a block in JSON, those of its body.
    pub span: Span,
    /// The bytes of its name, within those of all of it.
    pub name_span: Span,
}

/// An object that a module or template declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkspaceSymbol {
    /// The address of the object.
    pub name: Box<str>,
    /// The type of the block that declares it.
    pub kind: BlockKind,
    /// The directory of its module.
    pub module: Box<str>,
    /// The bytes of its name.
    pub place: FileSpan,
}

/// The number of levels of blocks that have symbols.
const DEPTH: u32 = 4;

impl<'t, 'a> Answers<'t, 'a> {
    /// The symbols of a file, in the order of the text: its blocks down to four levels, and their
    /// arguments. Empty for a file with a syntax error that leaves nothing to read.
    ///
    /// Cost: linear in the file.
    #[must_use]
    pub fn symbols(&self, file: &str) -> Vec<Symbol> {
        let Some(entry) = self.entry(file) else { return Vec::new() };
        let Some(parsed) = self.parsed(entry) else { return Vec::new() };
        let items = outline::items(parsed, context::grammar(entry));
        let bytes = entry.source.bytes();
        let is_values = entry.kind.list == List::Variables;
        // The block type around each level.
        let mut around: Vec<&str> = Vec::new();
        let mut found = Vec::new();
        for item in items.into_iter().filter(|item| item.depth < DEPTH) {
            around.truncate(item.depth as usize);
            let outer = around.last().copied().unwrap_or_default();
            found.push(symbol(&item, outer, is_values, bytes));
            if let ItemKind::Block(block) = item.kind {
                around.push(block.block_type());
            }
        }
        found
    }

    /// The objects of all modules and templates whose address contains the letters of a query in
    /// their order, without regard to case: best matches first, at most `most`.
    ///
    /// Cost: the places of all modules, which are kept.
    #[must_use]
    pub fn workspace_symbols(&self, query: &str, most: usize) -> Vec<WorkspaceSymbol> {
        let query: Vec<char> = query.chars().flat_map(char::to_lowercase).collect();
        let mut found: Vec<(u32, WorkspaceSymbol)> = Vec::new();
        for (place, module) in self.own_modules() {
            let numbered = (0..).zip(module.module.objects());
            let named = numbered.filter(|(_, object)| is_symbol(*object));
            let matching: Vec<_> = named
                .filter_map(|(number, object)| {
                    let name = object.to_string();
                    Some((number, object, rank(&name, &query)?, name))
                })
                .collect();
            if matching.is_empty() {
                continue;
            }
            let places = self.places(place);
            for (number, object, rank, name) in matching {
                let declared = places.of_target(Target::Object(number));
                let is_declaration = |it: &&crate::facts::Place| {
                    it.usage() == PlaceUse::Declaration && it.has_effect()
                };
                let Some(at) = declared.into_iter().find(is_declaration) else { continue };
                let symbol = WorkspaceSymbol {
                    name: name.into(),
                    kind: object.block_kind(),
                    module: module.files.path.to_string_lossy().into(),
                    place: FileSpan { file: places.file(at).into(), span: name_of(at) },
                };
                found.push((rank, symbol));
            }
        }
        #[cfg(feature = "packer")]
        for template in self.tree.templates() {
            for object in template.template.objects() {
                let name = object.to_string();
                let rank = rank(&name, &query);
                if let Some((rank, label)) = rank.zip(template.template.declaration(object)) {
                    let span = unquoted(label.span, label.source.bytes());
                    let symbol = WorkspaceSymbol {
                        name: name.into(),
                        kind: object.block_kind(),
                        module: template.files.path.to_string_lossy().into(),
                        place: FileSpan::new(label.source, span),
                    };
                    found.push((rank, symbol));
                }
            }
        }
        let key = |(rank, symbol): &(u32, WorkspaceSymbol)| {
            (*rank, symbol.name.clone(), symbol.place.clone())
        };
        found.sort_by_cached_key(key);
        found.truncate(most);
        found.into_iter().map(|(_, symbol)| symbol).collect()
    }
}

/// Whether an object is declared by a name.
fn is_symbol(object: Object<'_>) -> bool {
    !matches!(
        object,
        Object::Import(_) | Object::Moved(_) | Object::Removed(_) | Object::Setting(_)
    )
}

/// How well a name matches the letters of a query, the best first; `None` if it does not.
pub(super) fn rank(name: &str, query: &[char]) -> Option<u32> {
    // Most names lack a letter, which needs no copy.
    let mut letters = name.chars().flat_map(char::to_lowercase);
    if !query.iter().all(|wanted| letters.any(|letter| letter == *wanted)) {
        return None;
    }
    let lower: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    if lower == query {
        return Some(0);
    }
    if lower.starts_with(query) {
        return Some(1);
    }
    let is_part = query.is_empty() || lower.windows(query.len()).any(|part| part == query);
    Some(if is_part { 2 } else { 3 })
}

fn symbol(item: &Item<'_>, outer: &str, is_values: bool, bytes: &[u8]) -> Symbol {
    let Item { depth, kind } = *item;
    match kind {
        ItemKind::Block(block) => {
            let labels = block.labels();
            let (name, kind) = match BlockKind::from_name(block.block_type()) {
                Some(kind) if depth == 0 => {
                    (block_address(block.block_type(), labels), SymbolKind::Block(kind))
                }
                _ => {
                    let mut name = block.block_type().to_owned();
                    labels.for_each(|label| {
                        name.push(' ');
                        name.push_str(label);
                    });
                    (name, SymbolKind::Nested)
                }
            };
            let span = block.span();
            let name_span = name_of_block(block, bytes);
            // In JSON the name is outside of the body.
            Symbol { depth, name: name.into(), kind, span: span.to(name_span), name_span }
        }
        ItemKind::Argument(attribute) => {
            let (name, kind) = match (outer, depth) {
                ("locals", 1) => (format!("local.{}", attribute.name()), SymbolKind::Local),
                _ if is_values => (format!("var.{}", attribute.name()), SymbolKind::Argument),
                _ => (attribute.name().to_owned(), SymbolKind::Argument),
            };
            let name_span = unquoted(attribute.name_span(), bytes);
            Symbol { depth, name: name.into(), kind, span: attribute.span(), name_span }
        }
    }
}

/// The bytes of the last label of a block, or of its type.
pub(super) fn name_of_block(block: Block<'_>, bytes: &[u8]) -> Span {
    let span = block.label_spans().last().unwrap_or_else(|| block.type_span());
    unquoted(span, bytes)
}
