//! The budget of an expansion holds for everything: blocks, instances, conversions, and what is
//! printed. Work that exceeds it is reported at its place, and the rest goes on.

use serde_json::Value;
use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::evaluate::Budget;
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::fuzzing::steps;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, to_string};
use simd_hcl::{Arena, Dialect};

use crate::allocations::count;
use crate::expand::{all_resources, expanded_with, place, written};

const BUDGET: Budget = Budget::new(1_000_000, 16 << 20);

/// The most bytes that an expansion may allocate, all together.
const MOST: usize = 256 << 20;

/// Expands `main.tf` of these files within [`BUDGET`]. `known.tf` has a resource that is known
/// whatever exceeds the budget. Returns the resources, and the codes of the diagnostics.
fn expanded(files: &[(&str, &str)]) -> (Value, Vec<&'static str>) {
    let mut files = files.to_vec();
    files.push(("known.tf", "resource \"terraform_data\" \"a_known\" {\n  input = 1 + 1\n}\n"));
    let root = written(&files);
    let before = steps().unwrap_or_default();
    let ((found, codes), allocated) = count(|| {
        expanded_with(root.path(), Dialect::OpenTofu, &Selection::default(), |inputs| {
            inputs.with_budget(BUDGET)
        })
    });
    let taken = steps().unwrap_or_default() - before;
    assert!(taken < 10 * BUDGET.steps(), "{taken} steps");
    assert!(allocated.total < MOST, "{allocated:?}");
    let known = &all_resources(&found)["terraform_data.a_known"];
    assert_eq!(known["values"]["input"], 2, "{codes:?}");
    (found, codes)
}

#[test]
fn blocks_of_dynamic() {
    let nested = |levels: usize, for_each: &str| {
        let open = format!("dynamic \"x\" {{\nfor_each = {for_each}\ncontent {{\n").repeat(levels);
        let close = "}\n}\n".repeat(levels);
        format!(
            "resource \"a\" \"b\" {{\n{open}y = 1\n{close}}}\nresource \"a\" \"c\" {{\nz = 3\n}}\n"
        )
    };
    for (levels, for_each) in [(30, "[1, 2]"), (5, "range(200)"), (90, "[1, 2]")] {
        let (found, codes) = expanded(&[("main.tf", &nested(levels, for_each))]);
        assert_eq!(codes, ["evaluation-too-long"], "{levels} levels of {for_each}");
        let all = all_resources(&found);
        assert!(all["a.b"].get("values").is_none());
        assert_eq!(all["a.b"]["unknown_values"]["x"], true);
        assert_eq!(all["a.c"]["values"]["z"], 3);
    }
    // With a schema, every attribute of the block has a value.
    let typed = "resource \"terraform_data\" \"b\" {\ncount = 200\ninput = count.index\n}\n";
    let (found, codes) = expanded(&[("main.tf", typed)]);
    assert_eq!(codes, [""; 0]);
    assert_eq!(all_resources(&found).len(), 201);
}

#[test]
fn instances_of_modules() {
    let doubling: Vec<(String, String)> = (0..30)
        .map(|level| {
            let call = |name| format!("module \"{name}\" {{\nsource = \"../m{}\"\n}}\n", level + 1);
            (format!("m{level}/main.tf"), call("x") + &call("y"))
        })
        .collect();
    let mut files: Vec<(&str, &str)> =
        doubling.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    files.push(("m30/main.tf", "resource \"a\" \"b\" {}\n"));
    files.push(("main.tf", "module \"m\" {\nsource = \"./m0\"\n}\n"));
    let (_, codes) = expanded(&files);
    assert!(
        !codes.is_empty() && codes.iter().all(|code| *code == "evaluation-too-long"),
        "{codes:?}"
    );

    let call =
        |next: usize| format!("module \"m\" {{\nsource = \"../m{next}\"\ncount = 1000\n}}\n");
    let files: Vec<(String, String)> =
        (1..4).map(|level| (format!("m{level}/main.tf"), call(level + 1))).collect();
    let mut files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    files.push(("m4/main.tf", "resource \"a\" \"b\" {}\n"));
    files.push(("main.tf", "module \"m\" {\nsource = \"./m1\"\ncount = 1000\n}\n"));
    let (_, codes) = expanded(&files);
    assert!(
        !codes.is_empty() && codes.iter().all(|code| *code == "evaluation-too-long"),
        "{codes:?}"
    );
}

