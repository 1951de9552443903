//! Small inputs whose output would be large: it is bounded, and what is left out is named.

use std::fs;

use crate::tool::{run, status, stderr, stdout, tree};

/// One long name beside many short ones.
fn unaligned(many: usize) -> String {
    let long = "n".repeat(2_000);
    let short: String = (0..many).map(|at| format!("a{at}=1\n")).collect();
    format!("locals {{\n{long}=1\n{short}}}\n")
}

#[test]
fn layouts_are_bounded() {
    let short: String = (0..20_000).map(|at| format!("b{at} = 1# c\n")).collect();
    let comments = format!("a = \"{}\" # c\n{short}", "v".repeat(2_000));
    let brackets = format!("a = {}{}\n", "[\n".repeat(4_000), "]\n".repeat(4_000));
    for text in [unaligned(20_000), comments, brackets] {
        let tree = tree(&[("long.tf", &text), ("short.tf", "a=1\n")]);
        let output = run(tree.path(), &["fmt", "."]);
        let notes = stderr(&output);
        assert_eq!((status(&output), stdout(&output).as_str()), (1, "short.tf\n"), "{notes}");
        assert!(notes.contains("layout-too-large") && notes.contains("long.tf"), "{notes}");
        assert_eq!(fs::read_to_string(tree.path().join("long.tf")).unwrap(), text);
    }
    let short = unaligned(100);
    let tree = tree(&[("short.tf", &short)]);
    assert_eq!(status(&run(tree.path(), &["fmt", "."])), 0);
}

#[test]
fn conversions_are_bounded() {
    let long = "n".repeat(2_000);
    let short: Vec<String> = (0..20_000).map(|at| format!("\"a{at}\": 1")).collect();
    let text = format!("{{\"locals\": {{\"{long}\": 1, {}}}}}", short.join(", "));
    let tree = tree(&[("long.tf.json", &text)]);
    let output = run(tree.path(), &["convert", "--to", "native", "long.tf.json"]);
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("layout-too-large"), "{}", stderr(&output));
    assert!(output.stdout.len() < 2 * text.len(), "{}", output.stdout.len());
}

#[test]
fn matches_in_deep_data_are_bounded() {
    let depth = 3_000;
    let json_text =
        format!("{{\"locals\": {{\"x\": {}1{}}}}}", "{\"a\": ".repeat(depth), "}".repeat(depth));
    let native =
        format!("locals {{\n  x = {}1{}\n}}\n", "{ a = ".repeat(depth), " }".repeat(depth));
    for (name, text) in [("main.tf.json", json_text), ("main.tf", native)] {
        let tree = tree(&[(name, &text)]);
        let output = run(tree.path(), &["query", "**", ".", "--format", "ndjson"]);
        assert_eq!(status(&output), 2);
        // The paths and values, once more as a range each.
        let most = (4 << 20) + 32 * text.len();
        assert!(output.stdout.len() < 2 * most, "{} bytes", output.stdout.len());
        let last = stdout(&output);
        let last = last.lines().last().unwrap();
        assert!(last.starts_with("{\"incomplete\":"), "{last:.200}");
        assert!(last.contains("matches from here on are not listed"), "{last:.500}");
        // A pattern with names has no limit.
        let path = format!("locals.x{}", ".a".repeat(20));
        let found = stdout(&run(tree.path(), &["query", &path, ".", "--format", "json"]));
        assert_eq!(found.matches("\"path\"").count(), 1);
    }
}

#[test]
fn matches_that_a_condition_reads_are_bounded() {
    let text = format!(
        "{{\"locals\": {{\"x\": {{\"long\": [{}], {}}}}}}}",
        vec!["1"; 5_000].join(","),
        (0..5_000).map(|at| format!("\"a{at}\": 1")).collect::<Vec<_>>().join(",")
    );
    let tree = tree(&[("main.tf.json", &text)]);
    let output = run(tree.path(), &["query", "locals.x.*", ".", "--where", "long != null"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("matches from here on"), "{}", stderr(&output));
}

/// Instances that depend on those with equal keys, or on all.
#[test]
fn edges_of_pages_are_bounded() {
    let plan = |other: &str| {
        let change = |name: &str, key: String| {
            format!(
                r#"{{"address":"a.{name}[{key}]","mode":"managed","type":"a","name":"{name}","change":{{"actions":["create"],"before":null,"after":{{}},"after_unknown":{{}},"before_sensitive":false,"after_sensitive":false}}}}"#
            )
        };
        let of = |name: &str, key: &str| -> Vec<String> {
            (0..400).map(|at| change(name, key.replace('N', &at.to_string()))).collect()
        };
        let changes = [of("r", "N"), of("s", other)].concat().join(",");
        format!(
            r#"{{"format_version":"1.2","planned_values":{{"root_module":{{}}}},"resource_changes":[{changes}],"configuration":{{"root_module":{{"resources":[{{"address":"a.r","mode":"managed","type":"a","name":"r","expressions":{{"x":{{"references":["a.s"]}}}}}},{{"address":"a.s","mode":"managed","type":"a","name":"s"}}]}}}}}}"#
        )
    };
    for (other, edges) in [
        ("N", "800 changes, 400 edges"),
        (r#"\"kN\""#, "800 changes, 100000 edges, more edges are not drawn"),
    ] {
        let tree = tree(&[("plan.json", &plan(other))]);
        let output = run(tree.path(), &["plan", "plan.json", "--format", "html"]);
        assert!(stdout(&output).contains(edges), "{other}: {}", stderr(&output));
    }
}

#[test]
fn values_are_bounded() {
    let next = |level: usize| format!("  l{level} = [local.l{0}, local.l{0}]\n", level - 1);
    let all: String = (1..=14).map(next).collect();
    let outputs: String =
        (0..200).map(|at| format!("output \"o{at}\" {{\n  value = local.l14\n}}\n")).collect();
    let text = format!("locals {{\n  l0 = \"a\"\n{all}}}\n{outputs}");
    let doubled = tree(&[("main.tf", &text)]);
    // Four steps for each byte, of 100 million and 1,000 for each byte of the file.
    let most = 25_000_000 + 250 * text.len();
    let output = run(doubled.path(), &["why", "local.l14", "."]);
    assert!(output.stdout.len() < most, "{}", output.stdout.len());
    // The layout of nested values takes much more than their text: people see 64 KiB of it.
    let next = |level: usize| {
        format!("  l{level} = merge({{a=local.l{0}}}, {{b=local.l{0}}})\n", level - 1)
    };
    let all: String = (1..=13).map(next).collect();
    let nested = tree(&[("main.tf", &format!("locals {{\n  l0 = \"a\"\n{all}}}\n"))]);
    let output = run(nested.path(), &["why", "local.l13", "."]);
    let lines = stdout(&output);
    assert!(lines.contains('…') && lines.len() < 2_000_000, "{}", lines.len());
    for format in ["human", "json"] {
        let output = run(doubled.path(), &["expand", ".", "--format", format]);
        assert!(output.stdout.len() < most, "{}", output.stdout.len());
    }
}
