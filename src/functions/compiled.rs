//! A cache of compiled regular expressions.
//!
//! An expression with a pattern is evaluated for each element of a list, each resource or each
//! change, and compiling takes a hundred times as long as matching a name. So every thread keeps a
//! few small programs. Large ones are not kept.

use std::cell::RefCell;
use std::rc::Rc;

use regex::{Error, Regex, RegexBuilder};

use crate::hash::HashMap;

/// The number of programs that a thread keeps before it drops all of them.
const MOST: usize = 32;

/// The limits of the patterns that are kept, of their programs, and of the tables that these build
/// while they match, in bytes.
const LONGEST: usize = 1 << 10;
const LARGEST: usize = 64 << 10;
const LARGEST_TABLE: usize = 256 << 10;

thread_local! {
    static PROGRAMS: RefCell<HashMap<Box<str>, Rc<Regex>>> = RefCell::default();
}

/// Returns the program of a pattern in the syntax of the `regex` crate.
pub(super) fn compiled(pattern: &str) -> Result<Rc<Regex>, Error> {
    if pattern.len() > LONGEST {
        return Regex::new(pattern).map(Rc::new);
    }
    if let Some(known) = PROGRAMS.with_borrow(|programs| programs.get(pattern).cloned()) {
        return Ok(known);
    }
    let small =
        RegexBuilder::new(pattern).size_limit(LARGEST).dfa_size_limit(LARGEST_TABLE).build();
    let program = match small {
        Err(Error::CompiledTooBig(_)) => return Regex::new(pattern).map(Rc::new),
        small => Rc::new(small?),
    };
    PROGRAMS.with_borrow_mut(|programs| {
        if programs.len() >= MOST {
            programs.clear();
        }
        programs.insert(pattern.into(), Rc::clone(&program));
    });
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_kept_if_they_are_small() {
        let is_kept = |pattern: &str| {
            let [one, other] = [compiled(pattern).unwrap(), compiled(pattern).unwrap()];
            assert!(one.is_match("aaaaaaaa") && other.is_match("aaaaaaaa"), "{pattern}");
            Rc::ptr_eq(&one, &other)
        };
        assert!(is_kept("^a+$") && is_kept("a(b|a)?"));
        assert!(!is_kept(&"a?".repeat(LONGEST)));
        assert!(!is_kept("(?:\\w{60}|a)+"));
        assert!(compiled("(").is_err() && compiled("(").is_err());
        for number in 0..2 * MOST {
            compiled(&format!("a{{{number}}}")).unwrap();
            assert!(PROGRAMS.with_borrow(HashMap::len) <= MOST);
        }
    }
}
