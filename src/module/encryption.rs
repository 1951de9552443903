//! `encryption` in `terraform` blocks: how states and plans are encrypted (OpenTofu).
//!
//! Methods use key providers. Targets (the state, plans, remote states) name a method, and other
//! methods to fall back to. Blocks of override files add key providers and methods, and replace the
//! settings of targets.

use std::hash::Hash;

use super::block::{argument, single};
use super::config::Config;
use super::declarations::duplicate;
use super::read;
use super::site::{Use, Visitor};
use crate::body::{Block, Content, Schema};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::modules::{ENCRYPTION, ENFORCEABLE, KEY_PROVIDER, REMOTE, TARGET};
use crate::hash::HashMap;
use crate::native::{StepKind, Traversal};

/// An `encryption` block.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Encryption<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The sources of keys, in order.
    pub key_providers: &'a [EncryptionPart<'a>],
    /// The methods, in order.
    pub methods: &'a [EncryptionPart<'a>],
    /// The targets, in order.
    pub targets: &'a [EncryptionTarget<'a>],
}

/// A `key_provider` or `method` block.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EncryptionPart<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The type of the key provider or method.
    pub part_type: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The body that the key provider or method reads.
    pub config: Config<'a>,
    /// Whether a target needs it. If not, its arguments are never evaluated.
    pub is_used: bool,
}

/// The subject of a target: the data that it encrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncryptionSubject<'a> {
    /// The state.
    State,
    /// Plans.
    Plan,
    /// States that `terraform_remote_state` data sources read, unless a `Remote` names the data
    /// source.
    RemoteDefault,
    /// The state that the data source of this name reads.
    Remote(&'a str),
}

/// A target: how a state or plan is encrypted.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EncryptionTarget<'a> {
    /// The data that is encrypted.
    pub subject: EncryptionSubject<'a>,
    /// Whether unencrypted data is an error; for states and plans only.
    pub enforced: Option<bool>,
    /// The method: `method.aes_gcm.main`.
    pub method: Option<Traversal<'a>>,
    /// The methods to try next when reading, in order.
    pub fallbacks: &'a [Traversal<'a>],
}

impl<'a> Encryption<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let bump = block.source().arena().bump();
        let content = block.body().content(ENCRYPTION.common(), sink);
        let mut targets = Vec::new();
        for (name, subject) in
            [("state", EncryptionSubject::State), ("plan", EncryptionSubject::Plan)]
        {
            if let Some(block) = single(&content, name, sink) {
                targets.push(EncryptionTarget::read(block, ENFORCEABLE.common(), subject, sink));
            }
        }
        if let Some(remote) = single(&content, "remote_state_data_sources", sink) {
            let content = remote.body().content(REMOTE.common(), sink);
            if let Some(block) = single(&content, "default", sink) {
                let subject = EncryptionSubject::RemoteDefault;
                targets.push(EncryptionTarget::read(block, TARGET.common(), subject, sink));
            }
            let mut names = HashMap::default();
            for block in content.blocks("remote_state_data_source") {
                let name = block.label(0).unwrap_or_default();
                declare(&mut names, name, block, "data source of a remote state", sink);
                let subject = EncryptionSubject::Remote(name);
                targets.push(EncryptionTarget::read(block, TARGET.common(), subject, sink));
            }
        }
        Self {
            block,
            key_providers: parts(&content, "key_provider", "key provider", sink),
            methods: parts(&content, "method", "encryption method", sink),
            targets: bump.alloc_slice_copy(&targets),
        }
    }
}

/// The blocks of a type that has two labels. Reports duplicates.
fn parts<'a>(
    content: &Content<'a>,
    block_type: &'static str,
    kind: &'static str,
    sink: &mut dyn Sink<'a>,
) -> &'a [EncryptionPart<'a>] {
    let mut names = HashMap::default();
    let mut read = Vec::new();
    for block in content.blocks(block_type) {
        let mut labels = block.labels();
        let part_type = labels.next().unwrap_or_default();
        let name = labels.next().unwrap_or_default();
        declare(&mut names, (part_type, name), block, kind, sink);
        let config = match block_type {
            "key_provider" => {
                let (content, rest) = block.body().partial_content(KEY_PROVIDER.common(), sink);
                if let Some(alias) = argument(&content, "encrypted_metadata_alias") {
                    read::string(alias, sink);
                }
                rest
            }
            _ => block.body(),
        };
        let config = Config::new(config);
        read.push(EncryptionPart { block, part_type, name, config, is_used: false });
    }
    match read.first() {
        Some(first) => first.block.source().arena().bump().alloc_slice_copy(&read),
        None => &[],
    }
}

