//! Checks the parts that a module may have only once in all its `terraform` blocks (a backend or a
//! cloud, the required providers, metadata of each provider, encryption), selects those that count,
//! and checks the name of the backend.
//!
//! Of several in primary files the first counts; of `provider_meta` the last. An override file may
//! have one backend or cloud, which replaces that of the primary files, and one encryption.

use std::cell::OnceCell;

use super::block::duplicate_block;
use super::settings::Part;
use super::{Module, ProviderNames, Setting, Settings, VersionConstraint};
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::Dialect;
use crate::dialect::ended::{self, Ended};
use crate::evaluate::Release;
use crate::evaluate::release::{ALWAYS, NEVER, in_};
use crate::hash::HashMap;
use crate::suggest;

/// Reports duplicates, and a backend beside a cloud.
pub(super) fn check<'a>(module: &Module<'a>, sink: &mut dyn Sink<'a>) {
    let mut firsts: HashMap<&'a str, Block<'a>> = HashMap::default();
    let mut metadata: HashMap<String, Block<'a>> = HashMap::default();
    let names: OnceCell<ProviderNames<'a>> = OnceCell::new();
    for &block in module.settings.iter().flat_map(|settings| settings.blocks) {
        let earlier = match block.block_type() {
            "provider_meta" => {
                let name = block.label(0).unwrap_or_default();
                let names = names.get_or_init(|| ProviderNames::of(module));
                metadata.insert(names.full_name(name), block)
            }
            block_type => match firsts.get(block_type) {
                Some(&first) => Some(first),
                None => firsts.insert(block_type, block),
            },
        };
        if let Some(earlier) = earlier {
            sink.report(duplicate_block(block, earlier));
        }
    }
    // A backend that an override replaces with another one, or with a cloud, is never checked.
    let mut overriding = module.override_settings.iter().flat_map(|settings| settings.blocks);
    let backend = match overriding.any(|block| block.is("backend") || block.is("cloud")) {
        true => module.backend(),
        false => firsts.get("backend").copied(),
    };
    if let Some(backend) = backend.filter(|block| block.is("backend")) {
        check_backend(module, backend, sink);
    }
    if let (Some(backend), Some(cloud)) = (firsts.get("backend"), firsts.get("cloud")) {
        sink.report(
            Diagnostic::new(Code::BackendAndCloud, backend.definition_label())
                .with_related(cloud.definition_label(), "the cloud is here"),
        );
    }
    for block_type in ["backend", "cloud", "encryption"] {
        // By file, the first block of the type; `None` once a second one has been reported.
        let mut seen: HashMap<u32, Option<Block<'a>>> = HashMap::default();
        let overriding = module.override_settings.iter();
        for block in overriding.flat_map(|settings| settings.blocks_of(block_type)) {
            match seen.get_mut(&block.source().id()) {
                None => drop(seen.insert(block.source().id(), Some(block))),
                Some(first) => {
                    if let Some(first) = first.take() {
                        sink.report(duplicate_block(block, first));
                    }
                }
            }
        }
    }
}

impl<'a> Module<'a> {
    /// The end of a backend that the tools no longer have, if the module admits only releases before that.
    pub(crate) fn old_backend(&self, name: &str) -> Option<&'static Ended> {
        let (ended, removed) = removed_backend(name)?;
        let written = self.settings.iter().chain(&self.override_settings);
        let written = written.filter_map(|it| it.required_version?.expression().to_str());
        let constraints: Vec<_> =
            written.filter_map(VersionConstraint::parse_all).flatten().collect();
        let admitted = VersionConstraint::admitted(&constraints);
        (!constraints.is_empty() && admitted >> removed == 0).then_some(ended)
    }

    /// Whether its backend is one that the tools no longer have, but a release 1.x of its tool has.
    pub(crate) fn has_backend_of(&self, release: u8) -> bool {
        let name = self.backend().filter(|it| it.is("backend")).and_then(|it| it.label(0));
        self.dialect == Dialect::Terraform
            && name.and_then(removed_backend).is_some_and(|(_, removed)| release < removed)
    }

    /// The parts of all `terraform` blocks. If there are several of a kind, the one that counts.
    pub(super) fn settings_parts(&self) -> Vec<Part<'a>> {
        let mut parts = Vec::new();
        if let Some(block) = self.backend() {
            let setting = if block.is("cloud") { Setting::Cloud } else { Setting::Backend };
            parts.push(Part::block(setting, block));
        }
        let of = |settings: &'_ [Settings<'a>], block_type: &'static str| {
            settings.iter().flat_map(|each| each.blocks_of(block_type)).collect::<Vec<_>>()
        };
        let stores = of(&self.override_settings, "state_store").last().copied();
        if let Some(block) = stores.or_else(|| of(&self.settings, "state_store").first().copied()) {
            parts.push(Part::block(Setting::StateStore, block));
        }
        if let Some(encryption) = self.merged_encryption {
            parts.push(Part::block(Setting::Encryption, encryption.block));
        }
        for block in [&self.settings, &self.override_settings]
            .into_iter()
            .flat_map(|settings| of(settings, "provider_meta"))
        {
            let name = block.label(0).unwrap_or_default();
            parts.push(Part::block(Setting::ProviderMeta(name), block));
        }
        parts.extend(self.required_providers().map(Part::entry));
        parts
    }
}

/// The backends of the tools, with the first releases of OpenTofu and Terraform. `cloud` stands for a
/// `cloud` block.
const BACKENDS: [(&str, Release, Release); 14] = [
    ("local", ALWAYS, ALWAYS),
    ("remote", ALWAYS, ALWAYS),
    ("cloud", ALWAYS, ALWAYS),
    ("azurerm", ALWAYS, ALWAYS),
    ("consul", ALWAYS, ALWAYS),
    ("cos", ALWAYS, ALWAYS),
    ("gcs", ALWAYS, ALWAYS),
    ("http", ALWAYS, ALWAYS),
    ("inmem", ALWAYS, ALWAYS),
    ("kubernetes", ALWAYS, ALWAYS),
    ("oci", NEVER, in_(12)),
    ("oss", ALWAYS, ALWAYS),
    ("pg", ALWAYS, ALWAYS),
    ("s3", ALWAYS, ALWAYS),
];

/// The first releases of OpenTofu and Terraform that have a backend; `None` if none of them has it.
pub(crate) fn backend_releases(name: &str) -> Option<(Release, Release)> {
    let row = BACKENDS.iter().find(|(known, ..)| *known == name);
    row.map(|(_, opentofu, terraform)| (*opentofu, *terraform))
}

/// The end of a backend that Terraform no longer has, and the number of the first release 1.x without it.
fn removed_backend(name: &str) -> Option<(&'static Ended, u8)> {
    let ended = ended::backend(name)?;
    match ended.terraform.removed {
        Release::In(removed) => Some((ended, removed)),
        _ => None,
    }
}

/// Reports a backend that the tools do not know.
fn check_backend<'a>(module: &Module<'a>, backend: Block<'a>, sink: &mut dyn Sink<'a>) {
    let name = backend.label(0).unwrap_or_default();
    if backend_releases(name).is_some() || module.old_backend(name).is_some() {
        return;
    }
    sink.report(
        Diagnostic::new(Code::UnknownBackend, backend.label_place(0))
            .with_arguments(&[name])
            .with_suggestion(suggest::nearest(name, BACKENDS.map(|(known, ..)| known))),
    );
}
