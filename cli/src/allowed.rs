//! Comments that allow diagnostics: `# simd-hcl:allow(CODE, …)` in native files, and the same text in
//! a member `"//"` of JSON.
//!
//! A comment of a native file applies to the attribute or block that it belongs to: the one on its
//! line, or the one that follows without a blank line. A member applies to the object that has it.

use std::collections::{HashMap, HashSet};

use memchr::memmem::Finder;
use rayon::prelude::*;
use simd_hcl::json::{JsonValue, Node};
use simd_hcl::structure::{File, Item};
use simd_hcl::suggest::nearest;
use simd_hcl::{Arena, Code, Diagnostic, Document, Source, Span};

/// What a comment starts with, before the list of codes.
const START: &str = "simd-hcl:allow(";

/// The name of the members of JSON that are comments.
const COMMENT: &str = "//";

/// What the comments of some files allow.
#[derive(Debug, Default)]
pub(crate) struct Allowed {
    /// By the number of the source. Sorted; places of the same code do not overlap.
    places: HashMap<u32, Vec<(Code, Span)>>,
    /// Errors in comments.
    problems: Vec<String>,
}

impl Allowed {
    /// Reads the comments of the files that have diagnostics.
    pub(crate) fn of<'t, 'a: 't>(diagnostics: impl Iterator<Item = &'t Diagnostic<'a>>) -> Self {
        let mut sources: Vec<Source<'a>> = Vec::new();
        let mut seen = HashSet::new();
        sources.extend(diagnostics.map(Diagnostic::source).filter(|it| seen.insert(it.id())));
        let start = Finder::new(START);
        let has_comment = |source: &Source<'_>| start.find(source.bytes()).is_some();
        let sources: Vec<_> = sources.into_par_iter().filter(has_comment).collect();
        let mut allowed = Self::default();
        for source in sources {
            let places = allowed.places_of(source);
            allowed.places.insert(source.id(), joined(places));
        }
        allowed
    }

    /// Whether a comment allows the diagnostic.
    pub(crate) fn has(&self, diagnostic: &Diagnostic<'_>) -> bool {
        let (code, at) = (diagnostic.code(), diagnostic.span().start);
        self.places.get(&diagnostic.source().id()).is_some_and(|places| {
            let after = places.partition_point(|(of, span)| (*of, span.start) <= (code, at));
            let last = after.checked_sub(1).map(|last| places[last]);
            last.is_some_and(|(of, span)| of == code && at <= span.end)
        })
    }

    /// The errors in comments, as lines for people.
    pub(crate) fn problems(&self) -> &[String] {
        &self.problems
    }

    fn places_of(&mut self, source: Source<'_>) -> Vec<(Code, Span)> {
        // The same file may have been read without its comments, or with another skeleton.
        let arena = Arena::new();
        let mut places = Vec::new();
        match Document::parse_bytes(&arena, source.name(), source.bytes()) {
            Ok(document) => {
                let mut open = vec![document.root()];
                while let Some(node) = open.pop() {
                    self.add_members(node, &mut open, &mut places);
                }
            }
            Err(_) => {
                let Ok(copy) = Source::from_bytes(&arena, source.name(), source.bytes()) else {
                    return places;
                };
                for comment in File::parse(&arena, copy, &mut Vec::new()).comments() {
                    let span = comment.item().map(Item::span);
                    self.add(comment.text(), source, comment.span(), span, &mut places);
                }
            }
        }
        places
    }

    /// Adds what the comments of one object allow, and what is in it to `open`.
    fn add_members<'a>(
        &mut self,
        node: Node<'a>,
        open: &mut Vec<Node<'a>>,
        places: &mut Vec<(Code, Span)>,
    ) {
        match node.value() {
            JsonValue::Array(array) => open.extend(array.elements()),
            JsonValue::Object(object) => {
                for member in object.members() {
                    if member.name().to_str() != COMMENT {
                        open.push(member.value());
                        continue;
                    }
                    let value = member.value();
                    let texts = match value.value() {
                        JsonValue::Array(array) => array.elements().collect(),
                        _ => vec![value],
                    };
                    for text in texts {
                        if let Some(string) = text.to_str() {
                            let span = Some(node.span());
                            self.add(string, node.source(), text.span(), span, places);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the codes that the text of a comment names.
    fn add(
        &mut self,
        text: &str,
        source: Source<'_>,
        comment: Span,
        applies_to: Option<Span>,
        places: &mut Vec<(Code, Span)>,
    ) {
        let Some((_, list)) = text.split_once(START) else { return };
        let line = source.position(comment.start).line;
        let mut refuse = |problem: String| {
            self.problems.push(format!("{}:{line}: {problem}", source.name()));
        };
        let Some((list, _)) = list.split_once(')') else {
            return refuse(format!("the list of codes after `{START}` has no closing parenthesis"));
        };
        let Some(span) = applies_to else {
            return refuse(format!(
                "no attribute or block belongs to the comment `{START}{list})`"
            ));
        };
        for name in list.split(',').map(str::trim) {
            match Code::from_name(name) {
                Some(code) => places.push((code, span)),
                None => refuse(match nearest(name, Code::ALL.iter().map(|code| code.as_str())) {
                    Some(near) => {
                        format!("no diagnostic has the code `{name}`; did you mean `{near}`?")
                    }
                    None => format!("no diagnostic has the code `{name}`"),
                }),
            }
        }
    }
}

/// Sorts places, and joins those of the same code that overlap, so that one search finds the only
/// place that can contain an offset.
fn joined(mut places: Vec<(Code, Span)>) -> Vec<(Code, Span)> {
    places.sort_unstable();
    places.dedup_by(|(code, span), (earlier, last)| {
        let overlaps = code == earlier && span.start <= last.end;
        if overlaps {
            last.end = last.end.max(span.end);
        }
        overlaps
    });
    places
}
