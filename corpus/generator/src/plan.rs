//! A plan, as `tofu show -json` prints it.
//!
//! Every change is in `resource_changes`, in `configuration`, in `planned_values` unless it
//! deletes, and in `prior_state` unless it creates, so a plan is about four times its resources, as
//! real ones are.

mod change;

use std::io::{self, Write};

use change::{
    Action, Change, IN_MODULE, Key, Local, ModuleAddress, Side, changed_attribute, sensitive,
};

use crate::Stats;
use crate::json::Json;
use crate::module::{Kind, Module, Name};
use crate::rng::Rng;
use crate::words::{COLOURS, DB_CLASSES, ENGINES, INSTANCE_TYPES, PORTS, SERVICES, SIZES, TIERS};

/// The options of [`plan`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanOptions {
    /// Entries of `resource_changes`; about 2.7 KB each when minified.
    pub changes: u64,
    /// How many levels of modules call each other; 1 for modules of the root module only.
    pub depth: u64,
    /// Whether some numbers have 39 digits, more than some readers take.
    pub big_numbers: bool,
    /// Indented by two spaces instead of without white space. The value is the same.
    pub pretty: bool,
    /// The same seed gives the same bytes, on every platform.
    pub seed: u64,
}

impl Default for PlanOptions {
    /// A thousand changes, minified: about 2.7 MB.
    fn default() -> Self {
        Self { changes: 1000, depth: 1, big_numbers: false, pretty: false, seed: 1 }
    }
}

const PROVIDER: &str = "registry.opentofu.org/hashicorp/aws";

/// Writes one plan with changes of every kind, in a root module and many child modules.
///
/// `out` gets pieces of a quarter of a megabyte and does not need a buffer.
///
/// # Errors
///
/// The first error of `out`.
pub fn plan(options: &PlanOptions, out: &mut (impl Write + ?Sized)) -> io::Result<Stats> {
    let plan = Plan {
        module: Module::new(options.seed, "prod", 5 * options.changes.max(1)),
        changes: options.changes,
        depth: options.depth.max(1),
        big_numbers: options.big_numbers,
    };
    let mut w = Json::new(out, options.pretty);
    plan.write(&mut w)?;
    let (bytes, values) = w.finish()?;
    Ok(Stats { bytes, values })
}

/// As [`plan`], into memory.
#[must_use]
pub fn plan_bytes(options: &PlanOptions) -> Vec<u8> {
    let mut out = Vec::new();
    // Writing to memory does not fail.
    drop(plan(options, &mut out));
    out
}

struct Plan {
    /// Gives the names.
    module: Module,
    changes: u64,
    depth: u64,
    big_numbers: bool,
}

impl Plan {
    fn change(&self, index: u64) -> Change {
        let rng = &mut Rng::of(self.module.seed, 301, index);
        let kind =
            [Kind::Bucket, Kind::Policy, Kind::SecurityGroup, Kind::Database, Kind::Instance]
                [rng.below(5) as usize];
        let action = match rng.below(100) {
            0..50 => Action::Nothing,
            50..70 => Action::Update,
            70..82 => Action::Create,
            82..88 => Action::Delete,
            88..93 => Action::DeleteCreate,
            93..95 => Action::CreateDelete,
            95..99 => Action::Read,
            _ => Action::Forget,
        };
        let key = match rng.below(8) {
            0 => Key::Number(rng.below(3)),
            1 => Key::Text(rng.pick(&COLOURS)),
            _ => Key::None,
        };
        Change { index, kind, name: self.module.name(kind, index), action, key, depth: self.depth }
    }

    fn modules(&self) -> u64 {
        self.changes.div_ceil(IN_MODULE).max(1)
    }

    /// How many modules stand between a module and the root.
    fn level(&self, module: u64) -> u64 {
        (module - 1) % self.depth
    }

    /// Whether a module calls the one with the next number; otherwise the root module does.
    fn calls_next(&self, module: u64) -> bool {
        self.level(module) + 1 < self.depth && module + 1 < self.modules()
    }

