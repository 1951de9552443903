//! Several threads on one text produce the same events and diagnostics as one.

use simd_hcl::event::Event;
use simd_hcl::functions;
use simd_hcl::fuzzing::Engine;
use simd_hcl::policy::{CheckOptions, Rules};
use simd_hcl::show::Plan;
use simd_hcl::{Arena, Document, ParseOptions, Source};
use simd_hcl_corpus::{
    ConfigOptions, PlanOptions, RuleOptions, config_bytes, plan_bytes, rules_text, sized,
};

/// The events or the error, and the warnings.
type Outcome = (Result<Vec<Event>, String>, Vec<String>);

fn outcome(text: &[u8], options: &ParseOptions) -> Outcome {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "input", text).unwrap();
    match Document::read(&arena, source, options) {
        Ok(document) => {
            let warnings = document.diagnostics().iter().map(ToString::to_string).collect();
            (Ok(document.words().to_vec()), warnings)
        }
        Err(error) => (Err(format!("{error} {:?}", error.span())), Vec::new()),
    }
}

fn compare(text: &[u8], options: ParseOptions) -> bool {
    let expected = outcome(text, &options);
    let numbers: &[u32] = sized([&[2, 7][..], &[0, 2, 3, 7], &[0, 2, 3, 7]]);
    for &threads in numbers {
        assert!(outcome(text, &options.with_threads(threads)) == expected, "{threads} threads");
    }
    expected.0.is_ok()
}

fn configuration(pretty: bool) -> Vec<u8> {
    // About 4 MB minified.
    config_bytes(&ConfigOptions { resources: 9_000, pretty, ..ConfigOptions::default() })
}

#[test]
fn configurations() {
    for pretty in [false, true] {
        let text = configuration(pretty);
        let depths: &[u32] =
            sized([&[2, u32::MAX][..], &[0, 1, 2, 3, 4, u32::MAX], &[0, 1, 2, 3, 4, u32::MAX]]);
        for &depth in depths {
            for engine in [Engine::Automaton, Engine::Fastest] {
                let options = ParseOptions::default().with_skeleton_depth(depth);
                assert!(compare(&text, options.with_engine(engine)));
            }
        }
    }
}

#[test]
fn changed_configurations() {
    let text = configuration(false);
    let count = sized([12, 60, 600]);
    let mut refused = 0;
    for number in 0..count {
        let mut text = text.clone();
        let place = text.len() / count * number + number * 37;
        text[place] = b"{}[]\",:\\0 x\x80"[number % 12];
        refused += usize::from(!compare(&text, ParseOptions::default()));
    }
    assert!(refused > count / 6 && refused < count);
}

/// Texts with the same names at other depths in the middle, or without names.
#[test]
fn guesses_that_are_wrong() {
    let member = r#""a":{"b":{"c":[1]},"d":{"e":{}}},"#;
    let many = member.repeat(60_000);
    let closed = |text: &str| text.trim_end_matches(',').to_owned();
    for text in [
        format!(
            r#"{{"x":{{{}}},"y":{{"z":{{{}}}}},"w":{{{}}}}}"#,
            closed(member),
            closed(&many),
            closed(member)
        ),
        format!(r#"[{}[{{{}}}],{{{}}}]"#, "{},".repeat(10), closed(&many), closed(member)),
        format!(r#"{{"s":"{}","t":[]}}"#, many.replace('"', "\\\"")),
        format!("[{}0]", "[[],{}],".repeat(300_000)),
        format!("[{}0]", "1,".repeat(1_500_000)),
        format!("{}{}", "[".repeat(2_000_000), "]".repeat(2_000_000)),
        format!("{}\u{FEFF}", " ".repeat(4_000_000)),
        format!("{{\"a\":1}}{}", " ".repeat(4_000_000)),
        format!("\u{FEFF}{{{}}}", closed(&many)),
        format!("{{{}\"\\ud800\":0}}", many),
    ] {
        compare(text.as_bytes(), ParseOptions::default());
    }
}

/// Findings of rules, with texts and positions.
#[test]
fn rules() {
    let plan = plan_bytes(&PlanOptions { changes: 1_000, ..PlanOptions::default() });
    let rules = rules_text(&RuleOptions { dense: true, ..RuleOptions::default() });
    let findings = |threads: usize| {
        let arena = Arena::new();
        let functions = functions::standard();
        let mut set = Rules::new(Some(&functions));
        let file = Document::parse_bytes(&arena, "rules.hcl.json", rules.as_bytes()).unwrap();
        assert!(set.parse(file, &mut ()));
        let source = Source::from_bytes(&arena, "plan.json", &plan).unwrap();
        let options = ParseOptions::default().with_skeleton_depth(Rules::DEPTH);
        let document = Document::parse_with(&arena, source, &options).unwrap();
        let plan = Plan::of(document, &mut ()).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let checked = pool.install(|| set.check(plan, &CheckOptions::default()));
        let texts: Vec<String> =
            checked.findings.iter().map(|it| it.diagnostic().to_string()).collect();
        (checked.conditions, texts)
    };
    let expected = findings(1);
    // At most a tenth of all pairs of rules and changes are findings, with some of each kind.
    assert!(expected.0 > 1_000 && expected.0 < 163 * 1_000 / 10, "{}", expected.0);
    for kind in ["error[policy-denied]", "warning[policy-warning]"] {
        assert!(expected.1.iter().any(|text| text.contains(kind)), "{kind}");
    }
    for threads in [2, 7] {
        assert!(findings(threads) == expected, "{threads} threads");
    }
}
