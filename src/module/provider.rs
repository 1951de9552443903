//! `provider` and `required_providers`: the providers of a module and their configurations.

use super::available::Available;
use super::block::argument;
use super::config::Config;
use super::dynamic::Nested;
use super::provider_reference::{ProviderConfigName, is_normalized};
use super::provider_source::{ProviderSource, is_part};
use super::read;
use super::rules::Rules;
use super::site::{Use, Visitor};
use super::version::{VersionConstraint, constraint};
use crate::body::{Attribute, Block, Content, Schema};
use crate::diagnostic::{Code, Diagnostic, Label, Severity, Sink};
use crate::dialect::arguments::modules::PROVIDER;
use crate::expression::{Expression, Literal, is_identifier};
use crate::native::{Step, StepKind, Traversal};
use crate::span::Span;
use crate::value::normalized;

/// A provider configuration.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Provider<'a> {
    /// The block.
    pub block: Block<'a>,
    /// The provider's local name.
    pub name: &'a str,
    /// Distinguishes it from other configurations of the provider.
    pub alias: Option<&'a str>,
    /// A version constraint, which belongs in `required_providers`.
    pub version: Option<&'a str>,
    /// The map or set with one element per configuration (OpenTofu).
    pub for_each: Option<Expression<'a>>,
    /// The body that the provider reads, without the arguments above.
    pub config: Config<'a>,
    /// The block `_`. Its arguments are always the provider's, even if they are called `alias` or
    /// `version`.
    pub escape: Option<Block<'a>>,
}

impl<'a> Provider<'a> {
    /// The arguments and blocks that the tools read themselves for every provider.
    #[must_use]
    pub fn own_arguments() -> &'static Schema<'static> {
        PROVIDER.common()
    }

    /// The name of the configuration in the module.
    #[must_use]
    pub fn config_name(&self) -> ProviderConfigName<'a> {
        ProviderConfigName { local_name: self.name, alias: self.alias }
    }

    /// Visits its expressions.
    pub(super) fn visit(&self, visitor: &mut Visitor<'_, 'a>) {
        visitor.value(self.for_each, Use::Early);
        visitor.available = Available::repeated(false, self.for_each.is_some());
        visitor.config(self.config, self.escape, Nested::Unknown);
    }

    pub(super) fn read(block: Block<'a>, rules: Rules, sink: &mut dyn Sink<'a>) -> Self {
        let (content, config) = block.body().partial_content(PROVIDER.common(), sink);
        provider_name(block, sink);
        // Only OpenTofu has configurations for each element.
        let is_reserved = |name: &&str| rules.is_terraform() || *name != "for_each";
        for name in ["count", "depends_on", "source", "for_each"].into_iter().filter(is_reserved) {
            if let Some(attribute) = content.attribute(name) {
                sink.report(
                    Diagnostic::new(Code::ReservedName, attribute.name_label())
                        .with_arguments(&[name]),
                );
            }
        }
        for reserved in ["lifecycle", "locals"] {
            for nested in content.blocks(reserved) {
                sink.report(
                    Diagnostic::new(Code::ReservedBlock, nested.type_label())
                        .with_arguments(&[reserved]),
                );
            }
        }
        let alias = alias(&content, sink);
        let version = content.attribute("version");
        if let Some(version) = version {
            let diagnostic =
                Diagnostic::new(Code::ProviderVersion, version.expression().start_label());
            sink.report(match rules.is_test && rules.is_terraform() {
                true => diagnostic.with_severity(Severity::Error),
                false => diagnostic,
            });
        }
        let for_each = argument(&content, "for_each").filter(|_| !rules.is_terraform());
        named_instances(alias, for_each, sink);
        Self {
            block,
            name: block.label(0).unwrap_or_default(),
            alias,
            version: version.and_then(|version| constraint(version.expression(), sink)),
            for_each,
            config: Config::new(config),
            escape: super::block::single(&content, "_", sink),
        }
    }
}

