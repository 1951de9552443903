//! `yamldecode`: a value from events.

use super::parser::{Event, Parser, Properties};
use super::scalar::{MERGE, resolve};
use super::scanner::{Place, Problem, Style};
use crate::evaluate::FunctionError;
use crate::functions::call::{Call, Outcome, failed};
use crate::hash::HashMap;
use crate::value::{Clause, Content, Quotation, Type, Value, convert};

/// The maximum depth of a value.
const MAX_DEPTH: usize = 10_000;

/// A collection that is being read.
struct Open<'t, 'a> {
    anchor: Option<&'t str>,
    parts: Parts<'a>,
}

enum Parts<'a> {
    Sequence(Vec<Value<'a>>),
    Mapping(Vec<(&'a str, Value<'a>)>, Next<'a>),
}

/// The next part of a mapping.
enum Next<'a> {
    Key,
    Value(&'a str),
    /// The value of `<<`: its entries belong to the mapping itself.
    Merged(Place),
}

/// An anchor: its last value, and how many values that have it are being read.
#[derive(Default)]
struct Anchor<'a> {
    value: Option<Value<'a>>,
    open: usize,
}

struct Decoder<'c, 't, 'a> {
    call: Call<'c, 'a>,
    open: Vec<Open<'t, 'a>>,
    anchors: HashMap<&'t str, Anchor<'a>>,
}

/// Returns the value of a text with one document.
pub(super) fn decode<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let text = call.str(0)?;
    let mut parser = Parser::new(text);
    let mut decoder = Decoder { call, open: Vec::new(), anchors: HashMap::default() };
    let mut root = None;
    loop {
        // Tokens that are read ahead, and the state of an open collection.
        call.meter.spend(2)?;
        let (event, place) = parser.next().map_err(|problem| invalid(call, &problem))?;
        let value = match event {
            Event::End => {
                return root.ok_or_else(|| failed("there is no document"));
            }
            event => decoder.event(event, place)?,
        };
        if let Some(value) = value {
            root = decoder.place(value)?.or(root);
        }
    }
}

fn invalid<'a>(call: Call<'_, 'a>, problem: &Problem) -> FunctionError<'a> {
    located(call, problem.place, Quotation::Plain(&problem.message))
}

/// Returns an error with its place in the text.
fn located<'a>(call: Call<'_, 'a>, place: Place, message: Quotation<'_>) -> FunctionError<'a> {
    let (line, column) = (place.line + 1, place.column + 1);
    let quotations = [Quotation::Plain(&line), Quotation::Plain(&column), message];
    call.wrong(0, "invalid YAML at line {}, column {}: {}", &quotations)
}

