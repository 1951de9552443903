//! The functions of Terragrunt: one table, with names, parameters, types and bodies.
//!
//! They come before those of OpenTofu. Nothing is executed, downloaded or decrypted: `run_cmd`,
//! `sops_decrypt_file` and the functions that ask a cloud are unknown. `get_env` sees only the
//! variables that the caller gives.

use std::sync::OnceLock;

use super::call::{Call, Context, Outcome, resolved};
use super::log::{Request, Watched};
use super::plain::{deeply_merged, plain};
use super::reading;
use super::version::satisfies;
use crate::arena::Arena;
use crate::command_line;
use crate::evaluate::{Budget, Function, FunctionError, Functions, Meter, Parameter, Signature};
use crate::functions::paths::{directory, join, relative};
use crate::functions::{Environment, FileEntry, FileError, FileKind, Files};
use crate::module::VersionConstraint;
use crate::value::{Clause, ElementType, Marks, Type, Value};

/// A row of the table.
pub(super) struct Row {
    pub(super) name: &'static str,
    signature: Signature<'static>,
    result: Type<'static>,
    body: for<'c, 'e, 'a, 'v> fn(&Call<'c, 'e, 'a, 'v>) -> Outcome<'v>,
}

const TEXT: Parameter<'static> = Parameter::new("value", Type::String).with_marked();
const ANY: Parameter<'static> =
    Parameter::new("value", Type::Dynamic).with_null().with_unknown().with_dynamic();
const STRINGS: Type<'static> = Type::List(ElementType::STRING);

/// A function of texts.
const fn row(
    name: &'static str,
    result: Type<'static>,
    body: for<'c, 'e, 'a, 'v> fn(&Call<'c, 'e, 'a, 'v>) -> Outcome<'v>,
) -> Row {
    Row { name, signature: Signature::new(&[]).with_variadic(TEXT), result, body }
}

/// Returns the functions of Terragrunt by name, each with its signature: `get_env(value… string) string`.
pub fn functions() -> impl Iterator<Item = (&'static str, String)> {
    ROWS.iter().map(|row| {
        let parameters = row.signature.variadic.map(|it| format!("{}… {}", it.name, it.ty));
        let parameters = parameters.unwrap_or_default();
        (row.name, format!("{}({parameters}) {}", row.name, row.result))
    })
}

