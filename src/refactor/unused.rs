//! Removes variables, local values and data sources that nothing refers to, and then those that
//! only these referred to, with the arguments and values that set removed variables.
//!
//! ```
//! use simd_hcl::refactor::unused::Request;
//!
//! let request = Request::new(&[0, 1]);
//! assert!(request.values.is_empty());
//! ```

use super::change::{Change, Refusal};
use super::components::components;
use super::files::{Files, TreeEdits};
use super::runs::{SetValue, TestRuns, names};
use super::shared::Shared;
use crate::directory::DecodeOptions;
use crate::facts::{Place, PlaceUse, Places, Target};
use crate::hash::{HashMap, HashSet};
use crate::module::{Object, Resource};
use crate::parsed::ParsedFile;
use crate::reference::Mode;
use crate::tree::{Link, Origin, Tree};

/// Where unused declarations are removed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'r, 'a> {
    /// The places of modules in [`Tree::modules`].
    pub modules: &'r [usize],
    /// Further files of values of the variables of modules, by the places of the modules. A value stays if
    /// it is one of another module, too.
    pub values: &'r [(usize, ParsedFile<'a>)],
    /// Objects that something beside the modules uses, by the places of their modules.
    pub kept: &'r [(usize, Object<'a>)],
}

impl<'r, 'a> Request<'r, 'a> {
    /// The modules at these places.
    #[must_use]
    pub fn new(modules: &'r [usize]) -> Self {
        Self { modules, values: &[], kept: &[] }
    }

    /// Sets further files of values.
    #[must_use]
    pub fn with_values(self, values: &'r [(usize, ParsedFile<'a>)]) -> Self {
        Self { values, ..self }
    }

    /// Sets objects that stay, since something beside the modules uses them.
    #[must_use]
    pub fn with_kept(self, kept: &'r [(usize, Object<'a>)]) -> Self {
        Self { kept, ..self }
    }
}

/// The edits that remove unused declarations.
///
/// A module of which a file or an expression cannot be read is left as it is, and so is a variable that
/// such a module sets. A data source with `lifecycle` or `depends_on` stays.
///
/// Cost: linear in the places of all modules; the files that change are parsed again.
///
/// # Errors
/// The edits of a file cannot be made: see [`Refusal`].
pub fn plan<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    request: &Request<'_, 'a>,
) -> Result<Change<'a>, Refusal> {
    let shared = Shared::of(tree);
    let mut unused = Unused::of(tree, options, request.modules, &shared);
    for (place, object) in request.kept {
        let module = tree.modules().get(*place);
        let number = module.and_then(|module| module.module.object_number(*object));
        if let Some(number) = number {
            unused.candidates.remove(&(*place, number));
        }
    }
    unused.run();
    let removed = std::mem::take(&mut unused.removed);
    let mut edits = TreeEdits::with_shared(tree, shared, true);
    for (place, of) in unused.modules.iter().enumerate() {
        let Some(of) = of else { continue };
        for target_place in of.places.iter().filter(|it| !unused.is_in_tests(of, it)) {
            let is_name = matches!(target_place.usage(), PlaceUse::Declaration | PlaceUse::Key);
            let key = match of.places.target(target_place) {
                Target::Object(number) => (place, number),
                Target::Argument { call, name } => match unused.set_by(place, call, name) {
                    Some(variable) => variable,
                    None => continue,
                },
                _ => continue,
            };
            if is_name
                && removed.contains(&key)
                && let Some(file) = of.files.get(&of.places, target_place)
            {
                edits.of(file).remove_named(target_place.span());
            }
        }
    }
    for test in &unused.tests {
        let is_removed = |value: &SetValue| {
            !value.has_other_use
                && !value.sets.is_empty()
                && value.sets.iter().all(|variable| removed.contains(variable))
        };
        for value in test.set_values().into_iter().filter(is_removed) {
            edits.of(test.file).remove_named(value.name);
        }
    }
    let variable_of = |place: usize, name: &str| -> Option<Key> {
        let module = &tree.modules().get(place)?.module;
        let variable = module.variables.get(name)?;
        Some((place, module.object_number(Object::Variable(variable.name))?))
    };
    // A file may have the values of several modules.
    let mut kept: HashSet<(&str, &str)> = HashSet::default();
    for (place, file) in request.values {
        for property in file.body().properties() {
            let name = property.name();
            if variable_of(*place, name).is_some_and(|variable| !removed.contains(&variable)) {
                kept.insert((file.source().name(), name));
            }
        }
    }
    for (place, file) in request.values {
        for property in file.body().properties() {
            let name = property.name();
            if variable_of(*place, name).is_some_and(|variable| removed.contains(&variable))
                && !kept.contains(&(file.source().name(), name))
            {
                edits.of(*file).remove_named(property.name_span());
            }
        }
    }
    Ok(Change { files: edits.finish_any()?, ..Change::default() })
}

