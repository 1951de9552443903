//! Checks arguments of calls against the validations of variables, if values are known early
//! enough.

use super::callee::{Callee, Spot};
use super::link;
use super::module::TreeModule;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::module::ModuleCall;
use crate::module::computed::Computed;

/// Reports arguments of a call, and defaults that it uses, that a validation rejects. `computed`
/// evaluates the arguments in the calling module. Within the called module the other variables are
/// unknown.
///
/// Cost: that of the arguments and conditions of variables with validations.
pub(super) fn check<'a>(
    module: &TreeModule<'a>,
    call: &ModuleCall<'a>,
    called: Callee<'_, 'a>,
    computed: &Computed<'a>,
    arena: &'a Arena,
    sink: &mut dyn Sink<'a>,
) {
    let (interface, opened) = (called.interface, called.opened);
    let variables = interface.variables().iter().enumerate();
    let mut validated = variables.filter(|(_, it)| !it.validations().is_empty()).peekable();
    if interface.withholds() || validated.peek().is_none() {
        return;
    }
    let given: HashMap<&str, Expression<'a>> =
        link::given(call).into_iter().map(|(name, _, value)| (name, value)).collect();
    for (place, variable) in validated {
        let (value, label) = match given.get(variable.name()) {
            Some(&argument) => {
                let value = computed.value(&module.module, argument, &[], &mut ());
                let value = match opened.constraint(interface, place) {
                    Some(constraint) => constraint.apply(arena, value, &mut ()),
                    None => Ok(value),
                };
                (value.ok(), argument.start_label())
            }
            None => (opened.default(interface, place), call.block.definition_label()),
        };
        let Some(value) = value else { continue };
        for refusal in opened.refusals(interface, place, value) {
            let message = match refusal.message {
                "" => ".",
                message => arena.format(format_args!(": {message}")),
            };
            let diagnostic = Diagnostic::new(Code::FailedValidation, label)
                .with_arguments(&[arena.str(variable.name()), message]);
            let spot = Spot::Condition(variable.name(), refusal.validation);
            sink.report(match called.label(spot) {
                Some(condition) => diagnostic.with_related(condition, "by this condition"),
                None => diagnostic,
            });
        }
    }
}
