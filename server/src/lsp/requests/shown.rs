//! Hover, signatures, completions, hints and lenses.

use serde::Deserialize;
use serde_json::{Value, json};
use simd_hcl::ask::CompletionKind;
use simd_hcl::span::Span;

use super::asked::{Asked, PlaceParams, Reach, range};
use super::{Refused, Request};
use crate::lsp::protocol::{DocumentParams, Parameters, Range, TextDocument};
use crate::lsp::server::parse;

pub(super) fn hover(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: PlaceParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else {
        return Ok(Value::Null);
    };
    let offset = asked.offset(params.position);
    let hover = asked.ask(Reach::Callers, |answers, file| answers.hover(file, offset)).flatten();
    Ok(hover.map_or(Value::Null, |hover| {
        json!({
            "contents": { "kind": "markdown", "value": hover.markdown() },
            "range": asked.range(hover.span),
        })
    }))
}

pub(super) fn signature(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: PlaceParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else {
        return Ok(Value::Null);
    };
    let offset = asked.offset(params.position);
    let found = asked.ask(Reach::Called, |answers, file| answers.signature(file, offset));
    Ok(found.flatten().map_or(Value::Null, |signature| {
        let parameters = signature.parameters.iter().map(|it| json!({ "label": it }));
        json!({
            "signatures": [{
                "label": signature.text,
                "parameters": parameters.collect::<Vec<_>>(),
            }],
            "activeSignature": 0,
            "activeParameter": signature.active.unwrap_or(signature.parameters.len()),
        })
    }))
}

/// The number of a kind in the protocol.
fn kind(kind: CompletionKind) -> u8 {
    match kind {
        CompletionKind::Argument | CompletionKind::Attribute => 10,
        CompletionKind::Block => 7,
        CompletionKind::Label => 12,
        CompletionKind::Variable | CompletionKind::Local => 6,
        CompletionKind::Module | CompletionKind::Provider => 9,
        CompletionKind::Output => 5,
        CompletionKind::Resource => 22,
        CompletionKind::Function => 3,
        CompletionKind::Path => 17,
        _ => 14,
    }
}

pub(super) fn completion(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: PlaceParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else { return Ok(json!([])) };
    let offset = asked.offset(params.position);
    let found = asked.ask(Reach::Callers, |answers, file| answers.completions(file, offset));
    let found = found.unwrap_or_default();
    let replaced = asked.range(found.replaced);
    let snippets = request.session.snippets;
    let items = found.items.into_iter().zip(0..).map(|(item, place): (_, u32)| {
        let snippet = item.snippet.filter(|_| snippets);
        let format = if snippet.is_some() { 2 } else { 1 };
        let mut value = json!({
            "label": item.label,
            "kind": kind(item.kind),
            "sortText": format!("{place:04}"),
            "filterText": item.label,
            "insertTextFormat": format,
            "textEdit": { "range": replaced, "newText": snippet.unwrap_or(item.text) },
        });
        if let Some(detail) = item.detail {
            value["detail"] = json!(detail);
        }
        if let Some(documentation) = item.documentation {
            value["documentation"] = json!({ "kind": "markdown", "value": documentation });
        }
        if item.is_deprecated {
            value["tags"] = json!([1]);
        }
        value
    });
    let items: Vec<Value> = items.collect();
    // Items that do not match the word so far are left out, so the client asks again for another
    // word.
    Ok(json!({ "isIncomplete": true, "items": items }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HintParams {
    text_document: TextDocument,
    range: Range,
}

pub(super) fn hints(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: HintParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else { return Ok(json!([])) };
    let lines = asked.lines();
    let bytes = lines.bytes(params.range);
    let span = Span::new(bytes.start as u32, bytes.end as u32);
    let found = asked.ask(Reach::Callers, |answers, file| answers.hints(file, span));
    let hints = found.unwrap_or_default().into_iter().map(|hint| {
        json!({
            "position": lines.position(hint.offset as usize),
            "label": format!("= {}", hint.text),
            "paddingLeft": true,
        })
    });
    Ok(hints.collect())
}

pub(super) fn lenses(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: DocumentParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else { return Ok(json!([])) };
    let lines = asked.lines();
    let found = asked.ask(Reach::Callers, |answers, file| answers.lenses(file));
    let lenses = found.unwrap_or_default().into_iter().map(|lens| {
        let count = |count: usize, name: &str| match count {
            1 => format!("1 {name}"),
            count => format!("{count} {name}s"),
        };
        let references = count(lens.references, "reference");
        let title = format!("{references}, {}", count(lens.roots.len(), "root module"));
        // An empty command is shown, and does nothing.
        json!({
            "range": range(&lines, lens.span),
            "command": { "title": title, "command": "" },
        })
    });
    Ok(lenses.collect())
}
