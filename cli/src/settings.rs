//! `simd-hcl.toml`: the flags of a repository, in a file.
//!
//! The nearest file upward from the directory that all given paths have in common applies, or the one
//! of `--config`. Flags take precedence over it. Its paths and patterns start at its directory; patterns
//! are those of `.gitignore`.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use simd_hcl::body::{BlockSchema, Schema};
use simd_hcl::diagnostic::CustomCode;
use simd_hcl::directory::{Discovery, Given, ModuleFiles};
use simd_hcl::rules::{self, OptionValue, RULES, Rule};
use simd_hcl::source::{Access, OpenFile, SourceError};
use simd_hcl::suggest::nearest;
use simd_hcl::{Arena, Code, Document, ParsedFile, Severity, Source};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::args::{
    Check, Common, DialectName, Level, OwnName, RuleSelector, Selector, ignored_rule,
    rule_selector, selector,
};
use crate::paths::or_here;
use crate::root_section::Section;
use crate::status::Failure;
use crate::visible;

/// The name of the file.
pub(crate) const NAME: &str = "simd-hcl.toml";

/// The number of bytes that the file may have.
const MAX_BYTES: u64 = 1 << 20;

/// The keys of the file, in the order of the documentation.
const KEYS: &[&str] = &[
    "dialect",
    "exclude",
    "level",
    "allow",
    "deny",
    "select",
    "ignore",
    "preview",
    "per-path-allow",
    "per-path-deny",
    "per-path-select",
    "per-path-ignore",
    "rules",
    "rule-files",
    "provider-schemas",
    "baseline",
    "root",
    "replace",
    "docs",
];

/// The settings of a file; without one, none.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    file: PathBuf,
    pub(crate) dialect: Option<DialectName>,
    exclude: Option<Patterns>,
    level: Option<Level>,
    pub(crate) codes: Codes,
    /// In the order of the file.
    per_path: Vec<(Patterns, Codes)>,
    provider_schemas: Option<PathBuf>,
    baseline: Option<PathBuf>,
    roots: Vec<Section>,
    /// Options of rules.
    options: Vec<(&'static Rule, String, OptionValue)>,
    /// Codes that no comment allows.
    finals: Vec<String>,
    /// Files of rules, and the names of these.
    rule_files: Vec<PathBuf>,
    own: BTreeSet<String>,
    /// For types of resources, the arguments whose changes replace an object.
    replace: Vec<(String, Vec<String>)>,
    pub(crate) docs: Docs,
}

/// Additions to the pages of terraform-docs: the section `[docs]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Docs {
    /// Defaults have the defaults of optional attributes.
    pub(crate) optional_defaults: bool,
    /// Attributes of objects are entries of their own.
    pub(crate) attributes: bool,
    /// Only files that have the comments are written.
    pub(crate) marked: bool,
    pub(crate) callers: bool,
    /// The values that callers pass.
    pub(crate) values: bool,
    pub(crate) findings: bool,
    pub(crate) example: bool,
    /// The address of this repository: calls of it are calls of its modules.
    pub(crate) repository: Option<String>,
    /// The file with the index of all modules.
    pub(crate) index: Option<PathBuf>,
}

impl Docs {
    /// Whether pages say something about the modules around them.
    pub(crate) fn needs_tree(&self) -> bool {
        self.callers || self.values || self.findings || self.example
    }
}

/// Codes that are not reported, warnings that are errors, and rules that are on and off.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codes {
    pub(crate) allow: Vec<Selector>,
    pub(crate) deny: Vec<Selector>,
    pub(crate) select: Vec<RuleSelector>,
    pub(crate) ignore: Vec<RuleSelector>,
    /// Whether rules in preview can be on.
    pub(crate) preview: bool,
}

impl Settings {
    /// Reads the settings for some paths.
    ///
    /// # Errors
    /// The file cannot be read or has an error.
    pub(crate) fn of(paths: &[PathBuf], common: &Common) -> Result<Self, Failure> {
        if common.no_config {
            return Ok(Self::default());
        }
        match &common.config {
            Some(file) => Self::read(file, Access::NAMED),
            None => match nearest_file(paths) {
                Some(file) => Self::read(&file, Access::FOUND),
                None => Ok(Self::default()),
            },
        }
    }

