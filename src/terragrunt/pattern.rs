//! Patterns of paths: `*` matches any characters of a name, `?` one, `[a-z]` one of a class, `**`
//! any characters at all, `{a,b}` either of several patterns, and `\` escapes the next character.
//! `/**/` also matches `/`, if the names before and after it have none of these characters.

use crate::functions::fileset::alternatives;

#[derive(Clone, Debug)]
enum Token {
    Char(char),
    /// Any character of a name.
    Any,
    /// Any characters of a name.
    Star,
    /// Any characters.
    All,
    /// A character that is in one of the ranges, or in none of them.
    Class(Vec<(char, char)>, bool),
}

/// A pattern of whole paths.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// Its alternatives.
    alternatives: Vec<Vec<Token>>,
    /// The folder that has all paths which may match.
    start: String,
    /// The number of names of the paths that match; `None` if it varies.
    depth: Option<usize>,
}

fn is_special(c: char) -> bool {
    matches!(c, '*' | '?' | '[' | '{' | '\\')
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// The pattern is invalid, or has too many alternatives.
    pub(super) fn new(text: &str) -> Result<Self, &'static str> {
        let start = match text.find(is_special) {
            None => text.to_owned(),
            Some(at) => match text[..at].rfind('/') {
                Some(0) => "/".to_owned(),
                Some(at) => text[..at].to_owned(),
                None => String::new(),
            },
        };
        let mut all = Vec::new();
        let mut depth = Some(0);
        for alternative in alternatives(text)? {
            depth = match (depth, alternative.contains("**")) {
                (Some(depth), false) => Some(depth.max(alternative.matches('/').count())),
                _ => None,
            };
            let shorter = collapsed(&alternative);
            all.push(tokens(&alternative).ok_or("the pattern is invalid")?);
            if shorter != alternative {
                all.push(tokens(&shorter).ok_or("the pattern is invalid")?);
            }
        }
        Ok(Self { alternatives: all, start, depth })
    }

    /// The folder from which the search starts.
    pub(super) fn start(&self) -> &str {
        &self.start
    }

    /// Whether a folder may have paths that match.
    pub(super) fn enters(&self, folder: &str) -> bool {
        self.depth.is_none_or(|depth| folder.matches('/').count() < depth)
    }

    /// The steps of matching a path, in units of an evaluation.
    pub(super) fn cost(&self) -> u64 {
        let tokens: usize = self.alternatives.iter().map(Vec::len).sum();
        1 + tokens as u64
    }

    /// Whether it matches a path. Cost: at most the product of the lengths.
    pub(super) fn matches(&self, path: &str) -> bool {
        self.alternatives.iter().any(|tokens| matches(tokens, path))
    }
}

/// Returns a pattern with `/` for each `/**/` between names without special characters.
fn collapsed(text: &str) -> String {
    let names: Vec<&str> = text.split('/').collect();
    let is_plain = |at: Option<usize>| {
        at.and_then(|at| names.get(at)).is_some_and(|name| !name.contains(is_special))
    };
    let kept = names.iter().enumerate().filter(|(at, name)| {
        **name != "**" || !is_plain(at.checked_sub(1)) || !is_plain(Some(at + 1))
    });
    kept.map(|(_, name)| *name).collect::<Vec<_>>().join("/")
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        tokens.push(match c {
            '*' if chars.next_if_eq(&'*').is_some() => {
                while chars.next_if_eq(&'*').is_some() {}
                Token::All
            }
            '*' => Token::Star,
            '?' => Token::Any,
            '\\' => Token::Char(chars.next()?),
            '[' => {
                let is_negated = chars.next_if(|c| matches!(c, '!' | '^')).is_some();
                let mut ranges = Vec::new();
                loop {
                    let first = match chars.next()? {
                        ']' if !ranges.is_empty() => break,
                        '\\' => chars.next()?,
                        c => c,
                    };
                    let last = match chars.next_if_eq(&'-') {
                        Some(_) => chars.next()?,
                        None => first,
                    };
                    ranges.push((first, last));
                }
                Token::Class(ranges, is_negated)
            }
            c => Token::Char(c),
        });
    }
    Some(tokens)
}

fn matches(tokens: &[Token], path: &str) -> bool {
    // Whether the tokens up to each place match what has been read.
    let mut is_at = vec![false; tokens.len() + 1];
    is_at[0] = true;
    let skip = |is_at: &mut Vec<bool>| {
        for (at, token) in tokens.iter().enumerate() {
            if is_at[at] && matches!(token, Token::Star | Token::All) {
                is_at[at + 1] = true;
            }
        }
    };
    skip(&mut is_at);
    for c in path.chars() {
        let mut next = vec![false; tokens.len() + 1];
        for (at, token) in tokens.iter().enumerate().filter(|(at, _)| is_at[*at]) {
            match token {
                Token::Char(wanted) if *wanted == c => next[at + 1] = true,
                Token::Any if c != '/' => next[at + 1] = true,
                Token::Star if c != '/' => next[at] = true,
                Token::All => next[at] = true,
                Token::Class(ranges, is_negated) if c != '/' => {
                    let is_in = ranges.iter().any(|(first, last)| (first..=last).contains(&&c));
                    next[at + 1] |= is_in != *is_negated;
                }
                _ => {}
            }
        }
        skip(&mut next);
        is_at = next;
    }
    is_at[tokens.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_paths() {
        for (pattern, path, is_match) in [
            ("/a/*.tf", "/a/b.tf", true),
            ("/a/*.tf", "/a/b/c.tf", false),
            ("/a/**/b.tf", "/a/x/y/b.tf", true),
            ("/a/**/b.tf", "/a/b.tf", true),
            ("/a/**/*.tf", "/a/b.tf", false),
            ("/a/{*.tf,**/*.tf}", "/a/b.tf", true),
            ("/a/{*.tf,**/*.tf}", "/a/x/b.tf", true),
            ("/f?o", "/f/o", false),
            ("/[abc].tf", "/b.tf", true),
            ("/[^abc].tf", "/b.tf", false),
            ("/a\\*b", "/a*b", true),
            ("/a\\*b", "/axb", false),
            ("/**", "/x/y", true),
        ] {
            assert_eq!(Pattern::new(pattern).unwrap().matches(path), is_match, "{pattern} {path}");
        }
        assert_eq!(Pattern::new("/a/b{c,d}/*").unwrap().start(), "/a");
        assert!(Pattern::new("/a/[").is_err() && Pattern::new("/a/{b").is_err());
        let shallow = Pattern::new("/a/*/c").unwrap();
        assert!(shallow.enters("/a/b") && !shallow.enters("/a/b/c"));
    }
}
