//! Diagnostics that the client asks for. The identifier of a result is computed from its content,
//! so a client that has it gets no diagnostics again.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};
use simd_hcl::workspace::Finding;

use super::{Refused, Request, path};
use crate::lsp::diagnostics::{self, of_file};
use crate::lsp::protocol::{Parameters, TextDocument};
use crate::lsp::server::parse;
use crate::lsp::uri::{path_of, uri_of};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DocumentParams {
    text_document: TextDocument,
    previous_result_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WorkspaceParams {
    #[serde(default)]
    previous_result_ids: Vec<Previous>,
}

#[derive(Deserialize)]
struct Previous {
    uri: String,
    value: String,
}

/// Results of other processes are not those of this one.
static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::new);

pub(super) fn of_document(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: DocumentParams = parse(params)?;
    let path = path(&params.text_document.uri)?;
    let findings = request.snapshot.findings(&path);
    Ok(report(request, &path, findings, params.previous_result_id.as_deref()))
}

pub(super) fn of_workspace(request: &Request, params: Parameters) -> Result<Value, Refused> {
    let params: WorkspaceParams = parse(params)?;
    let all = diagnostics::all(&request.snapshot);
    let previous = params.previous_result_ids.iter();
    let previous = previous.filter_map(|it| Some((path_of(&it.uri)?, it.value.as_str())));
    let previous: BTreeMap<PathBuf, &str> = previous.collect();
    let mut items = Vec::new();
    for (path, findings) in &all {
        let before = previous.get(path).copied();
        if findings.is_empty() && before.is_none() {
            continue;
        }
        let mut item = report(request, path, findings, before);
        item["uri"] = uri_of(path).into();
        item["version"] = Value::Null;
        items.push(item);
    }
    // Files that are gone.
    for previous in &params.previous_result_ids {
        let is_known = path_of(&previous.uri).is_some_and(|path| all.contains_key(&path));
        if !is_known {
            items.push(json!({
                "kind": "full", "uri": previous.uri, "version": null, "items": [],
            }));
        }
    }
    Ok(json!({ "items": items }))
}

/// The report of one file; only that nothing has changed, if the client has it.
fn report(request: &Request, path: &Path, findings: &[Finding], before: Option<&str>) -> Value {
    let items = of_file(&request.snapshot, path, findings, request.encoding());
    let items = serde_json::to_value(items).unwrap_or_default();
    let id = format!("{:016x}", HASHER.hash_one(items.to_string()));
    match before == Some(&id) {
        true => json!({ "kind": "unchanged", "resultId": id }),
        false => json!({ "kind": "full", "resultId": id, "items": items }),
    }
}
