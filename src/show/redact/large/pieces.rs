//! Input that can be read again, piece by piece.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

use super::origin::{Origin, PLACEHOLDER};
use crate::report::OwnedDiagnostic;
use crate::stream::{self, Record, Records};

/// Input that can be read again.
pub trait Input: Read + Seek {}

impl<T: Read + Seek> Input for T {}

/// Why a document is not redacted as a stream.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The input cannot be read.
    Input(io::Error),
    /// The first error of the stream, or a record that is too large.
    Problem(Box<OwnedDiagnostic>),
    /// The document has more text outside of its resources than this many bytes.
    Skeleton(usize),
    /// The document is not a plan or a state whose sensitive values are known. Reading it as a whole
    /// ([`Places::of`](super::super::Places::of)) reports why.
    Unclear,
    /// The input has changed while it was read.
    Changed,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Problem(problem) => problem.fmt(f),
            Self::Skeleton(limit) => write!(
                f,
                "the document has more than {limit} bytes outside of its resources and changes"
            ),
            Self::Unclear => f.write_str("it is not known which values are sensitive"),
            Self::Changed => f.write_str("the input has changed while it was read"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Input(error)
    }
}

/// A part of the input.
pub(super) enum Piece<'p> {
    /// Text of the skeleton, its offset there, and that in the input.
    Skeleton { text: &'p [u8], at: u32, byte: u64 },
    /// White space and a comma between records.
    Gap(&'p [u8]),
    /// A record, where it is, and the offset in the skeleton of what stands for it.
    Record(&'p Record<'p>, Origin, u32),
}

/// The bytes of the input that are not in a piece yet.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    start: u64,
    is_full: bool,
}

impl Kept {
    fn get(&self, from: u64, to: u64) -> &[u8] {
        let [from, to] = [from, to].map(|at| at.saturating_sub(self.start) as usize);
        self.bytes.get(from..to).unwrap_or_default()
    }

    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    fn forget(&mut self, to: u64) {
        let count = (to.saturating_sub(self.start) as usize).min(self.bytes.len());
        self.bytes.drain(..count);
        self.start += count as u64;
    }
}

/// Keeps the bytes that are read.
struct Tee<'i> {
    input: &'i mut dyn Input,
    kept: Rc<RefCell<Kept>>,
    limit: usize,
}

impl Read for Tee<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut kept = self.kept.borrow_mut();
        if kept.bytes.len() > self.limit {
            kept.is_full = true;
            return Err(io::Error::from(io::ErrorKind::OutOfMemory));
        }
        let count = self.input.read(out)?;
        kept.bytes.extend_from_slice(out.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// The records of an input.
pub(super) fn records<'r>(input: impl Read + 'r, options: &stream::Options) -> Records<'r> {
    let paths = Origin::ALL.into_iter().filter_map(Origin::path).collect();
    Records::new(input, options.clone(), paths)
}

/// Reads all of the input, piece by piece.
pub(super) fn pass(
    input: &mut dyn Input,
    options: &stream::Options,
    each: &mut dyn FnMut(Piece<'_>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    input.seek(SeekFrom::Start(0))?;
    let kept = Rc::new(RefCell::new(Kept::default()));
    // The largest record, the window, and text that is not in a record.
    let limit = options.max_record.saturating_mul(2).saturating_add(2 << 20);
    let tee = Tee { input, kept: Rc::clone(&kept), limit };
    let mut records = records(tee, options);
    // Offsets in the stream and in the skeleton.
    let (mut at, mut cursor) = (0, 0_u64);
    let mut is_in_row = false;
    let large = || Refusal::Skeleton(options.max_record);
    let place = |cursor: u64| u32::try_from(cursor).map_err(|_| large());
    loop {
        let batch = match records.batch() {
            Ok(Some(batch)) => batch,
            Ok(None) => break,
            Err(_) if kept.borrow().is_full => return Err(large()),
            Err(problem) => return Err(Refusal::Problem(problem)),
        };
        let mut kept = kept.borrow_mut();
        for record in &batch {
            let text = kept.get(at, record.span().start);
            let is_gap = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',');
            if is_in_row && text.iter().all(is_gap) {
                each(Piece::Gap(text))?;
            } else {
                each(Piece::Skeleton { text, at: place(cursor)?, byte: at })?;
                cursor += (text.len() + PLACEHOLDER.len()) as u64;
                if cursor > options.max_record as u64 {
                    return Err(large());
                }
            }
            is_in_row = true;
            if let Some(origin) = Origin::ALL.get(record.path()) {
                each(Piece::Record(record, *origin, place(cursor)? - PLACEHOLDER.len() as u32))?;
            }
            at = record.span().end;
        }
        kept.forget(at);
    }
    let kept = kept.borrow();
    each(Piece::Skeleton { text: kept.get(at, kept.end()), at: place(cursor)?, byte: at })
}
