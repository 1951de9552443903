//! The `console` blocks of README.md and `docs`, executed: each command prints what the page says.
//!
//! All blocks of a page run in one directory, which starts with a copy of `corpus`. A line `$ COMMAND` is run by `sh`, and lines
//! `> MORE` continue it; the lines below are its output, standard error included. A line `...` stands for any number of lines.
//! `$ cat FILE` writes a file that does not exist yet, with the text that the page shows, and makes its directories; `$ cd DIR` holds to the
//! end of the page. A command in a comment,
//! `<!-- $ COMMAND -->`, is run, and not compared: it prepares the next block. A command that could not run (exit status 2) fails the
//! test. `SIMD_HCL_BLESS=1` writes the output into the page, but for commands with a line `...`.
#![cfg(unix)]

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

/// A command of a page, and the lines that should be its output.
struct Step {
    command: String,
    /// The lines of the page with the output; none for a command in a comment.
    output: Option<Range<usize>>,
}

/// Returns the commands of a page, in order.
fn steps(lines: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut is_console = false;
    for (number, line) in lines.iter().enumerate() {
        if let Some(hidden) =
            line.strip_prefix("<!-- $ ").and_then(|rest| rest.strip_suffix(" -->"))
        {
            steps.push(Step { command: hidden.to_owned(), output: None });
        } else if line.starts_with("```") {
            is_console = *line == "```console";
        } else if is_console {
            if let Some(command) = line.strip_prefix("$ ") {
                steps.push(Step {
                    command: command.to_owned(),
                    output: Some(number + 1..number + 1),
                });
            } else if let Some(step) = steps.last_mut()
                && let Some(output) = &mut step.output
            {
                match line.strip_prefix("> ") {
                    Some(more) if output.start == output.end => {
                        step.command = format!("{}\n{more}", step.command);
                        *output = number + 1..number + 1;
                    }
                    _ => output.end = number + 1,
                }
            }
        }
    }
    steps
}

/// Says whether lines are the expected ones, where `...` stands for any number of them.
fn matches(expected: &[&str], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"...", rest)) => (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..])),
        Some((first, rest)) => lines.first() == Some(first) && matches(rest, &lines[1..]),
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Runs the commands of a page; returns what differs, and the page with the output of the commands.
fn run(page: &str, text: &str, corpus: &Path) -> (Vec<String>, String) {
    let lines: Vec<&str> = text.lines().collect();
    let (mut differences, mut blessed, mut copied) = (Vec::new(), String::new(), 0);
    let steps = steps(&lines);
    if steps.is_empty() {
        return (differences, text.to_owned());
    }
    let directory = tempfile::tempdir().unwrap();
    for part in ["monorepo", "broken", "show", "review"] {
        copy(&corpus.join(part), &directory.path().join("corpus").join(part));
    }
    let mut here = directory.path().to_owned();
    let bin = Path::new(env!("CARGO_BIN_EXE_simd-hcl")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    for step in steps {
        let expected = step.output.clone().map_or(&[][..], |output| &lines[output]);
        if let Some(name) = step.command.strip_prefix("cat ")
            && !here.join(name).exists()
        {
            let file = here.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, expected.join("\n") + "\n").unwrap();
            continue;
        }
        if step.output.is_some()
            && let Some(folder) = step.command.strip_prefix("cd ")
        {
            here.push(folder);
            continue;
        }
        let run = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{}", step.command)])
            .current_dir(&here)
            .env("PATH", &path)
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .env_remove("SIMD_HCL_KERNEL")
            .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")])
            .envs(["AUTHOR", "COMMITTER"].map(|role| (format!("GIT_{role}_NAME"), "reader")))
            .envs(
                ["AUTHOR", "COMMITTER"]
                    .map(|role| (format!("GIT_{role}_EMAIL"), "reader@example.com")),
            )
            .output()
            .unwrap();
        let printed = String::from_utf8(run.stdout).unwrap();
        let actual: Vec<&str> = printed.lines().collect();
        let could_run = run.status.code().is_some_and(|status| status < 2);
        let Some(output) = step.output else {
            if !run.status.success() {
                differences.push(format!("{page}: {} fails: {printed}", step.command));
            }
            continue;
        };
        if !could_run || !matches(expected, &actual) {
            differences.push(format!("{page}:{}: $ {}\n{printed}", output.start, step.command));
        }
        if could_run && !expected.contains(&"...") {
            for line in lines[copied..output.start].iter().chain(&actual) {
                blessed.push_str(line);
                blessed.push('\n');
            }
            copied = output.end;
        }
    }
    for line in &lines[copied..] {
        blessed.push_str(line);
        blessed.push('\n');
    }
    (differences, blessed)
}

#[test]
fn commands_of_pages_print_what_the_pages_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut pages = vec![root.join("README.md")];
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    let mut all = Vec::new();
    for path in pages {
        let page = path.strip_prefix(root).unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let (differences, blessed) = run(page, &text, &root.join("corpus"));
        if std::env::var_os("SIMD_HCL_BLESS").is_some() && blessed != text {
            fs::write(&path, blessed).unwrap();
        }
        all.extend(differences);
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
