//! The constructs of a module that releases of the tools warn of, or no longer have.

use super::found::Found;
use super::option::release;
use super::required::Required;
use super::view::View;
use crate::body::Block;
use crate::diagnostic::Label;
use crate::dialect::Dialect;
use crate::dialect::ended::{End, Ended, backend as backend_end, backend_argument, connection};
use crate::evaluate::Release;

/// The last release 1.x that is known here, for modules that require nothing.
const NEWEST: u8 = 99;

/// A construct that some releases no longer have, or warn of.
struct Old<'a> {
    kind: &'static str,
    name: &'a str,
    label: Label<'a>,
    ended: &'static Ended,
}

/// The state of a construct in a release.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// The release has it.
    Has,
    /// The release warns of it.
    Warns,
    /// The release does not have it.
    Lacks,
}

impl State {
    fn of(end: End, minor: u8) -> Self {
        let is_reached = |release: Release| match release {
            Release::Always => true,
            Release::In(first) => first <= minor,
            Release::Never => false,
        };
        match () {
            () if is_reached(end.removed) => Self::Lacks,
            () if is_reached(end.deprecated) => Self::Warns,
            () => Self::Has,
        }
    }
}

/// The newest release of a tool that a module admits.
struct Run<'a> {
    minor: u8,
    /// `None` if it may be either.
    tool: Option<Dialect>,
    /// The place that says so.
    required: Option<Label<'a>>,
}

impl Run<'_> {
    /// The state of a construct, and the tool and the end that decide it. Where the tool may be either,
    /// the one that still has the construct counts.
    fn judge(&self, ended: &Ended) -> (State, &'static str, End) {
        let of = |name, end| (State::of(end, self.minor), name, end);
        let terraform = of("Terraform", ended.terraform);
        let opentofu = of("OpenTofu", ended.opentofu);
        match self.tool {
            Some(Dialect::OpenTofu) => opentofu,
            None if self.minor >= Release::FIRST_OPENTOFU && opentofu.0 < terraform.0 => opentofu,
            _ => terraform,
        }
    }
}

/// The releases that a module, or `--dialect`, asks for.
fn runs<'a>(view: &View<'_, 'a>, found: &Found<'_, 'a>) -> Vec<Run<'a>> {
    if let Some((tool, minor)) = found.options.text("release").and_then(release) {
        return vec![Run { minor, tool: Some(tool), required: None }];
    }
    let required = view.required();
    if required.is_empty() {
        return vec![Run { minor: NEWEST, tool: None, required: None }];
    }
    let run = |it: &Required<'a>| {
        let minor = it.admitted().last()?;
        Some(Run { minor, tool: it.tool, required: Some(it.label) })
    };
    required.iter().filter_map(run).collect()
}

/// Reports the constructs that are in a state in the newest release that may be run.
///
/// Cost: linear in the resources and the settings of the backend.
pub(super) fn check<'a>(view: &View<'_, 'a>, state: State, found: &mut Found<'_, 'a>) {
    let runs = runs(view, found);
    visit(view, found.options.text("release").and_then(release), &mut |old| {
        let judged = runs.iter().map(|run| (run, run.judge(old.ended)));
        let Some((run, (_, tool, end))) = judged.into_iter().find(|(_, it)| it.0 == state) else {
            return;
        };
        let release = if state == State::Lacks { end.removed } else { end.deprecated };
        let what = found.arena.format(format_args!("{} `{}`", old.kind, old.name));
        let release = match release {
            Release::In(minor) => found.arena.format(format_args!("{tool} 1.{minor}")),
            _ => tool,
        };
        let mut reported = found.report(old.label, &[what, release, old.ended.instead]);
        if state == State::Lacks {
            reported = reported.error();
        }
        if let Some(required) = run.required {
            reported.related(required, "required here");
        }
    });
}

/// Visits the constructs of a module that some releases no longer have.
fn visit<'a>(view: &View<'_, 'a>, release: Option<(Dialect, u8)>, visit: &mut dyn FnMut(Old<'a>)) {
    let module = view.module();
    if let Some(block) = module.backend().filter(|it| it.is("backend"))
        && let Some(name) = block.label(0)
    {
        // Others are errors of the module.
        let of_release = || match release {
            Some((_, minor)) if module.has_backend_of(minor) => backend_end(name),
            _ => None,
        };
        if let Some(ended) = of_release().or_else(|| module.old_backend(name)) {
            visit(Old { kind: "backend", name, label: block.label_place(0), ended });
        }
        for property in block.body().properties() {
            if let Some(ended) = backend_argument(name, property.name()) {
                let (name, label) = (property.name(), property.name_label());
                visit(Old { kind: "argument", name, label, ended });
            }
        }
    }
    let mut of_connection = |block: Option<Block<'a>>| {
        let mut properties = block.into_iter().flat_map(|it| it.body().properties());
        let Some(written) = properties.find(|it| it.is_named("type")) else { return };
        if let Some(name) = written.expression().to_str()
            && let Some(ended) = connection(name)
        {
            visit(Old {
                kind: "connection type",
                name,
                label: written.expression().label(),
                ended,
            });
        }
    };
    for resource in &module.resources {
        of_connection(resource.connection());
        resource.provisioners().iter().for_each(|it| of_connection(it.connection));
    }
    for removed in &module.removed {
        removed.provisioners.iter().for_each(|it| of_connection(it.connection));
    }
}
