//! `graph` and `dependents`: dependencies.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tool::{json, linked_modules, list, run, status, stderr, stdout, tree};

fn column(rows: &Value, name: &str) -> Vec<String> {
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row[name].as_str().unwrap().to_owned()).collect()
}

#[test]
fn dependents_and_graphs_go_across_modules() {
    let tree = linked_modules();
    let output = run(tree.path(), &["dependents", "vpc.main", ".", "--format", "json"]);
    let rows = list(&output, "dependents");
    // The object itself comes first.
    assert_eq!(column(&rows, "address"), ["vpc.main", "var.vpc", "output.id", "host.h"]);
    assert_eq!(rows[0]["distance"], 0);
    let output = run(tree.path(), &["dependents", "vpc.other", "."]);
    assert_eq!(status(&output), 2);

    let output = run(tree.path(), &["graph", ".", "--modules"]);
    assert!(stdout(&output).contains("\"app\" -> \"net\";"), "{}", stdout(&output));
    let output = run(tree.path(), &["graph", "app", "--mermaid"]);
    let begin = "flowchart LR\n  n0[\"app:vpc.main\"]";
    assert!(stdout(&output).starts_with(begin), "{}", stdout(&output));
    for (flags, same) in [
        (&["--format", "mermaid"][..], &["--mermaid"][..]),
        (&["--format", "dot"], &["--format", "human"]),
    ] {
        let of = |flags: &[&str]| stdout(&run(tree.path(), &[&["graph", "app"], flags].concat()));
        assert_eq!(of(flags), of(same), "{flags:?}");
    }
    assert_eq!(status(&run(tree.path(), &["graph", "--mermaid", "--format", "json"])), 2);
    let output = run(tree.path(), &["graph", ".", "--format", "json"]);
    assert_eq!(json(&output)["nodes"].as_array().unwrap().len(), 5);
}

/// All objects of a module that depend on a file are listed, not only the nearest one.
#[test]
fn dependents_of_a_file_with_many_readers() {
    let read = |number: usize| {
        format!("resource \"x\" \"r{number:03}\" {{\n  a = filemd5(\"src/a.py\")\n}}\n")
    };
    let resources: String = (0..100).map(read).collect();
    let archive = "data \"archive_file\" \"all\" {\n  source_dir = \"${path.module}/src\"\n}\n";
    let main = format!("{resources}{archive}module \"m\" {{\n  source = \"./m\"\n}}\n");
    let files = [
        ("main.tf", main.as_str()),
        ("m/main.tf", "output \"o\" {\n  value = file(\"src/a.py\")\n}\n"),
        ("src/a.py", ""),
        ("src/b.py", ""),
    ];
    let tree = tree(&files);
    let addresses = |file: &str| -> Vec<String> {
        let output = run(tree.path(), &["dependents", file, ".", "--format", "json"]);
        let rows = list(&output, "dependents");
        let address = |row: &serde_json::Value| row["address"].as_str().unwrap().to_owned();
        rows.as_array().unwrap().iter().map(address).collect()
    };
    let all = addresses("src/a.py");
    assert_eq!(all.iter().filter(|it| it.starts_with("x.r")).count(), 100);
    for address in ["data.archive_file.all", "output.o", "module.m"] {
        assert!(all.iter().any(|it| it == address), "{address} in {all:?}");
    }
    assert_eq!(addresses("src/b.py"), ["data.archive_file.all"]);
}

