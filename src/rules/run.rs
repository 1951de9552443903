//! Runs rules over a tree.

use rayon::prelude::*;

use super::found::Found;
use super::node::{NodeKinds, RuleNode, texts_of_templates, visit_json, visit_native};
use super::option::{OptionValue, OptionValues};
use super::rule::{Check, InJson, Rule};
use super::unused::uncalled_module::uncalled;
use super::view::{FileComment, Shared, TreeView, View};
use crate::diagnostic::Diagnostic;
use crate::format::{TokenKind, tokens};
use crate::hash::HashSet;
use crate::parallel;
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::span::Span;
use crate::tree::{Origin, Tree};

/// The number of objects of a module from which its rules run side by side.
const LARGE: u32 = 4096;

/// The number of bytes of a JSON file from which it is searched for several rules side by side.
const LARGE_FILE: usize = 1 << 22;

/// Rules to run, with their options.
///
/// ```
/// use simd_hcl::rules::{Selection, rule};
///
/// let unused = rule("unused-declaration").unwrap();
/// let mut selection = Selection::new();
/// selection.add(unused);
/// assert!(selection.has(unused));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Selection {
    chosen: Vec<Chosen>,
}

#[derive(Clone, Debug)]
struct Chosen {
    rule: &'static Rule,
    options: OptionValues,
}

impl Selection {
    /// No rules.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rule, with the default values of its options.
    pub fn add(&mut self, rule: &'static Rule) {
        if !self.has(rule) {
            self.chosen.push(Chosen { rule, options: OptionValues::defaults(rule.options) });
        }
    }

    /// Whether it has a rule.
    #[must_use]
    pub fn has(&self, rule: &Rule) -> bool {
        self.chosen.iter().any(|chosen| chosen.rule.code == rule.code)
    }

    /// Whether some rule finds something in a module because of its callers.
    #[cfg(feature = "workspace")]
    pub(crate) fn reads_callers(&self) -> bool {
        self.chosen.iter().any(|chosen| matches!(chosen.rule.check, Check::Tree(_)))
    }

    /// Sets an option of a rule, if it has the rule.
    ///
    /// # Errors
    /// The rule has no such option, or the option does not accept the value: a phrase such as
    /// "expected true or false".
    pub fn set(&mut self, rule: &Rule, option: &str, value: OptionValue) -> Result<(), String> {
        let found = self.chosen.iter_mut().find(|chosen| chosen.rule.code == rule.code);
        found.map_or(Ok(()), |chosen| chosen.options.set(option, value))
    }
}

/// Runs rules over the given modules of a tree. Returns their findings in the requested files,
/// module by module. Rules that [the tree](Tree::diagnostics) itself reports find nothing here.
///
/// Cost: rules about declarations are linear in these; those about expressions and comments are
/// linear in the native files. A JSON file is searched for what a rule looks for, and its templates
/// are parsed again only if it is there.
#[must_use]
pub fn check<'a>(tree: &Tree<'a>, selection: &Selection) -> Vec<Diagnostic<'a>> {
    check_with(tree, selection, Some(&Shared::default()))
}

/// Like [`check`], but the findings of a module do not depend on its callers.
#[cfg(feature = "workspace")]
pub(crate) fn check_apart<'a>(tree: &Tree<'a>, selection: &Selection) -> Vec<Diagnostic<'a>> {
    check_with(tree, selection, None)
}

fn check_with<'a>(
    tree: &Tree<'a>,
    selection: &Selection,
    shared: Option<&Shared<'a>>,
) -> Vec<Diagnostic<'a>> {
    let runner = Runner::new(selection);
    let modules = tree.modules().par_iter().enumerate();
    let given = modules.filter(|(_, module)| module.origin == Origin::Given);
    let found: Vec<Vec<Diagnostic<'a>>> = given
        .map(|(place, module)| match (View::new(tree, module), shared) {
            (Some(view), Some(shared)) => runner.module(&view.among(place, shared)),
            (Some(view), None) => runner.module(&view),
            (None, _) => Vec::new(),
        })
        .collect();
    let mut found: Vec<Diagnostic<'a>> = found.into_iter().flatten().collect();
    runner.tree(tree, &mut found);
    let not_requested = not_requested(tree);
    found.retain(|it| !not_requested.contains(&it.source().id()));
    tree.withhold(&mut found);
    found
}

/// For each module of a tree, whether nothing needs it: the finding of `uncalled-module`, whether or not
/// the rule is selected.
///
/// Cost: linear in modules and calls.
#[must_use]
pub fn uncalled_modules(tree: &Tree<'_>) -> Vec<bool> {
    uncalled(&TreeView::new(tree))
}

/// The files of the given modules that were read only because others beside them were named, by the
/// numbers of the sources.
pub(super) fn not_requested(tree: &Tree<'_>) -> HashSet<u32> {
    let mut all = HashSet::default();
    for module in tree.given() {
        let asked_for = module.files.asked_for();
        if !asked_for.is_all() {
            let others = module.sources.iter().filter(|it| !asked_for.contains(it.name()));
            all.extend(others.map(|source| source.id()));
        }
    }
    all
}

type CommentCheck = for<'a> fn(&FileComment<'a>, &mut Found<'_, 'a>);
type ModuleCheck = for<'a> fn(&View<'_, 'a>, &mut Found<'_, 'a>);
type TreeCheck = for<'a> fn(&TreeView<'_, 'a>, &mut Found<'_, 'a>);

