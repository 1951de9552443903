//! Completions of expressions: references, attributes of values, functions, keywords.

use super::item::{Completion, CompletionKind as Kind};
use crate::ask::answers::{Answers, Entry, Owner};
use crate::ask::context::{Header, Value};
use crate::ask::hover::signature;
use crate::ask::named::Named;
use crate::ask::schema::{attribute_member, type_text};
use crate::ask::variables;
use crate::dialect::Dialect;
use crate::evaluate::{InPacker, KnownFunction, Release, known_functions};
use crate::expression::Expression;
use crate::module::{Module, Object};
use crate::reference::{Mode, ResourceName};
use crate::rules::without_user;
use crate::show::SchemaKind;
use crate::value::Type;

/// The number of levels of types that are looked into.
const DEPTH: usize = 100;

impl<'t, 'a> Answers<'t, 'a> {
    /// The completions of an expression.
    pub(super) fn in_expression(
        &self,
        entry: &Entry<'a>,
        offset: u32,
        (blocks, value): (&[Header], &Value),
    ) -> Vec<Completion> {
        let mut found = Vec::new();
        match entry.owner {
            Owner::Module(module) => {
                if value.steps.is_empty() {
                    if let Some(parsed) = self.parsed(entry) {
                        let names = variables::around(parsed, offset);
                        found.extend(
                            names.into_iter().map(|name| Completion::new(name, Kind::Variable)),
                        );
                    }
                    self.roots(module, blocks, &mut found);
                    functions(entry.dialect, &mut found);
                } else {
                    self.after(module, (blocks, value), &mut found);
                }
            }
            #[cfg(feature = "packer")]
            Owner::Template(template) => {
                self.in_template(template, &value.steps, &mut found);
                if value.steps.is_empty() {
                    functions(entry.dialect, &mut found);
                }
            }
            #[cfg(not(feature = "packer"))]
            Owner::Template(_) => {}
            Owner::Unit => {}
        }
        found
    }

    /// The first names of references.
    fn roots(&self, module: usize, blocks: &[Header], found: &mut Vec<Completion>) {
        let declared = &self.module(module).module;
        let mut add = |name: &str| found.push(Completion::new(name, Kind::Keyword));
        for (name, is_there) in [
            ("var", !declared.variables.is_empty()),
            ("local", !declared.locals.is_empty()),
            ("module", !declared.calls.is_empty()),
            ("data", has_mode(declared, Mode::Data)),
            ("ephemeral", has_mode(declared, Mode::Ephemeral)),
            ("path", true),
            ("terraform", true),
            ("true", true),
            ("false", true),
            ("null", true),
        ] {
            if is_there {
                add(name);
            }
        }
        let own = blocks.first().and_then(|header| self.repetition(module, header));
        match own {
            Some(Repetition::Count) => add("count"),
            Some(Repetition::Each(_)) => add("each"),
            None => {}
        }
        let is_of_resource = blocks.first().is_some_and(|it| it.block_type == "resource");
        if is_of_resource && blocks.len() > 1 {
            add("self");
        }
        // The iterators of `dynamic` blocks.
        for block in blocks.iter().filter(|it| it.block_type == "dynamic") {
            if let Some(label) = block.labels.first() {
                found.push(Completion::new(label, Kind::Variable));
            }
        }
        let mut types: Vec<&str> = declared
            .resources
            .iter()
            .map(|it| it.address())
            .filter(|it| it.mode == Mode::Managed)
            .map(|it| it.resource_type)
            .collect();
        types.sort_unstable();
        types.dedup();
        found.extend(types.into_iter().map(|name| Completion::new(name, Kind::Resource)));
    }

