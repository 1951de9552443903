//! A review as Markdown, for a comment on a pull request: one `<details>` for each root module.
//!
//! The text has at most `--max-length` characters, as services count them: in units of UTF-16. Of what
//! does not fit, the least destructive changes of all root modules are left out first: their values, then
//! the changes, which are counted. The same review gives the same text, byte for byte.

use std::fmt::Write as _;

use super::answer::{Answer, Root};
use super::human::{lines, renamed, setup, title};
use crate::stats::count;
use crate::visible::visible;
use simd_hcl::review::ReviewAction;

/// The characters that are reserved for the lines that count the changes that are left out.
const RESERVE: usize = 200;
const RESERVE_OF_ROOT: usize = 120;

/// How much of a change is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Nothing,
    Title,
    Everything,
}

/// A root module that is shown.
struct Block {
    head: String,
    fence: String,
    /// The changes besides instances and outputs, and the instances that seem to be renamed.
    notes: Vec<String>,
    changes: Vec<Text>,
}

struct Text {
    action: ReviewAction,
    title: String,
    leaves: String,
    part: Part,
}

/// Returns the text.
pub(super) fn text(answer: &Answer, limit: usize) -> String {
    let changed: Vec<&Root> = answer.roots.iter().filter(|it| !it.review.is_empty()).collect();
    let roots = match changed.len() {
        0 => String::new(),
        roots => format!(" in {}", count(roots, "root module")),
    };
    let mut out = format!("### Review: {}{roots}\n", answer.summary());
    let mut room = limit.saturating_sub(RESERVE + length(&out));
    let mut gaps_left = 0;
    for gap in answer.incomplete.iter() {
        for place in gap.places {
            let line = format!("\n**Incomplete:** {}: {}\n", code(place), code(gap.why));
            match take(&mut room, length(&line)) {
                true => out.push_str(&line),
                false => gaps_left += 1,
            }
        }
    }
    let mut blocks: Vec<Block> = Vec::new();
    for root in &changed {
        let block = Block::of(root);
        if !take(&mut room, block.least()) {
            break;
        }
        blocks.push(block);
    }
    choose(&mut blocks, &mut room);
    let roots_left = changed.len() - blocks.len();
    for block in &blocks {
        block.write(&mut out);
    }
    // Writing into a string does not fail.
    if roots_left > 0 {
        let roots = count(roots_left, "root module");
        let _ = write!(out, "\n… and {roots} more, which do not fit\n");
    }
    if gaps_left > 0 {
        let _ = write!(out, "\n… and {} more\n", count(gaps_left, "gap"));
    }
    out
}

/// Takes room if there is enough.
fn take(room: &mut usize, wanted: usize) -> bool {
    match room.checked_sub(wanted) {
        Some(rest) => {
            *room = rest;
            true
        }
        None => false,
    }
}

/// Chooses the parts of each change that are shown: the most destructive ones of all root modules
/// first.
fn choose(blocks: &mut [Block], room: &mut usize) {
    for part in [Part::Title, Part::Everything] {
        for action in ReviewAction::ALL {
            for text in blocks.iter_mut().flat_map(|block| &mut block.changes) {
                if text.action != action {
                    continue;
                }
                let wanted = match part {
                    Part::Title => length(&text.title),
                    _ if text.part == Part::Title => length(&text.leaves),
                    _ => continue,
                };
                if take(room, wanted) {
                    text.part = part;
                }
            }
        }
    }
}

impl Block {
    fn of(root: &Root) -> Self {
        let review = &root.review;
        let mut head = format!(
            "\n<details><summary><code>{}</code>: {}</summary>\n\n",
            escaped(&visible(&root.path)),
            root.summary()
        );
        if let Some(inputs) = root.inputs() {
            let _ = write!(head, "With {}\n\n", code(&inputs));
        }
        let mut notes = setup(review);
        notes.extend(review.renames.iter().map(renamed));
        let notes: Vec<String> = notes.iter().map(|note| format!("# {note}\n")).collect();
        let changes: Vec<Text> = review
            .changes
            .iter()
            .map(|change| {
                let mut leaves = String::new();
                for line in lines(change) {
                    let _ = writeln!(leaves, "      {line}");
                }
                let title = format!("{}\n", title(change));
                Text { action: change.action, title, leaves, part: Part::Nothing }
            })
            .collect();
        let texts = notes.iter().chain(changes.iter().flat_map(|it| [&it.title, &it.leaves]));
        let run = texts.map(|text| longest_run(text)).max().unwrap_or_default();
        Self { head, fence: "`".repeat(run.max(2) + 1), notes, changes }
    }

    /// The characters that it has without changes.
    fn least(&self) -> usize {
        let notes: usize = self.notes.iter().map(|note| length(note)).sum();
        length(&self.head) + 2 * self.fence.len() + notes + RESERVE_OF_ROOT
    }

    fn write(&self, out: &mut String) {
        let fence = &self.fence;
        out.push_str(&self.head);
        let _ = writeln!(out, "{fence}diff");
        self.notes.iter().for_each(|note| out.push_str(note));
        let (mut left, mut without_values) = (0, 0);
        for text in &self.changes {
            match text.part {
                Part::Nothing => left += 1,
                Part::Title => {
                    out.push_str(&text.title);
                    without_values += usize::from(!text.leaves.is_empty());
                }
                Part::Everything => {
                    out.push_str(&text.title);
                    out.push_str(&text.leaves);
                }
            }
        }
        let _ = writeln!(out, "{fence}");
        if left > 0 {
            let _ = writeln!(out, "\n… and {} more", count(left, "change"));
        }
        if without_values > 0 {
            let _ = writeln!(out, "\n… without the values of {}", count(without_values, "change"));
        }
        out.push_str("\n</details>\n");
    }
}

/// The characters of a text, in units of UTF-16.
fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Returns text for HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns text as Markdown code, also if it has backticks.
fn code(text: &str) -> String {
    let text = visible(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let space = if text.contains('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}
