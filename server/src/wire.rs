//! Messages of JSON-RPC with headers: `Content-Length: N`, an empty line, and N bytes of JSON.

use std::io::{self, BufRead, ErrorKind, Read, Write};

/// The largest message, in bytes.
const MAX_MESSAGE: usize = 256 << 20;

/// The largest header line, in bytes.
const MAX_HEADER: u64 = 4096;

/// Reads the bytes of one message; `None` at the end of the input.
///
/// # Errors
/// The input ends in a message, has an invalid header, or a message that is too large.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let invalid = |text: &str| io::Error::new(ErrorKind::InvalidData, text.to_owned());
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() && is_first {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            return Err(invalid("a header without an end"));
        }
        is_first = false;
        let line = line.trim_ascii();
        if line.is_empty() {
            break;
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, value) =
            line.split_at(colon.ok_or_else(|| invalid("a header without a colon"))?);
        if name.eq_ignore_ascii_case(b"content-length") {
            let value = str::from_utf8(&value[1..]).ok().and_then(|text| text.trim().parse().ok());
            length = Some(value.ok_or_else(|| invalid("an invalid length"))?);
        }
    }
    let length: usize = length.ok_or_else(|| invalid("a message without a length"))?;
    if length > MAX_MESSAGE {
        return Err(invalid("a message of more than 256 MiB"));
    }
    // Memory is taken as bytes arrive: the length may be a lie.
    let mut message = Vec::new();
    input.by_ref().take(length as u64).read_to_end(&mut message)?;
    if message.len() < length {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(message))
}

/// Writes one message.
pub(crate) fn write(output: &mut impl Write, message: &[u8]) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", message.len())?;
    output.write_all(message)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let mut bytes = Vec::new();
        write(&mut bytes, b"{}").unwrap();
        write(&mut bytes, b"[1]").unwrap();
        bytes.extend_from_slice(b"content-type: x\r\nCONTENT-LENGTH:  2\n\n\"\"");
        let mut input = &bytes[..];
        let mut next = || read(&mut input).unwrap();
        assert_eq!(next().as_deref(), Some(&b"{}"[..]));
        assert_eq!(next().as_deref(), Some(&b"[1]"[..]));
        assert_eq!(next().as_deref(), Some(&b"\"\""[..]));
        assert_eq!(next(), None);
    }

    #[test]
    fn broken_messages_are_errors() {
        for text in [
            "Content-Length: 3\r\n\r\n{}",
            "Content-Length: x\r\n\r\n{}",
            "Content-Length: 99999999999\r\n\r\n{}",
            "\r\n{}",
            "nonsense\r\n\r\n",
            "Content-Length: 2",
        ] {
            assert!(read(&mut text.as_bytes()).is_err(), "{text:?}");
        }
        let long = "x".repeat(10_000);
        assert!(read(&mut long.as_bytes()).is_err());
    }
}