    fn address(&self, module: u64) -> ModuleAddress {
        ModuleAddress { module, level: self.level(module) }
    }

    fn in_module(&self, module: u64) -> impl Iterator<Item = Change> {
        let first = module * IN_MODULE;
        (first..self.changes.min(first + IN_MODULE)).map(|index| self.change(index))
    }

    fn write<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) -> io::Result<()> {
        w.open_object();
        w.text("format_version", "1.2");
        w.text("terraform_version", "1.9.4");
        w.member("variables", |w| {
            w.member("environment", |w| w.text("value", "prod"));
            w.member("subnets", |w| w.texts("value", ["subnet-0a", "subnet-0b", "subnet-0c"]));
        });
        w.key("planned_values");
        self.values(w, Side::After)?;
        self.list(w, "resource_drift", |change| {
            change.action == Action::Update && change.index % 8 == 0
        })?;
        self.list(w, "resource_changes", |_| true)?;
        w.member("output_changes", |w| {
            w.member("endpoint", |w| {
                w.texts("actions", ["update"]);
                w.text("before", "https://old.example");
                w.text("after", "https://new.example");
                w.plain("after_unknown", false);
                w.plain("before_sensitive", false);
                w.plain("after_sensitive", false);
            });
            w.member("token", |w| {
                w.texts("actions", ["create"]);
                w.plain("before", "null");
                w.plain("after_unknown", true);
                w.plain("before_sensitive", false);
                w.plain("after_sensitive", true);
            });
        });
        w.key("prior_state");
        w.open_object();
        w.text("format_version", "1.0");
        w.text("terraform_version", "1.9.4");
        w.key("values");
        self.values(w, Side::Before)?;
        w.close_object();
        self.configuration(w)?;
        w.key("relevant_attributes");
        w.open_array();
        for change in (0..self.changes).step_by(16).map(|index| self.change(index)) {
            w.object(|w| {
                w.text("resource", &change);
                w.texts("attribute", ["id"]);
            });
            w.checkpoint()?;
        }
        w.close_array();
        w.key("checks");
        w.array(|w| {
            w.object(|w| {
                w.member("address", |w| {
                    w.text("kind", "check");
                    w.text("name", "health");
                    w.text("to_display", "check.health");
                });
                w.text("status", "unknown");
                w.key("instances");
                w.array(|w| {
                    w.object(|w| {
                        w.member("address", |w| w.text("to_display", "check.health"));
                        w.text("status", "unknown");
                    });
                });
            });
        });
        w.text("timestamp", "2026-01-05T09:30:00Z");
        w.plain("errored", false);
        w.close_object();
        Ok(())
    }

    /// The outputs and the tree of modules, as they are on one side.
    fn values<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, side: Side) -> io::Result<()> {
        w.open_object();
        w.member("outputs", |w| {
            w.member("endpoint", |w| {
                w.plain("sensitive", false);
                w.text("type", "string");
                w.text(
                    "value",
                    if side == Side::Before {
                        "https://old.example"
                    } else {
                        "https://new.example"
                    },
                );
            });
        });
        w.key("root_module");
        w.open_object();
        self.resources(w, 0, side)?;
        if self.modules() > 1 {
            w.key("child_modules");
            w.open_array();
            for module in 1..self.modules() {
                w.open_object();
                self.resources(w, module, side)?;
                w.text("address", self.address(module));
                if self.calls_next(module) {
                    w.key("child_modules");
                    w.open_array();
                    continue;
                }
                for _ in 0..self.level(module) {
                    w.close_object();
                    w.close_array();
                }
                w.close_object();
            }
            w.close_array();
        }
        w.close_object();
        w.close_object();
        Ok(())
    }

    fn resources<W: Write + ?Sized>(
        &self,
        w: &mut Json<'_, W>,
        module: u64,
        side: Side,
    ) -> io::Result<()> {
        w.key("resources");
        w.open_array();
        for change in self.in_module(module) {
            let there = match side {
                Side::Before => change.action.has_before(),
                Side::After => change.action.has_after(),
            };
            if !there {
                continue;
            }
            w.object(|w| {
                w.text("address", &change);
                self.identity(w, &change);
                w.text("provider_name", PROVIDER);
                w.plain("schema_version", 0);
                w.key("values");
                self.attributes(w, &change, side);
                w.key("sensitive_values");
                sensitive(w, &change);
            });
            w.checkpoint()?;
        }
        w.close_array();
        Ok(())
    }

    fn identity<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, change: &Change) {
        w.text("mode", if change.is_data() { "data" } else { "managed" });
        w.text("type", change.kind.resource_type());
        w.text("name", change.name);
        match change.key {
            Key::None => {}
            Key::Number(number) => w.plain("index", number),
            Key::Text(text) => w.text("index", text),
        }
    }

    /// A list of changes under `name`, left out when it would be empty, as the tools do.
    fn list<W: Write + ?Sized>(
        &self,
        w: &mut Json<'_, W>,
        name: &str,
        wanted: impl Fn(&Change) -> bool,
    ) -> io::Result<()> {
        let mut started = false;
        for change in (0..self.changes).map(|index| self.change(index)).filter(wanted) {
            if !std::mem::replace(&mut started, true) {
                w.key(name);
                w.open_array();
            }
            w.object(|w| self.resource_change(w, &change));
            w.checkpoint()?;
        }
        if started {
            w.close_array();
        }
        Ok(())
    }

    fn resource_change<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, change: &Change) {
        let action = change.action;
        w.text("address", change);
        if action == Action::Nothing && change.index % 10 == 3 {
            w.text("previous_address", format_args!("{}_old", Local(change, false)));
        }
        if change.module() > 0 {
            w.text("module_address", self.address(change.module()));
        }
        self.identity(w, change);
        w.text("provider_name", PROVIDER);
        w.member("change", |w| {
            w.texts("actions", action.names());
            w.key("before");
            if action.has_before() {
                self.attributes(w, change, Side::Before);
            } else {
                w.scalar("null");
            }
            w.key("after");
            if action.has_after() {
                self.attributes(w, change, Side::After);
            } else {
                w.scalar("null");
            }
            w.member("after_unknown", |w| {
                if action.is_new() {
                    w.plain("arn", true);
                    w.plain("id", true);
                }
                if action.has_after() {
                    w.member("tags", |_| ());
                    w.member("tags_all", |_| ());
                }
            });
            for (name, there) in
                [("before_sensitive", action.has_before()), ("after_sensitive", action.has_after())]
            {
                w.key(name);
                if there {
                    sensitive(w, change);
                } else {
                    w.scalar("false");
                }
            }
            if matches!(action, Action::DeleteCreate | Action::CreateDelete) {
                w.key("replace_paths");
                w.array(|w| {
                    w.array(|w| w.string(changed_attribute(change.kind)));
                });
            }
            if action == Action::Nothing && change.index % 10 == 7 {
                w.member("importing", |w| w.text("id", self.id(change, Side::Before)));
            }
        });
        let reason = match action {
            Action::DeleteCreate => Some("replace_because_cannot_update"),
            Action::CreateDelete => Some("replace_because_tainted"),
            Action::Delete => Some("delete_because_no_resource_config"),
            Action::Read => Some("read_because_config_unknown"),
            _ => None,
        };
        if let Some(reason) = reason {
            w.text("action_reason", reason);
        }
    }

    fn id(&self, change: &Change, side: Side) -> String {
        let fresh = u64::from(side == Side::After && change.action.is_new());
        format!("{:016x}", Rng::of(self.module.seed, 302, 2 * change.index + fresh).next())
    }

    /// The values of a resource on one side, without those that are not known yet.
    fn attributes<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, change: &Change, side: Side) {
        // The two sides of an action that changes something differ in one argument and one tag.
        let changed = side == Side::After
            && matches!(
                change.action,
                Action::Update | Action::DeleteCreate | Action::CreateDelete
            );
        let pick = usize::from(changed);
        let rng = &mut Rng::of(self.module.seed, 303, change.index);
        let Name { service, role, id } = change.name;
        let own = (!(side == Side::After && change.action.is_new())).then(|| self.id(change, side));
        let arn = own
            .as_ref()
            .map(|own| format!("arn:aws:svc:eu-central-1:123456789012:{service}/{own}"));
        // Members stand in the order of their names, as the tools write them.
        let tags = |w: &mut Json<'_, W>| {
            for name in ["tags", "tags_all"] {
                w.member(name, |w| {
                    w.text("Name", format_args!("{service}-{role}"));
                    w.text("Team", self.module.owner(change.name));
                    w.text("Tier", TIERS[pick]);
                });
            }
        };
        w.open_object();
        match change.kind {
            Kind::Bucket => {
                known(w, "arn", arn);
                w.text("bucket", format_args!("acme-{service}-{id:05x}"));
                w.plain("force_destroy", changed);
                known(w, "id", own);
                w.key("lifecycle_rule");
                w.array(|w| {
                    w.object(|w| {
                        w.plain("enabled", true);
                        w.block("expiration", |w| w.plain("days", 30 * (1 + rng.below(36))));
                        w.text("id", "old");
                        w.texts("transition", [""; 0]);
                    });
                });
                tags(w);
            }
            Kind::Policy => {
                let effect = ["Allow", "Deny"][pick];
                known(w, "arn", arn);
                known(w, "id", own);
                w.text("name", format_args!("{role}-{id:05x}"));
                w.text(
                    "policy",
                    format_args!(
                        "{{\"Version\":\"2012-10-17\",\"Statement\":[{{\"Effect\":\"{effect}\",\
                         \"Action\":[\"s3:GetObject\",\"s3:ListBucket\"],\"Resource\":\
                         [\"arn:aws:s3:::acme-{service}\",\"arn:aws:s3:::acme-{service}/*\"]}}]}}"
                    ),
                );
                tags(w);
            }
            Kind::SecurityGroup => {
                let port = rng.pick(&PORTS) + pick as u64;
                known(w, "arn", arn);
                w.text("description", "Managed by Terraform");
                known(w, "id", own);
                w.block("ingress", |w| {
                    w.texts("cidr_blocks", ["10.0.0.0/8"]);
                    w.text("description", "");
                    w.plain("from_port", port);
                    w.texts("ipv6_cidr_blocks", [""; 0]);
                    w.texts("prefix_list_ids", [""; 0]);
                    w.text("protocol", "tcp");
                    w.texts("security_groups", [""; 0]);
                    w.plain("self", false);
                    w.plain("to_port", port);
                });
                w.text("name", format_args!("{service}-{id:05x}"));
                w.plain("revoke_rules_on_delete", "null");
                tags(w);
                w.text("vpc_id", "vpc-0a1b2c3d");
            }
            Kind::Database => {
                w.plain("allocated_storage", rng.pick(&SIZES));
                known(w, "arn", arn);
                w.text("engine", rng.pick(&ENGINES));
                known(w, "id", own);
                w.text("instance_class", DB_CLASSES[rng.below(2) as usize + pick]);
                w.plain("iops", 3000);
                w.plain("multi_az", rng.one_in(2));
                w.text("password", format_args!("{:016x}", rng.next()));
                w.plain("port", 5432);
                // Beyond what a double holds.
                w.plain("revision", 9_007_199_254_740_993_u64 + change.index);
                if self.big_numbers {
                    w.plain("storage_limit", "340282366920938463463374607431768211456");
                }
                w.plain("storage_throughput", "125.5");
                tags(w);
                w.texts("vpc_security_group_ids", [format_args!("sg-{:08x}", rng.below(1 << 32))]);
            }
            Kind::Instance => {
                w.text("ami", format_args!("ami-{:017x}", rng.next() >> 4));
                known(w, "arn", arn);
                w.plain("get_password_data", false);
                known(w, "id", own);
                w.text("instance_type", INSTANCE_TYPES[rng.below(5) as usize + pick]);
                w.block("root_block_device", |w| {
                    w.plain("encrypted", true);
                    w.plain("iops", 3000);
                    w.plain("kms_key_id", "null");
                    w.plain("volume_size", rng.pick(&SIZES));
                });
                w.text(
                    "subnet_id",
                    format_args!("subnet-0{}", ["a", "b", "c"][rng.below(3) as usize]),
                );
                tags(w);
                w.text(
                    "user_data",
                    format_args!("#!/bin/bash\nset -eu\nsystemctl enable --now {service}-{role}\n"),
                );
            }
        }
        w.close_object();
    }

    fn configuration<W: Write + ?Sized>(&self, w: &mut Json<'_, W>) -> io::Result<()> {
        w.key("configuration");
        w.open_object();
        w.member("provider_config", |w| {
            w.member("aws", |w| {
                w.text("name", "aws");
                w.text("full_name", PROVIDER);
                w.text("version_constraint", "~> 5.60");
                w.member("expressions", |w| {
                    w.member("region", |w| w.text("constant_value", "eu-central-1"));
                });
            });
        });
        w.key("root_module");
        w.open_object();
        self.configured(w, 0)?;
        if self.modules() > 1 {
            w.key("module_calls");
            w.open_object();
            for module in 1..self.modules() {
                let service = SERVICES[module as usize % SERVICES.len()];
                w.key(format_args!("{service}_{module:04}"));
                w.open_object();
                w.text("source", format_args!("./modules/{service}"));
                w.member("expressions", |w| {
                    w.member("environment", |w| w.texts("references", ["var.environment"]));
                });
                w.member("for_each_expression", |w| w.texts("references", ["var.regions"]));
                w.key("module");
                w.open_object();
                self.configured(w, module)?;
                if self.calls_next(module) {
                    w.key("module_calls");
                    w.open_object();
                    continue;
                }
                for _ in 0..self.level(module) {
                    close_module(w);
                    w.close_object();
                }
                close_module(w);
            }
            w.close_object();
        }
        w.member("variables", |w| {
            w.member("environment", |w| {
                w.text("default", "dev");
                w.text("description", "Stage");
            });
            w.member("regions", |w| w.texts("default", ["eu-central-1"]));
            w.member("subnets", |_| ());
        });
        w.close_object();
        w.close_object();
        Ok(())
    }

    /// The configuration of one module's resources; those that are deleted have none.
    fn configured<W: Write + ?Sized>(&self, w: &mut Json<'_, W>, module: u64) -> io::Result<()> {
        w.key("resources");
        w.open_array();
        for change in self.in_module(module).filter(|change| change.action.has_after()) {
            w.object(|w| {
                w.text("address", Local(&change, false));
                w.text("mode", if change.is_data() { "data" } else { "managed" });
                w.text("type", change.kind.resource_type());
                w.text("name", change.name);
                w.text("provider_config_key", "aws");
                w.member("expressions", |w| {
                    w.member(changed_attribute(change.kind), |w| {
                        w.texts("references", ["each.value.size", "each.value"]);
                    });
                    w.member("tags", |w| w.texts("references", ["var.environment"]));
                });
                w.plain("schema_version", 0);
                match change.key {
                    Key::None => {}
                    Key::Number(_) => {
                        w.member("count_expression", |w| w.plain("constant_value", 3));
                    }
                    Key::Text(_) => {
                        w.member("for_each_expression", |w| w.member("constant_value", |_| ()));
                    }
                }
            });
            w.checkpoint()?;
        }
        w.close_array();
        Ok(())
    }
}

/// A member that is left out while its value is not known.
fn known<W: Write + ?Sized>(w: &mut Json<'_, W>, name: &str, value: Option<String>) {
    if let Some(value) = value {
        w.text(name, value);
    }
}

/// Ends a module of the configuration and the call around it.
fn close_module<W: Write + ?Sized>(w: &mut Json<'_, W>) {
    w.member("variables", |w| {
        w.member("environment", |_| ());
        w.member("regions", |w| w.texts("default", ["eu-central-1"]));
    });
    w.close_object();
    w.close_object();
}
