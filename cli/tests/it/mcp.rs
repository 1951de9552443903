//! `mcp`: sixty questions about a generated repository, whose answers are computed with it, and both
//! revisions of the protocol.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::tool::{feed_bytes, git, simd_hcl, stdout, tree};

const APPS: usize = 12;
const MODULES: usize = 4;

/// A secret that no answer may have.
const SECRET: &str = "hunter2-hunter2";

/// The text of a generated application.
fn app(number: usize) -> String {
    let (size, called) = (number * 3, number % MODULES);
    format!(
        "terraform {{\n  backend \"local\" {{}}\n}}\n\nvariable \"token\" {{\n  default   = \"{SECRET}\"\n  sensitive = true\n}}\n\n\
         locals {{\n  size = {size}\n}}\n\nmodule \"m\" {{\n  source = \"../../modules/m{called}\"\n  size   = local.size\n  \
         name   = \"app{number}\"\n  token  = var.token\n}}\n\noutput \"id\" {{\n  value = module.m.id\n}}\n\n{}",
        padding(number)
    )
}

/// Configuration that no question is about.
fn padding(number: usize) -> String {
    let block = |at: usize| {
        format!(
            "resource \"terraform_data\" \"other_{number}_{at}\" {{\n  # This block is like many others of the repository.\n  \
             input = {{\n    name  = \"other-{number}-{at}\"\n    owner = \"team-{at}\"\n    kind  = \"padding\"\n  }}\n}}\n\n"
        )
    };
    (0..12).map(block).collect()
}

fn module(number: usize) -> String {
    format!(
        "variable \"size\" {{\n  type = number\n}}\n\nvariable \"name\" {{\n  type = string\n}}\n\nvariable \"token\" {{\n  \
         type      = string\n  sensitive = true\n}}\n\nresource \"terraform_data\" \"r\" {{\n  input = \"${{var.name}}-${{var.size}}\"\n}}\n\n\
         resource \"terraform_data\" \"t\" {{\n  input = var.token\n}}\n\noutput \"id\" {{\n  value = \"${{var.name}}-${{var.size}}\"\n}}\n\n{}",
        padding(100 + number)
    )
}

fn plan(number: usize) -> String {
    let change = |at: usize| {
        json!({
            "address": format!("terraform_data.p{at}"), "mode": "managed", "type": "terraform_data",
            "name": format!("p{at}"), "provider_name": "terraform.io/builtin/terraform",
            "change": { "actions": ["create"], "before": null, "after": { "input": at }, "after_unknown": { "id": true }, "before_sensitive": false, "after_sensitive": {} },
        })
    };
    let changes: Vec<_> = (0..=number).map(change).collect();
    json!({ "format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": changes })
        .to_string()
}

fn schemas() -> String {
    let schema = |at: usize| {
        let attributes = json!({ format!("a{at}"): { "type": "string", "required": true } });
        (format!("x_t{at}"), json!({ "version": 0, "block": { "attributes": attributes } }))
    };
    let types: serde_json::Map<_, _> = (0..5).map(schema).collect();
    json!({ "format_version": "1.0", "provider_schemas": { "registry.opentofu.org/hashicorp/x": { "resource_schemas": types } } }).to_string()
}

/// The repository, committed; then the sizes of five applications change.
fn repository() -> tempfile::TempDir {
    let mut files: Vec<(String, String)> = Vec::new();
    files.extend((0..APPS).map(|at| (format!("apps/a{at}/main.tf"), app(at))));
    files.extend((0..MODULES).map(|at| (format!("modules/m{at}/main.tf"), module(at))));
    files.extend((0..5).map(|at| (format!("plans/p{at}.json"), plan(at))));
    let broken = |at: usize| format!("output \"x\" {{\n  value = var.none{at}\n}}\n");
    files.extend((0..5).map(|at| (format!("broken/b{at}/main.tf"), broken(at))));
    files.push(("schemas.json".to_owned(), schemas()));
    let files: Vec<_> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let directory = tree(&files);
    git(directory.path(), &["init", "-q"]);
    git(directory.path(), &["add", "-f", "."]);
    git(directory.path(), &["commit", "-q", "-m", "one"]);
    for at in 0..5 {
        let path = directory.path().join(format!("apps/a{at}/main.tf"));
        let text = app(at).replace(&format!("size = {}\n", at * 3), "size = 100\n");
        fs::write(path, text).unwrap();
    }
    directory
}

