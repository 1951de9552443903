//! The inputs of the reference's own tables of tests, in `corpus/conformance/hclsyntax/cases.jsonl`,
//! which `make.go` writes; its first lines say what a case is.
//!
//! Verdicts, values, variables, items, places and layouts are the same as the reference's, and so is
//! the first error with its place. `differences.txt` lists the exceptions: our answers, each below a
//! heading that says why it differs. `SIMD_HCL_BLESS=1` updates answers there, and adds those without a reason at
//! the end: the test fails until they have one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use simd_hcl::evaluate::{Function, FunctionError, Functions, Parameter, Scope, Signature};
use simd_hcl::format::{Style, format};
use simd_hcl::native::{Key, Native, StepKind, Traversal};
use simd_hcl::structure::{File, FileBody, Item};
use simd_hcl::value::{Content, Number, Type, Value};
use simd_hcl::{Arena, Diagnostic, Expression, Source};

use crate::notation::{self, show};

/// A question and the answer of the reference.
#[derive(Deserialize)]
struct Case {
    #[serde(rename = "as")]
    kind: String,
    input: String,
    scope: Option<BTreeMap<String, String>>,
    functions: Option<Vec<String>>,
    #[serde(default)]
    errors: Vec<String>,
    #[serde(default)]
    value: String,
    #[serde(default)]
    variables: Vec<String>,
    #[serde(default)]
    items: Vec<String>,
    #[serde(default)]
    format: String,
}

impl Case {
    /// The answer of the reference: its first error, then what it read.
    fn theirs(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.errors.iter().take(1).cloned().collect();
        lines.extend(self.variables.iter().cloned());
        lines.extend([&self.value].into_iter().filter(|value| !value.is_empty()).cloned());
        lines.extend(self.items.iter().cloned());
        lines.extend(self.format.lines().map(str::to_owned));
        lines
    }

    /// Our answer, in which an error has the summary of the reference, if that is the reference's for it.
    fn ours(&self) -> Vec<String> {
        let arena = Arena::new();
        let source = Source::from_bytes(&arena, "input", self.input.as_bytes()).unwrap();
        let mut found: Vec<Diagnostic<'_>> = Vec::new();
        let theirs = self.theirs().join("\n");
        let mut lines = Vec::new();
        match self.kind.as_str() {
            "file" | "format" => {
                let file = File::parse(&arena, source, &mut found);
                file.check(&mut found);
                found.sort_by_key(Diagnostic::span);
                if !found.is_empty() {
                } else if self.kind == "file" {
                    lines = items(&arena, file.body(), &theirs);
                } else {
                    let text = format(file, Style::Packer, &mut found).unwrap();
                    lines = text.lines().map(str::to_owned).collect();
                }
            }
            kind => {
                let native = match kind {
                    "expression" => Native::expression(&arena, source, &mut found),
                    _ => Native::template(&arena, source, &mut found),
                };
                if found.is_empty() {
                    lines = variables(native);
                    let variables = self.scope.iter().flatten();
                    let variables: Vec<_> = variables
                        .map(|(name, value)| (name.as_str(), notation::value(&arena, value)))
                        .collect();
                    let functions = TableFunctions::of(self.functions.iter().flatten());
                    let mut scope = Scope::new();
                    if self.scope.is_some() {
                        scope = scope.with_variables(&variables);
                    }
                    if self.functions.is_some() {
                        scope = scope.with_functions(&functions);
                    }
                    let value = Expression::from_native(native).value(&scope, &mut found);
                    lines.push(shown(&arena, value));
                }
            }
        }
        if let Some(first) = found.first() {
            lines.insert(0, error(first, &theirs));
        }
        lines
    }
}

/// An error as the reference writes it.
fn error(found: &Diagnostic<'_>, theirs: &str) -> String {
    let summaries = found.code().reference_summaries();
    let summary = summaries.iter().find(|it| theirs.contains(**it));
    let summary = summary.copied().unwrap_or(found.code().as_str());
    format!("{summary} {}-{}", found.span().start, found.span().end)
}

/// A value in the notation, without the mark of unknown values that cannot be null, which this version of
/// the reference does not know.
fn shown<'a>(arena: &'a Arena, value: Value<'a>) -> String {
    let text = show(arena, value);
    if text.contains('"') { text } else { text.replace('!', "") }
}

