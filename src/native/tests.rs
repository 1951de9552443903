//! Programs as text, for every construct.

use super::*;
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::source::Source;

/// A program as nested lists, from its nodes.
fn shape(program: &Program<'_>) -> String {
    let mut stack: Vec<(u32, String)> = Vec::new();
    for node in program.nodes {
        let text = |place: u32| program.texts[place as usize];
        let steps = || {
            let steps = program.traversal(node.payload).iter().map(|step| match step.kind {
                StepKind::Root(name) => name.to_owned(),
                StepKind::Attribute(name) => format!(".{name}"),
                StepKind::Index(Key::Number(text)) => format!("[{text}]"),
                StepKind::Index(Key::String(text)) => format!("[{text:?}]"),
                StepKind::Index(key) => format!("[{key:?}]"),
                StepKind::Splat => "[*]".to_owned(),
            });
            steps.collect::<String>()
        };
        let own = match node.kind {
            Kind::Number => text(node.payload).to_owned(),
            Kind::Text => format!("{:?}", text(node.payload)),
            Kind::Traversal | Kind::Relative => steps(),
            Kind::Call => {
                let call = &program.calls[node.payload as usize];
                format!("{}{}", call.name, if call.expands { "..." } else { "" })
            }
            Kind::ForStart => {
                let head = &program.loops[node.payload as usize];
                format!("{:?},{}:{}", head.key_name, head.value_name, head.groups)
            }
            Kind::Binary(operator) => format!("{operator:?}"),
            kind => format!("{kind:?}"),
        };
        let mut operands = Vec::new();
        let mut rest = node.size - 1;
        while rest > 0 {
            let (size, operand) = stack.pop().unwrap();
            rest -= size;
            operands.insert(0, operand);
        }
        let shown = if operands.is_empty() && node.kind != Kind::Call {
            own
        } else {
            format!("{own}({})", operands.join(" "))
        };
        stack.push((node.size, shown));
    }
    assert_eq!(stack.len(), 1, "{stack:?}");
    stack.pop().unwrap().1
}

fn parsed(text: &str, is_template: bool) -> Result<String, (&'static str, String)> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "text", text.as_bytes()).unwrap();
    let text = Text::of_source(source, text);
    let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
    let parse = if is_template { parse_template } else { parse_expression };
    match parse(&arena, &text, 100, &mut diagnostics) {
        Some(program) => Ok(shape(program)),
        None => {
            let diagnostic = &diagnostics[0];
            let span = diagnostic.span().slice(source.bytes());
            Err((diagnostic.code().as_str(), String::from_utf8_lossy(span).into_owned()))
        }
    }
}

