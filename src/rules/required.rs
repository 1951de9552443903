//! The releases of the tools that modules require, themselves or by the modules that call them.

use crate::arena::Arena;
use crate::diagnostic::Label;
use crate::dialect::Dialect;
use crate::module::{Module, VersionConstraint};
use crate::tree::{Link, Tree};

/// The number of different requirements by which a module is called that are looked at.
const MOST: usize = 16;

/// A constraint, and the tool that it is about; `None` if it may be either.
#[derive(Clone, Copy, Debug)]
pub(super) struct Required<'a> {
    pub(super) text: &'a str,
    pub(super) label: Label<'a>,
    pub(super) tool: Option<Dialect>,
    /// The releases 1.x that it admits: a bit for each.
    admitted: u128,
}

impl Required<'_> {
    /// The releases 1.x that it admits.
    pub(super) fn admitted(&self) -> impl Iterator<Item = u8> + use<> {
        let admitted = self.admitted;
        (0..VersionConstraint::RELEASES).filter(move |minor| admitted & (1 << minor) != 0)
    }

    fn is_same(&self, other: &Self) -> bool {
        (self.tool, self.admitted) == (other.tool, other.admitted)
    }
}

/// The constraints of a module.
pub(super) fn of_module<'a>(module: &Module<'a>, arena: &'a Arena) -> Vec<Required<'a>> {
    // All constraints about one tool apply together.
    let mut written: Vec<(Option<Dialect>, Label<'a>, Vec<&'a str>)> = Vec::new();
    let mut add = |text: &'a str, label: Label<'a>, tool| match written
        .iter_mut()
        .find(|(known, ..)| *known == tool)
    {
        Some((.., texts)) => texts.push(text),
        None => written.push((tool, label, vec![text])),
    };
    for settings in module.settings.iter().chain(&module.override_settings) {
        let Some(version) = settings.required_version else { continue };
        let value = version.expression();
        let Some(text) = value.to_str() else { continue };
        let name = value.source().name();
        let is_tofu = name.ends_with(".tofu") || name.ends_with(".tofu.json");
        let tool = match module.dialect {
            _ if is_tofu => Some(Dialect::OpenTofu),
            Dialect::Terraform => Some(Dialect::Terraform),
            _ => None,
        };
        add(text, value.label(), tool);
    }
    for language in &module.languages {
        if let Some(text) = language.opentofu {
            add(text, language.block.definition_label(), Some(Dialect::OpenTofu));
        }
    }
    let of = |(tool, label, texts): (Option<Dialect>, Label<'a>, Vec<&'a str>)| {
        let text = arena.str(&texts.join(", "));
        let constraints = VersionConstraint::parse_all(text)?;
        Some(Required { text, label, tool, admitted: VersionConstraint::admitted(&constraints) })
    };
    written.into_iter().filter_map(of).collect()
}

/// For each module of a tree, the constraints that the modules which call it require together, on each
/// way from a module that nothing calls. Modules in cycles have none.
///
/// Cost: linear in the modules and calls.
pub(super) fn by_callers<'a>(tree: &Tree<'a>) -> Vec<Vec<Required<'a>>> {
    let modules = tree.modules();
    let called = |place: usize| {
        modules[place].links.iter().filter_map(|link| match *link {
            Link::Module(called) => Some(called),
            _ => None,
        })
    };
    let mut callers = vec![0usize; modules.len()];
    (0..modules.len()).flat_map(called).for_each(|called| callers[called] += 1);
    let mut open: Vec<usize> = (0..modules.len()).filter(|place| callers[*place] == 0).collect();
    let mut required: Vec<Vec<Required<'a>>> = vec![Vec::new(); modules.len()];
    while let Some(place) = open.pop() {
        let Some(source) = modules[place].sources.first() else { continue };
        let own = of_module(&modules[place].module, source.arena());
        let passed = together(&required[place], &own);
        for called in called(place) {
            for one in &passed {
                let known = &mut required[called];
                if known.len() < MOST && !known.iter().any(|it| it.is_same(one)) {
                    known.push(*one);
                }
            }
            callers[called] -= 1;
            if callers[called] == 0 {
                open.push(called);
            }
        }
    }
    required
}

/// Joins the constraints of callers with those of a module itself.
fn together<'a>(by_callers: &[Required<'a>], own: &[Required<'a>]) -> Vec<Required<'a>> {
    let mut all = Vec::new();
    for one in by_callers {
        match own.iter().find(|own| own.tool == one.tool) {
            Some(own) => all.push(Required { admitted: own.admitted & one.admitted, ..*own }),
            None => all.push(*one),
        }
    }
    let is_new = |own: &&Required<'a>| !by_callers.iter().any(|one| one.tool == own.tool);
    all.extend(own.iter().filter(is_new));
    all
}
