//! The engine of `--cluster`: plans queries here, and has a cluster run them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arrow::array::RecordBatch;
use async_trait::async_trait;
use ballista_core::client::BallistaClient;
use ballista_core::error::BallistaError;
use ballista_core::extension::{SessionConfigExt as _, SessionConfigHelperExt as _};
use ballista_core::serde::protobuf::execute_query_failure_result::Failure;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::execute_query_result::Result as Started;
use ballista_core::serde::protobuf::job_status::Status;
use ballista_core::serde::protobuf::operator_metric::Metric;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{
    CancelJobParams, CleanJobDataParams, ExecuteQueryParams, GetJobMetricsParams,
    GetJobStatusParams, PartitionLocation, RemoveSessionParams,
};
use ballista_core::utils::{GrpcClientConfig, create_grpc_client_endpoint};
use ballista_core::version;
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{DataFusionError, Result};
use datafusion::dataframe::DataFrame;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::analyze::AnalyzeExec;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::union::UnionExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties as _, execute_stream};
use datafusion::prelude::SessionConfig;
use datafusion_proto::physical_plan::AsExecutionPlan as _;
use datafusion_proto::protobuf::PhysicalPlanNode;
use futures::StreamExt as _;
use simd_hcl_sql::engine::Engine;
use simd_hcl_sql::inputs::Inputs;
use simd_hcl_sql::provider::{Gaps, SourceTable};
use simd_hcl_tables::scan::Gap;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc::Sender;
use tokio::time::{sleep, timeout};
use tonic::transport::Channel;
use tonic::{Request, Status as Refusal};

use crate::codec::Codec;
use crate::scan::{PartScan, PartTable, gap_of};

/// The largest message between the programs: plans have the names of all files.
pub const MESSAGE: usize = 1 << 30;

/// The number of parts of a scan, and of partitions between stages, unless `--threads` says it.
const PARTS: usize = 16;

/// How long the client waits for the first executor.
const FIRST_EXECUTOR: Duration = Duration::from_secs(10);

/// How long the client waits for an answer of the scheduler that it could do without.
const SHORT: Duration = Duration::from_secs(3);

/// How often a query is started again because an executor was lost that had its rows.
const ATTEMPTS: usize = 3;

type Scheduler = SchedulerGrpcClient<Channel>;

/// A cluster. One query runs at a time.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// `HOST:PORT` of the scheduler.
    address: Arc<str>,
    /// The query that runs.
    job: Arc<Mutex<Option<(Scheduler, String)>>>,
}

fn failed(message: String) -> DataFusionError {
    DataFusionError::Execution(message)
}

impl Cluster {
    /// The cluster with the scheduler at an address. Nothing is sent yet.
    ///
    /// # Errors
    /// The address is not `HOST:PORT`.
    pub fn at(address: &str) -> Result<Self, String> {
        let is_port = |text: &str| text.parse::<u16>().is_ok_and(|port| port > 0);
        let is_valid = |(host, port): (&str, &str)| !host.is_empty() && is_port(port);
        match address.rsplit_once(':').is_some_and(is_valid) && !address.contains('/') {
            true => Ok(Self { address: address.into(), job: Arc::default() }),
            false => Err(format!("{address:?} is not the address of a scheduler: HOST:PORT")),
        }
    }

