//! An overview for people: a section for each kind of fact, with the rows that matter most.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use terminal_size::{Width, terminal_size};

use super::answer::{Answer, Asked, place_of};
use super::next::Next;
use crate::output;
use crate::printed::{BOLD, CYAN, DIM, RED, RESET, YELLOW};
use crate::stats::{count, size};
use crate::visible::{abridged, visible};

/// The rows of each section.
const MOST: usize = 5;
/// The versions of a row.
const VERSIONS: usize = 4;
/// The width of what is not printed on a terminal, in characters.
const WIDTH: usize = 100;
const NARROWEST: usize = 40;

pub(super) fn print(answer: &Answer, next: &Next, paths: &[PathBuf]) -> io::Result<()> {
    let width = match terminal_size() {
        Some((Width(width), _)) if io::stdout().is_terminal() => usize::from(width).max(NARROWEST),
        _ => WIDTH,
    };
    output::text(|out| {
        let mut page = Page { out, width };
        page.head(answer, paths)?;
        page.tools(answer)?;
        page.providers(answer)?;
        page.sources(answer)?;
        page.findings(answer)?;
        page.reach(answer)?;
        page.unused(answer)?;
        page.incomplete(answer)?;
        page.next(next)
    })
}

struct Page<'o> {
    out: &'o mut dyn Write,
    width: usize,
}

impl Page<'_> {
    fn head(&mut self, answer: &Answer, paths: &[PathBuf]) -> io::Result<()> {
        let files = answer.modules.iter().map(|module| module.files).sum();
        let bytes = answer.modules.iter().map(|module| module.bytes).sum();
        let resources = answer.modules.iter().map(|module| module.resources).sum();
        writeln!(self.out, "{BOLD}{}{RESET}", title(paths))?;
        let mut parts = vec![count(answer.modules.len(), "module")];
        parts.push(count(answer.roots.len(), "root module"));
        if !answer.units.is_empty() {
            parts.push(count(answer.units.len(), "unit"));
        }
        parts.push(count(resources, "resource"));
        parts.push(count(files, "file"));
        parts.push(size(bytes));
        self.line(&parts.join(", "))
    }

    fn section(&mut self, title: &str, note: &str) -> io::Result<()> {
        let note = if note.is_empty() { String::new() } else { format!("  {DIM}{note}{RESET}") };
        writeln!(self.out, "\n{BOLD}{title}{RESET}{note}")
    }

    /// A line without colours, cut to the width.
    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "  {}", abridged(&visible(text), self.width - 3))
    }

    fn more(&mut self, rows: usize) -> io::Result<()> {
        match rows.saturating_sub(MOST) {
            0 => Ok(()),
            more => writeln!(self.out, "  {DIM}and {more} more{RESET}"),
        }
    }

    /// A name and its facts, in columns.
    fn pair(&mut self, name: &str, wide: usize, text: &str) -> io::Result<()> {
        let name = visible(name).into_owned();
        let name = without_middle(&name, wide);
        let rest = self.width.saturating_sub(wide + 5).max(10);
        writeln!(self.out, "  {name:<wide$}  {}", abridged(&visible(text), rest))
    }

    /// The width of the column of names.
    fn wide<'n>(&self, names: impl Iterator<Item = &'n str>) -> usize {
        let most = names.take(MOST).map(|name| visible(name).chars().count()).max();
        most.unwrap_or_default().min(self.width / 2)
    }

    fn tools(&mut self, answer: &Answer) -> io::Result<()> {
        if answer.tools.is_empty() {
            return Ok(());
        }
        self.section("Tools", "")?;
        let wide = self.wide(answer.tools.iter().map(|tool| tool.name));
        for (place, tool) in answer.tools.iter().enumerate() {
            // OpenTofu and Terraform read the same constraints.
            let next = answer.tools.get(place + 1).map(|next| versions(&next.constraints));
            let is_next = next.is_some_and(|next| next == versions(&tool.constraints));
            let mut parts = Vec::new();
            if let Some(needed) = &tool.needed {
                let because = needed.because.as_ref().map_or_else(String::new, |because| {
                    let place = place_of(&because.range);
                    format!(" for {} {} ({place})", because.kind, because.name)
                });
                parts.push(match &needed.version {
                    Some(version) => format!("needs {version}{because}"),
                    None => format!("no version will do{because}"),
                });
            }
            if !is_next && tool.constraints.iter().any(|it| it.version.is_some()) {
                parts.push(format!("asked for: {}", versions(&tool.constraints)));
            }
            if parts.is_empty() {
                parts.push(count(
                    tool.modules,
                    if tool.name == "terragrunt" { "unit" } else { "module" },
                ));
            }
            for (place, part) in parts.iter().enumerate() {
                self.pair(if place == 0 { tool.name } else { "" }, wide, part)?;
            }
        }
        Ok(())
    }

    fn providers(&mut self, answer: &Answer) -> io::Result<()> {
        self.rows("Providers", "", &answer.providers, |provider| {
            let mut parts = Vec::new();
            if !provider.constraints.is_empty() {
                parts.push(versions(&provider.constraints));
            }
            if !provider.locked.is_empty() {
                parts.push(format!("locked {}", versions(&provider.locked)));
            }
            (&*provider.source, parts.join("; "))
        })
    }

    fn sources(&mut self, answer: &Answer) -> io::Result<()> {
        self.rows("Module sources", "", &answer.sources, |it| (&*it.source, versions(&it.versions)))
    }

    /// A section with a name and a text for each row.
    fn rows<R>(
        &mut self,
        title: &str,
        note: &str,
        rows: &[R],
        pair: impl Fn(&R) -> (&str, String),
    ) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        self.section(title, note)?;
        let pairs: Vec<(&str, String)> = rows.iter().take(MOST).map(pair).collect();
        let wide = self.wide(pairs.iter().map(|(name, _)| *name));
        for (name, text) in &pairs {
            self.pair(name, wide, text)?;
        }
        self.more(rows.len())
    }

    fn findings(&mut self, answer: &Answer) -> io::Result<()> {
        let [errors, warnings] = [true, false].map(|is_error| answer.count_findings(is_error));
        let counts = format!("{}, {}", count(errors, "error"), count(warnings, "warning"));
        self.section("Findings", &counts)?;
        if answer.findings.is_empty() {
            return writeln!(self.out, "  none");
        }
        let wide = self.wide(answer.findings.iter().map(|row| &*row.code)).min(self.width / 3);
        for row in answer.findings.iter().take(MOST) {
            let colour = if row.severity == "error" { RED } else { YELLOW };
            let code = abridged(&row.code, wide).into_owned();
            let worst = row.worst.first().map_or_else(String::new, |worst| match row.files {
                1 => worst.path.clone(),
                files => {
                    format!("{} ({} of {} in {files} files)", worst.path, worst.count, row.count)
                }
            });
            let rest = self.width.saturating_sub(wide + 13).max(10);
            writeln!(
                self.out,
                "  {:>6}  {colour}{code:<wide$}{RESET}  {}",
                row.count,
                abridged(&visible(&worst), rest)
            )?;
        }
        self.more(answer.findings.len())
    }

    fn reach(&mut self, answer: &Answer) -> io::Result<()> {
        let note = "root modules and units that a change touches";
        self.rows("Reach", note, &answer.reach, |it| {
            (&*it.path, format!("{}, {}", count(it.roots, "root"), count(it.callers, "call")))
        })
    }

    fn unused(&mut self, answer: &Answer) -> io::Result<()> {
        if answer.unused.is_empty() {
            return Ok(());
        }
        self.section("Not called", "and no root module")?;
        for row in answer.unused.iter().take(MOST) {
            self.line(&row.path)?;
        }
        self.more(answer.unused.len())
    }

    fn incomplete(&mut self, answer: &Answer) -> io::Result<()> {
        if answer.incomplete.is_empty() {
            return Ok(());
        }
        self.section("Incomplete", "what could not be read, resolved or known")?;
        for gap in answer.incomplete.iter().take(MOST) {
            // A long line is cut at its end, so the reason comes first.
            let places: Vec<&str> = gap.places.iter().take(3).map(String::as_str).collect();
            let more = if gap.places.len() > places.len() { ", …" } else { "" };
            self.line(&format!("{}: {}{more}", gap.why, places.join(", ")))?;
        }
        self.more(answer.incomplete.iter().count())
    }

    fn next(&mut self, next: &Next) -> io::Result<()> {
        self.section("Next", "")?;
        let lengths = next.0.iter().map(|(command, _)| visible(command).chars().count());
        let wide = lengths.max().unwrap_or_default();
        for (command, why) in &next.0 {
            let command = visible(command);
            match wide + why.chars().count() + 4 <= self.width {
                true => writeln!(self.out, "  {CYAN}{command:<wide$}{RESET}  {DIM}{why}{RESET}")?,
                false => writeln!(self.out, "  {CYAN}{command}{RESET}")?,
            }
        }
        Ok(())
    }
}