#[test]
fn dependents_of_files_and_providers() {
    let files = tree(&[
        (
            "root/main.tf.json",
            r#"{"module": {"m": {"source": "../leaf"}}, "provider": {"x": {}}, "resource": {"x_thing": {"a": {}}}}"#,
        ),
        ("leaf/main.tf.json", r#"{"resource": {"x_thing": {"l": {}}}}"#),
        ("leaf/unused.tf.json", "{}"),
    ]);
    let addresses = |of: &str| {
        let output = run(files.path(), &["dependents", of, ".", "--format", "json"]);
        column(&list(&output, "dependents"), "address")
    };
    for file in ["leaf/main.tf.json", "./leaf/main.tf.json", "root/../leaf/main.tf.json"] {
        assert_eq!(addresses(file), ["x_thing.l", "module.m"], "{file}");
    }
    // A file without declarations, or that no longer exists, is still a part of its module.
    assert_eq!(addresses("leaf/unused.tf.json"), ["module", "module.m"]);
    assert_eq!(addresses("leaf/deleted.tf.json"), ["module", "module.m"]);
    assert_eq!(addresses("leaf:x_thing.l"), ["x_thing.l", "module.m"]);
    assert_eq!(addresses("./root:x_thing.a"), ["x_thing.a"]);
    let mut managed = addresses("root:provider.x");
    managed.sort();
    assert_eq!(managed, ["provider.x", "x_thing.a", "x_thing.l"]);
}

#[test]
fn graphs_of_modules_have_a_node_for_what_is_not_read() {
    let files = tree(&[
        (
            "root/main.tf.json",
            r#"{"module": {"native": {"source": "../native"}, "gone": {"source": "../gone"},
                "far": {"source": "hashicorp/consul/aws", "version": "~> 1.0"},
                "git": {"source": "git::https://example.com/x.git"}, "read": {"source": "../read"},
                "vague": {"source": "${var.x}"}}}"#,
        ),
        ("native/main.tf", ""),
        ("read/main.tf.json", r#"{"locals": {"a": 1}}"#),
    ]);
    let output = run(files.path(), &["graph", ".", "--modules", "--format", "json"]);
    let drawing = json(&output);
    let node = |id: &str| {
        let nodes = drawing["nodes"].as_array().unwrap();
        nodes
            .iter()
            .find(|node| node["id"] == id)
            .cloned()
            .unwrap_or_else(|| panic!("{id}: {drawing}"))
    };
    assert_eq!(node("native")["kind"], "module");
    assert_eq!(node("gone")["kind"], "missing");
    assert_eq!(node("hashicorp/consul/aws")["kind"], "remote");
    assert_eq!(node("hashicorp/consul/aws")["version"], "~> 1.0");
    assert_eq!(node("git::https://example.com/x.git")["kind"], "remote");
    assert_eq!(node("read")["kind"], "module");
    assert_eq!(node("${var.x}")["kind"], "unknown");
    assert_eq!(drawing["edges"].as_array().unwrap().len(), 6);
}

#[test]
fn graphs_of_modules_have_states_that_are_read() {
    let files = tree(&[
        (
            "net/main.tf.json",
            r#"{"terraform": {"backend": {"s3": {"bucket": "b", "key": "net"}}}}"#,
        ),
        (
            "app/main.tf.json",
            r#"{"data": {"terraform_remote_state": {"net": {"backend": "s3", "config": {"bucket": "b", "key": "net"}}}}}"#,
        ),
    ]);
    let output = run(files.path(), &["graph", ".", "--modules"]);
    assert!(stdout(&output).contains("\"app\" -> \"net\";"), "{}", stdout(&output));
}

