//! Values in configuration that must not be shown: the policy of everything that prints
//! configuration.
//!
//! | value | it is hidden if |
//! |---|---|
//! | the default of a variable | the variable is sensitive or ephemeral in any file of its module |
//! | what a file of variables, or `variables` of a test or of Packer, gives a variable | so is the variable |
//! | the value of an output | the output is sensitive or ephemeral |
//! | the expression of a `local` block (Packer) | the block is sensitive |
//! | any expression | it calls `sensitive` ([`Expression::marks_itself`]) |
//!
//! A flag whose value is not literally false counts as set. What nothing marks is shown, such as
//! the value of a variable that no file of the module declares. Source text as such is not a part
//! of this: commands that print it say so.

use crate::arena::Arena;
use crate::body::{Block, Body};
use crate::dialect::{Dialect, List, root_schema};
use crate::expression::{Expression, JsonPath, PathStep, Template};
use crate::hash::HashSet;
use crate::value::{Type, convert_briefly};

pub use crate::value::HIDDEN;

/// The block types whose values may be hidden.
pub(crate) const HEADS: [&str; 5] = ["variable", "variables", "output", "local", "run"];

/// The objects that the files of a module declare and whose values must not be shown.
///
/// ```
/// use simd_hcl::dialect::{Dialect, List};
/// use simd_hcl::hidden::Hidden;
///
/// let arena = simd_hcl::Arena::new();
/// let json = br#"{"variable": {"key": {"default": "hunter2", "sensitive": true}, "size": {}}}"#;
/// let document = simd_hcl::Document::parse_bytes(&arena, "main.tf.json", json)?;
/// let mut hidden = Hidden::default();
/// hidden.add(Dialect::OpenTofu, List::Primary, document);
/// assert!(hidden.has_variable("key") && !hidden.has_variable("size"));
/// # Ok::<(), Box<simd_hcl::OpenError>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    variables: HashSet<Box<str>>,
    outputs: HashSet<Box<str>>,
    locals: HashSet<Box<str>>,
}

impl Hidden {
    /// Adds what a file declares. Files of variables and tests declare nothing.
    ///
    /// Cost: linear in the top level of the file, and in its variables and outputs.
    pub fn add<'a>(&mut self, dialect: Dialect, list: List, file: impl Into<Body<'a>>) {
        if !matches!(list, List::Primary | List::Override) {
            return;
        }
        if let Some(schema) = root_schema(dialect, list) {
            file.into().visit_blocks(schema, &mut (), |block, _| self.add_block(block));
        }
    }

    /// Adds what a block declares.
    pub(crate) fn add_block(&mut self, block: Block<'_>) {
        if let Some(name) = block.label(0) {
            self.declare(block.block_type(), name, block.as_expression());
        }
    }

    fn declare(&mut self, block_type: &str, name: &str, body: Expression<'_>) {
        let names = match block_type {
            "variable" => &mut self.variables,
            "output" => &mut self.outputs,
            "local" => &mut self.locals,
            _ => return,
        };
        if ["sensitive", "ephemeral"].iter().any(|flag| body.member(flag).is_some_and(may_be_true))
        {
            names.insert(name.into());
        }
    }

    /// Adds what a block of JSON declares whose type and labels are `names`: a record of a stream.
    pub fn add_record<'a>(&mut self, names: &[String], body: impl Into<Body<'a>>) {
        let [block_type, name, ..] = names else { return };
        self.declare(block_type, name, body.into().as_expression());
    }

    /// Whether the values of a variable must not be shown.
    #[must_use]
    pub fn has_variable(&self, name: &str) -> bool {
        self.variables.contains(name)
    }

    /// Whether the value of an output must not be shown.
    #[must_use]
    pub fn has_output(&self, name: &str) -> bool {
        self.outputs.contains(name)
    }

    /// If the value at a path must not be shown: the path of the outermost value that is hidden as a
    /// whole. What is below it has names that must not be shown either. For a block with such a value,
    /// the path itself. `head` are the names above the path, which starts at the root of a file without
    /// them.
    pub(crate) fn path<'a>(
        &self,
        list: List,
        (head, path): (&[&str], JsonPath<'a>),
        value: Option<Expression<'_>>,
        arena: &'a Arena,
    ) -> Option<JsonPath<'a>> {
        let steps = path.steps();
        // Lists are no objects of their own.
        let members = steps.iter().filter_map(|step| match step {
            PathStep::Member(name) => Some(name.to_str()),
            PathStep::Element(_) => None,
        });
        let names: Vec<&str> = head.iter().copied().chain(members).collect();
        let depth = self.depth(list, &names, value)?;
        if depth >= names.len() {
            return Some(path);
        }
        let mut left = depth.saturating_sub(head.len());
        let outer = steps.iter().take_while(|step| {
            let is_outer = left > 0;
            left -= usize::from(is_outer && matches!(step, PathStep::Member(_)));
            is_outer
        });
        Some(outer.fold(JsonPath::default(), |path, step| path.with(arena, *step)))
    }

    /// Like [`Selected::hidden`](crate::query::Selected::hidden), for a template: the path of the
    /// outermost value with it that must not be shown.
    #[must_use]
    pub fn path_of_template<'a>(
        &self,
        list: List,
        template: &Template<'a>,
    ) -> Option<JsonPath<'a>> {
        let (path, arena) = (template.path(), template.label().source.arena());
        let hidden = self.path(list, (&[], path), None, arena);
        hidden.or_else(|| template.marks_itself().then_some(path))
    }

    fn depth(&self, list: List, names: &[&str], value: Option<Expression<'_>>) -> Option<usize> {
        let has = |name: &str| value.is_some_and(|value| value.member(name).is_some());
        let any = |value: Option<Expression<'_>>| {
            let mut entries = value.and_then(Expression::as_map).into_iter().flatten();
            entries.any(|(name, _)| self.has_variable(name.to_str()))
        };
        let of = |is_hidden: bool, depth: usize| is_hidden.then_some(depth);
        let of_block = |is_hidden: bool, wanted: &str| match names {
            [_, _] => of(is_hidden && has(wanted), 2),
            [_, _, name, ..] => of(is_hidden && *name == wanted, 3),
            _ => None,
        };
        let by_name = match (list, names) {
            (List::Variables, [name, ..]) => of(self.has_variable(name), 1),
            (_, ["variable", name, ..]) => of_block(self.has_variable(name), "default"),
            (_, ["output", name, ..]) => of_block(self.has_output(name), "value"),
            (_, ["local", name, ..]) => of_block(self.locals.contains(*name), "expression"),
            (_, ["variables"]) => of(any(value), 1),
            (_, ["variables", name, ..]) => of(self.has_variable(name), 2),
            (List::Test, ["run", _]) => {
                of(any(value.and_then(|value| value.member("variables"))), 2)
            }
            (List::Test, ["run", _, "variables"]) => of(any(value), 3),
            (List::Test, ["run", _, "variables", name, ..]) => of(self.has_variable(name), 4),
            _ => None,
        };
        by_name.or_else(|| of(value.is_some_and(Expression::marks_itself), names.len()))
    }
}

/// Whether a flag may be set: everything but a literal `false` or `null` counts.
#[must_use]
pub fn may_be_true(flag: Expression<'_>) -> bool {
    let value = flag.constant_value(&mut ());
    match convert_briefly(flag.source().arena(), value, Type::Bool) {
        Ok(flag) if flag.is_known() => flag.as_bool() == Some(true),
        _ => true,
    }
}
