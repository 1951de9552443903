//! The commands of runs: the command of a run, and the first command for which an override applies.

use crate::body::Content;
use crate::diagnostic::{Code, Diagnostic, Sink};

/// The command of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command {
    /// `apply`: plans and applies.
    #[default]
    Apply,
    /// `plan`: only plans.
    Plan,
}

/// Reads `override_during`: the first command for which values apply.
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
