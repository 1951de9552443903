//! The language server: whatever a client sends, every request has one answer, in JSON, and the server
//! ends when the input does.
//!
//! The input is a list of messages, one a line: a byte that selects the method, then either the text of
//! a document, or parameters in JSON. Lines that start with `!` are sent as they are, without a header.
#![no_main]

#[path = "../client.rs"]
mod client;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use simd_hcl_server::lsp::METHODS;

/// A directory with two modules, one of which calls the other.
static ROOT: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let root = tempfile::tempdir().expect("a directory");
    for (path, text) in [
        ("app/main.tf", "module \"net\" {\n  source = \"../net\"\n}\n"),
        ("net/main.tf", "variable \"size\" {}\noutput \"id\" {\n  value = var.size\n}\n"),
    ] {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().expect("it is below")).expect("created");
        std::fs::write(path, text).expect("written");
    }
    root
});

const FILES: [&str; 4] = ["app/main.tf", "net/main.tf", "net/new.tf.json", "net/terraform.tfvars"];

fuzz_target!(|data: &[u8]| {
    let uri = |path: &str| format!("file://{}", ROOT.path().join(path).display());
    let mut input = Vec::new();
    let mut send = |message: &[u8]| client::send(&mut input, message);
    let mut requests = 1;
    let first = json!({
        "id": 0, "method": "initialize", "params": { "capabilities": {}, "rootUri": uri("") },
    });
    send(first.to_string().as_bytes());
    for (version, line) in data.split(|byte| *byte == b'\n').take(64).enumerate() {
        let [kind, rest @ ..] = line else { continue };
        if *kind == b'!' {
            send(rest);
            continue;
        }
        let document = uri(FILES[usize::from(kind >> 6)]);
        let text = String::from_utf8_lossy(rest);
        let message = match usize::from(kind & 0x3f) {
            0 => json!({ "method": "textDocument/didOpen", "params": {
                "textDocument": { "uri": document, "version": version, "text": text } } }),
            1 => json!({ "method": "textDocument/didClose", "params": {
                "textDocument": { "uri": document } } }),
            number => match METHODS.get(number - 2) {
                Some(method) => {
                    requests += 1;
                    let mut params: Value = serde_json::from_slice(rest).unwrap_or(json!({
                        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 9 } },
                        "position": { "line": rest.len() % 5, "character": rest.len() % 17 },
                    }));
                    if let Some(object) = params.as_object_mut() {
                        object.insert("textDocument".to_owned(), json!({ "uri": document }));
                    }
                    json!({ "id": requests, "method": method.name, "params": params })
                }
                None => {
                    let (line, from) = (number % 7, rest.len() % 11);
                    json!({ "method": "textDocument/didChange", "params": {
                        "textDocument": { "uri": document, "version": version },
                        "contentChanges": [{ "text": text, "range": {
                            "start": { "line": line, "character": from },
                            "end": { "line": line, "character": from + number % 3 } } }] } })
                }
            },
        };
        send(message.to_string().as_bytes());
    }
    send(br#"{"id": "last", "method": "shutdown"}"#);
    send(br#"{"method": "exit"}"#);
    client::answers(input);
});
