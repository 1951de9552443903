//! All templates of a file, whatever its schema.

use std::fmt;

use smallvec::SmallVec;

use super::path::{JsonPath, PathStack, PathStep};
use super::program::parse;
use super::search::Search;
use super::written::MapKey;
use crate::diagnostic::{Diagnostic, Label};
use crate::json::{self, JsonString, JsonValue, Node};
use crate::native::{self, Program, Traversal};
use crate::span::Span;

/// A string that holds a template.
#[derive(Clone, Copy)]
pub struct Template<'a> {
    string: JsonString<'a>,
    is_key: bool,
    path: JsonPath<'a>,
    parsed: Result<&'a Program<'a>, &'a Diagnostic<'a>>,
}

impl<'a> Template<'a> {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> JsonPath<'a> {
        self.path
    }

    /// Whether it is the name of a member, not a value.
    #[must_use]
    pub fn is_key(&self) -> bool {
        self.is_key
    }

    /// Its bytes in the file, quotes included.
    #[must_use]
    pub fn span(&self) -> Span {
        self.string.span()
    }

    /// The place of the string. See [`span`](Self::span).
    #[must_use]
    pub fn label(&self) -> Label<'a> {
        self.string.label()
    }

    /// The decoded text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.string.to_str()
    }

    /// The traversals in it that start from a variable of the scope, in order; none if it does not
    /// parse.
    pub fn variables(&self) -> impl Iterator<Item = Traversal<'a>> + use<'a> {
        let mut found: SmallVec<[_; 2]> = SmallVec::new();
        if let Ok(program) = self.parsed {
            native::variables(program, |traversal| found.push(traversal));
        }
        found.into_iter()
    }

    /// Why it does not parse.
    #[must_use]
    pub fn diagnostics(&self) -> &'a [Diagnostic<'a>] {
        match self.parsed {
            Ok(_) => &[],
            Err(error) => std::slice::from_ref(error),
        }
    }
}

impl fmt::Debug for Template<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.path, self.string)
    }
}

/// The templates of a file, in its order. See [`crate::Document::templates`].
///
/// A [search](Search) finds the next one; containers without templates are not opened.
#[derive(Clone)]
pub struct Templates<'a> {
    search: Search<'a>,
    /// Containers that are being gone through, outermost first.
    levels: Vec<Items<'a>>,
    /// The paths of these.
    paths: PathStack<'a>,
    /// The value that comes next.
    next: Option<(Node<'a>, Option<PathStep<'a>>)>,
}

#[derive(Clone)]
enum Items<'a> {
    Elements(json::Elements<'a>, usize),
    Members(json::Members<'a>),
}

impl<'a> Templates<'a> {
    /// Of a whole document.
    pub(crate) fn of(root: Node<'a>) -> Self {
        let search = Search::new(root.source().bytes());
        let (levels, paths) = (Vec::new(), PathStack::default());
        Self { search, levels, paths, next: Some((root, None)) }
    }

    /// Whether a value that ends before `end` has a template in it.
    fn is_before(&self, end: u32) -> bool {
        self.search.next_introducer().is_some_and(|next| next < end as usize)
    }

    /// Goes on after the innermost container.
    fn leave(&mut self) {
        self.levels.pop();
        self.paths.pop();
    }

    /// The template in a string; continues after the string.
    fn found(
        &mut self,
        string: JsonString<'a>,
        is_key: bool,
        step: Option<PathStep<'a>>,
    ) -> Template<'a> {
        self.search.pass(string.span().end as usize);
        let source = string.node().source();
        let path = self.paths.path(source.arena(), step);
        Template { string, is_key, path, parsed: parse(source, string) }
    }
}

impl<'a> Iterator for Templates<'a> {
    type Item = Template<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.search.next_introducer()?;
            if let Some((node, step)) = self.next.take()
                && self.is_before(node.span().end)
            {
                let items = match node.value() {
                    JsonValue::Array(array) => Items::Elements(array.elements(), 0),
                    JsonValue::Object(object) => Items::Members(object.members()),
                    JsonValue::String(string) => return Some(self.found(string, false, step)),
                    _ => continue,
                };
                self.levels.push(items);
                self.paths.push(step, None);
            }
            match self.levels.last_mut()? {
                Items::Elements(elements, place) => match elements.next() {
                    Some(element) => {
                        self.next = Some((element, Some(PathStep::Element(*place))));
                        *place += 1;
                    }
                    None => self.leave(),
                },
                Items::Members(members) => match members.next() {
                    Some(member) => {
                        let step = Some(PathStep::Member(MapKey::of_json(member.name())));
                        self.next = Some((member.value(), step));
                        if self.is_before(member.name().span().end) {
                            return Some(self.found(member.name(), true, step));
                        }
                    }
                    None => self.leave(),
                },
            }
        }
    }
}

impl fmt::Debug for Templates<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Templates").finish_non_exhaustive()
    }
}
