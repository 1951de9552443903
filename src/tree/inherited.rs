//! Provider configurations that modules inherit from their callers.
//!
//! A module that uses a configuration and does not declare it has a joint for it, an internal node
//! of the [graph](super::Graph). For each call of the module an edge leads from the joint to the
//! caller's configuration, or to the caller's joint for it. The argument `providers` of the call
//! names the caller's configuration. A default configuration that it does not name is the caller's
//! default configuration of the same provider, under any local name.
//!
//! If a called module declares a configuration that a call also passes, the block needs the passed
//! configuration.

use std::cell::OnceCell;

use super::{Link, Tree, TreeModule};
use crate::hash::HashMap;
use crate::module::{ModuleCall, Object, ProviderConfigName, ProviderNames, ProviderPass};

/// The joints, and the edges from them to configurations of callers.
#[derive(Debug)]
pub(super) struct Inherited<'a> {
    /// The number of the first joint.
    start: u32,
    /// The module and its name for the configuration, for each joint.
    list: Vec<(usize, ProviderConfigName<'a>)>,
    joints: HashMap<(usize, ProviderConfigName<'a>), u32>,
    edges: Vec<(u32, u32)>,
}

impl<'a> Inherited<'a> {
    /// The configurations that the modules of a tree inherit. `starts` has the number of each
    /// module's first object, `start` is the number of the first joint.
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

    /// The number of joints.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The edges from joints, and from blocks of configurations that calls also pass.
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
    /// The passed configurations: the name in the called module, and the caller's name.
    passed: HashMap<ProviderConfigName<'a>, ProviderConfigName<'a>>,
}

impl<'a> Call<'a> {
    fn new(caller: usize, call: &ModuleCall<'a>) -> Self {
        let passed = call.providers.iter().map(|pass| (pass.inner.name(), pass.outer.name()));
        Self { caller, passes: call.providers, passed: passed.collect() }
    }
}

/// The local and full names of the providers of a module. Computed on first use.
struct Names<'t, 'a> {
    module: &'t TreeModule<'a>,
    names: OnceCell<ProviderNames<'a>>,
    /// Local names by full name.
    locals: OnceCell<HashMap<String, &'a str>>,
}

impl<'t, 'a> Names<'t, 'a> {
    fn new(module: &'t TreeModule<'a>) -> Self {
        Self { module, names: OnceCell::new(), locals: OnceCell::new() }
    }

    fn full_name(&self, local: &str) -> String {
        self.names.get_or_init(|| ProviderNames::of(&self.module.module)).full_name(local)
    }

    /// The caller's name of the default configuration of the provider that has a local name here.
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
