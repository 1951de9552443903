//! What can be said of a computed value before anything has one: types that do not fit, calls that are none.
//!
//! An expression is evaluated in a scope in which everything is unknown, but for its type where that is known: of
//! variables with a type, of local values that are written out, of `count.index`, `each.key`, `path` and `terraform`. So
//! nothing is reported that would depend on values.

use super::Module;
use super::functions::Known;
use super::site::Wanted;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::Dialect;
use crate::evaluate::{Budget, Scope};
use crate::expression::{Expression, Seen, is_identifier};
use crate::hash::HashSet;
use crate::reference::Mode;
use crate::value::{Type, Value, convert};

/// The steps and bytes that one such evaluation may take.
const BUDGET: Budget = Budget::new(100_000, 16 << 20);

/// Local values that are longer, in bytes, are not looked at.
const LONGEST_LOCAL: u32 = 4096;

/// Evaluations in one module. The scope is made when it is first needed.
pub(super) struct Computed<'a> {
    arena: &'a Arena,
    roots: Option<Vec<(&'a str, Value<'a>)>>,
    providers: HashSet<&'a str>,
    /// Whether there may be more declarations than are known.
    withholds: bool,
}

impl<'a> Computed<'a> {
    pub(super) fn new(arena: &'a Arena, withholds: bool) -> Self {
        Self { arena, roots: None, providers: HashSet::default(), withholds }
    }

    /// The arena that values live in.
    pub(super) fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// The value of an expression, unknown as far as it depends on anything. `iterators` are names that `dynamic`
    /// blocks bring in.
    ///
    /// Cost: linear in the expression, and once in the declarations of the module.
    pub(super) fn value(
        &mut self,
        module: &Module<'a>,
        value: Expression<'a>,
        iterators: &[&'a str],
        sink: &mut dyn Sink<'a>,
    ) -> Value<'a> {
        if self.roots.is_none() {
            self.roots = Some(roots(module, self.withholds, self.arena));
            self.providers = module.required_providers().map(|each| each.name).collect();
        }
        let providers = &self.providers;
        let withholds = self.withholds;
        let has_provider = |name: &str| withholds || providers.contains(name);
        let known = Known { dialect: module.dialect, has_provider: &has_provider };
        let scope = Scope::new()
            .with_variables(self.roots.as_deref().unwrap_or_default())
            .with_functions(&known)
            .with_short_circuits()
            .with_budget(BUDGET);
        let mut names: Vec<_> = iterators.iter().map(|name| (*name, Value::dynamic())).collect();
        names.sort_unstable_by_key(|(name, _)| *name);
        names.dedup_by_key(|(name, _)| *name);
        let inner = Scope::new().with_parent(&scope).with_variables(&names);
        let scope = if names.is_empty() { &scope } else { &inner };
        value.value(scope, &mut |diagnostic: Diagnostic<'a>| {
            if !matches!(diagnostic.code(), Code::EvaluationTooLong | Code::EvaluationTooLarge) {
                sink.report(diagnostic);
            }
        })
    }

    /// Reports a value that is not what an argument must be.
    pub(super) fn check(
        &self,
        value: Value<'a>,
        expression: Expression<'a>,
        wanted: Wanted,
        sink: &mut dyn Sink<'a>,
    ) {
        if let Some((code, arguments)) = self.wrong(value, wanted) {
            let diagnostic = Diagnostic::new(code, expression.start_label());
            let meant = self.template_of(value, expression);
            sink.report(diagnostic.with_arguments(&arguments).with_suggestion(meant));
        }
    }

    /// The template that was meant where a reference stands as mere text: `${var.x}` for `var.x`.
    fn template_of(&self, value: Value<'a>, expression: Expression<'a>) -> Option<&'a str> {
        let text = expression.node().to_str().filter(|text| value.as_str() == Some(text))?;
        let (root, rest) = text.split_once('.')?;
        let is_reference = matches!(root, "var" | "local" | "module" | "data" | "each" | "count")
            && rest
                .split('.')
                .all(|step| is_identifier(step.split('[').next().unwrap_or_default()));
        is_reference.then(|| self.arena.format(format_args!("${{{text}}}")))
    }

    fn wrong(&self, value: Value<'a>, wanted: Wanted) -> Option<(Code, Vec<&'a str>)> {
        let (name, code, what) = match wanted {
            Wanted::Any | Wanted::ValidationMessage => return None,
            Wanted::Count => ("count", Code::CountValue, "a number"),
            Wanted::Each => {
                ("for_each", Code::ForEachValue, "a map, an object or a set of strings")
            }
            Wanted::Collection => ("for_each", Code::ForEachValue, "a collection"),
            Wanted::Identifier => ("id", Code::ImportIdentifier, "a string"),
            Wanted::Identity => ("identity", Code::ImportIdentifier, "an object"),
            Wanted::Message => ("error_message", Code::MessageValue, "a string"),
        };
        if value.is_null() {
            return Some((code, vec![name, what, "null"]));
        }
        let given = value.ty();
        let unsuitable = || {
            let given = self.arena.format(format_args!("{}", given.friendly_name()));
            Some((code, vec![name, what, given]))
        };
        let ty = match wanted {
            Wanted::Each => {
                return match given {
                    Type::Map(_) | Type::Object(_) | Type::Dynamic => None,
                    Type::Set(Type::String | Type::Dynamic) => None,
                    // The tools look at the elements, once there are some.
                    Type::Set(_) if !value.is_known() || value.elements().is_empty() => None,
                    _ => unsuitable(),
                };
            }
            Wanted::Collection => {
                return match given {
                    Type::Bool | Type::Number | Type::String => unsuitable(),
                    _ => None,
                };
            }
            Wanted::Identity => {
                return match given {
                    Type::Object(_) | Type::Map(_) | Type::Dynamic => None,
                    _ => unsuitable(),
                };
            }
            Wanted::Count => Type::Number,
            _ => Type::String,
        };
        let Ok(converted) = convert(self.arena, value, ty) else {
            return unsuitable();
        };
        let is_wrong = match wanted {
            Wanted::Count => converted
                .as_number()
                .is_some_and(|number| number.as_i64().is_none_or(|number| number < 0)),
            Wanted::Identifier => converted.as_str() == Some(""),
            _ => false,
        };
        let (what, given) = match wanted {
            Wanted::Count => ("a whole number that is not negative", "another number"),
            _ => ("a string", "an empty one"),
        };
        is_wrong.then(|| (code, vec![name, what, given]))
    }
}

