//! Directories being filled, and what has been written into them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::json::Json;

/// The size of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeStats {
    /// Directories that hold files.
    pub dirs: u64,
    /// Files of every kind.
    pub files: u64,
    /// Of these the `.tofu.json` files, each of which hides a `.tf.json`.
    pub shadowing: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

/// A directory being filled.
pub(crate) struct Dir<'s> {
    path: PathBuf,
    stats: &'s mut TreeStats,
}

impl<'s> Dir<'s> {
    /// Creates the directory where it is missing.
    pub(crate) fn create(path: PathBuf, stats: &'s mut TreeStats) -> io::Result<Self> {
        fs::create_dir_all(&path).map_err(|error| in_path(&path, &error))?;
        stats.dirs += 1;
        Ok(Self { path, stats })
    }

    /// A file that holds one object, its members written by `members`.
    pub(crate) fn json(
        &mut self,
        name: &str,
        pretty: bool,
        members: impl FnOnce(&mut Json<'_, File>) -> io::Result<()>,
    ) -> io::Result<()> {
        let path = self.path.join(name);
        let written = File::create(&path).and_then(|mut file| {
            let mut w = Json::new(&mut file, pretty);
            w.open_object();
            members(&mut w)?;
            w.close_object();
            w.end_line();
            w.finish()
        });
        let (bytes, _) = written.map_err(|error| in_path(&path, &error))?;
        self.count(name, bytes);
        Ok(())
    }

    /// A file of this text.
    pub(crate) fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        let path = self.path.join(name);
        File::create(&path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|error| in_path(&path, &error))?;
        self.count(name, text.len() as u64);
        Ok(())
    }

    fn count(&mut self, name: &str, bytes: u64) {
        self.stats.files += 1;
        self.stats.bytes += bytes;
        self.stats.shadowing += u64::from(name.ends_with(".tofu.json"));
    }
}

fn in_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
