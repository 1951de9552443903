//! Stacks of Terraform: what the files `.tfcomponent.hcl` (formerly `.tfstack.hcl`) and
//! `.tfdeploy.hcl` of a directory declare.
//!
//! [`Stack::read`] takes the parsed files of one directory, and returns the declared objects in
//! their order. The block types, their arguments, and how each argument is read are rows of one
//! table. [`Stack::check`] reports references to undeclared objects, and values of a deployment that
//! do not fit the variables.
//!
//! * A component calls a module, whose path is relative to the directory.
//! * A deployment gives the variables of the stack their values.
//! * The rules are those of Terraform's documentation; values are not computed.
//!
//! ```
//! use simd_hcl::dialect::List;
//! use simd_hcl::stacks::Stack;
//! use simd_hcl::{Arena, ParsedFile, Source};
//!
//! let arena = Arena::new();
//! let text = b"component \"web\" {\n  source = \"./web\"\n  inputs = { size = var.size }\n}\n";
//! let source = Source::from_bytes(&arena, "main.tfcomponent.hcl", text)?;
//! let file = ParsedFile::native(&arena, source);
//! let mut diagnostics = Vec::new();
//! let stack = Stack::read([(List::Component, file)], &mut diagnostics);
//! stack.check(&arena, false, &mut diagnostics);
//! assert_eq!(stack.objects[0].to_string(), "component.web");
//! assert_eq!(diagnostics[0].detail(), "\"var.size\" is not declared in this module.");
//! # Ok::<(), simd_hcl::source::SourceError>(())
//! ```

mod check;
mod read;
mod reference;
mod table;

use std::fmt;

pub use self::reference::{Reference, Subject};
pub use self::table::Kind;
use crate::body::{Attribute, Block};
use crate::diagnostic::Label;
use crate::hash::HashMap;

/// The declarations of a stack.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Stack<'a> {
    /// The objects, in the order of the files.
    pub objects: Vec<Object<'a>>,
    /// The indexes of named objects among them, and whether these are local values of deployments; of
    /// duplicates, that of the first.
    places: HashMap<(Subject<'a>, bool), usize>,
    /// Whether there are files of components, and of deployments.
    has_components: bool,
    has_deployments: bool,
}

/// An object of a stack.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Object<'a> {
    /// Its kind.
    pub kind: Kind,
    /// Its names: the labels of its block, or the name of a local value or a required provider.
    pub names: [&'a str; 2],
    /// The block that declares it, or has the attribute that does.
    pub block: Block<'a>,
    /// The attribute of a local value or a required provider.
    pub attribute: Option<Attribute<'a>>,
    /// Whether a file of deployments declares it, whose local values are its own.
    pub(crate) is_of_deployments: bool,
}

impl<'a> Object<'a> {
    /// The position of the declaration.
    #[must_use]
    pub fn label(&self) -> Label<'a> {
        match self.attribute {
            Some(attribute) => attribute.label(),
            None => self.block.definition_label(),
        }
    }

    /// Returns the subject that references to it name; `None` for an object without a name.
    #[must_use]
    pub fn subject(&self) -> Option<Subject<'a>> {
        self.kind.root().map(|_| Subject { kind: self.kind, names: self.names })
    }

    /// The value of an argument, as the block has it.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<Attribute<'a>> {
        match self.attribute {
            Some(attribute) => Some(attribute).filter(|it| it.is_named(name)),
            None => self.block.body().properties().find(|property| property.is_named(name)),
        }
    }
}

impl fmt::Display for Object<'_> {
    /// Writes the address within the stack: `component.web`, `provider.aws.this`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.root().unwrap_or(self.kind.block_type()))?;
        self.names.iter().filter(|name| !name.is_empty()).try_for_each(|name| write!(f, ".{name}"))
    }
}

impl<'a> Stack<'a> {
    /// The object that a reference names; of two local values, that of the components.
    #[must_use]
    pub fn get(&self, subject: Subject<'_>) -> Option<&Object<'a>> {
        let place = self.place(subject, false).or_else(|| self.place(subject, true))?;
        self.objects.get(place)
    }

    /// The index among [`Self::objects`] of the object that a reference names, in the files of
    /// deployments or those of components.
    fn place(&self, subject: Subject<'_>, in_deployments: bool) -> Option<usize> {
        let is_own = in_deployments && subject.kind == Kind::Local;
        self.places.get(&(subject, is_own)).copied()
    }

    /// The index of the object that a reference in another object names.
    pub(crate) fn place_from(&self, subject: Subject<'_>, from: usize) -> Option<usize> {
        self.place(subject, self.objects.get(from)?.is_of_deployments)
    }

    /// The objects of a kind, in order.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Object<'a>> {
        self.objects.iter().filter(move |object| object.kind == kind)
    }
}
