//! Lookup by JSON Pointer (RFC 6901).

use super::{JsonValue, Node};

impl<'a> Node<'a> {
    /// Returns the value at an RFC 6901 pointer: `/resource/aws_instance/web/ami`, `/blocks/0`; the
    /// empty pointer selects the value itself. Of duplicate members the first is selected. Returns
    /// `None` if the value does not exist or the pointer is malformed. Cost: linear in the members
    /// before the selected one on each level.
    ///
    /// ```
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let document = Document::parse_bytes(&arena, "a.json", br#"{"a": [{"b": 3}]}"#)?;
    /// assert_eq!(document.root().pointer("/a/0/b").unwrap().text(), b"3");
    /// assert!(document.root().pointer("/a/1").is_none());
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Option<Self> {
        let mut node = self;
        if pointer.is_empty() {
            return Some(node);
        }
        for token in pointer.strip_prefix('/')?.split('/') {
            node = match node.value() {
                JsonValue::Object(object) if token.contains('~') => {
                    object.get(&unescape(token)?)?
                }
                JsonValue::Object(object) => object.get(token)?,
                JsonValue::Array(array) => array.get(array_index(token)?)?,
                _ => return None,
            };
        }
        Some(node)
    }
}

/// Decodes `~0` to a tilde and `~1` to a slash (section 4).
fn unescape(token: &str) -> Option<String> {
    let mut name = String::with_capacity(token.len());
    let mut characters = token.chars();
    while let Some(character) = characters.next() {
        name.push(match character {
            '~' => match characters.next()? {
                '0' => '~',
                '1' => '/',
                _ => return None,
            },
            _ => character,
        });
    }
    Some(name)
}

/// Parses `0`, or digits without a leading zero.
fn array_index(token: &str) -> Option<usize> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = token.len() > 1 && token.starts_with('0');
    if digits && !leading_zero { token.parse().ok() } else { None }
}
