//! The meaning of the records of a document.

use crate::show::redact::instances::Side;
use crate::stream::Path;

/// Stands for a row of records.
pub(super) const PLACEHOLDER: &[u8] = b"{}";

/// Where a record is. In the order of the paths that a pass selects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Changes,
    Drift,
    Planned,
    Prior,
    Configuration,
    Relevant,
    Values,
    Stored,
    /// Of a redacted state.
    Root,
}

/// The meaning of a record.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Change { is_planned: bool },
    Value(Side),
    Configuration,
    Relevant,
    State,
    Raw,
    Other,
}

/// The kind of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plan,
    State,
    Raw,
}

/// The resources of all modules below a root module.
macro_rules! resources {
    ($root:literal) => {
        concat!($root, "(.child_modules[*])*.resources[*]")
    };
}

impl Origin {
    pub(super) const ALL: [Self; 9] = [
        Self::Changes,
        Self::Drift,
        Self::Planned,
        Self::Prior,
        Self::Configuration,
        Self::Relevant,
        Self::Values,
        Self::Stored,
        Self::Root,
    ];

    /// The path of the records. Modules are in an array, as the tools write them, or in an object, as
    /// in an early description of the format.
    pub(super) fn path(self) -> Option<Path> {
        Some(Path::parse(self.text()).ok()?.or_members_of("child_modules"))
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Changes => "resource_changes[*]",
            Self::Drift => "resource_drift[*]",
            Self::Planned => resources!("planned_values.root_module"),
            Self::Prior => resources!("prior_state.values.root_module"),
            Self::Configuration => {
                "configuration.root_module(.module_calls.*.module)*.resources[*]"
            }
            Self::Relevant => "relevant_attributes[*]",
            Self::Values => resources!("values.root_module"),
            Self::Stored => "resources[*]",
            Self::Root => resources!("root"),
        }
    }

    /// Returns the meaning of the records in documents of a kind.
    pub(super) const fn what(self, kind: Kind) -> What {
        match (kind, self) {
            (Kind::Plan, Self::Changes) => What::Change { is_planned: true },
            (Kind::Plan, Self::Drift) => What::Change { is_planned: false },
            (Kind::Plan, Self::Planned) => What::Value(Side::After),
            (Kind::Plan, Self::Prior) => What::Value(Side::Before),
            (Kind::Plan, Self::Configuration) => What::Configuration,
            (Kind::Plan, Self::Relevant) => What::Relevant,
            (Kind::State, Self::Values | Self::Root) => What::State,
            (Kind::Raw, Self::Stored) => What::Raw,
            _ => What::Other,
        }
    }
}
