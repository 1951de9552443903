//! Resource instances of states, state files and values in plans.

use std::borrow::Cow;

use super::cell::{Value, rows};
use crate::json::{Node, Object};
use crate::show::address::{Key, module_of};
use crate::show::field::{Field, Index, List};
use crate::show::leaves::Leaves;
use crate::show::shown::Shown;
use crate::show::state::{RawInstance, RawResource, RawState, Resource, State, Values};

/// A resource instance of a state, or a deposed object of one.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    form: Form<'a>,
}

/// The two forms of states.
#[derive(Clone, Copy, Debug)]
enum Form<'a> {
    /// As it is printed, and among the values of a plan.
    Printed(Resource<'a>),
    /// In a state file.
    Stored(RawResource<'a>, RawInstance<'a>),
}

rows! { Instance {
    /// Address of the instance
    address "address" Text always = |it, shown| shown.name_of(it.of(), it.full_address()?);
    /// Address of the module instance; absent in the root module
    module_address "module_address" Text optional = |it, shown| {
        shown.name_of(it.of(), it.module()?)
    };
    /// `managed`, `data` or `ephemeral`
    mode "mode" Text always = |it, shown| {
        let mode = match it.form {
            Form::Printed(it) => it.mode(),
            Form::Stored(it, _) => it.mode(),
        };
        shown.name_of(it.of(), mode.value()?.name().into())
    };
    /// Type
    resource_type "type" Text always = |it, shown| shown.name_of(it.of(), it.type_name()?.into());
    /// Name
    name "name" Text always = |it, shown| {
        let name = match it.form {
            Form::Printed(it) => it.name(),
            Form::Stored(it, _) => it.name(),
        };
        shown.name_of(it.of(), name.value()?.into())
    };
    /// Key of the instance
    index "index" Key optional = |it, shown| {
        let index = match it.form {
            Form::Printed(it) => it.index(),
            Form::Stored(_, it) => it.index_key(),
        };
        key_of(index, it.of(), shown)
    };
    /// Key of the deposed object
    deposed "deposed" Text optional = |it, shown| {
        let key = match it.form {
            Form::Printed(it) => it.deposed_key(),
            Form::Stored(_, it) => it.deposed(),
        };
        shown.name_of(it.of(), key.value()?.into())
    };
    /// Whether it is tainted
    is_tainted "tainted" Flag optional = |it, _| match it.form {
        Form::Printed(it) => it.tainted().value() == Some(true),
        Form::Stored(_, it) => it.status().value() == Some("tainted"),
    };
    /// Provider
    provider_name "provider_name" Text always = |it, shown| {
        let name: Cow<'_, str> = match it.form {
            Form::Printed(it) => it.provider_name().value()?.into(),
            Form::Stored(resource, it) => it.provider_name(resource)?,
        };
        shown.name_of(it.of(), name)
    };
    /// Version of the schema of its values
    schema_version "schema_version" Number always = |it, _| match it.form {
        Form::Printed(it) => it.schema_version().value(),
        // The tools read a missing version as 0.
        Form::Stored(_, it) => match it.schema_version() {
            Field::Absent => Some(0),
            version => version.value(),
        },
    };
}}

/// The key of an instance without its hidden parts.
pub(super) fn key_of<'a>(
    index: Field<'a, Index<'a>>,
    of: Node<'a>,
    shown: &Shown,
) -> Option<Key<'a>> {
    Some(match index.value()? {
        Index::Number(number) => Key::Number(number.text()),
        // All of a key is searched, as that of an address is.
        Index::Text(text) => Key::Text(shown.text(of, text)),
    })
}

impl<'a> Instance<'a> {
    /// A resource of a printed state, or of values in a plan.
    #[must_use]
    pub fn of_resource(resource: Resource<'a>) -> Self {
        Self { form: Form::Printed(resource) }
    }

    /// An instance of a resource of a state file.
    #[must_use]
    pub fn of_stored(resource: RawResource<'a>, instance: RawInstance<'a>) -> Self {
        Self { form: Form::Stored(resource, instance) }
    }

    /// All instances of a resource of a state file.
    pub fn all_of_stored(resource: RawResource<'a>) -> impl Iterator<Item = Self> {
        let instances = resource.instances().value().into_iter().flat_map(List::iter);
        instances.map(move |instance| Self::of_stored(resource, instance))
    }

    /// The addresses of the blocks that it depends on, without keys. An address without a module is one
    /// of the root module.
    pub fn dependencies(self) -> impl Iterator<Item = &'a str> {
        let list = match self.form {
            Form::Printed(it) => it.depends_on(),
            Form::Stored(_, it) => it.dependencies(),
        };
        list.value().into_iter().flat_map(List::iter)
    }

    pub(super) fn of(self) -> Node<'a> {
        match self.form {
            Form::Printed(it) => it.object().node(),
            Form::Stored(_, it) => it.object().node(),
        }
    }

    /// The address with its hidden parts, for selections; `None` if the document has none.
    #[must_use]
    pub fn full_address(self) -> Option<Cow<'a, str>> {
        Some(match self.form {
            Form::Printed(it) => it.address().value()?.into(),
            Form::Stored(resource, it) => it.address(resource).into(),
        })
    }

    /// The resource type; `None` if the document has none.
    #[must_use]
    pub fn type_name(self) -> Option<&'a str> {
        match self.form {
            Form::Printed(it) => it.resource_type().value(),
            Form::Stored(it, _) => it.resource_type().value(),
        }
    }

    /// The address of the module. That of a printed module may come after its resources, so that it
    /// is taken from the address of the resource.
    fn module(self) -> Option<Cow<'a, str>> {
        let module = match self.form {
            Form::Printed(it) => module_of(it.address().value()?),
            Form::Stored(it, _) => it.module().value(),
        };
        Some(module.filter(|module| !module.is_empty())?.into())
    }

    /// The attributes as one value; absent if there are none.
    #[must_use]
    pub fn values(self, shown: &Shown) -> Value<'a> {
        let node = match self.form {
            Form::Printed(it) => it.values_node(),
            Form::Stored(_, it) => {
                let values = it.attributes().value().or_else(|| it.attributes_flat().value());
                values.map(Object::node)
            }
        };
        Value::of(node, shown)
    }

    pub(super) fn leaves(self) -> Leaves<'a> {
        match self.form {
            Form::Printed(it) => it.leaves(),
            Form::Stored(_, it) => it.leaves(),
        }
    }
}

impl<'a> State<'a> {
    /// The instances of all modules as rows, in the order of the document.
    pub fn instances(self) -> impl Iterator<Item = Instance<'a>> {
        self.resources().map(Instance::of_resource)
    }
}

impl<'a> Values<'a> {
    /// The instances of all modules as rows, in the order of the document.
    pub fn instances(self) -> impl Iterator<Item = Instance<'a>> {
        self.resources().map(Instance::of_resource)
    }
}

impl<'a> RawState<'a> {
    /// All instances as rows, in the order of the file.
    pub fn instances(self) -> impl Iterator<Item = Instance<'a>> {
        self.resources().value().into_iter().flat_map(List::iter).flat_map(Instance::all_of_stored)
    }
}