/// The name of the configuration that a `provider` or `mock_provider` block declares, and the place of
/// the alias, or else of the local name.
pub(crate) fn declared_config<'a>(block: Block<'a>) -> (ProviderConfigName<'a>, Label<'a>) {
    let local_name = block.label(0).unwrap_or_default();
    let alias = block.body().properties().find(|property| property.is_named("alias"));
    let alias = alias.map(|alias| alias.expression());
    match alias.and_then(|value| Some((read::string(value, &mut ())?, value))) {
        Some((alias, value)) => {
            let alias = normalized(value.source().arena(), alias);
            (ProviderConfigName::new(local_name, Some(alias)), value.label())
        }
        None => (ProviderConfigName::new(local_name, None), block.label_place(0)),
    }
}

/// The argument `alias`. Reports a value that is not an identifier, and returns it anyway.
pub(super) fn alias<'a>(content: &Content<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
    let value = argument(content, "alias")?;
    let alias = normalized(value.source().arena(), read::string(value, sink)?);
    if !is_identifier(alias) {
        sink.report(Diagnostic::new(Code::InvalidName, value.label()).with_arguments(&[alias]));
    }
    Some(alias)
}

/// Reports configurations with `for_each` but without an alias, which is needed to refer to them.
pub(super) fn named_instances<'a>(
    alias: Option<&'a str>,
    for_each: Option<Expression<'a>>,
    sink: &mut dyn Sink<'a>,
) {
    if let Some(value) = for_each.filter(|_| alias.is_none_or(str::is_empty)) {
        sink.report(Diagnostic::new(Code::AliasRequired, value.start_label()));
    }
}

/// Reports a label that is not a local name of a provider.
pub(super) fn provider_name<'a>(block: Block<'a>, sink: &mut dyn Sink<'a>) {
    let name = block.label(0).unwrap_or_default();
    local_name(name, block.label_place(0), sink);
}

fn local_name<'a>(name: &'a str, label: Label<'a>, sink: &mut dyn Sink<'a>) {
    if !is_normalized(name) {
        sink.report(Diagnostic::new(Code::ProviderLocalName, label).with_arguments(&[name]));
    }
}

/// A provider that the module needs.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RequiredProvider<'a> {
    /// The attribute that declares it.
    pub attribute: Attribute<'a>,
    /// Its name in the module.
    pub name: &'a str,
    /// The provider's source address: `hashicorp/aws`.
    pub source: Option<&'a str>,
    /// The version constraint.
    pub version: Option<&'a str>,
    /// The bytes of the version constraint.
    pub version_span: Option<Span>,
    /// Configurations that the caller of the module must pass: `aws.east`.
    pub configuration_aliases: &'a [Traversal<'a>],
}

impl<'a> RequiredProvider<'a> {
    /// One entry of `required_providers`: an object, or a version constraint alone.
    pub(super) fn read(attribute: Attribute<'a>, sink: &mut dyn Sink<'a>) -> Self {
        let value = attribute.expression();
        let mut read = Self {
            attribute,
            name: attribute.name(),
            source: None,
            version: None,
            version_span: None,
            configuration_aliases: &[],
        };
        let literal = value.literal();
        let is_constraint = matches!(
            literal,
            Literal::Text(_) | Literal::Template(_) | Literal::Number(_) | Literal::Bool(_)
        );
        // The tools convert a name that has only a version constraint to lower case.
        if !(is_constraint && is_part(read.name)) {
            local_name(read.name, attribute.name_label(), sink);
        }
        match literal {
            Literal::Map => {
                for (key, argument) in value.as_map().into_iter().flatten() {
                    let name = key.to_str();
                    if name == "version" {
                        read.version = required_string(argument, read.name, "version", sink)
                            .and_then(|_| constraint_of_provider(argument, sink));
                        read.version_span = Some(argument.span());
                    } else if name == "source" {
                        read.source = required_string(argument, read.name, "source", sink);
                        if let Some(source) = read.source
                            && let Err(why) = ProviderSource::parse(source)
                        {
                            sink.report(
                                Diagnostic::new(Code::ProviderSource, argument.label())
                                    .with_arguments(&[source, why]),
                            );
                        }
                    } else if name == "configuration_aliases" {
                        read.configuration_aliases = aliases(argument, sink);
                        for alias in read.configuration_aliases {
                            check_alias(*alias, read.name, sink);
                        }
                    } else {
                        sink.report(
                            Diagnostic::new(Code::RequiredProvider, key.label())
                                .with_arguments(&[read.name, UNKNOWN]),
                        );
                        break;
                    }
                }
            }
            _ if is_constraint => {
                read.version = constraint_of_provider(value, sink);
                read.version_span = Some(value.span());
            }
            _ => sink.report(
                Diagnostic::new(Code::RequiredProvider, value.start_label())
                    .with_arguments(&[read.name, WRONG_TYPE]),
            ),
        }
        read.check_built_in(sink);
        read
    }

