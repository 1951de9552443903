//! `--watch`: runs a command again after each change of a file.
//!
//! Files are compared by their lengths and times, again and again, so that it works on every file
//! system. Between two looks, it waits for at least twenty times as long as a look takes: watching
//! costs at most a twentieth of one processor.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::status::{Failure, Status};

/// The shortest time between two looks.
const SHORTEST: Duration = Duration::from_millis(200);

/// How many times longer it waits than it looks.
const FACTOR: u32 = 20;

/// Directories that are not looked into, unless they are the path itself.
const SKIPPED: [&str; 5] = [".git", ".jj", ".terraform", ".terragrunt-cache", "node_modules"];

/// Runs a command, and runs it again after each change of a file at or below the paths. Returns only
/// if the command fails.
pub(crate) fn again(
    paths: &[PathBuf],
    mut run: impl FnMut() -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let hasher = RandomState::new();
    loop {
        // A change while the command runs counts.
        let before = look(paths, &hasher);
        run()?;
        loop {
            let start = Instant::now();
            if look(paths, &hasher) != before {
                break;
            }
            sleep((start.elapsed() * FACTOR).max(SHORTEST));
        }
    }
}

/// The state of all files at and below some paths, as one number. Links are not followed.
fn look(paths: &[PathBuf], hasher: &RandomState) -> u64 {
    let mut open: Vec<PathBuf> = paths.to_vec();
    let mut state: u64 = 0;
    while let Some(path) = open.pop() {
        // A link that is named leads to what is meant.
        let metadata = match paths.contains(&path) {
            true => fs::metadata(&path),
            false => fs::symlink_metadata(&path),
        };
        let Ok(metadata) = metadata else { continue };
        if metadata.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            open.extend(entries.map(|entry| entry.path()).filter(|path| !is_skipped(path)));
        }
        let time = metadata.modified().ok();
        let length = if metadata.is_dir() { 0 } else { metadata.len() };
        // The order of directories does not matter.
        state = state.wrapping_add(hasher.hash_one((&path, length, time)));
    }
    state
}

fn is_skipped(path: &Path) -> bool {
    path.file_name().is_some_and(|name| SKIPPED.iter().any(|skipped| name == *skipped))
}
