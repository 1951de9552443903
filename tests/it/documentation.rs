//! Generated pages agree with the code.
//!
//! `SIMD_HCL_BLESS=1 cargo test --test it documentation::` updates them: review the diff.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use simd_hcl::diagnostic::Safety;
use simd_hcl::dialect::{BlockKind, FileKind};
use simd_hcl::evaluate::{Release, known_function};
use simd_hcl::event::{Event, Flags, Kind};
use simd_hcl::rules::{OptKind, RULES};
use simd_hcl::{Arena, Code, Dialect, Document, ParseOptions, Severity, Source};

use crate::layers::rust_files;

#[path = "../../cli/src/explain/examples.rs"]
mod examples;

use examples::{Example, File};

/// Compares a page with its expected text, or writes it.
fn check(page: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    if std::env::var_os("SIMD_HCL_BLESS").is_some() {
        fs::write(&path, expected).unwrap();
        return;
    }
    // A checkout may have changed the line ends.
    let found = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let lines = || found.lines().zip(expected.lines());
    let line = lines().take_while(|(found, expected)| found == expected).count();
    assert!(
        found == expected,
        "{page} is not up to date from line {} on. Run\n\
         SIMD_HCL_BLESS=1 cargo test --test it documentation::\nand review the difference. Now: {:?}, should be: {:?}",
        line + 1,
        found.lines().nth(line),
        expected.lines().nth(line),
    );
}

/// Returns a text of a code as Markdown, with an ellipsis for its arguments.
fn markdown(text: &str) -> String {
    text.replace('\\', "\\\\").replace('*', "\\*")
}

/// Returns an example as Markdown: the wrong files, then the right ones.
fn example(example: &Example) -> String {
    let mut text = String::new();
    if let Some(reason) = example.none {
        writeln!(text, "- No example: {reason}.").unwrap();
    }
    let code = example.code;
    for (what, files) in [("Wrong", &example.wrong), ("Right", &example.right)] {
        let command = match example.command.as_str() {
            "check" => String::new(),
            command => format!(" (`simd-hcl {command}`)"),
        };
        for &File { name, text: source } in files {
            let name = if name == "-" { String::new() } else { format!(", `{name}`") };
            let language = if name.contains("json") { "json" } else { "hcl" };
            writeln!(text, "\n{what}{name}{command}:\n\n```{language}\n{source}\n```").unwrap();
        }
    }
    if let [also, ..] = example.also[..] {
        writeln!(text, "\n`{also}` is reported together with `{code}` here.").unwrap();
    }
    text
}

fn list(summaries: &[&str]) -> String {
    match summaries {
        [] => "does not report it".to_owned(),
        _ => {
            let quoted: Vec<String> = summaries.iter().map(|text| format!("\"{text}\"")).collect();
            quoted.join(", ")
        }
    }
}

#[test]
fn diagnostics() {
    let errors = Code::ALL.iter().filter(|code| code.severity() == Severity::Error).count();
    let warnings = Code::ALL.len() - errors;
    let examples: HashMap<&str, Example> = examples::all().map(|it| (it.code, it)).collect();
    let mut page = format!(
        "# Diagnostics\n\n\
         <!-- Made from src/diagnostic/code/: SIMD_HCL_BLESS=1 cargo test --test it documentation:: -->\n\n\
         All codes, {errors} errors and {warnings} warning{}, by topic, in the order in which a file is read. A code is\n\
         stable; texts may become better. Severities are those without `--allow` and `--deny`. … stands for names and\n\
         values. \"Reference\" is the summary that the reference implementation gives for the same problem,\n\
         of several the one that fits the circumstances.\n",
        if warnings == 1 { "" } else { "s" },
    );
    for codes in Code::ALL.chunk_by(|one, next| one.topic() == next.topic()) {
        write!(page, "\n## {}\n\n| code | severity | summary |\n|---|---|---|\n", codes[0].topic())
            .unwrap();
        for code in codes {
            let (severity, summary) = (code.severity().as_str(), code.summary());
            writeln!(page, "| [`{code}`](#{code}) | {severity} | {summary} |").unwrap();
        }
        for &code in codes {
            write!(
                page,
                "\n### {code}\n\n**{}** ({}). {}\n\n- Detail: {}\n",
                code.summary(),
                code.severity().as_str(),
                code.note(),
                markdown(&code.detail_with(&["…"; 3])),
            )
            .unwrap();
            if let Some(help) = code.help_with(&["…"; 3]).filter(|help| help != "…") {
                writeln!(page, "- Help: {}", markdown(&help)).unwrap();
            }
            writeln!(page, "- Reference: {}", list(code.reference_summaries())).unwrap();
            page += &example(&examples[code.as_str()]);
        }
    }
    check("docs/diagnostics.md", &page);
}

