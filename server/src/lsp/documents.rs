//! The texts of open files, as the client edits them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::protocol::ContentChange;
use super::text::Text;

/// An open file.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) path: PathBuf,
    pub(super) version: i64,
    pub(super) text: Text,
}

/// The open files, by the URI that the client uses.
#[derive(Debug, Default)]
pub(super) struct Documents {
    all: BTreeMap<String, Document>,
    /// The files whose text the workspace does not have yet.
    changed: BTreeSet<String>,
}

impl Documents {
    pub(super) fn open(&mut self, uri: String, document: Document) {
        self.changed.insert(uri.clone());
        self.all.insert(uri, document);
    }

    /// Forgets a file. Returns its path.
    pub(super) fn close(&mut self, uri: &str) -> Option<PathBuf> {
        self.changed.remove(uri);
        self.all.remove(uri).map(|document| document.path)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Document> {
        self.all.values()
    }

    /// Applies changes, one after another. Ranges outside of the text are cut off. Returns whether the
    /// file is open.
    pub(super) fn change(
        &mut self,
        uri: &str,
        version: Option<i64>,
        changes: Vec<ContentChange>,
    ) -> bool {
        let Some(document) = self.all.get_mut(uri) else { return false };
        for change in changes {
            document.text.replace(change.range, &change.text);
        }
        document.version = version.unwrap_or_else(|| document.version.wrapping_add(1));
        self.changed.insert(uri.to_owned());
        true
    }

    /// Takes the texts that have changed since the last time.
    pub(super) fn take_changed(&mut self) -> Vec<(PathBuf, Arc<[u8]>)> {
        let changed = std::mem::take(&mut self.changed);
        let documents = changed.iter().filter_map(|uri| self.all.get(uri));
        documents.map(|it| (it.path.clone(), it.text.bytes().into())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::protocol::{Encoding, Position, Range};
    use super::*;

    #[test]
    fn changes_are_applied_in_order() {
        let mut documents = Documents::default();
        let text = Text::new("a😀b\nc\n", Encoding::Utf16);
        documents.open("u".to_owned(), Document { path: "/a.tf".into(), version: 1, text });
        let change = |line, from, to, text: &str| ContentChange {
            range: Some(Range {
                start: Position { line, character: from },
                end: Position { line, character: to },
            }),
            text: text.to_owned(),
        };
        let changes = vec![change(0, 1, 3, "x"), change(1, 0, 99, "d"), change(9, 0, 0, "end")];
        assert!(documents.change("u", Some(4), changes));
        let document = documents.all().next().unwrap();
        assert_eq!((document.text.bytes(), document.version), (b"axb\nd\nend".to_vec(), 4));
        assert_eq!(documents.take_changed().len(), 1);
        assert!(documents.take_changed().is_empty());
        assert!(!documents.change("other", None, Vec::new()));
        assert_eq!(documents.close("u"), Some("/a.tf".into()));
    }
}
