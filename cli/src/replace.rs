//! Writing of files, in one place: the files that `fmt` and `check --fix` change, and the results of
//! `convert`, `decode` and `check --write-baseline`.
//!
//! A file is replaced by a new one in one step, so that nobody reads a part of it, and so that it
//! keeps its old text if anything fails. Its owner, permissions and extended attributes are kept.
//! Where the system does not allow that, and where it has other names (hard links), the text is
//! written into the file itself.
//!
//! Nothing is written through a link that leads out of the given paths and their git work trees,
//! and changes that someone has made since the text was read are not lost.

mod attributes;

use crate::paths::or_here;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use simd_hcl::directory::Roots;
use simd_hcl::source::Stamp;
use tempfile::NamedTempFile;

/// Replaces the text of a file. `read` is its stamp from when its text was read: if it has changed
/// since, this is an error, unless it has the new text, as a file does that was edited by another name.
pub(crate) fn edit(
    path: &Path,
    text: impl AsRef<[u8]>,
    read: Stamp,
    roots: &Roots,
) -> io::Result<()> {
    let (real, text) = (inside(path, roots)?, text.as_ref());
    if Stamp::of(&fs::metadata(&real)?) != read && is_same(&real, text).is_ok() {
        return Ok(());
    }
    replace(&real, text, Some(read))
}

/// A file whose text is replaced together with others.
pub(crate) struct Replacement<'r> {
    pub(crate) path: &'r Path,
    pub(crate) old: &'r str,
    pub(crate) new: &'r str,
    /// Its stamp from when its text was read; `None` if it does not exist yet.
    pub(crate) read: Option<Stamp>,
}

