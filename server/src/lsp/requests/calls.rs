//! The calls between modules.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use simd_hcl::ask::{ModuleCalls, ModuleItem};

use super::asked::{Asked, PlaceParams, Reach, locations};
use super::{Refused, Request};
use crate::lsp::protocol::Parameters;
use crate::lsp::server::parse;

/// A module in a hierarchy of calls.
fn item(request: &Request, item: &ModuleItem) -> Option<Value> {
    let place =
        locations(request, std::slice::from_ref(item.place.as_ref()?)).into_iter().next()?;
    let directory = request.snapshot.absolute(Path::new(&*item.directory));
    let folders = request.session.folders.iter();
    let shown = folders.filter_map(|folder| directory.strip_prefix(folder).ok()).next();
    let shown = shown.filter(|path| !path.as_os_str().is_empty());
    let name = shown.unwrap_or(directory.file_name().map_or(&directory, Path::new));
    // 2 is a module.
    Some(json!({
        "name": name,
        "kind": 2,
        "uri": place.uri,
        "range": place.range,
        "selectionRange": place.range,
    }))
}

pub(super) fn prepare(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: PlaceParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else {
        return Ok(Value::Null);
    };
    let offset = asked.offset(params.position);
    let found = asked.ask(Reach::Called, |answers, file| answers.module_at(file, offset)).flatten();
    let found = found.and_then(|found| item(request, &found));
    Ok(found.map_or(Value::Null, |found| json!([found])))
}

#[derive(Deserialize)]
struct CallParams {
    item: CalledItem,
}

#[derive(Deserialize)]
struct CalledItem {
    uri: String,
}

pub(super) fn incoming(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: CallParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.item.uri)? else { return Ok(Value::Null) };
    let found = asked.ask(Reach::Callers, |answers, file| {
        answers.incoming_calls(answers.module_at(file, 0)?.module)
    });
    let calls = found.flatten().unwrap_or_default();
    Ok(calls.iter().filter_map(|calls| of_caller(request, calls, "from")).collect())
}

pub(super) fn outgoing(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: CallParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.item.uri)? else { return Ok(Value::Null) };
    let found = asked.ask(Reach::Called, |answers, file| {
        answers.outgoing_calls(answers.module_at(file, 0)?.module)
    });
    let calls = found.flatten().unwrap_or_default();
    Ok(calls.iter().filter_map(|calls| of_caller(request, calls, "to")).collect())
}

/// Calls from or to a module. The ranges of the protocol are in the file of the caller.
fn of_caller(request: &Request, calls: &ModuleCalls, side: &str) -> Option<Value> {
    let item = item(request, &calls.item)?;
    let ranges: Vec<_> = locations(request, &calls.calls).into_iter().map(|it| it.range).collect();
    Some(json!({ side: item, "fromRanges": ranges }))
}
