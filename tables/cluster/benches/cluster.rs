//! Queries over a tree: by the embedded engine, on a cluster of this machine, and over the tree's tables in
//! Parquet.
//!
//! ```text
//! cargo bench -p simd-hcl-cluster
//! SIMD_HCL_BENCH_DIRS=200 cargo bench -p simd-hcl-cluster
//! ```
//!
//! The tree (2,000 directories, 12,000 files unless the environment says otherwise) is generated into a
//! temporary directory, so it is in the page cache. The embedded engine has two threads, the cluster
//! two executors with one thread each. Times are those of the whole program, the best of several runs.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use simd_hcl_corpus::{TreeOptions, tree};

const CLIENT: &str = env!("CARGO_BIN_EXE_simd-hcl-cluster");

/// The runs of each query.
const RUNS: usize = 5;

/// The queries.
const QUERIES: [(&str, &str); 4] = [
    ("types of resources, counted", "SELECT type, count(*) AS n FROM resources GROUP BY type"),
    ("kinds of attributes, counted", "SELECT kind, count(*) AS n FROM attributes GROUP BY kind"),
    (
        "largest modules, by a join",
        "SELECT f.module, count(*) AS n FROM files f JOIN resources r USING (path) GROUP BY 1 ORDER BY n DESC, 1 LIMIT 10",
    ),
    ("expressions, evaluated", "SELECT count(hcl_eval(text)) AS n FROM attributes"),
];

struct Program(Child, String);

impl Program {
    fn start(program: &str, arguments: &[&str]) -> Self {
        let mut child =
            Command::new(program).args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self(child, line.trim().rsplit(' ').next().unwrap().to_owned())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may be dead already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The shortest time of a command, and what it prints.
fn best(runs: usize, arguments: &[&str]) -> (Duration, Vec<u8>) {
    let run = |_| {
        let start = Instant::now();
        let output =
            Command::new(CLIENT).args(arguments).stderr(Stdio::inherit()).output().unwrap();
        assert!(output.status.success());
        (start.elapsed(), output.stdout)
    };
    (0..runs).map(run).min().unwrap()
}

fn lines(text: &[u8]) -> Vec<String> {
    let mut lines: Vec<String> = String::from_utf8_lossy(text).lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

fn main() {
    let set = std::env::var("SIMD_HCL_BENCH_DIRS").ok();
    let dirs = set.and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("tree");
    fs::create_dir(&root).unwrap();
    tree(&TreeOptions { dirs, ..TreeOptions::default() }, &root).unwrap();
    let root = root.to_str().unwrap();
    let target = directory.path().join("tables");
    let target = target.to_str().unwrap();
    let tables = "files,resources,attributes";
    let export = ["export", root, "-o", target, "--tables", tables, "--threads", "2"];
    println!("export of {tables}: {:.2} s", best(1, &export).0.as_secs_f64());

    let scheduler =
        Program::start(env!("CARGO_BIN_EXE_simd-hcl-scheduler"), &["--bind", "127.0.0.1:0"]);
    let work = directory.path().to_str().unwrap();
    let executor = ["--scheduler", &scheduler.1, "--threads", "1", "--work", work];
    let start = |_| Program::start(env!("CARGO_BIN_EXE_simd-hcl-executor"), &executor);
    let _executors: Vec<Program> = (0..2).map(start).collect();
    println!("{:<32} {:>10} {:>10} {:>10}", "", "embedded", "cluster", "Parquet");
    for (name, query) in QUERIES {
        let sql =
            |path, rest: &[&'static str]| [&["sql", query, path, "--format", "csv"], rest].concat();
        let (here, rows) = best(RUNS, &sql(root, &["--threads", "2"]));
        let there = [&sql(root, &[])[..], &["--cluster", &scheduler.1]].concat();
        let (there, others) = best(RUNS, &there);
        assert_eq!(lines(&rows), lines(&others), "{name}");
        let (parquet, others) = best(RUNS, &sql(target, &["--threads", "2"]));
        assert_eq!(lines(&rows), lines(&others), "{name}");
        let [here, there, parquet] = [here, there, parquet].map(|time| time.as_secs_f64());
        println!("{name:<32} {here:>8.3} s {there:>8.3} s {parquet:>8.3} s");
    }
}
