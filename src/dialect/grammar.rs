//! How the bodies of a file are read: what its arguments hold, and which members are nested blocks.

use super::arguments::modules::{self, DYNAMIC, LITERAL, PLAIN, PLUGIN};
use super::arguments::{packer, policies, stacks, test_files};
use super::block::BlockKind;
#[cfg(any(feature = "ask", feature = "rules"))]
use super::root_schema;
use super::table::{Reading, Table};
use super::{Dialect, List};
#[cfg(feature = "ask")]
use crate::body::Schema;
#[cfg(feature = "rules")]
use crate::body::{Block, Body};
#[cfg(feature = "rules")]
use crate::evaluate::Release;

/// The arguments and nested blocks of a body of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grammar {
    dialect: Dialect,
    place: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// The root of a file that has the block types of this list.
    Root(List),
    Body(&'static Table),
    /// The body of a nested block that no table has: all its arguments are read alike.
    Unknown {
        reading: Reading,
        is_of_plugin: bool,
    },
}

impl Grammar {
    /// The grammar of a file. Files that the tools do not read have attributes and blocks without
    /// special rules.
    pub(crate) fn of_file(kind: Option<(Dialect, List)>) -> Self {
        let Some((dialect, list)) = kind else {
            return Self { dialect: Dialect::default(), place: Place::Body(&PLAIN) };
        };
        let place = match list {
            List::Variables => Place::Body(&LITERAL),
            List::Lock | List::Other | List::PolicyTest => Place::Body(&PLAIN),
            List::Override => Place::Root(List::Primary),
            _ if dialect == Dialect::Packer => Place::Root(List::Primary),
            _ => Place::Root(list),
        };
        Self { dialect, place }
    }

    /// The grammar of a body that a plugin reads.
    pub(crate) fn of_plugin() -> Self {
        Self::of_plugin_that_reads(Reading::Template)
    }

    /// The grammar of a body of which a plugin defines the arguments, and which are read in this way.
    pub(crate) fn of_plugin_that_reads(reading: Reading) -> Self {
        let place = Place::Unknown { reading, is_of_plugin: true };
        Self { dialect: Dialect::default(), place }
    }

    /// How an argument is read.
    pub(crate) fn reading(self, argument: &str) -> Reading {
        match self.place {
            Place::Root(_) => Reading::Template,
            Place::Body(table) => table.reading(self.dialect, argument),
            Place::Unknown { reading, .. } => reading,
        }
    }

    /// Whether a name is that of an argument, so that it is no nested block in JSON.
    pub(crate) fn has_argument(self, name: &str) -> bool {
        matches!(self.place, Place::Body(table) if table.has_argument(name))
    }

    /// The grammar of a nested block that is [not known](Self::block). JSON does not distinguish it from
    /// an argument whose value is an object, so its arguments are read as that one would be.
    pub(crate) fn unknown_block(self, name: &str) -> Self {
        let place = match self.place {
            Place::Body(table) if table.has_plugin() => {
                Place::Unknown { reading: table.rest(), is_of_plugin: true }
            }
            Place::Unknown { .. } => self.place,
            _ => Place::Unknown { reading: self.reading(name), is_of_plugin: false },
        };
        Self { place, ..self }
    }

    /// The number of labels and the grammar of a nested block; `None` if it is not known.
    pub(crate) fn block(self, name: &str) -> Option<(usize, Self)> {
        let dialect = self.dialect;
        let (labels, table) = match self.place {
            Place::Root(list) => {
                let kind = BlockKind::from_name(name)?;
                let labels = kind.labels_of(dialect, list);
                // Blocks that only the other tool for modules has are read alike.
                let labels = labels.or_else(|| match (dialect, list) {
                    (Dialect::Packer, _) => None,
                    // A query adds to its module.
                    (_, List::Query) => kind.labels_of(dialect, List::Primary),
                    _ => Dialect::ALL[..2].iter().find_map(|other| kind.labels_of(*other, list)),
                })?;
                (labels.len(), table_of(kind, dialect, list)?)
            }
            Place::Body(table) => match table.block(dialect, name) {
                Some(known) => known,
                None if name == "dynamic"
                    && table.has_plugin()
                    && table.rest() == Reading::Template =>
                {
                    (1, &DYNAMIC)
                }
                None => return None,
            },
            Place::Unknown { reading: Reading::Template, is_of_plugin: true }
                if name == "dynamic" =>
            {
                (1, &DYNAMIC)
            }
            Place::Unknown { .. } => return None,
        };
        Some((labels, Self { dialect, place: Place::Body(table) }))
    }

