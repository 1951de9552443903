//! Facts about a module: owned, and computed again when the module changes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::buffers::Buffers;
use super::options::Judge;
use crate::diagnostic::{Code, Diagnostic, Fix, Severity};
use crate::dialect::Dialect;
use crate::directory::{Location, ModuleFiles};
use crate::facts::{Interface, Places, ProviderAddress};
use crate::hash::{HashMap, HashSet};
use crate::module::{Import, ModuleCall, SourceAddress};
use crate::refactor::Errors;
use crate::report::OwnedDiagnostic;
use crate::source::Source;
use crate::span::Span;
use crate::terragrunt::GeneratedNames;
use crate::tree::{Link, Origin, Tree, TreeModule, TreeTemplate, local_path};

/// A diagnostic that counts, and its edit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The diagnostic, with its texts and positions.
    pub diagnostic: OwnedDiagnostic,
    /// Its code.
    pub code: Code,
    /// Its bytes.
    pub span: Span,
    /// The edit that repairs it.
    pub fix: Option<Fix>,
}

/// An object of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ObjectFacts {
    /// Its address in the module: `var.size`, `aws_instance.web`.
    pub address: Box<str>,
    /// The file that declares it, by its index among [`ModuleFacts::sources`].
    pub file: u32,
    /// The bytes of its definition: the type and labels of a block, or an attribute.
    pub span: Span,
}

/// A call of another module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallFacts {
    /// Its name.
    pub name: Box<str>,
    /// The directory of the called module, as an absolute path, if it is in the tree.
    pub target: Option<PathBuf>,
    /// The directory that its source names, if that is a path.
    pub(super) directory: Option<PathBuf>,
    /// Whether its source is a path that starts with `./`.
    pub(super) is_below: bool,
    /// Whether it repeats the module, makes it optional or lets it wait.
    pub(super) is_repeated: bool,
}

/// Everything that is kept of a module, or of a template of Packer, which has files and findings only.
#[derive(Debug)]
#[non_exhaustive]
pub struct ModuleFacts {
    /// Its directory and files.
    pub files: Arc<ModuleFiles>,
    /// How it became part of the tree. Only given modules have findings.
    pub origin: Origin,
    /// The names of the files that were read, in the order of `files`.
    pub sources: Box<[Box<str>]>,
    /// Its findings, by file, then by offset.
    pub findings: Vec<Finding>,
    /// The declarations that callers see, if another module calls it.
    pub interface: Option<Arc<Interface>>,
    /// Every place that names an object.
    pub places: Places,
    /// The objects, by number: [`Target::Object`](crate::facts::Target::Object).
    pub objects: Box<[ObjectFacts]>,
    /// The calls, in order. Their numbers follow those of objects before them, as in
    /// [`Module::objects`](crate::module::Module::objects).
    pub calls: Box<[CallFacts]>,
    /// The number of the first call among the objects.
    pub first_call: u32,
    /// Whether it seems to be a root module: nothing calls it, and it has a backend or a provider
    /// configuration.
    pub is_root: bool,
    /// Whether all its files were read, so that nothing else is declared.
    pub is_complete: bool,
    pub(super) around: AroundFacts,
}

/// Facts that other modules depend on, besides the interface, and the dependencies of the module.
#[derive(Clone, Debug, Default)]
pub(super) struct AroundFacts {
    /// Whether a declaration is invalid, so that callers are not compared with it.
    is_wrong: bool,
    /// The versions of providers that it requires.
    versions: Vec<(String, String)>,
    /// The provider configurations that it has.
    configured: Vec<String>,
    /// The files of other modules that findings point to.
    pub(super) related: Vec<Box<str>>,
    /// The directories of modules that its tests run.
    pub(super) tested: Vec<PathBuf>,
    /// Whether an import names a resource of a called module.
    pub(super) has_deep_imports: bool,
    /// The variables and outputs, as far as units of Terragrunt see them.
    declared: Box<str>,
}

impl ModuleFacts {
    /// The tool whose rules it follows.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.files.dialect
    }

    /// The same module with other files, which are read next.
    pub(super) fn with_files(&self, files: ModuleFiles) -> Self {
        Self {
            files: Arc::new(files),
            origin: self.origin,
            sources: self.sources.clone(),
            findings: self.findings.clone(),
            interface: self.interface.clone(),
            places: self.places.clone(),
            objects: self.objects.clone(),
            calls: self.calls.clone(),
            first_call: self.first_call,
            is_root: self.is_root,
            is_complete: self.is_complete,
            around: self.around.clone(),
        }
    }

    /// Whether a caller sees a difference between two states of a module.
    pub(super) fn differs_for_callers(&self, other: &Self) -> bool {
        self.interface != other.interface || self.around.is_wrong != other.around.is_wrong
    }

    /// Whether units that run it see a difference.
    pub(super) fn differs_for_units(&self, other: &Self) -> bool {
        self.around.declared != other.around.declared || self.is_complete != other.is_complete
    }

    /// Whether callers of callers may see a difference, too.
    pub(super) fn differs_for_all_above(&self, other: &Self) -> bool {
        let (one, two) = (&self.around, &other.around);
        let calls = |it: &Self| -> Vec<(Option<PathBuf>, bool)> {
            it.calls.iter().map(|call| (call.target.clone(), call.is_repeated)).collect()
        };
        one.versions != two.versions
            || one.configured != two.configured
            || calls(self) != calls(other)
    }

    /// Whether it calls other modules than before, or in another way.
    pub(super) fn differs_in_calls(&self, other: &Self) -> bool {
        let calls = |it: &Self| -> Vec<(Option<PathBuf>, bool)> {
            it.calls.iter().map(|call| (call.target.clone(), call.is_below)).collect()
        };
        self.is_root != other.is_root || calls(self) != calls(other)
    }

    /// The findings of one of its files.
    #[must_use]
    pub fn findings_of(&self, source: &str) -> &[Finding] {
        let name = |finding: &Finding| finding.diagnostic.range.filename.as_str().cmp(source);
        let first = self.findings.partition_point(|finding| name(finding).is_lt());
        let end = self.findings.partition_point(|finding| name(finding).is_le());
        &self.findings[first..end]
    }
}

