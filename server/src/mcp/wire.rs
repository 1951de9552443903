//! Messages of the protocol: one JSON object in a line, of either revision.

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use serde_json::{Map, Value, json};

use super::Host;
use super::cancel::{Cancel, Pending};
use super::confine::Roots;
use super::page::page;
use super::tools::{TOOLS, Tool};

/// The revision with a handshake, and the one whose requests name their revision.
const WITH_HANDSHAKE: &str = "2025-06-18";
const STATELESS: &str = "2026-07-28";

/// The largest message, in bytes: a system passes no longer arguments to a command.
const MOST_BYTES: u64 = 4 << 20;

/// The member of a request that names its revision.
const REVISION: &str = "io.modelcontextprotocol/protocolVersion";

/// The member of a result that names the server.
const SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// How long a client may keep the list of tools, in milliseconds.
const TTL: u32 = 3_600_000;

const INSTRUCTIONS: &str = "Answers about Terraform, OpenTofu, Packer and Terragrunt configuration \
    without running a tool: start with `query` and `references` instead of reading files. Addresses are \
    those of the tools (`var.size`, `module.net`), `DIR:ADDRESS` names the module. Answers that are \
    longer than a page have `next_cursor`. What could not be read or known is in `incomplete`. \
    `rename` and `set` change nothing without `write`.";

mod code {
    pub(super) const PARSE: i32 = -32700;
    pub(super) const INVALID_REQUEST: i32 = -32600;
    pub(super) const METHOD_NOT_FOUND: i32 = -32601;
    pub(super) const INVALID_PARAMS: i32 = -32602;
    pub(super) const UNSUPPORTED_REVISION: i32 = -32022;
}

/// An error of the protocol.
struct Failure {
    code: i32,
    message: String,
    data: Option<Value>,
}

impl Failure {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}

/// The most messages that wait for an answer.
const MOST_WAITING: usize = 16;

/// A line of the client.
enum Incoming {
    /// A message. A request has its identifier, which may be invalid, and can be cancelled.
    Message(Map<String, Value>, Option<(Value, Cancel)>),
    /// It is not a message.
    Invalid(Failure),
}

