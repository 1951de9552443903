//! Modules that call themselves, by paths.
//!
//! There is one diagnostic for each call that closes a cycle. The search starts from the modules
//! that nothing calls, so the call that closes a cycle is the last one on the way from there. Cost:
//! linear in the calls.

use super::called::called;
use super::module::{Link, Origin, TreeModule};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expression;
use crate::module::SourceAddress;

/// Of a longer cycle the last calls are cited.
const MOST_CITED: usize = 16;

/// A module on the way that is being followed.
struct Step {
    module: usize,
    /// Which of its calls is followed.
    call: usize,
    /// The last place on the way, up to this one, whose module was given.
    last_given: Option<usize>,
}

/// What a search knows of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    /// At that place of the way.
    OnWay(usize),
    Done,
}

/// The cycles, each with the place of the module that its diagnostic belongs to.
pub(super) fn cycles<'a>(
    modules: &[TreeModule<'a>],
    links: &[Vec<Link>],
    arena: &'a Arena,
) -> Vec<(usize, Diagnostic<'a>)> {
    let is_called = called(modules.len(), links.iter().flatten());
    let (called, roots): (Vec<usize>, Vec<usize>) =
        (0..modules.len()).partition(|&module| is_called[module]);
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

    /// The source of a call by path.
    fn source(&self, module: usize, call: usize) -> Option<Expression<'a>> {
        let call = self.modules[module].module.calls.iter().nth(call)?;
        match call.source_address()? {
            SourceAddress::Local(_) => Some(call.source?.expression()),
            _ => None,
        }
    }

    /// The cycle from a place of the way to its end. It is reported at a given module that takes
    /// part.
    fn cycle(&self, first: usize) -> Option<(usize, Diagnostic<'a>)> {
        let told = self.way.last()?.last_given.filter(|&place| place >= first)?;
        let behind = match told + 1 == self.way.len() {
            true => first,
            false => told + 1,
        };
        let name = self.modules[self.way[behind].module].files.path.display();
        let step = &self.way[told];
        let source = self.source(step.module, step.call)?;
        let name = self.arena.format(format_args!("{name}"));
        let mut diagnostic =
            Diagnostic::new(Code::ModuleCycle, source.label()).with_arguments(&[name]);
        // From the call after it around to the one before it.
        let around = (told + 1..self.way.len()).chain(first..told);
        let skipped = (self.way.len() - first).saturating_sub(MOST_CITED + 1);
        for step in around.skip(skipped).map(|place| &self.way[place]) {
            if let Some(source) = self.source(step.module, step.call) {
                diagnostic = diagnostic.with_related(source.label(), "then this call");
            }
        }
        Some((self.way[told].module, diagnostic))
    }
}
