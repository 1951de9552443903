use std::fmt::Write;

use simd_hcl_corpus::sized;

use super::kernels::assert_same;
use super::{File, FileBody, Item};
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::native::lexer::SKIPPED;
use crate::source::Source;

/// Attributes as `name=text`, blocks as `type label{…}`, in order.
fn dump(body: FileBody<'_>) -> String {
    // A stack of open bodies: blocks may nest deep.
    let mut text = String::new();
    let mut open = vec![body.items().collect::<Vec<_>>().into_iter()];
    while let Some(items) = open.last_mut() {
        match items.next() {
            Some(Item::Attribute(attribute)) => {
                write!(text, "{}={};", attribute.name(), attribute.text()).unwrap();
            }
            Some(Item::Block(block)) => {
                text.push_str(block.block_type());
                block.labels().for_each(|label| write!(text, " {label}").unwrap());
                text.push('{');
                open.push(block.body().items().collect::<Vec<_>>().into_iter());
            }
            None => {
                open.pop();
                if !open.is_empty() {
                    text.push('}');
                }
            }
        }
    }
    text
}

/// Items, and the diagnostics of structure and expressions: code and place.
fn read(text: &str) -> (String, Vec<String>) {
    assert_same(text.as_bytes());
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "test", text.as_bytes()).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let file = File::parse(&arena, source, &mut found);
    file.check(&mut found);
    found.sort_by_key(|it| it.span());
    let named = |it: &Diagnostic<'_>| {
        assert!(it.span().start <= it.span().end && it.span().end as usize <= text.len(), "{it:?}");
        format!("{} {}", it.code(), it.span().start)
    };
    (dump(file.body()), found.iter().map(named).collect())
}

fn clean(text: &str) -> String {
    let (items, found) = read(text);
    assert_eq!(found, [""; 0], "{text}");
    items
}

#[test]
fn attributes_and_blocks() {
    for (text, expected) in [
        ("", ""),
        ("\n\n# a\n", ""),
        ("\u{feff}a = 1", "a=1;"),
        ("a = 1\nb=2\r\nc\t=\t3", "a=1;b=2;c=3;"),
        ("a = 1 # x\nb = 2 // y\nc = /* z */ 3 /* w */\n", "a=1;b=2;c=3;"),
        ("a = 1 /*\n*/ + 2\n", "a=1 /*\n*/ + 2;"),
        ("größe-1 = \"ü\"\n", "größe-1=\"ü\";"),
        ("a {}\n", "a{}"),
        ("a {\n}\n", "a{}"),
        ("a { b = 1 }\n", "a{b=1;}"),
        ("a { # x\n b = 1\n}", "a{b=1;}"),
        ("a b \"c\" \"d e\" {\n  f = 1\n\n  g {\n  }\n}\nh = 1\n", "a b c d e{f=1;g{}}h=1;"),
        ("a \"\\\"\\u0041$${b}\" {}\n", "a \"A${b}{}"),
        ("a \"\" {}\n", "a {}"),
        (
            "a = [\n 1, # x ]\n 2\n]\nb = {\n c = 1\n d : 2, e = 3 }\n",
            "a=[\n 1, # x ]\n 2\n];b={\n c = 1\n d : 2, e = 3 };",
        ),
        ("a = f(\n1,\n2)\n", "a=f(\n1,\n2);"),
        ("a = \"${b[\"}\"]}\"\nc = 1\n", "a=\"${b[\"}\"]}\";c=1;"),
        (
            "a = \"$${\"\nb = \"%%{\"\nc = \"$$$\"\nd = \"\\\"#\"\n",
            "a=\"$${\";b=\"%%{\";c=\"$$$\";d=\"\\\"#\";",
        ),
        ("a = \"${<<E\nx}\nE\n}\"\nb = 1\n", "a=\"${<<E\nx}\nE\n}\";b=1;"),
        ("a = <<E\nb = ${c}\n  E x\n  E\nd = 1\n", "a=<<E\nb = ${c}\n  E x\n  E;d=1;"),
        ("a = <<-E\r\n  b }\r\n  E\r\nd = 1\r\n", "a=<<-E\r\n  b }\r\n  E;d=1;"),
        ("a = [<<E\nx\nE\n, 2]\n", "a=[<<E\nx\nE\n, 2];"),
        // Spaces after the name that ends a heredoc are not part of the value.
        ("a = <<E\nE x\nE \t\nb = 1\n", "a=<<E\nE x\nE;b=1;"),
        ("a = <<-E\r\n  b\r\n  E\t\r\nd = 1\r\n", "a=<<-E\r\n  b\r\n  E;d=1;"),
        ("a = [<<E\nx\nE \n, 2]\n", "a=[<<E\nx\nE \n, 2];"),
        ("a = (b ? <<E\nx\nE \n: <<-F\n F \n)\n", "a=(b ? <<E\nx\nE \n: <<-F\n F \n);"),
        ("a = b + <<E\n${c}\nE  \nd = 1", "a=b + <<E\n${c}\nE;d=1;"),
        ("a {\n  b = <<E\n$${\nE \n}\n", "a{b=<<E\n$${\nE;}"),
        ("a = <<E\nE\u{3000}\nb = 1\n", "a=<<E\nE\u{3000};b=1;"),
        ("a = 1 << 2\n", "a=1 << 2;"),
    ] {
        if text.contains("<< ") {
            assert_eq!(read(text).0, expected, "{text}");
        } else {
            assert_eq!(clean(text), expected, "{text}");
        }
    }
}

