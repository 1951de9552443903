//! `config`: the configuration representation.

use std::fs;

use crate::tool::{json, linked_modules, run, status, stderr, stdout};

#[test]
fn config_prints_the_representation() {
    let tree = linked_modules();
    fs::write(tree.path().join("schemas.json"), r#"{"format_version": "1.0"}"#).unwrap();
    let output = run(tree.path(), &["config", "app", "--provider-schemas", "schemas.json"]);
    let printed = json(&output);
    // The reference to a missing output is an error, but the representation is still printed.
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("vpc.man"), "{}", stderr(&output));
    assert_eq!(printed["root_module"]["module_calls"]["net"]["source"], "../net");
    let line = run(tree.path(), &["config", "app", "--format", "json"]);
    assert_eq!(stdout(&line).lines().count(), 1);
    assert_eq!(status(&run(tree.path(), &["config", "nothing"])), 2);
    assert_eq!(status(&run(tree.path(), &["config", "app", "--provider-schemas", "none"])), 2);
}
