//! Hover, values, signatures, symbols, tokens, folds, selections and hints.

use simd_hcl::ask::{SymbolKind, TokenKind};
use simd_hcl::dialect::BlockKind;
use simd_hcl::span::Span;

use super::{BOTH, FILES, Syntax, World, text_of};

/// The hover of a place: the file, a text, the part of it, the lines of the answer.
const HOVERS: [(&str, &str, &str, &[&str]); 10] = [
    ("main", "var.size", "size", &["var.size", "type: `number`", "How many.", "\n5\n"]),
    ("main", "local.twice", "twice", &["local.twice", "\n10\n"]),
    ("main", "local.tags.Name", "tags", &["local.tags", "\n\"web\"\n"]),
    ("main", "module.net.id", "id", &["output.id", "The id.", "\n\"net-leaf-10\"\n"]),
    ("main", "module.net.id", "net", &["module.net", "./modules/net", "2 variables"]),
    ("modules/net/net", "var.size", "size", &["Hosts.", "required", "\n10\n"]),
    ("modules/leaf/leaf", "max(", "max", &["max(numbers… number) number"]),
    ("modules/leaf/leaf", "terraform_data", "terraform", &["resource \"terraform_data\""]),
    ("terraform.tfvars", "size", "size", &["var.size", "How many."]),
    ("image.pkr", "var.region", "region", &["var.region", "default: `\"eu\"`"]),
];

#[test]
fn hovers_have_types_values_and_descriptions() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            for (stem, around, part, expected) in HOVERS {
                let offset = world.offset(stem, around, part);
                let hover = answers.hover(&world.file(stem), offset);
                let hover = hover.unwrap_or_else(|| panic!("{syntax:?} {stem} {around} {part}"));
                let text = hover.markdown();
                for part in expected {
                    assert!(text.contains(part), "{syntax:?} {stem} {around}: {part} in {text}");
                }
            }
        });
    }
}

#[test]
fn values_say_where_they_come_from() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            let offset = world.offset("modules/net/net", "var.size", "size");
            let hover = answers.hover(&world.file("modules/net/net"), offset).unwrap();
            let value = &hover.values[0];
            assert_eq!(&*value.address, "module.net.var.size");
            let (stem, text) = world.written(value.from.as_ref().unwrap());
            assert_eq!(stem, "main");
            assert!(text.contains("local.twice"), "{text}");
            assert_eq!(*value.uses, ["local.twice".into()]);
        });
    }
}

/// No answer about any offset has a secret.
#[test]
fn secrets_are_not_shown() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            for (stem, _) in FILES {
                let file = world.file(stem);
                for offset in 0..=world.texts[stem].len() as u32 {
                    let hover = answers.hover(&file, offset);
                    let text = hover.map_or_else(String::new, |hover| hover.markdown());
                    assert!(!text.contains("hunter2"), "{syntax:?} {stem} {offset}: {text}");
                }
                let whole = Span::new(0, u32::MAX);
                let hints = format!("{:?}", answers.hints(&file, whole));
                assert!(!hints.contains("hunter2"), "{hints}");
            }
        });
    }
}

/// Types of secret variables have no defaults, in hovers and in completions of references, arguments and values.
#[test]
fn types_of_secret_variables_have_no_defaults() {
    let main = r#"variable "typed" {
  type      = object({ key = optional(string, "hunter2") })
  sensitive = true
}

variable "passed" {
  type = object({ key = optional(string, "hunter2-passed") })
}

module "net" {
  source = "./modules/net"
  typed  = var.passed
}

locals {
  a = var.typed
}
"#;
    let called = r#"variable "typed" {
  type      = map(object({ key = optional(string, "hunter2-called") }))
  ephemeral = true
}
"#;
    let given = "typed = null\n";
    let packer = r#"variable "typed" {
  type      = object({ key = optional(string, "hunter2") })
  sensitive = true
}
"#;
    let files = [
        ("main", main),
        ("modules/net/net", called),
        ("terraform.tfvars", given),
        ("image.pkr", packer),
    ];
    for syntax in BOTH {
        let texts = files.map(|(stem, text)| (stem, text_of(stem, text, syntax)));
        let texts = texts.each_ref().map(|(stem, text)| (*stem, text.as_str()));
        let world = World::with(syntax, &texts);
        world.ask(|answers| {
            let mut types = 0;
            for (stem, _) in files {
                let file = world.file(stem);
                for offset in 0..=world.texts[stem].len() as u32 {
                    let hover = answers.hover(&file, offset).map(|hover| hover.markdown());
                    let completions = format!("{:?}", answers.completions(&file, offset));
                    let text = hover.unwrap_or_default() + &completions;
                    assert!(!text.contains("hunter2"), "{syntax:?} {stem} {offset}: {text}");
                    types += usize::from(text.contains("optional(string)"));
                }
            }
            assert!(types > 10, "{syntax:?}: {types}");
        });
    }
}

