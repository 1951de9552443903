//! Files: bodies, blocks and attributes, which are opened on access.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString};
use simd_hcl::body::Body as LibraryBody;
use simd_hcl::convert::{to_json, to_native};
use simd_hcl::dialect::{List, root_schema};
use simd_hcl::format::{Style, format};
use simd_hcl::structure::{File, Item};
use simd_hcl::{Arena, Diagnostic as Found, Dialect, Expression, OwnedFile, Source, Span};

use crate::error::{self, Diagnostic, Range, raise};
use crate::files::kind_of;
use crate::hcl2::{self, Options};
use crate::json_hcl2;
use crate::shared::{
    AttributeFamily, AttributeView, BlockFamily, BlockView, BodyFamily, BodyView, FileFamily,
    Shared,
};
use crate::syntax::Tokens;
use crate::table::ObjectIterator;
use crate::value::{to_python, without_collector};

type Of<F> = Shared<F>;

/// A configuration file in either syntax.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct Document {
    file: Of<FileFamily>,
}

impl Document {
    fn dict<'py>(&self, py: Python<'py>, options: &Options) -> PyResult<Bound<'py, PyDict>> {
        self.file.with(|file| {
            raise(file.diagnostics())?;
            match file.as_native() {
                Some(native) => hcl2::file(py, native, options),
                None => {
                    if options.with_meta {
                        return Err(PyValueError::new_err(
                            "with_meta needs native syntax: use Document for the positions of JSON",
                        ));
                    }
                    if options.has_plain_values()
                        && let Some(document) = file.as_json()
                        && let Some(dict) = json_hcl2::file(py, document, options)?
                    {
                        return Ok(dict);
                    }
                    let text = self.native_text()?;
                    let arena = Arena::new();
                    let name = file.source().name();
                    let mut found: Vec<Found<'_>> = Vec::new();
                    let source = Source::copy_from(&arena, name, text.as_bytes())
                        .map_err(|error| PyValueError::new_err(error.to_string()))?;
                    let native = File::parse(&arena, source, &mut found);
                    raise(&found)?;
                    hcl2::file(py, native, options)
                }
            }
        })
    }

    fn new(file: OwnedFile, strict: bool) -> PyResult<Self> {
        let file = Shared::root(Arc::new(file));
        if strict {
            file.with(|file| raise(file.diagnostics()))?;
        }
        Ok(Self { file })
    }

    fn parse(py: Python<'_>, text: &[u8], name: &str, strict: bool) -> PyResult<Self> {
        Self::new(error::parse(py, name, text)?, strict)
    }

    fn native_text(&self) -> PyResult<String> {
        self.file.with(|file| {
            if let Some(native) = file.as_native() {
                return formatted(native, kind_of(file.source().name()));
            }
            let Some(document) = file.as_json() else { return Ok(String::new()) };
            let mut found: Vec<Found<'_>> = Vec::new();
            let kind = kind_of(file.source().name());
            let converted = to_native(document, kind, &|_, _| None, &mut found);
            raise(&found)?;
            Ok(converted.text)
        })
    }
}

/// A native file in canonical layout.
fn formatted(file: File<'_>, kind: Option<(Dialect, List)>) -> PyResult<String> {
    let style = match kind {
        Some((Dialect::Packer, _)) => Style::Packer,
        _ => Style::Tofu,
    };
    let mut found: Vec<Found<'_>> = Vec::new();
    match format(file, style, &mut found) {
        Some(text) => Ok(text),
        None => {
            if found.is_empty() {
                File::parse(file.source().arena(), file.source(), &mut found);
            }
            Err(error::exception(error::owned(&found)))
        }
    }
}

#[pymethods]
impl Document {
    /// Reads a file.
    #[staticmethod]
    #[pyo3(signature = (path, *, strict=true))]
    fn open(py: Python<'_>, path: PathBuf, strict: bool) -> PyResult<Self> {
        Self::new(error::open(py, &path)?, strict)
    }

    /// Parses a text. The name decides the syntax and the dialect.
    #[staticmethod]
    #[pyo3(signature = (text, *, name="main.tf", strict=true))]
    #[pyo3(name = "parse")]
    fn parse_text(py: Python<'_>, text: Bytes, name: &str, strict: bool) -> PyResult<Self> {
        Self::parse(py, text.as_ref(), name, strict)
    }