#[test]
fn rules() {
    let mut page = String::from(
        "# Rules\n\n\
         <!-- Made from src/rules/: SIMD_HCL_BLESS=1 cargo test --test it documentation:: -->\n\n\
         What `check` says about configuration that the tools accept, by group. Rules with a mark are selected unless\n\
         settings say otherwise; `--select` turns others on, and `--ignore` turns rules off: by name, by group, `all`,\n\
         or by the name of the rule of tflint or OpenTofu (`core:confusing`). `correctness` is always on.\n\n\
         An edit that is *safe* changes no value and loses no comment, and `check --fix` makes it; `--unsafe-fixes` also\n\
         makes the others. A comment `# simd-hcl:allow(RULE)` ignores a rule for the attribute or block that it belongs to,\n\
         and comments of tflint (`# tflint-ignore: RULE`) apply as they do there.\n\n\
         In `simd-hcl.toml`:\n\n\
         ```toml\n\
         select = [\"naming\", \"typed-variable\"]\n\
         ignore = [\"unpinned-module\"]\n\n\
         [per-path-ignore]\n\
         \"examples/\" = [\"versions\"]\n\n\
         [rules.naming-convention]\n\
         format = \"mixed_snake_case\"\n\
         ignorable = false # No comment turns it off.\n\
         ```\n\n\
         `simd-hcl migrate .tflint.hcl` prints such settings from those of tflint.\n",
    );
    for rules in RULES.chunk_by(|one, next| one.group == next.group) {
        let group = rules[0].group.as_str();
        write!(
            page,
            "\n## {group}\n\n| rule | default | edit | what it finds |\n|---|---|---|---|\n"
        )
        .unwrap();
        for rule in rules {
            let name = rule.name();
            let mark = match (rule.is_default, rule.is_preview) {
                (true, _) => "yes",
                (false, true) => "preview",
                (false, false) => "",
            };
            let fix = rule.fix.map_or("", Safety::as_str);
            let summary = markdown(rule.code.summary());
            writeln!(page, "| [`{name}`](#{name}) | {mark} | {fix} | {summary} |").unwrap();
        }
        for rule in rules {
            let name = rule.name();
            let summary = markdown(rule.code.summary());
            write!(page, "\n### {name}\n\n**{summary}.** {}\n\n", markdown(rule.why)).unwrap();
            let detail = markdown(&rule.code.detail_with(&["…"; 3]));
            writeln!(page, "- Detail: {detail}").unwrap();
            if let Some(help) = rule.code.help_with(&["…"; 3]) {
                writeln!(page, "- Help: {}", markdown(&help)).unwrap();
            }
            let tflint: Vec<String> =
                rule.tflint.iter().map(|rule| format!("`{}`", rule.name)).collect();
            if !tflint.is_empty() {
                writeln!(page, "- In tflint: {}", tflint.join(", ")).unwrap();
            }
            let opentofu: Vec<String> =
                rule.opentofu.iter().map(|rule| format!("`{}`", rule.id)).collect();
            if !opentofu.is_empty() {
                writeln!(page, "- In OpenTofu: {}", opentofu.join(", ")).unwrap();
            }
            for option in rule.options {
                let values = match option.kind {
                    OptKind::Flag(default) => format!("`true` or `false`; default `{default}`"),
                    OptKind::Choice(choices) => {
                        format!("one of `{}`; default the first", choices.join("`, `"))
                    }
                    OptKind::Pattern { default, .. } => match default {
                        Some(default) => format!("default `{default}`"),
                        None => "default `format`".to_owned(),
                    },
                    OptKind::Release => "such as `terraform@1.9`; none by default".to_owned(),
                    OptKind::List(default) => format!("default `{default:?}`"),
                    _ => unreachable!("a kind of option without a text"),
                };
                writeln!(page, "- Option `{}`: {} ({values})", option.name, option.about).unwrap();
            }
            page += &example(&Example::of_rule(rule));
        }
    }
    check("docs/rules.md", &page);
}

