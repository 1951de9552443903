//! Dictionaries as python-hcl2 returns them, as files.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use simd_hcl::expression::is_identifier;
use simd_hcl::format::TokenKind as Kind;
use simd_hcl::native::Native;
use simd_hcl::{Arena, Source};

use crate::document::{json_of, layout};
use crate::hcl2::escape;
use crate::syntax::Tokens;

/// The members that are not part of the configuration.
const RESERVED: [&str; 5] =
    ["__comments__", "__inline_comments__", "__is_block__", "__start_line__", "__end_line__"];

/// Deeper data, such as a dictionary that contains itself, is refused.
const MAX_DEPTH: usize = 10_000;

/// Writes a dictionary as a file.
#[pyfunction]
#[pyo3(signature = (data, *, syntax="native", name="main.tf"))]
pub(crate) fn dumps(
    py: Python<'_>,
    data: &Bound<'_, PyDict>,
    syntax: &str,
    name: &str,
) -> PyResult<String> {
    let mut writer = Writer { out: String::new(), work: Vec::new() };
    writer.work.push((Work::Body(data.clone()), 0));
    writer.run()?;
    let name = name.strip_suffix(".json").unwrap_or(name);
    let text = layout(py, writer.out.as_bytes(), name)?;
    match syntax {
        "native" => Ok(text),
        "json" => json_of(py, text.as_bytes(), name),
        _ => {
            Err(PyValueError::new_err(format!("syntax must be 'native' or 'json', not {syntax:?}")))
        }
    }
}

enum Work<'py> {
    /// The attributes and blocks of a body.
    Body(Bound<'py, PyDict>),
    Value(Bound<'py, PyAny>),
    Text(String),
}

struct Writer<'py> {
    out: String,
    /// The parts that are still to be written, the last one first, with their depth.
    work: Vec<(Work<'py>, usize)>,
}

impl<'py> Writer<'py> {
    fn run(&mut self) -> PyResult<()> {
        while let Some((work, depth)) = self.work.pop() {
            if depth > MAX_DEPTH {
                let message = "the data is nested too deeply, or contains itself";
                return Err(PyValueError::new_err(message));
            }
            match work {
                Work::Text(text) => self.out.push_str(&text),
                Work::Body(body) => self.body(&body, depth)?,
                Work::Value(value) => self.value(&value, depth)?,
            }
        }
        Ok(())
    }

    /// Replaces the work by these parts, in their order.
    fn then(&mut self, parts: Vec<Work<'py>>, depth: usize) {
        self.work.extend(parts.into_iter().rev().map(|part| (part, depth + 1)));
    }

    fn body(&mut self, body: &Bound<'py, PyDict>, depth: usize) -> PyResult<()> {
        let mut parts = Vec::new();
        for (key, value) in body.iter() {
            let name = text_of(&key)?;
            if RESERVED.contains(&name.as_str()) {
                continue;
            }
            if !is_identifier(&name) {
                let message = format!("{name:?} is not the name of an attribute or a block type");
                return Err(PyValueError::new_err(message));
            }
            let Some(blocks) = blocks_of(&value)? else {
                parts.push(Work::Text(format!("{name} = ")));
                parts.push(Work::Value(value));
                parts.push(Work::Text("\n".to_owned()));
                continue;
            };
            for (labels, block) in blocks {
                let mut head = name.clone();
                for label in labels {
                    head.push(' ');
                    head.push_str(&quoted(&label)?);
                }
                let is_empty = block.iter().all(|(key, _)| is_reserved(&key));
                head.push_str(if is_empty { " {" } else { " {\n" });
                parts.push(Work::Text(head));
                parts.push(Work::Body(block));
                parts.push(Work::Text("}\n".to_owned()));
            }
        }
        self.then(parts, depth);
        Ok(())
    }

    fn value(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<()> {
        if value.is_none() {
            self.out.push_str("null");
        } else if let Ok(value) = value.cast::<PyBool>() {
            self.out.push_str(if value.is_true() { "true" } else { "false" });
        } else if value.is_instance_of::<PyInt>() {
            let number: num_bigint::BigInt = value.extract()?;
            self.out.push_str(&number.to_string());
        } else if let Ok(number) = value.cast::<PyFloat>() {
            if !number.value().is_finite() {
                return Err(PyValueError::new_err(format!("{} has no literal", number.value())));
            }
            self.out.push_str(&value.repr()?.to_string());
        } else if let Ok(text) = value.cast::<PyString>() {
            self.out.push_str(&expression_of(&text.to_cow()?)?);
        } else if let Ok(dict) = value.cast::<PyDict>() {
            self.object(dict, depth)?;
        } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            let mut elements = Vec::new();
            for element in value.try_iter()? {
                elements.push(element?);
            }
            let is_long = |it: &Bound<'_, PyAny>| {
                it.is_instance_of::<PyDict>() || it.to_string().starts_with("\"<<")
            };
            let separator = if elements.iter().any(is_long) { "\n" } else { "" };
            let mut parts = vec![Work::Text(format!("[{separator}"))];
            let last = elements.len().saturating_sub(1);
            for (place, element) in elements.into_iter().enumerate() {
                parts.push(Work::Value(element));
                let comma = if place < last { ", " } else { "" };
                parts.push(Work::Text(match separator {
                    "" => comma.to_owned(),
                    _ => ",\n".to_owned(),
                }));
            }
            parts.push(Work::Text("]".to_owned()));
            self.then(parts, depth);
        } else {
            let message = format!("{} has no form in HCL", value.get_type());
            return Err(PyValueError::new_err(message));
        }
        Ok(())
    }

    fn object(&mut self, dict: &Bound<'py, PyDict>, depth: usize) -> PyResult<()> {
        let mut parts = vec![Work::Text("{".to_owned())];
        for (key, value) in dict.iter() {
            let name = text_of(&key)?;
            if RESERVED.contains(&name.as_str()) {
                continue;
            }
            let key = if is_identifier(&name) {
                name
            } else if name.starts_with("${") && name.ends_with('}') {
                expression_of(&name)?
            } else {
                quoted(&name)?
            };
            parts.push(Work::Text(format!("\n{key} = ")));
            parts.push(Work::Value(value));
        }
        let is_empty = parts.len() == 1;
        parts.push(Work::Text(if is_empty { "}" } else { "\n}" }.to_owned()));
        self.then(parts, depth);
        Ok(())
    }
}

