//! The configuration inside a plan: modules by call, resources, expressions and their references.
//!
//! A module of the configuration represents all of its instances: it has a path of call names,
//! without keys. References are relative to their module; [`ConfigReference::target`] is the
//! address from the root.

use super::address::{Address, ResourceStep};
use super::field::{ChildNodes, Field, List, Map, Read, views};
use super::names::ResourceMode;
use crate::json::{JsonValue, Members, Node, Object};
use crate::lexical::is_identifier;

views! {
    /// The configuration that was planned.
    Configuration {
        /// Providers by key: `NAME`, `NAME.ALIAS`, `module.a:NAME`. Keys that resources name may be
        /// missing.
        provider_config "provider_config" Map<'a, ProviderConfig<'a>>;
        /// The root module.
        root_module "root_module" ConfigModule<'a>;
    }

    /// The configuration of a provider.
    ProviderConfig {
        /// The local name.
        name "name" &'a str;
        /// The provider, `HOST/NAMESPACE/TYPE`.
        full_name "full_name" &'a str;
        /// The alias.
        alias "alias" &'a str;
        /// The version constraint.
        version_constraint "version_constraint" &'a str;
        /// The module, without keys; absent in the root module.
        module_address "module_address" &'a str;
        /// The arguments.
        expressions "expressions" Object<'a>;
    }

    /// A module.
    ConfigModule {
        /// Outputs by name.
        outputs "outputs" Map<'a, ConfigOutput<'a>>;
        /// Resources.
        resources "resources" List<'a, ConfigResource<'a>>;
        /// Calls of modules by name.
        module_calls "module_calls" Map<'a, ConfigCall<'a>>;
        /// Variables by name.
        variables "variables" Map<'a, ConfigVariable<'a>>;
        /// Actions (Terraform).
        actions "actions" List<'a, ConfigAction<'a>>;
    }

    /// An output.
    ConfigOutput {
        /// Whether it is sensitive.
        sensitive "sensitive" bool;
        /// Its value.
        expression "expression" ConfigExpression<'a>;
        /// Its explicit dependencies.
        depends_on "depends_on" List<'a, &'a str>;
        /// The description.
        description "description" &'a str;
        /// Whether it is ephemeral (OpenTofu).
        ephemeral "ephemeral" bool;
        /// Why it should not be used (OpenTofu).
        deprecated "deprecated" &'a str;
    }

    /// A variable.
    ConfigVariable {
        /// The default; null is a default.
        default "default" Node<'a>;
        /// The description.
        description "description" &'a str;
        /// Whether it is sensitive.
        sensitive "sensitive" bool;
        /// Its type (OpenTofu).
        value_type "type" Node<'a>;
        /// Whether it must be set (OpenTofu).
        required "required" bool;
        /// Whether it is ephemeral (OpenTofu).
        ephemeral "ephemeral" bool;
        /// Why it should not be used (OpenTofu).
        deprecated "deprecated" &'a str;
    }

    /// A resource block.
    ConfigResource {
        /// The address in its module: `aws_instance.web`, `data.aws_ami.base`.
        address "address" &'a str;
        /// The kind of resource.
        mode "mode" ResourceMode<'a>;
        /// The resource type.
        resource_type "type" &'a str;
        /// The name.
        name "name" &'a str;
        /// The key of its provider in `provider_config`.
        provider_config_key "provider_config_key" &'a str;
        /// Provisioners.
        provisioners "provisioners" List<'a, Provisioner<'a>>;
        /// The arguments and nested blocks.
        expressions "expressions" Object<'a>;
        /// The version of the schema that was used.
        schema_version "schema_version" u64;
        /// `count`
        count_expression "count_expression" ConfigExpression<'a>;
        /// `for_each`
        for_each_expression "for_each_expression" ConfigExpression<'a>;
        /// The explicit dependencies.
        depends_on "depends_on" List<'a, &'a str>;
    }

    /// A provisioner of a resource.
    Provisioner {
        /// Its type.
        provisioner_type "type" &'a str;
        /// The arguments.
        expressions "expressions" Object<'a>;
    }

    /// An action block (Terraform).
    ConfigAction {
        /// The address in its module.
        address "address" &'a str;
        /// Its type.
        action_type "type" &'a str;
        /// Its name.
        name "name" &'a str;
        /// The key of its provider in `provider_config`.
        provider_config_key "provider_config_key" &'a str;
        /// `count`
        count_expression "count_expression" ConfigExpression<'a>;
        /// `for_each`
        for_each_expression "for_each_expression" ConfigExpression<'a>;
    }

    /// A call of a module.
    ConfigCall {
        /// The address of the module, as written.
        source "source" &'a str;
        /// Where the source was found, as the documentation of the format has it: no tool writes it.
        resolved_source "resolved_source" &'a str;
        /// The arguments.
        expressions "expressions" Object<'a>;
        /// `count`
        count_expression "count_expression" ConfigExpression<'a>;
        /// `for_each`
        for_each_expression "for_each_expression" ConfigExpression<'a>;
        /// The module.
        module "module" ConfigModule<'a>;
        /// The version constraint.
        version_constraint "version_constraint" &'a str;
        /// The explicit dependencies.
        depends_on "depends_on" List<'a, &'a str>;
    }

    /// An expression: a constant, or its references, or neither (a call of a function).
    ConfigExpression {
        /// The value of a constant; null is a constant.
        constant_value "constant_value" Node<'a>;
        /// The references, each followed by its prefixes.
        references "references" List<'a, &'a str>;
    }
}

