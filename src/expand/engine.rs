//! The engine: the instances of modules, and the values of nodes that have been computed.

use std::cell::{Cell, OnceCell, RefCell};
use std::path::{Component, PathBuf};
use std::rc::Rc;

use super::budget::{address_of_call, budget_of, price_of_modules};
use super::history::{Imports, Moved, imports_of};
use super::ignored::{Planned, ignores};
use super::inputs::Inputs;
use super::instance::{CallSite, Child, ModuleInstance};
use super::keys::{Key, Keys};
use super::node::Node;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::dialect::Dialect;
use crate::directory::Location;
use crate::evaluate::{Budget, Meter};
use crate::expression::Expression;
use crate::hash::{HashMap, HashSet};
use crate::module::{ModuleCall, Resource, SourceAddress, Variable};
use crate::show::BodySchema;
use crate::span::Span;
use crate::tree::{Link, Origin, PlaceByDirectory, PlanSources, Tree, local_path};
use crate::typed::Find;
use crate::value::{Marks, Type, Value};

/// The maximum number of calls around a module.
const MAX_DEPTH: usize = 100;

/// An evaluation of a root module and the modules that it calls. See [`Tree::expand`].
pub struct Expansion<'t, 'a> {
    pub(super) tree: &'t Tree<'a>,
    pub(super) inputs: &'t Inputs<'t, 'a>,
    /// The values of instances that ignore changes.
    pub(super) planned: Option<&'t dyn Planned<'a>>,
    /// The rest of the budget.
    pub(super) meter: Meter,
    /// The part of the budget that instances of modules must leave for their content.
    least: Budget,
    /// The value of `terraform`.
    pub(super) tool: Value<'a>,
    dialect: Dialect,
    is_exhausted: Cell<bool>,
    pub(super) modules: RefCell<Vec<Rc<ModuleInstance<'t, 'a>>>>,
    /// The values of nodes; `None` while they are computed.
    pub(super) values: RefCell<HashMap<Node<'a>, Option<Value<'a>>>>,
    pub(super) keys: RefCell<HashMap<Node<'a>, Option<Keys<'a>>>>,
    children: RefCell<HashMap<(u32, u32), Child>>,
    /// By module of the tree.
    providers: RefCell<HashMap<usize, Rc<Providers<'t, 'a>>>>,
    diagnostics: RefCell<Vec<Diagnostic<'a>>>,
    reported: RefCell<HashSet<(u32, Span, Code)>>,
    pub(super) moved: OnceCell<Moved<'a>>,
    /// Where objects are declared.
    pub(super) sources: OnceCell<PlanSources<'t, 'a>>,
    pub(super) imports: HashMap<String, Imports<'a>>,
    /// Instances of modules that stand for those that other inputs may give.
    pub(super) supposed: RefCell<HashSet<u32>>,
    /// Finds modules whose sources depend on values.
    places: OnceCell<PlaceByDirectory>,
    /// Calls whose sources depend on values that are not known, or that lead to no module of the tree.
    pub(super) unknown_sources: RefCell<HashSet<(u32, u32)>>,
}

impl Expansion<'_, '_> {
    /// The marks of a variable's value: those that it declares. It is hidden, too, if a call passes it on to
    /// such a variable, and so is what is made of it, which the tools allow anywhere.
    pub(super) fn marks_of_variable(&self, module: usize, variable: &Variable<'_>) -> Marks {
        let declared = variable.marks();
        if declared.hides() || self.inputs.shows_sensitive {
            return declared;
        }
        let hidden = self.tree.hidden_once().get(module);
        match hidden.is_some_and(|hidden| hidden.has_variable(variable.name)) {
            true => declared.with(Marks::HIDDEN),
            false => declared,
        }
    }

    /// The marks of a local value that a call passes on to such a variable.
    pub(super) fn marks_of_local(&self, module: usize, name: &str) -> Marks {
        let is_hidden = || {
            let hidden = self.tree.hidden_once().get(module);
            hidden.is_some_and(|hidden| hidden.has_local_value(name))
        };
        match !self.inputs.shows_sensitive && is_hidden() {
            true => Marks::HIDDEN,
            false => Marks::NONE,
        }
    }
}

/// The providers of a module of the tree.
pub(super) struct Providers<'t, 'a> {
    find: RefCell<Find<'t, 'a>>,
    full: RefCell<HashMap<&'a str, &'a str>>,
}

impl std::fmt::Debug for Expansion<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expansion").finish_non_exhaustive()
    }
}

impl<'t, 'a> Expansion<'t, 'a> {
    /// The index of the root module in [`Tree::modules`].
    #[must_use]
    pub fn root(&self) -> usize {
        self.module(0).place
    }

