//! The formats of a review.

use std::io;

use simd_hcl::write::{Layout, ObjectWriter, Writer};

use super::{Answer, Root, human};
use crate::args::{ListFormat, ReviewFormat};
use crate::incomplete::write_gaps;
use crate::output::{self, FORMAT_VERSION};

/// The list format that has a place for gaps where this one has.
pub(super) fn carrier(format: ReviewFormat) -> ListFormat {
    match format {
        ReviewFormat::Human => ListFormat::Human,
        ReviewFormat::Json => ListFormat::Json,
        ReviewFormat::Ndjson => ListFormat::Ndjson,
    }
}

pub(super) fn print(answer: &Answer, format: ReviewFormat) -> io::Result<()> {
    match format {
        ReviewFormat::Human => output::text(|out| human::print(answer, out)),
        ReviewFormat::Json => output::document(Layout::Pretty, |slot| {
            let mut object = slot.object();
            object.key("format_version").string(FORMAT_VERSION);
            let mut roots = object.key("roots").array();
            for root in &answer.roots {
                write_root(answer, root, &mut roots.element().object());
            }
            roots.end();
            write_gaps(&mut object.key("incomplete").array(), &answer.incomplete);
        }),
        ReviewFormat::Ndjson => output::data(|out| {
            for root in &answer.roots {
                let mut writer = Writer::new(out, Layout::Compact);
                write_root(answer, root, &mut writer.value().object());
                writer.finish()?;
                out.write_all(b"\n")?;
            }
            if !answer.incomplete.is_empty() {
                let mut writer = Writer::new(out, Layout::Compact);
                let mut object = writer.value().object();
                write_gaps(&mut object.key("incomplete").array(), &answer.incomplete);
                object.end();
                writer.finish()?;
                out.write_all(b"\n")?;
            }
            Ok(())
        }),
    }
}

fn write_root(answer: &Answer, root: &Root, object: &mut ObjectWriter<'_, '_>) {
    object.key("path").string(&root.path);
    let mut inputs = object.key("inputs").object();
    let mut files = inputs.key("var_files").array();
    for name in &root.var_files {
        files.element().string(name);
    }
    files.end();
    if let Some(workspace) = &answer.workspace {
        inputs.key("workspace").string(workspace);
    }
    inputs.end();
    root.review.write_into(object);
}
