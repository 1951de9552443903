//! No command shows what must not be shown: values of sensitive and ephemeral variables and outputs,
//! in values, keys, messages and texts, in every format. Source text is shown as such.

use crate::tool::{commands as commands_of, git, json, run, status, stderr, stdout, tree};

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
  key    = "Tr0ub4dor-${"key"}"
  parts  = { a = ["Tr0ub4dor-${"part"}"], b = upper("Tr0ub4dor-${"upper"}") }
  proxy {
    password = "Tr0ub4dor-password"
    text     = "Tr0ub4dor-${"text"}"
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
                      "key": "Tr0ub4dor-${\"key\"}",
                      "parts": {"a": ["Tr0ub4dor-${\"part\"}"], "b": "${upper(\"Tr0ub4dor-${\"upper\"}\")}"},
                      "proxy": {"password": "Tr0ub4dor-password", "text": "Tr0ub4dor-${\"text\"}"}}]}}"#,
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

/// A value that a call or a run passes to a secret variable of another module is secret, and so are
/// constants of providers, whether modules are read one by one, together, alone or as a stream.
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
                for file in [main, "m/t.tftest.json", "c/main.tf.json"] {
                    commands.push(vec![
                        "templates",
                        file,
                        "--stream-from",
                        "1",
                        "--format",
                        format,
                    ]);
                    commands.push(vec![
                        "query",
                        "**",
                        file,
                        "--stream-from",
                        "1",
                        "--format",
                        format,
                    ]);
                }
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

/// Templates of a stream: nothing of the file is known yet, and keys of secret maps are secret, too.
#[test]
fn streams_hide_what_the_rest_of_the_file_may_make_secret() {
    let main = r#"{"variable": {"pw": {"default": {"Tr0ub4dor-key": "a-${"x"}"}, "sensitive": true},
    "token": {"default": "${"x"}-Tr0ub4dor", "sensitive": true}},
  "output": {"o": {"value": {"Tr0ub4dor-key-${"y"}": "${var.pw}"}, "sensitive": true}},
  "locals": {"open": "a-${"public"}", "marked": "${sensitive("Tr0ub4dor")}"}}"#;
    let packer = r#"{"local": {"t": {"sensitive": true, "expression": "Tr0ub4dor-${"x"}"}}}"#;
    // Quotes in `${}` are those of a template, inside of a string of JSON.
    let escaped = |text: &str| {
        let mut parts = text.split("${");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| {
            let (template, rest) = part.split_once('}').unwrap_or((part, ""));
            format!("{all}${{{}}}{rest}", template.replace('"', "\\\""))
        })
    };
    let (main, packer) = (escaped(main), escaped(packer));
    let tree = tree(&[("main.tf.json", &main), ("a.pkr.json", &packer)]);
    for file in ["main.tf.json", "a.pkr.json"] {
        for format in FORMATS {
            for command in [&["templates", file][..], &["query", "**", file]] {
                let stream = ["--stream-from", "1", "--format", format];
                let output = run(tree.path(), &[command, &stream].concat());
                let text = stdout(&output) + &stderr(&output);
                assert!(!text.contains(SECRET), "{command:?} {format}: {text}");
                assert!(text.contains("(sensitive)"), "{command:?} {format}: {text}");
                let whole = run(tree.path(), &[command, &["--format", format]].concat());
                assert!(!stdout(&whole).contains(SECRET), "{}", stdout(&whole));
            }
        }
    }
    let said = stderr(&run(tree.path(), &["templates", "main.tf.json", "--stream-from", "1"]));
    assert!(said.contains("values from here on are hidden"), "{said}");
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

