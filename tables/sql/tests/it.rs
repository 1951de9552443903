//! The program: queries, formats, exports that other engines read, and its page of docs.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use simd_hcl_tables::columns::TABLES;

const MONOREPO: &str = "../../corpus/monorepo";

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_simd-hcl-sql")).args(arguments).output().unwrap()
}

#[track_caller]
fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The result of a query, as CSV.
#[track_caller]
fn sql(query: &str, paths: &[&str]) -> String {
    stdout(&[&["sql", query, "--format", "csv"], paths].concat())
}

#[test]
fn every_table_is_there() {
    for table in TABLES {
        let query = format!("SELECT count(*) AS n FROM {}", table.name);
        let text = sql(&query, &[MONOREPO]);
        let count: u64 = text.lines().nth(1).unwrap().parse().unwrap();
        // The repository has no findings, and nothing of Terragrunt.
        let is_empty = ["diagnostics", "units"].contains(&table.name);
        assert_eq!(count > 0, !table.origin.is_document() && !is_empty, "{}", table.name);
    }
}

#[test]
fn tables_are_listed_with_what_they_have() {
    for query in ["SHOW TABLES", " show  tables ; "] {
        let text = sql(query, &[MONOREPO]);
        assert_eq!(text.lines().count(), TABLES.len() + 1, "{text}");
        assert!(text.starts_with("schema,name,description\n"), "{text}");
        for table in TABLES {
            assert!(text.contains(&table.doc_line()), "{}", table.name);
        }
    }
}

#[test]
fn errors_are_a_line_with_the_name_that_was_meant() {
    let error = |query: &str| {
        let output = run(&["sql", query, MONOREPO]);
        assert_eq!(output.status.code(), Some(2), "{query}");
        String::from_utf8(output.stderr).unwrap()
    };
    let text = error("SELECT * FROM resource");
    assert!(text.contains("Did you mean \"resources\"?"), "{text}");
    for text in [text, error("SELECT 1\nFROM nothing_like_it"), error("SELEC 1\nFROM files")] {
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(!text.contains("\\n"), "{text}");
    }
}

#[test]
fn maps_are_asked_by_key() {
    let directory = tempfile::tempdir().unwrap();
    let main = "provider \"a\" {}\nresource \"a_b\" \"c\" {\n  tags = { Owner = \"ops\" }\n}\n";
    fs::write(directory.path().join("main.tf"), main).unwrap();
    let path = directory.path().to_str().unwrap();
    let of = |format: &str| {
        stdout(&["sql", "SELECT address, tags FROM expanded", "--format", format, path])
    };
    assert_eq!(of("csv"), "address,tags\na_b.c,Owner=ops\n");
    assert_eq!(of("ndjson"), "{\"address\":\"a_b.c\",\"tags\":{\"Owner\":\"ops\"}}\n");
    let query = "SELECT address FROM expanded WHERE tags['Owner'] = 'ops'";
    assert_eq!(sql(query, &[path]), "address\na_b.c\n");
    assert_eq!(
        sql("SELECT 1 FROM expanded WHERE tags['Team'] IS NULL", &[path]).lines().count(),
        2
    );
    let export = tempfile::tempdir().unwrap();
    let out = export.path().join("out");
    let out = out.to_str().unwrap();
    stdout(&["export", path, "-o", out]);
    assert_eq!(sql(query, &[out]), "address\na_b.c\n");
}

#[test]
fn types_are_counted_without_bodies() {
    let query =
        "SELECT type, count(*) AS n FROM resources GROUP BY type ORDER BY n DESC, type LIMIT 2";
    assert_eq!(sql(query, &[MONOREPO]), "type,n\naws_subnet,6\naws_instance,5\n");
}

