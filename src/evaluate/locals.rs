//! The variables of `for` expressions.

use smallvec::SmallVec;

use crate::hash::HashMap;
use crate::value::Value;

/// The variables of all `for` expressions around the current node, innermost last.
#[derive(Default)]
pub(super) struct Locals<'a> {
    variables: SmallVec<[Local<'a>; 2]>,
    /// The index of the innermost variable with each name.
    innermost: HashMap<&'a str, usize>,
}

struct Local<'a> {
    name: &'a str,
    value: Value<'a>,
    /// The variable of the same name that it hides.
    hides: Option<usize>,
}

impl<'a> Locals<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    pub(super) fn get(&self, name: &str) -> Option<Value<'a>> {
        if self.variables.is_empty() {
            return None;
        }
        self.innermost.get(name).map(|&index| self.variables[index].value)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.variables.iter().rev().map(|local| local.name)
    }

    /// Adds a new innermost variable, unknown at first, and returns its index.
    pub(super) fn enter(&mut self, name: &'a str) -> usize {
        let index = self.variables.len();
        let hides = self.innermost.insert(name, index);
        self.variables.push(Local { name, value: Value::dynamic(), hides });
        index
    }

    pub(super) fn set(&mut self, index: usize, value: Value<'a>) {
        self.variables[index].value = value;
    }

    /// Removes the innermost variable.
    pub(super) fn leave(&mut self) {
        match self.variables.pop() {
            Some(Local { name, hides: Some(index), .. }) => self.innermost.insert(name, index),
            Some(Local { name, hides: None, .. }) => self.innermost.remove(name),
            None => None,
        };
    }
}
