//! Addresses of blocks, as the tools write them.

use crate::reference::write_template_name;

/// The address of what a top-level block declares: `aws_instance.web`, `data.aws_ami.base`,
/// `var.region`, `module.vpc`; the block type alone where a block has no labels (`terraform`).
///
/// Of `locals`, and of `variables` of Packer, each property is an object: its name is the label
/// here.
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
