//! Compares native files with hashicorp/hcl: verdicts, and of what both accept every attribute,
//! block, label, place and variable.
//!
//! ```text
//! cargo run --release -p simd-hcl-differential --bin structure -- [--mutants N] [--seed N] PATH...
//! ```
//!
//! Reads every native file below the paths, then `--mutants` of these with a few random edits. Needs Go
//! and Debian's `golang-github-hashicorp-hcl-v2-dev`; see README.md.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::sync_channel;
use std::thread;

use serde::Deserialize;
use simd_hcl::structure::{File, FileBody, Item};
use simd_hcl::{Arena, Diagnostic, Source};
use simd_hcl_differential::{Entropy, Seed};

/// The answer of one side about a file.
#[derive(Debug, Default, Deserialize, PartialEq, Eq)]
struct Answer {
    #[serde(default)]
    panic: String,
    /// Errors with their positions.
    errors: Vec<String>,
    items: Vec<String>,
}

fn ours(text: &str) -> Answer {
    let arena = Arena::new();
    let mut answer = Answer::default();
    let Ok(source) = Source::from_bytes(&arena, "input", text.as_bytes()) else { return answer };
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let file = File::parse(&arena, source, &mut found);
    file.check(&mut found);
    found.sort_by_key(Diagnostic::span);
    answer.errors =
        found.iter().map(|it| format!("{} at {}", it.code(), it.span().start)).collect();
    if found.is_empty() {
        answer.items = items(file.body());
    }
    answer
}

fn items(body: FileBody<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![body.items()];
    while let Some(rest) = open.last_mut() {
        match rest.next() {
            Some(Item::Attribute(attribute)) => {
                let span = attribute.span();
                let variables = attribute.expression().ok().map(|it| it.variables());
                let mut names: Vec<String> = variables
                    .into_iter()
                    .flatten()
                    .map(|it| format!("{} {}", it.root_name(), it.span().start))
                    .collect();
                names.sort();
                let (name, names) = (attribute.name(), names.join(","));
                found.push(format!("{name} {}-{} {names}", span.start, span.end));
            }
            Some(Item::Block(block)) => {
                let mut line = format!("{} {}", block.block_type(), block.type_span().start);
                for (label, span) in block.labels().zip(block.label_spans()) {
                    let _ = write!(line, " {label:?} {}-{}", span.start, span.end);
                }
                let span = block.body().span();
                let _ = write!(line, " {{ {}-{}", span.start, span.end);
                found.push(line);
                open.push(block.body().items());
            }
            None => {
                open.pop();
                if !open.is_empty() {
                    found.push("}".to_owned());
                }
            }
        }
    }
    found
}

/// Text that edits insert, which is significant in the grammar.
const PIECES: &[&str] = &[
    "\n",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "${",
    "%{",
    "=",
    ",",
    ":",
    "#",
    "//",
    "/*",
    "*/",
    "<<E\n",
    "\nE\n",
    "<<-E\n",
    "\\",
    "\\\"",
    "$",
    "$$",
    "~",
    "a",
    " b ",
    "1",
    ".",
    "...",
    "=>",
    "==",
    "for ",
    " in ",
    " if ",
    "%{ if a }",
    "%{ endif }",
    "\r\n",
    "\r",
    "\t",
    "é",
    "?",
    "!",
    "&&",
    "'",
    "`",
    ";",
    "a = 1\n",
    "a {\n",
    "a \"b\" {}\n",
    "[*]",
    ".*",
    "[0]",
    "0",
    "e",
    "-",
];

fn mutate(text: &mut String, entropy: &mut Seed) {
    for _ in 0..=entropy.below(3) {
        let place = |text: &str, entropy: &mut Seed| {
            let mut at = entropy.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = place(text, entropy);
        let mut end = (start + entropy.below(12)).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        match entropy.below(4) {
            0 => text.replace_range(start..end, ""),
            1 => text.replace_range(start..end, entropy.pick(PIECES)),
            2 => {
                let copy = text[start..end].to_owned();
                let to = place(text, entropy);
                text.insert_str(to, &copy);
            }
            _ => text.insert_str(start, entropy.pick(PIECES)),
        }
    }
}

/// The native files below a path.
fn files(path: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        // As deep as directories are.
        return entries.iter().try_for_each(|entry| files(&entry.path(), found));
    }
    let name = path.to_string_lossy();
    if [".tf", ".tofu", ".hcl", ".tfvars"].iter().any(|suffix| name.ends_with(suffix)) {
        found.push(path.to_owned());
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("structure: {error}");
            ExitCode::from(2)
        }
    }
}

