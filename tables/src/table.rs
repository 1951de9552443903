//! Tables: their names, columns and docs, and the builders of their rows.
//!
//! The macro `table!` defines a table once: the Arrow schema, the row that Rust code fills in, and the
//! page `docs/tables.md` all come from the same definition.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use arrow::array::builder::{
    BooleanBuilder, ListBuilder, MapBuilder, MapFieldNames, StringBuilder, StringViewBuilder,
    UInt32Builder, UInt64Builder,
};
use arrow::array::{ArrayBuilder as _, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::compute::take;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use simd_hcl::show::rows::{self, ColumnType};
use simd_hcl::{Source, Span};

use crate::copies::Copies;

/// The version of the columns. The first number changes when a column is removed or changes its
/// meaning, the second one when a table or a column is added.
pub const VERSION: (u32, u32) = (1, 3);

/// The key of [`VERSION`] in the metadata of every schema.
pub const VERSION_KEY: &str = "simd_hcl.tables.version";

/// The key of the docs in the metadata of a schema and its fields.
pub const DOC_KEY: &str = "description";

/// Stands for a value that is hidden.
pub const HIDDEN: &str = "(sensitive)";

/// The kind of input that the rows of a table are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Files of configuration, each one alone.
    File,
    /// All files of a module.
    Module,
    /// Modules together with those they call.
    Tree,
    /// Plans.
    Plan,
    /// States.
    State,
    /// Schemas of providers.
    Schemas,
}

impl Origin {
    /// Whether the rows come from plans, states or schemas.
    #[must_use]
    pub fn is_document(self) -> bool {
        matches!(self, Self::Plan | Self::State | Self::Schemas)
    }
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8.
    Text,
    /// An unsigned integer of 64 bits.
    Number,
    /// True or false.
    Flag,
    /// A list of texts.
    Texts,
    /// A map from texts to texts.
    Map,
}

/// The names of the parts of maps, which are those that Parquet asks for.
fn map_names() -> MapFieldNames {
    let [entry, key, value] = ["key_value", "key", "value"].map(str::to_owned);
    MapFieldNames { entry, key, value }
}

impl Kind {
    /// The type in Arrow.
    #[must_use]
    pub fn data_type(self) -> DataType {
        match self {
            Self::Text => DataType::Utf8View,
            Self::Number => DataType::UInt64,
            Self::Flag => DataType::Boolean,
            Self::Texts => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))),
            Self::Map => {
                let names = map_names();
                let key = Field::new(names.key, DataType::Utf8, false);
                let value = Field::new(names.value, DataType::Utf8, true);
                let entry = DataType::Struct(vec![key, value].into());
                DataType::Map(Arc::new(Field::new(names.entry, entry, false)), false)
            }
        }
    }

    /// The type in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "integer",
            Self::Flag => "boolean",
            Self::Texts => "list of texts",
            Self::Map => "map of texts",
        }
    }
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type. Every column may be null.
    pub kind: Kind,
    /// Its description.
    pub doc: &'static str,
}

impl Column {
    /// A column of a row of the library.
    const fn of(column: &rows::Column) -> Self {
        let kind = match column.kind {
            ColumnType::Number => Kind::Number,
            ColumnType::Flag => Kind::Flag,
            ColumnType::Texts => Kind::Texts,
            _ => Kind::Text,
        };
        Self { name: column.name, kind, doc: column.doc }
    }

    /// The column of a row of the library that is called `name`, under another name. Does not compile
    /// if there is none.
    pub(crate) const fn named(columns: &[rows::Column], name: &str, new: &'static str) -> Self {
        let mut at = 0;
        while at < columns.len() {
            if is_same(columns[at].name.as_bytes(), name.as_bytes()) {
                let Self { kind, doc, .. } = Self::of(&columns[at]);
                return Self { name: new, kind, doc };
            }
            at += 1;
        }
        panic!("a row has no such column")
    }
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The columns of a row of the library, and then others: `LEN` together.
pub(crate) const fn columns_of<const LEN: usize>(
    columns: &[rows::Column],
    others: &[Column],
) -> [Column; LEN] {
    let mut all = [Column { name: "", kind: Kind::Text, doc: "" }; LEN];
    let mut at = 0;
    while at < LEN {
        all[at] = match at < columns.len() {
            true => Column::of(&columns[at]),
            false => others[at - columns.len()],
        };
        at += 1;
    }
    all
}

/// A table.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The kind of input that it is read from.
    pub origin: Origin,
    /// The description of a row.
    pub doc: &'static str,
    /// The columns of its own; [`PLACE`] follows them.
    pub columns: &'static [Column],
    #[doc(hidden)]
    pub schema: OnceLock<SchemaRef>,
}