/// Makes the facts of a tree whose bodies and files have been checked: of its modules, or of the
/// given ones only, then of its templates. `found` has the findings of rules, and `generated` the names that units declare.
pub(super) fn of_tree<'a>(
    tree: &Tree<'a>,
    found: Vec<Diagnostic<'a>>,
    (judge, buffers): (Option<&dyn Judge>, &Buffers),
    generated: &GeneratedNames,
    given_only: bool,
) -> Vec<Arc<ModuleFacts>> {
    let maker = Maker { tree, judge, buffers };
    let modules = tree.modules();
    let wanted: Vec<usize> = (0..modules.len())
        .filter(|place| !given_only || modules[*place].origin == Origin::Given)
        .collect();
    let mut by_source: HashMap<u32, usize> = HashMap::default();
    let mut by_directory: HashMap<Location, usize> = HashMap::default();
    for (place, module) in modules.iter().enumerate() {
        by_source.extend(module.sources.iter().map(|source| (source.id(), place)));
        by_directory.entry(module.files.directory()).or_insert(place);
    }
    let mut of_rules: Vec<Vec<Diagnostic<'a>>> = vec![Vec::new(); modules.len()];
    for diagnostic in found {
        let source = diagnostic.source();
        // A file that is missing is in the directory of its module.
        let directory = || Some(Location::Disk(Path::new(source.name()).parent()?.to_owned()));
        let place = by_source.get(&source.id()).copied();
        let place = place.or_else(|| by_directory.get(&directory()?).copied());
        if let Some(place) = place {
            of_rules[place].push(diagnostic);
        }
    }
    let roots = tree.roots();
    let of_modules = wanted.par_iter().map(|&place| {
        let module = &modules[place];
        let mut found = Vec::new();
        if module.origin == Origin::Given {
            let own = module.diagnostics.iter();
            found.extend(own.filter(|it| !generated.explains(it)).cloned());
            let asked_for = module.files.asked_for();
            found.retain(|it: &Diagnostic<'a>| asked_for.contains(it.source().name()));
            found.extend(of_rules[place].iter().filter(|it| !generated.explains(it)).cloned());
        }
        maker.module(module, roots[place], found)
    });
    let mut all: Vec<Arc<ModuleFacts>> = of_modules.collect();
    let templates = tree.templates().par_iter().map(|template| maker.template(template));
    all.par_extend(templates);
    all
}

struct Maker<'m, 'a> {
    tree: &'m Tree<'a>,
    judge: Option<&'m dyn Judge>,
    buffers: &'m Buffers,
}

impl<'a> Maker<'_, 'a> {
    fn module(
        &self,
        module: &TreeModule<'a>,
        is_root: bool,
        found: Vec<Diagnostic<'a>>,
    ) -> Arc<ModuleFacts> {
        let places = module.places();
        let files: HashMap<u32, u32> =
            module.sources.iter().zip(0..).map(|(source, place)| (source.id(), place)).collect();
        let object = |object| {
            let label = module.module.declaration(object);
            let file = label.and_then(|label| files.get(&label.source.id()).copied());
            let span = label.map_or(Span::at(0), |label| label.span);
            let address = object.to_string().into();
            ObjectFacts { address, file: file.unwrap_or_default(), span }
        };
        let findings = findings(self.judge, &module.sources, found);
        let calls = module.module.calls.iter().zip(&module.links);
        Arc::new(ModuleFacts {
            files: Arc::new(module.files.clone()),
            origin: module.origin,
            sources: names(&module.sources),
            interface: module.interface().cloned(),
            places,
            objects: module.module.objects().map(object).collect(),
            calls: calls.map(|(call, link)| self.call(module, call, *link)).collect(),
            first_call: module.module.numbers().calls().start,
            is_root,
            is_complete: !module.withholds(),
            around: self.around(module, &findings),
            findings,
        })
    }

    fn template(&self, template: &TreeTemplate<'a>) -> Arc<ModuleFacts> {
        Arc::new(ModuleFacts {
            files: Arc::new(template.files.clone()),
            origin: Origin::Given,
            sources: names(&template.sources),
            findings: findings(self.judge, &template.sources, template.diagnostics.clone()),
            interface: None,
            places: Places::default(),
            objects: Box::default(),
            calls: Box::default(),
            first_call: 0,
            is_root: false,
            is_complete: template.undecoded.is_empty(),
            around: AroundFacts::default(),
        })
    }

    fn call(&self, module: &TreeModule<'a>, call: &ModuleCall<'a>, link: Link) -> CallFacts {
        let target = match link {
            Link::Module(place) => self.tree.modules().get(place),
            _ => None,
        };
        let directory = match call.source_address() {
            Some(SourceAddress::Local(source)) => local_path(&module.files.directory(), source),
            _ => None,
        };
        let is_below = matches!(call.source_address(), Some(SourceAddress::Local(path)) if path.starts_with("./"));
        let is_repeated = call.count.is_some()
            || call.for_each.is_some()
            || call.enabled.is_some()
            || !call.depends_on.is_empty();
        CallFacts {
            name: call.name.into(),
            target: target.and_then(|target| self.key(&target.files.path)),
            directory: directory.and_then(|directory| self.key(&directory)),
            is_below,
            is_repeated,
        }
    }

    fn around(&self, module: &TreeModule<'a>, findings: &[Finding]) -> AroundFacts {
        let own: HashSet<&str> = module.sources.iter().map(|source| source.name()).collect();
        let related = findings.iter().flat_map(|finding| &finding.diagnostic.related);
        let mut related: Vec<Box<str>> = related
            .map(|related| related.range.filename.as_str())
            .filter(|name| !own.contains(name))
            .map(Into::into)
            .collect();
        related.sort_unstable();
        related.dedup();
        let runs =
            module.tests.iter().flat_map(|file| &file.runs).filter_map(|run| run.module.as_ref());
        let tested = runs.filter_map(|run| match run.address {
            Some(SourceAddress::Local(source)) => {
                self.key(&local_path(&module.files.directory(), source)?)
            }
            _ => None,
        });
        let dialect = module.files.dialect;
        let required = module.module.required_providers().filter_map(|provider| {
            let address = ProviderAddress::required(provider, dialect)?;
            Some((address.to_string(), provider.version?.to_owned()))
        });
        let configured = module.interface().into_iter().flat_map(|it| {
            let names = it.providers().configured().map(|name| name.to_string());
            names.collect::<Vec<_>>()
        });
        let imports = module.module.imports.iter().filter_map(Import::traversal);
        AroundFacts {
            is_wrong: module.has_wrong_declarations(),
            versions: required.collect(),
            configured: configured.collect(),
            related,
            tested: tested.collect(),
            declared: declared(module),
            has_deep_imports: dialect == Dialect::Terraform
                && imports.into_iter().any(|address| address.root_name() == "module"),
        }
    }

    fn key(&self, location: &Location) -> Option<PathBuf> {
        location.disk().map(|path| self.buffers.absolute(path))
    }
}

