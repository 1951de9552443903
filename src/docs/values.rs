//! Values of outputs, from what `output -json` prints.

use std::collections::BTreeMap;

use super::json_text;
use super::page::OutputValue;
use crate::arena::Arena;
use crate::document::Document;
use crate::json::Node;
use crate::value::from_node;

/// Reads the values, by the names of outputs. Cost: linear.
pub(super) fn read(name: &str, text: &str) -> Result<BTreeMap<String, OutputValue>, String> {
    let arena = Arena::new();
    let document =
        Document::parse_bytes(&arena, name, text.as_bytes()).map_err(|error| error.to_string())?;
    let outputs = document.root().as_object().ok_or("it is not an object")?;
    outputs
        .members()
        .map(|output| {
            let name = output.name().to_str();
            let of = |what: &str| output.value().as_object()?.get(what);
            let is_sensitive = of("sensitive").and_then(Node::as_bool) == Some(true);
            let json = match of("value") {
                None => "null".to_owned(),
                Some(value) => from_node(&arena, value)
                    .map_err(|error| error.to_string())
                    .and_then(|it| json_text::of_value(it).map_err(|error| error.to_string()))
                    .map_err(|error| format!("the value of \"{name}\": {error}"))?,
            };
            Ok((name.to_owned(), OutputValue { is_sensitive, json }))
        })
        .collect()
}
