//! Traversals: a variable's name and the steps from it, `aws_instance.web[0].id`.
//!
//! Follows section "Traversal" of the HCL specification and "Variables and Variable Expressions" of
//! the native syntax specification.

use std::fmt;

use crate::diagnostic::Label;
use crate::source::Source;
use crate::span::Span;

/// A reference to a variable and to parts of its value: at least the root step.
pub type Traversal<'a> = LentTraversal<'a, 'a>;

/// A [`Traversal`] whose steps are lent for `'t`; [`LentTraversal::keep`] puts them into the arena.
///
/// ```
/// use simd_hcl::native::{Native, StepKind};
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "expression", b"aws_vpc.main[0].id")?;
/// let expression = Native::expression(&arena, source, &mut ());
/// let traversal = expression.variables().next().unwrap();
/// assert_eq!((traversal.root_name(), traversal.steps().len()), ("aws_vpc", 4));
/// assert_eq!(traversal.steps()[1].kind, StepKind::Attribute("main"));
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy)]
pub struct LentTraversal<'t, 'a> {
    source: Source<'a>,
    steps: &'t [Step<'a>],
}

/// One step of a traversal, and its bytes in the file: `.name`, `[0]`.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The kind of the step.
    pub kind: StepKind<'a>,
    /// Its bytes, the dot or brackets included.
    pub span: Span,
}

/// The attribute or the index that a step goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind<'a> {
    /// The first step: a variable.
    Root(&'a str),
    /// `.name`.
    Attribute(&'a str),
    /// `[key]` with a literal key, or the older `.0`.
    Index(Key<'a>),
    /// `[*]`, only where traversals with splats are asked for.
    Splat,
}

/// The literal key of an index step.
///
/// ```
/// use simd_hcl::native::{Key, Native, StepKind};
/// use simd_hcl::{Arena, Source};
///
/// let arena = Arena::new();
/// let source = Source::from_bytes(&arena, "expression", b"a[\"k\"]")?;
/// let expression = Native::expression(&arena, source, &mut ());
/// let traversal = expression.variables().next().unwrap();
/// assert_eq!(traversal.steps()[1].kind, StepKind::Index(Key::String("k")));
/// # Ok::<(), simd_hcl::source::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key<'a> {
    /// A number, as it is written.
    Number(&'a str),
    /// A string, decoded.
    String(&'a str),
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
}

impl<'t, 'a> LentTraversal<'t, 'a> {
    /// Steps in a source. The first is a root; of a relative traversal it is a step like any other.
    pub(crate) fn new(source: Source<'a>, steps: &'t [Step<'a>]) -> Self {
        Self { source, steps }
    }

    /// The same with its steps in the arena.
    #[must_use]
    pub fn keep(self) -> Traversal<'a> {
        let steps = self.source.arena().bump().alloc_slice_copy(self.steps);
        Traversal { source: self.source, steps }
    }

    /// The same as a relative traversal: its first step is an attribute.
    pub(crate) fn into_relative(self) -> Traversal<'a> {
        let mut steps = self.steps.to_vec();
        if let Some(step) = steps.first_mut()
            && let StepKind::Root(name) = step.kind
        {
            step.kind = StepKind::Attribute(name);
        }
        Traversal {
            source: self.source,
            steps: self.source.arena().bump().alloc_slice_copy(&steps),
        }
    }

    /// The steps, the root first.
    #[must_use]
    pub fn steps(self) -> &'t [Step<'a>] {
        self.steps
    }

    /// The name of the variable that it starts from. Empty for a relative traversal.
    #[must_use]
    pub fn root_name(self) -> &'a str {
        match self.steps.first() {
            Some(Step { kind: StepKind::Root(name), .. }) => name,
            _ => "",
        }
    }

    /// Its bytes in the file, from the first step to the last.
    #[must_use]
    pub fn span(self) -> Span {
        match (self.steps.first(), self.steps.last()) {
            (Some(first), Some(last)) => Span::new(first.span.start, last.span.end),
            _ => Span::default(),
        }
    }

    /// The range of the step at `index`, from 0, or of the whole traversal if it has no such step.
    #[must_use]
    pub fn step_label(self, index: usize) -> Label<'a> {
        let span = self.steps.get(index).map_or_else(|| self.span(), |step| step.span);
        Label::new(self.source, span)
    }

    /// The place of all of it. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        Label::new(self.source, self.span())
    }

    /// The source it is in.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        self.source
    }
}

impl fmt::Debug for LentTraversal<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.steps.iter().map(|step| step.kind)).finish()
    }
}
