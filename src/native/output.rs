//! The nodes and side tables that the parser writes, and the error that stops it.

use smallvec::SmallVec;

use super::frame::{Flush, Frame, Open};
use super::text::Text;
use crate::diagnostic::{Code, Diagnostic, Fix, Sink};
use crate::program::LentProgram;
use crate::program::node::{Call, For, Kind, Node};
use crate::program::traversal::Step;
use crate::source::Source;
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
    pub(super) frames: SmallVec<[Frame; 3]>,
    /// The open templates, with more state than other frames.
    pub(super) templates: SmallVec<[Open<'a>; 1]>,
    /// The open `<<-` heredocs.
    pub(super) flushes: Vec<Flush>,
    /// By hash, the places of recent texts, if equal texts share a place.
    recent: Vec<u32>,
}

/// An error that stops the parser: a code, the bytes in the decoded text, and the code's arguments.
pub(super) struct Fault<'a> {
    pub(super) code: Code,
    pub(super) span: Span,
    pub(super) arguments: [&'a str; 2],
}

impl Fault<'_> {
    /// The edit of the file that repairs it.
    #[cold]
    fn fix(&self, text: &Text<'_>) -> Option<Fix> {
        let (decoded, start) = (text.decoded().as_bytes(), self.span.start);
        let fix = match self.code {
            Code::MissingItemSeparator
            | Code::MissingArgumentSeparator
            | Code::MissingAttributeSeparator => Fix::comma_before(decoded, start),
            Code::InvalidCharacter => Fix::double_quotes(decoded, start, text.quote()),
            _ => None,
        }?;
        Some(Fix { span: text.span(fix.span), ..fix })
    }
}

pub(super) type Parsed<'a, T> = Result<T, Fault<'a>>;

/// How much an [`Output`] holds.
#[derive(Default)]
pub(super) struct Mark {
    nodes: usize,
    texts: usize,
    steps: usize,
    traversals: usize,
    calls: usize,
    loops: usize,
}

impl<'a> Output<'a> {
    /// Returns the current lengths.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            nodes: self.nodes.len(),
            texts: self.texts.len(),
            steps: self.steps.len(),
            traversals: self.traversals.len(),
            calls: self.calls.len(),
            loops: self.loops.len(),
        }
    }

    /// Returns an output for many expressions: of their texts, many are equal.
    pub(crate) fn of_many() -> Self {
        Self { recent: vec![u32::MAX; Self::RECENT], ..Self::default() }
    }

    const RECENT: usize = 64;

    /// Adds a text that is not changed later, and returns its place.
    #[inline]
    pub(super) fn keep_fixed(&mut self, text: &'a str) -> u32 {
        let ends = (text.as_bytes().first(), text.as_bytes().last());
        let (first, last) = (ends.0.copied().unwrap_or(0), ends.1.copied().unwrap_or(0));
        let hash = text.len() + 7 * usize::from(first) + 31 * usize::from(last);
        let next = self.texts.len() as u32;
        if let Some(recent) = self.recent.get_mut(hash % Self::RECENT) {
            if self.texts.get(*recent as usize) == Some(&text) {
                return *recent;
            }
            *recent = next;
        }
        self.texts.push(text);
        next
    }

    /// Drops the nodes that were added since.
    pub(super) fn truncate(&mut self, mark: &Mark) {
        self.nodes.truncate(mark.nodes);
        if self.texts.len() > mark.texts {
            // Another text, which may change, can get the place of one that is dropped.
            self.recent.fill(u32::MAX);
        }
        self.texts.truncate(mark.texts);
        self.steps.truncate(mark.steps);
        self.traversals.truncate(mark.traversals);
        self.calls.truncate(mark.calls);
        self.loops.truncate(mark.loops);
    }

    /// Drops the nodes that were added since, and everything that is open.
    fn back_to(&mut self, mark: &Mark) {
        self.truncate(mark);
        self.frames.clear();
        self.templates.clear();
        self.flushes.clear();
    }

    /// Drops everything, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.back_to(&Mark::default());
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds a part that is not an expression, and gives its place.
    pub(crate) fn invalid(&mut self, span: Span) -> usize {
        self.nodes.push(Node { kind: Kind::Invalid, span, size: 1, payload: 0 });
        self.nodes.len() - 1
    }

    /// Turns spans of the decoded text into spans of the file.
    #[inline(always)]
    fn place(&mut self, mark: &Mark, in_file: impl Fn(Span) -> Span) {
        for node in &mut self.nodes[mark.nodes..] {
            node.span = in_file(node.span);
        }
        for step in &mut self.steps[mark.steps..] {
            step.span = in_file(step.span);
        }
        for call in &mut self.calls[mark.calls..] {
            call.name_span = in_file(call.name_span);
            call.parentheses = in_file(call.parentheses);
        }
    }

    /// Gives the nodes that were parsed since `mark` their spans in the file, and returns the index
    /// of their root; or reports the error, and drops them.
    pub(super) fn settle(
        &mut self,
        mark: &Mark,
        text: &Text<'a>,
        parsed: Parsed<'a, ()>,
        sink: &mut dyn Sink<'a>,
    ) -> Option<usize> {
        if let Err(fault) = parsed {
            sink.report(
                Diagnostic::new(fault.code, text.label(fault.span))
                    .with_arguments(&fault.arguments)
                    .with_repair(fault.fix(text)),
            );
            self.back_to(mark);
            return None;
        }
        match text.as_is() {
            Some(0) => {}
            Some(start) => {
                self.place(mark, |span| Span::new(start + span.start, start + span.end));
            }
            None => self.place(mark, |span| text.span(span)),
        }
        self.nodes.len().checked_sub(1)
    }

    /// All of it as a program.
    pub(crate) fn lend(&self, source: Source<'a>) -> LentProgram<'_, 'a> {
        LentProgram {
            source,
            nodes: &self.nodes,
            texts: &self.texts,
            steps: &self.steps,
            traversals: &self.traversals,
            calls: &self.calls,
            loops: &self.loops,
        }
    }

    /// Returns the parsed program, with spans in the file, or reports the error.
    pub(super) fn finish(
        &mut self,
        text: &Text<'a>,
        parsed: Parsed<'a, ()>,
        sink: &mut dyn Sink<'a>,
    ) -> Option<LentProgram<'_, 'a>> {
        self.settle(&Mark::default(), text, parsed, sink)?;
        Some(self.lend(text.source()))
    }
}