/// `docs/versions.md` has the releases of the tables: of functions, of kinds of files, and of block
/// types.
#[test]
fn versions_are_those_of_the_tables() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/versions.md")).unwrap();
    let release = |cell: &str| match cell.trim() {
        "–" | "experimental" => Release::Never,
        // The first releases that the page covers.
        "1.0" | "" => Release::Always,
        cell => match cell.strip_prefix("1.").and_then(|minor| minor.parse().ok()) {
            Some(minor) => Release::In(minor),
            None => panic!("{cell} is not a release"),
        },
    };
    // OpenTofu 1.6 is the first.
    let of_opentofu = |cell: &str| match release(cell) {
        Release::In(6) => Release::Always,
        release => release,
    };
    let mut compared = 0;
    for section in page.split("\n## ").skip(1) {
        let (title, text) = section.split_once('\n').unwrap();
        for row in text.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            let [names, terraform, opentofu] = cells[..] else { continue };
            // Further words say that the row is about a part of it.
            let is_plain = names.split('`').step_by(2).all(|between| {
                matches!(between.trim(), "" | "," | "blocks" | "and") || between.contains("stacks")
            });
            for name in names.split('`').skip(1).step_by(2).filter(|_| is_plain) {
                let known = match title {
                    "Functions" => {
                        known_function(name).map(|it| (it.in_opentofu(), it.in_terraform()))
                    }
                    "Files" => {
                        let file = format!("a{name}");
                        let kind = FileKind::of_known(file.as_ref(), Dialect::Terraform)
                            .or_else(|| FileKind::of_known(file.as_ref(), Dialect::OpenTofu));
                        kind.map(|kind| kind.releases())
                    }
                    "Blocks and arguments" => BlockKind::from_name(name).map(BlockKind::releases),
                    _ => None,
                };
                let Some(known) = known else { continue };
                assert_eq!(known, (of_opentofu(opentofu), release(terraform)), "{name}");
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared} rows are compared");
}

/// Every file of the folders of rules is a rule of that name and group, and texts are sentences.
#[test]
fn rules_are_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let mut files = Vec::new();
    rust_files(&folder, &mut files);
    let mut named: Vec<(String, String)> = files
        .iter()
        .filter(|file| file.parent() != Some(&folder))
        .map(|file| {
            let part = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
            (part(file.parent().unwrap()), part(file).replace('_', "-"))
        })
        .collect();
    named.sort();
    let listed: Vec<(String, String)> =
        RULES.iter().map(|it| (it.group.as_str().to_owned(), it.name().to_owned())).collect();
    assert_eq!(listed, named);
    for rule in RULES {
        let name = rule.name();
        let is_known = Code::from_name(name).is_some();
        assert_eq!(is_known, !matches!(rule.code, Code::Custom(_)), "{name}");
        assert_eq!(rule.code.severity(), Severity::Warning, "{name}");
        assert!(rule.why.ends_with('.') && !rule.why.contains("  "), "{name}: {}", rule.why);
        for option in rule.options {
            assert!(option.about.ends_with('.'), "{name}: {}", option.about);
        }
        let of_others =
            rule.tflint.iter().map(|it| it.name).chain(rule.opentofu.iter().map(|it| it.id));
        let names: Vec<&str> = rule.options.iter().map(|it| it.name).chain(of_others).collect();
        let distinct: HashSet<&str> = names.iter().copied().collect();
        assert_eq!(distinct.len(), names.len(), "{name}");
    }
}

#[test]
fn codes_are_distinct_and_well_named() {
    let mut names = HashSet::new();
    for &code in Code::ALL {
        let name = code.as_str();
        assert!(names.insert(name), "{name} is a duplicate");
        assert_eq!(Code::from_name(name), Some(code));
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        assert!(name.split('-').all(is_word), "{name}");
        for text in [code.summary(), code.note()] {
            assert!(text.starts_with(|c: char| c.is_uppercase() || c == '`'), "{name}: {text}");
        }
        assert!(!code.summary().ends_with('.'), "{name}: a headline has no full stop");
        assert!(code.note().ends_with('.'), "{name}: {}", code.note());
        // Every placeholder is replaced by one of three arguments.
        let filled = code.detail_with(&["x"; 3]);
        let is_open = |text: &str| ["{0", "{1", "{2", "{3"].iter().any(|hole| text.contains(hole));
        assert!(!is_open(&filled), "{name}: {filled}");
        let help = code.help_with(&["x"; 3]).unwrap_or_default();
        assert!(!is_open(&help) && !help.ends_with(' '), "{name}: {help}");
    }
    assert_eq!(Code::from_name("no-such-code"), None);
}

