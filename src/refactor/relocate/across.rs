//! Moves a resource or a data source across the border between a module and one that it calls.

use std::collections::{BTreeMap, BTreeSet};

use super::item::{Item, syntax_of};
use super::request::Request;
use crate::dialect::{Dialect, List};
use crate::directory::DecodeOptions;
use crate::edit::{Edit, InvalidText, NewBlock, NewValue, ValueStep};
use crate::facts::{Place, PlaceUse, Places, Target};
use crate::hash::{HashMap, HashSet};
use crate::module::{ModuleCall, Object, Output, ProviderSource, Variable};
use crate::native::{StepKind, Traversal};
use crate::parsed::ParsedFile;
use crate::refactor::callers::for_callers;
use crate::refactor::change::{Change, NotChanged, Refusal};
use crate::refactor::components::components;
use crate::refactor::files::{
    Added, Files, Older, TreeEdits, check_free, check_whole, moved_block, moved_of,
    root_item_around, take_reverse,
};
use crate::refactor::runs::{named_elsewhere, test_elsewhere, test_of};
use crate::refactor::text::{Parts, bound, goes_on, in_json, native_text};
use crate::reference::{Mode, ResourceName};
use crate::span::Span;
use crate::tree::{Link, Origin, Tree, TreeModule};

fn refused(why: impl Into<String>) -> Refusal {
    Refusal::Unsupported(why.into())
}

/// The edits that move a resource into the module that a call of its module leads to.
pub(super) fn into_call<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    request: &Request<'_, 'a>,
    name: &str,
) -> Result<Change<'a>, Refusal> {
    let outer = &tree.modules()[request.module];
    let mut calls = outer.module.calls.iter();
    let call = calls.find(|call| call.name == name);
    let call = call.ok_or_else(|| refused(format!("there is no module.{name}")))?;
    let inner = outer.called_by(Object::ModuleCall(call.name));
    let inner = inner.ok_or_else(|| refused("the module that it calls is not in the tree"))?;
    Border::of(tree, options, (request.module, inner), *call)?.move_inwards(request)
}

/// The edits that move a resource to another module: one that calls its module, or that it calls.
pub(super) fn to_module<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    request: &Request<'_, 'a>,
    other: usize,
) -> Result<Change<'a>, Refusal> {
    let call_of = |outer: usize, inner: usize| -> Option<ModuleCall<'a>> {
        let module = tree.modules().get(outer)?;
        let place = module.links.iter().position(|link| *link == Link::Module(inner))?;
        module.module.calls.iter().nth(place).copied()
    };
    if let Some(call) = call_of(request.module, other) {
        return Border::of(tree, options, (request.module, other), call)?.move_inwards(request);
    }
    let call = call_of(other, request.module)
        .ok_or_else(|| refused("neither of the two modules calls the other one"))?;
    Border::of(tree, options, (other, request.module), call)?.move_outwards(request)
}

/// One of the two modules.
struct Side<'t, 'a> {
    module: &'t TreeModule<'a>,
    places: Places,
    files: Files<'a>,
}

impl<'t, 'a> Side<'t, 'a> {
    fn of(module: &'t TreeModule<'a>, options: &DecodeOptions) -> Result<Self, Refusal> {
        let (places, shadowed) = module.written(options);
        check_whole(module, &places)?;
        let files = Files::of(module, &shadowed);
        Ok(Self { module, places, files })
    }

