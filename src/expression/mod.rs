//! Expressions: the values of attributes.
//!
//! Follows chapters "Expressions" and "Static Analysis" of the HCL JSON syntax specification. A
//! JSON value is evaluated as a literal, where strings are plain text, or in a scope, where strings
//! are templates. Its references can be listed. It can also be read statically, without evaluation,
//! as a list, a map, a keyword, a traversal, a function call, a native expression or a type; the
//! documentation of an argument says which of these it is.

mod constraint;
mod fixed;
mod path;
mod program;
mod quoted;
mod references;
mod same;
mod search;
mod templates;

pub use self::constraint::{Defaults, TypeConstraint};
pub use self::path::JsonPath;
pub(crate) use self::path::{PathStack, PathStep, write_steps};
pub(crate) use self::quoted::{
    has_json_keys, is_plain_key, json_key, json_scalar, json_template, literal_template,
};
pub use self::references::Variables;
pub(crate) use self::references::{Seen, marks_itself, visit_references};
pub(crate) use self::same::Meaning;
pub(crate) use self::search::has_introducer;
pub(crate) use self::templates::templates_of_file;
pub use self::templates::{Template, Templates};

mod value;
mod written;

pub use self::written::MapKey;
pub(crate) use self::written::{Elements, Entries, Level, Literal, Syntax, Written, of_item};

use self::program::template;
use self::written::Key;
pub(crate) use self::written::literal_text;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::json::{JsonString, Node};
use crate::native::{Kind, Native, Step, StepKind};
use crate::program::Program;
use crate::source::Source;
use crate::span::Span;
use crate::structure::FileBlock;

/// The unevaluated value of an attribute.
///
/// ```
/// use simd_hcl::{Arena, Document};
///
/// let arena = Arena::new();
/// let json = br#"{"size": "${var.base * 2}"}"#;
/// let document = Document::parse_bytes(&arena, "main.tf.json", json)?;
/// let size = document.body().just_attributes(&mut ())[0].expression();
/// assert_eq!(size.variables().next().unwrap().to_string(), "var.base");
/// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Expression<'a> {
    written: Written<'a>,
}

impl<'a> Expression<'a> {
    /// Returns the expression of a JSON value.
    ///
    /// ```
    /// use simd_hcl::Expression;
    /// use simd_hcl::evaluate::Scope;
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#""${1 + 2}""#)?;
    /// let expression = Expression::from_json(document.root());
    /// assert_eq!(expression.value(&Scope::new(), &mut ()).to_string(), "3");
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn from_json(node: Node<'a>) -> Self {
        Self { written: Written::json(node) }
    }

