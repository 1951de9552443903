//! Short answers: the rows of a list in pages, with file and line instead of ranges.

use serde_json::{Map, Value, json};

/// The largest answer, in bytes.
pub const MOST_BYTES: usize = 8_000;

/// The bytes that are reserved for the cursor and the note about rows that are left out.
const RESERVED: usize = 200;

/// The longest text of a row that does not fit otherwise.
const SHORT_TEXT: usize = 200;

/// The address of an object of a row, in the members that name one.
const ADDRESSES: [&str; 3] = ["from", "to", "address"];

/// One page of a command's answer, from a cursor on. `list` is the member that is divided; without one,
/// or if the answer has no such member, its leaves are rows.
///
/// # Errors
/// The cursor is not one of this answer.
pub(super) fn page(
    answer: Value,
    list: Option<&str>,
    address: Option<&str>,
    cursor: Option<&str>,
) -> Result<Value, String> {
    let start: usize = match cursor {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| format!("`{cursor}` is not a cursor"))?,
    };
    let mut rest = match answer {
        Value::Object(members) => members,
        other => Map::from_iter([("value".to_owned(), other)]),
    };
    rest.remove("format_version");
    if let Some(planned) = rest.remove("planned_values") {
        rest.insert("outputs".to_owned(), planned.get("outputs").cloned().unwrap_or_default());
        rest.insert("resources".to_owned(), resources(planned).into());
    }
    let (name, mut rows) = match list.and_then(|list| Some((list, rest.remove(list)?))) {
        Some((list, Value::Array(rows))) => (list, rows),
        Some((list, other)) => {
            rest.insert(list.to_owned(), other);
            ("leaves", leaves(&std::mem::take(&mut rest)))
        }
        None => ("leaves", leaves(&std::mem::take(&mut rest))),
    };
    if let Some(address) = address {
        rows.retain(|row| names(row, address));
    }
    rows.iter_mut().for_each(placed);
    // Members beside the list are in the first page only, and short.
    let mut page = if start == 0 { Value::Object(rest) } else { json!({}) };
    placed(&mut page);
    if size(&page) > MOST_BYTES / 4 {
        shorten(&mut page);
    }
    if size(&page) > MOST_BYTES / 4 {
        let has_gaps = page["incomplete"].as_array().is_some_and(|gaps| !gaps.is_empty());
        page = json!({ "left_out": "what is beside the list is too long" });
        if has_gaps {
            page["incomplete"] = "gaps, too many to list: ask about fewer paths".into();
        }
    }
    let total = rows.len();
    if start > total || start == total && start > 0 {
        return Err(format!("`{start}` is not a cursor of this answer"));
    }
    let room = MOST_BYTES - RESERVED - size(&page);
    let mut taken: Vec<Value> = Vec::new();
    let mut used = 0;
    for mut row in rows.into_iter().skip(start) {
        if size(&row) > room {
            shorten(&mut row);
        }
        if size(&row) > room {
            row = json!({ "left_out": "a row that is too long", "file": row.get("file"), "line": row.get("line"), "address": row.get("address") });
        }
        used += size(&row) + 1;
        if used > room && !taken.is_empty() {
            break;
        }
        taken.push(row);
    }
    let end = start + taken.len();
    page[name] = taken.into();
    if start > 0 || end < total {
        page["total"] = total.into();
    }
    if end < total {
        page["next_cursor"] = end.to_string().into();
    }
    Ok(page)
}

/// The bytes of a value as JSON.
fn size(value: &Value) -> usize {
    value.to_string().len()
}

/// Whether a row names an object, or a part of it.
fn names(row: &Value, address: &str) -> bool {
    ADDRESSES.iter().any(|member| {
        let named = row.get(member).and_then(Value::as_str).unwrap_or_default();
        let rest = named.strip_prefix(address);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })
}

