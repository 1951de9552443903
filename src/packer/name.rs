//! Names of sources and data sources: a type, and a name within it.

use std::fmt;

use crate::expression::is_identifier;

/// A source or a data source: `amazon-ebs.base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectName<'a> {
    /// The type, which a plugin defines.
    pub object_type: &'a str,
    /// Its name.
    pub name: &'a str,
}

impl<'a> ObjectName<'a> {
    /// The name of a source in a build: `type.name`, optionally after another name, such as
    /// `source.type.name`. `None` if the type or the name is missing, or is not an identifier.
    #[must_use]
    pub fn of_reference(text: &'a str) -> Option<Self> {
        let mut parts = text.split('.');
        let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
        let (object_type, name) = match third {
            Some(third) => (second, third),
            None => (first, second),
        };
        (is_identifier(object_type) && is_identifier(name)).then_some(Self { object_type, name })
    }
}

impl fmt::Display for ObjectName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.object_type, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_to_sources() {
        for (text, expected) in [
            ("a.b", Some("a.b")),
            ("source.a.b", Some("a.b")),
            ("anything.a.b", Some("a.b")),
            ("source.a.b.c", Some("a.b")),
            ("amazon-ebs.x", Some("amazon-ebs.x")),
            ("a", None),
            ("", None),
            ("a.", None),
            (".b", None),
            ("a.0", None),
            ("source..b", None),
        ] {
            let name = ObjectName::of_reference(text).map(|name| name.to_string());
            assert_eq!(name.as_deref(), expected, "{text}");
        }
    }
}
