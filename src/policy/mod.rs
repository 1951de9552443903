//! Rules about plans: HCL conditions that are evaluated for each change.
//!
//! [`Rules`] are read from files or added one by one, and check the changes of a
//! [`Plan`](crate::show::Plan). A [`Finding`] is what one rule says of one change that its filter
//! selects. A condition that is true is a denial or a warning; one that depends on a value that is
//! not known yet is undecided, and never passed; one that has no value is an error at its place.
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
//! # Ok::<(), Box<simd_hcl::OpenError>>(())
//! ```
//!
//! `docs/policy.md` specifies the files and what the variables hold.
//!
//! # How
//!
//! * [`read`]: rules from a file, and what is wrong with them before any plan is there.
//! * [`reads`]: the variables that an expression names, and the members that it takes of them.
//! * [`select`]: which rules go with which types and actions, found once for each pair of these
//!   that the plan has, so that a rule costs nothing for changes that it does not select.
//! * [`subject`]: the variables of one change: the members that the rules for it name, made once
//!   for all of them.
//! * [`check`]: evaluation, on all threads; [`report`] and [`message`] say what came of it.

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

pub use self::check::{CheckOptions, Checked};
pub use self::finding::Finding;
pub use self::rule::Rule;
pub use self::rules::Rules;
