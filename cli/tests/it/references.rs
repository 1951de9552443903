//! `references`: references between objects.

use crate::tool::{linked_modules, list, run, status, stdout, template};

#[test]
fn references_are_listed() {
    let tree = linked_modules();
    let output = run(tree.path(), &["references", "app", "--format", "json"]);
    assert_eq!(status(&output), 0);
    let rows = list(&output, "references");
    let rows: Vec<_> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            ["from", "to", "kind", "text"].map(|name| row[name].as_str().unwrap().to_owned())
        })
        .collect();
    let row = |cells: [&str; 4]| cells.map(str::to_owned);
    let expected = [
        row(["host.h", "module.net.id", "module", "module.net.id"]),
        row(["host.h", "vpc.man", "resource", "vpc.man.id"]),
        row(["module.net", "vpc.main", "resource", "vpc.main.id"]),
    ];
    assert_eq!(rows, expected);
    let output = run(tree.path(), &["references", "."]);
    assert!(
        stdout(&output).contains("main.tf.json:1:61: host.h -> module.net.id"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn references_of_templates() {
    let tree = template();
    let output = run(tree.path(), &["references", "image"]);
    assert_eq!(
        stdout(&output),
        "image/b.pkr.json:4:26: local.tags -> var.zone\n\
         image/a.pkr.json:6:46: source.docker.base -> var.from\n\
         image/a.pkr.json:6:69: source.docker.base -> local.tags\n\
         image/a.pkr.json:10:19: build[0] -> source.docker.base\n"
            .replace("image/", &format!("image{}", std::path::MAIN_SEPARATOR))
    );
}
