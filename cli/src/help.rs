//! The help of the program: its commands, grouped by purpose.

use std::fmt::Write;

use clap::Command;

/// The commands of each group.
const GROUPS: [(&str, &[&str]); 5] = [
    (
        "Understand configuration",
        &[
            "overview",
            "inspect",
            "references",
            "graph",
            "dependents",
            "query",
            "templates",
            "docs",
            "diff",
            "config",
            "expand",
            "why",
            "eval",
            "decode",
        ],
    ),
    ("Check configuration", &["check", "rules", "explain", "schema"]),
    (
        "Change configuration",
        &[
            "fmt",
            "convert",
            "rename",
            "move",
            "extract",
            "inline",
            "fix-unused",
            "set",
            "unset",
            "upgrade",
            "migrate",
        ],
    ),
    ("Plans and states", &["plan", "state", "redact"]),
    (
        "Automate",
        &[
            "init",
            "affected",
            "review",
            "roots",
            "units",
            "lsp",
            "mcp",
            "sql",
            "export",
            "completions",
            "help",
        ],
    ),
];

/// The group of commands that are in no other.
const OTHERS: &str = "Other commands";

/// Has the help list commands in groups.
pub(crate) fn grouped(program: Command) -> Command {
    let about = |name: &str| -> Option<String> {
        if name == "help" {
            return Some("Print this message or the help of a command".to_owned());
        }
        let command = program.find_subcommand(name).filter(|it| !it.is_hide_set())?;
        Some(command.get_about().map(ToString::to_string).unwrap_or_default())
    };
    let is_grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let others = program.get_subcommands().map(Command::get_name).filter(|name| !is_grouped(name));
    let others: Vec<&str> = others.collect();
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (heading, names) in GROUPS.into_iter().chain([(OTHERS, &*others)]) {
        let commands: Vec<_> = names.iter().filter_map(|name| Some((name, about(name)?))).collect();
        if commands.is_empty() {
            continue;
        }
        // Writing to a string does not fail.
        let _ = write!(text, "\n\u{1b}[1m\u{1b}[4m{heading}:\u{1b}[0m\n");
        for (name, about) in commands {
            let _ = writeln!(text, "  \u{1b}[1m{name:<12}\u{1b}[0m{about}");
        }
    }
    text.push_str("\n\u{1b}[1m\u{1b}[4mCommon options:\u{1b}[0m\n{options}{after-help}");
    program.help_template(text)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{GROUPS, OTHERS, grouped};
    use crate::args::Arguments;

    #[test]
    fn each_command_is_in_one_group() {
        let program = Arguments::command();
        for command in program.get_subcommands() {
            let name = command.get_name();
            let count = GROUPS.iter().filter(|(_, names)| names.contains(&name)).count();
            assert_eq!(count, usize::from(!command.is_hide_set()), "{name}");
        }
        for name in GROUPS.iter().flat_map(|(_, names)| *names) {
            assert!(*name == "help" || program.find_subcommand(name).is_some(), "{name}");
        }
        let page = include_str!("../../docs/commands.md");
        for (heading, names) in GROUPS {
            let of_group = page.split(&format!("\n## {heading}\n")).nth(1).unwrap_or_default();
            let of_group = of_group.split("\n## ").next().unwrap_or_default();
            let rows = of_group.lines().filter_map(|line| line.strip_prefix("| `"));
            let listed: Vec<&str> = rows.filter_map(|row| row.split([' ', '`']).next()).collect();
            assert_eq!(listed, names, "docs/commands.md, {heading}");
        }
        let help = grouped(program).render_help().to_string();
        assert!(!help.contains(OTHERS) && help.contains("Check configuration:\n  check"), "{help}");
        assert!(help.contains("Common options:\n"), "{help}");
    }
}
