//! `fix-unused`: variables, local values and data sources that nothing refers to are removed.

use std::collections::BTreeSet;

use simd_hcl::Arena;
use simd_hcl::refactor::unused::{Request, plan};

use crate::args::{self, Common};
use crate::refactored::{Repository, no_module};
use crate::status::{Failure, Status};
use crate::unit_files;

pub(crate) fn run(fix: &args::FixUnused, common: &Common) -> Result<Status, Failure> {
    let arena = Arena::new();
    let mut repository = Repository::load(&arena, fix.path.clone(), &fix.tree, common)?;
    let modules = repository.modules_below(&fix.path)?;
    if modules.is_empty() {
        let failure = Failure::Message(no_module(&fix.path.display().to_string()));
        return Err(repository.failure(failure, &fix.change, common)?);
    }
    repository.add_broken();
    // Other modules may read the same files of values.
    let all: Vec<usize> = (0..repository.tree.modules().len()).collect();
    let mut values = repository.values(&all, &arena, common)?;
    let own: BTreeSet<&str> = values
        .iter()
        .filter(|(place, _)| modules.contains(place))
        .map(|(_, file)| file.source().name())
        .collect();
    let own: BTreeSet<String> = own.into_iter().map(str::to_owned).collect();
    values.retain(|(_, file)| own.contains(file.source().name()));
    let kept = unit_files::naming(&mut repository, &modules, &arena, common);
    let request = Request::new(&modules).with_values(&values).with_kept(&kept);
    match plan(&repository.tree, &repository.options.decode, &request) {
        Ok(change) => {
            // Something may be unused where a file was not read.
            if change.files.is_empty() && repository.incomplete.is_empty() {
                common.note("nothing is unused");
            }
            repository.finish(change, &fix.change, common)
        }
        Err(why) => {
            let failure = Failure::Message(format!("nothing is removed: {why}"));
            Err(repository.failure(failure, &fix.change, common)?)
        }
    }
}
