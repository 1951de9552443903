//! Renames a variable of a template file: in the template, and in the objects that calls of `templatefile`
//! give it.
//!
//! ```
//! use simd_hcl::refactor::parameter::Request;
//! use simd_hcl::{Arena, Source};
//!
//! let arena = Arena::new();
//! let template = Source::from_bytes(&arena, "user.tftpl", b"Hello ${name}!\n")?;
//! let request = Request::new(template, "name", "title");
//! assert_eq!(request.new, "title");
//! # Ok::<(), simd_hcl::source::SourceError>(())
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::change::{Change, ChangedFile, NotChanged, Refusal, Why};
use super::files::{Files, TreeEdits};
use super::search::words;
use super::text::Keys;
use crate::diagnostic::Label;
use crate::directory::{DecodeOptions, Location};
use crate::edit::TemplateNames;
use crate::expression::{Expression, is_identifier};
use crate::native::{Construct, Native};
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::tree::{Origin, Tree};

/// A rename of a variable of a template file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'r, 'a> {
    /// The template, which is read from a path.
    pub template: Source<'a>,
    /// The name of the variable.
    pub old: &'r str,
    /// Its new name.
    pub new: &'r str,
    /// Whether lines that were aligned are aligned again.
    pub aligns: bool,
}

impl<'r, 'a> Request<'r, 'a> {
    /// A rename without alignment.
    #[must_use]
    pub fn new(template: Source<'a>, old: &'r str, new: &'r str) -> Self {
        Self { template, old, new, aligns: false }
    }

    /// Sets whether lines are aligned again.
    #[must_use]
    pub fn with_alignment(self, aligns: bool) -> Self {
        Self { aligns, ..self }
    }
}

const FUNCTION: &str = "templatefile";

/// The edits that rename a variable of a template.
///
/// Calls name the template by `${path.module}/FILE`, or in a module that nothing calls by a path in its
/// directory. `not_changed` has calls whose path or object is computed, if they may give the variable.
///
/// Cost: the expressions of modules with a call of `templatefile`, and a query of the file system for each
/// call.
///
/// # Errors
/// Neither the template nor a call has the name, the new name is taken, or a module with a call cannot be
/// read as a whole: see [`Refusal`].
pub fn plan<'a>(
    tree: &Tree<'a>,
    options: &DecodeOptions,
    request: &Request<'_, 'a>,
) -> Result<Change<'a>, Refusal> {
    let &Request { template, old, new, aligns } = request;
    let name = template.name();
    if !is_identifier(new) {
        return Err(Refusal::Name(format!("`{new}` is not a name")));
    }
    let of_template = |why| Refusal::File(name.to_owned(), why);
    let names = TemplateNames::of(template).map_err(of_template)?;
    let path = template.path().and_then(|path| fs::canonicalize(path).ok());
    let path = path.ok_or_else(|| Refusal::Unread(name.to_owned()))?;
    if old == new {
        return Ok(Change::default());
    }
    if names.of_name(new).next().is_some() {
        return Err(Refusal::Name(format!("{name} uses `{new}` already")));
    }
    let mut change = Change::default();
    let mut edits = TreeEdits::new(tree, aligns);
    let mut is_given = false;
    let callers = tree.callers();
    for (place, module) in tree.modules().iter().enumerate() {
        let has_call =
            |source: &Source<'a>| memmem::find(source.bytes(), FUNCTION.as_bytes()).is_some();
        if module.origin == Origin::Installed || !module.sources.iter().any(has_call) {
            continue;
        }
        let Location::Disk(directory) = module.files.directory() else { continue };
        let (_, shadowed) = module.written(options);
        let is_root = callers.get(place).is_none_or(|all| all.is_empty());
        let mut calls = Vec::new();
        for file in Files::of(module, &shadowed).all() {
            each_call(file, |arguments| calls.push((file, arguments)));
        }
        for (file, [at, given]) in calls {
            let mut keys = Keys::default();
            keys.add_objects(given);
            let Some(called) = path_of(at, &directory, is_root) else {
                // It may be this template.
                if keys.names.iter().any(|(key, _)| key == old) {
                    let label = Label::new(file.source(), at.span());
                    change.not_changed.push(NotChanged { label, why: Why::Computed });
                }
                continue;
            };
            if fs::canonicalize(called).ok().is_none_or(|found| found != path) {
                continue;
            }
            if keys.others.iter().any(|key| key == old) {
                let label = Label::new(file.source(), given.span());
                change.not_changed.push(NotChanged { label, why: Why::Escaped });
                continue;
            }
            if keys.names.iter().any(|(key, _)| key == new) {
                let file = file.source().name();
                return Err(Refusal::Name(format!("{file} gives the template `{new}` already")));
            }
            let own: Vec<_> = keys.names.iter().filter(|(key, _)| key == old).collect();
            is_given |= !own.is_empty();
            if own.is_empty() && !given.inner().is(crate::native::Kind::Object) {
                let label = Label::new(file.source(), given.span());
                change.not_changed.push(NotChanged { label, why: Why::Computed });
            }
            own.into_iter().for_each(|(_, span)| edits.replace(file, *span, new));
        }
    }
    let used: Vec<_> = names.of_name(old).collect();
    if used.is_empty() && !is_given {
        return Err(Refusal::Name(format!("{name} has no variable `{old}`")));
    }
    if !is_given {
        let why = format!("no call of `{FUNCTION}` is known that gives {name} `{old}`");
        return Err(Refusal::Unsupported(why));
    }
    let left = words(template.bytes(), old).filter(|span| !used.contains(span));
    change.not_changed.extend(
        left.map(|span| NotChanged { label: Label::new(template, span), why: Why::NoReference }),
    );
    change.files = edits.finish_any()?;
    if !used.is_empty() {
        let edited = names.rename(old, new).map_err(of_template)?;
        change.files.push(ChangedFile {
            source: template,
            aliases: Vec::new(),
            edited,
            is_new: false,
        });
    }
    Ok(change.sorted())
}