    fn read(file: &Path, access: Access) -> Result<Self, Failure> {
        let problem = |place: &str, message: &str| {
            Failure::Message(format!("{}{place}: {message}", visible::path(file)))
        };
        let read = access.with_limit(MAX_BYTES).open(file).and_then(OpenFile::read);
        let text = read.map_err(|error| problem("", &error.to_string()))?;
        let text = String::from_utf8(text).map_err(|error| problem("", &error.to_string()))?;
        Self::parse(file, &text).map_err(|(span, message)| {
            let before = text.get(..span.start).unwrap_or(&text);
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|char| *char != '\n').count() + 1;
            problem(&format!(":{line}:{column}"), &message)
        })
    }

    fn parse(file: &Path, text: &str) -> Result<Self, Problem> {
        let table = DeTable::parse(text)
            .map_err(|error| (error.span().unwrap_or_default(), error.message().to_owned()))?;
        let directory = file.canonicalize().ok();
        let directory = directory.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
        let mut settings = Self { file: file.to_owned(), ..Self::default() };
        // The names of rules in files may be anywhere.
        let files = table.get_ref().iter().find(|(key, _)| &**key.get_ref() == "rule-files");
        if let Some((_, files)) = files {
            settings.read_rule_files(directory, files)?;
        }
        for (key, value) in table.get_ref().iter() {
            match &**key.get_ref() {
                "dialect" => {
                    let name = string(value)?;
                    let parsed = name.parse().map_err(|why| (value.span(), why))?;
                    settings.dialect = Some(parsed);
                }
                "level" => settings.level = Some(choice(value)?),
                "exclude" => settings.exclude = Some(Patterns::new(directory, strings(value)?)?),
                "rule-files" => {}
                "allow" => settings.codes.allow = settings.names(value, &CODES)?,
                "deny" => settings.codes.deny = settings.names(value, &CODES)?,
                "select" => settings.codes.select = settings.names(value, &SELECTED)?,
                "ignore" => settings.codes.ignore = settings.names(value, &IGNORED)?,
                "preview" => settings.codes.preview = flag(value)?,
                "per-path-allow" => {
                    settings.add(directory, value, &CODES, |codes| &mut codes.allow)?;
                }
                "per-path-deny" => {
                    settings.add(directory, value, &CODES, |codes| &mut codes.deny)?;
                }
                "per-path-select" => {
                    settings.add(directory, value, &SELECTED, |codes| &mut codes.select)?;
                }
                "per-path-ignore" => {
                    settings.add(directory, value, &IGNORED, |codes| &mut codes.ignore)?;
                }
                "rules" => settings.read_rules(value)?,
                "provider-schemas" => {
                    settings.provider_schemas = Some(file_below(directory, value)?)
                }
                "baseline" => settings.baseline = Some(file_below(directory, value)?),
                "root" => settings.roots = Section::all(directory, value)?,
                "replace" => settings.replace = replace(value)?,
                "docs" => settings.docs = docs(directory, value)?,
                unknown => return Err((key.span(), unknown_name("key", unknown, KEYS))),
            }
        }
        Ok(settings)
    }

    /// Reads a list of names of codes or rules, among them those of rules in files.
    fn names<T>(&self, value: &Spanned<DeValue<'_>>, names: &Names<T>) -> Result<Vec<T>, Problem> {
        let of = |name: Spanned<&str>| {
            let text = *name.get_ref();
            match self.has_own(text) {
                true => Ok((names.own)(OwnName { name: text.to_owned(), why: String::new() })),
                false => (names.known)(text).map_err(|error| (name.span(), error)),
            }
        };
        strings(value)?.into_iter().map(of).collect()
    }

    /// Whether a file of rules has a rule of this name.
    pub(crate) fn has_own(&self, name: &str) -> bool {
        self.own.contains(name)
    }

    /// Codes with the names of the rules in files.
    pub(crate) fn own_codes(&self) -> impl Iterator<Item = Code> {
        let code = |name: &String| CustomCode::kept(name, Severity::Warning, "", "", None);
        self.own.iter().map(code).map(Code::Custom)
    }

    /// The file of provider schemas.
    pub(crate) fn provider_schemas(&self) -> Option<&Path> {
        self.provider_schemas.as_deref()
    }

    /// The file of the settings, if there is one, and those that it names.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let own = (!self.file.as_os_str().is_empty()).then_some(&self.file);
        let named = [&self.baseline, &self.provider_schemas].into_iter().flatten();
        own.into_iter().chain(named).chain(&self.rule_files).cloned().collect()
    }

    /// The files of rules.
    pub(crate) fn rule_files(&self) -> &[PathBuf] {
        &self.rule_files
    }

    /// Reads a table whose keys are patterns and whose values are lists of names, which become the `list`
    /// of the codes of each pattern.
    fn add<T>(
        &mut self,
        directory: &Path,
        value: &Spanned<DeValue<'_>>,
        names: &Names<T>,
        list: fn(&mut Codes) -> &mut Vec<T>,
    ) -> Result<(), Problem> {
        let DeValue::Table(table) = value.get_ref() else {
            return Err(wrong_type(value, "a table of patterns"));
        };
        for (pattern, value) in table.iter() {
            let text = Spanned::new(pattern.span(), &**pattern.get_ref());
            let mut codes = Codes::default();
            *list(&mut codes) = self.names(value, names)?;
            self.per_path.push((Patterns::new(directory, vec![text])?, codes));
        }
        Ok(())
    }

    /// Reads the list of files of rules, and the names of the rules in them.
    fn read_rule_files(
        &mut self,
        directory: &Path,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), Problem> {
        let DeValue::Array(array) = value.get_ref() else {
            return Err(wrong_type(value, "an array of strings"));
        };
        for element in array.iter() {
            let file = file_below(directory, element)?;
            let names = names_of_rules(&file);
            self.own.extend(names.map_err(|error| (element.span(), error.to_string()))?);
            self.rule_files.push(file);
        }
        Ok(())
    }

    /// Reads the table `rules`: for each rule, its options, and whether comments may ignore it.
    fn read_rules(&mut self, value: &Spanned<DeValue<'_>>) -> Result<(), Problem> {
        let DeValue::Table(table) = value.get_ref() else {
            return Err(wrong_type(value, "a table of rules"));
        };
        for (name, options) in table.iter() {
            let Some(rule) = rules::rule(name.get_ref()) else {
                if self.has_own(name.get_ref()) {
                    self.read_own_options(name.get_ref(), options)?;
                    continue;
                }
                let names: Vec<&str> = RULES.iter().map(|rule| rule.name()).collect();
                return Err((name.span(), unknown_name("rule", name.get_ref(), &names)));
            };
            let DeValue::Table(options) = options.get_ref() else {
                return Err(wrong_type(options, "a table of options"));
            };
            for (option, value) in options.iter() {
                if &**option.get_ref() == "ignorable" {
                    if !flag(value)? {
                        self.finals.push(rule.name().to_owned());
                    }
                    continue;
                }
                let read = match value.get_ref() {
                    DeValue::Boolean(flag) => OptionValue::Flag(*flag),
                    DeValue::String(text) => OptionValue::Text(text.to_string()),
                    DeValue::Array(_) => {
                        let texts = strings(value)?;
                        OptionValue::List(
                            texts.iter().map(|it| (*it.get_ref()).to_owned()).collect(),
                        )
                    }
                    _ => {
                        return Err(wrong_type(
                            value,
                            "a string, an array of strings, or true or false",
                        ));
                    }
                };
                let option = option.get_ref();
                rule.accepts(option, &read)
                    .map_err(|why| (value.span(), format!("option {option:?}: {why}")))?;
                self.options.push((rule, option.to_string(), read));
            }
        }
        Ok(())
    }

    /// Reads the options of a rule in a file: whether comments may ignore it.
    fn read_own_options(
        &mut self,
        name: &str,
        options: &Spanned<DeValue<'_>>,
    ) -> Result<(), Problem> {
        let DeValue::Table(table) = options.get_ref() else {
            return Err(wrong_type(options, "a table of options"));
        };
        for (option, value) in table.iter() {
            match &**option.get_ref() {
                "ignorable" if !flag(value)? => self.finals.push(name.to_owned()),
                "ignorable" => {}
                unknown => {
                    return Err((option.span(), unknown_name("option", unknown, &["ignorable"])));
                }
            }
        }
        Ok(())
    }

    /// The options of rules.
    pub(crate) fn options(&self) -> impl Iterator<Item = (&'static Rule, &str, &OptionValue)> {
        self.options.iter().map(|(rule, option, value)| (*rule, option.as_str(), value))
    }

    /// Whether no comment may allow a code.
    pub(crate) fn is_final(&self, code: Code) -> bool {
        self.finals.iter().any(|name| name == code.as_str())
    }

    /// The codes that apply to some paths only.
    pub(crate) fn codes_of_paths(&self) -> impl Iterator<Item = &Codes> {
        self.per_path.iter().map(|(_, codes)| codes)
    }

    /// The inputs of root modules.
    pub(crate) fn roots(&self) -> &[Section] {
        &self.roots
    }

    /// The file; `None` if there is none.
    pub(crate) fn file(&self) -> Option<&Path> {
        (!self.file.as_os_str().is_empty()).then_some(&self.file)
    }

    /// The directory of the file, without links; `None` if there is no file.
    pub(crate) fn directory(&self) -> Option<PathBuf> {
        self.file.canonicalize().ok()?.parent().map(Path::to_owned)
    }

    /// The arguments whose changes replace an object, by the type of the resource.
    pub(crate) fn replace(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.replace.iter().map(|(name, arguments)| (name.as_str(), arguments.as_slice()))
    }

    /// Fills in the flags of `check` that are not given.
    pub(crate) fn complete(&self, check: &mut Check) {
        check.level = check.level.or(self.level);
        check.baseline = check.baseline.take().or_else(|| self.baseline.clone());
        if check.provider_schemas.is_none() && check.level() != Level::Syntax {
            check.provider_schemas.clone_from(&self.provider_schemas);
        }
    }

    /// Returns the codes that apply to a file of this name, the more important ones first.
    pub(crate) fn codes_of<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Codes> {
        let of_path = self.per_path.iter().filter(|(patterns, _)| patterns.have(Path::new(name)));
        of_path.map(|(_, codes)| codes).chain([&self.codes])
    }

    /// Has excluded files read only where files beside them or modules that call them need them.
    /// Files and directories that are named are not excluded.
    ///
    /// # Errors
    /// Everything is excluded.
    pub(crate) fn exclude(
        &self,
        discovery: &mut Discovery,
        paths: &[PathBuf],
    ) -> Result<(), Failure> {
        let Some(patterns) = &self.exclude else { return Ok(()) };
        let had_modules = !discovery.modules.is_empty();
        let named: Vec<&Path> = paths.iter().map(|path| plain(path)).collect();
        for module in &mut discovery.modules {
            let Some(directory) = module.path.disk() else { continue };
            let below = named.iter().filter(|path| directory.starts_with(path));
            let start = below.max_by_key(|path| path.components().count()).copied();
            for file in module.files.iter_mut().filter(|file| file.given == Given::Found) {
                let start = start.unwrap_or(Path::new(""));
                if file.path.disk().is_some_and(|path| patterns.have_below(start, path)) {
                    file.given = Given::Beside;
                }
            }
        }
        let is_asked_for = |module: &ModuleFiles| module.files.iter().any(|it| it.is_asked_for());
        discovery.modules.retain(is_asked_for);
        if had_modules && discovery.modules.is_empty() {
            let file = visible::path(&self.file);
            return Err(Failure::Message(format!("{file} excludes all files below the paths")));
        }
        Ok(())
    }
}

