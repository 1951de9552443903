//! The parts of a value that expressions select.
//!
//! `value.tags.owner` and `value["tags"]["owner"]` select one part, `value.tags[0].x` and
//! `value.tags[*].x` all of `tags`: a step that is not a name selects everything.

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::program::traversal::{Key, Step, StepKind};

/// A tree of names that selects parts of a value.
#[derive(Debug)]
pub(crate) struct Wanted {
    parts: Vec<Names>,
}

#[derive(Debug, Default)]
struct Names {
    is_whole: bool,
    /// Sorted, in normal form C.
    names: Vec<(Box<str>, u32)>,
}

/// The selection within a part of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'w> {
    wanted: &'w Wanted,
    at: u32,
}

impl Wanted {
    /// The parts of the value before the first step that the steps of some traversals select.
    ///
    /// Cost: linear in the names, apart from sorting the traversals.
    pub(crate) fn of<'t, 'a: 't>(traversals: impl IntoIterator<Item = &'t [Step<'a>]>) -> Self {
        let mut paths: Vec<Vec<String>> = traversals.into_iter().map(names).collect();
        // A path comes before longer ones that start with it.
        paths.sort_unstable();
        let mut wanted = Self { parts: vec![Names::default()] };
        // The parts on the path to the end of the last path.
        let mut way: Vec<u32> = vec![0];
        let mut last: &[String] = &[];
        for path in &paths {
            let common = path.iter().zip(last).take_while(|(one, other)| one == other).count();
            let is_covered =
                way.iter().take(common + 1).any(|at| wanted.parts[*at as usize].is_whole);
            if is_covered {
                continue;
            }
            way.truncate(common + 1);
            for name in &path[common..] {
                let next = wanted.parts.len() as u32;
                if let Some(at) = way.last() {
                    wanted.parts[*at as usize].names.push((name.as_str().into(), next));
                }
                wanted.parts.push(Names::default());
                way.push(next);
            }
            if let Some(at) = way.last() {
                wanted.parts[*at as usize].is_whole = true;
            }
            last = path;
        }
        wanted
    }

    /// The value itself.
    pub(crate) fn root(&self) -> Part<'_> {
        Part { wanted: self, at: 0 }
    }
}

impl<'w> Part<'w> {
    fn names(self) -> &'w Names {
        const NOTHING: &Names = &Names { is_whole: false, names: Vec::new() };
        self.wanted.parts.get(self.at as usize).unwrap_or(NOTHING)
    }

    /// Whether the whole part is selected.
    pub(crate) fn is_whole(self) -> bool {
        self.names().is_whole
    }

    /// Whether nothing in the part is selected.
    pub(crate) fn is_nothing(self) -> bool {
        !self.is_whole() && self.len() == 0
    }

    /// The number of its selected members.
    pub(crate) fn len(self) -> usize {
        self.names().names.len()
    }

    /// The selected members, sorted.
    pub(crate) fn members(self) -> impl Iterator<Item = (&'w str, Self)> {
        self.names().names.iter().map(move |(name, at)| (&**name, Self { at: *at, ..self }))
    }

    /// The index of a member among [`members`](Self::members), if it is selected.
    pub(crate) fn place(self, name: &[u8]) -> Option<usize> {
        let names = &self.names().names;
        let find =
            |name: &[u8]| names.binary_search_by(|(known, _)| known.as_bytes().cmp(name)).ok();
        if name.is_ascii() {
            return find(name);
        }
        match std::str::from_utf8(name) {
            Ok(text) if !is_nfc(text) => find(text.nfc().collect::<String>().as_bytes()),
            _ => find(name),
        }
    }

    /// The selection of this member; `None` if it is not selected.
    pub(crate) fn member(self, name: &str) -> Option<Self> {
        if self.is_whole() {
            return Some(self);
        }
        let place = self.place(name.as_bytes())?;
        self.names().names.get(place).map(|(_, at)| Self { at: *at, ..self })
    }
}

/// The leading names of steps, in normal form C.
fn names(steps: &[Step<'_>]) -> Vec<String> {
    let name = |step: &Step<'_>| match step.kind {
        StepKind::Attribute(name) | StepKind::Index(Key::String(name)) => {
            Some(name.nfc().collect())
        }
        StepKind::Root(_) | StepKind::Index(_) | StepKind::Splat => None,
    };
    steps.iter().map_while(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    fn steps(path: &'static str) -> Vec<Step<'static>> {
        let kind = |name: &'static str| match name.strip_prefix('#') {
            Some(number) => StepKind::Index(Key::Number(number)),
            None => StepKind::Attribute(name),
        };
        let names = path.split('.').filter(|name| !name.is_empty());
        names.map(|name| Step { kind: kind(name), span: Span::default() }).collect()
    }

    fn shown(part: Part<'_>) -> String {
        if part.is_whole() {
            return "*".to_owned();
        }
        let members = part.members().map(|(name, part)| format!("{name}:{}", shown(part)));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }

    #[test]
    fn names_make_a_tree() {
        for (paths, expected) in [
            (&[][..], "{}"),
            (&["a"], "{a:*}"),
            (&["a.b", "c", "a.d", "a.b"], "{a:{b:*,d:*},c:*}"),
            (&["a.b.c", "a", "a.d", "ab"], "{a:*,ab:*}"),
            (&["a.b.c", "a.b", "a.b.d", "a.c"], "{a:{b:*,c:*}}"),
            (&["a.#0.b", "b.c"], "{a:*,b:{c:*}}"),
            (&["a.b", "#0"], "*"),
            (&["a.b", ""], "*"),
        ] {
            let paths: Vec<_> = paths.iter().map(|path| steps(path)).collect();
            let wanted = Wanted::of(paths.iter().map(Vec::as_slice));
            assert_eq!(shown(wanted.root()), expected, "{paths:?}");
        }
    }

    #[test]
    fn members_are_found_by_their_normal_form() {
        let paths = [steps("e\u{301}.x"), steps("b")];
        let wanted = Wanted::of(paths.iter().map(Vec::as_slice));
        let root = wanted.root();
        assert_eq!(root.place("\u{e9}".as_bytes()), Some(1));
        assert_eq!(root.place("e\u{301}".as_bytes()), Some(1));
        assert_eq!((root.place(b"b"), root.place(b"c")), (Some(0), None));
        assert!(root.member("b").is_some_and(Part::is_whole));
        assert!(!root.is_nothing() && Wanted::of([]).root().is_nothing());
    }
}
