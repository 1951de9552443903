//! What a module declares, in lists that own what they show.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;
use serde_json::value::RawValue;
use simd_hcl::directory::AskedFor;
use simd_hcl::module::{Lifecycle, Module, Resource};
use simd_hcl::reference::Mode;

use crate::declared::{
    Local, Requirement, Variable, block_range, lists, own, range, raw, raw_source,
};
use crate::excerpt::{Range, ranged};
use crate::output::text_of;
use crate::references;

lists! {
    /// The typed lists of `inspect`.
    #[derive(Default, Serialize)]
    Inventory {
        required_versions: Vec<RequiredVersion>,
        #[serde(skip_serializing_if = "Option::is_none")]
        backend: Option<Backend>,
        variables: Vec<Variable>,
        locals: Vec<Local>,
        outputs: Vec<Output>,
        providers: Vec<Provider>,
        required_providers: BTreeMap<String, Vec<Requirement>>,
        resources: Vec<ResourceLine>,
        module_calls: Vec<ModuleCall>,
        moved: Vec<Moved>,
        imports: Vec<Import>,
        removed: Vec<Removed>,
        checks: Vec<Check>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        actions: Vec<Action>,
        references: Vec<references::Row>,
    }
}

#[derive(Serialize)]
struct RequiredVersion {
    /// As it is written.
    constraint: Option<Box<RawValue>>,
    range: Range,
}

/// Where the state is kept.
#[derive(Serialize)]
struct Backend {
    /// The type of the backend, or `cloud`.
    #[serde(rename = "type")]
    backend_type: String,
    range: Range,
}

#[derive(Serialize)]
struct Action {
    address: String,
    /// The provider's local name, and the alias of its configuration.
    provider: String,
    range: Range,
}

#[derive(Serialize)]
struct Output {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitive: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ephemeral: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecated: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depends_on: Vec<String>,
    range: Range,
}

#[derive(Serialize)]
struct Provider {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    alias: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    range: Range,
}

#[derive(Serialize)]
struct ResourceLine {
    address: String,
    mode: &'static str,
    #[serde(rename = "type")]
    resource_type: String,
    name: String,
    /// The provider's local name, and the alias of its configuration.
    provider: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    for_each: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depends_on: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    provisioners: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lifecycle: Option<LifecycleLine>,
    range: Range,
}

/// What `lifecycle` says; expressions as they are written.
#[derive(Serialize)]
struct LifecycleLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    create_before_destroy: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prevent_destroy: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    destroy: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enabled: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignore_changes: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replace_triggered_by: Vec<Box<RawValue>>,
    preconditions: usize,
    postconditions: usize,
    range: Range,
}

fn lifecycle(lifecycle: &Lifecycle<'_>) -> LifecycleLine {
    let attributes = lifecycle.block.body().just_attributes(&mut ());
    let ignored = attributes.iter().find(|attribute| attribute.name() == "ignore_changes");
    LifecycleLine {
        create_before_destroy: lifecycle.create_before_destroy,
        prevent_destroy: lifecycle.prevent_destroy.and_then(raw),
        destroy: lifecycle.destroy.and_then(raw),
        enabled: lifecycle.enabled.and_then(|enabled| raw(enabled.expression())),
        ignore_changes: ignored.and_then(|ignored| raw_source(ignored.expression())),
        replace_triggered_by: lifecycle
            .replace_triggered_by
            .iter()
            .copied()
            .filter_map(raw_source)
            .collect(),
        preconditions: lifecycle.preconditions.len(),
        postconditions: lifecycle.postconditions.len(),
        range: block_range(lifecycle.block),
    }
}

#[derive(Serialize)]
struct ModuleCall {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    for_each: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depends_on: Vec<String>,
    /// By the name in the called module, what is passed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    providers: BTreeMap<String, String>,
    arguments: Vec<String>,
    range: Range,
}

#[derive(Serialize)]
struct Moved {
    from: Option<String>,
    to: Option<String>,
    range: Range,
}

#[derive(Serialize)]
struct Import {
    to: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identity: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    for_each: Option<Box<RawValue>>,
    range: Range,
}

#[derive(Serialize)]
struct Removed {
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    destroy: Option<bool>,
    range: Range,
}

#[derive(Serialize)]
struct Check {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<String>,
    assertions: usize,
    range: Range,
}

ranged!(
    RequiredVersion,
    Backend,
    Output,
    Provider,
    ResourceLine,
    ModuleCall,
    Moved,
    Import,
    Removed,
    Check,
    Action
);

fn strings<T: Display>(items: &[T]) -> Vec<String> {
    items.iter().map(text_of).collect()
}

fn resource(resource: &Resource<'_>) -> ResourceLine {
    let address = resource.address;
    ResourceLine {
        address: text_of(address),
        mode: address.mode.as_str(),
        resource_type: address.resource_type.to_owned(),
        name: address.name.to_owned(),
        provider: match resource.provider {
            Some(provider) => provider.to_string(),
            None => resource.provider_name().to_owned(),
        },
        count: resource.count.and_then(raw),
        for_each: resource.for_each.and_then(raw),
        depends_on: strings(resource.depends_on),
        provisioners: resource
            .provisioners
            .iter()
            .map(|provisioner| provisioner.provisioner_type.to_owned())
            .collect(),
        lifecycle: resource.lifecycle.map(lifecycle),
        range: block_range(resource.block),
    }
}