impl<'a> Configuration<'a> {
    /// All modules, each before those that it calls.
    #[must_use]
    pub fn modules(self) -> ConfigModules<'a> {
        ConfigModules { root: self.root_module().value(), calls: Vec::new(), path: Vec::new() }
    }

    /// The block of an instance. Cost: linear in the calls and resources of the modules on the
    /// path.
    #[must_use]
    pub fn resource(self, address: &Address<'_>) -> Option<ConfigResource<'a>> {
        let wanted = address.resource.as_ref()?;
        let mut module = self.root_module().value()?;
        for call in &address.modules {
            module = module.module_calls().value()?.get(call.name).value()?.module().value()?;
        }
        let is_wanted = |resource: &ConfigResource<'a>| {
            resource.name().value() == Some(wanted.name)
                && resource.resource_type().value() == Some(wanted.resource_type)
                && resource.mode().value().unwrap_or(ResourceMode::Managed).name()
                    == wanted.mode.name()
        };
        module.resources().value()?.iter().find(is_wanted)
    }
}

/// Walks the modules of a configuration.
pub struct ConfigModules<'a> {
    root: Option<ConfigModule<'a>>,
    calls: Vec<Members<'a>>,
    path: Vec<&'a str>,
}

impl<'a> ConfigModules<'a> {
    /// The names of the calls that lead to the last module; empty for the root module.
    #[must_use]
    pub fn path(&self) -> &[&'a str] {
        &self.path
    }
}

impl<'a> Iterator for ConfigModules<'a> {
    type Item = ConfigModule<'a>;

    fn next(&mut self) -> Option<ConfigModule<'a>> {
        let module = match self.root.take() {
            Some(root) => root,
            None => loop {
                // The calls on level n belong to a module whose path has n names.
                let level = self.calls.len().checked_sub(1)?;
                self.path.truncate(level);
                let Some(member) = self.calls[level].next() else {
                    self.calls.pop();
                    continue;
                };
                let call = ConfigCall::read(member.value());
                if let Some(module) = call.and_then(|call| call.module().value()) {
                    self.path.push(member.name().to_str());
                    break module;
                }
            },
        };
        if let Some(calls) = module.module_calls().value() {
            self.calls.push(calls.object().members());
        }
        Some(module)
    }
}

