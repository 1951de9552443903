//! The loop: reads messages, keeps the workspace, and hands requests to threads that answer them.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use simd_hcl::dialect::is_known_name;
use simd_hcl::workspace::{Cancel, Changed, Options, Snapshot, Workspace};

use super::Host;
use super::diagnostics::{all, by_file, of_file};
use super::documents::{Document, Documents};
use super::opening::Opening;
use super::protocol::{
    CancelParams, DidChangeParams, DidOpenParams, DocumentParams, Id, InitializeParams, Message,
    Outgoing, Parameters, Response, ResponseError, WatchedFilesParams, WorkspaceFoldersParams,
    code,
};
use super::requests::{self, Method, Refused, Request};
use super::session::Session;
use super::text::Text;
use super::uri::{path_of, uri_of};
use super::waiting::{Held, Waiting};
use crate::wire;

/// The threads that answer requests.
const WORKERS: usize = 3;

/// How long edits wait for others, at most.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// The bytes that a message takes beside its text: a request that waits keeps its snapshot.
const BESIDE: usize = 64 << 10;

/// How long the end waits for the last answers to be written.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// The requests that are being answered.
type Running = Arc<Mutex<HashMap<Id, Cancel>>>;

/// Work for a thread.
type Job = Box<dyn FnOnce() + Send>;

enum Event {
    /// The folders have been read.
    Opened,
    /// A message, which counts as waiting until it is answered.
    Message(Message, Held),
    /// Why bytes are not a message.
    Broken(String, Held),
    End,
}

/// Serves one client until it sends `exit`, or its input ends. Returns whether it had sent `shutdown`
/// before, as it should.
pub fn run<R, W>(mut host: impl Host, input: R, output: W) -> bool
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    let running = Running::default();
    let (events, receiver) = channel();
    let (sender, outgoing) = channel();
    let of_reader = Arc::clone(&running);
    let of_opening = events.clone();
    // The reader blocks in a read when everything else ends, so nobody waits for it.
    thread::spawn(move || read(input, &events, &of_reader));
    let (all_written, written) = channel();
    thread::spawn(move || {
        write(output, &outgoing);
        let _ = all_written.send(());
    });
    let (jobs, queue) = channel::<Job>();
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..WORKERS {
        let queue = Arc::clone(&queue);
        thread::spawn(move || work(&queue));
    }
    let mut server = Server {
        host: &mut host,
        output: Output { sender, waiting: Waiting::default() },
        running,
        jobs,
        session: Session::default(),
        events: Some(of_opening),
        opening: None,
        workspace: None,
        is_initialized: false,
        documents: Documents::default(),
        has_other_paths: false,
        last_update: Duration::ZERO,
        published: BTreeMap::new(),
        requests: 0,
        has_shut_down: false,
    };
    server.serve(&receiver);
    let has_shut_down = server.has_shut_down;
    lock(&server.running).values().for_each(Cancel::cancel);
    drop(server);
    // Answers are still sent, unless the client no longer reads.
    let _ = written.recv_timeout(LAST_WAIT);
    has_shut_down
}

/// Reads messages. Cancels requests at once, whatever the loop is doing.
fn read(mut input: impl BufRead, events: &Sender<Event>, running: &Running) {
    let waiting = Waiting::default();
    loop {
        waiting.wait_for_room();
        let event = match wire::read(&mut input) {
            Ok(Some(bytes)) => match serde_json::from_slice::<Message>(&bytes) {
                Ok(message) if message.method.as_deref() == Some("$/cancelRequest") => {
                    if let Ok(params) = parse::<CancelParams>(message.params)
                        && let Some(cancel) = lock(running).get(&params.id)
                    {
                        cancel.cancel();
                    }
                    continue;
                }
                Ok(message) => Event::Message(message, waiting.add(bytes.len() + BESIDE)),
                Err(error) => Event::Broken(error.to_string(), waiting.add(BESIDE)),
            },
            // After bytes that are not a message, nobody knows where the next one starts.
            Ok(None) | Err(_) => Event::End,
        };
        let is_end = matches!(event, Event::End);
        if events.send(event).is_err() || is_end {
            return;
        }
    }
}

fn write(mut output: impl Write, messages: &Receiver<(Vec<u8>, Held)>) {
    for (message, _held) in messages {
        if wire::write(&mut output, &message).is_err() {
            return;
        }
    }
}

