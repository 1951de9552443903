//! Parts of a file that an editor folds.

use super::answers::Answers;
use crate::dialect::Syntax;
use crate::format::{TokenKind, tokens};
use crate::span::Span;

/// A part of a file that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fold {
    /// From the opening bracket to the closing one, both included; of comments, all lines.
    pub span: Span,
    /// Whether it is a comment.
    pub is_comment: bool,
}

impl<'t, 'a> Answers<'t, 'a> {
    /// The parts of a file that can be folded, in the order of their starts: brackets, heredocs and
    /// comments of more than one line. Brackets that are not closed have none.
    ///
    /// Cost: linear in the file.
    #[must_use]
    pub fn folds(&self, file: &str) -> Vec<Fold> {
        let Some(entry) = self.entry(file) else { return Vec::new() };
        let bytes = entry.source.bytes();
        let mut found = match (entry.kind.syntax, str::from_utf8(bytes)) {
            (_, Err(_)) => Vec::new(),
            (Syntax::Json, Ok(_)) => in_json(bytes),
            (Syntax::Native, Ok(text)) => in_native(text),
        };
        found.retain(|fold| memchr::memchr(b'\n', fold.span.slice(bytes)).is_some());
        found.sort_by_key(|fold| (fold.span.start, std::cmp::Reverse(fold.span.end)));
        found
    }
}

fn in_json(bytes: &[u8]) -> Vec<Fold> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => open.push(at),
            b'}' | b']' => {
                let start = open.pop();
                found.extend(start.map(|start| Fold {
                    span: Span::new(start as u32, at as u32 + 1),
                    is_comment: false,
                }));
            }
            b'"' => {
                at += 1;
                while let Some(&byte) = bytes.get(at) {
                    match byte {
                        b'"' | b'\n' => break,
                        b'\\' => at += 2,
                        _ => at += 1,
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn in_native(text: &str) -> Vec<Fold> {
    use TokenKind as K;
    let (mut found, mut open) = (Vec::new(), Vec::new());
    // A run of comments that stand alone on their lines.
    let mut comments: Option<Span> = None;
    let mut is_line_start = true;
    for token in tokens(text) {
        let span = Span::new(token.start() as u32, token.end() as u32);
        let is_comment = token.kind() == K::Comment && is_line_start;
        if is_comment {
            comments = Some(comments.map_or(span, |run| run.to(span)));
        } else if let Some(run) = comments.take() {
            found.push(Fold { span: run, is_comment: true });
        }
        is_line_start = token.kind() == K::Newline || token.text().ends_with('\n');
        match token.kind() {
            K::BraceOpen | K::BracketOpen | K::ParenthesisOpen | K::HeredocOpen => {
                open.push((token.kind(), span.start));
            }
            K::BraceClose | K::BracketClose | K::ParenthesisClose | K::HeredocClose => {
                let wanted = match token.kind() {
                    K::BraceClose => K::BraceOpen,
                    K::BracketClose => K::BracketOpen,
                    K::ParenthesisClose => K::ParenthesisOpen,
                    _ => K::HeredocOpen,
                };
                // A bracket in a file that is being written may have no partner.
                if let Some((_, start)) = open.pop_if(|(kind, _)| *kind == wanted) {
                    found.push(Fold { span: Span::new(start, span.end), is_comment: false });
                }
            }
            _ => {}
        }
    }
    found.extend(comments.map(|span| Fold { span, is_comment: true }));
    // The line feed of the last line is not a part of it.
    for fold in found.iter_mut().filter(|fold| fold.is_comment) {
        if text.as_bytes().get(fold.span.end as usize - 1) == Some(&b'\n') {
            fold.span.end -= 1;
        }
    }
    found
}
