//! Renames a key of `for_each`: where it is written, in the addresses that have it, and with `moved`
//! blocks.
//!
//! ```
//! use simd_hcl::module::Object;
//! use simd_hcl::refactor::keys::Request;
//!
//! let request = Request::new(0, Object::ModuleCall("net"), "old", "new").with_moved(false);
//! assert!(!request.has_moved);
//! ```

use super::callers::{FoundCall, for_callers};
use super::change::{Change, NotChanged, Refusal, Why};
use super::files::{
    Files, Older, TreeEdits, block_around, check_whole, moved_block, moved_of, take_reverse,
};
use super::runs::TestRuns;
use super::text::{Keys, native_of};
use crate::diagnostic::Label;
use crate::directory::DecodeOptions;
use crate::expression::{Expression, is_identifier};
use crate::facts::{Place, PlaceUse, Places, Target, name_of};
use crate::hash::{HashMap, HashSet};
use crate::module::{Moved, Object};
use crate::native::{Construct, Key, Native, StepKind, Traversal};
use crate::parsed::ParsedFile;
use crate::reference::Mode;
use crate::span::Span;
use crate::tree::{Origin, Tree, TreeModule};

/// The key that is renamed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'r, 'a> {
    /// The index of the module in [`Tree::modules`].
    pub module: usize,
    /// A resource, a data source or a module call with `for_each`.
    pub object: Object<'a>,
    /// The key.
    pub old: &'r str,
    /// The new key.
    pub new: &'r str,
    /// Whether `moved` blocks tell the tools about the new addresses.
    pub has_moved: bool,
    /// Whether the tools may have done what an older `moved` block says that leads to the old address: it
    /// then says the reverse, and is taken away otherwise.
    pub is_applied: bool,
}

impl<'r, 'a> Request<'r, 'a> {
    /// A rename with `moved` blocks.
    #[must_use]
    pub fn new(module: usize, object: Object<'a>, old: &'r str, new: &'r str) -> Self {
        Self { module, object, old, new, has_moved: true, is_applied: false }
    }

    /// Sets whether `moved` blocks are written.
    #[must_use]
    pub fn with_moved(self, has_moved: bool) -> Self {
        Self { has_moved, ..self }
    }

    /// Sets whether the tools may have done what a `moved` block says that is taken back.
    #[must_use]
    pub fn with_applied(self, is_applied: bool) -> Self {
        Self { is_applied, ..self }
    }
}

fn refused(why: impl Into<String>) -> Refusal {
    Refusal::Unsupported(why.into())
}

/// The edits that rename a key.
///
/// The keys must be written: in an object or in `toset([…])`, in the block or in a local value. If other
/// blocks have the same local value as their `for_each`, the key is renamed for them, too.
///
/// Cost: the places of the module and of those that call it; the files that change are parsed again.
///
/// # Errors
/// The keys are computed, or are used as a whole, or the new key is taken: see [`Refusal`].
pub fn plan<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    request: &Request<'_, 'a>,
) -> Result<Change<'a>, Refusal> {
    let owner = tree.modules().get(request.module).ok_or_else(|| refused("no such module"))?;
    if owner.origin == Origin::Installed {
        return Err(refused("the module is installed: rename the key where it comes from"));
    }
    if !is_plain(request.new) || !is_plain(request.old) {
        let why = "a key with quotes, backslashes, `${` or `%{` is not renamed";
        return Err(Refusal::Name(why.to_owned()));
    }
    if request.old == request.new {
        return Ok(Change::default());
    }
    let (places, shadowed) = owner.written(options);
    check_whole(owner, &places)?;
    let files = Files::of(owner, &shadowed);
    let instances = instances(owner);
    let whole = instances.iter().filter_map(|(_, value)| native_of(*value));
    let whole = whole.map(|native| (native.source().id(), native.span())).collect();
    let mut rename = Rename {
        request,
        owner,
        places,
        files,
        for_each: whole,
        edits: TreeEdits::new(tree, true),
        change: Change::default(),
    };
    rename.edits.reads(request.module);
    let objects = rename.declared(&instances)?;
    let mut places = rename.places_of(&objects);
    for &object in &objects {
        let places = rename.number(object).and_then(|number| places.remove(&number));
        rename.in_owner(object, &places.unwrap_or_default())?;
    }
    let shadowed = TestRuns::shadowed(tree, options, request.module);
    for test in TestRuns::of(tree, request.module).into_iter().chain(shadowed) {
        rename.in_test(&test, &objects);
    }
    let addresses: Vec<String> = objects.iter().map(Object::to_string).collect();
    for_callers(tree, options, (request.module, &addresses), |call| {
        rename.in_caller(call);
        Ok(())
    })?;
    rename.change.files = rename.edits.finish()?;
    Ok(rename.change.sorted())
}

