//! No command, format or interface prints without `--show-sensitive` what `redact` hides: the whole document,
//! the stream, a pipe and a compressed file hide the same.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::tool::{self, feed_in, simd_hcl, status, stderr, stdout, tree};

/// A part of every secret of the corpus.
const SECRET: &str = "S3CR3T";

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/secrets")
}

fn run(arguments: &[&str]) -> Output {
    simd_hcl(arguments).current_dir(corpus()).output().unwrap()
}

fn said(output: &Output) -> String {
    stdout(output) + &stderr(output)
}

/// Asserts that a command prints no secret, and that it does if it is asked to.
fn hides(arguments: &[&str]) -> Output {
    let output = run(arguments);
    let text = said(&output);
    assert!(!text.contains(SECRET), "{arguments:?}: {text}");
    assert!(!stdout(&output).is_empty(), "{arguments:?}: {text}");
    let shown = said(&run(&[arguments, &["--show-sensitive"]].concat()));
    assert!(shown.contains(SECRET), "{arguments:?}: {shown}");
    output
}

#[test]
fn every_format_of_a_plan_hides_secrets() {
    for format in ["human", "tree", "markdown", "html", "json", "ndjson", "csv"] {
        for values in ["--diff", "--values"] {
            hides(&["plan", "plan.json", "--format", format, values]);
        }
    }
    hides(&["plan", "plan.json"]);
    for member in ["--planned-values", "--configuration"] {
        hides(&["plan", "plan.json", member]);
    }
    for format in ["human", "json"] {
        let rule = "change.after.url == null && change.before.copy == null";
        hides(&["plan", "plan.json", "--deny", rule, "--format", format]);
    }
    let unmatched = run(&["plan", "plan.json", "--address", "t.zzz"]);
    assert!(!said(&unmatched).contains(SECRET) && said(&unmatched).contains("REDACTED_SENSITIVE"));
    let repeats = run(&["plan", "repeats.json", "--diff"]);
    assert!(!said(&repeats).contains("hunter2"), "{}", said(&repeats));
}

#[test]
fn every_format_of_a_state_hides_secrets() {
    for format in ["human", "json", "ndjson", "csv", "html"] {
        hides(&["state", "state.json", "--values", "--format", format]);
        let schemas = ["--provider-schemas", "schemas.json"];
        let of_file = ["state", "tfstate.json", "--values", "--format", format];
        hides(&[&of_file[..], &schemas].concat());
    }
    let marked = run(&["state", "tfstate.json", "--values"]);
    assert!(stderr(&marked).contains("warning[missing-state-schema]"), "{}", stderr(&marked));
    assert!(!stderr(&run(&["state", "tfstate.json"])).contains("missing-state-schema"));
}

/// A copy of the binary's output that does not depend on where the input comes from.
fn normal(text: String) -> String {
    text.replace("stdin.json", "FILE").replace("plan.json.gz", "FILE").replace("plan.json", "FILE")
}

#[test]
fn streams_pipes_and_compressed_files_hide_the_same() {
    let text = fs::read(corpus().join("plan.json")).unwrap();
    let folder = tree(&[]);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&text).unwrap();
    fs::write(folder.path().join("plan.json.gz"), packed.finish().unwrap()).unwrap();
    fs::write(folder.path().join("plan.json"), &text).unwrap();
    let run = |arguments: &[&str], flags: &[&str]| {
        let file = fs::File::open(folder.path().join("plan.json")).unwrap();
        let arguments = [arguments, flags].concat();
        let mut command: Command = simd_hcl(&arguments);
        command.current_dir(folder.path()).stdin(file).output().unwrap()
    };
    for flags in [
        &["--diff"][..],
        &["--values", "--format", "ndjson"],
        &["--values", "--format", "csv"],
        &["--type", "t"],
    ] {
        let kept = run(&["plan", "plan.json"], flags);
        for other in [
            &["plan", "plan.json", "--stream-from", "1"][..],
            &["plan", "plan.json.gz"],
            &["plan", "-", "--stream-from", "100"],
            &["plan", "-"],
        ] {
            let output = run(other, flags);
            assert_eq!(normal(stdout(&output)), normal(stdout(&kept)), "{other:?} {flags:?}");
            assert_eq!(status(&output), status(&kept), "{other:?} {flags:?}");
            assert!(!said(&output).contains(SECRET), "{other:?} {flags:?}");
        }
    }
}

/// A document that may be misread shows no value, and says so.
#[test]
fn a_document_that_is_not_understood_shows_no_value() {
    for flags in [&["--diff"][..], &["--format", "json"], &["--stream-from", "1", "--diff"]] {
        let output = run(&[&["plan", "duplicate.json"], flags].concat());
        let text = said(&output);
        assert!(!text.contains(SECRET) && text.contains("which values are sensitive"), "{text}");
    }
    assert_eq!(status(&run(&["redact", "duplicate.json"])), 1);
}

