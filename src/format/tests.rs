use super::{Style, format};
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::source::Source;
use crate::structure::File;

fn formatted(text: &str, style: Style) -> String {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "main.tf", text.as_bytes()).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let file = File::parse(&arena, source, &mut found);
    format(file, style, &mut found).unwrap_or_else(|| panic!("{text}: {found:?}"))
}

/// The results of hclwrite, and of Terraform's command that uses it, for the same texts.
const CASES: &[(&str, &str)] = &[
    ("", ""),
    ("\u{feff}a=1", "a = 1"),
    (" ", " "),
    ("a=1 \n b=2 \t", "a = 1\nb = 2  "),
    ("a=1\nlong = 2\n\nb=3\n", "a    = 1\nlong = 2\n\nb = 3\n"),
    ("a=1 # x\nlong=2// y\n# z\nb=[1,2]#w", "a    = 1 # x\nlong = 2 // y\n# z\nb = [1, 2] #w"),
    ("a \"b\"   {\n      x=1\n\n}\n", "a \"b\" {\n  x = 1\n\n}\n"),
    ("a {b=1}\nc  { }\n", "a { b = 1 }\nc {}\n"),
    ("a = {\nb=1\nlong=[\n1,\n2,\n]\n}\n", "a = {\n  b = 1\n  long = [\n    1,\n    2,\n  ]\n}\n"),
    ("a = f( 1 , -2,! x )\nb = a . b [ 0 ]\n", "a = f(1, -2, !x)\nb = a.b[0]\n"),
    ("a = 1-2\nb = -1\nc = a ? -1:- 2\n", "a = 1 - 2\nb = -1\nc = a ? -1 : -2\n"),
    ("a = [for x in[b]:x]\n", "a = [for x in [b] : x]\n"),
    ("a = {for k,v in m:k=>v...if v}\n", "a = { for k, v in m : k => v... if v }\n"),
    ("a = \"x ${ b }  y%{if c}z%{ endif }\"\n", "a = \"x ${b}  y%{if c}z%{endif}\"\n"),
    ("a = \"${ {b=1}.b }x\"\n", "a = \"${ { b = 1 }.b}x\"\n"),
    (
        "a   = <<EOT\n  keep   this ${b   }\nEOT\nlong=1\n",
        "a    = <<EOT\n  keep   this ${b}\nEOT\nlong = 1\n",
    ),
    ("a {\nb = <<-EOT\n  x\n  EOT\n}\n", "a {\n  b = <<-EOT\n  x\n  EOT\n}\n"),
    ("a = [ # c\n1, /* d */ 2]\n", "a = [ # c\n1, /* d */ 2]\n"),
    ("a = 1\r\nlong = 2 # x\r\n", "a    = 1\r\nlong = 2 # x\r\n"),
    ("é=1 # x\nbb = \"e\u{301}\" # y\n", "é  = 1   # x\nbb = \"e\u{301}\" # y\n"),
];

#[test]
fn layout() {
    for (text, expected) in CASES {
        assert_eq!(&formatted(text, Style::Packer), expected, "{text}");
        assert_eq!(&formatted(text, Style::Tofu), expected, "{text}");
    }
}

#[test]
fn older_forms() {
    for (text, expected) in [
        ("a = \"${b}\"\n", "a = b\n"),
        ("a = \"${b}${c}\"\n", "a = \"${b}${c}\"\n"),
        ("a = \"${f(\"${b}\")}\"\n", "a = f(\"${b}\")\n"),
        ("a = \"${\n  b\n}\"\n", "a = b\n"),
        ("a = \"${b ?\n1 : 2}\"\n", "a = (b ?\n1 : 2)\n"),
        ("a = \"${(\n1)}\"\n", "a = (\n1)\n"),
        ("a = \"${ # c\nb}\"\n", "a = ( # c\nb)\n"),
        ("a = \"${<<E\nx\nE\n}\"\n", "a = <<E\nx\nE\n"),
        ("a = [\"${b}\"]\n", "a = [\"${b}\"]\n"),
        ("a b /* c */ \"d\\u0065$${\" {}\n", "a \"b\" \"de$${\" {}\n"),
        ("a \"\" {}\n", "a \"\" {}\n"),
        ("a \"x\u{200b}\" {}\n", "a \"x\\u200b\" {}\n"),
        ("variable \"a\" {\n  type = list\n}\n", "variable \"a\" {\n  type = list(any)\n}\n"),
        ("variable \"a\" {\n  type = \"map\"\n}\n", "variable \"a\" {\n  type = map(string)\n}\n"),
        ("variable \"a\" {\n  type = \"string\"\n}\n", "variable \"a\" {\n  type = string\n}\n"),
        ("other \"a\" {\n  type = list\n}\n", "other \"a\" {\n  type = list\n}\n"),
        (
            "variable \"a\" {\n  b {\n    type = list\n  }\n}\n",
            "variable \"a\" {\n  b {\n    type = list\n  }\n}\n",
        ),
    ] {
        assert_eq!(formatted(text, Style::Tofu), expected, "{text}");
        assert!(formatted(text, Style::Packer).len() >= text.len() - 1, "{text}");
    }
}

/// The tools write `a.0.1` here, an error.
#[test]
fn indexes_do_not_become_one_number() {
    for (text, expected) in [
        ("a = b.0 .1\n", "a = b.0 .1\n"),
        ("a = b. 0  . 1 .c . 2\n", "a = b.0 .1.c.2\n"),
        ("a = 1 .0\n", "a = 1 .0\n"),
    ] {
        for style in [Style::Tofu, Style::Packer] {
            let once = formatted(text, style);
            assert_eq!(once, expected);
            assert_eq!(formatted(&once, style), once);
        }
    }
}

#[test]
fn formatting_again_changes_nothing() {
    for (text, _) in CASES {
        for style in [Style::Tofu, Style::Packer] {
            let once = formatted(text, style);
            assert_eq!(formatted(&once, style), once, "{text}");
        }
    }
}

#[test]
fn files_with_errors_stay() {
    let arena = Arena::new();
    for text in ["a = ", "a = 1 +\n", "a {", "{}"] {
        let source = Source::from_bytes(&arena, "main.tf", text.as_bytes()).unwrap();
        let mut found: Vec<Diagnostic<'_>> = Vec::new();
        let file = File::parse(&arena, source, &mut found);
        assert_eq!(format(file, Style::Tofu, &mut found), None);
        assert_eq!(found.len(), 1, "{text}");
    }
}

#[test]
fn tokens_cover_the_text() {
    for (text, _) in CASES {
        let mut end = 0;
        for token in super::tokens(text) {
            let between = &text[end..token.start()];
            assert!(
                between.trim_matches([' ', '\t', '\r', '\u{feff}']).is_empty(),
                "{text:?}: {token:?}"
            );
            assert_eq!(&text[token.start()..token.end()], token.text());
            end = token.end();
        }
        assert!(text[end..].trim().is_empty(), "{text:?}");
    }
    assert!(size_of::<super::Token<'_>>() <= 56);
}