#[test]
fn filters_leave_out_files_and_change_no_row() {
    let of = |condition: &str| {
        sql(&format!("SELECT address FROM resources WHERE {condition} ORDER BY 1"), &[MONOREPO])
    };
    let by_type = of("type = 'aws_subnet'");
    assert_eq!(by_type.lines().count(), 7);
    assert_eq!(by_type, of("type || '' = 'aws_subnet'"));
    assert_eq!(by_type, of("type IN ('aws_subnet', 'none')"));
    let by_path = of("path LIKE '%/prod/%'");
    assert_eq!(by_path, of("path || '' LIKE '%/prod/%'"));
    let explain = |query: &str| stdout(&["sql", query, "--explain", MONOREPO]);
    let plan = explain("SELECT name FROM resources WHERE path LIKE '%/network.tf.json'");
    assert!(plan.contains("files=1"), "{plan}");
    assert!(explain("SELECT name FROM resources WHERE type = 'x'").contains("with=[x]"));
    assert!(!plan.contains("provider"), "{plan}");
}

#[test]
fn unions_of_tables_are_counted() {
    let query = "SELECT count(*) > 1 AS n FROM (SELECT name FROM variables UNION ALL SELECT name FROM outputs)";
    assert_eq!(sql(query, &[MONOREPO]), "n\ntrue\n");
}

#[test]
fn patterns_are_paths() {
    let query = "SELECT DISTINCT module FROM files ORDER BY 1";
    let found = sql(query, &["../../corpus/monorepo/p*/prod"]);
    assert!(found.contains("payments/prod") && !found.contains("sandbox"), "{found}");
    assert_eq!(run(&["sql", query, "none*/x"]).status.code(), Some(2));
}

#[test]
fn formats() {
    let query = "SELECT name, 1 AS n, make_array('a', 'b') AS l FROM variables WHERE name = 'home'";
    let of = |format: &str| stdout(&["sql", query, "--format", format, MONOREPO]);
    assert_eq!(of("table"), "name  n  l\nhome  1  [a, b]\n");
    assert_eq!(of("csv"), "name,n,l\nhome,1,a b\n");
    assert_eq!(of("json"), "[{\"name\":\"home\",\"n\":1,\"l\":[\"a\",\"b\"]}]\n");
    assert_eq!(of("ndjson"), "{\"name\":\"home\",\"n\":1,\"l\":[\"a\",\"b\"]}\n");
    let output = run(&["sql", query, "--format", "parquet", MONOREPO]);
    assert!(output.stdout.starts_with(b"PAR1"));
    let nothing = "SELECT name, line FROM variables WHERE false";
    assert_eq!(stdout(&["sql", nothing, "--format", "csv", MONOREPO]), "name,line\n");
    assert_eq!(stdout(&["sql", nothing, "--format", "json", MONOREPO]), "[]\n");
}

#[test]
fn functions() {
    let query = "SELECT hcl_eval('1 + 2') AS a, version_matches('5.2.0', '~> 5.0') AS b, address_in('module.a.x_y.z', 'module.a') AS c";
    assert_eq!(sql(query, &[MONOREPO]), "a,b,c\n3,true,true\n");
    let query = "SELECT count(*) AS n FROM providers WHERE version_matches('5.9.0', version) AND name = 'aws'";
    assert_ne!(sql(query, &[MONOREPO]), "n\n0\n");
    assert_eq!(
        sql("SELECT hcl_eval(text) AS v FROM attributes WHERE text = '200'", &[MONOREPO]),
        "v\n200\n"
    );
}

