//! The one table of functions: names, parameters, types of results, and the tools that have them.
//!
//! A row needs no feature. With the feature `functions`, most rows have a body in the file of their
//! group; a body without a row does not compile.

use super::function::{Function, FunctionError, Parameter, Signature};
use super::release::{ALWAYS, NEVER, Release, in_};
use crate::arena::Arena;
use crate::value::{ElementType, Marks, Type, Value};

/// A function.
#[derive(Clone, Copy)]
pub struct KnownFunction {
    name: &'static str,
    signature: Signature<'static>,
    /// The type of every result; [`Type::Dynamic`] if the arguments decide.
    result: Type<'static>,
    /// The first releases that have it.
    opentofu: Release,
    terraform: Release,
    packer: InPacker,
    /// Whether a result may be null.
    is_nullable: bool,
    /// Whether two calls with the same arguments may have different results.
    is_impure: bool,
    /// The last part of its results as paths.
    ends: ResultEnds,
    /// The use of the path that is its first argument.
    path: PathUse,
    kind: Kind,
}

/// The relation of the ends of the texts that a function returns to those of its arguments, which matters
/// where they are paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultEnds {
    /// A result ends as an argument does, or is no path: a number, a hash, JSON.
    Same,
    /// A result is made of parts of the arguments, and may end with any name.
    Other,
    /// A result may be any path: the content of a file, a decoded text, a directory further up.
    AnyPath,
}

/// The use of a path that a function has as its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathUse {
    /// It is none, or is not looked up.
    No,
    /// The file must exist.
    Content,
    /// The file or directory may be missing.
    Existence,
}

/// Whether Packer has a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InPacker {
    /// It is not known.
    Unknown,
    /// The same as in the other tools.
    Same,
    /// Another one of this name.
    Other,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Its results depend only on its arguments.
    Pure,
    /// It reads files, the clock, or a source of randomness.
    Outside,
    /// It was removed from the language: every call of it is this error.
    Gone(&'static str),
}

const fn row(
    name: &'static str,
    parameters: &'static [Parameter<'static>],
    result: Type<'static>,
) -> KnownFunction {
    KnownFunction {
        name,
        signature: Signature::new(parameters),
        result,
        opentofu: ALWAYS,
        terraform: ALWAYS,
        packer: InPacker::Unknown,
        is_nullable: false,
        is_impure: false,
        ends: match result {
            Type::Number | Type::Bool => ResultEnds::Same,
            _ => ResultEnds::AnyPath,
        },
        path: PathUse::No,
        kind: Kind::Pure,
    }
}

impl KnownFunction {
    /// Adds a parameter for all further arguments.
    const fn rest(mut self, parameter: Parameter<'static>) -> Self {
        self.signature.variadic = Some(parameter);
        self
    }

    const fn since(mut self, opentofu: Release, terraform: Release) -> Self {
        (self.opentofu, self.terraform) = (opentofu, terraform);
        self
    }

    const fn nullable(mut self) -> Self {
        self.is_nullable = true;
        self
    }

    const fn outside(mut self) -> Self {
        self.kind = Kind::Outside;
        self
    }

    const fn impure(mut self) -> Self {
        self.is_impure = true;
        self.outside()
    }

    const fn keeps_ends(mut self) -> Self {
        self.ends = ResultEnds::Same;
        self
    }

    const fn makes_ends(mut self) -> Self {
        self.ends = ResultEnds::Other;
        self
    }

    /// A function that reads the file that its first argument names.
    const fn reads_file(mut self) -> Self {
        self.path = PathUse::Content;
        self.outside()
    }

    /// A function that looks up the path that is its first argument.
    const fn looks_up(mut self) -> Self {
        self.path = PathUse::Existence;
        self.outside()
    }

    const fn gone(mut self, why: &'static str) -> Self {
        self.kind = Kind::Gone(why);
        self
    }

    const fn in_packer(mut self) -> Self {
        self.packer = InPacker::Same;
        self
    }

    const fn other_in_packer(mut self) -> Self {
        self.packer = InPacker::Other;
        self
    }

    const fn only_in_packer(self) -> Self {
        self.since(NEVER, NEVER).nullable().outside().other_in_packer()
    }

    /// Its name, without the namespace `core::`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether a result may be null.
    #[must_use]
    pub const fn is_nullable(&self) -> bool {
        self.is_nullable
    }