    fn job(&self) -> std::sync::MutexGuard<'_, Option<(Scheduler, String)>> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lost(&self, why: &Refusal) -> DataFusionError {
        failed(format!("the scheduler at {} does not answer: {}", self.address, why.message()))
    }

    /// How many executors there are, as the scheduler's check of readiness says it.
    async fn executors(&self) -> Result<usize> {
        let none = |why: &dyn std::fmt::Display| {
            failed(format!("there is no scheduler at {}: {why}", self.address))
        };
        let ask = async {
            let mut stream = TcpStream::connect(&*self.address).await?;
            let question = format!(
                "GET /readyz HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
                self.address
            );
            stream.write_all(question.as_bytes()).await?;
            let mut answer = Vec::new();
            stream.take(1 << 16).read_to_end(&mut answer).await?;
            Ok::<_, std::io::Error>(answer)
        };
        let answer = timeout(FIRST_EXECUTOR, ask).await;
        let answer = answer.map_err(|_| none(&"it does not answer"))?;
        let answer = answer.map_err(|error| none(&error))?;
        let answer = String::from_utf8_lossy(&answer);
        let words: Vec<&str> = answer
            .lines()
            .rev()
            .find(|line| !line.is_empty())
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        match words[..] {
            ["ready:", count, ..] => count.parse().map_err(|error| none(&error)),
            ["not", "ready:", ..] => Ok(0),
            _ => Err(none(&"another program answers")),
        }
    }

    /// Waits for the first executor.
    async fn wait(&self) -> Result<()> {
        let start = tokio::time::Instant::now();
        while self.executors().await? == 0 {
            if start.elapsed() > FIRST_EXECUTOR {
                return Err(failed(format!(
                    "the cluster at {} has no executor: start simd-hcl-executor",
                    self.address
                )));
            }
            sleep(Duration::from_millis(200)).await;
        }
        Ok(())
    }

    async fn connect(&self, config: &SessionConfig) -> Result<Scheduler> {
        let none = |error: &dyn std::fmt::Display| {
            failed(format!("there is no scheduler at {}: {error}", self.address))
        };
        let config = GrpcClientConfig::from(&config.ballista_config());
        let endpoint =
            create_grpc_client_endpoint(format!("http://{}", self.address), Some(&config));
        let channel = endpoint.map_err(|error| none(&error))?.connect().await;
        let scheduler = SchedulerGrpcClient::new(channel.map_err(|error| none(&error))?);
        Ok(scheduler.max_encoding_message_size(MESSAGE).max_decoding_message_size(MESSAGE))
    }

    /// Runs a plan, sends its rows, and adds what could not be read to `gaps`.
    async fn run(
        &self,
        query: Prepared,
        gaps: Gaps,
        rows: Sender<Result<RecordBatch>>,
    ) -> Result<()> {
        self.wait().await?;
        let mut scheduler = self.connect(&query.config).await?;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let job = self.start(&mut scheduler, &query).await?;
            *self.job() = Some((scheduler.clone(), job.clone()));
            let places = self.finish(&mut scheduler, &job).await?;
            let mut has_sent = false;
            let fetched = fetch(places, &rows, &mut has_sent).await;
            if fetched.is_ok() {
                let found = self.gaps(&mut scheduler, &job).await;
                gaps.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
            }
            *self.job() = None;
            // A scheduler or an executor removes later what it fails to remove now.
            let remove = CleanJobDataParams { job_id: job, remove_stage_ids: Vec::new() };
            let _ = timeout(SHORT, scheduler.clean_job_data(remove)).await;
            match fetched {
                Err(_) if !has_sent && attempt < ATTEMPTS => {}
                Err(error) => {
                    return Err(failed(format!(
                        "an executor was lost that had rows of the result: {error}"
                    )));
                }
                Ok(()) => break,
            }
        }
        let session = RemoveSessionParams { session_id: query.session };
        let _ = timeout(SHORT, scheduler.remove_session(session)).await;
        Ok(())
    }

    /// Starts a query, and returns the name of its job.
    async fn start(&self, scheduler: &mut Scheduler, query: &Prepared) -> Result<String> {
        let mut request = Request::new(ExecuteQueryParams {
            query: Some(Query::PhysicalPlan(query.plan.clone())),
            settings: query.config.to_key_value_pairs(),
            session_id: query.session.clone(),
            operation_id: query.session.clone(),
        });
        version::insert_version_header(request.metadata_mut());
        let answer = scheduler.execute_query(request).await;
        let answer = answer.map_err(|why| self.lost(&why))?.into_inner();
        match answer.result {
            Some(Started::Success(started)) => Ok(started.job_id),
            Some(Started::Failure(failure)) => Err(failed(match failure.failure {
                Some(
                    Failure::PlanParsingFailure(why)
                    | Failure::SqlParsingFailure(why)
                    | Failure::SessionNotFound(why),
                ) => {
                    format!("the scheduler at {} refuses the query: {why}", self.address)
                }
                None => format!("the scheduler at {} refuses the query", self.address),
            })),
            None => Err(failed(format!("the scheduler at {} gave no answer", self.address))),
        }
    }

    /// Waits for the end of a job, and returns where its rows are.
    async fn finish(&self, scheduler: &mut Scheduler, job: &str) -> Result<Vec<PartitionLocation>> {
        let mut pause = Duration::from_millis(5);
        loop {
            let request = GetJobStatusParams { job_id: job.to_owned() };
            let answer = scheduler.get_job_status(request).await;
            let answer = answer.map_err(|why| self.lost(&why))?.into_inner();
            match answer.status.and_then(|it| it.status) {
                Some(Status::Successful(done)) => return Ok(done.partition_location),
                Some(Status::Failed(why)) => return Err(failed(why.error)),
                _ => sleep(pause).await,
            }
            pause = (pause * 2).min(Duration::from_millis(100));
        }
    }

    /// Returns the gaps that the metrics of the scans report.
    async fn gaps(&self, scheduler: &mut Scheduler, job: &str) -> Vec<Gap> {
        let request = GetJobMetricsParams { job_id: job.to_owned() };
        let stages = match scheduler.get_job_metrics(request).await {
            Ok(answer) => answer.into_inner().stages,
            Err(why) => {
                let why = format!("it does not say what could not be read: {}", why.message());
                return vec![Gap { path: self.address.to_string(), why }];
            }
        };
        let operators = stages.iter().flat_map(|stage| &stage.operators);
        let metrics = operators.flat_map(|operator| &operator.metrics);
        let gaps = metrics.filter_map(|metric| match &metric.metric {
            Some(Metric::Count(count)) => gap_of(&count.name),
            _ => None,
        });
        gaps.collect()
    }
}

