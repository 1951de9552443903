//! Comments that allow diagnostics: `# simd-hcl:allow(CODE, …)`, and those of tflint,
//! `# tflint-ignore: RULE, …`, in native files; the same text in a member `"//"` of JSON.
//!
//! A comment of ours in a native file applies to the attribute or block that it belongs to: the one on
//! its line, or the one that follows without a blank line. A comment of tflint applies to what starts on
//! its line or on the next one, and `tflint-ignore-file` in the first line to the whole file. A member
//! applies to the object that has it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::memmem::Finder;
use rayon::prelude::*;
use simd_hcl::diagnostic::Label;
use simd_hcl::format::{TokenKind, tokens};
use simd_hcl::json::{JsonValue, Node};
use simd_hcl::rules;
use simd_hcl::structure::{File, Item};
use simd_hcl::suggest::nearest;
use simd_hcl::{Arena, Code, Diagnostic, Document, Source, Span};

use crate::args::{all_codes, named, rules_named};

/// The start of a comment, before the list of codes.
const START: &str = "simd-hcl:allow(";

/// The start of a comment of tflint.
const TFLINT: &str = "tflint-ignore";

/// The name of the members of JSON that are comments.
const COMMENT: &str = "//";

/// The codes that the comments of some files allow.
#[derive(Debug, Default)]
pub(crate) struct Allowed<'a> {
    /// By the number of the source. Sorted; places of the same code do not overlap.
    places: HashMap<u32, Vec<Place>>,
    /// In the order of the files, then of the text.
    names: Vec<Name<'a>>,
    /// Errors in comments.
    problems: Vec<String>,
}

/// [`Allowed`] without the lifetime of its files.
pub(crate) trait Comments: std::fmt::Debug + Sync {
    /// Whether a comment allows the diagnostic.
    fn have(&self, diagnostic: &Diagnostic<'_>) -> bool;
}

impl Comments for Allowed<'_> {
    fn have(&self, diagnostic: &Diagnostic<'_>) -> bool {
        self.has(diagnostic)
    }
}

/// A code that is allowed somewhere.
#[derive(Debug)]
struct Place {
    code: Code,
    span: Span,
    /// The indexes of the names that allow it, among all names.
    names: Vec<u32>,
}

/// A name in a comment.
#[derive(Debug)]
struct Name<'a> {
    text: &'a str,
    label: Label<'a>,
    codes: Vec<Code>,
    /// Whether it has allowed something.
    is_used: AtomicBool,
}

impl<'a> Allowed<'a> {
    /// Reads the comments of some files. `own` are the codes of rules in files.
    pub(crate) fn of(sources: impl Iterator<Item = Source<'a>>, own: &[Code]) -> Self {
        let mut seen = HashSet::new();
        let sources: Vec<Source<'a>> = sources.filter(|it| seen.insert(it.id())).collect();
        let starts = [Finder::new(START), Finder::new(TFLINT)];
        let has_comment =
            |source: &Source<'_>| starts.iter().any(|it| it.find(source.bytes()).is_some());
        let sources: Vec<_> = sources.into_par_iter().filter(has_comment).collect();
        let mut allowed = Self::default();
        for source in sources {
            let places = Reader { allowed: &mut allowed, source, own, places: Vec::new() }.read();
            allowed.places.insert(source.id(), joined(places));
        }
        allowed
    }

    fn has(&self, diagnostic: &Diagnostic<'_>) -> bool {
        let (code, at) = (diagnostic.code(), diagnostic.span().start);
        let Some(places) = self.places.get(&diagnostic.source().id()) else { return false };
        let after = places.partition_point(|it| (it.code, it.span.start) <= (code, at));
        let last = after.checked_sub(1).map(|last| &places[last]);
        let Some(place) = last.filter(|it| it.code == code && at <= it.span.end) else {
            return false;
        };
        for &name in &place.names {
            self.names[name as usize].is_used.store(true, Ordering::Relaxed);
        }
        true
    }

    /// The diagnostics about names that have allowed nothing, of rules that are selected for the file.
    /// Call it when all diagnostics have been looked up.
    pub(crate) fn useless(
        &self,
        is_selected: impl Fn(Code, Source<'a>) -> bool,
    ) -> Vec<Diagnostic<'a>> {
        let Some(useless) = rules::rule("unused-ignore") else { return Vec::new() };
        let is_rule =
            |code: &Code| rules::rule(code.as_str()).is_some() || named(code.as_str()).is_none();
        let is_looked_for = |name: &&Name<'a>| {
            let mut of_name = name.codes.iter().copied().filter(is_rule);
            of_name.any(|code| is_selected(code, name.label.source))
        };
        let unused = self.names.iter().filter(|name| !name.is_used.load(Ordering::Relaxed));
        let diagnostic = |name: &Name<'a>| {
            Diagnostic::new(useless.code, name.label).with_arguments(&[name.text])
        };
        unused.filter(is_looked_for).map(diagnostic).collect()
    }

    /// The errors in comments, as lines for people.
    pub(crate) fn problems(&self) -> &[String] {
        &self.problems
    }
}

/// Reads the comments of one file.
struct Reader<'r, 'a> {
    allowed: &'r mut Allowed<'a>,
    source: Source<'a>,
    own: &'r [Code],
    places: Vec<Place>,
}

