//! `expand` of a stack of Terraform: what the components of each deployment will create.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::path::Path;

use simd_hcl::deployments::{Component, Deployment, Deployments, uncalled};
use simd_hcl::dialect::{FileKind, List};
use simd_hcl::directory::ModuleFiles;
use simd_hcl::expand::{Inputs, Selection};
use simd_hcl::tree::{Tree, TreeOptions};
use simd_hcl::write::{Layout, Writer};
use simd_hcl::{Arena, Dialect, Severity};

use crate::args::{self, Common, Configuration, Format, ListFormat};
use crate::expand::{Outside, print, print_values, with_directory, write_lines, write_members};
use crate::finding::{Finding, fact};
use crate::human;
use crate::incomplete::Incomplete;
use crate::input;
use crate::modules::{DependsOn, Loaded, with_modules};
use crate::output;
use crate::paths::or_here;
use crate::plan_file;
use crate::provider_schemas;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::visible::visible;

/// The most rounds in which modules that stacks call are listed: stacks in stacks.
const MOST_ROUNDS: usize = 20;

/// Whether a directory has deployments, and no module beside them.
pub(crate) fn is_stack(directory: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(or_here(directory)) else { return false };
    let mut has_deployments = false;
    for entry in entries.flatten() {
        match FileKind::of(&entry.file_name(), Dialect::Terraform).map(|kind| kind.list) {
            Some(List::Deployment) => has_deployments = true,
            Some(List::Primary) => return false,
            _ => {}
        }
    }
    has_deployments
}

pub(crate) fn run(expand: &args::Expand, common: &Common) -> Result<Status, Failure> {
    let directory = &expand.root.directory;
    let name = visible(&directory.to_string_lossy()).into_owned();
    let given = &expand.root.inputs;
    if !given.values.given.is_empty() || given.workspace.is_some() || given.state.is_some() {
        return Err(Failure::Message(format!(
            "{name} is a stack: its deployments give variables their values, and \
             --var, --var-file, --workspace and --state are for modules"
        )));
    }
    let options = input::decode_options(common)?;
    let configuration = Configuration::of_directory(directory.clone(), expand.root.dialect);
    let discovery = input::modules(&configuration, common)?;
    let mut incomplete = Incomplete::of_discovery(&discovery);
    let status = Incomplete::status(&discovery);
    let mut files = discovery.modules;
    for _ in 0..MOST_ROUNDS {
        let arena = Arena::new();
        let how = TreeOptions::default().with_decode(options.clone());
        let more = uncalled(&Tree::load(&arena, files.clone(), &how), &options);
        if more.is_empty() {
            break;
        }
        files.extend(more);
    }
    let mut stats = Stats::new(options.parse.kernel);
    let mut arena = Arena::new();
    let format = match expand.format {
        Format::Human => ListFormat::Human,
        _ => ListFormat::Json,
    };
    let root = plan_file::Root::of(directory)
        .map_err(|error| Failure::Message(format!("{name}: {error}")))?;
    let work = |loaded: Loaded<'_, '_>| {
        let modules = loaded.tree.modules();
        let is_it = |files: &ModuleFiles| root.find(std::iter::once(files)).is_some();
        let stack = modules.iter().position(|it| it.stack.is_some() && is_it(&it.files));
        let stack =
            stack.ok_or_else(|| Failure::Message(format!("{name}: its stack cannot be read")))?;
        expanded(expand, common, &loaded, stack)
    };
    let how = (common, DependsOn::Calls, format, BTreeSet::new());
    let (found, of_files) = with_modules(&arena, files, &mut incomplete, how, &mut stats, work)?;
    stats.arena_bytes = arena.allocated_bytes();
    stats.print(common);
    Ok(status.max(found).max(of_files))
}

