//! Rows of the tables that are read from the files of a module: what they declare, as it is written.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use simd_hcl::dialect::{List, Syntax, block_address};
use simd_hcl::directory::{ModuleFile, ModuleFiles, decode_modules};
use simd_hcl::hidden::{Hidden, shown_type};
use simd_hcl::module::Module;
use simd_hcl::packer;
use simd_hcl::rules::Package;
use simd_hcl::{Arena, Dialect, Expression, Source, Span};

use crate::collect::{HIDDEN, Tables};
use crate::columns;
use crate::file::{self, Attribute, Block, Content, Depth, Item, Parsed};
use crate::hash::hash_of;
use crate::source::Sources;
use crate::table::{Lines, Place, at};

/// The number of names below a block that may say whether a value is secret.
const MOST_NAMES: u64 = 4;

/// The parts of a file that rows repeat.
#[derive(Clone, Copy)]
struct At<'f, 'a> {
    repository: &'f str,
    module: &'f str,
    role: &'f str,
    path: &'f str,
    hash: &'f str,
    source: Source<'a>,
    dialect: Dialect,
    list: List,
    shows_secrets: bool,
    lines: &'f Lines<'a>,
    secrets: &'f Secrets<'a>,
    called: &'f Called<'f>,
}

/// The values of a module that must not be shown because of the modules that it calls, computed
/// when they are first asked for.
struct Called<'f> {
    module: &'f ModuleFiles,
    /// `None` if all is shown.
    sources: Option<&'f Sources>,
    /// Whether it may call others.
    may_call: bool,
    hidden: OnceCell<Arc<Hidden>>,
}

impl Called<'_> {
    fn hidden(&self) -> &Hidden {
        self.hidden.get_or_init(|| match self.sources.filter(|_| self.may_call) {
            Some(sources) => sources.secrets().of(self.module, None),
            None => Arc::default(),
        })
    }
}

impl<'f> At<'f, '_> {
    /// Whether a value in a block must not be shown because of a called module, or as a constant of a
    /// provider. `names` lead from the block to it.
    fn is_passed(&self, block: &Block<'_>, names: &[&str], value: Option<Expression<'_>>) -> bool {
        let is_given = matches!(
            block.block_type,
            "variables" | "variable" | "provider" | "locals" | "terraform"
        );
        if self.shows_secrets || !(is_given || calls_others(block)) {
            return false;
        }
        let mut all = vec![block.block_type];
        all.extend(block.labels.iter().copied());
        all.extend(names);
        self.called.hidden().hides(self.list, &all, value)
    }

    /// Whether a variable or an output is sensitive, or may be.
    fn is_secret(&self, block: &Block<'_>) -> bool {
        let name = block.labels.first().copied().unwrap_or_default();
        let declared = self.secrets.get(&(block.block_type, name)).copied();
        let is_passed_on = || {
            !self.shows_secrets
                && block.block_type == "variable"
                && self.called.hidden().has_variable(name)
        };
        declared.unwrap_or_default() || is_sensitive(block.body) || is_passed_on()
    }

    fn place(&self, span: Span) -> Place<'f> {
        let at = Some(self.lines.at(span));
        Place { repository: self.repository, path: self.path, at, hash: self.hash }
    }
}

/// Whether a block gives values to the variables of another module, or of a stack.
fn calls_others(block: &Block<'_>) -> bool {
    matches!(block.block_type, "module" | "run" | "component" | "stack" | "deployment")
}

/// The directory of a module, as the tables write it.
pub(crate) fn directory_of(module: &ModuleFiles) -> String {
    let directory = module.directory();
    let text = directory.to_string_lossy();
    if text.is_empty() { ".".to_owned() } else { text.into_owned() }
}

/// The role of a file, in either syntax.
pub(crate) fn role_of(file: &ModuleFile) -> &'static str {
    match file.kind.list {
        List::Primary => "primary",
        List::Override => "override",
        List::Test => "test",
        List::Variables => "variables",
        List::Lock => "lock",
        _ => "other",
    }
}

/// A file of the module that was opened.
struct Opened<'m, 'a> {
    file: &'m ModuleFile,
    source: Source<'a>,
    parsed: Option<Parsed<'a>>,
}