/// Fetches rows from the executors that have them.
async fn fetch(
    places: Vec<PartitionLocation>,
    rows: &Sender<Result<RecordBatch>>,
    has_sent: &mut bool,
) -> Result<()> {
    for place in places {
        let layout = place.layout();
        let (Some(executor), Some(partition)) = (place.executor_meta, place.partition_id) else {
            return Err(failed("rows without a place".to_owned()));
        };
        let port = u16::try_from(executor.port);
        let port = port.map_err(|error| DataFusionError::External(Box::new(error)))?;
        let host = &executor.host;
        let client = BallistaClient::try_new(host, port, MESSAGE, false, None, 2, 200, 0, 0).await;
        let mut client = client.map_err(BallistaError::into_datafusion)?;
        let stream = client
            .fetch_partition(&executor.id, &partition.into(), place.file_id, layout, true)
            .await;
        let mut stream = stream.map_err(BallistaError::into_datafusion)?;
        while let Some(batch) = stream.next().await {
            *has_sent = true;
            if rows.send(Ok(batch?)).await.is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// A query as it is sent.
struct Prepared {
    plan: Vec<u8>,
    config: SessionConfig,
    session: String,
}

/// Whether a plan has an operator of a type.
fn has<T: ExecutionPlan>(plan: &Arc<dyn ExecutionPlan>) -> bool {
    plan.is::<T>() || plan.children().into_iter().any(has::<T>)
}

/// Whether a plan reads files.
fn reads(plan: &Arc<dyn ExecutionPlan>) -> bool {
    has::<PartScan>(plan) || has::<datafusion::datasource::source::DataSourceExec>(plan)
}

/// The plan, with unions that executors can run: a task has rows of one branch, and Ballista gives it the
/// others without any partition. DataFusion cannot sort those, so a branch that sorts is merged, which
/// makes it a stage of its own.
fn with_whole_branches(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    let plan = plan.transform_up(|node| {
        let children = node.children();
        if !node.is::<UnionExec>() || !children.iter().any(|it| has::<SortExec>(it)) {
            return Ok(Transformed::no(node));
        }
        let children = children.into_iter().map(|child| -> Arc<dyn ExecutionPlan> {
            let child = Arc::clone(child);
            match child.output_ordering() {
                Some(order) => Arc::new(SortPreservingMergeExec::new(order.clone(), child)),
                None => Arc::new(CoalescePartitionsExec::new(child)),
            }
        });
        Ok(Transformed::yes(UnionExec::try_new(children.collect())?))
    })?;
    Ok(plan.data)
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| DataFusionError::External(Box::new(error)))
}

#[async_trait]
impl Engine for Cluster {
    /// Makes paths absolute: executors have other current directories.
    fn inputs(&self, mut inputs: Inputs) -> Result<Inputs> {
        if !inputs.copies.is_empty() {
            let message = "`--cluster` reads no configuration in object stores: export it first";
            return Err(DataFusionError::Plan(message.to_owned()));
        }
        for path in &mut inputs.paths {
            *path = absolute(path)?;
        }
        for (_, directory) in inputs.exports.iter_mut().filter(|(_, it)| !it.contains("://")) {
            *directory = absolute(Path::new(directory))?.to_string_lossy().into_owned();
        }
        if inputs.threads == 0 {
            inputs.threads = PARTS;
        }
        Ok(inputs)
    }

    fn config(&self, config: SessionConfig) -> SessionConfig {
        config.upgrade_for_ballista().with_ballista_grpc_client_max_message_size(MESSAGE)
    }

    fn table(&self, table: SourceTable) -> Arc<dyn TableProvider> {
        Arc::new(PartTable(table))
    }

    async fn rows(&self, frame: DataFrame, gaps: &Gaps) -> Result<SendableRecordBatchStream> {
        let context = Arc::new(frame.task_ctx());
        let plan = frame.create_physical_plan().await?;
        if !reads(&plan) {
            return execute_stream(plan, context);
        }
        if has::<AnalyzeExec>(&plan) {
            return Err(failed("EXPLAIN ANALYZE does not run on a cluster".to_owned()));
        }
        let schema = plan.schema();
        let plan = with_whole_branches(plan)?;
        let message = PhysicalPlanNode::try_from_physical_plan(plan, &Codec::default())?;
        let mut bytes = Vec::new();
        message.try_encode(&mut bytes)?;
        let config = context.session_config().clone();
        let query = Prepared { plan: bytes, config, session: context.session_id() };
        let mut builder = RecordBatchReceiverStreamBuilder::new(schema, 2);
        let (cluster, gaps, rows) = (self.clone(), Arc::clone(gaps), builder.tx());
        builder.spawn(async move { cluster.run(query, gaps, rows).await });
        Ok(builder.build())
    }

    async fn cancel(&self) {
        let job = self.job().take();
        if let Some((mut scheduler, job_id)) = job {
            // The user does not wait for a scheduler that is lost.
            let _ = timeout(SHORT, scheduler.cancel_job(CancelJobParams { job_id })).await;
        }
    }
}
