//! The declared object that a reference to an undeclared one probably means.

use super::Module;
use crate::reference::Subject;
use crate::suggest::Suggestions;

impl<'a> Module<'a> {
    /// The name of the nearest object of the same kind; for a resource, of the same type.
    pub(super) fn nearest(
        &self,
        subject: Subject<'a>,
        suggestions: &mut Suggestions,
    ) -> Option<&'a str> {
        match subject {
            Subject::Variable(name) => {
                suggestions.nearest(name, self.variables.iter().map(|each| each.name))
            }
            Subject::Local(name) => {
                suggestions.nearest(name, self.locals.iter().map(|each| each.name))
            }
            Subject::Resource(given) | Subject::ResourceInstance(given, _) => {
                // Comparing resources of other types costs work, too, so they stay in the list,
                // without a name.
                let names = self.resources.iter().map(|each| each.address()).map(|known| {
                    match (known.mode, known.resource_type) == (given.mode, given.resource_type) {
                        true => known.name,
                        false => "",
                    }
                });
                suggestions.nearest(given.name, names)
            }
            _ => {
                let name = subject.module_call()?;
                suggestions.nearest(name, self.calls.iter().map(|each| each.name))
            }
        }
    }
}
