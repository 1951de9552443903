//! The names in fixed sets of the format. Unknown names remain readable.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::field::Read;
use super::shape::{Inside, Shape};
use crate::json::{Array, Node};

macro_rules! names {
    ($($(#[$doc:meta])* $type:ident {
        $($(#[$variant_doc:meta])* $variant:ident $name:literal,)*
    })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $type<'a> {
            $($(#[$variant_doc])* $variant,)*
            /// A name that is not in this list.
            Other(&'a str),
        }

        impl<'a> $type<'a> {
            /// The value that the name means.
            #[must_use]
            pub fn of(name: &'a str) -> Self {
                match name {
                    $($name => Self::$variant,)*
                    _ => Self::Other(name),
                }
            }

            /// The name.
            #[must_use]
            pub fn name(self) -> &'a str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Other(name) => name,
                }
            }
        }

        impl fmt::Display for $type<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl<'a> Read<'a> for $type<'a> {
            fn read(node: Node<'a>) -> Option<Self> {
                let string = node.as_string()?;
                // Most names have no escape, so that nothing is decoded.
                Some(Self::of(if string.is_escaped() { string.to_str() } else { string.raw() }))
            }

            fn shape() -> Shape {
                Shape::new("a string", |node| node.is_string())
            }
        }
    )* };
}

names! {
    /// The kind of a resource.
    ResourceMode {
        /// Created, updated and deleted.
        Managed "managed",
        /// Read only.
        Data "data",
        /// Opened while a command runs.
        Ephemeral "ephemeral",
    }

    /// One step of a change to an object.
    Action {
        /// No change.
        NoOp "no-op",
        /// Creates it.
        Create "create",
        /// Reads a data source.
        Read "read",
        /// Changes it in place.
        Update "update",
        /// Destroys it.
        Delete "delete",
        /// Removes it from the state without destroying it.
        Forget "forget",
        /// Opens an ephemeral resource.
        Open "open",
    }

    /// The reason for an action.
    ActionReason {
        /// A changed argument cannot be changed in place.
        ReplaceBecauseCannotUpdate "replace_because_cannot_update",
        /// It is marked as tainted.
        ReplaceBecauseTainted "replace_because_tainted",
        /// The user asked for it.
        ReplaceByRequest "replace_by_request",
        /// `replace_triggered_by` asked for it.
        ReplaceByTriggers "replace_by_triggers",
        /// The configuration no longer has the block.
        DeleteBecauseNoResourceConfig "delete_because_no_resource_config",
        /// The kind of key does not fit `count` and `for_each`.
        DeleteBecauseWrongRepetition "delete_because_wrong_repetition",
        /// `count` is smaller now.
        DeleteBecauseCountIndex "delete_because_count_index",
        /// `for_each` no longer has the key.
        DeleteBecauseEachKey "delete_because_each_key",
        /// The module instance is gone.
        DeleteBecauseNoModule "delete_because_no_module",
        /// The target of its move does not exist.
        DeleteBecauseNoMoveTarget "delete_because_no_move_target",
        /// `enabled` is false.
        DeleteBecauseEnabledFalse "delete_because_enabled_false",
        /// The configuration is not known yet.
        ReadBecauseConfigUnknown "read_because_config_unknown",
        /// An object that it depends on changes.
        ReadBecauseDependencyPending "read_because_dependency_pending",
        /// It is part of a check.
        ReadBecauseCheckNested "read_because_check_nested",
        /// The state says not to destroy it.
        ForgotBecauseLifecycleDestroyInState "forgot_because_lifecycle_destroy_in_state",
        /// The configuration says not to destroy it.
        ForgotBecauseLifecycleDestroyInConfig "forgot_because_lifecycle_destroy_in_config",
    }

    /// The kind of object that has a check.
    CheckKind {
        /// Conditions of a resource.
        Resource "resource",
        /// Conditions of an output.
        OutputValue "output_value",
        /// A `check` block.
        Check "check",
        /// Validation of a variable.
        Variable "var",
    }

    /// The result of a check.
    CheckStatus {
        /// All conditions hold.
        Pass "pass",
        /// A condition does not hold.
        Fail "fail",
        /// A condition could not be evaluated.
        Error "error",
        /// It is not known yet.
        Unknown "unknown",
    }

    /// The nesting of the blocks of a type.
    NestingMode {
        /// At most one; null if there is none.
        Single "single",
        /// One, never null.
        Group "group",
        /// A sequence.
        List "list",
        /// A set.
        Set "set",
        /// By one label.
        Map "map",
    }

    /// The format of a description.
    DescriptionKind {
        /// Plain text.
        Plain "plain",
        /// In Markdown.
        Markdown "markdown",
    }

    /// The reason why a change is deferred.
    DeferredReason {
        /// No particular reason.
        Unknown "unknown",
        /// `count` or `for_each` is not known yet.
        InstanceCountUnknown "instance_count_unknown",
        /// The configuration is not known yet.
        ResourceConfigUnknown "resource_config_unknown",
        /// The provider's configuration is not known yet.
        ProviderConfigUnknown "provider_config_unknown",
        /// An object that it depends on is deferred.
        DeferredPrereq "deferred_prereq",
        /// An object that it depends on does not exist.
        AbsentPrereq "absent_prereq",
    }
}

/// The actions on an object, in order.
///
/// Compared by name, so `["delete","create"]` and `["create","delete"]` differ.
#[derive(Clone, Copy, Debug)]
pub struct Actions<'a> {
    first: Option<Action<'a>>,
    second: Option<Action<'a>>,
    /// All actions, if there are more than two, which no tool writes.
    all: Option<Array<'a>>,
}

