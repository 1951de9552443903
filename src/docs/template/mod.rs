//! Templates in the language of Go's `text/template`, for the settings `content` and `output.template`.
//!
//! The whole language is read: actions, pipelines, variables, `if`, `with`, `range`, `define`,
//! `template`, `block`, comments and trimming. The functions are those of the language, those of
//! terraform-docs, and those of sprig that compute with texts, numbers, lists and dictionaries.
//! None of them reads the environment, the clock or random numbers, so a page depends on the
//! repository alone.
//!
//! A run has a budget of steps and of bytes. Nesting is limited, and so is recursion.

mod budget;
mod failed;
mod functions;
mod number;
mod parse;
mod patterns;
mod run;
mod scan;
mod sprig;
mod value;

use std::fmt;

use self::failed::Failed;
use self::functions::Functions;
pub(super) use self::functions::{Call, Letters, text, whole};
pub(super) use self::value::{Value, record};

/// An error in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TemplateError {
    /// The line of the template, from 1.
    pub(super) line: usize,
    /// The message.
    pub(super) message: String,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the template: {}", self.line, self.message)
    }
}

/// Returns the text that a template makes of `dot`.
///
/// Cost: a run is limited to a million steps and 64 MiB. A regular expression that is compiled takes at
/// least 4,096 of them.
///
/// # Errors
/// The first error: of the syntax, an unknown function or field, an argument that does not fit, or the
/// limit is reached.
pub(super) fn render<'v>(
    text: &'v str,
    dot: &Value<'v>,
    functions: Functions<'_, 'v>,
) -> Result<String, TemplateError> {
    let run = || {
        let parsed = parse::parse(text)?;
        run::run(&parsed, dot, functions)
    };
    run().map_err(|failed: Failed| TemplateError {
        line: 1 + text.as_bytes()[..failed.at.min(text.len())]
            .iter()
            .filter(|it| **it == b'\n')
            .count(),
        message: failed.message,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        let list =
            |items: &[&str]| Value::list(items.iter().map(|it| Value::text((*it).to_owned())));
        let empty = record([]);
        let dot = record([
            ("Name", Value::text("a_b".to_owned())),
            ("Items", list(&["x", "y"])),
            ("None", list(&[])),
            ("Count", Value::Int(2)),
            ("Empty", empty),
        ]);
        match render(text, &dot, &|_| None) {
            Ok(text) => text,
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn actions_and_trimming() {
        assert_eq!(of("a {{ .Name }} b"), "a a_b b");
        assert_eq!(of("a \n {{- .Name -}} \n b"), "aa_bb");
        assert_eq!(of("a{{/* no */}}b {{- /* no */ -}} c"), "abc");
        assert_eq!(
            of("{{ \"a\\n\\u00e9\" }}{{ `b\\n` }}{{ 'a' }} {{ 1.5 }} {{ -0x10 }}"),
            "a\néb\\n97 1.5 -16"
        );
        assert_eq!(of("{{.Count}}{{ true }}{{ .Items }}"), "2true[x y]");
    }

    #[test]
    fn control() {
        assert_eq!(of("{{ if .None }}a{{ else if .Count }}b{{ else }}c{{ end }}"), "b");
        assert_eq!(of("{{ range .Items }}<{{ . }}{{ $.Name }}>{{ end }}"), "<xa_b><ya_b>");
        assert_eq!(of("{{ range $i, $x := .Items }}{{ $i }}{{ $x }}{{ end }}"), "0x1y");
        assert_eq!(of("{{ range .None }}a{{ else }}none{{ end }}"), "none");
        assert_eq!(of("{{ range .Items }}{{ . }}{{ break }}{{ end }}"), "x");
        assert_eq!(
            of("{{ range .Items }}{{ if eq . \"x\" }}{{ continue }}{{ end }}{{ . }}{{ end }}"),
            "y"
        );
        assert_eq!(
            of("{{ with .Name }}{{ . }}{{ end }}{{ with .None }}a{{ else }}b{{ end }}"),
            "a_bb"
        );
        assert_eq!(of("{{ define \"t\" }}[{{ . }}]{{ end }}{{ template \"t\" .Name }}"), "[a_b]");
        assert_eq!(of("{{ block \"t\" .Count }}<{{ . }}>{{ end }}"), "<2>");
        assert_eq!(of("{{ $a := 1 }}{{ if true }}{{ $a = 2 }}{{ end }}{{ $a }}"), "2");
    }

    #[test]
    fn functions_and_pipelines() {
        assert_eq!(
            of("{{ .Name | upper | printf \"%s-%d-%s\" \"x\" 3 }}{{ .Name | len }}"),
            "x-3-A_B3"
        );
        assert_eq!(of("{{ printf \"%d\" .Name }}"), "line 1 of the template: printf: %d of a text");
        assert_eq!(
            of("{{ printf \"%-4s|%3d|%q|%v|%%\" .Name 7 \"a\" .Items }}"),
            "a_b |  7|\"a\"|[x y]|%"
        );
        assert_eq!(of("{{ len .Items }}{{ index .Items 1 }}{{ slice .Name 0 1 }}"), "2ya");
        assert_eq!(of("{{ and .Name .None }}{{ or .None .Name }}{{ not .Count }}"), "[]a_bfalse");
        assert_eq!(
            of("{{ eq 1 2 1 }}{{ lt 1 2 }}{{ ne \"a\" \"b\" }}{{ ge 2.5 2.5 }}"),
            "truetruetruetrue"
        );
        assert_eq!(
            of("{{ (index .Items 0) | replace \"x\" \"z\" }}{{ join \",\" .Items }}"),
            "zx,y"
        );
        assert_eq!(
            of("{{ dict \"b\" (list \"<&>\\b\\u2028\" 1.5 1e21 0.00001) \"a\" nil | toJson }}"),
            "{\"a\":null,\"b\":[\"\\u003c\\u0026\\u003e\\b\\u2028\",1.5,1e+21,0.00001]}"
        );
        assert_eq!(of("{{ toRawJson \"<&>\" }}"), "\"<&>\"");
        assert_eq!(
            of("{{ toJson . }}"),
            "line 1 of the template: toJson: a record has no JSON here"
        );
        assert_eq!(of("{{ list 1 \"a\" | first }}{{ (dict \"k\" 5).k }}{{ add 1 2 3 }}"), "156");
    }

    #[test]
    fn errors_have_a_line() {
        for (text, error) in [
            ("a\n{{ .Nothing }}", "line 2 of the template: there is no field \"Nothing\""),
            ("{{ nosuch }}", "line 1 of the template: there is no function \"nosuch\""),
            ("{{ if true }}", "line 1 of the template: `{{ end }}` is missing"),
            ("{{ end }}", "line 1 of the template: unexpected `end`"),
            ("{{ .Name", "line 1 of the template: the action is not closed"),
            ("{{ template \"t\" }}", "line 1 of the template: there is no template \"t\""),
            (
                "{{ define \"t\" }}{{ template \"t\" }}{{ end }}{{ template \"t\" }}",
                "line 1 of the template: templates nest too deep",
            ),
            ("{{ $x }}", "line 1 of the template: there is no variable \"$x\""),
            ("{{ index .Items 2 }}", "line 1 of the template: index: 2 is out of range"),
        ] {
            assert_eq!(of(text), error, "{text}");
        }
        let deep = "{{ if true }}".repeat(5000);
        assert_eq!(of(&deep), "line 1 of the template: blocks nest too deep");
        let deep = format!("{{{{ {} }}}}", "(".repeat(5000));
        assert_eq!(of(&deep), "line 1 of the template: parentheses nest too deep");
    }

    #[test]
    fn runs_end_by_the_budget() {
        let mut doubled = String::from("{{ define \"0\" }}x{{ end }}");
        for number in 1..45 {
            let before = number - 1;
            let call = format!("{{{{ template \"{before}\" }}}}");
            doubled.push_str(&format!("{{{{ define \"{number}\" }}}}{call}{call}{{{{ end }}}}"));
        }
        doubled.push_str("{{ template \"44\" }}");
        let lists = " $l".repeat(200);
        for (text, expected) in [
            (doubled.as_str(), "the template takes too much time or memory"),
            ("{{ join (repeat 1000000 \"a\") (until 1000) }}", "join: the result is too large"),
            (
                &format!("{{{{ $l := until 30000 }}}}{{{{ print{lists} }}}}"),
                "print: the result is too large",
            ),
            (
                &format!("{{{{ $l := until 30000 }}}}{{{{ quote{lists} }}}}"),
                "quote: the result is too large",
            ),
            (
                &format!("{{{{ $l := until 30000 }}}}{{{{ without $l{lists} }}}}"),
                "without: the result is too large",
            ),
            ("{{ fromJson (repeat 1000000 \"1,\") }}", "fromJson: the result is too large"),
        ] {
            assert_eq!(of(text), format!("line 1 of the template: {expected}"), "{text}");
        }
        let cut = "{{ trimAll (print (repeat 300000 \"b\") \"a\") (repeat 300000 \"a\") }}";
        assert_eq!(of(cut), "");
    }

    /// Whatever a template is, there is a text or an error.
    #[test]
    fn mutated_templates_have_an_answer() {
        const TOKENS: [&str; 32] = [
            "{{", "}}", "{{-", "-}}", " ", "\n", ".", ".Name", "$", "$x", ":=", "=", "|", "(", ")",
            ",", "range", "if", "else", "end", "with", "define", "template", "\"", "`", "'", "\\",
            "-", "1", "printf", "/*", "é",
        ];
        let mut state = 7_u64;
        let mut below = |bound: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        let mut valid = 0;
        for _ in 0..20_000 {
            let text: String = (0..below(14)).map(|_| TOKENS[below(TOKENS.len())]).collect();
            valid += usize::from(!of(&text).contains("of the template"));
        }
        assert!(valid > 100, "{valid}");
    }
}
