//! Decompresses gzip and zstd sources.
//!
//! The first bytes of a source identify the compression ([`Compression::of`]). [`decompress`] reads
//! the source as a stream, up to a limit, so that a small file cannot fill the memory. Positions
//! then refer to the decompressed text.
//!
//! | input | result |
//! |---|---|
//! | gzip, one member or several | their texts, one after the other |
//! | zstd, one frame or several, skippable frames | their texts, one after the other |
//! | anything else | the source itself |
//! | damaged or truncated | [`DecompressError::Damaged`] |
//! | more text than the limit allows | [`DecompressError::TooLarge`]; nothing is kept |
//!
//! ```
//! use simd_hcl::compression::{DEFAULT_MAX_BYTES, decompress};
//! use simd_hcl::{Arena, Source};
//!
//! let arena = Arena::new();
//! let source = Source::from_bytes(&arena, "plan.json", b"{}").unwrap();
//! assert_eq!(decompress(&arena, source, DEFAULT_MAX_BYTES).unwrap(), source);
//! ```

use std::fmt;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

use crate::arena::Arena;
use crate::source::{MAX_LEN, Source};

/// The default limit: 1 GiB, in bytes.
pub const DEFAULT_MAX_BYTES: u64 = 1 << 30;

/// The compression of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// gzip (RFC 1952).
    Gzip,
    /// zstd (RFC 8878).
    Zstd,
}

impl Compression {
    /// Returns the compression that the first bytes identify. None of these bytes can start a JSON
    /// document.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    /// The usual name: `gzip` or `zstd`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error of a source that could not be decompressed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecompressError {
    /// The compressed data is damaged or truncated.
    Damaged {
        /// The compression of the source.
        compression: Compression,
        /// The decoder's message.
        why: Box<str>,
    },
    /// The text is longer than the limit.
    TooLarge {
        /// The limit, in bytes.
        max_bytes: u64,
    },
}

impl fmt::Display for DecompressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged { compression, why } => {
                write!(f, "the {compression} data is damaged: {why}")
            }
            Self::TooLarge { max_bytes } => {
                write!(f, "it has more than {max_bytes} bytes when it is decompressed")
            }
        }
    }
}

impl std::error::Error for DecompressError {}

/// Returns the text of a compressed source, as a source with the same name in the same arena.
/// Returns the source itself if it is not compressed.
///
/// Cost: linear in the text. Memory: the text once in the arena, and once more during
/// decompression.
///
/// # Errors
/// The data is damaged, or the text has more than `max_bytes` bytes (or more than [`MAX_LEN`]).
pub fn decompress<'a>(
    arena: &'a Arena,
    source: Source<'a>,
    max_bytes: u64,
) -> Result<Source<'a>, DecompressError> {
    let bytes = source.bytes();
    let Some(compression) = Compression::of(bytes) else { return Ok(source) };
    let max_bytes = max_bytes.min(MAX_LEN as u64);
    let mut text = Vec::new();
    let read = match compression {
        Compression::Gzip => MultiGzDecoder::new(bytes).take(max_bytes + 1).read_to_end(&mut text),
        Compression::Zstd => Frames::new(bytes).take(max_bytes + 1).read_to_end(&mut text),
    };
    // The limit is checked first: data past the limit may be damaged.
    if text.len() as u64 > max_bytes {
        return Err(DecompressError::TooLarge { max_bytes });
    }
    if let Err(error) = read {
        return Err(DecompressError::Damaged { compression, why: error.to_string().into() });
    }
    source.with_text(arena, &text).map_err(|_| DecompressError::TooLarge { max_bytes })
}

/// Returns the first `len` bytes of a text, or fewer if the text is shorter or its compressed data
/// is truncated or damaged. The text of data that is not compressed is the data itself.
#[must_use]
pub fn start(bytes: &[u8], len: usize) -> Vec<u8> {
    let mut text = Vec::new();
    // The bytes before an error are enough.
    let _ = match Compression::of(bytes) {
        Some(Compression::Gzip) => {
            MultiGzDecoder::new(bytes).take(len as u64).read_to_end(&mut text)
        }
        Some(Compression::Zstd) => Frames::new(bytes).take(len as u64).read_to_end(&mut text),
        None => bytes.take(len as u64).read_to_end(&mut text),
    };
    text
}

