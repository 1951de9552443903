//! The book in `docs`: its summary lists every page, and the links of all pages lead to files and headings that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A page without its code: fenced blocks are gone, and so are code spans outside of headings.
struct Page {
    /// The names that links of the page have for its headings.
    anchors: BTreeSet<String>,
    /// The targets of links, with the lines in which they are, from 1.
    links: Vec<(usize, String)>,
}

/// Returns a line with what is between backticks taken out.
fn without_code(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        text.push_str(&rest[..start]);
        let ticks = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let after = &rest[start + ticks..];
        match after.find(&"`".repeat(ticks)) {
            Some(end) => rest = &after[end + ticks..],
            None => rest = after,
        }
    }
    text + rest
}

/// Returns a heading as people read it: of a link, only its text.
fn heading_text(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading;
    while let Some(middle) = rest.find("](") {
        text.push_str(&rest[..middle]);
        rest = rest[middle..].split_once(')').map_or("", |(_, rest)| rest);
    }
    text + rest
}

/// Returns the name that GitHub and mdBook give to a heading, unless an earlier one has it.
fn slug(heading: &str) -> String {
    let kept = heading_text(heading);
    let kept = kept.trim().chars().filter_map(|it| match it {
        ' ' => Some('-'),
        '-' | '_' => Some(it),
        _ if it.is_alphanumeric() => Some(it.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

fn read(text: &str) -> Page {
    let mut page = Page { anchors: BTreeSet::new(), links: Vec::new() };
    let mut fence: Option<usize> = None;
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim_start();
        let ticks = trimmed.len() - trimmed.trim_start_matches('`').len();
        match fence {
            Some(open) => {
                if ticks >= open && trimmed.trim_matches('`').trim().is_empty() {
                    fence = None;
                }
                continue;
            }
            None if ticks >= 3 => {
                fence = Some(ticks);
                continue;
            }
            None => {}
        }
        if let Some((level, heading)) = line.split_once(' ')
            && !level.is_empty()
            && level.chars().all(|it| it == '#')
        {
            let slug = slug(heading);
            let seen = times.entry(slug.clone()).or_default();
            page.anchors.insert(if *seen == 0 { slug } else { format!("{slug}-{seen}") });
            *seen += 1;
        }
        let prose = without_code(line);
        let inline = prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or(""));
        let defined = prose.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        for target in inline.chain(defined.map(|(_, target)| target)) {
            let target = target.split_whitespace().next().unwrap_or("");
            page.links.push((number, target.to_owned()));
        }
    }
    page
}

/// Returns a path without `.` and `..`; `None` if it leads out of the repository.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => parts.pop().then_some(())?,
            Component::Normal(name) => parts.push(name),
            _ => {}
        }
    }
    Some(parts)
}

/// Returns what is wrong with a link of a page, whose path starts at the repository.
fn fault(pages: &BTreeMap<PathBuf, Page>, from: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let to = match path {
        "" => from.to_owned(),
        path => match normal(&from.parent().unwrap_or(Path::new("")).join(path)) {
            Some(to) => to,
            None => return Some("leads out of the repository".to_owned()),
        },
    };
    if !Path::new(env!("CARGO_MANIFEST_DIR")).join(&to).exists() {
        return Some("leads to no file".to_owned());
    }
    let page = pages.get(&to)?;
    let known = anchor.is_empty() || page.anchors.contains(anchor);
    (!known).then(|| format!("{} has no such heading", to.display()))
}

/// The Markdown of the repository that people read: paths below it, with what they contain.
fn pages() -> BTreeMap<PathBuf, Page> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![root.to_owned()];
    let mut pages = BTreeMap::new();
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let built =
                ["target", "node_modules", "conformance", "dist", "pkg", "pkg-hcl2json", "src"];
            if path.is_dir() {
                if !name.starts_with('.') && !built.contains(&name.as_str()) {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|it| it == "md") {
                let page = read(&fs::read_to_string(&path).unwrap());
                pages.insert(path.strip_prefix(root).unwrap().to_owned(), page);
            }
        }
    }
    pages
}

#[test]
fn links_and_headings_are_recognised() {
    let page = read(concat!(
        "# One `two`, [three](x.md)\n",
        "## Same\n## Same\n",
        "Text [a](b.md#c) and `[no](d.md)`, ![e](f.svg \"title\")\n",
        "```sh\n# not a heading\n[no](g.md)\n```\n",
        "[h]: i.md\n",
    ));
    assert_eq!(Vec::from_iter(&page.anchors), ["one-two-three", "same", "same-1"]);
    let links: Vec<_> = page.links.iter().map(|(line, link)| (*line, link.as_str())).collect();
    assert_eq!(links, [(1, "x.md"), (4, "b.md#c"), (4, "f.svg"), (9, "i.md")]);
    let pages = BTreeMap::from([(PathBuf::from("docs/rules.md"), page)]);
    let fault = |target: &str| fault(&pages, Path::new("docs/rules.md"), target);
    assert_eq!(fault("#same-1"), None);
    assert_eq!(fault("../README.md#anything"), None);
    assert_eq!(fault("https://example.com/x#y"), None);
    assert_eq!(fault("../docs/rules.md#two").unwrap(), "docs/rules.md has no such heading");
    assert_eq!(fault("none.md").unwrap(), "leads to no file");
    assert_eq!(fault("../../x").unwrap(), "leads out of the repository");
}

#[test]
fn links_lead_to_files_and_headings() {
    let pages = pages();
    let mut faults = Vec::new();
    let mut seen = 0;
    for (path, page) in &pages {
        seen += page.links.len();
        for (line, target) in &page.links {
            if let Some(fault) = fault(&pages, path, target) {
                faults.push(format!("{}:{line}: {target}: {fault}", path.display()));
            }
        }
    }
    assert!(seen > 300, "{seen} links");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_page_is_in_the_summary() {
    let mut pages = pages();
    let summary = pages.remove(Path::new("docs/SUMMARY.md")).unwrap();
    let mut listed: Vec<PathBuf> =
        summary.links.iter().map(|(_, target)| Path::new("docs").join(target)).collect();
    listed.sort();
    let found = pages.into_keys().filter(|path| path.starts_with("docs"));
    assert_eq!(listed, Vec::from_iter(found));
}
