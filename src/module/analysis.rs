//! The analysis of a module: finds references to undeclared objects, unused declarations, and
//! cycles among local values.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::computed::{self, Computed, ELEMENT, is_element, softened};
use super::cycles::{self, cycles};
use super::edges::Edges;
use super::object::Numbers;
use super::shapes::Shaped;
use super::site::{Reading, Site, Use, Wanted};
use super::{Module, Object, Output, ProviderConfigName, constants, refactored, secrets, statics};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::Dialect;
use crate::expression::{Expression, Literal, Seen, marks_itself};
use crate::hash::{HashMap, HashSet};
use crate::native::{LentTraversal, Step, StepKind};
use crate::parallel;
use crate::reference::{LentReference, Mode, Reference, ResourceName, Subject};
use crate::span::Span;
use crate::suggest::Suggestions;
use crate::value::{Marks, Value};

/// The dependencies of the objects of a module, which are identified by their numbers
/// ([`Module::objects`]).
#[derive(Clone, Debug, Default)]
pub struct Uses<'a> {
    pub(crate) edges: Vec<(u32, u32)>,
    pub(crate) arguments: Vec<(u32, &'a str, u32)>,
    pub(crate) calls: Vec<CallUse<'a>>,
    pub(crate) inherited: Vec<(u32, u32)>,
    pub(crate) inherited_names: Vec<ProviderConfigName<'a>>,
    /// Diagnostics that apply only if the module is a root module.
    pub(crate) of_root: Vec<Diagnostic<'a>>,
    pub(crate) computed: Computed<'a>,
    /// Whether declarations of the module make values ephemeral.
    pub(crate) has_ephemeral: bool,
    /// The places, among all expressions, of those to check again once the types of resources and
    /// module calls are known. Ascending.
    pub(crate) shaped: Vec<u32>,
}

/// A reference to a module call. Within the module its target is not known.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CallUse<'a> {
    /// The object that contains the reference.
    pub from: u32,
    /// The argument of the call `from` that takes the value.
    pub argument: Option<&'a str>,
    /// The reference.
    pub reference: Reference<'a>,
    /// Whether it names an output, which the called module must declare.
    pub names_output: bool,
}

impl<'a> Uses<'a> {
    /// The direct dependencies: the object that refers, and the object that it refers to, sorted by
    /// the former. They include the provider configurations that manage resources, data sources and
    /// actions, and those that a call passes on.
    #[must_use]
    pub fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// The arguments of calls: the call, the argument, and the object that the argument refers to.
    /// References to other calls are in [`Uses::calls`].
    #[must_use]
    pub fn arguments(&self) -> &[(u32, &'a str, u32)] {
        &self.arguments
    }

    /// The references to module calls.
    #[must_use]
    pub fn calls(&self) -> &[CallUse<'a>] {
        &self.calls
    }

    /// The objects that need a provider configuration that the module does not declare. The
    /// configuration comes from the module's caller, or is the empty one that the tools make up.
    pub fn inherited(&self) -> impl Iterator<Item = (u32, ProviderConfigName<'a>)> {
        let names = &self.inherited_names;
        self.inherited.iter().filter_map(|&(from, name)| Some((from, *names.get(name as usize)?)))
    }
}

impl<'a> Module<'a> {
    /// Reports references that refer to nothing, unused declarations, and cycles among local
    /// values. Returns the dependencies. With `withholds`, it does not report errors that a
    /// declaration or a use in an unknown file could refute.
    ///
    /// Cost: every template of the module is parsed; linear in the references otherwise.
    pub fn analyse(&self, arena: &'a Arena, withholds: bool, sink: &mut dyn Sink<'a>) -> Uses<'a> {
        let common = Common::of(self, arena, withholds);
        let mut analysis = Analysis::new(&common, has_secrets(self));
        let (all, mut rest) = (common.numbers.len(), common.numbers.resources().start);
        if all - rest <= RUN {
            rest = all;
        }
        // The local values say whether outputs may show secrets, so these are one run.
        analysis.run(0..rest, sink);
        for part in analysis.run_parts(rest..all) {
            part.diagnostics.into_iter().for_each(|diagnostic| sink.report(diagnostic));
            analysis.join(part.analysis);
        }
        analysis.implied_providers();
        if self.dialect == Dialect::OpenTofu {
            statics::check(self, withholds, sink);
            if let Some(early) = &common.early {
                secrets::check(self, early, sink);
            }
        } else {
            constants::check(self, sink);
        }
        analysis.unused(sink);
        analysis.cycles(sink);
        analysis.outputs_of_root();
        if !withholds {
            refactored::check(self, sink);
        }
        let uses = analysis.uses;
        Uses { computed: common.computed, has_ephemeral: has_ephemeral(self), ..uses }
    }
}

