//! `set` and `unset`: values that a path pattern selects are replaced, added or removed.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use simd_hcl::dialect::{Dialect, List, root_schema};
use simd_hcl::directory::{FileOf, Given, ModuleFile, ModuleFiles, Roots, decode};
use simd_hcl::edit::{FileEdits, InvalidText, NewValue};
use simd_hcl::query::{Condition, Pattern, Selected, Verdict, select};
use simd_hcl::{Expression, ParsedFile, Severity, functions};

use crate::args::{self, ChangeFlags, Common, Configuration};
use crate::change::{Changes, FileChange, NotChanged, refuse_files_beside_input};
use crate::finding::Finding;
use crate::incomplete::{Incomplete, reason};
use crate::instead::Instead;
use crate::joined::{Home, Joined, containers};
use crate::order::Asked;
use crate::query::{check_condition, pattern_of, selects_nothing};
use crate::status::{Failure, Status};
use crate::{human, input};

/// The change of a match.
#[derive(Clone, Copy)]
enum Action<'c> {
    /// It is this expression. `adds` is set if it is added where it is missing.
    Set { value: &'c str, adds: bool },
    /// It is removed.
    Unset,
}

/// The arguments of `set` or `unset`.
struct Request<'c> {
    pattern: Pattern,
    /// The pattern of the value around a member that may be added, and its name.
    around: Option<(Pattern, String)>,
    condition: Option<&'c str>,
    action: Action<'c>,
    /// The number of values that match.
    found: AtomicUsize,
    /// The places of attributes that are added to bodies of several blocks.
    joined: Joined,
    /// Whether attributes are added in files of OpenTofu and Terraform only, unless another file is named.
    adds_to_modules: bool,
    instead: &'c Instead,
}

/// The result for one file.
#[derive(Default)]
struct Outcome {
    change: Option<FileChange>,
    not_changed: Vec<NotChanged>,
    incomplete: Incomplete,
    findings: Vec<Finding>,
}

pub(crate) fn run_set(set: &args::Set, common: &Common) -> Result<Status, Failure> {
    let adds = !set.only_existing;
    let action = Action::Set { value: &set.value, adds };
    // A value that is not an expression is wrong wherever it is.
    NewValue::at(None, &[simd_hcl::edit::ValueStep::Member("value")], 0, &set.value)
        .map_err(|error| Failure::Message(format!("invalid value: {error}")))?;
    let of = ("set", &*set.pattern, &set.configuration, set.condition.as_deref());
    run(of, action, &set.change, common)
}

pub(crate) fn run_unset(unset: &args::Unset, common: &Common) -> Result<Status, Failure> {
    let of = ("unset", &*unset.pattern, &unset.configuration, unset.condition.as_deref());
    run(of, Action::Unset, &unset.change, common)
}

fn run(
    (command, pattern, configuration, condition): (&str, &str, &Configuration, Option<&str>),
    action: Action<'_>,
    flags: &ChangeFlags,
    common: &Common,
) -> Result<Status, Failure> {
    let asked = Asked { command, noun: "pattern", first: pattern, paths: &configuration.paths };
    asked.check()?;
    refuse_files_beside_input(&configuration.paths)?;
    let pattern = pattern_of(pattern, &asked)?;
    if let Some(condition) = condition {
        check_condition(condition)?;
    }
    let adds = matches!(action, Action::Set { adds: true, .. });
    let around = pattern.split_member().filter(|_| adds);
    let around = around.map(|(around, name)| (around, name.to_owned()));
    let found = AtomicUsize::new(0);
    let instead = &common.instead;
    let joined = Joined::default();
    let adds_to_modules = false;
    let mut request =
        Request { pattern, around, condition, action, found, joined, adds_to_modules, instead };

    let options = input::module_options(common)?;
    // The files that `query` selects from.
    let discovery = input::modules_and_units(configuration, common)?;
    input::refuse_too_large(&discovery)?;
    if let Some((around, name)) = &request.around {
        request.adds_to_modules =
            is_of_modules(around) && discovery.modules.iter().any(has_module_files);
        request.joined =
            Joined::find((around, name), &discovery.modules, &options, &|file, selected| {
                let condition = request.condition_of(file);
                request.is_meant(condition.as_ref(), selected, &mut Outcome::default())
            });
    }
    let mut status = Incomplete::status(&discovery);
    let mut changes =
        Changes { incomplete: Incomplete::of_discovery(&discovery), ..Changes::default() };
    let all = decode(&discovery.modules, &options, |of, _, parsed| {
        of.file.is_asked_for().then(|| match parsed {
            Ok(parsed) => request.change(of, parsed),
            Err(error) => {
                let mut outcome = Outcome::default();
                outcome.incomplete.add_file(&of.file.path.to_string_lossy(), &reason(&error));
                outcome.findings.push(Finding::of(&error));
                outcome
            }
        })
    });
    let mut errors = anstream::stderr().lock();
    for result in all.into_iter().flatten() {
        changes.files.extend(result.change);
        changes.not_changed.extend(result.not_changed);
        if !result.incomplete.is_empty() {
            status = status.max(Status::Found);
        }
        changes.incomplete.append(result.incomplete);
        for finding in &result.findings {
            status = status.max(Status::Found);
            human::write(finding, &mut errors)?;
        }
    }
    drop(errors);
    if request.found.into_inner() == 0 {
        selects_nothing(&request.pattern, &asked, common)?;
    }
    changes.finish(flags, common, &Roots::around(&configuration.paths), status)
}

