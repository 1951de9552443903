//! The writer: escapes and layout are those of serde_json, values of documents are copied verbatim.

use std::io;

use simd_hcl::json::JsonValue;
use simd_hcl::write::{Layout, Slot, Writer, to_string};
use simd_hcl::{Arena, Document, Node};

/// A pseudo-random number generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'p>(&mut self, choices: &[&'p str]) -> &'p str {
        choices[self.below(choices.len())]
    }
}

fn compact(write: impl FnOnce(Slot<'_, '_>)) -> String {
    to_string(Layout::Compact, write)
}

fn pretty(write: impl FnOnce(Slot<'_, '_>)) -> String {
    to_string(Layout::Pretty, write)
}

#[test]
fn strings_are_escaped_as_serde_json_escapes_them() {
    let check = |text: &str| {
        let written = compact(|slot| slot.string(text));
        assert_eq!(written, serde_json::to_string(text).unwrap());
        assert_eq!(compact(|slot| slot.display(text)), written);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        let object = compact(|slot| slot.object().key(text).bool(true));
        assert_eq!(object, format!("{{{written}:true}}"));
    };
    for code in (0..0x300).chain([0x2028, 0x2029, 0xFEFF, 0xFFFD, 0x1F600, 0x10FFFF]) {
        let character = char::from_u32(code).unwrap();
        check(&format!("a{character}b"));
        check(&character.to_string());
    }
    let mut random = Random(1);
    let pieces =
        ["\"", "\\", "\n", "\u{1}", "<&>", "/", "é", "漢", "😀", "${x}", "\u{7F}", "a b", ""];
    for _ in 0..500 {
        let count = random.below(20);
        check(&(0..count).map(|_| random.pick(&pieces)).collect::<String>());
    }
    check("");
}

#[test]
fn formatted_text_is_escaped_across_its_parts() {
    let written = compact(|slot| slot.display(format_args!("{}[{:?}]", "a\\b", "c\n")));
    assert_eq!(serde_json::from_str::<String>(&written).unwrap(), "a\\b[\"c\\n\"]");
}

#[test]
fn numbers_stay_as_they_are() {
    for text in ["0", "-0", "1.50", "1e400", "-12.5E+30", "1E-9", &"7".repeat(600)] {
        assert_eq!(compact(|slot| slot.number(text)), text);
    }
    assert_eq!(compact(|slot| slot.integer(i64::MIN)), i64::MIN.to_string());
    assert_eq!(compact(|slot| slot.unsigned(u64::MAX)), u64::MAX.to_string());
}

#[test]
fn what_is_no_number_is_a_string() {
    for text in [
        "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1e5.0", "NaN", "inf", "1 ", "1,2",
        "--1", "1e-+5", "٣",
    ] {
        let written = compact(|slot| slot.number(text));
        assert_eq!(written, serde_json::to_string(text).unwrap());
    }
}

#[test]
fn slots_left_alone_are_null() {
    assert_eq!(compact(|_| {}), "null");
    let written = compact(|slot| {
        let mut object = slot.object();
        let _ = object.key("a");
        let _ = object.key("b");
        let mut array = object.key("c").array();
        let _ = array.element();
        let _ = array.element();
        array.end();
        let _ = object.key("d");
    });
    assert_eq!(written, r#"{"a":null,"b":null,"c":[null,null],"d":null}"#);
}

#[test]
fn values_of_a_stream_stand_on_lines() {
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out, Layout::Compact);
    for index in 0..3 {
        writer.value().object().key("index").unsigned(index);
    }
    let _ = writer.value();
    writer.finish().unwrap();
    assert_eq!(out, b"{\"index\":0}\n{\"index\":1}\n{\"index\":2}\nnull");
}

#[test]
fn pretty_is_what_serde_json_calls_pretty() {
    let text = r#"{"a":[],"b":{},"c":[1,[2,{"d":null}],"x"],"e":{"f":{"g":true}}}"#;
    let expected: serde_json::Value = serde_json::from_str(text).unwrap();
    let expected = serde_json::to_string_pretty(&expected).unwrap();
    let arena = Arena::new();
    let root = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap().root();
    assert_eq!(pretty(|slot| slot.node(root)), expected);
    assert_eq!(pretty(|slot| rebuild(slot, root)), expected);
}

/// Writes a value member by member.
fn rebuild(slot: Slot<'_, '_>, node: Node<'_>) {
    match node.value() {
        JsonValue::Null => slot.null(),
        JsonValue::Bool(value) => slot.bool(value),
        JsonValue::Number(number) => slot.number(number.text()),
        JsonValue::String(string) => slot.json_string(string),
        JsonValue::Array(array) => {
            let mut writer = slot.array();
            for element in array.elements() {
                rebuild(writer.element(), element);
            }
        }
        JsonValue::Object(object) => {
            let mut writer = slot.object();
            for member in object.members() {
                rebuild(writer.json_key(member.name()), member.value());
            }
        }
    }
}

