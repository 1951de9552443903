//! Twice the input costs about twice as much, whatever the input is made of: in steps and in bytes
//! allocated, since clocks prove nothing. What is bounded is bounded.

use std::fs;

use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::fuzzing::steps;
use simd_hcl::json::Value;
use simd_hcl::show::BodySchemas;
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::{Arena, Document, Node, ParseOptions, Source};
use simd_hcl_corpus::{ConfigOptions, HOSTILE, config_bytes, hostile};

use crate::allocations::{Allocated, count};

/// What some work costs on the calling thread.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// Zero in builds that do not count steps.
    steps: u64,
    allocated: Allocated,
}

fn cost(work: impl FnOnce()) -> Cost {
    let before = steps().unwrap_or_default();
    let ((), allocated) = count(work);
    Cost { steps: steps().unwrap_or_default() - before, allocated }
}

impl Cost {
    /// Whether `self` is at most so many times `other`, beside what an empty input costs.
    fn is_within(&self, other: &Self, factor: f64) -> bool {
        let within = |one: f64, other: f64, least: f64| one <= factor * other.max(least);
        within(self.steps as f64, other.steps as f64, 2_000.0)
            && within(self.allocated.total as f64, other.allocated.total as f64, 1e6)
            && within(self.allocated.peak as f64, other.allocated.peak as f64, 1e6)
    }
}

/// Everything that `check` does with a module of one file, but for writing its findings.
fn check(text: &str) -> Cost {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("main.tf.json"), text).unwrap();
    let discovery = discover(&[root.path()], &DiscoverOptions::default());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        cost(|| {
            let arena = Arena::new();
            let mut tree = Tree::load(&arena, discovery.modules, &TreeOptions::default());
            tree.check_bodies(&BodySchemas::built_in(&arena));
            for found in tree.diagnostics() {
                assert!(found.source().range(found.span()).0.line > 0);
                assert!(!found.detail().is_empty());
            }
            let graph = tree.graph();
            assert!(graph.dependents(&[0]).len() <= graph.nodes().len());
        })
    })
}

#[test]
fn hostile_configuration_costs_what_its_length_costs() {
    if steps().is_none() {
        println!(
            "skipped: hostile_configuration_costs_what_its_length_costs (steps are not counted)"
        );
        return;
    }
    let mut complaints = Vec::new();
    for (kind, name) in HOSTILE.iter().enumerate() {
        let [small, large] = [1_000, 2_000].map(|size| check(&hostile(kind, size)));
        assert!(small.steps > 0 && small.allocated.total > 0, "{name}: {small:?}");
        if !large.is_within(&small, 2.5) {
            complaints.push(format!("{name}: {small:?}, then {large:?}"));
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn positions_take_a_small_share_of_the_memory_that_the_source_takes() {
    let len = if cfg!(debug_assertions) { 10_000_000 } else { 100_000_000 };
    for (line, fill) in [("\n", ""), ("\r\n", ""), ("ab\n", ""), ("x", "\n"), ("é", "")] {
        let text = line.repeat(len / line.len()) + fill + "x";
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "input", text.as_bytes()).unwrap();
        let mut end = None;
        let cost = cost(|| end = Some(source.position(u32::MAX)));
        assert_eq!(end.unwrap().byte as usize, text.len());
        // While the index is made, it is there twice.
        assert!(cost.allocated.peak < text.len() / 4, "{line:?}: {cost:?}");
    }
}

#[test]
fn an_error_at_the_end_of_many_lines() {
    let len = if cfg!(debug_assertions) { 4_000_000 } else { 100_000_000 };
    let text = "\n".repeat(len) + "x";
    let cost = cost(|| {
        let arena = Arena::new();
        let error = Document::parse_bytes(&arena, "input", text.as_bytes()).unwrap_err();
        assert_eq!(error.position().unwrap().line as usize, len + 1);
    });
    assert!(cost.allocated.peak < text.len() / 4 + 1_000_000, "{cost:?}");
}

/// Visits every value, and opens what is sealed.
fn walk(root: Node<'_>) -> usize {
    let (mut todo, mut count) = (vec![root], 0);
    while let Some(node) = todo.pop() {
        count += 1;
        match node.value() {
            Value::Object(object) => todo.extend(object.members().map(|member| member.value())),
            Value::Array(array) => todo.extend(array.elements()),
            _ => {}
        }
    }
    count
}

#[test]
fn opening_everything_is_linear_in_the_file() {
    let costs: Vec<[Cost; 3]> = [500, 1_000]
        .map(|resources| {
            let text = config_bytes(&ConfigOptions { resources, ..ConfigOptions::default() });
            [0, 3, u32::MAX].map(|depth| {
                cost(|| {
                    let arena = Arena::new();
                    let source = Source::from_bytes(&arena, "input", &text).unwrap();
                    let options = ParseOptions::default().with_skeleton_depth(depth);
                    let document = Document::parse_with(&arena, source, &options).unwrap();
                    assert!(walk(document.root()) > 10_000);
                })
            })
        })
        .into();
    for (small, large) in costs[0].iter().zip(&costs[1]) {
        assert!(large.is_within(small, 2.5), "{small:?} {large:?}");
    }
    // However much of it was sealed, no event is looked at much more often.
    let [closed, _, open] = costs[1];
    assert!(closed.steps <= 2 * open.steps.max(1), "{closed:?} {open:?}");
}
