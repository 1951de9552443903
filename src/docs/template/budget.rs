//! The steps and bytes that a run may spend.

/// The budget of a run, as far as it is spent.
#[derive(Default)]
pub(super) struct Budget {
    steps: usize,
    bytes: usize,
}

impl Budget {
    const MAX_STEPS: usize = 1_000_000;

    /// The longest text that a template may make, and that its functions may return together.
    const MAX_BYTES: usize = 64 << 20;

    /// A budget of which `steps` are left.
    #[cfg(test)]
    pub(super) fn with_steps_left(steps: usize) -> Self {
        Self { steps: Self::MAX_STEPS - steps, bytes: 0 }
    }

    /// Spends steps and bytes.
    ///
    /// # Errors
    /// The budget does not have them.
    pub(super) fn spend(&mut self, steps: usize, bytes: usize) -> Result<(), String> {
        self.steps = self.steps.saturating_add(steps);
        self.bytes = self.bytes.saturating_add(bytes);
        match self.steps > Self::MAX_STEPS || self.bytes > Self::MAX_BYTES {
            true => Err("the template takes too much time or memory".to_owned()),
            false => Ok(()),
        }
    }

    /// Checks the length of the text that a template has made.
    ///
    /// # Errors
    /// It is too long.
    pub(super) fn check_length(&mut self, length: usize) -> Result<(), String> {
        match length > Self::MAX_BYTES {
            true => self.spend(0, length),
            false => Ok(()),
        }
    }
}
