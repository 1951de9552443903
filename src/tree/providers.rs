//! Checks provider configurations across calls: those that a call passes, and those that the called
//! module requires or declares itself.
//!
//! Each diagnostic has the place of its module. A call with `count`, `for_each` or `depends_on`
//! must not reach a module that configures providers itself; the search goes up from those modules.
//! Cost: linear in calls, passed configurations and diagnostics.
//!
//! As in the tools, modules with other errors in their declarations are not compared.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;

use super::callee::{Callee, Spot};
use super::module::{Link, TreeModule};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Severity};
use crate::facts::{ProviderAddress, Providers};
use crate::hash::{HashMap, HashSet};
use crate::module::{ModuleCall, ProviderConfigName, ProviderPass};
use crate::native::Traversal;

/// The providers that a module declares, and how its caller sees them.
struct Declared<'t, 'a> {
    module: &'t TreeModule<'a>,
    providers: Arc<Providers>,
}

impl<'t, 'a> Declared<'t, 'a> {
    fn of(module: &'t TreeModule<'a>) -> Self {
        let providers = match module.interface() {
            Some(interface) => Arc::clone(interface.providers()),
            None => Arc::new(Providers::of(&module.module, &module.uses)),
        };
        Self { module, providers }
    }

    /// The provider of a local name; `None` if it is not known.
    fn address(&self, name: &str) -> Option<ProviderAddress> {
        if self.providers.requires(name) {
            return self.providers.address(name).cloned();
        }
        let dialect = self.module.files.dialect;
        (!self.module.withholds()).then(|| ProviderAddress::implied(name, dialect))
    }
}

/// The diagnostics of provider configurations across modules.
pub(super) fn check<'a>(
    modules: &[TreeModule<'a>],
    links: &[Vec<Link>],
    arena: &'a Arena,
) -> Vec<(usize, Diagnostic<'a>)> {
    let declared: Vec<Declared<'_, 'a>> = modules.par_iter().map(Declared::of).collect();
    let mut of_modules: Vec<(usize, Diagnostic<'a>)> = (0..modules.len())
        .into_par_iter()
        .flat_map_iter(|place| {
            let mut check = Check { arena, found: Vec::new() };
            let module = &modules[place];
            if !module.has_wrong_declarations {
                check.used(module, &declared[place].providers);
                check.passed(module, &declared[place].providers);
                check.doubled(module);
                for (call, link) in module.module.calls.iter().zip(&links[place]) {
                    if let Link::Module(called) = *link
                        && let Some(called) = Callee::at(modules, called)
                        && !called.has_wrong_declarations()
                    {
                        check.call(&declared[place], call, called);
                    }
                }
            }
            check.found.into_iter().map(move |diagnostic| (place, diagnostic))
        })
        .collect();
    redundant(modules, &declared, &mut of_modules);
    legacy(modules, links, &declared, arena, &mut of_modules);
    of_modules.retain(|(place, _)| !modules[*place].has_wrong_declarations);
    of_modules
}

/// The name of the diagnostic's own module in messages.
const HERE: &str = "this module";

struct Check<'a> {
    arena: &'a Arena,
    found: Vec<Diagnostic<'a>>,
}

impl<'a> Check<'a> {
    /// Reports a configuration with an alias that a resource, an action or an import names, but
    /// that is neither declared nor passed by the caller: the tools never make one up.
    fn used(&mut self, module: &TreeModule<'a>, declared: &Providers) {
        if module.withholds() {
            return;
        }
        let own = &module.module;
        let of_checks = own.checks.iter().filter_map(|check| check.data);
        let of_resources = own.resources.iter().chain(of_checks).map(|each| each.provider());
        let of_actions = own.actions.iter().map(|each| each.provider);
        // The provider of an import counts if the resource is not declared.
        let of_imports = own.imports.iter().map(|each| match each.declared_resource(own) {
            Some(_) => None,
            None => each.provider,
        });
        for reference in of_resources.chain(of_actions).chain(of_imports).flatten() {
            let name = reference.name();
            if name.alias.is_some()
                // In OpenTofu, a key on a configuration without instances is reported elsewhere.
                && !reference.has_key()
                && !declared.configures(name)
                && !declared.has_alias(name)
                && !declared.has_empty(name)
            {
                self.undeclared(name, reference.traversal(), HERE);
            }
        }
    }

