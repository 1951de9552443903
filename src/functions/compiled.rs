//! A cache of compiled regular expressions.
//!
//! An expression with a pattern is evaluated for each element of a list, each resource or each
//! change, and compiling takes a hundred times as long as matching a name. So every thread keeps a
//! few small programs. Large ones are not kept.
//!
//! A short pattern may have a large program (`\\pL{300}`), which takes as long to compile as it is large. So
//! its cost is known only afterwards, and limits that grow bound what is compiled before it is spent.

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

/// The limits of programs that are tried in turn, and the steps of trying each, beside those that any
/// pattern takes. Programs that are kept are not compiled each time.
const LIMITS: [(usize, u64); 6] = [
    (4 << 10, 0),
    (LARGEST, 8_000),
    (256 << 10, 128_000),
    (1 << 20, 512_000),
    (4 << 20, 2_000_000),
    (10 << 20, 5_000_000),
];

/// The size of a program up to which a search is as fast as of any other, in bytes.
const FAST: usize = 16 << 10;

/// A program, and how much it takes.
pub(crate) struct Program {
    pub(crate) regex: Regex,
    /// Its place in the limits.
    class: usize,
}

impl Program {
    /// The cost of a search beside that of a small program, which is 1.
    pub(super) fn weight(&self) -> u64 {
        LIMITS.get(self.class).map_or(1, |(limit, _)| (limit / FAST).max(1) as u64)
    }
}

thread_local! {
    static PROGRAMS: RefCell<HashMap<Box<str>, Rc<Program>>> = RefCell::default();
}

/// Returns the program of a pattern in the syntax of the `regex` crate. `spend` is given the steps of each
/// part of the work before it, whether the program is kept or not.
///
/// # Errors
/// That of `spend`, and that of the pattern.
pub(super) fn compiled<E>(
    pattern: &str,
    mut spend: impl FnMut(u64) -> Result<(), E>,
) -> Result<Result<Rc<Program>, Error>, E> {
    let is_short = pattern.len() <= LONGEST;
    let known = PROGRAMS.with_borrow(|programs| programs.get(pattern).cloned());
    if let Some(known) = known {
        LIMITS.iter().take(known.class + 1).try_for_each(|(_, steps)| spend(*steps))?;
        return Ok(Ok(known));
    }
    for (class, (limit, steps)) in LIMITS.into_iter().enumerate() {
        spend(steps)?;
        let is_kept = is_short && limit <= LARGEST;
        let mut builder = RegexBuilder::new(pattern);
        builder.size_limit(limit);
        if is_kept {
            builder.dfa_size_limit(LARGEST_TABLE);
        }
        match builder.build() {
            Err(Error::CompiledTooBig(_)) if class + 1 < LIMITS.len() => {}
            Err(error) => return Ok(Err(error)),
            Ok(regex) => {
                let program = Rc::new(Program { regex, class });
                if is_kept {
                    PROGRAMS.with_borrow_mut(|programs| {
                        if programs.len() >= MOST {
                            programs.clear();
                        }
                        programs.insert(pattern.into(), Rc::clone(&program));
                    });
                }
                return Ok(Ok(program));
            }
        }
    }
    Ok(Err(Error::CompiledTooBig(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(pattern: &str) -> Result<Rc<Program>, Error> {
        compiled(pattern, |_| Ok::<(), std::convert::Infallible>(())).unwrap()
    }

    /// The cost does not depend on what the thread keeps.
    #[test]
    fn large_programs_cost_what_they_take() {
        let spent = |pattern: &str, limit: u64| {
            let mut all = 0;
            let result = compiled(pattern, |steps| {
                all += steps;
                if all > limit { Err(()) } else { Ok(()) }
            });
            (all, result.map(|it| it.is_ok()))
        };
        for (pattern, least, is_valid) in [
            ("^a+$", 0, true),
            (r"(?:\w{60}|a)+", 100_000, true),
            (r"\pL{20}", 500_000, true),
            (r"\pL{300}", 7_000_000, false),
        ] {
            let (first, again) = (spent(pattern, u64::MAX), spent(pattern, u64::MAX));
            assert_eq!(first, again, "{pattern}");
            assert!(first.0 >= least && first.1 == Ok(is_valid), "{pattern}: {first:?}");
        }
        assert_eq!(spent(r"\pL{301}", 1_000_000).1, Err(()));
    }

    #[test]
    fn programs_are_kept_if_they_are_small() {
        let is_kept = |pattern: &str| {
            let [one, other] = [free(pattern).unwrap(), free(pattern).unwrap()];
            assert!(
                one.regex.is_match("aaaaaaaa") && other.regex.is_match("aaaaaaaa"),
                "{pattern}"
            );
            Rc::ptr_eq(&one, &other)
        };
        assert!(is_kept("^a+$") && is_kept("a(b|a)?"));
        assert!(!is_kept(&"a?".repeat(LONGEST)));
        assert!(!is_kept("(?:\\w{60}|a)+"));
        assert!(free("(").is_err() && free("(").is_err());
        for number in 0..2 * MOST {
            free(&format!("a{{{number}}}")).unwrap();
            assert!(PROGRAMS.with_borrow(HashMap::len) <= MOST);
        }
    }
}
