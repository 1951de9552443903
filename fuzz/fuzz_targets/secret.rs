//! Secrets in configuration of either syntax, and of Packer: random expressions over sensitive and
//! ephemeral variables, in arguments, keys, conditions and blocks, what calls pass to such variables, defaults in
//! types, and literals in calls that fail at hidden places.
//! Secrets in plans, plan files, and states of both kinds, and in units of Terragrunt. Nothing that is
//! printed has a byte of the secret: diagnostics, values, origins, the representation, what a query
//! selects, templates, differences, reviews of two versions, redacted documents, leaves, names, messages
//! of rules, values of units, answers of the language server.
#![no_main]

#[path = "../secret/answers.rs"]
mod answers;
#[path = "../client.rs"]
mod client;
#[path = "../secret/documents.rs"]
mod documents;
#[path = "../secret/revisions.rs"]
mod revisions;
#[path = "../secret/units.rs"]
mod units;

use std::fmt::Write as _;
use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use serde_json::json;
use simd_hcl::dialect::{List, root_schema};
use simd_hcl::diff::{Objects, changes};
use simd_hcl::directory::{DecodeOptions, MemoryFiles, ModuleFiles, in_memory};
use simd_hcl::evaluate::{Budget, Functions};
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::functions::{Environment, standard};
use simd_hcl::hidden::Hidden;
use simd_hcl::query::{Pattern, select};
use simd_hcl::representation::{self, Options};
use simd_hcl::stream::{Options as StreamOptions, Templates};
use simd_hcl::tree::{Secrets, Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Dialect, Document, Expression, ParsedFile, Source};

/// In every secret, and in nothing else.
const SECRET: &str = "Tr0ub4dor";

/// Functions but `nonsensitive`, which makes a value public.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let functions = standard();
    functions
        .names()
        .into_iter()
        .filter(|name| *name != "nonsensitive")
        .map(str::to_owned)
        .collect()
});

/// Adds a random expression.
fn expression(u: &mut Unstructured<'_>, depth: u8, out: &mut String) -> Result<()> {
    const LEAVES: [&str; 16] = [
        "var.s",
        "var.m",
        "var.l",
        "var.n",
        "var.e",
        "local.part",
        "local.text",
        "1",
        "\"a\"",
        "[]",
        "{}",
        "null",
        "true",
        "\"%d\"",
        "\"10.0.0.0/8\"",
        "x",
    ];
    const OPERATORS: [&str; 8] = ["+", "-", "/", "<", "==", "&&", "||", "%"];
    if depth == 0 {
        // `x` is a variable of a loop only.
        let leaf = u.choose(&LEAVES[..15])?;
        out.push_str(leaf);
        return Ok(());
    }
    let inner = |u: &mut Unstructured<'_>| {
        let mut text = String::new();
        expression(u, depth - 1, &mut text).map(|()| text)
    };
    match u.int_in_range(0..=11)? {
        0..=3 => {
            let name = u.choose(&NAMES)?;
            let count = u.int_in_range(0..=3)?;
            let arguments: Result<Vec<_>> = (0..count).map(|_| inner(u)).collect();
            let _ = write!(out, "{name}({})", arguments?.join(", "));
        }
        4 => {
            let (one, other) = (inner(u)?, inner(u)?);
            let _ = write!(out, "({one} {} {other})", u.choose(&OPERATORS)?);
        }
        5 => {
            let _ = write!(out, "({} ? {} : {})", inner(u)?, inner(u)?, inner(u)?);
        }
        6 => {
            let body = inner(u)?.replace("var.n", "x");
            let _ = write!(out, "[for x in {} : {body}]", inner(u)?);
        }
        7 => {
            let key = inner(u)?.replace("var.n", "x");
            let _ = write!(out, "{{ for k, x in {} : {key} => k }}", inner(u)?);
        }
        8 => {
            let _ = write!(out, "{{ ({}) = {}, b = {} }}", inner(u)?, inner(u)?, inner(u)?);
        }
        9 => {
            let _ = write!(out, "[{}, {}]", inner(u)?, inner(u)?);
        }
        10 => {
            let _ = write!(out, "({})[{}]", inner(u)?, inner(u)?);
        }
        _ => {
            let _ = write!(out, "\"a ${{{}}} b\"", inner(u)?);
        }
    }
    Ok(())
}

