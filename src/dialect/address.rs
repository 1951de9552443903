//! Addresses of blocks, as the tools write them.

use crate::reference::write_template_name;

/// The address of the object that a top-level block declares: `aws_instance.web`,
/// `data.aws_ami.base`, `var.region`, `module.vpc`. For a block without labels the block type alone
/// (`terraform`).
///
/// In `locals`, and in Packer's `variables`, each property is an object. Its name is the label.
///
/// ```
/// use simd_hcl::dialect::block_address;
///
/// assert_eq!(block_address("resource", ["aws_vpc", "main"]), "aws_vpc.main");
/// assert_eq!(block_address("variable", ["size"]), "var.size");
/// ```
#[must_use]
pub fn block_address<'l>(block_type: &str, labels: impl IntoIterator<Item = &'l str>) -> String {
    let mut labels = labels.into_iter().peekable();
    let prefix = match block_type {
        _ if labels.peek().is_none() => block_type,
        "resource" => "",
        "variable" | "variables" => "var",
        "locals" => "local",
        _ => block_type,
    };
    let mut address = prefix.to_owned();
    for label in labels {
        let is_first = address.is_empty();
        // Writing into memory does not fail.
        let _ = write_template_name(&mut address, label, is_first);
    }
    address
}