/// Returns a name of at most this many characters: of a longer one, the start and the end, by which
/// modules of one repository differ.
fn without_middle(name: &str, most: usize) -> Cow<'_, str> {
    let count = name.chars().count();
    if count <= most {
        return name.into();
    }
    let start = most / 3;
    let end = most.saturating_sub(start + 1);
    let head = name.chars().take(start);
    head.chain(['…']).chain(name.chars().skip(count - end)).collect::<String>().into()
}

/// The names of the given directories.
pub(super) fn title(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| name_of(path)).collect();
    visible(&names.join(", ")).into_owned()
}

/// The name of a directory.
fn name_of(path: &Path) -> String {
    let here = if path == Path::new(".") { std::env::current_dir().ok() } else { None };
    match here.as_deref().and_then(Path::file_name) {
        Some(name) => name.to_string_lossy().into_owned(),
        None => path.to_string_lossy().into_owned(),
    }
}

/// `~> 5.0 (3), >= 4.0 (1), any (2)`
fn versions(rows: &[Asked]) -> String {
    let one = |row: &Asked| format!("{} ({})", row.version.as_deref().unwrap_or("any"), row.count);
    let mut texts: Vec<String> = rows.iter().take(VERSIONS).map(one).collect();
    if let more @ 1.. = rows.len().saturating_sub(VERSIONS) {
        texts.push(format!("and {more} more"));
    }
    texts.join(", ")
}
