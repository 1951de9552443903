//! `inline`: the value of a local value takes the place of each reference to it.

use simd_hcl::Arena;
use simd_hcl::module::Object;
use simd_hcl::refactor::inline::{Request, plan};

use crate::args::{self, Common};
use crate::refactored::{Repository, place};
use crate::status::{Failure, Status};
use crate::unit_files;

pub(crate) fn run(inline: &args::Inline, common: &Common) -> Result<Status, Failure> {
    let (path, address) = place(&inline.address, &inline.path);
    let arena = Arena::new();
    let mut repository = Repository::load(&arena, path, &inline.tree, common)?;
    let planned = repository.find(address, &arena).and_then(|(module, object)| match object {
        Object::Local(name) => {
            let named = unit_files::naming(&mut repository, &[module], &arena, common);
            if named.contains(&(module, object)) {
                let why = "a file that a unit of Terragrunt puts beside the module uses it";
                return Err(Failure::Message(format!("{address} is not inlined: {why}")));
            }
            let request = Request::new(module, name);
            let change = plan(&repository.tree, &repository.options.decode, &request);
            change.map_err(|why| Failure::Message(format!("{address} is not inlined: {why}")))
        }
        _ => Err(Failure::Message(format!("{address} is not a local value, such as local.size"))),
    });
    match planned {
        Ok(change) => repository.finish(change, &inline.change, common),
        Err(failure) => Err(repository.failure(failure, &inline.change, common)?),
    }
}
