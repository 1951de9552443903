//! Cases of your own rules: files or a plan, and the expected findings.
//!
//! ```hcl
//! case "a bucket of the world" {
//!   main  = "resource \"aws_s3_bucket\" \"a\" { acl = \"public-read\" }"
//!   finds = ["aws_s3_bucket.a"]
//! }
//! ```

use super::own::{Kind, OwnRules};
use crate::body::{Attribute, AttributeSchema, Block, Content, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Severity, Sink};
use crate::directory::{MemoryFiles, in_memory};
use crate::document::Document;
use crate::evaluate::{Budget, Meter};
use crate::show::Plan;
use crate::tree::{Tree, TreeOptions};

static CASE: Schema<'static> = Schema::new(
    &[
        AttributeSchema::optional("main"),
        AttributeSchema::optional("files"),
        AttributeSchema::optional("plan"),
        AttributeSchema::required("finds"),
        AttributeSchema::optional("undecided"),
    ],
    &[],
);

/// The largest texts of all cases together, in bytes: modules of many times as many bytes are made of them.
const MOST_TEXT: usize = 4 << 20;

/// A block `case` of a rule.
#[derive(Debug)]
#[non_exhaustive]
pub struct Case<'a> {
    /// The name of the rule.
    pub rule: &'a str,
    /// Its own name.
    pub name: &'a str,
    /// Its place.
    pub label: Label<'a>,
    /// The result that the rule should have.
    pub expected: CaseResult,
    /// The index of the rule among all.
    place: usize,
    input: Input<'a>,
}

#[derive(Debug)]
enum Input<'a> {
    Files(MemoryFiles),
    Plan(&'a str),
}

impl Input<'_> {
    /// The bytes of its texts.
    fn len(&self) -> usize {
        match self {
            Input::Files(files) => files.size(),
            Input::Plan(text) => text.len(),
        }
    }
}

/// The findings of a rule: addresses, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaseResult {
    /// The addresses that are denied or warned of.
    pub finds: Vec<String>,
    /// The addresses for which the condition cannot be decided.
    pub undecided: Vec<String>,
    /// Errors in the files, and in the evaluation of the rule.
    pub errors: Vec<String>,
}

