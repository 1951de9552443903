//! Writes generated HCL JSON of any size. See `USAGE`.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use simd_hcl_corpus::{ConfigOptions, Stats, config};

const USAGE: &str = "\
Writes generated HCL JSON: the same options give the same bytes.

usage:
  generate config [--resources N] [--pretty] [--seed S] [-o FILE]
      one configuration, as a CDK synthesises it; 250000 resources are about 114 MB
";

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let command = if args.is_empty() {
        String::new()
    } else {
        args.remove(0)
    };
    let started = Instant::now();
    let done = match command.as_str() {
        "config" => Options::read(args).and_then(|o| {
            let options = ConfigOptions {
                resources: o.size,
                pretty: o.pretty,
                seed: o.seed,
            };
            let mut out: Box<dyn Write> = match &o.output {
                Some(path) => Box::new(File::create(path).map_err(|e| e.to_string())?),
                None => Box::new(io::stdout().lock()),
            };
            config(&options, &mut *out).map_err(|e| e.to_string())
        }),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(Stats { bytes, values }) => {
            let time = started.elapsed();
            eprintln!("{bytes} bytes, {values} keys and values in {time:.1?}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

struct Options {
    size: u64,
    pretty: bool,
    seed: u64,
    output: Option<PathBuf>,
}

impl Options {
    fn read(args: Vec<String>) -> Result<Self, String> {
        let mut o = Self {
            size: 1000,
            pretty: false,
            seed: 1,
            output: None,
        };
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg}: value missing"));
            match arg.as_str() {
                "--resources" => o.size = value()?.parse().map_err(|e| format!("{arg}: {e}"))?,
                "--seed" => o.seed = value()?.parse().map_err(|e| format!("{arg}: {e}"))?,
                "--pretty" => o.pretty = true,
                "-o" => o.output = Some(value()?.into()),
                _ => return Err(format!("{arg}: unknown argument\n\n{USAGE}")),
            }
        }
        Ok(o)
    }
}
