//! `build`: the sources to build, and the steps for each.

use super::dynamic::Dynamic;
use super::name::ObjectName;
use super::post_processor::PostProcessors;
use super::provisioner::Provisioner;
use super::read;
use super::registry::Registry;
use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Label, Sink};
use crate::dialect::arguments::packer::{BUILD, BUILD_SOURCE};
use crate::expression::Expression;
use crate::module::{self, Config, block};

/// The block types that `dynamic` can make in a build.
const TYPES: [&str; 7] = [
    "source",
    "provisioner",
    "error-cleanup-provisioner",
    "post-processor",
    "post-processors",
    "hcp_packer_registry",
    "from",
];

/// A `build` block.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Build<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The name of the build.
    pub name: Option<Expression<'a>>,
    /// The purpose of the build.
    pub description: Option<Expression<'a>>,
    /// The list of sources as written.
    pub written_sources: Option<Expression<'a>>,
    /// The sources to build: those of the list, then those of `source` blocks.
    pub sources: &'a [BuildSource<'a>],
    /// The provisioners to run, in order.
    pub provisioners: &'a [Provisioner<'a>],
    /// The provisioner to run after an error.
    pub error_cleanup: Option<Provisioner<'a>>,
    /// The sequences of post-processors for the results, in order.
    pub post_processors: &'a [PostProcessors<'a>],
    /// The metadata for HCP Packer.
    pub registry: Option<Registry<'a>>,
    /// `dynamic` blocks, in order.
    pub dynamics: &'a [Dynamic<'a>],
}

/// A source that a build uses.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BuildSource<'a> {
    /// The name of the source; `None` if the text is not a valid name.
    pub name: Option<ObjectName<'a>>,
    /// The reference as written.
    pub text: &'a str,
    /// The position of the reference: the element of the list, or the label.
    pub label: Label<'a>,
    /// The `source` block; `None` for an element of the list.
    pub block: Option<Block<'a>>,
    /// The name in a `source` block, read literally.
    pub local_name: Option<&'a str>,
    /// The arguments that a `source` block adds to the body of the source.
    pub config: Option<Config<'a>>,
}

impl<'a> Build<'a> {
    pub(super) fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(BUILD.common(), sink);
        let get = |name| block::argument(&content, name);
        let written_sources = get("sources");
        let mut sources: Vec<BuildSource<'a>> = Vec::new();
        for (text, value) in written_sources.into_iter().flat_map(|value| read::texts(value, sink))
        {
            sources.push(BuildSource {
                name: ObjectName::of_reference(text),
                text,
                label: value.start_label(),
                block: None,
                local_name: None,
                config: None,
            });
        }
        sources.extend(content.blocks("source").map(|block| BuildSource::read(block, sink)));
        let mut provisioners = Vec::new();
        let mut post_processors = Vec::new();
        let mut dynamics = Vec::new();
        for &nested in content.all_blocks() {
            match nested.block_type() {
                "provisioner" => provisioners.push(Provisioner::read(nested, sink)),
                "post-processor" => post_processors.push(PostProcessors::alone(nested, sink)),
                "post-processors" => post_processors.push(PostProcessors::read(nested, sink)),
                "dynamic" => dynamics.extend(Dynamic::read(nested, &TYPES, sink)),
                _ => {}
            }
        }
        let error_cleanup = block::single(&content, "error-cleanup-provisioner", sink)
            .map(|nested| Provisioner::read(nested, sink));
        let registry = block::single(&content, "hcp_packer_registry", sink)
            .map(|nested| Registry::read(nested, sink));
        for name in ["name", "description"] {
            get(name).and_then(|value| read::text(value, sink));
        }
        let bump = block.source().arena().bump();
        let build = Self {
            block,
            name: get("name"),
            description: get("description"),
            written_sources,
            sources: bump.alloc_slice_copy(&sources),
            provisioners: bump.alloc_slice_copy(&provisioners),
            error_cleanup,
            post_processors: bump.alloc_slice_copy(&post_processors),
            registry,
            dynamics: bump.alloc_slice_copy(&dynamics),
        };
        build.check_sources(sink);
        build
    }

    /// Whether it may build sources whose names must be evaluated.
    #[must_use]
    pub fn has_unknown_sources(&self) -> bool {
        let dynamic = self.dynamics.iter().any(|dynamic| dynamic.block_type == "source");
        let is_unknown = |value: Expression<'a>| {
            let mut elements = value.as_list().into_iter().flatten();
            read::is_template(value) || elements.any(read::is_template)
        };
        dynamic || self.written_sources.is_some_and(is_unknown)
    }

    fn check_sources(&self, sink: &mut dyn Sink<'a>) {
        for used in self.sources.iter().filter(|used| used.name.is_none()) {
            sink.report(Diagnostic::new(Code::SourceName, used.label).with_arguments(&[used.text]));
        }
        // A value that is not a list has been reported.
        let is_list = self.written_sources.is_none_or(|value| value.is_list() || value.is_null());
        if self.sources.is_empty() && is_list && !self.has_unknown_sources() {
            sink.report(Diagnostic::new(Code::MissingSources, self.block.definition_label()));
        }
    }
}

impl<'a> BuildSource<'a> {
    fn read(block: Block<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let (content, config) = block.body().partial_content(BUILD_SOURCE.common(), sink);
        let text = block.label(0).unwrap_or_default();
        let name = block::argument(&content, "name");
        Self {
            name: ObjectName::of_reference(text),
            text,
            label: block.label_place(0),
            block: Some(block),
            local_name: name.and_then(|value| module::read::string(value, sink)),
            config: Some(Config::new(config)),
        }
    }
}
