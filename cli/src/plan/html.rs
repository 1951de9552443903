//! A plan as a page: the list of changes, and a picture of their dependencies.

use std::collections::{BTreeMap, HashMap};
use std::io;

use simd_hcl::Diagnostic;
use simd_hcl::json::Object;
use simd_hcl::show::rows::{Action, Change, Value};
use simd_hcl::show::{ActionKind, Address, Configuration, List, Map, references};

use super::change::{NO_ADDRESS, in_words, shown_name};
use super::human::{path_text, sides};
use super::report::{Failed, Report};
use crate::output;
use crate::picture::instances::{Instances, MAX_EDGES, module_in};
use crate::picture::{self, Picture, PictureChange};
use crate::rows::text;
use crate::stats::count;
use crate::visible::visible;

const DEFERRED: &str = "deferred to a later plan";

impl<'a> Report<'_, 'a> {
    pub(super) fn write_page(&self, diagnostics: &mut Vec<Diagnostic<'a>>) -> io::Result<()> {
        let mut picture = Picture::new(format!("Plan: {}", self.headline()), ".");
        let mut changes = Vec::new();
        for Failed { status, address, messages } in self.failures() {
            let mut notes = vec![format!("({status})")];
            notes.extend(messages.iter().map(|message| visible(message).into_owned()));
            changes.push(PictureChange {
                title: visible(&address).into_owned(),
                kind: "check",
                section: "check",
                module: module_in(&address),
                notes,
                node: None,
                leaves: Vec::new(),
            });
        }
        let mut blocks = Instances::default();
        let mut instances: HashMap<&str, usize> = HashMap::new();
        let shown = self.view.shown;
        for change in self.shown_changes() {
            let entry = change.entry();
            let address = entry.address().value().unwrap_or(NO_ADDRESS);
            let kind = shown_name(entry.actions().kind());
            let named = shown.name(entry.object().node(), address);
            let node = blocks.add(&mut picture, (address, &named), kind);
            instances.insert(address, node);
            changes.push(self.picture_change(change, ("change", None), Some(node), diagnostics));
        }
        // A change without a node of its own points to that of the same instance.
        let mut add = |change: Change<'a>, section, note: Option<&str>| {
            let address = change.entry().address().value();
            let node = address.and_then(|address| instances.get(address));
            changes.push(self.picture_change(change, (section, note), node.copied(), diagnostics));
        };
        for one in self.plan.deferred_rows() {
            if let Some(change) = one.change() {
                let reason = one.reason(shown).map(|reason| format!(": {}", in_words(&reason)));
                add(
                    change,
                    "deferred",
                    Some(&format!("({DEFERRED}{})", reason.unwrap_or_default())),
                );
            }
        }
        for change in &self.drift {
            add(*change, "drift", None);
        }
        changes.extend(self.plan.action_rows().map(|action| self.picture_action(action, None)));
        let deferred = self.plan.deferred_rows().filter_map(|one| one.action());
        changes.extend(deferred.map(|action| self.picture_action(action, Some(DEFERRED))));
        let mut is_whole = true;
        if let Some(configuration) = self.plan.configuration().value() {
            is_whole = add_edges(&mut picture, configuration, &blocks);
        }
        for output in self.plan.output_rows().filter(|it| it.kind() != ActionKind::NoOp) {
            let note = output.is_sensitive(shown).then(|| "(sensitive)".to_owned());
            changes.push(PictureChange {
                title: format!("output.{}", visible(&text(output.name(shown)))),
                kind: shown_name(output.kind()),
                section: "output",
                module: String::new(),
                notes: note.into_iter().collect(),
                node: None,
                leaves: Vec::new(),
            });
        }
        let (nodes, edges) = (picture.nodes.len(), picture.edges.len() / 2);
        let mut summary = format!("{}, {}", count(nodes, "change"), count(edges, "edge"));
        if !is_whole {
            summary.push_str(", more edges are not drawn");
        }
        for (_, why) in self.incomplete() {
            summary.push_str(&format!("; incomplete: {why}"));
        }
        picture.summary = summary;
        picture.changes = Some(changes);
        output::data(|out| picture::write_page(&picture, out))
    }

    fn picture_action(&self, action: Action<'a>, note: Option<&str>) -> PictureChange {
        let address = action.address(self.view.shown);
        PictureChange {
            title: visible(address.as_deref().unwrap_or(NO_ADDRESS)).into_owned(),
            kind: "action",
            section: if note.is_some() { "deferred" } else { "action" },
            module: address.as_deref().map_or_else(String::new, module_in),
            notes: note.map(|note| format!("({note})")).into_iter().collect(),
            node: None,
            leaves: Vec::new(),
        }
    }

    fn picture_change(
        &self,
        entry: Change<'a>,
        (section, note): (&'static str, Option<&str>),
        node: Option<usize>,
        diagnostics: &mut Vec<Diagnostic<'a>>,
    ) -> PictureChange {
        let shown = self.view.shown;
        let mut leaves = Vec::new();
        if let Some(mut differences) = self.view.leaves(entry) {
            while let Some(leaf) = differences.next_row(entry.entry().object().node()) {
                let note = if leaf.forces_replacement(shown) { "# forces replacement" } else { "" };
                let [before, after] = sides(leaf, shown).map(|side| match side.value {
                    Value::Absent => String::new(),
                    _ => side.to_string(),
                });
                leaves.push([path_text(leaf, shown), before, after, note.to_owned()]);
            }
            diagnostics.extend_from_slice(differences.misfits());
        }
        let notes = self.view.notes(entry);
        let notes = note.into_iter().chain(notes.iter().map(String::as_str));
        PictureChange {
            title: visible(&self.view.address(entry)).into_owned(),
            kind: shown_name(entry.entry().actions().kind()),
            section,
            module: visible(&self.module_of(entry)).into_owned(),
            notes: notes.map(|note| visible(note).into_owned()).collect(),
            node,
            leaves,
        }
    }
}

