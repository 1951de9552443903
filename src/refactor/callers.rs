//! The modules that call a module, and those that call them.

use std::rc::Rc;

use super::change::Refusal;
use super::files::{Files, check_readable};
use crate::directory::DecodeOptions;
use crate::facts::{Places, Target};
use crate::hash::{HashMap, HashSet};
use crate::tree::{Origin, Tree, TreeModule};

/// A module that calls another one.
pub(super) struct Caller<'a> {
    pub(super) places: Places,
    pub(super) files: Files<'a>,
    /// The addresses that lead into the module that each call leads to.
    pub(super) inside: HashMap<u32, Vec<Box<str>>>,
}

impl<'a> Caller<'a> {
    fn of(module: &TreeModule<'a>, options: &DecodeOptions) -> Self {
        let (places, shadowed) = module.written(options);
        let mut inside: HashMap<u32, Vec<Box<str>>> = HashMap::default();
        for target in places.outside() {
            if let Target::Within { object, address } = target {
                inside.entry(object).or_default().push(address.into());
            }
        }
        let files = Files::of(module, &shadowed);
        Self { places, files, inside }
    }
}

/// A call that leads to a module, directly or not.
pub(super) struct FoundCall<'c, 'a> {
    /// The calling module.
    pub(super) module: &'c TreeModule<'a>,
    pub(super) of: &'c Caller<'a>,
    /// The number of the call there.
    pub(super) call: u32,
    /// The address of the object from the called module, if it has one.
    pub(super) address: Option<&'c str>,
    /// Whether the module itself is called.
    pub(super) is_direct: bool,
    /// Whether the calling module is met for the first time.
    pub(super) is_new: bool,
}

/// The number of paths from calling modules that are followed.
const MOST_CALLERS: usize = 100_000;

/// Visits the calls that lead to a module; with the address of an object of it, also those that lead
/// there on the way through other modules.
///
/// Cost: the places of the calling modules, each once.
///
/// # Errors
/// A calling module cannot be read as a whole, there are too many paths, or an error of the visit.
pub(super) fn for_callers<'t, 'a>(
    tree: &'t Tree<'a>,
    options: &DecodeOptions,
    (owner, address): (usize, Option<String>),
    mut visit: impl FnMut(FoundCall<'_, 'a>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let callers = tree.callers();
    // Modules with the addresses that the object has from there.
    let mut open = vec![(owner, address)];
    let mut seen: HashSet<(usize, String)> = HashSet::default();
    // The object may have several addresses from one caller.
    let mut read: HashMap<usize, Rc<Caller<'a>>> = HashMap::default();
    while let Some((called, address)) = open.pop() {
        if seen.len() > MOST_CALLERS {
            let why = "the module is called in more ways than are followed";
            return Err(Refusal::Unsupported(why.to_owned()));
        }
        for &(place, call) in &callers[called] {
            let module: &'t TreeModule<'a> = &tree.modules()[place];
            if module.origin == Origin::Installed {
                continue;
            }
            let known = read.get(&place).cloned();
            let is_new = known.is_none();
            let of = known.unwrap_or_else(|| Rc::new(Caller::of(module, options)));
            if is_new {
                check_readable(module, &of.places)?;
                read.insert(place, Rc::clone(&of));
            }
            let is_direct = called == owner;
            let found =
                FoundCall { module, of: &of, call, address: address.as_deref(), is_direct, is_new };
            visit(found)?;
            if let (Some(address), Some(name)) = (&address, module.module.object(call)) {
                let further = format!("{name}.{address}");
                if seen.insert((place, further.clone())) {
                    open.push((place, Some(further)));
                }
            }
        }
    }
    Ok(())
}
