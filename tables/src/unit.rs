//! Rows of the table `units`: units and stacks of Terragrunt, as the library lists them.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use simd_hcl::terragrunt::{ComponentKind, Options, Unit, find};

use crate::collect::Tables;
use crate::columns;
use crate::source::Sources;
use crate::table::Place;

/// Adds the rows of a repository.
pub(crate) fn read(sources: &Sources, place: usize, tables: &mut Tables) {
    let Some((repository, _)) = sources.repositories().get(place) else { return };
    let directory = sources.directory_of(repository);
    let options = Options::default()
        .with_details(true)
        .with_files(true)
        .with_inputs(true)
        .following_links(sources.follows_links());
    let found = find(&directory, &options);
    let mut gaps: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for gap in &found.gaps {
        gaps.entry(&gap.place).or_default().push(gap.why.clone());
    }
    let below = |path: &str| {
        let path = joined(&directory, path);
        let name = sources.name_of(&path);
        if name.is_empty() { ".".to_owned() } else { name }
    };
    let all = |paths: &[String]| Some(paths.iter().map(|path| below(path)).collect());
    for unit in &found.units {
        let Some(rows) = tables.rows(&columns::UNITS) else { return };
        let folder = below(&unit.path);
        let file = below(&file_of(unit));
        let why = gaps.remove(unit.path.as_str()).unwrap_or_default();
        let exclude = unit.exclude.as_ref();
        let includes: Vec<String> = unit.include.values().cloned().collect();
        let inputs = unit.inputs.as_ref();
        let row = columns::Unit {
            unit: Some((&*folder).into()),
            kind: Some(kind(unit.kind).into()),
            source: unit.source.as_deref().map(Into::into),
            dependencies: all(&unit.dependencies),
            includes: all(&includes),
            reading: all(&unit.reading),
            also_reading: all(&unit.also_reading),
            inputs: inputs.map(|all| all.keys().cloned().collect()),
            generates: Some(unit.generated_files.keys().cloned().collect()),
            level: unit.level.filter(|_| unit.kind == ComponentKind::Unit).map(|it| it as u64),
            is_excluded: exclude.and_then(|it| it.condition),
            excluded_from: exclude.map(|it| it.actions.clone()),
            is_template: Some(unit.is_template),
            is_complete: Some(why.is_empty()),
            incomplete: Some(why),
            ..columns::Unit::default()
        };
        row.add(rows, Place { repository, path: &file, at: None, hash: "" });
    }
    for (place, why) in gaps {
        why.iter().for_each(|why| tables.report_file(&below(place), why));
    }
}

/// A path below a directory, or beside it, without `.` and `..` after a name.
fn joined(directory: &Path, path: &str) -> PathBuf {
    let mut all: PathBuf = directory.components().filter(|it| *it != Component::CurDir).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if all.file_name().is_some() => {
                all.pop();
            }
            part => all.push(part),
        }
    }
    all
}

/// The path of the configuration of a unit or a stack.
fn file_of(unit: &Unit) -> String {
    let name = match unit.kind {
        ComponentKind::Unit => "terragrunt.hcl",
        ComponentKind::Stack => "terragrunt.stack.hcl",
    };
    match unit.path.as_str() {
        "." => name.to_owned(),
        path => format!("{path}/{name}"),
    }
}

fn kind(kind: ComponentKind) -> &'static str {
    match kind {
        ComponentKind::Unit => "unit",
        ComponentKind::Stack => "stack",
    }
}
