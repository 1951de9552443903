//! The dependencies of the tests of modules: what their expressions read, and what the modules that their
//! runs run read with the values of these.

use std::cell::RefCell;

use super::callers::run_part;
use super::inputs::{Outer, Plan, Reads};
use crate::body::Attribute;
use crate::diagnostic::Label;
use crate::expand::{Expansion, Inputs};
use crate::hash::HashSet;
use crate::module::test::TestFile;
use crate::span::Span;
use crate::tree::{Link, Tree};
use crate::value::Value;

/// The most runs of a module that are evaluated.
const MOST_RUNS: usize = 64;

/// Names that only tests have.
const NAMES: [&str; 3] = ["run", "output", "check"];

/// The values of variables, and where they are written.
type Variables<'a> = Vec<(&'a str, Value<'a>, Label<'a>)>;

/// The modules that the runs of a test file run, with the module itself.
pub(super) fn run_by(tree: &Tree<'_>, module: usize) -> Vec<usize> {
    let links = tree.modules()[module].run_links.iter().flatten();
    let run = links.filter_map(|link| match link {
        Some(Link::Module(place)) => Some(*place),
        _ => None,
    });
    let mut all: Vec<usize> = [module].into_iter().chain(run).collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Plan<'_> {
    /// Returns the dependencies of the tests of a module.
    ///
    /// Cost: that of evaluating the module once for each test file, and what each run runs, up to
    /// [`MOST_RUNS`].
    pub(super) fn reads_of_tests<'a>(&self, tree: &Tree<'a>, module: usize) -> Reads<'a> {
        let mut all = Reads::of(module, true);
        all.instances.push((module, Some(Outer::Tests)));
        let tested = &tree.modules()[module];
        let mut left = MOST_RUNS;
        for (file, links) in tested.tests.iter().zip(&tested.run_links) {
            let Some(variables) = self.add_file(&mut all, tree, module, file) else { break };
            let mut seen: HashSet<(Option<usize>, Option<Span>)> = HashSet::default();
            for ((run, link), of_run) in file.runs.iter().zip(links).zip(variables) {
                let target = match link {
                    None => Some(module),
                    Some(Link::Module(place)) => Some(*place),
                    Some(_) => None,
                };
                // Runs without values of their own are the same.
                let own = (!run.variables.is_empty()).then(|| run.block.span());
                let Some(place) = target.filter(|_| seen.insert((target, own))) else { continue };
                if left == 0 {
                    all.is_complete = false;
                    return all;
                }
                left -= 1;
                let Some(inputs) = self.test_inputs(tree, place) else { continue };
                let outer = Some(Outer::Part(0, run_part(run)));
                let inputs = inputs.with_values(&of_run);
                self.add(&mut all, (tree, place, outer), inputs, &|expansion| expansion.observe());
            }
        }
        all
    }

    fn test_inputs<'i, 'a>(&self, tree: &Tree<'a>, module: usize) -> Option<Inputs<'i, 'a>> {
        let module = &tree.modules()[module];
        let directory = self.space.directory(&module.files.directory())?;
        let arena = module.sources.first()?.arena();
        Some(self.plain_inputs(arena, &directory))
    }

    /// Adds what the expressions of a file read. Returns the values of variables of each run.
    fn add_file<'a>(
        &self,
        all: &mut Reads<'a>,
        tree: &Tree<'a>,
        module: usize,
        file: &TestFile<'a>,
    ) -> Option<Vec<Variables<'a>>> {
        let names = NAMES.map(|name| (name, Value::dynamic()));
        let found = RefCell::new(Variables::new());
        let values = |expansion: &Expansion<'_, 'a>, attributes: &[Attribute<'a>]| {
            let value = |it: &Attribute<'a>| {
                let value = expansion.observe_other(it.expression(), &names, true);
                (it.name(), value, it.label())
            };
            attributes.iter().map(value).collect::<Variables<'a>>()
        };
        let inputs = self.test_inputs(tree, module)?;
        self.add(all, (tree, module, Some(Outer::Tests)), inputs, &|expansion| {
            found.replace(values(expansion, file.variables));
            true
        });
        let of_file = found.take();
        let runs = RefCell::new(Vec::new());
        let inputs = self.test_inputs(tree, module)?.with_values(&of_file);
        self.add(all, (tree, module, Some(Outer::Tests)), inputs, &|expansion| {
            file.visit_values(&mut |value| {
                expansion.observe_other(value, &names, false);
            });
            let of_runs = file.runs.iter().map(|run| {
                let own = values(expansion, run.variables);
                of_file.iter().chain(&own).copied().collect::<Variables<'a>>()
            });
            runs.replace(of_runs.collect());
            true
        });
        Some(runs.take())
    }
}
