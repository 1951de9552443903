//! The marks of a plan's resource instances: by address, and by the block of an instance.

use std::hash::BuildHasher;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use smallvec::SmallVec;

use super::merged::MergedMarks;
use crate::hash::{HashMap, HashSet, Keyed};
use crate::json::{JsonString, Node, Object};
use crate::show::address::Address;
use crate::show::field::List;
use crate::show::head::resource_type;
use crate::show::names::ResourceMode;
use crate::show::plan::{Plan, ResourceChange};
use crate::show::state::{Resource, Values};

/// The members of an entry of `resource_changes`, or of a resource among values, that redaction
/// reads; the first of several with the same name. Read in one pass, since there are many entries.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry<'a> {
    address: Option<Node<'a>>,
    previous_address: Option<Node<'a>>,
    mode: Option<Node<'a>>,
    resource_type: Option<Node<'a>>,
    deposed: Option<Node<'a>>,
    pub(super) change: Option<Node<'a>>,
    pub(super) values: Option<Node<'a>>,
    pub(super) sensitive_values: Option<Node<'a>>,
    /// Whether one of these members has another type than in the format, or is a duplicate.
    pub(super) is_odd: bool,
}

impl<'a> Entry<'a> {
    pub(super) fn of(node: Node<'a>) -> Self {
        let mut entry = Self::default();
        let Some(object) = node.as_object() else {
            entry.is_odd = !node.is_null();
            return entry;
        };
        for member in object.members() {
            let value = member.value();
            let (slot, fits) = match member.name().to_bytes() {
                b"address" => (&mut entry.address, value.is_string()),
                b"previous_address" => (&mut entry.previous_address, value.is_string()),
                b"mode" => (&mut entry.mode, value.is_string()),
                b"type" => (&mut entry.resource_type, value.is_string()),
                b"deposed" | b"deposed_key" => (&mut entry.deposed, value.is_string()),
                b"change" => (&mut entry.change, value.is_object()),
                b"values" => (&mut entry.values, value.is_object()),
                b"sensitive_values" => (&mut entry.sensitive_values, true),
                _ => continue,
            };
            entry.is_odd |= slot.is_some() || !(fits || value.is_null());
            slot.get_or_insert(value);
        }
        entry
    }

    pub(super) fn kind(&self) -> Kind<'a> {
        let mode = self.mode.and_then(Node::to_str).unwrap_or(ResourceMode::Managed.name());
        (mode, self.resource_type.and_then(Node::to_str).unwrap_or_default())
    }
}

/// A keyed hash instead of an address. The author of the document cannot produce collisions.
type Number = u64;

fn number_of_instance(address: Option<Node<'_>>, deposed: Option<Node<'_>>) -> Number {
    Keyed::default().hash_one((address.map(bytes), deposed.map(bytes)))
}

/// The decoded text of a string.
fn bytes(node: Node<'_>) -> &[u8] {
    node.as_string().map(JsonString::to_bytes).unwrap_or_default()
}

/// One side of a change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// The mode and the type of a resource.
pub(super) type Kind<'a> = (&'a str, &'a str);

/// A keyed hash of the names of the calls that lead to a module, and of the mode, type and name of a
/// block in it.
pub(super) type Block = u64;

/// A keyed hash of the names of the calls that lead to a module of the configuration.
pub(super) type ModulePath = u64;

/// The root module.
pub(super) const ROOT: ModulePath = 0;

/// The module that a call in another one leads to.
pub(super) fn called(caller: ModulePath, name: &str) -> ModulePath {
    Keyed::default().hash_one((caller, name))
}

fn number_of_kind(kind: Kind<'_>) -> u64 {
    Keyed::default().hash_one(kind)
}

fn block_of(module: ModulePath, mode: &str, resource_type: &str, name: &str) -> Block {
    Keyed::default().hash_one((module, mode, resource_type, name))
}

/// Trees of marks, without duplicates.
#[derive(Default)]
struct Trees<'a> {
    all: SmallVec<[Node<'a>; 1]>,
    seen: Option<Box<HashSet<&'a [u8]>>>,
    merged: OnceLock<Box<MergedMarks<'a>>>,
}

