//! Runs a template.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::budget::Budget;
use super::failed::{Failed, failed};
use super::functions::{self, Functions};
use super::parse::{Block, Command, Kind, Node, Operand, Parsed, Pipeline};
use super::patterns::{self, PatternFunction, Programs};
use super::sprig;
use super::value::Value;

/// Templates that call each other nest this deep.
const MAX_DEPTH: usize = 50;

/// Longer texts that are copied count.
const MOST_COPIED: usize = 4096;

/// How a block ended.
#[derive(PartialEq)]
enum Flow {
    Next,
    Break,
    Continue,
}

struct Run<'r, 'f, 't, 'v> {
    parsed: &'r Parsed<'t>,
    functions: Functions<'f, 'v>,
    variables: Vec<(&'r str, Value<'v>)>,
    out: String,
    budget: Budget,
    programs: Programs,
    depth: usize,
}

pub(super) fn run<'v>(
    parsed: &Parsed<'v>,
    dot: &Value<'v>,
    functions: Functions<'_, 'v>,
) -> Result<String, Failed> {
    let variables = vec![("$", dot.clone())];
    let (out, budget, programs) = (String::new(), Budget::default(), Programs::default());
    let mut run = Run { parsed, functions, variables, out, budget, programs, depth: 0 };
    run.block(&parsed.root, dot)?;
    Ok(run.out)
}

impl<'r, 't: 'v, 'v> Run<'r, '_, 't, 'v> {
    fn spend(&mut self, at: usize, bytes: usize) -> Result<(), Failed> {
        let spent = self.budget.spend(1, bytes);
        let spent = spent.and_then(|()| self.budget.check_length(self.out.len()));
        spent.or_else(|message| failed(at, message))
    }

    fn block(&mut self, block: &'r Block<'t>, dot: &Value<'v>) -> Result<Flow, Failed> {
        let known = self.variables.len();
        let mut flow = Flow::Next;
        for node in block.iter() {
            flow = self.node(node, dot)?;
            if flow != Flow::Next {
                break;
            }
        }
        self.variables.truncate(known);
        Ok(flow)
    }

