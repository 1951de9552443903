//! The interface of a module: everything that its callers see.

use std::sync::Arc;

use super::providers::{ConfigName, Providers};
use super::sorted::Sorted;
use super::wording::Wording;
use crate::arena::Arena;
use crate::dialect::Dialect;
use crate::expression::{Expression, TypeConstraint};
use crate::hash::HashMap;
use crate::module::{Condition, Module, Output, ProviderConfigName, Uses, Variable};
use crate::native::StepKind;
use crate::reference::{Mode, ResourceName};
use crate::value::{Marks, PackedType, PackedValue, Value, normalized};

/// All that a caller of a module may see: its variables and outputs, its requirements of providers,
/// and the resources that addresses of the caller may name. Owned and comparable, without places: a
/// change inside of the module that leaves it equal concerns no caller.
///
/// Checks between modules read nothing else of a called module, except the places that diagnostics
/// point to.
///
/// ```
/// use simd_hcl::dialect::{Dialect, List};
/// use simd_hcl::facts::Interface;
/// use simd_hcl::module::Module;
/// use simd_hcl::{Arena, ParsedFile, Source};
///
/// let interface = |text: &str| {
///     let arena = Arena::new();
///     let source = Source::copy_from(&arena, "main.tf", text.as_bytes()).unwrap();
///     let file = ParsedFile::native(&arena, source);
///     let module = Module::read(Dialect::OpenTofu, [(List::Primary, file)], false, &mut ());
///     Interface::of(&module, &module.analyse(&arena, false, &mut ()), false)
/// };
/// let one = interface("variable \"size\" {\n  type = number\n}\n");
/// let moved = interface("# Moved.\nlocals {}\nvariable \"size\" { type = number }\n");
/// let other = interface("variable \"size\" {\n  type = string\n}\n");
/// assert!(one == moved && one != other);
/// assert!(one.variable("size").is_some_and(|size| size.is_required()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Interface {
    dialect: Dialect,
    withholds: bool,
    variables: Box<[VariableFacts]>,
    variables_sorted: Sorted,
    outputs: Box<[OutputFacts]>,
    outputs_sorted: Sorted,
    providers: Arc<Providers>,
    resources: Box<[(Box<str>, Box<str>)]>,
    needs: Option<Needs>,
}

/// A variable, as callers see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VariableFacts {
    name: Box<str>,
    ty: Option<PackedType>,
    /// The type whose attributes have defaults, as written.
    defaults: Option<Wording>,
    is_required: bool,
    nullable: Option<bool>,
    sensitive: Option<bool>,
    ephemeral: Option<bool>,
    is_const: bool,
    deprecated: Option<Box<str>>,
    validations: Box<[ValidationFacts]>,
    /// The default, if there are validations.
    default: Option<PackedValue>,
}

/// A validation of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ValidationFacts {
    /// Its index among the validations of the variable.
    pub(super) place: u32,
    pub(super) condition: Wording,
    pub(super) message: Option<Wording>,
    /// The values that it uses besides variables, by their roots.
    pub(super) known: Box<[(Box<str>, PackedValue)]>,
}

/// An output, as callers see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OutputFacts {
    name: Box<str>,
    ty: Option<PackedType>,
    sensitive: Option<bool>,
    ephemeral: Option<bool>,
    deprecated: Option<Box<str>>,
}

/// An input of a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Input {
    /// The variable with this index among [`Interface::variables`].
    Variable(u32),
    /// A provider configuration that the module does not declare.
    Provider(ConfigName),
}

/// The inputs that a module needs from each call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Needs {
    /// The inputs that anything in the module needs.
    pub(crate) all: Box<[Input]>,
    /// For each output, the places in `all` of the inputs that it needs. Empty if there would be too
    /// many.
    pub(crate) outputs: Box<[Box<[u32]>]>,
}

