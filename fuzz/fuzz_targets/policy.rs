//! Rules about plans: whatever the rules and the plan are, nothing panics, every skeleton depth
//! gives the same findings, and no text has a value that the plan marks as sensitive.
//!
//! The input is a file of rules in JSON or native syntax, the byte 0xFF, and a plan. `SECRET` in strings of the plan becomes
//! a secret; texts may repeat it only if the plan has it unmarked, or the rules have it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::evaluate::Budget;
use simd_hcl::functions;
use simd_hcl::policy::{CheckOptions, Rules};
use simd_hcl::show::{Change, Plan, ResourceChange, document};
use simd_hcl::{Arena, Document, ParseOptions, ParsedFile, Source};

const SECRET: &str = "hunter2secret";

fuzz_target!(|input: &[u8]| {
    let Some(at) = input.iter().position(|byte| *byte == 0xFF) else { return };
    let (rules, plan) = (&input[..at], &input[at + 1..]);
    let plan = String::from_utf8_lossy(plan).replace("SECRET", SECRET);
    let mut answers = Vec::new();
    for depth in [0, 2, 4, u32::MAX] {
        answers.push(check(rules, &plan, depth));
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
});

fn check(rules: &[u8], plan: &str, depth: u32) -> Vec<String> {
    let arena = Arena::new();
    let functions = functions::standard();
    let options = ParseOptions::default().with_max_depth(64).with_skeleton_depth(depth);
    let source = Source::from_bytes(&arena, "rules", rules).expect("shorter than 4 GiB");
    let file = match Document::parse_with(&arena, source, &options) {
        Ok(document) => ParsedFile::json(document),
        Err(_) => ParsedFile::native(&arena, source),
    };
    let mut set = Rules::new(Some(&functions));
    let mut diagnostics = file.diagnostics().to_vec();
    let is_right = set.parse(file, &mut diagnostics);
    assert!(is_right || !diagnostics.is_empty());
    let source = Source::from_bytes(&arena, "plan", plan.as_bytes()).expect("shorter than 4 GiB");
    let Ok(document) = document(&arena, source, &options, &mut diagnostics) else {
        return Vec::new();
    };
    let Some(plan) = Plan::of(document, &mut diagnostics) else { return Vec::new() };
    let limits = CheckOptions::default().with_budget(Budget::new(20_000, 1 << 20));
    let checked = set.check(plan, &limits);
    assert!(checked.findings.len() as u64 <= 2 * checked.conditions);
    let has_constants =
        plan.object().get("configuration").is_some_and(|node| !is_free(node.text()));
    let is_hidden = !contains(rules, "hunter") && !has_constants && plan.changes().all(hides);
    let texts = checked.findings.iter().map(|finding| {
        assert!(set.get(finding.rule()).is_some());
        let text = finding.diagnostic().to_string();
        assert!(!is_hidden || !text.contains(SECRET), "{text}");
        text
    });
    texts.collect()
}

/// Whether the secret is not in a text, and no escape may hide it.
fn is_free(text: &[u8]) -> bool {
    !contains(text, SECRET) && !contains(text, "\\u")
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// Whether the secret is nowhere in a change but in values that are sensitive as a whole.
fn hides(entry: ResourceChange<'_>) -> bool {
    let elsewhere = entry.object().members().filter(|member| !member.is_named("change"));
    let members_are_free = elsewhere
        .into_iter()
        .all(|member| is_free(member.label().span.slice(member.value().source().bytes())));
    let change_hides = |change: Change<'_>| {
        let members = change.object().members();
        let others = members.filter(|it| !it.is_named("before") && !it.is_named("after"));
        let mut texts = others.map(|it| it.span().slice(it.value().source().bytes()));
        let all = |before: bool| {
            let value = if before { change.before() } else { change.after() };
            let marks = if before { change.before_sensitive() } else { change.after_sensitive() };
            let is_whole = matches!(marks.value(), Some(simd_hcl::show::MarkTree::Whole(true)));
            value.value().is_none_or(|value| is_whole || is_free(value.text()))
        };
        texts.all(is_free) && all(true) && all(false)
    };
    members_are_free && entry.change().value().is_none_or(change_hides)
}
