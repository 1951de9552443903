//! `affected`: the modules that changed files affect.

use crate::tool::{feed_in, git, json, run, status, stderr, stdout, tree};

fn repository() -> tempfile::TempDir {
    tree(&[
        (
            "stacks/app/main.tf.json",
            r#"{"module": {"net": {"source": "../../modules/net"}}, "provider": {"aws": {}}}"#,
        ),
        ("stacks/other/main.tf.json", r#"{"provider": {"aws": {}}}"#),
        ("modules/net/main.tf.json", r#"{"variable": {"cidr": {"default": "10.0.0.0/8"}}}"#),
        ("modules/net/notes.md", "notes"),
    ])
}

#[test]
fn files_without_a_known_reader_are_gaps() {
    let tree = repository();
    let files = ["stacks/app/prod.tfvars", "env/prod.tfvars", "stacks/app/terragrunt.hcl"];
    let output = run(tree.path(), &[&["affected", "--format", "json"][..], &files].concat());
    let answer = json(&output);
    assert_eq!(answer["modules"][0]["path"], "stacks/app");
    let gap = serde_json::json!([{"what": "file", "why": "the modules that read it are not known",
        "where": ["env/prod.tfvars", "stacks/app/terragrunt.hcl"]}]);
    assert_eq!((&answer["incomplete"], status(&output)), (&gap, 0));
}

#[test]
fn affected_modules_have_a_reason() {
    let tree = repository();
    let output = run(tree.path(), &["affected", "modules/net/main.tf.json", "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let answer = json(&output);
    assert_eq!(answer["format_version"], "1.0");
    assert_eq!(answer["incomplete"], serde_json::json!([]));
    assert_eq!(
        answer["modules"],
        serde_json::json!([
            {"path": "modules/net", "root": false,
             "because": [{"file": "modules/net/main.tf.json", "module": "modules/net"}]},
            {"path": "stacks/app", "root": true,
             "because": [{"file": "modules/net/main.tf.json", "module": "modules/net"},
                         {"address": "module.net", "module": "stacks/app"}]},
        ])
    );
    let human = run(tree.path(), &["affected", ".", "./modules/net/main.tf.json", "--roots"]);
    assert_eq!(
        stdout(&human),
        "stacks/app (root)\n    ./modules/net/main.tf.json -> modules/net\n    stacks/app:module.net\n"
    );
    let matrix = ["affected", ".", "modules/net/x.tf.json", "--roots", "--format", "github-matrix"];
    assert_eq!(stdout(&run(tree.path(), &matrix)), "{\"include\":[{\"path\":\"stacks/app\"}]}\n");
    let lines = run(tree.path(), &["affected", "modules/net/main.tf.json", "--format", "ndjson"]);
    assert_eq!(stdout(&lines).lines().count(), 2);
    let nothing = run(tree.path(), &["affected", "modules/net/notes.md", "--format", "json"]);
    assert_eq!((status(&nothing), json(&nothing)["modules"].clone()), (0, serde_json::json!([])));
    assert_eq!(status(&run(tree.path(), &["affected", "."])), 2, "no changed files");
}

#[test]
fn affected_takes_lists_and_revisions() {
    let tree = repository();
    let list = "modules/net/main.tf.json\nREADME.md\n\n";
    let output = feed_in(tree.path(), &["affected", "--files-from", "-", "--roots"], list);
    assert!(stdout(&output).starts_with("stacks/app (root)\n"), "{}", stdout(&output));
    let empty = feed_in(tree.path(), &["affected", "--files-from", "-"], "");
    assert_eq!((status(&empty), stdout(&empty)), (0, String::new()));
    let missing = run(tree.path(), &["affected", "--files-from", "no-such-list"]);
    assert_eq!(status(&missing), 2);

    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "-qm", "one"]);
    let since = |directory: &str| {
        let arguments = ["affected", directory, "--since", "HEAD", "--format", "json"];
        let output = run(tree.path(), &arguments);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let modules = json(&output)["modules"].clone();
        let paths = modules.as_array().unwrap().iter();
        paths.map(|module| module["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(since("."), [""; 0]);
    // A deleted file, and an untracked one.
    std::fs::remove_file(tree.path().join("modules/net/main.tf.json")).unwrap();
    assert_eq!(since("."), ["stacks/app"]);
    std::fs::write(tree.path().join("stacks/other/new.tf.json"), "{}").unwrap();
    assert_eq!(since("."), ["stacks/app", "stacks/other"]);
    // Differences in a module, and removed modules.
    std::fs::write(tree.path().join("stacks/other/main.tf.json"), "{\"locals\": {\"a\": 1}}")
        .unwrap();
    std::fs::remove_dir_all(tree.path().join("stacks/app")).unwrap();
    let output = run(tree.path(), &["affected", "--since", "HEAD", "--format", "json", "--roots"]);
    let answer = json(&output);
    assert_eq!(answer["removed"], serde_json::json!([{"path": "stacks/app", "root": true}]));
    assert_eq!(answer["modules"], serde_json::json!([]), "without a provider block it is no root");
    let output = run(tree.path(), &["affected", "--since", "HEAD"]);
    let text = stdout(&output);
    assert!(text.contains("stacks/other\n"), "{text}");
    assert!(text.contains("    local.a: added\n    provider.aws: removed\n"), "{text}");
    assert!(text.ends_with("modules/net: removed\nstacks/app (root): removed\n"), "{text}");
    let unknown = run(tree.path(), &["affected", "--since", "no-such-revision"]);
    assert_eq!(status(&unknown), 2);
}

#[test]
fn affected_says_what_it_does_not_know() {
    let tree = tree(&[
        ("a/main.tf.json", r#"{"module": {"m": {"source": "${var.where}"}}}"#),
        ("b/main.tf", "module \"m\" {\n  source = \"../leaf\"\n}\n"),
        ("c/main.tf", "module \"m\" {\n  source = \n}\nx = [\n"),
        ("leaf/main.tf.json", "{}"),
    ]);
    let output = run(tree.path(), &["affected", "leaf/main.tf.json", "--format", "json"]);
    let incomplete = json(&output)["incomplete"].to_string();
    assert!(incomplete.contains("a:module.m"), "{incomplete}");
    assert!(incomplete.contains("\"c\""), "{incomplete}");
    let modules = json(&output)["modules"].to_string();
    assert!(modules.contains("\"b\""), "{modules}");
    let human = run(tree.path(), &["affected", "leaf/main.tf.json", "--quiet"]);
    assert!(stderr(&human).contains("incomplete: "), "{}", stderr(&human));
}
