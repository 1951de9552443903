//! `plan_options`: the options of a run's plan.

use crate::body::Block;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::arguments::test_files::PLAN_OPTIONS;
use crate::module::address::{Address, wrong};
use crate::module::block::argument;
use crate::module::meta::dependencies;
use crate::module::provisioner::keyword;
use crate::module::read;
use crate::module::rules::Rules;
use crate::native::Traversal;
use crate::reference::Mode;

/// The kind of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanMode {
    /// `normal`: plans the changes that make objects match the configuration.
    #[default]
    Normal,
    /// `refresh-only`: only updates the state to match existing objects.
    RefreshOnly,
}

/// The options of a run's plan.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PlanOptions<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The mode, a keyword.
    pub mode: PlanMode,
    /// Whether to read objects before; `None` means yes. Read literally.
    pub refresh: Option<bool>,
    /// Objects to replace even if they have not changed.
    pub replace: &'a [Traversal<'a>],
    /// Objects to plan; empty means all.
    pub target: &'a [Traversal<'a>],
}

impl<'a> PlanOptions<'a> {
    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let content = block.body().content(PLAN_OPTIONS.common(), sink);
        let mode = keyword(argument(&content, "mode"), ["normal", "refresh-only"], sink);
        let refresh = argument(&content, "refresh").and_then(|value| read::boolean(value, sink));
        if let (Some("refresh-only"), Some(false), Some(attribute)) =
            (mode, refresh, content.attribute("refresh"))
        {
            sink.report(Diagnostic::new(Code::PlanOptions, attribute.label()));
        }
        let mut list = |name| {
            argument(&content, name).map_or(&[][..], |value| dependencies(value, rules, sink))
        };
        let (replace, target) = (list("replace"), list("target"));
        for &traversal in target {
            if let Err(diagnostic) = Address::of(traversal, rules) {
                sink.report(diagnostic);
            }
        }
        for &traversal in replace {
            let mode = |address: Address<'_>| address.resource.map(|resource| resource.mode);
            match Address::of(traversal, rules).map(mode) {
                Ok(Some(Mode::Managed)) => {}
                Ok(_) => sink.report(wrong(traversal, None, "a managed resource")),
                Err(diagnostic) => sink.report(diagnostic),
            }
        }
        Self {
            block,
            mode: match mode {
                Some("refresh-only") => PlanMode::RefreshOnly,
                _ => PlanMode::Normal,
            },
            refresh,
            replace,
            target,
        }
    }
}
