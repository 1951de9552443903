//! The edits of one file: recorded by the bytes of its items, and made together.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::align::align;
use super::body::{self, BodyEdit};
use super::bytes::{Conflict, Edit, TextEdits, joined};
use super::constructor::{self, ConstructorEdit};
use super::json;
use super::layout::with_line_ends;
use super::lines::Lines;
use super::node::{Container, ItemNode};
use super::prove::{Change, Changes, prove};
use super::refusal::Refusal;
use super::value::{JsonStyle, NewBlock, NewValue};
use crate::hash::{HashMap, HashSet};
use crate::parsed::ParsedFile;
use crate::span::Span;

/// The edits of one file of either syntax.
///
/// They are recorded by the bytes of items, as the parsed file has them, and made by
/// [`FileEdits::finish`]: all changes of one container together, in the file's own style. Bytes
/// outside of the edits stay, and the new text is parsed again: if anything else has changed, the
/// edits are refused.
///
/// ```
/// use simd_hcl::edit::{FileEdits, NewValue, ValueStep};
/// use simd_hcl::structure::Item;
/// use simd_hcl::{Arena, ParsedFile, Source};
///
/// let arena = Arena::new();
/// let text = b"locals {\n  size = 1 # of the disk\n\n  # In the north.\n  region = \"a\"\n}\n";
/// let file = ParsedFile::native(&arena, Source::from_bytes(&arena, "main.tf", text)?);
/// let Some(Item::Block(locals)) = file.as_native().unwrap().body().items().next() else { panic!() };
/// let region = locals.body().items().nth(1).unwrap();
///
/// let mut edits = FileEdits::new(file);
/// edits.remove(region.span());
/// let path = [ValueStep::Member("locals"), ValueStep::Member("kind")];
/// edits.add_attribute(locals.body().span(), "kind", NewValue::at(None, &path, 1, "var.kind")?);
/// let edited = edits.finish()?;
/// assert_eq!(edited.text(), "locals {\n  size = 1 # of the disk\n  kind = var.kind\n}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileEdits<'a> {
    file: ParsedFile<'a>,
    marks: Vec<Mark>,
    blocks: Vec<(NewBlock, Option<Span>)>,
    aligns: bool,
    /// The file whose style counts.
    like: Option<ParsedFile<'a>>,
}

/// A part of the file that is edited.
#[derive(Clone, Debug)]
struct Mark {
    span: Span,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// Other bytes.
    Replace(Box<str>),
    /// Another value.
    Set(NewValue),
    /// Nothing; with the containers that this empties, if set.
    Remove { with_emptied: bool },
    /// Nothing, for the item with these bytes in its name, and for the containers that this empties.
    RemoveNamed,
    /// One more item in this container.
    Add(Box<str>, NewValue),
}

/// An edited file: the edits, and the new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    edits: TextEdits,
    text: String,
}

impl Edited {
    pub(super) fn new(edits: TextEdits, text: String) -> Self {
        Self { edits, text }
    }

    /// A new file with a text: an edit of no bytes.
    pub(crate) fn of_new(text: String) -> Self {
        let edit = Edit::new(Span::new(0, 0), &*text);
        Self { edits: TextEdits::choose(vec![edit]), text }
    }

    /// The edits, as bytes of the old text.
    #[must_use]
    pub fn edits(&self) -> &TextEdits {
        &self.edits
    }

    /// The new text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The new text, owned.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }
}

impl<'a> FileEdits<'a> {
    /// No edits of a file.
    #[must_use]
    pub fn new(file: ParsedFile<'a>) -> Self {
        Self { file, marks: Vec::new(), blocks: Vec::new(), aligns: true, like: None }
    }

    /// Sets whether lines around the edits that were aligned are aligned again. They are by default.
    #[must_use]
    pub fn with_alignment(self, aligns: bool) -> Self {
        Self { aligns, ..self }
    }

    /// Sets another file whose line ends, indentation and notation of JSON count: this one is new.
    pub(crate) fn like(self, other: ParsedFile<'a>) -> Self {
        Self { like: Some(other), ..self }
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> ParsedFile<'a> {
        self.file
    }

