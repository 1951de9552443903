//! Answers of the language server about a module, but for edits, which are source text.

use std::fs;

use serde_json::{Value, json};

use super::client::{answers, send as send_to};
use super::{CALLED, check};

/// Requests about a file.
const OF_FILES: [&str; 5] = [
    "textDocument/codeLens",
    "textDocument/documentLink",
    "textDocument/documentSymbol",
    "textDocument/inlayHint",
    "textDocument/diagnostic",
];

/// Requests about a place.
const OF_PLACES: [&str; 5] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/prepareCallHierarchy",
];

/// Asks about every line of a file.
pub(super) fn run(name: &str, text: &str) {
    let directory = tempfile::tempdir().expect("a directory");
    fs::create_dir(directory.path().join("c")).expect("created");
    fs::write(directory.path().join(name), text).expect("written");
    fs::write(directory.path().join("c/called.tf"), CALLED).expect("written");
    let uri = |name: &str| format!("file://{}", directory.path().join(name).display());
    let mut input = Vec::new();
    let mut number = 0;
    let mut send = |method: &str, mut params: Value| {
        params["textDocument"] = json!({ "uri": uri(name), "version": 1, "text": text });
        let message = json!({ "id": number, "method": method, "params": params }).to_string();
        send_to(&mut input, message.as_bytes());
        number += 1;
    };
    send("initialize", json!({ "capabilities": {}, "rootUri": uri("") }));
    send("workspace/symbol", json!({ "query": "" }));
    send("workspace/diagnostic", json!({ "previousResultIds": [] }));
    for method in OF_FILES {
        let end = json!({ "line": 9999, "character": 0 });
        let start = json!({ "line": 0, "character": 0 });
        send(method, json!({ "range": { "start": start, "end": end } }));
    }
    for (line, content) in text.lines().enumerate() {
        // The name of an argument, and the start and the end of its value.
        let equal = content.find('=').unwrap_or(0);
        for character in [content.len() - content.trim_start().len(), equal + 2, content.len()] {
            for method in OF_PLACES {
                let position = json!({ "line": line, "character": character });
                send(method, json!({ "position": position }));
            }
        }
    }
    send("shutdown", json!({}));
    check("an answer", &String::from_utf8_lossy(&answers(input)), text);
}
