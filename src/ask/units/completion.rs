//! Completions in native files of Terragrunt.

use std::collections::BTreeSet;

use crate::ask::completion::{Completion, CompletionKind as Kind, standard_functions};
use crate::ask::context::{Around, Header, Spot, Value};
use crate::ask::schema::type_text;
use crate::ask::unit_file::UnitFile;
use crate::ask::unit_names::{self, Name};
use crate::ask::{Answers, variables};
use crate::dialect::Dialect;
use crate::terragrunt::{block_schema, functions};

impl<'t, 'a> Answers<'t, 'a> {
    /// The names that can be written at a spot of a file of Terragrunt.
    pub(in crate::ask) fn unit_completions(
        &self,
        unit: &UnitFile<'a>,
        offset: u32,
        around: &Around,
    ) -> Vec<Completion> {
        match &around.spot {
            Spot::Item => items(unit, &around.blocks),
            Spot::Value(value) if !value.is_text && !value.is_number => {
                self.unit_values(unit, offset, &around.blocks, value)
            }
            _ => Vec::new(),
        }
    }

    fn unit_values(
        &self,
        unit: &UnitFile<'a>,
        offset: u32,
        blocks: &[Header],
        value: &Value,
    ) -> Vec<Completion> {
        let is_inputs = blocks.is_empty() && value.argument == "inputs";
        if value.is_key && value.steps.is_empty() && value.path.is_empty() {
            if is_inputs {
                return self.inputs(unit);
            }
            if let Some(outputs) = self.mocks(unit, blocks, value) {
                return outputs;
            }
        }
        let steps: Vec<&str> = value.steps.iter().map(String::as_str).collect();
        if !steps.is_empty() {
            return self.unit_steps(unit, &steps);
        }
        let names = variables::around(unit.file, offset).into_iter();
        let mut found: Vec<Completion> =
            names.map(|name| Completion::new(name, Kind::Variable)).collect();
        let roots = ["local", "dependency", "include", "feature", "values"];
        let words = roots.into_iter().chain(["true", "false", "null"]);
        found.extend(words.map(|name| Completion::new(name, Kind::Keyword)));
        found.extend(functions().map(|(name, signature)| {
            let completion = Completion::new(name, Kind::Function).with_detail(signature);
            Completion { snippet: Some(format!("{name}($0)").into()), ..completion }
        }));
        standard_functions(Dialect::OpenTofu, &mut found);
        found
    }

    /// The variables of the module that a unit runs.
    fn inputs(&self, unit: &UnitFile<'a>) -> Vec<Completion> {
        let Some(module) = unit.module() else { return Vec::new() };
        let variables = self.module(module).module.variables.iter();
        variables
            .map(|it| {
                let required = if it.is_required() { "required, " } else { "" };
                let ty = type_text(it.written_type, self.hides_variable(module, it.name));
                let completion = Completion::new(it.name, Kind::Variable)
                    .with_detail(format!("{required}{ty}"))
                    .with_documentation(it.description);
                let snippet = Some(format!("{} = $0", it.name).into());
                Completion { snippet, is_deprecated: it.deprecated.is_some(), ..completion }
            })
            .collect()
    }

    /// The outputs that `mock_outputs` of a dependency stands for.
    fn mocks(
        &self,
        unit: &UnitFile<'a>,
        blocks: &[Header],
        value: &Value,
    ) -> Option<Vec<Completion>> {
        let block = blocks.last().filter(|it| it.block_type == "dependency")?;
        let name = block.labels.first().filter(|_| value.argument == "mock_outputs")?;
        let mut outputs = self.outputs(unit, name);
        for output in &mut outputs {
            output.snippet = Some(format!("{} = $0", output.label).into());
        }
        Some(outputs)
    }

    fn outputs(&self, unit: &UnitFile<'a>, dependency: &str) -> Vec<Completion> {
        let Some(module) = unit.module_of(dependency) else { return Vec::new() };
        let outputs = self.module(module).module.outputs.iter();
        outputs
            .map(|output| {
                let completion = Completion::new(output.name, Kind::Output)
                    .with_documentation(output.description);
                Completion { is_deprecated: output.deprecated.is_some(), ..completion }
            })
            .collect()
    }

    /// The names that can follow others that are joined by dots.
    fn unit_steps(&self, unit: &UnitFile<'a>, steps: &[&str]) -> Vec<Completion> {
        let all = |names: BTreeSet<String>, kind: Kind| -> Vec<Completion> {
            names.iter().map(|name| Completion::new(name, kind)).collect()
        };
        let members = |names: &[&str]| -> Vec<Completion> {
            names.iter().map(|name| Completion::new(name, Kind::Attribute)).collect()
        };
        let labels = |kind: &str| -> BTreeSet<String> {
            let declared = unit.places.iter().filter(|it| it.is_declaration);
            let names = declared.filter_map(|it| match &it.name {
                Name::Block(known, name) if *known == kind => Some(name.clone()),
                _ => None,
            });
            names.collect()
        };
        match steps {
            ["local"] => {
                let locals = unit_names::locals(unit.file).map(|it| it.name().to_owned());
                all(locals.collect(), Kind::Local)
            }
            ["dependency"] => {
                let mut names = labels("dependency");
                names.extend(unit.links.dependencies.keys().cloned());
                all(names, Kind::Module)
            }
            ["dependency", _] => members(&["outputs"]),
            ["dependency", name, "outputs"] => self.outputs(unit, name),
            ["include"] => all(labels("include"), Kind::Module),
            ["include", _] => members(&["inputs", "locals"]),
            ["include", label, "locals"] => {
                let file = unit.included.get(*label).copied();
                let locals = file.into_iter().flat_map(unit_names::locals);
                all(locals.map(|it| it.name().to_owned()).collect(), Kind::Local)
            }
            ["feature"] => all(labels("feature"), Kind::Variable),
            ["feature", _] => members(&["value"]),
            ["unit"] => all(labels("unit"), Kind::Module),
            ["stack"] => all(labels("stack"), Kind::Module),
            ["unit" | "stack", _] => members(&["path"]),
            ["values"] => {
                let values = unit.values.into_iter().flat_map(|file| file.body().properties());
                all(values.map(|it| it.name().to_owned()).collect(), Kind::Variable)
            }
            _ => Vec::new(),
        }
    }
}

/// The attributes and blocks of a body.
fn items(unit: &UnitFile<'_>, blocks: &[Header]) -> Vec<Completion> {
    let name = unit.file.source().name();
    let types: Vec<&str> = blocks.iter().map(|block| block.block_type.as_str()).collect();
    let Some(schema) = block_schema(name, &types) else { return Vec::new() };
    let attributes = schema.attributes().iter().map(|attribute| {
        let required = if attribute.required { "required, " } else { "" };
        let completion = Completion::new(attribute.name, Kind::Argument)
            .with_detail(format!("{required}terragrunt"));
        Completion { snippet: Some(format!("{} = $0", attribute.name).into()), ..completion }
    });
    let blocks = schema.blocks().iter().map(|block| {
        let labels: Vec<String> =
            (1..).zip(block.labels).map(|(at, label)| format!(" \"${{{at}:{label}}}\"")).collect();
        let snippet = format!("{}{} {{\n  $0\n}}", block.block_type, labels.concat());
        let completion = Completion::new(block.block_type, Kind::Block).with_detail("terragrunt");
        Completion { snippet: Some(snippet.into()), ..completion }
    });
    attributes.chain(blocks).collect()
}