/// Returns a table of events with their source text.
fn dump(words: &[Event], text: &str) -> String {
    let mut table =
        String::from("index  word              kind         extent  offset  flags     source\n");
    for (index, event) in words.iter().enumerate() {
        let start = event.offset() as usize;
        let len = match event.kind() {
            Kind::String | Kind::Key => event.extent() as usize + 2,
            Kind::StartObject | Kind::StartArray | Kind::EndObject | Kind::EndArray => 1,
            _ => event.extent() as usize,
        };
        let flags: Vec<&str> =
            [(Flags::ESCAPED, "escaped"), (Flags::TEMPLATE, "template"), (Flags::SEALED, "sealed")]
                .into_iter()
                .filter_map(|(flag, name)| event.flags().contains(flag).then_some(name))
                .collect();
        writeln!(
            table,
            "{index:5}  {:016x}  {:11}  {:6}  {:6}  {:8}  {}",
            event.to_bits(),
            format!("{:?}", event.kind()),
            event.extent(),
            start,
            flags.join(" "),
            &text[start..start + len],
        )
        .unwrap();
    }
    table
}

#[test]
fn events() {
    let text = r#"{"resource": {"aws_instance": {"web": {"ami": "${var.ami}", "count": 2}}},
 "locals": {"n": [-1.5e3, true, "a\tb"], "n": null}}"#;
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "example.tf.json", text.as_bytes()).unwrap();
    let words = |depth: u32| {
        let options = ParseOptions::default().with_skeleton_depth(depth);
        Document::parse_with(&arena, source, &options).unwrap().words()
    };
    let (skeleton, all) = (words(ParseOptions::default().skeleton_depth), words(u32::MAX));

    // A segment is the part of the whole stream for its container.
    let sealed = skeleton.iter().position(|event| event.flags().contains(Flags::SEALED)).unwrap();
    let (start, end) = (skeleton[sealed].offset(), skeleton[sealed + 1].offset());
    let is_inside = |event: &&Event| (start..=end).contains(&event.offset());
    let segment: Vec<Event> = all.iter().filter(is_inside).copied().collect();
    let inner = &text.as_bytes()[start as usize..=end as usize];
    let inner = Document::parse_bytes(&arena, "inner", inner).unwrap().words();
    let fields = |event: &Event, from: u32| {
        (event.kind(), event.flags(), event.extent(), event.offset() - from)
    };
    let here = inner.iter().map(|event| fields(event, 0));
    assert!(here.eq(segment.iter().map(|event| fields(event, start))));

    let example = format!(
        "The file\n\n```json\n{text}\n```\n\ngives at the default skeleton depth\n\n```text\n{}```\n\n\
         The body of `web` is sealed: {sealed} and {} are its start and end. Opened, it gives the segment\n\n\
         ```text\n{}```\n",
        dump(skeleton, text),
        sealed + 1,
        dump(&segment, text),
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/events.md");
    let page = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let (before, rest) = page.split_once("<!-- example: start -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- example: end -->").unwrap();
    let page = format!("{before}<!-- example: start -->\n{example}<!-- example: end -->{after}");
    check("docs/events.md", &page);
}

/// The tests, test modules and fuzz targets in the last columns of `docs/guarantees.md` exist.
#[test]
fn guarantees_name_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/guarantees.md")).unwrap();
    let targets = fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
    let is_test = |text: &str, name: &str| {
        let functions = text.split("#[test]").skip(1).filter_map(|after| after.split("fn ").nth(1));
        functions.into_iter().any(|function| function.starts_with(&format!("{name}(")))
    };
    let mut named = 0;
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let proofs = row.trim_end_matches('|').rsplit('|').next().unwrap();
        // Between backquotes, at odd places.
        for word in proofs.split('`').skip(1).step_by(2) {
            let parts: Vec<&str> = word.split("::").collect();
            let (files, test) = match parts[..] {
                [module, "tests", test] => {
                    (["", "/tests"].map(|it| format!("src/{module}{it}.rs")), test)
                }
                [outer, inner, "tests", test] => {
                    (["", "/tests"].map(|it| format!("src/{outer}/{inner}{it}.rs")), test)
                }
                [module, test] => {
                    (["tests/it", "cli/tests/it"].map(|it| format!("{it}/{module}.rs")), test)
                }
                [module, part, test] => {
                    let file = format!("{module}/{part}.rs");
                    // Tests beside the code may be in a file of their own.
                    let beside = if part == "kernels" { "src" } else { "cli/tests/it" };
                    (["tests/it", beside].map(|it| format!("{it}/{file}")), test)
                }
                [name] if root.join(format!("tests/it/{name}.rs")).exists() => continue,
                [name] if name.ends_with('/') => continue,
                [name] => {
                    let target = format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"");
                    assert!(targets.contains(&target), "there is no fuzz target {name}");
                    continue;
                }
                _ => panic!("{word} is not the name of a test"),
            };
            let texts = files.iter().filter_map(|file| fs::read_to_string(root.join(file)).ok());
            assert!(texts.into_iter().any(|text| is_test(&text, test)), "there is no test {word}");
            named += 1;
        }
    }
    assert!(named > 60, "{named} tests are named");
}

