//! The marks of a plan's resource instances: by address, and by the block of an instance.

use std::hash::BuildHasher;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::merged::MergedMarks;
use super::sets::{Set, Sets};
use super::table::Table;
use crate::hash::{HashSet, Keyed};
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
    pub(super) is_malformed: bool,
}

impl<'a> Entry<'a> {
    pub(super) fn of(node: Node<'a>) -> Self {
        let mut entry = Self::default();
        let Some(object) = node.as_object() else {
            entry.is_malformed = !node.is_null();
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
            entry.is_malformed |= slot.is_some() || !(fits || value.is_null());
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

/// One side of a change. A number: that of its table.
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

/// Marks of instances. Instances without marks matter only if a block of their kind has no other.
///
/// Memory: about 60 bytes for each instance with marks, and what differs between their trees.
pub(super) struct Instances<'a> {
    /// The plan, if all of it is known.
    plan: Option<Plan<'a>>,
    /// Whether there is a configuration. Without one, blocks are not looked up.
    has_blocks: bool,
    sets: Sets<'a>,
    /// Changes with marks, by instance, as places in `changes`. By side.
    numbers: [Table; 2],
    changes: [MarkedChanges; 2],
    /// The set of each block, and of each kind by its hash.
    by_block: Table,
    by_kind: Table,
    /// The types of these kinds, without their modes.
    types: HashSet<&'a str>,
    /// Blocks that have an instance and no set, of the kinds that have a mark.
    planned: OnceLock<HashSet<Block>>,
}

/// One side of changes.
#[derive(Default)]
struct MarkedChanges {
    /// The trees of each change, or of several changes of the same instance.
    sets: Vec<Set>,
    /// Whether the value of each was found among planned or prior values, as bits.
    matched: Vec<AtomicU32>,
}

impl MarkedChanges {
    fn matched(&self, place: u32) -> bool {
        let bits = self.matched.get(place as usize / 32);
        bits.is_some_and(|bits| bits.load(Ordering::Relaxed) >> (place % 32) & 1 == 1)
    }
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
            sets: Sets::default(),
            numbers: Default::default(),
            changes: Default::default(),
            by_block: Table::default(),
            by_kind: Table::default(),
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
        let all = match side {
            // The prior state has a moved instance under either address.
            Side::Before => [number, previous],
            Side::After => [number, None],
        };
        let (numbers, changes) =
            (&mut self.numbers[side as usize], &mut self.changes[side as usize]);
        let next = changes.sets.len() as u32;
        let mut places = all.map(|number| {
            let number = number?;
            Some(numbers.get(number).unwrap_or_else(|| {
                numbers.insert(number, next);
                next
            }))
        });
        if places[0] == places[1] {
            places[1] = None;
        }
        let of_tree = self.sets.tree(tree);
        for place in places.into_iter().flatten() {
            match changes.sets.get_mut(place as usize) {
                Some(set) => *set = self.sets.with(Some(*set), of_tree, tree),
                None => {
                    changes.sets.push(self.sets.with(None, of_tree, tree));
                    changes
                        .matched
                        .resize_with(changes.sets.len().div_ceil(32), AtomicU32::default);
                }
            }
        }
    }

    /// The trees of the changes of an instance, one side of which is among the values.
    pub(super) fn match_value(&self, entry: &Entry<'_>, side: Side) -> &[Node<'a>] {
        let changes = &self.changes[side as usize];
        let number = number_of_instance(entry.address, entry.deposed);
        let Some(place) = self.numbers[side as usize].get(number) else { return &[] };
        if let Some(bits) = changes.matched.get(place as usize / 32)
            && !changes.matched(place)
        {
            bits.fetch_or(1 << (place % 32), Ordering::Relaxed);
        }
        changes.sets.get(place as usize).map_or(&[], |set| self.sets.trees(*set))
    }

    /// Whether a change marks a value that was not found among the values.
    pub(super) fn has_unmatched(&self, side: Side) -> bool {
        let changes = &self.changes[side as usize];
        (0..changes.sets.len() as u32).any(|place| !changes.matched(place))
    }

    /// Records a tree with marks of an instance.
    pub(super) fn note(&mut self, instance: &Identity<'a>, tree: Node<'a>) {
        if !self.has_blocks {
            return;
        }
        let of_tree = self.sets.tree(tree);
        self.types.insert(instance.kind.1);
        let kind = Some(number_of_kind(instance.kind));
        for (table, key) in [(&mut self.by_block, instance.block), (&mut self.by_kind, kind)] {
            let Some(key) = key else { continue };
            let known = table.get(key);
            let set = self.sets.with(known, of_tree, tree);
            if known != Some(set) {
                table.insert(key, set);
            }
        }
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

    /// The block of an instance, unless it has a set.
    pub(super) fn unmarked_block(&self, entry: &Entry<'_>) -> Option<Block> {
        self.block(entry.address?).filter(|block| self.by_block.get(*block).is_none())
    }

    /// Whether an instance of the same kind has marks.
    pub(super) fn is_marked(&self, entry: &Entry<'_>) -> bool {
        self.by_kind.get(number_of_kind(entry.kind())).is_some()
    }

    /// Sets the blocks that have an instance: these, and those of the plan. The first time counts:
    /// what configures comes after all instances, or is read after them.
    pub(super) fn set_planned(&self, plan: Plan<'_>, blocks: &mut HashSet<Block>) {
        self.planned.get_or_init(|| {
            self.add_planned(plan, blocks);
            std::mem::take(blocks)
        });
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

    /// Adds the blocks that have an instance in a plan and no set, of the kinds that have a mark.
    fn add_planned(&self, plan: Plan<'_>, planned: &mut HashSet<Block>) {
        let prior = plan.prior_state().value().and_then(|state| state.values_field().value());
        let values = [plan.planned_values().value(), prior];
        let values = values.into_iter().flatten().flat_map(Values::resources);
        let deferred = plan.deferred_changes().value().into_iter().flat_map(List::iter);
        let deferred = deferred.filter_map(|deferred| deferred.resource_change().value());
        let changes = plan.changes().chain(plan.drift()).chain(deferred);
        let all = changes.map(ResourceChange::object).chain(values.map(Resource::object));
        let entries = all.map(|object| Entry::of(object.node()));
        let entries = entries.filter(|entry| self.is_marked(entry));
        planned.extend(entries.filter_map(|entry| self.unmarked_block(&entry)));
    }

    /// The marks of the instances of a block. If it has no instance, those of all instances of its
    /// kind. `None` if nothing is marked.
    pub(super) fn marks(&self, module: ModulePath, block: Object<'_>) -> Option<&MergedMarks<'a>> {
        if !self.types.contains(resource_type(block)) {
            return None;
        }
        let entry = Entry::of(block.node());
        let kind = entry.kind();
        let of_kind = self.by_kind.get(number_of_kind(kind))?;
        let name = block.get("name").and_then(Node::to_str).unwrap_or_default();
        let block = block_of(module, kind.0, kind.1, name);
        match self.by_block.get(block) {
            Some(set) => self.sets.merged(set),
            None if self.planned().contains(&block) => None,
            None => self.sets.merged(of_kind),
        }
    }
}
