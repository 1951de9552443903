//! The order of arguments, and what commands say of names that do not exist.

use crate::tool::{feed_in, linked_modules, list, run, status, stderr, stdout, tree};

#[test]
fn paths_come_last_and_have_a_default() {
    let tree = linked_modules();
    for (arguments, expected) in [
        (&["query", "output.*.value"][..], "output.id"),
        (&["query", "output.*.value", "app", "net"], "output.id"),
        (&["dependents", "vpc.main"], "output.id"),
        (&["dependents", "app:vpc.main", "."], "output.id"),
        (&["dependents", "net/main.tf.json"], "output.id"),
        (&["why", "output.id", "net"], "var.vpc"),
        (&["why", "net:output.id"], "var.vpc"),
        (&["why", "./app:module.net.output.id"], "module.net.var.vpc"),
        (&["expand", "net", "--var", "vpc=v"], "id = \"v\""),
        (&["references"], "vpc.main"),
        (&["inspect"], "net (opentofu)"),
        (&["graph"], "vpc.main"),
        (&["templates"], "module.net.id"),
    ] {
        let output = run(tree.path(), arguments);
        assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
        assert!(stdout(&output).contains(expected), "{arguments:?}: {}", stdout(&output));
    }
    let checked = run(tree.path(), &["check", "--format", "concise"]);
    assert!(stdout(&checked).contains("app/main.tf.json:1:"), "{}", stdout(&checked));
    let inside = run(&tree.path().join("net"), &["why", "output.id"]);
    assert_eq!(status(&inside), 0, "{}", stderr(&inside));
    assert_eq!(status(&run(&tree.path().join("net"), &["config"])), 0);
    let piped = feed_in(tree.path(), &["query", "locals.*", "-"], r#"{"locals": {"a": 1}}"#);
    assert!(stdout(&piped).contains("local.a"), "{}", stderr(&piped));
}

#[test]
fn paths_that_come_first_are_an_error_that_shows_the_order() {
    let tree = linked_modules();
    for (arguments, message) in [
        (
            &["query", "app", "net", "output.*"][..],
            "the pattern comes before the paths: simd-hcl query 'output.*' app net",
        ),
        (&["query", ".", "**.a"], "simd-hcl query '**.a' ."),
        (&["query", "-", "locals"], "simd-hcl query locals -"),
        (&["query", "."], ". is a path, and the pattern is missing: simd-hcl query PATTERN ."),
        (&["query", "net"], "net is a path, and the pattern is missing"),
        (
            &["dependents", "app", "vpc.main"],
            "the address comes before the paths: simd-hcl dependents vpc.main app",
        ),
        (
            &["dependents", "app/main.tf.json", "module.m[\"x\"]"],
            "simd-hcl dependents 'module.m[\"x\"]' app/main.tf.json",
        ),
        (
            &["dependents", "app", "app/main.tf.json"],
            "the address comes before the paths: simd-hcl dependents app/main.tf.json app",
        ),
        (
            &["why", "net", "output.id"],
            "the address comes before the paths: simd-hcl why output.id net",
        ),
        (&["why", "net"], "the address is missing: simd-hcl why ADDRESS net"),
        (&["why", "net:output.id", "app"], "two directories are named: net and app"),
    ] {
        let output = run(tree.path(), arguments);
        assert_eq!((status(&output), stdout(&output)), (2, String::new()), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
    // A name that does not exist is not taken for the other order.
    let output = run(tree.path(), &["query", "output.*", "none"]);
    assert_eq!(status(&output), 2);
    assert!(!stderr(&output).contains("comes before"), "{}", stderr(&output));
}

#[test]
fn addresses_that_do_not_exist_are_errors_with_similar_ones() {
    let tree = linked_modules();
    for (arguments, message) in [
        (
            &["dependents", "vpc.mian"][..],
            "vpc.mian: no such object or file in these modules; they have `vpc.main`",
        ),
        (&["dependents", "app:vpc.mian"], "they have `app:vpc.main`"),
        (
            &["why", "output.ids", "net"],
            "there is no value output.ids: expected the address of an attribute, a variable, a local value or an output; it has `output.id`",
        ),
        (
            &["expand", "app", "--address", "vpc.mian"],
            "no instance, resource or module `vpc.mian`; it has `vpc.main`",
        ),
        (&["expand", "app", "--format", "json", "--address", "vpc.mian"], "`vpc.main`"),
        (
            &["graph", "--focus", "vpc.mian"],
            "the graph has no object `vpc.mian`; it has `vpc.main`",
        ),
    ] {
        let output = run(tree.path(), arguments);
        assert_eq!((status(&output), stdout(&output)), (2, String::new()), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn patterns_that_select_nothing_are_noted() {
    let tree = linked_modules();
    for (arguments, message) in [
        (&["query", "output.*.none"][..], "simd-hcl: the pattern selects nothing\n"),
        (
            &["query", "resorce.*"],
            "no block type or variable is named `resorce`; did you mean `resource`?",
        ),
        (&["graph", "--type", "nothing_*"], "the graph has no object of the type `nothing_*`"),
        (&["graph", "--type", "vcp"], "the graph has no object of the type `vcp`; it has `vpc`"),
        (&["graph", "--module", "elsewhere/*"], "the graph has no module `elsewhere/*`"),
        (&["expand", "net", "--type", "none"], "no instance is selected"),
        (&["expand", "net", "--type", "none", "--format", "json"], "no instance is selected"),
    ] {
        let output = run(tree.path(), arguments);
        let told = stderr(&output);
        assert_eq!(status(&output), 0, "{arguments:?}: {told}");
        assert!(told.contains(message), "{arguments:?}: {told}");
        let quiet = run(tree.path(), &[arguments, &["--quiet"]].concat());
        assert!(!stderr(&quiet).contains(message), "{arguments:?}");
        assert_eq!(stdout(&quiet), stdout(&output), "{arguments:?}");
    }
    assert_eq!(
        list(&run(tree.path(), &["query", "resorce.*", "--format", "json"]), "matches"),
        serde_json::json!([])
    );
}

#[test]
fn gaps_can_be_failures() {
    let text = r#"{"module": {"m": {"source": "hashicorp/consul/aws"}}}"#;
    let tree = tree(&[("a/main.tf.json", text), ("b/main.tf.json", "{}"), ("b/unknown.hcl", "")]);
    for (arguments, expected) in [
        (&["check", "a"][..], 1),
        (&["check", "b"], 0),
        (&["check", "a", "--exit-zero"], 1),
        (&["expand", "a"], 1),
        (&["expand", "a", "--format", "json"], 1),
        (&["expand", "b"], 0),
        (&["affected", "a", "b/unknown.hcl"], 1),
        (&["affected", "a", "a/main.tf.json"], 0),
    ] {
        assert_eq!(status(&run(tree.path(), arguments)), 0, "{arguments:?}");
        let output = run(tree.path(), &[arguments, &["--fail-if-incomplete"]].concat());
        assert_eq!(status(&output), expected, "{arguments:?}: {}", stderr(&output));
    }
}

/// Arguments that another tool or another command takes.
#[test]
fn what_was_meant_is_said() {
    let text = "locals {\n  a = 1;\n}\n";
    let tree = tree(&[("main.tf", "locals {\n  a = 1\n}\n"), ("broken/main.tf", text)]);
    for (arguments, message) in [
        (&["find", "x"][..], "there is no command `find`; try simd-hcl query PATTERN [PATH…]"),
        (&["validate"], "try simd-hcl check [PATH…]"),
        (&["lint", "."], "try simd-hcl check --select all [PATH…]"),
        (&["plan", "main.tf"], "main.tf is a configuration file, but `plan` reads a plan"),
        (&["plan", "."], "is a directory, but `plan` reads a plan; `simd-hcl expand DIR`"),
        (&["config", "main.tf"], "a root module is a directory; try `simd-hcl config .`"),
        (&["expand", "broken/main.tf"], "simd-hcl expand broken"),
        (&["no-such-command"], "unrecognized subcommand"),
    ] {
        let output = run(tree.path(), arguments);
        assert_eq!((status(&output), stdout(&output)), (2, String::new()), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
    for (text, message) in [
        ("locals {\n  a = 1;\n}\n", "Remove the semicolon"),
        ("locals {\n  a = true and false\n}\n", "Write \"&&\"."),
        ("locals {\n  a = true or false\n}\n", "Write \"||\"."),
        ("locals {\n  a = True\n}\n", "true, false and null are written in lower case"),
        ("locals {\n  a = vra.x\n}\n", "Did you mean \"var\"?"),
    ] {
        let told = stdout(&feed_in(tree.path(), &["check", "--syntax", "native", "-"], text));
        assert!(told.contains(message), "{text}: {told}");
    }
    let help = stdout(&run(tree.path(), &["query", "--help"]));
    assert!(help.contains("Examples:\n  simd-hcl query 'resource.aws_instance.*.ami'"), "{help}");
}
