//! Input that is read as a stream has the output of input that is kept.

use std::fs;

use std::path::Path;
use std::process::Output;

use simd_hcl_corpus::sized;

use crate::tool::{run, simd_hcl, status, stderr, stdout, tree};

/// Runs the binary with a file on its standard input. Both write while they read, so that a pipe from
/// here could fill up.
fn feed(directory: &Path, arguments: &[&str], name: &str) -> Output {
    let file = fs::File::open(directory.join(name)).unwrap();
    simd_hcl(arguments).current_dir(directory).stdin(file).output().unwrap()
}

/// A plan with changes, drift, outputs, checks and a text that is longer than a window.
fn plan(changes: usize) -> String {
    let change = |number: usize, action: &str| {
        format!(
            r#"{{"address":"a_b.c[{number}]","mode":"managed","type":"a_b","name":"c","index":{number},
            "provider_name":"registry.opentofu.org/x/a","change":{{"actions":["{action}"],
            "before":{{"id":"i-{number}","size":1,"key":"s3cret{number}"}},"after":{{"id":"i-{number}","size":2,"key":"s3cret"}},
            "after_unknown":{{}},"before_sensitive":{{"key":true}},"after_sensitive":{{"key":true}}}}}}"#
        )
    };
    let actions = ["update", "no-op", "create", "delete"];
    let all: Vec<String> = (0..changes).map(|number| change(number, actions[number % 4])).collect();
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0",
        "planned_values":{{"root_module":{{"resources":[{}]}}}},
        "resource_drift":[{}],
        "resource_changes":[{}],
        "output_changes":{{"o":{{"actions":["create"],"before":null,"after":"x","after_unknown":false}}}},
        "checks":[{{"address":{{"to_display":"check.c"}},"status":"fail","instances":[]}}],
        "complete":false,"errored":true,"timestamp":"2026-01-05T09:30:00Z"}}"#,
        all.join(",").replace("change", "values"),
        change(7, "update"),
        all.join(",\n"),
    )
}

#[test]
fn plans_are_printed_alike() {
    let text = plan(sized([120, 5000, 5000]));
    let tree = tree(&[("plan.json", &text)]);
    let directory = tree.path();
    for flags in [
        &["--format", "ndjson"][..],
        &["--format", "csv"],
        &["--format", "human"],
        &["--format", "ndjson", "--diff"],
        &["--format", "csv", "--values"],
        &["--diff", "--action", "update"],
        &["--type", "a_b", "--address", "a_b.c[12]"],
        &["--type", "a_c"],
        &["--address", "a_b.c[99999]", "--format", "ndjson"],
        &["--detailed-exitcode"],
        &["--format", "json"],
    ] {
        let kept = run(directory, &[&["plan", "plan.json"], flags].concat());
        let of_stream = [&["plan", "plan.json", "--stream-from", "1"], flags].concat();
        let streamed = run(directory, &of_stream);
        assert_eq!(stdout(&streamed), stdout(&kept), "{flags:?}");
        assert_eq!(status(&streamed), status(&kept), "{flags:?} {}", stderr(&streamed));
        let of_pipe = [&["plan", "-", "--stream-from", "1000"], flags].concat();
        let piped = feed(directory, &of_pipe, "plan.json");
        assert_eq!(status(&piped), status(&kept), "{flags:?} {}", stderr(&piped));
        assert_eq!(stdout(&piped), stdout(&kept), "{flags:?}");
        assert!(!stdout(&piped).contains("s3cret"), "{flags:?}");
    }
}

