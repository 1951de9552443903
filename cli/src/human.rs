//! Findings for people: a headline, the place in its line, further places, an explanation.

use std::io::{self, Write};

use simd_hcl::report::Renderer;

use crate::finding::Finding;

/// Writes one finding, with colours that the stream strips where they are not wanted.
pub(crate) fn write(finding: &Finding, out: &mut impl Write) -> io::Result<()> {
    out.write_all(Renderer::styled().render(finding).as_bytes())
}