/// Replaces the texts of all files, or of none: all new texts are written beside the old ones before
/// the first one is replaced, and if replacing one fails, those before it get their old texts again, and new
/// files are removed.
///
/// # Errors
/// The path that failed, and why. If an old text could not be restored, the error says so.
pub(crate) fn edit_all<'r>(
    files: &[Replacement<'r>],
    roots: &Roots,
) -> Result<(), (&'r Path, io::Error)> {
    let mut ready = Vec::with_capacity(files.len());
    for file in files {
        let prepared = prepare(file, roots).map_err(|error| (file.path, error))?;
        ready.push((file, prepared));
    }
    let mut done: Vec<(&Replacement<'r>, PathBuf)> = Vec::with_capacity(files.len());
    for (file, prepared) in ready {
        let real = prepared.real.clone();
        if let Err(error) = prepared.replace(file) {
            let lost: Vec<String> = done
                .iter()
                .filter_map(|(file, real)| {
                    let restored = match file.read {
                        Some(_) => replace(real, file.old.as_bytes(), None),
                        None => fs::remove_file(real),
                    };
                    restored.err().map(|error| format!("{}: {error}", file.path.display()))
                })
                .collect();
            let error = match lost.is_empty() {
                true => error,
                false => io::Error::other(format!(
                    "{error}; files that could not be restored: {}",
                    lost.join(", ")
                )),
            };
            return Err((file.path, error));
        }
        done.push((file, real));
    }
    Ok(())
}

/// A file that is about to be replaced.
struct Prepared {
    real: PathBuf,
    /// `None` for a file that does not exist yet.
    stamp: Option<Stamp>,
    /// The file that takes its place; without one, the text is written into it.
    new: Option<tempfile::TempPath>,
}

fn prepare(file: &Replacement<'_>, roots: &Roots) -> io::Result<Prepared> {
    let Some(read) = file.read else {
        let directory = inside(file.path.parent().unwrap_or(Path::new("")), roots)?;
        let name = file.path.file_name().ok_or_else(|| io::Error::other("not a file name"))?;
        let mut new = new_file(&directory)?;
        new.write_all(file.new.as_bytes())?;
        let new = Some(new.into_temp_path());
        return Ok(Prepared { real: directory.join(name), stamp: None, new });
    };
    let real = inside(file.path, roots)?;
    let stamp = Some(writable(&real, Some(read))?);
    // Without its handle: a tree may have more files than a process may open.
    let new = successor(&real, file.new.as_bytes())?.map(NamedTempFile::into_temp_path);
    Ok(Prepared { real, stamp, new })
}

impl Prepared {
    fn replace(self, file: &Replacement<'_>) -> io::Result<()> {
        match (self.new, self.stamp) {
            (Some(new), Some(stamp)) => {
                if Stamp::of(&fs::metadata(&self.real)?) != stamp {
                    return Err(has_changed());
                }
                new.persist(&self.real).map_err(|error| error.error)
            }
            // A file or a link that has appeared stays.
            (Some(new), None) => new.persist_noclobber(&self.real).map_err(|error| error.error),
            (None, Some(stamp)) => write_into(&self.real, file.new.as_bytes(), stamp),
            (None, None) => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// Writes a file of results, which replaces an existing one. If another process writes the file at
/// the same time, this is an error, unless it writes the same.
pub(crate) fn result(path: &Path, text: &[u8], roots: &Roots) -> io::Result<()> {
    match inside(path, roots) {
        Ok(real) => replace(&real, text, None),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {
            create(path, text, roots)
        }
        Err(error) => Err(error),
    }
}

/// Makes a directory for results, and those above it. Returns an error if it would not be in the
/// given directories.
pub(crate) fn make_directory(path: &Path, roots: &Roots) -> io::Result<()> {
    if let Some(existing) = path.ancestors().find(|path| path.is_symlink() || path.exists()) {
        inside(existing, roots)?;
    }
    fs::create_dir_all(path)
}

/// Returns the path of a file without links.
fn inside(path: &Path, roots: &Roots) -> io::Result<PathBuf> {
    let path = or_here(path);
    let real = path.canonicalize()?;
    match roots.contains(&real) {
        true => Ok(real),
        false => {
            let target = real.display();
            Err(io::Error::other(format!("it leads to {target}, outside of the given paths")))
        }
    }
}

/// Writes a new file. It appears with its whole text. An existing one is kept.
pub(crate) fn create(path: &Path, text: &[u8], roots: &Roots) -> io::Result<()> {
    let directory = inside(path.parent().unwrap_or(Path::new("")), roots)?;
    let name = path.file_name().ok_or_else(|| io::Error::other("not a file name"))?;
    let path = directory.join(name);
    let mut new = new_file(&directory)?;
    new.write_all(text)?;
    match new.persist_noclobber(&path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => is_same(&path, text),
        Err(error) => Err(error.error),
    }
}

/// Returns an error unless a file has this text.
fn is_same(path: &Path, text: &[u8]) -> io::Result<()> {
    match fs::read(path)? == text {
        true => Ok(()),
        false => Err(io::Error::other("another process has written it")),
    }
}

/// Makes a temporary file with the permissions that new files have. By default, only the owner could
/// read it.
fn new_file(directory: &Path) -> io::Result<NamedTempFile> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let permissions = fs::Permissions::from_mode(0o666);
        tempfile::Builder::new().permissions(permissions).tempfile_in(directory)
    }
    #[cfg(not(unix))]
    NamedTempFile::new_in(directory)
}

/// Replaces the text of an existing file, which has a path without links.
fn replace(path: &Path, text: &[u8], read: Option<Stamp>) -> io::Result<()> {
    let stamp = writable(path, read)?;
    match successor(path, text)? {
        Some(new) => {
            // As late as possible.
            if Stamp::of(&fs::metadata(path)?) != stamp {
                return if read.is_some() { Err(has_changed()) } else { is_same(path, text) };
            }
            new.persist(path).map(|_| ()).map_err(|error| error.error)
        }
        None => write_into(path, text, stamp),
    }
}

/// Returns the stamp of a file that may be replaced. It is that of `read`, if there is one.
fn writable(path: &Path, read: Option<Stamp>) -> io::Result<Stamp> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    if metadata.permissions().readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let stamp = Stamp::of(&metadata);
    match read.is_some_and(|read| read != stamp) {
        true => Err(has_changed()),
        false => Ok(stamp),
    }
}

fn has_changed() -> io::Error {
    io::Error::other("it has changed since it was read")
}

/// Returns a file with the new text and the attributes of the old one; `None` if the system does not
/// allow one.
fn successor(path: &Path, text: &[u8]) -> io::Result<Option<NamedTempFile>> {
    let old = File::open(path)?;
    let Some(directory) = path.parent() else { return Ok(None) };
    let mut new = match NamedTempFile::new_in(directory) {
        Ok(new) => new,
        // The file may be written, but not its directory.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(None),
        Err(error) => return Err(error),
    };
    if !attributes::copy(&old, new.as_file())? {
        return Ok(None);
    }
    new.write_all(text)?;
    Ok(Some(new))
}

/// Writes a text into a file itself. If that fails, for instance because the disk is full, the file
/// gets its old text again.
fn write_into(path: &Path, text: &[u8], stamp: Stamp) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    if Stamp::of(&file.metadata()?) != stamp {
        return Err(has_changed());
    }
    let mut old = Vec::new();
    file.read_to_end(&mut old)?;
    overwrite(&mut file, text).or_else(|error| {
        overwrite(&mut file, &old)?;
        Err(error)
    })
}

fn overwrite(file: &mut File, text: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(text)?;
    file.set_len(text.len() as u64)?;
    file.sync_all()
}