    /// Whether nothing is edited.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.blocks.is_empty()
    }

    fn mark(&mut self, span: Span, what: What) {
        self.marks.push(Mark { span, what });
    }

    /// Replaces bytes in a name, in a label or in an expression.
    ///
    /// ```
    /// use simd_hcl::edit::FileEdits;
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let value = file.body().just_attributes(&mut ())[0].expression().span();
    /// let mut edits = FileEdits::new(file);
    /// edits.replace(value, "2");
    /// assert_eq!(edits.finish().unwrap().text(), "a = 2\n");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn replace(&mut self, span: Span, text: impl Into<Box<str>>) {
        self.mark(span, What::Replace(text.into()));
    }

    /// Replaces the bytes of a value.
    pub fn set(&mut self, value: Span, with: NewValue) {
        self.mark(value, What::Set(with));
    }

    /// Removes an attribute, a block, a member or an element, with its name and the comments that
    /// belong to it.
    ///
    /// ```
    /// use simd_hcl::edit::FileEdits;
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1\nb = 2\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let mut edits = FileEdits::new(file);
    /// edits.remove(file.body().just_attributes(&mut ())[0].span());
    /// assert_eq!(edits.finish().unwrap().text(), "b = 2\n");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn remove(&mut self, item: Span) {
        self.mark(item, What::Remove { with_emptied: false });
    }

    /// Removes an item, and in JSON the objects and arrays around it that are empty then, except for
    /// that of the whole file: the body of a block, with its labels and its type.
    pub fn remove_with_emptied(&mut self, item: Span) {
        self.mark(item, What::Remove { with_emptied: true });
    }

    /// Removes the attribute, block or member with these bytes in its name, its type or its labels, and
    /// the blocks, objects and arrays around it in which nothing is left, not even a comment.
    pub fn remove_named(&mut self, name: Span) {
        self.mark(name, What::RemoveNamed);
    }

    /// Adds an attribute at the end of a body or an object, which has these bytes, brackets included;
    /// of a whole file for all of its bytes.
    pub fn add_attribute(&mut self, container: Span, name: impl Into<Box<str>>, value: NewValue) {
        self.mark(container, What::Add(name.into(), value));
    }

    /// Adds a block at the end of the file, or in native syntax behind an item of the file. In JSON, it
    /// becomes an element of the blocks of its type; in the place of `[]`, a single one stands alone.
    pub fn add_block(&mut self, block: NewBlock, after: Option<Span>) {
        self.blocks.push((block, after));
    }

    /// Makes the edits.
    ///
    /// Edits inside of an item that is removed are left out, and equal edits are one.
    ///
    /// Cost: linear in the bytes of the file and of the edits, apart from sorting: the new text is
    /// parsed once. Containers without edits are not opened.
    ///
    /// # Errors
    /// The edits cannot be made: see [`Refusal`].
    pub fn finish(self) -> Result<Edited, Refusal> {
        let Self { file, mut marks, mut blocks, aligns, like } = self;
        let text = str::from_utf8(file.source().bytes()).map_err(|_| Refusal::Invalid)?;
        if !file.is_complete() {
            return Err(Refusal::Invalid);
        }
        if marks.is_empty() && blocks.is_empty() {
            return Ok(Edited { edits: TextEdits::default(), text: text.to_owned() });
        }
        let mut lines = Lines::new(text);
        let mut style = None;
        if let Some(like) = like {
            let text = str::from_utf8(like.source().bytes()).map_err(|_| Refusal::Invalid)?;
            let of_like = Lines::new(text);
            style = like.as_json().map(|document| JsonStyle::of(&of_like, document.root()));
            lines = lines.like(&of_like);
        }
        if file.as_native().is_some() {
            for native in texts(&mut marks, &mut blocks) {
                *native = with_line_ends(native, lines.newline())?.into();
            }
        }
        let marks = settled(marks)?;
        let mut work = Work::new(file, lines, style);
        let has_blocks = !blocks.is_empty();
        work.visit(marks, has_blocks)?;
        work.remove_emptied();
        work.add_blocks(&blocks)?;
        let edits = work.edits()?;
        let edits = match file.as_native() {
            Some(_) if aligns => align(text, edits),
            _ => edits,
        };
        let new = edits.apply(text);
        prove(file, &new, &edits, &work.changes)?;
        Ok(Edited { edits, text: new })
    }
}