#[test]
fn expressions() {
    for (text, expected) in [
        ("1", "1"),
        ("a.b[0].c", "a.b[0].c"),
        ("a[\"x\"].0", "a[\"x\"][0]"),
        ("a - b", "Subtract(a b)"),
        ("a-b", "a-b"),
        ("1 + 2 * 3 - 4", "Subtract(Add(1 Multiply(2 3)) 4)"),
        ("-a.b * !c", "Multiply(Negate(a.b) Not(c))"),
        ("a || b && c == d < e", "Or(a And(b Equal(c Less(d e))))"),
        ("a ? b : c ? d : e", "Conditional(a b Conditional(c d e))"),
        ("(a).b", ".b(Parentheses(a))"),
        ("f()", "f()"),
        ("f(1, a...)", "f...(1 a)"),
        ("provider::x::f(1)", "provider::x::f(1)"),
        ("[1, a,]", "Tuple(1 a)"),
        ("{a = 1, (b) : 2\n \"c\" = 3}", "Object(\"a\" 1 Parentheses(b) 2 Template(\"c\") 3)"),
        ("{a.b = 1}", "Object(AmbiguousKey(a.b) 1)"),
        ("[for x in a : x.y if x]", "For(a None,x:false x.y x)"),
        ("{for k, v in a : k => v... if v}", "For(a Some(\"k\"),v:true k v v)"),
        ("a[b]", "Index(a b)"),
        ("a[b].c", ".c(Index(a b))"),
        ("a.*.b[0]", "[0](AttributeSplat(a SplatStart .b(Item)))"),
        ("a[*].b[0]", "FullSplat(a SplatStart .b[0](Item))"),
        ("a[*].b[*].c", "FullSplat(a SplatStart FullSplat(.b(Item) SplatStart .c(Item)))"),
        ("-a[*].b", "Negate(FullSplat(a SplatStart .b(Item)))"),
        ("\"a${b}\\n\"", "Template(\"a\" b \"\\n\")"),
        ("\"${a}\"", "Wrap(a)"),
        ("\"x\\n \\t${~a~}\\n \\t y\"", "Template(\"x\" a \"y\")"),
        ("<<EOT\na\n ${b}\nEOT\n", "Template(\"a\\n \" b \"\\n\")"),
        ("<<-EOT\n  a\n    b\n  EOT\n", "Template(\"a\\n\" \"  b\\n\")"),
        ("<<-EOT\n  $${x\n    \n   b\nEOT\n", "Template(\"${x\\n\" \"    \\n\" \" b\\n\")"),
        ("<<-EOT\n   \n  EOT\n", "Template(\"   \\n\")"),
        (
            "<<-A\n   x${<<B\n    y\nB\n}\n  z\nA\n",
            r#"Template(" x" Template("    y\n") "\n" "z\n")"#,
        ),
        ("<<-A\n  x\n${~ a ~}\n  y\n  A\n", r#"Template("x" a "" "  y\n")"#),
        ("<<-A\n  x\n  ${~ a }\n   y\nA\n", r#"Template("  x\n" "" a "\n" "   y\n")"#),
        (
            "<<-A\n  x\n    %{ if a }\n  y\n  %{ endif }\nA\n",
            r#"Template("x\n" "  " If(a Template("\n" "y\n" "") Template) "\n")"#,
        ),
        ("a[\"b\\n\"][\"%%{\"][\"$\"]", r#"a["b\n"]["%{"]["$"]"#),
        ("a[\"$${b\"][\"b$\"]", r#"a["${b"]["b$"]"#),
        ("a[<<E\nb\nc\nE\n]", r#"a["b\nc\n"]"#),
        (r#"a[""].b[null][true]"#, r#"a[""].b[Null][Bool(true)]"#),
        (
            r#"a["${b}"]["${"c"}"]["d${e}"]"#,
            r#"Index(Index(Index(a Wrap(b)) Wrap(Template("c"))) Template("d" e))"#,
        ),
        ("a # c\n + /* d */ b // e", "Add(a b)"),
        ("a[0][1].b[007] ", "a[0][1].b[007]"),
        ("true && null", "And(True Null)"),
    ] {
        assert_eq!(parsed(text, false).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn templates() {
    for (text, expected) in [
        ("", "Template"),
        ("a $ % b", "Template(\"a $ % b\")"),
        ("a\nb", "Template(\"a\\nb\")"),
        ("$${a} %%{b} $$${c}", "Template(\"${a} %{b} $${c}\")"),
        ("${a}", "Wrap(a)"),
        ("${a}${b}", "Template(a b)"),
        (" ${~ a ~} \n b", "Template(\"\" a \" b\")"),
        ("${\"}\"}", "Wrap(Template(\"}\"))"),
        ("%{if a}b%{else}c%{endif}", "Template(If(a Template(\"b\") Template(\"c\")))"),
        ("%{ if a ~} b %{ endif }d", "Template(If(a Template(\"b \") Template) \"d\")"),
        ("%{for k, v in a}${v}%{endfor}", "Template(Join(For(a Some(\"k\"),v:false Template(v))))"),
    ] {
        assert_eq!(parsed(text, true).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn faults() {
    for (text, code, at) in [
        ("${", "missing-expression", ""),
        ("${}", "invalid-expression", "}"),
        ("${a", "unclosed-interpolation", "${"),
        ("${a b}", "extra-in-interpolation", "b"),
        ("${f(1", "unterminated-call", "("),
        ("${[1 2]}", "missing-item-separator", "2"),
        ("${{a}}", "missing-key-value-separator", "}"),
        ("${{a, b = 1}}", "missing-attribute-value", ","),
        ("${a ? b}", "missing-false-arm", "}"),
        ("${a.0.1}", "invalid-legacy-index", "0.1"),
        ("${a.*.*}", "nested-splat", "*"),
        ("${1...2}", "invalid-number-literal", "1...2"),
        ("${\"a}", "unterminated-template", ""),
        ("${\"\\q\"}", "invalid-template-escape", "\\q"),
        ("${a & b}", "unsupported-operator", "&"),
        ("${'a'}", "invalid-character", "'"),
        ("%{if a}", "unexpected-end-of-template", ""),
        ("%{endif}", "unexpected-directive", "%{endif}"),
        ("%{foo}", "unknown-directive", "foo"),
        ("%{if a b}%{endif}", "extra-in-marker", "b"),
        ("${[for x]}", "invalid-for", "]"),
        ("${[for x in a : x...]}", "invalid-for", "..."),
    ] {
        assert_eq!(parsed(text, true), Err((code, at.to_owned())), "{text}");
    }
    let deep = format!("${{{}1{}}}", "(".repeat(200), ")".repeat(200));
    assert_eq!(parsed(&deep, true).unwrap_err().0, "expression-too-deep");
}

type ParseTraversal = for<'a> fn(&Text<'a>) -> Option<Traversal<'a>>;

/// A text as a static traversal, printed.
fn traversal(parse: ParseTraversal, text: &str) -> Option<String> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "text", text.as_bytes()).unwrap();
    parse(&Text::of_source(source, text)).map(|traversal| traversal.to_string())
}

#[test]
fn static_traversals() {
    for (text, expected) in [
        ("a", "a"),
        ("a.b[0][\"x\"]", "a.b[0][\"x\"]"),
        (" a /* c */ . b [ 1 ]\n[ \"\" ] # d", "a.b[1][\"\"]"),
        ("a[\"b\\\"]\"][\"$${c}\"]", "a[\"b\\\"]\"][\"${c}\"]"),
    ] {
        for parse in [parse_traversal, parse_pattern] {
            assert_eq!(traversal(parse, text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(traversal(parse_relative, text), Some(format!(".{expected}")), "{text}");
    }
    for text in [
        "",
        ".a",
        "1",
        "a.",
        "a..b",
        "a.0",
        "a b",
        "a + b",
        "(a)",
        "a[",
        "a[b]",
        "a[-1]",
        "a[0",
        "a[0 1]",
        "a[\"x]",
        "a[\"x\"",
        "a[\"x\" \"y\"]",
        "a[\"${b}\"]",
        "a[\"x${b}\"]",
        "a[\"${\"b\"}\"]",
        "a[\"\\q\"]",
        "a[\"x\ny\"]",
    ] {
        for parse in [parse_traversal, parse_pattern, parse_relative] {
            assert_eq!(traversal(parse, text), None, "{text}");
        }
    }
    assert_eq!(traversal(parse_pattern, "a[*].b[ * ]").as_deref(), Some("a[*].b[*]"));
    for text in ["a[*].b", "a[*", "a[* 0]", "a.*"] {
        assert_eq!(traversal(parse_traversal, text), None, "{text}");
        assert_eq!(traversal(parse_pattern, text).is_some(), text == "a[*].b", "{text}");
    }
}

/// An expression indexed with a key that is an expression: where a reference is expected, literal
/// words are names.
#[test]
fn indexed_traversals() {
    let arena = Arena::new();
    for (text, expected) in [
        ("a[b]", Some("a")),
        ("a.b[0][\"c${d}\"]", Some("a.b[0]")),
        ("null.a[b]", Some("null.a")),
        ("true.a[b]", Some("true.a")),
        ("false[0].a[b]", Some("false[0].a")),
        ("(null).a[b]", None),
        ("f().a[b]", None),
        ("f()[a]", None),
        ("(a)[b]", Some("a")),
        ("a", None),
        ("a[0]", None),
        ("a[*]", None),
    ] {
        let source = Source::from_bytes(&arena, "text", text.as_bytes()).unwrap();
        let indexed = Native::expression(&arena, source, &mut ()).indexed();
        assert_eq!(indexed.map(|traversal| traversal.to_string()).as_deref(), expected, "{text}");
    }
}

#[test]
fn references_are_as_short_as_their_source() {
    let arena = Arena::new();
    for (text, expected) in [
        ("a[007].b[1.50][1e3]", "a[7].b[1.5][1000]"),
        ("a[1e999999]", "a[1e999999]"),
        ("a[1e-999999][1E400]", "a[1e-999999][1E400]"),
    ] {
        let source = Source::from_bytes(&arena, "text", text.as_bytes()).unwrap();
        let traversal = parse_traversal(&Text::of_source(source, text)).unwrap();
        assert_eq!(traversal.to_string(), expected);
    }
}

/// Spaces and comments between tokens are skipped a bounded number of times, whatever precedes
/// them.
#[test]
fn space_is_read_a_bounded_number_of_times() {
    let skipped = |text: &str| {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "text", text.as_bytes()).unwrap();
        let before = super::lexer::SKIPPED.get();
        parse_expression(&arena, &Text::of_source(source, text), MAX_DEPTH, &mut ());
        super::lexer::SKIPPED.get() - before
    };
    for (open, close, end) in [
        ("", "[*]", ""),
        ("", "[*].b", ""),
        ("", ".b.0", ""),
        ("", "[0]", ""),
        ("", "[b]", ""),
        ("-", "", ""),
        ("(", ")", ""),
        ("[", "]", ""),
        ("{a = ", "}", ""),
        ("f(", ")", ""),
        ("a ? b : ", "", ""),
        ("a + ", "", ""),
        ("[for x in ", " : x]", ""),
        ("\"${", "}\"", ""),
        ("", "[*]", " + 1"),
        ("", "[*]", " ? 1 : 2"),
    ] {
        for space in [" ", "# comment\n", "/* comment */"] {
            let text = |count: usize| {
                let space = space.repeat(20_000 / space.len());
                format!("{}a{}{space}{end}", open.repeat(count), close.repeat(count))
            };
            let (few, many) = (skipped(&text(100)), skipped(&text(1_000)));
            assert!(few >= 19_000, "{open:?} {close:?} {space:?}: {few}");
            assert!(many <= 2 * few, "{open:?} {close:?} {space:?}: {few}, then {many}");
        }
    }
}

/// A step of a traversal takes as much memory as a node.
#[test]
fn memory_of_a_node() {
    assert_eq!((size_of::<Node>(), size_of::<Step<'_>>()), (20, 32));
    let options = simd_hcl_corpus::ConfigOptions { resources: 500, ..Default::default() };
    let text = simd_hcl_corpus::config_bytes(&options);
    let arena = Arena::new();
    let document = crate::Document::parse_bytes(&arena, "corpus", &text).unwrap();
    let (mut nodes, mut bytes) = (0, 0);
    for template in document.templates() {
        let text = Text::of_source(document.source(), template.text());
        let program = parse_template(&arena, &text, MAX_DEPTH, &mut ()).unwrap();
        nodes += program.nodes.len() + program.steps.len();
        bytes += size_of_val(program.nodes)
            + size_of_val(program.texts)
            + size_of_val(program.steps)
            + size_of_val(program.traversals)
            + size_of_val(program.calls)
            + size_of_val(program.loops);
    }
    assert!(nodes > 1_000, "{nodes} nodes");
    assert!(bytes <= 32 * nodes, "{bytes} bytes for {nodes} nodes");
}

/// An expression as the public view returns it.
fn viewed(native: Native<'_>) -> String {
    let all =
        |parts: &[Native<'_>]| parts.iter().map(|part| viewed(*part)).collect::<Vec<_>>().join(" ");
    match native.construct() {
        Construct::Null => "null".to_owned(),
        Construct::Bool(truth) => truth.to_string(),
        Construct::Number(text) => text.to_owned(),
        Construct::Text(text) => format!("{text:?}"),
        Construct::Traversal(traversal) => traversal.to_string(),
        Construct::Relative(source, steps) => {
            format!("(steps {} {})", viewed(source), steps.steps().len())
        }
        Construct::Call(call) => format!("({} {})", call.name, all(&call.arguments)),
        Construct::Index { collection, key } => format!("(index {})", all(&[collection, key])),
        Construct::Unary(operator, operand) => {
            format!("({} {})", operator.symbol(), viewed(operand))
        }
        Construct::Binary(operator, left, right) => {
            format!("({} {})", operator.symbol(), all(&[left, right]))
        }
        Construct::Conditional { condition, when_true, when_false } => {
            format!("(if {})", all(&[condition, when_true, when_false]))
        }
        Construct::Tuple(elements) => format!("[{}]", all(&elements)),
        Construct::Object(items) => {
            let items: Vec<_> = items.iter().map(|(key, value)| all(&[*key, *value])).collect();
            format!("{{{}}}", items.join(", "))
        }
        Construct::Template(parts) => format!("(join {})", all(&parts)),
        Construct::For(head) => format!(
            "(for {:?} {} in {} key {:?} value {} when {:?} groups {} joins {})",
            head.key_name,
            head.value_name,
            viewed(head.collection),
            head.key.map(viewed),
            viewed(head.value),
            head.condition.map(viewed),
            head.groups,
            head.joins
        ),
        Construct::Splat { source, each } => {
            format!("(splat {} each {:?})", viewed(source), each.map(viewed))
        }
        Construct::Element => "element".to_owned(),
        Construct::Invalid => "invalid".to_owned(),
    }
}

#[test]
fn views_of_every_construct() {
    let arena = Arena::new();
    let view = |text: &str, is_template: bool| {
        let source = Source::from_bytes(&arena, "text", arena.str(text).as_bytes()).unwrap();
        viewed(match is_template {
            true => Native::template(&arena, source, &mut ()),
            false => Native::expression(&arena, source, &mut ()),
        })
    };
    for (text, expected) in [
        ("-a + !b * 2", "(+ (- a) (* (! b) 2))"),
        ("a || b && c", "(|| a (&& b c))"),
        ("a == 1 ? b : null", "(if (== a 1) b null)"),
        ("a[b + 1]", "(index a (+ b 1))"),
        ("f(a, [true])", "(f a [true])"),
        ("{a = 1, (b) = 2}", r#"{"a" 1, b 2}"#),
        ("[]", "[]"),
        ("f(a).b.c", "(steps (f a) 2)"),
        ("a[*].b", r#"(splat a each Some("(steps element 1)"))"#),
        ("a.*", r#"(splat a each None)"#),
        (
            "[for v in a : v if v > 1]",
            r#"(for None v in a key None value v when Some("(> v 1)") groups false joins false)"#,
        ),
        (
            "{for k, v in a : k => v...}",
            r#"(for Some("k") v in a key Some("k") value v when None groups true joins false)"#,
        ),
        ("1 +", "invalid"),
    ] {
        assert_eq!(view(text, false), expected, "{text}");
    }
    for (text, expected) in [
        ("a${b}", r#"(join "a" b)"#),
        ("${b}", "b"),
        ("%{if a}b%{endif}", r#"(join (if a (join "b") (join )))"#),
        (
            "%{for v in a}x%{endfor}",
            r#"(join (for None v in a key None value (join "x") when None groups false joins true))"#,
        ),
    ] {
        assert_eq!(view(text, true), expected, "{text}");
    }
}