    /// The file of a module that an item of the same kind is in, or the first one.
    fn file_like(&self, name: &str) -> Result<ParsedFile<'a>, Refusal> {
        let stem = |name: &str| {
            let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
            name.split('.').next().unwrap_or_default().to_owned()
        };
        let primary = || self.module.configuration.iter().filter(|it| it.0 == List::Primary);
        let named = |wanted: &str| primary().find(|it| stem(it.1.source().name()) == wanted);
        let found = named(&stem(name)).or_else(|| named("main")).or_else(|| primary().next());
        match found {
            Some((_, file)) => Ok(*file),
            None => {
                let path = self.module.files.path.to_string_lossy();
                Err(refused(format!("{path} has no configuration file")))
            }
        }
    }

    /// The address of the provider of resources with this type.
    fn provider(&self, name: ResourceName<'_>) -> Option<[String; 3]> {
        let local = name.resource_type.split('_').next().unwrap_or_default();
        let mut required = self.module.module.required_providers();
        let source = required.find(|entry| entry.name == local).and_then(|entry| entry.source);
        let source = match source {
            Some(source) => ProviderSource::parse(source).ok()?,
            None => ProviderSource::of_name(local),
        };
        Some(source.parts_in(self.module.files.dialect))
    }

    /// The variable that an expression is.
    fn variable<'s>(&'s self, text: &'s str) -> Option<&'s Variable<'a>> {
        self.module.module.variables.get(text.strip_prefix("var.")?)
    }

    /// The type of an expression that is a variable or a literal.
    fn type_of(&self, text: &str) -> Option<String> {
        if let Some(variable) = self.variable(text) {
            return type_text(variable, self.module.files.dialect);
        }
        Parts::of(text)?.literal.map(str::to_owned)
    }

    fn number(&self, object: Object<'a>) -> Result<u32, Refusal> {
        let number = self.module.module.object_number(object);
        number.ok_or_else(|| refused(format!("{object} is not declared")))
    }
}

/// A call of a module, which values cross in both directions.
struct Border<'t, 'a> {
    tree: &'t Tree<'a>,
    options: &'t DecodeOptions,
    /// The places of the calling module and of the called one.
    of_modules: [usize; 2],
    outer: Side<'t, 'a>,
    inner: Side<'t, 'a>,
    call: ModuleCall<'a>,
    dialect: Dialect,
    edits: TreeEdits<'a>,
    variables: Crossings<'a>,
    outputs: Crossings<'a>,
    /// The bytes of expressions that are written in the place of references.
    added: Added,
    /// The first names of the references in the expressions that are written into the object.
    roots: BTreeSet<String>,
    /// The comments that its destination cannot have.
    lost: Option<NotChanged<'a>>,
}

/// The values that cross a border in one direction, by the expressions on the side that they come
/// from.
struct Crossings<'a> {
    /// Declarations that exist, and have the values of expressions as they are.
    existing: HashMap<String, &'a str>,
    /// New declarations: their names, and the text of their blocks.
    new: BTreeMap<String, (String, String)>,
    names: Names,
}

/// The part of a reference that crosses the border.
struct Crossing {
    /// The bytes of the part.
    span: Span,
    /// It as an expression.
    text: String,
    /// The name of a variable or an output for it.
    name: String,
}

impl Crossing {
    /// The start of a reference: the object with at most one attribute.
    fn of(traversal: Traversal<'_>) -> Option<Self> {
        let steps = traversal.steps();
        let names: Vec<&str> = steps
            .iter()
            .map_while(|step| match step.kind {
                StepKind::Root(name) | StepKind::Attribute(name) => Some(name),
                StepKind::Index(_) | StepKind::Splat => None,
            })
            .collect();
        let root = *names.first()?;
        // The names of the object, those of its type, and the most that are taken.
        let (least, skipped, most) = match root {
            "var" | "local" => (2, 1, 2),
            "module" => (2, 1, 3),
            "data" | "ephemeral" => (3, 2, 4),
            "path" | "terraform" | "tofu" => (2, 0, 2),
            _ => (2, 1, 3),
        };
        if names.len() < least {
            return None;
        }
        let taken = &names[..names.len().min(most)];
        let last = steps.get(taken.len() - 1)?;
        Some(Self {
            span: Span::new(steps.first()?.span.start, last.span.end),
            text: taken.join("."),
            name: taken[skipped..].join("_"),
        })
    }
}

