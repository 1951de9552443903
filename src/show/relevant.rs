//! Relevant drift: changes outside the tool that influenced the plan.
//!
//! `relevant_attributes` names a resource and a path. A drifted attribute is relevant if it is on
//! that path or below it, or if the path leads into it. A missing path means the whole resource, a
//! missing resource everything.

use super::address::Address;
use super::field::{List, Steps};
use super::path::{Path, Step};
use super::plan::{Plan, ResourceChange};
use crate::hash::{HashMap, HashSet};
use crate::json::Node;

/// The relevant attributes of a plan.
#[derive(Debug)]
pub struct Relevant<'a> {
    is_everything: bool,
    by_resource: HashMap<&'a str, Paths>,
}

/// Paths, each as its steps with a NUL after every step.
#[derive(Debug, Default)]
struct Paths {
    whole: HashSet<String>,
    /// The prefixes of the paths.
    beginnings: HashSet<String>,
}

impl<'a> Relevant<'a> {
    /// Reads the relevant attributes. Cost: linear in them.
    #[must_use]
    pub fn of(plan: Plan<'a>) -> Self {
        let mut relevant = Self { is_everything: false, by_resource: HashMap::default() };
        for one in plan.relevant_attributes().value().into_iter().flat_map(List::iter) {
            let Some(resource) = one.resource().value() else { continue };
            relevant.is_everything |= resource.is_empty();
            let paths = relevant.by_resource.entry(resource).or_default();
            let mut path = String::new();
            for step in one.steps() {
                paths.beginnings.insert(path.clone());
                // Steps of other types lead into sets, where any element may be relevant.
                let Some(text) = step.as_number().map(|number| number.text()).or(step.to_str())
                else {
                    break;
                };
                path.push_str(text);
                path.push('\0');
            }
            paths.whole.insert(path);
        }
        relevant
    }

    /// Whether a drifted attribute of an entry influenced the plan. Cost: linear in the values of
    /// the entry.
    #[must_use]
    pub fn has(&self, entry: ResourceChange<'a>) -> bool {
        if self.is_everything {
            return true;
        }
        let address = entry.address().value().unwrap_or_default();
        // A reference without keys means all instances.
        let all = without_keys(address);
        let paths: Vec<&Paths> = [Some(address), all[0].as_deref(), all[1].as_deref()]
            .into_iter()
            .filter_map(|address| self.by_resource.get(address?))
            .collect();
        if paths.is_empty() {
            return false;
        }
        if paths.iter().any(|paths| paths.whole.contains("")) {
            return true;
        }
        let Some(change) = entry.change().value() else { return false };
        let mut differences = change.differences();
        while differences.next().is_some() {
            let mut path = String::new();
            let mut is_below = false;
            for step in differences.path().steps() {
                match step {
                    Step::Name(name) => path.push_str(name.to_str()),
                    Step::Index(index) => path.push_str(&index.to_string()),
                }
                path.push('\0');
                is_below |= paths.iter().any(|paths| paths.whole.contains(&path));
            }
            if is_below || paths.iter().any(|paths| paths.beginnings.contains(&path)) {
                return true;
            }
        }
        false
    }
}

/// The address without the key of the instance, and without any key.
fn without_keys(address: &str) -> [Option<String>; 2] {
    let Ok(mut address) = Address::parse(address) else { return [None, None] };
    if let Some(resource) = &mut address.resource {
        resource.key = None;
    }
    let instance = address.to_string();
    address.modules.iter_mut().for_each(|call| call.key = None);
    [Some(instance), Some(address.to_string())]
}

impl<'a> super::plan::RelevantAttribute<'a> {
    /// The steps of the path as values of the document. A path that is one text, as the
    /// documentation of the format has it, is one step.
    pub fn steps(self) -> impl Iterator<Item = Node<'a>> {
        self.attribute().value().into_iter().flat_map(Steps::iter)
    }

    /// The path as a reference: `tags["a.b"]`.
    #[must_use]
    pub fn path(self) -> String {
        Path::text_of(self.steps())
    }
}
