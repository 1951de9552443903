//! Texts of configuration as code in Markdown, whatever characters they have: a name is no link, no
//! image and no heading.

/// Code in a line. Line feeds become spaces.
pub(super) fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let fence = "`".repeat(longest_run(&text) + 1);
    let space = if text.contains('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// A block of HCL.
pub(super) fn block(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}hcl\n{text}\n{fence}")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ends_where_the_text_ends() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a\n# b"), "`a # b`");
        assert_eq!(code("`` ![](x)"), "``` `` ![](x) ```");
        assert_eq!(block("a"), "```hcl\na\n```");
        assert_eq!(block("a\n```\n![](x)"), "````hcl\na\n```\n![](x)\n````");
    }
}
