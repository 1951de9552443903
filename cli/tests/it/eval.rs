//! `eval`: the value of one expression.

use crate::tool::{feed, json, run, status, stderr, stdout, tree};

#[test]
fn eval_prints_values_as_a_console_does() {
    let tree = tree(&[("vars.json", r#"{"n": 3, "o": {"a": ["x", null]}, "s": "a\nb\n"}"#)]);
    let eval = |arguments: &[&str]| {
        run(tree.path(), &[&["eval", "--vars", "vars.json"], arguments].concat())
    };
    let shown = |expression| stdout(&eval(&[expression]));
    assert_eq!(shown("1 + n * 2"), "7\n");
    assert_eq!(shown("-n"), "-3\n");
    assert_eq!(shown("\"a\\\"$${b} ${n}\""), "\"a\\\"$${b} 3\"\n");
    assert_eq!(shown("o"), "{\n  \"a\" = [\n    \"x\",\n    null,\n  ]\n}\n");
    assert_eq!(shown("[]"), "[]\n");
    assert_eq!(shown("n > 5 ? [\"a\"] : [\"a\", \"b\"]"), "tolist([\n  \"a\",\n  \"b\",\n])\n");
    assert_eq!(shown("s"), "<<EOT\na\nb\nEOT\n");
    assert_eq!(shown("upper(o.a[0])"), "\"X\"\n");
    assert_eq!(shown("sensitive(n)"), "(sensitive value)\n");
    assert_eq!(
        stdout(&eval(&["--template", "${n} is %{ if n == 3 }three%{ endif }"])),
        "\"3 is three\"\n"
    );

    let output = eval(&["--format", "json", "[sensitive(n)]"]);
    assert_eq!(json(&output)["result"], serde_json::json!({"sensitive": true}));
    let output = eval(&["--format", "json", "{a = n, b = 1e30}"]);
    assert_eq!(json(&output)["result"]["type"][1]["a"], "number");
    assert_eq!(json(&output)["variables"][0], "n");
    assert!(stdout(&output).contains("1000000000000000000000000000000"), "{}", stdout(&output));

    let output = eval(&["n +\n missing"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).contains("--> expression:2:2"), "{}", stderr(&output));
    assert!(stderr(&output).contains("2 |  missing"), "{}", stderr(&output));
    let output = eval(&["--format", "ndjson", "1 +"]);
    assert_eq!(status(&output), 1);
    assert_eq!(json(&output)["errors"][0]["range"]["filename"], "expression");
    assert_eq!(stdout(&feed(&["eval", "-"], "1 + 1")), "2\n");
}