impl Request<'_> {
    fn condition_of<'a>(&self, file: ParsedFile<'a>) -> Option<Condition<'a>> {
        self.condition.and_then(|text| Condition::for_document(file, text, &mut ()).ok().flatten())
    }

    /// Changes one file.
    fn change<'a>(&self, of: FileOf<'_>, parsed: ParsedFile<'a>) -> Outcome {
        let mut result = Outcome::default();
        let list = of.file.kind.list;
        let schema = root_schema(of.module.dialect, list);
        let mut edits = FileEdits::new(parsed);
        let condition = self.condition_of(parsed);
        for selected in select(&self.pattern, parsed, schema) {
            if self.is_meant(condition.as_ref(), &selected, &mut result) {
                self.found.fetch_add(1, Ordering::Relaxed);
                self.change_match(of, &selected, &mut edits, &mut result);
            }
        }
        if let (Some((around, name)), Action::Set { value, .. }) = (&self.around, self.action) {
            let mut seen = HashSet::new();
            for selected in containers(around, of, parsed) {
                let container = selected.container_span();
                if !seen.insert((container.start, container.end)) {
                    continue;
                }
                let missing = match selected.has_member(name) {
                    Some(has_member) => !has_member,
                    None => {
                        if is_computed(selected.expression()) {
                            let why = "an expression: its members are not written here";
                            result.not_changed.push(not_changed(&selected, why));
                        }
                        false
                    }
                };
                if missing
                    && self.is_meant(condition.as_ref(), &selected, &mut result)
                    && self.is_asked_for(of, &selected, &mut result)
                    && self.is_home(of, &selected, &mut result)
                {
                    self.found.fetch_add(1, Ordering::Relaxed);
                    match NewValue::for_match(kind(of), &selected, Some(name), value) {
                        Ok(value) => {
                            edits.add_attribute(container, &**name, value);
                        }
                        Err(error) => result.not_changed.push(invalid(&selected, &error)),
                    }
                }
            }
        }
        let is_stdin = self.instead.is_stdin_file(of.file);
        if edits.is_empty() {
            return result;
        }
        let errors = parsed.diagnostics().iter().filter(|it| it.severity() == Severity::Error);
        match edits.finish() {
            Ok(edited) => result.change = Some(FileChange::new(of.file, is_stdin, parsed, edited)),
            Err(error) => {
                let name = of.file.path.to_string_lossy();
                let why = errors.clone().next().map(reason);
                let why = why.unwrap_or_else(|| error.to_string());
                result.incomplete.add("file", name, format!("not changed ({why})"));
            }
        }
        result
    }

    /// Whether an attribute is added in a file: not if it is one of another tool that has blocks of the same
    /// type, unless it is named.
    fn is_asked_for(&self, of: FileOf<'_>, selected: &Selected<'_>, result: &mut Outcome) -> bool {
        let is_named = of.file.given == Given::Named;
        if !self.adds_to_modules || is_named || is_module_file(of.module.dialect, of.file) {
            return true;
        }
        let why = "a file of another tool: name it to add the attribute there, too";
        result.not_changed.push(not_changed(selected, why));
        false
    }

    /// Whether an attribute that is missing in a body is added there: not if the body is one of several that
    /// are one in the module, and another one has it or gets it.
    fn is_home(&self, of: FileOf<'_>, selected: &Selected<'_>, result: &mut Outcome) -> bool {
        match self.joined.home(of, selected) {
            None => true,
            Some(Home::Here(span)) => span == selected.container_span(),
            Some(Home::Elsewhere) => false,
            Some(Home::Has(file)) => {
                if let Some(file) = file {
                    let why = format!("{file} has it");
                    let source = selected.expression().source();
                    result.not_changed.push(NotChanged::of(source, selected.span(), why));
                }
                false
            }
            Some(Home::Override) => {
                let why = "an override file, which cannot declare new names";
                result.not_changed.push(not_changed(selected, why));
                false
            }
        }
    }

    fn change_match(
        &self,
        of: FileOf<'_>,
        selected: &Selected<'_>,
        edits: &mut FileEdits<'_>,
        result: &mut Outcome,
    ) {
        match self.action {
            Action::Unset if selected.is_block() => {
                edits.remove_with_emptied(selected.item_span());
            }
            Action::Unset => edits.remove(selected.item_span()),
            Action::Set { .. } if selected.is_block() || selected.is_native_block() => {
                result.not_changed.push(not_changed(selected, "a block is not a value"));
            }
            Action::Set { value, .. } => {
                match NewValue::for_match(kind(of), selected, None, value) {
                    Ok(value) => edits.set(selected.expression().span(), value),
                    Err(error) => result.not_changed.push(invalid(selected, &error)),
                }
            }
        }
    }

    /// Whether a match meets the condition. A match for which it cannot be decided is a gap.
    fn is_meant<'a>(
        &self,
        condition: Option<&Condition<'a>>,
        selected: &Selected<'a>,
        result: &mut Outcome,
    ) -> bool {
        let Some(condition) = condition else { return true };
        match condition.verdict(selected, Some(&functions::standard())) {
            Verdict::Holds => true,
            Verdict::Fails => false,
            Verdict::Unknown => {
                let label = selected.expression().label();
                let start = label.source.position(label.span.start);
                let place = format!("{}:{}:{}", label.source.name(), start.line, start.column);
                let why = "not decided: the condition depends on unknown values";
                result.incomplete.add("row", place, why);
                false
            }
            Verdict::Invalid(error) => {
                let place = selected.expression().start_label();
                let error = error.with_related(place, "for this value");
                result.findings.push(Finding::of(&error));
                false
            }
        }
    }
}

