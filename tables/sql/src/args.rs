//! Arguments of the command line.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use simd_hcl::Dialect;
use simd_hcl_tables::columns::table_of;
use simd_hcl_tables::export::{Format as ExportFormat, Options};
use simd_hcl_tables::scan::ReadOptions;
use simd_hcl_tables::source::FindOptions;
use simd_hcl_tables::table::Table;
use url::Url;

use crate::inputs::Inputs;
use crate::output::Format;

/// SQL over the configuration, plans, states and provider schemas of OpenTofu, Terraform and Packer.
#[derive(Debug, Parser)]
#[command(name = "simd-hcl-sql", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a query; without one, open a prompt
    Sql(Sql),
    /// Write the tables to a directory; a second run reads only what has changed
    Export(Export),
    /// Print the tables and their columns in Markdown
    Tables,
}

#[derive(Debug, Args)]
pub(crate) struct Sql {
    /// Query, then paths. The first argument is the query if it contains white space. Without one, a
    /// terminal gets a prompt, and other input is the query. A path is a file, a directory (the
    /// current one by default), a URL, or NAME=DIR for tables that `export` wrote to DIR: NAME.resources
    #[arg(value_name = "QUERY|PATH")]
    pub(crate) arguments: Vec<String>,

    /// Format of the result [default: table]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,

    /// Print how the query is run, and do not run it
    #[arg(long)]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Run the query on the cluster whose scheduler has this address
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) cluster: Option<String>,

    /// Number of threads; 0 for one for each processor. With --cluster, the number of parts of a scan
    #[arg(long, default_value_t = 0)]
    pub(crate) threads: usize,
}

/// How sources are found and read.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Tool whose files are read
    #[arg(long, value_parser = dialect)]
    pub(crate) dialect: Option<Dialect>,

    /// Respect `.gitignore` and `.ignore`
    #[arg(long)]
    pub(crate) ignore_files: bool,

    /// Read links that lead outside of the given paths and their git work trees
    #[arg(long)]
    pub(crate) follow_links: bool,

    /// Write sensitive values
    #[arg(long)]
    pub(crate) show_sensitive: bool,
}

fn dialect(text: &str) -> Result<Dialect, String> {
    text.parse().map_err(|_| "expected `opentofu`, `terraform` or `packer`".to_owned())
}

impl Reading {
    fn find(&self) -> FindOptions {
        FindOptions {
            dialect: self.dialect,
            respects_ignore_files: self.ignore_files,
            follows_links: self.follow_links,
        }
    }

    fn read(&self) -> ReadOptions {
        ReadOptions { shows_secrets: self.show_sensitive }
    }
}

/// Whether a directory was written by `export`.
fn is_export(path: &Path) -> bool {
    path.join(simd_hcl_tables::export::MANIFEST).is_file()
}

/// The path of a file, or of a `file://` URL; `None` for an object store.
fn local(path: &str) -> Result<Option<String>, String> {
    if !path.contains("://") {
        return Ok(Some(path.to_owned()));
    }
    let url = Url::parse(path).map_err(|error| format!("{path}: {error}"))?;
    if url.scheme() != "file" {
        return Ok(None);
    }
    match url.to_file_path() {
        Ok(path) => Ok(Some(path.to_string_lossy().into_owned())),
        Err(()) => Err(format!("{path}: not a path on this machine")),
    }
}

/// The paths that a pattern with `*`, `?`, `[…]` or `**` matches, sorted; the path itself if it exists
/// or is no pattern.
fn matches(path: &str) -> Result<Vec<PathBuf>, String> {
    if !path.contains(['*', '?', '[']) || Path::new(path).exists() {
        return Ok(vec![path.into()]);
    }
    let found = glob::glob(path).map_err(|error| format!("{path}: {error}"))?;
    let found: Vec<PathBuf> = found.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    match found.is_empty() {
        true => Err(format!("{path}: no path matches")),
        false => Ok(found),
    }
}

