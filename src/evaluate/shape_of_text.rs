//! The shapes of texts that functions change.
//!
//! A function may change the text that stands for a hole, and the end of a known part with it. Where it
//! may change anything, the directory at the start of the text is what is known.

use super::shape::{HOLE, Shape};

/// Whether the shape of a call follows from its texts, if the result is not known.
pub(super) fn changes_texts(name: &str) -> bool {
    matches!(
        name,
        "basename"
            | "dirname"
            | "indent"
            | "lower"
            | "regex"
            | "regexall"
            | "replace"
            | "split"
            | "strrev"
            | "substr"
            | "title"
            | "trim"
            | "trimprefix"
            | "trimsuffix"
            | "upper"
            | "urlencode"
    )
}

/// The shape of a call of such a function.
pub(super) fn changed(name: &str, arguments: Vec<Shape>) -> Option<Shape> {
    let mut arguments = arguments.into_iter();
    let mut texts = || match arguments.next()? {
        Shape::Texts(texts) => Some(texts),
        Shape::Sequence(_) | Shape::Bag(_) | Shape::Spread(_) => None,
    };
    let one = |texts: Option<Vec<String>>| match texts.as_deref() {
        Some([text]) if !text.contains(HOLE) => Some(text.clone()),
        _ => None,
    };
    if matches!(name, "regex" | "regexall" | "split") {
        let separator = one(texts());
        let all = texts()?;
        return Some(match separator.filter(|it| name == "split" && !it.is_empty()) {
            Some(separator) => split(&all, &separator),
            None => Shape::Bag(vec![any(&all)]),
        });
    }
    let all = texts()?;
    let changes = |change: &dyn Fn(&str) -> Vec<String>| {
        let changed = all.iter().map(|text| Shape::Texts(change(text)));
        Some(Shape::either(changed.collect()))
    };
    match name {
        "lower" => changes(&|text| vec![text.to_lowercase()]),
        "upper" => changes(&|text| vec![text.to_uppercase()]),
        "basename" => changes(&basename),
        "dirname" => changes(&dirname),
        "trim" => match one(texts()) {
            Some(set) => changes(&|text| vec![text.trim_matches(|c| set.contains(c)).to_owned()]),
            None => Some(any(&all)),
        },
        "trimprefix" => match one(texts()) {
            Some(prefix) => changes(&|text| without_prefix(text, &prefix)),
            None => Some(any(&all)),
        },
        "trimsuffix" => match one(texts()) {
            Some(suffix) => changes(&|text| without_suffix(text, &suffix)),
            None => Some(any(&all)),
        },
        "replace" => {
            let (old, new) = (one(texts()), texts().unwrap_or_else(|| vec![HOLE.to_string()]));
            let is_pattern =
                |old: &str| old.len() > 1 && old.starts_with('/') && old.ends_with('/');
            match old.filter(|old| !old.is_empty() && !is_pattern(old)) {
                Some(old) => changes(&|text| {
                    new.iter().map(|new| single_holes(&replaced(text, &old, new))).collect()
                }),
                None => Some(any(&all)),
            }
        }
        "substr" => {
            let number = |text: Option<String>| text?.parse::<i64>().ok();
            match (number(one(texts())), number(one(texts()))) {
                (Some(start), length) if start >= 0 => {
                    changes(&|text| vec![part(text, start as usize, length)])
                }
                _ => Some(any(&all)),
            }
        }
        _ => Some(any(&all)),
    }
}

/// Any text: in the directories that these texts start with, if they all start with one.
fn any(texts: &[String]) -> Shape {
    let in_directory = |text: &String| {
        let known = text.split(HOLE).next().unwrap_or_default();
        known.rfind('/').map(|end| format!("{}{HOLE}", &known[..=end]))
    };
    let all: Option<Vec<String>> = texts.iter().map(in_directory).collect();
    all.filter(|all| !all.is_empty()).map_or_else(Shape::hole, Shape::Texts)
}

/// The same text with one hole instead of several in a row.
fn single_holes(text: &str) -> String {
    let mut single = String::with_capacity(text.len());
    for c in text.chars() {
        if c != HOLE || !single.ends_with(HOLE) {
            single.push(c);
        }
    }
    single
}

fn split(texts: &[String], separator: &str) -> Shape {
    let mut parts = Vec::new();
    for text in texts {
        let pieces = text.split(separator);
        match text.contains(HOLE) {
            false if texts.len() == 1 => return Shape::Sequence(pieces.map(Shape::text).collect()),
            false => parts.extend(pieces.map(Shape::text)),
            // The separator may be in a hole, too.
            true => {
                for piece in pieces {
                    let known: Vec<&str> = piece.split(HOLE).collect();
                    parts.push(Shape::text(piece));
                    if let [start, .., end] = known[..] {
                        parts.push(Shape::text(&format!("{start}{HOLE}")));
                        parts.push(Shape::text(&format!("{HOLE}{end}")));
                        parts.push(Shape::hole());
                    }
                }
            }
        }
    }
    Shape::Bag(parts)
}

fn basename(text: &str) -> Vec<String> {
    let last = text.rsplit('/').next().unwrap_or_default();
    match last.rfind(HOLE) {
        Some(hole) => vec![last.to_owned(), last[hole..].to_owned()],
        None => vec![last.to_owned()],
    }
}

fn dirname(text: &str) -> Vec<String> {
    match text.rsplit_once('/') {
        Some((directory, last)) if last.contains(HOLE) => {
            vec![directory.to_owned(), format!("{directory}/{HOLE}")]
        }
        Some((directory, _)) => vec![directory.to_owned()],
        None if text.contains(HOLE) => vec![HOLE.to_string()],
        None => vec![".".to_owned()],
    }
}

