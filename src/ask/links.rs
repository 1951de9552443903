//! Links: the modules that calls lead to, and the files that functions read.

use std::path::{Component, Path};

use super::answers::{Answers, Entry, Owner};
use super::expressions;
use super::named::unquoted;
use crate::dialect::Dialect;
use crate::evaluate::{KnownFunction, known_function};
use crate::module::{ModuleCall, SourceAddress};
use crate::native::{Construct, Native, StepKind};
use crate::span::Span;
use crate::tree::{Link as Called, clean_path};

/// A link of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// The bytes of the text, without quotes.
    pub span: Span,
    /// Where it leads.
    pub target: LinkTarget,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkTarget {
    /// A module of the tree.
    Module {
        /// Its directory.
        directory: Box<str>,
        /// Its first file: `main`, or else the first one by name.
        file: Option<Box<str>>,
    },
    /// A file, by its name relative to the same place as those of the tree. It may not exist.
    File(Box<str>),
    /// A page of a module registry.
    Page(Box<str>),
}

impl<'t, 'a> Answers<'t, 'a> {
    /// The links of a file, in the order of the text. The file system is not read.
    ///
    /// Cost: linear in the file.
    #[must_use]
    pub fn links(&self, file: &str) -> Vec<Link> {
        let Some(entry) = self.entry(file) else { return Vec::new() };
        let mut found = Vec::new();
        if let Some(unit) = self.unit_in(entry) {
            found.extend(self.unit_links(unit));
        }
        if let Owner::Module(place) = entry.owner {
            let module = self.module(place);
            for (call, link) in module.module.calls.iter().zip(&module.links) {
                let Some(source) = call.source.filter(|it| it.source().id() == entry.source.id())
                else {
                    continue;
                };
                let target = match *link {
                    Called::Module(called) => Some(self.link_to(called)),
                    _ => page(call, entry.dialect),
                };
                let span = unquoted(source.expression().span(), entry.source.bytes());
                found.extend(target.map(|target| Link { span, target }));
            }
            // A run of a test may be of another module.
            let tests = module.tests.iter().filter(|it| it.source.id() == entry.source.id());
            let runs = tests.flat_map(|test| &test.runs).filter_map(|run| run.module);
            for run in runs {
                let attribute = run.block.body().properties().find(|it| it.is_named("source"));
                let Some((attribute, text)) = attribute.zip(run.source) else { continue };
                let target = crate::tree::local_path(&module.files.path, text);
                let is_meant = |path: &crate::directory::Location| Some(path) == target.as_ref();
                let modules = self.tree.modules().iter();
                let Some(called) = modules.into_iter().position(|it| is_meant(&it.files.path))
                else {
                    continue;
                };
                let span = unquoted(attribute.expression().span(), entry.source.bytes());
                found.push(Link { span, target: self.link_to(called) });
            }
        }
        self.visit_files(entry, &mut found);
        found.sort_by_key(|link| link.span.start);
        found
    }

    /// The link to a module.
    pub(super) fn link_to(&self, module: usize) -> LinkTarget {
        let module = self.module(module);
        let names = module.sources.iter().map(|source| source.name());
        let is_main = |name: &&str| {
            Path::new(name)
                .file_name()
                .is_some_and(|name| name.as_encoded_bytes().starts_with(b"main."))
        };
        let file = names.clone().find(is_main).or_else(|| names.clone().next());
        LinkTarget::Module {
            directory: module.files.path.to_string_lossy().into(),
            file: file.map(Into::into),
        }
    }

    /// Finds the paths that functions read: literal ones, after `path.module` or alone.
    fn visit_files(&self, entry: &Entry<'a>, found: &mut Vec<Link>) {
        let Some(parsed) = self.parsed(entry) else { return };
        let directory = Path::new(entry.source.name()).parent().unwrap_or(Path::new(""));
        let mut open = expressions::all(parsed);
        while let Some(native) = open.pop() {
            if let Construct::Call(call) = native.construct()
                && known_function(call.name.strip_prefix("core::").unwrap_or(call.name))
                    .is_some_and(KnownFunction::needs_file)
                && let Some(&argument) = call.arguments.first()
                && let Some(path) = path_of(argument)
            {
                let path = Path::new(path.trim_start_matches('/'));
                let is_below = path
                    .components()
                    .all(|it| !matches!(it, Component::RootDir | Component::Prefix(_)));
                if is_below {
                    let name = clean_path(&directory.join(path));
                    let target = LinkTarget::File(name.to_string_lossy().into());
                    let span = unquoted(argument.span(), entry.source.bytes());
                    found.push(Link { span, target });
                }
            }
            open.extend(expressions::parts(native));
        }
    }
}

/// The path that an expression is, below the directory of its module: a literal text without a
/// leading separator, or `"${path.module}/…"`.
fn path_of(native: Native<'_>) -> Option<&str> {
    match native.construct() {
        Construct::Text(text) => Some(text).filter(|text| !text.starts_with('/')),
        Construct::Template(parts) => match parts.as_slice() {
            [module, text] => {
                let Construct::Traversal(traversal) = module.construct() else { return None };
                let second = traversal.steps().get(1).map(|step| step.kind);
                let is_module = traversal.root_name() == "path"
                    && second == Some(StepKind::Attribute("module"));
                match text.construct() {
                    Construct::Text(text) if is_module => {
                        Some(text).filter(|it| it.starts_with('/'))
                    }
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    }
}

/// The page of a module in the registry of a tool.
fn page(call: &ModuleCall<'_>, dialect: Dialect) -> Option<LinkTarget> {
    let SourceAddress::Registry(address) = call.source_address()? else { return None };
    let (namespace, name, system) = (address.namespace, address.name, address.system);
    let is_terraform = address.host == Some("registry.terraform.io")
        || address.host.is_none() && dialect == Dialect::Terraform;
    let page = match address.host {
        _ if is_terraform => {
            format!("https://registry.terraform.io/modules/{namespace}/{name}/{system}")
        }
        None | Some("registry.opentofu.org") => {
            format!("https://search.opentofu.org/module/{namespace}/{name}/{system}")
        }
        Some(_) => return None,
    };
    Some(LinkTarget::Page(page.into()))
}
