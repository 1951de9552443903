//! Pictures of graphs and plans: nodes in nested groups, as a page ([`write_page`]) or as SVG
//! ([`svg`]).
//!
//! The script of the page is in `picture/`, whose `build` writes `assets/script.js.gz` and its hash. The
//! page loads nothing: its content security policy only allows this script.

mod layout;
pub(crate) mod svg;

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::compression::decompress;
use simd_hcl::{Arena, Source};

use crate::serialized::{self, Shape};

const SCRIPT: &[u8] = include_bytes!("../../assets/script.js.gz");
const SCRIPT_HASH: &str = include_str!("../../assets/script.sha256");
/// The maximum length of the script, in bytes.
const MAX_SCRIPT: u64 = 1 << 20;

/// The content of a picture. Texts are visible already.
#[derive(Default, Serialize)]
pub(crate) struct Picture {
    pub(crate) title: String,
    /// One line about the whole.
    pub(crate) summary: String,
    /// The separator between the names of nested groups.
    pub(crate) separator: &'static str,
    /// The groups: the names from the outermost to the innermost.
    pub(crate) modules: Vec<Vec<String>>,
    pub(crate) nodes: Vec<PictureNode>,
    /// Indexes of nodes, two for each edge: what needs, and what is needed.
    pub(crate) edges: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changes: Option<Vec<PictureChange>>,
    #[serde(skip)]
    groups: HashMap<Vec<String>, usize>,
}

/// Label, kind and group of a node.
#[derive(Serialize)]
pub(crate) struct PictureNode(pub(crate) String, pub(crate) &'static str, pub(crate) usize);

/// An entry of the list of changes.
#[derive(Serialize)]
pub(crate) struct PictureChange {
    pub(crate) title: String,
    pub(crate) kind: &'static str,
    pub(crate) notes: Vec<String>,
    pub(crate) node: Option<usize>,
    /// Path, value before, value after, and a note.
    pub(crate) leaves: Vec<[String; 4]>,
}

impl Picture {
    pub(crate) fn new(title: impl Into<String>, separator: &'static str) -> Self {
        Self { title: title.into(), separator, ..Self::default() }
    }

    /// Adds a node, and returns its index.
    pub(crate) fn add(&mut self, label: String, kind: &'static str, group: Vec<String>) -> usize {
        let groups = &mut self.groups;
        let next = groups.len();
        let place = *groups.entry(group).or_insert_with_key(|group| {
            self.modules.push(group.clone());
            next
        });
        self.nodes.push(PictureNode(label, kind, place));
        self.nodes.len() - 1
    }
}

/// Writes a page that needs no other file.
pub(crate) fn write_page(picture: &Picture, out: &mut dyn Write) -> io::Result<()> {
    let arena = Arena::new();
    let script = Source::from_bytes(&arena, "script.js.gz", SCRIPT).map_err(io::Error::other)?;
    let script = decompress(&arena, script, MAX_SCRIPT).map_err(io::Error::other)?;
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         script-src 'sha256-{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<body>\n<noscript>This picture needs JavaScript.</noscript>\n\
         <script type=\"application/json\" id=\"data\">",
        escaped(&picture.title)
    )?;
    let data = serialized::text(Shape::Line, picture)?;
    out.write_all(for_script(&String::from_utf8_lossy(&data)).as_bytes())?;
    out.write_all(b"</script>\n<script>")?;
    out.write_all(script.bytes())?;
    out.write_all(b"</script>\n</html>\n")
}

/// Escapes what could end a script element or a line of a script. All of it is in strings.
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
