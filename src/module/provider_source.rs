//! Provider sources: `hashicorp/aws`, `registry.example.com/team/thing`.
//!
//! One to three parts: a type, before it a namespace, before that a host. A missing namespace or
//! host defaults to the tool's own.

use super::provider_reference::is_normalized;
use crate::dialect::Dialect;

/// The registries of Terraform and of OpenTofu, which have the same providers and modules.
pub(crate) const OWN_REGISTRIES: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// Where a provider comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProviderSource<'a> {
    /// The registry's host, if it is written.
    pub host: Option<&'a str>,
    /// The owner, if it is written.
    pub namespace: Option<&'a str>,
    /// The name of the provider there.
    pub provider_type: &'a str,
}

impl<'a> ProviderSource<'a> {
    /// Reads a source.
    ///
    /// # Errors
    /// The reason why the source is invalid.
    ///
    /// ```
    /// use simd_hcl::module::ProviderSource;
    ///
    /// let source = ProviderSource::parse("hashicorp/aws").unwrap();
    /// assert_eq!(source.parts_in(simd_hcl::Dialect::OpenTofu)[2], "aws");
    /// assert!(ProviderSource::parse("a/b/c/d").is_err());
    /// ```
    pub fn parse(text: &'a str) -> Result<Self, &'static str> {
        let mut parts = text.split('/').rev();
        let provider_type = parts.next().unwrap_or_default();
        let (namespace, host) = (parts.next(), parts.next());
        if parts.next().is_some() || text.split('/').any(str::is_empty) {
            return Err("it must be [HOSTNAME/][NAMESPACE/]TYPE");
        }
        if host.is_some_and(|host| !is_host(host)) {
            return Err("the part before the first slash is not a host name");
        }
        // An old mark for providers whose namespace is unknown.
        if namespace.is_some_and(|namespace| namespace != "-" && !is_part(namespace)) {
            return Err("the namespace must be letters, digits and dashes");
        }
        if !is_part(provider_type) {
            return Err("the type must be letters, digits and dashes");
        }
        // Without a namespace the tools do not check the prefix.
        if namespace.is_some() {
            let lower = provider_type.to_lowercase();
            if lower.starts_with("terraform-provider-") {
                return Err("the type must not start with \"terraform-provider-\"");
            }
            if lower.starts_with("terraform-") {
                return Err("the type must not start with \"terraform-\"");
            }
        }
        Ok(Self { host, namespace, provider_type })
    }

    /// The provider of an undeclared local name, in the tool's own registry.
    pub(crate) fn implied(local: &'a str) -> Self {
        Self { host: None, namespace: None, provider_type: local }
    }

    /// The provider of a name that is declared without a source, or that is the prefix of a
    /// resource type.
    pub(crate) fn of_name(local: &'a str) -> Self {
        match local {
            "terraform" => Self {
                host: Some("terraform.io"),
                namespace: Some("builtin"),
                provider_type: local,
            },
            local => Self::implied(local),
        }
    }

    /// The host of the registry, the tool's own if none is written: one of [`OWN_REGISTRIES`].
    #[must_use]
    pub fn host_in(&self, dialect: Dialect) -> &'a str {
        let [terraform, opentofu] = OWN_REGISTRIES;
        let own = if dialect == Dialect::Terraform { terraform } else { opentofu };
        self.host.unwrap_or(own)
    }

    /// Whether the provider is a part of the tool.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        let is =
            |part: Option<&str>, name: &str| part.is_some_and(|it| it.eq_ignore_ascii_case(name));
        is(self.host, "terraform.io") && is(self.namespace, "builtin")
    }

    /// Host, namespace and type in lower case, with the tool's defaults.
    #[must_use]
    pub fn parts_in(&self, dialect: Dialect) -> [String; 3] {
        let namespace = self.namespace.unwrap_or("hashicorp");
        [self.host_in(dialect), namespace, self.provider_type].map(str::to_lowercase)
    }
}

/// Whether a text is a valid part. Its case does not matter: the tools normalize it.
pub(super) fn is_part(part: &str) -> bool {
    is_normalized(part) || is_normalized(&part.to_lowercase())
}

/// Whether a text is a host name, perhaps with a port or a final dot.
fn is_host(host: &str) -> bool {
    let (name, port) = match host.split_once(':') {
        Some((name, port)) => (name, port),
        None => (host, "1"),
    };
    let is_label = |label: &str| !label.is_empty() && is_part(label);
    let name = name.strip_suffix('.').unwrap_or(name);
    port.parse::<u16>().is_ok() && name.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources() {
        let full = ProviderSource::parse("example.com:8080/team/thing").unwrap();
        assert_eq!((full.host, full.namespace), (Some("example.com:8080"), Some("team")));
        assert_eq!(full.provider_type, "thing");
        assert_eq!(
            ProviderSource::parse("aws").unwrap().host_in(Dialect::Terraform),
            "registry.terraform.io"
        );
        for text in [
            "hashicorp/Aws",
            "-/aws",
            "é/b",
            "terraform-aws",
            "terraform-provider-aws",
            "localhost/a/b",
            "localhost./a/b",
        ] {
            assert!(ProviderSource::parse(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "/",
            "a/b/c/d",
            "a//b",
            "a_b/c",
            "a/b_c",
            "exa mple.com/a/b",
            "a/b-",
            "https://x/y",
            "a/terraform-provider-b",
            "a/terraform-b",
            "h.io/a/Terraform-b",
            "./a/b",
            "x../a/b",
            "x:99999/a/b",
            "${x}",
        ] {
            assert!(ProviderSource::parse(text).is_err(), "{text}");
        }
    }
}
