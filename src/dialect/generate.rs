//! Writes native files with every block and argument of the tables, for tests and fuzz targets.

use std::fmt::Write;

use super::grammar::{Grammar, table_of};
use super::table::{Reading, Table};
use super::{BlockKind, Dialect, List, root_schema};

/// The levels of nested blocks that are written.
const MOST_LEVELS: usize = 5;

/// Blocks of which a body has one at most.
const SINGLE: [&str; 2] = ["lifecycle", "required_providers"];

/// Values of every form. `~` stands for a further one.
const TEMPLATES: &[&str] = &[
    "\"a\"",
    "1",
    "-1.50e+2",
    "true",
    "null",
    "\"\"",
    "\"a b\\n\\t\\\"\\\\ \\u00e9\"",
    "\"$${a} %%{b}\"",
    "\"x-${~}-y\"",
    "\"${~}\"",
    "\"%{ if ~ }a%{ else }b%{ endif }\"",
    "\"%{ for x in ~ ~}${x}%{ endfor ~}\"",
    "[]",
    "[~]",
    "[~, ~]",
    "[\n    # c\n    ~,\n    ~, // d\n  ]",
    "{}",
    "{ a = ~ }",
    "{ a = ~, \"b c\" : ~ }",
    "{\n    a   = ~ # e\n    (~) = ~\n  }",
    "{ (\"k\") = ~, k = 1 }",
    "{ \"${~}\" = ~ }",
    "{ k = 1, k = 2 }",
    "{ 1 = ~, true = 2 }",
    "var.a",
    "local.b",
    "var.a[0]",
    "var.a[\"k\"].c",
    "var.a[~]",
    "var.a.*.c",
    "var.a[*].c[0]",
    "each.key",
    "path.module",
    "max(1, 2)",
    "concat(~, [~])",
    "max([1, 2]...)",
    "core::max(1)",
    "(~)",
    "((~))",
    "~ + 1",
    "-(~)",
    "!(~)",
    "~ == ~",
    "~ ? ~ : ~",
    "~ && ~ || ~",
    "[for x in ~ : x]",
    "{ for k, v in ~ : k => v... if k != ~ }",
    "[for x in [~] : { a = x }]",
    "(\n    ~\n    || ~\n  )",
    "<<E\n  a ${~}\n\tb\nE\n",
    "<<-E\n    a\n      ${~}\n    E\n",
    "<<E\na # b\nE\n",
    "/* c */ ~",
    "jsonencode({ a = ~ })",
    "provider::a::b(~)",
    "caller.a",
    "self.a",
    "ephemeral.a.b",
    "run.a.b",
];

/// Constants.
const LITERALS: &[&str] = &[
    "\"a\"",
    "1",
    "0.5",
    "true",
    "false",
    "null",
    "\"$${a}\"",
    "\"a\\nb\"",
    "[]",
    "[~, ~]",
    "{ a = ~ }",
    "{\n    a = ~\n    b = ~\n  }",
    "<<E\na\nE\n",
    "-1",
    "[\n    ~, # c\n  ]",
];

/// References, keywords and types.
const BARE: &[&str] = &[
    "a",
    "a.b",
    "[a.b]",
    "[a.b, a.c[0]]",
    "[a.b[\"k\"]]",
    "[before_create, after_destroy]",
    "string",
    "list(string)",
    "map(any)",
    "object({ a = string, b = optional(number, 1) })",
    "tuple([string, bool])",
    "all",
    "[a]",
    "{ a = a.b }",
];

/// Writes a file with each block type of a list of a dialect's files once, and with most arguments and
/// nested blocks. `choose` returns a number below another one: it decides what is written.
pub fn every_construct(
    dialect: Dialect,
    list: List,
    choose: &mut dyn FnMut(usize) -> usize,
) -> String {
    let mut writer = Writer { dialect, out: String::new(), choose };
    let Some(schema) = root_schema(dialect, list) else {
        for name in ["a", "b_c", "d-e"] {
            writer.argument(name, Reading::Literal, 0);
        }
        return writer.out;
    };
    for block in schema.blocks() {
        let Some(kind) = BlockKind::from_name(block.block_type) else { continue };
        let Some(table) = table_of(kind, dialect, list) else { continue };
        let known = Grammar::of_file(Some((dialect, list))).block(block.block_type);
        let labels = known.map_or(0, |(labels, _)| labels);
        writer.comment(0);
        writer.block(block.block_type, labels, table, 0);
    }
    writer.out
}

struct Writer<'c> {
    dialect: Dialect,
    out: String,
    choose: &'c mut dyn FnMut(usize) -> usize,
}

