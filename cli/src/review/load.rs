//! The two trees that are compared, in one arena.

use std::path::{Path, PathBuf};

use simd_hcl::Arena;
use simd_hcl::directory::{DiscoverOptions, Discovery, Location};
use simd_hcl::tree::{Tree, TreeOptions};

use crate::args::{self, Common, Configuration, DialectName};
use crate::git::{self, Commit};
use crate::incomplete::Incomplete;
use crate::paths::or_here;
use crate::revision::Revision;
use crate::revision_files::RevisionFiles;
use crate::status::Failure;
use crate::{input, uncompared};

/// How files are found.
pub(super) struct Files {
    pub(super) dialect: Option<DialectName>,
    pub(super) ignore_files: bool,
}

/// Where a version is.
pub(super) enum Source {
    /// A directory, and the one in it whose files are named first.
    Directory {
        root: PathBuf,
        near: Option<PathBuf>,
    },
    Revision {
        revision: Box<Revision>,
        files: Box<RevisionFiles>,
    },
}

impl Source {
    /// The working tree with this directory at its top. Files below the working directory are named from
    /// there.
    pub(super) fn working_tree(top: &Path) -> Result<Self, Failure> {
        let (root, here) = (git::from_here(top)?, PathBuf::from("."));
        Ok(match root == here {
            true => Self::Directory { root, near: None },
            false => Self::Directory { root, near: Some(here) },
        })
    }

    /// A directory of a revision.
    pub(super) fn revision(commit: &Commit, path: &Path, common: &Common) -> Result<Self, Failure> {
        let revision = Box::new(Revision::read(commit, path, common)?);
        let files = Box::new(RevisionFiles::of(commit.hash.clone(), git::top()?, common));
        Ok(Self::Revision { revision, files })
    }

    /// The versions that `diff` compares: a revision without a path is read at the path of the other
    /// side.
    pub(super) fn of_diff(diff: &args::Diff, common: &Common) -> Result<[Self; 2], Failure> {
        let (old, new) = (Path::new(&diff.old), Path::new(&diff.new));
        let other = |path: &Path| -> Result<PathBuf, Failure> {
            Ok(if git::exists(path)? { path.to_owned() } else { PathBuf::from(".") })
        };
        let of = |name: &str, other: PathBuf| -> Result<Self, Failure> {
            let path = Path::new(name);
            if git::exists(path)? {
                return Ok(Self::Directory { root: path.to_owned(), near: None });
            }
            let (revision, inside) = git::revision_and_path(name, other);
            Self::revision(&Commit::of(revision)?, &inside, common)
        };
        Ok([of(&diff.old, other(new)?)?, of(&diff.new, other(old)?)?])
    }
}

/// A version, and its gaps.
pub(super) struct Loaded<'a> {
    pub(super) source: Source,
    pub(super) tree: Tree<'a>,
    pub(super) incomplete: Incomplete,
}

impl<'a> Loaded<'a> {
    pub(super) fn of(
        arena: &'a Arena,
        source: Source,
        files: &Files,
        common: &Common,
    ) -> Result<Self, Failure> {
        let options = TreeOptions::default().with_decode(input::decode_options(common)?);
        let mut incomplete = Incomplete::default();
        let modules = match &source {
            Source::Directory { root, near } => {
                let mut configuration = Configuration::of_directory(root.clone(), files.dialect);
                configuration.paths.splice(..0, near.clone());
                configuration.ignore_files = files.ignore_files;
                let mut discovery: Discovery = input::modules(&configuration, common)?;
                discovery.nothing.retain(|(path, _)| Some(path) != near.as_ref());
                input::takes_units(&mut discovery);
                input::refuse_too_large(&discovery)?;
                incomplete.append(Incomplete::of_discovery(&discovery));
                discovery.modules
            }
            Source::Revision { revision, .. } => {
                revision.add_gaps(&mut incomplete);
                revision.modules(files.dialect.map(Into::into))
            }
        };
        let tree = Tree::load(arena, modules, &options);
        incomplete.add_tree(&tree);
        Ok(Self { source, tree, incomplete })
    }

    /// The gaps that units of Terragrunt are, for answers without them.
    pub(super) fn units(&self, files: &Files, common: &Common) -> Incomplete {
        match &self.source {
            Source::Directory { root, .. } => {
                let options = DiscoverOptions::default()
                    .with_ignore_files(files.ignore_files)
                    .with_follow_links(common.follow_links);
                uncompared::below(root, options)
            }
            Source::Revision { revision, .. } => uncompared::of_revision(revision),
        }
    }

    /// The root modules, and their paths from the directory that was named: that directory, if it has a
    /// module.
    pub(super) fn roots(&self) -> Vec<(String, usize)> {
        let names = self.tree.modules().iter().map(|it| self.relative(&it.files.directory()));
        let names: Vec<Option<String>> = names.collect();
        if let Some(place) = names.iter().position(|name| name.as_deref() == Some(".")) {
            return vec![(".".to_owned(), place)];
        }
        let roots = names.into_iter().zip(self.tree.roots()).enumerate();
        let roots = roots.filter(|(_, (_, is_root))| *is_root);
        roots.filter_map(|(place, (name, _))| Some((name?, place))).collect()
    }

    /// The path of a directory from the one that was named.
    fn relative(&self, directory: &Location) -> Option<String> {
        let rest = match (&self.source, directory) {
            (Source::Directory { root, .. }, Location::Disk(path)) => {
                let plain = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_owned();
                let path = plain(path);
                let rest = path.strip_prefix(plain(root)).ok()?;
                rest.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
            }
            (Source::Revision { revision, .. }, Location::Memory(path)) => {
                let rest = path.as_str().strip_prefix(revision.path())?;
                if !(rest.is_empty() || rest.starts_with('/') || revision.path().is_empty()) {
                    return None;
                }
                rest.trim_start_matches('/').to_owned()
            }
            _ => return None,
        };
        Some(if rest.is_empty() { ".".to_owned() } else { rest })
    }
}

/// The path of a module from the top of the repository.
pub(super) fn name_of(location: &Location, top: &Path) -> Result<String, Failure> {
    match location {
        Location::Memory(path) => Ok(path.as_str().to_owned()),
        Location::Disk(path) => {
            let path = or_here(path);
            let path = git::canonical(path)?;
            let inside = path.strip_prefix(top).unwrap_or(&path);
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            Ok(parts.join("/"))
        }
    }
}
