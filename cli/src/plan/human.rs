//! A plan for people: a line for each change, or its leaves.

use std::io::{self, Write};

use simd_hcl::Diagnostic;
use simd_hcl::show::{ActionKind, CheckCounts, Differences, Plan, ResourceChange};

use super::change::{creates_first, is_sensitive_output, shown_name, sign};
use super::report::{Changed, NO_ADDRESS, Report, in_words};
use crate::printed::{BOLD, DIM, GREEN, LeafText, RED, RESET, YELLOW};
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
            self.print_change(out, change, diagnostics)?;
        }
        if !self.drift.is_empty() {
            writeln!(out, "{BOLD}changed outside of the plan{RESET}")?;
            for change in &self.drift {
                self.print_change(out, *change, diagnostics)?;
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
        for (name, change) in self.plan.outputs() {
            let kind = change.actions().value().map_or(ActionKind::Other, |actions| actions.kind());
            if kind == ActionKind::NoOp {
                continue;
            }
            if std::mem::take(&mut is_first) {
                writeln!(out, "{BOLD}outputs{RESET}")?;
            }
            let (sign, colour) = sign(kind, false);
            let note = if is_sensitive_output(change, self.shown) { " (sensitive)" } else { "" };
            writeln!(
                out,
                "{colour}{sign:>3}{RESET} {}{DIM}{note}{RESET}",
                visible(&self.name(name))
            )?;
            if self.arguments.diff || self.arguments.values {
                self.print_leaves(out, self.leaves(change, ""), "      ", diagnostics)?;
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
        for one in self.deferred_changes() {
            title(out)?;
            if let Some(change) = one.resource_change().value() {
                self.print_change(out, change, diagnostics)?;
            }
            if let Some(reason) = one.reason().value() {
                let reason = in_words(reason.name());
                writeln!(out, "      {DIM}reason: {}{RESET}", visible(&reason))?;
            }
        }
        for one in self.deferred_actions() {
            title(out)?;
            let address = one.action_invocation().value().map(|action| self.action(action));
            writeln!(out, "  ! {}", visible(address.as_deref().unwrap_or(NO_ADDRESS)))?;
        }
        let mut is_first = true;
        for action in self.actions() {
            if std::mem::take(&mut is_first) {
                writeln!(out, "{BOLD}actions to invoke{RESET}")?;
            }
            writeln!(out, "  ! {}", visible(&self.action(action)))?;
        }
        Ok(())
    }

    fn print_failures(&self, out: &mut dyn Write) -> io::Result<()> {
        for (status, address, messages) in self.failures() {
            write!(out, "  {RED}{status}{RESET} {}", visible(&address))?;
            for message in messages {
                write!(out, "\n      {}", visible(&message))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Prints sign, address, actions and notes, without a line feed.
    pub(super) fn print_title(
        &self,
        out: &mut dyn Write,
        entry: ResourceChange<'a>,
    ) -> io::Result<()> {
        let kind = entry.actions().kind();
        let (sign, colour) = sign(kind, creates_first(entry));
        let address = self.address(entry);
        write!(out, "{colour}{sign:>3}{RESET} {BOLD}{}{RESET}", visible(&address))?;
        write!(out, " {}", shown_name(kind))?;
        if kind == ActionKind::Other {
            let names: Vec<&str> = entry.actions().iter().map(|action| action.name()).collect();
            write!(out, " ({})", visible(&names.join(", ")))?;
        }
        self.notes(entry).iter().try_for_each(|note| write!(out, " {DIM}{}{RESET}", visible(note)))
    }

    pub(super) fn print_change(
        &self,
        out: &mut dyn Write,
        entry: ResourceChange<'a>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        self.print_title(out, entry)?;
        let address = entry.address().value().unwrap_or(NO_ADDRESS);
        let Some(change) = entry.change().value() else { return writeln!(out) };
        if self.arguments.diff || self.arguments.values {
            writeln!(out)?;
            return self.print_leaves(out, self.leaves(change, address), "      ", diagnostics);
        }
        // Top-level attributes are enough for a summary.
        let kind = entry.actions().kind();
        let colour = sign(kind, creates_first(entry)).1;
        let changed = Changed::of(change, address, 1, self.shown, diagnostics);
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

    pub(super) fn print_leaves(
        &self,
        out: &mut dyn Write,
        mut differences: Differences<'a>,
        indent: &str,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> io::Result<()> {
        while let Some(difference) = differences.next() {
            let is_hidden = self.shown.hides(&difference);
            let before = LeafText { leaf: &difference.before, is_hidden };
            let after = LeafText { leaf: &difference.after, is_hidden };
            let path = self.shown.path(differences.path());
            let path = if path.is_empty() { "(value)".into() } else { visible(&path) };
            write!(out, "{indent}{path}: {RED}{before}{RESET} → {GREEN}{after}{RESET}")?;
            if difference.forces_replacement {
                write!(out, " {RED}# forces replacement{RESET}")?;
            }
            writeln!(out)?;
        }
        diagnostics.extend_from_slice(differences.misfits());
        Ok(())
    }
}
