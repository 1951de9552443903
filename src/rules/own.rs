//! Rules of your own: conditions in HCL about blocks of configuration.
//!
//! A [rule of a policy](crate::policy) with `for_each` is about the blocks or attributes that a
//! [pattern](crate::query) selects. Its condition is evaluated for each, with the variable `each`.
//! Expressions of the configuration are evaluated as far as they are known before a plan; variables
//! have their defaults. `docs/policy.md` and `docs/own-rules.md` specify the language.
//!
//! ```
//! use simd_hcl::functions::STANDARD;
//! use simd_hcl::policy::Rules;
//! use simd_hcl::rules::OwnRules;
//! use simd_hcl::directory::{MemoryFiles, in_memory};
//! use simd_hcl::tree::{Tree, TreeOptions};
//! use simd_hcl::{Arena, Document};
//!
//! let arena = Arena::new();
//! let mut found = Vec::new();
//! let text = br#"{"rule": {"typed-data": {
//!     "for_each": "resource.terraform_data", "deny": "${each.value.input == null}",
//!     "message": "Set \"input\"."}}}"#;
//! let file = Document::parse_bytes(&arena, "own.hcl.json", text)?;
//! let mut rules = Rules::new(Some(STANDARD));
//! assert!(rules.parse(file, &mut found));
//! let own = OwnRules::new(rules, &mut found);
//!
//! let mut files = MemoryFiles::new("");
//! files.insert("main.tf", (*b"resource \"terraform_data\" \"a\" {}\n").into())?;
//! let tree = Tree::load(&arena, in_memory(files, None), &TreeOptions::default());
//! assert_eq!(
//!     own.check(&tree)[0].to_string(),
//!     "main.tf:1:1: error[typed-data]: Denied by a rule: terraform_data.a: Set \"input\"."
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cell::Cell;
use std::collections::BTreeSet;

use rayon::prelude::*;

use super::contents::Contents;
use super::rule::Group;
use super::run::not_requested;
use super::view::View;
use crate::arena::Arena;
use crate::body::{Block, Body};
use crate::diagnostic::{Code, CustomCode, Diagnostic, Label, Severity, Sink};
use crate::dialect::Grammar;
use crate::dialect::table::Reading;
use crate::dialect::{Dialect, List, root_schema};
use crate::evaluate::{Budget, Meter, Scope};
use crate::expression::{Expression, PathStep};
use crate::hash::{HashMap, HashSet};
use crate::hidden::Hidden;
use crate::module::computed::Computed;
use crate::native::Traversal;
use crate::parsed::ParsedFile;
use crate::policy::{
    self, CheckOptions, EACH, Rule, SPENT, Verdict, member_at, name_of, print, share,
};
use crate::query::{Pattern, Selected, select, unknown_type};
use crate::show::leaves::is_secret;
use crate::tree::{Origin, Tree, TreeModule};
use crate::value::{Content, Marks, Value};

/// The rules of a set that are about configuration.
#[derive(Debug)]
pub struct OwnRules<'a> {
    all: policy::Rules<'a>,
    compiled: Vec<Compiled<'a>>,
}

/// A rule about configuration.
#[derive(Debug)]
struct Compiled<'a> {
    /// The index of the rule among all.
    place: usize,
    pattern: Pattern,
    code: &'static CustomCode,
    /// The names that the rule reads of `each.value`; `None` if it may read all.
    wanted: Option<Vec<&'a str>>,
}

impl<'a> OwnRules<'a> {
    /// Takes the rules with `for_each` of a set. Reports those with an invalid pattern, and those that
    /// have the name of a diagnostic or of a rule of this crate, to `sink`, and leaves them out.
    #[must_use]
    pub fn new(all: policy::Rules<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let mut compiled = Vec::new();
        for (place, rule) in all.iter().enumerate() {
            compiled.extend(Compiled::of(place, rule, sink));
        }
        Self { all, compiled }
    }

