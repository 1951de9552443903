//! `lsp`: the language server in the program; its own tests are in `server/`. And `check --watch`.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::tool::{json, run, simd_hcl, status, stderr, tree};

fn send(server: &mut Child, message: &Value) {
    let text = message.to_string();
    let input = server.stdin.as_mut().unwrap();
    write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
}

fn receive(output: &mut BufReader<ChildStdout>) -> Value {
    let mut length = 0;
    loop {
        let mut line = String::new();
        assert!(output.read_line(&mut line).unwrap() > 0);
        match line.trim().strip_prefix("Content-Length: ") {
            Some(text) => length = text.parse().unwrap(),
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// The settings and comments that count on the command line count in an editor.
#[test]
fn settings_and_comments_count() {
    let files = tree(&[
        (
            "simd-hcl.toml",
            "exclude = [\"old\"]\ndeny = [\"unused-declaration\"]\nselect = [\"typed-variable\"]\n",
        ),
        (
            "main.tf",
            "variable \"a\" {}\n# simd-hcl:allow(undeclared-reference)\noutput \"b\" {\n  value = var.b\n}\n",
        ),
        ("old/main.tf", "output \"b\" {\n  value = var.b\n}\n"),
    ]);
    let root = files.path().canonicalize().unwrap();
    let mut checked = json(&run(&root, &["check", "--format", "json", "."]));
    let expected = checked["diagnostics"].take();
    let mut server = simd_hcl(&["lsp"])
        .current_dir(&root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let folder = format!("file://{}", root.to_str().unwrap());
    send(
        &mut server,
        &json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": { "capabilities": { "textDocument": { "diagnostic": {} } }, "rootUri": folder },
        }),
    );
    assert_eq!(receive(&mut output)["result"]["serverInfo"]["name"], "simd-hcl");
    send(
        &mut server,
        &json!({
            "jsonrpc": "2.0", "id": 2, "method": "workspace/diagnostic", "params": { "previousResultIds": [] },
        }),
    );
    let found = receive(&mut output);
    let items = found["result"]["items"].as_array().unwrap();
    let found: Vec<(&Value, &Value)> = items
        .iter()
        .flat_map(|item| item["items"].as_array().unwrap())
        .map(|it| (&it["code"], &it["severity"]))
        .collect();
    let severity = |it: &Value| if it["severity"] == "error" { json!(1) } else { json!(2) };
    let expected = expected.as_array().unwrap();
    let severities: Vec<Value> = expected.iter().map(severity).collect();
    let expected: Vec<(&Value, &Value)> =
        expected.iter().map(|it| &it["code"]).zip(&severities).collect();
    assert!(found.len() >= 2, "{found:?}");
    assert_eq!(found, expected);
    send(&mut server, &json!({ "jsonrpc": "2.0", "id": 3, "method": "shutdown" }));
    receive(&mut output);
    send(&mut server, &json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn an_input_that_ends_is_an_end_without_order() {
    let mut server =
        simd_hcl(&["lsp"]).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(1));
}

#[test]
fn a_check_that_watches_runs_again() {
    let files = tree(&[("main.tf", "output \"a\" {\n  value = var.a\n}\n")]);
    let mut check = simd_hcl(&["check", "--watch", "--format", "concise", "."])
        .current_dir(files.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(check.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.contains("undeclared-reference"), "{line}");
    std::fs::write(files.path().join("more.tf"), "output \"b\" {\n  value = local.b\n}\n").unwrap();
    // Both findings, in the order of their files.
    for expected in ["var.a", "local.b"] {
        line.clear();
        output.read_line(&mut line).unwrap();
        assert!(line.contains(expected), "{line}");
    }
    check.kill().unwrap();
    check.wait().unwrap();
    let refused = run(files.path(), &["check", "--watch", "-"]);
    assert_eq!(status(&refused), 2);
    assert!(stderr(&refused).contains("standard input"));
}
