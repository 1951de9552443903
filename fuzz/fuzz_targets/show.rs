//! Plans, states and schemas: whatever the document, nothing panics, every skeleton depth has the
//! same answers, values equal themselves, and redaction leaves valid JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::show::redact::{Options, Places, write};
use simd_hcl::show::rows::{self, Row};
use simd_hcl::show::{
    Address, DocumentKind, Plan, PlanIndex, RawState, Schemas, Shown, State, document,
    is_same_value, references,
};
use simd_hcl::{Arena, Diagnostic, Document, ParseOptions, Source};

fuzz_target!(|text: &[u8]| {
    if let Ok(text) = std::str::from_utf8(text)
        && let Ok(address) = Address::parse(text)
    {
        let printed = address.to_string();
        assert_eq!(Address::parse(&printed), Ok(address));
    }
    let mut arena = Arena::new();
    let mut answers = Vec::new();
    for depth in [0, 3, 5, u32::MAX] {
        let source = Source::from_bytes(&arena, "input", text).unwrap();
        let options = ParseOptions::default().with_max_depth(64).with_skeleton_depth(depth);
        let mut diagnostics = Vec::new();
        if let Ok(parsed) = document(&arena, source, &options, &mut diagnostics) {
            answers.push(answer(parsed, &mut diagnostics));
        }
        drop(diagnostics);
        arena.reset();
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
});

fn answer<'a>(document: Document<'a>, diagnostics: &mut Vec<Diagnostic<'a>>) -> String {
    let root = document.root();
    assert!(is_same_value(root, root));
    let mut answer = format!("{:?}\n", DocumentKind::of(root));
    if let Some(plan) = Plan::of(document, diagnostics) {
        plan.check(diagnostics);
        let shown = Shown::of_plan(plan, Options::default());
        for row in plan.change_rows().chain(plan.drift_rows()) {
            for column in <rows::Change<'_> as Row<'_>>::COLUMNS {
                answer += &row.cell(column.name, &shown).to_text();
            }
        }
        let index = PlanIndex::new(plan, diagnostics);
        for change in index.changes() {
            let Some(inner) = change.change().value() else { continue };
            let mut differences = inner.differences();
            while let Some(one) = differences.next() {
                answer += &format!("{} {}\n", differences.path(), one.forces_replacement);
            }
            diagnostics.extend_from_slice(differences.misfits());
            answer +=
                &format!("{} {}\n", inner.before_leaves().count(), inner.after_leaves().count());
            if let Some(address) = change.address().value() {
                answer += &format!("{}\n", index.planned_value(address).is_some());
                answer += &format!("{}\n", index.prior_value(address, None).is_some());
                answer += &format!("{}\n", index.configuration(address).is_some());
            }
        }
        if let Some(configuration) = plan.configuration().value() {
            let mut modules = configuration.modules();
            while let Some(module) = modules.next() {
                references(module.object().node(), modules.path(), |found| {
                    answer += &format!("{} {:?}\n", found.text, found.target);
                });
            }
        }
        redacted(document, &Places::of_plan(plan, Options::default().with_kept_defaults(true)));
    }
    if let Some(state) = State::of(document, diagnostics) {
        state.check(diagnostics);
        answer +=
            &format!("{}\n", state.resources().map(|one| one.leaves().count()).sum::<usize>());
        redacted(document, &Places::of_state(state, Options::default()));
    }
    if let Some(state) = RawState::of(document, diagnostics) {
        state.check(diagnostics);
        redacted(document, &Places::of_raw_state(state, Options::default()));
    }
    if let Some(schemas) = Schemas::of(document, diagnostics) {
        schemas.check(diagnostics);
    }
    for diagnostic in diagnostics {
        answer += &format!("{diagnostic}\n");
    }
    answer
}

/// Checks that a redacted document is one, if no place is in another or in a name.
fn redacted(document: Document<'_>, places: &Places) {
    let mut out = Vec::new();
    write(document.source(), places, &mut out).unwrap();
    let arena = Arena::new();
    let is_marked = document.source().bytes().starts_with(&[0xEF, 0xBB, 0xBF]);
    assert!(is_marked || Document::parse_bytes(&arena, "redacted", &out).is_ok());
}
