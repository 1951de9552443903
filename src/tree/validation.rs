//! Checks arguments of calls against the validations of variables, if values are known early
//! enough.

use super::link;
use super::module::TreeModule;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::module::computed::Computed;
use crate::module::{Condition, ModuleCall, Variable};
use crate::native::StepKind;
use crate::value::{Type, Value, convert};

/// Reports arguments of a call, and defaults that it uses, that a validation rejects. `computed`
/// evaluates the arguments in the calling module. Within the called module the other variables are
/// unknown.
///
/// Cost: that of the arguments and conditions of variables with validations.
pub(super) fn check<'a>(
    module: &TreeModule<'a>,
    call: &ModuleCall<'a>,
    called: &TreeModule<'a>,
    computed: &Computed<'a>,
    arena: &'a Arena,
    sink: &mut dyn Sink<'a>,
) {
    let mut validated =
        called.module.variables.iter().filter(|it| !it.validations.is_empty()).peekable();
    if called.withholds() || validated.peek().is_none() {
        return;
    }
    let given: HashMap<&str, Expression<'a>> =
        link::given(call).into_iter().map(|(name, _, value)| (name, value)).collect();
    for variable in validated {
        let (value, label) = match given.get(variable.name) {
            Some(&argument) => {
                let value = computed.value(&module.module, argument, &[], &mut ());
                let value = match variable.constraint {
                    Some(constraint) => constraint.apply(arena, value, &mut ()),
                    None => Ok(value),
                };
                (value.ok(), argument.start_label())
            }
            None => {
                let default = variable.default_value(&mut ()).and_then(Result::ok);
                (default, call.block.definition_label())
            }
        };
        if let Some(value) = value {
            for condition in variable.validations {
                refused(called, variable, *condition, value, label, sink);
            }
        }
    }
}

/// Reports a value for which a condition is false.
fn refused<'a>(
    called: &TreeModule<'a>,
    variable: &Variable<'a>,
    validation: Condition<'a>,
    value: Value<'a>,
    label: Label<'a>,
    sink: &mut dyn Sink<'a>,
) {
    let Some(condition) = validation.condition else { return };
    let arena = condition.source().arena();
    let mut variables: Vec<(&str, Value<'a>)> = Vec::new();
    for traversal in condition.variables().filter(|it| it.root_name() == "var") {
        if let Some(StepKind::Attribute(name)) = traversal.steps().get(1).map(|step| step.kind) {
            let is_own = name == variable.name;
            variables.push((name, if is_own { value } else { Value::dynamic() }));
        }
    }
    variables.sort_by_key(|(name, _)| *name);
    variables.dedup_by_key(|(name, _)| *name);
    let scope = vec![("var", Value::object(arena, &variables))];
    let computed = &called.uses.computed;
    let mut error: Option<Diagnostic<'a>> = None;
    let holds = computed.value_in(&called.module, condition, scope.clone(), &mut error);
    let holds = convert(arena, holds, Type::Bool).ok().and_then(Value::as_bool);
    if error.is_some() || holds != Some(false) {
        return;
    }
    let message = validation
        .error_message
        .map(|message| computed.value_in(&called.module, message, scope, &mut error));
    let message = message.filter(|it| error.is_none() && it.deep_marks().is_empty());
    let message = message.and_then(Value::as_str).map_or("", str::trim);
    let message = match message {
        "" => ".",
        message => arena.format(format_args!(": {message}")),
    };
    sink.report(
        Diagnostic::new(Code::FailedValidation, label)
            .with_arguments(&[variable.name, message])
            .with_related(condition.label(), "by this condition"),
    );
}
