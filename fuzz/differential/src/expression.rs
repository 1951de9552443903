//! Templates and expressions by the grammar of the native syntax.

use crate::entropy::Entropy;
use crate::scope::{NAMES, NUMBERS, STRINGS};

/// A random template.
pub fn template(entropy: &mut impl Entropy) -> String {
    let mut writer = Writer { text: String::new(), locals: Vec::new(), open: 1, entropy };
    if writer.entropy.chance(1, 3) {
        writer.template(3, Place::Bare);
    } else {
        // One interpolation: its value as it is.
        writer.interpolation(4);
    }
    writer.text
}

/// A random expression, as the value of an attribute of a native file.
pub(crate) fn native(entropy: &mut impl Entropy) -> String {
    let mut writer = Writer { text: String::new(), locals: Vec::new(), open: 0, entropy };
    match writer.entropy.below(8) {
        0 => writer.quoted(3),
        1 => writer.object(3),
        _ => writer.expression(4),
    }
    writer.text
}

/// Where a template stands, which decides how its text is escaped.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Bare,
    Quoted,
    Heredoc,
}

struct Writer<'e, E> {
    text: String,
    /// Names that `for` binds here.
    locals: Vec<&'static str>,
    /// The number of open brackets, between which line breaks have no meaning.
    open: usize,
    entropy: &'e mut E,
}