/// Compares, prints the differences, and returns their number.
fn run() -> io::Result<usize> {
    let (mut mutants, mut seed, mut paths) = (0_u64, 1, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let number = arguments.next().and_then(|number| number.parse().ok());
            number.ok_or_else(|| io::Error::other("a number is required"))
        };
        match argument.as_str() {
            "--mutants" => mutants = number()?,
            "--seed" => seed = number()?,
            path => files(Path::new(path), &mut paths)?,
        }
    }
    let mut texts = Vec::new();
    for path in &paths {
        // Files that are not UTF-8 are skipped: we reject them, and the reference does not.
        if let Ok(text) = std::fs::read_to_string(path) {
            texts.push((path.to_string_lossy().into_owned(), text));
        }
    }
    let whole = texts.len();
    let bases: Vec<usize> = (0..whole).filter(|at| texts[*at].1.len() < 4_000).collect();
    if !bases.is_empty() {
        for index in 0..mutants {
            let mut entropy = Seed::new(seed, index);
            let (name, mut text) = texts[bases[entropy.below(bases.len())]].clone();
            mutate(&mut text, &mut entropy);
            texts.push((format!("{name}, mutant {index}"), text));
        }
    }
    let mut reference = start_reference()?;
    let (Some(mut questions), Some(answers)) = (reference.stdin.take(), reference.stdout.take())
    else {
        return Err(io::Error::other("the reference has no standard input or output"));
    };
    let (asked, open) = sync_channel(256);
    let writer = thread::spawn(move || -> io::Result<()> {
        for (name, text) in texts {
            serde_json::to_writer(&mut questions, &text)?;
            questions.write_all(b"\n")?;
            if asked.send((name, text)).is_err() {
                break;
            }
        }
        Ok(())
    });
    let mut classes: BTreeMap<String, Vec<(String, String, Answer, Answer)>> = BTreeMap::new();
    let (mut compared, mut accepted) = (0, 0);
    for line in BufReader::new(answers).lines() {
        let theirs: Answer = serde_json::from_str(&line?)?;
        let Ok((name, text)) = open.recv() else { break };
        compared += 1;
        let ours = ours(&text);
        accepted += usize::from(ours.errors.is_empty());
        let first = |answer: &Answer| {
            let first = answer.errors.first().map_or("accepted", |it| it.as_str());
            first.split(" at ").next().unwrap_or_default().to_owned()
        };
        let class = match (theirs.errors.is_empty(), ours.errors.is_empty()) {
            _ if !theirs.panic.is_empty() => continue,
            (true, true) if theirs.items == ours.items => continue,
            (false, false) => continue,
            (true, true) => "items".to_owned(),
            _ => format!("reference: {}, ours: {}", first(&theirs), first(&ours)),
        };
        classes.entry(class).or_default().push((name, text, theirs, ours));
    }
    drop(open);
    writer.join().map_err(|_| io::Error::other("the writer panicked"))??;
    reference.wait()?;
    let mut count = 0;
    for (class, mut cases) in classes {
        count += cases.len();
        println!("{} × {class}", cases.len());
        cases.sort_by_key(|(_, text, ..)| text.len());
        for (name, text, theirs, ours) in cases.into_iter().take(2) {
            let differing = theirs.items.iter().zip(&ours.items).find(|(one, other)| one != other);
            println!("  {name}: {} bytes", text.len());
            if text.len() < 1_200 {
                println!("    {text:?}");
            }
            println!("    reference {:?}", theirs.errors.first());
            println!("    ours      {:?}", ours.errors.first());
            println!("    items     {differing:?}");
        }
    }
    println!(
        "{whole} files and {} mutants, {accepted} accepted: {count} differences",
        compared - whole
    );
    Ok(count)
}

fn start_reference() -> io::Result<std::process::Child> {
    let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let binary = package.join("../../target/structure-reference");
    let built = Command::new("go")
        .args(["build", "-o"])
        .arg(&binary)
        .arg("main.go")
        .current_dir(package.join("reference/structure"))
        .envs([("GO111MODULE", "off"), ("GOPATH", "/usr/share/gocode")])
        .status()?;
    if !built.success() {
        return Err(io::Error::other("the reference does not build: see README.md"));
    }
    Command::new(binary).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}
