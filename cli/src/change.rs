//! Changes of files by commands: shown as a patch or as JSON, confirmed, and written, all or none.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use simd_hcl::directory::{ModuleFile, Roots};
use simd_hcl::edit::{Edit, Edited};
use simd_hcl::source::Stamp;
use simd_hcl::{ParsedFile, Source, Span};

use crate::args::{ChangeFlags, Common, Format, ListFormat};
use crate::excerpt::Range;
use crate::incomplete::Incomplete;
use crate::replace::{Replacement, edit_all};
use crate::stats::count;
use crate::status::{Failure, Status};
use crate::visible::{abridged, visible};
use crate::{git, input, output, patch};

/// The maximum length of texts for people, in characters.
const SHOWN: usize = 80;

/// The number of places that are listed for people.
const LISTED: usize = 20;

/// A changed file.
pub(crate) struct FileChange {
    name: String,
    /// The name in a patch, if it differs.
    in_patch: Option<String>,
    /// The path to write to; `None` for a file that is not one of the file system.
    path: Option<PathBuf>,
    is_stdin: bool,
    stamp: Option<Stamp>,
    is_new: bool,
    old: String,
    edited: Edited,
}

/// Bytes that look as if they should have changed, and why they have not.
#[derive(Serialize)]
pub(crate) struct NotChanged {
    pub(crate) range: Range,
    pub(crate) text: String,
    pub(crate) why: Cow<'static, str>,
}

/// An object with another address.
#[derive(Serialize)]
pub(crate) struct Moved {
    pub(crate) from: String,
    pub(crate) to: String,
}

/// All changes of a command.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) files: Vec<FileChange>,
    pub(crate) moved: Vec<Moved>,
    pub(crate) not_changed: Vec<NotChanged>,
    pub(crate) incomplete: Incomplete,
}

impl ChangeFlags {
    /// Whether standard input is printed with its changes, as a filter does.
    fn filters(&self) -> bool {
        self.format == Format::Human && !self.check && !self.diff
    }

    /// Prints standard input as it is if a filter fails, so that it is not lost.
    pub(crate) fn pass_on(&self, common: &Common) -> io::Result<()> {
        match common.instead.stdin_text().filter(|_| self.filters()) {
            Some(text) => output::source(text),
            None => Ok(()),
        }
    }
}

/// Fails if standard input is changed together with files.
pub(crate) fn refuse_files_beside_input(paths: &[PathBuf]) -> Result<(), Failure> {
    match paths.len() > 1 && paths.iter().any(|path| input::is_dash(path)) {
        true => {
            let why = "standard input is changed alone: give no other paths";
            Err(Failure::Message(why.to_owned()))
        }
        false => Ok(()),
    }
}

impl FileChange {
    /// The change of a file.
    pub(crate) fn new(
        file: &ModuleFile,
        is_stdin: bool,
        parsed: ParsedFile<'_>,
        edited: Edited,
    ) -> Self {
        let name = file.path.to_string_lossy().into_owned();
        Self {
            name,
            path: file.on_disk().map(Path::to_owned),
            ..Self::of(parsed.source(), is_stdin, edited)
        }
    }

    /// The change of a source.
    pub(crate) fn of(source: Source<'_>, is_stdin: bool, edited: Edited) -> Self {
        Self {
            name: source.name().to_owned(),
            in_patch: None,
            path: source.path().map(Path::to_owned),
            is_stdin,
            stamp: source.stamp(),
            is_new: false,
            old: String::from_utf8_lossy(source.bytes()).into_owned(),
            edited,
        }
    }

    /// Sets the name in a patch.
    pub(crate) fn with_name_in_patch(self, name: String) -> Self {
        Self { in_patch: Some(name), ..self }
    }

    /// Sets whether the file does not exist yet.
    pub(crate) fn with_new(self, is_new: bool) -> Self {
        Self { is_new, ..self }
    }