impl Writer<'_> {
    fn indent(&mut self, levels: usize) {
        (0..levels).for_each(|_| self.out.push_str("  "));
    }

    fn comment(&mut self, levels: usize) {
        let comment = ["", "# a comment\n", "// ${a} \"b\"\n", "/* of\n two */\n"];
        let chosen = comment[(self.choose)(comment.len())];
        if !chosen.is_empty() {
            self.indent(levels);
            self.out.push_str(chosen);
        }
    }

    fn block(&mut self, name: &str, labels: usize, table: &'static Table, levels: usize) {
        self.indent(levels);
        self.out.push_str(name);
        for label in 0..labels {
            let names = ["a", "b_c", "d-e"];
            let chosen = names[(self.choose)(names.len())];
            let _ = write!(self.out, " \"{chosen}{label}\"");
        }
        self.out.push_str(" {\n");
        let mut names = Vec::new();
        for (name, reading) in table.arguments() {
            // One in four is left out.
            if !names.contains(&name) && (self.choose)(4) > 0 {
                names.push(name);
                self.argument(name, reading, levels + 1);
            }
        }
        if table.is_open() {
            for name in ["x_a", "x-b"] {
                self.argument(name, table.reading(self.dialect, name), levels + 1);
            }
        }
        if levels < MOST_LEVELS {
            let mut names = Vec::new();
            for name in table.blocks() {
                // The tools may have different rows of one name.
                let known = table.block(self.dialect, name).filter(|_| !names.contains(&name));
                let Some((labels, below)) = known else { continue };
                names.push(name);
                // These are written once at most.
                let most = if SINGLE.contains(&name) { 2 } else { 3 };
                for _ in 0..(self.choose)(most) {
                    self.comment(levels + 1);
                    self.block(name, labels, below, levels + 1);
                }
            }
            if table.has_plugin() {
                self.plugin(table.rest(), levels + 1);
            }
        }
        self.indent(levels);
        self.out.push_str("}\n");
    }

    /// Nested blocks that only a plugin knows, in a body whose arguments are read in a given way.
    fn plugin(&mut self, reading: Reading, levels: usize) {
        for _ in 0..(self.choose)(4) {
            self.comment(levels);
            self.indent(levels);
            let has_dynamic = reading == Reading::Template && self.dialect != Dialect::Packer;
            if (self.choose)(2) == 0 && has_dynamic {
                self.out.push_str("dynamic \"x_rule\" {\n");
                self.argument("for_each", Reading::Template, levels + 1);
                if (self.choose)(2) == 0 {
                    self.argument("iterator", Reading::Bare, levels + 1);
                }
                self.indent(levels + 1);
                self.out.push_str("content {\n");
                self.argument("p", Reading::Template, levels + 2);
                self.indent(levels + 1);
                self.out.push_str("}\n");
            } else {
                self.out.push_str("x_rule {\n");
                self.comment(levels + 1);
                self.argument("p", reading, levels + 1);
                if levels < MOST_LEVELS && (self.choose)(3) == 0 {
                    self.plugin(reading, levels + 1);
                }
            }
            self.indent(levels);
            self.out.push_str("}\n");
        }
    }

    fn argument(&mut self, name: &str, reading: Reading, levels: usize) {
        self.indent(levels);
        let _ = write!(self.out, "{name} = ");
        let value = match (reading, name) {
            (Reading::Template, _) => self.value(TEMPLATES, 3),
            (Reading::Literal | Reading::Requirement, _) => self.value(LITERALS, 2),
            (Reading::Bare, "iterator") => "it".to_owned(),
            // The address of the block.
            (Reading::Bare, "from" | "to") => "a.b".to_owned(),
            (Reading::Bare, _) => self.value(BARE, 0),
        };
        self.out.push_str(value.trim_end());
        self.out.push('\n');
    }

    fn value(&mut self, forms: &[&str], levels: usize) -> String {
        let form = forms[(self.choose)(forms.len())];
        let mut value = String::new();
        let mut parts = form.split('~').peekable();
        while let Some(part) = parts.next() {
            value.push_str(part);
            if parts.peek().is_none() {
                break;
            }
            // `~}` is a strip marker.
            if parts.peek().is_some_and(|next| next.starts_with('}') && part.ends_with(' ')) {
                value.push('~');
                continue;
            }
            let inner = match levels {
                0 => "1".to_owned(),
                _ => self.value(forms, levels - 1),
            };
            // A heredoc needs a line of its own.
            match inner.contains("<<") {
                true => value.push('1'),
                false => value.push_str(&inner),
            }
        }
        value
    }
}
