//! Numbers for the objects of a module: those that can refer to others, in the order in which they are visited.

use super::{Module, Object};

/// Where the numbers of each kind start; those of variables start at 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    pub(super) locals: u32,
    outputs: u32,
    providers: u32,
    pub(super) resources: u32,
    calls: u32,
    actions: u32,
    checks: u32,
    imports: u32,
    /// How many objects there are.
    pub(crate) len: u32,
}

impl<'a> Module<'a> {
    /// How the objects are numbered.
    pub(crate) fn numbers(&self) -> Numbers {
        let mut len = 0;
        let mut behind = |count: usize| {
            len += count as u32;
            len
        };
        Numbers {
            locals: behind(self.variables.len()),
            outputs: behind(self.locals.len()),
            providers: behind(self.outputs.len()),
            resources: behind(self.providers.len()),
            calls: behind(self.resources.len()),
            actions: behind(self.calls.len()),
            checks: behind(self.actions.len()),
            imports: behind(self.checks.len()),
            len: behind(self.imports.len()),
        }
    }

    /// The objects, by number.
    pub(crate) fn objects(&self) -> impl Iterator<Item = Object<'a>> {
        let variables = self.variables.iter().map(|each| Object::Variable(each.name));
        let locals = self.locals.iter().map(|each| Object::Local(each.name));
        let outputs = self.outputs.iter().map(|each| Object::Output(each.name));
        let providers = self.providers.iter().map(|each| Object::Provider(each.name, each.alias));
        let resources = self.resources.iter().map(|each| Object::Resource(each.address));
        let calls = self.calls.iter().map(|each| Object::ModuleCall(each.name));
        let actions = self.actions.iter().map(|each| Object::Action(each.address));
        let checks = self.checks.iter().map(|each| Object::Check(each.name));
        let imports = (0..self.imports.len()).map(Object::Import);
        let values = variables.chain(locals).chain(outputs).chain(providers);
        values.chain(resources).chain(calls).chain(actions).chain(checks).chain(imports)
    }

    /// The number of an object.
    pub(crate) fn number(&self, numbers: &Numbers, object: Object<'a>) -> Option<u32> {
        Some(match object {
            Object::Variable(name) => self.variables.place(name)?,
            Object::Local(name) => numbers.locals + self.locals.place(name)?,
            Object::Output(name) => numbers.outputs + self.outputs.place(name)?,
            Object::Provider(name, alias) => {
                numbers.providers + self.providers.place((name, alias))?
            }
            Object::Resource(address) => numbers.resources + self.resources.place(address)?,
            Object::ModuleCall(name) => numbers.calls + self.calls.place(name)?,
            Object::Action(action) => numbers.actions + self.actions.place(action)?,
            Object::Check(name) => numbers.checks + self.checks.place(name)?,
            Object::Import(place) if place < self.imports.len() => numbers.imports + place as u32,
            Object::Import(_) => return None,
        })
    }
}

impl Numbers {
    /// The numbers of resources.
    pub(crate) fn resources(&self) -> std::ops::Range<u32> {
        self.resources..self.calls
    }

    /// The numbers of module calls.
    pub(crate) fn calls(&self) -> std::ops::Range<u32> {
        self.calls..self.actions
    }

    /// The numbers of outputs.
    pub(crate) fn outputs(&self) -> std::ops::Range<u32> {
        self.outputs..self.providers
    }

    /// The numbers of local values.
    pub(super) fn locals(&self) -> std::ops::Range<u32> {
        self.locals..self.outputs
    }
}
