//! `check --fix`: the edits of diagnostics that have exactly one ([`Diagnostic::fix`]).
//!
//! Edits are spliced into the text of a file; no other byte changes. A syntax error may hide others, so
//! an edited file is parsed again, until it has no edit left, and then everything is checked again. An
//! edited file that has more syntax errors than before is left as it was.
//!
//! [`Diagnostic::fix`]: simd_hcl::Diagnostic::fix

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use simd_hcl::diagnostic::{Fix, Safety};
use simd_hcl::directory::Roots;
use simd_hcl::edit::{Edit, TextEdits};
use simd_hcl::source::Stamp;
use simd_hcl::{Arena, Document, ParseOptions, ParsedFile, Source};

use crate::args::SyntaxName;
use crate::finding::Findings;
use crate::instead::Instead;
use crate::stats::count;
use crate::visible;
use crate::{input, output, patch, replace};

/// Why a text without a path is not edited.
const NOT_A_FILE: &str = "it is part of a plan file, or its path is not UTF-8";

/// How often everything is checked again.
pub(crate) const ROUNDS: usize = 10;

/// The number of bytes that are parsed again after edits of syntax errors, of all files and rounds
/// together. A syntax error ends the reading of JSON, so each of them takes another run.
const BYTES_PARSED: usize = 128 << 20;

/// A file is parsed again at least this often.
const RUNS: usize = 2;

/// The files that edits change.
#[derive(Default)]
pub(crate) struct Edited {
    files: BTreeMap<PathBuf, Texts>,
    /// The names of files that are not edited, with the reason.
    refused: BTreeMap<String, &'static str>,
    edits: usize,
    /// The bytes that were parsed again.
    parsed: usize,
    /// Files with syntax errors that are left for another run of the command.
    left: BTreeSet<PathBuf>,
}

struct Texts {
    old: String,
    new: String,
    /// Tells whether the file changes after it was read.
    stamp: Stamp,
}

impl Edited {
    /// Applies the edits of findings, up to this safety, in memory. Returns whether there were any.
    pub(crate) fn apply(
        &mut self,
        findings: &Findings<'_, '_>,
        most: Safety,
        syntax: Option<SyntaxName>,
        instead: &Instead,
    ) -> bool {
        let mut by_file: BTreeMap<&str, (Source<'_>, Vec<Fix>)> = BTreeMap::new();
        for (source, fix) in findings.fixes(most) {
            by_file.entry(source.name()).or_insert((source, Vec::new())).1.push(fix);
        }
        let mut changed = false;
        for (source, fixes) in by_file.into_values() {
            let edited = match source.path() {
                Some(path) => self.edit(path, source, (fixes, syntax), instead),
                None => Err(NOT_A_FILE),
            };
            match edited {
                Ok(edits) => {
                    self.edits += edits;
                    changed |= edits > 0;
                }
                Err(reason) => drop(self.refused.insert(source.name().to_owned(), reason)),
            }
        }
        changed
    }

    /// Edits one file. Returns the number of edits.
    fn edit(
        &mut self,
        path: &Path,
        source: Source<'_>,
        (fixes, syntax): (Vec<Fix>, Option<SyntaxName>),
        instead: &Instead,
    ) -> Result<usize, &'static str> {
        if self.refused.contains_key(source.name()) {
            return Ok(0);
        }
        let (old, stamp) = match self.files.get(path) {
            Some(texts) => (texts.old.clone(), texts.stamp),
            None if instead.is_stdin(path) => return Err("it is standard input"),
            None => {
                let stamp = source.stamp().ok_or(input::NO_TEXT_OF_A_FILE)?;
                let old = str::from_utf8(source.bytes()).map_err(|_| "it is not UTF-8")?;
                (old.to_owned(), stamp)
            }
        };
        let is_native = input::is_native(source, syntax);
        let mut new = str::from_utf8(source.bytes()).map_err(|_| "it is not UTF-8")?.to_owned();
        let mut edits = 0;
        let mut found = Syntax::of(path, &new, is_native);
        if found.errors == 0 {
            (new, edits) = apply(&new, &fixes);
            if Syntax::of(path, &new, is_native).errors > 0 {
                return Err("an edit would add an error");
            }
        }
        let mut runs = 0;
        while !found.fixes.is_empty() {
            if runs >= RUNS && self.parsed >= BYTES_PARSED {
                self.left.insert(path.to_owned());
                break;
            }
            runs += 1;
            self.parsed = self.parsed.saturating_add(new.len());
            let (text, more) = apply(&new, &found.fixes);
            let next = Syntax::of(path, &text, is_native);
            // The error was another one.
            if more == 0 || !next.is_after(&found, text.len() as i64 - new.len() as i64) {
                break;
            }
            (new, edits, found) = (text, edits + more, next);
        }
        if edits == 0 {
            return Ok(0);
        }
        instead.keep_text(path.to_owned(), new.clone().into_bytes());
        self.files.insert(path.to_owned(), Texts { old, new, stamp });
        Ok(edits)
    }

