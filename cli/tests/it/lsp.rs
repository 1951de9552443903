//! `lsp`: the language server in the program; its own tests are in `server/`. And `check --watch`.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::tool::{git, json, run, simd_hcl, status, stderr, tree};

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

/// A server in the program, for a directory.
struct Server {
    process: Child,
    output: BufReader<ChildStdout>,
    root: PathBuf,
    next: i64,
}

impl Server {
    /// Starts a server, and initializes it.
    fn new(root: &Path) -> Self {
        let root = root.canonicalize().unwrap();
        let mut process = simd_hcl(&["lsp"])
            .current_dir(&root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut server = Self { process, output, root, next: 0 };
        let capabilities = json!({ "textDocument": { "diagnostic": {} } });
        let params = json!({ "capabilities": capabilities, "rootUri": server.uri("") });
        assert_eq!(server.request("initialize", params)["serverInfo"]["name"], "simd-hcl");
        server
    }

    fn uri(&self, path: &str) -> String {
        let path = self.root.join(path);
        format!("file://{}", path.to_str().unwrap().trim_end_matches('/'))
    }

    fn notify(&mut self, method: &str, params: Value) {
        send(&mut self.process, &json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let request =
            json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params });
        send(&mut self.process, &request);
        loop {
            let mut message = receive(&mut self.output);
            if message["id"] == self.next {
                return message["result"].take();
            }
        }
    }

    /// Asks about a position: a line and a column, both from 0.
    fn at(&mut self, method: &str, path: &str, (line, character): (u32, u32)) -> Value {
        let params = json!({
            "textDocument": { "uri": self.uri(path) },
            "position": { "line": line, "character": character },
        });
        self.request(method, params)
    }

    /// The codes and severities of all findings.
    fn findings(&mut self) -> Vec<(Value, Value)> {
        let found = self.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
        let items = found["items"].as_array().unwrap();
        let all = items.iter().flat_map(|item| item["items"].as_array().unwrap());
        all.map(|it| (it["code"].clone(), it["severity"].clone())).collect()
    }

    fn end(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.process.wait().unwrap().code()
    }
}

/// The codes and severities that `check` finds.
fn checked(root: &Path) -> Vec<(Value, Value)> {
    let mut checked = json(&run(root, &["check", "--format", "json", "."]));
    let expected = checked["diagnostics"].take();
    let severity = |it: &Value| if it["severity"] == "error" { json!(1) } else { json!(2) };
    let all = expected.as_array().unwrap().iter();
    all.map(|it| (it["code"].clone(), severity(it))).collect()
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
    let mut server = Server::new(files.path());
    let found = server.findings();
    assert!(found.len() >= 2, "{found:?}");
    assert_eq!(found, checked(files.path()));
    assert_eq!(server.end(), Some(0));
}

