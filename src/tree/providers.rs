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

use rayon::prelude::*;

use super::called::called;
use super::module::{Link, TreeModule};
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Label, Severity};
use crate::dialect::Dialect;
use crate::hash::{HashMap, HashSet};
use crate::module::{ModuleCall, Provider, ProviderConfigName, ProviderSource, RequiredProvider};
use crate::native::Traversal;

/// A provider, independent of local names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Address {
    host: String,
    namespace: String,
    provider_type: String,
}

impl Address {
    /// The provider of an entry of `required_providers`; `None` if its source is invalid, which has
    /// been reported.
    fn required(provider: &RequiredProvider<'_>, dialect: Dialect) -> Option<Self> {
        let source = match provider.source {
            Some(source) => ProviderSource::parse(source).ok()?,
            None => ProviderSource::of_name(provider.name),
        };
        Some(Self::of(source, dialect))
    }

    /// The provider of a name that is declared without a source, or used by the type of a resource.
    fn of_name(name: &str, dialect: Dialect) -> Self {
        Self::of(ProviderSource::of_name(name), dialect)
    }

    /// The provider of an undeclared name.
    fn implied(name: &str, dialect: Dialect) -> Self {
        Self::of(ProviderSource::implied(name), dialect)
    }

    /// Whether a local name alone can stand for the provider.
    fn is_default(&self, dialect: Dialect) -> bool {
        *self == Self::implied(&self.provider_type, dialect)
    }

    fn of(source: ProviderSource<'_>, dialect: Dialect) -> Self {
        let [host, namespace, provider_type] = source.parts_in(dialect);
        Self { host, namespace, provider_type }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, namespace, provider_type } = self;
        match &**host {
            "registry.terraform.io" | "registry.opentofu.org" => {
                write!(f, "{namespace}/{provider_type}")
            }
            _ => write!(f, "{host}/{namespace}/{provider_type}"),
        }
    }
}

/// The declarations of a module about providers.
#[derive(Default)]
struct Declared<'a> {
    /// Local names in `required_providers`.
    required: HashMap<&'a str, Option<Address>>,
    /// The configurations that the caller must pass, in order.
    aliases: Vec<(ProviderConfigName<'a>, Label<'a>)>,
    /// The same configurations, for look-up.
    alias_names: HashSet<ProviderConfigName<'a>>,
    /// Blocks with settings.
    configured: HashMap<ProviderConfigName<'a>, Provider<'a>>,
    /// Blocks without settings.
    empty: HashSet<ProviderConfigName<'a>>,
    /// Configurations without an alias that the module passes on, and that its caller must pass.
    passed_on: Vec<&'a str>,
}

impl<'a> Declared<'a> {
    fn of(module: &TreeModule<'a>) -> Self {
        let mut declared = Self::default();
        for provider in module.module.required_providers() {
            let address = Address::required(provider, module.files.dialect);
            declared.required.entry(provider.name).or_insert(address);
            for alias in provider.configuration_aliases {
                let name = ProviderConfigName::of(*alias);
                if declared.alias_names.insert(name) {
                    declared.aliases.push((name, alias.label()));
                }
            }
        }
        for provider in module.module.providers.iter() {
            let name = provider.config_name();
            if sets_something(provider) {
                declared.configured.insert(name, *provider);
            } else {
                declared.empty.insert(name);
            }
        }
        let mut seen = HashSet::default();
        for pass in module.module.calls.iter().flat_map(|call| call.providers) {
            let name = pass.outer.name();
            if name.alias.is_none()
                && declared.required.contains_key(name.local_name)
                && !declared.configured.contains_key(&name)
                && seen.insert(name.local_name)
            {
                declared.passed_on.push(name.local_name);
            }
        }
        declared
    }

    /// The provider of a local name; `None` if it is not known.
    fn address(&self, name: &'a str, module: &TreeModule<'_>) -> Option<Address> {
        match self.required.get(name) {
            Some(address) => address.clone(),
            None if module.withholds() => None,
            None => Some(Address::implied(name, module.files.dialect)),
        }
    }
}

/// Whether a block configures its provider. A block without settings stands for the configuration
/// that the caller passes.
fn sets_something(provider: &Provider<'_>) -> bool {
    let mut of_escape = provider.escape.into_iter().flat_map(|block| block.body().properties());
    provider.version.is_some()
        || provider.config.properties().next().is_some()
        || of_escape.next().is_some()
}

