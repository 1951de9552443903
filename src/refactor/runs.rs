//! Test files that run several modules: each names objects of all of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::change::{Refusal, Why};
use super::text::native_text;
use crate::body::Attribute;
use crate::diagnostic::Label;
use crate::dialect::{BlockKind, List};
use crate::directory::DecodeOptions;
use crate::facts::{Place, PlaceUse, Places, Target};
use crate::hash::{HashMap, HashSet};
use crate::module::test::{Run, TestFile};
use crate::module::{Module, Object, ProviderConfigName};
use crate::parsed::ParsedFile;
use crate::span::Span;
use crate::tree::{Link, Origin, PlaceByDirectory, Tree, TreeModule, local_path};

/// A test file with a run of another module than its own.
pub(super) struct TestRuns<'t, 'a> {
    /// The place of the module that the file belongs to.
    pub(super) owner: usize,
    pub(super) file: ParsedFile<'a>,
    test: Cow<'t, TestFile<'a>>,
    /// The place of the module of each run; `None` if it is not known.
    modules: Vec<Option<usize>>,
    /// The places in the file of each module that it runs, and of its own module.
    places: BTreeMap<usize, Places>,
    /// The modules that declare what bytes name, but for values in a run of one module.
    claims: HashMap<(u32, u32), Vec<usize>>,
    /// The bytes of the values of variables in runs.
    values: Vec<Span>,
}

impl<'t, 'a> TestRuns<'t, 'a> {
    /// The test files of a tree with runs of other modules.
    ///
    /// Cost: linear in these files, times the modules that each of them runs.
    pub(super) fn all(tree: &'t Tree<'a>) -> Vec<Self> {
        Self::found(tree, |_, _| true)
    }

    /// Those that run a module, or belong to it.
    ///
    /// Cost: linear in these files, times the modules that each of them runs; a look at the runs of all
    /// others.
    pub(super) fn of(tree: &'t Tree<'a>, module: usize) -> Vec<Self> {
        let link = Some(Link::Module(module));
        Self::found(tree, |owner, runs| owner == module || runs.contains(&link))
    }

    /// Those that run a module that is not known.
    ///
    /// Cost: as for [`Self::of`].
    pub(super) fn unknown(tree: &'t Tree<'a>) -> Vec<Self> {
        let is_known = |link: &Option<Link>| matches!(link, None | Some(Link::Module(_)));
        Self::found(tree, |_, runs| !runs.iter().all(is_known))
    }