/// The number of objects that one thread analyses at a time.
const RUN: u32 = 4096;

/// Data that all runs of an analysis share.
struct Common<'m, 'a> {
    module: &'m Module<'a>,
    numbers: Numbers,
    arena: &'a Arena,
    withholds: bool,
    /// The values that must not be used where values are needed early.
    early: Option<secrets::Secrets<'a>>,
    computed: Computed<'a>,
    /// By number: whether something else refers to the object.
    used: Box<[AtomicBool]>,
}

impl<'m, 'a> Common<'m, 'a> {
    fn of(module: &'m Module<'a>, arena: &'a Arena, withholds: bool) -> Self {
        let numbers = module.numbers();
        Self {
            module,
            numbers,
            arena,
            withholds,
            early: match module.dialect {
                Dialect::OpenTofu => secrets::Secrets::of(module),
                _ => None,
            },
            computed: Computed::new(withholds),
            used: (0..numbers.len()).map(|_| AtomicBool::new(false)).collect(),
        }
    }

    fn set_used(&self, number: u32) {
        self.used[number as usize].store(true, Relaxed);
    }
}

/// The analysis of a run of objects.
struct Analysis<'c, 'm, 'a> {
    common: &'c Common<'m, 'a>,
    /// The number of expressions so far.
    expressions: u32,
    /// Whether an expression has a syntax error, so that what it refers to is not known.
    is_broken: bool,
    /// Whether declarations make values sensitive or ephemeral.
    has_secrets: bool,
    /// The data sources of checks that something refers to.
    used_in_checks: HashSet<ResourceName<'a>>,
    uses: Uses<'a>,
    /// The places of names in `uses.inherited_names`.
    inherited: HashMap<ProviderConfigName<'a>, u32>,
    /// The last provider configuration that was looked up.
    last_provider: Option<(ProviderConfigName<'a>, Needed)>,
    suggestions: Suggestions,
}

/// A run that was analysed apart from those before it.
struct Part<'c, 'm, 'a> {
    analysis: Analysis<'c, 'm, 'a>,
    diagnostics: Vec<Diagnostic<'a>>,
}

impl<'c, 'm, 'a> Analysis<'c, 'm, 'a> {
    fn new(common: &'c Common<'m, 'a>, has_secrets: bool) -> Self {
        Self {
            common,
            expressions: 0,
            is_broken: false,
            has_secrets,
            used_in_checks: HashSet::default(),
            uses: Uses::default(),
            inherited: HashMap::default(),
            last_provider: None,
            suggestions: Suggestions::new(),
        }
    }

    /// Analyses the expressions of the objects with these numbers.
    fn run(&mut self, numbers: Range<u32>, sink: &mut dyn Sink<'a>) {
        self.common.module.visit_objects(numbers, &mut |site| {
            self.site(site, sink);
            self.expressions += 1;
        });
    }

    /// Analyses the objects with these numbers, which follow those analysed, in runs. The result
    /// does not depend on the number of threads.
    fn run_parts(&self, numbers: Range<u32>) -> Vec<Part<'c, 'm, 'a>> {
        let runs = numbers.len().div_ceil(RUN as usize);
        let (common, has_secrets) = (self.common, self.has_secrets);
        parallel::map(0..runs as u32, 1, move |run| {
            let start = numbers.start + run * RUN;
            let mut part =
                Part { analysis: Analysis::new(common, has_secrets), diagnostics: vec![] };
            part.analysis.run(start..numbers.end.min(start + RUN), &mut part.diagnostics);
            part
        })
    }

    /// Adds the results of a run that follows.
    fn join(&mut self, next: Self) {
        let Uses { edges, arguments, calls, inherited, inherited_names, of_root, shaped, .. } =
            next.uses;
        self.uses.edges.extend(edges);
        self.uses.arguments.extend(arguments);
        self.uses.calls.extend(calls);
        self.uses.of_root.extend(of_root);
        let first = self.expressions;
        self.uses.shaped.extend(shaped.into_iter().map(|place| first + place));
        self.expressions += next.expressions;
        let places: Vec<u32> =
            inherited_names.into_iter().map(|name| self.inherited_place(name)).collect();
        let here = |(from, place): (u32, u32)| (from, places[place as usize]);
        self.uses.inherited.extend(inherited.into_iter().map(here));
        self.is_broken |= next.is_broken;
        self.used_in_checks.extend(next.used_in_checks);
    }
}

