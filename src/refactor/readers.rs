//! Data sources of other modules that read the state of a root module, and its outputs there.

use std::collections::BTreeMap;

use super::change::{Refusal, Why};
use super::files::{Files, check_readable};
use super::text::Keys;
use crate::diagnostic::Label;
use crate::directory::DecodeOptions;
use crate::expression::Expression;
use crate::facts::{Place, PlaceUse, Places, Target, name_of};
use crate::module::test::{Replacement, Target as Overridden};
use crate::module::{Module, Object, Resource};
use crate::native::{Key, StepKind, Traversal};
use crate::parsed::ParsedFile;
use crate::reference::ResourceName;
use crate::span::Span;
use crate::tree::{Tree, TreeModule};

/// A module with data sources that read the state of a root module, or may do so.
pub(super) struct Reader<'a> {
    /// Its place in the tree.
    pub(super) module: usize,
    pub(super) places: Places,
    pub(super) files: Files<'a>,
    /// The data sources, and whether the state is that of the root module for certain.
    sources: Vec<(ResourceName<'a>, bool)>,
}

/// A use of an output or a variable by its name alone.
pub(super) enum NameUse<'a> {
    /// The bytes of the name.
    Name(ParsedFile<'a>, Span),
    /// It stays as it is.
    Left(Label<'a>, Why),
}

/// The modules that read the state of a root module.
///
/// Cost: that of [`Tree::module_graph`], and the places of these modules.
///
/// # Errors
/// One of the modules that read it for certain cannot be read as a whole.
pub(super) fn readers<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    root: usize,
) -> Result<Vec<Reader<'a>>, Refusal> {
    let graph = tree.module_graph();
    let mut sources: BTreeMap<usize, Vec<(ResourceName<'a>, bool)>> = BTreeMap::new();
    for edge in graph.edges.iter().filter(|edge| edge.to == root) {
        let Object::Resource(name) = edge.object else { continue };
        let is_other = |other: &&crate::tree::ModuleEdge<'_>| {
            other.from == edge.from && other.object == edge.object && other.to != root
        };
        // Edges are sorted by the module that depends.
        let start = graph.edges.partition_point(|other| other.from < edge.from);
        let own = graph.edges[start..].iter().take_while(|other| other.from == edge.from);
        let is_certain = !own.into_iter().any(|other| is_other(&other));
        sources.entry(edge.from).or_default().push((name, is_certain));
    }
    for state in &graph.unknown_states {
        let Object::Resource(name) = state.object else { continue };
        if state.module != root && state.owners.iter().any(|owners| owners.contains(&root)) {
            sources.entry(state.module).or_default().push((name, false));
        }
    }
    let mut readers = Vec::new();
    for (module, sources) in sources {
        let of = &tree.modules()[module];
        let (places, shadowed) = of.written(options);
        if sources.iter().any(|(_, is_certain)| *is_certain) {
            check_readable(of, &places)?;
        }
        let files = Files::of(of, &shadowed);
        readers.push(Reader { module, places, files, sources });
    }
    Ok(readers)
}

impl<'a> Reader<'a> {
    /// Whether it reads the state of the root module for certain.
    pub(super) fn is_certain(&self) -> bool {
        self.sources.iter().any(|(_, is_certain)| *is_certain)
    }

    /// The uses of an output of the root module, which gets a new name.
    pub(super) fn uses(&self, tree: &Tree<'a>, old: &str, new: &str) -> Vec<NameUse<'a>> {
        let module = &tree.modules()[self.module].module;
        let mut all = Vec::new();
        for &(name, is_certain) in &self.sources {
            for place in self.places_of(module, name) {
                let Some(file) = self.files.get(&self.places, place) else { continue };
                let label = Label::new(file.source(), place.span());
                let traversal = self.places.traversal(place, file.source());
                let used = traversal.and_then(|it| used(it, name, old));
                let is_use =
                    place.usage().is_reference() && !matches!(place.usage(), PlaceUse::Order);
                all.extend(match used.filter(|_| is_use) {
                    None => None,
                    Some(Used::Whole) => Some(NameUse::Left(label, Why::WholeState)),
                    Some(_) if !is_certain => Some(NameUse::Left(label, Why::OtherState)),
                    Some(Used::Name(Some(span))) => Some(NameUse::Name(file, span)),
                    Some(Used::Name(None)) => Some(NameUse::Left(label, Why::Escaped)),
                });
            }
            if let Some(data) = data(module, name) {
                let mut arguments = data.config().properties();
                let defaults = arguments.find(|argument| argument.is_named("defaults"));
                all.extend(
                    defaults.and_then(|defaults| {
                        self.key(defaults.expression(), (old, new), is_certain)
                    }),
                );
            }
            for values in overridden(&tree.modules()[self.module], name) {
                for member in members(name).iter().filter_map(|member| values.member(member)) {
                    all.extend(self.key(member, (old, new), is_certain));
                }
            }
        }
        all
    }

    /// The places that name a data source.
    fn places_of(
        &self,
        module: &Module<'a>,
        name: ResourceName<'a>,
    ) -> impl Iterator<Item = &Place> {
        let own = module.object_number(Object::Resource(name)).map(Target::Object);
        let address = name.to_string();
        let is_scoped = |target: &Target<'_>| match target {
            Target::Within { address: found, .. } => *found == address && own.is_none(),
            _ => false,
        };
        let scoped: Vec<Target<'_>> = self.places.outside().filter(is_scoped).collect();
        own.into_iter().chain(scoped).flat_map(|target| self.places.of_target(target))
    }

