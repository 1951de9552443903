//! Tables of the arguments and nested blocks of a block: one row each, with the tools that know it,
//! and with how it is read.

use std::fmt;
use std::sync::OnceLock;

use super::Dialect;
use crate::body::{AttributeSchema, BlockSchema, Schema};
use crate::evaluate::Release;
use crate::evaluate::release::{ALWAYS, NEVER};

/// The rows of a block type, and the schemas built from them on first use.
pub(crate) struct Table {
    rows: &'static [Row],
    /// How arguments without a row are read.
    rest: Reading,
    /// Whether a plugin defines arguments and nested blocks without a row.
    is_of_plugin: bool,
    /// OpenTofu's and Terraform's schemas, each for primary files and for override files.
    schemas: [OnceLock<Schema<'static>>; 4],
}

/// How an argument is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Its strings are templates.
    Template,
    /// Its strings are literal.
    Literal,
    /// Its strings hold references, keywords, types or other expressions in native syntax. This
    /// applies to each element of lists and maps, including keys.
    Bare,
    /// An entry of `required_providers`: literal, except for `configuration_aliases`.
    Requirement,
}

/// An argument or a nested block type.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    name: &'static str,
    entry: Entry,
    reading: Reading,
    is_in_opentofu: bool,
    is_in_terraform: bool,
    opentofu: Release,
    terraform: Release,
}

/// A row without the releases that have it: no row is complete without them.
#[derive(Clone, Copy)]
pub(crate) struct Unreleased {
    name: &'static str,
    entry: Entry,
    reading: Reading,
}

#[derive(Clone, Copy)]
enum Entry {
    Optional,
    Required,
    /// Required in a primary file; an override file may leave it to the base.
    RequiredOfBase,
    /// A block type with these labels, and the table of its bodies.
    Block(&'static [&'static str], &'static Table),
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rows.iter().map(|row| row.name)).finish()
    }
}

impl Row {
    const fn of(name: &'static str, entry: Entry) -> Unreleased {
        Unreleased { name, entry, reading: Reading::Template }
    }

    /// An optional argument.
    pub(crate) const fn optional(name: &'static str) -> Unreleased {
        Self::of(name, Entry::Optional)
    }

    /// A required argument.
    pub(crate) const fn required(name: &'static str) -> Unreleased {
        Self::of(name, Entry::Required)
    }

    /// An argument that is required in primary files, but not in override files.
    pub(crate) const fn required_of_base(name: &'static str) -> Unreleased {
        Self::of(name, Entry::RequiredOfBase)
    }

    /// A block type without labels.
    pub(crate) const fn block(name: &'static str, table: &'static Table) -> Unreleased {
        Self::of(name, Entry::Block(&[], table))
    }

    /// A block type with labels.
    pub(crate) const fn labelled(
        name: &'static str,
        labels: &'static [&'static str],
        table: &'static Table,
    ) -> Unreleased {
        Self::of(name, Entry::Block(labels, table))
    }

    /// Whether a tool knows it. Packer's tables have no rows of one tool.
    const fn is_in(&self, dialect: Dialect) -> bool {
        match dialect {
            Dialect::Terraform => self.is_in_terraform,
            Dialect::OpenTofu | Dialect::Packer => self.is_in_opentofu,
        }
    }
}

impl Unreleased {
    /// Read literally.
    pub(crate) const fn literal(self) -> Self {
        Self { reading: Reading::Literal, ..self }
    }

    /// Read as an expression in native syntax.
    pub(crate) const fn bare(self) -> Self {
        Self { reading: Reading::Bare, ..self }
    }

    /// In all releases.
    pub(crate) const fn always(self) -> Row {
        self.since(ALWAYS, ALWAYS)
    }

    /// In releases of the tools from these on. Where the reader reports what a tool does not have,
    /// the row is one of both.
    pub(crate) const fn since(self, opentofu: Release, terraform: Release) -> Row {
        let Self { name, entry, reading } = self;
        let (is_in_opentofu, is_in_terraform) = (true, true);
        Row { name, entry, reading, is_in_opentofu, is_in_terraform, opentofu, terraform }
    }

