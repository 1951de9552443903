//! `rename`: an object gets another name, and so does everything that names it.

use std::fmt;
use std::path::Path;

use simd_hcl::expression::is_identifier;
use simd_hcl::module::Object;
use simd_hcl::refactor::rename::{Request, owners, plan};
use simd_hcl::refactor::{keys, parameter, template};
use simd_hcl::{Arena, Source, packer};

use crate::args::{self, Common};
use crate::elsewhere;
use crate::paths::or_here;
use crate::refactored::{Repository, place};
use crate::status::{Failure, Status};
use crate::unit_files;
use crate::visible;

pub(crate) fn run(rename: &args::Rename, common: &Common) -> Result<Status, Failure> {
    if let Some((address, key)) = instance(&rename.address) {
        return run_key(rename, (address, key), common);
    }
    let (path, address) = place(&rename.address, &rename.path);
    // Addresses of objects have a dot.
    if is_identifier(address) && path.is_file() {
        return run_parameter(rename, (&path, address), common);
    }
    let arena = Arena::new();
    let mut repository = Repository::load(&arena, path, &rename.tree, common)?;
    let (module, object) = match repository.find(address, &arena) {
        Ok(found) => found,
        Err(failure) => match repository.find_in_template(address) {
            Ok(Some(found)) => {
                return run_template(rename, repository, (address, found), &arena, common);
            }
            Ok(None) => return Err(repository.failure(failure, &rename.change, common)?),
            Err(failure) => return Err(repository.failure(failure, &rename.change, common)?),
        },
    };
    let name = match new_name(&object, address, &rename.new) {
        Ok(name) => name,
        Err(failure) => return Err(repository.failure(failure, &rename.change, common)?),
    };
    let owners = owners(&repository.tree, &repository.options.decode, module, object);
    if let Object::Variable(name) = object
        && let Some((file, other)) = repository.also_set_by(&owners, name, common)?
    {
        return Err(Failure::Message(format!(
            "{address} is not renamed: {} also sets {name} of {other}",
            visible::path(&file)
        )));
    }
    let values = repository.values(&owners, &arena, common)?;
    let values: Vec<_> = values.into_iter().map(|(_, file)| file).collect();
    let mut units = Vec::new();
    if let (Object::Variable(name), false) = (object, repository.is_stdin) {
        elsewhere::add(&mut repository, &owners, name, common)?;
    }
    if !repository.is_stdin {
        for &owner in &owners {
            units.extend(unit_files::of(&mut repository, owner, object, &arena, common));
        }
        // The files that name variables and outputs are listed with those that follow.
        if !matches!(object, Object::Variable(_) | Object::Output(_)) {
            unit_files::add_naming(&mut repository, &owners, object, &arena, common);
        }
    }
    let request = Request::new(module, object, name)
        .with_values(&values)
        .with_units(&units)
        .with_moved(!rename.no_moved)
        .with_alignment(rename.fmt);
    let decode = &repository.options.decode;
    let planned = plan(&repository.tree, decode, &request).and_then(|change| {
        match repository.has_applied(&change) {
            true => plan(&repository.tree, decode, &request.with_applied(true)),
            false => Ok(change),
        }
    });
    let change = match planned {
        Ok(change) => change,
        Err(why) => {
            let failure = Failure::Message(format!("{address} is not renamed: {why}"));
            return Err(repository.failure(failure, &rename.change, common)?);
        }
    };
    repository.finish(change, &rename.change, common)
}

