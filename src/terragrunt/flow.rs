//! The sources of the values in the files of a unit.
//!
//! A graph has a node for each value that a name leads to: an input, a local value, the mock of an
//! output, and the parts of these that are written as objects. The values of an object are its parts.
//! Of an expression that passes values on as they are (a reference, `merge`, a conditional), a *flow*
//! says where they come from; all other expressions are *computed*: any part of them may be made of
//! anything that they use.
//!
//! Lists are no values of their own: what is said of one is said of each of its elements.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::names;
use super::parse::{Parsed, Part};
use crate::expression::{Expression, has_introducer, literal_text};
use crate::functions::paths::base;
use crate::hash::HashMap;
use crate::native::{Construct, Key, Kind, Native, Step, StepKind, Traversal};
use crate::steps::step;

/// The number of a node.
pub(super) type Id = u32;

/// A name in a path; `None` for any.
pub(super) type Name<'a> = Option<&'a str>;

/// Names of parts, from the outermost.
pub(super) type Path<'a> = Rc<[Name<'a>]>;

/// The most names in a path. One that would be longer leads to more than it says.
pub(super) const LONGEST: usize = 64;

/// The most levels of objects and lists that are followed; what is deeper counts as computed.
const DEEPEST: usize = 64;

/// The most expressions that are looked at to find the one around a place.
const MOST_BEFORE: usize = 1_000;

/// Functions whose results are their arguments, or parts and elements of them.
const PASSING: [&str; 19] = [
    "coalesce",
    "coalescelist",
    "compact",
    "concat",
    "deep_merge",
    "distinct",
    "element",
    "ephemeralasnull",
    "flatten",
    "merge",
    "nonsensitive",
    "one",
    "reverse",
    "sensitive",
    "setunion",
    "tolist",
    "tomap",
    "toset",
    "try",
];

/// A value that a value is made of: the one at a path in a node.
pub(super) struct Flow<'a> {
    pub(super) from: Id,
    pub(super) path: Path<'a>,
}

/// A value in the files of a unit. Files may have several expressions for it.
#[derive(Default)]
pub(super) struct Node<'a> {
    pub(super) parts: Vec<(&'a str, Id)>,
    /// The parts whose names are not known.
    pub(super) others: Option<Id>,
    /// The values that these names are made of.
    pub(super) keys: Option<Id>,
    /// Where it is written.
    pub(super) texts: Vec<u32>,
    pub(super) flows: Vec<Flow<'a>>,
    /// Where the expressions are written that compute it.
    pub(super) computed: Vec<u32>,
    /// The values that these use.
    pub(super) uses: Option<Id>,
    /// The values that select parts of others in its expressions: messages repeat them, and it has none of them.
    pub(super) selectors: Option<Id>,
    /// Whether it is in a file of another kind.
    is_outside: bool,
}

impl Node<'_> {
    /// Whether its value is that of its parts and nothing else.
    pub(super) fn is_object(&self) -> bool {
        self.flows.is_empty() && !self.is_computed()
    }

    /// Whether it has parts that are not in the graph.
    pub(super) fn is_computed(&self) -> bool {
        self.is_outside || !self.computed.is_empty()
    }
}

/// A place in a file: a name below another place.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) file: u32,
    pub(super) above: Option<u32>,
    pub(super) name: &'a str,
}