/// The new texts.
fn texts<'m>(
    marks: &'m mut [Mark],
    blocks: &'m mut [(NewBlock, Option<Span>)],
) -> impl Iterator<Item = &'m mut Box<str>> {
    let of_marks = marks.iter_mut().filter_map(|mark| match &mut mark.what {
        What::Replace(text) => Some(text),
        What::Set(value) | What::Add(_, value) => Some(&mut value.native),
        What::Remove { .. } | What::RemoveNamed => None,
    });
    of_marks.chain(blocks.iter_mut().map(|(block, _)| &mut block.native))
}

fn is_add(mark: &Mark) -> bool {
    matches!(mark.what, What::Add(..))
}

/// Sorts marks: outer ones first. Equal ones are one, and those inside of removed items are left out.
fn settled(mut marks: Vec<Mark>) -> Result<Vec<Mark>, Refusal> {
    marks.sort_by_key(|mark| (mark.span.start, std::cmp::Reverse(mark.span.end), !is_add(mark)));
    let mut kept: Vec<Mark> = Vec::with_capacity(marks.len());
    // The mark that nothing else may be inside of.
    let mut closed: Option<(Span, bool)> = None;
    for mark in marks {
        let span = mark.span;
        if let Some((outer, is_removed)) = closed
            && span.start < outer.end
        {
            let is_same = kept
                .last()
                .is_some_and(|last| last.span == span && (last.what == mark.what || is_removed));
            match is_same || is_removed && span.end <= outer.end {
                true => continue,
                false => return Err(Conflict { first: outer, second: span }.into()),
            }
        }
        if !is_add(&mark) {
            closed = Some((span, matches!(mark.what, What::Remove { .. } | What::RemoveNamed)));
        }
        kept.push(mark);
    }
    Ok(kept)
}

/// Blocks by their labels, which are few.
#[derive(Default)]
struct Labelled<'b> {
    bodies: Vec<&'b str>,
    inner: Vec<(&'b str, Self)>,
}

impl<'b> Labelled<'b> {
    fn add(&mut self, labels: &[&'b str], body: &'b str) {
        let mut place = self;
        for &label in labels {
            let known = place.inner.iter().position(|(known, _)| *known == label);
            let known = known.unwrap_or_else(|| {
                place.inner.push((label, Self::default()));
                place.inner.len() - 1
            });
            place = &mut place.inner[known].1;
        }
        place.bodies.push(body);
    }

    /// The blocks as JSON: an object by the next label, or the bodies.
    fn json(&self) -> String {
        if !self.inner.is_empty() {
            let members = self.inner.iter().map(|(label, inner)| {
                let mut text = String::new();
                crate::write::push_string(&mut text, label);
                format!("{text}:{}", inner.json())
            });
            return format!("{{{}}}", members.collect::<Vec<_>>().join(","));
        }
        match *self.bodies {
            [body] => body.to_owned(),
            _ => format!("[{}]", self.bodies.join(",")),
        }
    }
}

/// A container with edits.
struct Visited<'a> {
    container: Container<'a>,
    /// The container around it, and its item that has this one.
    parent: Option<(usize, usize)>,
    items: Vec<ItemNode<'a>>,
    removed: Vec<bool>,
    with_emptied: bool,
    /// Whether a block is removed if nothing is left in it.
    with_emptied_blocks: bool,
    added: Vec<(Box<str>, NewValue)>,
    /// Members and elements of JSON that blocks add: the name, and the JSON.
    json: Vec<(Option<Box<str>>, String)>,
    /// Blocks that are added to a native file.
    blocks: Vec<body::NewItem>,
}

struct Work<'t, 'a> {
    file: ParsedFile<'a>,
    lines: Lines<'t>,
    /// How JSON is written; `None` in native syntax.
    style: Option<JsonStyle<'t>>,
    visited: Vec<Visited<'a>>,
    /// The places in `visited`, by their bytes.
    places: HashMap<(u32, u32), usize>,
    edits: Vec<Edit>,
    changes: Changes,
}

