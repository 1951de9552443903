//! The kind of a file, by its name.
//!
//! [`FileKind::of`] takes a name, which need not be UTF-8, and does not open the file. It follows
//! the rules of the tools. Suffixes are compared byte by byte, including case. OpenTofu and
//! Terraform ignore names that start with a dot, end with a tilde, or are enclosed in `#`. Packer
//! does not ignore them, and no tool ignores them for variables that are loaded automatically. The
//! name of an override file is `override`, or ends in `_override`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::Dialect;
use crate::evaluate::Release;
use crate::evaluate::release::{ALWAYS, NEVER, in_};

/// The list of a module that a file is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum List {
    /// Configuration that is read first.
    Primary,
    /// Configuration that overrides the primary files.
    Override,
    /// Queries of existing objects, which `terraform query` adds to the module.
    Query,
    /// Tests.
    Test,
    /// Values of variables that are loaded automatically.
    Variables,
    /// Data of mocked providers (Terraform).
    Mock,
    /// Components of a stack (Terraform).
    Component,
    /// Deployments of a stack (Terraform).
    Deployment,
    /// Where a state is migrated from (Terraform).
    Migration,
    /// Policies about resources, providers and modules (Terraform).
    Policy,
    /// Tests of policies (Terraform).
    PolicyTest,
    /// The dependency lock file, `.terraform.lock.hcl`. It is read only when it is named.
    Lock,
    /// A file of another tool, such as `terragrunt.hcl`, when it is named: any attributes and blocks.
    Other,
}

impl List {
    /// Whether files of this list declare the objects of their module: they are its configuration.
    ///
    /// ```
    /// use simd_hcl::dialect::List;
    /// assert!(List::Override.declares() && !List::Test.declares());
    /// ```
    #[must_use]
    pub const fn declares(self) -> bool {
        matches!(self, Self::Primary | Self::Override)
    }
}

/// The syntax of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Syntax {
    /// JSON.
    Json,
    /// HCL native syntax.
    Native,
}

/// The role of a file in a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileKind {
    /// The list it is in.
    pub list: List,
    /// The syntax.
    pub syntax: Syntax,
    suffix: &'static Suffix,
}

/// A suffix of file names, and its kind.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Suffix {
    text: &'static str,
    list: List,
    syntax: Syntax,
    /// The rank among the suffixes of a list: files of a lower rank are read first, whatever their
    /// names.
    rank: u8,
    /// The first releases of OpenTofu and Terraform that read it.
    releases: (Release, Release),
    /// The suffix that OpenTofu prefers to this one.
    shadowed_by: Option<&'static str>,
}

impl Suffix {
    const fn new(
        text: &'static str,
        list: List,
        syntax: Syntax,
        releases: (Release, Release),
    ) -> Self {
        Self { text, list, syntax, rank: 0, releases, shadowed_by: None }
    }

    /// Whether only OpenTofu reads it.
    fn is_of_opentofu(&self) -> bool {
        self.releases.1 == NEVER
    }

    const fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    const fn shadowed_by(self, suffix: &'static str) -> Self {
        Self { shadowed_by: Some(suffix), ..self }
    }
}

/// Complete names of files of variables.
static TERRAFORM_VARIABLES: [Suffix; 2] = [
    Suffix::new("terraform.tfvars.json", List::Variables, Syntax::Json, (ALWAYS, ALWAYS)),
    Suffix::new("terraform.tfvars", List::Variables, Syntax::Native, (ALWAYS, ALWAYS)),
];

static TERRAFORM_AUTOMATIC: [Suffix; 2] = [
    Suffix::new(".auto.tfvars.json", List::Variables, Syntax::Json, (ALWAYS, ALWAYS)).rank(1),
    Suffix::new(".auto.tfvars", List::Variables, Syntax::Native, (ALWAYS, ALWAYS)).rank(1),
];

