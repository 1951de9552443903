//! Upgrades state files of version 1 to 3 to version 4.
//!
//! The rules are those of the tools. In the old versions, resources are keyed by address,
//! attributes are flat (`tags.%`, `ingress.#`), and providers have legacy names. The type of an
//! output is taken from its value, since the old type is less precise.

use super::address::{LEGACY_PROVIDER, legacy_provider};
use super::field::Read;
use crate::document::Document;
use crate::hash::HashMap;
use crate::json::{Node, Object};
use crate::source::Source;
use crate::value;
use crate::write::{ArrayWriter, Layout, ObjectWriter, to_string};

/// The document in version 4. `None` if it cannot be parsed again, which does not happen.
pub(super) fn upgraded(state: Object<'_>) -> Option<Document<'_>> {
    let source = state.node().source();
    let text = to_string(Layout::Compact, |slot| write(state, slot.object()));
    let text = source.arena().str(&text);
    let source = Source::from_bytes(source.arena(), source.name(), text.as_bytes()).ok()?;
    Document::parse(source.arena(), source).ok()
}

fn elements(node: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    node.and_then(Node::as_array).into_iter().flat_map(|array| array.elements())
}

fn write(state: Object<'_>, mut out: ObjectWriter<'_, '_>) {
    out.key("version").unsigned(4);
    for name in ["terraform_version", "serial", "lineage"] {
        if let Some(node) = state.get(name) {
            out.key(name).node(node);
        }
    }
    let mut outputs = out.key("outputs").object();
    for module in elements(state.get("modules")).filter_map(Node::as_object) {
        let is_root = elements(module.get("path")).count() <= 1;
        let all = module.get("outputs").and_then(Node::as_object);
        for member in all.into_iter().filter(|_| is_root).flat_map(Object::members) {
            write_output(member.value(), outputs.json_key(member.name()).object());
        }
    }
    outputs.end();
    let mut resources = out.key("resources").array();
    for module in elements(state.get("modules")).filter_map(Node::as_object) {
        write_module(module, &mut resources);
    }
}

fn write_output(output: Node<'_>, mut out: ObjectWriter<'_, '_>) {
    // Version 1 has only the value.
    let (value, sensitive) = match output.as_object() {
        Some(output) => (output.get("value"), output.get("sensitive").and_then(Node::as_bool)),
        None => (Some(output), None),
    };
    let Some(node) = value else { return };
    out.key("value").node(node);
    if let Ok(value) = value::from_node(node.source().arena(), node) {
        value::write_type(value.ty(), out.key("type"));
    }
    if sensitive == Some(true) {
        out.key("sensitive").bool(true);
    }
}

/// A parsed address of a resource in its module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct LegacyAddress<'a> {
    is_data: bool,
    resource_type: &'a str,
    name: &'a str,
}

/// A resource of the file, which is one instance, with its index.
type Numbered<'a> = (Option<u64>, Object<'a>);

/// Parses `data.aws_ami.base.0`: mode, type and name, and the index.
fn legacy_address(text: &str) -> (LegacyAddress<'_>, Option<u64>) {
    let (is_data, rest) = match text.strip_prefix("data.") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (resource_type, rest) = rest.split_once('.').unwrap_or((rest, ""));
    let (name, index) = match rest.rsplit_once('.') {
        Some((name, digits)) => match digits.parse() {
            Ok(index) => (name, Some(index)),
            Err(_) => (rest, None),
        },
        None => (rest, None),
    };
    (LegacyAddress { is_data, resource_type, name }, index)
}