/// Constants that say how a state is reached and encrypted, in blocks and their parts.
#[test]
fn states_are_reached_without_secrets() {
    let native = r#"terraform {
  backend "s3" {
    bucket     = "public-bucket"
    key        = "public-key"
    access_key = "Tr0ub4dor-access"
    secret_key = "Tr0ub4dor-${"secret"}"
    assume_role = {
      external_id = "Tr0ub4dor-id"
    }
  }
  encryption {
    key_provider "pbkdf2" "x" {
      passphrase = "Tr0ub4dor-phrase"
    }
  }
}
"#;
    let json_file = r#"{"terraform": [{"backend": [{"s3": [{"bucket": "public-bucket", "key": "public-key",
        "access_key": "Tr0ub4dor-access", "secret_key": "Tr0ub4dor-${1}"}]}],
        "encryption": {"key_provider": {"pbkdf2": {"x": {"passphrase": "Tr0ub4dor-phrase"}}}}}]}"#;
    let cloud = "terraform {\n  cloud {\n    organization = \"public-bucket\"\n    token = \"Tr0ub4dor\"\n    workspaces {\n\
                 \x20     name = \"public-key\"\n    }\n  }\n}\n";
    for (name, text) in [("m/main.tf", native), ("m/main.tf.json", json_file), ("m/c.tf", cloud)] {
        let tree = tree(&[(name, text), ("none/main.tf", ""), ("none/main.tf.json", "{}")]);
        let mut commands: Vec<Vec<&str>> = Vec::new();
        let patterns = ["**", "terraform", "terraform.*", "terraform.**.s3", "**.key_provider.**"];
        for format in FORMATS {
            for pattern in patterns {
                commands.push(vec!["query", pattern, "m", "--format", format]);
            }
            commands.push(vec!["diff", "none", "m", "--format", format]);
            commands.push(vec!["diff", "m", "none", "--format", format]);
            commands.push(vec!["templates", "m", "--format", format]);
            commands.push(vec!["inspect", "m", "--format", format]);
        }
        let mut shown = 0;
        for command in &commands {
            let output = run(tree.path(), command);
            let text = stdout(&output) + &stderr(&output);
            assert!(!text.contains(SECRET), "{name}: {command:?}: {text}");
            let with_secrets = [&command[..], &["--show-sensitive"]].concat();
            shown += usize::from(stdout(&run(tree.path(), &with_secrets)).contains(SECRET));
        }
        assert!(shown > commands.len() / 4, "{name}: {shown} of {}", commands.len());
        let all = stdout(&run(tree.path(), &["query", "**", "m", "--format", "json"]));
        assert!(all.contains("public-bucket") && all.contains("public-key"), "{name}: {all}");
    }
}