/// An error of the whole document is an error of the stream, before any row.
#[test]
fn plans_are_refused_alike() {
    let change = r#"{"address":"a.b","mode":"managed","type":"a","name":"b","change":{"actions":["create"],"before":null,"after":{}}}"#;
    let of = |members: &str| format!(r#"{{"resource_changes":[{change}]{members}}}"#);
    let plans = [
        of(r#","format_version":"2.0""#),
        of(r#","format_version":null"#),
        of(r#","format_version":1"#),
        of(r#","format_version":"1.2","prior_state":{"format_version":"2.0"}"#),
        of(&format!(r#","format_version":"1.2","resource_changes":[{change}]"#)),
        format!(r#"{{"format_version":"1.2","resource_changes":[1,{change},"x"]}}"#),
        r#"{"format_version":"1.2","resource_changes":[{"address":"a.b","type":[1],"change":{"actions":["create"]}}]}"#.to_owned(),
        r#"{"format_version":"1.2","resource_changes":[{"address":"a.b","change":{"actions":"create"}}]}"#.to_owned(),
    ];
    for text in plans {
        let tree = tree(&[("plan.json", &text)]);
        for flags in [&["--format", "ndjson"][..], &["--diff"]] {
            let kept = run(tree.path(), &[&["plan", "plan.json"], flags].concat());
            let streamed =
                run(tree.path(), &[&["plan", "plan.json", "--stream-from", "1"], flags].concat());
            // Of two members with one name, the first counts, and no value is shown.
            let is_twice = text.matches("resource_changes").count() == 2;
            let expected = if is_twice { 0 } else { 1 };
            assert_eq!(status(&kept), expected, "{text} {}", stderr(&kept));
            assert_eq!(stdout(&streamed), stdout(&kept), "{text}");
            assert_eq!(status(&streamed), status(&kept), "{text} {}", stderr(&streamed));
            let errors = |text: String| {
                let lines = text.lines().filter(|line| line.contains("error["));
                let mut lines: Vec<String> = lines.map(str::to_owned).collect();
                lines.sort();
                lines.dedup();
                lines
            };
            assert_eq!(errors(stderr(&streamed)), errors(stderr(&kept)), "{text}");
        }
    }
}

#[test]
fn input_that_is_not_a_plan() {
    let tree = tree(&[
        ("state.json", r#"{"format_version":"1.0","values":{"root_module":{"resources":[]}}}"#),
        ("broken.json", r#"{"format_version":"1.2","resource_changes":[{"address":"a.b"},{]}"#),
        ("list.json", "[1]"),
        ("none.json", "{}"),
    ]);
    for (name, code) in [
        ("state.json", "unexpected-document"),
        ("broken.json", "invalid-property-name"),
        ("list.json", "unexpected-document"),
        ("none.json", ""),
    ] {
        for flags in [&["--format", "ndjson"][..], &[]] {
            let arguments = [&["plan", name, "--stream-from", "1"], flags].concat();
            let output = run(tree.path(), &arguments);
            let kept = run(tree.path(), &[&["plan", name], flags].concat());
            assert_eq!(status(&output), status(&kept), "{name} {}", stderr(&output));
            assert!(stderr(&output).contains(code), "{name} {}", stderr(&output));
        }
    }
    let broken = run(tree.path(), &["plan", "broken.json", "--stream-from", "1"]);
    assert!(stderr(&broken).starts_with("broken.json:1:"), "{}", stderr(&broken));
    assert_eq!(status(&run(tree.path(), &["plan", "missing.json", "--stream-from", "1"])), 2);
}

#[test]
fn large_changes_are_refused() {
    let tree = tree(&[("plan.json", &plan(8))]);
    let output =
        run(tree.path(), &["plan", "plan.json", "--stream-from", "1", "--max-record", "100"]);
    assert_eq!(status(&output), 1);
    let text = stderr(&output);
    assert!(text.contains("error[record-too-large]"), "{text}");
    assert!(text.contains("has more than 100 bytes"), "{text}");
}

#[test]
fn events_are_printed_alike() {
    let text = plan(60);
    let nested = "[1, [2, [3, [4, [5]]]], \"\\ud800\"]";
    let tree = tree(&[("a.json", &text), ("b.json", nested), ("c.json", "{\"a\": [1, 2,]}")]);
    for name in ["a.json", "b.json"] {
        for format in ["human", "json", "ndjson", "csv"] {
            for flags in [&[][..], &["--skeleton"]] {
                let arguments = [&["events", name, "--format", format], flags].concat();
                let kept = run(tree.path(), &arguments);
                let arguments = [&arguments[..], &["--stream-from", "1"]].concat();
                let streamed = run(tree.path(), &arguments);
                assert_eq!(stdout(&streamed), stdout(&kept), "{arguments:?}");
                assert_eq!(status(&streamed), status(&kept), "{arguments:?}");
                let piped = ["events", "-", "--format", format, "--stream-from", "10"];
                let arguments = [&piped[..], flags].concat();
                let piped = feed(tree.path(), &arguments, name);
                assert_eq!(stdout(&piped), stdout(&kept), "{arguments:?}");
            }
        }
    }
    let arguments = ["events", "-", "--format", "json", "--stream-from", "5"];
    let output = feed(tree.path(), &arguments, "c.json");
    assert_eq!(status(&output), 1);
    let error = "stdin.json:1:12: error[trailing-comma]";
    assert!(stderr(&output).starts_with(error), "{}", stderr(&output));
    assert!(stdout(&output).contains("\"Number\""), "{}", stdout(&output));
}

#[test]
fn documents_may_follow_one_another() {
    let text = "{\"a\":1}\n{\"b\":[2]}{\"c\":3} 4 \"x\"\n\n";
    let tree = tree(&[("a.json", text), ("b.json", "{}\n{\"a\":}")]);
    let format = ["--format", "csv"];
    let output = run(tree.path(), &[&["events", "a.json", "--sequence"], &format[..]].concat());
    let listed = stdout(&output);
    assert_eq!((status(&output), listed.lines().count()), (0, 17), "{listed}");
    assert!(listed.ends_with("Number,25,26,4,false\nString,27,30,x,false\n"), "{listed}");
    let piped =
        feed(tree.path(), &[&["events", "-", "--sequence"], &format[..]].concat(), "a.json");
    assert_eq!(stdout(&piped), listed);
    let output = run(tree.path(), &["events", "b.json", "--sequence"]);
    assert_eq!((status(&output), stdout(&output).lines().count()), (1, 4));
    assert!(stderr(&output).starts_with("b.json:2:6: error["), "{}", stderr(&output));
    // Otherwise a file has one document.
    assert_eq!(status(&run(tree.path(), &["events", "a.json"])), 1);
    assert_eq!(status(&run(tree.path(), &["events", "missing.json", "--sequence"])), 2);
}

/// Redacts a document as a whole, as a stream and from a pipe, and compares the results.
fn redact_alike(directory: &Path, name: &str, flags: &[&str]) -> Output {
    let kept = run(directory, &[&["redact", name], flags].concat());
    let arguments = [&["redact", name, "--stream-from", "0"], flags].concat();
    let streamed = run(directory, &arguments);
    assert_eq!(stdout(&streamed), stdout(&kept), "{name} {flags:?}");
    assert_eq!(status(&streamed), status(&kept), "{name} {}", stderr(&streamed));
    let arguments = [&["redact", "-", "--stream-from", "1", "--stdin-name", name], flags].concat();
    let piped = feed(directory, &arguments, name);
    assert_eq!(stdout(&piped), stdout(&kept), "{name} {flags:?}");
    assert_eq!(status(&piped), status(&kept), "{name} {}", stderr(&piped));
    assert_eq!(stderr(&piped).is_empty(), stderr(&kept).is_empty(), "{name} {}", stderr(&piped));
    kept
}

#[test]
fn plans_are_redacted_alike() {
    let text = plan(sized([60, 5000, 5000]));
    let configuration = r#","configuration":{"provider_config":{"a":{"expressions":{"token":{"constant_value":"t0k3n of a"}}}},
        "root_module":{"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c",
        "expressions":{"key":{"references":["var.secret"]},"size":{"constant_value":2}}}],
        "module_calls":{"values":{"module":{"resources":[{"address":"a_b.d","mode":"managed","type":"a_b",
        "name":"d","expressions":{"key":{"constant_value":"constant of d"}}}]}}},
        "variables":{"secret":{"default":"x"}}}},"variables":{"secret":{"value":"variable's s3cret"}},
        "note":["constant of d","it is variable's s3cret.","t0k3n of a"]}"#;
    let long = text.trim_end().strip_suffix('}').unwrap().to_owned() + configuration;
    let early = long.replacen("{\"format_version\":\"1.2\",", "{", 1);
    let at = early.rfind(",\"configuration\"").unwrap();
    let early =
        format!("{{\"format_version\":\"1.2\"{},{}}}", &early[at..early.len() - 1], &early[1..at]);
    let tree = tree(&[("plan.json", &text), ("long.json", &long), ("early.json", &early)]);
    for name in ["plan.json", "long.json", "early.json"] {
        for flags in [
            &[][..],
            &["--keep", "repeated-text"],
            &["--keep", "provider-config"],
            &["--keep-defaults"],
            &["--threads", "1"],
        ] {
            let output = redact_alike(tree.path(), name, flags);
            assert_eq!(status(&output), 0, "{name} {}", stderr(&output));
        }
    }
    let output = redact_alike(tree.path(), "long.json", &[]);
    assert!(!stdout(&output).contains("constant of d"), "{}", stdout(&output));
    assert!(!stdout(&output).contains("variable's"), "{}", stdout(&output));
}

#[test]
fn documents_are_redacted_alike() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/show");
    let mut count = 0;
    let mut todo = vec![corpus];
    while let Some(directory) = todo.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                let name = path.file_name().unwrap().to_str().unwrap();
                redact_alike(&directory, name, &[]);
                count += 1;
            }
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn broken_documents_are_redacted_alike() {
    let text = plan(2);
    let tree = tree(&[]);
    let step = sized([397, 17, 1]);
    for end in (0..text.len()).step_by(step) {
        fs::write(tree.path().join("cut.json"), &text[..end]).unwrap();
        let output = redact_alike(tree.path(), "cut.json", &[]);
        assert_eq!((status(&output), stdout(&output)), (1, String::new()));
    }
    fs::write(
        tree.path().join("twice.json"),
        text.replacen("resource_drift", "resource_changes", 1),
    )
    .unwrap();
    assert_eq!(status(&redact_alike(tree.path(), "twice.json", &[])), 1);
    fs::write(tree.path().join("after.json"), text.clone() + "\nsome text with s3cret\n").unwrap();
    redact_alike(tree.path(), "after.json", &[]);
}

#[test]
fn large_records_are_not_redacted() {
    let note = format!("{{\"note\":\"{}\",", "x".repeat(400));
    let tree = tree(&[("plan.json", &plan(8).replacen('{', &note, 1))]);
    for (size, message) in [
        ("100", "planned_values.root_module.resources[0] has more than 100 bytes"),
        ("400", "the document has more than 400 bytes outside of its resources and changes"),
    ] {
        let arguments = ["redact", "plan.json", "--stream-from", "1", "--max-record", size];
        let output = run(tree.path(), &arguments);
        assert_ne!(status(&output), 0);
        assert_eq!(stdout(&output), "");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn states_are_printed_alike() {
    let resource = |number: usize, module: &str| {
        format!(
            r#"{{"address":"{module}a_b.c[{number}]","mode":"managed","type":"a_b","name":"c","index":{number},
            "provider_name":"registry.opentofu.org/x/a","schema_version":1,"values":{{"id":"i-{number}",
            "key":"s3cret"}},"sensitive_values":{{"key":true}}}}"#
        )
    };
    let list = |module: &str| -> String {
        let all: Vec<String> = (0..40).map(|number| resource(number, module)).collect();
        all.join(",")
    };
    let printed = format!(
        r#"{{"format_version":"1.0","terraform_version":"1.9.0","values":{{"outputs":{{"o":{{"sensitive":true,
        "value":"s3cret"}},"p":{{"sensitive":false,"type":"string","value":"x"}}}},"root_module":{{
        "resources":[{}],"child_modules":[{{"resources":[{}],"address":"module.m[\"a.b\"]","child_modules":[
        {{"resources":[{}],"address":"module.m[\"a.b\"].module.n"}}]}}]}}}}}}"#,
        list(""),
        list("module.m[\\\"a.b\\\"]."),
        list("module.m[\\\"a.b\\\"].module.n."),
    );
    let instances = |count: usize| -> String {
        let one = |number: usize| {
            format!(
                r#"{{"index_key":{number},"schema_version":0,"attributes":{{"id":"{number}","key":"s3cret"}},
                "sensitive_attributes":[[{{"type":"get_attr","value":"key"}}]]}}"#
            )
        };
        (0..count).map(one).collect::<Vec<_>>().join(",")
    };
    let raw = format!(
        r#"{{"version":4,"terraform_version":"1.9.0","serial":3,"lineage":"l","outputs":{{"o":{{"value":1,"type":"number"}}}},
        "resources":[{{"mode":"managed","type":"a_b","name":"c","provider":"provider[\"registry.opentofu.org/x/a\"]",
        "instances":[{}]}},{{"module":"module.m","mode":"data","type":"a_d","name":"e","provider":"provider[\"x/y/z\"]",
        "instances":[{}]}}],"check_results":null}}"#,
        instances(30),
        instances(3),
    );
    let plan = plan(2);
    let tree = tree(&[("printed.json", &printed), ("raw.json", &raw), ("plan.json", &plan)]);
    let directory = tree.path();
    for name in ["printed.json", "raw.json", "plan.json"] {
        for flags in [
            &["--format", "ndjson"][..],
            &["--format", "csv"],
            &["--format", "json"],
            &["--format", "human"],
            &["--format", "ndjson", "--values"],
            &["--format", "csv", "--values", "--show-sensitive"],
            &["--values"],
            &["--type", "a_d"],
            &["--address", "a_b.c[7]", "--module", "module.m", "--format", "ndjson"],
            &["--module", "module.x", "--format", "csv"],
        ] {
            let kept = run(directory, &[&["state", name], flags].concat());
            let of_stream = [&["state", name, "--stream-from", "1"], flags].concat();
            let streamed = run(directory, &of_stream);
            assert_eq!(stdout(&streamed), stdout(&kept), "{name} {flags:?}");
            assert_eq!(status(&streamed), status(&kept), "{flags:?} {}", stderr(&streamed));
            let of_pipe = [&["state", "-", "--stream-from", "100"], flags].concat();
            let piped = feed(directory, &of_pipe, name);
            assert_eq!(stdout(&piped), stdout(&kept), "{name} {flags:?}");
            assert_eq!(status(&piped), status(&kept), "{flags:?} {}", stderr(&piped));
        }
    }
    let arguments = ["state", "printed.json", "--stream-from", "1", "--max-record", "50"];
    let output = run(directory, &arguments);
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("error[record-too-large]"), "{}", stderr(&output));
}

