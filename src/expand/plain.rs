//! Instances of resources without a schema, as text.

use super::body::properties;
use super::budget::price_of_text;
use super::evaluation::Evaluation;
use super::trees::Trees;
use crate::body::Attribute;
use crate::module::Resource;
use crate::module::dynamic::{Nested, may_list_null};
use crate::value::Value;

/// The arguments of a resource without a schema, sorted by name. Blocks of one type are together.
pub(super) struct Arguments<'a> {
    properties: Vec<(&'a str, Attribute<'a>)>,
    /// For each argument, its text, if it is the same for all instances.
    fixed: Vec<Option<Trees<'a>>>,
}

impl<'a> Arguments<'a> {
    /// The arguments of a resource; `None` if they have to be evaluated together, because of equal
    /// names, `dynamic` blocks in JSON, or names that have to be normalized.
    pub(super) fn of(resource: &Resource<'a>) -> Option<Self> {
        let mut all = Vec::new();
        for property in properties(resource) {
            let name = match property.as_block() {
                Some(block) if block.is("dynamic") => block.label(0).unwrap_or_default(),
                Some(block) => block.block_type(),
                None if property.is_named("dynamic") => return None,
                None => property.name(),
            };
            if !name.is_ascii() {
                return None;
            }
            all.push((name, property));
        }
        all.sort_by_key(|(name, property)| (*name, property.name_span().start));
        let arguments = Self { properties: all, fixed: Vec::new() };
        let is_argument = |part: &[(&str, Attribute<'_>)]| {
            part.len() == 1 || part.iter().all(|(_, property)| property.as_block().is_some())
        };
        let is_plain = arguments.parts().all(is_argument);
        is_plain.then_some(arguments)
    }

    /// The properties of each argument: an attribute, or the blocks of one type.
    fn parts(&self) -> impl Iterator<Item = &[(&'a str, Attribute<'a>)]> {
        self.properties.chunk_by(|one, next| one.0 == next.0)
    }

    /// Keeps the texts of arguments that do not depend on the instance. `evaluation` makes an
    /// evaluation of one instance.
    pub(super) fn fix<'e, 't: 'e>(&mut self, evaluation: impl Fn() -> Evaluation<'e, 't, 'a, 'a>)
    where
        'a: 't,
    {
        let fixed = self.parts().map(|part| {
            loop {
                let evaluation = evaluation();
                let mut text = Trees::default();
                evaluation.write_argument(part, &mut text);
                let uses_own = evaluation.uses_own.get();
                let engine = evaluation.engine;
                let missing = engine.close(evaluation);
                if missing.is_empty() {
                    return Some(text).filter(|_| !uses_own);
                }
                engine.compute_all(missing);
            }
        });
        self.fixed = fixed.collect();
    }
}

impl<'v, 'a: 'v> Evaluation<'_, '_, 'v, 'a> {
    /// Writes the trees of an instance.
    pub(super) fn write_arguments(&self, arguments: &Arguments<'a>, trees: &mut Trees<'a>) {
        trees.clear();
        trees.bracket('{');
        for (at, part) in arguments.parts().enumerate() {
            match arguments.fixed.get(at) {
                Some(Some(fixed)) => {
                    let label = || part[0].1.name_label();
                    if self.engine.affords(price_of_text(fixed.len() as u64), label) {
                        trees.append(fixed);
                    } else {
                        trees.value(Some(part[0].0), Value::dynamic(), false);
                    }
                }
                _ => self.write_argument(part, trees),
            }
        }
        trees.bracket('}');
    }

    /// Writes the members of one argument.
    fn write_argument(&self, part: &[(&'a str, Attribute<'a>)], trees: &mut Trees<'a>) {
        let shows_sensitive = self.engine.inputs.shows_sensitive;
        match part {
            [(name, property)] if property.as_block().is_none() => {
                let expression = property.expression();
                if Nested::of(*property, Nested::Unknown).is_none()
                    && !may_list_null(*property)
                    && let Some(node) = expression.as_json()
                    && !expression.is_null()
                    && !expression.is_template()
                    && self.spend(expression)
                    && self.engine.affords(price_of_text(u64::from(node.span().len())), || {
                        expression.start_label()
                    })
                    && trees.copy(name, node, self)
                {
                    return;
                }
                let value = self.free(*property, Nested::Unknown, 0);
                // A null value may be computed by the provider.
                let value = if value.is_null() { Value::dynamic() } else { value };
                let value = self.engine.printed(value, || expression.start_label());
                trees.value(Some(name), value, shows_sensitive);
            }
            [] => {}
            blocks @ [(_, first), ..] => {
                let mut properties = blocks.iter().map(|(_, property)| *property);
                for (name, value) in self.plain(&mut properties, &|_| None, Nested::Unknown, 0).all
                {
                    let value = self.engine.printed(value, || first.name_label());
                    trees.value(Some(name), value, shows_sensitive);
                }
            }
        }
    }
}
