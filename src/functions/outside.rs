//! Functions whose results do not depend only on their arguments: names, parameters, and the reason
//! why they have no result here.
//!
//! They are known so that a call with invalid arguments, or with a misspelled name, is reported.
//! The functions of a scope take precedence over this table.

use super::builtin::{BOOL, Builtin, Returns, STRING, any, function, number, text};
use super::call::{Call, Outcome, failed};
use crate::value::Quotation;

/// Sorted by name.
pub(super) const FUNCTIONS: &[Builtin] = &[
    function("abspath", &[text("path")], STRING, machine),
    function("base64gzip", &[text("str")], STRING, compressor),
    function("bcrypt", &[text("str")], STRING, random).rest(number("cost")),
    function("file", &[text("path")], STRING, files),
    function("filebase64", &[text("path")], STRING, files),
    function("filebase64sha256", &[text("path")], STRING, files),
    function("filebase64sha512", &[text("path")], STRING, files),
    function("fileexists", &[text("path")], BOOL, files),
    function("filemd5", &[text("path")], STRING, files),
    function("fileset", &[text("path"), text("pattern")], VALUE, files),
    function("filesha1", &[text("path")], STRING, files),
    function("filesha256", &[text("path")], STRING, files),
    function("filesha512", &[text("path")], STRING, files),
    function("list", &[], Returns::Rule(|call| gone(call, LIST)), |call| gone(call, LIST))
        .rest(any("vals").with_null().with_unknown().with_dynamic()),
    function("map", &[], Returns::Rule(|call| gone(call, MAP)), |call| gone(call, MAP))
        .rest(any("vals").with_null().with_unknown().with_dynamic()),
    function("pathexpand", &[text("path")], STRING, machine),
    function("plantimestamp", &[], STRING, clock),
    function("rsadecrypt", &[text("ciphertext"), text("privatekey")], STRING, secret),
    function("templatefile", &[text("path"), any("vars")], VALUE, files),
    function("templatestring", &[text("template"), any("vars")], STRING, reference),
    function("timestamp", &[], STRING, clock),
    function("uuid", &[], STRING, random),
];

const VALUE: Returns = Returns::Value;

/// The reasons why `list` and `map` have no result.
const LIST: &str = "it has been removed from the language; write tolist([…])";
const MAP: &str = "it has been removed from the language; write tomap({…})";

fn files<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    needs(call, "it reads files")
}

fn machine<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    needs(call, "it follows the rules for paths of the machine that it runs on")
}

fn clock<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    needs(call, "it reads the clock")
}

fn random<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    needs(call, "its result differs each time")
}

fn compressor<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    needs(call, "its result depends on the compressor")
}

fn secret<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    needs(call, "it needs a private key")
}

fn reference<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    needs(call, "its first argument must be a reference, which a function does not see")
}

fn needs<'a>(call: Call<'_, 'a>, why: &'static str) -> Outcome<'a> {
    Err(call.failed("{}; give it to the scope", &[Quotation::Plain(&why)]))
}

fn gone<'a, T>(_: Call<'_, 'a>, why: &'static str) -> Outcome<'a, T> {
    Err(failed(why))
}
