//! Rows of the tables, and exports.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use arrow::array::RecordBatch;
use simd_hcl_tables::columns::{TABLES, table_of};
use simd_hcl_tables::export::{Format, MANIFEST, Options, export};
use simd_hcl_tables::scan::{Gap, ReadOptions, Wanted, read_units};
use simd_hcl_tables::source::{Copies, FindOptions, Sources};

/// The rows of a table as objects.
fn rows_with(paths: &[PathBuf], name: &str, options: ReadOptions) -> (Vec<Row>, Vec<Gap>) {
    let table = table_of(name).unwrap();
    let sources = Sources::find(paths, FindOptions::default());
    let units = sources.units(table);
    let batches: Arc<Mutex<Vec<RecordBatch>>> = Arc::default();
    let kept = Arc::clone(&batches);
    let take = Box::new(move |_, batch| {
        kept.lock().unwrap().push(batch);
        true
    });
    let gaps =
        read_units(&sources, &units, &[Wanted::all(table)], options, &|_| true, take).unwrap();
    let mut text = Vec::new();
    let mut writer = arrow::json::LineDelimitedWriter::new(&mut text);
    for batch in batches.lock().unwrap().iter() {
        writer.write(batch).unwrap();
    }
    writer.finish().unwrap();
    let lines = std::str::from_utf8(&text).unwrap().lines();
    (lines.map(|line| serde_json::from_str(line).unwrap()).collect(), gaps)
}

type Row = BTreeMap<String, serde_json::Value>;

fn rows(directory: &Path, name: &str) -> Vec<Row> {
    rows_with(&[directory.to_owned()], name, ReadOptions::default()).0
}

/// The texts of a column.
fn column(rows: &[Row], name: &str) -> Vec<String> {
    let text = |row: &Row| match row.get(name) {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    rows.iter().map(text).collect()
}

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    add(directory.path(), files);
    directory
}

fn add(directory: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The same module in both syntaxes.
const NATIVE: &str = r#"terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

variable "password" {
  type      = string
  default   = "hunter2"
  sensitive = true
}

variable "region" {
  default = "eu-west-1"
}

resource "aws_instance" "web" {
  count      = 2
  ami        = "ami-1"
  user_data  = "region ${var.region}"
  depends_on = [aws_vpc.main]

  ebs_block_device {
    volume_size = 8
  }
  ebs_block_device {
    volume_size = upper("x")
  }
  lifecycle {
    prevent_destroy = true
  }
}

data "aws_ami" "base" {
  provider = aws.west
}

module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "1.2.0"
  name    = var.region
}

output "id" {
  value     = sensitive("hidden")
  sensitive = true
}

locals {
  secret = sensitive("locally")
  spaced = [sensitive ("locally")]
  plain  = nonsensitive(var.region)
}
"#;

const JSON: &str = r#"{
  "terraform": {"required_providers": {"aws": {"source": "hashicorp/aws", "version": "~> 5.0"}}},
  "variable": {"password": {"type": "string", "default": "hunter2", "sensitive": true}, "region": {"default": "eu-west-1"}},
  "resource": {"aws_instance": {"web": {"count": 2, "ami": "ami-1", "user_data": "region ${var.region}", "depends_on": ["aws_vpc.main"],
    "lifecycle": {"prevent_destroy": true}}}},
  "data": {"aws_ami": {"base": {"provider": "aws.west"}}},
  "module": {"vpc": {"source": "terraform-aws-modules/vpc/aws", "version": "1.2.0", "name": "${var.region}"}},
  "output": {"id": {"value": "${sensitive(\"hidden\")}", "sensitive": true}},
  "locals": {"secret": "${sensitive(\"locally\")}", "spaced": ["${\u0073ensitive (\"locally\")}"], "plain": "${nonsensitive(var.region)}"}
}"#;

