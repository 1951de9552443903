//! The language server, with messages of any kind.

#![allow(clippy::unwrap_used)]

use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use simd_hcl::workspace::Options;
use simd_hcl_server::lsp::{Host, METHODS, run};

/// A program without settings, which notes the paths that are opened.
#[derive(Default)]
struct Plain(Arc<Mutex<Vec<Vec<PathBuf>>>>);

impl Host for Plain {
    fn options(&mut self, paths: &[PathBuf]) -> Result<Options, String> {
        self.0.lock().unwrap().push(paths.to_owned());
        Ok(Options::default())
    }

    fn is_settings(&self, path: &Path) -> bool {
        path.ends_with("simd-hcl.toml")
    }
}

/// The bytes that the server writes.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Adds a message with its header.
fn send(input: &mut Vec<u8>, bytes: impl AsRef<[u8]>) {
    let bytes = bytes.as_ref();
    write!(input, "Content-Length: {}\r\n\r\n", bytes.len()).unwrap();
    input.extend_from_slice(bytes);
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// An input that ends when all requests of it are answered, since the end cancels them.
struct Input {
    bytes: Cursor<Vec<u8>>,
    /// The number of requests.
    requests: usize,
    written: Written,
}

impl Read for Input {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(bytes)?;
        let start = Instant::now();
        while read == 0 && start.elapsed() < Duration::from_secs(120) {
            let text = String::from_utf8_lossy(&self.written.0.lock().unwrap()).into_owned();
            if text.matches("\"jsonrpc\":\"2.0\",\"id\":").count() >= self.requests {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(read)
    }
}

/// The messages of a session that starts in a directory.
fn session_in(root: &Path, messages: &[Vec<u8>]) -> Vec<Value> {
    session_of(Plain::default(), root, messages)
}

fn session_of(host: Plain, root: &Path, messages: &[Vec<u8>]) -> Vec<Value> {
    let mut input = Vec::new();
    let first = request(json!(0), "initialize", json!({ "rootUri": uri(root) }));
    let last = request(json!("last"), "shutdown", json!({}));
    let all = [&first].into_iter().chain(messages).chain([&last]);
    let mut requests = 0;
    for message in all {
        send(&mut input, message);
        requests += usize::from(message.starts_with(b"{\"id\":"));
    }
    session(host, input, requests)
}

/// The messages that the server writes.
fn session(host: Plain, input: Vec<u8>, requests: usize) -> Vec<Value> {
    let written = Written::default();
    let input = Input { bytes: Cursor::new(input), requests, written: written.clone() };
    run(host, BufReader::new(input), written.clone());
    let bytes = written.0.lock().unwrap();
    let mut rest = &bytes[..];
    let mut found = Vec::new();
    while let Some(end) = rest.windows(4).position(|four| four == b"\r\n\r\n") {
        let header = str::from_utf8(&rest[..end]).unwrap();
        let length: usize = header.strip_prefix("Content-Length: ").unwrap().parse().unwrap();
        let (message, after) = rest[end + 4..].split_at(length);
        found.push(serde_json::from_slice(message).unwrap());
        rest = after;
    }
    found
}

fn request(id: Value, method: &str, params: Value) -> Vec<u8> {
    json!({ "id": id, "method": method, "params": params }).to_string().into_bytes()
}

fn notification(method: &str, params: Value) -> Vec<u8> {
    json!({ "method": method, "params": params }).to_string().into_bytes()
}

fn did_open(uri: &str, text: &str) -> Vec<u8> {
    let document = json!({ "uri": uri, "version": 1, "text": text });
    notification("textDocument/didOpen", json!({ "textDocument": document }))
}

fn directory() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("main.tf"), "output \"x\" {\n  value = 1\n}\n").unwrap();
    root
}

