//! The instances that `moved` and `import` blocks name.

use std::cell::OnceCell;

use crate::hash::HashMap;
use crate::module::Import;
use crate::tree::written_address;
use crate::value::Value;

/// The addresses that a state has for instances that were moved, by their new addresses; `None` for
/// an address whose object has moved away, or is not known.
pub(super) type Moved<'a> = HashMap<String, Option<&'a str>>;

/// The argument by which an object is imported, `id` or `identity`, and its value.
pub(super) type Imported<'a> = (&'static str, Value<'a>);

/// The `import` blocks of the root module for one resource, and the instances that they import to.
#[derive(Default)]
pub(super) struct Imports<'a> {
    pub(super) blocks: Vec<Import<'a>>,
    pub(super) instances: OnceCell<HashMap<String, Imported<'a>>>,
}

/// The `import` blocks of the root module, by the addresses of resources.
pub(super) fn imports_of<'a>(imports: &[Import<'a>]) -> HashMap<String, Imports<'a>> {
    let mut all: HashMap<String, Imports<'a>> = HashMap::default();
    for block in imports {
        if let Some(target) = block.target().and_then(|(to, _)| written_address(to)) {
            let name = target.to_configuration().to_string();
            all.entry(name).or_default().blocks.push(*block);
        }
    }
    all
}
