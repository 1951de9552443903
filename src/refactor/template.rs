//! Renames an object of a template of Packer, and everything in the template that names it.
//!
//! ```
//! use simd_hcl::packer::Object;
//! use simd_hcl::refactor::template::Request;
//!
//! let request = Request::new(0, Object::Variable("region"), "zone");
//! assert!(request.values.is_empty());
//! ```

use super::change::{Change, NotChanged, Refusal, Why};
use super::files::TreeEdits;
use super::search::Search;
use crate::diagnostic::Label;
use crate::expression::{Expression, is_identifier};
use crate::facts::name_of;
use crate::hash::HashMap;
use crate::packer::{BuildSource, Object, ObjectName, PostProcessor, Subject};
use crate::parsed::ParsedFile;
use crate::source::Source;
use crate::span::Span;
use crate::tree::{Tree, TreeTemplate};

/// A rename: an object of a template, and its new name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'r, 'a> {
    /// The index of the template in [`Tree::templates`].
    pub template: usize,
    /// The object: a variable, a local value, a data source, or a source.
    pub object: Object<'a>,
    /// The new name, without the rest of the address.
    pub name: &'r str,
    /// Further files of values of the template's variables.
    pub values: &'r [ParsedFile<'a>],
    /// Whether lines that were aligned are aligned again.
    pub aligns: bool,
}

impl<'r, 'a> Request<'r, 'a> {
    /// A rename without alignment.
    #[must_use]
    pub fn new(template: usize, object: Object<'a>, name: &'r str) -> Self {
        Self { template, object, name, values: &[], aligns: false }
    }

    /// Sets further files of values.
    #[must_use]
    pub fn with_values(self, values: &'r [ParsedFile<'a>]) -> Self {
        Self { values, ..self }
    }

    /// Sets whether lines are aligned again.
    #[must_use]
    pub fn with_alignment(self, aligns: bool) -> Self {
        Self { aligns, ..self }
    }
}

/// The edits that rename an object of a template.
///
/// Cost: linear in the files of the template; the files that change are parsed again.
///
/// # Errors
/// The object cannot be renamed, the name is taken, or a file cannot be read: see [`Refusal`].
pub fn plan<'a>(tree: &Tree<'a>, request: &Request<'_, 'a>) -> Result<Change<'a>, Refusal> {
    let of = tree.templates().get(request.template);
    let of = of.ok_or_else(|| Refusal::Unsupported("no such template".to_owned()))?;
    let object = request.object;
    let (old, new) = match object {
        Object::Variable(name) => (name, Object::Variable(request.name)),
        Object::Local(name) => (name, Object::Local(request.name)),
        Object::Data(name) => (name.name, Object::Data(ObjectName { name: request.name, ..name })),
        Object::Source(name) => {
            (name.name, Object::Source(ObjectName { name: request.name, ..name }))
        }
        _ => {
            let why = format!("{object} has no name that can be changed");
            return Err(Refusal::Unsupported(why));
        }
    };
    if let Some(source) = of.undecoded.first() {
        return Err(Refusal::Unread(source.name().to_owned()));
    }
    if old == request.name {
        return Ok(Change::default());
    }
    check_free(of, new, request.name)?;
    let parsed = of.sources.iter().map(|source| ParsedFile::parse(source.arena(), *source));
    let files: Vec<ParsedFile<'a>> = parsed.filter_map(Result::ok).collect();
    let mut rename = Rename {
        old,
        new: request.name,
        files: files.iter().map(|file| (file.source().id(), *file)).collect(),
        edits: TreeEdits::new(tree, request.aligns),
        search: Search::default(),
        change: Change::default(),
    };
    rename.search.add(files);
    let label = of.template.declaration(object);
    let label = label.ok_or_else(|| Refusal::Unsupported(format!("{object} is not declared")))?;
    rename.name(label);
    if let Object::Variable(name) = object {
        for value in of.template.assignments.iter().filter(|value| value.name() == name) {
            rename.name(value.name_label());
        }
        rename.in_values(request.values);
    }
    rename.references(of, object);
    if let Object::Source(name) = object {
        rename.in_builds(of, name);
    }
    let Rename { edits, search, mut change, .. } = rename;
    change.not_changed.extend(search.find(old));
    change.files = edits.finish_any()?;
    Ok(change.sorted())
}

/// Refuses a new name that is not one, that the template has, or that something refers to.
fn check_free(of: &TreeTemplate<'_>, new: Object<'_>, name: &str) -> Result<(), Refusal> {
    if !is_identifier(name) {
        return Err(Refusal::Name(format!("`{name}` is not a name")));
    }
    let new = new.to_string();
    let path = of.files.path.to_string_lossy();
    if of.template.objects().any(|object| object.to_string() == new) {
        return Err(Refusal::Name(format!("{path} has {new} already")));
    }
    let mut used = None;
    of.template.visit_references(|_, reference| {
        if reference.subject.is_ok_and(|subject| subject.to_string() == new) {
            used = Some(reference.label.source.name());
        }
    });
    match used {
        Some(file) => Err(Refusal::Name(format!("{file} refers to {new}, which is not declared"))),
        None => Ok(()),
    }
}

