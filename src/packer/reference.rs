//! The subjects of references in templates.
//!
//! | reference | subject |
//! |---|---|
//! | `var.NAME`, `local.NAME`, `data.TYPE.NAME` | a variable, a local value, a data source |
//! | `var`, `local` | all variables, all local values |
//! | `source.type`, `source.name` | the source that a build works on |
//! | `build.NAME` | the machine that it has made |
//! | `path.cwd`, `path.root` | directories |
//! | `packer.version`, `packer.iterationID`, `packer.versionFingerprint` | Packer itself |
//! | `TYPE.NAME` in the sources of a build | a source |

use std::fmt;

use super::name::ObjectName;
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::native::{StepKind, Traversal};
use crate::suggest;

/// The roots of references.
const ROOTS: [&str; 7] = ["var", "local", "data", "source", "build", "path", "packer"];

/// An object of a template that can refer to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Object<'a> {
    /// A variable, which refers to others in its validations.
    Variable(&'a str),
    /// A local value.
    Local(&'a str),
    /// A data source.
    Data(ObjectName<'a>),
    /// A source.
    Source(ObjectName<'a>),
    /// A build, by its index among them, from 0.
    Build(usize),
    /// The `hcp_packer_registry` block at the root.
    Registry,
}

/// The subject of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject<'a> {
    /// `var` as a whole, or with a key: all variables.
    Variables,
    /// `local` as a whole, or with a key: all local values.
    Locals,
    /// `var.name`.
    Variable(&'a str),
    /// `local.name`.
    Local(&'a str),
    /// `data.type.name`.
    Data(ObjectName<'a>),
    /// A source that a build uses.
    Source(ObjectName<'a>),
    /// `source.name`, `source.type`: an attribute of the source that is being built.
    SourceAttribute(&'a str),
    /// `build.ID` and others: an attribute of the machine that is being built.
    Build(&'a str),
    /// `path.cwd`, `path.root`.
    Path(&'a str),
    /// `packer.version` and others.
    Packer(&'a str),
}

/// A reference of a template.
#[derive(Clone, Debug)]
pub struct Reference<'a> {
    /// The subject, or the diagnostic if the reference is invalid.
    pub subject: Result<Subject<'a>, Diagnostic<'a>>,
    /// The position of the reference.
    pub label: Label<'a>,
    pub(super) text: Text<'a>,
    pub(super) scope: Scope,
}

/// The place of a reference, which decides whether the source and the build are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// Local values, data sources, and values that `dynamic` repeats: the source is unknown, but
    /// references to it are allowed.
    Value,
    /// The body of a source, or of its use in a build: the source is known.
    Source,
    /// Arguments of builds and registries, which must be known.
    Argument,
    /// Arguments of provisioners and post-processors: the name of the build is known.
    StepArgument,
    /// Overrides of provisioners: the name of the build is known; the source is unknown, but
    /// references to it are allowed.
    Override,
    /// Bodies that provisioners and post-processors read: everything is known.
    Step,
}

impl Scope {
    /// Whether a reference to a subject is allowed here. Subjects other than the source and the
    /// build are allowed everywhere.
    #[must_use]
    pub fn knows(self, subject: Subject<'_>) -> bool {
        match subject {
            Subject::SourceAttribute(_) => !matches!(self, Self::Argument | Self::StepArgument),
            Subject::Build("name") => {
                matches!(self, Self::StepArgument | Self::Override | Self::Step)
            }
            Subject::Build(_) => self == Self::Step,
            _ => true,
        }
    }
}

/// The form of a reference.
#[derive(Clone, Copy, Debug)]
pub(super) enum Text<'a> {
    Traversal(Traversal<'a>),
    /// An element of a list of sources.
    Source(&'a str),
}

impl<'a> Reference<'a> {
    /// The traversal; `None` for a source in a list of a build.
    pub(crate) fn traversal(&self) -> Option<Traversal<'a>> {
        match self.text {
            Text::Traversal(traversal) => Some(traversal),
            Text::Source(_) => None,
        }
    }
}

impl fmt::Display for Reference<'_> {
    /// Writes the reference as it is in the source.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text {
            Text::Traversal(traversal) => traversal.fmt(f),
            Text::Source(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "var.{name}"),
            Self::Local(name) => write!(f, "local.{name}"),
            Self::Data(name) => write!(f, "data.{name}"),
            Self::Source(name) => write!(f, "source.{name}"),
            Self::Build(place) => write!(f, "build[{place}]"),
            Self::Registry => f.write_str("hcp_packer_registry"),
        }
    }
}

impl fmt::Display for Subject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variables => f.write_str("var"),
            Self::Locals => f.write_str("local"),
            Self::Variable(name) => write!(f, "var.{name}"),
            Self::Local(name) => write!(f, "local.{name}"),
            Self::Data(name) => write!(f, "data.{name}"),
            Self::Source(name) => write!(f, "source.{name}"),
            Self::SourceAttribute(name) => write!(f, "source.{name}"),
            Self::Build(name) => write!(f, "build.{name}"),
            Self::Path(name) => write!(f, "path.{name}"),
            Self::Packer(name) => write!(f, "packer.{name}"),
        }
    }
}

impl<'a> Subject<'a> {
    /// The kind, for machines: `"variable"`, `"local"`, `"data"`, `"source"`, `"build"`, `"path"`
    /// or `"packer"`.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Variable(_) | Self::Variables => "variable",
            Self::Local(_) | Self::Locals => "local",
            Self::Data(_) => "data",
            Self::Source(_) | Self::SourceAttribute(_) => "source",
            Self::Build(_) => "build",
            Self::Path(_) => "path",
            Self::Packer(_) => "packer",
        }
    }

    /// The subject of a traversal.
    ///
    /// # Errors
    /// The traversal refers to nothing. The diagnostic is at the first invalid step.
    pub fn of(traversal: Traversal<'a>) -> Result<Self, Diagnostic<'a>> {
        let steps = traversal.steps();
        let name = |at: usize, why| match steps.get(at).map(|step| step.kind) {
            Some(StepKind::Attribute(name)) => Ok(name),
            Some(_) => Err(invalid(traversal, at, why)),
            None => Err(invalid(traversal, at - 1, why)),
        };
        let root = traversal.root_name();
        let one_of = |known: &[&'static str]| {
            let attribute = name(1, "an attribute of this object must follow")?;
            if known.contains(&attribute) {
                return Ok(attribute);
            }
            Err(Diagnostic::new(Code::UnknownAttribute, traversal.step_label(1))
                .with_arguments(&[root, attribute])
                .with_suggestion(suggest::nearest(attribute, known.iter().copied())))
        };
        match root {
            // Both are plain objects.
            "var" => Ok(name(1, "").map_or(Self::Variables, Self::Variable)),
            "local" => Ok(name(1, "").map_or(Self::Locals, Self::Local)),
            "data" => {
                const WHY: &str = "the type and the name of a data source must follow";
                Ok(Self::Data(ObjectName { object_type: name(1, WHY)?, name: name(2, WHY)? }))
            }
            "source" => Ok(Self::SourceAttribute(one_of(&["type", "name"])?)),
            "build" => Ok(Self::Build(name(1, "an attribute of this object must follow")?)),
            "path" => Ok(Self::Path(one_of(&["cwd", "root"])?)),
            "packer" => {
                Ok(Self::Packer(one_of(&["version", "iterationID", "versionFingerprint"])?))
            }
            _ => Err(Diagnostic::new(Code::UnknownVariable, traversal.step_label(0))
                .with_arguments(&[root])
                .with_suggestion(suggest::nearest(root, ROOTS))),
        }
    }
}

#[cold]
fn invalid<'a>(traversal: Traversal<'a>, step: usize, why: &'static str) -> Diagnostic<'a> {
    Diagnostic::new(Code::InvalidReference, traversal.step_label(step))
        .with_arguments(&[traversal.root_name(), why])
}
