//! The answer of `overview`: facts about all modules, in lists that start with what matters most.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Serialize;
use simd_hcl::module::{Module, ProviderSource, RegistryAddress, SourceAddress};
use simd_hcl::packer::Template;
use simd_hcl::rules::{Package, needs, uncalled_modules};
use simd_hcl::terragrunt::{Checked, ComponentKind};
use simd_hcl::tree::{Link, Origin, Tree, TreeModule};
use simd_hcl::{Dialect, Severity};

use crate::excerpt::Range;
use crate::finding::Findings;
use crate::git::canonical;
use crate::incomplete::Incomplete;
use crate::locks::Locked;
use crate::modules::{cleaned, path_of, path_of_template};
use crate::needed::{Needed, Tool};
use crate::output::FORMAT_VERSION;
use crate::paths::or_here;
use crate::status::Failure;

/// The number of files that a row of findings names.
const WORST: usize = 10;

#[derive(Serialize)]
pub(super) struct Answer {
    pub(super) format_version: &'static str,
    pub(super) roots: Vec<ModuleRow>,
    /// All modules, root modules included.
    pub(super) modules: Vec<ModuleRow>,
    pub(super) units: Vec<UnitRow>,
    pub(super) tools: Vec<ToolRow>,
    pub(super) providers: Vec<ProviderRow>,
    pub(super) sources: Vec<SourceRow>,
    pub(super) findings: Vec<FindingRow>,
    pub(super) unused: Vec<Unused>,
    pub(super) reach: Vec<Reach>,
    pub(super) incomplete: Incomplete,
    /// For each module of the tree.
    #[serde(skip)]
    pub(super) facts: Vec<Facts>,
}

/// The facts about a module that a page shows.
pub(super) struct Facts {
    pub(super) row: ModuleRow,
    pub(super) is_root: bool,
    /// The number of root modules and units that lead to it.
    pub(super) roots: usize,
    pub(super) is_unused: bool,
}

/// A module, a stack of Terraform or a Packer template, with its size.
#[derive(Clone, Serialize)]
pub(super) struct ModuleRow {
    pub(super) path: String,
    pub(super) dialect: &'static str,
    pub(super) files: usize,
    pub(super) bytes: u64,
    /// The number of blocks of resources and data sources.
    pub(super) resources: usize,
    /// The number of module calls in it.
    pub(super) calls: usize,
    /// The number of module calls that lead to it.
    pub(super) callers: usize,
}

/// A unit or stack of Terragrunt.
#[derive(Serialize)]
pub(super) struct UnitRow {
    pub(super) path: String,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<String>,
    /// The index of its module in the tree.
    #[serde(skip)]
    pub(super) module: Option<usize>,
}

/// A tool that reads some of the modules.
#[derive(Serialize)]
pub(super) struct ToolRow {
    pub(super) name: &'static str,
    /// The number of modules, templates or units that it reads.
    pub(super) modules: usize,
    /// The lowest version that has everything that the modules use, of those that are known here.
    #[serde(flatten)]
    pub(super) needed: Option<Needed>,
    pub(super) constraints: Vec<Asked>,
}

/// A version or constraint, and how often it is asked for. Null is any version.
#[derive(Serialize)]
pub(super) struct Asked {
    pub(super) version: Option<String>,
    pub(super) count: usize,
}

#[derive(Serialize)]
pub(super) struct ProviderRow {
    pub(super) source: String,
    /// The number of modules that need it.
    pub(super) modules: usize,
    /// The constraints of modules.
    pub(super) constraints: Vec<Asked>,
    /// The versions in lock files.
    pub(super) locked: Vec<Asked>,
}

/// A package of modules that is not in the tree.
#[derive(Serialize)]
pub(super) struct SourceRow {
    pub(super) source: String,
    /// The number of calls and units.
    pub(super) calls: usize,
    pub(super) versions: Vec<Asked>,
}

#[derive(Serialize)]
pub(super) struct FindingRow {
    pub(super) code: String,
    pub(super) severity: String,
    pub(super) summary: String,
    pub(super) count: usize,
    /// The number of files that have it.
    pub(super) files: usize,
    /// The files that have most of it.
    pub(super) worst: Vec<Worst>,
}

#[derive(Clone, Serialize)]
pub(super) struct Worst {
    pub(super) path: String,
    pub(super) count: usize,
}

/// A module that nothing calls, and that is no root module.
#[derive(Serialize)]
pub(super) struct Unused {
    pub(super) path: String,
}

/// How many root modules and units a change of a module reaches.
#[derive(Serialize)]
pub(super) struct Reach {
    pub(super) path: String,
    pub(super) roots: usize,
    /// The number of calls.
    pub(super) callers: usize,
}

