//! The parser of templates and expressions with hostile input: depth, size, and mutations of valid
//! templates.

use simd_hcl::native::Native;
use simd_hcl::{Arena, Diagnostic, Document, Source};

/// Returns the codes of the diagnostics of a template.
fn codes(text: &str) -> Vec<&'static str> {
    let arena = Arena::new();
    let source = Source::read_from(&arena, "text", text.as_bytes()).unwrap();
    let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
    Native::template(&arena, source, &mut diagnostics);
    for diagnostic in &diagnostics {
        assert!(diagnostic.span().end as usize <= text.len());
    }
    diagnostics.iter().map(|diagnostic| diagnostic.code().as_str()).collect()
}

#[test]
fn ten_thousand_levels() {
    // The text that opens a level, the innermost text, the text that closes a level; and the number
    // of additional levels.
    for (open, inner, close, besides) in [
        ("(", "1", ")", 2),
        ("[", "1", "]", 2),
        ("{a=", "1", "}", 2),
        ("f(", "1", ")", 2),
        ("a[", "1", "]", 2),
        ("1 ? 1 : ", "1", "", 2),
        ("1 ? ", "1", " : 1", 2),
        ("[for x in [] : ", "1", "]", 3),
    ] {
        for (levels, expected) in
            [(10_000 - besides, &[][..]), (10_001 - besides, &["expression-too-deep"])]
        {
            let text = format!("${{{}{inner}{}}}", open.repeat(levels), close.repeat(levels));
            assert_eq!(codes(&text), expected, "{open} {levels}");
        }
    }
    // A template in quotes and its interpolation are two levels.
    for (levels, expected) in [(4_999, &[][..]), (5_001, &["expression-too-deep"])] {
        let text = format!("${{{}1{}}}", "\"${".repeat(levels), "}\"".repeat(levels));
        assert_eq!(codes(&text), expected, "{levels} templates");
    }
    // Signs and operators of equal precedence do not add levels.
    assert_eq!(codes(&format!("${{{}a}}", "!".repeat(100_000))), [""; 0]);
    assert_eq!(codes(&format!("${{a{}}}", " + a".repeat(100_000))), [""; 0]);
    assert_eq!(codes(&format!("${{a{}}}", "[*]".repeat(9_000))), [""; 0]);
    assert_eq!(codes(&format!("${{a{}}}", ".b".repeat(100_000))), [""; 0]);
}

#[test]
fn large_templates() {
    assert_eq!(codes(&"a line of text, $5 and 5%\n".repeat(400_000)), [""; 0]);
    assert_eq!(codes(&"${a}".repeat(1_000_000)), [""; 0]);
    assert_eq!(codes(&"$${a".repeat(1_000_000)), [""; 0]);
    assert_eq!(codes(&"%{if a}".repeat(1_000_000)), ["expression-too-deep"]);
    assert_eq!(codes(&format!("${{\"{}\"}}", "\\n".repeat(1_000_000))), [""; 0]);
    assert_eq!(codes(&format!("${{<<E\n{}E\n}}", "text\n".repeat(1_000_000))), [""; 0]);
    let lines = format!("<<-E\n{}\nE\n", "b\n${a}".repeat(400_000));
    let nested = format!("{}{lines}{}", "<<-E\n${".repeat(2_000), "}\nE\n".repeat(2_000));
    assert_eq!(codes(&format!("${{{nested}}}")), [""; 0]);
    assert_eq!(codes(&format!("${{a{}(1)}}", "::a".repeat(1_000_000))), [""; 0]);
    assert_eq!(codes(&format!("${{1{}}}", "23".repeat(2_000_000))), [""; 0]);
    assert_eq!(codes(&"/*".repeat(1_000_000)), [""; 0]);
    assert_eq!(codes(&format!("${{{}", "/*".repeat(1_000_000))), ["invalid-expression"]);
}

#[test]
fn loops_in_loops() {
    let (open, close) = ("[for a in x : ".repeat(9_000), "]".repeat(9_000));
    let text = format!("{{\"a\": \"${{{open}[{}]{close}}}\"}}", "a, b, ".repeat(300_000));
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "text", text.as_bytes()).unwrap();
    let mut found = 0;
    document.visit_references(&mut (), |_| found += 1);
    assert_eq!(found, 9_000 + 300_000);
}

