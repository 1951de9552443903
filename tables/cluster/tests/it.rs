//! A cluster on this machine gives the rows of the embedded engine, also when an executor is lost.
#![cfg(unix)]
#![allow(clippy::unwrap_used, missing_docs)]

use std::ffi::CString;
use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use simd_hcl_tables::columns::TABLES;

const MONOREPO: &str = "../../corpus/monorepo";

/// A program that ends with its test.
struct Program(Child, String);

impl Program {
    /// Starts a program, and waits for the line that says its address.
    fn start(program: &str, arguments: &[&str]) -> Self {
        let mut child =
            Command::new(program).args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit(' ').next().unwrap().to_owned();
        assert!(address.contains(':'), "{program}: {line:?}");
        Self(child, address)
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may be dead already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Cluster {
    scheduler: Program,
    executors: Vec<Program>,
    /// The files that killed executors leave behind.
    _work: tempfile::TempDir,
}

impl Cluster {
    fn start(executors: usize) -> Self {
        let arguments = ["--bind", "127.0.0.1:0", "--executor-timeout", "3"];
        let scheduler = Program::start(env!("CARGO_BIN_EXE_simd-hcl-scheduler"), &arguments);
        let work = tempfile::tempdir().unwrap();
        let directory = work.path().to_str().unwrap();
        let arguments = ["--scheduler", &scheduler.1, "--threads", "2", "--work", directory];
        let executor = |_| Program::start(env!("CARGO_BIN_EXE_simd-hcl-executor"), &arguments);
        let executors = (0..executors).map(executor).collect();
        Self { scheduler, executors, _work: work }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = client(arguments);
        command.args(["--cluster", &self.scheduler.1]);
        command
    }

    /// Runs a query here and there, and returns what both say.
    #[track_caller]
    fn same(&self, query: &str, paths: &[&str]) -> Output {
        let arguments = [&["sql", query, "--format", "csv"], paths].concat();
        let here = client(&arguments).output().unwrap();
        let there = self.command(&arguments).output().unwrap();
        let show = |output: &Output| {
            let text = String::from_utf8_lossy(&output.stdout);
            format!("{:?}\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr))
        };
        assert_eq!(show(&there), show(&here), "{query}");
        here
    }
}

/// The client, which is also the embedded engine.
fn client(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simd-hcl-cluster"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn absolute(path: &str) -> String {
    fs::canonicalize(path).unwrap().to_str().unwrap().to_owned()
}

/// A pipe, whose reader waits until something is written.
fn pipe(path: &Path) {
    let path = CString::new(path.as_os_str().as_bytes()).unwrap();
    assert!(Command::new("mkfifo").arg(path.to_str().unwrap()).status().unwrap().success());
}

/// The end of a pipe that writes, if somebody reads it.
fn end(path: &Path) -> Option<fs::File> {
    // O_NONBLOCK: without a reader, this fails.
    OpenOptions::new().write(true).custom_flags(0o4000).open(path).ok()
}

/// Waits until somebody reads a pipe, and returns the end that writes.
fn reader_of(path: &Path) -> fs::File {
    until("somebody reads the pipe", || end(path))
}

fn until<T>(what: &str, mut get: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = get() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "waited too long until {what}");
        sleep(Duration::from_millis(20));
    }
}

/// Waits for the end of a program.
fn finish(mut child: Child) -> Output {
    until("the program ends", || child.try_wait().unwrap());
    child.wait_with_output().unwrap()
}

#[test]
fn rows_are_those_of_the_embedded_engine() {
    let cluster = Cluster::start(2);
    let monorepo = absolute(MONOREPO);
    let plan = absolute("../../corpus/show/plan-1.0.json");
    let paths = [&*monorepo, &*plan];
    for table in TABLES {
        let columns: Vec<String> =
            table.all_columns().map(|column| format!("\"{}\"", column.name)).collect();
        let columns = columns.join(", ");
        cluster.same(&format!("SELECT {columns} FROM {} ORDER BY {columns}", table.name), &paths);
    }
    for query in [
        "SELECT type, count(*) AS n FROM resources GROUP BY type ORDER BY n DESC, type",
        "SELECT r.type, c.source FROM resources r JOIN module_calls c USING (module) ORDER BY 1, 2",
        "SELECT address FROM resources WHERE type = 'aws_subnet' AND path LIKE '%/prod/%' ORDER BY 1",
        "SELECT module FROM modules WHERE repository LIKE '%monorepo' ORDER BY 1",
        "SELECT name FROM variables UNION ALL SELECT name FROM outputs ORDER BY 1",
        "SELECT max(n) AS n FROM (SELECT name AS n FROM variables UNION SELECT address FROM resources)",
        "SELECT count(*) AS n FROM (SELECT r.type FROM resources r JOIN module_calls c USING (module) UNION ALL SELECT name FROM outputs)",
        "(SELECT name FROM variables ORDER BY 1 LIMIT 3) UNION ALL (SELECT type FROM resources ORDER BY 1 LIMIT 2) ORDER BY 1",
        "SELECT hcl_eval(text) AS v FROM attributes WHERE kind = 'literal' ORDER BY 1 LIMIT 5",
        "SELECT name FROM providers WHERE version_matches('5.9.0', version) ORDER BY 1",
        "SELECT address FROM changes WHERE address_in(address, 'module.a') ORDER BY 1",
        "SELECT count(*) AS n FROM files WHERE module = (SELECT max(module) FROM modules)",
        "SELECT name, row_number() OVER (ORDER BY name, path, line) AS n FROM variables ORDER BY n",
        "SELECT 1 AS one",
        "SELECT table_name FROM information_schema.tables ORDER BY 1",
    ] {
        cluster.same(query, &paths);
    }
    // A broken file: fewer rows, a message and a status.
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().to_str().unwrap();
    fs::write(directory.path().join("good.tf"), "variable \"a\" {}\n").unwrap();
    fs::write(directory.path().join("bad.tf"), "variable \"b\" {\n").unwrap();
    let secret = "variable \"c\" {\n  default = \"s3cret\"\n  sensitive = true\n}\n";
    fs::write(directory.path().join("secret.tf"), secret).unwrap();
    let output = cluster.same("SELECT name, \"default\" FROM variables ORDER BY name", &[root]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("bad.tf"));
    let query = "SELECT name FROM variables WHERE \"default\" LIKE '%s3cret%'";
    assert_eq!(cluster.same(query, &[root]).stdout, b"name\n");
    assert_eq!(cluster.same(query, &[root, "--show-sensitive"]).stdout, b"name\nc\n");
    let missing = cluster.same("SELECT name FROM variables ORDER BY name", &["/no/such/path"]);
    assert_eq!(missing.status.code(), Some(1));
    // Exported tables.
    let target = directory.path().join("tables");
    let target = target.to_str().unwrap();
    assert!(client(&["export", &monorepo, "-o", target]).output().unwrap().status.success());
    cluster.same("SELECT type, count(*) AS n FROM resources GROUP BY 1 ORDER BY 1", &[target]);
    let named = format!("old={target}");
    let query = "SELECT address FROM resources WHERE address NOT IN (SELECT address FROM old.resources WHERE type <> 'aws_subnet') ORDER BY 1";
    cluster.same(query, &[&monorepo, &named]);
    let url = format!("memory=file://{target}");
    cluster.same("SELECT count(*) AS n FROM memory.files", &[&url]);
    // Errors that only the client finds.
    for query in ["SELEC 1", "DROP TABLE files", "SELECT none FROM files"] {
        assert_eq!(cluster.same(query, &paths).status.code(), Some(2));
    }
    let explained = cluster.command(&["sql", "--explain", "SELECT name FROM files", &monorepo]);
    let explained = { explained }.output().unwrap();
    assert!(String::from_utf8_lossy(&explained.stdout).contains("PartScan: table=files"));
    let arguments = ["sql", "EXPLAIN ANALYZE SELECT name FROM files", &monorepo];
    assert_eq!(cluster.command(&arguments).output().unwrap().status.code(), Some(2));
}

/// Which process has a file open.
#[cfg(target_os = "linux")]
fn has_open(process: u32, path: &Path) -> bool {
    let Ok(open) = fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    open.flatten().any(|it| fs::read_link(it.path()).is_ok_and(|it| it == path))
}

#[cfg(target_os = "linux")]
#[test]
fn a_lost_executor_changes_no_row() {
    let mut cluster = Cluster::start(2);
    let directory = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(directory.path()).unwrap();
    for place in 0..40 {
        let module = root.join(format!("m{place:02}"));
        fs::create_dir(&module).unwrap();
        let text = "resource \"a_b\" \"x\" {}\nresource \"a_c\" \"y\" {}\n";
        fs::write(module.join("main.tf"), text).unwrap();
    }
    let slow = root.join("slow.tf");
    pipe(&slow);
    let text = "resource \"a_d\" \"z\" {}\n";
    let query = "SELECT type, count(*) AS n FROM resources GROUP BY type ORDER BY type";
    let (root, path) = (root.to_str().unwrap().to_owned(), slow.to_str().unwrap());
    let paths: Vec<String> = (0..40).map(|place| format!("{root}/m{place:02}")).collect();
    let mut arguments = vec!["sql", query, "--format", "csv", path];
    arguments.extend(paths.iter().map(String::as_str));
    let mut command = cluster.command(&arguments);
    let run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let held = reader_of(&slow);
    let reads = |it: &Program| has_open(it.0.id(), &slow);
    let place = until("an executor reads", || cluster.executors.iter().position(reads));
    cluster.executors[place].kill();
    drop(held);
    // The other one reads it again.
    reader_of(&slow).write_all(text.as_bytes()).unwrap();
    let there = finish(run);
    fs::remove_file(&slow).unwrap();
    fs::write(&slow, text).unwrap();
    let here = client(&arguments).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&there.stderr), "");
    assert_eq!(String::from_utf8_lossy(&there.stdout), "type,n\na_b,40\na_c,40\na_d,1\n");
    assert_eq!(here.stdout, there.stdout);
    assert_eq!(there.status.code(), Some(0));
    // Without any executor, the query fails.
    cluster.executors[1 - place].kill();
    let output = cluster.command(&arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.starts_with("error: "), "{errors}");
}

