//! References: what a traversal of a configuration means to OpenTofu and Terraform.
//!
//! A [`Reference`] is read from a [`Traversal`](crate::native::Traversal) such as
//! `aws_instance.web[0].private_ip`. It has a [`Subject`] (the instance `aws_instance.web[0]`) and
//! the remaining steps (`.private_ip`). Only the form decides; the module knows whether the subject
//! is declared.
//!
//! The first name decides on the subject; a name that is not reserved is the type of a managed
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

/// A traversal, understood.
pub type Reference<'a> = LentReference<'a, 'a>;

/// A [`Reference`] whose traversal is lent for `'t`. [`LentReference::keep`] keeps it.
#[derive(Clone, Copy)]
pub struct LentReference<'t, 'a> {
    subject: Subject<'a>,
    traversal: LentTraversal<'t, 'a>,
    /// How many steps the subject takes.
    taken: usize,
}

/// What is referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Subject<'a> {
    /// `count.index`.
    Count(&'a str),
    /// `each.key`, `each.value`.
    Each(&'a str),
    /// `path.module`, `path.root`, `path.cwd`.
    Path(&'a str),
    /// `terraform.workspace`; the first name is the one that is written, `terraform` or `tofu`.
    Terraform(&'a str, &'a str),
    /// `var.name`.
    Variable(&'a str),
    /// `local.name`.
    Local(&'a str),
    /// `self`.
    Itself,
    /// `module.name`, all of its instances.
    ModuleCall(&'a str),
    /// `module.name["key"]`.
    ModuleInstance(&'a str, InstanceKey<'a>),
    /// `module.name.output`, `module.name["key"].output`.
    ModuleOutput {
        /// The name of the call.
        call: &'a str,
        /// Of which instance, if it says so.
        key: Option<InstanceKey<'a>>,
        /// The output.
        output: &'a str,
    },
    /// `aws_instance.web`, all of its instances.
    Resource(ResourceName<'a>),
    /// `aws_instance.web["key"]`, or anything of `aws_instance.web`.
    ResourceInstance(ResourceName<'a>, Option<InstanceKey<'a>>),
    /// `action.aws_lambda_invoke.warm`, or one of its instances (Terraform).
    Action(ActionName<'a>, Option<InstanceKey<'a>>),
}

/// How a resource is managed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// `resource`: created, changed and destroyed.
    Managed,
    /// `data`: read.
    Data,
    /// `ephemeral`: opened and closed, never stored.
    Ephemeral,
}

/// A resource within its module: `aws_instance.web`, `data.aws_ami.base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResourceName<'a> {
    /// How it is managed.
    pub mode: Mode,
    /// The resource type.
    pub resource_type: &'a str,
    /// Its name.
    pub name: &'a str,
}

/// Fewer calls of the hasher than a derived implementation makes: every reference is looked up by
/// such a name.
impl Hash for ResourceName<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(self.resource_type.as_bytes());
        state.write(self.name.as_bytes());
        // The length says where the type ends.
        state.write_usize(self.resource_type.len() << 2 | self.mode as usize);
    }
}

/// The key of one instance of a resource or module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstanceKey<'a> {
    /// By `count`.
    Number(i64),
    /// By `for_each`.
    String(&'a str),
}

impl Mode {
    /// `"managed"`, `"data"` or `"ephemeral"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Data => "data",
            Self::Ephemeral => "ephemeral",
        }
    }
}

impl<'a> Subject<'a> {
    /// The kind, as machines read it: `"resource"`, `"data"`, `"ephemeral"`, `"variable"`,
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
            },
        }
    }

    /// The resource, if it is one or an instance of one.
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

    /// What contains it: of an output the module or instance, of an instance the whole resource or
    /// module.
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
    /// What an absolute traversal refers to.
    ///
    /// # Errors
    /// The diagnostic that it refers to nothing, at the step where it goes wrong.
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

    /// What an absolute traversal refers to in Terraform: as [`Reference::of`], but the name
    /// `action` starts a reference to an action, and `tofu` is a resource type like any other.
    ///
    /// # Errors
    /// The diagnostic that it refers to nothing, at the step where it goes wrong.
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

    /// What is referred to.
    #[must_use]
    pub fn subject(self) -> Subject<'a> {
        self.subject
    }

    /// The whole traversal.
    #[must_use]
    pub fn traversal(self) -> LentTraversal<'t, 'a> {
        self.traversal
    }

    /// The same with its traversal in the arena.
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

    /// The name in `root.name`.
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
        let behind = 2 + usize::from(key.is_some());
        let (subject, taken) = match (steps.get(behind).map(|step| step.kind), key) {
            (None, None) => (Subject::ModuleCall(call), behind),
            (None, Some(key)) => (Subject::ModuleInstance(call, key), behind),
            (Some(StepKind::Attribute(output)), key) => {
                (Subject::ModuleOutput { call, key, output }, behind + 1)
            }
            _ => return Err(invalid(traversal, behind, "a module has outputs only")),
        };
        Ok(Self { subject, traversal, taken })
    }

    /// A resource whose type is step `at`.
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
            None => return Err(invalid_whole(traversal, MISSING_NAME)),
        };
        let resource = ResourceName { mode, resource_type, name };
        let behind = at + 2;
        let (subject, taken) = match steps.get(behind).map(|step| step.kind) {
            None => (Subject::Resource(resource), behind),
            Some(StepKind::Index(key)) => {
                let key = instance_key(traversal, behind, key)?;
                (Subject::ResourceInstance(resource, Some(key)), behind + 1)
            }
            Some(_) => (Subject::ResourceInstance(resource, None), behind),
        };
        Ok(Self { subject, traversal, taken })
    }
}

const MISSING_TYPE: &str = "the type and the name of a resource must follow";
const MISSING_NAME: &str = "the name of a resource must follow its type";

/// The key of an instance: an integer or a string.
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

/// The whole reference is too short to refer to anything.
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
