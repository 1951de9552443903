//! Event streams of `plan -json`, `apply -json`, `query -json` and `test -json`, printed at the end or
//! event by event.

mod markdown;

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::time::Duration;

use simd_hcl::show::{
    ActionKind, EventLog, LogLine, LoggedChange, LoggedCounts, LoggedDiagnostic, LoggedOutput,
    LoggedPolicy, LoggedTests, Operation, Outcome, Shown,
};
use simd_hcl::source::Access;
use simd_hcl::write::{ArrayWriter, Layout, ObjectWriter, Writer};
use simd_hcl::{Arena, Document};

use super::against::Old;
use super::change::{in_words, kind_of_action};
use super::report::others_of;
use crate::args::{self, Common, ListFormat, PlanFormat};
use crate::incomplete::{Incomplete, write_gaps};
use crate::output::{self, Csv, FORMAT_VERSION, Style};
use crate::printed::{BOLD, DIM, RED, RESET, YELLOW, explain, filter_changes};
use crate::stats::count;
use crate::status::{Failure, Status};
use crate::visible::{self, visible};

/// The maximum length of an event in bytes. Longer lines are skipped.
const LONGEST_LINE: u64 = 64 << 20;

/// The interval between checks whether a file has grown.
const PAUSE: Duration = Duration::from_millis(100);

/// The number of slow operations that are printed for people.
const SLOWEST: usize = 10;

/// Prints a summary of a stream.
pub(crate) fn print(bytes: &[u8], plan: &args::Plan, common: &Common) -> Result<Status, Failure> {
    let mut log = EventLog::new();
    log.read_all(bytes);
    finish(&log, plan, common)
}

/// Prints each event of a stream when it arrives, then the summary. Standard input and pipes end
/// when they are closed; a file is read until the program is interrupted.
pub(crate) fn follow(plan: &args::Plan, common: &Common) -> Result<Status, Failure> {
    let fail =
        |error: io::Error| Failure::Message(format!("{}: {error}", visible::path(&plan.file)));
    if plan.format == PlanFormat::ShowJson {
        return Err(no_document());
    }
    let mut log = EventLog::new();
    if plan.file == Path::new("-") {
        follow_lines(io::stdin().lock(), false, &mut log, plan, common).map_err(fail)?;
    } else {
        let opened = Access::NAMED.open(&plan.file);
        let opened = opened.map_err(|error| fail(io::Error::other(error.to_string())))?;
        let grows = opened.stamp().is_some();
        follow_lines(BufReader::new(opened.into_file()), grows, &mut log, plan, common)
            .map_err(fail)?;
    }
    finish(&log, plan, common)
}

fn follow_lines(
    mut input: impl BufRead,
    grows: bool,
    log: &mut EventLog,
    plan: &args::Plan,
    common: &Common,
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let room = LONGEST_LINE.saturating_sub(line.len() as u64);
        let count = (&mut input).take(room.max(1)).read_until(b'\n', &mut line)?;
        if line.len() as u64 >= LONGEST_LINE {
            is_too_long = true;
            line.clear();
        }
        let is_end = count == 0;
        if is_end && grows {
            std::thread::sleep(PAUSE);
            continue;
        }
        let is_whole = line.last() == Some(&b'\n');
        if !is_whole && !is_end {
            continue;
        }
        // The rest of a line that is too long is not an event either.
        let text: &[u8] = if std::mem::take(&mut is_too_long) { b"(a long line)" } else { &line };
        if let Some(said) = log.read(text)
            && plan.format == PlanFormat::Human
            && !common.quiet
        {
            print_line(&said)?;
        }
        line.clear();
        if is_end {
            return Ok(());
        }
    }
}

fn print_line(said: &LogLine) -> io::Result<()> {
    let colour = match said.level.as_str() {
        "error" => RED,
        "warn" => YELLOW,
        _ => "",
    };
    output::text(|out| {
        if let Some(time) = said.timestamp.get(11..19) {
            write!(out, "{DIM}{}{RESET} ", visible(time))?;
        }
        writeln!(out, "{colour}{}{RESET}", visible(&said.text))
    })
}

