//! `move`: an object goes to another file, into a called module, or out of one.

use std::path::Path;

use simd_hcl::Arena;
use simd_hcl::module::Object;
use simd_hcl::refactor::relocate::{Destination, Request, plan};
use simd_hcl::refactor::{Change, unit_of};
use simd_hcl::tree::Link;

use crate::args::{self, Common};
use crate::git::canonical;
use crate::modules::path_of_files;
use crate::paths::or_here;
use crate::refactored::{Repository, place};
use crate::status::{Failure, Status};

pub(crate) fn run(relocate: &args::Move, common: &Common) -> Result<Status, Failure> {
    let (path, address) = place(&relocate.address, &relocate.path);
    let arena = Arena::new();
    let repository = Repository::load(&arena, path, &relocate.tree, common)?;
    match change(&repository, address, relocate, &arena, common) {
        Ok(change) => repository.finish(change, &relocate.change, common),
        Err(failure) => Err(repository.failure(failure, &relocate.change, common)?),
    }
}

fn change<'a>(
    repository: &Repository<'a>,
    address: &str,
    relocate: &args::Move,
    arena: &'a Arena,
    common: &Common,
) -> Result<Change<'a>, Failure> {
    let (module, object) = repository.find(address, arena)?;
    let to = &*relocate.to;
    let destination = match (to.strip_prefix("module."), to.rsplit_once(':')) {
        (Some(call), _) => Destination::Call(call),
        (None, Some((directory, new))) => {
            if new != address {
                return Err(Failure::Message(format!(
                    "{to}: an object keeps its name when it moves; it would be {directory}:{address}"
                )));
            }
            let place = repository.modules_at(Path::new(directory))?.first().copied();
            let place = place.ok_or_else(|| {
                let tree = repository.directory.display();
                Failure::Message(format!(
                    "{directory} has no module in {tree}; --tree DIR names a larger tree"
                ))
            })?;
            Destination::Module(place)
        }
        (None, None) => Destination::File(to),
    };
    let inner = match destination {
        Destination::Call(name) => {
            let owner = &repository.tree.modules()[module];
            owner.called_by(Object::ModuleCall(name))
        }
        Destination::Module(other) => {
            let calls = repository.tree.modules()[module].links.contains(&Link::Module(other));
            Some(if calls { other } else { module })
        }
        _ => None,
    };
    if let Some(inner) = inner.filter(|_| !repository.is_stdin) {
        refuse_units(repository, (address, inner), common)?;
    }
    let request = Request::new(module, object, destination).with_moved(!relocate.no_moved);
    let decode = &repository.options.decode;
    let change = plan(&repository.tree, decode, &request).and_then(|change| {
        match repository.has_applied(&change) {
            true => plan(&repository.tree, decode, &request.with_applied(true)),
            false => Ok(change),
        }
    });
    change.map_err(|why| Failure::Message(format!("{address} is not moved: {why}")))
}

/// Refuses a change of the objects of a module that a unit of Terragrunt runs, too.
fn refuse_units(
    repository: &Repository<'_>,
    (address, module): (&str, usize),
    common: &Common,
) -> Result<(), Failure> {
    let files = &repository.tree.modules()[module].files;
    let directory = files.directory();
    let unit = directory.disk().and_then(|directory| {
        unit_of(&repository.directory, or_here(directory), common.follow_links)
    });
    match unit {
        Some(unit) => {
            let top = canonical(&repository.directory)?;
            let unit = Path::new(&unit);
            let (unit, path) = (unit.strip_prefix(&top).unwrap_or(unit), path_of_files(files));
            let unit = unit.display();
            Err(Failure::Message(format!("{address} is not moved: the unit {unit} runs {path}")))
        }
        None => Ok(()),
    }
}
