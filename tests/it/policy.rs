//! Rules about plans: selection, evaluation, findings and texts.

use simd_hcl::evaluate::{Budget, Functions};
use simd_hcl::functions;
use simd_hcl::policy::{CheckOptions, Checked, Rules};
use simd_hcl::show::{Plan, redact};
use simd_hcl::{Arena, Code, Diagnostic, Document, ParseOptions, ParsedFile, Severity, Source};

/// Parses a plan at a skeleton depth, and passes its findings to `look`.
fn with_findings<T>(
    rules: &str,
    plan: &str,
    options: &CheckOptions,
    look: impl for<'a> FnOnce(Plan<'a>, &Rules<'a>, &Checked<'a>) -> T,
) -> T {
    let functions = functions::standard();
    let arena = Arena::new();
    let mut diagnostics = Vec::new();
    let file = Document::parse_bytes(&arena, "rules.hcl.json", rules.as_bytes()).unwrap();
    let mut rules = Rules::new(Some(&functions));
    assert!(rules.parse(file, &mut diagnostics), "{diagnostics:?}");
    let source = Source::from_bytes(&arena, "plan.json", plan.as_bytes()).unwrap();
    let parse = ParseOptions::default().with_skeleton_depth(Rules::DEPTH);
    let document = Document::parse_with(&arena, source, &parse).unwrap();
    let plan = Plan::of(document, &mut diagnostics).unwrap();
    let checked = rules.check(plan, options);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    look(plan, &rules, &checked)
}

/// Returns each finding as `CODE: DETAIL @ TEXT`, with the text at its position.
fn lines(checked: &Checked<'_>) -> Vec<String> {
    let line = |finding: &simd_hcl::policy::Finding<'_>| {
        let diagnostic = finding.diagnostic();
        let place = diagnostic.span().slice(diagnostic.source().bytes());
        let place = String::from_utf8_lossy(place);
        format!("{}: {} @ {place}", diagnostic.code(), diagnostic.detail())
    };
    checked.findings.iter().map(line).collect()
}

fn findings(rules: &str, plan: &str) -> Vec<String> {
    with_findings(rules, plan, &CheckOptions::default(), |_, _, checked| lines(checked))
}

/// Returns a plan with one or more changes in JSON.
fn plan(changes: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","planned_values":{{"root_module":{{}}}},"resource_changes":[{changes}]}}"#
    )
}

/// Returns a change that creates a resource with these values.
fn creation(address: &str, after: &str, unknown: &str, sensitive: &str) -> String {
    let (resource_type, name) = address.split_once('.').unwrap();
    format!(
        r#"{{"address":"{address}","mode":"managed","type":"{resource_type}","name":"{name}","change":{{"actions":["create"],"before":null,"after":{after},"after_unknown":{unknown},"before_sensitive":false,"after_sensitive":{sensitive}}}}}"#
    )
}