impl<'t, 'a> Work<'t, 'a> {
    fn new(file: ParsedFile<'a>, lines: Lines<'t>, style: Option<JsonStyle<'t>>) -> Self {
        let own = |root| style.unwrap_or_else(|| JsonStyle::of(&lines, root));
        let style = file.as_json().map(|document| own(document.root()));
        Self {
            file,
            lines,
            style,
            visited: Vec::new(),
            places: HashMap::default(),
            edits: Vec::new(),
            changes: Changes::default(),
        }
    }

    fn open(&mut self, container: Container<'a>, parent: Option<(usize, usize)>) -> usize {
        let items = container.items();
        let span = container.span();
        self.places.insert((span.start, span.end), self.visited.len());
        self.visited.push(Visited {
            container,
            parent,
            removed: vec![false; items.len()],
            items,
            with_emptied: false,
            with_emptied_blocks: false,
            added: Vec::new(),
            json: Vec::new(),
            blocks: Vec::new(),
        });
        self.visited.len() - 1
    }

    /// Finds the containers of all marks, from the file inwards.
    fn visit(&mut self, marks: Vec<Mark>, has_blocks: bool) -> Result<(), Refusal> {
        let first = marks.first().map_or(Span::new(0, 0), |mark| mark.span);
        let Some(root) = Container::of_file(self.file) else { return Err(Refusal::NoItem(first)) };
        if marks.is_empty() && !has_blocks {
            return Ok(());
        }
        let root = self.open(root, None);
        let mut open = vec![(root, marks)];
        while let Some((place, marks)) = open.pop() {
            let container = self.visited[place].container;
            let mut rest = marks.into_iter().peekable();
            // Other marks with the same span are of an item that is the whole file.
            let is_of_container = |mark: &Mark| is_add(mark) && mark.span == container.span();
            while let Some(mark) = rest.next_if(is_of_container) {
                let What::Add(name, value) = mark.what else { continue };
                if !container.has_names() {
                    return Err(Refusal::NoItem(mark.span));
                }
                self.visited[place].added.push((name, value));
            }
            let mut at = 0;
            while let Some(mark) = rest.next() {
                let items = &self.visited[place].items;
                let ahead = items.get(at..).unwrap_or_default();
                at += ahead.partition_point(|item| item.span.end <= mark.span.start);
                let item = items.get(at).copied();
                let item = item.filter(|item| {
                    item.span.start <= mark.span.start && mark.span.end <= item.span.end
                });
                let Some(item) = item else { return Err(Refusal::NoItem(mark.span)) };
                if let (What::Remove { with_emptied }, true) = (&mark.what, mark.span == item.span)
                {
                    self.visited[place].removed[at] = true;
                    self.visited[place].with_emptied |= with_emptied;
                    self.changes.insert(item.span, Change::Removed);
                    continue;
                }
                let is_in_value = item.value.start <= mark.span.start;
                match mark.what {
                    What::RemoveNamed if !is_in_value => {
                        // Other edits inside the item go with it.
                        while rest.next_if(|next| next.span.start < item.span.end).is_some() {}
                        self.visited[place].removed[at] = true;
                        self.visited[place].with_emptied = true;
                        self.visited[place].with_emptied_blocks = true;
                        self.changes.insert(item.span, Change::Removed);
                        continue;
                    }
                    What::Set(value) if mark.span == item.value => {
                        let text = self.written(&value, item.span.start);
                        self.changes.insert(item.value, Change::Set(text.clone().into()));
                        self.replace(mark.span, text.into());
                        continue;
                    }
                    What::Replace(text) => {
                        self.replace(mark.span, text);
                        continue;
                    }
                    _ if !is_in_value => return Err(Refusal::NoItem(mark.span)),
                    _ => {}
                }
                // It is further inside, with all marks of the same item that are not names.
                let Some(inner) = item.container() else { return Err(Refusal::NoItem(mark.span)) };
                let mut of_item = vec![mark];
                while let Some(next) = rest.next_if(|next| next.span.start < item.span.end) {
                    of_item.push(next);
                }
                let inner = self.open(inner, Some((place, at)));
                open.push((inner, of_item));
            }
        }
        Ok(())
    }

