//! References: the meaning of a configuration's traversals in OpenTofu and Terraform.
//!
//! A [`Reference`] is read from a [`Traversal`](crate::native::Traversal) such as
//! `aws_instance.web[0].private_ip`. It has a [`Subject`] (the instance `aws_instance.web[0]`) and
//! the remaining steps (`.private_ip`). It only depends on the form of the traversal; the module
//! checks whether the subject is declared.
//!
//! The first name determines the subject; a name that is not reserved is the type of a managed
//! resource:
//!
//! | traversal | subject |
//! |---|---|
//! | `count.NAME`, `each.NAME`, `path.NAME`, `terraform.NAME`, `tofu.NAME` | an attribute of the object |
//! | `var.NAME`, `local.NAME` | a variable, a local value |
//! | `self` | the object itself |
//! | `module.NAME`, `module.NAME[KEY]`, `module.NAME[KEY]?.OUTPUT` | a call, one of its instances, an output |
//! | `data.TYPE.NAME`, `ephemeral.TYPE.NAME`, `resource.TYPE.NAME`, `TYPE.NAME` | a resource |
//! | the same, followed by `[KEY]` or anything else | an instance of the resource |
//!
//! ```
//! use simd_hcl::native::Native;
//! use simd_hcl::reference::Reference;
//! use simd_hcl::{Arena, Source};
//!
//! let arena = Arena::new();
//! let source = Source::from_bytes(&arena, "text", b"aws_instance.web[0].private_ip")?;
//! let traversal = Native::expression(&arena, source, &mut ()).variables().next().unwrap();
//! let reference = Reference::of(traversal.into()).unwrap();
//! assert_eq!(reference.subject().to_string(), "aws_instance.web[0]");
//! assert_eq!(reference.remaining().len(), 1);
//! # Ok::<(), simd_hcl::source::SourceError>(())
//! ```

mod action;
mod display;
mod quoted;

pub use self::action::ActionName;
pub(crate) use self::quoted::{Escaped, Quoted, write_name, write_template_name};

use std::hash::{Hash, Hasher};

use crate::diagnostic::{Code, Diagnostic, Label};
use crate::native::{Key, LentTraversal, Step, StepKind};
use crate::span::Span;
use crate::value::Number;

/// The meaning of a traversal.
pub type Reference<'a> = LentReference<'a, 'a>;

/// A [`Reference`] that borrows its traversal for `'t`. [`LentReference::keep`] moves it to the
/// arena.
///
/// ```
/// use simd_hcl::native::Native;
/// use simd_hcl::reference::Reference;
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "expression", b"aws_vpc.main[0].id")?;
/// let traversal = Native::expression(&arena, source, &mut ()).variables().next().unwrap();
/// let reference = Reference::of(traversal).unwrap();
/// assert_eq!(reference.subject().to_string(), "aws_vpc.main[0]");
/// assert_eq!(reference.remaining().len(), 1);
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy)]
pub struct LentReference<'t, 'a> {
    subject: Subject<'a>,
    traversal: LentTraversal<'t, 'a>,
    /// The number of steps of the subject.
    taken: usize,
}

