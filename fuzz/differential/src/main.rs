//! Compares simd-hcl with hashicorp/hcl over random cases, and prints every class of difference.
//!
//! ```text
//! cargo run --release -p simd-hcl-differential -- [--cases N] [--seed N] [--native] [--replay FILE] [--print]
//! ```
//!
//! Needs Go and Debian's `golang-github-hashicorp-hcl-v2-dev`; see README.md.

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::sync_channel;
use std::thread;

use simd_hcl_differential::{Answer, Case, Differences, Seed, answer};

/// The options of the command line.
struct Options {
    cases: u64,
    seed: u64,
    native: bool,
    replay: Option<PathBuf>,
    print: bool,
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("differential: {error}");
            ExitCode::from(2)
        }
    }
}

fn options() -> io::Result<Options> {
    let mut options =
        Options { cases: 100_000, seed: 1, native: false, replay: None, print: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        let invalid = || io::Error::other(format!("{flag}: see the head of src/main.rs"));
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).ok_or_else(invalid);
        match flag.as_str() {
            "--cases" => options.cases = number()?,
            "--seed" => options.seed = number()?,
            "--native" => options.native = true,
            "--replay" => options.replay = arguments.next().map(PathBuf::from),
            "--print" => options.print = true,
            _ => return Err(invalid()),
        }
    }
    Ok(options)
}

/// Returns the cases in a file, one per line, or random ones.
fn cases(options: &Options) -> io::Result<Box<dyn Iterator<Item = Case> + Send>> {
    let (seed, count, is_native) = (options.seed, options.cases, options.native);
    let Some(path) = &options.replay else {
        return Ok(Box::new((0..count).map(move |index| {
            let mut entropy = Seed::new(seed, index);
            if is_native {
                Case::generate_native(&mut entropy)
            } else {
                Case::generate(&mut entropy)
            }
        })));
    };
    let lines = std::fs::read_to_string(path)?;
    let cases: Result<Vec<Case>, _> = lines.lines().map(serde_json::from_str).collect();
    Ok(Box::new(cases?.into_iter()))
}

fn run(options: &Options) -> io::Result<()> {
    let cases = cases(options)?;
    if options.print {
        let mut out = io::BufWriter::new(io::stdout().lock());
        for case in cases {
            out.write_all(case.to_line().as_bytes())?;
        }
        return out.flush();
    }
    let mut reference = start_reference()?;
    let (Some(mut questions), Some(answers)) = (reference.stdin.take(), reference.stdout.take())
    else {
        return Err(io::Error::other("the reference has no standard input or output"));
    };
    // The cases that have been asked, in order: enough that the reference never waits for us.
    let (asked, open) = sync_channel(4096);
    let writer = thread::spawn(move || -> io::Result<()> {
        for case in cases {
            questions.write_all(case.to_line().as_bytes())?;
            if asked.send(case).is_err() {
                break;
            }
        }
        Ok(())
    });
    let mut differences = Differences::default();
    let mut compared = 0;
    for line in BufReader::new(answers).lines() {
        let theirs: Answer = serde_json::from_str(&line?)?;
        let Ok(case) = open.recv() else { break };
        differences.compare(&case, &theirs, &answer(&case));
        compared += 1;
    }
    drop(open);
    let written = writer.join().map_err(|_| io::Error::other("the writer of cases panicked"))?;
    reference.wait()?;
    report(&differences, compared, options)?;
    written
}

/// Builds the Go program in `target` and starts it.
fn start_reference() -> io::Result<Child> {
    let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let binary = package.join("../../target/differential-reference");
    let built = Command::new("go")
        .args(["build", "-o"])
        .arg(&binary)
        .arg("main.go")
        .current_dir(package.join("reference"))
        .envs([("GO111MODULE", "off"), ("GOPATH", "/usr/share/gocode")])
        .status()?;
    if !built.success() {
        return Err(io::Error::other("the reference does not build: see README.md"));
    }
    Command::new(binary).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

fn report(differences: &Differences, compared: u64, options: &Options) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut classes: Vec<_> = differences.classes.iter().collect();
    classes.sort_by(|(one_name, one), (other_name, other)| {
        other.count.cmp(&one.count).then(one_name.cmp(other_name))
    });
    for (name, class) in &classes {
        writeln!(out, "{} × {name}", class.count)?;
        for example in &class.examples {
            write!(out, "  case      {}", example.line)?;
            writeln!(out, "  reference {}\n  ours      {}", example.reference, example.ours)?;
        }
    }
    let total: usize = differences.classes.values().map(|class| class.count).sum();
    writeln!(
        out,
        "{compared} cases of seed {}: {} files rejected by both, {} attributes, {} of them with a value on both sides; \
         {total} differences in {} classes; {} cases without an answer of the reference",
        options.seed,
        differences.rejected,
        differences.attributes,
        differences.values,
        classes.len(),
        differences.unanswered,
    )?;
    out.flush()
}
