//! Compares two versions: instances matched by address and by moves, then outputs.

use std::collections::BTreeMap;

use super::ignored::{Moved, Prior};
use super::instances::{Instance, Instances, Output, without_keys};
use super::model::{Review, ReviewAction, ReviewChange, ReviewGap, ReviewLeaf, VersionName};
use super::rank::{self, OUTPUT};
use super::trigger::is_pulled_by;
use super::{ReviewOptions, Version, leaves, providers, rename, setup};
use crate::arena::Arena;
use crate::diagnostic::Label;
use crate::hash::{HashMap, HashSet};
use crate::reference::Mode;
use crate::report::Range;
use crate::show::Address;
use crate::tree::PlanSources;

/// How often the new version is evaluated at most. Once more is needed where an object that ignores changes is
/// replaced because another one changes, which may in turn change others.
const MOST_ROUNDS: usize = 8;

/// Compares two versions of a root module. Without the old one, everything is created; without the new
/// one, everything is deleted.
///
/// The trees of both versions are in the same arena.
///
/// Cost: that of evaluating both, and linear in their values; finding [`Rename`](super::Rename)s is
/// quadratic in the deleted and created instances of one type, of which at most 200 are compared.
#[must_use]
pub fn review<'a>(
    before: Option<Version<'_, 'a>>,
    after: Option<Version<'_, 'a>>,
    options: &ReviewOptions,
) -> Review {
    let keep = Arena::new();
    let mut review = Review::default();
    setup::compare([before, after], &mut review);
    let mut old = Instances::of(before, VersionName::Before, &keep, None);
    review.gaps.append(&mut old.gaps);
    let sources = after.map(|after| after.tree.plan_sources(after.root));
    let addresses = old.all.iter().map(|it| it.address.as_str());
    let moved = sources.as_ref().map(|sources| sources.recorded(addresses)).unwrap_or_default();
    let mut prior = Prior::of(&old, &moved, options);
    let mut rounds = 0;
    let mut new = loop {
        let new = Instances::of(after, VersionName::After, &keep, Some(&prior));
        let comparison = Comparison {
            old: &old,
            new: &new,
            prior: &prior,
            moved: &moved,
            sources: &sources,
            options,
        };
        review.changes.clear();
        comparison.instances(&mut review.changes);
        comparison.outputs(&mut review.changes);
        rounds += 1;
        let Some(address) = prior.replace(&review.changes) else { break new };
        if rounds == MOST_ROUNDS {
            let why =
                "it is replaced and ignores changes, and what refers to it was not evaluated again";
            let (place, why) = (address, why.to_owned());
            review.gaps.push(ReviewGap { version: VersionName::After, place, why });
            break new;
        }
    };
    review.gaps.append(&mut new.gaps);
    providers::compare([&old, &new], &mut review);
    let managed = |address: &str| {
        let instance = old.get(address).or_else(|| new.get(address))?;
        (instance.mode == Mode::Managed).then(|| instance.resource_type.to_owned())
    };
    review.renames = rename::renames(&review.changes, managed);
    rank::sort(&mut review.changes);
    review
}

/// Both versions.
struct Comparison<'c, 'k, 'a> {
    old: &'c Instances<'k, 'a>,
    new: &'c Instances<'k, 'a>,
    /// The instances of the old version that those of the new one were.
    prior: &'c Prior<'c, 'k, 'a>,
    moved: &'c Moved<'c>,
    /// The blocks of the new version that move and remove objects.
    sources: &'c Option<PlanSources<'c, 'a>>,
    options: &'c ReviewOptions,
}

/// An instance that both versions have.
struct Kept<'c, 'k, 'a> {
    /// Its place in the new version.
    place: usize,
    before: &'c Instance<'k, 'a>,
    /// The place of its change.
    change: Option<usize>,
}

