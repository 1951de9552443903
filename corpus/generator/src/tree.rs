//! A monorepo: many directories of small configuration files, as teams keep them.
//!
//! Twelve directories make a service: a module of its own, which the others call, eight
//! environments, a stack synthesised by a CDK, a directory that is still half in native syntax, and
//! the images of its machines. Each directory has six files. One file in six is a `.tofu.json`
//! beside a `.tf.json` of the same base name.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::dir::{Dir, TreeStats};
use crate::json::Json;
use crate::module::{Call, Kind, Module};
use crate::packer;
use crate::rng::Rng;
use crate::words::{INSTANCE_TYPES, SERVICES};

/// The options of [`tree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// Directories that hold files; six files and about 88 KB each.
    pub dirs: u64,
    /// The same seed gives the same tree, on every platform.
    pub seed: u64,
}

impl Default for TreeOptions {
    /// A hundred directories: about 9 MB.
    fn default() -> Self {
        Self { dirs: 100, seed: 1 }
    }
}

/// Writes a monorepo below `root`, which is made where it is missing.
///
/// Files that are there already are replaced; others are left alone.
///
/// # Errors
///
/// The first directory or file that cannot be written, with its path.
pub fn tree(options: &TreeOptions, root: &Path) -> io::Result<TreeStats> {
    let mut stats = TreeStats::default();
    for index in 0..options.dirs {
        let place = Place::of(options.seed, index);
        let mut dir = Dir::create(root.join(&place.path), &mut stats)?;
        place.write(&mut dir)?;
    }
    Ok(stats)
}

const TEAMS: [&str; 8] =
    ["commerce", "core", "growth", "insight", "logistics", "payments", "platform", "security"];

/// The roles of directories, with the names of environments. Every prefix of this list has about as many
/// shadowing files as directories.
const ROLES: [(Role, &str); 12] = [
    (Role::Library, ""),
    (Role::Environment, "dev"),
    (Role::Environment, "staging"),
    (Role::Stack, ""),
    (Role::Environment, "prod"),
    (Role::HalfNative, ""),
    (Role::Environment, "prod-us"),
    (Role::Environment, "prod-ap"),
    (Role::Environment, "load"),
    (Role::Canary, "canary"),
    (Role::Images, ""),
    (Role::Environment, "qa"),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A module that others call.
    Library,
    /// A root module, written by hand.
    Environment,
    /// As an environment, with an override file.
    Canary,
    /// A root module that a CDK wrote.
    Stack,
    /// JSON and native files in one module.
    HalfNative,
    /// Packer.
    Images,
}

/// One directory.
struct Place {
    role: Role,
    path: PathBuf,
    environment: &'static str,
    service: String,
    pretty: bool,
    module: Module,
    rng: Rng,
}

impl Place {
    fn of(seed: u64, index: u64) -> Self {
        let (service, (role, environment)) = (index / 12, ROLES[index as usize % 12]);
        let team = TEAMS[service as usize % 8];
        let service = format!("{}-{:02}", SERVICES[service as usize % 16], service / 16);
        let mut rng = Rng::of(seed, 201, index);
        let (path, library) = match role {
            Role::Library => (format!("teams/{team}/modules/{service}"), None),
            Role::Environment | Role::Canary => (
                format!("teams/{team}/services/{service}/{environment}"),
                Some(format!("../../../modules/{service}")),
            ),
            Role::Stack => (
                format!("teams/{team}/cdktf.out/stacks/{service}"),
                Some(format!("../../../modules/{service}")),
            ),
            Role::HalfNative => {
                (format!("teams/{team}/legacy/{service}"), Some(format!("../../modules/{service}")))
            }
            Role::Images => (format!("images/{service}"), None),
        };
        // Few directories are large: a fifth holds three quarters of the resources.
        let resources = match index % 23 {
            0 => 200 + rng.below(400),
            1..=5 => 60 + rng.below(110),
            _ => 6 + rng.below(36),
        };
        let stack = match role {
            Role::Environment | Role::Canary => format!("{service}-{environment}"),
            _ => service.clone(),
        };
        let mut module = Module::new(rng.next(), stack, resources);
        module.calls = library
            .into_iter()
            .map(|source| Call { name: "base".to_owned(), source, version: None })
            .collect();
        let pretty = role != Role::Stack || rng.one_in(2);
        Self { role, path: path.into(), environment, service, pretty, module, rng }
    }

