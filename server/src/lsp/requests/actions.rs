//! Edits that repair findings.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use simd_hcl::diagnostic::{Fix, Safety};
use simd_hcl::workspace::Finding;

use super::{Refused, Request, path};
use crate::lsp::diagnostics::{Texts, of_finding};
use crate::lsp::lines::Lines;
use crate::lsp::protocol::{Parameters, Range, TextDocument, TextEdit};
use crate::lsp::server::parse;

const QUICK_FIX: &str = "quickfix";
const FIX_ALL: &str = "source.fixAll.simd-hcl";

/// The kinds of actions.
pub(super) const KINDS: [&str; 2] = [QUICK_FIX, FIX_ALL];

/// The characters of a text that a title shows.
const SHOWN: usize = 40;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    text_document: TextDocument,
    range: Range,
    #[serde(default)]
    context: Context,
}

#[derive(Default, Deserialize)]
struct Context {
    only: Option<Vec<String>>,
}

pub(super) fn answer(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: Params = parse(params)?;
    let path = path(&params.text_document.uri)?;
    let wants = |kind: &str| {
        let only = params.context.only.as_ref();
        only.is_none_or(|only| {
            let is_it = |wanted: &String| {
                kind == wanted || kind.strip_prefix(&**wanted).is_some_and(|it| it.starts_with('.'))
            };
            only.iter().any(is_it)
        })
    };
    let findings = request.snapshot.findings(&path);
    let mut texts = Texts::new(&request.snapshot);
    let text = texts.get(&path);
    let lines = Lines::new(&text, request.encoding());
    let uri = &params.text_document.uri;
    let change = |edits: Vec<TextEdit>| json!({ "changes": BTreeMap::from([(uri, edits)]) });
    let mut actions = Vec::new();
    if wants(QUICK_FIX) {
        let asked = lines.bytes(params.range);
        let is_near = |finding: &&Finding| {
            finding.span.start as usize <= asked.end && asked.start <= finding.span.end as usize
        };
        for finding in findings.iter().filter(is_near) {
            let Some(fix) = &finding.fix else { continue };
            let diagnostic = of_finding(finding, &lines, &mut texts, request.encoding());
            actions.push(json!({
                "title": title(fix, &text),
                "kind": QUICK_FIX,
                "diagnostics": [diagnostic],
                "isPreferred": fix.safety == Safety::Safe,
                "edit": change(vec![edit(fix, &lines)]),
            }));
        }
    }
    // All at once only if it is asked for: an editor does so when it saves.
    if params.context.only.is_some() && wants(FIX_ALL) {
        let edits = all(findings, &lines);
        if !edits.is_empty() {
            actions.push(json!({
                "title": "Repair everything that is safe to repair",
                "kind": FIX_ALL,
                "edit": change(edits),
            }));
        }
    }
    Ok(actions.into())
}

fn edit(fix: &Fix, lines: &Lines<'_>) -> TextEdit {
    let range = lines.range(fix.span.start as usize, fix.span.end as usize);
    TextEdit { range, new_text: fix.text.to_string() }
}

/// The safe edits that do not touch one another.
fn all(findings: &[Finding], lines: &Lines<'_>) -> Vec<TextEdit> {
    let mut fixes: Vec<&Fix> = findings.iter().filter_map(|finding| finding.fix.as_ref()).collect();
    fixes.retain(|fix| fix.safety == Safety::Safe);
    fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
    let mut edits = Vec::new();
    let mut end = None;
    for fix in fixes {
        if end.is_none_or(|end| end < fix.span.start) {
            edits.push(edit(fix, lines));
            end = Some(fix.span.end);
        }
    }
    edits
}

/// Returns the title of an edit, in a few words.
fn title(fix: &Fix, text: &[u8]) -> String {
    if fix.is_hidden {
        return "Repair this hidden value".to_owned();
    }
    let old = text.get(fix.span.start as usize..fix.span.end as usize).unwrap_or_default();
    let (old, new) = (shown(&String::from_utf8_lossy(old)), shown(&fix.text));
    match (fix.span.is_empty(), fix.text.is_empty()) {
        (true, _) => format!("Insert `{new}`"),
        (false, true) => format!("Remove `{old}`"),
        (false, false) => format!("Replace `{old}` with `{new}`"),
    }
}

/// The start of a text, on one line.
fn shown(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let short: String = line.chars().take(SHOWN).collect();
    if short.len() < text.trim().len() { format!("{short}…") } else { short }
}