fn expanded<'a>(
    expand: &args::Expand,
    common: &Common,
    loaded: &Loaded<'_, 'a>,
    stack: usize,
) -> Result<Status, Failure> {
    let (arena, tree) = (loaded.arena, loaded.tree);
    let schemas = match &expand.root.provider_schemas {
        Some(path) => Some(provider_schemas::read(arena, path, common)?.with_built_in(arena)),
        None => None,
    };
    let files = RefCell::new(Incomplete::default());
    let shows = expand.root.show_sensitive;
    let with_inputs = |place: usize, work: &mut dyn FnMut(Inputs<'_, 'a>)| {
        let directory = tree.modules()[place].files.directory();
        let outside = Outside::of(&directory, &expand.root.inputs, common);
        let functions = outside.functions();
        let inputs = with_directory(Inputs::new(arena), &directory);
        let mut inputs = inputs.with_functions(&functions).with_sensitive(shows);
        if let Some(schemas) = &schemas {
            inputs = inputs.with_schemas(schemas);
        }
        work(inputs);
        outside.add_gaps(&mut files.borrow_mut());
    };
    let Some(deployments) = Deployments::of(tree, stack, arena, &with_inputs) else {
        return Ok(Status::CouldNotRun);
    };
    check_addresses(expand, &deployments)?;
    let mut count = 0_u64;
    let gaps = || {
        let mut gaps = loaded.incomplete.clone();
        gaps.append(files.borrow().clone());
        for gap in deployments.gaps() {
            gaps.add("component", gap.address, gap.why);
        }
        gaps
    };
    let findings = || {
        let of_tree = tree.diagnostics().filter(|it| it.severity() == Severity::Error);
        let of_values = deployments.diagnostics();
        let mut seen: HashSet<_> = HashSet::new();
        let all = of_tree.chain(&of_values).filter(|it| seen.insert(fact(it)));
        all.map(Finding::of).collect::<Vec<_>>()
    };
    match expand.format {
        Format::Human => output::text(|out| print_all(expand, &deployments, out, &mut count))?,
        Format::Json => output::document(Layout::Compact, common.style(), |slot| {
            let mut object = slot.object();
            object.key("format_version").string("1.0");
            let mut list = object.key("deployments").array();
            deployments.visit(&mut |deployment| {
                let mut item = list.element().object();
                item.key("name").string(deployment.name);
                if deployment.is_destroyed == Some(true) {
                    item.key("destroy").bool(true);
                }
                let mut components = item.key("components").array();
                deployment.visit(&mut |component| {
                    let Some(selection) = selection(expand, deployment, component) else { return };
                    count += 1;
                    let mut object = components.element().object();
                    object.key("address").string(component.address);
                    object.key("source").string(component.source);
                    if component.is_placeholder {
                        object.key("index_unknown").bool(true);
                    }
                    if let Some(expansion) = component.expansion {
                        if selection.is_all() {
                            expansion.check_conditions();
                        }
                        expansion.write_values(&selection, &mut object);
                    }
                });
                components.end();
                if expand.address.is_empty() && expand.types.is_empty() {
                    deployment.write_outputs(shows, &mut item.key("outputs").object());
                }
            });
            list.end();
            write_members(&mut object, arena, &findings(), &gaps());
        })?,
        Format::Ndjson => {
            output::lines(common.style(), |out| {
                let mut writer = Writer::new(&mut *out, Layout::Compact);
                deployments.visit(&mut |deployment| {
                    deployment.visit(&mut |component| {
                        let selection = selection(expand, deployment, component);
                        let (Some(selection), Some(expansion)) = (selection, component.expansion)
                        else {
                            return;
                        };
                        if selection.is_all() {
                            expansion.check_conditions();
                        }
                        expansion.visit_printed(&selection, |instance| {
                            count += 1;
                            let mut object = writer.value().object();
                            object.key("deployment").string(deployment.name);
                            object.key("component").string(component.address);
                            instance.write(object.key("resource"));
                        });
                    });
                });
                let more = write_lines(&mut writer, arena, &findings(), &gaps());
                writer.finish()?;
                if count + more > 0 { writeln!(out) } else { Ok(()) }
            })?;
        }
    }
    let findings = findings();
    let is_error = findings.iter().any(|finding| finding.severity == Severity::Error);
    if expand.format == Format::Human {
        let mut notes = anstream::stderr().lock();
        findings.iter().try_for_each(|finding| human::write(finding, &mut notes))?;
        let mut own = files.borrow().clone();
        deployments.gaps().into_iter().for_each(|gap| own.add("component", gap.address, gap.why));
        own.print(ListFormat::Human, common);
    }
    if count == 0 && !is_error {
        common.note("no component is selected");
    }
    let status = gaps().failure(expand.fail_if_incomplete);
    Ok(if is_error { Status::Found } else { status })
}

