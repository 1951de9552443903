//! `config`: the configuration representation of a module and all that it calls.

use std::path::Path;

use simd_hcl::Severity;
use simd_hcl::representation::{self, Options};
use simd_hcl::write::Layout;

use crate::args::{self, Common, Configuration, Format};
use crate::modules::with_tree_in;
use crate::output;
use crate::plan_file;
use crate::provider_schemas;
use crate::status::{Failure, Status};
use crate::visible::visible;

pub(crate) fn run(config: &args::Config, common: &Common) -> Result<Status, Failure> {
    let configuration = Configuration::of_directory(config.directory.clone(), config.dialect);
    let root = plan_file::root_of(&config.directory);
    let (found, status) = with_tree_in(&configuration, common, |arena, tree| {
        let is_root = |path: &Path| path.components().eq(root.components());
        let Some(root) = tree.modules().iter().position(|module| is_root(&module.files.path))
        else {
            let directory = config.directory.display();
            return Err(Failure::Message(format!("{directory} itself has no module to print")));
        };
        let schemas = match &config.provider_schemas {
            Some(path) => Some(provider_schemas::read(arena, path, common)?),
            None => None,
        };
        let options = Options::default().with_compat(config.compat).with_schemas(schemas.as_ref());
        let layout = match config.format {
            Format::Human => Layout::Pretty,
            Format::Json | Format::Ndjson => Layout::Compact,
        };
        output::document(layout, |slot| representation::write(tree, root, &options, slot))?
            .map_err(|error| Failure::Message(error.to_string()))?;
        // What is there is printed whatever is wrong; that is said beside it.
        let errors = tree.diagnostics().filter(|it| it.severity() == Severity::Error);
        let mut found = Status::Clean;
        for error in errors {
            anstream::eprintln!("{}", visible(&error.to_string()));
            found = Status::Found;
        }
        Ok(found)
    })?;
    Ok(status.max(found))
}