/// Units of Terragrunt: sensitive values that decide what is read or listed, and inputs for secret
/// variables of the module.
#[test]
fn units_hide_secrets() {
    let unit = r#"
terraform {
  source = "../module"
}
locals {
  first  = "Tr0ub4dor-local"
  second = local.first
  marked = sensitive("Tr0ub4dor-marked")
}
inputs = {
  password = local.second
  token    = "Tr0ub4dor-token"
  size     = "public-size"
  list     = [local.marked]
}
"#;
    let broken = |part: &str| format!("locals {{\n  s = sensitive(\"Tr0ub4dor-s\")\n}}\n{part}\n");
    let parts = [
        "include \"r\" {\n  path = \"../${local.s}.hcl\"\n}",
        "include \"r\" {\n  path = sensitive(\"../Tr0ub4dor.hcl\")\n  merge_strategy = \"deep\"\n}",
        "include \"r\" {\n  path = \"../root.hcl\"\n  merge_strategy = sensitive(\"Tr0ub4dor\")\n}",
        "dependency \"d\" {\n  config_path = \"../${local.s}\"\n}",
        "dependencies {\n  paths = [\"../${local.s}\", local.s]\n}",
        "terraform {\n  source = \"../${local.s}\"\n}",
        "terraform {\n  extra_arguments \"e\" {\n    commands = []\n    required_var_files = [local.s]\n  }\n}",
        "exclude {\n  if = local.s\n  actions = [local.s]\n}",
        "generate \"g\" {\n  path = local.s\n  if_exists = local.s\n  contents = local.s\n}",
        "generate = {\n  (local.s) = { path = local.s, if_exists = local.s, contents = \"\" }\n}",
        "inputs = {\n  (local.s) = parseint(local.s, 10)\n}",
        "inputs = {\n  a = file(local.s), b = fileexists(local.s), c = templatefile(local.s, {}), d = filemd5(local.s)\n}",
        "inputs = {\n  a = read_terragrunt_config(\"./${local.s}.hcl\")\n}",
        "inputs = {\n  a = read_terragrunt_config(\"./${local.s}.hcl\", { a = 1 })\n}",
        "inputs = {\n  a = read_tfvars_file(local.s), b = find_in_parent_folders(local.s), c = mark_as_read(local.s)\n}",
        "inputs = {\n  a = mark_glob_as_read(local.s), b = sops_decrypt_file(local.s), c = fileset(local.s, \"*\")\n}",
        "inputs = {\n  a = get_env(local.s), b = constraint_check(local.s, local.s)\n}",
        "feature \"f\" {\n  default = local.s\n}\ninputs = {\n  a = feature.f.value\n}",
    ];
    let stack = "locals {\n  s = sensitive(\"Tr0ub4dor-s\")\n}\n\
                 unit \"a\" {\n  source = \"../module\"\n  path = local.s\n}\n\
                 unit \"b\" {\n  source = local.s\n  path = \"b\"\n  no_validation = local.s\n}\n\
                 unit \"c\" {\n  source = \"../u9\"\n  path = \"c\"\n  values = { v = local.s }\n}\n";
    let mut files = vec![
        ("unit/terragrunt.hcl".to_owned(), unit.to_owned()),
        (".git/HEAD".to_owned(), String::new()),
        ("root.hcl".to_owned(), String::new()),
        ("stack/terragrunt.stack.hcl".to_owned(), stack.to_owned()),
        (
            "module/main.tf".to_owned(),
            "variable \"password\" {\n  sensitive = true\n}\nvariable \"token\" {\n  ephemeral = true\n}\n\
             variable \"size\" {}\nvariable \"list\" {}\n"
                .to_owned(),
        ),
    ];
    for (at, part) in parts.iter().enumerate() {
        files.push((format!("u{at}/terragrunt.hcl"), broken(part)));
    }
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let tree = tree(&files);
    let lists: [&[&str]; 4] = [
        &[
            "units",
            ".",
            "--stacks",
            "--dag",
            "--dependencies",
            "--include",
            "--reading",
            "--exclude",
        ],
        &["units", ".", "--stacks", "--render"],
        &["units", ".", "--stacks", "--queue-construct-as", "plan"],
        &["affected", "unit/terragrunt.hcl", "u0/terragrunt.hcl"],
    ];
    for format in FORMATS {
        for list in lists {
            let arguments = [list, &["--format", format]].concat();
            let output = run(tree.path(), &arguments);
            let text = stdout(&output) + &stderr(&output);
            assert!(!text.contains(SECRET), "{arguments:?}: {text}");
            assert_ne!(stdout(&output), "", "{arguments:?}: {text}");
        }
    }
    let check = run(tree.path(), &["check", ".", "--format", "concise"]);
    let said = stdout(&check) + &stderr(&check);
    assert!(!said.contains(SECRET), "{said}");
    let rendered = stdout(&run(tree.path(), &["units", "unit", "--render", "--format", "json"]));
    assert!(rendered.contains("public-size"), "{rendered}");
    assert_eq!(rendered.matches("\"(sensitive)\"").count(), 6, "{rendered}");
    let shown = ["units", ".", "--stacks", "--render", "--show-sensitive", "--format", "json"];
    let shown = stdout(&run(tree.path(), &shown));
    for secret in ["Tr0ub4dor-local", "Tr0ub4dor-token", "Tr0ub4dor-marked", "Tr0ub4dor-s"] {
        assert!(shown.contains(secret), "{secret}: {shown}");
    }
}