/// Returns a file with a rule `r` that denies by an expression.
fn deny(expression: &str) -> String {
    let condition = serde_json::to_string(&format!("${{{expression}}}")).unwrap();
    format!(r#"{{"rule": {{"r": {{"deny": {condition}}}}}}}"#)
}

/// Returns the codes that a condition reports about a plan.
fn verdict(expression: &str, plan: &str) -> Vec<String> {
    with_findings(&deny(expression), plan, &CheckOptions::default(), |_, _, checked| {
        checked.findings.iter().map(|it| it.diagnostic().code().to_string()).collect()
    })
}

#[test]
fn conditions_that_are_true_are_findings_at_the_value() {
    let rules = r#"{"rule": {
        "no-public-bucket": {"type": "aws_s3_bucket", "action": ["create", "update"],
            "deny": "${change.after.acl == \"public-read\"}", "message": "${change.address} is public.",
            "help": "Make it private.", "url": "https://example.com/1"},
        "no-logs": {"warn": "${change.after[\"tags\"].owner != \"core\"}", "message": "Ask the owner."},
        "anything": {"type": "aws_*", "deny": "${startswith(change.address, \"aws_x\")}"},
        "all": {"type": "aws_x", "warn": true}}}"#;
    let plan = plan(
        &[
            creation(
                "aws_s3_bucket.a",
                r#"{"acl":"public-read","tags":{"owner":"core"}}"#,
                "{}",
                "{}",
            ),
            creation("aws_s3_bucket.b", r#"{"acl":"private","tags":{"owner":"web"}}"#, "{}", "{}"),
            creation("aws_x.c", r#"{"tags":{"owner":"core"}}"#, "{}", "{}"),
        ]
        .join(","),
    );
    assert_eq!(
        findings(rules, &plan),
        [
            r#"policy-denied: no-public-bucket: aws_s3_bucket.a is public. @ "public-read""#,
            r#"policy-warning: no-logs: aws_s3_bucket.b: Ask the owner. @ "web""#,
            r#"policy-denied: anything: aws_x.c: `startswith(change.address, "aws_x")` is true. @ "aws_x.c""#,
            r#"policy-warning: all: aws_x.c @ "aws_x.c""#,
        ]
    );
    with_findings(rules, &plan, &CheckOptions::default(), |_, rules, checked| {
        let first = &checked.findings[0];
        let rule = rules.get(first.rule()).unwrap();
        assert_eq!((rule.name(), rule.severity()), ("no-public-bucket", Severity::Error));
        assert_eq!(
            (rule.help(), rule.url()),
            (Some("Make it private."), Some("https://example.com/1"))
        );
        assert_eq!(rule.condition(), "change.after.acl == \"public-read\"");
        assert_eq!(first.attribute(), Some("acl"));
        assert_eq!(first.change().address().value(), Some("aws_s3_bucket.a"));
        let related = first.diagnostic().related()[0];
        assert_eq!((related.label.source.name(), related.message), ("rules.hcl.json", "the rule"));
        assert_eq!(checked.findings[1].attribute(), Some("tags"));
        assert_eq!(checked.findings[2].attribute(), None);
    });
}

/// Each rule is evaluated only for the changes that it selects.
#[test]
fn rules_are_evaluated_where_they_select() {
    let change = |address: &str, resource_type: &str, actions: &str| {
        format!(
            r#"{{"address":"{address}","mode":"managed","type":"{resource_type}","name":"n","change":{{"actions":{actions},"before":{{"x":1}},"after":{{"x":1}},"after_unknown":{{}}}}}}"#
        )
    };
    let plan = plan(
        &[
            change("a.n", "a", r#"["update"]"#),
            change("module.m[0].a.n", "a", r#"["create"]"#),
            change("module.m[1].module.k.b.n[\\\"x\\\"]", "b", r#"["delete","create"]"#),
            change("b.n", "b", r#"["no-op"]"#),
            change("c_c.n", "c_c", r#"["forget"]"#),
        ]
        .join(","),
    );
    for (filter, expected) in [
        ("", "a.n module.m[0].a.n module.m[1].module.k.b.n[\"x\"] b.n c_c.n"),
        (r#""type": "a","#, "a.n module.m[0].a.n"),
        (r#""type": ["a", "a", "b"], "action": "replace","#, "module.m[1].module.k.b.n[\"x\"]"),
        (r#""type": ["?", "z"], "action": ["no-op", "update"],"#, "a.n b.n"),
        (r#""type": "*_*","#, "c_c.n"),
        (r#""action": "replace_forget","#, ""),
        (r#""module": "","#, "a.n b.n c_c.n"),
        (r#""module": "module.m","#, "module.m[0].a.n module.m[1].module.k.b.n[\"x\"]"),
        (
            r#""module": ["module.m[1]", "module.none"], "type": "b","#,
            "module.m[1].module.k.b.n[\"x\"]",
        ),
        (r#""address": ["module.m.a.n", "b.n"],"#, "module.m[0].a.n b.n"),
    ] {
        // A second rule with the same types must not change what the first selects.
        let rules = format!(
            r#"{{"rule": {{"r": {{{filter} "deny": "${{change.after.x == 1}}", "message": "${{change.address}}"}}, "s": {{{filter} "deny": false}}}}}}"#
        );
        with_findings(&rules, &plan, &CheckOptions::default(), |_, _, checked| {
            let found: Vec<String> = checked
                .findings
                .iter()
                .map(|it| it.diagnostic().detail().replacen("r: ", "", 1))
                .collect();
            assert_eq!(found.join(" "), expected, "{filter}");
            assert_eq!(checked.conditions, 2 * found.len() as u64, "{filter}");
        });
    }
}

#[test]
fn variables_hold_what_the_plan_says() {
    let text = r#"{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[
        {"address":"module.m[\"k\"].aws_db.main[1]","previous_address":"aws_db.old","module_address":"module.m[\"k\"]",
         "mode":"managed","type":"aws_db","name":"main","index":1,"provider_name":"p/a/aws","deposed":"00ff00ff",
         "action_reason":"replace_because_cannot_update",
         "change":{"actions":["delete","create"],
            "before":{"class":"small","gone":true},
            "after":{"class":"large","size":1.50,"nothing":null,"ports":[{"from":1},{"from":2}],"e\u0301":"nfc"},
            "after_unknown":{"arn":true,"ports":[{},{"to":true}]},
            "before_sensitive":{},"after_sensitive":{"password":true},
            "replace_paths":[["class"]],"importing":{"id":"i-1"},"generated_config":"resource {}"}}],
        "configuration":{"root_module":{"module_calls":{"m":{"source":"./m","module":{"resources":[
            {"address":"aws_db.main","mode":"managed","type":"aws_db","name":"main","provider_config_key":"aws",
             "expressions":{"class":{"references":["var.class","local.x"]},"size":{"constant_value":1.5}},
             "schema_version":2,"count_expression":{"constant_value":2}}]}}}}}}"#;
    for holds in [
        r#"change.address == "module.m[\"k\"].aws_db.main[1]""#,
        r#"change.module_address == "module.m[\"k\"]""#,
        r#"change.mode == "managed" && change.type == "aws_db" && change.name == "main""#,
        r#"change.index == 1 && change.deposed == "00ff00ff""#,
        r#"change.previous_address == "aws_db.old" && change.provider_name == "p/a/aws""#,
        r#"change.action == "replace" && change.actions == ["delete", "create"]"#,
        r#"contains(change.actions, "delete")"#,
        r#"change.action_reason == "replace_because_cannot_update""#,
        r#"change.before.class == "small" && change.after.class == "large""#,
        r#"change.before.class != change["after"]["class"]"#,
        r#"change.after.size == 1.5 && change.after.nothing == null"#,
        r#"change.after.ports[1].from == 2 && change.after.ports[*].from == [1, 2]"#,
        r#"length(change.after.ports) == 2 && change.after.é == "nfc""#,
        r#"change.after_unknown.arn && change.after_sensitive == {password = true}"#,
        r#"change.before_sensitive == {} && change.replace_paths == [["class"]]"#,
        r#"change.importing.id == "i-1" && change.generated_config == "resource {}""#,
        r#"change.before_identity == null && change.after_identity == null"#,
        r#"resource.class == "large" && resource.size > 1"#,
        r#"!can(change.after.gone) && try(change.after.gone, "none") == "none""#,
        r#"keys(change.after) == ["arn", "class", "nothing", "ports", "size", "é"]"#,
        r#"length(change) == 22 && change.address != """#,
        r#"[for name, value in change.before : name if value == true] == ["gone"]"#,
        r#"configuration.address == "aws_db.main" && configuration.schema_version == 2"#,
        r#"configuration.expressions.class.references == ["var.class", "local.x"]"#,
        r#"configuration.expressions.size.constant_value == 1.5"#,
        r#"configuration.count_expression.constant_value == 2"#,
        r#"configuration.for_each_expression == null && configuration.depends_on == null"#,
        r#"length(configuration.expressions) == 2 && !can(configuration.expressions.none)"#,
    ] {
        assert_eq!(verdict(holds, text), ["policy-denied"], "{holds}");
        assert_eq!(verdict(&format!("!({holds})"), text), [""; 0], "{holds}");
    }
    // A deleted resource has its old values; members that the plan leaves out are null or empty.
    let gone = plan(
        r#"{"address":"a.b","type":"a","name":"b","change":{"actions":["delete"],"before":{"x":1},"after":null,"after_unknown":{}}}"#,
    );
    for holds in [
        "resource.x == 1",
        "change.after == null",
        r#"change.module_address == "" && change.mode == null && change.index == null"#,
        "change.deposed == null && change.previous_address == null && change.importing == null",
        "change.replace_paths == [] && change.after_sensitive == null && configuration == null",
    ] {
        assert_eq!(verdict(holds, &gone), ["policy-denied"], "{holds}");
    }
}

#[test]
fn what_is_not_known_yet_is_undecided() {
    let after = r#"{"acl":null,"tags":{"a":"x"},"rules":[{"port":null},{"port":22}],"empty":{}}"#;
    let unknown = r#"{"arn":true,"acl":true,"tags":{"b":true},"rules":[{"port":true},{}],"empty":{"c":{"d":true}}}"#;
    let plan = plan(&creation("a.b", after, unknown, "{}"));
    let file = |condition: &str| deny(condition);
    for (condition, why, place) in [
        ("change.after.arn == \"x\"", "`change.after.arn` is not known yet", "true"),
        ("change.after.acl == null", "`change.after.acl` is not known yet", "null"),
        ("resource.tags.b == \"x\"", "`resource.tags.b` is not known yet", "true"),
        (
            "change.after.rules[0].port == 1",
            "`change.after.rules[0].port` is not known yet",
            "null",
        ),
        (
            "contains(values(change.after.tags), \"y\")",
            "`change.after.tags` is not known yet",
            "{\"a\":\"x\"}",
        ),
        ("change.after.empty.c == null", "`change.after.empty.c` is not known yet", "{\"d\":true}"),
        (
            "change.after.tags.a == \"x\" && change.after.arn == \"y\"",
            "`change.after.arn` is not known yet",
            "true",
        ),
    ] {
        assert_eq!(
            findings(&file(condition), &plan),
            [format!("undecided-rule: r: a.b cannot be decided before apply: {why}. @ {place}")],
            "{condition}"
        );
    }
    for (condition, expected) in [
        // One operand decides.
        ("change.after.arn == \"x\" && change.after.tags.a == \"y\"", &[][..]),
        ("change.after.arn == \"x\" || change.after.tags.a == \"x\"", &["policy-denied"]),
        ("change.after.rules[1].port == 22", &["policy-denied"]),
        ("change.after_unknown.arn", &["policy-denied"]),
        ("can(change.after.arn)", &["undecided-rule"]),
        ("can(change.after.none)", &[]),
    ] {
        assert_eq!(verdict(condition, &plan), expected, "{condition}");
    }
}

#[test]
fn what_has_no_value_is_an_error_at_its_place() {
    let plan = plan(&[
        creation("a.b", r#"{"acl":"x","list":[1],"n":1e99999999999}"#, "{}", "{}"),
        r#"{"address":"a.gone","type":"a","deposed":"00ab","change":{"actions":["delete"],"before":{},"after":null}}"#.to_owned(),
    ]
    .join(","));
    let rules = r#"{"rule": {"r": {"action": "ACTION", "LEVEL": "${CONDITION}"}}}"#;
    let rules = |action: &str, level: &str, condition: &str| {
        let condition = serde_json::to_string(condition).unwrap();
        rules
            .replace("ACTION", action)
            .replace("LEVEL", level)
            .replace("CONDITION", condition.trim_matches('"'))
    };
    for (action, condition, expected) in [
        (
            "create",
            "change.after.acll == 1",
            "r cannot be evaluated for a.b: The value has no attribute \"acll\": the object does not \
             have it. @ .acll",
        ),
        (
            "delete",
            "change.after.acl == 1",
            "r cannot be evaluated for a.gone (deposed object 00ab): The value is null, \
             so it has no attribute \"acl\". @ .acl",
        ),
        (
            "create",
            "change.after.list[3] == 1",
            "r cannot be evaluated for a.b: The index is invalid: the index must be less than \
             the number of elements. @ [3]",
        ),
        (
            "create",
            "change.after.acl",
            "r cannot be evaluated for a.b: the condition must be true or false. @ change.after.acl",
        ),
        (
            "create",
            "change.module_address == \"\" ? null : true",
            "r cannot be evaluated for a.b: the condition is null, and must be true or false. \
             @ change.module_address",
        ),
        (
            "create",
            "change.after.n == 1",
            "r cannot be evaluated for a.b: a number in the plan has an exponent that is out of bounds. \
             @ change.after.n",
        ),
    ] {
        let expected = format!("rule-error: {expected}");
        assert_eq!(findings(&rules(action, "deny", condition), &plan), [expected], "{condition}");
        let options = CheckOptions::default();
        let severity = |level: &str| {
            with_findings(&rules(action, level, condition), &plan, &options, |_, _, checked| {
                let diagnostic = checked.findings[0].diagnostic();
                assert_eq!(diagnostic.related()[0].message, "for this change");
                diagnostic.severity()
            })
        };
        assert_eq!(severity("deny"), Severity::Error);
        assert_eq!(severity("warn"), Severity::Warning);
    }
    // An error in the message does not hide the finding of the rule.
    let rules = r#"{"rule": {"r": {"action": "create", "deny": true, "message": "x ${change.after.none} y"}}}"#;
    assert_eq!(
        findings(rules, &plan),
        [
            "policy-denied: r: a.b @ \"a.b\"",
            "rule-error: r cannot be evaluated for a.b: The value has no attribute \"none\": the object does not have it. @ .none",
        ]
    );
}

const SECRET: &str = "hunter2secret";

/// No text shows a sensitive value, whatever conditions and messages do with it.
#[test]
fn sensitive_values_are_not_shown() {
    let after = format!(
        r#"{{"password":"{SECRET}","list":["{SECRET}"],"map":{{"{SECRET}":1}},"open":"x","misfit":"{SECRET}","key_wo":null}}"#
    );
    let sensitive = r#"{"password":true,"list":[true],"map":true,"misfit":[true]}"#;
    let configuration = format!(
        r#","configuration":{{"root_module":{{"resources":[{{"address":"a.b","mode":"managed","type":"a","name":"b",
            "expressions":{{"password":{{"constant_value":"{SECRET}"}},"list":{{"constant_value":["{SECRET}"]}},
            "key_wo":{{"constant_value":"{SECRET}"}},"open":{{"constant_value":"x"}}}}}}]}}}}"#
    );
    let change = creation("a.b", &after, r#"{"id":true}"#, sensitive);
    let plan = plan(&change);
    let plan = format!("{}{configuration}}}", &plan[..plan.len() - 1]);
    let sources = [
        "change.after.password",
        "change.after.list[0]",
        "change.after.list",
        "change.after.map",
        "change.after.misfit",
        "change.after",
        "change",
        "resource.password",
        "resource",
        "configuration.expressions.password.constant_value",
        "configuration.expressions.list",
        "configuration.expressions.key_wo",
        "configuration",
    ];
    let standard = functions::standard();
    let names: Vec<&str> = standard.names();
    assert!(names.len() > 90);
    let mut conditions: Vec<String> = Vec::new();
    for source in sources {
        conditions.push(format!("{source} == 1"));
        conditions.push(format!("{source} > 1"));
        conditions.push(format!("{source} ? 1 : 2"));
        conditions.push(source.to_owned());
        conditions.push(format!("{source}.none == 1"));
        conditions.push(format!("{source}[\"none\"] == 1"));
        conditions.push(format!("{{a = 1}}[{source}] == 1"));
        conditions.push(format!("[for x in {source} : x.none] == []"));
        conditions.push(format!("{{for x in [{source}, {source}] : x => 1}} == 1"));
        // One of each kind.
        let is_tried = [0, 2, 3, 9].map(|place| sources[place]).contains(&source);
        for name in names.iter().filter(|_| is_tried) {
            for arguments in ["X", "X, X", "X, 1", "1, X", "\"%d\", X", "X, X, X"] {
                let call = format!("{name}({})", arguments.replace('X', source));
                conditions.push(format!("{call} == 1"));
            }
        }
    }
    let arena = Arena::new();
    let mut rules = Rules::new(Some(&standard));
    let mut added = 0;
    for (number, condition) in conditions.iter().enumerate() {
        // Conditions, and messages with the same expression.
        let json = |text: &str| serde_json::to_string(&format!("${{{text}}}")).unwrap();
        let file = format!(
            r#"{{"rule": {{"c{number}": {{"deny": {}}}, "m{number}": {{"warn": true, "message": {}}}}}}}"#,
            json(condition),
            serde_json::to_string(&format!(
                "a ${{{condition}}} b ${{{}}}",
                condition.trim_end_matches(" == 1")
            ))
            .unwrap(),
        );
        let file = arena_text(&arena, &file);
        // Calls with too many arguments are rejected.
        added += usize::from(rules.parse(file, &mut ()));
    }
    assert!(added > 1000, "{added}");
    let source = Source::from_bytes(&arena, "plan.json", plan.as_bytes()).unwrap();
    let document = Document::parse(&arena, source).unwrap();
    let plan = Plan::of(document, &mut ()).unwrap();
    let checked = rules.check(plan, &CheckOptions::default());
    let mut kinds = [0; 3];
    for finding in &checked.findings {
        let text = finding.diagnostic().detail();
        assert!(!text.contains(SECRET) && !text.contains("hunter"), "{text}");
        kinds[match finding.diagnostic().code() {
            Code::RuleError => 0,
            Code::PolicyWarning => 1,
            _ => 2,
        }] += 1;
    }
    assert!(kinds.iter().all(|count| *count > 3), "{kinds:?}");
    let shown = rules.check(plan, &CheckOptions::default().with_sensitive(true));
    let repeats = |it: &&simd_hcl::policy::Finding<'_>| it.diagnostic().detail().contains(SECRET);
    // Errors quote no sensitive value in any case; messages have them.
    assert!(shown.findings.iter().filter(repeats).count() > 3);
    // Values that are not sensitive are shown.
    let rules = r#"{"rule": {"r": {"deny": "${change.after.password != resource.open && issensitive(change.after.password)}",
        "message": "${change.address}: ${change.after.password}, ${resource.open}, ${resource.id}, ${configuration.expressions.open.constant_value}"}}}"#;
    with_findings(
        rules,
        std::str::from_utf8(source.bytes()).unwrap(),
        &CheckOptions::default(),
        |_, _, checked| {
            let detail = checked.findings[0].diagnostic().detail();
            assert_eq!(detail, "r: a.b: (sensitive), x, (known after apply), x");
        },
    );
}

/// Returns a document with its text in the arena.
fn arena_text<'a>(arena: &'a Arena, text: &str) -> Document<'a> {
    let source = Source::copy_from(arena, "rules.hcl.json", text.as_bytes()).unwrap();
    Document::parse(arena, source).unwrap()
}

#[test]
fn what_is_redacted_is_undecided() {
    let text = plan(&creation(
        "a.b",
        r#"{"password":"hunter2secret","url":"x:hunter2secret@y","open":"x"}"#,
        "{}",
        r#"{"password":true}"#,
    ));
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "plan.json", text.as_bytes()).unwrap();
    let view = Plan::of(Document::parse(&arena, source).unwrap(), &mut ()).unwrap();
    let mut redacted = Vec::new();
    redact::write(
        source,
        &redact::Places::of_plan(view, redact::Options::default()),
        &mut redacted,
    )
    .unwrap();
    let redacted = String::from_utf8(redacted).unwrap();
    assert!(!redacted.contains("hunter2secret"));
    for name in ["password", "url"] {
        assert_eq!(
            findings(&deny(&format!("change.after.{name} == \"\"")), &redacted),
            [format!(
                "undecided-rule: r: a.b cannot be decided before apply: `change.after.{name}` has been redacted. @ {}",
                if name == "url" { "\"x:REDACTED_SENSITIVE@y\"" } else { "\"REDACTED_SENSITIVE\"" }
            )]
        );
    }
    assert_eq!(verdict("resource.open == \"x\"", &redacted), ["policy-denied"]);
}

#[test]
fn local_values_of_a_file() {
    let plan = plan(&creation("a.b", r#"{"region":"us-east-1"}"#, "{}", "{}"));
    let rules = r#"{"locals": {"regions": ["eu-central-1"], "all": {"x": "${upper(\"a\")}"}}, "rule": {
        "regions": {"deny": "${!contains(local.regions, resource.region)}",
            "message": "Use one of ${join(\", \", local.regions)}."},
        "x": {"warn": "${local.all[\"x\"] == \"A\"}"}}}"#;
    assert_eq!(
        findings(rules, &plan),
        [
            "policy-denied: regions: a.b: Use one of eu-central-1. @ \"us-east-1\"",
            "policy-warning: x: a.b: `local.all[\"x\"] == \"A\"` is true. @ \"a.b\"",
        ]
    );
}

#[test]
fn what_is_wrong_with_a_file_is_reported_at_its_place() {
    let standard = functions::standard();
    for (rule, code, place, detail) in [
        (r#"{}"#, "invalid-rule", "}", "neither"),
        (r#"{"deny": true, "warn": true}"#, "invalid-rule", "\"warn\"", "both"),
        (r#"{"deny": "change.after.x"}"#, "invalid-rule", "\"change.after.x\"", "in \"${}\""),
        (r#"{"deny": 1}"#, "unsuitable-value", "1", "true, false or"),
        (r#"{"deny": "${"}"#, "missing-expression", "", ""),
        (r#"{"deny": "${1 + 1}"}"#, "invalid-rule", "\"${1 + 1}\"", "not a number"),
        (r#"{"deny": "${null}"}"#, "invalid-rule", "\"${null}\"", "not null"),
        (
            r#"{"deny": "${chnage.after.x}"}"#,
            "unknown-variable",
            "chnage",
            "Did you mean \"change\"?",
        ),
        (
            r#"{"deny": "${change.afer.x == 1}"}"#,
            "unsupported-attribute",
            ".afer",
            "Did you mean \"after\"?",
        ),
        (
            r#"{"deny": "${configuration.expression == 1}"}"#,
            "unsupported-attribute",
            ".expression",
            "Did you mean \"expressions\"?",
        ),
        (r#"{"deny": "${local.c == 1}"}"#, "unsupported-attribute", ".c", "no local value"),
        (
            r#"{"deny": "${containz([], 1)}"}"#,
            "unknown-function",
            "containz",
            "Did you mean \"contains\"?",
        ),
        (r#"{"deny": "${contains([])}"}"#, "too-few-arguments", ")", ""),
        (r#"{"deny": true, "message": "${change.none}"}"#, "unsupported-attribute", ".none", ""),
        (r#"{"deny": true, "message": 1}"#, "unsuitable-value", "1", "a string"),
        (r#"{"deny": true, "help": []}"#, "unsuitable-value", "[", "a string"),
        (r#"{"deny": true, "type": 1}"#, "unsuitable-value", "1", "a string or a list of strings"),
        (r#"{"deny": true, "type": ["a", null]}"#, "unsuitable-value", "null", ""),
        (r#"{"deny": true, "type": []}"#, "invalid-rule", "[]", "no change is selected"),
        (
            r#"{"deny": true, "type": "${local.b}"}"#,
            "invalid-rule",
            "\"${local.b}\"",
            "not evaluated",
        ),
        (
            r#"{"deny": true, "action": ["create", "destroy"]}"#,
            "invalid-rule",
            "\"destroy\"",
            "no such kind",
        ),
        (
            r#"{"deny": true, "action": "craete"}"#,
            "invalid-rule",
            "\"craete\"",
            "Did you mean \"create\"?",
        ),
        (
            r#"{"deny": true, "module": "a.b"}"#,
            "invalid-rule",
            "\"a.b\"",
            "not the address of a module",
        ),
        (r#"{"deny": true, "address": "a b"}"#, "invalid-rule", "\"a b\"", "invalid address"),
        (
            r#"{"deny": true, "mesage": "x"}"#,
            "extraneous-property",
            "\"mesage\"",
            "Did you mean \"message\"?",
        ),
    ] {
        let arena = Arena::new();
        let text = format!(
            r#"{{"locals": {{"b": 1}}, "rule": {{"bad": {rule}, "good": {{"deny": true}}}}}}"#
        );
        let mut diagnostics = Vec::new();
        let mut rules = Rules::new(Some(&standard));
        assert!(!rules.parse(arena_text(&arena, &text), &mut diagnostics), "{rule}");
        let names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
        assert_eq!(names, ["good"], "{rule}");
        assert_eq!(diagnostics.len(), 1, "{rule}: {diagnostics:?}");
        let found = &diagnostics[0];
        assert_eq!(found.code().as_str(), code, "{rule}");
        if !place.is_empty() {
            let at = found.span().slice(text.as_bytes());
            assert_eq!(std::str::from_utf8(at).unwrap(), place, "{rule}");
        }
        assert!(found.message().contains(detail), "{rule}: {}", found.message());
    }
    // Names are unique in all files of a set of rules.
    let arena = Arena::new();
    let (mut rules, mut diagnostics) = (Rules::new(None), Vec::new());
    let file = r#"{"rule": {"a": {"deny": true}}, "locals": [{"x": 1}]}"#;
    assert!(rules.parse(arena_text(&arena, file), &mut diagnostics));
    assert!(!rules.parse(arena_text(&arena, file), &mut diagnostics));
    let other = r#"{"rule": [{"b": {"warn": true}}, {"b": {"warn": true}}], "locals": [{"x": 1}, {"x": "${y}"}], "x": 1}"#;
    assert!(!rules.parse(arena_text(&arena, other), &mut diagnostics));
    let codes: Vec<&str> = diagnostics.iter().map(|it| it.code().as_str()).collect();
    let twice = "duplicate-declaration";
    assert_eq!(codes, [twice, "extraneous-property", twice, "variables-not-allowed", twice]);
    assert_eq!(rules.len(), 2);
    // Without functions, no function can be called.
    let file = r#"{"rule": {"c": {"deny": "${upper(\"a\") == \"A\"}"}}}"#;
    diagnostics.clear();
    assert!(!rules.parse(arena_text(&arena, file), &mut diagnostics));
    assert_eq!(diagnostics[0].code(), Code::CallsNotAllowed);
}

/// Adds the rules of a native file, and returns what is reported.
fn native_rules<'a>(arena: &'a Arena, rules: &mut Rules<'a>, text: &str) -> Vec<Diagnostic<'a>> {
    let source = Source::copy_from(arena, "rules.hcl", text.as_bytes()).unwrap();
    let file = ParsedFile::native(arena, source);
    let mut diagnostics = file.diagnostics().to_vec();
    let is_valid = rules.parse(file, &mut diagnostics);
    assert_eq!(is_valid, diagnostics.is_empty(), "{text}: {diagnostics:?}");
    diagnostics
}

#[test]
fn rules_in_native_syntax() {
    let standard = functions::standard();
    let plan = plan(&creation("aws_a.b", r#"{"x": 1, "y": "z\""}"#, "{}", "{}"));
    for (rule, expected) in [
        ("deny = change.after.x == 1", Some("aws_a.b: `change.after.x == 1` is true.")),
        ("deny = \"${change.after.x == 1}\"", Some("aws_a.b: `change.after.x == 1` is true.")),
        (
            "deny = change.after.y == \"z\\\"\"",
            Some("aws_a.b: `change.after.y == \"z\\\"\"` is true."),
        ),
        ("deny = change.after.x == 2", None),
        ("deny = true", Some("r: aws_a.b")),
        ("deny = \"tr${\"ue\"}\"", Some("aws_a.b: `\"tr${\"ue\"}\"` is true.")),
        ("deny = true\n message = \"plain\"", Some("aws_a.b: plain")),
        ("deny = true\n message = \"x is ${change.after.x}\"", Some("aws_a.b: x is 1")),
        ("deny = true\n message = local.text", Some("aws_a.b: a text")),
        ("deny = true\n message = upper(local.text)", Some("aws_a.b: A TEXT")),
        ("deny = true\n message = <<-EOT\n    two\n    lines\n    EOT", Some("two\nlines\n")),
        ("deny = true\n type = [\"aws_b\"]", None),
        ("deny = true\n type = [\"aws_a\"]\n message = \"m\"", Some("aws_a.b: m")),
        ("deny = true\n address = \"aws_a.b\"\n message = \"m\"", Some("aws_a.b: m")),
    ] {
        let arena = Arena::new();
        let mut rules = Rules::new(Some(&standard));
        let text = format!("locals {{\n text = \"a text\"\n}}\nrule \"r\" {{\n {rule}\n}}\n");
        let diagnostics = native_rules(&arena, &mut rules, &text);
        assert!(diagnostics.is_empty(), "{rule}: {diagnostics:?}");
        let document = Document::parse_bytes(&arena, "plan.json", plan.as_bytes()).unwrap();
        let plan = Plan::of(document, &mut ()).unwrap();
        let checked = rules.check(plan, &CheckOptions::default());
        let found: Vec<_> = checked.findings.iter().map(|it| it.diagnostic().detail()).collect();
        assert_eq!(found.len(), usize::from(expected.is_some()), "{rule}: {found:?}");
        let expected = expected.unwrap_or_default();
        assert!(found.iter().all(|detail| detail.contains(expected)), "{rule}: {found:?}");
    }
}

#[test]
fn invalid_rules_in_native_syntax() {
    let standard = functions::standard();
    for (rule, code, place, detail) in [
        ("deny = 1 +", "missing-expression", "", ""),
        ("deny = \"text\"", "invalid-rule", "\"text\"", "without quotes"),
        ("deny = 1", "invalid-rule", "1", "true or false, not a number"),
        ("deny = [true]", "invalid-rule", "[true]", "true or false, not a tuple"),
        ("deny = null", "invalid-rule", "null", "not null"),
        ("deny = change.afer == 1", "unsupported-attribute", ".afer", "Did you mean \"after\"?"),
        ("deny = nothing.x", "unknown-variable", "nothing", ""),
        ("deny = local.x", "unsupported-attribute", ".x", ""),
        ("deny = nothing()", "unknown-function", "nothing", ""),
        ("deny = true\n message = 1", "unsuitable-value", "1", "a string"),
        ("deny = true\n message = [1]", "unsuitable-value", "[", "a string"),
        ("deny = true\n type = 1", "unsuitable-value", "1", "a string or a list of strings"),
        ("deny = true\n type = \"${local.b}\"", "invalid-rule", "\"${local.b}\"", "not evaluated"),
        ("deny = true\n action = [\"crate\"]", "invalid-rule", "\"crate\"", "create"),
        ("deny = true\n help = upper(\"x\")", "unsuitable-value", "upper(\"x\")", "a string"),
        ("type = \"a\"", "invalid-rule", "", "neither"),
        ("deny = true\n warn = true", "invalid-rule", "warn", "both"),
        ("deny = true\n mesage = \"x\"", "unsupported-argument", "mesage", "\"message\""),
    ] {
        let arena = Arena::new();
        let mut rules = Rules::new(Some(&standard));
        let text = format!(
            "locals {{\n b = 1\n}}\nrule \"bad\" {{\n {rule}\n}}\nrule \"good\" {{\n deny = true\n}}\n"
        );
        let diagnostics = native_rules(&arena, &mut rules, &text);
        let names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
        assert_eq!(names, ["good"], "{rule}");
        let [found] = &diagnostics[..] else { panic!("{rule}: {diagnostics:?}") };
        assert_eq!(found.code().as_str(), code, "{rule}");
        let at = found.span().slice(text.as_bytes());
        let at = std::str::from_utf8(at).unwrap();
        assert!(place.is_empty() || at == place, "{rule}: {at}");
        assert!(found.message().contains(detail), "{rule}: {}", found.message());
    }
}

#[test]
fn single_conditions() {
    let arena = Arena::new();
    let standard = functions::standard();
    let mut rules = Rules::new(Some(&standard));
    let mut diagnostics = Vec::new();
    let mut add = |name, text| {
        rules.add_condition(&arena, name, Severity::Warning, text, &mut diagnostics).unwrap()
    };
    assert!(add("w", "resource.x == 1"));
    assert!(!add("v", "resource.x =="));
    assert!(!add("u", "change.x == 1"));
    assert!(!add("t", "\"text\""));
    assert!(!add("s", "local.x == 1"));
    let found: Vec<String> =
        diagnostics.iter().map(|it| format!("{} {}", it.source().name(), it.code())).collect();
    assert_eq!(
        found[1..],
        ["u unsupported-attribute", "t invalid-rule", "s unsupported-attribute"]
    );
    let text = plan(&creation("a.b", r#"{"x":1}"#, "{}", "{}"));
    let document = arena_text(&arena, &text);
    let checked = rules.check(Plan::of(document, &mut ()).unwrap(), &CheckOptions::default());
    assert_eq!(lines(&checked), ["policy-warning: w: a.b: `resource.x == 1` is true. @ 1"]);
}

/// Members that no condition names stay sealed, and so do changes that no rule selects.
#[test]
fn only_what_is_named_is_opened() {
    let after = r#"{"acl":{"x":1},"big":{"y":[1,2,3]},"tags":{"owner":"me"}}"#;
    let text =
        plan(&[creation("a.b", after, "{}", "{}"), creation("c.d", after, "{}", "{}")].join(","));
    let standard = functions::standard();
    for (condition, opened) in [
        ("change.after.tags.owner == \"x\"", "tags"),
        ("resource[\"acl\"].x == 2", "acl"),
        ("change.action == \"delete\"", ""),
        ("length(change.after.big.y) == 0", "big"),
        ("change.after.tags == {}", "tags"),
    ] {
        let arena = Arena::new();
        let mut rules = Rules::new(Some(&standard));
        let rule = format!(
            r#"{{"rule": {{"r": {{"type": "a", "deny": {}}}}}}}"#,
            serde_json::to_string(&format!("${{{condition}}}")).unwrap()
        );
        assert!(rules.parse(arena_text(&arena, &rule), &mut ()), "{condition}");
        // As deep as the attributes of a resource: each is sealed.
        let parse = ParseOptions::default().with_skeleton_depth(5);
        let source = Source::from_bytes(&arena, "plan.json", text.as_bytes()).unwrap();
        let document = Document::parse_with(&arena, source, &parse).unwrap();
        let plan = Plan::of(document, &mut ()).unwrap();
        let checked = rules.check(plan, &CheckOptions::default());
        assert_eq!((checked.findings.len(), checked.conditions), (0, 1), "{condition}");
        let opened_of = |address: &str| -> Vec<&str> {
            let entry = plan.changes().find(|it| it.address().value() == Some(address)).unwrap();
            let after = entry.change().value().unwrap().after().value().unwrap();
            let members = after.as_object().unwrap().members();
            members.filter(|it| !it.value().is_sealed()).map(|it| it.name().to_str()).collect()
        };
        assert_eq!(opened_of("a.b").join(" "), opened, "{condition}");
        assert_eq!(opened_of("c.d"), [""; 0], "{condition}");
        // The change that no rule selects stays sealed as a whole.
        let parse = parse.with_skeleton_depth(Plan::LIST_DEPTH);
        let document = Document::parse_with(&arena, source, &parse).unwrap();
        let plan = Plan::of(document, &mut ()).unwrap();
        assert_eq!(rules.check(plan, &CheckOptions::default()).conditions, 1);
        let sealed: Vec<bool> = plan.changes().map(|it| it.object().node().is_sealed()).collect();
        assert_eq!(sealed, [opened.is_empty(), true], "{condition}");
    }
}

#[test]
fn work_is_limited() {
    let plan = plan(&creation("a.b", r#"{"x":[1,2,3,4,5,6,7,8,9,10]}"#, "{}", "{}"));
    let many = "[for a in resource.x : [for b in resource.x : [for c in resource.x : [for d in resource.x : d]]]]";
    let large = "join(\"\", [for a in resource.x : join(\"\", [for b in resource.x : format(\"%0999d\", 1)])])";
    for (condition, budget, code) in [
        (many, Budget::new(1000, 1 << 20), "too many steps"),
        (large, Budget::new(1_000_000, 5000), "too much memory"),
    ] {
        let options = CheckOptions::default().with_budget(budget);
        let rules = deny(&format!("{condition} == 1"));
        with_findings(&rules, &plan, &options, |_, _, checked| {
            let [line] = &lines(checked)[..] else { panic!("{:?}", lines(checked)) };
            assert!(line.starts_with("rule-error") && line.contains(code), "{line}");
        });
        assert_eq!(verdict(&format!("{condition} == 1"), &plan), [""; 0]);
    }
}

/// Deep values, paths and templates are harmless, and so are members of the same name.
#[test]
fn hostile_plans_and_rules() {
    let work = || {
        let depth = 9_000;
        let deep = format!("{}1{}", r#"{"a":["#.repeat(depth / 2), "]}".repeat(depth / 2));
        let named = format!("{}1{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
        let unknown = format!("{}true{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
        let text = plan(
            &[
                creation("a.b", &deep, "{}", "{}"),
                creation("c.d", &named, "{}", &unknown),
                creation("e.f", &named, &unknown, "{}"),
                creation("g.h", r#"{"x":1,"x":{"y":2}}"#, r#"{"x":false,"x":true}"#, "{}"),
            ]
            .join(","),
        );
        let path = ".a".repeat(depth);
        for (condition, expected) in [
            (r#"length(jsonencode(change.after)) == 0"#.to_owned(), &["undecided-rule"; 1][..]),
            (format!("try(resource{path}, 0) == 1"), &["policy-denied", "undecided-rule"]),
            (format!("try(resource{path}.b, 0) == 1"), &["undecided-rule"]),
            ("change.type == \"g\" && change.after.x == 1".to_owned(), &["policy-denied"]),
            ("change.type == \"g\" && try(change.after.x.y, 0) == 2".to_owned(), &[]),
        ] {
            assert_eq!(
                verdict(&condition, &text),
                expected,
                "{}",
                &condition[..40.min(condition.len())]
            );
        }
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap();
}
