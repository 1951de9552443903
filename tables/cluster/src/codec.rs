//! Encodes scans and functions for the programs of a cluster.

use std::sync::Arc;

use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::ScalarUDF;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use serde::{Deserialize, Serialize};
use simd_hcl_sql::functions;
use simd_hcl_tables::columns::table_of;
use simd_hcl_tables::scan::ReadOptions;
use simd_hcl_tables::table::VERSION;

use crate::scan::{PartScan, What};

/// The start of a message of ours; the rest is JSON. In Protocol Buffers, which Ballista writes,
/// the first byte would start a group, and there are none.
const MARK: &[u8] = b"simd-hcl scan ";

/// A scan as it travels. Its parts are the rows of its input, which DataFusion writes.
#[derive(Debug, Serialize, Deserialize)]
struct Message {
    version: (u32, u32),
    table: String,
    projection: Option<Vec<usize>>,
    shows_secrets: bool,
    needles: Option<Vec<String>>,
    limit: Option<usize>,
}

/// Writes and reads scans and functions of this crate, and leaves the rest to Ballista.
#[derive(Debug, Default)]
pub struct Codec(BallistaPhysicalExtensionCodec);

fn refused(message: String) -> DataFusionError {
    DataFusionError::Execution(message)
}

impl Message {
    fn of(what: &What) -> Self {
        Self {
            version: VERSION,
            table: what.table.name.to_owned(),
            projection: what.projection.clone(),
            shows_secrets: what.options.shows_secrets,
            needles: what.needles.clone(),
            limit: what.limit,
        }
    }

    fn what(self) -> Result<What> {
        if self.version != VERSION {
            let [(a, b), (c, d)] = [self.version, VERSION];
            return Err(refused(format!(
                "the client has version {a}.{b} of the columns, and the cluster {c}.{d}: install the same one"
            )));
        }
        let table = table_of(&self.table);
        let table = table.ok_or_else(|| refused(format!("there is no table {:?}", self.table)))?;
        Ok(What {
            table,
            projection: self.projection,
            options: ReadOptions { shows_secrets: self.shows_secrets },
            needles: self.needles,
            limit: self.limit,
        })
    }
}

impl PhysicalExtensionCodec for Codec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(text) = bytes.strip_prefix(MARK) else {
            return self.0.try_decode(bytes, inputs, context, converter);
        };
        let message: Message = serde_json::from_slice(text)
            .map_err(|error| refused(format!("a scan that cannot be read: {error}")))?;
        let [input] = inputs else { return Err(refused("a scan has one input".to_owned())) };
        Ok(Arc::new(PartScan::new(message.what()?, Arc::clone(input))?))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some(scan) = node.downcast_ref::<PartScan>() else {
            return self.0.try_encode(node, bytes, converter);
        };
        bytes.extend_from_slice(MARK);
        serde_json::to_writer(bytes, &Message::of(scan.what()))
            .map_err(|error| DataFusionError::External(Box::new(error)))
    }

    fn try_decode_udf(&self, name: &str, bytes: &[u8]) -> Result<Arc<ScalarUDF>> {
        match functions::all().into_iter().find(|it| it.name() == name) {
            Some(function) => Ok(Arc::new(function)),
            None => self.0.try_decode_udf(name, bytes),
        }
    }

    fn try_encode_udf(&self, function: &ScalarUDF, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udf(function, bytes)
    }
}
