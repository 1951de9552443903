//! The declarations of a module's files, by address.

use smallvec::SmallVec;

use crate::arena::Arena;
use crate::body::{Block, Body};
use crate::diagnostic::Label;
use crate::dialect::{Dialect, Grammar, List, Reading, block_address, root_schema};
use crate::expression::Expression;
use crate::hash::HashMap;
use crate::hidden::Hidden;
use crate::value::Value;

/// The declarations of a module's files.
#[derive(Debug)]
pub struct Objects<'a> {
    pub(super) arena: &'a Arena,
    pub(super) list: Vec<Object<'a>>,
    pub(super) hidden: Hidden,
    places: HashMap<Key<'a>, usize>,
    /// The old addresses of moved objects, by new address.
    moves: HashMap<&'a str, &'a str>,
}

/// An address, and the number of earlier objects with the same address.
type Key<'a> = (&'a str, u32);

/// One object: its base block, and the blocks of override files that are merged into it.
#[derive(Debug)]
pub(super) struct Object<'a> {
    pub(super) address: &'a str,
    ordinal: u32,
    /// The number of further objects with the same address, in the first of them.
    duplicates: u32,
    /// The values, the base first.
    pub(super) layers: SmallVec<[Expression<'a>; 1]>,
    /// Whether it is a body, not the value of an attribute.
    pub(super) is_body: bool,
    /// The list of its file, and its block type and first label, or the names up to the attribute.
    pub(super) list: List,
    pub(super) head: SmallVec<[&'a str; 2]>,
    /// How the value of an attribute is read.
    pub(super) reading: Reading,
    /// The arguments and nested blocks of a body.
    pub(super) grammar: Option<Grammar>,
    /// The position of the base.
    pub(super) label: Label<'a>,
}

/// A file that is read.
#[derive(Clone, Copy)]
struct File<'n> {
    /// The text before the addresses of its objects.
    name: &'n str,
    list: List,
    grammar: Grammar,
}

/// The meaning of an object.
struct Meaning<'a> {
    head: SmallVec<[&'a str; 2]>,
    is_body: bool,
    reading: Reading,
    grammar: Option<Grammar>,
    /// Whether it is merged with an earlier object of the same address.
    is_merged: bool,
}

/// Returns the name of a test file or a file of variables that it has in either syntax.
fn without_syntax(name: &str) -> &str {
    let plain = name.strip_suffix(".json").or_else(|| name.strip_suffix(".hcl"));
    plain.unwrap_or(name)
}

impl<'a> Object<'a> {
    pub(super) fn key(&self) -> Key<'a> {
        (self.address, self.ordinal)
    }

    /// Whether other files or modules may declare that its values are secret.
    pub(super) fn rests_on_others(&self) -> bool {
        Hidden::decides_in(self.list, self.head.first().copied().unwrap_or_default())
    }
}