/// The columns at the end of every table: where a row was read.
pub const PLACE: &[Column] = &[
    Column {
        name: "repository",
        kind: Kind::Text,
        doc: "Directory of the repository that has the file: the nearest one with `.git`, otherwise the path that was given",
    },
    Column { name: "path", kind: Kind::Text, doc: "File" },
    Column { name: "line", kind: Kind::Number, doc: "Line of the first byte, from 1" },
    Column { name: "start_byte", kind: Kind::Number, doc: "Offset of the first byte, from 0" },
    Column { name: "end_byte", kind: Kind::Number, doc: "Offset after the last byte, from 0" },
    Column {
        name: "content_hash",
        kind: Kind::Text,
        doc: "First 128 bits of the BLAKE3 hash of the file's bytes, in hexadecimal digits",
    },
];

impl Table {
    /// The doc on one line.
    #[must_use]
    pub fn doc_line(&self) -> String {
        self.doc.lines().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// All columns, in the order of the schema.
    pub fn all_columns(&self) -> impl Iterator<Item = &'static Column> {
        self.columns.iter().chain(PLACE)
    }

    /// The number of the column with a name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.all_columns().position(|column| column.name == name)
    }

    /// The schema, with docs as metadata.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(self.schema.get_or_init(|| self.new_schema()))
    }

    fn new_schema(&self) -> SchemaRef {
        let fields: Vec<Field> = self
            .all_columns()
            .map(|column| {
                let doc = [(DOC_KEY.to_owned(), column.doc.to_owned())];
                Field::new(column.name, column.kind.data_type(), true)
                    .with_metadata(HashMap::from(doc))
            })
            .collect();
        let metadata = [
            (VERSION_KEY.to_owned(), format!("{}.{}", VERSION.0, VERSION.1)),
            (DOC_KEY.to_owned(), self.doc.to_owned()),
        ];
        Arc::new(Schema::new_with_metadata(fields, HashMap::from(metadata)))
    }
}

/// A cell of a row.
#[derive(Debug)]
#[doc(hidden)]
pub enum Cell<'c> {
    Text(Option<&'c str>),
    Number(Option<u64>),
    Flag(Option<bool>),
    Texts(Option<&'c [String]>),
    Map(Option<&'c [(String, Option<String>)]>),
}

/// Where a row was read.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    /// The directory of the repository.
    pub repository: &'p str,
    /// The file.
    pub path: &'p str,
    /// The line, and the bytes; `None` for a directory, or a path that cannot be read.
    pub at: Option<(u64, u64, u64)>,
    /// The hash of the file; empty if it was not asked for, or there is no file.
    pub hash: &'p str,
}

/// The line and the bytes of a span. The first line of a source costs a pass over its bytes: 0 stands
/// for one that no table wants.
pub(crate) fn at(source: Source<'_>, span: Span, wants_line: bool) -> (u64, u64, u64) {
    let line = if wants_line { source.position(span.start).line } else { 0 };
    (line, span.start.into(), span.end.into())
}

/// The lines of a source at offsets that hardly ever are far from the one before.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    source: Source<'a>,
    /// Whether a table wants lines; otherwise they are 0.
    is_wanted: bool,
    /// The last offset, and its line.
    last: std::cell::Cell<(u32, u64)>,
}

impl<'a> Lines<'a> {
    /// The number of bytes that are counted. Rows of nested blocks may jump to and fro, and a file
    /// would be counted once for each of them.
    const NEAR: u32 = 4096;

