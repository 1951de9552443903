//! The types of the protocol that are used here, as its specification names them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The unit of the columns of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) enum Encoding {
    #[serde(rename = "utf-8")]
    Utf8,
    #[default]
    #[serde(rename = "utf-16")]
    Utf16,
    #[serde(rename = "utf-32")]
    Utf32,
}

/// The identifier of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Id {
    Number(i64),
    Text(String),
}

/// The parameters of a message, as its text: values in memory would take many times its bytes.
pub(super) type Parameters = Option<Box<RawValue>>;

/// A message of either side: a request, a notification or a response.
#[derive(Debug, Deserialize)]
pub(super) struct Message {
    pub(super) id: Option<Id>,
    pub(super) method: Option<String>,
    #[serde(default)]
    pub(super) params: Parameters,
}

#[derive(Debug, Serialize)]
pub(super) struct Response {
    pub(super) jsonrpc: &'static str,
    pub(super) id: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<ResponseError>,
}

#[derive(Debug, Serialize)]
pub(super) struct ResponseError {
    pub(super) code: i32,
    pub(super) message: String,
}

/// A request or a notification to the client.
#[derive(Debug, Serialize)]
pub(super) struct Outgoing {
    pub(super) jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<Id>,
    pub(super) method: &'static str,
    pub(super) params: Value,
}

/// Codes of errors.
pub(super) mod code {
    pub(crate) const PARSE: i32 = -32700;
    pub(crate) const INVALID_REQUEST: i32 = -32600;
    pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
    pub(crate) const INVALID_PARAMS: i32 = -32602;
    pub(crate) const INTERNAL: i32 = -32603;
    pub(crate) const NOT_INITIALIZED: i32 = -32002;
    pub(crate) const CANCELLED: i32 = -32800;
    pub(crate) const FAILED: i32 = -32803;
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Position {
    pub(super) line: u32,
    pub(super) character: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Range {
    pub(super) start: Position,
    pub(super) end: Position,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Location {
    pub(super) uri: String,
    pub(super) range: Range,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextEdit {
    pub(super) range: Range,
    pub(super) new_text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Diagnostic {
    pub(super) range: Range,
    /// 1 for errors, 2 for warnings.
    pub(super) severity: u8,
    pub(super) code: String,
    pub(super) source: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_information: Vec<RelatedInformation>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct RelatedInformation {
    pub(super) location: Location,
    pub(super) message: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct InitializeParams {
    pub(super) root_uri: Option<String>,
    pub(super) workspace_folders: Option<Vec<WorkspaceFolder>>,
    pub(super) capabilities: Value,
}

#[derive(Debug, Deserialize)]
pub(super) struct WorkspaceFolder {
    pub(super) uri: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct TextDocument {
    pub(super) uri: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DocumentParams {
    pub(super) text_document: TextDocument,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RangeParams {
    pub(super) text_document: TextDocument,
    pub(super) range: Range,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TypedParams {
    pub(super) text_document: TextDocument,
    /// Where the cursor is after the character.
    pub(super) position: Position,
    /// The character that was typed.
    pub(super) ch: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DidOpenParams {
    pub(super) text_document: OpenedDocument,
}

#[derive(Debug, Deserialize)]
pub(super) struct OpenedDocument {
    pub(super) uri: String,
    #[serde(default)]
    pub(super) version: i64,
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DidChangeParams {
    pub(super) text_document: VersionedDocument,
    pub(super) content_changes: Vec<ContentChange>,
}

#[derive(Debug, Deserialize)]
pub(super) struct VersionedDocument {
    pub(super) uri: String,
    #[serde(default)]
    pub(super) version: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ContentChange {
    pub(super) range: Option<Range>,
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct WatchedFilesParams {
    pub(super) changes: Vec<FileEvent>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FileEvent {
    pub(super) uri: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct WorkspaceFoldersParams {
    pub(super) event: WorkspaceFoldersEvent,
}

#[derive(Debug, Deserialize)]
pub(super) struct WorkspaceFoldersEvent {
    #[serde(default)]
    pub(super) added: Vec<WorkspaceFolder>,
    #[serde(default)]
    pub(super) removed: Vec<WorkspaceFolder>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CancelParams {
    pub(super) id: Id,
}
