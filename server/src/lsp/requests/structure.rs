//! Symbols, tokens, folds and selections.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use simd_hcl::ask::{SymbolKind, TokenKind, workspace_symbols};
use simd_hcl::dialect::BlockKind;
use simd_hcl::span::Span;

use super::asked::{Asked, Reach, locations, range};
use super::{Refused, Request};
use crate::lsp::lines::Lines;
use crate::lsp::protocol::{DocumentParams, Parameters, Position, TextDocument, code};
use crate::lsp::server::parse;

/// The number of symbols of all modules that are shown.
const MOST_SYMBOLS: usize = 200;

/// The number of places whose surroundings are selected at once.
const MOST_POSITIONS: usize = 1000;

/// The number of parts around a place that are selected.
const MOST_PARTS: usize = 100;

/// The names of kinds of tokens in the protocol, in the order of [`TokenKind::ALL`].
const TOKEN_TYPES: [&str; 16] = [
    "class",
    "type",
    "label",
    "property",
    "parameter",
    "variable",
    "namespace",
    "property",
    "struct",
    "namespace",
    "keyword",
    "function",
    "number",
    "string",
    "comment",
    "operator",
];

/// The names of the kinds of tokens, and of their modifiers.
pub(super) fn legend() -> Value {
    json!({ "tokenTypes": TOKEN_TYPES, "tokenModifiers": ["declaration"] })
}

/// The number of a symbol's kind in the protocol.
fn kind(kind: SymbolKind) -> u8 {
    match kind {
        SymbolKind::Block(kind) => kind_of_block(kind),
        SymbolKind::Nested => 19,
        SymbolKind::Local => 13,
        _ => 7,
    }
}

fn kind_of_block(kind: BlockKind) -> u8 {
    match kind {
        BlockKind::Variable | BlockKind::Locals | BlockKind::Local => 13,
        BlockKind::Output => 7,
        BlockKind::Module => 2,
        BlockKind::Provider => 4,
        _ => 5,
    }
}

pub(super) fn symbols(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: DocumentParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else { return Ok(json!([])) };
    let found = asked.ask(Reach::Called, |answers, file| answers.symbols(file)).unwrap_or_default();
    let lines = asked.lines();
    // The symbols that are open, each with those in it. There are few levels.
    let mut open: Vec<(u32, Value, Vec<Value>)> = Vec::new();
    let mut roots = Vec::new();
    let close = |open: &mut Vec<(u32, Value, Vec<Value>)>, roots: &mut Vec<Value>| {
        let Some((_, mut symbol, children)) = open.pop() else { return };
        if !children.is_empty() {
            symbol["children"] = children.into();
        }
        match open.last_mut() {
            Some((_, _, siblings)) => siblings.push(symbol),
            None => roots.push(symbol),
        }
    };
    for symbol in found {
        while open.last().is_some_and(|(depth, ..)| *depth >= symbol.depth) {
            close(&mut open, &mut roots);
        }
        let value = json!({
            "name": symbol.name,
            "kind": kind(symbol.kind),
            "range": range(&lines, symbol.span),
            "selectionRange": range(&lines, symbol.name_span),
        });
        open.push((symbol.depth, value, Vec::new()));
    }
    while !open.is_empty() {
        close(&mut open, &mut roots);
    }
    Ok(roots.into())
}

#[derive(Deserialize)]
struct QueryParams {
    #[serde(default)]
    query: String,
}

pub(super) fn all_symbols(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: QueryParams = parse(params)?;
    let found = workspace_symbols(&request.snapshot, &params.query, MOST_SYMBOLS);
    let places: Vec<_> = found.iter().map(|symbol| symbol.place.clone()).collect();
    let symbols = found.into_iter().zip(locations(request, &places)).map(|(symbol, location)| {
        let folders = request.session.folders.iter();
        let module = Path::new(&*symbol.module);
        let module = folders.filter_map(|folder| module.strip_prefix(folder).ok()).next();
        json!({
            "name": symbol.name,
            "kind": kind_of_block(symbol.kind),
            "location": location,
            "containerName": module.unwrap_or(Path::new(&*symbol.module)),
        })
    });
    Ok(symbols.collect())
}

pub(super) fn tokens(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: DocumentParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else {
        return Ok(json!({ "data": [] }));
    };
    let found = asked.ask(Reach::Called, |answers, file| answers.tokens(file)).unwrap_or_default();
    let lines = asked.lines();
    let mut before = Position::default();
    let mut data: Vec<u32> = Vec::with_capacity(5 * found.len());
    for token in found {
        let place = range(&lines, token.span);
        let (start, end) = (place.start, place.end);
        let line = start.line - before.line;
        let character =
            if line == 0 { start.character - before.character } else { start.character };
        let kind = TokenKind::ALL.iter().position(|kind| *kind == token.kind).unwrap_or(0) as u32;
        let length = end.character.saturating_sub(start.character);
        data.extend([line, character, length, kind, u32::from(token.is_declaration)]);
        before = start;
    }
    Ok(json!({ "data": data }))
}

pub(super) fn folds(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: DocumentParams = parse(params)?;
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else { return Ok(json!([])) };
    let found = asked.ask(Reach::Called, |answers, file| answers.folds(file)).unwrap_or_default();
    let lines = asked.lines();
    let folds = found.into_iter().map(|fold| {
        let range = range(&lines, fold.span);
        // The line of the closing bracket stays.
        let last = if fold.is_comment { range.end.line } else { range.end.line.saturating_sub(1) };
        let mut value =
            json!({ "startLine": range.start.line, "endLine": last.max(range.start.line) });
        if fold.is_comment {
            value["kind"] = json!("comment");
        }
        value
    });
    Ok(folds.collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SelectionParams {
    text_document: TextDocument,
    positions: Vec<Position>,
}

pub(super) fn selection(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: SelectionParams = parse(params)?;
    if params.positions.len() > MOST_POSITIONS {
        let why = format!("more than {MOST_POSITIONS} positions");
        return Err(Refused::new(code::INVALID_PARAMS, why));
    }
    let Some(asked) = Asked::new(request, &params.text_document.uri)? else {
        return Ok(Value::Null);
    };
    let lines = asked.lines();
    let offsets: Vec<u32> =
        params.positions.iter().map(|position| lines.offset(*position) as u32).collect();
    let found = asked.ask(Reach::Called, |answers, file| {
        offsets.iter().map(|offset| answers.selection(file, *offset)).collect::<Vec<_>>()
    });
    let selections = found
        .unwrap_or_default()
        .into_iter()
        .zip(offsets)
        .map(|(spans, offset)| nested(&lines, &spans, offset));
    Ok(selections.collect())
}

/// Parts of a file, each with the one around it.
fn nested(lines: &Lines<'_>, spans: &[Span], offset: u32) -> Value {
    let mut around: Option<Value> = None;
    // The whole file is the last one.
    let kept =
        spans.iter().take(MOST_PARTS - 1).chain(spans.last().filter(|_| spans.len() >= MOST_PARTS));
    for span in kept.collect::<Vec<_>>().into_iter().rev() {
        let mut value = json!({ "range": range(lines, *span) });
        if let Some(around) = around.take() {
            value["parent"] = around;
        }
        around = Some(value);
    }
    around.unwrap_or_else(|| json!({ "range": range(lines, Span::at(offset)) }))
}
