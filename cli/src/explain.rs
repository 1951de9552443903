//! `explain`: the documentation of diagnostics.

mod examples;

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;
use simd_hcl::Code;
use simd_hcl::diagnostic::Safety;
use simd_hcl::rules::{self, Opt, Rule};

use self::examples::{Example, File};
use crate::args::{self, Common};
use crate::incomplete::Incomplete;
use crate::output::{self, Csv, Row};
use crate::sarif;
use crate::status::{Failure, Status};

/// The documentation of a code.
#[derive(Serialize)]
struct Explanation {
    code: &'static str,
    severity: &'static str,
    topic: &'static str,
    summary: &'static str,
    /// When the diagnostic is reported.
    description: &'static str,
    /// The message, with … for names and values.
    message: String,
    /// The help text, with … for names and values.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    /// The summaries that the reference implementations use, which may depend on the circumstances.
    reference_summaries: &'static [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<About>,
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<Shown>,
    url: String,
    #[serde(skip)]
    shape: Shape,
}

/// The parts of a diagnostic that only rules have.
#[derive(Serialize)]
struct About {
    /// Whether it is selected unless settings say otherwise.
    default: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'static str>,
    /// The rules of tflint that it stands for.
    tflint: Vec<&'static str>,
    /// The rules of OpenTofu that it stands for.
    opentofu: Vec<&'static str>,
    options: Vec<Setting>,
}

/// An option of a rule.
#[derive(Serialize)]
struct Setting {
    name: &'static str,
    about: &'static str,
}

impl About {
    fn of(rule: &Rule) -> Self {
        let setting = |option: &Opt| Setting { name: option.name, about: option.about };
        Self {
            default: rule.is_default,
            fix: rule.fix.map(Safety::as_str),
            tflint: rule.tflint.iter().map(|it| it.name).collect(),
            opentofu: rule.opentofu.iter().map(|it| it.id).collect(),
            options: rule.options.iter().map(setting).collect(),
        }
    }

    fn print(&self, code: &str, out: &mut dyn Write) -> io::Result<()> {
        match self.default {
            true => writeln!(out, "Selected by default.")?,
            false => writeln!(out, "Selected with `--select {code}`.")?,
        }
        if let Some(fix) = self.fix {
            writeln!(out, "Edit: {fix}.")?;
        }
        if !self.tflint.is_empty() {
            writeln!(out, "In tflint: {}.", self.tflint.join(", "))?;
        }
        if !self.opentofu.is_empty() {
            writeln!(out, "In OpenTofu: {}.", self.opentofu.join(", "))?;
        }
        for Setting { name, about } in &self.options {
            writeln!(out, "Option `{name}`: {about}")?;
        }
        Ok(())
    }
}

/// Files with the diagnostic, and corrected files.
#[derive(Serialize)]
struct Shown {
    /// The arguments of `simd-hcl` that report it.
    command: String,
    wrong: Vec<Text>,
    right: Vec<Text>,
}

#[derive(Serialize)]
struct Text {
    /// The name of the file; `-` is standard input.
    name: &'static str,
    text: &'static str,
}

