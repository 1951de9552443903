//! Addresses of blocks, as the tools write them.

use crate::expression::is_identifier;

/// The address of what a top-level block declares: `aws_instance.web`, `data.aws_ami.base`, `var.region`,
/// `module.vpc`; the block type alone where a block has no labels (`terraform`).
///
/// Of `locals`, and of `variables` of Packer, each property is an object: its name is the label here.
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
        if is_identifier(label) {
            if !address.is_empty() {
                address.push('.');
            }
            address.push_str(label);
        } else {
            // Writing to a string does not fail.
            let _ = std::fmt::Write::write_fmt(&mut address, format_args!("[{label:?}]"));
        }
    }
    address
}
