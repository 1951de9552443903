//! Answers about files of Terragrunt: the names of units, the variables and outputs of the modules that
//! they run, and the configurations that they include.

mod completion;
mod open;

use std::path::Path;

pub use self::open::ask_unit;
use super::answers::{Answers, Entry, FileSpan};
use super::expressions::{self, contains};
use super::hover::Hover;
use super::links::{Link, LinkTarget};
use super::markdown::code;
use super::named::Named;
use super::references::Reference;
use super::unit_file::UnitFile;
use super::unit_names::Name;
use crate::facts::PlaceUse;
use crate::native::Construct;
use crate::span::Span;
use crate::terragrunt::functions;

/// Where a name is declared in files of Terragrunt.
fn declared(unit: &UnitFile<'_>, name: &Name) -> Vec<FileSpan> {
    let declared = unit.declared(name).into_iter();
    declared.map(|(source, span)| FileSpan::new(source, span)).collect()
}

fn file_link(path: &Path) -> LinkTarget {
    LinkTarget::File(path.to_string_lossy().into())
}

impl<'t, 'a> Answers<'t, 'a> {
    /// The objects of modules that a name stands for.
    fn objects_of(&self, unit: &UnitFile<'a>, name: &Name) -> Option<Named<'a>> {
        let (module, wanted) = match name {
            Name::Input(name) => (unit.module()?, format!("var.{name}")),
            Name::Output(dependency, name) => {
                (unit.module_of(dependency)?, format!("output.{name}"))
            }
            _ => return None,
        };
        let mut objects = self.module(module).module.objects();
        let object = objects.find(|object| object.to_string() == wanted)?;
        Some(Named { module, object })
    }

    /// Where the name at an offset of a file of Terragrunt is declared; `None` if there is no name.
    pub(super) fn unit_definition(
        &self,
        unit: &UnitFile<'a>,
        offset: u32,
    ) -> Option<Vec<FileSpan>> {
        let name = &unit.at(offset)?.name;
        Some(match self.objects_of(unit, name) {
            Some(named) => self.declarations(named),
            None => declared(unit, name),
        })
    }

    /// Everything that names the same as an offset of a file of Terragrunt: in this file, and in the module that
    /// declares it.
    pub(super) fn unit_references(
        &self,
        unit: &UnitFile<'a>,
        offset: u32,
        declarations: bool,
    ) -> Vec<Reference> {
        let Some(at) = unit.at(offset) else { return Vec::new() };
        let reference = |name: FileSpan, usage| Reference { whole: name.span, name, usage };
        let alike = unit.places.iter().filter(|it| it.name == at.name && !it.is_declaration);
        let mut found: Vec<Reference> = alike
            .map(|it| reference(FileSpan::new(unit.file.source(), it.span), PlaceUse::Value))
            .collect();
        match self.objects_of(unit, &at.name) {
            Some(named) => found.extend(self.references_of(named, declarations)),
            None if declarations => {
                let all = declared(unit, &at.name).into_iter();
                found.extend(all.map(|it| reference(it, PlaceUse::Declaration)));
            }
            None => {}
        }
        found.sort();
        found.dedup();
        found
    }

    /// Describes the name at an offset of a file of Terragrunt.
    pub(super) fn unit_hover(
        &self,
        unit: &UnitFile<'a>,
        entry: &Entry<'a>,
        offset: u32,
    ) -> Option<Hover> {
        if let Some(hover) = self.unit_function(entry, offset) {
            return Some(hover);
        }
        let place = unit.at(offset)?;
        let mut hover = match self.objects_of(unit, &place.name) {
            Some(named) => Hover { declared: self.declarations(named), ..self.hover_object(named) },
            None => Hover {
                title: place.name.to_string().into(),
                declared: declared(unit, &place.name),
                ..Hover::default()
            },
        };
        hover.span = place.span;
        let path = |path: &Path| code(&path.to_string_lossy());
        match &place.name {
            Name::Block("dependency", name) => {
                let link = unit.links.dependencies.get(name)?;
                hover.notes.push(format!("unit: {}", path(&link.config)).into());
                if let Some(module) = &link.module {
                    hover.notes.push(format!("module: {}", path(module)).into());
                }
                if let Some(module) = unit.module_of(name) {
                    let outputs = self.module(module).module.outputs.len();
                    hover.notes.push(format!("{outputs} outputs").into());
                }
            }
            Name::Block("include", label) => {
                let file = unit.links.includes.get(label)?;
                hover.notes.push(format!("file: {}", path(file)).into());
            }
            Name::Input(_) | Name::Output(..) if hover.declared.is_empty() => {
                hover.notes.push("not declared, or the module is not read".into());
            }
            Name::Input(_) | Name::Output(..) => {
                let module = match &place.name {
                    Name::Output(dependency, _) => unit.module_of(dependency),
                    _ => unit.module(),
                };
                let module = module.and_then(|it| self.module(it).files.path.disk());
                hover.notes.extend(module.map(|it| format!("module: {}", path(it)).into()));
            }
            _ => {}
        }
        Some(hover)
    }

    /// The function of Terragrunt whose name is at an offset.
    fn unit_function(&self, entry: &Entry<'a>, offset: u32) -> Option<Hover> {
        let mut native = expressions::at(self.parsed(entry)?, offset)?;
        loop {
            if let Construct::Call(call) = native.construct()
                && contains(call.name_span, offset)
            {
                let signature = functions().find(|(name, _)| *name == call.name)?.1;
                return Some(Hover {
                    span: call.name_span,
                    title: signature.into(),
                    ..Hover::default()
                });
            }
            let parts = expressions::parts(native);
            native = *parts.iter().find(|part| contains(part.span(), offset))?;
        }
    }

    /// The links of a file of Terragrunt: to the units that it depends on, the files that it includes, and
    /// its module.
    pub(super) fn unit_links(&self, unit: &UnitFile<'a>) -> Vec<Link> {
        let mut found = Vec::new();
        let mut add = |span: Span, target: Option<LinkTarget>| {
            found.extend(target.map(|target| Link { span, target }));
        };
        for (block, span) in unit.texts("dependency", "config_path") {
            let link = block.label(0).and_then(|name| unit.links.dependencies.get(name));
            add(span, link.map(|link| file_link(&link.config)));
        }
        for (block, span) in unit.texts("include", "path") {
            let file = unit.links.includes.get(block.label(0).unwrap_or_default());
            add(span, file.map(|file| file_link(file)));
        }
        for (_, span) in unit.texts("terraform", "source") {
            add(span, unit.module().map(|module| self.link_to(module)));
        }
        found
    }
}
