//! `query`: matches of a path pattern in a tree.

use crate::tool::{feed, list, run, status, stderr, stdout, tree};

const MAIN: &str = r#"{"resource": {"aws_instance": {
    "web": {"ami": "ami-1", "instance_type": "t3.large"},
    "db": {"ami": "${var.ami}", "instance_type": "${var.type}"}}}}"#;

#[test]
fn query_lists_values_and_expressions() {
    let tree = tree(&[("m/main.tf.json", MAIN), ("n/vars.tf.json", r#"{"variable": {"a": {}}}"#)]);
    let output = run(tree.path(), &["query", "resource.*.*.ami", "m", "n", "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let rows = list(&output, "matches");
    assert_eq!(rows[0]["address"], "aws_instance.web");
    assert_eq!(rows[0]["name"], "ami");
    assert_eq!(rows[0]["value"], "ami-1");
    assert_eq!(rows[0]["path"], "m");
    assert!(rows[0].get("expression").is_none());
    assert_eq!(rows[1]["expression"], "${var.ami}");
    assert!(rows[1].get("value").is_none());
    let range = &rows[1]["range"];
    assert_eq!(range["start"]["byte"], MAIN.rfind("\"ami\":").unwrap());

    let output = run(tree.path(), &["query", "resource.*.*.ami", "m"]);
    assert_eq!(
        stdout(&output),
        "m/main.tf.json:2:13: aws_instance.web.ami = \"ami-1\"\n\
         m/main.tf.json:3:12: aws_instance.db.ami = ${var.ami}\n"
    );
    let nothing = run(tree.path(), &["query", "resource.*.*.missing", ".", "--format", "json"]);
    assert_eq!((status(&nothing), list(&nothing, "matches")), (0, serde_json::json!([])));
    assert!(stderr(&nothing).contains("the pattern selects nothing"), "{}", stderr(&nothing));
    let piped = feed(&["query", "resource.*.web.ami", "-", "--format", "ndjson"], MAIN);
    assert_eq!(stdout(&piped).lines().count(), 1);
}

#[test]
fn query_decides_conditions_or_says_that_it_cannot() {
    let tree = tree(&[("main.tf.json", MAIN)]);
    let large =
        ["query", "resource.aws_instance", ".", "--where", r#"instance_type == "t3.large""#];
    let output = run(tree.path(), &large);
    assert_eq!(stdout(&output).lines().count(), 1);
    assert!(stdout(&output).contains("aws_instance.web"));
    // The other match depends on a variable.
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("incomplete: main.tf.json:3:11: not decided"),
        "{}",
        stderr(&output)
    );
    let functions =
        ["query", "**.ami", ".", "--where", r#"try(startswith(self.value, "ami-"), false)"#];
    assert_eq!(stdout(&run(tree.path(), &functions)).lines().count(), 1);
    let wrong = run(tree.path(), &["query", "**.web.ami", ".", "--where", "self.value + 1 == 2"]);
    assert_eq!(status(&wrong), 1);
    assert!(stderr(&wrong).contains("condition:1:"), "{}", stderr(&wrong));
}

#[test]
fn query_refuses_what_is_misspelt() {
    let tree = tree(&[("main.tf.json", MAIN)]);
    let misspelt = run(tree.path(), &["query", "resorce.*"]);
    assert_eq!(status(&misspelt), 0);
    assert!(stderr(&misspelt).contains("did you mean `resource`?"), "{}", stderr(&misspelt));
    for (arguments, message) in [
        (vec!["query", "resource..a", "."], "byte 9"),
        (vec!["query", "resource", ".", "--where", "a =="], "invalid condition"),
    ] {
        let output = run(tree.path(), &arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}
