//! `docs`: reference pages of modules, as terraform-docs prints and writes them.

mod around;
mod found;
mod index;
mod page;

use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use simd_hcl::Arena;
use simd_hcl::directory::Roots;
use simd_hcl::tree::Secrets;

use self::found::Found;
use self::page::{Made, Maker, Page, Target};
use crate::args::{self, Common};
use crate::paths::{from_here, or_here};
use crate::settings::Settings;
use crate::stats::count;
use crate::status::{Failure, Status};
use crate::visible::{self, visible};
use crate::{human, input, output, patch, replace};

/// The number of modules that are read together, so that memory does not grow with the tree.
const MODULES_AT_ONCE: usize = 128;

pub(crate) fn run(docs: &args::Docs, common: &Common) -> Result<Status, Failure> {
    let start = std::time::Instant::now();
    // `--config` may name the settings of the pages, or those of this program.
    let is_of_pages =
        |path: &&PathBuf| path.extension().is_some_and(|it| it == "yml" || it == "yaml");
    let of_pages = common.config.clone().filter(|path| is_of_pages(&path));
    let own = common.config.clone().filter(|_| of_pages.is_none());
    let common = &Common { config: own, ..common.clone() };
    let settings = Settings::of(&docs.paths, common)?;
    let top_of_settings = settings.directory();
    let wanted = &settings.docs;
    let options = input::module_options(common)?;
    let roots = Roots::around(&docs.paths);
    let found = found::pages(docs, of_pages.as_deref(), wanted, &roots, common)?;
    let Found { pages, mut status } = found;
    let is_one = pages.len() == 1;
    let needs_file = |page: &Page| {
        let settings = &page.given.settings;
        settings.output_file.is_empty() && (!is_one || settings.recursive)
    };
    let (fileless, mut pages): (Vec<Page>, Vec<Page>) = pages.into_iter().partition(needs_file);
    if let Some(first) = fileless.first() {
        anstream::eprintln!(
            "simd-hcl: no file to write the page of {} to: set `output.file` in the settings (first: {})",
            count(fileless.len(), "module"),
            visible::path(&first.directory),
        );
        status = status.max(Status::CouldNotRun);
    }
    for page in pages.iter_mut().filter(|_| !common.follow_links) {
        page.files.refuse_links(&roots);
    }
    let files: Vec<_> = pages.iter().map(|page| page.files.clone()).collect();
    let secrets = (!docs.show_sensitive).then(|| Secrets::of_modules(&files, &options));
    let (top, around) = around::read(docs, &settings, &roots, common)?;
    let index = wanted.index.clone().filter(|_| docs.recursive);
    // With some of the modules, it would lose the others.
    let has_all = top_of_settings.is_some_and(|top| {
        let real = |path: &PathBuf| or_here(path).canonicalize().ok();
        docs.paths.iter().filter_map(real).any(|path| top.starts_with(path))
    });
    let (index, left_out) = if has_all { (index, None) } else { (None, index) };
    if let Some(file) = left_out {
        let file = visible::path(&from_here(&file));
        common.note(&format!("{file} stays as it is: the paths do not contain all modules"));
    }
    let maker = Maker {
        docs,
        options: &options,
        roots: &roots,
        secrets: secrets.as_ref(),
        around: &around,
        marked: docs.marked || wanted.marked,
        has_index: index.is_some(),
    };
    let (mut changed, mut documented) = (0, 0);
    let mut entries = Vec::new();
    for pages in pages.chunks(MODULES_AT_ONCE) {
        let make = |arena: &mut Arena, page: &Page| {
            let made = maker.make(arena, page);
            arena.reset();
            made
        };
        let all: Vec<Made> = pages.par_iter().map_init(Arena::new, make).collect();
        for made in all {
            entries.extend(made.entry);
            let mut errors = anstream::stderr().lock();
            for finding in &made.findings {
                human::write(finding, &mut errors)?;
            }
            drop(errors);
            documented += usize::from(!matches!(made.target, Ok(Target::Unread) | Err(_)));
            status = status.max(put(made.target, docs, &roots, &mut changed)?);
        }
    }
    if let Some(file) = index {
        let target = match entries.len() == pages.len() {
            true => {
                let here = Path::new(".").canonicalize().unwrap_or_default();
                index::target(&maker, &file, (&here, &top), &entries)
            }
            false => {
                let file = visible::path(&from_here(&file));
                Err(format!("{file} stays as it is: a module could not be read"))
            }
        };
        status = status.max(put(target, docs, &roots, &mut changed)?);
    }
    if !common.quiet && (docs.recursive || changed > 0) {
        let what = if docs.check { "out of date" } else { "changed" };
        anstream::eprintln!(
            "documented {} in {:.3} s; {} {what}",
            count(documented, "module"),
            start.elapsed().as_secs_f64(),
            count(changed, "file"),
        );
    }
    Ok(status)
}

/// Prints a page, or writes it to its file.
fn put(
    target: Result<Target, String>,
    docs: &args::Docs,
    roots: &Roots,
    changed: &mut usize,
) -> Result<Status, Failure> {
    let (path, old, text) = match target {
        Err(message) => {
            anstream::eprintln!("simd-hcl: {}", visible(&message));
            return Ok(Status::CouldNotRun);
        }
        Ok(Target::Nothing) => return Ok(Status::Clean),
        Ok(Target::Unread) => return Ok(Status::Found),
        Ok(Target::Output(text)) => {
            output::source(&text)?;
            return Ok(Status::Clean);
        }
        Ok(Target::File { path, old, text }) => (path, old, text),
    };
    let name = path.to_string_lossy();
    if !docs.check
        && let Err(error) = write(&path, old.as_ref(), &text, roots)
    {
        anstream::eprintln!("simd-hcl: cannot write {}: {error}", visible(&name));
        return Ok(Status::CouldNotRun);
    }
    *changed += 1;
    if docs.diff {
        let old = old.as_ref().map(|old| String::from_utf8_lossy(&old.content));
        let new = String::from_utf8_lossy(&text);
        let patch = patch::unified(&visible(&name), &old.unwrap_or_default(), &new);
        output::source(&patch)?;
    } else {
        output::path(&name)?;
    }
    Ok(if docs.check { Status::Found } else { Status::Clean })
}

/// Writes the file of a page.
fn write(path: &Path, old: Option<&page::Old>, text: &[u8], roots: &Roots) -> io::Result<()> {
    match old {
        None => replace::result(path, text, roots),
        Some(old) => match old.stamp {
            Some(stamp) => replace::edit(path, text, stamp, roots),
            None => Err(io::Error::other(input::NO_TEXT_OF_A_FILE)),
        },
    }
}
