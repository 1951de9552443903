//! The package that a module comes from: a module of a registry, or a repository.

use super::repository::Repository;
use crate::module::{ModuleCall, RegistryAddress};

/// A package of modules, and the version that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Package {
    /// `[HOST/]NAMESPACE/NAME/SYSTEM`, or the address of a repository without its query. A user name or
    /// password in it is left out.
    pub address: String,
    /// The version constraint, or the revision. `None` if any will do.
    pub version: Option<String>,
}

impl Package {
    /// The package of a module call. `None` for a path, an archive, and a source that is not known.
    ///
    /// Cost: linear in the source.
    #[must_use]
    pub fn of_call(call: &ModuleCall<'_>) -> Option<Self> {
        Self::of_source(call.source_by_defaults()?, call.version_text())
    }

    /// The package of a source with the version constraint beside it. `tfr://` is a registry, as in
    /// Terragrunt.
    ///
    /// Cost: linear in the source.
    #[must_use]
    pub fn of_source(source: &str, version: Option<&str>) -> Option<Self> {
        if let Some(rest) = source.strip_prefix("tfr://") {
            let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
            let address = address.trim_start_matches('/').split("//").next().unwrap_or_default();
            let version = query.split('&').find_map(|pair| pair.strip_prefix("version="));
            let version = version.filter(|it| !it.is_empty()).map(str::to_owned);
            return Some(Self { address: address.to_owned(), version });
        }
        if let Some(RegistryAddress { host, namespace, name, system, .. }) =
            RegistryAddress::parse(source)
        {
            let host = host.map_or_else(String::new, |host| format!("{host}/"));
            let address = format!("{host}{namespace}/{name}/{system}");
            return Some(Self { address, version: version.map(str::to_owned) });
        }
        let repository = Repository::parse(source)?;
        let version = repository.parameter("ref").or_else(|| repository.parameter("rev"));
        Some(Self { address: without_user(repository.address), version })
    }

    /// A source that is neither of a registry nor of a repository, such as an archive: its address without
    /// the query.
    #[must_use]
    pub fn of_archive(source: &str) -> Self {
        let address = source.split('?').next().unwrap_or_default();
        Self { address: without_user(address), version: None }
    }
}

/// Leaves the user name and the password out of a URL. Other addresses have no password.
pub(crate) fn without_user(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let end = rest.find('/').unwrap_or(rest.len());
    let host = rest[..end].rsplit_once('@').map_or(0, |(user, _)| user.len() + 1);
    format!("{scheme}://{}", &rest[host..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_sources() {
        for (source, version, address, expected) in [
            ("acme/vpc/aws//sub", Some("~> 1.0"), "acme/vpc/aws", Some("~> 1.0")),
            ("a.io/acme/vpc/aws", None, "a.io/acme/vpc/aws", None),
            ("tfr:///acme/vpc/aws?version=1.2.3", None, "acme/vpc/aws", Some("1.2.3")),
            ("tfr://a.io/acme/vpc/aws//x", None, "a.io/acme/vpc/aws", None),
            ("git::https://u:p@a.io/b.git?ref=v1", None, "https://a.io/b.git", Some("v1")),
            ("github.com/a/b//sub?ref=v2", None, "github.com/a/b//sub", Some("v2")),
        ] {
            let package = Package::of_source(source, version);
            let expected = expected.map(str::to_owned);
            assert_eq!(
                package,
                Some(Package { address: address.to_owned(), version: expected }),
                "{source}"
            );
        }
        for source in ["./a", "https://a.io/b.zip", ""] {
            assert_eq!(Package::of_source(source, None), None, "{source}");
        }
    }
}