    #[getter]
    fn name(&self) -> String {
        self.file.with(|file| file.source().name().to_owned())
    }

    #[getter]
    fn syntax(&self) -> &'static str {
        self.file.with(|file| if file.as_json().is_some() { "json" } else { "native" })
    }

    #[getter]
    fn dialect(&self) -> Option<String> {
        let kind = self.file.with(|file| kind_of(file.source().name()));
        kind.map(|(dialect, _)| dialect.to_string())
    }

    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.file.with(|file| error::owned(file.diagnostics()))
    }

    /// The attributes and blocks of the file.
    #[getter]
    fn body(&self) -> Body {
        Body(self.file.map::<BodyFamily>(|file, _| match file.as_native() {
            Some(native) => BodyView::Native(native.body()),
            None => {
                let kind = kind_of(file.source().name());
                let schema = kind.and_then(|(dialect, list)| root_schema(dialect, list));
                BodyView::Json(file.body(), schema)
            }
        }))
    }

    /// The references in all expressions, in source order.
    #[getter]
    fn references(&self, py: Python<'_>) -> Vec<Reference> {
        let file = &self.file;
        py.detach(|| {
            let mut references = Vec::new();
            file.with(|file| {
                file.visit_references(&mut (), |traversal| {
                    references.push(Reference::of(traversal));
                });
            });
            references
        })
    }

    /// The file as `simd_hcl.load` returns it.
    #[pyo3(signature = (serialization_options=None))]
    fn to_dict<'py>(
        &self,
        py: Python<'py>,
        serialization_options: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = Options::of(serialization_options.as_ref())?;
        let len = self.file.with(|file| file.source().bytes().len());
        without_collector(py, len, || self.dict(py, &options))
    }

    /// The file in native syntax, in canonical layout.
    fn to_native(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.native_text())
    }

    /// The file in JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| {
            self.file.with(|file| match file.as_native() {
                Some(native) => {
                    raise(file.diagnostics())?;
                    let mut found = Vec::new();
                    let converted = to_json(native, kind_of(file.source().name()), &mut found);
                    raise(&found)?;
                    Ok(converted.text)
                }
                None => Ok(String::from_utf8_lossy(file.source().bytes()).into_owned()),
            })
        })
    }

    fn __iter__(&self) -> ObjectIterator {
        self.body().__iter__()
    }

    fn __repr__(&self) -> String {
        format!("Document({:?})", self.name())
    }
}

/// Text: `str`, `bytes` or `bytearray`. The first two are not copied.
pub(crate) enum Bytes {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl FromPyObject<'_, '_> for Bytes {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Ok(Self::Text(object.extract()?));
        }
        if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>() {
            return Ok(Self::Bytes(object.extract()?));
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!("expected str, bytes or bytearray, not {kind}")))
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// Parses a text and returns it as `loads` does.
#[pyfunction]
#[pyo3(signature = (text, name, serialization_options=None))]
pub(crate) fn loads<'py>(
    py: Python<'py>,
    text: Bytes,
    name: &str,
    serialization_options: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    Document::parse(py, text.as_ref(), name, true)?.to_dict(py, serialization_options)
}

/// Reads a file and returns it as `load` does.
#[pyfunction]
#[pyo3(signature = (path, serialization_options=None))]
pub(crate) fn load<'py>(
    py: Python<'py>,
    path: PathBuf,
    serialization_options: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    Document::open(py, path, true)?.to_dict(py, serialization_options)
}

/// Returns a text in native syntax in canonical layout.
#[pyfunction(name = "format")]
#[pyo3(signature = (text, *, name="main.tf"))]
pub(crate) fn format_text(py: Python<'_>, text: Bytes, name: &str) -> PyResult<String> {
    layout(py, text.as_ref(), name)
}

/// See [`format_text`].
pub(crate) fn layout(py: Python<'_>, text: &[u8], name: &str) -> PyResult<String> {
    py.detach(|| {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, name, text)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let mut found: Vec<Found<'_>> = Vec::new();
        let file = File::parse(&arena, source, &mut found);
        raise(&found)?;
        formatted(file, kind_of(name))
    })
}

