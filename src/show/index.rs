//! An index of a plan: one pass over the changes, then look-ups in time linear in their results.
//!
//! Types, modules and actions are indexed on first use. So are planned values, prior values and
//! blocks of the configuration, which opens their modules.

use std::hash::BuildHasher as _;
use std::sync::OnceLock;

use super::address::Address;
use super::config::ConfigResource;
use super::field::{Field, List};
use super::names::{ActionKind, ResourceMode};
use super::plan::{Plan, ResourceChange};
use super::state::{Resource, Values};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::hash::{HashMap, HashSet};
use crate::json::Node;

/// Indexes of the changes, values and blocks of a plan.
pub struct PlanIndex<'a> {
    plan: Plan<'a>,
    changes: Vec<ResourceChange<'a>>,
    by_address: HashMap<(&'a str, &'a str), u32>,
    groups: OnceLock<Groups<'a>>,
    planned: OnceLock<ByAddress<'a>>,
    prior: OnceLock<ByAddress<'a>>,
    blocks: OnceLock<Blocks<'a>>,
}

/// Places of changes by a common property.
#[derive(Default)]
struct Groups<'a> {
    by_type: HashMap<&'a str, Vec<u32>>,
    by_module: HashMap<&'a str, Vec<u32>>,
    by_action: [Vec<u32>; ActionKind::ALL.len()],
}

/// The objects of the changes of a plan that is read as a stream: finds several changes of the same one.
/// Memory: some 20 bytes for each change.
#[derive(Debug, Default)]
pub struct SeenObjects {
    /// Two hashes of the address and the key of a deposed object, which together do not collide.
    seen: HashSet<(u64, u64)>,
}

impl SeenObjects {
    /// Reports a change whose object has another one before it, as [`PlanIndex::new`] does.
    pub fn add<'a>(&mut self, change: ResourceChange<'a>, sink: &mut dyn Sink<'a>) {
        let Some(address) = change.address().value() else { return };
        let deposed = change.deposed().value().unwrap_or_default();
        let hash = |number: u8| self.seen.hasher().hash_one((number, address, deposed));
        let hashes = (hash(0), hash(1));
        if !self.seen.insert(hashes) {
            duplicate(change).into_iter().for_each(|diagnostic| sink.report(diagnostic));
        }
    }
}

/// The report of a change whose object has another one before it.
fn duplicate(change: ResourceChange<'_>) -> Option<Diagnostic<'_>> {
    let address = change.object().get("address")?;
    let text = change.address().value()?;
    Some(Diagnostic::new(Code::DuplicateAddress, address.label()).with_arguments(&[text]))
}

/// Resources by address and key of a deposed object.
type ByAddress<'a> = HashMap<(&'a str, &'a str), Resource<'a>>;

impl<'a> PlanIndex<'a> {
    /// Reads the addresses of all changes. Reports several changes of the same object; look-ups
    /// return the first one.
    ///
    /// ```
    /// use simd_hcl::show::{ActionKind, Plan, PlanIndex};
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"format_version":"1.2","planned_values":{},"resource_changes":[{
    ///     "address":"a_b.c","mode":"managed","type":"a_b","name":"c",
    ///     "change":{"actions":["update"],"before":{"size":1},"after":{"size":2}}}]}"#;
    /// let document = Document::parse_bytes(&arena, "plan.json", json)?;
    /// let plan = Plan::of(document, &mut ()).unwrap();
    /// let index = PlanIndex::new(plan, &mut ());
    /// assert_eq!(index.count(ActionKind::Update), 1);
    /// assert!(index.change("a_b.c", None).is_some());
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn new(plan: Plan<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let mut index = Self {
            plan,
            changes: Vec::new(),
            by_address: HashMap::default(),
            groups: OnceLock::new(),
            planned: OnceLock::new(),
            prior: OnceLock::new(),
            blocks: OnceLock::new(),
        };
        for change in plan.changes() {
            index.add(change, sink);
        }
        index
    }

    fn add(&mut self, change: ResourceChange<'a>, sink: &mut dyn Sink<'a>) {
        let place = self.changes.len() as u32;
        if let Some(address) = change.address().value() {
            let key = (address, change.deposed().value().unwrap_or_default());
            let first = *self.by_address.entry(key).or_insert(place);
            if let Some(other) = self.changes.get(first as usize) {
                let there = other.object().get("address").map(Node::label);
                if let (Some(found), Some(there)) = (duplicate(change), there) {
                    sink.report(found.with_related(there, "the first change of it"));
                }
            }
        }
        self.changes.push(change);
    }

    fn groups(&self) -> &Groups<'a> {
        self.groups.get_or_init(|| {
            let mut groups = Groups::default();
            for (place, change) in (0..).zip(&self.changes) {
                let resource_type = change.resource_type().value().unwrap_or_default();
                groups.by_type.entry(resource_type).or_default().push(place);
                let module = change.module_address().value().unwrap_or_default();
                groups.by_module.entry(module).or_default().push(place);
                groups.by_action[change.actions().kind() as usize].push(place);
            }
            groups
        })
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> Plan<'a> {
        self.plan
    }

    /// All changes, in order.
    #[must_use]
    pub fn changes(&self) -> &[ResourceChange<'a>] {
        &self.changes
    }

    /// The number of changes of a kind.
    #[must_use]
    pub fn count(&self, kind: ActionKind) -> usize {
        self.groups().by_action[kind as usize].len()
    }

    /// The changes of a kind, in order.
    pub fn with_action(&self, kind: ActionKind) -> impl Iterator<Item = ResourceChange<'a>> {
        self.all(Some(&self.groups().by_action[kind as usize]))
    }

    /// The changes of a resource type, in order.
    pub fn of_type(&self, resource_type: &str) -> impl Iterator<Item = ResourceChange<'a>> {
        self.all(self.groups().by_type.get(resource_type))
    }

    /// The changes in one module instance, in order; the root module has no address.
    pub fn in_module(&self, address: &str) -> impl Iterator<Item = ResourceChange<'a>> {
        self.all(self.groups().by_module.get(address))
    }

    /// The change of an instance, or of its deposed object with this key.
    #[must_use]
    pub fn change(&self, address: &str, deposed: Option<&str>) -> Option<ResourceChange<'a>> {
        let place = self.by_address.get(&(address, deposed.unwrap_or_default()))?;
        self.changes.get(*place as usize).copied()
    }

    /// The planned value of an instance.
    #[must_use]
    pub fn planned_value(&self, address: &str) -> Option<Resource<'a>> {
        let planned = self.planned.get_or_init(|| by_address(self.plan.planned_values().value()));
        planned.get(&(address, "")).copied()
    }

    /// The prior value of an instance, or of its deposed object with this key.
    #[must_use]
    pub fn prior_value(&self, address: &str, deposed: Option<&str>) -> Option<Resource<'a>> {
        let prior = self.prior.get_or_init(|| {
            let state = self.plan.prior_state().value();
            by_address(state.and_then(|state| state.values_field().value()))
        });
        prior.get(&(address, deposed.unwrap_or_default())).copied()
    }

    /// The block of an instance. Cost: linear in the address.
    #[must_use]
    pub fn configuration(&self, address: &str) -> Option<ConfigResource<'a>> {
        let address = Address::parse(address).ok()?;
        self.blocks.get_or_init(|| Blocks::of(self.plan)).find(&address)
    }

    fn all(&self, places: Option<&Vec<u32>>) -> impl Iterator<Item = ResourceChange<'a>> {
        places.into_iter().flatten().filter_map(|place| self.changes.get(*place as usize).copied())
    }
}