/// The diagnostics of provider configurations across modules.
pub(super) fn check<'a>(
    modules: &[TreeModule<'a>],
    links: &[Vec<Link>],
    arena: &'a Arena,
) -> Vec<(usize, Diagnostic<'a>)> {
    let declared: Vec<_> = modules.par_iter().map(Declared::of).collect();
    let mut of_modules: Vec<(usize, Diagnostic<'a>)> = (0..modules.len())
        .into_par_iter()
        .flat_map_iter(|place| {
            let mut check = Check { modules, declared: &declared, arena, found: Vec::new() };
            let module = &modules[place];
            if !module.has_wrong_declarations {
                check.used(module, &declared[place]);
                check.passed(module, &declared[place]);
                check.doubled(module);
                for (call, link) in module.module.calls.iter().zip(&links[place]) {
                    if let Link::Module(called) = *link
                        && !modules[called].has_wrong_declarations
                    {
                        check.call(module, &declared[place], call, called);
                    }
                }
            }
            check.found.into_iter().map(move |diagnostic| (place, diagnostic))
        })
        .collect();
    redundant(modules, links, &declared, &mut of_modules);
    legacy(modules, links, &declared, arena, &mut of_modules);
    of_modules.retain(|(place, _)| !modules[*place].has_wrong_declarations);
    of_modules
}

/// The name of the diagnostic's own module in messages.
const HERE: &str = "this module";

struct Check<'t, 'a> {
    modules: &'t [TreeModule<'a>],
    declared: &'t [Declared<'a>],
    arena: &'a Arena,
    found: Vec<Diagnostic<'a>>,
}