impl Interface {
    /// The interface of a module. With `withholds`, a file that was not read may declare more.
    ///
    /// Cost: linear in the variables, outputs and resources. Values that validations use besides
    /// variables are evaluated.
    #[must_use]
    pub fn of<'a>(module: &Module<'a>, uses: &Uses<'a>, withholds: bool) -> Self {
        let variables: Box<[VariableFacts]> =
            module.variables.iter().map(|it| VariableFacts::of(it, module, uses)).collect();
        let outputs: Box<[OutputFacts]> = module.outputs.iter().map(OutputFacts::of).collect();
        let managed = module.resources.iter().filter(|it| it.mode == Mode::Managed);
        let names = managed.map(|it| (it.address().resource_type.into(), it.address().name.into()));
        let mut resources: Vec<(Box<str>, Box<str>)> = names.collect();
        resources.sort_unstable();
        Self {
            dialect: module.dialect,
            withholds,
            variables_sorted: Sorted::of(&variables, |one, other| one.name.cmp(&other.name)),
            variables,
            outputs_sorted: Sorted::of(&outputs, |one, other| one.name.cmp(&other.name)),
            outputs,
            providers: Arc::new(Providers::of(module, uses)),
            resources: resources.into(),
            needs: None,
        }
    }

    /// The tool whose rules the module follows.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether a file that was not read may declare more.
    #[must_use]
    pub fn withholds(&self) -> bool {
        self.withholds
    }

    /// The variables, in order.
    #[must_use]
    pub fn variables(&self) -> &[VariableFacts] {
        &self.variables
    }

    /// The variable of a name.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&VariableFacts> {
        self.variables.get(self.variable_place(name)?)
    }

    /// The index of a variable among all.
    pub(crate) fn variable_place(&self, name: &str) -> Option<usize> {
        self.variables_sorted.find(&self.variables, |it| (*it.name).cmp(name))
    }

    /// The outputs, in order.
    #[must_use]
    pub fn outputs(&self) -> &[OutputFacts] {
        &self.outputs
    }

    /// The output of a name.
    #[must_use]
    pub fn output(&self, name: &str) -> Option<&OutputFacts> {
        self.outputs.get(self.output_place(name)?)
    }

    fn output_place(&self, name: &str) -> Option<usize> {
        self.outputs_sorted.find(&self.outputs, |it| (*it.name).cmp(name))
    }

    /// The provider requirements and configurations of the module.
    #[must_use]
    pub fn providers(&self) -> &Arc<Providers> {
        &self.providers
    }

    /// Whether the module declares a managed resource.
    #[must_use]
    pub fn declares(&self, resource: ResourceName<'_>) -> bool {
        let wanted = (resource.resource_type, resource.name);
        let is_it = |it: &(Box<str>, Box<str>)| (&*it.0, &*it.1).cmp(&wanted);
        resource.mode == Mode::Managed && self.resources.binary_search_by(is_it).is_ok()
    }

    /// The inputs that the module needs, once the modules that it calls are known.
    #[must_use]
    pub fn needs(&self) -> Option<&Needs> {
        self.needs.as_ref()
    }

    /// The inputs that an output needs: of all its calls, an output depends on these alone.
    pub fn needed_by<'i>(&'i self, output: &str) -> impl Iterator<Item = &'i Input> {
        let places = self.needs.as_ref().map_or(&[][..], |needs| needs.of_output(self, output));
        let all = self.needs.as_ref().map_or(&[][..], |needs| &needs.all);
        places.iter().filter_map(|place| all.get(*place as usize))
    }

    pub(crate) fn set_needs(&mut self, needs: Needs) {
        self.needs = Some(needs);
    }
}

impl VariableFacts {
    fn of<'a>(variable: &Variable<'a>, module: &Module<'a>, uses: &Uses<'a>) -> Self {
        let constraint = variable.constraint;
        let has_defaults = constraint.is_some_and(|it| !it.defaults.is_empty());
        let written = variable.written_defaults.filter(|_| has_defaults);
        let validations: Box<[ValidationFacts]> = variable
            .validations
            .iter()
            .zip(0..)
            .filter_map(|(it, place)| ValidationFacts::of((place, *it), module, uses))
            .collect();
        let default = match validations.is_empty() {
            true => None,
            false => variable.default_value(&mut ()).and_then(Result::ok),
        };
        Self {
            name: variable.name.into(),
            ty: constraint.and_then(|constraint| constraint.ty.pack()),
            defaults: written.and_then(Wording::of_type),
            is_required: variable.is_required(),
            nullable: variable.nullable,
            sensitive: variable.sensitive,
            ephemeral: variable.ephemeral,
            is_const: variable.is_const == Some(true),
            deprecated: variable.deprecated.map(Into::into),
            validations,
            default: default.and_then(Value::pack),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a call must set it.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.is_required
    }

    /// Whether its value must be known before modules are installed.
    #[must_use]
    pub fn is_const(&self) -> bool {
        self.is_const
    }

    /// Whether it has a type.
    #[must_use]
    pub fn has_type(&self) -> bool {
        self.ty.is_some()
    }

    /// Whether null is a valid value; `None` means yes.
    #[must_use]
    pub fn nullable(&self) -> Option<bool> {
        self.nullable
    }

    /// Whether its values are not stored.
    #[must_use]
    pub fn is_ephemeral(&self) -> bool {
        self.ephemeral == Some(true)
    }

    /// The marks of its values.
    #[must_use]
    pub const fn marks(&self) -> Marks {
        Marks::declared(self.sensitive, self.ephemeral)
    }

    /// Why it should no longer be set (OpenTofu).
    #[must_use]
    pub fn deprecated(&self) -> Option<&str> {
        self.deprecated.as_deref()
    }

    /// Its validations.
    #[must_use]
    pub fn validations(&self) -> &[ValidationFacts] {
        &self.validations
    }

    /// Its type, with the defaults of attributes, in an arena.
    pub(super) fn open_type<'a>(&self, arena: &'a Arena) -> Option<TypeConstraint<'a>> {
        let ty = self.ty.as_ref()?.open(arena)?;
        let defaults = self.defaults.as_ref().and_then(|written| written.open(arena));
        let defaults = defaults.and_then(|written| written.type_constraint(&mut ()));
        let defaults = defaults.map(|it| it.defaults).unwrap_or_default();
        Some(TypeConstraint { ty, defaults })
    }

    /// Its default, in an arena; known only if it has validations.
    pub(super) fn open_default<'a>(&self, arena: &'a Arena) -> Option<Value<'a>> {
        self.default.as_ref()?.open(arena)
    }
}

