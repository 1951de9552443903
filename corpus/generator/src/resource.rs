//! The resources of a generated module, written as a CDK writes them: `"//"` first, then the
//! arguments by name, nested blocks in arrays.

use std::fmt::{self, Display};
use std::io::{self, Write};

use crate::json::Json;
use crate::module::{Kind, Module, Name, Repetition};
use crate::rng::Rng;
use crate::words::{
    ACTIONS, COLOURS, DB_CLASSES, ENGINES, INSTANCE_TYPES, PORTS, SIZES, STORAGE_CLASSES, TIERS,
};

/// `f` as something to print.
struct Shown<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> Display for Shown<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

impl Module {
    /// The `resource` member with every resource of the module.
    pub(crate) fn resources<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) -> io::Result<()> {
        if self.resources == 0 {
            return Ok(());
        }
        w.key("resource");
        w.open_object();
        for kind in Kind::WRITTEN {
            if self.count(kind) == 0 {
                continue;
            }
            w.key(kind.resource_type());
            w.open_object();
            for index in 0..self.count(kind) {
                w.key(self.name(kind, index));
                w.object(|w| self.resource(w, kind, index));
                w.checkpoint()?;
            }
            w.close_object();
        }
        w.close_object();
        Ok(())
    }

    fn resource<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, kind: Kind, index: u64) {
        let name = self.name(kind, index);
        let rng = &mut self.rng(kind, index);
        w.member("//", |w| {
            w.member("metadata", |w| {
                let Name { service, role, .. } = name;
                w.text("path", format_args!("{}/{service}/{role}", self.stack));
                w.text("uniqueId", name);
            });
        });
        match kind {
            Kind::Bucket => self.bucket(w, index, rng),
            Kind::Policy => self.policy(w, name, rng),
            Kind::SecurityGroup => self.security_group(w, name, rng),
            Kind::Database => self.database(w, name, rng),
            Kind::Instance => self.instance(w, index, rng),
        }
    }

    fn tags<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, name: Name, rng: &mut Rng) {
        w.member("tags", |w| {
            if rng.one_in(2) {
                w.text("Name", format_args!("${{var.prefix}}-{}", name.role));
            } else {
                w.text("Name", format_args!("{}-{}", name.service, name.role));
            }
            w.text("Team", self.owner(name));
            w.text("Tier", rng.pick(&TIERS));
        });
    }

    fn bucket<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, index: u64, rng: &mut Rng) {
        let name = self.name(Kind::Bucket, index);
        if self.repetition(Kind::Bucket, index) == Repetition::ForEach {
            w.text("bucket", format_args!("{}-{:05x}-${{each.key}}", name.service, name.id));
            let [blue, green] = COLOURS;
            w.text("for_each", format_args!("${{toset([\"{blue}\", \"{green}\"])}}"));
        } else {
            w.text("bucket", format_args!("${{var.prefix}}-{:05x}", name.id));
        }
        if rng.one_in(2) {
            w.plain("force_destroy", rng.one_in(8));
        } else {
            w.member("lifecycle", |w| w.plain("prevent_destroy", true));
        }
        w.block("lifecycle_rule", |w| {
            w.plain("enabled", true);
            w.block("expiration", |w| w.plain("days", 30 * (13 + rng.below(24))));
            w.text("id", "old");
            w.key("transition");
            w.array(|w| {
                for (at, class) in STORAGE_CLASSES.into_iter().enumerate() {
                    w.object(|w| {
                        w.plain("days", 30 + 60 * at);
                        w.text("storage_class", class);
                    });
                }
            });
        });
        if rng.one_in(8) {
            w.text("provider", "aws.replica");
        }
        self.tags(w, name, rng);
    }

    fn policy<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, name: Name, rng: &mut Rng) {
        w.text("name", format_args!("{}-{:05x}", name.role, name.id));
        let bucket = self.some(Kind::Bucket, rng);
        let statements = [rng.next(), rng.next()];
        w.text(
            "policy",
            Shown(|f| {
                f.write_str("{\"Version\":\"2012-10-17\",\"Statement\":[")?;
                for (at, &bits) in statements.iter().enumerate() {
                    let action = |shift: u32| ACTIONS[(bits >> shift) as usize % ACTIONS.len()];
                    write!(
                        f,
                        "{}{{\"Effect\":\"Allow\",\"Action\":[\"{}\",\"{}\"],\"Resource\":",
                        if at > 0 { "," } else { "" },
                        action(0),
                        action(8),
                    )?;
                    match &bucket {
                        Some(bucket) if at == 0 => write!(f, "\"${{{bucket}.arn}}/*\"}}")?,
                        _ => write!(
                            f,
                            "\"*\",\"Condition\":{{\"StringEquals\":{{\
                             \"aws:ResourceTag/Team\":\"{}\"}}}}}}",
                            self.owner(name),
                        )?,
                    }
                }
                f.write_str("]}")
            }),
        );
        self.tags(w, name, rng);
    }

    fn security_group<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, name: Name, rng: &mut Rng) {
        w.key("ingress");
        w.array(|w| {
            let port = rng.pick(&PORTS);
            let open = rng.one_in(2);
            w.object(|w| {
                if open {
                    w.texts("cidr_blocks", ["10.0.0.0/8"]);
                } else {
                    w.text("cidr_blocks", "${var.cidrs}");
                }
                w.plain("description", "null");
                w.plain("from_port", port);
                w.plain("ipv6_cidr_blocks", "null");
                w.plain("prefix_list_ids", "null");
                w.text("protocol", "tcp");
                w.plain("security_groups", "null");
                w.plain("self", "null");
                w.plain("to_port", port);
            });
        });
        w.member("lifecycle", |w| w.plain("create_before_destroy", true));
        w.text("name", format_args!("{}-{:05x}", name.service, name.id));
        self.tags(w, name, rng);
        w.text("vpc_id", "${var.vpc}");
    }

    fn database<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, name: Name, rng: &mut Rng) {
        w.plain("allocated_storage", rng.pick(&SIZES));
        if rng.one_in(4)
            && let Some(policy) = self.some(Kind::Policy, rng)
        {
            w.texts("depends_on", [policy]);
        }
        w.text("engine", rng.pick(&ENGINES));
        w.text("instance_class", rng.pick(&DB_CLASSES));
        w.plain("iops", 3000);
        w.member("lifecycle", |w| w.texts("ignore_changes", ["password"]));
        w.plain("multi_az", rng.one_in(2));
        w.text("password", "${var.db_password}");
        w.plain("port", 5432);
        self.tags(w, name, rng);
        w.text("username", name.service);
        self.groups(w, rng);
    }

    fn instance<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, index: u64, rng: &mut Rng) {
        let name = self.name(Kind::Instance, index);
        let image = rng.below(self.images);
        w.text("ami", format_args!("${{data.aws_ami.image_{image}.id}}"));
        if let Repetition::Count(count) = self.repetition(Kind::Instance, index) {
            w.plain("count", count);
        }
        w.text("instance_type", rng.pick(&INSTANCE_TYPES));
        if rng.one_in(4) {
            w.member("lifecycle", |w| w.texts("ignore_changes", ["ami", "tags[\"Tier\"]"]));
        }
        w.block("root_block_device", |w| {
            w.plain("encrypted", true);
            w.plain("volume_size", rng.pick(&SIZES));
        });
        w.text("subnet_id", format_args!("${{var.subnets[{}]}}", rng.below(3)));
        self.tags(w, name, rng);
        let bucket = self.some(Kind::Bucket, rng);
        let job = rng.below(4);
        w.text(
            "user_data",
            Shown(|f| {
                let Name { service, role, .. } = name;
                write!(
                    f,
                    "#!/bin/bash\nset -euo pipefail\ncat > /etc/{service}.env <<'EOF'\n\
                     STAGE=${{var.environment}}\nROLE={role}\nTEAM={}\n",
                    self.owner(name)
                )?;
                if let Some(bucket) = &bucket {
                    writeln!(f, "BUCKET=${{{bucket}.id}}")?;
                }
                write!(
                    f,
                    "EOF\nsystemctl enable --now {service}-{role}@{job}.service\n\
                     echo \"$${{HOSTNAME}} is up\"\t| logger -t {service}\n"
                )
            }),
        );
        self.groups(w, rng);
    }

    /// The security group of half of the machines.
    fn groups<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, rng: &mut Rng) {
        let used = rng.one_in(2);
        if let Some(group) = self.some(Kind::SecurityGroup, rng).filter(|_| used) {
            w.texts("vpc_security_group_ids", [format_args!("${{{group}.id}}")]);
        }
    }
}
