//! Renames an object of a module, and everything that names it: in the module, in its tests and files
//! of variables, and in the modules that call it.
//!
//! [`Request`] says what is renamed, and [`plan`] returns the edits; [the module above](super) has an
//! example.
//!
//! ```
//! use simd_hcl::module::Object;
//! use simd_hcl::refactor::rename::Request;
//!
//! let request = Request::new(0, Object::Local("size"), "length").with_moved(false);
//! assert!(!request.has_moved);
//! ```

use super::callers::{FoundCall, for_callers};
use super::change::{Change, NotChanged, Refusal, Why};
use super::components::components;
use super::elements::{Used, uses};
use super::files::{
    Files, Older, TreeEdits, block_around, check_free, check_readable, check_values, moved_block,
    moved_of, take_reverse,
};
use super::overrides::outputs;
use super::readers::{NameUse, readers};
use super::runs::{Old, Renamed, TestRuns, names};
use super::search::Search;
use super::shared::Shared;
use super::units::UnitFile;
use crate::diagnostic::Label;
use crate::dialect::{Dialect, List};
use crate::directory::DecodeOptions;
use crate::edit::{NewValue, ValueStep};
use crate::facts::{Place, PlaceUse, Places, Target, name_of};
use crate::hash::HashSet;
use crate::module::{Moved, Object, ProviderConfigName, Variable};
use crate::native::StepKind;
use crate::parsed::ParsedFile;
use crate::reference::{ActionName, Mode, ResourceName};
use crate::source::Source;
use crate::span::Span;
use crate::tree::{Origin, Tree, TreeModule};

/// A rename: an object, and its new name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'r, 'a> {
    /// The index of the module in [`Tree::modules`].
    pub module: usize,
    /// The object: a variable, a local value, an output, a provider configuration with an alias, a
    /// resource, an action, a check, or a module call.
    pub object: Object<'a>,
    /// The new name, without the rest of the address.
    pub name: &'r str,
    /// Further files of values of the module's variables.
    pub values: &'r [ParsedFile<'a>],
    /// Files of Terragrunt that set the module's variables, or use its outputs.
    pub units: &'r [UnitFile<'a>],
    /// Whether `moved` blocks tell the tools about a renamed resource or module call. Without them,
    /// older blocks are rewritten.
    pub has_moved: bool,
    /// Whether the tools may have done what an older `moved` block says that leads to the old address: it
    /// then says the reverse, and is taken away otherwise.
    pub is_applied: bool,
    /// Whether lines that were aligned are aligned again.
    pub aligns: bool,
}

impl<'r, 'a> Request<'r, 'a> {
    /// A rename with `moved` blocks, and without alignment.
    #[must_use]
    pub fn new(module: usize, object: Object<'a>, name: &'r str) -> Self {
        Self {
            module,
            object,
            name,
            values: &[],
            units: &[],
            has_moved: true,
            is_applied: false,
            aligns: false,
        }
    }

    /// Sets further files of values of the module's variables.
    #[must_use]
    pub fn with_values(self, values: &'r [ParsedFile<'a>]) -> Self {
        Self { values, ..self }
    }

    /// Sets the files of Terragrunt.
    #[must_use]
    pub fn with_units(self, units: &'r [UnitFile<'a>]) -> Self {
        Self { units, ..self }
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

    /// Sets whether lines are aligned again.
    #[must_use]
    pub fn with_alignment(self, aligns: bool) -> Self {
        Self { aligns, ..self }
    }
}

