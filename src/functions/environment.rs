//! The functions whose results depend on more than their arguments: files, the clock, randomness.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::call::{Call, Outcome, wrong};
use super::files::{FileEntry, FileError, FileKind, Files, passes_on};
use super::render::{Recursion, render};
use super::within::Within;
use super::{STANDARD, fileset, hash, paths};
use crate::arena::Arena;
use crate::evaluate::signatures::OF_PROVIDER;
use crate::evaluate::{
    Budget, Function, FunctionError, Functions, KnownFunction, Meter, Signature, known_function,
};
use crate::value::{Clause, Marks, Quotation, Type, Value, shown};

/// All functions of OpenTofu: those of [`standard`](super::standard), and those that depend on the
/// world outside of the expression.
///
/// * Functions of files (`file`, `fileexists`, `fileset`, `filebase64`, the hashes of files,
///   `templatefile`, `abspath`, and `pathexpand` of `~`) read what [`Files`] gives them. Without it
///   their results are unknown.
/// * `timestamp` and `plantimestamp` return the time that the caller sets. Without it they are
///   unknown.
/// * `uuid`, `bcrypt` and `base64gzip` are unknown: the first two differ each time, the last one
///   depends on the compressor.
/// * Functions of providers (`provider::…`) are unknown, of unknown type.
///
/// Templates of `templatefile` and `templatestring` are evaluated within the budget of the
/// expression that calls them, with the same functions, and nest 32 deep at most.
///
/// ```
/// use simd_hcl::evaluate::{Functions, Scope};
/// use simd_hcl::functions::{Environment, Folder};
/// use simd_hcl::native::Native;
/// use simd_hcl::{Arena, Expression, Source};
///
/// let folder = Folder::new(env!("CARGO_MANIFEST_DIR"))?;
/// let functions = Environment::new().with_files(&folder).with_now("2030-01-02T03:04:05Z");
/// let scope = Scope::new().with_variables(&[]).with_functions(&functions);
///
/// let arena = Arena::new();
/// let value = |text: &'static str| {
///     let source = Source::from_bytes(&arena, "expression", text.as_bytes()).unwrap();
///     let parsed = Native::expression(&arena, source, &mut ());
///     Expression::from_native(parsed).value(&scope, &mut ())
/// };
/// assert_eq!(value("fileexists(\"Cargo.toml\")").as_bool(), Some(true));
/// assert_eq!(value("formatdate(\"YYYY\", timestamp())").as_str(), Some("2030"));
/// assert!(!value("uuid()").is_known());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Environment<'e> {
    /// Sorted by name.
    functions: Vec<Outside<'e>>,
    context: Context<'e>,
}

/// The inputs of functions besides their arguments.
#[derive(Clone, Copy, Default)]
pub(super) struct Context<'e> {
    files: Option<&'e dyn Files>,
    now: Option<&'e str>,
    recursion: Recursion,
}

impl Default for Environment<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'e> Environment<'e> {
    /// Returns the functions without files and without a clock.
    #[must_use]
    pub fn new() -> Self {
        Self::of(Context::default())
    }

    /// Sets the files that functions read. [`Folder`](super::Folder) reads below one folder.
    #[must_use]
    pub fn with_files(self, files: &'e dyn Files) -> Self {
        Self::of(Context { files: Some(files), ..self.context })
    }

    /// Sets the result of `timestamp` and `plantimestamp`, as RFC 3339 writes it in UTC.
    #[must_use]
    pub fn with_now(self, now: &'e str) -> Self {
        Self::of(Context { now: Some(now), ..self.context })
    }

    pub(super) fn of(context: Context<'e>) -> Self {
        let row = |&(name, kind)| Outside { name, kind, context };
        Self { functions: ROWS.iter().map(row).collect(), context }
    }
}

impl Functions for Environment<'_> {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        if name.starts_with("provider::") {
            return Some(&OF_PROVIDER);
        }
        let plain = name.strip_prefix("core::").unwrap_or(name);
        match self.functions.binary_search_by_key(&plain, |function| function.name) {
            Ok(found) => Some(&self.functions[found]),
            Err(_) => STANDARD.get(plain),
        }
    }

    fn names(&self) -> Vec<&str> {
        STANDARD.names()
    }
}

