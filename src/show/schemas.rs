//! Provider schemas: the output of `providers schema -json`.
//!
//! At skeleton depth 4 ([`Schemas::DEPTH`]) every schema is sealed, and a resource type is decoded
//! on demand.

use std::fmt;

use super::field::{List, Map, Read, views};
use super::names::{DescriptionKind, NestingMode};
use super::shape::Shape;
use crate::hash::HashSet;
use crate::json::{Elements, JsonValue, Members, Node};
use crate::reference::Mode;

views! {
    /// The schemas of some providers.
    Schemas {
        /// `MAJOR.MINOR` of the format. See [`version`](super::version).
        format_version "format_version" &'a str;
        /// Providers by name, `HOST/NAMESPACE/TYPE`; Terraform 0.12 writes short names.
        provider_schemas "provider_schemas" Map<'a, ProviderSchema<'a>>;
    }

    /// The schemas of one provider.
    ProviderSchema {
        /// Its own configuration.
        provider "provider" SchemaOf<'a>;
        /// Resource types.
        resource_schemas "resource_schemas" Map<'a, SchemaOf<'a>>;
        /// Data source types.
        data_source_schemas "data_source_schemas" Map<'a, SchemaOf<'a>>;
        /// Ephemeral resource types.
        ephemeral_resource_schemas "ephemeral_resource_schemas" Map<'a, SchemaOf<'a>>;
        /// Types of lists (Terraform).
        list_resource_schemas "list_resource_schemas" Map<'a, SchemaOf<'a>>;
        /// Functions.
        functions "functions" Map<'a, Function<'a>>;
        /// Identities of the resource types that have one.
        resource_identity_schemas "resource_identity_schemas" Map<'a, IdentitySchema<'a>>;
        /// Types of actions (Terraform).
        action_schemas "action_schemas" Map<'a, SchemaOf<'a>>;
        /// Types of state stores (Terraform).
        state_store_schemas "state_store_schemas" Map<'a, SchemaOf<'a>>;
    }

    /// The schema of one type.
    SchemaOf {
        /// Its version.
        version "version" u64;
        /// Attributes and nested blocks.
        block "block" SchemaBlock<'a>;
    }

    /// Attributes and nested blocks of one body.
    SchemaBlock {
        /// Attributes by name.
        attributes "attributes" Map<'a, SchemaAttribute<'a>>;
        /// Nested blocks by type.
        block_types "block_types" Map<'a, BlockType<'a>>;
        /// The description.
        description "description" &'a str;
        /// The format of the description.
        description_kind "description_kind" DescriptionKind<'a>;
        /// Whether it should not be used.
        deprecated "deprecated" bool;
        /// The message about the deprecation, such as the replacement to use.
        deprecation_message "deprecation_message" &'a str;
    }

    /// An attribute.
    SchemaAttribute {
        /// Its type. An attribute with nested attributes has `nested_type` instead.
        value_type "type" Type<'a>;
        /// Its attributes.
        nested_type "nested_type" NestedType<'a>;
        /// The description.
        description "description" &'a str;
        /// The format of the description.
        description_kind "description_kind" DescriptionKind<'a>;
        /// Whether it should not be used.
        deprecated "deprecated" bool;
        /// The message about the deprecation, such as the replacement to use.
        deprecation_message "deprecation_message" &'a str;
        /// Whether it must be set.
        required "required" bool;
        /// Whether it may be set.
        optional "optional" bool;
        /// Whether the provider may set it.
        computed "computed" bool;
        /// Whether it is sensitive.
        sensitive "sensitive" bool;
        /// Whether it is sent to the provider and never stored.
        write_only "write_only" bool;
    }

    /// The attributes of an attribute.
    NestedType {
        /// The attributes by name.
        attributes "attributes" Map<'a, SchemaAttribute<'a>>;
        /// The nesting mode.
        nesting_mode "nesting_mode" NestingMode<'a>;
        /// The minimal number.
        min_items "min_items" u64;
        /// The maximal number; absent if there is no limit.
        max_items "max_items" u64;
    }

    /// A type of nested blocks.
    BlockType {
        /// The nesting mode.
        nesting_mode "nesting_mode" NestingMode<'a>;
        /// Their content.
        block "block" SchemaBlock<'a>;
        /// The minimal number.
        min_items "min_items" u64;
        /// The maximal number; absent if there is no limit.
        max_items "max_items" u64;
    }

    /// The identity of a resource type.
    IdentitySchema {
        /// Its version.
        version "version" u64;
        /// Attributes by name.
        attributes "attributes" Map<'a, IdentityAttribute<'a>>;
    }

    /// An attribute of an identity.
    IdentityAttribute {
        /// Its type.
        value_type "type" Type<'a>;
        /// The description.
        description "description" &'a str;
        /// Whether an import must set it.
        required_for_import "required_for_import" bool;
        /// Whether an import may set it.
        optional_for_import "optional_for_import" bool;
    }

    /// A function.
    Function {
        /// The description.
        description "description" &'a str;
        /// A short description.
        summary "summary" &'a str;
        /// The message about the deprecation, such as the replacement to use.
        deprecation_message "deprecation_message" &'a str;
        /// The type of its result.
        return_type "return_type" Type<'a>;
        /// Its parameters.
        parameters "parameters" List<'a, Parameter<'a>>;
        /// The parameter for all further arguments.
        variadic_parameter "variadic_parameter" Parameter<'a>;
    }

    /// A parameter of a function.
    Parameter {
        /// Its name.
        name "name" &'a str;
        /// The description.
        description "description" &'a str;
        /// Whether null is a valid argument.
        is_nullable "is_nullable" bool;
        /// Its type.
        value_type "type" Type<'a>;
    }
}

