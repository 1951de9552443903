//! Functions for Base64 (RFC 4648, section 4), other character encodings, and URL encoding.

use std::borrow::Cow;
use std::io::Read as _;

use base64::Engine as _;
use base64::alphabet::STANDARD as ALPHABET;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use encoding_rs::Encoding;
use flate2::read::MultiGzDecoder;

use super::builtin::{Builtin, function};
use super::call::{Call, MAX_TEXT, Outcome, wrong};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("base64decode", |call| {
        let bytes = decode_base64(call)?;
        utf8(call, &bytes)
    }),
    function("base64encode", |call| call.string(&STANDARD.encode(call.str(0)?))),
    function("base64gunzip", gunzip),
    function("textdecodebase64", decode_text),
    function("textencodebase64", encode_text),
    function("urldecode", decode_url),
    function("urlencode", encode_url),
];

/// Padding is required; the unused bits of the last character are ignored.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &ALPHABET,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// Decodes the first argument.
fn decode_base64<'a>(call: Call<'_, 'a>) -> Outcome<'a, Vec<u8>> {
    from_base64(call.str(0)?).ok_or(wrong(0, "the text is not valid Base64"))
}

/// Decodes Base64. Line ends are ignored.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let text = if text.contains(['\r', '\n']) {
        Cow::Owned(text.replace(['\r', '\n'], ""))
    } else {
        Cow::Borrowed(text)
    };
    LENIENT.decode(text.as_bytes()).ok()
}

fn utf8<'a>(call: Call<'_, 'a>, bytes: &[u8]) -> Outcome<'a> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => call.string(text),
        Err(_) => Err(wrong(0, "the decoded bytes are not UTF-8")),
    }
}

fn gunzip<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let compressed = decode_base64(call)?;
    let mut bytes = Vec::new();
    let limit = (MAX_TEXT as u64).min(call.meter.bytes_left()) + 1;
    let decoded = MultiGzDecoder::new(&compressed[..]).take(limit).read_to_end(&mut bytes);
    match decoded {
        Err(_) => Err(wrong(0, "the decoded bytes are not gzip data")),
        Ok(length) if length as u64 == limit => match call.room(length) {
            Ok(()) => Err(call.too_long()),
            Err(error) => Err(error),
        },
        Ok(_) => utf8(call, &bytes),
    }
}

/// A character encoding.
enum Charset {
    Ascii,
    Latin1,
    Utf8,
    /// UTF-16, little-endian or not, with or without a byte order mark.
    Utf16 {
        is_little: bool,
        has_mark: bool,
    },
    Other(&'static Encoding),
}

/// Finds an encoding by its name or an alias in IANA's registry.
fn charset<'a>(call: Call<'_, 'a>) -> Outcome<'a, Charset> {
    let name = call.str(1)?.to_ascii_lowercase();
    Ok(match name.as_str() {
        "us-ascii" | "ascii" | "us" | "iso646-us" | "ansi_x3.4-1968" | "iso_646.irv:1991"
        | "cp367" | "ibm367" | "csascii" => Charset::Ascii,
        "iso-8859-1" | "iso_8859-1" | "iso_8859-1:1987" | "latin1" | "l1" | "cp819" | "ibm819"
        | "iso-ir-100" | "csisolatin1" => Charset::Latin1,
        "utf-8" | "csutf8" => Charset::Utf8,
        "utf-16" | "csutf16" => Charset::Utf16 { is_little: false, has_mark: true },
        "utf-16be" | "csutf16be" => Charset::Utf16 { is_little: false, has_mark: false },
        "utf-16le" | "csutf16le" => Charset::Utf16 { is_little: true, has_mark: false },
        // Names that are not in the registry.
        "utf8" | "unicode-1-1-utf-8" => return Err(unsupported()),
        name => match Encoding::for_label_no_replacement(name.as_bytes()) {
            // Browsers read some encodings as larger encodings of Windows.
            Some(encoding)
                if encoding.output_encoding() == encoding
                    && (!is_windows(encoding) || name.starts_with("windows-"))
                    && encoding != encoding_rs::UTF_8
                    && encoding != encoding_rs::X_USER_DEFINED =>
            {
                Charset::Other(encoding)
            }
            _ => return Err(unsupported()),
        },
    })
}

fn is_windows(encoding: &'static Encoding) -> bool {
    encoding.name().starts_with("windows-")
}

fn is_late_control(c: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&c)
}

fn unsupported<'a>() -> crate::evaluate::FunctionError<'a> {
    wrong(1, "the encoding is not supported")
}

fn encode_text<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let text = call.str(0)?;
    let narrow = |limit: u32| -> Option<Vec<u8>> {
        text.chars().map(|c| u8::try_from(c).ok().filter(|&byte| u32::from(byte) < limit)).collect()
    };
    let bytes = match charset(call)? {
        Charset::Ascii => narrow(0x80),
        Charset::Latin1 => narrow(0x100),
        Charset::Utf8 => Some(text.as_bytes().to_vec()),
        Charset::Utf16 { is_little, has_mark } => {
            let mark = has_mark.then_some(0xfeff);
            let bytes = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
            Some(mark.into_iter().chain(text.encode_utf16()).flat_map(bytes).collect())
        }
        Charset::Other(encoding) => {
            let (bytes, _, has_replacements) = encoding.encode(text);
            (!has_replacements).then(|| bytes.into_owned())
        }
    };
    match bytes {
        Some(bytes) => call.string(&STANDARD.encode(bytes)),
        None => Err(wrong(0, "the encoding lacks a character of the text")),
    }
}

fn decode_text<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let charset = charset(call)?;
    let bytes = decode_base64(call)?;
    let text = match charset {
        Charset::Ascii => bytes.is_ascii().then(|| String::from_utf8(bytes).unwrap_or_default()),
        Charset::Latin1 => Some(bytes.into_iter().map(char::from).collect()),
        Charset::Utf8 => String::from_utf8(bytes).ok(),
        Charset::Utf16 { is_little, has_mark } => {
            let (is_little, units) = match bytes.as_slice() {
                [0xff, 0xfe, rest @ ..] if has_mark => (true, rest),
                [0xfe, 0xff, rest @ ..] if has_mark => (false, rest),
                all => (is_little, all),
            };
            let (pairs, odd) = units.as_chunks::<2>();
            let unit = |&pair: &[u8; 2]| {
                if is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
            };
            let decoded: Result<String, _> = char::decode_utf16(pairs.iter().map(unit)).collect();
            decoded.ok().filter(|_| odd.is_empty())
        }
        Charset::Other(encoding) => encoding
            .decode_without_bom_handling_and_without_replacement(&bytes)
            // Some bytes have no character in these encodings. Browsers decode them as control
            // characters.
            .filter(|text| !is_windows(encoding) || !text.chars().any(is_late_control))
            .map(Cow::into_owned),
    };
    match text {
        Some(text) => call.string(&text),
        None => Err(wrong(0, "the bytes are not text in this encoding")),
    }
}

fn encode_url<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let text = call.str(0)?;
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            b' ' => out.push('+'),
            _ => {
                let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
                out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
            }
        }
    }
    call.string(&out)
}

fn decode_url<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let mut out = Vec::new();
    let mut bytes = call.str(0)?.bytes();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(bytes.next()?).to_digit(16);
                let code = digit().and_then(|high| Some(high * 16 + digit()?));
                let Some(code) = code.and_then(|code| u8::try_from(code).ok()) else {
                    return Err(wrong(0, "expected two hexadecimal digits after \"%\""));
                };
                code
            }
            _ => byte,
        });
    }
    utf8(call, &out)
}