    /// The parameters.
    #[must_use]
    pub const fn parameters(&self) -> Signature<'static> {
        self.signature
    }

    /// The first release of OpenTofu that has it.
    #[must_use]
    pub const fn in_opentofu(&self) -> Release {
        self.opentofu
    }

    /// The first release of Terraform that has it.
    #[must_use]
    pub const fn in_terraform(&self) -> Release {
        self.terraform
    }

    /// Whether Packer has it.
    #[must_use]
    pub const fn of_packer(&self) -> InPacker {
        self.packer
    }

    /// Whether its results depend on more than its arguments.
    #[must_use]
    pub const fn is_outside(&self) -> bool {
        matches!(self.kind, Kind::Outside)
    }

    /// Whether two calls with the same arguments may have different results, in one run or in two:
    /// the clock and random values.
    #[must_use]
    pub(crate) const fn is_impure(&self) -> bool {
        self.is_impure
    }

    /// The relation of the ends of its results to those of its arguments.
    #[must_use]
    pub(crate) const fn ends(&self) -> ResultEnds {
        self.ends
    }

    /// Whether its first argument is a path that it looks up.
    #[must_use]
    pub(crate) const fn looks_up_path(&self) -> bool {
        !matches!(self.path, PathUse::No)
    }

    /// Whether its first argument is the path of a file that must exist.
    #[must_use]
    pub(crate) const fn needs_file(&self) -> bool {
        matches!(self.path, PathUse::Content)
    }

    /// The reason why it was removed from the language.
    #[must_use]
    pub const fn why_gone(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Gone(why) => Some(why),
            _ => None,
        }
    }

    /// The type of every result; [`Type::Dynamic`] if the arguments decide.
    #[must_use]
    pub const fn result(&self) -> Type<'static> {
        self.result
    }
}

/// A function without a body: its results are unknown.
impl Function for KnownFunction {
    fn signature(&self) -> Signature<'_> {
        self.signature
    }

    fn result_type<'a>(
        &self,
        _: &'a Arena,
        _: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        match self.why_gone() {
            Some(message) => Err(FunctionError::new(message)),
            None => Ok(self.result),
        }
    }

    fn call<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Value<'a>, FunctionError<'a>> {
        let ty = self.result_type(arena, arguments)?;
        let marks = arguments.iter().fold(Marks::NONE, |all, one| all.with(one.deep_marks()));
        Ok(Value::unknown(ty).with_marks(marks))
    }

    fn reads_parts(&self) -> bool {
        false
    }

    fn is_never_null(&self) -> bool {
        !self.is_nullable
    }

    fn reads_syntax(&self) -> bool {
        self.name == "convert"
    }

    fn recover<'a>(
        &self,
        _: &'a Arena,
        _: &[Option<Value<'a>>],
    ) -> Option<Result<Value<'a>, FunctionError<'a>>> {
        matches!(self.name, "try" | "can").then(|| Ok(Value::unknown(self.result)))
    }
}

const TEXT: Type<'static> = Type::String;
const NUMBER: Type<'static> = Type::Number;
const BOOL: Type<'static> = Type::Bool;
const ANY: Type<'static> = Type::Dynamic;
const TEXTS: Type<'static> = Type::List(ElementType::STRING);
const NUMBERS: Type<'static> = Type::List(ElementType::NUMBER);
const SET_OF_TEXT: Type<'static> = Type::Set(ElementType::STRING);

pub(crate) const fn any(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::Dynamic)
}

const fn bool_list(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::List(ElementType::BOOL))
}

pub(crate) const fn number(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::Number)
}

pub(crate) const fn text(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::String)
}

const fn text_list(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::List(ElementType::STRING))
}

const fn any_list(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::List(ElementType::DYNAMIC))
}

/// A set of anything.
const fn set(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, Type::Set(ElementType::DYNAMIC)).with_dynamic()
}

