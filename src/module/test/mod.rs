//! Test files (`.tftest.json`, `.tofutest.json`), which `tofu test` and `terraform test` run.
//!
//! A [`TestFile`] has typed, ordered lists of the blocks of one file. Each block type has its own
//! file here, as the block types of modules have. A test file declares nothing in the module that
//! it tests; [`TestFile::check`] compares the two.
//!
//! The dialects differ: only Terraform has `test` and `variable` blocks, and the arguments
//! `state_key`, `parallel` and `override_during`. It reads the values of overrides as templates,
//! OpenTofu reads them literally.
//!
//! ```
//! use simd_hcl::module::test::TestFile;
//! use simd_hcl::{Arena, Dialect, Document};
//!
//! let arena = Arena::new();
//! let json = br#"{"run": {"first": {"command": "plan"}}}"#;
//! let document = Document::parse_bytes(&arena, "main.tftest.json", json)?;
//! let file = TestFile::read(Dialect::OpenTofu, document, &mut ());
//! assert_eq!(file.runs.len(), 1);
//! # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
//! ```

mod check;
mod command;
pub(crate) mod kinds;
mod mock;
mod plan_options;
mod replacement;
mod run;
mod run_module;
mod settings;
mod target;
mod values;

pub use self::check::TestValues;
pub use self::command::Command;
pub(crate) use self::mock::MockFile;
pub use self::mock::{MockProvider, MockResource};
pub use self::plan_options::{PlanMode, PlanOptions};
pub use self::replacement::Replacement;
pub use self::run::Run;
pub use self::run_module::RunModule;
pub use self::settings::TestSettings;
pub use self::target::Target;

use self::replacement::Targets;
use self::values::{report_broken, values};
use super::block::single;
use super::declarations::{Declarations, duplicate};
use super::dynamic::{Nested, visit_templates};
use super::rules::Rules;
use super::{Config, Provider, ProviderConfigName, Variable};
use crate::body::{Attribute, Block, Body};
use crate::diagnostic::{Label, Sink};
use crate::dialect::{
    BlockKind, Dialect, List, only_beside_modules, only_in_modules, only_in_packer, root_schema,
};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::source::Source;

/// The contents of a test file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestFile<'a> {
    /// The file.
    pub source: Source<'a>,
    /// All of its root blocks, in order.
    pub blocks: &'a [Block<'a>],
    /// Settings for all runs (Terraform).
    pub settings: Option<TestSettings<'a>>,
    /// Values of variables for all runs, as templates.
    pub variables: &'a [Attribute<'a>],
    /// Variables that the file itself declares, by name (Terraform).
    pub declared_variables: Declarations<&'a str, Variable<'a>>,
    /// Provider configurations, by local name and alias. Of duplicates the first counts in
    /// Terraform, the last in OpenTofu.
    pub providers: Declarations<ProviderConfigName<'a>, Provider<'a>>,
    /// Mocked providers, by local name and alias.
    pub mock_providers: Declarations<ProviderConfigName<'a>, MockProvider<'a>>,
    /// Overrides of resources, data sources and modules for all runs, in order.
    pub replacements: Vec<Replacement<'a>>,
    /// The runs, in order.
    pub runs: Vec<Run<'a>>,
}