/// Files of units: what they pass to secret variables of modules, and mocks of secret outputs, in
/// whatever file it is written.
#[test]
fn files_of_units_hide_secrets() {
    let app = r#"
terraform {
  source = "${get_repo_root()}/modules/app"
}
include "common" {
  path   = "../common.hcl"
  expose = true
}
dependency "net" {
  config_path  = "${get_repo_root()}/live/net"
  mock_outputs = { token = "Tr0ub4dor-mock", id = "public-id", plain = "Tr0ub4dor-passed" }
}
feature "f" {
  default = "Tr0ub4dor-feature"
}
locals {
  first  = "Tr0ub4dor-local"
  second = local.first
  object = { key = "Tr0ub4dor-member", open = "public-member" }
  other  = read_terragrunt_config("../other.hcl")
}
inputs = {
  pw    = "Tr0ub4dor-${local.second}"
  key   = local.object.key
  read  = local.other.locals.secret
  wide  = include.common.locals.wide
  given = values.given
  mock  = dependency.net.outputs.plain
  flag  = feature.f.value
  size  = dependency.net.outputs.token
  open  = dependency.net.outputs.id
}
"#;
    let computed = r#"
terraform {
  source = "../../modules/app"
}
locals {
  all = { pw = "Tr0ub4dor-all", size = "public-all" }
}
inputs = merge(local.all, { key = "Tr0ub4dor-merged" })
"#;
    let mut module = "variable \"size\" {}\nvariable \"open\" {}\n".to_owned();
    for name in ["pw", "key", "read", "wide", "given", "mock", "flag", "base"] {
        module.push_str(&format!("variable \"{name}\" {{\n  sensitive = true\n}}\n"));
    }
    module.push_str("output \"size\" {\n  value = var.size\n}\n");
    let stack = "unit \"u\" {\n  source = \"../app\"\n  path = \"u\"\n  values = {\n    \
                 given = \"Tr0ub4dor-stack\"\n    open = \"public-stack\"\n  }\n}\n";
    let tree = tree(&[
        (".git/HEAD", ""),
        ("live/app/terragrunt.hcl", app),
        (
            "live/app/terragrunt.values.hcl",
            "given = \"Tr0ub4dor-value\"\nopen = \"public-value\"\n",
        ),
        ("live/computed/terragrunt.hcl", computed),
        (
            "live/common.hcl",
            "inputs = {\n  base = \"Tr0ub4dor-base\"\n}\nlocals {\n  wide = \"Tr0ub4dor-wide\"\n  open = \"public-local\"\n}\n",
        ),
        ("live/other.hcl", "locals {\n  secret = \"Tr0ub4dor-other\"\n}\n"),
        ("live/net/terragrunt.hcl", "terraform {\n  source = \"../../modules/net\"\n}\n"),
        ("live/stack/terragrunt.stack.hcl", stack),
        ("modules/app/main.tf", &module),
        (
            "modules/net/main.tf",
            "output \"token\" {\n  value = 1\n  sensitive = true\n}\noutput \"id\" {\n  value = 1\n}\noutput \"plain\" {\n  value = 1\n}\n",
        ),
    ]);
    let queries = [
        "**",
        "**.pw",
        "inputs",
        "inputs.*",
        "locals",
        "locals.*",
        "locals.**",
        "dependency",
        "dependency.*",
        "dependency.**.token",
        "feature",
        "feature.**",
        "unit",
        "unit.**",
        "**.values",
        "given",
        "*",
    ];
    let mut lists: Vec<Vec<&str>> = queries.iter().map(|it| vec!["query", it, "."]).collect();
    for part in
        ["live/app", "live/common.hcl", "live/other.hcl", "live/stack", "live/app/terragrunt.hcl"]
    {
        lists.push(vec!["query", "**", part]);
        lists.push(vec!["templates", part]);
    }
    for command in ["templates", "inspect", "references", "graph", "overview"] {
        lists.push(vec![command, "."]);
    }
    lists.push(vec!["units", ".", "--stacks", "--render"]);
    lists.push(vec!["units", "live/app", "--render"]);
    lists.push(vec!["expand", "live/app"]);
    lists.push(vec!["dependents", "dependency.net", "."]);
    for list in &lists {
        let formats: &[&str] = match list[0] {
            "graph" | "overview" | "expand" => &["json"],
            _ => &["human", "json", "ndjson"],
        };
        for format in formats {
            let arguments = [&list[..], &["--format", format]].concat();
            let output = run(tree.path(), &arguments);
            let text = stdout(&output) + &stderr(&output);
            assert!(!text.contains(SECRET), "{arguments:?}: {text}");
        }
    }
    let all = stdout(&run(tree.path(), &["query", "**", ".", "--format", "json"]));
    for public in
        ["public-id", "public-member", "public-value", "public-local", "public-stack", "public-all"]
    {
        assert!(all.contains(public), "{public}: {all}");
    }
    let rendered =
        stdout(&run(tree.path(), &["units", "live/app", "--render", "--format", "json"]));
    assert!(rendered.contains("public-id") && rendered.contains("public-member"), "{rendered}");
    let shown =
        stdout(&run(tree.path(), &["query", "**", ".", "--show-sensitive", "--format", "json"]));
    for name in
        ["local", "mock", "feature", "base", "wide", "other", "value", "stack", "all", "merged"]
    {
        let secret = format!("Tr0ub4dor-{name}");
        assert!(shown.contains(&secret), "{secret}: {shown}");
    }
    let rendered = ["units", "live/app", "--render", "--show-sensitive", "--format", "json"];
    assert!(stdout(&run(tree.path(), &rendered)).contains("Tr0ub4dor-mock"));
}

