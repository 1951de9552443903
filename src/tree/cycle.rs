//! Finds modules that call themselves through local paths.
//!
//! There is one diagnostic for each call that closes a cycle. The search starts from the modules
//! that nothing calls, so the call that closes a cycle is the last one on the path from there.
//! Cost: linear in the calls.

use super::module::{Link, Origin, TreeModule};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expression;
use crate::module::SourceAddress;

/// The number of calls that a diagnostic shows for a longer cycle: the last ones.
const MOST_CITED: usize = 16;

/// A module on the current path.
struct Step {
    module: usize,
    /// The call that is followed.
    call: usize,
    /// The last place on the path, up to this one, whose module is a given one.
    last_given: Option<usize>,
}

/// The state of a module in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    /// On the path, at this place.
    OnWay(usize),
    Done,
}

/// The cycles, each with the place of the module that its diagnostic belongs to.
pub(super) fn cycles<'a>(
    modules: &[TreeModule<'a>],
    links: &[Vec<Link>],
    arena: &'a Arena,
) -> Vec<(usize, Diagnostic<'a>)> {
    let (called, roots): (Vec<usize>, Vec<usize>) =
        (0..modules.len()).partition(|&module| modules[module].is_called);
    let mut search =
        Search { modules, links, arena, states: vec![State::New; modules.len()], way: Vec::new() };
    let mut found = Vec::new();
    for start in roots.into_iter().chain(called) {
        search.from(start, &mut found);
    }
    found
}

struct Search<'t, 'a> {
    modules: &'t [TreeModule<'a>],
    links: &'t [Vec<Link>],
    arena: &'a Arena,
    states: Vec<State>,
    way: Vec<Step>,
}

impl<'a> Search<'_, 'a> {
    fn from(&mut self, start: usize, found: &mut Vec<(usize, Diagnostic<'a>)>) {
        if self.states[start] == State::New {
            self.enter(start);
        }
        while let Some(step) = self.way.last() {
            let (module, call) = (step.module, step.call);
            let Some(link) = self.links[module].get(call) else {
                self.states[module] = State::Done;
                self.way.pop();
                if let Some(step) = self.way.last_mut() {
                    step.call += 1;
                }
                continue;
            };
            let followed = match link {
                Link::Module(called) if self.source(module, call).is_some() => {
                    Some((*called, self.states[*called]))
                }
                _ => None,
            };
            match followed {
                Some((called, State::New)) => {
                    self.enter(called);
                    continue;
                }
                Some((_, State::OnWay(first))) => found.extend(self.cycle(first)),
                _ => {}
            }
            if let Some(step) = self.way.last_mut() {
                step.call += 1;
            }
        }
    }

    fn enter(&mut self, module: usize) {
        let place = self.way.len();
        let last_given = match self.modules[module].origin {
            Origin::Given => Some(place),
            _ => self.way.last().and_then(|step| step.last_given),
        };
        self.states[module] = State::OnWay(place);
        self.way.push(Step { module, call: 0, last_given });
    }

    /// The source of a call that is a local path.
    fn source(&self, module: usize, call: usize) -> Option<Expression<'a>> {
        let call = self.modules[module].module.calls.iter().nth(call)?;
        match call.source_address()? {
            SourceAddress::Local(_) => Some(call.source?.expression()),
            _ => None,
        }
    }

    /// The cycle from a place of the path to its end. It is reported in one of its modules that is
    /// a given one.
    fn cycle(&self, first: usize) -> Option<(usize, Diagnostic<'a>)> {
        let reported = self.way.last()?.last_given.filter(|&place| place >= first)?;
        let next = match reported + 1 == self.way.len() {
            true => first,
            false => reported + 1,
        };
        let name = &self.modules[self.way[next].module].files.path;
        let step = &self.way[reported];
        let source = self.source(step.module, step.call)?;
        let name = self.arena.format(format_args!("{name}"));
        let mut diagnostic =
            Diagnostic::new(Code::ModuleCycle, source.label()).with_arguments(&[name]);
        // From the call after the reported one around to the one before it.
        let around = (reported + 1..self.way.len()).chain(first..reported);
        let skipped = (self.way.len() - first).saturating_sub(MOST_CITED + 1);
        for step in around.skip(skipped).map(|place| &self.way[place]) {
            if let Some(source) = self.source(step.module, step.call) {
                diagnostic = diagnostic.with_related(source.label(), "then this call");
            }
        }
        Some((self.way[reported].module, diagnostic))
    }
}
