//! Text in comments: descriptions above blocks, and headers of files.

/// The lines of a file, for comments above them.
pub(super) struct Lines<'t> {
    text: &'t str,
    /// Where each line starts.
    starts: Vec<usize>,
}

/// A comment that hides the block below it has this word.
pub(super) const IGNORE: &str = "terraform-docs-ignore";

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        Self { text, starts: std::iter::once(0).chain(breaks).collect() }
    }

    /// Returns the text of the comments right above a line, which counts from 1. They start at the first
    /// column. Cost: linear in the comments.
    pub(super) fn above(&self, line: u64) -> String {
        self.comments(line, |line| line)
    }

    /// Does the same for comments at any column.
    pub(super) fn inside(&self, line: u64) -> String {
        self.comments(line, str::trim_start)
    }

    fn comments(&self, line: u64, of_line: fn(&str) -> &str) -> String {
        let last = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
        let last = last.min(self.starts.len());
        let of = |number: usize| {
            let end = self.starts.get(number + 1).copied().unwrap_or(self.text.len());
            &self.text[self.starts[number]..end]
        };
        let is_comment = |number: &usize| {
            let line = of_line(of(*number));
            line.starts_with('#') || line.starts_with("//")
        };
        let first = (0..last).rev().take_while(is_comment).last().unwrap_or(last);
        let lines: Vec<&str> = (first..last).map(|number| content_of_comment(of(number))).collect();
        lines.join(" ")
    }
}

/// Returns a comment without its sign.
fn content_of_comment(line: &str) -> &str {
    let line = line.trim();
    let line = line.strip_prefix('#').unwrap_or(line);
    line.strip_prefix("//").unwrap_or(line).trim()
}

/// Returns the text of the block comment at the start of a file, without the asterisks of its lines. It
/// is empty if the file does not start with one.
pub(super) fn first_comment(text: &str) -> String {
    let is_comment = |line: &&str| {
        let line = line.trim();
        line.starts_with('*') || line.starts_with("/*")
    };
    let lines = text.split_inclusive('\n').take_while(is_comment).filter_map(|line| {
        let trimmed = line.trim();
        if trimmed.starts_with("/*") || trimmed.starts_with("*/") {
            return None;
        }
        if trimmed == "*" {
            return Some("");
        }
        let line = line.trim_start_matches(' ').trim_end_matches(['\r', '\n']);
        Some(line.strip_prefix("* ").unwrap_or(line))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_above_a_line() {
        let text = "# far\n\n# one\n//two \n#//three\nvariable\n  # indented\noutput";
        let lines = Lines::new(text);
        assert_eq!(lines.above(6), "one two three");
        assert_eq!(lines.above(8), "");
        assert_eq!(lines.above(1), "");
        assert_eq!(lines.above(2), "far");
        assert_eq!(lines.above(99), "");
    }

    #[test]
    fn the_first_comment() {
        assert_eq!(
            first_comment("/**\n * # Title\n *\n *  two\r\n *x\n */\nresource"),
            "# Title\n\n two\n*x"
        );
        assert_eq!(first_comment("\n/**\n * a\n */"), "");
        assert_eq!(first_comment("# a\n"), "");
    }
}