    pub(super) fn new(tree: &'t Tree<'a>, root: usize, inputs: &'t Inputs<'t, 'a>) -> Self {
        let arena = inputs.arena;
        let declared = &tree.modules()[root];
        let unknown = Value::unknown(Type::String).not_null();
        let workspace = inputs.workspace.map_or(unknown, |name| Value::string(arena, name));
        let applying = Value::bool(false).with_marks(crate::value::Marks::EPHEMERAL);
        let budget = inputs.budget.unwrap_or_else(|| budget_of(tree, root, inputs.roots));
        let tool = [("applying", applying), ("workspace", workspace)];
        let expansion = Self {
            tree,
            inputs,
            planned: None,
            meter: Meter::new(budget),
            least: Budget::new(budget.steps() / 2, budget.bytes() / 2),
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
            moved: OnceCell::new(),
            sources: OnceCell::new(),
            imports: imports_of(&declared.module.imports),
            supposed: RefCell::default(),
            places: OnceCell::new(),
            unknown_sources: RefCell::default(),
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

    /// Gives instances that ignore changes the values of a plan.
    pub(crate) fn with_planned(mut self, planned: &'t dyn Planned<'a>) -> Self {
        self.planned = Some(planned);
        self
    }

    /// Whether the values of a resource may be others than those of its configuration.
    pub(super) fn has_history(&self, resource: &Resource<'a>) -> bool {
        self.inputs.state.is_some() || self.planned.is_some() && ignores(resource)
    }

    /// The diagnostics of everything that has been evaluated so far, without those of the tree.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic<'a>> {
        let mut found = self.diagnostics.borrow().clone();
        if !self.inputs.shows_sensitive {
            self.tree.withhold(&mut found);
        }
        found
    }

    /// The rest of the budget.
    pub(crate) fn rest(&self) -> Budget {
        self.meter.rest()
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(super) fn module(&self, number: u32) -> Rc<ModuleInstance<'t, 'a>> {
        Rc::clone(&self.modules.borrow()[number as usize])
    }

    /// Reports a fact about an instance of a module once, with the calls that lead to the first instance
    /// in which it is found.
    pub(super) fn report(&self, module: u32, diagnostic: Diagnostic<'a>) {
        let fact = (diagnostic.source().id(), diagnostic.span(), diagnostic.code());
        if self.reported.borrow_mut().insert(fact) {
            let diagnostic = self.with_calls(module, diagnostic);
            self.diagnostics.borrow_mut().push(diagnostic);
        }
    }

    /// Adds the calls that lead to an instance of a module.
    fn with_calls(&self, module: u32, mut diagnostic: Diagnostic<'a>) -> Diagnostic<'a> {
        let outer = |inner: &ModuleInstance<'t, 'a>| {
            inner.call.as_ref().map(|call| self.module(call.module))
        };
        let source = diagnostic.source().id();
        let mut inner = self.module(module);
        // An error of an argument of a call is found in the called module.
        while !inner.declared.sources.iter().any(|it| it.id() == source)
            && let Some(around) = outer(&inner)
        {
            inner = around;
        }
        while let (Some(call), Some(around)) = (&inner.call, outer(&inner)) {
            if let Some(declared) = around.declared.module.calls.at(call.place) {
                let address = &inner.address;
                let message = self.inputs.arena.format(format_args!("{address} is called here"));
                let label = declared.block.definition_label();
                diagnostic = diagnostic.with_related(label, message);
            }
            inner = around;
        }
        diagnostic
    }

    /// Reports that the budget is exhausted, once. It is that of all instances together.
    pub(super) fn exhausted(&self, label: Label<'a>) {
        if let Some(limit) = self.meter.exhausted()
            && !self.is_exhausted.replace(true)
        {
            self.report(0, Diagnostic::new(limit.code(), label));
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

    /// The instances of the module that a call leads to.
    pub(super) fn children(&self, module: u32, call: u32, keys: Keys<'a>) -> Child {
        if let Some(known) = self.children.borrow().get(&(module, call)) {
            return *known;
        }
        let child = self.make_children(module, call, keys);
        self.children.borrow_mut().insert((module, call), child);
        child
    }

    /// The place of the module that a call leads to; `None` if it is not known, or not in the tree. A
    /// source that depends on variables is evaluated with those of the calling instance.
    fn place_of_called(&self, caller: u32, call: u32, declared: &ModuleCall<'a>) -> Option<usize> {
        let outer = self.module(caller);
        let link = match outer.declared.links.get(call as usize) {
            Some(Link::Module(place)) => Some(*place),
            _ => None,
        };
        let Some(source) = declared.variable_source() else { return link };
        let arena = self.inputs.arena;
        let value = self.settled((caller, Key::None, (arena, false)), |it| it.value(source));
        let text = ModuleCall::source_of(source, value);
        if text.is_some() && text == declared.source_by_defaults() {
            return link;
        }
        let found = match SourceAddress::parse(text.unwrap_or_default()) {
            Ok(SourceAddress::Local(path)) => {
                let places = self.places.get_or_init(|| PlaceByDirectory::of(self.tree));
                let directory = local_path(&outer.declared.files.directory(), path);
                directory.and_then(|directory| places.at(&directory))
            }
            // `init` has evaluated it.
            Ok(_) => return link.filter(|&at| self.tree.modules()[at].origin == Origin::Installed),
            Err(_) => None,
        };
        if found.is_none() {
            self.unknown_sources.borrow_mut().insert((caller, call));
        }
        found
    }

    pub(super) fn make_children(&self, caller: u32, call: u32, keys: Keys<'a>) -> Child {
        let outer = self.module(caller);
        let Some(declared) = outer.declared.module.calls.at(call) else { return Child::Unknown };
        let Some(place) = self.place_of_called(caller, call, declared) else {
            return Child::Unknown;
        };
        let calls_itself = {
            let mut around = Some(Rc::clone(&outer));
            std::iter::from_fn(|| {
                let this = around.take()?;
                around = this.call.as_ref().map(|call| self.module(call.module));
                Some(this.place)
            })
            .any(|above| above == place)
        };
        if calls_itself || outer.depth >= MAX_DEPTH {
            return Child::Unknown;
        }
        let module = &self.tree.modules()[place];
        let base = address_of_call(&outer, declared.name);
        let price = price_of_modules(keys.len(), base.len(), &module.module);
        let repeated = declared.count.or(declared.for_each);
        let label = || repeated.map_or(declared.block.definition_label(), |it| it.start_label());
        if !self.affords_above(self.least, price, label) {
            return Child::Unknown;
        }
        let mut arguments: HashMap<&'a str, Expression<'a>> = HashMap::default();
        let own = declared.arguments.iter().copied();
        let escaped = declared.escape.into_iter().flat_map(|escape| escape.body().properties());
        for argument in own.chain(escaped) {
            arguments.entry(argument.name()).or_insert_with(|| argument.expression());
        }
        let arguments = Rc::new(arguments);
        let root = self.module(0).declared.files.directory();
        let path = self.path(&relative(&root, &module.files.directory()));
        let first = self.modules.borrow().len() as u32;
        for at in 0..keys.len() {
            let key = keys.get(at);
            let mut address = base.clone();
            key.write(&mut address);
            let arguments = Rc::clone(&arguments);
            let for_each = declared.for_each;
            let call = CallSite { module: caller, place: call, key, for_each, arguments };
            self.modules.borrow_mut().push(Rc::new(ModuleInstance {
                place,
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
            .or_insert_with(|| self.inputs.arena.str(&providers.find.borrow().full_name(local)))
    }

    /// The schema of a resource and its version, if it is known.
    pub(super) fn schema(
        &self,
        module: &ModuleInstance<'t, 'a>,
        resource: &Resource<'a>,
    ) -> Option<(std::sync::Arc<BodySchema<'a>>, u64)> {
        let providers = self.providers(module);
        let found = providers.find.borrow_mut().of_resource(resource)?.ok()?;
        let version = found.version().value().unwrap_or_default();
        Some((self.inputs.schemas().body_of(found)?, version))
    }

    /// The schema of the configurations of a provider, if it is known.
    pub(super) fn provider_schema(
        &self,
        module: &ModuleInstance<'t, 'a>,
        local: &str,
    ) -> Option<std::sync::Arc<BodySchema<'a>>> {
        let found = self.providers(module).find.borrow().provider(local)?.provider().value()?;
        self.inputs.schemas().body_of(found)
    }

    /// Whether a resource has one instance without a key, and no schema.
    pub(super) fn is_single_without_schema(&self, module: u32, resource: &Resource<'a>) -> bool {
        resource.is_plain() && self.schema(&self.module(module), resource).is_none()
    }
}

/// The path from one directory to another, by their names alone.
fn relative(from: &Location, to: &Location) -> String {
    let absolute = |path: &Location| {
        let path = match path {
            Location::Disk(path) => path,
            Location::Memory(path) => return path.parts().map(str::to_owned).collect::<Vec<_>>(),
        };
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
        let parts = clean.components();
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let (from, to) = (absolute(from), absolute(to));
    let common = from.iter().zip(&to).take_while(|(one, two)| one == two).count();
    let mut parts: Vec<String> = vec!["..".to_owned(); from.len() - common];
    parts.extend(to.into_iter().skip(common));
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}
