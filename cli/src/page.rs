//! Pages that need no other file: a script and its data. Their content security policy allows only
//! this script, which builds everything else.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::serialized::{self, Shape};

/// Writes a page. The script reads `data` from the element with the id `data`.
///
/// # Errors
/// Writing fails.
pub(crate) fn write(
    title: &str,
    script: &[u8],
    data: &impl Serialize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let hash = STANDARD.encode(Sha256::digest(script));
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         script-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<body>\n<noscript>This page needs JavaScript.</noscript>\n\
         <script type=\"application/json\" id=\"data\">",
        escaped(title)
    )?;
    let data = serialized::text(Shape::Line, data)?;
    out.write_all(for_script(&String::from_utf8_lossy(&data)).as_bytes())?;
    out.write_all(b"</script>\n<script>")?;
    out.write_all(script)?;
    out.write_all(b"</script>\n</html>\n")
}

/// Escapes characters that could end a script element or a line of a script. All of it is in
/// strings.
fn for_script(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => text.push(character),
        }
    }
    text
}

/// Escapes a text for HTML and XML. Characters that XML does not allow are replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{escaped, for_script};

    #[test]
    fn names_cannot_end_what_they_are_in() {
        let hostile = "</script><!-- \u{2028}'\"&";
        assert_eq!(for_script(hostile), "\\u003c/script\\u003e\\u003c!-- \\u2028'\"\\u0026");
        assert_eq!(escaped(hostile), "&lt;/script&gt;&lt;!-- \u{2028}&#39;&quot;&amp;");
        assert_eq!(escaped("a\u{1b}b"), "a\u{fffd}b");
    }
}
