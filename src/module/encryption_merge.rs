//! Merges the `encryption` blocks of all files.

use std::collections::hash_map::Entry;
use std::hash::Hash;

use super::encryption::{is_key_provider, part_of};
use super::{Encryption, EncryptionPart, EncryptionTarget, Module, Settings};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::native::Traversal;

impl<'a> Module<'a> {
    /// The encryption of states and plans, merged from the `encryption` blocks of all files. Of
    /// several in primary files the first counts; an override file may have one.
    #[must_use]
    pub fn encryption(&self) -> Option<Encryption<'a>> {
        self.merged_encryption
    }

    /// Computes [`Self::encryption`] from the blocks. Cost: linear in their parts.
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

/// Merges lists of objects: objects with the same key become one, at the place of the first, which
/// `change` makes of all of them. Cost: linear in the lists.
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
                // Duplicates within one block have been reported. Both stay, and overrides change
                // the first.
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

/// Marks the methods that targets name, and the key providers that these methods need.
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
            for name in named_key_providers(property.expression()) {
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

/// The key providers that an argument of a method or key provider names: by a reference, or by
/// their address as a string.
fn named_key_providers<'a>(value: Expression<'a>) -> Vec<Traversal<'a>> {
    let names: Vec<_> = match value.is_json() && value.is_string() && !value.is_template() {
        true => value.as_traversal().into_iter().collect(),
        false => value.variables().collect(),
    };
    names.into_iter().filter(is_key_provider).collect()
}

impl<'a> EncryptionPart<'a> {
    /// Applies override files.
    fn merge(&mut self, overrides: &[Self]) {
        let configs = overrides.iter().map(|new| {
            let Self { block: _, part_type: _, name: _, config, is_used: _ } = *new;
            (config, None)
        });
        self.config.merge_all(&mut None, configs);
    }
}

impl<'a> EncryptionTarget<'a> {
    /// Applies override files.
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
}
