//! Evaluates the parts of a file other than local values, `include`, `feature` and `dependency`.

use super::argument::{Argument, Misfit, Shape};
use super::call::{Context, SENSITIVE, resolved};
use super::config::{Config, Exclude, Terraform};
use super::frame::{Base, Extent, Frame};
use super::parse::Part;
use super::plain::plain;
use super::schema::{GENERATE, Kind, REMOTE_STATE};
use super::source::{Source, split};
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expression;
use crate::functions::paths::directory;
use crate::hash::HashSet;
use crate::native::{StepKind, Traversal};
use crate::span::Span;
use crate::value::{Content, PathStep, Type, Value};

/// The attributes that Terragrunt reads to list units.
const LISTED: [&str; 6] = [
    "iam_role",
    "iam_web_identity_token",
    "prevent_destroy",
    "terraform_binary",
    "terraform_version_constraint",
    "terragrunt_version_constraint",
];

/// The attributes that it does not read for that.
const OTHERS: [&str; 3] =
    ["download_dir", "iam_assume_role_duration", "iam_assume_role_session_name"];

/// The values of `if_exists`: whether a generated file replaces one.
const IF_EXISTS: [&str; 4] = ["error", "skip", "overwrite", "overwrite_terragrunt"];
const IF_DISABLED: [&str; 3] = ["skip", "remove", "remove_terragrunt"];

/// The evaluation of a file in its context.
pub(super) struct Rest<'r, 'e, 'a, 'v> {
    pub(super) frame: &'r Frame<'e, 'a, 'v>,
    pub(super) context: &'r Context<'r, 'a>,
    pub(super) variables: &'r [(&'v str, Value<'v>)],
}

