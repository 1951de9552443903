//! Views together with the owner of the memory that they borrow from.
//!
//! A Python object has no lifetime, so it keeps a [`Shared`]: a view, and a counted reference to
//! its owner. The view is passed to closures only, for any lifetime, so that nothing which borrows
//! from the owner outlives it.
#![allow(unsafe_code, reason = "a view and what it borrows from are in one struct")]

use std::marker::PhantomData;
use std::sync::Arc;

use simd_hcl::body::{self, Body};
use simd_hcl::show::rows::{Change, Instance, OutputChange};
use simd_hcl::show::{Plan, RawState, State};
use simd_hcl::structure::{FileAttribute, FileBlock, FileBody};
use simd_hcl::tree::Tree;
use simd_hcl::{Document, OwnedDocument, OwnedFile, OwnedTree, ParsedFile};

/// The types of a view: one for each lifetime.
pub(crate) trait Family: 'static {
    /// The view for the lifetime `'a`.
    type Of<'a>: Copy;
}

/// Names the lifetime of a view in the types of closures.
type Of<'a> = PhantomData<&'a ()>;

/// The owner of the memory of a view.
///
/// # Safety
/// The view that `with_root` passes on, and all that can be reached from it, stays valid until
/// the owner is dropped, also when the owner is moved.
pub(crate) unsafe trait Owner: Send + Sync + 'static {
    /// The view of all of it.
    type Root: Family;

    /// Calls `read` with the view of all of it.
    fn with_root<R>(&self, read: impl for<'a> FnOnce(<Self::Root as Family>::Of<'a>) -> R) -> R;
}

/// Keeps the memory of a view.
trait Keep: Send + Sync {}

impl<T: Send + Sync> Keep for T {}

/// A view and its owner.
pub(crate) struct Shared<F: Family> {
    /// Borrows from `owner`, not for `'static`: never passed on but to closures for any lifetime.
    view: F::Of<'static>,
    owner: Arc<dyn Keep>,
}

impl<F: Family> Clone for Shared<F> {
    fn clone(&self) -> Self {
        Self { view: self.view, owner: Arc::clone(&self.owner) }
    }
}

impl<F: Family> Shared<F> {
    /// The view of all of an owner.
    pub(crate) fn root<O: Owner<Root = F>>(owner: Arc<O>) -> Self {
        let view = owner.with_root(|view| {
            // SAFETY: lifetimes do not change the layout of a type, and the type is `Copy`. The
            // view stays valid as long as `owner` is there, which is dropped after it.
            unsafe { std::mem::transmute_copy::<F::Of<'_>, F::Of<'static>>(&view) }
        });
        Self { view, owner }
    }

    /// Views of parts of a tree, each with what else there is to say about it.
    pub(crate) fn of_tree<T>(
        owner: &Arc<OwnedTree>,
        parts: impl for<'t, 'a> FnOnce(&'t Tree<'a>, Of<'a>) -> Vec<(T, F::Of<'a>)>,
    ) -> Vec<(T, Self)> {
        owner.with(|tree| {
            let parts = parts(tree, PhantomData).into_iter();
            let share = |(what, view)| {
                // SAFETY: as in `root`. The view borrows from the arena of the tree, which is not
                // reset, and stays where it is until the tree is dropped: for no other lifetime
                // could the closure return it.
                let view = unsafe { std::mem::transmute_copy::<F::Of<'_>, F::Of<'static>>(&view) };
                let owner: Arc<dyn Keep> = Arc::<OwnedTree>::clone(owner);
                (what, Self { view, owner })
            };
            parts.map(share).collect()
        })
    }

    /// Calls `read` with the view.
    pub(crate) fn with<R>(&self, read: impl for<'a> FnOnce(F::Of<'a>) -> R) -> R {
        read(self.view)
    }

    /// Another view of the same owner.
    pub(crate) fn map<G: Family>(
        &self,
        part: impl for<'a> FnOnce(F::Of<'a>, Of<'a>) -> G::Of<'a>,
    ) -> Shared<G> {
        Shared { view: part(self.view, PhantomData), owner: Arc::clone(&self.owner) }
    }

    /// Another view of the same owner, if there is one.
    pub(crate) fn try_map<G: Family>(
        &self,
        part: impl for<'a> FnOnce(F::Of<'a>, Of<'a>) -> Option<G::Of<'a>>,
    ) -> Option<Shared<G>> {
        Some(Shared { view: part(self.view, PhantomData)?, owner: Arc::clone(&self.owner) })
    }

    /// Several views of the same owner.
    pub(crate) fn map_all<G: Family>(
        &self,
        parts: impl for<'a> FnOnce(F::Of<'a>, Of<'a>) -> Vec<G::Of<'a>>,
    ) -> Vec<Shared<G>> {
        let share = |view| Shared { view, owner: Arc::clone(&self.owner) };
        parts(self.view, PhantomData).into_iter().map(share).collect()
    }
}

// SAFETY: it keeps the arena in memory that does not move, and its document until it is dropped.
unsafe impl Owner for OwnedDocument {
    type Root = DocumentFamily;

    fn with_root<R>(&self, read: impl for<'a> FnOnce(Document<'a>) -> R) -> R {
        self.with(read)
    }
}

// SAFETY: it keeps the arena in memory that does not move, and its file until it is dropped.
unsafe impl Owner for OwnedFile {
    type Root = FileFamily;

    fn with_root<R>(&self, read: impl for<'a> FnOnce(ParsedFile<'a>) -> R) -> R {
        self.with(read)
    }
}

macro_rules! families {
    ($($name:ident: $view:ty;)*) => {
        $(
            pub(crate) enum $name {}

            impl Family for $name {
                type Of<'a> = $view;
            }
        )*
    };
}

families! {
    DocumentFamily: Document<'a>;
    FileFamily: ParsedFile<'a>;
    BodyFamily: BodyView<'a>;
    BlockFamily: BlockView<'a>;
    DeclarationFamily: Option<BlockView<'a>>;
    AttributeFamily: AttributeView<'a>;
    PlanFamily: Plan<'a>;
    ChangeFamily: Change<'a>;
    OutputChangeFamily: OutputChange<'a>;
    StateFamily: State<'a>;
    RawStateFamily: RawState<'a>;
    InstanceFamily: Instance<'a>;
}

/// The body of a file in native syntax, or a JSON value that is read as one.
#[derive(Clone, Copy)]
pub(crate) enum BodyView<'a> {
    /// Native syntax.
    Native(FileBody<'a>),
    /// JSON; at the root with the schema of its block types.
    Json(Body<'a>, Option<&'static simd_hcl::Schema<'static>>),
}

/// A block of either syntax.
#[derive(Clone, Copy)]
pub(crate) enum BlockView<'a> {
    /// Native syntax.
    Native(FileBlock<'a>),
    /// JSON.
    Json(body::Block<'a>),
}

/// An attribute of either syntax.
#[derive(Clone, Copy)]
pub(crate) enum AttributeView<'a> {
    /// Native syntax.
    Native(FileAttribute<'a>),
    /// JSON.
    Json(body::Attribute<'a>),
}