/// The concatenated texts of zstd frames.
struct Frames<'a> {
    rest: &'a [u8],
    frame: Option<Box<StreamingDecoder<&'a [u8], ruzstd::decoding::FrameDecoder>>>,
}

impl<'a> Frames<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, frame: None }
    }
}

impl Read for Frames<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(frame) = &mut self.frame {
                let count = frame.read(buffer)?;
                if count > 0 {
                    return Ok(count);
                }
                self.rest = frame.get_ref();
                self.frame = None;
            }
            match *self.rest {
                [] => return Ok(0),
                [0x50..=0x5F, 0x2A, 0x4D, 0x18, a, b, c, d, ref rest @ ..] => {
                    let skipped = u32::from_le_bytes([a, b, c, d]) as usize;
                    self.rest = rest.get(skipped..).ok_or(io::ErrorKind::UnexpectedEof)?;
                }
                _ => {
                    let frame = StreamingDecoder::new(self.rest).map_err(io::Error::other)?;
                    self.frame = Some(Box::new(frame));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
    }

    fn text(bytes: &[u8], max_bytes: u64) -> Result<Vec<u8>, DecompressError> {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "x", arena.bump().alloc_slice_copy(bytes));
        let source = source.expect("a small source");
        decompress(&arena, source, max_bytes).map(|source| source.bytes().to_vec())
    }

    #[test]
    fn one_part_or_several() {
        for compress in [gzip, zstd] {
            let whole = compress(b"{\"a\": 1}");
            assert_eq!(text(&whole, 8).as_deref(), Ok(&b"{\"a\": 1}"[..]));
            let parts = [compress(b"{\"a\":"), compress(b""), compress(b" 1}")].concat();
            assert_eq!(text(&parts, 8).as_deref(), Ok(&b"{\"a\": 1}"[..]));
        }
        let skippable = [b"\x51\x2A\x4D\x18\x03\0\0\0abc".to_vec(), zstd(b"{}")].concat();
        assert_eq!(text(&skippable, 8).as_deref(), Ok(&b"{}"[..]));
    }

    #[test]
    fn the_bound_holds_to_the_byte() {
        for compress in [gzip, zstd] {
            let bomb = compress(&vec![b' '; 1 << 22]);
            assert_eq!(text(&bomb, 1 << 22).map(|text| text.len()), Ok(1 << 22));
            let max_bytes = (1 << 22) - 1;
            assert_eq!(text(&bomb, max_bytes), Err(DecompressError::TooLarge { max_bytes }));
        }
    }

    #[test]
    fn a_text_starts_before_it_is_complete() {
        let long = b"start of a text. ".repeat(10_000);
        for compressed in [gzip(&long), zstd(&long), long.clone()] {
            assert_eq!(start(&compressed, 5), b"start");
            assert_eq!(start(&compressed, 0), b"");
        }
        for cut in [gzip(&long), long.clone()] {
            assert_eq!(start(&cut[..cut.len() - 1], 5), b"start");
        }
        assert_eq!(start(&gzip(b"abc"), 5), b"abc");
        assert_eq!(start(&gzip(&long)[..4], 5), b"");
    }

    #[test]
    fn every_truncation_is_an_error() {
        for compress in [gzip, zstd] {
            let whole = compress(b"{\"resource\": {\"a\": {\"b\": {}}}}");
            for len in 5..whole.len() {
                let result = text(&whole[..len], 1 << 20);
                assert!(matches!(result, Err(DecompressError::Damaged { .. })), "{len}");
            }
        }
        assert!(text(b"\x51\x2A\x4D\x18\x03\0\0\0ab", 8).is_err());
    }
}