/// The properties of the templates of an expression.
#[derive(Clone, Copy, Default)]
struct Parts {
    is_computed: bool,
    takes_types: bool,
    shaped: Shaped,
}

/// A provider configuration that an object needs.
#[derive(Clone, Copy)]
enum Needed {
    /// The object of this number.
    Declared(u32),
    /// The configuration whose name is at this place in `inherited_names`.
    Inherited(u32),
}

impl<'a> Analysis<'_, '_, 'a> {
    /// Analyses an expression.
    fn site(&mut self, site: &Site<'_, 'a>, sink: &mut dyn Sink<'a>) {
        if let Reading::Provider(reference) = site.reading {
            if let Some(key) = reference.computed_key() {
                key.visit_variables(|seen| {
                    if let Seen::Traversal(traversal) = seen {
                        self.key(site.number, traversal);
                    }
                });
            }
            return self.provider(site.number, reference.name());
        }
        if site.usage == Use::Address {
            return self.address(site);
        }
        if !site.usage.is_reference() {
            return;
        }
        // The value of an expression with invalid references is not checked.
        let mut is_wrong = false;
        let mut is_broken = false;
        let mut parts = Parts::default();
        let mut names_no_element = false;
        let visit = |seen: Seen<'_, 'a>| match seen {
            Seen::Traversal(traversal) => {
                is_wrong |= self.reference(site, traversal, sink);
                parts.shaped.add(traversal);
            }
            Seen::Template(program) => {
                is_broken |= program.is_invalid();
                parts.is_computed = parts.is_computed || program.is_computed();
                parts.takes_types = parts.takes_types || program.takes_types();
                // Local values come before the outputs that show them.
                self.has_secrets |= marks_itself(program);
                parts.shaped.is_deep |=
                    program.own_calls().any(|call| call.name.starts_with("provider::"));
                for (key, earlier, later) in program.duplicate_keys() {
                    let label = |span| Label::new(program.source, span);
                    sink.report(
                        Diagnostic::new(Code::RepeatedKey, label(later))
                            .with_arguments(&[key])
                            .with_related(label(earlier), "given first here"),
                    );
                }
            }
            Seen::Broken(error) => {
                (is_wrong, is_broken) = (true, true);
                if !is_setting(site) {
                    sink.report(softened(error, site.wanted));
                }
            }
        };
        site.visit_with(visit, |traversal| names_no_element |= is_of_no_element(traversal));
        parts.is_computed |= names_no_element;
        self.is_broken |= is_broken;
        if let Reading::Template(value) = site.reading
            && !is_wrong
            && !is_setting(site)
            && self.value(site, value, parts, sink)
        {
            self.uses.shaped.push(self.expressions);
        }
    }

