//! The nodes of a template.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::failed::{Failed, failed};
use super::scan::{Part, Token, parts, tokens};

/// Blocks and parentheses nest this deep.
const MAX_DEPTH: usize = 100;

pub(super) type Block<'t> = Rc<[Node<'t>]>;

/// A template, and those that it defines.
pub(super) struct Parsed<'t> {
    pub(super) root: Block<'t>,
    pub(super) defined: BTreeMap<Cow<'t, str>, Block<'t>>,
}

pub(super) enum Node<'t> {
    Text(&'t str),
    Action(Pipeline<'t>),
    If(Pipeline<'t>, Block<'t>, Block<'t>),
    With(Pipeline<'t>, Block<'t>, Block<'t>),
    Range(Pipeline<'t>, Block<'t>, Block<'t>),
    Template { name: Cow<'t, str>, dot: Option<Pipeline<'t>>, at: usize },
    Break,
    Continue,
}

pub(super) struct Pipeline<'t> {
    pub(super) at: usize,
    /// Variables that get the value, or, of `range`, index and element.
    pub(super) variables: Vec<&'t str>,
    /// Whether they exist already.
    pub(super) is_assignment: bool,
    pub(super) commands: Vec<Command<'t>>,
}

/// A function or a value, and arguments.
pub(super) type Command<'t> = Vec<Operand<'t>>;

pub(super) struct Operand<'t> {
    pub(super) at: usize,
    pub(super) kind: Kind<'t>,
    /// Fields of the value.
    pub(super) fields: Vec<&'t str>,
}

pub(super) enum Kind<'t> {
    Dot,
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Cow<'t, str>),
    Variable(&'t str),
    Function(&'t str),
    Pipeline(Box<Pipeline<'t>>),
}

/// The end of a block.
#[derive(PartialEq)]
enum Ended<'t> {
    Text,
    Closed,
    /// `else`, and the `if` or `with` that follows it.
    Else(Option<Condition<'t>>),
}

/// A keyword, what follows it, and where it is.
type Condition<'t> = (&'t str, Vec<(Token<'t>, usize)>, usize);

struct Parser<'t> {
    parts: std::vec::IntoIter<Part<'t>>,
    defined: BTreeMap<Cow<'t, str>, Block<'t>>,
    depth: usize,
    ranges: usize,
}

pub(super) fn parse(text: &str) -> Result<Parsed<'_>, Failed> {
    let parts = parts(text)?.into_iter();
    let mut parser = Parser { parts, defined: BTreeMap::new(), depth: 0, ranges: 0 };
    match parser.block(text.len())? {
        (root, Ended::Text, _) => Ok(Parsed { root, defined: parser.defined }),
        (_, Ended::Closed, at) => failed(at, "unexpected `end`"),
        (_, Ended::Else(_), at) => failed(at, "unexpected `else`"),
    }
}

impl<'t> Parser<'t> {
    /// Reads nodes up to the end of a block. Returns what ended it, and where.
    fn block(&mut self, start: usize) -> Result<(Block<'t>, Ended<'t>, usize), Failed> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return failed(start, "blocks nest too deep");
        }
        let mut nodes = Vec::new();
        let mut last = start;
        let end = loop {
            let Some(part) = self.parts.next() else { break Ended::Text };
            let (content, at) = match part {
                Part::Text(text) => {
                    if !text.is_empty() {
                        nodes.push(Node::Text(text));
                    }
                    continue;
                }
                Part::Action(content, at) => (content, at),
            };
            last = at;
            let mut tokens = tokens(content, at)?;
            let keyword = match tokens.first() {
                Some((Token::Name(name), _)) => *name,
                Some(_) => "",
                None => return failed(at, "the action is empty"),
            };
            let is_keyword = matches!(
                keyword,
                "if" | "with"
                    | "range"
                    | "end"
                    | "else"
                    | "define"
                    | "template"
                    | "block"
                    | "break"
                    | "continue"
            );
            if is_keyword {
                tokens.remove(0);
            }
            match keyword {
                "end" => break Ended::Closed,
                "else" => {
                    break Ended::Else(match tokens.first() {
                        Some((Token::Name(next @ ("if" | "with")), _)) => {
                            let next = *next;
                            tokens.remove(0);
                            Some((next, tokens, at))
                        }
                        Some((_, place)) => return failed(*place, "unexpected text behind `else`"),
                        None => None,
                    });
                }
                "if" | "with" | "range" => nodes.push(self.control(keyword, tokens, at)?),
                "break" | "continue" if self.ranges == 0 => {
                    return failed(at, format!("`{keyword}` is outside of `range`"));
                }
                "break" => nodes.push(Node::Break),
                "continue" => nodes.push(Node::Continue),
                "define" | "block" | "template" => {
                    let Some((Token::Text(name), _)) = tokens.first().cloned() else {
                        return failed(at, format!("`{keyword}` needs a name in quotes"));
                    };
                    let rest = tokens.split_off(1);
                    let dot = match rest.is_empty() {
                        true => None,
                        false => Some(pipeline(rest, at, false)?),
                    };
                    if keyword != "template" {
                        let ranges = std::mem::take(&mut self.ranges);
                        let (body, end, place) = self.block(at)?;
                        self.ranges = ranges;
                        if end != Ended::Closed {
                            return failed(place, MISSING_END);
                        }
                        self.defined.insert(name.clone(), body);
                    }
                    if keyword != "define" {
                        nodes.push(Node::Template { name, dot, at });
                    }
                }
                _ => nodes.push(Node::Action(pipeline(tokens, at, false)?)),
            }
        };
        self.depth -= 1;
        Ok((nodes.into(), end, last))
    }

    fn control(
        &mut self,
        keyword: &str,
        tokens: Vec<(Token<'t>, usize)>,
        at: usize,
    ) -> Result<Node<'t>, Failed> {
        let is_range = keyword == "range";
        let condition = pipeline(tokens, at, is_range)?;
        self.ranges += usize::from(is_range);
        let (then, end, _) = self.block(at)?;
        self.ranges -= usize::from(is_range);
        let otherwise: Block<'t> = match end {
            Ended::Text => return failed(at, MISSING_END),
            Ended::Closed => Rc::new([]),
            Ended::Else(None) => match self.block(at)? {
                (block, Ended::Closed, _) => block,
                _ => return failed(at, MISSING_END),
            },
            Ended::Else(Some((next, tokens, at))) => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return failed(at, "blocks nest too deep");
                }
                let node = self.control(next, tokens, at)?;
                self.depth -= 1;
                Rc::new([node])
            }
        };
        Ok(match keyword {
            "if" => Node::If(condition, then, otherwise),
            "with" => Node::With(condition, then, otherwise),
            _ => Node::Range(condition, then, otherwise),
        })
    }
}