/// A place in the file, and the problem there.
type Problem = (Range<usize>, String);

/// Patterns as in `.gitignore`.
#[derive(Debug)]
struct Patterns {
    matcher: Gitignore,
    /// The real paths of directories, by their names.
    directories: Mutex<HashMap<PathBuf, PathBuf>>,
}

impl Patterns {
    fn new(directory: &Path, patterns: Vec<Spanned<&str>>) -> Result<Self, Problem> {
        let mut builder = GitignoreBuilder::new(directory);
        for pattern in patterns {
            let add = builder.add_line(None, pattern.get_ref());
            add.map_err(|error| (pattern.span(), error.to_string()))?;
        }
        let matcher = builder.build().map_err(|error| (0..0, error.to_string()))?;
        Ok(Self { matcher, directories: Mutex::default() })
    }

    /// Whether a file or a directory around it matches.
    fn have(&self, file: &Path) -> bool {
        self.have_below(Path::new(""), file)
    }

    /// Whether a file, or a directory around it below `start`, matches.
    fn have_below(&self, start: &Path, file: &Path) -> bool {
        let (Some(directory), Some(name)) = (file.parent(), file.file_name()) else { return false };
        let real = self.real(directory);
        // As many directories as are below `start`.
        let inside = directory.components().count().saturating_sub(start.components().count());
        let inside = if start.as_os_str().is_empty() { usize::MAX } else { inside };
        self.matches(&real.join(name), false)
            || real.ancestors().take(inside).any(|directory| self.matches(directory, true))
    }

