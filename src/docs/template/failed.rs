//! Errors of templates, before their line is known.

/// An error at a byte of the template.
pub(super) struct Failed {
    pub(super) at: usize,
    pub(super) message: String,
}

pub(super) fn failed<T>(at: usize, message: impl Into<String>) -> Result<T, Failed> {
    Err(Failed { at, message: message.into() })
}
