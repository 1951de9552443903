//! The number of inputs that tests try.

/// How much tests prove, as the environment variable `SIMD_HCL_SIZE` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    /// Seconds for all tests in a build without optimization, and what is chosen without the variable.
    Small,
    /// Minutes in an optimized build.
    Middle,
    /// As long as it takes.
    Full,
}

impl Size {
    /// Returns the size that the variable names.
    ///
    /// # Panics
    /// If it names no size.
    #[must_use]
    pub fn of_tests() -> Self {
        match std::env::var("SIMD_HCL_SIZE").as_deref() {
            Err(_) | Ok("" | "small") => Self::Small,
            Ok("middle") => Self::Middle,
            Ok("full") => Self::Full,
            Ok(other) => panic!("SIMD_HCL_SIZE is {other:?}: it must be small, middle or full"),
        }
    }
}

/// Returns what a test takes of a small, a middle and a full size.
///
/// # Panics
/// See [`Size::of_tests`].
#[must_use]
pub fn sized<T>([small, middle, full]: [T; 3]) -> T {
    match Size::of_tests() {
        Size::Small => small,
        Size::Middle => middle,
        Size::Full => full,
    }
}
