//! Binary plan files: their parts as documents, and their configuration as modules.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use simd_hcl::compression::{Compression, decompress, start};
use simd_hcl::diagnostic::{Label, Sink};
use simd_hcl::dialect::FileKind;
use simd_hcl::directory::{DecodeOptions, DiscoverProblem, Location, ModuleFiles};
use simd_hcl::plan_file::{PlanFile, PlanFileError, ShowOptions, is_plan_file};
use simd_hcl::representation;
use simd_hcl::show::BodySchemas;
use simd_hcl::source::Access;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Arena, Code, Diagnostic, Dialect, Document, ParseOptions, Source, Span};

use crate::args::Common;
use crate::git::is_missing;
use crate::status::Failure;
use crate::visible;

/// The part of a plan file that a command reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The plan, as `show -json` prints it.
    Plan,
    /// The state before the plan.
    State,
    /// The schemas of providers.
    Schemas,
}

/// A plan file, and how to read it.
pub(crate) struct Input<'i, 'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) source: Source<'a>,
    pub(crate) part: Part,
    pub(crate) schemas: Option<&'i BodySchemas<'a>>,
    pub(crate) options: &'i ParseOptions,
    pub(crate) common: &'i Common,
}

impl<'a> Input<'_, 'a> {
    fn open(&self) -> Result<PlanFile<'a>, PlanFileError> {
        PlanFile::open_with(self.arena, self.source, self.common.max_decompressed, self.options)
    }

    /// Returns the part as JSON; `None` if it cannot be read. Errors go to `sink`.
    pub(crate) fn to_json(&self, sink: &mut dyn Sink<'a>) -> Option<Source<'a>> {
        match self.read(sink) {
            Ok(source) => Some(source),
            Err(error) => {
                sink.report(self.diagnostic(Code::UnreadablePlanFile, &[&told(&error)]));
                None
            }
        }
    }

    fn diagnostic(&self, code: Code, texts: &[&str]) -> Diagnostic<'a> {
        let texts: Vec<&'a str> = texts.iter().map(|text| self.arena.str(text)).collect();
        Diagnostic::new(code, Label::new(self.source, Span::new(0, 0))).with_arguments(&texts)
    }

    fn read(&self, sink: &mut dyn Sink<'a>) -> Result<Source<'a>, PlanFileError> {
        let file = self.open()?;
        match self.part {
            Part::State => return file.state()?.ok_or(PlanFileError::Missing("tfstate")),
            Part::Schemas => {
                return file.schemas_json()?.ok_or(PlanFileError::Missing("tfschemas"));
            }
            Part::Plan => {}
        }
        let configuration = self.configuration(&file, sink)?;
        let options = ShowOptions::default()
            .with_schemas(self.schemas)
            .with_configuration(configuration.map(Document::root));
        let shown = file.show_json(&options)?;
        for incomplete in &shown.incomplete {
            let texts = [incomplete.what, &incomplete.place, &incomplete.why];
            let code = match incomplete.what {
                "values" => Code::MissingPlanSchema,
                _ => Code::IncompletePlanFile,
            };
            sink.report(self.diagnostic(code, &texts));
        }
        let max_bytes = simd_hcl::source::MAX_LEN as u64;
        let too_large = |_| PlanFileError::TooLarge { part: "the plan as JSON".into(), max_bytes };
        Source::copy_from(self.arena, self.source.name(), &shown.json).map_err(too_large)
    }

    /// Returns the configuration as `show -json` prints it.
    fn configuration(
        &self,
        file: &PlanFile<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Result<Option<Document<'a>>, PlanFileError> {
        let modules = file.module_files()?;
        let decode = DecodeOptions::default().with_parse(*self.options);
        let tree = Tree::load(self.arena, modules, &TreeOptions::default().with_decode(decode));
        let embedded = match self.schemas {
            None => file.schemas()?,
            Some(_) => None,
        };
        let built_in = BodySchemas::built_in(self.arena);
        let schemas = self.schemas.or(embedded.as_ref()).unwrap_or(&built_in);
        for module in tree.modules().iter().filter(|module| module.withholds()) {
            let directory = module.files.path.to_string();
            let directory =
                directory.trim_start_matches(self.source.name()).trim_start_matches('/');
            let texts = ["configuration", directory, "files with errors are left out"];
            sink.report(self.diagnostic(Code::IncompletePlanFile, &texts));
        }
        let options =
            representation::Options::default().with_compat(true).with_schemas(Some(schemas));
        // The document is that of the tools, and commands that show it hide what it marks.
        let options = options.with_sensitive(true);
        let mut json = Vec::new();
        let mut writer = Writer::new(&mut json, Layout::Compact);
        let written = representation::write(&tree, 0, &options, writer.value());
        // Writing into memory does not fail.
        let _ = writer.finish();
        let damaged = |why: String| damaged("tfconfig", why);
        written.map_err(|error| damaged(error.to_string()))?;
        let source = Source::copy_from(self.arena, "configuration", &json);
        let source = source.map_err(|error| damaged(error.to_string()))?;
        let document = Document::parse_with(self.arena, source, self.options);
        document.map(Some).map_err(|error| damaged(error.to_string()))
    }
}

