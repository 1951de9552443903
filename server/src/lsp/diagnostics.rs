//! Findings as diagnostics of the protocol.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simd_hcl::workspace::{Finding, Snapshot};

use super::lines::Lines;
use super::protocol::{Diagnostic, Encoding, Location, RelatedInformation};
use super::uri::uri_of;

/// The name of the program in diagnostics.
const SOURCE: &str = "simd-hcl";

const UNNECESSARY: u8 = 1;
const DEPRECATED: u8 = 2;

/// The texts of files, read once.
pub(super) struct Texts<'s> {
    snapshot: &'s Snapshot,
    read: BTreeMap<PathBuf, Arc<[u8]>>,
}

impl<'s> Texts<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        Self { snapshot, read: BTreeMap::new() }
    }

    /// The text of a file; empty if it cannot be read.
    pub(super) fn get(&mut self, path: &Path) -> Arc<[u8]> {
        if let Some(text) = self.read.get(path) {
            return Arc::clone(text);
        }
        let text = self.snapshot.text(path).unwrap_or_else(|_| Arc::default());
        self.read.insert(path.to_owned(), Arc::clone(&text));
        text
    }
}

/// The diagnostics of one file.
pub(super) fn of_file(
    snapshot: &Snapshot,
    path: &Path,
    findings: &[Finding],
    encoding: Encoding,
) -> Vec<Diagnostic> {
    if findings.is_empty() {
        return Vec::new();
    }
    let mut texts = Texts::new(snapshot);
    let text = texts.get(path);
    let lines = Lines::new(&text, encoding);
    findings.iter().map(|finding| of_finding(finding, &lines, &mut texts, encoding)).collect()
}

/// The diagnostic of a finding in a file with these lines.
pub(super) fn of_finding(
    finding: &Finding,
    lines: &Lines<'_>,
    texts: &mut Texts<'_>,
    encoding: Encoding,
) -> Diagnostic {
    let diagnostic = &finding.diagnostic;
    let related = diagnostic.related.iter().map(|related| {
        let path = Path::new(&related.range.filename);
        let (start, end) = (related.range.start.byte as usize, related.range.end.byte as usize);
        let range = match related.range.filename == diagnostic.range.filename {
            true => lines.range(start, end),
            false => Lines::new(&texts.get(path), encoding).range(start, end),
        };
        let location = Location { uri: uri_of(path), range };
        RelatedInformation { location, message: related.message.to_string() }
    });
    let code = diagnostic.id();
    let tags = match code {
        "deprecated-use" => vec![DEPRECATED],
        code if code.starts_with("deprecated-") => vec![DEPRECATED],
        code if code.starts_with("unused-") => vec![UNNECESSARY],
        _ => Vec::new(),
    };
    Diagnostic {
        range: lines.range(finding.span.start as usize, finding.span.end as usize),
        severity: if diagnostic.is_error() { 1 } else { 2 },
        code: code.to_owned(),
        source: SOURCE,
        message: format!("{}: {}", diagnostic.summary, diagnostic.message()),
        tags,
        related_information: related.collect(),
    }
}

/// The findings of all files of a workspace.
pub(super) fn all(snapshot: &Snapshot) -> BTreeMap<PathBuf, &[Finding]> {
    let mut files = by_file(snapshot, 0..snapshot.modules().len());
    files.extend(snapshot.unit_files().map(|file| (file.to_owned(), snapshot.findings(file))));
    files
}

/// The findings of some modules by file: of their files, and of others that findings are in.
pub(super) fn by_file(
    snapshot: &Snapshot,
    modules: impl IntoIterator<Item = usize>,
) -> BTreeMap<PathBuf, &[Finding]> {
    let mut files = BTreeMap::new();
    for module in modules.into_iter().filter_map(|place| snapshot.modules().get(place)) {
        for name in &module.sources {
            files.entry(PathBuf::from(&**name)).or_insert(&[][..]);
        }
        let same = |one: &Finding, two: &Finding| {
            one.diagnostic.range.filename == two.diagnostic.range.filename
        };
        for findings in module.findings.chunk_by(same) {
            files.insert(PathBuf::from(&findings[0].diagnostic.range.filename), findings);
        }
    }
    files
}
