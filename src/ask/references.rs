//! References: all places that name the object at a position.

#[cfg(feature = "packer")]
use super::answers::Owner;
use super::answers::{Answers, FileSpan};
#[cfg(feature = "packer")]
use super::definition::template_object;
use super::named::{Named, name_of};
use super::variables;
use crate::facts::PlaceUse;
use crate::refactor::Beside;
use crate::span::Span;

/// A part of a file that names an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Reference {
    /// The bytes of the name alone, if it is written as it is; otherwise of the whole reference.
    pub name: FileSpan,
    /// The bytes of the whole reference.
    pub whole: Span,
    /// The reason why it names the object.
    pub usage: PlaceUse,
}

impl<'t, 'a> Answers<'t, 'a> {
    /// Everything that names the object at an offset, in its module and in the modules that call it,
    /// sorted by file and offset; with `declarations`, also where it is declared. In the other
    /// direction, an argument of a call is a reference to the variable of the called module.
    ///
    /// Cost: the places of the object's module and of those that call it; all are kept.
    #[must_use]
    pub fn references(&self, file: &str, offset: u32, declarations: bool) -> Vec<Reference> {
        let Some(entry) = self.entry(file) else { return Vec::new() };
        #[cfg(feature = "packer")]
        if let Owner::Template(template) = entry.owner {
            let places = self.template_places(template);
            let Some(object) = template_object(&places, file, offset) else { return Vec::new() };
            let named = places.iter().filter(|it| it.object == object);
            let mut found: Vec<_> = named
                .filter(|it| declarations || !it.is_declaration)
                .map(|it| Reference {
                    name: FileSpan::new(it.source, it.span),
                    whole: it.span,
                    usage: match it.is_declaration {
                        true => PlaceUse::Declaration,
                        false => PlaceUse::Value,
                    },
                })
                .collect();
            found.sort();
            return found;
        }
        if let Some(name) = self.parsed(entry).and_then(|parsed| variables::at(parsed, offset)) {
            let reference = |span, usage| Reference {
                name: FileSpan::new(entry.source, span),
                whole: span,
                usage,
            };
            let uses = name.uses.iter().map(|span| reference(*span, PlaceUse::Value));
            let declared = declarations.then(|| reference(name.declaration, PlaceUse::Declaration));
            return declared.into_iter().chain(uses).collect();
        }
        if let Some(unit) = self.unit_in(entry) {
            return self.unit_references(unit, offset, declarations);
        }
        let Some(found) = self.place_at(entry, offset) else { return Vec::new() };
        let named = self.named(found);
        let is_declared = !named.is_empty();
        let mut all: Vec<_> =
            named.into_iter().flat_map(|it| self.references_of(it, declarations)).collect();
        if !is_declared {
            // Nothing declares it: what else has the name in the module.
            let places = self.places(found.module);
            let alike = places.of_target(places.target(&found.place));
            all.extend(alike.map(|place| Reference {
                name: FileSpan { file: places.file(place).into(), span: name_of(place) },
                whole: place.span(),
                usage: place.usage(),
            }));
        }
        all.sort();
        all.dedup();
        all
    }

    /// The places in files beside the modules of the tree that name the object at an offset, sorted by file
    /// and offset. `beside` finds the files for an object.
    ///
    /// Cost: that of [`Self::definition`], and linear in these files.
    #[must_use]
    pub fn references_beside(
        &self,
        file: &str,
        offset: u32,
        beside: impl FnOnce(Named<'a>) -> Beside<'a>,
    ) -> Vec<FileSpan> {
        let Some(entry) = self.entry(file) else { return Vec::new() };
        let found = self.place_at(entry, offset).map(|found| self.named(found));
        let Some([named]) = found.as_deref() else { return Vec::new() };
        let mut places = Vec::new();
        for unit in beside(*named).units {
            let (names, others) = unit.names(named.object);
            let spans = names.into_iter().chain(others.iter().map(|label| label.span));
            places.extend(spans.map(|span| FileSpan::new(unit.file.source(), span)));
        }
        places.sort();
        places.dedup();
        places
    }

    /// Everything that names an object, sorted by file and offset.
    #[must_use]
    pub fn references_of(&self, named: Named<'a>, declarations: bool) -> Vec<Reference> {
        let found = self.places_of(named).into_iter().filter_map(|found| {
            let place = found.place;
            // Such a place does not have the name.
            let is_written = place.usage() != PlaceUse::Implied;
            let is_wanted = declarations || place.usage() != PlaceUse::Declaration;
            (is_written && is_wanted).then(|| Reference {
                name: FileSpan {
                    file: self.places(found.module).file(&place).into(),
                    span: name_of(&place),
                },
                whole: place.span(),
                usage: place.usage(),
            })
        });
        let mut found: Vec<_> = found.collect();
        found.sort();
        found.dedup();
        found
    }
}