#[test]
fn defaults_are_kept_if_asked_for() {
    assert!(!said(&run(&["redact", "plan.json"])).contains(SECRET));
    assert!(!said(&run(&["redact", "plan.json", "--defaults"])).contains(SECRET));
    let kept = said(&run(&["redact", "plan.json", "--keep-defaults"]));
    assert!(kept.contains("S3CR3T-default") && !kept.contains("S3CR3T-4dor"), "{kept}");
}

/// The key of a deposed object is a text of the document like others.
#[test]
fn keys_of_deposed_objects() {
    let secret = "Tr0ub4dor &3";
    let state = serde_json::json!({"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l",
        "outputs": {}, "resources": [{"mode": "managed", "type": "x_y", "name": "z",
            "provider": "provider[\"registry.terraform.io/hashicorp/x\"]",
            "instances": [{"schema_version": 0, "deposed": secret, "attributes": {"key": secret},
                "sensitive_attributes": [[{"type": "get_attr", "value": "key"}]]}]}]});
    let change = serde_json::json!({"actions": ["delete"], "before": {"key": secret}, "after": null,
        "after_unknown": {}, "before_sensitive": {"key": true}, "after_sensitive": false});
    let plan = serde_json::json!({"format_version": "1.2", "terraform_version": "1.9.0",
        "planned_values": {"root_module": {}}, "resource_changes": [{"address": "x_y.z",
            "mode": "managed", "type": "x_y", "name": "z", "provider_name": "p", "deposed": secret,
            "change": change}]});
    let tree =
        crate::tool::tree(&[("state.json", &state.to_string()), ("plan.json", &plan.to_string())]);
    for (command, file) in [("state", "state.json"), ("plan", "plan.json")] {
        for format in ["human", "json", "ndjson", "csv"] {
            let output = crate::tool::run(tree.path(), &[command, file, "--format", format]);
            let text = crate::tool::stdout(&output) + &crate::tool::stderr(&output);
            assert!(!text.contains("Tr0ub4dor"), "{command} {format}: {text}");
        }
    }
}

/// A protobuf message of fields with bytes.
fn message(fields: &[(u8, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, content) in fields {
        // Shorter than 128 bytes each, or longer than that by a second byte of the length.
        out.push(number << 3 | 2);
        match u8::try_from(content.len()) {
            Ok(length) if length < 128 => out.push(length),
            _ => out.extend([(content.len() % 128) as u8 | 128, (content.len() / 128) as u8]),
        }
        out.extend_from_slice(content);
    }
    out
}

/// A gap names an instance by its key, which may be a secret.
#[test]
fn what_a_plan_file_lacks_is_said_without_secrets() {
    let secret = b"S3CR3T-of-a-key";
    // {"a": SECRET, "n": "1"} in MessagePack.
    let value = [b"\x82\xa1a\xaf", &secret[..], b"\xa1n\xa11"].concat();
    let path = message(&[(1, &message(&[(1, b"a")]))]);
    let change = [b"\x08\x01".to_vec(), message(&[(2, &message(&[(1, &value)])), (4, &path)])];
    let address = [b"other_thing.c[\"", &secret[..], b"\"]"].concat();
    let provider = br#"provider["registry.terraform.io/test/other"]"#;
    let change = message(&[(8, provider), (9, &change.concat()), (13, &address)]);
    let plan = [b"\x08\x03".to_vec(), message(&[(3, &change), (14, b"1.15.5")])].concat();
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in [
        ("tfplan", &plan[..]),
        ("tfconfig/modules.json", br#"[{"Key": "", "Dir": "."}]"#),
        ("tfconfig/m-/main.tf", b""),
    ] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    let folder = tree(&[]);
    fs::write(folder.path().join("p.tfplan"), archive.finish().unwrap().into_inner()).unwrap();
    let run = |arguments: &[&str]| {
        said(&simd_hcl(arguments).current_dir(folder.path()).output().unwrap())
    };
    for format in ["human", "tree", "markdown", "html", "json", "ndjson", "csv"] {
        let text = run(&["plan", "p.tfplan", "--format", format]);
        assert!(text.contains("no schema for"), "{format}: {text}");
        assert!(!text.contains(SECRET), "{format}: {text}");
        let text = run(&["plan", "p.tfplan", "--against", "p.tfplan", "--format", format]);
        assert!(!text.contains(SECRET), "{format}: {text}");
    }
    for member in ["--planned-values", "--configuration"] {
        let text = run(&["plan", "p.tfplan", member]);
        assert!(!text.contains(SECRET), "{member}: {text}");
    }
    let rule = "change.after.n == null";
    let text = run(&["plan", "p.tfplan", "--deny", rule, "--format", "json"]);
    assert!(!text.contains(SECRET), "{text}");
    let shown = run(&["plan", "p.tfplan", "--format", "json", "--show-sensitive"]);
    assert!(shown.matches(SECRET).count() > 1, "{shown}");
}

/// A word of the format that no tool writes may be a copy of a secret, which `redact` hides there.
#[test]
fn words_of_the_format_hide_copies() {
    let plan = |at: &str| {
        let word =
            |name: &str, usual: &str| if name == at { "Tr0ub4dor-word" } else { usual }.to_owned();
        let (mode, ty) = (word("mode", "managed"), word("type", "x_y"));
        let (action, reason) =
            (word("action", "update"), word("reason", "replace_because_tainted"));
        let (kind, status) = (word("kind", "check"), word("status", "fail"));
        let deferred = word("deferred", "instance_count_unknown");
        let change = format!(
            r#"{{"address":"x_y.z","mode":"{mode}","type":"{ty}","name":"z","action_reason":"{reason}",
               "change":{{"actions":["{action}"],"before":{{"password":"Tr0ub4dor-word"}},"after":{{"password":"Tr0ub4dor-new"}},
               "after_unknown":{{}},"before_sensitive":{{"password":true}},"after_sensitive":{{"password":true}}}}}}"#
        );
        format!(
            r#"{{"format_version":"1.2","planned_values":{{"root_module":{{}}}},"resource_changes":[{change}],
               "resource_drift":[{change}],"deferred_changes":[{{"reason":"{deferred}","resource_change":{change}}}],
               "output_changes":{{"o":{{"actions":["{action}"],"before":1,"after":2,"after_unknown":false,
               "before_sensitive":false,"after_sensitive":false}}}},
               "checks":[{{"address":{{"kind":"{kind}","name":"c","to_display":"check.c"}},"status":"{status}",
               "instances":[{{"address":{{"to_display":"check.c"}},"status":"{status}","problems":[]}}]}}]}}"#
        )
    };
    for at in ["mode", "type", "action", "reason", "kind", "status", "deferred"] {
        let tree = crate::tool::tree(&[("plan.json", &plan(at))]);
        for format in ["human", "json", "ndjson", "csv", "markdown", "html"] {
            for diff in [&["--diff"][..], &[]] {
                let command = [&["plan", "plan.json", "--format", format], diff].concat();
                let output = crate::tool::run(tree.path(), &command);
                let text = crate::tool::stdout(&output) + &crate::tool::stderr(&output);
                assert!(!text.contains("Tr0ub4dor"), "{at}: {command:?}: {text}");
            }
        }
    }
}