/// Sorted by name.
static ROWS: &[Row] = &[
    row("constraint_check", Type::Bool, constraint_check),
    Row {
        name: "deep_merge",
        signature: Signature::new(&[]).with_variadic(ANY),
        result: Type::Dynamic,
        body: deep_merge,
    },
    row("find_in_parent_folders", Type::String, find_in_parent_folders),
    row("get_aws_account_alias", Type::String, unknown),
    row("get_aws_account_id", Type::String, unknown),
    row("get_aws_caller_identity_arn", Type::String, unknown),
    row("get_aws_caller_identity_user_id", Type::String, unknown),
    row("get_default_retryable_errors", STRINGS, |call| {
        call.strings(reading::RETRYABLE_ERRORS.iter().copied())
    }),
    row("get_env", Type::String, get_env),
    row("get_original_terragrunt_dir", Type::String, |call| {
        call.context.log.get().is_relative = true;
        call.string(&directory(call.context.original))
    }),
    row("get_parent_terragrunt_dir", Type::String, get_parent_terragrunt_dir),
    row("get_path_from_repo_root", Type::String, |call| {
        let (top, folder) = (work_tree(call)?, call.context.folder());
        call.string(&relative(&top, &folder).unwrap_or_default())
    }),
    row("get_path_to_repo_root", Type::String, |call| {
        let (top, folder) = (work_tree(call)?, call.context.folder());
        call.string(&relative(&folder, &top).unwrap_or_default())
    }),
    row("get_platform", Type::String, |call| {
        call.string(match std::env::consts::OS {
            "macos" => "darwin",
            other => other,
        })
    }),
    row("get_repo_root", Type::String, |call| call.string(&work_tree(call)?)),
    row("get_terraform_cli_args", STRINGS, |_| Ok(Value::unknown(STRINGS))),
    row("get_terraform_command", Type::String, unknown),
    row("get_terraform_commands_that_need_input", STRINGS, |call| {
        call.strings(["apply", "import", "init", "plan", "refresh"])
    }),
    row("get_terraform_commands_that_need_locking", STRINGS, |call| {
        call.strings(["apply", "destroy", "import", "plan", "refresh", "taint", "untaint"])
    }),
    row("get_terraform_commands_that_need_parallelism", STRINGS, |call| {
        call.strings(["apply", "plan", "destroy"])
    }),
    row("get_terraform_commands_that_need_vars", STRINGS, |call| {
        call.strings(["apply", "console", "destroy", "import", "plan", "push", "refresh"])
    }),
    row("get_terragrunt_dir", Type::String, |call| call.string(&call.context.folder())),
    row("get_terragrunt_source_cli_flag", Type::String, |call| call.string("")),
    row("get_working_dir", Type::String, unknown),
    row("mark_as_read", Type::String, |call| {
        call.at_most(1)?;
        let path = call.required(0)?;
        call.context.log.track(call.context.absolute(path));
        call.string(path)
    }),
    row("mark_glob_as_read", STRINGS, reading::mark_glob_as_read),
    row("path_relative_from_include", Type::String, |call| {
        let folder = call.context.folder();
        let path = selected(call)?;
        call.string(
            &path
                .map_or(Some(".".to_owned()), |path| relative(&folder, &directory(path)))
                .unwrap_or_default(),
        )
    }),
    row("path_relative_to_include", Type::String, |call| {
        let folder = call.context.folder();
        let path = selected(call)?;
        call.string(
            &path
                .map_or(Some(".".to_owned()), |path| relative(&directory(path), &folder))
                .unwrap_or_default(),
        )
    }),
    Row {
        name: "read_terragrunt_config",
        signature: Signature::new(&[TEXT]).with_variadic(ANY),
        result: Type::Dynamic,
        body: read_terragrunt_config,
    },
    row("read_tfvars_file", Type::String, reading::read_tfvars_file),
    row("run_cmd", Type::String, run_cmd),
    row("sops_decrypt_file", Type::String, |call| {
        call.at_most(1)?;
        let path = call.required(0)?;
        call.context.log.track(call.context.absolute(path));
        Ok(Value::unknown(Type::String))
    }),
];

fn unknown<'v>(_: &Call<'_, '_, '_, 'v>) -> Outcome<'v> {
    Ok(Value::unknown(Type::String))
}

/// The command is not run. The files that it names decide about the result.
fn run_cmd<'v>(call: &Call<'_, '_, '_, 'v>) -> Outcome<'v> {
    let context = call.context;
    let starts = [context.folder(), directory(context.file)];
    let shown = call.arguments.iter().filter(|it| context.world.shows(it.deep_marks()));
    for text in shown.filter_map(|it| it.as_str()) {
        command_line::paths(text, |word| {
            let found = starts.iter().map(|start| resolved(start, word));
            context.log.look_for(found);
        });
    }
    Ok(Value::unknown(Type::String))
}

fn constraint_check<'v>(call: &Call<'_, '_, '_, 'v>) -> Outcome<'v> {
    call.at_most(2)?;
    let (version, constraints) = (call.required(0)?, call.required(1)?);
    let Some(all) = VersionConstraint::parse_all(constraints) else {
        return Err(call.failed("{} is not a valid version constraint", &[constraints]));
    };
    match satisfies(version, &all) {
        Some(is_met) => Ok(Value::bool(is_met)),
        None => Err(call.failed("{} is not a valid version", &[version])),
    }
}

fn deep_merge<'v>(call: &Call<'_, '_, '_, 'v>) -> Outcome<'v> {
    if !call.context.world.has_experiment("deep-merge") {
        return Err(FunctionError::new(Clause::fixed("the experiment \"deep-merge\" is not on")));
    }
    let mut merged = Value::object(call.arena, &[]);
    for (index, &argument) in call.arguments.iter().enumerate() {
        if argument.is_null() {
            continue;
        }
        if !argument.is_known() {
            return Ok(Value::dynamic());
        }
        if argument.as_entries().is_none() {
            return Err(FunctionError::of_argument(
                index,
                Clause::fixed("a map or an object is required"),
            ));
        }
        call.meter.parts(argument.size() as usize)?;
        let argument = plain(call.arena, argument);
        merged = deeply_merged(call.arena, merged, argument).map_err(|_| {
            FunctionError::of_argument(
                index,
                Clause::fixed("a list cannot be merged with another value"),
            )
        })?;
    }
    Ok(merged)
}