#[test]
fn what_cannot_run_is_refused() {
    for query in
        ["SELEC 1 FROM x", "SELECT none FROM files", "COPY files TO 'x.csv'", "DROP TABLE files"]
    {
        let output = run(&["sql", query, MONOREPO]);
        assert_eq!(output.status.code(), Some(2), "{query}");
        assert!(output.stderr.starts_with(b"error: "), "{query}");
    }
    let output = run(&["sql", "SELECT 1 FROM files", "/no/such/path"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such/path"));
}

#[test]
fn tables_in_other_formats_are_refused() {
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join("tables");
    let target = target.to_str().unwrap();
    stdout(&["export", MONOREPO, "-o", target, "--format", "csv"]);
    let output = run(&["sql", "SELECT count(*) FROM files", target]);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("its tables are csv, not parquet"), "{errors}");
}

#[test]
fn control_characters_steer_no_terminal() {
    let output = stdout(&["sql", "SELECT chr(27) || '[31m' AS x", MONOREPO]);
    assert!(!output.contains('\u{1b}'), "{output:?}");
}

#[test]
fn exports_are_read_again() {
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join("tables");
    let target = target.to_str().unwrap();
    stdout(&["export", MONOREPO, "../../corpus/show/plan-1.0.json", "-o", target]);
    for table in TABLES {
        let columns: Vec<&str> = table.all_columns().map(|it| it.name).collect();
        let quoted: Vec<String> = columns.iter().map(|name| format!("\"{name}\"")).collect();
        let of = |prefix: &str| {
            let columns = quoted.join(", ");
            format!("SELECT {columns} FROM {prefix}{} ORDER BY {columns}", table.name)
        };
        let live = sql(&of(""), &[MONOREPO, "../../corpus/show/plan-1.0.json"]);
        assert_eq!(sql(&of(""), &[target]), live, "{}", table.name);
        let named = format!("old={target}");
        assert_eq!(sql(&of("old."), &[MONOREPO, &named]), live, "{}", table.name);
    }
    let count = "SELECT count(*) AS n FROM files";
    let url = format!("file://{target}");
    assert_eq!(sql(count, &[&url]), sql(count, &[target]));
    // The same way as in an object store.
    let named = format!("memory={url}");
    assert_eq!(sql("SELECT count(*) AS n FROM memory.files", &[&named]), sql(count, &[target]));
    let missing = run(&["sql", count, "s3://"]);
    assert_eq!(missing.status.code(), Some(2));
    let output = run(&["sql", "SELECT 1 AS x", MONOREPO, target]);
    assert_eq!(output.status.code(), Some(2));
    fs::write(Path::new(target).join("manifest.json"), "{\"version\":[7,1]}").unwrap();
    let output = run(&["sql", "SELECT 1 AS x", target]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("7.1"));
}

/// Prints the rows that DuckDB and Polars count in an export, and compares the first column of each
/// table.
const READER: &str = r#"
import sys, json
import duckdb, polars
directory, tables = sys.argv[1], sys.argv[2:]
for table in tables:
    files = f"{directory}/{table}/**/*.parquet"
    count = duckdb.sql(f"SELECT count(*) FROM read_parquet('{files}')").fetchall()[0][0]
    frame = polars.read_parquet(files)
    assert frame.height == count, table
    column = frame.columns[0]
    ours = sorted(str(it) for it in frame[column].to_list())
    theirs = sorted(str(it[0]) for it in duckdb.sql(f'SELECT "{column}" FROM read_parquet(\'{files}\')').fetchall())
    assert ours == theirs, table
    print(json.dumps([table, count, ours]))
"#;

#[test]
fn duckdb_and_polars_read_exports() {
    let python = std::env::var("SIMD_HCL_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let check = Command::new(&python).args(["-c", "import duckdb, polars"]).output();
    if !check.is_ok_and(|it| it.status.success()) {
        println!("skipped: DuckDB and Polars do not read exports (they are not installed)");
        return;
    }
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join("tables");
    let paths = [MONOREPO, "../../corpus/show"];
    let arguments = [&["export"], &paths[..], &["-o", target.to_str().unwrap()]].concat();
    // Some of the plans cannot be read.
    assert_eq!(run(&arguments).status.code(), Some(1));
    let names = TABLES.map(|table| table.name);
    let reader =
        Command::new(&python).args(["-c", READER]).arg(&target).args(names).output().unwrap();
    let errors = String::from_utf8_lossy(&reader.stderr);
    assert!(reader.status.success(), "{errors}");
    let text = String::from_utf8(reader.stdout).unwrap();
    for (line, table) in text.lines().zip(TABLES) {
        let column = table.columns[0].name;
        let query = format!("SELECT \"{column}\" AS v FROM {}", table.name);
        let output = run(&[&["sql", &query, "--format", "ndjson"], &paths[..]].concat());
        let mut ours: Vec<String> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| match &serde_json::from_str::<serde_json::Value>(line).unwrap()["v"] {
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Null => "None".to_owned(),
                other => other.to_string(),
            })
            .collect();
        ours.sort();
        let expected = serde_json::json!([table.name, ours.len(), ours]);
        assert_eq!(serde_json::from_str::<serde_json::Value>(line).unwrap(), expected);
    }
    assert_eq!(text.lines().count(), TABLES.len());
}

/// On a file system of 1 MB, which a namespace of its own mounts without privileges.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_earlier_export() {
    let directory = tempfile::tempdir().unwrap();
    let script = r#"
        mount -t tmpfs -o size=1m tmpfs "$1" || exit 100
        "$2" export "$3/platform" -o "$1/out" || exit 101
        before=$(cat "$1"/out/*/*/*.parquet | cksum)
        head -c 1M /dev/zero > "$1/filler" 2>/dev/null
        truncate -s -64K "$1/filler"
        "$2" export "$3" -o "$1/out"
        status=$?
        [ "$before" = "$(cat "$1"/out/*/*/*.parquet | cksum)" ] || exit 102
        [ "$(ls -A "$1" | tr '\n' ' ')" = 'filler out ' ] || exit 103
        exit $status"#;
    let unshare = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"])
        .arg(directory.path())
        .args([env!("CARGO_BIN_EXE_simd-hcl-sql"), MONOREPO])
        .output();
    let output = match unshare {
        Ok(output) if !matches!(output.status.code(), None | Some(1 | 100)) => output,
        other => return println!("skipped: no file system can be mounted: {other:?}"),
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("No space left on device") && errors.contains(".parquet"), "{errors}");
}

