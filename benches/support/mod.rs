//! Inputs that the benches share.
#![allow(dead_code)]

use simd_hcl::dialect::{self, List};
use simd_hcl::{Dialect, Schema};
use simd_hcl_corpus::{ConfigOptions, config_bytes};

/// A named text to measure on.
pub(crate) struct Input {
    pub(crate) name: &'static str,
    pub(crate) text: Vec<u8>,
}

/// Resources in the large inputs: `SIMD_HCL_BENCH_RESOURCES`, or as many as make 114 MB minified.
pub(crate) fn large_resources() -> u64 {
    let set = std::env::var("SIMD_HCL_BENCH_RESOURCES").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(250_000)
}

/// A generated configuration of this many resources.
pub(crate) fn configuration(resources: u64, pretty: bool) -> Vec<u8> {
    config_bytes(&ConfigOptions { resources, pretty, ..ConfigOptions::default() })
}

/// 114 MB minified and 197 MB pretty-printed, unless the environment says otherwise.
pub(crate) fn large() -> Vec<Input> {
    let resources = large_resources();
    vec![
        Input { name: "large-minified", text: configuration(resources, false) },
        Input { name: "large-pretty", text: configuration(resources, true) },
    ]
}

/// About 1.1 MB minified.
pub(crate) fn small() -> Vec<Input> {
    vec![
        Input { name: "small-minified", text: configuration(2_500, false) },
        Input { name: "small-pretty", text: configuration(2_500, true) },
    ]
}

/// The block types at the root of a file of OpenTofu.
pub(crate) fn root_schema() -> &'static Schema<'static> {
    dialect::root_schema(Dialect::OpenTofu, List::Primary).expect("primary files have blocks")
}