impl<'k, 'a: 'k> Comparison<'_, 'k, 'a> {
    /// Adds the changes of all instances.
    fn instances(&self, changes: &mut Vec<ReviewChange>) {
        let mut matched: HashSet<&str> = HashSet::default();
        // Resources and modules of which one version does not know what they have.
        let mut unknown: BTreeMap<&str, &Instance<'k, 'a>> = BTreeMap::new();
        let mut blocks: Vec<(String, &Instance<'k, 'a>)> = Vec::new();
        // The places of changes that may be replacements, by instance of the new version.
        let mut of_new: Vec<Kept<'_, 'k, 'a>> = Vec::new();
        for (place, instance) in self.new.all.iter().enumerate() {
            let Some(before) = self.prior.previous(&instance.address) else {
                if !self.old.is_known() || instance.is_placeholder {
                    blocks.push((without_keys(&instance.address), instance));
                } else {
                    changes.push(self.change(None, Some(instance)));
                }
                continue;
            };
            matched.insert(&before.address);
            let change = self.change(Some(before), Some(instance));
            let differs = !change.leaves.is_empty() || change.previous_address.is_some();
            if differs {
                changes.push(change);
            }
            of_new.push(Kept { place, before, change: differs.then(|| changes.len() - 1) });
        }
        let created = blocks.len();
        for instance in &self.old.all {
            if matched.contains(instance.address.as_str()) {
                continue;
            }
            if !self.new.is_known() || instance.is_placeholder {
                blocks.push((without_keys(&instance.address), instance));
            } else {
                changes.push(self.change(Some(instance), None));
            }
        }
        for (at, (block, instance)) in blocks.iter().enumerate() {
            let is_new = at < created;
            let other = if is_new { self.old } else { self.new };
            if let Some(part) = other.unknown_part(block) {
                unknown.entry(part).or_insert(instance);
            } else if instance.is_placeholder {
                unknown.entry(block).or_insert(instance);
            } else if is_new {
                changes.push(self.change(None, Some(instance)));
            } else {
                changes.push(self.change(Some(instance), None));
            }
        }
        for (address, instance) in unknown {
            changes.push(ReviewChange {
                address: address.to_owned(),
                previous_address: None,
                action: ReviewAction::Unknown,
                leaves: Vec::new(),
                is_imported: false,
                is_forgotten: false,
                range: Some(range_of(instance.definition)),
            });
        }
        self.trigger(of_new, changes);
        // Objects move before they are removed.
        let moved = self.moved.iter().filter_map(|(new, old)| Some(((*old)?, new.as_str())));
        self.forget(&moved.collect(), changes);
    }

    /// The change of an instance that at least one version has.
    fn change(
        &self,
        before: Option<&Instance<'k, 'a>>,
        after: Option<&Instance<'k, 'a>>,
    ) -> ReviewChange {
        let previous = match (before, after) {
            (Some(before), Some(after)) if before.address != after.address => {
                Some(before.address.clone())
            }
            _ => None,
        };
        let values = [before, after].map(|side| side.map(|it| it.values));
        let leaves = leaves::of_attributes(values, self.options.shows_sensitive);
        let action = match (before, after) {
            (_, None) => ReviewAction::Delete,
            (None, Some(_)) => ReviewAction::Create,
            (Some(before), Some(after)) => self.action(before, after, &leaves),
        };
        let shown = after.or(before);
        ReviewChange {
            address: shown.map(|it| it.address.clone()).unwrap_or_default(),
            previous_address: previous,
            action,
            leaves,
            is_imported: before.is_none() && after.is_some_and(|it| it.is_imported),
            is_forgotten: false,
            range: shown.map(|it| range_of(it.definition)),
        }
    }

    /// Returns the action on an instance that both versions have.
    fn action(
        &self,
        before: &Instance<'_, 'a>,
        after: &Instance<'_, 'a>,
        leaves: &[ReviewLeaf],
    ) -> ReviewAction {
        if leaves.is_empty() {
            return ReviewAction::Move;
        }
        let is_replaced =
            || self.options.replaces_by(after.resource_type, [before.values, after.values]);
        match after.mode == Mode::Managed && is_replaced() {
            true => ReviewAction::Replace,
            false => ReviewAction::Update,
        }
    }

