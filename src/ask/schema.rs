//! The schemas of bodies: of the tools' own blocks, of providers, and of the modules that calls lead to.

use std::sync::Arc;

use super::answers::{Answers, Entry, Owner};
use super::context::{Header, grammar_in};
use crate::dialect::Grammar;
use crate::module::Object;
use crate::show::{BodySchema, NestingMode, SchemaAttribute, SchemaBlock, SchemaKind};
use crate::typed::{Find, type_of_attribute};

/// The sources of the arguments and blocks that a body may have.
pub(super) struct BodyIn<'a> {
    /// The arguments and blocks of the tools themselves.
    pub(super) grammar: Option<Grammar>,
    /// The schema of the provider.
    pub(super) schema: Option<Arc<BodySchema<'a>>>,
    /// The module that a call leads to.
    pub(super) called: Option<usize>,
}

/// An argument or a block type that a body may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) name: String,
    /// The labels of a block type; `None` for an argument.
    pub(super) labels: Option<Vec<String>>,
    pub(super) is_required: bool,
    pub(super) is_deprecated: bool,
    /// The type, as it is written in a configuration.
    pub(super) ty: Option<String>,
    pub(super) documentation: Option<String>,
    /// Who defines it.
    pub(super) from: String,
}

/// Who defines the arguments of the tools themselves.
const TOOL: &str = "language";

impl<'t, 'a> Answers<'t, 'a> {
    /// Returns the arguments and blocks that a body inside of some blocks may have.
    pub(super) fn body_in(&self, entry: &Entry<'a>, blocks: &[Header]) -> BodyIn<'a> {
        let grammar = grammar_in(entry, blocks);
        let mut found = BodyIn { grammar, schema: None, called: None };
        let Owner::Module(place) = entry.owner else { return found };
        let Some((first, inner)) = blocks.split_first() else { return found };
        let module = &self.module(place).module;
        let label = |at: usize| first.labels.get(at).map_or("", String::as_str);
        let arena = entry.source.arena();
        let kind = match first.block_type.as_str() {
            "resource" => SchemaKind::Resource,
            "data" => SchemaKind::DataSource,
            "ephemeral" => SchemaKind::Ephemeral,
            "action" => SchemaKind::Action,
            "module" => {
                if inner.is_empty() {
                    let call = module.calls.iter().find(|call| call.name == label(0));
                    let call = call.map(|call| Object::ModuleCall(call.name));
                    found.called = call.and_then(|call| self.module(place).called_by(call));
                }
                return found;
            }
            "provider" => {
                let find = Find::new(module, self.schemas);
                let provider = find.provider(label(0)).and_then(|it| it.provider().value());
                let block = provider.and_then(|it| it.block().value());
                found.schema = block.and_then(|block| self.nested(block, inner));
                return found;
            }
            _ => return found,
        };
        let resource_type = arena.str(label(0));
        if let Some(provisioner) = inner.iter().position(|it| it.block_type == "provisioner") {
            let header = &inner[provisioner];
            let name = header.labels.first().map_or("", String::as_str);
            let block = match inner.get(provisioner + 1) {
                Some(connection) if connection.block_type == "connection" => {
                    self.schemas.connection()
                }
                Some(_) => None,
                None => self.schemas.provisioner(name),
            };
            found.schema = block.map(|block| self.schemas.body(block));
            return found;
        }
        if inner.first().is_some_and(|it| it.block_type == "connection") {
            found.schema = self.schemas.connection().map(|block| self.schemas.body(block));
            return found;
        }
        let block = self.type_schema(place, kind, resource_type);
        found.schema = block.and_then(|block| self.nested(block, inner));
        found
    }

    /// The schema of a type, by the module that uses it.
    pub(super) fn type_schema(
        &self,
        module: usize,
        kind: SchemaKind,
        name: &'a str,
    ) -> Option<SchemaBlock<'a>> {
        let module = &self.module(module).module;
        // A resource may name another provider than the one of its type.
        let declared = module.resources.iter().find(|it| it.address().resource_type == name);
        let local = match declared {
            Some(resource) => resource.provider_name(),
            None => name.split('_').next().unwrap_or(name),
        };
        let local = match name {
            "terraform_data" | "terraform_remote_state" => "terraform",
            _ => local,
        };
        let schema = Find::new(module, self.schemas).of_type(local, kind, name)?.ok()?;
        schema.block().value()
    }