/// Renames a variable of a template file.
fn run_parameter(
    rename: &args::Rename,
    (path, name): (&Path, &str),
    common: &Common,
) -> Result<Status, Failure> {
    let fail = |why: &dyn fmt::Display| {
        Failure::Message(format!("{}:{name} is not renamed: {why}", path.display()))
    };
    let arena = Arena::new();
    let template = Source::read(&arena, path).map_err(|error| fail(&error))?;
    let directory = or_here(path.parent().unwrap_or(path)).to_owned();
    let repository = Repository::load(&arena, directory, &rename.tree, common)?;
    let request = parameter::Request::new(template, name, &rename.new);
    let request = request.with_alignment(rename.fmt);
    match parameter::plan(&repository.tree, &repository.options.decode, &request) {
        Ok(change) => repository.finish(change, &rename.change, common),
        Err(why) => Err(repository.failure(fail(&why), &rename.change, common)?),
    }
}

/// Renames an object of a template of Packer.
fn run_template<'a>(
    rename: &args::Rename,
    mut repository: Repository<'a>,
    (address, (place, object)): (&str, (usize, packer::Object<'a>)),
    arena: &'a Arena,
    common: &Common,
) -> Result<Status, Failure> {
    let name = match new_name(&object, address, &rename.new) {
        Ok(name) => name,
        Err(failure) => return Err(repository.failure(failure, &rename.change, common)?),
    };
    let values = match repository.is_stdin {
        true => Vec::new(),
        false => repository.values_of_template(place, arena, common)?,
    };
    let request = template::Request::new(place, object, name).with_values(&values);
    match template::plan(&repository.tree, &request.with_alignment(rename.fmt)) {
        Ok(change) => repository.finish(change, &rename.change, common),
        Err(why) => {
            let failure = Failure::Message(format!("{address} is not renamed: {why}"));
            Err(repository.failure(failure, &rename.change, common)?)
        }
    }
}

/// Splits the address of an instance: `ADDRESS["KEY"]`.
fn instance(text: &str) -> Option<(&str, &str)> {
    text.strip_suffix("\"]")?.split_once("[\"")
}

/// Renames a key of `for_each`.
fn run_key(
    rename: &args::Rename,
    (address, old): (&str, &str),
    common: &Common,
) -> Result<Status, Failure> {
    let (path, address) = place(address, &rename.path);
    let arena = Arena::new();
    let repository = Repository::load(&arena, path, &rename.tree, common)?;
    let change = repository.find(address, &arena).and_then(|(module, object)| {
        let new = new_key(&rename.new, address)?;
        let request = keys::Request::new(module, object, old, new).with_moved(!rename.no_moved);
        let decode = &repository.options.decode;
        let change = keys::plan(&repository.tree, decode, &request).and_then(|change| {
            match repository.has_applied(&change) {
                true => keys::plan(&repository.tree, decode, &request.with_applied(true)),
                false => Ok(change),
            }
        });
        change
            .map_err(|why| Failure::Message(format!("{address}[\"{old}\"] is not renamed: {why}")))
    });
    match change {
        Ok(change) => repository.finish(change, &rename.change, common),
        Err(failure) => Err(repository.failure(failure, &rename.change, common)?),
    }
}

/// The new key, which may be given as an address.
fn new_key<'n>(new: &'n str, address: &str) -> Result<&'n str, Failure> {
    match (instance(new), new.strip_prefix("[\"")) {
        (Some((found, key)), _) if found == address || found.is_empty() => Ok(key),
        (None, None) => Ok(new),
        _ => Err(Failure::Message(format!(
            "{new} is not a key: it would be KEY or {address}[\"KEY\"]"
        ))),
    }
}

/// The new name, which may be given as an address of the same kind.
fn new_name<'n>(
    object: &dyn fmt::Display,
    address: &str,
    new: &'n str,
) -> Result<&'n str, Failure> {
    let last = address.rsplit('.').next().unwrap_or(address);
    let prefix = address.strip_suffix(last).unwrap_or_default();
    match new.strip_prefix(prefix).filter(|_| !prefix.is_empty()) {
        Some(name) => Ok(name),
        None if new.contains('.') => Err(Failure::Message(format!(
            "{new} is not an address of the same kind as {object}: it would be {prefix}NAME"
        ))),
        None => Ok(new),
    }
}
