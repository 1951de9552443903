//! Cases of rules of your own: a small file must not take the machine.

use simd_hcl::evaluate::Budget;
use simd_hcl::functions::STANDARD;
use simd_hcl::policy::Rules;
use simd_hcl::rules::{CaseResult, OwnRules};
use simd_hcl::{Arena, ParsedFile, Source};

/// The cases of a text, and the errors in it.
fn results(text: &str, budget: Budget) -> (Vec<CaseResult>, Vec<String>) {
    let arena = Arena::new();
    let mut found = Vec::new();
    let source = Source::copy_from(&arena, "own.hcl", text.as_bytes()).unwrap();
    let mut rules = Rules::new(Some(STANDARD));
    assert!(rules.parse(ParsedFile::native(&arena, source), &mut found));
    let own = OwnRules::new(rules, &mut found);
    let cases = own.cases(&mut found);
    (own.run(&cases, budget), found.iter().map(|it| it.detail()).collect())
}

/// A small file may have many cases, each with many blocks or changes.
#[test]
fn cases_share_a_budget() {
    let block = |at: usize| format!("resource \\\"x\\\" \\\"y{at}\\\" {{}}\\n");
    let blocks: String = (0..50).map(block).collect();
    let change = |at: usize| {
        format!(
            r#"{{\"address\": \"x.y{at}\", \"mode\": \"managed\", \"type\": \"x\", \"name\": \"y{at}\", \"change\": {{\"actions\": [\"create\"], \"before\": null, \"after\": {{}}}}}}"#
        )
    };
    let changes = (0..50).map(change).collect::<Vec<_>>().join(", ");
    let plan = format!(r#"{{\"format_version\": \"1.2\", \"resource_changes\": [{changes}]}}"#);
    for (head, key, input) in [
        ("for_each = resource.x", "each.key", format!("main = \"{blocks}\"")),
        ("type = \"x\"", "change.address", format!("plan = \"{plan}\"")),
    ] {
        let deny = format!("length([for i in range(1000) : \"${{i}}${{{key}}}\"]) < 0");
        let case = |at: usize| format!("case \"{at}\" {{\n{input}\nfinds = []\n}}\n");
        let cases: String = (0..40).map(case).collect();
        let text = format!("rule \"r\" {{\n{head}\ndeny = {deny}\n{cases}}}\n");
        let (all, errors) = results(&text, Budget::DEFAULT.with_steps(3_000_000));
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(all.len(), 40);
        assert!(all[0].errors.is_empty(), "{:?}", all[0]);
        assert!(all.iter().any(|it| {
            it.errors.iter().any(|it| it.contains("took all that they may take together"))
        }));
        assert!(all[39].errors[0].starts_with("not run"), "{:?}", all[39]);
    }
}

#[test]
fn cases_have_a_limit_of_bytes() {
    let text = "x".repeat(1 << 20);
    let case = |at: usize| format!("case \"{at}\" {{\nmain = \"# {text}\"\nfinds = []\n}}\n");
    let cases: String = (0..6).map(case).collect();
    let text = format!("rule \"r\" {{\nfor_each = resource.x\ndeny = true\n{cases}}}\n");
    let (all, errors) = results(&text, Budget::DEFAULT);
    assert_eq!(all.len(), 3);
    assert!(errors.len() == 1 && errors[0].contains("more than 4 MiB"), "{errors:?}");
}
