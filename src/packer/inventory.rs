//! The inventory of a template's declarations, for serde.

use serde_core::ser::{Serialize, SerializeMap, Serializer};

use super::{
    Build, BuildSource, Data, Dynamic, Local, Object as Address, ObjectName, PostProcessor,
    PostProcessors, Provisioner, Registry, RequiredPlugin, Settings, Source, Template, Variable,
};
use crate::diagnostic::Label;
use crate::expression::Expression;
use crate::module::inventory::{self, Declared, Lists, of_attribute, of_block, write_by_name};
use crate::serde::object::{Array, Entry, Object, Of, Text, Values};
use crate::span::Span;

/// The inventory of a template's declarations, for serde: an object with the typed lists that
/// `simd-hcl inspect --format json` prints for each template, as specified in
/// `docs/schemas/inspect.json`.
///
/// A [`Template`] serializes the same way. Values of arguments are [`Expression`]s.
pub type Inventory<'m, 'a, V = fn(Expression<'a>) -> Expression<'a>> =
    inventory::Inventory<'m, 'a, V, Template<'a>>;

/// Serializes the template's [`Inventory`].
impl Serialize for Template<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        inventory::Inventory::of(self).serialize(serializer)
    }
}

impl<'a> Lists<'a> for Template<'a> {
    fn write<V, M: SerializeMap, W: Values<'a>>(
        inventory: &Inventory<'_, 'a, V>,
        to: &mut Object<'_, M, W>,
    ) -> Result<(), M::Error> {
        let (template, shown) = inventory.parts();
        // New lists of a template must be added here: written, or left out by name.
        let Template {
            settings,
            variables,
            locals,
            data,
            sources,
            builds,
            registry,
            // Packer skips them.
            others: _,
            // Values, not declarations.
            assignments: _,
            // They are not read.
            legacy: _,
        } = template;
        let versions = settings.iter().filter_map(RequiredVersion::of);
        to.entries("required_versions", shown.of(versions))?;
        let plugins = settings.iter().flat_map(|settings| settings.required_plugins);
        let plugins = shown.of(plugins).map(|each| (each.name, each));
        write_by_name(to, "required_plugins", plugins)?;
        to.entries("variables", shown.of(variables.iter().map(declared)))?;
        to.entries("locals", shown.of(locals.iter()))?;
        to.entries("data", shown.of(data.iter()))?;
        to.entries("sources", shown.of(sources.iter()))?;
        to.entries("builds", shown.of(builds.iter()))?;
        let of_builds = builds.iter().filter_map(|build| build.registry);
        let registries = registry.iter().copied().chain(of_builds);
        to.entries("hcp_packer_registries", shown.of(registries))
    }
}

struct RequiredVersion<'x, 'a> {
    version: &'a str,
    settings: &'x Settings<'a>,
}

impl<'x, 'a> RequiredVersion<'x, 'a> {
    fn of(settings: &'x Settings<'a>) -> Option<Self> {
        settings.required_version.map(|version| Self { version, settings })
    }
}

impl<'a> Entry<'a> for RequiredVersion<'_, 'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.settings.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("version", self.version)
    }
}

impl<'a> Entry<'a> for RequiredPlugin<'a> {
    fn label(&self) -> Label<'a> {
        of_attribute(self.attribute)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.optional("source", self.source)?;
        to.optional("version", self.version)
    }
}

/// The position of an entry of `variables` or `locals`: its name and its value.
fn of_entry<'a>(source: crate::Source<'a>, name: Span, value: Option<Expression<'a>>) -> Label<'a> {
    let end = value.map_or(name.end, |value| value.span().end);
    Label::new(source, Span::new(name.start, end))
}

fn declared<'a>(variable: &Variable<'a>) -> Declared<'a> {
    Declared {
        name: variable.name,
        written_type: variable.written_type,
        default: variable.default,
        is_hidden: variable.marks().hides(),
        is_required: variable.is_required(),
        description: variable.description,
        sensitive: variable.sensitive,
        ephemeral: None,
        nullable: None,
        deprecated: None,
        validations: variable.validations.len(),
        label: match variable.block {
            Some(block) => of_block(block),
            None => of_entry(variable.source(), variable.name_span, variable.default),
        },
    }
}

impl<'a> Entry<'a> for Local<'a> {
    fn label(&self) -> Label<'a> {
        match self.block {
            Some(block) => of_block(block),
            None => of_entry(self.source(), self.name_span, self.value),
        }
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("name", self.name)?;
        to.optional("sensitive", self.sensitive)
    }
}

