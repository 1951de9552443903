//! Kernels: one scanner per instruction set, chosen at run time.

use std::fmt;
use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use super::avx512::Avx512;
use super::isa::Task;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use super::neon::Neon;
use super::portable::Portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm::Simd128;
use super::words::WordsTask;

/// The name of the environment variable that selects a kernel.
const VARIABLE: &str = "SIMD_HCL_KERNEL";

/// A scanner for one instruction set. Holding one proves that this CPU can run it.
///
/// ```
/// use simd_hcl::Kernel;
///
/// assert_eq!(Kernel::by_name("portable")?.name(), "portable");
/// assert!(Kernel::available().any(|kernel| kernel.name() == Kernel::detect().name()));
/// # Ok::<(), simd_hcl::scan::KernelError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Kernel {
    proof: Proof,
    entry: &'static Entry,
}

/// The proof that this CPU can run the kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proof {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    Neon(Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
    Portable(Portable),
}

/// The instructions with which an engine compresses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FastEngine {
    /// Vectors of bytes.
    #[cfg(target_arch = "x86_64")]
    Bytes,
    /// Words of bits.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no kernel is fast enough"))]
    Words,
}

struct Entry {
    name: &'static str,
    description: &'static str,
    prove: fn() -> Option<Proof>,
}

/// Every kernel that this crate was compiled with, best first.
static ENTRIES: &[&Entry] = &[
    #[cfg(target_arch = "x86_64")]
    &AVX512,
    #[cfg(target_arch = "x86_64")]
    &AVX2,
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    &NEON,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    &SIMD128,
    &PORTABLE,
];

#[cfg(target_arch = "x86_64")]
static AVX512: Entry = Entry {
    name: "avx512",
    description: "512 bytes at a time: AVX-512 with VBMI2, GFNI, VPCLMULQDQ",
    prove: || Avx512::new().map(Proof::Avx512),
};

#[cfg(target_arch = "x86_64")]
static AVX2: Entry = Entry {
    name: "avx2",
    description: "32 bytes at a time: AVX2, BMI, PCLMULQDQ",
    prove: || Avx2::new().map(Proof::Avx2),
};

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
static NEON: Entry = Entry {
    name: "neon",
    description: "64 bytes at a time: NEON",
    prove: || Some(Proof::Neon(Neon::new())),
};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
static SIMD128: Entry = Entry {
    name: "simd128",
    description: "16 bytes at a time: WebAssembly with SIMD",
    prove: || Some(Proof::Simd128(Simd128::new())),
};

static PORTABLE: Entry = Entry {
    name: "portable",
    description: "8 bytes at a time, on any CPU",
    prove: || Some(Proof::Portable(Portable)),
};

/// A kernel that this crate was compiled with. This CPU may not be able to run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelInfo {
    /// The name that selects it.
    pub name: &'static str,
    /// A description of the instructions that it needs.
    pub description: &'static str,
    /// Whether this CPU can run it.
    pub supported: bool,
}

/// The error of a kernel that cannot be selected by name. Its text lists the names that can be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelError {
    /// No kernel of this crate has this name on this type of CPU.
    Unknown(String),
    /// This CPU lacks an instruction that the kernel needs.
    Unsupported(&'static str),
}

impl Kernel {
    /// Returns the best kernel that this CPU can run, detected once per process. Ignores the
    /// environment; see [`from_environment`](Self::from_environment).
    #[must_use]
    pub fn detect() -> Self {
        static KERNEL: OnceLock<Kernel> = OnceLock::new();
        *KERNEL.get_or_init(|| Self::of_tests().unwrap_or_else(Self::best))
    }

    /// Returns the kernel that the environment names, for tests, benches and fuzz targets of this
    /// crate.
    fn of_tests() -> Option<Self> {
        if cfg!(any(test, feature = "fuzzing")) {
            Self::from_environment().ok().flatten()
        } else {
            None
        }
    }

    fn best() -> Self {
        let portable = Self { proof: Proof::Portable(Portable), entry: &PORTABLE };
        Self::available().next().unwrap_or(portable)
    }

