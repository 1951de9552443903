//! Messages in situations that newcomers meet: what they gave instead of what a command reads, and what they need next.

use crate::tool::{git, run, status, stderr, stdout, tree};

#[test]
fn nothing_is_unused_because_of_a_syntax_error() {
    let tree = tree(&[
        ("native/a.tf", "variable \"x\" {}\n"),
        ("native/b.tf", "output \"o\" {\n  value = var.x +\n}\n"),
        ("words/a.tf", "variable \"x\" {}\noutput \"o\" {\n  value = !var.x or var.x\n}\n"),
        ("image/a.pkr.hcl", "variable \"x\" {}\nlocals {\n  a = [var.x +]\n}\n"),
        (
            "stack/a.tfcomponent.hcl",
            "variable \"x\" {\n  type = string\n}\nlocals {\n  a = [var.x +]\n}\n",
        ),
        ("json/a.tf.json", r#"{"variable": {"x": {}}, "output": {"o": {"value": "${var.x +}"}}}"#),
        (
            "order/a.tf",
            "variable \"x\" {}\noutput \"o\" {\n  value = 1\n  depends_on = [var.x +]\n}\n",
        ),
        (
            "trigger/a.tf.json",
            r#"{"variable": {"x": {}}, "resource": {"terraform_data": {"a": {"lifecycle": {"replace_triggered_by": ["var.x["]}}}}}"#,
        ),
        ("test/a.tf", "variable \"x\" {}\n"),
        ("test/a.tftest.hcl", "run \"a\" {\n  variables {\n    y = var.x +\n  }\n}\n"),
        (
            "alias/a.tf",
            "provider \"aws\" {\n  alias = \"w\"\n}\nresource \"aws_x\" \"y\" {\n  provider = aws.w[\"x\" +]\n}\n",
        ),
        ("fine/a.tf", "variable \"x\" {}\n"),
    ]);
    let modules =
        ["native", "words", "image", "stack", "json", "order", "trigger", "test", "alias", "fine"];
    for module in modules {
        let is_reported = module == "fine";
        let found = stdout(&run(tree.path(), &["check", "--format", "concise", module]));
        assert_eq!(found.contains("[unused-"), is_reported, "{module}: {found}");
        assert_eq!(found.contains(": error["), !is_reported, "{module}: {found}");
    }
}

#[test]
fn files_of_other_formats_are_named() {
    let tree = tree(&[
        ("README.md", "# Infrastructure\n\nText\n"),
        ("badge.md", "[![build](x.svg)](y)\n"),
        ("values.yaml", "a: 1\n"),
        ("Cargo.toml", "[package]\nname = \"x\"\n"),
        ("broken.json", "{\"a\": 1,}\n"),
    ]);
    for (file, what) in [
        ("README.md", "This is a text for people, not a JSON document."),
        ("badge.md", "This is a text for people, not a JSON document."),
        ("values.yaml", "This is a YAML document, not a JSON document."),
        ("Cargo.toml", "This is a TOML document, not a JSON document."),
    ] {
        for command in ["check", "inspect", "plan", "state"] {
            let output = run(tree.path(), &[command, file]);
            let text = stdout(&output) + &stderr(&output);
            assert!(text.contains(what), "{command} {file}: {text}");
            assert!(status(&output) > 0, "{command} {file}");
        }
    }
    let broken = stdout(&run(tree.path(), &["check", "broken.json"]));
    assert!(broken.contains("error[trailing-comma]"), "{broken}");
}

#[test]
fn eval_says_what_gives_a_value() {
    let tree = tree(&[]);
    let eval = |arguments: &[&str]| run(tree.path(), &[&["eval"], arguments].concat());
    let clock = eval(&["timestamp()"]);
    assert_eq!(status(&clock), 1);
    let message = stderr(&clock);
    assert!(message.contains("it reads the clock, so it has no value here"), "{message}");
    assert!(message.contains("`--now 2030-01-02T03:04:05Z` sets the time."), "{message}");
    let now = ["--now", "2030-01-02T03:04:05Z", "formatdate(\"YYYY\", timestamp())"];
    assert_eq!(stdout(&eval(&now)), "\"2030\"\n");
    // Nothing else becomes possible with a clock.
    let file = eval(&["--now", "2030-01-02T03:04:05Z", "file(\"a\")"]);
    assert!(stderr(&file).contains("it reads files"), "{}", stderr(&file));
    assert!(!stderr(&file).contains("--now"), "{}", stderr(&file));
    let variable = eval(&["var.x"]);
    assert!(stderr(&variable).contains("`--vars FILE`"), "{}", stderr(&variable));
}

#[test]
fn units_alone_are_something_to_read() {
    let tree = tree(&[
        ("live/a/terragrunt.hcl", "terraform {\n  source = \"git::https://example.com/m\"\n}\n"),
        ("live/b/terragrunt.hcl", "dependencies {\n  paths = [\"../a\"]\n}\n"),
    ]);
    let check = stderr(&run(tree.path(), &["check", "live"]));
    assert!(check.starts_with("checked 2 units in "), "{check}");
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "-qm", "one"]);
    let review = run(tree.path(), &["review", "--since", "HEAD", "--fail-if-incomplete"]);
    assert_eq!((status(&review), stderr(&review)), (0, String::new()));
    let expand = run(tree.path(), &["expand", "live"]);
    assert_eq!(status(&expand), 2);
    let message = stderr(&expand);
    assert!(message.contains("; units below it: live/a, live/b"), "{message}");
}

