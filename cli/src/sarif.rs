//! Findings in the Static Analysis Results Interchange Format (SARIF), version 2.1.0.
//!
//! SARIF counts columns in code points, other formats in grapheme clusters. If finding the column
//! would mean reading a long line, the location has byte offsets only.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use simd_hcl::Code;

use crate::args;
use crate::excerpt::Range;
use crate::finding::{Finding, Findings, FoundBy, Related, Snippet};
use crate::incomplete::{Gap, Incomplete};
use crate::status::Status;
use crate::visible::plain_path;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A log of one run.
#[derive(Serialize)]
pub(crate) struct Log<'f, 't, 'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'f, 't, 'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'f, 't, 'a> {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Results<'f, 't, 'a>,
}

/// Whether the run succeeded, and its gaps.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    descriptor: Descriptor,
    level: &'static str,
    message: Text<'static>,
    locations: Vec<Location<'static>>,
}

#[derive(Serialize)]
struct Descriptor {
    id: &'static str,
}

impl Notification {
    fn of(gap: &Gap<'_>) -> Self {
        // Addresses are in the message only, since a location is a file or a directory.
        let is_path = gap.what != Incomplete::MODULE_CALL;
        let places = gap.places.iter().filter(|_| is_path);
        let locations = places.map(|place| Location {
            id: None,
            physical_location: Physical {
                artifact_location: Artifact { uri: uri(place) },
                region: None,
            },
            message: None,
        });
        Self {
            descriptor: Descriptor { id: gap.what },
            level: "warning",
            message: Text { text: Cow::Owned(gap.to_string()) },
            locations: locations.collect(),
        }
    }
}

/// The results, which are created one by one while they are written.
struct Results<'f, 't, 'a> {
    findings: &'f Findings<'t, 'a>,
    /// The kinds of findings, sorted.
    ids: Vec<String>,
}

impl Serialize for Results<'_, '_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut results = serializer.serialize_seq(Some(self.findings.len()))?;
        for finding in self.findings.iter() {
            results.serialize_element(&Outcome::of(&finding, &self.ids))?;
        }
        results.end()
    }
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule>,
}

/// A code with findings, or a policy rule with findings.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Text<'static>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Text<'static>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_configuration: Option<Configuration>,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Text<'f> {
    text: Cow<'f, str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'f> {
    rule_id: &'f str,
    rule_index: usize,
    level: &'static str,
    message: Text<'f>,
    locations: [Location<'f>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'f>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'f> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical<'f>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<'f>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical<'f> {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region<'f>>,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region<'f> {
    start_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u32>,
    byte_offset: u64,
    byte_length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<Text<'f>>,
}

impl<'f, 't, 'a> Log<'f, 't, 'a> {
    pub(crate) fn of(
        findings: &'f Findings<'t, 'a>,
        incomplete: &Incomplete,
        status: Status,
    ) -> Self {
        let kinds: BTreeMap<&str, Option<FoundBy>> = findings.kinds().collect();
        let rule = |(id, rule): (&str, Option<FoundBy>)| match rule {
            Some(rule) => Some(Rule::of_plans(rule)),
            None => args::named(id).map(Rule::of),
        };
        let ids = kinds.keys().map(|id| (*id).to_owned()).collect();
        let driver = Driver {
            name: "simd-hcl",
            version: env!("CARGO_PKG_VERSION"),
            information_uri: env!("CARGO_PKG_REPOSITORY"),
            rules: kinds.into_iter().filter_map(rule).collect(),
        };
        let results = Results { findings, ids };
        let invocation = Invocation {
            execution_successful: status != Status::CouldNotRun,
            tool_execution_notifications: incomplete
                .iter()
                .map(|gap| Notification::of(&gap))
                .collect(),
        };
        let run = Run {
            tool: Tool { driver },
            invocations: [invocation],
            column_kind: "unicodeCodePoints",
            results,
        };
        Self { schema: SCHEMA, version: "2.1.0", runs: [run] }
    }
}

/// Returns the URL of the documentation of a code.
pub(crate) fn page_of(code: &str) -> String {
    let page = if Code::from_name(code).is_some() { "diagnostics" } else { "rules" };
    format!(concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/{}.md#{}"), page, code)
}

impl Rule {
    fn of(code: Code) -> Self {
        let id = code.as_str();
        Self {
            id: id.to_owned(),
            short_description: text(code.summary()),
            help_uri: Some(page_of(id)),
            help: None,
            default_configuration: Some(Configuration { level: code.severity().as_str() }),
        }
    }

    /// Policy rules have no level of their own; their results have.
    fn of_plans(rule: FoundBy) -> Self {
        let owned = |text: String| Text { text: Cow::Owned(text) };
        let description = owned(format!("Rule {}", rule.name));
        let help = rule.help.map(owned);
        Self {
            id: rule.name,
            short_description: description,
            help_uri: rule.url,
            help,
            default_configuration: None,
        }
    }
}

impl<'f> Outcome<'f> {
    fn of(finding: &'f Finding, ids: &[String]) -> Self {
        let related = finding.related.iter().enumerate();
        Self {
            rule_id: finding.id(),
            rule_index: ids
                .binary_search_by(|id| id.as_str().cmp(finding.id()))
                .unwrap_or_default(),
            level: finding.severity.as_str(),
            message: Text {
                text: Cow::Owned(format!("{}. {}", finding.summary, finding.message())),
            },
            locations: [Location { id: None, physical_location: physical(finding), message: None }],
            related_locations: related.map(|(place, one)| elsewhere(place, one)).collect(),
        }
    }
}

fn elsewhere(place: usize, related: &Related) -> Location<'_> {
    Location {
        id: Some(place + 1),
        physical_location: Physical {
            artifact_location: Artifact { uri: uri(&related.range.filename) },
            region: Some(region(&related.range, None)),
        },
        message: Some(text(&related.message)),
    }
}

fn physical(finding: &Finding) -> Physical<'_> {
    let Finding { range, snippet, .. } = finding;
    let artifact_location = Artifact { uri: uri(&range.filename) };
    let region = finding.has_lines.then(|| region(range, snippet.as_ref()));
    Physical { artifact_location, region }
}

fn region<'f>(range: &Range, snippet: Option<&'f Snippet>) -> Region<'f> {
    let snippet = snippet.and_then(|it| {
        let place = it.highlight_start_offset..it.highlight_end_offset;
        it.code.get(place).filter(|code| !code.is_empty())
    });
    let columns = range.code_points;
    Region {
        start_line: range.start.line,
        start_column: columns.map(|(start, _)| start),
        end_line: columns.map(|_| range.end.line),
        end_column: columns.map(|(_, end)| end),
        byte_offset: range.start.byte,
        byte_length: range.end.byte - range.start.byte,
        snippet: snippet.map(text),
    }
}

fn text(text: &str) -> Text<'_> {
    Text { text: Cow::Borrowed(text) }
}

/// Returns a path as a URI reference (RFC 3986): relative to the working directory, or with the
/// scheme `file`.
fn uri(path: &str) -> String {
    let path = plain_path(path);
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    // In a relative reference, a colon before the first slash would end a scheme.
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => uri.push('/'),
            // Writing into a text does not fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn uris() {
        assert_eq!(uri("./a b/c.tf.json"), "a%20b/c.tf.json");
        assert_eq!(uri("/x/\u{e9}"), "file:///x/%C3%A9");
        assert_eq!(uri("c:d%"), "c%3Ad%25");
    }
}
