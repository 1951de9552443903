//! A review as a page: one `<details>` for each root module. It needs no script and no other file.

use std::io::{self, Write};

use super::answer::Answer;
use super::human::{lines, setup, summary, title};
use super::markdown::escaped;
use crate::visible::visible;

const STYLE: &str = "body{font:16px system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em}\
details{margin:1em 0}summary{cursor:pointer}code,pre{font:14px ui-monospace,monospace}\
li{margin:.2em 0}ul ul{color:#555}.delete,.replace{color:#b00020}.create{color:#1b6e2c}\
.unknown{color:#8a5a00}@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}\
ul ul{color:#aaa}.delete,.replace{color:#ff8a80}.create{color:#81c995}.unknown{color:#fdd663}}";

pub(super) fn print(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let text = |text: &str| escaped(&visible(text));
    writeln!(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width\">")?;
    writeln!(out, "<title>Review</title><style>{STYLE}</style></head><body>\n<h1>Review</h1>")?;
    for gap in answer.incomplete.iter() {
        for place in gap.places {
            let (place, why) = (text(place), text(gap.why));
            writeln!(out, "<p><strong>Incomplete:</strong> <code>{place}</code>: {why}</p>")?;
        }
    }
    for root in &answer.roots {
        let review = &root.review;
        let counts =
            if review.is_empty() { "no changes".to_owned() } else { summary(&review.summary()) };
        let open = if review.is_empty() { "" } else { " open" };
        writeln!(
            out,
            "<details{open}><summary><code>{}</code>: {counts}</summary>",
            text(&root.path)
        )?;
        if !root.var_files.is_empty() {
            writeln!(out, "<p>With <code>{}</code></p>", text(&root.var_files.join(", ")))?;
        }
        writeln!(out, "<ul>")?;
        for note in setup(review) {
            writeln!(out, "<li><code>{}</code></li>", escaped(&note))?;
        }
        for change in &review.changes {
            let class = change.action.as_str();
            write!(out, "<li class=\"{class}\"><code>{}</code>", escaped(&title(change)))?;
            if !change.leaves.is_empty() {
                write!(out, "<ul>")?;
                for line in lines(change) {
                    write!(out, "<li><code>{}</code></li>", escaped(&line))?;
                }
                write!(out, "</ul>")?;
            }
            writeln!(out, "</li>")?;
        }
        for rename in &review.renames {
            let (from, to) = (text(&rename.from), text(&rename.to));
            writeln!(out, "<li><code>{from}</code> seems to be <code>{to}</code> now</li>")?;
        }
        writeln!(out, "</ul></details>")?;
    }
    writeln!(out, "</body></html>")
}
