//! `init`: writes `simd-hcl.toml` with settings that the repository suggests, and files for
//! services on request.
//!
//! Nothing is overwritten. [`proposal`] has the settings, [`services`] the files for services.

mod proposal;
mod services;

use std::io;
use std::path::{Path, PathBuf};

use simd_hcl::directory::Roots;
use simd_hcl::rules::RuleSet;

use self::proposal::Proposal;
use self::services::Service;
use crate::args::{self, Check, Common, Configuration, ListFormat, RuleSelector};
use crate::check::examine;
use crate::finding::Policy;
use crate::git::canonical;
use crate::settings::{Codes, NAME, Settings};
use crate::status::{Failure, Status};
use crate::{output, replace, visible};

pub(crate) fn run(init: &args::Init, common: &Common) -> Result<Status, Failure> {
    let directory = &init.directory;
    let shown = visible::path(directory);
    let fail = |error: std::io::Error| Failure::Message(format!("{shown}: {error}"));
    if !directory.metadata().map_err(fail)?.is_dir() {
        return Err(Failure::Message(format!("{shown}: it is not a directory")));
    }
    let mut common = common.clone();
    let file = directory.join(NAME);
    let exists = file.try_exists().map_err(fail)?;
    // A pipe would wait for a writer.
    if exists && !file.is_file() {
        return Err(Failure::Message(format!("{}: not a regular file", visible::path(&file))));
    }
    // Settings of a directory above are not those of this one.
    match exists {
        true => common.config = Some(file.clone()),
        false => common.no_config = true,
    }
    let common = &common;
    let paths = vec![directory.clone()];
    let settings = Settings::of(&paths, common)?;
    let check = Check::of(Configuration::of_directory(directory.clone(), settings.dialect));
    // The findings of each rule, selected or not.
    let all = Codes { select: vec![RuleSelector::Known(RuleSet::All)], ..Codes::default() };
    let policy = Policy { flags: Some(&all), settings: Some(&settings), comments: None };
    let mut proposal = None;
    let (status, stats) = examine(&check, policy, common, &mut |found| {
        if found.status == Status::CouldNotRun {
            found.incomplete.print(ListFormat::Human, common);
            return Ok(found.status);
        }
        let start = canonical(directory)?;
        proposal = Some(Proposal::of(&found, &settings, (directory, &start), common)?);
        Ok(found.status)
    })?;
    stats.print(common);
    let Some(proposal) = proposal else { return Ok(status) };
    if init.check {
        return Ok(compare(&proposal, exists)?.max(status));
    }
    let mut files = vec![(PathBuf::from(NAME), proposal.text())];
    let services = [
        (init.github, Service::Github),
        (init.gitlab, Service::Gitlab),
        (init.pre_commit, Service::PreCommit),
    ];
    let asked = services.into_iter().filter(|(is_asked, _)| *is_asked);
    files.extend(asked.map(|(_, service)| (service.path(), service.text().to_owned())));
    let roots = Roots::around([directory]);
    let mut status = status;
    for (path, text) in files {
        status = status.max(write(directory, &path, &text, &roots)?);
    }
    output::text(|out| {
        let mut undecided = proposal.undecided.iter();
        undecided.try_for_each(|what| writeln!(out, "to decide: {}", visible::visible(what)))
    })?;
    Ok(status)
}

/// Writes a file unless it exists, and says so.
fn write(directory: &Path, path: &Path, text: &str, roots: &Roots) -> io::Result<Status> {
    let target = directory.join(path);
    let shown = visible::path(path);
    if target.exists() || target.is_symlink() {
        output::text(|out| writeln!(out, "kept {shown}: it exists"))?;
        return Ok(Status::Clean);
    }
    let parent = target.parent().unwrap_or(directory);
    let written = replace::make_directory(parent, roots)
        .and_then(|()| replace::create(&target, text.as_bytes(), roots));
    match written {
        Ok(()) => {
            output::text(|out| writeln!(out, "wrote {shown}"))?;
            Ok(Status::Clean)
        }
        Err(error) => {
            anstream::eprintln!("simd-hcl: {shown}: {error}");
            Ok(Status::CouldNotRun)
        }
    }
}

/// Lists the settings that are out of date.
fn compare(proposal: &Proposal, exists: bool) -> io::Result<Status> {
    if !exists {
        output::text(|out| writeln!(out, "{NAME} does not exist"))?;
        return Ok(Status::Found);
    }
    output::text(|out| {
        let mut changes = proposal.changes.iter();
        changes.try_for_each(|change| writeln!(out, "{}", visible::visible(change)))
    })?;
    Ok(match proposal.changes.is_empty() {
        true => Status::Clean,
        false => Status::Found,
    })
}