    /// Replaces the instances whose `replace_triggered_by` names what is updated or replaced, which may
    /// replace others in turn. `of_new` has each instance that both versions have.
    ///
    /// Cost: linear in the changes for each trigger of a resource that changes.
    fn trigger(&self, of_new: Vec<Kept<'_, 'k, 'a>>, changes: &mut Vec<ReviewChange>) {
        let mut change_of: HashMap<usize, usize> = HashMap::default();
        let mut old_of: HashMap<usize, &Instance<'k, 'a>> = HashMap::default();
        // The instances with triggers, by the address of the resource that they name.
        let mut waiting: HashMap<&str, Vec<usize>> = HashMap::default();
        for Kept { place, before, change } in of_new {
            change_of.extend(change.map(|change| (place, change)));
            old_of.insert(place, before);
            for trigger in &self.new.all[place].triggers {
                waiting.entry(&trigger.resource).or_default().push(place);
            }
        }
        if waiting.is_empty() {
            return;
        }
        let mut work: Vec<usize> = (0..changes.len()).collect();
        while let Some(at) = work.pop() {
            let resource = resource_of(&changes[at].address);
            for &place in waiting.get(resource.as_str()).into_iter().flatten() {
                let instance = &self.new.all[place];
                let mut triggers = instance.triggers.iter();
                let change = &changes[at];
                let is_computed = |name: &str| self.is_computed(change, name);
                if !triggers
                    .any(|it| it.resource == resource && is_pulled_by(it, change, &is_computed))
                {
                    continue;
                }
                let known = change_of.get(&place).copied();
                if known.is_some_and(|known| changes[known].action == ReviewAction::Replace) {
                    continue;
                }
                let before = old_of.get(&place).copied();
                let known = known.unwrap_or_else(|| {
                    changes.push(self.change(before, Some(instance)));
                    changes.len() - 1
                });
                changes[known].action = ReviewAction::Replace;
                change_of.insert(place, known);
                work.push(known);
            }
        }
    }

    /// Whether an attribute that no leaf has gets another value: one that is not configured, if the object is
    /// replaced, and the output of `terraform_data`, if its input differs.
    fn is_computed(&self, change: &ReviewChange, name: &str) -> bool {
        let instance = self.new.get(&change.address);
        let value = instance.and_then(|it| it.values.get(name));
        let is_follower = || {
            let previous = change.previous_address.as_ref().unwrap_or(&change.address);
            let sides = [self.old.get(previous), instance];
            name == "output"
                && instance.is_some_and(|it| it.resource_type == "terraform_data")
                && leaves::differ(sides.map(|side| side?.values.get("input")))
        };
        value.is_none_or(|value| !value.is_known())
            && (change.action == ReviewAction::Replace || is_follower())
    }

    /// Marks the deletions of objects that a `removed` block keeps. `moved` has the new addresses by the
    /// old ones.
    fn forget(&self, moved: &HashMap<&str, &str>, changes: &mut [ReviewChange]) {
        let Some(sources) = self.sources else { return };
        for change in changes.iter_mut().filter(|it| it.action == ReviewAction::Delete) {
            let address = moved.get(&*change.address).copied().unwrap_or(&change.address);
            let Ok(address) = Address::parse(address) else { continue };
            change.is_forgotten = sources.forgets(&address);
        }
    }

    /// Adds the changes of the outputs of the root module; both lists are sorted by name.
    fn outputs(&self, changes: &mut Vec<ReviewChange>) {
        let new: HashMap<&str, &Output<'_, 'a>> =
            self.new.outputs.iter().map(|output| (output.name, output)).collect();
        let old: HashMap<&str, &Output<'_, 'a>> =
            self.old.outputs.iter().map(|output| (output.name, output)).collect();
        for output in &self.old.outputs {
            changes.extend(self.output(Some(output), new.get(output.name).copied()));
        }
        for output in self.new.outputs.iter().filter(|output| !old.contains_key(output.name)) {
            changes.extend(self.output(None, Some(output)));
        }
    }

    fn output(
        &self,
        before: Option<&Output<'_, 'a>>,
        after: Option<&Output<'_, 'a>>,
    ) -> Option<ReviewChange> {
        let values = [before, after].map(|side| side.map(|it| it.value));
        let leaves = leaves::of_outputs(values, self.options.shows_sensitive);
        let action = match (before, after) {
            (_, None) => ReviewAction::Delete,
            (None, _) => ReviewAction::Create,
            _ if leaves.is_empty() => return None,
            _ => ReviewAction::Update,
        };
        let shown = after.or(before)?;
        Some(ReviewChange {
            address: format!("{OUTPUT}{}", shown.name),
            previous_address: None,
            action,
            leaves,
            is_imported: false,
            is_forgotten: false,
            range: shown.definition.map(range_of),
        })
    }
}

/// The address of the resource of an instance: without its own key.
fn resource_of(address: &str) -> String {
    let Ok(mut parsed) = Address::parse(address) else { return address.to_owned() };
    if let Some(resource) = &mut parsed.resource {
        resource.key = None;
    }
    parsed.to_string()
}

fn range_of(label: Label<'_>) -> Range {
    Range::of(label.source, label.span)
}