/// A configuration with arrays above bodies, names with templates, escapes, members of the root that
/// are not blocks, and blocks without labels.
const CONFIGURATION: &str = r#"[{"//": "${no.block}", "resource": [{"a_b": [{"c": {"ami": "${var.x}-\u00e9${local.y[0]}",
    "tags": {"a.b": "1", "${var.k}": ["$${x}", "\u0024{var.z}", {"deep": "%{ if var.c }é${d.e}%{ endif }"}]}},
    "//": {"note": "${x}"}}], "wrong": "${scalar}", "none": {"c": null}},
    {"a_b": {"d": [{"size": 1, "ami": "x"}, {"size": 2, "ami": "${var.x"}, [{"size": 3}]]}}]},
  {"locals": {"one": {"size": 1}, "list": [1, {"size": 2}]}, "locals": {"one": [true]},
   "variable": {"x": {"default": {"size": 5}}, "y": []}, "own": {"size": [1, {"size": "${self}"}]},
   "terraform": {"required_providers": {"a": {"version": ">= 1"}}},
   "resource": {"a_b": {"e": {"size": 1, "": "é", "sub": {"size": 4}}}}}]
"#;

/// Lists a file as a whole, as a stream and from a pipe, and compares the results.
fn list_alike(directory: &Path, command: &[&str], name: &str, flags: &[&str]) -> Output {
    for format in ["human", "json", "ndjson", "csv"] {
        let arguments = |name, more: &[&'static str]| {
            [command, &[name], flags, &["--format", format], more].concat()
        };
        let kept = run(directory, &arguments(name, &[]));
        let streamed = run(directory, &arguments(name, &["--stream-from", "1"]));
        let what = format!("{command:?} {name} {format} {flags:?}");
        assert_eq!(stdout(&streamed), stdout(&kept), "{what}");
        assert_eq!(status(&streamed), status(&kept), "{what} {}", stderr(&streamed));
        let summary = |output: &Output| {
            let text = stderr(output);
            text.lines().last().map(|line| line.split(" in ").next().unwrap().to_owned())
        };
        assert_eq!(summary(&streamed), summary(&kept), "{what}");
        let named = [&arguments("-", &["--stream-from", "1"])[..], &["--stdin-name", name]];
        let piped = feed(directory, &named.concat(), name);
        assert_eq!(stdout(&piped), stdout(&kept), "{what}");
        assert_eq!(status(&piped), status(&kept), "{what} {}", stderr(&piped));
    }
    let arguments = [command, &[name], &["--stream-from", "1"], flags].concat();
    run(directory, &arguments)
}

