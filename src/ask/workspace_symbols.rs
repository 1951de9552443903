//! The symbols of all modules of a workspace, from the facts that are kept of each.

use super::answers::{Answers, FileSpan};
use super::named::name_of;
use super::symbols::{WorkspaceSymbol, rank};
use crate::dialect::{BlockKind, Dialect};
use crate::facts::{PlaceUse, Target};
use crate::tree::Origin;
use crate::workspace::{ModuleFacts, Snapshot};

/// The objects of all modules and templates of a workspace whose address contains the letters of a
/// query in their order, without regard to case: best matches first, at most `most`.
///
/// Cost: linear in the addresses of all objects; templates of Packer are read.
#[must_use]
pub fn workspace_symbols(snapshot: &Snapshot, query: &str, most: usize) -> Vec<WorkspaceSymbol> {
    let letters: Vec<char> = query.chars().flat_map(char::to_lowercase).collect();
    let mut matching: Vec<(u32, &str, usize, u32)> = Vec::new();
    let mut found: Vec<(u32, WorkspaceSymbol)> = Vec::new();
    for (place, module) in snapshot.modules().iter().enumerate() {
        if module.dialect() == Dialect::Packer {
            found.extend(of_template(snapshot, place, query, &letters, most));
            continue;
        }
        if module.origin == Origin::Installed {
            continue;
        }
        for (number, object) in (0..).zip(&module.objects) {
            let rank = rank(&object.address, &letters);
            if let Some(rank) = rank.filter(|_| kind_of(&object.address).is_some()) {
                matching.push((rank, &object.address, place, number));
            }
        }
    }
    // Only the best ones are looked up.
    if matching.len() > most {
        matching.select_nth_unstable(most);
        matching.truncate(most);
    }
    matching.sort_unstable();
    found.extend(matching.into_iter().filter_map(|(rank, address, place, number)| {
        let module = snapshot.modules().get(place)?;
        Some((rank, symbol(module, address, number)?))
    }));
    found.sort_by(|(one, left), (two, right)| {
        (one, &left.name, &left.place).cmp(&(two, &right.name, &right.place))
    });
    found.truncate(most);
    found.into_iter().map(|(_, symbol)| symbol).collect()
}

fn symbol(module: &ModuleFacts, address: &str, number: u32) -> Option<WorkspaceSymbol> {
    let places = &module.places;
    let mut declared = places.of_target(Target::Object(number));
    let declared = declared.find(|it| it.usage() == PlaceUse::Declaration && it.has_effect())?;
    Some(WorkspaceSymbol {
        name: address.into(),
        kind: kind_of(address)?,
        module: module.files.path.to_string_lossy().into(),
        place: FileSpan { file: places.file(declared).into(), span: name_of(declared) },
    })
}

/// The symbols of a template, which nothing is kept of.
fn of_template(
    snapshot: &Snapshot,
    place: usize,
    query: &str,
    letters: &[char],
    most: usize,
) -> Vec<(u32, WorkspaceSymbol)> {
    let Some(tree) = snapshot.tree(place) else { return Vec::new() };
    tree.with_schemas(|tree, schemas| {
        let symbols = Answers::new(tree, schemas).workspace_symbols(query, most);
        symbols.into_iter().filter_map(|it| Some((rank(&it.name, letters)?, it))).collect()
    })
}

/// The type of the block that declares the object of an address; `None` if it has no name of its own.
fn kind_of(address: &str) -> Option<BlockKind> {
    let first = address.split(['.', '[']).next().unwrap_or_default();
    Some(match first {
        "var" => BlockKind::Variable,
        "local" => BlockKind::Locals,
        "import" | "moved" | "removed" | "terraform" => return None,
        "output" | "module" | "provider" | "data" | "ephemeral" | "action" | "check" => {
            BlockKind::from_name(first)?
        }
        _ => BlockKind::Resource,
    })
}
