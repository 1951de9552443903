//! Decodes the JSON side of HCL (OpenTofu, Terraform, Packer) at the speed of the memory.

pub mod scan;
pub mod span;

pub use span::Span;
