//! Command line of the generator: configuration of any size for benches and trials.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

use simd_hcl_corpus::{
    ConfigOptions, NativeOptions, PlanOptions, Readers, Stats, TreeOptions, TreeStats, UnitOptions,
    config, native, native_tree, plan, tree, units,
};

const USAGE: &str = "\
Writes generated configuration. The same options give the same bytes.

usage:
  generate config [--resources N] [--pretty] [--seed S] [-o FILE]
      one configuration, as a CDK synthesises it; 250000 resources are about 115 MB, or 195 MB pretty
  generate tree [--dirs N] [--seed S] DIR
      a monorepo of small files below DIR; 2000 directories are 12000 files and about 177 MB
  generate native [--resources N] [--seed S] [-o FILE]
      one configuration in native syntax; 222000 resources are about 100 MB
  generate native-tree [--dirs N] [--seed S] DIR
      modules of six native files each below DIR; 2000 directories are 12000 files
  generate plan [--changes N] [--depth N] [--big-numbers] [--pretty] [--seed S] [-o FILE]
      a plan, as `tofu show -json` prints it; 1000 changes are about 2.7 MB, 15000 about 41 MB; modules
      call each other this many levels deep, and some numbers have 39 digits
  generate units [--units N] [--seed S] DIR
      units of Terragrunt below DIR, which include 290 files

Without -o, config and plan go to standard output.
";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(Done::Helped) => ExitCode::SUCCESS,
        Ok(Done::Written(summary)) => {
            eprintln!("{summary}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("generate: {message}");
            ExitCode::from(2)
        }
    }
}

enum Done {
    Helped,
    Written(String),
}

fn run(mut args: impl Iterator<Item = String>) -> Result<Done, String> {
    let command = args.next().unwrap_or_default();
    let size = match command.as_str() {
        "config" | "native" => "--resources",
        "tree" | "native-tree" => "--dirs",
        "plan" => "--changes",
        "units" => "--units",
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            return Ok(Done::Helped);
        }
        "" => return Err(format!("what to write is missing\n\n{USAGE}")),
        other => {
            return Err(format!(
                "`{other}` is not one of config, tree, native, native-tree, units and plan\n\n{USAGE}"
            ));
        }
    };
    let Some(arguments) = Arguments::read(&command, size, args)? else {
        print!("{USAGE}");
        return Ok(Done::Helped);
    };
    let Arguments { size, depth, big_numbers, pretty, seed, output, dir } = arguments;
    let started = Instant::now();
    let written = match command.as_str() {
        "config" => {
            let mut options = ConfigOptions { pretty, ..ConfigOptions::default() };
            set(&mut options.resources, size);
            set(&mut options.seed, seed);
            to_output(output, |out| config(&options, out))?
        }
        "native" => {
            let mut options = NativeOptions::default();
            set(&mut options.resources, size);
            set(&mut options.seed, seed);
            to_output(output, |out| native(&options, out))?
        }
        "plan" => {
            let mut options = PlanOptions { pretty, big_numbers, ..PlanOptions::default() };
            set(&mut options.changes, size);
            set(&mut options.depth, depth);
            set(&mut options.seed, seed);
            to_output(output, |out| plan(&options, out))?
        }
        "units" => {
            let mut options = UnitOptions { units: 814, kinds: 290, seed: 1 };
            set(&mut options.units, size);
            set(&mut options.seed, seed);
            let dir = dir.ok_or("units: the directory to write to is missing")?;
            let read = units(&options, &Readers::new(), &dir).map_err(|error| error.to_string())?;
            format!("{} units, which read {} files", options.units, read.len())
        }
        _ => {
            let mut options = TreeOptions::default();
            set(&mut options.dirs, size);
            set(&mut options.seed, seed);
            let dir = dir.ok_or("tree: the directory to write to is missing")?;
            let written = match command.as_str() {
                "native-tree" => native_tree(options.dirs, options.seed, &dir),
                _ => tree(&options, &dir),
            };
            let TreeStats { dirs, files, shadowing, bytes } =
                written.map_err(|error| error.to_string())?;
            format!("{dirs} directories, {files} files ({shadowing} shadowing), {bytes} bytes")
        }
    };
    Ok(Done::Written(format!("{written} in {:.1?}", started.elapsed())))
}

fn set(option: &mut u64, value: Option<u64>) {
    if let Some(value) = value {
        *option = value;
    }
}

/// Runs `write` on the file `output`, or on standard output.
fn to_output(
    output: Option<PathBuf>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<Stats>,
) -> Result<String, String> {
    let (name, written) = match output {
        Some(path) => {
            (path.display().to_string(), File::create(&path).and_then(|mut file| write(&mut file)))
        }
        None => ("standard output".to_owned(), write(&mut io::stdout().lock())),
    };
    let Stats { bytes, values } = written.map_err(|error| format!("{name}: {error}"))?;
    Ok(format!("{bytes} bytes, {values} keys and values"))
}

/// The arguments after the command.
#[derive(Default)]
struct Arguments {
    size: Option<u64>,
    depth: Option<u64>,
    big_numbers: bool,
    pretty: bool,
    seed: Option<u64>,
    output: Option<PathBuf>,
    dir: Option<PathBuf>,
}

impl Arguments {
    /// Nothing when help is wanted.
    fn read(
        command: &str,
        size: &str,
        mut args: impl Iterator<Item = String>,
    ) -> Result<Option<Self>, String> {
        let one_file = !matches!(command, "tree" | "native-tree" | "units");
        let mut read = Self::default();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "-h" | "--help" => return Ok(None),
                "--pretty" if one_file => read.pretty = true,
                "--seed" => read.seed = Some(value(&arg, args.next())?),
                "-o" if one_file => read.output = Some(value(&arg, args.next())?),
                "--big-numbers" if command == "plan" => read.big_numbers = true,
                "--depth" if command == "plan" => read.depth = Some(value(&arg, args.next())?),
                name if name == size => read.size = Some(value(&arg, args.next())?),
                name if !one_file && !name.starts_with('-') && read.dir.is_none() => {
                    read.dir = Some(arg.into());
                }
                _ => return Err(format!("{command} does not take `{arg}`\n\n{USAGE}")),
            }
        }
        Ok(Some(read))
    }
}

fn value<T: FromStr<Err: Display>>(name: &str, text: Option<String>) -> Result<T, String> {
    let text = text.ok_or_else(|| format!("{name}: its value is missing"))?;
    text.parse().map_err(|error| format!("{name} {text}: {error}"))
}
