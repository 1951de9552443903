//! Plans, states and schemas: every shape in `corpus/show`, values and differences, bad input,
//! redaction.

use simd_hcl::show::{
    Action, ActionKind, Address, CheckCounts, CheckKind, CheckStatus, Content, DocumentKind, Field,
    Plan, PlanIndex, RawState, Schemas, State, redact, references,
};
use simd_hcl::{Arena, Code, Diagnostic, Document, ParseOptions, Severity, Source, Span};

fn parse<'a>(arena: &'a Arena, text: &'a str) -> Document<'a> {
    let source = Source::from_bytes(arena, "test.json", text.as_bytes()).unwrap();
    Document::parse_with(arena, source, &ParseOptions::default()).unwrap()
}

/// Returns a plan whose resource change has these members in `change`.
fn with_change(change: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","planned_values":{{"root_module":{{}}}},"resource_changes":[
        {{"address":"t.x","mode":"managed","type":"t","name":"x","change":{{{change}}}}}]}}"#
    )
}

fn show(content: Content<'_>) -> String {
    match content {
        Content::Absent => "-".to_owned(),
        Content::Null => "null".to_owned(),
        Content::Unknown => "?".to_owned(),
        Content::Known(node) => String::from_utf8_lossy(node.text()).into_owned(),
    }
}

