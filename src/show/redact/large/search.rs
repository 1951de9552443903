//! The search for secrets in a plan, after the first pass.

use super::core::{Large, Module};
use super::first::has_shape;
use super::interned::Interned;
use super::origin::What;
use super::pieces::Refusal;
use crate::hash::HashSet;
use crate::show::plan::Plan;
use crate::show::redact::configuration::{Expressions, variable};
use crate::show::redact::content::is_of_values;
use crate::show::redact::hints::{Hints, may_mark};
use crate::show::redact::instances::{Entry, Side};
use crate::show::redact::marked::{Marked, settled};
use crate::show::redact::options::Options;
use crate::show::redact::texts::Texts;
use crate::show::state::Resource;
use crate::stream::Record;

/// The search for secrets in a plan.
pub(super) struct Search<'t, 's> {
    pub(super) options: Options,
    pub(super) interned: Interned<'t>,
    /// The kinds of values with marks.
    pub(super) kinds: HashSet<(&'t str, &'t str)>,
    pub(super) texts: &'s mut Texts,
}

impl<'t> Search<'t, '_> {
    pub(super) fn plan(
        &mut self,
        large: &mut Large<'t, '_>,
        plan: Plan<'t>,
        is_late: bool,
        marked: &mut Marked,
    ) -> Result<(), Refusal> {
        let expressions =
            plan.configuration().value().map(|all| Expressions::new(all, self.options));
        large.modules = expressions.as_ref().map(modules_of).unwrap_or_default();
        let planned = plan.planned_values().value();
        let prior = plan.prior_state().value().and_then(|state| state.values_field().value());
        let sides = [(Side::Before, prior), (Side::After, planned)];
        let hints = Hints::of(plan.object().node(), false);
        marked.changes(plan, &hints, &mut large.instances, false);
        for (side, values) in sides {
            marked.values(values, side, &hints, &mut Vec::new(), false);
        }
        let mut blocks = HashSet::default();
        let mut configuration = OfConfiguration::default();
        let has_blocks = expressions.is_some();
        large.pass(&mut |large, record, what, at| match what {
            What::Change { .. } | What::Value(_) => {
                let root = record.document().root();
                self.secrets(large, record, what)?;
                if has_blocks {
                    let entry = Entry::of(root);
                    if self.kinds.contains(&entry.kind()) || large.instances.is_marked(&entry) {
                        blocks.extend(large.instances.unmarked_block(&entry));
                    }
                }
                Ok(())
            }
            What::Configuration if !is_late => {
                large.instances.set_planned(plan, &mut blocks);
                self.configuration(large, record, at, &mut configuration);
                Ok(())
            }
            _ => Ok(()),
        })?;
        large.instances.set_planned(plan, &mut blocks);
        let unmatched = [Side::Before, Side::After].map(|side| large.instances.has_unmatched(side));
        if unmatched.contains(&true) {
            large.visits = unmatched;
            large.pass(&mut |large, record, what, _| match what {
                What::Value(_) if !may_mark(record.document().source().bytes()) => {
                    self.secrets(large, record, what)
                }
                _ => Ok(()),
            })?;
        }
        if has_blocks && (is_late || unmatched.contains(&true)) {
            configuration = OfConfiguration::default();
            large.pass(&mut |large, record, what, at| {
                if what == What::Configuration {
                    self.configuration(large, record, at, &mut configuration);
                }
                Ok(())
            })?;
        }
        self.texts.append(configuration.texts);
        marked.plan_outputs(plan, sides.map(|(_, values)| values));
        if let Some(expressions) = expressions {
            let known = configuration.variables.into_iter().collect();
            expressions.hide(Some((plan, &large.instances)), known, marked);
        }
        Ok(())
    }

    /// Notes the secrets of a change or a value.
    fn secrets(
        &mut self,
        large: &mut Large<'t, '_>,
        record: &Record<'_>,
        what: What,
    ) -> Result<(), Refusal> {
        let root = record.document().root();
        let mut marked = Marked::default();
        let unknown = large.mark(what, root, None, &mut marked, &mut |_| {});
        if let Some((identity, tree)) = unknown {
            let (identity, tree) = (self.interned.identity(identity), self.interned.tree(tree)?);
            large.instances.note(&identity, tree);
        }
        // Values without own marks were not checked before.
        if marked.is_malformed && !has_shape::<Resource<'_>>(root) {
            return Err(Refusal::Unclear);
        }
        self.texts.add(&settled(marked.spans), root.source().bytes());
        Ok(())
    }

    /// Notes the secrets of a resource of the configuration, and the variables that it hides.
    fn configuration(
        &mut self,
        large: &Large<'t, '_>,
        record: &Record<'_>,
        at: u32,
        found: &mut OfConfiguration<'t>,
    ) {
        let Some(module) = large.module_at(at) else { return };
        let root = record.document().root();
        let mut marked = Marked::default();
        large.mark(What::Configuration, root, Some(module), &mut marked, &mut |expression| {
            if let Some(name) = variable(expression) {
                found.variables.insert((module.number, self.interned.string(name)));
            }
        });
        found.texts.add(&settled(marked.spans), root.source().bytes());
    }
}

/// The secrets in the resources of the configuration.
#[derive(Default)]
struct OfConfiguration<'t> {
    texts: Texts,
    /// The numbers of modules, and the names of their variables whose values are secret.
    variables: HashSet<(usize, &'t str)>,
}

/// The lists of resources of all modules, in the order of the skeleton.
fn modules_of(expressions: &Expressions<'_>) -> Vec<Module> {
    let mut values: Vec<bool> = Vec::new();
    let mut modules = Vec::new();
    for (number, (module, path)) in expressions.modules().enumerate() {
        let call = expressions.call(number);
        let is_value = call.is_some_and(|(caller, name)| {
            values.get(caller).copied().unwrap_or_default() || is_of_values(name.as_bytes())
        });
        values.push(is_value);
        if let Some(resources) = module.resources().value() {
            let span = resources.array().node().span();
            modules.push(Module { span, number, path, is_value });
        }
    }
    modules.sort_unstable_by_key(|module| module.span.start);
    modules
}