impl Answer {
    pub(super) fn of(
        tree: &Tree<'_>,
        units: &[Checked<'_>],
        (findings, locked): (&Findings<'_, '_>, Vec<Locked>),
        incomplete: Incomplete,
    ) -> Result<Self, Failure> {
        let modules = tree.modules();
        let mut callers = vec![0_usize; modules.len()];
        for link in modules.iter().flat_map(|module| &module.links) {
            if let Link::Module(called) = *link {
                callers[called] += 1;
            }
        }
        let unit_rows = unit_rows(tree, units)?;
        let of_units: Vec<usize> = unit_rows.iter().filter_map(|unit| unit.module).collect();
        let is_shown = |module: &TreeModule<'_>| {
            module.origin == Origin::Given && module.files.has_configuration()
        };
        let row = |place: usize| row(&modules[place], callers[place]);
        let is_root = tree.roots();
        let roots: Vec<usize> =
            (0..modules.len()).filter(|&it| is_root[it] && is_shown(&modules[it])).collect();
        let shown = (0..modules.len()).filter(|&it| is_shown(&modules[it]));
        let mut all: Vec<ModuleRow> = shown.map(row).collect();
        all.extend(tree.templates().iter().map(|template| ModuleRow {
            path: path_of_template(template),
            dialect: Dialect::Packer.name(),
            files: template.sources.len(),
            bytes: template.sources.iter().map(|source| source.bytes().len() as u64).sum(),
            resources: template.template.sources.iter().count(),
            calls: 0,
            callers: 0,
        }));
        all.sort_by(|one, other| one.path.cmp(&other.path));
        let mut uncalled = uncalled_modules(tree);
        of_units.iter().for_each(|&place| uncalled[place] = false);
        let unused: Vec<usize> = (0..modules.len()).filter(|&it| uncalled[it]).collect();
        let starts: Vec<usize> = roots.iter().chain(&of_units).copied().collect();
        let behind = tree.count_behind(&starts);
        let reach = behind.iter().enumerate().filter(|(place, roots)| {
            let is_shared = callers[*place] > 0 || **roots > 1;
            modules[*place].origin != Origin::Installed && **roots > 0 && is_shared
        });
        let mut reach: Vec<Reach> = reach
            .map(|(place, &roots)| Reach {
                path: path_of(&modules[place]),
                roots,
                callers: callers[place],
            })
            .collect();
        reach.sort_by(|one, other| {
            (Reverse((one.roots, one.callers)), &one.path)
                .cmp(&(Reverse((other.roots, other.callers)), &other.path))
        });
        Ok(Self {
            format_version: FORMAT_VERSION,
            roots: roots.iter().map(|&place| row(place)).collect(),
            modules: all,
            units: unit_rows,
            tools: tools(tree, units),
            providers: providers(tree, locked),
            sources: sources(tree, units),
            findings: finding_rows(findings),
            facts: (0..modules.len())
                .map(|place| Facts {
                    row: row(place),
                    is_root: roots.binary_search(&place).is_ok(),
                    roots: behind[place],
                    is_unused: unused.binary_search(&place).is_ok(),
                })
                .collect(),
            unused: unused.iter().map(|&it| Unused { path: path_of(&modules[it]) }).collect(),
            reach,
            incomplete,
        })
    }

    /// The number of findings, by whether they are errors.
    pub(super) fn count_findings(&self, is_error: bool) -> usize {
        let error = Severity::Error.to_string();
        let rows = self.findings.iter().filter(|row| (row.severity == error) == is_error);
        rows.map(|row| row.count).sum()
    }
}

fn row(module: &TreeModule<'_>, callers: usize) -> ModuleRow {
    let declared = &module.module;
    let of_checks = declared.checks.iter().filter(|check| check.data.is_some()).count();
    ModuleRow {
        path: path_of(module),
        dialect: module.files.dialect.name(),
        files: module.sources.len(),
        bytes: module.sources.iter().map(|source| source.bytes().len() as u64).sum(),
        resources: declared.resources.len() + of_checks,
        calls: declared.calls.len(),
        callers,
    }
}

/// The places of modules by their directories, as absolute paths without links.
fn places_of_modules(tree: &Tree<'_>) -> Result<HashMap<PathBuf, usize>, Failure> {
    let mut places = HashMap::new();
    for (place, module) in tree.modules().iter().enumerate() {
        let directory = module.files.directory();
        if let Some(directory) = directory.disk() {
            places.insert(canonical(or_here(directory))?, place);
        }
    }
    Ok(places)
}

