//! The formats of the answer, a file for each kind.
//!
//! Formats for pipelines cannot say that an answer is incomplete. They list every root module then,
//! so that no pipeline skips one by mistake.

mod human;
mod json;
mod lists;
mod pipelines;

pub(super) use self::human::explain;
pub(super) use self::json::explain as explain_json;
use super::answer::Answer;
use crate::args::AffectedFormat;
use crate::output::Style;

/// Prints the answer.
pub(super) fn print(
    answer: &Answer,
    format: AffectedFormat,
    only_roots: bool,
    style: Style,
) -> std::io::Result<()> {
    match format {
        AffectedFormat::Human => human::print(answer),
        AffectedFormat::Json => json::print(answer, style),
        AffectedFormat::Ndjson => json::print_lines(answer, style),
        AffectedFormat::Csv => lists::csv(answer, only_roots, style),
        AffectedFormat::List0 => lists::list0(answer, only_roots),
        AffectedFormat::GithubMatrix => pipelines::github_matrix(answer, only_roots),
        AffectedFormat::Gitlab => pipelines::gitlab(answer),
        AffectedFormat::Atlantis => pipelines::atlantis(answer),
        AffectedFormat::Digger => pipelines::digger(answer),
    }
}
