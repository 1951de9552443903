//! Facts from the modules around a module: its callers, the findings of `check`, and a call that it
//! accepts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use simd_hcl::Arena;
use simd_hcl::body::Attribute;
use simd_hcl::directory::Roots;
use simd_hcl::docs::{Caller, Extras, PageFinding};
use simd_hcl::expression::Expression;
use simd_hcl::hidden::{HIDDEN, Hidden, shown_type};
use simd_hcl::module::{Module, Variable};
use simd_hcl::native::StepKind;
use simd_hcl::rules::Package;
use simd_hcl::tree::{Link, Tree, TreeModule, TreeOptions};
use simd_hcl::value::Type;

use crate::args::{self, Check, Common, Configuration};
use crate::check::examine;
use crate::finding::{Finding, Policy};
use crate::input;
use crate::paths::{or_here, text};
use crate::settings::{Docs, Settings};
use crate::status::{Failure, Status};
use crate::visible;

/// Extras by the real directories of modules.
pub(super) type Around = BTreeMap<PathBuf, Extras>;

/// The findings of `check`, by the real directories of modules.
type ByModule = BTreeMap<PathBuf, Vec<PageFinding>>;

/// Reads the repository around the paths, and returns the extras of its modules.
pub(super) fn read(
    docs: &args::Docs,
    settings: &Settings,
    roots: &Roots,
    common: &Common,
) -> Result<(PathBuf, Around), Failure> {
    let wanted = &settings.docs;
    let first = docs.paths.first().map_or(Path::new("."), PathBuf::as_path);
    let named = or_here(first);
    let fail = |error| Failure::Message(format!("{}: {error}", visible::path(named)));
    let real = named.canonicalize().map_err(fail)?;
    let top = real.ancestors().take_while(|it| roots.contains(it)).last().unwrap_or(&real);
    if !wanted.needs_tree() {
        return Ok((top.to_owned(), Around::new()));
    }
    let configuration = Configuration {
        ignore_files: docs.ignore_files,
        ..Configuration::of_directory(top.to_owned(), None)
    };
    let around = match wanted.findings {
        true => checked(docs, settings, (configuration, top), common)?,
        false => {
            let discovery = input::modules(&configuration, common)?;
            let arena = Arena::new();
            let options = TreeOptions::default().with_decode(input::decode_options(common)?);
            around(docs, wanted, (&Tree::load(&arena, discovery.modules, &options), top), None)
        }
    };
    Ok((top.to_owned(), around))
}

/// Returns the extras with what `check` finds, by the settings of the repository.
fn checked(
    docs: &args::Docs,
    settings: &Settings,
    (configuration, top): (Configuration, &Path),
    common: &Common,
) -> Result<Around, Failure> {
    let mut check = Check::of(configuration);
    settings.complete(&mut check);
    // All findings count, those of the baseline, too.
    check.baseline = None;
    let policy = Policy { settings: Some(settings), ..Policy::default() };
    let mut made = Around::new();
    examine(&check, policy, common, &mut |found| {
        let directories = found.tree.modules().iter().map(|module| module.files.directory());
        let mut findings: ByModule = directories
            .filter_map(|directory| Some((directory.disk()?.to_owned(), Vec::new())))
            .collect();
        for finding in found.findings.iter() {
            let file = Path::new(&*finding.range.filename);
            // Tests of a module may be in a folder of it.
            if let Some(directory) = file.ancestors().skip(1).find(|it| findings.contains_key(*it))
                && let Some(all) = findings.get_mut(directory)
            {
                let name = text(file.strip_prefix(directory).unwrap_or(file));
                all.push(page_finding(&finding, &name));
            }
        }
        made = around(docs, &settings.docs, (found.tree, top), Some(findings));
        Ok(Status::Clean)
    })?;
    Ok(made)
}

fn page_finding(finding: &Finding, file: &str) -> PageFinding {
    PageFinding {
        severity: finding.severity.as_str(),
        place: format!("{file}:{}", finding.range.start.line),
        message: finding.message().into_owned(),
    }
}

