//! Codes of test files.

macro_rules! test_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Test files" {
    PlanOptions "plan-options" Error "Incompatible plan options"
        detail: "A plan whose mode is \"refresh-only\" does nothing but refresh, so \"refresh\" cannot be false."
        reference: ["Incompatible plan options"],
        note: "In a run of a test file.";
    ExpectedFailure "expected-failure" Error "Object that cannot fail"
        detail: "Failures can be expected of variables, outputs, checks, resources and data sources, which have conditions."
        reference: ["Invalid `expect_failures` reference"],
        note: "An element of `expect_failures` in a run of a test file.";
    OverrideTarget "override-target" Error "Unsuitable target of an override"
        detail: "Blocks of this type are for {0} only."
        reference: ["Invalid override target"],
        note: "`target` of an `override_*` block of a test file.";
    MissingOverrideTarget "missing-override-target" Warning "Override of nothing"
        detail: "The module does not declare {0}."
        reference: ["Invalid override target"],
        note: "`target` of an `override_*` block of a test file (Terraform). What called modules declare is not compared.";
    DuplicateOverride "duplicate-override" Error "Duplicate override"
        detail: "An override of {0} is there already."
        reference: ["Duplicate override_* block", "Duplicated `override_*` block"],
        note: "Two `override_*` blocks in one body of a test file have the same target.";
    ObjectRequired "object-required" Error "Object required"
        detail: "The argument \"{0}\" must be an object, not {1}."
        reference: ["Object expected", "Invalid outputs attribute"],
        note: "`values` and `outputs` of an override in a test file, in OpenTofu also `defaults` of a mock.";
    MissingTestProvider "missing-test-provider" Error "No such provider configuration in the test file"
        detail: "Neither a block \"provider\" nor a block \"mock_provider\" of this file configures {0}."
        reference: ["Missing provider definition for *"],
        note: "`providers` of a run hands on configurations of the test file (Terraform).";
    UnavailableRun "unavailable-run" Error "No such run before"
        detail: "No run \"{0}\" is done before this one."
        reference: ["Reference to unknown run block", "Reference to unavailable run block", "Cycle: *", "Self reference: *"],
        note: "A reference `run.NAME` in a run of a test file.";
        } }
    };
}
