//! The templates of a stream, in one pass.

use std::io::Read;

use super::event::Reader;
use super::options::Options;
use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Label};
use crate::document::Document;
use crate::event::{Kind, ParseOptions};
use crate::expression::{Expression, Template as OfDocument, has_introducer};
use crate::native::Traversal;
use crate::position::Position;
use crate::reference::write_template_name;
use crate::report::OwnedDiagnostic;
use crate::source::Source;

/// The number of names of members of the root that are kept.
const MEMBERS: usize = 1000;

/// The arena is emptied when it has more than this many bytes.
const ARENA: usize = 1 << 20;

/// The templates of a stream, in its order: those of [`Document::templates`], with positions of 64
/// bits.
///
/// Memory: that of a [`Reader`], and the names on the way to a string.
///
/// ```
/// use simd_hcl::stream::{Options, Templates};
///
/// let text = br#"{"resource": {"a": {"b": {"size": 1, "name": "${var.name}-x"}}}}"#;
/// let mut templates = Templates::new(&text[..], Options::default());
/// let template = templates.next()?.unwrap();
/// assert_eq!((template.path(), template.text()), ("resource.a.b.name", "${var.name}-x"));
/// assert_eq!(template.variables().next().unwrap().to_string(), "var.name");
/// assert!(templates.next()?.is_none());
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
pub struct Templates<'r> {
    reader: Reader<'r>,
    /// The containers around the current value, outermost first, then some to use again.
    levels: Vec<Level>,
    open: usize,
    members: Vec<String>,
    arena: Arena,
    name: String,
    parse: ParseOptions,
    /// The current template: the string with quotes, its start, and its path.
    raw: String,
    start: Position,
    is_key: bool,
    path: String,
}

/// A container around the current value.
#[derive(Default)]
struct Level {
    is_object: bool,
    /// The name of the current member.
    name: String,
    /// The number of elements so far.
    count: u64,
}

/// A template of a stream.
pub struct Template<'s> {
    template: OfDocument<'s>,
    is_key: bool,
    path: &'s str,
    /// The containers around it, outermost first.
    levels: &'s [Level],
}

impl<'r> Templates<'r> {
    /// Returns the templates of an input, which needs no buffer.
    #[must_use]
    pub fn new(input: impl Read + 'r, options: Options) -> Self {
        let name = options.name.clone();
        let parse = ParseOptions::default().with_kernel(options.kernel);
        Self {
            reader: Reader::with_options(input, options),
            levels: Vec::new(),
            open: 0,
            members: Vec::new(),
            arena: Arena::new(),
            name,
            parse,
            raw: String::new(),
            start: Position::START,
            is_key: false,
            path: String::new(),
        }
    }

