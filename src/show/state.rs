//! States and planned values: the output of `show -json [STATEFILE]`, and state files.
//!
//! [`State`] is the printed form, [`RawState`] the state file itself, version 4. Modules nest
//! without limit; [`Values::modules`] and [`Values::resources`] walk them without recursion, in
//! source order.

use std::borrow::Cow;

use super::address::{Key, ResourceStep, provider_of};
use super::checks::Check;
use super::field::{ChildNodes, Children, Field, Index, List, Map, Read, views};
use super::mark_tree::MarkTree;
use super::names::{CheckKind, CheckStatus, ResourceMode};
use crate::json::{Node, Object};

views! {
    /// A state as it is printed.
    State {
        /// `MAJOR.MINOR` of the format. See [`version`](super::version).
        format_version "format_version" &'a str;
        /// The version of the tool that wrote it.
        terraform_version "terraform_version" &'a str;
        /// Outputs and resources; absent in an empty state.
        values_field "values" Values<'a>;
        /// Conditions and their results.
        checks "checks" List<'a, Check<'a>>;
        /// The version of a redacted state, in place of `format_version`.
        state_format_version "state_format_version" &'a str;
        /// The root module of a redacted state.
        root "root" Module<'a>;
        /// The outputs of a redacted state.
        root_module_outputs "root_module_outputs" Map<'a, Output<'a>>;
    }

    /// Outputs and resources of a state, or as planned.
    Values {
        /// The outputs of the root module.
        outputs "outputs" Map<'a, Output<'a>>;
        /// The root module.
        root_module "root_module" Module<'a>;
    }

    /// An output of the root module.
    Output {
        /// Whether it is sensitive.
        sensitive "sensitive" bool;
        /// Why it should not be used (OpenTofu).
        deprecated "deprecated" &'a str;
        /// Its type; absent where it is not known yet.
        value_type "type" Node<'a>;
        /// Its value; absent where it is not known yet.
        value_field "value" Node<'a>;
    }

    /// A module instance.
    Module {
        /// Its resource instances.
        resources "resources" List<'a, Resource<'a>>;
        /// Its address; absent for the root module.
        address "address" &'a str;
        /// The module instances that it calls.
        child_modules "child_modules" Children<'a, Module<'a>>;
    }

    /// A resource instance, or a deposed object of one.
    Resource {
        /// The absolute address of the instance. Unique together with `deposed_key`.
        address "address" &'a str;
        /// The kind of resource.
        mode "mode" ResourceMode<'a>;
        /// The resource type.
        resource_type "type" &'a str;
        /// The name of the block.
        name "name" &'a str;
        /// The key of the instance.
        index "index" Index<'a>;
        /// The provider.
        provider_name "provider_name" &'a str;
        /// The version of the schema that the values follow.
        schema_version "schema_version" u64;
        /// The attributes, where known.
        values "values" Object<'a>;
        /// The sensitive parts of the attributes.
        sensitive_values "sensitive_values" MarkTree<'a>;
        /// The identity.
        identity "identity" Object<'a>;
        /// The version of the identity's schema.
        identity_schema_version "identity_schema_version" u64;
        /// The addresses of its dependencies in the configuration, without keys.
        depends_on "depends_on" List<'a, &'a str>;
        /// Whether it is marked as tainted.
        tainted "tainted" bool;
        /// The key of a deposed object.
        deposed_key "deposed_key" &'a str;
    }

    /// A state file, version 4.
    RawState {
        /// The version of the format: 4.
        version "version" u64;
        /// The version of the tool that wrote it.
        terraform_version "terraform_version" &'a str;
        /// How often it has been written.
        serial "serial" u64;
        /// Identifies it among the states of other configurations.
        lineage "lineage" &'a str;
        /// The outputs of the root module.
        outputs "outputs" Map<'a, Output<'a>>;
        /// The resources, each with its instances.
        resources "resources" List<'a, RawResource<'a>>;
        /// Conditions and their results.
        check_results "check_results" List<'a, RawCheck<'a>>;
    }

    /// The conditions of one block in a state file.
    RawCheck {
        /// The kind of the block.
        object_kind "object_kind" CheckKind<'a>;
        /// The address of the block in the configuration.
        config_addr "config_addr" &'a str;
        /// The result over all instances.
        status "status" CheckStatus<'a>;
        /// The results by instance.
        objects "objects" List<'a, RawCheckObject<'a>>;
    }

    /// The conditions of one instance in a state file.
    RawCheckObject {
        /// The address of the instance.
        object_addr "object_addr" &'a str;
        /// The result.
        status "status" CheckStatus<'a>;
        /// The messages of conditions that do not hold.
        failure_messages "failure_messages" List<'a, &'a str>;
    }

    /// A resource of a state file.
    RawResource {
        /// The address of the module instance; absent in the root module.
        module "module" &'a str;
        /// The kind of resource.
        mode "mode" ResourceMode<'a>;
        /// The resource type.
        resource_type "type" &'a str;
        /// The name of the block.
        name "name" &'a str;
        /// The kind of repetition, in old files: `list` or `map`.
        each "each" &'a str;
        /// The provider, `provider["HOST/NAMESPACE/TYPE"]`.
        provider "provider" &'a str;
        /// The instances, including deposed objects.
        instances "instances" List<'a, RawInstance<'a>>;
    }

    /// An instance of a resource of a state file.
    RawInstance {
        /// The key of the instance.
        index_key "index_key" Index<'a>;
        /// The provider of this instance, if it has its own (OpenTofu).
        provider "provider" &'a str;
        /// `tainted` if it is marked as such.
        status "status" &'a str;
        /// The key of a deposed object.
        deposed "deposed" &'a str;
        /// The version of the schema that the attributes follow.
        schema_version "schema_version" u64;
        /// The attributes.
        attributes "attributes" Object<'a>;
        /// The attributes in the form of Terraform 0.11.
        attributes_flat "attributes_flat" Object<'a>;
        /// The paths of sensitive attributes.
        sensitive_attributes "sensitive_attributes" List<'a, Node<'a>>;
        /// The provider's private data, in base64.
        private "private" &'a str;
        /// The addresses of its dependencies, without keys.
        dependencies "dependencies" List<'a, &'a str>;
        /// Whether its replacement is created before it is destroyed.
        create_before_destroy "create_before_destroy" bool;
        /// Whether it is forgotten instead of destroyed (OpenTofu).
        skip_destroy "skip_destroy" bool;
        /// The identity.
        identity "identity" Object<'a>;
        /// The version of the identity's schema.
        identity_schema_version "identity_schema_version" u64;
    }
}