/// The kind of a provider's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaKind {
    /// Managed resources.
    Resource,
    /// Data sources.
    DataSource,
    /// Ephemeral resources.
    Ephemeral,
    /// Lists (Terraform).
    List,
    /// Actions (Terraform).
    Action,
    /// State stores (Terraform).
    StateStore,
}

impl SchemaKind {
    /// All kinds, the most frequent first.
    pub const ALL: [Self; 6] = [
        Self::Resource,
        Self::DataSource,
        Self::Ephemeral,
        Self::List,
        Self::Action,
        Self::StateStore,
    ];

    /// The kind for resources of a mode.
    #[must_use]
    pub const fn of_mode(mode: Mode) -> Self {
        match mode {
            Mode::Managed => Self::Resource,
            Mode::Data => Self::DataSource,
            Mode::Ephemeral => Self::Ephemeral,
            Mode::List => Self::List,
        }
    }

    /// Its name: "resource", "data source".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::DataSource => "data source",
            Self::Ephemeral => "ephemeral resource",
            Self::List => "list resource",
            Self::Action => "action",
            Self::StateStore => "state store",
        }
    }
}

impl<'a> ProviderSchema<'a> {
    /// The types of one kind.
    #[must_use]
    pub fn types(self, kind: SchemaKind) -> Option<Map<'a, SchemaOf<'a>>> {
        let field = match kind {
            SchemaKind::Resource => self.resource_schemas(),
            SchemaKind::DataSource => self.data_source_schemas(),
            SchemaKind::Ephemeral => self.ephemeral_resource_schemas(),
            SchemaKind::List => self.list_resource_schemas(),
            SchemaKind::Action => self.action_schemas(),
            SchemaKind::StateStore => self.state_store_schemas(),
        };
        field.value()
    }
}

impl<'a> Schemas<'a> {
    /// The skeleton depth at which every schema is sealed.
    pub const DEPTH: u32 = 4;

