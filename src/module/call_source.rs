//! Where called modules come from: source and version, as far as they can be told before variables have values.

use super::computed::Computed;
use super::source_address::SourceAddress;
use super::version::VersionConstraint;
use super::{Module, ModuleCall, read};
use crate::body::Attribute;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::evaluate::Scope;
use crate::expression::Expression;
use crate::json::JsonValue;

impl<'a> ModuleCall<'a> {
    /// The source as a text: evaluated, or as it is written if that takes values of variables.
    #[must_use]
    pub fn source_text(&self) -> Option<&'a str> {
        self.source.and_then(written_text)
    }

    /// The version constraint as a text, in the same way.
    #[must_use]
    pub fn version_text(&self) -> Option<&'a str> {
        self.version.and_then(written_text)
    }

    /// Where the module comes from, if its source can be told without values of variables, and is right.
    #[must_use]
    pub fn source_address(&self) -> Option<SourceAddress<'a>> {
        let text = fixed_text(self.source?.expression())?.ok()?;
        // A version that takes values may turn out to be null, which asks for none.
        let has_version = self.version.is_some_and(|version| {
            let value = version.expression();
            !value.node().is_null() && fixed_text(value).is_some()
        });
        match has_version {
            true => SourceAddress::parse_versioned(text),
            false => SourceAddress::parse(text),
        }
        .ok()
    }

    /// Reports a source that is no address, or not one of a registry although there are versions, and a version
    /// that is no constraint. Of both, what depends on variables is not looked at. To be asked once overrides are
    /// merged.
    pub(super) fn check_source(
        &self,
        module: &Module<'a>,
        computed: &Computed<'a>,
        sink: &mut dyn Sink<'a>,
    ) {
        // Null asks for no version, and a version that is not known may be null.
        let mut has_version = false;
        if let Some(value) = self.version.map(Attribute::expression)
            && !value.node().is_null()
        {
            let text = match fixed_text(value) {
                Some(_) => self.text(value, sink),
                None => {
                    let text = computed.value(module, value, &[], &mut ());
                    text.as_str().map(|text| value.source().arena().str(text))
                }
            };
            has_version = text.is_some() || fixed_text(value).is_some();
            if text.is_some_and(|text| VersionConstraint::parse_all(text).is_none()) {
                sink.report(Diagnostic::new(Code::VersionConstraint, value.start_label()));
            }
        }
        let Some(source) = self.source.map(Attribute::expression) else { return };
        let Some(text) = self.text(source, sink) else { return };
        let parse = match has_version {
            true => SourceAddress::parse_versioned,
            false => SourceAddress::parse,
        };
        if let Err(error) = parse(text) {
            sink.report(
                Diagnostic::new(Code::ModuleSource, source.label())
                    .with_arguments(&[error.as_str()]),
            );
        }
    }

    /// The text that an argument gives without any variable.
    fn text(&self, value: Expression<'a>, sink: &mut dyn Sink<'a>) -> Option<&'a str> {
        match fixed_text(value)? {
            Ok(text) => Some(text),
            Err(_) => read::unsuitable(value, "a string", sink),
        }
    }
}

/// The text that an argument gives, or that is written if it takes variables or functions.
fn written_text(attribute: Attribute<'_>) -> Option<&str> {
    let value = attribute.expression();
    match fixed_text(value) {
        Some(text) => text.ok(),
        None => value.node().to_str(),
    }
}

/// The text that a value gives when it is evaluated without variables and functions: none if it needs some. The
/// error is the type of a value that gives no text.
fn fixed_text<'a>(value: Expression<'a>) -> Option<Result<&'a str, &'static str>> {
    match value.literal() {
        JsonValue::String(text) if !text.may_be_template() => Some(Ok(text.to_str())),
        JsonValue::String(_) => {
            if value.variables().next().is_some() {
                return None;
            }
            let mut error: Option<Diagnostic<'a>> = None;
            let evaluated = value.value(&Scope::new(), &mut error);
            let text = evaluated.as_str().filter(|_| error.is_none())?;
            Some(Ok(value.source().arena().str(text)))
        }
        JsonValue::Number(number) => Some(Ok(number.text())),
        JsonValue::Bool(true) => Some(Ok("true")),
        JsonValue::Bool(false) => Some(Ok("false")),
        _ => Some(Err(value.node().type_name())),
    }
}
