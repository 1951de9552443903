//! A file that an object moves to, and that does not exist yet.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::dialect::{FileKind, List, Syntax};
use crate::directory::{ModuleFile, ModuleFiles};
use crate::edit::{Edited, FileEdits, NewBlock};
use crate::parsed::ParsedFile;
use crate::refactor::change::{ChangedFile, Refusal};
use crate::source::{Source, SourceError};
use crate::tree::TreeModule;

/// A new file of a module.
pub(super) struct NewFile {
    path: PathBuf,
    syntax: Syntax,
}

fn refused(why: String) -> Refusal {
    Refusal::Unsupported(why)
}

impl NewFile {
    /// Its syntax.
    pub(super) const fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// The file of a module with this name, which the module does not have.
    ///
    /// # Errors
    /// The name is not one of configuration that the tools read beside the other files, is in another
    /// directory, or exists.
    pub(super) fn of(module: &TreeModule<'_>, name: &str) -> Result<Self, Refusal> {
        let shown = module.files.path.to_string_lossy();
        let directory = module.files.directory();
        let directory = directory.disk().filter(|_| !module.files.is_one_file());
        let directory =
            directory.ok_or_else(|| refused(format!("{shown} is not a directory of files")))?;
        let given = Path::new(name);
        let is_here = given.parent().is_some_and(|it| it.as_os_str().is_empty() || it == directory);
        let base = given.file_name().filter(|_| is_here && !name.ends_with(['/', '\\', '.']));
        let base = base.ok_or_else(|| {
            refused(format!("{name} is not a file of {shown}: a new file is in that directory"))
        })?;
        let dialect = module.files.dialect;
        let kind = FileKind::of(base, dialect).filter(|kind| kind.list == List::Primary);
        let kind = kind.ok_or_else(|| {
            refused(format!("{name} is not a name of configuration that {dialect} reads first"))
        })?;
        // Names are shown as those of other files are.
        let path = match directory == Path::new(".") {
            true => PathBuf::from(base),
            false => directory.join(base),
        };
        let has = |file: &ModuleFile| *file.name == *base;
        if module.files.files.iter().any(has) || path.symlink_metadata().is_ok() {
            return Err(refused(format!("{name} exists, and is not a file that it can move to")));
        }
        let before = shadowed(&module.files.files);
        let mut files = module.files.files.clone();
        files.push(ModuleFile::new(base.to_owned(), path.clone(), kind));
        let after = ModuleFiles::of_directory(module.files.path.clone(), dialect, files);
        match shadowed(&after.files) == before {
            true => Ok(Self { path, syntax: kind.syntax }),
            false => Err(refused(format!("{name} would hide another file, or be hidden by it"))),
        }
    }

    /// The file with a block, and the style of another file.
    pub(super) fn with<'a>(
        &self,
        block: NewBlock,
        like: ParsedFile<'a>,
    ) -> Result<ChangedFile<'a>, Refusal> {
        let arena = like.source().arena();
        let name = self.path.to_string_lossy();
        let too_long = |error: SourceError| refused(error.to_string());
        let empty = match self.syntax {
            Syntax::Native => "",
            Syntax::Json => "{}\n",
        };
        let empty = Source::copy_from(arena, &name, empty.as_bytes()).map_err(too_long)?;
        let file = ParsedFile::parse(arena, empty);
        let file = file.map_err(|error| refused(error.message().to_string()))?;
        let mut edits = FileEdits::new(file).like(like);
        edits.add_block(block, None);
        let edited = edits.finish();
        let edited = edited.map_err(|why| Refusal::File(name.into_owned(), why))?;
        let (text, old) = (edited.text().trim_end(), like.source().bytes());
        let end = match old {
            [.., b'\r', b'\n'] => "\r\n",
            [.., b'\n'] => "\n",
            _ => "",
        };
        let source = Source::of_file(arena, &self.path, b"").map_err(too_long)?;
        let edited = Edited::of_new(format!("{text}{end}"));
        Ok(ChangedFile { source, aliases: Vec::new(), edited, is_new: true })
    }
}

/// The names of the files that others shadow, in order.
fn shadowed(files: &[ModuleFile]) -> Vec<&OsString> {
    let shadowed = files.iter().filter(|file| !file.is_read());
    let mut names: Vec<&OsString> = shadowed.map(|file| &file.name).collect();
    names.sort_unstable();
    names
}
