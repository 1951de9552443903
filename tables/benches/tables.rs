//! Tables of a tree: scans, exports, and what the same work costs other programs.
//!
//! ```text
//! cargo bench -p simd-hcl-tables
//! SIMD_HCL_BENCH_DIRS=200 cargo bench -p simd-hcl-tables
//! ```
//!
//! The tree (2,000 directories, 12,000 files, 177 MB unless the environment says otherwise) is
//! generated into a temporary directory, so it is in the page cache. `rg -c` counts the lines with
//! `resource` in the same tree; `jq` and, if Python has it, DuckDB group the changes of a plan, and
//! DuckDB counts the rows of the export. `SIMD_HCL_SQL` names the program `simd-hcl-sql`, which is
//! timed as a process. Times are the best of several runs, each as a multiple of `rg -c`; memory is
//! the peak of this process so far.
#![allow(clippy::unwrap_used, missing_docs)]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use arrow::array::RecordBatch;
use rayon::prelude::*;
use simd_hcl_corpus::{PlanOptions, TreeOptions, plan_bytes, tree};
use simd_hcl_tables::columns::{CHANGES, RESOURCES, TABLES};
use simd_hcl_tables::export::{Options, export};
use simd_hcl_tables::scan::{ReadOptions, Wanted, read_units};
use simd_hcl_tables::source::{FindOptions, Sources};
use simd_hcl_tables::table::{Origin, Table};

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long something took, and the time of processors that it needed, in seconds.
#[derive(Clone, Copy)]
struct Time {
    wall: f64,
    processors: Option<f64>,
}

/// The shortest time of some runs.
fn best(runs: usize, mut run: impl FnMut()) -> Time {
    let once = |run: &mut dyn FnMut()| {
        let (start, before) = (Instant::now(), processors());
        run();
        let wall = start.elapsed().as_secs_f64();
        Time { wall, processors: before.and_then(|before| Some(processors()? - before)) }
    };
    let times = (0..runs).map(|_| once(&mut run));
    times.min_by(|one, other| one.wall.total_cmp(&other.wall)).unwrap()
}

/// The time of processors of this process and its children, in seconds.
fn processors() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    let fields = fields.split_whitespace().skip(11).take(4);
    let ticks: u32 = fields.filter_map(|field| field.parse::<u32>().ok()).sum();
    Some(f64::from(ticks) / 100.0)
}

