//! Lists the resources of all modules below some directories. Files are read and decoded on all
//! threads.
//!
//! ```text
//! cargo run --release --example resources -- corpus/monorepo
//! ```

use std::error::Error;

use simd_hcl::Arena;
use simd_hcl::tree::Tree;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let arena = Arena::new();
    let tree = Tree::open(&arena, &paths)?;
    for module in tree.modules() {
        for resource in &module.module.resources {
            let source = resource.block.source();
            let line = source.position(resource.block.span().start).line;
            println!("{}:{line}: {}", source.name(), resource.address());
        }
    }
    Ok(())
}