impl Shown {
    /// `None` if the code cannot have an example.
    fn of(example: &Example) -> Option<Self> {
        let texts =
            |files: &[File]| files.iter().map(|&File { name, text }| Text { name, text }).collect();
        example.none.is_none().then(|| Self {
            command: example.command.clone(),
            wrong: texts(&example.wrong),
            right: texts(&example.right),
        })
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out)?;
        for (what, files) in [("Wrong", &self.wrong), ("Right", &self.right)] {
            for file in files {
                let name = if file.name == "-" { "standard input" } else { file.name };
                match self.command.as_str() {
                    "check" => writeln!(out, "{what}, {name}:\n")?,
                    command => writeln!(out, "{what}, {name} (`simd-hcl {command}`):\n")?,
                }
                for line in file.text.lines() {
                    writeln!(out, "    {line}")?;
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }
}

/// The layout of an explanation for people.
#[derive(Clone, Copy)]
enum Shape {
    /// One line of a list.
    Line,
    /// A page; all but the first start with an empty line.
    Page { is_first: bool },
}

impl Explanation {
    fn of(code: Code, example: Option<&Example>, shape: Shape) -> Self {
        let names = ["…"; 3];
        let rule = rules::rule(code.as_str());
        Self {
            code: code.as_str(),
            severity: code.severity().as_str(),
            topic: rule.map_or(code.topic(), |rule| rule.group.as_str()),
            summary: code.summary(),
            description: rule.map_or(code.note(), |rule| rule.why),
            rule: rule.map(About::of),
            message: code.detail_with(&names),
            // A help text that consists of one argument says nothing without its value.
            help: code.help_with(&names).filter(|help| help != names[0]),
            reference_summaries: code.reference_summaries(),
            example: example.and_then(Shown::of),
            url: sarif::page_of(code.as_str()),
            shape,
        }
    }

    fn print_page(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}[{}]: {}\n", self.severity, self.code, self.summary)?;
        writeln!(out, "{}\n", self.description)?;
        writeln!(out, "Message: {}", self.message)?;
        if let Some(help) = &self.help {
            writeln!(out, "Help: {help}")?;
        }
        if let Some(rule) = &self.rule {
            rule.print(self.code, out)?;
        }
        let references: Vec<String> =
            self.reference_summaries.iter().map(|summary| format!("\"{summary}\"")).collect();
        if self.rule.is_some() {
            // The tools accept what a rule finds.
        } else if references.is_empty() {
            writeln!(out, "The reference implementation does not report this.")?;
        } else {
            writeln!(out, "The reference implementation reports {}.", references.join(" or "))?;
        }
        if let Some(example) = &self.example {
            example.print(out)?;
        }
        writeln!(out, "{}", self.url)
    }
}

impl Row for Explanation {
    const MEMBER: Option<&'static str> = Some("explanations");
    const COLUMNS: &'static [&'static str] =
        &["code", "severity", "topic", "summary", "description", "message", "url"];

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.shape {
            Shape::Line => writeln!(out, "{:<7} {:<36} {}", self.severity, self.code, self.summary),
            Shape::Page { is_first } => {
                if !is_first {
                    writeln!(out)?;
                }
                self.print_page(out)
            }
        }
    }

    fn records(&self, out: &mut Csv<'_>) {
        let Self { code, severity, topic, summary, description, message, url, .. } = self;
        out.record([code, severity, topic, summary, description, message.as_str(), url]);
    }
}

pub(crate) fn run(explain: &args::Explain, common: &Common) -> Result<Status, Failure> {
    let all = explain.codes.is_empty();
    let named = explain.codes.iter().flat_map(|named| named.0.iter().copied());
    let codes: Vec<Code> = if all { args::all_codes().collect() } else { named.collect() };
    let examples: HashMap<&str, Example> =
        examples::all().map(|example| (example.code, example)).collect();
    let rows = codes.into_iter().enumerate().map(|(place, code)| {
        let shape = if all { Shape::Line } else { Shape::Page { is_first: place == 0 } };
        Explanation::of(code, examples.get(code.as_str()), shape)
    });
    output::list(explain.format, common.style(), rows, &Incomplete::default())?;
    Ok(Status::Clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_without_placeholders() {
        let mut examples: HashMap<&str, Example> =
            examples::all().map(|example| (example.code, example)).collect();
        for code in args::all_codes() {
            let example = examples.remove(code.as_str());
            assert!(example.is_some(), "{code} has neither an example nor a reason");
            let mut page = Vec::new();
            let explanation =
                Explanation::of(code, example.as_ref(), Shape::Page { is_first: true });
            explanation.print_page(&mut page).unwrap();
            let page = String::from_utf8(page).unwrap();
            let start = format!("{}[{code}]: ", code.severity().as_str());
            assert!(page.starts_with(&start), "{page}");
            assert!(page.contains(explanation.description) && !page.contains("{0}"), "{page}");
            assert!(page.ends_with(&format!("#{code}\n")), "{page}");
        }
        assert!(examples.is_empty(), "{:?}", examples.keys());
    }
}