/// Expressions for the places of a configuration.
struct Parts {
    known: [String; 2],
    condition: String,
    message: String,
    each: String,
    block: String,
    content: String,
    passed: String,
}

impl Parts {
    fn new(u: &mut Unstructured<'_>) -> Result<Self> {
        let mut one = |depth| {
            let mut text = String::new();
            expression(u, depth, &mut text).map(|()| text)
        };
        Ok(Self {
            known: [one(4)?, one(4)?],
            condition: one(2)?,
            message: one(2)?,
            each: one(2)?,
            block: one(2)?,
            content: one(2)?,
            passed: one(2)?,
        })
    }

    fn native(&self) -> String {
        let Self { known: [input, triggers], condition, message, each, block, content, passed } =
            self;
        format!(
            r#"variable "s" {{
  default   = "{SECRET}"
  sensitive = true
}}
variable "m" {{
  type      = map(string)
  default   = {{ {SECRET} = "%{SECRET}" }}
  sensitive = true
}}
variable "l" {{
  default   = ["a: *{SECRET}", "{SECRET}", 1]
  sensitive = true
}}
variable "t" {{
  type      = object({{ a = optional(string, "{SECRET}") }})
  ephemeral = true
  default   = {{}}
}}
variable "n" {{
  default = "plain"
}}
variable "p" {{
  default = "{SECRET}"
}}
variable "e" {{
  default   = {{ {SECRET} = ["{SECRET}"] }}
  ephemeral = true
}}
locals {{
  part = {{ a = var.s, b = [var.l], c = "plain" }}
  text = "%d ${{var.s}},${{var.s}}"
  kept = "{SECRET}"
}}
output "o" {{
  sensitive = true
  value     = [cidrhost("{SECRET}", 1), {{ {SECRET} = 1, {SECRET} = 2 }}["x"]]
}}
module "c" {{
  source = "./c"
  inner  = [parseint("{SECRET}", 10), {{ {SECRET} = 1, {SECRET} = 2 }}]
  passed = var.p
  local  = local.kept
  open   = {passed}
}}
provider "x" {{
  token = {{ {SECRET} = var.n, x = "{SECRET}" }}
  text  = ["{SECRET}-${{"x"}}"]
}}
resource "terraform_data" "known" {{
  input            = {input}
  triggers_replace = {triggers}
  lifecycle {{
    precondition {{
      condition     = {condition}
      error_message = "${{{message}}}"
    }}
  }}
}}
resource "x_y" "z" {{
  for_each = {each}
  a = each.key
  dynamic "b" {{
    for_each = {block}
    labels   = [b.key]
    content {{
      k = {content}
    }}
  }}
}}
"#
        )
    }

    fn json(&self) -> String {
        let Self { known: [input, triggers], condition, message, each, block, content, passed } =
            self;
        let template = |text: &str| format!("${{{text}}}");
        json!({
            "variable": {
                "s": {"default": SECRET, "sensitive": true},
                "m": {"type": "map(string)", "default": {SECRET: format!("%{SECRET}")}, "sensitive": "true"},
                "l": [{"default": [format!("a: *{SECRET}"), SECRET, 1], "sensitive": true}],
                "t": {"type": format!("object({{ a = optional(string, \"{SECRET}\") }})"), "ephemeral": true, "default": {}},
                "n": {"default": "plain"},
                "p": {"default": SECRET},
                "e": {"default": {SECRET: [SECRET]}, "ephemeral": true},
            },
            "locals": {
                "part": {"a": "${var.s}", "b": ["${var.l}"], "c": "plain"},
                "text": "%d ${var.s},${var.s}",
                "kept": SECRET,
            },
            "output": {"o": {"sensitive": true, "value": [format!("${{cidrhost(\"{SECRET}\", 1)}}")]}},
            "module": {"c": {"source": "./c", "inner": [format!("${{parseint(\"{SECRET}\", 10)}}"), {SECRET: 1}],
                             "passed": "${var.p}", "local": "${local.kept}", "open": template(passed)}},
            "provider": {"x": [{"token": {SECRET: "${var.n}", "x": SECRET}, "text": [format!("{SECRET}-${{\"x\"}}")]}]},
            "resource": {
                "terraform_data": {"known": {
                    "input": template(input), "triggers_replace": template(triggers),
                    "lifecycle": {"precondition": [{"condition": template(condition),
                        "error_message": template(message)}]},
                }},
                "x_y": {"z": {"for_each": template(each), "a": "${each.key}", "dynamic": {"b": {
                    "for_each": template(block), "labels": ["${b.key}"], "content": {"k": template(content)},
                }}}},
            },
        })
        .to_string()
    }

    fn packer(&self) -> String {
        let Self { known: [input, _], .. } = self;
        let input =
            input.replace("var.l", "var.s").replace("var.e", "var.s").replace("var.n", "var.s");
        format!(
            r#"variable "s" {{
  default   = "{SECRET}"
  sensitive = true
}}
variable "m" {{
  type      = map(string)
  default   = {{ {SECRET} = "%{SECRET}" }}
  sensitive = true
}}
local "part" {{
  expression = "a {SECRET} b"
  sensitive  = true
}}
locals {{
  text = {input}
}}
source "null" "e" {{
  communicator = "none"
}}
build {{
  sources = ["source.null.e"]
}}
"#
        )
    }
}