    /// Adds the names that can follow others that are joined by dots.
    fn after(
        &self,
        module: usize,
        (blocks, value): (&[Header], &Value),
        found: &mut Vec<Completion>,
    ) {
        let declared = &self.module(module).module;
        let steps: Vec<&str> = value.steps.iter().map(String::as_str).collect();
        let keywords = |names: &[&str], found: &mut Vec<Completion>| {
            found.extend(names.iter().map(|name| Completion::new(name, Kind::Attribute)));
        };
        match steps.as_slice() {
            ["var"] => found.extend(declared.variables.iter().map(|variable| {
                let is_hidden = self.hides_variable(module, variable.name);
                let completion = Completion::new(variable.name, Kind::Variable)
                    .with_detail(type_text(variable.written_type, is_hidden))
                    .with_documentation(variable.description);
                Completion { is_deprecated: variable.deprecated.is_some(), ..completion }
            })),
            ["local"] => {
                let names = declared.locals.iter().map(|local| local.name);
                found.extend(names.map(|name| Completion::new(name, Kind::Local)));
            }
            ["module"] => found.extend(declared.calls.iter().map(|call| {
                let completion = Completion::new(call.name, Kind::Module);
                match call.source_text() {
                    Some(source) => completion.with_detail(without_user(source)),
                    None => completion,
                }
            })),
            ["module", name] => {
                let call = declared.calls.iter().find(|call| call.name == *name);
                let called = call
                    .and_then(|call| self.module(module).called_by(Object::ModuleCall(call.name)));
                if let Some(called) = called {
                    found.extend(self.module(called).module.outputs.iter().map(|output| {
                        let completion = Completion::new(output.name, Kind::Output)
                            .with_documentation(output.description);
                        Completion { is_deprecated: output.deprecated.is_some(), ..completion }
                    }));
                }
            }
            ["path"] => keywords(&["module", "root", "cwd"], found),
            ["terraform" | "tofu"] => keywords(&["workspace", "applying"], found),
            ["count"] => keywords(&["index"], found),
            ["each"] => keywords(&["key", "value"], found),
            ["data" | "ephemeral"] => {
                let mode = if steps[0] == "data" { Mode::Data } else { Mode::Ephemeral };
                let mut types: Vec<&str> =
                    resources(declared, mode).map(|it| it.resource_type).collect();
                types.sort_unstable();
                types.dedup();
                found.extend(types.into_iter().map(|name| Completion::new(name, Kind::Resource)));
            }
            ["data", resource_type] => names(declared, Mode::Data, resource_type, found),
            ["ephemeral", resource_type] => names(declared, Mode::Ephemeral, resource_type, found),
            ["data", resource_type, name] => {
                self.attributes(module, (Mode::Data, resource_type, name), found);
            }
            ["ephemeral", resource_type, name] => {
                self.attributes(module, (Mode::Ephemeral, resource_type, name), found);
            }
            ["self"] => {
                if let Some(Header { labels, .. }) = blocks.first()
                    && let [resource_type, name] = labels.as_slice()
                {
                    self.attributes(module, (Mode::Managed, resource_type, name), found);
                }
            }
            ["var", name, rest @ ..] => {
                let variable = declared.variables.iter().find(|it| it.name == *name);
                let ty = variable.and_then(|it| it.constraint).map(|it| it.ty);
                of_type(ty, rest, found);
            }
            ["local", name, rest @ ..] => {
                let local = declared.locals.iter().find(|it| it.name == *name);
                let local = local.map(|local| Object::Local(local.name));
                let ty = local.and_then(|object| self.type_of(Named { module, object }));
                of_type(ty, rest, found);
            }
            ["module", name, output, rest @ ..] => {
                let call = declared.calls.iter().find(|call| call.name == *name);
                let called = call
                    .and_then(|call| self.module(module).called_by(Object::ModuleCall(call.name)));
                if let Some(called) = called {
                    let outputs = &self.module(called).module.outputs;
                    let output = outputs.iter().find(|it| it.name == *output);
                    let object = output.map(|output| Object::Output(output.name));
                    let ty =
                        object.and_then(|object| self.type_of(Named { module: called, object }));
                    of_type(ty, rest, found);
                }
            }
            ["each", "value", rest @ ..] => {
                let repetition = blocks.first().and_then(|header| self.repetition(module, header));
                if let Some(Repetition::Each(expression)) = repetition {
                    self.elements(module, expression, rest, found);
                }
            }
            [resource_type] => {
                names(declared, Mode::Managed, resource_type, found);
                // The iterator of a `dynamic` block.
                let is_iterator = blocks.iter().any(|it| {
                    it.block_type == "dynamic"
                        && it.labels.first().is_some_and(|it| it == resource_type)
                });
                if is_iterator {
                    keywords(&["key", "value"], found);
                }
            }
            [resource_type, name] => {
                self.attributes(module, (Mode::Managed, resource_type, name), found);
            }
            _ => {}
        }
    }

