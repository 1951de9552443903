//! Reading a document for the first time: finds its sensitive parts.

use super::core::Large;
use super::first::{First, is_right};
use super::origin::Kind;
use super::pieces::{Input, Refusal, pass};
use super::search::Search;
use crate::arena::Arena;
use crate::diagnostic::Sink;
use crate::document::Document;
use crate::event::{ParseOptions, Scratch};
use crate::show::input::document;
use crate::show::kind::DocumentKind;
use crate::show::plan::Plan;
use crate::show::redact::by_schema::Types;
use crate::show::redact::check::{check, check_outside_of_entries};
use crate::show::redact::content::Finder;
use crate::show::redact::marked::{Marked, settled};
use crate::show::redact::options::Options;
use crate::show::redact::place::Places;
use crate::show::redact::stands::Stands;
use crate::show::redact::texts::Texts;
use crate::show::state::{RawState, State};
use crate::source::Source;
use crate::stream;

impl<'t, 'i> Large<'t, 'i> {
    /// Finds the sensitive parts of a plan, a state or a state file. Warnings go to `sink`.
    ///
    /// The input must not change while it is read.
    ///
    /// # Errors
    /// The document is not valid JSON, or cannot be redacted as a stream. Nothing of it may be
    /// shown then.
    pub fn read(
        arena: &'t Arena,
        input: &'i mut dyn Input,
        options: Options,
        settings: stream::Options,
        sink: &mut dyn Sink<'t>,
    ) -> Result<Self, Refusal> {
        let settings = settings.with_skeleton_depth(u32::MAX);
        let mut first = First::new(arena);
        pass(input, &settings, &mut |piece| first.piece(piece))?;
        let document = skeleton(arena, &first.skeleton, &settings, sink)?;
        let root = document.root();
        let kind = match DocumentKind::of(root) {
            DocumentKind::OldState => return Err(Refusal::Unclear),
            DocumentKind::RawState => Kind::Raw,
            DocumentKind::State | DocumentKind::RedactedState | DocumentKind::OnlyVersion => {
                Kind::State
            }
            _ => Kind::Plan,
        };
        if first.is_malformed(kind) || !is_right(|sink| check_outside_of_entries(root, sink)) {
            return Err(Refusal::Unclear);
        }
        let First { interned, instances, kinds, is_late, starts, .. } = first;
        let mut large = Self {
            input: Some(input),
            settings,
            document,
            kind,
            instances,
            modules: Vec::new(),
            visits: [false; 2],
            finder: Finder::of(Texts::default()),
            places: Places::default(),
            starts,
        };
        let mut texts = Texts::default();
        let mut marked = Marked::default();
        if kind == Kind::Plan {
            let plan = Plan::of(document, sink).ok_or(Refusal::Unclear)?;
            let mut search = Search { options, interned, kinds, texts: &mut texts };
            search.plan(&mut large, plan, is_late, &mut marked)?;
        } else {
            large.mark_state(&mut marked, &mut texts, sink)?;
        }
        if marked.is_malformed && !is_right(|sink| check(root, sink)) {
            return Err(Refusal::Unclear);
        }
        large.settle(marked, texts, options);
        Ok(large)
    }

    /// Finds the secrets of a state.
    fn mark_state(
        &mut self,
        marked: &mut Marked,
        texts: &mut Texts,
        sink: &mut dyn Sink<'t>,
    ) -> Result<(), Refusal> {
        let document = self.document;
        match self.kind {
            Kind::Raw => marked.raw_state(
                RawState::of(document, sink).ok_or(Refusal::Unclear)?,
                &mut Types::new(None),
            ),
            _ => marked.state(State::of(document, sink).ok_or(Refusal::Unclear)?),
        }
        self.pass(&mut |large, record, what, _| {
            let mut of_record = Marked::default();
            large.mark(what, record.document().root(), None, &mut of_record, &mut |_| {});
            marked.unmarked_types.append(&mut of_record.unmarked_types);
            texts.add(&settled(of_record.spans), record.document().source().bytes());
            Ok(())
        })?;
        marked.report_unmarked(document.root(), sink);
        Ok(())
    }

    /// Notes what is found in the skeleton, and the texts of all secrets.
    fn settle(&mut self, marked: Marked, mut texts: Texts, options: Options) {
        let root = self.document.root();
        let secrets = settled(marked.spans);
        let all = settled(secrets.iter().copied().chain(marked.unmarked).collect());
        texts.add(&secrets, root.source().bytes());
        if !options.keep_repeated_text {
            self.finder = Finder::of(texts);
        }
        self.places = Places::of_values(&all);
        let matchers = self.finder.add(root, Stands::Format, &mut self.places.places, false);
        self.places.matchers = matchers;
    }
}

/// Parses the skeleton.
fn skeleton<'t>(
    arena: &'t Arena,
    text: &[u8],
    settings: &stream::Options,
    sink: &mut dyn Sink<'t>,
) -> Result<Document<'t>, Refusal> {
    let name = arena.str(&settings.name);
    let text = arena.bump().alloc_slice_copy(text);
    let source = Source::from_bytes(arena, name, text).map_err(|_| Refusal::Unclear)?;
    let parse = ParseOptions::default()
        .with_kernel(settings.kernel)
        .with_max_depth(settings.max_depth)
        .with_skeleton_depth(Places::DEPTH);
    let document = document(arena, source, &parse, sink).map_err(|_| Refusal::Unclear)?;
    // Texts that are parsed in this arena from now on are small.
    arena.with_scratch(|scratch: &mut Scratch| *scratch = Scratch::default());
    Ok(document)
}