fn no_document() -> Failure {
    Failure::Message(
        "an event stream does not contain a plan that show-json could print".to_owned(),
    )
}

/// Prints the events. Returns the status, which reflects how the tool ended.
fn finish(log: &EventLog, plan: &args::Plan, common: &Common) -> Result<Status, Failure> {
    let filter = filter_changes(plan)?;
    let wanted = |change: &&LoggedChange| {
        filter.wants_action(kind_of_action(&change.action))
            && filter.wants(&change.resource_type, &change.address)
    };
    let arena = Arena::new();
    let mut said = Vec::new();
    let old = Old::read(&arena, plan, common, &mut said)?;
    let rows = log.changes().iter().chain(log.drift());
    let rows = rows.map(|change| (change.resource_type.as_str(), change.address.as_str()));
    let selected = explain(&filter, rows, "stream", &Shown::everything(), common)?;
    let is_new = |change: &&LoggedChange| old.as_ref().is_none_or(|old| old.lacks(change));
    let changes: Vec<&LoggedChange> = log.changes().iter().filter(wanted).filter(is_new).collect();
    let report = Report {
        log,
        left_out: log.changes().len() - changes.len(),
        changes,
        drift: log.drift().iter().filter(wanted).collect(),
        gaps: old.as_ref().map(|old| old.gaps(true)).unwrap_or_default(),
    };
    let log_gaps = report.log_gaps();
    match plan.format {
        PlanFormat::Human | PlanFormat::Tree => output::text(|out| report.print(out))?,
        PlanFormat::Markdown => {
            let text = report.markdown(plan.max_bytes);
            output::data(|out| out.write_all(text.as_bytes()))?
        }
        PlanFormat::Json => output::data(|out| report.write(out))?,
        PlanFormat::Ndjson => output::data(|out| report.write_lines(out))?,
        PlanFormat::Csv => output::data(|out| report.write_csv(out, common.style()))?,
        _ => return Err(no_document()),
    }
    let has_failed = log.has_failed();
    let mut out = anstream::stderr().lock();
    for diagnostic in said.iter().filter(|_| !common.quiet) {
        writeln!(out, "{}", visible::line(&diagnostic.to_string()))?;
    }
    drop(out);
    match plan.format {
        PlanFormat::Json | PlanFormat::Ndjson => report.gaps.print(ListFormat::Json, common),
        PlanFormat::Csv => {
            let mut gaps = report.gaps;
            gaps.append(log_gaps);
            gaps.print(ListFormat::Csv, common);
        }
        _ => report.gaps.print(ListFormat::Human, common),
    }
    Ok(match has_failed {
        true => Status::Found,
        // The exit status of the tools: 2 means that there are changes.
        false if plan.detailed_exitcode && !log.changes().is_empty() => Status::CouldNotRun,
        false => selected,
    })
}

/// Returns the sign of an action, and its colour. A stream does not say in which order a replacement is.
fn sign(action: &str) -> (&'static str, &'static str) {
    super::change::sign(kind_of_action(action), false)
}

/// The requested report on a stream.
struct Report<'l> {
    log: &'l EventLog,
    changes: Vec<&'l LoggedChange>,
    drift: Vec<&'l LoggedChange>,
    /// The number of changes that are not selected.
    left_out: usize,
    gaps: Incomplete,
}

