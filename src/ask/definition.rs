//! Definitions: the declarations of the object at a position.

use super::answers::{Answers, FileSpan, Owner};
use super::links::LinkTarget;
use super::named::PlaceIn;
#[cfg(feature = "packer")]
use super::named::TemplatePlace;
use super::variables;

impl<'t, 'a> Answers<'t, 'a> {
    /// The declarations of the object that is named at an offset: of a variable for an argument of a
    /// call, of an output for a reference to it, the first file of a module for its source. Empty if
    /// nothing is named there, or nothing declares it.
    ///
    /// Cost: the places of the module of the file, and of modules that it refers to; all are kept.
    #[must_use]
    pub fn definition(&self, file: &str, offset: u32) -> Vec<FileSpan> {
        let Some(entry) = self.entry(file) else { return Vec::new() };
        #[cfg(feature = "packer")]
        if let Owner::Template(template) = entry.owner {
            let places = self.template_places(template);
            let Some(object) = template_object(&places, file, offset) else { return Vec::new() };
            let declared = places.iter().filter(|it| it.is_declaration && it.object == object);
            return declared.map(|it| FileSpan::new(it.source, it.span)).collect();
        }
        // A name that an expression declares hides objects of the module.
        if let Some(name) = self.parsed(entry).and_then(|parsed| variables::at(parsed, offset)) {
            return vec![FileSpan::new(entry.source, name.declaration)];
        }
        if let Some(unit) = self.unit_in(entry)
            && let Some(declared) = self.unit_definition(unit, offset)
        {
            return declared;
        }
        if let Some(found) = self.place_at(entry, offset) {
            let named = self.named(found);
            if !named.is_empty() {
                return named.into_iter().flat_map(|it| self.declarations(it)).collect();
            }
            return self.passed(found);
        }
        let links = self.links(file);
        let link = links.into_iter().find(|it| it.span.start <= offset && offset <= it.span.end);
        match link.map(|link| link.target) {
            Some(LinkTarget::Module { file: Some(file), .. } | LinkTarget::File(file)) => {
                vec![FileSpan { file, span: crate::span::Span::at(0) }]
            }
            _ => Vec::new(),
        }
    }

    /// The call itself, for a place that names something of a module that is not known.
    fn passed(&self, found: PlaceIn) -> Vec<FileSpan> {
        use crate::facts::Target;
        let call = match self.places(found.module).target(&found.place) {
            Target::Output { call, .. } | Target::Within { object: call, .. } => call,
            _ => return Vec::new(),
        };
        let named = self.resolve(found.module, Target::Object(call));
        named.into_iter().flat_map(|it| self.declarations(it)).collect()
    }
}

/// The object of a template that is named at an offset.
#[cfg(feature = "packer")]
pub(super) fn template_object<'a>(
    places: &[TemplatePlace<'a>],
    file: &str,
    offset: u32,
) -> Option<crate::packer::Object<'a>> {
    let is_here = |it: &&TemplatePlace<'_>| {
        it.source.name() == file && it.span.start <= offset && offset <= it.span.end
    };
    places.iter().filter(is_here).min_by_key(|it| it.span.len()).map(|it| it.object)
}
