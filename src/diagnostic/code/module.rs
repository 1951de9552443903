//! Codes of the declarations of a module.

macro_rules! module_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Modules" {
    UnsuitableValue "unsuitable-value" Error "Invalid value"
        detail: "This argument is not evaluated. It must be {0}, not {1}."
        reference: ["Unsuitable value type", "Incorrect value type", "Invalid type for ignore_nested_deprecations", "Invalid lifecycle destroy expression"],
        note: "Templates in the argument are read as plain text.";
    InvalidName "invalid-name" Error "Invalid name"
        detail: "\"{0}\" is not an identifier."
        help: "Start the name with a letter or an underscore, and use only letters, digits, underscores and dashes."
        reference: ["Invalid variable name", "Invalid output name", "Invalid local value name", "Invalid module instance name", "Invalid resource type name", "Invalid resource name", "Invalid data source name", "Invalid data resource name", "Invalid ephemeral resource type", "Invalid ephemeral resource name", "Invalid check block name", "Invalid action type name", "Invalid action name", "Invalid provider configuration alias", "Invalid run block name", "Invalid mock provider configuration alias"],
        note: "A label, the name of a local value, or an alias.";
    ReservedName "reserved-name" Error "Reserved name"
        detail: "The name \"{0}\" is reserved here."
        reference: ["Invalid variable name", "Reserved argument name in provider block"],
        note: "A variable that a `module` block could not set, or a meta-argument that a provider block does not have.";
    ReservedBlock "reserved-block" Error "Reserved block type"
        detail: "The block type \"{0}\" is reserved here."
        help: "If the provider has a block of this type, write it in a block \"_\"."
        reference: ["Reserved block type name in module block", "Reserved block type name in provider block", "Reserved block type name in resource block", "Reserved block type name in data block", "Reserved block type name in ephemeral block", "Reserved block type name in provisioner block", "Invalid configuration block for ephemeral resource"],
        note: "A block type that is reserved for future versions.";
    DuplicateBlock "duplicate-block" Error "Duplicate block"
        detail: "Only one block \"{0}\" is allowed here."
        reference: ["Duplicate lifecycle block", "Duplicate connection block", "Duplicate escaping block", "Multiple data resource blocks", "Duplicate config block", "Duplicate required providers configuration", "Duplicate 'backend' configuration block", "Duplicate backend configuration", "Duplicate HCP Terraform configurations", "Duplicate cloud configurations", "Duplicate provider_meta block", "Duplicate encryption configuration", "Multiple \"*\" blocks", "Duplicate backend blocks", "Duplicate * block", "Extraneous dynamic content block"],
        note: "The first one is used. A second label points at it.";
    DuplicateDeclaration "duplicate-declaration" Error "Duplicate declaration"
        detail: "This {0} is declared more than once."
        reference: ["Duplicate variable declaration", "Duplicate output definition", "Duplicate local value definition", "Duplicate module call", "Duplicate provider configuration", "Duplicate resource \"*\" configuration", "Duplicate data \"*\" configuration", "Duplicate ephemeral \"*\" configuration", "Duplicate ephemeral resource \"*\" configuration", "Duplicate action \"*\" configuration", "Duplicate check \"*\" configuration", "Duplicate \"run\" block names", "Duplicate \"variable\" block names", "Duplicate provider block", "Duplicated `mock_*` block", "Duplicate mock_* block", "Duplicate key_provider", "Duplicate method", "Duplicate remote_data_source"],
        note: "Two objects of the same kind have the same name in a module or test file. A second label points at the earlier one.";
    MissingBase "missing-base" Error "Override without a base"
        detail: "This file overrides a {0} that no primary file declares."
        reference: ["Missing base variable declaration to override", "Missing base output definition to override", "Missing base local value definition to override", "Missing module call to override", "Missing base provider configuration for override", "Missing resource to override", "Missing data resource to override", "Missing ephemeral resource to override"],
        note: "A block of an override file names an object that does not exist.";
    UnsupportedOverride "unsupported-override" Error "Unsupported override"
        detail: "An override file cannot set \"{0}\"."
        help: "Write it in a primary file."
        reference: ["Unsupported override", "Can't override validation blocks", "Can't override precondition blocks", "Can't override postcondition blocks", "Can't override check blocks", "Cannot override 'moved' blocks", "Cannot override 'import' blocks", "Cannot override 'Removed' blocks", "Language selections in override file"],
        note: "`depends_on`, conditions, `moved`, `import`, `removed`, `check` and `language` in an override file.";
    UnusedDeclaration "unused-declaration" Warning "Unused declaration"
        detail: "Nothing in the module refers to the {0} \"{1}\"."
        reference: [],
        note: "A variable, a local value or a data source. Withheld if a file of the module cannot be read.";
    InvalidDefault "invalid-default" Error "Invalid default"
        detail: "The default is invalid: {0}."
        reference: ["Invalid default value for variable", "Invalid default value for optional attribute"],
        note: "The default cannot be converted to the type of the variable, or is null where null is not allowed.";
    ConstVariable "const-variable" Error "Invalid constant variable"
        detail: "A constant variable cannot be {0}."
        reference: ["Const variable cannot be sensitive", "Const variable cannot be ephemeral"],
        note: "Terraform only.";
    ConstArgument "const-argument" Error "Argument is not constant"
        detail: "The variable \"{0}\" is constant, but this value is known only later."
        help: "Use only constant variables, paths, and local values made of them."
        reference: ["Const variables must be known"],
        note: "An argument of a module call whose variable sets `const` to true (Terraform).";
    ConstantCondition "constant-condition" Error "Constant condition"
        detail: "The condition of this {0} contains no reference, so its result is always the same."
        reference: ["Invalid validation expression", "Invalid precondition expression", "Invalid postcondition expression", "Invalid assert expression", "Invalid variable validation condition"],
        note: "A JSON boolean, or a string without a reference in a template.";
    UnrelatedValidation "unrelated-validation" Error "Unrelated validation"
        detail: "The condition of the validation does not refer to the variable."
        help: "Use var.{0} in the condition."
        reference: ["Invalid variable validation condition"],
        note: "The condition may refer to other objects, too.";
    MessageValue "message-value" Error "Invalid error message"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid error message"],
        note: "The error message of an assertion, as far as its type is known without the values of variables.";
    BlankDeprecation "blank-deprecation" Error "Blank deprecation"
        detail: "The deprecation message is empty."
        help: "Say what to use instead."
        reference: ["Invalid `deprecated` value", "Invalid `deprecated` attribute"],
        note: "`deprecated` of a variable or output is blank (OpenTofu).";
    MisplacedPostcondition "misplaced-postcondition" Error "Postcondition in an output"
        detail: "An output can have preconditions, but no postconditions."
        reference: ["Postconditions are not allowed"],
        note: "A `postcondition` block in an `output`.";
    SensitiveOutput "sensitive-output" Error "Sensitive value in an output"
        detail: "The value of the output is sensitive, but the output is not."
        help: "Set \"sensitive\" to true in the output."
        reference: ["Output refers to sensitive values"],
        note: "An output of a root module.";
    RootOutput "root-output" Error "Invalid root module output"
        detail: "An output of a root module cannot be {0}."
        reference: ["Ephemeral output not allowed", "Invalid output configuration", "Root module output deprecated"],
        note: "`ephemeral`, and in Terraform `deprecated`, of an output of a root module.";
    NoAssertions "no-assertions" Error "Check without assertions"
        detail: "The check \"{0}\" has no assertions."
        help: "Add a block \"assert\"."
        reference: ["Zero assert blocks"],
        note: "A `check` block without `assert`.";
    CheckData "check-data" Error "Invalid argument in a check"
        detail: "The data source of a check is read once, so it cannot have \"{0}\"."
        reference: ["Invalid \"count\" attribute", "Invalid \"for_each\" attribute", "Invalid lifecycle block"],
        note: "`count`, `for_each` or `lifecycle` in a `data` block of a `check`.";
    VariableValue "variable-value" Error "Invalid variable value"
        detail: "The value for the variable \"{0}\" is invalid: {1}."
        reference: ["Invalid default value for variable", "Invalid value for input variable", "Required variable not set"],
        note: "A value in a file of variables; an argument of a module call, if its type is known without variables and functions; or a default in Packer.";
    FailedValidation "failed-validation" Error "Failed validation"
        detail: "The value fails a validation of the variable \"{0}\"{1}"
        reference: ["Invalid value for variable"],
        note: "An argument of a module call, or a default that applies to it, if it is known without variables.";
    OutputValue "output-value" Error "Invalid output value"
        detail: "The value of the output \"{0}\" is invalid: {1}."
        reference: ["Invalid output value"],
        note: "The value does not fit the type of the output (Terraform). Checked if it is known without variables and functions.";
    UndeclaredVariableValue "undeclared-variable-value" Warning "Value for an undeclared variable"
        detail: "No variable is named \"{0}\", so the value is ignored."
        reference: ["Undefined variable", "Value for undeclared variable"],
        note: "In a file of variables, or in a run of a test file. Withheld if a file of the directory cannot be read.";
    MissingDeploymentInput "missing-deployment-input" Error "Missing input of a deployment"
        detail: "The stack requires a value for the variable \"{0}\"."
        help: "Add it to inputs."
        reference: ["No value for required variable"],
        note: "`inputs` of a `deployment` block in `.tfdeploy.hcl`, for a variable of `.tfcomponent.hcl` files without a default (Terraform). Withheld if a file of the stack cannot be read.";
    DeclarationAmongValues "declaration-among-values" Error "Declaration in a file of variables"
        detail: "A variable is declared in a file of variables, which can only set values."
        help: "Declare the variable in a configuration file."
        reference: ["Variable declaration in a .pkrvar file", "Variable declaration in .tfvars file"],
        note: "A property `variable` that contains labels.";
    VersionConstraint "version-constraint" Error "Invalid version constraint"
        detail: "The version constraint is invalid{0}."
        help: "Write a constraint such as \"~> 1.2\", or several with commas, such as \">= 1.0, < 2.0\"."
        reference: ["Invalid version constraint", "Invalid required_version constraint"],
        note: "`version` of a `module` or `provider` block, `required_version`, and versions in `required_providers`.";
    BackendAndCloud "backend-and-cloud" Error "Conflicting backend and cloud"
        detail: "A module has either a backend or a cloud block, not both."
        reference: ["Conflicting 'cloud' and 'backend' configuration blocks are present", "Both a backend and a cloud configuration are present"],
        note: "Points at the backend; a second label points at the cloud block. An override file with one of them replaces both.";
    Migration "migration" Error "Invalid migration"
        detail: "The state cannot be migrated: {0}."
        reference: ["Missing \"from\" block", "Invalid migration"],
        note: "The files `*.tfmigrate.hcl` of a directory (Terraform).";
    UnknownBackend "unknown-backend" Error "Unknown backend"
        detail: "No backend is named \"{0}\"."
        reference: ["Unsupported backend type", "Invalid backend configuration"],
        note: "The backends are built into the tools. Those of the dialect are known.";
    Experiments "experiments" Error "Unavailable experiments"
        detail: "Released versions of Terraform have no experiments."
        help: "Remove the argument."
        reference: ["Module uses experimental features"],
        note: "Terraform only; OpenTofu ignores the argument.";
    Experimental "experimental" Error "Unavailable experimental feature"
        detail: "Released versions of Terraform do not support \"{0}\" here."
        reference: ["Invalid attribute", "Invalid block", "Unsupported block type"],
        note: "In a test file, or a block \"state_store\" (Terraform).";
    LanguageEdition "language-edition" Error "Unsupported language edition"
        detail: "Unknown edition of the language. The only edition is the keyword {0}."
        reference: ["Invalid language edition", "Unsupported language edition"],
        note: "`edition` of a `language` block (OpenTofu), or `language` of `terraform` (Terraform).";
    LanguageExperiment "language-experiment" Error "Unknown experiment"
        detail: "OpenTofu has no language experiments."
        help: "Remove the element."
        reference: ["Unknown experiment keyword", "Invalid experiment keyword"],
        note: "An element of `experiments` in a `language` block (OpenTofu).";
    IneffectiveConstraint "ineffective-constraint" Warning "Ineffective version constraint"
        detail: "The constraint admits versions before 1.12, which do not read this block."
        help: "Exclude these versions, as \">= 1.12.0\" does."
        reference: ["Ineffective version constraint"],
        note: "`opentofu` of a `compatible_with` block that version 1.11.0 meets (OpenTofu).";
    EncryptionMethod "encryption-method" Error "Invalid encryption method"
        detail: "The value is not a reference to an encryption method."
        help: "Write the word method, the type and the name, such as method.aes_gcm.main."
        reference: ["Invalid encryption method identifier"],
        note: "`method` of a target of `encryption` (OpenTofu).";
    UndeclaredEncryption "undeclared-encryption" Error "Undeclared encryption"
        detail: "The encryption declares no {0} of this type and name."
        reference: ["Reference to undeclared encryption method", "Reference to undeclared key provider"],
        note: "A method that a target of `encryption` names, or a key provider that a method or another key provider names (OpenTofu). Withheld if a file of the module cannot be read.";
    UnknownEncryption "unknown-encryption" Error "Unknown type of encryption"
        detail: "OpenTofu has no {0} \"{1}\"."
        reference: ["Unknown encryption method type", "Unknown key_provider type"],
        note: "The type of a `method` or `key_provider` block that a target of `encryption` needs (OpenTofu).";
    KeyProviderValue "key-provider-value" Error "Invalid key provider"
        detail: "The key provider is invalid: {0}."
        reference: ["Unable to build encryption key data"],
        note: "Arguments of a key provider `pbkdf2` that a target of `encryption` needs, if they are constant (OpenTofu).";
    UnencryptedMethod "unencrypted-method" Error "Unencrypted method is forbidden"
        detail: "The target is enforced, so it cannot use an unencrypted method."
        help: "Use another method, or remove enforced."
        reference: ["Unencrypted method is forbidden"],
        note: "A method of the type `unencrypted`, also as a fallback, of a target with `enforced = true` (OpenTofu).";
    UnknownKeyword "unknown-keyword" Error "Unknown keyword"
        detail: "The value must be \"{0}\" or \"{1}\"."
        reference: ["Invalid \"when\" keyword", "Invalid \"on_failure\" keyword", "Invalid \"command\" keyword", "Invalid \"mode\" keyword", "Invalid override_during value"],
        note: "An argument that takes one of two keywords.";
    MisplacedRequirements "misplaced-requirements" Error "Misplaced required_providers"
        detail: "A block \"required_providers\" must be in a block \"terraform\"."
        reference: ["Invalid required_providers block"],
        note: "`required_providers` at the root of a file.";
        } }
    };
}
