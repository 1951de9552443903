//! Actions of Terraform: `action.TYPE.NAME`, or one of its instances.

use std::fmt;

use super::{InstanceKey, instance_key, invalid, invalid_whole};
use crate::diagnostic::Diagnostic;
use crate::native::{LentTraversal, StepKind};

/// An action within its module: `action.aws_lambda_invoke.warm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionName<'a> {
    /// The action type.
    pub action_type: &'a str,
    /// Its name.
    pub name: &'a str,
}

impl fmt::Display for ActionName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "action.{}.{}", self.action_type, self.name)
    }
}

impl<'a> ActionName<'a> {
    /// Returns the action of an absolute traversal, and the key if it is one instance. The first
    /// step is the word `action`, which is not checked: in OpenTofu it is an ordinary resource
    /// type.
    ///
    /// # Errors
    /// The diagnostic that it is not an action, at the first invalid step.
    pub fn of(
        traversal: LentTraversal<'_, 'a>,
    ) -> Result<(Self, Option<InstanceKey<'a>>), Diagnostic<'a>> {
        const TOO_SHORT: &str = "the type and the name of an action must follow";
        let kind = |at: usize| traversal.steps().get(at).map(|step| step.kind);
        let (Some(action_type), Some(name)) = (kind(1), kind(2)) else {
            return Err(invalid_whole(traversal, TOO_SHORT));
        };
        let StepKind::Attribute(action_type) = action_type else {
            return Err(invalid(traversal, 1, TOO_SHORT));
        };
        let StepKind::Attribute(name) = name else {
            return Err(invalid(traversal, 2, TOO_SHORT));
        };
        let key = match kind(3) {
            Some(StepKind::Index(key)) => Some(instance_key(traversal, 3, key)?),
            _ => None,
        };
        Ok((Self { action_type, name }, key))
    }
}