/// Adds the rows of a module, file by file. `is_wanted` says which files are asked for.
pub(crate) fn read(
    (module, sources): (&ModuleFiles, &Sources),
    repository: &str,
    arena: &Arena,
    tables: &mut Tables,
    is_wanted: &dyn Fn(&ModuleFile) -> bool,
) {
    let directory = directory_of(module);
    let depth = if tables.need_bodies() { Depth::Bodies } else { Depth::Heads };
    // Whether a file of variables, or one that overrides others, has secrets, the files beside it say.
    let rests_on_others = module.files.iter().any(|file| {
        let is_asked_for = file.is_read() && file.is_asked_for() && is_wanted(file);
        is_asked_for && matches!(file.kind.list, List::Variables | List::Override)
    });
    let needs_beside = rests_on_others && tables.has_values() && !tables.shows_secrets();
    let mut opened = Vec::new();
    for file in &module.files {
        let is_asked_for = file.is_asked_for() && is_wanted(file);
        if !file.is_read() {
            if is_asked_for {
                add_file(module, file, (repository, &directory), None, tables);
            }
            continue;
        }
        if !is_asked_for && !needs_beside {
            continue;
        }
        let source = match file::open(arena, file) {
            Ok(source) => source,
            Err(error) => {
                if is_asked_for {
                    tables.report_file(&file.path.to_string_lossy(), &error.to_string());
                    add_file(module, file, (repository, &directory), None, tables);
                }
                continue;
            }
        };
        let parsed = file::parse(arena, file, source, depth);
        if parsed.is_none() && is_asked_for {
            tables.report_file(source.name(), "it has a syntax error");
        }
        opened.push(Opened { file, source, parsed });
    }
    let secrets = if needs_beside { secrets_of(module.dialect, &opened) } else { Secrets::new() };
    // The calls in files that are not asked for are not known yet.
    let is_part = opened.len() < module.files.iter().filter(|file| file.is_read()).count();
    let may_call = is_part
        || opened.iter().any(|Opened { file, parsed, .. }| {
            let blocks = parsed.iter().flat_map(|it| it.blocks(module.dialect, file.kind.list));
            { blocks }.any(|block| calls_others(&block))
        });
    let called = Called {
        module,
        sources: (!tables.shows_secrets()).then_some(sources),
        may_call,
        hidden: OnceCell::new(),
    };
    for Opened { file, source, parsed } in opened {
        if !(file.is_asked_for() && is_wanted(file)) {
            continue;
        }
        let hash = if tables.want_hashes() { hash_of(source.bytes()) } else { String::new() };
        let path = file.path.to_string_lossy();
        let lines = Lines::new(source, tables.want_lines());
        let at = At {
            repository,
            module: &directory,
            role: role_of(file),
            path: &path,
            hash: &hash,
            source,
            dialect: module.dialect,
            list: file.kind.list,
            shows_secrets: tables.shows_secrets(),
            lines: &lines,
            secrets: &secrets,
            called: &called,
        };
        add_file(module, file, (repository, &directory), Some((at, parsed.is_some())), tables);
        let Some(parsed) = parsed else { continue };
        match file.kind.list {
            List::Variables => {
                for attribute in parsed.attributes() {
                    // A variable that no file here declares may be sensitive elsewhere.
                    let is_secret =
                        secrets.get(&("variable", attribute.name)).copied().unwrap_or(true)
                            || !tables.shows_secrets()
                                && called.hidden().hides(List::Variables, &[attribute.name], None);
                    let address = block_address("variable", [attribute.name]);
                    let owner = Owner { address: &address, block_type: "variable", is_secret };
                    add_attribute(&at, owner, "", attribute, tables);
                }
            }
            _ => {
                for block in parsed.blocks(at.dialect, at.list) {
                    add_block(&at, &block, tables);
                }
            }
        }
    }
}

/// Which variables and outputs the files declare, by type and name, and whether each may be
/// sensitive.
type Secrets<'a> = BTreeMap<(&'a str, &'a str), bool>;

fn secrets_of<'a>(dialect: Dialect, files: &[Opened<'_, 'a>]) -> Secrets<'a> {
    let mut secrets = Secrets::new();
    for Opened { file, parsed, .. } in files {
        let is_configuration = file.kind.list.declares();
        let Some(parsed) = parsed.filter(|_| is_configuration) else { continue };
        for block in parsed.blocks(dialect, file.kind.list) {
            match (block.block_type, &block.labels[..]) {
                ("variable" | "output", [name]) => {
                    let is_secret = is_sensitive(block.body);
                    *secrets.entry((block.block_type, *name)).or_default() |= is_secret;
                }
                ("variables", []) => {
                    for item in block.body.items() {
                        if let Item::Attribute(attribute) = item {
                            secrets.entry(("variable", attribute.name)).or_default();
                        }
                    }
                }
                _ => {}
            }
        }
    }
    secrets
}