#[test]
fn templates_of_packer_have_the_same_graph() {
    let files = tree(&[(
        "image.pkr.json",
        r#"{"variable": {"region": {"default": "r"}}, "locals": {"name": "${var.region}-x"},
            "source": {"null": {"a": {"communicator": "none", "host": "${local.name}"}}},
            "build": {"sources": ["source.null.a"]}}"#,
    )]);
    let drawing = json(&run(files.path(), &["graph", ".", "--format", "json"]));
    let nodes = column(&drawing["nodes"], "id");
    for expected in ["var.region", "local.name", "source.null.a"] {
        assert!(nodes.contains(&expected.to_owned()), "{nodes:?}");
    }
    assert_eq!(drawing["edges"].as_array().unwrap().len(), 3);
    let output = run(files.path(), &["dependents", "var.region", ".", "--format", "json"]);
    let addresses = column(&list(&output, "dependents"), "address");
    assert_eq!(addresses[..3], ["var.region", "local.name", "source.null.a"]);
    assert_eq!(addresses.len(), 4);
    let of_file = run(files.path(), &["dependents", "image.pkr.json", ".", "--format", "json"]);
    assert_eq!(list(&of_file, "dependents").as_array().unwrap().len(), 4);
    let modules = run(files.path(), &["graph", ".", "--modules", "--format", "json"]);
    assert_eq!(json(&modules)["nodes"][0]["kind"], "template");
}

#[test]
fn filters_select_a_part_of_every_format() {
    let files = tree(&[
        (
            "app/main.tf.json",
            r#"{"variable": {"a": {"default": 1}}, "locals": {"b": "${var.a}"},
                "resource": {"x_thing": {"c": {"n": "${local.b}"}, "d": {"n": "${x_thing.c.id}"}}},
                "data": {"y_thing": {"e": {"n": "${x_thing.d.id}"}}},
                "module": {"m": {"source": "../net", "n": "${x_thing.c.id}"}},
                "output": {"o": {"value": "${module.m.id}"}}}"#,
        ),
        (
            "net/main.tf.json",
            r#"{"variable": {"n": {}}, "resource": {"x_thing": {"f": {"n": "${var.n}"}}},
                "output": {"id": {"value": "${x_thing.f.id}"}}}"#,
        ),
    ]);
    let parts: [(&[&str], &[&str], usize); 11] = [
        (
            &["--focus", "x_thing.c"],
            &["app:local.b", "app:x_thing.c", "app:x_thing.d", "net:var.n"],
            3,
        ),
        (&["--focus", "./app:var.a", "--depth", "0"], &["app:var.a"], 0),
        (
            &["--focus", "data.y_thing.e", "--depth", "9"],
            &["app:data.y_thing.e", "app:local.b", "app:var.a", "app:x_thing.c", "app:x_thing.d"],
            4,
        ),
        (&["--type", "x_*"], &["app:x_thing.c", "app:x_thing.d", "net:x_thing.f"], 1),
        (
            &["--type", "output", "--type", "y_thing"],
            &["app:data.y_thing.e", "app:output.o", "net:output.id"],
            1,
        ),
        (&["--module", "net/"], &["net:output.id", "net:var.n", "net:x_thing.f"], 2),
        (&["--module", "n?t", "--type", "variable"], &["net:var.n"], 0),
        (&["--collapse"], &["app", "net"], 2),
        (&["--collapse=net", "--focus", "x_thing.f"], &["app:output.o", "app:x_thing.c", "net"], 2),
        // The focus is kept whatever its type is.
        (&["--focus", "app:local.b", "--type", "x_thing"], &["app:local.b", "app:x_thing.c"], 1),
        (&["--modules", "--focus", "net"], &["app", "net"], 1),
    ];
    for (flags, nodes, edges) in parts {
        let graph = |more: &[&str]| run(files.path(), &[&["graph", "."], flags, more].concat());
        let drawing = json(&graph(&["--format", "json"]));
        let mut ids = column(&drawing["nodes"], "id");
        ids.sort();
        let found = drawing["edges"].as_array().unwrap().len();
        match flags[0] == "--collapse=net" {
            // The call, its arguments and its outputs are in the other module.
            true => assert!(nodes.iter().all(|id| ids.contains(&(*id).to_owned())), "{ids:?}"),
            false => assert_eq!(
                (&*ids, found),
                (&*nodes.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>(), edges),
                "{flags:?}"
            ),
        }
        let dot = stdout(&graph(&[]));
        assert_eq!(dot.matches(" -> ").count(), found, "{dot}");
        let mermaid = stdout(&graph(&["--mermaid"]));
        assert_eq!(mermaid.matches("[\"").count(), ids.len(), "{mermaid}");
        assert_eq!(mermaid.matches(" --> ").count(), found, "{mermaid}");
    }
}

