//! `init`: what it writes, and that it overwrites nothing.

use std::fs;

use crate::tool::{git, run, status, stderr, stdout, tree};

fn repository() -> tempfile::TempDir {
    let root = "terraform {\n  required_version = \">= 1.6\"\n  backend \"local\" {}\n}\n\
                variable \"region\" {\n  type = string\n}\n\
                output \"region\" {\n  value = var.region\n}\n";
    let lock = "provider \"registry.terraform.io/hashicorp/aws\" {\n  version = \"5.1.0\"\n}\n";
    tree(&[
        ("live/prod/main.tf", root),
        ("live/prod/.terraform.lock.hcl", lock),
        ("live/test/main.tf", root),
        ("vars/prod.tfvars", "region = \"a\"\n"),
        ("vars/test.tfvars", "region = \"b\"\n"),
        ("vendor/other/main.tf", "output \"a\" {\n  value = var.none\n}\n"),
        ("ci/schemas.json", "{\"format_version\": \"1.0\", \"provider_schemas\": {}}"),
    ])
}

#[test]
fn init_writes_what_the_repository_shows() {
    let directory = repository();
    let made = run(directory.path(), &["init"]);
    assert_eq!(status(&made), 0, "{}", stderr(&made));
    assert!(stdout(&made).starts_with("wrote simd-hcl.toml\n"), "{}", stdout(&made));
    let text = fs::read_to_string(directory.path().join("simd-hcl.toml")).unwrap();
    for line in [
        "dialect = \"terraform\"",
        "exclude = [\"vendor/\"]",
        "provider-schemas = \"ci/schemas.json\"",
        "path = \"live/*\"",
        "var-files = [\"../../vars/{name}.tfvars\"]",
    ] {
        assert!(text.lines().any(|it| it == line), "{line}: {text}");
    }
    // The rules that are selected find nothing.
    let checked = run(directory.path(), &["check"]);
    assert_eq!(status(&checked), 0, "{}{}", stdout(&checked), text);
    assert_eq!(stdout(&checked), "", "{text}");
    assert!(!text.contains("documented-variable"), "{text}");
    let compared = run(directory.path(), &["init", "--check"]);
    assert_eq!((status(&compared), stdout(&compared)), (0, String::new()));
}

#[test]
fn init_overwrites_nothing() {
    let directory = repository();
    let own = "dialect = \"opentofu\"\n";
    fs::write(directory.path().join("simd-hcl.toml"), own).unwrap();
    fs::write(directory.path().join(".gitlab-ci.yml"), "a: b\n").unwrap();
    let made = run(directory.path(), &["init", "--github", "--gitlab", "--pre-commit"]);
    assert_eq!(status(&made), 0, "{}", stderr(&made));
    let text = stdout(&made);
    assert!(text.contains("kept simd-hcl.toml: it exists\n"), "{text}");
    assert!(text.contains("kept .gitlab-ci.yml: it exists\n"), "{text}");
    assert!(text.contains("wrote .github/workflows/simd-hcl.yml\n"), "{text}");
    assert_eq!(fs::read_to_string(directory.path().join("simd-hcl.toml")).unwrap(), own);
    assert_eq!(fs::read_to_string(directory.path().join(".gitlab-ci.yml")).unwrap(), "a: b\n");
    let hooks = fs::read_to_string(directory.path().join(".pre-commit-config.yaml")).unwrap();
    let known = include_str!("../../../.pre-commit-hooks.yaml");
    for hook in hooks.lines().filter_map(|line| line.trim().strip_prefix("- id: ")) {
        assert!(known.contains(&format!("- id: {hook}\n")), "{hook}");
    }
}

#[test]
fn init_check_says_what_has_changed() {
    let directory = repository();
    let missing = run(directory.path(), &["init", "--check"]);
    assert_eq!(status(&missing), 1);
    assert_eq!(stdout(&missing), "simd-hcl.toml does not exist\n");
    assert!(!directory.path().join("simd-hcl.toml").exists());
    run(directory.path(), &["init"]);
    let root = "terraform {\n  backend \"local\" {}\n}\nvariable \"zone\" {\n  type = string\n}\n\
                output \"zone\" {\n  value = var.zone\n}\n";
    fs::create_dir_all(directory.path().join("more/stage")).unwrap();
    fs::write(directory.path().join("more/stage/main.tf"), root).unwrap();
    fs::write(directory.path().join("vars/stage.tfvars"), "zone = \"c\"\n").unwrap();
    fs::remove_file(directory.path().join("vars/test.tfvars")).unwrap();
    let changed = run(directory.path(), &["init", "--check"]);
    assert_eq!(status(&changed), 1);
    let text = stdout(&changed);
    assert!(text.contains("more/stage: no section [[root]] is about it"), "{text}");
    assert!(text.contains("test.tfvars: simd-hcl.toml names this file of variables"), "{text}");
    assert!(text.contains("required-version: the rule is selected, and has 1 finding"), "{text}");
}

#[test]
fn init_says_what_people_have_to_decide() {
    let directory = tree(&[(
        "main.tf",
        "terraform {\n  backend \"local\" {}\n}\noutput \"a\" {\n  value = var.none\n}\n",
    )]);
    git(directory.path(), &["init", "--quiet"]);
    let made = run(directory.path(), &["init"]);
    let text = stdout(&made);
    assert!(text.contains("to decide: dialect: "), "{text}");
    assert!(text.contains("to decide: 1 error today: "), "{text}");
    assert_eq!(status(&run(directory.path(), &["init", "no-such-directory"])), 2);
}
