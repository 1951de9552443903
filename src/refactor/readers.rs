//! Data sources of other modules that read the state of a root module, and its outputs there.

use std::collections::BTreeMap;

use super::change::{Refusal, Why};
use super::files::{Files, check_readable};
use super::text::Keys;
use crate::diagnostic::Label;
use crate::directory::DecodeOptions;
use crate::facts::{Place, PlaceUse, Places, Target, name_of};
use crate::module::{Module, Object, Resource};
use crate::native::{Key, StepKind, Traversal};
use crate::parsed::ParsedFile;
use crate::reference::ResourceName;
use crate::span::Span;
use crate::tree::Tree;

/// A module with data sources that read the state of a root module, or may do so.
pub(super) struct Reader<'a> {
    /// Its place in the tree.
    pub(super) module: usize,
    pub(super) places: Places,
    pub(super) files: Files<'a>,
    /// The data sources, and whether the state is that of the root module for certain.
    sources: Vec<(ResourceName<'a>, bool)>,
}

/// The use of an output in a reader.
pub(super) enum OutputUse<'a> {
    /// The bytes of its name.
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
    pub(super) fn uses(&self, tree: &Tree<'a>, old: &str, new: &str) -> Vec<OutputUse<'a>> {
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
                    Some(Used::Whole) => Some(OutputUse::Left(label, Why::WholeState)),
                    Some(_) if !is_certain => Some(OutputUse::Left(label, Why::OtherState)),
                    Some(Used::Name(Some(span))) => Some(OutputUse::Name(file, span)),
                    Some(Used::Name(None)) => Some(OutputUse::Left(label, Why::Escaped)),
                });
            }
            if let Some(data) = data(module, name) {
                all.extend(self.default(data, (old, new), is_certain));
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

    /// The value that a data source gives the output if the state has none.
    fn default(
        &self,
        data: &Resource<'a>,
        (old, new): (&str, &str),
        is_certain: bool,
    ) -> Option<OutputUse<'a>> {
        let mut arguments = data.config().properties();
        let defaults = arguments.find(|argument| argument.is_named("defaults"))?.expression();
        let file = self.files.named(defaults.source().name())?;
        let keys = Keys::of(defaults)?;
        let has = |name: &str| {
            keys.names.iter().map(|(key, _)| key).chain(&keys.others).any(|key| key == name)
        };
        let &(_, span) = keys.names.iter().find(|(key, _)| key == old)?;
        match (is_certain, has(new)) {
            (true, false) => Some(OutputUse::Name(file, span)),
            (false, _) => Some(OutputUse::Left(Label::new(file.source(), span), Why::OtherState)),
            (true, true) => None,
        }
    }
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
