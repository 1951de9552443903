//! Codes of what a module declares.

macro_rules! module_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Modules" {
    UnsuitableValue "unsuitable-value" Error "Unsuitable value type"
        detail: "This argument is read literally and must be {0}, not {1}."
        reference: ["Unsuitable value type", "Incorrect value type", "Invalid type for ignore_nested_deprecations", "Invalid lifecycle destroy expression"],
        note: "The argument is not evaluated: a template in it is text like any other.";
    InvalidName "invalid-name" Error "Invalid name"
        detail: "\"{0}\" is no identifier. A name starts with a letter or an underscore, and holds letters, digits, underscores and dashes."
        reference: ["Invalid variable name", "Invalid output name", "Invalid local value name", "Invalid module instance name", "Invalid resource type name", "Invalid resource name", "Invalid data source name", "Invalid data resource name", "Invalid ephemeral resource type", "Invalid ephemeral resource name", "Invalid check block name", "Invalid action type name", "Invalid action name", "Invalid provider configuration alias", "Invalid run block name", "Invalid mock provider configuration alias"],
        note: "A label, the name of a local value, or an alias.";
    ReservedName "reserved-name" Error "Reserved name"
        detail: "\"{0}\" has a meaning of its own here and cannot be used."
        reference: ["Invalid variable name", "Reserved argument name in provider block"],
        note: "A variable that a `module` block could not set, or a meta-argument that a provider does not have.";
    ReservedBlock "reserved-block" Error "Reserved block type"
        detail: "Blocks of type \"{0}\" are reserved here. For an argument of the provider that is called so, use a block \"_\"."
        reference: ["Reserved block type name in module block", "Reserved block type name in provider block", "Reserved block type name in resource block", "Reserved block type name in data block", "Reserved block type name in ephemeral block", "Reserved block type name in provisioner block", "Invalid configuration block for ephemeral resource"],
        note: "A block type that may mean something one day.";
    DuplicateBlock "duplicate-block" Error "Duplicate block"
        detail: "There can be one block \"{0}\" here."
        reference: ["Duplicate lifecycle block", "Duplicate connection block", "Duplicate escaping block", "Multiple data resource blocks", "Duplicate config block", "Duplicate required providers configuration", "Duplicate 'backend' configuration block", "Duplicate backend configuration", "Duplicate HCP Terraform configurations", "Duplicate cloud configurations", "Duplicate provider_meta block", "Duplicate encryption configuration", "Multiple \"*\" blocks", "Duplicate backend blocks", "Duplicate * block", "Extraneous dynamic content block"],
        note: "The first one counts; it is the second place.";
    DuplicateDeclaration "duplicate-declaration" Error "Duplicate declaration"
        detail: "This {0} is declared already."
        reference: ["Duplicate variable declaration", "Duplicate output definition", "Duplicate local value definition", "Duplicate module call", "Duplicate provider configuration", "Duplicate resource \"*\" configuration", "Duplicate data \"*\" configuration", "Duplicate ephemeral \"*\" configuration", "Duplicate ephemeral resource \"*\" configuration", "Duplicate action \"*\" configuration", "Duplicate check \"*\" configuration", "Duplicate \"run\" block names", "Duplicate \"variable\" block names", "Duplicate provider block", "Duplicated `mock_*` block", "Duplicate mock_* block", "Duplicate key_provider", "Duplicate method", "Duplicate remote_data_source"],
        note: "Two objects of one kind have the same name in a module or test file. The earlier one is the second place.";
    MissingBase "missing-base" Error "Missing base of an override"
        detail: "Nothing to override: no primary file declares this {0}."
        reference: ["Missing base variable declaration to override", "Missing base output definition to override", "Missing base local value definition to override", "Missing module call to override", "Missing base provider configuration for override", "Missing resource to override", "Missing data resource to override", "Missing ephemeral resource to override"],
        note: "A block of an override file names an object that does not exist.";
    UnsupportedOverride "unsupported-override" Error "Cannot be overridden"
        detail: "An override file cannot set \"{0}\". Write it in a primary file."
        reference: ["Unsupported override", "Can't override validation blocks", "Can't override precondition blocks", "Can't override postcondition blocks", "Can't override check blocks", "Cannot override 'moved' blocks", "Cannot override 'import' blocks", "Cannot override 'Removed' blocks", "Language selections in override file"],
        note: "`depends_on`, conditions, `moved`, `import`, `removed`, `check` and `language` in an override file.";
    UnusedDeclaration "unused-declaration" Warning "Unused declaration"
        detail: "Nothing in the module refers to the {0} \"{1}\"."
        reference: [],
        note: "A variable, local value or data source. Withheld if a file of the module cannot be read.";
    InvalidDefault "invalid-default" Error "Unsuitable default"
        detail: "The default does not fit the variable: {0}."
        reference: ["Invalid default value for variable", "Invalid default value for optional attribute"],
        note: "It does not convert to the type, or is null where null is not allowed.";
    ConstVariable "const-variable" Error "Constant variable"
        detail: "The variable cannot be const and {0} at once."
        reference: ["Const variable cannot be sensitive", "Const variable cannot be ephemeral"],
        note: "Terraform only.";
    ConstantCondition "constant-condition" Error "Constant condition"
        detail: "The condition of this {0} refers to nothing, so it always gives the same."
        reference: ["Invalid validation expression", "Invalid precondition expression", "Invalid postcondition expression", "Invalid assert expression", "Invalid variable validation condition"],
        note: "A JSON boolean, or a string without a reference in a template.";
    UnrelatedValidation "unrelated-validation" Error "Unrelated validation"
        detail: "The condition of a validation must refer to var.{0}, the value that is validated."
        reference: ["Invalid variable validation condition"],
        note: "It may refer to other objects besides.";
    MessageValue "message-value" Error "Invalid error message"
        detail: "The value of \"{0}\" must be {1}, not {2}."
        reference: ["Invalid error message"],
        note: "Of an assertion, as far as the type of the value is known without values of variables.";
    BlankDeprecation "blank-deprecation" Error "Blank deprecation"
        detail: "A deprecation says what to use instead."
        reference: ["Invalid `deprecated` value", "Invalid `deprecated` attribute"],
        note: "`deprecated` of a variable or output is blank (OpenTofu).";
    MisplacedPostcondition "misplaced-postcondition" Error "Postcondition of an output"
        detail: "Outputs have preconditions only."
        reference: ["Postconditions are not allowed"],
        note: "A `postcondition` block in an `output`.";
    SensitiveOutput "sensitive-output" Error "Sensitive output"
        detail: "The value is made of sensitive ones. Set \"sensitive\" to true where the output is declared."
        reference: ["Output refers to sensitive values"],
        note: "An output of a root module.";
    RootOutput "root-output" Error "Output of a root module"
        detail: "An output of a root module cannot be {0}."
        reference: ["Ephemeral output not allowed", "Invalid output configuration", "Root module output deprecated"],
        note: "`ephemeral`, and in Terraform `deprecated`, of an output of a root module.";
    NoAssertions "no-assertions" Error "Check without assertions"
        detail: "The check \"{0}\" asserts nothing: it needs a block \"assert\"."
        reference: ["Zero assert blocks"],
        note: "A `check` block without `assert`.";
    CheckData "check-data" Error "Not in a check"
        detail: "The data source of a check is read once, when the check is made: it has no \"{0}\"."
        reference: ["Invalid \"count\" attribute", "Invalid \"for_each\" attribute", "Invalid lifecycle block"],
        note: "`count`, `for_each` or `lifecycle` in a `data` block of a `check`.";
    VariableValue "variable-value" Error "Value does not fit its variable"
        detail: "This is no value of the variable \"{0}\": {1}."
        reference: ["Invalid default value for variable", "Invalid value for input variable", "Required variable not set"],
        note: "A value of a file of variables, an argument of a module call as far as its type is known without variables and functions, and in Packer a default.";
    FailedValidation "failed-validation" Error "Value fails a validation"
        detail: "A validation of the variable \"{0}\" refuses the value{1}"
        reference: ["Invalid value for variable"],
        note: "An argument of a module call, or a default that the call takes, as far as it is known without variables.";
    OutputValue "output-value" Error "Value does not fit the type of its output"
        detail: "This is no value of the output \"{0}\": {1}."
        reference: ["Invalid output value"],
        note: "Terraform. As far as the type of the value is known without variables and functions.";
    UndeclaredVariableValue "undeclared-variable-value" Warning "Value for an undeclared variable"
        detail: "No variable \"{0}\" is declared, so the value is passed over."
        reference: ["Undefined variable", "Value for undeclared variable"],
        note: "In a file of variables, or in a run of a test file. Withheld if a file of the directory cannot be read.";
    DeclarationAmongValues "declaration-among-values" Error "Variable declared in a file of variables"
        detail: "A file of variables gives values to variables. They are declared in files of configuration."
        reference: ["Variable declaration in a .pkrvar file", "Variable declaration in .tfvars file"],
        note: "The property `variable` with labels below it.";
    VersionConstraint "version-constraint" Error "Invalid version constraint"
        detail: "This is no version constraint{0}. One is written like \"~> 1.2\", several with commas between them: \">= 1.0, < 2.0\"."
        reference: ["Invalid version constraint", "Invalid required_version constraint"],
        note: "`version` of a `module` or `provider` block, `required_version`, and versions in `required_providers`.";
    BackendAndCloud "backend-and-cloud" Error "Both a backend and a cloud"
        detail: "A module keeps its state in a backend or in a cloud, not in both."
        reference: ["Conflicting 'cloud' and 'backend' configuration blocks are present", "Both a backend and a cloud configuration are present"],
        note: "Points at the backend; the cloud is the second place. An override file that has one of them replaces both.";
    UnknownBackend "unknown-backend" Error "Unknown backend"
        detail: "There is no backend \"{0}\"."
        reference: ["Unsupported backend type", "Invalid backend configuration"],
        note: "Backends are built into the tools; those of the dialect are known.";
    Experiments "experiments" Error "Experiments"
        detail: "Released versions of Terraform have no experiments."
        reference: ["Module uses experimental features"],
        note: "Terraform only; OpenTofu ignores the argument.";
    Experimental "experimental" Error "Only in experimental builds"
        detail: "Released versions of Terraform do not have \"{0}\" here."
        reference: ["Invalid attribute", "Invalid block", "Unsupported block type"],
        note: "In a test file, or a block \"state_store\" (Terraform).";
    LanguageEdition "language-edition" Error "Unsupported language edition"
        detail: "The only edition of the language is the keyword {0}."
        reference: ["Invalid language edition", "Unsupported language edition"],
        note: "`edition` of a `language` block (OpenTofu), or `language` of `terraform` (Terraform).";
    LanguageExperiment "language-experiment" Error "Unknown experiment"
        detail: "There are no experiments of the language."
        reference: ["Unknown experiment keyword", "Invalid experiment keyword"],
        note: "An element of `experiments` in a `language` block (OpenTofu).";
    IneffectiveConstraint "ineffective-constraint" Warning "Ineffective version constraint"
        detail: "Versions before 1.12 do not read this block, so a constraint in it cannot admit them. Write it so that it excludes them, such as \">= 1.12.0\"."
        reference: ["Ineffective version constraint"],
        note: "`opentofu` of a `compatible_with` block that version 1.11.0 meets (OpenTofu).";
    EncryptionMethod "encryption-method" Error "Invalid encryption method"
        detail: "A method is named by method, its type and its name: method.aes_gcm.main."
        reference: ["Invalid encryption method identifier"],
        note: "`method` of a target of `encryption` (OpenTofu).";
    UndeclaredEncryption "undeclared-encryption" Error "Undeclared part of the encryption"
        detail: "The encryption has no {0} of this type and name."
        reference: ["Reference to undeclared encryption method", "Reference to undeclared key provider"],
        note: "A method that a target of `encryption` names, or a key provider that such a method or another key provider names (OpenTofu). Withheld if a file of the module cannot be read.";
    UnknownKeyword "unknown-keyword" Error "Unknown keyword"
        detail: "This must be \"{0}\" or \"{1}\"."
        reference: ["Invalid \"when\" keyword", "Invalid \"on_failure\" keyword", "Invalid \"command\" keyword", "Invalid \"mode\" keyword", "Invalid override_during value"],
        note: "An argument that takes one of two keywords.";
    MisplacedRequirements "misplaced-requirements" Error "Misplaced requirements"
        detail: "A block \"required_providers\" belongs in a block \"terraform\"."
        reference: ["Invalid required_providers block"],
        note: "`required_providers` at the root of a file.";
        } }
    };
}
