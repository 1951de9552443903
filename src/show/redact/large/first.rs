//! The first pass: the skeleton, and the marks of all changes. The kind of the document is not known
//! yet.

use super::interned::Interned;
use super::origin::{Kind, Origin, PLACEHOLDER};
use super::pieces::{Piece, Refusal};
use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::hash::HashSet;
use crate::json::Node;
use crate::show::config::ConfigResource;
use crate::show::field::Read;
use crate::show::plan::{RelevantAttribute, ResourceChange};
use crate::show::redact::hints::may_mark;
use crate::show::redact::instances::Instances;
use crate::show::redact::marked::Marked;
use crate::show::state::{RawResource, Resource};

/// The result of the first pass.
pub(super) struct First<'t> {
    pub(super) interned: Interned<'t>,
    pub(super) instances: Instances<'t>,
    pub(super) skeleton: Vec<u8>,
    /// Where texts of the skeleton start: there, and in the input.
    pub(super) starts: Vec<(u32, u64)>,
    /// Modes and types of values with marks.
    pub(super) kinds: HashSet<(&'t str, &'t str)>,
    /// Whether a mark comes after the configuration.
    pub(super) is_late: bool,
    has_configuration: bool,
    /// The kinds of documents that the records do not fit.
    malformed: Vec<Kind>,
}

/// Whether an entry has the shape of its type.
pub(super) fn has_shape<'a, T: Read<'a>>(root: Node<'a>) -> bool {
    is_right(|sink| T::shape().check_with_names(root, sink))
}

/// Whether a check found nothing wrong.
pub(super) fn is_right<'a>(check: impl FnOnce(&mut dyn Sink<'a>)) -> bool {
    let mut found: Vec<Diagnostic<'a>> = Vec::new();
    check(&mut found);
    found.iter().all(|diagnostic| diagnostic.severity() != Severity::Error)
}

impl<'t> First<'t> {
    pub(super) fn new(arena: &'t Arena) -> Self {
        Self {
            interned: Interned::new(arena),
            instances: Instances::new(None, true),
            skeleton: Vec::new(),
            starts: Vec::new(),
            kinds: HashSet::default(),
            is_late: false,
            has_configuration: false,
            malformed: Vec::new(),
        }
    }

    /// Whether a record does not have the shape of its type in a document of this kind.
    pub(super) fn is_malformed(&self, kind: Kind) -> bool {
        self.malformed.contains(&kind)
    }

    pub(super) fn piece(&mut self, piece: Piece<'_>) -> Result<(), Refusal> {
        match piece {
            Piece::Gap(_) => Ok(()),
            Piece::Skeleton { text, at, byte } => {
                self.skeleton.extend_from_slice(text);
                self.starts.push((at, byte));
                Ok(())
            }
            Piece::Record(record, origin, at) => {
                if self.skeleton.len() <= at as usize {
                    self.skeleton.extend_from_slice(PLACEHOLDER);
                }
                self.record(origin, record.document().root())
            }
        }
    }

    fn record(&mut self, origin: Origin, root: Node<'_>) -> Result<(), Refusal> {
        match origin {
            Origin::Changes | Origin::Drift => {
                self.is_late |= self.has_configuration;
                self.change(origin == Origin::Changes, root)
            }
            Origin::Planned | Origin::Prior => {
                self.is_late |= self.has_configuration;
                self.value(root);
                Ok(())
            }
            Origin::Configuration => {
                self.has_configuration = true;
                self.note(Kind::Plan, !has_shape::<ConfigResource<'_>>(root));
                Ok(())
            }
            Origin::Relevant => {
                self.note(Kind::Plan, !has_shape::<RelevantAttribute<'_>>(root));
                Ok(())
            }
            Origin::Values | Origin::Root => {
                // Only the whole document has the paths of modules.
                self.note(Kind::State, !has_shape::<Resource<'_>>(root));
                Ok(())
            }
            Origin::Stored => {
                self.note(Kind::Raw, !has_shape::<RawResource<'_>>(root));
                Ok(())
            }
        }
    }

    fn note(&mut self, kind: Kind, is_malformed: bool) {
        if is_malformed && !self.is_malformed(kind) {
            self.malformed.push(kind);
        }
    }

    fn change(&mut self, is_planned: bool, root: Node<'_>) -> Result<(), Refusal> {
        if !may_mark(root.source().bytes()) {
            return Ok(());
        }
        let mut marked = Marked::default();
        let change = marked.change(root, is_planned, &self.instances);
        self.note(Kind::Plan, marked.is_malformed && !has_shape::<ResourceChange<'_>>(root));
        if let Some(change) = change {
            self.interned.change(change)?.note(&mut self.instances);
        }
        Ok(())
    }

    fn value(&mut self, root: Node<'_>) {
        // These are no rows, which are checked when they are printed.
        self.note(Kind::Plan, !has_shape::<Resource<'_>>(root));
        if !may_mark(root.source().bytes()) {
            return;
        }
        let mut marked = Marked::default();
        let (entry, tree) = marked.resource(root);
        if tree.is_some() {
            let (mode, resource_type) = entry.kind();
            let mode = self.interned.string(mode);
            self.kinds.insert((mode, self.interned.string(resource_type)));
        }
    }
}