pub(super) fn run(
    mut host: impl Host,
    roots: &[PathBuf],
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
) -> io::Result<()> {
    let roots = Roots::new(roots);
    let pending = Pending::default();
    let (sender, incoming) = sync_channel(MOST_WAITING);
    let of_reader = pending.clone();
    // Nobody waits for the reader if the output fails: it may be in a read that does not end.
    let reader = thread::spawn(move || read(input, &of_reader, &sender));
    for incoming in incoming {
        let answer = match incoming {
            Incoming::Invalid(failure) => Some(response(Value::Null, Err(failure))),
            Incoming::Message(message, request) => {
                let answer = answer(&mut host, &roots, message, request.as_ref());
                let is_read = request.as_ref().is_none_or(|(id, cancel)| {
                    pending.remove(id);
                    !cancel.is_cancelled()
                });
                answer.filter(|_| is_read)
            }
        };
        if let Some(answer) = answer {
            serde_json::to_writer(&mut output, &answer)?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
    }
    reader.join().unwrap_or(Ok(()))
}

/// Reads messages until the input ends. Cancels requests at once, whatever is being answered.
fn read(
    mut input: impl BufRead,
    pending: &Pending,
    messages: &SyncSender<Incoming>,
) -> io::Result<()> {
    loop {
        let mut line = Vec::new();
        input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let is_whole = line.ends_with(b"\n") || (line.len() as u64) < MOST_BYTES;
        let message = match is_whole {
            true => serde_json::from_slice::<Value>(&line)
                .map_err(|error| Failure::new(code::PARSE, error.to_string())),
            false => {
                input.skip_until(b'\n')?;
                let why = format!("a message of more than {} MiB", MOST_BYTES >> 20);
                Err(Failure::new(code::PARSE, why))
            }
        };
        let incoming = match message {
            Ok(Value::Object(message)) if is_cancellation(&message) => {
                let params = message.get("params");
                if let Some(id) = params.and_then(|params| params.get("requestId")) {
                    pending.cancel(id);
                }
                continue;
            }
            Ok(Value::Object(mut message)) => {
                let request = message.remove("id").map(|id| {
                    let cancel = pending.add(&id);
                    (id, cancel)
                });
                Incoming::Message(message, request)
            }
            Ok(_) => Incoming::Invalid(Failure::new(
                code::INVALID_REQUEST,
                "a message must be an object",
            )),
            Err(failure) => Incoming::Invalid(failure),
        };
        if messages.send(incoming).is_err() {
            return Ok(());
        }
    }
}

fn is_cancellation(message: &Map<String, Value>) -> bool {
    message.get("method").and_then(Value::as_str) == Some("notifications/cancelled")
}

/// The response to a message; `None` for notifications.
fn answer(
    host: &mut impl Host,
    roots: &Roots,
    mut message: Map<String, Value>,
    request: Option<&(Value, Cancel)>,
) -> Option<Value> {
    let method = match message.remove("method") {
        Some(Value::String(method)) => method,
        // A response: nothing was asked.
        None if message.contains_key("result") || message.contains_key("error") => return None,
        _ => {
            let id = request.map(|(id, _)| id.clone()).filter(is_id).unwrap_or(Value::Null);
            return Some(response(id, Err(Failure::new(code::INVALID_REQUEST, "no method"))));
        }
    };
    let (id, cancel) = request?;
    if !is_id(id) {
        let failure = Failure::new(code::INVALID_REQUEST, "an id must be a text or a number");
        return Some(response(Value::Null, Err(failure)));
    }
    let params = match message.remove("params") {
        Some(Value::Object(params)) => params,
        _ => Map::new(),
    };
    Some(response(id.clone(), self::request(host, roots, &method, params, cancel)))
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_number()
}

fn response(id: Value, result: Result<Value, Failure>) -> Value {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(failure) => {
            let mut error = json!({ "code": failure.code, "message": failure.message });
            if let Some(data) = failure.data {
                error["data"] = data;
            }
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}

fn request(
    host: &mut impl Host,
    roots: &Roots,
    method: &str,
    params: Map<String, Value>,
    cancel: &Cancel,
) -> Result<Value, Failure> {
    let revision = params.get("_meta").and_then(|meta| meta.get(REVISION)).and_then(Value::as_str);
    let is_stateless = match revision {
        Some(STATELESS) => true,
        Some(WITH_HANDSHAKE) | None => method == "server/discover",
        Some(other) => {
            let mut failure = Failure::new(
                code::UNSUPPORTED_REVISION,
                format!("revision {other} is not supported"),
            );
            failure.data =
                Some(json!({ "supported": [STATELESS, WITH_HANDSHAKE], "requested": other }));
            return Err(failure);
        }
    };
    let server = json!({ "name": "simd-hcl", "version": env!("CARGO_PKG_VERSION") });
    let mut result = match method {
        "initialize" => json!({
            "protocolVersion": WITH_HANDSHAKE,
            "capabilities": { "tools": {} },
            "serverInfo": server,
            "instructions": INSTRUCTIONS,
        }),
        "server/discover" => json!({
            "supportedVersions": [STATELESS, WITH_HANDSHAKE],
            "capabilities": { "tools": {} },
            "instructions": INSTRUCTIONS,
            "ttlMs": TTL,
            "cacheScope": "private",
        }),
        "ping" => json!({}),
        "tools/list" => {
            let tools: Vec<_> = TOOLS.iter().map(Tool::describe).collect();
            let mut list = json!({ "tools": tools });
            if is_stateless {
                list["ttlMs"] = TTL.into();
                list["cacheScope"] = "private".into();
            }
            list
        }
        "tools/call" => call(host, roots, &params, cancel)?,
        _ => return Err(Failure::new(code::METHOD_NOT_FOUND, format!("no method {method}"))),
    };
    if is_stateless {
        result["resultType"] = "complete".into();
        result["_meta"] = json!({ SERVER: server });
    }
    Ok(result)
}

/// Calls a tool. An error in its arguments is a result, so that the agent reads it.
fn call(
    host: &mut impl Host,
    roots: &Roots,
    params: &Map<String, Value>,
    cancel: &Cancel,
) -> Result<Value, Failure> {
    let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
    let Some(tool) = Tool::named(name) else {
        return Err(Failure::new(code::INVALID_PARAMS, format!("no tool `{name}`")));
    };
    let empty = Map::new();
    let arguments = params.get("arguments").and_then(Value::as_object).unwrap_or(&empty);
    let (text, is_error) = match answer_of(host, roots, tool, arguments, cancel) {
        Ok(answer) => (answer.to_string(), false),
        Err(message) => (message, true),
    };
    Ok(json!({ "content": [{ "type": "text", "text": text }], "isError": is_error }))
}

fn answer_of(
    host: &mut impl Host,
    roots: &Roots,
    tool: &Tool,
    arguments: &Map<String, Value>,
    cancel: &Cancel,
) -> Result<Value, String> {
    if cancel.is_cancelled() {
        return Err("cancelled".to_owned());
    }
    let (command, address) = tool.command(arguments, roots)?;
    let cursor = arguments.get("cursor").and_then(Value::as_str);
    // A change of several files must not be stopped in the middle.
    let is_writing = arguments.get("write") == Some(&Value::Bool(true));
    let at_the_end = Cancel::default();
    let cancel = if is_writing { &at_the_end } else { cancel };
    let output = host.run(&command, cancel).map_err(|error| error.to_string())?;
    let notes = || {
        let notes = String::from_utf8_lossy(&output.notes);
        let short: String = notes.trim().chars().take(1000).collect();
        if short.is_empty() { "the command ended without an answer".to_owned() } else { short }
    };
    let answer: Value = serde_json::from_slice(&output.answer).map_err(|_| notes())?;
    // An answer with gaps is one, unless a file could not be written.
    let has_gaps = answer["incomplete"].as_array().is_some_and(|gaps| !gaps.is_empty());
    let is_answered = match output.status {
        Some(0 | 1) => true,
        Some(2) => tool.is_read_only && has_gaps,
        _ => false,
    };
    if !is_answered {
        return Err(notes());
    }
    let mut page = page(answer, tool.list, address.as_deref(), cursor)?;
    // The next page would write again.
    if is_writing && let Some(members) = page.as_object_mut() {
        members.remove("next_cursor");
    }
    Ok(page)
}
