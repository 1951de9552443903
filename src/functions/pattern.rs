//! Translates patterns of regular expressions.
//!
//! OpenTofu's patterns have the syntax of RE2 in Go. [`Pattern`] checks that syntax and rewrites
//! the pattern for the `regex` crate, which matches in the same order (leftmost first), but reads
//! some of it differently: here, `\d`, `\s`, `\w` and `\b` only match ASCII, classes have no set
//! operations, and repeat counts go up to 1000. Names of groups are removed, because the crate
//! allows fewer characters in them.
//!
//! The syntax is read by our own code because no crate reads it: `regex` accepts patterns that Go
//! rejects (`[a&&b]`, `(?x)`, `a**`) and rejects some that Go accepts (`\Q…\E`, `a{` as text),
//! and a pattern that one of them rejects is an error in the tool. Matching is that of the crate,
//! which is linear in the text as in Go; a binding of RE2 itself would be a library in C++.
//!
//! A program of more than 10 MiB or 250 levels is rejected.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::rc::Rc;
use std::str::CharIndices;

use super::compiled::{Program, compiled};

/// The maximum repetition of a part; the counts of nested repetitions are multiplied.
const MAX_REPEAT: u32 = 1000;

/// The operands of a byte that a search tries in one step.
const OPERANDS: u64 = 4;

/// The reason why a pattern is invalid.
pub(crate) type Refusal = &'static str;

const INVALID_ESCAPE: Refusal = "an escape sequence is invalid";
const INVALID_GROUP: Refusal = "a group begins with unsupported syntax";
const INVALID_NAME: Refusal = "the name of a group is invalid";
const INVALID_RANGE: Refusal = "a character class is invalid";
const INVALID_REPEAT: Refusal = "a repeat count is invalid";
const NESTED_REPEAT: Refusal = "a repetition is repeated";
const UNCLOSED_CLASS: Refusal = "a \"]\" is missing";
/// The crate finds brackets that do not match, and missing operands.
const SYNTAX: Refusal = "a bracket or an operand is missing, or groups nest too deep";

const DIGIT: &str = "0-9";
const SPACE: &str = r"\t\n\f\r ";
const WORD: &str = "0-9A-Za-z_";

/// A pattern in the syntax of the `regex` crate.
pub(crate) struct Pattern<'p> {
    text: String,
    /// The name of each group, in order; empty if it has none.
    pub(crate) names: Vec<&'p str>,
    /// The number of its operands, those of a bounded repetition counted as often as it repeats them. A search
    /// may be at each of them at the same time.
    size: u64,
    /// Whether something follows a repetition without a bound, so that a search may read far beyond the end of
    /// the match that it returns.
    looks_ahead: bool,
}

/// Translates a pattern in Go's syntax.
struct Translator<'p> {
    source: &'p str,
    rest: Peekable<CharIndices<'p>>,
    pattern: Pattern<'p>,
    /// For the whole pattern and each open group: the product of the nested repeat counts in it.
    repeats: Vec<u32>,
    /// The same product for the last operand.
    operand: u32,
    /// For the whole pattern and each open group: the number of operands in it; and that of the last
    /// operand.
    sizes: Vec<u64>,
    operand_size: u64,
    has_unbounded: bool,
    /// Whether a repetition has just been read.
    is_repeated: bool,
}

impl<'p> Pattern<'p> {
    /// Reads a pattern in OpenTofu's syntax.
    pub(crate) fn read(source: &'p str) -> Result<Self, Refusal> {
        let mut translator = Translator {
            source,
            rest: source.char_indices().peekable(),
            pattern: Self {
                text: String::with_capacity(source.len() * 2),
                names: Vec::new(),
                size: 0,
                looks_ahead: false,
            },
            repeats: vec![1],
            operand: 1,
            sizes: vec![0],
            operand_size: 0,
            has_unbounded: false,
            is_repeated: false,
        };
        while let Some((at, c)) = translator.rest.next() {
            translator.element(at, c)?;
        }
        let sizes = translator.sizes.iter();
        let size = sizes.fold(1, |sum: u64, size| sum.saturating_add(*size));
        Ok(Self { size, ..translator.pattern })
    }

