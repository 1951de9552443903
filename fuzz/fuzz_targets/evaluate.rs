//! Evaluation of any text: never a panic, never more work and memory than the budget of the scope
//! allows, and the same answer twice.
//!
//! The first byte says how the others are read: as decisions of the generator of `differential/`,
//! which make a file, a schema and a scope by the grammar, or as the text of a template.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use simd_hcl::evaluate::Budget;
use simd_hcl_differential::{Bytes, Case, Entropy, Seed, answer_within};

/// Enough for what a few hundred bytes can mean.
const BUDGET: Budget = Budget::new(200_000, 8 << 20);

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let case = if first % 2 == 0 {
        Case::generate(&mut Bytes(rest))
    } else {
        let Ok(text) = std::str::from_utf8(rest) else { return };
        // One of a few scopes, so that text and scope do not have to fit by chance.
        let mut seed = Seed::new(0, u64::from(first / 2 % 8));
        seed.below(2);
        let case = Case::generate(&mut seed);
        Case { input: json!({ "x": text }).to_string(), ..case }
    };
    let once = answer_within(&case, BUDGET);
    for attribute in &once.attributes {
        assert_eq!(attribute.value.is_some(), attribute.errors.is_empty(), "{attribute:?}");
    }
    assert_eq!(format!("{once:?}"), format!("{:?}", answer_within(&case, BUDGET)));
});
