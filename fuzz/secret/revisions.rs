//! Two versions of a module, whose secrets differ: their differences, and the effect on values.

use simd_hcl::dialect::List;
use simd_hcl::diff::{Objects, changes};
use simd_hcl::directory::DecodeOptions;
use simd_hcl::evaluate::Budget;
use simd_hcl::expand::Inputs;
use simd_hcl::functions::Environment;
use simd_hcl::review::{ReviewOptions, Version, review};
use simd_hcl::tree::{Secrets, Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Dialect, Document, ParsedFile, Source};

use super::{SECRET, check, modules};

/// Compares two texts of a file of a module, in both directions.
pub(super) fn run(name: &str, dialect: Dialect, before: &str, after: &str) {
    let after = after.replace(SECRET, &format!("{SECRET}-new"));
    let text = format!("{before}\n\n{after}");
    let arena = Arena::new();
    let versions = [before, &after].map(|text| {
        let modules = modules(name, dialect, text);
        let secrets = Secrets::of_modules(&modules, &DecodeOptions::default());
        let hidden = secrets.of(&modules[0], None);
        let source = Source::copy_from(&arena, name, text.as_bytes()).expect("it is short");
        let parsed = match name.ends_with(".json") {
            true => ParsedFile::json(Document::parse(&arena, source).expect("it is JSON")),
            false => ParsedFile::native(&arena, source),
        };
        let mut objects = Objects::read(&arena, dialect, [(List::Primary, name, parsed)]);
        objects.hide(&hidden);
        (objects, Tree::load(&arena, modules, &TreeOptions::default()))
    });
    let functions = Environment::new();
    let inputs =
        Inputs::new(&arena).with_budget(Budget::new(100_000, 16 << 20)).with_functions(&functions);
    for [old, new] in [[0, 1], [1, 0]] {
        for change in changes(&versions[old].0, &versions[new].0) {
            let shown = to_string(Layout::Compact, |slot| change.write("m", false, slot));
            check("diff of revisions", &shown, &text);
        }
        let [old, new] =
            [old, new].map(|at| Version { tree: &versions[at].1, root: 0, inputs: &inputs });
        let review = review(Some(old), Some(new), &ReviewOptions::default());
        let shown = to_string(Layout::Compact, |slot| {
            let mut object = slot.object();
            review.write_into(&mut object);
        });
        check("review", &shown, &text);
        for gap in &review.gaps {
            check("a gap of a review", &format!("{} {}", gap.place, gap.why), &text);
        }
    }
}
