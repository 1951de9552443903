//! `tfschemas`: converts the schemas that OpenTofu 1.13 writes to a plan file to the JSON that
//! `providers schema -json` prints.

use super::error::Malformed;
use super::text::{List, push_json};
use super::wire::Fields;
use crate::arena::Arena;
use crate::document::Document;

/// The maximal depth of blocks and attributes.
const MAX_DEPTH: usize = 100;

const TOO_DEEP: Malformed = Malformed("a schema is nested too deep");

/// The schemas as JSON.
pub(super) fn to_json(bytes: &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut out = Vec::new();
    let mut root = List::object(&mut out);
    root.string("format_version", "1.0");
    let mut providers = List::object(root.key("provider_schemas"));
    for field in Fields::of(bytes) {
        if let (1, field) = field? {
            let (name, content) = entry(field.bytes())?;
            provider(content, providers.key(name))?;
        }
    }
    providers.end();
    root.end();
    Ok(out)
}

/// An entry of a map.
fn entry(bytes: &[u8]) -> Result<(&str, &[u8]), Malformed> {
    let entry = super::message::Entry::read(bytes)?;
    Ok((entry.key, entry.value))
}

fn provider(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
    let mut object = List::object(out);
    let (mut resources, mut data_sources) = (Vec::new(), Vec::new());
    for field in Fields::of(bytes) {
        match field? {
            (1, field) => schema(field.bytes(), object.key("provider"))?,
            (2, field) => resources.push(entry(field.bytes())?),
            (3, field) => data_sources.push(entry(field.bytes())?),
            _ => {}
        }
    }
    for (name, types) in [("resource_schemas", &resources), ("data_source_schemas", &data_sources)]
    {
        let mut list = List::object(object.key(name));
        for (name, content) in types {
            if let Some(content) = part(content, 1)? {
                schema(content, list.key(name))?;
            }
        }
        list.end();
    }
    let mut identities = List::object(object.key("resource_identity_schemas"));
    for (name, content) in resources {
        if let Some(content) = part(content, 2)? {
            identity(content, identities.key(name))?;
        }
    }
    identities.end();
    object.end();
    Ok(())
}

/// The last field with this number.
fn part(bytes: &[u8], number: u32) -> Result<Option<&[u8]>, Malformed> {
    let mut part = None;
    for field in Fields::of(bytes) {
        let (found, field) = field?;
        if found == number {
            part = Some(field.bytes());
        }
    }
    Ok(part)
}

fn schema(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
    let mut object = List::object(out);
    object.number("version", version(bytes)?);
    for field in Fields::of(bytes) {
        if let (2, field) = field? {
            block(field.bytes(), MAX_DEPTH, object.key("block"))?;
        }
    }
    object.end();
    Ok(())
}

/// The version of a schema. Version 0 is not written.
fn version(bytes: &[u8]) -> Result<u64, Malformed> {
    let mut version = 0;
    for field in Fields::of(bytes) {
        if let (1, field) = field? {
            version = field.number();
        }
    }
    Ok(version)
}

fn identity(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
    let mut object = List::object(out);
    object.number("version", version(bytes)?);
    for field in Fields::of(bytes) {
        if let (2, field) = field? {
            let all = fields(field.bytes(), 1)?;
            attributes(&all, MAX_DEPTH, &mut object)?;
        }
    }
    object.end();
    Ok(())
}

/// All fields with this number.
fn fields(bytes: &[u8], number: u32) -> Result<Vec<&[u8]>, Malformed> {
    let mut all = Vec::new();
    for field in Fields::of(bytes) {
        let (found, field) = field?;
        if found == number {
            all.push(field.bytes());
        }
    }
    Ok(all)
}

fn nesting(mode: u64) -> &'static str {
    match mode {
        1 => "single",
        2 => "group",
        3 => "list",
        4 => "set",
        5 => "map",
        _ => "invalid",
    }
}

/// Recurses at most `depth` levels.
fn block(bytes: &[u8], depth: usize, out: &mut Vec<u8>) -> Result<(), Malformed> {
    let depth = depth.checked_sub(1).ok_or(TOO_DEEP)?;
    let mut object = List::object(out);
    attributes(&fields(bytes, 1)?, depth, &mut object)?;
    let blocks = fields(bytes, 2)?;
    if !blocks.is_empty() {
        let mut list = List::object(object.key("block_types"));
        for bytes in blocks {
            let (mut name, mut content, mut mode, mut sizes) = ("", &[][..], 0, [0, 0]);
            for field in Fields::of(bytes) {
                match field? {
                    (1, field) => name = field.text()?,
                    (2, field) => content = field.bytes(),
                    (3, field) => mode = field.number(),
                    (4, field) => sizes[0] = field.number(),
                    (5, field) => sizes[1] = field.number(),
                    _ => {}
                }
            }
            let mut object = List::object(list.key(name));
            object.string("nesting_mode", nesting(mode));
            block(content, depth, object.key("block"))?;
            for (name, size) in [("min_items", sizes[0]), ("max_items", sizes[1])] {
                if size != 0 {
                    object.number(name, size);
                }
            }
            object.end();
        }
        list.end();
    }
    object.end();
    Ok(())
}

/// Recurses at most `depth` levels.
fn attributes(all: &[&[u8]], depth: usize, object: &mut List<'_>) -> Result<(), Malformed> {
    if all.is_empty() {
        return Ok(());
    }
    let mut list = List::object(object.key("attributes"));
    for bytes in all {
        let (mut name, mut ty, mut nested, mut flags) = ("", None, None, [false; 5]);
        for field in Fields::of(bytes) {
            match field? {
                (1, field) => name = field.text()?,
                (2, field) => ty = Some(field.text()?),
                (3, field) => nested = Some(field.bytes()),
                (number @ 4..=8, field) => flags[number as usize - 4] = field.number() != 0,
                _ => {}
            }
        }
        let mut attribute = List::object(list.key(name));
        if let Some(ty) = ty {
            let arena = Arena::new();
            if Document::parse_bytes(&arena, "type", ty.as_bytes()).is_err() {
                return Err(Malformed("the type of an attribute is invalid"));
            }
            push_json(attribute.key("type"), ty.as_bytes());
        }
        if let Some(bytes) = nested {
            let depth = depth.checked_sub(1).ok_or(TOO_DEEP)?;
            let mut nested = List::object(attribute.key("nested_type"));
            attributes(&fields(bytes, 1)?, depth, &mut nested)?;
            let mode = Fields::of(bytes).filter_map(Result::ok).filter(|(number, _)| *number == 2);
            let mode = mode.last().map_or(0, |(_, field)| field.number());
            nested.string("nesting_mode", nesting(mode));
            nested.end();
        }
        let names = ["required", "optional", "computed", "sensitive", "write_only"];
        for (name, flag) in names.into_iter().zip(flags) {
            if flag {
                attribute.bool(name, true);
            }
        }
        attribute.end();
    }
    list.end();
    Ok(())
}
