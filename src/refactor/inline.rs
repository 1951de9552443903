//! Inlines a local value: its expression takes the place of each reference, and its declaration goes.
//!
//! ```
//! use simd_hcl::refactor::inline::Request;
//!
//! let request = Request::new(0, "size");
//! assert_eq!(request.name, "size");
//! ```

use super::change::{Change, Refusal};
use super::files::{Added, Files, TreeEdits, check_whole};
use super::runs::named_elsewhere;
use super::text::{Parts, bound, goes_on, in_json, indentation_at, is_alone, native_text};
use crate::directory::DecodeOptions;
use crate::edit::reindented;
use crate::evaluate::{KnownFunction, known_function};
use crate::facts::{PlaceUse, Target};
use crate::hash::{HashMap, HashSet};
use crate::module::Object;
use crate::span::Span;
use crate::tree::{Origin, Tree};

/// The local value that is inlined.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'r> {
    /// The index of the module in [`Tree::modules`].
    pub module: usize,
    /// Its name.
    pub name: &'r str,
}

impl<'r> Request<'r> {
    /// The local value of a module.
    #[must_use]
    pub fn new(module: usize, name: &'r str) -> Self {
        Self { module, name }
    }
}

/// The edits that inline a local value.
///
/// Cost: the places of the module, and the files that change, which are parsed again.
///
/// # Errors
/// The expression would mean something else at a reference, or the local value is declared more than
/// once: see [`Refusal`].
pub fn plan<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    request: &Request<'_>,
) -> Result<Change<'a>, Refusal> {
    let refused = |why: String| Err(Refusal::Unsupported(why));
    let owner = tree.modules().get(request.module);
    let owner = owner.ok_or_else(|| Refusal::Unsupported("no such module".to_owned()))?;
    if owner.origin == Origin::Installed {
        return refused("the module is installed: change it where it comes from".to_owned());
    }
    let locals = &owner.module.locals;
    let Some(local) = locals.get(request.name).copied() else {
        return refused(format!("there is no local.{}", request.name));
    };
    let number = owner.module.object_number(Object::Local(local.name));
    let target = Target::Object(number.unwrap_or(u32::MAX));
    let (places, shadowed) = owner.written(options);
    check_whole(owner, &places)?;
    let files = Files::of(owner, &shadowed);
    if let Some(file) = named_elsewhere(tree, request.module, Object::Local(local.name)) {
        return refused(format!("the tests in {file} use it"));
    }

    let Some(text) = native_text(local.value(), owner.files.dialect) else {
        return refused("its value is a heredoc, or cannot be an expression".to_owned());
    };
    let declaration = local.attribute.name_label();
    let from = indentation_at(declaration.source, declaration.span.start);
    let Some(parts) = Parts::of(&text) else {
        return refused("its value is not an expression".to_owned());
    };
    if let Some(function) = parts.functions.iter().find(|name| is_impure(name)) {
        return refused(format!("a call of {function} may have another result each time"));
    }
    let mut edits = TreeEdits::new(tree, true);
    edits.reads(request.module);
    let mut added = Added::default();
    let mut declarations = 0;
    let tests: HashSet<&str> = owner.tests.iter().map(|test| test.source.name()).collect();
    let mut facts: HashMap<&str, Facts> = HashMap::default();
    for place in places.of_target(target) {
        let file = places.file(place);
        let Some(parsed) = files.named(file) else {
            return Err(Refusal::Unread(file.to_owned()));
        };
        let bytes = parsed.source().bytes();
        match place.usage() {
            PlaceUse::Declaration => {
                declarations += 1;
                edits.of(parsed).remove_named(place.span());
                continue;
            }
            PlaceUse::Value | PlaceUse::Argument => {}
            _ => return refused(format!("{file} uses it where no expression may stand")),
        }
        if !place.has_effect() {
            return refused(format!("{file} uses it where the value has no effect"));
        }
        if tests.contains(file) {
            return refused(format!("the tests in {file} use it"));
        }
        let facts = facts.entry(file).or_insert_with(|| Facts {
            binds: bound(str::from_utf8(bytes).unwrap_or_default(), &parts.roots).is_some(),
            values: parsed
                .as_native()
                .into_iter()
                .flat_map(|native| native.body().all_attributes())
                .map(|attribute| (attribute.value_span().start, attribute.value_span().end))
                .collect(),
        });
        if facts.binds {
            return refused(format!("{file} gives a name in the value another meaning"));
        }
        let traversal = places.traversal(place, parsed.source());
        let steps = traversal.map(|traversal| traversal.steps()).unwrap_or_default();
        let [root, name, ..] = steps else {
            return refused(format!("{file} uses it in a way that cannot be replaced"));
        };
        let span = Span::new(root.span.start, name.span.end);
        let is_whole = facts.values.contains(&(span.start, span.end));
        let stands_alone = is_whole || is_alone(bytes, span);
        let has_steps = goes_on(bytes, span.end);
        let to = indentation_at(parsed.source(), span.start);
        let text = reindented(&text, from, to);
        let new = match !stands_alone && parts.needs_parentheses(has_steps) {
            true => format!("({text})"),
            false => text,
        };
        let new = if place.is_in_json() { in_json(&new) } else { new };
        added.add(&new)?;
        edits.replace(parsed, span, &new);
    }
    if declarations != 1 {
        return refused("it is declared more than once".to_owned());
    }
    Ok(Change { files: edits.finish()?, ..Change::default() })
}

/// Whether a function has results that its arguments do not decide.
fn is_impure(name: &str) -> bool {
    let name = name.strip_prefix("core::").unwrap_or(name);
    known_function(name).is_some_and(KnownFunction::is_impure)
}

/// The facts about a file with references.
struct Facts {
    /// Whether it gives another meaning to a name in the value.
    binds: bool,
    /// The bytes of the values of its attributes.
    values: HashSet<(u32, u32)>,
}
