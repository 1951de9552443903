//! Units and a stack of Terragrunt that pass secrets to a module: what is made of these anywhere, in inputs,
//! local values, generated files, arguments, values of a stack and of other units.

use std::fs;
use std::path::Path;

use arbitrary::{Result, Unstructured};
use simd_hcl::evaluate::Budget;
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::functions::Environment;
use simd_hcl::terragrunt::{Options, Run, Runs, check as check_units, find};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Dialect};

use super::{SECRET, check, expression};

const MODULE: &str = r#"variable "pw" {
  sensitive = true
}
variable "tok" {
  ephemeral = true
}
variable "open" {
  default = null
}
variable "more" {
  default = null
}
resource "terraform_data" "r" {
  input = [var.pw, var.open, var.more]
}
output "o" {
  value = var.open
}
"#;

/// An expression over the local values of a unit, all but one of which a secret variable gets.
fn of_unit(u: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    expression(u, 2, &mut text)?;
    for name in ["s", "m", "l", "n", "e"] {
        text = text.replace(&format!("var.{name}"), &format!("local.{name}"));
    }
    Ok(text)
}

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().expect("it is below")).expect("created");
    fs::write(path, text).expect("written");
}

/// One repository.
pub(super) fn run(u: &mut Unstructured<'_>) -> Result<()> {
    let mut one = || of_unit(u);
    let unit = format!(
        r#"include "root" {{
  path   = "../root.hcl"
  expose = true
}}
locals {{
  s    = "{SECRET}"
  m    = {{ {SECRET} = "%{SECRET}" }}
  l    = ["a: *{SECRET}", "{SECRET}", 1]
  n    = "plain"
  e    = {{ {SECRET} = ["{SECRET}"] }}
  part = {{ a = local.s, b = [local.l], c = "plain" }}
  text = "%d ${{local.s}}"
  made = {made}
}}
terraform {{
  source = "../../m"
  extra_arguments "e" {{
    commands  = ["plan"]
    arguments = ["-var=pw=${{local.s}}", "-lock=${{{argument}}}"]
    env_vars  = {{ TF_VAR_tok = local.s, TF_VAR_more = {variable} }}
  }}
}}
generate "p" {{
  path      = "p.tf"
  if_exists = "overwrite"
  contents  = "provider \"x\" {{\n  token = \"${{local.s}}\"\n  url = \"${{{generated}}}\"\n}}\n"
}}
inputs = {{
  pw   = [local.s, local.m, local.l, local.e, include.root.locals.r]
  open = {open}
}}
"#,
        made = one()?,
        argument = one()?,
        variable = one()?,
        generated = one()?,
        open = one()?,
    );
    let other = format!(
        r#"dependency "u" {{
  config_path  = "../u"
  mock_outputs = {{ o = local.s }}
}}
locals {{
  u = read_terragrunt_config("../u/terragrunt.hcl")
  s = "{SECRET}"
  m = local.u.locals.m
  l = local.u.inputs.pw
  n = "plain"
  e = local.s
  part = local.s
  text = local.u.locals.text
}}
terraform {{
  source = "../../m"
}}
inputs = {{ pw = [dependency.u.outputs.o, local.s], open = {open}, more = {more} }}
"#,
        open = one()?,
        more = one()?,
    );
    let stack = format!(
        r#"locals {{
  s = "{SECRET}"
  m = {{ {SECRET} = local.s }}
  l = [local.s]
  n = "plain"
  e = local.s
  part = local.s
  text = local.s
}}
unit "w" {{
  source = "../template"
  path   = "w"
  values = {{ pw = [local.s, local.m], open = {open} }}
}}
"#,
        open = one()?,
    );
    let template = "terraform {\n  source = \"${get_repo_root()}/m\"\n}\ninputs = { pw = values.pw, open = values.open }\n";
    let root_file = format!("locals {{\n  r = \"{SECRET}\"\n}}\ninputs = {{ more = local.r }}\n");
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path();
    fs::create_dir(root.join(".git")).expect("created");
    for (name, text) in [
        ("m/main.tf", MODULE),
        ("live/root.hcl", &root_file),
        ("live/u/terragrunt.hcl", &unit),
        ("live/v/terragrunt.hcl", &other),
        ("live/stack/terragrunt.stack.hcl", &stack),
        ("live/template/terragrunt.hcl", template),
    ] {
        write(root, name, text);
    }
    let all = format!("{unit}\n{other}\n{stack}");
    check_all(root, &all);
    Ok(())
}

fn check_all(root: &Path, text: &str) {
    let options = Options::default()
        .with_details(true)
        .with_files(true)
        .with_inputs(true)
        .with_values(true)
        .with_stacks(true);
    let found = find(root, &options);
    for unit in &found.units {
        if let Some(rendered) = &unit.rendered {
            let shown = to_string(Layout::Compact, |slot| {
                let mut object = slot.object();
                rendered.write(&mut object);
            });
            check("a unit", &shown, text);
        }
        let lists = [&unit.dependencies, &unit.reading, &unit.also_reading];
        check("the lists of a unit", &format!("{lists:?} {:?}", unit.source), text);
    }
    for gap in &found.gaps {
        check("a gap", &format!("{} {}", gap.place, gap.why), text);
    }
    let arena = Arena::new();
    let checked = check_units(&arena, root, &options);
    for diagnostic in &checked.diagnostics {
        check("a diagnostic of units", &diagnostic.message(), text);
    }
    for gap in &checked.gaps {
        check("a gap of units", &format!("{} {}", gap.place, gap.why), text);
    }
    let Ok(runs) = Runs::open(&arena, root, &options) else { return };
    for unit in &found.units {
        let run = runs.run(&unit.folder);
        for gap in &run.gaps {
            check("a gap of a run", &format!("{} {}", gap.place, gap.why), text);
        }
        check_run(&arena, &runs, &run, text);
    }
}

/// The module as a unit runs it.
fn check_run<'a>(arena: &'a Arena, runs: &Runs<'a>, run: &Run<'_>, text: &str) {
    let Ok(Some(files)) = runs.files(run, Dialect::OpenTofu) else { return };
    let tree = Tree::load(arena, vec![files], &TreeOptions::default());
    let functions = Environment::new();
    let mut inputs =
        Inputs::new(arena).with_budget(Budget::new(100_000, 16 << 20)).with_functions(&functions);
    for (name, text) in &run.environment {
        inputs = inputs.with_environment(name, text);
    }
    for name in &run.hidden {
        inputs = inputs.with_hidden_variable(name);
    }
    for made in run.generated.iter().filter(|made| made.is_hidden) {
        for file in tree.modules()[0].files.files.iter().filter(|file| *file.name == *made.path) {
            inputs = inputs.with_hidden_file(&file.path.to_string_lossy());
        }
    }
    for (name, value) in run.inputs.iter().flatten() {
        inputs = inputs.with_value(name, value.copy_to(arena), &run.origin);
    }
    let expansion = tree.expand(0, &inputs);
    expansion.check();
    for diagnostic in tree.diagnostics().chain(&expansion.diagnostics()) {
        check("a diagnostic of a run", &diagnostic.message(), text);
    }
    let all = Selection::default();
    let shown = to_string(Layout::Compact, |slot| expansion.write(&all, slot));
    check("expand of a run", &shown, text);
    for address in ["terraform_data.r.input", "output.o", "var.open", "var.more"] {
        for origin in expansion.why(address).into_iter().flatten() {
            check("an origin of a run", &format!("{} {}", origin.address, origin.value), text);
        }
    }
}