/// Whether a variable or an output is sensitive or ephemeral, or may be.
fn is_sensitive(body: Content<'_>) -> bool {
    let may_be = |name| body.attribute(name).is_some_and(Attribute::may_be_true);
    may_be("sensitive") || may_be("ephemeral")
}

fn add_file(
    module: &ModuleFiles,
    file: &ModuleFile,
    (repository, directory): (&str, &str),
    read: Option<(At<'_, '_>, bool)>,
    tables: &mut Tables,
) {
    let Some(rows) = tables.rows(&columns::FILES) else { return };
    let path = file.path.to_string_lossy();
    let row = columns::File {
        module: Some(directory.into()),
        name: Some(file.name.to_string_lossy()),
        dialect: Some(module.dialect.name().into()),
        syntax: Some(if file.kind.syntax == Syntax::Native { "native" } else { "json" }.into()),
        list: Some(role_of(file).into()),
        shadowed_by: file.shadowed_by.as_ref().map(|name| name.to_string_lossy()),
        bytes: read.map(|(at, _)| at.source.bytes().len() as u64),
        is_complete: file.is_read().then_some(read.is_some_and(|(_, is_complete)| is_complete)),
        ..columns::File::default()
    };
    let end = read.map_or(0, |(at, _)| at.source.bytes().len() as u64);
    let at = read.map(|_| (1, 0, end));
    let hash = read.map_or("", |(at, _)| at.hash);
    row.add(rows, Place { repository, path: &path, at, hash });
}

/// The object that has an attribute.
#[derive(Clone, Copy)]
struct Owner<'o> {
    address: &'o str,
    block_type: &'o str,
    /// Whether its values are hidden.
    is_secret: bool,
}

/// The text of an expression, unless it marks a value as sensitive itself.
fn shown<'a>(at: &At<'_, '_>, attribute: Attribute<'a>) -> Cow<'a, str> {
    let is_marking = || attribute.expression.is_some_and(|it| it.marks_itself());
    if !at.shows_secrets && is_marking() { HIDDEN.into() } else { attribute.text.into() }
}

fn add_attribute(
    at: &At<'_, '_>,
    owner: Owner<'_>,
    path: &str,
    attribute: Attribute<'_>,
    tables: &mut Tables,
) {
    let Some(rows) = tables.rows(&columns::ATTRIBUTES) else { return };
    let is_hidden = owner.is_secret && !at.shows_secrets;
    let needs_value = rows.wants("value") || rows.wants("kind");
    let wants_references = rows.wants("references");
    let is_literal = (needs_value || wants_references) && attribute.is_literal();
    let references = match needs_value || wants_references {
        true => attribute.references(is_literal),
        false => Vec::new(),
    };
    let is_constant = needs_value && references.is_empty();
    let value = if is_constant { attribute.evaluated(is_literal) } else { None };
    let kind = if value.is_some() { "literal" } else { attribute.kind() };
    let text = if is_hidden { HIDDEN.into() } else { shown(at, attribute) };
    let row = columns::Attribute {
        module: Some(at.module.into()),
        role: Some(at.role.into()),
        address: Some(owner.address.into()),
        block_type: Some(owner.block_type.into()),
        name: Some(path.into()),
        is_sensitive: Some(is_hidden || text == HIDDEN),
        text: Some(text),
        value: match is_hidden {
            true => value.map(|_| HIDDEN.into()),
            false => value,
        },
        kind: Some(kind.into()),
        references: wants_references.then_some(references),
        ..columns::Attribute::default()
    };
    row.add(rows, at.place(attribute.span));
}

fn join(path: &str, name: &str) -> String {
    let mut joined = path.to_owned();
    if simd_hcl::expression::is_identifier(name) {
        if !joined.is_empty() {
            joined.push('.');
        }
        joined.push_str(name);
    } else {
        joined.push_str(&format!("[{name:?}]"));
    }
    joined
}