impl<'t, 'a> Border<'t, 'a> {
    fn of(
        tree: &'t Tree<'a>,
        options: &'t DecodeOptions,
        (outer_place, inner_place): (usize, usize),
        call: ModuleCall<'a>,
    ) -> Result<Self, Refusal> {
        let (outer, inner) = (&tree.modules()[outer_place], &tree.modules()[inner_place]);
        if [outer, inner].iter().any(|module| module.origin == Origin::Installed) {
            return Err(refused("the module is installed: change it where it comes from"));
        }
        let links = tree.modules().iter().flat_map(|module| &module.links);
        if links.filter(|link| **link == Link::Module(inner_place)).count() != 1 {
            let path = inner.files.path.to_string_lossy();
            return Err(refused(format!("{path} is called more than once")));
        }
        if components(tree).contains_key(&inner_place) {
            let path = inner.files.path.to_string_lossy();
            return Err(refused(format!("a component of a stack runs {path}")));
        }
        if let Some(file) = test_elsewhere(tree, inner_place) {
            let path = inner.files.path.to_string_lossy();
            return Err(refused(format!("the tests in {file} run {path}, too")));
        }
        if call.count.is_some() || call.for_each.is_some() || call.enabled.is_some() {
            return Err(refused(format!("module.{} has several instances", call.name)));
        }
        if !call.providers.is_empty() {
            return Err(refused(format!("module.{} is passed other providers", call.name)));
        }
        let (outer, inner) = (Side::of(outer, options)?, Side::of(inner, options)?);
        let mut edits = TreeEdits::new(tree, true);
        [outer_place, inner_place].into_iter().for_each(|place| edits.reads(place));
        Ok(Self {
            tree,
            options,
            of_modules: [outer_place, inner_place],
            variables: variables(&outer, &inner, call),
            outputs: outputs(&inner),
            dialect: outer.module.files.dialect,
            outer,
            inner,
            call,
            edits,
            added: Added::default(),
            roots: BTreeSet::new(),
            lost: None,
        })
    }

    /// Refuses what cannot cross the border, and returns the number of the resource in its module.
    fn check(
        &self,
        request: &Request<'_, 'a>,
        from: &Side<'t, 'a>,
        to: &Side<'t, 'a>,
    ) -> Result<u32, Refusal> {
        let Request { object, has_moved, .. } = *request;
        let Object::Resource(name) = object else {
            return Err(refused(format!("{object} is not a resource or a data source")));
        };
        if name.mode != Mode::Managed && name.mode != Mode::Data {
            return Err(refused(format!("{object} is not a resource or a data source")));
        }
        check_free(to.module, &to.places, object, name.name, &|_| false)?;
        if from.provider(name) != to.provider(name) {
            return Err(refused(format!("the other module has another provider for {object}")));
        }
        let local = name.resource_type.split('_').next().unwrap_or_default();
        let configures = self.inner.module.module.providers.iter().any(|it| it.name == local);
        if configures {
            return Err(refused(format!("the called module configures the provider {local}")));
        }
        self.check_addresses(object, has_moved)?;
        if let Some(file) = named_elsewhere(self.tree, request.module, object) {
            return Err(refused(format!("the tests in {file} name it")));
        }
        from.number(object)
    }

    /// Refuses an object that a calling module, directly or not, names by its address, before or after
    /// the move.
    fn check_addresses(&self, object: Object<'a>, has_moved: bool) -> Result<(), Refusal> {
        let address = object.to_string();
        for owner in self.of_modules {
            let owner = (owner, std::slice::from_ref(&address));
            for_callers(self.tree, self.options, owner, |call| {
                let places = &call.of.places;
                // Blocks that say what it was called make a chain with the new one.
                let is_free =
                    |place: &Place| has_moved && moved_of(call.module, places, place).is_some();
                match call.addressed().iter().all(|(_, place)| is_free(place)) {
                    true => Ok(()),
                    false => {
                        let path = call.module.files.path.to_string_lossy();
                        Err(refused(format!("{path} names {address} by its address")))
                    }
                }
            })?;
        }
        Ok(())
    }