    /// Those of [`Self::of`] that other files shadow, so that they have no effect.
    ///
    /// Cost: linear in the shadowed files of all modules.
    pub(super) fn shadowed(
        tree: &'t Tree<'a>,
        options: &DecodeOptions,
        module: usize,
    ) -> Vec<Self> {
        let mut found = Vec::new();
        let mut directories = None;
        for (owner, of) in tree.modules().iter().enumerate() {
            let Some(source) = of.sources.first().filter(|_| of.origin != Origin::Installed) else {
                continue;
            };
            for document in of.files.shadowed(source.arena(), options) {
                let Ok(file) = document.parsed else { continue };
                if document.file.kind.list != List::Test {
                    continue;
                }
                let test = TestFile::read(of.files.dialect, file.body(), &mut ());
                let directories = directories.get_or_insert_with(|| PlaceByDirectory::of(tree));
                let link_of = |run: &Run<'a>| {
                    let source = run.module.as_ref()?.source;
                    let directory = source.and_then(|it| local_path(&of.files.directory(), it));
                    let place = directory.and_then(|directory| directories.at(&directory));
                    Some(place.map_or(Link::Unknown, Link::Module))
                };
                let links: Vec<_> = test.runs.iter().map(link_of).collect();
                let is_meant = owner == module || links.contains(&Some(Link::Module(module)));
                if is_meant && links.iter().any(Option::is_some) {
                    found.push(Self::read(tree, owner, (Cow::Owned(test), file), &links));
                }
            }
        }
        found
    }

    fn found(tree: &'t Tree<'a>, is_meant: impl Fn(usize, &[Option<Link>]) -> bool) -> Vec<Self> {
        let mut found = Vec::new();
        for (owner, module) in tree.modules().iter().enumerate() {
            if module.origin == Origin::Installed {
                continue;
            }
            for (test, links) in module.tests.iter().zip(&module.run_links) {
                if links.iter().any(Option::is_some) && is_meant(owner, links) {
                    let file = ParsedFile::parse(test.source.arena(), test.source).ok();
                    let read = |file| Self::read(tree, owner, (Cow::Borrowed(test), file), links);
                    found.extend(file.map(read));
                }
            }
        }
        found
    }

    fn read(
        tree: &'t Tree<'a>,
        owner: usize,
        (test, file): (Cow<'t, TestFile<'a>>, ParsedFile<'a>),
        links: &[Option<Link>],
    ) -> Self {
        let module_of = |link: &Option<Link>| match link {
            None => Some(owner),
            Some(Link::Module(module)) => Some(*module),
            Some(_) => None,
        };
        let modules: Vec<Option<usize>> = links.iter().map(module_of).collect();
        let mut places: BTreeMap<usize, Places> = BTreeMap::new();
        let mut claims: HashMap<(u32, u32), Vec<usize>> = HashMap::default();
        for module in modules.iter().flatten().copied().chain([owner]) {
            if places.contains_key(&module) {
                continue;
            }
            let is_run = |at: usize| modules.get(at) == Some(&Some(module));
            let of_module = Places::of_runs(&tree.modules()[module].module, &test, &is_run);
            if modules.contains(&Some(module)) {
                let declared = &tree.modules()[module].module;
                for place in of_module.iter() {
                    let is_declared = match of_module.target(place) {
                        Target::Object(_) => true,
                        Target::Inherited(name) => takes(declared, name),
                        _ => false,
                    };
                    if is_declared {
                        let span = place.span();
                        claims.entry((span.start, span.end)).or_default().push(module);
                    }
                }
            }
            places.insert(module, of_module);
        }
        claims.values_mut().for_each(|modules| modules.dedup());
        let values = test.runs.iter().flat_map(|run| run.variables);
        let values = values.map(|value| value.expression().span()).collect();
        Self { owner, file, test, modules, places, claims, values }
    }

    /// The places in the file that name objects of a module.
    pub(super) fn places(&self, module: usize) -> Option<&Places> {
        self.places.get(&module)
    }

    /// The modules that the file runs, and its own one, each with its places.
    pub(super) fn modules(&self) -> impl Iterator<Item = (usize, &Places)> {
        self.places.iter().map(|(module, places)| (*module, places))
    }

    /// The runs of a module.
    pub(super) fn runs(&self, module: usize) -> impl Iterator<Item = &Run<'a>> {
        let runs = self.test.runs.iter().zip(&self.modules);
        runs.filter(move |(_, of)| **of == Some(module)).map(|(run, _)| run)
    }

    /// Whether it runs a module that is not known.
    pub(super) fn has_unknown(&self) -> bool {
        self.modules.contains(&None)
    }

    /// Whether a place is not in a run alone: in the values of all runs, in a provider configuration, or
    /// in a value of a run, which refers to values of all runs.
    pub(super) fn is_common(&self, place: &Place) -> bool {
        let span = place.span();
        let is_in = |outer: Span| outer.start <= span.start && span.end <= outer.end;
        let is_key = place.usage() == PlaceUse::Key;
        let mut runs = self.test.runs.iter().map(|run| run.block.span());
        !runs.any(is_in) || !is_key && self.values.iter().copied().any(is_in)
    }

    /// Whether another module that the file runs has the object that a place of a module names, or may
    /// have it.
    pub(super) fn is_shared(&self, module: usize, place: &Place) -> bool {
        let span = place.span();
        let claims = self.claims.get(&(span.start, span.end)).map_or(&[][..], Vec::as_slice);
        claims.iter().any(|other| *other != module) || self.has_unknown() && self.is_common(place)
    }

    /// The value that all runs have for a variable.
    pub(super) fn value(&self, name: &str) -> Option<Attribute<'a>> {
        self.test.variables.iter().find(|value| value.name() == name).copied()
    }

    /// The bytes of the body with the values of all runs, brackets included.
    pub(super) fn values_body(&self) -> Option<Span> {
        let mut blocks = self.test.blocks.iter();
        let block = blocks.find(|block| BlockKind::of(**block) == Some(BlockKind::Variables))?;
        let body = block.body();
        match (body.as_native(), body.as_json()) {
            (Some(native), _) => Some(native.span()),
            (None, Some(node)) => node.is_object().then(|| node.span()),
            (None, None) => None,
        }
    }

    /// The runs of other modules than the given one that take the value of a variable from files of
    /// values of the file's module: the places of their blocks.
    pub(super) fn reading_values(&self, tree: &Tree<'a>, name: &str) -> Vec<(usize, Label<'a>)> {
        let owner = &tree.modules()[self.owner];
        if self.value(name).is_some() || !has_value(owner, name) {
            return Vec::new();
        }
        let runs = self.test.runs.iter().zip(&self.modules);
        let known = runs.filter_map(|(run, module)| Some((run, (*module)?)));
        let reading = known.filter(|(run, module)| {
            let declares = tree.modules()[*module].module.variables.get(name).is_some();
            declares && !run.variables.iter().any(|value| value.name() == name)
        });
        reading.map(|(run, module)| (module, run.block.definition_label())).collect()
    }
}

