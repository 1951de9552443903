//! The settings that identify a state of each backend, and their values as the tools use them.

/// The value of a setting that the configuration does not give.
#[derive(Clone, Copy)]
pub(super) enum Absent {
    /// It is given elsewhere.
    Elsewhere,
    /// This value, unless a setting that is necessary is given elsewhere, too.
    Is(&'static str),
    /// This value, or one that is given elsewhere: it tells the states of a store apart.
    Perhaps(&'static str),
}

use Absent::{Elsewhere, Is, Perhaps};

/// The place of the state in the local file system.
pub(super) const PATH: &str = "path";

/// The name of a workspace, or the start of the names of several, which ends with [`ANY`](super::settings::ANY).
pub(super) const WORKSPACES: &str = "workspaces";

/// The place of workspaces other than the default one.
pub(super) const WORKSPACE_PREFIX: &str = "workspace_key_prefix";

/// The file of a local state.
pub(super) const LOCAL_STATE: &str = "terraform.tfstate";

/// The folder of the local states of workspaces.
pub(super) const LOCAL_WORKSPACES: &str = "terraform.tfstate.d";

/// The settings that identify a state of each backend.
const BACKENDS: &[(&str, &[(&str, Absent)])] = &[
    ("local", &[(PATH, Perhaps(LOCAL_STATE))]),
    (
        "remote",
        &[
            ("organization", Elsewhere),
            ("hostname", Is("app.terraform.io")),
            (WORKSPACES, Elsewhere),
        ],
    ),
    ("s3", &[("bucket", Elsewhere), ("key", Elsewhere), (WORKSPACE_PREFIX, Is("env:"))]),
    ("gcs", &[("bucket", Elsewhere), ("prefix", Perhaps(""))]),
    (
        "azurerm",
        &[("storage_account_name", Elsewhere), ("container_name", Elsewhere), ("key", Elsewhere)],
    ),
    ("http", &[("address", Elsewhere)]),
    ("consul", &[("path", Elsewhere), ("address", Is(""))]),
    ("pg", &[("conn_str", Elsewhere), ("schema_name", Perhaps("terraform_remote_state"))]),
    ("kubernetes", &[("secret_suffix", Elsewhere), ("namespace", Is("default"))]),
    ("oss", &[("bucket", Elsewhere), ("prefix", Is("env:")), ("key", Perhaps(LOCAL_STATE))]),
    ("cos", &[("bucket", Elsewhere), ("prefix", Perhaps("")), ("key", Perhaps(LOCAL_STATE))]),
    (
        "oci",
        &[
            ("bucket", Elsewhere),
            ("namespace", Elsewhere),
            ("key", Perhaps(LOCAL_STATE)),
            (WORKSPACE_PREFIX, Is("tf-state-env")),
        ],
    ),
];

/// The settings of a backend.
pub(super) fn row(backend: &str) -> Option<&'static [(&'static str, Absent)]> {
    BACKENDS.iter().find(|(known, _)| *known == backend).map(|(_, settings)| *settings)
}

/// The place of a setting among those of a backend.
pub(super) fn place(backend: &str, setting: &str) -> Option<usize> {
    row(backend)?.iter().position(|(name, _)| *name == setting)
}

/// A value as the tools use it.
pub(super) fn normal(backend: &str, setting: &str, text: &str) -> String {
    match (backend, setting) {
        ("gcs", "prefix") => {
            text.split('/').filter(|it| !it.is_empty()).collect::<Vec<_>>().join("/")
        }
        // Readers may have users of their own.
        ("http", "address") | ("pg", "conn_str") => match text.split_once("://") {
            Some((scheme, rest)) => {
                let end = rest.find(['/', '?']).unwrap_or(rest.len());
                let host = rest[..end].rsplit('@').next().unwrap_or_default();
                let path = match backend {
                    "pg" => rest[end..].split('?').next().unwrap_or_default(),
                    _ => &rest[end..],
                };
                format!("{scheme}://{host}{}", path.trim_end_matches('/'))
            }
            None => text.to_owned(),
        },
        ("remote", "hostname") => text.to_ascii_lowercase(),
        ("oss" | "cos", "prefix" | "key") => text.trim_matches('/').to_owned(),
        _ => text.to_owned(),
    }
}
