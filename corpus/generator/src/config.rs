//! One configuration in one file, of any size, as a CDK synthesises it.

use std::io::{self, Write};

use crate::Stats;
use crate::json::Json;
use crate::module::{Call, Module};

/// The options of [`config`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigOptions {
    /// Resources; about 456 bytes each when minified, 788 when pretty.
    pub resources: u64,
    /// Indented by two spaces instead of without white space. The value is the same.
    pub pretty: bool,
    /// The same seed gives the same bytes, on every platform.
    pub seed: u64,
}

impl Default for ConfigOptions {
    /// A thousand resources, minified: about 0.5 MB.
    fn default() -> Self {
        Self { resources: 1000, pretty: false, seed: 1 }
    }
}

/// Writes one configuration with every kind of root block a CDK writes.
///
/// `out` gets pieces of a quarter of a megabyte and does not need a buffer.
///
/// # Errors
///
/// The first error of `out`.
pub fn config(options: &ConfigOptions, out: &mut (impl Write + ?Sized)) -> io::Result<Stats> {
    let mut module = Module::new(options.seed, "prod", options.resources);
    module.calls = (0..1 + options.resources / 5000)
        .map(|index| Call {
            name: format!("network_{index}"),
            source: "terraform-aws-modules/vpc/aws".to_owned(),
            version: Some("5.8.1"),
        })
        .collect();

    let mut w = Json::new(out, options.pretty);
    w.open_object();
    w.member("//", |w| {
        w.member("metadata", |w| {
            w.text("backend", "s3");
            w.text("stackName", &module.stack);
            w.text("version", "0.20.8");
        });
    });
    module.data(&mut w);
    module.locals(&mut w);
    module.calls(&mut w);
    module.outputs(&mut w);
    module.providers(&mut w);
    module.resources(&mut w)?;
    module.terraform(&mut w);
    module.variables(&mut w);
    w.close_object();
    let (bytes, values) = w.finish()?;
    Ok(Stats { bytes, values })
}

/// As [`config`], into memory.
#[must_use]
pub fn config_bytes(options: &ConfigOptions) -> Vec<u8> {
    let mut out =
        Vec::with_capacity(options.resources as usize * if options.pretty { 800 } else { 470 });
    // Writing to memory does not fail.
    drop(config(options, &mut out));
    out
}
