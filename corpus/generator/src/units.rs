//! Units of Terragrunt on top of modules, and the truth about them: which units read which file is known
//! when they are written, not found out from them.
//!
//! Units are `units/e03/u00042`: each includes `root.hcl` and one of `kinds/k0007.hcl`, which says what
//! its module is, and reads what its environment has; some depend on earlier units.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use crate::readers::Readers;
use crate::rng::Rng;

/// The options of [`units`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitOptions {
    /// Units, thirty in each environment.
    pub units: u64,
    /// Files that units include beside `root.hcl`, each with a module of its own.
    pub kinds: u64,
    /// The same seed gives the same units, on every platform.
    pub seed: u64,
}

/// Units in one environment.
const OF_ENVIRONMENT: u64 = 30;

const ROOT: &str = r#"locals {
  tags  = yamldecode(file("${get_repo_root()}/tags.yaml"))
  parts = split("/", path_relative_to_include())
}
generate "provider" {
  path      = "generated_provider.tf"
  if_exists = "overwrite_terragrunt"
  contents  = <<-E
    provider "x" {
      alias = "${local.parts[1]}"
    }
  E
}
remote_state {
  backend = "s3"
  generate = {
    path      = "generated_backend.tf"
    if_exists = "overwrite_terragrunt"
  }
  config = {
    bucket = "states"
    key    = "${path_relative_to_include()}/terraform.tfstate"
    region = "eu-central-1"
  }
}
inputs = {
  tags = merge(local.tags, { unit = path_relative_to_include() })
}
"#;

/// Writes units below `root`. The units run the root modules of `readers`, which are below `root`, or
/// without any, modules that are written, too. Returns which units read which file.
///
/// # Errors
///
/// The first directory or file that cannot be written.
pub fn units(options: &UnitOptions, readers: &Readers, root: &Path) -> io::Result<Readers> {
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(path, text)
    };
    let known: BTreeSet<&String> = readers.values().flatten().collect();
    let known: Vec<&String> = known.into_iter().collect();
    write("root.hcl", ROOT)?;
    write("tags.yaml", "owner: us\n")?;
    let mut modules: Vec<String> = Vec::new();
    for kind in 0..options.kinds.max(1) {
        let module = match known.get((kind as usize * 7) % known.len().max(1)) {
            Some(module) => (*module).clone(),
            None => {
                let module = format!("modules/m{kind:04}");
                write(&format!("{module}/main.tf"), MODULE)?;
                module
            }
        };
        let text = format!(
            "locals {{\n  text = file(\"${{get_repo_root()}}/kinds/k{kind:04}.txt\")\n}}\n\
             terraform {{\n  source = \"${{get_repo_root()}}/{module}\"\n}}\n\
             inputs = {{\n  kind = trimspace(local.text)\n}}\n"
        );
        write(&format!("kinds/k{kind:04}.hcl"), &text)?;
        write(&format!("kinds/k{kind:04}.txt"), &format!("kind {kind}\n"))?;
        modules.push(module);
    }
    let mut truth = Readers::new();
    // The dependencies of each unit, by the names of earlier units.
    let mut before: Vec<(String, Option<usize>)> = Vec::new();
    for index in 0..options.units {
        let mut rng = Rng::of(options.seed, 403, index);
        let environment = index / OF_ENVIRONMENT;
        let folder = format!("units/e{environment:02}");
        let own = format!("{folder}/u{index:05}");
        let kind = rng.below(options.kinds.max(1));
        let mut reads: Vec<String> = vec![
            "root.hcl".to_owned(),
            "tags.yaml".to_owned(),
            format!("{folder}/env.hcl"),
            format!("{folder}/env.yaml"),
            format!("kinds/k{kind:04}.hcl"),
            format!("kinds/k{kind:04}.txt"),
            format!("{own}/terragrunt.hcl"),
        ];
        let mut others = vec![format!("{own}/readme.md"), format!("{folder}/env.yml")];
        if index % OF_ENVIRONMENT == 0 {
            let text =
                "locals {\n  all = yamldecode(file(\"env.yaml\"))\n  name = local.all.name\n}\n";
            write(&format!("{folder}/env.hcl"), text)?;
            write(&format!("{folder}/env.yaml"), &format!("name: e{environment}\nsize: 3\n"))?;
        }
        let mut text = format!(
            "include \"root\" {{\n  path = find_in_parent_folders(\"root.hcl\")\n}}\n\
             include \"kind\" {{\n  path   = \"${{get_repo_root()}}/kinds/k{kind:04}.hcl\"\n  expose = true\n}}\n\
             locals {{\n  env  = read_terragrunt_config(find_in_parent_folders(\"env.hcl\")).locals\n\
             \x20 name = \"${{local.env.name}}-u{index}\"\n"
        );
        let mut inputs =
            "inputs = {\n  name = local.name\n  kind_text = include.kind.locals.text\n".to_owned();
        if rng.one_in(2) {
            text.push_str("  own = jsondecode(file(\"own.json\"))\n");
            inputs.push_str("  own = local.own.size\n");
            write(&format!("{own}/own.json"), "{\"size\": 1}\n")?;
            reads.push(format!("{own}/own.json"));
        }
        if rng.one_in(4) {
            text.push_str("  marked = mark_glob_as_read(\"conf/*.json\")\n");
            write(&format!("{own}/conf/a.json"), "{}\n")?;
            reads.extend([format!("{own}/conf/a.json"), format!("{own}/conf/new.json")]);
            others.push(format!("{own}/conf/new.txt"));
        }
        text.push_str("}\n");
        let mut needed = None;
        if index % OF_ENVIRONMENT > 0 && rng.one_in(3) {
            let first = index - index % OF_ENVIRONMENT;
            let other = first + rng.below(index - first);
            needed = Some(other as usize);
            text.push_str(&format!(
                "dependency \"before\" {{\n  config_path  = \"../u{other:05}\"\n  mock_outputs = {{ id = \"mock\" }}\n}}\n"
            ));
            inputs.push_str("  before = dependency.before.outputs.id\n");
        }
        inputs.push_str("}\n");
        write(&format!("{own}/terragrunt.hcl"), &(text + &inputs))?;
        let module = &modules[kind as usize];
        let of_module = readers.iter().filter(|(_, roots)| roots.contains(module));
        reads.extend(of_module.map(|(file, _)| file.clone()));
        if readers.is_empty() {
            reads.push(format!("{module}/main.tf"));
        }
        for file in reads {
            truth.entry(file).or_default().insert(own.clone());
        }
        for file in others {
            truth.entry(file).or_default();
        }
        before.push((own, needed));
    }
    // A unit is affected by what affects those that it depends on, which stand before it.
    for units in truth.values_mut() {
        for (own, needed) in &before {
            if needed.is_some_and(|needed| units.contains(&before[needed].0)) {
                units.insert(own.clone());
            }
        }
    }
    Ok(truth)
}

const MODULE: &str = r#"variable "name" {
  type = string
}
variable "tags" {
  type = map(string)
}
variable "before" {
  type    = string
  default = ""
}
resource "x_y" "main" {
  name   = var.name
  before = var.before
  tags   = var.tags
}
output "id" {
  value = x_y.main.id
}
"#;