    /// Providers by name.
    pub fn providers(self) -> impl Iterator<Item = (&'a str, ProviderSchema<'a>)> {
        self.provider_schemas().value().into_iter().flat_map(Map::iter)
    }

    /// The schemas of one type with their providers, in source order. Opens none of them. Cost:
    /// linear in the number of types of this kind.
    pub fn find<'n>(
        self,
        kind: SchemaKind,
        type_name: &'n str,
    ) -> impl Iterator<Item = (&'a str, SchemaOf<'a>)> + use<'a, 'n> {
        self.providers().filter_map(move |(name, provider)| {
            Some((name, provider.types(kind)?.get(type_name).value()?))
        })
    }
}

/// A type: a name, or an array of a name and its parts. Displayed as in configuration:
/// `list(object({a=string,b=optional(number)}))`.
#[derive(Clone, Copy, Debug)]
pub struct Type<'a> {
    node: Node<'a>,
}

impl<'a> Type<'a> {
    /// The type as JSON.
    #[must_use]
    pub fn node(self) -> Node<'a> {
        self.node
    }
}

impl<'a> Read<'a> for Type<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        (node.is_string() || node.is_array()).then_some(Self { node })
    }

    fn shape() -> Shape {
        Shape::new("a type", |node| node.is_string() || node.is_array())
    }
}

/// A part of a type that is still to be printed.
enum Part<'a> {
    Type(Node<'a>),
    Text(&'static str),
    /// The rest of a tuple's elements, and whether one precedes them.
    Elements(Elements<'a>, bool),
    /// The rest of an object's attributes, the names of the optional ones, and whether one precedes
    /// them.
    Members(Members<'a>, HashSet<&'a str>, bool),
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = vec![Part::Type(self.node)];
        while let Some(part) = parts.pop() {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Type(node) => write_type(f, node, &mut parts)?,
                Part::Elements(mut elements, is_later) => {
                    if let Some(element) = elements.next() {
                        f.write_str(if is_later { "," } else { "" })?;
                        parts.push(Part::Elements(elements, true));
                        parts.push(Part::Type(element));
                    }
                }
                Part::Members(mut members, optional, is_later) => {
                    if let Some(member) = members.next() {
                        let comma = if is_later { "," } else { "" };
                        let name = member.name();
                        write!(f, "{comma}{}=", name.to_str())?;
                        let is_optional = optional.contains(name.to_str());
                        parts.push(Part::Members(members, optional, true));
                        if is_optional {
                            f.write_str("optional(")?;
                            parts.push(Part::Text(")"));
                        }
                        parts.push(Part::Type(member.value()));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Writes the start of a type, and pushes the rest.
fn write_type<'a>(
    f: &mut fmt::Formatter<'_>,
    node: Node<'a>,
    parts: &mut Vec<Part<'a>>,
) -> fmt::Result {
    let Some(array) = node.as_array() else {
        return match node.to_str() {
            Some("dynamic") => f.write_str("any"),
            Some(name) => f.write_str(name),
            None => f.write_str("?"),
        };
    };
    let mut elements = array.elements();
    let name = elements.next().and_then(Node::to_str).unwrap_or("?");
    let inner = elements.next();
    match inner.map(Node::value) {
        Some(JsonValue::Object(object)) if name == "object" => {
            f.write_str("object({")?;
            parts.push(Part::Text("})"));
            let optional = elements.next().and_then(Node::as_array).into_iter();
            let optional = optional.flat_map(|names| names.elements()).filter_map(Node::to_str);
            parts.push(Part::Members(object.members(), optional.collect(), false));
        }
        Some(JsonValue::Array(types)) if name == "tuple" => {
            f.write_str("tuple([")?;
            parts.push(Part::Text("])"));
            parts.push(Part::Elements(types.elements(), false));
        }
        _ => {
            write!(f, "{name}(")?;
            parts.push(Part::Text(")"));
            parts.extend(inner.map(Part::Type));
        }
    }
    Ok(())
}
