//! Reviews: two versions of a root module, compared.

use std::sync::Arc;

use simd_hcl::Arena;
use simd_hcl::directory::{MemoryFiles, in_memory};
use simd_hcl::expand::Inputs;
use simd_hcl::review::{Review, ReviewAction, ReviewOptions, Version, review};
use simd_hcl::tree::{Tree, TreeOptions};

/// Reviews two versions of one file.
fn reviewed(before: &str, after: &str) -> Review {
    reviewed_files([&[("main.tf", before)], &[("main.tf", after)]])
}

/// Reviews two versions of some files, of which the first is that of the root module.
fn reviewed_files(versions: [&[(&str, &str)]; 2]) -> Review {
    let arena = Arena::new();
    let [before, after] = versions.map(|texts| {
        let mut files = MemoryFiles::new("memory:");
        for (name, text) in texts {
            files.insert(name, Arc::from(text.as_bytes())).unwrap();
        }
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

/// The actions of a review, by address.
fn actions(before: &str, after: &str) -> Vec<String> {
    let found = reviewed(before, after);
    found.changes.iter().map(|it| format!("{} {}", it.action.as_str(), it.address)).collect()
}

#[test]
fn an_output_of_terraform_data_changes_with_its_input() {
    let text = |input: u8, path: &str| {
        format!(
            "resource \"terraform_data\" \"a\" {{\n  input = {input}\n}}\n\
             resource \"terraform_data\" \"b\" {{\n  lifecycle {{\n    \
             replace_triggered_by = [terraform_data.a.{path}]\n  }}\n}}\n"
        )
    };
    let pulled = ["replace terraform_data.b", "update terraform_data.a"];
    assert_eq!(actions(&text(1, "output"), &text(2, "output")), pulled);
    assert_eq!(actions(&text(1, "id"), &text(2, "id")), ["update terraform_data.a"]);
    let secret = text(1, "output").replace("= 1", "= sensitive(1)");
    assert_eq!(actions(&text(1, "output"), &secret), ["update terraform_data.a"]);
}

#[test]
fn another_sensitivity_replaces_nothing() {
    let text = |value: &str| {
        format!(
            "resource \"terraform_data\" \"a\" {{\n  triggers_replace = {{ k = {value} }}\n}}\n"
        )
    };
    let [open, secret, other] = ["1", "sensitive(1)", "sensitive(2)"].map(text);
    assert_eq!(actions(&open, &secret), ["update terraform_data.a"]);
    assert_eq!(actions(&secret, &open), ["update terraform_data.a"]);
    assert_eq!(actions(&open, &other), ["replace terraform_data.a"]);
    assert_eq!(actions(&secret, &other), ["replace terraform_data.a"]);
}

#[test]
fn a_called_module_forgets_and_moves_what_it_has() {
    let call = "module \"m\" {\n  source = \"./m\"\n}\n";
    let data = "resource \"terraform_data\" \"a\" {\n  for_each = toset([\"k\"])\n}\n";
    let old = [("main.tf", call), ("m/main.tf", data)];
    let removed =
        "removed {\n  from = terraform_data.a\n  lifecycle {\n    destroy = false\n  }\n}\n";
    let found = reviewed_files([&old, &[("main.tf", call), ("m/main.tf", removed)]]);
    assert!(found.changes[0].action == ReviewAction::Delete && found.changes[0].is_forgotten);
    // It moves before it is removed.
    let other = "moved {\n  from = terraform_data.a\n  to   = terraform_data.b\n}\n";
    let removed = other.to_owned() + &removed.replace("terraform_data.a", "terraform_data.b");
    let found = reviewed_files([&old, &[("main.tf", call), ("m/main.tf", &removed)]]);
    assert!(found.changes[0].action == ReviewAction::Delete && found.changes[0].is_forgotten);
    // The module gives the object another key, and its caller takes it.
    let moved = "moved {\n  from = terraform_data.a[\"k\"]\n  to   = terraform_data.a[\"l\"]\n}\n";
    let taken = format!(
        "{call}resource \"terraform_data\" \"b\" {{\n  for_each = toset([\"l\"])\n}}\n\
         moved {{\n  from = module.m.terraform_data.a\n  to   = terraform_data.b\n}}\n"
    );
    let found = reviewed_files([&old, &[("main.tf", &taken), ("m/main.tf", moved)]]);
    let [change] = &found.changes[..] else { panic!("{found:?}") };
    assert_eq!((change.action, &*change.address), (ReviewAction::Move, "terraform_data.b[\"l\"]"));
    assert_eq!(change.previous_address.as_deref(), Some("module.m.terraform_data.a[\"k\"]"));
}
