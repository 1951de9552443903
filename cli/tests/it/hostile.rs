//! Small inputs whose output would be large: it is bounded, and what is left out is named.

use std::fs;

use crate::tool::{run, status, stderr, stdout, tree};

/// One long name beside many short ones.
fn unaligned(many: usize) -> String {
    let long = "n".repeat(2_000);
    let short: String = (0..many).map(|at| format!("a{at}=1\n")).collect();
    format!("locals {{\n{long}=1\n{short}}}\n")
}

#[test]
fn layouts_are_bounded() {
    let short: String = (0..20_000).map(|at| format!("b{at} = 1# c\n")).collect();
    let comments = format!("a = \"{}\" # c\n{short}", "v".repeat(2_000));
    let brackets = format!("a = {}{}\n", "[\n".repeat(4_000), "]\n".repeat(4_000));
    for text in [unaligned(20_000), comments, brackets] {
        let tree = tree(&[("long.tf", &text), ("short.tf", "a=1\n")]);
        let output = run(tree.path(), &["fmt", "."]);
        let notes = stderr(&output);
        assert_eq!((status(&output), stdout(&output).as_str()), (1, "short.tf\n"), "{notes}");
        assert!(notes.contains("layout-too-large") && notes.contains("long.tf"), "{notes}");
        assert_eq!(fs::read_to_string(tree.path().join("long.tf")).unwrap(), text);
    }
    let short = unaligned(100);
    let tree = tree(&[("short.tf", &short)]);
    assert_eq!(status(&run(tree.path(), &["fmt", "."])), 0);
}

#[test]
fn conversions_are_bounded() {
    let long = "n".repeat(2_000);
    let short: Vec<String> = (0..20_000).map(|at| format!("\"a{at}\": 1")).collect();
    let text = format!("{{\"locals\": {{\"{long}\": 1, {}}}}}", short.join(", "));
    let tree = tree(&[("long.tf.json", &text)]);
    let output = run(tree.path(), &["convert", "--to", "native", "long.tf.json"]);
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("layout-too-large"), "{}", stderr(&output));
    assert!(output.stdout.len() < 2 * text.len(), "{}", output.stdout.len());
}

#[test]
fn matches_in_deep_data_are_bounded() {
    let depth = 3_000;
    let json_text =
        format!("{{\"locals\": {{\"x\": {}1{}}}}}", "{\"a\": ".repeat(depth), "}".repeat(depth));
    let native =
        format!("locals {{\n  x = {}1{}\n}}\n", "{ a = ".repeat(depth), " }".repeat(depth));
    for (name, text) in [("main.tf.json", json_text), ("main.tf", native)] {
        let tree = tree(&[(name, &text)]);
        let output = run(tree.path(), &["query", "**", ".", "--format", "ndjson"]);
        assert_eq!(status(&output), 2);
        // The paths and values, once more as a range each.
        let most = (4 << 20) + 32 * text.len();
        assert!(output.stdout.len() < 2 * most, "{} bytes", output.stdout.len());
        let last = stdout(&output);
        let last = last.lines().last().unwrap();
        assert!(last.starts_with("{\"incomplete\":"), "{last:.200}");
        assert!(last.contains("matches from here on are not listed"), "{last:.500}");
        // A pattern with names has no limit.
        let path = format!("locals.x{}", ".a".repeat(20));
        let found = stdout(&run(tree.path(), &["query", &path, ".", "--format", "json"]));
        assert_eq!(found.matches("\"path\"").count(), 1);
    }
}

