//! The server of agents, with messages of any kind.

#![allow(clippy::unwrap_used)]

use std::ffi::OsString;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::{Value, json};
use simd_hcl_server::mcp::{Cancel, Host, Output, TOOLS, run};

/// A program that answers with the arguments that it gets.
struct Echo;

impl Host for Echo {
    fn run(&mut self, arguments: &[OsString], _: &Cancel) -> io::Result<Output> {
        let arguments: Vec<_> = arguments.iter().map(|it| it.to_string_lossy()).collect();
        let answer = json!({ "ran": arguments }).to_string().into_bytes();
        Ok(Output { answer, notes: Vec::new(), status: Some(0) })
    }
}

/// The responses to some bytes.
fn session(root: &Path, input: &[u8]) -> Vec<Value> {
    let mut output = Vec::new();
    run(Echo, &[root.to_owned()], Cursor::new(input.to_owned()), &mut output).unwrap();
    let lines = str::from_utf8(&output).unwrap().lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn call(tool: &str, arguments: &Value) -> String {
    json!({ "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
        .to_string()
}

/// Each has one response, and the server goes on.
#[test]
fn hostile_messages_have_errors_and_end_nothing() {
    let root = tempfile::tempdir().unwrap();
    let deep = format!(
        r#"{{"id":1,"method":"ping","params":{}1{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let long = format!(r#"{{"id":1,"method":"{}"}}"#, "x".repeat(5 << 20));
    for (message, code) in [
        ("{".to_owned(), -32700),
        ("\u{feff}{}".to_owned(), -32700),
        (deep, -32700),
        (long, -32700),
        ("[]".to_owned(), -32600),
        ("{}".to_owned(), -32600),
        (r#"{"id":{"a":1}}"#.to_owned(), -32600),
        (r#"{"id":{"a":1},"method":"ping"}"#.to_owned(), -32600),
        (r#"{"id":[1],"method":"ping"}"#.to_owned(), -32600),
        (r#"{"id":null,"method":"ping"}"#.to_owned(), -32600),
        (r#"{"id":1,"method":"tools/call"}"#.to_owned(), -32602),
        (r#"{"id":1,"method":"tools/call","params":[1]}"#.to_owned(), -32602),
        (r#"{"id":1,"method":"no/such"}"#.to_owned(), -32601),
        (r#"{"id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"0"}}}"#.to_owned(), -32022),
    ] {
        let input = format!("{message}\n{{\"id\":\"next\",\"method\":\"ping\"}}");
        let responses = session(root.path(), input.as_bytes());
        let start: String = message.chars().take(80).collect();
        assert_eq!(responses.len(), 2, "{start}");
        assert_eq!(responses[0]["error"]["code"], code, "{start}");
        let id = &responses[0]["id"];
        assert!(id.is_null() || id == 1, "{start}");
        assert_eq!(responses[1]["id"], "next", "{start}");
    }
    let invalid = b"\xff\xfe\n\n  \n{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n{\"result\":1}\n";
    assert_eq!(session(root.path(), invalid).len(), 1);
}

/// A path of a tool is inside of the root, and no argument is a flag.
#[test]
fn paths_of_tools_stay_inside_of_the_roots() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("root");
    std::fs::create_dir_all(root.join("in")).unwrap();
    std::fs::write(root.join("in/plan.json"), "{}").unwrap();
    std::fs::write(directory.path().join("secret.json"), "{}").unwrap();
    std::fs::create_dir(directory.path().join("root2")).unwrap();
    let outside = directory.path().join("secret.json").to_str().unwrap().to_owned();
    let mut refused = vec![
        "..".to_owned(),
        "../secret.json".to_owned(),
        "../root2".to_owned(),
        "in/../../secret.json".to_owned(),
        "in/../missing".to_owned(),
        "/".to_owned(),
        "/dev/null".to_owned(),
        "file:///etc/passwd".to_owned(),
        "%2e%2e/secret.json".to_owned(),
        "--follow-links".to_owned(),
        "in\0".to_owned(),
        outside,
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.json", root.join("link.json")).unwrap();
        std::os::unix::fs::symlink("..", root.join("up")).unwrap();
        let pipe = root.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        refused.extend(["link.json", "up", "up/secret.json", "pipe"].map(str::to_owned));
    }
    let result = |tool: &str, arguments: Value| {
        let response = session(&root, call(tool, &arguments).as_bytes()).remove(0);
        let text = response["result"]["content"][0]["text"].as_str().unwrap().to_owned();
        (response["result"]["isError"] == true, text)
    };
    let mut places = Vec::new();
    for tool in TOOLS {
        for argument in tool.arguments {
            if ["paths", "path", "directory", "file", "files"].contains(&argument.name) {
                places.push((tool.name, argument.name));
            }
        }
    }
    assert!(places.len() > 8, "{places:?}");
    for (tool, argument) in places {
        for path in &refused {
            // A changed file may be gone.
            let may_be_missing = argument == "files"
                && (path.starts_with(['%', '-'])
                    || path.starts_with("file:")
                    || path.ends_with('\0'));
            if may_be_missing {
                continue;
            }
            let is_list = argument.ends_with('s');
            let value = if is_list { json!([path]) } else { json!(path) };
            let mut arguments = json!({ argument: value });
            for required in ["pattern", "address", "new", "value", "since", "type"] {
                let tool = TOOLS.iter().find(|it| it.name == tool).unwrap();
                if tool.arguments.iter().any(|it| it.name == required) && tool.name != "expand" {
                    arguments[required] = json!("--x");
                }
            }
            let (is_error, text) = result(tool, arguments);
            assert!(is_error && !text.contains("\"ran\""), "{tool} {argument} {path}: {text}");
        }
    }
    let (is_error, text) = result("query", json!({ "pattern": "--write", "paths": ["in"] }));
    assert!(!is_error, "{text}");
    let ran = serde_json::from_str::<Value>(&text).unwrap();
    assert!(text.contains("--write"), "{ran}");
    let flags = text.find("\"--\"").unwrap();
    assert!(flags < text.find("--write").unwrap(), "{text}");
}

/// A client that sends its messages one after another, as the server reads them.
struct Client(Receiver<String>);

impl Read for Client {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Ok(message) = self.0.recv() else { return Ok(0) };
        buffer[..message.len()].copy_from_slice(message.as_bytes());
        Ok(message.len())
    }
}

/// A program whose commands end only when they are cancelled, but for those that write.
struct Endless {
    started: Sender<()>,
    ran: usize,
}

impl Host for Endless {
    fn run(&mut self, _: &[OsString], cancel: &Cancel) -> io::Result<Output> {
        self.ran += 1;
        if self.ran == 1 {
            let (stop, stopped) = channel();
            cancel.on_cancel(move || stop.send(()).unwrap());
            self.started.send(()).unwrap();
            stopped.recv().unwrap();
            return Ok(Output::default());
        }
        assert!(!cancel.is_cancelled());
        let answer = br#"{"ran": []}"#.to_vec();
        Ok(Output { answer, notes: Vec::new(), status: Some(0) })
    }
}

/// A cancelled request ends while its command runs, or before it starts, and has no answer.
#[test]
fn requests_can_be_cancelled() {
    let root = tempfile::tempdir().unwrap();
    let (client, input) = channel();
    let (started, has_started) = channel();
    let path = root.path().to_owned();
    let server = std::thread::spawn(move || {
        let mut output = Vec::new();
        let host = Endless { started, ran: 0 };
        run(host, &[path], BufReader::new(Client(input)), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    });
    let send = |message: Value| client.send(format!("{message}\n")).unwrap();
    let request = |id: Value| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "check", "arguments": {} } });
    let cancel = |id: Value| json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    send(request(json!(1)));
    has_started.recv().unwrap();
    // Another request, of the same text but another type, goes on.
    for id in [json!("1"), json!(2), json!(3)] {
        send(request(id));
    }
    for id in [json!(2), json!(99), json!(null), json!(1)] {
        send(cancel(id));
    }
    // It has an answer already, or is cancelled before: both are fine, and nothing ends.
    send(cancel(json!(1)));
    drop(client);
    let output = server.join().unwrap();
    let ids: Vec<Value> = output
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone())
        .collect();
    assert_eq!(ids, [json!("1"), json!(3)]);
}