/// A function that depends on the context.
struct Outside<'e> {
    name: &'static str,
    kind: Kind,
    context: Context<'e>,
}

#[derive(Clone, Copy)]
enum Kind {
    /// The content of a file, as text.
    Text,
    /// The content of a file, in Base64.
    Base64,
    /// A hash of a file.
    Hash(fn(&[u8]) -> String),
    Exists,
    Set,
    Absolute,
    Home,
    TemplateFile,
    TemplateString,
    Now,
    /// No two results are the same, or the machine determines it.
    Unpredictable,
}

/// The steps of asking the system for a file, beside those of reading its content.
const FILE: u64 = 200;

/// Sorted by name.
const ROWS: &[(&str, Kind)] = &[
    ("abspath", Kind::Absolute),
    ("base64gzip", Kind::Unpredictable),
    ("bcrypt", Kind::Unpredictable),
    ("file", Kind::Text),
    ("filebase64", Kind::Base64),
    ("filebase64sha256", Kind::Hash(hash::base64_sha256)),
    ("filebase64sha512", Kind::Hash(hash::base64_sha512)),
    ("fileexists", Kind::Exists),
    ("filemd5", Kind::Hash(hash::md5)),
    ("fileset", Kind::Set),
    ("filesha1", Kind::Hash(hash::sha1)),
    ("filesha256", Kind::Hash(hash::sha256)),
    ("filesha512", Kind::Hash(hash::sha512)),
    ("pathexpand", Kind::Home),
    ("plantimestamp", Kind::Now),
    ("templatefile", Kind::TemplateFile),
    ("templatestring", Kind::TemplateString),
    ("timestamp", Kind::Now),
    ("uuid", Kind::Unpredictable),
];

impl Function for Outside<'_> {
    fn signature(&self) -> Signature<'_> {
        self.row().parameters()
    }

    fn result_type<'a>(
        &self,
        _: &'a Arena,
        _: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        Ok(self.row().result())
    }

    fn lacks_arguments<'a>(&self, arena: &'a Arena, arguments: &[Value<'a>]) {
        let Some(files) = self.context.files else { return };
        let is_template = matches!(self.kind, Kind::TemplateFile | Kind::TemplateString);
        let path = arguments.first().map(|path| path.unmark());
        match path.filter(|(path, _)| is_template && path.is_known() && files.asks_in_part()) {
            // A template without its variables.
            Some((_, marks)) => {
                let plain: Vec<_> = arguments.iter().map(|it| it.unmark_deep(arena).0).collect();
                let meter = Meter::new(Budget::DEFAULT);
                let _ = self.value(Call { arena, arguments: &plain, meter: &meter }, marks);
            }
            None if self.is_reader() => files.reads_unknown(),
            None => {}
        }
    }

    fn is_never_null(&self) -> bool {
        !self.row().is_nullable()
    }

    fn call<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Value<'a>, FunctionError<'a>> {
        self.call_within(arena, arguments, &Meter::new(Budget::DEFAULT))
    }

    fn call_within<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
        meter: &Meter,
    ) -> Result<Value<'a>, FunctionError<'a>> {
        let marks =
            arguments.iter().fold(Marks::NONE, |marks, value| marks.with(value.deep_marks()));
        let of_path = arguments.first().map_or(Marks::NONE, |first| first.deep_marks());
        let plain: Vec<_> =
            arguments.iter().map(|argument| argument.unmark_deep(arena).0).collect();
        let call = Call { arena, arguments: &plain, meter };
        let value = if call.arguments.first().is_some_and(|first| !first.is_known()) {
            if let Some(files) = self.context.files.filter(|_| self.is_reader()) {
                files.reads_unknown();
            }
            Value::unknown(self.result_type(arena, &plain)?)
        } else {
            self.value(call, of_path)?
        };
        match meter.exhausted() {
            Some(exhausted) => Err(exhausted.into()),
            None => Ok(value.with_marks(marks)),
        }
    }
}

