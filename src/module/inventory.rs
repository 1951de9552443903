//! The inventory of a module's declarations, for serde.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde_core::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

use super::{
    Action, Check, Import, Lifecycle, Local, Module, ModuleCall, Moved, Output, Provider, Removed,
    RequiredProvider, Resource, Variable,
};
use crate::body::{Attribute, Block};
use crate::diagnostic::Label;
use crate::document::Document;
use crate::expression::Expression;
use crate::hidden::{Hidden, shown_type};
use crate::report::Range;
use crate::serde::object::{Entry, Object, Of, Text, Values, WithSensitive};
use crate::source::Source;
use crate::write::{Layout, to_string};

/// The inventory of a module's declarations, for serde: an object with the typed lists that
/// `simd-hcl inspect --format json` prints for each module, as specified in
/// `docs/schemas/inspect.json`.
///
/// A [`Module`] serializes the same way. Values of arguments are [`Expression`]s.
///
/// ```
/// use simd_hcl::dialect::{Dialect, List};
/// use simd_hcl::module::{Inventory, Module};
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let json = br#"{"variable": {"size": {"default": 3}}, "output": {"x": {"value": "${var.size}"}}}"#;
/// let document = Document::parse_bytes(&arena, "main.tf.json", json)?;
/// let module = Module::read(Dialect::OpenTofu, vec![(List::Primary, document)], true, &mut ());
///
/// let written = serde_json::to_value(Inventory::of(&module))?;
/// assert_eq!(written["variables"][0]["name"], "size");
/// assert_eq!(written["variables"][0]["default"], 3);
/// assert_eq!(written["references"][0]["to"], "var.size");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Inventory<'m, 'a, V = fn(Expression<'a>) -> Expression<'a>, D = Module<'a>> {
    /// The declarations: a module, or a template of Packer.
    declared: &'m D,
    is_shown: Option<&'m dyn Fn(Source<'a>) -> bool>,
    hidden: Option<&'m Hidden>,
    shows_sensitive: bool,
    values: V,
}

/// Declarations that have an inventory.
pub(crate) trait Lists<'a>: Sized {
    /// Writes the lists of an inventory.
    ///
    /// # Errors
    /// Those of the format.
    fn write<V, M: SerializeMap, W: Values<'a>>(
        inventory: &Inventory<'_, 'a, V, Self>,
        to: &mut Object<'_, M, W>,
    ) -> Result<(), M::Error>;
}

impl<'m, 'a, D> Inventory<'m, 'a, fn(Expression<'a>) -> Expression<'a>, D> {
    /// The inventory of all files.
    #[must_use]
    pub fn of(declared: &'m D) -> Self {
        let values = |value| value;
        Self { declared, is_shown: None, hidden: None, shows_sensitive: false, values }
    }
}

impl<'m, V> Inventory<'m, '_, V> {
    /// Also hides defaults of variables because of what called modules declare: see
    /// [`tree::Secrets`](crate::tree::Secrets).
    #[must_use]
    pub fn with_hidden(mut self, hidden: &'m Hidden) -> Self {
        self.hidden = Some(hidden);
        self
    }
}

impl<'m, 'a, V, D> Inventory<'m, 'a, V, D> {
    /// The inventory of some of the files.
    #[must_use]
    pub fn in_files(mut self, is_shown: &'m dyn Fn(Source<'a>) -> bool) -> Self {
        self.is_shown = Some(is_shown);
        self
    }

    /// Whether values that must not be shown are written, too: see [`hidden`](crate::hidden). Otherwise
    /// they are `"(sensitive)"`.
    #[must_use]
    pub fn with_sensitive(mut self, shows: bool) -> Self {
        self.shows_sensitive = shows;
        self
    }

    /// Writes values of arguments by `values`, for example as the raw text of a format.
    #[must_use]
    pub fn with_values<W, R>(self, values: W) -> Inventory<'m, 'a, W, D>
    where
        W: Fn(Expression<'a>) -> R,
        R: Serialize,
    {
        let Self { declared, is_shown, hidden, shows_sensitive, .. } = self;
        Inventory { declared, is_shown, hidden, shows_sensitive, values }
    }

    /// The declarations, and the files whose items are shown.
    pub(crate) fn parts(&self) -> (&'m D, Shown<'m, 'a>) {
        (self.declared, Shown(self.is_shown))
    }

    /// Writes the lists.
    pub(crate) fn write<M: SerializeMap, W: Values<'a>>(
        &self,
        to: &mut Object<'_, M, W>,
    ) -> Result<(), M::Error>
    where
        D: Lists<'a>,
    {
        D::write(self, to)
    }
}

