//! Binary plan files, compressed documents and event streams, as commands read them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::tool::{feed, gzip, json, list, run, simd_hcl, status, stderr, stdout};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/conformance/plan-file")
}

fn case(name: &str) -> String {
    format!("cases/{name}/plan.bin")
}

/// Returns a zstd frame of uncompressed blocks, with the total length in its header.
fn zstd(content: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 1 << 10;
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0xA0];
    frame.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
    let blocks = content.len().div_ceil(BLOCK);
    for (place, block) in content.chunks(BLOCK).enumerate() {
        let is_last = u32::from(place + 1 == blocks);
        let head = u32::try_from(block.len()).unwrap() << 3 | is_last;
        frame.extend(&head.to_le_bytes()[..3]);
        frame.extend(block);
    }
    frame
}

#[test]
fn show_json_is_what_the_tool_prints() {
    let mut equal = 0;
    let mut others = Vec::new();
    for entry in fs::read_dir(folder().join("cases")).unwrap() {
        let path = entry.unwrap().path();
        let Ok(expected) = fs::read_to_string(path.join("show.json")) else { continue };
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let (plan, schemas) = (case(&name), "cases/schemas.json");
        let arguments = ["plan", "--format", "show-json", "--provider-schemas", schemas, &plan];
        let output = run(&folder(), &arguments);
        assert_eq!((status(&output), stderr(&output).as_str()), (0, ""), "{name}");
        let shown = stdout(&output);
        if shown == expected {
            equal += 1;
        } else {
            // The tool prints some lists in any order.
            let letters = |text: &str| {
                let mut letters = text.as_bytes().to_vec();
                letters.sort_unstable();
                letters
            };
            assert_eq!(letters(&shown), letters(&expected), "{name}");
            others.push(name);
        }
    }
    assert!(equal >= 20 && others.len() <= 3, "{equal} {others:?}");
}