    /// The schema of a nested block.
    fn nested(&self, block: SchemaBlock<'a>, inner: &[Header]) -> Option<Arc<BodySchema<'a>>> {
        let mut schema = self.schemas.body(block);
        let mut rest = inner.iter();
        while let Some(header) = rest.next() {
            let name = match header.block_type.as_str() {
                // The body of the blocks that it makes is in `content`.
                "dynamic" => {
                    let name = header.labels.first()?;
                    rest.next().filter(|content| content.block_type == "content")?;
                    name
                }
                name => name,
            };
            schema = self.schemas.body(schema.block_type(name)?.block().value()?);
        }
        Some(schema)
    }

    /// The arguments and block types that a body may have, those of the tools first.
    pub(super) fn members(&self, entry: &Entry<'a>, body: &BodyIn<'a>) -> Vec<Member> {
        let mut found: Vec<Member> = Vec::new();
        if let Some(called) = body.called {
            found.extend(self.module(called).module.variables.iter().map(|variable| Member {
                name: variable.name.to_owned(),
                labels: None,
                is_required: variable.is_required(),
                is_deprecated: variable.deprecated.is_some(),
                ty: Some(type_text(
                    variable.written_type,
                    self.hides_variable(called, variable.name),
                )),
                documentation: variable.description.map(str::to_owned),
                from: self.module(called).files.path.to_string_lossy().into_owned(),
            }));
        }
        if let Some(schema) = &body.schema {
            let arena = entry.source.arena();
            let attributes = schema.block.attributes().value();
            for (name, attribute) in attributes.into_iter().flat_map(|all| all.iter()) {
                let is_read_only = attribute.computed().value() == Some(true)
                    && attribute.optional().value() != Some(true);
                if !is_read_only {
                    found.push(attribute_member(arena, name, attribute));
                }
            }
            found.extend(schema.block_types().map(|(name, block)| {
                let is_map = matches!(block.nesting_mode().value(), Some(NestingMode::Map));
                let inner = block.block().value();
                Member {
                    name: name.to_owned(),
                    labels: Some(if is_map { vec!["key".to_owned()] } else { Vec::new() }),
                    is_required: block.min_items().value().unwrap_or(0) > 0,
                    is_deprecated: inner.is_some_and(|it| it.deprecated().value() == Some(true)),
                    ty: None,
                    documentation: inner.and_then(|it| it.description().value()).map(str::to_owned),
                    from: PROVIDER.to_owned(),
                }
            }));
        }
        if let Some(grammar) = body.grammar {
            let schema = grammar.schema();
            for attribute in schema.map_or(&[][..], |schema| schema.attributes()) {
                found.push(Member {
                    name: attribute.name.to_owned(),
                    labels: None,
                    is_required: attribute.required,
                    is_deprecated: false,
                    ty: None,
                    documentation: None,
                    from: TOOL.to_owned(),
                });
            }
            for block in schema.map_or(&[][..], |schema| schema.blocks()) {
                found.push(Member {
                    name: block.block_type.to_owned(),
                    labels: Some(block.labels.iter().map(|label| (*label).to_owned()).collect()),
                    is_required: false,
                    is_deprecated: false,
                    ty: None,
                    documentation: None,
                    from: TOOL.to_owned(),
                });
            }
            if body.schema.as_ref().is_some_and(|schema| schema.block_types().next().is_some()) {
                found.push(Member {
                    name: "dynamic".to_owned(),
                    labels: Some(vec!["type".to_owned()]),
                    is_required: false,
                    is_deprecated: false,
                    ty: None,
                    documentation: None,
                    from: TOOL.to_owned(),
                });
            }
        }
        found
    }

    /// An argument or a block type of a body by its name, read-only attributes included.
    pub(super) fn member(
        &self,
        entry: &Entry<'a>,
        body: &BodyIn<'a>,
        name: &str,
    ) -> Option<Member> {
        let known = self.members(entry, body).into_iter().find(|member| member.name == name);
        known.or_else(|| {
            let attribute = body.schema.as_ref()?.attribute(name)?;
            Some(attribute_member(entry.source.arena(), name, attribute))
        })
    }
}

/// Who defines the arguments of a schema.
const PROVIDER: &str = "provider";

/// An attribute of a schema.
pub(super) fn attribute_member<'a>(
    arena: &'a crate::Arena,
    name: &str,
    attribute: SchemaAttribute<'a>,
) -> Member {
    let description = attribute.description().value().filter(|text| !text.is_empty());
    Member {
        name: name.to_owned(),
        labels: None,
        is_required: attribute.required().value() == Some(true),
        is_deprecated: attribute.deprecated().value() == Some(true),
        ty: type_of_attribute(arena, attribute).map(|ty| ty.to_string()),
        documentation: description.map(str::to_owned),
        from: PROVIDER.to_owned(),
    }
}

/// A type as it is written; without defaults, if values of the variable are hidden.
pub(super) fn type_text(written: Option<crate::Expression<'_>>, is_hidden: bool) -> String {
    let written = if is_hidden { written.map(crate::hidden::shown_type) } else { written };
    let Some(written) = written else { return "any".to_owned() };
    match written.is_json() {
        true => written.to_str().unwrap_or("any").to_owned(),
        false => String::from_utf8_lossy(written.text()).into_owned(),
    }
}
