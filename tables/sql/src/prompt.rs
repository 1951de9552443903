//! The interactive prompt: queries that end in `;`, with history and completion of names.

use std::path::PathBuf;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Editor, Helper, Highlighter, Hinter};

/// Words of SQL that are completed, too.
const WORDS: [&str; 16] = [
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "HAVING",
    "LIMIT",
    "JOIN",
    "LEFT JOIN",
    "ON",
    "USING",
    "AND",
    "IS NOT NULL",
    "count(*)",
    "DISTINCT",
    "EXPLAIN",
];

#[derive(Helper, Highlighter, Hinter)]
struct Names(Vec<String>);

impl Completer for Names {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let is_part = |it: char| it.is_alphanumeric() || it == '_';
        let before = &line[..position];
        let start = before.trim_end_matches(is_part).len();
        let word = before[start..].to_lowercase();
        let names = self.0.iter().map(String::as_str).chain(WORDS);
        let found = names.filter(|name| name.to_lowercase().starts_with(&word));
        let found = if word.is_empty() { Vec::new() } else { found.map(str::to_owned).collect() };
        Ok((start, found))
    }
}

impl Validator for Names {
    /// A query ends with `;`; a command of the prompt starts with `\`.
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input().trim();
        let is_complete = text.is_empty() || text.ends_with(';') || text.starts_with('\\');
        Ok(match is_complete {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

/// The file that keeps the history: `$XDG_STATE_HOME/simd-hcl/history`.
fn history() -> Option<PathBuf> {
    let given = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state"));
    Some(given.or_else(home)?.join("simd-hcl").join("history"))
}

/// The query of a line: `\d` lists the tables, and `\d NAME` the columns of one.
fn query_of(line: &str) -> String {
    let query = line.trim_end_matches(';').trim();
    match query.split_once(' ') {
        Some(("\\d", table)) => format!("DESCRIBE {}", table.trim()),
        _ if query == "\\d" => "SHOW TABLES".to_owned(),
        _ => query.to_owned(),
    }
}

/// Reads queries until the input ends, and passes each to `run`, without its `;`.
pub(crate) fn run(names: Vec<String>, mut run: impl FnMut(&str)) -> rustyline::Result<()> {
    let mut editor: Editor<Names, DefaultHistory> = Editor::new()?;
    editor.set_helper(Some(Names(names)));
    let history = history();
    if let Some(history) = &history {
        // There is none at first.
        let _ = editor.load_history(history);
    }
    loop {
        match editor.readline("sql> ") {
            Ok(line) => {
                let text = line.trim();
                if matches!(text, "\\q" | "exit;" | "quit;") {
                    break;
                }
                editor.add_history_entry(text)?;
                let query = query_of(text);
                if !query.is_empty() {
                    run(&query);
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error),
        }
    }
    if let Some(history) = history {
        let saved = history.parent().map(std::fs::create_dir_all).transpose();
        saved?;
        editor.save_history(&history)?;
    }
    Ok(())
}
