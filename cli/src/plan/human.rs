//! A plan for people: a line for each change, or its leaves.

use std::io::{self, Write};

use simd_hcl::Diagnostic;
use simd_hcl::json::Node;
use simd_hcl::show::rows::{Action, Change, Leaf};
use simd_hcl::show::{ActionKind, CheckCounts, Differences, Plan, Shown};

use super::change::{Changed, NO_ADDRESS, View, creates_first, in_words, shown_name, sign};
use super::report::{Failed, Report};
use crate::printed::{BOLD, DIM, GREEN, RED, RESET, YELLOW};
use crate::rows::{ValueText, text};
use crate::visible::visible;

/// Prints the line of the counts, and whether the plan is complete.
pub(super) fn print_head(headline: &str, plan: Plan<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{headline}{RESET}")?;
    if plan.errored().value() == Some(true) {
        writeln!(out, "{RED}planning failed: the plan is incomplete{RESET}")?;
    }
    if plan.complete().value() == Some(false) {
        writeln!(out, "{YELLOW}the plan is not complete: a later plan will change more{RESET}")?;
    }
    Ok(())
}

impl<'a> Report<'_, 'a> {
    pub(super) fn print(
        &self,
        out: &mut dyn Write,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        self.print_head(out)?;
        for change in self.shown_changes() {
            self.view.print_change(out, change, diagnostics)?;
        }
        if !self.drift.is_empty() {
            writeln!(out, "{BOLD}changed outside of the plan{RESET}")?;
            for change in &self.drift {
                self.view.print_change(out, *change, diagnostics)?;
            }
        }
        self.print_rest(out, diagnostics)
    }

    /// Prints the counts, and whether the plan is complete.
    pub(super) fn print_head(&self, out: &mut dyn Write) -> io::Result<()> {
        print_head(&self.headline(), self.plan, out)
    }

    /// Prints everything after the changes of resources.
    pub(super) fn print_rest(
        &self,
        out: &mut dyn Write,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        self.print_deferred(out, diagnostics)?;
        let mut is_first = true;
        let shown = self.view.shown;
        for output in self.plan.output_rows() {
            let kind = output.kind();
            if kind == ActionKind::NoOp {
                continue;
            }
            if std::mem::take(&mut is_first) {
                writeln!(out, "{BOLD}outputs{RESET}")?;
            }
            let (sign, colour) = sign(kind, false);
            let note = if output.is_sensitive(shown) { " (sensitive)" } else { "" };
            let name = text(output.name(shown));
            writeln!(out, "{colour}{sign:>3}{RESET} {}{DIM}{note}{RESET}", visible(&name))?;
            if self.view.has_leaves() {
                let change = output.change();
                let all = self.view.arguments.values;
                let leaves = if all { change.leaves() } else { change.differences() };
                let entry = change.object().node();
                self.view.print_leaves(out, (entry, leaves), "      ", diagnostics)?;
            }
        }
        let checks = self.checks();
        if checks != CheckCounts::default() {
            writeln!(
                out,
                "{BOLD}checks{RESET} {} pass, {} fail, {} error, {} unknown",
                checks.pass, checks.fail, checks.error, checks.unknown
            )?;
            self.print_failures(out)?;
        }
        Ok(())
    }

    fn print_deferred(
        &self,
        out: &mut dyn Write,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        let mut is_first = true;
        let mut title = |out: &mut dyn Write| match std::mem::take(&mut is_first) {
            true => writeln!(out, "{BOLD}deferred to a later plan{RESET}"),
            false => Ok(()),
        };
        let shown = self.view.shown;
        for one in self.plan.deferred_rows() {
            title(out)?;
            if one.is_action() {
                print_action(one.action(), shown, out)?;
                continue;
            }
            if let Some(change) = one.change() {
                self.view.print_change(out, change, diagnostics)?;
            }
            if let Some(reason) = one.reason(shown) {
                let reason = in_words(&reason);
                writeln!(out, "      {DIM}reason: {}{RESET}", visible(&reason))?;
            }
        }
        let mut is_first = true;
        for action in self.plan.action_rows() {
            if std::mem::take(&mut is_first) {
                writeln!(out, "{BOLD}actions to invoke{RESET}")?;
            }
            print_action(Some(action), shown, out)?;
        }
        Ok(())
    }

    fn print_failures(&self, out: &mut dyn Write) -> io::Result<()> {
        for Failed { status, address, messages } in self.failures() {
            write!(out, "  {RED}{status}{RESET} {}", visible(&address))?;
            for message in messages {
                write!(out, "\n      {}", visible(&message))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Prints the address of an action.
fn print_action(action: Option<Action<'_>>, shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let address = action.and_then(|action| action.address(shown));
    writeln!(out, "  ! {}", visible(address.as_deref().unwrap_or(NO_ADDRESS)))
}

impl View<'_> {
    /// Prints sign, address, actions and notes, without a line feed.
    pub(super) fn print_title(&self, out: &mut dyn Write, entry: Change<'_>) -> io::Result<()> {
        let kind = entry.entry().actions().kind();
        let (sign, colour) = sign(kind, creates_first(entry));
        let address = self.address(entry);
        write!(out, "{colour}{sign:>3}{RESET} {BOLD}{}{RESET}", visible(&address))?;
        write!(out, " {}", shown_name(kind))?;
        if kind == ActionKind::Other {
            let names = entry.actions(self.shown).join(", ");
            write!(out, " ({})", visible(&names))?;
        }
        self.notes(entry).iter().try_for_each(|note| write!(out, " {DIM}{}{RESET}", visible(note)))
    }

    pub(super) fn print_change<'a>(
        &self,
        out: &mut dyn Write,
        entry: Change<'a>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        self.print_title(out, entry)?;
        if self.has_leaves() {
            writeln!(out)?;
            let Some(leaves) = self.leaves(entry) else { return Ok(()) };
            let leaves = (entry.entry().object().node(), leaves);
            return self.print_leaves(out, leaves, "      ", diagnostics);
        }
        // Top-level attributes are enough for a summary.
        let kind = entry.entry().actions().kind();
        let colour = sign(kind, creates_first(entry)).1;
        let Some(changed) = Changed::of(entry, 1, self.shown, diagnostics) else {
            return writeln!(out);
        };
        let mut names: Vec<(&str, bool)> = Vec::new();
        for (name, difference) in changed.iter() {
            match names.last_mut() {
                Some((last, forces)) if *last == name => *forces |= difference.forces_replacement,
                _ => names.push((name, difference.forces_replacement)),
            }
        }
        if matches!(kind, ActionKind::Update | ActionKind::Replace | ActionKind::Other) {
            for (place, (name, forces)) in
                names.iter().filter(|(name, _)| !name.is_empty()).enumerate()
            {
                let comma = if place == 0 { ": " } else { ", " };
                let colour = if *forces { RED } else { colour };
                let mark = if *forces { " # forces replacement" } else { "" };
                write!(out, "{comma}{colour}{}{mark}{RESET}", visible(name))?;
            }
        }
        writeln!(out)
    }

    pub(super) fn print_leaves<'a>(
        &self,
        out: &mut dyn Write,
        (entry, mut leaves): (Node<'a>, Differences<'a>),
        indent: &str,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        while let Some(leaf) = leaves.next_row(entry) {
            let [before, after] = sides(leaf, self.shown);
            let path = path_text(leaf, self.shown);
            write!(out, "{indent}{path}: {RED}{before}{RESET} → {GREEN}{after}{RESET}")?;
            if leaf.forces_replacement(self.shown) {
                write!(out, " {RED}# forces replacement{RESET}")?;
            }
            writeln!(out)?;
        }
        diagnostics.extend_from_slice(leaves.misfits());
        Ok(())
    }
}

/// The values of a leaf, before and after, for people.
pub(super) fn sides<'a>(leaf: Leaf<'_, 'a>, shown: &Shown) -> [ValueText<'a>; 2] {
    [
        ValueText { value: leaf.before(shown), is_partly_unknown: false },
        ValueText { value: leaf.after(shown), is_partly_unknown: leaf.is_unknown(shown) },
    ]
}

/// The path of a leaf for people.
pub(super) fn path_text(leaf: Leaf<'_, '_>, shown: &Shown) -> String {
    let path = text(leaf.path(shown));
    if path.is_empty() { "(value)".to_owned() } else { visible(&path).into_owned() }
}