/// Whether a key is written in quotes as it is.
fn is_plain(key: &str) -> bool {
    let has_syntax = key.contains(['"', '\\']) || key.contains("${") || key.contains("%{");
    !has_syntax && !key.chars().any(char::is_control)
}

/// The objects of a module with `for_each`, and the expressions.
fn instances<'a>(owner: &TreeModule<'a>) -> Vec<(Object<'a>, Expression<'a>)> {
    let module = &owner.module;
    let resources = module
        .resources
        .iter()
        .filter_map(|it| Some((Object::Resource(it.address()), it.for_each()?)));
    let calls =
        module.calls.iter().filter_map(|it| Some((Object::ModuleCall(it.name), it.for_each?)));
    resources.chain(calls).collect()
}

struct Rename<'r, 'a> {
    request: &'r Request<'r, 'a>,
    owner: &'r TreeModule<'a>,
    places: Places,
    files: Files<'a>,
    /// The values of `for_each`, each by its source and bytes.
    for_each: HashSet<(u32, Span)>,
    edits: TreeEdits<'a>,
    change: Change<'a>,
}

impl<'r, 'a> Rename<'r, 'a> {
    fn leave(&mut self, label: Label<'a>, why: Why) {
        self.change.not_changed.push(NotChanged { label, why });
    }