impl<'a> Reader<'_, 'a> {
    fn read(mut self) -> Vec<Place> {
        let source = self.source;
        // The same file may have been read without its comments, or with another skeleton.
        let arena = Arena::new();
        match Document::parse_bytes(&arena, source.name(), source.bytes()) {
            Ok(document) => {
                let mut open = vec![document.root()];
                while let Some(node) = open.pop() {
                    self.add_members(node, &mut open);
                }
            }
            Err(_) => {
                if let Ok(copy) = Source::from_bytes(&arena, source.name(), source.bytes()) {
                    for comment in File::parse(&arena, copy, &mut Vec::new()).comments() {
                        let span = comment.item().map(Item::span);
                        self.add(comment.text(), comment.span(), span);
                    }
                }
                self.add_comments_of_tflint();
            }
        }
        self.places
    }

    /// Adds the codes that the comments of one object allow, and its members to `open`.
    fn add_members<'n>(&mut self, node: Node<'n>, open: &mut Vec<Node<'n>>) {
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
                            self.add(string, text.span(), Some(node.span()));
                            if let Some((names, false)) = names_of_tflint(string) {
                                self.add_names_of_tflint(names, text.span(), node.span());
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the codes that the text of a comment of ours names.
    fn add(&mut self, text: &str, comment: Span, applies_to: Option<Span>) {
        let Some((_, list)) = text.split_once(START) else { return };
        let Some((list, _)) = list.split_once(')') else {
            let problem = format!("the list of codes after `{START}` has no closing parenthesis");
            return self.refuse(comment, &problem);
        };
        let Some(span) = applies_to else {
            let problem = format!("no attribute or block belongs to the comment `{START}{list})`");
            return self.refuse(comment, &problem);
        };
        for name in list.split(',').map(str::trim) {
            let own = || self.own.iter().copied().find(|code| code.as_str() == name);
            let codes: Vec<Code> = match named(name).or_else(own) {
                Some(code) => vec![code],
                None => rules_named(name).map(|rule| rule.code).collect(),
            };
            if !codes.is_empty() {
                self.allow(name, codes, comment, span);
                continue;
            }
            let all = all_codes().chain(self.own.iter().copied());
            let near = nearest(name, all.map(Code::as_str));
            let suggestion = near.map(|near| format!("; did you mean `{near}`?"));
            let suggestion = suggestion.unwrap_or_default();
            self.refuse(comment, &format!("no diagnostic has the code `{name}`{suggestion}"));
        }
    }

    /// Adds the rules that the comments of tflint in a native file allow.
    fn add_comments_of_tflint(&mut self) {
        let source = self.source;
        let Ok(text) = str::from_utf8(source.bytes()) else { return };
        if !text.contains(TFLINT) {
            return;
        }
        for token in tokens(text).iter().filter(|token| token.kind() == TokenKind::Comment) {
            let Some((names, is_of_file)) = names_of_tflint(token.text()) else { continue };
            let len = token.text().trim_end().len();
            let comment = Span::new(token.start() as u32, (token.start() + len) as u32);
            let line = source.line_span(comment.start);
            let applies_to = match is_of_file {
                false => Span::new(line.start, source.line_span(line.end + 1).end),
                true if comment.start == 0 => Span::new(0, text.len() as u32),
                true => {
                    let problem = "`tflint-ignore-file` is not at the start of the file";
                    self.refuse(comment, problem);
                    continue;
                }
            };
            self.add_names_of_tflint(names, comment, applies_to);
        }
    }

    fn add_names_of_tflint(&mut self, names: &str, comment: Span, applies_to: Span) {
        for name in names.split(',').map(str::trim) {
            let codes: Vec<Code> = match name {
                "all" => all_codes().collect(),
                name => rules::rules_of_tflint(name).map(|rule| rule.code).collect(),
            };
            // A rule of another plugin of tflint.
            if !codes.is_empty() {
                self.allow(name, codes, comment, applies_to);
            }
        }
    }

    /// Allows the codes that a name in a comment stands for.
    fn allow(&mut self, name: &str, codes: Vec<Code>, comment: Span, span: Span) {
        let label = Label::new(self.source, comment);
        let names = vec![self.allowed.names.len() as u32];
        let place = |&code: &Code| Place { code, span, names: names.clone() };
        self.places.extend(codes.iter().map(place));
        let text = self.source.arena().str(name);
        self.allowed.names.push(Name { text, label, codes, is_used: AtomicBool::new(false) });
    }

    fn refuse(&mut self, comment: Span, problem: &str) {
        let line = self.source.position(comment.start).line;
        self.allowed.problems.push(format!("{}:{line}: {problem}", self.source.name()));
    }
}

/// The names in a comment of tflint, and whether they apply to the whole file.
fn names_of_tflint(comment: &str) -> Option<(&str, bool)> {
    let (_, rest) = comment.split_once(TFLINT)?;
    let (rest, is_of_file) = match rest.strip_prefix("-file") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let names = rest.strip_prefix(": ")?;
    // A reason may follow, or the end of the comment.
    let end = names.find(['\n', '*', '/', '#']).unwrap_or(names.len());
    Some((&names[..end], is_of_file))
}

/// Sorts places, and joins those of the same code that overlap, so that one search finds the only
/// place that can contain an offset.
fn joined(places: Vec<Place>) -> Vec<Place> {
    let mut by_code: BTreeMap<(Code, Span), Vec<u32>> = BTreeMap::new();
    for Place { code, span, names } in places {
        by_code.entry((code, span)).or_default().extend(names);
    }
    let mut joined: Vec<Place> = Vec::with_capacity(by_code.len());
    for ((code, span), names) in by_code {
        match joined.last_mut() {
            Some(last) if last.code == code && span.start <= last.span.end => {
                last.span.end = last.span.end.max(span.end);
                last.names.extend(names);
            }
            _ => joined.push(Place { code, span, names }),
        }
    }
    joined
}