impl<E: Entropy> Writer<'_, E> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Sometimes a space, where one may stand.
    fn space(&mut self) {
        let space = match self.entropy.below(12) {
            0..=5 => "",
            11 if self.open == 0 => self.entropy.pick(&["  ", " /* c */ ", "\t"]),
            11 => self.entropy.pick(&["  ", "\n", " /* c */ ", "\t", " // c\n", "\r\n"]),
            _ => " ",
        };
        self.push(space);
    }

    fn template(&mut self, depth: usize, place: Place) {
        for _ in 0..1 + self.entropy.below(4) {
            match self.entropy.below(if depth == 0 { 4 } else { 9 }) {
                0..=3 => self.literal(place),
                4..=6 => self.interpolation(depth - 1),
                7 => self.if_directive(depth - 1, place),
                _ => self.for_directive(depth - 1, place),
            }
        }
    }

    /// Literal text.
    fn literal(&mut self, place: Place) {
        let pieces: &[&str] = match place {
            Place::Quoted => &[
                "x",
                " ",
                "text",
                "\\n",
                "\\\"",
                "$${",
                "%%{",
                "$",
                "%",
                "é",
                "e\u{301}",
                "\\u00e9",
                "\\U0001F600",
                "\\t",
                "$$${",
                "}",
                "\\\\",
                "~",
            ],
            _ => &[
                "x",
                " ",
                "text",
                "\n",
                "\"",
                "$${",
                "%%{",
                "$",
                "%",
                "é",
                "e\u{301}",
                "\\n",
                "\u{1F600}",
                "\r\n",
                "$$${",
                "}",
                "\\",
                "~",
                "  a\n  b",
                "\u{feff}",
                "\r",
            ],
        };
        let piece = self.entropy.pick(pieces);
        self.push(piece);
    }

    fn interpolation(&mut self, depth: usize) {
        let open = if self.entropy.chance(1, 12) { "${~" } else { "${" };
        self.push(open);
        self.open += 1;
        self.space();
        self.expression(depth);
        self.space();
        self.open -= 1;
        let close = if self.entropy.chance(1, 12) { "~}" } else { "}" };
        self.push(close);
    }

    /// `%{ … }` around what `inside` writes.
    fn directive(&mut self, inside: impl FnOnce(&mut Self)) {
        let open = self.entropy.pick(&["%{ ", "%{", "%{ ", "%{~ "]);
        self.push(open);
        inside(self);
        let close = self.entropy.pick(&[" }", "}", " }", " ~}"]);
        self.push(close);
    }

    fn if_directive(&mut self, depth: usize, place: Place) {
        self.directive(|this| {
            this.push("if ");
            this.condition(depth);
        });
        self.template(depth, place);
        if self.entropy.chance(1, 2) {
            self.directive(|this| this.push("else"));
            self.template(depth, place);
        }
        self.directive(|this| this.push("endif"));
    }

    fn for_directive(&mut self, depth: usize, place: Place) {
        let mut bound = 0;
        self.directive(|this| {
            bound = this.for_head(depth, false);
        });
        self.template(depth, place);
        self.locals.truncate(self.locals.len() - bound);
        self.directive(|this| this.push("endfor"));
    }

    /// `for k, v in C`, and how many names are bound. They hold from here on.
    fn for_head(&mut self, depth: usize, wants_key: bool) -> usize {
        let names = ["k", "v", "i", "a"];
        let value = self.entropy.pick(&names);
        let key = (wants_key || self.entropy.chance(1, 3)).then(|| self.entropy.pick(&names));
        self.push("for ");
        if let Some(key) = key {
            self.push(key);
            self.push(", ");
        }
        self.push(value);
        self.push(" in ");
        self.collection(depth);
        self.locals.extend(key);
        self.locals.push(value);
        1 + usize::from(key.is_some())
    }

    fn expression(&mut self, depth: usize) {
        if depth == 0 {
            return self.leaf();
        }
        match self.entropy.below(20) {
            0..=2 => self.leaf(),
            3..=7 => self.binary(depth - 1),
            8 | 9 => {
                self.condition(depth - 1);
                self.push(" ?");
                self.space();
                self.expression(depth - 1);
                self.push(" :");
                self.space();
                self.expression(depth - 1);
            }
            10 => {
                self.push("(");
                self.open += 1;
                self.space();
                self.expression(depth - 1);
                self.space();
                self.open -= 1;
                self.push(")");
            }
            11 => {
                let operator = self.entropy.pick(&["-", "!"]);
                self.push(operator);
                self.term(depth - 1);
            }
            12 => self.call(depth - 1),
            13 => self.tuple(depth - 1),
            14 => self.object(depth - 1),
            15 => self.for_tuple(depth - 1),
            16 => self.for_object(depth - 1),
            17 => self.quoted(depth - 1),
            _ => {
                self.term(depth - 1);
                for _ in 0..=self.entropy.below(2) {
                    self.step(depth - 1);
                }
            }
        }
    }

    /// Writes a term that a postfix may follow.
    fn term(&mut self, depth: usize) {
        match self.entropy.below(if depth == 0 { 4 } else { 8 }) {
            0..=3 => self.leaf(),
            4 => {
                self.push("(");
                self.expression(depth - 1);
                self.push(")");
            }
            5 => self.collection(depth - 1),
            6 => self.call(depth - 1),
            _ => self.quoted(depth - 1),
        }
    }

    fn leaf(&mut self) {
        match self.entropy.below(10) {
            0 | 1 => {
                let number = self.entropy.pick(NUMBERS).trim_start_matches('-').to_owned();
                self.push(&number);
            }
            2 => {
                let word = self.entropy.pick(&["true", "false", "null"]);
                self.push(word);
            }
            3 => self.string(),
            4 | 5 if !self.locals.is_empty() => {
                let name = self.entropy.pick(&self.locals.clone());
                self.push(name);
            }
            _ => {
                let name = self.entropy.pick(NAMES);
                self.push(name);
            }
        }
    }

    /// A quoted string without templates.
    fn string(&mut self) {
        let text = self.entropy.pick(STRINGS);
        let text = text.replace("${", "$${").replace("%{", "%%{").replace('\n', "\\n");
        self.push("\"");
        self.push(&text);
        self.push("\"");
    }

    fn binary(&mut self, depth: usize) {
        let operators = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"];
        let operator = self.entropy.pick(&operators);
        self.operand(operator, depth);
        self.push(" ");
        self.push(operator);
        self.push(" ");
        self.space();
        self.operand(operator, depth);
    }

    /// An operand, mostly of a type that the operator takes.
    fn operand(&mut self, operator: &str, depth: usize) {
        match operator {
            "==" | "!=" => self.expression(depth),
            _ if self.entropy.chance(1, 4) => self.expression(depth),
            "&&" | "||" => self.condition(depth),
            _ if depth > 0 && self.entropy.chance(1, 3) => {
                let operator = self.entropy.pick(&["+", "-", "*", "/", "%"]);
                self.push("(");
                self.operand(operator, depth - 1);
                self.push(operator);
                self.push(" ");
                self.operand(operator, depth - 1);
                self.push(")");
            }
            _ => {
                let number = self.entropy.pick(NUMBERS);
                let number =
                    self.entropy.pick(&["n", number, "l[0]", "o.a", "count(l)", "\"2.5\""]);
                self.push(number);
            }
        }
    }

    /// An expression that is often a boolean.
    fn condition(&mut self, depth: usize) {
        match self.entropy.below(6) {
            0 => self.push("t"),
            1 | 2 if depth > 0 => {
                let operator = self.entropy.pick(&[" == ", " != ", " < ", " >= ", " && "]);
                self.expression(depth - 1);
                self.push(operator);
                self.expression(depth - 1);
            }
            3 => {
                let word = self.entropy.pick(&["true", "false", "\"true\"", "1", "null"]);
                self.push(word);
            }
            _ => self.expression(depth),
        }
    }

    /// An expression that is often a collection.
    fn collection(&mut self, depth: usize) {
        match self.entropy.below(8) {
            0 | 1 => {
                let name = self.entropy.pick(&["l", "m", "o", "a", "b"]);
                self.push(name);
            }
            2 | 3 => self.tuple(depth.saturating_sub(1)),
            4 | 5 => self.object(depth.saturating_sub(1)),
            6 if depth > 0 => self.for_tuple(depth - 1),
            _ => self.expression(depth),
        }
    }

    fn tuple(&mut self, depth: usize) {
        self.push("[");
        self.open += 1;
        let count = self.entropy.below(4);
        for index in 0..count {
            self.space();
            self.expression(depth);
            self.space();
            let comma = index + 1 < count || self.entropy.chance(1, 10);
            self.push(if comma { "," } else { "" });
        }
        self.open -= 1;
        self.push("]");
    }

    fn object(&mut self, depth: usize) {
        self.push("{");
        self.open += 1;
        let count = self.entropy.below(4);
        for index in 0..count {
            match self.entropy.below(8) {
                0 => {
                    self.push("(");
                    self.expression(depth);
                    self.push(")");
                }
                1 => self.string(),
                2 => self.quoted(depth),
                3 => {
                    let key = self.entropy.pick(&["1", "true", "null", "a.b", "n + 1", "é", "x-y"]);
                    self.push(key);
                }
                _ => {
                    let key = self.entropy.pick(&["a", "b", "c"]);
                    self.push(key);
                }
            }
            let separator = self.entropy.pick(&[" = ", "=", ":", " : "]);
            self.push(separator);
            self.expression(depth);
            let end = self.entropy.pick(&[", ", ",", "\n", ",\n"]);
            let ends = index + 1 < count || self.entropy.chance(1, 10);
            self.push(if ends { end } else { "" });
        }
        self.open -= 1;
        self.push("}");
    }

    fn for_tuple(&mut self, depth: usize) {
        self.push("[");
        self.open += 1;
        let bound = self.for_head(depth, false);
        self.push(" :");
        self.space();
        self.expression(depth);
        self.for_condition(depth);
        self.open -= 1;
        self.push("]");
        self.locals.truncate(self.locals.len() - bound);
    }

    fn for_object(&mut self, depth: usize) {
        self.push("{");
        self.open += 1;
        let wants_key = self.entropy.chance(1, 2);
        let bound = self.for_head(depth, wants_key);
        self.push(" : ");
        self.expression(depth.min(1));
        self.push(" => ");
        self.expression(depth);
        let groups = if self.entropy.chance(1, 4) { "..." } else { "" };
        self.push(groups);
        self.for_condition(depth);
        self.open -= 1;
        self.push("}");
        self.locals.truncate(self.locals.len() - bound);
    }

    fn for_condition(&mut self, depth: usize) {
        if self.entropy.chance(1, 4) {
            self.push(" if ");
            self.condition(depth);
        }
    }

    fn call(&mut self, depth: usize) {
        let name = self.entropy.pick(&["same", "angle", "count", "last", "last", "nothing"]);
        self.push(name);
        self.push("(");
        self.open += 1;
        let count = match name {
            "last" => self.entropy.below(4),
            _ if self.entropy.chance(1, 12) => self.entropy.below(3),
            _ => 1,
        };
        for index in 0..count {
            self.space();
            match name {
                "count" => self.collection(depth),
                _ => self.expression(depth),
            }
            let last = index + 1 == count;
            let end = match last {
                false => ",",
                true if self.entropy.chance(1, 6) => "...",
                true if self.entropy.chance(1, 12) => ",",
                true => "",
            };
            self.push(end);
        }
        self.open -= 1;
        self.push(")");
    }

    /// A quoted template, or a heredoc.
    fn quoted(&mut self, depth: usize) {
        if self.entropy.chance(1, 8) {
            let open = self.entropy.pick(&["<<E\n", "<<-E\n", "<<-EOT\n"]);
            self.push(open);
            for _ in 0..self.entropy.below(3) {
                let indent = self.entropy.pick(&["", "  ", "    ", "\t"]);
                self.push(indent);
                self.template(depth.min(1), Place::Heredoc);
                self.push("\n");
            }
            let indent = self.entropy.pick(&["", "  "]);
            self.push(indent);
            self.push(if open.contains("EOT") { "EOT\n" } else { "E\n" });
        } else {
            self.push("\"");
            self.template(depth.min(2), Place::Quoted);
            self.push("\"");
        }
    }

    fn step(&mut self, depth: usize) {
        match self.entropy.below(8) {
            0 | 1 => {
                let name = self.entropy.pick(&[".a", ".b", ".é", ".x-y", ".missing", " . a"]);
                self.push(name);
            }
            2 => {
                let index = self.entropy.pick(&[
                    "[0]", "[1]", "[\"a\"]", "[\"0\"]", "[-1]", "[1.5]", "[null]", "[true]",
                ]);
                self.push(index);
            }
            3 => {
                self.push("[");
                self.expression(depth);
                self.push("]");
            }
            4 => {
                let index = self.entropy.pick(&[".0", ".1", ".10", ".0.1", ".0.a"]);
                self.push(index);
            }
            5 => self.push(".*"),
            _ => self.push("[*]"),
        }
    }
}
