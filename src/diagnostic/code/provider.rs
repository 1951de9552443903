//! Codes of provider requirements and configurations, in one module and across calls.

macro_rules! provider_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Providers" {
    ProviderReference "provider-reference" Error "Invalid provider configuration reference"
        detail: "A provider configuration is named by a string such as \"aws\" or \"aws.east\"."
        reference: ["Invalid provider configuration reference", "Invalid expression", "Expected string expression"],
        note: "`provider` and `providers` take a local name, and an alias.";
    ProviderLocalName "provider-local-name" Error "Invalid provider local name"
        detail: "\"{0}\" cannot be the local name of a provider. It is written in lower case, with letters, digits and single dashes."
        reference: ["Invalid provider local name", "Invalid provider name"],
        note: "In a reference to a provider configuration.";
    ProviderVersion "provider-version" Warning "Version constraint in a provider configuration"
        detail: "Versions belong in required_providers; this argument is deprecated."
        reference: ["Version constraints inside provider configuration blocks are deprecated", "Version constraints are not allowed in test files"],
        note: "`version` in a `provider` block. In test files Terraform refuses it.";
    RequiredProvider "required-provider" Error "Invalid provider requirement"
        detail: "The requirement of the provider \"{0}\" cannot be read: {1}."
        reference: ["Invalid required_providers object", "Invalid required_providers syntax", "Invalid source", "Invalid version constraint"],
        note: "An entry of `required_providers`.";
    ProviderSource "provider-source" Error "Invalid provider source"
        detail: "\"{0}\" is no source of a provider: {1}."
        reference: ["Invalid provider source string", "Invalid provider namespace", "Invalid provider type", "Invalid provider source hostname", "Invalid provider type name"],
        note: "The `source` of an entry of `required_providers`.";
    BuiltInProvider "built-in-provider" Error "Invalid dependency on a built-in provider"
        detail: "{0}"
        reference: ["Invalid dependency on built-in provider"],
        note: "An entry of `required_providers` whose source is `terraform.io/builtin/…`, or that is called `terraform` and has none.";
    ConfigurationAlias "configuration-alias" Error "Invalid configuration alias"
        detail: "A configuration alias of this provider is written {0}.alias."
        reference: ["Invalid configuration_aliases value", "Invalid required_providers object"],
        note: "An element of `configuration_aliases`.";
    AliasRequired "alias-required" Error "Missing alias"
        detail: "Configurations for each element need an alias to be told from others."
        reference: ["Alias required when using \"for_each\""],
        note: "`for_each` of a provider configuration (OpenTofu).";
    ProviderInstance "provider-instance" Error "Unsuitable key of a provider configuration"
        detail: "{0}"
        reference: ["Invalid resource provider configuration", "Invalid module provider configuration"],
        note: "A reference to a provider configuration has a key if, and only if, the configuration has `for_each` (OpenTofu).";
    DoubledProvider "doubled-provider" Warning "Provider with two names"
        detail: "{0} is required as \"{1}\", and known as \"{2}\" besides. A module has one name for a provider."
        reference: ["Duplicate required provider"],
        note: "Two entries of `required_providers` have one source; or a resource, or a `provider` block, has another name for the provider of an entry.";
    ImpliedProvider "implied-provider" Warning "Provider assumed by its name"
        detail: "The provider \"{0}\" is not declared in {1}, where it is taken for {2}. An entry in required_providers says what is meant."
        reference: ["Reference to undefined provider"],
        note: "In `providers` of a module call, on either side. Withheld if a file of the module cannot be read.";
    UndeclaredProvider "undeclared-provider" Error "Undeclared provider configuration"
        detail: "There is no provider configuration \"{0}\" in {1}."
        reference: ["Reference to undefined provider", "missing provider *", "Provider configuration not present"],
        note: "In `provider` of a resource, an action or an import, and on either side of `providers` of a module call: a configuration with an alias needs a block `provider`, or an entry in `configuration_aliases`. On the side of the called module only for providers that a name alone does not stand for. Withheld if a file of the module cannot be read.";
    ProviderMismatch "provider-mismatch" Error "Provider of another kind"
        detail: "The called module knows \"{0}\" as {1}; what it is given is {2}."
        reference: ["Provider type mismatch"],
        note: "In `providers` of a module call, or of a run in a test file: both sides must be configurations of one provider.";
    MissingProvider "missing-provider" Error "Missing provider configuration"
        detail: "The called module needs a provider configuration \"{0}\", which this call must name in \"providers\"."
        reference: ["Missing required provider configuration"],
        note: "What the called module lists in `configuration_aliases`; a warning for a configuration without alias that the module passes on and does not have.";
    OwnProvider "own-provider" Error "Provider configuration of the called module"
        detail: "The called module sets up \"{0}\" itself, so nothing can be passed for it."
        reference: ["Cannot override provider configuration"],
        note: "In `providers` of a module call.";
    DuplicatePass "duplicate-pass" Error "Duplicate provider address"
        detail: "The called module is already given a configuration for \"{0}\"."
        reference: ["Duplicate provider address"],
        note: "`providers` of a `module` block. The first one counts; it is the second place.";
    RedundantProvider "redundant-provider" Warning "Empty provider configuration"
        detail: "The block for \"{0}\" sets nothing. An entry in required_providers says better that the module uses the provider."
        reference: ["Redundant empty provider block"],
        note: "In a module that is called.";
    LegacyModule "legacy-module" Error "Module with provider configurations of its own"
        detail: "The module in {0} configures providers itself. So no call that leads to it can have \"{1}\"."
        reference: ["Module is incompatible with count, for_each, and depends_on", "Module is incompatible with count, for_each, enabled and depends_on"],
        note: "Points at the argument of the call, which need not call that module itself.";
        } }
    };
}
