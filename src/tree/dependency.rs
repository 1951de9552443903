//! Finds objects that depend on themselves: through resources, `depends_on`, validations, provider
//! configurations, and calls.
//!
//! A module is one graph however often it is called, but each call has variables of its own: one
//! call may need another of the same module. So modules are processed bottom-up. The [`Needs`] of a
//! called module list the variables and inherited provider configurations that each output needs.
//! In the caller's graph each call has ports: the outputs that are used, the arguments, and the
//! call as a whole. The cycles are found there.
//!
//! The rules follow the tools' graph:
//!
//! * Everything in a called module needs the arguments of the call that decide on its instances,
//!   and its `depends_on`. A passed provider configuration is needed only by the objects that use
//!   it.
//! * `module.m` as a whole, and objects that wait for it, need everything in the module.
//! * An object that refers to itself is not a cycle, nor is a trigger and the action that it
//!   starts.
//! * In Terraform, the resource of an import needs everything that the import needs.
//!
//! Cost: linear in references and calls for modules that nothing calls. Other modules take a bit
//! set of inputs for each group of objects, up to [`MOST_WORDS`] words of 64 bits per module.
//! Beyond that, outputs are assumed to need nothing.

use std::collections::VecDeque;
use std::ops::Range;

use super::module::{Link, TreeModule};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::facts::{Input, Interface, Needs};
use crate::hash::HashMap;
use crate::module::edges::Edges;
use crate::module::groups::Groups;
use crate::module::{Import, Module, ModuleCall, Object, ProviderConfigName, cycles};
use crate::reference::Subject;

/// The limit for the size of a summary in words, and for the number of edges from outputs to
/// arguments.
const MOST_WORDS: usize = 1 << 22;

/// A node of a call in its caller's graph, besides the call itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Port<'a> {
    Output(&'a str),
    Argument(&'a str),
    Whole,
}

/// A node that is not an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Extra<'a> {
    /// A port of the call with this number.
    Port(u32, Port<'a>),
    /// A provider configuration that the caller has.
    Inherited(ProviderConfigName<'a>),
}

/// The diagnostics of dependencies between objects, each with the place of its module, and the
/// inputs that each called module needs.
pub(super) fn check<'a>(
    modules: &[TreeModule<'a>],
    links: &[Vec<Link>],
    arena: &'a Arena,
) -> (Vec<(usize, Diagnostic<'a>)>, Vec<Option<Needs>>) {
    let mut needs: Vec<Option<Needs>> = modules.iter().map(|_| None).collect();
    let mut found = Vec::new();
    for place in bottom_up(links) {
        let module = &modules[place];
        let callees = Callees { modules, links: &links[place], needs: &needs };
        let graph = Graph::of(module, callees, arena);
        let groups = Groups::of(graph.nodes(), &graph.edges);
        for group in groups.iter().filter(|group| group.len() > 1) {
            let diagnostic = graph.cycle(group, &groups, arena);
            found.extend(diagnostic.map(|diagnostic| (place, diagnostic)));
        }
        if module.is_called {
            needs[place] = Some(graph.needs(&groups));
        }
    }
    (found, needs)
}

/// The modules that the calls of a module lead to.
#[derive(Clone, Copy)]
struct Callees<'t, 'a> {
    modules: &'t [TreeModule<'a>],
    links: &'t [Link],
    needs: &'t [Option<Needs>],
}

impl<'t> Callees<'t, '_> {
    /// The interface of the module that a call leads to, and the inputs that it needs.
    fn of(self, call: u32) -> Option<(&'t Interface, &'t Needs)> {
        let Link::Module(called) = *self.links.get(call as usize)? else { return None };
        let interface = self.modules.get(called)?.interface()?;
        Some((interface, self.needs.get(called)?.as_ref()?))
    }
}

/// The modules, each after those that it calls. In a cycle, one module comes first.
fn bottom_up(links: &[Vec<Link>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(links.len());
    let mut is_seen = vec![false; links.len()];
    let mut way: Vec<(usize, usize)> = Vec::new();
    for start in 0..links.len() {
        if !std::mem::replace(&mut is_seen[start], true) {
            way.push((start, 0));
        }
        while let Some((module, next)) = way.last_mut() {
            match links[*module].get(*next) {
                None => {
                    order.push(*module);
                    way.pop();
                }
                Some(link) => {
                    *next += 1;
                    if let Link::Module(called) = *link
                        && !std::mem::replace(&mut is_seen[called], true)
                    {
                        way.push((called, 0));
                    }
                }
            }
        }
    }
    order
}

/// The objects that depend on references, if these are not the ones that refer.
struct Users {
    /// The numbers of imports.
    imports: Range<u32>,
    /// In Terraform, the resource of each import, which depends on the references of the import.
    imported: Vec<Option<u32>>,
}

impl Users {
    fn of<'a>(module: &Module<'a>) -> Self {
        let numbers = module.numbers();
        let imported = match module.dialect {
            Dialect::Terraform => {
                let target = |import: &Import<'a>| {
                    let resource = import.declared_resource(module)?;
                    module.number(&numbers, Object::Resource(resource.address()))
                };
                module.imports.iter().map(target).collect()
            }
            _ => Vec::new(),
        };
        Self { imports: numbers.imports(), imported }
    }

    /// The object that depends on the references of `from`.
    fn user_of(&self, from: u32) -> u32 {
        let place = from.checked_sub(self.imports.start).filter(|_| self.imports.contains(&from));
        place.and_then(|place| *self.imported.get(place as usize)?).unwrap_or(from)
    }
}

