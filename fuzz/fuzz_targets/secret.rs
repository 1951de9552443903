//! Secrets in configuration: random expressions over sensitive and ephemeral variables, in arguments,
//! keys, conditions and blocks. Nothing that is printed has a byte of the secret: diagnostics, values,
//! origins, the representation, what a query selects, and differences.
#![no_main]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use simd_hcl::dialect::{FileKind, List, root_schema};
use simd_hcl::diff::{Objects, changes};
use simd_hcl::directory::{DecodeOptions, ModuleFile, ModuleFiles};
use simd_hcl::evaluate::{Budget, Functions};
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::functions::{Environment, standard};
use simd_hcl::hidden::Hidden;
use simd_hcl::query::{Pattern, select};
use simd_hcl::representation::{self, Options};
use simd_hcl::source::{Access, SourceError};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Dialect, ParsedFile, Source};

/// In every secret, and in nothing else.
const SECRET: &str = "Tr0ub4dor";

/// The text of the only file.
static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

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

const ROOT: &str = "/no/such/directory";

fn open<'a>(
    arena: &'a Arena,
    path: &Path,
    _: Access,
) -> std::result::Result<Source<'a>, SourceError> {
    let text = TEXT.lock().unwrap_or_else(PoisonError::into_inner);
    Source::read_from(arena, &path.to_string_lossy(), text.as_slice())
}

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

fn configuration(u: &mut Unstructured<'_>) -> Result<String> {
    let mut text = format!(
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
variable "n" {{
  default = "plain"
}}
variable "e" {{
  default   = {{ {SECRET} = ["{SECRET}"] }}
  ephemeral = true
}}
locals {{
  part = {{ a = var.s, b = [var.l], c = "plain" }}
  text = "%d ${{var.s}},${{var.s}}"
}}
resource "terraform_data" "known" {{
"#
    );
    for name in ["input", "triggers_replace"] {
        let _ = write!(text, "  {name} = ");
        expression(u, 4, &mut text)?;
        text.push('\n');
    }
    text.push_str("  lifecycle {\n    precondition {\n      condition     = ");
    expression(u, 2, &mut text)?;
    text.push_str("\n      error_message = \"${");
    expression(u, 2, &mut text)?;
    text.push_str("}\"\n    }\n  }\n}\nresource \"x_y\" \"z\" {\n  for_each = ");
    expression(u, 2, &mut text)?;
    text.push_str("\n  a = each.key\n  dynamic \"b\" {\n    for_each = ");
    expression(u, 2, &mut text)?;
    text.push_str("\n    labels   = [b.key]\n    content {\n      k = ");
    expression(u, 2, &mut text)?;
    text.push_str("\n    }\n  }\n}\n");
    Ok(text)
}

/// Names in source are not secret: they are taken out before the text is searched.
fn check(what: &str, text: &str, configuration: &str) {
    assert!(!text.contains(SECRET), "{what}: {text}\nof\n{configuration}");
}

fuzz_target!(|data: &[u8]| {
    let mut u = Unstructured::new(data);
    let dialect =
        if u.ratio(1, 2).unwrap_or(false) { Dialect::Terraform } else { Dialect::OpenTofu };
    let Ok(text) = configuration(&mut u) else { return };
    *TEXT.lock().unwrap_or_else(PoisonError::into_inner) = text.clone().into_bytes();

    let kind = FileKind::of("main.tf".as_ref(), dialect).expect("the name is one of the dialect");
    let file = ModuleFile::new("main.tf".into(), Path::new(ROOT).join("main.tf"), kind);
    let module = ModuleFiles { path: Path::new(ROOT).into(), dialect, files: vec![file] };
    let arena = Arena::new();
    let decode = DecodeOptions::default().with_open(open);
    let options = TreeOptions::default().with_decode(decode);
    let tree = Tree::load(&arena, vec![module], &options);
    let functions = Environment::new();
    let inputs =
        Inputs::new(&arena).with_budget(Budget::new(100_000, 16 << 20)).with_functions(&functions);
    let expansion = tree.expand(0, &inputs);
    expansion.check();
    for found in tree.diagnostics().chain(&expansion.diagnostics()) {
        check("a diagnostic", &found.message(), &text);
    }
    let all = Selection::default();
    check("expand", &to_string(Layout::Compact, |slot| expansion.write(&all, slot)), &text);
    expansion.visit(&all, |instance| {
        check("an address", instance.address(), &text);
        for (name, value) in instance.values().as_entries().unwrap_or_default() {
            check(name, &value.to_string(), &text);
        }
    });
    for address in ["terraform_data.known.input", "x_y.z.a", "x_y.z.b", "local.part", "var.e"] {
        for origin in expansion.why(address).into_iter().flatten() {
            check("an origin", &format!("{} {}", origin.address, origin.value), &text);
        }
    }
    for compat in [false, true] {
        let options = Options::default().with_compat(compat);
        let written = to_string(Layout::Compact, |slot| {
            let _ = representation::write(&tree, 0, &options, slot);
        });
        check("config", &written, &text);
    }

    let source = Source::from_bytes(&arena, "main.tf", text.as_bytes()).expect("it is short");
    let parsed = ParsedFile::native(&arena, source);
    let mut hidden = Hidden::default();
    hidden.add(dialect, List::Primary, parsed);
    let pattern = Pattern::parse("variable.**").expect("it is a pattern");
    for selected in select(&pattern, parsed, root_schema(dialect, List::Primary)) {
        let shown = match selected.hidden(&hidden, List::Primary) {
            Some(shown) => shown.name(),
            None => {
                let source = String::from_utf8_lossy(selected.expression().text());
                format!("{} {source}", selected.name())
            }
        };
        check("query", &shown, &text);
    }
    let objects = Objects::read(&arena, dialect, [(List::Primary, "main.tf", parsed)]);
    let nothing = Objects::read(&arena, dialect, Vec::<(List, &str, ParsedFile<'_>)>::new());
    for leaf in changes(&nothing, &objects).into_iter().flat_map(|change| change.leaves) {
        let shown = match leaf.hidden {
            Some(path) => path.to_string(),
            None => format!(
                "{} {}",
                leaf.path,
                String::from_utf8_lossy(leaf.after.map_or(&b""[..], |after| after.text()))
            ),
        };
        check("diff", &shown, &text);
    }
});