    /// Whether there are no such rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.compiled.is_empty()
    }

    /// The codes of their findings. The name of a code is the name of the rule.
    pub fn codes(&self) -> impl Iterator<Item = Code> {
        self.compiled.iter().map(|it| Code::Custom(it.code))
    }

    /// The set of rules.
    #[must_use]
    pub fn rules(&self) -> &policy::Rules<'a> {
        &self.all
    }

    /// Checks the requested files of the given modules of a tree, and returns the findings, module by
    /// module and rule by rule. A condition that depends on a value that is not known is a warning.
    ///
    /// Cost: for each rule, linear in the blocks at the root of the files and in the arguments that it
    /// reads, plus the evaluations, each within the budget of [`CheckOptions::BUDGET`], and all within one that
    /// grows with the files and the rules; with `**`, times the depth of the values. The first rule and block of a
    /// module that the budget of all does not suffice for has an error.
    #[must_use]
    pub fn check(&self, tree: &Tree<'a>) -> Vec<Diagnostic<'a>> {
        if self.is_empty() {
            return Vec::new();
        }
        let not_requested = not_requested(tree);
        let given = given(tree);
        let found: Vec<Vec<Outcome<'a>>> = given
            .par_iter()
            .map(|module| {
                let bytes = module.1.sources.iter().map(|it| it.bytes().len() as u64).sum();
                let meter = Meter::new(share(given.len(), bytes, self.compiled.len()));
                self.module(tree, *module, (None, CheckOptions::BUDGET, &meter))
            })
            .collect();
        let found = found.into_iter().flatten();
        let found = found.filter(|outcome| !not_requested.contains(&outcome.source));
        found.map(|outcome| outcome.diagnostic).collect()
    }

    /// Returns the outcomes of one rule, whose evaluations share a budget.
    pub(super) fn outcomes(
        &self,
        tree: &Tree<'a>,
        place: usize,
        meter: &Meter,
    ) -> Vec<Outcome<'a>> {
        let given = given(tree).into_iter();
        let all = Budget::new(u64::MAX, u64::MAX);
        given.flat_map(|module| self.module(tree, module, (Some(place), all, meter))).collect()
    }

    fn module(
        &self,
        tree: &Tree<'a>,
        (number, module): (usize, &TreeModule<'a>),
        (only, most, meter): (Option<usize>, Budget, &Meter),
    ) -> Vec<Outcome<'a>> {
        let mut found = Vec::new();
        let Some(view) = View::new(tree, module) else { return found };
        let computed = Computed::of_all_defaults(view.withholds());
        let contents = Contents { view: &view, computed: &computed };
        let hidden = tree.hidden_once().get(number);
        let bytes: usize = view.files().map(|file| file.source().bytes().len()).sum();
        let all = self.compiled.len().max(1) as u64;
        let room =
            Cell::new(LEAST_ROOM + PER_BYTE.saturating_mul(bytes as u64).saturating_mul(all));
        let mut scratch = Arena::new();
        let compiled = self.compiled.iter();
        for compiled in compiled.filter(|it| only.is_none_or(|place| place == it.place)) {
            let Some(rule) = self.all.get(compiled.place) else { continue };
            let (contents, room) = (&contents, &room);
            let check = Check { own: self, compiled, rule, contents, hidden, room, meter, most };
            check.run(&mut scratch, &mut found);
            if meter.exhausted().is_some() {
                break;
            }
        }
        found
    }
}

/// The given modules, with their indexes in the tree.
fn given<'t, 'a>(tree: &'t Tree<'a>) -> Vec<(usize, &'t TreeModule<'a>)> {
    let all = tree.modules().iter().enumerate();
    all.filter(|(_, module)| module.origin == Origin::Given).collect()
}

