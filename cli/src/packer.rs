//! What a template of Packer declares, in lists that own what they show.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;
use simd_hcl::packer::{
    self, Dynamic, ObjectName, PostProcessor, PostProcessors, Registry, Template,
};
use simd_hcl::{Expression, Span};

use crate::declared::{
    Local, Requirement, Variable, block_range, lists, own, range, raw, raw_source,
};
use crate::excerpt::{Range, ranged};

lists! {
    /// The typed lists of `inspect` for a template.
    #[derive(Serialize)]
    Inventory {
        required_versions: Vec<RequiredVersion>,
        required_plugins: BTreeMap<String, Vec<Requirement>>,
        variables: Vec<Variable>,
        locals: Vec<Local>,
        data: Vec<Object>,
        sources: Vec<Object>,
        builds: Vec<Build>,
        hcp_packer_registries: Vec<RegistryLine>,
    }
}

#[derive(Serialize)]
struct RequiredVersion {
    version: String,
    range: Range,
}

/// A source or a data source.
#[derive(Serialize)]
struct Object {
    address: String,
    #[serde(rename = "type")]
    object_type: String,
    name: String,
    range: Range,
}

#[derive(Serialize)]
struct Build {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Box<RawValue>>,
    sources: Vec<BuildSource>,
    provisioners: Vec<Step>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_cleanup_provisioner: Option<Step>,
    /// Sequences.
    post_processors: Vec<Vec<Step>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dynamic: Vec<Step>,
    range: Range,
}

#[derive(Serialize)]
struct BuildSource {
    /// What it refers to; none if its text names no source.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    range: Range,
}

/// A provisioner, a post-processor, or what makes some.
#[derive(Serialize)]
struct Step {
    #[serde(rename = "type")]
    step_type: String,
    /// It makes blocks of the type.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dynamic: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    only: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    except: Option<Box<RawValue>>,
    range: Range,
}

#[derive(Serialize)]
struct RegistryLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    bucket_name: Option<Box<RawValue>>,
    range: Range,
}

ranged!(RequiredVersion, Object, Build, RegistryLine);

impl Inventory {
    pub(crate) fn of(template: &Template<'_>) -> Self {
        let mut required_plugins: BTreeMap<String, Vec<Requirement>> = BTreeMap::new();
        for each in template.settings.iter().flat_map(|settings| settings.required_plugins) {
            required_plugins.entry(each.name.to_owned()).or_default().push(Requirement {
                source: own(each.source),
                version: own(each.version),
                configuration_aliases: Vec::new(),
                range: range(each.attribute.source(), each.attribute.span()),
            });
        }
        let required_versions = template.settings.iter().filter_map(|settings| {
            let version = settings.required_version?.to_owned();
            Some(RequiredVersion { version, range: block_range(settings.block) })
        });
        let variables = template.variables.iter().map(|each| Variable {
            name: each.name.to_owned(),
            written_type: each.written_type.and_then(raw_source),
            default: each.default.and_then(raw),
            required: each.is_required(),
            description: own(each.description),
            sensitive: each.sensitive,
            ephemeral: None,
            nullable: None,
            deprecated: None,
            validations: each.validations.len(),
            range: match each.block {
                Some(block) => block_range(block),
                None => range(each.source(), entry(each.name_span, each.default)),
            },
        });
        let locals = template.locals.iter().map(|each| Local {
            name: each.name.to_owned(),
            sensitive: each.sensitive,
            range: match each.block {
                Some(block) => block_range(block),
                None => range(each.source(), entry(each.name_span, each.value)),
            },
        });
        let data = template.data.iter().map(|each| {
            object(packer::Object::Data(each.name), each.name, block_range(each.block))
        });
        let sources = template.sources.iter().map(|each| {
            object(packer::Object::Source(each.name), each.name, block_range(each.block))
        });
        let of_builds = template.builds.iter().filter_map(|build| build.registry);
        let registries = template.registry.into_iter().chain(of_builds);
        Self {
            required_versions: required_versions.collect(),
            required_plugins,
            variables: variables.collect(),
            locals: locals.collect(),
            data: data.collect(),
            sources: sources.collect(),
            builds: template.builds.iter().map(build).collect(),
            hcp_packer_registries: registries.map(|each| registry(&each)).collect(),
        }
    }

