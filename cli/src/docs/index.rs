//! The index of a repository: one row for each module.

use std::fmt::Write as _;
use std::path::Path;

use simd_hcl::docs::{Settings, Written, written};

use super::page::{Entry, Maker, Target};
use crate::paths::text;
use crate::visible;

/// Returns the new content of the file of the index. Its links are relative to it.
pub(super) fn target(
    maker: &Maker<'_>,
    file: &Path,
    (here, top): (&Path, &Path),
    entries: &[Entry],
) -> Result<Target, String> {
    let text = table(file.parent().unwrap_or(top), top, entries);
    // As the user would name it.
    let path = file.strip_prefix(here).unwrap_or(file).to_owned();
    let fail = |why: &str| format!("{}: {why}", visible::path(&path));
    let old = maker.old(&path).map_err(|error| fail(&error.to_string()))?;
    let content = old.as_ref().map(|old| old.content.as_slice());
    match written(&Settings::default(), content, &text).map_err(|it| fail(&it.message))? {
        Written::Content(text) if Some(text.as_slice()) == content => Ok(Target::Nothing),
        Written::Content(text) => Ok(Target::File { path, old, text }),
        Written::Refused(why) => Err(fail(why)),
        _ => Err(fail("it cannot be written")),
    }
}

fn table(directory: &Path, top: &Path, entries: &[Entry]) -> String {
    let has_callers = entries.iter().any(|entry| entry.callers.is_some());
    let mut columns = vec!["Module", "Description", "Inputs", "Outputs", "Resources"];
    columns.extend(has_callers.then_some("Callers"));
    let lines: Vec<String> = columns.iter().map(|column| "-".repeat(column.len())).collect();
    let mut out = format!("| {} |\n| {} |", columns.join(" | "), lines.join(" | "));
    let mut entries: Vec<&Entry> = entries.iter().collect();
    entries.sort_by_key(|entry| &entry.directory);
    for entry in entries {
        let name = below(&entry.directory, top);
        let name = if name.is_empty() { "." } else { &name };
        let link = relative(&entry.file, directory);
        let title = entry.title.replace('|', "\\|");
        // Writing into a string does not fail.
        let _ = write!(
            out,
            "\n| [{name}](<{link}>) | {title} | {} | {} | {} |",
            entry.inputs, entry.outputs, entry.resources
        );
        if has_callers {
            let _ = write!(out, " {} |", entry.callers.unwrap_or_default());
        }
    }
    out
}

fn below(path: &Path, top: &Path) -> String {
    text(path.strip_prefix(top).unwrap_or(path))
}

/// Returns a path relative to a directory.
fn relative(path: &Path, directory: &Path) -> String {
    let shared = path.components().zip(directory.components());
    let shared = shared.take_while(|(one, other)| one == other).count();
    let up = directory.components().skip(shared).map(|_| "..".to_owned());
    let down = path.components().skip(shared);
    let down = down.map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}