/// The object that a reference refers to.
///
/// ```
/// use simd_hcl::native::Native;
/// use simd_hcl::reference::{Reference, Subject};
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "expression", b"module.net.vpc_id")?;
/// let traversal = Native::expression(&arena, source, &mut ()).variables().next().unwrap();
/// let reference = Reference::of(traversal).unwrap();
/// assert!(matches!(reference.subject(), Subject::ModuleOutput { call: "net", output: "vpc_id", .. }));
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject<'a> {
    /// `count.index`.
    Count(&'a str),
    /// `each.key`, `each.value`.
    Each(&'a str),
    /// `path.module`, `path.root`, `path.cwd`.
    Path(&'a str),
    /// `terraform.workspace`; the first name is `terraform` or `tofu`, as written.
    Terraform(&'a str, &'a str),
    /// `var.name`.
    Variable(&'a str),
    /// `local.name`.
    Local(&'a str),
    /// `self`.
    Itself,
    /// `module.name`: all its instances.
    ModuleCall(&'a str),
    /// `module.name["key"]`.
    ModuleInstance(&'a str, InstanceKey<'a>),
    /// `module.name.output`, `module.name["key"].output`.
    ModuleOutput {
        /// The name of the call.
        call: &'a str,
        /// The key, if the reference is to one instance.
        key: Option<InstanceKey<'a>>,
        /// The output.
        output: &'a str,
    },
    /// `aws_instance.web`: all its instances.
    Resource(ResourceName<'a>),
    /// `aws_instance.web["key"]`, or a part of `aws_instance.web`.
    ResourceInstance(ResourceName<'a>, Option<InstanceKey<'a>>),
    /// `action.aws_lambda_invoke.warm`, or one of its instances (Terraform).
    Action(ActionName<'a>, Option<InstanceKey<'a>>),
}

/// The mode of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// `resource`: created, changed and destroyed.
    Managed,
    /// `data`: read.
    Data,
    /// `ephemeral`: opened and closed, never stored.
    Ephemeral,
    /// `list`: a query of existing objects (Terraform).
    List,
}

/// A resource within its module: `aws_instance.web`, `data.aws_ami.base`.
///
/// ```
/// use simd_hcl::reference::{Mode, ResourceName};
///
/// let base = ResourceName { mode: Mode::Data, resource_type: "aws_ami", name: "base" };
/// assert_eq!(base.to_string(), "data.aws_ami.base");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResourceName<'a> {
    /// The mode.
    pub mode: Mode,
    /// The resource type.
    pub resource_type: &'a str,
    /// Its name.
    pub name: &'a str,
}

/// Calls the hasher less often than a derived implementation: every reference is looked up by such
/// a name.
impl Hash for ResourceName<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(self.resource_type.as_bytes());
        state.write(self.name.as_bytes());
        // The length separates the type from the name.
        state.write_usize(self.resource_type.len() << 2 | self.mode as usize);
    }
}

/// The key of an instance of a resource or module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstanceKey<'a> {
    /// An index, with `count`.
    Number(i64),
    /// A key, with `for_each`.
    String(&'a str),
}

impl Mode {
    /// `"managed"`, `"data"`, `"ephemeral"` or `"list"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Data => "data",
            Self::Ephemeral => "ephemeral",
            Self::List => "list",
        }
    }
}

impl<'a> Subject<'a> {
    /// The kind, for machine-readable output: `"resource"`, `"data"`, `"ephemeral"`, `"variable"`,
    /// `"local"`, `"module"`, `"action"`, `"each"`, `"count"`, `"path"`, `"terraform"` or `"self"`.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Count(_) => "count",
            Self::Each(_) => "each",
            Self::Path(_) => "path",
            Self::Terraform(..) => "terraform",
            Self::Variable(_) => "variable",
            Self::Local(_) => "local",
            Self::Itself => "self",
            Self::Action(..) => "action",
            Self::ModuleCall(_) | Self::ModuleInstance(..) | Self::ModuleOutput { .. } => "module",
            Self::Resource(resource) | Self::ResourceInstance(resource, _) => match resource.mode {
                Mode::Managed => "resource",
                Mode::Data => "data",
                Mode::Ephemeral => "ephemeral",
                Mode::List => "list",
            },
        }
    }

    /// The resource, if it is one or an instance of one.
    ///
    /// ```
    /// use simd_hcl::native::Native;
    /// use simd_hcl::reference::Reference;
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "expression", b"aws_vpc.main.id")?;
    /// let traversal = Native::expression(&arena, source, &mut ()).variables().next().unwrap();
    /// let reference = Reference::of(traversal).unwrap();
    /// assert_eq!(reference.subject().resource().unwrap().name, "main");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub const fn resource(self) -> Option<ResourceName<'a>> {
        match self {
            Self::Resource(resource) | Self::ResourceInstance(resource, _) => Some(resource),
            _ => None,
        }
    }

    /// The name of the module call, if it is one, or an instance or output of one.
    #[must_use]
    pub const fn module_call(self) -> Option<&'a str> {
        match self {
            Self::ModuleCall(name)
            | Self::ModuleInstance(name, _)
            | Self::ModuleOutput { call: name, .. } => Some(name),
            _ => None,
        }
    }

    /// The object that contains it: for an output the module or its instance, for an instance the
    /// whole resource or module.
    #[must_use]
    pub const fn container(self) -> Option<Self> {
        match self {
            Self::ModuleOutput { call, key: Some(key), .. } => {
                Some(Self::ModuleInstance(call, key))
            }
            Self::ModuleOutput { call, key: None, .. } => Some(Self::ModuleCall(call)),
            Self::ModuleInstance(call, _) => Some(Self::ModuleCall(call)),
            Self::ResourceInstance(resource, _) => Some(Self::Resource(resource)),
            _ => None,
        }
    }
}

