//! Hashes of the bytes of a string: `md5`, `sha1`, `sha256`, `sha512`, their Base64 variants, and
//! `uuidv5`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use super::builtin::{Builtin, function};
use super::call::{Call, Outcome, wrong};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("base64sha256", |call| of_text(call, base64_sha256)),
    function("base64sha512", |call| of_text(call, base64_sha512)),
    function("md5", |call| of_text(call, md5)),
    function("sha1", |call| of_text(call, sha1)),
    function("sha256", |call| of_text(call, sha256)),
    function("sha512", |call| of_text(call, sha512)),
    function("uuidv5", uuidv5),
];

/// Returns the hash of the argument's bytes.
fn of_text<'a>(call: Call<'_, 'a>, hash: fn(&[u8]) -> String) -> Outcome<'a> {
    call.string(&hash(call.str(0)?.as_bytes()))
}

pub(super) fn md5(bytes: &[u8]) -> String {
    to_hex(&Md5::digest(bytes))
}

pub(crate) fn sha1(bytes: &[u8]) -> String {
    to_hex(&Sha1::digest(bytes))
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    to_hex(&Sha256::digest(bytes))
}

pub(crate) fn sha512(bytes: &[u8]) -> String {
    to_hex(&Sha512::digest(bytes))
}

pub(super) fn base64_sha256(bytes: &[u8]) -> String {
    STANDARD.encode(Sha256::digest(bytes))
}

pub(super) fn base64_sha512(bytes: &[u8]) -> String {
    STANDARD.encode(Sha512::digest(bytes))
}

fn to_hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble & 15)]);
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte)]).collect()
}

/// Returns the UUID from the SHA-1 of a namespace and a name (RFC 9562, section 5.5).
fn uuidv5<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    // The namespaces of RFC 9562, section 6.6 differ in one byte.
    let predefined = |last: u8| {
        let mut id = *b"\x6b\xa7\xb8\x10\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8";
        id[3] = last;
        Some(id)
    };
    let namespace = match call.str(0)? {
        "dns" => predefined(0x10),
        "url" => predefined(0x11),
        "oid" => predefined(0x12),
        "x500" => predefined(0x14),
        other => uuid(other),
    };
    let Some(namespace) = namespace else {
        return Err(wrong(
            0,
            "the namespace must be \"dns\", \"url\", \"oid\", \"x500\" or a UUID",
        ));
    };
    let digest = Sha1::new().chain_update(namespace).chain_update(call.str(1)?).finalize();
    let mut id = [0; 16];
    id.copy_from_slice(&digest[..16]);
    id[6] = id[6] & 0x0f | 0x50;
    id[8] = id[8] & 0x3f | 0x80;
    let hex = to_hex(&id);
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    call.string(&parts.join("-"))
}

/// Reads a UUID: plain, in braces, after `urn:uuid:`, or without hyphens.
fn uuid(text: &str) -> Option<[u8; 16]> {
    let text = match text.len() {
        45 if text.get(..9)?.eq_ignore_ascii_case("urn:uuid:") => text.get(9..)?,
        38 => text.strip_prefix('{')?.strip_suffix('}')?,
        36 | 32 => text,
        _ => return None,
    };
    let hyphens: &[usize] = if text.len() == 36 { &[8, 13, 18, 23] } else { &[] };
    let mut id = [0; 16];
    let mut nibbles = 0;
    for (at, byte) in text.bytes().enumerate() {
        if hyphens.contains(&at) {
            if byte != b'-' {
                return None;
            }
            continue;
        }
        let digit = u8::try_from(char::from(byte).to_digit(16)?).ok()?;
        id[nibbles / 2] |= digit << (4 * (1 - nibbles % 2));
        nibbles += 1;
    }
    Some(id)
}