    /// The arguments and nested blocks that the tools define; `None` for a file of variables.
    #[cfg(feature = "ask")]
    pub(crate) fn schema(self) -> Option<&'static Schema<'static>> {
        match self.place {
            Place::Root(list) => root_schema(self.dialect, list),
            Place::Body(table) => Some(table.schema(self.dialect, false)),
            Place::Unknown { .. } => Some(PLAIN.schema(self.dialect, false)),
        }
    }

    /// The nested blocks of a body that the tools define, in any order.
    #[cfg(feature = "rules")]
    pub(crate) fn blocks_of<'a>(self, body: Body<'a>) -> Vec<Block<'a>> {
        let schema = match self.place {
            Place::Root(list) => root_schema(self.dialect, list),
            Place::Body(table) if table.has_blocks() => Some(table.schema(self.dialect, false)),
            Place::Body(_) | Place::Unknown { .. } => None,
        };
        let mut blocks = Vec::new();
        if let Some(schema) = schema {
            body.visit_blocks(schema, &mut (), |block, _| blocks.push(block));
        }
        blocks
    }

    /// The releases of OpenTofu and Terraform that have an argument or a nested block type; `None` if a
    /// plugin defines it.
    #[cfg(feature = "rules")]
    pub(crate) fn releases(self, name: &str) -> Option<(Release, Release)> {
        match self.place {
            Place::Body(table) => table.releases(name),
            Place::Root(_) | Place::Unknown { .. } => None,
        }
    }

    /// Whether it has arguments or nested block types that not all releases have.
    #[cfg(feature = "rules")]
    pub(crate) fn has_new(self) -> bool {
        matches!(self.place, Place::Body(table) if table.has_new())
    }

    /// Whether a plugin defines its other arguments and nested blocks.
    pub(crate) fn is_of_plugin(self) -> bool {
        match self.place {
            Place::Root(_) => false,
            Place::Body(table) => table.has_plugin(),
            Place::Unknown { is_of_plugin, .. } => is_of_plugin,
        }
    }
}