/// The most folders that are searched upwards.
const MOST_FOLDERS: usize = 100;

fn find_in_parent_folders<'v>(call: &Call<'_, '_, '_, 'v>) -> Outcome<'v> {
    call.at_most(2)?;
    let disk = &call.context.world.disk;
    let name = call.text(0).filter(|name| !name.is_empty());
    let mut folder = call.context.folder();
    for _ in 0..MOST_FOLDERS {
        call.meter.spend(20)?;
        let above = directory(&folder);
        if above == folder {
            break;
        }
        folder = above;
        let candidates = match name {
            Some(name) => vec![join(&folder, name)],
            None => super::names::UNITS.iter().map(|name| join(&folder, name)).collect(),
        };
        if let Some(found) = candidates.iter().find(|path| disk.kind(path).is_ok()) {
            return call.string(found);
        }
        call.context.log.get().looked_for.extend(candidates);
    }
    match call.text(1) {
        Some(instead) => call.string(instead),
        None => Err(call.failed(
            "{} is in none of the folders above, as far as they may be read",
            &[name.unwrap_or(super::names::UNIT)],
        )),
    }
}

fn get_env<'v>(call: &Call<'_, '_, '_, 'v>) -> Outcome<'v> {
    call.at_most(2)?;
    let name = call.required(0)?;
    if name.is_empty() {
        return Err(FunctionError::of_argument(
            0,
            Clause::fixed("the name of a variable is required"),
        ));
    }
    match (call.context.world.options.environment.get(name), call.text(1)) {
        (Some(value), _) => call.string(value),
        (None, Some(default)) => call.string(default),
        (None, None) => Ok(Value::unknown(Type::String)),
    }
}

fn selected<'e, 'v>(call: &Call<'_, 'e, '_, 'v>) -> Result<Option<&'e str>, FunctionError<'v>> {
    let found = call.context.selected(call.text(0));
    found.map_err(|why| FunctionError::new(Clause::fixed(why)))
}

fn get_parent_terragrunt_dir<'v>(call: &Call<'_, '_, '_, 'v>) -> Outcome<'v> {
    let folder = call.context.folder();
    let path = selected(call)?;
    call.string(&path.map_or(folder, directory))
}

fn work_tree<'v>(call: &Call<'_, '_, '_, 'v>) -> Result<String, FunctionError<'v>> {
    let folder = call.context.folder();
    call.meter.spend(20)?;
    let found = call.context.world.work_tree(&folder);
    found.ok_or(FunctionError::new(Clause::fixed(
        "the configuration is not in a git work tree that may be read",
    )))
}

fn read_terragrunt_config<'v>(call: &Call<'_, '_, '_, 'v>) -> Outcome<'v> {
    call.at_most(2)?;
    let Context { world, log, .. } = *call.context;
    let path = call.context.configuration(call.required(0)?);
    call.meter.spend(100)?;
    match world.disk.kind(&path) {
        Ok(_) => {}
        Err(FileError::Missing) => {
            // Its absence decides the result.
            log.also(path.clone());
            return match call.arguments.get(1) {
                Some(default) => Ok(*default),
                None => Err(call.failed("{} does not exist", &[&path])),
            };
        }
        Err(error) => {
            return Err(call.error(&path, &error));
        }
    }
    let original = call.context.original;
    match world.read(&path, original) {
        None if world.is_being_read(&path) => {
            log.problem("cycle", format!("{path} reads itself"));
            Ok(Value::dynamic())
        }
        None => {
            log.get().wanted.push(Request { path, original: Some(original.to_owned()) });
            Ok(Value::dynamic())
        }
        Some(read) => {
            log.track(path);
            let mut reads = log.get();
            let is_late = reads.is_late;
            match is_late {
                true => reads.also.extend(read.tracked.iter().cloned()),
                false => reads.tracked.extend(read.tracked.iter().cloned()),
            }
            reads.also.extend(read.also.iter().cloned());
            reads.looked_for.extend(read.looked_for.iter().cloned());
            reads.watched.extend(read.watched.iter().cloned());
            reads.mocked.extend(read.mocked.iter().cloned());
            reads.needed.extend(read.needed.iter().cloned());
            reads.leads.extend(read.leads.iter().cloned());
            reads.problems.extend(read.problems.iter().cloned());
            reads.is_relative |= read.is_relative;
            drop(reads);
            call.meter.parts(read.value.size() as usize)?;
            Ok(read.value.copy_to(call.arena))
        }
    }
}

