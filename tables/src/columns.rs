//! All tables and their columns: the contract of `docs/tables.md`.

use std::sync::OnceLock;

use simd_hcl::show::rows::{self, Row};

use crate::table::{Column, Kind, Origin, Table, columns_of, table};

table! {
    /// A file of configuration, whether or not it can be read.
    File FILES "files" of File {
        module "module" Text "Directory of the module";
        name "name" Text "Name in the directory of the module";
        dialect "dialect" Text "Tool that reads it: `opentofu`, `terraform` or `packer`";
        syntax "syntax" Text "`native` or `json`";
        list "role" Text "`primary`, `override`, `test`, `variables` or `lock`";
        shadowed_by "shadowed_by" Text "File that OpenTofu reads instead of it";
        bytes "bytes" Number "Length";
        is_complete "is_complete" Flag "Whether all of it could be read; otherwise `diagnostics` says why. Null for a file that is not read because another shadows it";
    }
}

table! {
    /// A block, as it is written. In JSON only the blocks of the top level: below them, blocks and
    /// attributes look alike.
    Block BLOCKS "blocks" of File {
        module "module" Text "Directory of the module";
        role "role" Text "Role of the file, as in `files`";
        block_type "type" Text "Type";
        labels "labels" Texts "Labels";
        address "address" Text "Address of the object that it declares, or is a part of: `aws_instance.web`, `var.region`";
        name "name" Text "Path below the object: `ebs_block_device[0]`; empty for the object itself";
        depth "depth" Number "Number of blocks around it";
    }
}

table! {
    /// An attribute, as it is written. Values inside of lists and objects are part of their
    /// attribute.
    Attribute ATTRIBUTES "attributes" of File {
        module "module" Text "Directory of the module";
        role "role" Text "Role of the file, as in `files`";
        address "address" Text "Address of the object that has it: `aws_instance.web`, `local.name`";
        block_type "block_type" Text "Type of the block of the top level";
        name "name" Text "Path in the object: `ami`, `ebs_block_device[0].volume_size`; empty for a local value";
        text "text" Text "Expression as it is written; JSON in JSON files";
        value "value" Text "Value as JSON, if the expression is constant";
        kind "kind" Text "`literal` (it has a value), `reference`, `call`, `template`, `list`, `object` or `expression`";
        references "references" Texts "What the expression refers to: `var.region`, `aws_instance.web.id`";
        is_sensitive "is_sensitive" Flag "Whether text and value are hidden";
    }
}

table! {
    /// A resource, a data source, an ephemeral resource, or a source of Packer, as it is declared.
    Resource RESOURCES "resources" of File {
        module "module" Text "Directory of the module";
        role "role" Text "`primary`, or `override` for a block that changes another one";
        address "address" Text "Address in the module";
        mode "mode" Text "`managed`, `data`, `ephemeral`; `source` for Packer";
        resource_type "type" Text "Type";
        name "name" Text "Name";
        provider "provider" Text "Local name of the provider, with the alias if there is one: `aws.west`";
        count "count" Text "Expression of `count`";
        for_each "for_each" Text "Expression of `for_each`";
        depends_on "depends_on" Texts "Addresses in `depends_on`";
        prevent_destroy "prevent_destroy" Text "Expression of `lifecycle.prevent_destroy`";
        create_before_destroy "create_before_destroy" Text "Expression of `lifecycle.create_before_destroy`";
    }
}

table! {
    /// A variable of a module or a template, as it is declared.
    Variable VARIABLES "variables" of File {
        module "module" Text "Directory of the module";
        role "role" Text "`primary` or `override`";
        name "name" Text "Name";
        constraint "type" Text "Type constraint, as it is written";
        default "default" Text "Default value: JSON if it is constant, otherwise the expression";
        is_required "is_required" Flag "Whether it has no default value";
        description "description" Text "Description";
        is_sensitive "sensitive" Flag "Whether it is sensitive or ephemeral; its default value is hidden then";
        validations "validations" Number "Number of validation rules";
    }
}

