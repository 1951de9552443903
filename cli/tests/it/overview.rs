//! `overview`: what it counts, and its page.

use base64::Engine as _;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::tool::{json, run, status, stderr, stdout, tree};

/// Two root modules that share a module, one that nothing calls, lock files, and packages.
fn repository() -> tempfile::TempDir {
    let root = |version: &str, more: &str| {
        format!(
            "terraform {{\n  required_version = \">= 1.6\"\n  backend \"local\" {{}}\n  required_providers {{\n    \
             aws = {{\n      source  = \"hashicorp/aws\"\n      version = \"{version}\"\n    }}\n  }}\n}}\n\
             module \"net\" {{\n  source = \"../net\"\n}}\n{more}"
        )
    };
    let lock = |version: &str| {
        format!(
            "provider \"registry.opentofu.org/hashicorp/aws\" {{\n  version = \"{version}\"\n}}\n"
        )
    };
    let prod =
        root("~> 5.0", "module \"v\" {\n  source  = \"acme/vpc/aws\"\n  version = \"1.0.0\"\n}\n");
    let test = root(
        "~> 4.0",
        "module \"v\" {\n  source  = \"acme/vpc/aws\"\n  version = \"2.0.0\"\n}\n\
         module \"g\" {\n  source = \"git::https://user:s3cret@example.com/a.git?ref=v1\"\n}\n\
         output \"x\" { value = var.none }\n",
    );
    tree(&[
        ("prod/main.tf", &prod),
        ("prod/.terraform.lock.hcl", &lock("5.1.0")),
        ("test/main.tf", &test),
        ("test/.terraform.lock.hcl", &lock("4.9.0")),
        ("net/main.tf", "resource \"aws_vpc\" \"a\" {}\nremoved {\n  from = aws_vpc.b\n}\n"),
        ("old/main.tf", "output \"a\" { value = 1 }\n"),
    ])
}

