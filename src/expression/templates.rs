//! All templates of a file, independent of a schema.

use std::fmt;

use smallvec::SmallVec;

use super::Expression;
use super::path::{JsonPath, PathStack, PathStep};
use super::program::parse;
use super::references::marks_itself;
use super::search::Search;
use super::written::{Key, MapKey, literal_text};
use crate::diagnostic::{Diagnostic, Label};
use crate::json::{self, JsonString, JsonValue, Node};
use crate::native::{self, Kind, Native, Program, Traversal};
use crate::span::Span;
use crate::structure::{File, Item};

/// A string with a template.
///
/// ```
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": ["x", "${b}"]}"#)?;
/// let template = document.templates().next().unwrap();
/// assert_eq!((template.path().to_string(), template.text()), ("a[1]".to_owned(), "${b}"));
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Template<'a> {
    written: Written<'a>,
    is_key: bool,
    path: JsonPath<'a>,
}

/// The form in which a template is written.
#[derive(Clone, Copy)]
enum Written<'a> {
    Json(JsonString<'a>, Result<&'a Program<'a>, &'a Diagnostic<'a>>),
    Native(Native<'a>),
}

impl<'a> Template<'a> {
    /// Its path.
    #[must_use]
    pub fn path(&self) -> JsonPath<'a> {
        self.path
    }

    /// Whether it is the name of a member, instead of a value.
    #[must_use]
    pub fn is_key(&self) -> bool {
        self.is_key
    }

    /// The string as a value; `None` if it is the name of a member.
    #[must_use]
    pub fn value(&self) -> Option<Expression<'a>> {
        let value = match self.written {
            Written::Json(string, _) => Expression::from_json(string.node()),
            Written::Native(native) => Expression::from_native(native),
        };
        (!self.is_key).then_some(value)
    }

    /// Its bytes in the file, quotes included.
    #[must_use]
    pub fn span(&self) -> Span {
        match self.written {
            Written::Json(string, _) => string.span(),
            Written::Native(native) => native.span(),
        }
    }

    /// The place of the string. See [`span`](Self::span).
    #[must_use]
    pub fn label(&self) -> Label<'a> {
        match self.written {
            Written::Json(string, _) => string.label(),
            Written::Native(native) => native.label(),
        }
    }

    /// The decoded text; in a native file the text as it is written, without the quotes.
    #[must_use]
    pub fn text(&self) -> &'a str {
        match self.written {
            Written::Json(string, _) => string.to_str(),
            Written::Native(native) => {
                let text = native.text();
                let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                inner.unwrap_or(text)
            }
        }
    }

    /// Whether it calls the function `sensitive`: see [`marks_itself`](super::Expression::marks_itself).
    #[must_use]
    pub fn marks_itself(&self) -> bool {
        match self.written {
            Written::Json(_, Ok(program)) => marks_itself(program),
            Written::Json(_, Err(_)) => false,
            Written::Native(native) => marks_itself(&native.program()),
        }
    }

    /// The program of a JSON string without a syntax error.
    pub(crate) fn program(&self) -> Option<&'a Program<'a>> {
        match self.written {
            Written::Json(_, Ok(program)) => Some(program),
            Written::Json(_, Err(_)) | Written::Native(_) => None,
        }
    }

    /// The traversals in it that start with a variable of the scope, in order; none if it has a
    /// syntax error.
    pub fn variables(&self) -> impl Iterator<Item = Traversal<'a>> + use<'a> {
        let mut found: SmallVec<[_; 2]> = SmallVec::new();
        match self.written {
            Written::Json(_, Ok(program)) => {
                native::variables(program, |traversal| found.push(traversal));
            }
            Written::Json(_, Err(_)) => {}
            Written::Native(native) => found.extend(native.variables()),
        }
        found.into_iter()
    }

    /// Its syntax errors. In a native file, they are reported when the file is parsed instead.
    #[must_use]
    pub fn diagnostics(&self) -> &'a [Diagnostic<'a>] {
        match self.written {
            Written::Json(_, Err(error)) => std::slice::from_ref(error),
            _ => &[],
        }
    }
}

impl fmt::Debug for Template<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.path, self.text())
    }
}

