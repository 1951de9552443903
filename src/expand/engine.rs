//! The engine: computes nodes on demand, without recursion, and keeps them.

use std::cell::{Cell, RefCell};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use super::evaluation::Evaluation;
use super::inputs::Inputs;
use super::instance::{CallSite, Child, ModuleInstance};
use super::keys::{Keys, Repetition};
use super::node::Node;
use super::{resource, variable};
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::dialect::Dialect;
use crate::evaluate::Meter;
use crate::expression::Expression;
use crate::hash::{HashMap, HashSet};
use crate::module::{ProviderNames, Resource, Wanted, check_wanted};
use crate::show::{BodySchema, SchemaKind};
use crate::span::Span;
use crate::tree::{Link, Tree};
use crate::typed::Find;
use crate::value::{Type, Value, convert};

/// The maximum number of calls around a module.
const MAX_DEPTH: usize = 100;

/// The bytes that an instance of a module needs, apart from its values.
const MODULE_BYTES: u64 = 1024;

/// An evaluation of a root module and the modules that it calls. See [`Tree::expand`].
pub struct Expansion<'t, 'a> {
    pub(super) tree: &'t Tree<'a>,
    pub(super) inputs: &'t Inputs<'t, 'a>,
    /// What is left of the budget.
    pub(super) meter: Meter,
    /// The value of `terraform`.
    pub(super) tool: Value<'a>,
    dialect: Dialect,
    is_exhausted: Cell<bool>,
    modules: RefCell<Vec<Rc<ModuleInstance<'t, 'a>>>>,
    /// The values of nodes; `None` while they are computed.
    values: RefCell<HashMap<Node<'a>, Option<Value<'a>>>>,
    keys: RefCell<HashMap<Node<'a>, Option<Keys<'a>>>>,
    children: RefCell<HashMap<(u32, u32), Child>>,
    /// By module of the tree.
    providers: RefCell<HashMap<usize, Rc<Providers<'t, 'a>>>>,
    diagnostics: RefCell<Vec<Diagnostic<'a>>>,
    reported: RefCell<HashSet<(u32, Span, Code)>>,
}

/// The providers of a module of the tree.
pub(super) struct Providers<'t, 'a> {
    find: RefCell<Find<'t, 'a>>,
    names: ProviderNames<'a>,
    full: RefCell<HashMap<&'a str, &'a str>>,
}

impl std::fmt::Debug for Expansion<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expansion").finish_non_exhaustive()
    }
}

impl<'t, 'a> Expansion<'t, 'a> {
    pub(super) fn new(tree: &'t Tree<'a>, root: usize, inputs: &'t Inputs<'t, 'a>) -> Self {
        let arena = inputs.arena;
        let declared = &tree.modules()[root];
        let workspace = Value::string(arena, inputs.workspace);
        let applying = Value::bool(false).with_marks(crate::value::Marks::EPHEMERAL);
        let tool = [("applying", applying), ("workspace", workspace)];
        let expansion = Self {
            tree,
            inputs,
            meter: Meter::new(inputs.budget),
            tool: Value::object(arena, &tool),
            dialect: declared.module.dialect,
            is_exhausted: Cell::new(false),
            modules: RefCell::default(),
            values: RefCell::default(),
            keys: RefCell::default(),
            children: RefCell::default(),
            providers: RefCell::default(),
            diagnostics: RefCell::default(),
            reported: RefCell::default(),
        };
        let path = expansion.path(".");
        expansion.modules.borrow_mut().push(Rc::new(ModuleInstance {
            place: root,
            declared,
            call: None,
            address: String::new(),
            path,
            depth: 0,
        }));
        expansion
    }

