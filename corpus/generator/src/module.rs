//! The plan of one generated module: what it declares, how everything is called, and the blocks
//! around its resources.
//!
//! Names follow from the seed, the kind and the index, so a reference is written without a table of
//! what was written before. References go from a kind to the kinds below it in [`Kind`]'s order
//! only, so they make no cycle.

use std::fmt::{self, Display};
use std::io::Write;

use crate::json::Json;
use crate::rng::{Rng, mix, mix20};
use crate::words::{ACTIONS, COLOURS, OWNERS, ROLES, SERVICES};

/// The resource types, each of which refers only to those before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
    Bucket,
    Policy,
    SecurityGroup,
    Database,
    Instance,
}

impl Kind {
    /// In the order in which generators write them: by type name.
    pub(crate) const WRITTEN: [Self; 5] =
        [Self::Database, Self::Policy, Self::Instance, Self::Bucket, Self::SecurityGroup];

    pub(crate) const fn resource_type(self) -> &'static str {
        match self {
            Self::Bucket => "aws_s3_bucket",
            Self::Policy => "aws_iam_policy",
            Self::SecurityGroup => "aws_security_group",
            Self::Database => "aws_db_instance",
            Self::Instance => "aws_instance",
        }
    }
}

/// How many instances a resource has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repetition {
    Once,
    Count(u64),
    /// By the keys [`COLOURS`].
    ForEach,
}

/// Everything that decides what a module looks like.
pub(crate) struct Module {
    pub(crate) seed: u64,
    /// The name of the stack, first part of every metadata path.
    pub(crate) stack: String,
    pub(crate) resources: u64,
    /// Which part of `resources` is of each kind, by [`Kind`].
    counts: [u64; 5],
    pub(crate) variables: u64,
    pub(crate) locals: u64,
    pub(crate) outputs: u64,
    pub(crate) images: u64,
    pub(crate) calls: Vec<Call>,
}

/// A call of a child module.
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) source: String,
    /// For sources in a registry.
    pub(crate) version: Option<&'static str>,
}

/// The name of a resource: what it serves, its role, and a number that no other one has.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    pub(crate) service: &'static str,
    pub(crate) role: &'static str,
    pub(crate) id: u64,
}

impl Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{:05X}", self.service, self.id)
    }
}

/// The address of a resource, with the key of one instance where it has several.
pub(crate) struct Address {
    kind: Kind,
    name: Name,
    repetition: Repetition,
}

impl Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.kind.resource_type(), self.name)?;
        match self.repetition {
            Repetition::Once => Ok(()),
            Repetition::Count(_) => f.write_str("[0]"),
            Repetition::ForEach => write!(f, "[\"{}\"]", COLOURS[0]),
        }
    }
}

/// The default of a variable.
enum Preset {
    Null,
    Text(&'static str),
    Texts(&'static [&'static str]),
}

/// The variables that every generated module declares: name, default, description.
const VARIABLES: [(&str, Preset, &str); 9] = [
    ("cidrs", Preset::Texts(&["10.0.0.0/8"]), "Networks that may connect"),
    ("db_password", Preset::Null, "Master password of the databases"),
    ("environment", Preset::Text("dev"), "Stage: dev, staging or prod"),
    ("instance_profile", Preset::Null, "Instance profile; none when null"),
    ("kms_key_arn", Preset::Null, "Key for data at rest"),
    ("prefix", Preset::Text("acme"), "Put before every name"),
    ("region", Preset::Text("eu-central-1"), "Where everything runs"),
    ("subnets", Preset::Texts(&["subnet-0a", "subnet-0b", "subnet-0c"]), "One for each zone"),
    ("vpc", Preset::Text("vpc-0a1b2c3d"), "The network"),
];

impl Module {
    /// A module of `resources` resources with the usual things around them.
    pub(crate) fn new(seed: u64, stack: impl Into<String>, resources: u64) -> Self {
        let counts = std::array::from_fn(|kind| (resources + 4 - kind as u64) / 5);
        Self {
            seed,
            stack: stack.into(),
            resources,
            counts,
            variables: resources / 1000,
            locals: 3 + resources / 1000,
            outputs: resources.div_ceil(200),
            images: 3 + resources / 2000,
            calls: Vec::new(),
        }
    }

    pub(crate) const fn count(&self, kind: Kind) -> u64 {
        self.counts[kind as usize]
    }

    pub(crate) fn rng(&self, kind: Kind, index: u64) -> Rng {
        Rng::of(self.seed, kind as u64, index)
    }