#[test]
fn counts() {
    for repeated in [
        "count = 1900000000",
        "count = 100000",
        "for_each = { for i in range(1000) : \"k${i}\" => i }",
    ] {
        let text = format!("resource \"a\" \"b\" {{\n{repeated}\n}}\n");
        let (found, codes) = expanded(&[("main.tf", &text)]);
        assert_eq!(codes, ["evaluation-too-long"], "{repeated}");
        let all = all_resources(&found);
        assert_eq!(all.keys().collect::<Vec<_>>(), ["a.b[*]", "terraform_data.a_known"]);
    }
    // Addresses are printed with each instance.
    let long = "n".repeat(10_000);
    let text = format!("resource \"a\" \"{long}\" {{\ncount = 100\n}}\n");
    assert_eq!(expanded(&[("main.tf", &text)]).1, ["evaluation-too-long"]);
}

/// A list of ten names and a list that doubles itself eighteen times: 2.6 million names.
fn doubled(levels: usize) -> String {
    let next = |level: usize| format!("l{level} = [local.l{0}, local.l{0}]\n", level - 1);
    let all: String = (1..=levels).map(next).collect();
    format!("locals {{\nl0 = [\"a\", \"b\"]\n{all}}}\n")
}

#[test]
fn what_is_printed() {
    let outputs: String =
        (0..200).map(|at| format!("output \"o{at}\" {{\nvalue = local.l9\n}}\n")).collect();
    let (found, codes) = expanded(&[("main.tf", &(doubled(9) + &outputs))]);
    assert!(codes.iter().all(|code| *code == "evaluation-too-long"));
    let outputs = found["planned_values"]["outputs"].as_object().unwrap();
    let known = outputs.values().filter(|output| output.get("value").is_some()).count();
    assert!((1..10).contains(&known) && codes.len() == 200 - known, "{known} {}", codes.len());
    let text = found.to_string();
    assert!(text.len() < BUDGET.steps() as usize, "{} bytes", text.len());

    // Arguments of resources, in either syntax, with and without a schema.
    let arguments: String = (0..200)
        .map(|at| format!("resource \"a\" \"r{at}\" {{\nx = local.l9\n}}\nresource \"terraform_data\" \"r{at}\" {{\ninput = local.l9\n}}\n"))
        .collect();
    let (found, _) = expanded(&[("main.tf", &(doubled(9) + &arguments))]);
    assert!(found.to_string().len() < BUDGET.steps() as usize);
    let text = "x".repeat(5_000);
    let repeated = format!(r#"{{"resource": {{"a": {{"b": {{"count": 1000, "x": "{text}"}}}}}}}}"#);
    let (found, codes) = expanded(&[("main.tf.json", &repeated)]);
    assert_eq!(codes, ["evaluation-too-long"]);
    assert!(found.to_string().len() < BUDGET.steps() as usize);
}

#[test]
fn conversions() {
    // The elements of a default are not copied for each object that gets it.
    let default: Vec<String> = (0..500).map(|at| at.to_string()).collect();
    let module = format!(
        "variable \"v\" {{\n  type = list(object({{ a = optional(list(string), [{}]) }}))\n}}\n\
         output \"n\" {{\n  value = length(var.v)\n}}\n",
        default.join(", "),
    );
    let call = format!(
        "module \"m\" {{\n  source = \"./m\"\n  v = [{}]\n}}\noutput \"n\" {{\n  value = module.m.n\n}}\n",
        vec!["{}"; 3_000].join(", ")
    );
    let root = written(&[("main.tf", &call), ("m/main.tf", &module)]);
    let ((found, codes), allocated) = count(|| {
        expanded_with(root.path(), Dialect::OpenTofu, &Selection::default(), |inputs| inputs)
    });
    assert_eq!(codes, [""; 0]);
    assert_eq!(found["planned_values"]["outputs"]["n"]["value"], 3_000);
    assert!(allocated.total < 3_000 * 500 * 16, "{allocated:?}");
    // An argument is converted to the type of the variable, once for each call.
    let calls: String = (0..50)
        .map(|at| format!("module \"m{at}\" {{\nsource = \"./m\"\nv = local.l16\n}}\n"))
        .collect();
    let module =
        "variable \"v\" {\ntype = list(any)\n}\noutput \"o\" {\nvalue = length(var.v)\n}\n";
    let outputs: String =
        (0..50).map(|at| format!("output \"o{at}\" {{\nvalue = module.m{at}.o\n}}\n")).collect();
    let (_, codes) =
        expanded(&[("main.tf", &(doubled(16) + &calls + &outputs)), ("m/main.tf", module)]);
    assert!(
        !codes.is_empty() && codes.iter().all(|code| code.starts_with("evaluation-too-l")),
        "{codes:?}"
    );
}

#[test]
fn where_a_value_comes_from() {
    let next =
        |level: usize| format!("l{level} = jsonencode([local.l{0}, local.l{0}])\n", level - 1);
    let all: String = (1..=15).map(next).collect();
    let text = format!("locals {{\nl0 = \"a\"\n{all}}}\n");
    let root = written(&[("main.tf", &text)]);
    let arena = Arena::new();
    let modules = discover(&[root.path()], &DiscoverOptions::default()).modules;
    let tree = Tree::load(&arena, modules, &TreeOptions::default());
    let inputs = Inputs::new(&arena).with_budget(BUDGET);
    let expansion = tree.expand(place(&tree, root.path()), &inputs);
    let origins = expansion.why("local.l15").unwrap();
    let written =
        |value| to_string(Layout::Compact, |slot| drop(simd_hcl::value::write(value, slot)));
    let known = origins.iter().filter(|origin| origin.value.is_known());
    let bytes: usize = known.map(|origin| written(origin.value).len()).sum();
    assert!(bytes < BUDGET.steps() as usize, "{bytes}");
    assert!(origins.last().unwrap().value.is_known());
    let codes = expansion.diagnostics();
    assert!(codes.iter().any(|it| it.code().as_str().starts_with("evaluation-too-l")));
}

/// Twice the configuration may have twice the values. Several root modules share the constant part.
#[test]
fn the_budget_grows_with_the_configuration() {
    let text = |comment: usize| {
        let comment = "x".repeat(comment);
        format!("# {comment}\nresource \"a\" \"b\" {{\ncount = 100000\n}}\n")
    };
    for (comment, roots, expected) in [(0, 1, 100_000), (0, 1_000, 1), (10_000, 1_000, 100_000)] {
        let root = written(&[("main.tf", &text(comment))]);
        let arena = Arena::new();
        let modules = discover(&[root.path()], &DiscoverOptions::default()).modules;
        let tree = Tree::load(&arena, modules, &TreeOptions::default());
        let inputs = Inputs::new(&arena).with_roots(roots);
        let expansion = tree.expand(place(&tree, root.path()), &inputs);
        let mut instances = 0;
        expansion.visit(&Selection::default(), |_| instances += 1);
        assert_eq!(instances, expected);
        // Printed values cost more.
        instances = 0;
        expansion.visit_printed(&Selection::default(), |_| instances += 1);
        assert_eq!(instances, 1);
    }
}