/// The edits that rename an object.
///
/// Cost: the places of the module and of those that call it, and a search for the old name in their
/// files; the files that change are parsed again.
///
/// # Errors
/// The object cannot be renamed, or the name is taken: see [`Refusal`].
pub fn plan<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    request: &Request<'_, 'a>,
) -> Result<Change<'a>, Refusal> {
    let owner = tree.modules().get(request.module);
    let owner = owner.ok_or_else(|| Refusal::Unsupported("no such module".to_owned()))?;
    let old = name_of_object(request.object).ok_or_else(|| unsupported(request.object))?;
    if matches!(request.object, Object::Variable(_)) && Variable::is_reserved(request.name) {
        let name = request.name;
        return Err(Refusal::Name(format!("`{name}` is an argument of all calls")));
    }
    if owner.origin == Origin::Installed {
        let why = "the module is installed: rename the object where it comes from";
        return Err(Refusal::Unsupported(why.to_owned()));
    }
    if old == request.name {
        return Ok(Change::default());
    }
    let shared = Shared::of(tree);
    let owners = owners_with(tree, options, (request.module, request.object), &shared);
    let mut rename = Rename {
        tree,
        request,
        old,
        new: with_name(request.object, request.name),
        edits: TreeEdits::with_shared(tree, shared.clone(), request.aligns),
        shared,
        done: HashSet::default(),
        tested: HashSet::default(),
        search: Search::default(),
        change: Change::default(),
    };
    for &module in &owners {
        let owner = &tree.modules()[module];
        let (places, shadowed) = owner.written(options);
        check_readable(owner, &places)?;
        if matches!(request.object, Object::Variable(_)) {
            check_values(owner)?;
        }
        let mut tests = TestRuns::of(tree, module);
        tests.extend(TestRuns::shadowed(tree, options, module));
        let of_tests = names(&tests);
        let owned = Files::of(owner, &shadowed);
        let in_tests = |place: &Place| of_tests.contains(places.file(place));
        check_free(owner, &places, rename.new, request.name, &in_tests)?;
        rename.in_owner(owner, &places, (&owned, &in_tests))?;
        rename.in_tests(module, &tests)?;
        rename.edits.reads(module);
    }
    rename.in_values();
    rename.in_units();
    for &module in &owners {
        rename.in_callers(module, options)?;
        rename.in_readers(module, options)?;
        rename.in_components(module)?;
    }
    rename.search_tests();
    rename.finish()
}

/// The modules in which an object is renamed together, the given one first: several modules may have the
/// file, by links, that declares it or refers to it.
///
/// Cost: a query of the status of every file; the places of the modules.
#[must_use]
pub fn owners<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    module: usize,
    object: Object<'a>,
) -> Vec<usize> {
    owners_with(tree, options, (module, object), &Shared::of(tree))
}

fn owners_with<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    (module, object): (usize, Object<'a>),
    shared: &Shared<'a>,
) -> Vec<usize> {
    let mut owners = vec![module];
    let mut at = 0;
    while let Some(owner) = owners.get(at).and_then(|&place| tree.modules().get(place)) {
        at += 1;
        let Some(number) = owner.module.object_number(object) else { continue };
        if owner.sources.iter().all(|source| shared.file(*source).is_none()) {
            continue;
        }
        let (places, _) = owner.written(options);
        for place in places.of_target(Target::Object(number)) {
            let name = places.file(place);
            let source = owner.sources.iter().find(|source| source.name() == name);
            for &(other, _) in source.map_or(&[][..], |source| shared.modules(*source)) {
                let has_object = tree.modules()[other].module.object_number(object).is_some();
                if has_object && !owners.contains(&other) {
                    owners.push(other);
                }
            }
        }
    }
    owners
}

/// The name that a rename of an object changes. `None` if it has none.
#[must_use]
pub fn name_of_object<'a>(object: Object<'a>) -> Option<&'a str> {
    match object {
        Object::Variable(name)
        | Object::Local(name)
        | Object::Output(name)
        | Object::ModuleCall(name)
        | Object::Check(name) => Some(name),
        Object::Provider(name) => name.alias,
        Object::Resource(resource) => Some(resource.name),
        Object::Action(action) => Some(action.name),
        _ => None,
    }
}

fn unsupported(object: Object<'_>) -> Refusal {
    Refusal::Unsupported(match object {
        Object::Provider(_) => format!("{object} has no alias, and its name is that of a provider"),
        _ => format!("{object} has no name that can be changed"),
    })
}

/// The object as a target in its module.
fn target_of<'a>(owner: &TreeModule<'a>, object: Object<'a>) -> Result<Target<'a>, Refusal> {
    match (owner.module.object_number(object), object) {
        (Some(number), _) => Ok(Target::Object(number)),
        (None, Object::Provider(name)) => Ok(Target::Inherited(name)),
        (None, object) => Err(unsupported(object)),
    }
}

/// The object with another name.
fn with_name<'n>(object: Object<'n>, name: &'n str) -> Object<'n> {
    match object {
        Object::Variable(_) => Object::Variable(name),
        Object::Local(_) => Object::Local(name),
        Object::Output(_) => Object::Output(name),
        Object::ModuleCall(_) => Object::ModuleCall(name),
        Object::Check(_) => Object::Check(name),
        Object::Provider(config) => {
            Object::Provider(ProviderConfigName::new(config.local_name, Some(name)))
        }
        Object::Resource(resource) => Object::Resource(ResourceName { name, ..resource }),
        Object::Action(action) => Object::Action(ActionName { name, ..action }),
        other => other,
    }
}