/// Sends messages, and returns the responses.
fn session(directory: &Path, messages: &[Value]) -> Vec<Value> {
    session_with(directory, &[], messages)
}

/// Sends messages to a server with some options, and returns the responses.
fn session_with(directory: &Path, options: &[&str], messages: &[Value]) -> Vec<Value> {
    let input: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let mut command = simd_hcl(&[&["mcp"], options].concat());
    command.current_dir(directory);
    let output = feed_bytes(command, input.as_bytes());
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn call(id: usize, tool: &str, arguments: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

/// The answer of a tool in a response; an error as a text.
fn answer(response: &Value) -> Result<Value, String> {
    let result = &response["result"];
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{response}"));
    match result["isError"].as_bool() {
        Some(true) => Err(text.to_owned()),
        _ => Ok(serde_json::from_str(text).unwrap()),
    }
}

/// A question, and whether an answer is right.
type Question = (&'static str, Value, Box<dyn Fn(&Value) -> bool>);

fn rows<'v>(answer: &'v Value, list: &str) -> &'v [Value] {
    answer[list].as_array().unwrap_or_else(|| panic!("no {list} in {answer}"))
}

/// The applications that call a module.
fn callers(module: usize) -> BTreeSet<String> {
    (0..APPS).filter(|app| app % MODULES == module).map(|app| format!("apps/a{app}")).collect()
}

/// Five questions for each tool.
fn questions() -> Vec<Question> {
    let mut all: Vec<Question> = Vec::new();
    for at in 0..5 {
        let (other, called) = (at + 5, at % MODULES);
        let mut ask = |tool, arguments, is_right: Box<dyn Fn(&Value) -> bool>| {
            all.push((tool, arguments, is_right));
        };
        ask(
            "check",
            json!({ "paths": [format!("broken/b{at}")] }),
            Box::new(move |answer| {
                let found = rows(answer, "diagnostics");
                found.iter().any(|it| {
                    it["severity"] == "error"
                        && it["file"] == format!("broken/b{at}/main.tf")
                        && it["line"] == 2
                        && it["detail"].to_string().contains(&format!("none{at}"))
                })
            }),
        );
        ask(
            "query",
            json!({ "pattern": "module.*.source", "paths": [format!("apps/a{other}")] }),
            Box::new(move |answer| {
                let [found] = rows(answer, "matches") else { return false };
                found["value"] == format!("../../modules/m{}", other % MODULES)
            }),
        );
        ask(
            "references",
            json!({ "address": "local.size", "paths": [format!("apps/a{other}")] }),
            Box::new(move |answer| {
                let [found] = rows(answer, "references") else { return false };
                found["from"] == "module.m" && found["file"] == format!("apps/a{other}/main.tf")
            }),
        );
        ask(
            "dependents",
            json!({ "address": format!("modules/m{called}:var.size") }),
            Box::new(move |answer| {
                let found = rows(answer, "dependents").iter();
                let outputs = found.filter(|it| it["address"] == "output.id");
                let modules: BTreeSet<_> =
                    outputs.map(|it| it["module"].as_str().unwrap().to_owned()).collect();
                let mut expected = callers(called);
                expected.insert(format!("modules/m{called}"));
                modules == expected
            }),
        );
        ask(
            "affected",
            json!({ "files": [format!("modules/m{called}/main.tf")], "roots": true }),
            Box::new(move |answer| {
                let found = rows(answer, "modules").iter();
                let paths: BTreeSet<_> =
                    found.map(|it| it["path"].as_str().unwrap().to_owned()).collect();
                paths == callers(called)
            }),
        );
        ask(
            "why",
            json!({ "address": "module.m.var.size", "directory": format!("apps/a{other}") }),
            Box::new(move |answer| {
                let found = rows(answer, "expressions");
                let local = found.iter().find(|it| it["address"] == "local.size");
                local.is_some_and(|it| it["value"].to_string().contains(&(other * 3).to_string()))
            }),
        );
        ask(
            "expand",
            json!({ "directory": format!("apps/a{other}"), "address": ["module.m.terraform_data.r"] }),
            Box::new(move |answer| {
                let expected = format!("app{other}-{}", other * 3);
                let [found] = rows(answer, "resources") else { return false };
                found["values"]["input"] == expected
            }),
        );
        ask(
            "review",
            json!({ "since": "HEAD", "paths": [format!("apps/a{at}")] }),
            Box::new(move |answer| answer.to_string().contains(&format!("app{at}-100"))),
        );
        ask(
            "plan_summary",
            json!({ "file": format!("plans/p{at}.json") }),
            Box::new(move |answer| {
                answer["summary"]["create"] == at + 1 && rows(answer, "changes").len() == at + 1
            }),
        );
        ask(
            "schema",
            json!({ "file": "schemas.json", "type": format!("x_t{at}") }),
            Box::new(move |answer| {
                let [found] = rows(answer, "schemas") else { return false };
                found["name"] == format!("x_t{at}")
                    && found["schema"]["block"]["attributes"][format!("a{at}")]["type"] == "string"
            }),
        );
        ask(
            "rename",
            json!({ "address": format!("modules/m{called}:var.size"), "new": "count_of" }),
            Box::new(move |answer| {
                let found = rows(answer, "files").iter();
                let paths: BTreeSet<_> =
                    found.map(|it| it["path"].as_str().unwrap().to_owned()).collect();
                let callers = callers(called).into_iter().map(|app| format!("{app}/main.tf"));
                let mut expected: BTreeSet<_> = callers.collect();
                expected.insert(format!("modules/m{called}/main.tf"));
                paths == expected
            }),
        );
        ask(
            "set",
            json!({ "pattern": "locals.size", "value": "7", "paths": [format!("apps/a{other}")] }),
            Box::new(move |answer| {
                let [found] = rows(answer, "files") else { return false };
                found["path"] == format!("apps/a{other}/main.tf")
                    && found["edits"][0]["text"] == "7"
            }),
        );
    }
    all
}

#[test]
fn sixty_questions_are_answered() {
    let directory = repository();
    let questions = questions();
    assert_eq!(questions.len(), 60);
    let messages: Vec<_> = questions
        .iter()
        .enumerate()
        .map(|(id, (tool, arguments, _))| call(id, tool, arguments.clone()))
        .collect();
    let responses = session(directory.path(), &messages);
    assert_eq!(responses.len(), questions.len());
    let mut bytes = 0;
    for ((tool, arguments, is_right), response) in questions.iter().zip(&responses) {
        let text = response["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.len() <= 8_000, "{tool} {arguments}");
        assert!(!text.contains(SECRET), "{tool} {arguments}: {text}");
        bytes += text.len();
        let answer = answer(response).unwrap_or_else(|why| panic!("{tool} {arguments}: {why}"));
        assert!(is_right(&answer), "{tool} {arguments}: {answer}");
    }
    // An answer is at most a tenth of the files that it is about.
    let files = (0..APPS).map(app).chain((0..MODULES).map(module));
    let size: usize = files.map(|text| text.len()).sum();
    assert!(bytes * 10 <= size * questions.len(), "{bytes} bytes for files of {size}");
    // Nothing was written.
    let unchanged = fs::read_to_string(directory.path().join("apps/a7/main.tf")).unwrap();
    assert_eq!(unchanged, app(7));
}

#[test]
fn files_are_written_on_request() {
    let directory = repository();
    let set =
        json!({ "pattern": "locals.size", "value": "7", "paths": ["apps/a7"], "write": true });
    let responses = session(directory.path(), &[call(1, "set", set)]);
    answer(&responses[0]).unwrap();
    let text = fs::read_to_string(directory.path().join("apps/a7/main.tf")).unwrap();
    assert_eq!(text, app(7).replace("size = 21\n", "size = 7\n"));
}

#[test]
fn nothing_outside_of_the_roots_is_read() {
    let directory = tree(&[
        (
            "inner/main.tf",
            "module \"m\" {\n  source = \"../outside\"\n}\noutput \"x\" {\n  value = module.m.y\n}\n",
        ),
        (
            "outside/main.tf",
            "output \"y\" {\n  value = \"from outside\"\n}\nlocals {\n  hidden_name = 1\n}\n",
        ),
        ("outside/hidden_name.tf", "locals {}\n"),
    ]);
    let inner = directory.path().join("inner");
    let outside = directory.path().join("outside");
    let calls = [
        call(1, "check", json!({ "paths": ["../outside"] })),
        call(2, "check", json!({ "paths": [outside] })),
        call(3, "query", json!({ "pattern": "**", "paths": ["--follow-links", "../outside"] })),
        call(4, "why", json!({ "address": "output.x" })),
        call(5, "references", json!({})),
        call(6, "expand", json!({})),
        call(7, "affected", json!({ "files": ["../outside/main.tf"] })),
        call(8, "check", json!({})),
        call(9, "check", json!({ "level": "values" })),
        call(10, "dependents", json!({ "address": "module.m" })),
        call(11, "query", json!({ "pattern": "**" })),
    ];
    let responses = session(&inner, &calls);
    for response in &responses {
        let text = response.to_string();
        assert!(!text.contains("from outside") && !text.contains("hidden_name"), "{text}");
    }
    for refused in [0, 1, 2, 6] {
        assert!(answer(&responses[refused]).is_err(), "{}", responses[refused]);
    }
    let checked = responses[7].to_string();
    assert!(checked.contains("outside of the directories that are read"), "{checked}");
    // Answers do not tell whether something is outside.
    fs::remove_dir_all(&outside).unwrap();
    assert_eq!(session(&inner, &calls), responses);
}

/// The root is a directory of a repository: what is beside it stays unread, by functions, units, links and
/// in revisions, too.
#[test]
fn nothing_of_the_repository_outside_of_the_roots_is_read() {
    let module = "module \"o\" {\n  source = \"../other\"\n}\nlocals {\n  f = file(\"${path.module}/../other/text.txt\")\n}\n\
                  output \"f\" {\n  value = [local.f, module.o.x, 1]\n}\nresource \"terraform_data\" \"d\" {\n  input = [local.f, module.o.x, 1]\n}\n";
    let unit = "include \"r\" {\n  path = find_in_parent_folders(\"root.hcl\")\n}\nlocals {\n  \
                o = read_terragrunt_config(\"../../other/terragrunt.hcl\")\n  f = file(\"../../other/text.txt\")\n}\n\
                terraform {\n  source = \"../mod\"\n}\ninputs = {\n  a = local.o.inputs.a\n  c = local.f\n}\n";
    let directory = tree(&[
        (
            "other/main.tf",
            "locals {\n  outside_name = \"OUTSIDE-1\"\n}\noutput \"x\" {\n  value = \"OUTSIDE-2\"\n}\n\
             resource \"terraform_data\" \"outside_name\" {\n  input = \"OUTSIDE-3\"\n}\n",
        ),
        ("other/text.txt", "OUTSIDE-4"),
        ("other/terragrunt.hcl", "inputs = {\n  a = \"OUTSIDE-5\"\n}\n"),
        ("root.hcl", "inputs = {\n  b = \"OUTSIDE-6\"\n}\n"),
        ("sub/main.tf", module),
        ("sub/u/terragrunt.hcl", unit),
        (
            "sub/mod/main.tf",
            "variable \"a\" {}\nvariable \"b\" {\n  default = 1\n}\nvariable \"c\" {\n  default = 1\n}\n\
             resource \"terraform_data\" \"z\" {\n  input = [var.a, var.b, var.c]\n}\n",
        ),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("../other/main.tf", directory.path().join("sub/linked.tf")).unwrap();
    git(directory.path(), &["init", "-q"]);
    git(directory.path(), &["add", "-f", "."]);
    git(directory.path(), &["commit", "-q", "-m", "one"]);
    for (name, from, to) in [
        ("other/main.tf", "OUTSIDE-", "OUTSIDE-new-"),
        ("other/text.txt", "OUTSIDE-", "OUTSIDE-new-"),
        ("root.hcl", "OUTSIDE-", "OUTSIDE-new-"),
        ("sub/main.tf", ", 1]", ", 2]"),
    ] {
        let path = directory.path().join(name);
        fs::write(&path, fs::read_to_string(&path).unwrap().replace(from, to)).unwrap();
    }
    let calls: Vec<(&str, Value)> = vec![
        ("check", json!({ "level": "values" })),
        ("query", json!({ "pattern": "**" })),
        ("references", json!({})),
        ("dependents", json!({ "address": "../other:local.outside" })),
        ("why", json!({ "address": "output.f" })),
        ("why", json!({ "address": "terraform_data.d.input" })),
        ("why", json!({ "address": "var.a", "directory": "u" })),
        ("expand", json!({})),
        ("expand", json!({ "directory": "u" })),
        ("expand", json!({ "directory": "mod", "var": ["a=${file(\"../../other/text.txt\")}"] })),
        ("review", json!({ "since": "HEAD" })),
        ("review", json!({ "since": "HEAD", "paths": ["."] })),
        ("review", json!({ "since": "HEAD..HEAD" })),
        ("affected", json!({ "since": "HEAD" })),
    ];
    let messages = calls.iter().enumerate();
    let messages: Vec<_> =
        messages.map(|(at, (tool, arguments))| call(at, tool, arguments.clone())).collect();
    let responses = session(&directory.path().join("sub"), &messages);
    for ((tool, arguments), response) in calls.iter().zip(&responses) {
        let text = response.to_string();
        assert!(
            !text.contains("OUTSIDE") && !text.contains("outside_name"),
            "{tool} {arguments}: {text}"
        );
    }
    let review = answer(&responses[10]).unwrap();
    assert!(review.to_string().contains("terraform_data.d"), "{review}");
}

/// Tools read what the options of the server say.
#[test]
fn options_of_the_server_hold_for_tools() {
    let directory = tree(&[
        ("main.tf", "locals {\n  unused = 1\n}\n"),
        ("simd-hcl.toml", "deny = [\"unused-declaration\"]\n"),
        ("other/own.toml", "allow = [\"unused-declaration\"]\n"),
    ]);
    let severities = |options: &[&str]| {
        let responses = session_with(directory.path(), options, &[call(1, "check", json!({}))]);
        let found = answer(&responses[0]).unwrap();
        let found = rows(&found, "diagnostics").iter();
        found.map(|it| it["severity"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(severities(&[]), ["error"]);
    assert_eq!(severities(&["--no-config"]), ["warning"]);
    assert!(severities(&["--config", "other/own.toml"]).is_empty());
}

#[test]
fn both_revisions_are_spoken() {
    let directory = tree(&[("main.tf", "locals {\n  a = 1\n}\n")]);
    let stateless = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let unknown = json!({ "io.modelcontextprotocol/protocolVersion": "1999-01-01" });
    let message = |id: usize, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let responses = session(
        directory.path(),
        &[
            message(
                1,
                "initialize",
                json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } }),
            ),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            message(2, "tools/list", json!({})),
            message(3, "server/discover", json!({ "_meta": stateless })),
            message(4, "tools/list", json!({ "_meta": stateless })),
            message(
                5,
                "tools/call",
                json!({ "name": "query", "arguments": { "pattern": "locals.a" }, "_meta": stateless }),
            ),
            message(6, "tools/list", json!({ "_meta": unknown })),
            message(7, "no/method", json!({})),
            message(8, "tools/call", json!({ "name": "none" })),
            call(9, "query", json!({ "patern": "x" })),
            call(10, "query", json!({ "pattern": 1 })),
            json!([1]),
            message(11, "ping", json!({})),
        ],
    );
    assert_eq!(responses[0]["result"]["protocolVersion"], "2025-06-18");
    let tools = responses[1]["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 12);
    for tool in tools {
        let is_change = ["rename", "set"].contains(&tool["name"].as_str().unwrap());
        assert_eq!(tool["annotations"]["readOnlyHint"], !is_change, "{tool}");
    }
    assert!(responses[1].to_string().len() < 10_000);
    assert_eq!(responses[2]["result"]["supportedVersions"][0], "2026-07-28");
    assert_eq!(responses[2]["result"]["resultType"], "complete");
    assert_eq!(responses[3]["result"]["cacheScope"], "private");
    assert_eq!(responses[4]["result"]["resultType"], "complete");
    assert_eq!(answer(&responses[4]).unwrap()["matches"][0]["line"], 2);
    assert_eq!(responses[5]["error"]["code"], -32022);
    assert_eq!(responses[6]["error"]["code"], -32601);
    assert_eq!(responses[7]["error"]["code"], -32602);
    assert!(answer(&responses[8]).unwrap_err().contains("patern"));
    assert!(answer(&responses[9]).is_err());
    assert_eq!(responses[10]["error"]["code"], -32600);
    assert_eq!(responses[11]["result"], json!({}));
}
