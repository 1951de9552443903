//! Findings for people: a headline, the source line, related places, an explanation.

use std::io::{self, Write};

use simd_hcl::report::Renderer;

use crate::finding::Finding;
use crate::visible::{self, Lines};

/// Writes one finding, with colours, which the stream strips if the output does not support them.
pub(crate) fn write(finding: &Finding, out: &mut impl Write) -> io::Result<()> {
    let mut lines = Lines::new(out, visible::without_command);
    lines.write_all(Renderer::styled().render(finding).as_bytes())?;
    lines.pass()
}
