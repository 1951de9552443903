//! Functions whose results do not depend only on their arguments: the reason why they have no result
//! here.
//!
//! They are known so that a call with invalid arguments, or with a misspelled name, is reported.
//! The functions of a scope take precedence over this table.

use super::builtin::{Builtin, function};
use super::call::{Call, Outcome, failed};
use crate::evaluate::signatures::row_of;
use crate::value::Quotation;

/// Sorted by name.
pub(super) const FUNCTIONS: &[Builtin] = &[
    function("abspath", machine),
    function("base64gzip", compressor),
    function("bcrypt", random),
    function("file", files),
    function("filebase64", files),
    function("filebase64sha256", files),
    function("filebase64sha512", files),
    function("fileexists", files),
    function("filemd5", files),
    function("fileset", files),
    function("filesha1", files),
    function("filesha256", files),
    function("filesha512", files),
    function("list", |call| gone(call, LIST)).typed(|call| gone(call, LIST)),
    function("map", |call| gone(call, MAP)).typed(|call| gone(call, MAP)),
    function("pathexpand", machine),
    function("plantimestamp", clock),
    function("rsadecrypt", secret),
    function("templatefile", files),
    function("templatestring", reference),
    function("timestamp", clock),
    function("uuid", random),
];

/// The reasons why `list` and `map` have no result.
const LIST: &str = why("list");
const MAP: &str = why("map");

const fn why(name: &str) -> &'static str {
    match row_of(name).why_gone() {
        Some(why) => why,
        None => "",
    }
}

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
    Err(call.failed("{}, so it has no value here", &[Quotation::Plain(&why)]))
}

fn gone<'a, T>(_: Call<'_, 'a>, why: &'static str) -> Outcome<'a, T> {
    Err(failed(why))
}
