//! Files in native syntax: attributes, blocks, labels, comments and blank lines.

use crate::case::Rules;
use crate::entropy::Entropy;
use crate::expression::native;
use crate::file::body_rules;
use crate::mutate::mutate;

/// A file and a schema that fits it more or less.
pub(crate) fn generate(entropy: &mut impl Entropy) -> (String, Rules) {
    let mut writer = Writer { text: String::new(), entropy };
    let rules = if writer.entropy.chance(1, 2) {
        // Only attributes, mostly one: what differs is then easy to see.
        for name in ["x", "y", "z"].iter().take(1 + writer.entropy.below(6) / 4) {
            writer.between("");
            writer.attribute(name);
        }
        Rules { mode: "just_attributes".to_owned(), ..Rules::default() }
    } else {
        let names = ["name", "size", "one", "two", "none", "other"];
        writer.items(&names, 3, "");
        body_rules(writer.entropy)
    };
    let mut text = writer.text;
    if entropy.chance(1, 3) {
        mutate(&mut text, entropy);
    }
    if entropy.chance(1, 12) {
        text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    if entropy.chance(1, 200) {
        text.insert(0, '\u{feff}');
    }
    (text, rules)
}

struct Writer<'e, E> {
    text: String,
    entropy: &'e mut E,
}

impl<E: Entropy> Writer<'_, E> {
    /// Items of a body on lines of their own.
    fn items(&mut self, names: &[&str], depth: usize, indent: &str) {
        for _ in 0..self.entropy.below(5) {
            self.between(indent);
            let name = self.entropy.pick(names);
            match name {
                "one" | "two" | "none" | "in" => self.block(name, depth, indent),
                _ if depth > 0 && self.entropy.chance(1, 12) => self.block(name, depth, indent),
                _ => self.attribute(name),
            }
        }
        self.between(indent);
    }

    /// Sometimes comments and blank lines.
    fn between(&mut self, indent: &str) {
        let text = match self.entropy.below(16) {
            0 => "\n",
            1 => "# a comment\n",
            2 => "// é \"unclosed ${\n",
            3 => "/* one line */ ",
            4 => "/* several\n   lines } */\n",
            5 => "\n\n#\n",
            _ => "",
        };
        self.text.push_str(text);
        self.text.push_str(indent);
    }

    /// Sometimes a comment, then the end of the line.
    fn end_of_line(&mut self) {
        let text =
            self.entropy.pick(&["\n", "\n", "\n", "\n", " # c\n", " /* c */\n", "// c\n", "  \n"]);
        // A heredoc ends its line.
        let text = if self.text.ends_with('\n') { "" } else { text };
        self.text.push_str(text);
    }

    fn attribute(&mut self, name: &str) {
        self.text.push_str(name);
        self.equals();
        self.value();
        self.end_of_line();
    }

    fn equals(&mut self) {
        let equals = self.entropy.pick(&[" = ", " = ", "=", "   = ", "\t=\t", " = /* c */ "]);
        self.text.push_str(equals);
    }

    fn value(&mut self) {
        let value = native(self.entropy);
        self.text.push_str(&value);
    }

    fn block(&mut self, name: &str, depth: usize, indent: &str) {
        self.text.push_str(name);
        let labels = match name {
            _ if self.entropy.chance(1, 12) => self.entropy.below(4),
            "one" => 1,
            "two" => 2,
            _ => 0,
        };
        for _ in 0..labels {
            let label = self.entropy.pick(&[
                " \"k\"",
                " \"k\"",
                " l",
                " \"a b\"",
                "\"x\"",
                " \"\"",
                " \"é\"",
                " \"e\u{301}\"",
                " \"q\\\"\\n\"",
                " \"$${a}\"",
                " \"$\"",
                " x-y",
                " /* c */ \"k\"",
                " \"${a}\"",
                " 1",
            ]);
            self.text.push_str(label);
        }
        if depth == 0 || self.entropy.chance(1, 4) {
            // On one line.
            match self.entropy.below(4) {
                0 => self.text.push_str(" {}"),
                1 => self.text.push_str("{ }"),
                _ => {
                    self.text.push_str(" { ");
                    let name = self.entropy.pick(&["a", "b", "size"]);
                    self.text.push_str(name);
                    self.equals();
                    self.value();
                    self.text.push_str(" }");
                }
            }
        } else {
            self.text.push_str(self.entropy.pick(&[" {\n", " {\n", "{\n", " { # c\n", " {\n\n"]));
            self.items(&["a", "b", "in", "c"], depth - 1, &format!("{indent}  "));
            self.text.push_str(indent);
            self.text.push('}');
        }
        self.end_of_line();
    }
}