    pub(crate) fn new(source: Source<'a>, is_wanted: bool) -> Self {
        Self { source, is_wanted, last: std::cell::Cell::new((0, 1)) }
    }

    /// The line of the first byte, and the bytes of a span.
    pub(crate) fn at(&self, span: Span) -> (u64, u64, u64) {
        let line = if self.is_wanted { self.line(span.start) } else { 0 };
        (line, span.start.into(), span.end.into())
    }

    fn line(&self, offset: u32) -> u64 {
        let (last, line) = self.last.get();
        let between = last.min(offset) as usize..last.max(offset) as usize;
        let bytes = match last.abs_diff(offset) <= Self::NEAR {
            true => self.source.bytes().get(between),
            false => None,
        };
        let line = match bytes {
            Some(bytes) => {
                let count = memchr::memchr_iter(b'\n', bytes).count() as u64;
                if offset < last { line - count } else { line + count }
            }
            None => self.source.position(offset).line,
        };
        self.last.set((offset, line));
        line
    }
}

/// The columns that have directories and files.
pub(crate) const PATHS: [&str; 6] =
    ["repository", "path", "module", "from_module", "to_module", "root"];

/// Texts that are often those of the rows before.
#[derive(Debug, Default)]
struct Repeated {
    /// The texts that differ from the ones before.
    texts: StringViewBuilder,
    /// The last one of them, as it was before it was renamed.
    last: Option<String>,
    /// The text of each row, by its number.
    rows: UInt32Builder,
    copies: Copies,
}

impl Repeated {
    fn push(&mut self, text: Option<&str>) {
        let Some(text) = text else { return self.rows.append_null() };
        if self.last.as_deref() != Some(text) {
            self.texts.append_value(self.copies.name_of(text));
            self.last = Some(text.to_owned());
        }
        // A batch has no more rows than fit.
        self.rows.append_value(u32::try_from(self.texts.len() - 1).unwrap_or(u32::MAX));
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.last = None;
        take(&self.texts.finish(), &self.rows.finish(), None)
    }
}

#[derive(Debug)]
enum Builder {
    Text(StringViewBuilder),
    /// A text that is often that of the row before: the rows share its bytes.
    Repeated(Repeated),
    Number(UInt64Builder),
    Flag(BooleanBuilder),
    Texts(ListBuilder<StringBuilder>),
    Map(MapBuilder<StringBuilder, StringBuilder>),
}

impl Builder {
    fn new(column: &Column) -> Self {
        match column.kind {
            Kind::Text if PATHS.contains(&column.name) || column.name == "content_hash" => {
                Self::Repeated(Repeated::default())
            }
            Kind::Text => Self::Text(StringViewBuilder::new()),
            Kind::Number => Self::Number(UInt64Builder::new()),
            Kind::Flag => Self::Flag(BooleanBuilder::new()),
            Kind::Texts => Self::Texts(ListBuilder::new(StringBuilder::new())),
            Kind::Map => {
                let (keys, values) = (StringBuilder::new(), StringBuilder::new());
                Self::Map(MapBuilder::new(Some(map_names()), keys, values))
            }
        }
    }

    fn push(&mut self, cell: &Cell<'_>) {
        match (self, cell) {
            (Self::Text(builder), Cell::Text(text)) => builder.append_option(*text),
            (Self::Repeated(repeated), Cell::Text(text)) => repeated.push(*text),
            (Self::Number(builder), Cell::Number(number)) => builder.append_option(*number),
            (Self::Flag(builder), Cell::Flag(flag)) => builder.append_option(*flag),
            (Self::Texts(builder), Cell::Texts(texts)) => {
                builder.append_option(texts.map(|texts| texts.iter().map(Some)));
            }
            (Self::Map(builder), Cell::Map(pairs)) => push_map(builder, *pairs),
            // The definitions of tables pair them.
            _ => unreachable!("a cell has the type of its column"),
        }
    }