/// A value that a test file sets.
pub(super) struct SetValue {
    /// The bytes of its name.
    pub(super) name: Span,
    /// The variables that it sets: the places of their modules, and their numbers.
    pub(super) sets: Vec<(usize, u32)>,
    /// Whether something else may use it.
    pub(super) has_other_use: bool,
}

impl TestRuns<'_, '_> {
    /// The values that set variables of known modules.
    pub(super) fn set_values(&self) -> Vec<SetValue> {
        let mut names: HashSet<&str> = HashSet::default();
        let mut values: BTreeMap<(u32, u32), SetValue> = BTreeMap::new();
        for (module, places) in self.modules() {
            let is_run = self.runs(module).next().is_some();
            for place in places.iter() {
                match (places.target(place), place.usage()) {
                    (Target::Object(number), PlaceUse::Key) => {
                        let name = place.span();
                        let value = values.entry((name.start, name.end)).or_insert(SetValue {
                            name,
                            sets: Vec::new(),
                            has_other_use: self.has_unknown() && self.is_common(place),
                        });
                        if is_run {
                            value.sets.push((module, number));
                        }
                    }
                    (Target::Undeclared(address), usage) if usage != PlaceUse::Key => {
                        names.extend(address.strip_prefix("var."));
                    }
                    _ => {}
                }
            }
        }
        let bytes = self.file.source().bytes();
        let is_used = |value: &SetValue| {
            str::from_utf8(value.name.slice(bytes)).is_ok_and(|name| names.contains(name))
        };
        let mut values: Vec<SetValue> = values.into_values().collect();
        values.iter_mut().for_each(|value| value.has_other_use |= is_used(value));
        values
    }
}

/// Whether a module takes a provider configuration from its caller.
fn takes(module: &Module<'_>, name: ProviderConfigName<'_>) -> bool {
    let mut aliases = module.required_providers().flat_map(|it| it.configuration_aliases);
    aliases.any(|alias| ProviderConfigName::of(*alias) == name)
}

/// Whether a file of values of a module has a value for a variable.
fn has_value(module: &TreeModule<'_>, name: &str) -> bool {
    let values = [&module.assignments, &module.test_assignments];
    values.iter().flat_map(|values| values.all()).any(|value| value.name() == name)
}

/// A test file of another module that names an object, if there is one: its name.
pub(super) fn named_elsewhere<'a>(
    tree: &Tree<'a>,
    module: usize,
    object: Object<'a>,
) -> Option<&'a str> {
    let number = tree.modules()[module].module.object_number(object)?;
    let files = TestRuns::of(tree, module);
    let names = |file: &&TestRuns<'_, 'a>| {
        let places = file.places(module).filter(|_| file.owner != module);
        places.is_some_and(|places| places.of_target(Target::Object(number)).next().is_some())
    };
    files.iter().find(names).map(|file| file.file.source().name())
}

