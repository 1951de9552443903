//! A progress bar on a terminal, shown only if the work takes long.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::args::Common;

/// The delay before anything is shown.
const PATIENCE: Duration = Duration::from_millis(333);

/// Counts processed files. Threads share it: counting is one relaxed addition.
pub(crate) struct Progress {
    start: Instant,
    total: u64,
    done: AtomicU64,
    shown: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(total: usize, common: &Common) -> Self {
        Self {
            start: Instant::now(),
            total: total as u64,
            done: AtomicU64::new(0),
            shown: !common.quiet && io::stderr().is_terminal(),
            bar: OnceLock::new(),
        }
    }

    /// Counts one more file.
    pub(crate) fn advance(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.shown && done.is_multiple_of(64) && self.start.elapsed() > PATIENCE {
            let bar = self.bar.get_or_init(|| {
                let bar = ProgressBar::new(self.total);
                bar.with_style(ProgressStyle::default_bar())
            });
            bar.set_position(done);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
