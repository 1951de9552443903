//! Provider configurations that modules take from those that call them.
//!
//! A module that uses a configuration and does not declare it has a joint for it: a node of the
//! [graph](super::Graph) that nobody sees. From it an edge leads, for each call of the module, to
//! what the caller has for it: its own configuration, or again a joint. The caller's configuration
//! is named by `providers` of the call; for one that it does not name, a default configuration is
//! the caller's default configuration of the same provider, whatever its local name there.
//!
//! A configuration that a called module declares and a call passes, too, needs what is passed: the
//! block stands for it.

use std::cell::OnceCell;

use super::{Link, Tree, TreeModule};
use crate::hash::HashMap;
use crate::module::{ModuleCall, Object, ProviderConfigName, ProviderNames, ProviderPass};

/// Joints, and the edges that lead from them and to what callers have.
#[derive(Debug)]
pub(super) struct Inherited<'a> {
    /// The number of the first joint.
    start: u32,
    /// The module and its name for the configuration, by joint.
    list: Vec<(usize, ProviderConfigName<'a>)>,
    joints: HashMap<(usize, ProviderConfigName<'a>), u32>,
    edges: Vec<(u32, u32)>,
}

impl<'a> Inherited<'a> {
    /// What the modules of a tree inherit. `starts` has the number of each module's first object,
    /// `start` is that of the first joint.
    ///
    /// Cost: linear in the calls, times the configurations that the called module inherits.
    pub(super) fn of(tree: &Tree<'a>, starts: &[u32], start: u32) -> Self {
        let modules = tree.modules();
        let mut all =
            Self { start, list: Vec::new(), joints: HashMap::default(), edges: Vec::new() };
        let names: Vec<Names<'_, 'a>> = modules.iter().map(Names::new).collect();
        let mut calls: Vec<Call<'a>> = Vec::new();
        let mut calls_of: Vec<Vec<usize>> = vec![Vec::new(); modules.len()];
        for (caller, module) in modules.iter().enumerate() {
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                if let Link::Module(called) = *link {
                    calls_of[called].push(calls.len());
                    calls.push(Call::new(caller, call));
                }
            }
        }
        let number = |module: usize, name| {
            let number = modules[module].module.object_number(Object::Provider(name))?;
            Some(starts[module] + number)
        };
        for (module, each) in modules.iter().enumerate() {
            for &name in &each.uses.inherited_names {
                all.add(module, name);
            }
        }
        for (called, callers) in calls_of.iter().enumerate() {
            for call in callers.iter().map(|&call| &calls[call]) {
                for pass in call.passes {
                    let (inner, outer) = (pass.inner.name(), pass.outer.name());
                    let Some(own) = number(called, inner) else { continue };
                    let given = match number(call.caller, outer) {
                        Some(given) => given,
                        None => all.add(call.caller, outer),
                    };
                    all.edges.push((own, given));
                }
            }
        }
        let mut done = 0;
        while let Some(&(module, name)) = all.list.get(done) {
            let joint = start + done as u32;
            done += 1;
            for call in calls_of[module].iter().map(|&call| &calls[call]) {
                let outer = match call.passed.get(&name) {
                    Some(&outer) => Some(outer),
                    None if name.alias.is_some() => None,
                    None => names[module].in_caller(name.local_name, &names[call.caller]),
                };
                let Some(outer) = outer else { continue };
                let given = match number(call.caller, outer) {
                    Some(given) => given,
                    None => all.add(call.caller, outer),
                };
                all.edges.push((joint, given));
            }
        }
        all
    }

    /// How many joints there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The edges from joints, and from configurations that stand for what is passed.
    pub(super) fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// The joint of a configuration that a module inherits.
    pub(super) fn joint(&self, module: usize, name: ProviderConfigName<'a>) -> Option<u32> {
        self.joints.get(&(module, name)).copied()
    }

    fn add(&mut self, module: usize, name: ProviderConfigName<'a>) -> u32 {
        let (start, list) = (self.start, &mut self.list);
        *self.joints.entry((module, name)).or_insert_with(|| {
            list.push((module, name));
            start + list.len() as u32 - 1
        })
    }
}

/// A call of a module of the tree.
struct Call<'a> {
    caller: usize,
    passes: &'a [ProviderPass<'a>],
    /// What it passes: the name in the called module, and that in the caller.
    passed: HashMap<ProviderConfigName<'a>, ProviderConfigName<'a>>,
}

impl<'a> Call<'a> {
    fn new(caller: usize, call: &ModuleCall<'a>) -> Self {
        let passed = call.providers.iter().map(|pass| (pass.inner.name(), pass.outer.name()));
        Self { caller, passes: call.providers, passed: passed.collect() }
    }
}

/// What the providers of a module are called, here and everywhere. Made when asked for.
struct Names<'t, 'a> {
    module: &'t TreeModule<'a>,
    names: OnceCell<ProviderNames<'a>>,
    /// By full name.
    locals: OnceCell<HashMap<String, &'a str>>,
}

impl<'t, 'a> Names<'t, 'a> {
    fn new(module: &'t TreeModule<'a>) -> Self {
        Self { module, names: OnceCell::new(), locals: OnceCell::new() }
    }

    fn full_name(&self, local: &str) -> String {
        self.names.get_or_init(|| ProviderNames::of(&self.module.module)).full_name(local)
    }

    /// What the caller calls the default configuration of the provider that has a local name here.
    fn in_caller(&self, local: &'a str, caller: &Names<'_, 'a>) -> Option<ProviderConfigName<'a>> {
        let full_name = self.full_name(local);
        let name = |local| Some(ProviderConfigName::new(local, None));
        if caller.full_name(local) == full_name {
            return name(local);
        }
        let locals = caller.locals.get_or_init(|| {
            let required = caller.module.module.required_providers().map(|each| each.name);
            required.map(|name| (caller.full_name(name), name)).collect()
        });
        locals.get(&full_name).copied().and_then(name)
    }
}