    fn node(&mut self, node: &'r Node<'t>, dot: &Value<'v>) -> Result<Flow, Failed> {
        match node {
            Node::Text(text) => self.out.push_str(text),
            Node::Break => return Ok(Flow::Break),
            Node::Continue => return Ok(Flow::Continue),
            Node::Action(pipeline) => {
                let value = self.pipeline(pipeline, dot)?;
                if pipeline.variables.is_empty() {
                    // Writing into a string does not fail.
                    let _ = write!(self.out, "{value}");
                    self.spend(pipeline.at, 0)?;
                }
            }
            Node::If(condition, then, otherwise) => {
                let known = self.variables.len();
                let is_true = self.pipeline(condition, dot)?.is_true();
                let flow = self.block(if is_true { then } else { otherwise }, dot)?;
                self.variables.truncate(known);
                return Ok(flow);
            }
            Node::With(condition, then, otherwise) => {
                let known = self.variables.len();
                let value = self.pipeline(condition, dot)?;
                let flow = match value.is_true() {
                    true => self.block(then, &value)?,
                    false => self.block(otherwise, dot)?,
                };
                self.variables.truncate(known);
                return Ok(flow);
            }
            Node::Range(over, body, otherwise) => return self.range(over, body, otherwise, dot),
            Node::Template { name, dot: argument, at } => {
                self.spend(*at, 0)?;
                let Some(block) = self.parsed.defined.get(name) else {
                    return failed(*at, format!("there is no template \"{name}\""));
                };
                let dot = match argument {
                    Some(argument) => self.pipeline(argument, dot)?,
                    None => Value::Nil,
                };
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return failed(*at, "templates nest too deep");
                }
                // A template sees its own variables only.
                let of_caller = std::mem::replace(&mut self.variables, vec![("$", dot.clone())]);
                self.block(block, &dot)?;
                self.variables = of_caller;
                self.depth -= 1;
            }
        }
        Ok(Flow::Next)
    }

    fn range(
        &mut self,
        over: &'r Pipeline<'t>,
        body: &'r Block<'t>,
        otherwise: &'r Block<'t>,
        dot: &Value<'v>,
    ) -> Result<Flow, Failed> {
        let known = self.variables.len();
        let value = self.commands(&over.commands, dot)?;
        let items: Box<dyn Iterator<Item = (Value<'v>, Value<'v>)> + '_> = match &value {
            Value::List(elements, _) => {
                Box::new((0..).map(Value::Int).zip(elements.iter().cloned()))
            }
            Value::Dictionary(entries, _) => {
                let pair = |(name, value): (&String, &Value<'v>)| {
                    (Value::text(name.clone()), value.clone())
                };
                Box::new(entries.iter().map(pair))
            }
            Value::Int(count) => {
                Box::new((0..*count).map(|number| (Value::Int(number), Value::Int(number))))
            }
            Value::Nil => Box::new(std::iter::empty()),
            other => return failed(over.at, format!("`range` cannot go over {}", other.kind())),
        };
        let mut items = items.peekable();
        if items.peek().is_none() {
            let flow = self.block(otherwise, dot)?;
            self.variables.truncate(known);
            return Ok(flow);
        }
        for (index, element) in items {
            // The name of an entry is copied.
            let copied = if let Value::Text(name) = &index { name.len() } else { 0 };
            self.spend(over.at, copied)?;
            match over.variables.as_slice() {
                [first, second] => {
                    self.set(over, first, index)?;
                    self.set(over, second, element.clone())?;
                }
                [only] => self.set(over, only, element.clone())?,
                _ => {}
            }
            let flow = self.block(body, &element)?;
            self.variables.truncate(known);
            if flow == Flow::Break {
                break;
            }
        }
        Ok(Flow::Next)
    }

    fn set(&mut self, by: &Pipeline<'_>, name: &'r str, value: Value<'v>) -> Result<(), Failed> {
        if !by.is_assignment {
            self.variables.push((name, value));
            return Ok(());
        }
        match self.variables.iter_mut().rev().find(|(known, _)| *known == name) {
            Some((_, slot)) => {
                *slot = value;
                Ok(())
            }
            None => failed(by.at, format!("there is no variable \"{name}\"")),
        }
    }

    fn pipeline(
        &mut self,
        pipeline: &'r Pipeline<'t>,
        dot: &Value<'v>,
    ) -> Result<Value<'v>, Failed> {
        let value = self.commands(&pipeline.commands, dot)?;
        if let Some(name) = pipeline.variables.first() {
            self.set(pipeline, name, value.clone())?;
        }
        Ok(value)
    }

    fn commands(
        &mut self,
        commands: &'r [Command<'t>],
        dot: &Value<'v>,
    ) -> Result<Value<'v>, Failed> {
        let mut last = None;
        for command in commands {
            last = Some(self.command(command, last, dot)?);
        }
        Ok(last.unwrap_or(Value::Nil))
    }

    /// Calls a function, or returns a value. The last argument of a function is the value before it.
    fn command(
        &mut self,
        command: &'r Command<'t>,
        before: Option<Value<'v>>,
        dot: &Value<'v>,
    ) -> Result<Value<'v>, Failed> {
        let Some((first, operands)) = command.split_first() else { return Ok(Value::Nil) };
        self.spend(first.at, 0)?;
        let Kind::Function(name) = first.kind else {
            if !operands.is_empty() || before.is_some() {
                return failed(first.at, "only a function takes arguments");
            }
            if matches!(first.kind, Kind::Nil) {
                return failed(first.at, "`nil` is not a command");
            }
            return self.operand(first, dot);
        };
        if let "and" | "or" = name {
            return self.shortcut(first, operands, before, dot);
        }
        let mut arguments = Vec::with_capacity(operands.len() + 1);
        for operand in operands {
            arguments.push(self.operand(operand, dot)?);
        }
        arguments.extend(before);
        self.call(first.at, name, &arguments).and_then(|value| self.fields(value, first))
    }

    fn call(
        &mut self,
        at: usize,
        name: &str,
        arguments: &[Value<'v>],
    ) -> Result<Value<'v>, Failed> {
        // Before the call: a function may read each of its arguments as often as it is passed.
        let of_arguments = arguments.iter().map(Value::size).fold(0_usize, usize::saturating_add);
        let spent = self.budget.spend(0, of_arguments / 64);
        spent.or_else(|message| failed(at, message))?;
        let result = match (self.functions)(name) {
            Some(call) => call(arguments),
            None => match known(name) {
                Some(Known::Plain(call)) => call(arguments),
                Some(Known::Pattern(call)) => call(arguments, &mut self.programs, &mut self.budget),
                None => return failed(at, format!("there is no function \"{name}\"")),
            },
        };
        let value = result.and_then(Value::checked);
        let value = value.or_else(|message| failed(at, format!("{name}: {message}")))?;
        self.spend(at, value.size())?;
        Ok(value)
    }

    /// `and` and `or` evaluate no more than they need.
    fn shortcut(
        &mut self,
        function: &'r Operand<'t>,
        operands: &'r [Operand<'t>],
        before: Option<Value<'v>>,
        dot: &Value<'v>,
    ) -> Result<Value<'v>, Failed> {
        let ends_with = matches!(function.kind, Kind::Function("or"));
        let mut last = None;
        for operand in operands {
            let value = self.operand(operand, dot)?;
            if value.is_true() == ends_with {
                return Ok(value);
            }
            last = Some(value);
        }
        match before.or(last) {
            Some(value) => Ok(value),
            None => failed(function.at, "an argument is missing"),
        }
    }

    fn operand(&mut self, operand: &'r Operand<'t>, dot: &Value<'v>) -> Result<Value<'v>, Failed> {
        let value = match &operand.kind {
            Kind::Dot => dot.clone(),
            Kind::Nil => Value::Nil,
            Kind::Bool(value) => Value::Bool(*value),
            Kind::Int(value) => Value::Int(*value),
            Kind::Float(value) => Value::Float(*value),
            Kind::Text(text) => Value::Text(text.clone()),
            Kind::Variable(name) => {
                match self.variables.iter().rev().find(|(known, _)| known == name) {
                    Some((_, value)) => value.clone(),
                    None => return failed(operand.at, format!("there is no variable \"{name}\"")),
                }
            }
            Kind::Function(name) => self.call(operand.at, name, &[])?,
            Kind::Pipeline(pipeline) => self.commands(&pipeline.commands, dot)?,
        };
        let value = self.fields(value, operand)?;
        // A text that was made has been copied.
        if let Value::Text(Cow::Owned(text)) = &value
            && text.len() > MOST_COPIED
        {
            self.spend(operand.at, text.len())?;
        }
        Ok(value)
    }

    fn fields(&self, mut value: Value<'v>, of: &Operand<'t>) -> Result<Value<'v>, Failed> {
        for name in &of.fields {
            value = match value.field(name) {
                Some(value) => value,
                None => return failed(of.at, format!("there is no field \"{name}\"")),
            };
        }
        Ok(value)
    }
}