impl Outside<'_> {
    /// Its row in the table of all functions.
    fn row(&self) -> &'static KnownFunction {
        // A test finds a name without a row.
        known_function(self.name).unwrap_or(&OF_PROVIDER)
    }

    /// Whether its first argument is a path that it looks up.
    fn is_reader(&self) -> bool {
        self.row().looks_up_path()
    }

    /// Returns the result for arguments without marks. The first one had `marks`.
    fn value<'a>(&self, call: Call<'_, 'a>, marks: Marks) -> Outcome<'a> {
        let Context { files, now, recursion } = self.context;
        match self.kind {
            Kind::Now => match now {
                Some(now) => call.string(now),
                None => Ok(Value::unknown(Type::String)),
            },
            Kind::Unpredictable => Ok(Value::unknown(Type::String)),
            Kind::TemplateString => {
                let text = call.arena.str(call.str(0)?);
                self.render(call, "<template>", text, recursion)
            }
            _ => {
                let path = call.str(0)?;
                match files {
                    None if matches!(self.kind, Kind::Home) && !path.starts_with('~') => {
                        call.string(path)
                    }
                    Some(files) if !self.is_reader() || files.takes(marks) => {
                        let seen = Seen::new(files);
                        let value = self.read(Reader { call, files: &seen, marks }, path);
                        let is_outside = || {
                            seen.is_outside.into_inner()
                                && files.is_unknown_outside(shown(path, marks))
                        };
                        match value.is_err() && (seen.is_unknown.into_inner() || is_outside()) {
                            true => {
                                Ok(Value::unknown(self.result_type(call.arena, call.arguments)?))
                            }
                            false => value,
                        }
                    }
                    _ => Ok(Value::unknown(self.result_type(call.arena, call.arguments)?)),
                }
            }
        }
    }

    /// Returns the result of a function of files.
    fn read<'a>(&self, reader: Reader<'_, 'a>, path: &'a str) -> Outcome<'a> {
        let Reader { call, files, marks } = reader;
        match self.kind {
            Kind::Absolute => match files.absolute(&paths::clean(path)) {
                Some(path) => call.string(&path),
                None => Ok(Value::unknown(Type::String)),
            },
            Kind::Home => call.string(&reader.expanded(path)?),
            Kind::Exists => match reader.kind(path) {
                Ok(FileKind::File) => Ok(Value::bool(true)),
                Err(FileError::Missing) => Ok(Value::bool(false)),
                Ok(kind) => Err(reader.error(path, &FileError::Kind(kind))),
                Err(error) => Err(reader.error(path, &error)),
            },
            Kind::Set => fileset::fileset(call, files, path),
            Kind::TemplateFile => {
                let text = reader.text(path)?;
                self.render(call, shown(path, marks), text, self.context.recursion)
            }
            Kind::Base64 => {
                let bytes = reader.bytes(path)?;
                call.room(bytes.len() / 3 * 4)?;
                call.string(&BASE64.encode(bytes))
            }
            Kind::Hash(hash) => call.string(&hash(&reader.bytes(path)?)),
            _ => {
                let text = reader.text(path)?;
                Ok(Value::string(call.arena, text))
            }
        }
    }

    fn render<'a>(
        &self,
        call: Call<'_, 'a>,
        name: &str,
        text: &'a str,
        recursion: Recursion,
    ) -> Outcome<'a> {
        let Some(recursion) = recursion.deeper() else {
            return Err(call.failed(
                "templates nest more than {} deep",
                &[Quotation::Plain(&Recursion::MOST)],
            ));
        };
        let Some(files) = self.context.files else {
            let inner = Environment::of(Context { recursion, ..self.context });
            return render(call, name, text, &inner, &mut |_, _, _| {});
        };
        let within = Within { files, read: Mutex::default(), has_unknown: AtomicBool::new(false) };
        let inner = Environment::of(Context { recursion, files: Some(&within), ..self.context });
        render(call, name, text, &inner, &mut |program, entries, is_known| {
            within.report(program, (call.arena, entries, &inner), is_known);
        })
    }
}