fn text_of(key: &Bound<'_, PyAny>) -> PyResult<String> {
    match key.cast::<PyString>() {
        Ok(text) => Ok(text.to_cow()?.into_owned()),
        Err(_) => {
            Err(PyValueError::new_err(format!("a key must be a string, not {}", key.repr()?)))
        }
    }
}

fn is_reserved(key: &Bound<'_, PyAny>) -> bool {
    key.cast::<PyString>()
        .ok()
        .and_then(|text| text.to_cow().ok().map(|text| RESERVED.contains(&text.as_ref())))
        .unwrap_or(false)
}

type Labelled<'py> = (Vec<String>, Bound<'py, PyDict>);

/// The labels and bodies of a list of blocks: dictionaries that are marked by `__is_block__`, below
/// as many dictionaries of one member as there are labels.
fn blocks_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Labelled<'py>>>> {
    let Ok(list) = value.cast::<PyList>() else { return Ok(None) };
    let mut blocks = Vec::new();
    for element in list.iter() {
        let Ok(mut body) = element.cast_into::<PyDict>() else { return Ok(None) };
        let mut labels = Vec::new();
        loop {
            if let Some(mark) = body.get_item("__is_block__")?
                && mark.is_truthy()?
            {
                break;
            }
            if labels.len() > MAX_DEPTH {
                return Ok(None);
            }
            let mut members = body.iter().filter(|(key, _)| !is_reserved(key));
            let (Some((label, inner)), None) = (members.next(), members.next()) else {
                return Ok(None);
            };
            let Ok(inner) = inner.cast_into::<PyDict>() else { return Ok(None) };
            labels.push(text_of(&label)?);
            body = inner;
        }
        blocks.push((labels, body));
    }
    Ok((!blocks.is_empty()).then_some(blocks))
}

/// A label or a key with quotes.
fn quoted(text: &str) -> PyResult<String> {
    if text.len() >= 2 && text.starts_with('"') && text.ends_with('"') {
        return expression_of(text);
    }
    let mut out = "\"".to_owned();
    escape(&text.replace("${", "$${").replace("%{", "%%{"), &mut out);
    out.push('"');
    Ok(out)
}

/// The expression that a string stands for: one in quotes, `${…}`, or the source of one.
fn expression_of(text: &str) -> PyResult<String> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let source = match inner {
        // Only a line feed ends a heredoc.
        Some(heredoc) if heredoc.starts_with("<<") && heredoc.contains('\n') => {
            format!("{heredoc}\n")
        }
        _ => match text.strip_prefix("${").and_then(|text| text.strip_suffix('}')) {
            Some(inner) if is_one_interpolation(text) => inner.trim().to_owned(),
            _ => text.to_owned(),
        },
    };
    let arena = Arena::new();
    let mut errors = Vec::new();
    if let Ok(parsed) = Source::copy_from(&arena, "value", source.as_bytes()) {
        let _ = Native::expression(&arena, parsed, &mut errors);
    }
    match errors.first() {
        None if !source.trim().is_empty() => Ok(source),
        _ => Err(PyValueError::new_err(format!(
            "{text:?} is not an expression: a string is written in quotes, such as '\"text\"'"
        ))),
    }
}

/// Whether a template is one `${…}`.
fn is_one_interpolation(template: &str) -> bool {
    let quoted = format!("\"{template}\"");
    let tokens = Tokens::new(&quoted);
    tokens.kind(1) == Kind::Interpolation && tokens.kind(tokens.after(1)) == Kind::QuoteClose
}