impl PartialEq for Actions<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().map(Action::name).eq(other.iter().map(Action::name))
    }
}

impl Eq for Actions<'_> {}

impl Hash for Actions<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for action in self.iter() {
            action.name().hash(state);
        }
    }
}

/// The kind of a change, by its list of actions.
///
/// ```
/// use simd_hcl::show::ActionKind;
///
/// assert_eq!(ActionKind::Create.name(), "create");
/// assert!(ActionKind::ALL.contains(&ActionKind::Replace));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// `create`
    Create,
    /// `read`
    Read,
    /// `update`
    Update,
    /// `delete`
    Delete,
    /// `delete` and `create`, in either order.
    Replace,
    /// `no-op`
    NoOp,
    /// `forget`
    Forget,
    /// `forget` and `create`, in either order.
    ReplaceForget,
    /// Anything else, including the empty list.
    Other,
}

impl ActionKind {
    /// All kinds, in the order of summaries.
    pub const ALL: [Self; 9] = [
        Self::Create,
        Self::Read,
        Self::Update,
        Self::Delete,
        Self::Replace,
        Self::NoOp,
        Self::Forget,
        Self::ReplaceForget,
        Self::Other,
    ];

    /// The name in summaries.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Read => "read",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Replace => "replace",
            Self::NoOp => "no_op",
            Self::Forget => "forget",
            Self::ReplaceForget => "replace_forget",
            Self::Other => "other",
        }
    }

    /// The kind of this name; `-` is read as `_`.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let is_same = |kind: &Self| {
            let names = kind.name().bytes().zip(name.bytes());
            kind.name().len() == name.len()
                && names
                    .into_iter()
                    .all(|(known, given)| known == given || (known, given) == (b'_', b'-'))
        };
        Self::ALL.into_iter().find(is_same)
    }
}

impl<'a> Actions<'a> {
    /// No action.
    pub const NONE: Self = Self { first: None, second: None, all: None };

    /// The actions, in order.
    pub fn iter(self) -> impl Iterator<Item = Action<'a>> {
        let more = self.all.into_iter().flat_map(|all| all.elements().filter_map(Action::read));
        [self.first, self.second].into_iter().flatten().chain(more.skip(2))
    }

    /// Whether the action is one of them.
    #[must_use]
    pub fn contains(self, action: Action<'_>) -> bool {
        self.iter().any(|one| one.name() == action.name())
    }

    /// The kind of change.
    #[must_use]
    pub fn kind(self) -> ActionKind {
        use Action::{Create, Delete, Forget, NoOp, Read, Update};
        if self.all.is_some() {
            return ActionKind::Other;
        }
        match (self.first, self.second) {
            (Some(NoOp), None) => ActionKind::NoOp,
            (Some(Create), None) => ActionKind::Create,
            (Some(Read), None) => ActionKind::Read,
            (Some(Update), None) => ActionKind::Update,
            (Some(Delete), None) => ActionKind::Delete,
            (Some(Forget), None) => ActionKind::Forget,
            (Some(Delete), Some(Create)) | (Some(Create), Some(Delete)) => ActionKind::Replace,
            (Some(Forget), Some(Create)) | (Some(Create), Some(Forget)) => {
                ActionKind::ReplaceForget
            }
            _ => ActionKind::Other,
        }
    }

    /// The actions at the start of the text of a `change` or of an `actions` array, if they are in
    /// the form of the tools: the first member, without escapes. Opens nothing.
    pub(crate) fn at_start(mut text: &'a [u8]) -> Option<Self> {
        if let Some(change) = token(text, b"{") {
            text = token(token(change, b"\"actions\"")?, b":")?;
        }
        text = token(text, b"[")?;
        let mut actions = Self::NONE;
        loop {
            text = token(text, b"\"")?;
            let len = memchr::memchr2(b'"', b'\\', text)?;
            let name = text.get(..len).filter(|_| text.get(len) == Some(&b'"'))?;
            if actions.push(Action::of(std::str::from_utf8(name).ok()?)).is_err() {
                return None;
            }
            text = &text[len + 1..];
            match token(text, b",") {
                Some(rest) => text = rest,
                None => return token(text, b"]").map(|_| actions),
            }
        }
    }

    /// Adds an action. Fails if there are two already.
    fn push(&mut self, action: Action<'a>) -> Result<(), Action<'a>> {
        match (self.first, self.second) {
            (None, _) => self.first = Some(action),
            (_, None) => self.second = Some(action),
            _ => return Err(action),
        }
        Ok(())
    }
}

/// The text after a leading `token`, without white space around the token; `None` if the text does
/// not start with it.
pub(crate) fn token<'t>(text: &'t [u8], token: &[u8]) -> Option<&'t [u8]> {
    let rest = text.trim_ascii_start().strip_prefix(token)?;
    Some(if token == b"\"" { rest } else { rest.trim_ascii_start() })
}

impl<'a> Read<'a> for Actions<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let array = node.as_array()?;
        if let Some(actions) = Self::at_start(node.text()) {
            return Some(actions);
        }
        let mut actions = Self::NONE;
        for action in array.elements().filter_map(Action::read) {
            if actions.push(action).is_err() {
                actions.all = Some(array);
                break;
            }
        }
        Some(actions)
    }

    fn shape() -> Shape {
        Shape::new("an array", |node| node.is_array()).with(Inside::Each(Action::shape))
    }
}
