//! The nodes and side tables that the parser writes, and the error that stops it.

use smallvec::SmallVec;

use super::frame::{Flush, Frame};
use super::text::Text;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::program::LentProgram;
use crate::program::node::{Call, For, Node};
use crate::program::traversal::Step;
use crate::span::Span;

/// The output of the parser. Most templates fit in place, without an allocation.
#[derive(Default)]
pub(crate) struct Output<'a> {
    pub(super) nodes: SmallVec<[Node; 12]>,
    pub(super) texts: SmallVec<[&'a str; 6]>,
    pub(super) steps: SmallVec<[Step<'a>; 8]>,
    /// Where each traversal starts in `steps`. Only the last one is extended.
    pub(super) traversals: SmallVec<[u32; 4]>,
    pub(super) calls: SmallVec<[Call<'a>; 1]>,
    pub(super) loops: SmallVec<[For<'a>; 1]>,
    /// The open constructs.
    pub(super) frames: SmallVec<[Frame<'a>; 3]>,
    /// The open `<<-` heredocs.
    pub(super) flushes: Vec<Flush>,
}

/// An error that stops the parser: a code, the bytes in the decoded text, and the code's arguments.
pub(super) struct Fault<'a> {
    pub(super) code: Code,
    pub(super) span: Span,
    pub(super) arguments: [&'a str; 2],
}

pub(super) type Parsed<'a, T> = Result<T, Fault<'a>>;

impl<'a> Output<'a> {
    /// Turns spans of the decoded text into spans of the file.
    #[inline(always)]
    fn place(&mut self, in_file: impl Fn(Span) -> Span) {
        for node in &mut self.nodes {
            node.span = in_file(node.span);
        }
        for step in &mut self.steps {
            step.span = in_file(step.span);
        }
        for call in &mut self.calls {
            call.name_span = in_file(call.name_span);
            call.parentheses = in_file(call.parentheses);
        }
    }

    /// Returns the parsed program, with spans in the file, or reports the error.
    pub(super) fn finish(
        &mut self,
        text: &Text<'a>,
        parsed: Parsed<'a, ()>,
        sink: &mut dyn Sink<'a>,
    ) -> Option<LentProgram<'_, 'a>> {
        if let Err(fault) = parsed {
            sink.report(
                Diagnostic::new(fault.code, text.label(fault.span))
                    .with_arguments(&fault.arguments),
            );
            return None;
        }
        match text.as_is() {
            Some(start) => {
                self.place(|span| Span::new(start + span.start, start + span.end));
            }
            None => self.place(|span| text.span(span)),
        }
        Some(LentProgram {
            source: text.source(),
            nodes: &self.nodes,
            texts: &self.texts,
            steps: &self.steps,
            traversals: &self.traversals,
            calls: &self.calls,
            loops: &self.loops,
        })
    }
}
