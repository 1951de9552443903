//! Instances with a history: `moved` blocks, which give the recorded values of an old address to a new
//! one, and `import` blocks.

use super::engine::Expansion;
use super::evaluation::Evaluation;
use super::history::{Imported, Moved};
use super::instance::{Child, ModuleInstance};
use super::keys::{Key, Keys};
use super::node::Node;
use super::state::Recorded;
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::module::{Import, Wanted, check_wanted};
use crate::native::{self, Construct, Step, StepKind, Traversal};
use crate::reference::{InstanceKey, Mode, ResourceName};
use crate::show::{self, Address, ResourceStep};
use crate::tree::{PlanSource, written_address};
use crate::value::Value;

/// Ends of `moved` blocks: for the old (0) or new (1) address, which may be that of one instance, the first
/// module that has it, its block, and the other end.
pub(super) type Ends<'a> = HashMap<(usize, String, bool), (u32, Block<'a>, String)>;

impl<'t, 'a> Expansion<'t, 'a> {
    /// The address that the state has for an instance; `None` if it has none.
    pub(super) fn recorded_address<'s>(
        &'s self,
        state: &Recorded<'a>,
        address: &'s str,
    ) -> Option<&'s str> {
        let moved = self.moved.get_or_init(|| self.follow_moves(state));
        let address = moved.get(address).copied().unwrap_or(Some(address));
        address.filter(|address| state.has(address))
    }

    /// Follows the `moved` blocks from all instances of the state.
    fn follow_moves(&self, state: &Recorded<'a>) -> Moved<'a> {
        self.tree.plan_sources(self.module(0).place).recorded(state.addresses())
    }

    /// Returns the import of an instance; `None` if the state has the instance.
    pub(super) fn imported(&self, address: &str) -> Option<Imported<'a>> {
        if self.imports.is_empty() {
            return None;
        }
        let target = Address::parse(address).ok()?.to_configuration().to_string();
        let imports = self.imports.get(&target)?;
        if let Some(state) = &self.inputs.state
            && self.recorded_address(state, address).is_some()
        {
            return None;
        }
        let instances = imports.instances.get_or_init(|| {
            let arena = (self.inputs.arena, false);
            let found = imports.blocks.iter().flat_map(|block| {
                self.settled((0, Key::None, arena), |evaluation| evaluation.imports(block))
            });
            found.collect()
        });
        instances.get(address).copied()
    }
}

impl<'t, 'a> Expansion<'t, 'a> {
    /// Reports imports to instances that the configuration does not have, of resources that it has.
    pub(super) fn check_imports(&self) {
        for block in self.imports.values().flat_map(|imports| &imports.blocks) {
            let arena = (self.inputs.arena, false);
            let found = self.settled((0, Key::None, arena), |evaluation| evaluation.imports(block));
            let has_unknown =
                found.iter().any(|(_, (name, value))| *name == "id" && !value.is_known());
            self.check_import_until_apply(block, has_unknown);
            for (address, _) in found {
                let parsed = Address::parse(&address).ok();
                let has = parsed.as_ref().and_then(|it| self.has_instance(it));
                if let (Some(address), Some(to)) = (&parsed, block.to)
                    && !address.modules.is_empty()
                    && self.find(address) == PlanSource::Nowhere
                {
                    let shown = self.inputs.arena.format(format_args!("{address}"));
                    let found = Diagnostic::new(Code::UndeclaredImport, to.start_label());
                    self.report(0, found.with_arguments(&[shown]));
                }
                if let (Some(false), Some(to)) = (has, block.to) {
                    let address = self.inputs.arena.str(&address);
                    let diagnostic = Diagnostic::new(Code::MissingInstance, to.start_label());
                    self.report(0, diagnostic.with_arguments(&[address]));
                }
            }
        }
    }