table! {
    /// An output, as it is declared.
    Output OUTPUTS "outputs" of File {
        module "module" Text "Directory of the module";
        role "role" Text "`primary` or `override`";
        name "name" Text "Name";
        expression "expression" Text "Expression of the value";
        description "description" Text "Description";
        is_sensitive "sensitive" Flag "Whether it is sensitive or ephemeral; a literal value is hidden then";
        depends_on "depends_on" Texts "Addresses in `depends_on`";
    }
}

table! {
    /// A call of a module, as it is declared.
    ModuleCall MODULE_CALLS "module_calls" of File {
        module "module" Text "Directory of the module that calls";
        role "role" Text "`primary` or `override`";
        name "name" Text "Name of the call";
        source "source" Text "Source address";
        version "version" Text "Version constraint";
        reference "ref" Text "Revision that the source of a repository names: the branch, tag or commit after `ref=`, or `rev=`";
        is_local "is_local" Flag "Whether the source is a directory beside the caller";
        count "count" Text "Expression of `count`";
        for_each "for_each" Text "Expression of `for_each`";
        arguments "arguments" Texts "Names of the arguments";
        providers "providers" Text "Expression of `providers`";
    }
}

table! {
    /// A provider that a module requires, a configuration of one, or the selection of a lock file.
    Provider PROVIDERS "providers" of File {
        module "module" Text "Directory of the module";
        role "role" Text "Role of the file, as in `files`";
        kind "kind" Text "`required` (`required_providers`, `required_plugins`), `configuration` (a `provider` block) or `locked`";
        name "name" Text "Local name; the source address in a lock file";
        alias "alias" Text "Alias of a configuration";
        source "source" Text "Source address";
        version "version" Text "Version constraint; the selected version in a lock file";
    }
}

table! {
    /// A reference from an object of a module to another one.
    Reference REFERENCES "references" of Module {
        module "module" Text "Directory of the module";
        from "from" Text "Address of the object that refers";
        to "to" Text "Address that it refers to";
        kind "kind" Text "Kind of what it refers to: `resource`, `data`, `variable`, `local`, `module`, …; `unknown` if the text means nothing";
        text "text" Text "Reference as it is written";
    }
}

table! {
    /// A module: a directory with configuration of one tool.
    Module MODULES "modules" of Tree {
        module "module" Text "Directory";
        dialect "dialect" Text "Tool that reads it";
        is_root "is_root" Flag "Whether it seems to be a root module: nothing in the tree calls it, and it has a backend or a provider configuration. Null for Packer";
        files "files" Number "Number of files";
        resources "resources" Number "Number of resources, data sources and ephemeral resources; of sources for Packer";
        variables "variables" Number "Number of variables";
        outputs "outputs" Number "Number of outputs";
        calls "module_calls" Number "Number of calls";
        required_version "required_version" Text "Version constraints of the tool, joined by `, `";
        backend "backend" Text "Type of the backend";
        errors "errors" Number "Number of errors that `diagnostics` lists";
    }
}

table! {
    /// An edge of the dependency graph: an object needs another one, perhaps in another module.
    Edge EDGES "edges" of Tree {
        from_module "from_module" Text "Directory of the module of the object that needs";
        from "from" Text "Its address";
        to_module "to_module" Text "Directory of the module of the object that is needed";
        to "to" Text "Its address";
    }
}

table! {
    /// An error or a warning: of `simd-hcl check` without evaluation, of reading plans, states and
    /// schemas, and every path that cannot be read.
    Diagnostic DIAGNOSTICS "diagnostics" of Tree {
        module "module" Text "Directory of the module; null if the file is not configuration";
        severity "severity" Text "`error` or `warning`";
        code "code" Text "Code; `docs/diagnostics.md` lists them. `not-read` for a path that cannot be read";
        summary "summary" Text "Summary";
        detail "detail" Text "What is wrong";
        help "help" Text "What to do";
    }
}

