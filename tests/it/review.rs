//! Reviews: two versions of a root module, compared.

use std::sync::Arc;

use simd_hcl::Arena;
use simd_hcl::directory::{MemoryFiles, in_memory};
use simd_hcl::expand::Inputs;
use simd_hcl::review::{Review, ReviewAction, ReviewOptions, Version, review};
use simd_hcl::tree::{Tree, TreeOptions};

/// Reviews two versions of one file.
fn reviewed(before: &str, after: &str) -> Review {
    let arena = Arena::new();
    let [before, after] = [before, after].map(|text| {
        let mut files = MemoryFiles::new("memory:");
        files.insert("main.tf", Arc::from(text.as_bytes())).unwrap();
        Tree::load(&arena, in_memory(files, None), &TreeOptions::default())
    });
    let inputs = Inputs::new(&arena);
    let version = |tree| Version { tree, root: 0, inputs: &inputs };
    review(Some(version(&before)), Some(version(&after)), &ReviewOptions::default())
}

#[test]
fn many_instances_are_compared_in_one_pass() {
    let text = |size: usize, value: usize| {
        format!(
            "resource \"terraform_data\" \"a\" {{\n  for_each = toset([for p in setproduct(range({size}), \
             range(10)) : \"${{p[0]}}-${{p[1]}}\"])\n  input = {{ x = {value}, l = [each.key, [{value}]] }}\n}}\n"
        )
    };
    let same = reviewed(&text(300, 1), &text(300, 1));
    assert!(same.is_empty() && same.gaps.is_empty());
    let changed = reviewed(&text(300, 1), &text(300, 2)).summary();
    assert_eq!(changed.count(ReviewAction::Update), 3000);
    assert_eq!(changed.total(), 3000);
    let fewer = reviewed(&text(300, 1), &text(100, 1)).summary();
    assert_eq!(fewer.count(ReviewAction::Delete), 2000);
    // More instances than are compared with one another for renames.
    let renamed = text(300, 1).replace("\"a\"", "\"b\"");
    let renamed = reviewed(&text(300, 1), &renamed);
    assert_eq!((renamed.renames.len(), renamed.changes.len()), (0, 6000));
}

#[test]
fn triggers_that_name_one_another_end() {
    let resource = |name: &str, other: &str, input: u8| {
        format!(
            "resource \"terraform_data\" \"{name}\" {{\n  input = {input}\n  lifecycle {{\n    \
             replace_triggered_by = [terraform_data.{other}]\n  }}\n}}\n"
        )
    };
    let before = resource("a", "b", 1) + &resource("b", "a", 1);
    let after = resource("a", "b", 2) + &resource("b", "a", 1);
    let found = reviewed(&before, &after);
    assert_eq!(found.summary().count(ReviewAction::Replace), 2);
}
