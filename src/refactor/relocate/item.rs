//! The text of an object, which moves with its comments.

use crate::body::{Attribute, Block};
use crate::diagnostic::Label;
use crate::dialect::{Dialect, List, Syntax};
use crate::edit::{Edit, NewBlock, NewValue, TextEdits, ValueStep, comments_of_item, reindented};
use crate::facts::{PlaceUse, Places, Target};
use crate::module::{Module, Object};
use crate::parsed::ParsedFile;
use crate::refactor::change::{NotChanged, Refusal, Why};
use crate::refactor::files::{Files, comments_of};
use crate::refactor::text::{indentation_at, native_text};
use crate::span::Span;
use crate::tree::TreeModule;

/// The declaration of an object.
#[derive(Clone, Copy)]
pub(super) enum Declared<'a> {
    Block(Block<'a>),
    Local(Attribute<'a>),
}

/// An object with its declaration, of which there is one.
pub(super) struct Item<'a> {
    pub(super) file: ParsedFile<'a>,
    /// The bytes of its name, by which it is removed.
    pub(super) name: Span,
    pub(super) declared: Declared<'a>,
    dialect: Dialect,
}

/// The declaration of an object that can move.
fn declaration<'a>(module: &Module<'a>, object: Object<'a>) -> Option<Declared<'a>> {
    Some(match object {
        Object::Variable(name) => Declared::Block(module.variables.get(name)?.block),
        Object::Local(name) => Declared::Local(module.locals.get(name)?.attribute),
        Object::Output(name) => Declared::Block(module.outputs.get(name)?.block),
        Object::Provider(name) => Declared::Block(module.providers.get(name)?.block),
        Object::Resource(name) => Declared::Block(module.resources.get(name)?.block),
        Object::Action(name) => Declared::Block(module.actions.get(name)?.block),
        Object::ModuleCall(name) => Declared::Block(module.calls.get(name)?.block),
        Object::Check(name) => {
            Declared::Block(module.checks.iter().find(|check| check.name == name)?.block)
        }
        _ => return None,
    })
}

fn refused(why: &str) -> Refusal {
    Refusal::Unsupported(why.to_owned())
}

/// The syntax of a file.
pub(super) fn syntax_of(file: ParsedFile<'_>) -> Syntax {
    match file.as_json() {
        Some(_) => Syntax::Json,
        None => Syntax::Native,
    }
}

impl<'a> Item<'a> {
    /// Finds the declaration of an object.
    pub(super) fn find(
        module: &TreeModule<'a>,
        (places, files): (&Places, &Files<'a>),
        object: Object<'a>,
    ) -> Result<Self, Refusal> {
        let declared = declaration(&module.module, object)
            .ok_or_else(|| refused(&format!("{object} has no block that can move")))?;
        let number = module.module.object_number(object).unwrap_or(u32::MAX);
        let declarations: Vec<_> = places
            .of_target(Target::Object(number))
            .filter(|place| place.usage() == PlaceUse::Declaration)
            .collect();
        let name = match (declarations.as_slice(), declared) {
            // Its name may be the alias in its body.
            ([_], Declared::Block(block)) if matches!(object, Object::Provider(_)) => {
                block.label_place(0).span
            }
            ([place], _) => place.span(),
            ([], _) => return Err(refused(&format!("{object} has no name in its block"))),
            _ => return Err(refused(&format!("{object} is declared more than once"))),
        };
        let source = match declared {
            Declared::Block(block) => block.source(),
            Declared::Local(attribute) => attribute.source(),
        };
        let file = files.named(source.name()).ok_or_else(|| refused("its file is not known"))?;
        if let Declared::Block(block) = declared
            && file.as_json().is_some()
            && (!block.body().as_json().is_some_and(crate::json::Node::is_object)
                || matches!(object, Object::Provider(_)))
        {
            return Err(refused(&format!("{object} is written in a list of blocks")));
        }
        Ok(Self { file, name, declared, dialect: module.files.dialect })
    }

    /// The bytes of the block, or of the value of a local value.
    pub(super) fn span(&self) -> Span {
        match self.declared {
            Declared::Block(block) => block.span(),
            Declared::Local(attribute) => attribute.expression().span(),
        }
    }

    /// Its comments, in native syntax.
    fn comments(&self) -> (&'a str, &'a str) {
        let text = str::from_utf8(self.file.source().bytes()).unwrap_or_default();
        let item = match self.declared {
            Declared::Block(block) => block.span(),
            Declared::Local(attribute) => attribute.span(),
        };
        match self.file.as_native() {
            Some(_) => comments_of_item(text, item),
            None => ("", ""),
        }
    }

    /// A gap if it has comments that its destination cannot have.
    pub(super) fn lost_comments(&self, to: Syntax) -> Option<NotChanged<'a>> {
        if to != Syntax::Json {
            return None;
        }
        let whole = match self.declared {
            Declared::Block(block) => block.span(),
            Declared::Local(attribute) => attribute.span(),
        };
        let (before, behind) = self.comments();
        let is_inside = |it: &Span| whole.start <= it.start && it.end <= whole.end;
        let has_comments = !before.trim().is_empty()
            || !behind.trim().is_empty()
            || comments_of(self.file).iter().any(is_inside);
        let label = Label::new(self.file.source(), self.name);
        has_comments.then_some(NotChanged { label, why: Why::LosesComments })
    }

    /// The block, with other bytes in its text.
    pub(super) fn block(&self, edits: Vec<Edit>) -> Result<NewBlock, Refusal> {
        let Declared::Block(block) = self.declared else { return Err(refused("not a block")) };
        let span = self.span();
        let text = str::from_utf8(span.slice(self.file.source().bytes())).unwrap_or_default();
        let inner = edits.into_iter().map(|edit| {
            let Span { start, end } = edit.span();
            Edit::new(Span::new(start - span.start, end - span.start), edit.text())
        });
        let inner = TextEdits::new(inner.collect()).map_err(|it| refused(&it.to_string()))?;
        let text = inner.apply(text);
        let kind = Some((self.dialect, List::Primary));
        let made = match self.file.as_native() {
            Some(_) => NewBlock::parse(kind, &text),
            None => {
                let labels: Vec<&str> = block.labels().collect();
                NewBlock::of_json(kind, block.block_type(), &labels, &text)
            }
        };
        let (before, behind) = self.comments();
        match made {
            Ok(made) => Ok(made.with_comments(before, behind)),
            Err(error) => Err(refused(&error.to_string())),
        }
    }

    /// The value of a local value with this name.
    pub(super) fn value(&self, name: &str) -> Result<NewValue, Refusal> {
        let Declared::Local(attribute) = self.declared else { return Err(refused("not a value")) };
        let text = native_text(attribute.expression(), self.dialect)
            .ok_or_else(|| refused("its value is a heredoc, or cannot be an expression"))?;
        let from = indentation_at(attribute.source(), attribute.span().start);
        let text = reindented(&text, from, "");
        let path = [ValueStep::Member("locals"), ValueStep::Member(name)];
        let value = NewValue::at(Some((self.dialect, List::Primary)), &path, 1, &text);
        let (before, behind) = self.comments();
        match value {
            Ok(value) => Ok(value.with_comments(before, behind).indented()),
            Err(error) => Err(refused(&error.to_string())),
        }
    }
}