#[test]
fn expand_names_the_root_modules_below() {
    let backend = "terraform {\n  backend \"local\" {}\n}\n";
    let names = ["a", "b", "c", "d", "e"].map(|name| format!("live/{name}/main.tf"));
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, backend)).collect();
    let tree = tree(&files);
    let expand = run(tree.path(), &["expand", "live"]);
    assert_eq!(status(&expand), 2);
    let wanted = "live itself has no module to expand; root modules below it: live/a, live/b, live/c and 2 more";
    assert!(stderr(&expand).contains(wanted), "{}", stderr(&expand));
}

#[test]
fn an_answer_without_modules_says_so() {
    let tree =
        tree(&[("main.tf", "terraform {\n  backend \"local\" {}\n}\n"), ("README.md", "text")]);
    let affected = |arguments: &[&str]| run(tree.path(), &[&["affected"], arguments].concat());
    let nothing = affected(&["README.md"]);
    assert_eq!((status(&nothing), stdout(&nothing)), (0, String::new()));
    assert_eq!(stderr(&nothing), "1 changed file affects no module\n");
    assert_eq!(stderr(&affected(&["README.md", "--quiet"])), "");
    assert_eq!(stderr(&affected(&["README.md", "--format", "json"])), "");
    assert_eq!(stderr(&affected(&["main.tf"])), "");
}

/// The settings are found upward by an absolute path; people read paths from where they are.
#[test]
fn rules_of_settings_are_named_from_here() {
    let rule = "rule \"no-public\" {\n  for_each = resource.aws_s3_bucket\n  deny     = true\n}\n";
    let tree = tree(&[
        ("simd-hcl.toml", "rule-files = [\"ci/lint.hcl\"]\n"),
        ("ci/lint.hcl", rule),
        ("main.tf", "resource \"aws_s3_bucket\" \"a\" {}\n"),
    ]);
    let found = stdout(&run(tree.path(), &["check"]));
    assert!(found.contains("note: the rule\n --> ci/lint.hcl:1:6\n"), "{found}");
}

#[test]
fn advice_is_in_the_syntax_of_the_file() {
    let tree = tree(&[
        (
            "native/a.tf",
            "resource \"a_b\" \"c\" {\n  lifecycle {\n    ignore_changes = [\"*\"]\n  }\n}\n",
        ),
        (
            "json/a.tf.json",
            r#"{"resource": {"a_b": {"c": {"lifecycle": {"ignore_changes": ["*"]}}}}}"#,
        ),
    ]);
    let advice = |module: &str| stdout(&run(tree.path(), &["check", "--quiet", module]));
    assert!(
        advice("native").contains("help: Write ignore_changes = all.\n"),
        "{}",
        advice("native")
    );
    let json = advice("json");
    assert!(json.contains("help: Write \"ignore_changes\": \"all\".\n"), "{json}");
}