/// `script` gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_prompt_answers_queries_and_keeps_them() {
    let state = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_simd-hcl-sql");
    let command = format!("'{program}' sql '{MONOREPO}'");
    let child = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .env("XDG_STATE_HOME", state.path())
        .env("TERM", "dumb")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else { return println!("skipped: `script` is missing") };
    let mut input = child.stdin.take().unwrap();
    let lines = "\\d\n\\d  module_calls;\nSELECT count(*) AS types FROM\n  (SELECT DISTINCT type FROM resources);\nSELECT nothing;\n\\q\n";
    input.write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(input);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let listed = TABLES[0].doc_line();
    for part in [&*listed, "module_calls", "data_type", "types", "No field named nothing"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("information_schema"), "{text}");
    let history = fs::read_to_string(state.path().join("simd-hcl/history")).unwrap();
    assert!(history.contains("SELECT DISTINCT type"), "{history}");
}

/// Starts a server for S3 with a tree, a plan and an export, and runs the program that is given.
const S3: &str = r#"
import os, pathlib, sys
import boto3
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
url = f"http://127.0.0.1:{port}"
keys = dict(aws_access_key_id="k", aws_secret_access_key="s", region_name="us-east-1")
client = boto3.client("s3", endpoint_url=url, **keys)
client.create_bucket(Bucket="bucket")
for prefix, directory in (("some/tree", sys.argv[1]), ("tables", sys.argv[2])):
    root = pathlib.Path(directory)
    for path in (it for it in root.rglob("*") if it.is_file()):
        client.put_object(Bucket="bucket", Key=f"{prefix}/{path.relative_to(root).as_posix()}", Body=path.read_bytes())