    fn patch(&self) -> String {
        let name = visible(self.in_patch.as_deref().unwrap_or(&self.name));
        if self.is_new {
            return patch::of_new(&name, self.edited.text());
        }
        patch::of_edits(&name, &self.old, self.edited.text(), self.edited.edits())
    }
}

impl NotChanged {
    /// A part of a source, and why it has not changed.
    pub(crate) fn of(source: Source<'_>, span: Span, why: impl Into<Cow<'static, str>>) -> Self {
        let text = String::from_utf8_lossy(span.slice(source.bytes())).into_owned();
        Self { range: Range::of(source, span), text, why: why.into() }
    }
}

/// The shape of the JSON.
#[derive(Serialize)]
struct Document<'c> {
    format_version: &'static str,
    files: Vec<FileRow<'c>>,
    moved: &'c [Moved],
    not_changed: &'c [NotChanged],
    incomplete: &'c Incomplete,
}

#[derive(Serialize)]
struct FileRow<'c> {
    path: &'c str,
    /// Only of a file that does not exist yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<bool>,
    edits: Vec<EditRow<'c>>,
}

#[derive(Serialize)]
struct EditRow<'c> {
    start: u32,
    end: u32,
    text: &'c str,
}

impl<'c> EditRow<'c> {
    fn of(edit: &'c Edit) -> Self {
        let Span { start, end } = edit.span();
        Self { start, end, text: edit.text() }
    }
}

impl Changes {
    /// Prints or writes the changes, and lists the places that have not changed. `status` is that
    /// of reading.
    pub(crate) fn finish(
        mut self,
        flags: &ChangeFlags,
        common: &Common,
        roots: &Roots,
        mut status: Status,
    ) -> Result<Status, Failure> {
        self.files.retain(|file| !file.edited.edits().is_empty());
        self.files.sort_by(|one, other| one.name.cmp(&other.name));
        self.join_names();
        let is_json = flags.format != Format::Human;
        let changed = self.files.len();
        let input = self.files.iter().find(|file| file.is_stdin);
        let input = input.map(|file| file.edited.text().as_bytes());
        let is_written = match input.or(common.instead.stdin_text()).filter(|_| flags.filters()) {
            Some(text) => {
                output::source(text)?;
                true
            }
            None => self.written(flags, roots, is_json, &mut status)?,
        };
        if is_json {
            output::value(flags.format, common.style(), &self.document())?;
        }
        if flags.check && changed > 0 {
            status = status.max(Status::Found);
        }
        self.tell(common);
        self.incomplete.print(ListFormat::from(flags.format), common);
        if !common.quiet {
            let edits: usize = self.files.iter().map(|file| file.edited.edits().len()).sum();
            let verb = if is_written { "changed" } else { "would change" };
            let (edits, files) = (count(edits, "place"), count(changed, "file"));
            anstream::eprintln!("{verb} {edits} in {files}");
        }
        Ok(status)
    }

    /// Keeps one of the changes of a file that links name, too, if all names have the same change: that
    /// by its own name, or else the first one.
    fn join_names(&mut self) {
        let is_link = |file: &FileChange| file.path.as_deref().is_some_and(Path::is_symlink);
        if !self.files.iter().any(is_link) {
            return;
        }
        let mut known: BTreeMap<(PathBuf, String), usize> = BTreeMap::new();
        let mut kept: Vec<FileChange> = Vec::with_capacity(self.files.len());
        for file in std::mem::take(&mut self.files) {
            let real = file.path.as_deref().and_then(|path| path.canonicalize().ok());
            let key = real.map(|path| (path, file.edited.text().to_owned()));
            match key.as_ref().and_then(|key| known.get(key)) {
                Some(&at) if is_link(&kept[at]) && !is_link(&file) => kept[at] = file,
                Some(_) => {}
                None => {
                    known.extend(key.map(|key| (key, kept.len())));
                    kept.push(file);
                }
            }
        }
        self.files = kept;
    }

