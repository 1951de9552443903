//! The language server, as a client sees it.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use serde_json::{Value, json};
use simd_hcl::directory::ModuleFiles;
use simd_hcl::workspace::{Judge, Options};
use simd_hcl::{Diagnostic, Source};
use simd_hcl_server::lsp::{self, Host, METHODS};

/// A program whose settings only name `env/prod.tfvars` of each module.
struct Plain;

impl Host for Plain {
    fn options(&mut self, _: &[PathBuf]) -> Result<Options, String> {
        Ok(Options::default().with_judge(Arc::new(Plain)))
    }

    fn is_settings(&self, _: &Path) -> bool {
        false
    }
}

impl Judge for Plain {
    fn values(&self, files: &ModuleFiles) -> Result<Vec<PathBuf>, String> {
        let directory = files.directory();
        let near = ["env/prod.tfvars", "../common.tfvars"];
        let files = directory.disk().into_iter().flat_map(|it| near.map(|near| it.join(near)));
        Ok(files.filter(|file| file.exists()).collect())
    }

    fn set_elsewhere(
        &self,
        files: &ModuleFiles,
        variable: &str,
    ) -> Result<Option<(PathBuf, String)>, String> {
        let file = files.directory().disk().map(|it| it.join("settings.toml"));
        let text = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
        let is_set = text.is_some_and(|text| text.contains(variable));
        Ok(file.filter(|_| is_set).map(|file| (file, "it sets the variable".to_owned())))
    }

    fn judge<'a>(&self, _: &[Source<'a>], found: Vec<Diagnostic<'a>>) -> Vec<Diagnostic<'a>> {
        found
    }
}

/// A client, and the server that it talks to.
struct Client {
    input: BufReader<PipeReader>,
    output: Option<PipeWriter>,
    server: Option<JoinHandle<bool>>,
    root: tempfile::TempDir,
    next: i64,
    /// Notifications and requests of the server that nobody has looked at.
    seen: Vec<Value>,
}

impl Client {
    /// Starts a server for these files, and initializes it.
    fn new(files: &[(&str, &str)], capabilities: Value) -> (Self, Value) {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let (to_server, output) = pipe().unwrap();
        let (input, from_server) = pipe().unwrap();
        let run = move || lsp::run(Plain, BufReader::new(to_server), from_server);
        let server = std::thread::spawn(run);
        let mut client = Self {
            input: BufReader::new(input),
            output: Some(output),
            server: Some(server),
            root,
            next: 0,
            seen: Vec::new(),
        };
        let folder = client.uri("");
        let params = json!({
            "capabilities": capabilities,
            "workspaceFolders": [{ "uri": folder, "name": "root" }],
        });
        let result = client.request("initialize", params);
        client.notify("initialized", json!({}));
        (client, result)
    }

    fn uri(&self, path: &str) -> String {
        let path = self.root.path().join(path);
        format!("file://{}", path.to_str().unwrap().trim_end_matches('/'))
    }

