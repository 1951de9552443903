//! The files of a module that a refactoring reads, and the edits of all files that it changes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::change::{Change, ChangedFile, NotChanged, Refusal, TakenBack, Why};
use super::shared::Shared;
use super::text::in_json;
use crate::diagnostic::Label;
use crate::dialect::{Dialect, List};
use crate::edit::{FileEdits, NewBlock, NewValue, ValueStep};
use crate::expression::{Expression, is_identifier};
use crate::facts::{Place, PlaceUse, Places, Target};
use crate::format::{TokenKind, tokens};
use crate::hash::{HashMap, HashSet};
use crate::json;
use crate::module::{Moved, Object};
use crate::native::Native;
use crate::parsed::ParsedFile;
use crate::span::Span;
use crate::structure::{FileAttribute, Item};
use crate::tree::{Tree, TreeModule};

/// The parsed files of a module, by the names of their sources.
pub(super) struct Files<'a> {
    by_name: HashMap<&'a str, ParsedFile<'a>>,
    /// The attributes of native files, by the numbers of their sources, in the order of their bytes.
    attributes: RefCell<HashMap<u32, Rc<[FileAttribute<'a>]>>>,
}

impl<'a> Files<'a> {
    /// The files of a module: configuration, tests, values of variables, and the given files that
    /// others shadow. One that does not parse has no places, and is left out.
    pub(super) fn of(module: &TreeModule<'a>, shadowed: &[(List, ParsedFile<'a>)]) -> Self {
        let mut by_name: HashMap<&'a str, ParsedFile<'a>> = HashMap::default();
        let configuration = module.configuration.iter().chain(shadowed);
        by_name.extend(configuration.map(|(_, file)| (file.source().name(), *file)));
        for &source in &module.sources {
            if !by_name.contains_key(source.name())
                && let Ok(file) = ParsedFile::parse(source.arena(), source)
            {
                by_name.insert(source.name(), file);
            }
        }
        Self { by_name, attributes: RefCell::default() }
    }

    /// The file of a place.
    pub(super) fn get(&self, places: &Places, place: &Place) -> Option<ParsedFile<'a>> {
        self.named(places.file(place))
    }

    /// The file with the name of a source.
    pub(super) fn named(&self, name: &str) -> Option<ParsedFile<'a>> {
        self.by_name.get(name).copied()
    }

    /// The expression or the template with these bytes in it.
    ///
    /// Cost: the attributes of a native file are listed once; in JSON, the members of the containers
    /// around the bytes.
    pub(super) fn expression_around(
        &self,
        file: ParsedFile<'a>,
        bytes: Span,
    ) -> Option<Native<'a>> {
        if let Some(native) = file.as_native() {
            let id = file.source().id();
            let known = self.attributes.borrow().get(&id).cloned();
            let attributes = known.unwrap_or_else(|| {
                let all: Rc<[_]> = native.body().all_attributes().collect();
                self.attributes.borrow_mut().insert(id, Rc::clone(&all));
                all
            });
            let after = attributes.partition_point(|it| it.value_span().start <= bytes.start);
            let attribute = attributes.get(after.checked_sub(1)?)?;
            return attribute.expression().ok().filter(|_| bytes.end <= attribute.value_span().end);
        }
        let node = innermost(file.as_json()?.root(), bytes.start);
        Expression::from_json(node).template().and_then(Result::ok).and_then(Native::of)
    }

    /// All files, by name.
    pub(super) fn all(&self) -> Vec<ParsedFile<'a>> {
        let mut all: Vec<_> = self.by_name.values().copied().collect();
        all.sort_by_key(|file| file.source().name());
        all
    }
}

/// Refuses a module of which a file is not known. Files of values name only variables.
pub(super) fn check_readable(module: &TreeModule<'_>, places: &Places) -> Result<(), Refusal> {
    match module.undecoded.iter().find(|source| !module.has_values(**source)) {
        Some(source) => Err(Refusal::Unread(source.name().to_owned())),
        None if !places.is_complete() => {
            Err(Refusal::Unread(module.files.path.to_string_lossy().into_owned()))
        }
        None => Ok(()),
    }
}

/// Refuses a module of which a file of values is not known.
pub(super) fn check_values(module: &TreeModule<'_>) -> Result<(), Refusal> {
    match module.undecoded.iter().find(|source| module.has_values(**source)) {
        Some(source) => Err(Refusal::Unread(source.name().to_owned())),
        None => Ok(()),
    }
}

/// Refuses a module of which a file or an expression is not known, which may name any object.
pub(super) fn check_whole(module: &TreeModule<'_>, places: &Places) -> Result<(), Refusal> {
    check_readable(module, places)?;
    match module.broken().filter(|source| !module.has_values(*source)) {
        Some(source) => Err(Refusal::Unread(source.name().to_owned())),
        None => Ok(()),
    }
}