impl<'a> TestFile<'a> {
    /// Reads a test file.
    ///
    /// Cost: opens the bodies of all blocks, and parses every template of a value or condition.
    #[must_use]
    pub fn read(dialect: Dialect, file: impl Into<Body<'a>>, sink: &mut dyn Sink<'a>) -> Self {
        let rules = Rules::test(dialect);
        let body: Body<'a> = file.into();
        let mut file = Self {
            source: body.source(),
            blocks: &[],
            settings: None,
            variables: &[],
            declared_variables: Declarations::default(),
            providers: Declarations::default(),
            mock_providers: Declarations::default(),
            replacements: Vec::new(),
            runs: Vec::new(),
        };
        let Some(schema) = root_schema(dialect, List::Test) else { return file };
        let content = body.content(schema, sink);
        file.blocks = content.all_blocks();
        file.settings = single(&content, "test", sink).map(|block| TestSettings::read(block, sink));
        file.variables = values(&content, sink);
        let given = |value: &Attribute<'a>| (value.name(), value.label());
        let given: HashMap<_, _> = file.variables.iter().map(given).collect();
        let mut targets = Targets::new(rules);
        let mut names = HashMap::default();
        for &block in file.blocks {
            let Some(kind) = BlockKind::of(block) else { continue };
            match kind {
                BlockKind::Variable => file.declare_variable(block, &given, rules, sink),
                BlockKind::Provider => file.declare_provider(block, rules, sink),
                BlockKind::MockProvider => file.declare_mock(block, rules, sink),
                BlockKind::Run => {
                    let run = Run::read(block, rules, sink);
                    // OpenTofu only prints the name.
                    if rules.is_terraform() {
                        run.check_name(&mut names, sink);
                    }
                    file.runs.push(run);
                }
                BlockKind::OverrideResource
                | BlockKind::OverrideData
                | BlockKind::OverrideModule => {
                    let Some(replacement) = Replacement::read(block, rules, sink) else { continue };
                    targets.add(&replacement, sink);
                    file.replacements.push(replacement);
                }
                // Read above.
                BlockKind::Test | BlockKind::Variables => {}
                only_in_modules!() | only_in_packer!() | only_beside_modules!() => {}
                BlockKind::Locals
                | BlockKind::Data
                | BlockKind::Output
                | BlockKind::RequiredProviders
                | BlockKind::Removed => {}
            }
        }
        file
    }

    /// Visits the expressions that the tools evaluate, or that name files.
    pub(crate) fn visit_values(&self, visit: &mut dyn FnMut(Expression<'a>)) {
        let is_read = |property: &Attribute<'a>| {
            const OTHERS: [&str; 10] = [
                "alias",
                "backend",
                "command",
                "expect_failures",
                "module",
                "parallel",
                "plan_options",
                "providers",
                "state_key",
                "target",
            ];
            !OTHERS.contains(&property.name())
        };
        for block in self.blocks {
            if block.is("test") || block.is("variable") {
                continue;
            }
            for property in block.body().properties().filter(is_read) {
                visit_templates(property, Nested::Unknown, |value, _| visit(value));
            }
        }
    }

    /// Declares a variable. Reports one that has a value in `given`: it can be declared or given,
    /// not both.
    fn declare_variable(
        &mut self,
        block: Block<'a>,
        given: &HashMap<&'a str, Label<'a>>,
        rules: Rules,
        sink: &mut dyn Sink<'a>,
    ) {
        let variable = Variable::read(block, rules, sink);
        let name = variable.name;
        let earlier = match self.declared_variables.declare(name, variable) {
            Ok(()) => given.get(name).copied(),
            Err((earlier, _)) => Some(earlier.block.definition_label()),
        };
        if let Some(earlier) = earlier {
            sink.report(duplicate("variable", block.definition_label(), earlier));
        }
    }

    fn declare_provider(&mut self, block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) {
        let provider = Provider::read(block, rules, sink);
        let escape = provider.escape.map(|block| Config::new(block.body()));
        for property in
            [Some(provider.config), escape].into_iter().flatten().flat_map(Config::properties)
        {
            visit_templates(property, Nested::Unknown, |value, _| report_broken(value, sink));
        }
        let key = provider.config_name();
        if !rules.is_terraform() {
            if let Err((earlier, provider)) = self.providers.declare(key, provider) {
                *earlier = provider;
            }
            return;
        }
        let mock = self.mock_providers.get(key).map(|mock| mock.block);
        match (mock, self.providers.get(key).map(|provider| provider.block)) {
            (None, None) => drop(self.providers.declare(key, provider)),
            (Some(earlier), _) | (None, Some(earlier)) => {
                sink.report(duplicate(
                    "provider configuration",
                    block.definition_label(),
                    earlier.definition_label(),
                ));
            }
        }
    }

    fn declare_mock(&mut self, block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) {
        let mock = MockProvider::read(block, rules, sink);
        let key = mock.config_name();
        let earlier = match rules.is_terraform() {
            true => self.providers.get(key).map(|provider| provider.block),
            // A mock may have the name of a configuration.
            false => None,
        };
        let earlier = match earlier {
            Some(earlier) => earlier,
            None => match self.mock_providers.declare(key, mock) {
                Ok(()) => return,
                Err((earlier, _)) => earlier.block,
            },
        };
        sink.report(duplicate(
            "provider configuration",
            block.definition_label(),
            earlier.definition_label(),
        ));
    }
}
