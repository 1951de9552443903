//! The expressions of a file: each parsed on first use, or all of them at once.

use std::sync::OnceLock;

use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::native::{Native, Output};
use crate::program::Program;
use crate::source::Source;

/// An expression, or why a text is not one.
pub(super) type Parsed<'a> = Result<Native<'a>, &'a Diagnostic<'a>>;

/// The expressions of a file.
pub(super) enum Programs<'a> {
    /// By row; each is parsed on first use.
    Each(&'a [OnceLock<Parsed<'a>>]),
    /// All are parsed.
    All(All<'a>),
}

impl<'a> Programs<'a> {
    /// Returns programs of which none is parsed yet.
    pub(super) fn none(arena: &'a Arena, rows: usize) -> Self {
        Self::Each(arena.bump().alloc_slice_fill_with(rows, |_| OnceLock::new()))
    }

    /// Returns the expression of a row, which `parse` parses.
    pub(super) fn get(&self, row: usize, parse: impl FnOnce() -> Parsed<'a>) -> Parsed<'a> {
        match self {
            Self::Each(each) => *each[row].get_or_init(parse),
            Self::All(all) => {
                let Place { program, at } = all.places[row];
                match all.programs.get(program as usize) {
                    Some(program) => Ok(Native::at(program, at as usize)),
                    None => Err(all.errors[at as usize]),
                }
            }
        }
    }

    /// The errors of expressions that were parsed together, in source order.
    pub(super) fn errors(&self) -> &'a [&'a Diagnostic<'a>] {
        match self {
            Self::Each(_) => &[],
            Self::All(all) => all.errors,
        }
    }
}

/// Expressions that are parsed together. Their nodes share tables, so that each takes no more
/// memory than its nodes, and eight bytes for each row.
pub(super) struct All<'a> {
    programs: &'a [&'a Program<'a>],
    errors: &'a [&'a Diagnostic<'a>],
    /// By row.
    places: &'a [Place],
}

/// The root of an expression.
#[derive(Clone, Copy)]
struct Place {
    /// The program, or [`Self::ERROR`].
    program: u32,
    /// The node in it, or the error.
    at: u32,
}

impl Place {
    const ERROR: u32 = u32::MAX;
}

/// Expressions that are being parsed together.
pub(super) struct Together<'a> {
    source: Source<'a>,
    output: Output<'a>,
    programs: Vec<&'a Program<'a>>,
    errors: Vec<&'a Diagnostic<'a>>,
    /// By row; those of later rows are not set yet.
    places: &'a mut [Place],
    rows: usize,
}

impl<'a> Together<'a> {
    /// The number of nodes in one program. They are copied from a buffer, which stays in the cache.
    const GROUP: usize = 2_048;

    pub(super) fn new(source: Source<'a>, rows: usize) -> Self {
        let none = Place { program: 0, at: 0 };
        let places = source.arena().bump().alloc_slice_fill_copy(rows, none);
        let output = Output::of_many();
        Self { source, output, programs: Vec::new(), errors: Vec::new(), places, rows: 0 }
    }

    /// Adds the expression of the next row. `parse` appends it to the output, and returns the place of
    /// its root or reports an error. The place of a row without an expression has no meaning.
    pub(super) fn add(
        &mut self,
        parse: impl FnOnce(&mut Output<'a>, &mut Option<Diagnostic<'a>>) -> Option<usize>,
    ) {
        let mut error = None;
        let at = parse(&mut self.output, &mut error);
        let place = match error {
            Some(error) => {
                self.errors.push(self.source.arena().bump().alloc(error));
                Place { program: Place::ERROR, at: self.errors.len() as u32 - 1 }
            }
            None => {
                Place { program: self.programs.len() as u32, at: at.unwrap_or_default() as u32 }
            }
        };
        if let Some(of_row) = self.places.get_mut(self.rows) {
            *of_row = place;
        }
        self.rows += 1;
        if self.output.len() >= Self::GROUP {
            self.end_group();
        }
    }

    fn end_group(&mut self) {
        self.programs.push(self.output.lend(self.source).keep(self.source.arena()));
        self.output.clear();
    }

    /// Moves all of them to the arena.
    pub(super) fn finish(mut self) -> Programs<'a> {
        self.end_group();
        let bump = self.source.arena().bump();
        Programs::All(All {
            programs: bump.alloc_slice_copy(&self.programs),
            errors: bump.alloc_slice_copy(&self.errors),
            places: self.places,
        })
    }
}