client.put_object(Bucket="bucket", Key="plan", Body=pathlib.Path(sys.argv[3]).read_bytes())
os.environ.update(AWS_ENDPOINT=url, AWS_ALLOW_HTTP="true", AWS_ACCESS_KEY_ID="k", AWS_SECRET_ACCESS_KEY="s", AWS_REGION="us-east-1")
print("ready", flush=True)
for line in sys.stdin:
    status = os.spawnvp(os.P_WAIT, sys.argv[4], sys.argv[4:] + line.rstrip("\n").split("\t"))
    print(f"status {status}", flush=True)
server.stop()
"#;

#[test]
fn object_stores_are_read() {
    let python = std::env::var("SIMD_HCL_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let check = Command::new(&python).args(["-c", "import boto3, moto.server"]).output();
    if !check.is_ok_and(|it| it.status.success()) {
        println!("skipped: object stores (moto is not installed)");
        return;
    }
    let out = tempfile::tempdir().unwrap();
    let (tables, temporary) = (out.path().join("tables"), out.path().join("temporary"));
    fs::create_dir(&temporary).unwrap();
    let (plan, again) = ("../../corpus/show/plan-1.0.json", out.path().join("again"));
    stdout(&["export", MONOREPO, "-o", tables.to_str().unwrap()]);
    let types = "SELECT type, count(*) AS n FROM resources GROUP BY type ORDER BY type";
    let places = "SELECT DISTINCT repository, path LIKE 's3://bucket/some/tree/%' AS p, module LIKE 's3://bucket/%' AS m FROM files";
    let joined = "SELECT address FROM resources EXCEPT SELECT address FROM old.resources";
    let pruned = "SELECT count(*) AS n FROM blocks WHERE repository = 's3://bucket/some/tree' AND path LIKE '%.json'";
    let count = "SELECT count(*) AS n FROM changes";
    let commands: [&[&str]; 8] = [
        &["sql", types, "s3://bucket/some/tree/", "--format", "csv"],
        &["sql", places, "s3://bucket/some/tree", "--format", "csv"],
        &["sql", types, "s3://bucket/tables", "--format", "csv"],
        &["sql", joined, "s3://bucket/some/tree", "old=s3://bucket/tables", "--format", "csv"],
        &["sql", pruned, "s3://bucket/some/tree", "--format", "csv"],
        &["sql", count, "s3://bucket/plan", "--format", "csv"],
        &["sql", types, "s3://missing/tree"],
        &["export", "s3://bucket/some/tree", "-o", again.to_str().unwrap()],
    ];
    let input: String = commands.map(|command| command.join("\t") + "\n").concat();
    let mut child = Command::new(&python)
        .args(["-c", S3, MONOREPO, tables.to_str().unwrap(), plan])
        .arg(env!("CARGO_BIN_EXE_simd-hcl-sql"))
        .env("TMPDIR", &temporary)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let local = "SELECT count(*) AS n FROM blocks WHERE path LIKE '%.json'";
    let expected = [
        &sql(types, &[MONOREPO]),
        "repository,p,m\ns3://bucket/some/tree,true,true\n",
        &sql(types, &[MONOREPO]),
        "address\n",
        &sql(local, &[MONOREPO]),
        &sql(count, &[plan]),
    ];
    let expected = expected.map(|text| format!("{text}status 0\n")).concat();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, format!("ready\n{expected}status 2\nstatus 0\n"), "{errors}");
    assert!(errors.contains("error: s3://missing/tree"), "{errors}");
    let of = |path: &Path| sql(types, &[path.to_str().unwrap()]);
    assert_eq!(of(&again), of(&tables));
    // The copies are gone.
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

/// `SIMD_HCL_BLESS=1` writes the page.
#[test]
fn the_page_lists_all_columns() {
    let page = stdout(&["tables"]);
    let path = "../../docs/tables.md";
    if std::env::var_os("SIMD_HCL_BLESS").is_some() {
        fs::write(path, &page).unwrap();
    }
    assert!(fs::read_to_string(path).unwrap() == page, "{path} is outdated: set SIMD_HCL_BLESS=1");
}