/// [`Document::visit_references`], which opens nothing, returns the same references as the
/// templates one by one.
#[test]
fn references_are_those_of_the_templates() {
    let configuration = simd_hcl_corpus::ConfigOptions { resources: 300, ..Default::default() };
    let mut files = vec![simd_hcl_corpus::config_bytes(&configuration)];
    files.extend(templates().iter().map(|text| {
        let quoted = serde_json::to_string(text).unwrap();
        // Unchanged, with escapes for the sign and the brace, as a name, and between other
        // templates.
        let escaped = quoted.replacen('$', "\\u0024", 1).replacen('{', "\\u007B", 2);
        format!("[{quoted}, {{{escaped}: [\"\\\\\", {quoted}, \"\\\"\"]}}, {escaped}]").into_bytes()
    }));
    let mut all = 0;
    for file in &files {
        let arena = Arena::new();
        let document = Document::parse_bytes(&arena, "file", file).unwrap();
        let mut kept = Vec::new();
        let mut errors = Vec::new();
        for template in document.templates() {
            kept.extend(template.variables().map(|found| (found.to_string(), found.span())));
            errors.extend(template.diagnostics().iter().map(|found| (found.code(), found.span())));
        }
        let mut lent = Vec::new();
        let mut reported: Vec<Diagnostic<'_>> = Vec::new();
        document.visit_references(&mut reported, |found| {
            assert!(found.steps().iter().all(|step| step.span.end as usize <= file.len()));
            lent.push((found.to_string(), found.span()));
        });
        let reported: Vec<_> = reported.iter().map(|found| (found.code(), found.span())).collect();
        assert_eq!((&lent, reported), (&kept, errors), "{}", String::from_utf8_lossy(file));
        all += lent.len();
    }
    assert!(all > 1_000, "{all} references");
}

#[test]
fn odd_characters() {
    for (text, expected) in [
        ("a\r${b}", None),
        ("\u{FEFF}${a}", None),
        ("${\r\n a \r\n}", None),
        ("${a\r}", Some("invalid-character")),
        ("${\u{FEFF}a}", Some("invalid-character")),
        ("${\"\u{600}\"}", None),
        ("\u{600}${a}\u{600}", None),
        ("${a\0}", Some("invalid-character")),
        ("${1e1000000000}", Some("invalid-number-literal")),
        ("${1e400000000}", None),
        ("${1e99999999999999999999}", Some("invalid-number-literal")),
    ] {
        assert_eq!(codes(text), expected.as_slice(), "{text:?}");
    }
}

/// Checks that the spans of operands are inside the span of their expression, and in order.
fn spans_nest(native: Native<'_>) {
    let mut rest = vec![native];
    while let Some(native) = rest.pop() {
        let mut at = native.span().start;
        for operand in native.operands() {
            let span = operand.span();
            assert!(at <= span.start && span.start <= span.end, "{operand:?} in {native:?}");
            assert!(span.end <= native.span().end, "{operand:?} in {native:?}");
            at = span.start;
            rest.push(operand);
        }
    }
}

/// Returns the templates of the conformance cases.
fn templates() -> Vec<String> {
    let mut templates = Vec::new();
    for group in ["hcl-json/expr", "hcl-json/expr-error"] {
        for case in simd_hcl_corpus::cases(group) {
            let arena = Arena::new();
            if let Ok(document) = Document::open(&arena, case.join("input.json")) {
                templates.extend(document.templates().map(|found| found.text().to_owned()));
            }
        }
    }
    assert!(templates.len() >= 400, "{} templates", templates.len());
    templates
}

#[test]
fn whatever_is_changed() {
    let mut parsed = 0;
    let mut check = |text: &str| {
        let arena = Arena::new();
        let source = Source::read_from(&arena, "text", text.as_bytes()).unwrap();
        let mut diagnostics: Vec<Diagnostic<'_>> = Vec::new();
        let native = Native::template(&arena, source, &mut diagnostics);
        assert!(diagnostics.len() <= 1, "{text:?}");
        if diagnostics.is_empty() {
            parsed += 1;
            spans_nest(native);
        }
    };
    for template in templates().iter().filter(|template| template.len() < 200) {
        check(template);
        for (at, _) in template.char_indices() {
            check(&template[..at]);
            check(&template[at..]);
            for inserted in ["\"", "${", "}", "\\", "%{", "~", "[", "\n", "\r", "é", "0", ".", "*"]
            {
                check(&format!("{}{inserted}{}", &template[..at], &template[at..]));
            }
        }
    }
    assert!(parsed > 10_000, "only {parsed} templates were right");
}