    fn matches(&self, path: &Path, is_directory: bool) -> bool {
        path.starts_with(self.matcher.path())
            && self.matcher.matched(path, is_directory).is_ignore()
    }

    fn real(&self, directory: &Path) -> PathBuf {
        let mut known = self.directories.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(real) = known.get(directory) {
            return real.clone();
        }
        let named = or_here(directory);
        let real = named.canonicalize().unwrap_or_else(|_| directory.to_owned());
        known.insert(directory.to_owned(), real.clone());
        real
    }
}

/// Returns the nearest file upward from the directory that the paths have in common.
fn nearest_file(paths: &[PathBuf]) -> Option<PathBuf> {
    let mut common: Option<PathBuf> = None;
    for path in paths {
        // Standard input is a file of this directory.
        let path = if path == Path::new("-") { Path::new(".") } else { path };
        // A path that does not exist is reported elsewhere.
        let Ok(mut real) = path.canonicalize() else { continue };
        if !real.is_dir() {
            real.pop();
        }
        common = Some(match common {
            None => real,
            Some(common) => {
                let shared = common.components().zip(real.components());
                shared.take_while(|(one, other)| one == other).map(|(one, _)| one).collect()
            }
        });
    }
    let start = common.or_else(|| Path::new(".").canonicalize().ok())?;
    // One that cannot be read is an error.
    let is_there = |file: &PathBuf| file.symlink_metadata().is_ok_and(|it| !it.is_dir());
    start.ancestors().map(|directory| directory.join(NAME)).find(is_there)
}

