//! The spaces that alignment decides.

use std::ops::Range;

use super::line::{Line, columns, lines};
use super::token::{Token, tokens};

/// The spaces before an equals sign, or before a comment at the end of a line, that are aligned with
/// those of other lines.
#[derive(Clone, Debug)]
pub(crate) struct Gap {
    /// The bytes of the line, with its line end.
    pub(crate) line: Range<usize>,
    /// The bytes of the spaces.
    pub(crate) spaces: Range<usize>,
    /// How many there are in the canonical layout, in the lines as they are.
    pub(crate) wanted: usize,
}

/// A kind of text that is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aligned {
    /// The equals signs of attributes.
    Values,
    /// The comments at the ends of lines.
    Comments,
}

/// The gaps of a text without errors, in groups of lines that are aligned with one another. Nothing
/// but these gaps counts as it would be in the canonical layout.
///
/// Cost: linear in the bytes.
pub(crate) fn gaps(text: &str, aligned: Aligned) -> Vec<Vec<Gap>> {
    let mut tokens = tokens(text);
    let mut end = 0;
    for token in &mut tokens {
        token.spaces = token.start.saturating_sub(end);
        end = token.end();
    }
    let cell = |line: &Line| match aligned {
        Aligned::Values => line.assign.clone().next(),
        Aligned::Comments => line.comment,
    };
    let lines = lines(&tokens);
    let chains = lines.chunk_by(|one, other| cell(one).is_some() && cell(other).is_some());
    let of_chain = |chain: &[Line]| {
        let before = |line: &Line| {
            let value = match aligned {
                Aligned::Values => 0,
                Aligned::Comments => columns(&tokens[line.assign.clone()]),
            };
            columns(&tokens[line.lead.clone()]) + value
        };
        let longest = chain.iter().map(before).max().unwrap_or_default();
        let gaps = chain.iter().filter_map(|line| {
            let token: &Token<'_> = tokens.get(cell(line)?)?;
            let first = tokens.get(line.lead.start)?;
            let last = line.comment.unwrap_or(line.assign.end.max(line.lead.end) - 1);
            Some(Gap {
                line: first.start - first.spaces..tokens.get(last)?.end(),
                spaces: token.start - token.spaces..token.start,
                wanted: longest - before(line) + 1,
            })
        });
        gaps.collect::<Vec<_>>()
    };
    chains.map(of_chain).filter(|gaps| !gaps.is_empty()).collect()
}
