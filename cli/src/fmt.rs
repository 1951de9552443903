//! `fmt`: native files in canonical layout.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use simd_hcl::directory::{FileOf, ModuleFiles, NativeFile, Roots, decode_native};
use simd_hcl::format::{Style, format};
use simd_hcl::source::Stamp;
use simd_hcl::{Dialect, Severity, Source};

use crate::args::{self, Common, ListFormat};
use crate::finding::Finding;
use crate::incomplete::Incomplete;
use crate::instead::Instead;
use crate::stats::{Stats, count};
use crate::status::{Failure, Status};
use crate::visible::visible;
use crate::{human, input, output, patch, replace};

/// The number of modules that are read together, so that memory does not grow with the tree.
const MODULES_AT_ONCE: usize = 128;

/// The result for one file.
struct Formatted {
    name: String,
    /// The path to write to; `None` for a file of a plan file.
    path: Option<PathBuf>,
    is_stdin: bool,
    bytes: u64,
    /// Tells whether the file changes after it was read; `None` if it is not a regular file, or was
    /// converted.
    stamp: Option<Stamp>,
    /// The new text, if it differs.
    text: Option<String>,
    /// The patch, with `--diff`.
    patch: Option<String>,
    /// Its errors. A file with errors stays unchanged.
    findings: Vec<Finding>,
}

pub(crate) fn run(fmt: &args::Fmt, common: &Common) -> Result<Status, Failure> {
    let options = input::decode_options(common)?;
    let mut stats = Stats::new(options.parse.kernel);
    let discovery = input::formatted_modules(&fmt.configuration, common)?;
    let incomplete = Incomplete::of_discovery(&discovery);
    let mut status = Incomplete::status(&discovery);
    let mut modules: Vec<ModuleFiles> = discovery.modules.clone();
    // People read shadowed files, too, so these are formatted.
    modules.iter_mut().flat_map(|module| &mut module.files).for_each(|file| {
        file.shadowed_by = None;
    });
    stats.modules = modules.len();
    let roots = Roots::around(&fmt.configuration.paths);
    let (mut changed, mut is_filter) = (0, false);
    let mut errors = anstream::stderr().lock();
    for modules in modules.chunks(MODULES_AT_ONCE) {
        let all = decode_native(modules, &options, |of, source, file| {
            let prints = !fmt.check && !fmt.diff && common.instead.is_stdin_file(of.file);
            of.file.is_asked_for().then(|| {
                let mut formatted = formatted(of, source, file, prints, &common.instead);
                if fmt.diff
                    && let Some(text) = &formatted.text
                {
                    let name = visible(&formatted.name);
                    let old = String::from_utf8_lossy(source.bytes());
                    formatted.patch = Some(patch::unified(&name, &old, text));
                }
                formatted
            })
        });
        for file in all.into_iter().flatten() {
            stats.files += 1;
            stats.bytes += file.bytes;
            for finding in &file.findings {
                // A link that is not followed is a gap.
                if finding.severity == Severity::Error {
                    status = status.max(Status::Found);
                }
                human::write(finding, &mut errors)?;
            }
            let Some(text) = &file.text else { continue };
            if file.is_stdin && !fmt.check && !fmt.diff {
                output::source(text)?;
                is_filter = true;
                continue;
            }
            if fmt.check || fmt.diff && file.is_stdin {
                status = status.max(Status::Found);
            } else if let Err(error) = written(&file, text, &roots) {
                status = status.max(Status::CouldNotRun);
                let name = visible(&file.name);
                writeln!(errors, "simd-hcl: cannot write {name}: {error}")?;
                continue;
            }
            changed += 1;
            match &file.patch {
                Some(patch) => output::source(patch)?,
                None => output::path(&file.name)?,
            }
        }
    }
    drop(errors);
    incomplete.print(ListFormat::Human, common);
    if stats.files == 0 {
        anstream::eprintln!("simd-hcl: no native files to format");
        status = Status::CouldNotRun;
    }
    // A filter changes no file.
    if !common.quiet && !is_filter {
        let verb = if fmt.check { "checked" } else { "formatted" };
        let changed = count(changed, "file");
        let what = if fmt.check { "would change" } else { "changed" };
        anstream::eprintln!("{}; {changed} {what}", stats.summary(verb));
    }
    stats.print(common);
    Ok(status)
}

/// Replaces the text of a file.
fn written(file: &Formatted, text: &str, roots: &Roots) -> io::Result<()> {
    match (&file.path, file.stamp) {
        (Some(path), Some(stamp)) => replace::edit(path, text, stamp, roots),
        (Some(_), None) => Err(io::Error::other(input::NO_TEXT_OF_A_FILE)),
        (None, _) => Err(io::Error::other("plan files are not changed")),
    }
}

/// Formats one file. The result has a text if it differs, or if it is to be printed.
fn formatted<'a>(
    of: FileOf<'_>,
    source: Source<'a>,
    file: NativeFile<'a>,
    prints: bool,
    instead: &Instead,
) -> Formatted {
    // Packer changes only spaces, and so do we in files of other tools.
    let is_plain = of.module.dialect == Dialect::Packer || of.file.kind.is_foreign();
    let style = if is_plain { Style::Packer } else { Style::Tofu };
    let (text, diagnostics) = match file {
        Err(error) => (None, vec![error]),
        Ok((file, mut diagnostics)) => {
            let text = format(file, style, &mut diagnostics);
            (text.filter(|_| diagnostics.is_empty()), diagnostics)
        }
    };
    Formatted {
        name: of.file.path.to_string_lossy().into_owned(),
        path: of.file.on_disk().map(Path::to_owned),
        is_stdin: instead.is_stdin_file(of.file),
        stamp: source.stamp(),
        bytes: source.bytes().len() as u64,
        // Standard input is printed even if it does not change.
        text: text.filter(|text| prints || text.as_bytes() != source.bytes()),
        patch: None,
        findings: diagnostics.iter().map(Finding::of).collect(),
    }
}
