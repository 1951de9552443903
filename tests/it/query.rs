//! Selection by path patterns and conditions.

use simd_hcl::dialect::{Dialect, List, root_schema};
use simd_hcl::query::{Condition, Pattern, Verdict, select};
use simd_hcl::{Arena, Document, ParsedFile, Source};

const MODULE: &str = r#"{
  "//": {"ami": "no"},
  "variable": {"region": {"default": "eu-1", "//": "c"}, "odd.name": {}},
  "locals": [{"size": 3, "tags": {"a.b": "x"}}, {"all": ["${var.region}", "b"]}],
  "provider": {"aws": [{"region": "one"}, {"alias": "x", "region": "two"}], "null": null},
  "terraform": {"backend": {"s3": {"bucket": "state"}}},
  "resource": [
    {"aws_instance": {"web": {"ami": "ami-1", "instance_type": "t3.large",
        "ebs_block_device": [{"volume_size": 10}, {"volume_size": 20}],
        "root_block_device": {"volume_size": 5},
        "lifecycle": {"prevent_destroy": true}}}},
    {"aws_instance": [{"db": [{"ami": "${var.ami}", "instance_type": "${var.type}"}]}],
     "aws_s3_bucket": {"logs": {"bucket": "logs", "lifecycle": [{"prevent_destroy": false}]}}}
  ],
  "unknown": {"ami": 1}
}"#;

/// Returns `ADDRESS|NAME|JSON` for each match.
fn selected(pattern: &str) -> Vec<String> {
    selected_in(MODULE, pattern, List::Primary)
}

fn selected_in(text: &str, pattern: &str, list: List) -> Vec<String> {
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "main.tf.json", text.as_bytes()).unwrap();
    let pattern = Pattern::parse(pattern).unwrap();
    select(&pattern, document, root_schema(Dialect::OpenTofu, list))
        .map(|found| {
            let value = str::from_utf8(found.expression().text()).unwrap();
            assert!(text[found.span().start as usize..found.span().end as usize].contains(value));
            let value: String = value.split_whitespace().collect();
            format!("{}|{}|{value}", found.address(), found.name())
        })
        .collect()
}

/// Nested blocks of one type in native files have indexes where JSON has an array.
#[test]
fn repeated_blocks_have_indexes() {
    let native = "resource \"t\" \"n\" {
  one { x = 1 }
  many { x = 2 }
  other = 3
  many { x = 4 }
  dynamic \"many\" { for_each = [] }
  dynamic \"more\" { for_each = [] }
}
";
    let json = r#"{"resource": {"t": {"n": {"one": {"x": 1}, "many": [{"x": 2}, {"x": 4}], "other": 3,
        "dynamic": {"many": {"for_each": []}, "more": {"for_each": []}}}}}}"#;
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "main.tf", native.as_bytes()).unwrap();
    let native = ParsedFile::native(&arena, source);
    let json = Document::parse_bytes(&arena, "main.tf.json", json.as_bytes()).unwrap();
    let names = |pattern: &str, file: ParsedFile<'_>| -> Vec<String> {
        let pattern = Pattern::parse(&format!("resource.t.n.{pattern}")).unwrap();
        select(&pattern, file, root_schema(Dialect::OpenTofu, List::Primary))
            .map(|found| found.name())
            .collect()
    };
    for (pattern, expected) in [
        ("many[0].x", &["many[0].x"][..]),
        ("many[1].x", &["many[1].x"]),
        ("many[2].x", &[]),
        ("many[*].x", &["many[0].x", "many[1].x"]),
        ("many.x", &["many[0].x", "many[1].x"]),
        ("**.x", &["one.x", "many[0].x", "many[1].x"]),
        ("one.x", &["one.x"]),
        ("one[0].x", &[]),
        ("dynamic.*.for_each", &["dynamic.many.for_each", "dynamic.more.for_each"]),
    ] {
        assert_eq!(names(pattern, native), expected, "{pattern}");
        assert_eq!(names(pattern, ParsedFile::json(json)), expected, "{pattern} in JSON");
    }
    assert_eq!(names("many", native), ["many[0]", "many[1]"]);
    assert_eq!(names("*", native), ["one", "many[0]", "many[1]", "other", "dynamic", "dynamic"]);
}