impl<'t, 'a> LentReference<'t, 'a> {
    /// Returns the reference of an absolute traversal.
    ///
    /// # Errors
    /// The diagnostic that it refers to nothing, at the first invalid step.
    ///
    /// ```
    /// use simd_hcl::native::Native;
    /// use simd_hcl::reference::{Reference, Subject};
    /// use simd_hcl::{Arena, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "expression", b"var.size")?;
    /// let traversal = Native::expression(&arena, source, &mut ()).variables().next().unwrap();
    /// let reference = Reference::of(traversal).unwrap();
    /// assert!(matches!(reference.subject(), Subject::Variable(name) if name == "size"));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    pub fn of(traversal: LentTraversal<'t, 'a>) -> Result<Self, Diagnostic<'a>> {
        let root = traversal.root_name();
        let attribute = |make: fn(&'a str) -> Subject<'a>| {
            Ok(Self { subject: make(Self::attribute_of_root(traversal)?), traversal, taken: 2 })
        };
        match root {
            "count" => attribute(Subject::Count),
            "each" => attribute(Subject::Each),
            "path" => attribute(Subject::Path),
            "var" => attribute(Subject::Variable),
            "local" => attribute(Subject::Local),
            "terraform" | "tofu" => {
                let name = Self::attribute_of_root(traversal)?;
                Ok(Self { subject: Subject::Terraform(root, name), traversal, taken: 2 })
            }
            "self" => Ok(Self { subject: Subject::Itself, traversal, taken: 1 }),
            "module" => Self::of_module(traversal),
            "data" => Self::of_resource(traversal, Mode::Data, 1),
            "ephemeral" => Self::of_resource(traversal, Mode::Ephemeral, 1),
            "resource" => Self::of_resource(traversal, Mode::Managed, 1),
            "template" | "lazy" | "arg" => {
                Err(Diagnostic::new(Code::ReservedSymbol, traversal.step_label(0))
                    .with_arguments(&[root]))
            }
            _ => Self::of_resource(traversal, Mode::Managed, 0),
        }
    }

