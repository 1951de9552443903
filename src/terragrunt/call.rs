//! A call of a function of Terragrunt, and the place that it is called from.

use super::log::Log;
use super::world::World;
use crate::arena::Arena;
use crate::evaluate::{FunctionError, Meter};
use crate::functions::FileError;
use crate::functions::paths::{clean, directory, join};
use crate::value::{Clause, Marks, Quotation, Type, Value};

/// Why a value is not used.
pub(super) const SENSITIVE: &str =
    "a sensitive value decides what is read or listed; it is used only if it may be shown";

/// An `include` block.
#[derive(Clone, Debug)]
pub(super) struct Include {
    pub(super) label: String,
    /// Where it leads; empty if that is not known.
    pub(super) path: String,
    pub(super) exposes: bool,
    pub(super) strategy: Strategy,
}

/// How an included configuration is merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strategy {
    Not,
    Shallow,
    Deep,
    /// The name is not known, or refused.
    Invalid,
}

/// The place from which functions are called.
#[derive(Clone, Copy)]
pub(super) struct Context<'e, 'a> {
    pub(super) world: &'e World<'a>,
    /// The configuration that is evaluated.
    pub(super) config: &'e str,
    /// The configuration whose evaluation this is part of.
    pub(super) original: &'e str,
    /// The file that has the expression.
    pub(super) file: &'e str,
    /// The `include` blocks of the configuration, as far as they have been read.
    pub(super) includes: &'e [Include],
    /// The path of the file as an included one.
    pub(super) included: Option<&'e str>,
    pub(super) log: &'e Log,
}

impl<'e> Context<'e, '_> {
    /// The folder of the configuration that is evaluated.
    pub(super) fn folder(&self) -> String {
        directory(self.config)
    }

    /// Returns a path as an absolute one, from the folder of the configuration.
    pub(super) fn absolute(&self, path: &str) -> String {
        resolved(&self.folder(), path)
    }

    /// The file of the configuration at a path: in a folder, that of its unit.
    pub(super) fn configuration(&self, path: &str) -> String {
        let path = self.absolute(path);
        match self.world.disk.is_folder(&path) {
            true => self.world.config_of(&path),
            false => path,
        }
    }

    /// Whether functions look up what arguments with these marks name: paths are told, and others are
    /// made of them.
    pub(super) fn takes(&self, marks: Marks) -> bool {
        let takes = self.world.shows(marks);
        if !takes {
            self.log.problem("expression", SENSITIVE);
        }
        takes
    }

    /// The included file that functions are about: the one that has the expression, or the only one.
    pub(super) fn selected(&self, label: Option<&str>) -> Result<Option<&'e str>, &'static str> {
        match (self.included, self.includes) {
            (Some(path), _) => Ok(Some(path)),
            (None, []) => Ok(None),
            (None, [one]) => Ok(Some(&one.path)),
            (None, all) => match label {
                None => Err("with several include blocks, the name of one is required"),
                Some(label) => match all.iter().find(|it| it.label == label) {
                    Some(found) => Ok(Some(&found.path)),
                    None => Err("no include block has this name"),
                },
            },
        }
    }
}

/// Returns a path as an absolute one.
pub(super) fn resolved(folder: &str, path: &str) -> String {
    match path.starts_with('/') {
        true => clean(path),
        false => join(folder, path),
    }
}

/// The result of a call.
pub(super) type Outcome<'v> = Result<Value<'v>, FunctionError<'v>>;

/// A call of a function.
pub(super) struct Call<'c, 'e, 'a, 'v> {
    pub(super) context: &'c Context<'e, 'a>,
    pub(super) arena: &'v Arena,
    pub(super) arguments: &'c [Value<'v>],
    pub(super) meter: &'c Meter,
}

impl<'v> Call<'_, '_, '_, 'v> {
    pub(super) fn text(&self, index: usize) -> Option<&'v str> {
        self.arguments.get(index).and_then(|value| value.as_str())
    }

    pub(super) fn required(&self, index: usize) -> Result<&'v str, FunctionError<'v>> {
        self.text(index)
            .ok_or(FunctionError::of_argument(index, Clause::fixed("the argument is missing")))
    }

    pub(super) fn string(&self, text: &str) -> Outcome<'v> {
        self.meter.text(text.len())?;
        Ok(Value::string(self.arena, self.arena.str(text)))
    }

    pub(super) fn strings<'s>(&self, texts: impl IntoIterator<Item = &'s str>) -> Outcome<'v> {
        let mut values = Vec::new();
        for text in texts {
            values.push(self.string(text)?);
        }
        self.meter.parts(values.len())?;
        Ok(Value::list(self.arena, Type::String, &values))
    }

    pub(super) fn failed(&self, template: &'static str, quoted: &[&str]) -> FunctionError<'v> {
        let quoted: Vec<_> = quoted.iter().map(|text| Quotation::Text(text)).collect();
        FunctionError::new(Clause::quoting(self.arena, template, &quoted))
    }

    pub(super) fn at_most(&self, count: usize) -> Result<(), FunctionError<'v>> {
        match self.arguments.get(count) {
            None => Ok(()),
            Some(_) => Err(FunctionError::of_argument(
                count,
                Clause::fixed("there are too many arguments"),
            )),
        }
    }

    pub(super) fn error(&self, path: &str, error: &FileError) -> FunctionError<'v> {
        let quoted = [Quotation::Text(path), Quotation::Plain(error)];
        FunctionError::new(Clause::quoting(self.arena, "{} {}", &quoted))
    }
}
