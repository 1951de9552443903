//! Checks a plan, as `show -json` prints it, by the rules of a file. Exits with 1 if a rule denies
//! a change.
//!
//! ```text
//! cargo run --features render --example plan_policy -- examples/rules.hcl.json corpus/show/plan-1.2-opentofu.json
//! ```

use std::error::Error;
use std::process::ExitCode;

use simd_hcl::policy::{CheckOptions, Rules};
use simd_hcl::report::{OwnedDiagnostic, Renderer};
use simd_hcl::show::Plan;
use simd_hcl::{Arena, Document};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (rules_file, plan_file) =
        arguments.next().zip(arguments.next()).ok_or("usage: plan_policy RULES PLAN")?;
    let arena = Arena::new();
    let mut found = Vec::new();
    let mut rules = Rules::new(None);
    if rules.parse(Document::open(&arena, rules_file)?, &mut found)
        && let Some(plan) = Plan::of(Document::open(&arena, plan_file)?, &mut found)
    {
        let checked = rules.check(plan, &CheckOptions::default());
        found.extend(checked.findings.iter().map(|finding| finding.diagnostic().clone()));
    }
    // The text around a place in a plan is not shown: it may hold secrets.
    let found: Vec<_> = found.iter().map(|it| OwnedDiagnostic::showing(it, |_| false)).collect();
    for diagnostic in &found {
        print!("{}", Renderer::plain().render(diagnostic));
    }
    Ok(ExitCode::from(u8::from(found.iter().any(OwnedDiagnostic::is_error))))
}
