//! Evaluates one configuration: the file of a unit, and the files that it includes.
//!
//! The order is that of Terragrunt: values, `include`, `feature`, local values, `dependency`, then the
//! rest; included files are evaluated with the dependencies of all files, and merged under the unit in
//! the order of their blocks.
//!
//! Nothing recurses. A configuration that `read_terragrunt_config` has not read yet is noted, and the
//! evaluation is repeated after it ([`super::read`]). Local values that are complete are kept
//! meanwhile.

use std::cell::RefCell;
use std::sync::Arc;

use super::argument::flag;
use super::call::{Context, Include, Strategy, resolved};
use super::config::{Config, Dependency, Exclude, keep_last, merge_dependencies};
use super::flow::read_path;
use super::frame::{Base, Extent, Frame, Variables, set};
use super::log::{Lead, LeadTo};
use super::names;
use super::parse::{Parsed, Part};
use super::plain::plain;
use super::rest::Rest;
use super::world::Bound;
use crate::evaluate::Objects;
use crate::expression::Expression;
use crate::functions::FileError;
use crate::functions::paths::{base, directory, join};
use crate::hash::{HashMap, HashSet};
use crate::native::{Step, StepKind};
use crate::value::{Content, Marks, Type, Value};

/// A configuration with what it includes.
pub(super) struct Outcome<'v> {
    pub(super) config: Config<'v>,
    pub(super) includes: Vec<Include>,
}

/// Local values while they are evaluated.
struct LocalValues<'c, 'v> {
    numbers: HashMap<&'c str, usize>,
    values: RefCell<Vec<Option<Value<'v>>>>,
}