    /// Reports an unknown built-in provider, and a version constraint for a built-in one.
    fn check_built_in(&self, sink: &mut dyn Sink<'a>) {
        let source = match self.source {
            Some(source) => ProviderSource::parse(source).ok(),
            None => Some(ProviderSource::of_name(self.name)),
        };
        let is = |part: Option<&str>, name| part.is_some_and(|it| it.eq_ignore_ascii_case(name));
        let built_in = source.filter(ProviderSource::is_built_in);
        let value = self.attribute.expression();
        let why = match built_in {
            Some(built_in) if !is(Some(built_in.provider_type), "terraform") => {
                "Unknown built-in provider. The only one is terraform.io/builtin/terraform."
            }
            Some(_) if self.version.is_some() => "The provider is built in, so it has no versions.",
            _ => return,
        };
        sink.report(
            Diagnostic::new(Code::BuiltInProvider, value.start_label()).with_arguments(&[why]),
        );
    }
}

/// Reads the aliases of a requirement. Unlike other references, they were never in quotes.
fn aliases<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> &'a [Traversal<'a>] {
    let Some(elements) = value.list(sink) else { return &[] };
    let read: Vec<_> = elements.filter_map(|element| element.traversal(sink)).collect();
    value.source().arena().bump().alloc_slice_copy(&read)
}

const UNKNOWN: &str = "only source, version and configuration_aliases can be set";
const WRONG_TYPE: &str = "an object or a version constraint is required";

fn required_string<'a>(
    value: Expression<'a>,
    provider: &'a str,
    argument: &'static str,
    sink: &mut dyn Sink<'a>,
) -> Option<&'a str> {
    if value.is_string() {
        return read::string(value, sink);
    }
    let why = match argument {
        "source" => "its source must be a string",
        _ => "its version must be a string",
    };
    sink.report(
        Diagnostic::new(Code::RequiredProvider, value.start_label())
            .with_arguments(&[provider, why]),
    );
    None
}

/// Reads a version constraint of a provider. A stricter parser reads it again when versions are
/// chosen.
fn constraint_of_provider<'a>(value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
    let text = constraint(value, sink)?;
    let fits = |part: &str| {
        let version = part.trim().trim_start_matches(['=', '!', '<', '>', '~']);
        let one_space = version.strip_prefix(' ').unwrap_or(version);
        let constraint = VersionConstraint::parse(part);
        !one_space.starts_with([' ', 'v'])
            && constraint.is_some_and(|one| one.version.segments.len() <= 3)
    };
    if !text.split(',').all(fits) {
        let diagnostic = Diagnostic::new(Code::VersionConstraint, value.label());
        let why = ": a version of a provider has at most three numbers, no \"v\", and at most one space before it";
        sink.report(diagnostic.with_arguments(&[why]));
    }
    Some(text)
}

/// Reports an invalid configuration alias. It must be `name.alias` with the provider's own name, or
/// that name alone for the default configuration.
fn check_alias<'a>(alias: Traversal<'a>, name: &'a str, sink: &mut dyn Sink<'a>) {
    let is_right = alias.root_name() == name
        && matches!(alias.steps(), [_] | [_, Step { kind: StepKind::Attribute(_), .. }]);
    if !is_right {
        sink.report(
            Diagnostic::new(Code::ConfigurationAlias, alias.label()).with_arguments(&[name]),
        );
    }
}
