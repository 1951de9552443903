//! `--provider-schemas`: the provider schemas in a file, for decoding bodies and values.

use std::path::Path;

use simd_hcl::compression::decompress;
use simd_hcl::show::{self, BodySchemas, Schemas};
use simd_hcl::{Arena, Severity};

use crate::args::Common;
use crate::input;
use crate::status::Failure;
use crate::visible;

/// Reads the schemas in a file.
pub(crate) fn read<'a>(
    arena: &'a Arena,
    path: &Path,
    common: &Common,
) -> Result<BodySchemas<'a>, Failure> {
    let name = visible::path(path);
    let fail = |error: &dyn std::fmt::Display| Failure::Message(format!("{name}: {error}"));
    let options = input::parse_options(common)?.with_skeleton_depth(Schemas::DEPTH);
    let source = input::source(arena, path, "", common).map_err(|error| fail(&error))?;
    let source =
        decompress(arena, source, common.max_decompressed).map_err(|error| fail(&error))?;
    let mut diagnostics = Vec::new();
    let document = show::document(arena, source, &options, &mut diagnostics)
        .map_err(|error| fail(&error.to_diagnostic(source)))?;
    let schemas = Schemas::of(document, &mut diagnostics);
    let error = diagnostics.iter().find(|it| it.severity() == Severity::Error);
    match (schemas, error) {
        (Some(schemas), None) => Ok(BodySchemas::new(schemas)),
        (_, Some(error)) => Err(fail(error)),
        (None, None) => Err(fail(&"the file does not contain provider schemas")),
    }
}
