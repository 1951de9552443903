//! An overview as a page, which a script builds from the data.

use std::io;

use serde::Serialize;
use simd_hcl::Dialect;
use simd_hcl::tree::{Link, Tree};

use super::answer::{Answer, FindingRow, ProviderRow, SourceRow, ToolRow};
use super::next::Next;
use crate::args;
use crate::finding::{Finding, Findings};
use crate::modules::path_of;
use crate::{output, page};

/// The script, with the style sheet as a constant.
const SCRIPT: &str =
    concat!("const css = `", include_str!("page.css"), "`;\n", include_str!("page.js"));

/// The findings that the page has, errors first.
const FINDINGS: usize = 2_000;
/// The characters of an excerpt and of a message.
const EXCERPT: usize = 600;
/// The places of a gap.
const PLACES: usize = 50;

/// The data that the script reads: lists instead of objects where there are many.
#[derive(Serialize)]
struct Data<'d> {
    title: &'d str,
    link: Option<&'d str>,
    modules: Vec<Module>,
    /// Indexes of modules, two for each call: caller and called.
    calls: Vec<usize>,
    units: Vec<Unit<'d>>,
    tools: &'d [ToolRow],
    providers: &'d [ProviderRow],
    sources: &'d [SourceRow],
    rules: &'d [FindingRow],
    findings: Vec<Found>,
    /// The number of findings that are left out.
    hidden: usize,
    /// The reason, the number of places, and the first ones.
    incomplete: Vec<(&'d str, usize, Vec<&'d str>)>,
    next: &'d [(String, &'static str)],
}

/// Path, files, bytes, resources, calls, callers, whether it is a root module, the roots behind it, and
/// whether nothing calls it.
#[derive(Serialize)]
struct Module(String, usize, u64, usize, usize, usize, u8, usize, u8);

/// Path, kind, source, and the index of its module or -1.
#[derive(Serialize)]
struct Unit<'d>(&'d str, &'static str, Option<&'d str>, i64);

/// Code, whether it is an error, path, line, message, excerpt, its first line, start and end of the mark
/// in UTF-16 units.
#[derive(Serialize)]
struct Found(String, u8, String, u64, String, Option<String>, u64, usize, usize);

pub(super) fn print(
    answer: &Answer,
    next: &Next,
    (tree, findings): (&Tree<'_>, &Findings<'_, '_>),
    (title, link): (&str, Option<&args::Link>),
) -> io::Result<()> {
    let mut modules = Vec::with_capacity(tree.modules().len());
    let mut calls = Vec::new();
    for (place, module) in tree.modules().iter().enumerate() {
        let facts = &answer.facts[place];
        let row = &facts.row;
        modules.push(Module(
            path_of(module),
            row.files,
            row.bytes,
            row.resources,
            row.calls,
            row.callers,
            facts.is_root.into(),
            facts.roots,
            facts.is_unused.into(),
        ));
        for link in &module.links {
            if let Link::Module(called) = *link {
                calls.extend([place, called]);
            }
        }
    }
    let templates = answer.modules.iter().filter(|it| it.dialect == Dialect::Packer.name());
    modules.extend(
        templates
            .map(|it| Module(it.path.clone(), it.files, it.bytes, it.resources, 0, 0, 0, 0, 0)),
    );
    let unit = |unit: &'_ super::answer::UnitRow| -> i64 {
        unit.module.and_then(|place| i64::try_from(place).ok()).unwrap_or(-1)
    };
    let data = Data {
        title,
        link: link.map(args::Link::as_str),
        modules,
        calls,
        units: answer
            .units
            .iter()
            .map(|it| Unit(&it.path, it.kind, it.source.as_deref(), unit(it)))
            .collect(),
        tools: &answer.tools,
        providers: &answer.providers,
        sources: &answer.sources,
        rules: &answer.findings,
        findings: first_findings(findings),
        hidden: findings.len().saturating_sub(FINDINGS),
        incomplete: answer
            .incomplete
            .iter()
            .map(|gap| {
                let places = gap.places.iter().take(PLACES).map(String::as_str).collect();
                (gap.why, gap.places.len(), places)
            })
            .collect(),
        next: &next.0,
    };
    output::data(|out| page::write(title, SCRIPT.as_bytes(), &data, out))
}

/// The findings of the page, errors first.
fn first_findings(findings: &Findings<'_, '_>) -> Vec<Found> {
    let mut all = Vec::new();
    for is_error in [true, false] {
        let places = findings.facts().enumerate().filter(|(_, it)| it.is_error() == is_error);
        let places: Vec<usize> = places.map(|(at, _)| at).take(FINDINGS - all.len()).collect();
        all.extend(places.into_iter().filter_map(|at| findings.get(at)).map(|it| Found::of(&it)));
    }
    all
}

impl Found {
    fn of(finding: &Finding) -> Self {
        let cut = |text: &str| crate::visible::abridged(text, EXCERPT).into_owned();
        let snippet = finding.snippet.as_ref();
        let units = |at: usize| {
            let before = snippet.and_then(|it| it.code.get(..at));
            before.map_or(0, |text| text.encode_utf16().count())
        };
        Self(
            finding.id().to_owned(),
            finding.is_error().into(),
            finding.range.filename.clone(),
            if finding.has_lines { finding.range.start.line } else { 0 },
            cut(&finding.message()),
            snippet.map(|it| cut(&it.code)),
            snippet.map_or(0, |it| it.start_line),
            snippet.map_or(0, |it| units(it.highlight_start_offset)),
            snippet.map_or(0, |it| units(it.highlight_end_offset)),
        )
    }
}
