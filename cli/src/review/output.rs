//! The formats of a review.

use std::io;

use simd_hcl::write::{Layout, ObjectWriter, Writer};

use super::answer::{Answer, Root};
use super::{github, html, human, markdown};
use crate::args::{ListFormat, ReviewFormat};
use crate::incomplete::write_grouped;
use crate::output::{self, FORMAT_VERSION, Style};

/// The list format that has a place for gaps where this one has.
pub(super) fn carrier(format: ReviewFormat) -> ListFormat {
    match format {
        ReviewFormat::Human => ListFormat::Human,
        ReviewFormat::Json => ListFormat::Json,
        ReviewFormat::Ndjson => ListFormat::Ndjson,
        ReviewFormat::Markdown | ReviewFormat::Html | ReviewFormat::Github => ListFormat::Json,
    }
}

/// Prints the answer. Markdown has at most `limit` characters.
pub(super) fn print(
    answer: &Answer,
    format: ReviewFormat,
    limit: usize,
    style: Style,
) -> io::Result<()> {
    match format {
        ReviewFormat::Human => output::text(|out| human::print(answer, out)),
        ReviewFormat::Markdown => {
            output::data(|out| out.write_all(markdown::text(answer, limit).as_bytes()))
        }
        ReviewFormat::Html => output::data(|out| html::print(answer, out)),
        ReviewFormat::Github => output::data(|out| github::print(answer, out)),
        ReviewFormat::Json => output::document(Layout::Pretty, style, |slot| {
            let mut object = slot.object();
            object.key("format_version").string(FORMAT_VERSION);
            let mut roots = object.key("roots").array();
            for root in &answer.roots {
                write_root(root, &mut roots.element().object());
            }
            roots.end();
            write_grouped(&mut object.key("incomplete").array(), &answer.incomplete);
        }),
        ReviewFormat::Ndjson => output::lines(style, |out| {
            for root in &answer.roots {
                let mut writer = Writer::new(out, Layout::Compact);
                write_root(root, &mut writer.value().object());
                writer.finish()?;
                out.write_all(b"\n")?;
            }
            output::rest(&answer.incomplete, out)
        }),
    }
}

/// Writes the gaps: each kind and reason once, with its places.
fn write_root(root: &Root, object: &mut ObjectWriter<'_, '_>) {
    object.key("path").string(&root.path);
    let mut inputs = object.key("inputs").object();
    let mut files = inputs.key("var_files").array();
    for name in &root.var_files {
        files.element().string(name);
    }
    files.end();
    if let Some(workspace) = &root.workspace {
        inputs.key("workspace").string(workspace);
    }
    inputs.end();
    root.review.write_into(object);
}