/// Adds the rows of a block of the top level, and of everything in it.
fn add_block(at: &At<'_, '_>, block: &Block<'_>, tables: &mut Tables) {
    let address = block_address(block.block_type, block.labels.iter().copied());
    if tables.has(&columns::BLOCKS) || tables.has(&columns::ATTRIBUTES) {
        add_content(at, &address, block, tables);
    }
    match (block.block_type, &block.labels[..]) {
        ("resource" | "data" | "ephemeral", [resource_type, name]) if is_declared(at) => {
            let mode = if block.block_type == "resource" { "managed" } else { block.block_type };
            add_resource(at, block, (mode, resource_type, name), &address, tables);
        }
        ("source", [resource_type, name]) => {
            add_resource(at, block, ("source", resource_type, name), &address, tables);
        }
        ("check", _) if is_declared(at) && tables.has(&columns::RESOURCES) => {
            for data in nested(block.body, "data") {
                if let [resource_type, name] = data.labels[..] {
                    let address = block_address("data", [resource_type, name]);
                    add_resource(at, &data, ("data", resource_type, name), &address, tables);
                }
            }
        }
        ("variable", [name]) => add_variable(at, block, name, tables),
        ("variables", []) if at.dialect == Dialect::Packer => {
            add_plain_variables(at, block, tables);
        }
        ("output", [name]) if is_declared(at) => add_output(at, block, name, tables),
        ("module", [name]) if is_declared(at) => add_call(at, block, name, tables),
        ("provider", [name]) => add_provider(at, block, name, tables),
        ("terraform" | "packer", []) => add_required(at, block, tables),
        _ => {}
    }
}

/// Whether the file declares objects of the module: it is not a test.
fn is_declared(at: &At<'_, '_>) -> bool {
    at.list.declares()
}

/// The blocks inside of a body. In JSON only those with two labels, which `check` has.
fn nested<'a>(body: Content<'a>, block_type: &str) -> Vec<Block<'a>> {
    match body {
        Content::Native(_) => {
            let items = body.items().into_iter();
            let blocks = items.filter_map(|item| match item {
                Item::Block(block) if block.block_type == block_type => Some(block),
                _ => None,
            });
            blocks.collect()
        }
        Content::Json(node) => {
            use simd_hcl::body::{BlockSchema, Schema};
            static DATA: Schema = Schema::new(&[], &[BlockSchema::new("data", &["type", "name"])]);
            let (content, _) = simd_hcl::Body::from_json(node).partial_content(&DATA, &mut ());
            Block::of_json(&content)
        }
    }
}

/// Adds rows of `blocks` and `attributes` without recursion: bodies nest as deeply as input likes.
fn add_content(at: &At<'_, '_>, address: &str, block: &Block<'_>, tables: &mut Tables) {
    let is_secret = match block.block_type {
        "variable" | "output" => at.is_secret(block),
        _ => false,
    };
    // The names that lead to a block: those of the outer blocks, as far as they say what is secret.
    let mut stack = vec![(String::new(), (0_u64, Vec::new()), block.clone())];
    while let Some((path, (depth, names), inner)) = stack.pop() {
        if let Some(rows) = tables.rows(&columns::BLOCKS) {
            let row = columns::Block {
                module: Some(at.module.into()),
                role: Some(at.role.into()),
                block_type: Some(inner.block_type.into()),
                labels: Some(inner.labels.iter().map(|label| (*label).to_owned()).collect()),
                address: Some(address.into()),
                name: Some((&*path).into()),
                depth: Some(depth),
                ..columns::Block::default()
            };
            row.add(rows, at.place(inner.span));
        }
        let is_json = matches!(inner.body, Content::Json(_));
        if !tables.has(&columns::ATTRIBUTES) && (is_json || !tables.need_bodies()) {
            continue;
        }
        let items = inner.body.items();
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for item in &items {
            if let Item::Block(inner) = item {
                counts.entry(inner.block_type).or_default().0 += 1;
            }
        }
        let mut blocks = Vec::new();
        for item in items {
            match item {
                Item::Attribute(attribute) => {
                    let of_object = || (address.to_owned(), join(&path, attribute.name));
                    let is_of_own =
                        matches!(inner.block_type, "locals" | "variables") && depth == 0;
                    let (owner, name) = match is_of_own {
                        true => (block_address(inner.block_type, [attribute.name]), String::new()),
                        false => of_object(),
                    };
                    let has_secret = |name: &str| match name {
                        "default" | "value" => true,
                        // Of defaults of attributes, all of the type is hidden.
                        "type" => attribute
                            .expression
                            .is_some_and(|it| shown_type(it).text() != it.text()),
                        _ => false,
                    };
                    let is_secret = is_secret && has_secret(attribute.name)
                        || at.is_passed(
                            block,
                            &names.iter().copied().chain([attribute.name]).collect::<Vec<_>>(),
                            attribute.expression,
                        );
                    let block_type = block.block_type;
                    let owner = Owner { address: &owner, block_type, is_secret };
                    add_attribute(at, owner, &name, attribute, tables);
                }
                Item::Block(next) => {
                    let mut name = join(&path, next.block_type);
                    let count = counts.entry(next.block_type).or_default();
                    if count.0 > 1 {
                        name.push_str(&format!("[{}]", count.1));
                        count.1 += 1;
                    }
                    let mut names = names.clone();
                    if depth < MOST_NAMES {
                        names.push(next.block_type);
                        names.extend(next.labels.iter().copied());
                    }
                    blocks.push((name, (depth + 1, names), next));
                }
            }
        }
        stack.extend(blocks.into_iter().rev());
    }
}