/// The diagnostics that count, by file, then by offset.
pub(super) fn findings<'a>(
    judge: Option<&dyn Judge>,
    sources: &[Source<'a>],
    found: Vec<Diagnostic<'a>>,
) -> Vec<Finding> {
    let found = match judge {
        Some(judge) => judge.judge(sources, found),
        None => found,
    };
    let mut findings: Vec<Finding> = found
        .iter()
        .map(|diagnostic| Finding {
            diagnostic: OwnedDiagnostic::of(diagnostic),
            code: diagnostic.code(),
            span: diagnostic.span(),
            fix: diagnostic.fix(),
        })
        .collect();
    findings.sort_by(|one, other| {
        let names = |it: &Finding| (it.span.start, it.span.end);
        let files = one.diagnostic.range.filename.cmp(&other.diagnostic.range.filename);
        files.then_with(|| names(one).cmp(&names(other)))
    });
    findings
}

/// The variables and outputs of a module, as far as units see them.
fn declared(module: &TreeModule<'_>) -> Box<str> {
    let mut text = String::new();
    let mut add = |kind: &str, name: &str, marks: [Option<bool>; 3]| {
        // Writing into memory does not fail.
        let _ = writeln!(text, "{kind} {name} {marks:?}");
    };
    for it in module.module.variables.iter() {
        add("var", it.name, [Some(it.is_required()), it.sensitive, it.ephemeral]);
    }
    for it in module.module.outputs.iter() {
        add("output", it.name, [it.sensitive, it.ephemeral, None]);
    }
    text.into()
}

fn names(sources: &[Source<'_>]) -> Box<[Box<str>]> {
    sources.iter().map(|source| source.name().into()).collect()
}

/// The errors among findings, but for those of rules.
pub(super) fn errors<'f>(findings: impl Iterator<Item = &'f Finding>) -> Errors {
    let mut errors = Errors::default();
    for found in findings.map(|finding| &finding.diagnostic) {
        if found.severity == Severity::Error && found.rule.is_none() {
            errors.add(&found.code, found.range.filename.to_string(), found.detail.clone());
        }
    }
    errors
}
