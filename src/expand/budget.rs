//! The budget of an expansion, and the cost of everything except expressions: instances, blocks,
//! conversions.

use super::instance::ModuleInstance;
use crate::evaluate::Budget;
use crate::hash::HashSet;
use crate::module::Module;
use crate::tree::{Link, Tree};
use crate::value::TEXT_UNIT;

/// The steps and bytes that any configuration has.
const CONSTANT: Budget = Budget::new(100_000_000, 1 << 30);

/// The least part of them, if several root modules share them.
const LEAST: Budget = Budget::new(1_000_000, 8 << 20);

/// The steps and bytes for each byte of configuration.
const PER_BYTE: Budget = Budget::new(1_000, 1 << 10);

/// The steps of an expression beside those of its evaluation.
pub(super) const EXPRESSION: u64 = 16;

/// The steps of an instance of a resource, beside those for its values.
const INSTANCE: u64 = 10;

/// The bytes that an instance of a resource is printed with, beside its values and addresses.
const INSTANCE_TEXT: u64 = 250;

/// How often the address of an instance, or a part of it, is printed.
const ADDRESSES: u64 = 4;

/// The steps of an instance of a module, and of a resource or call in it.
const MODULE_STEPS: u64 = 500;

/// The steps of a block that `dynamic` makes, or that has a schema.
const BLOCK: u64 = 100;

/// The steps and bytes of an object of an instance of a module: a variable, a local value.
const NODE: (u64, u64) = (50, 256);

/// The steps of a byte that is printed.
const PRINTED: u64 = 4;

/// The bytes of an instance of a module.
const MODULE: u64 = 1024;

/// The bytes of a part of a value.
const PART: u64 = 104;

/// Steps and bytes.
pub(super) type Price = (u64, u64);

/// The budget of a root module of a tree, if `roots` of them share the memory.
pub(super) fn budget_of(tree: &Tree<'_>, root: usize, roots: u64) -> Budget {
    limits(bytes_of(tree, root), roots.max(1))
}

/// The budget of configuration with this many bytes.
pub(crate) fn budget_of_bytes(bytes: u64) -> Budget {
    limits(bytes, 1)
}

fn limits(bytes: u64, roots: u64) -> Budget {
    let limit = |constant: u64, least: u64, per_byte: u64| {
        (constant / roots).max(least).saturating_add(bytes.saturating_mul(per_byte))
    };
    Budget::new(
        limit(CONSTANT.steps(), LEAST.steps(), PER_BYTE.steps()),
        limit(CONSTANT.bytes(), LEAST.bytes(), PER_BYTE.bytes()),
    )
}

/// The bytes of the files of a module and of those that it calls.
fn bytes_of(tree: &Tree<'_>, root: usize) -> u64 {
    let modules = tree.modules();
    let mut seen: HashSet<usize> = HashSet::default();
    let mut work = vec![root];
    let mut bytes = 0;
    while let Some(place) = work.pop() {
        if seen.insert(place) {
            let module = &modules[place];
            bytes += module.sources.iter().map(|it| it.bytes().len() as u64).sum::<u64>();
            work.extend(module.links.iter().filter_map(|link| match link {
                Link::Module(place) => Some(*place),
                _ => None,
            }));
        }
    }
    bytes
}

/// The price of instances of a resource whose addresses have this many bytes.
pub(super) fn price_of_resources(count: u64, address: usize) -> Price {
    (count.saturating_mul(INSTANCE + (address / TEXT_UNIT) as u64), 0)
}

/// The price of printing these instances, without their values.
pub(super) fn price_of_printed(count: u64, address: usize) -> Price {
    price_of_text(count.saturating_mul(INSTANCE_TEXT + ADDRESSES * address as u64))
}

/// The price of instances of a module, with the addresses of all that they declare.
pub(super) fn price_of_modules(count: u64, address: usize, declared: &Module<'_>) -> Price {
    let instances = 1 + (declared.resources.len() + declared.calls.len()) as u64;
    let nodes = (declared.variables.len() + declared.locals.len() + declared.outputs.len()) as u64;
    let address = address as u64;
    let steps = instances * (MODULE_STEPS + PRINTED * address) + nodes * NODE.0;
    let bytes = MODULE + address + (instances + nodes) * NODE.1;
    (count.saturating_mul(steps), count.saturating_mul(bytes))
}

/// The price of a block with this many attributes and blocks, whose body has this many bytes.
pub(super) fn price_of_block(parts: usize, bytes: u32) -> Price {
    (BLOCK + parts as u64 + u64::from(bytes) / 64, 0)
}

/// The price of a value with this many parts.
pub(super) fn price_of_parts(count: u64) -> Price {
    (count, count.saturating_mul(PART))
}

/// The price of a text of this many bytes that is printed.
pub(super) fn price_of_text(bytes: u64) -> Price {
    (bytes.saturating_mul(PRINTED), 0)
}

/// The address of an instance of a module that a call makes, without a key.
pub(super) fn address_of_call(outer: &ModuleInstance<'_, '_>, name: &str) -> String {
    match outer.address.as_str() {
        "" => format!("module.{name}"),
        address => format!("{address}.module.{name}"),
    }
}
