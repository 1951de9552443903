//! `encryption` in `terraform`: how states and plans are encrypted (OpenTofu).
//!
//! Methods use key providers; targets (the state, plans, states that are read) name a method, and others to fall back
//! to. Blocks of override files add key providers and methods, and set anew what a target says.

use std::collections::hash_map::Entry;
use std::hash::Hash;

use super::block::{argument, plain, single};
use super::config::Config;
use super::declarations::duplicate;
use super::site::{Use, Visitor};
use super::{Module, Settings, read};
use crate::body::{AttributeSchema, Block, BlockSchema, Content, Schema};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::native::{StepKind, Traversal};

static ENCRYPTION: Schema<'static> = Schema::new(
    &[],
    &[
        BlockSchema::new("key_provider", &["type", "name"]),
        BlockSchema::new("method", &["type", "name"]),
        plain("state"),
        plain("plan"),
        plain("remote_state_data_sources"),
    ],
);

static KEY_PROVIDER: Schema<'static> =
    Schema::new(&[AttributeSchema::optional("encrypted_metadata_alias")], &[]);

static REMOTE: Schema<'static> =
    Schema::new(&[], &[plain("default"), BlockSchema::new("remote_state_data_source", &["name"])]);

static ENFORCEABLE: Schema<'static> = Schema::new(
    &[AttributeSchema::optional("enforced"), AttributeSchema::optional("method")],
    &[plain("fallback")],
);

static TARGET: Schema<'static> =
    Schema::new(&[AttributeSchema::optional("method")], &[plain("fallback")]);

/// An `encryption` block.
#[derive(Clone, Copy, Debug)]
pub struct Encryption<'a> {
    /// The block.
    pub block: Block<'a>,
    /// Where keys come from, in order.
    pub key_providers: &'a [EncryptionPart<'a>],
    /// The methods, in order.
    pub methods: &'a [EncryptionPart<'a>],
    /// What is encrypted, in order.
    pub targets: &'a [EncryptionTarget<'a>],
}

/// A `key_provider` or `method` block.
#[derive(Clone, Copy, Debug)]
pub struct EncryptionPart<'a> {
    /// The block.
    pub block: Block<'a>,
    /// What kind of key provider or method it is.
    pub part_type: &'a str,
    /// Its name.
    pub name: &'a str,
    /// What it reads itself.
    pub config: Config<'a>,
    /// Whether a target needs it. If not, its arguments are never evaluated.
    pub is_used: bool,
}

/// What is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EncryptionSubject<'a> {
    /// The state.
    State,
    /// Plans.
    Plan,
    /// States that `terraform_remote_state` data sources read, unless they are named.
    RemoteDefault,
    /// The state that the data source of this name reads.
    Remote(&'a str),
}

/// How something is encrypted.
#[derive(Clone, Copy, Debug)]
pub struct EncryptionTarget<'a> {
    /// What.
    pub subject: EncryptionSubject<'a>,
    /// Whether it must be encrypted; of states and plans only.
    pub enforced: Option<bool>,
    /// By which method: `method.aes_gcm.main`.
    pub method: Option<Traversal<'a>>,
    /// The methods that are tried next when something is read, in order.
    pub fallbacks: &'a [Traversal<'a>],
}

