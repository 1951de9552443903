//! No command shows what must not be shown: values of sensitive and ephemeral variables and outputs,
//! in values, keys, messages and texts, in every format. Source text is shown as such.

use crate::tool::{run, status, stderr, stdout, tree};

/// In every secret of the files below. Lines of source that have it are in excerpts of diagnostics only.
const SECRET: &str = "Tr0ub4dor";

const NATIVE: &[(&str, &str)] = &[
    (
        "m/main.tf",
        r#"
variable "pw" {
  default   = "Tr0ub4dor-1"
  sensitive = true
}
variable "token" {
  default   = { "Tr0ub4dor-key" = "Tr0ub4dor-2" }
  ephemeral = true
}
variable "elsewhere" {
  default = "Tr0ub4dor-3"
}
variable "open" {
  default = "public"
}
output "secret" {
  value     = "Tr0ub4dor-4"
  sensitive = true
}
output "open" {
  value = var.open
}
locals {
  marked = sensitive("Tr0ub4dor-5")
  spaced = sensitive ("Tr0ub4dor-6")
  nested = { a = [core::sensitive("Tr0ub4dor-7")], b = "public" }
  text   = "a ${sensitive("Tr0ub4dor-8")} b"
  plain  = nonsensitive("public")
}
module "c" {
  source = "./c"
}
resource "x_y" "z" {
  a = var.pw
  b = var.token
  dynamic "d" {
    for_each = var.token
    content {
      k = d.key
    }
  }
}
"#,
    ),
    ("m/c/c.tf", "variable \"inner\" {\n  sensitive = true\n}\n"),
    ("m/x_override.tf", "variable \"elsewhere\" {\n  sensitive = true\n}\n"),
    (
        "m/terraform.tfvars",
        "pw = \"Tr0ub4dor-11\"\ntoken = { Tr0ub4dor-k = \"Tr0ub4dor-12\" }\nopen = \"public\"\n",
    ),
];

const JSON: &[(&str, &str)] = &[
    (
        "m/main.tf.json",
        r#"{"variable": {
    "pw": {"default": "Tr0ub4dor-1", "sensitive": true},
    "token": {"default": {"Tr0ub4dor-key": "Tr0ub4dor-2"}, "ephemeral": "true"},
    "elsewhere": [{"default": "Tr0ub4dor-3"}],
    "open": {"default": "public"}},
  "output": {"secret": {"value": "Tr0ub4dor-4", "sensitive": true}, "open": {"value": "${var.open}"}},
  "locals": {
    "marked": "${sensitive(\"Tr0ub4dor-5\")}",
    "spaced": "${ sensitive (\"Tr0ub4dor-6\") }",
    "escaped": "${\u0073ensitive(\"Tr0ub4dor-6\")}",
    "nested": {"a": ["${core::sensitive(\"Tr0ub4dor-7\")}"], "b": "public"},
    "text": "a ${sensitive(\"Tr0ub4dor-8\")} b", "plain": "${nonsensitive(\"public\")}"},
  "module": {"c": {"source": "./c"}},
  "resource": {"x_y": {"z": {"a": "${var.pw}", "b": "${var.token}",
    "dynamic": {"d": {"for_each": "${var.token}", "content": {"k": "${d.key}"}}}}}}}"#,
    ),
    ("m/c/c.tf.json", r#"{"variable": {"inner": {"sensitive": true}}}"#),
    ("m/x_override.tf.json", r#"{"variable": {"elsewhere": {"sensitive": true}}}"#),
    (
        "m/terraform.tfvars.json",
        r#"{"pw": "Tr0ub4dor-11", "token": {"Tr0ub4dor-k": "Tr0ub4dor-12"}, "open": "public"}"#,
    ),
];

const PACKER: &[(&str, &str)] = &[(
    "m/a.pkr.hcl",
    r#"
variable "pw" {
  default   = "Tr0ub4dor-1"
  sensitive = true
}
variable "open" {
  default = "public"
}
local "t" {
  sensitive  = true
  expression = "Tr0ub4dor-2"
}
source "null" "e" {
  communicator = "none"
}
build {
  sources = ["source.null.e"]
}
"#,
)];

const FORMATS: [&str; 4] = ["human", "json", "ndjson", "csv"];

/// Commands that print values of configuration, with and without what shows secrets.
fn commands(is_packer: bool) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<&str>> = Vec::new();
    for format in FORMATS {
        for pattern in [
            "**",
            "*",
            "variable",
            "variable.*",
            "variable.*.default",
            "variable.**",
            "output.*.value",
            "locals.*",
            "local.**",
            "**.a",
        ] {
            all.push(vec!["query", pattern, "m", "--format", format]);
        }
        all.push(vec!["inspect", "m", "--format", format]);
        all.push(vec!["templates", "m", "--format", format]);
        all.push(vec!["diff", "none", "m", "--format", format]);
        all.push(vec!["diff", "m", "none", "--format", format]);
        all.push(vec!["diff", "other", "m", "--format", format]);
    }
    if !is_packer {
        for format in ["human", "json", "ndjson"] {
            all.push(vec!["config", "m", "--format", format]);
            all.push(vec!["config", "m", "--compat", "--format", format]);
            all.push(vec!["expand", "m", "--format", format]);
            for address in ["x_y.z.a", "x_y.z.d", "output.secret", "local.marked", "var.token"] {
                all.push(vec!["why", address, "m", "--format", format]);
            }
        }
        all.push(vec!["inspect", "m", "--compat", "--format", "json"]);
    }
    all.into_iter().map(|command| command.into_iter().map(str::to_owned).collect()).collect()
}