/// Returns the extras of the modules of a tree.
fn around(
    docs: &args::Docs,
    wanted: &Docs,
    (tree, top): (&Tree<'_>, &Path),
    mut findings: Option<ByModule>,
) -> Around {
    let path_of = |module: &TreeModule<'_>| {
        let directory = module.files.directory();
        let directory = directory.disk().unwrap_or(Path::new(""));
        let below = directory.strip_prefix(top).unwrap_or(directory);
        match below.as_os_str().is_empty() {
            true => ".".to_owned(),
            false => text(below),
        }
    };
    let paths: Vec<String> = tree.modules().iter().map(path_of).collect();
    let mut callers: Vec<Vec<Caller>> = vec![Vec::new(); paths.len()];
    let by_path: BTreeMap<&str, usize> =
        paths.iter().enumerate().map(|(at, path)| (path.as_str(), at)).collect();
    for (at, module) in tree.modules().iter().enumerate() {
        for (call, link) in module.module.calls.iter().zip(&module.links) {
            let source = call.written_source().unwrap_or_default();
            let (target, version) = match link {
                Link::Module(target) => (Some(*target), String::new()),
                // A revision of this repository, by the directory in it.
                Link::Remote => {
                    let it = Revision::of(source);
                    match wanted.repository.as_deref().is_some_and(|own| it.is_of(own)) {
                        true => (by_path.get(it.directory).copied(), it.version),
                        false => (None, String::new()),
                    }
                }
                _ => (None, String::new()),
            };
            let Some(target) = target else { continue };
            let written = call.written_version().unwrap_or_default();
            let version = if written.is_empty() { version } else { written.to_owned() };
            let text = |it: &Attribute<'_>| {
                let value = match !docs.show_sensitive && it.expression().marks_itself() {
                    true => HIDDEN.to_owned(),
                    false => String::from_utf8_lossy(it.expression().text()).into_owned(),
                };
                (it.name().to_owned(), value)
            };
            let values = call.arguments.iter().map(text).collect();
            let path = paths[at].clone();
            callers[target].push(Caller { path, name: call.name.to_owned(), version, values });
        }
    }
    let hidden = tree.hidden();
    let mut around = Around::new();
    for (at, module) in tree.modules().iter().enumerate() {
        let directory = module.files.directory();
        let Some(directory) = directory.disk() else { continue };
        let mut callers = std::mem::take(&mut callers[at]);
        callers.sort_by(|one, other| (&one.path, &one.name).cmp(&(&other.path, &other.name)));
        if !docs.show_sensitive {
            let hides = |name: &str| hidden.get(at).is_some_and(|it| it.has_variable(name));
            for (name, value) in callers.iter_mut().flat_map(|caller| &mut caller.values) {
                if hides(name) {
                    HIDDEN.clone_into(value);
                }
            }
        }
        let mut extras = Extras::default();
        extras.with_values = wanted.values;
        extras.callers = (wanted.callers || wanted.values).then_some(callers);
        extras.findings = findings.as_mut().map(|all| all.remove(directory).unwrap_or_default());
        let hidden = hidden.get(at).filter(|_| !docs.show_sensitive);
        extras.example = wanted.example.then(|| example(&module.module, &paths[at], hidden));
        around.insert(directory.to_owned(), extras);
    }
    around
}

/// A remote source: a repository, a directory in it, and a revision of it, which may be empty.
struct Revision<'s> {
    repository: &'s str,
    directory: &'s str,
    version: String,
}

impl<'s> Revision<'s> {
    fn of(source: &'s str) -> Self {
        let address = source.split('?').next().unwrap_or(source);
        // The first `//` may be that of a scheme.
        let behind = address.find("://").map_or(0, |at| at + 3);
        let end = address[behind..].find("//").map_or(address.len(), |at| behind + at);
        let directory = address[end..].trim_matches('/');
        let version = Package::of_source(source, None).and_then(|package| package.version);
        Self {
            repository: &address[..end],
            directory: if directory.is_empty() { "." } else { directory },
            version: version.unwrap_or_default(),
        }
    }

    /// Whether it is of a repository, whatever the protocol of the address is.
    fn is_of(&self, repository: &str) -> bool {
        let own = host_and_path(repository);
        !own.is_empty() && host_and_path(self.repository).eq_ignore_ascii_case(&own)
    }
}

/// Returns the host and the path of the address of a repository: `github.com/o/r` of
/// `git::ssh://git@github.com:22/o/r.git`, `git@github.com:o/r` and `https://github.com/o/r`.
fn host_and_path(address: &str) -> String {
    let address = address.strip_prefix("git::").unwrap_or(address);
    let (has_scheme, rest) = match address.split_once("://") {
        Some((_, rest)) => (true, rest),
        None => (false, address),
    };
    let path = rest.find('/').unwrap_or(rest.len());
    let rest = rest[..path].rfind('@').map_or(rest, |at| &rest[at + 1..]);
    let rest = rest.trim_end_matches('/');
    let rest = rest.strip_suffix(".git").unwrap_or(rest);
    match rest.split_once(':') {
        // A port, or a path of `git@host:path`.
        Some((host, path)) if has_scheme => {
            format!("{host}{}", path.trim_start_matches(|it: char| it.is_ascii_digit()))
        }
        Some((host, path)) => format!("{host}/{}", path.trim_start_matches('/')),
        None => rest.to_owned(),
    }
}

