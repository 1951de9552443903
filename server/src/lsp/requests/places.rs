//! Definitions, references, highlights, renames and links.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use simd_hcl::ask::{LinkTarget, Renamed};
use simd_hcl::directory::DecodeOptions;
use simd_hcl::facts::PlaceUse;

use super::asked::{Asked, PlaceParams, Reach, range};
use super::{Refused, Request};
use crate::lsp::diagnostics::Texts;
use crate::lsp::lines::Lines;
use crate::lsp::protocol::{DocumentParams, Parameters, Position, TextDocument, TextEdit};
use crate::lsp::server::parse;
use crate::lsp::uri::uri_of;

pub(super) fn definition(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: PlaceParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else { return Ok(json!([])) };
    let offset = asked.offset(params.position);
    let ask = |reach| asked.ask(reach, |answers, file| answers.definition(file, offset));
    let mut found = ask(Reach::Called).unwrap_or_default();
    // A provider configuration may come from the modules that call this one.
    if found.is_empty() {
        found = ask(Reach::Callers).unwrap_or_default();
    }
    Ok(json!(asked.locations(&found)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReferenceParams {
    text_document: TextDocument,
    position: Position,
    #[serde(default)]
    context: ReferenceContext,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReferenceContext {
    #[serde(default)]
    include_declaration: bool,
}

pub(super) fn references(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: ReferenceParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else { return Ok(json!([])) };
    let offset = asked.offset(params.position);
    let declarations = params.context.include_declaration;
    // The object may be declared in a module that this one calls, and that others call as well.
    let found = asked.ask(Reach::Called, |answers, file| answers.definition(file, offset));
    let declared = found.unwrap_or_default().into_iter().next();
    let (asked, offset) = match declared {
        Some(place) if *place.file != *asked.name() => {
            let uri = uri_of(&request.snapshot.absolute(Path::new(&*place.file)));
            match Asked::new(request, &uri)? {
                // A name of a file of Terragrunt is searched in the file that is asked about.
                Some(other) if !other.is_of_unit() => (other, place.span.start),
                _ => (asked, offset),
            }
        }
        _ => (asked, offset),
    };
    let found =
        asked.ask(Reach::Callers, |answers, file| answers.references(file, offset, declarations));
    let mut places: Vec<_> = found.unwrap_or_default().into_iter().map(|it| it.name).collect();
    if request.snapshot.has_units() {
        let beside = asked.ask(Reach::Called, |answers, file| {
            answers.references_beside(file, offset, |named| {
                let module = &answers.tree().modules()[named.module];
                request.snapshot.beside(module, named.object)
            })
        });
        places.extend(beside.unwrap_or_default());
        places.sort();
        places.dedup();
    }
    Ok(json!(asked.locations(&places)))
}

pub(super) fn highlight(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: PlaceParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else { return Ok(json!([])) };
    let offset = asked.offset(params.position);
    let found = asked.ask(Reach::Called, |answers, file| {
        let mut all = answers.references(file, offset, true);
        all.retain(|it| *it.name.file == *file);
        all
    });
    let lines = asked.lines();
    // 2 is a read, 3 a write.
    let kind = |usage| if usage == PlaceUse::Declaration { 3 } else { 2 };
    let found = found.unwrap_or_default().into_iter();
    Ok(found
        .map(|it| json!({ "range": range(&lines, it.name.span), "kind": kind(it.usage) }))
        .collect())
}

pub(super) fn prepare_rename(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: PlaceParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else {
        return Ok(Value::Null);
    };
    let offset = asked.offset(params.position);
    let found = asked.ask(Reach::Callers, |answers, file| answers.renamable(file, offset));
    Ok(match found.flatten() {
        Some(place) => {
            let name = place.span.slice(&asked.text);
            let placeholder = String::from_utf8_lossy(name);
            json!({ "range": asked.range(place.span), "placeholder": placeholder })
        }
        None => Value::Null,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RenameParams {
    text_document: TextDocument,
    position: Position,
    new_name: String,
}

pub(super) fn rename(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: RenameParams = parse(params)?;
    let nothing = || Refused::failed("nothing that can be renamed is named here");
    let asked = Asked::new(request, &params.text_document.uri)?.ok_or_else(nothing)?;
    let offset = asked.offset(params.position);
    // The module that declares it, with all that call it.
    let found = asked.ask(Reach::Called, |answers, file| answers.definition(file, offset));
    let declared = found.unwrap_or_default().into_iter().next();
    let (asked, offset) = match declared {
        Some(place) if *place.file != *asked.name() => {
            let uri = uri_of(&request.snapshot.absolute(Path::new(&*place.file)));
            (Asked::new(request, &uri)?.ok_or_else(nothing)?, place.span.start)
        }
        _ => (asked, offset),
    };
    let renamed = asked.ask(Reach::Callers, |answers, file| {
        let (name, options) = (&*params.new_name, DecodeOptions::default());
        answers.rename_with(
            (file, offset),
            name,
            &options,
            true,
            |named| {
                let module = &answers.tree().modules()[named.module];
                request.snapshot.beside(module, named.object)
            },
            |change| request.snapshot.has_applied(change),
        )
    });
    let renamed = renamed.ok_or_else(nothing)?;
    let mut renamed = renamed.map_err(|why| Refused::failed(why.to_string()))?;
    let added = request.snapshot.errors_added_by(&renamed.files);
    if let Some((file, error)) = added.modules.into_iter().next() {
        return Err(Refused::failed(format!("there would be a new error: {file}: {error}")));
    }
    let failing = added.units.into_iter();
    let why = |error| format!("the check of a unit would fail: {error}");
    renamed.incomplete.extend(failing.map(|(file, error)| (file.into(), why(error))));
    let mut texts = Texts::new(&request.snapshot);
    *request.message.borrow_mut() = left(request, &renamed, &mut texts);
    let mut changes: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
    for (file, edits) in renamed.files {
        let path = request.snapshot.absolute(Path::new(&*file));
        let text = texts.get(&path);
        let lines = Lines::new(&text, request.encoding());
        let edits = edits.iter().map(|edit| TextEdit {
            range: range(&lines, edit.span()),
            new_text: edit.text().to_owned(),
        });
        changes.insert(uri_of(&path), edits.collect());
    }
    Ok(json!({ "changes": changes }))
}

/// The number of places that a message names.
const MOST_PLACES: usize = 8;

/// Names what a rename leaves: places that have the old name, and files that it does not know.
fn left(request: &Request, renamed: &Renamed, texts: &mut Texts<'_>) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for (place, why) in renamed.not_changed.iter().take(MOST_PLACES) {
        let text = texts.get(&request.snapshot.absolute(Path::new(&*place.file)));
        let at = range(&Lines::new(&text, request.encoding()), place.span).start;
        lines.push(format!("{}:{}:{}: {why}", place.file, at.line + 1, at.character + 1));
    }
    let more = renamed.not_changed.len() - lines.len();
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    let unknown = renamed.incomplete.iter().take(MOST_PLACES);
    lines.extend(unknown.map(|(file, why)| format!("{file}: {why}")));
    (!lines.is_empty()).then(|| format!("Not renamed:\n{}", lines.join("\n")))
}

pub(super) fn links(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: DocumentParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else { return Ok(json!([])) };
    let found = asked.ask(Reach::Called, |answers, file| answers.links(file)).unwrap_or_default();
    let lines = asked.lines();
    let uri = |file: &str| uri_of(&request.snapshot.absolute(Path::new(file)));
    let links = found.into_iter().map(|link| {
        let target = match link.target {
            LinkTarget::Module { file: Some(file), .. } | LinkTarget::File(file) => uri(&file),
            LinkTarget::Module { directory, .. } => uri(&directory),
            LinkTarget::Page(page) => page.into(),
            _ => return Value::Null,
        };
        json!({ "range": range(&lines, link.span), "target": target })
    });
    Ok(links.filter(|link| !link.is_null()).collect())
}
