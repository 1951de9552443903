//! `module` in a run: runs another module than the one that the file belongs to.

use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::test_files::RUN_MODULE;
use crate::module::block::argument;
use crate::module::read;
use crate::module::rules::Rules;
use crate::module::source_address::SourceAddress;
use crate::module::version::constraint;

/// The module of a run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RunModule<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The address of the module, read literally.
    pub source: Option<&'a str>,
    /// The parsed address, if it is valid in a run.
    pub address: Option<SourceAddress<'a>>,
    /// The version constraint, read literally.
    pub version: Option<&'a str>,
}

impl<'a> RunModule<'a> {
    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(RUN_MODULE.common(), sink);
        let version = argument(&content, "version");
        let mut read = Self {
            block,
            source: None,
            address: None,
            version: version.and_then(|value| constraint(value, sink)),
        };
        let Some(source) = content.attribute("source") else {
            if block.body().type_error().is_none() {
                sink.report(
                    Diagnostic::new(Code::MissingArgument, block.definition_label())
                        .with_arguments(&["source"]),
                );
            }
            return read;
        };
        read.source = read::string(source.expression(), sink);
        let Some(text) = read.source else { return read };
        // Unlike in a module call, a null version requires a registry, too.
        let address = match version {
            Some(_) => SourceAddress::parse_versioned(text),
            None => SourceAddress::parse(text),
        };
        let why = match address {
            Ok(SourceAddress::Remote(_)) if rules.is_terraform() => {
                "a run takes modules from a local path or a registry only"
            }
            Ok(address) => {
                read.address = Some(address);
                return read;
            }
            Err(error) => error.as_str(),
        };
        sink.report(Diagnostic::new(Code::ModuleSource, source.label()).with_arguments(&[why]));
        read
    }
}