fn without_prefix(text: &str, prefix: &str) -> Vec<String> {
    if let Some(rest) = text.strip_prefix(prefix) {
        return vec![rest.to_owned()];
    }
    let mut all = vec![text.to_owned()];
    if let Some((known, rest)) = text.split_once(HOLE)
        && prefix.starts_with(known)
    {
        all.push(format!("{HOLE}{rest}"));
    }
    all
}

fn without_suffix(text: &str, suffix: &str) -> Vec<String> {
    if let Some(rest) = text.strip_suffix(suffix) {
        return vec![rest.to_owned()];
    }
    let mut all = vec![text.to_owned()];
    if let Some((rest, known)) = text.rsplit_once(HOLE)
        && suffix.ends_with(known)
    {
        all.push(format!("{rest}{HOLE}"));
    }
    all
}

/// A text in which a part that is known is replaced. What stands beside a hole, and may be a part of it, becomes
/// a part of the hole.
fn replaced(text: &str, old: &str, new: &str) -> String {
    let pieces: Vec<&str> = text.split(HOLE).collect();
    let last = pieces.len() - 1;
    let parts = pieces.iter().enumerate().map(|(at, piece)| {
        let ends = || old.char_indices().map(|(end, _)| end).skip(1);
        let (mut from, mut to) = (0, piece.len());
        if at > 0 {
            from = ends()
                .map(|end| old.len() - end)
                .filter(|n| piece.starts_with(&old[old.len() - n..]))
                .max()
                .unwrap_or(0);
        }
        if at < last {
            let cut = ends().filter(|end| piece.ends_with(&old[..*end])).max().unwrap_or(0);
            to = piece.len() - cut;
        }
        match piece.get(from..to) {
            Some(known) => known.replace(old, new),
            None => String::new(),
        }
    });
    parts.collect::<Vec<_>>().join(&HOLE.to_string())
}

/// The characters of a text from a start. A length below zero is all of them, and one that is not known any
/// number.
fn part(text: &str, start: usize, length: Option<i64>) -> String {
    let at = text.char_indices().map(|(at, _)| at).nth(start).unwrap_or(text.len());
    let rest = match text.find(HOLE) {
        Some(hole) if hole < at || at == text.len() => &text[hole..],
        _ => &text[at..],
    };
    let known = rest.split(HOLE).next().unwrap_or_default();
    match length {
        Some(length) if length < 0 => rest.to_owned(),
        Some(length) if known.chars().count() as i64 >= length => {
            known.chars().take(length as usize).collect()
        }
        Some(_) if known.len() == rest.len() => rest.to_owned(),
        Some(_) => format!("{known}{HOLE}"),
        None => {
            let directory = known.rfind('/').map_or("", |end| &known[..=end]);
            format!("{directory}{HOLE}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Shape, changed};

    /// `*` is a hole, and `|` between possible texts.
    fn result(name: &str, arguments: &[&str]) -> String {
        let shape =
            |text: &&str| Shape::Texts(text.split('|').map(|it| it.replace('*', "\0")).collect());
        let result = changed(name, arguments.iter().map(shape).collect());
        result.map_or_else(String::new, |it| it.into_texts().join("|").replace('\0', "*"))
    }

    #[test]
    fn texts_that_functions_change() {
        for (name, arguments, expected) in [
            ("lower", &["../C/*.JSON"][..], "../c/*.json"),
            ("replace", &["../c/X.json", "X", "*"], "../c/*.json"),
            ("replace", &["../c/*-a.json", "-", "_"], "../c/*_a.json"),
            ("replace", &["../c/*b.json", "ab", "_"], "../c/*.json"),
            ("replace", &["../ca*.json", "ab", "_"], "../c*.json"),
            ("replace", &["../c/X.json", "*", "a"], "../c/*"),
            ("replace", &["../c/X.json", "/[A-Z]/", "*"], "../c/*"),
            ("replace", &["a/X|b/X", "X", "c|d"], "a/c|a/d|b/c|b/d"),
            ("trimprefix", &["./a/*", "./"], "a/*"),
            ("trimprefix", &["a*", "ab"], "a*|*"),
            ("trimsuffix", &["a/*.tpl", ".tpl"], "a/*"),
            ("trimsuffix", &["a/*", ".tpl"], "a/*"),
            ("trimsuffix", &["a/*", "*"], "a/*"),
            ("trim", &["/a/*/", "/"], "a/*"),
            ("substr", &["../c/*.json", "3", "-1"], "c/*.json"),
            ("substr", &["../c/*.json", "0", "4"], "../c"),
            ("substr", &["../c/*.json", "0", "7"], "../c/*"),
            ("substr", &["../c/*.json", "8", "-1"], "*.json"),
            ("substr", &["../c/x.json", "*", "-1"], "../c/*"),
            ("split", &["/", "a/*b/c"], "a|*b|*|c"),
            ("split", &[",", "a,b"], "a|b"),
            ("regex", &["[a-z]+", "../c/*"], "../c/*"),
            ("dirname", &["a/*/b.txt"], "a/*"),
            ("dirname", &["a/b*"], "a|a/*"),
            ("basename", &["a/*/b.txt"], "b.txt"),
            ("basename", &["a/b*.txt"], "b*.txt|*.txt"),
            ("title", &["a/*"], "a/*"),
        ] {
            assert_eq!(result(name, arguments), expected, "{name} {arguments:?}");
        }
    }
}