/// Writes the tokens of a random value.
fn random_value(random: &mut Random, depth: usize, tokens: &mut Vec<&'static str>) {
    const STRINGS: &[&str] = &[
        r#""""#,
        r#""a""#,
        r#""\\""#,
        r#""\"""#,
        r#"" {[ ,: ]} ""#,
        r#""\u00e9\ud83d\uDE00\/""#,
        "\"é 漢 😀\"",
        r#""\n\\\\\" \\""#,
    ];
    const SCALARS: &[&str] =
        &["null", "true", "false", "0", "-0.0", "1.50e+3", "123456789012345678901234567890"];
    match random.below(if depth == 0 { 2 } else { 4 }) {
        0 => tokens.push(random.pick(STRINGS)),
        1 => tokens.push(random.pick(SCALARS)),
        kind => {
            let is_object = kind == 2;
            tokens.push(if is_object { "{" } else { "[" });
            for index in 0..random.below(5) {
                if index > 0 {
                    tokens.push(",");
                }
                if is_object {
                    tokens.push(random.pick(STRINGS));
                    tokens.push(":");
                }
                random_value(random, depth - 1, tokens);
            }
            tokens.push(if is_object { "}" } else { "]" });
        }
    }
}

#[test]
fn nodes_are_the_source_without_its_whitespace() {
    let mut random = Random(2);
    for _ in 0..2000 {
        let mut tokens = Vec::new();
        random_value(&mut random, 6, &mut tokens);
        let expected = tokens.concat();
        let mut text = String::new();
        for token in tokens {
            text += random.pick(&["", "", " ", "\n\t", "\r\n    "]);
            text += token;
        }
        text += random.pick(&["", "\n"]);

        let arena = Arena::new();
        let root = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap().root();
        assert_eq!(compact(|slot| slot.node(root)), expected, "{text}");
        assert_eq!(compact(|slot| rebuild(slot, root)), expected, "{text}");
        let lines = pretty(|slot| slot.node(root));
        assert_eq!(lines, pretty(|slot| rebuild(slot, root)), "{text}");
        let again = Document::parse_bytes(&arena, "x", lines.as_bytes()).unwrap().root();
        assert_eq!(compact(|slot| slot.node(again)), expected, "{text}");
    }
}

#[test]
fn nodes_are_indented_from_where_they_stand() {
    let arena = Arena::new();
    let root = Document::parse_bytes(&arena, "x", b"[1, {\"a\" : []}]").unwrap().root();
    let written = pretty(|slot| slot.object().key("k").node(root));
    assert_eq!(written, "{\n  \"k\": [\n    1,\n    {\n      \"a\": []\n    }\n  ]\n}");
}

#[test]
fn sealed_containers_stay_sealed() {
    let arena = Arena::new();
    let text = br#"{"a":{"b":{"c":{"d":[1]}}}}"#;
    let document = Document::parse_bytes(&arena, "x", text).unwrap();
    assert_eq!(compact(|slot| slot.node(document.root())).as_bytes(), text);
    assert!(document.root().pointer("/a/b/c").unwrap().is_sealed());
}

#[test]
fn deep_nesting_gives_linear_output() {
    let levels = 10_000;
    let text = "[".repeat(levels) + &"]".repeat(levels);
    let arena = Arena::new();
    let root = Document::parse_bytes(&arena, "x", text.as_bytes()).unwrap().root();
    assert_eq!(compact(|slot| slot.node(root)), text);
    let lines = pretty(|slot| slot.node(root));
    assert!(lines.len() < levels * 2 * 140, "{}", lines.len());
    assert_eq!(lines.replace([' ', '\n'], ""), text);
}

#[test]
fn long_strings_and_many_values_pass_the_buffer() {
    let long = "x\"".repeat(200_000);
    let write = |slot: Slot<'_, '_>| {
        let mut array = slot.array();
        for index in 0..50_000 {
            array.element().unsigned(index);
        }
        array.element().string(&long);
        array.element().string(&"y".repeat(1 << 20));
    };
    let values: Vec<serde_json::Value> = serde_json::from_str(&compact(write)).unwrap();
    assert_eq!(values.len(), 50_002);
    assert_eq!(values[49_999], 49_999);
    assert_eq!(values[50_000], long);
    assert_eq!(values[50_001].as_str().unwrap().len(), 1 << 20);
}

/// A writer that fails after this many bytes.
struct Full(usize);

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::other("full"));
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_first_error_comes_out_at_the_end() {
    for room in [0, 10, 100_000] {
        let mut out = Full(room);
        let mut writer = Writer::new(&mut out, Layout::Compact);
        for _ in 0..100_000 {
            writer.value().string("text");
        }
        assert_eq!(writer.finish().unwrap_err().to_string(), "full");
    }
    let mut out = Full(6);
    let mut writer = Writer::new(&mut out, Layout::Compact);
    writer.value().string("text");
    writer.finish().unwrap();
}
