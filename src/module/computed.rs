//! Checks computed values before anything has a value: types that do not fit, and invalid calls.
//!
//! An expression is evaluated in a scope where everything is unknown, but has its type if that is
//! known ([`roots`]): variables with a type, local values, `count.index`, `each.key`, `path` and
//! `terraform`, and with [`Shapes`] also resources and module calls. So errors that depend on
//! values are not reported.

use std::sync::OnceLock;

use super::functions::Known;
use super::roots::Defaults;
use super::shapes::Shapes;
use super::site::{Site, Wanted};
use super::{Module, roots};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Severity, Sink};
use crate::dialect::Dialect;
use crate::evaluate::{Budget, InScope, Meter, Scope, without_limits};
use crate::expression::{Expression, is_identifier};
use crate::hash::{HashMap, HashSet};
use crate::value::{Marks, Type, Value, convert_briefly, sort_by_name};

/// Evaluations in one module. The scope is made when it is first needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Computed<'a> {
    scope: OnceLock<Names<'a>>,
    /// Whether there may be declarations in files that were not read.
    withholds: bool,
    /// The variables that have the values of their defaults.
    defaults: Defaults,
    /// Variables with other values.
    given: HashMap<&'a str, Value<'a>>,
    shapes: Shapes<'a>,
}

#[derive(Clone, Debug)]
struct Names<'a> {
    roots: Vec<(&'a str, Value<'a>)>,
    providers: HashSet<&'a str>,
    /// An element of a `dynamic` block.
    element: Value<'a>,
}

impl<'a> Computed<'a> {
    pub(crate) fn new(withholds: bool) -> Self {
        Self { withholds, ..Self::default() }
    }

    /// Variables that may be known before anything else have the values of their defaults.
    pub(crate) fn of_defaults(withholds: bool) -> Self {
        Self { defaults: Defaults::Early, ..Self::new(withholds) }
    }

    /// Likewise, and some of these variables have other values.
    pub(super) fn of_values(withholds: bool, given: HashMap<&'a str, Value<'a>>) -> Self {
        Self { given, ..Self::of_defaults(withholds) }
    }

    /// All variables have the values of their defaults.
    #[cfg(feature = "rules")]
    pub(crate) fn of_all_defaults(withholds: bool) -> Self {
        Self { defaults: Defaults::All, ..Self::new(withholds) }
    }

    /// Uses the types of resources and module calls, except with `withholds`.
    pub(crate) fn with_shapes(withholds: bool, shapes: Shapes<'a>) -> Self {
        Self { shapes, ..Self::new(withholds) }
    }

