//! Graphs as text for Graphviz and Mermaid.

use std::collections::HashMap;
use std::io::{self, Write};

use super::drawing::Drawing;
use crate::visible::visible;

/// Writes DOT, the language of Graphviz.
pub(super) fn dot(drawing: &Drawing, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph {{\n  rankdir = LR;\n  node [shape = box];")?;
    for node in &drawing.nodes {
        writeln!(out, "  {};", dot_quoted(&node.id))?;
    }
    for edge in &drawing.edges {
        writeln!(out, "  {} -> {};", dot_quoted(&edge.from), dot_quoted(&edge.to))?;
    }
    writeln!(out, "}}")
}

/// Returns a quoted DOT name. DOT also uses it as the label, in which backslashes start escapes and
/// ampersands start character references.
fn dot_quoted(text: &str) -> String {
    let text = visible(text).replace('\\', "\\\\");
    format!("\"{}\"", text.replace('"', "\\\"").replace('&', "&amp;"))
}

/// Writes a Mermaid flowchart. Its nodes need names without punctuation, so they are numbered.
pub(super) fn mermaid(drawing: &Drawing, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "flowchart LR")?;
    let numbers: HashMap<&str, usize> =
        drawing.nodes.iter().enumerate().map(|(number, node)| (&*node.id, number)).collect();
    for (number, node) in drawing.nodes.iter().enumerate() {
        writeln!(out, "  n{number}[\"{}\"]", mermaid_text(&node.id))?;
    }
    for edge in &drawing.edges {
        if let (Some(from), Some(to)) = (numbers.get(&*edge.from), numbers.get(&*edge.to)) {
            writeln!(out, "  n{from} --> n{to}")?;
        }
    }
    Ok(())
}

/// Returns the text of a quoted Mermaid label. Characters that are special in Mermaid, Markdown or
/// HTML become numeric references.
fn mermaid_text(text: &str) -> String {
    let mut escaped = String::new();
    for character in visible(text).chars() {
        match character {
            '"' => escaped.push_str("#quot;"),
            '#' | '&' | '<' | '>' | '`' | '\\' => {
                escaped.push_str(&format!("#{};", u32::from(character)));
            }
            _ => escaped.push(character),
        }
    }
    escaped
}