    /// The JSON value, if the expression is written in JSON.
    #[must_use]
    pub fn as_json(self) -> Option<Node<'a>> {
        match self.syntax() {
            Syntax::Json(node) => Some(node),
            Syntax::Native(_) | Syntax::Block(_) => None,
        }
    }

    /// Returns the expression of a native file.
    #[must_use]
    pub fn from_native(native: Native<'a>) -> Self {
        Self { written: Written::native(native) }
    }

    pub(crate) fn new(written: Written<'a>) -> Self {
        Self { written }
    }

    #[inline]
    pub(crate) fn syntax(self) -> Syntax<'a> {
        self.written.syntax()
    }

    /// The block of a native file, if it stands for one in a body without a schema.
    pub(crate) fn as_block(self) -> Option<FileBlock<'a>> {
        match self.syntax() {
            Syntax::Block(level) => level.block(),
            Syntax::Json(_) | Syntax::Native(_) => None,
        }
    }

    /// Whether it is a block of a native file with labels that are keys of maps.
    pub(crate) fn has_labels(self) -> bool {
        match self.syntax() {
            Syntax::Block(level) => !level.labels_left().is_empty(),
            Syntax::Json(_) | Syntax::Native(_) => false,
        }
    }

    /// Whether it is written in JSON, where references, keywords and types are strings.
    #[must_use]
    pub fn is_json(self) -> bool {
        matches!(self.written, Written::Json { .. })
    }

    /// The decoded text of a string; for a JSON string with a template, the template. `None` for a
    /// native string with a template. Cost: linear if it has escapes.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = \"x\"\nb = \"${x}\"\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let [a, b] = file.body().just_attributes(&mut ()) else { panic!() };
    /// assert_eq!((a.expression().to_str(), b.expression().to_str()), (Some("x"), None));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn to_str(self) -> Option<&'a str> {
        match self.syntax() {
            Syntax::Json(node) => node.to_str(),
            Syntax::Native(native) => literal_text(native),
            Syntax::Block(_) => None,
        }
    }

    /// The text of a string with its templates as they are written; `None` for heredocs, and for
    /// native strings with escapes.
    #[must_use]
    pub fn template_text(self) -> Option<&'a str> {
        match self.syntax() {
            Syntax::Json(node) => node.to_str(),
            Syntax::Native(native) if self.is_string() => {
                let inner = native.text().strip_prefix('"')?.strip_suffix('"')?;
                (!inner.contains('\\')).then_some(inner)
            }
            _ => None,
        }
    }

    /// The expression as the template that a JSON string would contain: a native expression is
    /// `${…}`. `None` for JSON values that are not strings.
    pub(crate) fn as_template_text(self) -> Option<&'a str> {
        match self.syntax() {
            Syntax::Native(native) => Some(self.template_text().unwrap_or_else(|| {
                self.source().arena().format(format_args!("${{{}}}", native.text()))
            })),
            Syntax::Json(_) | Syntax::Block(_) => self.template_text(),
        }
    }

    /// Whether it is a native expression with a syntax error, which has been reported.
    pub(crate) fn is_invalid(self) -> bool {
        matches!(self.syntax(), Syntax::Native(native) if native.is(Kind::Invalid))
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        match self.syntax() {
            Syntax::Json(node) => node.is_null(),
            Syntax::Native(native) => native.is(Kind::Null),
            Syntax::Block(_) => false,
        }
    }

    /// Whether it is a string: any JSON string, or in native syntax a quoted string or a heredoc.
    #[must_use]
    pub fn is_string(self) -> bool {
        match self.syntax() {
            Syntax::Json(node) => node.is_string(),
            Syntax::Native(native) => native.is(Kind::Template) || native.is(Kind::Wrap),
            Syntax::Block(_) => false,
        }
    }

    /// Whether it is a string that has template sequences, or may have some.
    pub(crate) fn is_template(self) -> bool {
        match self.syntax() {
            Syntax::Json(node) => node.as_string().is_some_and(JsonString::may_be_template),
            Syntax::Native(native) => {
                native.is(Kind::Wrap) || native.is(Kind::Template) && literal_text(native).is_none()
            }
            Syntax::Block(_) => false,
        }
    }

    /// Whether it is a list or a map: an array or an object in JSON.
    #[must_use]
    pub fn is_container(self) -> bool {
        match self.syntax() {
            Syntax::Json(node) => node.is_object() || node.is_array(),
            Syntax::Native(native) => native.is(Kind::Tuple) || native.is(Kind::Object),
            Syntax::Block(_) => true,
        }
    }

    /// Whether it is a map: an object in JSON.
    pub(crate) fn is_map(self) -> bool {
        match self.syntax() {
            Syntax::Json(node) => node.is_object(),
            Syntax::Native(native) => native.is(Kind::Object),
            Syntax::Block(_) => true,
        }
    }

    /// Whether it is a list: an array in JSON.
    pub(crate) fn is_list(self) -> bool {
        match self.syntax() {
            Syntax::Json(node) => node.is_array(),
            Syntax::Native(native) => native.is(Kind::Tuple),
            Syntax::Block(_) => false,
        }
    }

    /// Its type, with an article: "an object", "a string", "null".
    #[must_use]
    pub fn type_name(self) -> &'static str {
        match self.syntax() {
            Syntax::Json(node) => node.type_name(),
            Syntax::Native(native) => native.type_name(),
            Syntax::Block(_) => "a block",
        }
    }

    /// The bytes as they are written in the source.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = 1 + 2\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// assert_eq!(file.body().just_attributes(&mut ())[0].expression().text(), b"1 + 2");
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn text(self) -> &'a [u8] {
        self.span().slice(self.source().bytes())
    }

    /// Its bytes.
    #[must_use]
    pub fn span(self) -> Span {
        match self.syntax() {
            Syntax::Json(node) => node.span(),
            Syntax::Native(native) => native.span(),
            Syntax::Block(level) => level.span(),
        }
    }

    /// The opening bracket of a list or map, the whole bytes of anything else.
    #[must_use]
    pub fn start_span(self) -> Span {
        match self.syntax() {
            Syntax::Json(node) => node.start_span(),
            _ if self.is_container() => {
                let start = self.span().start;
                Span::new(start, start + 1)
            }
            _ => self.span(),
        }
    }

    /// The place of the whole expression. See [`span`](Self::span).
    #[must_use]
    pub fn label(self) -> Label<'a> {
        Label::new(self.source(), self.span())
    }

    /// The place of its start. See [`start_span`](Self::start_span).
    #[must_use]
    pub fn start_label(self) -> Label<'a> {
        Label::new(self.source(), self.start_span())
    }

    /// The source that contains it.
    #[must_use]
    pub fn source(self) -> Source<'a> {
        match self.syntax() {
            Syntax::Json(node) => node.source(),
            Syntax::Native(native) => native.source(),
            Syntax::Block(level) => level.source(),
        }
    }

    /// Its literal form, without evaluation.
    pub(crate) fn literal(self) -> Literal<'a> {
        Literal::of(self.syntax())
    }

    /// The template of a JSON string, or the error in it; `None` for other values, and for strings
    /// without templates. It is parsed once, on first use.
    pub(crate) fn template(self) -> Option<Result<&'a Program<'a>, &'a Diagnostic<'a>>> {
        template(self.as_json()?.as_string()?)
    }

    /// The program to evaluate: the template of a valid JSON string, or a native expression.
    fn program(self) -> Option<Program<'a>> {
        match self.syntax() {
            Syntax::Json(node) => template(node.as_string()?)?.ok().copied(),
            Syntax::Native(native) => Some(native.program()),
            Syntax::Block(_) => None,
        }
    }

    /// The elements, if it is a static list: a JSON array, or `[…]`.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = [x, y]\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let a = file.body().just_attributes(&mut ())[0].expression();
    /// let names: Vec<_> = a.as_list().unwrap().map(|it| it.as_keyword().unwrap()).collect();
    /// assert_eq!(names, ["x", "y"]);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn as_list(self) -> Option<impl Iterator<Item = Self> + Clone + use<'a>> {
        Some(self.elements()?.map(Self::new))
    }

    pub(crate) fn elements(self) -> Option<Elements<'a>> {
        Elements::of(self.syntax())
    }

    pub(crate) fn entries(self) -> Option<Entries<'a>> {
        Entries::of(self.syntax())
    }

    /// The pairs, if it is a static map: a JSON object, or `{…}`. Duplicate keys are kept.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"a = { x = 1, y = 2 }\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let a = file.body().just_attributes(&mut ())[0].expression();
    /// let keys: Vec<_> = a.as_map().unwrap().map(|(key, _)| key.to_str()).collect();
    /// assert_eq!(keys, ["x", "y"]);
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn as_map(self) -> Option<impl Iterator<Item = (MapKey<'a>, Self)> + Clone + use<'a>> {
        Some(self.entries()?.map(|(key, value)| (key, Self::new(value))))
    }

    /// The value of the first pair with that key, if it is a static map. Cost: linear in the pairs
    /// before it.
    pub(crate) fn member(self, name: &str) -> Option<Self> {
        match self.syntax() {
            Syntax::Json(node) => node.as_object()?.get(name).map(Self::from_json),
            _ => self.as_map()?.find(|(key, _)| key.to_str() == name).map(|(_, value)| value),
        }
    }

    /// The part that a path leads to, as far as it is written as static lists and maps. Cost: linear in
    /// what is before each part.
    pub(crate) fn part(self, path: &[crate::value::PathStep<'_>]) -> Self {
        use crate::value::PathStep;
        let mut at = self;
        for step in path {
            let below = match *step {
                PathStep::Name(name) => at.member(name),
                PathStep::Place(place) => at.as_list().and_then(|mut list| list.nth(place)),
            };
            match below {
                Some(below) => at = below,
                None => break,
            }
        }
        at
    }

    /// The identifier, if it is a keyword: a JSON string with one identifier and optional
    /// whitespace; in native syntax a bare identifier.
    ///
    /// ```
    /// use simd_hcl::{Arena, ParsedFile, Source};
    ///
    /// let arena = Arena::new();
    /// let source = Source::from_bytes(&arena, "main.tf", b"type = string\n")?;
    /// let file = ParsedFile::native(&arena, source);
    /// let ty = file.body().just_attributes(&mut ())[0].expression();
    /// assert_eq!(ty.as_keyword(), Some("string"));
    /// # Ok::<(), simd_hcl::source::SourceError>(())
    /// ```
    #[must_use]
    pub fn as_keyword(self) -> Option<&'a str> {
        match self.syntax() {
            Syntax::Json(node) => {
                let word = node.to_str()?.trim_matches([' ', '\t', '\n']);
                is_identifier(word).then_some(word)
            }
            Syntax::Native(native) => match native.as_bare_traversal()?.steps() {
                [Step { kind: StepKind::Root(name), .. }] => Some(name),
                _ => None,
            },
            Syntax::Block(_) => None,
        }
    }

    /// [`Expression::as_list`], or a diagnostic that a list is required.
    pub fn list(
        self,
        sink: &mut dyn Sink<'a>,
    ) -> Option<impl Iterator<Item = Self> + Clone + use<'a>> {
        let list = self.as_list();
        if list.is_none() && !self.is_invalid() {
            sink.report(self.required(Code::StaticListRequired));
        }
        list
    }

    /// [`Expression::as_map`], or a diagnostic that a map is required.
    pub fn map(
        self,
        sink: &mut dyn Sink<'a>,
    ) -> Option<impl Iterator<Item = (MapKey<'a>, Self)> + Clone + use<'a>> {
        let map = self.as_map();
        if map.is_none() && !self.is_invalid() {
            sink.report(self.required(Code::StaticMapRequired));
        }
        map
    }

    /// [`Expression::as_keyword`], or a diagnostic that a keyword is required.
    pub fn keyword(self, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
        let keyword = self.as_keyword();
        if keyword.is_none() && !self.is_invalid() {
            sink.report(self.required(Code::KeywordRequired));
        }
        keyword
    }

    #[cold]
    pub(super) fn required(self, code: Code) -> Diagnostic<'a> {
        Diagnostic::new(code, self.start_label()).with_arguments(&[self.type_name()])
    }
}

impl std::fmt::Debug for Expression<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {:?}", self.type_name(), self.span())
    }
}

impl<'a> MapKey<'a> {
    /// The key as an expression, to be read statically.
    #[must_use]
    pub fn expression(self) -> Expression<'a> {
        match self.0 {
            Key::Json(name) => Expression::from_json(name.node()),
            Key::Native(key) => Expression::from_native(key),
            Key::Row(_) | Key::Label(..) => {
                Expression::from_native(Native::name(self.source(), self.to_str(), self.span()))
            }
        }
    }

    /// Whether it is computed by an expression that [marks itself](Expression::marks_itself).
    pub(crate) fn marks_itself(self) -> bool {
        has_introducer(self.to_str().as_bytes()) && self.expression().marks_itself()
    }
}

/// Whether `word` is `Identifier = ID_Start (ID_Continue | '-')*` of the HCL native syntax
/// specification. It may also start with an underscore.
///
/// ```
/// use simd_hcl::expression::is_identifier;
///
/// assert!(is_identifier("aws_instance") && is_identifier("web-1"));
/// assert!(!is_identifier("1web"));
/// ```
#[must_use]
pub fn is_identifier(word: &str) -> bool {
    crate::lexical::is_identifier(word)
}