#[test]
fn what_does_not_answer_ends_a_query() {
    let run = |address: &str| {
        let start = Instant::now();
        let output = client(&["sql", "SELECT name FROM files", MONOREPO, "--cluster", address]);
        let output = { output }.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{address}");
        assert!(start.elapsed() < Duration::from_secs(30), "{address}");
        String::from_utf8(output.stderr).unwrap()
    };
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let message = run(&closed.to_string());
    assert!(message.contains(&format!("there is no scheduler at {closed}")), "{message}");
    assert!(run("nowhere").contains("HOST:PORT"));
    assert!(run("127.0.0.1:0").contains("HOST:PORT"));
    // Accepts, and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let message = run(&silent.local_addr().unwrap().to_string());
    assert!(message.contains("does not answer"), "{message}");
    let cluster = Cluster::start(0);
    let message = run(&cluster.scheduler.1);
    assert!(message.contains("has no executor"), "{message}");
}

#[test]
fn a_query_can_be_cancelled_and_the_scheduler_lost() {
    let mut cluster = Cluster::start(1);
    let directory = tempfile::tempdir().unwrap();
    let slow = directory.path().join("slow.tf");
    pipe(&slow);
    let arguments = ["sql", "SELECT name FROM variables", slow.to_str().unwrap()];
    let start = || {
        let mut command = cluster.command(&arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let run = start();
    let held = reader_of(&slow);
    let time = Instant::now();
    let id = run.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = finish(run);
    assert!(time.elapsed() < Duration::from_secs(5));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: the query was cancelled\n");
    drop(held);
    until("nobody reads the pipe", || end(&slow).is_none().then_some(()));
    // The executor goes on with other queries.
    let run = start();
    reader_of(&slow).write_all(b"variable \"v\" {}\n").unwrap();
    let output = finish(run);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "name\nv\n");
    let run = start();
    let _held = reader_of(&slow);
    let time = Instant::now();
    cluster.scheduler.kill();
    let output = finish(run);
    assert!(time.elapsed() < Duration::from_secs(30));
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("the scheduler at") && errors.contains("does not answer"), "{errors}");
}
