//! Constructs that releases of the tools warn of, or that they no longer have: one row each. What no
//! release has that is known here, such as the function `list`, is an error where it is read.

use crate::evaluate::Release;
use crate::evaluate::release::{ALWAYS, NEVER, in_};

/// The releases of a tool that have a construct no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// The first release that warns of it.
    pub(crate) deprecated: Release,
    /// The first release that does not have it.
    pub(crate) removed: Release,
}

/// The end of a construct in both tools.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) opentofu: End,
    pub(crate) terraform: End,
    /// The construct to use instead, as part of a sentence.
    pub(crate) instead: &'static str,
}

/// All releases have it.
const STAYS: End = End { deprecated: NEVER, removed: NEVER };
/// No release that is known here has it.
const GONE: End = End { deprecated: NEVER, removed: ALWAYS };

const fn deprecated(minor: u8) -> End {
    End { deprecated: in_(minor), removed: NEVER }
}

const fn removed(deprecated: u8, removed: u8) -> End {
    End { deprecated: in_(deprecated), removed: in_(removed) }
}

/// Backends, by name.
const BACKENDS: &[(&str, Ended)] = {
    const OTHER: Ended =
        Ended { opentofu: GONE, terraform: removed(2, 3), instead: "use another backend" };
    const AZURE: Ended = Ended { instead: "use `azurerm`", ..OTHER };
    &[
        ("artifactory", OTHER),
        ("azure", AZURE),
        ("etcd", OTHER),
        ("etcdv3", OTHER),
        ("manta", OTHER),
        ("swift", OTHER),
    ]
};

/// Arguments of backends, by the name of the backend.
const ARGUMENTS: &[(&str, &[&str], Ended)] = {
    const fn s3(terraform: End, instead: &'static str) -> Ended {
        Ended { opentofu: deprecated(6), terraform, instead }
    }
    &[
        ("azurerm", &["endpoint"], {
            Ended { opentofu: deprecated(11), terraform: STAYS, instead: "remove it" }
        }),
        ("azurerm", &["msi_endpoint"], {
            let instead = "set `MSI_ENDPOINT` in the environment";
            Ended { opentofu: deprecated(11), terraform: STAYS, instead }
        }),
        ("s3", &["dynamodb_table"], {
            Ended { opentofu: STAYS, terraform: deprecated(11), instead: "use `use_lockfile`" }
        }),
        (
            "s3",
            &["dynamodb_endpoint", "endpoint", "iam_endpoint", "sts_endpoint"],
            s3(deprecated(6), "use `endpoints`"),
        ),
        ("s3", &["force_path_style"], s3(deprecated(6), "use `use_path_style`")),
        ("s3", &["shared_credentials_file"], s3(deprecated(6), "use `shared_credentials_files`")),
        (
            "s3",
            &[
                "assume_role_duration_seconds",
                "assume_role_policy",
                "assume_role_policy_arns",
                "assume_role_tags",
                "assume_role_transitive_tag_keys",
                "external_id",
                "role_arn",
                "session_name",
            ],
            s3(removed(6, 10), "use `assume_role`"),
        ),
        ("s3", &["use_legacy_workflow"], {
            Ended { opentofu: removed(7, 8), terraform: deprecated(7), instead: "remove it" }
        }),
    ]
};

/// Types of connections.
const CONNECTIONS: &[(&str, Ended)] =
    &[("winrm", Ended { opentofu: removed(12, 13), terraform: STAYS, instead: "use `ssh`" })];

fn named(rows: &'static [(&str, Ended)], name: &str) -> Option<&'static Ended> {
    rows.iter().find(|(known, _)| *known == name).map(|(_, ended)| ended)
}

/// The end of a backend; `None` if all releases have it, or none.
pub(crate) fn backend(name: &str) -> Option<&'static Ended> {
    named(BACKENDS, name)
}

/// The end of an argument of a backend.
#[cfg(feature = "rules")]
pub(crate) fn backend_argument(backend: &str, name: &str) -> Option<&'static Ended> {
    let mut rows = ARGUMENTS.iter();
    let row = rows.find(|(known, names, _)| *known == backend && names.contains(&name));
    row.map(|(.., ended)| ended)
}

/// The end of a type of connections.
#[cfg(feature = "rules")]
pub(crate) fn connection(name: &str) -> Option<&'static Ended> {
    named(CONNECTIONS, name)
}
