//! The commands of runs: which one a run is, and from which one on an override counts.

use crate::body::Content;
use crate::diagnostic::{Code, Diagnostic, Sink};

/// What a run does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command {
    /// `apply`: plans and makes it so.
    #[default]
    Apply,
    /// `plan`: only plans.
    Plan,
}

/// `override_during`: from which command on values count.
pub(super) fn during<'a>(content: &Content<'a>, sink: &mut dyn Sink<'a>) -> Option<Command> {
    let attribute = content.attribute("override_during")?;
    match attribute.expression().as_keyword() {
        Some("plan") => Some(Command::Plan),
        Some("apply") => Some(Command::Apply),
        _ => {
            sink.report(
                Diagnostic::new(Code::UnknownKeyword, attribute.label())
                    .with_arguments(&["plan", "apply"]),
            );
            None
        }
    }
}