    /// Adds what a row of the library has in the column.
    fn push_cell(&mut self, cell: &rows::Cell<'_>) {
        let text = |cell: &rows::Cell<'_>| match cell {
            rows::Cell::Absent => None,
            rows::Cell::Hidden => Some(HIDDEN.to_owned()),
            cell => Some(cell.to_text().into_owned()),
        };
        match (self, cell) {
            (Self::Number(builder), rows::Cell::Number(number)) => builder.append_value(*number),
            (Self::Number(builder), _) => builder.append_null(),
            (Self::Flag(builder), rows::Cell::Flag(flag)) => builder.append_value(*flag),
            (Self::Flag(builder), _) => builder.append_null(),
            (Self::Texts(builder), rows::Cell::Texts(texts)) => {
                builder.append_value(texts.iter().map(Some));
            }
            (Self::Texts(builder), _) => builder.append_null(),
            // Rows of the library have no maps.
            (Self::Map(builder), _) => push_map(builder, None),
            (Self::Text(builder), cell) => builder.append_option(text(cell)),
            (Self::Repeated(repeated), cell) => repeated.push(text(cell).as_deref()),
        }
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Repeated(repeated) => repeated.finish()?,
            Self::Number(builder) => Arc::new(builder.finish()),
            Self::Flag(builder) => Arc::new(builder.finish()),
            Self::Texts(builder) => Arc::new(builder.finish()),
            Self::Map(builder) => Arc::new(builder.finish()),
        })
    }
}

/// Adds a map; `None` for null.
fn push_map(
    builder: &mut MapBuilder<StringBuilder, StringBuilder>,
    pairs: Option<&[(String, Option<String>)]>,
) {
    for (key, value) in pairs.unwrap_or_default() {
        builder.keys().append_value(key);
        builder.values().append_option(value.as_deref());
    }
    // Fails if keys and values differ in number, and they do not.
    let _ = builder.append(pairs.is_some());
}

/// Rows of a table that are being built: only the columns that are asked for.
#[derive(Debug)]
pub struct Rows {
    table: &'static Table,
    schema: SchemaRef,
    /// The columns in the order that is asked for, each with its place in the table.
    builders: Vec<(usize, Builder)>,
    /// Their names.
    names: Vec<&'static str>,
    len: usize,
}

impl Rows {
    /// Names copies by their URLs from now on.
    pub(crate) fn set_copies(&mut self, copies: &Copies) {
        for (_, builder) in &mut self.builders {
            if let Builder::Repeated(repeated) = builder {
                (repeated.last, repeated.copies) = (None, copies.clone());
            }
        }
    }

    /// Builds these columns, in this order; `None` for all.
    ///
    /// # Errors
    /// A column that the table does not have.
    pub fn new(table: &'static Table, projection: Option<&[usize]>) -> Result<Self, ArrowError> {
        let all: Vec<usize> = (0..table.all_columns().count()).collect();
        let schema = match projection {
            Some(projection) => Arc::new(table.schema().project(projection)?),
            None => table.schema(),
        };
        let projection = projection.unwrap_or(&all);
        let columns: Vec<&Column> = table.all_columns().collect();
        let builders =
            projection.iter().map(|place| (*place, Builder::new(columns[*place]))).collect();
        let names = projection.iter().map(|place| columns[*place].name).collect();
        Ok(Self { table, schema, builders, names, len: 0 })
    }

