//! Statistics of a command, which are printed on standard error.

use std::time::{Duration, Instant};

use simd_hcl::Kernel;

use crate::args::Common;
use crate::replayed;

/// The speed of reading fewer bytes is not printed, unless it is asked for.
const SMALL: u64 = 1_000_000;

/// The speed, in GB/s, below which it is not printed: it would be nearly zero.
const SLOW: f64 = 0.01;

/// The statistics of a command.
pub(crate) struct Stats {
    start: Instant,
    kernel: Kernel,
    pub(crate) modules: usize,
    /// The units of Terragrunt.
    pub(crate) units: usize,
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    /// The largest number of arena bytes that one file needs.
    pub(crate) arena_bytes: usize,
}

impl Stats {
    pub(crate) fn new(kernel: Kernel) -> Self {
        let start = Instant::now();
        Self { start, kernel, modules: 0, units: 0, files: 0, bytes: 0, arena_bytes: 0 }
    }

    /// `checked 12 files (1.2 MB) of 3 modules in 0.001 s: 1.2 GB/s, avx512`. The speed says nothing of
    /// small input, and of work that is not about bytes.
    pub(crate) fn summary(&self, verb: &str) -> String {
        let time = self.start.elapsed();
        let speed = match self.bytes {
            // The next run may print it again.
            _ if replayed::note().is_some() => String::new(),
            SMALL.. if self.rate(time) >= SLOW => {
                format!(": {}, {}", self.speed(time), self.kernel.name())
            }
            _ => String::new(),
        };
        let files = format!("{} ({})", count(self.files, "file"), size(self.bytes));
        let modules = count(self.modules, "module");
        let what = match (self.modules, self.units) {
            (_, 0) => format!("{files} of {modules}"),
            (0, units) => count(units, "unit"),
            (_, units) => format!("{files} of {modules}, and {}", count(units, "unit")),
        };
        let time = match replayed::note().is_some() {
            true => String::new(),
            false => format!(" in {:.3} s", time.as_secs_f64()),
        };
        format!("{verb} {what}{time}{speed}")
    }

    /// Prints the statistics if `--stats` is set.
    pub(crate) fn print(&self, common: &Common) {
        if !common.stats {
            return;
        }
        let time = self.start.elapsed();
        anstream::eprintln!("files:       {}", self.files);
        anstream::eprintln!("bytes:       {}", self.bytes);
        anstream::eprintln!("time:        {:.6} s", time.as_secs_f64());
        anstream::eprintln!("speed:       {}", self.speed(time));
        anstream::eprintln!("kernel:      {}", self.kernel.name());
        anstream::eprintln!("threads:     {}", rayon::current_num_threads());
        anstream::eprintln!("arena bytes: {}", self.arena_bytes);
        if let Some(peak) = peak_resident_bytes() {
            anstream::eprintln!("peak memory: {peak} bytes");
        }
    }

    fn speed(&self, time: Duration) -> String {
        format!("{:.2} GB/s", self.rate(time))
    }

    /// GB/s.
    fn rate(&self, time: Duration) -> f64 {
        self.bytes as f64 / 1e9 / time.as_secs_f64().max(1e-9)
    }
}

pub(crate) fn count(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Returns the peak resident memory of the process in bytes; `None` on systems other than Linux.
fn peak_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
