//! Findings as a report of GitLab Code Quality: an array of issues.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use serde::Serialize;

use crate::args::ListFormat;
use crate::finding::{Finding, Findings};
use crate::incomplete::{Gap, Incomplete};
use crate::output::{Csv, List, Row, Style};
use crate::visible::plain_path;

#[derive(Serialize)]
struct Issue<'f> {
    description: Cow<'f, str>,
    check_name: &'f str,
    /// Identifies the finding, also after it moves within the file.
    fingerprint: String,
    severity: &'static str,
    location: Location<'f>,
}

#[derive(Serialize)]
struct Location<'f> {
    path: &'f str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u64,
}

/// Prints all issues. Gaps are issues, too, since the report has no other place for them.
pub(crate) fn print(findings: &Findings<'_, '_>, incomplete: &Incomplete) -> io::Result<()> {
    let mut fingerprints = Fingerprints::default();
    let mut list = List::new::<Issue<'_>>(ListFormat::Json, Style::default())?;
    for finding in findings.iter() {
        list.push(&Issue::of_finding(&finding, &mut fingerprints))?;
    }
    for gap in incomplete.iter() {
        for place in gap.places {
            list.push(&Issue::of_gap(&gap, place, &mut fingerprints))?;
        }
    }
    list.finish(&Incomplete::default())
}

impl<'f> Issue<'f> {
    fn of_finding(finding: &'f Finding, fingerprints: &mut Fingerprints) -> Self {
        let path = plain_path(&finding.range.filename);
        Self {
            description: finding.message(),
            check_name: finding.id(),
            fingerprint: fingerprints.next([path, finding.id(), &finding.detail]),
            severity: if finding.is_error() { "major" } else { "minor" },
            location: Location { path, lines: Lines { begin: finding.range.start.line } },
        }
    }

    fn of_gap(gap: &Gap<'f>, place: &'f str, fingerprints: &mut Fingerprints) -> Self {
        let path = plain_path(place);
        Self {
            description: gap.why.into(),
            check_name: "incomplete",
            fingerprint: fingerprints.next([path, gap.what, gap.why]),
            severity: "info",
            location: Location { path, lines: Lines { begin: 1 } },
        }
    }
}

/// Printed as JSON only.
impl Row for Issue<'_> {
    const MEMBER: Option<&'static str> = None;
    const COLUMNS: &'static [&'static str] = &[];

    fn print(&self, _: &mut dyn io::Write) -> io::Result<()> {
        Ok(())
    }

    fn records(&self, _: &mut Csv<'_>) {}
}

/// The number of uses of each fingerprint, which must be unique in a report.
#[derive(Default)]
struct Fingerprints(HashMap<u128, u32>);

impl Fingerprints {
    fn next(&mut self, parts: [&str; 3]) -> String {
        let hash = hash(parts.iter().flat_map(|part| part.bytes().chain([0])));
        let count = self.0.entry(hash).or_default();
        *count += 1;
        match *count {
            1 => format!("{hash:032x}"),
            again => format!("{hash:032x}-{again}"),
        }
    }
}

/// Returns the 128-bit FNV-1a hash, which is the same in every version of the program.
fn hash(bytes: impl Iterator<Item = u8>) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}