impl<'t, 'a> Decoder<'_, 't, 'a> {
    fn problem<T>(&self, place: Place, message: &'static str) -> Outcome<'a, T> {
        Err(located(self.call, place, Quotation::Plain(&message)))
    }

    /// Returns an error that quotes a name.
    fn named<T>(&self, place: Place, template: &'static str, name: &str) -> Outcome<'a, T> {
        let message = Clause::quoting(self.call.arena, template, &[Quotation::Text(name)]);
        Err(located(self.call, place, Quotation::Clause(message)))
    }

    /// Processes an event, and returns the value that it completes.
    fn event(&mut self, event: Event<'t>, place: Place) -> Outcome<'a, Option<Value<'a>>> {
        if let Some(Open { parts: Parts::Mapping(_, Next::Key), .. }) = self.open.last()
            && !matches!(event, Event::MappingEnd)
        {
            self.key(event, place)?;
            return Ok(None);
        }
        match event {
            Event::Alias(name) => match self.anchors.get(name) {
                Some(Anchor { open: 1.., .. }) => {
                    self.named(place, "the value of the anchor {} contains itself", name)
                }
                Some(Anchor { value: Some(value), .. }) => Ok(Some(*value)),
                _ => self.named(place, "there is no anchor {} before this alias", name),
            },
            Event::Scalar { text, style, properties: Properties { anchor, tag } } => {
                let mut value = resolve(self.call, &tag, &text, style)
                    .map_err(|error| located(self.call, place, Quotation::Clause(error.message)))?;
                if tag.is_empty() && style != Style::Plain {
                    // A block scalar is a string, but is read as what it would be without its sign.
                    value = convert(self.call.arena, value, Type::String)
                        .map_err(|error| self.call.unconverted(0, &error))?;
                }
                if let Some(anchor) = anchor {
                    self.anchors.entry(anchor).or_default().value = Some(value);
                }
                Ok(Some(value))
            }
            Event::SequenceStart(properties) => {
                let parts = Parts::Sequence(Vec::new());
                self.open(properties, "tag:yaml.org,2002:seq", parts, place).map(|()| None)
            }
            Event::MappingStart(properties) => {
                let parts = Parts::Mapping(Vec::new(), Next::Key);
                self.open(properties, "tag:yaml.org,2002:map", parts, place).map(|()| None)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(Open { anchor, parts }) = self.open.pop() else { return Ok(None) };
                let value = match parts {
                    Parts::Sequence(values) => self.call.tuple(&values),
                    Parts::Mapping(entries, _) => self.call.object(&entries),
                };
                if let Some(anchor) = anchor {
                    let anchor = self.anchors.entry(anchor).or_default();
                    anchor.open -= 1;
                    anchor.value = Some(value);
                }
                Ok(Some(value))
            }
            Event::End => Ok(None),
        }
    }

    fn open(
        &mut self,
        properties: Properties<'t>,
        tag: &str,
        parts: Parts<'a>,
        place: Place,
    ) -> Outcome<'a, ()> {
        if !properties.tag.is_empty() && properties.tag != tag {
            return self.problem(place, "the tag does not fit a collection");
        }
        if self.open.len() == MAX_DEPTH {
            return self.problem(place, "values nest too deep");
        }
        if let Some(anchor) = properties.anchor {
            self.anchors.entry(anchor).or_default().open += 1;
        }
        self.open.push(Open { anchor: properties.anchor, parts });
        Ok(())
    }

    /// Reads the key of an entry of the innermost mapping.
    fn key(&mut self, event: Event<'t>, place: Place) -> Outcome<'a, ()> {
        let Event::Scalar { text, style, properties: Properties { tag, .. } } = event else {
            return self.problem(place, "a key must be a string");
        };
        let next = if tag.is_empty() && text == "<<" || tag == MERGE {
            Next::Merged(place)
        } else {
            let key = resolve(self.call, &tag, &text, style)
                .map_err(|error| located(self.call, place, Quotation::Clause(error.message)))?;
            let key = match key.content() {
                Content::String(text) => text,
                Content::Bool(true) => "true",
                Content::Bool(false) => "false",
                Content::Number(number) => match self.call.digits(number) {
                    Ok(digits) => digits,
                    Err(error) => return Err(located(self.call, place, Quotation::Plain(&error))),
                },
                _ => return self.problem(place, "a key must not be null"),
            };
            Next::Value(key)
        };
        if let Some(Open { parts: Parts::Mapping(_, slot), .. }) = self.open.last_mut() {
            *slot = next;
        }
        Ok(())
    }

    /// Adds a value to the innermost collection. Returns it if there is none.
    fn place(&mut self, value: Value<'a>) -> Outcome<'a, Option<Value<'a>>> {
        let call = self.call;
        let Some(open) = self.open.last_mut() else { return Ok(Some(value)) };
        match &mut open.parts {
            Parts::Sequence(values) => {
                call.meter.parts(1)?;
                values.push(value);
            }
            Parts::Mapping(entries, next) => match std::mem::replace(next, Next::Key) {
                Next::Key => {}
                Next::Value(key) => {
                    call.meter.parts(1)?;
                    entries.push((key, value));
                }
                Next::Merged(place) => {
                    let one = [value];
                    let mappings = match value.ty() {
                        Type::Tuple(_) => value.elements(),
                        _ => &one,
                    };
                    for mapping in mappings {
                        let Type::Object(_) = mapping.ty() else {
                            let ty = mapping.ty().with_article();
                            let message = format_args!("{ty} cannot be merged into a mapping");
                            return Err(located(call, place, Quotation::Plain(&message)));
                        };
                        call.meter.parts(mapping.entries().len())?;
                        entries.extend_from_slice(mapping.entries());
                    }
                }
            },
        }
        Ok(None)
    }
}