struct Rename<'r, 'a> {
    tree: &'r Tree<'a>,
    request: &'r Request<'r, 'a>,
    old: &'a str,
    new: Object<'r>,
    edits: TreeEdits<'a>,
    shared: Shared<'a>,
    /// The files of several modules in which the object of an owner is renamed.
    done: HashSet<usize>,
    /// Likewise, the test files that run several modules.
    tested: HashSet<usize>,
    /// The search for the old name elsewhere.
    search: Search<'a>,
    change: Change<'a>,
}

impl<'r, 'a> Rename<'r, 'a> {
    /// Replaces the name at a place.
    fn replace(&mut self, file: ParsedFile<'a>, name: Span) {
        self.edits.replace(file, name, self.request.name);
        self.cover(file.source(), name);
    }

    fn cover(&mut self, source: Source<'a>, span: Span) {
        self.search.cover(source, span);
    }

    fn leave(&mut self, label: Label<'a>, why: Why) {
        self.change.not_changed.push(NotChanged { label, why });
    }

    /// Renames a place, or says why not.
    fn rename_place(&mut self, file: ParsedFile<'a>, place: &Place) {
        let source = file.source();
        match place.name() {
            Some(name) => self.replace(file, name),
            None if place.usage() == PlaceUse::Implied => {}
            None => {
                self.cover(source, place.span());
                self.leave(Label::new(source, place.span()), Why::Escaped);
            }
        }
    }

    /// Whether the tools are told about the new address.
    fn writes_moved(&self, owner: &TreeModule<'a>) -> bool {
        let is_movable = match self.request.object {
            Object::Resource(resource) => resource.mode == Mode::Managed,
            Object::ModuleCall(_) => true,
            _ => false,
        };
        is_movable && self.request.has_moved && owner.files.dialect != Dialect::Packer
    }