/// Returns a call of a module, from the top of the repository: every variable that must be set gets a value
/// of its type, or one of the caller's variables if it has validations, and every provider configuration
/// that the module is passed is declared.
fn example(module: &Module<'_>, path: &str, hidden: Option<&Hidden>) -> String {
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut name: String = name
        .chars()
        .map(|char| if char.is_alphanumeric() || matches!(char, '_' | '-') { char } else { '_' })
        .collect();
    if !name.starts_with(|char: char| char.is_alphabetic() || char == '_') || name == "_" {
        name.insert_str(0, "module_");
    }
    let mut out = String::new();
    let required: Vec<&Variable<'_>> =
        module.variables.iter().filter(|variable| variable.is_required()).collect();
    for variable in required.iter().filter(|variable| !variable.validations.is_empty()) {
        let constraint = match variable.written_type {
            Some(written) => {
                let is_hidden = hidden.is_some_and(|it| it.has_variable(variable.name));
                let written = if is_hidden { shown_type(written) } else { written };
                format!("{{\n  type = {}\n}}", type_text(written))
            }
            None => "{}".to_owned(),
        };
        out.push_str(&format!("variable \"{}\" {constraint}\n\n", variable.name));
    }
    let mut passed = Vec::new();
    for provider in module.required_providers() {
        for alias in provider.configuration_aliases {
            let steps: Vec<&str> = alias
                .steps()
                .iter()
                .filter_map(|step| match step.kind {
                    StepKind::Attribute(name) => Some(name),
                    _ => None,
                })
                .collect();
            let Some(alias) = steps.first() else { continue };
            out.push_str(&format!(
                "provider \"{}\" {{\n  alias = \"{alias}\"\n}}\n\n",
                provider.name
            ));
            passed.push(format!("{}.{alias}", provider.name));
        }
    }
    let source = if path == "." { "./".to_owned() } else { format!("./{path}") };
    out.push_str(&format!("module \"{name}\" {{\n  source = \"{source}\"\n"));
    if !passed.is_empty() {
        let width = passed.iter().map(String::len).max().unwrap_or_default();
        out.push_str("\n  providers = {\n");
        for provider in &passed {
            out.push_str(&format!("    {provider:width$} = {provider}\n"));
        }
        out.push_str("  }\n");
    }
    if !required.is_empty() {
        out.push('\n');
    }
    let width = required.iter().map(|variable| variable.name.chars().count()).max();
    for variable in required {
        let value = match &variable.constraint {
            _ if !variable.validations.is_empty() => format!("var.{}", variable.name),
            Some(constraint) => placeholder(constraint.ty, variable.name),
            None => format!("{:?}", variable.name),
        };
        let width = width.unwrap_or_default();
        out.push_str(&format!("  {:width$} = {value}\n", variable.name));
    }
    out.push_str("}\n");
    out
}

/// Returns a type as it is written in native syntax.
fn type_text(written: Expression<'_>) -> String {
    match written.to_str() {
        Some(text) => text.to_owned(),
        None => String::from_utf8_lossy(written.text()).into_owned(),
    }
}

/// Returns an example value of a type: a text is the name of its variable or attribute.
fn placeholder(ty: Type<'_>, name: &str) -> String {
    match ty {
        Type::Bool => "true".to_owned(),
        Type::Number => "1".to_owned(),
        Type::List(_) | Type::Set(_) => "[]".to_owned(),
        Type::Map(_) => "{}".to_owned(),
        Type::Tuple(elements) => {
            let values = elements.iter().map(|element| placeholder(*element, name));
            format!("[{}]", values.collect::<Vec<_>>().join(", "))
        }
        Type::Object(attributes) => {
            let required = attributes.iter().filter(|attribute| !attribute.optional);
            let values: Vec<String> = required
                .map(|it| format!("{} = {}", it.name, placeholder(it.ty, it.name)))
                .collect();
            if values.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", values.join(", ")) }
        }
        _ => format!("{name:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_of_a_repository() {
        let of = |source, repository: &str| {
            let it = Revision::of(source);
            it.is_of(repository).then(|| (it.directory, it.version.clone()))
        };
        for own in ["https://github.com/o/r", "git@github.com:o/r.git", "github.com/O/R/"] {
            let source = "git::https://github.com/o/r.git//modules/net?ref=v1.2&depth=1";
            assert_eq!(of(source, own), Some(("modules/net", "v1.2".to_owned())));
            assert_eq!(
                of("git::ssh://git@github.com:22/o/r.git?ref=a", own),
                Some((".", "a".to_owned()))
            );
            assert_eq!(of("git@github.com:o/r.git//a", own), Some(("a", String::new())));
            assert_eq!(of("github.com/o/r//a/b/", own), Some(("a/b", String::new())));
            assert_eq!(of("git::https://github.com/o/other.git//modules/net", own), None);
            assert_eq!(of("o/r/aws//modules/net", own), None);
        }
        assert_eq!(of("", ""), None);
    }
}