    fn send(&mut self, message: &Value) {
        self.send_bytes(message.to_string().as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let output = self.output.as_mut().unwrap();
        write!(output, "Content-Length: {}\r\n\r\n", bytes.len()).unwrap();
        output.write_all(bytes).unwrap();
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.input.read_line(&mut line).unwrap() > 0, "the server has gone");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(text) => length = text.parse().unwrap(),
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.input.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Sends a request, and returns the whole answer.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.seen.push(message);
        }
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    fn open(&mut self, path: &str, text: &str) {
        let document = json!({
            "uri": self.uri(path), "languageId": "hcl", "version": 1, "text": text,
        });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, path: &str, version: i64, changes: Value) {
        let document = json!({ "uri": self.uri(path), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    /// Waits until the server has done everything that was sent, and returns the latest diagnostics
    /// that it has published for a file: their codes.
    fn published(&mut self, path: &str) -> Option<Vec<String>> {
        self.ask("textDocument/formatting", json!({ "textDocument": { "uri": self.uri(path) } }));
        let uri = self.uri(path);
        let of_file = |message: &&Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
        };
        let last = self.seen.iter().rev().find(of_file)?;
        let diagnostics = last["params"]["diagnostics"].as_array().unwrap();
        Some(diagnostics.iter().map(|it| it["code"].as_str().unwrap().to_owned()).collect())
    }

    /// Ends the server, and returns whether it ended in order.
    fn end(mut self) -> bool {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap()
    }
}

fn position(line: u32, character: u32) -> Value {
    json!({ "line": line, "character": character })
}

fn range(from: (u32, u32), to: (u32, u32)) -> Value {
    json!({ "start": position(from.0, from.1), "end": position(to.0, to.1) })
}

const APP: (&str, &str) =
    ("app/main.tf", "module \"net\" {\n  source = \"../net\"\n  size   = 1\n}\n");
const NET: (&str, &str) = ("net/main.tf", "variable \"size\" {\n  type = number\n}\n");

#[test]
fn what_is_announced_is_answered() {
    let (client, result) = Client::new(&[], json!({}));
    let announced: BTreeSet<&str> = result["capabilities"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .filter(|name| name.ends_with("Provider"))
        .collect();
    let answered: BTreeSet<&str> = METHODS.iter().map(|method| method.capability).collect();
    assert_eq!(announced, answered);
    let names: BTreeSet<&str> = METHODS.iter().map(|method| method.name).collect();
    assert_eq!(names.len(), METHODS.len());
    assert_eq!(result["serverInfo"]["name"], "simd-hcl");
    assert!(client.end());
}

#[test]
fn callers_have_new_diagnostics_without_being_touched() {
    let (mut client, _) = Client::new(&[APP, NET], json!({}));
    client.open(APP.0, APP.1);
    assert_eq!(client.published(APP.0), None);
    client.open(NET.0, NET.1);
    let changes = json!([{ "range": range((0, 10), (0, 14)), "text": "length" }]);
    client.change(NET.0, 2, changes);
    let expected = ["missing-module-argument", "undeclared-argument"].map(str::to_owned);
    assert_eq!(client.published(APP.0), Some(expected.to_vec()));
    let changes = json!([{ "range": range((0, 10), (0, 16)), "text": "size" }]);
    client.change(NET.0, 3, changes);
    assert_eq!(client.published(APP.0), Some(Vec::new()));
    // A file that is closed without being saved counts as it is on disk.
    client.change(NET.0, 4, json!([{ "text": "" }]));
    assert_eq!(client.published(APP.0), Some(vec!["undeclared-argument".to_owned()]));
    let uri = client.uri(NET.0);
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(client.published(APP.0), Some(Vec::new()));
    assert!(client.end());
}

#[test]
fn clients_may_ask_for_diagnostics() {
    let capabilities = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    let (mut client, _) = Client::new(&[APP, NET], capabilities);
    client.open(NET.0, "variable \"length\" {}\n");
    let app = client.uri(APP.0);
    let ask = json!({ "textDocument": { "uri": app } });
    let report = client.request("textDocument/diagnostic", ask);
    assert_eq!((&report["kind"], report["items"].as_array().unwrap().len()), (&json!("full"), 2));
    let id = &report["resultId"];
    let again = json!({ "textDocument": { "uri": app }, "previousResultId": id });
    assert_eq!(client.request("textDocument/diagnostic", again)["kind"], "unchanged");

    let all = client.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let items = all["items"].as_array().unwrap();
    assert_eq!(
        items.iter().map(|it| &it["uri"]).collect::<Vec<_>>(),
        [&json!(app), &json!(client.uri(NET.0))]
    );
    // Nothing is published, and the client is asked to ask again.
    let methods: BTreeSet<&str> =
        client.seen.iter().filter_map(|message| message["method"].as_str()).collect();
    assert_eq!(methods, BTreeSet::from(["workspace/diagnostic/refresh"]));
    assert!(client.end());
}

#[test]
fn findings_have_edits() {
    let text = "locals {\n  a = \"\u{1F600}${var.b}\"\n  c = lookup(local.m, \"k\")\n}\n";
    let (mut client, result) = Client::new(&[("main.tf", text)], json!({}));
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
    client.open("main.tf", text);
    let uri = client.uri("main.tf");
    let params = json!({
        "textDocument": { "uri": uri }, "range": range((2, 6), (2, 6)), "context": { "diagnostics": [] },
    });
    let actions = client.request("textDocument/codeAction", params);
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    assert_eq!(edit["range"], range((2, 6), (2, 26)), "{actions}");
    assert_eq!(edit["newText"], "local.m[\"k\"]");
    assert_eq!(actions[0]["diagnostics"][0]["code"], "deprecated-lookup");
    let params = json!({
        "textDocument": { "uri": uri }, "range": range((0, 0), (0, 0)),
        "context": { "diagnostics": [], "only": ["source.fixAll"] },
    });
    let actions = client.request("textDocument/codeAction", params);
    assert_eq!(actions[0]["kind"], "source.fixAll.simd-hcl");
    assert!(client.end());
}

/// Messages and titles of edits quote nothing of values that must not be shown.
#[test]
fn findings_of_hidden_values_quote_nothing() {
    let text = "output \"o\" {\n  sensitive = true\n  value     = [lookup(local.m, \"Tr0ub4dor\"), cidrhost(\"Tr0ub4dor\", 1)]\n}\n\
                locals {\n  m = {}\n}\n";
    let (mut client, _) = Client::new(&[("main.tf", text)], json!({}));
    client.open("main.tf", text);
    let uri = client.uri("main.tf");
    let params = json!({
        "textDocument": { "uri": uri }, "range": range((2, 0), (2, 60)), "context": { "diagnostics": [] },
    });
    let actions = client.request("textDocument/codeAction", params);
    let titles: Vec<&str> =
        actions.as_array().unwrap().iter().filter_map(|it| it["title"].as_str()).collect();
    assert!(titles.contains(&"Repair this hidden value"), "{actions}");
    let is_secret = |message: &&Value| {
        let said = [&message["params"]["diagnostics"], &message["method"]].map(Value::to_string);
        said.iter().any(|it| it.contains("Tr0ub4dor"))
    };
    assert_eq!(client.seen.iter().find(is_secret), None);
    assert!(titles.iter().all(|title| !title.contains("Tr0ub4dor")), "{actions}");
    assert!(client.end());
}

#[test]
fn positions_are_in_the_units_that_the_client_knows() {
    let text = "output \"a\" {\n  value = \"\u{1F600}\u{e9}${var.b}\"\n}\n";
    for (offered, chosen, start) in [
        (json!(["utf-16", "utf-8"]), "utf-8", 19),
        (json!(["utf-32", "utf-16"]), "utf-32", 15),
        (json!(["utf-16"]), "utf-16", 16),
    ] {
        let capabilities = json!({ "general": { "positionEncodings": offered } });
        let (mut client, result) = Client::new(&[("main.tf", text)], capabilities);
        assert_eq!(result["capabilities"]["positionEncoding"], chosen);
        assert_eq!(client.published("main.tf"), Some(vec!["undeclared-reference".to_owned()]));
        let published = client.seen.iter().find_map(|it| it.pointer("/params/diagnostics/0/range"));
        assert_eq!(published.unwrap()["start"], position(1, start));
        assert!(client.end());
    }
}

/// A text after edits, which are from the end to the start.
fn edited(text: &str, edits: &Value) -> String {
    let offset = |position: &Value| {
        let line = position["line"].as_u64().unwrap() as usize;
        let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        before + position["character"].as_u64().unwrap() as usize
    };
    let mut new = text.to_owned();
    for edit in edits.as_array().unwrap().iter().rev() {
        let (start, end) = (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]));
        new.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    new
}

#[test]
fn files_and_parts_of_them_are_formatted() {
    let text = "locals {\na=1\nlong = 2\n}\n\n\nvariable \"x\" {\ntype=number\n}\n";
    let (mut client, _) = Client::new(&[("main.tf", text)], json!({}));
    client.open("main.tf", text);
    let uri = client.uri("main.tf");
    let whole =
        client.request("textDocument/formatting", json!({ "textDocument": { "uri": uri } }));
    let expected =
        "locals {\n  a    = 1\n  long = 2\n}\n\n\nvariable \"x\" {\n  type = number\n}\n";
    assert_eq!(edited(text, &whole), expected);
    let params = json!({ "textDocument": { "uri": uri }, "range": range((7, 0), (7, 3)) });
    let part = client.request("textDocument/rangeFormatting", params);
    let expected = "locals {\na=1\nlong = 2\n}\n\n\nvariable \"x\" {\n  type = number\n}\n";
    assert_eq!(edited(text, &part), expected);
    let typed = |client: &mut Client, line: u32, character: u32, ch: &str| {
        let params = json!({ "textDocument": { "uri": uri }, "position": position(line, character), "ch": ch });
        client.request("textDocument/onTypeFormatting", params)
    };
    // The end of a block lays it out, and no other.
    let laid_out = typed(&mut client, 8, 1, "}");
    assert_eq!(edited(text, &laid_out), expected);
    // After a line feed, the line of the cursor stays: its indentation is from the editor.
    let text = "locals {\na=1\nlong=2\n  \n}\nb=1\n";
    client.change("main.tf", 2, json!([{ "text": text }]));
    let laid_out = typed(&mut client, 3, 2, "\n");
    let expected = "locals {\n  a    = 1\n  long = 2\n  \n}\nb = 1\n";
    assert_eq!(edited(text, &laid_out), expected);
    for place in [(0, 0), (5, 3), (6, 0), (99, 99)] {
        typed(&mut client, place.0, place.1, "\n");
    }
    // A file with an error stays as it is.
    client.change("main.tf", 3, json!([{ "text": "a = {\n" }]));
    let params = json!({ "textDocument": { "uri": uri } });
    assert_eq!(client.request("textDocument/formatting", params), Value::Null);
    assert!(client.end());
}

#[test]
fn wrong_messages_have_errors_and_end_nothing() {
    let (mut client, _) = Client::new(&[NET], json!({}));
    client.send_bytes(b"{");
    let code = |answer: &Value| answer["error"]["code"].as_i64().unwrap();
    assert_eq!(code(&client.ask("textDocument/noSuchThing", json!({}))), -32601);
    let broken = client.seen.iter().any(|it| it["error"]["code"] == -32700);
    assert!(broken, "{:?}", client.seen);
    assert_eq!(code(&client.ask("textDocument/formatting", json!({ "textDocument": 1 }))), -32602);
    assert_eq!(code(&client.ask("initialize", json!({}))), -32600);
    let other = json!({ "textDocument": { "uri": "untitled:x" } });
    assert_eq!(code(&client.ask("textDocument/formatting", other)), -32602);
    client.notify("textDocument/didChange", json!({ "nonsense": true }));
    client.change("not/open.tf", 7, json!([{ "text": "x" }]));
    client.notify("$/unknown", Value::Null);
    client.request("shutdown", Value::Null);
    assert_eq!(code(&client.ask("textDocument/formatting", json!({}))), -32600);
    client.notify("exit", Value::Null);
    assert!(client.server.take().unwrap().join().unwrap());
}

#[test]
fn the_end_of_the_input_ends_the_server() {
    let (mut client, _) = Client::new(&[NET], json!({}));
    client.output = None;
    assert!(!client.server.take().unwrap().join().unwrap());
}

#[test]
fn a_session_typed_letter_by_letter() {
    let text = "module \"net\" {\n  source = \"../net\"\n  size   = [<<EOT\n${1}\nEOT\n  ]\n}\n";
    let json = "{\"module\": {\"net\": {\"source\": \"../net\", \"size\": \"${[1]}\"}}}\n";
    let (mut client, _) = Client::new(&[NET], json!({}));
    for (path, text) in [("app/main.tf", text), ("app/more.tf.json", json)] {
        client.open(path, "");
        for (version, (at, _)) in text.char_indices().enumerate() {
            client.change(path, version as i64 + 2, json!([{ "text": &text[..=at] }]));
            let uri = client.uri(path);
            let params = json!({ "textDocument": { "uri": uri } });
            client.ask("textDocument/formatting", params.clone());
            client.request("textDocument/diagnostic", params);
        }
    }
    assert!(client.end());
}

/// Three modules that call one another, in a syntax.
type Modules = [(&'static str, &'static str); 3];

const NATIVE: Modules = [
    (
        "app/main.tf",
        "variable \"size\" {\n  default = 3\n}\nmodule \"net\" {\n  source = \"../net\"\n  size   = var.size\n}\noutput \"id\" {\n  value = module.net.id\n}\n",
    ),
    (
        "net/main.tf",
        "variable \"size\" {\n  type = number\n}\nmodule \"leaf\" {\n  source = \"../leaf\"\n  size   = var.size\n}\noutput \"id\" {\n  value = module.leaf.id\n}\n",
    ),
    (
        "leaf/main.tf",
        "variable \"size\" {\n  type = number\n}\noutput \"id\" {\n  value = max(var.size, 1)\n}\n",
    ),
];

const JSON: Modules = [
    (
        "app/main.tf.json",
        r#"{"variable": {"size": {"default": 3}}, "module": {"net": {"source": "../net", "size": "${var.size}"}}, "output": {"id": {"value": "${module.net.id}"}}}"#,
    ),
    (
        "net/main.tf.json",
        r#"{"variable": {"size": {"type": "number"}}, "module": {"leaf": {"source": "../leaf", "size": "${var.size}"}}, "output": {"id": {"value": "${module.leaf.id}"}}}"#,
    ),
    (
        "leaf/main.tf.json",
        r#"{"variable": {"size": {"type": "number"}}, "output": {"id": {"value": "${max(var.size, 1)}"}}}"#,
    ),
];

/// The parameters of a request about the place of a part of a text in a file.
fn at(client: &Client, file: (&str, &str), around: &str, part: &str) -> Value {
    let (name, text) = file;
    let offset = text.find(around).unwrap() + around.find(part).unwrap();
    let line = text[..offset].matches('\n').count();
    let character = offset - text[..offset].rfind('\n').map_or(0, |at| at + 1);
    json!({
        "textDocument": { "uri": client.uri(name) },
        "position": { "line": line, "character": character },
    })
}

#[test]
fn renames_reach_files_that_belong_to_no_module() {
    let net = ("net/main.tf", "variable \"cidr\" {}\noutput \"id\" {\n  value = var.cidr\n}\n");
    let values = ("net/env/prod.tfvars", "cidr = \"10.0.0.0/8\"\n");
    let unit = (
        "live/a/terragrunt.hcl",
        "terraform {\n  source = \"../../net\"\n}\ninputs = {\n  cidr = \"x\"\n}\n",
    );
    let user = (
        "live/b/terragrunt.hcl",
        "dependency \"net\" {\n  config_path = \"../a\"\n}\ninputs = {\n  id = \
         dependency.net.outputs.id\n}\n",
    );
    let (mut client, _) = Client::new(&[net, values, unit, user], json!({}));
    client.open(net.0, net.1);
    // The text of an open file counts.
    let open = unit.1.replace("inputs", "\ninputs");
    client.open(unit.0, &open);
    for (text, part, changed) in
        [("var.cidr", "cidr", vec![net, unit, values]), ("output \"id\"", "id", vec![net, user])]
    {
        let mut asked = at(&client, net, text, part);
        asked["newName"] = json!("renamed");
        let found = client.request("textDocument/rename", asked);
        let changes = found["changes"].as_object().unwrap();
        let expected: BTreeSet<String> = changed.iter().map(|file| client.uri(file.0)).collect();
        assert_eq!(changes.keys().cloned().collect::<BTreeSet<_>>(), expected, "{text}");
    }
    let mut asked = at(&client, net, "var.cidr", "cidr");
    asked["newName"] = json!("renamed");
    let found = client.request("textDocument/rename", asked);
    let edit = &found["changes"][client.uri(unit.0)][0];
    assert_eq!(edit["range"]["start"], json!({ "line": 5, "character": 2 }));
}

#[test]
fn renames_say_what_they_leave() {
    let net = ("net/main.tf", "# About cidr.\nvariable \"cidr\" {}\n");
    let (mut client, _) = Client::new(&[net], json!({}));
    client.open(net.0, net.1);
    let mut asked = at(&client, net, "\"cidr\"", "cidr");
    asked["newName"] = json!("renamed");
    client.request("textDocument/rename", asked.clone());
    let said = |client: &Client| {
        let of = |it: &&Value| it["method"] == "window/showMessage";
        let found = client.seen.iter().find(of);
        found.map(|it| it["params"]["message"].as_str().unwrap().to_owned())
    };
    let message = said(&client).unwrap();
    assert!(message.ends_with("net/main.tf:1:9: a comment"), "{message}");
    // Nothing is left, so nothing is said.
    client.seen.clear();
    let changes = json!([{ "text": "variable \"cidr\" {}\n" }]);
    client.change(net.0, 2, changes);
    asked["position"] = position(0, 11);
    client.request("textDocument/rename", asked);
    assert_eq!(said(&client), None);
}

#[test]
fn renames_say_which_units_would_fail() {
    let unit = |path: &str| {
        format!(
            "include \"root\" {{\n  path = \"../root.hcl\"\n}}\ndependency \"x\" {{\n  config_path = \"{path}\"\n}}\n"
        )
    };
    let units = [unit("../a"), unit("../b")];
    // Of units with outputs of different modules.
    let root =
        "terraform {\n  source = \"../other\"\n}\ninputs = {\n  q = dependency.x.outputs.id\n}\n";
    let net = ("net/main.tf", "output \"id\" {\n  value = 1\n}\n");
    let files = [
        net,
        ("other/main.tf", "variable \"q\" {}\n"),
        ("a/terragrunt.hcl", "terraform {\n  source = \"../net\"\n}\n"),
        ("far/main.tf", net.1),
        ("b/terragrunt.hcl", "terraform {\n  source = \"../far\"\n}\n"),
        ("root.hcl", root),
        ("u/terragrunt.hcl", &units[0]),
        ("v/terragrunt.hcl", &units[1]),
    ];
    let (mut client, _) = Client::new(&files, json!({}));
    client.open(net.0, net.1);
    let mut asked = at(&client, net, "\"id\"", "id");
    asked["newName"] = json!("ident");
    client.request("textDocument/rename", asked);
    let shown = client.seen.iter().find(|it| it["method"] == "window/showMessage").unwrap();
    let message = shown["params"]["message"].as_str().unwrap();
    assert!(message.contains("/root.hcl: the check"), "{message}");
}

#[test]
fn values_elsewhere_hinder_a_rename_or_are_said() {
    let a = ("a/main.tf", "variable \"size\" {}\n");
    let b = ("b/main.tf", "variable \"size\" {}\nvariable \"own\" {}\n");
    let files = [a, b, ("common.tfvars", "size = 1\nown = 1\n"), ("b/settings.toml", "own = 2\n")];
    let (mut client, _) = Client::new(&files, json!({}));
    client.open(a.0, a.1);
    client.open(b.0, b.1);
    let mut asked = at(&client, a, "\"size\"", "size");
    asked["newName"] = json!("length");
    let answer = client.ask("textDocument/rename", asked);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("common.tfvars also sets size of "), "{message}");
    let mut asked = at(&client, b, "\"own\"", "own");
    asked["newName"] = json!("mine");
    let found = client.request("textDocument/rename", asked);
    assert_eq!(found["changes"].as_object().unwrap().len(), 2);
    let shown = client.seen.iter().find(|it| it["method"] == "window/showMessage").unwrap();
    let message = shown["params"]["message"].as_str().unwrap();
    assert!(message.contains("b/settings.toml: it sets the variable"), "{message}");
}

#[test]
fn renames_that_add_an_error_are_refused() {
    let net = ("net/main.tf", "output \"id\" {\n  value = 1\n}\n");
    let app = "module \"net\" {\n  source = \"../net\"\n}\nlocals {\n  net = module.net\n}\noutput \"o\" {\n  value = local.net.id\n}\n";
    let (mut client, _) = Client::new(&[net, ("app/main.tf", app)], json!({}));
    client.open(net.0, net.1);
    let mut asked = at(&client, net, "\"id\"", "id");
    asked["newName"] = json!("ident");
    let answer = client.ask("textDocument/rename", asked);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("there would be a new error: "), "{message}");
    assert!(message.contains("app/main.tf"), "{message}");
}