    /// The steps of a search of a text with this many bytes in the worst case: all operands match at
    /// every byte.
    pub(crate) fn steps(&self, bytes: usize) -> u64 {
        self.size.saturating_mul(bytes as u64) / OPERANDS
    }

    /// The bytes that a search may read beyond the match that it returns, of at most `rest`.
    pub(crate) fn reach(&self, rest: usize) -> usize {
        // A character has at most four bytes.
        let longest = usize::try_from(self.size.saturating_mul(4)).unwrap_or(usize::MAX);
        if self.looks_ahead { rest } else { rest.min(longest) }
    }

    /// Returns the compiled program. `spend` is given the steps beside those that any pattern takes.
    pub(crate) fn compile<E>(
        &self,
        spend: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Result<Rc<Program>, Refusal>, E> {
        let program = compiled(&self.text, spend)?;
        Ok(program.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "the pattern is too large",
            _ => SYNTAX,
        }))
    }

    /// Returns the program if it takes at most `limit` bytes, otherwise `None`. It is not kept.
    #[cfg(feature = "docs")]
    pub(crate) fn compile_within(&self, limit: usize) -> Result<Option<regex::Regex>, Refusal> {
        match regex::RegexBuilder::new(&self.text).size_limit(limit).build() {
            Ok(program) => Ok(Some(program)),
            Err(regex::Error::CompiledTooBig(_)) => Ok(None),
            Err(_) => Err(SYNTAX),
        }
    }
}

impl<'p> Translator<'p> {
    fn put(&mut self, text: &str) {
        self.pattern.text.push_str(text);
    }

    /// Writes a literal character, inside or outside of a class.
    fn literal(&mut self, c: char) {
        let _ = write!(self.pattern.text, "\\x{{{:x}}}", u32::from(c));
    }

    /// Takes the next character if it is `wanted`.
    fn take(&mut self, wanted: char) -> bool {
        self.rest.next_if(|&(_, c)| c == wanted).is_some()
    }