impl<'a> Trees<'a> {
    fn add(&mut self, tree: Node<'a>) {
        let text = tree.text();
        // Most instances of a block have the same tree, so that the set is rarely needed.
        if self.all.first().is_some_and(|first| first.text() == text) {
            return;
        }
        if self.all.is_empty() || self.seen.get_or_insert_default().insert(text) {
            self.all.push(tree);
        }
    }

    fn merged(&self) -> &MergedMarks<'a> {
        self.merged.get_or_init(|| Box::new(MergedMarks::of(&self.all)))
    }
}

/// Marks of instances. Instances without marks matter only if a block of their kind has no other.
pub(super) struct Instances<'a> {
    /// The plan, if all of it is known.
    plan: Option<Plan<'a>>,
    /// Whether there is a configuration. Without one, blocks are not looked up.
    has_blocks: bool,
    /// Changes with marks, by instance, as places in `changes`.
    before: HashMap<Number, usize>,
    after: HashMap<Number, usize>,
    changes: Vec<MarkedChange<'a>>,
    by_block: HashMap<Block, Trees<'a>>,
    /// By hashes of kinds.
    by_kind: HashMap<u64, Trees<'a>>,
    /// The types of these kinds, without their modes.
    types: HashSet<&'a str>,
    /// Blocks that have an instance, of the kinds that have a mark.
    planned: OnceLock<HashSet<Block>>,
}

/// The trees of one side of a change, or of several changes of the same instance.
struct MarkedChange<'a> {
    side: Side,
    trees: SmallVec<[Node<'a>; 1]>,
    /// Whether the value was found among planned or prior values.
    is_matched: AtomicBool,
}

/// The keys of an instance. All threads compute many of them before any is stored.
pub(super) struct Identity<'a> {
    kind: Kind<'a>,
    block: Option<Block>,
    /// The hashes of its address and of its previous address.
    numbers: [Option<Number>; 2],
}

impl<'a> Identity<'a> {
    /// The same keys, with other copies of their texts.
    pub(super) fn map<'b>(self, mut copy: impl FnMut(&str) -> &'b str) -> Identity<'b> {
        let kind = (copy(self.kind.0), copy(self.kind.1));
        Identity { kind, block: self.block, numbers: self.numbers }
    }
}

impl<'a> Instances<'a> {
    /// Of a plan, or of one whose instances are not all known: see [`plan`](Self::plan).
    pub(super) fn new(plan: Option<Plan<'a>>, has_blocks: bool) -> Self {
        Self {
            plan,
            has_blocks,
            before: HashMap::default(),
            after: HashMap::default(),
            changes: Vec::new(),
            by_block: HashMap::default(),
            by_kind: HashMap::default(),
            types: HashSet::default(),
            planned: OnceLock::new(),
        }
    }