#[test]
fn places_have_answers_in_all_modules() {
    for modules in [NATIVE, JSON] {
        let [app, net, leaf] = modules;
        let (mut client, _) = Client::new(&modules, json!({}));
        modules.iter().for_each(|(name, text)| client.open(name, text));
        let uris = |found: &Value| -> Vec<String> {
            let found = found.as_array().unwrap().iter();
            found.map(|it| it["uri"].as_str().unwrap().to_owned()).collect()
        };
        let here = |client: &Client, file: (&str, &str)| json!({ "textDocument": { "uri": client.uri(file.0) } });

        let id = at(&client, app, "module.net.id", "id");
        let size = at(&client, leaf, "var.size", "size");
        let found = client.request("textDocument/definition", id.clone());
        assert_eq!(uris(&found), [client.uri(net.0)]);
        let mut asked = size.clone();
        asked["context"] = json!({ "includeDeclaration": true });
        let found = client.request("textDocument/references", asked);
        let (in_leaf, in_net) = (client.uri(leaf.0), client.uri(net.0));
        assert_eq!(uris(&found), [in_leaf.clone(), in_leaf.clone(), in_net.clone()]);
        let found = client.request("textDocument/documentHighlight", size.clone());
        assert_eq!(found.as_array().unwrap().len(), 2);
        let found = client.request("textDocument/prepareRename", size.clone());
        assert_eq!(found["placeholder"], "size");
        let mut asked = size.clone();
        asked["newName"] = json!("length");
        let found = client.request("textDocument/rename", asked);
        let changes = found["changes"].as_object().unwrap();
        assert_eq!(changes.keys().collect::<BTreeSet<_>>(), BTreeSet::from([&in_leaf, &in_net]));

        let found = client.request("textDocument/hover", size.clone());
        let text = found["contents"]["value"].as_str().unwrap();
        assert!(text.contains("var.size") && text.contains("\n3\n"), "{text}");
        let found = client.request("textDocument/signatureHelp", size.clone());
        assert!(found["signatures"][0]["label"].as_str().unwrap().starts_with("max("));
        let found = client.request("textDocument/completion", id.clone());
        let labels = found["items"].as_array().unwrap().iter().map(|it| &it["label"]);
        assert_eq!(labels.collect::<Vec<_>>(), ["id"]);

        let found = client.request("textDocument/documentSymbol", here(&client, app));
        let names = found.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap());
        let names: BTreeSet<&str> = names.collect();
        assert_eq!(names, BTreeSet::from(["module.net", "output.id", "var.size"]));
        let found = client.request("workspace/symbol", json!({ "query": "output.id" }));
        assert_eq!(found.as_array().unwrap().len(), 3);
        let found = client.request("textDocument/semanticTokens/full", here(&client, app));
        let data = found["data"].as_array().unwrap();
        assert!(!data.is_empty() && data.len() % 5 == 0);
        let found = client.request("textDocument/foldingRange", here(&client, app));
        assert_eq!(found.as_array().unwrap().is_empty(), app.0.ends_with(".json"));
        let asked =
            json!({ "textDocument": size["textDocument"], "positions": [size["position"]] });
        let found = client.request("textDocument/selectionRange", asked);
        assert!(found[0]["parent"]["parent"].is_object());
        let found = client.request("textDocument/documentLink", here(&client, app));
        assert_eq!(found[0]["target"], in_net);
        let mut asked = here(&client, leaf);
        asked["range"] = range((0, 0), (99, 0));
        let found = client.request("textDocument/inlayHint", asked);
        assert!(found.as_array().unwrap().iter().all(|it| it["label"] == "= 3"), "{found}");
        let found = client.request("textDocument/codeLens", here(&client, leaf));
        assert_eq!(found[0]["command"]["title"], "2 references, 1 root module");

        let start = json!({ "textDocument": { "uri": in_net }, "position": range((0, 0), (0, 0))["start"] });
        let found = client.request("textDocument/prepareCallHierarchy", start);
        let item = json!({ "item": found[0] });
        let found = client.request("callHierarchy/incomingCalls", item.clone());
        assert_eq!(found[0]["from"]["uri"], client.uri(app.0));
        let found = client.request("callHierarchy/outgoingCalls", item);
        assert_eq!(found[0]["to"]["uri"], in_leaf);
        assert!(client.end());
    }
}