/// Returns the text of an error, with the flag that helps.
fn told(error: &PlanFileError) -> String {
    match error {
        PlanFileError::TooLarge { .. } => format!("{error} (--max-decompressed sets the limit)"),
        _ => error.to_string(),
    }
}

fn damaged(part: &str, why: String) -> PlanFileError {
    PlanFileError::Damaged { part: part.into(), why }
}

/// The module that the path of a directory or of a plan file names.
pub(crate) enum Root {
    Directory(PathBuf),
    /// The first module of a plan file is its root module.
    PlanFile,
}

impl Root {
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        Ok(if is_at(path)? {
            Self::PlanFile
        } else {
            Self::Directory(without_dot(path).to_owned())
        })
    }

    /// Returns the index of the module among those at the path.
    pub(crate) fn find<'l>(
        &self,
        mut modules: impl Iterator<Item = &'l ModuleFiles>,
    ) -> Option<usize> {
        modules.position(|module| match (self, &module.path) {
            (Self::Directory(root), Location::Disk(path)) => without_dot(path) == root,
            (Self::PlanFile, Location::Memory(_)) => true,
            _ => false,
        })
    }
}

/// Returns a path as discovery writes it.
fn without_dot(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// The number of bytes that are read to recognise a plan file.
const ENOUGH: u64 = 64;

/// Returns whether a path names a plan file. If the path does not exist, it does not.
pub(crate) fn is_at(path: &Path) -> io::Result<bool> {
    let name = path.file_name().unwrap_or_default();
    if Dialect::ALL.into_iter().any(|dialect| FileKind::of(name, dialect).is_some()) {
        return Ok(false);
    }
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {
            let mut bytes = Vec::new();
            let opened = Access::NAMED.open(path);
            let mut file = opened.map_err(|error| io::Error::other(error.to_string()))?.into_file();
            (&mut file).take(ENOUGH).read_to_end(&mut bytes)?;
            // Decompressing the first bytes may need the whole file.
            if Compression::of(&bytes).is_some() {
                file.read_to_end(&mut bytes)?;
            }
            Ok(is_plan_file(&start(&bytes, 8)))
        }
        Err(error) if !is_missing(&error) => Err(error),
        _ => Ok(false),
    }
}

/// Returns the modules of the plan file at a path, or why they cannot be read.
pub(crate) fn modules_at(
    path: &Path,
    common: &Common,
) -> Result<Vec<ModuleFiles>, DiscoverProblem> {
    let fail = |message: String| DiscoverProblem::missing(path, &io::Error::other(message));
    let arena = Arena::new();
    let source = Source::read(&arena, path).map_err(|error| fail(error.to_string()))?;
    let source = decompress(&arena, source, common.max_decompressed)
        .map_err(|error| fail(error.to_string()))?;
    let options = ParseOptions::default();
    let file = PlanFile::open_with(&arena, source, common.max_decompressed, &options);
    let modules = file.and_then(|file| file.module_files());
    modules.map_err(|error| fail(told(&error)))
}

/// Returns the schemas that the plan file at a path has in it; `None` for a directory, and for a file
/// without schemas.
///
/// # Errors
/// The schemas cannot be read.
pub(crate) fn schemas_of<'a>(
    root: &Root,
    arena: &'a Arena,
    path: &Path,
    common: &Common,
) -> Result<Option<BodySchemas<'a>>, Failure> {
    if matches!(root, Root::Directory(_)) {
        return Ok(None);
    }
    let fail = |why: String| Failure::Message(format!("{}: {why}", visible::path(path)));
    let source = Source::read(arena, path).map_err(|error| fail(error.to_string()))?;
    let source = decompress(arena, source, common.max_decompressed)
        .map_err(|error| fail(error.to_string()))?;
    let options = ParseOptions::default();
    let file = PlanFile::open_with(arena, source, common.max_decompressed, &options);
    file.and_then(|file| file.schemas()).map_err(|error| fail(told(&error)))
}
