//! Sessions: the tables of some paths, ready for queries.

use std::path::Path;
use std::sync::Arc;

use datafusion::catalog::MemorySchemaProvider;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::context::SQLOptions;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use simd_hcl_tables::columns::{TABLES, table_of};
use simd_hcl_tables::export::{Exported, Format};
use simd_hcl_tables::source::Sources;
use simd_hcl_tables::table::Table;

use crate::engine::Engine;
use crate::functions;
use crate::inputs::Inputs;
use crate::provider::{Gaps, SourceTable};
use crate::store;

/// The tables of some paths.
pub(crate) struct Database {
    context: SessionContext,
    engine: Arc<dyn Engine>,
    pub(crate) gaps: Gaps,
}

fn refuse(message: String) -> DataFusionError {
    DataFusionError::Plan(message)
}

/// Whether a query is `SHOW TABLES`.
fn is_show_tables(query: &str) -> bool {
    let mut words = query.trim_end_matches([';', ' ', '\n', '\t', '\r']).split_whitespace();
    let mut is_next = |word: &str| words.next().is_some_and(|it| it.eq_ignore_ascii_case(word));
    is_next("show") && is_next("tables") && words.next().is_none()
}

/// The query that lists the tables, with what each has.
fn list_of_tables() -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let docs = TABLES
        .map(|table| format!("WHEN {} THEN {}", quoted(table.name), quoted(&table.doc_line())));
    format!(
        "SELECT table_schema AS schema, table_name AS name, CASE table_name {} END AS description \
         FROM information_schema.tables WHERE table_schema <> 'information_schema' \
         ORDER BY table_schema, table_name",
        docs.join(" ")
    )
}

/// The names of the directories in a directory, and what its manifest says.
fn local(directory: &str) -> Result<(Vec<String>, Option<Exported>)> {
    let exported = Exported::of(Path::new(directory)).map_err(refuse)?;
    let entries = std::fs::read_dir(directory);
    let entries = entries.map_err(|error| refuse(format!("{directory}: {error}")))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    Ok((names, exported))
}

impl Database {
    /// Finds what the paths contain. Files are read by queries.
    pub(crate) async fn open(inputs: Inputs, engine: Arc<dyn Engine>) -> Result<Self> {
        let inputs = &engine.inputs(inputs)?;
        let mut config = SessionConfig::new()
            .with_information_schema(true)
            .set_str("datafusion.explain.format", "indent")
            // Tables of an export have a directory for each repository.
            .set_bool("datafusion.execution.listing_table_ignore_subdirectory", false);
        if inputs.threads > 0 {
            config = config.with_target_partitions(inputs.threads);
        }
        let context = SessionContext::new_with_config(engine.config(config));
        functions::all().into_iter().for_each(|function| context.register_udf(function));
        let database = Self { context, engine, gaps: Gaps::default() };
        let has_export = inputs.exports.iter().any(|(name, _)| name.is_none());
        if !inputs.paths.is_empty() {
            if has_export {
                let message = "exported tables beside other paths need a name: NAME=DIR";
                return Err(refuse(message.to_owned()));
            }
            database.add_sources(inputs)?;
        }
        for (name, directory) in &inputs.exports {
            database.add_export(name.as_deref(), directory).await?;
        }
        Ok(database)
    }

    fn add_sources(&self, inputs: &Inputs) -> Result<()> {
        let sources = Sources::find(&inputs.paths, inputs.find);
        let sources = Arc::new(sources.with_copies(inputs.copies.clone()));
        let gaps = sources.gaps().iter().cloned();
        self.gaps.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(gaps);
        for table in TABLES {
            let provider = SourceTable {
                table,
                sources: Arc::clone(&sources),
                options: inputs.read,
                gaps: Arc::clone(&self.gaps),
            };
            // `references` is a word of SQL, but not where a table is named.
            self.context.register_table(table.name, self.engine.table(provider))?;
        }
        Ok(())
    }

    /// Adds the tables of a directory that `export` has written: one directory for each.
    async fn add_export(&self, name: Option<&str>, directory: &str) -> Result<()> {
        let is_url = directory.contains("://");
        let (names, exported) = match is_url {
            true => self.remote(directory).await?,
            false => local(directory)?,
        };
        let directory = if is_url { directory.trim_end_matches('/') } else { directory };
        if let Some(format) = exported.map(|it| it.format).filter(|it| *it != Format::Parquet) {
            let format = format.extension();
            return Err(refuse(format!("{directory}: its tables are {format}, not parquet")));
        }
        let mut tables: Vec<&Table> = names.iter().filter_map(|name| table_of(name)).collect();
        tables.sort_by_key(|table| table.name);
        if tables.is_empty() {
            return Err(refuse(format!("{directory}: there are no tables")));
        }
        if let Some(name) = name {
            let catalog = self.context.catalog("datafusion");
            let catalog = catalog.ok_or_else(|| refuse("there is no catalog".to_owned()))?;
            catalog.register_schema(name, Arc::new(MemorySchemaProvider::new()))?;
        }
        for table in tables {
            let path = format!("{directory}/{}/", table.name);
            let full =
                name.map_or_else(|| table.name.to_owned(), |name| format!("{name}.{}", table.name));
            // Otherwise DataFusion opens the files of all tables to find out.
            let schema = exported.map(|exported| exported.schema(table));
            let options =
                ParquetReadOptions { schema: schema.as_deref(), ..ParquetReadOptions::default() };
            let registered = self.context.register_parquet(full, &path, options).await;
            registered.map_err(|error| refuse(format!("{path}: {error}")))?;
        }
        Ok(())
    }

    /// The names of the directories below a URL, and what the manifest says.
    async fn remote(&self, url: &str) -> Result<(Vec<String>, Option<Exported>)> {
        let place = store::Place::open(url).map_err(refuse)?;
        self.context.register_object_store(&place.url, Arc::clone(&place.store));
        let manifest = place.manifest().await.map_err(refuse)?;
        let exported = manifest.map(|text| Exported::of_manifest(url, &text));
        let exported = exported.transpose().map_err(refuse)?;
        let listed = place.store.list_with_delimiter(Some(&place.prefix)).await;
        let listed = listed.map_err(|error| refuse(format!("{url}: {error}")))?;
        let names = listed.common_prefixes.iter().filter_map(|it| it.filename());
        Ok((names.map(str::to_owned).collect(), exported))
    }

    /// Starts a query. Statements that write are refused.
    pub(crate) async fn rows(&self, text: &str) -> Result<SendableRecordBatchStream> {
        let options = SQLOptions::new().with_allow_ddl(false).with_allow_dml(false);
        let options = options.with_allow_statements(false);
        let text = match is_show_tables(text) {
            true => list_of_tables(),
            false => text.to_owned(),
        };
        let frame = self.context.sql_with_options(&text, options).await?;
        self.engine.rows(frame, &self.gaps).await
    }

    /// Ends the query whose rows nobody takes any more.
    pub(crate) async fn cancel(&self) {
        self.engine.cancel().await;
    }

    /// The names of tables and columns, for completion.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = TABLES
            .into_iter()
            .flat_map(|table| table.all_columns().map(|it| it.name).chain([table.name]))
            .map(str::to_owned)
            .collect();
        names.sort();
        names.dedup();
        names
    }
}