    /// Returns the reference of an absolute traversal in Terraform. Like [`Reference::of`], but the
    /// name `action` starts a reference to an action, and `tofu` is an ordinary resource type.
    ///
    /// # Errors
    /// The diagnostic that it refers to nothing, at the first invalid step.
    pub fn of_terraform(traversal: LentTraversal<'t, 'a>) -> Result<Self, Diagnostic<'a>> {
        match traversal.root_name() {
            "action" => {}
            "tofu" => return Self::of_resource(traversal, Mode::Managed, 0),
            _ => return Self::of(traversal),
        }
        let (action, key) = ActionName::of(traversal)?;
        let taken = 3 + usize::from(key.is_some());
        Ok(Self { subject: Subject::Action(action, key), traversal, taken })
    }

    /// Interprets a traversal that starts with the word `list` as a query, in a module that has some.
    ///
    /// # Errors
    /// The diagnostic that it is not one, at the first invalid step.
    pub(crate) fn of_list(traversal: LentTraversal<'t, 'a>) -> Result<Self, Diagnostic<'a>> {
        Self::of_resource(traversal, Mode::List, 1)
    }

    /// The object that it refers to.
    #[must_use]
    pub fn subject(self) -> Subject<'a> {
        self.subject
    }

    /// The whole traversal.
    #[must_use]
    pub fn traversal(self) -> LentTraversal<'t, 'a> {
        self.traversal
    }

    /// Returns the reference with its traversal moved to the arena.
    #[must_use]
    pub fn keep(self) -> Reference<'a> {
        Reference { subject: self.subject, traversal: self.traversal.keep(), taken: self.taken }
    }

    /// The steps after the subject.
    #[must_use]
    pub fn remaining(self) -> &'t [Step<'a>] {
        self.traversal.steps().get(self.taken..).unwrap_or_default()
    }

    /// The bytes of the whole traversal.
    #[must_use]
    pub fn span(self) -> Span {
        self.traversal.span()
    }

    /// The place of the whole traversal.
    #[must_use]
    pub fn label(self) -> Label<'a> {
        self.traversal.label()
    }

    /// Returns the name in `root.name`.
    fn attribute_of_root(traversal: LentTraversal<'t, 'a>) -> Result<&'a str, Diagnostic<'a>> {
        match traversal.steps().get(1).map(|step| step.kind) {
            Some(StepKind::Attribute(name)) => Ok(name),
            Some(_) => Err(invalid(traversal, 1, "this object has attributes only")),
            None => Err(invalid(traversal, 0, "an attribute of this object must follow")),
        }
    }

    fn of_module(traversal: LentTraversal<'t, 'a>) -> Result<Self, Diagnostic<'a>> {
        let call = Self::attribute_of_root(traversal)?;
        let steps = traversal.steps();
        let key = match steps.get(2).map(|step| step.kind) {
            Some(StepKind::Index(key)) => Some(instance_key(traversal, 2, key)?),
            _ => None,
        };
        let after = 2 + usize::from(key.is_some());
        let (subject, taken) = match (steps.get(after).map(|step| step.kind), key) {
            (None, None) => (Subject::ModuleCall(call), after),
            (None, Some(key)) => (Subject::ModuleInstance(call, key), after),
            (Some(StepKind::Attribute(output)), key) => {
                (Subject::ModuleOutput { call, key, output }, after + 1)
            }
            _ => return Err(invalid(traversal, after, "a module has outputs only")),
        };
        Ok(Self { subject, traversal, taken })
    }

    /// Reads a resource whose type is the step `at`.
    fn of_resource(
        traversal: LentTraversal<'t, 'a>,
        mode: Mode,
        at: usize,
    ) -> Result<Self, Diagnostic<'a>> {
        let steps = traversal.steps();
        if at > 0 && steps.len() < 3 {
            return Err(invalid_whole(traversal, MISSING_TYPE));
        }
        let resource_type = match steps.get(at).map(|step| step.kind) {
            Some(StepKind::Root(name) | StepKind::Attribute(name)) => name,
            Some(_) => return Err(invalid(traversal, at, "the type of a resource must follow")),
            None => return Err(invalid_whole(traversal, MISSING_TYPE)),
        };
        let name = match steps.get(at + 1).map(|step| step.kind) {
            Some(StepKind::Attribute(name)) => name,
            Some(_) => return Err(invalid(traversal, at + 1, MISSING_NAME)),
            None => return Err(invalid_whole(traversal, missing_name(traversal))),
        };
        let resource = ResourceName { mode, resource_type, name };
        let after = at + 2;
        let (subject, taken) = match steps.get(after).map(|step| step.kind) {
            None => (Subject::Resource(resource), after),
            Some(StepKind::Index(key)) => {
                let key = instance_key(traversal, after, key)?;
                (Subject::ResourceInstance(resource, Some(key)), after + 1)
            }
            Some(_) => (Subject::ResourceInstance(resource, None), after),
        };
        Ok(Self { subject, traversal, taken })
    }
}

const MISSING_TYPE: &str = "the type and the name of a resource must follow";
const MISSING_NAME: &str = "the name of a resource must follow its type";

/// Returns what is wrong with a name by itself.
fn missing_name(traversal: LentTraversal<'_, '_>) -> &'static str {
    let is_it = |word: &str| traversal.root_name().eq_ignore_ascii_case(word);
    match ["true", "false", "null"].into_iter().any(is_it) {
        true => "true, false and null are written in lower case",
        false if traversal.root_name() == "None" => "the value that is absent is null",
        false => MISSING_NAME,
    }
}

/// Returns the key of an instance: an integer or a string.
fn instance_key<'a>(
    traversal: LentTraversal<'_, 'a>,
    step: usize,
    key: Key<'a>,
) -> Result<InstanceKey<'a>, Diagnostic<'a>> {
    let key = match key {
        Key::String(name) => Some(InstanceKey::String(name)),
        Key::Number(text) => {
            let number = Number::from_literal(text).ok();
            number.and_then(|number| number.as_i64()).map(InstanceKey::Number)
        }
        Key::Bool(_) | Key::Null => None,
    };
    key.ok_or_else(|| Diagnostic::new(Code::InvalidIndexKey, traversal.step_label(step)))
}

/// Returns the diagnostic that the whole reference is too short.
#[cold]
fn invalid_whole<'a>(traversal: LentTraversal<'_, 'a>, why: &'static str) -> Diagnostic<'a> {
    Diagnostic::new(Code::InvalidReference, traversal.label())
        .with_arguments(&[traversal.root_name(), why])
}

#[cold]
fn invalid<'a>(traversal: LentTraversal<'_, 'a>, step: usize, why: &'static str) -> Diagnostic<'a> {
    Diagnostic::new(Code::InvalidReference, traversal.step_label(step))
        .with_arguments(&[traversal.root_name(), why])
}
