//! `config`: the configuration representation of a module and the modules it calls.

use simd_hcl::Severity;
use simd_hcl::representation::{self, Options};
use simd_hcl::write::Layout;

use crate::args::{self, Common, Configuration, Format, ListFormat};
use crate::modules::{DependsOn, Loaded, with_tree};
use crate::output::{self, Style};
use crate::plan_file;
use crate::provider_schemas;
use crate::status::{Failure, Status};
use crate::visible::visible;

pub(crate) fn run(config: &args::Config, common: &Common) -> Result<Status, Failure> {
    let configuration = Configuration::of_directory(config.directory.clone(), config.dialect);
    let root = plan_file::Root::of(&config.directory)
        .map_err(|error| Failure::Message(format!("{}: {error}", config.directory.display())))?;
    // The shape of the tools has no place for gaps.
    let shown = ListFormat::Human;
    let (found, status) = with_tree(&configuration, common, DependsOn::Calls, shown, |loaded| {
        let Loaded { arena, tree, .. } = loaded;
        let Some(place) = root.find(tree.modules().iter().map(|module| &module.files)) else {
            let directory = config.directory.display();
            if root.find(tree.templates().iter().map(|template| &template.files)).is_some() {
                return Err(Failure::Message(format!(
                    "{directory} has a template of Packer, and there is a configuration representation \
                     of OpenTofu and Terraform modules only; `simd-hcl inspect` describes the template"
                )));
            }
            return Err(Failure::Message(format!("{directory} itself has no module to print")));
        };
        let schemas = match &config.provider_schemas {
            Some(path) => Some(provider_schemas::read(arena, path, common)?),
            None => plan_file::schemas_of(&root, arena, &config.directory, common)?,
        };
        let options = Options::default()
            .with_compat(config.compat)
            .with_schemas(schemas.as_ref())
            .with_sensitive(config.show_sensitive);
        let layout = match config.format {
            Format::Human => Layout::Pretty,
            Format::Json | Format::Ndjson => Layout::Compact,
        };
        output::document(layout, Style::default(), |slot| {
            representation::write(tree, place, &options, slot)
        })?
        .map_err(|error| Failure::Message(error.to_string()))?;
        // Errors do not stop the output; they are printed on standard error.
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
