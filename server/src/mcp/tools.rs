//! The tools: each is a command of the program.

use std::ffi::OsString;

use serde_json::{Map, Value, json};

use super::confine::Roots;

/// A tool.
#[derive(Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub purpose: &'static str,
    /// Its arguments, those of the command line.
    pub arguments: &'static [Argument],
    /// Whether it changes no file.
    pub is_read_only: bool,
    /// The member of the command's answer that is a list, which is divided into pages.
    pub(super) list: Option<&'static str>,
    command: &'static str,
}

/// An argument of a tool.
#[derive(Debug)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    kind: Kind,
    is_required: bool,
}

/// How an argument is passed to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A text in its place.
    Text,
    /// An existing path in its place.
    Path,
    /// Existing paths in their place.
    Paths,
    /// Changed files in their place, which may be gone.
    Changed,
    /// `--name=TEXT`.
    Option,
    /// `--name=TEXT`, once for each.
    Options,
    /// `--name`.
    Flag,
    /// Not passed on: rows of the answer without this address are left out.
    Filter,
}

const fn required(name: &'static str, kind: Kind, meaning: &'static str) -> Argument {
    Argument { name, meaning, kind, is_required: true }
}

const fn optional(name: &'static str, kind: Kind, meaning: &'static str) -> Argument {
    Argument { name, meaning, kind, is_required: false }
}

const PATHS: Argument =
    optional("paths", Kind::Paths, "directories or files; all of the first root if missing");
const DIRECTORY: Argument = optional("directory", Kind::Path, "directory of the root module");
const VARIABLES: Argument = optional("var", Kind::Options, "values of variables, NAME=VALUE");
const WORKSPACE: Argument = optional("workspace", Kind::Option, "name of the workspace");
const WRITE: Argument =
    optional("write", Kind::Flag, "write the files; without it nothing changes");

/// All tools.
pub static TOOLS: &[Tool] = &[
    Tool {
        name: "check",
        purpose: "Errors and warnings of modules, with file and line.",
        arguments: &[
            PATHS,
            optional("level", Kind::Option, "syntax, module or values"),
            optional("select", Kind::Option, "further rules and groups, comma-separated"),
            optional("ignore", Kind::Option, "rules and groups to leave out, comma-separated"),
        ],
        is_read_only: true,
        list: Some("diagnostics"),
        command: "check",
    },
    Tool {
        name: "query",
        purpose: "Blocks and attributes that a path pattern selects, such as resource.aws_*.*.tags or module.*.source.",
        arguments: &[
            required("pattern", Kind::Text, "path pattern; * stands for any name, ** for any path"),
            PATHS,
            optional("where", Kind::Option, "condition on what is selected"),
        ],
        is_read_only: true,
        list: Some("matches"),
        command: "query",
    },
    Tool {
        name: "references",
        purpose: "References between the objects of each module; with an address, those from it and to it.",
        arguments: &[
            optional("address", Kind::Filter, "address in its module, such as var.size"),
            PATHS,
        ],
        is_read_only: true,
        list: Some("references"),
        command: "references",
    },
    Tool {
        name: "dependents",
        purpose: "Everything that depends on an object or a file, in all modules, nearest first.",
        arguments: &[required("address", Kind::Text, "address, DIR:ADDRESS, or a file"), PATHS],
        is_read_only: true,
        list: Some("dependents"),
        command: "dependents",
    },
    Tool {
        name: "affected",
        purpose: "Modules that changed files affect, with the reason: what to plan after a change.",
        arguments: &[
            optional("files", Kind::Changed, "changed files, which may be deleted"),
            optional("since", Kind::Option, "revision of git to compare with, instead of files"),
            optional("roots", Kind::Flag, "root modules only"),
        ],
        is_read_only: true,
        list: Some("modules"),
        command: "affected",
    },
    Tool {
        name: "why",
        purpose: "Where a value comes from: the expressions that it depends on, with their values.",
        arguments: &[
            required(
                "address",
                Kind::Text,
                "address from the root module, such as module.net.var.size or output.id",
            ),
            DIRECTORY,
            VARIABLES,
            WORKSPACE,
        ],
        is_read_only: true,
        list: Some("expressions"),
        command: "why",
    },
    Tool {
        name: "expand",
        purpose: "The resources and values that a root module will have, without a provider.",
        arguments: &[
            DIRECTORY,
            optional("address", Kind::Options, "addresses of modules or resources to show"),
            optional("type", Kind::Options, "resource types to show"),
            VARIABLES,
            WORKSPACE,
        ],
        is_read_only: true,
        list: Some("resources"),
        command: "expand",
    },
    Tool {
        name: "review",
        purpose: "What changes since a revision of git do to the root modules: resources and attributes, before and after.",
        arguments: &[
            required("since", Kind::Option, "revision of git to compare with"),
            optional("paths", Kind::Paths, "directories; all of the first root if missing"),
        ],
        is_read_only: true,
        list: Some("roots"),
        command: "review",
    },
    Tool {
        name: "plan_summary",
        purpose: "The changes of a plan: JSON of a plan, or a plan file.",
        arguments: &[
            required("file", Kind::Path, "the plan"),
            optional("diff", Kind::Flag, "with the attributes that change"),
        ],
        is_read_only: true,
        list: Some("changes"),
        command: "plan",
    },
    Tool {
        name: "schema",
        purpose: "The schema of a type from the output of `providers schema -json`.",
        arguments: &[
            required("file", Kind::Path, "the output of `providers schema -json`"),
            required("type", Kind::Text, "resource type, data source or provider"),
        ],
        is_read_only: true,
        list: Some("schemas"),
        command: "schema",
    },
    Tool {
        name: "rename",
        purpose: "Rename an object and everything that names it, in all modules of the repository.",
        arguments: &[
            required("address", Kind::Text, "address, or DIR:ADDRESS"),
            required("new", Kind::Text, "the new name, without the rest of the address"),
            optional("path", Kind::Path, "directory of the module"),
            WRITE,
        ],
        is_read_only: false,
        list: Some("files"),
        command: "rename",
    },
    Tool {
        name: "set",
        purpose: "Set the values that a path pattern selects, and add those that are missing.",
        arguments: &[
            required("pattern", Kind::Text, "path pattern of attributes"),
            required("value", Kind::Text, "the new value, as an expression"),
            PATHS,
            optional("where", Kind::Option, "condition on what is selected"),
            WRITE,
        ],
        is_read_only: false,
        list: Some("files"),
        command: "set",
    },
];

