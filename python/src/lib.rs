//! The extension module of the Python package `simd_hcl`; `python/simd_hcl` is the package itself.

mod comments;
mod compare;
mod document;
mod dumps;
mod earlier;
mod earlier_values;
mod error;
mod expand;
mod files;
mod hcl2;
mod json_hcl2;
mod plan;
mod redact;
mod shared;
mod syntax;
mod table;
mod tool;
mod tree;
mod value;

use pyo3::prelude::*;

/// Reads the configuration, plans and states of OpenTofu, Terraform and Packer.
#[pymodule]
mod _simd_hcl {
    #[pymodule_export]
    use super::document::{
        Attribute, Block, Body, Document, Reference, convert, format_text, load, loads,
    };
    #[pymodule_export]
    use super::dumps::dumps;
    #[pymodule_export]
    use super::error::{Diagnostic, Position, Range};
    #[pymodule_export]
    use super::plan::{
        Changes, Difference, OutputChange, Plan, ResourceChangeView, State, StateResource,
        StateResources,
    };
    #[pymodule_export]
    use super::redact::redact;
    #[pymodule_export]
    use super::table::ObjectIterator;
    #[pymodule_export]
    use super::tool::_is_earlier_tool;
    #[pymodule_export]
    use super::tree::{Declared, Diagnostics, Link, Module, Objects, References, Tree};

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods as _;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("REDACTED", super::plan::redacted())
    }
}
