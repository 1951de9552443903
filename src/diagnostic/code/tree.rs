//! Codes of modules that call each other.

macro_rules! tree_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Module calls" {
    ModuleSource "module-source" Error "Invalid module source address"
        detail: "This is no address of a module: {0}."
        reference: ["Invalid module source address", "Invalid registry module source address"],
        note: "`source` of a `module` block, also in a run of a test file. A call with `version` needs the address of a registry.";
    MissingModule "missing-module" Error "Missing module"
        detail: "There is no directory \"{0}\" beside this module."
        reference: ["Unreadable module directory", "Module not installed"],
        note: "The source of a module call is a path that leads to no directory.";
    UndeclaredArgument "undeclared-argument" Error "Undeclared argument"
        detail: "The called module declares no variable \"{0}\". It is in {1}."
        reference: ["Unsupported argument", "Extraneous JSON object property"],
        note: "An argument of a module call. Withheld if a file of the called module cannot be read.";
    MissingModuleArgument "missing-module-argument" Error "Missing argument of a module"
        detail: "The called module needs a value for the variable \"{0}\"."
        reference: ["Missing required argument"],
        note: "The variable has no default. Withheld if a file of the called module cannot be read.";
    UndeclaredOutput "undeclared-output" Error "Reference to an undeclared output"
        detail: "The module that \"{0}\" calls declares no output \"{1}\"."
        reference: ["Unsupported attribute", "Invalid index"],
        note: "Withheld if a file of the called module cannot be read.";
    DeprecatedUse "deprecated-use" Warning "Deprecated part of a module"
        detail: "The {0} \"{1}\" of the called module is deprecated: {2}"
        reference: ["Deprecated variable got a value", "Deprecated value used", "Variable marked as deprecated by the module author", "Value derived from a deprecated source"],
        note: "An argument of a module call, or a reference to an output.";
    ModuleManifest "module-manifest" Error "Invalid list of installed modules"
        detail: "What is installed cannot be told from here: {0}. Initialization writes the file anew."
        reference: [],
        note: "In `.terraform/modules/modules.json`. Entries that are right count.";
    ModuleCycle "module-cycle" Error "Module calls itself"
        detail: "This call leads back to the module in {0}, which never ends."
        reference: ["Failed to remove local module cache"],
        note: "By paths, directly or through other modules, which are cited. Each call that closes a cycle is reported once.";
    IgnoredBackend "ignored-backend" Warning "Backend of a called module"
        detail: "The state of all modules is kept where the root module says; this block has no effect."
        reference: ["Backend configuration ignored"],
        note: "In a module that is called.";
        } }
    };
}