fn text<'t>(at: &At<'_, '_>, body: Content<'t>, name: &str) -> Option<Cow<'t, str>> {
    body.attribute(name).map(|attribute| shown(at, attribute))
}

/// The string of an attribute; its expression, if it has to be evaluated.
fn string<'t>(at: &At<'_, '_>, body: Content<'t>, name: &str) -> Option<Cow<'t, str>> {
    let attribute = body.attribute(name)?;
    Some(attribute.to_str().map_or_else(|| shown(at, attribute), Cow::Borrowed))
}

/// The elements of a list of references.
fn addresses(attribute: Option<Attribute<'_>>) -> Option<Vec<String>> {
    let elements = attribute?.expression?.as_list()?;
    let elements = elements.map(|element| match element.as_traversal() {
        Some(traversal) => traversal.to_string(),
        None => String::from_utf8_lossy(element.text()).trim_matches('"').to_owned(),
    });
    Some(elements.collect())
}

fn add_resource(
    at: &At<'_, '_>,
    block: &Block<'_>,
    (mode, resource_type, name): (&str, &str, &str),
    address: &str,
    tables: &mut Tables,
) {
    let Some(rows) = tables.rows(&columns::RESOURCES) else { return };
    let opens = rows.opens_bodies();
    let body = block.body;
    let mut row = columns::Resource {
        module: Some(at.module.into()),
        role: Some(at.role.into()),
        address: Some(address.into()),
        mode: Some(mode.into()),
        resource_type: Some(resource_type.into()),
        name: Some(name.into()),
        ..columns::Resource::default()
    };
    if opens {
        let lifecycle = body.bodies("lifecycle");
        let of_lifecycle = |name| lifecycle.iter().find_map(|body| text(at, *body, name));
        let [count, for_each, depends_on, provider] =
            body.attributes(["count", "for_each", "depends_on", "provider"]);
        row.count = count.map(|it| shown(at, it));
        row.for_each = for_each.map(|it| shown(at, it));
        row.depends_on = addresses(depends_on);
        row.prevent_destroy = of_lifecycle("prevent_destroy");
        row.create_before_destroy = of_lifecycle("create_before_destroy");
        let provider = provider.map(|it| match it.expression {
            Some(expression) => match expression.as_traversal() {
                Some(traversal) => traversal.to_string(),
                None => it.text.trim_matches('"').to_owned(),
            },
            None => it.text.to_owned(),
        });
        let implied = || resource_type.split('_').next().unwrap_or_default().to_owned();
        let is_packer = at.dialect == Dialect::Packer;
        row.provider = provider.or_else(|| (!is_packer).then(implied)).map(Cow::Owned);
    }
    row.add(rows, at.place(block.span));
}

fn add_variable(at: &At<'_, '_>, block: &Block<'_>, name: &str, tables: &mut Tables) {
    let Some(rows) = tables.rows(&columns::VARIABLES) else { return };
    let body = block.body;
    let default = body.attribute("default");
    let is_secret = at.is_secret(block);
    let row = columns::Variable {
        module: Some(at.module.into()),
        role: Some(at.role.into()),
        name: Some(name.into()),
        constraint: body.attribute("type").map(|it| match it.expression {
            Some(written) if is_secret && !at.shows_secrets => {
                let shown = shown_type(written);
                let text = || String::from_utf8_lossy(shown.text()).into_owned();
                shown.to_str().map_or_else(text, str::to_owned).into()
            }
            _ => it.to_str().unwrap_or(it.text).into(),
        }),
        default: default.map(|it| match is_secret && !at.shows_secrets {
            true => HIDDEN.into(),
            false => it.constant().unwrap_or_else(|| shown(at, it)),
        }),
        is_required: Some(default.is_none()),
        description: string(at, body, "description"),
        is_sensitive: Some(is_secret),
        validations: Some(body.bodies("validation").len() as u64),
        ..columns::Variable::default()
    };
    row.add(rows, at.place(block.span));
}