/// The value of a sensitive output, wherever the stream repeats it; only the lines before it are printed as they
/// arrive.
#[test]
fn event_streams_hide_secrets() {
    let lines = [
        r#"{"@level":"info","@message":"Terraform 1.9.0","@timestamp":"2026-01-01T00:00:00Z","terraform":"1.9.0","type":"version","ui":"1.2"}"#,
        r#"{"@level":"info","@message":"m","@timestamp":"2026-01-01T00:00:01Z","type":"planned_change","change":{"resource":{"addr":"a.b[\"Tr0ub4dor\"]","resource_type":"a"},"action":"create"}}"#,
        r#"{"@level":"error","@message":"m","@timestamp":"2026-01-01T00:00:01Z","type":"diagnostic","diagnostic":{"severity":"error","summary":"s","detail":"\"Tr0ub4dor\" is bad","address":"a.b[\"Tr0ub4dor\"]"}}"#,
        r#"{"@level":"info","@message":"Outputs: 2","@timestamp":"2026-01-01T00:00:02Z","type":"outputs","outputs":{"a":{"sensitive":true,"value":"Tr0ub4dor"},"b":{"sensitive":false,"value":"x Tr0ub4dor"},"c":{"sensitive":false,"value":"public"}}}"#,
        r#"{"@level":"error","@message":"Error: Tr0ub4dor","@timestamp":"2026-01-01T00:00:03Z","type":"diagnostic","diagnostic":{"severity":"warning","summary":"Tr0ub4dor","detail":"d"}}"#,
        "text with Tr0ub4dor",
    ];
    let tree = tree(&[("log.jsonl", &(lines.join("\n") + "\n"))]);
    for format in ["human", "tree", "json", "ndjson", "csv", "markdown"] {
        for flag in [&[][..], &["--follow"]] {
            let arguments = [&["plan", "-", "--format", format], flag].concat();
            let output = feed_in(tree.path(), &arguments, &(lines.join("\n") + "\n"));
            let text = stdout(&output) + &stderr(&output);
            assert!(!text.contains("Tr0ub4dor"), "{arguments:?}: {text}");
            let has_outputs = ["human", "tree", "json"].contains(&format);
            assert!(!has_outputs || text.contains("public"), "{arguments:?}: {text}");
        }
        let output = tool::run(tree.path(), &["plan", "log.jsonl", "--format", format]);
        assert!(!stdout(&output).contains("Tr0ub4dor"), "{format}: {}", stdout(&output));
    }
}