impl Tool {
    /// The tool with this name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// The tool, as clients list it.
    pub(super) fn describe(&self) -> Value {
        let mut properties = Map::new();
        for argument in self.arguments {
            properties.insert(argument.name.to_owned(), argument.schema());
        }
        let cursor = json!({ "type": "string", "description": "next_cursor of the answer before" });
        properties.insert("cursor".to_owned(), cursor);
        let required: Vec<_> =
            self.arguments.iter().filter(|it| it.is_required).map(|it| it.name).collect();
        json!({
            "name": self.name,
            "description": self.purpose,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            },
            "annotations": {
                "readOnlyHint": self.is_read_only,
                "destructiveHint": !self.is_read_only,
                "openWorldHint": false,
            },
        })
    }

    /// The command that answers: its arguments, and the address that rows must have.
    ///
    /// # Errors
    /// An argument is missing, unknown, of a wrong type, or a path outside of the roots.
    pub(super) fn command(
        &self,
        given: &Map<String, Value>,
        roots: &Roots,
    ) -> Result<(Vec<OsString>, Option<String>), String> {
        let is_known =
            |name: &str| name == "cursor" || self.arguments.iter().any(|it| it.name == name);
        if let Some(unknown) = given.keys().find(|name| !is_known(name)) {
            return Err(format!("{} has no argument `{unknown}`", self.name));
        }
        let mut flags: Vec<OsString> =
            vec![self.command.into(), "--format=json".into(), "--quiet".into()];
        let (mut places, mut filter): (Vec<OsString>, _) = (Vec::new(), None);
        for argument in self.arguments {
            let name = argument.name;
            let value = given.get(name).filter(|value| !value.is_null());
            let Some(value) = value else {
                if argument.is_required {
                    return Err(format!("{} needs the argument `{name}`", self.name));
                }
                continue;
            };
            let wrong = |expected: &str| format!("`{name}` must be {expected}");
            let text = || value.as_str().ok_or_else(|| wrong("a text"));
            let texts = || {
                let list = value.as_array().ok_or_else(|| wrong("a list of texts"))?;
                let texts =
                    list.iter().map(|it| it.as_str().ok_or_else(|| wrong("a list of texts")));
                texts.collect::<Result<Vec<_>, _>>()
            };
            match argument.kind {
                Kind::Text => places.push(text()?.into()),
                Kind::Path => places.push(roots.path(text()?)?.into()),
                Kind::Paths => {
                    for path in texts()? {
                        places.push(roots.path(path)?.into());
                    }
                }
                Kind::Changed => {
                    for path in texts()? {
                        places.push(roots.changed(path)?.into());
                    }
                }
                Kind::Option => flags.push(format!("--{name}={}", text()?).into()),
                Kind::Options => {
                    flags
                        .extend(texts()?.iter().map(|it| OsString::from(format!("--{name}={it}"))));
                }
                Kind::Flag => match value.as_bool() {
                    Some(true) => flags.push(format!("--{name}").into()),
                    Some(false) => {}
                    None => return Err(wrong("true or false")),
                },
                Kind::Filter => {
                    let address = text()?;
                    let start = address.split(['[', '"']).next().unwrap_or_default();
                    if start.contains(':') && !start.contains("::") {
                        return Err(format!(
                            "`{name}` is an address in its module: name the module by `paths`"
                        ));
                    }
                    filter = Some(address.to_owned());
                }
            }
        }
        if self.name == "rename" {
            // Callers are searched in the root, and nothing else is written.
            flags.push("--tree=.".into());
        }
        // No argument of a client is a flag.
        flags.push("--".into());
        flags.extend(places);
        Ok((flags, filter))
    }
}

impl Argument {
    fn schema(&self) -> Value {
        let meaning = self.meaning;
        match self.kind {
            Kind::Text | Kind::Path | Kind::Option | Kind::Filter => {
                json!({ "type": "string", "description": meaning })
            }
            Kind::Paths | Kind::Changed | Kind::Options => {
                json!({ "type": "array", "items": { "type": "string" }, "description": meaning })
            }
            Kind::Flag => json!({ "type": "boolean", "description": meaning }),
        }
    }
}
