//! Rules of files: what they select, how flags, settings and comments treat them, and their cases.

use serde_json::Value;

use crate::tool::{list, run, status, stderr, stdout, tree};

const RULES: &str = r#"
rule "own-acl" {
  for_each = resource.aws_s3_bucket
  deny     = each.value.acl == "public-read"
  message  = "Bucket ${each.labels[1]} is open."
  help     = "Close it."
}
rule "own-tags" {
  for_each = "resource.*.*.tags"
  warn     = each.value.team == null || each.type != "resource"
}
rule "own-variable" {
  for_each = variable
  warn     = each.value.type == "any"
}
rule "own-block" {
  for_each = resource.aws_s3_bucket
  warn     = try(each.value.versioning[0].enabled, true) == false
}
rule "about-plans" {
  type = "aws_s3_bucket"
  deny = true
}
"#;

const MAIN: &str = r#"
variable "acl" {
  type    = any
  default = "public-read"
}
variable "unknown" {
  type = string
}
resource "aws_s3_bucket" "a" {
  acl = "public-read"
}
resource "aws_s3_bucket" "b" {
  acl = var.acl
  versioning {
    enabled = false
  }
}
resource "aws_s3_bucket" "c" {
  acl  = var.unknown
  tags = { team = "x" }
}
resource "aws_s3_bucket" "d" {
  acl  = "public-read"
  tags = { team = null }
}
resource "aws_s3_bucket" "e" {
  dynamic "versioning" {
    for_each = [1]
    content {
      enabled = false
    }
  }
}
"#;

const SETTINGS: &str = "rule-files = [\"own.hcl\"]\n";

/// Returns the findings of own rules: line, code and severity.
fn found(directory: &std::path::Path, arguments: &[&str]) -> Vec<String> {
    let output = run(directory, &[&["check", "--format", "json"], arguments].concat());
    assert!(status(&output) < 2, "{}", stderr(&output));
    let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let diagnostics = answer["diagnostics"].as_array().unwrap();
    let own = diagnostics.iter().filter(|it| it["code"].as_str().unwrap().starts_with("own-"));
    let of = |it: &Value| {
        let text = |it: &Value| it.as_str().unwrap().to_owned();
        let (code, severity) = (text(&it["code"]), text(&it["severity"]));
        format!(
            "{}:{} {code} {severity}",
            text(&it["range"]["filename"]),
            it["range"]["start"]["line"]
        )
    };
    own.map(of).collect()
}

#[test]
fn blocks_are_selected_and_conditions_evaluated() {
    let tree = tree(&[("simd-hcl.toml", SETTINGS), ("own.hcl", RULES), ("main.tf", MAIN)]);
    let expected = [
        "main.tf:3 own-variable warning",
        "main.tf:10 own-acl error",
        "main.tf:13 own-acl error",
        "main.tf:14 own-block warning",
        "main.tf:19 own-acl warning",
        "main.tf:23 own-acl error",
        "main.tf:24 own-tags warning",
        "main.tf:26 own-block warning",
    ];
    let all = found(tree.path(), &[]);
    assert_eq!(all, expected);
    assert_eq!(found(tree.path(), &["--dialect", "terraform"]), all);
    let printed = stdout(&run(tree.path(), &["check", "--format", "concise"]));
    assert!(printed.contains("error[own-acl]: aws_s3_bucket.a: Bucket a is open."), "{printed}");
    let why = "aws_s3_bucket.c cannot be decided: `each.value.acl` is not known before a plan.";
    assert!(printed.contains(why), "{printed}");
    assert_eq!(status(&run(tree.path(), &["check"])), 1);
}