/// A test file of another module with a run of a module, if there is one: its name.
///
/// Cost: linear in the runs of all tests.
pub(super) fn test_elsewhere<'a>(tree: &Tree<'a>, module: usize) -> Option<&'a str> {
    test_with(tree, |owner, link| owner != module && link == Some(Link::Module(module)))
}

/// A test file with a run of a module, its own or another one, if there is one: its name.
///
/// Cost: linear in the runs of all tests.
pub(super) fn test_of<'a>(tree: &Tree<'a>, module: usize) -> Option<&'a str> {
    test_with(tree, |owner, link| match link {
        None => owner == module,
        link => link == Some(Link::Module(module)),
    })
}

/// A test file with a run that is meant, by the module of the file and that of the run.
fn test_with<'a>(
    tree: &Tree<'a>,
    is_meant: impl Fn(usize, Option<Link>) -> bool,
) -> Option<&'a str> {
    tree.modules().iter().enumerate().find_map(|(owner, of)| {
        let runs = |links: &[Option<Link>]| links.iter().any(|link| is_meant(owner, *link));
        let mut tests = of.tests.iter().zip(&of.run_links);
        let found = tests.find(|(_, links)| of.origin != Origin::Installed && runs(links));
        found.map(|(test, _)| test.source.name())
    })
}

/// The names of some files.
pub(super) fn names<'a>(files: &[TestRuns<'_, 'a>]) -> HashSet<&'a str> {
    files.iter().map(|file| file.file.source().name()).collect()
}

/// The change that a rename makes in a test file.
pub(super) enum Renamed<'a> {
    /// A place gets the new name.
    Place(Place),
    /// These bytes keep the old name, as they should.
    Kept(Span),
    /// A part keeps the old name, and should not.
    Left(Label<'a>, Why),
    /// The body with the values of all runs gets one more: this expression, under the new name.
    Added(Span, String),
    /// The value with these bytes in its name goes: one with the new name has the same expression.
    Dropped(Span),
}

/// The object that is renamed in a test file.
#[derive(Clone, Copy)]
pub(super) struct Old<'r, 'a> {
    /// The place of its module.
    pub(super) module: usize,
    pub(super) object: Object<'a>,
    /// It as a target in its module.
    pub(super) target: Target<'r>,
}

