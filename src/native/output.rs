//! The nodes and side tables that the parser writes, and the error that stops it.

use smallvec::SmallVec;

use super::frame::{Flush, Frame};
use super::text::Text;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::program::LentProgram;
use crate::program::node::{Call, For, Node};
use crate::program::traversal::Step;
use crate::span::Span;

/// What the parser writes. Most templates fit in place, without a word on the heap.
#[derive(Default)]
pub(crate) struct Output<'a> {
    pub(super) nodes: SmallVec<[Node; 12]>,
    pub(super) texts: SmallVec<[&'a str; 6]>,
    pub(super) steps: SmallVec<[Step<'a>; 8]>,
    /// Where each traversal starts in `steps`. Steps are added to the last one only.
    pub(super) traversals: SmallVec<[u32; 4]>,
    pub(super) calls: SmallVec<[Call<'a>; 1]>,
    pub(super) loops: SmallVec<[For<'a>; 1]>,
    /// The constructs that are open.
    pub(super) frames: SmallVec<[Frame<'a>; 3]>,
    /// The `<<-` heredocs that are open.
    pub(super) flushes: Vec<Flush>,
}

/// What stops the parser: a code, the bytes in the decoded text, arguments of the code.
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

    /// What was parsed, with spans in the file; or a report of what is wrong.
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
