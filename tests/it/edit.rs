//! Edits of single files, in both syntaxes.

use simd_hcl::dialect::{Dialect, List, root_schema};
use simd_hcl::edit::{Edited, FileEdits, InvalidText, NewBlock, NewValue, Refusal, ValueStep};
use simd_hcl::query::{Pattern, select};
use simd_hcl::{Arena, ParsedFile, Source, Span};

const KIND: (Dialect, List) = (Dialect::OpenTofu, List::Primary);

/// A change of what a pattern selects.
#[derive(Clone, Copy)]
enum Change<'c> {
    Set(&'c str),
    Remove,
    /// Adds an attribute to each selected container.
    Add(&'c str, &'c str),
}

use Change::{Add, Remove, Set};

fn value(text: &str) -> NewValue {
    NewValue::at(Some(KIND), &[ValueStep::Member("x")], 0, text).unwrap()
}

/// Applies changes of what patterns select.
fn edited(name: &str, text: &str, changes: &[(&str, Change<'_>)]) -> Result<String, Refusal> {
    let arena = Arena::new();
    let source = Source::copy_from(&arena, name, text.as_bytes()).unwrap();
    let file = ParsedFile::parse(&arena, source).unwrap();
    let mut edits = FileEdits::new(file);
    for (pattern, change) in changes {
        let pattern = Pattern::parse(pattern).unwrap();
        let found: Vec<_> = select(&pattern, file, root_schema(KIND.0, KIND.1)).collect();
        assert!(!found.is_empty(), "{pattern:?} in {text}");
        for selected in found {
            match change {
                Set(text) => edits.set(selected.expression().span(), value(text)),
                Remove if selected.is_block() => edits.remove_with_emptied(selected.item_span()),
                Remove => edits.remove(selected.item_span()),
                Add(name, text) => {
                    edits.add_attribute(selected.container_span(), *name, value(text));
                }
            }
        }
    }
    edits.finish().map(|edited| {
        assert_eq!(edited.edits().apply(text), edited.text());
        edited.into_text()
    })
}

fn native(text: &str, changes: &[(&str, Change<'_>)]) -> String {
    let new = edited("a.tf", text, changes).unwrap();
    // The line ends are those of the file, in all edits.
    let crlf = |text: &str| text.replace('\n', "\r\n");
    if text.contains('\n') {
        assert_eq!(edited("a.tf", &crlf(text), changes).as_deref(), Ok(&*crlf(&new)));
    }
    new
}

fn json(text: &str, changes: &[(&str, Change<'_>)]) -> String {
    edited("a.tf.json", text, changes).unwrap()
}

#[test]
fn attributes_of_native_files() {
    let text = "resource \"a\" \"b\" {\n  # of the first\n  one = 1 # x\n  three = 3 # y\n\n  n {\n  }\n}\n";
    let set = native(text, &[("resource.a.b.one", Set("[1, 2]"))]);
    assert_eq!(set, text.replace("one = 1", "one = [1, 2]"));
    let text = text.replace("one = 1 # x", "one   = 1 # x");
    let set = native(&text, &[("resource.a.b.one", Set("[1, 2]"))]);
    let aligned = "one   = [1, 2] # x\n  three = 3      # y";
    assert_eq!(set, text.replace("one   = 1 # x\n  three = 3 # y", aligned));
    let removed = native(&text, &[("resource.a.b.three", Remove)]);
    assert_eq!(removed, text.replace("one   = 1", "one = 1").replace("  three = 3 # y\n", ""));
    let removed = native(&text, &[("resource.a.b.one", Remove)]);
    assert_eq!(removed, text.replace("  # of the first\n  one   = 1 # x\n", ""));
    let both = native(&text, &[("resource.a.b.one", Remove), ("resource.a.b.three", Remove)]);
    assert_eq!(both, "resource \"a\" \"b\" {\n  n {\n  }\n}\n");
    let added =
        native(&text, &[("resource.a.b", Add("x", "1")), ("resource.a.b.n", Add("y", "2"))]);
    assert_eq!(added, text.replace("  n {\n  }\n", "  n {\n    y = 2\n  }\n  x = 1\n"));
    let added = native("locals {\n\ta   = 1\n\tbcd = 2\n}\n", &[("locals", Add("longer", "1"))]);
    assert_eq!(added, "locals {\n\ta      = 1\n\tbcd    = 2\n\tlonger = 1\n}\n");
    let added = native("locals {\n  a  = 1\n}\n", &[("locals", Add("longer", "1"))]);
    assert_eq!(added, "locals {\n  a  = 1\n  longer = 1\n}\n");
}

#[test]
fn bodies_on_one_line() {
    let on_lines = "locals {\n  b = 2\n}\n";
    assert_eq!(native("locals {}\n", &[("locals", Add("b", "2"))]), on_lines);
    assert_eq!(native("locals { }", &[("locals", Add("b", "2"))]), on_lines.trim_end());
    assert_eq!(native("locals {\n}\n", &[("locals", Add("b", "2"))]), on_lines);
    let text = "  locals { a = 1 }\n";
    let added = native(text, &[("locals", Add("b", "2"))]);
    assert_eq!(added, "  locals {\n    a = 1\n    b = 2\n  }\n");
    assert_eq!(native(text, &[("locals.a", Remove)]), "  locals {}\n");
    let both = native(text, &[("locals.a", Remove), ("locals", Add("b", "2"))]);
    assert_eq!(both, "  locals {\n    b = 2\n  }\n");
    let text = "locals { /* a */ a = 1 /* b */ }\n";
    // They belong to the only item.
    assert_eq!(native(text, &[("locals.a", Remove)]), "locals {}\n");
    let text = "locals { # about\n}\n";
    assert_eq!(native(text, &[("locals", Add("b", "2"))]), "locals { # about\n  b = 2\n}\n");
}

#[test]
fn blocks_of_native_files() {
    let text = "a = 1\n\n# b\nb {}\n\n# alone\n\nc {\n  x = 1\n}\nd {}\n\ne {}";
    let remove = |names: &[&str]| {
        let changes: Vec<_> = names.iter().map(|name| (*name, Remove)).collect();
        native(text, &changes)
    };
    assert_eq!(remove(&["a"]), text.replace("a = 1\n\n", ""));
    assert_eq!(remove(&["b"]), text.replace("# b\nb {}\n\n", ""));
    assert_eq!(remove(&["c"]), text.replace("c {\n  x = 1\n}\n", ""));
    assert_eq!(remove(&["d"]), text.replace("d {}\n", ""));
    assert_eq!(remove(&["e"]), text.replace("\n\ne {}", ""));
    assert_eq!(remove(&["a", "b", "c", "d", "e"]), "# alone");
    assert_eq!(remove(&["d", "e"]), text.replace("\nd {}\n\ne {}", ""));
    assert_eq!(remove(&["a", "b"]), text.replace("a = 1\n\n# b\nb {}\n\n", ""));
}

#[test]
fn an_item_may_be_the_whole_file() {
    for text in ["resource \"a\" \"b\" {}", "\u{feff}resource \"a\" \"b\" {\n  x = 1\n}"] {
        let mark = if text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
        assert_eq!(edited("a.tf", text, &[("resource.a.b", Remove)]).as_deref(), Ok(mark));
    }
    let two =
        native("locals {\n  a = 1\n}\n", &[("locals", Add("b", "2")), ("locals", Add("c", "3"))]);
    assert_eq!(two, "locals {\n  a = 1\n  b = 2\n  c = 3\n}\n");
    let text = "locals { a = 1 }";
    let added = native(text, &[("locals", Add("b", "2"))]);
    assert_eq!(added, "locals {\n  a = 1\n  b = 2\n}");
    // A block joins the file as its only item goes.
    let arena = Arena::new();
    let source = Source::copy_from(&arena, "a.tf", b"a {}").unwrap();
    let file = ParsedFile::parse(&arena, source).unwrap();
    let mut edits = FileEdits::new(file);
    edits.remove(Span::new(0, 4));
    edits.add_block(NewBlock::parse(Some(KIND), "b {}").unwrap(), None);
    assert_eq!(edits.finish().map(Edited::into_text).as_deref(), Ok("b {}\n"));
    let arena = Arena::new();
    let source = Source::copy_from(&arena, "a.tfvars", b"a = 1").unwrap();
    let mut edits = FileEdits::new(ParsedFile::native(&arena, source));
    edits.remove(Span::new(0, 5));
    edits.add_attribute(Span::new(0, 5), "b", value("2"));
    assert_eq!(edits.finish().map(Edited::into_text).as_deref(), Ok("b = 2\n"));
}

/// Edits of a minified file read the bytes around them, not the line: otherwise this takes minutes.
#[test]
fn edits_of_a_long_line() {
    let count = 10_000;
    let many = |item: &str| vec![item; count].join(",");
    let object = format!("{{\"x\":[{}]}}", many(r#"{"a":1,"b":[1]}"#));
    let all = [("x[*].a", Set("[1, 2]")), ("x[*].b[0]", Remove), ("x[*]", Add("c", "{ d = 1 }"))];
    let new = json(&object, &all);
    assert_eq!(new, object.replace("1,\"b\":[1]", "[1,2],\"b\":[],\"c\":{\"d\":1}"));
    let list = format!("x = [{}]\n", many("{ a = 1, /* c */ }"));
    let new = native(&list, &[("x[*]", Add("b", "2"))]);
    assert_eq!(new.len(), list.len() + count * ", b = 2".len());
    let new = native(&list, &[("x[*].a", Remove)]);
    assert!(new.len() < list.len());
    assert_eq!(native(&list, &[("x[*]", Remove)]), "x = []\n");
}

#[test]
fn objects_and_lists_of_native_files() {
    let tags = |object: &str, changes: &[(&str, Change<'_>)]| {
        let text = native(&format!("locals {{\n  t = {object} # c\n}}\n"), changes);
        let inner = text.strip_prefix("locals {\n  t = ").unwrap();
        inner.strip_suffix(" # c\n}\n").unwrap().to_owned()
    };
    let add = &[("locals.t", Add("x", "1"))];
    assert_eq!(tags("{}", add), "{ x = 1 }");
    assert_eq!(tags("{ a = 1 }", add), "{ a = 1, x = 1 }");
    assert_eq!(tags("{ a = 1, }", add), "{ a = 1, x = 1, }");
    assert_eq!(tags("{ a : 1 }", add), "{ a : 1, x: 1 }");
    assert_eq!(tags("{ \"a\" = 1 }", add), "{ \"a\" = 1, \"x\" = 1 }");
    assert_eq!(tags("{\n    a = 1\n  }", add), "{\n    a = 1\n    x = 1\n  }");
    assert_eq!(tags("{\n    a = 1, # c\n  }", add), "{\n    a = 1, # c\n    x = 1,\n  }");
    assert_eq!(
        tags("{\n    a = 1,\n    b = 2\n  }", add),
        "{\n    a = 1,\n    b = 2,\n    x = 1\n  }"
    );
    assert_eq!(tags("{\n  }", add), "{\n    x = 1\n  }");
    assert_eq!(
        tags("{\n    a   = 1\n    bcd = 2\n  }", &[("locals.t", Add("longer", "1"))]),
        "{\n    a      = 1\n    bcd    = 2\n    longer = 1\n  }"
    );
    assert_eq!(tags("{ a = 1, b = 2 }", &[("locals.t.a", Remove)]), "{ b = 2 }");
    assert_eq!(tags("{ a = 1, b = 2 }", &[("locals.t.b", Remove)]), "{ a = 1 }");
    assert_eq!(tags("{ a = 1 }", &[("locals.t.a", Remove)]), "{}");
    assert_eq!(
        tags("{\n    # a\n    a = 1,\n    b = 2\n  }", &[("locals.t.a", Remove)]),
        "{\n    b = 2\n  }"
    );
    assert_eq!(tags("[1, 2, 3]", &[("locals.t[1]", Remove)]), "[1, 3]");
    assert_eq!(tags("[1, 2, 3]", &[("locals.t[1]", Remove), ("locals.t[2]", Remove)]), "[1]");
    assert_eq!(tags("[1, 2, 3]", &[("locals.t[*]", Remove)]), "[]");
    assert_eq!(tags("[1, /* two */ 2]", &[("locals.t[0]", Remove)]), "[/* two */ 2]");
    assert_eq!(tags("[\n    1,\n    2\n  ]", &[("locals.t[1]", Remove)]), "[\n    1,\n  ]");
    assert_eq!(
        tags("[\n    1, 2,\n    3\n  ]", &[("locals.t[0]", Remove)]),
        "[\n    2,\n    3\n  ]"
    );
    assert_eq!(
        tags("[{ a = 1 }, { a = 2 }]", &[("locals.t[*].a", Set("var.x"))]),
        "[{ a = var.x }, { a = var.x }]"
    );
}

#[test]
fn values_with_heredocs() {
    let text = "locals {\n  a = <<EOT\n# no comment\nEOT\n  b = 2\n}\n";
    assert_eq!(native(text, &[("locals.b", Remove)]), text.replace("  b = 2\n", ""));
    assert_eq!(native(text, &[("locals.a", Remove)]), "locals {\n  b = 2\n}\n");
    let heredoc = [("locals.b", Set("<<X\ny\nX")), ("locals", Add("c", "<<X\nz\nX"))];
    let set = edited("a.tf", text, &heredoc).unwrap();
    assert_eq!(set, text.replace("b = 2", "b = <<X\ny\nX\n  c = <<X\nz\nX"));
    // Their line ends are a part of the value.
    let crlf = text.replace('\n', "\r\n");
    let set = edited("a.tf", &crlf, &heredoc).unwrap();
    assert_eq!(set, crlf.replace("b = 2", "b = \"y\\n\"\r\n  c = \"z\\n\""));
    let directive = [("locals.b", Set("<<X\n%{ if a }y%{ endif }\nX"))];
    assert_eq!(edited("a.tf", &crlf, &directive), Err(Refusal::Heredoc));
    let set = native(text, &[("locals.a", Set("1"))]);
    assert_eq!(set, "locals {\n  a = 1\n  b = 2\n}\n");
    assert_eq!(native(text, &[("locals", Add("c", "1"))]), text.replace("}\n", "  c = 1\n}\n"));
}

#[test]
fn minified_and_pretty_json() {
    let text = r#"{"resource":{"a":{"b":{"x":1,"y":[1,2,3]},"c":{}}}}"#;
    let set = json(text, &[("resource.a.b.x", Set("var.z"))]);
    assert_eq!(set, text.replace(r#""x":1"#, r#""x":"${var.z}""#));
    assert_eq!(json(text, &[("resource.a.b.x", Remove)]), text.replace(r#""x":1,"#, ""));
    assert_eq!(json(text, &[("resource.a.b.y", Remove)]), text.replace(r#","y":[1,2,3]"#, ""));
    assert_eq!(json(text, &[("resource.a.b.y[2]", Remove)]), text.replace(",3", ""));
    assert_eq!(json(text, &[("resource.a.b.y[*]", Remove)]), text.replace("1,2,3", ""));
    assert_eq!(json(text, &[("resource.a.b", Remove)]), r#"{"resource":{"a":{"c":{}}}}"#);
    assert_eq!(json(text, &[("resource.a.*", Remove)]), "{}");
    let add = &[("resource.a.*", Add("n", "{ p = 1, q = [] }"))];
    let added = json(text, add);
    let object = r#""n":{"p":1,"q":[]}"#;
    assert_eq!(
        added,
        text.replace("3]", &format!("3],{object}")).replace("{}", &format!("{{{object}}}"))
    );

    let text =
        "{\n\t\"locals\": {\n\t\t\"a\": 1,\n\t\t\"b\": {}\n\t},\n\t\"x\": [\n\t\t1\n\t]\n}\n";
    assert_eq!(json(text, &[("locals.a", Remove)]), text.replace("\"a\": 1,\n\t\t", ""));
    assert_eq!(json(text, &[("locals.b", Remove)]), text.replace(",\n\t\t\"b\": {}", ""));
    assert_eq!(json(text, &[("locals", Remove)]), "{\n\t\"x\": [\n\t\t1\n\t]\n}\n");
    let added = json(text, &[("locals", Add("c", "[1, { d = 2 }]")), ("locals.b", Add("e", "1"))]);
    let list = ",\n\t\t\"c\": [\n\t\t\t1,\n\t\t\t{\n\t\t\t\t\"d\": 2\n\t\t\t}\n\t\t]";
    assert_eq!(
        added,
        text.replace("\"b\": {}", &format!("\"b\": {{\n\t\t\t\"e\": 1\n\t\t}}{list}"))
    );
    assert_eq!(
        json("{\"locals\": {\"a\": 1}}", &[("locals", Add("b", "2"))]),
        "{\"locals\": {\"a\": 1, \"b\": 2}}"
    );
}

/// Adds a block at the end of a file.
fn with_block(name: &str, text: &str, blocks: &[&str]) -> Result<String, Refusal> {
    let arena = Arena::new();
    let source = Source::copy_from(&arena, name, text.as_bytes()).unwrap();
    let mut edits = FileEdits::new(ParsedFile::parse(&arena, source).unwrap());
    for block in blocks {
        edits.add_block(NewBlock::parse(Some(KIND), block).unwrap(), None);
    }
    edits.finish().map(Edited::into_text)
}

#[test]
fn new_blocks() {
    let moved = "moved {\n  from = a.b\n  to   = a.c\n}";
    let native = |text| with_block("a.tf", text, &[moved]).unwrap();
    assert_eq!(native(""), format!("{moved}\n"));
    assert_eq!(native("a {}\n"), format!("a {{}}\n\n{moved}\n"));
    assert_eq!(native("a {} # x"), format!("a {{}} # x\n\n{moved}"));
    assert_eq!(native("a {}\n\n# end\n"), format!("a {{}}\n\n{moved}\n\n# end\n"));
    assert_eq!(native("# only"), format!("# only\n\n{moved}\n"));
    let two = with_block("a.tf", "a {}\n", &[moved, "b {\n  x = 1\n}"]).unwrap();
    assert_eq!(two, format!("a {{}}\n\n{moved}\n\nb {{\n  x = 1\n}}\n"));

    let json = |text| with_block("a.tf.json", text, &[moved]).unwrap();
    let block = r#"{"from":"a.b","to":"a.c"}"#;
    assert_eq!(
        json("{}"),
        "{\n  \"moved\": [\n    {\n      \"from\": \"a.b\",\n      \"to\": \"a.c\"\n    }\n  ]\n}"
    );
    assert_eq!(json(r#"{"x":1}"#), format!(r#"{{"x":1,"moved":[{block}]}}"#));
    assert_eq!(json(r#"{"moved":[{"a":1}]}"#), format!(r#"{{"moved":[{{"a":1}},{block}]}}"#));
    assert_eq!(json(r#"{"moved":{"a":1}}"#), format!(r#"{{"moved":[{{"a":1}},{block}]}}"#));
    let variables = ["variable \"x\" {}", "variable \"y\" {}"];
    let add = |text| with_block("a.tf.json", text, &variables).unwrap();
    assert_eq!(add(r#"{"variable":{"a":{}}}"#), r#"{"variable":{"a":{},"x":{},"y":{}}}"#);
    assert_eq!(add(r#"{"variable":[{"a":{}}]}"#), r#"{"variable":[{"a":{}},{"x":{}},{"y":{}}]}"#);
    assert_eq!(add(r#"{"variable":{"x":{"a":1}}}"#), r#"{"variable":{"x":[{"a":1},{}],"y":{}}}"#);
}

#[test]
fn conflicts_are_errors() {
    let text = "locals {\n  a = { b = 1 }\n}\n";
    let both = [("locals.a", Set("1")), ("locals.a.b", Set("2"))];
    assert!(matches!(edited("a.tf", text, &both), Err(Refusal::Conflict(_))));
    let twice = [("locals.a.b", Set("1")), ("locals.a.b", Set("2"))];
    assert!(matches!(edited("a.tf", text, &twice), Err(Refusal::Conflict(_))));
    // Edits inside of a removed item do not matter.
    let removed = [("locals.a", Remove), ("locals.a.b", Set("2")), ("locals.a.b", Remove)];
    assert_eq!(native(text, &removed), "locals {\n}\n");
    let same = [("locals.a.b", Set("2")), ("locals.a.b", Set("2"))];
    assert_eq!(native(text, &same), text.replace("b = 1", "b = 2"));
}

#[test]
fn edits_that_say_something_else_are_refused() {
    let refused = |name: &str, text: &str, edit: &dyn Fn(&mut FileEdits<'_>)| {
        let arena = Arena::new();
        let source = Source::copy_from(&arena, name, text.as_bytes()).unwrap();
        let mut edits = FileEdits::new(ParsedFile::parse(&arena, source).unwrap());
        edit(&mut edits);
        edits.finish().unwrap_err()
    };
    let text = "locals {\n  a = 1\n  b = 2\n}\n";
    let name = |edits: &mut FileEdits<'_>| edits.replace(Span::new(11, 12), "x = 1\n  y");
    assert!(matches!(refused("a.tf", text, &name), Refusal::Unproven(_)));
    let value = |edits: &mut FileEdits<'_>| edits.replace(Span::new(15, 16), "1 /*");
    assert!(matches!(refused("a.tf", text, &value), Refusal::Unproven(_)));
    let quote = |edits: &mut FileEdits<'_>| edits.replace(Span::new(2, 3), "x\":1,\"y");
    assert!(matches!(refused("a.json", r#"{"a":1}"#, &quote), Refusal::Unproven(_)));
    let nowhere = |edits: &mut FileEdits<'_>| edits.remove(Span::new(1, 3));
    assert_eq!(refused("a.tf", text, &nowhere), Refusal::NoItem(Span::new(1, 3)));
    let broken = |edits: &mut FileEdits<'_>| edits.replace(Span::new(0, 1), "b");
    assert_eq!(refused("a.tf", "a = [\n", &broken), Refusal::Invalid);
}

#[test]
fn a_byte_order_mark_stays() {
    let text = "\u{feff}a = 1\nlonger = 2\n";
    let arena = Arena::new();
    let source = Source::copy_from(&arena, "a.tfvars", text.as_bytes()).unwrap();
    let file = ParsedFile::native(&arena, source);
    let mut edits = FileEdits::new(file);
    let first = file.as_native().unwrap().body().items().next().unwrap();
    edits.remove(first.span());
    assert_eq!(edits.finish().unwrap().text(), "\u{feff}longer = 2\n");
}

fn json_of(path: &[ValueStep<'_>], head: usize, text: &str) -> Result<String, InvalidText> {
    NewValue::at(Some(KIND), path, head, text).map(|value| value.json().to_owned())
}

#[test]
fn values_are_written_as_they_are_read() {
    use ValueStep::{Element, Member};
    let resource = [Member("resource"), Member("a_b"), Member("c")];
    let at = |more: &[ValueStep<'static>], text| {
        let json = json_of(&[&resource[..], more].concat(), 3, text).unwrap();
        json.split_whitespace().collect::<String>()
    };
    assert_eq!(at(&[Member("size")], "var.z[0]"), "\"${var.z[0]}\"");
    assert_eq!(at(&[Member("depends_on")], "[a_b.d]"), "[\"a_b.d\"]");
    assert_eq!(at(&[Member("depends_on"), Element], "a_b.d"), "\"a_b.d\"");
    assert_eq!(at(&[Member("provider")], "a.west"), "\"a.west\"");
    assert_eq!(at(&[Member("tags"), Member("x/y")], "\"v\""), "\"v\"");
    let lifecycle = [Member("lifecycle"), Member("ignore_changes"), Element];
    assert_eq!(at(&lifecycle, "tags"), "\"tags\"");
    assert_eq!(json_of(&[Member("v")], 0, "<<EOT\na\nEOT").unwrap(), "\"a\\n\"");
    for wrong in ["1\nx = 2", "", "1 # c", "}", "[", "a b", "1\n}\nx {\n y = 1"] {
        assert!(json_of(&[Member("v")], 0, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn texts_that_are_not_one_block_are_errors() {
    for wrong in ["a = 1", "a {}\nb {}", "", "a {", "a {}\n}"] {
        assert!(NewBlock::parse(Some(KIND), wrong).is_err(), "{wrong}");
    }
}
