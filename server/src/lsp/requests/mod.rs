//! Requests that are answered from a snapshot: one file for each kind, and the table of all.

mod actions;
mod asked;
mod calls;
mod diagnostic;
mod formatting;
mod places;
mod shown;
mod structure;

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use simd_hcl::workspace::{Cancel, Snapshot};

use super::protocol::{Encoding, Parameters, code};
use super::session::Session;
use super::uri::path_of;

/// A snapshot and a session, from which a request is answered.
pub(super) struct Request {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) session: Session,
    /// Whether the answer is still wanted: to be asked between steps of long answers.
    #[expect(dead_code, reason = "no answer takes long")]
    pub(super) cancel: Cancel,
    /// A message that the client shows beside the answer.
    pub(super) message: RefCell<Option<String>>,
}

impl Request {
    fn encoding(&self) -> Encoding {
        self.session.encoding
    }
}

/// Why there is no answer.
pub(super) struct Refused {
    pub(super) code: i32,
    pub(super) message: String,
}

impl Refused {
    pub(super) fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub(super) fn cancelled() -> Self {
        Self::new(code::CANCELLED, "the request was cancelled")
    }

    /// The request is valid, but has no answer.
    fn failed(message: impl Into<String>) -> Self {
        Self::new(code::FAILED, message)
    }
}

/// A request of the protocol.
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// The member of the server's capabilities that announces it.
    pub capability: &'static str,
    pub(super) answer: fn(&Request, Parameters) -> Result<Value, Refused>,
}

/// The requests that are answered. `initialize` announces these, and no others.
pub static METHODS: &[Method] = &[
    Method {
        name: "textDocument/diagnostic",
        capability: "diagnosticProvider",
        answer: diagnostic::of_document,
    },
    Method {
        name: "workspace/diagnostic",
        capability: "diagnosticProvider",
        answer: diagnostic::of_workspace,
    },
    Method {
        name: "textDocument/codeAction",
        capability: "codeActionProvider",
        answer: actions::answer,
    },
    Method {
        name: "textDocument/formatting",
        capability: "documentFormattingProvider",
        answer: formatting::whole,
    },
    Method {
        name: "textDocument/rangeFormatting",
        capability: "documentRangeFormattingProvider",
        answer: formatting::range,
    },
    Method {
        name: "textDocument/onTypeFormatting",
        capability: "documentOnTypeFormattingProvider",
        answer: formatting::on_type,
    },
    Method {
        name: "textDocument/definition",
        capability: "definitionProvider",
        answer: places::definition,
    },
    Method {
        name: "textDocument/references",
        capability: "referencesProvider",
        answer: places::references,
    },
    Method {
        name: "textDocument/documentHighlight",
        capability: "documentHighlightProvider",
        answer: places::highlight,
    },
    Method {
        name: "textDocument/prepareRename",
        capability: "renameProvider",
        answer: places::prepare_rename,
    },
    Method { name: "textDocument/rename", capability: "renameProvider", answer: places::rename },
    Method {
        name: "textDocument/documentLink",
        capability: "documentLinkProvider",
        answer: places::links,
    },
    Method { name: "textDocument/hover", capability: "hoverProvider", answer: shown::hover },
    Method {
        name: "textDocument/signatureHelp",
        capability: "signatureHelpProvider",
        answer: shown::signature,
    },
    Method {
        name: "textDocument/completion",
        capability: "completionProvider",
        answer: shown::completion,
    },
    Method {
        name: "textDocument/inlayHint",
        capability: "inlayHintProvider",
        answer: shown::hints,
    },
    Method { name: "textDocument/codeLens", capability: "codeLensProvider", answer: shown::lenses },
    Method {
        name: "textDocument/documentSymbol",
        capability: "documentSymbolProvider",
        answer: structure::symbols,
    },
    Method {
        name: "workspace/symbol",
        capability: "workspaceSymbolProvider",
        answer: structure::all_symbols,
    },
    Method {
        name: "textDocument/semanticTokens/full",
        capability: "semanticTokensProvider",
        answer: structure::tokens,
    },
    Method {
        name: "textDocument/foldingRange",
        capability: "foldingRangeProvider",
        answer: structure::folds,
    },
    Method {
        name: "textDocument/selectionRange",
        capability: "selectionRangeProvider",
        answer: structure::selection,
    },
    Method {
        name: "textDocument/prepareCallHierarchy",
        capability: "callHierarchyProvider",
        answer: calls::prepare,
    },
    Method {
        name: "callHierarchy/incomingCalls",
        capability: "callHierarchyProvider",
        answer: calls::incoming,
    },
    Method {
        name: "callHierarchy/outgoingCalls",
        capability: "callHierarchyProvider",
        answer: calls::outgoing,
    },
];

/// Returns the capabilities of the server.
pub(super) fn capabilities(session: &Session) -> Value {
    json!({
        "positionEncoding": session.encoding,
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
        "diagnosticProvider": {
            "identifier": "simd-hcl",
            "interFileDependencies": true,
            "workspaceDiagnostics": true,
        },
        "codeActionProvider": { "codeActionKinds": actions::KINDS },
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "documentOnTypeFormattingProvider": {
            "firstTriggerCharacter": formatting::TYPED[0],
            "moreTriggerCharacter": &formatting::TYPED[1..],
        },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentLinkProvider": {},
        "hoverProvider": true,
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "completionProvider": { "triggerCharacters": [".", "\"", "/"] },
        "inlayHintProvider": true,
        "codeLensProvider": {},
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "semanticTokensProvider": { "legend": structure::legend(), "full": true },
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "callHierarchyProvider": true,
    })
}

/// The path of a document.
fn path(uri: &str) -> Result<PathBuf, Refused> {
    path_of(uri).ok_or_else(|| Refused::new(code::INVALID_PARAMS, format!("{uri} is not a file")))
}
