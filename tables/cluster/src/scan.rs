//! Scans of sources that a scheduler can divide.
//!
//! The scheduler of Ballista gives each task a part of a plan's leaves, and knows only leaves of
//! DataFusion. So a scan has one of those below it: rows in memory, one for each unit.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, RecordBatch, StringArray, cast::AsArray as _};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{
    Boundedness, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, PlanProperties,
};
use futures::StreamExt as _;
use simd_hcl_sql::provider::{Scan, SourceTable, may_contain};
use simd_hcl_tables::scan::{Gap, ReadOptions, Wanted, read_units};
use simd_hcl_tables::table::Table;

use crate::parts;

/// A table of sources whose scans can be divided.
#[derive(Debug)]
pub struct PartTable(pub SourceTable);

/// The schema, with texts of the older type: Arrow's format for files and networks would write the
/// bytes that texts share with others once for each batch. And without docs: a union of columns whose
/// docs differ gets operators each time that it travels, which breaks the count of metrics.
fn plain(schema: &SchemaRef) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| {
        let kind = match field.data_type() {
            DataType::Utf8View => &DataType::Utf8,
            other => other,
        };
        Field::new(field.name(), kind.clone(), field.is_nullable())
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

#[async_trait]
impl TableProvider for PartTable {
    fn schema(&self) -> SchemaRef {
        plain(&self.0.schema())
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        self.0.supports_filters_pushdown(filters)
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = self.0.scan(state, projection, filters, limit).await?;
        let scan = plan.downcast_ref::<Scan>();
        let scan = scan.ok_or_else(|| DataFusionError::Internal("not a scan".to_owned()))?;
        let schema = Arc::new(Schema::new(vec![Field::new("part", DataType::Utf8, false)]));
        let partitions = parts::of_scan(scan)?.into_iter().map(|texts| {
            let column: ArrayRef = Arc::new(StringArray::from(texts));
            Ok(vec![RecordBatch::try_new(Arc::clone(&schema), vec![column])?])
        });
        let partitions = partitions.collect::<Result<Vec<_>>>()?;
        let input = MemorySourceConfig::try_new_exec(&partitions, schema, None)?;
        let what = What {
            table: scan.table,
            projection: scan.projection.clone(),
            options: scan.options,
            needles: scan.needles.as_deref().cloned(),
            limit: scan.limit,
        };
        Ok(Arc::new(PartScan::new(what, input)?))
    }
}

/// A table, and the parts of it that a scan reads.
#[derive(Clone, Debug)]
pub struct What {
    /// The table.
    pub table: &'static Table,
    /// Its columns, by their indexes; all of them if `None`.
    pub projection: Option<Vec<usize>>,
    /// How files are read.
    pub options: ReadOptions,
    /// A file without any of these texts has no row.
    pub needles: Option<Vec<String>>,
    /// The number of rows of a partition that are enough.
    pub limit: Option<usize>,
}

/// A scan of the parts that its input has.
#[derive(Debug)]
pub struct PartScan {
    what: What,
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

/// The start of the name of a metric that says what could not be read: the path and the reason
/// follow, with [`BETWEEN`] between them. Metrics are what a task reports beside its rows.
const NOT_READ: &str = "not read: ";

const BETWEEN: char = '\u{1}';

/// The number of paths of a partition that are reported.
const REPORTED: usize = 100;

/// The path that could not be read, if the name of a metric says so.
#[must_use]
pub fn gap_of(metric: &str) -> Option<Gap> {
    let (path, why) = metric.strip_prefix(NOT_READ)?.split_once(BETWEEN)?;
    Some(Gap { path: path.to_owned(), why: why.to_owned() })
}

impl PartScan {
    /// A scan of the parts in the rows of `input`.
    ///
    /// # Errors
    /// A column that the table does not have.
    pub fn new(what: What, input: Arc<dyn ExecutionPlan>) -> Result<Self> {
        let schema = plain(&what.table.schema());
        let schema = match &what.projection {
            Some(projection) => Arc::new(schema.project(projection)?),
            None => schema,
        };
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            input.output_partitioning().clone(),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        let metrics = ExecutionPlanMetricsSet::new();
        Ok(Self { what, input, properties: Arc::new(properties), metrics })
    }

    /// Returns the parts of the table that it reads.
    #[must_use]
    pub fn what(&self) -> &What {
        &self.what
    }

    fn over(&self, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Arc::new(Self::new(self.what.clone(), input)?)),
            _ => Err(DataFusionError::Internal("a scan has one input".to_owned())),
        }
    }
}

impl DisplayAs for PartScan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema = self.schema();
        let names: Vec<&str> = schema.fields().iter().map(|it| it.name().as_str()).collect();
        write!(f, "PartScan: table={}, columns=[{}]", self.what.table.name, names.join(", "))?;
        if let Some(needles) = &self.what.needles {
            write!(f, ", with=[{}]", needles.join(", "))?;
        }
        match self.what.limit {
            Some(limit) => write!(f, ", limit={limit}"),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for PartScan {
    fn name(&self) -> &'static str {
        "PartScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    /// Parts are divided by the scan alone.
    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.over(children)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.over(children)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let mut input = self.input.execute(partition, context)?;
        let schema = self.schema();
        let mut builder = RecordBatchReceiverStreamBuilder::new(Arc::clone(&schema), 2);
        let sender = builder.tx();
        let what = self.what.clone();
        let metrics = self.metrics.clone();
        builder.spawn(async move {
            let mut batches = Vec::new();
            while let Some(batch) = input.next().await {
                batches.push(batch?);
            }
            let take = move |batch: Result<RecordBatch>| sender.blocking_send(batch).is_ok();
            let read = move || what.read(&batches, &schema, take);
            let gaps = tokio::task::spawn_blocking(read).await;
            let gaps = gaps.map_err(|error| DataFusionError::External(Box::new(error)))??;
            for Gap { path, why } in gaps.into_iter().take(REPORTED) {
                let name = format!("{NOT_READ}{path}{BETWEEN}{why}");
                MetricBuilder::new(&metrics).counter(name, partition).add(1);
            }
            Ok(())
        });
        Ok(builder.build())
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }
}

impl What {
    /// Reads parts, passes batches of rows to `take` until it refuses one, and returns what could not
    /// be read.
    fn read(
        &self,
        parts: &[RecordBatch],
        schema: &SchemaRef,
        take: impl Fn(Result<RecordBatch>) -> bool + Send + Sync,
    ) -> Result<Vec<Gap>> {
        let texts = parts.iter().flat_map(|batch| {
            let texts = batch.column(0).as_string::<i32>();
            (0..texts.len()).map(move |row| texts.value(row))
        });
        let (sources, left_out): (_, BTreeSet<String>) = parts::sources(texts)?;
        let units = sources.units(self.table);
        let wanted = [Wanted { table: self.table, projection: self.projection.clone() }];
        let is_wanted = |path: &str| {
            !left_out.contains(path)
                && self.needles.as_ref().is_none_or(|needles| may_contain(path, needles))
        };
        let mut left = self.limit.unwrap_or(usize::MAX);
        let take = Box::new(|_: &'static Table, batch: RecordBatch| {
            left = left.saturating_sub(batch.num_rows());
            take(in_schema(&batch, schema)) && left > 0
        });
        Ok(read_units(&sources, &units, &wanted, self.options, &is_wanted, take)?)
    }
}

/// The same rows with the types of a schema.
fn in_schema(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(schema.fields());
    let columns = columns.map(|(column, field)| cast(column, field.data_type()));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}