/// Replaces ranges by the file and the line where they start, and leaves out excerpts of files, which
/// may have secrets.
fn placed(row: &mut Value) {
    let mut open = vec![row];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                members.remove("snippet");
                if let Some(range) =
                    members.get("range").filter(|range| range.get("start").is_some())
                {
                    let (file, line) = (range["filename"].clone(), range["start"]["line"].clone());
                    members.remove("range");
                    members.insert("file".to_owned(), file);
                    members.insert("line".to_owned(), line);
                }
                open.extend(members.values_mut());
            }
            Value::Array(elements) => open.extend(elements),
            _ => {}
        }
    }
}

/// Cuts the texts and lists of a value.
fn shorten(row: &mut Value) {
    let mut open = vec![row];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if text.len() > SHORT_TEXT => {
                let end = (0..=SHORT_TEXT).rev().find(|end| text.is_char_boundary(*end));
                text.truncate(end.unwrap_or(0));
                text.push('…');
            }
            Value::Array(elements) => {
                if elements.len() > 20 {
                    let more = elements.len() - 20;
                    elements.truncate(20);
                    elements.push(json!(format!("… and {more} more")));
                }
                open.extend(elements);
            }
            Value::Object(members) => open.extend(members.values_mut()),
            _ => {}
        }
    }
}

/// The resources of planned values: addresses, values, and what is unknown.
fn resources(mut planned: Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut open = vec![planned["root_module"].take()];
    while let Some(mut module) = open.pop() {
        if let Value::Array(inner) = module["child_modules"].take() {
            open.extend(inner.into_iter().rev());
        }
        if let Value::Array(resources) = module["resources"].take() {
            found.extend(resources.into_iter().map(|mut resource| {
                let mut row = json!({ "address": resource["address"].take(), "values": resource["values"].take() });
                let unknown = resource["unknown_values"].take();
                if !unknown.is_null() {
                    row["unknown_values"] = unknown;
                }
                row
            }));
        }
    }
    found
}

/// The leaves of a document, each with its path.
fn leaves(document: &Map<String, Value>) -> Vec<Value> {
    let mut found = Vec::new();
    let mut open: Vec<(String, &Value)> =
        document.iter().rev().map(|(name, value)| (name.clone(), value)).collect();
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Object(members) if !members.is_empty() => {
                open.extend(
                    members.iter().rev().map(|(name, value)| (format!("{path}.{name}"), value)),
                );
            }
            Value::Array(elements) if !elements.is_empty() => {
                let numbered = elements.iter().enumerate().rev();
                open.extend(numbered.map(|(at, value)| (format!("{path}[{at}]"), value)));
            }
            leaf => found.push(json!({ "path": path, "value": leaf })),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(count: usize) -> Value {
        let row = |at: usize| json!({ "address": format!("var.a{at}"), "range": { "filename": "a.tf", "start": { "line": at } } });
        json!({ "format_version": "1.0", "rows": (0..count).map(row).collect::<Vec<_>>(), "incomplete": [] })
    }

    #[test]
    fn pages_have_all_rows_once() {
        let mut found = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = page(rows(1000), Some("rows"), None, cursor.as_deref()).unwrap();
            assert!(page.to_string().len() <= MOST_BYTES);
            let rows = page["rows"].as_array().unwrap();
            assert_eq!(rows[0]["file"], "a.tf");
            found.extend(rows.iter().map(|row| row["line"].as_u64().unwrap()));
            cursor = page["next_cursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(found, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn rows_are_filtered_by_address() {
        let page = page(rows(20), Some("rows"), Some("var.a1"), None).unwrap();
        assert_eq!(page["rows"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn large_rows_are_cut() {
        let large =
            json!({ "rows": [{ "text": "é".repeat(9_000), "list": vec!["x".repeat(90); 900] }] });
        let page = page(large, Some("rows"), None, None).unwrap();
        assert!(page.to_string().len() <= MOST_BYTES);
        assert_eq!(page["rows"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn documents_without_a_list_have_leaves() {
        let page = page(json!({ "a": { "b": [1, 2] } }), None, None, None).unwrap();
        assert_eq!(page["leaves"][1], json!({ "path": "a.b[1]", "value": 2 }));
        assert!(super::page(json!({}), None, None, Some("7")).is_err());
        assert!(super::page(json!({}), None, None, Some("x")).is_err());
    }
}