/// Converts a text to the other syntax: its name decides which one it is in.
#[pyfunction]
#[pyo3(signature = (text, *, to, name="main.tf"))]
pub(crate) fn convert(py: Python<'_>, text: Bytes, to: &str, name: &str) -> PyResult<String> {
    match to {
        "json" => Document::parse(py, text.as_ref(), name, true)?.to_json(py),
        "native" => Document::parse(py, text.as_ref(), name, true)?.to_native(py),
        _ => Err(PyValueError::new_err(format!("to must be 'json' or 'native', not {to:?}"))),
    }
}

/// Converts a text in native syntax to JSON.
pub(crate) fn json_of(py: Python<'_>, text: &[u8], name: &str) -> PyResult<String> {
    Document::parse(py, text, name, true)?.to_json(py)
}

/// An item of a body.
enum View<'a> {
    Attribute(AttributeView<'a>),
    Block(BlockView<'a>),
}

impl<'a> BodyView<'a> {
    /// Its items, in source order.
    fn items(self) -> Vec<View<'a>> {
        match self {
            Self::Native(body) => body
                .items()
                .map(|item| match item {
                    Item::Attribute(attribute) => View::Attribute(AttributeView::Native(attribute)),
                    Item::Block(block) => View::Block(BlockView::Native(block)),
                })
                .collect(),
            Self::Json(body, None) => of_properties(body).collect(),
            Self::Json(body, Some(schema)) => {
                let (content, rest) = body.partial_content(schema, &mut ());
                let blocks =
                    content.all_blocks().iter().map(|it| View::Block(BlockView::Json(*it)));
                let own = content.attributes().iter();
                let own = own.map(|it| View::Attribute(AttributeView::Json(*it)));
                let mut items: Vec<_> = blocks.chain(own).chain(of_properties(rest)).collect();
                items.sort_by_key(View::start);
                items
            }
        }
    }

    fn span(self) -> Option<(Source<'a>, Span)> {
        match self {
            Self::Native(body) => Some((body.source(), body.span())),
            Self::Json(body, _) => body.as_json().map(|node| (node.source(), node.span())),
        }
    }
}

fn of_properties<'a>(body: LibraryBody<'a>) -> impl Iterator<Item = View<'a>> {
    body.properties().map(|it| View::Attribute(AttributeView::Json(it)))
}

impl View<'_> {
    fn start(&self) -> u32 {
        match self {
            Self::Attribute(AttributeView::Native(it)) => it.span().start,
            Self::Attribute(AttributeView::Json(it)) => it.span().start,
            Self::Block(BlockView::Native(it)) => it.span().start,
            Self::Block(BlockView::Json(it)) => it.span().start,
        }
    }
}

impl<'a> BlockView<'a> {
    fn source(self) -> Source<'a> {
        match self {
            Self::Native(block) => block.source(),
            Self::Json(block) => block.source(),
        }
    }

    fn block_type(self) -> &'a str {
        match self {
            Self::Native(block) => block.block_type(),
            Self::Json(block) => block.block_type(),
        }
    }

    fn labels(self) -> Vec<&'a str> {
        match self {
            Self::Native(block) => block.labels().collect(),
            Self::Json(block) => block.labels().collect(),
        }
    }

    fn label_spans(self) -> Vec<Span> {
        match self {
            Self::Native(block) => block.label_spans().collect(),
            Self::Json(block) => block.label_spans().collect(),
        }
    }

    pub(crate) fn span(self) -> Span {
        match self {
            Self::Native(block) => block.span(),
            Self::Json(block) => block.span(),
        }
    }

    pub(crate) fn definition_span(self) -> Span {
        match self {
            Self::Native(block) => block.definition_span(),
            Self::Json(block) => block.definition_span(),
        }
    }
}

