//! The rules by which a block is read: those of its dialect, and of the kind of its file.

use crate::dialect::Dialect;

/// What the reading of a block depends on, besides the block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// The tool.
    pub dialect: Dialect,
    /// Whether it stands in an override file: what is required may be left to the base there, and
    /// conditions cannot be overridden.
    pub is_override: bool,
    /// Whether it stands in a test file.
    pub is_test: bool,
}

impl Rules {
    /// Those of a primary file.
    pub(super) fn primary(dialect: Dialect) -> Self {
        Self { dialect, is_override: false, is_test: false }
    }

    /// Those of an override file.
    pub(super) fn overriding(dialect: Dialect) -> Self {
        Self { dialect, is_override: true, is_test: false }
    }

    /// Those of a test file.
    pub(super) fn test(dialect: Dialect) -> Self {
        Self { dialect, is_override: false, is_test: true }
    }

    pub(super) fn is_terraform(self) -> bool {
        self.dialect == Dialect::Terraform
    }
}
