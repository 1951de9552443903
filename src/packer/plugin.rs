//! `required_plugins`: local names, sources and versions of plugins, all read literally.

use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::module::VersionConstraint;

/// An entry of `required_plugins`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RequiredPlugin<'a> {
    /// The attribute.
    pub attribute: Attribute<'a>,
    /// The plugin's local name.
    pub name: &'a str,
    /// The source address: `HOST/NAMESPACE/NAME`.
    pub source: Option<&'a str>,
    /// The version constraint.
    pub version: Option<&'a str>,
}

impl<'a> RequiredPlugin<'a> {
    /// Reads an entry: an object with both `version` and `source`. There is no short form.
    pub(super) fn read(attribute: Attribute<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let mut plugin = Self { attribute, name: attribute.name(), source: None, version: None };
        let mut wrong = |label, why| report(label, plugin.name, why, sink);
        if !is_local_name(plugin.name) {
            wrong(
                attribute.name_label(),
                "the name must be lower-case letters, digits and single dashes",
            );
        }
        let value = attribute.expression();
        let Some(members) = value.as_map() else {
            wrong(value.start_label(), "an object with version and source is required");
            return plugin;
        };
        let mut given = [false; 2];
        for (key, member) in members {
            let name = key.to_str();
            let text = member.to_str();
            let (slot, is_right, why): (_, fn(&str) -> bool, _) = if name == "version" {
                given[0] = true;
                let why = "the version must be a string such as \">= 1.2.0\", without prereleases";
                (&mut plugin.version, is_constraint, why)
            } else if name == "source" {
                given[1] = true;
                let why = "the source must be a string such as \"github.com/hashicorp/amazon\"";
                (&mut plugin.source, is_source, why)
            } else {
                report(key.label(), plugin.name, "only version and source can be set", sink);
                continue;
            };
            *slot = text.filter(|text| is_right(text));
            if slot.is_none() {
                report(member.start_label(), plugin.name, why, sink);
            }
        }
        for (is_given, why) in
            given.into_iter().zip(["the version is missing", "the source is missing"])
        {
            if !is_given {
                report(value.start_label(), plugin.name, why, sink);
            }
        }
        plugin
    }
}

#[cold]
fn report<'a>(label: Label<'a>, name: &'a str, why: &'static str, sink: &mut dyn Sink<'a>) {
    sink.report(Diagnostic::new(Code::RequiredPlugin, label).with_arguments(&[name, why]));
}

/// Whether a name is a label of a domain ([`is_label`]) without upper-case letters.
fn is_local_name(name: &str) -> bool {
    is_label(name) && !name.chars().any(char::is_uppercase)
}

/// Whether a text is a label of a domain: no dots, and no dashes at the ends or in pairs.
fn is_label(text: &str) -> bool {
    let dashes = text.starts_with('-') || text.ends_with('-') || text.contains("--");
    !text.is_empty() && !dashes && text.chars().all(|c| c == '-' || c.is_alphanumeric())
}

/// Whether a text is an address of three to sixteen parts, without a scheme or a query, whose last
/// part is the name of a plugin, in any case. The name does not include the prefix of repositories.
fn is_source(text: &str) -> bool {
    let count = text.split('/').count();
    let Some((rest, name)) = text.rsplit_once('/') else { return false };
    let has_scheme = text.split('/').next().is_some_and(|host| host.contains(':'));
    (3..=16).contains(&count)
        && !text.starts_with('/')
        && !has_scheme
        && !rest.contains(['?', '#'])
        && is_label(name)
        && !name.starts_with("packer-")
}

/// Whether a text is a version constraint. Pre-releases are not allowed.
fn is_constraint(text: &str) -> bool {
    VersionConstraint::parse_all(text)
        .is_some_and(|all| all.iter().all(|one| one.version.prerelease.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints() {
        for right in ["1", ">= 1.2.0", ">=1,< 2", "~> v1.2", "!= 1.0.0+meta"] {
            assert!(is_constraint(right), "{right}");
        }
        for wrong in ["", ">=", "1.2.0-beta", "latest", "1,", "=> 1", "1..2"] {
            assert!(!is_constraint(wrong), "{wrong}");
        }
    }

    #[test]
    fn sources() {
        for right in ["github.com/a/b", "a.b/c/d/e", "host/a//B", "a/b/c-d"] {
            assert!(is_source(right), "{right}");
        }
        for wrong in [
            "a/b",
            "/a/b/c",
            "a/b/",
            "//",
            "https://a/b",
            "a:1/b/c",
            "a/b/c?d",
            "a/b?/c",
            "a/b/c#d",
            "a/b#/c",
            "a/b/c.d",
            "a/b/packer-plugin-c",
            "1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17",
        ] {
            assert!(!is_source(wrong), "{wrong}");
        }
    }

    #[test]
    fn local_names() {
        for right in ["amazon", "a-b", "a1"] {
            assert!(is_local_name(right), "{right}");
        }
        for wrong in ["", "A", "a.b", "a--b", "-a", "a_b"] {
            assert!(!is_local_name(wrong), "{wrong}");
        }
    }
}