    /// Reports an expression that has no value, or whose value does not fit its place. Returns
    /// whether to check it again when more types are known.
    fn value(
        &mut self,
        site: &Site<'_, 'a>,
        value: Expression<'a>,
        parts: Parts,
        sink: &mut dyn Sink<'a>,
    ) -> bool {
        // A container may have duplicate keys. Schemas check bodies of providers.
        let is_value = site.wanted != Wanted::Any
            || matches!(site.object, Object::Local(_) | Object::Output(_) | Object::ModuleCall(_));
        let is_computed =
            parts.is_computed || is_value && value.is_container() || has_exponent(value);
        // `statics` reports values that must be known early and are not. The types of native
        // declarations are not known.
        let is_late = matches!(site.usage, Use::Source | Use::Version) || !is_early(site.usage);
        let is_looked_at = !parts.takes_types && is_late && !self.common.withholds;
        let is_computed = is_computed && is_looked_at;
        let module = self.common.module;
        let output = module.output_of(site, value);
        let mut known = None;
        if is_computed {
            let mut has_failed = false;
            let computed = &self.common.computed;
            let found = computed.value(module, value, site.iterators, &mut |diagnostic| {
                has_failed = true;
                // `statics` reports that providers are not available this early.
                if is_early(site.usage) && is_of_provider(&diagnostic) {
                    return;
                }
                sink.report(softened(diagnostic, site.wanted));
            });
            if has_failed {
                return false;
            }
            known = Some(found);
        }
        let computed = &self.common.computed;
        let known = || known.unwrap_or_else(|| computed.value(module, value, &[], &mut ()));
        // `secrets` reports it.
        if let (Object::Provider(_), Wanted::Each, Some(early)) =
            (site.object, site.wanted, &self.common.early)
            && early.in_value(module, value).is_some()
        {
            return false;
        }
        if !matches!(site.wanted, Wanted::Any | Wanted::ValidationMessage) {
            computed::check(known(), value, site.wanted, module.dialect, sink);
        }
        let mut has_wanted = site.wanted != Wanted::Any;
        if let Some(output) = output {
            if output.constraint.is_some() && is_looked_at {
                has_wanted = true;
                output.check_value(value, known(), sink);
            }
            if self.has_secrets || is_computed {
                let known = known();
                self.exposed(output, value, known, sink);
            }
        }
        let is_shaped = parts.shaped.refers && (is_computed || has_wanted);
        is_looked_at && (is_shaped || parts.shaped.is_deep)
    }

    /// Reports an output whose value is secret, but that is not declared so.
    fn exposed(
        &mut self,
        output: &Output<'a>,
        value: Expression<'a>,
        known: Value<'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        let marks = known.deep_marks();
        // OpenTofu looks only into values that are wholly known.
        let of_whole = match self.common.module.dialect {
            Dialect::OpenTofu if !known.is_wholly_known() => known.marks(),
            _ => marks,
        };
        if of_whole.contains(Marks::EPHEMERAL) && output.ephemeral != Some(true) {
            sink.report(
                Diagnostic::new(Code::EphemeralValue, value.start_label())
                    .with_arguments(&["This output", "ephemeral"]),
            );
        } else if marks.contains(Marks::SENSITIVE) && output.sensitive != Some(true) {
            self.uses
                .of_root
                .push(Diagnostic::new(Code::SensitiveOutput, output.block.definition_label()));
        }
    }