fn unit_rows(tree: &Tree<'_>, units: &[Checked<'_>]) -> Result<Vec<UnitRow>, Failure> {
    if units.is_empty() {
        return Ok(Vec::new());
    }
    let places = places_of_modules(tree)?;
    let here = canonical(Path::new("."))?;
    let shown = |folder: &str| match Path::new(folder).strip_prefix(&here) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        Ok(inside) => inside.to_string_lossy().into_owned(),
        Err(_) => cleaned(Path::new(folder)).to_string_lossy().into_owned(),
    };
    let row = |unit: &simd_hcl::terragrunt::CheckedUnit| UnitRow {
        path: shown(&unit.folder),
        kind: match unit.kind {
            ComponentKind::Unit => "unit",
            ComponentKind::Stack => "stack",
        },
        source: unit.source.as_deref().map(|source| match Package::of_source(source, None) {
            Some(package) => package.address,
            None => Package::of_archive(source).address,
        }),
        module: unit.module.as_ref().and_then(|folder| places.get(Path::new(folder)).copied()),
    };
    let mut rows: Vec<UnitRow> = units.iter().flat_map(|it| &it.units).map(row).collect();
    rows.sort_by(|one, other| (&one.path, one.kind).cmp(&(&other.path, other.kind)));
    Ok(rows)
}

/// How often each version is asked for.
#[derive(Default)]
struct Versions(BTreeMap<Option<String>, usize>);

impl Versions {
    fn add(&mut self, version: Option<String>) {
        *self.0.entry(version).or_default() += 1;
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    /// The most frequent ones first.
    fn rows(self) -> Vec<Asked> {
        let row = |(version, count)| Asked { version, count };
        let mut rows: Vec<Asked> = self.0.into_iter().map(row).collect();
        rows.sort_by_key(|row| Reverse(row.count));
        rows
    }
}

fn tools(tree: &Tree<'_>, units: &[Checked<'_>]) -> Vec<ToolRow> {
    let given = || tree.given().filter(|module| module.files.has_configuration());
    let mut rows = Vec::new();
    let versions = || {
        let mut versions = Versions::default();
        for module in given() {
            let declared = &module.module;
            let settings = declared.settings.iter().chain(&declared.override_settings);
            let texts = settings
                .filter_map(|it| it.required_version)
                .filter_map(|version| version.expression().to_str());
            let texts: BTreeSet<&str> = texts.collect();
            let text = texts.into_iter().collect::<Vec<_>>().join(", ");
            versions.add(Some(text).filter(|text| !text.is_empty()));
        }
        versions
    };
    let modules = given().count();
    if modules > 0 {
        let mut needed = [None, None];
        for module in given() {
            let needs = needs(tree, module);
            for (known, tool) in needed.iter_mut().zip([Tool::OpenTofu, Tool::Terraform]) {
                let other = Needed::of_tool(&needs, tool);
                match known {
                    None => *known = Some(other),
                    Some(first) if other.is_newer_than(first) => *known = Some(other),
                    Some(_) => {}
                }
            }
        }
        for (needed, name) in needed.into_iter().zip([Dialect::OpenTofu, Dialect::Terraform]) {
            let constraints = versions().rows();
            rows.push(ToolRow { name: name.name(), modules, needed, constraints });
        }
    }
    if !tree.templates().is_empty() {
        let mut versions = Versions::default();
        for template in tree.templates() {
            versions.add(packer_version(&template.template));
        }
        let (name, modules) = (Dialect::Packer.name(), tree.templates().len());
        rows.push(ToolRow { name, modules, needed: None, constraints: versions.rows() });
    }
    let units: usize = units.iter().map(|checked| checked.units.len()).sum();
    if units > 0 {
        let constraints = Vec::new();
        rows.push(ToolRow { name: "terragrunt", modules: units, needed: None, constraints });
    }
    rows
}

fn packer_version(template: &Template<'_>) -> Option<String> {
    let mut versions = template.settings.iter().filter_map(|it| it.required_version);
    versions.next().map(str::to_owned)
}

#[derive(Default)]
struct Provider {
    modules: usize,
    constraints: Versions,
    locked: Versions,
}

fn providers(tree: &Tree<'_>, locked: Vec<Locked>) -> Vec<ProviderRow> {
    let mut all: BTreeMap<String, Provider> = BTreeMap::new();
    for module in tree.given() {
        let dialect = module.files.dialect;
        for (source, constraint) in providers_of(&module.module, dialect) {
            let provider = all.entry(source).or_default();
            provider.modules += 1;
            provider.constraints.add(constraint);
        }
    }
    for Locked { parts, version } in locked {
        all.entry(shown_source(parts)).or_default().locked.add(version);
    }
    let mut rows: Vec<(usize, ProviderRow)> = all
        .into_iter()
        .map(|(source, Provider { modules, constraints, locked })| {
            let versions = constraints.len().max(locked.len());
            let (constraints, locked) = (constraints.rows(), locked.rows());
            (versions, ProviderRow { source, modules, constraints, locked })
        })
        .collect();
    rows.sort_by_key(|(versions, row)| Reverse((*versions, row.modules)));
    rows.into_iter().map(|(_, row)| row).collect()
}