/// Refuses a new name that is not one, that something of the module has, or that something refers to.
/// `new` is the object with that name; places that `is_known` accepts do not matter.
pub(super) fn check_free(
    module: &TreeModule<'_>,
    places: &Places,
    new: Object<'_>,
    name: &str,
    is_known: &dyn Fn(&Place) -> bool,
) -> Result<(), Refusal> {
    if !is_identifier(name) {
        return Err(Refusal::Name(format!("`{name}` is not a name")));
    }
    let address = new.to_string();
    let path = module.files.path.to_string_lossy();
    // The name may not live as long as the arena.
    if module.module.objects().any(|object| object.to_string() == address) {
        return Err(Refusal::Name(format!("{path} has {address} already")));
    }
    let is_used = |place: &&Place| moved_of(module, places, place).is_none() && !is_known(place);
    let target = match new {
        // It may be declared as one that the caller passes.
        Object::Provider(config) => Target::Inherited(config),
        _ => Target::Undeclared(&address),
    };
    match places.of_target(target).find(is_used) {
        Some(place) => {
            let file = places.file(place);
            Err(Refusal::Name(match (new, place.usage()) {
                (Object::Provider(_), PlaceUse::Declaration | PlaceUse::Key) => {
                    format!("{file} has {address} already")
                }
                _ => format!("{file} refers to {address}, which is not declared"),
            }))
        }
        None => Ok(()),
    }
}

/// The `moved` block that a place is in.
pub(super) fn moved_of<'a>(
    module: &TreeModule<'a>,
    places: &Places,
    place: &Place,
) -> Option<Moved<'a>> {
    let number = places.user(place).filter(|_| place.usage() == PlaceUse::Address)?;
    match module.module.object(number)? {
        Object::Moved(at) => module.module.moved.get(at).copied(),
        _ => None,
    }
}

/// A `moved` block from an address to another.
pub(super) fn moved_block(dialect: Dialect, from: &str, to: &str) -> Result<NewBlock, Refusal> {
    let text = format!("moved {{\n  from = {from}\n  to   = {to}\n}}");
    NewBlock::parse(Some((dialect, List::Primary)), &text)
        .map_err(|error| Refusal::Name(error.to_string()))
}

/// The change of older `moved` blocks when an object gets another address.
#[derive(Clone, Copy)]
pub(super) struct Older {
    /// Whether they stay and form a chain with a new one.
    pub(super) is_chained: bool,
    /// Whether the tools may have done what they say.
    pub(super) is_applied: bool,
}

/// The `moved` block that says the reverse of a new one.
pub(super) struct Reverse<'a> {
    pub(super) file: ParsedFile<'a>,
    /// The bytes of the block.
    pub(super) block: Span,
    /// The place of the address that it starts from.
    start: Label<'a>,
}

impl<'a> Reverse<'a> {
    /// Says in the result what became of the block.
    pub(super) fn tell(&self, change: &mut Change<'a>, older: Older, (from, to): (&str, &str)) {
        if older.is_chained && older.is_applied {
            change.not_changed.push(NotChanged { label: self.start, why: Why::Applied });
        }
        let (from, to) = (to.to_owned(), from.to_owned());
        change.taken_back.push(TakenBack { source: self.file.source(), from, to });
    }
}

/// Takes away the `moved` block of a module that says the reverse of a new one, from an address to
/// another. If it may be applied, it says what the new one would, and older blocks that lead to its start
/// lead to its end: no two blocks may lead to one address. `blocks` are those that may have one of the
/// addresses.
///
/// # Errors
/// Another block says that an object has moved from the new address. A move of one of its instances does not count if
/// the object had the address before.
pub(super) fn take_reverse<'b, 'a: 'b>(
    blocks: impl IntoIterator<Item = &'b Moved<'a>>,
    files: &Files<'a>,
    edits: &mut TreeEdits<'a>,
    (from, to): (&str, &str),
    older: Older,
) -> Result<Option<Reverse<'a>>, Refusal> {
    let instance = format!("{to}[");
    let (mut taken, mut to_same) = (None, Vec::new());
    let mut conflicts = Vec::new();
    for moved in blocks {
        let (Some(start), Some(end)) = (moved.from, moved.to) else { continue };
        let Some(file) = files.named(end.source().name()) else { continue };
        let (from_text, to_text) = (start.to_string(), end.to_string());
        let at = end.span();
        if from_text == to && to_text == from {
            let Some(block) = block_around(file, at) else { continue };
            taken = Some(Reverse { file, block, start: start.label() });
            if older.is_chained && older.is_applied {
                edits.replace_address(file, start.span(), from);
                edits.replace_address(file, at, to);
                continue;
            }
            match json_block(file, at).filter(|(item, body)| item != body) {
                // It took the place of an empty array.
                Some((_, body)) => edits.of(file).set(body, empty_list()?),
                None => edits.of(file).remove_with_emptied(block),
            }
        } else if older.is_chained && (from_text == to || from_text.starts_with(&instance)) {
            let is_whole = from_text == to && !to_text.starts_with(&instance);
            conflicts.push((is_whole, file.source().name(), to_text));
        } else if to_text == to {
            to_same.push((file, at));
        }
    }
    let mut conflicts = conflicts.into_iter();
    if let Some((_, name, to_text)) = conflicts.find(|(is_whole, ..)| *is_whole || taken.is_none())
    {
        return Err(Refusal::Name(format!(
            "a `moved` block in {name} says that {to} has moved to {to_text}"
        )));
    }
    if taken.is_some() && older.is_chained && older.is_applied {
        to_same.into_iter().for_each(|(file, at)| edits.replace_address(file, at, from));
    }
    Ok(taken)
}