    /// Renames the key where it is written. Returns the objects that have it.
    fn declared(
        &mut self,
        all: &[(Object<'a>, Expression<'a>)],
    ) -> Result<Vec<Object<'a>>, Refusal> {
        let object = self.request.object;
        let own = all.iter().find(|(found, _)| *found == object);
        let Some(&(_, value)) = own else {
            return Err(refused(format!("{object} has no `for_each`")));
        };
        let local = native_of(value).and_then(local_name);
        let Some(name) = local else {
            self.in_keys(value, &format!("the keys of {object} are computed"))?;
            return Ok(vec![object]);
        };
        let local = self.owner.module.locals.get(name).copied();
        let local = local.ok_or_else(|| refused(format!("local.{name} is not declared")))?;
        self.in_keys(local.value(), &format!("the keys of local.{name} are computed"))?;
        let mut objects = Vec::new();
        let mut whole: HashSet<(u32, Span)> = HashSet::default();
        for &(object, value) in all {
            if let Some(native) = native_of(value)
                && local_name(native) == Some(name)
            {
                objects.push(object);
                whole.insert((native.source().id(), native.span()));
            }
        }
        let number = self.owner.module.object_number(Object::Local(local.name));
        let target = Target::Object(number.unwrap_or(u32::MAX));
        let uses: Vec<Place> = self.places.of_target(target).copied().collect();
        for place in uses {
            let file = self.file(&place)?;
            let is_for_each = whole.contains(&(file.source().id(), place.span()));
            match place.usage() {
                PlaceUse::Declaration => continue,
                PlaceUse::Value | PlaceUse::Argument if is_for_each => continue,
                _ => {}
            }
            let traversal = self.places.traversal(&place, file.source());
            match traversal.and_then(|traversal| self.step(traversal, 2)) {
                Some(Found::Name(span)) => self.edits.replace(file, span, self.request.new),
                Some(Found::Other) => {}
                _ => {
                    return Err(refused(format!(
                        "{} uses local.{name} as a whole",
                        file.source().name()
                    )));
                }
            }
        }
        Ok(objects)
    }

    /// Renames the key in an object or a set.
    fn in_keys(&mut self, value: Expression<'a>, why: &str) -> Result<(), Refusal> {
        let Keys { names, others } = Keys::of(value).ok_or_else(|| refused(why))?;
        let (old, new) = (self.request.old, self.request.new);
        if others.iter().any(|key| key == new) || names.iter().any(|(key, _)| key == new) {
            return Err(Refusal::Name(format!("there is a key `{new}` already")));
        }
        let file = self.files.named(value.source().name());
        let file = file.ok_or_else(|| refused("the file of the keys is not known"))?;
        let mut found = names.iter().filter(|(key, _)| key == old);
        match (found.next(), found.next()) {
            (Some((_, span)), None) => {
                let is_bare =
                    !matches!(file.source().bytes().get(span.end as usize), Some(b'"' | b'\\'));
                // A key without quotes gets them if it needs them.
                let text = match is_bare && !is_identifier(new) {
                    true => format!("\"{new}\""),
                    false => new.to_owned(),
                };
                self.edits.replace(file, *span, &text);
                Ok(())
            }
            (None, _) => Err(refused(format!("there is no key `{old}` that is written as it is"))),
            (Some(_), Some(_)) => Err(refused(format!("there are two keys `{old}`"))),
        }
    }

    fn file(&self, place: &Place) -> Result<ParsedFile<'a>, Refusal> {
        let file = self.files.get(&self.places, place);
        file.ok_or_else(|| Refusal::Unread(self.places.file(place).to_owned()))
    }

    /// The key behind so many names.
    fn step(&self, traversal: Traversal<'_>, names: usize) -> Option<Found> {
        step(traversal, names, self.request.old)
    }

    fn number(&self, object: Object<'a>) -> Option<u32> {
        self.owner.module.object_number(object)
    }

    /// The places in the module that name some objects, or something in them, by the numbers of the
    /// objects.
    fn places_of(&self, objects: &[Object<'a>]) -> HashMap<u32, Vec<Place>> {
        let numbers = objects.iter().filter_map(|object| self.number(*object));
        let mut found: HashMap<u32, Vec<Place>> = numbers.map(|it| (it, Vec::new())).collect();
        for place in self.places.iter() {
            let number = match self.places.target(place) {
                Target::Object(number)
                | Target::Output { call: number, .. }
                | Target::Within { object: number, .. } => number,
                _ => continue,
            };
            if let Some(places) = found.get_mut(&number) {
                places.push(*place);
            }
        }
        found
    }

    /// Renames the key in the addresses of an object in its module.
    fn in_owner(&mut self, object: Object<'a>, places: &[Place]) -> Result<(), Refusal> {
        let count = names(object);
        let is_movable = count == 2;
        let writes_moved = self.request.has_moved && is_movable;
        let (old, new) = (address(object, self.request.old), address(object, self.request.new));
        let mut declaration = None;
        let mut blocks: Vec<Moved<'a>> = Vec::new();
        // Both addresses of a block may name the object.
        let mut known: HashSet<(u32, Span)> = HashSet::default();
        for place in places {
            let file = self.file(place)?;
            if place.usage() == PlaceUse::Declaration {
                declaration = Some((file, place.span())).filter(|_| place.has_effect());
                continue;
            }
            if let Some(moved) = moved_of(self.owner, &self.places, place) {
                let block = moved.block;
                if known.insert((block.source().id(), block.span())) {
                    blocks.push(moved);
                }
                if writes_moved {
                    continue;
                }
            }
            if self.for_each.contains(&(file.source().id(), place.span())) {
                return Err(refused(format!("another block has the keys of {object}")));
            }
            let traversal = self.places.traversal(place, file.source());
            match traversal.and_then(|traversal| self.step(traversal, count)) {
                None if place.usage() == PlaceUse::Order || place.is_part() => {}
                None => self.leave(Label::new(file.source(), place.span()), Why::AllInstances),
                Some(found) => self.replace(file, place, found),
            }
        }
        if writes_moved || !self.request.has_moved {
            let (files, addresses) = (&self.files, (&*old, &*new));
            let is_applied = self.request.is_applied;
            let older = Older { is_chained: writes_moved, is_applied };
            let reverse = take_reverse(&blocks, files, &mut self.edits, addresses, older)?;
            if let Some(reverse) = reverse {
                reverse.tell(&mut self.change, older, addresses);
                declaration = None;
                if writes_moved {
                    self.change.moved.push((old.clone(), new.clone()));
                }
            }
        }
        if let Some((file, at)) = declaration.filter(|_| writes_moved) {
            let block = moved_block(self.owner.files.dialect, &old, &new)?;
            self.edits.of(file).add_block(block, block_around(file, at));
            self.change.moved.push((old, new));
        }
        Ok(())
    }

    /// Renames the key in a test file of another module.
    fn in_test(&mut self, test: &TestRuns<'_, 'a>, objects: &[Object<'a>]) {
        let Some(places) = test.places(self.request.module) else { return };
        if test.owner == self.request.module {
            return;
        }
        self.edits.reads(test.owner);
        for &object in objects {
            let Some(number) = self.number(object) else { continue };
            for place in places.iter() {
                let is_meant = match places.target(place) {
                    Target::Object(found)
                    | Target::Output { call: found, .. }
                    | Target::Within { object: found, .. } => found == number,
                    _ => false,
                };
                let found = places.traversal(place, test.file.source()).filter(|_| is_meant);
                if let Some(found) = found.and_then(|found| self.step(found, names(object))) {
                    match test.is_shared(self.request.module, place) {
                        true => {
                            self.leave(Label::new(test.file.source(), place.span()), Why::Shared);
                        }
                        false => self.replace(test.file, place, found),
                    }
                }
            }
        }
    }

    /// Renames the key in addresses that lead to an object from a calling module.
    fn in_caller(&mut self, call: &FoundCall<'_, 'a>) {
        let places = &call.of.places;
        for (file, place) in call.addressed() {
            if self.request.has_moved && moved_of(call.module, places, &place).is_some() {
                continue;
            }
            let traversal = places.traversal(&place, file.source());
            if let Some(found) = traversal.and_then(|it| self.step(it, call.names())) {
                self.replace(file, &place, found);
            }
        }
    }

    /// Renames the key in a step.
    fn replace(&mut self, file: ParsedFile<'a>, place: &Place, found: Found) {
        match found {
            Found::Name(span) => self.edits.replace(file, span, self.request.new),
            Found::Escaped => self.leave(Label::new(file.source(), place.span()), Why::Escaped),
            Found::Other => {}
        }
    }
}

/// The number of names in the address of an object.
fn names(object: Object<'_>) -> usize {
    match object {
        Object::Resource(name) if name.mode != Mode::Managed => 3,
        _ => 2,
    }
}

/// The address of an instance.
fn address(object: Object<'_>, key: &str) -> String {
    format!("{object}[\"{key}\"]")
}

/// The local value that an expression is.
fn local_name<'a>(native: Native<'a>) -> Option<&'a str> {
    let Construct::Traversal(traversal) = native.construct() else { return None };
    match traversal.steps() {
        [root, name] if root.kind == StepKind::Root("local") => match name.kind {
            StepKind::Attribute(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// A step of a reference that selects an instance.
enum Found {
    /// The key, with the bytes of its text.
    Name(Span),
    /// The key, which is not written as it is.
    Escaped,
    /// Another key.
    Other,
}

/// The key behind so many names; `None` if no key is there, or a computed one.
fn step(traversal: Traversal<'_>, names: usize, old: &str) -> Option<Found> {
    let mut seen = 0;
    for step in traversal.steps() {
        match step.kind {
            StepKind::Root(_) => seen += 1,
            StepKind::Attribute(_) if seen < names => seen += 1,
            // Keys of other objects on the way.
            StepKind::Index(_) | StepKind::Splat if seen < names => {}
            StepKind::Attribute(name) | StepKind::Index(Key::String(name)) => {
                return Some(match (name == old, name_of(traversal, step)) {
                    (false, _) => Found::Other,
                    (true, Some(span)) => Found::Name(span),
                    (true, None) => Found::Escaped,
                });
            }
            StepKind::Index(_) => return Some(Found::Other),
            StepKind::Splat => return None,
        }
    }
    None
}