enum Known {
    Plain(functions::Function),
    Pattern(PatternFunction),
}

/// Returns the function of a name: of the language, or of sprig, where `mustX` is `X`.
fn known(name: &str) -> Option<Known> {
    let of = |name: &str| {
        let plain = functions::named(name).or_else(|| sprig::named(name)).map(Known::Plain);
        plain.or_else(|| patterns::named(name).map(Known::Pattern))
    };
    of(name).or_else(|| {
        let rest = name.strip_prefix("must")?;
        let first = rest.chars().next()?;
        is_must(rest)
            .then(|| of(&format!("{}{}", first.to_lowercase(), &rest[first.len_utf8()..])))?
    })
}

/// The functions of sprig that exist with `must` before their names.
fn is_must(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "Append",
        "Chunk",
        "Compact",
        "DeepCopy",
        "First",
        "FromJson",
        "Has",
        "Initial",
        "Last",
        "Prepend",
        "RegexFind",
        "RegexFindAll",
        "RegexMatch",
        "RegexReplaceAll",
        "RegexReplaceAllLiteral",
        "RegexSplit",
        "Rest",
        "Reverse",
        "Slice",
        "ToJson",
        "ToPrettyJson",
        "ToRawJson",
        "Uniq",
        "Without",
    ];
    NAMES.contains(&name)
}
