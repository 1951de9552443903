//! The tree of modules in addresses, with the objects of each, and the tools' order of addresses.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt::Write as _;

use super::error::Malformed;
use super::text::{List, push_string};
use crate::show::{Address, Call, Key, ResourceMode};

/// The maximal number of modules in an address.
const MAX_DEPTH: usize = 200;

/// An address of a resource instance, or a text that is not an address.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    pub(super) text: &'a str,
    pub(super) address: Address<'a>,
}

impl<'a> Place<'a> {
    pub(super) fn of(text: &'a str) -> Result<Self, Malformed> {
        let address = Address::parse(text).map_err(|_| Malformed("an address is invalid"))?;
        if address.resource.is_none() {
            return Err(Malformed("the address of a resource names no resource"));
        }
        if address.modules.len() > MAX_DEPTH {
            return Err(Malformed("an address leads through more than 200 modules"));
        }
        Ok(Self { text, address })
    }

    /// The address of the module instance; empty for the root module.
    pub(super) fn module(&self) -> String {
        module_address(&self.address.modules)
    }

    /// Writes the parts of the address after the module: mode, type, name, key.
    pub(super) fn write(&self, entry: &mut List<'_>) {
        let Some(step) = &self.address.resource else { return };
        entry.string("mode", step.mode.name());
        entry.string("type", step.resource_type);
        entry.string("name", step.name);
        match &step.key {
            None => {}
            Some(Key::Number(digits)) => write_integer(digits, entry.key("index")),
            Some(Key::Text(text)) => entry.string("index", text),
            Some(Key::Unknown) => entry.bool("index_unknown", true),
        }
    }

    pub(super) fn mode(&self) -> ResourceMode<'a> {
        self.address.resource.as_ref().map_or(ResourceMode::Managed, |step| step.mode)
    }

    pub(super) fn resource_type(&self) -> &'a str {
        self.address.resource.as_ref().map_or("", |step| step.resource_type)
    }
}

/// Writes digits as a number, without the leading zeros that JSON forbids.
pub(super) fn write_integer(digits: &str, out: &mut Vec<u8>) {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    let digits = digits.trim_start_matches('0');
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let text = if digits.is_empty() || !is_number { "0" } else { digits };
    out.extend_from_slice(if text == "0" { b"" } else { sign.as_bytes() });
    out.extend_from_slice(text.as_bytes());
}

fn module_address(modules: &[Call<'_>]) -> String {
    let address = Address { modules: modules.to_vec(), resource: None };
    address.to_string()
}

/// Compares like the tools: fewer modules first, then by names and keys, data sources before
/// resources.
pub(super) fn compare(left: &Place<'_>, right: &Place<'_>) -> Ordering {
    let (one, other) = (&left.address, &right.address);
    let calls = one.modules.iter().zip(&other.modules).map(|(one, other)| {
        one.name.cmp(other.name).then_with(|| compare_keys(one.key.as_ref(), other.key.as_ref()))
    });
    let by_module = one
        .modules
        .len()
        .cmp(&other.modules.len())
        .then_with(|| calls.fold(Ordering::Equal, Ordering::then));
    by_module.then_with(|| match (&one.resource, &other.resource) {
        (Some(one), Some(other)) => rank(one.mode)
            .cmp(&rank(other.mode))
            .then_with(|| one.resource_type.cmp(other.resource_type))
            .then_with(|| one.name.cmp(other.name))
            .then_with(|| compare_keys(one.key.as_ref(), other.key.as_ref())),
        (one, other) => one.is_some().cmp(&other.is_some()),
    })
}

fn rank(mode: ResourceMode<'_>) -> u8 {
    match mode {
        ResourceMode::Ephemeral => 0,
        ResourceMode::Data => 1,
        _ => 2,
    }
}

pub(super) fn compare_keys(one: Option<&Key<'_>>, other: Option<&Key<'_>>) -> Ordering {
    let rank = |key: Option<&Key<'_>>| match key {
        None => 0,
        Some(Key::Number(_)) => 1,
        Some(Key::Text(_)) => 2,
        Some(Key::Unknown) => 3,
    };
    match (one, other) {
        (Some(Key::Number(one)), Some(Key::Number(other))) => compare_numbers(one, other),
        (Some(Key::Text(one)), Some(Key::Text(other))) => one.cmp(other),
        _ => rank(one).cmp(&rank(other)),
    }
}

/// Compares integers of any length.
fn compare_numbers(one: &str, other: &str) -> Ordering {
    match (one.strip_prefix('-'), other.strip_prefix('-')) {
        (Some(one), Some(other)) => compare_numbers(other, one),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => one.len().cmp(&other.len()).then_with(|| one.cmp(other)),
    }
}

/// A tree of modules.
#[derive(Debug)]
pub(super) struct Modules<T> {
    modules: Vec<Module<T>>,
    /// Modules by their caller, and by the call with its key.
    known: HashMap<(usize, String), usize>,
}

/// A module instance.
#[derive(Debug)]
struct Module<T> {
    address: String,
    resources: Vec<T>,
    children: Vec<usize>,
}

impl<T> Modules<T> {
    /// A tree with only the root module.
    pub(super) fn new() -> Self {
        let root = Module { address: String::new(), resources: Vec::new(), children: Vec::new() };
        Self { modules: vec![root], known: HashMap::new() }
    }

