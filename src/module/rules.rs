//! The rules for reading a block: those of its dialect, and of the kind of its file.

use crate::body::Schema;
use crate::dialect::{Dialect, Table};

/// The rules for reading a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// The tool.
    pub dialect: Dialect,
    /// Whether the block is in an override file. There, required arguments may be left to the base,
    /// and conditions cannot be overridden.
    pub is_override: bool,
    /// Whether the block is in a test file.
    pub is_test: bool,
}

impl Rules {
    /// The rules of a primary file.
    pub(super) fn primary(dialect: Dialect) -> Self {
        Self { dialect, is_override: false, is_test: false }
    }

    /// The rules of an override file.
    pub(super) fn overriding(dialect: Dialect) -> Self {
        Self { dialect, is_override: true, is_test: false }
    }

    /// The rules of a test file.
    pub(super) fn test(dialect: Dialect) -> Self {
        Self { dialect, is_override: false, is_test: true }
    }

    /// The schema of a block under these rules.
    pub(super) fn schema(self, table: &'static Table) -> &'static Schema<'static> {
        table.schema(self.dialect, self.is_override)
    }

    pub(super) fn is_terraform(self) -> bool {
        self.dialect == Dialect::Terraform
    }
}