    /// The variable of the inner module that has the value of an expression of the outer one.
    fn variable(&mut self, crossing: &Crossing) -> String {
        if let Some(name) = self.variables.existing.get(&crossing.text) {
            return (*name).to_owned();
        }
        if let Some((name, _)) = self.variables.new.get(&crossing.text) {
            return name.clone();
        }
        let name = self.variables.names.unique(&crossing.name);
        let known = self.outer.variable(&crossing.text);
        let type_text = known.and_then(|known| type_text(known, self.dialect));
        let type_text = type_text.unwrap_or_else(|| "any".to_owned());
        let marks = [
            ("sensitive", known.and_then(|known| known.sensitive)),
            ("ephemeral", known.and_then(|known| known.ephemeral)),
        ];
        let marks = marks.iter().filter(|(_, is_set)| *is_set == Some(true));
        let marks: String = marks.map(|(mark, _)| format!("  {mark} = true\n")).collect();
        let space = if marks.is_empty() { "" } else { "     " };
        let block = format!("variable \"{name}\" {{\n  type{space} = {type_text}\n{marks}}}");
        self.variables.new.insert(crossing.text.clone(), (name.clone(), block));
        name
    }

    /// The output of the inner module that has the value of one of its expressions.
    fn output(&mut self, crossing: &Crossing) -> String {
        if let Some(name) = self.outputs.existing.get(&crossing.text) {
            return (*name).to_owned();
        }
        if let Some((name, _)) = self.outputs.new.get(&crossing.text) {
            return name.clone();
        }
        let name = self.outputs.names.unique(&crossing.name);
        let block = format!("output \"{name}\" {{\n  value = {}\n}}", crossing.text);
        self.outputs.new.insert(crossing.text.clone(), (name.clone(), block));
        name
    }