impl<'a> TestRuns<'_, 'a> {
    /// The changes that the rename of an object makes in the file.
    ///
    /// # Errors
    /// The runs have a value of the new name.
    pub(super) fn renamed(
        &self,
        tree: &Tree<'a>,
        old: Old<'_, 'a>,
        new: &str,
    ) -> Result<Vec<Renamed<'a>>, Refusal> {
        let Some(places) = self.places(old.module) else { return Ok(Vec::new()) };
        match old.object {
            Object::Variable(name) => return self.variable(tree, old, (name, new)),
            Object::Provider(name) => return self.provider(old, name, new),
            _ => {}
        }
        let source = self.file.source();
        let mut all = Vec::new();
        for place in places.of_target(old.target) {
            all.push(match self.is_shared(old.module, place) {
                true => Renamed::Left(Label::new(source, place.span()), Why::Shared),
                false => Renamed::Place(*place),
            });
        }
        if let Object::Output(_) = old.object {
            for name in self.runs(old.module).map(|run| run.name) {
                let run = format!("run.{name}");
                for place in places.of_target(Target::BuiltIn(&run)) {
                    let traversal = places.traversal(place, source);
                    if traversal.is_some_and(|traversal| traversal.steps().len() == 2) {
                        all.push(Renamed::Left(Label::new(source, place.span()), Why::WholeModule));
                    }
                }
            }
        }
        Ok(all)
    }

    /// Renames a provider configuration of the file with that of a module, unless it is one of another
    /// module, too.
    fn provider(
        &self,
        Old { module, target, .. }: Old<'_, 'a>,
        old: ProviderConfigName<'a>,
        new: &str,
    ) -> Result<Vec<Renamed<'a>>, Refusal> {
        let Some(places) = self.places(module) else { return Ok(Vec::new()) };
        let source = self.file.source();
        let is_of_run = |place: &Place| place.usage() == PlaceUse::Key && !self.is_common(place);
        let new = ProviderConfigName::new(old.local_name, Some(new));
        if places.of_target(Target::Inherited(new)).next().is_some() {
            let (file, new) = (source.name(), Object::Provider(new));
            return Err(Refusal::Name(format!("{file} has {new} already")));
        }
        let mut of_file = places.of_target(target).filter(|place| !is_of_run(place));
        let is_shared = of_file.any(|place| self.is_shared(module, place));
        let renamed = places.of_target(target).map(|place| match is_shared && !is_of_run(place) {
            true => Renamed::Left(Label::new(source, place.span()), Why::Shared),
            false => Renamed::Place(*place),
        });
        Ok(renamed.collect())
    }

    fn variable(
        &self,
        tree: &Tree<'a>,
        Old { module, target, .. }: Old<'_, 'a>,
        (old, new): (&str, &str),
    ) -> Result<Vec<Renamed<'a>>, Refusal> {
        let Some(places) = self.places(module) else { return Ok(Vec::new()) };
        let source = self.file.source();
        let is_own = self.owner == module;
        let is_common_key = |place: &Place| place.usage() == PlaceUse::Key && self.is_common(place);
        let (value, new_value) = (self.value(old), self.value(new));
        let text = |value: Attribute<'a>| value.expression().text();
        let is_same = value.is_some() && value.map(text) == new_value.map(text);
        let taken = format!("var.{new}");
        let is_taken =
            |place: &&Place| !is_same || place.usage() == PlaceUse::Key && !self.is_common(place);
        if places.of_target(Target::Undeclared(&taken)).any(|place| is_taken(&place)) {
            let file = source.name();
            return Err(Refusal::Name(format!("{file} sets or uses a variable `{new}` already")));
        }
        let mut keys = places.of_target(target).filter(|place| is_common_key(place));
        let is_shared = keys.any(|place| self.is_shared(module, place));
        // Values of files have the new name if the module has these files.
        let renames_value = if value.is_some() { !is_shared } else { is_own };
        let mut all = Vec::new();
        for place in places.of_target(target) {
            let is_key = is_common_key(place);
            let is_renamed = renames_value || !self.is_common(place);
            all.push(match is_renamed {
                true if is_key && is_same => Renamed::Dropped(place.span()),
                true => Renamed::Place(*place),
                false => Renamed::Kept(place.span()),
            });
            if is_key && !is_renamed && !is_same && self.runs(module).next().is_some() {
                all.push(self.copied(tree, place, value));
            }
        }
        if renames_value {
            // Other runs know the value, too.
            let undeclared = format!("var.{old}");
            let others = self.places.iter().filter(|(other, _)| **other != module);
            for place in others.flat_map(|it| it.1.of_target(Target::Undeclared(&undeclared))) {
                if place.usage() != PlaceUse::Key {
                    all.push(Renamed::Place(*place));
                }
            }
        }
        for (other, label) in self.reading_values(tree, old) {
            if is_own != (other == module) {
                all.push(Renamed::Left(label, Why::ValueOfFile));
            }
        }
        Ok(all)
    }

    /// Gives the value of all runs a second name.
    fn copied(&self, tree: &Tree<'a>, place: &Place, value: Option<Attribute<'a>>) -> Renamed<'a> {
        let dialect = tree.modules()[self.owner].files.dialect;
        // In native syntax as it is, also a heredoc.
        let text = value.map(Attribute::expression).and_then(|value| match value.is_json() {
            true => native_text(value, dialect),
            false => str::from_utf8(value.text()).ok().map(|text| text.trim_end().to_owned()),
        });
        match (self.values_body(), text) {
            (Some(body), Some(text)) => Renamed::Added(body, text),
            _ => Renamed::Left(Label::new(self.file.source(), place.span()), Why::Shared),
        }
    }
}
