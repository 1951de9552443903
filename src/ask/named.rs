//! The objects that a place of a file names, in any module of the tree.

use super::answers::{Answers, Entry, FileSpan, Owner};
pub(super) use super::quotes::unquoted;
use crate::facts::{Place, PlaceUse, Places, Target};
use crate::hash::HashSet;
use crate::module::{Object, ProviderConfigName};
#[cfg(feature = "packer")]
use crate::packer;
use crate::source::Source;
use crate::span::Span;

/// An object of a module of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Named<'a> {
    /// The index of the module in [`Tree::modules`](crate::tree::Tree::modules).
    pub module: usize,
    /// The object.
    pub object: Object<'a>,
}

/// A part of a file that names an object, with its module.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceIn {
    pub(super) module: usize,
    pub(super) place: Place,
}

/// A part of a template of Packer that names an object.
#[cfg(feature = "packer")]
#[derive(Clone, Copy, Debug)]
pub(super) struct TemplatePlace<'a> {
    pub(super) object: packer::Object<'a>,
    pub(super) source: Source<'a>,
    pub(super) span: Span,
    pub(super) is_declaration: bool,
}

/// The number of modules on the way to a caller that are followed.
const MOST_CALLERS: usize = 10_000;

impl<'t, 'a> Answers<'t, 'a> {
    /// The place around an offset: the one whose name is there, or else the longest.
    pub(super) fn place_at(&self, entry: &Entry<'a>, offset: u32) -> Option<PlaceIn> {
        let Owner::Module(module) = entry.owner else { return None };
        let places = self.places(module);
        let around = places.at(entry.at, offset);
        let has_name = |place: &&&Place| {
            place.name().is_some_and(|name| name.start <= offset && offset <= name.end)
        };
        let whole = || {
            let written = around.iter().filter(|place| place.usage() != PlaceUse::Implied);
            written.clone().find(|place| !place.is_part()).or_else(|| written.clone().next())
        };
        let found = around.iter().find(has_name).or_else(whole);
        let place = **found.or_else(|| around.first())?;
        Some(PlaceIn { module, place })
    }

