//! The files that run simd-hcl in services.

use std::path::PathBuf;

/// A service.
#[derive(Clone, Copy, Debug)]
pub(super) enum Service {
    Github,
    Gitlab,
    PreCommit,
}

impl Service {
    /// The file, from the directory of the settings.
    pub(super) fn path(self) -> PathBuf {
        PathBuf::from(match self {
            Self::Github => ".github/workflows/simd-hcl.yml",
            Self::Gitlab => ".gitlab-ci.yml",
            Self::PreCommit => ".pre-commit-config.yaml",
        })
    }

    /// The content of the file.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Github => GITHUB,
            Self::Gitlab => GITLAB,
            Self::PreCommit => PRE_COMMIT,
        }
    }
}

const GITHUB: &str = "\
name: simd-hcl
on:
  pull_request:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          # `affected` and `review` compare with the base.
          fetch-depth: 0
      - uses: simd-hcl/simd-hcl/integrations/github@v0.1.0
        with:
          paths: .
";

const GITLAB: &str = "\
include:
  - remote: https://raw.githubusercontent.com/simd-hcl/simd-hcl/main/integrations/gitlab.yml
";

const PRE_COMMIT: &str = "\
repos:
  - repo: https://github.com/simd-hcl/simd-hcl
    rev: v0.1.0
    hooks:
      - id: simd-hcl-check
      - id: simd-hcl-fmt
";