/// Rules, by their input.
struct Runner<'s> {
    comments: Vec<(&'s Chosen, CommentCheck)>,
    nodes: Vec<OfNodes<'s>>,
    /// The kinds of nodes that any of them reads.
    kinds: NodeKinds,
    modules: Vec<(&'s Chosen, ModuleCheck)>,
    trees: Vec<(&'s Chosen, TreeCheck)>,
}

/// A rule about nodes.
struct OfNodes<'s> {
    chosen: &'s Chosen,
    kinds: NodeKinds,
    in_json: InJson,
    check: for<'a> fn(&RuleNode<'_, 'a>, &mut Found<'_, 'a>),
}

impl<'s> Runner<'s> {
    fn new(selection: &'s Selection) -> Self {
        let mut runner = Self {
            comments: Vec::new(),
            nodes: Vec::new(),
            kinds: NodeKinds::NONE,
            modules: Vec::new(),
            trees: Vec::new(),
        };
        for chosen in &selection.chosen {
            match chosen.rule.check {
                Check::Always => {}
                Check::Comments(check) => runner.comments.push((chosen, check)),
                Check::Nodes(kinds, in_json, check) => {
                    runner.kinds = runner.kinds.and(kinds);
                    runner.nodes.push(OfNodes { chosen, kinds, in_json, check });
                }
                Check::Module(check) => runner.modules.push((chosen, check)),
                Check::Below(check) | Check::Tree(check) => runner.trees.push((chosen, check)),
            }
        }
        runner
    }

    /// Returns the findings of the rules in one module.
    fn module<'a>(&self, view: &View<'_, 'a>) -> Vec<Diagnostic<'a>> {
        let run = |&(chosen, check): &(&Chosen, ModuleCheck)| {
            let mut found = Vec::new();
            let (code, options) = (chosen.rule.code, &chosen.options);
            check(view, &mut Found::new(code, options, view.arena, &mut found));
            found
        };
        let is_large = view.module().numbers().len() > LARGE;
        let found = parallel::chunks(&self.modules, 1, is_large, |rules| {
            rules.iter().flat_map(run).collect::<Vec<_>>()
        });
        let mut found: Vec<Diagnostic<'a>> = found.into_iter().flatten().collect();
        for file in view.files() {
            self.expressions(file, &mut found);
            self.comments(file, &mut found);
        }
        found
    }

    fn expressions<'a>(&self, file: ParsedFile<'a>, found: &mut Vec<Diagnostic<'a>>) {
        let arena = file.source().arena();
        let mut run = |rules: &[&OfNodes<'s>], kinds: NodeKinds, node: &RuleNode<'_, 'a>| {
            for rule in rules.iter().filter(|rule| rule.kinds.meets(kinds)) {
                let (code, options) = (rule.chosen.rule.code, &rule.chosen.options);
                (rule.check)(node, &mut Found::new(code, options, arena, found));
            }
        };
        if file.as_native().is_some() {
            if self.kinds != NodeKinds::NONE {
                let rules: Vec<&OfNodes<'s>> = self.nodes.iter().collect();
                visit_native(file, self.kinds, |kinds, node| run(&rules, kinds, node));
            }
            return;
        }
        let is_there = |rule: &&OfNodes<'s>| match rule.in_json {
            InJson::No => false,
            InJson::If(is_in) => texts_of_templates(file.source().bytes()).any(is_in),
        };
        // A search reads the whole file.
        let is_large = file.source().bytes().len() > LARGE_FILE;
        let all: Vec<&OfNodes<'s>> = self.nodes.iter().collect();
        let rules = parallel::chunks(&all, 1, is_large, |rules| {
            rules.iter().copied().filter(is_there).collect::<Vec<_>>()
        })
        .concat();
        if !rules.is_empty() {
            let kinds = rules.iter().fold(NodeKinds::NONE, |kinds, rule| kinds.and(rule.kinds));
            visit_json(file, kinds, |kinds, node| run(&rules, kinds, node));
        }
    }

    fn comments<'a>(&self, file: ParsedFile<'a>, found: &mut Vec<Diagnostic<'a>>) {
        let Some(text) = file.as_native().map(|file| file.text()) else { return };
        if self.comments.is_empty() {
            return;
        }
        let source = file.source();
        for token in tokens(text).iter().filter(|token| token.kind() == TokenKind::Comment) {
            let text = text.get(token.start()..token.end()).unwrap_or_default();
            let text = text.strip_suffix('\n').unwrap_or(text);
            let text = text.strip_suffix('\r').unwrap_or(text);
            let start = token.start() as u32;
            let span = Span::new(start, start + text.len() as u32);
            let comment = FileComment { source, text, span };
            for (chosen, check) in &self.comments {
                let (code, options) = (chosen.rule.code, &chosen.options);
                check(&comment, &mut Found::new(code, options, source.arena(), found));
            }
        }
    }

    fn tree<'a>(&self, tree: &Tree<'a>, found: &mut Vec<Diagnostic<'a>>) {
        let Some(arena) = tree.sources().next().map(Source::arena) else { return };
        for (chosen, check) in &self.trees {
            let (code, options) = (chosen.rule.code, &chosen.options);
            check(&TreeView::new(tree), &mut Found::new(code, options, arena, found));
        }
    }
}