/// A row of the table in a context.
struct Bound<'e, 'a> {
    row: &'static Row,
    context: &'e Context<'e, 'a>,
}

impl Function for Bound<'_, '_> {
    fn signature(&self) -> Signature<'_> {
        self.row.signature
    }

    fn result_type<'v>(
        &self,
        _: &'v Arena,
        _: &[Value<'v>],
    ) -> Result<Type<'v>, FunctionError<'v>> {
        Ok(self.row.result)
    }

    fn call<'v>(
        &self,
        arena: &'v Arena,
        arguments: &[Value<'v>],
    ) -> Result<Value<'v>, FunctionError<'v>> {
        self.call_within(arena, arguments, &Meter::new(Budget::DEFAULT))
    }

    fn call_within<'v>(
        &self,
        arena: &'v Arena,
        arguments: &[Value<'v>],
        meter: &Meter,
    ) -> Result<Value<'v>, FunctionError<'v>> {
        let marks = arguments.iter().fold(Marks::NONE, |marks, it| marks.with(it.deep_marks()));
        if !self.context.takes(marks) {
            return Ok(Value::unknown(self.row.result).with_marks(marks));
        }
        let plain: Vec<_> = arguments.iter().map(|it| it.unmark_deep(arena).0).collect();
        let call = Call { context: self.context, arena, arguments: &plain, meter };
        Ok((self.row.body)(&call)?.with_marks(marks))
    }
}

/// The files that functions of OpenTofu read: relative paths start at the folder of the file.
pub(super) struct FilesOf<'e, 'a>(pub(super) &'e Context<'e, 'a>);

impl FilesOf<'_, '_> {
    fn path(&self, path: &str) -> String {
        resolved(&directory(self.0.file), path)
    }
}

impl Files for FilesOf<'_, '_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let path = self.path(path);
        self.0.log.also(path.clone());
        self.0.world.disk.read(&path, reading::MOST_BYTES)
    }

    fn kind(&self, path: &str) -> Result<FileKind, FileError> {
        let path = self.path(path);
        self.0.log.also(path.clone());
        self.0.world.disk.kind(&path)
    }

    fn entries(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        self.0.world.disk.entries(&self.path(path))
    }

    fn absolute(&self, path: &str) -> Option<String> {
        Some(self.path(path))
    }

    fn home(&self) -> Option<String> {
        None
    }

    fn looks_for(&self, pattern: &str) {
        let set = Watched::Set(directory(self.0.file), pattern.to_owned());
        self.0.log.get().watched.insert(set);
    }

    fn takes(&self, marks: Marks) -> bool {
        self.0.takes(marks)
    }
}

/// All functions, in a context. Most expressions call none, so they are set up when the first one is
/// looked up.
pub(super) struct Table<'e, 'a> {
    context: &'e Context<'e, 'a>,
    files: &'e FilesOf<'e, 'a>,
    rows: OnceLock<Vec<Bound<'e, 'a>>>,
    environment: OnceLock<Environment<'e>>,
}

impl<'e, 'a> Table<'e, 'a> {
    pub(super) fn new(context: &'e Context<'e, 'a>, files: &'e FilesOf<'e, 'a>) -> Self {
        Self { context, files, rows: OnceLock::new(), environment: OnceLock::new() }
    }

    fn environment(&self) -> &Environment<'e> {
        self.environment.get_or_init(|| Environment::new().with_files(self.files))
    }
}

impl Functions for Table<'_, '_> {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        match ROWS.binary_search_by_key(&name, |row| row.name) {
            Ok(found) => {
                let bound = |row| Bound { row, context: self.context };
                let rows = self.rows.get_or_init(|| ROWS.iter().map(bound).collect());
                Some(&rows[found])
            }
            Err(_) if name.contains("::") => None,
            Err(_) => self.environment().get(name),
        }
    }

    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.environment().names();
        names.extend(ROWS.iter().map(|row| row.name));
        names.sort_unstable();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted() {
        assert!(ROWS.is_sorted_by(|one, next| one.name < next.name));
    }
}