impl Report<'_> {
    /// Returns one line about the selected changes and the others.
    fn headline(&self) -> String {
        let mut counts: Vec<String> = Vec::new();
        for kind_of in ActionKind::ALL {
            let is_kind = |change: &&&LoggedChange| kind_of_action(&change.action) == kind_of;
            let count = self.changes.iter().filter(is_kind).count();
            if count > 0 {
                counts.push(format!("{count} {}", kind_of.name().replace('_', "-")));
            }
        }
        let found = self.log.found().len();
        let others =
            [self.tests_line(), (found > 0).then(|| format!("{} found", count(found, "resource")))];
        let others: Vec<String> = others.into_iter().flatten().collect();
        if counts.is_empty() && self.left_out == 0 && !others.is_empty() {
            return others.join(", ");
        }
        counts.extend(others);
        match (counts.is_empty(), self.left_out) {
            (true, 0) => "no changes".to_owned(),
            (true, others) => {
                format!("no change is selected; the stream has {}", count(others, "change"))
            }
            (false, 0) => counts.join(", "),
            (false, others) => {
                format!("{} ({} not selected)", counts.join(", "), others_of(others))
            }
        }
    }

    /// Returns the results of tests in words; `None` for a stream without tests.
    fn tests_line(&self) -> Option<String> {
        let runs = self.log.runs();
        let of = |wanted: &str| runs.iter().filter(|run| run.status == wanted).count() as u64;
        let (passed, failed, errored, skipped) = match self.log.tests() {
            Some(tests) => (tests.passed, tests.failed, tests.errored, tests.skipped),
            None if runs.is_empty() => return None,
            None => (of("pass"), of("fail"), of("error"), of("skip")),
        };
        Some(format!(
            "tests: {passed} passed, {failed} failed, {errored} with errors, {skipped} skipped"
        ))
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{BOLD}{}{RESET}", self.headline())?;
        self.changes.iter().try_for_each(|change| print_change(change, out))?;
        if !self.drift.is_empty() {
            writeln!(out, "{BOLD}changed outside of the plan{RESET}")?;
            self.drift.iter().try_for_each(|change| print_change(change, out))?;
        }
        self.print_others(out)?;
        if !self.log.outputs().is_empty() {
            writeln!(out, "{BOLD}outputs{RESET}")?;
        }
        for output in self.log.outputs() {
            let name = visible(&output.name);
            let (sign, colour) =
                if output.action.is_empty() { ("", "") } else { sign(&output.action) };
            write!(out, "{colour}{sign:>3}{RESET} {name}")?;
            match &output.value {
                Some(value) => writeln!(out, " = {}", visible(value))?,
                None if output.is_sensitive => writeln!(out, " {DIM}(sensitive){RESET}")?,
                None => writeln!(out)?,
            }
        }
        self.print_operations(out)?;
        for diagnostic in self.log.diagnostics() {
            print_diagnostic(diagnostic, out)?;
        }
        for counts in self.log.counts() {
            let (operation, text) = (visible(&counts.operation), text_of_counts(counts));
            writeln!(out, "{BOLD}{operation}{RESET} {text}")?;
        }
        if let Some(seconds) = self.log.seconds() {
            let (name, version) = self.log.tool().unwrap_or(("the tool", ""));
            writeln!(out, "{DIM}{name} {}: {seconds:.1} s{RESET}", visible(version))?;
        }
        for gap in self.log_gaps().iter() {
            let places = gap.places.iter().filter(|_| gap.what == "events");
            let types: String = places.map(|place| format!("{place}: ")).collect();
            writeln!(out, "{YELLOW}{}{}{RESET}", visible(&types), gap.why)?;
        }
        Ok(())
    }

    /// Prints the events that are neither changes nor operations.
    fn print_others(&self, out: &mut dyn Write) -> io::Result<()> {
        for (title, lines) in self.others() {
            if !lines.is_empty() {
                writeln!(out, "{BOLD}{title}{RESET}")?;
            }
            lines.iter().try_for_each(|line| writeln!(out, "    {}", visible(line)))?;
        }
        Ok(())
    }

    /// Returns lines about the events that are neither changes nor operations, by title.
    fn others(&self) -> [(&'static str, Vec<String>); 5] {
        let log = self.log;
        let deferred = log.deferred().iter().map(|it| {
            format!("{} {} ({})", it.change.address, it.change.action, in_words(&it.reason))
        });
        let actions = log.actions().iter().map(|it| match it.resource.is_empty() {
            true => it.address.clone(),
            false => format!("{} for {}", it.address, it.resource),
        });
        let policies = log.policies().iter().filter(|it| it.has_failed()).map(|it| {
            let LoggedPolicy { address, target, result, enforcement, .. } = it;
            let level =
                if enforcement.is_empty() { String::new() } else { format!(" ({enforcement})") };
            format!("{address} of {target}: {result}{level}")
        });
        let found = log.found().iter().map(|it| format!("{} {}", it.address, it.name));
        let runs = log.runs().iter().filter(|it| !matches!(&*it.status, "pass" | "skip"));
        let runs = runs.map(|it| format!("{} {}: {}", it.path, it.run, it.status));
        [
            ("deferred to a later plan", deferred.collect()),
            ("actions to invoke", actions.collect()),
            ("policies that do not hold", policies.collect()),
            ("found", found.collect()),
            ("tests", runs.collect()),
        ]
    }

    /// Prints the operations that failed or have not ended, then the slowest.
    fn print_operations(&self, out: &mut dyn Write) -> io::Result<()> {
        let operations = self.log.operations();
        let of = |outcome: Outcome| operations.iter().filter(move |it| it.outcome == outcome);
        for (outcome, title) in [(Outcome::Errored, "failed"), (Outcome::Running, "not ended")] {
            let mut found = of(outcome).peekable();
            if found.peek().is_some() {
                writeln!(out, "{BOLD}{title}{RESET}")?;
                found.try_for_each(|operation| print_operation(operation, out))?;
            }
        }
        let mut slowest: Vec<&Operation> = of(Outcome::Complete)
            .filter(|operation| operation.seconds.is_some_and(|seconds| seconds >= 0.05))
            .collect();
        slowest.sort_by(|one, other| {
            other.seconds.unwrap_or_default().total_cmp(&one.seconds.unwrap_or_default())
        });
        slowest.truncate(SLOWEST);
        if !slowest.is_empty() {
            writeln!(out, "{BOLD}slowest{RESET}")?;
        }
        slowest.into_iter().try_for_each(|operation| print_operation(operation, out))
    }

    /// Returns the gaps of the stream.
    fn log_gaps(&self) -> Incomplete {
        let mut gaps = Incomplete::default();
        if let Some(first) = self.log.first_foreign_line() {
            let count = self.log.foreign_lines();
            let lines =
                if count == 1 { "1 line is".to_owned() } else { format!("{count} lines are") };
            let why = format!("{lines} not an event, the first is line {first}");
            gaps.add("lines", format!("line {first}"), why);
        }
        for unknown in self.log.unknown_events() {
            let why = format!(
                "{} of this type, which is not known, the first in line {}",
                count(usize::try_from(unknown.count).unwrap_or(usize::MAX), "event"),
                unknown.first_line,
            );
            gaps.add("events", unknown.event_type.as_str(), why);
        }
        gaps
    }

    fn write_incomplete(&self, mut list: ArrayWriter<'_, '_>) {
        write_gaps(&mut list, &self.log_gaps());
        write_gaps(&mut list, &self.gaps);
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = Writer::new(out, Layout::Pretty);
        let mut object = writer.value().object();
        object.key("format_version").string(FORMAT_VERSION);
        if let Some((name, version)) = self.log.tool() {
            object.key("tool").string(name);
            object.key("terraform_version").string(version);
        }
        if let Some((started, ended)) = self.log.times() {
            object.key("started").string(started);
            object.key("ended").string(ended);
        }
        if let Some(seconds) = self.log.seconds() {
            object.key("seconds").number(&format!("{seconds:.6}"));
        }
        for (name, changes) in [("changes", &self.changes), ("drift", &self.drift)] {
            let mut list = object.key(name).array();
            changes.iter().for_each(|change| write_change(change, list.element().object()));
            list.end();
        }
        let mut list = object.key("counts").array();
        for counts in self.log.counts() {
            let mut object = list.element().object();
            object.key("operation").string(&counts.operation);
            let numbers = [
                ("add", counts.add),
                ("change", counts.change),
                ("import", counts.import),
                ("remove", counts.remove),
                ("forget", counts.forget),
                ("action_invocation", counts.action_invocation),
            ];
            numbers.into_iter().for_each(|(name, count)| object.key(name).unsigned(count));
        }
        list.end();
        let mut list = object.key("operations").array();
        for operation in self.log.operations() {
            let mut object = list.element().object();
            object.key("address").string(&operation.address);
            object.key("action").string(&operation.action);
            object.key("outcome").string(operation.outcome.name());
            if let Some(seconds) = operation.seconds {
                object.key("seconds").number(&format!("{seconds:.6}"));
            }
        }
        list.end();
        let mut list = object.key("outputs").array();
        for output in self.log.outputs() {
            write_output(output, list.element().object());
        }
        list.end();
        let mut list = object.key("diagnostics").array();
        for diagnostic in self.log.diagnostics() {
            write_diagnostic(diagnostic, list.element().object());
        }
        list.end();
        self.write_others(&mut object);
        self.write_incomplete(object.key("incomplete").array());
        object.end();
        writer.finish()?;
        writeln!(out)
    }

    /// Writes the events that are neither changes nor operations.
    fn write_others(&self, object: &mut ObjectWriter<'_, '_>) {
        let log = self.log;
        let mut list = object.key("deferred").array();
        for deferred in log.deferred() {
            let mut object = list.element().object();
            object.key("reason").string(&deferred.reason);
            write_change(&deferred.change, object.key("change").object());
        }
        list.end();
        let mut texts = |name: &str, rows: Vec<Vec<(&str, &str)>>| {
            let mut list = object.key(name).array();
            for row in rows {
                let mut object = list.element().object();
                row.into_iter().for_each(|(name, text)| object.key(name).string(text));
            }
        };
        let actions = log.actions().iter();
        let actions = actions.map(|it| {
            vec![("address", &*it.address), ("type", &it.action_type), ("resource", &it.resource)]
        });
        texts("action_invocations", actions.collect());
        let policies = log.policies().iter().map(|it| {
            let LoggedPolicy { address, target, result, enforcement, .. } = it;
            vec![
                ("address", &**address),
                ("target", target),
                ("result", result),
                ("enforcement_level", enforcement),
            ]
        });
        texts("policies", policies.collect());
        let found = log.found().iter().map(|it| {
            vec![("address", &*it.address), ("type", &it.resource_type), ("name", &it.name)]
        });
        texts("found", found.collect());
        let runs = log
            .runs()
            .iter()
            .map(|it| vec![("path", &*it.path), ("run", &it.run), ("status", &it.status)]);
        texts("test_runs", runs.collect());
        if let Some(tests) = log.tests() {
            let mut object = object.key("test_summary").object();
            object.key("status").string(&tests.status);
            let LoggedTests { passed, failed, errored, skipped, .. } = *tests;
            let numbers = [
                ("passed", passed),
                ("failed", failed),
                ("errored", errored),
                ("skipped", skipped),
            ];
            numbers.into_iter().for_each(|(name, count)| object.key(name).unsigned(count));
        }
    }

    fn write_csv(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let mut text = Vec::new();
        let mut csv = Csv::new(&mut text, style);
        csv.record(["address", "previous_address", "type", "action", "action_reason", "importing"]);
        for change in &self.changes {
            let previous = change.previous_address.as_deref().unwrap_or_default();
            let importing = change.is_import.to_string();
            let LoggedChange { address, resource_type, action, reason, .. } = change;
            csv.record([address, previous, resource_type, action, reason, &importing]);
        }
        out.write_all(&text)
    }

    fn write_lines(&self, out: &mut dyn Write) -> io::Result<()> {
        let has_gaps = !self.log_gaps().is_empty() || !self.gaps.is_empty();
        if self.changes.is_empty() && !has_gaps {
            return Ok(());
        }
        let mut writer = Writer::new(out, Layout::Compact);
        self.changes.iter().for_each(|change| write_change(change, writer.value().object()));
        if has_gaps {
            let mut rest = writer.value().object();
            self.write_incomplete(rest.key("incomplete").array());
        }
        writer.finish()?;
        writeln!(out)
    }
}

