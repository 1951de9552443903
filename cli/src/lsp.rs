//! `lsp`: serves an editor, with the settings of `simd-hcl.toml`.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simd_hcl::directory::{DiscoverOptions, Discovery, ModuleFiles};
use simd_hcl::packer;
use simd_hcl::refactor::TakenBack;
use simd_hcl::tree::TreeOptions;
use simd_hcl::workspace::{Judge, Options};
use simd_hcl::{Code, Diagnostic, Source};
use simd_hcl_server::lsp::{self, Host};

use crate::allowed::Allowed;
use crate::args::{Common, DialectName};
use crate::check::with_release;
use crate::chosen::Choice;
use crate::elsewhere::section;
use crate::finding::Policy;
use crate::incomplete::Incomplete;
use crate::input;
use crate::provider_schemas;
use crate::refactored::has_committed;
use crate::roots::values_of;
use crate::settings::{self, Settings};
use crate::status::{Failure, Status};

/// Serves the client on standard input and output until it sends `exit`.
pub(crate) fn run(common: &Common) -> Result<Status, Failure> {
    let host = Editor { common: common.clone(), schemas: None };
    let had_shut_down = lsp::run(host, BufReader::new(io::stdin()), io::stdout());
    Ok(if had_shut_down { Status::Clean } else { Status::Found })
}

struct Editor {
    common: Common,
    /// The file of provider schemas that the settings name.
    schemas: Option<PathBuf>,
}

impl Host for Editor {
    fn options(&mut self, directories: &[PathBuf]) -> Result<Options, String> {
        let settings = Settings::of(directories, &self.common).map_err(message_of)?;
        self.schemas = settings.provider_schemas().map(Path::to_owned);
        options(settings, &self.common).map_err(message_of)
    }

    fn is_settings(&self, path: &Path) -> bool {
        if self.schemas.as_deref() == Some(path) {
            return true;
        }
        match &self.common.config {
            Some(file) => path == file,
            None => path.file_name().is_some_and(|name| name == settings::NAME),
        }
    }
}

fn message_of(failure: Failure) -> String {
    match failure {
        Failure::Message(message) => message,
        Failure::Output(error) => error.to_string(),
    }
}

/// The options of a workspace: those of `check` with these settings.
fn options(settings: Settings, common: &Common) -> Result<Options, Failure> {
    let choice = Choice { flags: None, settings: Some(&settings) };
    let selection = with_release(choice.selection()?, settings.dialect)?;
    let discover = DiscoverOptions::default()
        .with_dialect(settings.dialect.map(Into::into))
        .with_follow_links(common.follow_links);
    let tree = TreeOptions::default()
        .with_decode(input::decode_options(common)?)
        .with_packer(packer::Options::default())
        .with_release(settings.dialect.and_then(DialectName::minor));
    let schemas = settings.provider_schemas().map(|path| provider_schemas::text(path, common));
    let schemas = schemas.transpose()?;
    let judge = Arc::new(BySettings { settings });
    let options = Options::default().with_discover(discover).with_tree(tree);
    Ok(options.with_selection(selection).with_schemas(schemas).with_judge(judge))
}

/// Decides which findings count, by settings and by comments in files.
struct BySettings {
    settings: Settings,
}

impl Judge for BySettings {
    fn choose(&self, found: &mut Discovery, paths: &[PathBuf]) {
        // If everything is excluded, there is nothing to show.
        let _ = self.settings.exclude(found, paths);
    }

    fn values(&self, files: &ModuleFiles) -> Result<Vec<PathBuf>, String> {
        let mut incomplete = Incomplete::default();
        let files = values_of(files, self.settings.roots(), &mut incomplete);
        files.map_err(message_of)
    }

    fn set_elsewhere(
        &self,
        files: &ModuleFiles,
        variable: &str,
    ) -> Result<Option<(PathBuf, String)>, String> {
        let directory = files.directory();
        let Some(directory) = directory.disk() else { return Ok(None) };
        let found = section(&self.settings, directory, variable).map_err(message_of)?;
        Ok(found.map(|(file, why)| (file.to_owned(), why.to_owned())))
    }

    fn has_committed(&self, directory: &Path, block: &TakenBack<'_>) -> bool {
        has_committed(directory, block)
    }

    fn judge<'a>(&self, sources: &[Source<'a>], found: Vec<Diagnostic<'a>>) -> Vec<Diagnostic<'a>> {
        let of_found = found.iter().map(Diagnostic::source);
        let comments = Allowed::of(of_found.chain(sources.iter().copied()), &[]);
        let policy =
            Policy { flags: None, settings: Some(&self.settings), comments: Some(&comments) };
        let judged = |diagnostic: Diagnostic<'a>| {
            let severity = policy.severity(&diagnostic)?;
            Some(diagnostic.with_severity(severity))
        };
        let mut kept: Vec<Diagnostic<'a>> = found.into_iter().filter_map(judged).collect();
        let is_selected = |code: Code, source: Source<'_>| policy.is_selected(code, source.name());
        kept.extend(comments.useless(is_selected).into_iter().filter_map(judged));
        kept
    }
}