/// The schemas that the settings name describe and check bodies, also after they have changed.
#[test]
fn schemas_of_the_settings_count() {
    let schemas = |name: &str| {
        json!({ "format_version": "1.0", "provider_schemas": { "registry.opentofu.org/hashicorp/aws": {
            "resource_schemas": { "aws_vpc": { "version": 1, "block": {
                "attributes": { name: {
                    "type": "string", "required": true, "description": "The range.",
                } },
                "block_types": { "timeouts": { "nesting_mode": "single", "block": {
                    "attributes": { "create": { "type": "string", "optional": true } },
                } } },
            } } },
        } } })
        .to_string()
    };
    let files = tree(&[
        ("simd-hcl.toml", "provider-schemas = \"schemas.json\"\n"),
        ("schemas.json", &schemas("cidr")),
        (
            "main.tf",
            "resource \"aws_vpc\" \"a\" {\n  cidr = 1\n  zone = 2\n  timeouts {\n    \n  }\n}\n",
        ),
    ]);
    let mut server = Server::new(files.path());
    assert_eq!(server.findings(), checked(files.path()));
    let hover = server.at("textDocument/hover", "main.tf", (1, 3));
    let hover = hover["contents"]["value"].to_string();
    assert!(hover.contains("type: `string`") && hover.contains("The range."), "{hover}");
    let labels = |found: Value| -> Vec<Value> {
        let items = found["items"].as_array().unwrap();
        items.iter().map(|item| item["label"].clone()).collect()
    };
    let completions = server.at("textDocument/completion", "main.tf", (4, 4));
    assert_eq!(labels(completions), ["create"]);

    std::fs::write(files.path().join("schemas.json"), schemas("zone")).unwrap();
    let changes = json!([{ "uri": server.uri("schemas.json"), "type": 2 }]);
    server.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    assert_eq!(server.findings(), checked(files.path()));
    assert_eq!(server.at("textDocument/hover", "main.tf", (1, 3)), Value::Null);
    assert_eq!(server.end(), Some(0));
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

/// A client of a server that has opened one file.
struct Editor {
    server: Child,
    output: BufReader<ChildStdout>,
    uri: String,
    text: String,
    version: i64,
}

impl Editor {
    fn open(root: &Path, file: &str) -> Self {
        let mut server = simd_hcl(&["lsp"])
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(server.stdout.take().unwrap());
        let folder = format!("file://{}", root.to_str().unwrap());
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let uri = format!("{folder}/{file}");
        let mut editor = Self { server, output, uri, text, version: 1 };
        editor.request("initialize", &json!({ "capabilities": {}, "rootUri": folder }));
        let document =
            json!({ "uri": editor.uri, "languageId": "hcl", "version": 1, "text": editor.text });
        editor.notify("textDocument/didOpen", &json!({ "textDocument": document }));
        editor
    }

    fn notify(&mut self, method: &str, params: &Value) {
        send(&mut self.server, &json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        send(&mut self.server, &message);
        loop {
            let answer = receive(&mut self.output);
            if answer["id"] == 1 && answer.get("method").is_none() {
                assert!(answer.get("error").is_none(), "{answer}");
                return answer["result"].clone();
            }
        }
    }

    /// Renames the name at the first place of a part of the text, and takes the edits of the file.
    fn rename(&mut self, part: &str, name: &str) {
        let offset = self.text.find(part).unwrap();
        let before = &self.text[..offset];
        let line = before.matches('\n').count();
        let character = offset - before.rfind('\n').map_or(0, |at| at + 1);
        let params = json!({
            "textDocument": { "uri": self.uri },
            "position": { "line": line, "character": character },
            "newName": name,
        });
        let found = self.request("textDocument/rename", &params);
        let mut edits = found["changes"][&self.uri].as_array().unwrap().clone();
        let offset_of = |text: &str, at: &Value| {
            let line = at["line"].as_u64().unwrap() as usize;
            let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
            start + at["character"].as_u64().unwrap() as usize
        };
        edits.sort_by_key(|edit| std::cmp::Reverse(offset_of(&self.text, &edit["range"]["start"])));
        for edit in edits {
            let start = offset_of(&self.text, &edit["range"]["start"]);
            let end = offset_of(&self.text, &edit["range"]["end"]);
            self.text.replace_range(start..end, edit["newText"].as_str().unwrap());
        }
        self.version += 1;
        let document = json!({ "uri": self.uri, "version": self.version });
        let changes = json!([{ "text": self.text }]);
        self.notify(
            "textDocument/didChange",
            &json!({ "textDocument": document, "contentChanges": changes }),
        );
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // A test that fails leaves no server.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A rename in an editor is that of the command, also on the way back.
#[test]
fn renames_in_an_editor_are_those_of_the_command() {
    let native = "resource \"terraform_data\" \"a\" {}\n\n# About the module.\nmodule \"m\" {\n  source = \"./m\"\n}\n\n\
                  output \"o\" {\n  value = terraform_data.a.id\n}\n";
    let minified = r#"{"resource":{"terraform_data":{"a":{}}},"module":{"m":{"source":"./m"}},"output":{"o":{"value":"${terraform_data.a.id}"}}}"#;
    let texts = [
        ("main.tf", native.to_owned()),
        ("main.tf", native.replace('\n', "\r\n")),
        (
            "main.tf",
            format!(
                "{native}\nmoved {{\n  from = terraform_data.z\n  to   = terraform_data.a\n}}\n"
            ),
        ),
        ("main.tf.json", minified.to_owned()),
    ];
    for (name, text) in &texts {
        let files = tree(&[(name, text), ("m/main.tf", "")]);
        let root = files.path().canonicalize().unwrap();
        let command = |address: &str, new: &str| {
            let output = run(&root, &["rename", address, new, "--write"]);
            assert_eq!(status(&output), 0, "{address}: {}", stderr(&output));
            std::fs::read_to_string(root.join(name)).unwrap()
        };
        git(&root, &["init", "-q"]);
        let mut editor = Editor::open(&root, name);
        for (part, old, new) in [("a\"", "a", "bb"), ("m\"", "m", "nn")] {
            let address = |name: &str| match old {
                "a" => format!("terraform_data.{name}"),
                _ => format!("module.{name}"),
            };
            // The label, and not an end of another word.
            let part = format!("\"{part}");
            let at = |editor: &Editor, part: &str| {
                editor.text[editor.text.find(part).unwrap() + 1..].to_owned()
            };
            let found = at(&editor, &part);
            editor.rename(&found, new);
            assert_eq!(editor.text, command(&address(old), new), "{text}");
            let found = at(&editor, &format!("\"{new}\""));
            editor.rename(&found, old);
            assert_eq!(editor.text, *text);
            assert_eq!(command(&address(new), old), *text);
        }
        // A block that is committed may be applied, so that it is reversed.
        command("terraform_data.a", "bb");
        git(&root, &["add", "."]);
        git(&root, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]);
        drop(editor);
        let mut editor = Editor::open(&root, name);
        let found = editor.text[editor.text.find("\"bb\"").unwrap() + 1..].to_owned();
        editor.rename(&found, "a");
        assert_eq!(editor.text, command("terraform_data.bb", "a"), "{text}");
        assert_ne!(editor.text, *text);
    }
}