static TERRAFORM_SUFFIXES: [Suffix; 8] = [
    Suffix::new(".tf.json", List::Primary, Syntax::Json, (ALWAYS, ALWAYS))
        .shadowed_by(".tofu.json"),
    Suffix::new(".tf", List::Primary, Syntax::Native, (ALWAYS, ALWAYS)).shadowed_by(".tofu"),
    Suffix::new(".tftest.json", List::Test, Syntax::Json, (ALWAYS, in_(6)))
        .shadowed_by(".tofutest.json"),
    Suffix::new(".tftest.hcl", List::Test, Syntax::Native, (ALWAYS, in_(6)))
        .shadowed_by(".tofutest.hcl"),
    Suffix::new(".tofu.json", List::Primary, Syntax::Json, (in_(8), NEVER)),
    Suffix::new(".tofu", List::Primary, Syntax::Native, (in_(8), NEVER)),
    Suffix::new(".tofutest.json", List::Test, Syntax::Json, (in_(8), NEVER)),
    Suffix::new(".tofutest.hcl", List::Test, Syntax::Native, (in_(8), NEVER)),
];

/// Variables that are read only when they are named.
static TERRAFORM_NAMED: [Suffix; 2] = [
    Suffix::new(".tfvars.json", List::Variables, Syntax::Json, (ALWAYS, ALWAYS)).rank(2),
    Suffix::new(".tfvars", List::Variables, Syntax::Native, (ALWAYS, ALWAYS)).rank(2),
];

/// Queries. OpenTofu has none; they are read with it, too, since what they refer to is used.
static TERRAFORM_QUERIES: [Suffix; 2] = [
    Suffix::new(".tfquery.json", List::Query, Syntax::Json, (NEVER, in_(14))),
    Suffix::new(".tfquery.hcl", List::Query, Syntax::Native, (NEVER, in_(14))),
];

/// Files that only Terraform reads, and that are not parts of a module: data of mocks, and stacks.
static TERRAFORM_BESIDE: [Suffix; 8] = [
    Suffix::new(".tfmock.json", List::Mock, Syntax::Json, (NEVER, in_(7))),
    Suffix::new(".tfmock.hcl", List::Mock, Syntax::Native, (NEVER, in_(7))),
    Suffix::new(".tfcomponent.json", List::Component, Syntax::Json, (NEVER, in_(13))),
    Suffix::new(".tfcomponent.hcl", List::Component, Syntax::Native, (NEVER, in_(13))),
    Suffix::new(".tfdeploy.json", List::Deployment, Syntax::Json, (NEVER, in_(13))),
    Suffix::new(".tfdeploy.hcl", List::Deployment, Syntax::Native, (NEVER, in_(13))),
    Suffix::new(".tfstack.json", List::Component, Syntax::Json, (NEVER, in_(13))),
    Suffix::new(".tfstack.hcl", List::Component, Syntax::Native, (NEVER, in_(13))),
];

/// Files that only Terraform reads, in native syntax only, and that are not parts of a module. Those of
/// other tools with these names have nothing before the suffix, or other blocks.
static TERRAFORM_NATIVE: [Suffix; 3] = [
    Suffix::new(".tfmigrate.hcl", List::Migration, Syntax::Native, (NEVER, in_(16))),
    Suffix::new(".policy.hcl", List::Policy, Syntax::Native, (NEVER, in_(16))),
    Suffix::new(".policytest.hcl", List::PolicyTest, Syntax::Native, (NEVER, in_(16))),
];

static PACKER_SUFFIXES: [Suffix; 4] = [
    Suffix::new(".pkr.json", List::Primary, Syntax::Json, (ALWAYS, ALWAYS)).rank(1),
    Suffix::new(".pkr.hcl", List::Primary, Syntax::Native, (ALWAYS, ALWAYS)),
    Suffix::new(".auto.pkrvars.json", List::Variables, Syntax::Json, (ALWAYS, ALWAYS)).rank(1),
    Suffix::new(".auto.pkrvars.hcl", List::Variables, Syntax::Native, (ALWAYS, ALWAYS)),
];

/// Variables that are read only when they are named.
static PACKER_NAMED: [Suffix; 2] = [
    Suffix::new(".pkrvars.json", List::Variables, Syntax::Json, (ALWAYS, ALWAYS)).rank(2),
    Suffix::new(".pkrvars.hcl", List::Variables, Syntax::Native, (ALWAYS, ALWAYS)).rank(2),
];

/// Files in native syntax that are read only when they are named, the lock file by its whole name.
static NATIVE_NAMED: [Suffix; 2] = [
    Suffix::new(".terraform.lock.hcl", List::Lock, Syntax::Native, (ALWAYS, ALWAYS)),
    Suffix::new(".hcl", List::Other, Syntax::Native, (ALWAYS, ALWAYS)),
];