#[test]
fn commands_read_plan_files() {
    let folder = folder();
    let output = run(&folder, &["plan", &case("data-change")]);
    assert_eq!(status(&output), 0);
    assert!(stdout(&output).contains("-/+ terraform_data.a replace"), "{}", stdout(&output));
    let output = run(&folder, &["plan", "--format", "json", &case("count-down")]);
    assert_eq!(json(&output)["summary"]["delete"], 11);

    let output = run(&folder, &["state", "--format", "ndjson", &case("tree-keep")]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains(r#""address":"module.a[0].stub_plain.p""#));

    let output = run(&folder, &["config", "--format", "json", &case("tree")]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let call = &json(&output)["root_module"]["module_calls"]["a"]["module"];
    assert_eq!(call["module_calls"]["leaf"]["source"], "./leaf");
    let output = run(&folder, &["inspect", "--format", "json", &case("tree")]);
    let modules = list(&output, "modules");
    let files = modules.as_array().unwrap().iter().map(|module| &module["files"][0]["name"]);
    assert!(files.eq(["main.tf.json"; 3].iter()), "{modules}");

    let output = run(&folder, &["schema", &case("tree"), "stub_plain"]);
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("it holds no schemas (tfschemas)"), "{}", stderr(&output));
}

#[test]
fn redaction_needs_schemas() {
    let folder = folder();
    let secrets =
        ["top-secret", "pw-single", "pw-list", "pw-map", "pw-set", "rule-secret", "hidden-token"];
    let plan = case("create-thing");
    let output = run(&folder, &["redact", &plan]);
    assert_eq!((status(&output), stdout(&output).as_str()), (1, ""));
    assert!(stderr(&output).contains("missing-plan-schema"), "{}", stderr(&output));
    for arguments in [
        &["redact", "--provider-schemas", "cases/schemas.json", &plan][..],
        &["plan", "--diff", "--provider-schemas", "cases/schemas.json", &plan],
    ] {
        let output = run(&folder, arguments);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let text = stdout(&output);
        // The configuration is the work of `redact` on printed plans.
        let text = text.split("\"configuration\"").next().unwrap();
        for secret in secrets {
            assert!(!text.contains(secret), "{arguments:?} {secret}");
        }
        assert!(text.contains("12345678901234567890123"));
    }
    // Built-in types have schemas.
    let output = run(&folder, &["redact", &case("data-keep")]);
    assert!(status(&output) == 2 || status(&output) == 0);
    let output = run(&folder, &["redact", "--force", &plan]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
}

#[test]
fn missing_information_is_reported() {
    let folder = folder();
    let output = run(&folder, &["plan", &case("create-thing")]);
    assert_eq!(status(&output), 0);
    let told = stderr(&output);
    assert!(told.contains("warning[missing-plan-schema]") && told.contains("stub_thing"), "{told}");
    let output = run(&folder, &["plan", "--format", "json", &case("create-thing")]);
    let incomplete = json(&output)["incomplete"].clone();
    assert_eq!(incomplete[0]["what"], "missing-plan-schema", "{incomplete}");
    assert!(incomplete[0]["why"].as_str().unwrap().contains("texts that may be numbers"));
    let directory = tempfile::tempdir().unwrap();
    let whole = fs::read(folder.join(case("tree"))).unwrap();
    fs::write(directory.path().join("cut.bin"), &whole[..whole.len() / 2]).unwrap();
    for command in ["plan", "state", "redact"] {
        let output = run(directory.path(), &[command, "cut.bin"]);
        assert_eq!((status(&output), stdout(&output).as_str()), (1, ""), "{command}");
        assert!(stderr(&output).contains("error[unreadable-plan-file]"), "{}", stderr(&output));
    }
    for command in ["config", "inspect"] {
        let output = run(directory.path(), &[command, "cut.bin"]);
        assert_eq!(status(&output), 2, "{command}");
    }
    let output = run(&folder, &["plan", "--max-decompressed", "100", &case("tree")]);
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("more than 100 bytes"), "{}", stderr(&output));
    let encrypted = r#"{"meta":{},"encrypted_data":"AAAA","encryption_version":"v0"}"#;
    let output = feed(&["plan", "-"], encrypted);
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("encrypted"), "{}", stderr(&output));
}

#[test]
fn compressed_and_converted_documents_are_read() {
    let folder = folder();
    let directory = tempfile::tempdir().unwrap();
    let plan = fs::read(folder.join("cases/data-change/show.json")).unwrap();
    let state =
        br#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","resources":[]}"#;
    let schemas = fs::read(folder.join("cases/schemas.json")).unwrap();
    let utf16 = |text: &[u8]| {
        let text = std::str::from_utf8(text).unwrap();
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    for (name, content) in [("plan", &plan[..]), ("state", state), ("schemas", &schemas)] {
        fs::write(directory.path().join(name), content).unwrap();
        fs::write(directory.path().join(format!("{name}.gz")), gzip(content)).unwrap();
        fs::write(directory.path().join(format!("{name}.16")), utf16(content)).unwrap();
        fs::write(directory.path().join(format!("{name}.16.gz")), gzip(&utf16(content))).unwrap();
    }
    for arguments in [
        &["plan", "--format", "json", "plan"][..],
        &["redact", "plan"],
        &["state", "--format", "json", "state"],
        &["schema", "schemas", "stub_plain"],
    ] {
        let expected = run(directory.path(), arguments);
        assert_eq!(status(&expected), 0, "{arguments:?} {}", stderr(&expected));
        for suffix in [".gz", ".16", ".16.gz"] {
            let file = |argument: &&str| directory.path().join(argument).exists();
            let arguments: Vec<String> =
                arguments
                    .iter()
                    .enumerate()
                    .map(|(place, it)| {
                        if place > 0 && file(it) {
                            format!("{it}{suffix}")
                        } else {
                            (*it).to_owned()
                        }
                    })
                    .collect();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let output = run(directory.path(), &arguments);
            assert_eq!(stdout(&output), stdout(&expected), "{arguments:?} {}", stderr(&output));
        }
    }
    let file = fs::read(folder.join("cases/tree/plan.bin")).unwrap();
    fs::write(directory.path().join("file"), &file).unwrap();
    fs::write(directory.path().join("file.gz"), gzip(&file)).unwrap();
    fs::write(directory.path().join("file.zst"), zstd(&file)).unwrap();
    for command in ["config", "inspect", "check", "plan", "state", "redact"] {
        let expected = run(directory.path(), &[command, "file"]);
        assert!(!stdout(&expected).is_empty() || status(&expected) > 0, "{command}");
        for name in ["file.gz", "file.zst"] {
            let output = run(directory.path(), &[command, name]);
            let text = stdout(&output).replace(name, "file");
            assert_eq!(text, stdout(&expected), "{command} {}", stderr(&output));
            assert_eq!(status(&output), status(&expected), "{command}");
        }
    }
    let output = run(directory.path(), &["config", "--max-decompressed", "10", "file.gz"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("more than 10 bytes"), "{}", stderr(&output));
    let output = run(directory.path(), &["plan", "--max-decompressed", "10", "plan.gz"]);
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("more than 10 bytes"), "{}", stderr(&output));
}

#[test]
fn event_streams_are_summarised() {
    let folder = folder();
    let output = run(&folder, &["plan", "events/plan.jsonl"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("1 create, 1 delete, 2 replace, 1 no-op\n"), "{text}");
    for part in [
        "-/+ stub_plain.a replace (cannot update)",
        "  - stub_plain.c delete (delete because no resource config)",
        "stub_plain.new move (moved from stub_plain.old)",
        "changed outside of the plan\n  ~ stub_plain.b update",
        "  ~ s (sensitive)",
        "plan 3 added, 0 changed, 3 destroyed",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let output = run(&folder, &["plan", "--format", "json", "events/apply.jsonl"]);
    let shown = json(&output);
    assert_eq!(shown["tool"], "Terraform");
    assert_eq!(shown["counts"][1]["operation"], "apply");
    let operations = shown["operations"].as_array().unwrap();
    let is_made = |it: &&serde_json::Value| it["action"] == "create" && it["outcome"] == "complete";
    assert_eq!(operations.iter().filter(is_made).count(), 2, "{operations:?}");
    assert!(operations.iter().all(|it| it["seconds"].is_number()));
    let output =
        run(&folder, &["plan", "--format", "ndjson", "--action", "delete", "events/plan.jsonl"]);
    assert_eq!(stdout(&output).lines().count(), 1);
}

#[test]
fn event_streams_are_summarised_as_markdown() {
    let folder = folder();
    let markdown = |arguments: &[&str]| {
        let output = run(&folder, &[&["plan", "--format", "markdown"], arguments].concat());
        stdout(&output)
    };
    let text = markdown(&["events/plan.jsonl"]);
    for part in [
        "### Plan: 1 create, 1 delete, 2 replace, 1 no-op\n",
        "\n**`plan`:** 3 added, 0 changed, 3 destroyed\n",
        "\n**Changes**\n\n- `- stub_plain.c delete (delete because no resource config)`\n- `-/+ stub_plain.a",
        "\n**Changed outside of the plan**\n\n- `~ stub_plain.b update`\n",
        "- `~` `s` (sensitive)\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let text = markdown(&["events/failed.jsonl"]);
    assert!(text.contains("\n**Errors**\n\n- `local-exec provisioner error`"), "{text}");
    assert!(text.contains("\n**Failed operations**\n\n- `"), "{text}");
    let text = markdown(&["events/plan.jsonl", "--max-bytes", "300"]);
    assert!(text.len() <= 300, "{text}");
    assert!(text.contains("more that do not fit into 300 bytes"), "{text}");
    assert!(markdown(&["events/plan.jsonl", "--action", "read"]).contains("no change is selected"));
}

/// Documents, plan files and event streams are compared in every combination.
#[test]
fn plans_are_compared_whatever_they_are() {
    let folder = folder();
    let work = tempfile::tempdir().unwrap();
    let at = |name: &str| work.path().join(name).to_str().unwrap().to_owned();
    let change = |address: &str, action: &str, after: &str| {
        serde_json::json!({"address": address, "type": "stub_plain", "name": "x", "mode": "managed",
            "change": {"actions": [action], "before": null, "after": {"v": after}}})
    };
    let plan = |changes: &[serde_json::Value]| serde_json::json!({"format_version": "1.2", "planned_values": {}, "resource_changes": changes});
    let event = |address: &str, action: &str| {
        serde_json::json!({"@level": "info", "@message": "x", "type": "planned_change", "change": {
            "resource": {"addr": address, "resource_type": "stub_plain"}, "action": action}})
    };
    let new = plan(&[change("stub_plain.a", "create", "1"), change("stub_plain.b", "create", "2")]);
    fs::write(at("new.json"), new.to_string()).unwrap();
    let old = plan(&[change("stub_plain.a", "create", "other")]);
    fs::write(at("old.json"), old.to_string()).unwrap();
    let lines =
        format!("{}\n{}\n", event("stub_plain.a", "create"), event("stub_plain.b", "delete"));
    fs::write(at("log"), lines).unwrap();
    let addresses = |new: &str, old: &str| -> Vec<String> {
        let output =
            run(work.path(), &["plan", new, "--against", old, "--format", "json", "--quiet"]);
        let shown = json(&output);
        let has_log = new == "log" || old == "log";
        let gap = shown["incomplete"].as_array().unwrap().iter().any(|it| it["what"] == "against");
        assert_eq!(gap, has_log, "{shown}");
        let changes = shown["changes"].as_array().unwrap().iter();
        changes.map(|it| it["address"].as_str().unwrap().to_owned()).collect()
    };
    // Values of a stream are not known, so changes with the same action are equal.
    assert_eq!(addresses("new.json", "old.json"), ["stub_plain.a", "stub_plain.b"]);
    assert_eq!(addresses("new.json", "log"), ["stub_plain.b"]);
    assert_eq!(addresses("log", "new.json"), ["stub_plain.b"]);
    assert_eq!(addresses("log", "old.json"), ["stub_plain.b"]);
    assert!(addresses("log", "log").is_empty());
    let output = run(work.path(), &["plan", "log", "--against", "log"]);
    assert!(stdout(&output).starts_with("no change is selected; the stream has 2 changes\n"));
    assert!(stderr(&output).contains("incomplete: log: an event stream has no values"));
    // A plan file equals its JSON.
    let file = folder.join("cases/update-thing/plan.bin");
    let file = file.to_str().unwrap();
    let shown = run(&folder, &["plan", file, "--format", "show-json"]);
    fs::write(at("shown.json"), &shown.stdout).unwrap();
    for (new, old) in [(file, "shown.json"), ("shown.json", file), (file, file)] {
        assert!(addresses(new, old).is_empty(), "{new} {old}");
    }
    assert!(!addresses(file, "old.json").is_empty());
    for (old, what) in [("missing", "No such file"), ("empty", "error[")] {
        fs::write(at("empty"), "").unwrap();
        let output = run(work.path(), &["plan", "new.json", "--against", old]);
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
        assert!(stderr(&output).contains(what), "{}", stderr(&output));
    }
}

#[test]
fn what_event_streams_do_not_have_is_said() {
    let folder = folder();
    for flag in ["--diff", "--values", "--planned-values"] {
        let output = run(&folder, &["plan", "events/plan.jsonl", flag]);
        assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
        assert!(stderr(&output).contains("has no values"), "{}", stderr(&output));
    }
    let output = run(&folder, &["plan", "events/plan.jsonl", "--type", "stub_plane"]);
    assert_eq!(status(&output), 0);
    assert!(stderr(&output).contains("it has `stub_plain`"), "{}", stderr(&output));
    let output = run(&folder, &["plan", "events/plan.jsonl", "--detailed-exitcode"]);
    assert_eq!(status(&output), 2);
}

#[test]
fn failed_event_streams_are_reported() {
    let folder = folder();
    for (file, summary) in [
        ("events/failed.jsonl", "local-exec provisioner error"),
        ("events/invalid.jsonl", "Invalid index"),
    ] {
        let output = run(&folder, &["plan", file]);
        assert_eq!(status(&output), 1);
        assert!(stdout(&output).contains(summary), "{}", stdout(&output));
    }
}

#[test]
fn event_streams_are_followed() {
    let text = fs::read_to_string(folder().join("events/apply.jsonl")).unwrap();
    let output = feed(&["plan", "--follow", "-"], &text);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let followed = stdout(&output);
    assert!(followed.contains(" stub_plain.d: Creating...\n"), "{followed}");
    assert!(followed.contains("apply 2 added, 0 changed, 2 destroyed"), "{followed}");
    for hidden in ["sec-ret", "provisioned-secret"] {
        assert!(!followed.contains(hidden), "{hidden} in {followed}");
    }
    // The end of a line may arrive late.
    let mut child = simd_hcl(&["plan", "--follow", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for piece in text.as_bytes().chunks(100) {
        input.write_all(piece).unwrap();
        input.flush().unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(stdout(&output), followed);
    let output = feed(&["plan", "-"], "{\"@message\":\"x\",\"@level\":\"info\"}\npanic: y\n");
    assert!(
        stdout(&output).contains("1 line is not an event, the first is line 2"),
        "{}",
        stdout(&output)
    );
}