    /// The unread rest.
    fn remainder(&mut self) -> &'p str {
        self.rest.peek().map_or("", |&(at, _)| &self.source[at..])
    }

    /// Skips the next `length` bytes.
    fn skip(&mut self, length: usize) {
        let end = self.source.len() - self.remainder().len() + length;
        while self.rest.next_if(|&(at, _)| at < end).is_some() {}
    }

    /// Ends an operand in which repetitions multiply to `repeats`.
    fn is_operand(&mut self, repeats: u32) {
        self.pattern.looks_ahead |= self.has_unbounded;
        self.add(1);
        self.is_one(repeats);
    }

    /// Counts the last operand.
    fn add(&mut self, size: u64) {
        self.operand_size = size;
        if let Some(group) = self.sizes.last_mut() {
            *group = group.saturating_add(size);
        }
    }

    /// Ends an operand, which is counted.
    fn is_one(&mut self, repeats: u32) {
        self.operand = repeats;
        self.is_repeated = false;
        if let Some(group) = self.repeats.last_mut() {
            *group = repeats.max(*group);
        }
    }

    fn element(&mut self, at: usize, c: char) -> Result<(), Refusal> {
        match c {
            '\\' => {
                self.is_operand(1);
                self.escape()?;
            }
            '[' => {
                self.is_operand(1);
                self.class()?;
            }
            '(' => {
                self.group()?;
                self.is_repeated = false;
            }
            ')' => {
                self.put(")");
                // If no group is open, the compiler reports it.
                let repeats = if self.repeats.len() > 1 { self.repeats.pop() } else { None };
                let size = if self.sizes.len() > 1 { self.sizes.pop() } else { None };
                self.add(size.unwrap_or(0));
                self.is_one(repeats.unwrap_or(1));
            }
            '*' | '+' | '?' => {
                self.repetition(&self.source[at..=at], 1)?;
                self.has_unbounded |= c != '?';
            }
            '{' => match counts(self.remainder()) {
                Some((length, least, most)) => {
                    self.skip(length);
                    let count = most.unwrap_or(least);
                    if count > MAX_REPEAT || least > count {
                        return Err(INVALID_REPEAT);
                    }
                    self.repetition(&self.source[at..=at + length], count)?;
                    self.has_unbounded |= most.is_none();
                }
                None => {
                    self.is_operand(1);
                    self.literal(c);
                }
            },
            '.' | '^' | '$' => {
                self.is_operand(1);
                self.put(&self.source[at..=at]);
            }
            '|' => {
                self.put("|");
                self.is_repeated = false;
            }
            _ => {
                self.is_operand(1);
                self.literal(c);
            }
        }
        Ok(())
    }

    /// Reads a repetition of the last operand, at most `count` times if it is bounded.
    fn repetition(&mut self, text: &str, count: u32) -> Result<(), Refusal> {
        if self.is_repeated {
            return Err(NESTED_REPEAT);
        }
        self.put(text);
        if self.take('?') {
            self.put("?");
        }
        let repeats = self.operand.saturating_mul(count.max(1));
        if count > 1 && repeats > MAX_REPEAT {
            return Err(INVALID_REPEAT);
        }
        let size = self.operand_size;
        self.add(size.saturating_mul(u64::from(count.max(1) - 1)));
        self.operand_size = size.saturating_mul(u64::from(count.max(1)));
        self.is_one(repeats);
        self.is_repeated = true;
        Ok(())
    }

    /// Reads the text after an opening parenthesis.
    fn group(&mut self) -> Result<(), Refusal> {
        if !self.take('?') {
            return self.open_group("", "(");
        }
        let rest = self.remainder();
        if let Some(name) = rest.strip_prefix("P<").or_else(|| rest.strip_prefix('<')) {
            let (name, _) = name.split_once('>').ok_or(INVALID_NAME)?;
            if name.is_empty() || !name.bytes().all(is_word) {
                return Err(INVALID_NAME);
            }
            self.skip(rest.find('>').map_or(0, |end| end + 1));
            return self.open_group(name, "(");
        }
        let length = rest.find([':', ')']).ok_or(INVALID_GROUP)?;
        let (on, off) = rest[..length].split_once('-').unwrap_or((&rest[..length], "i"));
        let is_flag = |byte| b"imsU".contains(&byte);
        if !on.bytes().chain(off.bytes()).all(is_flag) || off.is_empty() {
            return Err(INVALID_GROUP);
        }
        let off = if rest[..length].contains('-') { off } else { "" };
        let opens = rest[length..].starts_with(':');
        self.skip(length + 1);
        // The crate accepts each flag only once.
        let mut flags = String::from("(?");
        flags.extend("imsU".chars().filter(|&flag| on.contains(flag) && !off.contains(flag)));
        if !off.is_empty() {
            flags.push('-');
            flags.extend("imsU".chars().filter(|&flag| off.contains(flag)));
        }
        if opens {
            self.repeats.push(1);
            self.sizes.push(0);
            flags.push(':');
            self.put(&flags);
        } else if flags.len() > 2 {
            flags.push(')');
            self.put(&flags);
        }
        Ok(())
    }

    fn open_group(&mut self, name: &'p str, text: &str) -> Result<(), Refusal> {
        self.pattern.names.push(name);
        self.repeats.push(1);
        self.sizes.push(0);
        self.put(text);
        Ok(())
    }

    /// Reads the text after a backslash outside of a class.
    fn escape(&mut self) -> Result<(), Refusal> {
        match self.rest.peek().map(|&(_, c)| c) {
            Some(c @ ('A' | 'z')) => {
                self.rest.next();
                self.put(if c == 'A' { r"\A" } else { r"\z" });
            }
            Some(c @ ('b' | 'B')) => {
                self.rest.next();
                self.put(if c == 'b' { r"(?-u:\b)" } else { r"(?-u:\B)" });
            }
            Some('Q') => {
                self.rest.next();
                let rest = self.remainder();
                let (quoted, length) = match rest.split_once(r"\E") {
                    Some((quoted, _)) => (quoted, quoted.len() + 2),
                    None => (rest, rest.len()),
                };
                quoted.chars().for_each(|c| self.literal(c));
                self.add(quoted.chars().count().saturating_sub(1) as u64);
                self.operand_size = 1;
                self.skip(length);
            }
            _ => {
                if !self.shorthand(false)? {
                    let c = self.escaped_character()?;
                    self.literal(c);
                }
            }
        }
        Ok(())
    }

    /// Reads `d`, `p{…}` and similar ones after a backslash. Returns false if there is none.
    fn shorthand(&mut self, in_class: bool) -> Result<bool, Refusal> {
        let Some(&(_, letter)) = self.rest.peek() else { return Ok(false) };
        let set = match letter.to_ascii_lowercase() {
            'd' => DIGIT,
            's' => SPACE,
            'w' => WORD,
            'p' => {
                self.rest.next();
                self.property(letter == 'P')?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        self.rest.next();
        match (letter.is_ascii_uppercase(), in_class) {
            (true, _) => self.put("[^"),
            (false, false) => self.put("["),
            (false, true) => {}
        }
        self.put(set);
        if letter.is_ascii_uppercase() || !in_class {
            self.put("]");
        }
        Ok(true)
    }

    /// Reads the text after `\p` or `\P`: a general category or a script.
    fn property(&mut self, is_negated: bool) -> Result<(), Refusal> {
        let rest = self.remainder();
        let (name, length) = match rest.strip_prefix('{') {
            Some(braced) => {
                let (name, _) = braced.split_once('}').ok_or(INVALID_RANGE)?;
                (name, name.len() + 2)
            }
            None => {
                let length = rest.chars().next().ok_or(INVALID_RANGE)?.len_utf8();
                (&rest[..length], length)
            }
        };
        self.skip(length);
        let (name, is_inverted) = match name.strip_prefix('^') {
            Some(name) => (name, true),
            None => (name, false),
        };
        if name.is_empty() || !name.bytes().all(is_word) {
            return Err(INVALID_RANGE);
        }
        let letter = if is_negated == is_inverted { 'p' } else { 'P' };
        let written = ["gc", "sc"].into_iter().map(|kind| format!(r"\{letter}{{{kind}={name}}}"));
        // The crate has the list of valid names.
        let known = written.into_iter().find(|property| regex::Regex::new(property).is_ok());
        self.put(&known.ok_or(INVALID_RANGE)?);
        // Its characters begin and end with many bytes.
        self.add(3);
        Ok(())
    }

    /// Reads a character after a backslash.
    fn escaped_character(&mut self) -> Result<char, Refusal> {
        let (_, c) = self.rest.next().ok_or("a backslash ends the pattern")?;
        let is_octal = |&(_, c): &(usize, char)| ('0'..='7').contains(&c);
        match c {
            // A single digit would be a reference to a group, which is not supported.
            '1'..='7' if !self.rest.peek().is_some_and(is_octal) => Err(INVALID_ESCAPE),
            '0'..='7' => {
                let mut code = c.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some((_, digit)) = self.rest.next_if(is_octal) else { break };
                    code = code * 8 + digit.to_digit(8).unwrap_or(0);
                }
                char::from_u32(code).ok_or(INVALID_ESCAPE)
            }
            'x' => {
                let rest = self.remainder();
                let (digits, length) = match rest.strip_prefix('{') {
                    Some(braced) => {
                        let (digits, _) = braced.split_once('}').ok_or(INVALID_ESCAPE)?;
                        (digits, digits.len() + 2)
                    }
                    None => (rest.get(..2).ok_or(INVALID_ESCAPE)?, 2),
                };
                self.skip(length);
                if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return Err(INVALID_ESCAPE);
                }
                let code = u32::from_str_radix(digits, 16).ok();
                code.and_then(char::from_u32).ok_or(INVALID_ESCAPE)
            }
            'a' => Ok('\x07'),
            'f' => Ok('\x0c'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'v' => Ok('\x0b'),
            _ if c.is_ascii() && !c.is_ascii_alphanumeric() => Ok(c),
            _ => Err(INVALID_ESCAPE),
        }
    }

    /// Reads the text after an opening bracket.
    fn class(&mut self) -> Result<(), Refusal> {
        self.put("[");
        if self.take('^') {
            self.put("^");
        }
        let mut is_first = true;
        loop {
            let rest = self.remainder();
            let Some(c) = rest.chars().next() else { return Err(UNCLOSED_CLASS) };
            if c == ']' && !is_first {
                self.rest.next();
                self.put("]");
                return Ok(());
            }
            is_first = false;
            if let Some((name, _)) = rest.strip_prefix("[:").and_then(|rest| rest.split_once(":]"))
            {
                let known = name.strip_prefix('^').unwrap_or(name);
                if !POSIX.contains(&known) {
                    return Err(INVALID_RANGE);
                }
                self.put(&rest[..name.len() + 4]);
                self.skip(name.len() + 4);
                continue;
            }
            if c == '\\' {
                self.rest.next();
                if self.shorthand(true)? {
                    continue;
                }
                let low = self.escaped_character()?;
                self.range(low)?;
            } else {
                self.rest.next();
                self.range(c)?;
            }
        }
    }

    /// Reads a character of a class, or a range that starts with it.
    fn range(&mut self, low: char) -> Result<(), Refusal> {
        self.literal(low);
        let rest = self.remainder();
        if !rest.starts_with('-') || rest[1..].starts_with(']') || rest.len() == 1 {
            return Ok(());
        }
        self.rest.next();
        let high = match self.rest.next() {
            Some((_, '\\')) => self.escaped_character()?,
            Some((_, c)) => c,
            None => return Err(UNCLOSED_CLASS),
        };
        if high < low {
            return Err(INVALID_RANGE);
        }
        self.put("-");
        self.literal(high);
        Ok(())
    }
}