impl<'a> Encryption<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let bump = block.source().arena().bump();
        let content = block.body().content(&ENCRYPTION, sink);
        let mut targets = Vec::new();
        for (name, subject) in
            [("state", EncryptionSubject::State), ("plan", EncryptionSubject::Plan)]
        {
            if let Some(block) = single(&content, name, sink) {
                targets.push(EncryptionTarget::read(block, &ENFORCEABLE, subject, sink));
            }
        }
        if let Some(remote) = single(&content, "remote_state_data_sources", sink) {
            let content = remote.body().content(&REMOTE, sink);
            if let Some(block) = single(&content, "default", sink) {
                let subject = EncryptionSubject::RemoteDefault;
                targets.push(EncryptionTarget::read(block, &TARGET, subject, sink));
            }
            let mut names = HashMap::default();
            for block in content.blocks("remote_state_data_source") {
                let name = block.label(0).unwrap_or_default();
                declare(&mut names, name, block, "data source of a remote state", sink);
                let subject = EncryptionSubject::Remote(name);
                targets.push(EncryptionTarget::read(block, &TARGET, subject, sink));
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

/// The blocks of a type that has two labels, none of which may be there twice.
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
                let (content, rest) = block.body().partial_content(&KEY_PROVIDER, sink);
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
    /// A target, and its fallbacks, which stand one inside the other.
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
            let content = block.body().content(&TARGET, sink);
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

impl<'a> Module<'a> {
    /// How states and plans are encrypted: what the `encryption` blocks of all files say together. Of several in
    /// primary files the first counts; an override file may have one.
    #[must_use]
    pub fn encryption(&self) -> Option<Encryption<'a>> {
        self.merged_encryption
    }

    /// The same, from the blocks. Cost: linear in their parts.
    pub(super) fn merge_encryption(&self) -> Option<Encryption<'a>> {
        let all = |settings: &[Settings<'a>]| {
            settings.iter().flat_map(|settings| settings.encryption).copied().collect::<Vec<_>>()
        };
        let overriding = all(&self.override_settings);
        let of_files = overriding.chunk_by(|one, next| one.block.source() == next.block.source());
        let new = of_files.filter_map(|of_file| match of_file {
            [new] => Some(*new),
            _ => None,
        });
        let base = all(&self.settings).first().copied();
        let blocks: Vec<Encryption<'a>> = base.into_iter().chain(new).collect();
        let block = blocks.first()?.block;
        let bump = block.source().arena().bump();
        let targets = blocks.iter().map(|each| each.targets);
        let targets = merge(targets, |target| target.subject, EncryptionTarget::merge);
        let parts = |of: fn(&Encryption<'a>) -> &'a [EncryptionPart<'a>]| {
            merge(blocks.iter().map(of), EncryptionPart::key, EncryptionPart::merge)
        };
        let mut methods = parts(|each| each.methods);
        let mut key_providers = parts(|each| each.key_providers);
        mark_used(&targets, &mut methods, &mut key_providers);
        Some(Encryption {
            block,
            key_providers: bump.alloc_slice_copy(&key_providers),
            methods: bump.alloc_slice_copy(&methods),
            targets: bump.alloc_slice_copy(&targets),
        })
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

/// Merges lists of objects: of those with one key there is one, at the place of the first, which `change` makes of all
/// of them. Cost: linear in the lists.
fn merge<'a, T: Copy + 'a, K: Eq + Hash>(
    lists: impl Iterator<Item = &'a [T]>,
    key: impl Fn(&T) -> K,
    change: impl Fn(&mut T, &[T]),
) -> Vec<T> {
    let mut places = HashMap::default();
    let mut merged: Vec<(T, Vec<T>)> = Vec::new();
    for (at, list) in lists.enumerate() {
        for each in list {
            match places.entry(key(each)) {
                // Of two in one block, which has been reported, both stay, and the first is changed.
                Entry::Occupied(_) if at == 0 => merged.push((*each, Vec::new())),
                Entry::Occupied(place) => {
                    let place: &usize = place.get();
                    merged[*place].1.push(*each);
                }
                Entry::Vacant(place) => {
                    place.insert(merged.len());
                    merged.push((*each, Vec::new()));
                }
            }
        }
    }
    let changed = merged.into_iter().map(|(mut object, overrides)| {
        change(&mut object, &overrides);
        object
    });
    changed.collect()
}

/// Marks the methods that targets name, and the key providers that these need.
fn mark_used<'a>(
    targets: &[EncryptionTarget<'a>],
    methods: &mut [EncryptionPart<'a>],
    key_providers: &mut [EncryptionPart<'a>],
) {
    let places = |parts: &[EncryptionPart<'a>]| -> HashMap<(&'a str, &'a str), usize> {
        parts.iter().enumerate().map(|(place, part)| (part.key(), place)).collect()
    };
    let (method_places, provider_places) = (places(methods), places(key_providers));
    let mut needed = Vec::new();
    for name in targets.iter().flat_map(EncryptionTarget::methods) {
        let place = part_of(name, "method").and_then(|key| method_places.get(&key));
        if let Some(method) = place.and_then(|&place| methods.get_mut(place))
            && !std::mem::replace(&mut method.is_used, true)
        {
            needed.push(method.config);
        }
    }
    while let Some(config) = needed.pop() {
        for property in config.properties() {
            for name in named_key_providers(Expression::new(property.value())) {
                let place = part_of(name, "key_provider").and_then(|key| provider_places.get(&key));
                if let Some(provider) = place.and_then(|&place| key_providers.get_mut(place))
                    && !std::mem::replace(&mut provider.is_used, true)
                {
                    needed.push(provider.config);
                }
            }
        }
    }
}

/// Whether a traversal in an argument of a method or key provider names a key provider.
pub(super) fn is_key_provider(name: &Traversal<'_>) -> bool {
    name.root_name() == "key_provider" && name.steps().len() == 3
}

/// The key providers that an argument of a method or key provider names: by a reference, or as a whole by their
/// address as a text.
fn named_key_providers<'a>(value: Expression<'a>) -> Vec<Traversal<'a>> {
    let names: Vec<_> = match value.node().as_string() {
        Some(text) if !text.may_be_template() => value.as_traversal().into_iter().collect(),
        _ => value.variables().collect(),
    };
    names.into_iter().filter(is_key_provider).collect()
}

impl<'a> EncryptionPart<'a> {
    /// Takes what override files say of it.
    fn merge(&mut self, overrides: &[Self]) {
        let configs = overrides.iter().map(|new| {
            let Self { block: _, part_type: _, name: _, config, is_used: _ } = *new;
            (config, None)
        });
        self.config.merge_all(&mut None, configs);
    }

    /// Its type and its name.
    pub(super) fn key(&self) -> (&'a str, &'a str) {
        (self.part_type, self.name)
    }
}

impl<'a> EncryptionTarget<'a> {
    /// Takes what override files say of it.
    fn merge(&mut self, overrides: &[Self]) {
        for new in overrides {
            let Self { subject: _, enforced, method, fallbacks } = *new;
            let is_enforced = self.enforced == Some(true) || enforced == Some(true);
            self.enforced = if is_enforced { Some(true) } else { enforced.or(self.enforced) };
            self.method = method.or(self.method);
            if !fallbacks.is_empty() {
                self.fallbacks = fallbacks;
            }
        }
    }

    /// The methods, the first to be tried first.
    pub(super) fn methods(&self) -> impl Iterator<Item = Traversal<'a>> + use<'a> {
        self.method.into_iter().chain(self.fallbacks.iter().copied())
    }
}

/// Reports a method or key provider that is named, and that nothing declares.
#[cold]
pub(super) fn undeclared<'a>(kind: &'static str, name: Traversal<'a>, sink: &mut dyn Sink<'a>) {
    sink.report(Diagnostic::new(Code::UndeclaredEncryption, name.label()).with_arguments(&[kind]));
}