#[test]
fn configuration_is_listed_alike() {
    let variables = r#"{"x": {"size": 1}, "y": [{"size": "${a}"}], "size": 2}"#;
    let tree = tree(&[
        ("m/a.tf.json", CONFIGURATION),
        ("m/b.tf.json", "{\"locals\": {\"b\": \"${var.b}\"}}"),
        ("m/terraform.tfvars.json", variables),
        ("one/a.tf.json", CONFIGURATION),
        ("other.json", CONFIGURATION),
        ("empty.tf.json", "{}"),
        ("text.tf.json", "\"${a}\""),
    ]);
    let directory = tree.path();
    let names = [
        "m/a.tf.json",
        "m/terraform.tfvars.json",
        "one",
        "other.json",
        "empty.tf.json",
        "text.tf.json",
    ];
    let step = sized([3, 1, 1]);
    for (number, name) in names.into_iter().filter(|name| *name != "one").enumerate() {
        list_alike(directory, &["templates"], name, &[]);
        let patterns = [
            "**",
            "*",
            "resource",
            "resource.a_b",
            "resource.a_b.*",
            "resource.*.*.tags.**",
            "resource.a_b.d.size",
            "**.size",
            "locals.*",
            "locals.one.size",
            "own",
            "own.size[*]",
            "own.size[1].size",
            "variable.x.default",
            "terraform.**",
            "x",
            "y[0].size",
            "**.\"//\"",
            "\"//\"",
            "resource.a_b.e[\"\"]",
        ];
        for pattern in patterns.into_iter().skip(number % step).step_by(step) {
            // A stream hides the default of a variable, which a call further on may pass on.
            list_alike(directory, &["query", pattern], name, &["--show-sensitive"]);
        }
    }
    for condition in ["size == 1", "self.address == \"a_b.e\"", "size", "size + \"x\" == 1"] {
        let name = "m/a.tf.json";
        list_alike(directory, &["query", "resource.*.*"], name, &["--where", condition]);
        list_alike(directory, &["query", "resource.**"], name, &["--where", condition]);
    }
    let listed = run(directory, &["templates", "one", "--stream-from", "1"]);
    assert_eq!(stdout(&listed), stdout(&run(directory, &["templates", "one"])));
    assert!(stderr(&listed).contains("one/a.tf.json:4:"), "{}", stderr(&listed));

    // The neighbours of a member of the root are not kept.
    let arguments = ["query", "own.size", "m/a.tf.json", "--where", "true", "--stream-from", "1"];
    let output = run(directory, &arguments);
    assert_eq!((status(&output), stdout(&output)), (2, String::new()));
    assert!(stderr(&output).contains("not decided"), "{}", stderr(&output));
}

