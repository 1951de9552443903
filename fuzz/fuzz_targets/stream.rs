//! A stream has the events, the templates and the diagnostics of the whole text, wherever it is cut,
//! and the records of a path are the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simd_hcl::event::Kind;
use simd_hcl::stream::{Options, Parser, Path, Records, Templates};
use simd_hcl::{Arena, Document, ParseOptions, Source};

const MAX_DEPTH: u32 = 16;

/// The events and warnings of a whole text, or its error.
fn whole(text: &[u8]) -> Result<(Vec<(Kind, u64, u64)>, Vec<String>), String> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "input", text).unwrap();
    let options = ParseOptions::default().with_max_depth(MAX_DEPTH);
    let document = Document::parse_with(&arena, source, &options).map_err(|error| {
        let related = error.related.first().map(|one| (one.range.start, one.range.end));
        format!("{error} {:?} {related:?}", (error.range.start, error.range.end))
    })?;
    let events = document.events().map(|event| {
        let span = event.span();
        (event.kind(), u64::from(span.start), u64::from(span.end))
    });
    Ok((events.collect(), document.diagnostics().iter().map(ToString::to_string).collect()))
}

fn options() -> Options {
    Options::default().with_name("input").with_max_depth(MAX_DEPTH)
}

/// The same of a stream in chunks.
fn in_chunks(
    mut text: &[u8],
    mut size: impl FnMut() -> usize,
) -> Result<(Vec<(Kind, u64, u64)>, Vec<String>), String> {
    let mut parser = Parser::new(options());
    let mut events = Vec::new();
    loop {
        if text.is_empty() {
            parser.finish();
        }
        while let Some(event) = parser.next().map_err(|problem| {
            let related = problem.related.first().map(|one| (one.range.start, one.range.end));
            format!("{problem} {:?} {related:?}", (problem.range.start, problem.range.end))
        })? {
            let span = event.span();
            events.push((event.kind(), span.start, span.end));
        }
        if text.is_empty() {
            break;
        }
        let taken = parser.feed(&text[..size().clamp(1, text.len())]);
        text = &text[taken..];
    }
    let warnings = std::iter::from_fn(|| parser.take_warning()).map(|one| one.to_string());
    Ok((events, warnings.collect()))
}

struct Chunks<'t, 'r>(&'r mut &'t [u8], usize);

impl std::io::Read for Chunks<'_, '_> {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        let len = room.len().min(self.1).min(self.0.len());
        room[..len].copy_from_slice(&self.0[..len]);
        *self.0 = &self.0[len..];
        Ok(len)
    }
}

/// Paths, texts, offsets, lines, columns and errors of templates.
type Listed = Vec<(String, String, Vec<(u64, u64, u64)>, Vec<String>)>;

fn templates_of(text: &[u8]) -> Option<Listed> {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "input", text).unwrap();
    let options = ParseOptions::default().with_max_depth(MAX_DEPTH);
    let document = Document::parse_with(&arena, source, &options).ok()?;
    let listed = document.templates().map(|found| {
        let spans = found.variables().map(|traversal| traversal.span());
        let places = std::iter::once(found.span()).chain(spans).map(|span| {
            let at = source.position(span.start);
            (u64::from(at.line), u64::from(at.column), u64::from(at.byte))
        });
        let errors = found.diagnostics().iter().map(ToString::to_string).collect();
        (found.path().to_string(), found.text().to_owned(), places.collect(), errors)
    });
    Some(listed.collect())
}

fn templates(text: &[u8], size: usize) -> Option<Listed> {
    let mut rest = text;
    let mut templates = Templates::new(Chunks(&mut rest, size), options());
    let mut listed = Vec::new();
    while let Some(found) = templates.next().ok()? {
        let labels = found.variables().map(|traversal| traversal.label());
        let places = std::iter::once(found.label()).chain(labels).map(|label| {
            let at = label.source.position(label.span.start);
            (at.line, at.column, at.byte)
        });
        let errors = found.diagnostics().iter().map(ToString::to_string).collect();
        listed.push((found.path().to_owned(), found.text().to_owned(), places.collect(), errors));
    }
    Some(listed)
}

fn records(text: &[u8], size: usize, path: &str) -> Option<Vec<(u64, Vec<u8>)>> {
    let mut rest = text;
    let mut found = Vec::new();
    let mut records =
        Records::new(Chunks(&mut rest, size), options(), vec![Path::parse(path).unwrap()]);
    while let Some(record) = records.next().ok()? {
        assert!(record.document().events().count() > 0);
        found.push((record.span().start, record.document().source().bytes().to_vec()));
    }
    Some(found)
}

// The first byte gives the sizes of chunks.
fuzz_target!(|input: &[u8]| {
    let Some((&mode, text)) = input.split_first() else { return };
    let expected = whole(text);
    assert_eq!(in_chunks(text, || usize::MAX), expected);
    assert_eq!(in_chunks(text, || 1), expected);
    let mut random = u32::from(mode);
    let sizes = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 24) as usize % (1 + usize::from(mode))
    };
    assert_eq!(in_chunks(text, sizes), expected);
    let listed = templates_of(text);
    assert_eq!(templates(text, usize::MAX), listed);
    assert_eq!(templates(text, 1 + usize::from(mode)), listed);
    for path in ["*", "**[*]", "[*].*"] {
        let once = records(text, usize::MAX, path);
        assert_eq!(once.is_some(), expected.is_ok());
        assert_eq!(records(text, 1 + usize::from(mode), path), once);
    }
});
