//! Reads a file in JSON or native syntax by a custom schema into custom structs. Errors are
//! reported at their position.
//!
//! ```text
//! cargo run --features serde --example own_schema -- examples/services.hcl
//! cargo run --features serde --example own_schema -- examples/services.hcl.json
//! ```

use std::error::Error;

use serde::Deserialize;
use simd_hcl::evaluate::Scope;
use simd_hcl::serde::{Spanned, from_body};
use simd_hcl::{Arena, ParsedFile};

#[derive(Deserialize)]
struct Settings {
    region: String,
    service: Vec<Service>,
}

#[derive(Deserialize)]
struct Service {
    #[serde(rename = "$name")]
    name: Spanned<String>,
    port: u16,
    replicas: Option<u32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: own_schema FILE")?;
    let arena = Arena::new();
    let file = ParsedFile::open(&arena, path)?;
    let settings: Settings = from_body(file, &Scope::new())?;
    for Service { name, port, replicas } in settings.service {
        let line = file.source().position(name.span.start).line;
        let replicas = replicas.unwrap_or(1);
        println!("line {line}: {} × {replicas} in {}, port {port}", name.value, settings.region);
    }
    Ok(())
}
