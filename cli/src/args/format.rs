//! Output formats.

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One JSON value per line
    Ndjson,
}

/// Formats of overviews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OverviewFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One JSON value, on one line
    Ndjson,
    /// A page that needs no other file, to search and to sort
    Html,
}

/// Formats of graphs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// DOT
    #[default]
    Human,
    /// The language of Graphviz
    Dot,
    /// A Mermaid flowchart
    Mermaid,
    /// One JSON value
    Json,
    /// One JSON value, on one line
    Ndjson,
    /// A page with a picture to move in and to search
    Html,
    /// A picture
    Svg,
}

/// Formats of plans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One change per line
    Ndjson,
    /// Comma-separated values with a header line: one record per change, or per leaf
    Csv,
    /// A tree of modules, changes and leaves
    Tree,
    /// For comments on pull requests, up to `--max-bytes` long
    Markdown,
    /// A page with the changes, and a picture of what depends on what
    Html,
    /// The output of `show -json`
    ShowJson,
    /// Findings of rules as GitHub workflow commands
    Github,
    /// Findings of rules as SARIF 2.1.0
    Sarif,
    /// Findings of rules, one per line
    Concise,
    /// Findings of rules as a JUnit XML report
    Junit,
    /// Findings of rules as a GitLab Code Quality report
    Gitlab,
    /// Findings of rules as Azure Pipelines logging commands
    Azure,
}

impl PlanFormat {
    /// The same format for findings; `None` if findings do not have it.
    pub(crate) fn of_findings(self) -> Option<ReportFormat> {
        match self {
            Self::Human => Some(ReportFormat::Human),
            Self::Json => Some(ReportFormat::Json),
            Self::Ndjson => Some(ReportFormat::Ndjson),
            Self::Github => Some(ReportFormat::Github),
            Self::Sarif => Some(ReportFormat::Sarif),
            Self::Concise => Some(ReportFormat::Concise),
            Self::Junit => Some(ReportFormat::Junit),
            Self::Gitlab => Some(ReportFormat::Gitlab),
            Self::Azure => Some(ReportFormat::Azure),
            Self::Csv | Self::Tree | Self::Markdown | Self::Html | Self::ShowJson => None,
        }
    }

    /// Whether plans have this format.
    pub(crate) fn is_of_plans(self) -> bool {
        matches!(
            self,
            Self::Human
                | Self::Json
                | Self::Ndjson
                | Self::Csv
                | Self::Tree
                | Self::Markdown
                | Self::Html
                | Self::ShowJson
        )
    }
}

/// Formats of lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One JSON value per line
    Ndjson,
    /// Comma-separated values with a header line
    Csv,
}

/// Formats of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StateFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One JSON value per line
    Ndjson,
    /// Comma-separated values with a header line
    Csv,
    /// A page with a list of the resources, and a picture of their dependencies
    Html,
}

/// Formats of matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueryFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One JSON value per line
    Ndjson,
    /// Comma-separated values with a header line
    Csv,
    /// The text of each match, as it is written
    Text,
}

impl From<StateFormat> for ListFormat {
    /// The format that has the same place for gaps.
    fn from(format: StateFormat) -> Self {
        match format {
            StateFormat::Human | StateFormat::Html => Self::Human,
            StateFormat::Json => Self::Json,
            StateFormat::Ndjson => Self::Ndjson,
            StateFormat::Csv => Self::Csv,
        }
    }
}

impl From<QueryFormat> for ListFormat {
    fn from(format: QueryFormat) -> Self {
        match format {
            QueryFormat::Human | QueryFormat::Text => Self::Human,
            QueryFormat::Json => Self::Json,
            QueryFormat::Ndjson => Self::Ndjson,
            QueryFormat::Csv => Self::Csv,
        }
    }
}

impl From<Format> for ListFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Human => Self::Human,
            Format::Json => Self::Json,
            Format::Ndjson => Self::Ndjson,
        }
    }
}

/// Formats of reviews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReviewFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One root module per line
    Ndjson,
    /// For comments on pull requests, up to `--max-length` long
    Markdown,
    /// A page
    Html,
    /// GitHub workflow commands, which annotate pull requests
    Github,
}

/// Formats of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One JSON value per line
    Ndjson,
    /// GitHub workflow commands, which annotate pull requests
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// One per line: `PATH:LINE:COLUMN: SEVERITY[CODE]: DETAIL`
    Concise,
    /// A JUnit XML report
    Junit,
    /// A GitLab Code Quality report
    Gitlab,
    /// Azure Pipelines logging commands
    Azure,
}

impl ReportFormat {
    /// The list format for data that goes with these findings: JSON for machines, otherwise text.
    pub(crate) fn carrier(self) -> ListFormat {
        match self {
            Self::Human | Self::Concise => ListFormat::Human,
            Self::Json
            | Self::Ndjson
            | Self::Github
            | Self::Sarif
            | Self::Junit
            | Self::Gitlab
            | Self::Azure => ListFormat::Json,
        }
    }
}

/// Formats of lists of affected modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AffectedFormat {
    /// For people
    #[default]
    Human,
    /// One JSON value
    Json,
    /// One JSON value per line
    Ndjson,
    /// Comma-separated values with a header line
    Csv,
    /// Paths, each with a NUL byte after it
    List0,
    /// The matrix of a GitHub workflow: `{"include": [{"path": …}]}`
    GithubMatrix,
    /// A job of GitLab for each root module, which extends `.affected`
    Gitlab,
    /// The projects of atlantis.yaml: root modules
    Atlantis,
    /// The projects of digger.yml: root modules
    Digger,
}

/// Formats of reference pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PageFormat {
    /// Tables of Markdown
    MarkdownTable,
    /// Sections of Markdown
    MarkdownDocument,
    /// Tables of AsciiDoc
    AsciidocTable,
    /// Sections of AsciiDoc
    AsciidocDocument,
    /// JSON
    Json,
}

impl From<PageFormat> for simd_hcl::docs::Formatter {
    fn from(format: PageFormat) -> Self {
        match format {
            PageFormat::MarkdownTable => Self::MarkdownTable,
            PageFormat::MarkdownDocument => Self::MarkdownDocument,
            PageFormat::AsciidocTable => Self::AsciidocTable,
            PageFormat::AsciidocDocument => Self::AsciidocDocument,
            PageFormat::Json => Self::Json,
        }
    }
}
