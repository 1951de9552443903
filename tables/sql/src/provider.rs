//! Tables of sources for DataFusion: scans with projection, and with filters that leave out files.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{Array as _, ArrayRef, BooleanArray, RecordBatch, StringViewArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DFSchema, DataFusionError, Result, ScalarValue};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{
    BinaryExpr, Expr, Operator, TableProviderFilterPushDown, TableType, utils::conjunction,
};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{
    Boundedness, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use simd_hcl::directory::ModuleFile;
use simd_hcl_tables::scan::{Gap, ReadOptions, Wanted, read_units};
use simd_hcl_tables::source::{Sources, Unit};
use simd_hcl_tables::table::{DOC_KEY, Origin, Table};

/// The paths that scans could not read.
pub type Gaps = Arc<Mutex<BTreeSet<Gap>>>;

/// A table of sources.
#[derive(Debug)]
pub struct SourceTable {
    /// The table.
    pub table: &'static Table,
    /// The sources of its rows.
    pub sources: Arc<Sources>,
    /// How they are read.
    pub options: ReadOptions,
    /// The gaps: inputs that could not be read.
    pub gaps: Gaps,
}

/// The columns whose values are known for a file before it is opened.
const KNOWN: [&str; 2] = ["repository", "path"];

/// Whether an expression refers to these columns and to nothing else.
fn rests_on(expression: &Expr, names: &[&str]) -> bool {
    let columns = expression.column_refs();
    !columns.is_empty()
        && !expression.is_volatile()
        && columns.iter().all(|column| names.contains(&column.name()))
}

/// The texts of which `column` must be one, if the filter says so.
fn texts_of(filter: &Expr, column: &str) -> Option<Vec<String>> {
    let text = |expression: &Expr| match expression {
        Expr::Literal(
            ScalarValue::Utf8(Some(text))
            | ScalarValue::Utf8View(Some(text))
            | ScalarValue::LargeUtf8(Some(text)),
            _,
        ) => Some(text.clone()),
        _ => None,
    };
    let is_column =
        |expression: &Expr| matches!(expression, Expr::Column(it) if it.name() == column);
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => match is_column(left) {
            true => Some(vec![text(right)?]),
            false if is_column(right) => Some(vec![text(left)?]),
            false => None,
        },
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            let mut texts = texts_of(left, column)?;
            texts.extend(texts_of(right, column)?);
            Some(texts)
        }
        Expr::InList(list) if !list.negated && is_column(&list.expr) => {
            list.list.iter().map(text).collect()
        }
        _ => None,
    }
}

impl SourceTable {
    /// The places of a unit that filters are tested with: its repository and its files. A table that
    /// is not read file by file has one place for each unit.
    fn places(&self, unit: Unit) -> Vec<(String, Option<String>)> {
        match unit {
            Unit::Module(place) => {
                let module = &self.sources.modules()[place];
                let files = module.files.files.iter().filter(|file| file.is_asked_for());
                let name =
                    |file: &ModuleFile| file.path.disk().map(|path| self.sources.name_of(path));
                files.map(|file| (module.repository.to_string(), name(file))).collect()
            }
            Unit::Tree(place) => {
                vec![(self.sources.repositories()[place].0.to_string(), None)]
            }
            Unit::Document(place) => {
                let document = &self.sources.documents()[place];
                vec![(document.repository.to_string(), Some(self.sources.name_of(&document.path)))]
            }
            Unit::Gaps => vec![(String::new(), None)],
        }
    }

    /// Which units and files the filters let through. `None` for the files: all of them.
    fn prune(
        &self,
        state: &dyn Session,
        filters: &[Expr],
    ) -> Result<(Vec<Unit>, Option<BTreeSet<String>>)> {
        let units = self.sources.units(self.table);
        let names: &[&str] = match self.table.origin {
            Origin::Tree => &["repository"],
            _ => &KNOWN,
        };
        // The rows of paths that could not be read have no repository.
        let is_exact = |filter: &&Expr| rests_on(filter, names);
        let Some(filter) = conjunction(filters.iter().filter(is_exact).cloned()) else {
            return Ok((units, None));
        };
        let schema = Schema::new(vec![
            Field::new(KNOWN[0], DataType::Utf8View, true),
            Field::new(KNOWN[1], DataType::Utf8View, true),
        ]);
        let schema = DFSchema::try_from(schema)?;
        let filter = datafusion::common::tree_node::TreeNode::transform(filter, |it| {
            Ok(match it {
                Expr::Column(column) => datafusion::common::tree_node::Transformed::yes(
                    Expr::Column(datafusion::common::Column::new_unqualified(column.name)),
                ),
                other => datafusion::common::tree_node::Transformed::no(other),
            })
        })?;
        let filter = state.create_physical_expr(filter.data, &schema)?;
        let (mut kept, mut files) = (Vec::new(), BTreeSet::new());
        for unit in units {
            let places = self.places(unit);
            let repositories: StringViewArray = places.iter().map(|it| Some(&*it.0)).collect();
            let paths: StringViewArray = places.iter().map(|it| it.1.as_deref()).collect();
            let columns: Vec<ArrayRef> = vec![Arc::new(repositories), Arc::new(paths)];
            let batch = RecordBatch::try_new(Arc::clone(schema.inner()), columns)?;
            let result = filter.evaluate(&batch)?.into_array(batch.num_rows())?;
            let result = result.as_any().downcast_ref::<BooleanArray>();
            let passes = |row: usize| result.is_none_or(|it| it.is_valid(row) && it.value(row));
            let mut is_kept = unit == Unit::Gaps;
            for (row, (_, path)) in places.into_iter().enumerate() {
                if passes(row) {
                    is_kept = true;
                    files.extend(path);
                }
            }
            if is_kept {
                kept.push(unit);
            }
        }
        Ok((kept, Some(files)))
    }
}

