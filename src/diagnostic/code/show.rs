//! Codes of plans, states and provider schemas.

macro_rules! show_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Plans, states and schemas as JSON" {
    UnexpectedDocument "unexpected-document" Error "Unexpected kind of document"
        detail: "This is {0}, not {1}.{2}"
        reference: ["Invalid JSON keyword", "Invalid start of value", "Root value must be object", "Extraneous JSON object property", "Extraneous data after value"],
        note: "The members of the root say what a document is, and the start of a file that is no JSON document: native syntax, what a tool prints for people, a page of HTML.";
    EncryptedDocument "encrypted-document" Error "Encrypted document"
        detail: "The file is encrypted. Print it with `tofu show -json`, which decrypts it."
        reference: [],
        note: "A state or plan file with state encryption of OpenTofu.";
    MissingFormatVersion "missing-format-version" Warning "Missing format version"
        detail: "The document has no {0}; it is read as version 1."
        reference: [],
        note: "The tools always write one.";
    UnknownFormatVersion "unknown-format-version" Error "Unknown format version"
        detail: "{0} is {1}. Only major versions 0 and 1 are known."
        reference: ["unsupported plan format version", "unsupported state format version"],
        note: "The major version of a plan, a state, a prior state or schemas is above 1, or it is no version.";
    UnexpectedType "unexpected-type" Error "Unexpected type"
        detail: "`{0}` should be {1}, not {2}."
        reference: [],
        note: "A member of a plan, a state or schemas has another type than its format says. It is left out; everything else is read.";
    MarksMisfit "marks-misfit" Warning "Marks do not fit their value"
        detail: "The tree that says {0} does not have the form of the value at `{1}`."
        reference: [],
        note: "`after_unknown` or a tree of sensitive values has an object, an array or a mark where the value has something else. Unknown marks are ignored there; sensitive ones hide all of the value.";
    NoSensitiveMarks "no-sensitive-marks" Error "Nothing says what is sensitive"
        detail: "This version of the format does not say which values are sensitive, so secrets cannot be found. `--force` redacts what else is known."
        reference: [],
        note: "Documents of format 0.1 (Terraform 0.12 to 1.0.0) and state files of version 1 to 3, given to `redact`.";
    DuplicateAddress "duplicate-address" Error "Duplicate address"
        detail: "The plan has another change of {0}."
        reference: [],
        note: "Two entries of `resource_changes` have the same address and the same deposed key. The first one is found by its address.";
    ConvertedEncoding "converted-encoding" Warning "Converted from UTF-16"
        detail: "The file is in UTF-16, as PowerShell writes it. It has been converted; positions are those of the text in UTF-8."
        reference: [],
        note: "Plans, states, schemas, and configuration under a name that the tools do not read. In a file that they would read, UTF-16 is an error.";
    TextAfterDocument "text-after-document" Warning "Text after the document"
        detail: "Text stands after the document, as wrapper scripts print it. It has been skipped."
        reference: [],
        note: "Plans, states and schemas only: lines after the document that do not start another one. `redact` does not print them.";
    TextBeforeDocument "text-before-document" Warning "Text before the document"
        detail: "Text stands before the document, as wrapper scripts print it. It has been skipped."
        reference: [],
        note: "Plans, states and schemas only: lines before the first one that starts with a brace, such as `[command]/usr/bin/terraform show -json`.";
    UnreadablePlanFile "unreadable-plan-file" Error "Unreadable plan file"
        detail: "The plan file cannot be read: {0}."
        reference: ["Failed to read plan file"],
        note: "A binary file that `plan -out` should have written is damaged, truncated, too large when it is decompressed, or holds no plan.";
    MissingPlanSchema "missing-plan-schema" Warning "No schema for values of a plan file"
        detail: "The {0} of {1}: {2}."
        reference: ["no schema found"],
        note: "A binary plan file holds values without their types. `--provider-schemas` tells them for providers that are not built in; OpenTofu 1.13 keeps the schemas in the file. `redact` refuses such a file unless it is forced.";
    IncompletePlanFile "incomplete-plan-file" Warning "The plan file does not tell everything"
        detail: "The {0} of {1}: {2}."
        reference: [],
        note: "A part of the plan could not be read, and is left out: configuration with errors, addresses that are none.";
        } }
    };
}
