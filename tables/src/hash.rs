//! Hashes of files, as the column `content_hash` has them.

use std::fs::File;
use std::io;
use std::path::Path;

/// The hash of a text.
#[must_use]
pub fn hash_of(bytes: &[u8]) -> String {
    shown(blake3::hash(bytes))
}

/// The hash of a file, as [`hash_of`] its text. The file may be larger than memory.
///
/// # Errors
/// It cannot be read.
pub fn hash_of_file(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(shown(hasher.finalize()))
}

fn shown(hash: blake3::Hash) -> String {
    hash.to_hex()[..32].to_owned()
}