#[test]
fn names_and_stars() {
    assert_eq!(
        selected("resource.aws_instance.*.ami"),
        [r#"aws_instance.web|ami|"ami-1""#, r#"aws_instance.db|ami|"${var.ami}""#]
    );
    assert_eq!(selected("resource.*.*.bucket"), [r#"aws_s3_bucket.logs|bucket|"logs""#]);
    assert_eq!(selected("resource.aws_*.d?.ami"), [r#"aws_instance.db|ami|"${var.ami}""#]);
    assert_eq!(selected("resource.aws_instance.web.missing"), [""; 0]);
    assert_eq!(
        selected("variable.\"odd.name\""),
        [r#"variable["odd.name"]"#.replace("variable", "var") + "||{}"]
    );
    assert_eq!(selected("terraform.backend.s3.bucket"), [r#"terraform|backend.s3.bucket|"state""#]);
}

#[test]
fn any_depth() {
    assert_eq!(
        selected("**.prevent_destroy"),
        [
            "aws_instance.web|lifecycle.prevent_destroy|true",
            "aws_s3_bucket.logs|lifecycle[0].prevent_destroy|false"
        ]
    );
    // Each is selected once, although `**` matches in several ways.
    assert_eq!(selected("**.**.volume_size").len(), 3);
    assert_eq!(selected("resource.**.volume_size").len(), 3);
    assert_eq!(selected("**.ami").len(), 3, "unknown block types are attributes of the root");
}

#[test]
fn arrays() {
    // An array of blocks is not a step, and `null` is not a block.
    assert_eq!(
        selected("provider.aws.region"),
        [r#"provider.aws|region|"one""#, r#"provider.aws|region|"two""#]
    );
    assert_eq!(selected("provider.*").len(), 2);
    // A name skips an array of attributes; `[n]` does not.
    let sizes = selected("resource.*.web.ebs_block_device.volume_size");
    assert_eq!(
        sizes,
        [
            "aws_instance.web|ebs_block_device[0].volume_size|10",
            "aws_instance.web|ebs_block_device[1].volume_size|20"
        ]
    );
    assert_eq!(selected("resource.*.web.ebs_block_device[*].volume_size"), sizes);
    assert_eq!(selected("resource.*.web.ebs_block_device[1].volume_size"), sizes[1..]);
    assert_eq!(selected("resource.*.web.ebs_block_device[2].volume_size"), [""; 0]);
    assert_eq!(selected("locals.all[0]"), [r#"local.all|[0]|"${var.region}""#]);
}

#[test]
fn blocks_and_labels() {
    let buckets = selected("resource.aws_s3_bucket");
    assert_eq!(buckets.len(), 1);
    assert!(buckets[0].starts_with("aws_s3_bucket.logs||{"), "{buckets:?}");
    assert_eq!(selected("resource").len(), 3);
    assert_eq!(selected("locals.*").len(), 3);
    assert_eq!(selected("locals.size"), ["local.size||3"]);
    assert_eq!(selected(r#"locals.tags["a.b"]"#), [r#"local.tags|["a.b"]|"x""#]);
    assert_eq!(selected("locals").len(), 2, "blocks");
}

#[test]
fn comments() {
    assert_eq!(selected("**.//").len(), 2);
    assert_eq!(selected("variable.region.*").len(), 1);
    assert_eq!(
        selected("variable.region.//"),
        [r#"var.region|//|"c""#.replace("|//|", r#"|["//"]|"#)]
    );
}

#[test]
fn files_of_variables() {
    let text = r#"{"region": "x", "sizes": [1, 2]}"#;
    assert_eq!(selected_in(text, "sizes[1]", List::Variables), ["var.sizes|[1]|2"]);
    assert_eq!(selected_in(text, "*", List::Variables).len(), 2);
}

#[test]
fn deep_values_need_no_stack() {
    let depth = 9_000;
    let text = format!(r#"{{"locals": {{"a": {}1{}}}}}"#, "[".repeat(depth), "]".repeat(depth));
    assert_eq!(selected_in(&text, "locals.a", List::Primary).len(), 1);
    let pattern = Pattern::parse("locals.a.**").unwrap();
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "main.tf.json", text.as_bytes()).unwrap();
    let schema = root_schema(Dialect::OpenTofu, List::Primary);
    assert_eq!(select(&pattern, document, schema).count(), depth + 1);
}

fn kept(pattern: &str, condition: &str) -> (Vec<String>, usize, usize) {
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "main.tf.json", MODULE.as_bytes()).unwrap();
    let pattern = Pattern::parse(pattern).unwrap();
    let condition = Condition::parse(&arena, condition, &mut ()).unwrap().unwrap();
    let (mut holds, mut unknown, mut invalid) = (Vec::new(), 0, 0);
    for found in select(&pattern, document, root_schema(Dialect::OpenTofu, List::Primary)) {
        match condition.verdict(&found, None) {
            Verdict::Holds => holds.push(format!("{} {}", found.address(), found.name())),
            Verdict::Fails => {}
            Verdict::Unknown => unknown += 1,
            Verdict::Invalid(_) => invalid += 1,
        }
    }
    (holds, unknown, invalid)
}

/// Types and references are texts, in both syntaxes.
#[test]
fn conditions_about_types_and_references() {
    const NATIVE: &str = "variable \"a\" {}\nvariable \"b\" {\n  type = string\n}\n\
        variable \"c\" {\n  type = list(string)\n}\nresource \"d\" \"e\" {\n  provider = f.west\n  \
        depends_on = [var.a, var.b]\n  g = var.b\n  lifecycle {\n    ignore_changes = [tags]\n  }\n}\n";
    const JSON: &str = r#"{"variable": {"a": {}, "b": {"type": "string"}, "c": {"type": "list(string)"}},
        "resource": {"d": {"e": {"provider": "f.west", "depends_on": ["var.a", "var.b"], "g": "${var.b}",
        "lifecycle": {"ignore_changes": ["tags"]}}}}}"#;
    for (pattern, condition, expected) in [
        ("variable.*", "type == null", &["var.a"][..]),
        ("variable.*", "type == \"string\"", &["var.b"]),
        ("variable.*", "type != null && type != \"string\"", &["var.c"]),
        ("resource.*.*", "provider == \"f.west\"", &["d.e"]),
        ("resource.*.*", "depends_on[1] == \"var.b\"", &["d.e"]),
        ("resource.*.*.g", "provider == \"f.west\"", &["d.e"]),
        ("resource.*.*.lifecycle", "ignore_changes[0] == \"tags\"", &["d.e"]),
        // The value of a reference is not known.
        ("resource.*.*", "g == \"var.b\"", &[]),
    ] {
        for (name, text) in [("main.tf", NATIVE), ("main.tf.json", JSON)] {
            let arena = Arena::new();
            let source = Source::from_bytes(&arena, name, text.as_bytes()).unwrap();
            let file = match name {
                "main.tf" => ParsedFile::native(&arena, source),
                _ => ParsedFile::json(Document::parse(&arena, source).unwrap()),
            };
            let pattern = Pattern::parse(pattern).unwrap();
            let condition = Condition::parse(&arena, condition, &mut ()).unwrap().unwrap();
            let schema = root_schema(Dialect::OpenTofu, List::Primary);
            let found = select(&pattern, file, schema)
                .filter(|found| condition.verdict(found, None) == Verdict::Holds);
            assert_eq!(
                found.map(|it| it.address()).collect::<Vec<_>>(),
                expected,
                "{name}: {condition:?}"
            );
        }
    }
}

#[test]
fn conditions() {
    // A value that depends on a variable is not known.
    assert_eq!(
        kept("resource.aws_instance.*", r#"instance_type == "t3.large""#),
        (vec!["aws_instance.web ".into()], 1, 0)
    );
    // The object itself, the one around it, the block.
    assert_eq!(kept("**.ebs_block_device[*]", "volume_size > 10").0.len(), 1);
    assert_eq!(kept("**.root_block_device", "volume_size == 5").0.len(), 1);
    assert_eq!(kept("**.volume_size", r#"ami == "ami-1""#).0.len(), 3);
    // A missing member is null, and a comparison of it with a number is false.
    assert_eq!(kept("resource.*.*", "missing > 3"), (vec![], 0, 0));
    assert_eq!(kept("resource.*.*", "bucket != null").0, ["aws_s3_bucket.logs "]);
    assert_eq!(
        kept("**.volume_size", r#"self.value >= 10 && self.address == "aws_instance.web""#).0.len(),
        2
    );
    // An object whose condition cannot be evaluated is not skipped.
    assert_eq!(kept("resource.*.web", "ami + 1 == 2"), (vec![], 0, 1));
    assert!(Condition::parse(&Arena::new(), "a ==", &mut ()).unwrap().is_none());
}
