//! Twice the input costs about twice as many steps and allocated bytes, for all kinds of input, and
//! limits hold. No test measures time.

use std::fs;

use simd_hcl::convert::{to_json, to_native};
use simd_hcl::dialect::{Dialect, List, root_schema};
use simd_hcl::diff::{Objects, changes};
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::format::{Style, format};
use simd_hcl::functions;
use simd_hcl::fuzzing::steps;
use simd_hcl::json::JsonValue;
use simd_hcl::policy::{CheckOptions, Rules};
use simd_hcl::query::{Pattern, select};
use simd_hcl::show::redact::{self, Options, Places};
use simd_hcl::show::{BodySchemas, Plan, Schemas};
use simd_hcl::structure::File;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Diagnostic, Document, Node, ParseOptions, Source};
use simd_hcl_corpus::{ConfigOptions, HOSTILE, config_bytes, hostile, sized};

use crate::allocations::{Allocated, count};

/// The cost of some work on the calling thread.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// Zero in builds that do not count steps.
    steps: u64,
    allocated: Allocated,
}

fn cost(work: impl FnOnce()) -> Cost {
    let before = steps().unwrap_or_default();
    let ((), allocated) = count(work);
    Cost { steps: steps().unwrap_or_default() - before, allocated }
}

impl Cost {
    /// Whether `self` is at most `factor` times `other`, without the cost of an empty input.
    fn is_within(&self, other: &Self, factor: f64) -> bool {
        let within = |one: f64, other: f64, least: f64| one <= factor * other.max(least);
        within(self.steps as f64, other.steps as f64, 2_000.0)
            && within(self.allocated.total as f64, other.allocated.total as f64, 1e6)
            && within(self.allocated.peak as f64, other.allocated.peak as f64, 1e6)
    }
}

/// Does everything that `check` does with a module of one file, except writing findings.
fn check(text: &str) -> Cost {
    check_as("main.tf.json", text)
}

fn check_as(name: &str, text: &str) -> Cost {
    check_by(name, text, None)
}

/// The same by the schemas of a provider.
fn check_by(name: &str, text: &str, schemas: Option<&str>) -> Cost {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join(name), text).unwrap();
    let discovery = discover(&[root.path()], &DiscoverOptions::default());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        cost(|| {
            let arena = Arena::new();
            let mut tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
            tree.check_bodies(&match schemas {
                Some(text) => {
                    let document =
                        Document::parse_bytes(&arena, "schemas.json", text.as_bytes()).unwrap();
                    BodySchemas::new(Schemas::of(document, &mut ()).unwrap())
                }
                None => BodySchemas::built_in(&arena),
            });
            for found in tree.diagnostics() {
                assert!(found.source().range(found.span()).0.line > 0);
                assert!(!found.detail().is_empty());
            }
            let graph = tree.graph();
            assert!(graph.dependents(&[0]).len() <= graph.len());
        })
    })
}