/// The variables of Packer's block `variables`: names with default values.
fn add_plain_variables(at: &At<'_, '_>, block: &Block<'_>, tables: &mut Tables) {
    let Some(rows) = tables.rows(&columns::VARIABLES) else { return };
    for item in block.body.items() {
        let Item::Attribute(attribute) = item else { continue };
        let default = attribute.constant().unwrap_or_else(|| shown(at, attribute));
        let row = columns::Variable {
            module: Some(at.module.into()),
            role: Some(at.role.into()),
            name: Some(attribute.name.into()),
            default: Some(default),
            is_required: Some(false),
            is_sensitive: Some(false),
            validations: Some(0),
            ..columns::Variable::default()
        };
        row.add(rows, at.place(attribute.span));
    }
}

fn add_output(at: &At<'_, '_>, block: &Block<'_>, name: &str, tables: &mut Tables) {
    let Some(rows) = tables.rows(&columns::OUTPUTS) else { return };
    let body = block.body;
    let is_secret = at.is_secret(block);
    let value = body.attribute("value");
    let row = columns::Output {
        module: Some(at.module.into()),
        role: Some(at.role.into()),
        name: Some(name.into()),
        expression: value.map(|it| match is_secret && !at.shows_secrets {
            true if it.references(it.is_literal()).is_empty() => HIDDEN.into(),
            _ => shown(at, it),
        }),
        description: string(at, body, "description"),
        is_sensitive: Some(is_secret),
        depends_on: addresses(body.attribute("depends_on")),
        ..columns::Output::default()
    };
    row.add(rows, at.place(block.span));
}

fn add_call(at: &At<'_, '_>, block: &Block<'_>, name: &str, tables: &mut Tables) {
    let Some(rows) = tables.rows(&columns::MODULE_CALLS) else { return };
    let body = block.body;
    let source = string(at, body, "source");
    let is_own = |name: &str| {
        let own = ["source", "version", "count", "for_each", "enabled", "depends_on", "providers"];
        own.contains(&name)
    };
    let items = body.items();
    let arguments = items.iter().filter_map(|item| match item {
        Item::Attribute(it) if !is_own(it.name) && it.name != "lifecycle" => {
            Some(it.name.to_owned())
        }
        _ => None,
    });
    let is_local = |source: &Cow<'_, str>| source.starts_with("./") || source.starts_with("../");
    let row = columns::ModuleCall {
        module: Some(at.module.into()),
        role: Some(at.role.into()),
        name: Some(name.into()),
        is_local: source.as_ref().map(is_local),
        reference: source.as_deref().and_then(revision_of).map(Cow::Owned),
        source,
        version: string(at, body, "version"),
        count: text(at, body, "count"),
        for_each: text(at, body, "for_each"),
        arguments: Some(arguments.collect()),
        providers: text(at, body, "providers"),
        ..columns::ModuleCall::default()
    };
    row.add(rows, at.place(block.span));
}

/// The revision that the source of a repository names.
fn revision_of(source: &str) -> Option<String> {
    Package::of_source(source, None)?.version
}

fn add_provider(at: &At<'_, '_>, block: &Block<'_>, name: &str, tables: &mut Tables) {
    let Some(rows) = tables.rows(&columns::PROVIDERS) else { return };
    let is_locked = at.list == List::Lock;
    let body = block.body;
    let row = columns::Provider {
        module: Some(at.module.into()),
        role: Some(at.role.into()),
        kind: Some(if is_locked { "locked" } else { "configuration" }.into()),
        name: Some(name.into()),
        alias: string(at, body, "alias"),
        source: is_locked.then_some(name.into()),
        version: string(at, body, "version"),
        ..columns::Provider::default()
    };
    row.add(rows, at.place(block.span));
}

