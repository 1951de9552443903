//! The canonical layout of native files, as `fmt` of OpenTofu, Terraform and Packer writes it.
//!
//! [`format()`] returns the text of a file without errors: lines indented by open brackets, equals
//! signs and comments of consecutive lines aligned, one space between most tokens. Comments, line
//! breaks and the text of strings do not change. Like the tools, [`Style::Tofu`] also writes labels
//! in quotes, `a` for `"${a}"`, and types as expressions.
//!
//! [`tokens()`] returns the tokens that it works on, for layouts of your own.
//!
//! ```
//! use simd_hcl::format::{Style, format};
//! use simd_hcl::structure::File;
//! use simd_hcl::{Arena, Source};
//!
//! let arena = Arena::new();
//! let source = Source::from_bytes(&arena, "main.tf", b"locals {\na=1 # x\nlong = \"${b}\" # y\n}\n")?;
//! let file = File::parse(&arena, source, &mut ());
//! let text = format(file, Style::Tofu, &mut ()).unwrap();
//! assert_eq!(text, "locals {\n  a    = 1 # x\n  long = b # y\n}\n");
//! # Ok::<(), simd_hcl::source::SourceError>(())
//! ```

mod gap;
mod line;
mod rewrite;
#[cfg(test)]
mod tests;
mod token;

pub(crate) use self::gap::{Aligned, Gap, gaps};
pub use self::token::{Kind as TokenKind, Token, tokens};
pub(crate) use self::token::{Piece, sequence_len, template_pieces};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::span::Span;
use crate::structure::File;

/// The tool whose layout is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The layout of OpenTofu and Terraform, which also replaces syntax of older versions.
    Tofu,
    /// The layout of Packer, which changes only spaces.
    Packer,
}

/// The maximum length of a layout, beside 16 times that of the file. One long name beside many short
/// ones, and many nested brackets, take much more space than their text.
const MAX_LAYOUT: usize = 16 << 20;

/// Formats a native file. Returns `None` if the file has an error: in its structure, which
/// [`File::parse`] has reported, or in an expression, which `sink` gets; or if its layout would take
/// more than 16 MiB and 16 times the bytes of the file, which `sink` gets as well.
///
/// Cost: linear in the bytes.
///
/// ```
/// use simd_hcl::format::{Style, format};
/// use simd_hcl::structure::File;
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "main.tf", b"a=1\nlonger=2\n")?;
/// let file = File::parse(&arena, source, &mut ());
/// assert_eq!(format(file, Style::Tofu, &mut ()).unwrap(), "a      = 1\nlonger = 2\n");
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
pub fn format<'a>(file: File<'a>, style: Style, sink: &mut dyn Sink<'a>) -> Option<String> {
    match layout(file, style, sink) {
        Ok(text) => text,
        Err(too_large) => {
            sink.report(too_large.at(Label::new(file.source(), Span::new(0, 0))));
            None
        }
    }
}

/// A layout that is not made.
pub(crate) struct TooLarge {
    bytes: usize,
    most: usize,
}

impl TooLarge {
    /// The diagnostic at a label.
    pub(crate) fn at(self, label: Label<'_>) -> Diagnostic<'_> {
        let arena = label.source.arena();
        let number = |number: usize| arena.format(format_args!("{number}"));
        let numbers = [number(self.bytes), number(self.most)];
        Diagnostic::new(Code::LayoutTooLarge, label).with_arguments(&numbers)
    }
}

/// Like [`format()`], and returns a layout that is too large as an error.
pub(crate) fn layout<'a>(
    file: File<'a>,
    style: Style,
    sink: &mut dyn Sink<'a>,
) -> Result<Option<String>, TooLarge> {
    let mut has_errors = false;
    file.check(&mut |found: Diagnostic<'a>| {
        has_errors = true;
        sink.report(found);
    });
    if has_errors || !file.is_sound() {
        return Ok(None);
    }
    let (mut tokens, rest) = token::tokens_and_rest(file.text());
    if style == Style::Tofu {
        tokens = rewrite::rewrite(tokens, file);
    }
    line::space(&mut tokens);
    let len: usize = tokens.iter().map(|token| token.spaces + token.text.len()).sum();
    let most = MAX_LAYOUT + 16 * file.text().len();
    if len > most {
        return Err(TooLarge { bytes: len, most });
    }
    let mut text = String::with_capacity(len + rest);
    for token in &tokens {
        text.extend(std::iter::repeat_n(' ', token.spaces));
        text.push_str(&token.text);
    }
    text.extend(std::iter::repeat_n(' ', rest));
    Ok(Some(text))
}