    fn move_inwards(mut self, request: &Request<'_, 'a>) -> Result<Change<'a>, Refusal> {
        let object = request.object;
        let number = self.check(request, &self.outer, &self.inner)?;
        let item = Item::find(self.outer.module, (&self.outer.places, &self.outer.files), object)?;
        let call = self.call.name;
        let mut inside = Vec::new();
        for place in references_of(&self.outer, &item, number)? {
            let target = self.outer.places.target(&place);
            let traversal = self.outer.places.traversal(&place, item.file.source());
            let crossing = traversal.and_then(Crossing::of);
            let target = match target {
                Target::BuiltIn(name) if name != "path.module" => continue,
                target => target,
            };
            let mut crossing = crossing.ok_or_else(|| cannot_replace(&item, &place))?;
            let has_steps = goes_on(item.file.source().bytes(), crossing.span.end);
            let own = match target {
                Target::Output { call: number, name } => {
                    let is_own = self.outer.module.module.object(number);
                    (is_own == Some(Object::ModuleCall(call))).then(|| name.to_owned())
                }
                _ => None,
            };
            let text = match own {
                Some(output) => self.value_of_output(&output, has_steps)?,
                None => {
                    if crossing.text == "path.module" {
                        crossing.name = "module_path".to_owned();
                    }
                    self.roots.insert("var".to_owned());
                    format!("var.{}", self.variable(&crossing))
                }
            };
            self.added.add(&text)?;
            inside.push(replacement(&place, crossing.span, &text));
        }
        self.check_names(&item)?;
        // References to it become references to outputs.
        let moved_from = request.has_moved && is_managed(object);
        let target = Target::Object(number);
        let places: Vec<Place> = self.outer.places.of_target(target).copied().collect();
        let mut checked = Checked::default();
        for place in places {
            let file = self.outer.files.get(&self.outer.places, &place);
            let file = file.ok_or_else(|| cannot_replace(&item, &place))?;
            let is_moved = moved_of(self.outer.module, &self.outer.places, &place).is_some();
            match place.usage() {
                PlaceUse::Declaration => continue,
                PlaceUse::Address if is_moved && moved_from => continue,
                PlaceUse::Order => {
                    self.edits.replace(file, place.span(), &format!("module.{call}"));
                    continue;
                }
                PlaceUse::Address | PlaceUse::Value | PlaceUse::Argument => {}
                _ => return Err(cannot_replace_in(file, &place)),
            }
            let traversal = self.outer.places.traversal(&place, file.source());
            let traversal = traversal.ok_or_else(|| cannot_replace_in(file, &place))?;
            if place.usage() == PlaceUse::Address {
                let root = traversal.steps().first().map_or(place.span(), |step| step.span);
                let name = traversal.root_name();
                self.edits.replace(file, root, &format!("module.{call}.{name}"));
                continue;
            }
            let crossing = Crossing::of(traversal);
            let crossing = crossing.ok_or_else(|| cannot_replace_in(file, &place))?;
            checked.check(file, "module")?;
            let output = self.output(&crossing);
            self.edits.replace(file, crossing.span, &format!("module.{call}.{output}"));
        }
        let to = self.inner.file_like(item.file.source().name())?;
        self.edits.of(item.file).remove_named(item.name);
        self.lost = item.lost_comments(syntax_of(to));
        let block = item.block(inside)?;
        self.edits.of(to).add_block(block, None);
        let moved = (object.to_string(), format!("module.{call}.{object}"));
        self.finish(request, object, moved)
    }

    fn move_outwards(mut self, request: &Request<'_, 'a>) -> Result<Change<'a>, Refusal> {
        let object = request.object;
        let number = self.check(request, &self.inner, &self.outer)?;
        let item = Item::find(self.inner.module, (&self.inner.places, &self.inner.files), object)?;
        let call = self.call.name;
        let mut inside = Vec::new();
        for place in references_of(&self.inner, &item, number)? {
            let target = self.inner.places.target(&place);
            match target {
                Target::BuiltIn("path.module") => {
                    return Err(refused("it uses path.module, which is another one there"));
                }
                Target::BuiltIn(_) => continue,
                _ => {}
            }
            let traversal = self.inner.places.traversal(&place, item.file.source());
            let crossing = traversal.and_then(Crossing::of);
            let crossing = crossing.ok_or_else(|| cannot_replace(&item, &place))?;
            let has_steps = goes_on(item.file.source().bytes(), crossing.span.end);
            let variable = match target {
                Target::Object(number) => match self.inner.module.module.object(number) {
                    Some(Object::Variable(name)) => Some(name),
                    _ => None,
                },
                _ => None,
            };
            let text = match variable {
                Some(name) => self.value_of_variable(name, has_steps)?,
                None => None,
            };
            let text = text.unwrap_or_else(|| {
                self.roots.insert("module".to_owned());
                format!("module.{call}.{}", self.output(&crossing))
            });
            self.added.add(&text)?;
            inside.push(replacement(&place, crossing.span, &text));
        }
        self.check_names(&item)?;
        let target = Target::Object(number);
        let places: Vec<Place> = self.inner.places.of_target(target).copied().collect();
        let mut checked = Checked::default();
        for place in places {
            let file = self.inner.files.get(&self.inner.places, &place);
            let file = file.ok_or_else(|| cannot_replace(&item, &place))?;
            match place.usage() {
                PlaceUse::Declaration | PlaceUse::Address => continue,
                PlaceUse::Value | PlaceUse::Argument => {}
                _ => return Err(cannot_replace_in(file, &place)),
            }
            let traversal = self.inner.places.traversal(&place, file.source());
            let crossing = traversal.and_then(Crossing::of);
            let crossing = crossing.ok_or_else(|| cannot_replace_in(file, &place))?;
            checked.check(file, "var")?;
            let variable = self.variable(&crossing);
            self.edits.replace(file, crossing.span, &format!("var.{variable}"));
        }
        let to = self.outer.file_like(self.call.block.source().name())?;
        self.edits.of(item.file).remove_named(item.name);
        self.lost = item.lost_comments(syntax_of(to));
        let block = item.block(inside)?;
        let after = self.after_call(to);
        self.edits.of(to).add_block(block, after);
        let moved = (format!("module.{call}.{object}"), object.to_string());
        self.finish(request, object, moved)
    }

    /// The value of an output of the inner module, as a part of an expression there.
    fn value_of_output(&mut self, name: &str, has_steps: bool) -> Result<String, Refusal> {
        let output = self.inner.module.module.outputs.get(name);
        if output.is_some_and(|output| !is_plain(output)) {
            return Err(refused(format!("output.{name} says more about its value")));
        }
        let value = output.and_then(|output| output.value);
        let text = value.and_then(|value| native_text(value, self.dialect));
        self.operand(text, has_steps, &format!("output.{name}"))
    }

    /// The value of a variable of the inner module, as a part of an expression of the outer one. `None`
    /// if the variable may change the value that it is set to.
    fn value_of_variable(
        &mut self,
        name: &str,
        has_steps: bool,
    ) -> Result<Option<String>, Refusal> {
        let argument = self.call.arguments.iter().find(|argument| argument.name() == name);
        let Some(variable) = self.inner.module.module.variables.get(name) else { return Ok(None) };
        if variable.ephemeral == Some(true) {
            return Err(refused(format!("var.{name} is ephemeral")));
        }
        let value = argument.map(|argument| argument.expression()).or(variable.default);
        let Some(value) = value else { return Ok(None) };
        let text = native_text(value, self.dialect);
        let value_type = text.as_deref().and_then(|text| self.outer.type_of(text));
        if !keeps(variable, value_type.as_deref(), self.dialect) {
            return Ok(None);
        }
        self.operand(text, has_steps, &format!("var.{name}")).map(Some)
    }

    /// The value of an object as a part of an expression, whose names are noted.
    fn operand(
        &mut self,
        text: Option<String>,
        has_steps: bool,
        object: &str,
    ) -> Result<String, Refusal> {
        let why = || refused(format!("the value of {object} cannot stand elsewhere"));
        let text = text.ok_or_else(why)?;
        let parts = Parts::of(&text).ok_or_else(why)?;
        let needs_parentheses = parts.needs_parentheses(has_steps);
        self.roots.extend(parts.roots);
        Ok(if needs_parentheses { format!("({text})") } else { text })
    }

    /// Refuses an object in which a `for` expression gives another meaning to the first name of a new
    /// reference.
    fn check_names(&self, item: &Item<'_>) -> Result<(), Refusal> {
        let text = item.span().slice(item.file.source().bytes());
        match bound(str::from_utf8(text).unwrap_or_default(), &self.roots) {
            Some(name) => Err(refused(format!("`{name}` has another meaning in it"))),
            None => Ok(()),
        }
    }

    /// Where a block is added behind the call.
    fn after_call(&self, file: ParsedFile<'a>) -> Option<Span> {
        let block = self.call.block;
        let is_here = block.source().id() == file.source().id();
        root_item_around(file, block.span()).filter(|_| is_here)
    }

    /// Declares what crosses the border, and tells the tools about the new address.
    fn finish(
        mut self,
        request: &Request<'_, 'a>,
        object: Object<'a>,
        (from, to): (String, String),
    ) -> Result<Change<'a>, Refusal> {
        let kind = Some((self.dialect, List::Primary));
        let invalid = |error: InvalidText| refused(error.to_string());
        let call_file = self.call.block.source();
        let call_file = self.outer.files.named(call_file.name());
        let call_file = call_file.ok_or_else(|| refused("the file of the call is not known"))?;
        let body = self.call.block.body();
        let body = match (body.as_native(), body.as_json()) {
            (Some(native), _) => native.span(),
            (None, Some(node)) if node.is_object() => node.span(),
            _ => return Err(refused("the call is written in a list of blocks")),
        };
        if let Some((name, _)) = self.variables.new.values().next() {
            // A test would have to give the variable a value.
            if let Some(file) = test_of(self.tree, self.of_modules[1]) {
                let why =
                    format!("the tests in {file} run the module, which would need var.{name}");
                return Err(refused(why));
            }
        }
        let variables = self.inner.file_like("variables.tf")?;
        for (value, (name, block)) in &self.variables.new {
            let block = NewBlock::parse(kind, block).map_err(invalid)?;
            self.edits.of(variables).add_block(block, None);
            let path = [
                ValueStep::Member("module"),
                ValueStep::Member(self.call.name),
                ValueStep::Member(name),
            ];
            let value = NewValue::at(kind, &path, 2, value).map_err(invalid)?;
            self.edits.of(call_file).add_attribute(body, name.as_str(), value);
        }
        let outputs = self.inner.file_like("outputs.tf")?;
        for (_, block) in self.outputs.new.values() {
            let block = NewBlock::parse(kind, block).map_err(invalid)?;
            self.edits.of(outputs).add_block(block, None);
        }
        let mut change = Change::default();
        change.not_changed.extend(self.lost);
        if request.has_moved && is_managed(object) {
            let (outer, files) = (self.outer.module, &self.outer.files);
            let blocks = &outer.module.moved;
            let older = Older { is_chained: true, is_applied: request.is_applied };
            let reverse = take_reverse(blocks, files, &mut self.edits, (&from, &to), older)?;
            if let Some(reverse) = reverse {
                reverse.tell(&mut change, older, (&from, &to));
            } else {
                let block = moved_block(self.dialect, &from, &to)?;
                let after = self.after_call(call_file);
                self.edits.of(call_file).add_block(block, after);
            }
            change.moved.push((from, to));
        }
        change.files = self.edits.finish()?;
        Ok(change)
    }
}

