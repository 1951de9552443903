//! Conditions of a plan or a state file, as the tools print them.

use super::error::Malformed;
use super::message::{CheckObject, CheckResults};
use super::text::{List, push_string};
use super::tree::{Place, write_integer};
use crate::show::{Key, RawState};

/// The conditions of one block.
#[derive(Debug, Default)]
pub(super) struct Check<'a> {
    kind: &'a str,
    address: &'a str,
    status: &'a str,
    instances: Vec<Instance<'a>>,
}

/// The conditions of one instance.
#[derive(Debug, Default)]
struct Instance<'a> {
    address: &'a str,
    status: &'a str,
    problems: Vec<&'a str>,
}

fn status(number: u64) -> &'static str {
    ["unknown", "pass", "fail", "error"].get(number as usize).copied().unwrap_or("unknown")
}

impl<'a> Check<'a> {
    /// The conditions of a plan.
    pub(super) fn of_plan(messages: &[&'a [u8]]) -> Result<Vec<Self>, Malformed> {
        let check = |bytes: &&'a [u8]| {
            let check = CheckResults::read(bytes)?;
            let kinds = ["", "resource", "output_value", "check", "var"];
            let instance = |bytes: &&'a [u8]| {
                let object = CheckObject::read(bytes)?;
                Ok(Instance {
                    address: object.address,
                    status: status(object.status),
                    problems: object.failure_messages,
                })
            };
            Ok(Self {
                kind: kinds.get(check.kind as usize).copied().unwrap_or_default(),
                address: check.address,
                status: status(check.status),
                instances: check.objects.iter().map(instance).collect::<Result<_, _>>()?,
            })
        };
        messages.iter().map(check).collect()
    }

    /// The conditions of a state file.
    pub(super) fn of_state(state: RawState<'a>) -> Vec<Self> {
        let checks = state.check_results().value().into_iter().flat_map(crate::show::List::iter);
        let check = |check: crate::show::RawCheck<'a>| {
            let objects = check.objects().value().into_iter().flat_map(crate::show::List::iter);
            let kind = check.object_kind().value().map_or("", |kind| kind.name());
            let instances = objects.map(|object| Instance {
                address: object.object_addr().value().unwrap_or_default(),
                status: object.status().value().map_or("unknown", |status| status.name()),
                problems: object
                    .failure_messages()
                    .value()
                    .into_iter()
                    .flat_map(crate::show::List::iter)
                    .collect(),
            });
            Self {
                kind: if kind == "output" { "output_value" } else { kind },
                address: check.config_addr().value().unwrap_or_default(),
                status: check.status().value().map_or("unknown", |status| status.name()),
                instances: instances.collect(),
            }
        };
        checks.map(check).collect()
    }

    /// Writes all conditions, sorted by address.
    pub(super) fn write_all(checks: &mut [Self], out: &mut Vec<u8>) {
        checks.sort_by_key(|check| check.address);
        let mut list = List::array(out);
        for check in checks {
            check.write(list.element());
        }
        list.end();
    }

    fn write(&mut self, out: &mut Vec<u8>) {
        let mut check = List::object(out);
        let place = Place::of(self.address).ok();
        let step = place.as_ref().and_then(|place| place.address.resource.as_ref());
        let is_resource = self.kind == "resource";
        let mut address = List::object(check.key("address"));
        address.string("kind", self.kind);
        if let Some(step) = step.filter(|_| is_resource) {
            address.string("mode", step.mode.name());
        }
        if let Some(place) = &place {
            address.some_string("module", &place.module());
        }
        address.string("name", step.map_or("", |step| step.name));
        address.string("to_display", self.address);
        if let Some(step) = step.filter(|_| is_resource) {
            address.string("type", step.resource_type);
        }
        address.end();
        check.string("status", self.status);
        if !self.instances.is_empty() {
            self.instances.sort_by_key(|instance| instance.address);
            let mut instances = List::array(check.key("instances"));
            for instance in &mut self.instances {
                instance.write(is_resource, instances.element());
            }
            instances.end();
        }
        check.end();
    }
}

impl Instance<'_> {
    fn write(&mut self, is_resource: bool, out: &mut Vec<u8>) {
        let mut instance = List::object(out);
        let place = Place::of(self.address).ok();
        let mut address = List::object(instance.key("address"));
        if let Some(place) = &place {
            let key = place.address.resource.as_ref().and_then(|step| step.key.as_ref());
            match key.filter(|_| is_resource) {
                Some(Key::Number(digits)) => write_integer(digits, address.key("instance_key")),
                Some(Key::Text(text)) => address.string("instance_key", text),
                _ => {}
            }
            address.some_string("module", &place.module());
        }
        address.string("to_display", self.address);
        address.end();
        instance.string("status", self.status);
        if !self.problems.is_empty() {
            self.problems.sort_unstable();
            let mut problems = List::array(instance.key("problems"));
            for message in &self.problems {
                let mut problem = List::object(problems.element());
                push_string(problem.key("message"), message);
                problem.end();
            }
            problems.end();
        }
        instance.end();
    }
}