impl<'a> Compiled<'a> {
    /// `None` for a rule about changes, and for one that is invalid.
    fn of(place: usize, rule: &Rule<'a>, sink: &mut dyn Sink<'a>) -> Option<Self> {
        let for_each = rule.for_each()?;
        let arena = for_each.label.source.arena();
        let mut refuse = |label: Label<'a>, why: &str, near: Option<&'a str>| {
            let invalid = Diagnostic::new(Code::InvalidRule, label);
            sink.report(invalid.with_arguments(&[arena.str(why)]).with_suggestion(near));
            None
        };
        let pattern = match Pattern::parse(for_each.pattern) {
            Ok(pattern) => pattern,
            Err(error) => return refuse(for_each.label, &error.to_string(), None),
        };
        if let Some(unknown) = unknown_type(&pattern) {
            let why = format!("there is no block type {:?}", unknown.name);
            return refuse(for_each.label, &why, unknown.suggestion);
        }
        let is_read = |name: &str| {
            let schemas =
                [Dialect::OpenTofu, Dialect::Terraform].map(|it| root_schema(it, List::Primary));
            schemas.into_iter().flatten().any(|schema| schema.block(name).is_some())
        };
        if let Some(name) = pattern.first_name().filter(|name| !is_read(name)) {
            let why = format!("no file of a module has blocks of type {name:?}");
            return refuse(for_each.label, &why, None);
        }
        let name = rule.name();
        let is_list = matches!(name, "all" | "warnings")
            || Group::ALL.iter().any(|group| group.as_str() == name)
            || super::rules_of_tflint(name).next().is_some()
            || super::rules_of_opentofu(name).next().is_some();
        if is_list || Code::from_name(name).is_some() || super::rule(name).is_some() {
            let why = "a diagnostic of simd-hcl, or a list of these, has this name";
            return refuse(rule.label(), why, None);
        }
        let summary = match rule.severity() {
            Severity::Error => Code::PolicyDenied.summary(),
            Severity::Warning => Code::PolicyWarning.summary(),
        };
        let help = match (rule.help(), rule.url()) {
            (Some(help), Some(url)) => Some(format!("{help} See {url}.")),
            (Some(help), None) => Some(help.to_owned()),
            (None, Some(url)) => Some(format!("See {url}.")),
            (None, None) => None,
        };
        let code = CustomCode::kept(name, rule.severity(), summary, "{0}", help.as_deref());
        Some(Self { place, pattern, code, wanted: wanted(rule) })
    }
}

/// The names that a rule reads of `each.value`; `None` if it may read all.
fn wanted<'a>(rule: &Rule<'a>) -> Option<Vec<&'a str>> {
    let mut names: BTreeSet<&'a str> = BTreeSet::new();
    for read in rule.reads().filter(|read| read.root_name() == EACH) {
        let step = |place: usize| name_of(read.steps().get(place)?.kind);
        match step(1) {
            Some("value") => drop(names.insert(step(2)?)),
            Some(_) => {}
            None => return None,
        }
    }
    Some(names.into_iter().collect())
}

/// The levels of a value that are searched for what must not be shown. Deeper ones count as such.
const DEEPEST: usize = 32;

/// The bytes of blocks and values that rules may select in each module, beside those by its size: values in one
/// another are selected once for each level by `**`, and each is evaluated.
const LEAST_ROOM: u64 = 8 << 20;
/// Those for each byte of the module and rule.
const PER_BYTE: u64 = 32;
/// Those that a step of a path counts as.
const PER_STEP: u64 = 16;

/// The outcome of a rule for a block or an attribute.
pub(super) struct Outcome<'a> {
    pub(super) kind: Kind,
    /// The address, and the path in it.
    pub(super) key: String,
    /// The number of the file with the block; the diagnostic of an error is in the rule.
    source: u32,
    pub(super) diagnostic: Diagnostic<'a>,
}

/// A kind of [`Outcome`].
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// The condition is true.
    Found,
    /// The condition depends on a value that is not known.
    Undecided,
    /// The condition or the message has no value.
    Error,
}

/// A block or an attribute that a rule selects.
struct Subject<'a> {
    /// The address, and the path in it.
    key: String,
    bodies: Vec<Body<'a>>,
    selected: Selected<'a>,
    /// Whether all of it must not be shown.
    is_hidden: bool,
    each: Value<'a>,
    label: Label<'a>,
}

/// The check of one module by one rule.
struct Check<'c, 'v, 'a> {
    own: &'c OwnRules<'a>,
    compiled: &'c Compiled<'a>,
    rule: &'c Rule<'a>,
    contents: &'c Contents<'c, 'v, 'a>,
    /// The values that must not be shown.
    hidden: Option<&'c Hidden>,
    /// The bytes that all rules may still select in the module, and name.
    room: &'c Cell<u64>,
    /// The rest of the budget of all evaluations in the module.
    meter: &'c Meter,
    /// The budget of each of them.
    most: Budget,
}

