//! Checks: conditions of a configuration and their results, in plans and states.

use super::field::{Index, List, views};
use super::names::{CheckKind, CheckStatus, ResourceMode};

views! {
    /// All conditions of one block.
    Check {
        /// The block that has the conditions.
        address "address" CheckAddress<'a>;
        /// The result over all instances.
        status "status" CheckStatus<'a>;
        /// The results by instance. Absent if there are no instances, or, with an unknown status,
        /// if the instances are not known.
        instances "instances" List<'a, CheckInstance<'a>>;
    }

    /// The block in the configuration that has the conditions.
    CheckAddress {
        /// The kind of the block.
        kind "kind" CheckKind<'a>;
        /// The address as text.
        to_display "to_display" &'a str;
        /// The kind of resource.
        mode "mode" ResourceMode<'a>;
        /// The resource type.
        resource_type "type" &'a str;
        /// The name.
        name "name" &'a str;
        /// The address of the module, without keys.
        module "module" &'a str;
    }

    /// The conditions of one instance.
    CheckInstance {
        /// The instance.
        address "address" CheckInstanceAddress<'a>;
        /// The result.
        status "status" CheckStatus<'a>;
        /// The conditions that do not hold.
        problems "problems" List<'a, CheckProblem<'a>>;
    }

    /// The address of an instance.
    CheckInstanceAddress {
        /// The address as text.
        to_display "to_display" &'a str;
        /// The address of the module instance.
        module "module" &'a str;
        /// The key of the instance.
        instance_key "instance_key" Index<'a>;
    }

    /// A condition that does not hold.
    CheckProblem {
        /// The message in the configuration.
        message "message" &'a str;
    }
}

/// The number of instances by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckCounts {
    /// All conditions hold.
    pub pass: usize,
    /// A condition does not hold.
    pub fail: usize,
    /// A condition could not be evaluated.
    pub error: usize,
    /// Not known yet, or a new status.
    pub unknown: usize,
}

impl CheckCounts {
    /// Counts instances, and a block without instances as one.
    pub fn of<'a>(checks: impl Iterator<Item = Check<'a>>) -> Self {
        let mut counts = Self::default();
        for check in checks {
            let mut statuses =
                check.instances().value().into_iter().flat_map(List::iter).peekable();
            if statuses.peek().is_none() {
                counts.add(check.status().value());
            }
            statuses.for_each(|instance| counts.add(instance.status().value()));
        }
        counts
    }

    fn add(&mut self, status: Option<CheckStatus<'_>>) {
        match status {
            Some(CheckStatus::Pass) => self.pass += 1,
            Some(CheckStatus::Fail) => self.fail += 1,
            Some(CheckStatus::Error) => self.error += 1,
            _ => self.unknown += 1,
        }
    }
}