    /// Returns the next template; `None` after the last one.
    ///
    /// # Errors
    /// The first error of the stream, as for a whole file. All further calls return it again.
    #[allow(clippy::should_implement_trait, reason = "a template borrows the reader")]
    pub fn next(&mut self) -> Result<Option<Template<'_>>, Box<OwnedDiagnostic>> {
        if self.arena.allocated_bytes() > ARENA {
            self.arena.reset();
        }
        if !self.find()? {
            return Ok(None);
        }
        let Self { arena, name, raw, path, is_key, start, parse, levels, open, .. } = self;
        let source = Source::part(arena, name, raw.as_bytes(), *start);
        let template = Document::of_valid(source, *parse).templates().next();
        let levels = &levels[..*open];
        Ok(template.map(|template| Template { template, is_key: *is_key, path, levels }))
    }

    /// The names of the members of the document, up to the current position, at most 1000.
    #[must_use]
    pub fn members(&self) -> &[String] {
        &self.members
    }

    /// The number of bytes that have been read.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.reader.bytes_read()
    }

    /// Finds the next string with a template. Returns false at the end of the stream.
    fn find(&mut self) -> Result<bool, Box<OwnedDiagnostic>> {
        let Self { reader, levels, open, members, raw, start, is_key, path, .. } = self;
        while let Some(event) = reader.next()? {
            let kind = event.kind();
            match kind {
                Kind::EndObject | Kind::EndArray => {
                    *open = open.saturating_sub(1);
                    continue;
                }
                Kind::Key => {
                    if let Some(level) = open.checked_sub(1).and_then(|last| levels.get_mut(last)) {
                        level.name.clear();
                        level.name.push_str(&event.text());
                    }
                    if *open == 1 && members.len() < MEMBERS {
                        members.push(event.text().into_owned());
                    }
                }
                _ => {
                    if let Some(level) = open.checked_sub(1).and_then(|last| levels.get_mut(last)) {
                        level.count += 1;
                    }
                    if kind.is_start() {
                        if *open == levels.len() {
                            levels.push(Level::default());
                        }
                        let level = &mut levels[*open];
                        (level.is_object, level.count) = (kind == Kind::StartObject, 0);
                        *open += 1;
                        continue;
                    }
                }
            }
            if event.may_be_template() && has_introducer(event.raw().as_bytes()) {
                raw.clear();
                raw.push_str(event.raw());
                (*start, *is_key) = (reader.last_position(), kind == Kind::Key);
                write_path(path, &levels[..*open]);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Writes the path of the current value, as [`JsonPath`](crate::expression::JsonPath) does.
fn write_path(path: &mut String, levels: &[Level]) {
    use std::fmt::Write as _;
    path.clear();
    for (place, level) in levels.iter().enumerate() {
        // Writing into a string does not fail.
        let _ = match level.is_object {
            true => write_template_name(path, &level.name, place == 0),
            false => write!(path, "[{}]", level.count.saturating_sub(1)),
        };
    }
}

impl<'s> Template<'s> {
    /// Its path, such as `resource.aws_instance.web.tags["a.b"][0]`.
    #[must_use]
    pub fn path(&self) -> &'s str {
        self.path
    }

    /// The names in its path, without places in lists. Its own, if it is a name, is the last one.
    pub fn names(&self) -> impl Iterator<Item = &'s str> + use<'s> {
        let objects = self.levels.iter().filter(|level| level.is_object);
        objects.map(|level| level.name.as_str())
    }

    /// The path of the value around it whose own path has this many names. Cost: linear in the path.
    #[must_use]
    pub fn outer_path(&self, names: usize) -> String {
        let mut left = names;
        let outer = self.levels.iter().take_while(|level| {
            let is_outer = left > 0;
            left -= usize::from(is_outer && level.is_object);
            is_outer
        });
        let mut path = String::new();
        write_path(&mut path, &self.levels[..outer.count()]);
        path
    }

    /// Whether it is the name of a member, instead of a value.
    #[must_use]
    pub fn is_key(&self) -> bool {
        self.is_key
    }

    /// The string as a value; `None` if it is the name of a member.
    #[must_use]
    pub fn value(&self) -> Option<Expression<'s>> {
        self.template.value().filter(|_| !self.is_key)
    }

    /// The decoded text.
    #[must_use]
    pub fn text(&self) -> &'s str {
        self.template.text()
    }

    /// The place of the string, quotes included. [`Source::position`] returns the positions in the
    /// stream, as of all labels of the template.
    #[must_use]
    pub fn label(&self) -> Label<'s> {
        self.template.label()
    }

    /// Whether it calls the function `sensitive`: see [`Expression::marks_itself`](crate::Expression::marks_itself).
    #[must_use]
    pub fn marks_itself(&self) -> bool {
        self.template.marks_itself()
    }

    /// The traversals in it that start with a variable of the scope, in order; none if it has a
    /// syntax error.
    pub fn variables(&self) -> impl Iterator<Item = Traversal<'s>> + use<'s> {
        self.template.variables()
    }

    /// Its syntax errors.
    #[must_use]
    pub fn diagnostics(&self) -> &'s [Diagnostic<'s>] {
        self.template.diagnostics()
    }
}

impl std::fmt::Debug for Template<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {:?}", self.path, self.text())
    }
}

impl std::fmt::Debug for Templates<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Templates").field("reader", &self.reader).finish_non_exhaustive()
    }
}