impl<'a> Check<'_, '_, 'a> {
    fn run(&self, scratch: &mut Arena, found: &mut Vec<Outcome<'a>>) {
        let view = self.contents.view;
        let in_file = |file: ParsedFile<'a>| {
            let schema = root_schema(view.module().dialect, List::Primary);
            select(&self.compiled.pattern, file.body(), schema)
        };
        let mut overrides: HashMap<String, Vec<Body<'a>>> = HashMap::default();
        let in_overrides = view.files_of(List::Override).flat_map(in_file);
        for selected in in_overrides.filter(Selected::is_block) {
            overrides.entry(selected.path().to_string()).or_default().extend(body(&selected));
        }
        for selected in view.files_of(List::Primary).flat_map(in_file) {
            let (label, steps) = (self.place_of(&selected), selected.path().steps().len());
            let bytes = selected.span().len() as u64 + PER_STEP * steps as u64;
            let Some(left) = self.room.get().checked_sub(bytes) else {
                let why = "the values in one another that rules select in this module are too large; a \
                           pattern without ** selects fewer.";
                found.push(self.ended(label, why));
                return;
            };
            self.room.set(left);
            let subject = self.subject(selected, &overrides);
            let verdict = self.verdict(&subject, scratch);
            scratch.reset();
            if self.meter.exhausted().is_some() {
                found.push(self.ended(label, SPENT));
                return;
            }
            let Subject { key, label, .. } = subject;
            found.extend(verdict.map(|(kind, diagnostic)| Outcome {
                kind,
                key,
                source: label.source.id(),
                diagnostic,
            }));
        }
    }

    fn place_of(&self, selected: &Selected<'a>) -> Label<'a> {
        Label::new(selected.expression().source(), selected.span())
    }

    /// The outcome for all blocks and arguments from a place on.
    fn ended(&self, label: Label<'a>, why: &'a str) -> Outcome<'a> {
        let diagnostic = Diagnostic::new(Code::RuleError, self.rule.label())
            .with_severity(self.rule.severity())
            .with_arguments(&[self.rule.name(), "what is from here on", why])
            .with_related(label, "from here on");
        let source = label.source.id();
        Outcome { kind: Kind::Error, key: String::new(), source, diagnostic }
    }

    /// `overrides` are the bodies of blocks of override files, by their paths.
    fn subject(
        &self,
        selected: Selected<'a>,
        overrides: &HashMap<String, Vec<Body<'a>>>,
    ) -> Subject<'a> {
        let view = self.contents.view;
        let arena = view.arena;
        let secret = self.hidden.and_then(|hidden| selected.hidden(hidden, List::Primary));
        // Without names of a value that must not be shown.
        let (address, name) = {
            let named = secret.unwrap_or(selected);
            (named.address(), named.name())
        };
        let key = if name.is_empty() { address } else { format!("{address}.{name}") };
        let steps = selected.path().steps();
        let names = steps.iter().filter_map(PathStep::name);
        let mut head = names.take(selected.head().max(1));
        let block_type = head.next().unwrap_or_default();
        let labels: Vec<Value<'a>> = head.map(|label| Value::string(arena, label)).collect();
        let mut bodies: Vec<Body<'a>> = body(&selected).into_iter().collect();
        if selected.is_block() && !overrides.is_empty() {
            let same = overrides.get(&selected.path().to_string());
            bodies.extend(same.into_iter().flatten().copied());
        }
        let wanted = self.compiled.wanted.as_deref();
        let value = match bodies.is_empty() {
            false => {
                let file = Grammar::of_file(Some((view.module().dialect, List::Primary)));
                let grammar = match selected.is_block() {
                    true => file.block(block_type).map(|(_, inner)| inner),
                    false => Some(Grammar::of_plugin()),
                };
                self.contents.of_bodies(&bodies, grammar, wanted)
            }
            true => self.contents.argument(selected.expression(), Reading::Template),
        };
        let last = steps.iter().rev().find_map(|step| match step {
            PathStep::Member(name) => Some(name.label()),
            PathStep::Element(_) => None,
        });
        let definition = selected.expression().as_block().map(Block::of_file);
        let place = self.place_of(&selected);
        let label = definition.map(Block::definition_label).or(last).unwrap_or(place);
        let file = Value::string(arena, selected.expression().source().name());
        let each = [
            ("file", file),
            ("key", Value::string(arena, arena.str(&key))),
            ("labels", Value::tuple(arena, &labels)),
            ("type", Value::string(arena, block_type)),
            ("value", value),
        ];
        let each = Value::object(arena, &each);
        Subject { key, bodies, selected, is_hidden: secret.is_some(), each, label }
    }

    /// The value of `each` with marks on what must not be shown.
    fn shown(&self, subject: &Subject<'a>) -> Value<'a> {
        let arena = self.contents.view.arena;
        let part = |&(name, value): &(&'a str, Value<'a>)| match name {
            "value" if !subject.bodies.is_empty() => (name, self.marked(subject, value)),
            "value" if subject.is_hidden => (name, value.with_marks(Marks::SENSITIVE)),
            _ => (name, value),
        };
        let entries: Vec<_> = subject.each.entries().iter().map(part).collect();
        Value::object(arena, &entries)
    }

    /// The value of a block with marks on the arguments that have a part which must not be shown.
    fn marked(&self, subject: &Subject<'a>, value: Value<'a>) -> Value<'a> {
        let steps = subject.selected.path().steps();
        let names = steps.iter().filter_map(PathStep::name);
        let mut path: Vec<&str> = names.collect();
        let mut hidden: HashSet<&str> = HashSet::default();
        for property in subject.bodies.iter().flat_map(|body| body.properties()) {
            if self.hides(&mut path, (property.name(), property.expression()), 0) {
                hidden.insert(property.name());
            }
        }
        let mark = |&(name, value): &(&'a str, Value<'a>)| match hidden.contains(name) {
            true => (name, value.with_marks(Marks::SENSITIVE)),
            false => (name, value),
        };
        let entries: Vec<_> = value.entries().iter().map(mark).collect();
        match value.content() {
            // It is not known which argument it is.
            _ if subject.is_hidden && hidden.is_empty() => value.with_marks(Marks::SENSITIVE),
            Content::Entries(_) => Value::object(self.contents.view.arena, &entries),
            _ => value,
        }
    }

    /// Whether an argument or a nested block below a path must not be shown, or a part of it. Recurses at most
    /// [`DEEPEST`] levels.
    fn hides<'p>(
        &self,
        path: &mut Vec<&'p str>,
        (name, value): (&'p str, Expression<'a>),
        level: usize,
    ) -> bool
    where
        'a: 'p,
    {
        let Some(known) = self.hidden.filter(|_| level < DEEPEST) else { return true };
        path.push(name);
        let mut hides = known.hides(List::Primary, path, Some(value));
        let mut open = vec![value];
        while let Some(value) = open.pop().filter(|_| !hides) {
            open.extend(value.as_list().into_iter().flatten());
            hides = match value.as_block() {
                Some(block) => {
                    let mut inner = Body::from_native(block.body()).properties();
                    inner.any(|it| self.hides(path, (it.name(), it.expression()), level + 1))
                }
                None => {
                    let mut members = value.as_map().into_iter().flatten();
                    members.any(|(key, value)| self.hides(path, (key.to_str(), value), level + 1))
                }
            };
        }
        path.pop();
        hides
    }

    fn verdict(&self, subject: &Subject<'a>, scratch: &Arena) -> Option<(Kind, Diagnostic<'a>)> {
        let rule = self.rule;
        let variables = [(EACH, subject.each)];
        let outer = self.scope(&variables);
        let condition = |meter: &Meter| rule.verdict(scratch, &outer, meter);
        match self.meter.part(self.most, condition) {
            Verdict::Fails => None,
            Verdict::Holds => {
                let mut error = None;
                let shown = [(EACH, self.shown(subject))];
                let in_message = self.scope(&shown);
                let text =
                    |meter: &Meter| rule.message(scratch, &in_message, meter, false, &mut error);
                let message = self.meter.part(self.most, text);
                match error {
                    Some(error) => Some((Kind::Error, self.error(subject, &error))),
                    None => {
                        let message = message.as_deref();
                        let text = policy::about(&subject.key, message, rule.condition());
                        print(self.meter, &text);
                        Some((Kind::Found, self.finding(subject, &text, |_| true)))
                    }
                }
            }
            Verdict::Undecided => {
                let is_unknown =
                    |read: &Traversal<'a>| !member_at(subject.each, read).is_wholly_known();
                let mut reads = rule.reads().filter(|read| read.root_name() == EACH);
                let why = match reads.find(|read| is_unknown(read)) {
                    Some(read) => format!("`{read}` is not known before a plan"),
                    None => "it depends on a value that is not known before a plan".to_owned(),
                };
                let text = format!("{} cannot be decided: {why}.", subject.key);
                let finding = self.finding(subject, &text, is_unknown);
                Some((Kind::Undecided, finding.with_severity(Severity::Warning)))
            }
            Verdict::Nothing(why) => {
                let condition = rule.reads().next().map(|read| read.label());
                let label = condition.unwrap_or(rule.label());
                Some((Kind::Error, self.without_value(subject, label, why)))
            }
            Verdict::Invalid(error) => Some((Kind::Error, self.error(subject, &error))),
        }
    }

    fn scope<'s, 'v>(&'s self, variables: &'s [(&'v str, Value<'v>)]) -> Scope<'s, 'v> {
        let scope = Scope::new().with_variables(variables).with_short_circuits();
        match self.own.all.functions() {
            Some(functions) => scope.with_functions(functions),
            None => scope,
        }
    }

    /// A finding at the first argument that the rule reads, of those that `is_meant`; otherwise at the
    /// block.
    fn finding(
        &self,
        subject: &Subject<'a>,
        text: &str,
        is_meant: impl Fn(&Traversal<'a>) -> bool,
    ) -> Diagnostic<'a> {
        let arena = subject.label.source.arena();
        let argument = |read: &Traversal<'a>| {
            let name = name_of(read.steps().get(2)?.kind)?;
            let of_bodies = subject.bodies.iter().rev();
            of_bodies.flat_map(|body| body.properties()).find(|it| it.is_named(name))
        };
        let of_value = self.rule.reads().filter(|read| {
            read.root_name() == EACH
                && read.steps().get(1).and_then(|step| name_of(step.kind)) == Some("value")
        });
        let place = of_value.filter(|read| is_meant(read)).find_map(argument);
        let label = place.map_or(subject.label, |it| it.name_label());
        Diagnostic::new(Code::Custom(self.compiled.code), label)
            .with_arguments(&[arena.str(text)])
            .with_related(self.rule.label(), "the rule")
    }

    /// The condition or the message has an error. It may repeat the values that it reads.
    fn error(&self, subject: &Subject<'a>, error: &Diagnostic<'a>) -> Diagnostic<'a> {
        let why = match is_secret(self.shown(subject)) {
            true => format!("{}, in sensitive values.", error.summary()),
            false => error.detail(),
        };
        self.without_value(subject, error.primary(), &why)
    }

    fn without_value(&self, subject: &Subject<'a>, label: Label<'a>, why: &str) -> Diagnostic<'a> {
        let arena = subject.label.source.arena();
        Diagnostic::new(Code::RuleError, label)
            .with_severity(self.rule.severity())
            .with_arguments(&[self.rule.name(), arena.str(&subject.key), arena.str(why)])
            .with_related(subject.label, "for this block")
    }
}

/// The body of a block; `None` for an attribute.
fn body<'a>(selected: &Selected<'a>) -> Option<Body<'a>> {
    let value = selected.expression();
    match (value.as_block(), value.as_json()) {
        (Some(block), _) => Some(Body::from_native(block.body())),
        (None, Some(node)) if selected.is_block() => Some(Body::from_json(node)),
        _ => None,
    }
}