/// Visits the two arguments of each call of `templatefile` in a file.
fn each_call<'a>(file: ParsedFile<'a>, mut visit: impl FnMut([Native<'a>; 2])) {
    let mut open: Vec<Native<'a>> = Vec::new();
    let has_call = |text: &[u8]| memmem::find(text, FUNCTION.as_bytes()).is_some();
    if let Some(native) = file.as_native() {
        let expressions = native.body().all_attributes().filter_map(|it| it.expression().ok());
        open.extend(expressions);
    }
    let mut nodes: Vec<_> = file.as_json().map(|document| document.root()).into_iter().collect();
    while let Some(node) = nodes.pop() {
        match (node.as_object(), node.as_array()) {
            (Some(object), _) => nodes.extend(object.members().map(|member| member.value())),
            (None, Some(array)) => nodes.extend(array.elements()),
            (None, None) if has_call(node.text()) => {
                let template = Expression::from_json(node).template().and_then(Result::ok);
                open.extend(template.and_then(Native::of));
            }
            (None, None) => {}
        }
    }
    open.retain(|it| has_call(it.span().slice(it.source().bytes())));
    while let Some(part) = open.pop() {
        open.extend(part.operands());
        if let Construct::Call(call) = part.construct()
            && call.name.strip_prefix("core::").unwrap_or(call.name) == FUNCTION
            && let [path, given] = &*call.arguments
        {
            visit([*path, *given]);
        }
    }
}

/// The path that an argument names: below the directory of the module, or of a root module, in which the
/// tools run.
fn path_of(argument: Native<'_>, directory: &Path, is_root: bool) -> Option<PathBuf> {
    let argument = argument.inner();
    if let Some(text) = argument.as_text() {
        return is_root.then(|| directory.join(text));
    }
    let Construct::Template(parts) = argument.construct() else { return None };
    match &*parts {
        [text] => text.as_text().filter(|_| is_root).map(|text| directory.join(text)),
        [base, text] => {
            let base = base.inner().as_bare_traversal()?.to_string();
            let is_known = base == "path.module" || is_root && base == "path.root";
            let text = text.as_text()?.strip_prefix('/').filter(|_| is_known)?;
            Some(directory.join(text))
        }
        _ => None,
    }
}
