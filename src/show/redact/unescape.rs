//! The text of a string of a document with its escapes resolved, level by level, and the place of
//! each byte.
//!
//! A JSON document inside a string has escapes of escapes: `"{\"password\":\"a\
//! b\"}"`. Every level is a text that may contain a secret literally. Any level may also be encoded
//! for a URL, a form or HTML.

/// The number of levels to resolve. Backslashes double on each level, so that only a chain of
/// `\u005c` reaches more.
pub(super) const LEVELS: usize = 32;

/// One level of a text.
pub(super) struct Level {
    pub(super) text: Vec<u8>,
    /// The place of each byte in the raw text, and the end of the raw text.
    at: Vec<u32>,
}

/// The bytes that a part of a text stands for, and the length of that part.
struct Part {
    bytes: [u8; 4],
    count: usize,
    len: usize,
}

impl Part {
    fn of(character: char, len: usize) -> Self {
        let mut bytes = [0; 4];
        let count = character.encode_utf8(&mut bytes).len();
        Self { bytes, count, len }
    }
}

/// An encoding of texts besides JSON: the bytes that begin an encoded part, and the function that decodes
/// one.
type Encoding = (fn(u8) -> bool, fn(&[u8]) -> Option<Part>);

const JSON: Encoding = (|byte| byte == b'\\', |text| escape(text.get(1..)?));

const OTHERS: [Encoding; 3] = [
    (|byte| byte == b'%', percent),
    (|byte| byte == b'%' || byte == b'+', form),
    (|byte| byte == b'&', entity),
];

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
        self.decode(JSON)
    }

    /// The text with the parts of one encoding decoded; `None` if it has none.
    fn decode(&self, (begins, decode): Encoding) -> Option<Self> {
        let mut index = self.text.iter().position(|byte| begins(*byte))?;
        let mut next = Self { text: self.text[..index].to_vec(), at: self.at[..index].to_vec() };
        let mut is_changed = false;
        while let Some(&byte) = self.text.get(index) {
            let place = self.place(index, index).0;
            let part = begins(byte).then(|| decode(&self.text[index..])).flatten();
            let Some(part) = part else {
                next.text.push(byte);
                next.at.push(place);
                index += 1;
                continue;
            };
            next.text.extend_from_slice(&part.bytes[..part.count]);
            next.at.extend(std::iter::repeat_n(place, part.count));
            is_changed = true;
            index += part.len;
        }
        next.at.push(self.place(index, index).0);
        is_changed.then_some(next)
    }
}

/// Calls `read` with every text that the text between the quotes of a string stands for: each level
/// of escapes, and what it is if it is encoded. Returns `false` if there are more levels.
///
/// Cost: linear in the text for each level. There are as many as the logarithm of the longest run of
/// backslashes, but for texts made to have more.
pub(super) fn readings(raw: &[u8], mut read: impl FnMut(&Level)) -> bool {
    let mut level = Level::raw(raw);
    for _ in 0..LEVELS {
        read(&level);
        for encoding in OTHERS {
            level.decode(encoding).iter().for_each(&mut read);
        }
        match level.next() {
            Some(next) => level = next,
            None => return true,
        }
    }
    false
}

/// Whether [`readings`] has more than the text itself.
pub(super) fn is_encoded(raw: &[u8]) -> bool {
    memchr::memchr3(b'\\', b'%', b'&', raw).is_some() || memchr::memchr(b'+', raw).is_some()
}

/// The offsets where a character that no usual writer encodes is encoded, in order: there, a text
/// may contain a secret without any of its bytes. `is_plain` are the characters that matter.
pub(super) fn needless(bytes: &[u8], is_plain: impl Fn(u8) -> bool) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    let wants = |part: Option<Part>| {
        part.is_some_and(|part| {
            let byte = part.bytes[0];
            part.count == 1 && (is_plain(byte) || byte == b'\\')
        })
    };
    for at in memchr::memmem::find_iter(bytes, br"\u00") {
        let rest = &bytes[at..];
        let part = rest.get(1..).and_then(escape);
        if wants(part) || rest.starts_with(br"\u0026#") || rest.starts_with(br"\u0025") {
            found.push(at as u32);
        }
    }
    for at in memchr::memchr_iter(b'%', bytes) {
        if wants(percent(&bytes[at..])) {
            found.push(at as u32);
        }
    }
    found.extend(memchr::memmem::find_iter(bytes, b"&#").map(|at| at as u32));
    found.sort_unstable();
    found
}