/// Everything that a reference of the module can start with, sorted by name.
fn roots<'a>(module: &Module<'a>, withholds: bool, arena: &'a Arena) -> Vec<(&'a str, Value<'a>)> {
    let text = Value::unknown(Type::String);
    let variables: Vec<_> = module
        .variables
        .iter()
        .map(|variable| {
            let ty = variable.constraint.map_or(Type::Dynamic, |constraint| {
                constraint.ty.without_optional_attributes(arena)
            });
            (variable.name, Value::unknown(ty))
        })
        .collect();
    // What a local value is worth is known if it is nothing but text and numbers, and it is looked at if it is short.
    let locals: Vec<_> = module
        .locals
        .iter()
        .map(|local| {
            let value = local.value();
            let mut is_fixed = value.span().len() < LONGEST_LOCAL;
            if is_fixed {
                value.visit_variables(|seen| {
                    is_fixed &= matches!(seen, Seen::Template(program) if !program.is_computed());
                });
            }
            let fixed = is_fixed.then(|| value.value(&Scope::new(), &mut ()));
            (local.name, fixed.unwrap_or_else(Value::dynamic))
        })
        .collect();
    let tool = [("applying", Value::unknown(Type::Bool)), ("workspace", text)];
    let tool = Value::object(arena, &tool);
    let mut roots = vec![
        ("count", Value::object(arena, &[("index", Value::unknown(Type::Number))])),
        ("data", Value::dynamic()),
        ("each", Value::object(arena, &[("key", text), ("value", Value::dynamic())])),
        ("ephemeral", Value::dynamic()),
        ("local", if withholds { Value::dynamic() } else { Value::object(arena, &locals) }),
        ("module", Value::dynamic()),
        ("path", Value::object(arena, &[("cwd", text), ("module", text), ("root", text)])),
        ("resource", Value::dynamic()),
        ("self", Value::dynamic()),
        ("terraform", tool),
        ("var", if withholds { Value::dynamic() } else { Value::object(arena, &variables) }),
    ];
    if module.dialect != Dialect::Terraform {
        roots.push(("tofu", tool));
    }
    let managed = module.resources.iter().map(|resource| resource.address);
    let types = managed.filter(|address| address.mode == Mode::Managed);
    roots.extend(types.map(|address| (address.resource_type, Value::dynamic())));
    roots.sort_by_key(|(name, _)| *name);
    // Of equal names the first is that of the language.
    roots.dedup_by_key(|(name, _)| *name);
    roots
}