    pub(crate) fn name(&self, kind: Kind, index: u64) -> Name {
        let salt = mix(self.seed ^ (kind as u64) << 32) & 0xf_ffff;
        let id = mix20(index ^ salt);
        Name { service: SERVICES[id as usize & 15], role: ROLES[id as usize >> 4 & 7], id }
    }

    /// An eighth of the instances and of the buckets stand for several.
    pub(crate) fn repetition(&self, kind: Kind, index: u64) -> Repetition {
        let id = self.name(kind, index).id;
        match kind {
            Kind::Instance if id >> 8 & 7 == 0 => Repetition::Count(2 + (id >> 11 & 3)),
            Kind::Bucket if id >> 8 & 7 == 0 => Repetition::ForEach,
            _ => Repetition::Once,
        }
    }

    pub(crate) fn address(&self, kind: Kind, index: u64) -> Address {
        Address { kind, name: self.name(kind, index), repetition: self.repetition(kind, index) }
    }

    /// Some resource of `kind`, where the module has one.
    pub(crate) fn some(&self, kind: Kind, rng: &mut Rng) -> Option<Address> {
        let index = rng.below(self.count(kind));
        (self.count(kind) > 0).then(|| self.address(kind, index))
    }

    /// The owner of a service, the same wherever it is named.
    pub(crate) fn owner(&self, name: Name) -> &'static str {
        OWNERS[name.id as usize >> 13 & 15]
    }

    // Files that hand-written modules have, one section each.

    pub(crate) fn terraform<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) {
        w.member("terraform", |w| self.settings(w));
    }

    /// As [`Module::terraform`], with the encryption of the state that OpenTofu has.
    pub(crate) fn terraform_encrypted<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) {
        w.member("terraform", |w| {
            w.member("encryption", |w| {
                w.member("key_provider", |w| {
                    w.member("aws_kms", |w| {
                        w.member("state", |w| {
                            w.text("key_spec", "AES_256");
                            w.text("kms_key_id", "alias/state");
                            w.text("region", "eu-central-1");
                        });
                    });
                });
                w.member("method", |w| {
                    w.member("aes_gcm", |w| {
                        w.member("state", |w| w.text("keys", "${key_provider.aws_kms.state}"));
                    });
                });
                w.member("state", |w| w.text("method", "method.aes_gcm.state"));
            });
            self.settings(w);
        });
    }

    fn settings<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) {
        w.member("backend", |w| {
            w.member("s3", |w| {
                w.text("bucket", "acme-state");
                w.plain("encrypt", true);
                w.text("key", format_args!("{}.tfstate", self.stack));
                w.text("region", "eu-central-1");
            });
        });
        self.required_providers(w);
        w.text("required_version", ">= 1.6.0");
    }

    /// The `terraform` block of a child module, which takes both providers from its caller.
    pub(crate) fn requirements<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) {
        w.member("terraform", |w| {
            w.member("required_providers", |w| {
                w.member("aws", |w| {
                    w.texts("configuration_aliases", ["aws.replica"]);
                    w.text("source", "hashicorp/aws");
                    w.text("version", ">= 5.0");
                });
            });
        });
    }

    fn required_providers<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) {
        w.member("required_providers", |w| {
            w.member("aws", |w| {
                w.text("source", "hashicorp/aws");
                w.text("version", "~> 5.60");
            });
        });
    }

    /// The default provider and the one called `replica`.
    pub(crate) fn providers<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) {
        w.member("provider", |w| {
            w.key("aws");
            w.array(|w| {
                w.object(|w| {
                    w.block("default_tags", |w| w.text("tags", "${local.common_tags}"));
                    w.text("region", "${var.region}");
                });
                w.object(|w| {
                    w.text("alias", "replica");
                    w.text("region", "eu-west-1");
                });
            });
        });
    }

    pub(crate) fn variables<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) {
        w.member("variable", |w| {
            for (name, preset, description) in VARIABLES {
                w.member(name, |w| {
                    let kind = match preset {
                        Preset::Texts(_) => "list(string)",
                        Preset::Null | Preset::Text(_) => "string",
                    };
                    match preset {
                        Preset::Null => w.plain("default", "null"),
                        Preset::Text(text) => w.text("default", text),
                        Preset::Texts(texts) => w.texts("default", texts),
                    }
                    w.text("description", description);
                    if name == "db_password" {
                        w.plain("sensitive", true);
                    }
                    w.text("type", kind);
                    if name == "environment" {
                        w.block("validation", |w| {
                            w.text(
                                "condition",
                                "${contains([\"dev\", \"staging\", \"prod\"], var.environment)}",
                            );
                            w.text("error_message", "One of dev, staging and prod.");
                        });
                    }
                });
            }
            for index in 0..self.variables {
                let mut rng = Rng::of(self.seed, 101, index);
                w.member(format_args!("limit_{index:05}"), |w| {
                    w.plain("default", 1 + rng.below(500));
                    w.text("description", format_args!("Limit of {}", rng.pick(&SERVICES)));
                    w.text("type", "number");
                });
            }
        });
    }

    pub(crate) fn locals<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) {
        w.member("locals", |w| {
            w.member("common_tags", |w| {
                w.text("Environment", "${var.environment}");
                w.text("ManagedBy", "cdk");
                w.text("Stack", &self.stack);
            });
            w.text("production", "${var.environment == \"prod\"}");
            for index in 0..self.locals {
                let mut rng = Rng::of(self.seed, 102, index);
                w.key(format_args!("setting_{index:05}"));
                match rng.below(3) {
                    _ if index < self.variables => {
                        w.string(format_args!("${{var.limit_{index:05} * 2}}"));
                    }
                    0 => w.string(format_args!(
                        "${{local.production ? {} : {}}}",
                        2 + rng.below(8),
                        1
                    )),
                    1 => w.string(format_args!("${{var.prefix}}-{}", rng.pick(&SERVICES))),
                    _ => w.scalar(rng.below(4096)),
                }
            }
        });
    }

    pub(crate) fn outputs<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) {
        w.member("output", |w| {
            w.member("stack", |w| {
                w.text("description", "Name of the stack");
                w.text("value", format_args!("${{var.prefix}}-{}", self.stack));
            });
            for call in self.calls.iter().filter(|call| call.version.is_none()) {
                w.member(format_args!("{}_stack", call.name), |w| {
                    w.text("value", format_args!("${{module.{}.stack}}", call.name));
                });
            }
            for index in 0..self.outputs {
                let kind = Kind::WRITTEN[index as usize % 5];
                let of_kind = index / 5;
                if of_kind >= self.count(kind) {
                    continue;
                }
                w.member(format_args!("{}_id", self.name(kind, of_kind)), |w| {
                    w.text(
                        "description",
                        format_args!("Identifier of {}", self.name(kind, of_kind)),
                    );
                    w.text("value", format_args!("${{{}.id}}", self.address(kind, of_kind)));
                });
            }
        });
    }

    pub(crate) fn data<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) {
        w.member("data", |w| {
            w.member("aws_ami", |w| {
                for index in 0..self.images {
                    let mut rng = Rng::of(self.seed, 103, index);
                    w.member(format_args!("image_{index}"), |w| {
                        w.key("filter");
                        w.array(|w| {
                            w.object(|w| {
                                w.text("name", "name");
                                let release = 20 + 2 * rng.below(3);
                                w.texts("values", [format_args!("ubuntu/images/*-{release}.04-*")]);
                            });
                            w.object(|w| {
                                w.text("name", "virtualization-type");
                                w.texts("values", ["hvm"]);
                            });
                        });
                        w.plain("most_recent", true);
                        w.texts("owners", ["099720109477"]);
                    });
                }
            });
            w.member("aws_caller_identity", |w| w.member("current", |_| ()));
            w.member("aws_iam_policy_document", |w| {
                w.member("assume", |w| {
                    w.block("statement", |w| {
                        let action = Rng::of(self.seed, 104, 0).pick(&ACTIONS);
                        w.texts("actions", ["sts:AssumeRole", action]);
                        w.block("principals", |w| {
                            w.texts("identifiers", ["ec2.amazonaws.com"]);
                            w.text("type", "Service");
                        });
                    });
                });
            });
        });
    }

    pub(crate) fn calls<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) {
        if self.calls.is_empty() {
            return;
        }
        w.member("module", |w| {
            for call in &self.calls {
                w.member(&call.name, |w| {
                    if call.version.is_some() {
                        w.text("name", format_args!("${{var.prefix}}-{}", call.name));
                        w.text("cidr", "10.20.0.0/16");
                    } else {
                        w.text("environment", "${var.environment}");
                        w.text("prefix", format_args!("${{var.prefix}}-{}", call.name));
                    }
                    w.member("providers", |w| {
                        w.text("aws", "aws");
                        if call.version.is_none() {
                            w.text("aws.replica", "aws.replica");
                        }
                    });
                    w.text("source", &call.source);
                    if let Some(version) = call.version {
                        w.text("version", version);
                    }
                });
            }
        });
    }
}