/// The configuration of a unit of Terragrunt in JSON.
static JSON_OF_UNITS: Suffix =
    Suffix::new("terragrunt.hcl.json", List::Other, Syntax::Json, (ALWAYS, ALWAYS));

impl Dialect {
    /// The tool that reads an explicitly named file. A name that the tools know decides between
    /// Packer, and OpenTofu or Terraform. `given` decides between the latter two, and for all other
    /// names. The default is OpenTofu.
    #[must_use]
    pub fn of_named(name: &OsStr, given: Option<Self>) -> Self {
        let name = name.as_encoded_bytes();
        if packer_suffix(name).is_some() {
            Self::Packer
        } else if beside(name).is_some() {
            Self::Terraform
        } else if terraform_suffix(name).is_some() {
            given.filter(|&dialect| dialect != Self::Packer).unwrap_or_default()
        } else {
            given.unwrap_or_default()
        }
    }
}

/// Whether OpenTofu, Terraform or Packer read files of this name, in a directory or when they are named.
///
/// ```
/// use simd_hcl::dialect::is_known_name;
/// assert!(is_known_name("prod.tfvars".as_ref()));
/// assert!(!is_known_name("package.json".as_ref()));
/// ```
#[must_use]
pub fn is_known_name(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    terraform_suffix(name).is_some() || packer_suffix(name).is_some() || beside(name).is_some()
}

/// Whether a file of this name usually has settings of a backend: `prod.s3.tfbackend`, `backend.hcl`. The
/// tools read them only if `-backend-config` names them.
///
/// ```
/// use simd_hcl::dialect::is_backend_file;
/// assert!(is_backend_file("prod.s3.tfbackend".as_ref()));
/// assert!(is_backend_file("prod-backend.hcl".as_ref()));
/// assert!(!is_backend_file("backend.tf".as_ref()));
/// ```
#[must_use]
pub fn is_backend_file(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let ends = [".hcl", ".conf", ".config", ".tfvars", ".hcl.json", ".tfvars.json"];
    let is_of_backend = |base: &str| base.split(['.', '-', '_']).any(|word| word == "backend");
    has_only_backend(name.as_bytes())
        || ends.iter().filter_map(|end| name.strip_suffix(end)).any(is_of_backend)
}

/// Whether a name is that of settings of a backend, and of nothing else.
pub(crate) fn has_only_backend(name: &[u8]) -> bool {
    name.ends_with(b".tfbackend") || name.ends_with(b".tfbackend.json")
}

impl FileKind {
    /// The kind of a file in a directory, by its name; `None` if the dialect does not read it.
    #[must_use]
    pub fn of(name: &OsStr, dialect: Dialect) -> Option<Self> {
        let name = name.as_encoded_bytes();
        let suffix = match dialect {
            Dialect::Packer => ending(&PACKER_SUFFIXES, name)?,
            _ => TERRAFORM_VARIABLES
                .iter()
                .find(|suffix| name == suffix.text.as_bytes())
                .or_else(|| ending(&TERRAFORM_SUFFIXES, name).filter(|_| !is_ignored(name)))
                .or_else(|| ending(&TERRAFORM_AUTOMATIC, name))
                .or_else(|| ending(&TERRAFORM_QUERIES, name).filter(|_| !is_ignored(name)))
                .or_else(|| {
                    let found = beside(name).filter(|_| !is_ignored(name));
                    found.filter(|_| dialect == Dialect::Terraform)
                })
                .filter(|suffix| !suffix.is_of_opentofu() || dialect == Dialect::OpenTofu)?,
        };
        Some(Self::new(name, suffix, dialect))
    }

    /// The kind of a native file in a directory that the formatter of a tool formats, by its name: one
    /// that the dialect reads, and values of variables; with Terraform also queries, data of mocks and
    /// stacks.
    #[must_use]
    pub fn of_formatted(name: &OsStr, dialect: Dialect) -> Option<Self> {
        let bytes = name.as_encoded_bytes();
        let further = || Some(Self::new(bytes, values_suffix(bytes, dialect)?, dialect));
        let kind = Self::of(name, dialect).or_else(further)?;
        let is_formatted = match kind.list {
            List::Query => dialect == Dialect::Terraform,
            List::Migration | List::Policy | List::PolicyTest => false,
            _ => true,
        };
        (is_formatted && kind.syntax == Syntax::Native).then_some(kind)
    }

