//! A client of the language server in memory.

use std::io::{self, BufReader, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use simd_hcl::workspace::Options;
use simd_hcl_server::lsp::{Host, run};

struct Plain;

impl Host for Plain {
    fn options(&mut self, _: &[PathBuf]) -> Result<Options, String> {
        Ok(Options::default())
    }

    fn is_settings(&self, path: &Path) -> bool {
        path.ends_with("simd-hcl.toml")
    }
}

/// The messages that the server writes.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Adds a message with its header to the input of a server.
pub(crate) fn send(input: &mut Vec<u8>, message: &[u8]) {
    input.extend_from_slice(format!("Content-Length: {}\r\n\r\n", message.len()).as_bytes());
    input.extend_from_slice(message);
}

/// All that a server writes until its input ends.
pub(crate) fn answers(input: Vec<u8>) -> Vec<u8> {
    let written = Written::default();
    run(Plain, BufReader::new(Cursor::new(input)), written.clone());
    let bytes = written.0.lock().expect("nobody panics").clone();
    bytes
}