    /// Where the resource of an address is declared.
    fn find(&self, address: &Address<'_>) -> PlanSource<'a> {
        let sources = self.sources.get_or_init(|| self.tree.plan_sources(self.module(0).place));
        sources.find(address)
    }

    /// Reports objects of an instance of a module that are moved or removed and still exist, and moves that
    /// contradict those of other modules. `ends` has the moves so far.
    /// Problems that depend on names alone have been reported for each module.
    pub(super) fn check_refactored(&self, number: u32, ends: &mut Ends<'a>) {
        let module = self.module(number);
        let declared = &module.declared.module;
        for block in &declared.moved {
            let (Some(from), Some(to)) = (block.from, block.to) else { continue };
            let (Some(old), Some(new)) = (written_address(from), written_address(to)) else {
                continue;
            };
            if old == new {
                continue;
            }
            let is_keyed = old.has_own_key() || new.has_own_key();
            let [old, new] = [old, new].map(|end| self.in_module(&module, end));
            self.check_ends((number, block.block), [&old, &new], is_keyed, ends);
            // A move of all instances is about the block.
            let exists = match is_keyed {
                true => self.has_instance(&old),
                false => self.has_block(&old),
            };
            if exists == Some(true) {
                self.report_existing(number, (block.block, from), "moved", &old);
            }
        }
        for block in &declared.removed {
            let Some(from) = block.from else { continue };
            let Some(old) = written_address(from) else { continue };
            let old = self.in_module(&module, old);
            if self.is_declared(&old) {
                self.report_existing(number, (block.block, from), "removed", &old);
            }
        }
    }

    /// Reports an object that another module moves elsewhere, or has moved from elsewhere.
    fn check_ends(
        &self,
        (number, block): (u32, Block<'a>),
        addresses: [&Address<'_>; 2],
        is_keyed: bool,
        ends: &mut Ends<'a>,
    ) {
        let [from, to] = addresses.map(ToString::to_string);
        let pairs =
            [(&from, &to, "moves to two addresses"), (&to, &from, "has moved from two addresses")];
        for (place, (own, other, what)) in pairs.into_iter().enumerate() {
            let end = (place, own.clone(), is_keyed);
            let (module, first, known) =
                ends.entry(end).or_insert_with(|| (number, block, other.clone()));
            if *module != number && known != other {
                let name = self.inputs.arena.str(own);
                let found = Diagnostic::new(Code::AmbiguousMove, block.definition_label())
                    .with_arguments(&[name, what])
                    .with_related(first.definition_label(), "the other block");
                self.report(number, found);
            }
        }
    }

    /// The address of something in an instance of a module.
    fn in_module<'m>(
        &self,
        module: &'m ModuleInstance<'t, 'a>,
        mut address: Address<'m>,
    ) -> Address<'m> {
        if let Ok(mut outer) = Address::parse(&module.address) {
            outer.modules.append(&mut address.modules);
            address.modules = outer.modules;
        }
        address
    }

    /// Whether a block declares a resource.
    fn is_declared(&self, address: &Address<'_>) -> bool {
        address.resource.is_some() && matches!(self.find(address), PlanSource::Declared(_))
    }

    fn report_existing(
        &self,
        number: u32,
        (block, from): (Block<'a>, Traversal<'a>),
        what: &'static str,
        address: &Address<'_>,
    ) {
        let name = self.inputs.arena.format(format_args!("{from}"));
        let mut found = Diagnostic::new(Code::StillDeclared, block.definition_label())
            .with_arguments(&[name, what]);
        if let PlanSource::Declared(label) = self.find(address) {
            found = found.with_related(label, "declared here");
        }
        self.report(number, found);
    }

    /// The number of an instance of a module; `None` if there is none, or if that is not known. The inner
    /// one is `None` if it is known that there is none.
    fn module_at(&self, modules: &[show::Call<'_>]) -> Option<Option<u32>> {
        let mut number = 0;
        for step in modules {
            let module = self.module(number);
            let place = module.declared.module.calls.place(step.name)?;
            let keys = self.force_keys(Node::CallKeys(number, place));
            let Some(at) = place_of(keys, step.key.as_ref())? else { return Some(None) };
            let Child::Modules(first) = self.children(number, place, keys) else { return None };
            number = first + u32::try_from(at).ok()?;
        }
        Some(Some(number))
    }

    /// Whether the block of a resource or call is declared in an instance of a module; `None` if that is
    /// not known.
    fn has_block(&self, address: &Address<'_>) -> Option<bool> {
        let (call, around) = match (&address.resource, address.modules.split_last()) {
            (None, Some((call, around))) => (Some(call), around),
            _ => (None, address.modules.as_slice()),
        };
        let Some(number) = self.module_at(around)? else { return Some(false) };
        let module = self.module(number);
        Some(match call {
            Some(call) => module.declared.module.calls.place(call.name).is_some(),
            None => self.is_declared(address),
        })
    }

    /// Whether there is an instance of a resource or module; `None` if that is not known, or if its
    /// block is not declared.
    fn has_instance(&self, address: &Address<'_>) -> Option<bool> {
        let Some(number) = self.module_at(&address.modules)? else { return Some(false) };
        let Some(step) = address.resource.as_ref() else { return Some(true) };
        let keys = self.resource_keys(number, step)?;
        Some(place_of(keys, step.key.as_ref())?.is_some())
    }

    /// Like [`has_instance`](Self::has_instance), of a managed resource. Without a key, any instance counts.
    pub(super) fn has_any(&self, address: &str) -> Option<bool> {
        let address = Address::parse(address).ok()?;
        let step = address.resource.as_ref()?;
        let Some(number) = self.module_at(&address.modules)? else { return Some(false) };
        match (self.resource_keys(number, step)?, &step.key) {
            (Keys::Unknown(_), _) => None,
            (keys, None) => Some(keys.len() > 0),
            (keys, key) => Some(place_of(keys, key.as_ref())?.is_some()),
        }
    }

    /// The keys of a managed resource; `None` if it is not declared.
    fn resource_keys(&self, number: u32, step: &ResourceStep<'_>) -> Option<Keys<'a>> {
        let module = self.module(number);
        let resources = &module.declared.module.resources;
        let name = ResourceName {
            mode: Mode::Managed,
            resource_type: step.resource_type,
            name: step.name,
        };
        let place = resources.place(name)?;
        let resource = resources.at(place)?;
        Some(match resource.is_plain() {
            true => Keys::One,
            false => self.force_keys(Node::ResourceKeys(number, place)),
        })
    }
}

/// The place of the instance with a key, if there is one; `None` if the instances are not known.
fn place_of(keys: Keys<'_>, key: Option<&show::Key<'_>>) -> Option<Option<u64>> {
    Some(match (keys, key) {
        (Keys::Unknown(_), _) | (_, Some(show::Key::Unknown)) => return None,
        (Keys::One, None) => Some(0),
        (_, None) => None,
        (keys, Some(show::Key::Number(digits))) => {
            digits.parse().ok().and_then(|number| keys.place(InstanceKey::Number(number)))
        }
        (keys, Some(show::Key::Text(name))) => keys.place(InstanceKey::String(name)),
    })
}

impl<'a> Evaluation<'_, '_, 'a, 'a> {
    fn imports(&self, block: &Import<'a>) -> Vec<(String, Imported<'a>)> {
        let checked = |expression: Expression<'a>, wanted: Wanted| {
            let value = self.value(expression);
            let dialect = self.engine.dialect();
            check_wanted(value, expression, wanted, dialect, &mut *self.found.borrow_mut());
            value
        };
        let elements = match block.for_each {
            None => vec![None],
            Some(each) => {
                let elements = self.elements(checked(each, Wanted::Collection));
                elements.unwrap_or_default().into_iter().map(Some).collect()
            }
        };
        let mut found = Vec::new();
        for element in elements {
            let each = element
                .map(|(key, value)| Value::object(self.arena, &[("key", key), ("value", value)]));
            *self.own.borrow_mut() = each.map(|each| ("each", each)).into_iter().collect();
            let by = match (block.id, block.identity) {
                (Some(id), _) => ("id", checked(id, Wanted::Identifier)),
                (_, Some(identity)) => ("identity", checked(identity, Wanted::Identity)),
                _ => continue,
            };
            found.extend(block.to.and_then(|to| self.target(to)).map(|address| (address, by)));
        }
        found
    }

    /// The address of an import; `None` if a key is not known.
    fn target(&self, to: Expression<'a>) -> Option<String> {
        let mut steps = Vec::new();
        let mut rest = Some(to.as_native()?);
        while let Some(native) = rest.take() {
            match native.construct() {
                Construct::Traversal(start) => steps.extend(start.steps().iter().rev().copied()),
                Construct::Relative(from, relative) => {
                    steps.extend(relative.steps().iter().rev().copied());
                    rest = Some(from);
                }
                Construct::Index { collection, key } => {
                    let value = self.value(Expression::from_native(key));
                    let number = || value.as_number()?.as_i64();
                    let key = match value.as_str() {
                        Some(text) => native::Key::String(text),
                        None => {
                            native::Key::Number(self.arena.format(format_args!("{}", number()?)))
                        }
                    };
                    steps.push(Step { kind: StepKind::Index(key), span: native.span() });
                    rest = Some(collection);
                }
                _ => return None,
            }
        }
        steps.reverse();
        let steps = self.arena.bump().alloc_slice_copy(&steps);
        Some(written_address(Traversal::new(to.source(), steps))?.to_string())
    }
}
