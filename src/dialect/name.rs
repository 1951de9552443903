//! What the name of a file says of it.
//!
//! The rules are those of the tools: suffixes are compared byte by byte, with their case; a name that
//! starts with a dot, ends with a tilde, or is enclosed in `#` is no configuration of OpenTofu or
//! Terraform (Packer has no such rule); an override file is called `override` or ends in `_override`.

use std::ffi::OsStr;

use super::Dialect;

/// The list of a module that a file is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum List {
    /// Configuration that is read first.
    Primary,
    /// Configuration that is merged over the primary files.
    Override,
    /// Tests.
    Test,
    /// Values of variables that are loaded without being asked for.
    Variables,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Syntax {
    /// JSON, which this crate reads.
    Json,
    /// HCL native syntax, which it does not.
    Native,
}

/// What a file is to a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileKind {
    /// The list it is in.
    pub list: List,
    /// How it is written.
    pub syntax: Syntax,
    suffix: &'static Suffix,
}

/// A suffix of file names, and what it stands for.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Suffix {
    text: &'static str,
    list: List,
    syntax: Syntax,
    /// Whether only OpenTofu knows it.
    opentofu_only: bool,
    /// The suffix that goes before this one in OpenTofu.
    shadowed_by: Option<&'static str>,
}

const fn suffix(text: &'static str, list: List, syntax: Syntax) -> Suffix {
    Suffix { text, list, syntax, opentofu_only: false, shadowed_by: None }
}

const fn shadowed(text: &'static str, list: List, syntax: Syntax, by: &'static str) -> Suffix {
    Suffix { text, list, syntax, opentofu_only: false, shadowed_by: Some(by) }
}

const fn opentofu(text: &'static str, list: List, syntax: Syntax) -> Suffix {
    Suffix { text, list, syntax, opentofu_only: true, shadowed_by: None }
}

static TERRAFORM_SUFFIXES: [Suffix; 10] = [
    shadowed(".tf.json", List::Primary, Syntax::Json, ".tofu.json"),
    shadowed(".tf", List::Primary, Syntax::Native, ".tofu"),
    shadowed(".tftest.json", List::Test, Syntax::Json, ".tofutest.json"),
    shadowed(".tftest.hcl", List::Test, Syntax::Native, ".tofutest.hcl"),
    opentofu(".tofu.json", List::Primary, Syntax::Json),
    opentofu(".tofu", List::Primary, Syntax::Native),
    opentofu(".tofutest.json", List::Test, Syntax::Json),
    opentofu(".tofutest.hcl", List::Test, Syntax::Native),
    suffix(".auto.tfvars.json", List::Variables, Syntax::Json),
    suffix(".auto.tfvars", List::Variables, Syntax::Native),
];

/// Names that are variables as a whole.
static TERRAFORM_VARIABLES: [Suffix; 2] = [
    suffix("terraform.tfvars.json", List::Variables, Syntax::Json),
    suffix("terraform.tfvars", List::Variables, Syntax::Native),
];

static PACKER_SUFFIXES: [Suffix; 4] = [
    suffix(".pkr.json", List::Primary, Syntax::Json),
    suffix(".pkr.hcl", List::Primary, Syntax::Native),
    suffix(".auto.pkrvars.json", List::Variables, Syntax::Json),
    suffix(".auto.pkrvars.hcl", List::Variables, Syntax::Native),
];

impl FileKind {
    /// What a file of that name is in a directory that the dialect reads; none if the dialect does not
    /// read it.
    #[must_use]
    pub fn of(name: &OsStr, dialect: Dialect) -> Option<Self> {
        let name = name.as_encoded_bytes();
        let ends = |suffix: &&Suffix| name.ends_with(suffix.text.as_bytes());
        let suffix = match dialect {
            Dialect::Packer => PACKER_SUFFIXES.iter().find(ends)?,
            _ if is_ignored(name) => return None,
            _ => TERRAFORM_VARIABLES
                .iter()
                .find(|suffix| name == suffix.text.as_bytes())
                .or_else(|| TERRAFORM_SUFFIXES.iter().find(ends))
                .filter(|suffix| !suffix.opentofu_only || dialect == Dialect::OpenTofu)?,
        };
        let base = &name[..name.len() - suffix.text.len()];
        let is_override = suffix.list == List::Primary
            && dialect != Dialect::Packer
            && (base == b"override" || base.ends_with(b"_override"));
        let list = if is_override { List::Override } else { suffix.list };
        Some(Self { list, syntax: suffix.syntax, suffix })
    }

    /// What an explicitly named file is: by its name, or else a primary file in JSON.
    #[must_use]
    pub fn of_named(name: &OsStr, dialect: Dialect) -> Self {
        let other = || match dialect {
            Dialect::Packer => &PACKER_SUFFIXES[0],
            _ => &TERRAFORM_SUFFIXES[0],
        };
        Self::of(name, dialect).unwrap_or_else(|| {
            let suffix = other();
            Self { list: suffix.list, syntax: suffix.syntax, suffix }
        })
    }

    /// The bytes of `name`, which is of this kind, before the suffix; and the suffix.
    pub(crate) fn key<'n>(&self, name: &'n OsStr) -> (&'n [u8], &'static str) {
        let name = name.as_encoded_bytes();
        (name.strip_suffix(self.suffix.text.as_bytes()).unwrap_or(name), self.suffix.text)
    }

    /// The [`FileKind::key`] of the file that OpenTofu reads instead of this one, if it is in the same
    /// list: for `a.tf.json` that of `a.tofu.json`.
    pub(crate) fn shadow_key<'n>(&self, name: &'n OsStr) -> Option<(&'n [u8], &'static str)> {
        Some((self.key(name).0, self.suffix.shadowed_by?))
    }

    /// `"primary"`, `"override"`, `"test"`, `"variables"`, or `"native"` for any file in native syntax.
    #[must_use]
    pub const fn role(&self) -> &'static str {
        match (self.syntax, self.list) {
            (Syntax::Native, _) => "native",
            (Syntax::Json, List::Primary) => "primary",
            (Syntax::Json, List::Override) => "override",
            (Syntax::Json, List::Test) => "test",
            (Syntax::Json, List::Variables) => "variables",
        }
    }
}

/// Names of editors' and hidden files.
fn is_ignored(name: &[u8]) -> bool {
    name.starts_with(b".")
        || name.ends_with(b"~")
        || (name.starts_with(b"#") && name.ends_with(b"#"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(name: &str, dialect: Dialect) -> Option<(&'static str, List)> {
        FileKind::of(OsStr::new(name), dialect).map(|kind| (kind.role(), kind.list))
    }

    #[test]
    fn names_of_opentofu_and_terraform() {
        use List::{Override, Primary, Test, Variables};
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
            ("prod.tfvars.json", None, true),
            ("xterraform.tfvars.json", None, true),
            ("main.TF.JSON", None, true),
            (".tf.json", None, true),
            (".hidden.tf.json", None, true),
            ("main.tf.json~", None, true),
            ("#main.tf.json#", None, true),
            ("#main.tf.json", Some(("primary", Primary)), true),
            ("main.json", None, true),
            ("main.pkr.json", None, true),
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