#[test]
fn values_of_configuration_are_hidden() {
    for files in [NATIVE, JSON, PACKER] {
        let is_packer = files == PACKER;
        let other: Vec<(String, String)> = files
            .iter()
            .map(|(name, text)| {
                (name.replacen("m/", "other/", 1), text.replace(SECRET, "Other-Tr0ub4dor"))
            })
            .collect();
        let all = files.iter().copied();
        let all = all.chain(other.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        let empty = if is_packer { "none/a.pkr.hcl" } else { "none/a.tf" };
        let all: Vec<_> = all.chain([(empty, "")]).collect();
        let tree = tree(&all);
        let mut shown = 0;
        for command in commands(is_packer) {
            let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
            let output = run(tree.path(), &arguments);
            let text = stdout(&output) + &stderr(&output);
            assert_ne!(status(&output), 2, "{arguments:?}: {text}");
            assert!(!text.contains(SECRET), "{arguments:?}: {text}");
            let with_secrets: Vec<&str> =
                arguments.iter().copied().chain(["--show-sensitive"]).collect();
            let output = run(tree.path(), &with_secrets);
            shown += usize::from(stdout(&output).contains(SECRET));
        }
        assert!(shown > 30, "{shown}");
    }
}

/// The tree says which arguments of calls are secret, directly or through variables.
#[test]
fn config_hides_what_calls_pass_to_sensitive_variables() {
    let main = r#"
variable "a" {
  default = "Tr0ub4dor-a"
}
variable "open" {
  default = "public-a"
}
module "c" {
  source = "./c"
  first  = "Tr0ub4dor-first"
  second = var.a
  third  = "public-c"
}
"#;
    let called = r#"
variable "first" {
  sensitive = true
}
variable "second" {}
variable "third" {}
module "d" {
  source = "../d"
  inner  = "${var.second}"
}
"#;
    let tree = tree(&[
        ("main.tf", main),
        ("c/main.tf", called),
        ("d/main.tf", "variable \"inner\" {\n  ephemeral = true\n}\n"),
    ]);
    let text = stdout(&run(tree.path(), &["config", "."]));
    assert!(!text.contains(SECRET), "{text}");
    assert!(text.contains("public-a") && text.contains("public-c"), "{text}");
    let text = stdout(&run(tree.path(), &["config", ".", "--show-sensitive"]));
    assert_eq!(text.matches(SECRET).count(), 2, "{text}");
}

/// A module, a module that it calls, one that both call, and tests of the last, in either syntax.
const CALLS: [&[(&str, &str)]; 2] = [
    &[
        (
            "m/main.tf",
            r#"
variable "a" {
  default = "Tr0ub4dor-a"
}
variable "open" {
  default = "public-a"
}
module "c" {
  source = "../c"
  first  = "Tr0ub4dor-${"first"}"
  second = var.a
  third  = "public-c"
}
module "e" {
  source = "../d"
  inner  = { "Tr0ub4dor-key" = ["Tr0ub4dor-e"] }
  _ {
    inner = "Tr0ub4dor-escaped"
  }
}
provider "x" {
  alias  = "public-alias"
  region = "public-region"
  token  = "Tr0ub4dor-token"
  proxy {
    password = "Tr0ub4dor-password"
  }
}
"#,
        ),
        (
            "m/t.tftest.hcl",
            r#"
variables {
  inner = "Tr0ub4dor-all"
}
run "r" {
  module {
    source = "../d"
  }
  variables {
    inner = "Tr0ub4dor-run"
    outer = "public-run"
  }
}
"#,
        ),
        (
            "c/main.tf",
            r#"
variable "first" {
  sensitive = true
}
variable "second" {
  default = "Tr0ub4dor-second"
}
variable "third" {}
module "d" {
  source = "../d"
  inner  = "${var.second}"
}
"#,
        ),
        (
            "d/main.tf",
            "variable \"inner\" {\n  ephemeral = true\n}\nvariable \"outer\" {\n  default = null\n}\n",
        ),
    ],
    &[
        (
            "m/main.tf.json",
            r#"{"variable": {"a": {"default": "Tr0ub4dor-a"}, "open": {"default": "public-a"}},
  "module": {
    "c": {"source": "../c", "first": "Tr0ub4dor-${\"first\"}", "second": "${var.a}", "third": "public-c"},
    "e": [{"source": "../d", "inner": {"Tr0ub4dor-key": ["Tr0ub4dor-e"]},
           "_": {"inner": "Tr0ub4dor-escaped"}}]},
  "provider": {"x": [{"alias": "public-alias", "region": "public-region", "token": "Tr0ub4dor-token",
                      "proxy": {"password": "Tr0ub4dor-password"}}]}}"#,
        ),
        (
            "m/t.tftest.json",
            r#"{"variables": {"inner": "Tr0ub4dor-all"},
  "run": {"r": {"module": {"source": "../d"},
                "variables": {"inner": "Tr0ub4dor-run", "outer": "public-run"}}}}"#,
        ),
        (
            "c/main.tf.json",
            r#"{"variable": {"first": {"sensitive": true}, "second": {"default": "Tr0ub4dor-second"},
               "third": {}},
  "module": {"d": {"source": "../d", "inner": "${var.second}"}}}"#,
        ),
        (
            "d/main.tf.json",
            r#"{"variable": {"inner": {"ephemeral": true}, "outer": {"default": null}}}"#,
        ),
    ],
];