#[test]
fn findings_are_like_all_others() {
    let main = "resource \"aws_s3_bucket\" \"a\" {\n  acl = \"public-read\"\n}\n\
                # simd-hcl:allow(own-acl)\nresource \"aws_s3_bucket\" \"b\" {\n  acl = \"public-read\"\n}\n\
                # simd-hcl:allow(own-acl)\nresource \"aws_s3_bucket\" \"c\" {}\n";
    let tree = tree(&[
        ("simd-hcl.toml", SETTINGS),
        ("own.hcl", RULES),
        ("main.tf", main),
        ("old/main.tf", "resource \"aws_s3_bucket\" \"a\" {\n  acl = \"public-read\"\n}\n"),
    ]);
    let of = |arguments: &[&str]| found(tree.path(), arguments);
    let all = ["main.tf:2 own-acl error", "old/main.tf:2 own-acl error"];
    assert_eq!(of(&[]), all);
    let useless = stdout(&run(tree.path(), &["check", "--format", "concise"]));
    assert!(useless.contains("main.tf:8:1: warning[unused-ignore]"), "{useless}");
    for arguments in [["--allow", "own-acl"], ["--ignore", "own-acl"], ["--ignore", "all"]] {
        assert_eq!(of(&arguments), [""; 0], "{arguments:?}");
    }
    assert_eq!(of(&["main.tf"]), all[..1]);
    let per_path = format!("{SETTINGS}[per-path-ignore]\n\"old/\" = [\"own-acl\"]\n");
    std::fs::write(tree.path().join("simd-hcl.toml"), per_path).unwrap();
    assert_eq!(of(&[]), all[..1]);
    let is_final = format!("{SETTINGS}[rules.own-acl]\nignorable = false\n");
    std::fs::write(tree.path().join("simd-hcl.toml"), is_final).unwrap();
    assert_eq!(of(&[]).len(), 3);
    let sarif = stdout(&run(tree.path(), &["check", "--format", "sarif"]));
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let rules = &sarif["runs"][0]["tool"]["driver"]["rules"];
    for result in sarif["runs"][0]["results"].as_array().unwrap() {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    assert_eq!(status(&run(tree.path(), &["check", "--allow", "own-nothing"])), 2);
    for wrong in
        ["allow = [\"own-nothing\"]", "[rules.own-acl]\nx = true", "rule-files = \"own.hcl\""]
    {
        std::fs::write(tree.path().join("simd-hcl.toml"), format!("{wrong}\n")).unwrap();
        assert_eq!(status(&run(tree.path(), &["check"])), 2, "{wrong}");
    }
}

#[test]
fn wrong_rules_are_refused() {
    let main = ("main.tf", "output \"o\" {\n  value = 1\n}\n");
    for (rules, why) in [
        ("rule \"a\" {\n  for_each = resorce.x\n  deny = true\n}\n", "there is no block type"),
        ("rule \"a\" {\n  for_each = \"a[\"\n  deny = true\n}\n", "invalid pattern"),
        ("rule \"a\" {\n  for_each = 1\n  deny = true\n}\n", "a pattern of blocks"),
        (
            "rule \"a\" {\n  for_each = output\n  type = \"x\"\n  deny = true\n}\n",
            "selects changes",
        ),
        ("rule \"repeated-key\" {\n  for_each = output\n  deny = true\n}\n", "has this name"),
        ("rule \"a\" {\n  for_each = output\n  deny = change.x == 1\n}\n", "change"),
        (
            "rule \"a\" {\n  for_each = output\n  deny = each.valu == 1\n}\n",
            "a block does not have it",
        ),
        ("rule \"a\" {\n  for_each = output\n  deny = \n}\n", "own.hcl:3"),
    ] {
        let tree = tree(&[("simd-hcl.toml", SETTINGS), ("own.hcl", rules), main]);
        let output = run(tree.path(), &["check"]);
        assert_eq!(status(&output), 2, "{rules}");
        assert!(stderr(&output).contains(why), "{rules}: {}", stderr(&output));
    }
    let rules = "rule \"own-x\" {\n  for_each = output\n  deny = each.value.value.x == 1\n}\n";
    let tree = tree(&[("simd-hcl.toml", SETTINGS), ("own.hcl", rules), main]);
    let output = run(tree.path(), &["check", "--format", "concise"]);
    assert_eq!(status(&output), 1);
    let printed = stdout(&output);
    assert!(printed.contains("own.hcl:3:") && printed.contains("error[rule-error]"), "{printed}");
}

#[test]
fn secrets_are_not_shown() {
    let rules = "rule \"own-x\" {\n  for_each = output\n  deny = each.value.value == \"hunter2\"\n\
                 \x20 message = \"It is ${each.value.value}.\"\n}\n\
                 rule \"own-y\" {\n  for_each = output\n  deny = tonumber(each.value.value) == 1\n}\n";
    let main = "variable \"p\" {\n  type = string\n  sensitive = true\n  default = \"hunter2\"\n}\n\
                output \"o\" {\n  sensitive = true\n  value = var.p\n}\n";
    let tree = tree(&[("simd-hcl.toml", SETTINGS), ("own.hcl", rules), ("main.tf", main)]);
    let output = run(tree.path(), &["check", "--format", "concise"]);
    let printed = stdout(&output);
    assert!(printed.contains("It is (sensitive)."), "{printed}");
    assert!(printed.contains("error[rule-error]"), "{printed}");
    assert!(!printed.contains("hunter2"), "{printed}");
}

/// Literals that `redact` hides are marked in messages, and other arguments are not.
#[test]
fn hidden_literals_are_not_shown() {
    let rules = "rule \"own-a\" {\n  for_each = variable\n  deny = true\n  message = \"${each.value.description} ${each.value.default}\"\n}\n\
                 rule \"own-b\" {\n  for_each = output\n  deny = true\n  message = jsonencode(each.value)\n}\n\
                 rule \"own-c\" {\n  for_each = provider\n  deny = true\n  message = jsonencode(each.value)\n}\n\
                 rule \"own-d\" {\n  for_each = module\n  deny = true\n  message = base64encode(jsonencode(each.value))\n}\n\
                 rule \"own-e\" {\n  for_each = variable\n  deny = timecmp(each.value.default, \"2020-01-01T00:00:00Z\") > 0\n}\n\
                 rule \"own-f\" {\n  for_each = \"provider.**\"\n  deny = true\n  message = jsonencode(each.value)\n}\n\
                 rule \"own-g\" {\n  for_each = \"**\"\n  deny = true\n  message = \"${each.key} ${jsonencode(each.value)}\"\n}\n";
    let main = "variable \"p\" {\n  description = \"About it.\"\n  sensitive = true\n  default = \"hunter2\"\n}\n\
                variable \"e\" {\n  ephemeral = true\n  default = \"hunter2\"\n}\n\
                output \"o\" {\n  sensitive = true\n  value = { hunter2 = 1 }\n}\n\
                provider \"aws\" {\n  region = \"eu\"\n  secret_key = \"hunter2\"\n  token = { hunter2 = var.p, x = \"hunter2\" }\n}\n\
                locals {\n  pw = \"hunter2\"\n}\n\
                variable \"t\" {\n  type = object({ a = optional(string, \"hunter2\") })\n  sensitive = true\n}\n\
                module \"m\" {\n  source = \"./m\"\n  pw = { hunter2 = \"hunter2\" }\n  local = local.pw\n}\n";
    let called =
        "variable \"pw\" {\n  sensitive = true\n}\nvariable \"local\" {\n  sensitive = true\n}\n";
    let files =
        [("simd-hcl.toml", SETTINGS), ("own.hcl", rules), ("main.tf", main), ("m/main.tf", called)];
    let tree = tree(&files);
    for format in ["concise", "json", "github", "sarif"] {
        let printed = stdout(&run(tree.path(), &["check", "--format", format]));
        assert!(printed.contains("About it. (sensitive)"), "{printed}");
        // Excerpts have source text.
        let is_excerpt =
            |line: &str| line.contains(r#""code": "  "#) || line.trim() == r#""text": "hunter2""#;
        let said: Vec<&str> = printed.lines().filter(|line| !is_excerpt(line)).collect();
        for secret in ["hunter2", "aHVudGVyMg", "dW50ZXIy", "odW50ZX"] {
            assert!(!said.iter().any(|line| line.contains(secret)), "{format}: {printed}");
        }
    }
}

/// Each level of a value is selected by `**`, with all levels in it.
#[test]
fn deep_values_have_a_limit() {
    let rule = "rule \"own-a\" {\n  for_each = \"**\"\n  warn = each.value == 1\n}\n";
    let deep = |levels: usize| {
        format!("locals {{\n  a = {}1{}\n}}\n", "[".repeat(levels), "]".repeat(levels))
    };
    for (levels, is_whole) in [(200, true), (9_000, false)] {
        let main = deep(levels);
        let tree = tree(&[("simd-hcl.toml", SETTINGS), ("own.hcl", rule), ("main.tf", &main)]);
        let printed = stdout(&run(tree.path(), &["check", "--format", "concise"]));
        let is_said = printed.contains("a pattern without ** selects fewer");
        assert_eq!(is_said, !is_whole, "{levels}: {}", &printed[..printed.len().min(500)]);
    }
}

#[test]
fn cases_are_run() {
    let rules = "rule \"a\" {\n  for_each = resource.x\n  deny = each.value.a == 1\n\
                 \x20 case \"right\" {\n    main  = \"resource \\\"x\\\" \\\"y\\\" { a = 1 }\"\n    finds = [\"x.y\"]\n  }\n\
                 \x20 case \"wrong\" {\n    files = { \"main.tf.json\" = jsonencode({ resource = { x = { y = { a = 2 } } } }) }\n    finds = [\"x.y\"]\n  }\n\
                 \x20 case \"open\" {\n    main  = \"variable \\\"v\\\" {}\\nresource \\\"x\\\" \\\"y\\\" { a = var.v }\"\n    finds = []\n    undecided = [\"x.y\"]\n  }\n\
                 \x20 case \"broken\" {\n    main  = \"resource {\"\n    finds = []\n  }\n}\n\
                 rule \"b\" {\n  type = \"x\"\n  deny = true\n  case \"plan\" {\n    finds = [\"x.y\"]\n\
                 \x20   plan = \"{\\\"format_version\\\": \\\"1.2\\\", \\\"resource_changes\\\": [{\\\"address\\\": \\\"x.y\\\", \\\"mode\\\": \\\"managed\\\", \\\"type\\\": \\\"x\\\", \\\"name\\\": \\\"y\\\", \\\"change\\\": {\\\"actions\\\": [\\\"create\\\"], \\\"before\\\": null, \\\"after\\\": {}}}]}\"\n  }\n}\n";
    let rules = rules.replace(
        "jsonencode({ resource = { x = { y = { a = 2 } } } })",
        "\"{\\\"resource\\\": {\\\"x\\\": {\\\"y\\\": {\\\"a\\\": 2}}}}\"",
    );
    let tree = tree(&[("own.hcl", rules.as_str()), ("simd-hcl.toml", SETTINGS), ("main.tf", "")]);
    let output = run(tree.path(), &["rules", "test", "--format", "json"]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let cases = list(&output, "cases");
    let passed: Vec<(&str, bool)> = cases
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["case"].as_str().unwrap(), it["passed"].as_bool().unwrap()))
        .collect();
    let expected =
        [("right", true), ("wrong", false), ("open", true), ("broken", false), ("plan", true)];
    assert_eq!(passed, expected, "{cases}");
    let printed = stdout(&run(tree.path(), &["rules", "test", "own.hcl"]));
    assert!(
        printed.contains("FAILED a: wrong\n  own.hcl:8\n  finds: expected x.y, found nothing"),
        "{printed}"
    );
    std::fs::write(tree.path().join("none.hcl"), "rule \"a\" {\n  deny = true\n}\n").unwrap();
    assert_eq!(status(&run(tree.path(), &["rules", "test", "none.hcl"])), 2);
    std::fs::write(tree.path().join("simd-hcl.toml"), "").unwrap();
    assert_eq!(status(&run(tree.path(), &["rules", "test"])), 2);
}
