//! Object stores: the files below a URL, copied to a directory.
//!
//! Configuration is read by many small reads, which a store answers slowly, and by functions such as
//! `file`, which need a directory. So all objects below a URL are copied first.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::{StreamExt as _, TryStreamExt as _};
use object_store::{ObjectStore, ObjectStoreExt as _};
use simd_hcl_tables::export::MANIFEST;
use simd_hcl_tables::scan::Gap;
use simd_hcl_tables::source::Copies;
use tempfile::TempDir;
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt as _;
use url::Url;

/// The number of objects that are copied at the same time.
const AT_ONCE: usize = 32;

/// A prefix of an object store.
pub(crate) struct Place {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) prefix: object_store::path::Path,
    pub(crate) url: Url,
}

impl Place {
    /// Opens a URL. Keys and regions come from the variables that the tools of each store read.
    ///
    /// # Errors
    /// It is no URL of a store, or a variable is missing.
    pub(crate) fn open(url: &str) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{url}: {error}");
        let parsed = Url::parse(url).map_err(|error| failed(&error))?;
        let settings = std::env::vars().map(|(name, value)| (name.to_lowercase(), value));
        let (store, prefix) =
            object_store::parse_url_opts(&parsed, settings).map_err(|error| failed(&error))?;
        Ok(Self { store: store.into(), prefix, url: parsed })
    }

    /// The manifest of the export that is there, if there is one.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn manifest(&self) -> Result<Option<Vec<u8>>, String> {
        let failed = |error| format!("{}: {error}", self.url);
        match self.store.get(&self.prefix.clone().join(MANIFEST)).await {
            Ok(found) => Ok(Some(found.bytes().await.map_err(failed)?.to_vec())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }
}

/// Whether the URL has tables that `export` wrote.
///
/// # Errors
/// See [`Place::open`]; or the store cannot be read.
pub(crate) async fn is_export(url: &str) -> Result<bool, String> {
    Ok(Place::open(url)?.manifest().await?.is_some())
}

/// Files below URLs, copied to a directory that is removed with the value.
#[derive(Debug)]
pub(crate) struct Copied {
    /// The file or directory of each URL.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) copies: Copies,
    _directory: TempDir,
}

impl Copied {
    /// Copies the objects below some URLs.
    ///
    /// # Errors
    /// A store cannot be listed, nothing is below a URL, or no file can be written.
    pub(crate) async fn new(urls: &[String]) -> Result<Self, String> {
        let directory = tempfile::Builder::new().prefix("simd-hcl-").tempdir();
        let directory =
            directory.map_err(|error| format!("{}: {error}", std::env::temp_dir().display()))?;
        let (mut copies, mut missing) = (Vec::new(), Vec::new());
        for (number, url) in urls.iter().enumerate() {
            let path = directory.path().join(number.to_string());
            let path = copy(&Place::open(url)?, path, &mut missing).await?;
            copies.push((path, url.trim_end_matches('/').to_owned()));
        }
        let paths = copies.iter().map(|(path, _)| path.clone()).collect();
        Ok(Self { paths, copies: Copies::new(copies, missing), _directory: directory })
    }
}

/// Copies the objects below a place to a directory, and returns it; or the file, if the place is an
/// object.
async fn copy(
    place: &Place,
    directory: PathBuf,
    missing: &mut Vec<Gap>,
) -> Result<PathBuf, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", place.url);
    let is_object =
        !place.prefix.as_ref().is_empty() && place.store.head(&place.prefix).await.is_ok();
    let (objects, target) = match (is_object, place.prefix.filename()) {
        (true, Some(name)) => {
            let path = directory.join(name);
            (vec![(place.prefix.clone(), path.clone())], path)
        }
        _ => {
            let mut found = place.store.list(Some(&place.prefix));
            let mut objects = Vec::new();
            while let Some(object) = found.try_next().await.map_err(|error| failed(&error))? {
                let below = object.location.prefix_match(&place.prefix);
                let below: PathBuf =
                    below.into_iter().flatten().map(|it| it.as_ref().to_owned()).collect();
                objects.push((object.location, directory.join(below)));
            }
            if objects.is_empty() {
                return Err(failed(&"there are no objects"));
            }
            (objects, directory)
        }
    };
    let mut copied = futures::stream::iter(objects)
        .map(|(object, path)| async move {
            let copied = copy_object(&*place.store, &object, &path).await;
            (object, path, copied)
        })
        .buffer_unordered(AT_ONCE);
    while let Some((object, path, copied)) = copied.next().await {
        match copied {
            Ok(()) => {}
            Err(Failure::Io(error)) => return Err(format!("{}: {error}", path.display())),
            Err(Failure::Store(error)) => {
                // A part of it would be read as the whole.
                let _ = fs::remove_file(&path).await;
                let path = format!("{}: {object}", place.url);
                missing.push(Gap { path, why: error.to_string() });
            }
        }
    }
    Ok(target)
}

async fn copy_object(
    store: &dyn ObjectStore,
    object: &object_store::path::Path,
    path: &Path,
) -> Result<(), Failure> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).await?;
    }
    let mut bytes = store.get(object).await?.into_stream();
    let mut file = File::create(path).await?;
    while let Some(bytes) = bytes.try_next().await? {
        file.write_all(&bytes).await?;
    }
    // Otherwise errors of the last write are lost.
    file.flush().await?;
    Ok(())
}

enum Failure {
    Store(object_store::Error),
    Io(io::Error),
}

impl From<object_store::Error> for Failure {
    fn from(error: object_store::Error) -> Self {
        Self::Store(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