    /// Adds a resource to a module. Creates missing modules on the path.
    pub(super) fn push(&mut self, calls: &[Call<'_>], resource: T) {
        let mut at = 0;
        for call in calls {
            let step = module_address(std::slice::from_ref(call));
            let next = self.modules.len();
            at = match self.known.entry((at, step)) {
                std::collections::hash_map::Entry::Occupied(known) => *known.get(),
                std::collections::hash_map::Entry::Vacant(new) => {
                    let mut address = self.modules[at].address.clone();
                    if !address.is_empty() {
                        address.push('.');
                    }
                    // Writing into memory does not fail.
                    let _ = write!(address, "{}", new.key().1);
                    self.modules[at].children.push(next);
                    new.insert(next);
                    let (resources, children) = (Vec::new(), Vec::new());
                    self.modules.push(Module { address, resources, children });
                    next
                }
            };
        }
        self.modules[at].resources.push(resource);
    }

    /// Sorts the resources of every module.
    pub(super) fn sort_resources(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        self.modules.iter_mut().for_each(|module| module.resources.sort_by(&compare));
    }

    /// Sorts the modules that the root module calls by address; with `all`, those of other modules,
    /// too.
    pub(super) fn sort_modules(&mut self, all: bool) {
        for at in 0..if all { self.modules.len() } else { 1 } {
            let mut children = std::mem::take(&mut self.modules[at].children);
            children.sort_by(|one, other| {
                self.modules[*one].address.cmp(&self.modules[*other].address)
            });
            self.modules[at].children = children;
        }
    }

    /// Writes the root module and all below it. Cost: linear in the output; no recursion.
    pub(super) fn write(&self, out: &mut Vec<u8>, mut write: impl FnMut(&T, &mut Vec<u8>)) {
        // The open modules, and the number of child modules of each that are written.
        let mut open = vec![(0, 0)];
        self.start(0, out, &mut write);
        while let Some((at, done)) = open.last_mut() {
            let children = &self.modules[*at].children;
            let Some(&child) = children.get(*done) else {
                out.extend_from_slice(if children.is_empty() { b"}" } else { b"]}" });
                open.pop();
                continue;
            };
            if *done > 0 {
                out.push(b',');
            } else {
                let is_first = out.last() == Some(&b'{');
                out.extend_from_slice(if is_first { b"" } else { b"," });
                out.extend_from_slice(b"\"child_modules\":[");
            }
            *done += 1;
            self.start(child, out, &mut write);
            open.push((child, 0));
        }
    }

    /// Writes a module without its end and without its child modules.
    fn start(&self, at: usize, out: &mut Vec<u8>, write: &mut impl FnMut(&T, &mut Vec<u8>)) {
        let module = &self.modules[at];
        out.push(b'{');
        if !module.resources.is_empty() {
            out.extend_from_slice(b"\"resources\":");
            let mut list = List::array(out);
            module.resources.iter().for_each(|resource| write(resource, list.element()));
            list.end();
        }
        if !module.address.is_empty() {
            out.extend_from_slice(if module.resources.is_empty() { b"" } else { b"," });
            out.extend_from_slice(b"\"address\":");
            push_string(out, &module.address);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_sorted_as_the_tools_do() {
        let sorted = [
            "data.a.z",
            "a.a",
            "a.b",
            "a.b[2]",
            "a.b[10]",
            "a.b[\"1\"]",
            "b.a",
            "module.a.data.x.x",
            "module.a.x.x",
            "module.a[0].x.x",
            "module.b.a.a",
            "module.a.module.a.a.a",
        ];
        let places: Vec<Place<'_>> =
            sorted.iter().map(|text| Place::of(text).expect("an address")).collect();
        for (at, one) in places.iter().enumerate() {
            for (place, other) in places.iter().enumerate() {
                assert_eq!(compare(one, other), at.cmp(&place), "{} {}", one.text, other.text);
            }
        }
    }

    #[test]
    fn modules_hold_their_resources() {
        let mut modules = Modules::new();
        for text in ["module.b.a.x", "a.y", "module.a[\"k\"].module.c.a.z", "module.b.a.w"] {
            let place = Place::of(text).expect("an address");
            modules.push(&place.address.modules, text);
        }
        modules.sort_modules(false);
        let mut out = Vec::new();
        modules.write(&mut out, |text, out| push_string(out, text));
        let expected = concat!(
            r#"{"resources":["a.y"],"child_modules":[{"address":"module.a[\"k\"]","child_modules":["#,
            r#"{"resources":["module.a[\"k\"].module.c.a.z"],"address":"module.a[\"k\"].module.c"}]},"#,
            r#"{"resources":["module.b.a.x","module.b.a.w"],"address":"module.b"}]}"#
        );
        assert_eq!(String::from_utf8_lossy(&out), expected);
        let mut out = Vec::new();
        Modules::<&str>::new().write(&mut out, |_, _| {});
        assert_eq!(out, b"{}");
    }

    #[test]
    fn what_is_no_resource_is_refused() {
        let deep = format!("{}a.b", "module.a.".repeat(201));
        for text in ["", "module.a", "a.", "a b", &deep] {
            assert!(Place::of(text).is_err(), "{text}");
        }
    }
}