    /// The diagnostics of everything that has been evaluated so far, without those of the tree.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic<'a>> {
        self.diagnostics.borrow().clone()
    }

    /// The value of an output of the root module; `None` if it has no output of that name.
    #[must_use]
    pub fn output(&self, name: &str) -> Option<Value<'a>> {
        let place = self.module(0).declared.module.outputs.place(name)?;
        Some(self.force(Node::Output(0, place)))
    }

    /// The outputs of the root module, sorted by name. All are evaluated.
    #[must_use]
    pub fn outputs(&self) -> Vec<(&'a str, Value<'a>)> {
        let module = self.module(0);
        let outputs = (0..).zip(&module.declared.module.outputs);
        let mut all: Vec<_> = outputs
            .map(|(place, output)| (output.name, self.force(Node::Output(0, place))))
            .collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }

    /// The variables of the root module, sorted by name. All are evaluated.
    #[must_use]
    pub fn variables(&self) -> Vec<(&'a str, Value<'a>)> {
        let module = self.module(0);
        let variables = (0..).zip(&module.declared.module.variables);
        let mut all: Vec<_> = variables
            .map(|(place, variable)| (variable.name, self.force(Node::Variable(0, place))))
            .collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all
    }

    /// The value of a variable of the root module; `None` if it has no variable of that name.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<Value<'a>> {
        let place = self.module(0).declared.module.variables.place(name)?;
        Some(self.force(Node::Variable(0, place)))
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(super) fn module(&self, number: u32) -> Rc<ModuleInstance<'t, 'a>> {
        Rc::clone(&self.modules.borrow()[number as usize])
    }

    /// Reports a fact once, however many instances it is found in.
    pub(super) fn report(&self, diagnostic: Diagnostic<'a>) {
        let fact = (diagnostic.source().id(), diagnostic.span(), diagnostic.code());
        if self.reported.borrow_mut().insert(fact) {
            self.diagnostics.borrow_mut().push(diagnostic);
        }
    }

    /// Reports that the budget is exhausted, once.
    pub(super) fn exhausted(&self, label: Label<'a>) {
        if let Some(limit) = self.meter.exhausted()
            && !self.is_exhausted.replace(true)
        {
            self.report(Diagnostic::new(limit.code(), label));
        }
    }

    /// The value of a node, if it has one; otherwise it is unknown, and becomes a missing node. A
    /// node that depends on itself is unknown.
    pub(super) fn kept(&self, node: Node<'a>, missing: &RefCell<Vec<Node<'a>>>) -> Value<'a> {
        match self.values.borrow().get(&node) {
            Some(value) => value.unwrap_or_else(Value::dynamic),
            None => {
                missing.borrow_mut().push(node);
                Value::dynamic()
            }
        }
    }

    /// The keys of a node, if they are known by now.
    pub(super) fn kept_keys(
        &self,
        node: Node<'a>,
        missing: &RefCell<Vec<Node<'a>>>,
    ) -> Option<Keys<'a>> {
        let keys = self.keys.borrow().get(&node).copied();
        if keys.is_none() {
            missing.borrow_mut().push(node);
        }
        keys.flatten()
    }

    /// The value of a node, which is computed if need be.
    pub(super) fn force(&self, node: Node<'a>) -> Value<'a> {
        self.compute(node);
        self.values.borrow().get(&node).copied().flatten().unwrap_or_else(Value::dynamic)
    }

    /// The keys of a node.
    pub(super) fn force_keys(&self, node: Node<'a>) -> Keys<'a> {
        self.compute(node);
        let keys = self.keys.borrow().get(&node).copied().flatten();
        keys.unwrap_or(Keys::Unknown(Repetition::Count))
    }

    /// Computes nodes, and what they need.
    pub(super) fn compute_all(&self, nodes: Vec<Node<'a>>) {
        nodes.into_iter().for_each(|node| self.compute(node));
    }

    fn compute(&self, node: Node<'a>) {
        let mut stack = vec![node];
        while let Some(&top) = stack.last() {
            if self.is_done(top) {
                stack.pop();
                continue;
            }
            let missing = self.attempt(top);
            if missing.is_empty() {
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
    }

    /// Whether a node has its value. Marks it as being computed.
    fn is_done(&self, node: Node<'a>) -> bool {
        match node {
            Node::ResourceKeys(..) | Node::CallKeys(..) => {
                self.keys.borrow_mut().entry(node).or_insert(None).is_some()
            }
            _ => self.values.borrow_mut().entry(node).or_insert(None).is_some(),
        }
    }

    /// Computes a node. Returns the nodes that it needs first.
    fn attempt(&self, node: Node<'a>) -> Vec<Node<'a>> {
        let arena = self.inputs.arena;
        let at = match node {
            Node::Variable(module, _)
            | Node::Local(module, _)
            | Node::Output(module, _)
            | Node::ResourceKeys(module, _)
            | Node::CallKeys(module, _)
            | Node::Resource(module, _)
            | Node::Attribute(module, ..)
            | Node::Call(module, _) => module,
        };
        let module = self.module(at);
        let declared = &module.declared.module;
        let mut evaluation = Evaluation::new(self, at, (arena, false));
        let value = match node {
            Node::Variable(_, place) => {
                let Some(variable) = declared.variables.at(place) else { return Vec::new() };
                match &module.call {
                    None => {
                        let given = self.inputs.given(variable.name, &module.declared.assignments);
                        variable::of_root(
                            self,
                            variable,
                            given,
                            &mut *evaluation.found.borrow_mut(),
                        )
                    }
                    Some(call) => {
                        evaluation =
                            Evaluation::new(self, call.module, (arena, false)).with_key(call.key);
                        let argument = call.arguments.get(variable.name);
                        let given = argument
                            .map(|&argument| (evaluation.value(argument), argument.start_label()));
                        variable::of_given(
                            arena,
                            variable,
                            given,
                            &mut *evaluation.found.borrow_mut(),
                        )
                    }
                }
            }
            Node::Local(_, place) => match declared.locals.at(place) {
                Some(local) => evaluation.value(local.value()),
                None => Value::dynamic(),
            },
            Node::Output(_, place) => {
                let Some(output) = declared.outputs.at(place) else { return Vec::new() };
                let mut value = output.value.map_or_else(Value::dynamic, |it| evaluation.value(it));
                if let Some(constraint) = output.constraint {
                    let strict = constraint.ty.without_optional_attributes(arena);
                    value = constraint
                        .apply(arena, value, &mut ())
                        .unwrap_or_else(|_| Value::unknown(strict));
                }
                variable::marked(value, output.sensitive, output.ephemeral)
            }
            Node::ResourceKeys(_, place) => {
                let Some(resource) = declared.resources.at(place) else { return Vec::new() };
                let enabled = resource.lifecycle.and_then(|lifecycle| lifecycle.enabled);
                return self.keep_keys(
                    node,
                    evaluation,
                    (resource.count, resource.for_each, enabled.map(Attribute::expression)),
                );
            }
            Node::CallKeys(_, place) => {
                let Some(call) = declared.calls.at(place) else { return Vec::new() };
                let enabled = call.enabled.map(Attribute::expression);
                return self.keep_keys(node, evaluation, (call.count, call.for_each, enabled));
            }
            Node::Resource(_, place) => {
                let Some(resource) = declared.resources.at(place) else { return Vec::new() };
                let keys = self.kept_keys(Node::ResourceKeys(at, place), &evaluation.missing);
                keys.map_or_else(Value::dynamic, |keys| {
                    self.all_instances(keys, |key| {
                        let own = key.variables(arena);
                        let has_own = own.is_some();
                        evaluation.own.borrow_mut().extend(own);
                        let value = resource::referred(&evaluation, resource);
                        if has_own {
                            evaluation.own.borrow_mut().pop();
                        }
                        value
                    })
                })
            }
            Node::Attribute(_, place, name) => {
                let resource = declared.resources.at(place);
                resource.map_or_else(Value::dynamic, |resource| {
                    resource::attribute(&evaluation, resource, name)
                })
            }
            Node::Call(_, place) => {
                let keys = self.kept_keys(Node::CallKeys(at, place), &evaluation.missing);
                keys.map_or_else(Value::dynamic, |keys| {
                    let Child::Modules(mut next) = self.children(at, place, keys) else {
                        return Value::dynamic();
                    };
                    self.all_instances(keys, |_| {
                        let outputs = &self.module(next).declared.module.outputs;
                        let all: Vec<_> = (0..)
                            .zip(outputs)
                            .map(|(at, output)| {
                                let node = Node::Output(next, at);
                                (output.name, self.kept(node, &evaluation.missing))
                            })
                            .collect();
                        next += 1;
                        Value::object(arena, &all)
                    })
                })
            }
        };
        self.settle(node, evaluation, value)
    }

    /// Keeps the value of a node, unless nodes are missing.
    fn settle(
        &self,
        node: Node<'a>,
        evaluation: Evaluation<'_, 't, 'a, 'a>,
        value: Value<'a>,
    ) -> Vec<Node<'a>> {
        let missing = self.close(evaluation);
        if missing.is_empty() {
            self.values.borrow_mut().insert(node, Some(value));
        }
        missing
    }

    /// Ends an evaluation: reports what it found, unless nodes are missing, which are returned.
    pub(super) fn close(&self, evaluation: Evaluation<'_, 't, '_, 'a>) -> Vec<Node<'a>> {
        let missing = evaluation.missing.into_inner();
        if missing.is_empty() {
            evaluation.found.into_inner().into_iter().for_each(|found| self.report(found));
        }
        missing
    }

    /// The value of all instances: a tuple for `count`, an object for `for_each`.
    fn all_instances(
        &self,
        keys: Keys<'a>,
        mut instance: impl FnMut(super::keys::Key<'a>) -> Value<'a>,
    ) -> Value<'a> {
        let arena = self.inputs.arena;
        match keys {
            Keys::Unknown(_) => Value::dynamic(),
            Keys::One => instance(keys.get(0)),
            Keys::Disabled => Value::null(Type::Dynamic),
            Keys::Count(_) if self.meter.parts(keys.len() as usize).is_err() => Value::dynamic(),
            Keys::Count(count) => {
                let all: Vec<_> = (0..count).map(|place| instance(keys.get(place))).collect();
                Value::tuple(arena, &all)
            }
            Keys::Each(entries) => {
                let all: Vec<_> = entries
                    .iter()
                    .zip(0..)
                    .map(|((name, _), place)| (*name, instance(keys.get(place))))
                    .collect();
                Value::object(arena, &all)
            }
        }
    }

    fn keep_keys(
        &self,
        node: Node<'a>,
        evaluation: Evaluation<'_, 't, 'a, 'a>,
        (count, for_each, enabled): (
            Option<Expression<'a>>,
            Option<Expression<'a>>,
            Option<Expression<'a>>,
        ),
    ) -> Vec<Node<'a>> {
        let is_call = matches!(node, Node::CallKeys(..));
        let (keys, at) = if let Some(count) = count {
            (self.count(&evaluation, count), Some(count))
        } else if let Some(each) = for_each {
            (self.each(&evaluation, each), Some(each))
        } else if let Some(enabled) = enabled {
            let value = evaluation.value(enabled);
            self.check(&evaluation, value, enabled, Wanted::Enabled);
            let value = convert(self.inputs.arena, value, Type::Bool).ok();
            let keys = match value.and_then(Value::as_bool) {
                Some(true) => Keys::One,
                Some(false) => Keys::Disabled,
                None => Keys::Unknown(Repetition::Enabled),
            };
            (keys, Some(enabled))
        } else {
            (Keys::One, None)
        };
        let missing = self.close(evaluation);
        if missing.is_empty() {
            let mut keys = keys;
            let bytes = if is_call { keys.len().saturating_mul(MODULE_BYTES) } else { 0 };
            if let Some(at) = at {
                let rest = self.meter.rest();
                if keys.len() > rest.steps() || bytes > rest.bytes() {
                    let code = if keys.len() > rest.steps() {
                        Code::EvaluationTooLong
                    } else {
                        Code::EvaluationTooLarge
                    };
                    self.report(Diagnostic::new(code, at.start_label()));
                    keys = Keys::Unknown(match keys {
                        Keys::Each(_) => Repetition::Each,
                        _ => Repetition::Count,
                    });
                }
                // It was checked that this is left.
                self.meter.spend(keys.len()).ok();
                self.meter.allocate(bytes).ok();
            }
            self.keys.borrow_mut().insert(node, Some(keys));
        }
        missing
    }

    /// Reports a value that decides on instances and is not accepted.
    fn check(
        &self,
        evaluation: &Evaluation<'_, 't, 'a, 'a>,
        value: Value<'a>,
        expression: Expression<'a>,
        wanted: Wanted,
    ) {
        check_wanted(value, expression, wanted, &mut *evaluation.found.borrow_mut());
    }

    fn count(
        &self,
        evaluation: &Evaluation<'_, 't, 'a, 'a>,
        expression: Expression<'a>,
    ) -> Keys<'a> {
        let value = evaluation.value(expression);
        self.check(evaluation, value, expression, Wanted::Count);
        let value = convert(self.inputs.arena, value, Type::Number).ok();
        let count = value.and_then(Value::as_number).and_then(|number| number.as_u64());
        count.map_or(Keys::Unknown(Repetition::Count), Keys::Count)
    }

    fn each(
        &self,
        evaluation: &Evaluation<'_, 't, 'a, 'a>,
        expression: Expression<'a>,
    ) -> Keys<'a> {
        let value = evaluation.value(expression);
        self.check(evaluation, value, expression, Wanted::Each);
        let marks = value.marks();
        if value.is_null() || !value.is_known() {
            return Keys::Unknown(Repetition::Each);
        }
        match value.ty() {
            Type::Map(_) | Type::Object(_) => {
                let entries = value.entries().iter();
                let entries: Vec<_> =
                    entries.map(|&(name, value)| (name, value.with_marks(marks))).collect();
                Keys::Each(self.inputs.arena.bump().alloc_slice_copy(&entries))
            }
            Type::Set(_) => {
                let elements = value.elements().iter();
                let entries: Option<Vec<_>> = elements
                    .map(|element| Some((element.as_str()?, element.with_marks(marks))))
                    .collect();
                let Some(mut entries) = entries else { return Keys::Unknown(Repetition::Each) };
                entries.sort_by_key(|(name, _)| *name);
                Keys::Each(self.inputs.arena.bump().alloc_slice_copy(&entries))
            }
            _ => Keys::Unknown(Repetition::Each),
        }
    }

    /// The instances of the module that a call leads to.
    pub(super) fn children(&self, module: u32, call: u32, keys: Keys<'a>) -> Child {
        if let Some(known) = self.children.borrow().get(&(module, call)) {
            return *known;
        }
        let child = self.make_children(module, call, keys);
        self.children.borrow_mut().insert((module, call), child);
        child
    }

    fn make_children(&self, caller: u32, call: u32, keys: Keys<'a>) -> Child {
        let outer = self.module(caller);
        let link = outer.declared.links.get(call as usize);
        let (Some(Link::Module(place)), Some(declared)) =
            (link, outer.declared.module.calls.at(call))
        else {
            return Child::Unknown;
        };
        let calls_itself = {
            let mut around = Some(Rc::clone(&outer));
            std::iter::from_fn(|| {
                let this = around.take()?;
                around = this.call.as_ref().map(|call| self.module(call.module));
                Some(this.place)
            })
            .any(|above| above == *place)
        };
        if calls_itself || outer.depth >= MAX_DEPTH {
            return Child::Unknown;
        }
        let module = &self.tree.modules()[*place];
        let mut arguments: HashMap<&'a str, Expression<'a>> = HashMap::default();
        let own = declared.arguments.iter().copied();
        let escaped = declared.escape.into_iter().flat_map(|escape| escape.body().properties());
        for argument in own.chain(escaped) {
            arguments.entry(argument.name()).or_insert_with(|| argument.expression());
        }
        let arguments = Rc::new(arguments);
        let root = self.module(0).declared.files.directory();
        let path = self.path(&relative(root, module.files.directory()));
        let first = self.modules.borrow().len() as u32;
        for at in 0..keys.len() {
            let key = keys.get(at);
            let mut address = outer.address.clone();
            if !address.is_empty() {
                address.push('.');
            }
            address.push_str("module.");
            address.push_str(declared.name);
            key.write(&mut address);
            let call = CallSite { module: caller, key, arguments: Rc::clone(&arguments) };
            self.modules.borrow_mut().push(Rc::new(ModuleInstance {
                place: *place,
                declared: module,
                call: Some(call),
                address,
                path,
                depth: outer.depth + 1,
            }));
        }
        Child::Modules(first)
    }

    /// The value of `path` in a module.
    fn path(&self, module: &str) -> Value<'a> {
        let arena = self.inputs.arena;
        let text = |text| Value::string(arena, text);
        let cwd = self.inputs.directory.map_or(Value::unknown(Type::String).not_null(), text);
        let own = arena.str(module);
        Value::object(arena, &[("cwd", cwd), ("module", text(own)), ("root", text("."))])
    }

    fn providers(&self, module: &ModuleInstance<'t, 'a>) -> Rc<Providers<'t, 'a>> {
        let declared = &module.declared.module;
        let schemas = self.inputs.schemas();
        let mut all = self.providers.borrow_mut();
        Rc::clone(all.entry(module.place).or_insert_with(|| {
            Rc::new(Providers {
                find: RefCell::new(Find::new(declared, schemas)),
                names: ProviderNames::of(declared),
                full: RefCell::default(),
            })
        }))
    }

    /// The full name of the provider of a resource.
    pub(super) fn provider_name(
        &self,
        module: &ModuleInstance<'t, 'a>,
        resource: &Resource<'a>,
    ) -> &'a str {
        let providers = self.providers(module);
        let local = resource.provider_name();
        let mut full = providers.full.borrow_mut();
        full.entry(local)
            .or_insert_with(|| self.inputs.arena.str(&providers.names.full_name(local)))
    }

    /// The schema of a resource and its version, if it is known.
    pub(super) fn schema(
        &self,
        module: &ModuleInstance<'t, 'a>,
        resource: &Resource<'a>,
    ) -> Option<(std::sync::Arc<BodySchema<'a>>, u64)> {
        let providers = self.providers(module);
        let local = resource.provider_name();
        let kind = SchemaKind::of_mode(resource.address.mode);
        let mut find = providers.find.borrow_mut();
        let found = find.of_type(local, kind, resource.address.resource_type)?.ok()?;
        let version = found.version().value().unwrap_or_default();
        Some((self.inputs.schemas().body_of(found)?, version))
    }

    /// Whether a resource has one instance without a key, and no schema.
    pub(super) fn is_single_without_schema(&self, module: u32, resource: &Resource<'a>) -> bool {
        resource.count.is_none()
            && resource.for_each.is_none()
            && resource.lifecycle.is_none_or(|lifecycle| lifecycle.enabled.is_none())
            && self.schema(&self.module(module), resource).is_none()
    }
}

/// The path from one directory to another, by their names alone.
fn relative(from: &Path, to: &Path) -> String {
    let absolute = |path: &Path| {
        let mut clean = PathBuf::new();
        for component in std::env::current_dir().unwrap_or_default().join(path).components() {
            match component {
                Component::CurDir => {}
                Component::ParentDir => {
                    clean.pop();
                }
                component => clean.push(component),
            }
        }
        clean
    };
    let (from, to) = (absolute(from), absolute(to));
    let common = from.components().zip(to.components()).take_while(|(one, two)| one == two).count();
    let mut parts: Vec<String> = vec!["..".to_owned(); from.components().count() - common];
    let below = to.components().skip(common);
    parts.extend(below.map(|part| part.as_os_str().to_string_lossy().into_owned()));
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}