    /// Known to OpenTofu only, from this release on.
    pub(crate) const fn opentofu(self, release: Release) -> Row {
        Row { is_in_terraform: false, ..self.since(release, NEVER) }
    }

    /// Known to Terraform only, from this release on.
    pub(crate) const fn terraform(self, release: Release) -> Row {
        Row { is_in_opentofu: false, ..self.since(NEVER, release) }
    }
}

impl Table {
    const fn make(rows: &'static [Row], rest: Reading, is_of_plugin: bool) -> Self {
        Self { rows, rest, is_of_plugin, schemas: [const { OnceLock::new() }; 4] }
    }

    /// A block whose other arguments are errors.
    pub(crate) const fn new(rows: &'static [Row]) -> Self {
        Self::make(rows, Reading::Template, false)
    }

    /// A block whose other arguments and nested blocks a plugin defines.
    pub(crate) const fn of_plugin(rows: &'static [Row]) -> Self {
        Self::make(rows, Reading::Template, true)
    }

    /// The same, where nothing is evaluated.
    pub(crate) const fn of_literal_plugin(rows: &'static [Row]) -> Self {
        Self::make(rows, Reading::Literal, true)
    }

    /// A block whose other arguments are literal.
    pub(crate) const fn of_literals(rows: &'static [Row]) -> Self {
        Self::make(rows, Reading::Literal, false)
    }

    /// A block that may have any arguments, all read in this way.
    pub(crate) const fn of_any(rest: Reading) -> Self {
        Self::make(&[], rest, false)
    }

    /// The schema of a block in a file of a dialect. In an override file some required arguments are
    /// optional.
    pub(crate) fn schema(
        &'static self,
        dialect: Dialect,
        is_override: bool,
    ) -> &'static Schema<'static> {
        let place = 2 * usize::from(dialect == Dialect::Terraform) + usize::from(is_override);
        self.schemas[place].get_or_init(|| self.make_schema(dialect, is_override))
    }

    /// The schema of a block that is the same in all files.
    pub(crate) fn common(&'static self) -> &'static Schema<'static> {
        debug_assert!(
            self.rows.iter().all(|row| {
                row.is_in_opentofu
                    && row.is_in_terraform
                    && !matches!(row.entry, Entry::RequiredOfBase)
            }),
            "the tools differ in an argument"
        );
        self.schema(Dialect::OpenTofu, false)
    }

