//! `inspect --versions`: the lowest version of each tool that a module needs.

use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::Dialect;
use simd_hcl::evaluate::Release;
use simd_hcl::rules::{Construct, Needs, needs};

use crate::args::{self, Common};
use crate::excerpt::Range;
use crate::modules::{DependsOn, path_of, with_tree};
use crate::output::{self, Csv, Row};
use crate::status::{Failure, Status};
use crate::visible::visible;

/// The versions that a module needs.
#[derive(Serialize)]
struct Line {
    path: String,
    opentofu: Needed,
    terraform: Needed,
}

/// The release of one tool that a module needs.
#[derive(Serialize)]
pub(crate) struct Needed {
    /// The lowest version, of those that are known here; null if no version will do.
    pub(crate) version: Option<String>,
    /// The construct that needs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) because: Option<Because>,
    #[serde(skip)]
    release: Release,
}

#[derive(Serialize)]
pub(crate) struct Because {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) range: Range,
}

/// A tool that reads modules.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tool {
    OpenTofu,
    Terraform,
}

impl Needed {
    /// Returns the release of a tool that a module needs.
    pub(crate) fn of_tool(needs: &Needs<'_>, tool: Tool) -> Self {
        match tool {
            Tool::OpenTofu => {
                let construct = needs.opentofu.as_ref();
                Self::of(construct, construct.map(|it| it.opentofu), Release::FIRST_OPENTOFU)
            }
            Tool::Terraform => {
                let construct = needs.terraform.as_ref();
                Self::of(construct, construct.map(|it| it.terraform), Release::FIRST_TERRAFORM)
            }
        }
    }

    /// Whether fewer releases will do.
    pub(crate) fn is_newer_than(&self, other: &Self) -> bool {
        self.release > other.release
    }

    /// `first` is the first release that is known here.
    fn of(construct: Option<&Construct<'_>>, release: Option<Release>, first: u8) -> Self {
        let release = release.unwrap_or(Release::Always);
        let version = match release {
            Release::Always => Some(format!("1.{first}")),
            Release::In(minor) => Some(format!("1.{minor}")),
            _ => None,
        };
        let because = construct.map(|it| Because {
            kind: it.kind.as_str(),
            name: it.name.to_owned(),
            range: Range::of(it.label.source, it.label.span),
        });
        Self { version, because, release }
    }

    fn print(&self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        match &self.version {
            Some(version) => write!(out, "  {name} {version}")?,
            None => write!(out, "  {name}: no version")?,
        }
        if let Some(Because { kind, name, range }) = &self.because {
            let place = format!("{}:{}", range.filename, range.start.line);
            write!(out, ": {kind} {} ({})", visible(name), visible(&place))?;
        }
        writeln!(out)
    }

    fn reason(&self) -> String {
        self.because.as_ref().map_or_else(String::new, |it| format!("{} {}", it.kind, it.name))
    }
}

impl Row for Line {
    const MEMBER: Option<&'static str> = Some("modules");
    const COLUMNS: &'static [&'static str] =
        &["path", "terraform", "because_of_terraform", "opentofu", "because_of_opentofu"];

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", visible(&self.path))?;
        self.terraform.print("Terraform", out)?;
        self.opentofu.print("OpenTofu", out)
    }

    fn records(&self, out: &mut Csv<'_>) {
        let version = |needed: &Needed| needed.version.clone().unwrap_or_default();
        out.record([
            self.path.clone(),
            version(&self.terraform),
            self.terraform.reason(),
            version(&self.opentofu),
            self.opentofu.reason(),
        ]);
    }
}

pub(crate) fn run(inspect: &args::Inspect, common: &Common) -> Result<Status, Failure> {
    let configuration = &inspect.configuration;
    let format = inspect.format;
    let (found, status) = with_tree(configuration, common, DependsOn::Files, format, |loaded| {
        let tree = loaded.tree;
        let given = tree.given().filter(|it| it.files.dialect != Dialect::Packer);
        let lines = given.filter(|it| it.files.has_configuration()).map(|module| {
            let needs = needs(tree, module);
            Line {
                path: path_of(module),
                opentofu: Needed::of_tool(&needs, Tool::OpenTofu),
                terraform: Needed::of_tool(&needs, Tool::Terraform),
            }
        });
        output::list(format, common.style(), lines, loaded.incomplete)?;
        Ok(Status::Clean)
    })?;
    Ok(status.max(found))
}