impl ValidationFacts {
    fn of<'a>(
        (place, validation): (u32, Condition<'a>),
        module: &Module<'a>,
        uses: &Uses<'a>,
    ) -> Option<Self> {
        let condition = validation.condition?;
        let mut used: HashMap<&'a str, Used<'a>> = HashMap::default();
        for expression in std::iter::once(condition).chain(validation.error_message) {
            gather(expression, module, uses, &mut used);
        }
        let mut used: Vec<_> = used.into_iter().collect();
        used.sort_unstable_by_key(|(name, _)| *name);
        let arena = condition.source().arena();
        let packed = used.into_iter().filter_map(|(name, used)| {
            // A value that is too large is not known.
            let packed = used.value(arena).pack().or_else(|| Value::dynamic().pack());
            packed.map(|packed| (name.into(), packed))
        });
        Some(Self {
            place,
            condition: Wording::of(condition)?,
            message: validation.error_message.and_then(Wording::of),
            known: packed.collect(),
        })
    }
}

/// The part of a root that a validation uses.
enum Used<'a> {
    Whole(Value<'a>),
    /// Attributes, and the marks of the whole.
    Parts(Vec<(&'a str, Value<'a>)>, Marks),
}

impl<'a> Used<'a> {
    fn value(&self, arena: &'a Arena) -> Value<'a> {
        match self {
            Self::Whole(value) => *value,
            Self::Parts(parts, marks) => Value::object(arena, parts).with_marks(*marks),
        }
    }
}

/// Finds the values that an expression uses besides variables: the named attributes of each root.
/// Cost: linear in the references.
fn gather<'a>(
    expression: Expression<'a>,
    module: &Module<'a>,
    uses: &Uses<'a>,
    used: &mut HashMap<&'a str, Used<'a>>,
) {
    let arena = expression.source().arena();
    for traversal in expression.variables().filter(|it| it.root_name() != "var") {
        let root = traversal.root_name();
        let Some(whole) = uses.computed.root(module, arena, root) else { continue };
        let attribute = match traversal.steps().get(1).map(|step| step.kind) {
            Some(StepKind::Attribute(name)) if whole.as_entries().is_some() => name,
            _ => {
                used.insert(root, Used::Whole(whole));
                continue;
            }
        };
        let own = normalized(arena, attribute);
        let of_root = used.entry(root).or_insert(Used::Parts(Vec::new(), whole.marks()));
        if let Used::Parts(parts, _) = of_root {
            parts.extend(whole.get(own).map(|value| (own, value)));
        }
    }
}

impl OutputFacts {
    fn of(output: &Output<'_>) -> Self {
        Self {
            name: output.name.into(),
            ty: output.constraint.and_then(|constraint| constraint.ty.pack()),
            sensitive: output.sensitive,
            ephemeral: output.ephemeral,
            deprecated: output.deprecated.map(Into::into),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it has a type (Terraform).
    #[must_use]
    pub fn has_type(&self) -> bool {
        self.ty.is_some()
    }

    /// The marks of its value.
    #[must_use]
    pub const fn marks(&self) -> Marks {
        Marks::declared(self.sensitive, self.ephemeral)
    }

    /// Why it should no longer be used (OpenTofu).
    #[must_use]
    pub fn deprecated(&self) -> Option<&str> {
        self.deprecated.as_deref()
    }

    /// Its type in an arena, without optional attributes.
    pub(super) fn open_type<'a>(&self, arena: &'a Arena) -> Option<crate::value::Type<'a>> {
        Some(self.ty.as_ref()?.open(arena)?.without_optional_attributes(arena))
    }
}

impl Needs {
    /// The places in `all` of the inputs that an output needs.
    pub(crate) fn of_output(&self, interface: &Interface, output: &str) -> &[u32] {
        let place = interface.output_place(output);
        place.and_then(|place| self.outputs.get(place)).map_or(&[], |places| places)
    }
}

impl Input {
    /// A provider configuration.
    pub(crate) fn provider(name: ProviderConfigName<'_>) -> Self {
        Self::Provider(name.into())
    }
}