    fn in_owner(
        &mut self,
        owner: &TreeModule<'a>,
        places: &Places,
        (files, in_tests): (&Files<'a>, &dyn Fn(&Place) -> bool),
    ) -> Result<(), Refusal> {
        let (old, new) = (self.request.object.to_string(), self.new.to_string());
        let writes_moved = self.writes_moved(owner);
        let target = target_of(owner, self.request.object)?;
        let mut declaration = None;
        for place in places.of_target(target).filter(|place| !in_tests(place)) {
            let Some(file) = files.get(places, place).filter(|file| !self.is_done(*file)) else {
                continue;
            };
            let moved = moved_of(owner, places, place);
            if moved.is_some() && writes_moved {
                // It names the object as it was.
                self.cover(file.source(), place.span());
                continue;
            }
            if place.usage() == PlaceUse::Declaration && place.has_effect() {
                declaration = Some((file, place.span()));
            }
            self.rename_place(file, place);
        }
        if writes_moved || !self.request.has_moved {
            let addresses = (&*old, &*new);
            let blocks = &owner.module.moved;
            let blocks: Vec<_> =
                blocks.iter().filter(|it| !self.is_moved_done(it, files)).collect();
            let is_applied = self.request.is_applied;
            let older = Older { is_chained: writes_moved, is_applied };
            let reverse = take_reverse(blocks, files, &mut self.edits, addresses, older)?;
            if let Some(reverse) = reverse {
                self.cover(reverse.file.source(), reverse.block);
                reverse.tell(&mut self.change, older, addresses);
                declaration = None;
                if writes_moved {
                    self.change.moved.push((old.clone(), new.clone()));
                }
            }
        }
        if let Some((file, at)) = declaration.filter(|_| writes_moved) {
            let block = moved_block(owner.files.dialect, &old, &new)?;
            let after = block_around(file, at);
            self.edits.of(file).add_block(block, after);
            self.change.moved.push((old, new));
        }
        self.cover_others(places, files);
        let all: Vec<_> = files.all().into_iter().filter(|file| !self.is_done(*file)).collect();
        self.done.extend(all.iter().filter_map(|file| self.shared.file(file.source())));
        self.search.add(all);
        Ok(())
    }

    /// Whether a file is one of an owner in which the object is renamed, by another name.
    fn is_done(&self, file: ParsedFile<'a>) -> bool {
        self.shared.file(file.source()).is_some_and(|number| self.done.contains(&number))
    }

    /// Whether a `moved` block stands in such a file.
    fn is_moved_done(&self, moved: &Moved<'a>, files: &Files<'a>) -> bool {
        let file = moved.to.and_then(|to| files.named(to.source().name()));
        file.is_some_and(|file| self.is_done(file))
    }

    /// Notes the names of other objects, which the search leaves out.
    fn cover_others(&mut self, places: &Places, files: &Files<'a>) {
        for place in places.iter() {
            let Some(name) = place.name() else { continue };
            if let Some(file) = files.get(places, place)
                && name.len() as usize == self.old.len()
            {
                self.cover(file.source(), name);
            }
        }
    }

    /// Renames a variable in further files of values.
    fn in_values(&mut self) {
        let Object::Variable(old) = self.request.object else { return };
        for &file in self.request.values {
            for attribute in file.body().properties().filter(|it| it.name() == old) {
                let label = attribute.name_label();
                let is_quoted = label.span.slice(file.source().bytes()).starts_with(b"\"");
                let quote = u32::from(is_quoted);
                let name = Span::new(label.span.start + quote, label.span.end - quote);
                match name.slice(file.source().bytes()) == old.as_bytes() {
                    true => self.replace(file, name),
                    false => self.leave(label, Why::Escaped),
                }
            }
            self.search.add([file]);
        }
    }

    /// Renames inputs and outputs in files of Terragrunt.
    fn in_units(&mut self) {
        for unit in self.request.units {
            let (names, others) = unit.names(self.request.object);
            for name in names {
                self.replace(unit.file, name);
            }
            for label in others {
                self.leave(label, Why::WholeModule);
            }
            self.search.add([unit.file]);
        }
    }

    /// Renames what the modules that call the owner say about the object.
    fn in_callers(&mut self, module: usize, options: &DecodeOptions) -> Result<(), Refusal> {
        let has_addresses =
            matches!(self.request.object, Object::Resource(_) | Object::ModuleCall(_));
        let address = has_addresses.then(|| self.request.object.to_string());
        let owner = (module, address.as_slice());
        for_callers(self.tree, options, owner, |caller| {
            let &FoundCall { module, place, of, call, is_direct, is_new, .. } = caller;
            self.edits.reads(place);
            if is_new && is_direct && self.is_seen_by_callers() {
                self.cover_others(&of.places, &of.files);
                self.search.add(of.files.all());
            }
            if is_direct {
                self.in_call(module, &of.places, &of.files, call)?;
            }
            self.addresses(caller);
            Ok(())
        })
    }

    /// Renames an output where other modules read the state of the owner.
    fn in_readers(&mut self, module: usize, options: &DecodeOptions) -> Result<(), Refusal> {
        let Object::Output(old) = self.request.object else { return Ok(()) };
        for reader in readers(self.tree, options, module)? {
            self.edits.reads(reader.module);
            self.named(reader.uses(self.tree, old, self.request.name));
            if reader.is_certain() {
                self.cover_others(&reader.places, &reader.files);
                self.search.add(reader.files.all());
            }
        }
        Ok(())
    }

    /// Renames uses of the name alone.
    fn named(&mut self, uses: Vec<NameUse<'a>>) {
        for used in uses {
            match used {
                NameUse::Name(file, span) => self.replace(file, span),
                NameUse::Left(label, why) => {
                    self.cover(label.source, label.span);
                    self.leave(label, why);
                }
            }
        }
    }

    /// Renames a variable or an output in stacks that run the owner, and in values that tests give it.
    fn in_components(&mut self, module: usize) -> Result<(), Refusal> {
        if !self.is_seen_by_callers() {
            return Ok(());
        }
        if let Object::Output(old) = self.request.object {
            self.named(outputs(self.tree, module, (old, self.request.name)));
        }
        for component in components(self.tree).remove(&module).unwrap_or_default() {
            self.edits.reads(component.place);
            self.named(component.uses(self.request.object, self.request.name)?);
            self.search.add(component.files());
        }
        Ok(())
    }

    /// Whether other modules name the object by its name alone.
    fn is_seen_by_callers(&self) -> bool {
        matches!(self.request.object, Object::Variable(_) | Object::Output(_))
    }

    /// Renames the object of a module in test files that run several modules.
    fn in_tests(&mut self, module: usize, tests: &[TestRuns<'_, 'a>]) -> Result<(), Refusal> {
        let Request { object, name, .. } = *self.request;
        let owner = &self.tree.modules()[module];
        let old = Old { module, object, target: target_of(owner, object)? };
        for test in tests {
            let file = test.file;
            if self.shared.file(file.source()).is_some_and(|file| !self.tested.insert(file)) {
                continue;
            }
            self.edits.reads(test.owner);
            for renamed in test.renamed(self.tree, old, name)? {
                match renamed {
                    Renamed::Place(place) => self.rename_place(file, &place),
                    Renamed::Kept(span) => self.cover(file.source(), span),
                    Renamed::Left(label, why) => {
                        self.cover(label.source, label.span);
                        self.leave(label, why);
                    }
                    Renamed::Added(body, text) => {
                        let kind = (owner.files.dialect, List::Test);
                        let path = [ValueStep::Member("variables"), ValueStep::Member(name)];
                        let value = NewValue::at(Some(kind), &path, 1, &text);
                        let value = value.map_err(|error| Refusal::Name(error.to_string()))?;
                        self.edits.of(file).add_attribute(body, name, value);
                    }
                    Renamed::Dropped(span) => {
                        self.cover(file.source(), span);
                        self.edits.of(file).remove_named(span);
                    }
                }
            }
            self.search_test(test);
        }
        Ok(())
    }

    /// Has a test file searched.
    fn search_test(&mut self, test: &TestRuns<'_, 'a>) {
        for (_, places) in test.modules() {
            for name in places.iter().filter_map(Place::name) {
                if name.len() as usize == self.old.len() {
                    self.cover(test.file.source(), name);
                }
            }
        }
        self.search.add([test.file]);
    }

    /// Has the tests searched that run a module that is not known: the owner may be one of them.
    fn search_tests(&mut self) {
        if self.is_seen_by_callers() {
            let tests = TestRuns::unknown(self.tree);
            tests.iter().for_each(|test| self.search_test(test));
        }
    }

    /// Renames an argument or an output of a call.
    fn in_call(
        &mut self,
        module: &TreeModule<'a>,
        places: &Places,
        files: &Files<'a>,
        call: u32,
    ) -> Result<(), Refusal> {
        let new = self.request.name;
        let (target, taken) = match self.request.object {
            Object::Variable(name) => {
                (Target::Argument { call, name }, Some(Target::Argument { call, name: new }))
            }
            Object::Output(name) => (Target::Output { call, name }, None),
            Object::Provider(name) => (Target::Passed { call, name }, None),
            _ => return Ok(()),
        };
        let taken = taken.and_then(|taken| places.of_target(taken).next());
        if let Some(place) = taken {
            let name = places.file(place);
            return Err(Refusal::Name(format!("{name} sets the argument `{new}` already")));
        }
        for place in places.of_target(target) {
            if let Some(file) = files.get(places, place) {
                self.rename_place(file, place);
            }
        }
        if let Object::Output(old) = self.request.object {
            let has_instances = match module.module.object(call) {
                Some(Object::ModuleCall(name)) => {
                    let call = module.module.calls.get(name);
                    call.is_some_and(|call| call.count.is_some() || call.for_each.is_some())
                }
                _ => false,
            };
            for place in places.of_target(Target::Object(call)) {
                let is_whole = place.usage().is_reference()
                    && !place.is_part()
                    && place.usage() != PlaceUse::Order;
                let Some(file) = files.get(places, place).filter(|_| is_whole) else { continue };
                let root = files.expression_around(file, place.span()).filter(|_| has_instances);
                match root.map(|root| uses(root, place.span(), old)) {
                    Some(Used::Names(names)) => {
                        names.into_iter().for_each(|name| self.replace(file, name));
                    }
                    _ => self.leave(Label::new(file.source(), place.span()), Why::WholeModule),
                }
            }
        }
        Ok(())
    }

    /// Renames the object in addresses that lead into the called module.
    fn addresses(&mut self, caller: &FoundCall<'_, 'a>) {
        let places = &caller.of.places;
        let last = caller.names().saturating_sub(1);
        for (file, place) in caller.addressed() {
            if self.request.has_moved && moved_of(caller.module, places, &place).is_some() {
                self.cover(file.source(), place.span());
                continue;
            }
            let name = places.traversal(&place, file.source()).and_then(|traversal| {
                let is_name = |step: &&crate::native::Step<'_>| {
                    matches!(step.kind, StepKind::Root(_) | StepKind::Attribute(_))
                };
                name_of(traversal, traversal.steps().iter().filter(is_name).nth(last)?)
            });
            match name {
                Some(name) => self.replace(file, name),
                None => {
                    self.cover(file.source(), place.span());
                    self.leave(Label::new(file.source(), place.span()), Why::Escaped);
                }
            }
        }
    }

    fn finish(mut self) -> Result<Change<'a>, Refusal> {
        self.change.not_changed.extend(self.search.find(self.old));
        self.change.files = self.edits.finish()?;
        Ok(self.change.sorted())
    }
}
