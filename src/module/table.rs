//! Tables of the arguments and nested blocks of a block: one row each, with the dialects that know
//! it.

use std::sync::OnceLock;

use super::rules::Rules;
use crate::body::{AttributeSchema, BlockSchema, Schema};

/// The rows of a block type, and the schemas built from them on first use.
pub(super) struct Table {
    rows: &'static [Row],
    /// OpenTofu's and Terraform's schemas, each for primary files and for override files.
    schemas: [OnceLock<Schema<'static>>; 4],
}

/// An argument or a nested block type.
#[derive(Clone, Copy)]
pub(super) struct Row {
    name: &'static str,
    entry: Entry,
    is_in_opentofu: bool,
    is_in_terraform: bool,
}

#[derive(Clone, Copy)]
enum Entry {
    Optional,
    Required,
    /// Required in a primary file; an override file may leave it to the base.
    RequiredOfBase,
    /// A block type with these labels.
    Block(&'static [&'static str]),
}

impl Row {
    const fn new(name: &'static str, entry: Entry) -> Self {
        Self { name, entry, is_in_opentofu: true, is_in_terraform: true }
    }

    /// An optional argument.
    pub(super) const fn optional(name: &'static str) -> Self {
        Self::new(name, Entry::Optional)
    }

    /// A required argument.
    pub(super) const fn required(name: &'static str) -> Self {
        Self::new(name, Entry::Required)
    }

    /// An argument that is required in primary files, but not in override files.
    pub(super) const fn required_of_base(name: &'static str) -> Self {
        Self::new(name, Entry::RequiredOfBase)
    }

    /// A block type without labels.
    pub(super) const fn block(name: &'static str) -> Self {
        Self::new(name, Entry::Block(&[]))
    }

    /// A block type with labels.
    pub(super) const fn labelled(name: &'static str, labels: &'static [&'static str]) -> Self {
        Self::new(name, Entry::Block(labels))
    }

    /// Known to OpenTofu only.
    pub(super) const fn opentofu(self) -> Self {
        Self { is_in_terraform: false, ..self }
    }

    /// Known to Terraform only.
    pub(super) const fn terraform(self) -> Self {
        Self { is_in_opentofu: false, ..self }
    }
}

impl Table {
    pub(super) const fn new(rows: &'static [Row]) -> Self {
        Self { rows, schemas: [const { OnceLock::new() }; 4] }
    }

    /// The schema of a block under these rules.
    pub(super) fn schema(&'static self, rules: Rules) -> &'static Schema<'static> {
        let place = 2 * usize::from(rules.is_terraform()) + usize::from(rules.is_override);
        self.schemas[place].get_or_init(|| self.make(rules))
    }

    fn make(&self, rules: Rules) -> Schema<'static> {
        let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
        let is_known = |row: &&Row| match rules.is_terraform() {
            true => row.is_in_terraform,
            false => row.is_in_opentofu,
        };
        for row in self.rows.iter().filter(is_known) {
            let required = match row.entry {
                Entry::Block(labels) => {
                    blocks.push(BlockSchema::new(row.name, labels));
                    continue;
                }
                Entry::Optional => false,
                Entry::Required => true,
                Entry::RequiredOfBase => !rules.is_override,
            };
            attributes.push(AttributeSchema { name: row.name, required });
        }
        // Tables are statics, so the number of leaked schemas is bounded.
        Schema::new(Vec::leak(attributes), Vec::leak(blocks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;

    static TABLE: Table = Table::new(&[
        Row::required_of_base("source"),
        Row::required("always"),
        Row::optional("tofu").opentofu(),
        Row::labelled("terra", &["type"]).terraform(),
        Row::block("both"),
    ]);

    #[test]
    fn schemas_follow_dialect_and_file() {
        let names = |rules| {
            let schema = TABLE.schema(rules);
            let attributes = schema.attributes().iter().map(|it| (it.name, it.required));
            let blocks = schema.blocks().iter().map(|it| it.block_type);
            (attributes.collect::<Vec<_>>(), blocks.collect::<Vec<_>>())
        };
        assert_eq!(
            names(Rules::primary(Dialect::OpenTofu)),
            (vec![("source", true), ("always", true), ("tofu", false)], vec!["both"])
        );
        assert_eq!(
            names(Rules::overriding(Dialect::Terraform)),
            (vec![("source", false), ("always", true)], vec!["terra", "both"])
        );
    }
}