/// Returns a path as discovery names it.
fn plain(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// Returns the file that a setting names. It is below the directory of the settings, also if its
/// links are followed, and a regular file if it exists: the settings may be those of a pull request.
fn file_below(directory: &Path, value: &Spanned<DeValue<'_>>) -> Result<PathBuf, Problem> {
    let name = string(value)?;
    let problem = |what: &str| (value.span(), format!("{name:?} {what}"));
    let outside = || problem("is not below the directory of the settings");
    let is_below = Path::new(name)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_below {
        return Err(outside());
    }
    let file = directory.join(name);
    // The file of a new baseline does not exist.
    let Some(real) = file.ancestors().find_map(|path| path.canonicalize().ok()) else {
        return Ok(file);
    };
    if !real.starts_with(directory) || (!file.exists() && file.is_symlink()) {
        return Err(outside());
    }
    match file.metadata() {
        Ok(found) if !found.is_file() => Err(problem("is not a regular file")),
        _ => Ok(file),
    }
}

fn wrong_type(value: &Spanned<DeValue<'_>>, expected: &str) -> Problem {
    (value.span(), format!("expected {expected}, found {}", value.get_ref().type_str()))
}

fn unknown_name(what: &str, name: &str, names: &[&str]) -> String {
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("unknown {what} {name:?}; did you mean {near:?}?"),
        None => format!("unknown {what} {name:?}; expected one of {}", names.join(", ")),
    }
}

fn string<'v>(value: &'v Spanned<DeValue<'_>>) -> Result<&'v str, Problem> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        _ => Err(wrong_type(value, "a string")),
    }
}

fn strings<'v>(value: &'v Spanned<DeValue<'_>>) -> Result<Vec<Spanned<&'v str>>, Problem> {
    let DeValue::Array(array) = value.get_ref() else {
        return Err(wrong_type(value, "an array of strings"));
    };
    array.iter().map(|element| Ok(Spanned::new(element.span(), string(element)?))).collect()
}

