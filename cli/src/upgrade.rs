//! `upgrade`: the versions that modules require are set.

use simd_hcl::dialect::List;
use simd_hcl::directory::{ModuleFile, ModuleFiles, Roots};
use simd_hcl::refactor::ChangedFile;
use simd_hcl::refactor::upgrade::{Request, Subject, plan};
use simd_hcl::source::Access;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, ParsedFile};

use crate::args::{self, Common, UpgradeSubject};
use crate::change::{FileChange, refuse_files_beside_input};
use crate::incomplete::Incomplete;
use crate::refactored::{changes, no_module};
use crate::status::{Failure, Status};
use crate::{input, locks};

pub(crate) fn run(upgrade: &args::Upgrade, common: &Common) -> Result<Status, Failure> {
    let (subject, version, flags) = match &upgrade.subject {
        UpgradeSubject::Module { source, version, flags } => {
            (Subject::Module(source), version, flags)
        }
        UpgradeSubject::Provider { name, constraint, flags } => {
            (Subject::Provider(name), constraint, flags)
        }
        UpgradeSubject::Plugin { name, constraint, flags } => {
            (Subject::Plugin(name), constraint, flags)
        }
        UpgradeSubject::RequiredVersion { constraint, flags } => (Subject::Tool, constraint, flags),
    };
    let configuration = &flags.configuration;
    refuse_files_beside_input(&configuration.paths)?;
    let mut discovery = input::modules_and_units(configuration, common)?;
    input::refuse_too_large(&discovery)?;
    let status = Incomplete::status(&discovery);
    let mut incomplete = Incomplete::of_discovery(&discovery);
    let options = TreeOptions::default().with_decode(input::decode_options(common)?);
    let arena = Arena::new();
    let roots = Roots::around(&configuration.paths);
    let modules = &mut discovery.modules;
    let units = take_units(&arena, modules, (&roots, common), &mut incomplete);
    let tree = Tree::load(&arena, discovery.modules, &options);
    incomplete.add_tree(&tree);
    let locks = match subject {
        Subject::Provider(_) => locks::files_of(&arena, &tree, common, &mut incomplete),
        _ => Vec::new(),
    };
    let has_modules = tree.given().next().is_some() || !units.is_empty();
    let subject = match subject {
        Subject::Tool if !has_modules => Subject::Packer,
        subject => subject,
    };
    let is_of_packer = matches!(subject, Subject::Plugin(_) | Subject::Packer);
    let has_templates = is_of_packer && !tree.templates().is_empty();
    if !has_modules && !has_templates {
        flags.change.pass_on(common)?;
        incomplete.print(args::ListFormat::Human, common);
        let paths = configuration.paths.iter().map(|path| path.display().to_string());
        let paths: Vec<String> = paths.collect();
        return Err(Failure::Message(no_module(&paths.join(", "))));
    }
    let mut request = Request::new(subject, version).with_units(&units).with_locks(&locks);
    request.from = flags.from.as_deref();
    let change = match plan(&tree, &options.decode, &request) {
        Ok(change) => change,
        Err(why) => {
            flags.change.pass_on(common)?;
            incomplete.print(args::ListFormat::Human, common);
            return Err(Failure::Message(format!("nothing is upgraded: {why}")));
        }
    };
    let is_empty = change.files.is_empty() && change.not_changed.is_empty();
    // A file that was not read may require another version.
    if is_empty && incomplete.is_empty() {
        common.note("nothing requires another version");
    }
    let is_stdin = configuration.paths.iter().any(|path| input::is_dash(path));
    let file_change = |file: ChangedFile<'_>| FileChange::of(file.source, is_stdin, file.edited);
    let changes = changes(change, incomplete, &file_change);
    changes.finish(&flags.change, common, &roots, status)
}

/// Takes the configuration files of Terragrunt out of the modules.
fn take_units<'a>(
    arena: &'a Arena,
    modules: &mut Vec<ModuleFiles>,
    (roots, common): (&Roots, &Common),
    incomplete: &mut Incomplete,
) -> Vec<ParsedFile<'a>> {
    let mut units = Vec::new();
    for module in &mut *modules {
        let is_unit = |file: &mut ModuleFile| file.kind.list == List::Other;
        for file in module.files.extract_if(.., is_unit) {
            let Some(path) = file.on_disk() else { continue };
            let parsed = input::found(arena, path, (roots, Access::FOUND), common)
                .map_err(|error| error.to_string());
            let parsed = parsed.and_then(|source| {
                let parsed = ParsedFile::parse(arena, source);
                parsed.map_err(|error| error.message().to_string())
            });
            match parsed {
                Ok(parsed) => units.push(parsed),
                Err(why) => incomplete.add("file", path.to_string_lossy(), why),
            }
        }
    }
    modules.retain(|module| !module.files.is_empty());
    units
}
