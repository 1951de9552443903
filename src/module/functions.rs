//! The functions of OpenTofu and Terraform: their names, and the number of their arguments.
//!
//! Nothing is computed here. A call returns an unknown value of the function's type, so that errors
//! in a call, or in the use of its result, are found before any value is known. Arguments are
//! checked only with the feature `functions`, by the functions themselves.

use crate::arena::Arena;
use crate::dialect::Dialect;
use crate::evaluate::{Function, FunctionError, Functions, Parameter, Signature};
use crate::value::{Type, Value};

/// The functions of a dialect, and those of the providers that a module requires.
pub(crate) struct Known<'m> {
    pub(crate) dialect: Dialect,
    /// Whether a provider of this local name is required; the functions of other providers do not
    /// exist.
    pub(crate) has_provider: &'m (dyn Fn(&str) -> bool + Sync),
}

/// The functions that only OpenTofu has.
const OPENTOFU: [&str; 15] = [
    "assumeequal",
    "assumelistlength",
    "assumelistlengthmax",
    "assumelistlengthmin",
    "assumemaplength",
    "assumemaplengthmax",
    "assumemaplengthmin",
    "assumenotnull",
    "assumesetlength",
    "assumesetlengthmax",
    "assumesetlengthmin",
    "assumestringprefix",
    "base64gunzip",
    "cidrcontains",
    "urldecode",
];

impl Functions for Known<'_> {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        if let Some(rest) = name.strip_prefix("provider::") {
            let provider = rest.split("::").next().unwrap_or_default();
            return (self.has_provider)(provider).then_some(&OF_PROVIDER);
        }
        let name = name.strip_prefix("core::").unwrap_or(name);
        let found = FUNCTIONS.binary_search_by_key(&name, |row| row.name).ok()?;
        if self.dialect == Dialect::Terraform && OPENTOFU.contains(&name) {
            return None;
        }
        #[cfg(feature = "functions")]
        if let Some(function) = crate::functions::find(name) {
            return Some(function);
        }
        Some(&FUNCTIONS[found])
    }

    fn names(&self) -> Vec<&str> {
        let is_there = |name: &&str| self.dialect != Dialect::Terraform || !OPENTOFU.contains(name);
        FUNCTIONS.iter().map(|row| row.name).filter(is_there).collect()
    }
}

/// One function.
struct Row {
    name: &'static str,
    signature: Signature<'static>,
    result: Type<'static>,
    /// The reason why a function was removed from the language: every call of it is an error.
    gone: Option<&'static str>,
}

impl Row {
    const fn gone(mut self, why: &'static str) -> Self {
        self.gone = Some(why);
        self
    }

    const fn rest(mut self, name: &'static str) -> Self {
        self.signature.variadic = Some(p(name));
        self
    }
}

impl Function for Row {
    fn signature(&self) -> Signature<'_> {
        self.signature
    }

    fn result_type<'a>(
        &self,
        _: &'a Arena,
        _: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        match self.gone {
            Some(message) => Err(FunctionError::new(message)),
            None => Ok(self.result),
        }
    }

    fn call<'a>(&self, _: &'a Arena, _: &[Value<'a>]) -> Result<Value<'a>, FunctionError<'a>> {
        Ok(Value::unknown(self.result))
    }

    fn recover<'a>(
        &self,
        _: &'a Arena,
        _: &[Option<Value<'a>>],
    ) -> Option<Result<Value<'a>, FunctionError<'a>>> {
        matches!(self.name, "try" | "can").then(|| Ok(Value::unknown(self.result)))
    }
}

/// A parameter that accepts any value.
const fn p(name: &'static str) -> Parameter<'static> {
    Parameter::new(name, ANY).with_null().with_unknown().with_dynamic().with_marked()
}

const fn known(
    name: &'static str,
    parameters: &'static [Parameter<'static>],
    result: Type<'static>,
) -> Row {
    Row { name, signature: Signature::new(parameters), result, gone: None }
}

const TEXT: Type<'static> = Type::String;
const NUMBER: Type<'static> = Type::Number;
const BOOL: Type<'static> = Type::Bool;
const ANY: Type<'static> = Type::Dynamic;

/// Any function of a provider.
static OF_PROVIDER: Row = known("provider", &[], ANY).rest("argument");

/// Whether some tool has a function of this name.
pub(crate) fn is_function(name: &[u8]) -> bool {
    FUNCTIONS.binary_search_by_key(&name, |row| row.name.as_bytes()).is_ok()
}

