//! A rule of one's own beside those of the library: every variable of a module has a description.
//!
//! ```text
//! cargo run --features render --example lint -- corpus/monorepo
//! ```

use std::error::Error;

use simd_hcl::directory::{DiscoverOptions, discover};
use simd_hcl::report::{OwnedDiagnostic, Renderer};
use simd_hcl::tree::{Tree, TreeModule, TreeOptions};
use simd_hcl::{Arena, Severity};

fn undescribed(module: &TreeModule<'_>) -> impl Iterator<Item = OwnedDiagnostic> {
    let variables = module.module.variables.iter().filter(|it| it.description.is_none());
    variables.map(|variable| {
        let place = variable.block.definition_label();
        OwnedDiagnostic::new("acme-description", Severity::Warning, place)
            .with_summary("Variable without a description")
            .with_detail(format!("What is \"{}\" for?", variable.name))
            .with_help("add `\"description\"`")
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let found = discover(&paths, &DiscoverOptions::default());
    if let Some(problem) = found.problems.first() {
        return Err(problem.to_string().into());
    }
    let arena = Arena::new();
    let tree = Tree::load(&arena, found.modules, &TreeOptions::default());
    let own = tree.modules().iter().flat_map(undescribed);
    let all = own.chain(tree.diagnostics().map(OwnedDiagnostic::from));
    for diagnostic in all {
        print!("{}", Renderer::plain().render(&diagnostic));
    }
    Ok(())
}