/// The arguments of a block at the root; `None` if it does not belong there.
pub(super) fn table_of(kind: BlockKind, dialect: Dialect, list: List) -> Option<&'static Table> {
    let (is_packer, is_stack) = (dialect == Dialect::Packer, list == List::Component);
    Some(match kind {
        BlockKind::Terraform => &modules::TERRAFORM,
        BlockKind::Language => &modules::LANGUAGE,
        BlockKind::RequiredProviders if is_stack => &modules::REQUIRED_PROVIDERS,
        BlockKind::RequiredProviders => return None,
        BlockKind::Packer => &packer::PACKER,
        BlockKind::Test => &test_files::TEST,
        BlockKind::Run => &test_files::RUN,
        BlockKind::Variables | BlockKind::Locals => &PLAIN,
        BlockKind::Variable if is_packer => &packer::PACKER_VARIABLE,
        BlockKind::Variable if is_stack => &stacks::STACK_VARIABLE,
        BlockKind::Variable => &modules::VARIABLE,
        BlockKind::Local => &packer::PACKER_LOCAL,
        BlockKind::Output if is_stack => &stacks::STACK_OUTPUT,
        BlockKind::Output => &modules::OUTPUT,
        BlockKind::Module => &modules::CALL,
        BlockKind::Provider if is_stack => &stacks::STACK_PROVIDER,
        BlockKind::Provider => &modules::PROVIDER,
        BlockKind::Data if is_packer => &PLUGIN,
        BlockKind::Source | BlockKind::Communicator => &PLUGIN,
        BlockKind::Resource | BlockKind::Ephemeral => &modules::RESOURCE,
        BlockKind::Data => &modules::DATA,
        BlockKind::Action => &modules::ACTION,
        BlockKind::Moved => &modules::MOVED,
        BlockKind::Import => &modules::IMPORT,
        BlockKind::Removed if is_stack => &stacks::STACK_REMOVED,
        BlockKind::Removed => &modules::REMOVED,
        BlockKind::Check => &modules::CHECK,
        BlockKind::MockProvider => &test_files::MOCK_PROVIDER,
        BlockKind::OverrideResource | BlockKind::OverrideData => &test_files::OVERRIDE,
        BlockKind::OverrideModule => &test_files::OVERRIDE_MODULE,
        BlockKind::List => &modules::LIST,
        BlockKind::MockResource | BlockKind::MockData => &test_files::MOCK_RESOURCE,
        BlockKind::Component => &stacks::COMPONENT,
        BlockKind::Stack => &stacks::STACK,
        BlockKind::Deployment => &stacks::DEPLOYMENT,
        BlockKind::DeploymentGroup => &stacks::DEPLOYMENT_GROUP,
        BlockKind::DeploymentAutoApprove => &stacks::DEPLOYMENT_AUTO_APPROVE,
        BlockKind::Orchestrate => &stacks::ORCHESTRATE,
        BlockKind::IdentityToken => &stacks::IDENTITY_TOKEN,
        BlockKind::Store => &stacks::STORE,
        BlockKind::PublishOutput => &stacks::PUBLISH_OUTPUT,
        BlockKind::UpstreamInput => &stacks::UPSTREAM_INPUT,
        BlockKind::StateStoreProvider => &modules::REQUIRED_PROVIDERS,
        BlockKind::From => &policies::FROM,
        BlockKind::Policy => &policies::POLICY,
        BlockKind::Input => &policies::INPUT,
        BlockKind::ResourcePolicy => &policies::RESOURCE_POLICY,
        BlockKind::ProviderPolicy | BlockKind::ModulePolicy => &policies::OTHER_POLICY,
        BlockKind::Build => &packer::BUILD,
        BlockKind::HcpPackerRegistry => &packer::REGISTRY,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(not(any(feature = "ask", feature = "rules")))]
    use crate::dialect::root_schema;

    /// Every block type that files may have is in the grammar, with the same number of labels.
    #[test]
    fn files_have_the_blocks_of_their_dialects() {
        for dialect in Dialect::ALL {
            for list in [
                List::Primary,
                List::Test,
                List::Query,
                List::Mock,
                List::Component,
                List::Deployment,
                List::Migration,
                List::Policy,
            ] {
                if dialect == Dialect::Packer && list != List::Primary {
                    continue;
                }
                for block in root_schema(dialect, list).map_or(&[][..], |schema| schema.blocks()) {
                    let known = Grammar::of_file(Some((dialect, list))).block(block.block_type);
                    let is_misplaced =
                        block.block_type == "required_providers" && list != List::Component;
                    assert_eq!(
                        known.map(|(labels, _)| labels),
                        (!is_misplaced).then_some(block.labels.len()),
                        "{}",
                        block.block_type
                    );
                }
            }
        }
    }

    #[test]
    fn arguments_are_read_as_their_rows_say() {
        let file = Grammar::of_file(Some((Dialect::Terraform, List::Primary)));
        let (_, terraform) = file.block("terraform").unwrap();
        assert_eq!(terraform.reading("required_version"), Reading::Literal);
        let (_, store) = terraform.block("state_store").unwrap();
        assert_eq!(store.reading("path"), Reading::Literal);
        let (_, resource) = file.block("resource").unwrap();
        let (labels, dynamic) = resource.block("dynamic").unwrap();
        assert_eq!((labels, dynamic.reading("iterator")), (1, Reading::Bare));
        assert!(file.block("data").unwrap().1.block("connection").is_none());
    }
}