    /// Analyses a reference. Returns whether something is wrong with it.
    fn reference(
        &mut self,
        site: &Site<'_, 'a>,
        traversal: LentTraversal<'_, 'a>,
        sink: &mut dyn Sink<'a>,
    ) -> bool {
        let mut is_wrong = false;
        let sink = &mut |diagnostic: Diagnostic<'a>| {
            is_wrong = true;
            sink.report(diagnostic);
        };
        match self.common.module.reference(traversal) {
            Ok(reference) => {
                let declared = self.number(reference.subject());
                let names_output = self.judge(site, reference, declared, sink);
                self.import_of_itself(site, reference, sink);
                self.resource_of_itself(site, reference, sink);
                self.connect(site, reference, declared, names_output);
            }
            // The reader of triggers has reported the error; `statics` reports it for settings.
            Err(_) if matches!(site.usage, Use::Trigger | Use::Run) || is_setting(site) => {}
            Err(_) if matches!(site.object, Object::Removed(_)) => {}
            Err(_) if is_type(traversal) => {}
            Err(diagnostic) => sink.report(diagnostic),
        }
        is_wrong
    }

    /// Reports an import that refers to the object that it imports (Terraform).
    fn import_of_itself(
        &self,
        site: &Site<'_, 'a>,
        reference: LentReference<'_, 'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        let argument = match site.wanted {
            Wanted::Identifier => "id",
            Wanted::Collection => "for_each",
            _ => return,
        };
        let Object::Import(place) = site.object else { return };
        let import = self.common.module.imports.get(place);
        let target = import.and_then(|import| import.resource_name(Dialect::Terraform));
        if self.common.module.dialect == Dialect::Terraform
            && target.is_some()
            && reference.subject().resource() == target
        {
            sink.report(
                Diagnostic::new(Code::ImportOfItself, reference.label())
                    .with_arguments(&[argument]),
            );
        }
    }

    /// Reports an argument of a resource that refers to the resource.
    fn resource_of_itself(
        &self,
        site: &Site<'_, 'a>,
        reference: LentReference<'_, 'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        let Object::Resource(name) = site.object else { return };
        // The reader of `lifecycle` reports conditions.
        let is_condition = || {
            let resource = self.common.module.resources.get(name);
            let lifecycle = resource.and_then(|it| it.lifecycle());
            lifecycle.zip(site.expression()).is_some_and(|(lifecycle, value)| {
                lifecycle.block.source().id() == value.source().id()
                    && lifecycle.block.span().start <= value.span().start
                    && value.span().end <= lifecycle.block.span().end
            })
        };
        if site.usage == Use::Value
            && !site.available.itself
            && reference.subject().resource() == Some(name)
            && !is_condition()
        {
            sink.report(Diagnostic::new(Code::ResourceOfItself, reference.label()));
        }
    }

    /// Reports the errors of a reference. Returns whether it names an output of a module.
    fn judge(
        &mut self,
        site: &Site<'_, 'a>,
        reference: LentReference<'_, 'a>,
        declared: Option<u32>,
        sink: &mut dyn Sink<'a>,
    ) -> bool {
        let (module, subject) = (self.common.module, reference.subject());
        // The reader of triggers has reported other subjects.
        if site.usage == Use::Trigger && subject.resource().is_none()
            || site.usage == Use::Run && !is_action(subject)
        {
            return false;
        }
        match module.dialect {
            // The tools reject it before they evaluate it, or never evaluate it.
            dialect if is_setting(site) && (dialect, site.usage) != EARLY_SETTING => {
                self.refer(site, reference, declared, &mut ());
                return false;
            }
            // The reader of provisioners has checked their references.
            _ if matches!(site.object, Object::Removed(_)) => {
                self.refer(site, reference, declared, &mut ());
                return false;
            }
            // Terraform rejects each such object in a source.
            Dialect::Terraform
                if is_early(site.usage)
                    && site.usage != Use::Early
                    && !matches!(subject, Subject::Path(_)) => {}
            // `statics` reports values that cannot be known early.
            Dialect::OpenTofu if is_early(site.usage) && !is_known_early(subject) => return false,
            Dialect::OpenTofu if site.usage == Use::Guard && is_of_instance(subject) => {
                let root = reference.traversal().root_name();
                sink.report(
                    Diagnostic::new(Code::PreventDestroyReference, reference.label())
                        .with_arguments(&[root]),
                );
                return false;
            }
            _ => module.check_scope(reference, site.available, sink),
        }
        self.refer(site, reference, declared, sink)
    }

    /// Analyses the address of an import, whose keys may be any expressions. Its root is not a
    /// reference.
    fn address(&mut self, site: &Site<'_, 'a>) {
        if !matches!(site.reading, Reading::Native(_)) {
            return;
        }
        let mut is_first = true;
        site.visit(|seen| {
            let Seen::Traversal(traversal) = seen else { return };
            if !std::mem::take(&mut is_first) {
                self.key(site.number, traversal);
            }
        });
    }

    /// Records a reference in the key of an instance, which uses variables and local values.
    fn key(&mut self, from: u32, traversal: LentTraversal<'_, 'a>) {
        let Ok(reference) = self.common.module.reference(traversal) else { return };
        if let Subject::Variable(_) | Subject::Local(_) = reference.subject()
            && let Some(declared) = self.number(reference.subject())
        {
            self.common.set_used(declared);
            self.uses.edges.push((from, declared));
        }
    }

    /// Records that an object needs a provider configuration.
    fn provider(&mut self, from: u32, name: ProviderConfigName<'a>) {
        // Most resources need the one that the resource before them needs.
        let needed = match self.last_provider {
            Some((last, needed)) if last == name => needed,
            _ => self.needed_provider(name),
        };
        self.last_provider = Some((name, needed));
        match needed {
            Needed::Declared(number) => self.uses.edges.push((from, number)),
            Needed::Inherited(place) => self.uses.inherited.push((from, place)),
        }
    }

    /// Returns the source of a provider configuration.
    fn needed_provider(&mut self, name: ProviderConfigName<'a>) -> Needed {
        if let Some(declared) =
            self.common.module.number(&self.common.numbers, Object::Provider(name))
        {
            return Needed::Declared(declared);
        }
        Needed::Inherited(self.inherited_place(name))
    }

    /// Returns the place of a name among those of inherited configurations.
    fn inherited_place(&mut self, name: ProviderConfigName<'a>) -> u32 {
        let names = &mut self.uses.inherited_names;
        *self.inherited.entry(name).or_insert_with(|| {
            names.push(name);
            names.len() as u32 - 1
        })
    }

    /// Records the default provider configurations, which objects use without naming them.
    fn implied_providers(&mut self) {
        let module = self.common.module;
        let default = |local_name| ProviderConfigName::new(local_name, None);
        for (each, from) in module.resources.iter().zip(self.common.numbers.resources()) {
            if each.provider().is_none() {
                self.provider(from, default(each.provider_name()));
            }
        }
        for (each, from) in module.actions.iter().zip(self.common.numbers.actions()) {
            if each.provider.is_none() {
                self.provider(from, default(each.provider_name()));
            }
        }
        for (each, from) in module.checks.iter().zip(self.common.numbers.checks()) {
            if let Some(data) = each.data.filter(|data| data.provider().is_none()) {
                self.provider(from, default(data.provider_name()));
            }
        }
        let sorted = |edges: &mut Vec<(u32, u32)>| {
            let edges = std::mem::take(edges);
            let sorted = Edges::of(self.common.numbers.len(), edges.iter().copied());
            // Half as large as pairs, which there are only once.
            drop(edges);
            sorted.pairs()
        };
        let edges = sorted(&mut self.uses.edges);
        self.uses.edges = edges;
        let inherited = sorted(&mut self.uses.inherited);
        self.uses.inherited = inherited;
    }
}

