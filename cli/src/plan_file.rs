//! Binary plan files: their parts as documents, and their configuration as modules.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use simd_hcl::compression::{Compression, decompress, start};
use simd_hcl::diagnostic::{Label, Sink};
use simd_hcl::dialect::FileKind;
use simd_hcl::directory::{DecodeOptions, ModuleFile, ModuleFiles};
use simd_hcl::plan_file::{PlanFile, PlanFileError, ShowOptions, Tool, is_plan_file};
use simd_hcl::representation;
use simd_hcl::show::BodySchemas;
use simd_hcl::source::SourceError;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Arena, Code, Diagnostic, Dialect, Document, ParseOptions, Source, Span};

use crate::args::Common;
use crate::git::is_missing;
use crate::memory;
use crate::status::Failure;

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
                sink.report(self.diagnostic(Code::UnreadablePlanFile, &[&error.to_string()]));
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
        let path = Path::new(self.source.name());
        let modules = modules_of(file, path)?;
        let decode = DecodeOptions::default().with_parse(*self.options).with_open(open);
        let tree = Tree::load(self.arena, modules, &TreeOptions::default().with_decode(decode));
        let embedded = match self.schemas {
            None => file.schemas()?,
            Some(_) => None,
        };
        let built_in = BodySchemas::built_in(self.arena);
        let schemas = self.schemas.or(embedded.as_ref()).unwrap_or(&built_in);
        let root = path.join(ROOT);
        let Some(root) = tree.modules().iter().position(|module| module.files.path == root) else {
            return Ok(None);
        };
        for module in tree.modules().iter().filter(|module| module.withholds()) {
            let directory = module.files.path.strip_prefix(path).unwrap_or(&module.files.path);
            let why = "files with errors are left out";
            let texts = ["configuration", &directory.to_string_lossy(), why];
            sink.report(self.diagnostic(Code::IncompletePlanFile, &texts));
        }
        let options =
            representation::Options::default().with_compat(true).with_schemas(Some(schemas));
        // The document is that of the tools, and commands that show it hide what it marks.
        let options = options.with_sensitive(true);
        let mut json = Vec::new();
        let mut writer = Writer::new(&mut json, Layout::Compact);
        let written = representation::write(&tree, root, &options, writer.value());
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

fn damaged(part: &str, why: String) -> PlanFileError {
    PlanFileError::Damaged { part: part.into(), why }
}

/// The virtual directory, below the path of the plan file, for the directory in which the plan was
/// made. Modules may be beside it or above it.
const ROOT: &str = "configuration";

/// Returns the virtual path of the root module of a plan file, or `path` itself for other files;
/// without a leading `./`, as discovery writes paths.
pub(crate) fn root_of(path: &Path) -> io::Result<PathBuf> {
    let root = if is_at(path)? { path.join(ROOT) } else { path.to_owned() };
    Ok(without_dot(&root).to_owned())
}

/// Returns whether `path` is the path of `root`, which [`root_of`] returned.
pub(crate) fn is_root(path: &Path, root: &Path) -> bool {
    without_dot(path) == root
}

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
            let mut file = File::open(path)?;
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

/// Returns the modules of the plan file at a path.
pub(crate) fn modules_at(path: &Path, common: &Common) -> Result<Vec<ModuleFiles>, Failure> {
    let fail = |error: &dyn std::fmt::Display| {
        Failure::Message(format!("{}: {error}", crate::visible::path(path)))
    };
    let arena = Arena::new();
    let source = Source::read(&arena, path).map_err(|error| fail(&error))?;
    let source =
        decompress(&arena, source, common.max_decompressed).map_err(|error| fail(&error))?;
    let options = ParseOptions::default();
    let file = PlanFile::open_with(&arena, source, common.max_decompressed, &options);
    let modules = file.and_then(|file| modules_of(&file, path));
    modules.map_err(|error| fail(&error))
}

/// Returns the modules of a plan file, with virtual paths (`PLAN/DIRECTORY/NAME`) that [`open`] can
/// read. The root module comes first.
fn modules_of(file: &PlanFile<'_>, path: &Path) -> Result<Vec<ModuleFiles>, PlanFileError> {
    let dialect = match file.tool() {
        Tool::OpenTofu => Dialect::OpenTofu,
        _ => Dialect::Terraform,
    };
    let root = path.join(ROOT);
    let snapshot = file.modules()?;
    let mut modules = Vec::new();
    let mut manifest = Vec::new();
    for module in &snapshot {
        manifest.push(serde_json::json!({
            "Key": module.key, "Source": module.source, "Version": module.version, "Dir": module.directory,
        }));
        // Two calls may lead to one directory.
        let directory = clean(&root, module.directory);
        if modules.iter().any(|known: &ModuleFiles| known.path == directory) {
            continue;
        }
        let mut of_module = Vec::new();
        for each in &module.files {
            let path = directory.join(each.name);
            memory::keep(path.clone(), each.source.bytes().to_vec());
            let name = OsString::from(each.name);
            let kind = FileKind::of_named(&name, dialect);
            of_module.push(ModuleFile::new(name, path, kind));
        }
        modules.push(ModuleFiles::of_directory(directory, dialect, of_module));
    }
    let manifest = serde_json::json!({ "Modules": manifest });
    let mut text = Vec::new();
    // Writing into memory does not fail.
    let _ = write!(text, "{manifest}");
    memory::keep(root.join(".terraform/modules/modules.json"), text);
    Ok(modules)
}

/// Returns the virtual path of a directory in a snapshot. Resolves `.` and `..` lexically.
fn clean(root: &Path, directory: &str) -> PathBuf {
    let mut path = root.to_owned();
    for step in directory.split(['/', '\\']) {
        match step {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            name => path.push(name),
        }
    }
    path
}

/// Opens a file of a snapshot.
fn open<'a>(arena: &'a Arena, path: &Path) -> Result<Source<'a>, SourceError> {
    memory::source_at(arena, path)
        .unwrap_or_else(|| Err(SourceError::Io(std::io::ErrorKind::NotFound.into())))
}
