//! Codes of plans, states and provider schemas.

macro_rules! show_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Plans, states and schemas as JSON" {
    UnexpectedDocument "unexpected-document" Error "Unexpected kind of document"
        detail: "This is {0}, not {1}."
        help: "{2}"
        reference: ["Invalid JSON keyword", "Invalid start of value", "Root value must be object", "Extraneous JSON object property", "Extraneous data after value"],
        note: "The root members show the kind of a document, and the first bytes the kind of other files: native syntax, the output of a tool for people, or an HTML page.";
    EncryptedDocument "encrypted-document" Error "Encrypted document"
        detail: "The file is encrypted by OpenTofu."
        help: "Decrypt it with `tofu show -json`."
        reference: [],
        note: "A state or plan file with OpenTofu's state encryption.";
    MissingFormatVersion "missing-format-version" Warning "Missing format version"
        detail: "The document has no {0}, so it is read as version 1."
        reference: [],
        note: "The tools always write one.";
    UnknownFormatVersion "unknown-format-version" Error "Unsupported format version"
        detail: "{0} is {1}, {2}."
        reference: ["unsupported plan format version", "unsupported state format version"],
        note: "The format version of a plan, a state, a prior state or schemas has a major version above 1, or is not a version.";
    UnexpectedType "unexpected-type" Error "Unexpected JSON type"
        detail: "`{0}` should be {1}, not {2}."
        reference: [],
        note: "A member of a plan, a state or schemas has another type than its format specifies. It is ignored; the rest is read.";
    MarksMisfit "marks-misfit" Warning "Mismatched marks"
        detail: "The tree that marks {0} does not match the value at `{1}`."
        reference: [],
        note: "`after_unknown` or a tree of sensitive values has an object, an array or a mark where the value has something else. Unknown marks are ignored there; sensitive ones hide the whole value.";
    NoSensitiveMarks "no-sensitive-marks" Error "Missing sensitive marks"
        detail: "This format version does not mark sensitive values, so secrets cannot be found."
        help: "`--force` redacts the values that are known to be secret by other means."
        reference: [],
        note: "Documents of format 0.1 (Terraform 0.12 to 1.0.0) and state files of versions 1 to 3, passed to `redact`.";
    DuplicateAddress "duplicate-address" Error "Duplicate address"
        detail: "The plan has more than one change of {0}."
        reference: [],
        note: "Two entries of `resource_changes` have the same address and the same deposed key. Lookups by address find the first one.";
    ConvertedEncoding "converted-encoding" Warning "File converted from UTF-16"
        detail: "The file is UTF-16, as PowerShell writes it. It was converted, and positions refer to its text in UTF-8."
        reference: [],
        note: "Plans, states and schemas, and configuration in files whose names the tools do not read. In other configuration files, UTF-16 is an error.";
    TextAfterDocument "text-after-document" Warning "Text after the document"
        detail: "Text after the JSON document, as wrapper scripts print it, was skipped."
        reference: [],
        note: "In plans, states and schemas: lines after the document that do not start another one. `redact` does not print them.";
    TextBeforeDocument "text-before-document" Warning "Text before the document"
        detail: "Text before the JSON document, as wrapper scripts print it, was skipped."
        reference: [],
        note: "In plans, states and schemas: lines before the first one that starts with a brace, such as `[command]/usr/bin/terraform show -json`.";
    UnreadablePlanFile "unreadable-plan-file" Error "Unreadable plan file"
        detail: "The plan file cannot be read: {0}."
        reference: ["Failed to read plan file"],
        note: "A binary file from `plan -out` is damaged, truncated, too large when decompressed, or does not contain a plan.";
    MissingPlanSchema "missing-plan-schema" Warning "Missing schema for a plan file"
        detail: "Incomplete {0} of {1}: {2}."
        reference: ["no schema found"],
        note: "A binary plan file contains values without their types. `--provider-schemas` supplies them for providers that are not built in; OpenTofu 1.13 stores the schemas in the file. `redact` rejects such a file unless `--force` is set.";
    MissingStateSchema "missing-state-schema" Warning "Missing schema for a state file"
        detail: "Whether values of {0} are sensitive is not known: the state file has no marks for them."
        help: "`--provider-schemas FILE` also hides what the schemas of their types mark; `providers schema -json` prints them."
        reference: [],
        note: "A state file has the paths of attributes that were marked as sensitive when it was written. Data sources have none, and older tools did not write those that only a schema marks. `redact` and `state --values` report types with values without marks.";
    IncompletePlanFile "incomplete-plan-file" Warning "Incomplete plan file"
        detail: "Incomplete {0} of {1}: {2}."
        reference: [],
        note: "A part of the plan could not be read and is left out, such as configuration with errors, or an invalid address.";
        } }
    };
}