impl<'a> State<'a> {
    /// The skeleton depth for states: resources of the root module are sealed one by one.
    pub const DEPTH: u32 = 5;

    /// The root module, also of a redacted state.
    #[must_use]
    pub fn root_module(self) -> Option<Module<'a>> {
        let values = self.values_field().value();
        values.and_then(|values| values.root_module().value()).or_else(|| self.root().value())
    }

    /// Outputs by name, also of a redacted state.
    pub fn outputs(self) -> impl Iterator<Item = (&'a str, Output<'a>)> {
        let values = self.values_field().value().and_then(|values| values.outputs().value());
        values.or_else(|| self.root_module_outputs().value()).into_iter().flat_map(Map::iter)
    }

    /// All resources of all modules.
    ///
    /// ```
    /// use simd_hcl::show::State;
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{"format_version":"1.0","values":{"root_module":{"resources":[
    ///     {"address":"a_b.c","mode":"managed","type":"a_b","name":"c","values":{}}]}}}"#;
    /// let document = Document::parse_bytes(&arena, "state.json", json)?;
    /// let state = State::of(document, &mut ()).unwrap();
    /// let addresses: Vec<_> = state.resources().filter_map(|it| it.address().value()).collect();
    /// assert_eq!(addresses, ["a_b.c"]);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn resources(self) -> Resources<'a> {
        Resources::of(self.root_module())
    }
}

impl<'a> Values<'a> {
    /// All module instances, each before those that it calls.
    #[must_use]
    pub fn modules(self) -> Modules<'a> {
        Modules::of(self.root_module().value())
    }

    /// All resources of all modules.
    #[must_use]
    pub fn resources(self) -> Resources<'a> {
        Resources::of(self.root_module().value())
    }
}

impl<'a> Output<'a> {
    /// The value. Null is a value; the field is absent only if the member is.
    #[must_use]
    pub fn value(self) -> Option<Node<'a>> {
        self.object.get("value")
    }
}

impl<'a> Resource<'a> {
    /// The value, including null.
    pub(crate) fn values_node(self) -> Option<Node<'a>> {
        self.object.get("values")
    }
}

/// Walks module instances, callers first.
#[derive(Clone)]
pub struct Modules<'a> {
    next: Option<Module<'a>>,
    stack: Vec<ChildNodes<'a>>,
}

impl<'a> Modules<'a> {
    fn of(root: Option<Module<'a>>) -> Self {
        Self { next: root, stack: Vec::new() }
    }
}

