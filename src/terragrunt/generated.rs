//! The declarations of generated files.

use std::collections::BTreeSet;

use crate::arena::Arena;
use crate::body::{BlockSchema, Schema};
use crate::expression::Expression;
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
