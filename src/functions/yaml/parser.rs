//! Events of YAML, parsed from the tokens of a document.

use std::borrow::Cow;

use super::scanner::{Found, Kind, Place, Problem, Scanner, Style, Token};
use crate::hash::HashMap;

/// The prefix of the tags that start with `!!`.
const STANDARD: &str = "tag:yaml.org,2002:";

#[derive(Debug)]
pub(crate) enum Event<'t> {
    Alias(&'t str),
    Scalar {
        text: Cow<'t, str>,
        style: Style,
        properties: Properties<'t>,
    },
    SequenceStart(Properties<'t>),
    SequenceEnd,
    MappingStart(Properties<'t>),
    MappingEnd,
    /// The end of the document, which is the end of the text.
    End,
}

/// The anchor and the tag before a value.
#[derive(Debug, Default)]
pub(crate) struct Properties<'t> {
    pub(crate) anchor: Option<&'t str>,
    /// Empty if there is none.
    pub(crate) tag: String,
}

/// The part that is expected next.
#[derive(Clone, Copy)]
enum State {
    Document,
    DocumentEnd,
    BlockSequenceEntry,
    /// An entry of a sequence that is as far in as the key before it.
    IndentlessEntry,
    BlockKey,
    BlockValue,
    FlowSequenceEntry {
        is_first: bool,
    },
    /// The key of a mapping that is an entry of a sequence: `[a: b]`.
    PairKey,
    PairValue,
    PairEnd,
    FlowKey {
        is_first: bool,
    },
    FlowValue,
    /// The value of a key without a colon.
    FlowNoValue,
}

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Flow,
    Block,
    /// A key or a value of a block mapping: a sequence may be as far in as the key.
    InMapping,
}