/// The character that an escape stands for, given the text after the backslash. The length includes
/// the backslash.
fn escape(text: &[u8]) -> Option<Part> {
    let simple = |character| Some(Part::of(character, 2));
    match text.first()? {
        b'n' => simple('\n'),
        b'r' => simple('\r'),
        b't' => simple('\t'),
        b'b' => simple('\u{8}'),
        b'f' => simple('\u{c}'),
        byte @ (b'"' | b'\\' | b'/') => simple(char::from(*byte)),
        b'u' => {
            let unit = number(text.get(1..5)?, 16)?;
            if let Some(character) = char::from_u32(unit) {
                return Some(Part::of(character, 6));
            }
            let low = text.get(5..11).filter(|low| low.starts_with(b"\\u"));
            match low.and_then(|low| number(&low[2..], 16)) {
                Some(low @ 0xDC00..=0xDFFF) if unit < 0xDC00 => {
                    let character = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                    Some(Part::of(char::from_u32(character)?, 12))
                }
                _ => Some(Part::of(char::REPLACEMENT_CHARACTER, 6)),
            }
        }
        _ => None,
    }
}

/// The byte of `%2B`.
fn percent(text: &[u8]) -> Option<Part> {
    let byte = number(text.get(1..3)?, 16)? as u8;
    Some(Part { bytes: [byte, 0, 0, 0], count: 1, len: 3 })
}

/// Like [`percent`]; a plus sign is a space.
fn form(text: &[u8]) -> Option<Part> {
    if text.first() == Some(&b'+') { Some(Part::of(' ', 1)) } else { percent(text) }
}

/// The character of `&amp;`, `&#43;` or `&#x2b;`.
fn entity(text: &[u8]) -> Option<Part> {
    /// The most characters of a reference: `&#1114111;`.
    const LONGEST: usize = 10;
    let len = memchr::memchr(b';', &text[..text.len().min(LONGEST)])?;
    let character = match &text[1..len] {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        [b'#', b'x' | b'X', digits @ ..] => char::from_u32(number(digits, 16)?)?,
        [b'#', digits @ ..] => char::from_u32(number(digits, 10)?)?,
        _ => return None,
    };
    Some(Part::of(character, len + 1))
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let digits = std::str::from_utf8(digits).ok()?;
    let is_number = digits.chars().all(|digit| digit.is_digit(radix));
    is_number.then(|| u32::from_str_radix(digits, radix).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{Level, needless, readings};

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

    fn all(raw: &str) -> (Vec<String>, bool) {
        let mut texts = Vec::new();
        let is_all = readings(raw.as_bytes(), |level| {
            texts.push(String::from_utf8_lossy(&level.text).into_owned());
        });
        (texts, is_all)
    }

    #[test]
    fn texts_are_decoded() {
        assert_eq!(all("plain"), (vec!["plain".to_owned()], true));
        let (texts, _) = all("a%2Bb+c&amp;&#43;&#x2B;%zz&no;&");
        for expected in
            ["a+b+c&amp;&#43;&#x2B;%zz&no;&", "a+b c&amp;&#43;&#x2B;%zz&no;&", "a%2Bb+c&++%zz&no;&"]
        {
            assert!(texts.iter().any(|text| text == expected), "{texts:?}");
        }
        assert!(all(r"\\u0026#43;").0.contains(&"+".to_owned()));
        let deep = format!("{}x", "\\".repeat(1 << 12));
        assert_eq!(all(&deep).0.len(), 13);
        assert!(!all(&format!("\\u005c{}0061", "u005c".repeat(40))).1);
    }

    #[test]
    fn needless_encodings_are_found() {
        let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'+';
        for (text, expected) in [
            (r"a\u0061", vec![1]),
            (r"\u002B\u003c\u00e9", vec![0]),
            (r"\\u005cu0061", vec![1]),
            ("%61%2F%", vec![0]),
            ("&#43;&amp;", vec![0]),
            (r"\u0026#43;\u0026amp;", vec![0]),
        ] {
            assert_eq!(needless(text.as_bytes(), is_letter), expected, "{text}");
        }
    }
}