impl<'a: 'v, 'v> Rest<'_, '_, 'a, 'v> {
    /// Evaluates a file.
    pub(super) fn config(&self, base: &Base<'a, 'v>, extent: Extent) -> Config<'v> {
        let root = &base.parsed.root;
        let mut config = Config { paths: base.paths.clone(), ..Config::default() };
        if let Some(terraform) = root.block("terraform") {
            config.terraform = Some(self.terraform(terraform));
        }
        let listed = root.block("dependencies").and_then(|it| self.shown_argument(it, "paths"));
        if let Some(paths) = listed.map(paths) {
            config.paths.extend(&paths);
            config.listed_paths = Some(paths);
        }
        for name in LISTED {
            config.attributes.extend(self.argument(root, name).map(|value| (name, value)));
        }
        config.exclude = self.exclude(root);
        if let Some(errors) = root.block("errors") {
            let blocks = |name: &str| {
                let all = errors.blocks(name).map(|block| (block.label, self.object(block)));
                Value::object(self.frame.arena, &all.collect::<Vec<_>>())
            };
            let entries = [("retry", blocks("retry")), ("ignore", blocks("ignore"))];
            config.blocks.push(("errors", Value::object(self.frame.arena, &entries)));
        }
        if let Some(block) = root.block("remote_state") {
            config.remote_state = Some(self.remote_state(block));
        }
        if extent != Extent::Listed {
            let is_late = extent == Extent::Whole;
            self.frame.log.late(is_late, || self.late(root, &mut config));
        }
        config
    }

    /// Evaluates what lists of units do not need.
    fn late(&self, root: &Part<'a>, config: &mut Config<'v>) {
        let arena = self.frame.arena;
        if let (Some(block), Some(terraform)) = (root.block("terraform"), &mut config.terraform) {
            for schema in block.kind.schema.attributes().iter().filter(|it| it.name != "source") {
                let value = self.argument(block, schema.name);
                terraform.attributes.extend(value.map(|value| (schema.name, value)));
            }
            for inner in &block.blocks {
                let value = self.named(inner);
                if inner.kind.name.ends_with("_hook") && runs_nothing(value) {
                    let (kind, name) = (inner.kind.name, inner.label);
                    let why = format!("execute of {kind} \"{name}\" has no command");
                    self.frame.log.problem("hook", why);
                }
                terraform.blocks.push(((inner.kind.name, inner.label), value));
            }
        }
        for name in OTHERS {
            config.attributes.extend(self.argument(root, name).map(|value| (name, value)));
        }
        if let Some(expression) = root.get("remote_state") {
            let value = self.value(expression);
            self.check_object(&REMOTE_STATE, expression, value);
            config.remote_state = Some(value);
        }
        let mut names = HashSet::default();
        for block in root.blocks("generate") {
            self.generate(block.label, self.object(block), &mut names, config);
        }
        if let Some(all) = root.get("generate") {
            let mut value = self.value(all);
            // Names that must not be shown mark all of it.
            if !self.frame.world.shows(value.marks()) {
                self.frame.log.problem("expression", SENSITIVE);
                value = Value::dynamic();
            }
            let value = plain(arena, value);
            self.check_is_object("generate", all, value);
            for &(name, value) in value.entries() {
                let expression = all.part(&[PathStep::Name(name)]);
                self.check_object(&GENERATE, expression, value);
                if value.get("if_exists").is_none_or(|it| it.is_null()) && value.is_known() {
                    let missing = Diagnostic::new(Code::MissingArgument, expression.start_label());
                    self.frame.invalid(&missing.with_arguments(&["if_exists"]));
                }
                self.generate(name, value, &mut names, config);
            }
        }
        for name in ["engine", "catalog"] {
            config.blocks.extend(root.block(name).map(|it| (it.kind.name, self.object(it))));
        }
        if let Some(inputs) = root.get("inputs") {
            config.inputs = Some(self.inputs(inputs));
        }
    }

    fn value(&self, expression: Expression<'a>) -> Value<'v> {
        self.frame.value(self.context, (self.variables, None), expression, |_| false)
    }

    fn argument(&self, part: &Part<'a>, name: &str) -> Option<Value<'v>> {
        self.frame.argument(self.context, self.variables, part, name)
    }

    fn shown_argument(&self, part: &Part<'a>, name: &str) -> Option<Value<'v>> {
        self.frame.shown_argument(self.context, self.variables, part, name)
    }

    /// Whether a value is an object or null, or may be; reports another one.
    fn check_is_object(
        &self,
        name: &'static str,
        expression: Expression<'a>,
        value: Value<'v>,
    ) -> bool {
        let argument = Argument::optional(name, Shape::Object);
        let misfit = argument.fit(self.frame.arena, value).err();
        if let Some(misfit) = &misfit {
            self.frame.misfit(name, expression, misfit);
        }
        misfit.is_none()
    }

    /// Reports attributes of an object that stands for a block which do not have the types that the block
    /// asks for.
    fn check_object(&self, kind: &'static Kind, expression: Expression<'a>, value: Value<'v>) {
        if !self.check_is_object(kind.name, expression, value) {
            return;
        }
        for argument in kind.arguments {
            let name = argument.schema.name;
            let fitted = value.get(name).map(|it| argument.fit_loosely(self.frame.arena, it));
            if let Some(Err(misfit)) = fitted {
                let at = expression.part(&[PathStep::Name(name)]).part(&misfit.path);
                self.frame.misfit(name, at, &misfit);
            }
        }
    }

    /// The attributes of a block; those that are not set are null.
    fn object(&self, block: &Part<'a>) -> Value<'v> {
        self.object_with(block, &[])
    }

    /// Like [`Rest::object`], with its label as an attribute.
    fn named(&self, block: &Part<'a>) -> Value<'v> {
        let name = Value::string(self.frame.arena, block.label);
        self.object_with(block, &[("name", name)])
    }

    fn object_with(&self, block: &Part<'a>, more: &[(&'v str, Value<'v>)]) -> Value<'v> {
        let mut entries: Vec<(&'v str, Value<'v>)> = more.to_vec();
        for schema in block.kind.schema.attributes() {
            let value = self.argument(block, schema.name);
            let value = value.map(|value| plain(self.frame.arena, value));
            entries.push((schema.name, value.unwrap_or(Value::null(Type::Dynamic))));
        }
        Value::object(self.frame.arena, &entries)
    }

    /// Evaluates the source of a module, and notes the files of a local one.
    fn terraform(&self, block: &Part<'a>) -> Terraform<'v> {
        let mut terraform = Terraform::default();
        let Some(source) = block.get("source") else { return terraform };
        if source.variables().any(|it| it.root_name() == "dependency") {
            let why = "the source of a module refers to a dependency, which Terragrunt refuses";
            self.frame.log.problem("source", why);
        }
        let value = self.shown_argument(block, "source").unwrap_or_else(Value::dynamic);
        if let Some(text) = self.frame.text(value)
            && let Source::Local(path) = split(text)
        {
            // Terragrunt looks from the file that has the source.
            let folder = resolved(&directory(self.context.file), &path);
            let files = self.frame.world.module_files(&folder);
            self.frame.log.folder(folder, &files);
        }
        terraform.attributes.push(("source", value));
        terraform
    }

    fn exclude(&self, root: &Part<'a>) -> Option<Exclude<'v>> {
        let block = root.block("exclude")?;
        let flag = |name: &str| match self.shown_argument(block, name)?.content() {
            Content::Null => None,
            Content::Bool(flag) => Some(Value::bool(flag)),
            _ => Some(Value::unknown(Type::Bool)),
        };
        Some(Exclude {
            condition: flag("if").unwrap_or(Value::bool(false)),
            actions: self.shown_argument(block, "actions"),
            exclude_dependencies: flag("exclude_dependencies"),
            no_run: flag("no_run"),
        })
    }

    fn remote_state(&self, block: &Part<'a>) -> Value<'v> {
        let object = self.object(block);
        if let Some(backend) = block.get("backend")
            && object.get("backend").is_some_and(|it| it.as_str() == Some(""))
        {
            self.frame.misfit("backend", backend, &Misfit::of("it is empty"));
        }
        let flags = ["disable_init", "disable_dependency_optimization"];
        let entries = object.entries().iter().map(|&(name, value)| {
            let is_default = flags.contains(&name) && value.is_null();
            (name, if is_default { Value::bool(false) } else { value })
        });
        Value::object(self.frame.arena, &entries.collect::<Vec<_>>())
    }

    fn generate(
        &self,
        label: &'v str,
        value: Value<'v>,
        names: &mut HashSet<&'v str>,
        config: &mut Config<'v>,
    ) {
        let arena = self.frame.arena;
        if !names.insert(label) {
            self.frame
                .log
                .problem("generate", format!("two generate blocks are named \"{label}\""));
        }
        for (name, known) in [("if_exists", &IF_EXISTS[..]), ("if_disabled", &IF_DISABLED)] {
            if let Some(text) = value.get(name).and_then(|value| value.as_str())
                && !known.contains(&text)
            {
                let why =
                    format!("{name} of generate \"{label}\" is not one of {}", known.join(", "));
                self.frame.log.problem("generate", why);
            }
        }
        if value.get("mutable").is_some_and(|it| !it.is_null())
            && !self.frame.world.has_experiment("mutable-generate")
        {
            let why = format!(
                "generate \"{label}\" sets mutable, and the experiment \"mutable-generate\" is not on"
            );
            self.frame.log.problem("generate", why);
        }
        let text = |text: &'static str| Value::string(arena, text);
        let defaults = [
            ("comment_prefix", text("# ")),
            ("disable", Value::bool(false)),
            ("disable_signature", Value::bool(false)),
            ("hcl_fmt", Value::null(Type::Dynamic)),
            ("if_disabled", text("skip")),
            ("mutable", Value::null(Type::Dynamic)),
        ];
        let given = value.entries().iter().copied().filter(|(_, value)| !value.is_null());
        let all: Vec<_> = defaults.into_iter().chain(given).collect();
        config.generate.push((label, Value::object(arena, &all)));
    }

    /// Evaluates the inputs. An attribute that does not exist is unknown, since Terragrunt goes on; it is an
    /// error unless outputs of a state may have it.
    fn inputs(&self, inputs: Expression<'a>) -> Value<'v> {
        let of_outputs: Vec<Span> =
            inputs.variables().filter(|it| has_outputs(it)).map(|it| it.label().span).collect();
        let may_exist = |error: &Diagnostic<'a>| {
            let at = error.span().start;
            let before = of_outputs.partition_point(|span| span.start <= at);
            before.checked_sub(1).is_some_and(|last| at < of_outputs[last].end)
        };
        let is_missing = |error: &Diagnostic<'a>| {
            let is_missing =
                matches!(error.code(), Code::UnsupportedAttribute | Code::MissingMapElement);
            if is_missing && !may_exist(error) {
                self.frame.world.error(error);
            }
            is_missing
        };
        let scope = (self.variables, None);
        let value = self.frame.value(self.context, scope, inputs, is_missing);
        let value = plain(self.frame.arena, value);
        match value.content() {
            Content::Entries(_) | Content::Unknown { .. } | Content::Null => value,
            _ => {
                self.frame.log.problem("inputs", "the inputs are neither a map nor an object");
                Value::dynamic()
            }
        }
    }
}

/// Whether a reference is to outputs of a dependency, or to a part of a configuration that has these.
fn has_outputs(traversal: &Traversal<'_>) -> bool {
    let mut steps = traversal.steps().iter();
    steps.any(|step| matches!(step.kind, StepKind::Attribute("outputs")))
}

/// The paths of dependencies; one that is not known if the list is not.
fn paths(list: Value<'_>) -> Vec<Value<'_>> {
    match list.content() {
        Content::Elements(elements) => elements.to_vec(),
        Content::Null => Vec::new(),
        _ => vec![Value::dynamic()],
    }
}

/// Whether a hook has no command to execute.
fn runs_nothing(hook: Value<'_>) -> bool {
    let Some(execute) = hook.get("execute") else { return false };
    match execute.content() {
        Content::Null | Content::Elements([]) => true,
        Content::Elements([first, ..]) => first.as_str() == Some(""),
        _ => false,
    }
}