/// An object: the place of its module, and its number.
type Key = (usize, u32);

/// A module whose files are all known.
struct Known<'a> {
    places: Places,
    files: Files<'a>,
}

struct Unused<'t, 'a> {
    tree: &'t Tree<'a>,
    modules: Vec<Option<Known<'a>>>,
    /// The test files that run several modules, and their names.
    tests: Vec<TestRuns<'t, 'a>>,
    of_tests: HashSet<&'a str>,
    /// The number of references to each object.
    counts: HashMap<Key, u32>,
    /// The objects that each object refers to, once for each reference. An argument of a call counts as
    /// a part of the variable that it sets.
    uses: HashMap<Key, Vec<Key>>,
    /// The objects that may be removed.
    candidates: HashSet<Key>,
    removed: HashSet<Key>,
}

impl<'t, 'a> Unused<'t, 'a> {
    fn of(
        tree: &'t Tree<'a>,
        options: &DecodeOptions,
        modules: &[usize],
        shared: &Shared<'a>,
    ) -> Self {
        let known = tree.modules().iter().map(|module| {
            if module.origin == Origin::Installed || module.broken().is_some() {
                return None;
            }
            let (places, shadowed) = module.written(options);
            let files = Files::of(module, &shadowed);
            places.is_complete().then_some(Known { places, files })
        });
        let tests = TestRuns::all(tree);
        let mut unused = Self {
            tree,
            modules: known.collect(),
            of_tests: names(&tests),
            tests,
            counts: HashMap::default(),
            uses: HashMap::default(),
            candidates: HashSet::default(),
            removed: HashSet::default(),
        };
        for &place in modules {
            unused.add_candidates(place);
        }
        for place in 0..unused.modules.len() {
            unused.add_references(place, shared);
        }
        let tests = std::mem::take(&mut unused.tests);
        tests.iter().for_each(|test| unused.add_test(test, shared));
        unused.tests = tests;
        unused.keep_set_by_unknown();
        unused.keep_set_by_components();
        unused
    }

    fn add_candidates(&mut self, place: usize) {
        let Some(module) = self.tree.modules().get(place) else { return };
        if self.modules[place].is_none() {
            return;
        }
        for (object, number) in module.module.objects().zip(0..) {
            let may_go = match object {
                Object::Variable(_) | Object::Local(_) => true,
                Object::Resource(name) if name.mode == Mode::Data => {
                    module.module.resources.get(name).is_some_and(is_plain)
                }
                _ => false,
            };
            if may_go {
                self.candidates.insert((place, number));
            }
        }
    }

    /// Counts the references of a module. What is not known to go with an object stays, and so does what
    /// stands in a file of several modules.
    fn add_references(&mut self, place: usize, shared: &Shared<'a>) {
        let Some(known) = self.modules.get_mut(place).and_then(Option::take) else { return };
        for reference in known.places.iter() {
            if self.is_in_tests(&known, reference) {
                continue;
            }
            let usage = reference.usage();
            let file = known.files.get(&known.places, reference);
            let is_shared = file.is_some_and(|file| shared.file(file.source()).is_some());
            match known.places.target(reference) {
                Target::Argument { call, name } if is_shared || reference.name().is_none() => {
                    // It cannot be taken away.
                    if let Some(variable) = self.set_by(place, call, name) {
                        self.candidates.remove(&variable);
                    }
                }
                Target::Object(number) => {
                    let target = (place, number);
                    if matches!(usage, PlaceUse::Declaration | PlaceUse::Key) {
                        if is_shared || reference.name().is_none() {
                            self.candidates.remove(&target);
                        }
                        continue;
                    }
                    let user = self.user(place, &known.places, reference);
                    if user == Some(target) {
                        continue;
                    }
                    *self.counts.entry(target).or_default() += 1;
                    if let Some(user) = user {
                        self.uses.entry(user).or_default().push(target);
                    }
                }
                _ => {}
            }
        }
        self.modules[place] = Some(known);
    }