#[test]
fn rows_before_an_error_are_printed() {
    let broken = r#"{"locals": {"a": "${var.a}", "b": "x"}, "variable": {"c": {"type": }}}"#;
    let length = sized([3 << 20, 70 << 20, 200 << 20]);
    let long = format!("{{\"locals\": {{\"a\": \"{}\"}}}}", "x".repeat(length));
    let plan = r#"{"format_version": "1.2", "planned_values": {}, "resource_changes": []}"#;
    let tree = tree(&[("a.tf.json", broken), ("b.tf.json", &long), ("c.tf.json", plan)]);
    for (command, rows) in [(&["templates"][..], 1), (&["query", "locals.*"], 2)] {
        let list = |name| {
            let format = ["--format", "ndjson", "--stream-from", "1"];
            run(tree.path(), &[command, &[name], &format].concat())
        };
        let output = list("a.tf.json");
        let text = stdout(&output);
        assert_eq!((status(&output), text.lines().count()), (1, rows + 1), "{text}");
        let gap = r#""where":["a.tf.json"],"why":"not decoded ("#;
        assert!(text.lines().last().unwrap().contains(gap), "{text}");
        assert!(stderr(&output).contains("a.tf.json:1:68: error["), "{}", stderr(&output));
        // Longer than the window; of the middle size also than records of other commands.
        assert_eq!(status(&list("b.tf.json")), 0);
        let output = list("c.tf.json");
        assert_eq!(status(&output), 1);
        assert!(stderr(&output).contains("unexpected-document"), "{}", stderr(&output));
        assert!(stdout(&output).contains("not decoded"), "{}", stdout(&output));
    }
    let arguments = ["query", "**", "b.tf.json", "--stream-from", "1", "--max-record", "100"];
    let output = run(tree.path(), &arguments);
    assert_eq!(status(&output), 1);
    let text = stderr(&output);
    assert!(text.contains("[record-too-large]") && text.contains("locals has more than"), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_too_large_is_refused() {
    let tree = tree(&[("a.tf.json", "{    "), ("b.tf", "")]);
    for name in ["a.tf.json", "b.tf"] {
        let file = fs::OpenOptions::new().write(true).open(tree.path().join(name)).unwrap();
        // Without blocks on the disk.
        file.set_len(5 << 30).unwrap();
    }
    for arguments in [
        &["references", "a.tf.json"][..],
        &["references", "a.tf.json", "--alone"],
        &["inspect", "a.tf.json"],
        &["query", "locals", "b.tf"],
        &["templates", "b.tf"],
        &["templates", "a.tf.json", "b.tf"],
    ] {
        let output = run(tree.path(), arguments);
        assert_eq!((status(&output), stdout(&output)), (2, String::new()), "{arguments:?}");
        let text = stderr(&output);
        assert!(text.contains("reads at most 4294967231"), "{arguments:?} {text}");
    }
    // Read as streams, whose first error is not their length.
    for arguments in [&["query", "locals", "a.tf.json"][..], &["templates", "a.tf.json"]] {
        let output = run(tree.path(), arguments);
        let text = stderr(&output);
        assert!(text.contains("a.tf.json:1:6: error["), "{arguments:?} {text}");
    }
}
