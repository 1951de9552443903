//! Findings for people: a headline, the source line, related places, an explanation.

use std::io::{self, Write};

use simd_hcl::report::Renderer;

use crate::finding::Finding;

/// Writes one finding, with colours, which the stream strips if the output does not support them.
pub(crate) fn write(finding: &Finding, out: &mut impl Write) -> io::Result<()> {
    out.write_all(Renderer::styled().render(finding).as_bytes())
}