/// The references of an expression with their places, sorted.
fn variables(native: Native<'_>) -> Vec<String> {
    let line = |found: Traversal<'_>| {
        let mut text = String::new();
        for step in found.steps() {
            let _ = match step.kind {
                StepKind::Root(name) => write!(text, "{name}"),
                StepKind::Attribute(name) => write!(text, ".{name}"),
                StepKind::Index(Key::Number(number)) => write!(text, "[{number}]"),
                StepKind::Index(Key::String(key)) => write!(text, "[{key:?}]"),
                StepKind::Index(Key::Bool(truth)) => write!(text, "[{truth}]"),
                _ => write!(text, "[null]"),
            };
        }
        format!("{text} {}-{}", found.span().start, found.span().end)
    };
    let mut lines: Vec<String> = native.variables().map(line).collect();
    lines.sort();
    lines
}

/// The attributes and blocks of a body.
fn items(arena: &Arena, body: FileBody<'_>, theirs: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open = vec![body.items()];
    while let Some(rest) = open.last_mut() {
        match rest.next() {
            Some(Item::Attribute(attribute)) => {
                let span = attribute.span();
                let native = attribute.expression().unwrap();
                let mut found: Vec<Diagnostic<'_>> = Vec::new();
                let value = Expression::from_native(native).value(&Scope::new(), &mut found);
                let mut line = format!("{} {}-{}", attribute.name(), span.start, span.end);
                let _ = write!(line, " = {}", shown(arena, value));
                if let Some(first) = found.first() {
                    let _ = write!(line, " {}", error(first, theirs));
                }
                lines.push(line);
                lines.extend(variables(native).iter().map(|it| format!("  {it}")));
            }
            Some(Item::Block(block)) => {
                let mut line = format!("{} {}", block.block_type(), block.type_span().start);
                for (label, span) in block.labels().zip(block.label_spans()) {
                    let _ = write!(line, " {label:?} {}-{}", span.start, span.end);
                }
                let span = block.body().span();
                lines.push(format!("{line} {{ {}-{}", span.start, span.end));
                open.push(block.body().items());
            }
            None => {
                open.pop();
                if !open.is_empty() {
                    lines.push("}".to_owned());
                }
            }
        }
    }
    lines
}

/// The functions of a case, where `...` means any number of arguments.
struct TableFunctions(Vec<TableFunction>);

struct TableFunction {
    name: String,
    is_variadic: bool,
}

impl TableFunctions {
    fn of<'n>(names: impl Iterator<Item = &'n String>) -> Self {
        let named = names.map(|name| TableFunction {
            name: name.trim_end_matches("...").to_owned(),
            is_variadic: name.ends_with("..."),
        });
        Self(named.collect())
    }
}

impl Functions for TableFunctions {
    fn get(&self, name: &str) -> Option<&dyn Function> {
        self.0.iter().find(|it| it.name == name).map(|it| it as &dyn Function)
    }

    fn names(&self) -> Vec<&str> {
        Vec::new()
    }
}

impl Function for TableFunction {
    fn signature(&self) -> Signature<'_> {
        match self.name.as_str() {
            "upper" => {
                const TEXT: &[Parameter<'_>] =
                    &[Parameter::new("str", Type::String).with_dynamic()];
                Signature::new(TEXT)
            }
            "negate" => {
                const NUMBER: &[Parameter<'_>] =
                    &[Parameter::new("num", Type::Number).with_dynamic()];
                Signature::new(NUMBER)
            }
            "min" => Signature::new(&[])
                .with_variadic(Parameter::new("numbers", Type::Number).with_dynamic()),
            "concat" => Signature::new(&[]).with_variadic(Parameter::new("seqs", Type::Dynamic)),
            _ if !self.is_variadic => Signature::new(&[]),
            _ => Signature::new(&[]).with_variadic(Parameter::new("foo", Type::String)),
        }
    }

    fn result_type<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Type<'a>, FunctionError<'a>> {
        // Even where there is no such argument.
        let refused = FunctionError::of_argument(1, "out of range");
        match self.name.as_str() {
            "upper" => Ok(Type::String),
            "negate" | "min" => Ok(Type::Number),
            "concat" => {
                let parts = arguments.iter().flat_map(|it| it.as_elements().unwrap_or_default());
                let types: Vec<Type<'a>> = parts.map(|it| it.ty()).collect();
                Ok(Type::tuple_of(arena, &types))
            }
            _ => Err(refused),
        }
    }

    fn call<'a>(
        &self,
        arena: &'a Arena,
        arguments: &[Value<'a>],
    ) -> Result<Value<'a>, FunctionError<'a>> {
        let number = |value: &Value<'a>| match value.content() {
            Content::Number(number) => number.to_text(arena).unwrap().parse::<i64>().unwrap(),
            _ => unreachable!(),
        };
        Ok(match (self.name.as_str(), arguments) {
            ("upper", [text]) => match text.content() {
                Content::String(text) => Value::string(arena, arena.str(&text.to_uppercase())),
                _ => unreachable!(),
            },
            ("negate", [of]) => {
                Value::number(Number::from_literal(arena.str(&(-number(of)).to_string())).unwrap())
            }
            ("min", all) => {
                let least = all.iter().map(number).min().unwrap();
                Value::number(Number::from_literal(arena.str(&least.to_string())).unwrap())
            }
            (_, all) => {
                let parts = all.iter().flat_map(|it| it.as_elements().unwrap_or_default());
                Value::tuple(arena, &parts.copied().collect::<Vec<_>>())
            }
        })
    }
}

