//! Baselines: the findings that a repository has already, so that only new ones are reported.
//!
//! A finding is recognised by its file, its code and its message, not by its line, so that changes
//! around it do not make it new. Files are named from the directory of the baseline.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use simd_hcl::directory::Roots;
use simd_hcl::source::{Access, OpenFile};

use crate::finding::Finding;
use crate::replace;
use crate::serialized::{self, Shape};
use crate::status::Failure;
use crate::visible;

const VERSION: &str = "1.0";

/// The number of bytes that a baseline may have: a finding takes about two hundred.
const MAX_BYTES: u64 = 256 << 20;

/// The findings of a baseline, and how often each occurs.
#[derive(Debug)]
pub(crate) struct Baseline {
    /// The directory of the baseline, as the operating system names it.
    directory: PathBuf,
    known: BTreeMap<Known, usize>,
}

/// A finding without its position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Known {
    path: String,
    code: String,
    message: String,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Content {
    format_version: String,
    findings: Vec<Counted>,
}

#[derive(Serialize, Deserialize)]
struct Counted {
    #[serde(flatten)]
    known: Known,
    count: usize,
}

impl Baseline {
    /// Creates an empty baseline for this file.
    ///
    /// # Errors
    /// The directory does not exist.
    pub(crate) fn empty(file: &Path) -> Result<Self, Failure> {
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = parent.unwrap_or(Path::new(".")).canonicalize();
        let directory = directory.map_err(|error| problem(file, &error))?;
        Ok(Self { directory, known: BTreeMap::new() })
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// The file cannot be read, or is no baseline.
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        let opened = Access::NAMED.with_limit(MAX_BYTES).open(file);
        let text = opened.and_then(OpenFile::read).map_err(|error| problem(file, &error))?;
        let content: Content =
            serde_json::from_slice(&text).map_err(|error| problem(file, &error))?;
        if content.format_version != VERSION {
            let found = format!("unknown format version {:?}", content.format_version);
            return Err(problem(file, &found));
        }
        let mut baseline = Self::empty(file)?;
        for Counted { known, count } in content.findings {
            *baseline.known.entry(known).or_default() += count;
        }
        Ok(baseline)
    }

    /// Writes the baseline.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write(&self, file: &Path) -> Result<(), Failure> {
        let findings = self.known.iter();
        let findings =
            findings.map(|(known, &count)| Counted { known: known.clone(), count }).collect();
        let content = Content { format_version: VERSION.to_owned(), findings };
        let mut text = serialized::text(Shape::Indented(0), &content)
            .map_err(|error| problem(file, &error))?;
        text.push(b'\n');
        replace::result(file, &text, &Roots::around([file])).map_err(|error| problem(file, &error))
    }

    /// Adds a finding.
    pub(crate) fn add(&mut self, finding: &Finding) {
        let known = self.known(finding);
        *self.known.entry(known).or_default() += 1;
    }

    /// Removes a finding. Returns whether the baseline had it.
    pub(crate) fn take(&mut self, finding: &Finding) -> bool {
        let known = self.known(finding);
        match self.known.get_mut(&known) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// The number of findings in the baseline.
    pub(crate) fn len(&self) -> usize {
        self.known.values().sum()
    }

    fn known(&self, finding: &Finding) -> Known {
        let name = Path::new(&finding.range.filename);
        let real = name.canonicalize();
        let path = match &real {
            Ok(real) => real.strip_prefix(&self.directory).unwrap_or(real),
            Err(_) => name,
        };
        Known {
            path: path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/"),
            code: finding.id().to_owned(),
            message: finding.message().into_owned(),
        }
    }
}

fn problem(file: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Message(format!("{}: {error}", visible::path(file)))
}