/// Names, types, addresses and values of a repository are code in Markdown: no image, no heading.
#[test]
fn hostile_names_are_code() {
    let evil = "\n```\n![a](https://evil.example/a.png)\n# b";
    let quoted = serde_json::to_string(evil).unwrap();
    let text = format!(
        r#"{{"variable": {{"v": {{"default": {quoted}, "type": "`![a](https://evil.example/t.png)"}},
             {quoted}: {{"default": 1}}}},
           "locals": {{"l": {quoted}, "m": "${{var.v}}"}},
           "module": {{"c": {{"source": "https://x/`![a](https://evil.example/s.png)", "version": "`![a](https://evil.example/v.png)"}}}},
           "output": {{"o": {{"value": "${{local.l}}${{local.m}}"}}, "p": {{"value": "${{module.c.x}}"}}}}}}"#
    );
    let world = World::with(Syntax::Json, &[("main", &text)]);
    let mut seen = 0;
    world.ask(|answers| {
        let file = world.file("main");
        for offset in 0..=text.len() as u32 {
            let Some(hover) = answers.hover(&file, offset) else { continue };
            let markdown = hover.markdown();
            seen += usize::from(markdown.contains("evil.example"));
            // Without blocks and spans of code, nothing of it is left.
            let mut fence: Option<&str> = None;
            for line in markdown.lines() {
                let run = &line[..line.len() - line.trim_start_matches('`').len()];
                match fence {
                    Some(open) if line == open => fence = None,
                    Some(_) => {}
                    None if run.len() > 2 && line[run.len()..] == *"hcl" => fence = Some(run),
                    None => {
                        let end = line.find('`').unwrap_or(line.len());
                        let ticks = line.len() - end - line[end..].trim_start_matches('`').len();
                        let inner = &line[(end + ticks).min(line.len())..];
                        let close = "`".repeat(ticks);
                        let after = match inner.rfind(&close).filter(|_| ticks > 0) {
                            Some(at) => {
                                let longest = inner[..at].split(|it| it != '`').map(str::len).max();
                                assert_ne!(longest, Some(ticks), "{markdown}");
                                &inner[at..]
                            }
                            None => inner,
                        };
                        let outside = format!("{}{after}", &line[..end]);
                        assert!(!outside.contains("evil.example"), "{markdown}");
                    }
                }
            }
            assert!(fence.is_none(), "{markdown}");
        }
    });
    assert!(seen > 3, "{seen}");
}

#[test]
fn signatures_have_the_parameter_that_is_written() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            let file = world.file("modules/leaf/leaf");
            for (part, active) in [("(", None), ("var", Some(0)), ("1)", Some(0))] {
                let offset = world.offset("modules/leaf/leaf", "max(var.hosts, 1)", part);
                let found = answers.signature(&file, offset);
                let expected = active.map(|_| "max(numbers… number) number".into());
                assert_eq!(found.as_ref().map(|it| it.text.clone()), expected, "{syntax:?} {part}");
                assert_eq!(found.and_then(|it| it.active), active, "{syntax:?} {part}");
            }
        });
    }
}

#[test]
fn symbols_are_those_of_the_file() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            let symbols = answers.symbols(&world.file("main"));
            let root: Vec<_> =
                symbols.iter().filter(|it| it.depth == 0).map(|it| &*it.name).collect();
            let mut sorted = root.clone();
            sorted.sort_unstable();
            let expected = [
                "local",
                "module.net",
                "output.id",
                "terraform_data.web",
                "var.people",
                "var.size",
                "var.token",
            ];
            let expected = expected.map(|name| if name == "local" { "locals" } else { name });
            let mut expected = expected.to_vec();
            expected.sort_unstable();
            assert_eq!(sorted, expected, "{syntax:?}");
            let tags = symbols.iter().find(|it| &*it.name == "local.tags").unwrap();
            assert_eq!((tags.depth, tags.kind), (1, SymbolKind::Local), "{syntax:?}");
            for symbol in &symbols {
                let (span, name) = (symbol.span, symbol.name_span);
                assert!(span.start <= name.start && name.end <= span.end, "{syntax:?} {symbol:?}");
            }
        });
    }
}