#[test]
fn hostile_messages_have_errors_and_end_nothing() {
    let root = directory();
    let deep = |text: &str, end: &str| format!("{}1{}", text.repeat(200_000), end.repeat(200_000));
    let params = |params: &str| {
        format!(r#"{{"id":7,"method":"textDocument/hover","params":{params}}}"#).into_bytes()
    };
    let document = uri(&root.path().join("main.tf"));
    let messages = [
        (b"".to_vec(), Some(-32700)),
        (b"\xff\xfe".to_vec(), Some(-32700)),
        (b"[]".to_vec(), Some(-32700)),
        (br#"{"id":{"a":1},"method":"shutdown"}"#.to_vec(), Some(-32700)),
        (br#"{"id":[[]],"method":"shutdown"}"#.to_vec(), Some(-32700)),
        (br#"{"id":1.5,"method":"shutdown"}"#.to_vec(), Some(-32700)),
        (br#"{"id":7,"method":{}}"#.to_vec(), Some(-32700)),
        (params(&deep("[", "]")), Some(-32602)),
        (params(&deep(r#"{"a":"#, "}")), Some(-32602)),
        (params(r#"{"textDocument":{"uri":1e999}}"#), Some(-32602)),
        (params("[0,0,0]"), Some(-32602)),
        (
            params(
                r#"{"textDocument":{"uri":"https://a/b.tf"},"position":{"line":0,"character":0}}"#,
            ),
            Some(-32602),
        ),
        (
            params(&format!(
                r#"{{"textDocument":{{"uri":"{document}"}},"position":{{"line":-1,"character":0}}}}"#
            )),
            Some(-32602),
        ),
        (
            params(&format!(
                r#"{{"textDocument":{{"uri":"{document}"}},"position":{{"line":4294967295,"character":4294967295}}}}"#
            )),
            None,
        ),
        (br#"{"method":"$/cancelRequest","params":{"id":{"a":[]}}}"#.to_vec(), None),
        (br#"{"id":7,"method":"initialize","params":{}}"#.to_vec(), Some(-32600)),
        (
            notification(
                "textDocument/didOpen",
                json!({ "textDocument": { "uri": document, "text": 1 } }),
            ),
            None,
        ),
    ];
    for (message, code) in messages {
        let start = String::from_utf8_lossy(&message[..message.len().min(90)]).into_owned();
        let found = session_in(root.path(), &[message]);
        let codes: Vec<_> = found.iter().filter_map(|it| it["error"]["code"].as_i64()).collect();
        assert_eq!(codes, code.into_iter().collect::<Vec<_>>(), "{start}");
        assert!(found.iter().any(|it| it["id"] == "last"), "{start}");
    }
}

#[test]
fn wrong_headers_end_the_session() {
    for header in [
        "Content-Length: 99999999999999999999\r\n\r\n{}",
        "Content-Length: 300000000\r\n\r\n{}",
        "Content-Length: -1\r\n\r\n{}",
        "Content-Length: 250000000\r\n\r\n{}",
        "\r\n\r\n",
        "{\"id\":1,\"method\":\"shutdown\"}\n",
    ] {
        assert!(session(Plain::default(), header.as_bytes().to_vec(), 0).is_empty(), "{header}");
    }
    let header = [&b"Content-Length: "[..], &[b'1'; 1 << 20]].concat();
    assert!(session(Plain::default(), header, 0).is_empty());
}

/// Before `initialize`, requests are refused, and notifications have no effect.
#[test]
fn nothing_is_answered_before_the_start() {
    let root = directory();
    let document = uri(&root.path().join("main.tf"));
    let opened = Arc::default();
    let mut input = Vec::new();
    let mut expected = 0;
    for method in METHODS.iter().map(|method| method.name).chain(["shutdown", "no/such"]) {
        send(&mut input, request(json!(1), method, json!({ "textDocument": { "uri": document } })));
        expected += 1;
    }
    send(&mut input, did_open(&document, "x"));
    send(&mut input, notification("initialized", json!({})));
    let added = json!({ "event": { "added": [{ "uri": "file:///", "name": "" }] } });
    send(&mut input, notification("workspace/didChangeWorkspaceFolders", added));
    let found = session(Plain(Arc::clone(&opened)), input, 0);
    assert_eq!(found.len(), expected);
    assert!(found.iter().all(|it| it["error"]["code"] == -32002), "{found:?}");
    assert!(opened.lock().unwrap().is_empty());
}

/// A path that leads out is outside, however it is written. Nothing around such a file is opened but
/// its module, and nothing at all for other files and schemes.
#[test]
fn paths_that_lead_out_are_outside() {
    let directory = tempfile::tempdir().unwrap();
    let (root, other) = (directory.path().join("root"), directory.path().join("other"));
    std::fs::create_dir_all(root.join("in")).unwrap();
    std::fs::create_dir_all(other.join("below")).unwrap();
    std::fs::write(other.join("main.tf"), "locals {\n  other_name = 1\n}\n").unwrap();
    std::fs::write(other.join("below/main.tf"), "locals {\n  below_name = 1\n}\n").unwrap();
    let root_uri = uri(&root);
    let opened = |document: &str| {
        let host = Plain::default();
        let paths = Arc::clone(&host.0);
        let closed = json!({ "textDocument": { "uri": document } });
        let messages = [
            did_open(document, "output \"x\" {\n  value = local.other_name\n}\n"),
            request(json!(1), "workspace/symbol", json!({ "query": "_name" })),
            notification("textDocument/didClose", closed),
            request(json!(2), "workspace/symbol", json!({ "query": "_name" })),
        ];
        let found = session_of(host, &root, &messages);
        let answer = |id: i64| {
            let answer = found.iter().find(|it| it["id"] == id && it.get("method").is_none());
            answer.unwrap().to_string()
        };
        let paths = paths.lock().unwrap().clone();
        (paths, answer(1), answer(2))
    };
    for inside in ["in/new.tf", "in/../in/./new.tf", "in/%2e%2e/new.tf", "../root/new.tf"] {
        let (paths, ..) = opened(&format!("{root_uri}/{inside}"));
        assert_eq!(paths, [[root.clone()]], "{inside}");
    }
    for outside in ["../other/new.tf", "%2E%2e/other/new.tf", "in/../../other/./new.tf"] {
        let (paths, while_open, after) = opened(&format!("{root_uri}/{outside}"));
        let file = other.join("new.tf");
        assert_eq!(paths, [vec![root.clone()], vec![root.clone(), file], vec![root.clone()]]);
        assert!(while_open.contains("other_name"), "{while_open}");
        assert!(!while_open.contains("below_name"), "{while_open}");
        assert!(!after.contains("_name"), "{after}");
    }
    for nothing in [
        format!("{root_uri}/../other/package.json"),
        format!("{root_uri}/../other/new%00.tf"),
        root_uri.replace("file://", "file://host"),
        root_uri.replace("file://", "untitled:") + "/new.tf",
        root_uri.replace("file://", "http://localhost") + "/new.tf",
    ] {
        let (paths, ..) = opened(&nothing);
        assert_eq!(paths, [[root.clone()]], "{nothing}");
    }
}

/// Each request has one answer, also if all of them are cancelled, before and after.
#[test]
fn cancelled_requests_are_answered_once() {
    let root = directory();
    let document = uri(&root.path().join("main.tf"));
    let mut messages = Vec::new();
    for id in 0..600 {
        let cancel = || notification("$/cancelRequest", json!({ "id": id }));
        let params = json!({ "textDocument": { "uri": document }, "position": { "line": 1, "character": 4 } });
        messages.push(cancel());
        messages.push(request(json!(id), "textDocument/hover", params));
        messages.push(cancel());
    }
    let found = session_in(root.path(), &messages);
    for id in 1..600 {
        assert_eq!(found.iter().filter(|it| it["id"] == id).count(), 1, "{id}");
    }
}

/// Many open files are given to the workspace together, and a message with many changes is not that
/// many texts.
#[test]
fn many_files_and_changes_are_taken_together() {
    let root = directory();
    let start = Instant::now();
    let new = |at: usize| uri(&root.path().join(format!("m{at}/main.tf")));
    let mut messages: Vec<_> = (0..400).map(|at| did_open(&new(at), "locals {}\n")).collect();
    let long = uri(&root.path().join("main.tf"));
    messages.push(did_open(&long, &"# a line\n".repeat(100_000)));
    let change = |at: usize| {
        let place = json!({ "line": at * 7919 % 100_000, "character": 2 });
        json!({ "range": { "start": place, "end": place }, "text": "x" })
    };
    let changes: Vec<_> = (0..2_000).map(change).collect();
    let params =
        json!({ "textDocument": { "uri": long, "version": 2 }, "contentChanges": changes });
    messages.push(notification("textDocument/didChange", params));
    let found = session_in(root.path(), &messages);
    assert!(found.iter().any(|it| it["id"] == "last"));
    let took = start.elapsed();
    assert!(took < Duration::from_secs(100), "{took:?}");
}

/// A client that reads nothing: the server stops reading its messages, too.
#[test]
fn who_reads_nothing_waits() {
    /// Repeats a request, and counts its repetitions.
    struct Endless {
        first: Cursor<Vec<u8>>,
        again: Cursor<Vec<u8>>,
        count: Arc<Mutex<usize>>,
    }
    impl Read for Endless {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let read = self.first.read(bytes)?;
            if read > 0 {
                return Ok(read);
            }
            if self.again.position() == self.again.get_ref().len() as u64 {
                self.again.set_position(0);
                *self.count.lock().unwrap() += 1;
            }
            self.again.read(bytes)
        }
    }
    /// Blocks in the first write, until the other side is dropped.
    struct Blocked(Receiver<()>);
    impl Write for Blocked {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let root = tempfile::tempdir().unwrap();
    let text = "output \"x\" {\nvalue=1\n}\n".repeat(20_000);
    std::fs::write(root.path().join("main.tf"), text).unwrap();
    let (mut first, mut again) = (Vec::new(), Vec::new());
    let start =
        json!({ "id": 0, "method": "initialize", "params": { "rootUri": uri(root.path()) } });
    send(&mut first, start.to_string());
    let params = json!({ "textDocument": { "uri": uri(&root.path().join("main.tf")) } });
    send(&mut again, request(json!(1), "textDocument/formatting", params));
    let count = Arc::default();
    let input =
        Endless { first: Cursor::new(first), again: Cursor::new(again), count: Arc::clone(&count) };
    let (keep, blocked): (Sender<()>, _) = channel();
    std::thread::spawn(move || run(Plain::default(), BufReader::new(input), Blocked(blocked)));
    let mut before = usize::MAX;
    let start = Instant::now();
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let now = *count.lock().unwrap();
        if now == before && now > 0 {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(300), "{now} requests are read");
        before = now;
    }
    assert!(*count.lock().unwrap() < 20_000);
    drop(keep);
}