table! {
    /// An instance of a resource or a data source that a root module declares, directly or in the
    /// modules that it calls, evaluated without a provider.
    Expanded EXPANDED "expanded" of Tree {
        root "root" Text "Directory of the root module";
        address "address" Text "Address of the instance";
        module_address "module_address" Text "Address of its module instance; empty for the root module";
        mode "mode" Text "`managed`, `data` or `ephemeral`";
        resource_type "type" Text "Type";
        name "name" Text "Name";
        key "index" Text "Key of the instance";
        is_placeholder "is_placeholder" Flag "Whether it stands for instances whose number is not known";
        provider "provider" Text "Provider";
        values "values" Text "Known values, as JSON; sensitive ones are hidden";
        tags "tags" Map "Known `tags`, or `labels` if it has none; a sensitive one is hidden, and one that is not a text is JSON";
        unknown "unknown_values" Text "Which values are not known, as JSON of the form of `after_unknown` in plans";
    }
}

table! {
    /// A plan.
    Plan PLANS "plans" of Plan {
        format_version "format_version" Text "Version of the format";
        tool_version "terraform_version" Text "Version of the tool";
        timestamp "timestamp" Text "Time at which it was made";
        is_complete "complete" Flag "Whether applying it makes the state match the configuration";
        is_applyable "applyable" Flag "Whether it can be applied";
        is_errored "errored" Flag "Whether planning failed";
        creates "create" Number "Number of objects that it creates";
        updates "update" Number "Number of objects that it updates";
        deletes "delete" Number "Number of objects that it deletes";
        replaces "replace" Number "Number of objects that it replaces";
        reads "read" Number "Number of data sources that it reads";
        no_ops "no_op" Number "Number of objects that it leaves alone";
        forgets "forget" Number "Number of objects that it forgets";
        others "other" Number "Number of other changes, objects that are forgotten and created anew included";
        imports "import" Number "Number of objects that it imports";
        moves "move" Number "Number of objects that it moves";
    }
}

const CHANGE: &[rows::Column] = <rows::Change<'_> as Row<'_>>::COLUMNS;
const LEAF: &[rows::Column] = <rows::Leaf<'_, '_> as Row<'_>>::COLUMNS;
const INSTANCE: &[rows::Column] = <rows::Instance<'_> as Row<'_>>::COLUMNS;
const VALUE: &[rows::Column] = <rows::Attribute<'_, '_> as Row<'_>>::COLUMNS;

/// The table `changes`: rows of the library, with the plan that each is in.
pub static CHANGES: Table = Table {
    name: "changes",
    origin: Origin::Plan,
    doc: "A change of a resource instance in a plan; no-ops and changes outside of the tool included.",
    columns: {
        static COLUMNS: [Column; CHANGE.len() + 1] = columns_of(
            CHANGE,
            &[Column {
                name: "timestamp",
                kind: Kind::Text,
                doc: "Time at which the plan was made",
            }],
        );
        &COLUMNS
    },
    schema: OnceLock::new(),
};

/// The table `change_leaves`: rows of the library, with the change that each belongs to.
pub static CHANGE_LEAVES: Table = Table {
    name: "change_leaves",
    origin: Origin::Plan,
    doc: "A value that a change of a plan creates, changes or removes.",
    columns: &[
        Column::named(CHANGE, "kind", "kind"),
        Column::named(CHANGE, "address", "address"),
        Column::named(CHANGE, "type", "type"),
        Column::named(CHANGE, "deposed", "deposed"),
        Column::named(LEAF, "path", "attribute"),
        Column::named(LEAF, "before", "before"),
        Column::named(LEAF, "after", "after"),
        Column::named(LEAF, "unknown", "is_unknown"),
        Column::named(LEAF, "sensitive", "is_sensitive"),
        Column::named(LEAF, "forces_replacement", "forces_replacement"),
    ],
    schema: OnceLock::new(),
};

/// The columns of the file that a resource instance is in.
const STATE: &[Column] = &[
    Column {
        name: "terraform_version",
        kind: Kind::Text,
        doc: "Version of the tool that wrote the state",
    },
    Column { name: "serial", kind: Kind::Number, doc: "Serial number of the state file" },
    Column { name: "lineage", kind: Kind::Text, doc: "Lineage of the state file" },
];