/// Writes a source or a data source.
fn write_object<'a, M: SerializeMap, V: Values<'a>>(
    to: &mut Object<'_, M, V>,
    address: Address<'a>,
    name: ObjectName<'a>,
) -> Result<(), M::Error> {
    to.member("address", Text(address))?;
    to.member("type", name.object_type)?;
    to.member("name", name.name)
}

impl<'a> Entry<'a> for Data<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        write_object(to, Address::Data(self.name), self.name)
    }
}

impl<'a> Entry<'a> for Source<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        write_object(to, Address::Source(self.name), self.name)
    }
}

impl<'a> Entry<'a> for Build<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.value("name", self.name)?;
        to.value("description", self.description)?;
        to.entries("sources", self.sources.iter())?;
        to.entries("provisioners", provisioners(self).into_iter())?;
        to.entry("error_cleanup_provisioner", self.error_cleanup.as_ref().map(Step::of))?;
        let values = to.values();
        let sequences = self.post_processors.iter().map(|sequence| Sequence { sequence, values });
        to.list("post_processors", sequences)?;
        let others = self.dynamics.iter().filter(|each| !makes_provisioners(each));
        if others.clone().next().is_some() {
            to.entries("dynamic", others.map(Step::of_dynamic))?;
        }
        Ok(())
    }
}

impl<'a> Entry<'a> for BuildSource<'a> {
    fn label(&self) -> Label<'a> {
        self.label
    }

    /// Writes the address of the source; leaves it out if the text is not a valid name.
    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.optional("address", self.name.map(|name| Text(Address::Source(name))))?;
        to.member("text", self.text)?;
        to.optional("name", self.local_name)
    }
}

/// A provisioner, a post-processor, or a `dynamic` block that makes some.
#[derive(Clone, Copy)]
struct Step<'a> {
    step_type: &'a str,
    /// Whether it is a `dynamic` block.
    is_dynamic: bool,
    name: Option<Expression<'a>>,
    only: Option<Expression<'a>>,
    except: Option<Expression<'a>>,
    label: Label<'a>,
}

impl<'a> Step<'a> {
    fn of(provisioner: &Provisioner<'a>) -> Self {
        Self {
            step_type: provisioner.provisioner_type,
            is_dynamic: false,
            name: provisioner.name,
            only: provisioner.selection.only,
            except: provisioner.selection.except,
            label: of_block(provisioner.block),
        }
    }

    fn of_post_processor(post_processor: &PostProcessor<'a>) -> Self {
        Self {
            step_type: post_processor.post_processor_type,
            is_dynamic: false,
            name: post_processor.name,
            only: post_processor.selection.only,
            except: post_processor.selection.except,
            label: of_block(post_processor.block),
        }
    }

    fn of_dynamic(dynamic: &Dynamic<'a>) -> Self {
        Self {
            step_type: dynamic.block_type,
            is_dynamic: true,
            name: None,
            only: None,
            except: None,
            label: of_block(dynamic.block),
        }
    }
}

impl<'a> Entry<'a> for Step<'a> {
    fn label(&self) -> Label<'a> {
        self.label
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.member("type", self.step_type)?;
        to.optional("dynamic", self.is_dynamic.then_some(true))?;
        to.value("name", self.name)?;
        to.value("only", self.only)?;
        to.value("except", self.except)
    }
}

/// Provisioners and their `dynamic` blocks, in the order of the file, in which they run.
fn provisioners<'a>(build: &Build<'a>) -> Vec<Step<'a>> {
    let written = build.provisioners.iter().map(Step::of);
    let made = build.dynamics.iter().filter(|each| makes_provisioners(each));
    let mut steps: Vec<Step<'_>> = written.chain(made.map(Step::of_dynamic)).collect();
    steps.sort_by_key(|step| step.label.span.start);
    steps
}

fn makes_provisioners(dynamic: &Dynamic<'_>) -> bool {
    dynamic.block_type == "provisioner"
}

/// Post-processors that run one after another.
struct Sequence<'v, 'a, V> {
    sequence: &'a PostProcessors<'a>,
    values: &'v V,
}

impl<'a, V: Values<'a>> Serialize for Sequence<'_, 'a, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let steps = self.sequence.steps.iter().map(Step::of_post_processor);
        let steps = steps.chain(self.sequence.dynamics.iter().map(Step::of_dynamic));
        Array(steps.map(|step| Of::new(step, self.values))).serialize(serializer)
    }
}

impl<'a> Entry<'a> for Registry<'a> {
    fn label(&self) -> Label<'a> {
        of_block(self.block)
    }

    fn write<M: SerializeMap, V: Values<'a>>(
        &self,
        to: &mut Object<'_, M, V>,
    ) -> Result<(), M::Error> {
        to.value("bucket_name", self.bucket_name)
    }
}
