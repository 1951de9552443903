//! Converts the values of a plan file, one by one, to the output of `show -json`, and counts the
//! gaps.

use super::error::Malformed;
use super::gaps::Gaps;
use super::mark_paths::write_path;
use super::marks::Marks;
use super::message::DynamicValue;
use super::shape::{Cursor, Shapes, TypeShape, schema_kind};
use super::tool::Tool;
use super::tree::Place;
use super::value::{BySchema, Types, Value};
use crate::arena::Arena;
use crate::show::SchemaKind;

/// The context of the value that was read last.
#[derive(Clone, Copy)]
pub(super) struct Known<'k, 'a> {
    pub(super) schema: Option<TypeShape<'a>>,
    pub(super) provider: &'k str,
    pub(super) place: &'k Place<'a>,
}

/// Reads and writes values, and reuses its memory.
pub(super) struct Converter<'s, 'a> {
    pub(super) arena: &'a Arena,
    pub(super) shapes: &'s Shapes<'s, 'a>,
    pub(super) tool: Tool,
    /// How the tool marks values that are sensitive by their schema.
    by_schema: BySchema,
    pub(super) types: Types<'a>,
    pub(super) value: Value<'a>,
    pub(super) gaps: Gaps,
}

impl<'s, 'a> Converter<'s, 'a> {
    pub(super) fn new(arena: &'a Arena, shapes: &'s Shapes<'s, 'a>, tool: Tool) -> Self {
        let (types, value) = (Types::default(), Value::default());
        let by_schema = match tool {
            Tool::OpenTofu => BySchema::Elements,
            Tool::Terraform => BySchema::Sets,
        };
        Self { arena, shapes, tool, by_schema, types, value, gaps: Gaps::default() }
    }

    /// Writes the sensitive marks of the value that was read last.
    pub(super) fn write_sensitive(&self, marks: &Marks, out: &mut Vec<u8>) {
        self.value.write_sensitive(marks, self.by_schema, out);
    }

    /// The shape of the values of a resource type.
    pub(super) fn schema(&self, provider: &str, place: &Place<'a>) -> Option<TypeShape<'a>> {
        self.shapes.find(provider, schema_kind(place.mode()), place.resource_type())
    }

    /// Records the gaps of the value that was read last.
    pub(super) fn note(&mut self, known: Known<'_, 'a>) {
        let (doubts, guesses) = (self.value.doubts, self.value.guesses);
        if known.schema.is_some() && doubts + guesses == 0 {
            return;
        }
        let kind = match schema_kind(known.place.mode()) {
            SchemaKind::DataSource => "data source",
            SchemaKind::Ephemeral => "ephemeral resource",
            _ => "resource type",
        };
        let name = known.place.resource_type().to_owned();
        let gap = self.gaps.types.entry((known.provider.to_owned(), kind, name)).or_default();
        gap.instances += 1;
        gap.doubts += doubts;
        gap.guesses += guesses;
        if doubts + guesses > 0 && gap.first.is_empty() {
            known.place.text.clone_into(&mut gap.first);
        }
    }

    /// Records a resource that is left out because its address is invalid.
    pub(super) fn lose(&mut self, address: &str) {
        self.gaps.lost.push(address.to_owned());
    }

    pub(super) fn read(
        &mut self,
        msgpack: Option<&'a [u8]>,
        cursor: Cursor<'a>,
    ) -> Result<(), Malformed> {
        match msgpack {
            // A value without bytes is absent.
            Some(bytes) if !bytes.is_empty() => {
                self.value.read(self.arena, &mut self.types, bytes, cursor)
            }
            _ => {
                self.value.set_null();
                Ok(())
            }
        }
    }

    /// Writes the value of a variable.
    pub(super) fn variable(&mut self, bytes: &'a [u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        self.read(Some(DynamicValue::content(bytes)?), Cursor::DYNAMIC)?;
        self.value.write(out);
        Ok(())
    }

    /// Writes a path.
    pub(super) fn path(&mut self, bytes: &'a [u8], out: &mut Vec<u8>) -> Result<(), Malformed> {
        write_path(self.arena, &mut self.types, bytes, out)
    }
}

/// The full name of the provider in `module.a.provider["HOST/NAMESPACE/TYPE"].alias`.
pub(super) fn provider_name(text: &str) -> &str {
    let (_, quoted) = text.split_once("provider[\"").unwrap_or(("", text));
    quoted.split('"').next().unwrap_or(quoted)
}