/// The declarations of the called module.
const CALLED: &str = "variable \"inner\" {\n  sensitive = true\n}\nvariable \"passed\" {\n  ephemeral = true\n}\n\
                      variable \"local\" {\n  sensitive = true\n}\n\
                      variable \"open\" {}\n";

/// Names in source are not secret: they are taken out before the text is searched.
fn check(what: &str, text: &str, configuration: &str) {
    assert!(!text.contains(SECRET), "{what}: {text}\nof\n{configuration}");
}

/// A module of one file, and the module that it calls.
fn modules(name: &str, dialect: Dialect, text: &str) -> Vec<ModuleFiles> {
    let mut files = MemoryFiles::new("");
    files.insert(name, text.as_bytes().into()).expect("the name is plain");
    files.insert("c/called.tf", CALLED.as_bytes().into()).expect("the name is plain");
    in_memory(files, Some(dialect))
}

/// Commands that evaluate, or read modules together.
fn check_tree(arena: &Arena, modules: Vec<ModuleFiles>, text: &str) {
    let tree = Tree::load(arena, modules, &TreeOptions::default());
    let functions = Environment::new();
    let inputs =
        Inputs::new(arena).with_budget(Budget::new(100_000, 16 << 20)).with_functions(&functions);
    let expansion = tree.expand(0, &inputs);
    expansion.check();
    for found in tree.diagnostics().chain(&expansion.diagnostics()) {
        check("a diagnostic", &found.message(), text);
    }
    let all = Selection::default();
    check("expand", &to_string(Layout::Compact, |slot| expansion.write(&all, slot)), text);
    expansion.visit(&all, |instance| {
        check("an address", instance.address(), text);
        for (name, value) in instance.values().as_entries().unwrap_or_default() {
            check(name, &value.to_string(), text);
        }
    });
    for address in ["terraform_data.known.input", "x_y.z.a", "x_y.z.b", "local.part", "var.e"] {
        for origin in expansion.why(address).into_iter().flatten() {
            check("an origin", &format!("{} {}", origin.address, origin.value), text);
        }
    }
    for compat in [false, true] {
        let options = Options::default().with_compat(compat);
        let written = to_string(Layout::Compact, |slot| {
            let _ = representation::write(&tree, 0, &options, slot);
        });
        check("config", &written, text);
    }
}