    /// Whether findings of plan files are left as they are.
    pub(crate) fn refuses_plan_files(&self) -> bool {
        self.refused.values().any(|reason| *reason == NOT_A_FILE)
    }

    /// Writes the edited files. Returns whether all could be written.
    pub(crate) fn write(&self, roots: &Roots) -> bool {
        let mut errors = anstream::stderr().lock();
        let mut all = true;
        for (path, texts) in &self.files {
            if let Err(error) = replace::edit(path, &texts.new, texts.stamp, roots) {
                // Nobody reads the error of writing an error.
                let _ = writeln!(errors, "simd-hcl: cannot write {}: {error}", visible::path(path));
                all = false;
            }
        }
        all
    }

    /// Prints the edits as a patch.
    pub(crate) fn print(&self) -> io::Result<()> {
        for (path, texts) in &self.files {
            let patch = patch::unified(&visible::path(path), &texts.old, &texts.new);
            output::source(&patch)?;
        }
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Prints the number of edits, and the files that were not edited.
    pub(crate) fn tell(&self, verb: &str) {
        for (name, reason) in &self.refused {
            anstream::eprintln!("simd-hcl: {} is not edited: {reason}", visible::visible(name));
        }
        for path in &self.left {
            let path = visible::path(path);
            anstream::eprintln!(
                "simd-hcl: {path} has more syntax errors with edits: run this again"
            );
        }
        let files = count(self.files.len(), "file");
        anstream::eprintln!("{verb} {} in {files}", count(self.edits, "edit"));
    }
}

/// The syntax errors of a text.
#[derive(Default)]
struct Syntax {
    errors: usize,
    /// Where the first one starts.
    first: u32,
    fixes: Vec<Fix>,
}

impl Syntax {
    fn of(path: &Path, text: &str, is_native: bool) -> Self {
        let arena = Arena::new();
        let name = path.to_string_lossy();
        // It was a source before, and is hardly longer.
        let Ok(source) = Source::from_bytes(&arena, &name, text.as_bytes()) else {
            return Self::default();
        };
        let found = match is_native {
            true => ParsedFile::native(&arena, source).diagnostics().to_vec(),
            false => match Document::read(&arena, source, &ParseOptions::default()) {
                Ok(document) => document.diagnostics().to_vec(),
                Err(error) => vec![error],
            },
        };
        Self {
            errors: found.len(),
            first: found.first().map_or(0, |first| first.span().start),
            fixes: found.iter().filter_map(|it| it.fix()).collect(),
        }
    }

    /// Whether there are fewer errors than before edits that added this number of bytes, or the first one is
    /// further on.
    fn is_after(&self, before: &Self, added: i64) -> bool {
        self.errors < before.errors || i64::from(self.first) > i64::from(before.first) + added
    }
}

/// Returns the text with the edits, and their number. An edit that overlaps an earlier one is left
/// for the next round.
fn apply(text: &str, fixes: &[Fix]) -> (String, usize) {
    let edits = fixes.iter().map(|fix| Edit::new(fix.span, &*fix.text)).collect();
    let edits = TextEdits::choose(edits);
    (edits.apply(text), edits.len())
}