/// The dependencies within a module, and through its calls.
struct Graph<'t, 'a> {
    module: &'t TreeModule<'a>,
    /// Their number. Extras follow them.
    objects: u32,
    extras: Vec<Extra<'a>>,
    numbers: HashMap<Extra<'a>, u32>,
    edges: Edges,
}

impl<'t, 'a> Graph<'t, 'a> {
    fn of(module: &'t TreeModule<'a>, callees: Callees<'_, 'a>, arena: &'a Arena) -> Self {
        let objects = module.module.numbers().len();
        let mut graph = Self {
            module,
            objects,
            extras: Vec::new(),
            numbers: HashMap::default(),
            edges: Edges::default(),
        };
        let users = Users::of(&module.module);
        let mut edges = graph.references(&users);
        let numbers = module.module.numbers();
        graph.ports(callees, arena, &mut edges);
        let within = module.uses.edges.iter().filter_map(|&(from, to)| {
            let is_pass = numbers.calls().contains(&from) && numbers.providers().contains(&to);
            let from = users.user_of(from);
            (from != to && !is_pass && !numbers.actions().contains(&to)).then_some((from, to))
        });
        graph.edges = Edges::set(graph.nodes(), within.chain(edges.iter().copied()));
        graph
    }

    fn nodes(&self) -> u32 {
        self.objects + self.extras.len() as u32
    }

    fn extra(&mut self, extra: Extra<'a>) -> u32 {
        let next = self.nodes();
        let number = *self.numbers.entry(extra).or_insert(next);
        if number == next {
            self.extras.push(extra);
        }
        number
    }

    /// The edges of references that leave the module, and to extras.
    fn references(&mut self, users: &Users) -> Vec<(u32, u32)> {
        let (module, uses) = (&self.module.module, &self.module.uses);
        let numbers = module.numbers();
        let calls = numbers.calls();
        let mut edges = Vec::new();
        let mut inherited = vec![None; uses.inherited_names.len()];
        for &(from, place) in &uses.inherited {
            if !calls.contains(&from) {
                let name = || Extra::Inherited(uses.inherited_names[place as usize]);
                let node = *inherited[place as usize].get_or_insert_with(|| self.extra(name()));
                edges.push((from, node));
            }
        }
        for &(call, argument, to) in &uses.arguments {
            let argument = self.extra(Extra::Port(call, Port::Argument(argument)));
            edges.push((argument, to));
        }
        for each in &uses.calls {
            let subject = each.reference.subject();
            let call = subject.module_call().map(Object::ModuleCall);
            let Some(call) = call.and_then(|call| module.number(&numbers, call)) else { continue };
            let port = match subject {
                Subject::ModuleOutput { output, .. } if each.names_output => Port::Output(output),
                _ => Port::Whole,
            };
            let from = match each.argument {
                Some(argument) => self.extra(Extra::Port(each.from, Port::Argument(argument))),
                None => users.user_of(each.from),
            };
            let port = self.extra(Extra::Port(call, port));
            edges.push((from, port));
        }
        edges
    }

    /// Adds the edges of calls: from each port to the inputs that it needs.
    fn ports(&mut self, callees: Callees<'_, 'a>, arena: &'a Arena, edges: &mut Vec<(u32, u32)>) {
        let declared = &self.module.module;
        let numbers = declared.numbers();
        let mut left = MOST_WORDS;
        // Nodes that are added here are inherited configurations, which need nothing.
        for place in 0..self.extras.len() {
            let Extra::Port(number, port) = self.extras[place] else { continue };
            if let Port::Argument(_) = port {
                continue;
            }
            let from = self.objects + place as u32;
            edges.push((from, number));
            let of_call = number - numbers.calls().start;
            let Some((interface, needs)) = callees.of(of_call) else { continue };
            let some;
            let places: &mut dyn Iterator<Item = usize> = match port {
                Port::Output(output) => {
                    some = needs.of_output(interface, output);
                    left = left.saturating_sub(some.len());
                    &mut some.iter().map(|place| *place as usize)
                }
                _ => {
                    left = left.saturating_sub(needs.all.len());
                    &mut (0..needs.all.len())
                }
            };
            let Some(call) = declared.calls.at(of_call) else { continue };
            if left == 0 {
                return;
            }
            for place in places {
                let to = match needs.all.get(place) {
                    Some(Input::Variable(variable)) => {
                        let variable = interface.variables().get(*variable as usize);
                        variable.and_then(|it| {
                            self.numbers
                                .get(&Extra::Port(number, Port::Argument(it.name())))
                                .copied()
                        })
                    }
                    Some(Input::Provider(inner)) => self.outer(call, inner.name(), arena),
                    None => None,
                };
                edges.extend(to.map(|to| (from, to)));
            }
        }
    }