fn write_module(module: Object<'_>, resources: &mut ArrayWriter<'_, '_>) {
    let path: Vec<&str> = elements(module.get("path")).skip(1).filter_map(Node::to_str).collect();
    let path: Vec<String> = path.iter().map(|name| format!("module.{name}")).collect();
    let path = path.join(".");
    // The instances of each block, in the order of the file.
    let mut blocks: Vec<(LegacyAddress<'_>, Vec<Numbered<'_>>)> = Vec::new();
    let mut places: HashMap<LegacyAddress<'_>, usize> = HashMap::default();
    let all = module.get("resources").and_then(Node::as_object);
    for member in all.into_iter().flat_map(Object::members) {
        let Some(resource) = member.value().as_object() else { continue };
        let (address, index) = legacy_address(member.name().to_str());
        let place = *places.entry(address).or_insert_with(|| {
            blocks.push((address, Vec::new()));
            blocks.len() - 1
        });
        if let Some((_, instances)) = blocks.get_mut(place) {
            instances.push((index, resource));
        }
    }
    for (address, instances) in blocks {
        let mut out = resources.element().object();
        if !path.is_empty() {
            out.key("module").string(&path);
        }
        out.key("mode").string(if address.is_data { "data" } else { "managed" });
        out.key("type").string(address.resource_type);
        out.key("name").string(address.name);
        let provider = instances.iter().find_map(|(_, it)| it.get("provider")?.to_str());
        out.key("provider").string(&provider_name(provider, address.resource_type));
        let mut list = out.key("instances").array();
        for (index, resource) in instances {
            write_instances(resource, index, &mut list);
        }
    }
}

/// `provider["registry.terraform.io/-/aws"]` for `provider.aws`; the type's provider if none is
/// written.
fn provider_name(written: Option<&str>, resource_type: &str) -> String {
    let implied = resource_type.split('_').next().unwrap_or(resource_type);
    let (name, alias) = written.and_then(legacy_provider).unwrap_or((implied, None));
    match alias {
        Some(alias) => format!("provider[\"{LEGACY_PROVIDER}{name}\"].{alias}"),
        None => format!("provider[\"{LEGACY_PROVIDER}{name}\"]"),
    }
}

fn write_instances(resource: Object<'_>, index: Option<u64>, list: &mut ArrayWriter<'_, '_>) {
    let dependencies = resource.get("depends_on");
    let mut write = |instance: Object<'_>, deposed: Option<String>| {
        let mut out = list.element().object();
        if let Some(index) = index {
            out.key("index_key").unsigned(index);
        }
        if instance.get("tainted").and_then(Node::as_bool) == Some(true) {
            out.key("status").string("tainted");
        }
        if let Some(deposed) = deposed {
            out.key("deposed").string(&deposed);
        }
        let version = instance.get("meta").and_then(Node::as_object);
        let version = version.and_then(|meta| meta.get("schema_version"));
        let version =
            version.and_then(|node| u64::read(node).or_else(|| node.to_str()?.parse().ok()));
        out.key("schema_version").unsigned(version.unwrap_or_default());
        if let Some(attributes) = instance.get("attributes") {
            out.key("attributes_flat").node(attributes);
        }
        if let Some(dependencies) = dependencies.filter(|node| node.is_array()) {
            out.key("dependencies").node(dependencies);
        }
    };
    if let Some(primary) = resource.get("primary").and_then(Node::as_object) {
        write(primary, None);
    }
    // The tools draw random keys for deposed objects. Here, the same file always gets the same
    // keys.
    for (number, deposed) in elements(resource.get("deposed")).enumerate() {
        if let Some(deposed) = deposed.as_object() {
            write(deposed, Some(format!("{:08x}", number + 1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{legacy_address, provider_name};

    #[test]
    fn addresses_and_providers() {
        let parts = |text| {
            let (address, index) = legacy_address(text);
            (address.is_data, address.resource_type, address.name, index)
        };
        assert_eq!(parts("aws_x.y"), (false, "aws_x", "y", None));
        assert_eq!(parts("aws_x.y.10"), (false, "aws_x", "y", Some(10)));
        assert_eq!(parts("data.aws_x.y.0"), (true, "aws_x", "y", Some(0)));
        assert_eq!(parts("odd"), (false, "odd", "", None));
        let legacy = |name| format!("provider[\"registry.terraform.io/-/{name}\"]");
        assert_eq!(provider_name(Some("provider.aws"), "x_y"), legacy("aws"));
        assert_eq!(provider_name(Some("module.m.provider.aws.eu"), "x"), legacy("aws") + ".eu");
        assert_eq!(provider_name(None, "google_compute_instance"), legacy("google"));
        assert_eq!(provider_name(Some(""), "null_resource"), legacy("null"));
    }
}