impl<'a, V, R, D> Serialize for Inventory<'_, 'a, V, D>
where
    V: Fn(Expression<'a>) -> R,
    R: Serialize,
    D: Lists<'a>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.shows_sensitive {
            let values = WithSensitive(&self.values);
            let mut object = Object::start(serializer, &values)?;
            self.write(&mut object)?;
            return object.end();
        }
        let mut object = Object::start(serializer, &self.values)?;
        self.write(&mut object)?;
        object.end()
    }
}

/// Serializes the module's [`Inventory`].
impl Serialize for Module<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Inventory::of(self).serialize(serializer)
    }
}

impl<'a> Lists<'a> for Module<'a> {
    fn write<V, M: SerializeMap, W: Values<'a>>(
        inventory: &Inventory<'_, 'a, V>,
        to: &mut Object<'_, M, W>,
    ) -> Result<(), M::Error> {
        let (module, shown) = inventory.parts();
        let hidden = inventory.hidden;
        // New lists of a module must be added here: written, or left out by name.
        let Module {
            dialect: _,
            has_queries: _,
            variables,
            locals,
            outputs,
            providers,
            resources,
            calls,
            actions,
            checks,
            moved,
            removed,
            imports,
            settings,
            override_settings,
            // An edition of the language is not a declaration.
            languages: _,
            // Written with `settings`.
            parts: _,
            merged_encryption: _,
            // They have no effect.
            redeclared: _,
            // The resources are in `checks`.
            scoped: _,
            has_ineffective: _,
        } = module;
        let declared = |variable: &Variable<'a>| {
            let mut declared = Declared::of(variable);
            declared.is_hidden |= hidden.is_some_and(|hidden| hidden.has_variable(variable.name));
            declared
        };
        // Override files replace entries of others.
        let settings = || settings.iter().chain(override_settings);
        let versions = settings().filter_map(|each| each.required_version).map(RequiredVersion);
        to.entries("required_versions", shown.of(versions))?;
        let mut blocks = settings().flat_map(|each| each.blocks);
        let backend = blocks.rfind(|block| block.is("backend") || block.is("cloud")).map(Backend);
        to.entry("backend", backend.filter(|backend| shown.contains(backend)))?;
        to.entries("variables", shown.of(variables.iter().map(declared)))?;
        to.entries("locals", shown.of(locals.iter()))?;
        to.entries("outputs", shown.of(outputs.iter()))?;
        to.entries("providers", shown.of(providers.iter()))?;
        let required = module.required_providers().filter(|each| shown.contains(each));
        write_by_name(to, "required_providers", required.map(|each| (each.name, each)))?;
        let of_checks = checks.iter().filter_map(|check| check.data);
        to.entries("resources", shown.of(resources.iter().chain(of_checks)))?;
        to.entries("module_calls", shown.of(calls.iter()))?;
        to.entries("moved", shown.of(moved.iter()))?;
        to.entries("imports", shown.of(imports.iter()))?;
        to.entries("removed", shown.of(removed.iter()))?;
        to.entries("checks", shown.of(checks.iter()))?;
        let actions = shown.of(actions.iter());
        if actions.clone().next().is_some() {
            to.entries("actions", actions)?;
        }
        to.member("references", References { module, shown })
    }
}

/// The files whose items are shown.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'m, 'a>(pub(crate) Option<&'m dyn Fn(Source<'a>) -> bool>);

impl<'m, 'a> Shown<'m, 'a> {
    pub(crate) fn contains(self, item: &impl Entry<'a>) -> bool {
        self.contains_source(item.label().source)
    }

    fn contains_source(self, source: Source<'a>) -> bool {
        self.0.is_none_or(|is_shown| is_shown(source))
    }

    /// The items whose file is shown.
    pub(crate) fn of<T: Entry<'a>>(
        self,
        items: impl Iterator<Item = T> + Clone,
    ) -> impl Iterator<Item = T> + Clone {
        items.filter(move |item| self.contains(item))
    }
}

pub(crate) fn of_block<'a>(block: Block<'a>) -> Label<'a> {
    Label::new(block.source(), block.span())
}

pub(crate) fn of_attribute<'a>(attribute: Attribute<'a>) -> Label<'a> {
    Label::new(attribute.source(), attribute.span())
}

struct RequiredVersion<'a>(Attribute<'a>);

impl<'a> Entry<'a> for RequiredVersion<'a> {
    fn label(&self) -> Label<'a> {
        of_attribute(self.0)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.value("constraint", Some(in_literal_json(self.0.expression())))
    }
}

/// The backend or cloud block.
struct Backend<'x, 'a>(&'x Block<'a>);