    fn make_schema(&self, dialect: Dialect, is_override: bool) -> Schema<'static> {
        let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
        for row in self.rows.iter().filter(|row| row.is_in(dialect)) {
            let required = match row.entry {
                Entry::Block(labels, _) => {
                    blocks.push(BlockSchema::new(row.name, labels));
                    continue;
                }
                Entry::Optional => false,
                Entry::Required => true,
                Entry::RequiredOfBase => !is_override,
            };
            attributes.push(AttributeSchema { name: row.name, required });
        }
        // Tables are statics, so the number of leaked schemas is bounded.
        Schema::new(Vec::leak(attributes), Vec::leak(blocks))
    }

    /// The arguments of all tools, and how they are read.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = (&'static str, Reading)> + use<> {
        let arguments = self.rows.iter().filter(|row| !matches!(row.entry, Entry::Block(..)));
        arguments.map(|row| (row.name, row.reading))
    }

    /// The nested block types of all tools. A name is repeated if tools have different rows.
    #[cfg(feature = "fuzzing")]
    pub(super) fn blocks(&self) -> impl Iterator<Item = &'static str> {
        let blocks = self.rows.iter().filter(|row| matches!(row.entry, Entry::Block(..)));
        blocks.map(|row| row.name)
    }

    /// Whether arguments without a row are not errors.
    #[cfg(feature = "fuzzing")]
    pub(super) fn is_open(&self) -> bool {
        self.is_of_plugin || self.rows.is_empty()
    }

    /// The releases of OpenTofu and Terraform that have an argument or a nested block type, by the rows
    /// of both tools; `None` if a plugin defines it.
    #[cfg(feature = "rules")]
    pub(crate) fn releases(&self, name: &str) -> Option<(Release, Release)> {
        let rows = self.rows.iter().filter(|row| row.name == name);
        rows.map(|row| (row.opentofu, row.terraform))
            .reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)))
    }

    /// Whether it has nested block types.
    #[cfg(feature = "rules")]
    pub(super) fn has_blocks(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.entry, Entry::Block(..)))
    }

    /// Whether not all releases have all of its rows.
    #[cfg(feature = "rules")]
    pub(super) fn has_new(&self) -> bool {
        self.rows.iter().any(|row| (row.opentofu, row.terraform) != (ALWAYS, ALWAYS))
    }

    /// How an argument is read.
    pub(super) fn reading(&self, dialect: Dialect, argument: &str) -> Reading {
        let is_argument = |row: &Row| !matches!(row.entry, Entry::Block(..));
        self.row(dialect, argument, is_argument).map_or(self.rest, |row| row.reading)
    }

    /// Whether a tool has an argument of a name, and none has a nested block of it.
    pub(super) fn has_argument(&self, name: &str) -> bool {
        let mut named = self.rows.iter().filter(|row| row.name == name).peekable();
        named.peek().is_some() && named.all(|row| !matches!(row.entry, Entry::Block(..)))
    }

    /// The number of labels and the table of a nested block type.
    pub(super) fn block(&self, dialect: Dialect, name: &str) -> Option<(usize, &'static Self)> {
        let is_block = |row: &Row| matches!(row.entry, Entry::Block(..));
        match self.row(dialect, name, is_block)?.entry {
            Entry::Block(labels, table) => Some((labels.len(), table)),
            _ => None,
        }
    }

    /// The row of a name: that of the dialect, or else that of another one.
    fn row(
        &self,
        dialect: Dialect,
        name: &str,
        is_wanted: impl Fn(&Row) -> bool,
    ) -> Option<&'static Row> {
        let named = || self.rows.iter().filter(|row| row.name == name && is_wanted(row));
        named().find(|row| row.is_in(dialect)).or_else(|| named().next())
    }

    /// Whether a plugin defines arguments and nested blocks without a row.
    pub(super) fn has_plugin(&self) -> bool {
        self.is_of_plugin
    }

    /// How arguments without a row are read.
    pub(super) fn rest(&self) -> Reading {
        self.rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static INNER: Table = Table::of_any(Reading::Literal);
    static OTHER: Table = Table::new(&[]);
    static TABLE: Table = Table::new(&[
        Row::required_of_base("source").always(),
        Row::required("always").bare().always(),
        Row::optional("tofu").literal().opentofu(ALWAYS),
        Row::labelled("terra", &["type"], &INNER).terraform(ALWAYS),
        Row::block("both", &INNER).opentofu(ALWAYS),
        Row::block("both", &OTHER).terraform(ALWAYS),
    ]);

    #[test]
    fn schemas_follow_dialect_and_file() {
        let names = |dialect, is_override| {
            let schema = TABLE.schema(dialect, is_override);
            let attributes = schema.attributes().iter().map(|it| (it.name, it.required));
            let blocks = schema.blocks().iter().map(|it| it.block_type);
            (attributes.collect::<Vec<_>>(), blocks.collect::<Vec<_>>())
        };
        assert_eq!(
            names(Dialect::OpenTofu, false),
            (vec![("source", true), ("always", true), ("tofu", false)], vec!["both"])
        );
        assert_eq!(
            names(Dialect::Terraform, true),
            (vec![("source", false), ("always", true)], vec!["terra", "both"])
        );
    }

    #[test]
    fn rows_of_other_tools_are_read_alike() {
        let reading = |name| TABLE.reading(Dialect::Terraform, name);
        assert_eq!(["source", "always", "tofu", "else"].map(reading), {
            [Reading::Template, Reading::Bare, Reading::Literal, Reading::Template]
        });
        let block = |dialect, name| TABLE.block(dialect, name).unwrap();
        assert_eq!(block(Dialect::OpenTofu, "terra").0, 1);
        assert!(std::ptr::eq(block(Dialect::OpenTofu, "both").1, &raw const INNER));
        assert!(std::ptr::eq(block(Dialect::Terraform, "both").1, &raw const OTHER));
        assert!(TABLE.block(Dialect::OpenTofu, "source").is_none());
    }
}