/// The bytes of expressions that are written in the place of references.
#[derive(Clone, Copy, Default)]
pub(super) struct Added(usize);

impl Added {
    /// Adds a text.
    ///
    /// # Errors
    /// All texts together have more than 64 MiB: a long expression at many references.
    pub(super) fn add(&mut self, text: &str) -> Result<(), Refusal> {
        self.0 += text.len();
        match self.0 <= MOST_ADDED {
            true => Ok(()),
            false => {
                let why = "the expressions in the place of references would be too long";
                Err(Refusal::Unsupported(why.to_owned()))
            }
        }
    }
}

const MOST_ADDED: usize = 64 << 20;

/// The edits of several files. A file that several modules have is edited by its first name.
pub(super) struct TreeEdits<'a> {
    /// By the names of their sources.
    files: BTreeMap<&'a str, OfFile<'a>>,
    aligns: bool,
    shared: Shared<'a>,
    /// The first name of each file with several names.
    names: HashMap<usize, ParsedFile<'a>>,
    /// The paths of modules.
    paths: Vec<String>,
    /// The modules of which every edit is made that an edit of one of their files needs.
    read: HashSet<usize>,
}

/// A file with edits.
struct OfFile<'a> {
    edits: FileEdits<'a>,
    /// The bytes that are replaced: the same name may have two places.
    replaced: HashSet<(u32, u32)>,
}

impl<'a> TreeEdits<'a> {
    /// No edits. `aligns` is set if lines that were aligned are aligned again.
    pub(super) fn new(tree: &Tree<'a>, aligns: bool) -> Self {
        Self::with_shared(tree, Shared::of(tree), aligns)
    }

    /// Likewise, with the files that several modules have.
    pub(super) fn with_shared(tree: &Tree<'a>, shared: Shared<'a>, aligns: bool) -> Self {
        let modules = tree.modules().iter();
        let paths = modules.map(|it| it.files.path.to_string_lossy().into_owned()).collect();
        let (names, read) = (HashMap::default(), HashSet::default());
        Self { files: BTreeMap::new(), aligns, shared, names, paths, read }
    }

    /// Notes that every edit of a module is made that an edit of one of its files needs.
    pub(super) fn reads(&mut self, module: usize) {
        self.read.insert(module);
    }

    fn entry(&mut self, file: ParsedFile<'a>) -> &mut OfFile<'a> {
        let aligns = self.aligns;
        let file = match self.shared.file(file.source()) {
            Some(number) => *self.names.entry(number).or_insert(file),
            None => file,
        };
        self.files.entry(file.source().name()).or_insert_with(|| OfFile {
            edits: FileEdits::new(file).with_alignment(aligns),
            replaced: HashSet::default(),
        })
    }

    /// The edits of a file.
    pub(super) fn of(&mut self, file: ParsedFile<'a>) -> &mut FileEdits<'a> {
        &mut self.entry(file).edits
    }

    /// Replaces bytes in a name, in a label or in an expression. The first text for the same bytes
    /// counts.
    pub(super) fn replace(&mut self, file: ParsedFile<'a>, span: Span, text: &str) {
        let of_file = self.entry(file);
        if of_file.replaced.insert((span.start, span.end)) {
            of_file.edits.replace(span, text);
        }
    }

    /// Replaces an address, which is a part of a string in JSON.
    fn replace_address(&mut self, file: ParsedFile<'a>, span: Span, address: &str) {
        match file.as_json() {
            Some(_) => self.replace(file, span, &in_json(address)),
            None => self.replace(file, span, address),
        }
    }

    /// Makes the edits. Files that stay as they are are left out.
    ///
    /// # Errors
    /// The edits of a file cannot be made, or a file is also one of a module that is not
    /// [read](Self::reads).
    pub(super) fn finish(self) -> Result<Vec<ChangedFile<'a>>, Refusal> {
        for (name, of_file) in &self.files {
            let modules = self.shared.modules(of_file.edits.file().source());
            if let Some(other) = modules.iter().find(|(place, _)| !self.read.contains(place)) {
                let other = &self.paths[other.0];
                return Err(Refusal::Unsupported(format!(
                    "{name} is also a file of {other}, by a link"
                )));
            }
        }
        self.finish_any()
    }

    /// Makes the edits of files whose modules do not matter.
    pub(super) fn finish_any(self) -> Result<Vec<ChangedFile<'a>>, Refusal> {
        let mut changed = Vec::new();
        for (name, of_file) in self.files {
            let file = of_file.edits.file();
            let edited = of_file.edits.finish();
            let edited = edited.map_err(|why| Refusal::File(name.to_owned(), why))?;
            if !edited.edits().is_empty() {
                let source = file.source();
                let names = self.shared.modules(source).iter().map(|(_, source)| *source);
                let aliases = names.filter(|other| other.id() != source.id()).collect();
                changed.push(ChangedFile { source, aliases, edited, is_new: false });
            }
        }
        Ok(changed)
    }
}

