//! Checks the bodies that providers and provisioners read against their schemas.
//!
//! [`BodySchemas`] come from the output of `providers schema -json`; some are [built
//! in](BodySchemas::with_built_in). A body is opened level by level with the attributes and blocks
//! that its schema has:
//!
//! * It reports unknown names, missing required attributes, attributes that only the provider sets,
//!   deprecated attributes, and a number of blocks that the nesting mode does not allow.
//! * It reports references to attributes that the schema of a resource does not have.
//! * A value is converted to the type of its attribute, and the identity of an import to that of the
//!   resource type, if both are known early enough.
//! * `dynamic` generates blocks of a type, so none of that type is missing; their content is read
//!   like any other.
//!
//! Types that the schemas of a provider do not have are errors. A provider without schemas is not
//! checked.
//!
//! ```
//! use simd_hcl::dialect::List;
//! use simd_hcl::module::Module;
//! use simd_hcl::show::BodySchemas;
//! use simd_hcl::{Arena, Code, Dialect, Document, typed};
//!
//! let arena = Arena::new();
//! let json = br#"{"resource": {"terraform_data": {"a": {"inptu": 1}}}}"#;
//! let document = Document::parse_bytes(&arena, "main.tf.json", json)?;
//! let module = Module::read(Dialect::OpenTofu, [(List::Primary, document)], false, &mut ());
//! let mut found = Vec::new();
//! typed::check(&module, &BodySchemas::built_in(&arena), &mut found);
//! assert_eq!(found[0].suggestion(), Some("input"));
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```

mod content;
mod find;
mod function;
mod identity;
mod provisioner;
mod references;
mod remote_state;
mod shape;
mod value;

use std::sync::LazyLock;

use memchr::memmem::Finder;
use smallvec::SmallVec;

pub(crate) use self::content::Content;
pub(crate) use self::find::Find;
pub(crate) use self::function::all as functions;
pub(crate) use self::shape::{resources as shapes, type_of_block};
pub(crate) use self::value::type_of as type_of_attribute;
use crate::body::{self, Attribute, Block, BlockSchema, Body, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::arguments::modules::DYNAMIC;
use crate::hash::HashMap;
use crate::module::computed::Computed;
use crate::module::{Config, Module, Provisioner, Resource};
use crate::reference::Mode;
use crate::show::{BlockType, BodySchema, BodySchemas, NestingMode, SchemaBlock, SchemaKind};
use crate::structure::FileBody;
use crate::suggest::Suggestions;

/// Reports errors in the bodies of a module that providers and provisioners read.
///
/// Cost: linear in the module's bodies whose schemas are known; each schema is decoded once.
pub fn check<'a>(module: &Module<'a>, schemas: &BodySchemas<'a>, sink: &mut dyn Sink<'a>) {
    check_with(module, (&Computed::new(true), false), schemas, sink);
}

/// Like [`check()`], with the types of values in the module, and whether some values are ephemeral.
pub(crate) fn check_with<'a>(
    module: &Module<'a>,
    (computed, has_ephemeral): (&Computed<'a>, bool),
    schemas: &BodySchemas<'a>,
    sink: &mut dyn Sink<'a>,
) {
    let mut find = Find::new(module, schemas);
    let values = value::Values { module, computed, has_ephemeral, is_kept: false };
    let suggestions = Suggestions::new();
    let mut check = Check { schemas, values, work: Vec::new(), suggestions, sink };
    for provider in &module.providers {
        let schema = find.provider(provider.name);
        match schema.and_then(|schema| schema.provider().value()) {
            Some(schema) => check.config(provider.config, provider.escape, schema.block().value()),
            None => check.without_schema(provider.config, provider.escape),
        }
    }
    let mut known = references::Known::default();
    let of_checks = module.checks.iter().filter_map(|check| check.data);
    for resource in module.resources.iter().chain(of_checks) {
        let address = resource.address();
        let kind = SchemaKind::of_mode(address.mode);
        match find.of_resource(resource) {
            None => check.without_schema(resource.config(), resource.escape()),
            Some(Err(provider)) => check.unknown_type(resource.block, kind, &provider),
            Some(Ok(schema)) => {
                check.values.is_kept = address.mode != Mode::Ephemeral;
                check.config(resource.config(), resource.escape(), schema.block().value());
                check.values.is_kept = false;
                let provider = find.full_name(resource.provider_name());
                remote_state::check(resource, &provider, check.values, check.sink);
                known.extend(schemas.body_of(schema).map(|schema| (address, schema)));
            }
        }
        check.provisioners(resource);
    }
    for action in &module.actions {
        let local = action.provider_name();
        match find.of_type(local, SchemaKind::Action, action.address.action_type) {
            None => {}
            Some(Err(provider)) => check.unknown_type(action.block, SchemaKind::Action, &provider),
            Some(Ok(schema)) => {
                if let Some(config) = action.config {
                    check.values.is_kept = true;
                    check.config(config, None, schema.block().value());
                    check.values.is_kept = false;
                }
            }
        }
    }
    identity::check(module, &mut find, check.values, check.sink);
    references::check(module, &known, check.sink);
}

struct Check<'c, 's, 'a> {
    schemas: &'s BodySchemas<'a>,
    values: value::Values<'c, 'a>,
    /// The bodies of nested blocks that are still to be read. They nest as deep as the schemas do.
    work: Vec<(Body<'a>, SchemaBlock<'a>)>,
    suggestions: Suggestions,
    sink: &'c mut dyn Sink<'a>,
}

impl<'a> Check<'_, '_, 'a> {
    #[cold]
    fn unknown_type(&mut self, block: Block<'a>, kind: SchemaKind, provider: &str) {
        let name = block.label(0).unwrap_or_default();
        let nearest = self.suggestions.nearest(name, self.schemas.type_names(provider, kind));
        let provider = block.source().arena().str(provider);
        self.sink.report(
            Diagnostic::new(Code::UnknownType, block.label_place(0))
                .with_arguments(&[provider, kind.name(), name])
                .with_suggestion(nearest),
        );
    }

    fn provisioners(&mut self, resource: &Resource<'a>) {
        let connection = resource.connection().map(|block| block.body());
        for provisioner in resource.provisioners() {
            let &Provisioner { block, provisioner_type, config, escape, .. } = provisioner;
            match self.schemas.provisioner(provisioner_type) {
                Some(schema) => {
                    self.config(config, escape, Some(schema));
                    provisioner::check(provisioner, self.values, self.sink);
                }
                None if self.schemas.has_provisioners() => {
                    self.sink.report(
                        Diagnostic::new(Code::UnknownProvisioner, block.label_place(0))
                            .with_arguments(&[provisioner_type])
                            .with_suggestion(
                                self.suggestions
                                    .nearest(provisioner_type, self.schemas.provisioner_names()),
                            ),
                    );
                }
                None => {}
            }
            let Some(schema) = self.schemas.connection() else { continue };
            match (connection, provisioner.connection.map(Block::body)) {
                (Some(own), Some(new)) => self.bodies(&[own], &[new], schema),
                (None, Some(own)) => self.bodies(&[own], &[], schema),
                _ => {}
            }
        }
        let is_used_as_it_is = resource.provisioners().iter().any(|each| each.connection.is_none());
        if let (Some(own), Some(schema), true) =
            (connection, self.schemas.connection(), is_used_as_it_is)
        {
            self.bodies(&[own], &[], schema);
        }
    }

    /// Checks a body that a module keeps unread.
    fn config(
        &mut self,
        config: Config<'a>,
        escape: Option<Block<'a>>,
        schema: Option<SchemaBlock<'a>>,
    ) {
        let Some(schema) = schema else { return };
        let mut own: SmallVec<[Body<'a>; 4]> = config.own_bodies().collect();
        own.extend(escape.map(Block::body));
        self.bodies(&own, config.overrides(), schema);
    }

    /// Checks the `dynamic` blocks in a body whose schema is not known. In JSON, they may be values.
    fn without_schema(&mut self, config: Config<'a>, escape: Option<Block<'a>>) {
        static DYNAMIC_ONLY: Schema<'static> =
            Schema::new(&[], &[BlockSchema::new("dynamic", &["type"])]);
        let own = config.own_bodies().chain(escape.map(Block::body));
        let mut work: Vec<Body<'a>> = own.chain(config.overrides().iter().copied()).collect();
        work.retain(|body| may_have_dynamic(*body));
        while let Some(body) = work.pop() {
            for block in body.partial_content(&DYNAMIC_ONLY, self.sink).0.all_blocks() {
                let _ = self.made(*block);
            }
            work.extend(body.properties().filter_map(Attribute::as_block).map(Block::body));
        }
    }

    /// Checks bodies that are read as one, including all nested blocks.
    fn bodies(&mut self, own: &[Body<'a>], overrides: &[Body<'a>], block: SchemaBlock<'a>) {
        let schema = self.schemas.body(block);
        let content = Content::of(own, overrides, &schema, self.sink);
        self.content(&content, &schema);
        while let Some((body, block)) = self.work.pop() {
            let schema = self.schemas.body(block);
            let content = Content::of(&[body], &[], &schema, self.sink);
            self.content(&content, &schema);
        }
    }

    fn content(&mut self, content: &Content<'a>, schema: &BodySchema<'a>) {
        for attribute in &content.attributes {
            self.attribute(*attribute, schema);
        }
        if schema.schema().blocks().len() == 1 && content.dynamic.is_empty() {
            return;
        }
        let mut types: HashMap<&str, Blocks<'a>> = HashMap::default();
        for block in &content.blocks {
            types.entry(block.block_type()).or_default().written.push(*block);
        }
        for block in &content.dynamic {
            self.dynamic(*block, schema, &mut types);
        }
        for name in schema.needed_block_types() {
            types.entry(name).or_default();
        }
        let written = content.blocks.iter().map(|block| block.block_type());
        let made = content.dynamic.iter().filter_map(|block| block.label(0));
        let needed = schema.needed_block_types().iter().copied();
        for name in written.chain(made).chain(needed) {
            // Those of one type are read together.
            let Some((blocks, block_type)) = types.remove(name).zip(schema.block_type(name)) else {
                continue;
            };
            self.count(name, block_type, &blocks, content.missing_item);
            if let Some(inner) = block_type.block().value() {
                let bodies = blocks.written.iter().chain(&blocks.contents);
                self.work.extend(bodies.map(|block| (block.body(), inner)));
                if let Some(block) = blocks.written.first().or(blocks.contents.first())
                    && inner.deprecated().value() == Some(true)
                {
                    let message = inner.deprecation_message().value().unwrap_or_default();
                    self.deprecated(name, message, block.type_label());
                }
            }
        }
    }

    fn attribute(&mut self, attribute: Attribute<'a>, schema: &BodySchema<'a>) {
        let name = attribute.name();
        let Some(known) = schema.attribute(name) else { return };
        let value = attribute.expression();
        let is = |field: Option<bool>| field == Some(true);
        let is_required = is(known.required().value());
        if value.is_null() {
            if is_required {
                self.sink.report(
                    Diagnostic::new(Code::MissingArgument, value.start_label())
                        .with_arguments(&[name]),
                );
            }
            return;
        }
        if value::is_read_only(known) {
            return self.sink.report(
                Diagnostic::new(Code::ComputedArgument, attribute.name_label())
                    .with_arguments(&[name]),
            );
        }
        if is(known.deprecated().value()) {
            let message = known.deprecation_message().value().unwrap_or_default();
            self.deprecated(name, message, attribute.name_label());
        }
        value::check(name, value, schema, self.values, self.sink);
        if let Some(nested) = known.nested_type().value() {
            value::check_nested(value, nested, self.sink);
        }
    }

    #[cold]
    fn deprecated(&mut self, name: &'a str, message: &'a str, label: Label<'a>) {
        self.sink.report(
            Diagnostic::new(Code::DeprecatedArgument, label)
                .with_arguments(&[name, message.trim()]),
        );
    }

    /// Checks a `dynamic` block.
    fn dynamic(
        &mut self,
        block: Block<'a>,
        schema: &BodySchema<'a>,
        types: &mut HashMap<&'a str, Blocks<'a>>,
    ) {
        let name = block.label(0).unwrap_or_default();
        let Some(block_type) = schema.block_type(name) else {
            // Lists of objects can be written like blocks.
            if !schema.attribute(name).is_some_and(value::is_like_blocks) {
                let code = match block.body().as_json() {
                    Some(_) => Code::ExtraneousProperty,
                    None => Code::UnsupportedBlock,
                };
                self.sink.report(
                    Diagnostic::new(code, block.label_place(0))
                        .with_arguments(&[name])
                        .with_suggestion(self.suggestions.nearest(name, schema.block_type_names())),
                );
            }
            return;
        };
        let (content, body) = self.made(block);
        let of_type = types.entry(name).or_default();
        of_type.is_dynamic = true;
        let has_labels = block_type.nesting_mode().value() == Some(NestingMode::Map);
        if has_labels != content.attribute("labels").is_some() {
            let (label, text) = match content.attribute("labels") {
                Some(labels) => (labels.name_label(), "Blocks of this type have no \"labels\"."),
                None => (
                    block.body().missing_item_label(),
                    "Blocks of this type have a key, which \"labels\" gives.",
                ),
            };
            self.sink.report(Diagnostic::new(Code::BlockCount, label).with_arguments(&[text]));
        }
        of_type.contents.extend(body);
    }

    /// Checks the arguments of a `dynamic` block. Returns its content, and its block `content`.
    fn made(&mut self, block: Block<'a>) -> (body::Content<'a>, Option<Block<'a>>) {
        let content = block.body().content(DYNAMIC.common(), self.sink);
        if let Some(for_each) = content.attribute("for_each") {
            value::check_for_each(for_each.expression(), self.values, self.sink);
        }
        if let Some(iterator) = content.attribute("iterator") {
            iterator.expression().keyword(self.sink);
        }
        let mut contents = content.blocks("content");
        let first = contents.next();
        if first.is_none() {
            let diagnostic = Diagnostic::new(Code::BlockCount, block.body().missing_item_label());
            let text = "A block \"content\" is required, which says what is in each block.";
            self.sink.report(diagnostic.with_arguments(&[text]));
        }
        if let Some(second) = contents.next() {
            self.sink.report(
                Diagnostic::new(Code::DuplicateBlock, second.definition_label())
                    .with_arguments(&["content"]),
            );
        }
        (content, first)
    }

    /// Reports a number of blocks that the schema does not allow.
    fn count(
        &mut self,
        name: &'a str,
        block_type: BlockType<'a>,
        blocks: &Blocks<'a>,
        missing_item: Option<Label<'a>>,
    ) {
        let written = blocks.written.len() as u64;
        let least = block_type.min_items().value().unwrap_or_default();
        let most = block_type.max_items().value().filter(|&most| most > 0);
        let second = || blocks.written.get(1).zip(blocks.written.first());
        match block_type.nesting_mode().value() {
            Some(NestingMode::Single | NestingMode::Group) => {
                if let Some((second, first)) = second() {
                    self.duplicate(name, *second, *first);
                }
            }
            Some(NestingMode::Map) => {
                let mut keys: HashMap<&str, Block<'a>> = HashMap::default();
                for block in &blocks.written {
                    let key = block.label(0).unwrap_or_default();
                    match keys.get(key) {
                        Some(first) => self.duplicate(name, *block, *first),
                        None => drop(keys.insert(key, *block)),
                    }
                }
                return;
            }
            _ => {
                if let Some(most) = most.filter(|&most| written > most)
                    && let Some(first_too_many) = blocks.written.get(most as usize)
                {
                    let arena = first_too_many.source().arena();
                    let text = arena.format(format_args!(
                        "At most {most} of the blocks \"{name}\" are allowed."
                    ));
                    self.sink.report(
                        Diagnostic::new(Code::BlockCount, first_too_many.definition_label())
                            .with_arguments(&[text]),
                    );
                }
            }
        }
        if written < least
            && !blocks.is_dynamic
            && let Some(label) = missing_item
        {
            let text = label
                .source
                .arena()
                .format(format_args!("At least {least} of the blocks \"{name}\" are required."));
            self.sink.report(Diagnostic::new(Code::BlockCount, label).with_arguments(&[text]));
        }
    }

    #[cold]
    fn duplicate(&mut self, name: &'a str, second: Block<'a>, first: Block<'a>) {
        self.sink.report(
            Diagnostic::new(Code::DuplicateBlock, second.definition_label())
                .with_arguments(&[name])
                .with_related(first.definition_label(), "the first one"),
        );
    }
}

/// Whether a body is native, and its text has the name of `dynamic` blocks.
fn may_have_dynamic(body: Body<'_>) -> bool {
    static NAME: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("dynamic"));
    let text = |native: FileBody<'_>| NAME.find(native.span().slice(native.source().bytes()));
    body.as_native().and_then(text).is_some()
}

/// The blocks of one type in a body.
#[derive(Default)]
struct Blocks<'a> {
    written: SmallVec<[Block<'a>; 1]>,
    /// Whether a `dynamic` block may make more.
    is_dynamic: bool,
    /// The `content` blocks of `dynamic` blocks.
    contents: SmallVec<[Block<'a>; 1]>,
}