/// Returns the tool's own counts as text for people.
fn text_of_counts(counts: &LoggedCounts) -> String {
    let LoggedCounts { add, change, import, remove, forget, action_invocation, .. } = counts;
    let mut text = format!("{add} added, {change} changed, {remove} destroyed");
    for (count, name) in
        [(import, "imported"), (forget, "forgotten"), (action_invocation, "invoked")]
    {
        if *count > 0 {
            // Writing into a string does not fail.
            let _ = write!(text, ", {count} {name}");
        }
    }
    text
}

fn print_change(change: &LoggedChange, out: &mut dyn Write) -> io::Result<()> {
    let (sign, colour) = sign(&change.action);
    let address = visible(&change.address);
    write!(out, "{colour}{sign:>3}{RESET} {BOLD}{address}{RESET} {}", visible(&change.action))?;
    if !change.reason.is_empty() {
        write!(out, " {DIM}({}){RESET}", visible(&in_words(&change.reason)))?;
    }
    if let Some(previous) = &change.previous_address {
        write!(out, " {DIM}(moved from {}){RESET}", visible(previous))?;
    }
    if change.is_import {
        write!(out, " {DIM}(imported){RESET}")?;
    }
    writeln!(out)
}

fn print_operation(operation: &Operation, out: &mut dyn Write) -> io::Result<()> {
    let (address, action) = (visible(&operation.address), visible(&operation.action));
    write!(out, "    {address} {action}")?;
    match operation.seconds {
        Some(seconds) => writeln!(out, " {seconds:.1} s"),
        None => writeln!(out),
    }
}