/// Every public module, and every item in the table of tasks in the crate documentation, has a row
/// in `docs/guarantees.md`, and every row has a proof.
#[test]
fn every_entry_point_has_a_guarantee() {
    fn names(text: &str) -> impl Iterator<Item = &str> {
        text.split('`').skip(1).step_by(2)
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/guarantees.md")).unwrap();
    let (_, table) = page.split_once("Cost by entry point:").unwrap();
    let mut guaranteed: Vec<&str> = Vec::new();
    for row in table.trim().lines().take_while(|line| line.starts_with('|')).skip(2) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [entry, _, _, proof] = cells[..] else { panic!("not four cells: {row}") };
        assert!(names(proof).next().is_some(), "no proof: {row}");
        guaranteed.extend(names(entry));
    }
    let has = |name: &str| {
        let is_below = |rest: &str| rest.is_empty() || rest.starts_with("::");
        guaranteed.iter().any(|given| given.strip_prefix(name).is_some_and(is_below))
    };
    let library = fs::read_to_string(root.join("src/lib.rs")).unwrap();
    let exported: Vec<(&str, Vec<&str>)> = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub use ")?.strip_suffix(';')?.split_once("::"))
        .map(|(module, types)| (module, types.trim_matches(['{', '}']).split(", ").collect()))
        .collect();
    let mut count = 0;
    let mut is_hidden = false;
    for line in library.lines() {
        if let Some(module) = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';'))
        {
            let mut types = exported.iter().filter(|it| it.0 == module).flat_map(|it| &it.1);
            assert!(is_hidden || has(module) || types.any(|name| has(name)), "{module}");
            count += 1;
        }
        is_hidden = line == "#[doc(hidden)]";
    }
    assert!(count > 25, "{count} modules");
    let (_, wishes) = library.split_once("//! | to | take |").unwrap();
    for row in wishes.lines().skip(2).take_while(|line| line.starts_with("//! |")) {
        let take = row.split(" | ").last().unwrap();
        for name in names(take).map(|name| name.trim_start_matches("mod@")) {
            // `plan-file` is a feature.
            assert!(has(name) || name.contains('-'), "{name}: {row}");
        }
    }
}

/// `CONTRIBUTING.md` lists every fuzz target.
#[test]
fn fuzz_targets_are_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let row = page.lines().find(|line| line.starts_with("| fuzz |")).unwrap();
    let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
    let targets = manifest.split("[[bin]]\nname = \"").skip(1);
    let mut count = 0;
    for target in targets.map(|rest| rest.split('"').next().unwrap()) {
        assert!(row.contains(&format!("`{target}`")), "{target}");
        count += 1;
    }
    assert!(count > 10, "{count}");
}

/// Every public module has a compiled example, in its own documentation or in that of one of its
/// items.
#[test]
fn every_public_module_has_an_example() {
    fn has_example(text: &str) -> bool {
        let mut is_inside = false;
        let fences = text.lines().filter_map(|line| {
            let line = line.trim();
            let line = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"))?;
            line.trim().strip_prefix("```")
        });
        let mut starts = fences.filter(|_| {
            is_inside = !is_inside;
            is_inside
        });
        starts.any(|kind| matches!(kind, "" | "no_run"))
    }
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut missing = Vec::new();
    let mut count = 0;
    let mut folders = vec![(src.clone(), "lib.rs")];
    while let Some((folder, file)) = folders.pop() {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let mut is_hidden = false;
        for line in text.lines() {
            let module = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';'));
            if let Some(module) = module.filter(|_| !is_hidden) {
                count += 1;
                let inner = folder.join(module);
                let mut files = Vec::new();
                if inner.is_dir() {
                    rust_files(&inner, &mut files);
                    folders.push((inner, "mod.rs"));
                } else {
                    files.push(inner.with_extension("rs"));
                }
                if !files.iter().any(|file| has_example(&fs::read_to_string(file).unwrap())) {
                    missing.push(module.to_owned());
                }
            }
            is_hidden = line == "#[doc(hidden)]";
        }
    }
    assert!(count > 25, "{count} modules");
    assert_eq!(missing, Vec::<String>::new(), "modules without an example");
}
