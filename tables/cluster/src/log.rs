//! Messages of Ballista on standard error.

use log::{LevelFilter, Log, Metadata, Record};
use simd_hcl::report::visible;

struct Errors;

impl Log for Errors {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        let level = record.level().as_str().to_lowercase();
        eprintln!("{level}: {}", visible(&record.args().to_string()));
    }

    fn flush(&self) {}
}

/// Reads a level.
pub(crate) fn level(text: &str) -> Result<LevelFilter, String> {
    let expected = "expected `off`, `error`, `warn`, `info`, `debug` or `trace`";
    text.parse().map_err(|_| expected.to_owned())
}

/// Shows messages of a level and above.
pub(crate) fn show(level: LevelFilter) {
    if log::set_logger(&Errors).is_ok() {
        log::set_max_level(level);
    }
}