impl Sql {
    /// The query, and the paths.
    pub(crate) fn split(&self) -> (Option<String>, Vec<String>) {
        let mut rest = self.arguments.iter();
        let first = rest.clone().next();
        let is_query = |text: &&String| {
            text.contains(char::is_whitespace) && !Path::new(text.as_str()).exists()
        };
        let query = first.filter(is_query).cloned();
        if query.is_some() {
            rest.next();
        }
        (query, rest.cloned().collect())
    }

    /// Returns the inputs of the session, and the URLs of object stores.
    pub(crate) fn inputs(&self, paths: &[String]) -> Result<(Inputs, Vec<String>), String> {
        let (find, read) = (self.reading.find(), self.reading.read());
        let mut inputs = Inputs { find, read, threads: self.threads, ..Inputs::default() };
        let mut urls = Vec::new();
        for path in paths {
            match path.split_once('=') {
                Some((name, directory)) if !Path::new(path).exists() => {
                    if !simd_hcl::expression::is_identifier(name) {
                        return Err(format!("{name:?} cannot be the name of a schema"));
                    }
                    let directory = local(directory)?.unwrap_or_else(|| directory.to_owned());
                    inputs.exports.push((Some(name.to_lowercase()), directory));
                    continue;
                }
                _ => {}
            }
            let Some(path) = local(path)? else {
                urls.push(path.clone());
                continue;
            };
            if is_export(Path::new(&path)) {
                inputs.exports.push((None, path));
            } else {
                inputs.paths.extend(matches(&path)?);
            }
        }
        if paths.is_empty() {
            inputs.paths.push(".".into());
        }
        Ok((inputs, urls))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Files, directories and URLs; the current directory by default
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Directory that gets the tables
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,

    /// Format of the files
    #[arg(long, value_enum, default_value_t = FileFormat::Parquet)]
    pub(crate) format: FileFormat,

    /// Tables, separated by commas; all by default
    #[arg(long, value_delimiter = ',', value_name = "TABLES")]
    pub(crate) tables: Vec<String>,

    /// Keep earlier snapshots, and add one, which the column `snapshot` names
    #[arg(long)]
    pub(crate) append_snapshot: bool,

    /// Name of the snapshot [default: the time]
    #[arg(long, value_name = "NAME", requires = "append_snapshot")]
    pub(crate) snapshot: Option<String>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Number of threads; 0 for one for each processor
    #[arg(long, default_value_t = 0)]
    pub(crate) threads: usize,
}

/// The format of files that `export` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileFormat {
    Parquet,
    Arrow,
    Ndjson,
    Csv,
}

impl Export {
    /// The paths, without patterns, and URLs of object stores.
    pub(crate) fn found(&self) -> Result<(Vec<PathBuf>, Vec<String>), String> {
        if self.paths.is_empty() {
            return Ok((vec![".".into()], Vec::new()));
        }
        let (mut found, mut urls) = (Vec::new(), Vec::new());
        for path in &self.paths {
            match path.to_str() {
                Some(text) => match local(text)? {
                    Some(path) => found.extend(matches(&path)?),
                    None => urls.push(text.to_owned()),
                },
                None => found.push(path.clone()),
            }
        }
        Ok((found, urls))
    }

    pub(crate) fn options(&self) -> Result<Options, String> {
        let table = |name: &String| -> Result<&'static Table, String> {
            table_of(name).ok_or_else(|| format!("there is no table {name:?}"))
        };
        Ok(Options {
            format: match self.format {
                FileFormat::Parquet => ExportFormat::Parquet,
                FileFormat::Arrow => ExportFormat::Arrow,
                FileFormat::Ndjson => ExportFormat::Ndjson,
                FileFormat::Csv => ExportFormat::Csv,
            },
            tables: self.tables.iter().map(table).collect::<Result<_, _>>()?,
            snapshot: match self.append_snapshot {
                true => Some(self.snapshot.clone().unwrap_or_else(simd_hcl_tables::export::now)),
                false => None,
            },
            find: self.reading.find(),
            read: self.reading.read(),
            threads: self.threads,
            ..Options::default()
        })
    }
}
