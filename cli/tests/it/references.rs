//! `references`: references between objects.

use crate::tool::{linked_modules, list, run, status, stdout, template, tree};

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

/// A module with more objects than one thread renders at a time: the order is that of the objects, and
/// functions of providers come last in each module.
#[test]
fn references_of_large_modules() {
    let resource = |number: usize| {
        let calls = if number == 7 { "  b = provider::x::f(var.v)\n" } else { "" };
        format!("resource \"x\" \"r{number}\" {{\n  a = var.v\n{calls}}}\n")
    };
    let resources: String = (0..10_000).map(resource).collect();
    let main = format!("variable \"v\" {{}}\n{resources}");
    let small = "variable \"v\" {}\nresource \"x\" \"s\" {\n  a = var.v\n}\n";
    let tree = tree(&[("a/main.tf", main.as_str()), ("b/main.tf", small), ("c/main.tf", "")]);
    let rows = list(&run(tree.path(), &["references", ".", "--format", "json"]), "references");
    let froms: Vec<&str> =
        rows.as_array().unwrap().iter().map(|row| row["from"].as_str().unwrap()).collect();
    let names =
        (0..10_000).flat_map(|number| vec![format!("x.r{number}"); 1 + usize::from(number == 7)]);
    let expected: Vec<String> = names.chain(["x.r7".to_owned(), "x.s".to_owned()]).collect();
    assert_eq!(froms, expected);
    assert_eq!(rows[10_001]["to"], "provider::x::f");
    for format in ["human", "json", "ndjson", "csv"] {
        let print = |threads| {
            let arguments = ["references", "--format", format, "--threads", threads, "."];
            stdout(&run(tree.path(), &arguments))
        };
        let whole = print("1");
        for threads in ["2", "3"] {
            assert!(print(threads) == whole, "{format}");
        }
    }
}