impl<'a> AttributeView<'a> {
    fn source(self) -> Source<'a> {
        match self {
            Self::Native(attribute) => attribute.source(),
            Self::Json(attribute) => attribute.source(),
        }
    }

    fn name(self) -> &'a str {
        match self {
            Self::Native(attribute) => attribute.name(),
            Self::Json(attribute) => attribute.name(),
        }
    }

    fn name_span(self) -> Span {
        match self {
            Self::Native(attribute) => attribute.name_span(),
            Self::Json(attribute) => attribute.name_span(),
        }
    }

    fn span(self) -> Span {
        match self {
            Self::Native(attribute) => attribute.span(),
            Self::Json(attribute) => attribute.span(),
        }
    }

    fn value_span(self) -> Span {
        match self {
            Self::Native(attribute) => attribute.value_span(),
            Self::Json(attribute) => attribute.expression().span(),
        }
    }

    fn expression(self) -> PyResult<Expression<'a>> {
        match self {
            Self::Native(attribute) => match attribute.expression() {
                Ok(expression) => Ok(Expression::from_native(expression)),
                Err(found) => Err(error::exception(error::owned(std::slice::from_ref(found)))),
            },
            Self::Json(attribute) => Ok(attribute.expression()),
        }
    }
}

/// The attributes and blocks of a file or a block.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct Body(Of<BodyFamily>);

impl Body {
    fn attributes_of(&self) -> Vec<Of<AttributeFamily>> {
        self.0.map_all::<AttributeFamily>(|body, _| {
            let attribute = |item| match item {
                View::Attribute(attribute) => Some(attribute),
                View::Block(_) => None,
            };
            body.items().into_iter().filter_map(attribute).collect()
        })
    }

    fn find(&self, name: &str) -> Option<Attribute> {
        let found = self.0.try_map::<AttributeFamily>(|body, _| {
            body.items().into_iter().find_map(|item| match item {
                View::Attribute(attribute) => (attribute.name() == name).then_some(attribute),
                View::Block(_) => None,
            })
        });
        found.map(Attribute)
    }
}

