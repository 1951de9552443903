//! The declarations of generated files.

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

/// The names that generated files declare, for each module that units run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratedNames {
    /// By folder of a module: the addresses; `None` if the content of a file is not known.
    modules: BTreeMap<String, Option<BTreeSet<String>>>,
}

impl GeneratedNames {
    /// Adds the addresses in the files that a unit generates beside its module.
    pub(super) fn add(&mut self, module: &str, names: Option<&BTreeSet<String>>) {
        let is_known = self.modules.contains_key(module);
        match names {
            Some(names) if names.is_empty() && !is_known => {}
            Some(names) => {
                let known = self.modules.entry(module.to_owned());
                if let Some(known) = known.or_insert_with(|| Some(BTreeSet::new())) {
                    known.extend(names.iter().cloned());
                }
            }
            None => _ = self.modules.insert(module.to_owned(), None),
        }
    }

    /// Adds those of other units.
    #[cfg(feature = "workspace")]
    pub(crate) fn extend(&mut self, other: &Self) {
        other.modules.iter().for_each(|(module, names)| self.add(module, names.as_ref()));
    }

    /// Whether a diagnostic of a module is wrong, since files that a unit generates declare the name that is
    /// missing.
    #[must_use]
    pub fn explains(&self, diagnostic: &Diagnostic<'_>) -> bool {
        if self.modules.is_empty() {
            return false;
        }
        let wanted = match diagnostic.code() {
            Code::UndeclaredReference | Code::UndeclaredDependency => "",
            Code::UndeclaredProvider => "provider.",
            _ => return false,
        };
        let name = Path::new(diagnostic.source().name());
        let Some(folder) = name.parent() else { return false };
        let Ok(folder) = real_text(folder) else { return false };
        match self.modules.get(&folder) {
            None => false,
            Some(None) => true,
            Some(Some(names)) => names.contains(&format!("{wanted}{}", diagnostic.arguments()[0])),
        }
    }

    /// The folders, as absolute paths without links, of modules for which other names are declared.
    #[cfg(feature = "workspace")]
    pub(crate) fn differing(&self, other: &Self) -> BTreeSet<String> {
        let all = self.modules.keys().chain(other.modules.keys());
        let differs = |it: &&String| self.modules.get(*it) != other.modules.get(*it);
        all.filter(differs).cloned().collect()
    }
}

/// Returns the addresses that a file of a module declares. Cost: linear in its text.
pub(super) fn names_of(path: &str, contents: &str) -> BTreeSet<String> {
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
        let names: Vec<String> = names_of("a.tf", text).into_iter().collect();
        assert_eq!(names, ["data.x.y", "local.b", "provider.p.q", "var.a"]);
        assert!(names_of("a.tf", "variable \"").is_empty());
    }
}