    /// Whether a place is in a test file that runs several modules.
    fn is_in_tests(&self, known: &Known<'a>, place: &Place) -> bool {
        self.of_tests.contains(known.places.file(place))
    }

    /// Counts the references of a test file that runs several modules. What such a file of an unknown module
    /// may name stays, and so does a variable whose value a run of another module takes.
    fn add_test(&mut self, test: &TestRuns<'t, 'a>, shared: &Shared<'a>) {
        if self.modules.get(test.owner).is_none_or(Option::is_none) {
            self.candidates.retain(|(module, _)| test.places(*module).is_none());
            return;
        }
        let is_shared = shared.file(test.file.source()).is_some();
        for (module, places) in test.modules() {
            for place in places.iter() {
                let Target::Object(number) = places.target(place) else { continue };
                let is_key = place.usage() == PlaceUse::Key;
                if !is_key {
                    *self.counts.entry((module, number)).or_default() += 1;
                } else if is_shared || place.name().is_none() {
                    self.candidates.remove(&(module, number));
                }
            }
        }
        let owner = &self.tree.modules()[test.owner];
        let values = [&owner.assignments, &owner.test_assignments];
        for value in values.iter().flat_map(|values| values.all()) {
            let reading = test.reading_values(self.tree, value.name());
            if reading.iter().any(|(module, _)| *module != test.owner)
                && let Some(number) = owner.module.object_number(Object::Variable(value.name()))
            {
                self.candidates.remove(&(test.owner, number));
            }
        }
    }

    /// Keeps the variables of modules that a module calls which is not known: it may set any of them.
    fn keep_set_by_unknown(&mut self) {
        let modules = self.tree.modules();
        let unknown = modules.iter().zip(&self.modules).filter(|(_, known)| known.is_none());
        let links = unknown.flat_map(|(module, _)| &module.links);
        let called: HashSet<usize> = links
            .filter_map(|link| match link {
                Link::Module(called) => Some(*called),
                _ => None,
            })
            .collect();
        self.candidates.retain(|(of, number)| {
            let object = modules.get(*of).and_then(|module| module.module.object(*number));
            !(called.contains(of) && matches!(object, Some(Object::Variable(_))))
        });
    }

    /// Keeps the variables that components of stacks may set.
    fn keep_set_by_components(&mut self) {
        for (module, components) in components(self.tree) {
            let Some(of) = self.tree.modules().get(module) else { continue };
            self.candidates.retain(|(place, number)| match of.module.object(*number) {
                Some(Object::Variable(name)) if *place == module => {
                    !components.iter().any(|component| component.may_set(name))
                }
                _ => true,
            });
        }
    }

    /// Returns the object whose removal also removes a reference.
    fn user(&self, place: usize, places: &Places, reference: &Place) -> Option<Key> {
        match places.argument(reference) {
            Some(Target::Argument { call, name }) => self.set_by(place, call, name),
            Some(_) => None,
            None => places.user(reference).map(|number| (place, number)),
        }
    }

    /// The variable that an argument of a call sets.
    fn set_by(&self, place: usize, call: u32, name: &str) -> Option<Key> {
        let module = self.tree.modules().get(place)?;
        let called = module.called_by(module.module.object(call)?)?;
        let called_module = &self.tree.modules().get(called)?.module;
        let variable = called_module.variables.get(name)?;
        let number = called_module.object_number(Object::Variable(variable.name))?;
        Some((called, number))
    }

    /// Removes what nothing refers to, until everything has a reference.
    fn run(&mut self) {
        let is_unused = |key: &&Key| self.counts.get(key).copied().unwrap_or(0) == 0;
        let mut open: Vec<Key> = self.candidates.iter().filter(is_unused).copied().collect();
        while let Some(key) = open.pop() {
            if !self.removed.insert(key) {
                continue;
            }
            for target in self.uses.remove(&key).unwrap_or_default() {
                let Some(count) = self.counts.get_mut(&target) else { continue };
                *count = count.saturating_sub(1);
                if *count == 0 && self.candidates.contains(&target) {
                    open.push(target);
                }
            }
        }
    }
}

/// Whether a data source does nothing but read.
fn is_plain(data: &Resource<'_>) -> bool {
    data.depends_on().is_empty() && data.lifecycle().is_none()
}
