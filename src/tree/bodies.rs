//! Checks a module with the schemas of its providers, and with the types of the objects that it
//! refers to: resources, which have schemas, and outputs of the modules that it calls.

use super::callee::Callee;
use super::link;
use super::module::{Link, Origin, TreeModule};
use super::validation;
use crate::arena::Arena;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::dialect::Dialect;
use crate::hash::{HashMap, HashSet};
use crate::module::computed::Computed;
use crate::module::shapes::Shapes;
use crate::module::{Import, ModuleCall, Object, shaped};
use crate::native::{StepKind, Traversal};
use crate::reference::{Mode, ResourceName};
use crate::show::BodySchemas;
use crate::typed;
use crate::value::{AttributeType, Type, Value, normalized, sort_attributes};

/// Checks a given module, and adds diagnostics that have not been reported before.
pub(super) fn check<'a>(
    module: &TreeModule<'a>,
    modules: &[TreeModule<'a>],
    schemas: &BodySchemas<'a>,
) -> Vec<Diagnostic<'a>> {
    let Some(arena) = module.sources.first().map(|source| source.arena()) else {
        return Vec::new();
    };
    if module.origin != Origin::Given {
        return Vec::new();
    }
    let shapes = match module.withholds() {
        true => Shapes::default(),
        false => Shapes {
            resources: typed::shapes(&module.module, schemas, arena),
            calls: calls(module, modules, arena),
            functions: typed::functions(&module.module, schemas, arena),
        },
    };
    let with_shapes;
    let computed = match shapes.is_empty() {
        true => &module.uses.computed,
        false => {
            with_shapes = Computed::with_shapes(module.withholds(), shapes);
            &with_shapes
        }
    };
    let mut found = Vec::new();
    let known = (computed, module.uses.has_ephemeral);
    typed::check_with(&module.module, known, schemas, &mut found);
    shaped::check(&module.module, &module.uses, computed, &mut found);
    for (call, link) in module.module.calls.iter().zip(&module.links) {
        if let Link::Module(called) = *link
            && let Some(called) = Callee::at(modules, called)
        {
            if !computed.shapes().is_empty() {
                link::values(module, call, called, computed, arena, &mut found);
            }
            validation::check(module, call, called, computed, arena, &mut found);
        }
    }
    imports(module, modules, &mut found);
    new(module, found)
}

/// Reports imports into called modules to resources that these do not declare (Terraform).
fn imports<'a>(module: &TreeModule<'a>, modules: &[TreeModule<'a>], sink: &mut dyn Sink<'a>) {
    if module.module.dialect != Dialect::Terraform {
        return;
    }
    for traversal in module.module.imports.iter().filter_map(Import::traversal) {
        if let Some(called) = outside(module, modules, traversal) {
            let directory = called.directory();
            let text = traversal
                .source()
                .arena()
                .format(format_args!("the module in {directory} does not declare the resource"));
            sink.report(
                Diagnostic::new(Code::ImportTarget, traversal.label()).with_arguments(&[text]),
            );
        }
    }
}

/// The called module that an address leads to, if it does not declare the resource.
fn outside<'t, 'a>(
    module: &TreeModule<'a>,
    modules: &'t [TreeModule<'a>],
    address: Traversal<'a>,
) -> Option<Callee<'t, 'a>> {
    let names = address.steps().iter().filter_map(|step| match step.kind {
        StepKind::Root(name) | StepKind::Attribute(name) => Some(name),
        _ => None,
    });
    let names: Vec<&str> = names.collect();
    let mut rest = &names[..];
    let mut at: Option<usize> = None;
    while let ["module", call, after @ ..] = rest {
        rest = after;
        let from = at.map_or(module, |place| &modules[place]);
        at = Some(from.called_by(Object::ModuleCall(call))?);
    }
    let called = Callee::at(modules, at?).filter(|called| !called.interface.withholds())?;
    let [resource_type, name] = *rest else { return None };
    let resource = ResourceName { mode: Mode::Managed, resource_type, name };
    (!called.interface.declares(resource)).then_some(called)
}

/// Removes diagnostics that repeat others: the analysis evaluates some values, too, a connection is
/// read for each provisioner, and an unknown attribute is found in the reference and in its value.
fn new<'a>(module: &TreeModule<'a>, found: Vec<Diagnostic<'a>>) -> Vec<Diagnostic<'a>> {
    if found.is_empty() {
        return found;
    }
    let fact = |it: &Diagnostic<'a>| {
        let is_attribute = matches!(it.code(), Code::UnsupportedAttribute | Code::UndeclaredOutput);
        let (code, arguments) = match is_attribute {
            true => (Code::UnsupportedAttribute, Vec::new()),
            false => (it.code(), it.arguments().to_vec()),
        };
        (code, it.source().id(), it.span(), arguments)
    };
    let mut seen: HashSet<_> = module.diagnostics.iter().map(fact).collect();
    found.into_iter().filter(|it| seen.insert(fact(it))).collect()
}

/// The types of the calls of a module that lead to a known module, as unknown values.
fn calls<'a>(
    module: &TreeModule<'a>,
    modules: &[TreeModule<'a>],
    arena: &'a Arena,
) -> HashMap<&'a str, Value<'a>> {
    let calls = module.module.calls.iter().zip(&module.links);
    calls
        .filter_map(|(call, link)| match *link {
            Link::Module(called) => {
                let called = Callee::at(modules, called)?;
                let is_known = !called.interface.withholds();
                is_known.then(|| (call.name, value_of(call, called, arena)))
            }
            _ => None,
        })
        .collect()
}

/// The value of a call. One instance is an object of its outputs, each of any type unless it has a
/// type. Several instances are a list or a map in Terraform, except if only some outputs have
/// types.
fn value_of<'a>(call: &ModuleCall<'a>, called: Callee<'_, 'a>, arena: &'a Arena) -> Value<'a> {
    let interface = called.interface;
    let outputs = called.opened.outputs(interface);
    let is_repeated = call.count.is_some() || call.for_each.is_some();
    if !is_repeated && call.enabled.is_none() {
        let values: Vec<_> = outputs.iter().map(|&(name, ty)| (name, Value::unknown(ty))).collect();
        return Value::object(arena, &values);
    }
    let has_types = interface.outputs().iter().any(|output| output.has_type());
    let is_mixed = has_types && outputs.iter().any(|(_, ty)| ty.has_dynamic());
    if interface.dialect() != Dialect::Terraform || is_mixed {
        return Value::dynamic();
    }
    let mut attributes: Vec<_> = outputs
        .iter()
        .map(|&(name, ty)| AttributeType { name: normalized(arena, name), ty, optional: false })
        .collect();
    sort_attributes(&mut attributes);
    attributes.dedup_by_key(|attribute| attribute.name);
    let object = Type::object_of(arena, &attributes);
    Value::unknown(match call.count.is_some() {
        true => Type::list_of(arena, object),
        false => Type::map_of(arena, object),
    })
}