    /// Reports passed configurations that the module does not have.
    fn passed(&mut self, module: &TreeModule<'a>, declared: &Providers) {
        if module.withholds() {
            return;
        }
        for pass in module.module.calls.iter().flat_map(|call| call.providers) {
            let name = pass.outer.name();
            let is_configured = declared.configures(name);
            match name.alias {
                None if !is_configured && !declared.requires(name.local_name) => {
                    let address = ProviderAddress::implied(name.local_name, module.files.dialect);
                    self.implied(name, pass.outer.traversal(), HERE, address);
                }
                Some(_)
                    if !is_configured && !declared.has_alias(name) && !declared.has_empty(name) =>
                {
                    self.undeclared(name, pass.outer.traversal(), HERE);
                }
                _ => {}
            }
        }
    }

    /// Reports providers with two names in a module, and invalid names that resource types imply.
    fn doubled(&mut self, module: &TreeModule<'a>) {
        let own = &module.module;
        let dialect = module.files.dialect;
        let mut names: HashMap<ProviderAddress, &'a str> = HashMap::default();
        let mut required: HashSet<&'a str> = HashSet::default();
        let configured: HashSet<&'a str> = own.providers.iter().map(|each| each.name).collect();
        // Names that imply a provider which has another name here.
        let mut others: HashMap<String, &'a str> = HashMap::default();
        for provider in own.required_providers() {
            let Some(address) = ProviderAddress::required(provider, dialect) else { continue };
            required.insert(provider.name);
            let value = provider.attribute.expression();
            let label = value.start_label();
            let implied = address.provider_type.clone();
            let implied = &*implied;
            if let Some(&earlier) = names.get(&address) {
                self.two_names(label, &address, earlier, provider.name);
            } else if address.is_default(dialect)
                && provider.name != implied
                && let Some(other) = configured.get(implied)
            {
                self.two_names(label, &address, provider.name, other);
            }
            if provider.name != implied && address == ProviderAddress::of_name(implied, dialect) {
                others.insert(implied.to_owned(), provider.name);
            }
            names.insert(address, provider.name);
        }
        let of_checks = own.checks.iter().filter_map(|check| check.data);
        let resources = own.resources.iter().chain(of_checks);
        // Most resources imply the same name as the one before.
        let mut right = None;
        for resource in resources.filter(|resource| resource.provider().is_none()) {
            let name = resource.provider_name();
            if right == Some(name) {
                continue;
            }
            let block = resource.block;
            if name.is_empty() || name.ends_with('-') || name.contains("--") {
                self.found.push(
                    Diagnostic::new(Code::ProviderLocalName, block.definition_label())
                        .with_arguments(&[name]),
                );
            } else if !others.is_empty()
                && !required.contains(name)
                && let Some(known) = others.get(name)
                && !module.withholds()
            {
                let label = block.definition_label();
                self.two_names(label, &ProviderAddress::of_name(name, dialect), known, name);
            } else {
                right = Some(name);
            }
        }
    }

    fn two_names(
        &mut self,
        label: Label<'a>,
        address: &ProviderAddress,
        known: &'a str,
        besides: &'a str,
    ) {
        let address = self.text(address);
        self.found.push(
            Diagnostic::new(Code::DoubledProvider, label)
                .with_arguments(&[address, known, besides]),
        );
    }

