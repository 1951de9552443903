//! All kernels give the same offsets, and the same verdict and events at several skeleton depths.
//!
//! That the fast engine agrees with the explaining one is asserted inside of the library, where debug
//! assertions are on, as they are here.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::{Arena, Document, Kernel, ParseOptions, Source, scan};

fuzz_target!(|text: &[u8]| {
    let mut offsets = Kernel::available().map(|kernel| scan::offsets(kernel, text));
    let first = offsets.next().expect("the portable kernel is always there");
    assert!(offsets.all(|other| other == first));
    for depth in [0, 1, 3, u32::MAX] {
        let events = |kernel| {
            let arena = Arena::new();
            let source = Source::from_bytes(&arena, "fuzz", text).expect("small");
            let options = ParseOptions::default().with_kernel(kernel).with_skeleton_depth(depth);
            let document = Document::parse_with(&arena, source, &options).ok()?;
            Some(format!("{:?}", document.skeleton().collect::<Vec<_>>()))
        };
        let mut kernels = Kernel::available().map(events);
        let first = kernels.next().expect("the portable kernel is always there");
        assert!(kernels.all(|other| other == first), "depth {depth}");
    }
});