    /// The kind of a file in a directory that the tool reads, but not as a part of the module there: values
    /// of variables that are read only when they are named, or the lock file.
    pub(crate) fn of_beside(name: &OsStr, dialect: Dialect) -> Option<Self> {
        let bytes = name.as_encoded_bytes();
        let [lock, _] = &NATIVE_NAMED;
        let is_lock = dialect != Dialect::Packer && bytes == lock.text.as_bytes();
        let suffix = is_lock.then_some(lock).or_else(|| values_suffix(bytes, dialect));
        Some(Self::new(bytes, suffix?, dialect))
    }

    /// The kind of an explicitly named file, by its suffix. Names that are ignored in a directory
    /// count, and so do variables that are not loaded automatically (`prod.tfvars.json`), the lock
    /// file, and other names that end in `.hcl`. All other files are primary files in JSON.
    #[must_use]
    pub fn of_named(name: &OsStr, dialect: Dialect) -> Self {
        Self::of_known(name, dialect).unwrap_or_else(|| {
            let bytes = name.as_encoded_bytes();
            let [lock, other] = &NATIVE_NAMED;
            let suffix = match dialect {
                _ if bytes == lock.text.as_bytes() => lock,
                _ if bytes.ends_with(other.text.as_bytes()) => other,
                Dialect::Packer => &PACKER_SUFFIXES[0],
                _ => &TERRAFORM_SUFFIXES[0],
            };
            Self::new(bytes, suffix, dialect)
        })
    }

    /// The kind of a file that may belong to units of Terragrunt, by its name: one that ends in `.hcl` and
    /// that no other tool reads, or `terragrunt.hcl.json`.
    pub(crate) fn of_unit(name: &OsStr) -> Option<Self> {
        let bytes = name.as_encoded_bytes();
        if bytes == JSON_OF_UNITS.text.as_bytes() {
            return Some(Self::new(bytes, &JSON_OF_UNITS, Dialect::OpenTofu));
        }
        let kind = Self::of_named(name, Dialect::OpenTofu);
        (kind.list == List::Other && bytes.ends_with(b".hcl")).then_some(kind)
    }

    /// Like [`Self::of_named`], but `None` for a name that the dialect does not know.
    #[must_use]
    pub fn of_known(name: &OsStr, dialect: Dialect) -> Option<Self> {
        let bytes = name.as_encoded_bytes();
        Self::of(name, dialect).or_else(|| {
            let suffix = match dialect {
                Dialect::Packer => packer_suffix(bytes),
                _ => terraform_suffix(bytes)
                    .filter(|suffix| !suffix.is_of_opentofu() || dialect == Dialect::OpenTofu)
                    .or_else(|| beside(bytes)),
            };
            Some(Self::new(bytes, suffix?, dialect))
        })
    }

    fn new(name: &[u8], suffix: &'static Suffix, dialect: Dialect) -> Self {
        let base = name.strip_suffix(suffix.text.as_bytes()).unwrap_or(name);
        let is_override = suffix.list == List::Primary
            && dialect != Dialect::Packer
            && (base == b"override" || base.ends_with(b"_override"));
        let list = if is_override { List::Override } else { suffix.list };
        Self { list, syntax: suffix.syntax, suffix }
    }

    /// The rank in its list: files of a lower rank are read first.
    pub(crate) fn rank(&self) -> u8 {
        self.suffix.rank
    }

