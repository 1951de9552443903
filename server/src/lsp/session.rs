//! The capabilities and folders that the client announced.

use std::path::PathBuf;

use serde_json::Value;

use super::protocol::{Encoding, InitializeParams};
use super::uri::path_of;

/// The options that client and server agreed on at the start.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    pub(super) encoding: Encoding,
    /// The directories of the workspace.
    pub(super) folders: Vec<PathBuf>,
    /// Whether the client asks for diagnostics. If not, they are published.
    pub(super) pulls: bool,
    /// Whether the client can be told to ask for all diagnostics again.
    pub(super) refreshes: bool,
    /// Whether the client can be asked to watch files.
    pub(super) watches: bool,
    /// Whether completions may be snippets.
    pub(super) snippets: bool,
}

impl Session {
    pub(super) fn new(params: &InitializeParams) -> Self {
        let capability = |names: &[&str]| {
            names.iter().try_fold(&params.capabilities, |inside, name| inside.get(name))
        };
        let can = |names: &[&str]| capability(names) == Some(&Value::Bool(true));
        let encodings = capability(&["general", "positionEncodings"]);
        let offered = encodings.and_then(Value::as_array).into_iter().flatten();
        // Texts are in UTF-8 here: it needs no conversion.
        let order = [("utf-8", Encoding::Utf8), ("utf-32", Encoding::Utf32)];
        let offered: Vec<&str> = offered.filter_map(Value::as_str).collect();
        let encoding = order.into_iter().find(|(name, _)| offered.contains(name));
        let folders = params.workspace_folders.iter().flatten().map(|folder| &*folder.uri);
        let mut folders: Vec<PathBuf> = folders.filter_map(path_of).collect();
        if folders.is_empty() {
            folders.extend(params.root_uri.as_deref().and_then(path_of));
        }
        Self {
            encoding: encoding.map_or(Encoding::Utf16, |(_, encoding)| encoding),
            folders,
            pulls: capability(&["textDocument", "diagnostic"]).is_some(),
            refreshes: can(&["workspace", "diagnostics", "refreshSupport"]),
            snippets: can(&["textDocument", "completion", "completionItem", "snippetSupport"]),
            watches: can(&["workspace", "didChangeWatchedFiles", "dynamicRegistration"]),
        }
    }
}
