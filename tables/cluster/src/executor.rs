//! The program `simd-hcl-executor`: reads files, and works on their rows.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use ballista_core::RuntimeProducer;
use ballista_core::error::BallistaError;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use clap::Parser;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use log::LevelFilter;
use object_store::ObjectStore;
use simd_hcl::report::visible;
use url::Url;

use crate::client::MESSAGE;
use crate::codec::Codec;

/// An executor of a cluster that runs `simd-hcl sql --cluster`. It reads the files of queries, so it
/// needs them under the same paths as the client.
///
/// A program that reaches its ports, or that of the scheduler, can have any file read that it can read: there
/// is no authentication.
#[derive(Debug, Parser)]
#[command(name = "simd-hcl-executor", version)]
struct Arguments {
    /// Scheduler that gives it work
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050", value_parser = address)]
    scheduler: (String, u16),

    /// Address of its ports
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    bind: IpAddr,

    /// Name of this machine that clients and other executors can reach [default: what the scheduler sees]
    #[arg(long, value_name = "HOST")]
    host: Option<String>,

    /// Port for rows; 0 for a free one
    #[arg(long, default_value_t = 0)]
    port: u16,

    /// Port for tasks; 0 for a free one
    #[arg(long, default_value_t = 0)]
    task_port: u16,

    /// Number of tasks at a time; 0 for one for each processor
    #[arg(long, default_value_t = 0)]
    threads: usize,

    /// Directory for rows between stages [default: that for temporary files]
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,

    /// Least level of messages on standard error
    #[arg(long, value_name = "LEVEL", default_value = "error", value_parser = crate::log::level)]
    log: LevelFilter,
}

fn address(text: &str) -> Result<(String, u16), String> {
    let (host, port) = text.rsplit_once(':').ok_or("expected HOST:PORT")?;
    let port = port.parse().map_err(|error| format!("{port:?}: {error}"))?;
    Ok((host.to_owned(), port))
}

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    crate::log::show(arguments.log);
    end(run(arguments))
}

/// Runs a program to its end.
pub(crate) fn end(run: impl Future<Output = Result<(), BallistaError>>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let result = runtime.map_err(BallistaError::from).and_then(|runtime| {
        let result = runtime.block_on(run);
        // Tasks that still read files would delay the end.
        runtime.shutdown_background();
        result
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", visible(&error.to_string()));
            ExitCode::from(2)
        }
    }
}

/// The port, or a free one. Nothing holds it until the executor does.
fn port(bind: IpAddr, port: u16) -> std::io::Result<u16> {
    match port {
        0 => Ok(std::net::TcpListener::bind(SocketAddr::new(bind, 0))?.local_addr()?.port()),
        port => Ok(port),
    }
}

async fn run(arguments: Arguments) -> Result<(), BallistaError> {
    let work = tempfile::Builder::new()
        .prefix("simd-hcl-executor-")
        .tempdir_in(arguments.work.unwrap_or_else(std::env::temp_dir))?;
    let directory = work.path().to_string_lossy().into_owned();
    let stores = Arc::new(Stores::default());
    let temporary = directory.clone();
    let runtime: RuntimeProducer = Arc::new(move |_| {
        let builder = RuntimeEnvBuilder::new().with_temp_file_path(temporary.clone());
        builder.with_object_store_registry(Arc::clone(&stores) as _).build_arc()
    });
    let message = u32::try_from(MESSAGE).unwrap_or(u32::MAX);
    let (scheduler_host, scheduler_port) = arguments.scheduler;
    let config = ExecutorProcessConfig {
        bind_host: arguments.bind.to_string(),
        external_host: arguments.host,
        port: port(arguments.bind, arguments.port)?,
        grpc_port: port(arguments.bind, arguments.task_port)?,
        scheduler_host,
        scheduler_port,
        vcores: match arguments.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        },
        work_dir: Some(directory),
        // Rows of jobs whose client is gone.
        job_data_ttl_seconds: 60 * 60,
        job_data_clean_up_interval_seconds: 10 * 60,
        executor_heartbeat_interval_seconds: 1,
        grpc_max_decoding_message_size: message,
        grpc_max_encoding_message_size: message,
        override_runtime_producer: Some(runtime),
        override_physical_codec: Some(Arc::new(Codec::default())),
        ..ExecutorProcessConfig::default()
    };
    println!("executor at {}:{}", config.bind_host, config.port);
    start_executor_process(Arc::new(config)).await
}

/// Object stores by the schemes and hosts of URLs. Keys and regions come from the variables that the
/// tools of each store read.
#[derive(Debug, Default)]
struct Stores {
    local: DefaultObjectStoreRegistry,
    opened: Mutex<HashMap<String, Arc<dyn ObjectStore>>>,
}

impl ObjectStoreRegistry for Stores {
    fn register_store(
        &self,
        url: &Url,
        store: Arc<dyn ObjectStore>,
    ) -> Option<Arc<dyn ObjectStore>> {
        self.local.register_store(url, store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        if let Ok(store) = self.local.get_store(url) {
            return Ok(store);
        }
        let key = url[..url::Position::BeforePath].to_owned();
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = opened.get(&key) {
            return Ok(Arc::clone(store));
        }
        let settings = std::env::vars().map(|(name, value)| (name.to_lowercase(), value));
        let (store, _) = object_store::parse_url_opts(url, settings)
            .map_err(|error| DataFusionError::ObjectStore(Box::new(error)))?;
        let store: Arc<dyn ObjectStore> = store.into();
        opened.insert(key, Arc::clone(&store));
        Ok(store)
    }
}
