//! Bodies of several blocks that are one in a module, such as `locals`: an attribute is in one of them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use simd_hcl::dialect::{Dialect, List, joined_bodies, root_schema};
use simd_hcl::directory::{DecodeOptions, FileOf, ModuleFiles, decode};
use simd_hcl::query::{Pattern, Selected, select};
use simd_hcl::{ParsedFile, Span};

/// The place of an attribute that is added to joined bodies.
pub(crate) enum Home {
    /// The body with these bytes.
    Here(Span),
    /// Another file gets it.
    Elsewhere,
    /// A file has it: its name, if it is not one that is asked for.
    Has(Option<String>),
    /// Only an override file has such a body, where the tools accept no new names.
    Override,
}

/// The homes of an attribute in the modules of a run.
#[derive(Default)]
pub(crate) struct Joined {
    /// By the path of the module, its dialect, and the number of the body in [`joined_bodies`].
    homes: HashMap<(String, Dialect, usize), Found>,
}

enum Found {
    Has(Option<String>),
    In(String, Span),
    Override,
}

/// The facts about a kind of joined bodies in a file.
struct InFile {
    body: usize,
    has_member: bool,
    /// The last body that may get the member.
    last: Option<Span>,
}

/// The joined bodies of a file, by their numbers; none in files that are not configuration.
fn bodies(of: FileOf<'_>) -> &'static [&'static str] {
    let kind = of.file.kind;
    let is_configuration = kind.list.declares();
    match is_configuration && !kind.is_foreign() {
        true => joined_bodies(of.module.dialect),
        false => &[],
    }
}

/// The number of the joined bodies that a selected body is one of.
fn number(of: FileOf<'_>, selected: &Selected<'_>) -> Option<usize> {
    selected.joined_body(of.module.dialect).filter(|body| *body < bodies(of).len())
}

fn key(of: FileOf<'_>, body: usize) -> (String, Dialect, usize) {
    (of.module.path.to_string_lossy().into_owned(), of.module.dialect, body)
}

/// The values that a pattern selects, and the elements of lists among them: a list of blocks is not a
/// container of members, but its elements are.
pub(crate) fn containers<'a>(
    pattern: &Pattern,
    of: FileOf<'_>,
    file: ParsedFile<'a>,
) -> Vec<Selected<'a>> {
    let schema = root_schema(of.module.dialect, of.file.kind.list);
    let elements = pattern.elements();
    let all = select(pattern, file, schema).chain(select(&elements, file, schema));
    all.filter(Selected::is_exact).collect()
}

impl Joined {
    /// Finds the homes of a member of the bodies that `around` selects, if it may select joined ones.
    /// `is_meant` says which may get it.
    ///
    /// Cost: parses the files, if the pattern may select joined bodies.
    pub(crate) fn find(
        (around, name): (&Pattern, &str),
        modules: &[ModuleFiles],
        options: &DecodeOptions,
        is_meant: &(impl for<'a> Fn(ParsedFile<'a>, &Selected<'a>) -> bool + Sync),
    ) -> Self {
        let starts = Dialect::ALL.into_iter().flat_map(joined_bodies);
        let mut starts = starts.map(|path| path.split('.').next().unwrap_or_default());
        if around.first_name().is_some_and(|first| !starts.any(|start| start == first)) {
            return Self::default();
        }
        let surveys = decode(modules, options, |of, _, parsed| {
            let file = parsed.ok()?;
            let found = survey(of, file, (around, name), is_meant);
            let is_override = of.file.kind.list == List::Override;
            let path = of.file.path.to_string_lossy().into_owned();
            let is_asked = of.file.is_asked_for();
            let keys: Vec<_> = found.iter().map(|found| key(of, found.body)).collect();
            Some((path, is_asked, is_override, keys.into_iter().zip(found).collect::<Vec<_>>()))
        });
        let mut joined = Self::default();
        for (file, is_asked, is_override, found) in surveys.into_iter().flatten() {
            for (key, found) in found {
                let new = match found.last {
                    _ if found.has_member => Found::Has((!is_asked).then(|| file.clone())),
                    Some(_) if is_override && found.is_locals() => Found::Override,
                    Some(span) => Found::In(file.clone(), span),
                    None => continue,
                };
                match joined.homes.entry(key) {
                    Entry::Vacant(entry) => _ = entry.insert(new),
                    Entry::Occupied(mut entry) => {
                        if new.rank() > entry.get().rank() {
                            entry.insert(new);
                        }
                    }
                }
            }
        }
        joined
    }

    /// The home of the member, for a selected body; `None` if the body is not a joined one.
    pub(crate) fn home(&self, of: FileOf<'_>, selected: &Selected<'_>) -> Option<Home> {
        let body = number(of, selected)?;
        let file = of.file.path.to_string_lossy();
        Some(match self.homes.get(&key(of, body))? {
            Found::Has(file) => Home::Has(file.clone()),
            Found::In(other, span) if *other == file => Home::Here(*span),
            Found::In(..) => Home::Elsewhere,
            Found::Override => Home::Override,
        })
    }
}

impl Found {
    /// A file with the member counts before one that may get it.
    fn rank(&self) -> u8 {
        match self {
            Self::Override => 0,
            Self::In(..) => 1,
            Self::Has(_) => 2,
        }
    }
}

impl InFile {
    fn is_locals(&self) -> bool {
        // The first ones of all dialects.
        self.body == 0
    }
}

/// Looks for the joined bodies of a file, and for those that a pattern selects.
fn survey<'a>(
    of: FileOf<'_>,
    file: ParsedFile<'a>,
    (around, name): (&Pattern, &str),
    is_meant: &impl Fn(ParsedFile<'a>, &Selected<'a>) -> bool,
) -> Vec<InFile> {
    let mut found: Vec<InFile> = Vec::new();
    for (body, path) in bodies(of).iter().enumerate() {
        let all = Pattern::parse(path).map(|all| containers(&all, of, file)).unwrap_or_default();
        let has_member = all.iter().any(|selected| selected.has_member(name) == Some(true));
        found.push(InFile { body, has_member, last: None });
    }
    if of.file.is_asked_for() {
        for selected in containers(around, of, file) {
            if let Some(body) = number(of, &selected)
                && selected.has_member(name) == Some(false)
                && is_meant(file, &selected)
            {
                found[body].last = Some(selected.container_span());
            }
        }
    }
    found.retain(|found| found.has_member || found.last.is_some());
    found
}