    /// The sources of each build, for people.
    pub(crate) fn builds(&self) -> impl Iterator<Item = String> + '_ {
        self.builds.iter().map(|build| {
            let sources = build.sources.iter();
            let names = sources.map(|each| each.address.as_ref().unwrap_or(&each.text).as_str());
            names.collect::<Vec<_>>().join(", ")
        })
    }
}

/// An entry of `variables` or `locals`: its name and its value.
fn entry(name: Span, value: Option<Expression<'_>>) -> Span {
    Span { start: name.start, end: value.map_or(name.end, |value| value.span().end) }
}

fn object(address: packer::Object<'_>, name: ObjectName<'_>, range: Range) -> Object {
    Object {
        address: address.to_string(),
        object_type: name.object_type.to_owned(),
        name: name.name.to_owned(),
        range,
    }
}

fn build(build: &packer::Build<'_>) -> Build {
    let sources = build.sources.iter().map(|each| BuildSource {
        address: each.name.map(|name| packer::Object::Source(name).to_string()),
        text: each.text.to_owned(),
        name: own(each.local_name),
        range: range(each.label.source, each.label.span),
    });
    Build {
        name: build.name.and_then(raw),
        description: build.description.and_then(raw),
        sources: sources.collect(),
        provisioners: provisioners(build),
        error_cleanup_provisioner: build.error_cleanup.as_ref().map(provisioner),
        post_processors: build.post_processors.iter().map(sequence).collect(),
        dynamic: build.dynamics.iter().filter(|it| !makes_provisioners(it)).map(dynamic).collect(),
        range: block_range(build.block),
    }
}

/// Provisioners and what makes some, in the order in which they run: that of the file.
fn provisioners(build: &packer::Build<'_>) -> Vec<Step> {
    let written = build.provisioners.iter().map(provisioner);
    let made = build.dynamics.iter().filter(|it| makes_provisioners(it)).map(dynamic);
    let mut steps: Vec<Step> = written.chain(made).collect();
    steps.sort_by_key(|step| step.range.start.byte);
    steps
}

fn makes_provisioners(dynamic: &Dynamic<'_>) -> bool {
    dynamic.block_type == "provisioner"
}

fn provisioner(each: &packer::Provisioner<'_>) -> Step {
    Step {
        step_type: each.provisioner_type.to_owned(),
        dynamic: false,
        name: each.name.and_then(raw),
        only: each.selection.only.and_then(raw),
        except: each.selection.except.and_then(raw),
        range: block_range(each.block),
    }
}

fn post_processor(each: &PostProcessor<'_>) -> Step {
    Step {
        step_type: each.post_processor_type.to_owned(),
        dynamic: false,
        name: each.name.and_then(raw),
        only: each.selection.only.and_then(raw),
        except: each.selection.except.and_then(raw),
        range: block_range(each.block),
    }
}

fn dynamic(each: &Dynamic<'_>) -> Step {
    Step {
        step_type: each.block_type.to_owned(),
        dynamic: true,
        name: None,
        only: None,
        except: None,
        range: block_range(each.block),
    }
}

fn sequence(sequence: &PostProcessors<'_>) -> Vec<Step> {
    let steps = sequence.steps.iter().map(post_processor);
    steps.chain(sequence.dynamics.iter().map(dynamic)).collect()
}

fn registry(registry: &Registry<'_>) -> RegistryLine {
    RegistryLine {
        bucket_name: registry.bucket_name.and_then(raw),
        range: block_range(registry.block),
    }
}