/// Commands that read file by file.
fn check_file(
    parsed: ParsedFile<'_>,
    hidden: &Hidden,
    dialect: Dialect,
    (name, text): (&str, &str),
) {
    let list = List::Primary;
    let source = |value: Expression<'_>| String::from_utf8_lossy(value.text()).into_owned();
    for pattern in ["**", "variable.*", "module.*", "provider.**", "local.*", "locals.**"] {
        let pattern = Pattern::parse(pattern).expect("it is a pattern");
        for selected in select(&pattern, parsed, root_schema(dialect, list)) {
            let shown = match selected.hidden(hidden, list) {
                Some(shown) => shown.path().to_string(),
                None => format!("{} {}", selected.path(), source(selected.expression())),
            };
            check("query", &shown, text);
        }
    }
    for template in parsed.templates() {
        let shown = match hidden.path_of_template(list, &template) {
            Some(path) => path.to_string(),
            None => format!("{} {}", template.path(), template.text()),
        };
        check("templates", &shown, text);
    }
    let mut objects = Objects::read(parsed.source().arena(), dialect, [(list, name, parsed)]);
    objects.hide(hidden);
    let nothing =
        Objects::read(parsed.source().arena(), dialect, Vec::<(List, &str, ParsedFile<'_>)>::new());
    for leaf in changes(&nothing, &objects).into_iter().flat_map(|change| change.leaves) {
        let shown = match leaf.hidden {
            Some(path) => path.to_string(),
            None => format!("{} {}", leaf.path, leaf.after.map(source).unwrap_or_default()),
        };
        check("diff", &shown, text);
    }
}

/// Commands that read JSON as a stream.
fn check_stream(hidden: &Hidden, text: &str) {
    let unread = Hidden::unread();
    let mut templates = Templates::new(text.as_bytes(), StreamOptions::default());
    while let Ok(Some(found)) = templates.next() {
        let path = hidden.path_of_streamed(List::Primary, &found);
        let path = path.or_else(|| unread.path_of_streamed(List::Primary, &found));
        let shown = path.unwrap_or_else(|| format!("{} {}", found.path(), found.text()));
        check("templates of a stream", &shown, text);
    }
}

fn check_configuration(name: &str, dialect: Dialect, text: &str) {
    let arena = Arena::new();
    let modules = modules(name, dialect, text);
    let secrets = Secrets::of_modules(&modules, &DecodeOptions::default());
    let hidden = secrets.of(&modules[0], None);
    let source = Source::from_bytes(&arena, name, text.as_bytes()).expect("it is short");
    let parsed = if name.ends_with(".json") {
        ParsedFile::json(Document::parse(&arena, source).expect("it is JSON"))
    } else {
        ParsedFile::native(&arena, source)
    };
    check_file(parsed, &hidden, dialect, (name, text));
    if name.ends_with(".json") {
        check_stream(&hidden, text);
    }
    if dialect == Dialect::Packer {
        let tree = Tree::load(&arena, modules, &TreeOptions::default());
        for found in tree.diagnostics() {
            check("a diagnostic", &found.message(), text);
        }
    } else {
        check_tree(&arena, modules, text);
    }
}

fuzz_target!(|data: &[u8]| {
    let mut u = Unstructured::new(data);
    let dialect =
        if u.ratio(1, 2).unwrap_or(false) { Dialect::Terraform } else { Dialect::OpenTofu };
    let Ok(parts) = Parts::new(&mut u) else { return };
    let (native, json) = (parts.native(), parts.json());
    check_configuration("main.tf", dialect, &native);
    check_configuration("main.tf.json", dialect, &json);
    check_configuration("main.pkr.hcl", Dialect::Packer, &parts.packer());
    // Less often what takes long.
    match u.int_in_range(0..=7) {
        Ok(0) => drop(units::run(&mut u)),
        Ok(1) => answers::run("main.tf", &native),
        Ok(2) => answers::run("main.tf.json", &json),
        Ok(3) => {
            let Ok(other) = Parts::new(&mut u) else { return };
            revisions::run("main.tf", dialect, &native, &other.native());
            revisions::run("main.tf.json", dialect, &json, &other.json());
        }
        _ => drop(documents::run(&mut u, &native)),
    }
});
