//! The changed files: named, listed, or told by git.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use simd_hcl::source::Access;

use crate::args;
use crate::git::{self, Commit, Compared};
use crate::paths::{nearest_entry, or_here};
use crate::status::Failure;
use crate::visible::visible;

/// The paths of the command line.
pub(super) struct Named {
    /// Directories to search for modules.
    pub(super) directories: Vec<PathBuf>,
    /// Changed files.
    pub(super) files: Vec<PathBuf>,
}

impl Named {
    /// Tells directories and files apart. A deleted file is one that git knows.
    ///
    /// # Errors
    /// A path that does not exist, and that git does not know.
    pub(super) fn of(
        affected: &args::Affected,
        compared: Option<&Compared>,
    ) -> Result<Self, Failure> {
        let mut named = Self { directories: Vec::new(), files: Vec::new() };
        for path in &affected.paths {
            match path.metadata() {
                // A link that git lists is a changed file, unless its name says that a directory is meant.
                Ok(found)
                    if found.is_dir()
                        && !git::is_directory_name(path)
                        && path.is_symlink()
                        && git::knows(path, "HEAD") =>
                {
                    named.files.push(path.clone());
                }
                Ok(found) if found.is_dir() => named.directories.push(path.clone()),
                Ok(_) => named.files.push(path.clone()),
                // A link that leads nowhere is there.
                Err(error) if git::is_missing(&error) && path.is_symlink() => {
                    named.files.push(path.clone());
                }
                Err(error) if git::is_missing(&error) => {
                    let base = compared.map_or("HEAD", |compared| &compared.base.hash);
                    if !git::knows(path, base) {
                        return Err(missing(path));
                    }
                    named.files.push(path.clone());
                }
                Err(error) => {
                    let path = path.to_string_lossy();
                    let message = format!("cannot look at {}: {error}", visible(&path));
                    return Err(Failure::Message(message));
                }
            }
        }
        Ok(named)
    }
}

/// Returns the failure for a path that does not exist, with a suggestion.
fn missing(path: &Path) -> Failure {
    let shown = path.to_string_lossy();
    let mut message = format!("{}: no such file or directory", visible(&shown));
    let range = shown.split("..").map(|part| part.trim_start_matches('.'));
    let mut parts = range.filter(|part| !part.is_empty()).peekable();
    let is_revision = parts.peek().is_some() && parts.all(|part| Commit::of(part).is_ok());
    if is_revision {
        message.push_str(&format!("; did you mean --since {}?", visible(&shown)));
        return Failure::Message(message);
    }
    match nearest_entry(path) {
        Some(near) => {
            message.push_str(&format!("; did you mean {}?", visible(&near.to_string_lossy())));
        }
        None => message.push_str(
            "; git does not know it either (--files-from takes names of files that are deleted, \
             --since a revision)",
        ),
    }
    Failure::Message(message)
}

/// The most bytes of a list of files.
const MAX_LIST: u64 = 256 << 20;

/// Reads the list of changed files, if there is one.
pub(super) fn listed(affected: &args::Affected) -> Result<Option<String>, Failure> {
    let Some(list) = &affected.files_from else { return Ok(None) };
    let failed = |error: &dyn std::fmt::Display| {
        Failure::Message(format!("cannot read the list of files: {}: {error}", list.display()))
    };
    let mut text = String::new();
    let read = if list.as_os_str() == "-" {
        io::stdin().lock().take(MAX_LIST + 1).read_to_string(&mut text)
    } else {
        let file = Access::NAMED.open(list).map_err(|error| failed(&error))?;
        file.into_file().take(MAX_LIST + 1).read_to_string(&mut text)
    };
    read.map_err(|error| failed(&error))?;
    if text.len() as u64 > MAX_LIST {
        return Err(failed(&format!("it has more than {MAX_LIST} bytes")));
    }
    Ok(Some(text))
}

/// Returns the changed files from arguments, the text of a list, and git.
pub(super) fn changed(
    mut changed: Vec<PathBuf>,
    list: Option<&str>,
    compared: Option<&Compared>,
) -> Result<Vec<PathBuf>, Failure> {
    if let Some(text) = list {
        let named = text.lines().map(|line| line.trim_end_matches('\r'));
        let top = git::top().ok();
        for name in named.filter(|line| !line.is_empty()).map(git::unquoted) {
            changed.push(from_top(&name, top.as_deref())?.unwrap_or(name));
        }
    }
    if let Some(compared) = compared {
        changed.extend(compared.changed()?);
    }
    if changed.is_empty() && list.is_none() && compared.is_none() {
        return Err(Failure::Message(
            "no changed files: name them, or give --files-from or --since".to_owned(),
        ));
    }
    Ok(changed)
}

/// The path of a listed file that starts at the top of the work tree, as git prints names also in other
/// directories; `None` for one that starts here. Of a deleted file, its directory decides.
fn from_top(name: &Path, top: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
    let Some(top) = top.filter(|_| !name.has_root()) else { return Ok(None) };
    if is_there(name)? {
        return Ok(None);
    }
    let whole = top.join(name);
    let directory_is_there =
        |path: &Path| path.parent().map_or(Ok(false), |it| is_there(or_here(it)));
    let is_meant = is_there(&whole)? || !directory_is_there(name)? && directory_is_there(&whole)?;
    Ok(is_meant.then_some(whole))
}

/// Whether a path exists, even if it is a link that leads nowhere.
fn is_there(path: &Path) -> Result<bool, Failure> {
    match path.symlink_metadata() {
        Ok(_) => Ok(true),
        Err(error) if git::is_missing(&error) => Ok(false),
        Err(error) => Err(git::cannot(&format!("look at {}", path.display()), &error)),
    }
}
