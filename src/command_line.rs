//! The words of command lines that may be paths.

/// The most words of a command line that count.
const MOST_WORDS: usize = 1024;
/// The most bytes of a word that may be a path.
const LONGEST: usize = 1024;

/// Whether a byte is between words: one of a quote, or of an operator of shells.
pub(crate) const fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            b'"' | b'\'' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' | b'=' | b',' | b'`'
        )
}

/// Passes the words of a command line that may be paths; those after `cd DIRECTORY` also as paths in it.
/// Quotes and operators of shells are between words.
///
/// Cost: linear in the command line, but for the length of the directory.
pub(crate) fn paths(command: &str, mut path: impl FnMut(&str)) {
    let is_between = |c: char| c.is_whitespace() || c.is_ascii() && is_between(c as u8);
    let mut directory: Option<&str> = None;
    let mut is_directory = false;
    for word in command.split(is_between).filter(|word| !word.is_empty()).take(MOST_WORDS) {
        if word.len() > LONGEST {
            continue;
        }
        if std::mem::replace(&mut is_directory, word == "cd") {
            directory = Some(word);
        }
        // The content of a file, for several programs.
        let word = word.trim_start_matches('@');
        if !is_dots(word) {
            path(word);
            if let Some(directory) = directory {
                path(&format!("{directory}/{word}"));
            }
        }
    }
}

/// Whether a path has no names, only `.` and `..`.
pub(crate) fn is_dots(path: &str) -> bool {
    path.split('/').all(|name| matches!(name, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    #[test]
    fn words() {
        let words = |command: &str| {
            let mut all = Vec::new();
            super::paths(command, |word| all.push(word.to_owned()));
            all
        };
        assert_eq!(words("bash -c './a.sh --x=b.txt'"), ["bash", "-c", "./a.sh", "--x", "b.txt"]);
        assert_eq!(words("cd src && make"), ["cd", "src", "src/src", "make", "src/make"]);
        assert_eq!(words("curl -d @a/b.txt -F=@c"), ["curl", "-d", "a/b.txt", "-F", "c"]);
        assert!(words(" .. / ./ @ ").is_empty());
    }
}
