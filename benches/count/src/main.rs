//! Parses a text a number of times, for tools that count instructions.
//!
//! ```text
//! simd-hcl-count PARSER INPUT TIMES
//! ```
//!
//! `PARSER` is `serde_json`, or `automaton`, `engine` or `fastest` by the kernel that
//! `SIMD_HCL_KERNEL` names; `INPUT` is `minified`, `pretty` or the path of a file. The difference
//! between two runs with different numbers is the cost of parsing. Prints the number of bytes.

use std::process::ExitCode;

use serde::de::IgnoredAny;
use simd_hcl::fuzzing::{Bare, Engine};
use simd_hcl::{ParseOptions, Span};
use simd_hcl_corpus::{ConfigOptions, config_bytes};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [parser, input, times] = arguments.as_slice() else {
        eprintln!("usage: simd-hcl-count PARSER INPUT TIMES");
        return ExitCode::from(2);
    };
    match run(parser, input, times) {
        Ok(bytes) => {
            println!("{bytes}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("simd-hcl-count: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the number of bytes of the text.
fn run(parser: &str, input: &str, times: &str) -> Result<usize, String> {
    let times: u32 = times.parse().map_err(|error| format!("{times}: {error}"))?;
    let config = |pretty| {
        config_bytes(&ConfigOptions { resources: 600, pretty, ..ConfigOptions::default() })
    };
    let text = match input {
        "minified" => config(false),
        "pretty" => config(true),
        path => std::fs::read(path).map_err(|error| format!("{path}: {error}"))?,
    };
    let options = ParseOptions::default();
    let options = match parser {
        "automaton" => options.with_engine(Engine::Automaton),
        "engine" => options.with_engine(Engine::Vectorised),
        "fastest" => options,
        "serde_json" => {
            for _ in 0..times {
                let text = std::hint::black_box(text.as_slice());
                serde_json::from_slice::<IgnoredAny>(text).map_err(|error| error.to_string())?;
            }
            return Ok(text.len());
        }
        _ => return Err(format!("`{parser}` is not a parser")),
    };
    let span = Span::new(0, u32::try_from(text.len()).map_err(|error| error.to_string())?);
    let mut bare = Bare::new();
    for _ in 0..times {
        let text = std::hint::black_box(text.as_slice());
        bare.parse(text, span, &options).map_err(|_| "the text is not JSON")?;
    }
    Ok(text.len())
}