    /// Whether it is a file of another tool, or a lock file. Formatters change only spaces in them.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        NATIVE_NAMED.contains(self.suffix)
    }

    /// Whether the tools ignore its name if there is no file: `terraform.tfvars`. They list a
    /// directory for all other names.
    pub(crate) fn is_optional(&self) -> bool {
        TERRAFORM_VARIABLES.contains(self.suffix)
    }

    /// The first releases of OpenTofu and Terraform that read it.
    #[must_use]
    pub fn releases(&self) -> (Release, Release) {
        self.suffix.releases
    }

    /// Whether only later releases of a tool than 1.x read it. Files that no release of it reads are not
    /// later.
    pub(crate) fn is_later(&self, dialect: Dialect, release: u8) -> bool {
        let (opentofu, terraform) = self.suffix.releases;
        let first = match dialect {
            Dialect::Terraform => terraform,
            Dialect::OpenTofu => opentofu,
            Dialect::Packer => return false,
        };
        matches!(first, Release::In(first) if first > release)
    }

    /// Whether it is a Packer file.
    pub(crate) fn is_packer(&self) -> bool {
        self.suffix.text.contains(".pkr")
    }

    /// Whether a file of this kind may replace another.
    pub(crate) fn may_shadow(&self) -> bool {
        self.suffix.is_of_opentofu()
    }

    /// Splits the bytes of `name`, which is of this kind: the part before the suffix, and the
    /// suffix.
    pub(crate) fn key<'n>(&self, name: &'n OsStr) -> (&'n [u8], &'static str) {
        let name = name.as_encoded_bytes();
        (name.strip_suffix(self.suffix.text.as_bytes()).unwrap_or(name), self.suffix.text)
    }

    /// The [`FileKind::key`] of the file that OpenTofu prefers to this one, if it is in the same
    /// list: for `a.tf.json` that of `a.tofu.json`.
    pub(crate) fn shadow_key<'n>(&self, name: &'n OsStr) -> Option<(&'n [u8], &'static str)> {
        Some((self.key(name).0, self.suffix.shadowed_by?))
    }

    /// `"primary"`, `"override"`, `"query"`, `"test"`, `"variables"`, `"mock"`, `"stack"`, or
    /// `"native"` for any file in native syntax.
    #[must_use]
    pub const fn role(&self) -> &'static str {
        match (self.syntax, self.list) {
            (Syntax::Native, _)
            | (_, List::Lock | List::Other)
            | (_, List::Migration | List::Policy | List::PolicyTest) => "native",
            (Syntax::Json, List::Query) => "query",
            (Syntax::Json, List::Mock) => "mock",
            (Syntax::Json, List::Component | List::Deployment) => "stack",
            (Syntax::Json, List::Primary) => "primary",
            (Syntax::Json, List::Override) => "override",
            (Syntax::Json, List::Test) => "test",
            (Syntax::Json, List::Variables) => "variables",
        }
    }
}

/// The name of the file with the same content in the other syntax: `main.tf` for `main.tf.json`,
/// `a.pkr.json` for `a.pkr.hcl`, and back. Files that the tools do not know end in `.hcl`, or in
/// `.hcl.json`.
///
/// ```
/// use simd_hcl::dialect::name_in_other_syntax;
/// assert_eq!(name_in_other_syntax("main.tf.json".as_ref()), "main.tf");
/// assert_eq!(name_in_other_syntax("main.tf".as_ref()), "main.tf.json");
/// assert_eq!(name_in_other_syntax("a.tftest.hcl".as_ref()), "a.tftest.json");
/// assert_eq!(name_in_other_syntax("terragrunt.hcl".as_ref()), "terragrunt.hcl.json");
/// ```
#[must_use]
pub fn name_in_other_syntax(name: &OsStr) -> OsString {
    let extension = |name| Path::new(name).extension().and_then(OsStr::to_str);
    let stem = Path::new(name).file_stem().unwrap_or_default();
    let (mut other, more) = match (extension(name), extension(stem)) {
        (Some("json"), Some("tf" | "tofu" | "tfvars" | "hcl")) => (stem.to_owned(), ""),
        (Some("json"), _) => (stem.to_owned(), ".hcl"),
        (
            Some("hcl"),
            Some(
                "tftest" | "tofutest" | "tfquery" | "tfmock" | "tfcomponent" | "tfdeploy"
                | "tfstack" | "pkr" | "pkrvars",
            ),
        ) => (stem.to_owned(), ".json"),
        _ => (name.to_owned(), ".json"),
    };
    other.push(more);
    other
}

fn ending(suffixes: &'static [Suffix], name: &[u8]) -> Option<&'static Suffix> {
    suffixes.iter().find(|suffix| name.ends_with(suffix.text.as_bytes()))
}

/// The suffix of a name that OpenTofu knows, even if the file is hidden or read only when named.
fn terraform_suffix(name: &[u8]) -> Option<&'static Suffix> {
    ending(&TERRAFORM_SUFFIXES, name)
        .or_else(|| ending(&TERRAFORM_NAMED, name))
        .or_else(|| ending(&TERRAFORM_QUERIES, name))
}

