//! The modules that call a module, and those that call them.

use std::rc::Rc;

use super::change::Refusal;
use super::files::{Files, check_readable};
use crate::directory::DecodeOptions;
use crate::facts::{Place, Places, Target};
use crate::hash::{HashMap, HashSet};
use crate::parsed::ParsedFile;
use crate::tree::{Origin, Tree, TreeModule};

/// A module that calls another one.
pub(super) struct Caller<'a> {
    pub(super) places: Places,
    pub(super) files: Files<'a>,
    /// The addresses that lead into the module that each call leads to, sorted.
    inside: HashMap<u32, Vec<Box<str>>>,
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
        inside.values_mut().for_each(|addresses| addresses.sort_unstable());
        let files = Files::of(module, &shadowed);
        Self { places, files, inside }
    }

    /// The addresses in the called module that are that of an object, or lead into it.
    fn inside(&self, call: u32, address: &str) -> impl Iterator<Item = &str> {
        let all = self.inside.get(&call).map_or(&[][..], Vec::as_slice);
        let own = all.binary_search_by(|found| (**found).cmp(address)).ok();
        let inner = format!("{address}.");
        let first = all.partition_point(|found| **found < *inner);
        let inner = all[first..].iter().take_while(move |found| found.starts_with(&*inner));
        own.map(|at| &all[at]).into_iter().chain(inner).map(|found| &**found)
    }
}

/// A call that leads to a module, directly or not.
pub(super) struct FoundCall<'c, 'a> {
    /// The calling module.
    pub(super) module: &'c TreeModule<'a>,
    /// Its place in the tree.
    pub(super) place: usize,
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

impl<'a> FoundCall<'_, 'a> {
    /// The number of names in the address of the object from the calling module: `module`, the call,
    /// and those of the address in the called module. 0 without an address.
    pub(super) fn names(&self) -> usize {
        self.address.map_or(0, |address| 2 + address.split('.').count())
    }

    /// The places in the calling module that name the object, or something in it, by an address.
    pub(super) fn addressed(&self) -> Vec<(ParsedFile<'a>, Place)> {
        let Caller { places, files, .. } = self.of;
        let targets = self.address.into_iter().flat_map(|it| self.of.inside(self.call, it));
        let targets = targets.map(|address| Target::Within { object: self.call, address });
        let found = targets.flat_map(|target| places.of_target(target));
        found.filter_map(|place| Some((files.get(places, place)?, *place))).collect()
    }
}

/// The number of paths from calling modules that are followed.
const MOST_CALLERS: usize = 100_000;

/// The most bytes of the addresses that are followed: in a deep tree, they are long.
const MOST_ADDRESSES: usize = 64 << 20;

/// Visits the calls that lead to a module; with the addresses of objects of it, those that lead there
/// on the way through other modules, for each object.
///
/// Cost: the places of the calling modules, each once, and the visits.
///
/// # Errors
/// A calling module cannot be read as a whole, there are too many paths or long addresses, or an
/// error of the visit.
pub(super) fn for_callers<'t, 'a>(
    tree: &'t Tree<'a>,
    options: &DecodeOptions,
    (owner, addresses): (usize, &[String]),
    mut visit: impl FnMut(&FoundCall<'_, 'a>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let callers = tree.callers();
    // Modules with the addresses that the objects have from there.
    let mut open: Vec<(usize, Option<Rc<str>>)> = match addresses {
        [] => vec![(owner, None)],
        _ => addresses.iter().map(|address| (owner, Some((**address).into()))).collect(),
    };
    let mut seen: HashSet<(usize, Rc<str>)> = HashSet::default();
    let mut bytes = 0;
    // An object may have several addresses from one caller.
    let mut read: HashMap<usize, Rc<Caller<'a>>> = HashMap::default();
    while let Some((called, address)) = open.pop() {
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
            let found = FoundCall {
                module,
                place,
                of: &of,
                call,
                address: address.as_deref(),
                is_direct,
                is_new,
            };
            visit(&found)?;
            if let (Some(address), Some(name)) = (&address, module.module.object(call)) {
                let further: Rc<str> = format!("{name}.{address}").into();
                if seen.insert((place, Rc::clone(&further))) {
                    bytes += further.len();
                    if seen.len() > MOST_CALLERS || bytes > MOST_ADDRESSES {
                        let why = "the module is called in more ways than are followed";
                        return Err(Refusal::Unsupported(why.to_owned()));
                    }
                    open.push((place, Some(further)));
                }
            }
        }
    }
    Ok(())
}