/// One reference of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigReference<'a> {
    /// The reference as written, relative to its module.
    pub text: &'a str,
    /// The address from the root, without keys and attributes, of the resource, module call,
    /// variable or local value that it refers to. `None` for `each`, `count`, `self`, `path` and
    /// similar.
    pub target: Option<String>,
}

/// Calls `found` for the references in arguments and nested blocks of a module, which `module`
/// identifies by its path. Each expression passes every reference once, without the prefixes that
/// the tools also list. Cost: linear in the nodes below `node`; no recursion.
pub fn references<'a>(node: Node<'a>, module: &[&str], mut found: impl FnMut(ConfigReference<'a>)) {
    let mut stack = Vec::new();
    let mut visit = |node: Node<'a>, stack: &mut Vec<ChildNodes<'a>>| match node.value() {
        JsonValue::Object(object) => match references_of(object) {
            Some(list) => {
                let mut last = "";
                for text in list.iter() {
                    let is_beginning = last
                        .strip_prefix(text)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
                    if !is_beginning {
                        last = text;
                        found(ConfigReference { text, target: resolve(text, module) });
                    }
                }
            }
            None => stack.push(ChildNodes::Members(object.members())),
        },
        JsonValue::Array(array) => stack.push(ChildNodes::Elements(array.elements())),
        _ => {}
    };
    visit(node, &mut stack);
    while let Some(nodes) = stack.last_mut() {
        match nodes.next() {
            Some(node) => visit(node, &mut stack),
            None => drop(stack.pop()),
        }
    }
}

/// The references of an object, if it is an expression with references.
///
/// A nested block may have arguments of the same names, but these are objects, not strings.
fn references_of(object: Object<'_>) -> Option<List<'_, &str>> {
    let list = Field::<List<'_, &str>>::of(object.get("references")).value()?;
    let known = |name: &crate::json::Member<'_>| {
        name.is_named("references") || name.is_named("constant_value")
    };
    let is_expression = object.members().all(|member| known(&member))
        && list.array().elements().all(Node::is_string);
    is_expression.then_some(list)
}

/// The address from the root of the subject of a reference.
fn resolve(text: &str, module: &[&str]) -> Option<String> {
    let mut steps = Steps { rest: text };
    let first = steps.next()?;
    let relative = match first {
        "each" | "count" | "self" | "path" | "terraform" | "tofu" => return None,
        "var" | "local" | "module" | "output" | "check" => format!("{first}.{}", steps.next()?),
        _ => {
            let mode = ResourceMode::of(first);
            let is_prefix = matches!(mode, ResourceMode::Data | ResourceMode::Ephemeral);
            let resource_type = if is_prefix { steps.next()? } else { first };
            let mode = if is_prefix { mode } else { ResourceMode::Managed };
            let name = steps.next()?;
            ResourceStep { mode, resource_type, name, key: None }.to_string()
        }
    };
    let mut target = String::new();
    for call in module {
        target.push_str("module.");
        target.push_str(call);
        target.push('.');
    }
    target.push_str(&relative);
    Some(target)
}

/// The names at the start of a reference, up to a step that is not an identifier.
struct Steps<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Steps<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let end = self.rest.find(['.', '[']).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest.strip_prefix('.').unwrap_or_default();
        is_identifier(name).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn references_become_addresses() {
        for (text, expected) in [
            ("aws_x.y.id", Some("module.a.module.b.aws_x.y")),
            ("aws_x.y[\"k.1\"].id", Some("module.a.module.b.aws_x.y")),
            ("data.aws_ami.base", Some("module.a.module.b.data.aws_ami.base")),
            ("module.c.out", Some("module.a.module.b.module.c")),
            ("var.x", Some("module.a.module.b.var.x")),
            ("local.y[0]", Some("module.a.module.b.local.y")),
            ("each.value", None),
            ("path.module", None),
            ("self", None),
            ("aws_x", None),
            ("", None),
        ] {
            assert_eq!(resolve(text, &["a", "b"]).as_deref(), expected, "{text}");
        }
    }
}