fn choice<T: ValueEnum>(value: &Spanned<DeValue<'_>>) -> Result<T, Problem> {
    let name = string(value)?;
    T::from_str(name, false).map_err(|_| {
        let values: Vec<_> = T::value_variants().iter().filter_map(T::to_possible_value).collect();
        let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
        (value.span(), unknown_name("value", name, &names))
    })
}

/// Reads a table whose keys are types of resources and whose values are names of arguments.
fn replace(value: &Spanned<DeValue<'_>>) -> Result<Vec<(String, Vec<String>)>, Problem> {
    let DeValue::Table(table) = value.get_ref() else {
        return Err(wrong_type(value, "a table of types of resources"));
    };
    let of = |(name, arguments): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let name: &Spanned<std::borrow::Cow<'_, str>> = name;
        let arguments = strings(arguments)?.into_iter().map(|it| (*it.get_ref()).to_owned());
        Ok((name.get_ref().clone().into_owned(), arguments.collect()))
    };
    table.iter().map(of).collect()
}

/// Reads the section `[docs]`.
fn docs(directory: &Path, value: &Spanned<DeValue<'_>>) -> Result<Docs, Problem> {
    const KEYS: &[&str] = &[
        "optional-defaults",
        "attributes",
        "marked",
        "callers",
        "values",
        "findings",
        "example",
        "repository",
        "index",
    ];
    let DeValue::Table(table) = value.get_ref() else {
        return Err(wrong_type(value, "a section: [docs]"));
    };
    let mut docs = Docs::default();
    for (key, value) in table.iter() {
        let set = match &**key.get_ref() {
            "index" => {
                docs.index = Some(file_below(directory, value)?);
                continue;
            }
            "repository" => {
                docs.repository = Some(string(value)?.to_owned());
                continue;
            }
            "optional-defaults" => &mut docs.optional_defaults,
            "attributes" => &mut docs.attributes,
            "marked" => &mut docs.marked,
            "callers" => &mut docs.callers,
            "values" => &mut docs.values,
            "findings" => &mut docs.findings,
            "example" => &mut docs.example,
            unknown => return Err((key.span(), unknown_name("key", unknown, KEYS))),
        };
        *set = flag(value)?;
    }
    Ok(docs)
}

fn flag(value: &Spanned<DeValue<'_>>) -> Result<bool, Problem> {
    match value.get_ref() {
        DeValue::Boolean(flag) => Ok(*flag),
        _ => Err(wrong_type(value, "true or false")),
    }
}

/// How the names of a list are read: those that are known, and those of rules in files.
struct Names<T> {
    known: fn(&str) -> Result<T, String>,
    own: fn(OwnName) -> T,
}

/// Codes that `allow` and `deny` name.
const CODES: Names<Selector> = Names { known: selector, own: Selector::Own };

/// Rules that `select` names.
const SELECTED: Names<RuleSelector> = Names { known: rule_selector, own: RuleSelector::Own };

/// Rules that `ignore` names.
const IGNORED: Names<RuleSelector> = Names { known: ignored_rule, own: RuleSelector::Own };

/// The names of the rules in a file. Errors of the rules are reported when they are read.
///
/// # Errors
/// The file cannot be read, or is larger than settings may be.
fn names_of_rules(path: &Path) -> Result<Vec<String>, SourceError> {
    static RULES: Schema<'static> = Schema::new(&[], &[BlockSchema::new("rule", &["name"])]);
    let text = Access::FOUND.with_limit(MAX_BYTES).open(path).and_then(OpenFile::read)?;
    let (arena, name) = (Arena::new(), path.to_string_lossy());
    let is_json = name.to_lowercase().ends_with(".json");
    let native = || Source::from_bytes(&arena, &name, &text).ok();
    let file = match is_json {
        true => Document::parse_bytes(&arena, &name, &text).ok().map(ParsedFile::json),
        false => native().map(|source| ParsedFile::native(&arena, source)),
    };
    let Some(file) = file else { return Ok(Vec::new()) };
    let (content, _) = file.body().partial_content(&RULES, &mut ());
    let names = content.blocks("rule").filter_map(|rule| rule.label(0));
    Ok(names.map(str::to_owned).collect())
}
