//! `redact`: replaces the sensitive values of a plan or state, and keeps all other bytes.
//!
//! Large input is read several times, record by record; a pipe is first copied into a temporary
//! file that has no name.

use std::io::Write;

use simd_hcl::show::DocumentKind;
use simd_hcl::show::redact::{Options, Places, has_marks, write_document};
use simd_hcl::stream;

use crate::args::{self, Common, Keep};
use crate::plan_file::Part;
use crate::printed::{Input, with_document};
use crate::provider_schemas;
use crate::status::{Failure, Status};
use crate::streamed::{tell_of_skeleton, with_large};
use crate::{input, output, visible};

pub(crate) fn run(redact: &args::Redact, common: &Common) -> Result<Status, Failure> {
    let keeps = |what| redact.keep.contains(&what);
    let options = Options::default()
        .with_kept_defaults(redact.keep_defaults)
        .with_provider_config(keeps(Keep::ProviderConfig))
        .with_repeated_text(keeps(Keep::RepeatedText))
        .with_unmarked(redact.force)
        .with_threads(0);
    if let Some(status) = print_large(redact, options, common)? {
        return Ok(status);
    }
    let input = Input {
        file: &redact.file,
        stdin_name: &redact.stdin_name,
        depth: Places::DEPTH,
        part: Part::Plan,
        schemas: redact.provider_schemas.as_deref(),
        on_log: None,
    };
    with_document(input, common, |document, diagnostics| {
        let schemas = match &redact.provider_schemas {
            Some(path) if DocumentKind::of(document.root()) == DocumentKind::RawState => {
                Some(provider_schemas::read(document.source().arena(), path, common)?)
            }
            _ => None,
        };
        let mut out = output::exact(visible::json);
        write_document(document, options, schemas.as_ref(), diagnostics, &mut out)?;
        out.flush()?;
        Ok(())
    })
}

/// Prints input that is too large to keep. Returns `None` if it is not, or if reading it as a whole
/// says what is wrong with it.
fn print_large(
    redact: &args::Redact,
    options: Options,
    common: &Common,
) -> Result<Option<Status>, Failure> {
    if redact.provider_schemas.is_some() {
        return Ok(None);
    }
    let input = input::large(&redact.file, b"{", input::LARGE_FILE, common)?;
    let Some(input) = input else { return Ok(None) };
    let settings = stream::Options::default().with_max_record(redact.max_record);
    let source = (redact.file.as_path(), redact.stdin_name.as_str());
    with_large(input, source, options, settings, common, |mut large, diagnostics| {
        if !redact.force && !has_marks(large.skeleton().root()) {
            return Ok(None);
        }
        let mut out = output::exact(visible::json);
        large.write(&mut out)?;
        out.flush()?;
        drop(out);
        Ok(Some(tell_of_skeleton(&mut large, &diagnostics, common)?))
    })
}
