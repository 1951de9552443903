//! Files: objects of attributes and blocks whose strings are templates.

use crate::case::{AttributeRule, BlockRule, Rules};
use crate::entropy::Entropy;
use crate::expression::template;
use crate::mutate::mutate;
use crate::scope::{NUMBERS, STRINGS};

/// A file and a schema that fits it more or less.
pub(crate) fn generate(entropy: &mut impl Entropy) -> (String, Rules) {
    let mut text = String::new();
    let rules =
        if entropy.chance(1, 4) { body(&mut text, entropy) } else { one(&mut text, entropy) };
    if entropy.chance(1, 60) {
        mutate(&mut text, entropy);
    }
    (text, rules)
}

/// One attribute, which is the whole case most of the time: what differs is then easy to see.
fn one(text: &mut String, entropy: &mut impl Entropy) -> Rules {
    text.push_str("{\"x\":");
    if entropy.chance(1, 6) {
        value(text, 2, entropy);
    } else {
        string(text, &some_template(entropy), entropy);
    }
    text.push('}');
    Rules { mode: "just_attributes".to_owned(), ..Rules::default() }
}

/// A body with attributes, blocks and labels.
fn body(text: &mut String, entropy: &mut impl Entropy) -> Rules {
    let rules = body_rules(entropy);
    let names = ["name", "size", "one", "two", "none", "//", "other"];
    members(text, 0, &names, entropy, |text, name, entropy| match name {
        "one" => labelled(text, 1, entropy),
        "two" => labelled(text, 2, entropy),
        "none" => labelled(text, 0, entropy),
        _ => value(text, 1, entropy),
    });
    rules
}

/// The schema of a body with attributes, blocks and labels.
pub(crate) fn body_rules(entropy: &mut impl Entropy) -> Rules {
    let attribute = |name: &str, required| (name.to_owned(), AttributeRule { required });
    let block = |name: &str, labels: &[&str], body| {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        (name.to_owned(), BlockRule { labels, body })
    };
    let inner = Rules {
        mode: entropy.pick(&["content", "partial"]).to_owned(),
        attributes: [attribute("a", false), attribute("b", true)].into(),
        blocks: [block("in", &[], None)].into(),
    };
    Rules {
        mode: entropy.pick(&["content", "partial"]).to_owned(),
        attributes: [attribute("name", entropy.chance(1, 4)), attribute("size", false)].into(),
        blocks: [
            block("one", &["kind"], Some(inner.clone())),
            block("two", &["kind", "name"], None),
            block("none", &[], Some(inner)),
        ]
        .into(),
    }
}

/// Writes the value of a block type: labels, then bodies, either of them often in arrays.
fn labelled(text: &mut String, labels: usize, entropy: &mut impl Entropy) {
    if entropy.chance(1, 12) {
        return value(text, 1, entropy);
    }
    let in_array = entropy.chance(1, 4);
    let count = if in_array { entropy.below(3) } else { 1 };
    text.push_str(if in_array { "[" } else { "" });
    for index in 0..count {
        text.push_str(if index > 0 { "," } else { "" });
        if labels > 0 {
            members(text, 0, &["k", "l", "//", "${s}"], entropy, |text, _, entropy| {
                labelled(text, labels - 1, entropy);
            });
        } else {
            members(
                text,
                0,
                &["a", "b", "in", "//", "c"],
                entropy,
                |text, name, entropy| match name {
                    "in" if entropy.chance(1, 2) => text.push_str("[{\"z\":1},{}]"),
                    _ => value(text, 1, entropy),
                },
            );
        }
    }
    text.push_str(if in_array { "]" } else { "" });
}

fn members<E: Entropy>(
    text: &mut String,
    least: usize,
    names: &[&'static str],
    entropy: &mut E,
    mut each: impl FnMut(&mut String, &'static str, &mut E),
) {
    text.push('{');
    for index in 0..least + entropy.below(4) {
        text.push_str(if index > 0 { ", " } else { "" });
        let name = entropy.pick(names);
        string(text, name, entropy);
        text.push(':');
        each(text, name, entropy);
    }
    text.push('}');
}

/// A JSON value whose strings and names are templates.
fn value(text: &mut String, depth: usize, entropy: &mut impl Entropy) {
    match entropy.below(if depth == 0 { 6 } else { 8 }) {
        0 => text.push_str("null"),
        1 => text.push_str(entropy.pick(&["true", "false"])),
        2 => text.push_str(entropy.pick(NUMBERS)),
        6 => {
            text.push('[');
            for index in 0..entropy.below(4) {
                text.push_str(if index > 0 { "," } else { "" });
                value(text, depth - 1, entropy);
            }
            text.push(']');
        }
        7 => {
            text.push('{');
            for index in 0..entropy.below(4) {
                text.push_str(if index > 0 { "," } else { "" });
                let name = match entropy.below(4) {
                    0 => some_template(entropy),
                    1 => entropy.pick(STRINGS).to_owned(),
                    _ => entropy.pick(&["a", "b", "//", "${n}", "${s}"]).to_owned(),
                };
                string(text, &name, entropy);
                text.push(':');
                value(text, depth - 1, entropy);
            }
            text.push('}');
        }
        _ => string(text, &some_template(entropy), entropy),
    }
}

/// A template, broken in one of four cases.
fn some_template(entropy: &mut impl Entropy) -> String {
    let mut text = template(entropy);
    if entropy.chance(1, 4) {
        mutate(&mut text, entropy);
    }
    text
}

/// A JSON string: what must be escaped is, some other characters too.
fn string(text: &mut String, decoded: &str, entropy: &mut impl Entropy) {
    let often = entropy.chance(1, 8);
    text.push('"');
    for character in decoded.chars() {
        let escape = often && entropy.chance(1, 6);
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '/' if escape => text.push_str("\\/"),
            // Prepend characters are escaped: directly before a quote they hide it from the
            // reference.
            _ if character < ' ' || character == '\u{600}' || escape => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    text.push_str(&format!("\\u{unit:04x}"));
                }
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}