/// Sorted by name.
static FUNCTIONS: &[Row] = &[
    known("abs", &[p("num")], NUMBER),
    known("abspath", &[p("path")], TEXT),
    known("alltrue", &[p("list")], BOOL),
    known("anytrue", &[p("list")], BOOL),
    known("assumeequal", &[p("actual_value"), p("expected_value")], ANY),
    known("assumelistlength", &[p("value"), p("min_length"), p("max_length")], ANY),
    known("assumelistlengthmax", &[p("value"), p("max_length")], ANY),
    known("assumelistlengthmin", &[p("value"), p("min_length")], ANY),
    known("assumemaplength", &[p("value"), p("min_length"), p("max_length")], ANY),
    known("assumemaplengthmax", &[p("value"), p("max_length")], ANY),
    known("assumemaplengthmin", &[p("value"), p("min_length")], ANY),
    known("assumenotnull", &[p("value")], ANY),
    known("assumesetlength", &[p("value"), p("min_length"), p("max_length")], ANY),
    known("assumesetlengthmax", &[p("value"), p("max_length")], ANY),
    known("assumesetlengthmin", &[p("value"), p("min_length")], ANY),
    known("assumestringprefix", &[p("value"), p("prefix")], TEXT),
    known("base64decode", &[p("str")], TEXT),
    known("base64encode", &[p("str")], TEXT),
    known("base64gunzip", &[p("str")], TEXT),
    known("base64gzip", &[p("str")], TEXT),
    known("base64sha256", &[p("str")], TEXT),
    known("base64sha512", &[p("str")], TEXT),
    known("basename", &[p("path")], TEXT),
    known("bcrypt", &[p("str")], TEXT).rest("cost"),
    known("can", &[p("expression")], BOOL),
    known("ceil", &[p("num")], NUMBER),
    known("chomp", &[p("str")], TEXT),
    known("chunklist", &[p("list"), p("size")], ANY),
    known("cidrcontains", &[p("containing_prefix"), p("contained_ip_or_prefix")], BOOL),
    known("cidrhost", &[p("prefix"), p("hostnum")], TEXT),
    known("cidrnetmask", &[p("prefix")], TEXT),
    known("cidrsubnet", &[p("prefix"), p("newbits"), p("netnum")], TEXT),
    known("cidrsubnets", &[p("prefix")], ANY).rest("newbits"),
    known("coalesce", &[], ANY).rest("vals"),
    known("coalescelist", &[], ANY).rest("vals"),
    known("compact", &[p("list")], ANY),
    known("concat", &[], ANY).rest("seqs"),
    known("contains", &[p("list"), p("value")], ANY),
    known("convert", &[p("value"), p("type")], ANY),
    known("csvdecode", &[p("str")], ANY),
    known("dirname", &[p("path")], TEXT),
    known("distinct", &[p("list")], ANY),
    known("element", &[p("list"), p("index")], ANY),
    known("endswith", &[p("str"), p("suffix")], BOOL),
    known("ephemeralasnull", &[p("value")], ANY),
    known("file", &[p("path")], TEXT),
    known("filebase64", &[p("path")], TEXT),
    known("filebase64sha256", &[p("path")], TEXT),
    known("filebase64sha512", &[p("path")], TEXT),
    known("fileexists", &[p("path")], BOOL),
    known("filemd5", &[p("path")], TEXT),
    known("fileset", &[p("path"), p("pattern")], ANY),
    known("filesha1", &[p("path")], TEXT),
    known("filesha256", &[p("path")], TEXT),
    known("filesha512", &[p("path")], TEXT),
    known("flatten", &[p("list")], ANY),
    known("floor", &[p("num")], NUMBER),
    known("format", &[p("format")], TEXT).rest("args"),
    known("formatdate", &[p("format"), p("time")], TEXT),
    known("formatlist", &[p("format")], ANY).rest("args"),
    known("indent", &[p("spaces"), p("str")], TEXT),
    known("index", &[p("list"), p("value")], ANY),
    known("issensitive", &[p("value")], BOOL),
    known("join", &[p("separator")], TEXT).rest("lists"),
    known("jsondecode", &[p("str")], ANY),
    known("jsonencode", &[p("val")], TEXT),
    known("keys", &[p("inputMap")], ANY),
    known("length", &[p("value")], NUMBER),
    known("list", &[], ANY)
        .rest("vals")
        .gone("it has been removed from the language; write tolist([…])"),
    known("log", &[p("num"), p("base")], NUMBER),
    known("lookup", &[p("inputMap"), p("key")], ANY).rest("default"),
    known("lower", &[p("str")], TEXT),
    known("map", &[], ANY)
        .rest("vals")
        .gone("it has been removed from the language; write tomap({…})"),
    known("matchkeys", &[p("values"), p("keys"), p("searchset")], ANY),
    known("max", &[], NUMBER).rest("numbers"),
    known("md5", &[p("str")], TEXT),
    known("merge", &[], ANY).rest("maps"),
    known("min", &[], NUMBER).rest("numbers"),
    known("nonsensitive", &[p("value")], ANY),
    known("one", &[p("list")], ANY),
    known("parseint", &[p("number"), p("base")], ANY),
    known("pathexpand", &[p("path")], TEXT),
    known("plantimestamp", &[], TEXT),
    known("pow", &[p("num"), p("power")], NUMBER),
    known("range", &[], ANY).rest("params"),
    known("regex", &[p("pattern"), p("string")], ANY),
    known("regexall", &[p("pattern"), p("string")], ANY),
    known("replace", &[p("str"), p("substr"), p("replace")], TEXT),
    known("reverse", &[p("list")], ANY),
    known("rsadecrypt", &[p("ciphertext"), p("privatekey")], TEXT),
    known("sensitive", &[p("value")], ANY),
    known("setintersection", &[p("first_set")], ANY).rest("other_sets"),
    known("setproduct", &[], ANY).rest("sets"),
    known("setsubtract", &[p("a"), p("b")], ANY),
    known("setunion", &[p("first_set")], ANY).rest("other_sets"),
    known("sha1", &[p("str")], TEXT),
    known("sha256", &[p("str")], TEXT),
    known("sha512", &[p("str")], TEXT),
    known("signum", &[p("num")], NUMBER),
    known("slice", &[p("list"), p("start_index"), p("end_index")], ANY),
    known("sort", &[p("list")], ANY),
    known("split", &[p("separator"), p("str")], ANY),
    known("startswith", &[p("str"), p("prefix")], BOOL),
    known("strcontains", &[p("str"), p("substr")], BOOL),
    known("strrev", &[p("str")], TEXT),
    known("substr", &[p("str"), p("offset"), p("length")], TEXT),
    known("sum", &[p("list")], ANY),
    known("templatefile", &[p("path"), p("vars")], ANY),
    known("templatestring", &[p("template"), p("vars")], TEXT),
    known("textdecodebase64", &[p("source"), p("encoding")], TEXT),
    known("textencodebase64", &[p("string"), p("encoding")], TEXT),
    known("timeadd", &[p("timestamp"), p("duration")], TEXT),
    known("timecmp", &[p("timestamp_a"), p("timestamp_b")], NUMBER),
    known("timestamp", &[], TEXT),
    known("title", &[p("str")], TEXT),
    known("tobool", &[p("v")], BOOL),
    known("tolist", &[p("v")], ANY),
    known("tomap", &[p("v")], ANY),
    known("tonumber", &[p("v")], NUMBER),
    known("toset", &[p("v")], ANY),
    known("tostring", &[p("v")], TEXT),
    known("transpose", &[p("values")], ANY),
    known("trim", &[p("str"), p("cutset")], TEXT),
    known("trimprefix", &[p("str"), p("prefix")], TEXT),
    known("trimspace", &[p("str")], TEXT),
    known("trimsuffix", &[p("str"), p("suffix")], TEXT),
    known("try", &[], ANY).rest("expressions"),
    known("upper", &[p("str")], TEXT),
    known("urldecode", &[p("str")], TEXT),
    known("urlencode", &[p("str")], TEXT),
    known("uuid", &[], TEXT),
    known("uuidv5", &[p("namespace"), p("name")], TEXT),
    known("values", &[p("mapping")], ANY),
    known("yamldecode", &[p("src")], ANY),
    known("yamlencode", &[p("value")], TEXT),
    known("zipmap", &[p("keys"), p("values")], ANY),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted() {
        assert!(FUNCTIONS.is_sorted_by_key(|row| row.name));
        assert!(OPENTOFU.iter().all(|name| FUNCTIONS.iter().any(|row| row.name == *name)));
    }

    #[cfg(feature = "functions")]
    #[test]
    fn the_standard_functions_take_as_many_arguments() {
        let standard = crate::functions::standard();
        for name in standard.names() {
            let found = FUNCTIONS.binary_search_by_key(&name, |row| row.name);
            let row = &FUNCTIONS[found.unwrap_or_else(|_| panic!("{name} is missing"))];
            let shape = |signature: Signature<'_>| {
                (signature.parameters.len(), signature.variadic.is_some())
            };
            let function = standard.get(name).unwrap();
            assert_eq!(shape(row.signature), shape(function.signature()), "{name}");
        }
    }
}