/// Returns the differences of a change, one per line: `path: before -> after`, with `!` if it
/// forces replacement, and `*` on sensitive sides.
fn differences(change: &str) -> Vec<String> {
    let mut all = Vec::new();
    for depth in [0, 3, 4, u32::MAX] {
        let arena = Arena::new();
        let text = with_change(change);
        let source = Source::from_bytes(&arena, "test.json", text.as_bytes()).unwrap();
        let options = ParseOptions::default().with_skeleton_depth(depth);
        let document = Document::parse_with(&arena, source, &options).unwrap();
        let plan = Plan::of(document, &mut ()).unwrap();
        let mut walk = plan.changes().next().unwrap().change().value().unwrap().differences();
        let mut found = Vec::new();
        while let Some(difference) = walk.next() {
            let star = |sensitive| if sensitive { "*" } else { "" };
            found.push(format!(
                "{}{}: {}{} -> {}{}",
                walk.path(),
                if difference.forces_replacement { "!" } else { "" },
                show(difference.before.content),
                star(difference.before.is_sensitive),
                show(difference.after.content),
                star(difference.after.is_sensitive),
            ));
        }
        all.push(found);
    }
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{all:#?}");
    all.pop().unwrap()
}

#[test]
fn differences_leaf_by_leaf() {
    for (change, expected) in [
        (r#""before":{"a":1,"b":2},"after":{"a":1,"b":3}"#, vec!["b: 2 -> 3"]),
        (r#""before":{"a":1.0,"b":"\u003c"},"after":{"b":"<","a":10e-1}"#, vec![]),
        (
            r#""before":{"n":9007199254740992},"after":{"n":9007199254740993}"#,
            vec!["n: 9007199254740992 -> 9007199254740993"],
        ),
        (
            r#""before":null,"after":{"a":"x","l":[],"o":{}},"after_unknown":{"id":true,"l":[]}"#,
            vec!["a: - -> \"x\"", "id: - -> ?", "l: - -> []", "o: - -> {}"],
        ),
        (r#""before":{"a":{"b":[1,2]}},"after":null"#, vec!["a.b[0]: 1 -> -", "a.b[1]: 2 -> -"]),
        (
            r#""before":{"l":[1,2]},"after":{"l":[1,null]},"after_unknown":{"l":[false,true]}"#,
            vec!["l[1]: 2 -> ?"],
        ),
        (
            r#""before":{"tags":{"a.b":"1","c":"2"}},"after":{"tags":{"a.b":"3"}}"#,
            vec!["tags[\"a.b\"]: \"1\" -> \"3\"", "tags.c: \"2\" -> -"],
        ),
        (
            r#""before":{"p":"x"},"after":{"p":"y"},"before_sensitive":{"p":true},"after_sensitive":{"p":true}"#,
            vec!["p: \"x\"* -> \"y\"*"],
        ),
        (
            r#""before":{"m":{"k":1}},"after":{"m":{"k":2}},"before_sensitive":{"m":true},"after_sensitive":{}"#,
            vec!["m: {\"k\":1}* -> {\"k\":2}"],
        ),
        (
            r#""before":{"p":"x"},"after":{"p":"x"},"before_sensitive":{},"after_sensitive":{"p":true}"#,
            vec!["p: \"x\" -> \"x\"*"],
        ),
        (
            r#""before":{"a":[1],"b":1,"c":{"d":1}},"after":{"a":{"x":1},"b":[1],"c":null}"#,
            vec!["a: [1] -> {\"x\":1}", "b: 1 -> [1]", "c.d: 1 -> -"],
        ),
        (
            r#""before":{"l":[{"p":1,"q":1}],"t":{"a":1}},"after":{"l":[{"p":2,"q":2}],"t":{"a":2}},"replace_paths":[["l",0,"p"],["t"]]"#,
            vec!["l[0].p!: 1 -> 2", "l[0].q: 1 -> 2", "t.a!: 1 -> 2"],
        ),
        (
            r#""before":{"x":1},"after_unknown":true,"replace_paths":[["x","y"]]"#,
            vec![": {\"x\":1} -> ?"],
        ),
    ] {
        let found = differences(&format!(r#""actions":["update"],{change}"#));
        let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        // The root forces replacement if any path does.
        let found: Vec<String> =
            found.into_iter().map(|line| line.replace("!: {", ": {")).collect();
        assert_eq!(found, expected, "{change}");
    }
}

#[test]
fn absent_null_and_value_are_distinguished() {
    let arena = Arena::new();
    let text = r#"{"format_version":"1.2","planned_values":{},"output_changes":{
        "a":{"actions":["create"],"before":null,"after_unknown":true},
        "b":{"actions":["create"],"before":null,"after":null},
        "c":{"actions":["create"],"before":null,"after":0}},
        "variables":{"n":{"value":null},"m":{}}}"#;
    let plan = Plan::of(parse(&arena, text), &mut ()).unwrap();
    let outputs = plan.output_changes().value().unwrap();
    let after = |name| outputs.get(name).value().unwrap().the_change().after();
    assert!(after("a").is_absent());
    assert!(after("b").is_null());
    assert!(after("c").value().is_some());
    let variables = plan.variables().value().unwrap();
    assert!(variables.get("n").value().unwrap().value().unwrap().is_null());
    assert!(variables.get("m").value().unwrap().value().is_none());
    assert!(matches!(plan.checks(), Field::Absent));
}

fn codes(diagnostics: &[Diagnostic<'_>]) -> Vec<Code> {
    diagnostics.iter().map(Diagnostic::code).collect()
}

#[test]
fn wrong_types_have_a_path_and_the_rest_is_read() {
    let arena = Arena::new();
    let text = r#"{"format_version":"1.2","planned_values":[],"resource_changes":[
        {"address":"t.a","type":"t","change":{"actions":["create"]}},
        {"address":7,"type":"t","change":{"actions":"create"}},
        {"address":"t.c","type":"t","change":[]},
        {"address":"t.d","type":"t","change":{"actions":["delete",1]}}],
        "checks":{"a":1},"errored":"no","unknown_member":{"address":1},"deferred_changes":[{"resource_change":
        {"change":{"after_sensitive":{"a":[true,"yes"]}}}}]}"#;
    let mut diagnostics = Vec::new();
    let plan = Plan::of(parse(&arena, text), &mut diagnostics).unwrap();
    plan.check(&mut diagnostics);
    let found: Vec<String> = diagnostics.iter().map(Diagnostic::detail).collect();
    assert_eq!(
        found,
        [
            "`planned_values` should be an object, not an array.",
            "`resource_changes[1].address` should be a string, not a number.",
            "`resource_changes[1].change.actions` should be an array, not a string.",
            "`resource_changes[2].change` should be an object, not an array.",
            "`resource_changes[3].change.actions[1]` should be a string, not a number.",
            "`checks` should be an array, not an object.",
            "`errored` should be true or false, not a string.",
            "`deferred_changes[0].resource_change.change.after_sensitive.a[1]` should be \
             true, false, an object or an array, not a string.",
        ]
    );
    let position = diagnostics[1].source().position(diagnostics[1].span().start);
    assert_eq!((position.line, position.column), (3, 20));
    let kinds: Vec<ActionKind> = plan.changes().map(|change| change.actions().kind()).collect();
    let expected = [ActionKind::Create, ActionKind::Other, ActionKind::Other, ActionKind::Delete];
    assert_eq!(kinds, expected);
    assert_eq!(plan.changes().nth(2).unwrap().address().value(), Some("t.c"));
}

#[test]
fn kinds_of_documents() {
    for (text, kind) in [
        ("{}", DocumentKind::Empty),
        (r#"{"format_version":"1.0"}"#, DocumentKind::OnlyVersion),
        (r#"{"format_version":"1.0","values":{}}"#, DocumentKind::State),
        (r#"{"planned_values":{},"format_version":"1.0","configuration":{}}"#, DocumentKind::Plan),
        (r#"{"format_version":"1.0","provider_schemas":{}}"#, DocumentKind::Schemas),
        (
            r#"{"plan_format_version":"1.2","resource_changes":[],"provider_schemas":{}}"#,
            DocumentKind::RedactedPlan,
        ),
        (
            r#"{"state_format_version":"1.0","root":{},"provider_schemas":{}}"#,
            DocumentKind::RedactedState,
        ),
        (r#"{"version":4,"serial":1,"lineage":"x","resources":[]}"#, DocumentKind::RawState),
        (r#"{"version":3,"serial":1,"lineage":"x"}"#, DocumentKind::OldState),
        (
            r#"{"serial":1,"lineage":"x","meta":{},"encrypted_data":"eA==","encryption_version":"v0"}"#,
            DocumentKind::Encrypted,
        ),
        (r#"{"root_module":{},"provider_config":{}}"#, DocumentKind::Configuration),
        (r#"{"format_version":"1.0","function_signatures":{}}"#, DocumentKind::Functions),
        (r#"{"format_version":"1.0","valid":true,"diagnostics":[]}"#, DocumentKind::Validation),
        (r#"{"terraform_version":"1.9.0","platform":"linux_amd64"}"#, DocumentKind::Version),
        (r#"{"@level":"info","@message":"x","type":"version"}"#, DocumentKind::Message),
        (r#"{"resource":{}}"#, DocumentKind::ConfigurationFile),
        (r#"{"builders":[],"variables":{}}"#, DocumentKind::LegacyTemplate),
        (r#"{"version":5,"serial":1,"lineage":"x"}"#, DocumentKind::UnknownState),
        (
            r#"{"version":3,"serial":1,"lineage":"x","backend":{"type":"s3"},"modules":[{"path":["root"],"resources":{}}]}"#,
            DocumentKind::BackendSettings,
        ),
        (r#"{"version":4,"resources":[]}"#, DocumentKind::RawState),
        (r#"{"version":4,"terraform_version":"1.9.0","outputs":{}}"#, DocumentKind::RawState),
        (
            r#"{"version":3,"terraform_version":"1.15.0","state_store":{"type":"x"}}"#,
            DocumentKind::BackendSettings,
        ),
        (r#"{"version":"4","resources":[]}"#, DocumentKind::Other),
        (r#"{"resources":[],"outputs":{}}"#, DocumentKind::Other),
        (r#"{"unheard_of":{}}"#, DocumentKind::Other),
        ("[]", DocumentKind::Other),
        ("1", DocumentKind::Other),
    ] {
        let arena = Arena::new();
        assert_eq!(DocumentKind::of(parse(&arena, text).root()), kind, "{text}");
    }
}

#[test]
fn kinds_and_versions_that_do_not_fit_are_reported() {
    for (text, expected, is_read) in [
        (
            r#"{"format_version":"2.0","planned_values":{}}"#,
            vec![Code::UnknownFormatVersion],
            false,
        ),
        (r#"{"format_version":1.2,"planned_values":{}}"#, vec![Code::UnknownFormatVersion], false),
        (r#"{"planned_values":{}}"#, vec![Code::MissingFormatVersion], true),
        (r#"{"format_version":"0.1","planned_values":{}}"#, vec![], true),
        (r#"{"format_version":"1.9","planned_values":{},"prior_state":{}}"#, vec![], true),
        (
            r#"{"format_version":"1.2","planned_values":{},"prior_state":{"format_version":"3.0"}}"#,
            vec![Code::UnknownFormatVersion],
            false,
        ),
        (r#"{"format_version":"1.0","values":{}}"#, vec![Code::UnexpectedDocument], false),
        (r#"{}"#, vec![], true),
        (
            r#"{"encrypted_data":"eA==","lineage":"x","serial":1}"#,
            vec![Code::EncryptedDocument],
            false,
        ),
        ("[]", vec![Code::UnexpectedDocument], false),
    ] {
        let arena = Arena::new();
        let mut diagnostics = Vec::new();
        assert_eq!(Plan::of(parse(&arena, text), &mut diagnostics).is_some(), is_read, "{text}");
        assert_eq!(codes(&diagnostics), expected, "{text}");
    }
    let arena = Arena::new();
    let empty = parse(&arena, r#"{"format_version":"1.0"}"#);
    assert_eq!(State::of(empty, &mut ()).unwrap().resources().count(), 0);
    assert_eq!(Schemas::of(empty, &mut ()).unwrap().providers().count(), 0);
}

/// Another kind of document is named, and the command that reads it.
#[test]
fn other_documents_are_named() {
    for (text, found) in [
        (
            r#"{"format_version":"1.0","values":{}}"#,
            "a state, not a plan. `simd-hcl state` reads it.",
        ),
        (
            r#"{"version":3,"serial":1,"lineage":"x","modules":[]}"#,
            "a state file of version 1 to 3, not a plan. `simd-hcl state` reads it.",
        ),
        (
            r#"{"format_version":"1.0","provider_schemas":{}}"#,
            "a schema document, not a plan. `simd-hcl schema` reads it.",
        ),
        (r#"{"terraform":{}}"#, "a configuration file, not a plan. `simd-hcl check` reads it."),
        (r#"{"version":9,"serial":1}"#, "a state file of version 9, not a plan."),
        ("[]", "an array, not a plan."),
    ] {
        let arena = Arena::new();
        let mut diagnostics = Vec::new();
        assert!(Plan::of(parse(&arena, text), &mut diagnostics).is_none());
        assert_eq!(diagnostics[0].message(), format!("This is {found}"), "{text}");
    }
}

/// State files of version 1 to 3 are read as the tools upgrade them.
#[test]
fn old_state_files() {
    let text = r#"{"version":3,"terraform_version":"0.11.7","serial":2,"lineage":"l","modules":[
        {"path":["root"],"outputs":{"o":{"sensitive":true,"type":"list","value":["a",1]}},
         "resources":{
            "aws_x.y.0":{"type":"aws_x","depends_on":["data.aws_z.d"],"primary":{"id":"i","attributes":{"id":"i","tags.%":"1"},"meta":{"schema_version":"2"},"tainted":true},"deposed":[{"id":"j","attributes":{"id":"j"}}],"provider":"provider.aws.eu"},
            "aws_x.y.1":{"type":"aws_x","primary":{"id":"k","attributes":{"id":"k"}},"provider":""},
            "data.aws_z.d":{"type":"aws_z","primary":{"attributes":{}},"provider":"provider.aws"}}},
        {"path":["root","a","b"],"outputs":{"inner":{"value":1}},"resources":{"null_resource.n":{"type":"null_resource","primary":{"id":"1"}}}}]}"#;
    let arena = Arena::new();
    let mut found = Vec::new();
    let state = RawState::of(parse(&arena, text), &mut found).unwrap();
    state.check(&mut found);
    assert!(found.is_empty(), "{found:?}");
    let mut rows = Vec::new();
    for resource in state.resources().value().unwrap().iter() {
        for instance in resource.instances().value().unwrap().iter() {
            rows.push(format!(
                "{} {} {} {:?} {:?} {}",
                instance.address(resource),
                resource.provider_name().unwrap(),
                instance.schema_version().value().unwrap(),
                instance.deposed().value(),
                instance.status().value(),
                instance.leaves().count(),
            ));
        }
    }
    assert_eq!(
        rows,
        [
            "aws_x.y[0] registry.terraform.io/-/aws 2 None Some(\"tainted\") 2",
            "aws_x.y[0] registry.terraform.io/-/aws 0 Some(\"00000001\") None 1",
            "aws_x.y[1] registry.terraform.io/-/aws 0 None None 1",
            "data.aws_z.d registry.terraform.io/-/aws 0 None None 1",
            "module.a.module.b.null_resource.n registry.terraform.io/-/null 0 None None 1",
        ]
    );
    let outputs: Vec<_> = state.outputs().value().unwrap().iter().collect();
    let [(name, output)] = outputs[..] else { panic!("{outputs:?}") };
    assert_eq!((name, output.sensitive().value()), ("o", Some(true)));
    assert_eq!(output.value_type().value().unwrap().text(), br#"["tuple",["string","number"]]"#);
}

/// All actions are read, however many there are.
#[test]
fn all_actions_are_seen() {
    let text =
        with_change(r#""actions":["update","create","delete","read"],"before":{},"after":{}"#);
    let arena = Arena::new();
    let plan = Plan::of(parse(&arena, &text), &mut ()).unwrap();
    let entry = plan.changes().next().unwrap();
    let names: Vec<&str> = entry.actions().iter().map(Action::name).collect();
    assert_eq!(names, ["update", "create", "delete", "read"]);
    assert_eq!(entry.head().actions(), entry.actions());
    assert!(entry.change().value().unwrap().does(Action::Delete));
    assert!(!entry.change().value().unwrap().does(Action::Forget));
    assert_eq!(entry.actions().kind(), ActionKind::Other);
}

/// Unknown parts of a value that does not exist yet are reported, and trees without a mark are
/// ignored.
#[test]
fn unknown_parts_of_what_is_absent() {
    for (change, expected) in [
        (
            r#""before":{"x":[]},"after_unknown":{"x":[false],"id":true}"#,
            vec!["id: - -> ?", "x: [] -> -"],
        ),
        (
            r#""before":{"x":[]},"after":{"x":null},"after_unknown":{"x":[false,true]}"#,
            vec!["x[1]: - -> ?"],
        ),
        (
            r#""before":null,"after":null,"after_unknown":{"a":{"b":true},"c":[{}]}"#,
            vec!["a.b: - -> ?"],
        ),
        (r#""before":null,"after_unknown":{"id":true}"#, vec!["id: - -> ?"]),
        (r#""before":{"c":[]},"after":{"c":[]},"after_unknown":{"c":[false]}"#, vec![]),
        (r#""before":{"a":1},"after":{"a":1},"after_unknown":{"a":{"b":false}}"#, vec![]),
        (r#""before":{"a":{"b":1}},"after":{},"after_unknown":{"a":[false]}"#, vec!["a.b: 1 -> -"]),
    ] {
        let found = differences(&format!(r#""actions":["update"],{change}"#));
        assert_eq!(found, expected, "{change}");
    }
    let text = with_change(
        r#""actions":["update"],"before":{"a":1},"after":{"a":2},"after_unknown":{"a":[false]},"after_sensitive":{"a":{}}"#,
    );
    let arena = Arena::new();
    let plan = Plan::of(parse(&arena, &text), &mut ()).unwrap();
    let mut walk = plan.changes().next().unwrap().change().value().unwrap().differences();
    assert_eq!(walk.by_ref().count(), 1);
    assert!(walk.misfits().is_empty(), "trees without a mark carry no information");
}

#[test]
fn replace_paths_without_a_difference_are_kept() {
    let text = with_change(
        r#""actions":["delete","create"],"before":{"a":1,"b":{"c":1},"d":[1]},"after":{"a":2,"b":{"c":1},"d":[1]},
        "replace_paths":[["d",0],["a"],["b","c.d"],["a","x"]]"#,
    );
    let arena = Arena::new();
    let plan = Plan::of(parse(&arena, &text), &mut ()).unwrap();
    let mut walk = plan.changes().next().unwrap().change().value().unwrap().differences();
    assert_eq!(walk.by_ref().count(), 1);
    assert_eq!(walk.unseen_replace_paths(), ["d[0]", "b[\"c.d\"]", "a.x"]);
}

#[test]
fn duplicate_addresses() {
    let arena = Arena::new();
    let change = r#"{"address":"t.x","type":"t","change":{"actions":["create"]}}"#;
    let deposed =
        r#"{"address":"t.x","type":"t","deposed":"0a1b2c3d","change":{"actions":["delete"]}}"#;
    let text = format!(
        r#"{{"format_version":"1.2","planned_values":{{}},"resource_changes":[{change},{deposed},{change}]}}"#
    );
    let mut diagnostics = Vec::new();
    let plan = Plan::of(parse(&arena, &text), &mut diagnostics).unwrap();
    let index = PlanIndex::new(plan, &mut diagnostics);
    assert_eq!(codes(&diagnostics), [Code::DuplicateAddress]);
    assert_eq!(index.changes().len(), 3);
    assert_eq!(index.change("t.x", None).unwrap().actions().kind(), ActionKind::Create);
    let deposed = index.change("t.x", Some("0a1b2c3d")).unwrap();
    assert_eq!(deposed.actions().kind(), ActionKind::Delete);
}

#[test]
fn heads_are_the_same_however_they_are_written_and_read() {
    let entries = [
        (
            r#"{"address":"module.a[\"k\"].t.x","mode":"data","type":"t","name":"x","index":0,"change":{"actions":["update"],"before":{}}}"#,
            "update",
        ),
        (
            r#"{ "change" : { "actions" : [ "create" ] } , "type" : "t" , "name" : "x", "mode":"data", "address" : "module.a[\u0022k\u0022].t.x" }"#,
            "create",
        ),
        (
            r#"{"extra":{"change":{"actions":["no-op"]},"address":"wrong"},"address":"module.a[\"k\"].t.x","mode":"data","type":"t","name":"x","change":{"actions":["delete"]}}"#,
            "delete",
        ),
        (
            r#"{"note":",\"change\":{\"actions\":[\"no-op\"]}","address":"module.a[\"k\"].t.x","mode":"data","type":"t","name":"x","change":{"before":{"actions":["no-op"]},"actions":["delete","create"]}}"#,
            "replace",
        ),
        (
            r#"{"tags":["a","change"],"address":"module.a[\"k\"].t.x","mode":"data","type":"t","name":"x","ch\u0061nge":{"actions":["forget"]}}"#,
            "forget",
        ),
        (
            r#"{"address":"module.a[\"k\"].t.x","address":"wrong","mode":"data","type":"t","name":"x","change":{"actions":["read"]},"change":{"actions":["no-op"]}}"#,
            "read",
        ),
        (
            r#"{"address":"module.a[\"k\"].t.x","mode":"data","type":"t","name":"x","change":{"actions":["\u0063reate","forget"]}}"#,
            "replace_forget",
        ),
        (
            r#"{"address":"module.a[\"k\"].t.x","mode":"data","type":"t","name":"x","change":{"actions":["create","forget","create"]}}"#,
            "other",
        ),
        (
            r#"{"address":"module.a[\"k\"].t.x","mode":"data","type":"t","name":"x","change":[{"actions":["create"]}]}"#,
            "other",
        ),
        (r#"{"address":"module.a[\"k\"].t.x","mode":"data","type":"t","name":"x"}"#, "other"),
    ];
    let all: Vec<&str> = entries.iter().map(|(text, _)| *text).collect();
    let text = format!(
        r#"{{"format_version":"1.2","planned_values":{{}},"resource_changes":[{}]}}"#,
        all.join(",\n")
    );
    for depth in [0, 1, Plan::LIST_DEPTH, 3, Plan::DIFF_DEPTH, u32::MAX] {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "test.json", text.as_bytes()).unwrap();
        let options = ParseOptions::default().with_skeleton_depth(depth);
        let document = Document::parse_with(&arena, source, &options).unwrap();
        let plan = Plan::of(document, &mut ()).unwrap();
        let counts = plan.count_by_action();
        assert_eq!(counts.iter().sum::<usize>(), entries.len());
        for (change, (entry, kind)) in plan.changes().zip(entries) {
            assert_eq!(change.actions().kind().name(), kind, "{entry}");
            let head = change.head();
            assert_eq!(head.actions().kind().name(), kind, "{entry}");
            let found = (head.address(), head.mode().name(), head.resource_type(), head.name());
            assert_eq!(found, ("module.a[\"k\"].t.x", "data", "t", "x"), "{entry}");
            assert_eq!(change.address().value(), Some(head.address()));
        }
    }
}

#[test]
fn marks_that_do_not_fit() {
    for change in [
        r#""before":{"a":1},"after":{"a":2},"after_unknown":{"a":{"b":true}}"#,
        r#""before":{"a":[1]},"after":{"a":[2]},"after_unknown":{"a":[false,true]}"#,
        r#""before":{"a":1},"after":{"a":2},"after_unknown":{"a":true}"#,
        r#""before":{"a":1},"after":{"a":2},"after_sensitive":{"a":[true]}"#,
    ] {
        let arena = Arena::new();
        let text = with_change(&format!(r#""actions":["update"],{change}"#));
        let plan = Plan::of(parse(&arena, &text), &mut ()).unwrap();
        let mut walk = plan.changes().next().unwrap().change().value().unwrap().differences();
        assert!(walk.by_ref().count() > 0);
        assert_eq!(codes(walk.misfits()), [Code::MarksMisfit], "{change}");
    }
    // Sensitive marks that do not fit hide more, never less.
    let found = differences(
        r#""actions":["update"],"before":{"a":1},"after":{"a":2},"after_sensitive":{"a":[true]}"#,
    );
    assert_eq!(found, ["a: 1 -> 2*"]);
}

#[test]
fn deep_and_long_values() {
    let depth = 9_900;
    let nest = |value: &str| format!("{}{value}{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    let unknown = nest("{\"u\":true}");
    let change = format!(
        r#""actions":["update"],"before":{},"after":{},"after_unknown":{unknown}"#,
        nest("{\"v\":1}"),
        nest("{\"v\":2}"),
    );
    let arena = Arena::new();
    let text = with_change(&change);
    let mut diagnostics = Vec::new();
    let plan = Plan::of(parse(&arena, &text), &mut diagnostics).unwrap();
    plan.check(&mut diagnostics);
    assert!(diagnostics.is_empty());
    let change = plan.changes().next().unwrap().change().value().unwrap();
    assert_eq!(change.differences().count(), 2);
    assert_eq!(change.after_leaves().count(), 2);

    let digits = "7".repeat(1_000_000);
    let found = differences(&format!(
        r#""actions":["update"],"before":{{"n":{digits},"m":{digits}}},"after":{{"n":{digits}.0,"m":{digits}1}}"#
    ));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("m: 777"));
}

#[test]
fn deep_modules() {
    let depth = 3_000;
    let mut text = r#"{"format_version":"1.0","values":{"root_module":"#.to_owned();
    text.push_str(&"{\"child_modules\":[".repeat(depth));
    text.push_str(r#"{"resources":[{"address":"module.deep.t.x"}]}"#);
    text.push_str(&"]}".repeat(depth));
    text.push_str("}}");
    let arena = Arena::new();
    let mut diagnostics = Vec::new();
    let state = State::of(parse(&arena, &text), &mut diagnostics).unwrap();
    state.check(&mut diagnostics);
    assert!(diagnostics.is_empty());
    let addresses: Vec<_> = state.resources().map(|resource| resource.address().value()).collect();
    assert_eq!(addresses, [Some("module.deep.t.x")]);
}

#[test]
fn files_as_shells_leave_them() {
    let text = r#"{"format_version":"1.2","planned_values":{"root_module":{}}}"#;
    let utf16: Vec<u8> =
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let big_endian: Vec<u8> =
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    for (bytes, expected) in [
        (text.as_bytes().to_vec(), vec![]),
        ([b"\xEF\xBB\xBF", text.as_bytes()].concat(), vec![Code::ByteOrderMark]),
        (utf16[2..].to_vec(), vec![Code::ConvertedEncoding]),
        (big_endian[2..].to_vec(), vec![Code::ConvertedEncoding]),
        (utf16.clone(), vec![Code::ConvertedEncoding]),
        (big_endian, vec![Code::ConvertedEncoding]),
        (
            [b"[command]/usr/bin/terraform show -json\n", text.as_bytes()].concat(),
            vec![Code::TextBeforeDocument],
        ),
    ] {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "plan.json", &bytes).unwrap();
        let mut found = Vec::new();
        let options = ParseOptions::default();
        let document = simd_hcl::show::document(&arena, source, &options, &mut found).unwrap();
        assert!(Plan::of(document, &mut found).is_some());
        assert_eq!(codes(&found), expected);
        assert!(found.iter().all(|diagnostic| diagnostic.severity() == Severity::Warning));
    }
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "plan.json", b"{\"format_version\":\"1.2\",").unwrap();
    assert!(
        simd_hcl::show::document(&arena, source, &ParseOptions::default(), &mut ()).is_err(),
        "a truncated plan"
    );
    // Half a character, and half a surrogate pair.
    let half = utf16.split_last().unwrap().1.to_vec();
    let lone = [&utf16[..utf16.len() - 2], &[0x00, 0xD8], &utf16[utf16.len() - 2..]].concat();
    for bytes in [half, lone] {
        let source = Source::from_bytes(&arena, "plan.json", &bytes).unwrap();
        let options = ParseOptions::default();
        let error = simd_hcl::show::document(&arena, source, &options, &mut ()).unwrap_err();
        assert_eq!(error.code(), Code::NotUtf8Encoding);
    }
}

const FULL: &str = r#"{"format_version":"1.2","terraform_version":"1.11.0","variables":{"s":{"value":"hidden \"1\""}},
"planned_values":{"outputs":{"o":{"sensitive":true,"value":"hidden"}},"root_module":{"child_modules":[{"resources":[
{"address":"module.m[\"k.1\"].t.x[0]","mode":"managed","type":"t","name":"x","index":0,"schema_version":0,
"values":{"p":"hidden","q":1.50},"sensitive_values":{}}],"address":"module.m[\"k.1\"]"}]}},
"resource_changes":[{"address":"module.m[\"k.1\"].t.x[0]","module_address":"module.m[\"k.1\"]","mode":"managed",
"type":"t","name":"x","index":0,"change":{"actions":["update"],"before":{"p":"hidden","q":1},
"after":{"p":"hidden","q":1.50},"after_unknown":{},"before_sensitive":{"p":true},"after_sensitive":{"p":true}}}],
"prior_state":{"format_version":"1.0","values":{"root_module":{"child_modules":[{"resources":[
{"address":"module.m[\"k.1\"].t.x[0]","values":{"p":"hidden","q":1}}],"address":"module.m[\"k.1\"]"}]}}},
"configuration":{"root_module":{"module_calls":{"m":{"source":"./m","expressions":{"v":{"references":["each.key"]},
"w":{"constant_value":"hidden"}},"module":{"resources":[{"address":"t.x","mode":"managed","type":"t","name":"x",
"expressions":{"b":[{"a":{"constant_value":1},"references":{"references":["var.v","data.d.e.id","data.d.e"]}}],
"f":{}},"schema_version":0}],"variables":{"v":{},"w":{"sensitive":true}}}}},"variables":{"s":{"sensitive":true}}}},
"checks":[{"address":{"kind":"check","to_display":"check.a"},"status":"pass","instances":[
{"address":{},"status":"pass"},{"address":{},"status":"fail"}]},{"address":{},"status":"unknown"}],"new_member":{"z":[1.0]}}"#;

#[test]
fn what_belongs_together_is_found() {
    let arena = Arena::new();
    let plan = Plan::of(parse(&arena, FULL), &mut ()).unwrap();
    let index = PlanIndex::new(plan, &mut ());
    let address = "module.m[\"k.1\"].t.x[0]";
    assert_eq!(index.count(ActionKind::Update), 1);
    assert_eq!(plan.count_by_action()[ActionKind::Update as usize], 1);
    assert_eq!(index.of_type("t").count(), 1);
    assert_eq!(index.of_type("u").count(), 0);
    assert_eq!(index.in_module("module.m[\"k.1\"]").count(), 1);
    assert!(index.change(address, None).is_some());
    assert!(index.planned_value(address).is_some());
    assert!(index.prior_value(address, None).is_some());
    let block = index.configuration(address).unwrap();
    assert_eq!(block.address().value(), Some("t.x"));

    let mut found = Vec::new();
    let configuration = plan.configuration().value().unwrap();
    let mut modules = configuration.modules();
    let mut paths = Vec::new();
    while let Some(module) = modules.next() {
        paths.push(modules.path().join("."));
        for resource in module.resources().value().into_iter().flat_map(|list| list.iter()) {
            let expressions = resource.expressions().value().unwrap();
            references(expressions.node(), modules.path(), |reference| {
                found.push((reference.text, reference.target.unwrap()));
            });
        }
    }
    assert_eq!(paths, ["", "m"]);
    let expected =
        [("var.v", "module.m.var.v".into()), ("data.d.e.id", "module.m.data.d.e".into())];
    assert_eq!(found, expected);

    let counts = CheckCounts::of(plan.checks().value().unwrap().iter());
    assert_eq!((counts.pass, counts.fail, counts.error, counts.unknown), (1, 1, 0, 1));
    assert!(plan.object().get("new_member").is_some());
    assert_eq!(Address::parse(address).unwrap().to_string(), address);
}

#[test]
fn redaction_hides_every_secret_and_nothing_else() {
    let arena = Arena::new();
    let document = parse(&arena, FULL);
    let plan = Plan::of(document, &mut ()).unwrap();
    let places = redact::Places::of_plan(plan, redact::Options::default());
    let mut out = Vec::new();
    redact::write(document.source(), &places, &mut out).unwrap();
    let expected = FULL
        .replace(r#""hidden \"1\"""#, redact::REDACTED)
        .replace(r#""hidden""#, redact::REDACTED);
    assert_eq!(String::from_utf8(out).unwrap(), expected);
    assert!(!expected.contains("hidden"));
}

#[test]
fn paths_of_secrets_that_lead_nowhere_hide_what_they_lead_through() {
    for (path, hidden) in [
        (r#"[{"type":"get_attr","value":"a"},{"type":"index","value":7}]"#, r#""a":"#),
        (r#"[{"type":"get_attr","value":"a"},{"type":"get_attr"}]"#, r#""a":"#),
        (r#"[{"type":"get_attr","value":"a"},{"type":"index","value":"0"}]"#, r#""a":"#),
        (r#"[7]"#, r#""a":"#),
        (r#""a""#, r#""a":"#),
    ] {
        let arena = Arena::new();
        let text = format!(
            r#"{{"version":4,"lineage":"x","resources":[{{"mode":"managed","type":"t","name":"x","instances":[
            {{"attributes":{{"a":["s3cret"]}},"sensitive_attributes":[{path}]}}]}}]}}"#
        );
        let document = parse(&arena, &text);
        let state = RawState::of(document, &mut ()).unwrap();
        let mut out = Vec::new();
        redact::write(
            document.source(),
            &redact::Places::of_raw_state(state, redact::Options::default()),
            &mut out,
        )
        .unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains(&format!("{hidden}{}", redact::REDACTED)), "{path}: {out}");
        assert!(!out.contains("s3cret"), "{path}: {out}");
    }
}

#[test]
fn writing_reproduces_every_byte() {
    let arena = Arena::new();
    let compact = FULL.replace('\n', "");
    let document = parse(&arena, &compact);
    let text = simd_hcl::write::to_string(simd_hcl::write::Layout::Compact, |slot| {
        slot.node(document.root());
    });
    assert_eq!(text, compact);
    // Filtered: only the changes, unknown members included.
    let plan = Plan::of(document, &mut ()).unwrap();
    let text = simd_hcl::write::to_string(simd_hcl::write::Layout::Compact, |slot| {
        let mut array = slot.array();
        plan.changes().for_each(|change| array.element().node(change.object().node()));
    });
    assert!(compact.contains(&text[1..text.len() - 1]));
}

#[test]
fn state_files() {
    let arena = Arena::new();
    let text = r#"{"version":4,"terraform_version":"1.9.0","serial":3,"lineage":"x","outputs":{
      "o":{"value":"hidden","type":"string","sensitive":true}},"resources":[
      {"module":"module.m[\"a\"]","mode":"data","type":"t","name":"x","provider":"provider[\"h/n/t\"]","instances":[
        {"index_key":"k.1","schema_version":1,"attributes":{"p":"hidden","l":[{"q":"hidden"},{"q":"seen"}]},
         "sensitive_attributes":[[{"type":"get_attr","value":"p"}],
           [{"type":"get_attr","value":"l"},{"type":"index","value":{"value":0,"type":"number"}},{"type":"get_attr","value":"q"}]]},
        {"index_key":2,"deposed":"0a","status":"tainted","schema_version":0,"attributes":{}}]}],
      "check_results":[{"object_kind":"check","config_addr":"check.health","status":"fail","objects":[
        {"object_addr":"check.health","status":"fail","failure_messages":["Not healthy."]}]}]}"#;
    let mut diagnostics = Vec::new();
    let document = parse(&arena, text);
    let state = RawState::of(document, &mut diagnostics).unwrap();
    state.check(&mut diagnostics);
    assert!(diagnostics.is_empty());
    let resource = state.resources().value().unwrap().iter().next().unwrap();
    assert_eq!(resource.provider_name().as_deref(), Some("h/n/t"));
    let check = state.check_results().value().unwrap().iter().next().unwrap();
    assert_eq!(check.object_kind().value(), Some(CheckKind::Check));
    let object = check.objects().value().unwrap().iter().next().unwrap();
    assert_eq!(object.status().value(), Some(CheckStatus::Fail));
    assert_eq!(object.failure_messages().value().unwrap().iter().next(), Some("Not healthy."));
    let places = redact::Places::of_raw_state(state, redact::Options::default());
    let secrets = |text: &str| text.matches("hidden").count();
    assert_eq!(places.spans().count(), secrets(text));
    for (at, _) in text.match_indices("hidden") {
        assert!(places.touch(Span::new(at as u32, at as u32 + 1)));
    }
    let seen = text.find("seen").unwrap() as u32;
    assert!(!places.touch(Span::new(seen, seen + 4)) && !places.touch(Span::new(0, 1)));
    let addresses: Vec<String> = resource
        .instances()
        .value()
        .unwrap()
        .iter()
        .map(|instance| instance.address(resource))
        .collect();
    let expected = ["module.m[\"a\"].data.t.x[\"k.1\"]", "module.m[\"a\"].data.t.x[2]"];
    assert_eq!(addresses, expected);
    let mut out = Vec::new();
    redact::write(
        document.source(),
        &redact::Places::of_raw_state(state, redact::Options::default()),
        &mut out,
    )
    .unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), text.replace("\"hidden\"", redact::REDACTED));
}

/// Wrapper scripts print lines before and after the document, which may repeat it.
#[test]
fn lines_around_a_document_are_skipped() {
    let text = "[command]/bin/terraform show -json\n{\"format_version\":\"1.2\",\"planned_values\":{}}\n\n\
        ::debug::exited with code 0.\n::set-output name=stdout::{\"s3cret\"\n";
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "test.json", text.as_bytes()).unwrap();
    let mut found = Vec::new();
    let options = ParseOptions::default();
    let document = simd_hcl::show::document(&arena, source, &options, &mut found).unwrap();
    assert_eq!(codes(&found), [Code::TextAfterDocument, Code::TextBeforeDocument]);
    assert!(Plan::of(document, &mut found).is_some());
    let mut out = Vec::new();
    let start = document.root().offset();
    redact::write_from(document.source(), start, &redact::Places::default(), &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert_eq!(out.trim_end(), r#"{"format_version":"1.2","planned_values":{}}"#);
    for text in ["{} {}", "{}\n{}", "{}\n[1]", "{} x"] {
        let source = Source::from_bytes(&arena, "test.json", text.as_bytes()).unwrap();
        assert!(simd_hcl::show::document(&arena, source, &options, &mut ()).is_err(), "{text}");
    }
}