/// Whether a pattern may select blocks that modules of OpenTofu and Terraform have.
fn is_of_modules(pattern: &Pattern) -> bool {
    let schema = root_schema(Dialect::OpenTofu, List::Primary);
    let is_known = |name: &str| schema.is_some_and(|schema| schema.block(name).is_some());
    pattern.first_name().is_none_or(is_known)
}

fn has_module_files(module: &ModuleFiles) -> bool {
    module.files.iter().any(|file| is_module_file(module.dialect, file))
}

/// Whether a file is configuration of OpenTofu or Terraform, or of one of their tests.
fn is_module_file(dialect: Dialect, file: &ModuleFile) -> bool {
    dialect != Dialect::Packer && !file.kind.is_foreign() && file.kind.list != List::Other
}

/// Whether a value is not known without an evaluation.
fn is_computed(value: Expression<'_>) -> bool {
    !value.is_container() && !value.constant_value(&mut ()).is_wholly_known()
}

/// The rules that the values of a file are written by.
fn kind(of: FileOf<'_>) -> Option<(Dialect, List)> {
    (!of.file.kind.is_foreign()).then_some((of.module.dialect, of.file.kind.list))
}

fn not_changed(selected: &Selected<'_>, why: &'static str) -> NotChanged {
    NotChanged::of(selected.expression().source(), selected.span(), why)
}

fn invalid(selected: &Selected<'_>, error: &InvalidText) -> NotChanged {
    NotChanged::of(selected.expression().source(), selected.span(), error.to_string())
}