#[test]
fn hostile_configuration_costs_what_its_length_costs() {
    if steps().is_none() {
        println!(
            "skipped: hostile_configuration_costs_what_its_length_costs (steps are not counted)"
        );
        return;
    }
    let size = sized([500, 1_000, 5_000]);
    let mut complaints = Vec::new();
    for (kind, name) in HOSTILE.iter().enumerate() {
        let [small, large] = [1, 2].map(|times| check(&hostile(kind, times * size)));
        assert!(small.steps > 0 && small.allocated.total > 0, "{name}: {small:?}");
        if !large.is_within(&small, 2.5) {
            complaints.push(format!("{name}: {small:?}, then {large:?}"));
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// A body costs what it has, not what its schema has.
#[test]
fn large_schemas_are_read_once() {
    let bodies = [
        ("main.tf", "resource \"a_b\" \"r{n}\" {\n  x{n} = 1\n}\n"),
        ("main.tf", "resource \"a_b\" \"r{n}\" {\n  k{n} = 1\n  b{n} {}\n}\n"),
        ("main.tf", "resource \"a_b\" \"r{n}\" {\n  k{n} {}\n  x{n} {}\n  b{n} = 1\n}\n"),
        ("main.tf", "resource \"a_b\" \"r{n}\" {\n  dynamic \"x{n}\" {\n  }\n}\n"),
        ("main.tf.json", r#"{"resource": {"a_b": {"r{n}": {"x{n}": 1, "k{n}": 2, "b{n}": {}}}}},"#),
    ];
    let size = sized([1_500, 3_000, 6_000]);
    for (name, body) in bodies {
        let [small, large] = [size, 2 * size].map(|count| {
            let each = |text: &str| -> String {
                (0..count).map(|number| text.replace("{n}", &number.to_string())).collect()
            };
            let (attributes, blocks) =
                (each(r#","k{n}": {"type": "string", "optional": true}"#), each(r#","b{n}": {"nesting_mode": "list", "block": {}}"#));
            let block = format!(
                r#"{{"attributes": {{"k": {{"type": "string", "optional": true}}{attributes}}},
                    "block_types": {{"k1": {{"nesting_mode": "list", "block": {{}}}}{blocks}}}}}"#
            );
            let schemas = format!(
                r#"{{"format_version": "1.0", "provider_schemas": {{"registry.opentofu.org/hashicorp/a":
                    {{"resource_schemas": {{"a_b": {{"version": 0, "block": {block}}}}}}}}}}}"#
            );
            let text = match name.ends_with("json") {
                true => format!("[{}]", each(body).trim_end_matches(',')),
                false => each(body),
            };
            check_by(name, &text, Some(&schemas))
        });
        assert!(large.is_within(&small, 2.5), "{body}: {small:?} {large:?}");
    }
}

