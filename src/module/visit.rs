//! The visit of a module: every expression, with its context.
//!
//! [`Module::visit_expressions`] passes on one [`Site`] per expression. A site is complete: it has
//! the object that the expression belongs to, how the object uses it, how it is read, which of
//! `count`, `each` and `self` exist there, and which values are accepted. So a reader of
//! expressions, such as the [analysis](Module::analyse) or a linter rule, is a function of one
//! site, and keeps no state between sites.
//!
//! The method `visit` in the file of each block type defines how its arguments are read.
//!
//! * Literal arguments refer to nothing, even if their text looks like a reference. They are
//!   visited if the module keeps them: types and defaults of variables, entries of
//!   `required_providers`.
//! * Arguments that are traversals or native expressions are read as such.
//! * All others are templates, including object keys and every string of a body that a provider
//!   reads.
//! * The iterators of `dynamic` blocks are not references ([`Site::iterators`]).

use std::ops::Range;

use super::site::Visitor;
use super::{Module, Object, ProviderReference, Resource, Setting, Site, Use};
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::native::LentTraversal;
use crate::reference::LentReference;

impl<'a> Module<'a> {
    /// The object that a traversal of the module refers to, by the rules of its dialect.
    ///
    /// # Errors
    /// The traversal refers to nothing. The diagnostic is at the first invalid step.
    pub fn reference<'t>(
        &self,
        traversal: LentTraversal<'t, 'a>,
    ) -> Result<LentReference<'t, 'a>, Diagnostic<'a>> {
        match self.dialect {
            _ if self.has_queries && traversal.root_name() == "list" => {
                LentReference::of_list(traversal)
            }
            Dialect::Terraform => LentReference::of_terraform(traversal),
            _ => LentReference::of(traversal),
        }
    }

    /// The address of the object that a traversal of the module refers to, and its kind, such as
    /// `resource`. If it refers to nothing: the traversal itself and `unknown`.
    #[must_use]
    pub fn target(&self, traversal: LentTraversal<'_, 'a>) -> (String, &'static str) {
        match self.reference(traversal) {
            Ok(reference) => (reference.subject().to_string(), reference.subject().kind()),
            Err(_) => (traversal.to_string(), "unknown"),
        }
    }

    /// The references to provider configurations, kind by kind: those that
    /// [`Module::visit_expressions`] passes on as [`Reading::Provider`](super::Reading::Provider).
    ///
    /// Cost: linear in the objects; opens no body.
    pub fn provider_references(&self) -> impl Iterator<Item = ProviderReference<'a>> {
        let of_checks = self.checks.iter().filter_map(|check| check.data?.provider());
        let passed = self.calls.iter().flat_map(|call| call.providers.iter().map(|it| it.outer));
        let resources = self.resources.iter().filter_map(Resource::provider);
        let actions = self.actions.iter().filter_map(|action| action.provider);
        let imports = self.imports.iter().filter_map(|import| import.provider);
        resources.chain(passed).chain(actions).chain(of_checks).chain(imports)
    }

    /// Visits every reference to an object of the module: the object that refers, the use, and the
    /// traversal. The order is that of [`Module::visit_expressions`].
    ///
    /// Cost: parses every template of the module; keeps no programs.
    pub fn visit_references(
        &self,
        mut visit: impl FnMut(Object<'a>, Use<'a>, LentTraversal<'_, 'a>),
    ) {
        self.visit_expressions(|site| {
            site.visit_references(|traversal| visit(site.object, site.usage, traversal));
        });
    }

    /// Visits every expression. Objects come in the order of their numbers ([`Module::objects`]),
    /// the expressions of one object in a fixed order of its arguments.
    ///
    /// Cost: opens one level of the bodies that providers read; parses no template.
    ///
    /// A rule that reports each `count` that depends on a data source:
    ///
    /// ```
    /// use simd_hcl::dialect::{Dialect, List};
    /// use simd_hcl::module::{Module, Wanted};
    /// use simd_hcl::{Arena, Document};
    ///
    /// let arena = Arena::new();
    /// let json = br#"{
    ///     "data": {"x_list": {"all": {}}},
    ///     "resource": {"x_thing": {"each": {"count": "${length(data.x_list.all.ids)}", "size": "${data.x_list.all.size}"}}}
    /// }"#;
    /// let document = Document::parse_bytes(&arena, "main.tf.json", json)?;
    /// let module = Module::read(Dialect::OpenTofu, [(List::Primary, document)], false, &mut ());
    /// let mut found = Vec::new();
    /// module.visit_expressions(|site| {
    ///     if site.wanted == Wanted::Count {
    ///         site.visit_references(|traversal| {
    ///             if traversal.root_name() == "data" {
    ///                 found.push(format!("{}: {traversal}", site.object));
    ///             }
    ///         });
    ///     }
    /// });
    /// assert_eq!(found, ["x_thing.each: data.x_list.all.ids"]);
    /// # Ok::<(), Box<simd_hcl::OwnedDiagnostic>>(())
    /// ```
    pub fn visit_expressions(&self, mut visit: impl FnMut(&Site<'_, 'a>)) {
        self.visit_objects(0..self.numbers().len(), &mut visit);
    }

    /// Visits the expressions of the objects with these numbers, in the order of
    /// [`Module::visit_expressions`].
    pub(crate) fn visit_objects(&self, wanted: Range<u32>, visit: &mut dyn FnMut(&Site<'_, 'a>)) {
        // New lists of a module must be added here: visited, or ignored by name.
        let Self {
            dialect,
            variables,
            locals,
            outputs,
            providers,
            resources,
            calls,
            actions,
            checks,
            imports,
            moved,
            removed,
            parts,
            merged_encryption,
            // Their parts are visited; version constraints are literals.
            settings: _,
            override_settings: _,
            languages: _,
            has_queries: _,
            // They have no effect.
            redeclared: _,
            // The resources are in `checks`.
            scoped: _,
            has_ineffective: _,
        } = self;
        let numbers = self.numbers();
        let places = |numbers: Range<u32>| places(&numbers, &wanted);
        let mut visitor = Visitor::new(wanted.start, visit);
        for variable in &variables.as_slice()[places(numbers.variables())] {
            variable.visit(visitor.enter(Object::Variable(variable.name)));
        }
        for local in &locals.as_slice()[places(numbers.locals())] {
            visitor.enter(Object::Local(local.name)).template(Some(local.value()));
        }
        for output in &outputs.as_slice()[places(numbers.outputs())] {
            output.visit(visitor.enter(Object::Output(output.name)));
        }
        for provider in &providers.as_slice()[places(numbers.providers())] {
            provider.visit(visitor.enter(Object::Provider(provider.config_name())));
        }
        for resource in &resources.as_slice()[places(numbers.resources())] {
            resource.visit(*dialect, visitor.enter(Object::Resource(resource.address())));
        }
        for call in &calls.as_slice()[places(numbers.calls())] {
            call.visit(visitor.enter(Object::ModuleCall(call.name)));
        }
        for action in &actions.as_slice()[places(numbers.actions())] {
            action.visit(visitor.enter(Object::Action(action.address)));
        }
        for check in &checks.as_slice()[places(numbers.checks())] {
            check.visit(*dialect, visitor.enter(Object::Check(check.name)));
        }
        for place in places(numbers.imports()) {
            imports[place].visit(visitor.enter(Object::Import(place)));
        }
        for place in places(numbers.moved()) {
            moved[place].visit(visitor.enter(Object::Moved(place)));
        }
        for place in places(numbers.removed()) {
            removed[place].visit(visitor.enter(Object::Removed(place)));
        }
        for part in &parts.as_slice()[places(numbers.settings())] {
            let visitor = visitor.enter(Object::Setting(part.setting));
            match (part.setting, merged_encryption) {
                (Setting::Encryption, Some(encryption)) => encryption.visit(visitor),
                _ => part.visit(visitor),
            }
        }
    }
}

/// The places, among the objects of one kind, of those with wanted numbers.
fn places(of_kind: &Range<u32>, wanted: &Range<u32>) -> Range<usize> {
    let place = |number: u32| (number.clamp(of_kind.start, of_kind.end) - of_kind.start) as usize;
    place(wanted.start)..place(wanted.end)
}
