//! Codes of test files.

macro_rules! test_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Test files" {
    PlanOptions "plan-options" Error "Incompatible plan options"
        detail: "\"refresh\" cannot be false in a plan whose mode is \"refresh-only\"."
        reference: ["Incompatible plan options"],
        note: "In a run of a test file.";
    ExpectedFailure "expected-failure" Error "Invalid expected failure"
        detail: "This object cannot fail, because it cannot have conditions."
        help: "List variables, outputs, checks, resources or data sources."
        reference: ["Invalid `expect_failures` reference"],
        note: "An element of `expect_failures` in a run of a test file.";
    OverrideTarget "override-target" Error "Invalid override target"
        detail: "This block can only override {0}."
        reference: ["Invalid override target"],
        note: "`target` of an `override_*` block of a test file.";
    MissingOverrideTarget "missing-override-target" Warning "Undeclared override target"
        detail: "The module does not declare {0}."
        reference: ["Invalid override target"],
        note: "`target` of an `override_*` block of a test file (Terraform). Declarations of called modules are not compared.";
    DuplicateOverride "duplicate-override" Error "Duplicate override"
        detail: "Another override block has the target {0}."
        reference: ["Duplicate override_* block", "Duplicated `override_*` block"],
        note: "Two `override_*` blocks in one body of a test file have the same target.";
    ObjectRequired "object-required" Error "Object required"
        detail: "The argument \"{0}\" must be an object, not {1}."
        reference: ["Object expected", "Invalid outputs attribute"],
        note: "`values` and `outputs` of an override in a test file, in OpenTofu also `defaults` of a mock.";
    MissingTestProvider "missing-test-provider" Error "Undeclared provider in a test file"
        detail: "No block \"provider\" or \"mock_provider\" of this file configures {0}."
        reference: ["Missing provider definition for *"],
        note: "`providers` of a run can only pass configurations of the test file (Terraform).";
    UnavailableRun "unavailable-run" Error "Unavailable run"
        detail: "No run \"{0}\" comes before this one."
        reference: ["Reference to unknown run block", "Reference to unavailable run block", "Cycle: *", "Self reference: *"],
        note: "A reference `run.NAME` in a run of a test file.";
        } }
    };
}