/// Native files with unclosed, missing or repeated parts.
#[test]
fn native_files_cost_what_their_length_costs() {
    let pieces: &[(&str, &str, &str)] = &[
        ("", "a{n} {{\n", ""),
        ("", "a = [\n", ""),
        ("", "a = [ # (\n  b = [\n", ""),
        ("", "a = \"${\n", ""),
        ("", "a = [\"${\"\n", ""),
        ("", "a = [<<E\n", "E\n"),
        ("", "a = \"${<<E\n${\n", ""),
        ("", "a = <<E\n", ""),
        ("a = ", "[", ""),
        ("a = ", "[\n\"\n", ""),
        ("a = ", "\"${[\n", "\n"),
        ("a = ", "{{a = (\n", "}}"),
        ("", "a = 1, ", ""),
        ("", "a = [1}} ", ""),
        ("", "a {{ b = [1 }} ", ""),
        ("", "a{n} = 1\n", ""),
        ("", "a = {n}\n", ""),
        ("", "a \"$${{\" {{ }}\n", ""),
        ("", "a \"${{\" {{\n", ""),
        ("", "a b\n\n", "{{"),
        ("", "a \"b\n", ""),
        ("", "# a\n", ""),
        ("", "# a\n", "a = 1"),
        ("", "/* a", ""),
        ("a = 1", " # /*", "\n*/"),
        ("", "}}\n", ""),
        ("", ") ] 1 ' ", ""),
        ("", "<<<<<<< a\n", ""),
        ("a ", "b ", "{{}}"),
        ("a ", "\"b\" ", "= ["),
        ("a", " ", "= 1"),
        ("a = ", "-", "1"),
        ("a = <<E\n", "b ${{c}} \n", "E\n"),
        ("a = <<E\n", " E \u{a0}b\n", ""),
        ("a = <<E\n", "${{<<F\n}}\n", "E\n"),
        ("a = \"b\n", "c{n} = 1\n", ""),
        ("a = \"", "b ", ""),
        ("a = \"", "b {n} = 1\r", "\n"),
        ("", "a = 1\0\n", ""),
        ("\u{feff}", "\u{feff}a{n} = \u{feff}1\n", ""),
        ("", "a{n} = \"b\" # c\r\n\r\n", ""),
        ("", "a = 1\r", ""),
        ("", "\ta{n}\t=\t[\t\"b\"\t]\t#\tc\n", ""),
        ("", "a {{ b {{ c = 1 }} }} ", ""),
        ("", "a {{ b = 1, c = 2 }} ", ""),
        ("", "a = [\n# b\n]}}\n", ""),
        ("", "a = [/* b */\n]\n", ""),
        ("", "a = (1,\n\"${{b}}\"])\n", ""),
    ];
    let read = |(head, piece, tail): &(&str, &str, &str), size: usize| {
        let plain = |text: &str| text.replace("{{", "{").replace("}}", "}");
        let middle: String =
            (0..size).map(|n| plain(&piece.replace("{n}", &n.to_string()))).collect();
        let text = format!("{}{middle}{}", plain(head), plain(tail));
        cost(|| {
            let arena = Arena::new();
            let source = Source::from_bytes(&arena, "main.tf", text.as_bytes()).unwrap();
            let mut found: Vec<Diagnostic<'_>> = Vec::new();
            let file = File::parse(&arena, source, &mut found);
            if let Some(text) = format(file, Style::Tofu, &mut found) {
                assert!(!text.is_empty());
            }
            file.body().check(root_schema(Dialect::OpenTofu, List::Primary).unwrap(), &mut found);
            assert!(file.attributes().all(|attribute| attribute.span().end as usize <= text.len()));
        })
    };
    let size = sized([800, 2_000, 10_000]);
    let mut complaints = Vec::new();
    for piece in pieces {
        let [small, large] = [1, 2].map(|times| read(piece, times * size));
        assert!(small.allocated.total > 0, "{piece:?}: {small:?}");
        if !large.is_within(&small, 2.5) {
            complaints.push(format!("{piece:?}: {small:?}, then {large:?}"));
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn conversion_costs_what_its_length_costs() {
    let kind = Some((Dialect::OpenTofu, List::Primary));
    let repeat = |head: &str, piece: &str, tail: &str, size: usize| {
        let all: String = (0..size).map(|n| piece.replace("{n}", &n.to_string())).collect();
        format!("{head}{all}{tail}")
    };
    let mut complaints = Vec::new();
    for (head, piece, tail) in [
        ("{", r#""a{n}": "${b}", "#, r#""z": 1}"#),
        (r#"{"a": ""#, "${b} $${ ", r#""}"#),
        (r#"{"a": ""#, "${b /* c */} ", r#""}"#),
        (r#"{"a": ["#, r#""b ${c}", {"d": "e"}, "#, "1]}"),
        (r#"{"resource": {"#, r#""t{n}": {"n": [{"p": 1}, null]}, "#, r#""z": {}}}"#),
        (r#"{"resource": {"t": {"n": {"#, r#""x{n}": {"y": [{"z": 1}]}, "#, r#""z": 1}}}}"#),
        (
            r#"{"variable": {"#,
            r#""v{n}": {"type": "list(string)", "default": "${"}, "#,
            r#""z": {}}}"#,
        ),
    ] {
        let [small, large] = [1_000, 2_000].map(|size| {
            let text = repeat(head, piece, tail, size);
            cost(|| {
                let arena = Arena::new();
                let document =
                    Document::parse_bytes(&arena, "main.tf.json", text.as_bytes()).unwrap();
                let native = to_native(document, kind, &|_, _| None, &mut ()).text;
                let source = Source::from_bytes(&arena, "main.tf", native.as_bytes()).unwrap();
                let json = to_json(File::parse(&arena, source, &mut ()), kind, &mut ()).text;
                assert!(!json.is_empty());
            })
        });
        if !large.is_within(&small, 2.5) {
            complaints.push(format!("{head}{piece}: {small:?}, then {large:?}"));
        }
    }
    for (head, piece, tail) in [
        ("", "a \"b{n}\" {}\n", ""),
        ("", "a \"b\" {}\n", ""),
        ("a ", "b ", "{}\n"),
        ("", "# a\n", "b {}\n"),
        ("a = {", "k{n} = 1, ", "}\n"),
        ("a = \"", "${b} ", "\"\n"),
        ("a = <<E\n", "${b}\n", "E\n"),
        ("a = ", "{b = ", "1"),
        ("resource t n {\n", "x {\n", ""),
    ] {
        let [small, large] = [1_000, 2_000].map(|size| {
            let text = repeat(head, piece, tail, size);
            cost(|| {
                let arena = Arena::new();
                let source = Source::from_bytes(&arena, "main.tf", text.as_bytes()).unwrap();
                let json = to_json(File::parse(&arena, source, &mut ()), kind, &mut ()).text;
                assert!(!json.is_empty());
            })
        });
        if !large.is_within(&small, 2.5) {
            complaints.push(format!("{head}{piece}: {small:?}, then {large:?}"));
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// `1e999999` is eight bytes of a file and a million bytes of text; nested loops are similar.
#[test]
fn few_bytes_of_a_file_do_not_become_many() {
    let all = |item: fn(usize) -> String| (0..200).map(item).collect::<Vec<_>>().join(",");
    let texts = all(|_| r#""a-${1e999999}""#.to_owned());
    let keys = all(|n| format!(r#""${{1e999{n}}}": 1"#));
    let numbers = all(|_| "1e999999".to_owned());
    let list = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    let nested = |inner, _| format!("[for x in {list} : {inner}]");
    let loops = (0..6).fold("0".to_owned(), nested);
    let loops = vec![format!(r#""${{{loops}}}""#); 20].join(",");
    let outputs = all(|n| format!(r#""o{n}": {{"value": "a-${{1e999999}}"}}"#));
    let defaults = all(|n| format!(r#""v{n}": {{"default": "a-${{1e999999}}"}}"#));
    let descriptions = all(|n| format!(r#""v{n}": {{"description": 1e999999}}"#));
    let optional = all(|n| format!("a{n}=optional(string,1e999999)"));
    let sources = all(|n| format!(r#""m{n}": {{"source": "./${{1e999999}}"}}"#));
    let variable = |rest| format!(r#"{{"variable": {{"v": {{"type": {rest}}}}}}}"#);
    let texts = [
        ("main.tf.json", format!(r#"{{"locals": {{"x": [{texts}]}}}}"#)),
        ("main.tf.json", format!(r#"{{"locals": {{"x": {{{keys}}}}}}}"#)),
        ("main.tf.json", format!(r#"{{"locals": {{"x": [{loops}]}}}}"#)),
        ("main.tf.json", format!(r#"{{"output": {{{outputs}}}}}"#)),
        ("main.tf.json", format!(r#"{{"variable": {{{descriptions}}}}}"#)),
        ("main.tf.json", variable(format!(r#""list(string)", "default": [{numbers}]"#))),
        ("main.tf.json", variable(format!(r#""object({{{optional}}})", "default": {{}}"#))),
        ("main.tf.json", format!(r#"{{"module": {{{sources}}}}}"#)),
        ("main.pkr.json", format!(r#"{{"locals": {{"x": [{texts}]}}}}"#)),
        ("main.pkr.json", format!(r#"{{"variable": {{{defaults}}}}}"#)),
        ("main.pkr.json", variable(format!(r#""list(string)", "default": [{numbers}]"#))),
    ];
    let mut wrong = Vec::new();
    for (name, text) in texts {
        let cost = check_as(name, &text);
        if cost.allocated.peak > 10_000_000 {
            wrong.push(format!("{name}: {text:.60}: {cost:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn templates_of_packer_cost_what_their_length_costs() {
    let cost = |size: usize| {
        let all = |item: &dyn Fn(usize) -> String| {
            let items: Vec<String> = (0..size).map(item).collect();
            items.join(",")
        };
        let text = format!(
            r#"{{"variable": {{{}}}, "locals": {{{}}}, "source": {{"a": {{{}}}}}, "build": [{{"sources": [{}]}}]}}"#,
            all(&|n| format!(r#""v{n}": {{"default": "{n}"}}"#)),
            // A chain, and names that are not declared.
            all(&|n| format!(r#""l{n}": "${{local.l{}}}${{var.v{n}}}${{var.w{n}}}""#, n + 1)),
            all(&|n| format!(r#""s{n}": {{"x": "${{var.v{n}}}"}}"#)),
            all(&|n| format!(r#""source.a.s{n}""#)),
        );
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a.pkr.json"), text).unwrap();
        let discovery = discover(&[root.path()], &DiscoverOptions::default());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            cost(|| {
                let arena = Arena::new();
                let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
                let [template] = tree.templates() else { panic!("one template") };
                let dependents = template.dependents(&[0]);
                assert!(tree.diagnostics().count() >= size && !dependents.is_empty());
            })
        })
    };
    let size = sized([250, 500, 5_000]);
    let [small, large] = [size, 2 * size].map(cost);
    assert!(small.allocated.total > 0 && large.is_within(&small, 2.5), "{small:?}, then {large:?}");
}

/// Redaction of a stream keeps few bytes of a change with a secret of its own.
#[test]
fn redaction_keeps_few_bytes_of_a_change() {
    use simd_hcl::show::redact::{Large, Options};
    let plan = |count: usize| {
        let values = |n: usize| format!(r#"{{"password":"secret-{n:08x}-x"}}"#);
        let rest =
            |n: usize| format!(r#""address":"t.b{n}","mode":"managed","type":"t","name":"b{n}""#);
        let all = |one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(",");
        let change = |n| {
            let (values, rest) = (values(n), rest(n));
            format!(
                r#"{{{rest},"change":{{"actions":["no-op"],"before":{values},"after":{values},"before_sensitive":{{"password":true}},"after_sensitive":{{"password":true}}}}}}"#
            )
        };
        let resource = |n| {
            let (values, rest) = (values(n), rest(n));
            format!(r#"{{{rest},"values":{values},"sensitive_values":{{"password":true}}}}"#)
        };
        let block = |n| format!(r#"{{{},"expressions":{{}}}}"#, rest(n));
        let (changes, resources, blocks) = (all(&change), all(&resource), all(&block));
        format!(
            r#"{{"format_version":"1.2","planned_values":{{"root_module":{{"resources":[{resources}]}}}},"resource_changes":[{changes}],"configuration":{{"root_module":{{"resources":[{blocks}]}}}}}}"#
        )
    };
    let peak = |count: usize| {
        let text = plan(count);
        let cost = cost(|| {
            let arena = Arena::new();
            let mut input = std::io::Cursor::new(text.as_bytes());
            let settings = simd_hcl::stream::Options::default();
            let large = Large::read(&arena, &mut input, Options::default(), settings, &mut ());
            large.unwrap().write(&mut std::io::sink()).unwrap();
        });
        cost.allocated.peak
    };
    let changes = sized([3_000, 12_000, 96_000]);
    let (small, large) = (peak(changes), peak(2 * changes));
    let bytes = large.saturating_sub(small) / changes;
    assert!(bytes < 200, "{bytes} bytes for each change: {small}, then {large}");
}

#[test]
fn positions_take_a_small_share_of_the_memory_that_the_source_takes() {
    let len = sized([10_000_000, 100_000_000, 100_000_000]);
    for (line, fill) in [("\n", ""), ("\r\n", ""), ("ab\n", ""), ("x", "\n"), ("é", "")] {
        let text = line.repeat(len / line.len()) + fill + "x";
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "input", text.as_bytes()).unwrap();
        let mut end = None;
        let cost = cost(|| end = Some(source.position(u32::MAX)));
        assert_eq!(end.unwrap().byte as usize, text.len());
        // Two copies of the index exist while it is built.
        assert!(cost.allocated.peak < text.len() / 4, "{line:?}: {cost:?}");
    }
}

#[test]
fn an_error_at_the_end_of_many_lines() {
    let len = sized([4_000_000, 100_000_000, 100_000_000]);
    let text = "\n".repeat(len) + "x";
    let cost = cost(|| {
        let arena = Arena::new();
        let error = Document::parse_bytes(&arena, "input", text.as_bytes()).unwrap_err();
        assert_eq!(error.range.start.line as usize, len + 1);
    });
    assert!(cost.allocated.peak < text.len() / 4 + 1_000_000, "{cost:?}");
}

/// Visits every value, and opens what is sealed.
fn walk(root: Node<'_>) -> usize {
    let (mut todo, mut count) = (vec![root], 0);
    while let Some(node) = todo.pop() {
        count += 1;
        match node.value() {
            JsonValue::Object(object) => todo.extend(object.members().map(|member| member.value())),
            JsonValue::Array(array) => todo.extend(array.elements()),
            _ => {}
        }
    }
    count
}

#[test]
fn opening_everything_is_linear_in_the_file() {
    let costs: Vec<[Cost; 3]> = [500, 1_000]
        .map(|resources| {
            let text = config_bytes(&ConfigOptions { resources, ..ConfigOptions::default() });
            [0, 3, u32::MAX].map(|depth| {
                cost(|| {
                    let arena = Arena::new();
                    let source = Source::from_bytes(&arena, "input", &text).unwrap();
                    let options = ParseOptions::default().with_skeleton_depth(depth);
                    let document = Document::parse_with(&arena, source, &options).unwrap();
                    assert!(walk(document.root()) > 10_000);
                })
            })
        })
        .into();
    for (small, large) in costs[0].iter().zip(&costs[1]) {
        assert!(large.is_within(small, 2.5), "{small:?} {large:?}");
    }
    // The number of steps hardly depends on how much was sealed.
    let [closed, _, open] = costs[1];
    assert!(closed.steps <= 2 * open.steps.max(1), "{closed:?} {open:?}");
}

/// Each module calls the next one, so the way to the first one has a step for each.
#[test]
fn affected_modules_are_linear_in_a_chain() {
    let [small, large] = [300, 600].map(|length| {
        let root = tempfile::tempdir().unwrap();
        for number in 0..length {
            let directory = root.path().join(format!("m{number}"));
            fs::create_dir(&directory).unwrap();
            let call = format!(r#"{{"module": {{"next": {{"source": "../m{}"}}}}}}"#, number + 1);
            let text = if number + 1 < length { call } else { "{}".to_owned() };
            fs::write(directory.join("main.tf.json"), text).unwrap();
        }
        let discovery = discover(&[root.path()], &DiscoverOptions::default());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            let arena = Arena::new();
            let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
            let changed = root.path().join(format!("m{}/main.tf.json", length - 1));
            cost(|| {
                let affected = tree.affected(&[&changed]);
                let ways = affected.modules.iter().map(|it| it.because.len());
                assert_eq!((affected.modules.len(), ways.max()), (length, Some(100)));
                let starts = |module: &simd_hcl::impact::AffectedModule<'_>| {
                    module.because[0].file.as_ref() == Some(&changed)
                };
                assert!(affected.modules.iter().all(starts));
            })
        })
    });
    assert!(large.is_within(&small, 2.5), "{small:?} {large:?}");
}

/// Returns the costs of a question about two configurations, the second with twice the resources of
/// the first.
fn costs_of(ask: impl Fn(Document<'_>)) -> [Cost; 2] {
    [500, 1_000].map(|resources| {
        let text = config_bytes(&ConfigOptions { resources, ..ConfigOptions::default() });
        cost(|| {
            let arena = Arena::new();
            ask(Document::parse_bytes(&arena, "main.tf.json", &text).unwrap());
        })
    })
}

#[test]
fn questions_about_a_file_are_linear_in_it() {
    let root = root_schema(Dialect::OpenTofu, List::Primary);
    let schema_free = ["resource.*.*.tags", "**", "**.tags.**.Name"].map(|text| {
        let pattern = Pattern::parse(text).unwrap();
        (text, costs_of(|document| assert!(select(&pattern, document, root).count() < 1_000_000)))
    });
    let references = costs_of(|document| {
        let mut found = 0;
        document.visit_references(&mut (), |_| found += 1);
        assert!(found > 100);
    });
    for (name, [small, large]) in schema_free.into_iter().chain([("references", references)]) {
        assert!(
            small.allocated.total > 0 && large.is_within(&small, 2.5),
            "{name}: {small:?} {large:?}"
        );
    }
}

/// All ways through the stars of a pattern end at the same places, so these are not tried one by
/// one.
#[test]
fn stars_of_a_pattern_do_not_multiply() {
    let text = format!(r#"{{"locals": {{"a": {}1{}}}}}"#, r#"{"a":"#.repeat(500), "}".repeat(500));
    let root = root_schema(Dialect::OpenTofu, List::Primary);
    let [few, many] = [4, 8].map(|stars| {
        let pattern = Pattern::parse(&format!("locals{}.b", ".**.a".repeat(stars))).unwrap();
        cost(|| {
            let arena = Arena::new();
            let document = Document::parse_bytes(&arena, "main.tf.json", text.as_bytes()).unwrap();
            assert_eq!(select(&pattern, document, root).count(), 0);
        })
    });
    assert!(many.is_within(&few, 2.5), "{few:?} {many:?}");
}

#[test]
fn differences_are_linear_in_both_configurations() {
    let [small, large] = [500, 1_000].map(|resources| {
        let text = config_bytes(&ConfigOptions { resources, ..ConfigOptions::default() });
        let other = String::from_utf8(text.clone()).unwrap().replace("\"tags\"", "\"labels\"");
        assert_ne!(other.as_bytes(), text);
        cost(|| {
            let arena = Arena::new();
            let [old, new] = [&text[..], other.as_bytes()].map(|text| {
                let document = Document::parse_bytes(&arena, "main.tf.json", text).unwrap();
                Objects::read(
                    &arena,
                    Dialect::OpenTofu,
                    [(List::Primary, "main.tf.json", document)],
                )
            });
            assert!(changes(&old, &new).len() > 100);
        })
    });
    assert!(large.is_within(&small, 2.5), "{small:?} {large:?}");
}

/// Returns a plan that changes this many resources, each with a secret that others repeat.
fn secrets(resources: usize) -> String {
    let changes = (0..resources).map(|number| {
        format!(
            r#"{{"address": "a.r{number}", "mode": "managed", "type": "a", "name": "r{number}", "change": {{
            "actions": ["create"], "before": null, "after": {{"p": "secret-{number}-text", "q": "x secret-{}-text"}},
            "after_unknown": {{}}, "before_sensitive": false, "after_sensitive": {{"p": true}}}}}}"#,
            resources - number - 1
        )
    });
    let changes = changes.collect::<Vec<_>>().join(",");
    format!(r#"{{"format_version": "1.2", "resource_changes": [{changes}]}}"#)
}

#[test]
fn redaction_is_linear_in_the_document() {
    let [small, large] = [1_000, 2_000].map(|resources| {
        let text = secrets(resources);
        cost(|| {
            let arena = Arena::new();
            let document = Document::parse_bytes(&arena, "plan.json", text.as_bytes()).unwrap();
            let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
            let plan = Plan::of(document, &mut diagnostics).unwrap();
            let places = Places::of_plan(plan, Options::default());
            let mut out = Vec::new();
            redact::write(document.source(), &places, &mut out).unwrap();
            assert!(!String::from_utf8(out).unwrap().contains("secret-"));
        })
    });
    assert!(large.is_within(&small, 2.5), "{small:?} {large:?}");
}

/// Returns the cost of checking a plan by rules on one thread.
fn checked(rules: &str, plan: &str) -> Cost {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let arena = Arena::new();
    let functions = functions::standard();
    let source = Source::from_bytes(&arena, "plan.json", plan.as_bytes()).unwrap();
    // The depth of attributes, so that attributes that no rule names stay sealed.
    let options = ParseOptions::default().with_skeleton_depth(5);
    let document = Document::parse_with(&arena, source, &options).unwrap();
    let plan = Plan::of(document, &mut ()).unwrap();
    let file = Document::parse_bytes(&arena, "rules.hcl.json", rules.as_bytes()).unwrap();
    let mut set = Rules::new(Some(&functions));
    assert!(set.parse(file, &mut ()));
    pool.install(|| {
        cost(|| {
            let checked = set.check(plan, &CheckOptions::default());
            assert!(checked.conditions > 0);
        })
    })
}

#[test]
fn rules_cost_what_they_name() {
    if steps().is_none() {
        println!("skipped: rules_cost_what_they_name (steps are not counted)");
        return;
    }
    let plan = |changes: usize, types: usize, big: usize| {
        let change = |number: usize| {
            let big = "[1,{}],".repeat(big);
            let kind = number % types;
            format!(
                r#"{{"address":"t{kind}.n{number}","mode":"managed","type":"t{kind}","name":"n{number}","change":{{"actions":["update"],"before":null,"after":{{"big":[{big}0],"x":{{"y":1}}}},"after_unknown":{{}}}}}}"#
            )
        };
        let changes: Vec<String> = (0..changes).map(change).collect();
        format!(
            r#"{{"format_version":"1.2","planned_values":{{}},"resource_changes":[{}]}}"#,
            changes.join(",")
        )
    };
    let rules = |count: usize, name: &str, types: &str| {
        let rule = |number: usize| {
            format!(
                r#""r{number}": {{"type": "{types}", "deny": "${{change.after.{name} == {number} - 1}}"}}"#
            )
        };
        let all: Vec<String> = (0..count).map(rule).collect();
        format!(r#"{{"rule": {{{}}}}}"#, all.join(","))
    };
    let one = |name: &str| rules(1, name, "t*");
    // Linear in the changes, whether they have findings or not.
    let [small, large] = [500, 1_000].map(|changes| checked(&one("x.y"), &plan(changes, 1, 1)));
    assert!(large.is_within(&small, 2.5) && small.is_within(&large, 0.7), "{small:?} {large:?}");
    let found = rules(2, "x.y", "t*");
    let [small, large] = [500, 1_000].map(|changes| checked(&found, &plan(changes, 1, 1)));
    assert!(large.is_within(&small, 2.5), "{small:?} {large:?}");
    // Independent of members that no rule names.
    let [small, large] = [1, 1_000].map(|big| checked(&one("x.y"), &plan(500, 1, big)));
    assert!(large.is_within(&small, 1.1), "{small:?} {large:?}");
    let [small, large] = [1, 1_000].map(|big| checked(&one("big"), &plan(20, 1, big)));
    assert!(!large.is_within(&small, 20.0), "{small:?} {large:?}");
    // Nearly independent of rules for other types, and of changes of types that no rule selects.
    let other = |count: usize| rules(count, "x.y", "other");
    let both = |count: usize| {
        let other = other(count);
        let (start, _) = other.split_at(other.len() - 2);
        format!(r#"{start},"one":{{"type":"t0","deny":"${{change.after.x.y == 2}}"}}}}}}"#)
    };
    let [small, large] = [10, 200].map(|count| checked(&both(count), &plan(500, 1, 1)));
    assert!(large.is_within(&small, 1.2), "{small:?} {large:?}");
    let [small, large] = [1, 10].map(|types| checked(&both(1), &plan(500, types, 1)));
    assert!(large.is_within(&small, 0.5), "{small:?} {large:?}");
    // Linear in the members that many rules name, without multiplying by the number of members
    // around them.
    let wide = |members: usize| {
        let members: Vec<String> = (0..members).map(|at| format!(r#""m{at}":1"#)).collect();
        plan(1, 1, 1).replace(r#""x":"#, &format!(r#"{},"x":"#, members.join(",")))
    };
    let many = |count: usize| {
        let rule = |at: usize| format!(r#""r{at}": {{"deny": "${{change.after.m{at} == 2}}"}}"#);
        let all: Vec<String> = (0..count).map(rule).collect();
        format!(r#"{{"rule": {{{}}}}}"#, all.join(","))
    };
    let [small, large] = [1_000, 2_000].map(|count| checked(&many(count), &wide(count)));
    assert!(large.is_within(&small, 2.5), "{small:?} {large:?}");
}

#[test]
fn affected_modules_are_linear_in_the_callers() {
    let [small, large] = [100, 200].map(|callers| {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            fs::create_dir(root.path().join(name)).unwrap();
            fs::write(root.path().join(name).join("main.tf.json"), text).unwrap();
        };
        write("leaf", "{}");
        for number in 0..callers {
            write(&format!("m{number}"), r#"{"module": {"leaf": {"source": "../leaf"}}}"#);
        }
        let discovery = discover(&[root.path()], &DiscoverOptions::default());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            cost(|| {
                let arena = Arena::new();
                let tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
                let affected = tree.affected(&[root.path().join("leaf/main.tf.json")]);
                assert_eq!(affected.modules.len(), callers + 1);
            })
        })
    });
    assert!(large.is_within(&small, 2.5), "{small:?} {large:?}");
}