impl<'a> Entry<'a> for Backend<'_, 'a> {
    fn label(&self) -> Label<'a> {
        of_block(*self.0)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("type", self.0.label(0).unwrap_or("cloud"))
    }
}

/// A variable of a module, or of a template of Packer. The latter has no `ephemeral`, `nullable`
/// and `deprecated`.
pub(crate) struct Declared<'a> {
    pub(crate) name: &'a str,
    pub(crate) written_type: Option<Expression<'a>>,
    pub(crate) default: Option<Expression<'a>>,
    pub(crate) is_hidden: bool,
    pub(crate) is_required: bool,
    pub(crate) description: Option<&'a str>,
    pub(crate) sensitive: Option<bool>,
    pub(crate) ephemeral: Option<bool>,
    pub(crate) nullable: Option<bool>,
    pub(crate) deprecated: Option<&'a str>,
    pub(crate) validations: usize,
    pub(crate) label: Label<'a>,
}

impl<'a> Declared<'a> {
    fn of(variable: &Variable<'a>) -> Self {
        Self {
            name: variable.name,
            written_type: variable.written_type,
            default: variable.default,
            is_hidden: variable.marks().hides(),
            is_required: variable.is_required(),
            description: variable.description,
            sensitive: variable.sensitive,
            ephemeral: variable.ephemeral,
            nullable: variable.nullable,
            deprecated: variable.deprecated,
            validations: variable.validations.len(),
            label: of_block(variable.block),
        }
    }
}

/// Returns the value of a native expression that is read literally in JSON as that JSON. An expression
/// that is not constant stays as it is.
fn in_literal_json(value: Expression<'_>) -> Expression<'_> {
    if value.is_json() {
        return value;
    }
    let (source, mut error, mut written) = (value.source(), None, Ok(()));
    let known = value.literal_value(&mut error);
    if error.is_some() || !known.is_wholly_known() {
        return value;
    }
    let text = to_string(Layout::Compact, |slot| written = crate::value::write(known, slot));
    let text = source.arena().str(&text).as_bytes();
    match Document::parse_bytes(source.arena(), source.name(), text) {
        Ok(document) if written.is_ok() => Expression::from_json(document.root()),
        _ => value,
    }
}

impl<'a> Entry<'a> for Declared<'a> {
    fn label(&self) -> Label<'a> {
        self.label
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("name", self.name)?;
        let written_type = match to.shows(self.is_hidden, self.written_type) {
            true => self.written_type,
            false => self.written_type.map(shown_type),
        };
        to.address("type", written_type)?;
        let default = match to.shows(self.is_hidden, self.default) {
            true => self.default.map(in_literal_json),
            false => self.default,
        };
        to.value_unless(self.is_hidden, "default", default)?;
        to.member("required", self.is_required)?;
        to.optional("description", self.description)?;
        to.optional("sensitive", self.sensitive)?;
        to.optional("ephemeral", self.ephemeral)?;
        to.optional("nullable", self.nullable)?;
        to.optional("deprecated", self.deprecated)?;
        to.member("validations", self.validations)
    }
}

impl<'a> Entry<'a> for Local<'a> {
    fn label(&self) -> Label<'a> {
        of_attribute(self.attribute)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("name", self.name)
    }
}

impl<'a> Entry<'a> for Output<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("name", self.name)?;
        to.optional("description", self.description)?;
        to.optional("sensitive", self.sensitive)?;
        to.optional("ephemeral", self.ephemeral)?;
        to.optional("deprecated", self.deprecated)?;
        to.list_unless_empty("depends_on", self.depends_on.iter().map(Text))
    }
}

impl<'a> Entry<'a> for Provider<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("name", self.name)?;
        to.optional("alias", self.alias)?;
        to.optional("version", self.version)
    }
}

impl<'a> Entry<'a> for RequiredProvider<'a> {
    fn label(&self) -> Label<'a> {
        of_attribute(self.attribute)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.optional("source", self.source)?;
        to.optional("version", self.version)?;
        let aliases = self.configuration_aliases.iter().map(Text);
        to.list_unless_empty("configuration_aliases", aliases)
    }
}