fn print_diagnostic(diagnostic: &LoggedDiagnostic, out: &mut dyn Write) -> io::Result<()> {
    let (colour, severity) = if diagnostic.is_error { (RED, "error") } else { (YELLOW, "warning") };
    write!(out, "{colour}{severity}{RESET} {BOLD}{}{RESET}", visible(&diagnostic.summary))?;
    if let Some((file, line, column)) = &diagnostic.place {
        write!(out, " {DIM}{}:{line}:{column}{RESET}", visible(file))?;
    }
    if !diagnostic.address.is_empty() {
        write!(out, " {}", visible(&diagnostic.address))?;
    }
    writeln!(out)?;
    diagnostic.detail.lines().try_for_each(|line| writeln!(out, "      {}", visible(line)))
}

fn write_change(change: &LoggedChange, mut object: ObjectWriter<'_, '_>) {
    object.key("address").string(&change.address);
    if let Some(previous) = &change.previous_address {
        object.key("previous_address").string(previous);
    }
    object.key("type").string(&change.resource_type);
    object.key("action").string(&change.action);
    if !change.reason.is_empty() {
        object.key("action_reason").string(&change.reason);
    }
    if change.is_import {
        object.key("importing").bool(true);
    }
}

fn write_output(output: &LoggedOutput, mut object: ObjectWriter<'_, '_>) {
    object.key("name").string(&output.name);
    object.key("sensitive").bool(output.is_sensitive);
    if !output.action.is_empty() {
        object.key("action").string(&output.action);
    }
    let arena = Arena::new();
    let value = output.value.as_deref().unwrap_or_default();
    if let Ok(document) = Document::parse_bytes(&arena, "value", value.as_bytes()) {
        object.key("value").node(document.root());
    }
}

fn write_diagnostic(diagnostic: &LoggedDiagnostic, mut object: ObjectWriter<'_, '_>) {
    object.key("severity").string(if diagnostic.is_error { "error" } else { "warning" });
    object.key("summary").string(&diagnostic.summary);
    object.key("detail").string(&diagnostic.detail);
    if !diagnostic.address.is_empty() {
        object.key("address").string(&diagnostic.address);
    }
    if let Some((file, line, column)) = &diagnostic.place {
        let mut range = object.key("range").object();
        range.key("filename").string(file);
        let mut start = range.key("start").object();
        start.key("line").unsigned(*line);
        start.key("column").unsigned(*column);
        start.end();
        range.end();
    }
}