    /// The node of the configuration that a call passes as `inner`.
    fn outer(
        &mut self,
        call: &ModuleCall<'a>,
        inner: ProviderConfigName<'_>,
        arena: &'a Arena,
    ) -> Option<u32> {
        let mut passes = call.providers.iter();
        let outer = match passes.find(|pass| pass.inner.name() == inner) {
            Some(pass) => pass.outer.name(),
            None if inner.alias.is_some() => return None,
            None => ProviderConfigName::new(arena.str(inner.local_name), None),
        };
        let declared = &self.module.module;
        let own = declared.number(&declared.numbers(), Object::Provider(outer));
        Some(own.unwrap_or_else(|| self.extra(Extra::Inherited(outer))))
    }

    /// The inputs that the module needs from its calls.
    fn needs(&self, groups: &Groups) -> Needs {
        let declared = &self.module.module;
        let numbers = declared.numbers();
        let inherited = self.extras.iter().zip(self.objects..);
        let mut inputs: Vec<(u32, Input)> =
            numbers.variables().zip((0..).map(Input::Variable)).collect();
        inputs.extend(inherited.filter_map(|(extra, number)| match *extra {
            Extra::Inherited(name) => Some((number, Input::provider(name))),
            Extra::Port(..) => None,
        }));
        let words = inputs.len().div_ceil(64);
        let all = |inputs: Vec<(u32, Input)>| inputs.into_iter().map(|(_, input)| input).collect();
        if groups.len().saturating_mul(words) > MOST_WORDS {
            return Needs { all: all(inputs), outputs: Box::default() };
        }
        // Groups come after those that they depend on.
        let mut sets = vec![0_u64; groups.len() * words];
        for (place, &(number, _)) in inputs.iter().enumerate() {
            sets[groups.group_of(number) * words + place / 64] |= 1 << (place % 64);
        }
        for (place, group) in groups.iter().enumerate() {
            for &member in group {
                for &to in self.edges.from(member) {
                    let other = groups.group_of(to);
                    if other < place {
                        let (before, own) = sets.split_at_mut(place * words);
                        let other = &before[other * words..][..words];
                        own.iter_mut().zip(other).for_each(|(own, other)| *own |= other);
                    }
                }
            }
        }
        let needed = |number: u32| -> Box<[u32]> {
            let set = &sets[groups.group_of(number) * words..][..words];
            let is_in = |place: &u32| set[*place as usize / 64] >> (place % 64) & 1 == 1;
            (0..inputs.len() as u32).filter(is_in).collect()
        };
        let outputs = numbers.outputs().map(needed).collect();
        Needs { all: all(inputs), outputs }
    }

    /// The object that a node belongs to.
    fn object(&self, node: u32) -> Option<Object<'a>> {
        let extra = |place: u32| match self.extras.get(place as usize)? {
            Extra::Port(call, _) => self.module.module.object(*call),
            Extra::Inherited(_) => None,
        };
        match node.checked_sub(self.objects) {
            Some(place) => extra(place),
            None => self.module.module.object(node),
        }
    }

    /// A shortest cycle from the first member of a group, as a diagnostic. Cycles of only local
    /// values are reported with the module.
    fn cycle(&self, group: &[u32], groups: &Groups, arena: &'a Arena) -> Option<Diagnostic<'a>> {
        let locals = self.module.module.numbers().locals();
        if group.iter().all(|member| locals.contains(member)) {
            return None;
        }
        let &start = group.iter().min()?;
        let own = groups.group_of(start);
        let mut before: HashMap<u32, u32> = HashMap::default();
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for &to in self.edges.from(node) {
                if groups.group_of(to) == own && !before.contains_key(&to) {
                    before.insert(to, node);
                    queue.push_back(to);
                }
            }
            if before.contains_key(&start) {
                break;
            }
        }
        // From the end back to the start.
        let mut path = vec![start];
        let mut node = *before.get(&start)?;
        while node != start {
            path.push(node);
            node = *before.get(&node)?;
        }
        path[1..].reverse();
        // The diagnostic shows the objects around an argument instead of the argument itself.
        let is_argument = |node: &u32| {
            let extra = node.checked_sub(self.objects);
            let extra = extra.and_then(|extra| self.extras.get(extra as usize));
            matches!(extra, Some(Extra::Port(_, Port::Argument(_))))
        };
        let object = self.object(start)?;
        path.retain(|node| !is_argument(node));
        let text = cycles::text(&path, |node| self.name(node));
        let label = self.module.module.declaration(object)?;
        let text = arena.str(&text);
        Some(Diagnostic::new(Code::CircularReference, label).with_arguments(&[text]))
    }

    fn name(&self, node: u32) -> String {
        let extra = node.checked_sub(self.objects);
        let object = self.object(node).map(|object| object.to_string()).unwrap_or_default();
        match extra.and_then(|extra| self.extras.get(extra as usize)) {
            Some(Extra::Port(_, Port::Output(output))) => format!("{object}.{output}"),
            _ => object,
        }
    }
}