/// Reads the events of a text with one document.
pub(crate) struct Parser<'t> {
    scanner: Scanner<'t>,
    state: State,
    /// Where the last value starts, or its anchor or tag.
    value: Option<Place>,
    /// The states of the collections around.
    states: Vec<State>,
    /// The prefixes of `%TAG` directives, by handle.
    prefixes: HashMap<&'t str, Cow<'t, str>>,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let scanner = Scanner::new(text);
        let prefixes = HashMap::default();
        Self { scanner, state: State::Document, value: None, states: Vec::new(), prefixes }
    }

    /// Returns where the value of the last event starts, which may be behind a colon or a dash.
    pub(crate) fn value_place(&self, event: Place) -> Place {
        self.value
            .filter(|value| (value.line, value.column) > (event.line, event.column))
            .unwrap_or(event)
    }

    /// Returns the next event and where it starts. After [`Event::End`] there is none.
    pub(crate) fn next(&mut self) -> Found<(Event<'t>, Place)> {
        let place = self.scanner.peek()?.place;
        let event = match self.state {
            State::Document => self.document()?,
            State::DocumentEnd => self.document_end()?,
            State::BlockSequenceEntry => self.block_entry()?,
            State::IndentlessEntry => self.indentless_entry()?,
            State::BlockKey => self.block_key()?,
            State::BlockValue => self.block_value()?,
            State::FlowSequenceEntry { is_first } => self.flow_entry(is_first)?,
            State::PairKey => self.pair_key()?,
            State::PairValue => self.pair_value()?,
            State::PairEnd => {
                self.state = State::FlowSequenceEntry { is_first: false };
                Event::MappingEnd
            }
            State::FlowKey { is_first } => self.flow_key(is_first)?,
            State::FlowValue => self.flow_value()?,
            State::FlowNoValue => self.empty(State::FlowKey { is_first: false }),
        };
        Ok((event, place))
    }

    fn kind(&mut self) -> Found<&Kind<'t>> {
        Ok(&self.scanner.peek()?.kind)
    }

    /// Whether the next token is one of these.
    fn is(&mut self, kinds: &[Kind<'t>]) -> Found<bool> {
        let kind = self.kind()?;
        Ok(kinds.contains(kind))
    }

    /// Takes the next token if it is this one.
    fn took(&mut self, kind: &Kind<'t>) -> Found<bool> {
        let is = self.kind()? == kind;
        if is {
            self.scanner.take();
        }
        Ok(is)
    }

    fn problem<T>(&mut self, message: &'static str) -> Found<T> {
        let place = self.scanner.peek()?.place;
        Err(Problem { message, place })
    }

    /// Returns to the collection around.
    fn leave(&mut self) {
        self.state = self.states.pop().unwrap_or(State::DocumentEnd);
    }

    /// A value that is not written.
    fn empty(&mut self, next: State) -> Event<'t> {
        self.state = next;
        scalar_without_text(Properties::default())
    }

    // Documents.

    fn document(&mut self) -> Found<Event<'t>> {
        self.states.push(State::DocumentEnd);
        let mut has_version = false;
        let mut has_directives = false;
        loop {
            match self.kind()? {
                Kind::Version(is_known) => {
                    if !is_known || has_version {
                        return self.problem("only version 1.1 of YAML can be named");
                    }
                    has_version = true;
                }
                Kind::TagPrefix(handle, prefix) => {
                    let (handle, prefix) = (*handle, prefix.clone());
                    if self.prefixes.insert(handle, prefix).is_some() {
                        return self.problem("the tag handle is declared twice");
                    }
                }
                _ => break,
            }
            has_directives = true;
            self.scanner.take();
        }
        if self.took(&Kind::DocumentStart)? {
            let is_empty = matches!(
                self.kind()?,
                Kind::Version(_)
                    | Kind::TagPrefix(..)
                    | Kind::DocumentStart
                    | Kind::DocumentEnd
                    | Kind::StreamEnd
            );
            if is_empty {
                self.leave();
                return Ok(scalar_without_text(Properties::default()));
            }
        } else if has_directives {
            return self.problem("expected \"---\" after directives");
        } else if self.is(&[Kind::StreamEnd])? {
            return self.problem("there is no document");
        }
        self.node(Position::Block)
    }

    fn document_end(&mut self) -> Found<Event<'t>> {
        while self.took(&Kind::DocumentEnd)? {}
        match self.kind()? {
            Kind::StreamEnd => Ok(Event::End),
            Kind::DocumentStart | Kind::Version(_) | Kind::TagPrefix(..) => {
                self.problem("there is more than one document")
            }
            _ => self.problem("expected the end of the document"),
        }
    }

    // Values.

    /// Reads the properties and the start of a value. The state of the collection around it has been
    /// pushed.
    fn node(&mut self, position: Position) -> Found<Event<'t>> {
        self.value = Some(self.scanner.peek()?.place);
        if let Kind::Alias(name) = *self.kind()? {
            self.scanner.take();
            self.leave();
            return Ok(Event::Alias(name));
        }
        let properties = self.properties()?;
        let is_block = position != Position::Flow;
        match self.kind()? {
            Kind::BlockEntry if position == Position::InMapping => {
                self.state = State::IndentlessEntry;
                Ok(Event::SequenceStart(properties))
            }
            Kind::Scalar(..) => {
                self.leave();
                match self.scanner.take() {
                    Some(Token { kind: Kind::Scalar(text, style), .. }) => {
                        Ok(Event::Scalar { text, style, properties })
                    }
                    _ => Ok(scalar_without_text(properties)),
                }
            }
            Kind::FlowSequenceStart => {
                self.scanner.take();
                self.state = State::FlowSequenceEntry { is_first: true };
                Ok(Event::SequenceStart(properties))
            }
            Kind::FlowMappingStart => {
                self.scanner.take();
                self.state = State::FlowKey { is_first: true };
                Ok(Event::MappingStart(properties))
            }
            Kind::BlockSequenceStart if is_block => {
                self.scanner.take();
                self.state = State::BlockSequenceEntry;
                Ok(Event::SequenceStart(properties))
            }
            Kind::BlockMappingStart if is_block => {
                self.scanner.take();
                self.state = State::BlockKey;
                Ok(Event::MappingStart(properties))
            }
            _ if properties.anchor.is_some() || !properties.tag.is_empty() => {
                self.leave();
                Ok(scalar_without_text(properties))
            }
            _ => self.problem("expected a value"),
        }
    }

    /// Reads an anchor and a tag, in any order.
    fn properties(&mut self) -> Found<Properties<'t>> {
        let mut anchor = self.anchor()?;
        let tag = match self.kind()? {
            Kind::Tag(handle, suffix) => {
                let (handle, suffix) = (*handle, suffix.clone());
                let tag = match (handle, self.prefixes.get(handle)) {
                    ("", _) => suffix.into_owned(),
                    (_, Some(prefix)) => format!("{prefix}{suffix}"),
                    ("!", None) => format!("!{suffix}"),
                    ("!!", None) => format!("{STANDARD}{suffix}"),
                    _ => return self.problem("the tag handle is not declared"),
                };
                self.scanner.take();
                tag
            }
            _ => String::new(),
        };
        if anchor.is_none() {
            anchor = self.anchor()?;
        }
        Ok(Properties { anchor, tag })
    }

    fn anchor(&mut self) -> Found<Option<&'t str>> {
        match *self.kind()? {
            Kind::Anchor(name) => {
                self.scanner.take();
                Ok(Some(name))
            }
            _ => Ok(None),
        }
    }

    /// Reads the value of an entry, unless one of these tokens follows.
    fn value_unless(
        &mut self,
        ends: &[Kind<'t>],
        position: Position,
        next: State,
    ) -> Found<Event<'t>> {
        if self.is(ends)? {
            return Ok(self.empty(next));
        }
        self.states.push(next);
        self.node(position)
    }

    // Collections in blocks.

    fn block_entry(&mut self) -> Found<Event<'t>> {
        if self.took(&Kind::BlockEntry)? {
            let ends = [Kind::BlockEntry, Kind::BlockEnd];
            return self.value_unless(&ends, Position::Block, State::BlockSequenceEntry);
        }
        if !self.took(&Kind::BlockEnd)? {
            return self.problem("expected \"-\", or less indentation");
        }
        self.leave();
        Ok(Event::SequenceEnd)
    }

    fn indentless_entry(&mut self) -> Found<Event<'t>> {
        if self.took(&Kind::BlockEntry)? {
            let ends = [Kind::BlockEntry, Kind::Key, Kind::Value, Kind::BlockEnd];
            return self.value_unless(&ends, Position::Block, State::IndentlessEntry);
        }
        self.leave();
        Ok(Event::SequenceEnd)
    }

    fn block_key(&mut self) -> Found<Event<'t>> {
        if self.took(&Kind::Key)? {
            let ends = [Kind::Key, Kind::Value, Kind::BlockEnd];
            return self.value_unless(&ends, Position::InMapping, State::BlockValue);
        }
        if !self.took(&Kind::BlockEnd)? {
            return self.problem("expected a key, or less indentation");
        }
        self.leave();
        Ok(Event::MappingEnd)
    }

    fn block_value(&mut self) -> Found<Event<'t>> {
        if !self.took(&Kind::Value)? {
            return Ok(self.empty(State::BlockKey));
        }
        let ends = [Kind::Key, Kind::Value, Kind::BlockEnd];
        self.value_unless(&ends, Position::InMapping, State::BlockKey)
    }

    // Collections in brackets.

    /// Reads the comma before an entry that is not the first one, unless the collection ends.
    fn comma(&mut self, is_first: bool, end: &Kind<'t>, message: &'static str) -> Found {
        if !is_first && self.kind()? != end && !self.took(&Kind::FlowEntry)? {
            return self.problem(message);
        }
        Ok(())
    }

    fn flow_entry(&mut self, is_first: bool) -> Found<Event<'t>> {
        let end = Kind::FlowSequenceEnd;
        self.comma(is_first, &end, "expected \",\" or \"]\"")?;
        if self.took(&end)? {
            self.leave();
            return Ok(Event::SequenceEnd);
        }
        if self.took(&Kind::Key)? {
            self.state = State::PairKey;
            return Ok(Event::MappingStart(Properties::default()));
        }
        self.states.push(State::FlowSequenceEntry { is_first: false });
        self.node(Position::Flow)
    }

    fn pair_key(&mut self) -> Found<Event<'t>> {
        if self.is(&[Kind::Value, Kind::FlowEntry, Kind::FlowSequenceEnd])? {
            // As in libyaml, a colon without a key is lost here.
            self.scanner.take();
            return Ok(self.empty(State::PairValue));
        }
        self.states.push(State::PairValue);
        self.node(Position::Flow)
    }

    fn pair_value(&mut self) -> Found<Event<'t>> {
        if !self.took(&Kind::Value)? {
            return Ok(self.empty(State::PairEnd));
        }
        let ends = [Kind::FlowEntry, Kind::FlowSequenceEnd];
        self.value_unless(&ends, Position::Flow, State::PairEnd)
    }

    fn flow_key(&mut self, is_first: bool) -> Found<Event<'t>> {
        let end = Kind::FlowMappingEnd;
        self.comma(is_first, &end, "expected \",\" or \"}\"")?;
        if self.took(&end)? {
            self.leave();
            return Ok(Event::MappingEnd);
        }
        if self.took(&Kind::Key)? {
            let ends = [Kind::Value, Kind::FlowEntry, Kind::FlowMappingEnd];
            return self.value_unless(&ends, Position::Flow, State::FlowValue);
        }
        self.states.push(State::FlowNoValue);
        self.node(Position::Flow)
    }

    fn flow_value(&mut self) -> Found<Event<'t>> {
        let next = State::FlowKey { is_first: false };
        if !self.took(&Kind::Value)? {
            return Ok(self.empty(next));
        }
        let ends = [Kind::FlowEntry, Kind::FlowMappingEnd];
        self.value_unless(&ends, Position::Flow, next)
    }
}

fn scalar_without_text(properties: Properties<'_>) -> Event<'_> {
    Event::Scalar { text: Cow::Borrowed(""), style: Style::Plain, properties }
}
