//! Files of variables (`terraform.tfvars.json`, `*.auto.tfvars.json`): names and literal values.
//!
//! [`Assignments`] are read from these files, in the order in which the tools read them. Every
//! property of a file is the value of a variable, read literally. The last of several values of a
//! variable counts as a whole: objects are not merged.

use super::Module;
use crate::body::{Attribute, Body};
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::arguments::test_files::DECLARATIONS;
use crate::hash::HashMap;
use crate::source::Source;
use crate::suggest::Suggestions;

/// A value that a file of variables gives to a variable, read literally.
pub type Assignment<'a> = Attribute<'a>;

/// The values of a module's files of variables.
#[derive(Clone, Debug, Default)]
pub struct Assignments<'a> {
    all: Vec<Assignment<'a>>,
    last: HashMap<&'a str, usize>,
    /// The last file that could not be decoded, and the number of values that were read before it.
    lost: Option<(Source<'a>, usize)>,
}

impl<'a> Assignments<'a> {
    /// Adds the values of the next file. Reports a `variable` block as an error.
    ///
    /// Cost: one level of the file is opened.
    pub fn read(&mut self, file: impl Into<Body<'a>>, sink: &mut dyn Sink<'a>) {
        let mut body: Body<'a> = file.into();
        if body.as_json().is_none() {
            let (content, rest) = body.partial_content(DECLARATIONS.common(), sink);
            for block in content.blocks("variable") {
                sink.report(Diagnostic::new(Code::DeclarationAmongValues, block.type_label()));
            }
            body = rest;
        }
        let attributes = body.just_attributes(sink);
        for &attribute in attributes {
            let name = attribute.name();
            // A property with labels and a body is a block, even if there is a variable `variable`.
            if name == "variable" {
                let (content, _) = body.partial_content(DECLARATIONS.common(), &mut ());
                if content.blocks("variable").next().is_some() {
                    sink.report(Diagnostic::new(
                        Code::DeclarationAmongValues,
                        attribute.name_label(),
                    ));
                    continue;
                }
            }
            self.last.insert(name, self.all.len());
            self.all.push(attribute);
        }
    }

    /// Skips a file that could not be decoded, or not as a whole: it may give a value to any variable.
    pub(crate) fn skip(&mut self, file: Source<'a>) {
        self.lost = Some((file, self.all.len()));
    }

    /// The file that could not be decoded and may give another value to a variable; `None` if the
    /// value that counts is known.
    #[must_use]
    pub fn lost(&self, name: &str) -> Option<Source<'a>> {
        let (file, before) = self.lost?;
        self.last.get(name).is_none_or(|&place| place < before).then_some(file)
    }

    /// Whether a file could not be decoded, or not as a whole.
    #[must_use]
    pub fn has_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Whether no file gives or may give a value.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.lost.is_none()
    }

    /// All values, in order, including those that later ones replace.
    #[must_use]
    pub fn all(&self) -> &[Assignment<'a>] {
        &self.all
    }

    /// The value that counts for a variable.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Assignment<'a>> {
        self.all.get(*self.last.get(name)?).copied()
    }

    /// The values that count, in order.
    pub fn effective(&self) -> impl Iterator<Item = Assignment<'a>> {
        let counts =
            |place: &usize, value: &Assignment<'a>| self.last.get(value.name()) == Some(place);
        let all = self.all.iter().enumerate();
        all.filter(move |(place, value)| counts(place, value)).map(|(_, value)| *value)
    }

    /// Reports values that count but do not fit their variable: it must be declared, the type must
    /// match, and null must be allowed. With `withholds`, undeclared variables are not reported.
    pub fn check(&self, module: &Module<'a>, withholds: bool, sink: &mut dyn Sink<'a>) {
        let mut suggestions = Suggestions::new();
        for value in self.effective() {
            match module.variables.get(value.name()) {
                Some(variable) => {
                    let expression = value.expression();
                    let literal = expression.literal_value(sink);
                    variable.check_value(expression, literal, sink);
                }
                None if withholds => {}
                None => {
                    report_undeclared(value, value.name_label(), module, &mut suggestions, sink);
                }
            }
        }
    }
}

/// Reports a value for a variable that is not declared, with the nearest declared name.
#[cold]
pub(super) fn report_undeclared<'a>(
    value: Assignment<'a>,
    label: Label<'a>,
    module: &Module<'a>,
    suggestions: &mut Suggestions,
    sink: &mut dyn Sink<'a>,
) {
    let name = value.name();
    let nearest = suggestions.nearest(name, module.variables.iter().map(|variable| variable.name));
    sink.report(
        Diagnostic::new(Code::UndeclaredVariableValue, label)
            .with_arguments(&[name])
            .with_suggestion(nearest),
    );
}
