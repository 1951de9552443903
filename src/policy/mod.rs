//! Rules about plans: HCL conditions that are evaluated for each change.
//!
//! [`Rules`] are read from files or added one by one, and check the changes of a
//! [`Plan`](crate::show::Plan). A [`Finding`] is the result of one rule for one change that its
//! filter selects. If the condition is true, the change is denied or warned of. A condition that
//! depends on an unknown value is undecided, and never passes. A condition without a value is an
//! error.
//!
//! ```
//! use simd_hcl::policy::{CheckOptions, Rules};
//! use simd_hcl::show::Plan;
//! use simd_hcl::{Arena, Code, Document};
//!
//! let arena = Arena::new();
//! let rules = br#"{"rule": {"no-public-bucket": {
//!     "type": "aws_s3_bucket", "action": ["create", "update"],
//!     "deny": "${change.after.acl == \"public-read\"}", "message": "Buckets must not be public."}}}"#;
//! let plan = br#"{"format_version": "1.2", "planned_values": {"root_module": {}}, "resource_changes": [{
//!     "address": "aws_s3_bucket.logs", "mode": "managed", "type": "aws_s3_bucket", "name": "logs",
//!     "change": {"actions": ["create"], "before": null, "after": {"acl": "public-read"}, "after_unknown": {}}}]}"#;
//!
//! let mut diagnostics = Vec::new();
//! let file = Document::parse_bytes(&arena, "rules.hcl.json", rules)?;
//! let mut rules = Rules::new(None);
//! assert!(rules.parse(file, &mut diagnostics));
//!
//! let plan = Plan::of(Document::parse_bytes(&arena, "plan.json", plan)?, &mut diagnostics).unwrap();
//! let findings = rules.check(plan, &CheckOptions::default()).findings;
//! assert_eq!(findings[0].diagnostic().code(), Code::PolicyDenied);
//! assert_eq!(
//!     findings[0].diagnostic().detail(),
//!     "no-public-bucket: aws_s3_bucket.logs: Buckets must not be public."
//! );
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```
//!
//! `docs/policy.md` specifies the files and the variables.
//!
//! # Implementation
//!
//! * [`read`]: reads rules from a file, and checks them before there is a plan.
//! * [`reads`]: the variables that an expression uses, and the members that it uses of them.
//! * [`select`]: finds the rules for types and actions, once for each pair of these in the plan, so
//!   that a rule costs nothing for changes that it does not select.
//! * [`subject`]: the variables of one change, with the members that its rules use, built once for
//!   all of them.
//! * [`budget`]: what all evaluations may take together.
//! * [`check`]: evaluates rules on all threads; [`report`] and [`message`] write the results.

mod budget;
mod check;
mod finding;
mod message;
mod read;
mod reads;
mod report;
mod rule;
mod rules;
mod select;
mod subject;
mod verdict;

pub use self::check::{CheckOptions, Checked};
pub use self::finding::Finding;
pub use self::rule::{ForEach, Rule};
pub use self::rules::Rules;
#[cfg(feature = "rules")]
pub(crate) use self::{
    budget::{SPENT, print, share},
    message::about,
    reads::{EACH, name_of},
    report::member_at,
    verdict::Verdict,
};