/// One error for each secret that decides which instances there are, and no key in it.
#[test]
fn a_secret_for_each_is_one_error() {
    let main = r#"variable "m" {
  default   = { "Tr0ub4dor" = "a" }
  sensitive = true
}
locals {
  m = { for key, value in var.m : key => upper(key) }
}
resource "terraform_data" "a" {
  for_each = var.m
  input    = each.key
}
data "a_b" "c" {
  for_each = local.m
  x        = each.key
}
module "c" {
  source   = "./c"
  for_each = var.m
  x        = each.key
}
provider "x" {
  alias    = "y"
  for_each = var.m
}
output "o" {
  value = [for key, value in terraform_data.a : value.input]
}
"#;
    let tree = tree(&[
        ("main.tf", main),
        ("c/main.tf", "variable \"x\" {}\noutput \"x\" {\n  value = var.x\n}\n"),
    ]);
    for arguments in [
        &["check", ".", "--format", "json"][..],
        &["check", ".", "--level", "values", "--root", ".", "--format", "json"],
        &["expand", ".", "--format", "json"],
    ] {
        let output = run(tree.path(), arguments);
        let answer = json(&output);
        let places = answer["diagnostics"].as_array().unwrap().iter();
        let mut places: Vec<_> = places
            .filter(|it| it["severity"] == "error")
            .map(|it| it["range"]["start"]["line"].as_u64().unwrap())
            .collect();
        places.sort_unstable();
        assert_eq!(places, [9, 13, 18, 23], "{arguments:?}: {answer:#}");
        // The excerpts of a declaration have its source.
        let said = stderr(&output);
        assert!(!said.replace("{ \"Tr0ub4dor\" = \"a\" }", "").contains(SECRET), "{said}");
    }
}

