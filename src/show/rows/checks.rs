//! Conditions and their results.

use std::borrow::Cow;

use super::cell::rows;
use crate::json::Node;
use crate::show::checks::{Check as CheckView, CheckInstance as InstanceView};
use crate::show::field::List;
use crate::show::plan::Plan;
use crate::show::state::State;

/// The conditions of one block.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    view: CheckView<'a>,
}

rows! { Check {
    /// Address of the block
    address "address" Text always = |it, shown| shown.name_of(it.of(), it.display()?.into());
    /// Kind of the block: `resource`, `output_value`, `check` or `var`
    kind "kind" Text always = |it, shown| {
        shown.name_of(it.of(), it.view.address().value()?.kind().value()?.name().into())
    };
    /// Result over all instances: `pass`, `fail`, `error` or `unknown`
    status "status" Text always = |it, shown| {
        shown.name_of(it.of(), it.view.status().value()?.name().into())
    };
}}

impl<'a> Check<'a> {
    /// The conditions of one block.
    #[must_use]
    pub fn new(view: CheckView<'a>) -> Self {
        Self { view }
    }

    /// The view of the document.
    #[must_use]
    pub fn view(self) -> CheckView<'a> {
        self.view
    }

    fn of(self) -> Node<'a> {
        self.view.object().node()
    }

    fn display(self) -> Option<&'a str> {
        self.view.address().value()?.to_display().value()
    }

    /// The results by instance, in the order of the document.
    pub fn instances(self) -> impl Iterator<Item = CheckInstance<'a>> {
        let instances = self.view.instances().value().into_iter().flat_map(List::iter);
        instances.map(move |view| CheckInstance { view, check: self })
    }
}

/// The conditions of one instance.
#[derive(Clone, Copy, Debug)]
pub struct CheckInstance<'a> {
    view: InstanceView<'a>,
    check: Check<'a>,
}

rows! { CheckInstance {
    /// Address of the instance; that of the block if the document has no other
    address "address" Text always = |it, shown| {
        let own = it.view.address().value().and_then(|it| it.to_display().value());
        shown.name_of(it.of(), own.or_else(|| it.check.display())?.into())
    };
    /// Result: `pass`, `fail`, `error` or `unknown`
    status "status" Text always = |it, shown| {
        shown.name_of(it.of(), it.view.status().value()?.name().into())
    };
    /// Messages of the conditions that do not hold
    messages "messages" Texts always = |it, shown| {
        let problems = it.view.problems().value().into_iter().flat_map(List::iter);
        let message = |text| shown.text(it.of(), text);
        let messages = problems.filter_map(|problem| Some(message(problem.message().value()?)));
        messages.collect::<Vec<Cow<'_, str>>>()
    };
}}

impl<'a> CheckInstance<'a> {
    /// The view of the document.
    #[must_use]
    pub fn view(self) -> InstanceView<'a> {
        self.view
    }

    fn of(self) -> Node<'a> {
        self.view.object().node()
    }
}

impl<'a> Plan<'a> {
    /// The blocks with conditions as rows, in the order of the document.
    pub fn check_rows(self) -> impl Iterator<Item = Check<'a>> {
        self.checks().value().into_iter().flat_map(List::iter).map(Check::new)
    }
}

impl<'a> State<'a> {
    /// The blocks with conditions as rows, in the order of the document.
    pub fn check_rows(self) -> impl Iterator<Item = Check<'a>> {
        self.all_checks().map(Check::new)
    }
}