const UNITS: [(&str, &str); 5] = [
    (
        "modules/app/main.tf",
        "variable \"size\" {\n  type        = number\n  description = \"The size.\"\n}\noutput \"url\" {\n  value = var.size\n}\n",
    ),
    (
        "modules/net/main.tf",
        "variable \"cidr\" {\n  type    = string\n  default = \"\"\n}\noutput \"id\" {\n  description = \"The network.\"\n  value       = var.cidr\n}\n",
    ),
    ("live/root.hcl", "locals {\n  region = \"eu\"\n}\ninputs = {}\n"),
    (
        "live/app/terragrunt.hcl",
        r#"include "root" {
  path   = find_in_parent_folders("root.hcl")
  expose = true
}
locals {
  count = 1
}
terraform {
  source = "../../modules/app"
}
dependency "net" {
  config_path = "../net"
}
inputs = {
  size = local.count
  id   = dependency.net.outputs.id
  zone = include.root.locals.region
}
"#,
    ),
    ("live/net/terragrunt.hcl", "terraform {\n  source = \"../../modules/net\"\n}\n"),
];

const APP_UNIT: (&str, &str) = UNITS[3];

/// The targets of locations: the file, and the line.
fn targets(client: &Client, found: &Value) -> Vec<(String, u64)> {
    let root = client.uri("");
    let of = |it: &Value| {
        let uri = it["uri"].as_str().unwrap().strip_prefix(&root).unwrap().to_owned();
        (uri, it["range"]["start"]["line"].as_u64().unwrap())
    };
    found.as_array().unwrap().iter().map(of).collect()
}

