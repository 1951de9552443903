//! The names in files that units put beside their modules: those that they generate, and those of their folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::arena::Arena;
use crate::body::{BlockSchema, Schema};
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expression;
use crate::functions::real_text;
use crate::parsed::ParsedFile;
use crate::source::Source;

static DECLARATIONS: Schema<'static> = Schema::new(
    &[],
    &[
        BlockSchema::new("variable", &["name"]),
        BlockSchema::new("output", &["name"]),
        BlockSchema::new("locals", &[]),
        BlockSchema::new("module", &["name"]),
        BlockSchema::new("resource", &["type", "name"]),
        BlockSchema::new("data", &["type", "name"]),
        BlockSchema::new("provider", &["type"]),
    ],
);

/// The addresses in files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) declared: BTreeSet<String>,
    /// Those that a text in the files may refer to.
    used: BTreeSet<String>,
}

impl Names {
    pub(super) fn extend(&mut self, other: &Self) {
        self.declared.extend(other.declared.iter().cloned());
        self.used.extend(other.used.iter().cloned());
    }
}

/// Whether diagnostics with a code say that nothing calls a module, or how those that call it do.
fn is_about_callers(code: Code) -> bool {
    matches!(code.as_str(), "uncalled-module" | "unset-variable" | "unused-output")
}

/// The names in files that units put beside modules, for each module that units run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratedNames {
    /// The folders of all modules that units run.
    run: BTreeSet<String>,
    /// By folder of a module: the addresses; `None` if the content of a file is not known.
    modules: BTreeMap<String, Option<Names>>,
}

impl GeneratedNames {
    /// Adds the addresses in the files that a unit puts beside the module in a folder.
    pub(super) fn add(&mut self, module: &str, names: Option<&Names>) {
        self.run.insert(module.to_owned());
        let is_known = self.modules.contains_key(module);
        match names {
            Some(names) if *names == Names::default() && !is_known => {}
            Some(names) => {
                let known = self.modules.entry(module.to_owned());
                if let Some(known) = known.or_insert_with(|| Some(Names::default())) {
                    known.extend(names);
                }
            }
            None => _ = self.modules.insert(module.to_owned(), None),
        }
    }

    /// Adds those of other units.
    #[cfg(feature = "workspace")]
    pub(crate) fn extend(&mut self, other: &Self) {
        other.modules.iter().for_each(|(module, names)| self.add(module, names.as_ref()));
        self.run.extend(other.run.iter().cloned());
    }

    /// Whether diagnostics with a code are about names, which files of units may declare or use, or about
    /// callers.
    #[must_use]
    pub fn may_explain(code: Code) -> bool {
        is_about_callers(code)
            || matches!(
                code,
                Code::UndeclaredReference
                    | Code::UndeclaredDependency
                    | Code::UndeclaredProvider
                    | Code::UnusedDeclaration
            )
    }

    /// Whether a diagnostic of a module is wrong, since files that a unit puts beside it declare the name that is
    /// missing, or use the one that nothing seems to use; or since a unit runs a module that seems to
    /// have no other caller.
    #[must_use]
    pub fn explains(&self, diagnostic: &Diagnostic<'_>) -> bool {
        if self.run.is_empty() {
            return false;
        }
        let code = diagnostic.code();
        if !Self::may_explain(code) {
            return false;
        }
        let name = Path::new(diagnostic.source().name());
        let Some(folder) = name.parent() else { return false };
        let Ok(folder) = real_text(folder) else { return false };
        if is_about_callers(code) {
            return self.run.contains(&folder);
        }
        match self.modules.get(&folder) {
            None => false,
            Some(None) => true,
            Some(Some(names)) => {
                let [first, second, ..] = diagnostic.arguments();
                match code {
                    Code::UnusedDeclaration => names.uses(first, second),
                    Code::UndeclaredProvider => {
                        names.declared.contains(&format!("provider.{first}"))
                    }
                    _ => names.declared.contains(first),
                }
            }
        }
    }