impl<'v> Objects<'v> for LocalValues<'_, 'v> {
    fn find(&self, steps: &[Step<'_>]) -> Option<(Value<'v>, usize)> {
        let [Step { kind: StepKind::Root("local"), .. }, rest @ ..] = steps else { return None };
        let Some(Step { kind: StepKind::Attribute(name), .. }) = rest.first() else {
            return Some((Value::dynamic(), steps.len()));
        };
        let number = self.numbers.get(name)?;
        let value = self.values.borrow()[*number].unwrap_or_else(Value::dynamic);
        Some((value, 2))
    }
}

impl<'e, 'a: 'v, 'v> Frame<'e, 'a, 'v> {
    /// Evaluates the configuration. If configurations have to be read first, the result is to be
    /// dropped.
    pub(super) fn run(&self) -> Outcome<'v> {
        let parsed = match self.world.parsed(self.config) {
            Ok(parsed) => parsed,
            Err(why) => {
                self.log.problem("file", &*why);
                return Outcome { config: Config::default(), includes: Vec::new() };
            }
        };
        self.report(&parsed);
        let values = self.values(&directory(self.config), &[], None);
        let includes = self.includes(&parsed, values);
        // Included files, as far as they do not depend on the others.
        let parents: Vec<Option<Base<'a, 'v>>> =
            includes.iter().map(|include| self.parent(include)).collect();
        let mut features = self.features(self.config, &parsed, values, None, None);
        let mut known: HashSet<&str> = features.iter().map(|(name, _)| *name).collect();
        for (include, parent) in includes.iter().zip(&parents).rev() {
            if let (Some(parent), Strategy::Shallow | Strategy::Deep) = (parent, include.strategy) {
                let new = parent.own_features.iter().copied();
                features.extend(new.filter(|(name, _)| known.insert(name)));
            }
        }
        let feature = self.feature(&features);
        let mut early: Vec<Option<Config<'v>>> = vec![None; includes.len()];
        let mut exposed = None;
        // Terragrunt evaluates what is exposed, used or not.
        if parsed.uses.include_early || self.extent != Extent::Listed {
            for ((include, parent), config) in includes.iter().zip(&parents).zip(&mut early) {
                if let Some(parent) = parent
                    && include.exposes
                {
                    *config = Some(self.exposed(parent));
                }
            }
            exposed = self.exposed_value(&includes, &early);
        }
        let mut own = self.base(
            self.config.to_owned(),
            parsed,
            (&includes, None),
            (values, feature, features),
            exposed,
        );
        let bound =
            self.world.written(&directory(self.config)).and_then(|it| it.autoinclude.clone());
        let over = self.autoinclude(&own, bound, &includes);
        // The dependencies of all files.
        let mut all = own.dependencies.clone();
        if let Some(over) = &over {
            merge_dependencies(self.arena, &mut all, over.dependencies.clone(), false);
        }
        for (include, parent) in includes.iter().zip(&parents).rev() {
            let Some(parent) = parent else { continue };
            let is_deep = match include.strategy {
                Strategy::Shallow => false,
                Strategy::Deep => true,
                Strategy::Not | Strategy::Invalid => continue,
            };
            let mut merged = parent.dependencies.clone();
            for problem in merge_dependencies(self.arena, &mut merged, all, is_deep) {
                self.log.problem("merge", problem);
            }
            all = merged;
        }
        let dependency = self.dependency(&all);
        let mut configs = Vec::new();
        for ((include, parent), early) in includes.iter().zip(&parents).zip(early) {
            configs.push(parent.as_ref().map(|parent| {
                let mut config = match early {
                    Some(config) if !parent.parsed.uses.dependency => config,
                    _ if include.exposes && own.parsed.uses.include_late => {
                        self.exposed_with(parent, dependency)
                    }
                    _ => self.rest(parent, dependency, None, self.extent),
                };
                // A merge joins them by name.
                config.dependencies.clone_from(&parent.dependencies);
                config
            }));
        }
        let exposed = match own.parsed.uses.include_late {
            true => self.exposed_value(&includes, &configs),
            false => exposed,
        };
        let mut config = self.rest(&own, dependency, exposed, self.extent);
        config.dependencies = std::mem::take(&mut own.dependencies);
        if let Some(over) = over {
            let mut rest = self.rest(&over, dependency, None, self.extent);
            rest.dependencies = over.dependencies;
            self.merge_autoinclude(&mut config, rest);
        }
        let locals = config.locals;
        for (include, parent) in includes.iter().zip(configs).rev() {
            self.log.track(include.path.clone());
            let Some(mut parent) = parent else { continue };
            let is_deep = match include.strategy {
                Strategy::Shallow => false,
                Strategy::Deep => true,
                Strategy::Not | Strategy::Invalid => continue,
            };
            parent.exclude = match (parent.exclude.take(), config.exclude.take()) {
                (Some(under), Some(over)) => {
                    Some(Exclude { actions: over.actions.or(under.actions), ..over })
                }
                (under, over) => over.or(under),
            };
            for problem in parent.merge(self.arena, config, is_deep) {
                self.log.problem("merge", problem);
            }
            config = parent;
        }
        config.locals = locals;
        Outcome { config, includes }
    }

    /// Evaluates the configuration as one that another configuration reads.
    pub(super) fn read_value(&self) -> Value<'v> {
        if base(self.config) == names::VALUES {
            let values = self.values(&directory(self.config), &[], None);
            return values.unwrap_or_else(Value::dynamic);
        }
        self.run().config.value(self.arena)
    }

    /// Evaluates the `include` blocks.
    fn includes(&self, parsed: &Parsed<'a>, values: Option<Value<'v>>) -> Vec<Include> {
        let mut variables = Variables::default();
        set(&mut variables, "values", values);
        let context = self.context(self.config, &[], None);
        let mut includes: Vec<Include> = Vec::new();
        let mut has_bare = false;
        for block in parsed.root.blocks("include") {
            let value = |name: &str| self.shown_argument(&context, &variables, block, name);
            let path = value("path").unwrap_or_else(Value::dynamic);
            let path = match self.text(path) {
                Some("") | None => {
                    self.log.problem("include", "the path of an include block is not known");
                    String::new()
                }
                Some(path) => resolved(&directory(self.config), path),
            };
            let strategy = match value("merge_strategy") {
                None => Strategy::Shallow,
                Some(value) if value.is_null() => Strategy::Shallow,
                Some(value) => match value.as_str() {
                    Some("no_merge") => Strategy::Not,
                    Some("shallow") => Strategy::Shallow,
                    Some("deep") => Strategy::Deep,
                    other => {
                        let name = other.unwrap_or("of unknown name");
                        let why = format!(
                            "the merge strategy {name} is not one of no_merge, shallow and deep"
                        );
                        self.log.problem("include", why);
                        Strategy::Invalid
                    }
                },
            };
            let exposes = value("expose").and_then(|value| value.as_bool()) == Some(true);
            let label = block.label.to_owned();
            if label.is_empty() && std::mem::replace(&mut has_bare, true) {
                self.log.problem("includes", "two include blocks have no label");
            }
            // Of two blocks with one label, both are merged.
            includes.push(Include { label, path, exposes, strategy });
        }
        includes
    }

    /// Returns an included file, with its own local values and dependencies.
    fn parent(&self, include: &Include) -> Option<Base<'a, 'v>> {
        if include.path.is_empty() {
            return None;
        }
        let parsed = match self.world.parsed(&include.path) {
            Ok(parsed) => parsed,
            Err(why) => {
                let is_missing =
                    matches!(self.world.disk.kind(&include.path), Err(FileError::Missing));
                self.log.problem(if is_missing { "include" } else { "file" }, &*why);
                return None;
            }
        };
        self.report(&parsed);
        if parsed.root.block("include").is_some() {
            let why = format!("{} is included, and includes another file", include.path);
            self.log.problem("include", why);
        }
        let included = Some(include.path.as_str());
        let values = self.values(&directory(&include.path), &[], included);
        let features = self.features(&include.path, &parsed, values, included, None);
        let feature = self.feature(&features);
        let path = include.path.clone();
        Some(self.base(path, parsed, (&[], included), (values, feature, features), None))
    }

    /// Evaluates the `feature` blocks of a file: the default of each.
    fn features(
        &self,
        file: &str,
        parsed: &Parsed<'a>,
        values: Option<Value<'v>>,
        included: Option<&str>,
        bound: Option<&Bound<'a>>,
    ) -> Vec<(&'v str, Value<'v>)> {
        let mut variables = Variables::default();
        set(&mut variables, "values", values);
        for &(name, value) in bound.iter().flat_map(|bound| bound.variables.iter()) {
            set(&mut variables, name, Some(value));
        }
        let context = self.context(file, &[], included);
        let blocks = parsed.root.blocks("feature");
        let mut features: Vec<(&'v str, Value<'v>)> = Vec::new();
        for block in blocks {
            let Some(default) = block.get("default") else { continue };
            let value = self.value(&context, (&variables, None), default, |_| false);
            features.push((block.label, value));
        }
        keep_last(&mut features, |(name, _)| name);
        features
    }

    /// The value of `feature`: defaults, and the values that flags give.
    fn feature(&self, features: &[(&'v str, Value<'v>)]) -> Value<'v> {
        let arena = self.arena;
        let one = |name: &'v str, value: Value<'v>| {
            (name, Value::object(arena, &[("name", Value::string(arena, name)), ("value", value)]))
        };
        let mut all: Vec<_> = features.iter().map(|&(name, value)| one(name, value)).collect();
        for (name, text) in &self.world.options.features {
            let name = arena.str(name);
            let default = features.iter().find(|(known, _)| *known == name);
            let value = match (default.map(|(_, value)| value.ty()), flag(text)) {
                (Some(Type::Bool), Some(flag)) => Value::bool(flag),
                (Some(Type::Bool), None) => {
                    let why = format!("the value of feature {name} is not a boolean");
                    self.log.problem("feature", why);
                    Value::unknown(Type::Bool)
                }
                _ => Value::string(arena, arena.str(text)),
            };
            all.push(one(name, value));
        }
        Value::object(arena, &all)
    }

    /// Evaluates the local values and `dependency` blocks of a file.
    fn base(
        &self,
        path: String,
        parsed: Arc<Parsed<'a>>,
        (includes, included): (&[Include], Option<&str>),
        (values, feature, own_features): (Option<Value<'v>>, Value<'v>, Vec<(&'v str, Value<'v>)>),
        exposed: Option<Value<'v>>,
    ) -> Base<'a, 'v> {
        let mut variables = Variables::default();
        set(&mut variables, "values", values);
        set(&mut variables, "feature", Some(feature));
        set(&mut variables, "include", exposed);
        let context = self.context(&path, includes, included);
        let local = self.locals(&context, &parsed, &variables);
        set(&mut variables, "local", Some(local));
        let (dependencies, paths) = self.dependency_blocks(&context, &parsed.root, &variables);
        Base {
            is_included: included.is_some(),
            parsed,
            bound: None,
            values,
            own_features,
            feature,
            local,
            dependencies,
            paths,
            includes: includes.to_vec(),
            path,
        }
    }

    /// Evaluates local values, each after those that it refers to.
    pub(super) fn locals(
        &self,
        context: &Context<'_, 'a>,
        parsed: &Parsed<'a>,
        variables: &[(&'v str, Value<'v>)],
    ) -> Value<'v> {
        let locals = &parsed.locals;
        let known = self.memo.borrow_mut().remove(context.file);
        let values = known.unwrap_or_else(|| vec![None; locals.entries.len()]);
        let numbers = locals.entries.iter().enumerate().map(|(at, (name, _))| (*name, at));
        let objects = LocalValues { numbers: numbers.collect(), values: RefCell::new(values) };
        let mut lasting = objects.values.borrow().clone();
        for &at in &locals.order {
            let at = at as usize;
            if objects.values.borrow()[at].is_some() {
                continue;
            }
            let problems = self.log.get().problems.len();
            let scope = (variables, Some(&objects as &dyn Objects<'v>));
            let value = self.value(context, scope, locals.entries[at].1, |_| false);
            objects.values.borrow_mut()[at] = Some(value);
            self.lead(context, scope, locals.entries[at]);
            // A local value that waits for a file is evaluated again, and so is one with a problem.
            let reads = self.log.get();
            if reads.wanted.is_empty() && reads.problems.len() == problems {
                lasting[at] = Some(value);
            }
        }
        for stuck in &locals.stuck {
            let (name, expression) = &locals.entries[stuck.index as usize];
            let at = expression.label();
            let position = at.source.position(at.span.start);
            let (why, file) = (stuck.why(), at.source.name());
            self.log.problem(
                "local",
                format!("{file}:{}:{}: local.{name} {why}", position.line, position.column),
            );
        }
        let values = objects.values.into_inner();
        let entries: Vec<_> = locals
            .entries
            .iter()
            .zip(&values)
            .map(|((name, _), value)| (*name, value.unwrap_or_else(Value::dynamic)))
            .collect();
        self.memo.borrow_mut().insert(context.file.to_owned(), lasting);
        Value::object(self.arena, &entries)
    }

    /// Notes that a local value is the configuration in a file, if it is nothing else.
    fn lead(
        &self,
        context: &Context<'_, 'a>,
        scope: (&[(&'v str, Value<'v>)], Option<&dyn Objects<'v>>),
        (name, expression): (&str, Expression<'a>),
    ) {
        let Some(path) = read_path(expression) else { return };
        let path = self.value(context, scope, path, |_| true);
        let Some(path) = self.text(path).filter(|_| self.world.shows(path.deep_marks())) else {
            return;
        };
        let to = LeadTo::Configuration(context.configuration(path));
        self.note_lead(context, name, to);
    }

    fn note_lead(&self, context: &Context<'_, 'a>, name: &str, to: LeadTo) {
        let (config, file, name) =
            (context.config.to_owned(), context.file.to_owned(), name.to_owned());
        self.log.get().leads.insert(Lead { config, file, name, to });
    }

    /// Evaluates `dependency` blocks: the blocks, the last one of each name, and the paths of all.
    fn dependency_blocks(
        &self,
        context: &Context<'_, 'a>,
        root: &Part<'a>,
        variables: &[(&'v str, Value<'v>)],
    ) -> (Vec<Dependency<'v>>, Vec<Value<'v>>) {
        let (mut blocks, mut paths): (Vec<Dependency<'v>>, Vec<Value<'v>>) = Default::default();
        for block in root.blocks("dependency") {
            let mut dependency = Dependency { name: block.label, attributes: Vec::new() };
            for schema in block.kind.schema.attributes() {
                let value = match schema.name {
                    "mock_outputs" => self.argument(context, variables, block, schema.name),
                    name => self.shown_argument(context, variables, block, name),
                };
                dependency.attributes.extend(value.map(|value| (schema.name, value)));
            }
            if block.block("expansion").is_some() {
                let why = format!("dependency \"{}\" is repeated by expansion", block.label);
                self.log.problem("dependency", why);
            }
            let path = dependency.get("config_path");
            let folder = path
                .and_then(|path| path.as_str())
                .map(|path| self.world.disk.resolve(&resolved(&directory(self.config), path)));
            // Without a path, it adds to a block of another file.
            if path.is_some() {
                self.note_lead(context, block.label, LeadTo::Unit(folder.clone()));
            }
            if dependency.is_enabled() {
                self.log.get().needed.extend(folder);
                paths.push(dependency.get("config_path").unwrap_or_else(Value::dynamic));
            }
            blocks.push(dependency);
        }
        keep_last(&mut blocks, |block| block.name);
        (blocks, paths)
    }

    /// The value of `dependency`.
    fn dependency(&self, blocks: &[Dependency<'v>]) -> Value<'v> {
        let arena = self.arena;
        let one = |block: &Dependency<'v>| {
            let outputs = block.outputs().map_or_else(Value::dynamic, |it| self.mocks(block, it));
            (block.name, Value::object(arena, &[("outputs", outputs)]))
        };
        Value::object(arena, &blocks.iter().map(one).collect::<Vec<_>>())
    }

    /// The mocks of a dependency, with marks on those of sensitive outputs.
    fn mocks(&self, block: &Dependency<'v>, outputs: Value<'v>) -> Value<'v> {
        let Some(path) = block.get("config_path").and_then(|path| path.as_str()) else {
            return outputs;
        };
        let folder = self.world.disk.resolve(&resolved(&directory(self.config), path));
        let Some(hidden) = self.world.known_outputs(&folder) else {
            self.log.get().mocked.insert(folder);
            return outputs;
        };
        if hidden.outputs().next().is_none() {
            return outputs;
        }
        let outputs = plain(self.arena, outputs);
        let marked = |&(name, value): &(&'v str, Value<'v>)| match hidden.has_output(name) {
            true => (name, value.with_marks(Marks::HIDDEN)),
            false => (name, value),
        };
        let entries: Vec<_> = outputs.entries().iter().map(marked).collect();
        match outputs.content() {
            Content::Entries(_) => Value::object(self.arena, &entries).with_marks(outputs.marks()),
            _ => outputs,
        }
    }

    /// The configuration of an included file with its own dependencies alone.
    fn exposed(&self, parent: &Base<'a, 'v>) -> Config<'v> {
        self.exposed_with(parent, self.dependency(&parent.dependencies))
    }

    /// The configuration of an included file as another one sees it, with its inputs. Terragrunt reads
    /// inputs to list units only if no dependency can be in them.
    fn exposed_with(&self, parent: &Base<'a, 'v>, dependency: Value<'v>) -> Config<'v> {
        let has_dependency = parent.parsed.root.block("dependency").is_some();
        let extent = match has_dependency {
            true => self.extent.max_whole(),
            false => Extent::Full,
        };
        let mut config = self.rest(parent, dependency, None, extent);
        config.dependencies = parent.dependencies.clone();
        config
    }

    /// The value of `include`.
    fn exposed_value(
        &self,
        includes: &[Include],
        configs: &[Option<Config<'v>>],
    ) -> Option<Value<'v>> {
        let mut all = Vec::new();
        for (include, config) in includes.iter().zip(configs) {
            if !include.exposes {
                continue;
            }
            let value = config.as_ref().map_or_else(Value::dynamic, |it| it.value(self.arena));
            if include.label.is_empty() && includes.len() == 1 {
                return Some(value);
            }
            all.push((self.arena.str(&include.label), value));
        }
        (!includes.is_empty()).then(|| Value::object(self.arena, &all))
    }

    /// Returns the file that is merged over the unit, if there is one.
    fn autoinclude(
        &self,
        own: &Base<'a, 'v>,
        bound: Option<Arc<Bound<'a>>>,
        includes: &[Include],
    ) -> Option<Base<'a, 'v>> {
        let folder = directory(self.config);
        if let Some(bound) = bound {
            let mut variables = Variables::default();
            for &(name, value) in bound.variables.iter() {
                set(&mut variables, name, Some(value));
            }
            set(&mut variables, "feature", Some(own.feature));
            let features = self.features(&bound.file, &bound.parsed, None, None, Some(&bound));
            let frame = Frame { config: &bound.file, ..*self };
            let context = frame.context(&bound.file, &[], None);
            let (dependencies, paths) =
                frame.dependency_blocks(&context, &bound.parsed.root, &variables);
            return Some(Base {
                path: bound.file.clone(),
                is_included: false,
                parsed: Arc::clone(&bound.parsed),
                values: None,
                own_features: features,
                feature: own.feature,
                local: Value::object(self.arena, &[]),
                dependencies,
                paths,
                includes: Vec::new(),
                bound: Some(bound),
            });
        }
        let path = join(&folder, names::AUTOINCLUDE);
        if !self.world.disk.is_file(&path) {
            return None;
        }
        self.log.also(path.clone());
        match self.world.parsed(&path) {
            Ok(parsed) => {
                self.report(&parsed);
                let features = self.features(&path, &parsed, own.values, None, None);
                let feature = self.feature(&features);
                let rest = (own.values, feature, features);
                Some(self.base(path, parsed, (includes, None), rest, None))
            }
            Err(why) => {
                self.log.problem("file", &*why);
                None
            }
        }
    }

    /// Merges the file beside a unit over it.
    fn merge_autoinclude(&self, config: &mut Config<'v>, over: Config<'v>) {
        // Of a block that both have, only the path of the upper one counts.
        let replaced = config.replaced_by(&over.dependencies);
        let listed: HashSet<&str> =
            config.listed_paths.iter().flatten().filter_map(|path| path.as_str()).collect();
        let is_replaced = |path: &str| replaced.contains(path) && !listed.contains(path);
        config.paths.retain(|path| !path.as_str().is_some_and(is_replaced));
        for problem in config.merge(self.arena, over, false) {
            self.log.problem("merge", problem);
        }
    }

    /// Evaluates what is left of a file.
    fn rest(
        &self,
        base: &Base<'a, 'v>,
        dependency: Value<'v>,
        exposed: Option<Value<'v>>,
        extent: Extent,
    ) -> Config<'v> {
        let mut variables = Variables::default();
        set(&mut variables, "values", base.values);
        set(&mut variables, "feature", Some(base.feature));
        set(&mut variables, "local", Some(base.local));
        set(&mut variables, "dependency", Some(dependency));
        set(&mut variables, "include", exposed);
        for &(name, value) in base.bound.iter().flat_map(|bound| bound.variables.iter()) {
            set(&mut variables, name, Some(value));
        }
        // A file that a stack would write is evaluated at the place of the stack.
        let config = if base.bound.is_some() { base.path.as_str() } else { self.config };
        let frame = Frame { config, ..*self };
        let included = base.is_included.then_some(base.path.as_str());
        let context = frame.context(&base.path, &base.includes, included);
        let mut rest =
            Rest { frame: &frame, context: &context, variables: &variables }.config(base, extent);
        rest.features = base.own_features.clone();
        if !base.parsed.locals.entries.is_empty() {
            rest.locals = Some(base.local);
        }
        rest
    }
}