impl Report<'_, '_> {
    /// The address of the module instance of a change, as it is shown; empty for the root module.
    fn module_of(&self, change: Change<'_>) -> String {
        let entry = change.entry();
        let address = entry.address().value().and_then(|it| Address::parse(it).ok());
        match address {
            Some(Address { modules, .. }) if !modules.is_empty() => {
                let module = Address { modules, resource: None }.to_string();
                self.view.shown.name(entry.object().node(), &module).into_owned()
            }
            _ => String::new(),
        }
    }
}

/// Adds an edge from each change to those that its block depends on: directly, or through
/// variables, outputs and blocks without a change. Instances of a module need objects of the same
/// instance. Returns whether all edges were added.
fn add_edges(picture: &mut Picture, configuration: Configuration<'_>, blocks: &Instances) -> bool {
    let needs = needs_of(configuration);
    // Visits of a walk count, too, so that a walk is not repeated without end.
    let mut room = 10 * MAX_EDGES;
    for start in blocks.blocks() {
        let Some(targets) = targets_of(start, &needs, blocks, &mut room) else { return false };
        for (target, scope) in targets {
            if !blocks.link(picture, (start, target), scope) {
                return false;
            }
        }
    }
    true
}

/// Returns the blocks that a block depends on, each with the number of module calls, from the root, whose
/// instance stays the same on the way. `None` if there is no room for the walk.
fn targets_of<'n>(
    start: &'n str,
    needs: &'n HashMap<String, Vec<String>>,
    blocks: &Instances,
    room: &mut usize,
) -> Option<BTreeMap<&'n str, usize>> {
    let mut targets: BTreeMap<&str, usize> = BTreeMap::new();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut work = vec![(start, depth_of(start))];
    while let Some((address, scope)) = work.pop() {
        for next in needs.get(address).into_iter().flatten() {
            *room = room.checked_sub(1)?;
            let scope = scope.min(depth_of(next));
            // Another way may leave more instances of modules.
            if next == start || seen.get(next.as_str()).is_some_and(|known| *known <= scope) {
                continue;
            }
            seen.insert(next, scope);
            match blocks.has(next) {
                true => drop(targets.insert(next, scope)),
                false => work.push((next, scope)),
            }
        }
    }
    Some(targets)
}

/// The number of module calls around the place where the value of an address is written. An argument of a
/// call is written beside the call.
fn depth_of(address: &str) -> usize {
    let mut rest = address;
    let mut depth = 0_usize;
    while let Some((_, after)) = rest.strip_prefix("module.").and_then(|it| it.split_once('.')) {
        depth += 1;
        rest = after;
    }
    if rest.starts_with("var.") { depth.saturating_sub(1) } else { depth }
}

/// Returns what each block, variable and output of a configuration refers to, by addresses from the
/// root.
fn needs_of(configuration: Configuration<'_>) -> HashMap<String, Vec<String>> {
    let mut needs: HashMap<String, Vec<String>> = HashMap::new();
    let mut modules = configuration.modules();
    while let Some(module) = modules.next() {
        let path: Vec<&str> = modules.path().to_vec();
        let prefix: String = path.iter().map(|name| format!("module.{name}.")).collect();
        let add = |needs: &mut HashMap<String, Vec<String>>, from: String, node| {
            let to = needs.entry(from).or_default();
            references(node, &path, |reference| {
                let Some(target) = reference.target else { return };
                // An output of a call: `module.NAME.OUTPUT`.
                let output = reference
                    .text
                    .strip_prefix("module.")
                    .and_then(|rest| rest.split_once('.'))
                    .map(|(_, output)| output.split(['.', '[']).next().unwrap_or_default());
                to.push(match output {
                    Some(output) => format!("{target}.output.{output}"),
                    None => target,
                });
            });
        };
        for resource in module.resources().value().into_iter().flat_map(List::iter) {
            let Some(address) = resource.address().value() else { continue };
            add(&mut needs, format!("{prefix}{address}"), resource.object().node());
            let depends_on = resource.depends_on().value().into_iter().flat_map(List::iter);
            let depends_on = depends_on.map(|name| format!("{prefix}{name}"));
            needs.entry(format!("{prefix}{address}")).or_default().extend(depends_on);
        }
        for (name, output) in module.outputs().value().into_iter().flat_map(Map::iter) {
            add(&mut needs, format!("{prefix}output.{name}"), output.object().node());
        }
        for (name, call) in module.module_calls().value().into_iter().flat_map(Map::iter) {
            for argument in call.expressions().value().into_iter().flat_map(Object::members) {
                let name = format!("{prefix}module.{name}.var.{}", argument.name().to_str());
                add(&mut needs, name, argument.value());
            }
        }
    }
    needs
}