    /// The folders, as absolute paths without links, of modules for which other names are declared.
    #[cfg(feature = "workspace")]
    pub(crate) fn differing(&self, other: &Self) -> BTreeSet<String> {
        let all = self.modules.keys().chain(other.modules.keys());
        let differs = |it: &&String| self.modules.get(*it) != other.modules.get(*it);
        let mut folders: BTreeSet<String> = all.filter(differs).cloned().collect();
        folders.extend(self.run.symmetric_difference(&other.run).cloned());
        folders
    }
}

impl Names {
    /// Whether the declaration of an unused name is used here, as its diagnostic names it.
    fn uses(&self, kind: &str, name: &str) -> bool {
        match kind {
            "variable" => self.used.contains(&format!("var.{name}")),
            "local value" => self.used.contains(&format!("local.{name}")),
            _ => {
                let end = format!(".{name}");
                self.used.iter().any(|used| used.starts_with("data.") && used.ends_with(&end))
            }
        }
    }
}

/// Returns the addresses that a text may refer to, as far as declarations may be unused.
fn used_in(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut used = BTreeSet::new();
    for run in text.split(|c| !is_part(c)) {
        let names: Vec<&str> = run.splitn(4, '.').collect();
        match names[..] {
            [root @ ("var" | "local"), name, ..] => _ = used.insert(format!("{root}.{name}")),
            ["data", kind, name, ..] => _ = used.insert(format!("data.{kind}.{name}")),
            _ => {}
        }
    }
    used
}

/// Returns the addresses in a file of a module. Cost: linear in its text.
pub(super) fn names_of(path: &str, contents: &str) -> Names {
    Names { declared: declared_in(path, contents), used: used_in(contents) }
}

fn declared_in(path: &str, contents: &str) -> BTreeSet<String> {
    let arena = Arena::new();
    let mut names = BTreeSet::new();
    let Ok(source) = Source::copy_from(&arena, path, contents.as_bytes()) else { return names };
    let Ok(file) = ParsedFile::parse(&arena, source) else { return names };
    let (content, _) = file.body().partial_content(&DECLARATIONS, &mut ());
    for block in content.all_blocks() {
        let labels: Vec<&str> = block.labels().collect();
        match (block.block_type(), &labels[..]) {
            ("variable", [name]) => _ = names.insert(format!("var.{name}")),
            ("locals", _) => {
                let locals = block.body().just_attributes(&mut ());
                names.extend(locals.iter().map(|it| format!("local.{}", it.name())));
            }
            ("resource", [kind, name]) => _ = names.insert(format!("{kind}.{name}")),
            (kind @ ("output" | "module"), [name]) => _ = names.insert(format!("{kind}.{name}")),
            ("provider", [kind]) => {
                let alias = block.as_expression().member("alias").and_then(Expression::to_str);
                names.extend(alias.map(|alias| format!("provider.{kind}.{alias}")));
            }
            ("data", [kind, name]) => _ = names.insert(format!("data.{kind}.{name}")),
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_of_generated_files() {
        let text = "variable \"a\" {}\nlocals {\n  b = 1\n}\ndata \"x\" \"y\" {}\nterraform {}\nprovider \"p\" {\n  alias = \"q\"\n}\nprovider \"r\" {}\n";
        let names: Vec<String> = names_of("a.tf", text).declared.into_iter().collect();
        assert_eq!(names, ["data.x.y", "local.b", "provider.p.q", "var.a"]);
        assert_eq!(names_of("a.tf", "variable \""), Names::default());
    }

    #[test]
    fn uses_in_files_beside_modules() {
        let text = "output \"o\" {\n  value = \"${var.a}-${local.b[0]}\"\n}\ncheck \"c\" {\n  x = data.t.n.id\n}\n";
        let names = names_of("a.tf", text);
        for (kind, name, expected) in [
            ("variable", "a", true),
            ("variable", "b", false),
            ("local value", "b", true),
            ("data source", "n", true),
            ("data source", "t", false),
        ] {
            assert_eq!(names.uses(kind, name), expected, "{kind} {name}");
        }
    }
}