#[test]
fn names_that_the_graph_does_not_have_are_errors() {
    let files = tree(&[("main.tf.json", r#"{"resource": {"x_thing": {"main": {}}}}"#)]);
    for (flags, message) in [
        (&["--focus", "x_thing.mian"], "no object `x_thing.mian`; it has `x_thing.main`"),
        (&["--module", "nett"], "no module `nett`; it has `.`"),
    ] {
        let output = run(files.path(), &[&["graph", "."], &flags[..]].concat());
        assert_eq!((status(&output), stdout(&output)), (2, String::new()), "{flags:?}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    for flags in
        [&["--depth", "2"][..], &["--modules", "--collapse"], &["--modules", "--type", "x"]]
    {
        assert_eq!(status(&run(files.path(), &[&["graph", "."], flags].concat())), 2, "{flags:?}");
    }
}

#[test]
fn pictures_have_every_object_and_escape_names() {
    let files = linked_modules();
    let svg = stdout(&run(files.path(), &["graph", ".", "--format", "svg"]));
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("class=\"n\"").count(), 5);
    assert!(svg.contains(">vpc.main</text>") && svg.contains(">net</text>"), "{svg}");
    assert_eq!(svg, stdout(&run(files.path(), &["graph", ".", "--format", "svg"])));
    let part = &["graph", ".", "--format", "svg", "--focus", "vpc.main", "--depth", "0"];
    assert_eq!(stdout(&run(files.path(), part)).matches("class=\"n\"").count(), 1);

    let hostile = "</script><script>alert(1)</script>&'\u{2028}";
    let text =
        serde_json::json!({"locals": {hostile: 1}, "output": {"o": {"value": 1}}}).to_string();
    let files = tree(&[("main.tf.json", &text)]);
    let page = stdout(&run(files.path(), &["graph", ".", "--format", "html"]));
    // The data, and the script.
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains('\u{2028}') && page.contains("\\u003c/script\\u003e"));
    assert!(page.contains("default-src 'none'; script-src 'sha256-"));
    assert!(!page.contains("https://") && !page.contains("src="));
    let svg = stdout(&run(files.path(), &["graph", ".", "--format", "svg"]));
    assert!(!svg.contains("<script") && svg.contains("&lt;/script&gt;"), "{svg}");
}

/// The members of a graph, in their order.
#[derive(Serialize, Deserialize)]
struct Graph {
    format_version: String,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    incomplete: Value,
}

#[derive(Serialize, Deserialize)]
struct Node {
    id: String,
    kind: String,
    module: String,
}

#[derive(Serialize, Deserialize)]
struct Edge {
    from: String,
    to: String,
}

/// Nodes and edges that several threads print are those of one line of JSON, in the same order.
#[test]
fn graphs_of_large_modules() {
    let resource = |number: usize| format!("resource \"x\" \"r{number}\" {{\n  a = var.v\n}}\n");
    let main: String = (0..10_000).map(resource).collect();
    let main = format!("variable \"v\" {{}}\n{main}");
    for files in [&[("main.tf", main.as_str())][..], &[("main.tf", "locals {}\n")]] {
        let tree = tree(files);
        let print = |format, threads| {
            stdout(&run(tree.path(), &["graph", ".", "--format", format, "--threads", threads]))
        };
        let whole = print("json", "1");
        assert!(print("json", "3") == whole);
        let graph: Graph = serde_json::from_str(&whole).unwrap();
        assert!(serde_json::to_string_pretty(&graph).unwrap() + "\n" == whole);
        assert!(serde_json::to_string(&graph).unwrap() + "\n" == print("ndjson", "2"));
    }
}