#[test]
fn an_overview_counts_what_is_there() {
    let directory = repository();
    let found = run(directory.path(), &["overview", "--format", "json"]);
    assert_eq!(status(&found), 0, "{}", stderr(&found));
    let answer = json(&found);
    let paths = |member: &str| -> Vec<String> {
        let rows = answer[member].as_array().unwrap().iter();
        rows.map(|row| row["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(paths("roots"), ["prod", "test"]);
    assert_eq!(paths("modules"), ["net", "old", "prod", "test"]);
    assert_eq!(paths("unused"), ["old"]);
    assert_eq!(answer["reach"], json!([{"path": "net", "roots": 2, "callers": 2}]));
    let aws = &answer["providers"][0];
    assert_eq!(aws["source"], "hashicorp/aws");
    assert_eq!(aws["modules"], 3);
    let versions = |rows: &serde_json::Value| -> Vec<String> {
        rows.as_array().unwrap().iter().map(|row| row["version"].to_string()).collect()
    };
    assert_eq!(versions(&aws["constraints"]), ["null", "\"~> 4.0\"", "\"~> 5.0\""]);
    assert_eq!(versions(&aws["locked"]), ["\"4.9.0\"", "\"5.1.0\""]);
    assert_eq!(answer["sources"][0]["source"], "acme/vpc/aws");
    assert_eq!(versions(&answer["sources"][0]["versions"]), ["\"1.0.0\"", "\"2.0.0\""]);
    assert_eq!(answer["sources"][1]["source"], "https://example.com/a.git");
    let terraform = &answer["tools"][1];
    assert_eq!(terraform["name"], "terraform");
    assert_eq!(terraform["version"], "1.7");
    assert_eq!(terraform["because"]["range"]["filename"], "net/main.tf");
    assert_eq!(terraform["constraints"][0], json!({"version": null, "count": 2}));
    let error = answer["findings"].as_array().unwrap().iter().find(|it| it["severity"] == "error");
    assert_eq!(error.unwrap()["code"], "undeclared-reference");
    assert_eq!(error.unwrap()["worst"], json!([{"path": "test/main.tf", "count": 1}]));
    // A module that is not installed is a gap.
    assert!(answer["incomplete"].as_array().unwrap().len() == 1, "{}", answer["incomplete"]);
}

#[test]
fn an_overview_fits_on_a_screen_and_ends_with_three_commands() {
    let directory = repository();
    let found = run(directory.path(), &["overview"]);
    let text = stdout(&found);
    assert!(text.lines().count() <= 50, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let (_, next) = text.split_once("\nNext\n").unwrap();
    assert_eq!(next.lines().count(), 3, "{text}");
    assert!(next.lines().all(|line| line.starts_with("  simd-hcl ")), "{text}");
    assert!(next.starts_with("  simd-hcl check "), "{text}");
    assert!(!text.contains("s3cret"), "{text}");
    // Each of them runs.
    for line in next.lines() {
        let command = line.trim().strip_prefix("simd-hcl ").unwrap();
        let words: Vec<&str> = command.split("  ").next().unwrap().split(' ').collect();
        let ran = run(directory.path(), &words);
        assert!(status(&ran) < 2, "{command}: {}", stderr(&ran));
    }
}

/// Modules of one repository differ at the ends of their addresses.
#[test]
fn long_names_keep_their_ends() {
    let source = |name: &str| {
        let address =
            "git::https://git.example.com/platform/infrastructure-modules-of-all-teams.git";
        format!("module \"m\" {{\n  source = \"{address}//modules/{name}?ref=v1\"\n}}\n")
    };
    let tree = tree(&[("a/main.tf", &source("database")), ("b/main.tf", &source("network"))]);
    let text = stdout(&run(tree.path(), &["overview"]));
    for end in ["…", "/database  v1 (1)\n", "/network  v1 (1)\n"] {
        assert!(text.contains(end), "{end}: {text}");
    }
    let command = text.lines().skip_while(|line| *line != "Next").nth(1).unwrap();
    assert_eq!(command, command.trim_end(), "{text}");
}

#[test]
fn a_page_of_an_overview_runs_its_script_only() {
    let directory = repository();
    std::fs::create_dir(directory.path().join("<script>alert(1)<")).unwrap();
    std::fs::write(directory.path().join("<script>alert(1)</main.tf"), "x\n").unwrap();
    let link = "https://example.com/blob/main/{path}#L{line}";
    let page = stdout(&run(directory.path(), &["overview", "--format", "html", "--link", link]));
    assert_eq!(page.matches("<script").count(), 2, "{page}");
    let (_, script) = page.split_once("</script>\n<script>").unwrap();
    let (script, _) = script.split_once("</script>").unwrap();
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(script));
    assert!(page.contains(&format!("default-src 'none'; script-src 'sha256-{hash}'")), "{page}");
    assert!(!page.contains("s3cret"));
    assert!(page.contains("blob/main/{path}#L{line}"));
    for link in ["javascript:alert({path})", "https://example.com/", "data:{path}"] {
        let refused = run(directory.path(), &["overview", "--format", "html", "--link", link]);
        assert_eq!(status(&refused), 2, "{link}");
    }
}

#[test]
fn a_page_has_little_for_each_module() {
    const MODULES: usize = 200;
    let files: Vec<(String, String)> = (0..MODULES)
        .map(|at| {
            let name = format!("live/region-{}/service-{at}/main.tf", at % 7);
            (name, format!("variable \"v{at}\" {{}}\nprovider \"aws\" {{}}\n"))
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let empty = stdout(&run(tree(&[("main.tf", "")]).path(), &["overview", "--format", "html"]));
    let page = stdout(&run(tree(&files).path(), &["overview", "--format", "html"]));
    // 3 MB for 12,000 files, each a module of its own with a finding.
    assert!((page.len() - empty.len()) / MODULES < 250, "{}", page.len() - empty.len());
}