    /// Returns the kernel that the environment variable `SIMD_HCL_KERNEL` names; `None` if it is
    /// not set or empty.
    ///
    /// # Errors
    ///
    /// See [`by_name`](Self::by_name).
    pub fn from_environment() -> Result<Option<Self>, KernelError> {
        match std::env::var_os(VARIABLE) {
            Some(name) if !name.is_empty() => Self::by_name(&name.to_string_lossy()).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the kernel named `name`.
    ///
    /// # Errors
    ///
    /// [`KernelError::Unknown`] if no kernel has this name, [`KernelError::Unsupported`] if this
    /// CPU cannot run it.
    ///
    /// ```
    /// use simd_hcl::Kernel;
    ///
    /// assert!(Kernel::by_name("portable").is_ok());
    /// assert!(Kernel::by_name("abacus").is_err());
    /// ```
    pub fn by_name(name: &str) -> Result<Self, KernelError> {
        let entry = ENTRIES.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| KernelError::Unknown(name.to_owned()))?;
        entry.kernel().ok_or(KernelError::Unsupported(entry.name))
    }

    /// All kernels of this crate for this type of CPU, best first.
    pub fn all() -> impl Iterator<Item = KernelInfo> {
        ENTRIES.iter().map(|entry| KernelInfo {
            name: entry.name,
            description: entry.description,
            supported: entry.kernel().is_some(),
        })
    }

    /// The kernels that this CPU can run, best first. The last one is the portable kernel.
    pub fn available() -> impl Iterator<Item = Self> {
        ENTRIES.iter().filter_map(|entry| entry.kernel())
    }

    /// The name, for [`by_name`](Self::by_name).
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry.name
    }

    /// A description of the instructions that the kernel needs.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.entry.description
    }

    /// Returns the proof that this CPU runs AVX-512, if this is the AVX-512 kernel.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn avx512(self) -> Option<Avx512> {
        match self.proof {
            Proof::Avx512(isa) => Some(isa),
            _ => None,
        }
    }

    /// The engine of this kernel, if it is faster than the automaton for some texts.
    #[inline]
    pub(crate) fn fast_engine(self) -> Option<FastEngine> {
        match self.proof {
            #[cfg(target_arch = "x86_64")]
            Proof::Avx512(_) => Some(FastEngine::Bytes),
            #[cfg(target_arch = "x86_64")]
            Proof::Avx2(isa) => isa.compresses_fast().then_some(FastEngine::Words),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Proof::Neon(_) => Some(FastEngine::Words),
            // The automaton takes half the time of the engine.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Proof::Simd128(_) => None,
            Proof::Portable(_) => None,
        }
    }

    /// Runs `task`, compiled for this kernel. Only tests run it on kernels with another
    /// [`FastEngine`], as the portable one. It is left out where it would only make binaries larger.
    #[inline]
    pub(crate) fn run_words<T: WordsTask>(self, task: T) -> T::Output {
        match self.proof {
            #[cfg(target_arch = "x86_64")]
            Proof::Avx2(isa) => isa.run_words(task),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Proof::Neon(isa) => isa.run_words(task),
            #[cfg(any(test, feature = "fuzzing"))]
            _ => task.run(Portable),
            #[cfg(not(any(test, feature = "fuzzing")))]
            _ => {
                drop(task);
                unreachable!("the kernel has another engine")
            }
        }
    }

    /// Runs `task`, compiled for this kernel.
    #[inline]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        match self.proof {
            #[cfg(target_arch = "x86_64")]
            Proof::Avx512(isa) => isa.run(task),
            #[cfg(target_arch = "x86_64")]
            Proof::Avx2(isa) => isa.run(task),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Proof::Neon(isa) => isa.run(task),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Proof::Simd128(isa) => isa.run(task),
            Proof::Portable(isa) => task.run(isa),
        }
    }
}

impl Entry {
    fn kernel(&'static self) -> Option<Kernel> {
        (self.prove)().map(|proof| Kernel { proof, entry: self })
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        self.proof == other.proof
    }
}

impl Eq for Kernel {}

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
