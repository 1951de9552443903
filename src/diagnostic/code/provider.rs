//! Codes of provider requirements and configurations, in one module and across calls.

macro_rules! provider_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Providers" {
    ProviderReference "provider-reference" Error "Invalid provider reference"
        detail: "The value is not a reference to a provider configuration."
        help: "Write a string such as \"aws\" or \"aws.east\"."
        reference: ["Invalid provider configuration reference", "Invalid expression", "Expected string expression"],
        note: "`provider` and `providers` take a local name, and an alias.";
    ProviderLocalName "provider-local-name" Error "Invalid provider local name"
        detail: "\"{0}\" is not a valid local name of a provider."
        help: "Use lower-case letters, digits and single dashes."
        reference: ["Invalid provider local name", "Invalid provider name"],
        note: "In a reference to a provider configuration.";
    ProviderVersion "provider-version" Warning "Version constraint in a provider configuration"
        detail: "The argument \"version\" of a provider block is deprecated."
        help: "Write the version in a block \"required_providers\"."
        reference: ["Version constraints inside provider configuration blocks are deprecated", "Version constraints are not allowed in test files"],
        note: "Terraform rejects it in test files.";
    RequiredProvider "required-provider" Error "Invalid provider requirement"
        detail: "The requirement of the provider \"{0}\" is invalid: {1}."
        reference: ["Invalid required_providers object", "Invalid required_providers syntax", "Invalid source", "Invalid version constraint"],
        note: "An entry of `required_providers`.";
    ProviderSource "provider-source" Error "Invalid provider source"
        detail: "\"{0}\" is not a valid provider source: {1}."
        reference: ["Invalid provider source string", "Invalid provider namespace", "Invalid provider type", "Invalid provider source hostname", "Invalid provider type name"],
        note: "The `source` of an entry of `required_providers`.";
    BuiltInProvider "built-in-provider" Error "Invalid dependency on a built-in provider"
        detail: "{0}"
        reference: ["Invalid dependency on built-in provider"],
        note: "An entry of `required_providers` whose source is `terraform.io/builtin/…`, or that is called `terraform` and has none.";
    ProviderLock "provider-lock" Error "Invalid provider lock"
        detail: "{0}"
        help: "Run init again, which writes the lock file."
        reference: ["Invalid provider source address", "Non-normalized provider source address", "Invalid provider version number", "Invalid provider version constraints", "Invalid provider hash set", "Invalid provider hash string", "Duplicate provider lock"],
        note: "A `provider` block of `.terraform.lock.hcl`, which is read when it is named.";
    ConfigurationAlias "configuration-alias" Error "Invalid configuration alias"
        detail: "The element is not a configuration alias of this provider."
        help: "Write {0}.ALIAS."
        reference: ["Invalid configuration_aliases value", "Invalid required_providers object"],
        note: "An element of `configuration_aliases`.";
    AliasRequired "alias-required" Error "Missing alias"
        detail: "A provider configuration with \"for_each\" must have an \"alias\"."
        reference: ["Alias required when using \"for_each\""],
        note: "`for_each` of a provider configuration (OpenTofu).";
    ProviderInstance "provider-instance" Error "Invalid key of a provider configuration"
        detail: "{0}"
        reference: ["Invalid resource provider configuration", "Invalid module provider configuration"],
        note: "A reference to a provider configuration must have a key if the configuration has `for_each`, and none otherwise (OpenTofu).";
    ProviderForEach "provider-for-each" Warning "Provider with the instances of a resource"
        detail: "The provider configuration has the same \"for_each\" as this {0}, so an element that is removed from both has no configuration left to destroy it."
        help: "Give the provider configuration a larger collection."
        reference: ["Provider configuration for_each matches resource", "Provider configuration for_each matches module"],
        note: "`for_each` of a resource or a module call that uses instances of a provider configuration with the same expression (OpenTofu).";
    DoubledProvider "doubled-provider" Warning "Provider with two names"
        detail: "{0} has two local names: it is required as \"{1}\", but also used as \"{2}\"."
        help: "Use one local name for a provider in a module."
        reference: ["Duplicate required provider"],
        note: "Two entries of `required_providers` have the same source; or a resource or a `provider` block uses another name for the provider of an entry.";
    ImpliedProvider "implied-provider" Warning "Undeclared provider"
        detail: "The provider \"{0}\" is not declared in {1}, so it is assumed to be {2}."
        help: "Declare it in required_providers."
        reference: ["Reference to undefined provider"],
        note: "In `providers` of a module call, on either side. Withheld if a file of the module cannot be read.";
    UndeclaredProvider "undeclared-provider" Error "Undeclared provider configuration"
        detail: "The provider configuration \"{0}\" does not exist in {1}."
        reference: ["Reference to undefined provider", "missing provider *", "Provider configuration not present"],
        note: "In `provider` of a resource, an action or an import, and on either side of `providers` of a module call. A configuration with an alias needs a `provider` block or an entry in `configuration_aliases`. In the called module, only for providers whose name alone is not enough. Withheld if a file of the module cannot be read.";
    ProviderMismatch "provider-mismatch" Error "Mismatched providers"
        detail: "In the called module, \"{0}\" is {1}, but the call passes {2}."
        reference: ["Provider type mismatch"],
        note: "In `providers` of a module call or of a run in a test file: both sides must be configurations of the same provider.";
    MissingProvider "missing-provider" Error "Missing provider configuration"
        detail: "The {1} module requires a provider configuration \"{0}\"."
        help: "Pass it in \"providers\"."
        reference: ["Missing required provider configuration", "Provider configuration not present"],
        note: "A configuration that the called module, or the module that a run of a test file tests, lists in `configuration_aliases`. A warning for a configuration without alias that the module passes on but does not have.";
    OwnProvider "own-provider" Error "Called module configures the provider"
        detail: "The called module configures \"{0}\" itself, so no other configuration can be passed."
        reference: ["Cannot override provider configuration"],
        note: "In `providers` of a module call.";
    DuplicatePass "duplicate-pass" Error "Provider passed twice"
        detail: "The call passes a configuration for \"{0}\" more than once."
        reference: ["Duplicate provider address"],
        note: "In `providers` of a `module` block. The first one is used; a second label points at it.";
    RedundantProvider "redundant-provider" Warning "Empty provider configuration"
        detail: "The provider block for \"{0}\" is empty."
        help: "Declare the provider in required_providers instead."
        reference: ["Redundant empty provider block"],
        note: "In a called module.";
    LegacyModule "legacy-module" Error "Called module configures providers"
        detail: "The module in {0} configures providers, so no call that leads to it can have \"{1}\"."
        help: "Move the provider blocks to the root module."
        reference: ["Module is incompatible with count, for_each, and depends_on", "Module is incompatible with count, for_each, enabled and depends_on"],
        note: "Points at the argument of the call, which may lead to that module directly or through other calls.";
        } }
    };
}