/// The references that an object makes. Refuses those that cannot become others.
fn references_of(side: &Side<'_, '_>, item: &Item<'_>, number: u32) -> Result<Vec<Place>, Refusal> {
    let whole = item.span();
    let is_inside = |place: &Place| {
        let span = place.span();
        side.places.file(place) == item.file.source().name()
            && whole.start <= span.start
            && span.end <= whole.end
    };
    let mut found = Vec::new();
    for place in side.places.iter() {
        if side.places.user(place) != Some(number) || place.is_part() {
            continue;
        }
        let target = side.places.target(place);
        let file = || side.places.file(place);
        match place.usage() {
            PlaceUse::Declaration | PlaceUse::Implied => continue,
            // A reference to itself stays.
            _ if target == Target::Object(number) => continue,
            PlaceUse::Value if place.has_effect() && is_inside(place) => {}
            PlaceUse::Value => return Err(refused(format!("{} overrides it", file()))),
            PlaceUse::Provider => {
                return Err(refused("it has a provider configuration of its own"));
            }
            PlaceUse::Order => return Err(refused("it has `depends_on`")),
            PlaceUse::Trigger => return Err(refused("it has `replace_triggered_by`")),
            _ => return Err(refused(format!("{} has a reference that cannot be passed", file()))),
        }
        match target {
            Target::Undeclared(address) => {
                return Err(refused(format!("it refers to {address}, which is not declared")));
            }
            Target::Function(name) => return Err(refused(format!("it calls {name}"))),
            _ => found.push(*place),
        }
    }
    Ok(found)
}

