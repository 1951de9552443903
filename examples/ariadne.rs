//! Renders the diagnostics of a file with [ariadne](https://docs.rs/ariadne), which needs the whole
//! text.
//!
//! ```text
//! cargo run --example ariadne -- corpus/broken/doubled-comma/main.tf.json
//! ```

use std::error::Error;

use ariadne::{Config, IndexType, Label, Report, ReportKind, sources};
use simd_hcl::{Arena, Diagnostic, Document, ParseOptions, Severity, Source};

fn show(diagnostic: &Diagnostic<'_>) -> Result<(), Box<dyn Error>> {
    let place = |label: simd_hcl::diagnostic::Label<'_>| {
        (label.source.name().to_owned(), label.span.start as usize..label.span.end as usize)
    };
    let kind = match diagnostic.severity() {
        Severity::Error => ReportKind::Error,
        Severity::Warning => ReportKind::Warning,
    };
    let related = diagnostic.related().iter();
    let further = related.map(|it| Label::new(place(it.label)).with_message(it.message));
    let texts = std::iter::once(diagnostic.source())
        .chain(diagnostic.related().iter().map(|it| it.label.source))
        .map(|it| (it.name().to_owned(), String::from_utf8_lossy(it.bytes()).into_owned()));
    Report::build(kind, place(diagnostic.primary()))
        .with_config(Config::default().with_index_type(IndexType::Byte).with_color(false))
        .with_code(diagnostic.code())
        .with_message(diagnostic.summary())
        .with_label(Label::new(place(diagnostic.primary())).with_message(diagnostic.detail()))
        .with_labels(further)
        .finish()
        .print(sources(texts))?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: ariadne FILE")?;
    let arena = Arena::new();
    let source = Source::read(&arena, &path)?;
    let mut found = match Document::read(&arena, source, &ParseOptions::default()) {
        Ok(document) => document.diagnostics().to_vec(),
        Err(error) => vec![error],
    };
    found.sort_by_key(|diagnostic| diagnostic.span().start);
    found.iter().try_for_each(show)
}