/// Adds the providers of `required_providers`, or the plugins of `required_plugins`.
fn add_required(at: &At<'_, '_>, block: &Block<'_>, tables: &mut Tables) {
    let Some(rows) = tables.rows(&columns::PROVIDERS) else { return };
    let block_type = match block.block_type {
        "packer" => "required_plugins",
        _ => "required_providers",
    };
    for body in block.body.bodies(block_type) {
        for item in body.items() {
            let Item::Attribute(provider) = item else { continue };
            let Some(expression) = provider.expression else { continue };
            let members: Vec<_> = expression.as_map().into_iter().flatten().collect();
            let member = |name: &str| {
                let mut members = members.iter().filter(|(key, _)| key.to_str() == name);
                let (_, value) = members.next()?;
                let written = || String::from_utf8_lossy(value.text()).into_owned();
                Some(value.to_str().map_or_else(written, str::to_owned))
            };
            let row = columns::Provider {
                module: Some(at.module.into()),
                role: Some(at.role.into()),
                kind: Some("required".into()),
                name: Some(provider.name.into()),
                source: member("source").map(Cow::Owned),
                // Before `source`, the value was the version.
                version: member("version")
                    .map(Cow::Owned)
                    .or(expression.to_str().map(Cow::Borrowed)),
                ..columns::Provider::default()
            };
            row.add(rows, at.place(provider.span));
        }
    }
}

/// Adds the references of a module: which ones an expression has depends on all its files.
pub(crate) fn read_references(
    (module, sources): (&ModuleFiles, &Sources),
    repository: &str,
    tables: &mut Tables,
    is_wanted: &(dyn Fn(&str) -> bool + Sync),
) {
    let directory = directory_of(module);
    let (hashes, wants_lines) = (tables.want_hashes(), tables.want_lines());
    let asked_for = module.asked_for();
    let options = sources.decode_options();
    let found = decode_modules(std::slice::from_ref(module), &options, |module, _, files| {
        let mut rows = Vec::new();
        let mut hash: BTreeMap<String, String> = BTreeMap::new();
        let mut documents = Vec::new();
        let mut broken = Vec::new();
        for file in files {
            let is_configuration = file.file.kind.list.declares();
            if hashes {
                let of_file = hash_of(file.source.bytes());
                hash.insert(file.source.name().to_owned(), of_file);
            }
            match file.parsed {
                _ if !is_configuration => {}
                Ok(parsed) if parsed.is_complete() => {
                    documents.push((file.file.kind.list, parsed));
                }
                _ => broken.push(file.source.name().to_owned()),
            }
        }
        let mut add = |source: Source<'_>, span: Span, texts: [String; 4]| {
            if asked_for.contains(source.name()) && is_wanted(source.name()) {
                let at = at(source, span, wants_lines);
                rows.push((source.name().to_owned(), at, texts));
            }
        };
        if module.dialect == Dialect::Packer {
            let template = packer::Template::read(documents, &packer::Options::default(), &mut ());
            template.visit_references(|object, reference| {
                let text = reference.to_string();
                let (to, kind) = match &reference.subject {
                    Ok(subject) => (subject.to_string(), subject.kind()),
                    Err(_) => (text.clone(), "unknown"),
                };
                let texts = [object.to_string(), to, kind.to_owned(), text];
                add(reference.label.source, reference.label.span, texts);
            });
        } else {
            let declared = Module::read(module.dialect, documents, true, &mut ());
            declared.visit_references(|object, _, traversal| {
                let (to, kind) = declared.target(traversal);
                let texts = [object.to_string(), to, kind.to_owned(), traversal.to_string()];
                add(traversal.source(), traversal.span(), texts);
            });
        }
        (rows, hash, broken)
    });
    for path in found.iter().flat_map(|(.., broken)| broken) {
        if asked_for.contains(path) && is_wanted(path) {
            tables.report_file(path, "it cannot be read, or has a syntax error");
        }
    }
    let Some(rows) = tables.rows(&columns::REFERENCES) else { return };
    for (found, hash, _) in found {
        for (path, at, [from, to, kind, text]) in found {
            let row = columns::Reference {
                module: Some((&*directory).into()),
                from: Some(from.into()),
                to: Some(to.into()),
                kind: Some(kind.into()),
                text: Some(text.into()),
                ..columns::Reference::default()
            };
            let hash = hash.get(&path).map_or("", String::as_str);
            row.add(rows, Place { repository, path: &path, at: Some(at), hash });
        }
    }
}