    /// The keys of an instance. Cost: linear in its addresses.
    pub(super) fn identity<'e>(&self, entry: &Entry<'e>) -> Identity<'e> {
        let number = |address| Some(number_of_instance(Some(address?), entry.deposed));
        Identity {
            kind: entry.kind(),
            block: entry.address.and_then(|address| self.block(address)),
            numbers: [entry.address, entry.previous_address].map(number),
        }
    }

    /// Records that a change of the instance has this tree on one side. The tree marks something.
    pub(super) fn add_change(&mut self, instance: &Identity<'a>, side: Side, tree: Node<'a>) {
        let [number, previous] = instance.numbers;
        let (all, numbers) = match side {
            // The prior state has a moved instance under either address.
            Side::Before => ([number, previous], &mut self.before),
            Side::After => ([number, None], &mut self.after),
        };
        let next = self.changes.len();
        let mut places = all.map(|number| Some(*numbers.entry(number?).or_insert(next)));
        if places.contains(&Some(next)) {
            let is_matched = AtomicBool::new(false);
            self.changes.push(MarkedChange { side, trees: SmallVec::new(), is_matched });
        }
        if places[0] == places[1] {
            places[1] = None;
        }
        for place in places.into_iter().flatten() {
            self.changes[place].trees.push(tree);
        }
    }

    /// The trees of the changes of an instance, one side of which is among the values.
    pub(super) fn match_value(&self, entry: &Entry<'_>, side: Side) -> &[Node<'a>] {
        let numbers = match side {
            Side::Before => &self.before,
            Side::After => &self.after,
        };
        let place = numbers.get(&number_of_instance(entry.address, entry.deposed));
        let Some(change) = place.and_then(|place| self.changes.get(*place)) else { return &[] };
        change.is_matched.store(true, Ordering::Relaxed);
        &change.trees
    }

    /// Whether a change marks a value that was not found among the values.
    pub(super) fn has_unmatched(&self, side: Side) -> bool {
        let is_matched = |change: &MarkedChange<'_>| change.is_matched.load(Ordering::Relaxed);
        self.changes.iter().any(|change| change.side == side && !is_matched(change))
    }

    /// Records a tree with marks of an instance.
    pub(super) fn note(&mut self, instance: &Identity<'a>, tree: Node<'a>) {
        if !self.has_blocks {
            return;
        }
        if let Some(block) = instance.block {
            self.by_block.entry(block).or_default().add(tree);
        }
        self.types.insert(instance.kind.1);
        self.by_kind.entry(number_of_kind(instance.kind)).or_default().add(tree);
    }

    /// The block of an instance.
    fn block(&self, address: Node<'_>) -> Option<Block> {
        if !self.has_blocks {
            return None;
        }
        let address = Address::parse(address.to_str()?).ok()?;
        let module = address.modules.iter().fold(ROOT, |module, call| called(module, call.name));
        let resource = address.resource?;
        Some(block_of(module, resource.mode.name(), resource.resource_type, resource.name))
    }

    /// The block of an instance.
    pub(super) fn block_of(&self, entry: &Entry<'_>) -> Option<Block> {
        self.block(entry.address?)
    }

    /// Whether an instance of the same kind has marks.
    pub(super) fn is_marked(&self, entry: &Entry<'_>) -> bool {
        self.by_kind.contains_key(&number_of_kind(entry.kind()))
    }

    /// Sets the blocks that have an instance, once.
    pub(super) fn set_planned(&self, blocks: HashSet<Block>) {
        // The first ones are all of them.
        let _ = self.planned.set(blocks);
    }

    /// Forgets merged trees, before more trees are added.
    pub(super) fn forget_merged(&mut self) {
        for trees in self.by_block.values_mut().chain(self.by_kind.values_mut()) {
            trees.merged = OnceLock::new();
        }
    }

    fn planned(&self) -> &HashSet<Block> {
        self.planned.get_or_init(|| {
            let mut planned = HashSet::default();
            if let Some(plan) = self.plan {
                self.add_planned(plan, &mut planned);
            }
            planned
        })
    }

    /// Adds the blocks that have an instance in a plan, of the kinds that have a mark.
    pub(super) fn add_planned(&self, plan: Plan<'_>, planned: &mut HashSet<Block>) {
        let prior = plan.prior_state().value().and_then(|state| state.values_field().value());
        let values = [plan.planned_values().value(), prior];
        let values = values.into_iter().flatten().flat_map(Values::resources);
        let deferred = plan.deferred_changes().value().into_iter().flat_map(List::iter);
        let deferred = deferred.filter_map(|deferred| deferred.resource_change().value());
        let changes = plan.changes().chain(plan.drift()).chain(deferred);
        let all = changes.map(ResourceChange::object).chain(values.map(Resource::object));
        let entries = all.map(|object| Entry::of(object.node()));
        let is_marked =
            |entry: &Entry<'_>| self.by_kind.contains_key(&number_of_kind(entry.kind()));
        planned.extend(entries.filter(is_marked).filter_map(|entry| self.block(entry.address?)));
    }

    /// The marks of the instances of a block. If it has no instance, those of all instances of its
    /// kind. `None` if nothing is marked.
    pub(super) fn marks(&self, module: ModulePath, block: Object<'_>) -> Option<&MergedMarks<'a>> {
        if !self.types.contains(resource_type(block)) {
            return None;
        }
        let entry = Entry::of(block.node());
        let kind = entry.kind();
        let of_kind = self.by_kind.get(&number_of_kind(kind))?;
        let name = block.get("name").and_then(Node::to_str).unwrap_or_default();
        let block = block_of(module, kind.0, kind.1, name);
        match self.by_block.get(&block) {
            Some(trees) => Some(trees.merged()),
            None if self.planned().contains(&block) => None,
            None => Some(of_kind.merged()),
        }
    }
}
