//! `graph` and `dependents`: what depends on what.

use crate::tool::{json, linked_modules, run, status, stdout};

#[test]
fn dependents_and_graphs_go_across_modules() {
    let tree = linked_modules();
    let output = run(tree.path(), &["dependents", ".", "vpc.main", "--format", "json"]);
    let rows = json(&output);
    let addresses: Vec<_> =
        rows.as_array().unwrap().iter().map(|row| row["address"].as_str().unwrap()).collect();
    assert_eq!(addresses, ["var.vpc", "output.id", "host.h"]);
    let output = run(tree.path(), &["dependents", ".", "vpc.other"]);
    assert_eq!(status(&output), 2);

    let output = run(tree.path(), &["graph", ".", "--modules"]);
    assert!(stdout(&output).contains("\"app\" -> \"net\";"), "{}", stdout(&output));
    let output = run(tree.path(), &["graph", "app", "--mermaid"]);
    let begin = "flowchart LR\n  n0[\"app:vpc.main\"]";
    assert!(stdout(&output).starts_with(begin), "{}", stdout(&output));
    let output = run(tree.path(), &["graph", ".", "--format", "json"]);
    assert_eq!(json(&output)["nodes"].as_array().unwrap().len(), 5);
}