/// Each broken construct has one diagnostic, and drops only the item that contains it.
#[test]
fn recovery() {
    let mut wrong = String::new();
    for (text, items, codes) in [
        ("{\"a\": 1}", "", &["json-in-native 0"][..]),
        ("a: 1\nb = 2", "a=1;b=2;", &["colon-for-equals 1"]),
        ("a: {\n b = 1\n}\nc = 2", "a={\n b = 1\n};c=2;", &["colon-for-equals 1"]),
        ("\"a\" = 1\nb = 2", "b=2;", &["quoted-name 0"]),
        ("a\nb = 2", "b=2;", &["invalid-item 0"]),
        ("a.b = 1\nb = 2", "b=2;", &["invalid-item 0"]),
        ("a =\nb = 2", "a=;b=2;", &["missing-argument-value 0"]),
        ("a = # b\nb = 2", "a=;b=2;", &["missing-argument-value 0"]),
        ("a = 1,\nb = 2", "a=1;b=2;", &["comma-after-argument 5"]),
        ("a = 1, b = 2", "a=1;b=2;", &["comma-after-argument 5"]),
        ("a = 1 b = 2\nc = 3", "a=1 b = 2;c=3;", &["missing-line-break 6"]),
        ("a = [1, 2\nb = 3\n", "a=[1, 2;b=3;", &["unterminated-tuple 4"]),
        ("a {\n  b = [1,\n    2\n}\nc = 3\n", "a{b=[1,\n    2;}c=3;", &["unterminated-tuple 10"]),
        ("a {\n  b = [1\n  c = 2\n}\nd = 3\n", "a{b=[1;c=2;}d=3;", &["unterminated-tuple 10"]),
        ("a { b = [1 }\nc = 3\n", "a{b=[1;}c=3;", &["unterminated-tuple 8"]),
        ("a = {\n  b = 1\nc = 2\nd {\n}\n", "a={\n  b = 1;c=2;d{}", &["unterminated-object 4"]),
        ("a = f(1\nb = 2", "a=f(1;b=2;", &["unterminated-call 5"]),
        ("a = \"${b\nc = 2\n", "a=\"${b;c=2;", &["unclosed-interpolation 5"]),
        ("a = [1)\nb = 2", "a=[1);b=2;", &["missing-item-separator 6"]),
        ("a = 1)\nb = 2", "a=1);b=2;", &["missing-line-break 5"]),
        ("a = \"b\nc = 2\n", "a=\"b;c=2;", &["multiline-string 6"]),
        (
            "a = {\n  b = \"c\n  d = 1\n}\ne = 2\n",
            "a={\n  b = \"c\n  d = 1\n};e=2;",
            &["multiline-string 14"],
        ),
        ("a = \"${f(\"b)}\nc = 2\n", "a=\"${f(\"b)};c=2;", &["multiline-string 13"]),
        ("a = 'b'\nc = 2", "a='b';c=2;", &["invalid-character 4"]),
        ("a = “b”\nc = 2", "a=“b”;c=2;", &["invalid-character 4"]),
        ("a 'b' {\n}\nc = 2", "c=2;", &["invalid-character 2"]),
        ("a = <<E\nb\nc = 2", "a=<<E\nb\nc = 2;", &["unterminated-heredoc 4"]),
        ("a = <<E\nb\nE", "a=<<E\nb\nE;", &["unterminated-heredoc 4"]),
        ("a {\n  b = <<E\nc\n}\n", "a{b=<<E\nc\n}\n;}", &["unterminated-heredoc 10"]),
        ("a {\n  b = \"${c", "a{b=\"${c;}", &["unclosed-interpolation 11"]),
        ("a {\n  b {\n    c = 1\n}\nd = 2\n", "a{b{c=1;}d=2;}", &["unclosed-block 8"]),
        ("a {\n  b = 1\n", "a{b=1;}", &["unclosed-block 2"]),
        ("a {\n}\n}\nb = 1", "a{}b=1;", &["unexpected-brace 6"]),
        ("a {\n} b = 1\nc = 2", "a{}b=1;c=2;", &["missing-line-break 6"]),
        ("a {\n  b {\n  } }\nc = 2", "a{b{}}c=2;", &["missing-line-break 14"]),
        ("a {\n b = 1 }\nc = 2", "a{b=1;}c=2;", &["missing-line-break 11"]),
        ("a { b = 1, c = 2 }\nd = 3", "a{b=1;c=2;}d=3;", &["one-line-block 9"]),
        ("a { b = 1\nc = 2\n}\nd = 3", "a{b=1;c=2;}d=3;", &["one-line-block 9"]),
        ("a { b { c = 1 } }\nd = 3", "a{b{c=1;}}d=3;", &["one-line-block 4"]),
        ("a b\n{\n c = 1\n}\nd = 2", "a b{c=1;}d=2;", &["missing-block-body 0"]),
        ("a b\nd = 2", "d=2;", &["missing-block-body 0"]),
        ("a b", "", &["missing-block-body 0"]),
        ("a b = {\n c = 1\n}\nd = 2", "a b{c=1;}d=2;", &["equals-in-block 4"]),
        ("a b = 1\nd = 2", "d=2;", &["equals-in-block 4"]),
        ("a b 1 {\n c = 1\n}\nd = 2", "d=2;", &["invalid-block-header 4"]),
        ("a \"${b}\" {\n}\n", "a ${b}{}", &["template-in-label 3"]),
        ("a \"b {\n c = 1\n}\nd = 2", "a{c=1;}d=2;", &["multiline-string 6"]),
        ("a = 1\na = 2\nb = 3", "a=1;b=3;", &["duplicate-argument 6"]),
        ("a {\n b = 1\n b = 2\n}\na {\n}", "a{b=1;}a{}", &["duplicate-argument 12"]),
        (
            "a = 1\n<<<<<<< x\nb = 1\n=======\nb = 2\n>>>>>>> y\nc = 1\n",
            "a=1;b=1;c=1;",
            &["conflict-marker 6", "duplicate-argument 30"],
        ),
        (
            "<<<<<<< x\na = 1\n>>>>>>> y\n<<<<<<< x\n=======\nb = 2\n>>>>>>> y\n",
            "a=1;b=2;",
            &["conflict-marker 0", "conflict-marker 26"],
        ),
        ("a = 1\n;\nb = 2", "a=1;b=2;", &["invalid-character 6"]),
        ("a = 1;\nb = 2", "a=1;;b=2;", &["invalid-character 5"]),
        ("a = [\nb = 2", "a=[;b=2;", &["unterminated-tuple 4"]),
        ("a = {\n  b = f(1,\nc = 2", "a={\n  b = f(1,;c=2;", &["unterminated-call 13"]),
        ("a = {\nb = 2", "a={;b=2;", &["unterminated-object 4"]),
        ("a = \"${\nb = 2", "a=\"${;b=2;", &["unclosed-interpolation 5"]),
        ("a = 1\r# x\nb = 2", "a=1\r;b=2;", &["invalid-character 5"]),
        ("a = 1 \r\nb = 2\r", "a=1;b=2\r;", &["invalid-character 13"]),
        ("1 = 2\nb = 2", "b=2;", &["item-required 0"]),
        ("/* x", "", &["item-required 0"]),
    ] {
        let (found_items, found) = read(text);
        if (&*found_items, &*found)
            != (items, &*codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>())
        {
            writeln!(wrong, "{text}\n{found_items}\n{found:?}\n").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The indentation of lines indicates where a brace is missing.
#[test]
fn missing_braces_are_looked_for() {
    let arena = Arena::new();
    let text = "a {\n  b = {\n}\nc = 1\n";
    let source = Source::from_bytes(&arena, "test", text.as_bytes()).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    File::parse(&arena, source, &mut found);
    let [found] = &*found else { panic!("{found:?}") };
    assert_eq!((found.code().as_str(), found.span().start), ("unclosed-block", 2));
    assert_eq!(found.related()[0].label.span.start, 10);
}

#[test]
fn bytes_that_are_not_utf_8() {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "test", b"a = \"\xff\"\n").unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    assert_eq!(dump(File::parse(&arena, source, &mut found).body()), "");
    assert_eq!((found[0].code().as_str(), found[0].span().start), ("invalid-utf-8", 5));
}

#[test]
fn comments_belong_to_items() {
    let arena = Arena::new();
    let text = "# alone\n\n// one\n/* two */\na = 1 # three\nb { # four\n  # five\n  c = [ # inside\n  1]\n  # last\n} # six\n# end\n";
    let source = Source::from_bytes(&arena, "test", text.as_bytes()).unwrap();
    let comments: Vec<_> = File::parse(&arena, source, &mut ())
        .comments()
        .map(|it| (it.text(), it.item().map(Item::name), it.leads()))
        .collect();
    assert_eq!(
        comments,
        [
            ("# alone", None, false),
            ("// one", Some("a"), true),
            ("/* two */", Some("a"), true),
            ("# three", Some("a"), false),
            ("# four", Some("b"), false),
            ("# five", Some("c"), true),
            ("# last", None, false),
            ("# six", Some("b"), false),
            ("# end", None, false),
        ]
    );
    // The comment ends before the line break.
    for (text, comment) in [("# a\r\n", "# a"), ("# a\r", "# a\r"), ("# a", "# a")] {
        let source = Source::from_bytes(&arena, "test", text.as_bytes()).unwrap();
        let found: Vec<_> =
            File::parse(&arena, source, &mut ()).comments().map(|it| it.text()).collect();
        assert_eq!(found, [comment]);
    }
}

#[test]
fn places_are_exact() {
    let arena = Arena::new();
    let text = "\n a \"b\" c {\n  d = [1] # x\n}\n";
    let source = Source::from_bytes(&arena, "test", text.as_bytes()).unwrap();
    let file = File::parse(&arena, source, &mut ());
    let slice = |span: crate::Span| std::str::from_utf8(span.slice(text.as_bytes())).unwrap();
    let Some(Item::Block(block)) = file.body().items().next() else { panic!() };
    assert_eq!(slice(block.type_span()), "a");
    assert_eq!(block.label_spans().map(slice).collect::<Vec<_>>(), ["\"b\"", "c"]);
    assert_eq!(slice(block.definition_span()), "a \"b\" c");
    assert_eq!(slice(block.span()), "a \"b\" c {\n  d = [1] # x\n}");
    assert_eq!(slice(block.body().span()), "{\n  d = [1] # x\n}");
    let Some(Item::Attribute(d)) = block.body().items().next() else { panic!() };
    assert_eq!(slice(d.name_span()), "d");
    assert_eq!(slice(d.span()), "d = [1]");
    assert_eq!(slice(d.value_span()), "[1]");
    assert_eq!(slice(d.expression().unwrap().span()), "[1]");
    assert!(std::ptr::eq(d.expression().unwrap().parts().0, d.expression().unwrap().parts().0));
}

/// Text with every construct.
const RICH: &str = "# head\nresource \"a\" \"b$${\" {\r\n  count = var.n # x\n  list = [1, \"x\\\"${f({ a = \"}\" })}\", {b = 2, c : 3}]\n  text = <<-EOT\n    %{ if a ~}\n    b ${<<IN\nx\nIN\n}\n    %{ endif }\n  EOT\n  nested { d = (1 + 2) }\n  /* c */ dynamic \"e\" {\n    for_each = [for k, v in m : \"${k}=${v}\" if v != null]\n  }\n}\n\nlocals {\n  größe = a ? b.*.c : d[0]\n}\n";

#[test]
fn truncated_and_changed_anywhere() {
    assert!(read(RICH).1.is_empty(), "{:?}", read(RICH));
    let whole = dump_of(RICH.as_bytes());
    for end in 0..RICH.len() {
        let items = dump_of(&RICH.as_bytes()[..end]);
        if RICH.is_char_boundary(end) && RICH[..end].contains("\r\n") {
            assert!(items.starts_with("resource a b${{"), "{end} {items}");
        }
    }
    assert!(whole.ends_with("locals{größe=a ? b.*.c : d[0];}"));
    for at in 0..RICH.len() {
        for byte in
            [0, b'\n', b'"', b'{', b'}', b'[', b'$', b'<', b'=', b'#', b'\\', b'\r', b'*', 0xC3]
        {
            let mut changed = RICH.as_bytes().to_vec();
            changed[at] = byte;
            dump_of(&changed);
            changed.insert(at, byte);
            dump_of(&changed);
        }
    }
}

/// The items, after parsing every expression and reading every position.
fn dump_of(bytes: &[u8]) -> String {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "test", bytes).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let file = File::parse(&arena, source, &mut found);
    file.check(&mut found);
    for diagnostic in &found {
        assert!(diagnostic.span().start <= diagnostic.span().end, "{diagnostic:?}");
        assert!(diagnostic.span().end as usize <= bytes.len(), "{diagnostic:?}");
    }
    let mut last = 0;
    for attribute in file.attributes() {
        assert!(attribute.span().start >= last && attribute.span().end as usize <= bytes.len());
        last = attribute.span().end;
    }
    for comment in file.comments() {
        assert!(!comment.text().is_empty());
    }
    dump(file.body())
}

/// With twice as many unclosed comments, wherever they are, at most twice as many bytes are
/// searched for their ends.
#[test]
fn unclosed_comments_are_searched_for_once() {
    for line in ["/*\n", "a = 1 /*\n", "a = [1 /*\n", "a = \"${/*\n", "a /* x\n", "a {/*\n"] {
        let searched = |count: usize| {
            let before = SKIPPED.get();
            read(&line.repeat(count));
            SKIPPED.get() - before
        };
        let (few, many) = (searched(500), searched(1_000));
        assert!(many <= few * 5 / 2, "{line:?}: {few} bytes, then {many}");
    }
}

#[test]
fn deep_and_long() {
    let nested = |open: &str, middle: &str, close: &str, levels: usize| {
        format!("{}{middle}{}", open.repeat(levels), close.repeat(levels))
    };
    let labels = sized([100_000, 1_000_000, 1_000_000]);
    let work = move || {
        let (items, found) = read(&nested("a {\n", "b = 1\n", "}\n", 10_000));
        assert_eq!((items.len(), found.len()), (10_000 * 3 + 4, 0));
        let (items, found) = read(&nested("a {\n", "b = 1\n", "}\n", 10_001));
        assert_eq!((items.len(), &*found), (10_001 * 3, &["blocks-too-deep 40002".to_owned()][..]));
        for (open, close) in [("[", "]"), ("{a=", "}"), ("\"${", "}\""), ("f(", ")")] {
            for levels in [4_000, 30_000] {
                let text = format!("a = {}\nb = 1\n", nested(open, "1", close, levels));
                let (items, found) = read(&text);
                assert!(items.ends_with(";b=1;"), "{open}");
                assert_eq!(found.is_empty(), levels == 4_000, "{open} {found:?}");
            }
            let (items, _) = read(&format!("a = {}\nb = 1\n", nested(open, "1", "", 30_000)));
            assert!(items.starts_with("a="), "{open}");
        }
        let (_, found) = read(&format!("a = {}", nested("<<E\n${", "1", "}\nE\n", 3_000)));
        assert_eq!(found, [""; 0]);
        let (items, found) = read(&format!("a {}{{\n}}\n", "b ".repeat(labels)));
        assert_eq!((items.len(), found.len()), (3 + 2 * labels, 0));
    };
    // A small stack, as threads of other programs may have.
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}

/// Equal texts of expressions that are parsed together are kept once, but lines of a heredoc lose
/// their indentation.
#[test]
fn together_and_alone() {
    let items = "a = \"    x\"\nb = <<-E\n    x\n      x\n  E\nc = \"    x${f(1)}\"\n\
        d = <<-E\n    ${\"    x\"}\n    x\n  E\ne = { x = \"x\", \"    x\" = 12, \"${x}\" = 12 }\n";
    let text = format!("a {{\n{items}}}\n").repeat(40);
    let arena = Arena::new();
    let file = |name| {
        let source = Source::from_bytes(&arena, name, text.as_bytes()).unwrap();
        File::parse(&arena, source, &mut ())
    };
    let (together, alone) = (file("together"), file("alone"));
    assert!(together.keep_expressions().is_empty());
    let mut count = 0;
    for (one, other) in together.attributes().zip(alone.attributes()) {
        let (one, other) = (one.expression().unwrap(), other.expression().unwrap());
        assert!(one.program().is_same(&other.program()), "{one:?}");
        assert_eq!(one.span(), other.span());
        count += 1;
    }
    assert_eq!(count, 200);
}