impl<'a> Objects<'a> {
    /// Reads files in the order in which the tool reads them: the list of each, its name in the
    /// directory of the module, and its body. Blocks and attributes that the dialect does not know
    /// are left out.
    ///
    /// Cost: linear in the files. Opens only the bodies of blocks without labels.
    #[must_use]
    pub fn read<'n>(
        arena: &'a Arena,
        dialect: Dialect,
        files: impl IntoIterator<Item = (List, &'n str, impl Into<Body<'a>>)>,
    ) -> Self {
        let (list, places, moves) = (Vec::new(), HashMap::default(), HashMap::default());
        let hidden = Hidden::default();
        let mut objects = Self { arena, list, places, moves, hidden };
        for (list, name, body) in files {
            let body: Body<'a> = body.into();
            let file = match list {
                List::Primary | List::Override | List::Query => "",
                List::Test | List::Variables => without_syntax(name),
                List::Mock | List::Component | List::Deployment => without_syntax(name),
                List::Migration | List::Policy => without_syntax(name),
                List::Lock | List::Other | List::PolicyTest => continue,
            };
            let file = File { name: file, list, grammar: Grammar::of_file(Some((dialect, list))) };
            match root_schema(dialect, list) {
                Some(schema) => body.visit_blocks(schema, &mut (), |block, _| {
                    if list != List::Test {
                        objects.hidden.add_block(block);
                    }
                    objects.declare(block, file);
                }),
                None => objects.declare_properties(body, "variable", file, file.grammar),
            }
        }
        objects
    }

    /// Hides what modules that this one calls declare as secret: see
    /// [`tree::Secrets`](crate::tree::Secrets).
    pub fn hide(&mut self, hidden: &Hidden) {
        self.hidden.extend(hidden);
    }

    /// The place of the object with this key.
    pub(super) fn get(&self, key: Key<'_>) -> Option<usize> {
        self.places.get(&key).copied()
    }

    /// The old address of an object.
    pub(super) fn moved_from(&self, address: &str) -> Option<&'a str> {
        self.moves.get(address).copied()
    }

    fn declare(&mut self, block: Block<'a>, file: File<'_>) {
        let block_type = block.block_type();
        let grammar = file.grammar.block(block_type).map(|(_, grammar)| grammar);
        if matches!(block_type, "locals" | "variables") {
            let grammar = grammar.unwrap_or(file.grammar);
            self.declare_properties(block.body(), block_type, file, grammar);
            return;
        }
        let body = block.as_expression();
        let text = |name| body.member(name).and_then(written);
        let mut address = block_address(block_type, block.labels());
        match block_type {
            "provider" => {
                if let Some(alias) = body.member("alias").and_then(Expression::to_str) {
                    address = block_address("provider", block.labels().chain([alias]));
                }
            }
            // It has no label. Its name identifies it, unless it is computed.
            "build" => {
                let name = body.member("name").map(|name| name.constant_value(&mut ()));
                if let Some(name) = name.and_then(Value::as_str) {
                    address = format!("{address}[{name}]");
                }
            }
            // The object in an argument identifies these.
            "moved" | "removed" | "import" => {
                let name = if block_type == "import" { "to" } else { "from" };
                if let Some(name) = text(name) {
                    address = format!("{address}[{name}]");
                }
            }
            _ => {}
        }
        if block_type == "moved"
            && let (Some(from), Some(to)) = (text("from"), text("to"))
        {
            self.moves.insert(to.trim(), from.trim());
        }
        // All blocks of these types are merged.
        let is_merged =
            file.list == List::Override || block_type == "terraform" || block_type == "packer";
        // In a stack, a configuration of a provider has two labels.
        let labels = if file.list == List::Component { 2 } else { 1 };
        let head = [block_type].into_iter().chain(block.labels().take(labels)).collect();
        let reading = Reading::Template;
        let meaning = Meaning { head, is_body: true, reading, grammar, is_merged };
        self.add(file, &address, body, meaning, block.definition_label());
    }

    /// Declares each property of a body as a separate object.
    fn declare_properties(
        &mut self,
        body: Body<'a>,
        block_type: &'a str,
        file: File<'_>,
        grammar: Grammar,
    ) {
        for property in body.just_attributes(&mut ()) {
            let address = block_address(block_type, [property.name()]);
            let value = property.expression();
            // A file of variables has no blocks.
            let above = Some(block_type).filter(|_| file.list != List::Variables);
            let head = above.into_iter().chain([property.name()]).collect();
            let (reading, is_merged) =
                (grammar.reading(property.name()), file.list == List::Override);
            let meaning = Meaning { head, is_body: false, reading, grammar: None, is_merged };
            self.add(file, &address, value, meaning, property.label());
        }
    }

    fn add(
        &mut self,
        File { name, list, .. }: File<'_>,
        address: &str,
        value: Expression<'a>,
        Meaning { head, is_body, reading, grammar, is_merged }: Meaning<'a>,
        label: Label<'a>,
    ) {
        let address = match name {
            "" => self.arena.str(address),
            _ => self.arena.str(&format!("{name}:{address}")),
        };
        if is_merged && let Some(place) = self.get((address, 0)) {
            let layers = &mut self.list[place].layers;
            if !is_body {
                layers.clear();
            }
            layers.push(value);
            return;
        }
        // Duplicates are reported elsewhere. Here each is compared with the one at the same place.
        let mut ordinal = 0;
        if let Some(&first) = self.places.get(&(address, 0)) {
            self.list[first].duplicates += 1;
            ordinal = self.list[first].duplicates;
        }
        self.places.insert((address, ordinal), self.list.len());
        let layers = SmallVec::from_elem(value, 1);
        self.list.push(Object {
            address,
            ordinal,
            duplicates: 0,
            layers,
            is_body,
            list,
            head,
            reading,
            grammar,
            label,
        });
    }
}

/// A text; for a native expression, such as an address, its source text.
fn written(value: Expression<'_>) -> Option<&str> {
    match value.to_str() {
        None if !value.is_json() => str::from_utf8(value.text()).ok(),
        text => text,
    }
}