fn declare<'a, K: Eq + Hash>(
    names: &mut HashMap<K, Block<'a>>,
    name: K,
    block: Block<'a>,
    kind: &'static str,
    sink: &mut dyn Sink<'a>,
) {
    if let Some(earlier) = names.insert(name, block) {
        sink.report(duplicate(kind, block.definition_label(), earlier.definition_label()));
    }
}

impl<'a> EncryptionTarget<'a> {
    /// Reads a target and its fallbacks, which are nested in each other.
    fn read(
        block: Block<'a>,
        schema: &'static Schema<'static>,
        subject: EncryptionSubject<'a>,
        sink: &mut dyn Sink<'a>,
    ) -> Self {
        let content = block.body().content(schema, sink);
        let method = method(&content, sink);
        let enforced = argument(&content, "enforced").and_then(|value| read::boolean(value, sink));
        let mut fallbacks = Vec::new();
        let mut next = single(&content, "fallback", sink);
        while let Some(block) = next {
            let content = block.body().content(TARGET.common(), sink);
            fallbacks.extend(self::method(&content, sink));
            next = single(&content, "fallback", sink);
        }
        let fallbacks = block.source().arena().bump().alloc_slice_copy(&fallbacks);
        Self { subject, enforced, method, fallbacks }
    }
}

/// The method that a target names.
fn method<'a>(content: &Content<'a>, sink: &mut dyn Sink<'a>) -> Option<Traversal<'a>> {
    let value = argument(content, "method")?;
    let traversal = value.traversal(sink)?;
    if part_of(traversal, "method").is_none() {
        sink.report(Diagnostic::new(Code::EncryptionMethod, value.start_label()));
        return None;
    }
    Some(traversal)
}

/// The type and the name in `method.TYPE.NAME` or `key_provider.TYPE.NAME`.
pub(super) fn part_of<'a>(traversal: Traversal<'a>, kind: &str) -> Option<(&'a str, &'a str)> {
    let [_, part_type, name] = traversal.steps() else { return None };
    match (part_type.kind, name.kind) {
        (StepKind::Attribute(part_type), StepKind::Attribute(name))
            if traversal.root_name() == kind =>
        {
            Some((part_type, name))
        }
        _ => None,
    }
}

impl<'a> Encryption<'a> {
    /// Visits its expressions.
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        for part in self.key_providers.iter().chain(self.methods) {
            let usage = if part.is_used { Use::Early } else { Use::Unevaluated };
            visitor.early(part.config, usage, &["key_provider", "method"]);
        }
        visitor.traversals(self.targets.iter().flat_map(EncryptionTarget::methods), Use::Method);
    }
}

impl<'a> EncryptionPart<'a> {
    /// Its type and its name.
    pub(super) fn key(&self) -> (&'a str, &'a str) {
        (self.part_type, self.name)
    }
}

impl<'a> EncryptionTarget<'a> {
    /// The methods, in the order in which they are tried.
    pub(super) fn methods(&self) -> impl Iterator<Item = Traversal<'a>> + use<'a> {
        self.method.into_iter().chain(self.fallbacks.iter().copied())
    }
}

/// Whether a traversal in an argument of a method or key provider names a key provider.
pub(super) fn is_key_provider(name: &Traversal<'_>) -> bool {
    name.root_name() == "key_provider" && name.steps().len() == 3
}

/// Reports a reference to an undeclared method or key provider.
#[cold]
pub(super) fn undeclared<'a>(kind: &'static str, name: Traversal<'a>, sink: &mut dyn Sink<'a>) {
    sink.report(Diagnostic::new(Code::UndeclaredEncryption, name.label()).with_arguments(&[kind]));
}
