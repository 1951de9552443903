//! Proof of edits: the new text is parsed, and compared with the old file and the changes that were
//! meant.

use super::bytes::TextEdits;
use super::node::{Container, ItemNode};
use super::refusal::Refusal;
use crate::arena::Arena;
use crate::document::Document;
use crate::format::tokens;
use crate::hash::HashMap;
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::span::Span;

/// A change of an item or of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The item is removed.
    Removed,
    /// The value is this text.
    Set(Box<str>),
    /// The value is the first element of an array with further ones.
    Wrapped(Vec<String>),
}

/// The item that a new one follows, and the text of the new one.
type Added = (Option<Span>, String);

/// All changes that are meant, besides replaced bytes in names and values.
#[derive(Default)]
pub(super) struct Changes {
    of_items: HashMap<(u32, u32), Change>,
    /// The items that a container gets.
    added: HashMap<(u32, u32), Vec<Added>>,
}

impl Changes {
    /// Adds a change. Returns whether it is the first one of these bytes.
    pub(super) fn insert(&mut self, span: Span, change: Change) -> bool {
        self.of_items.insert((span.start, span.end), change).is_none()
    }

    fn get(&self, span: Span) -> Option<&Change> {
        self.of_items.get(&(span.start, span.end))
    }

    pub(super) fn add(&mut self, container: Span, after: Option<Span>, text: String) {
        self.added.entry((container.start, container.end)).or_default().push((after, text));
    }

    fn added(&self, container: Span) -> &[(Option<Span>, String)] {
        self.added.get(&(container.start, container.end)).map_or(&[], Vec::as_slice)
    }
}

/// Parses the new text of a file, and returns an error unless it says what the old one says with the
/// changes.
///
/// Cost: linear in both texts. Containers without edits are compared as bytes.
pub(super) fn prove(
    old: ParsedFile<'_>,
    new: &str,
    edits: &TextEdits,
    changes: &Changes,
) -> Result<(), Refusal> {
    let arena = Arena::new();
    let unproven = |at: u32| Refusal::Unproven(at);
    let source = Source::copy_from(&arena, old.source().name(), new.as_bytes());
    let source = source.map_err(|_| unproven(0))?;
    let file = match old.as_json() {
        Some(_) => {
            Document::parse(&arena, source).map(ParsedFile::json).map_err(|_| unproven(0))?
        }
        None => ParsedFile::native(&arena, source),
    };
    let codes = |file: ParsedFile<'_>| -> Vec<_> {
        file.diagnostics().iter().map(|found| found.code()).collect()
    };
    if codes(file) != codes(old) {
        let at = file.diagnostics().first().map_or(0, |found| found.span().start);
        return Err(unproven(at));
    }
    let (Some(before), Some(after)) = (Container::of_file(old), Container::of_file(file)) else {
        return Err(unproven(0));
    };
    let mut proof = Proof {
        old: str::from_utf8(old.source().bytes()).map_err(|_| unproven(0))?,
        new,
        is_native: old.as_native().is_some(),
        edits,
        changes,
        open: vec![(before, after)],
    };
    while let Some((before, after)) = proof.open.pop() {
        proof.container(before, after).map_err(unproven)?;
    }
    Ok(())
}

struct Proof<'p, 'a, 'n> {
    old: &'p str,
    new: &'p str,
    is_native: bool,
    edits: &'p TextEdits,
    changes: &'p Changes,
    /// The containers that are still to be compared.
    open: Vec<(Container<'a>, Container<'n>)>,
}

/// The offset in the new text where something is wrong.
type Wrong = u32;

impl<'a, 'n> Proof<'_, 'a, 'n> {
    /// Compares the items of a container.
    fn container(&mut self, before: Container<'a>, after: Container<'n>) -> Result<(), Wrong> {
        let span = before.span();
        let added = self.changes.added(span);
        let end = after.span().end;
        if before.has_names() != after.has_names() {
            return Err(after.span().start);
        }
        let mut of_items: HashMap<u32, Vec<&str>> = HashMap::default();
        for (after, text) in added {
            if let Some(after) = after {
                of_items.entry(after.start).or_default().push(text);
            }
        }
        let mut new = after.items().into_iter();
        let mut next = || new.next().ok_or(end);
        for item in before.items() {
            if self.changes.get(item.span) == Some(&Change::Removed) {
                continue;
            }
            self.item(item, next()?)?;
            for text in of_items.get(&item.span.start).into_iter().flatten() {
                self.is_added(next()?, text)?;
            }
        }
        for (_, text) in added.iter().filter(|(after, _)| after.is_none()) {
            self.is_added(next()?, text)?;
        }
        new.next().map_or(Ok(()), |extra| Err(extra.span.start))
    }

    fn is_added(&self, item: ItemNode<'n>, text: &str) -> Result<(), Wrong> {
        self.is_same(text, item.span)
    }

    /// Compares an item that is kept.
    fn item(&mut self, before: ItemNode<'a>, after: ItemNode<'n>) -> Result<(), Wrong> {
        let wrong = Err(after.span.start);
        let (old_names, new_names) = (before.names(), after.names());
        if old_names.len() != new_names.len() || before.is_block() != after.is_block() {
            return wrong;
        }
        for (old, new) in old_names.into_iter().zip(new_names) {
            self.is_same(&self.edits.apply_in(self.old, old), new)?;
        }
        match self.changes.get(before.value) {
            Some(Change::Set(text)) => return self.is_same(text, after.value),
            Some(Change::Wrapped(more)) => return self.is_wrapped(before, after, more),
            Some(Change::Removed) | None => {}
        }
        let has_edits = !self.edits.inside(before.value).is_empty();
        if has_edits && let (Some(old), Some(new)) = (before.container(), after.container()) {
            self.open.push((old, new));
            return Ok(());
        }
        self.is_same(&self.edits.apply_in(self.old, before.value), after.value)
    }

    fn is_wrapped(
        &self,
        before: ItemNode<'a>,
        after: ItemNode<'n>,
        more: &[String],
    ) -> Result<(), Wrong> {
        let elements = after.container().filter(|it| !it.has_names()).map(Container::items);
        let Some([first, rest @ ..]) = elements.as_deref() else { return Err(after.span.start) };
        let old = before.value.start as usize..before.value.end as usize;
        self.is_same(self.old.get(old).unwrap_or_default(), first.value)?;
        if rest.len() != more.len() {
            return Err(after.span.end);
        }
        rest.iter().zip(more).try_for_each(|(item, text)| self.is_added(*item, text))
    }

    /// Compares a text with bytes of the new text. In native syntax, spaces do not count.
    fn is_same(&self, text: &str, new: Span) -> Result<(), Wrong> {
        let found = self.new.get(new.start as usize..new.end as usize).unwrap_or_default();
        if text == found {
            return Ok(());
        }
        let same = |one: &str, other: &str| {
            let (one, other) = (format!("{one}\n"), format!("{other}\n"));
            let (one, other) = (tokens(&one), tokens(&other));
            let is_equal = |(one, other): (&_, &_)| is_same_token(one, other);
            one.len() == other.len() && one.iter().zip(&other).all(is_equal)
        };
        match self.is_native && same(text, found) {
            true => Ok(()),
            false => Err(new.start),
        }
    }
}

fn is_same_token(one: &crate::format::Token<'_>, other: &crate::format::Token<'_>) -> bool {
    one.kind() == other.kind() && one.text() == other.text()
}