struct Rename<'r, 'a> {
    old: &'a str,
    new: &'r str,
    /// The files, by the numbers of their sources.
    files: HashMap<u32, ParsedFile<'a>>,
    edits: TreeEdits<'a>,
    search: Search<'a>,
    change: Change<'a>,
}

impl<'a> Rename<'_, 'a> {
    /// Renames the name at a label, which may have quotes.
    fn name(&mut self, label: Label<'a>) {
        self.replace(label, Some(unquoted(label.span, label.source)));
    }

    /// Replaces the old name in a part of a file, or says why not.
    fn replace(&mut self, whole: Label<'a>, name: Option<Span>) {
        let source = whole.source;
        let written = name.filter(|name| name.slice(source.bytes()) == self.old.as_bytes());
        match (written, self.files.get(&source.id())) {
            (Some(name), Some(file)) => {
                self.edits.replace(*file, name, self.new);
                self.search.cover(source, name);
            }
            _ => {
                self.search.cover(source, whole.span);
                self.change.not_changed.push(NotChanged { label: whole, why: Why::Escaped });
            }
        }
    }

    /// Renames a variable in further files of values.
    fn in_values(&mut self, values: &[ParsedFile<'a>]) {
        for file in values {
            self.files.insert(file.source().id(), *file);
            let properties = file.body().properties().filter(|value| value.name() == self.old);
            let labels: Vec<_> = properties.map(|value| value.name_label()).collect();
            labels.into_iter().for_each(|label| self.name(label));
        }
        self.search.add(values.iter().copied());
    }

    /// Renames the object in expressions.
    fn references(&mut self, of: &TreeTemplate<'a>, object: Object<'a>) {
        let mut found: Vec<(Label<'a>, Option<Span>)> = Vec::new();
        of.template.visit_references(|_, reference| {
            let Ok(subject) = reference.subject else { return };
            let step = match (subject, object) {
                (Subject::Variable(name), Object::Variable(own)) if name == own => Some(1),
                (Subject::Local(name), Object::Local(own)) if name == own => Some(1),
                (Subject::Data(name), Object::Data(own)) if name == own => Some(2),
                (Subject::Variables, Object::Variable(_)) | (Subject::Locals, Object::Local(_)) => {
                    None
                }
                _ => return,
            };
            let name = reference
                .traversal()
                .zip(step)
                .and_then(|(traversal, step)| name_of(traversal, traversal.steps().get(step)?));
            found.push((reference.label, name));
        });
        found.into_iter().for_each(|(label, name)| self.replace(label, name));
    }

    /// Renames a source in the builds that use it.
    fn in_builds(&mut self, of: &TreeTemplate<'a>, own: ObjectName<'a>) {
        let is_own = |text: &str| ObjectName::of_reference(text) == Some(own);
        let full = own.to_string();
        for build in &of.template.builds {
            for (element, text) in build.written_sources.into_iter().flat_map(texts) {
                if is_own(text) {
                    self.in_text(element.label(), text);
                }
            }
            let in_blocks = build.sources.iter().filter(|used| used.block.is_some());
            for used in in_blocks.filter(|used| used.name == Some(own)) {
                self.in_text(used.label, used.text);
            }
            // A source with a name of its own in the build is not selected by that of the source.
            let has_own_name =
                |used: &BuildSource<'_>| used.name == Some(own) && used.local_name.is_some();
            if build.sources.iter().any(has_own_name) {
                continue;
            }
            let provisioners = build.provisioners.iter().chain(&build.error_cleanup);
            let selections = provisioners.map(|step| step.selection);
            let steps = build.post_processors.iter().flat_map(|sequence| sequence.steps);
            let selections = selections.chain(steps.map(|step: &PostProcessor<'_>| step.selection));
            let lists = selections.flat_map(|selection| [selection.only, selection.except]);
            for (element, text) in lists.flatten().flat_map(texts) {
                if text == full {
                    self.in_text(element.label(), text);
                }
            }
        }
    }

    /// Renames a source in a text: `type.name`, perhaps behind another name.
    fn in_text(&mut self, label: Label<'a>, text: &str) {
        let inner = unquoted(label.span, label.source);
        let mut parts = text.split('.');
        let before: usize = match text.split('.').count() {
            2 => parts.next().map_or(0, |first| first.len() + 1),
            _ => parts.by_ref().take(2).map(|part| part.len() + 1).sum(),
        };
        let is_written = inner.slice(label.source.bytes()) == text.as_bytes();
        let start = inner.start + before as u32;
        let name = is_written.then(|| Span::new(start, start + self.old.len() as u32));
        self.replace(label, name);
    }
}

/// The elements of a list that are texts.
fn texts<'a>(list: Expression<'a>) -> Vec<(Expression<'a>, &'a str)> {
    let elements = list.as_list().into_iter().flatten();
    elements.filter_map(|element| Some((element, element.to_str()?))).collect()
}

/// Bytes without the quotes around them.
fn unquoted(span: Span, source: Source<'_>) -> Span {
    match span.slice(source.bytes()) {
        [b'"', .., b'"'] => Span::new(span.start + 1, span.end - 1),
        _ => span,
    }
}