/// The values in the files of a unit.
pub(super) struct Graph<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) texts: Vec<Text<'a>>,
    index: HashMap<(Id, &'a str), Id>,
    /// The expressions of attributes and of entries of objects, by the names of their files: where each
    /// starts and ends, and the node that has its value.
    written: BTreeMap<(&'a str, u32), (u32, Id)>,
    /// The configuration that all files make together.
    pub(super) config: Id,
    /// The values that stacks give.
    pub(super) values: Id,
    /// The values in the files of variables that it reads.
    pub(super) given: Id,
    /// The local values of each file.
    pub(super) locals: Vec<Id>,
    /// Whether `include` is the only included file itself, in each file.
    bare: Vec<bool>,
}

/// An expression whose value goes to a node.
enum Work<'a> {
    /// Its parts are those of the node. `is_inner` says that they are written in an expression whose
    /// parts have no places.
    Whole { value: Expression<'a>, node: Id, depth: usize, is_inner: bool },
    /// The value at a path in it is that of the node.
    Part { value: Native<'a>, node: Id, path: Vec<Name<'a>>, depth: usize },
}

impl<'a> Graph<'a> {
    /// Reads files. Cost: linear in them.
    pub(super) fn of<'p>(files: impl Iterator<Item = (&'p str, &'p Parsed<'a>)>) -> Self
    where
        'a: 'p,
    {
        let given = Node { is_outside: true, ..Node::default() };
        let nodes = vec![Node::default(), Node::default(), given];
        let [config, values, given] = [0, 1, 2];
        let mut graph = Self {
            nodes,
            texts: Vec::new(),
            index: HashMap::default(),
            written: BTreeMap::new(),
            config,
            values,
            given,
            locals: Vec::new(),
            bare: Vec::new(),
        };
        for (file, (path, parsed)) in files.enumerate() {
            let locals = graph.new_node();
            graph.locals.push(locals);
            let mut includes = parsed.root.blocks("include");
            let is_bare = includes.next().is_some_and(|it| it.label.is_empty());
            graph.bare.push(is_bare && includes.next().is_none());
            let root = if base(path) == names::VALUES { graph.values } else { graph.config };
            graph.add_part(&parsed.root, root, file);
        }
        // Other files see the local values of a file below its configuration.
        let all = graph.part(graph.config, "locals");
        for locals in graph.locals.clone() {
            for (name, from) in graph.nodes[locals as usize].parts.clone() {
                let node = graph.part(all, name);
                graph.flow(node, from, &[]);
            }
        }
        graph
    }

    /// The part of a node with a name, if it is known.
    pub(super) fn get(&self, node: Id, name: &str) -> Option<Id> {
        self.index.get(&(node, name)).copied()
    }

    /// The node at a path in the configuration, if it is known.
    pub(super) fn find(&self, path: &[&str]) -> Option<Id> {
        path.iter().try_fold(self.config, |node, name| self.get(node, name))
    }

    /// The nodes whose expressions have a byte of a file with this name in messages: the innermost one;
    /// more if too many expressions begin before it.
    pub(super) fn written_at(&self, file: &str, at: u32) -> Vec<Id> {
        let before = self.written.range((file, 0)..=(file, at)).rev();
        let mut all = Vec::new();
        for (_, (end, node)) in before.take(MOST_BEFORE) {
            if at < *end {
                return vec![*node];
            }
            all.push(*node);
        }
        if all.len() < MOST_BEFORE { Vec::new() } else { all }
    }

    /// Where a value is written in a file.
    pub(super) fn text_in(&self, node: Id, file: usize) -> Option<u32> {
        let texts = &self.node(node).texts;
        texts.iter().copied().find(|text| self.texts[*text as usize].file as usize == file)
    }

    /// The file that has a text, and the names that lead to it.
    pub(super) fn path(&self, text: u32) -> (usize, Vec<&'a str>) {
        let mut names = Vec::new();
        let (mut at, mut file) = (Some(text), 0);
        while let Some(place) = at.and_then(|at| self.texts.get(at as usize)) {
            names.push(place.name);
            (at, file) = (place.above, place.file as usize);
        }
        names.reverse();
        (file, names)
    }

    /// The nodes that decide about the value at a path in a node: the deepest one on the way, and those
    /// that are not only written as objects. None if there is no such value.
    pub(super) fn led(&self, from: Id, path: &[Name<'a>]) -> Vec<Id> {
        let mut found = Vec::new();
        let mut at = from;
        for name in path {
            let node = self.node(at);
            let is_object = node.is_object();
            let part = name.and_then(|name| self.get(at, name));
            if node.others.is_some() || name.is_none() {
                break;
            }
            match part {
                Some(part) if is_object => at = part,
                Some(part) => {
                    found.push(at);
                    at = part;
                }
                None if is_object => return found,
                None => break,
            }
        }
        found.push(at);
        found
    }

    pub(super) fn node(&self, id: Id) -> &Node<'a> {
        &self.nodes[id as usize]
    }

    fn node_mut(&mut self, id: Id) -> &mut Node<'a> {
        &mut self.nodes[id as usize]
    }

    fn new_node(&mut self) -> Id {
        step();
        self.nodes.push(Node::default());
        (self.nodes.len() - 1) as Id
    }

    fn part(&mut self, node: Id, name: &'a str) -> Id {
        if let Some(known) = self.get(node, name) {
            return known;
        }
        let part = self.new_node();
        self.index.insert((node, name), part);
        self.node_mut(node).parts.push((name, part));
        part
    }

    /// The parts of a node whose names are not known.
    fn others(&mut self, node: Id) -> Id {
        if let Some(known) = self.node(node).others {
            return known;
        }
        let others = self.new_node();
        self.node_mut(node).others = Some(others);
        others
    }

    fn keys(&mut self, node: Id) -> Id {
        if let Some(known) = self.node(node).keys {
            return known;
        }
        let keys = self.new_node();
        self.node_mut(node).keys = Some(keys);
        keys
    }

    fn uses(&mut self, node: Id) -> Id {
        if let Some(known) = self.node(node).uses {
            return known;
        }
        let uses = self.new_node();
        self.node_mut(node).uses = Some(uses);
        uses
    }

    fn flow(&mut self, node: Id, from: Id, path: &[Name<'a>]) {
        let path = path.get(..LONGEST).unwrap_or(path).into();
        self.node_mut(node).flows.push(Flow { from, path });
    }

    fn text(&mut self, file: usize, above: Option<u32>, name: &'a str) -> u32 {
        self.texts.push(Text { file: file as u32, above, name });
        (self.texts.len() - 1) as u32
    }

    /// Adds the attributes of a file and of its blocks.
    fn add_part(&mut self, root: &Part<'a>, node: Id, file: usize) {
        let mut open: Vec<(&Part<'a>, Id, Option<u32>)> = vec![(root, node, None)];
        while let Some((part, node, above)) = open.pop() {
            let is_component = matches!(part.kind.name, "unit" | "stack");
            for attribute in &part.attributes {
                let name = attribute.name();
                let text = self.text(file, above, name);
                let mut inner = self.part(node, name);
                if is_component && name == "values" {
                    // A unit that reads the stack sees them, too.
                    let values = self.values;
                    self.flow(inner, values, &[]);
                    inner = values;
                }
                self.add(attribute.expression(), inner, text, file);
            }
            for block in &part.blocks {
                let name = block.kind.name;
                let mut text = self.text(file, above, name);
                let mut inner = match name {
                    "locals" => self.locals[file],
                    // It is merged over the configuration of the unit.
                    "autoinclude" => self.config,
                    _ => self.part(node, name),
                };
                if !block.label.is_empty() {
                    text = self.text(file, Some(text), block.label);
                    inner = self.part(inner, block.label);
                }
                open.push((block, inner, Some(text)));
            }
        }
    }

    /// Notes where the value of a node is written in its file.
    fn place(&mut self, value: Expression<'a>, node: Id) {
        let at = value.label();
        self.written.insert((at.source.name(), at.span.start), (at.span.end, node));
    }

    /// Adds an expression as the value of a node, which is written at a place.
    fn add(&mut self, value: Expression<'a>, node: Id, text: u32, file: usize) {
        self.place(value, node);
        self.node_mut(node).texts.push(text);
        self.run(vec![(Work::Whole { value, node, depth: 0, is_inner: false }, text)], file);
    }

    /// Adds an expression that no name leads to, which is written at a place. Returns its node.
    pub(super) fn add_element(&mut self, value: Expression<'a>, text: u32) -> Id {
        let node = self.new_node();
        self.node_mut(node).texts.push(text);
        let file = self.texts[text as usize].file as usize;
        self.run(vec![(Work::Whole { value, node, depth: 0, is_inner: true }, text)], file);
        node
    }

    fn run(&mut self, mut open: Vec<(Work<'a>, u32)>, file: usize) {
        while let Some((work, text)) = open.pop() {
            step();
            match work {
                Work::Whole { value, node, depth, is_inner } => {
                    self.whole((value, node, depth, is_inner), text, file, &mut open);
                }
                Work::Part { value, node, path, depth } => {
                    self.native((value, node, path, depth), text, file, &mut open);
                }
            }
        }
    }

    fn whole(
        &mut self,
        (value, node, depth, is_inner): (Expression<'a>, Id, usize, bool),
        text: u32,
        file: usize,
        open: &mut Vec<(Work<'a>, u32)>,
    ) {
        let depth = depth + 1;
        if depth > DEEPEST && (value.is_map() || value.is_list()) {
            self.node_mut(node).computed.push(text);
            let (uses, config) = (self.uses(node), self.config);
            for traversal in value.variables() {
                self.reference(uses, traversal.steps(), &[], file);
            }
            // Calls that read other files are not looked for.
            self.flow(uses, config, &[]);
        } else if let Some(entries) = value.as_map() {
            for (key, value) in entries {
                let name = key.to_str();
                let inner = match has_introducer(name.as_bytes()) {
                    false => self.part(node, name),
                    true => {
                        let keys = self.keys(node);
                        for traversal in key.expression().variables() {
                            self.reference(keys, traversal.steps(), &[], file);
                        }
                        self.others(node)
                    }
                };
                let text = match is_inner {
                    true => text,
                    false => self.text(file, Some(text), name),
                };
                self.node_mut(inner).texts.push(text);
                self.place(value, inner);
                open.push((Work::Whole { value, node: inner, depth, is_inner }, text));
            }
        } else if let Some(elements) = value.as_list() {
            let element = |value| (Work::Whole { value, node, depth, is_inner }, text);
            open.extend(elements.map(element));
        } else {
            let native = match value.is_json() {
                true => value.template().and_then(Result::ok).and_then(Native::of),
                false => value.as_native(),
            };
            match native {
                Some(value) => {
                    open.push((Work::Part { value, node, path: Vec::new(), depth }, text));
                }
                None => self.node_mut(node).computed.push(text),
            }
        }
    }

    fn native(
        &mut self,
        (value, node, mut path, depth): (Native<'a>, Id, Vec<Name<'a>>, usize),
        text: u32,
        file: usize,
        open: &mut Vec<(Work<'a>, u32)>,
    ) {
        let part = |value, path| (Work::Part { value, node, path, depth }, text);
        match value.construct() {
            Construct::Traversal(traversal) => {
                self.reference(node, traversal.steps(), &path, file);
            }
            Construct::Relative(inner, steps) => open.push(part(inner, after(steps, &path))),
            Construct::Index { collection, key } => {
                let name = literal_text(key.inner());
                if name.is_some() || key.digits().is_none() {
                    path.insert(0, name);
                    path.truncate(LONGEST);
                }
                open.push(part(collection, path));
                if name.is_none() {
                    open.push((self.used(key, node, depth), text));
                }
            }
            Construct::Splat { source, each } => match of_each(each, path) {
                Some(path) => open.push(part(source, path)),
                None => self.computed(value, node, depth, text, open),
            },
            Construct::Conditional { when_true, when_false, .. } => {
                open.push(part(when_false, path.clone()));
                open.push(part(when_true, path));
            }
            Construct::Object(_) | Construct::Tuple(_) => {
                let inner = self.new_node();
                self.node_mut(inner).texts.push(text);
                self.flow(node, inner, &path);
                let value = Expression::from_native(value.inner());
                open.push((Work::Whole { value, node: inner, depth, is_inner: true }, text));
            }
            Construct::Call(call) => match (name_in(call.name), call.arguments.as_slice()) {
                ("read_terragrunt_config", arguments) => {
                    let (config, values) = (self.config, self.values);
                    let names = canonical(path.clone());
                    self.flow(node, config, &names);
                    // So are the values that a stack gives, if it reads their file.
                    self.flow(node, values, &path);
                    open.extend(arguments.get(1).map(|instead| part(*instead, path)));
                }
                ("jsondecode", &[text]) if is_call(text, "read_tfvars_file") => {
                    let given = self.given;
                    self.flow(node, given, &path);
                }
                ("lookup", &[map, key, ref rest @ ..]) => {
                    open.extend(rest.iter().map(|instead| part(*instead, path.clone())));
                    path.insert(0, literal_text(key.inner()));
                    path.truncate(LONGEST);
                    open.push(part(map, path));
                    open.push((self.used(key, node, depth), text));
                }
                ("values", &[map]) => {
                    path.insert(0, None);
                    path.truncate(LONGEST);
                    open.push(part(map, path));
                }
                (name, arguments) if PASSING.binary_search(&name).is_ok() => {
                    open.extend(arguments.iter().map(|argument| part(*argument, path.clone())));
                }
                _ => self.computed(value, node, depth, text, open),
            },
            _ => self.computed(value, node, depth, text, open),
        }
    }

    /// Adds an expression that selects a part of a value.
    fn used(&mut self, value: Native<'a>, node: Id, depth: usize) -> Work<'a> {
        let selectors = match self.node(node).selectors {
            Some(known) => known,
            None => self.new_node(),
        };
        self.node_mut(node).selectors = Some(selectors);
        Work::Part { value, node: selectors, path: Vec::new(), depth }
    }

    /// Adds an expression that may use all its operands for any part of its value.
    fn computed(
        &mut self,
        value: Native<'a>,
        node: Id,
        depth: usize,
        text: u32,
        open: &mut Vec<(Work<'a>, u32)>,
    ) {
        self.node_mut(node).computed.push(text);
        let mut operands = value.inner().operands();
        operands.retain(|operand| !operand.is(Kind::Text));
        if operands.is_empty() {
            return;
        }
        let node = self.uses(node);
        let operand = |value| (Work::Part { value, node, path: Vec::new(), depth }, text);
        open.extend(operands.into_iter().map(operand));
    }

    /// Has a node be made of what a reference leads to, and of the value at a path in that.
    fn reference(&mut self, node: Id, steps: &[Step<'a>], path: &[Name<'a>], file: usize) {
        let [Step { kind: StepKind::Root(root), .. }, rest @ ..] = steps else { return };
        let mut names: Vec<Name<'a>> = rest.iter().filter_map(name_of).map(Some).collect();
        names.extend_from_slice(path);
        let from = match *root {
            "local" => self.locals[file],
            "values" => self.values,
            "feature" | "dependency" => {
                names.insert(0, Some(root));
                names = canonical(names);
                self.config
            }
            "include" => {
                if !self.bare[file] && !names.is_empty() {
                    names.remove(0);
                }
                names = canonical(names);
                self.config
            }
            _ => return,
        };
        self.flow(node, from, &names);
    }
}

/// The path of the configuration that an expression reads, if it is nothing else.
pub(super) fn read_path(value: Expression<'_>) -> Option<Expression<'_>> {
    let call = value.as_native().filter(|value| is_call(*value, "read_terragrunt_config"))?;
    call.inner().operands().first().copied().map(Expression::from_native)
}

/// Whether an expression calls a function.
fn is_call(value: Native<'_>, name: &str) -> bool {
    value.inner().called_name().is_some_and(|(known, _)| name_in(known) == name)
}

/// The name of a function, without the namespace of those of the tool.
fn name_in(name: &str) -> &str {
    name.strip_prefix("core::").unwrap_or(name)
}

/// The path of a value in the configuration, by the names of the attributes that give it.
fn canonical(mut names: Vec<Name<'_>>) -> Vec<Name<'_>> {
    match names.as_mut_slice() {
        [Some("dependency"), _, Some(outputs), ..] if *outputs == "outputs" => {
            *outputs = "mock_outputs";
        }
        [Some("feature"), _, Some(value), ..] if *value == "value" => *value = "default",
        // In the value of a stack.
        [Some(local), ..] if *local == "local" => *local = "locals",
        _ => {}
    }
    names
}

/// The names of steps, and those of a path behind them.
fn after<'a>(steps: Traversal<'a>, path: &[Name<'a>]) -> Vec<Name<'a>> {
    let names = steps.steps().iter().filter_map(name_of).map(Some);
    names.chain(path.iter().copied()).take(LONGEST).collect()
}

/// The path in the elements of a splat, if each result is a part of one.
fn of_each<'a>(each: Option<Native<'a>>, mut path: Vec<Name<'a>>) -> Option<Vec<Name<'a>>> {
    let Some(mut each) = each else { return Some(path) };
    loop {
        match each.construct() {
            Construct::Element => return Some(path),
            Construct::Relative(inner, steps) => {
                path = after(steps, &path);
                each = inner;
            }
            _ => return None,
        }
    }
}

/// The name that a step has, however it is written.
fn name_of<'a>(step: &Step<'a>) -> Option<&'a str> {
    match step.kind {
        StepKind::Attribute(name) | StepKind::Index(Key::String(name)) => Some(name),
        _ => None,
    }
}