/// By their question, the reason why our answers differ, and these.
type Differences = BTreeMap<String, (String, Vec<String>)>;

/// The reasons and answers of a file.
fn known(path: &Path) -> (Vec<String>, Differences) {
    let (mut reasons, mut answers) = (Vec::new(), BTreeMap::new());
    let mut open: Option<String> = None;
    let text = fs::read_to_string(path).unwrap_or_default();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(reason) = line.strip_prefix("# ") {
            reasons.push(reason.to_owned());
        } else if let Some(answer) = line.strip_prefix("    ") {
            let lines: &mut (String, Vec<String>) =
                answers.get_mut(open.as_ref().expect("a question")).unwrap();
            lines.1.push(answer.to_owned());
        } else {
            let reason = reasons.last().expect("a reason").clone();
            answers.insert(line.to_owned(), (reason, Vec::new()));
            open = Some(line.to_owned());
        }
    }
    (reasons, answers)
}

/// The heading for answers without a reason.
const UNEXPLAINED: &str = "unexplained";

#[test]
fn tables_of_the_reference() {
    let text = fs::read_to_string(corpus().join("cases.jsonl")).unwrap();
    let path = corpus().join("differences.txt");
    let (mut reasons, known) = known(&path);
    let (mut cases, mut wrong) = (0, String::new());
    let mut differing = Differences::new();
    for line in text.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        cases += 1;
        let (theirs, ours) = (case.theirs(), case.ours());
        if theirs == ours {
            continue;
        }
        let scope = case.scope.iter().flatten();
        let scope: String = scope.map(|(name, it)| format!(" {name}={it}")).collect();
        let question = format!("{} {:?}{scope}", case.kind, case.input);
        let reason = match known.get(&question) {
            Some((reason, answer)) if *answer == ours => reason.clone(),
            before => {
                let _ = writeln!(wrong, "{question}\n  reference {theirs:?}\n  ours      {ours:?}");
                before.map_or(UNEXPLAINED, |(reason, _)| reason).to_owned()
            }
        };
        differing.insert(question, (reason, ours));
    }
    assert!(cases > 650, "{cases} cases");
    for question in known.keys().filter(|it| !differing.contains_key(*it)) {
        let _ = writeln!(wrong, "{question}\n  does not differ any more");
    }
    if std::env::var_os("SIMD_HCL_BLESS").is_some() {
        let mut out = String::new();
        reasons.push(UNEXPLAINED.to_owned());
        for reason in reasons {
            let of_reason: Vec<_> = differing.iter().filter(|(_, it)| it.0 == reason).collect();
            if !of_reason.is_empty() {
                let _ = writeln!(out, "# {reason}\n");
            }
            for (question, (_, answer)) in of_reason {
                let _ = writeln!(out, "{question}");
                answer.iter().for_each(|line| out += &format!("    {line}\n"));
            }
            out.push('\n');
        }
        fs::write(&path, out.trim_end().to_owned() + "\n").unwrap();
        println!("{wrong}");
    } else {
        assert!(wrong.is_empty(), "{cases} cases\n{wrong}");
        assert!(differing.values().all(|it| it.0 != UNEXPLAINED), "differences without a reason");
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/conformance/hclsyntax")
}