/// The comments of a native file, in order: those in expressions, too.
pub(super) fn comments_of(file: ParsedFile<'_>) -> Vec<Span> {
    if file.as_native().is_none() {
        return Vec::new();
    }
    let Ok(text) = str::from_utf8(file.source().bytes()) else { return Vec::new() };
    let tokens = tokens(text);
    let comments = tokens.iter().filter(|it| it.kind() == TokenKind::Comment);
    comments.map(|it| Span::new(it.start() as u32, it.end() as u32)).collect()
}

/// The body of the last `locals` block of a file.
pub(super) fn locals_of(file: ParsedFile<'_>) -> Option<Span> {
    if let Some(native) = file.as_native() {
        let blocks = native.body().items().filter_map(|item| match item {
            Item::Block(block) if block.block_type() == "locals" => Some(block.body().span()),
            _ => None,
        });
        return blocks.last();
    }
    let mut node = file.as_json()?.root().as_object()?.get("locals")?;
    while let Some(array) = node.as_array() {
        node = array.elements().last()?;
    }
    node.is_object().then(|| node.span())
}

/// The innermost value of JSON around a byte.
pub(super) fn innermost(mut node: json::Node<'_>, offset: u32) -> json::Node<'_> {
    let contains = |node: &json::Node<'_>| {
        let span = node.span();
        span.start <= offset && offset < span.end
    };
    loop {
        let inner = match (node.as_object(), node.as_array()) {
            (Some(object), _) => object.members().map(|it| it.value()).find(contains),
            (None, Some(array)) => array.elements().find(contains),
            (None, None) => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return node,
        }
    }
}

/// The attribute or block of a native file that contains some bytes.
pub(super) fn root_item_around(file: ParsedFile<'_>, bytes: Span) -> Option<Span> {
    let contains = |span: &Span| span.start <= bytes.start && bytes.end <= span.end;
    file.as_native()?.body().items().map(Item::span).find(contains)
}

/// The block of a file that contains some bytes: of a native file all of it; of JSON its body, in an
/// array or as a member.
pub(super) fn block_around(file: ParsedFile<'_>, bytes: Span) -> Option<Span> {
    if file.as_native().is_some() {
        return root_item_around(file, bytes);
    }
    json_block(file, bytes).map(|(item, _)| item)
}

/// The block of a JSON file that contains some bytes: the element or the member that has it, and its body.
fn json_block(file: ParsedFile<'_>, bytes: Span) -> Option<(Span, Span)> {
    let contains = |span: Span| span.start <= bytes.start && bytes.end <= span.end;
    let mut node = file.as_json()?.root();
    // Arrays around bodies, the member of the block type, then arrays again.
    loop {
        let inner = match (node.as_object(), node.as_array()) {
            (Some(object), _) => {
                object.members().map(|it| (it.span(), it.value())).find(|it| contains(it.0))
            }
            (None, Some(array)) => {
                array.elements().map(|it| (it.span(), it)).find(|it| contains(it.0))
            }
            (None, None) => None,
        };
        let (span, value) = inner?;
        if value.as_object().is_some_and(is_body) {
            return Some((span, value.span()));
        }
        node = value;
    }
}

/// An empty list as a value.
fn empty_list() -> Result<NewValue, Refusal> {
    NewValue::at(None, &[ValueStep::Member("value")], 0, "[]")
        .map_err(|error| Refusal::Name(error.to_string()))
}

/// Whether an object is the body of a `moved` block.
fn is_body(object: json::Object<'_>) -> bool {
    object.get("to").is_some() || object.get("from").is_some()
}
