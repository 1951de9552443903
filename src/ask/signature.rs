//! Signatures: the function whose arguments are at a position.

use super::answers::Answers;
use super::context::{self, Spot};
use super::hover::{parameters, signature};
use crate::evaluate::known_function;

/// The signature of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signature {
    /// The whole signature: `cidrhost(prefix string, hostnum number) string`.
    pub text: Box<str>,
    /// The parameters, each with its type; the last one may stand for any number of arguments.
    pub parameters: Vec<Box<str>>,
    /// The place of the parameter that is written; `None` if there are too many arguments.
    pub active: Option<usize>,
}

impl<'t, 'a> Answers<'t, 'a> {
    /// The signature of the innermost call around an offset. Only the text before the offset is read.
    ///
    /// Cost: linear in the offset.
    #[must_use]
    pub fn signature(&self, file: &str, offset: u32) -> Option<Signature> {
        let entry = self.entry(file)?;
        let Spot::Value(value) = context::around(entry, offset).spot else { return None };
        let (name, place) = value.call?;
        let function = known_function(name.strip_prefix("core::").unwrap_or(&name))?;
        let parameters = parameters(function);
        let has_rest = function.parameters().variadic.is_some();
        let last = parameters.len().checked_sub(1);
        let active = match last {
            Some(last) if place > last => has_rest.then_some(last),
            last => last.map(|_| place),
        };
        let text = signature(function).into();
        let parameters = parameters.into_iter().map(Into::into).collect();
        Some(Signature { text, parameters, active })
    }
}