/// Whether declarations make values sensitive or ephemeral.
fn has_secrets(module: &Module<'_>) -> bool {
    module.variables.iter().any(|it| it.sensitive == Some(true)) || has_ephemeral(module)
}

fn has_ephemeral(module: &Module<'_>) -> bool {
    module.variables.iter().any(|it| it.ephemeral == Some(true))
        || module.resources.iter().any(|it| it.mode == Mode::Ephemeral)
}

/// The dialect and use of settings that are evaluated before anything else, so that their
/// references must be valid.
const EARLY_SETTING: (Dialect, Use<'static>) = (Dialect::OpenTofu, Use::Early);

/// Whether an expression is in a `terraform` block.
fn is_setting(site: &Site<'_, '_>) -> bool {
    matches!(site.object, Object::Setting(_))
}

/// Whether an expression is evaluated before anything else.
fn is_early(usage: Use<'_>) -> bool {
    matches!(usage, Use::Source | Use::Version | Use::Early | Use::Unevaluated)
}

/// Whether the values of this kind of object are known before anything else.
fn is_known_early(subject: Subject<'_>) -> bool {
    match subject {
        Subject::Variable(_) | Subject::Local(_) | Subject::Path(_) => true,
        Subject::Terraform(_, name) => name != "applying",
        _ => false,
    }
}

fn is_of_instance(subject: Subject<'_>) -> bool {
    matches!(subject, Subject::Each(_) | Subject::Count(_))
}

/// Whether a literal is a number with an exponent, which may be out of range.
fn has_exponent(value: Expression<'_>) -> bool {
    // A string with escapes would be decoded.
    !(value.is_json() && value.is_string())
        && matches!(value.literal(), Literal::Number(digits) if digits.len() > 6 && digits.contains(['e', 'E']))
}

/// Whether a traversal of an iterator names an attribute that elements of `dynamic` blocks do not have.
fn is_of_no_element(traversal: LentTraversal<'_, '_>) -> bool {
    let second = traversal.steps().get(1).map(|step| step.kind);
    is_element(traversal.root_name())
        && matches!(second, Some(StepKind::Attribute(name)) if !ELEMENT.contains(&name))
}

/// Whether a diagnostic is about a missing function of a provider.
fn is_of_provider(diagnostic: &Diagnostic<'_>) -> bool {
    diagnostic.code() == Code::UnknownFunction
        && diagnostic.arguments().first().is_some_and(|name| name.starts_with("provider::"))
}

fn is_action(subject: Subject<'_>) -> bool {
    matches!(subject, Subject::Action(..))
}

/// Whether a traversal is the name of a primitive type, which some functions take as an argument.
fn is_type(traversal: LentTraversal<'_, '_>) -> bool {
    traversal.steps().len() == 1
        && matches!(traversal.root_name(), "string" | "number" | "bool" | "any")
}

impl<'a> Analysis<'_, '_, 'a> {
    /// The number of the object that a reference names.
    fn number(&self, subject: Subject<'a>) -> Option<u32> {
        self.common.module.subject_number(&self.common.numbers, subject)
    }

    /// Records a dependency.
    fn connect(
        &mut self,
        site: &Site<'_, 'a>,
        reference: LentReference<'_, 'a>,
        to: Option<u32>,
        names_output: bool,
    ) {
        let Some(to) = to else { return };
        let from = site.number;
        let argument = match site.usage {
            Use::Argument(argument) => Some(argument),
            _ => None,
        };
        if reference.subject().module_call().is_some() {
            let reference = reference.keep();
            self.uses.calls.push(CallUse { from, argument, reference, names_output });
        } else if let Some(argument) = argument {
            self.uses.arguments.push((from, argument, to));
        } else {
            self.uses.edges.push((from, to));
        }
    }

    /// Records a reference that is allowed at its place. Returns whether it names an output of a
    /// module.
    fn refer(
        &mut self,
        site: &Site<'_, 'a>,
        reference: LentReference<'_, 'a>,
        declared: Option<u32>,
        sink: &mut dyn Sink<'a>,
    ) -> bool {
        let module = self.common.module;
        let span = |step: &Step<'a>| Span::new(step.span.start, reference.span().end);
        match (site.usage, reference.subject()) {
            (Use::Order, _) if !reference.remaining().is_empty() => {
                let span = reference.remaining().first().map_or(reference.span(), span);
                let label = Label::new(reference.traversal().source(), span);
                sink.report(
                    Diagnostic::new(Code::InvalidDependency, label)
                        .with_arguments(&["it must be a whole object, not a part of one"]),
                );
                return false;
            }
            // Actions are not values.
            (usage, Subject::Action(..)) if usage != Use::Run => {
                sink.report(
                    Diagnostic::new(Code::InvalidReference, reference.label())
                        .with_arguments(&["action", "only a trigger can refer to an action"]),
                );
                return false;
            }
            _ => {}
        }
        let is_source = matches!(site.usage, Use::Source | Use::Version);
        if is_source
            && module.dialect == Dialect::Terraform
            && !self.constant(site, reference, sink)
        {
            return false;
        }
        let mut is_declared = declared.is_some();
        let mut names_output = false;
        if let Some(declared) = declared.filter(|&declared| declared != site.number) {
            self.common.set_used(declared);
        }
        match reference.subject() {
            Subject::Resource(resource) | Subject::ResourceInstance(resource, _) => {
                let place =
                    declared.map(|declared| declared - self.common.numbers.resources().start);
                let of_module = place.and_then(|place| module.resources.at(place));
                let scoped = || module.scoped_by(resource).and_then(|check| check.data);
                let found = of_module.or_else(scoped);
                if of_module.is_none() && found.is_some() {
                    self.used_in_checks.insert(resource);
                }
                if let Some(found) = found {
                    module.check_instance(found, reference, sink);
                }
                if resource.mode == Mode::Data {
                    let from = match site.object {
                        Object::Check(name) => Some(name),
                        _ => None,
                    };
                    module.check_owner(resource, from, reference, sink);
                }
                is_declared = found.is_some();
            }
            subject => match subject.module_call() {
                Some(name) => {
                    names_output = site.usage != Use::Order
                        && !matches!(subject, Subject::ModuleCall(_))
                        && module
                            .calls
                            .get(name)
                            .is_some_and(|call| module.check_call_instance(call, reference, sink));
                }
                None => {
                    let is_declarable = matches!(
                        subject,
                        Subject::Variable(_) | Subject::Local(_) | Subject::Action(..)
                    );
                    is_declared |= !is_declarable;
                }
            },
        }
        if !is_declared && !self.common.withholds {
            self.undeclared(site, reference, sink);
        }
        names_output
    }

    /// Reports a reference to an object that nothing declares.
    #[cold]
    fn undeclared(
        &mut self,
        site: &Site<'_, 'a>,
        reference: LentReference<'_, 'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        let code = match site.usage {
            Use::Order => Code::UndeclaredDependency,
            _ => Code::UndeclaredReference,
        };
        let address = self.common.arena.format(format_args!("{}", reference.subject()));
        let nearest = self.common.module.nearest(reference.subject(), &mut self.suggestions);
        // A misspelt `var` seems to be the type of a resource.
        let nearest = nearest.or_else(|| match reference.subject() {
            Subject::Resource(name) | Subject::ResourceInstance(name, _)
                if name.mode == Mode::Managed =>
            {
                let others = ["var", "local", "module", "data", "each", "path"];
                self.suggestions.nearest(name.resource_type, others)
            }
            _ => None,
        });
        sink.report(
            Diagnostic::new(code, reference.label())
                .with_arguments(&[address])
                .with_suggestion(nearest),
        );
    }

    /// Reports references that Terraform cannot resolve in `source` and `version`: it finds modules
    /// before any value is known. Returns whether the subject can be a constant at all.
    fn constant(
        &self,
        site: &Site<'_, 'a>,
        reference: LentReference<'_, 'a>,
        sink: &mut dyn Sink<'a>,
    ) -> bool {
        let is_allowed = match reference.subject() {
            Subject::Variable(name) => {
                let variable = self.common.module.variables.get(name);
                let is_constant = variable.is_none_or(|variable| variable.is_const == Some(true));
                if let Some(value) = site.expression().filter(|_| !is_constant) {
                    sink.report(
                        Diagnostic::new(Code::UnknownSource, value.start_label())
                            .with_arguments(&[name]),
                    );
                }
                true
            }
            Subject::Local(_) => true,
            Subject::Path(_) => site.usage == Use::Source,
            _ => false,
        };
        if !is_allowed {
            let traversal = reference.traversal();
            sink.report(
                Diagnostic::new(Code::SourceReference, traversal.label())
                    .with_arguments(&[traversal.root_name()]),
            );
        }
        is_allowed
    }

    fn unused(&self, sink: &mut dyn Sink<'a>) {
        if self.common.withholds || self.is_broken {
            return;
        }
        let is_unused = |number: u32| !self.common.used[number as usize].load(Relaxed);
        let mut report = |label, kind, name| {
            sink.report(
                Diagnostic::new(Code::UnusedDeclaration, label).with_arguments(&[kind, name]),
            );
        };
        for (each, number) in self.common.module.variables.iter().zip(0..) {
            if is_unused(number) {
                report(each.block.label_place(0), "variable", each.name);
            }
        }
        for (each, number) in self.common.module.locals.iter().zip(self.common.numbers.locals()) {
            if is_unused(number) {
                report(each.attribute.name_label(), "local value", each.name);
            }
        }
        for (each, number) in
            self.common.module.resources.iter().zip(self.common.numbers.resources())
        {
            if each.mode == Mode::Data && is_unused(number) {
                report(each.block.label_place(1), "data source", each.address().name);
            }
        }
        for data in self.common.module.checks.iter().filter_map(|check| check.data) {
            if !self.used_in_checks.contains(&data.address()) {
                report(data.block.label_place(1), "data source", data.address().name);
            }
        }
    }

    /// Collects errors of outputs that only outputs of called modules may have.
    fn outputs_of_root(&mut self) {
        for output in &self.common.module.outputs {
            let label = output.block.definition_label();
            let mut report = |what, label| {
                let diagnostic = Diagnostic::new(Code::RootOutput, label);
                self.uses.of_root.push(diagnostic.with_arguments(&[what]));
            };
            if output.ephemeral == Some(true) {
                report("ephemeral: its value cannot be stored, and no module uses it", label);
            } else if let Some(label) = output.deprecation
                && self.common.module.dialect == Dialect::Terraform
            {
                report("deprecated: no module uses it", label);
            }
        }
    }

    /// Reports each cycle once, where the first of its local values is declared.
    fn cycles(&self, sink: &mut dyn Sink<'a>) {
        let locals = self.common.numbers.locals();
        let start = locals.start;
        cycles(locals, &self.uses.edges, |cycle| self.report_cycle(cycle, start, sink));
    }

    #[cold]
    fn report_cycle(&self, cycle: &[u32], start: u32, sink: &mut dyn Sink<'a>) {
        let local = |number: u32| self.common.module.locals.at(number - start);
        let text = cycles::text(cycle, |number| {
            Object::Local(local(number).map_or("", |local| local.name))
        });
        let Some(first) = cycle.first().and_then(|&number| local(number)) else { return };
        let place = first.attribute;
        sink.report(
            Diagnostic::new(Code::CircularReference, place.name_label())
                .with_arguments(&[self.common.arena.str(&text)]),
        );
    }
}