#[test]
fn matches_that_a_condition_reads_are_bounded() {
    let text = format!(
        "{{\"locals\": {{\"x\": {{\"long\": [{}], {}}}}}}}",
        vec!["1"; 5_000].join(","),
        (0..5_000).map(|at| format!("\"a{at}\": 1")).collect::<Vec<_>>().join(",")
    );
    let tree = tree(&[("main.tf.json", &text)]);
    let output = run(tree.path(), &["query", "locals.x.*", ".", "--where", "long != null"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("matches from here on"), "{}", stderr(&output));
}

/// Instances that depend on those with equal keys, or on all.
#[test]
fn edges_of_pages_are_bounded() {
    let plan = |other: &str| {
        let change = |name: &str, key: String| {
            format!(
                r#"{{"address":"a.{name}[{key}]","mode":"managed","type":"a","name":"{name}","change":{{"actions":["create"],"before":null,"after":{{}},"after_unknown":{{}},"before_sensitive":false,"after_sensitive":false}}}}"#
            )
        };
        let of = |name: &str, key: &str| -> Vec<String> {
            (0..400).map(|at| change(name, key.replace('N', &at.to_string()))).collect()
        };
        let changes = [of("r", "N"), of("s", other)].concat().join(",");
        format!(
            r#"{{"format_version":"1.2","planned_values":{{"root_module":{{}}}},"resource_changes":[{changes}],"configuration":{{"root_module":{{"resources":[{{"address":"a.r","mode":"managed","type":"a","name":"r","expressions":{{"x":{{"references":["a.s"]}}}}}},{{"address":"a.s","mode":"managed","type":"a","name":"s"}}]}}}}}}"#
        )
    };
    for (other, edges) in [
        ("N", "800 changes, 400 edges"),
        (r#"\"kN\""#, "800 changes, 100000 edges, more edges are not drawn"),
    ] {
        let tree = tree(&[("plan.json", &plan(other))]);
        let output = run(tree.path(), &["plan", "plan.json", "--format", "html"]);
        assert!(stdout(&output).contains(edges), "{other}: {}", stderr(&output));
    }
}

#[test]
fn values_are_bounded() {
    let next = |level: usize| format!("  l{level} = [local.l{0}, local.l{0}]\n", level - 1);
    let all: String = (1..=14).map(next).collect();
    let outputs: String =
        (0..200).map(|at| format!("output \"o{at}\" {{\n  value = local.l14\n}}\n")).collect();
    let text = format!("locals {{\n  l0 = \"a\"\n{all}}}\n{outputs}");
    let doubled = tree(&[("main.tf", &text)]);
    // Four steps for each byte, of 100 million and 1,000 for each byte of the file.
    let most = 25_000_000 + 250 * text.len();
    let output = run(doubled.path(), &["why", "local.l14", "."]);
    assert!(output.stdout.len() < most, "{}", output.stdout.len());
    // The layout of nested values takes much more than their text: people see 64 KiB of it.
    let next = |level: usize| {
        format!("  l{level} = merge({{a=local.l{0}}}, {{b=local.l{0}}})\n", level - 1)
    };
    let all: String = (1..=13).map(next).collect();
    let nested = tree(&[("main.tf", &format!("locals {{\n  l0 = \"a\"\n{all}}}\n"))]);
    let output = run(nested.path(), &["why", "local.l13", "."]);
    let lines = stdout(&output);
    assert!(lines.contains('…') && lines.len() < 2_000_000, "{}", lines.len());
    for format in ["human", "json"] {
        let output = run(doubled.path(), &["expand", ".", "--format", format]);
        assert!(output.stdout.len() < most, "{}", output.stdout.len());
    }
}

/// A number of eight bytes has a million digits. Each becomes at most a few hundred bytes, in every command
/// and format.
#[test]
fn long_numbers_are_short_in_every_output() {
    let all = |item: fn(usize) -> String| (0..50).map(item).collect::<Vec<_>>();
    let native = all(|at| {
        format!(
            "variable \"v{at}\" {{\n  default = [1e999999, -1e-999999]\n}}\n\
             output \"o{at}\" {{\n  value = 1e9999{at}\n}}\n\
             resource \"a_b\" \"r{at}\" {{\n  x = {{ y = 1e999999 }}\n}}\n"
        )
    });
    let native = native.concat();
    let json = all(|at| format!(r#""w{at}": {{"default": {{"a": 1e999999}}}}"#)).join(",\n");
    let json = format!(r#"{{"variable": {{{json}}}}}"#);
    let entries = all(|at| format!("  l{at} = 1e999999\n")).concat();
    let locals = format!("locals {{\n{entries}}}\n");
    let values = format!("a = [{}]\n", ["1e999999"; 50].join(", "));
    let texts = all(|at| {
        format!(
            "variable \"v{at}\" {{\n  type    = map(string)\n  default = {{ a = 1e999999 }}\n}}\n\
             locals {{\n  a{at} = true ? 1e999999 : \"a\"\n  b{at} = {{}}[1e999999]\n}}\n"
        )
    });
    let texts = texts.concat();
    let tree = tree(&[
        ("a/main.tf", &native),
        ("a/more.tf.json", &json),
        ("a/locals.tf", &locals),
        ("a/.terraform-docs.yml", "output:\n  file: README.md\n"),
        ("a/README.md", "<!-- BEGIN_TF_DOCS -->\n<!-- END_TF_DOCS -->\n"),
        ("b/main.tf", ""),
        ("u/terragrunt.hcl", &format!("{locals}inputs = {{\n{entries}}}\n")),
        ("texts/main.tf", &texts),
        ("numbers.tfvars", &values),
        ("numbers.hcldec", "attr {\n  name = \"a\"\n  type = list(number)\n}\n"),
    ]);
    let most = 600 * (native.len() + json.len() + locals.len());
    for command in [
        "config a",
        "config a --compat",
        "query ** a",
        "query ** a --format json",
        "query ** a --format csv",
        "inspect a",
        "inspect a --format json",
        "inspect a --compat",
        "docs a",
        "docs a --format json",
        "docs a --format xml",
        "docs --check --diff a",
        "diff a b",
        "diff a b --format json",
        "diff a b --format html",
        "graph a",
        "expand a",
        "expand a --format json",
        "why var.v1 a",
        "convert a/main.tf --to json",
        "convert a/more.tf.json --to native",
        "overview a",
        "review b a",
        "check a",
        "units u --render",
        "units u --render --format json",
        "config texts",
        "check texts",
        "docs texts",
        "inspect texts --format json",
        "query ** numbers.tfvars --format json",
        "decode --spec numbers.hcldec numbers.tfvars",
        "eval [1e999999,-1e-999999]",
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let output = run(tree.path(), &arguments);
        let (said, printed) = (stderr(&output), stdout(&output));
        assert!(!said.contains("panicked") && !said.contains("Usage"), "{command}: {said}");
        assert!(output.status.code().is_some(), "{command}: {said}");
        assert!(said.len() + printed.len() < most, "{command}: {} bytes", printed.len());
        assert!(!printed.contains(&"0".repeat(1_000)), "{command}");
    }
}

/// Each condition and message is within its budget, and all of them together would take long.
#[test]
fn rules_share_a_budget() {
    let locals = "locals {\n  big = format(\"%01000000d\", 1)\n}\n";
    let large = "\"${local.big}${local.big}\"";
    let rules = |deny: &str, message: &str, about: &str| {
        let rule = |at: usize| {
            format!(
                "rule \"r{at}\" {{\n{about}  deny = {deny}\n  message = \"It ${{{message}}}.\"\n}}\n"
            )
        };
        locals.to_owned() + &(0..300).map(rule).collect::<String>()
    };
    let change = |at: usize| {
        format!(
            r#"{{"address":"a_b.r{at}","mode":"managed","type":"a_b","name":"r{at}","change":{{"actions":["create"],"before":null,"after":{{"x":1}},"after_unknown":{{}},"before_sensitive":false,"after_sensitive":false}}}}"#
        )
    };
    let plan = format!(
        r#"{{"format_version":"1.2","planned_values":{{"root_module":{{}}}},"resource_changes":[{}]}}"#,
        (0..60).map(change).collect::<Vec<_>>().join(",")
    );
    let main: String =
        (0..60).map(|at| format!("output \"o{at}\" {{\n  value = {at}\n}}\n")).collect();
    let [condition, text] = [format!("{large} != \"\""), format!("{large} == \"\" ? 0 : \"ends\"")];
    let tree = tree(&[
        ("plan.json", &plan),
        ("rules.hcl", &rules(&condition, "\"ends\"", "")),
        ("m/simd-hcl.toml", "rule-files = [\"own.hcl\"]\n"),
        ("m/own.hcl", &rules("true", &text, "  for_each = output\n")),
        ("m/main.tf", &main),
    ]);
    for arguments in [
        &["plan", "plan.json", "--rules", "rules.hcl", "--format", "concise"][..],
        &["check", "m", "--format", "concise"],
    ] {
        let output = run(tree.path(), arguments);
        let printed = stdout(&output);
        assert_eq!(status(&output), 1, "{}", stderr(&output));
        let spent = "all rules took all that they may take together";
        assert_eq!(printed.matches(spent).count(), 1, "{arguments:?}: {printed:.2000}");
        // Those before it have their findings.
        assert!(printed.contains("It ends."), "{printed:.2000}");
    }
}

/// Stacks generate many units of few files, whose values are printed for each.
#[test]
fn values_of_generated_units_are_bounded() {
    let next = |level: usize| format!("  l{level} = [local.l{0}, local.l{0}]\n", level - 1);
    let all: String = (1..=12).map(next).collect();
    let unit = format!("locals {{\n  l0 = \"a\"\n{all}}}\ninputs = {{\n  a = local.l12\n}}\n");
    let stack: String = (0..200)
        .map(|at| format!("unit \"u{at}\" {{\n  source = \"./unit\"\n  path = \"u{at}\"\n}}\n"))
        .collect();
    let tree = tree(&[("s/terragrunt.stack.hcl", &stack), ("s/unit/terragrunt.hcl", &unit)]);
    let output = run(tree.path(), &["units", "s", "--stacks", "--render", "--format", "json"]);
    // The list of units indents them further.
    let most = 2 * ((16 << 20) + (1 << 10) * (stack.len() + unit.len()));
    assert!(output.stdout.len() < most, "{} bytes", output.stdout.len());
    assert!(stdout(&output).contains("those of all units together are too long"));
}

/// Many calls lack many arguments.
#[test]
fn missing_arguments_do_not_multiply() {
    let calls = |many: usize| -> String {
        (0..many).map(|at| format!("module \"m{at}\" {{\n  source = \"./m\"\n}}\n")).collect()
    };
    let variables: String = (0..150).map(|at| format!("variable \"v{at}\" {{}}\n")).collect();
    let tree = tree(&[("main.tf", &calls(10)), ("m/main.tf", &variables)]);
    let output = run(tree.path(), &["check", ".", "--format", "concise"]);
    let printed = stdout(&output);
    assert_eq!(printed.matches("error[missing-module-argument]").count(), 10 * 100);
    let output = run(tree.path(), &["check", ".", "--format", "json"]);
    assert_eq!(stdout(&output).matches("50 more here are not listed").count(), 10);
}

/// Values that are doubled many times have few parts, which are searched for paths once.
#[test]
fn doubled_values_are_searched_once() {
    let next = |level: usize| format!("  l{level} = [local.l{0}, local.l{0}]\n", level - 1);
    let all: String = (1..=22).map(next).collect();
    let outputs: String =
        (0..100).map(|at| format!("output \"o{at}\" {{\n  value = local.l22\n}}\n")).collect();
    let text = format!("locals {{\n  l0 = \"./a.txt\"\n{all}}}\n{outputs}");
    let tree = tree(&[("m/main.tf", &text), ("m/a.txt", "")]);
    let output = run(tree.path(), &["dependents", "m/a.txt"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains('m'), "{}", stdout(&output));
}
