//! Helpers that run the binary: directories, output, exit status.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) fn simd_hcl(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simd-hcl"));
    command.args(arguments).env_remove("SIMD_HCL_KERNEL").env("NO_COLOR", "1");
    command
}

pub(crate) fn run(directory: &Path, arguments: &[&str]) -> Output {
    simd_hcl(arguments).current_dir(directory).output().unwrap()
}

pub(crate) fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the list in a JSON document: a member beside the version and the gaps.
pub(crate) fn list(output: &Output, member: &str) -> Value {
    let mut document = json(output);
    assert_eq!(document["format_version"], "1.0", "{document}");
    assert!(document["incomplete"].is_array(), "{document}");
    assert_eq!(document.as_object().unwrap().len(), 3, "{document}");
    assert!(document[member].is_array(), "{document}");
    document[member].take()
}

pub(crate) fn tree(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

pub(crate) const GOOD: &str = r#"{"resource": {"aws_instance": {"web": {"ami": "a"}}}}"#;

/// Runs the binary with text on its standard input.
pub(crate) fn feed(arguments: &[&str], text: &str) -> Output {
    feed_bytes(simd_hcl(arguments), text.as_bytes())
}

/// Does the same in a directory.
pub(crate) fn feed_in(directory: &Path, arguments: &[&str], text: &str) -> Output {
    let mut command = simd_hcl(arguments);
    command.current_dir(directory);
    feed_bytes(command, text.as_bytes())
}

/// Runs a command with bytes on its standard input.
pub(crate) fn feed_bytes(mut command: Command, bytes: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The pipe is closed before waiting: the command reads to its end.
    let written = child.stdin.take().unwrap().write_all(bytes);
    // A command that fails early closes its input unread.
    if let Err(error) = written
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        panic!("{error}");
    }
    child.wait_with_output().unwrap()
}

/// Returns two modules, one of which calls the other.
pub(crate) fn linked_modules() -> tempfile::TempDir {
    tree(&[
        (
            "app/main.tf.json",
            r#"{"resource": {"vpc": {"main": {}}, "host": {"h": {"net": "${module.net.id}", "x": "${vpc.man.id}"}}},
                "module": {"net": {"source": "../net", "vpc": "${vpc.main.id}"}}}"#,
        ),
        (
            "net/main.tf.json",
            r#"{"variable": {"vpc": {"type": "string"}}, "output": {"id": {"value": "${var.vpc}"}}}"#,
        ),
    ])
}

/// Schemas of a provider as `providers schema -json` prints them.
pub(crate) const PROVIDER_SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {
    "registry.opentofu.org/hashicorp/aws": {"resource_schemas": {"aws_instance": {"version": 1, "block": {
        "attributes": {"ami": {"type": "string", "required": true}, "id": {"type": "string", "computed": true}},
        "block_types": {"disk": {"nesting_mode": "map", "max_items": 1, "block": {
            "attributes": {"size": {"type": "number", "optional": true}}}}}}}}}}}"#;

/// Returns a Packer template in two files.
pub(crate) fn template() -> tempfile::TempDir {
    tree(&[
        (
            "image/a.pkr.json",
            r#"{
  "packer": {
    "required_version": ">= 1.9",
    "required_plugins": {"docker": {"version": ">= 1", "source": "github.com/hashicorp/docker"}}
  },
  "source": {"docker": {"base": {"image": "${var.from}", "tags": "${local.tags}"}}},
  "build": [
    {
      "name": "b",
      "sources": ["source.docker.base"],
      "provisioner": {"shell": {"only": ["docker.base"]}, "file": {}},
      "post-processors": [{"post-processor": {"docker-tag": {}, "docker-push": {}}}]
    }
  ],
  "hcp_packer_registry": {"bucket_name": "images"}
}"#,
        ),
        (
            "image/b.pkr.json",
            r#"{
  "variable": {"from": {"type": "string", "validation": []}},
  "variables": {"zone": 1.0},
  "locals": {"tags": ["${var.zone}"]}
}"#,
        ),
        ("image/c.auto.pkrvars.json", "{\"from\": \"alpine\"}"),
    ])
}

pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Runs git with a neutral identity. It must succeed.
pub(crate) fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(directory)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// Commits everything in a work tree of git.
pub(crate) fn commit(directory: &Path) {
    git(directory, &["add", "-A"]);
    git(directory, &["commit", "-q", "-m", "m"]);
}

/// Returns the commands that the help of the program lists, with what it says of each.
pub(crate) fn commands(help: &str) -> impl Iterator<Item = (&str, &str)> {
    let listed = help.split("Common options:\n").next().unwrap_or_default().lines();
    let listed = listed.filter_map(|line| line.strip_prefix("  ")?.split_once(' '));
    listed.map(|(command, description)| (command, description.trim()))
}
