//! One entry of `resource_changes`: what it is called and what happens to it.

use std::fmt::{self, Display};
use std::io::Write;

use crate::json::Json;
use crate::module::{Kind, Name};
use crate::words::SERVICES;

/// Changes in one module instance; the first ones are in the root module.
pub(super) const IN_MODULE: u64 = 50;

/// The action on a resource.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Nothing,
    Update,
    Create,
    Delete,
    DeleteCreate,
    CreateDelete,
    Read,
    Forget,
}

impl Action {
    pub(super) const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Nothing => &["no-op"],
            Self::Update => &["update"],
            Self::Create => &["create"],
            Self::Delete => &["delete"],
            Self::DeleteCreate => &["delete", "create"],
            Self::CreateDelete => &["create", "delete"],
            Self::Read => &["read"],
            Self::Forget => &["forget"],
        }
    }

    pub(super) const fn has_before(self) -> bool {
        !matches!(self, Self::Create | Self::Read)
    }

    pub(super) const fn has_after(self) -> bool {
        !matches!(self, Self::Delete | Self::Forget)
    }

    /// Whether values that the provider computes are unknown before the apply.
    pub(super) const fn is_new(self) -> bool {
        matches!(self, Self::Create | Self::DeleteCreate | Self::CreateDelete | Self::Read)
    }
}

/// One changed resource instance.
pub(super) struct Change {
    pub(super) index: u64,
    pub(super) kind: Kind,
    pub(super) name: Name,
    pub(super) action: Action,
    pub(super) key: Key,
    /// How many levels of modules the plan has.
    pub(super) depth: u64,
}

/// The instance key.
#[derive(Clone, Copy)]
pub(super) enum Key {
    None,
    Number(u64),
    Text(&'static str),
}

/// Which of the two states of a resource.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// The address of a module instance, none for the root.
pub(super) struct ModuleAddress {
    pub(super) module: u64,
    /// How many modules stand between it and the root.
    pub(super) level: u64,
}

impl Display for ModuleAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for module in self.module - self.level..=self.module {
            let service = SERVICES[module as usize % SERVICES.len()];
            let dot = if module == self.module { "" } else { "." };
            write!(f, "module.{service}_{module:04}[\"eu-central-1\"]{dot}")?;
        }
        Ok(())
    }
}

impl Change {
    pub(super) const fn module(&self) -> u64 {
        self.index / IN_MODULE
    }

    pub(super) fn is_data(&self) -> bool {
        self.action == Action::Read
    }
}

/// The address of a change below its module.
pub(super) struct Local<'c>(pub(super) &'c Change, pub(super) bool);

impl Display for Local<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(change, with_key) = self;
        if change.is_data() {
            f.write_str("data.")?;
        }
        write!(f, "{}.{}", change.kind.resource_type(), change.name)?;
        match change.key {
            Key::Number(number) if *with_key => write!(f, "[{number}]"),
            Key::Text(text) if *with_key => write!(f, "[\"{text}\"]"),
            _ => Ok(()),
        }
    }
}

impl Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.module() > 0 {
            let module = self.module();
            write!(f, "{}.", ModuleAddress { module, level: (module - 1) % self.depth })?;
        }
        Local(self, true).fmt(f)
    }
}

/// The argument that differs where a resource changes.
pub(super) const fn changed_attribute(kind: Kind) -> &'static str {
    match kind {
        Kind::Bucket => "force_destroy",
        Kind::Policy => "policy",
        Kind::SecurityGroup => "ingress",
        Kind::Database => "instance_class",
        Kind::Instance => "instance_type",
    }
}

/// Which values of a resource are secret.
pub(super) fn sensitive<W: Write + ?Sized>(w: &mut Json<'_, W>, change: &Change) {
    w.object(|w| {
        if change.kind == Kind::Database {
            w.plain("password", true);
        }
        w.member("tags", |_| ());
        w.member("tags_all", |_| ());
    });
}