/// The table `state_resources`: rows of the library, with the file that each is in.
pub static STATE_RESOURCES: Table = Table {
    name: "state_resources",
    origin: Origin::State,
    doc: "A resource instance of a state, or a deposed object of one.",
    columns: {
        static COLUMNS: [Column; INSTANCE.len() + STATE.len()] = columns_of(INSTANCE, STATE);
        &COLUMNS
    },
    schema: OnceLock::new(),
};

/// The table `state_values`: rows of the library, with the instance that each belongs to.
pub static STATE_VALUES: Table = Table {
    name: "state_values",
    origin: Origin::State,
    doc: "A value of a resource instance of a state.",
    columns: &[
        Column::named(INSTANCE, "address", "address"),
        Column::named(INSTANCE, "type", "type"),
        Column::named(INSTANCE, "deposed", "deposed"),
        Column::named(VALUE, "path", "attribute"),
        Column::named(VALUE, "value", "value"),
        Column::named(VALUE, "sensitive", "is_sensitive"),
    ],
    schema: OnceLock::new(),
};

table! {
    /// An attribute or a nested block of a schema of a provider.
    SchemaItem SCHEMAS "schemas" of Schemas {
        provider "provider" Text "Provider";
        kind "kind" Text "What the schema is of: `provider`, `resource`, `data source`, …";
        name "type" Text "Type of the resource; null for the provider itself";
        version "schema_version" Number "Version of the schema";
        item "attribute" Text "Path in the schema: `ebs_block_device.volume_size`";
        form "form" Text "`attribute`, or `block` for a nested block";
        value_type "value_type" Text "Type as JSON; nesting mode of a block";
        is_required "required" Flag "Whether it must be set";
        is_optional "optional" Flag "Whether it may be set";
        is_computed "computed" Flag "Whether the provider may set it";
        is_sensitive "sensitive" Flag "Whether it is sensitive";
        is_write_only "write_only" Flag "Whether it is in no state";
        is_deprecated "deprecated" Flag "Whether it is deprecated";
        description "description" Text "Description";
    }
}

table! {
    /// A unit or a stack of Terragrunt. Nothing is run, downloaded or decrypted to find out about it.
    Unit UNITS "units" of Tree {
        unit "unit" Text "Folder";
        kind "kind" Text "`unit` or `stack`";
        source "source" Text "Source of its module, as it is written; null if it is not known";
        dependencies "dependencies" Texts "Folders of the units that it depends on";
        includes "includes" Texts "Files that it includes";
        reading "reading" Texts "Files that decide about it, those that Terragrunt tracks";
        also_reading "also_reading" Texts "Other files that decide about it";
        inputs "inputs" Texts "Names of its inputs; null if they are not known";
        generates "generates" Texts "Files that it writes into its module";
        level "level" Number "0 without dependencies among these units, otherwise one more than the highest level of those; null in a cycle";
        is_excluded "is_excluded" Flag "Whether its `exclude` block applies; null without one";
        excluded_from "excluded_from" Texts "Commands that the `exclude` block is about";
        is_template "is_template" Flag "Whether stacks generate others from it, and it is not complete without what they are given";
        is_complete "is_complete" Flag "Whether all of it is known; otherwise `incomplete` says why not";
        incomplete "incomplete" Texts "What is not known, and why";
    }
}

/// All tables, in the order of the docs.
pub static TABLES: [&Table; 20] = [
    &FILES,
    &MODULES,
    &BLOCKS,
    &ATTRIBUTES,
    &RESOURCES,
    &VARIABLES,
    &OUTPUTS,
    &MODULE_CALLS,
    &PROVIDERS,
    &REFERENCES,
    &EDGES,
    &DIAGNOSTICS,
    &EXPANDED,
    &UNITS,
    &PLANS,
    &CHANGES,
    &CHANGE_LEAVES,
    &STATE_RESOURCES,
    &STATE_VALUES,
    &SCHEMAS,
];

/// The table with a name.
#[must_use]
pub fn table_of(name: &str) -> Option<&'static Table> {
    TABLES.into_iter().find(|table| table.name == name)
}