#[test]
fn declarations_are_read_alike_in_both_syntaxes() {
    for (name, text) in [("main.tf", NATIVE), ("main.tf.json", JSON)] {
        let tree = tree(&[(name, text)]);
        let resources = rows(tree.path(), "resources");
        assert_eq!(column(&resources, "address"), ["aws_instance.web", "data.aws_ami.base"]);
        assert_eq!(column(&resources, "mode"), ["managed", "data"]);
        assert_eq!(column(&resources, "provider"), ["aws", "aws.west"]);
        assert_eq!(column(&resources, "count"), ["2", ""]);
        assert_eq!(column(&resources, "depends_on"), [r#"["aws_vpc.main"]"#, ""]);
        assert_eq!(column(&resources, "prevent_destroy"), ["true", ""]);
        let calls = rows(tree.path(), "module_calls");
        assert_eq!(column(&calls, "source"), ["terraform-aws-modules/vpc/aws"]);
        assert_eq!(column(&calls, "arguments"), [r#"["name"]"#]);
        assert_eq!(column(&calls, "is_local"), ["false"]);
        let providers = rows(tree.path(), "providers");
        assert_eq!(column(&providers, "version"), ["~> 5.0"]);
        let variables = rows(tree.path(), "variables");
        assert_eq!(column(&variables, "default"), ["(sensitive)", "\"eu-west-1\""]);
        let references = rows(tree.path(), "references");
        assert!(column(&references, "to").contains(&"var.region".to_owned()));
        let modules = rows(tree.path(), "modules");
        assert_eq!(column(&modules, "resources"), ["2"]);
    }
}

#[test]
fn attributes_have_values_kinds_and_paths() {
    let tree = tree(&[("main.tf", NATIVE)]);
    let rows = rows(tree.path(), "attributes");
    let find = |name: &str| {
        let mut found = rows.iter().filter(|row| row["name"] == name);
        let row = found.next().unwrap();
        (row["kind"].as_str().unwrap().to_owned(), row.get("value").cloned())
    };
    assert_eq!(find("ami"), ("literal".to_owned(), Some("\"ami-1\"".into())));
    assert_eq!(find("user_data"), ("template".to_owned(), None));
    assert_eq!(find("ebs_block_device[0].volume_size").1, Some("8".into()));
    assert_eq!(find("ebs_block_device[1].volume_size"), ("call".to_owned(), None));
    assert_eq!(find("depends_on").0, "list");
    let user_data = rows.iter().find(|row| row["name"] == "user_data").unwrap();
    assert_eq!(user_data["references"], serde_json::json!(["var.region"]));
    assert_eq!(user_data["line"], 23);
    let text = fs::read(tree.path().join("main.tf")).unwrap();
    let at = |name: &str| usize::try_from(user_data[name].as_u64().unwrap()).unwrap();
    assert!(text[at("start_byte")..at("end_byte")].starts_with(b"user_data"));
}

#[test]
fn constant_values_are_json_on_one_line() {
    // The expressions in native syntax and in JSON, and their value; none if it is not constant.
    let cases = [
        (r#""plain text""#, r#""plain text""#, Some(r#""plain text""#)),
        (r#""a \"b\" <c>""#, r#""a \"b\" <c>""#, Some(r#""a \"b\" <c>""#)),
        (r#""$${x} %%{y}""#, r#""$${x} %%{y}""#, Some(r#""${x} %{y}""#)),
        (r#""${"a"}${1}""#, r#""${\"a\"}${1}""#, Some(r#""a1""#)),
        (r#""${var.x}""#, r#""${var.x}""#, None),
        // Escapes of JSON come before templates.
        (r#""$${var.x}""#, r#""\u0024${var.x}""#, Some(r#""${var.x}""#)),
        (r#""${var.x}""#, r#""\u0024{var.x}""#, None),
        (r#""${var.x}""#, r#""$\u007bvar.x}""#, None),
        ("0", "0", Some("0")),
        ("15", "15", Some("15")),
        ("true", "true", Some("true")),
        ("[1,\n\"a\"]", "[1,\n\"a\"]", Some(r#"[1,"a"]"#)),
        ("{ a = 1 }", "{\n\"a\": 1}", Some(r#"{"a":1}"#)),
        ("timestamp()", r#""${timestamp()}""#, None),
    ];
    for (native, json, value) in cases {
        let native = format!("locals {{\n  x = {native}\n}}\n");
        let json = format!("{{\"locals\":{{\"x\":{json}}}}}");
        for (name, text) in [("main.tf", native), ("main.tf.json", json)] {
            let tree = tree(&[(name, &text)]);
            let rows = rows(tree.path(), "attributes");
            assert_eq!(rows.len(), 1, "{text}");
            let found = rows[0].get("value").and_then(|value| value.as_str());
            assert_eq!(found, value, "{text}");
            assert_eq!(rows[0]["kind"] == "literal", value.is_some(), "{text}");
            let refers = rows[0]["references"] == serde_json::json!(["var.x"]);
            assert_eq!(refers, value.is_none() && text.contains("var.x"), "{text}");
        }
    }
}

#[test]
fn secrets_of_configuration_are_hidden_unless_asked_for() {
    let values = "password = \"from-file\"\nregion = \"eu\"\nother = \"elsewhere\"\n";
    let over = "variable \"password\" {\n  default = \"overridden\"\n}\n";
    let files = [("main.tf", NATIVE), ("terraform.tfvars", values), ("a_override.tf", over)];
    for (main, text) in [("main.tf", NATIVE), ("main.tf.json", JSON)] {
        let tree = tree(&[(main, text), files[1], files[2]]);
        let paths = [tree.path().to_owned()];
        for table in TABLES {
            for shows_secrets in [false, true] {
                let (rows, _) = rows_with(&paths, table.name, ReadOptions { shows_secrets });
                let text = serde_json::to_string(&rows).unwrap();
                let secrets =
                    ["hunter2", "hidden", "locally", "from-file", "elsewhere", "overridden"];
                let found: Vec<&str> =
                    secrets.into_iter().filter(|secret| text.contains(secret)).collect();
                match shows_secrets {
                    false => assert!(found.is_empty(), "{}: {found:?} in {text}", table.name),
                    true if table.name == "attributes" => assert_eq!(found, secrets),
                    true => {}
                }
                if table.name == "attributes" {
                    assert!(text.contains("nonsensitive(var.region)"));
                    assert!(text.contains("\\\"eu\\\""));
                }
            }
        }
    }
}

/// Covers values that a call or a run passes to a secret variable of another module, and constants
/// of providers.
#[test]
fn values_for_other_modules_are_hidden_unless_asked_for() {
    let native = r#"
terraform {
  backend "s3" {
    bucket = "public-bucket"
    secret = "hunter-backend"
  }
}
variable "a" {
  type    = object({ a = optional(string, "hunter-type") })
  default = "hunter-default"
}
locals {
  key = "hunter-local"
}
module "c" {
  source = "../c"
  key    = "hunter-argument"
  local  = local.key
  passed = var.a
  open   = "public"
  _ {
    key = "hunter-escaped"
  }
}
provider "x" {
  region = "public-region"
  token  = "hunter-token"
  nested {
    password = "hunter-password"
  }
}
"#;
    let json = r#"{"terraform": {"backend": {"s3": {"bucket": "public-bucket", "secret": "hunter-backend"}}},
        "variable": {"a": {"type": "object({ a = optional(string, \"hunter-type\") })", "default": "hunter-default"}},
        "locals": {"key": "hunter-local"},
        "module": {"c": {"source": "../c", "key": "hunter-argument", "local": "${local.key}", "passed": "${var.a}",
                         "open": "public", "_": {"key": "hunter-escaped"}}},
        "provider": {"x": {"region": "public-region", "token": "hunter-token",
                           "nested": {"password": "hunter-password"}}}}"#;
    let test = r#"
variables {
  key = "hunter-all"
}
run "r" {
  module {
    source = "../c"
  }
  variables {
    key = "hunter-run"
  }
}
"#;
    let called = "variable \"key\" {\n  sensitive = true\n}\nvariable \"open\" {}\n\
                  variable \"local\" {\n  sensitive = true\n}\nvariable \"passed\" {\n  ephemeral = true\n}\n";
    for (name, main) in [("m/main.tf", native), ("m/main.tf.json", json)] {
        let tree = tree(&[(name, main), ("m/t.tftest.hcl", test), ("c/main.tf", called)]);
        let paths = [tree.path().join("m")];
        for table in TABLES {
            let hidden = ReadOptions { shows_secrets: false };
            let (rows, _) = rows_with(&paths, table.name, hidden);
            let text = serde_json::to_string(&rows).unwrap();
            assert!(!text.contains("hunter"), "{}: {text}", table.name);
            if table.name == "attributes" {
                assert!(
                    text.contains("\\\"public\\\"") && text.contains("public-region"),
                    "{text}"
                );
                let shown = ReadOptions { shows_secrets: true };
                let (rows, _) = rows_with(&paths, table.name, shown);
                let text = serde_json::to_string(&rows).unwrap();
                // Each in its text, and in its value unless that is a type.
                assert!((19..=20).contains(&text.matches("hunter").count()), "{text}");
            }
        }
    }
}

#[test]
fn broken_files_have_diagnostics_and_no_rows_elsewhere() {
    let tree = tree(&[
        ("good/main.tf", "resource \"a_b\" \"c\" {}\n"),
        ("bad/main.tf", "resource \"a_b\" \"lost\" {\n  x = [\n"),
        ("bad/more.tf.json", "{\"resource\": {\"a_b\": {\"gone\": {}}"),
        ("bad/plan.json", "{\"format_version\":\"1.2\",\"resource_changes\":[{]}"),
        ("bad/other.json", "{\"format_version\":\"1.0\",\"valid\":true,\"error_count\":0}"),
    ]);
    for table in TABLES {
        let (rows, gaps) = rows_with(&[tree.path().to_owned()], table.name, ReadOptions::default());
        let of_bad = column(&rows, "path").iter().filter(|it| it.contains("bad/")).count();
        match table.name {
            "files" => assert_eq!((of_bad, gaps.len()), (2, 2)),
            "diagnostics" => {
                let paths = column(&rows, "path");
                for name in ["main.tf", "more.tf.json", "plan.json", "other.json"] {
                    assert!(paths.iter().any(|it| it.ends_with(name)), "{name}: {paths:?}");
                }
            }
            _ => {
                assert_eq!(of_bad, 0, "{}", table.name);
                // The files of Terragrunt, of which units are made, are not broken.
                assert_eq!(gaps.is_empty(), table.name == "units", "{}", table.name);
            }
        }
    }
    let missing = tree.path().join("missing");
    let sources = Sources::find(std::slice::from_ref(&missing), FindOptions::default());
    assert_eq!(sources.gaps().len(), 1);
    let rows = rows(&missing, "diagnostics");
    assert_eq!(column(&rows, "code"), ["not-read"]);
}

#[test]
fn projections_do_not_change_values() {
    let paths = [PathBuf::from("../corpus/monorepo"), PathBuf::from("../corpus/show")];
    for table in TABLES {
        let (whole, _) = rows_with(&paths, table.name, ReadOptions::default());
        let sources = Sources::find(&paths, FindOptions::default());
        for (place, wanted) in table.all_columns().enumerate() {
            let text: Arc<Mutex<Vec<u8>>> = Arc::default();
            let kept = Arc::clone(&text);
            let take = Box::new(move |_, batch: RecordBatch| {
                let mut text = kept.lock().unwrap();
                let mut writer = arrow::json::LineDelimitedWriter::new(&mut *text);
                writer.write(&batch).unwrap();
                writer.finish().unwrap();
                true
            });
            let projection = Some(vec![place]);
            let scan = [Wanted { table, projection }];
            let units = sources.units(table);
            read_units(&sources, &units, &scan, ReadOptions::default(), &|_| true, take).unwrap();
            let text = text.lock().unwrap();
            let lines = std::str::from_utf8(&text).unwrap().lines();
            let alone: Vec<Row> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
            let name = wanted.name;
            assert_eq!(column(&alone, name), column(&whole, name), "{}.{name}", table.name);
        }
    }
}

#[test]
fn documents_have_rows_without_secrets() {
    let show = Path::new("../corpus/show");
    let changes = rows(&show.join("plan-1.0.json"), "changes");
    assert!(!changes.is_empty());
    assert!(!rows(&show.join("schemas-1.0.json"), "schemas").is_empty());
    assert!(!rows(&show.join("state-1.0.json"), "state_resources").is_empty());
    let plans = rows(show, "plans");
    assert!(plans.len() > 5);
    let plan = r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_name":"p",
        "change":{"actions":["update"],"before":{"password":"old-secret","size":1},"after":{"password":"new-secret","size":2},"after_unknown":{},
        "before_sensitive":{"password":true},"after_sensitive":{"password":true},"replace_paths":[["size"]]}}]}"#;
    let state = r#"{"version":4,"terraform_version":"1.9.0","serial":7,"lineage":"x","outputs":{},"resources":[{"mode":"managed","type":"a_b","name":"c","provider":"provider[\"h/n/p\"]",
        "instances":[{"index_key":0,"schema_version":1,"attributes":{"password":"state-secret","size":3},"sensitive_attributes":[[{"type":"get_attr","value":"password"}]]}]}]}"#;
    let tree = tree(&[("plan.json", plan), ("terraform.tfstate", state)]);
    let leaves = rows(tree.path(), "change_leaves");
    assert_eq!(column(&leaves, "attribute"), ["password", "size"]);
    assert_eq!(column(&leaves, "before"), ["(sensitive)", "1"]);
    assert_eq!(column(&leaves, "forces_replacement"), ["false", "true"]);
    let values = rows(tree.path(), "state_values");
    assert_eq!(column(&values, "value"), ["(sensitive)", "3"]);
    let resources = rows(tree.path(), "state_resources");
    assert_eq!(column(&resources, "address"), ["a_b.c[0]"]);
    assert_eq!(column(&resources, "serial"), ["7"]);
    let shows = ReadOptions { shows_secrets: true };
    let (leaves, _) = rows_with(&[tree.path().to_owned()], "change_leaves", shows);
    assert_eq!(column(&leaves, "after"), ["\"new-secret\"", "2"]);
}

#[test]
fn calls_have_revisions_and_instances_have_tags() {
    let main = r#"
provider "a" {}
variable "owner" {
  default = "ops"
}
variable "token" {
  default   = "tag-secret"
  sensitive = true
}
module "a" {
  source = "git::https://example.com/a.git//b?depth=1&ref=v1.2.0"
}
module "b" {
  source = "./b?x=ref=1"
}
module "c" {
  source = "./c?ref=1"
}
module "d" {
  source = "git@example.com:a.git?ref=feature%2Fx"
}
module "e" {
  source = "hg::https://example.com/a?rev=tip"
}
resource "a_b" "tagged" {
  tags = { Owner = var.owner, Count = 2, Token = var.token, Late = a_b.other.id, Text = file("../shared.txt") }
}
resource "a_b" "labelled" {
  labels = { team = "x y" }
}
resource "a_b" "other" {
  tags = "none"
}
"#;
    let files = [(".git/HEAD", ""), ("shared.txt", "t"), ("root/main.tf", main)];
    let tree = tree(&files);
    let calls = rows(tree.path(), "module_calls");
    assert_eq!(column(&calls, "ref"), ["v1.2.0", "", "", "feature/x", "tip"]);
    let expanded = rows(tree.path(), "expanded");
    assert_eq!(column(&expanded, "name"), ["labelled", "other", "tagged"]);
    let tagged = r#"{"Count":"2","Owner":"ops","Text":"t","Token":"(sensitive)"}"#;
    assert_eq!(column(&expanded, "tags"), [r#"{"team":"x y"}"#, "", tagged]);
}

#[test]
fn changes_have_the_time_of_their_plan() {
    let plan = r#"{"format_version":"1.2","timestamp":"2024-05-06T07:08:09Z","resource_changes":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_name":"p","change":{"actions":["no-op"],"before":{},"after":{}}}]}"#;
    let tree = tree(&[("plan.json", plan)]);
    assert_eq!(column(&rows(tree.path(), "changes"), "timestamp"), ["2024-05-06T07:08:09Z"]);
}

/// Every cell of every row, hidden ones included: the library's tests write the file.
#[test]
fn documents_have_the_rows_of_the_library() {
    let corpus = Path::new("../corpus");
    let text = fs::read(corpus.join("show/expected/rows.json")).unwrap();
    let documents: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(&text).unwrap();
    let text_of = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut compared = 0;
    for (name, expected) in &documents {
        for (table, lists) in
            [("changes", &["changes", "drift"][..]), ("state_resources", &["resources"])]
        {
            let lists = lists.iter().filter_map(|list| expected.get(*list)?.as_array());
            let wanted: Vec<&serde_json::Value> = lists.flatten().collect();
            if wanted.is_empty() {
                continue;
            }
            let found = rows(&corpus.join(name), table);
            assert_eq!(found.len(), wanted.len(), "{name}: {table}");
            for (found, wanted) in found.iter().zip(wanted) {
                for (column, cell) in wanted.as_object().unwrap() {
                    if ["differences", "attributes"].contains(&column.as_str()) {
                        continue;
                    }
                    let found = found.get(column).map(text_of).unwrap_or_default();
                    let wanted = if cell.is_null() { String::new() } else { text_of(cell) };
                    let is_hidden = wanted == "REDACTED_SENSITIVE" && found == "(sensitive)";
                    assert!(found == wanted || is_hidden, "{name}: {column}: {found} {wanted}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn repositories_are_the_nearest_with_git() {
    let tree = tree(&[
        ("one/.git/HEAD", ""),
        ("one/a/main.tf", "locals {}\n"),
        ("two/.git", "gitdir: elsewhere"),
        ("two/main.tf", "locals {}\n"),
        ("three/main.tf", "locals {}\n"),
    ]);
    let found = column(&rows(tree.path(), "files"), "repository");
    let names: Vec<&str> = found.iter().map(|it| it.rsplit('/').next().unwrap()).collect();
    let root = tree.path().file_name().unwrap().to_str().unwrap();
    assert_eq!(names, ["one", root, "two"]);
}

/// All files of a directory with their bytes.
fn bytes_of(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(path) = pending.pop() {
        for entry in fs::read_dir(&path).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => pending.push(path),
                false => {
                    let name = path.strip_prefix(directory).unwrap().to_owned();
                    found.insert(name, fs::read(path).unwrap());
                }
            }
        }
    }
    found
}

fn many(count: usize) -> tempfile::TempDir {
    let tree = tempfile::tempdir().unwrap();
    for number in 0..count {
        let text = format!("resource \"a_b\" \"r{number}\" {{\n  size = {number}\n}}\n");
        add(tree.path(), &[(&format!("m{number}/main.tf"), &text)]);
    }
    tree
}

#[test]
fn exports_are_incremental_and_the_same_as_new_ones() {
    for format in [Format::Parquet, Format::Arrow, Format::Ndjson, Format::Csv] {
        let tree = many(40);
        let out = tempfile::tempdir().unwrap();
        let paths = [tree.path().to_owned()];
        let options = Options { format, ..Options::default() };
        let (first, fresh) = (out.path().join("first"), out.path().join("fresh"));
        let written = export(&paths, &first, &options).unwrap();
        assert_eq!((written.copied, written.rows["resources"]), (0, 40));
        // Nothing has changed.
        let before = bytes_of(&first);
        let written = export(&paths, &first, &options).unwrap();
        assert_eq!(written.read, 0, "{format:?}");
        assert_eq!(written.rows["resources"], 40);
        assert!(bytes_of(&first) == before, "{format:?}");
        // A file changes, one is new, and a module is gone.
        add(tree.path(), &[("m3/main.tf", "resource \"a_b\" \"new\" {}\n")]);
        add(tree.path(), &[("m40/main.tf", "resource \"a_b\" \"r40\" {}\n")]);
        fs::remove_dir_all(tree.path().join("m7")).unwrap();
        let written = export(&paths, &first, &options).unwrap();
        assert!(written.read < 8 && written.copied > 4, "{written:?}");
        assert_eq!(written.rows["resources"], 40);
        export(&paths, &fresh, &options).unwrap();
        assert!(bytes_of(&first) == bytes_of(&fresh), "{format:?}");
        let names: Vec<_> =
            fs::read_dir(out.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
    }
}

#[test]
fn lines_are_those_of_the_first_bytes() {
    let long = "    # a comment\n".repeat(400);
    let block = |name: &str, inner: &str| {
        format!(
            "resource \"a_b\" \"{name}\" {{\n  deep {{\n    in {{ x = 1 }}\n{long}    y = 2\n  }}\n{inner}  z = 3\n}}\n"
        )
    };
    let text = format!("{}\r\n# é\n{}", block("one", &long), block("two", ""));
    let tree = tree(&[("main.tf", &text)]);
    for name in ["blocks", "attributes", "resources"] {
        let rows = rows(tree.path(), name);
        assert!(rows.len() >= 2);
        for row in rows {
            let start = usize::try_from(row["start_byte"].as_u64().unwrap()).unwrap();
            let lines = text[..start].matches('\n').count() + 1;
            assert_eq!(row["line"], lines, "{row:?}");
        }
    }
}

#[test]
fn parquet_has_the_values_that_were_read() {
    // Texts that are repeated, distinct, and more than a dictionary or a page takes; numbers with
    // large differences; lists that are null or empty.
    let tree = tempfile::tempdir().unwrap();
    let long = "x".repeat(120_000);
    for number in 0..12 {
        let text = format!(
            "resource \"a_b\" \"r{number}\" {{\n  text = \"{number}{long}\"\n  same = [var.x, var.y]\n{}}}\n",
            "  # a comment\n".repeat(number * 7)
        );
        let more: String =
            (0..number * 20).map(|it| format!("variable \"v{it}\" {{}}\n")).collect();
        add(tree.path(), &[("main.tf", ""), (&format!("f{number}.tf"), &(text + &more))]);
    }
    let out = tempfile::tempdir().unwrap();
    let paths = [tree.path().to_owned(), PathBuf::from("../corpus/monorepo")];
    let target = out.path().join("tables");
    export(&paths, &target, &Options::default()).unwrap();
    for table in TABLES {
        let mut read: Vec<Row> = Vec::new();
        for (_, bytes) in bytes_of(&target.join(table.name)) {
            use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
            let reader =
                ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap();
            for batch in reader.build().unwrap() {
                let mut text = Vec::new();
                let mut writer = arrow::json::LineDelimitedWriter::new(&mut text);
                writer.write(&batch.unwrap()).unwrap();
                writer.finish().unwrap();
                let lines = std::str::from_utf8(&text).unwrap().lines();
                read.extend(lines.map(|line| serde_json::from_str::<Row>(line).unwrap()));
            }
        }
        let (expected, _) = rows_with(&paths, table.name, ReadOptions::default());
        let sorted = |rows: &[Row]| {
            let mut texts: Vec<String> =
                rows.iter().map(|row| serde_json::to_string(row).unwrap()).collect();
            texts.sort();
            texts
        };
        assert!(sorted(&read) == sorted(&expected), "{}", table.name);
    }
}

#[test]
fn calls_join_modules_whatever_else_is_in_the_repository() {
    let call = |source: &str| format!("module \"m\" {{\n  source = {source}\n}}\n");
    let lib = "variable \"x\" {}\n";
    let json = r#"{"\u006dodule":{"m":{"source":".\u002f../lib"}}}"#;
    // The call lacks an argument: that is known only if both modules are read together.
    for (name, text) in [
        ("app/main.tf", call("\"../lib\"")),
        ("app/main.tf.json", json.to_owned()),
        ("app/main.tf", call("\"./../${\"lib\"}\"")),
        ("app/main.tf", format!("{}locals {{\n  broken = [\n", call("\"../lib\""))),
    ] {
        let files = [(name, &*text), ("lib/main.tf", lib), ("zzz/main.tf", "locals {}\n")];
        let tree = tree(&files);
        let found = column(&rows(tree.path(), "diagnostics"), "code");
        let is_known = found.contains(&"missing-module-argument".to_owned());
        assert!(is_known || text.contains("broken"), "{text}: {found:?}");
        let modules = rows(tree.path(), "modules");
        assert_eq!(modules.len(), 3, "{text}");
    }
}

/// Copies the files of a directory.
fn copy(from: &Path, to: &Path) {
    for (name, bytes) in bytes_of(from) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn copies_are_named_by_their_urls() {
    let original = PathBuf::from("../corpus/monorepo");
    let out = tempfile::tempdir().unwrap();
    let options = Options { format: Format::Ndjson, ..Options::default() };
    let target = out.path().join("tables");
    let expected = export(std::slice::from_ref(&original), &target, &options).unwrap();
    // The second copy is elsewhere; nothing in the tables says so.
    for place in ["first", "second"] {
        let directory = out.path().join(place);
        copy(&original, &directory);
        let url = original.to_str().unwrap().to_owned();
        let missing = vec![Gap { path: "there".to_owned(), why: "it is gone".to_owned() }];
        let gaps = if place == "first" { Vec::new() } else { missing };
        let copies = Copies::new(vec![(directory.clone(), url)], gaps.clone());
        let options = Options { copies, ..options.clone() };
        let copied = out.path().join("copied");
        let written = export(&[directory], &copied, &options).unwrap();
        assert_eq!(written.gaps, [&expected.gaps[..], &gaps].concat());
        if place == "first" {
            assert_eq!(written.rows, expected.rows);
            assert!(bytes_of(&copied) == bytes_of(&target));
        } else {
            // Modules whose values depend on other files, and the missing file.
            assert!(written.copied > written.read, "{written}");
            assert_eq!(written.rows["diagnostics"], expected.rows["diagnostics"] + 1);
        }
    }
}

/// A pipe that nobody writes to would never end.
#[cfg(unix)]
#[test]
fn pipes_are_not_opened() {
    let tree = many(2);
    let pipe = tree.path().join("m0/pipe.tf");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        return println!("skipped: no pipe can be made");
    }
    let out = tempfile::tempdir().unwrap();
    let paths = [tree.path().to_owned()];
    let written = export(&paths, &out.path().join("tables"), &Options::default()).unwrap();
    assert_eq!(written.rows["resources"], 2);
    let of_pipe = written.gaps.iter().filter(|gap| gap.path.ends_with("pipe.tf"));
    assert!(!written.gaps.is_empty() && of_pipe.count() == written.gaps.len(), "{written:?}");
}

#[test]
fn a_file_that_was_beside_others_is_read_when_it_is_named() {
    let files = [("a.tf", "locals {\n  a = 1\n}\n"), ("b.tf", "locals {\n  b = 2\n}\n")];
    let tree = tree(&files);
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join("tables");
    let tables = vec![table_of("attributes").unwrap()];
    let options = Options { tables, ..Options::default() };
    export(&[tree.path().join("a.tf")], &target, &options).unwrap();
    let written = export(&[tree.path().to_owned()], &target, &options).unwrap();
    assert_eq!(written.rows["attributes"], 2);
}

#[test]
fn failed_exports_change_nothing() {
    let tree = many(3);
    let out = tempfile::tempdir().unwrap();
    let paths = [tree.path().to_owned()];
    let target = out.path().join("tables");
    export(&paths, &target, &Options::default()).unwrap();
    let before = bytes_of(&target);
    add(tree.path(), &[("m1/main.tf", "locals {}\n")]);
    let cancelled = Options { cancelled: Arc::new(AtomicBool::new(true)), ..Options::default() };
    export(&paths, &target, &cancelled).unwrap_err();
    assert!(bytes_of(&target) == before);
    // The files of a killed run are removed.
    add(out.path(), &[(".tables.staging/.lock", ""), (".tables.staging/resources/half", "")]);
    export(&paths, &target, &Options::default()).unwrap();
    let names: Vec<_> =
        fs::read_dir(out.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names, ["tables"]);
    // A directory with something else is not replaced.
    add(out.path(), &[("photos/a.jpg", "")]);
    export(&paths, &out.path().join("photos"), &Options::default()).unwrap_err();
    // Neither are tables of a newer version.
    fs::write(target.join(MANIFEST), "{\"version\":[9,0]}").unwrap();
    let error = export(&paths, &target, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("9.0"), "{error}");
}

#[test]
fn snapshots_are_kept() {
    let tree = many(40);
    let out = tempfile::tempdir().unwrap();
    let paths = [tree.path().to_owned()];
    let target = out.path().join("tables");
    let snapshot = |name: &str| Options { snapshot: Some(name.to_owned()), ..Options::default() };
    export(&paths, &target, &snapshot("a")).unwrap();
    fs::remove_dir_all(tree.path().join("m0")).unwrap();
    let written = export(&paths, &target, &snapshot("b")).unwrap();
    assert!(written.copied > 0, "{written:?}");
    let files = bytes_of(&target.join("resources"));
    let mut counts = BTreeMap::new();
    for (path, bytes) in files {
        use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap();
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            let names = batch.column_by_name("snapshot").unwrap();
            let names = arrow::array::cast::AsArray::as_string::<i32>(names);
            for name in names.iter().flatten() {
                *counts.entry(name.to_owned()).or_insert(0) += 1;
            }
        }
        drop(path);
    }
    assert_eq!(counts, BTreeMap::from([("a".to_owned(), 40), ("b".to_owned(), 39)]));
    export(&paths, &target, &snapshot("b")).unwrap_err();
    // Without the flag they are replaced.
    export(&paths, &target, &Options::default()).unwrap();
    assert_eq!(bytes_of(&target.join("resources")).len(), 1);
}

#[test]
fn units_of_terragrunt_are_rows() {
    let tree = tree(&[
        (".git/HEAD", ""),
        ("root.hcl", "locals {\n  tags = file(\"${get_repo_root()}/tags.yaml\")\n}\n"),
        ("tags.yaml", "a: b\n"),
        (
            "net/terragrunt.hcl",
            "include \"root\" {\n  path = find_in_parent_folders(\"root.hcl\")\n}\n",
        ),
        (
            "app/terragrunt.hcl",
            "terraform {\n  source = \"git::https://example.com/m.git?ref=v1\"\n}\n\
             dependency \"net\" {\n  config_path = \"../net\"\n}\n\
             dependency \"gone\" {\n  config_path = \"../gone\"\n}\n\
             exclude {\n  if      = true\n  actions = [\"apply\"]\n}\n\
             inputs = {\n  id = dependency.net.outputs.id\n}\n",
        ),
        ("live/terragrunt.stack.hcl", "unit \"a\" {\n  source = \"../net\"\n  path = \"a\"\n}\n"),
    ]);
    // No module is in the repository.
    assert!(rows(tree.path(), "modules").is_empty());
    let found = rows(tree.path(), "units");
    let folder = |name: &str| tree.path().join(name).to_string_lossy().into_owned();
    let names = ["app", "live", "net"].map(folder);
    assert_eq!(column(&found, "unit"), names);
    assert_eq!(column(&found, "kind"), ["unit", "stack", "unit"]);
    assert_eq!(column(&found, "path")[1], folder("live/terragrunt.stack.hcl"));
    let app = &found[0];
    assert_eq!(app["source"], "git::https://example.com/m.git?ref=v1");
    assert_eq!(app["dependencies"], serde_json::json!([folder("gone"), folder("net")]));
    assert_eq!(app["inputs"], serde_json::json!(["id"]));
    assert_eq!(app["is_excluded"], true);
    assert_eq!(app["excluded_from"], serde_json::json!(["apply"]));
    assert_eq!((&app["level"], &found[2]["level"]), (&1.into(), &0.into()));
    assert_eq!(app["is_complete"], false);
    assert!(app["incomplete"][0].as_str().unwrap().contains("gone"), "{app:?}");
    let net = &found[2];
    assert_eq!(net["includes"], serde_json::json!([folder("root.hcl")]));
    assert_eq!(net["reading"], serde_json::json!([folder("root.hcl")]));
    assert_eq!(net["also_reading"], serde_json::json!([folder("tags.yaml")]));
    assert_eq!(net["is_complete"], true);
    // A file that is no configuration decides about rows of an export.
    let out = tempfile::tempdir().unwrap();
    let (paths, target) = ([tree.path().to_owned()], out.path().join("tables"));
    let written = export(&paths, &target, &Options::default()).unwrap();
    assert_eq!(written.rows["units"], 3);
    fs::remove_dir_all(tree.path().join("live")).unwrap();
    let written = export(&paths, &target, &Options::default()).unwrap();
    assert_eq!(written.rows["units"], 2);
}