    pub(crate) fn shapes(&self) -> &Shapes<'a> {
        &self.shapes
    }

    /// The value of an expression, unknown where it depends on anything. `iterators` are the names
    /// that `dynamic` blocks define. Syntax errors of its templates, which a visit of its references
    /// has found, are not reported, and no program is kept: few expressions are evaluated twice.
    ///
    /// Cost: linear in the expression, plus once in the declarations of the module.
    pub(crate) fn value(
        &self,
        module: &Module<'a>,
        value: Expression<'a>,
        iterators: &[&'a str],
        sink: &mut dyn Sink<'a>,
    ) -> Value<'a> {
        let inner = self.elements(module, value, iterators).collect();
        self.evaluate((module, value), true, inner, sink)
    }

    /// The value of an expression of this site, where `self` has its type.
    pub(crate) fn value_at(
        &self,
        module: &Module<'a>,
        value: Expression<'a>,
        site: &Site<'_, 'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Value<'a> {
        let mut inner = vec![("self", self.shapes.of_self(site))];
        inner.extend(self.elements(module, value, site.iterators));
        self.value_in(module, value, inner, sink)
    }

    /// The names that exist only around an expression, each with its value.
    fn elements<'n>(
        &self,
        module: &Module<'a>,
        value: Expression<'a>,
        names: &'n [&'a str],
    ) -> impl Iterator<Item = (&'a str, Value<'a>)> + use<'n, 'a> {
        let element = match names {
            [] => Value::dynamic(),
            _ => self.names(module, value.source().arena()).element,
        };
        names.iter().map(move |&name| match is_element(name) {
            true => (name, element),
            false => (name, Value::dynamic()),
        })
    }

    /// The value of an expression in a root module, whose directory paths start from.
    pub(super) fn value_of_root(
        &self,
        module: &Module<'a>,
        value: Expression<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Value<'a> {
        let arena = value.source().arena();
        let here = Value::string(arena, ".");
        let cwd = Value::unknown(Type::String);
        let path = Value::object(arena, &[("cwd", cwd), ("module", here), ("root", here)]);
        self.value_in(module, value, vec![("path", path)], sink)
    }

    /// The value of an expression in which some names have another meaning than in the module.
    pub(crate) fn value_in(
        &self,
        module: &Module<'a>,
        value: Expression<'a>,
        inner: Vec<(&'a str, Value<'a>)>,
        sink: &mut dyn Sink<'a>,
    ) -> Value<'a> {
        self.evaluate((module, value), false, inner, sink)
    }

    /// The value of a root of references, such as `local`.
    pub(crate) fn root(
        &self,
        module: &Module<'a>,
        arena: &'a Arena,
        name: &str,
    ) -> Option<Value<'a>> {
        let roots = &self.names(module, arena).roots;
        let found = roots.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        Some(roots[found].1)
    }

    fn names(&self, module: &Module<'a>, arena: &'a Arena) -> &Names<'a> {
        let withholds = self.withholds;
        self.scope.get_or_init(|| {
            let providers: HashSet<_> = module.required_providers().map(|each| each.name).collect();
            let has_provider = |name: &str| withholds || providers.contains(name);
            let described = Some(&self.shapes.functions);
            let known = Known { dialect: module.dialect, has_provider: &has_provider, described };
            let shapes = Some(&self.shapes).filter(|_| !withholds);
            let values = (self.defaults, &self.given);
            let roots = roots::of(module, shapes, values, &known, arena);
            let element = Value::object(arena, &ELEMENT.map(|name| (name, Value::dynamic())));
            Names { roots, providers, element }
        })
    }

    fn evaluate(
        &self,
        (module, value): (&Module<'a>, Expression<'a>),
        is_transient: bool,
        mut inner: Vec<(&'a str, Value<'a>)>,
        sink: &mut dyn Sink<'a>,
    ) -> Value<'a> {
        let withholds = self.withholds;
        let names = self.names(module, value.source().arena());
        let has_provider = |name: &str| withholds || names.providers.contains(name);
        let described = Some(&self.shapes.functions);
        let known = Known { dialect: module.dialect, has_provider: &has_provider, described };
        let scope = Scope::new()
            .with_variables(&names.roots)
            .with_functions(&known)
            .with_short_circuits()
            .with_budget(Budget::of_length(value.span().len()));
        sort_by_name(&mut inner);
        inner.dedup_by_key(|(name, _)| *name);
        let around = scope;
        let scope = Scope::new().with_parent(&around).with_variables(&inner);
        let scope = if inner.is_empty() { &around } else { &scope };
        let (arena, meter) = (value.source().arena(), Meter::new(scope.budget()));
        let names = InScope { scope, objects: None };
        value.value_in(arena, is_transient, names, &meter, &mut without_limits(sink))
    }
}

/// Whether a name that exists only around an expression is that of an element of a `dynamic` block, not
/// of the caller of an action, or of the key providers of an encryption.
pub(super) fn is_element(name: &str) -> bool {
    !matches!(name, "caller" | "key_provider")
}

/// The attributes of an element of a `dynamic` block.
pub(super) const ELEMENT: [&str; 2] = ["key", "value"];

/// The value of an expression apart from its module. `roots` are all that references can start with,
/// sorted by name; `len` is the number of bytes that the expression takes in its file.
pub(crate) fn value_apart<'a>(
    (value, len): (Expression<'a>, u32),
    roots: &[(&'a str, Value<'a>)],
    dialect: Dialect,
    has_provider: &(dyn Fn(&str) -> bool + Sync),
    sink: &mut dyn Sink<'a>,
) -> Value<'a> {
    let known = Known { dialect, has_provider, described: None };
    let scope = Scope::new()
        .with_variables(roots)
        .with_functions(&known)
        .with_short_circuits()
        .with_budget(Budget::of_length(len));
    let (arena, meter) = (value.source().arena(), Meter::new(scope.budget()));
    let names = InScope { scope: &scope, objects: None };
    value.value_in(arena, false, names, &meter, &mut without_limits(sink))
}

