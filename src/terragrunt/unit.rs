//! Rows of units and stacks, which own their texts.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::discover::ComponentKind;
use super::log::{Lead, Watched};
use super::readers::Readers;
use crate::write::{Layout, ObjectWriter, Writer};

/// The units and stacks of a folder.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Units {
    /// The units and stacks, by path as bytes.
    pub units: Vec<Unit>,
    /// The parts that could not be read or known, sorted.
    pub gaps: BTreeSet<Gap>,
    /// The units that files affect.
    pub(super) readers: Readers,
}

impl Units {
    /// The parts that are not known, apart from templates, which are not run.
    pub fn gaps_of_roots(&self) -> impl Iterator<Item = &Gap> {
        let templates = self.units.iter().filter(|unit| unit.is_template);
        let templates: BTreeSet<&str> = templates.map(|unit| unit.path.as_str()).collect();
        self.gaps.iter().filter(move |gap| !templates.contains(gap.place.as_str()))
    }
}

impl Unit {
    /// Whether it is run: it is a unit, and no template.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.kind == ComponentKind::Unit && !self.is_template
    }
}

/// A unit or stack. Paths are relative to the searched folder, with `..` for what is outside.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unit {
    /// Whether it is a unit or a stack.
    pub kind: ComponentKind,
    /// Its folder; `.` for the searched one.
    pub path: String,
    /// Its folder as an absolute path. A generated one does not exist.
    pub folder: String,
    /// The name of its configuration in the folder: of several files, the one that Terragrunt reads.
    pub config: String,
    /// Whether a stack would generate it.
    pub is_generated: bool,
    /// Whether stacks generate others from it, and it is not complete without what they are given.
    pub is_template: bool,
    /// Its `exclude` block.
    pub exclude: Option<ExcludeBlock>,
    /// Included files, by label.
    pub include: BTreeMap<String, String>,
    /// The folders of the units that it depends on, sorted.
    pub dependencies: Vec<String>,
    /// The folders, as absolute paths, of the units whose outputs it uses, also through configurations that
    /// it reads. These are no dependencies for the order in which units run.
    pub(crate) needed: Vec<String>,
    /// Where names in its files lead, and in configurations that it reads.
    pub(crate) leads: Vec<Lead>,
    /// The files that Terragrunt tracks, sorted.
    pub reading: Vec<String>,
    /// Other files that decide about it, sorted: those of `file` and such, values, files of variables.
    pub also_reading: Vec<String>,
    /// The absolute paths, without links to folders, of all files that decide about it: its own
    /// configuration, those of the two lists, and those that it would read if they existed.
    pub(crate) files: Vec<String>,
    /// Other files that decide about it as soon as they exist.
    pub(super) watched: Vec<Watched>,
    /// The source of its module as it is written; `None` if it has none, or if it is not known.
    pub source: Option<String>,
    /// The folder of its module if that is in the file system, as an absolute path.
    pub module: Option<String>,
    /// The files that `generate` and `remote_state` write into the module, by their paths, with their
    /// contents if they are known.
    pub generated_files: BTreeMap<String, Option<String>>,
    /// Its inputs, by name; `None` if their names are not known.
    pub inputs: Option<BTreeMap<String, BTreeSet<UnitOutput>>>,
    /// Inputs and local values.
    pub rendered: Option<Rendered>,
    /// Its level: 0 without listed dependencies, otherwise one more than the highest of those; `None`
    /// if it is in a cycle or depends on one.
    pub level: Option<usize>,
}

/// An output of another unit that an input uses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct UnitOutput {
    /// The folder of the other unit, as an absolute path.
    pub folder: String,
    /// The name of the output; `None` if all outputs are used.
    pub output: Option<String>,
}

/// Inputs and local values of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rendered {
    /// The inputs as JSON: an object, or `null`.
    pub inputs: String,
    /// The local values of the unit itself as JSON: an object, or `null`.
    pub locals: String,
    /// The paths of the deepest parts that are not known, sorted. They are `null` in the JSON. Of a value
    /// with too many such parts, its own path.
    pub unknown: Vec<String>,
}

impl Rendered {
    /// Values that are not listed.
    pub(super) fn none() -> Self {
        let null = "null".to_owned();
        let unknown = ["inputs", "locals"].map(str::to_owned).to_vec();
        Self { inputs: null.clone(), locals: null, unknown }
    }

    /// The bytes that [`write`](Self::write) writes, indented. Cost: linear.
    pub(super) fn printed(&self) -> u64 {
        let mut bytes = Length(0);
        let mut writer = Writer::new(&mut bytes, Layout::Pretty);
        self.write(&mut writer.value().object());
        let _ = writer.finish();
        bytes.0
    }

    /// Writes the members `inputs`, `locals` and `unknown`.
    pub fn write(&self, object: &mut ObjectWriter<'_, '_>) {
        object.key("inputs").json(&self.inputs);
        object.key("locals").json(&self.locals);
        let mut unknown = object.key("unknown").array();
        self.unknown.iter().for_each(|path| unknown.element().string(path));
    }
}

/// Counts what is written.
struct Length(u64);

impl io::Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An `exclude` block. A member that is not set, or not known, is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExcludeBlock {
    /// Whether it applies.
    pub condition: Option<bool>,
    /// The commands that it is about.
    pub actions: Vec<String>,
    /// Whether dependencies are excluded, too.
    pub exclude_dependencies: Option<bool>,
    /// Whether the unit is not run at all.
    pub no_run: Option<bool>,
}

impl ExcludeBlock {
    /// Whether it lists a command.
    #[must_use]
    pub fn lists(&self, command: &str) -> bool {
        self.actions.iter().any(|action| match action.as_str() {
            "all" => true,
            "all_except_output" if !command.eq_ignore_ascii_case("output") => true,
            action => action.eq_ignore_ascii_case(command),
        })
    }
}

/// Something that could not be read or known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Gap {
    /// The kind of part: `configuration`, `expression`, `dependency`, `cycle`, `stack`, …
    pub what: &'static str,
    /// The path of the unit, stack or folder.
    pub place: String,
    /// Why it is not known.
    pub why: String,
}

impl Gap {
    pub(crate) fn new(what: &'static str, place: &str, why: impl Into<String>) -> Self {
        Self { what, place: place.to_owned(), why: why.into() }
    }
}