/// The part of a component's module that is selected; `None` if nothing is.
fn selection(
    expand: &args::Expand,
    deployment: &Deployment<'_, '_>,
    component: &Component<'_, '_, '_>,
) -> Option<Selection> {
    let mut selection = Selection::default();
    for name in &expand.types {
        selection = selection.with_type(name);
    }
    if expand.address.is_empty() {
        return Some(selection);
    }
    let parts = expand.address.iter().filter_map(|it| part(it, deployment.name, component.address));
    let parts: Vec<&str> = parts.collect();
    match parts.is_empty() {
        true => None,
        false if parts.contains(&"") => Some(selection),
        false => Some(parts.iter().fold(selection, |all, part| all.with_address(part))),
    }
}

/// The part of an address that is in the module of a component, empty for all of it: `aws_x.y` of
/// `deployment.prod.component.net["a"].aws_x.y`. `None` if it is elsewhere.
fn part<'t>(text: &'t str, deployment: &str, component: &str) -> Option<&'t str> {
    let rest = match text.strip_prefix("deployment.") {
        None => text,
        Some(rest) => match rest.strip_prefix(deployment)? {
            "" => return Some(""),
            rest => rest.strip_prefix('.')?,
        },
    };
    // Without the key of the component, all its instances are meant.
    let all = component.rfind('[').filter(|_| component.ends_with(']'));
    let all = all.map(|at| &component[..at]);
    for own in [Some(component), all].into_iter().flatten() {
        match rest.strip_prefix(own) {
            Some("") => return Some(""),
            Some(inner) if inner.starts_with('.') => return inner.strip_prefix('.'),
            _ => {}
        }
    }
    let around = component.strip_prefix(rest)?;
    around.starts_with(['.', '[']).then_some("")
}

/// Fails if an address that is selected is not that of a deployment, a component, or of what a
/// component's module declares.
fn check_addresses(
    expand: &args::Expand,
    deployments: &Deployments<'_, '_>,
) -> Result<(), Failure> {
    for address in &expand.address {
        let mut is_found = false;
        deployments.visit(&mut |deployment| {
            deployment.visit(&mut |component| match (
                part(address, deployment.name, component.address),
                component.expansion,
            ) {
                (Some(""), _) => is_found = true,
                (Some(part), Some(expansion)) if !is_found => {
                    let selection = Selection::default().with_address(part);
                    expansion.visit_printed(&selection, |_| is_found = true);
                }
                _ => {}
            });
        });
        if !is_found {
            let address = visible(address);
            return Err(Failure::Message(format!("the stack has no instance of `{address}`")));
        }
    }
    Ok(())
}

/// Prints the components for people.
fn print_all(
    expand: &args::Expand,
    deployments: &Deployments<'_, '_>,
    out: &mut dyn Write,
    count: &mut u64,
) -> std::io::Result<()> {
    let shows = expand.root.show_sensitive;
    let mut result = Ok(());
    deployments.visit(&mut |deployment| {
        let name = visible(deployment.name).into_owned();
        if result.is_ok() && deployment.is_destroyed == Some(true) {
            *count += 1;
            result = writeln!(out, "deployment.{name} is to be destroyed\n");
        }
        deployment.visit(&mut |component| {
            let Some(selection) = selection(expand, deployment, component) else { return };
            if result.is_err() {
                return;
            }
            *count += 1;
            let (address, source) = (visible(component.address), visible(component.source));
            let note = if component.is_placeholder { ", its instances are not known" } else { "" };
            result = writeln!(out, "deployment.{name}.{address} ({source}{note})\n");
            let Some(expansion) = component.expansion else { return };
            if selection.is_all() {
                expansion.check_conditions();
            }
            expansion.visit_printed(&selection, |instance| {
                if result.is_ok() {
                    result = print(instance, shows, out);
                }
            });
        });
        let outputs = match expand.address.is_empty() && expand.types.is_empty() {
            true => deployment.outputs(),
            false => Vec::new(),
        };
        if result.is_ok() && !outputs.is_empty() {
            result = writeln!(out, "outputs of deployment.{name}");
            if result.is_ok() {
                result = print_values(&outputs, shows, out).and_then(|()| writeln!(out));
            }
        }
    });
    result
}
