//! The files `.terragrunt-filters` and `.terragrunt-excludes` of a searched folder: which units and
//! stacks are listed.
//!
//! Each line is a filter: paths, names and types with patterns, `!` before one for what does not match,
//! and `|` between those that all must match. A unit is listed if one of the filters that select does so,
//! or if there is none, and no other filter leaves it out. Filters by dependencies, revisions or read
//! files are gaps, and have no effect.

use super::discover::ComponentKind;
use super::pattern::Pattern;
use super::unit::Unit;
use super::world::World;
use crate::functions::paths::{base, clean, join};

/// The names of the files, and what is before each of their lines.
const FILES: [(&str, &str); 2] = [(".terragrunt-excludes", "!"), (".terragrunt-filters", "")];

/// The most bytes of a file of filters.
const MOST_BYTES: u64 = 1 << 20;

/// The most filters.
const MOST_FILTERS: usize = 1000;

/// The filters of a folder.
#[derive(Default)]
pub(super) struct Filters {
    all: Vec<Filter>,
    /// Files and lines that are not understood.
    pub(super) gaps: Vec<(&'static str, String)>,
}

/// A filter: parts that all must match.
struct Filter(Vec<Part>);

struct Part {
    is_negated: bool,
    test: Test,
}

enum Test {
    /// The path of the folder.
    Path(Pattern),
    /// The name of the folder.
    Name(Pattern),
    Kind(ComponentKind),
}

impl Filters {
    pub(super) fn read(world: &World<'_>, folder: &str) -> Self {
        let mut filters = Self::default();
        for (name, before) in FILES {
            let path = join(folder, name);
            if !world.disk.is_file(&path) {
                continue;
            }
            let bytes = world.disk.read(&path, MOST_BYTES).map(String::from_utf8);
            let Ok(Ok(text)) = bytes else {
                filters.gaps.push((name, "the filters cannot be read".to_owned()));
                continue;
            };
            for line in text.lines().map(str::trim) {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                let line = format!("{before}{line}");
                match Filter::of(&line, folder) {
                    Some(filter) if filters.all.len() < MOST_FILTERS => filters.all.push(filter),
                    _ => filters.gaps.push((name, format!("the filter {line} is not applied"))),
                }
            }
        }
        filters
    }

    /// Whether a unit or a stack is listed.
    pub(super) fn lists(&self, unit: &Unit) -> bool {
        let selects = || self.all.iter().filter(|filter| !filter.only_excludes());
        let is_selected = selects().next().is_none() || selects().any(|it| it.matches(unit));
        let mut others = self.all.iter().filter(|filter| filter.only_excludes());
        is_selected && others.all(|filter| filter.matches(unit))
    }
}

impl Filter {
    fn of(text: &str, folder: &str) -> Option<Self> {
        text.split('|').map(|part| Part::of(part.trim(), folder)).collect::<Option<_>>().map(Self)
    }

    fn only_excludes(&self) -> bool {
        self.0.iter().all(|part| part.is_negated)
    }

    fn matches(&self, unit: &Unit) -> bool {
        self.0.iter().all(|part| part.test.matches(unit) != part.is_negated)
    }
}

impl Part {
    fn of(text: &str, folder: &str) -> Option<Self> {
        let rest = text.trim_start_matches('!');
        let is_negated = (text.len() - rest.len()) % 2 == 1;
        let rest = rest.trim();
        // Dependencies, revisions and boundaries are written with these.
        let is_other = rest.contains("...") || rest.starts_with(['[', '^', '(']);
        if rest.is_empty() || is_other {
            return None;
        }
        let path = |path: &str| {
            let path = path.trim_end_matches('/');
            let whole = if path.starts_with('/') { clean(path) } else { join(folder, path) };
            Pattern::new(&whole).ok().map(Test::Path)
        };
        let test = match (rest.split_once('='), rest.strip_prefix('{')) {
            (_, Some(inner)) => path(inner.strip_suffix('}')?)?,
            (Some(("name", name)), _) => Test::Name(Pattern::new(name.trim()).ok()?),
            (Some(("type", "unit")), _) => Test::Kind(ComponentKind::Unit),
            (Some(("type", "stack")), _) => Test::Kind(ComponentKind::Stack),
            (Some(_), _) => return None,
            (None, _) if rest.contains('/') => path(rest)?,
            (None, _) => Test::Name(Pattern::new(rest).ok()?),
        };
        Some(Self { is_negated, test })
    }
}

impl Test {
    fn matches(&self, unit: &Unit) -> bool {
        match self {
            Self::Path(pattern) => pattern.matches(&unit.folder),
            Self::Name(pattern) => pattern.matches(base(&unit.folder)),
            Self::Kind(kind) => unit.kind == *kind,
        }
    }
}
