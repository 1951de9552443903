//! A custom rule in addition to those of the library: every variable of a module must have a
//! description.
//!
//! ```text
//! cargo run --features render --example lint -- corpus/monorepo
//! ```

use std::error::Error;

use simd_hcl::diagnostic::CustomCode;
use simd_hcl::report::Renderer;
use simd_hcl::tree::{Tree, TreeModule};
use simd_hcl::{Arena, Code, Diagnostic, Severity, Sink};

static DESCRIPTION: CustomCode = CustomCode::new(
    "acme-description",
    Severity::Warning,
    "Variable without a description",
    "What is \"{0}\" for?",
)
.with_help("Add `\"description\"`.");

fn check<'a>(module: &TreeModule<'a>, sink: &mut dyn Sink<'a>) {
    for variable in module.module.variables.iter().filter(|it| it.description.is_none()) {
        let place = variable.block.definition_label();
        let found = Diagnostic::new(Code::Custom(&DESCRIPTION), place);
        sink.report(found.with_arguments(&[variable.name]));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let arena = Arena::new();
    let tree = Tree::open(&arena, &paths)?;
    let mut found = Vec::new();
    tree.modules().iter().for_each(|module| check(module, &mut found));
    for diagnostic in found.iter().chain(tree.diagnostics()) {
        print!("{}", Renderer::plain().render(&diagnostic.into()));
    }
    Ok(())
}