    /// Replaces bytes, unless they are the same.
    fn replace(&mut self, span: Span, text: Box<str>) {
        if self.lines.part(span.start as usize, span.end as usize) != &*text {
            self.edits.push(Edit::new(span, text));
        }
    }

    /// The text of a value at an offset.
    fn written(&self, value: &NewValue, at: u32) -> String {
        match self.style {
            Some(style) => style.layout(&value.json, self.lines.indentation(at as usize)),
            None => value.native.to_string(),
        }
    }

    /// Removes the containers that are emptied, from the innermost on.
    fn remove_emptied(&mut self) {
        for place in (0..self.visited.len()).rev() {
            let visited = &self.visited[place];
            let is_emptied = visited.with_emptied
                && visited.added.is_empty()
                && visited.removed.iter().all(|removed| *removed)
                && match visited.container {
                    Container::Json(_) => true,
                    _ => visited.with_emptied_blocks && self.is_blank_after(visited),
                };
            if let Some((parent, at)) = visited.parent.filter(|_| is_emptied) {
                let span = self.visited[parent].items[at].span;
                // Its own items go with it.
                self.visited[place].items.clear();
                self.visited[place].removed.clear();
                self.visited[parent].removed[at] = true;
                self.visited[parent].with_emptied = true;
                self.visited[parent].with_emptied_blocks |= self.visited[place].with_emptied_blocks;
                self.changes.insert(span, Change::Removed);
            }
        }
    }

    /// Whether only spaces are left in the body of a block whose items are all removed.
    fn is_blank_after(&self, visited: &Visited<'a>) -> bool {
        let Container::Body(body, false) = visited.container else { return false };
        let inside = Span::new(body.span().start + 1, body.span().end - 1);
        let items: Vec<_> = visited.items.iter().map(|item| (*item, true)).collect();
        let edit =
            BodyEdit { lines: &self.lines, inside, is_file: false, items: &items, added: &[] };
        let edits = TextEdits::new(edit.edit().0);
        edits.is_ok_and(|edits| edits.apply_in(self.lines.text(), inside).trim().is_empty())
    }

    fn add_blocks(&mut self, blocks: &[(NewBlock, Option<Span>)]) -> Result<(), Refusal> {
        if blocks.is_empty() {
            return Ok(());
        }
        match self.visited[0].container {
            Container::Json(_) => self.add_json_blocks(blocks),
            _ => {
                let visited = &mut self.visited[0];
                let removed = visited.items.iter().zip(&visited.removed);
                let removed: HashSet<u32> = removed
                    .filter(|(_, is_removed)| **is_removed)
                    .map(|(item, _)| item.span.start)
                    .collect();
                visited.blocks.extend(blocks.iter().map(|(block, after)| body::NewItem {
                    text: block.native.to_string(),
                    is_block: true,
                    is_indented: true,
                    comments: block.comments.clone(),
                    after: after.filter(|after| !removed.contains(&after.start)),
                }));
                Ok(())
            }
        }
    }