/// The templates of a file, in source order. See [`crate::Document::templates`].
///
/// A [search](Search) finds the next one; containers without templates are not opened.
#[derive(Clone)]
pub struct Templates<'a> {
    search: Search<'a>,
    /// The open containers of the walk, outermost first.
    levels: Vec<Items<'a>>,
    /// Their paths.
    paths: PathStack<'a>,
    /// The next value.
    next: Option<(Node<'a>, Option<PathStep<'a>>)>,
}

#[derive(Clone)]
enum Items<'a> {
    Elements(json::Elements<'a>, usize),
    Members(json::Members<'a>),
}

impl<'a> Templates<'a> {
    /// Returns the templates of a whole document.
    pub(crate) fn of(root: Node<'a>) -> Self {
        let search = Search::new(root.source().bytes());
        let (levels, paths) = (Vec::new(), PathStack::default());
        Self { search, levels, paths, next: Some((root, None)) }
    }

    /// Whether a value that ends before `end` has a template in it.
    fn is_before(&self, end: u32) -> bool {
        self.search.next_introducer().is_some_and(|next| next < end as usize)
    }

    /// Continues after the innermost container.
    fn leave(&mut self) {
        self.levels.pop();
        self.paths.pop();
    }

    /// Returns the template in a string, and continues after the string.
    fn found(
        &mut self,
        string: JsonString<'a>,
        is_key: bool,
        step: Option<PathStep<'a>>,
    ) -> Template<'a> {
        self.search.pass(string.span().end as usize);
        let source = string.node().source();
        let path = self.paths.path(source.arena(), step);
        Template { written: Written::Json(string, parse(source, string)), is_key, path }
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

/// The remaining parts of a native file.
enum Work<'a> {
    Item(Item<'a>, JsonPath<'a>),
    Value(Native<'a>, JsonPath<'a>),
    Key(Native<'a>, JsonPath<'a>),
}

/// Returns the templates of a native file in source order: strings and heredocs with sequences.
/// Templates inside a sequence are a part of the outer one.
///
/// Cost: linear in the nodes of all expressions, which are parsed.
pub(crate) fn templates_of_file(file: File<'_>) -> Vec<Template<'_>> {
    let arena = file.source().arena();
    let mut found = Vec::new();
    let none = JsonPath::default();
    let mut work: Vec<Work<'_>> = file.body().items().map(|item| Work::Item(item, none)).collect();
    work.reverse();
    while let Some(next) = work.pop() {
        let from = work.len();
        match next {
            Work::Item(Item::Attribute(attribute), path) => {
                let key = MapKey(Key::Row(attribute.handle));
                if let Ok(value) = attribute.expression() {
                    work.push(Work::Value(value, path.with(arena, PathStep::Member(key))));
                }
            }
            Work::Item(Item::Block(block), path) => {
                let key = MapKey(Key::Row(block.handle));
                let mut path = path.with(arena, PathStep::Member(key));
                for label in block.label_rows() {
                    let key = MapKey(Key::Label(block.source(), label));
                    path = path.with(arena, PathStep::Member(key));
                }
                work.extend(block.body().items().map(|item| Work::Item(item, path)));
            }
            Work::Value(value, path) if is_template(value) => {
                found.push(Template { written: Written::Native(value), is_key: false, path });
            }
            Work::Key(key, path) => {
                if is_template(key) {
                    found.push(Template { written: Written::Native(key), is_key: true, path });
                }
            }
            Work::Value(value, path) if value.is(Kind::Tuple) => {
                let elements = value.operands().into_iter().enumerate();
                work.extend(elements.map(|(place, element)| {
                    Work::Value(element, path.with(arena, PathStep::Element(place)))
                }));
            }
            Work::Value(value, path) if value.is(Kind::Object) => {
                for item in value.operands().chunks_exact(2) {
                    let &[key, value] = item else { continue };
                    let path = path.with(arena, PathStep::Member(MapKey(Key::Native(key))));
                    work.push(Work::Key(key, path));
                    work.push(Work::Value(value, path));
                }
            }
            Work::Value(value, path) => {
                let operands = value.operands().into_iter();
                work.extend(operands.map(|operand| Work::Value(operand, path)));
            }
        }
        work[from..].reverse();
    }
    found
}

/// Whether it is a quoted string or a heredoc with sequences.
fn is_template(native: Native<'_>) -> bool {
    native.is(Kind::Wrap) || native.is(Kind::Template) && literal_text(native).is_none()
}