/// A value of which something is assumed: it may be null or unknown.
const fn assumed(parameter: Parameter<'static>) -> Parameter<'static> {
    parameter.with_null().with_unknown().with_dynamic()
}

const fn assumed_marked(name: &'static str) -> Parameter<'static> {
    assumed(any(name)).with_marked()
}

const ANY_LIST: Parameter<'static> = any_list("list");
const OPTIONAL: Parameter<'static> = any("vals").with_null().with_unknown().with_dynamic();
const ANYTHING: Parameter<'static> = any("value").with_unknown().with_dynamic().with_marked();
const LISTS: Parameter<'static> =
    Parameter::new("values", Type::Map(&ElementType::new(Type::List(ElementType::STRING))));
const MARKED: Parameter<'static> =
    any("value").with_null().with_unknown().with_dynamic().with_marked();
const CONVERTED: Parameter<'static> = any("v").with_null().with_dynamic().with_marked();
const PATH: Parameter<'static> = text("path").with_marked();
const VARIABLES: Parameter<'static> = any("vars").with_marked();
const ASSUMED_LIST: Parameter<'static> = assumed(any_list("value"));
const ASSUMED_MAP: Parameter<'static> =
    assumed(Parameter::new("value", Type::Map(ElementType::DYNAMIC)));
const ASSUMED_SET: Parameter<'static> =
    assumed(Parameter::new("value", Type::Set(ElementType::DYNAMIC)));
const MIN: Parameter<'static> = number("min_length");
const MAX: Parameter<'static> = number("max_length");

/// Any function of a provider.
pub(crate) static OF_PROVIDER: KnownFunction =
    row("provider", &[], ANY).rest(MARKED_ARGUMENT).nullable().outside();
const MARKED_ARGUMENT: Parameter<'static> =
    any("argument").with_null().with_unknown().with_dynamic().with_marked();

/// Sorted by name.
const ROWS: &[KnownFunction] = &[
    row("abs", &[number("num")], NUMBER).in_packer(),
    row("abspath", &[PATH], TEXT).outside().keeps_ends(),
    row("alltrue", &[bool_list("list")], BOOL),
    row("anytrue", &[bool_list("list")], BOOL),
    row("assumeequal", &[assumed_marked("actual_value"), assumed_marked("expected_value")], ANY)
        .since(in_(13), NEVER)
        .nullable(),
    row("assumelistlength", &[ASSUMED_LIST, MIN, MAX], ANY).since(in_(13), NEVER).nullable(),
    row("assumelistlengthmax", &[ASSUMED_LIST, MAX], ANY).since(in_(13), NEVER).nullable(),
    row("assumelistlengthmin", &[ASSUMED_LIST, MIN], ANY).since(in_(13), NEVER).nullable(),
    row("assumemaplength", &[ASSUMED_MAP, MIN, MAX], ANY).since(in_(13), NEVER).nullable(),
    row("assumemaplengthmax", &[ASSUMED_MAP, MAX], ANY).since(in_(13), NEVER).nullable(),
    row("assumemaplengthmin", &[ASSUMED_MAP, MIN], ANY).since(in_(13), NEVER).nullable(),
    row("assumenotnull", &[assumed(any("value"))], ANY).since(in_(13), NEVER),
    row("assumesetlength", &[ASSUMED_SET, MIN, MAX], ANY).since(in_(13), NEVER).nullable(),
    row("assumesetlengthmax", &[ASSUMED_SET, MAX], ANY).since(in_(13), NEVER).nullable(),
    row("assumesetlengthmin", &[ASSUMED_SET, MIN], ANY).since(in_(13), NEVER).nullable(),
    row("assumestringprefix", &[assumed(text("value")), text("prefix")], ANY)
        .since(in_(13), NEVER)
        .nullable(),
    row("aws_secretsmanager", &[text("name")], TEXT).rest(text("key")).only_in_packer(),
    row("base64decode", &[text("str")], TEXT).in_packer(),
    row("base64encode", &[text("str")], TEXT).in_packer().keeps_ends(),
    row("base64gunzip", &[text("str")], TEXT).since(in_(7), NEVER),
    row("base64gzip", &[text("str")], TEXT).outside().keeps_ends(),
    row("base64sha256", &[text("str")], TEXT).keeps_ends(),
    row("base64sha512", &[text("str")], TEXT).keeps_ends(),
    row("basename", &[text("path")], TEXT).makes_ends(),
    row("bcrypt", &[text("str")], TEXT).rest(number("cost")).impure().keeps_ends(),
    row("can", &[MARKED], BOOL).nullable().in_packer(),
    row("ceil", &[number("num")], NUMBER).in_packer(),
    row("chomp", &[text("str")], TEXT).in_packer().makes_ends(),
    row("chunklist", &[ANY_LIST.with_marked(), number("size").with_marked()], ANY)
        .in_packer()
        .keeps_ends(),
    row("cidrcontains", &[text("containing_prefix"), text("contained_ip_or_prefix")], BOOL)
        .since(in_(7), NEVER)
        .nullable()
        .makes_ends(),
    row("cidrhost", &[text("prefix"), number("hostnum")], TEXT).other_in_packer().keeps_ends(),
    row("cidrnetmask", &[text("prefix")], TEXT).other_in_packer().keeps_ends(),
    row("cidrsubnet", &[text("prefix"), number("newbits"), number("netnum")], TEXT)
        .other_in_packer()
        .keeps_ends(),
    row("cidrsubnets", &[text("prefix")], TEXTS)
        .rest(number("newbits"))
        .other_in_packer()
        .keeps_ends(),
    row("coalesce", &[], ANY).rest(OPTIONAL).in_packer().keeps_ends(),
    row("coalescelist", &[], ANY).rest(OPTIONAL).in_packer().keeps_ends(),
    row("compact", &[text_list("list")], TEXTS).in_packer().keeps_ends(),
    row("concat", &[], ANY).rest(any("seqs").with_marked()).in_packer().keeps_ends(),
    row("consul_key", &[text("key")], TEXT).only_in_packer(),
    row("contains", &[any("list"), any("value").with_null()], BOOL).in_packer(),
    row("convert", &[MARKED, any("type")], ANY).since(in_(13), in_(15)).nullable().in_packer(),
    row("csvdecode", &[text("str")], ANY).in_packer(),
    row("dirname", &[text("path")], TEXT),
    row("distinct", &[ANY_LIST], ANY).in_packer().keeps_ends(),
    row("element", &[any("list").with_marked(), number("index")], ANY)
        .nullable()
        .other_in_packer()
        .keeps_ends(),
    row("endswith", &[text("str"), text("suffix")], BOOL).since(ALWAYS, in_(3)),
    row("ephemeralasnull", &[MARKED], ANY).since(in_(11), in_(10)).nullable().makes_ends(),
    row("file", &[PATH], TEXT).reads_file(),
    row("filebase64", &[PATH], TEXT).reads_file(),
    row("filebase64sha256", &[PATH], TEXT).reads_file(),
    row("filebase64sha512", &[PATH], TEXT).reads_file(),
    row("fileexists", &[PATH], BOOL).looks_up(),
    row("filemd5", &[PATH], TEXT).reads_file(),
    row("fileset", &[PATH, text("pattern").with_marked()], SET_OF_TEXT).looks_up(),
    row("filesha1", &[PATH], TEXT).reads_file(),
    row("filesha256", &[PATH], TEXT).reads_file(),
    row("filesha512", &[PATH], TEXT).reads_file(),
    row("flatten", &[any("list").with_marked()], ANY).in_packer().keeps_ends(),
    row("floor", &[number("num")], NUMBER).in_packer(),
    row("format", &[text("format")], TEXT)
        .rest(any("args").with_null().with_dynamic())
        .in_packer()
        .makes_ends(),
    row("formatdate", &[text("format"), text("time")], TEXT).in_packer().makes_ends(),
    row("formatlist", &[text("format")], TEXTS)
        .rest(any("args").with_null().with_unknown().with_dynamic())
        .in_packer()
        .makes_ends(),
    row("indent", &[number("spaces"), text("str")], TEXT).in_packer().makes_ends(),
    row("index", &[any("list"), any("value")], NUMBER).other_in_packer(),
    row("issensitive", &[MARKED], BOOL).since(in_(7), in_(8)).makes_ends(),
    row("join", &[text("separator")], TEXT).rest(text_list("lists")).in_packer().keeps_ends(),
    row("jsondecode", &[text("str")], ANY).nullable().in_packer(),
    row("jsonencode", &[any("val").with_null().with_dynamic()], TEXT).in_packer().keeps_ends(),
    row("keys", &[any("inputMap").with_unknown().with_marked()], ANY).in_packer().keeps_ends(),
    row("legacy_isotime", &[], TEXT).rest(text("format")).only_in_packer(),
    row("legacy_strftime", &[text("format")], TEXT).only_in_packer(),
    row("length", &[ANYTHING], ANY).in_packer().keeps_ends(),
    row("list", &[], ANY)
        .rest(any("vals").with_null().with_unknown().with_dynamic())
        .gone("it has been removed from the language; write tolist([…])")
        .keeps_ends(),
    row("log", &[number("num"), number("base")], NUMBER).in_packer(),
    row("lookup", &[any("inputMap").with_marked(), text("key").with_marked()], ANY)
        .rest(any("default").with_null().with_unknown().with_dynamic().with_marked())
        .nullable()
        .other_in_packer()
        .keeps_ends(),
    row("lower", &[text("str")], TEXT).in_packer().makes_ends(),
    row("map", &[], ANY)
        .rest(any("vals").with_null().with_unknown().with_dynamic())
        .gone("it has been removed from the language; write tomap({…})")
        .keeps_ends(),
    row("matchkeys", &[any_list("values"), any_list("keys"), any_list("searchset")], ANY)
        .keeps_ends(),
    row("max", &[], NUMBER).rest(number("numbers")).in_packer(),
    row("md5", &[text("str")], TEXT).in_packer().keeps_ends(),
    row("merge", &[], ANY)
        .rest(any("maps").with_null().with_dynamic().with_marked())
        .other_in_packer()
        .keeps_ends(),
    row("min", &[], NUMBER).rest(number("numbers")).in_packer(),
    row("nonsensitive", &[MARKED], ANY).nullable().keeps_ends(),
    row("one", &[any("list")], ANY).nullable().keeps_ends(),
    row("parseint", &[any("number"), number("base")], NUMBER).in_packer(),
    row("pathexpand", &[PATH], TEXT).outside(),
    row("plantimestamp", &[], TEXT).since(ALWAYS, in_(5)).impure().keeps_ends(),
    row("pow", &[number("num"), number("power")], NUMBER).in_packer(),
    row("range", &[], NUMBERS).rest(number("params")).in_packer(),
    row("regex", &[text("pattern"), text("string")], ANY).makes_ends(),
    row("regex_replace", &[text("string"), text("pattern"), text("replace")], TEXT)
        .only_in_packer(),
    row("regexall", &[text("pattern"), text("string")], ANY).makes_ends(),
    row("replace", &[text("str"), text("substr"), text("replace")], TEXT)
        .other_in_packer()
        .makes_ends(),
    row("reverse", &[any("list").with_marked()], ANY).in_packer().keeps_ends(),
    row("rsadecrypt", &[text("ciphertext"), text("privatekey")], TEXT).outside(),
    row("sensitive", &[MARKED], ANY).nullable().keeps_ends(),
    row("setintersection", &[set("first_set")], ANY)
        .rest(set("other_sets"))
        .other_in_packer()
        .keeps_ends(),
    row("setproduct", &[], ANY).rest(any("sets").with_marked()).in_packer().keeps_ends(),
    row("setsubtract", &[set("a"), set("b")], ANY).keeps_ends(),
    row("setunion", &[set("first_set")], ANY)
        .rest(set("other_sets"))
        .other_in_packer()
        .keeps_ends(),
    row("sha1", &[text("str")], TEXT).in_packer().keeps_ends(),
    row("sha256", &[text("str")], TEXT).in_packer().keeps_ends(),
    row("sha512", &[text("str")], TEXT).in_packer().keeps_ends(),
    row("signum", &[number("num")], NUMBER).in_packer(),
    row("slice", &[any("list").with_marked(), number("start_index"), number("end_index")], ANY)
        .in_packer()
        .keeps_ends(),
    row("sort", &[text_list("list")], TEXTS).in_packer().keeps_ends(),
    row("split", &[text("separator"), text("str")], TEXTS).in_packer().makes_ends(),
    row("startswith", &[text("str"), text("prefix")], BOOL).since(ALWAYS, in_(3)),
    row("strcontains", &[text("str"), text("substr")], BOOL).since(ALWAYS, in_(5)).nullable(),
    row("strrev", &[text("str")], TEXT).in_packer().makes_ends(),
    row("substr", &[text("str"), number("offset"), number("length")], TEXT)
        .in_packer()
        .makes_ends(),
    row("sum", &[any("list")], NUMBER),
    row("templatefile", &[PATH, VARIABLES], ANY).nullable().reads_file(),
    row("templatestring", &[text("template").with_marked(), VARIABLES], ANY)
        .since(in_(7), in_(9))
        .nullable()
        .outside(),
    row("textdecodebase64", &[text("source"), text("encoding")], TEXT),
    row("textencodebase64", &[text("string"), text("encoding")], TEXT),
    row("timeadd", &[text("timestamp"), text("duration")], TEXT)
        .nullable()
        .in_packer()
        .keeps_ends(),
    row("timecmp", &[text("timestamp_a"), text("timestamp_b")], NUMBER).since(ALWAYS, in_(3)),
    row("timestamp", &[], TEXT).impure().keeps_ends(),
    row("title", &[text("str")], TEXT).in_packer().makes_ends(),
    row("tobool", &[CONVERTED], BOOL).nullable(),
    row("tolist", &[CONVERTED], ANY).nullable().keeps_ends(),
    row("tomap", &[CONVERTED], ANY).nullable().keeps_ends(),
    row("tonumber", &[CONVERTED], NUMBER).nullable(),
    row("toset", &[CONVERTED], ANY).nullable().keeps_ends(),
    row("tostring", &[CONVERTED], TEXT).nullable().keeps_ends(),
    row("transpose", &[LISTS], LISTS.ty).keeps_ends(),
    row("trim", &[text("str"), text("cutset")], TEXT).in_packer().makes_ends(),
    row("trimprefix", &[text("str"), text("prefix")], TEXT).in_packer().makes_ends(),
    row("trimspace", &[text("str")], TEXT).in_packer().makes_ends(),
    row("trimsuffix", &[text("str"), text("suffix")], TEXT).in_packer().makes_ends(),
    row("try", &[], ANY).rest(MARKED).nullable().in_packer().keeps_ends(),
    row("upper", &[text("str")], TEXT).in_packer().makes_ends(),
    row("urldecode", &[text("str")], TEXT).since(in_(7), NEVER),
    row("urlencode", &[text("str")], TEXT).in_packer().makes_ends(),
    row("uuid", &[], TEXT).impure().keeps_ends(),
    row("uuidv4", &[], TEXT).only_in_packer(),
    row("uuidv5", &[text("namespace"), text("name")], TEXT).in_packer().makes_ends(),
    row("values", &[any("mapping").with_marked()], ANY).in_packer().keeps_ends(),
    row("vault", &[text("path"), text("key")], TEXT).only_in_packer(),
    row("yamldecode", &[text("src")], ANY).nullable(),
    row("yamlencode", &[any("value").with_null().with_dynamic()], TEXT),
    row("zipmap", &[text_list("keys").with_marked(), any("values").with_marked()], ANY)
        .in_packer()
        .keeps_ends(),
];

/// All functions of OpenTofu, Terraform and Packer that are known, sorted by name: with their
/// parameters, and with the tools that have them.
///
/// ```
/// use simd_hcl::evaluate::{Release, known_function};
///
/// let function = known_function("templatestring").unwrap();
/// assert_eq!(function.parameters().parameters[0].name, "template");
/// assert_eq!(function.in_opentofu(), Release::In(7));
/// assert!(known_function("strlen").is_none());
/// ```
#[must_use]
pub fn known_functions() -> &'static [KnownFunction] {
    ROWS
}

/// The function of a name, without the namespace `core::`. See [`known_functions`]. Cost:
/// logarithmic.
#[must_use]
pub fn known_function(name: &str) -> Option<&'static KnownFunction> {
    let found = ROWS.binary_search_by_key(&name, |row| row.name).ok()?;
    ROWS.get(found)
}

/// The row of a function that has a body. Evaluated by the compiler.
#[cfg(feature = "functions")]
pub(crate) const fn row_of(name: &str) -> KnownFunction {
    let mut place = 0;
    while place < ROWS.len() {
        if is_same(ROWS[place].name.as_bytes(), name.as_bytes()) {
            return ROWS[place];
        }
        place += 1;
    }
    panic!("a function without a row in the table")
}

#[cfg(feature = "functions")]
const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    one.len() == other.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted() {
        assert!(ROWS.is_sorted_by(|one, next| one.name < next.name));
        for row in ROWS {
            assert_eq!(known_function(row.name).map(KnownFunction::name), Some(row.name));
        }
    }
}