/// The files that were searched for another meaning of a name.
#[derive(Default)]
struct Checked(HashSet<u32>);

impl Checked {
    /// Refuses a file in which a `for` expression gives another meaning to the first name of a new
    /// reference.
    fn check(&mut self, file: ParsedFile<'_>, root: &str) -> Result<(), Refusal> {
        let source = file.source();
        let names = BTreeSet::from([root.to_owned()]);
        let text = str::from_utf8(source.bytes()).unwrap_or_default();
        match self.0.insert(source.id()) && bound(text, &names).is_some() {
            true => {
                let file = source.name();
                Err(refused(format!("`{root}` has another meaning in {file}")))
            }
            false => Ok(()),
        }
    }
}

fn replacement(place: &Place, span: Span, text: &str) -> Edit {
    match place.is_in_json() {
        true => Edit::new(span, in_json(text)),
        false => Edit::new(span, text),
    }
}

fn is_managed(object: Object<'_>) -> bool {
    matches!(object, Object::Resource(name) if name.mode == Mode::Managed)
}

fn cannot_replace(item: &Item<'_>, place: &Place) -> Refusal {
    cannot_replace_in(item.file, place)
}

fn cannot_replace_in(file: ParsedFile<'_>, place: &Place) -> Refusal {
    let source = file.source();
    let start = source.position(place.span().start);
    let (name, line, column) = (source.name(), start.line, start.column);
    refused(format!("{name}:{line}:{column}: a reference that cannot be passed"))
}