/// Runs a program, if it is there.
fn peer(runs: usize, program: &str, arguments: &[impl AsRef<OsStr>]) -> Option<Time> {
    let run = || {
        let mut command = Command::new(program);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    run().ok().filter(std::process::ExitStatus::success)?;
    Some(best(runs, || {
        run().unwrap();
    }))
}

/// The count of resources by type, over an export that a table function of DuckDB reads.
fn duckdb(from: &str, column: &str) -> Vec<String> {
    let query = format!("SELECT {column} AS type, count(*) FROM {from} GROUP BY 1");
    vec!["-c".to_owned(), format!("import duckdb; duckdb.sql(\"{query}\").fetchall()")]
}

fn report(name: &str, time: Option<Time>, unit: Option<Time>) {
    let Some(time) = time else { return println!("{name:<44} skipped: not installed") };
    let times = unit.map(|unit| format!("{:6.1} x rg", time.wall / unit.wall)).unwrap_or_default();
    let processors = time.processors.map(|it| format!("{it:8.2} s of processors"));
    println!("{name:<44} {:9.3} s {} {times}", time.wall, processors.unwrap_or_default());
}

/// Reads some columns of a table on all threads, and returns the number of rows.
fn scan(sources: &Sources, table: &'static Table, columns: &[&str]) -> usize {
    let projection = columns.iter().map(|name| table.column(name).unwrap()).collect();
    let wanted = [Wanted { table, projection: Some(projection) }];
    let units = sources.units(table);
    let chunk = units.len().div_ceil(rayon::current_num_threads() * 4).max(1);
    let rows = units.par_chunks(chunk).map(|units| {
        let mut rows = 0;
        let take = Box::new(|_, batch: RecordBatch| {
            rows += batch.num_rows();
            true
        });
        read_units(sources, units, &wanted, ReadOptions::default(), &|_| true, take).unwrap();
        rows
    });
    rows.sum()
}

/// The peak of resident memory of this process, in MB.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

fn size(path: &Path) -> u64 {
    if path.is_file() {
        return path.metadata().unwrap().len();
    }
    fs::read_dir(path).unwrap().map(|entry| size(&entry.unwrap().path())).sum()
}

fn main() {
    let set = std::env::var("SIMD_HCL_BENCH_DIRS").ok();
    let dirs = set.and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("tree");
    fs::create_dir(&root).unwrap();
    tree(&TreeOptions { dirs, ..TreeOptions::default() }, &root).unwrap();
    let paths = [root.clone()];
    let text = root.to_str().unwrap();
    println!("{} MB in {} directories", size(&root) / 1_000_000, dirs);
    // Large trees are less noisy, and take long.
    let runs = |count: usize| if dirs > 10_000 { 1 } else { count };

    let rg = peer(runs(5), "rg", &["-c", "--no-ignore", "resource", text]);
    report("rg -c", rg, rg);
    report(
        "types of resources, counted",
        Some(best(runs(5), || {
            let sources = Sources::find(&paths, FindOptions::default());
            assert!(scan(&sources, &RESOURCES, &["type"]) > 0);
        })),
        rg,
    );

    let target = directory.path().join("tables");
    let of_files = TABLES.into_iter().filter(|table| table.origin == Origin::File);
    let options = Options { tables: of_files.collect(), ..Options::default() };
    let fresh = best(runs(3), || {
        let _ = fs::remove_dir_all(&target);
        let written = export(&paths, &target, &options).unwrap();
        println!("  {written}; {} MB", size(&target) / 1_000_000);
    });
    report("tables of files to Parquet", Some(fresh), rg);
    if let Some(peak) = peak() {
        println!("  peak memory: {peak} MB");
    }
    let mut files = Vec::new();
    for module in Sources::find(&paths, FindOptions::default()).modules() {
        files.extend(
            module.files.files.iter().filter_map(|file| file.path.disk()).map(PathBuf::from),
        );
    }
    let changed: Vec<PathBuf> = files.into_iter().step_by(100).collect();
    let mut round = 0;
    let again = best(runs(3), || {
        round += 1;
        for path in &changed {
            let mut text = fs::read(path).unwrap();
            text.extend(std::iter::repeat_n(b' ', round));
            fs::write(path, text).unwrap();
        }
        let written = export(&paths, &target, &options).unwrap();
        println!("  {written}");
    });
    report("again, with 1 % of the files changed", Some(again), rg);
    let all = best(1, || {
        let target = directory.path().join("all");
        println!("  {}", export(&paths, &target, &Options::default()).unwrap());
    });
    report("all tables to Parquet", Some(all), rg);
    if let Some(peak) = peak() {
        println!("  peak memory: {peak} MB");
    }

    let python = std::env::var("SIMD_HCL_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let exported = format!("read_parquet('{}/resources/**/*.parquet')", target.display());
    report("types over the export, DuckDB", peer(runs(5), &python, &duckdb(&exported, "type")), rg);
    if let Ok(program) = std::env::var("SIMD_HCL_SQL") {
        let query = |table: &str| format!("SELECT type, count(*) FROM {table} GROUP BY type");
        let export = format!("t={}", target.display());
        let over = |table: &str, path: &str| peer(runs(5), &program, &["sql", &query(table), path]);
        report("types over the export, simd-hcl sql", over("t.resources", &export), rg);
        report("types over the tree, simd-hcl sql", over("resources", text), rg);
    }

    let plan = directory.path().join("plan.json");
    fs::write(&plan, plan_bytes(&PlanOptions { changes: 24_000, ..PlanOptions::default() }))
        .unwrap();
    println!("a plan of {} MB", size(&plan) / 1_000_000);
    let paths = [plan.clone()];
    let sources = Sources::find(&paths, FindOptions::default());
    let changes = best(runs(5), || assert!(scan(&sources, &CHANGES, &["type", "action"]) > 0));
    report("types and actions of changes", Some(changes), None);
    let plan = plan.to_str().unwrap();
    let query = ".resource_changes | group_by(.type) | map([.[0].type, length])";
    report("jq", peer(1, "jq", &["-c", query, plan]), None);
    let changes = format!(
        "(SELECT unnest(resource_changes) AS c FROM read_json('{plan}', maximum_object_size=1000000000))"
    );
    report("DuckDB on the JSON", peer(1, &python, &duckdb(&changes, "c.type")), None);
}