impl<'a> OwnRules<'a> {
    /// The cases of all rules, also of those about plans. Reports those that are invalid to `sink`, and
    /// the first one with which their texts have more than 4 MiB; later ones are left out.
    #[must_use]
    pub fn cases(&self, sink: &mut dyn Sink<'a>) -> Vec<Case<'a>> {
        let mut all = Vec::new();
        let mut bytes = 0;
        for (place, rule) in self.rules().iter().enumerate() {
            for block in rule.cases() {
                let content = block.body().content(&CASE, sink);
                let is_plan = rule.for_each().is_none();
                let Some(input) = input(*block, &content, is_plan, sink) else { continue };
                bytes += input.len();
                if bytes > MOST_TEXT {
                    let why = "the texts of all cases have more than 4 MiB";
                    sink.report(invalid(block.definition_label(), why));
                    return all;
                }
                let expected = CaseResult {
                    finds: addresses(content.attribute("finds"), sink),
                    undecided: addresses(content.attribute("undecided"), sink),
                    errors: Vec::new(),
                };
                let name = block.label(0).unwrap_or_default();
                let label = block.label_place(0);
                all.push(Case { rule: rule.name(), name, label, expected, place, input });
            }
        }
        all
    }

    /// Runs the rule of each case. All conditions and messages together have one budget, such as
    /// [`Budget::DEFAULT`]: cases that it does not suffice for have an error.
    ///
    /// Cost: that of [`Tree::load`] and [`OwnRules::check`] for the files of each case, or that of reading
    /// its plan.
    #[must_use]
    pub fn run(&self, cases: &[Case<'a>], budget: Budget) -> Vec<CaseResult> {
        let meter = Meter::new(budget);
        cases.iter().map(|case| self.run_within(case, &meter)).collect()
    }

    fn run_within(&self, case: &Case<'a>, meter: &Meter) -> CaseResult {
        if meter.exhausted().is_some() {
            let error =
                "not run: the cases before it took all that the evaluation of cases may take";
            return CaseResult { errors: vec![error.to_owned()], ..CaseResult::default() };
        }
        let arena = case.label.source.arena();
        let mut result = CaseResult::default();
        match &case.input {
            Input::Files(files) => {
                let modules = in_memory(files.clone(), None);
                let tree = Tree::load(arena, modules, &TreeOptions::default());
                let is_error = |it: &&Diagnostic<'a>| it.severity() == Severity::Error;
                result.errors.extend(tree.diagnostics().filter(is_error).map(ToString::to_string));
                for outcome in self.outcomes(&tree, case.place, meter) {
                    match outcome.kind {
                        Kind::Found => result.finds.push(outcome.key),
                        Kind::Undecided => result.undecided.push(outcome.key),
                        Kind::Error => result.errors.push(outcome.diagnostic.to_string()),
                    }
                }
            }
            Input::Plan(text) => {
                let mut said: Vec<Diagnostic<'a>> = Vec::new();
                let plan = match Document::parse_bytes(arena, "plan.json", text.as_bytes()) {
                    Ok(document) => Plan::of(document, &mut said),
                    Err(error) => {
                        result.errors.push(error.to_string());
                        None
                    }
                };
                let place = case.place as u32;
                let checked = plan.map(|plan| self.rules().check_rule(place, plan, meter));
                for finding in checked.into_iter().flat_map(|checked| checked.findings) {
                    let address = finding.change().address().value().unwrap_or_default().to_owned();
                    match finding.diagnostic().code() {
                        Code::UndecidedRule => result.undecided.push(address),
                        Code::RuleError => result.errors.push(finding.diagnostic().to_string()),
                        _ => result.finds.push(address),
                    }
                }
                let errors = said.iter().filter(|it| it.severity() == Severity::Error);
                result.errors.extend(errors.map(ToString::to_string));
            }
        }
        result.finds.sort();
        result.undecided.sort();
        result
    }
}

/// The files or the plan of a case; `None` if it has none, or something else, which is reported.
fn input<'a>(
    block: Block<'a>,
    content: &Content<'a>,
    is_plan: bool,
    sink: &mut dyn Sink<'a>,
) -> Option<Input<'a>> {
    let given = ["main", "files", "plan"].map(|name| content.attribute(name));
    match (given, is_plan) {
        ([None, None, Some(plan)], true) => Some(Input::Plan(text(plan, sink)?)),
        ([Some(main), None, None], false) => {
            let mut files = MemoryFiles::new("");
            insert(&mut files, "main.tf", text(main, sink)?, main, sink)?;
            Some(Input::Files(files))
        }
        ([None, Some(all), None], false) => {
            let mut files = MemoryFiles::new("");
            let value = all.expression().constant_value(sink);
            let Some(entries) = value.as_entries() else {
                let label = all.expression().label();
                sink.report(invalid(label, "the files of a case are a map of texts"));
                return None;
            };
            for (name, value) in entries {
                let Some(text) = value.as_str() else {
                    sink.report(invalid(all.expression().label(), "the files of a case are texts"));
                    return None;
                };
                insert(&mut files, name, text, all, sink)?;
            }
            Some(Input::Files(files))
        }
        (_, true) => {
            let why = "a case of a rule about changes has a \"plan\", and no other files";
            sink.report(invalid(block.definition_label(), why));
            None
        }
        (_, false) => {
            let why = "a case of a rule about blocks has either \"main\", the text of main.tf, or \
                       \"files\"";
            sink.report(invalid(block.definition_label(), why));
            None
        }
    }
}

fn insert<'a>(
    files: &mut MemoryFiles,
    name: &str,
    text: &str,
    at: Attribute<'a>,
    sink: &mut dyn Sink<'a>,
) -> Option<()> {
    let inserted = files.insert(name, text.as_bytes().into());
    if let Err(error) = &inserted {
        let label = at.expression().label();
        sink.report(invalid(label, label.source.arena().str(&error.to_string())));
    }
    inserted.ok()
}

/// A text; other values are reported.
fn text<'a>(attribute: Attribute<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
    let value = attribute.expression().constant_value(sink);
    let text = value.as_str();
    if text.is_none() {
        sink.report(invalid(attribute.expression().label(), "it must be a text"));
    }
    text
}

/// A list of addresses, sorted.
fn addresses<'a>(attribute: Option<Attribute<'a>>, sink: &mut dyn Sink<'a>) -> Vec<String> {
    let Some(attribute) = attribute else { return Vec::new() };
    let value = attribute.expression();
    let Some(list) = value.as_list() else {
        sink.report(invalid(value.label(), "it must be a list of addresses"));
        return Vec::new();
    };
    let mut all = Vec::new();
    for element in list {
        match element.to_str() {
            Some(address) => all.push(address.to_owned()),
            None => sink.report(invalid(element.label(), "an address is a text")),
        }
    }
    all.sort();
    all
}

fn invalid<'a>(label: Label<'a>, why: &'a str) -> Diagnostic<'a> {
    Diagnostic::new(Code::InvalidRule, label).with_arguments(&[why])
}