#[test]
fn units_have_findings_that_follow_edits() {
    let (mut client, _) = Client::new(&UNITS, json!({}));
    let wrong = APP_UNIT.1;
    client.open(APP_UNIT.0, wrong);
    let input = || Some(vec!["unit-input".to_owned(); 2]);
    assert_eq!(client.published(APP_UNIT.0), input());
    // The text of the editor counts, and that of modules, too.
    client.change(APP_UNIT.0, 2, json!([{ "text": wrong.replace("  zone", "  # zone") }]));
    assert_eq!(client.published(APP_UNIT.0).map(|it| it.len()), Some(1));
    let module = format!("{}variable \"id\" {{}}\n", UNITS[0].1);
    client.open(UNITS[0].0, &module);
    assert_eq!(client.published(APP_UNIT.0), Some(Vec::new()));
    client.open(UNITS[1].0, "output \"other\" {\n  value = 1\n}\n");
    assert_eq!(client.published(APP_UNIT.0), Some(vec!["unit-output".to_owned()]));
    // A file that the unit includes.
    client.open(UNITS[2].0, "locals {\n");
    assert_eq!(client.published(UNITS[2].0).map(|it| it.is_empty()), Some(false));
    client.change(UNITS[2].0, 2, json!([{ "text": UNITS[2].1 }]));
    assert_eq!(client.published(UNITS[2].0), Some(Vec::new()));
    // The texts on disk count again.
    for (path, _) in [UNITS[0], UNITS[1], APP_UNIT] {
        let uri = client.uri(path);
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    assert_eq!(client.published(APP_UNIT.0), input());
    assert!(client.end());
}

#[test]
fn names_of_files_that_units_generate_are_no_findings() {
    let main = (
        "app/main.tf",
        "resource \"aws_vpc\" \"a\" {\n  provider = aws.west\n  cidr     = var.made\n}\n",
    );
    let unit = "generate \"more\" {\n  path      = \"more.tf\"\n  if_exists = \"overwrite\"\n  contents  = \"variable \\\"made\\\" {}\\nprovider \\\"aws\\\" {\\n  alias = \\\"west\\\"\\n}\\n\"\n}\n";
    let (mut client, _) = Client::new(&[main, ("app/terragrunt.hcl", unit)], json!({}));
    client.open(main.0, main.1);
    assert_eq!(client.published(main.0), None);
    client.open("app/terragrunt.hcl", &unit.replace("made", "other"));
    assert_eq!(client.published(main.0), Some(vec!["undeclared-reference".to_owned()]));
    client.change("app/terragrunt.hcl", 2, json!([{ "text": unit }]));
    assert_eq!(client.published(main.0), Some(Vec::new()));
    assert!(client.end());
}

/// Configuration in the folder of a unit is a part of a module elsewhere.
#[test]
fn files_beside_units() {
    let unit = "terraform {\n  source = \"../modules/app\"\n}\n";
    let extra = "output \"x\" {\n  value = \"${var.a}-${local.c}\"\n}\n";
    let module = "variable \"a\" {}\nlocals {\n  c = 1\n  d = 2\n}\n";
    let files =
        [("app/terragrunt.hcl", unit), ("app/extra.tf", extra), ("modules/app/main.tf", module)];
    let (mut client, _) = Client::new(&files, json!({}));
    client.open("app/extra.tf", extra);
    assert_eq!(client.published("app/extra.tf"), None);
    client.open("modules/app/main.tf", module);
    // Only `local.d`.
    let found = Some(vec!["unused-declaration".to_owned()]);
    assert_eq!(client.published("modules/app/main.tf"), found);
    assert!(client.end());
}

#[test]
fn places_in_units_have_answers() {
    let (mut client, _) = Client::new(&UNITS, json!({}));
    let place = |client: &Client, around, part| at(client, APP_UNIT, around, part);
    let app = || ("/modules/app/main.tf".to_owned(), 0);
    let output = || ("/modules/net/main.tf".to_owned(), 4);
    let unit = |line| ("/live/app/terragrunt.hcl".to_owned(), line);
    for (around, part, expected) in [
        ("size = ", "size", app()),
        ("outputs.id", "id", output()),
        ("local.count", "count", unit(5)),
        ("dependency.net", "net", unit(10)),
        ("include.root", "root", unit(0)),
        ("locals.region", "region", ("/live/root.hcl".to_owned(), 1)),
        ("../net", "net", ("/live/net/terragrunt.hcl".to_owned(), 0)),
        ("../../modules/app", "app", app()),
        ("\"root.hcl\"", "root", ("/live/root.hcl".to_owned(), 0)),
    ] {
        let found = client.request("textDocument/definition", place(&client, around, part));
        assert_eq!(targets(&client, &found), [expected], "{around}");
    }
    for (around, part, expected) in [
        ("size = ", "size", "type: `number`"),
        ("outputs.id", "id", "The network."),
        ("dependency.net", "net", "1 outputs"),
        ("zone = ", "zone", "not declared"),
        ("find_in_parent", "find", "find_in_parent_folders("),
    ] {
        let found = client.request("textDocument/hover", place(&client, around, part));
        let text = found["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.contains(expected), "{around}: {text}");
    }
    // From both sides: the unit, and the module.
    let sides = [
        (place(&client, "size = ", "size"), at(&client, UNITS[0], "\"size\"", "size")),
        (place(&client, "outputs.id", "id"), at(&client, UNITS[1], "\"id\"", "id")),
    ];
    let expected =
        [vec![unit(14), app(), ("/modules/app/main.tf".to_owned(), 5)], vec![unit(15), output()]];
    for ((unit, module), expected) in sides.into_iter().zip(expected) {
        for mut params in [unit, module] {
            params["context"] = json!({ "includeDeclaration": true });
            let found = client.request("textDocument/references", params);
            assert_eq!(targets(&client, &found), expected);
        }
    }
    let mut params = place(&client, "local.count", "count");
    params["context"] = json!({ "includeDeclaration": true });
    let found = client.request("textDocument/references", params);
    assert_eq!(targets(&client, &found), [unit(5), unit(14)]);
    // A rename of an input is one of the variable.
    let mut params = place(&client, "size = ", "size");
    params["newName"] = json!("length");
    let renamed = client.request("textDocument/rename", params);
    assert_eq!(renamed["changes"].as_object().unwrap().len(), 2, "{renamed}");
    let symbols = json!({ "textDocument": { "uri": client.uri(APP_UNIT.0) } });
    assert_eq!(client.request("textDocument/documentSymbol", symbols).as_array().unwrap().len(), 5);
    assert!(client.end());
}

#[test]
fn files_of_units_are_completed() {
    let (mut client, _) = Client::new(&UNITS, json!({}));
    client.open(APP_UNIT.0, APP_UNIT.1);
    let mut version = 1;
    let mut completed = |text: &str| -> Vec<String> {
        version += 1;
        let (before, after) = text.split_once('|').unwrap();
        let whole = format!("{before}{after}");
        client.change(APP_UNIT.0, version, json!([{ "text": whole }]));
        let line = before.matches('\n').count() as u32;
        let column = before.rsplit('\n').next().unwrap().len() as u32;
        let params = json!({
            "textDocument": { "uri": client.uri(APP_UNIT.0) }, "position": position(line, column),
        });
        let found = client.request("textDocument/completion", params);
        let items = found["items"].as_array().unwrap().iter();
        items.map(|it| it["label"].as_str().unwrap().to_owned()).collect()
    };
    let text = APP_UNIT.1;
    for (text, expected) in [
        (text.replace("size = local.count", "|"), &["size"][..]),
        (text.replace("local.count", "local.|"), &["count"]),
        (text.replace("dependency.net.outputs.id", "dependency.|"), &["net"]),
        (text.replace("net.outputs.id", "net.outputs.|"), &["id"]),
        (text.replace("root.locals.region", "root.locals.|"), &["region"]),
        (text.replace("local.count", "find_in_p|"), &["find_in_parent_folders"]),
        (text.replace("  config_path", "  mock_outputs = {\n    |\n  }\n  config_path"), &["id"]),
        (format!("{text}remote_|"), &["remote_state", "remote_state"]),
        (text.replace("  config_path", "  config|"), &["config_path"]),
    ] {
        assert_eq!(completed(&text), expected, "{text}");
    }
    assert!(client.end());
}