const MISSING_END: &str = "`{{ end }}` is missing";

/// The tokens of an action.
struct Tokens<'t> {
    tokens: std::iter::Peekable<std::vec::IntoIter<(Token<'t>, usize)>>,
    at: usize,
}

impl<'t> Tokens<'t> {
    fn next_if(&mut self, token: &Token<'t>) -> bool {
        self.tokens.next_if(|(next, _)| next == token).is_some()
    }
}

fn pipeline(
    tokens: Vec<(Token<'_>, usize)>,
    at: usize,
    is_range: bool,
) -> Result<Pipeline<'_>, Failed> {
    let mut variables = Vec::new();
    let mut is_assignment = false;
    // `$a :=`, `$a =`, and in `range` also `$i, $a :=`.
    let mut declared = 0;
    if let [(Token::Variable(first), _), (Token::Sign(sign), _), rest @ ..] = tokens.as_slice() {
        match (*sign, rest) {
            (":=" | "=", _) => {
                variables.push(*first);
                (is_assignment, declared) = (*sign == "=", 2);
            }
            (",", [(Token::Variable(second), _), (Token::Sign(sign @ (":=" | "=")), _), ..])
                if is_range =>
            {
                variables.extend([*first, *second]);
                (is_assignment, declared) = (*sign == "=", 4);
            }
            _ => {}
        }
    }
    let tokens = tokens.into_iter().skip(declared).collect::<Vec<_>>().into_iter().peekable();
    let mut tokens = Tokens { tokens, at };
    let commands = commands(&mut tokens, 0)?;
    if let Some((_, at)) = tokens.tokens.next() {
        return failed(at, "unexpected text in the action");
    }
    Ok(Pipeline { at, variables, is_assignment, commands })
}

/// Reads commands up to the end, or to a closing parenthesis.
fn commands<'t>(tokens: &mut Tokens<'t>, depth: usize) -> Result<Vec<Command<'t>>, Failed> {
    if depth > MAX_DEPTH {
        return failed(tokens.at, "parentheses nest too deep");
    }
    let mut commands = Vec::new();
    loop {
        let mut operands: Command<'t> = Vec::new();
        while let Some((token, at)) =
            tokens.tokens.next_if(|(token, _)| !matches!(token, Token::Sign("|" | ")")))
        {
            tokens.at = at;
            let mut fields = Vec::new();
            let kind = match token {
                Token::Dot => Kind::Dot,
                Token::Field(name, _) => {
                    fields.push(name);
                    Kind::Dot
                }
                Token::Variable(name) => Kind::Variable(name),
                Token::Text(text) => Kind::Text(text),
                Token::Int(value) => Kind::Int(value),
                Token::Float(value) => Kind::Float(value),
                Token::Name("true") => Kind::Bool(true),
                Token::Name("false") => Kind::Bool(false),
                Token::Name("nil") => Kind::Nil,
                Token::Name(name) => Kind::Function(name),
                Token::Sign("(") => {
                    let commands = self::commands(tokens, depth + 1)?;
                    if !tokens.next_if(&Token::Sign(")")) {
                        return failed(at, "the parenthesis is not closed");
                    }
                    let variables = Vec::new();
                    Kind::Pipeline(Box::new(Pipeline {
                        at,
                        variables,
                        is_assignment: false,
                        commands,
                    }))
                }
                Token::Sign(sign) => return failed(at, format!("unexpected \"{sign}\"")),
            };
            while let Some((Token::Field(name, _), _)) =
                tokens.tokens.next_if(|(token, _)| matches!(token, Token::Field(_, false)))
            {
                fields.push(name);
            }
            operands.push(Operand { at, kind, fields });
        }
        if operands.is_empty() {
            return failed(tokens.at, "a value or a function is missing");
        }
        commands.push(operands);
        if !tokens.next_if(&Token::Sign("|")) {
            return Ok(commands);
        }
    }
}