    /// Reports an undeclared name, which implies a provider of the tool's own registry.
    fn implied(
        &mut self,
        name: ProviderConfigName<'a>,
        at: Traversal<'a>,
        place: &'a str,
        address: ProviderAddress,
    ) {
        let (name, address) = (self.text(name), self.text(address));
        self.found.push(
            Diagnostic::new(Code::ImpliedProvider, at.label())
                .with_arguments(&[name, place, address]),
        );
    }

    fn undeclared(&mut self, name: ProviderConfigName<'a>, at: Traversal<'a>, place: &'a str) {
        let name = self.text(name);
        self.found.push(
            Diagnostic::new(Code::UndeclaredProvider, at.label()).with_arguments(&[name, place]),
        );
    }

    /// Compares the configurations that a call passes with those that the called module accepts.
    fn call(&mut self, own: &Declared<'_, 'a>, call: &ModuleCall<'a>, called: Callee<'_, 'a>) {
        let interface = called.interface;
        let theirs = interface.providers();
        let nothing_asked =
            theirs.aliases().next().is_none() && theirs.passed_on().next().is_none();
        if call.providers.is_empty() && nothing_asked {
            return;
        }
        for pass in call.providers {
            self.pass(own, pass, called);
        }
        if interface.withholds() {
            return;
        }
        let passed: HashSet<ProviderConfigName<'_>> =
            call.providers.iter().map(|pass| pass.inner.name()).collect();
        for name in theirs.aliases() {
            if !passed.contains(&name) && !theirs.configures(name) {
                let missing = self.missing(call, name, Severity::Error);
                self.found.push(match called.label(Spot::Alias(name)) {
                    Some(label) => missing.with_related(label, "required here"),
                    None => missing,
                });
            }
        }
        for local in theirs.passed_on() {
            let name = ProviderConfigName::new(local, None);
            if !passed.contains(&name) {
                let missing = self.missing(call, name, Severity::Warning);
                self.found.push(missing);
            }
        }
    }

    /// Compares a configuration that a call passes with the requirements of the called module.
    fn pass(&mut self, own: &Declared<'_, 'a>, pass: &ProviderPass<'a>, called: Callee<'_, 'a>) {
        let interface = called.interface;
        let (theirs, dialect) = (interface.providers(), interface.dialect());
        let (inner, outer) = (pass.inner.name(), pass.outer.name());
        let at = pass.inner.traversal();
        if theirs.configures(inner) {
            let text = self.text(inner);
            let diagnostic = Diagnostic::new(Code::OwnProvider, at.label()).with_arguments(&[text]);
            self.found.push(match called.label(Spot::Provider(inner)) {
                Some(label) => diagnostic.with_related(label, "set up here"),
                None => diagnostic,
            });
        }
        let is_required = theirs.requires(inner.local_name);
        let expected = match is_required {
            true => theirs.address(inner.local_name).cloned(),
            false if interface.withholds() => None,
            false => Some(ProviderAddress::implied(inner.local_name, dialect)),
        };
        let given = own.address(outer.local_name);
        if let (Some(expected), Some(given)) = (&expected, &given)
            && expected != given
        {
            let [inner, expected, given] =
                [self.text(inner), self.text(expected), self.text(given)];
            self.found.push(
                Diagnostic::new(Code::ProviderMismatch, at.label())
                    .with_arguments(&[inner, expected, given]),
            );
            return;
        }
        let is_declared = match inner.alias {
            None => is_required,
            Some(_) => theirs.has_alias(inner),
        };
        let has_block = theirs.has_empty(inner) || theirs.configures(inner);
        if is_declared || has_block || interface.withholds() {
            return;
        }
        let directory = self.text(called.directory());
        match expected {
            Some(address) if address.is_default(dialect) => {
                self.implied(inner, at, directory, address);
            }
            _ => self.undeclared(inner, at, directory),
        }
    }