/// The providers that a module names or uses, each with its constraint.
fn providers_of(module: &Module<'_>, dialect: Dialect) -> BTreeMap<String, Option<String>> {
    let mut found = BTreeMap::new();
    let mut known: HashSet<&str> = HashSet::new();
    for required in module.required_providers() {
        known.insert(required.name);
        let Some(source) = source_of(required.source, required.name, dialect) else { continue };
        found.insert(source, required.version.map(str::to_owned));
    }
    let used = module.resources.iter().map(|it| it.provider_name());
    let configured = module.providers.iter().map(|it| it.name);
    for name in used.chain(configured).filter(|name| !known.contains(name)) {
        if let Some(source) = source_of(None, name, dialect) {
            found.entry(source).or_insert(None);
        }
    }
    found
}

/// The source of a provider without the host of the tool; `None` if it is invalid or built into the
/// tool.
fn source_of(source: Option<&str>, name: &str, dialect: Dialect) -> Option<String> {
    let source = ProviderSource::parse(source.unwrap_or(name)).ok()?;
    // `terraform_data` and the like.
    let is_own = source.is_built_in() || source.namespace.is_none() && name == "terraform";
    (!is_own).then(|| shown_source(source.parts_in(dialect)))
}

fn shown_source([host, namespace, provider_type]: [String; 3]) -> String {
    match &*host {
        "registry.opentofu.org" | "registry.terraform.io" => format!("{namespace}/{provider_type}"),
        host => format!("{host}/{namespace}/{provider_type}"),
    }
}

fn sources(tree: &Tree<'_>, units: &[Checked<'_>]) -> Vec<SourceRow> {
    let mut all: BTreeMap<String, Versions> = BTreeMap::new();
    let mut add = |package: Package| all.entry(package.address).or_default().add(package.version);
    for call in tree.given().flat_map(|module| &module.module.calls) {
        match (Package::of_call(call), call.source_address()) {
            (Some(package), _) => add(package),
            (None, Some(SourceAddress::Remote(text))) => add(Package::of_archive(text)),
            _ => {}
        }
    }
    for unit in units.iter().flat_map(|it| &it.units).filter(|unit| unit.module.is_none()) {
        let Some(source) = unit.source.as_deref() else { continue };
        // In a unit, a path needs no `./`.
        if RegistryAddress::parse(source).is_none() {
            let package = Package::of_source(source, None);
            add(package.unwrap_or_else(|| Package::of_archive(source)));
        }
    }
    let mut rows: Vec<SourceRow> = all
        .into_iter()
        .map(|(source, versions)| {
            let calls = versions.0.values().sum();
            SourceRow { source, calls, versions: versions.rows() }
        })
        .collect();
    rows.sort_by_key(|row| Reverse((row.versions.len(), row.calls)));
    rows
}

fn finding_rows(findings: &Findings<'_, '_>) -> Vec<FindingRow> {
    let mut files: BTreeMap<(&str, Severity), BTreeMap<&str, usize>> = BTreeMap::new();
    let mut summaries: HashMap<&str, String> = HashMap::new();
    for fact in findings.facts() {
        let of_code = files.entry((fact.code, fact.severity)).or_default();
        *of_code.entry(fact.path).or_default() += 1;
        summaries.entry(fact.code).or_insert_with(|| fact.summary.to_owned());
    }
    let mut rows: Vec<FindingRow> = files
        .into_iter()
        .map(|((code, severity), files)| {
            let worst = files.iter().map(|(path, &count)| (Reverse(count), *path));
            let mut worst: Vec<(Reverse<usize>, &str)> = worst.collect();
            worst.sort_unstable();
            let row = |(count, path): (Reverse<usize>, &str)| Worst {
                path: path.to_owned(),
                count: count.0,
            };
            FindingRow {
                code: code.to_owned(),
                severity: severity.to_string(),
                summary: summaries.get(code).cloned().unwrap_or_default(),
                count: files.values().sum(),
                files: files.len(),
                worst: worst.into_iter().take(WORST).map(row).collect(),
            }
        })
        .collect();
    let error = Severity::Error.to_string();
    rows.sort_by_key(|row| (row.severity != error, Reverse(row.count)));
    rows
}

/// Where a construct is used that needs a release.
pub(super) fn place_of(range: &Range) -> String {
    format!("{}:{}", range.filename, range.start.line)
}
