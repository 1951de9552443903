//! `templates`: every template of a tree.

use crate::tool::{feed, list, run, status, stderr, stdout, tree};

#[test]
fn templates_lists_every_template_with_its_references() {
    let main = r#"{"resource": {"aws_instance": {"web": {
        "ami": "${var.ami}-\u00e9-${local.names[0]}", "plain": "text", "escaped": "$${not}",
        "tags": [{"a.b": "%{ if var.on }yes%{ endif }"}], "${var.key}": 1}}}}"#;
    let tree =
        tree(&[("m/a.tf.json", main), ("m/b.tf.json", "{\"locals\": {\"x\": \"${var.y\"}}")]);
    let output = run(tree.path(), &["templates", "--format", "json", "m/a.tf.json"]);
    assert_eq!(status(&output), 0);
    let listed = list(&output, "templates");
    let paths: Vec<&str> =
        listed.as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "resource.aws_instance.web.ami",
            "resource.aws_instance.web.escaped",
            "resource.aws_instance.web.tags[0][\"a.b\"]",
            "resource.aws_instance.web[\"${var.key}\"]",
        ]
    );
    assert_eq!(listed[0]["text"], "${var.ami}-é-${local.names[0]}");
    assert_eq!(listed[0]["traversals"][1]["text"], "local.names[0]");
    // Positions are exact after the escape.
    let start = main.find("local.names").unwrap();
    assert_eq!(listed[0]["traversals"][1]["range"]["start"]["byte"], start);
    assert_eq!(listed[3]["key"], true);

    let output = run(tree.path(), &["templates", "m"]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("a.tf.json:2:16  resource.aws_instance.web.ami"));
    assert!(stdout(&output).contains("    -> var.on"));
    assert!(stderr(&output).contains("b.tf.json:1:"), "{}", stderr(&output));
    let lines = run(tree.path(), &["templates", "--format", "ndjson", "m/a.tf.json"]);
    assert_eq!(stdout(&lines).lines().count(), 4);
    let nothing = feed(&["templates", "--format", "json", "-"], "{\"a\": \"b\"}");
    assert_eq!((status(&nothing), list(&nothing, "templates")), (0, serde_json::json!([])));
    assert_eq!(status(&run(tree.path(), &["templates", "missing"])), 2);
}
