//! Rules: which of them are selected, comments, edits, settings of tflint.

use std::path::Path;

use serde_json::Value;

use crate::tool::{list, run, status, stderr, stdout, tree};

/// Returns the codes of the findings of a check, with their files and lines.
fn found(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let output = run(directory, &[&["check", "--format", "json"], arguments].concat());
    assert!(status(&output) < 2, "{}", stderr(&output));
    let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let diagnostics = answer["diagnostics"].as_array().unwrap();
    let of = |it: &Value| {
        let range = &it["range"];
        let file = range["filename"].as_str().unwrap();
        format!("{file}:{} {}", range["start"]["line"], it["code"].as_str().unwrap())
    };
    diagnostics.iter().map(of).collect()
}

const MAIN: &str = "variable \"sizeOfIt\" {}\noutput \"o\" {\n  value = \"${var.sizeOfIt}\"\n}\n";

#[test]
fn rules_are_selected_by_name_and_group() {
    let tree = tree(&[("main.tf", MAIN)]);
    let of = |arguments: &[&str]| found(tree.path(), arguments);
    let interpolation = "main.tf:3 deprecated-interpolation".to_owned();
    assert_eq!(of(&[]), [interpolation.as_str()]);
    let naming = "main.tf:1 naming-convention";
    assert_eq!(of(&["--select", "naming"]), [naming, &interpolation]);
    assert_eq!(of(&["--select", "terraform_naming_convention"]), [naming, &interpolation]);
    assert_eq!(of(&["--select", "naming", "--ignore", "deprecated"]), [naming]);
    // The more exact name decides.
    assert_eq!(of(&["--ignore", "all", "--select", "naming"]), [naming]);
    assert_eq!(of(&["--select", "all", "--ignore", "all"]), [""; 0]);
    assert_eq!(of(&["--select", "naming-convention", "--ignore", "naming"]).len(), 2);
    assert_eq!(of(&["--allow", "deprecated-interpolation"]), [""; 0]);
    let denied = run(tree.path(), &["check", "--deny", "deprecated-interpolation"]);
    assert_eq!(status(&denied), 1);
    for (arguments, message) in [
        (&["--select", "namign"][..], "did you mean \"naming\"?"),
        (&["--ignore", "repeated-key"], "always selected"),
        (&["--ignore", "correctness"], "always selected"),
        (&["--ignore", "undeclared-reference"], "always reported"),
        (&["--select", "all", "--level", "syntax"], "--select needs --level"),
        (&["--unsafe-fixes"], "--unsafe-fixes needs --fix"),
    ] {
        let output = run(tree.path(), &[&["check"], arguments].concat());
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn rules_have_the_names_of_opentofu() {
    let main = "variable \"on\" {\n  type = bool\n}\nvariable \"any\" {}\n\
                locals {\n  at  = core::timestamp()\n  was = local.at\n}\n\
                resource \"terraform_data\" \"a\" {\n  count = var.on ? 1 : 0\n  input = local.was\n}\n\
                resource \"terraform_data\" \"b\" {\n  for_each = var.on ? toset([\"x\"]) : []\n  input    = \"var.any\"\n\
                \x20 depends_on = [terraform_data.a]\n}\n\
                resource \"terraform_data\" \"c\" {\n  count = var.on ? 2 : 0\n  input = [\"terraform_data.a.id\", uuid()]\n\
                \x20 depends_on = [\"terraform_data.a\"]\n  lifecycle {\n    ignore_changes = [input]\n  }\n}\n\
                output \"o\" {\n  value = terraform_data.a\n}\n";
    let tree = tree(&[("main.tf", main)]);
    let only = ["--allow", "quoted-reference", "--ignore", "all", "--select"];
    let of = |name: &str| found(tree.path(), &[&only[..], &[name]].concat());
    assert_eq!(of("core:no-type-variable"), ["main.tf:4 typed-variable"]);
    assert_eq!(of("core:unused-variable"), ["main.tf:4 unused-declaration"]);
    let instances = ["main.tf:10 conditional-instance", "main.tf:14 conditional-instance"];
    assert_eq!(of("core:count-instead-enabled"), instances);
    assert_eq!(of("core:noconverge"), ["main.tf:11 impure-function"]);
    let quoted = ["main.tf:15 quoted-address", "main.tf:20 quoted-address"];
    assert_eq!(of("core:quotedref"), quoted);
    assert_eq!(of("core:confusing"), [&["main.tf:4 typed-variable"], &quoted[..]].concat());
    assert_eq!(of("core:all").len(), 7);
    let terraform = [&only[..], &["conditional-instance", "--dialect", "terraform"]].concat();
    assert_eq!(found(tree.path(), &terraform), [""; 0]);
    let explained =
        run(tree.path(), &["explain", "core:unused-local", "terraform_map_duplicate_keys"]);
    let explained = stdout(&explained);
    assert!(explained.starts_with("warning[unused-declaration]"), "{explained}");
    assert!(explained.contains("In OpenTofu: core:unused-variable, core:unused-local."));
    assert!(explained.contains("[repeated-key]") && explained.contains("[computed-repeated-key]"));
    for arguments in [&["check", "--select", "core:x"][..], &["explain", "core:x"]] {
        assert_eq!(status(&run(tree.path(), arguments)), 2, "{arguments:?}");
    }
}

#[test]
fn settings_select_by_path_and_set_options() {
    let settings = "select = [\"naming\"]\nignore = [\"deprecated\"]\n\
                    [per-path-ignore]\n\"old/\" = [\"naming\"]\n\
                    [per-path-select]\n\"new/\" = [\"style\"]\n\
                    [rules.naming-convention]\nvariable = \"mixed_snake_case\"\noutput = \"^x_\"\n";
    let tree = tree(&[
        ("simd-hcl.toml", settings),
        ("main.tf", MAIN),
        ("old/main.tf", "output \"badName\" {\n  value = 1\n}\n"),
        ("new/outputs.tf", "output \"x_a\" {\n  value = 1\n}\n"),
        ("new/main.tf", ""),
        ("new/variables.tf", ""),
    ]);
    let expected = ["main.tf:2 naming-convention", "new/outputs.tf:1 documented-output"];
    assert_eq!(found(tree.path(), &[]), expected);
    // Flags take precedence.
    assert_eq!(found(tree.path(), &["--ignore", "all"]), [""; 0]);
    for (wrong, message) in [
        ("select = [\"nothing\"]\n", "no rule has this name"),
        ("ignore = [\"repeated-key\"]\n", "always selected"),
        ("preview = 1\n", "expected true or false"),
        ("[rules.nothing]\n", "unknown rule \"nothing\""),
        ("[rules.module-version]\nexcat = true\n", "expected one of exact"),
        ("[rules.module-version]\nexact = \"yes\"\n", "expected true or false"),
        ("[rules.unpinned-module]\nstyle = \"x\"\n", "expected one of flexible, semver"),
        ("[rules.naming-convention]\nformat = \"(\"\n", "invalid regular expression"),
        ("[rules.typed-variable]\nx = 1\n", "expected a string"),
        ("[rules.typed-variable]\nx = \"1\"\n", "the rule has no options"),
    ] {
        std::fs::write(tree.path().join("simd-hcl.toml"), wrong).unwrap();
        let output = run(tree.path(), &["check"]);
        assert_eq!(status(&output), 2, "{wrong}");
        assert!(stderr(&output).contains(message), "{wrong}: {}", stderr(&output));
    }
}

#[test]
fn rules_about_the_tree_are_limited_to_named_files() {
    let tree = tree(&[
        ("main.tf", "module \"net\" {\n  source = \"./net\"\n}\n"),
        ("net/a.tf", "output \"a\" {\n  value = 1\n}\n"),
        ("net/b.tf", "output \"b\" {\n  value = 1\n}\n"),
    ]);
    let all = ["net/a.tf:1 unused-output", "net/b.tf:1 unused-output"];
    let arguments = ["--select", "unused-output"];
    assert_eq!(found(tree.path(), &arguments), all);
    let of = |files: &[&str]| found(tree.path(), &[&arguments, files].concat());
    assert_eq!(of(&["main.tf", "net/b.tf"]), all[1..]);
    assert_eq!(of(&["main.tf", "net"]), all);
}

#[test]
fn comments_ignore_rules() {
    let text = "# tflint-ignore: terraform_naming_convention, aws_x # a reason\n\
                resource \"terraform_data\" \"BadOne\" {\n  # simd-hcl:allow(deprecated-interpolation)\n  input = \"${path.module}\"\n}\n\
                resource \"terraform_data\" \"BadTwo\" {} # tflint-ignore: all\n\
                \nresource \"terraform_data\" \"BadThree\" {}\n\
                # simd-hcl:allow(naming-convention, deprecated-index)\n\
                resource \"terraform_data\" \"good\" {}\n";
    let json = r#"{"resource": {"terraform_data": {"BadFour": {"//": "tflint-ignore: terraform_naming_convention"}}}}"#;
    let tree = tree(&[
        ("main.tf", text),
        ("more.tf.json", json),
        (
            "all.tf",
            "# tflint-ignore-file: terraform_naming_convention\nlocals {\n  Bad = 1\n}\noutput \"o\" {\n  value = local.Bad\n}\n",
        ),
        ("late.tf", "\n# tflint-ignore-file: terraform_naming_convention\nlocals {}\n"),
    ]);
    let expected =
        ["main.tf:8 naming-convention", "main.tf:9 unused-ignore", "main.tf:9 unused-ignore"];
    assert_eq!(found(tree.path(), &["--select", "naming"]), expected);
    let output = run(tree.path(), &["check", "--select", "naming"]);
    assert!(
        stderr(&output).contains("late.tf:2: `tflint-ignore-file` is not"),
        "{}",
        stderr(&output)
    );
    // A rule that is not selected cannot find anything.
    let expected = ["main.tf:9 unused-ignore"];
    assert_eq!(found(tree.path(), &[]), expected);
    std::fs::write(
        tree.path().join("simd-hcl.toml"),
        "select = [\"naming\"]\n[rules.naming-convention]\nignorable = false\n",
    )
    .unwrap();
    let all = found(tree.path(), &["--ignore", "unused-ignore"]);
    assert_eq!(all.iter().filter(|it| it.ends_with("naming-convention")).count(), 5, "{all:?}");
}

#[test]
fn edits_are_safe_unless_asked_for() {
    let text = "variable \"l\" {\n  type = list(string)\n}\n\
                // For all.\n\
                output \"a\" {\n  value = \"${var.l.0}\"\n}\n\
                output \"b\" {\n  value = var.l == [] ? lookup({ a = 1 }, \"a\") : {\n    \"${var.l[0]}\" = 1\n  }[\"a\"]\n}\n\
                output \"c\" {\n  value = \"${var.l[0] /* why */}\"\n}\n";
    let tree = tree(&[("main.tf", text)]);
    let read = || std::fs::read_to_string(tree.path().join("main.tf")).unwrap();
    let fix = |arguments: &[&str]| {
        let output = run(tree.path(), &[&["check", "--fix"], arguments].concat());
        assert_eq!(status(&output), 0, "{}", stderr(&output));
    };
    fix(&["--select", "comment-syntax"]);
    let safe = "variable \"l\" {\n  type = list(string)\n}\n\
                # For all.\n\
                output \"a\" {\n  value = var.l[0]\n}\n\
                output \"b\" {\n  value = var.l == [] ? { a = 1 }[\"a\"] : {\n    (var.l[0]) = 1\n  }[\"a\"]\n}\n\
                output \"c\" {\n  value = \"${var.l[0] /* why */}\"\n}\n";
    assert_eq!(read(), safe);
    fix(&["--unsafe-fixes"]);
    let all = safe
        .replace("var.l == []", "length(var.l) == 0")
        .replace("\"${var.l[0] /* why */}\"", "var.l[0]");
    assert_eq!(read(), all);
    assert_eq!(found(tree.path(), &[]), [""; 0]);
}

#[test]
fn comments_of_several_lines_start_with_number_signs() {
    let fixed = |text: &str| {
        let tree = tree(&[("main.tf", text)]);
        let arguments = ["check", "--fix", "--ignore", "all", "--select", "comment-syntax"];
        run(tree.path(), &arguments);
        std::fs::read_to_string(tree.path().join("main.tf")).unwrap()
    };
    assert_eq!(fixed("/**\n * One\n *\n *   Two\n **/\n"), "# One\n#\n#   Two\n");
    assert_eq!(fixed("/*\n * One\n */\n"), "# One\n");
    assert_eq!(fixed("/* One\n   Two */\n"), "# One\n#   Two\n");
    assert_eq!(fixed("/*\r\n One\r\nTwo\r\n*/\r\n"), "# One\r\n# Two\r\n");
    let block = |comment: &str| format!("locals {{\n  {comment}\n  a = 1\n}}\n");
    assert_eq!(fixed(&block("/* One\n   * Two */")), block("# One\n  # Two"));
    assert_eq!(fixed(&block("/*\n  */")), block("#"));
}

#[test]
fn settings_of_tflint_are_migrated() {
    let tflint = "config {\n  disabled_by_default = true\n  varfile = [\"a.tfvars\"]\n}\n\
                  plugin \"aws\" {\n  enabled = true\n}\n\
                  rule \"terraform_naming_convention\" {\n  enabled = true\n  format = \"custom\"\n\
                  \x20 custom_formats = {\n    custom = {\n      regex = \"^[a-z\\\\d]+$\"\n      description = \"d\"\n    }\n  }\n\
                  \x20 variable {\n    format = \"none\"\n  }\n}\n\
                  rule \"terraform_module_pinned_source\" {\n  enabled = true\n  style = \"semver\"\n  default_branches = [\"dev\"]\n  ignorable = false\n}\n\
                  rule \"aws_instance_invalid_type\" {\n  enabled = false\n}\n";
    let tree = tree(&[(".tflint.hcl", tflint), ("main.tf", "")]);
    let output = run(tree.path(), &["migrate"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let settings = stdout(&output);
    for line in [
        "# Without a counterpart: config varfile\n",
        "# Without a counterpart: plugin aws\n",
        "# Without a counterpart: rule aws_instance_invalid_type\n",
        "select = [\n    \"naming-convention\",\n    \"unpinned-module\",\n]\n",
        "allow = [\n    \"computed-repeated-key\",\n    \"repeated-key\",\n]\n",
        "[rules.naming-convention]\nformat = \"^[a-z\\\\d]+$\"\nvariable = \"none\"\n",
        "[rules.unpinned-module]\ndefault-branches = [\"dev\"]\nignorable = false\nstyle = \"semver\"\n",
    ] {
        assert!(settings.contains(line), "{line} in {settings}");
    }
    std::fs::write(tree.path().join("simd-hcl.toml"), &settings).unwrap();
    let main = "output \"A\" {\n  value = \"${path.module}\"\n}\nmodule \"m\" {\n  source = \"git::https://e.example/m.git?ref=dev\"\n}\n";
    std::fs::write(tree.path().join("main.tf"), main).unwrap();
    let expected = ["main.tf:1 naming-convention", "main.tf:5 unpinned-module"];
    assert_eq!(found(tree.path(), &[]), expected);
    assert_eq!(status(&run(tree.path(), &["migrate", "gone.hcl"])), 2);
    std::fs::write(tree.path().join("wrong.hcl"), "rule {}\n").unwrap();
    assert_eq!(status(&run(tree.path(), &["migrate", "wrong.hcl"])), 2);
}

#[test]
fn the_last_of_two_blocks_of_tflint_counts() {
    let tflint = "rule \"terraform_naming_convention\" {\n  format = \"none\"\n  variable {\n    format = \"none\"\n  }\n}\n\
                  rule \"terraform_naming_convention\" {\n  enabled = true\n  format = \"snake_case\"\n\
                  \x20 output {\n    format = \"none\"\n  }\n  output {\n    format = \"mixed_snake_case\"\n  }\n}\n";
    let tree = tree(&[(".tflint.hcl", tflint), ("main.tf", "output \"a-b\" {\n  value = 1\n}\n")]);
    let settings = stdout(&run(tree.path(), &["migrate"]));
    let options =
        "[rules.naming-convention]\nformat = \"snake_case\"\noutput = \"mixed_snake_case\"\n";
    assert!(settings.ends_with(options), "{settings}");
    std::fs::write(tree.path().join("simd-hcl.toml"), &settings).unwrap();
    let arguments = ["--ignore", "required-version"];
    assert_eq!(found(tree.path(), &arguments), ["main.tf:1 naming-convention"]);
}

/// The rules of tflint-ruleset-terraform are all there, and settings without a ruleset are its preset
/// `recommended`.
#[test]
fn rules_follow_tflint() {
    let tree = tree(&[("main.tf", "")]);
    let rules = list(&run(tree.path(), &["rules", "--format", "json"]), "rules");
    let mut names: Vec<&str> = rules
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|rule| match &rule["tflint"] {
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            name => name.as_str().into_iter().collect::<Vec<_>>(),
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 20, "{names:?}");
    let named = stdout(&run(tree.path(), &["rules", "naming", "terraform_typed_variables"]));
    assert_eq!(named.lines().count(), 2, "{named}");
    assert_eq!(status(&run(tree.path(), &["rules", "nothing"])), 2);
}

#[test]
fn versions_are_compared_with_what_is_required() {
    let text = |version: &str| format!("terraform {{\n  required_version = \"{version}\"\n}}\n");
    let main = "variable \"a\" {\n  type     = string\n  nullable = false\n}\n\
                check \"c\" {\n  assert {\n    condition     = var.a != \"\"\n    error_message = \"x\"\n  }\n}\n\
                output \"o\" {\n  value = startswith(var.a, \"x\") && issensitive(var.a)\n}\n";
    let tree = tree(&[("main.tf", main), ("versions.tf", &text(">= 1.0"))]);
    let of = |arguments: &[&str]| found(tree.path(), arguments);
    let require = |name: &str, version: &str| {
        std::fs::write(tree.path().join(name), text(version)).unwrap();
    };
    let places = ["main.tf:3", "main.tf:5", "main.tf:12", "main.tf:12"];
    let all = places.map(|place| format!("{place} needs-newer-version"));
    assert_eq!(of(&[]), all);
    for (version, count) in [
        (">= 1.1", 3),
        ("~> 1.3", 2),
        // OpenTofu 1.7 has all of them, and Terraform 1.7 all but one.
        (">= 1.7", 0),
        ("~> 1.6.0", 1),
        ("< 1.1, >= 1.0", 4),
        ("1.6.3", 1),
        (">= 2.0", 0),
    ] {
        require("versions.tf", version);
        assert_eq!(of(&[]).len(), count, "{version}");
    }
    require("versions.tf", ">= 1.7");
    assert_eq!(of(&["--dialect", "terraform"]).len(), 1);
    // Constraints of one module apply together.
    require("versions.tf", ">= 1.1");
    require("more.tf", ">= 1.7");
    assert_eq!(of(&[]), [""; 0]);
    require("only.tofu", ">= 1.6");
    assert_eq!(of(&[]).len(), 1);

    // As a release: what it does not have is an error.
    let release = run(tree.path(), &["check", "--dialect", "terraform@1.2", "--format", "concise"]);
    assert_eq!(status(&release), 1);
    let printed = stdout(&release);
    assert_eq!(printed.matches("error[needs-newer-version]").count(), 3, "{printed}");
    assert!(printed.contains("The function `startswith` needs Terraform 1.3"), "{printed}");
    assert_eq!(status(&run(tree.path(), &["check", "--dialect", "opentofu@1.7"])), 0);
    for wrong in ["terraform@2", "terraform@1.x", "packer@1.9", "pulumi"] {
        assert_eq!(status(&run(tree.path(), &["check", "--dialect", wrong])), 2, "{wrong}");
    }

    let needed = list(&run(tree.path(), &["inspect", "--versions", "--format", "json"]), "modules");
    assert_eq!(needed[0]["terraform"]["version"], "1.8");
    assert_eq!(needed[0]["terraform"]["because"]["name"], "issensitive");
    assert_eq!(needed[0]["opentofu"]["version"], "1.7");
    assert_eq!(needed[0]["opentofu"]["because"]["name"], "issensitive");
}

/// Values that only later releases accept are constructs of their own.
#[test]
fn values_need_versions() {
    let main = "variable \"a\" {\n  default = \"x\"\n  type = string\n  validation {\n    condition     = var.a != local.b && path.module != \"\"\n    error_message = \"x\"\n  }\n}\n\
                variable \"o\" {\n  type = object({ a = optional(string) })\n}\n\
                locals {\n  b = \"y\"\n  m = \"./m\"\n}\n\
                module \"m\" {\n  source = local.m\n}\n\
                moved {\n  from = null_resource.a\n  to   = terraform_data.a\n}\n\
                resource \"terraform_data\" \"a\" {\n  lifecycle {\n    prevent_destroy = local.b == \"y\"\n  }\n}\n\
                import {\n  to = terraform_data.a\n  id = local.b\n}\n\
                import {\n  for_each = toset([\"k\"])\n  to       = terraform_data.c[each.key]\n  id       = \"x\"\n}\n\
                resource \"terraform_data\" \"c\" {\n  for_each = toset([\"k\"])\n}\n";
    let backend = "terraform {\n  backend \"s3\" {\n    key = local.b\n  }\n}\n";
    let tree = tree(&[("main.tf", main), ("backend.tf", backend), ("m/main.tf", "")]);
    let of = |dialect: &str| {
        let output = run(tree.path(), &["check", "--dialect", dialect, "--format", "concise"]);
        let all = stdout(&output);
        let lines = all.lines().filter(|line| line.contains("needs-newer-version"));
        let place = |line: &str| line.split(':').nth(1).map(str::to_owned);
        lines.filter_map(place).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of("opentofu@1.12"), "");
    assert_eq!(of("opentofu@1.6"), "3 5 17 19 25 33 34");
    assert_eq!(of("terraform@1.15"), "");
    assert_eq!(of("terraform@1.14"), "17");
    assert_eq!(of("terraform@1.2"), "5 10 17 19 28 30 32 33 34");
}

/// Functions that accept more than before, and names that are new.
#[test]
fn calls_and_names_need_versions() {
    let main = "output \"a\" {\n  value = [\n    core::upper(\"x\"),\n    element([1, 2], -1),\n    element([1, 2], 1),\n\
                \x20   contains(null, 1),\n    cidrsubnets(\"fd00::/16\", 4, 33),\n  ]\n}\n\
                locals {\n  now = terraform.applying\n}\n\
                resource \"terraform_data\" \"b\" {}\n\
                moved {\n  from = resource.terraform_data.a\n  to   = terraform_data.b\n}\n\
                module \"m\" {\n  source  = \"./m\"\n  version = null\n}\n\
                variable \"c\" {\n  type    = string\n  default = \"x\"\n  validation {\n    condition     = var.c != path.module\n    error_message = \"x\"\n  }\n}\n";
    let json = r#"{"output": {"j": {"value": "${element([1], -2)} ${core::lower(\"A\")} ${tofu.workspace}"}}}"#;
    let tree = tree(&[("main.tf", main), ("more.tf.json", json), ("m/main.tf", "")]);
    let of = |dialect: &str| {
        let output = run(tree.path(), &["check", "--dialect", dialect, "--format", "concise"]);
        let all = stdout(&output);
        let lines = all.lines().filter(|line| line.contains("needs-newer-version"));
        let place = |line: &str| {
            let mut parts = line.split(':');
            let is_json = parts.next() == Some("more.tf.json");
            Some(format!("{}{}", if is_json { "j" } else { "" }, parts.next()?))
        };
        lines.filter_map(place).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of("terraform@1.16"), "");
    assert_eq!(of("terraform@1.15"), "6");
    assert_eq!(of("terraform@1.14"), "6 20");
    assert_eq!(of("terraform@1.9"), "4 6 11 20 j1");
    assert_eq!(of("terraform@1.8"), "4 6 11 15 20 26 j1");
    assert_eq!(of("terraform@1.7"), "3 4 6 11 15 20 26 j1 j1");
    assert_eq!(of("opentofu@1.13"), "");
    assert_eq!(of("opentofu@1.12"), "6 7");
    assert_eq!(of("opentofu@1.6"), "3 4 6 7 11 20 26 j1 j1 j1");
}

/// Older releases evaluate both operands of `&&` and `||`.
#[test]
fn what_a_null_would_break_needs_a_version() {
    let line = |(at, text): (usize, &&str)| format!("output \"o{at}\" {{\n  value = {text}\n}}\n");
    let count = |texts: &[&str]| {
        let outputs: String = texts.iter().enumerate().map(line).collect();
        let variable = "variable \"v\" {\n  type    = any\n  default = null\n}\n";
        let tree = tree(&[("main.tf", &format!("{variable}{outputs}"))]);
        let of = |release: &str| {
            let all = found(tree.path(), &["--dialect", release]);
            all.iter().filter(|it| it.ends_with(" needs-newer-version")).count()
        };
        let [terraform, opentofu] = [of("terraform@1.12"), of("opentofu@1.10")];
        assert_eq!((terraform, opentofu), (0, 0));
        assert_eq!(of("terraform@1.11"), of("opentofu@1.9"));
        of("terraform@1.11")
    };
    let breaks = [
        "var.v != null && var.v.a == 1",
        "null != var.v && var.v[0] == 1",
        "var.v == null || var.v.a",
        "true && var.v != null && length(var.v) > 0",
        "var.v != null && (var.v > 3)",
        "var.v != null && var.v",
        "var.v != null && !var.v",
        "var.v != null && alltrue([for x in var.v : x > 1])",
        "var.v.w != null && var.v.w.x",
        "var.v != null && \"${var.v}x\" == \"yx\"",
    ];
    assert_eq!(count(&breaks), breaks.len());
    let holds = [
        "var.v != null && try(var.v.a, false)",
        "var.v != null && var.v != 1",
        "var.v == null && var.v.a == 1",
        "var.v != null || var.v.a",
        "var.v.w != null && var.v.x",
        "var.v != null ? var.v.a : 1",
        "var.v != null && length(coalesce(var.v, [])) > 0",
    ];
    assert_eq!(count(&holds), 0);
    // A condition that is false is an error, too.
    let validated = |condition: &str| {
        let text = format!(
            "variable \"v\" {{\n  type = list(string)\n  validation {{\n    condition     = {condition}\n    error_message = \"x\"\n  }}\n}}\n\
             output \"o\" {{\n  value = var.v\n}}\n"
        );
        let tree = tree(&[("main.tf", &text)]);
        found(tree.path(), &["--dialect", "terraform@1.11"])
    };
    assert_eq!(validated("var.v != null && length(var.v) > 0"), [""; 0]);
    assert_eq!(validated("(var.v != null && length(var.v) > 0) || true").len(), 1);
    assert_eq!(validated("var.v == null || length(var.v) > 0").len(), 1);
}

#[test]
fn imports_in_called_modules_need_a_version() {
    let import = "import {\n  to = terraform_data.a\n  id = \"x\"\n}\nresource \"terraform_data\" \"a\" {}\n";
    let call = format!("module \"m\" {{\n  source = \"./m\"\n}}\n{import}");
    let tree = tree(&[("main.tf", &call), ("m/main.tf", import)]);
    let of = |dialect: &str| found(tree.path(), &["--dialect", dialect]);
    assert_eq!(of("terraform@1.15"), ["m/main.tf:1 needs-newer-version"]);
    assert_eq!(of("terraform@1.16"), [""; 0]);
    assert_eq!(of("opentofu@1.12"), ["m/main.tf:1 called-import"]);
}

/// Newer releases warn of some constructs, or no longer have them.
#[test]
fn constructs_that_end() {
    let text = |version: &str, backend: &str, more: &str| {
        format!(
            "terraform {{\n{version}  backend \"{backend}\" {{\n{more}  }}\n}}\n\
             resource \"terraform_data\" \"a\" {{\n  connection {{\n    type = \"winrm\"\n    host = \"x\"\n  }}\n}}\n"
        )
    };
    let check = |text: &str, arguments: &[&str]| {
        let tree = tree(&[("main.tf", text)]);
        found(tree.path(), arguments)
    };
    let required = |version: &str| format!("  required_version = \"{version}\"\n");
    let etcd = |version: &str| text(version, "etcd", "");
    let winrm = |line: usize, code: &str| format!("main.tf:{line} {code}-construct");
    assert_eq!(check(&etcd(""), &[]), ["main.tf:2 unknown-backend"]);
    assert_eq!(check(&etcd(&required(">= 1.1")), &[]), ["main.tf:3 unknown-backend"]);
    let newer = check(&etcd(&required("~> 1.2.0")), &["--dialect", "terraform@1.5"]);
    assert_eq!(newer, ["main.tf:3 removed-construct"]);
    // A release that is named decides alone.
    let of = |release: &str, version: &str| check(&etcd(version), &["--dialect", release]);
    assert_eq!(of("terraform@1.1", ""), [""; 0]);
    assert_eq!(of("terraform@1.2", ""), ["main.tf:2 deprecated-construct"]);
    assert_eq!(of("terraform@1.3", ""), ["main.tf:2 unknown-backend"]);
    assert_eq!(of("terraform@1.2", &required(">= 1.1")), ["main.tf:3 deprecated-construct"]);
    assert_eq!(of("opentofu@1.6", ""), ["main.tf:2 unknown-backend"]);
    assert_eq!(check(&etcd(&required("~> 1.2.0")), &[]), ["main.tf:3 deprecated-construct"]);
    assert_eq!(check(&etcd(&required("~> 1.1.0")), &[]), [""; 0]);
    let role = text("", "s3", "    role_arn = \"x\"\n    dynamodb_table = \"y\"\n");
    assert_eq!(check(&role, &[]), ["main.tf:3 deprecated-construct"]);
    let of = |release: &str| check(&role, &["--dialect", release]);
    assert_eq!(of("terraform@1.5"), [""; 0]);
    assert_eq!(of("terraform@1.9"), ["main.tf:3 deprecated-construct"]);
    assert_eq!(
        of("terraform@1.11"),
        ["main.tf:3 removed-construct", "main.tf:4 deprecated-construct"]
    );
    assert_eq!(of("opentofu@1.11"), ["main.tf:3 deprecated-construct"]);
    let role = "main.tf:3 deprecated-construct".to_owned();
    assert_eq!(of("opentofu@1.12"), [role.clone(), winrm(9, "deprecated")]);
    assert_eq!(of("opentofu@1.13"), [role, winrm(9, "removed")]);
    // Neither a new backend that the tool never gets, nor one that all have.
    let oci = text(&required(">= 1.10"), "oci", "");
    assert_eq!(check(&oci, &[]), ["main.tf:3 needs-newer-version"]);
    assert_eq!(check(&oci, &["--dialect", "terraform@1.12"]), [""; 0]);
}

/// Runs of tests, stacks and units of Terragrunt run modules, set their variables and read their outputs.
#[test]
fn callers_are_not_only_modules() {
    let module = "variable \"a\" {\n  type    = string\n  default = \"x\"\n}\noutput \"b\" {\n  value = var.a\n}\n";
    let call = |source: &str| format!("module \"m\" {{\n  source = \"{source}\"\n}}\n");
    let component =
        "component \"c\" {\n  source = \"../of-stack\"\n  inputs = {\n    a = \"y\"\n  }\n}\n";
    let unit = "terraform {\n  source = \"../of-unit\"\n}\ninputs = {\n  a = \"y\"\n}\n";
    let run = "run \"r\" {\n  module {\n    source = \"./tests/of-test\"\n  }\n}\n";
    let calls = ["of-stack", "of-unit", "root/tests/of-test", "plain"].map(|it| {
        call(&format!("../{it}")).replace("\"m\"", &format!("\"{}\"", it.replace('/', "-")))
    });
    let tree = tree(&[
        ("root/main.tf", "terraform {\n  backend \"local\" {}\n}\n"),
        ("root/a.tftest.hcl", run),
        ("root/tests/of-test/main.tf", module),
        ("stack/a.tfcomponent.hcl", component),
        ("of-stack/main.tf", module),
        ("unit/terragrunt.hcl", unit),
        ("of-unit/main.tf", module),
        ("plain/main.tf", module),
    ]);
    let of = || {
        let rules = "uncalled-module,unset-variable,unused-output";
        found(tree.path(), &["--ignore", "all", "--select", rules])
    };
    assert_eq!(of(), ["plain/main.tf:1 uncalled-module"]);
    std::fs::write(tree.path().join("root/calls.tf"), calls.concat()).unwrap();
    assert_eq!(of(), ["plain/main.tf:1 unset-variable", "plain/main.tf:5 unused-output"]);
}

/// A text is no reference where none can be, and an interpolation has the type of what is inside.
#[test]
fn edits_add_no_errors() {
    let main = "variable \"a\" {\n  type    = string\n  default = \"var.b\"\n}\n\
                variable \"b\" {\n  type = number\n}\n\
                resource \"terraform_data\" \"c\" {\n  input = [\"terraform_data.c.id\", \"var.b\"]\n}\n\
                output \"d\" {\n  value = \"${var.a}\" == 1\n}\n";
    let tree = tree(&[("main.tf", main)]);
    let rules = ["--ignore", "all", "--select", "quoted-address"];
    let expected = ["main.tf:9 quoted-address", "main.tf:12 unequal-types"];
    assert_eq!(found(tree.path(), &rules), expected);
}

/// Conditions that are constant, and what `try` hides or does not try.
#[test]
fn expressions_that_decide_nothing() {
    let main = "variable \"a\" {\n  type = any\n}\noutput \"o\" {\n  value = [\n\
                \x20   false && var.a,\n    var.a || 1 == 1,\n    [for x in var.a : x if true],\n    \"%{if true}x%{endif}\",\n\
                \x20   true ? 1 : var.a,\n    var.a ? 1 : 2,\n    [for x in var.a : x],\n\
                \x20   try(var.a, 1),\n    try(\"x\", 1),\n    try(var.a.b, 1),\n    try(var.a[0], null),\n\
                \x20   try(yamldecode(file(\"x\")).y, 1),\n    try(var.a.b, jsondecode(\"{}\")),\n    try(can(jsondecode(var.a.b)), 1),\n  ]\n}\n\
                resource \"terraform_data\" \"a\" {\n  for_each = toset(var.a ? [\"x\"] : [])\n}\n";
    let tree = tree(&[("main.tf", main)]);
    let rules = "unused-branch,needless-try,hidden-error,conditional-instance";
    let expected = [
        "6 unused-branch",
        "7 unused-branch",
        "8 unused-branch",
        "9 unused-branch",
        "10 unused-branch",
        "13 needless-try",
        "14 needless-try",
        "17 hidden-error",
        "23 conditional-instance",
    ];
    let all = found(tree.path(), &["--ignore", "all", "--select", rules]);
    assert_eq!(all, expected.map(|it| format!("main.tf:{it}")));
}

/// With a release, files count that it reads, and in these everything that it does not have is found: in
/// override files and tests, too.
#[test]
fn a_release_reads_its_own_files() {
    let test = "variables {\n  a = 1\n}\nvariable \"b\" {\n  type = string\n}\nmock_provider \"x\" {\n  override_during = plan\n}\n\
                run \"r\" {\n  state_key = \"k\"\n  parallel  = true\n  override_resource {\n    target = terraform_data.a\n  }\n}\n";
    let tree = tree(&[
        (
            "main.tf",
            "terraform {\n  required_version = \">= 1.6\"\n}\nvariable \"v\" {\n  type = string\n}\n\
          resource \"terraform_data\" \"a\" {\n  input = var.v\n}\n",
        ),
        ("main_override.tf", "variable \"v\" {\n  deprecated = \"x\"\n}\n"),
        ("a.tftest.hcl", test),
        ("more.tofu", "output \"p\" {\n  value = var.none\n}\n"),
        ("m/main.tf", "output \"q\" {\n  value = var.none\n}\n"),
        ("m/main.tofu", "output \"q\" {\n  value = 1\n}\n"),
    ]);
    let newer = |lines: &[&str]| -> Vec<String> {
        lines.iter().map(|it| format!("{it} needs-newer-version")).collect()
    };
    let of = |release: &str| found(tree.path(), &["--dialect", release]);
    let all = newer(&[
        "a.tftest.hcl:4",
        "a.tftest.hcl:7",
        "a.tftest.hcl:8",
        "a.tftest.hcl:11",
        "a.tftest.hcl:12",
        "a.tftest.hcl:13",
        "main_override.tf:2",
    ]);
    let none = ["m/main.tf:2 undeclared-reference".to_owned()];
    let sorted = |mut all: Vec<String>| {
        all.sort_unstable();
        all
    };
    assert_eq!(sorted(of("terraform@1.6")), sorted([&all[..], &none].concat()));
    let later = newer(&["a.tftest.hcl:4", "a.tftest.hcl:12", "main_override.tf:2"]);
    assert_eq!(sorted(of("terraform@1.11")), sorted([&later[..], &none].concat()));
    assert_eq!(of("terraform@1.15"), none);
    // Test files are new in 1.6.
    assert_eq!(
        of("terraform@1.5"),
        ["m/main.tf:2 undeclared-reference", "main_override.tf:2 needs-newer-version"]
    );
    // OpenTofu 1.7 does not read `.tofu`.
    let tofu = |release: &str| {
        let all = of(release);
        all.into_iter().filter(|it| !it.starts_with("a.tftest.hcl")).collect::<Vec<_>>()
    };
    assert_eq!(
        tofu("opentofu@1.7"),
        ["m/main.tf:2 undeclared-reference", "main_override.tf:2 needs-newer-version"]
    );
    assert_eq!(tofu("opentofu@1.11"), ["more.tofu:2 undeclared-reference"]);
    // Who calls the module does not run its tests.
    assert_eq!(
        found(tree.path(), &["--dialect", "terraform"]),
        ["m/main.tf:2 undeclared-reference", "main_override.tf:2 needs-newer-version"]
    );
}

#[test]
fn versions_are_compared_with_what_callers_require() {
    let root = |version: &str| {
        format!(
            "terraform {{\n  required_version = \"{version}\"\n}}\nmodule \"mid\" {{\n  source = \"../mid\"\n}}\n"
        )
    };
    let check = "check \"c\" {\n  assert {\n    condition     = path.module != \"\"\n    error_message = \"x\"\n  }\n}\n";
    let tree = tree(&[
        ("old/main.tf", &root(">= 1.3")),
        ("new/main.tf", &root(">= 1.8")),
        ("mid/main.tf", "module \"in\" {\n  source = \"../in\"\n}\n"),
        ("in/main.tf", check),
    ]);
    let write = |name: &str, text: &str| std::fs::write(tree.path().join(name), text).unwrap();
    let finding = ["in/main.tf:1 needs-newer-version"];
    assert_eq!(found(tree.path(), &[]), finding);
    let concise = stdout(&run(tree.path(), &["check", "--format", "json"]));
    assert!(concise.contains("old/main.tf"), "{concise}");
    // The constraints on one way apply together.
    let mid = "terraform {\n  required_version = \"!= 1.3.0, >= 1.5\"\n}\nmodule \"in\" {\n  source = \"../in\"\n}\n";
    write("mid/main.tf", mid);
    assert_eq!(found(tree.path(), &[]), [""; 0]);
    write("mid/main.tf", "module \"in\" {\n  source = \"../in\"\n}\n");
    write("old/main.tf", &root(">= 1.6"));
    assert_eq!(found(tree.path(), &[]), [""; 0]);
    // A module that requires something itself is compared with that alone.
    write("in/main.tf", &format!("terraform {{\n  required_version = \"~> 1.2\"\n}}\n{check}"));
    assert_eq!(found(tree.path(), &[]), ["in/main.tf:4 needs-newer-version"]);
}

/// The modules of `SIMD_HCL_DATA/tflint` have the findings of tflint: the rule, the file and the line of
/// at least 97 of 100. `docs/compatibility.md` lists the others.
#[test]
fn findings_are_those_of_tflint() {
    let Some(data) = std::env::var_os("SIMD_HCL_DATA") else {
        return println!("skipped: findings of tflint (SIMD_HCL_DATA names no folder)");
    };
    let cases = std::fs::read(Path::new(&data).join("tflint/cases.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_slice(&cases).unwrap();
    let (mut same, mut all, mut differ) = (0, 0, Vec::new());
    for case in cases.iter().filter(|case| case["errors"].is_null()) {
        let files = case["files"].as_object().unwrap();
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str().unwrap())).collect();
        let directory = tree(&files);
        let settings = [".tflint.hcl", ".tflint.json"];
        let settings = settings.iter().find(|name| files.iter().any(|(file, _)| file == *name));
        let arguments: &[&str] = match settings {
            Some(name) => {
                let migrated = stdout(&run(directory.path(), &["migrate", name]));
                std::fs::write(directory.path().join("simd-hcl.toml"), migrated).unwrap();
                &[]
            }
            None => &["--select", "all"],
        };
        let mut ours: Vec<String> = Vec::new();
        // Those of tflint are about one module.
        let own = found(directory.path(), arguments)
            .into_iter()
            .filter(|it| !it.split(' ').next().unwrap().contains('/'));
        for finding in own {
            let (place, code) = finding.split_once(' ').unwrap();
            let names = simd_hcl::rules::rule(code).map_or(&[][..], |rule| rule.tflint);
            ours.extend(names.iter().map(|rule| format!("{place} {}", rule.name)));
        }
        ours.sort_unstable();
        ours.dedup();
        let issues = case["issues"].as_array().unwrap();
        let of = |it: &Value| {
            let (file, rule) = (it["file"].as_str().unwrap(), it["rule"].as_str().unwrap());
            format!("{file}:{} {rule}", it["line"])
        };
        let mut theirs: Vec<String> = issues.iter().map(of).collect();
        theirs.sort_unstable();
        theirs.dedup();
        let common = ours.iter().filter(|it| theirs.contains(it)).count();
        same += common + usize::from(ours.is_empty() && theirs.is_empty());
        all += ours.len() + theirs.len() - common + usize::from(theirs.is_empty());
        if ours != theirs {
            differ.push(format!("{}: {ours:?}, not {theirs:?}", case["name"]));
        }
    }
    assert!(all > 150 && same * 100 >= all * 97, "{same} of {all}: {differ:#?}");
}