/// What a call or a run passes to a secret variable of another module is secret, and so are constants
/// of providers, whether modules are read one by one, together, alone or as a stream.
#[test]
fn values_for_other_modules_are_hidden() {
    for files in CALLS {
        let other = files.iter().map(|(name, text)| {
            (
                format!("other/{name}"),
                text.replace(SECRET, "Other-Tr0ub4dor").replace("public", "p"),
            )
        });
        let other: Vec<_> = other.collect();
        let all = files.iter().copied();
        let all = all.chain(other.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        let is_native = files[0].0.ends_with(".tf");
        let empty = if is_native { "none/a.tf" } else { "none/a.tf.json" };
        let all: Vec<_> = all.chain([(empty, if is_native { "" } else { "{}" })]).collect();
        let tree = tree(&all);
        let main = files[0].0;
        let mut commands: Vec<Vec<&str>> = Vec::new();
        for format in FORMATS {
            for (pattern, path) in [
                ("**", "m"),
                ("**", "."),
                ("module.**", "m"),
                ("module.*", "m"),
                ("module.c.first", "m"),
                ("module.e._.inner", "m"),
                ("variable.*.default", "m"),
                ("variable.*.default", "."),
                ("run.**", "m"),
                ("run.*", "m"),
                ("variables.*", "m"),
                ("provider.**", "m"),
                ("provider.*", "m"),
                ("module.**", main),
            ] {
                commands.push(vec!["query", pattern, path, "--format", format]);
                if !is_native {
                    commands.push(vec![
                        "query",
                        pattern,
                        main,
                        "--stream-from",
                        "1",
                        "--format",
                        format,
                    ]);
                }
            }
            if !is_native {
                commands.push(vec!["templates", main, "--stream-from", "1", "--format", format]);
            }
            for path in ["m", "."] {
                commands.push(vec!["inspect", path, "--format", format]);
                commands.push(vec!["templates", path, "--format", format]);
            }
            commands.push(vec!["diff", "none", "m", "--format", format]);
            commands.push(vec!["diff", "m", "none", "--format", format]);
            commands.push(vec!["diff", "other/m", "m", "--format", format]);
        }
        commands.push(vec!["inspect", "m", "--compat", "--format", "json"]);
        for format in ["human", "json", "ndjson"] {
            commands.push(vec!["expand", "m", "--format", format]);
            commands.push(vec!["why", "var.a", "m", "--format", format]);
        }
        commands.push(vec!["config", "m"]);
        commands.push(vec!["config", "m", "--compat"]);
        let mut shown = 0;
        for command in &commands {
            let output = run(tree.path(), command);
            let text = stdout(&output) + &stderr(&output);
            // A variable that a stream passes on is not known as a secret before the call is read.
            let is_stream_of_default = command.contains(&"--stream-from")
                && (command.contains(&"variable.*.default") || command.contains(&"**"));
            let text = match is_stream_of_default {
                true => text.replace("Tr0ub4dor-a", ""),
                false => text,
            };
            assert!(!text.contains(SECRET), "{command:?}: {text}");
            let with_secrets: Vec<&str> =
                command.iter().copied().chain(["--show-sensitive"]).collect();
            shown += usize::from(stdout(&run(tree.path(), &with_secrets)).contains(SECRET));
        }
        assert!(shown * 10 > commands.len() * 7, "{shown} of {}", commands.len());
        for (command, pattern, public) in [
            ("query", "module.c.third", "public-c"),
            ("query", "variable.open.default", "public-a"),
            ("query", "provider.x.region", "public-region"),
            ("query", "provider.x.alias", "public-alias"),
            ("query", "run.r.variables.outer", "public-run"),
        ] {
            let text = stdout(&run(tree.path(), &[command, pattern, "m"]));
            assert!(text.contains(public), "{pattern}: {text}");
        }
        let text = stdout(&run(tree.path(), &["diff", "other/m", "m"]));
        for public in ["public-a", "public-c", "public-run"] {
            assert!(text.contains(public), "{text}");
        }
    }
}

/// A chain of modules, each read before the one that calls it, takes linear work, and the secret at
/// its end hides what the first one passes.
#[test]
fn chains_of_modules_hide_what_they_pass_on() {
    let mut files =
        vec![("m000/main.tf".to_owned(), "variable \"v\" {\n  sensitive = true\n}\n".to_owned())];
    for number in 1..400 {
        let called = number - 1;
        files.push((
            format!("m{number:03}/main.tf"),
            format!(
                "variable \"v\" {{\n  default = \"Tr0ub4dor\"\n}}\nmodule \"c\" {{\n  source = \"../m{called:03}\"\n  v      = var.v\n}}\n"
            ),
        ));
    }
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let tree = tree(&files);
    let text = stdout(&run(tree.path(), &["query", "variable.*.default", "."]));
    assert_eq!(text.matches("(sensitive)").count(), 399, "{text}");
    assert!(!text.contains(SECRET), "{text}");
}

#[test]
fn what_is_public_stays() {
    for files in [NATIVE, JSON] {
        let tree = tree(files);
        for pattern in ["variable.open.default", "**.b", "open"] {
            let output = run(tree.path(), &["query", pattern, "m"]);
            assert!(stdout(&output).contains("\"public\""), "{pattern}: {}", stdout(&output));
        }
        let output = run(tree.path(), &["query", "variable.*.default", "m"]);
        assert_eq!(stdout(&output).matches("= \"(sensitive)\"").count(), 3, "{}", stdout(&output));
        for command in ["inspect", "config"] {
            let output = run(tree.path(), &[command, "m", "--format", "json"]);
            assert!(stdout(&output).contains("\"public\""));
            assert!(stdout(&output).contains("\"(sensitive)\""));
        }
    }
}

/// Messages of `check` and `expand`: every expression fails, and none quotes the value.
#[test]
fn messages_have_no_secrets() {
    let main = r#"
variable "pw" {
  type      = string
  default   = "Tr0ub4dor-3"
  sensitive = true
}
variable "wrong" {
  type      = map(number)
  default   = { "Tr0ub4dor-key" = "x" }
  sensitive = true
}
variable "given" {
  type      = map(number)
  default   = {}
  ephemeral = true
}
variable "checked" {
  default   = "Tr0ub4dor-c"
  sensitive = true
  validation {
    condition     = var.checked == ""
    error_message = "It is ${var.checked}."
  }
}
locals {
  cidr  = cidrsubnet(var.pw, 8, 1)
  look  = lookup({ a = 1 }, var.pw)
  time  = timeadd(var.pw, "1h")
  dup   = { for k in [var.pw, var.pw] : k => 1 }
  yaml  = yamldecode("a: *${var.pw}")
  tfile = templatefile("${path.module}/t.tpl", { (var.pw) = 1 })
  file  = file(var.pw)
  each  = [for k in [var.pw] : cidrhost(k, 1)]
}
resource "x_y" "z" {
  for_each = toset([var.pw])
  a        = each.key
  lifecycle {
    precondition {
      condition     = var.pw == ""
      error_message = "It is ${var.pw}."
    }
  }
}
resource "x_y" "d" {
  dynamic "b" {
    for_each = var.wrong
    labels   = [b.key]
    content {}
  }
}
check "c" {
  assert {
    condition     = var.pw == ""
    error_message = "It is ${var.pw}."
  }
}
import {
  for_each = { (var.pw) = "a" }
  to       = x_y.z[each.key]
  id       = var.pw
}
"#;
    let files = [
        ("main.tf", main),
        ("t.tpl", "x ${y}"),
        ("terraform.tfvars", "given = { \"Tr0ub4dor-g\" = \"x\" }\n"),
    ];
    let tree = tree(&files);
    // Excerpts show the source as it is.
    let excerpts: Vec<&str> = main.lines().filter(|line| line.contains(SECRET)).collect();
    let without_excerpts = |text: &str| {
        let text = text.replace("given = { \\\"Tr0ub4dor-g\\\" = \\\"x\\\" }", "");
        let text = text.replace("given = { \"Tr0ub4dor-g\" = \"x\" }", "");
        excerpts.iter().fold(text, |text, line| {
            text.replace(line.trim(), "").replace(&line.trim().replace('"', "\\\""), "")
        })
    };
    let mut found = 0;
    for format in
        ["human", "json", "ndjson", "concise", "sarif", "junit", "gitlab", "github", "azure"]
    {
        let output = run(
            tree.path(),
            &["check", ".", "--level", "values", "--root", ".", "--format", format],
        );
        let text = without_excerpts(&(stdout(&output) + &stderr(&output)));
        assert!(!text.contains(SECRET), "{format}: {text}");
        found += usize::from(text.contains("(sensitive)"));
    }
    assert!(found >= 8, "{found}");
    for format in ["human", "json", "ndjson"] {
        let output = run(tree.path(), &["expand", ".", "--format", format]);
        let text = without_excerpts(&(stdout(&output) + &stderr(&output)));
        assert!(!text.contains(SECRET), "{format}: {text}");
        for address in ["x_y.z.a", "x_y.z[\"Tr0ub4dor-3\"].a", "x_y.d.b", "local.dup"] {
            let output = run(tree.path(), &["why", address, ".", "--format", format]);
            let text = without_excerpts(&(stdout(&output) + &stderr(&output)));
            let text = text.replace(address, "").replace("x_y.z[\\\"Tr0ub4dor-3\\\"].a", "");
            assert!(!text.contains(SECRET), "{address} {format}: {text}");
        }
    }
}
