//! Renames the object that is named at a position.

use super::answers::{Answers, FileSpan};
use super::named::{Named, name_of};
use super::variables;
use crate::directory::DecodeOptions;
use crate::edit::Edit;
use crate::facts::PlaceUse;
use crate::refactor::{Beside, Change, Refusal, rename};

/// The edits of a rename.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Renamed {
    /// The files that change, by name, with their edits in order.
    pub files: Vec<(Box<str>, Vec<Edit>)>,
    /// The places that have the old name and are not changed, with the reason.
    pub not_changed: Vec<(FileSpan, Box<str>)>,
    /// Files that could not be read or may mean another object: the path, and why.
    pub incomplete: Vec<(Box<str>, String)>,
}

impl<'t, 'a> Answers<'t, 'a> {
    /// The name at an offset that can be changed; `None` if there is none.
    #[must_use]
    pub fn renamable(&self, file: &str, offset: u32) -> Option<FileSpan> {
        let entry = self.entry(file)?;
        if let Some(name) = variables::at(self.parsed(entry)?, offset) {
            let here = name.uses.iter().find(|span| span.start <= offset && offset <= span.end);
            return Some(FileSpan::new(entry.source, *here.unwrap_or(&name.declaration)));
        }
        let found = self.place_at(entry, offset)?;
        self.one(self.named(found))?;
        let is_written = found.place.usage() != PlaceUse::Implied && found.place.name().is_some();
        is_written.then(|| FileSpan::new(entry.source, name_of(&found.place)))
    }

    /// The edits that rename the object that is named at an offset: those of [`rename::plan`], or
    /// of a name that `for` declares.
    ///
    /// # Errors
    /// Nothing there can be renamed, or the name is not free: see [`Refusal`].
    pub fn rename(
        &self,
        file: &str,
        offset: u32,
        name: &str,
        options: &DecodeOptions,
        has_moved: bool,
    ) -> Result<Renamed, Refusal> {
        self.rename_with((file, offset), name, options, has_moved, |_| Beside::default(), |_| false)
    }

    /// Like [`rename`](Self::rename), also in files that no module of the tree has, which `beside` finds
    /// for an object. `is_applied` says whether the tools may have done what a `moved` block says that a
    /// change takes back: the block then says the reverse.
    ///
    /// # Errors
    /// As for [`rename`](Self::rename).
    pub fn rename_with(
        &self,
        (file, offset): (&str, u32),
        name: &str,
        options: &DecodeOptions,
        has_moved: bool,
        beside: impl FnOnce(Named<'a>) -> Beside<'a>,
        is_applied: impl FnOnce(&Change<'a>) -> bool,
    ) -> Result<Renamed, Refusal> {
        let nothing =
            || Refusal::Unsupported("nothing that can be renamed is named here".to_owned());
        let entry = self.entry(file).ok_or_else(nothing)?;
        if let Some(variable) = self.parsed(entry).and_then(|it| variables::at(it, offset)) {
            if !crate::expression::is_identifier(name) {
                return Err(Refusal::Name(format!("`{name}` is not a name")));
            }
            if variable.declaration.slice(entry.source.bytes()) == name.as_bytes() {
                return Ok(Renamed::default());
            }
            if !variable.is_free(name) {
                return Err(Refusal::Name(format!("`{name}` has another meaning there")));
            }
            let mut spans: Vec<_> = variable.uses;
            spans.push(variable.declaration);
            spans.sort_unstable_by_key(|span| span.start);
            let edits = spans.into_iter().map(|span| Edit::new(span, name)).collect();
            let files = vec![(entry.source.name().into(), edits)];
            return Ok(Renamed { files, ..Renamed::default() });
        }
        let found = self.place_at(entry, offset).ok_or_else(nothing)?;
        let named = self.one(self.named(found)).ok_or_else(nothing)?;
        let Beside { values, units, gaps, refused } = beside(named);
        if let Some(why) = refused {
            return Err(Refusal::Unsupported(why));
        }
        let request = rename::Request::new(named.module, named.object, name);
        let request = request.with_moved(has_moved).with_values(&values).with_units(&units);
        let mut change = rename::plan(self.tree, options, &request)?;
        if is_applied(&change) {
            change = rename::plan(self.tree, options, &request.with_applied(true))?;
        }
        let files = change.files.iter().map(|changed| {
            let name = changed.source.name().into();
            (name, changed.edited.edits().iter().cloned().collect())
        });
        let not_changed = change.not_changed.iter().map(|not| {
            (FileSpan::new(not.label.source, not.label.span), not.why.to_string().into())
        });
        let not_changed = not_changed.collect();
        Ok(Renamed { files: files.collect(), not_changed, incomplete: gaps })
    }

    /// The object that a name stands for, if it is one and can be renamed.
    fn one(&self, named: Vec<Named<'a>>) -> Option<Named<'a>> {
        let [named] = named.as_slice() else { return None };
        rename::name_of_object(named.object).map(|_| *named)
    }
}