    /// The key of an object of outputs.
    fn key(
        &self,
        outputs: Expression<'a>,
        names: (&str, &str),
        is_certain: bool,
    ) -> Option<NameUse<'a>> {
        let file = self.files.named(outputs.source().name())?;
        match key_of(file, outputs, names)? {
            NameUse::Name(file, span) if !is_certain => {
                Some(NameUse::Left(Label::new(file.source(), span), Why::OtherState))
            }
            used => Some(used),
        }
    }
}

/// The use of a name as a key of an object. `None` if it is no key there, or if the object has the new name,
/// too.
pub(super) fn key_of<'a>(
    file: ParsedFile<'a>,
    object: Expression<'a>,
    (old, new): (&str, &str),
) -> Option<NameUse<'a>> {
    let keys = Keys::of(object)?;
    let mut all = keys.names.iter().map(|(key, _)| key).chain(&keys.others);
    if all.any(|key| key == new) {
        return None;
    }
    if keys.others.iter().any(|key| key == old) {
        let label = Label::new(file.source(), object.span());
        return Some(NameUse::Left(label, Why::Escaped));
    }
    let (_, span) = keys.names.iter().find(|(key, _)| key == old)?;
    Some(NameUse::Name(file, *span))
}

/// The values that tests of a module give a data source.
fn overridden<'a>(module: &TreeModule<'a>, name: ResourceName<'a>) -> Vec<Expression<'a>> {
    let is_meant = |target: Overridden<'a>| {
        target.address.modules == 0 && target.address.resource == Some(name)
    };
    let tests = module.tests.iter();
    let mut all: Vec<Replacement<'a>> = Vec::new();
    for test in tests {
        let runs = test.runs.iter().filter(|run| run.module.is_none());
        all.extend(runs.flat_map(|run| run.replacements).chain(&test.replacements));
        all.extend(test.mock_providers.iter().flat_map(|mock| mock.replacements));
    }
    let meant = all.into_iter().filter(|it| it.target.is_some_and(is_meant));
    meant.filter_map(|it| it.values).collect()
}

/// The data source of a module with an address, also if a check has it.
fn data<'m, 'a>(module: &'m Module<'a>, name: ResourceName<'a>) -> Option<&'m Resource<'a>> {
    let mut checked = module.checks.iter().filter_map(|check| check.data);
    module.resources.get(name).or_else(|| checked.find(|it| it.address() == name))
}

/// The part of a state that a reference uses.
enum Used {
    /// The output, with the bytes of its name unless it has escapes.
    Name(Option<Span>),
    /// Perhaps the output.
    Whole,
}

/// The arguments of a data source that have the outputs of a state.
fn members(name: ResourceName<'_>) -> &'static [&'static str] {
    match name.resource_type {
        "tfe_outputs" => &["values", "nonsensitive_values"],
        _ => &["outputs"],
    }
}

/// Whether a reference to a data source uses an output; `None` if it does not.
fn used(traversal: Traversal<'_>, name: ResourceName<'_>, old: &str) -> Option<Used> {
    let is_key = |kind: StepKind<'_>| match kind {
        StepKind::Index(Key::String(_)) => false,
        StepKind::Index(_) | StepKind::Splat => true,
        StepKind::Root(_) | StepKind::Attribute(_) => false,
    };
    // `data`, the type and the name.
    let steps = traversal.steps().get(3..)?;
    let is_member = |kind: StepKind<'_>| match kind {
        StepKind::Attribute(found) | StepKind::Index(Key::String(found)) => {
            members(name).contains(&found)
        }
        _ => false,
    };
    // An instance may have a text as its key.
    let at = match steps {
        [] => return Some(Used::Whole),
        [first, second, ..] if !is_member(first.kind) && is_member(second.kind) => 1,
        [first, ..] if is_member(first.kind) => 0,
        [first] if !matches!(first.kind, StepKind::Attribute(_)) => return Some(Used::Whole),
        _ => return None,
    };
    let mut rest = steps[at + 1..].iter().skip_while(|step| is_key(step.kind));
    let Some(step) = rest.next() else { return Some(Used::Whole) };
    match step.kind {
        StepKind::Attribute(found) | StepKind::Index(Key::String(found)) => {
            (found == old).then(|| Used::Name(name_of(traversal, step)))
        }
        _ => Some(Used::Whole),
    }
}
