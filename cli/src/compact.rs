//! JSON without ranges: `--compact`.

use simd_hcl::json::{Node, Object};
use simd_hcl::{Arena, Document};

/// Returns a JSON text without the members that say where something is. A text that is not JSON stays as it is.
///
/// A value of a user that has the members of a range, and the name of one, is a range.
pub(crate) fn without_ranges(text: Vec<u8>) -> Vec<u8> {
    let mut cuts = Vec::new();
    {
        let arena = Arena::new();
        let Ok(document) = Document::parse_bytes(&arena, "", &text) else { return text };
        let mut work = vec![document.root()];
        while let Some(node) = work.pop() {
            if let Some(object) = node.as_object() {
                members(object, &mut cuts, &mut work);
            }
            work.extend(node.as_array().into_iter().flat_map(|array| array.elements()));
        }
    }
    cuts.sort_unstable();
    let mut kept = Vec::with_capacity(text.len());
    let mut at = 0;
    for (start, end) in cuts {
        kept.extend_from_slice(text.get(at..start).unwrap_or_default());
        at = at.max(end);
    }
    kept.extend_from_slice(&text[at..]);
    kept
}

/// Adds the parts of an object that are cut, and its other values.
fn members<'a>(object: Object<'a>, cuts: &mut Vec<(usize, usize)>, work: &mut Vec<Node<'a>>) {
    // Where the last member that is kept ends.
    let mut last = object.node().span().start as usize + 1;
    let mut members = object.members().peekable();
    while let Some(member) = members.next() {
        let (start, end) = (member.name().span().start, member.value().span().end);
        if !is_range(member.name().to_str(), member.value()) {
            last = end as usize;
            work.push(member.value());
            continue;
        }
        // With the comma after it, or, at the end, with the one before.
        cuts.push(match members.peek() {
            Some(next) => (start as usize, next.name().span().start as usize),
            None => (last, end as usize),
        });
    }
}

fn is_range(name: &str, value: Node<'_>) -> bool {
    let is_named = name == "range" || name.ends_with("_range");
    let has = |node: Node<'_>, names: &[&str]| {
        node.as_object().is_some_and(|object| {
            object.members().all(|member| names.contains(&member.name().to_str()))
        })
    };
    let place = |name| {
        value
            .as_object()
            .and_then(|range| range.get(name))
            .is_some_and(|place| has(place, &["line", "column", "byte"]))
    };
    is_named && (value.is_null() || has(value, &["filename", "start", "end"]) && place("start"))
}

#[cfg(test)]
mod tests {
    use super::without_ranges;

    #[test]
    fn only_ranges_are_left_out() {
        let range = r#"{"filename": "a", "start": {"line": 1, "column": 1, "byte": 0}, "end": {"line": 1}}"#;
        let short = r#"{"start":{"line":1,"column":1,"byte":0}}"#;
        for (given, expected) in [
            (format!(r#"{{"a": 1, "range": {range}, "b": [2]}}"#), r#"{"a": 1, "b": [2]}"#),
            (format!(r#"{{"a": 1, "range": {range}}}"#), r#"{"a": 1}"#),
            (format!(r#"{{"range": {range}}}"#), "{}"),
            (
                format!(r#"[{{"x":{{"range":{short},"old_range":null,"a":{{}}}}}}]"#),
                r#"[{"x":{"a":{}}}]"#,
            ),
            (format!(r#"{{"a":1,"old_range":{short},"range":{short}}}"#), r#"{"a":1}"#),
            (
                r#"{"range": [1], "value": {"range": {"from": 1}}}"#.to_owned(),
                r#"{"range": [1], "value": {"range": {"from": 1}}}"#,
            ),
            ("not JSON".to_owned(), "not JSON"),
        ] {
            let found = without_ranges(given.clone().into_bytes());
            assert_eq!(String::from_utf8_lossy(&found), expected, "{given}");
        }
    }
}
