//! Codes of modules that call each other.

macro_rules! tree_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Module calls" {
    ModuleSource "module-source" Error "Invalid module source address"
        detail: "The module source is invalid: {0}."
        help: "Use a local path that starts with ./ or ../, the address of a registry, or a URL."
        reference: ["Invalid module source address", "Invalid registry module source address"],
        note: "`source` of a `module` block, also in a run of a test file. A call with `version` requires a registry address.";
    MissingModule "missing-module" Error "Missing module"
        detail: "The directory \"{0}\" does not exist."
        help: "Write the path relative to the directory of this module."
        reference: ["Unreadable module directory", "Module not installed"],
        note: "The source of a module call is a path to a directory that does not exist.";
    MissingFile "missing-file" Error "Missing file"
        detail: "The file \"{0}\" in the directory of this module {1}."
        help: "Add the file, or call the function in \"try\" if it may be missing."
        reference: ["Invalid function argument", "Error in function call"],
        note: "The argument of `file`, `templatefile`, `filebase64` or a hash of a file, written as `${path.module}/NAME`. Only the existence of the file is checked.";
    UndeclaredArgument "undeclared-argument" Error "Undeclared argument"
        detail: "The called module in {1} has no variable \"{0}\"."
        reference: ["Unsupported argument", "Extraneous JSON object property"],
        note: "An argument of a module call. Withheld if a file of the called module cannot be read.";
    MissingModuleArgument "missing-module-argument" Error "Missing argument of a module call"
        detail: "The called module requires a value for the variable \"{0}\"."
        reference: ["Missing required argument"],
        note: "The variable has no default. Withheld if a file of the called module cannot be read.";
    UndeclaredOutput "undeclared-output" Error "Undeclared output"
        detail: "The module that \"{0}\" calls has no output \"{1}\"."
        reference: ["Unsupported attribute", "Invalid index"],
        note: "A reference to an output of a called module. A similar name is suggested. Withheld if a file of the called module cannot be read.";
    DeprecatedUse "deprecated-use" Warning "Deprecated part of a module"
        detail: "The {0} \"{1}\" of the called module is deprecated: {2}"
        reference: ["Deprecated variable got a value", "Deprecated value used", "Variable marked as deprecated by the module author", "Value derived from a deprecated source"],
        note: "An argument of a module call, or a reference to an output.";
    ModuleManifest "module-manifest" Error "Invalid manifest of installed modules"
        detail: "The list of installed modules is invalid: {0}."
        help: "Run init, which writes the file again."
        reference: [],
        note: "In `.terraform/modules/modules.json`. Its valid entries are used.";
    ModuleCycle "module-cycle" Error "Module calls itself"
        detail: "The call leads back to the module in {0}."
        reference: ["Failed to remove local module cache"],
        note: "A module that calls itself by local paths, directly or through other modules. Further labels point at their calls. Each call that closes a cycle is reported once.";
    IgnoredBackend "ignored-backend" Warning "Ignored backend"
        detail: "The backend of a called module has no effect: the root module decides where the state is stored."
        help: "Remove the block."
        reference: ["Backend configuration ignored"],
        note: "In a called module.";
        } }
    };
}