    fn add_json_blocks(&mut self, blocks: &[(NewBlock, Option<Span>)]) -> Result<(), Refusal> {
        // Blocks that nothing of their type exists for are put together.
        let mut absent: BTreeMap<&str, String> = BTreeMap::new();
        // Members that an object lacks, and the blocks in them.
        let mut members: Vec<(usize, &str, Labelled<'_>)> = Vec::new();
        // Blocks that were the only one of their type and labels, and those that follow them.
        let mut wrapped: BTreeMap<u32, (ItemNode<'a>, Vec<&str>)> = BTreeMap::new();
        // Blocks for empty arrays.
        let mut filled: BTreeMap<u32, (ItemNode<'a>, Vec<&str>)> = BTreeMap::new();
        for (block, _) in blocks {
            let mut place = 0;
            let mut names = std::iter::once(&block.block_type).chain(&block.labels).peekable();
            while let Some(name) = names.next() {
                let name: &str = name;
                let Some(object) = self.object(place) else {
                    return Err(Refusal::NoItem(self.visited[place].container.span()));
                };
                let visited = &self.visited[object];
                let mut items = visited.items.iter().zip(&visited.removed);
                let found = items.position(|(item, removed)| item.is_named(name) && !removed);
                let rest: Vec<&str> = names.clone().map(|name| &**name).collect();
                let below = nested(&rest, &block.json);
                let Some(at) = found else {
                    if place == 0 && rest.is_empty() {
                        let all = absent.entry(&block.block_type).or_default();
                        let comma = if all.is_empty() { "" } else { "," };
                        all.push_str(&format!("{comma}{}", block.json));
                    } else {
                        let known = members.iter().position(|it| (it.0, it.1) == (object, name));
                        let known = known.unwrap_or_else(|| {
                            members.push((object, name, Labelled::default()));
                            members.len() - 1
                        });
                        members[known].2.add(&rest, &block.json);
                    }
                    break;
                };
                let item = visited.items[at];
                let Some(inner) = item.container() else { return Err(Refusal::NoItem(item.span)) };
                let is_array = !inner.has_names();
                match (is_array, rest.is_empty()) {
                    (true, true) if item.value.len() == 2 => {
                        let (_, bodies) =
                            filled.entry(item.value.start).or_insert((item, Vec::new()));
                        bodies.push(&block.json);
                        break;
                    }
                    (true, _) => {
                        let inner = self.inner(object, at, inner);
                        self.visited[inner].json.push((None, below));
                        break;
                    }
                    (false, true) => {
                        let (_, bodies) =
                            wrapped.entry(item.value.start).or_insert((item, Vec::new()));
                        bodies.push(&block.json);
                        break;
                    }
                    (false, false) => place = self.inner(object, at, inner),
                }
            }
        }
        for (item, bodies) in wrapped.into_values() {
            self.wrap(item, &bodies)?;
        }
        for (item, bodies) in filled.into_values() {
            self.fill(item, &bodies)?;
        }
        let Some(object) = self.object(0) else {
            return Err(Refusal::NoItem(self.visited[0].container.span()));
        };
        for (object, name, blocks) in members {
            self.visited[object].json.push((Some(name.into()), blocks.json()));
        }
        for (name, bodies) in absent {
            self.visited[object].json.push((Some(name.into()), format!("[{bodies}]")));
        }
        Ok(())
    }

    /// The object at a place, or the last object of an array there.
    fn object(&mut self, place: usize) -> Option<usize> {
        if self.visited[place].container.has_names() {
            return Some(place);
        }
        let last = self.visited[place].items.len().checked_sub(1)?;
        let inner = self.visited[place].items[last].container().filter(|it| it.has_names())?;
        Some(self.inner(place, last, inner))
    }

    /// The place of a container that is an item of another one.
    fn inner(&mut self, parent: usize, at: usize, inner: Container<'a>) -> usize {
        let span = inner.span();
        let known = self.places.get(&(span.start, span.end)).copied();
        known.unwrap_or_else(|| self.open(inner, Some((parent, at))))
    }

    /// Makes an array of a value that is one block, with others.
    fn wrap(&mut self, item: ItemNode<'_>, bodies: &[&str]) -> Result<(), Refusal> {
        let Some(style) = self.style else { return Err(Refusal::NoItem(item.span)) };
        let indent = self.lines.indentation(item.span.start as usize);
        let comma = if style.colon.ends_with(' ') { ", " } else { "," };
        let added: Vec<String> = bodies.iter().map(|json| style.layout(json, indent)).collect();
        let more: String = added.iter().flat_map(|text| [comma, text]).collect();
        let Span { start, end } = item.value;
        self.edits.push(Edit::new(Span::new(start, start), "["));
        self.edits.push(Edit::new(Span::new(end, end), format!("{more}]")));
        match self.changes.insert(item.value, Change::Wrapped(added)) {
            true => Ok(()),
            false => Err(Conflict { first: item.value, second: item.value }.into()),
        }
    }

    /// Replaces an empty array by one block, or by an array of some. One without an array around it tells
    /// that the array was there: what takes the block away puts it back.
    fn fill(&mut self, item: ItemNode<'_>, bodies: &[&str]) -> Result<(), Refusal> {
        let Some(style) = self.style else { return Err(Refusal::NoItem(item.span)) };
        let indent = self.lines.indentation(item.span.start as usize);
        let text = match bodies {
            [body] => style.layout(body, indent),
            _ => style.layout(&format!("[{}]", bodies.join(",")), indent),
        };
        self.changes.insert(item.value, Change::Set(text.clone().into()));
        self.replace(item.value, text.into());
        Ok(())
    }

    /// The edits of all containers.
    fn edits(&mut self) -> Result<TextEdits, Refusal> {
        // Inner containers come first: what they get at their ends is before what follows them.
        for visited in self.visited.iter().rev() {
            let items: Vec<(ItemNode<'a>, bool)> =
                visited.items.iter().copied().zip(visited.removed.iter().copied()).collect();
            let added: Vec<(Cow<'_, str>, &NewValue)> =
                visited.added.iter().map(|(name, value)| (Cow::from(&**name), value)).collect();
            let has_changes = visited.removed.contains(&true)
                || !added.is_empty()
                || !visited.json.is_empty()
                || !visited.blocks.is_empty();
            if !has_changes {
                continue;
            }
            let span = visited.container.span();
            let mut afters = Vec::new();
            let (edits, texts) = match (visited.container, &self.style) {
                (Container::Body(_, is_file), _) => {
                    let of_attributes = added.iter().map(|(name, value)| body::NewItem {
                        text: format!("{name} = {}", value.native),
                        is_block: false,
                        is_indented: value.is_indented,
                        comments: value.comments.clone(),
                        after: None,
                    });
                    let all: Vec<body::NewItem> =
                        of_attributes.chain(visited.blocks.iter().cloned()).collect();
                    afters.extend(all.iter().map(|item| item.after));
                    let inside = match is_file {
                        true => Span::new(self.lines.first() as u32, span.end),
                        false => Span::new(span.start + 1, span.end - 1),
                    };
                    let lines = &self.lines;
                    BodyEdit { lines, inside, is_file, items: &items, added: &all }.edit()
                }
                (Container::Native(_), _) => {
                    let values: Vec<String> =
                        added.iter().map(|(_, value)| value.native.to_string()).collect();
                    let new: Vec<constructor::NewItem<'_>> = added
                        .iter()
                        .zip(&values)
                        .map(|((name, _), value)| constructor::NewItem { key: Some(name), value })
                        .collect();
                    let edit = ConstructorEdit {
                        lines: &self.lines,
                        span,
                        is_object: visited.container.has_names(),
                        items: &items,
                        added: &new,
                    };
                    edit.edit()
                }
                (Container::Json(_), Some(style)) => {
                    let of_values = added.iter().map(|(name, value)| json::NewItem {
                        name: Some(name),
                        json: value.json.to_string(),
                    });
                    let of_blocks = visited.json.iter().map(|(name, json)| json::NewItem {
                        name: name.as_deref(),
                        json: json.clone(),
                    });
                    let new: Vec<json::NewItem<'_>> = of_values.chain(of_blocks).collect();
                    json::edit(&self.lines, style, span, &items, &new)
                }
                (Container::Json(_), None) => return Err(Refusal::NoItem(span)),
            };
            self.edits.extend(edits);
            let count = texts.len();
            afters.resize(count, None);
            for (text, after) in texts.into_iter().zip(afters) {
                self.changes.add(span, after, text);
            }
        }
        Ok(TextEdits::new(joined(std::mem::take(&mut self.edits)))?)
    }
}

/// JSON inside of objects with one member each.
fn nested(names: &[&str], json: &str) -> String {
    let mut text = json.to_owned();
    for name in names.iter().rev() {
        let mut outer = String::from("{");
        crate::write::push_string(&mut outer, name);
        outer.push(':');
        outer.push_str(&text);
        outer.push('}');
        text = outer;
    }
    text
}