/// Reports a value that an argument does not accept.
pub(crate) fn check<'a>(
    value: Value<'a>,
    expression: Expression<'a>,
    wanted: Wanted,
    dialect: Dialect,
    sink: &mut dyn Sink<'a>,
) {
    if let Some((code, arguments)) = wrong(value, expression, wanted) {
        let diagnostic = Diagnostic::new(code, expression.start_label());
        let meant = template_of(value, expression);
        // Terraform refuses an empty identifier. OpenTofu accepts it, and no provider finds an object by it.
        let is_empty_identifier = wanted == Wanted::Identifier && value.as_str() == Some("");
        let diagnostic = diagnostic.with_arguments(&arguments).with_suggestion(meant);
        sink.report(match dialect {
            Dialect::OpenTofu if is_empty_identifier => diagnostic.with_severity(Severity::Warning),
            _ => diagnostic,
        });
    } else if let Some((name, kind)) = secret(value.marks(), wanted) {
        sink.report(
            Diagnostic::new(Code::SecretInstances, expression.start_label())
                .with_arguments(&[name, kind]),
        );
    }
}

/// If the argument decides which instances exist, and its value is a secret: its name, and the kind
/// of secret. Keys of instances are part of addresses, which are shown and stored in the state.
fn secret(marks: Marks, wanted: Wanted) -> Option<(&'static str, &'static str)> {
    let name = match wanted {
        Wanted::Count => "count",
        Wanted::Each => "for_each",
        Wanted::Enabled => "enabled",
        _ => return None,
    };
    // The number of instances is not a secret.
    if wanted != Wanted::Count && marks.contains(Marks::SENSITIVE) {
        return Some((name, "sensitive"));
    }
    marks.contains(Marks::EPHEMERAL).then_some((name, "ephemeral"))
}

/// The template that was probably meant by a reference written as plain text: `${var.x}` for
/// `var.x`.
fn template_of<'a>(value: Value<'a>, expression: Expression<'a>) -> Option<&'a str> {
    let text = expression.to_str().filter(|text| value.as_str() == Some(text))?;
    let (root, rest) = text.split_once('.')?;
    let is_reference = matches!(root, "var" | "local" | "module" | "data" | "each" | "count")
        && rest.split('.').all(|step| is_identifier(step.split('[').next().unwrap_or_default()));
    is_reference.then(|| expression.source().arena().format(format_args!("${{{text}}}")))
}

fn wrong<'a>(
    value: Value<'a>,
    expression: Expression<'a>,
    wanted: Wanted,
) -> Option<(Code, Vec<&'a str>)> {
    let (name, code, what) = match wanted {
        Wanted::Any | Wanted::ValidationMessage => return None,
        Wanted::Count => ("count", Code::CountValue, "a number"),
        Wanted::Enabled => ("enabled", Code::EnabledValue, "true or false"),
        Wanted::Guard if value.is_null() => return None,
        Wanted::Guard => ("prevent_destroy", Code::EnabledValue, "true or false"),
        Wanted::Each => ("for_each", Code::ForEachValue, "a map, an object or a set of strings"),
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
        let given = expression.source().arena().format(format_args!("{}", given.with_article()));
        Some((code, vec![name, what, given]))
    };
    let ty = match wanted {
        Wanted::Each => {
            return match given {
                Type::Map(_) | Type::Object(_) | Type::Dynamic => None,
                Type::Set(_)
                    if value.is_known() && value.elements().iter().any(|it| it.is_null()) =>
                {
                    Some((code, vec![name, what, "a set with null in it"]))
                }
                // The tools check the elements only if there are some.
                Type::Set(_) if !value.is_known() || value.elements().is_empty() => None,
                Type::Set(element) if matches!(element.ty(), Type::String | Type::Dynamic) => None,
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
        Wanted::Enabled | Wanted::Guard => Type::Bool,
        _ => Type::String,
    };
    let Ok(converted) = convert_briefly(expression.source().arena(), value, ty) else {
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
        Wanted::Count => ("a whole number of at least 0", "another number"),
        _ => ("a string", "an empty one"),
    };
    is_wrong.then(|| (code, vec![name, what, given]))
}

/// Makes an error in the message of a validation a warning: the tools then show the message as
/// written.
pub(super) fn softened(diagnostic: Diagnostic<'_>, wanted: Wanted) -> Diagnostic<'_> {
    match wanted {
        Wanted::ValidationMessage => diagnostic.with_severity(Severity::Warning),
        _ => diagnostic,
    }
}