/// The suffix of a name of a file beside modules.
fn beside(name: &[u8]) -> Option<&'static Suffix> {
    let native = || ending(&TERRAFORM_NATIVE, name).filter(|it| name.len() > it.text.len());
    ending(&TERRAFORM_BESIDE, name).or_else(native)
}

/// The suffix of a name that Packer knows, even if the file is read only when named.
fn packer_suffix(name: &[u8]) -> Option<&'static Suffix> {
    ending(&PACKER_SUFFIXES, name).or_else(|| ending(&PACKER_NAMED, name))
}

/// The suffix of a name of values of variables that are read only when they are named.
fn values_suffix(name: &[u8], dialect: Dialect) -> Option<&'static Suffix> {
    match dialect {
        Dialect::Packer => ending(&PACKER_NAMED, name),
        _ => ending(&TERRAFORM_NAMED, name).filter(|_| !is_ignored(name)),
    }
}

/// Whether a name is that of a hidden file or an editor's backup.
fn is_ignored(name: &[u8]) -> bool {
    name.starts_with(b".")
        || name.ends_with(b"~")
        || (name.starts_with(b"#") && name.ends_with(b"#"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list has the same suffixes in both syntaxes, apart from the syntax's own ending.
    #[test]
    fn every_suffix_has_a_name_in_the_other_syntax() {
        let lists: [&[Suffix]; 8] = [
            &TERRAFORM_QUERIES,
            &TERRAFORM_BESIDE,
            &TERRAFORM_VARIABLES,
            &TERRAFORM_AUTOMATIC,
            &TERRAFORM_SUFFIXES,
            &TERRAFORM_NAMED,
            &PACKER_SUFFIXES,
            &PACKER_NAMED,
        ];
        for suffix in lists.into_iter().flatten() {
            let name = OsString::from(format!("x{}", suffix.text));
            let other = name_in_other_syntax(&name);
            assert_eq!(name_in_other_syntax(&other), name, "{other:?}");
            let known = lists.into_iter().flatten().find(|it| other == *format!("x{}", it.text));
            let known = known.unwrap_or_else(|| panic!("{other:?} is not known"));
            assert_eq!(known.list, suffix.list);
            assert_ne!(known.syntax, suffix.syntax);
        }
    }

    fn role(name: &str, dialect: Dialect) -> Option<(&'static str, List)> {
        FileKind::of(OsStr::new(name), dialect).map(|kind| (kind.role(), kind.list))
    }

    #[test]
    fn names_of_opentofu_and_terraform() {
        use List::{Override, Primary, Query, Test, Variables};
        for (name, opentofu, terraform) in [
            ("main.tf.json", Some(("primary", Primary)), true),
            ("main.tofu.json", Some(("primary", Primary)), false),
            ("main.tf", Some(("native", Primary)), true),
            ("main.tofu", Some(("native", Primary)), false),
            ("override.tf.json", Some(("override", Override)), true),
            ("a_override.tofu.json", Some(("override", Override)), false),
            ("my-override.tf.json", Some(("primary", Primary)), true),
            ("overrides.tf.json", Some(("primary", Primary)), true),
            ("override.tf", Some(("native", Override)), true),
            ("a.tftest.json", Some(("test", Test)), true),
            ("override.tftest.json", Some(("test", Test)), true),
            ("a.tofutest.json", Some(("test", Test)), false),
            ("a.tofutest.hcl", Some(("native", Test)), false),
            ("terraform.tfvars.json", Some(("variables", Variables)), true),
            ("terraform.tfvars", Some(("native", Variables)), true),
            ("a.auto.tfvars.json", Some(("variables", Variables)), true),
            // The tools apply this filter to configuration, but not to variables.
            (".hidden.auto.tfvars.json", Some(("variables", Variables)), true),
            (".auto.tfvars", Some(("native", Variables)), true),
            ("a.auto.tfvars.json~", None, true),
            ("prod.tfvars.json", None, true),
            ("xterraform.tfvars.json", None, true),
            ("main.TF.JSON", None, true),
            (".tf.json", None, true),
            (".hidden.tf.json", None, true),
            ("main.tf.json~", None, true),
            ("#main.tf.json#", None, true),
            ("#main.tf.json", Some(("primary", Primary)), true),
            ("main.json", None, true),
            ("", None, true),
            ("a.tfquery.json", Some(("query", Query)), true),
            (".terraform.lock.hcl", None, true),
            ("main.pkr.json", None, true),
            ("a.tfmigrate.json", None, true),
            ("a.policy.json", None, true),
        ] {
            assert_eq!(role(name, Dialect::OpenTofu), opentofu, "{name}");
            let terraform = if terraform { opentofu } else { None };
            assert_eq!(role(name, Dialect::Terraform), terraform, "{name}");
        }
    }

    #[test]
    fn names_of_packer() {
        use List::{Primary, Variables};
        for (name, expected) in [
            ("a.pkr.json", Some(("primary", Primary))),
            (".pkr.json", Some(("primary", Primary))),
            (".hidden.pkr.json", Some(("primary", Primary))),
            ("a.pkr.json~", None),
            ("override.pkr.json", Some(("primary", Primary))),
            ("a.pkr.hcl", Some(("native", Primary))),
            ("a.auto.pkrvars.json", Some(("variables", Variables))),
            ("a.pkrvars.json", None),
            ("main.tf.json", None),
        ] {
            assert_eq!(role(name, Dialect::Packer), expected, "{name}");
        }
    }

    #[test]
    fn names_that_are_given() {
        use Dialect::{OpenTofu, Packer, Terraform};
        for (name, given, dialect, role) in [
            ("main.tf.json", None, OpenTofu, "primary"),
            ("main.tf.json", Some(Terraform), Terraform, "primary"),
            ("main.tf.json", Some(Packer), OpenTofu, "primary"),
            ("override.tofu.json", None, OpenTofu, "override"),
            // Terraform does not know this suffix, so the file is not an override.
            ("override.tofu.json", Some(Terraform), Terraform, "primary"),
            (".override.tf.json", None, OpenTofu, "primary"),
            (".a.tftest.json", None, OpenTofu, "test"),
            ("#x.tf#", None, OpenTofu, "primary"),
            ("prod.tfvars.json", None, OpenTofu, "variables"),
            ("prod.tfvars", None, OpenTofu, "native"),
            ("prod.pkrvars.json", None, Packer, "variables"),
            ("image.pkr.json", Some(Terraform), Packer, "primary"),
            ("image.pkr.hcl", None, Packer, "native"),
            ("data.json", None, OpenTofu, "primary"),
            (".terraform.lock.hcl", None, OpenTofu, "native"),
            ("terragrunt.hcl", None, OpenTofu, "native"),
            ("terragrunt.hcl", Some(Packer), Packer, "native"),
            ("terragrunt.hcl.json", None, OpenTofu, "primary"),
            ("data.json", Some(Packer), Packer, "primary"),
            ("", None, OpenTofu, "primary"),
        ] {
            let name = OsStr::new(name);
            assert_eq!(Dialect::of_named(name, given), dialect, "{name:?} {given:?}");
            assert_eq!(FileKind::of_named(name, dialect).role(), role, "{name:?} {given:?}");
        }
    }

    #[test]
    fn dialects_have_names() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.name().parse(), Ok(dialect));
        }
        assert!("Terraform".parse::<Dialect>().is_err());
        assert_eq!(Dialect::default(), Dialect::OpenTofu);
    }

    #[test]
    fn shadows() {
        let kind = |name: &str| FileKind::of(OsStr::new(name), Dialect::OpenTofu).unwrap();
        let shadowed = |name: &str, other: &str| {
            let key = kind(other).key(OsStr::new(other));
            kind(name).shadow_key(OsStr::new(name)) == Some(key)
        };
        assert!(shadowed("a.tf.json", "a.tofu.json"));
        assert!(shadowed("a.tf", "a.tofu"));
        assert!(shadowed("a.tftest.json", "a.tofutest.json"));
        assert!(!shadowed("a.tf.json", "a.tofu"));
        assert!(!shadowed("a.tf.json", "b.tofu.json"));
        assert!(!shadowed("a.tofu.json", "a.tf.json"));
    }
}
