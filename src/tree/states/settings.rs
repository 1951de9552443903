//! Settings as configuration writes them.

use crate::body::{Attribute, Body};
use crate::expression::{Expression, Literal};

/// Stands for the names of workspaces.
pub(super) const ANY: char = '\0';

/// Texts with settings of a backend that are given beside its block, such as by `-backend-config`: the first one
/// that has a setting counts. The name of a text ends with `.json` if it is JSON; `None` is one that is not known.
pub(in crate::tree) type Given = [(String, Option<String>)];

/// The value of a property of a body.
pub(in crate::tree) fn property<'a>(body: Body<'a>, name: &str) -> Option<Expression<'a>> {
    named(body.properties(), name)
}

pub(super) fn named<'a>(
    all: impl Iterator<Item = Attribute<'a>>,
    name: &str,
) -> Option<Expression<'a>> {
    let mut all = all;
    all.find(|property| property.is_named(name)).map(Attribute::expression)
}

/// The text of a setting: `None` if it is not given, `Some(None)` if it is not literal. That of
/// workspaces is their name, or the start of their names with [`ANY`].
pub(in crate::tree) fn text_of(value: Option<Expression<'_>>) -> Option<Option<String>> {
    let value = value.filter(|value| !value.is_null())?;
    if value.is_container() {
        return workspaces_of(value);
    }
    Some(literal(value).map(str::to_owned))
}

/// The name of the workspace, or the start of the names of workspaces, in a block or object
/// `workspaces`.
pub(super) fn workspaces_of(value: Expression<'_>) -> Option<Option<String>> {
    let first = value.as_list().and_then(|mut list| list.next());
    let value = first.unwrap_or(value);
    if !value.is_map() {
        return Some(None);
    }
    let member = |name: &str| value.member(name).filter(|it| !it.is_null());
    match (member("name"), member("prefix")) {
        (Some(name), _) => Some(literal(name).map(str::to_owned)),
        (None, Some(prefix)) => Some(literal(prefix).map(|prefix| format!("{prefix}{ANY}"))),
        // Tags and projects do not tell the name.
        (None, None) => Some(None),
    }
}

/// A text without templates.
fn literal(value: Expression<'_>) -> Option<&str> {
    match value.literal() {
        Literal::Text(text) => Some(text),
        _ => None,
    }
}

/// A path, which may start at the module: `${path.module}/../network/terraform.tfstate`.
pub(super) fn local_path(value: Expression<'_>) -> Option<&str> {
    if let Some(path) = literal(value) {
        return Some(path);
    }
    let text = value.template_text()?;
    let rest = ["${path.module}/", "${path.root}/", "${path.cwd}/"]
        .iter()
        .find_map(|start| text.strip_prefix(start))?;
    (!rest.contains("${") && !rest.contains("%{")).then_some(rest)
}