impl<'a> Check<'_, 'a> {
    /// Reports a configuration with an alias that a resource, an action or an import names, but
    /// that is neither declared nor passed by the caller: the tools never make one up.
    fn used(&mut self, module: &TreeModule<'a>, declared: &Declared<'a>) {
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
                && !declared.configured.contains_key(&name)
                && !declared.alias_names.contains(&name)
                && !declared.empty.contains(&name)
            {
                self.undeclared(name, reference.traversal(), HERE);
            }
        }
    }

    /// Reports passed configurations that the module does not have.
    fn passed(&mut self, module: &TreeModule<'a>, declared: &Declared<'a>) {
        if module.withholds() {
            return;
        }
        for pass in module.module.calls.iter().flat_map(|call| call.providers) {
            let name = pass.outer.name();
            let is_configured = declared.configured.contains_key(&name);
            match name.alias {
                None if !is_configured && !declared.required.contains_key(name.local_name) => {
                    let address = Address::implied(name.local_name, module.files.dialect);
                    self.implied(name, pass.outer.traversal(), HERE, address);
                }
                Some(_)
                    if !is_configured
                        && !declared.alias_names.contains(&name)
                        && !declared.empty.contains(&name) =>
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
        let mut names: HashMap<Address, &'a str> = HashMap::default();
        let mut required: HashSet<&'a str> = HashSet::default();
        let configured: HashSet<&'a str> = own.providers.iter().map(|each| each.name).collect();
        // Names that imply a provider which has another name here.
        let mut others: HashMap<String, &'a str> = HashMap::default();
        for provider in own.required_providers() {
            let Some(address) = Address::required(provider, dialect) else { continue };
            required.insert(provider.name);
            let value = provider.attribute.expression();
            let label = value.start_label();
            let implied = &*address.provider_type;
            if let Some(&earlier) = names.get(&address) {
                self.two_names(label, &address, earlier, provider.name);
            } else if address.is_default(dialect)
                && provider.name != implied
                && let Some(other) = configured.get(implied)
            {
                self.two_names(label, &address, provider.name, other);
            }
            if provider.name != implied && address == Address::of_name(implied, dialect) {
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
                self.two_names(label, &Address::of_name(name, dialect), known, name);
            } else {
                right = Some(name);
            }
        }
    }

    fn two_names(&mut self, label: Label<'a>, address: &Address, known: &'a str, besides: &'a str) {
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
        address: Address,
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
    fn call(
        &mut self,
        module: &TreeModule<'a>,
        own: &Declared<'a>,
        call: &ModuleCall<'a>,
        called: usize,
    ) {
        let (child, theirs) = (&self.modules[called], &self.declared[called]);
        let nothing_asked = theirs.aliases.is_empty() && theirs.passed_on.is_empty();
        if call.providers.is_empty() && nothing_asked {
            return;
        }
        let passed: HashSet<ProviderConfigName<'a>> =
            call.providers.iter().map(|pass| pass.inner.name()).collect();
        for pass in call.providers {
            let (inner, outer) = (pass.inner.name(), pass.outer.name());
            let at = pass.inner.traversal();
            if let Some(provider) = theirs.configured.get(&inner) {
                let text = self.text(inner);
                self.found.push(
                    Diagnostic::new(Code::OwnProvider, at.label())
                        .with_arguments(&[text])
                        .with_related(provider.block.definition_label(), "set up here"),
                );
            }
            let expected = theirs.address(inner.local_name, child);
            let given = own.address(outer.local_name, module);
            if let (Some(expected), Some(given)) = (&expected, &given)
                && expected != given
            {
                let [inner, expected, given] =
                    [self.text(inner), self.text(expected), self.text(given)];
                self.found.push(
                    Diagnostic::new(Code::ProviderMismatch, at.label())
                        .with_arguments(&[inner, expected, given]),
                );
                continue;
            }
            let is_declared = match inner.alias {
                None => theirs.required.contains_key(inner.local_name),
                Some(_) => theirs.alias_names.contains(&inner),
            };
            let has_block = theirs.empty.contains(&inner) || theirs.configured.contains_key(&inner);
            if is_declared || has_block || child.withholds() {
                continue;
            }
            let directory = self.text(&child.files.path);
            match expected {
                Some(address) if address.is_default(child.files.dialect) => {
                    self.implied(inner, at, directory, address);
                }
                _ => self.undeclared(inner, at, directory),
            }
        }
        for &(name, label) in &theirs.aliases {
            let is_given = passed.contains(&name)
                || theirs.configured.contains_key(&name)
                || child.withholds();
            if !is_given {
                let missing = self.missing(call, name, Severity::Error);
                self.found.push(missing.with_related(label, "required here"));
            }
        }
        for &local in &theirs.passed_on {
            let name = ProviderConfigName::new(local, None);
            if !passed.contains(&name) && !child.withholds() {
                let missing = self.missing(call, name, Severity::Warning);
                self.found.push(missing);
            }
        }
    }

    fn missing(
        &self,
        call: &ModuleCall<'a>,
        name: ProviderConfigName<'a>,
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
    links: &[Vec<Link>],
    declared: &[Declared<'a>],
    found: &mut Vec<(usize, Diagnostic<'a>)>,
) {
    let is_called = called(modules.len(), links.iter().flatten());
    let with_empty = (0..modules.len()).filter(|&place| !declared[place].empty.is_empty());
    for place in with_empty.filter(|&place| is_called[place]) {
        let mut seen = HashSet::default();
        for provider in modules[place].module.providers.iter() {
            let name = provider.config_name();
            if declared[place].empty.contains(&name) && seen.insert(name.local_name) {
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
    declared: &[Declared<'a>],
    arena: &'a Arena,
    found: &mut Vec<(usize, Diagnostic<'a>)>,
) {
    let mut configured: Vec<Option<Provider<'a>>> = modules
        .iter()
        .zip(declared)
        .map(|(module, declared)| {
            let mut own = module.module.providers.iter();
            own.find(|provider| {
                let name = provider.config_name();
                declared.configured.contains_key(&name)
            })
            .copied()
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
    let mut queue: VecDeque<usize> =
        (0..modules.len()).filter(|&place| configured[place].is_some()).collect();
    while let Some(place) = queue.pop_front() {
        let Some(provider) = configured[place] else { continue };
        for &(caller, call) in &callers[place] {
            if let Some((argument, label)) = repeated(call) {
                let directory = &modules[place].files.path;
                let directory = arena.format(format_args!("{directory}"));
                let block = provider.block;
                let diagnostic = Diagnostic::new(Code::LegacyModule, label)
                    .with_arguments(&[directory, argument])
                    .with_related(block.definition_label(), "configured here");
                found.push((caller, diagnostic));
            } else if configured[caller].is_none() {
                configured[caller] = Some(provider);
                queue.push_back(caller);
            }
        }
    }
}
