//! Helpers of the tests of generated configuration: references, read the slow and plain way.

#![allow(clippy::unwrap_used)]

use std::collections::{HashMap, HashSet};

use serde_json::Value;

/// The names one module declares.
#[derive(Default)]
pub(crate) struct Declared {
    names: HashSet<String>,
    /// Resources that stand for several, whose references need an instance key.
    repeated: HashSet<String>,
    /// Provider configurations, as `aws` and `aws.alias`.
    providers: HashSet<String>,
}

fn members(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten().filter(|(name, _)| *name != "//")
}

impl Declared {
    /// Adds what the root body of one file declares.
    pub(crate) fn add(&mut self, file: &Value) {
        for (block, prefix) in [("variable", "var"), ("output", "output"), ("module", "module")] {
            for (name, _) in members(file.get(block)) {
                self.names.insert(format!("{prefix}.{name}"));
            }
        }
        for (name, _) in members(file.get("locals")) {
            self.names.insert(format!("local.{name}"));
        }
        for (block, prefix) in [("resource", ""), ("data", "data.")] {
            for (kind, named) in members(file.get(block)) {
                for (name, body) in members(Some(named)) {
                    let address = format!("{prefix}{kind}.{name}");
                    if body.get("count").is_some() || body.get("for_each").is_some() {
                        self.repeated.insert(address.clone());
                    }
                    self.names.insert(address);
                }
            }
        }
        for (name, configurations) in members(file.get("provider")) {
            let one = std::slice::from_ref(configurations);
            for body in configurations.as_array().map_or(one, Vec::as_slice) {
                let alias = body.get("alias").and_then(Value::as_str);
                self.providers.insert(alias.map_or(name.clone(), |a| format!("{name}.{a}")));
            }
        }
        let required = file.get("terraform").and_then(|t| t.get("required_providers"));
        for (_, provider) in members(required) {
            let aliases = provider.get("configuration_aliases").and_then(Value::as_array);
            for alias in aliases.into_iter().flatten() {
                self.providers.extend(alias.as_str().map(str::to_owned));
            }
        }
    }

    /// Whether `name` is declared.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Panics unless every reference in the root body of a file names something declared; gives the
    /// number of references.
    pub(crate) fn check(&self, file: &Value) -> usize {
        let mut found = 0;
        for (block, body) in members(Some(file)) {
            // Variables are literal, and the names in an encryption are of its own world.
            if block != "variable" && block != "terraform" {
                self.check_value(body, &mut found);
            }
        }
        for (_, named) in members(file.get("resource")) {
            for (name, body) in members(Some(named)) {
                if let Some(provider) = body.get("provider") {
                    let provider = provider.as_str().unwrap();
                    assert!(self.providers.contains(provider), "{name}: provider {provider}");
                    found += 1;
                }
                let text = body.to_string();
                assert_eq!(text.contains("${each."), body.get("for_each").is_some(), "{name}");
            }
        }
        found
    }

    fn check_value(&self, value: &Value, found: &mut usize) {
        match value {
            Value::String(text) => {
                for expression in templates(text) {
                    self.check_expression(expression, found);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.check_value(item, found)),
            Value::Object(_) => {
                for (name, item) in members(Some(value)) {
                    if name == "depends_on" {
                        for target in item.as_array().unwrap() {
                            let target = target.as_str().unwrap();
                            let target = target.split('[').next().unwrap();
                            assert!(self.names.contains(target), "depends_on {target}");
                            *found += 1;
                        }
                    }
                    self.check_value(item, found);
                }
            }
            _ => {}
        }
    }

    fn check_expression(&self, expression: &str, found: &mut usize) {
        for (path, next) in traversals(expression) {
            let steps: Vec<&str> = path.split('.').collect();
            let length = match steps[0] {
                "each" | "count" | "path" | "terraform" | "self" => continue,
                "true" | "false" | "null" => continue,
                _ if next == Some('(') => continue,
                "data" => 3,
                _ => 2,
            };
            let name = steps[..length.min(steps.len())].join(".");
            assert!(self.names.contains(&name), "{name} in {expression} is not declared");
            if self.repeated.contains(&name) {
                assert!(steps.len() == length && next == Some('['), "no key in {expression}");
            }
            *found += 1;
        }
    }
}

/// The insides of the interpolations of a template.
pub(crate) fn templates(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(step) = text[at..].find("${") {
        let start = at + step + 2;
        at = start;
        if start >= 3 && bytes[start - 3] == b'$' {
            continue;
        }
        let (mut depth, mut quoted) = (1, false);
        while depth > 0 {
            match bytes[at] {
                b'"' => quoted = !quoted,
                b'{' if !quoted => depth += 1,
                b'}' if !quoted => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        found.push(&text[start..at - 1]);
    }
    found
}

/// The dotted names of an expression, outside of quotes, each with the character after it.
fn traversals(expression: &str) -> Vec<(&str, Option<char>)> {
    let mut found = Vec::new();
    for (at, piece) in expression.split('"').enumerate() {
        if at % 2 == 1 {
            continue;
        }
        let last = at + 1 == expression.split('"').count();
        let part = |c: char| c.is_alphanumeric() || "_.-".contains(c);
        let mut rest = piece;
        while let Some(start) = rest.find(part) {
            let end = rest[start..].find(|c| !part(c)).map_or(rest.len(), |n| start + n);
            let (word, next) = (&rest[start..end], rest[end..].chars().next());
            rest = &rest[end..];
            // A name after a bracket, as in `x["a"].id`, belongs to the traversal before it.
            if word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                found.push((word, next.or(if last { None } else { Some('"') })));
            }
        }
    }
    found
}

/// `text` without the white space outside of strings.
pub(crate) fn minify(text: &[u8]) -> Vec<u8> {
    let (mut out, mut quoted, mut escaped) = (Vec::with_capacity(text.len()), false, false);
    for &byte in text {
        if quoted || !byte.is_ascii_whitespace() {
            out.push(byte);
        }
        if escaped {
            escaped = false;
        } else if quoted && byte == b'\\' {
            escaped = true;
        } else if byte == b'"' {
            quoted = !quoted;
        }
    }
    out
}

/// The JSON value of `text`, after checking that no object has a key twice.
pub(crate) fn parse(text: &[u8]) -> Value {
    let value: Value = serde_json::from_slice(text).unwrap();
    let mut keys = 0;
    count_keys(&value, &mut keys);
    let (mut colons, mut quoted, mut escaped) = (0, false, false);
    for &byte in text {
        if escaped {
            escaped = false;
        } else if quoted && byte == b'\\' {
            escaped = true;
        } else if byte == b'"' {
            quoted = !quoted;
        } else if !quoted && byte == b':' {
            colons += 1;
        }
    }
    assert_eq!(keys, colons, "an object has a key twice");
    value
}

fn count_keys(value: &Value, keys: &mut usize) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| count_keys(item, keys)),
        Value::Object(object) => {
            *keys += object.len();
            object.values().for_each(|item| count_keys(item, keys));
        }
        _ => {}
    }
}

/// How often each word comes up.
pub(crate) fn tally<'a>(words: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    words.for_each(|word| *counts.entry(word).or_default() += 1);
    counts
}