    /// The objects that a place of a module names. A provider configuration that comes from the
    /// callers may be several.
    pub(super) fn named(&self, found: PlaceIn) -> Vec<Named<'a>> {
        let places = self.places(found.module);
        self.resolve(found.module, places.target(&found.place))
    }

    /// The objects that a target in a module stands for.
    pub(super) fn resolve(&self, module: usize, target: Target<'_>) -> Vec<Named<'a>> {
        let declared = &self.module(module).module;
        let in_called = |call: u32, is_meant: &dyn Fn(Object<'a>) -> bool| {
            let called = self.called(module, call)?;
            let object = self.module(called).module.objects().find(|object| is_meant(*object))?;
            Some(Named { module: called, object })
        };
        match target {
            Target::Object(number) => {
                let object = declared.object(number);
                object.map(|object| Named { module, object }).into_iter().collect()
            }
            Target::Argument { call, name } => {
                in_called(call, &|it| matches!(it, Object::Variable(known) if known == name))
                    .into_iter()
                    .collect()
            }
            Target::Output { call, name } => {
                in_called(call, &|it| matches!(it, Object::Output(known) if known == name))
                    .into_iter()
                    .collect()
            }
            Target::Passed { call, name } => {
                let is_meant = |it| matches!(it, Object::Provider(known) if known == name);
                in_called(call, &is_meant).into_iter().collect()
            }
            Target::Within { object, address } => {
                self.within(module, object, address).into_iter().collect()
            }
            Target::Inherited(name) => self.inherited(module, name),
            _ => Vec::new(),
        }
    }

    /// The object at an address inside of a called module: `aws_instance.web`, `module.inner.x.y`.
    fn within(&self, module: usize, call: u32, address: &str) -> Option<Named<'a>> {
        let mut module = self.called(module, call)?;
        let mut rest = address;
        loop {
            let declared = &self.module(module).module;
            if let Some(object) = declared.objects().find(|object| object.to_string() == rest) {
                return Some(Named { module, object });
            }
            // Names of calls have no dots.
            let (name, inner) = rest.strip_prefix("module.")?.split_once('.')?;
            let call = declared.calls.iter().find(|call| call.name == name)?;
            module = self.module(module).called_by(Object::ModuleCall(call.name))?;
            rest = inner;
        }
    }

    /// The provider configurations of the callers that a module gets under a name.
    fn inherited(&self, module: usize, name: ProviderConfigName<'_>) -> Vec<Named<'a>> {
        let mut found = Vec::new();
        let mut seen: HashSet<(usize, String)> = HashSet::default();
        let mut open = vec![(module, name.local_name.to_owned(), name.alias.map(str::to_owned))];
        while let Some((module, local_name, alias)) = open.pop() {
            let name = ProviderConfigName::new(&local_name, alias.as_deref());
            if seen.len() > MOST_CALLERS || !seen.insert((module, name.to_string())) {
                continue;
            }
            let is_meant =
                |it: &Object<'a>| matches!(it, Object::Provider(known) if *known == name);
            if let Some(object) = self.module(module).module.objects().find(is_meant) {
                found.push(Named { module, object });
                continue;
            }
            for &(caller, number) in self.callers(module) {
                let declared = &self.module(caller).module;
                let Some(Object::ModuleCall(call)) = declared.object(number) else { continue };
                let Some(call) = declared.calls.get(call) else { continue };
                let passed = call.providers.iter().find(|pass| pass.inner.name() == name);
                match passed {
                    Some(pass) => {
                        let outer = pass.outer.name();
                        let alias = outer.alias.map(str::to_owned);
                        open.push((caller, outer.local_name.to_owned(), alias));
                    }
                    // The default configuration is passed on its own, if none is.
                    None if call.providers.is_empty() && name.alias.is_none() => {
                        open.push((caller, local_name.clone(), None));
                    }
                    None => {}
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// All places that name an object, in its module and in the modules that call it.
    ///
    /// Cost: the places of these modules, which are kept.
    pub(super) fn places_of(&self, named: Named<'a>) -> Vec<PlaceIn> {
        let Named { module, object } = named;
        let mut found = Vec::new();
        let mut add = |module: usize, places: &Places, target: Target<'_>| {
            found.extend(places.of_target(target).map(|&place| PlaceIn { module, place }));
        };
        let own = self.places(module);
        match self.module(module).module.object_number(object) {
            Some(number) => add(module, own, Target::Object(number)),
            None => match object {
                Object::Provider(name) => add(module, own, Target::Inherited(name)),
                _ => return found,
            },
        }
        for &(caller, call) in self.callers(module) {
            let target = match object {
                Object::Variable(name) => Target::Argument { call, name },
                Object::Output(name) => Target::Output { call, name },
                Object::Provider(name) => Target::Passed { call, name },
                _ => break,
            };
            add(caller, self.places(caller), target);
        }
        if matches!(object, Object::Resource(_) | Object::ModuleCall(_) | Object::Action(_)) {
            self.visit_addresses(module, object, |caller, call, address| {
                let target = Target::Within { object: call, address };
                add(caller, self.places(caller), target);
            });
        }
        found
    }

    /// Visits the addresses that an object has in the modules that call its module, directly or not:
    /// the module, the number of the call there, and the rest of the address.
    fn visit_addresses(
        &self,
        module: usize,
        object: Object<'a>,
        mut visit: impl FnMut(usize, u32, &str),
    ) {
        let mut open = vec![(module, object.to_string())];
        let mut seen: HashSet<(usize, String)> = HashSet::default();
        while let Some((called, address)) = open.pop() {
            for &(caller, call) in self.callers(called) {
                visit(caller, call, &address);
                let Some(outer) = self.module(caller).module.object(call) else { continue };
                let further = format!("{outer}.{address}");
                if seen.len() < MOST_CALLERS && seen.insert((caller, further.clone())) {
                    open.push((caller, further));
                }
            }
        }
    }

    /// The bytes that name an object where it is declared.
    pub(super) fn declarations(&self, named: Named<'a>) -> Vec<FileSpan> {
        let Some(number) = self.module(named.module).module.object_number(named.object) else {
            return Vec::new();
        };
        let places = self.places(named.module);
        let declared = places.of_target(Target::Object(number));
        let declared =
            declared.filter(|place| place.usage() == PlaceUse::Declaration && place.has_effect());
        let found: Vec<_> = declared
            .map(|place| FileSpan { file: places.file(place).into(), span: name_of(place) })
            .collect();
        if !found.is_empty() {
            return found;
        }
        // Parts of `terraform`, `moved` and others have no name.
        let label = self.module(named.module).module.declaration(named.object);
        label.map(|label| FileSpan::new(label.source, label.span)).into_iter().collect()
    }

    /// All places of a template of Packer: declarations, values of variables, then references in the
    /// order of the text.
    ///
    /// Cost: every string of the template is parsed.
    #[cfg(feature = "packer")]
    pub(super) fn template_places(&self, template: usize) -> Vec<TemplatePlace<'a>> {
        use packer::{Object, Subject};
        let template = &self.template(template).template;
        let mut found = Vec::new();
        let named = template
            .objects()
            .filter(|object| !matches!(object, Object::Build(_) | Object::Registry));
        for object in named {
            if let Some(label) = template.declaration(object) {
                let span = unquoted(label.span, label.source.bytes());
                let (source, is_declaration) = (label.source, true);
                found.push(TemplatePlace { object, source, span, is_declaration });
            }
        }
        for value in &template.assignments {
            let object = Object::Variable(value.name());
            let label = value.name_label();
            let span = unquoted(label.span, label.source.bytes());
            found.push(TemplatePlace { object, source: label.source, span, is_declaration: false });
        }
        template.visit_references(|_, reference| {
            let object = match reference.subject {
                Ok(Subject::Variable(name)) => Object::Variable(name),
                Ok(Subject::Local(name)) => Object::Local(name),
                Ok(Subject::Data(name)) => Object::Data(name),
                Ok(Subject::Source(name)) => Object::Source(name),
                _ => return,
            };
            let (source, span) = (reference.label.source, reference.label.span);
            found.push(TemplatePlace { object, source, span, is_declaration: false });
        });
        found
    }
}

/// The bytes that a place is known by: its name, or else all of it.
pub(super) fn name_of(place: &Place) -> Span {
    place.name().unwrap_or_else(|| place.span())
}