#[pymethods]
impl Body {
    /// The attributes by name.
    #[getter]
    pub(crate) fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for attribute in self.attributes_of() {
            let name = attribute.with(|it| it.name().to_owned());
            // Of several with the same name, the first one counts.
            if !dict.contains(&name)? {
                dict.set_item(name, Py::new(py, Attribute(attribute))?)?;
            }
        }
        Ok(dict)
    }

    /// The blocks, or those of a type and with these first labels.
    #[pyo3(signature = (block_type=None, *labels))]
    fn blocks(&self, block_type: Option<&str>, labels: Vec<String>) -> Vec<Block> {
        let blocks = self.0.map_all::<BlockFamily>(|body, _| {
            let is_wanted = |block: BlockView<'_>| {
                let own = block.labels();
                block_type.is_none_or(|wanted| wanted == block.block_type())
                    && labels.len() <= own.len()
                    && labels.iter().zip(own).all(|(wanted, label)| wanted == label)
            };
            let block = |item| match item {
                View::Block(block) if is_wanted(block) => Some(block),
                _ => None,
            };
            body.items().into_iter().filter_map(block).collect()
        });
        blocks.into_iter().map(Block).collect()
    }

    /// The attribute of a name.
    fn get(&self, name: &str) -> Option<Attribute> {
        self.find(name)
    }

    #[getter]
    fn range(&self) -> Option<Range> {
        self.0.with(|body| body.span().map(|(source, span)| Range::of(source, span)))
    }

    fn __getitem__(&self, name: &str) -> PyResult<Attribute> {
        self.find(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __contains__(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn __len__(&self) -> usize {
        self.0.with(|body| body.items().len())
    }

    fn __iter__(&self) -> ObjectIterator {
        enum Kind {
            Attribute,
            Block,
        }
        let kinds = self.0.with(|body| {
            let kind = |item: &View<'_>| match item {
                View::Attribute(_) => Kind::Attribute,
                View::Block(_) => Kind::Block,
            };
            body.items().iter().map(kind).collect::<Vec<_>>()
        });
        let mut attributes = self.attributes_of().into_iter();
        let mut blocks = self.blocks(None, Vec::new()).into_iter();
        let mut kinds = kinds.into_iter();
        ObjectIterator::new(move |py| {
            Some(match kinds.next()? {
                Kind::Attribute => Py::new(py, Attribute(attributes.next()?)).map(Py::into_any),
                Kind::Block => Py::new(py, blocks.next()?).map(Py::into_any),
            })
        })
    }
}

/// A block.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct Block(pub(crate) Of<BlockFamily>);

#[pymethods]
impl Block {
    #[getter]
    fn r#type(&self) -> String {
        self.0.with(|block| block.block_type().to_owned())
    }

    #[getter]
    pub(crate) fn labels(&self) -> Vec<String> {
        self.0.with(|block| block.labels().into_iter().map(str::to_owned).collect())
    }

    #[getter]
    pub(crate) fn body(&self) -> Body {
        Body(self.0.map::<BodyFamily>(|block, _| match block {
            BlockView::Native(block) => BodyView::Native(block.body()),
            BlockView::Json(block) => BodyView::Json(block.body(), None),
        }))
    }

    /// All of the block.
    #[getter]
    fn range(&self) -> Range {
        self.0.with(|block| Range::of(block.source(), block.span()))
    }

    /// The type and the labels.
    #[getter]
    fn header_range(&self) -> Range {
        self.0.with(|block| Range::of(block.source(), block.definition_span()))
    }

    #[getter]
    fn label_ranges(&self) -> Vec<Range> {
        self.0.with(|block| {
            let range = |span| Range::of(block.source(), span);
            block.label_spans().into_iter().map(range).collect()
        })
    }

    /// The block as it is written.
    #[getter]
    fn text(&self) -> String {
        self.0.with(|block| written(block.source(), block.span()))
    }

    fn __iter__(&self) -> ObjectIterator {
        self.body().__iter__()
    }

    fn __getitem__(&self, name: &str) -> PyResult<Attribute> {
        self.body().__getitem__(name)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.body().__contains__(name)
    }

    fn __repr__(&self) -> String {
        let labels: String = self.labels().iter().map(|label| format!(" {label:?}")).collect();
        format!("<Block {}{labels}>", self.r#type())
    }
}

fn written(source: Source<'_>, span: Span) -> String {
    let bytes = source.bytes().get(span.start as usize..span.end as usize).unwrap_or_default();
    String::from_utf8_lossy(bytes).into_owned()
}

/// An attribute.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct Attribute(Of<AttributeFamily>);

#[pymethods]
impl Attribute {
    #[getter]
    fn name(&self) -> String {
        self.0.with(|attribute| attribute.name().to_owned())
    }

    /// The value as Python data. Strings have no quotes; an expression is `"${…}"`.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.with(|attribute| match attribute {
            AttributeView::Native(native) => {
                attribute.expression()?;
                let tokens = Tokens::new(hcl2::text_of(native));
                hcl2::value(py, &tokens, &Options::PLAIN)
            }
            AttributeView::Json(json) => match json.expression().as_json() {
                Some(node) => to_python(py, node),
                None => Ok(py.None().into_bound(py)),
            },
        })
    }

    /// The value as it is written.
    #[getter]
    fn text(&self) -> String {
        self.0.with(|attribute| written(attribute.source(), attribute.value_span()))
    }

    /// The references in the value, in source order.
    #[getter]
    fn references(&self) -> PyResult<Vec<Reference>> {
        self.0.with(|attribute| {
            let expression = attribute.expression()?;
            Ok(expression.variables().map(Reference::of).collect())
        })
    }

    /// From the name to the end of the value.
    #[getter]
    fn range(&self) -> Range {
        self.0.with(|attribute| Range::of(attribute.source(), attribute.span()))
    }

    #[getter]
    fn name_range(&self) -> Range {
        self.0.with(|attribute| Range::of(attribute.source(), attribute.name_span()))
    }

    #[getter]
    fn value_range(&self) -> Range {
        self.0.with(|attribute| Range::of(attribute.source(), attribute.value_span()))
    }

    fn __repr__(&self) -> String {
        format!("<Attribute {}>", self.name())
    }
}

/// A reference in an expression, such as `var.region`.
#[pyclass(frozen, module = "simd_hcl")]
pub(crate) struct Reference {
    #[pyo3(get)]
    text: String,
    #[pyo3(get)]
    root: String,
    #[pyo3(get)]
    range: Range,
}

impl Reference {
    fn of(traversal: simd_hcl::native::LentTraversal<'_, '_>) -> Self {
        Self {
            text: traversal.to_string(),
            root: traversal.root_name().to_owned(),
            range: Range::of(traversal.source(), traversal.span()),
        }
    }
}

#[pymethods]
impl Reference {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Reference {}>", self.text)
    }
}