    fn write(mut self, dir: &mut Dir<'_>) -> io::Result<()> {
        match self.role {
            Role::Library => {
                self.main(dir)?;
                self.variables(dir)?;
                self.outputs(dir)?;
                dir.json("versions.tf.json", true, |w| {
                    self.module.requirements(w);
                    Ok(())
                })?;
                self.test(dir)
            }
            Role::Environment => {
                self.main(dir)?;
                self.variables(dir)?;
                self.outputs(dir)?;
                self.versions(dir, "versions.tf.json", false)?;
                self.values(dir)
            }
            Role::Canary => {
                self.main(dir)?;
                self.variables(dir)?;
                self.versions(dir, "versions.tf.json", false)?;
                self.versions(dir, "versions.tofu.json", true)?;
                self.overrides(dir)
            }
            Role::Stack => {
                dir.json("cdk.tf.json", self.pretty, |w| {
                    w.member("//", |w| {
                        w.member("metadata", |w| {
                            w.text("stackName", &self.service);
                            w.text("version", "0.20.8");
                        });
                    });
                    self.body(w)?;
                    self.module.outputs(w);
                    self.module.variables(w);
                    Ok(())
                })?;
                self.versions(dir, "backend.tf.json", false)?;
                self.versions(dir, "backend.tofu.json", true)?;
                self.values(dir)?;
                self.overrides(dir)?;
                dir.json("manifest.json", true, |w| {
                    w.text("name", &self.service);
                    w.text("constructPath", &self.service);
                    w.texts("dependencies", [""; 0]);
                    Ok(())
                })
            }
            Role::HalfNative => {
                self.main(dir)?;
                self.variables(dir)?;
                self.versions(dir, "versions.tf.json", false)?;
                dir.text("network.tf", NETWORK)?;
                dir.text("outputs.tf", OUTPUTS)
            }
            Role::Images => {
                packer::images(&self.service, self.module.resources, &mut self.rng, dir)
            }
        }
    }

    /// `main.tf.json`, and `main.tofu.json` which hides it.
    fn main(&self, dir: &mut Dir<'_>) -> io::Result<()> {
        for (name, comment) in [
            ("main.tf.json", "OpenTofu reads main.tofu.json instead."),
            ("main.tofu.json", "What OpenTofu reads in the place of main.tf.json."),
        ] {
            dir.json(name, self.pretty, |w| {
                w.text("//", comment);
                self.body(w)
            })?;
        }
        Ok(())
    }

    fn body(&self, w: &mut Json<'_, File>) -> io::Result<()> {
        self.module.data(w);
        self.module.locals(w);
        self.module.calls(w);
        self.module.resources(w)
    }

    fn variables(&self, dir: &mut Dir<'_>) -> io::Result<()> {
        dir.json("variables.tf.json", true, |w| {
            self.module.variables(w);
            Ok(())
        })
    }

    fn outputs(&self, dir: &mut Dir<'_>) -> io::Result<()> {
        dir.json("outputs.tf.json", true, |w| {
            self.module.outputs(w);
            Ok(())
        })
    }

    /// Settings and providers; for OpenTofu, with an encrypted state.
    fn versions(&self, dir: &mut Dir<'_>, name: &str, encrypted: bool) -> io::Result<()> {
        dir.json(name, true, |w| {
            self.module.providers(w);
            if encrypted {
                self.module.terraform_encrypted(w);
            } else {
                self.module.terraform(w);
            }
            Ok(())
        })
    }

    fn values(&self, dir: &mut Dir<'_>) -> io::Result<()> {
        let environment = match self.environment {
            "dev" | "staging" => self.environment,
            _ => "prod",
        };
        dir.json("terraform.tfvars.json", true, |w| {
            w.texts("cidrs", ["10.0.0.0/8", "172.16.0.0/12"]);
            w.text("environment", environment);
            w.text("prefix", &self.service);
            Ok(())
        })
    }

    fn overrides(&mut self, dir: &mut Dir<'_>) -> io::Result<()> {
        let size = self.rng.pick(&INSTANCE_TYPES);
        dir.json("release_override.tf.json", true, |w| {
            w.text("//", "Written by the release job.");
            w.member("resource", |w| {
                w.member(Kind::Instance.resource_type(), |w| {
                    for index in 0..self.module.count(Kind::Instance).min(3) {
                        w.member(self.module.name(Kind::Instance, index), |w| {
                            w.text("instance_type", size);
                        });
                    }
                });
            });
            w.member("variable", |w| {
                w.member("environment", |w| w.text("default", "prod"));
            });
            Ok(())
        })
    }

    fn test(&self, dir: &mut Dir<'_>) -> io::Result<()> {
        dir.json("defaults.tftest.json", true, |w| {
            w.member("mock_provider", |w| {
                w.key("aws");
                w.array(|w| {
                    w.object(|_| ());
                    w.object(|w| w.text("alias", "replica"));
                });
            });
            w.member("run", |w| {
                w.member("plans", |w| {
                    w.text("command", "plan");
                    w.block("assert", |w| {
                        w.text("condition", "${var.environment == \"dev\"}");
                        w.text("error_message", "Another default than dev.");
                    });
                });
            });
            Ok(())
        })
    }
}

const NETWORK: &str = "\
resource \"aws_vpc_endpoint\" \"s3\" {
  vpc_id       = var.vpc
  service_name = \"com.amazonaws.${var.region}.s3\"

  tags = {
    Name = \"${var.prefix}-s3\"
  }
}
";

const OUTPUTS: &str = "\
output \"endpoint\" {
  description = \"Way to the object store\"
  value       = aws_vpc_endpoint.s3.id
}
";
