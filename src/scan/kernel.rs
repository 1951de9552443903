//! Kernels: one scanner per instruction set, chosen at run time.

use std::fmt;
use std::sync::OnceLock;

use super::flags::StringFlags;
use super::portable::Portable;
use super::state::{Rejected, State};
use super::tokens::Tokens;

/// Name of the environment variable that chooses a kernel.
const VARIABLE: &str = "SIMD_HCL_KERNEL";

/// A scanner for one instruction set. Holding one proves that this CPU can run it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Choice);

/// Every kernel that this crate was compiled with, best first in [`Choice::ALL`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Portable,
}

/// A kernel that this crate was compiled with, whether or not this CPU can run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelInfo {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it needs, for people.
    pub description: &'static str,
    /// Whether this CPU can run it.
    pub supported: bool,
}

/// Why a kernel cannot be had by a name. The text lists the names that can be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelError {
    /// No kernel of this crate, on this kind of CPU, has the name.
    Unknown(String),
    /// This CPU lacks an instruction that the kernel needs.
    Unsupported(&'static str),
}

/// Work that is generic over the instruction set and gets compiled once per kernel.
pub(crate) trait Task {
    /// What the work results in.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, and so is what they call in hot loops;
    /// otherwise it is compiled without the instructions of the kernel.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// The operations of a scan. Holding an implementor proves that this CPU can run it.
pub(crate) trait Isa: Copy {
    /// Scans the next window of the range of `state` and appends the offsets of its tokens, in bytes
    /// from the start of `text`, to `tokens`, which holds at most [`CARRY`](super::CARRY) offsets.
    ///
    /// Bytes outside of the range do not matter. An empty range is one empty window.
    ///
    /// # Errors
    ///
    /// [`Rejected`] when the bytes cannot be JSON, or when the range is not inside `text` or ends
    /// behind `u32::MAX`. Both `state` and `tokens` are then of no more use for this text.
    fn scan_window(
        self,
        text: &[u8],
        state: &mut State,
        tokens: &mut Tokens,
    ) -> Result<(), Rejected>;

    /// The flags of a string, given its raw bytes between the quotes.
    fn string_flags(self, string: &[u8]) -> StringFlags;
}

impl Kernel {
    /// The kernel to use, chosen once per process: the one that the environment variable
    /// `SIMD_HCL_KERNEL` names, or the best that this CPU can run if the variable is absent or names
    /// none that can be had (which [`from_environment`](Self::from_environment) reports).
    #[must_use]
    pub fn detect() -> Self {
        static KERNEL: OnceLock<Kernel> = OnceLock::new();
        *KERNEL.get_or_init(|| {
            Self::from_environment()
                .ok()
                .flatten()
                .unwrap_or_else(Self::best)
        })
    }

    /// The kernel that the environment variable `SIMD_HCL_KERNEL` names; none when it is not set or
    /// empty.
    ///
    /// # Errors
    ///
    /// As [`by_name`](Self::by_name).
    pub fn from_environment() -> Result<Option<Self>, KernelError> {
        match std::env::var_os(VARIABLE) {
            Some(name) if !name.is_empty() => Self::by_name(&name.to_string_lossy()).map(Some),
            _ => Ok(None),
        }
    }

    /// The kernel called `name`.
    ///
    /// # Errors
    ///
    /// [`KernelError::Unknown`] when there is none, [`KernelError::Unsupported`] when this CPU cannot
    /// run it.
    pub fn by_name(name: &str) -> Result<Self, KernelError> {
        let choice = Choice::ALL.into_iter().find(|choice| choice.name() == name);
        let choice = choice.ok_or_else(|| KernelError::Unknown(name.to_owned()))?;
        Self::new(choice).ok_or(KernelError::Unsupported(choice.name()))
    }

    /// All kernels of this crate for this kind of CPU, best first.
    pub fn all() -> impl Iterator<Item = KernelInfo> {
        Choice::ALL.into_iter().map(|choice| KernelInfo {
            name: choice.name(),
            description: choice.description(),
            supported: choice.is_supported(),
        })
    }

    /// The kernels that this CPU can run, best first. The last one is the portable kernel.
    pub fn available() -> impl Iterator<Item = Self> {
        Choice::ALL.into_iter().filter_map(Self::new)
    }

    /// The name, as [`by_name`](Self::by_name) takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// What the kernel needs, for people.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.0.description()
    }

    /// Does `task`, compiled for this kernel.
    #[inline]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Choice::Portable => task.run(Portable),
        }
    }

    fn best() -> Self {
        Self::available().next().unwrap_or(Self(Choice::Portable))
    }

    fn new(choice: Choice) -> Option<Self> {
        choice.is_supported().then_some(Self(choice))
    }
}

impl Choice {
    const ALL: [Self; 1] = [Self::Portable];

    fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Portable => "64-bit words, any CPU",
        }
    }

    fn is_supported(self) -> bool {
        match self {
            Self::Portable => true,
        }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernel({})", self.name())
    }
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "there is no kernel `{name}`")?,
            Self::Unsupported(name) => write!(f, "this CPU cannot run the kernel `{name}`")?,
        }
        let names: Vec<_> = Kernel::available().map(Kernel::name).collect();
        write!(f, "; choose one of: {}", names.join(", "))
    }
}

impl std::error::Error for KernelError {}