fn work(queue: &Mutex<Receiver<Job>>) {
    loop {
        let job = lock(queue).recv();
        match job {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends messages to the client.
#[derive(Clone)]
struct Output {
    sender: Sender<(Vec<u8>, Held)>,
    /// The bytes that the client has not read.
    waiting: Waiting,
}

impl Output {
    fn send(&self, message: &impl serde::Serialize) {
        // A client that has gone reads nothing.
        if let Ok(bytes) = serde_json::to_vec(message) {
            let held = self.waiting.add(bytes.len());
            let _ = self.sender.send((bytes, held));
        }
    }

    fn answer(&self, id: Option<Id>, result: Result<Value, Refused>) {
        let (result, error) = match result {
            Ok(result) => (Some(result), None),
            Err(Refused { code, message }) => (None, Some(ResponseError { code, message })),
        };
        self.send(&Response { jsonrpc: "2.0", id, result, error });
    }

    fn notify(&self, method: &'static str, params: Value) {
        self.send(&Outgoing { jsonrpc: "2.0", id: None, method, params });
    }

    /// Has the client show a message of a kind.
    fn show(&self, kind: u8, message: &str) {
        self.notify("window/showMessage", json!({ "type": kind, "message": message }));
    }
}

/// Kinds of messages of the protocol.
const ERROR: u8 = 1;
const INFORMATION: u8 = 3;

struct Server<'h, H> {
    host: &'h mut H,
    output: Output,
    running: Running,
    jobs: Sender<Job>,
    session: Session,
    /// `None` after `initialize`.
    events: Option<Sender<Event>>,
    /// `Some` while the folders are read for the first time.
    opening: Option<Opening>,
    /// `None` before that.
    workspace: Option<Workspace>,
    /// Whether the client takes messages.
    is_initialized: bool,
    documents: Documents,
    /// Whether a file outside of the folders was opened or closed.
    has_other_paths: bool,
    /// How long it took the last time until the workspace had all texts.
    last_update: Duration,
    /// The diagnostics that the client shows, by file.
    published: BTreeMap<PathBuf, Value>,
    /// The number of requests to the client.
    requests: i64,
    has_shut_down: bool,
}

impl<H: Host> Server<'_, H> {
    fn serve(&mut self, events: &Receiver<Event>) {
        loop {
            // Edits that wait are taken together, and those that arrive in the time that taking them
            // takes.
            let event = match events.recv_timeout(self.last_update.min(LONGEST_PAUSE)) {
                Ok(event) => event,
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    self.catch_up();
                    match events.recv() {
                        Ok(event) => event,
                        Err(_) => return,
                    }
                }
            };
            self.output.waiting.wait_for_room();
            match event {
                Event::Opened => self.finish_opening(),
                Event::Message(message, held) => {
                    if message.method.as_deref() == Some("exit") {
                        return;
                    }
                    self.message(message, held);
                }
                Event::Broken(why, _held) => {
                    self.output.answer(None, Err(Refused::new(code::PARSE, why)));
                }
                Event::End => return,
            }
        }
    }

    fn message(&mut self, message: Message, held: Held) {
        let Message { id, method, params } = message;
        // Without a method, it is an answer of the client.
        let Some(method) = method else { return };
        match id {
            Some(id) => self.request(id, &method, params, held),
            None => self.notification(&method, params),
        }
    }

    fn request(&mut self, id: Id, method: &str, params: Parameters, held: Held) {
        let refuse = |code, text: &str| Err(Refused::new(code, text));
        let result = match method {
            "initialize" if self.has_started() => {
                refuse(code::INVALID_REQUEST, "the server is initialized already")
            }
            "initialize" => self.initialize(params),
            _ if !self.has_started() => {
                refuse(code::NOT_INITIALIZED, "the first request must be initialize")
            }
            _ if self.has_shut_down => refuse(code::INVALID_REQUEST, "the server has shut down"),
            "shutdown" => {
                self.has_shut_down = true;
                Ok(Value::Null)
            }
            method => match requests::METHODS.iter().find(|row| row.name == method) {
                Some(row) => {
                    let first = self.first_for(row, &params);
                    let snapshot = first.or_else(|| self.caught_up());
                    return self.start(id, row, params, held, snapshot);
                }
                None => refuse(code::METHOD_NOT_FOUND, "the server has no such method"),
            },
        };
        self.output.answer(Some(id), result);
    }

    /// Has a thread answer a request from a snapshot.
    fn start(
        &mut self,
        id: Id,
        method: &'static Method,
        params: Parameters,
        held: Held,
        snapshot: Option<Arc<Snapshot>>,
    ) {
        let Some(snapshot) = snapshot else { return };
        let cancel = Cancel::new();
        lock(&self.running).insert(id.clone(), cancel.clone());
        let request = Request {
            snapshot,
            session: self.session.clone(),
            cancel: cancel.clone(),
            message: RefCell::default(),
        };
        let (output, running) = (self.output.clone(), Arc::clone(&self.running));
        let job = move || {
            output.waiting.wait_for_room();
            let answer = || match cancel.is_cancelled() {
                true => Err(Refused::cancelled()),
                false => (method.answer)(&request, params),
            };
            let result = catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| {
                let text = format!("{} failed: this is a defect of simd-hcl", method.name);
                Err(Refused::new(code::INTERNAL, text))
            });
            let result = if cancel.is_cancelled() { Err(Refused::cancelled()) } else { result };
            lock(&running).remove(&id);
            if let Some(message) = request.message.take().filter(|_| result.is_ok()) {
                output.show(INFORMATION, &message);
            }
            output.answer(Some(id), result);
            drop(held);
        };
        // The threads live as long as the loop.
        let _ = self.jobs.send(Box::new(job));
    }

    fn initialize(&mut self, params: Parameters) -> Result<Value, Refused> {
        let params: InitializeParams = parse(params)?;
        self.session = Session::new(&params);
        self.open();
        Ok(json!({
            "capabilities": requests::capabilities(&self.session),
            "serverInfo": { "name": "simd-hcl", "version": env!("CARGO_PKG_VERSION") },
        }))
    }

    /// Whether the client has sent `initialize`.
    fn has_started(&self) -> bool {
        self.workspace.is_some() || self.opening.is_some()
    }

    /// The options of some directories. Settings that cannot be read are shown, and have no effect.
    fn options(&mut self, directories: &[PathBuf]) -> Options {
        match self.host.options(directories) {
            Ok(options) => options,
            Err(message) => {
                self.output.show(ERROR, &message);
                Options::default()
            }
        }
    }

    /// Opens the workspace of the folders, and of open files outside of these with their directory,
    /// or other ones than before.
    fn open(&mut self) {
        self.finish_opening();
        let outside = self.documents.all().map(|document| &document.path);
        let outside = outside.filter(|path| self.is_outside(path)).cloned();
        let paths: Vec<PathBuf> = self.session.folders.iter().cloned().chain(outside).collect();
        let options = self.options(&paths);
        match &mut self.workspace {
            Some(workspace) => {
                let changed = workspace.configure(paths, options);
                self.publish(&changed);
            }
            None => {
                // It is the first time: nothing has taken the sender.
                self.opening = self.events.take().map(|events| {
                    Opening::new(paths, options, move || {
                        let _ = events.send(Event::Opened);
                    })
                });
            }
        }
    }

    /// Waits until the folders are read, if they are not yet.
    fn finish_opening(&mut self) {
        let Some(opening) = self.opening.take() else { return };
        let workspace = opening.wait().unwrap_or_else(|| {
            self.output.show(ERROR, "the folders could not be read: this is a defect of simd-hcl");
            Workspace::open(Vec::new(), Options::default())
        });
        self.workspace = Some(workspace);
        self.catch_up();
        if self.is_initialized {
            self.publish_all();
        }
    }

    /// Sends the first findings of open files while the folders are read.
    fn show_first(&mut self) {
        let Some(opening) = &mut self.opening else { return };
        if !self.is_initialized || self.session.pulls {
            return;
        }
        let files = opening.first(self.documents.all());
        for (path, snapshot) in files {
            let findings = snapshot.findings(&path);
            let diagnostics = of_file(&snapshot, &path, findings, self.session.encoding);
            self.publish_file(&path, serde_json::to_value(diagnostics).unwrap_or_default());
        }
    }

    /// The module of an open file, if its diagnostics are asked for while the folders are read, by a client that
    /// asks again afterwards.
    fn first_for(&self, method: &Method, params: &Parameters) -> Option<Arc<Snapshot>> {
        let opening = self.opening.as_ref().filter(|_| self.session.refreshes)?;
        if method.name != "textDocument/diagnostic" {
            return None;
        }
        let params: DocumentParams = serde_json::from_str(params.as_deref()?.get()).ok()?;
        let path = path_of(&params.text_document.uri)?;
        Some(opening.read(self.documents.all().find(|document| document.path == path)?))
    }

    /// The current snapshot, with all texts.
    fn caught_up(&mut self) -> Option<Arc<Snapshot>> {
        self.finish_opening();
        self.catch_up();
        self.workspace.as_ref().map(Workspace::snapshot)
    }

    /// Whether a file of the tools is outside of the folders.
    fn is_outside(&self, path: &Path) -> bool {
        let is_known = path.file_name().is_some_and(is_known_name);
        is_known && !self.session.folders.iter().any(|folder| path.starts_with(folder))
    }

    fn notification(&mut self, method: &str, params: Parameters) {
        if !self.has_started() {
            return;
        }
        // Notifications that are not understood are ignored, since they have no answer.
        match method {
            "initialized" => self.initialized(),
            "textDocument/didOpen" => {
                if let Ok(params) = parse::<DidOpenParams>(params) {
                    self.did_open(params);
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = parse::<DidChangeParams>(params) {
                    let document = params.text_document;
                    let changes = params.content_changes;
                    self.documents.change(&document.uri, document.version, changes);
                }
            }
            "textDocument/didClose" => {
                if let Ok(params) = parse::<DocumentParams>(params)
                    && let Some(path) = self.documents.close(&params.text_document.uri)
                {
                    self.has_other_paths |= self.is_outside(&path);
                    self.update(|workspace| workspace.close(&path));
                }
            }
            "textDocument/didSave" => {
                let path = parse::<DocumentParams>(params).ok();
                let path = path.and_then(|params| path_of(&params.text_document.uri));
                path.into_iter().for_each(|path| self.on_disk(vec![path]));
            }
            "workspace/didChangeWatchedFiles" => {
                if let Ok(params) = parse::<WatchedFilesParams>(params) {
                    let paths = params.changes.iter().filter_map(|change| path_of(&change.uri));
                    self.on_disk(paths.collect());
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Ok(params) = parse::<WorkspaceFoldersParams>(params) {
                    let paths = |folders: &[super::protocol::WorkspaceFolder]| -> Vec<PathBuf> {
                        folders.iter().filter_map(|folder| path_of(&folder.uri)).collect()
                    };
                    let removed = paths(&params.event.removed);
                    self.session.folders.retain(|folder| !removed.contains(folder));
                    self.session.folders.extend(paths(&params.event.added));
                    self.open();
                }
            }
            _ => {}
        }
    }

    fn initialized(&mut self) {
        if self.session.watches {
            self.requests += 1;
            self.output.send(&Outgoing {
                jsonrpc: "2.0",
                id: Some(Id::Number(self.requests)),
                method: "client/registerCapability",
                params: json!({ "registrations": [{
                    "id": "files",
                    "method": "workspace/didChangeWatchedFiles",
                    "registerOptions": { "watchers": [{ "globPattern": "**/*" }] },
                }] }),
            });
        }
        self.is_initialized = true;
        self.publish_all();
    }

    /// Sends the diagnostics of all modules.
    fn publish_all(&mut self) {
        let Some(workspace) = &self.workspace else { return };
        let mut changed = Changed::default();
        changed.everything = true;
        changed.modules = (0..workspace.snapshot().modules().len()).collect();
        self.publish(&changed);
    }

    fn did_open(&mut self, params: DidOpenParams) {
        let document = params.text_document;
        let Some(path) = path_of(&document.uri) else { return };
        self.has_other_paths |= self.is_outside(&path);
        let text = Text::new(&document.text, self.session.encoding);
        let opened = Document { path, version: document.version, text };
        self.documents.open(document.uri, opened);
    }

    /// Takes note of changes on disk.
    fn on_disk(&mut self, mut paths: Vec<PathBuf>) {
        // Git writes there all the time.
        let is_of_git = |path: &Path| {
            let mut above = path.ancestors().skip(1);
            above.any(|it| it.file_name().is_some_and(|name| name == ".git"))
        };
        paths.retain(|path| !is_of_git(path));
        if paths.is_empty() {
            return;
        }
        if paths.iter().any(|path| self.host.is_settings(path)) {
            self.open();
        }
        self.update(|workspace| workspace.changed_on_disk(&paths));
    }

    /// Gives the workspace the texts that have changed.
    fn catch_up(&mut self) {
        if self.opening.is_some() {
            return self.show_first();
        }
        let start = Instant::now();
        let edits = self.documents.take_changed();
        let has_other_paths = std::mem::take(&mut self.has_other_paths);
        if edits.is_empty() && !has_other_paths {
            return;
        }
        self.update(|workspace| workspace.edit_all(edits));
        if has_other_paths {
            self.open();
        }
        self.last_update = start.elapsed();
    }

    /// Changes the workspace, and publishes new diagnostics. A change that fails leaves the state
    /// as it was.
    fn update(&mut self, change: impl FnOnce(&mut Workspace) -> Changed) {
        self.finish_opening();
        let Some(workspace) = &mut self.workspace else { return };
        let changed = catch_unwind(AssertUnwindSafe(|| change(workspace)));
        match changed {
            Ok(changed) => self.publish(&changed),
            Err(_) => {
                let message = "an edit could not be read: this is a defect of simd-hcl";
                self.output.notify("window/logMessage", json!({ "type": 1, "message": message }));
            }
        }
    }

    /// Sends the diagnostics of modules that were read again, if the client does not ask for them.
    fn publish(&mut self, changed: &Changed) {
        let Some(workspace) = &self.workspace else { return };
        if self.session.pulls {
            let is_more = changed.modules.len() > 1 || !changed.unit_files.is_empty();
            if self.session.refreshes && (changed.everything || is_more) {
                self.requests += 1;
                self.output.send(&Outgoing {
                    jsonrpc: "2.0",
                    id: Some(Id::Number(self.requests)),
                    method: "workspace/diagnostic/refresh",
                    params: Value::Null,
                });
            }
            return;
        }
        let snapshot = workspace.snapshot();
        let files = match changed.everything {
            true => all(&snapshot),
            false => {
                let mut files = by_file(&snapshot, changed.modules.iter().copied());
                let of_units = changed.unit_files.iter();
                files.extend(of_units.map(|file| (file.clone(), snapshot.findings(file))));
                files
            }
        };
        // A finding may be in a file that does not exist.
        let was_beside = |path: &Path| {
            let is_changed = |place: usize| changed.modules.binary_search(&place).is_ok();
            let around = path.parent().filter(|_| snapshot.file(path).is_none());
            around.is_some_and(|directory| snapshot.modules_at(directory).any(is_changed))
        };
        let is_gone = |path: &&PathBuf| {
            let is_of_units = || !snapshot.findings(path).is_empty();
            let is_changed = changed.everything || was_beside(path) && !is_of_units();
            !files.contains_key(*path) && is_changed
        };
        let gone: Vec<PathBuf> = self.published.keys().filter(is_gone).cloned().collect();
        let encoding = self.session.encoding;
        for (path, findings) in files {
            let diagnostics = of_file(&snapshot, &path, findings, encoding);
            let value = serde_json::to_value(diagnostics).unwrap_or_default();
            self.publish_file(&path, value);
        }
        for path in gone {
            self.publish_file(&path, json!([]));
        }
    }

    fn publish_file(&mut self, path: &Path, diagnostics: Value) {
        let is_empty = diagnostics.as_array().is_some_and(Vec::is_empty);
        let before = match is_empty {
            true => self.published.remove(path),
            false => self.published.insert(path.to_owned(), diagnostics.clone()),
        };
        let is_same = before.map_or(is_empty, |before| before == diagnostics);
        if is_same {
            return;
        }
        let version = self.documents.all().find(|it| it.path == path).map(|it| it.version);
        let mut params = json!({ "uri": uri_of(path), "diagnostics": diagnostics });
        if let Some(version) = version {
            params["version"] = version.into();
        }
        self.output.notify("textDocument/publishDiagnostics", params);
    }
}

/// Reads parameters.
pub(super) fn parse<T: DeserializeOwned>(params: Parameters) -> Result<T, Refused> {
    serde_json::from_str(params.as_deref().map_or("null", RawValue::get))
        .map_err(|error| Refused::new(code::INVALID_PARAMS, error.to_string()))
}