/// Writes entries sorted by name. Entries of the same name keep their order.
pub(crate) fn write_by_name<'x, 'a: 'x, M: SerializeMap, V: Values<'a>, T: Entry<'a> + 'x>(
    to: &mut Object<'_, M, V>,
    list: &'static str,
    entries: impl Iterator<Item = (&'x str, T)>,
) -> Result<(), M::Error> {
    let values = to.values();
    let mut by_name: BTreeMap<&str, Vec<Of<'_, 'a, T, V>>> = BTreeMap::new();
    for (name, entry) in entries {
        by_name.entry(name).or_default().push(Of::new(entry, values));
    }
    to.member(list, by_name)
}

impl<'a> Entry<'a> for Resource<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        let address = self.address();
        to.member("address", Text(address))?;
        to.member("mode", address.mode.as_str())?;
        to.member("type", address.resource_type)?;
        to.member("name", address.name)?;
        match self.provider() {
            Some(provider) => to.member("provider", Text(provider))?,
            None => to.member("provider", self.provider_name())?,
        }
        to.value("count", self.count())?;
        to.value("for_each", self.for_each())?;
        to.list_unless_empty("depends_on", self.depends_on().iter().map(Text))?;
        let provisioners = self.provisioners().iter().map(|each| each.provisioner_type);
        to.list_unless_empty("provisioners", provisioners)?;
        to.entry("lifecycle", self.lifecycle())
    }
}

/// Writes expressions as they are in the source.
impl<'a> Entry<'a> for Lifecycle<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        let attributes = self.block.body().just_attributes(&mut ());
        let ignored = attributes.iter().find(|attribute| attribute.name() == "ignore_changes");
        to.optional("create_before_destroy", self.create_before_destroy)?;
        to.value("prevent_destroy", self.prevent_destroy())?;
        to.value("destroy", self.destroy())?;
        to.value("enabled", self.enabled().map(Attribute::expression))?;
        to.address("ignore_changes", ignored.map(|ignored| ignored.expression()))?;
        to.addresses("replace_triggered_by", self.replace_triggered_by())?;
        to.member("preconditions", self.preconditions().len())?;
        to.member("postconditions", self.postconditions().len())
    }
}

impl<'a> Entry<'a> for ModuleCall<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("name", self.name)?;
        to.value("source", self.source.map(Attribute::expression))?;
        to.value("version", self.version.map(Attribute::expression))?;
        to.value("count", self.count)?;
        to.value("for_each", self.for_each)?;
        to.list_unless_empty("depends_on", self.depends_on.iter().map(Text))?;
        // The passed configurations, by their name in the called module.
        let providers: BTreeMap<String, Text<_>> =
            self.providers.iter().map(|pass| (pass.inner.to_string(), Text(pass.outer))).collect();
        to.optional("providers", Some(providers).filter(|providers| !providers.is_empty()))?;
        to.list("arguments", self.arguments.iter().map(|argument| argument.name()))
    }
}

impl<'a> Entry<'a> for Moved<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("from", self.from.map(Text))?;
        to.member("to", self.to.map(Text))
    }
}

impl<'a> Entry<'a> for Import<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        match self.to {
            Some(address) => to.address("to", Some(address))?,
            None => to.member("to", ())?,
        }
        to.value("id", self.id)?;
        to.value("identity", self.identity)?;
        to.value("for_each", self.for_each)
    }
}

impl<'a> Entry<'a> for Removed<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("from", self.from.map(Text))?;
        to.optional("destroy", self.destroy)
    }
}

impl<'a> Entry<'a> for Check<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("name", self.name)?;
        to.optional("data", self.data.map(|data| Text(data.address())))?;
        to.member("assertions", self.assertions.len())
    }
}

impl<'a> Entry<'a> for Action<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("address", Text(self.address))?;
        match self.provider {
            Some(provider) => to.member("provider", Text(provider)),
            None => to.member("provider", self.provider_name()),
        }
    }
}

/// All references, in the order of [`Module::visit_references`].
struct References<'m, 'a> {
    module: &'m Module<'a>,
    shown: Shown<'m, 'a>,
}

impl Serialize for References<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut written = Ok(());
        self.module.visit_references(|object, _, traversal| {
            if written.is_ok() && self.shown.contains_source(traversal.source()) {
                let (to, kind) = self.module.target(traversal);
                let label = Label::new(traversal.source(), traversal.span());
                written = list.serialize_element(&Link {
                    from: Text(object),
                    to,
                    kind,
                    text: Text(traversal),
                    range: Range::of(label.source, label.span),
                });
            }
        });
        written?;
        list.end()
    }
}

/// A reference.
struct Link<F, T> {
    from: Text<F>,
    to: String,
    kind: &'static str,
    text: Text<T>,
    range: Range,
}

impl<F: Display, T: Display> Serialize for Link<F, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Reference", 5)?;
        fields.serialize_field("from", &self.from)?;
        fields.serialize_field("to", &self.to)?;
        fields.serialize_field("kind", self.kind)?;
        fields.serialize_field("text", &self.text)?;
        fields.serialize_field("range", &self.range)?;
        fields.end()
    }
}