    /// The attributes of a resource: those of its schema, or else those that it sets.
    fn attributes(
        &self,
        module: usize,
        (mode, resource_type, name): (Mode, &str, &str),
        found: &mut Vec<Completion>,
    ) {
        let declared = &self.module(module).module;
        let is_meant = |it: &ResourceName<'_>| {
            it.mode == mode && it.resource_type == resource_type && it.name == name
        };
        let resource = declared.resources.iter().find(|it| is_meant(&it.address()));
        let Some(resource) = resource else { return };
        let address = resource.address();
        let kind = SchemaKind::of_mode(mode);
        let arena = resource.block.source().arena();
        match self.type_schema(module, kind, address.resource_type) {
            Some(schema) => {
                for (name, attribute) in
                    schema.attributes().value().into_iter().flat_map(|it| it.iter())
                {
                    let member = attribute_member(arena, name, attribute);
                    let completion = Completion::new(name, Kind::Attribute)
                        .with_documentation(member.documentation.as_deref());
                    found.push(Completion {
                        detail: member.ty.map(Into::into),
                        is_deprecated: member.is_deprecated,
                        ..completion
                    });
                }
                let blocks = schema.block_types().value();
                let names = blocks.into_iter().flat_map(|it| it.iter()).map(|(name, _)| name);
                found.extend(names.map(|name| Completion::new(name, Kind::Attribute)));
            }
            None => {
                let properties = resource.config().properties();
                let names = properties.map(|it| it.name()).chain(["id"]);
                let mut names: Vec<&str> = names.filter(|name| *name != "//").collect();
                names.sort_unstable();
                names.dedup();
                found.extend(names.into_iter().map(|name| Completion::new(name, Kind::Attribute)));
            }
        }
    }

    /// Returns the argument that repeats the object that a block declares.
    fn repetition(&self, module: usize, header: &Header) -> Option<Repetition<'a>> {
        let declared = &self.module(module).module;
        let (count, for_each) = match (header.block_type.as_str(), header.labels.as_slice()) {
            ("module", [name]) => {
                let call = declared.calls.iter().find(|call| call.name == name)?;
                (call.count, call.for_each)
            }
            ("resource" | "data" | "ephemeral", [resource_type, name]) => {
                let resource = declared.resources.iter().find(|it| {
                    let address = it.address();
                    address.resource_type == resource_type
                        && address.name == name
                        && address.mode.as_str() == mode_of(&header.block_type).as_str()
                })?;
                (resource.count(), resource.for_each())
            }
            _ => return None,
        };
        match (count, for_each) {
            (_, Some(each)) => Some(Repetition::Each(each)),
            (Some(_), None) => Some(Repetition::Count),
            (None, None) => None,
        }
    }

    /// The attributes of the elements of a collection.
    fn elements(
        &self,
        module: usize,
        collection: Expression<'a>,
        path: &[&str],
        found: &mut Vec<Completion>,
    ) {
        // An object that is written here.
        if let Some(mut items) = collection.as_map()
            && !collection.is_string()
        {
            let Some((_, first)) = items.next() else { return };
            let mut value = first;
            for step in path {
                let Some(mut items) = value.as_map() else { return };
                let Some((_, inner)) = items.find(|(key, _)| key.to_str() == *step) else { return };
                value = inner;
            }
            let keys = value.as_map().into_iter().flatten().map(|(key, _)| key.to_str());
            found.extend(keys.map(|name| Completion::new(name, Kind::Attribute)));
            return;
        }
        let Some(traversal) = collection.variables().next() else { return };
        let Some(second) = traversal.steps().get(1).map(|step| step.kind) else { return };
        let crate::native::StepKind::Attribute(name) = second else { return };
        let declared = &self.module(module).module;
        let ty = match traversal.root_name() {
            "var" => {
                let variable = declared.variables.iter().find(|it| it.name == name);
                variable.and_then(|it| it.constraint).map(|it| it.ty)
            }
            "local" => {
                let local = declared.locals.iter().find(|it| it.name == name);
                let object = local.map(|local| Object::Local(local.name));
                object.and_then(|object| self.type_of(Named { module, object }))
            }
            _ => None,
        };
        of_type(ty.and_then(element_of), path, found);
    }

    /// The type of the value of an object, in the first root module that contains it.
    pub(super) fn type_of(&self, named: Named<'a>) -> Option<Type<'a>> {
        let (root, prefix) = self.roots_of(named.module).into_iter().next()?;
        let address = format!("{prefix}{}", named.object);
        let origins = self.with_expansion(root, |expansion| expansion.why(&address)).flatten()?;
        origins.first().map(|origin| origin.value.ty())
    }

    #[cfg(feature = "packer")]
    fn in_template(&self, template: usize, steps: &[String], found: &mut Vec<Completion>) {
        use crate::packer::Object;
        let template = &self.template(template).template;
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let mut add = |name: &str, kind| found.push(Completion::new(name, kind));
        match steps.as_slice() {
            [] => {
                let names = ["var", "local", "data", "source", "build", "path", "packer"];
                names.iter().for_each(|name| add(name, Kind::Keyword));
                ["true", "false", "null"].iter().for_each(|name| add(name, Kind::Keyword));
            }
            ["path"] => ["cwd", "root"].iter().for_each(|name| add(name, Kind::Attribute)),
            ["packer"] => add("version", Kind::Attribute),
            _ => {
                for object in template.objects() {
                    match (steps.as_slice(), object) {
                        (["var"], Object::Variable(name)) => add(name, Kind::Variable),
                        (["local"], Object::Local(name)) => add(name, Kind::Local),
                        (["data"], Object::Data(name)) => add(name.object_type, Kind::Resource),
                        (["source"], Object::Source(name)) => add(name.object_type, Kind::Resource),
                        (["data", object_type], Object::Data(name))
                        | (["source", object_type], Object::Source(name))
                            if name.object_type == *object_type =>
                        {
                            add(name.name, Kind::Resource);
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

/// An argument that repeats an object.
enum Repetition<'a> {
    Count,
    Each(Expression<'a>),
}

fn mode_of(block_type: &str) -> Mode {
    match block_type {
        "data" => Mode::Data,
        "ephemeral" => Mode::Ephemeral,
        _ => Mode::Managed,
    }
}

fn has_mode(module: &Module<'_>, mode: Mode) -> bool {
    resources(module, mode).next().is_some()
}

fn resources<'m, 'a>(
    module: &'m Module<'a>,
    mode: Mode,
) -> impl Iterator<Item = ResourceName<'a>> + 'm {
    module.resources.iter().map(|it| it.address()).filter(move |it| it.mode == mode)
}

/// The names of the resources of a type.
fn names(module: &Module<'_>, mode: Mode, resource_type: &str, found: &mut Vec<Completion>) {
    let names = resources(module, mode).filter(|it| it.resource_type == resource_type);
    found.extend(names.map(|it| Completion::new(it.name, Kind::Resource)));
}

/// The type of the elements of a collection.
fn element_of(ty: Type<'_>) -> Option<Type<'_>> {
    match ty {
        Type::Object(attributes) => attributes.as_slice().first().map(|it| it.ty),
        Type::Tuple(elements) => elements.as_slice().first().copied(),
        ty => ty.element(),
    }
}

/// The attributes of a type below a path.
pub(super) fn of_type(ty: Option<Type<'_>>, path: &[&str], found: &mut Vec<Completion>) {
    let Some(mut ty) = ty else { return };
    for step in path.iter().take(DEPTH) {
        ty = match ty.attribute(step) {
            Some(attribute) => attribute.ty,
            None => match element_of(ty) {
                Some(element) => element,
                None => return,
            },
        };
    }
    // An index may be left out.
    while !matches!(ty, Type::Object(_)) {
        match ty.element() {
            Some(element) => ty = element,
            None => return,
        }
    }
    if let Type::Object(attributes) = ty {
        found.extend(attributes.as_slice().iter().map(|attribute| {
            Completion::new(attribute.name, Kind::Attribute).with_detail(attribute.ty.to_string())
        }));
    }
}

/// The functions of a dialect.
pub(in crate::ask) fn functions(dialect: Dialect, found: &mut Vec<Completion>) {
    let is_there = |function: &&KnownFunction| {
        function.why_gone().is_none()
            && match dialect {
                Dialect::OpenTofu => function.in_opentofu() != Release::Never,
                Dialect::Terraform => function.in_terraform() != Release::Never,
                Dialect::Packer => function.of_packer() != InPacker::Unknown,
            }
    };
    found.extend(known_functions().iter().filter(is_there).map(|function| {
        let completion =
            Completion::new(function.name(), Kind::Function).with_detail(signature(function));
        Completion { snippet: Some(format!("{}($0)", function.name()).into()), ..completion }
    }));
}