impl<'a> Iterator for Modules<'a> {
    type Item = Module<'a>;

    fn next(&mut self) -> Option<Module<'a>> {
        let module = match self.next.take() {
            Some(root) => root,
            None => loop {
                match self.stack.last_mut()?.next() {
                    Some(node) => match Module::read(node) {
                        Some(module) => break module,
                        None => continue,
                    },
                    None => {
                        self.stack.pop();
                    }
                }
            },
        };
        if let Field::Value(children) = module.child_modules() {
            self.stack.push(children.nodes());
        }
        Some(module)
    }
}

/// Walks the resources of all modules, in the order of the document. The tools write those of callers
/// first.
pub struct Resources<'a> {
    stack: Vec<Part<'a>>,
    /// The module of the last resource.
    module: Option<&'a str>,
}

/// A part of a module that is still to be walked.
enum Part<'a> {
    /// Resources, and the address of their module.
    Resources(ChildNodes<'a>, Option<&'a str>),
    Modules(ChildNodes<'a>),
}

impl<'a> Resources<'a> {
    fn of(root: Option<Module<'a>>) -> Self {
        let mut resources = Self { stack: Vec::new(), module: None };
        if let Some(root) = root {
            resources.enter(root);
        }
        resources
    }

    /// The address of the module instance of the last resource; `None` for the root module.
    #[must_use]
    pub fn module_address(&self) -> Option<&'a str> {
        self.module
    }

    fn enter(&mut self, module: Module<'a>) {
        let address = module.address().value();
        let own = module.resources().value().map(List::array);
        let called = module.child_modules().value();
        let is_after = match (&own, &called) {
            (Some(own), Some(called)) => called.node().offset() > own.node().offset(),
            _ => false,
        };
        let own = own.map(|it| Part::Resources(ChildNodes::Elements(it.elements()), address));
        let called = called.map(|called| Part::Modules(called.nodes()));
        // The last one is walked first.
        let parts = if is_after { [called, own] } else { [own, called] };
        self.stack.extend(parts.into_iter().flatten());
    }
}

impl<'a> Iterator for Resources<'a> {
    type Item = Resource<'a>;

    fn next(&mut self) -> Option<Resource<'a>> {
        loop {
            let next = match self.stack.last_mut()? {
                Part::Resources(nodes, module) => {
                    self.module = *module;
                    match nodes.find_map(Resource::read) {
                        Some(resource) => return Some(resource),
                        None => None,
                    }
                }
                Part::Modules(nodes) => nodes.find_map(Module::read),
            };
            match next {
                Some(module) => self.enter(module),
                None => {
                    self.stack.pop();
                }
            }
        }
    }
}

impl<'a> RawResource<'a> {
    /// The provider's full name, `HOST/NAMESPACE/TYPE`, from the address in the file: that of the
    /// first instance if the resource has none, since a provider with `for_each` (OpenTofu) is written
    /// with each instance. Terraform 0.12 writes types only, which have the host
    /// `registry.terraform.io` and the namespace `-`.
    #[must_use]
    pub fn provider_name(self) -> Option<Cow<'a, str>> {
        let of_instance = || self.instances().value()?.iter().find_map(|it| it.provider().value());
        provider_of(self.provider().value().or_else(of_instance)?)
    }
}

impl<'a> RawInstance<'a> {
    /// The full name of the provider of an instance of `resource`, as
    /// [`RawResource::provider_name`].
    #[must_use]
    pub fn provider_name(self, resource: RawResource<'a>) -> Option<Cow<'a, str>> {
        match self.provider().value() {
            Some(own) => provider_of(own),
            None => resource.provider_name(),
        }
    }

    /// The address of an instance of `resource`, as the tools print it.
    #[must_use]
    pub fn address(self, resource: RawResource<'a>) -> String {
        use std::fmt::Write as _;
        let key = match self.index_key() {
            Field::Value(Index::Number(number)) => Some(Key::Number(number.text())),
            Field::Value(Index::Text(text)) => Some(Key::Text(text.into())),
            _ => None,
        };
        let step = ResourceStep {
            mode: resource.mode().value().unwrap_or(ResourceMode::Managed),
            resource_type: resource.resource_type().value().unwrap_or_default(),
            name: resource.name().value().unwrap_or_default(),
            key,
        };
        let mut address = String::new();
        // Writing into memory does not fail.
        let _ = match resource.module().value().filter(|module| !module.is_empty()) {
            Some(module) => write!(address, "{module}.{step}"),
            None => write!(address, "{step}"),
        };
        address
    }
}
