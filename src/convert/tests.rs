use super::{to_json, to_native};
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, List};
use crate::document::Document;
use crate::source::Source;
use crate::structure::File;

const MODULE: Option<(Dialect, List)> = Some((Dialect::OpenTofu, List::Primary));

fn native(json: &str) -> String {
    let arena = Arena::new();
    let document = Document::parse_bytes(&arena, "a.tf.json", json.as_bytes()).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let text = to_native(document, MODULE, &|_, _| None, &mut found).text;
    assert!(found.is_empty(), "{found:?}");
    text
}

fn json(native: &str) -> String {
    let arena = Arena::new();
    let source = Source::from_bytes(&arena, "a.tf", native.as_bytes()).unwrap();
    let mut found: Vec<Diagnostic<'_>> = Vec::new();
    let file = File::parse(&arena, source, &mut found);
    file.check(&mut found);
    assert!(found.is_empty(), "{found:?}");
    to_json(file, MODULE, &mut ()).text
}

/// JSON objects have no equal keys. The formatter adds the parentheses.
#[test]
fn parentheses_do_not_pile_up() {
    let text = json("a = {k = 1, k = 2}\n");
    assert_eq!(text, "{\n  \"a\": \"${{k = 1, k = 2}}\"\n}\n");
    assert_eq!(json("a = ((b +\n1))\n"), "{\n  \"a\": \"${b +\\n1}\"\n}\n");
}

/// Converts in both directions: the JSON to the native text, and back.
fn both(json_text: &str, native_text: &str) {
    assert_eq!(native(json_text), native_text);
    assert_eq!(json(native_text).trim_end(), json_text);
}

#[test]
fn arguments_are_written_as_they_are_read() {
    both(
        r#"{
  "variable": {
    "size": {
      "type": "map(object({ a = string }))",
      "default": {
        "${a}": "$${b} ${c}"
      },
      "description": "uses ${x}"
    }
  },
  "resource": {
    "aws_instance": {
      "web": {
        "provider": "aws.west",
        "count": "${length(var.names)}",
        "ami": "ami-${var.id}",
        "name": "$${literal} \"quoted\" \\ back",
        "tags": {
          "a b": null,
          "plain": true
        },
        "extra": {
          "${var.key}": 1.50
        },
        "depends_on": [
          "aws_vpc.main",
          "module.net"
        ],
        "lifecycle": {
          "ignore_changes": [
            "tags[\"a\"]"
          ],
          "replace_triggered_by": [
            "aws_vpc.main.id"
          ]
        }
      }
    }
  },
  "module": {
    "m": {
      "source": "./m",
      "providers": {
        "aws.a": "aws.west"
      }
    }
  }
}"#,
        r#"variable "size" {
  type = map(object({ a = string }))
  default = {
    "$${a}" = "$$${b} $${c}"
  }
  description = "uses $${x}"
}

resource "aws_instance" "web" {
  provider = aws.west
  count    = length(var.names)
  ami      = "ami-${var.id}"
  name     = "$${literal} \"quoted\" \\ back"
  tags = {
    "a b" = null
    plain = true
  }
  extra = {
    (var.key) = 1.50
  }
  depends_on = [aws_vpc.main, module.net]
  lifecycle {
    ignore_changes       = [tags["a"]]
    replace_triggered_by = [aws_vpc.main.id]
  }
}

module "m" {
  source = "./m"
  providers = {
    aws.a = aws.west
  }
}
"#,
    );
}

#[test]
fn comments_are_kept() {
    let text = "# file\n\n// before\noutput \"a\" { # behind the brace\n  # of value\n  value = 1 // after\n\n  \
        # alone\n\n  /* nested\n  too */\n  precondition {\n  }\n  # last\n}\n# of d\nd = 1\n";
    let converted = json(text);
    let expected = r##"{
  "//": "file\nof d",
  "output": {
    "a": {
      "//": "before\nbehind the brace\nof value\nafter\nalone\nlast",
      "value": 1,
      "precondition": {
        "//": "nested\n  too"
      }
    }
  },
  "d": 1
}
"##;
    assert_eq!(converted, expected);
    assert_eq!(json(&native(&converted)), converted);
}

#[test]
fn heredocs_end_in_interpolations() {
    let text = "a = <<-E\n    b ${c}\n  E\nd = [<<E\n${f}\nE\n]\ng = h(<<-E\n  x\n  E\n)\n";
    let converted = json(text);
    assert!(converted.contains(r#""${<<-E\n    b ${c}\n  E\n}""#), "{converted}");
    assert_eq!(json(&native(&converted)), converted);
}
