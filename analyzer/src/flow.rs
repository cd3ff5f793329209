//! Who waits for whom in a collective operation.

use ats_model::{event::CollectiveOperation, mpi::Collective};

pub(crate) use ats_model::mpi::Flow;

/// The flow of an operation; none where waits in it are not known.
pub(crate) fn flow(operation: CollectiveOperation) -> Option<Flow> {
    Collective::of(operation).map(|known| known.flow)
}

/// Whether waits in an operation are known; the others need not be kept.
pub(crate) fn is_analyzed(operation: CollectiveOperation) -> bool {
    flow(operation).is_some()
}
