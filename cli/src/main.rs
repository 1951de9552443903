//! The command line of simd-hcl.

fn main() {}
