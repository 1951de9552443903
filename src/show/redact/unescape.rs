//! The text of a string of a document with its escapes resolved, level by level, and the place of
//! each byte.
//!
//! A JSON document inside a string has escapes of escapes: `"{\"password\":\"a\
//! b\"}"`. Every level is a text that may contain a secret literally.

/// The number of levels to resolve. On deeper levels, a backslash takes 256 or more.
pub(super) const LEVELS: usize = 8;

/// One level of a text.
pub(super) struct Level {
    pub(super) text: Vec<u8>,
    /// The place of each byte in the raw text, and the end of the raw text.
    at: Vec<u32>,
}

impl Level {
    /// The text between the quotes of a string, with its escapes.
    pub(super) fn raw(text: &[u8]) -> Self {
        Self { text: text.to_vec(), at: (0..=text.len() as u32).collect() }
    }

    /// The decoded text of a string, given the text between its quotes.
    pub(super) fn decoded(raw: &[u8]) -> Vec<u8> {
        match memchr::memchr(b'\\', raw) {
            None => raw.to_vec(),
            Some(_) => Self::raw(raw).next().map_or_else(|| raw.to_vec(), |level| level.text),
        }
    }

    /// The range of the raw text for the bytes from `start` to `end`.
    pub(super) fn place(&self, start: usize, end: usize) -> (u32, u32) {
        let at = |index: usize| self.at.get(index).or(self.at.last()).copied().unwrap_or_default();
        (at(start), at(end))
    }

    /// The next level; `None` if nothing is escaped. Invalid escapes stay as they are.
    pub(super) fn next(&self) -> Option<Self> {
        memchr::memchr(b'\\', &self.text)?;
        let mut next = Self { text: Vec::with_capacity(self.text.len()), at: Vec::new() };
        let mut is_changed = false;
        let mut index = 0;
        while let Some(&byte) = self.text.get(index) {
            let place = self.place(index, index).0;
            let escape = (byte == b'\\').then(|| escape(&self.text[index + 1..])).flatten();
            let Some((character, len)) = escape else {
                next.text.push(byte);
                next.at.push(place);
                index += 1;
                continue;
            };
            let mut buffer = [0; 4];
            for byte in character.encode_utf8(&mut buffer).bytes() {
                next.text.push(byte);
                next.at.push(place);
            }
            is_changed = true;
            index += 1 + len;
        }
        next.at.push(self.place(index, index).0);
        is_changed.then_some(next)
    }
}

/// The character that an escape stands for, given the text after the backslash, and its length in
/// bytes.
fn escape(text: &[u8]) -> Option<(char, usize)> {
    let simple = |character| Some((character, 1));
    match text.first()? {
        b'n' => simple('\n'),
        b'r' => simple('\r'),
        b't' => simple('\t'),
        b'b' => simple('\u{8}'),
        b'f' => simple('\u{c}'),
        byte @ (b'"' | b'\\' | b'/') => simple(char::from(*byte)),
        b'u' => {
            let unit = code_unit(text.get(1..5)?)?;
            if let Some(character) = char::from_u32(unit) {
                return Some((character, 5));
            }
            let low = text.get(5..11).filter(|low| low.starts_with(b"\\u"));
            match low.and_then(|low| code_unit(&low[2..])) {
                Some(low @ 0xDC00..=0xDFFF) if unit < 0xDC00 => {
                    let character = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                    Some((char::from_u32(character)?, 11))
                }
                _ => Some((char::REPLACEMENT_CHARACTER, 5)),
            }
        }
        _ => None,
    }
}

fn code_unit(digits: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(digits).ok()?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::Level;

    #[test]
    fn levels_know_their_places() {
        let raw = br#"a\\\"\u003c\ud83d\ude00\\n"#;
        let first = Level::raw(raw).next().unwrap();
        assert_eq!(std::str::from_utf8(&first.text).unwrap(), "a\\\"<😀\\n");
        let second = first.next().unwrap();
        assert_eq!(std::str::from_utf8(&second.text).unwrap(), "a\"<😀\n");
        assert!(second.next().is_none());
        let (start, end) = second.place(1, 2);
        assert_eq!(&raw[start as usize..end as usize], br#"\\\""#);
        let (start, end) = second.place(7, 8);
        assert_eq!(&raw[start as usize..end as usize], br"\\n");
        assert!(Level::raw(br"C:\xyz\q").next().is_none());
    }
}