impl Inventory {
    pub(crate) fn of(module: &Module<'_>) -> Self {
        let variables = module.variables.iter().map(|each| Variable {
            name: each.name.to_owned(),
            written_type: each.written_type.and_then(raw_source),
            default: each.default.and_then(raw),
            required: each.is_required(),
            description: own(each.description),
            sensitive: each.sensitive,
            ephemeral: each.ephemeral,
            nullable: each.nullable,
            deprecated: own(each.deprecated),
            validations: each.validations.len(),
            range: block_range(each.block),
        });
        let locals = module.locals.iter().map(|each| Local {
            name: each.name.to_owned(),
            sensitive: None,
            range: range(each.attribute.source(), each.attribute.span()),
        });
        let outputs = module.outputs.iter().map(|each| Output {
            name: each.name.to_owned(),
            description: own(each.description),
            sensitive: each.sensitive,
            ephemeral: each.ephemeral,
            deprecated: own(each.deprecated),
            depends_on: strings(each.depends_on),
            range: block_range(each.block),
        });
        let providers = module.providers.iter().map(|each| Provider {
            name: each.name.to_owned(),
            alias: own(each.alias),
            version: own(each.version),
            range: block_range(each.block),
        });
        let mut required_providers: BTreeMap<String, Vec<Requirement>> = BTreeMap::new();
        for each in module.required_providers() {
            required_providers.entry(each.name.to_owned()).or_default().push(Requirement {
                source: own(each.source),
                version: own(each.version),
                configuration_aliases: strings(each.configuration_aliases),
                range: range(each.attribute.source(), each.attribute.span()),
            });
        }
        let of_checks = module.checks.iter().filter_map(|check| check.data);
        let resources = module.resources.iter().chain(of_checks).map(resource);
        let module_calls = module.calls.iter().map(|each| ModuleCall {
            name: each.name.to_owned(),
            source: each.source.and_then(|source| raw(source.expression())),
            version: each.version.and_then(|version| raw(version.expression())),
            count: each.count.and_then(raw),
            for_each: each.for_each.and_then(raw),
            depends_on: strings(each.depends_on),
            providers: each
                .providers
                .iter()
                .map(|pass| (pass.inner.to_string(), pass.outer.to_string()))
                .collect(),
            arguments: each.arguments.iter().map(|argument| argument.name().to_owned()).collect(),
            range: block_range(each.block),
        });
        let moved = module.moved.iter().map(|each| Moved {
            from: each.from.map(|from| from.to_string()),
            to: each.to.map(|to| to.to_string()),
            range: block_range(each.block),
        });
        let imports = module.imports.iter().map(|each| Import {
            to: each.to.and_then(raw_source),
            id: each.id.and_then(raw),
            identity: each.identity.and_then(raw),
            for_each: each.for_each.and_then(raw),
            range: block_range(each.block),
        });
        let removed = module.removed.iter().map(|each| Removed {
            from: each.from.map(|from| from.to_string()),
            destroy: each.destroy,
            range: block_range(each.block),
        });
        let checks = module.checks.iter().map(|each| Check {
            name: each.name.to_owned(),
            data: each.data.map(|data| data.address.to_string()),
            assertions: each.assertions.len(),
            range: block_range(each.block),
        });
        let actions = module.actions.iter().map(|each| Action {
            address: each.address.to_string(),
            provider: match each.provider {
                Some(provider) => provider.to_string(),
                None => each.provider_name().to_owned(),
            },
            range: block_range(each.block),
        });
        // Those of override files take the place of others.
        let settings = || module.settings.iter().chain(&module.override_settings);
        let required_versions = settings().filter_map(|each| each.required_version);
        let mut blocks = settings().flat_map(|each| each.blocks);
        let backend = blocks.rfind(|block| block.is("backend") || block.is("cloud"));
        let mut references = Vec::new();
        references::visit(module, |row| references.push(row));
        Self {
            required_versions: required_versions
                .map(|version| RequiredVersion {
                    constraint: raw(version.expression()),
                    range: range(version.source(), version.span()),
                })
                .collect(),
            backend: backend.map(|block| Backend {
                backend_type: block.label(0).unwrap_or("cloud").to_owned(),
                range: block_range(*block),
            }),
            actions: actions.collect(),
            references,
            variables: variables.collect(),
            locals: locals.collect(),
            outputs: outputs.collect(),
            providers: providers.collect(),
            required_providers,
            resources: resources.collect(),
            module_calls: module_calls.collect(),
            moved: moved.collect(),
            imports: imports.collect(),
            removed: removed.collect(),
            checks: checks.collect(),
        }
    }
}

/// How many resources of each mode there are in files that were asked for, without modes that have
/// none.
pub(crate) fn modes(module: &Module<'_>, asked_for: &AskedFor) -> Vec<(&'static str, usize)> {
    let of_checks = module.checks.iter().filter_map(|check| check.data);
    let mut counts = [(Mode::Managed, 0), (Mode::Data, 0), (Mode::Ephemeral, 0)];
    for resource in module.resources.iter().chain(of_checks) {
        if asked_for.contains(resource.block.source().name()) {
            let of_mode = counts.iter_mut().filter(|(mode, _)| *mode == resource.address.mode);
            of_mode.for_each(|(_, count)| *count += 1);
        }
    }
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    counts.map(|(mode, count)| (mode.as_str(), count)).collect()
}
