//! Addresses of files in pages: `--link`.

/// The address of a file at a line, with `{path}` and `{line}` for these.
#[derive(Clone, Debug)]
pub(crate) struct Link(String);

impl Link {
    /// The template. It starts with `https://` or `http://`.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Reads a template.
///
/// # Errors
/// It is not an address of the web, or has no `{path}`.
pub(super) fn link(text: &str) -> Result<Link, String> {
    let is_address = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme));
    match is_address && text.contains("{path}") {
        true => Ok(Link(text.to_owned())),
        false => Err("expected an address such as \
                      https://github.com/acme/infra/blob/main/{path}#L{line}"
            .to_owned()),
    }
}
