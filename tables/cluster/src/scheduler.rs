//! The program `simd-hcl-scheduler`: takes queries, and divides them among executors.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use ballista_core::error::BallistaError;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use clap::Parser;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use log::LevelFilter;
use tokio::net::TcpListener;

use crate::client::MESSAGE;
use crate::codec::Codec;

/// The scheduler of a cluster that runs `simd-hcl sql --cluster`.
///
/// A program that reaches its port, or that of an executor, can have any file read that the executors can
/// read: there is no authentication.
#[derive(Debug, Parser)]
#[command(name = "simd-hcl-scheduler", version)]
struct Arguments {
    /// Address that takes queries and executors; port 0 is a free one
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:50050")]
    bind: SocketAddr,

    /// Name of this machine that executors can reach [default: the address]
    #[arg(long, value_name = "HOST")]
    host: Option<String>,

    /// Seconds without a sign of life after which an executor is lost, and its work is done again
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    executor_timeout: u64,

    /// Least level of messages on standard error
    #[arg(long, value_name = "LEVEL", default_value = "error", value_parser = crate::log::level)]
    log: LevelFilter,
}

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    crate::log::show(arguments.log);
    crate::executor::end(run(arguments))
}

async fn run(arguments: Arguments) -> Result<(), BallistaError> {
    let listener = TcpListener::bind(arguments.bind).await?;
    let address = listener.local_addr()?;
    let message = u32::try_from(MESSAGE).unwrap_or(u32::MAX);
    let config = Arc::new(SchedulerConfig {
        bind_host: address.ip().to_string(),
        bind_port: address.port(),
        external_host: arguments.host.unwrap_or_else(|| address.ip().to_string()),
        executor_timeout_seconds: arguments.executor_timeout,
        no_executors_grace_period_seconds: arguments.executor_timeout,
        expire_dead_executor_interval_seconds: 1,
        grpc_server_max_decoding_message_size: message,
        grpc_server_max_encoding_message_size: message,
        grpc_client_max_message_size: message,
        override_physical_codec: Some(Arc::new(Codec::default())),
        ..SchedulerConfig::default()
    });
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let scheduler = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, config).await?;
    println!("scheduler at {address}");
    tokio::select! {
        result = start_grpc_service_with_listener(listener, scheduler) => result,
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}