/// The type of a variable as native text.
fn type_text(variable: &Variable<'_>, dialect: Dialect) -> Option<String> {
    let written = variable.written_type?;
    // In JSON it is a string that holds the type.
    match written.is_json() {
        true => written.to_str().map(str::to_owned),
        false => native_text(written, dialect),
    }
}

/// Whether a variable has the value that it is set to, which has this type if it is known: no
/// conversion, default or mark makes another one of it.
fn keeps(variable: &Variable<'_>, value_type: Option<&str>, dialect: Dialect) -> bool {
    let is_converted = match type_text(variable, dialect) {
        None => variable.constraint.is_some(),
        Some(wanted) => wanted != "any" && value_type != Some(&*wanted),
    };
    !is_converted && !variable.marks().hides() && variable.nullable != Some(false)
}

/// Whether an output is its value and nothing else.
fn is_plain(output: &Output<'_>) -> bool {
    output.preconditions.is_empty()
        && output.constraint.is_none()
        && output.depends_on.is_empty()
        && output.sensitive != Some(true)
        && output.ephemeral != Some(true)
}

/// The variables of an inner module, by the expressions of the outer one.
fn variables<'a>(
    outer: &Side<'_, 'a>,
    inner: &Side<'_, 'a>,
    call: ModuleCall<'a>,
) -> Crossings<'a> {
    let dialect = outer.module.files.dialect;
    let declared = &inner.module.module.variables;
    let mut existing = HashMap::default();
    for argument in call.arguments {
        let Some(variable) = declared.get(argument.name()) else { continue };
        let Some(text) = native_text(argument.expression(), dialect) else { continue };
        if keeps(variable, outer.type_of(&text).as_deref(), dialect) {
            existing.entry(text).or_insert(variable.name);
        }
    }
    let undeclared = inner.places.outside().filter_map(|target| match target {
        Target::Undeclared(address) => address.strip_prefix("var."),
        _ => None,
    });
    let names = declared.iter().map(|variable| variable.name).chain(undeclared);
    Crossings { existing, new: BTreeMap::new(), names: Names::of(names) }
}

/// The outputs of an inner module, by its expressions.
fn outputs<'a>(inner: &Side<'_, 'a>) -> Crossings<'a> {
    let mut existing = HashMap::default();
    for output in inner.module.module.outputs.iter().filter(|output| is_plain(output)) {
        let text = output.value.and_then(|value| native_text(value, inner.module.files.dialect));
        if let Some(text) = text {
            existing.entry(text).or_insert(output.name);
        }
    }
    let names = inner.module.module.outputs.iter().map(|output| output.name);
    Crossings { existing, new: BTreeMap::new(), names: Names::of(names) }
}

/// Names that are taken.
struct Names {
    taken: HashSet<String>,
    /// The number behind the next name, by name.
    next: HashMap<String, u32>,
}

impl Names {
    fn of<'n>(taken: impl Iterator<Item = &'n str>) -> Self {
        Self { taken: taken.map(str::to_owned).collect(), next: HashMap::default() }
    }

    /// A name that is free, and taken from now on: with a number behind it if the name is taken.
    fn unique(&mut self, name: &str) -> String {
        let mut found = name.to_owned();
        while Variable::is_reserved(&found) || !self.taken.insert(found.clone()) {
            let next = self.next.entry(name.to_owned()).or_insert(1);
            *next += 1;
            found = format!("{name}_{next}");
        }
        found
    }
}