impl std::fmt::Debug for PlanIndex<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlanIndex").field("changes", &self.changes.len()).finish_non_exhaustive()
    }
}

/// The blocks of a configuration. Modules have numbers, so that paths are not stored for every
/// block.
#[derive(Default)]
pub(crate) struct Blocks<'a> {
    /// By the number of the caller and the name of the call; the root module is 0.
    modules: HashMap<(u32, &'a str), u32>,
    /// By the number of the module, the mode, the type and the name.
    resources: HashMap<(u32, &'a str, &'a str, &'a str), ConfigResource<'a>>,
}

impl<'a> Blocks<'a> {
    pub(crate) fn of(plan: Plan<'a>) -> Self {
        let mut blocks = Self::default();
        let Some(configuration) = plan.configuration().value() else { return blocks };
        let mut modules = configuration.modules();
        // The numbers of the modules on the path to the last one, inclusive.
        let mut numbers: Vec<u32> = Vec::new();
        let mut next = 0;
        while let Some(module) = modules.next() {
            numbers.truncate(modules.path().len());
            if let (Some(caller), Some(call)) = (numbers.last(), modules.path().last()) {
                blocks.modules.entry((*caller, *call)).or_insert(next);
            }
            numbers.push(next);
            for resource in module.resources().value().into_iter().flat_map(List::iter) {
                let mode = resource.mode().value().unwrap_or(ResourceMode::Managed).name();
                let resource_type = resource.resource_type().value().unwrap_or_default();
                let name = resource.name().value().unwrap_or_default();
                blocks.resources.entry((next, mode, resource_type, name)).or_insert(resource);
            }
            next += 1;
        }
        blocks
    }

    pub(crate) fn find(&self, address: &Address<'_>) -> Option<ConfigResource<'a>> {
        let resource = address.resource.as_ref()?;
        let mut module = 0;
        for call in &address.modules {
            module = *self.modules.get(&(module, call.name))?;
        }
        let key = (module, resource.mode.name(), resource.resource_type, resource.name);
        self.resources.get(&key).copied()
    }
}

fn by_address<'a>(values: Option<Values<'a>>) -> ByAddress<'a> {
    let mut found = HashMap::default();
    for resource in values.into_iter().flat_map(|values| values.resources()) {
        if let Field::Value(address) = resource.address() {
            let key = (address, resource.deposed_key().value().unwrap_or_default());
            found.entry(key).or_insert(resource);
        }
    }
    found
}

impl<'a> Plan<'a> {
    /// The number of changes of each kind, in the order of [`ActionKind::ALL`]. Opens nothing if
    /// actions are the first member of a change, as the tools write them.
    ///
    /// ```
    /// use simd_hcl::show::{ActionKind, Plan};
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"format_version":"1.2","planned_values":{},"resource_changes":[{
    ///     "address":"a_b.c","mode":"managed","type":"a_b","name":"c",
    ///     "change":{"actions":["update"],"before":{"size":1},"after":{"size":2}}}]}"#;
    /// let document = Document::parse_bytes(&arena, "plan.json", json)?;
    /// let plan = Plan::of(document, &mut ()).unwrap();
    /// assert_eq!(plan.count_by_action()[ActionKind::Update as usize], 1);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn count_by_action(self) -> [usize; ActionKind::ALL.len()] {
        let mut counts = [0; ActionKind::ALL.len()];
        for change in self.resource_changes().value().into_iter().flat_map(List::iter) {
            counts[change.actions().kind() as usize] += 1;
        }
        counts
    }
}