/// Stacks of Terraform, and queries: variables and outputs, inputs of components, of stacks in a stack, and
/// of deployments.
#[test]
fn stacks_and_queries_hide_secrets() {
    let native: &[(&str, &str)] = &[
        (
            "m/main.tfcomponent.hcl",
            r#"
variable "pw" {
  default   = "Tr0ub4dor-default"
  sensitive = true
}
variable "passed" {
  default = "Tr0ub4dor-passed"
}
variable "open" {
  default = "public-default"
}
provider "x" "main" {
  config {
    region = "public-region"
    token  = "Tr0ub4dor-token"
    text   = "Tr0ub4dor-${"text"}"
  }
}
component "c" {
  source = "../module"
  inputs = {
    secret = { "Tr0ub4dor-key" = "Tr0ub4dor-${"component"}" }
    second = var.passed
    third  = "public-input"
  }
}
stack "s" {
  source = "../inner"
  inputs = {
    inner = "Tr0ub4dor-stack"
  }
}
output "o" {
  value     = "Tr0ub4dor-output"
  sensitive = true
}
"#,
        ),
        (
            "m/prod.tfdeploy.hcl",
            "deployment \"prod\" {\n  inputs = {\n    pw = \"Tr0ub4dor-${\"deployed\"}\"\n    open = \"public-deployed\"\n  }\n}\n",
        ),
        ("inner/a.tfcomponent.hcl", "variable \"inner\" {\n  ephemeral = true\n}\n"),
        (
            "module/main.tf",
            "variable \"secret\" {\n  sensitive = true\n}\nvariable \"second\" {\n  ephemeral = true\n}\nvariable \"third\" {}\n",
        ),
        (
            "q/a.tfquery.hcl",
            "variable \"q\" {\n  default   = \"Tr0ub4dor-query\"\n  sensitive = true\n}\nprovider \"x\" {\n  token = \"Tr0ub4dor-q\"\n}\n",
        ),
        ("q/main.tf", ""),
        ("none/main.tfcomponent.hcl", ""),
    ];
    let json_files: &[(&str, &str)] = &[
        (
            "m/main.tfcomponent.json",
            r#"{"variable": {"pw": {"default": "Tr0ub4dor-default", "sensitive": true},
    "passed": {"default": "Tr0ub4dor-passed"}, "open": {"default": "public-default"}},
  "provider": {"x": {"main": {"config": {"region": "public-region", "token": "Tr0ub4dor-token"}}}},
  "component": {"c": {"source": "../module", "inputs": {"secret": {"Tr0ub4dor-key": "Tr0ub4dor-c"},
    "second": "${var.passed}", "third": "public-input"}}},
  "stack": {"s": {"source": "../inner", "inputs": {"inner": "Tr0ub4dor-stack"}}},
  "output": {"o": {"value": "Tr0ub4dor-output", "sensitive": true}}}"#,
        ),
        (
            "m/prod.tfdeploy.json",
            r#"{"deployment": {"prod": {"inputs": {"pw": "Tr0ub4dor-deployed", "open": "public-deployed"}}}}"#,
        ),
        ("inner/a.tfcomponent.json", r#"{"variable": {"inner": {"ephemeral": true}}}"#),
        (
            "module/main.tf.json",
            r#"{"variable": {"secret": {"sensitive": true}, "second": {"ephemeral": true}, "third": {}}}"#,
        ),
        (
            "q/a.tfquery.json",
            r#"{"variable": {"q": {"default": "Tr0ub4dor-query", "sensitive": true}}}"#,
        ),
        ("q/main.tf.json", "{}"),
        ("none/main.tfcomponent.json", "{}"),
    ];
    for files in [native, json_files] {
        let tree = tree(files);
        let mut commands: Vec<Vec<&str>> = Vec::new();
        for format in FORMATS {
            for pattern in [
                "**",
                "*.*",
                "component.**",
                "stack.**",
                "deployment.**",
                "provider.**",
                "variable.*.default",
            ] {
                for path in ["m", "q", "."] {
                    commands.push(vec!["query", pattern, path, "--format", format]);
                }
            }
            for command in ["templates", "inspect"] {
                commands.push(vec![command, ".", "--format", format]);
            }
            commands.push(vec!["diff", "none", "m", "--format", format]);
            commands.push(vec!["diff", "m", "none", "--format", format]);
            if files == json_files {
                for (name, _) in files {
                    commands.push(vec![
                        "query",
                        "**",
                        name,
                        "--stream-from",
                        "1",
                        "--format",
                        format,
                    ]);
                    commands.push(vec![
                        "templates",
                        name,
                        "--stream-from",
                        "1",
                        "--format",
                        format,
                    ]);
                }
            }
        }
        let mut shown = 0;
        for command in &commands {
            let output = run(tree.path(), command);
            let text = stdout(&output) + &stderr(&output);
            assert!(!text.contains(SECRET), "{command:?}: {text}");
            let with_secrets = [&command[..], &["--show-sensitive"]].concat();
            shown += usize::from(stdout(&run(tree.path(), &with_secrets)).contains(SECRET));
        }
        assert!(shown * 2 > commands.len(), "{shown} of {}", commands.len());
        let all = stdout(&run(tree.path(), &["query", "**", "m"]));
        for public in ["public-default", "public-region", "public-input", "public-deployed"] {
            assert!(all.contains(public), "{public}: {all}");
        }
    }
}