#[test]
fn symbols_of_all_modules_are_ranked() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            let found = answers.workspace_symbols("var.size", 10);
            let names: Vec<_> = found.iter().map(|it| (&*it.name, it.kind)).collect();
            assert_eq!(names, [("var.size", BlockKind::Variable); 2], "{syntax:?}");
            assert_eq!(answers.workspace_symbols("VAR.REG", 10).len(), 1, "{syntax:?}");
            assert_eq!(answers.workspace_symbols("", 3).len(), 3);
            assert!(answers.workspace_symbols("no such name", 3).is_empty());
        });
    }
}

#[test]
fn tokens_do_not_overlap() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            for (stem, _) in FILES {
                let tokens = answers.tokens(&world.file(stem));
                assert!(!tokens.is_empty(), "{syntax:?} {stem}");
                for pair in tokens.windows(2) {
                    assert!(pair[0].span.end <= pair[1].span.start, "{syntax:?} {stem} {pair:?}");
                }
            }
            let tokens = answers.tokens(&world.file("main"));
            let kind = |around: &str, part: &str| {
                let offset = world.offset("main", around, part);
                tokens.iter().find(|it| it.span.start == offset).map(|it| it.kind)
            };
            assert_eq!(kind("var.size", "var"), Some(TokenKind::Keyword), "{syntax:?}");
            assert_eq!(kind("var.size", "size"), Some(TokenKind::Variable), "{syntax:?}");
            assert_eq!(kind("local.twice", "twice"), Some(TokenKind::Local), "{syntax:?}");
            assert_eq!(kind("module.net.id", "id"), Some(TokenKind::Output), "{syntax:?}");
            assert_eq!(kind("file(", "file"), Some(TokenKind::Function), "{syntax:?}");
            assert_eq!(kind("terraform_data", "terraform"), Some(TokenKind::Type), "{syntax:?}");
            assert_eq!(kind("description", "description"), Some(TokenKind::Property), "{syntax:?}");
        });
    }
}

#[test]
fn folds_and_selections_nest() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            let file = world.file("main");
            let folds = answers.folds(&file);
            assert!(folds.len() >= 8, "{syntax:?} {folds:?}");
            for offset in 0..=world.texts["main"].len() as u32 {
                let spans = answers.selection(&file, offset);
                assert_eq!(spans.last(), Some(&Span::new(0, world.texts["main"].len() as u32)));
                for pair in spans.windows(2) {
                    assert!(pair[1].start <= pair[0].start && pair[0].end <= pair[1].end);
                }
            }
            let offset = world.offset("main", "var.size * 2", "size");
            let texts: Vec<_> = answers
                .selection(&file, offset)
                .into_iter()
                .map(|span| world.texts["main"][span.start as usize..span.end as usize].to_owned())
                .collect();
            for expected in ["size", "var.size", "var.size * 2"] {
                assert!(texts.iter().any(|text| text == expected), "{syntax:?} {texts:?}");
            }
        });
    }
}

#[test]
fn hints_are_values() {
    for syntax in BOTH {
        let world = World::new(syntax);
        world.ask(|answers| {
            let whole = Span::new(0, u32::MAX);
            let hints = answers.hints(&world.file("modules/leaf/leaf"), whole);
            let texts: Vec<_> = hints.iter().map(|hint| &*hint.text).collect();
            assert_eq!(texts, ["10"; 3], "{syntax:?}");
        });
    }
}

#[test]
fn other_files_have_no_answers() {
    let world = World::new(Syntax::Native);
    world.ask(|answers| {
        assert!(!answers.has_file("nowhere.tf"));
        assert!(answers.hover("nowhere.tf", 0).is_none());
        assert!(answers.references("nowhere.tf", 0, true).is_empty());
    });
}