#[async_trait]
impl TableProvider for SourceTable {
    /// Without the doc of the table: DataFusion refuses unions whose metadata differ.
    fn schema(&self) -> SchemaRef {
        let mut schema = Schema::clone(&self.table.schema());
        schema.metadata.remove(DOC_KEY);
        Arc::new(schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let names = if self.table.origin == Origin::Tree { &KNOWN[..1] } else { &KNOWN[..] };
        let helps = |filter: &&Expr| {
            rests_on(filter, names)
                || self.table.name == "resources" && texts_of(filter, "type").is_some()
        };
        // DataFusion tests the rows again.
        let answer = |filter: &&Expr| match helps(filter) {
            true => TableProviderFilterPushDown::Inexact,
            false => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(answer).collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (units, files) = self.prune(state, filters)?;
        let needles = match self.table.name {
            "resources" => filters.iter().find_map(|filter| texts_of(filter, "type")),
            _ => None,
        };
        let threads = state.config().target_partitions().clamp(1, units.len().max(1));
        let mut partitions = vec![Vec::new(); threads];
        let count = units.len();
        for (place, unit) in units.into_iter().enumerate() {
            partitions[place % threads].push(unit);
        }
        let schema = match projection {
            Some(projection) => Arc::new(self.schema().project(projection)?),
            None => self.schema(),
        };
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&schema)),
            Partitioning::UnknownPartitioning(threads),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(Arc::new(Scan {
            table: self.table,
            sources: Arc::clone(&self.sources),
            options: self.options,
            gaps: Arc::clone(&self.gaps),
            projection: projection.cloned(),
            schema,
            partitions,
            files: files.map(Arc::new),
            needles: needles.map(Arc::new),
            count,
            limit,
            properties: Arc::new(properties),
        }))
    }
}

/// A scan of the units that filters have left.
#[derive(Debug)]
pub struct Scan {
    /// The table.
    pub table: &'static Table,
    /// The sources of its rows.
    pub sources: Arc<Sources>,
    /// How they are read.
    pub options: ReadOptions,
    gaps: Gaps,
    /// Its columns, by their indexes; all of them if `None`.
    pub projection: Option<Vec<usize>>,
    schema: SchemaRef,
    /// The units of each partition.
    pub partitions: Vec<Vec<Unit>>,
    /// The files that are read; all of them if `None`.
    pub files: Option<Arc<BTreeSet<String>>>,
    /// A file without any of these texts has no row.
    pub needles: Option<Arc<Vec<String>>>,
    count: usize,
    /// The number of rows that are enough.
    pub limit: Option<usize>,
    properties: Arc<PlanProperties>,
}

impl DisplayAs for Scan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.schema.fields().iter().map(|it| it.name().as_str()).collect();
        write!(f, "Scan: table={}, columns=[{}]", self.table.name, names.join(", "))?;
        write!(f, ", units={}, partitions={}", self.count, self.partitions.len())?;
        if let Some(files) = &self.files {
            write!(f, ", files={}", files.len())?;
        }
        if let Some(needles) = &self.needles {
            write!(f, ", with=[{}]", needles.join(", "))?;
        }
        match self.limit {
            Some(limit) => write!(f, ", limit={limit}"),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for Scan {
    fn name(&self) -> &'static str {
        "Scan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, partition: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let mut builder = RecordBatchReceiverStreamBuilder::new(Arc::clone(&self.schema), 2);
        let sender = builder.tx();
        let units = self.partitions[partition].clone();
        let wanted = [Wanted { table: self.table, projection: self.projection.clone() }];
        let (sources, gaps) = (Arc::clone(&self.sources), Arc::clone(&self.gaps));
        let (files, needles) = (self.files.clone(), self.needles.clone());
        let (options, mut left) = (self.options, self.limit.unwrap_or(usize::MAX));
        builder.spawn_blocking(move || {
            let is_wanted = |path: &str| {
                let is_kept = files.as_ref().is_none_or(|files| files.contains(path));
                is_kept && needles.as_ref().is_none_or(|needles| may_contain(path, needles))
            };
            let take = Box::new(|_: &'static Table, batch: RecordBatch| {
                left = left.saturating_sub(batch.num_rows());
                sender.blocking_send(Ok(batch)).is_ok() && left > 0
            });
            let found = read_units(&sources, &units, &wanted, options, &is_wanted, take);
            let found = found.map_err(DataFusionError::from)?;
            gaps.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
            Ok(())
        });
        Ok(builder.build())
    }
}

/// Whether a file may contain one of some texts. Files that cannot be searched as they are may.
#[must_use]
pub fn may_contain(path: &str, needles: &[String]) -> bool {
    let Ok(bytes) = std::fs::read(path) else { return true };
    let is_plain = simd_hcl::compression::Compression::of(&bytes).is_none()
        && !bytes.contains(&0)
        && memchr::memmem::find(&bytes, br"\").is_none();
    let has = |needle: &String| memchr::memmem::find(&bytes, needle.as_bytes()).is_some();
    !is_plain || needles.iter().any(has)
}