    /// Writes files, or shows what would change. Returns whether they are written.
    fn written(
        &self,
        flags: &ChangeFlags,
        roots: &Roots,
        is_json: bool,
        status: &mut Status,
    ) -> Result<bool, Failure> {
        if self.files.is_empty() {
            return Ok(false);
        }
        let is_asked =
            !is_json && !flags.diff && io::stdin().is_terminal() && io::stdout().is_terminal();
        if flags.diff || (!is_json && !flags.check && !flags.write) {
            for file in &self.files {
                output::source(file.patch())?;
            }
        } else if flags.check && !is_json {
            self.files.iter().try_for_each(|file| output::path(&file.name))?;
        }
        let is_wanted = match (flags.write, flags.check || !is_asked) {
            (true, _) => true,
            (false, true) => false,
            (false, false) => self.is_confirmed()?,
        };
        if !is_wanted {
            return Ok(false);
        }
        if self.files.iter().any(|file| file.is_stdin) {
            return Err(Failure::Message("standard input is not written".to_owned()));
        }
        match self.write(roots) {
            Ok(()) => {
                if !is_json && !flags.diff && flags.write {
                    self.files.iter().try_for_each(|file| output::path(&file.name))?;
                }
                Ok(true)
            }
            Err((name, error)) => {
                *status = Status::CouldNotRun;
                let name = visible(&name);
                anstream::eprintln!("simd-hcl: cannot write {name}: {error}; no file is changed");
                Ok(false)
            }
        }
    }

    /// Writes all files, or none.
    fn write(&self, roots: &Roots) -> Result<(), (String, io::Error)> {
        let mut files = Vec::with_capacity(self.files.len());
        for file in &self.files {
            let not_one = |why: &str| (file.name.clone(), io::Error::other(why.to_owned()));
            let path = file.path.as_deref().ok_or_else(|| not_one("plan files are not changed"))?;
            let read = match file.is_new {
                true => None,
                false => Some(file.stamp.ok_or_else(|| not_one(input::NO_TEXT_OF_A_FILE))?),
            };
            files.push(Replacement { path, old: &file.old, new: file.edited.text(), read });
        }
        edit_all(&files, roots)
            .map_err(|(path, error)| (path.to_string_lossy().into_owned(), error))
    }

    /// Asks whether the changes are written.
    fn is_confirmed(&self) -> Result<bool, Failure> {
        let paths: Vec<&Path> = self.files.iter().filter_map(|file| file.path.as_deref()).collect();
        let mut errors = anstream::stderr().lock();
        for path in git::uncommitted(&paths) {
            writeln!(errors, "{} has uncommitted changes", visible(&path))?;
        }
        write!(errors, "Write {}? [y/N] ", count(self.files.len(), "file"))?;
        errors.flush()?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
    }

    /// Prints for people the places that have not changed.
    fn tell(&self, common: &Common) {
        if common.quiet {
            return;
        }
        for not in self.not_changed.iter().take(LISTED) {
            let Range { filename, start, .. } = &not.range;
            let (name, text) = (visible(filename), abridged(&not.text, SHOWN));
            let (line, column, text) = (start.line, start.column, visible(&text));
            anstream::eprintln!("not changed: {name}:{line}:{column}: {text}: {}", not.why);
        }
        if let more @ 1.. = self.not_changed.len().saturating_sub(LISTED) {
            anstream::eprintln!("not changed: {more} more; --format json lists all");
        }
    }

    fn document(&self) -> Document<'_> {
        Document {
            format_version: output::FORMAT_VERSION,
            files: self
                .files
                .iter()
                .map(|file| FileRow {
                    path: &file.name,
                    created: file.is_new.then_some(true),
                    edits: file.edited.edits().iter().map(EditRow::of).collect(),
                })
                .collect(),
            moved: &self.moved,
            not_changed: &self.not_changed,
            incomplete: &self.incomplete,
        }
    }
}