/// How a command treats the values of configuration.
enum Prints {
    /// It prints some: they are looked at in every format, with these arguments.
    Values(&'static [&'static [&'static str]]),
    /// It prints the source text of what it is asked for, or edits of it.
    SourceText,
    /// It prints plans and states, see `shown`.
    Documents,
    /// It prints none.
    Nothing,
    /// It runs other commands, which other tests look at.
    Others,
}

/// All commands. A new one has no row, and fails the test.
const ALL: &[(&str, Prints)] = &[
    ("overview", Prints::Values(&[&["."]])),
    ("inspect", Prints::Values(&[&["."], &["m", "--compat"]])),
    ("references", Prints::Values(&[&["."]])),
    ("graph", Prints::Values(&[&["."]])),
    ("dependents", Prints::Values(&[&["m:var.pw", "."]])),
    ("query", Prints::Values(&[&["**", "."], &["variable.*.default", "."]])),
    ("templates", Prints::Values(&[&["."]])),
    ("docs", Prints::Values(&[&["m"]])),
    ("diff", Prints::Values(&[&["none", "m"], &["HEAD", "."], &["HEAD", "--values"]])),
    ("config", Prints::Values(&[&["m"]])),
    ("expand", Prints::Values(&[&["m"]])),
    ("why", Prints::Values(&[&["x_y.z.a", "m"], &["output.secret", "m"], &["var.pw", "m"]])),
    ("eval", Prints::SourceText),
    ("decode", Prints::SourceText),
    // Excerpts are source text; messages are in `messages_have_no_secrets`.
    ("check", Prints::SourceText),
    ("rules", Prints::Nothing),
    ("explain", Prints::Nothing),
    ("schema", Prints::Nothing),
    ("fmt", Prints::SourceText),
    ("convert", Prints::SourceText),
    ("rename", Prints::SourceText),
    ("move", Prints::SourceText),
    ("extract", Prints::SourceText),
    ("inline", Prints::SourceText),
    ("fix-unused", Prints::SourceText),
    ("set", Prints::SourceText),
    ("unset", Prints::SourceText),
    ("upgrade", Prints::SourceText),
    ("migrate", Prints::Nothing),
    ("plan", Prints::Documents),
    ("state", Prints::Documents),
    ("redact", Prints::Documents),
    ("init", Prints::Values(&[&[".", "--check"]])),
    ("affected", Prints::Values(&[&["--since", "HEAD"], &["--since", "HEAD", "--explain", "m"]])),
    ("review", Prints::Values(&[&[]])),
    ("roots", Prints::Values(&[&["."]])),
    ("units", Prints::Values(&[&["."], &[".", "--render", "--stacks"], &[".", "--reading"]])),
    ("lsp", Prints::Others),
    ("mcp", Prints::Others),
    ("sql", Prints::Others),
    ("export", Prints::Others),
    ("completions", Prints::Nothing),
    ("help", Prints::Nothing),
];

/// The formats that the help of a command lists.
fn formats(help: &str) -> Vec<String> {
    let Some((_, rest)) = help.split_once("--format <") else { return vec![String::new()] };
    let end = rest.find("\n      --").or_else(|| rest.find("\n  -")).unwrap_or(rest.len());
    let section = &rest[..end];
    let mut all: Vec<String> = section
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- ")?.split_once(':'))
        .map(|(name, _)| name.to_owned())
        .collect();
    if let Some((_, rest)) = section.split_once("possible values: ") {
        let names = rest.split(']').next().unwrap_or_default().split(',');
        all.extend(names.map(|it| it.split_whitespace().collect::<String>()));
    }
    assert!(!all.is_empty(), "{section}");
    all
}

#[test]
fn every_command_hides_secrets_in_every_format() {
    let unit = "terraform {\n  source = \"../m\"\n}\nlocals {\n  s = \"Tr0ub4dor-u\"\n}\ninputs = {\n  pw = local.s\n  open = local.s\n}\n";
    let all = NATIVE.iter().copied();
    let all: Vec<_> = all.chain([("none/a.tf", ""), ("live/terragrunt.hcl", unit)]).collect();
    let tree = tree(&all);
    let path = tree.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "."]);
    git(path, &["commit", "-qm", "one"]);
    for (name, text) in &all {
        std::fs::write(path.join(name), text.replace(SECRET, "Other-Tr0ub4dor")).unwrap();
    }
    let help = stdout(&run(path, &["--help"]));
    let mut ran = 0;
    for (name, _) in commands_of(&help) {
        let prints = ALL.iter().find(|(known, _)| *known == name);
        let (_, prints) = prints.unwrap_or_else(|| panic!("{name} has no row in ALL"));
        let help = stdout(&run(path, &[name, "--help"]));
        let words: Vec<&str> = help.split_whitespace().collect();
        let says_so = words.join(" ").contains("source text as it is, secrets included")
            || help.contains("Source text is shown as it is, secrets included");
        // The page has excerpts of findings.
        let is_source_text = matches!(prints, Prints::SourceText) || name == "overview";
        assert_eq!(says_so, is_source_text, "{help}");
        let Prints::Values(rows) = prints else { continue };
        for format in formats(&help) {
            if (name, &*format) == ("overview", "html") {
                continue;
            }
            for row in *rows {
                let mut arguments = [&[name], *row].concat();
                if !format.is_empty() {
                    arguments.extend(["--format", &format]);
                }
                let output = run(path, &arguments);
                let text = stdout(&output) + &stderr(&output);
                assert!(!text.contains(SECRET), "{arguments:?}: {text}");
                ran += usize::from(status(&output) != 2);
            }
        }
    }
    assert!(ran > 100, "{ran}");
}