    fn missing(
        &self,
        call: &ModuleCall<'a>,
        name: ProviderConfigName<'_>,
        severity: Severity,
    ) -> Diagnostic<'a> {
        let text = self.text(name);
        Diagnostic::new(Code::MissingProvider, call.block.definition_label())
            .with_arguments(&[text, "called"])
            .with_severity(severity)
    }

    fn text(&self, text: impl fmt::Display) -> &'a str {
        self.arena.format(format_args!("{text}"))
    }
}

/// Reports blocks without settings in called modules, once for each provider.
fn redundant<'a>(
    modules: &[TreeModule<'a>],
    declared: &[Declared<'_, 'a>],
    found: &mut Vec<(usize, Diagnostic<'a>)>,
) {
    let with_empty =
        (0..modules.len()).filter(|&place| declared[place].providers.empty().next().is_some());
    for place in with_empty.filter(|&place| modules[place].is_called) {
        let mut seen = HashSet::default();
        for provider in modules[place].module.providers.iter() {
            let name = provider.config_name();
            if declared[place].providers.has_empty(name) && seen.insert(name.local_name) {
                let block = provider.block;
                let diagnostic = Diagnostic::new(Code::RedundantProvider, block.definition_label());
                found.push((place, diagnostic.with_arguments(&[name.local_name])));
            }
        }
    }
}

/// The argument of a call that repeats a module, makes it optional or lets it wait: its name and
/// position.
fn repeated<'a>(call: &ModuleCall<'a>) -> Option<(&'static str, Label<'a>)> {
    if let Some(count) = call.count {
        Some(("count", count.start_label()))
    } else if let Some(for_each) = call.for_each {
        Some(("for_each", for_each.start_label()))
    } else if let Some(enabled) = call.enabled {
        Some(("enabled", enabled.expression().start_label()))
    } else {
        call.depends_on.first().map(|first| ("depends_on", first.label()))
    }
}

/// Reports calls with such arguments that reach a module which configures providers itself,
/// directly or through calls without such arguments.
fn legacy<'a>(
    modules: &[TreeModule<'a>],
    links: &[Vec<Link>],
    declared: &[Declared<'_, 'a>],
    arena: &'a Arena,
    found: &mut Vec<(usize, Diagnostic<'a>)>,
) {
    // Where each module, or one that it calls, configures a provider.
    let mut configured: Vec<Option<Label<'a>>> = modules
        .iter()
        .zip(declared)
        .map(|(module, declared)| {
            let first = declared.providers.configured().next()?;
            Some(module.module.providers.get(first)?.block.definition_label())
        })
        .collect();
    if configured.iter().all(Option::is_none) {
        return;
    }
    let mut callers: Vec<Vec<(usize, &ModuleCall<'a>)>> = vec![Vec::new(); modules.len()];
    for (place, module) in modules.iter().enumerate() {
        for (call, link) in module.module.calls.iter().zip(&links[place]) {
            if let Link::Module(called) = *link {
                callers[called].push((place, call));
            }
        }
    }
    // The order of modules that were not given depends on what else is loaded.
    let name = |place: usize| modules[place].files.path.to_string_lossy();
    callers.iter_mut().for_each(|callers| callers.sort_by_key(|(place, _)| name(*place)));
    let mut first: Vec<usize> = (0..modules.len()).filter(|&at| configured[at].is_some()).collect();
    first.sort_by_key(|&place| name(place));
    let mut queue = VecDeque::from(first);
    while let Some(place) = queue.pop_front() {
        let Some(block) = configured[place] else { continue };
        for &(caller, call) in &callers[place] {
            if let Some((argument, label)) = repeated(call) {
                let directory = &modules[place].files.path;
                let directory = arena.format(format_args!("{directory}"));
                let diagnostic = Diagnostic::new(Code::LegacyModule, label)
                    .with_arguments(&[directory, argument])
                    .with_related(block, "configured here");
                found.push((caller, diagnostic));
            } else if configured[caller].is_none() {
                configured[caller] = Some(block);
                queue.push_back(caller);
            }
        }
    }
}