/// Files that note whether one of them is outside of those that may be read, or is not known.
struct Seen<'c> {
    files: &'c dyn Files,
    is_outside: AtomicBool,
    is_unknown: AtomicBool,
}

impl<'c> Seen<'c> {
    fn new(files: &'c dyn Files) -> Self {
        Self { files, is_outside: AtomicBool::new(false), is_unknown: AtomicBool::new(false) }
    }

    fn noted<T>(&self, read: Result<T, FileError>) -> Result<T, FileError> {
        match read {
            Err(FileError::Outside) => self.is_outside.store(true, Ordering::Relaxed),
            Err(FileError::Unknown) => self.is_unknown.store(true, Ordering::Relaxed),
            _ => {}
        }
        read
    }
}

impl Files for Seen<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        self.noted(self.files.read(path))
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        self.noted(self.files.kind(path))
    }

    fn entries(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        let entries = self.noted(self.files.entries(path))?;
        // A link may lead there.
        let has_outside = entries.iter().any(|it| matches!(it.kind, Err(FileError::Outside)));
        self.is_outside.fetch_or(has_outside, Ordering::Relaxed);
        Ok(entries)
    }

    passes_on!(absolute home looks_for reads_unknown asks_in_part reads_in_part);
}

/// A call of a function that reads a file.
#[derive(Clone, Copy)]
struct Reader<'c, 'a> {
    call: Call<'c, 'a>,
    files: &'c dyn Files,
    /// The marks of the path.
    marks: Marks,
}

impl<'a> Reader<'_, 'a> {
    /// The path as messages quote it. Other arguments do not hide it.
    fn shown(&self, path: &str) -> Clause<'a> {
        let path = Clause::quoting(self.call.arena, "{}", &[Quotation::Text(path)]);
        path.resolved(self.marks)
    }

    fn error(&self, path: &str, error: &FileError) -> FunctionError<'a> {
        let path = Quotation::Clause(self.shown(path));
        self.call.wrong(0, "{} {}", &[path, Quotation::Plain(error)])
    }

    /// Replaces a leading `~`.
    fn expanded(&self, path: &'a str) -> Outcome<'a, String> {
        match path.strip_prefix('~') {
            None => Ok(path.to_owned()),
            Some(rest) if rest.is_empty() || rest.starts_with('/') => match self.files.home() {
                Some(home) => Ok(format!("{}{rest}", home.trim_end_matches('/'))),
                None => Err(wrong(0, "the home directory is not known")),
            },
            Some(_) => Err(wrong(0, "home directories of other users are not known")),
        }
    }

    fn kind(&self, path: &'a str) -> Result<FileKind, FileError> {
        // An exhausted meter ends the call whatever the result is.
        if self.call.meter.spend(FILE).is_err() {
            return Err(FileError::Missing);
        }
        match self.expanded(path) {
            Ok(path) => self.files.kind(&paths::clean(&path)),
            Err(_) => Err(FileError::Missing),
        }
    }

    fn bytes(&self, path: &'a str) -> Outcome<'a, Vec<u8>> {
        let clean = paths::clean(&self.expanded(path)?);
        self.call.meter.spend(FILE)?;
        let bytes = self.files.read(&clean).map_err(|error| self.error(path, &error))?;
        // As much as reading an argument of this length.
        self.call.meter.spend(bytes.len() as u64 / 128)?;
        Ok(bytes)
    }

    /// Returns the content of a file in the arena.
    fn text(&self, path: &'a str) -> Outcome<'a, &'a str> {
        let bytes = self.bytes(path)?;
        match simdutf8::basic::from_utf8(&bytes) {
            Ok(text) => {
                self.call.room(text.len())?;
                self.call.meter.text(text.len())?;
                Ok(self.call.arena.str(text))
            }
            Err(_) => Err(self.call.wrong(
                0,
                "{} is not UTF-8 text; filebase64 reads files of any content",
                &[Quotation::Clause(self.shown(path))],
            )),
        }
    }
}
