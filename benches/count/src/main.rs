//! Parses a text a number of times, for tools that count instructions.
//!
//! ```text
//! simd-hcl-count PARSER INPUT TIMES
//! ```
//!
//! `PARSER` is `serde_json`, or `automaton`, `engine` or `fastest` by the kernel that
//! `SIMD_HCL_KERNEL` names; or one that reads more: `model` reads the module, `tree` also finds its
//! references and reports diagnostics, `graph` also builds the graph, `expand` evaluates and writes
//! all resources. `INPUT` is `minified`, `pretty` or the path of a file. The difference between two
//! runs with different numbers is the cost of parsing. Prints the number of bytes.

use std::process::ExitCode;

use serde::de::IgnoredAny;
use simd_hcl::dialect::List;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::fuzzing::{Bare, Engine};
use simd_hcl::module::Module;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Arena, Dialect, Document, ParseOptions, Source, Span};
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
        "model" | "tree" | "graph" | "expand" => {
            return module(parser, &text, input, times).map(|()| text.len());
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

/// Reads the text as a module of one file.
fn module(what: &str, text: &[u8], input: &str, times: u32) -> Result<(), String> {
    let mut arena = Arena::new();
    if what == "model" {
        for _ in 0..times {
            let source = Source::from_bytes(&arena, input, text).map_err(|it| it.to_string())?;
            let options = ParseOptions::default().with_skeleton_depth(Module::DEPTH);
            let document = Document::parse_with(&arena, source, &options);
            let files = [(List::Primary, document.map_err(|_| "the text is not JSON")?)];
            let module = Module::read(Dialect::OpenTofu, files, false, &mut ());
            std::hint::black_box(module.resources.len());
            drop(module);
            arena.reset();
        }
        return Ok(());
    }
    let directory = std::env::temp_dir().join(format!("simd-hcl-count-{}", std::process::id()));
    let is_native = input.ends_with(".tf");
    let path = directory.join(if is_native { "main.tf" } else { "main.tf.json" });
    std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    let found = discover(&[directory.as_path()], &DiscoverOptions::default());
    for _ in 0..times {
        let tree = Tree::load(&arena, found.modules.clone(), &TreeOptions::default());
        match what {
            "graph" => drop(std::hint::black_box(tree.graph().len())),
            "expand" => {
                let inputs = Inputs::new(&arena);
                let mut out = std::io::sink();
                let mut writer = Writer::new(&mut out, Layout::Compact);
                let expansion = tree.expand(0, &inputs);
                expansion.write(&Selection::default(), writer.value());
                writer.finish().map_err(|error| error.to_string())?;
            }
            _ => drop(std::hint::black_box(tree.diagnostics().count())),
        }
        drop(tree);
        arena.reset();
    }
    std::fs::remove_dir_all(&directory).map_err(|error| error.to_string())
}