const POSIX: &[&str] = &[
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

/// Whether a byte may be in the name of a group.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Reads `n}`, `n,}` or `n,m}`. Returns the length, the minimum and the maximum. Anything else is
/// literal.
fn counts(text: &str) -> Option<(usize, u32, Option<u32>)> {
    let (counts, _) = text.split_once('}')?;
    let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
    // More than nine digits are too many.
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().unwrap_or(u32::MAX))
    };
    let least = number(least)?;
    let most = if most.is_empty() { None } else { Some(number(most)?) };
    Some((counts.len() + 1, least, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search costs as many steps as the pattern has operands, however short its program is.
    #[test]
    fn searches_cost_their_operands() {
        let steps = |pattern: &str| Pattern::read(pattern).map(|it| it.steps(4 << 20)).unwrap();
        for (pattern, operands) in [
            ("", 1),
            ("a", 2),
            ("ab|c", 4),
            ("[a-z]+", 2),
            ("a[ab]{30}c", 33),
            ("(?:ab){3}c{2}", 9),
            ("(a(b){4}){5}", 26),
            ("a{3,}", 4),
            (r"\d\pL", 6),
        ] {
            assert_eq!(steps(pattern), operands << 20, "{pattern}");
        }
        let nested = format!("{}a{}", "(".repeat(200), "{1000}".to_owned() + &")".repeat(200));
        assert!(steps(&nested) >= 1000 << 20);
    }

    /// Only what follows a repetition without a bound has a search read far beyond its match.
    #[test]
    fn searches_read_as_far_as_a_match_may_reach() {
        let reach = |pattern: &str| Pattern::read(pattern).map(|it| it.reach(1 << 20)).unwrap();
        for (pattern, bytes) in [
            ("a", 8),
            (r"\s+", 8),
            ("(?:ab)+", 12),
            ("a(b{100}c)?", 4 * 103),
            ("a(.*z)?", 1 << 20),
            ("a+b", 1 << 20),
            ("a{2,}b", 1 << 20),
        ] {
            assert_eq!(reach(pattern), bytes, "{pattern}");
        }
        assert_eq!(Pattern::read("abc").unwrap().reach(2), 2);
    }
}
