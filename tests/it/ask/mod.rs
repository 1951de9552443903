//! Answers about a tree of three modules, in both syntaxes.

mod completion;
mod places;
mod shown;
mod typing;

use std::collections::BTreeMap;
use std::fs;

use simd_hcl::ask::{Answers, FileSpan};
use simd_hcl::convert::to_json;
use simd_hcl::dialect::{Dialect, List};
use simd_hcl::show::BodySchemas;
use simd_hcl::structure::File;
use simd_hcl::tree::Tree;
use simd_hcl::{Arena, Source};

/// The files of a tree: a root module, which calls `net`, which calls `leaf`.
const FILES: [(&str, &str); 7] = [
    (
        "main",
        r#"variable "size" {
  type        = number
  default     = 3
  description = "How many."
}

variable "token" {
  type      = string
  default   = "hunter2-hunter2"
  sensitive = true
}

variable "people" {
  type    = map(object({ email = string, age = optional(number) }))
  default = { ann = { email = "ann@example.com" } }
}

locals {
  tags = {
    Name  = "web"
    owner = { team = "ops" }
  }
  twice = var.size * 2
  names = [for key, person in var.people : "${key}-${person.email}"]
}

module "net" {
  source = "./modules/net"
  size   = local.twice
  token  = var.token
}

resource "terraform_data" "web" {
  for_each = var.people
  input    = "${local.tags.Name} ${each.value.email} ${file("${path.module}/user.txt")}"
}

output "id" {
  value = module.net.id
}
"#,
    ),
    (
        "modules/net/net",
        r#"variable "size" {
  type        = number
  description = "Hosts."
}

variable "token" {
  type      = string
  sensitive = true
}

module "leaf" {
  source = "../leaf"
  hosts  = var.size
}

locals {
  secret = "${var.token}!"
}

output "id" {
  value       = "net-${module.leaf.id}"
  description = "The id."
}
"#,
    ),
    (
        "modules/leaf/leaf",
        r#"variable "hosts" {
  type = number
}

resource "terraform_data" "x" {
  input = var.hosts
}

output "id" {
  value = "leaf-${max(var.hosts, 1)}"
}
"#,
    ),
    ("terraform.tfvars", "size = 5\n"),
    (
        "tests/all.tftest",
        "variables {\n  size = 4\n}\n\nrun \"one\" {\n  assert {\n    condition     = var.size > 1\n    error_message = \"small\"\n  }\n}\n",
    ),
    ("moved", "moved {\n  from = terraform_data.old\n  to   = terraform_data.web\n}\n"),
    (
        "image.pkr",
        "variable \"region\" {\n  default = \"eu\"\n}\n\nlocals {\n  zone = \"${var.region}-1\"\n}\n\nsource \"null\" \"a\" {\n  communicator = local.zone\n}\n\nbuild {\n  sources = [\"source.null.a\"]\n}\n",
    ),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    Native,
    Json,
}

const BOTH: [Syntax; 2] = [Syntax::Native, Syntax::Json];

/// The name of a file in a syntax.
fn name_of(stem: &str, syntax: Syntax) -> String {
    let native = match stem {
        _ if stem.ends_with(".pkr") || stem.ends_with(".tftest") => format!("{stem}.hcl"),
        _ if stem.ends_with(".tfvars") => stem.to_owned(),
        _ => format!("{stem}.tf"),
    };
    match syntax {
        Syntax::Native => native,
        Syntax::Json => match native.strip_suffix(".hcl") {
            Some(stem) => format!("{stem}.json"),
            None => format!("{native}.json"),
        },
    }
}

fn list_of(stem: &str) -> (Dialect, List) {
    match stem {
        _ if stem.ends_with(".pkr") => (Dialect::Packer, List::Primary),
        _ if stem.ends_with(".tftest") => (Dialect::OpenTofu, List::Test),
        _ if stem.ends_with(".tfvars") => (Dialect::OpenTofu, List::Variables),
        _ => (Dialect::OpenTofu, List::Primary),
    }
}

/// The text of a file in a syntax.
fn text_of(stem: &str, native: &str, syntax: Syntax) -> String {
    if syntax == Syntax::Native {
        return native.to_owned();
    }
    let arena = Arena::new();
    let source = Source::copy_from(&arena, stem, native.as_bytes()).unwrap();
    to_json(File::parse(&arena, source, &mut ()), Some(list_of(stem)), &mut ()).text
}

/// A tree on disk.
struct World {
    directory: tempfile::TempDir,
    syntax: Syntax,
    /// The texts by their names without endings.
    texts: BTreeMap<&'static str, String>,
}

impl World {
    fn new(syntax: Syntax) -> Self {
        Self::with(syntax, &[])
    }

    /// A tree in which some files have another text.
    fn with(syntax: Syntax, changed: &[(&'static str, &str)]) -> Self {
        let mut texts: BTreeMap<&str, String> =
            FILES.map(|(stem, text)| (stem, text_of(stem, text, syntax))).into();
        texts.extend(changed.iter().map(|(stem, text)| (*stem, (*text).to_owned())));
        let directory = tempfile::tempdir().unwrap();
        for (stem, text) in &texts {
            let path = directory.path().join(name_of(stem, syntax));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self { directory, syntax, texts }
    }

    /// The name of a file in the tree.
    fn file(&self, stem: &str) -> String {
        let path = self.directory.path().join(name_of(stem, self.syntax));
        path.to_str().unwrap().to_owned()
    }

    /// The offset of the first place of a text in a file, and of a part of it.
    fn offset(&self, stem: &str, around: &str, part: &str) -> u32 {
        let text = &self.texts[stem];
        let at = text.find(around).unwrap_or_else(|| panic!("{around} in {text}"));
        (at + around.find(part).unwrap()) as u32
    }

    fn ask<R>(&self, ask: impl for<'t, 'a> FnOnce(&Answers<'t, 'a>) -> R) -> R {
        let arena = Arena::new();
        let tree = Tree::open(&arena, &[self.directory.path()]).unwrap();
        let schemas = BodySchemas::built_in(&arena);
        ask(&Answers::new(&tree, &schemas))
    }

    /// The name of a file without its ending, and the text of a span.
    fn written(&self, place: &FileSpan) -> (String, String) {
        let relative = place.file.strip_prefix(self.directory.path().to_str().unwrap()).unwrap();
        let relative = relative.trim_start_matches(['/', '\\']).replace('\\', "/");
        let stem = self.texts.keys().find(|stem| name_of(stem, self.syntax) == relative).unwrap();
        let text = &self.texts[stem];
        let span = place.span;
        ((*stem).to_owned(), text[span.start as usize..span.end as usize].to_owned())
    }
}
