//! Examples of diagnostics: files with a mistake, and the same files without it.
//!
//! The text files in this directory contain the examples by topic:
//!
//! ```text
//! ## CODE COMMAND       starts an example; the command is `check` if it is omitted
//! also: CODE            other diagnostics of the wrong files, if any
//! -- wrong FILE         a file with the diagnostic; `-` is standard input
//! -- right FILE         a file without it
//! ## CODE
//! none: REASON          a diagnostic that cannot have an example
//! ```
//!
//! The examples of rules are in the files of the rules, without the first line. A test runs the
//! commands. `docs/diagnostics.md` and `docs/rules.md` show the examples, too.

use simd_hcl::Code;
use simd_hcl::rules::{RULES, Rule};

/// The example of a code.
pub(crate) struct Example {
    pub(crate) code: &'static str,
    /// The arguments of `simd-hcl`.
    pub(crate) command: String,
    /// Other codes that the wrong files have.
    pub(crate) also: Vec<&'static str>,
    /// Why there is no example.
    pub(crate) none: Option<&'static str>,
    pub(crate) wrong: Vec<File>,
    pub(crate) right: Vec<File>,
}

/// A file of an example.
#[derive(Clone, Copy)]
pub(crate) struct File {
    pub(crate) name: &'static str,
    /// The content, without the line feed at its end.
    pub(crate) text: &'static str,
}

const TOPICS: [&str; 19] = [
    include_str!("files.txt"),
    include_str!("json.txt"),
    include_str!("body.txt"),
    include_str!("structure.txt"),
    include_str!("syntax.txt"),
    include_str!("evaluation.txt"),
    include_str!("references.txt"),
    include_str!("module.txt"),
    include_str!("resource.txt"),
    include_str!("refactoring.txt"),
    include_str!("provider.txt"),
    include_str!("tree.txt"),
    include_str!("schema.txt"),
    include_str!("spec.txt"),
    include_str!("test.txt"),
    include_str!("packer.txt"),
    include_str!("terragrunt.txt"),
    include_str!("show.txt"),
    include_str!("policy.txt"),
];

/// All examples, by topic, then by rule.
pub(crate) fn all() -> impl Iterator<Item = Example> {
    let of_topics = TOPICS.into_iter().flat_map(|topic| {
        let examples = topic.strip_prefix("## ").unwrap_or_default().split("\n## ");
        examples.map(Example::parse)
    });
    of_topics.chain(of_rules())
}

/// The examples of rules with their own codes.
fn of_rules() -> impl Iterator<Item = Example> {
    let own = RULES.iter().filter(|rule| matches!(rule.code, Code::Custom(_)));
    own.map(|rule| Example::of_rule(rule))
}

impl Example {
    /// The example of a rule.
    pub(crate) fn of_rule(rule: &Rule) -> Self {
        let select =
            if rule.is_default { String::new() } else { format!(" --select {}", rule.name()) };
        let (head, files) = rule.examples.split_once("-- ").unwrap_or((rule.examples, ""));
        Self::new(rule.name(), format!("check{select}"), head.lines(), files)
    }

    fn parse(text: &'static str) -> Self {
        let (head, files) = text.split_once("\n-- ").unwrap_or((text, ""));
        let mut lines = head.lines();
        let first = lines.next().unwrap_or_default();
        let (code, command) = first.split_once(' ').unwrap_or((first, "check"));
        Self::new(code, command.to_owned(), lines, files)
    }

    fn new(
        code: &'static str,
        command: String,
        lines: std::str::Lines<'static>,
        files: &'static str,
    ) -> Self {
        let mut this = Self {
            code,
            command,
            also: Vec::new(),
            none: None,
            wrong: Vec::new(),
            right: Vec::new(),
        };
        for line in lines {
            if let Some(codes) = line.strip_prefix("also: ") {
                this.also.extend(codes.split(' '));
            }
            this.none = this.none.or(line.strip_prefix("none: "));
        }
        for file in files.split("\n-- ") {
            let (head, text) = file.split_once('\n').unwrap_or((file, ""));
            let text = text.trim_end_matches('\n');
            match head.split_once(' ') {
                Some(("wrong", name)) => this.wrong.push(File { name, text }),
                Some(("right", name)) => this.right.push(File { name, text }),
                _ => {}
            }
        }
        this
    }
}