    /// The schema of the columns that are asked for.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a column is asked for.
    #[must_use]
    pub fn wants(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    #[doc(hidden)]
    pub fn push(&mut self, cells: &[Cell<'_>], place: Place<'_>) {
        self.push_by(place, |column, _, builder| builder.push(&cells[column]));
    }

    /// Adds a row whose cells are those of a row of the library, by the name of their column. Reads
    /// only the columns that are asked for.
    pub(crate) fn push_cells<'a>(
        &mut self,
        place: Place<'_>,
        cell: impl Fn(&'static str) -> rows::Cell<'a>,
    ) {
        self.push_by(place, |_, name, builder| builder.push_cell(&cell(name)));
    }

    fn push_by(&mut self, place: Place<'_>, push: impl Fn(usize, &'static str, &mut Builder)) {
        let own = self.table.columns.len();
        for ((column, builder), name) in self.builders.iter_mut().zip(&self.names) {
            match column.checked_sub(own) {
                None => push(*column, name, builder),
                Some(column) => builder.push(&match column {
                    0 => Cell::Text(Some(place.repository)),
                    1 => Cell::Text(Some(place.path)),
                    2 => Cell::Number(place.at.map(|at| at.0)),
                    3 => Cell::Number(place.at.map(|at| at.1)),
                    4 => Cell::Number(place.at.map(|at| at.2)),
                    _ => Cell::Text(Some(place.hash).filter(|hash| !hash.is_empty())),
                }),
            }
        }
        self.len += 1;
    }

    /// Returns the rows, and starts again without any.
    ///
    /// # Errors
    /// Arrow refuses the columns; none is known.
    pub fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let columns = self.builders.iter_mut().map(|(_, builder)| builder.finish());
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(self.len));
        self.len = 0;
        RecordBatch::try_new_with_options(self.schema(), columns, &options)
    }
}

/// The text of a cell.
pub type Text<'a> = Option<Cow<'a, str>>;

#[doc(hidden)]
pub trait ToCell {
    fn to_cell(&self) -> Cell<'_>;
}

impl ToCell for Text<'_> {
    fn to_cell(&self) -> Cell<'_> {
        Cell::Text(self.as_deref())
    }
}

impl ToCell for Option<u64> {
    fn to_cell(&self) -> Cell<'_> {
        Cell::Number(*self)
    }
}

impl ToCell for Option<bool> {
    fn to_cell(&self) -> Cell<'_> {
        Cell::Flag(*self)
    }
}

impl ToCell for Option<Vec<String>> {
    fn to_cell(&self) -> Cell<'_> {
        Cell::Texts(self.as_deref())
    }
}

impl ToCell for Option<Vec<(String, Option<String>)>> {
    fn to_cell(&self) -> Cell<'_> {
        Cell::Map(self.as_deref())
    }
}

macro_rules! kind_of {
    (Text) => {
        $crate::table::Kind::Text
    };
    (Number) => {
        $crate::table::Kind::Number
    };
    (Flag) => {
        $crate::table::Kind::Flag
    };
    (Texts) => {
        $crate::table::Kind::Texts
    };
    (Map) => {
        $crate::table::Kind::Map
    };
}

macro_rules! type_of {
    ($life:lifetime Text) => {
        $crate::table::Text<$life>
    };
    ($life:lifetime Number) => {
        Option<u64>
    };
    ($life:lifetime Flag) => {
        Option<bool>
    };
    ($life:lifetime Texts) => {
        Option<Vec<String>>
    };
    ($life:lifetime Map) => {
        Option<Vec<(String, Option<String>)>>
    };
}

/// Defines a table and its row.
macro_rules! table {
    (
        $(#[doc = $doc:literal])+
        $row:ident $table:ident $name:literal of $origin:ident {
            $($field:ident $column:literal $kind:ident $about:literal;)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Default)]
        pub struct $row<'a> {
            $(#[doc = $about] pub $field: $crate::table::type_of!('a $kind),)+
            /// Rows of tables without texts would not use the lifetime.
            pub(crate) lifetime: std::marker::PhantomData<&'a ()>,
        }

        #[doc = concat!("The table `", $name, "`.")]
        pub static $table: $crate::table::Table = $crate::table::Table {
            name: $name,
            origin: $crate::table::Origin::$origin,
            doc: concat!($($doc, "\n"),+).trim_ascii(),
            columns: &[$(
                $crate::table::Column {
                    name: $column,
                    kind: $crate::table::kind_of!($kind),
                    doc: $about,
                },
            )+],
            schema: std::sync::OnceLock::new(),
        };

        impl $row<'_> {
            /// Adds the row.
            pub fn add(&self, rows: &mut $crate::table::Rows, place: $crate::table::Place<'_>) {
                use $crate::table::ToCell as _;
                rows.push(&[$(self.$field.to_cell()),+], place);
            }
        }
    };
}

pub(crate) use {kind_of, table, type_of};
