//! The flow of a collective operation between all members: those that wait, and those that they wait for.

use ats_model::{event::CollectiveOperation, mpi::Collective};

pub(crate) use ats_model::mpi::Flow;

/// The flow of an operation; `None` if waits in it are not known.
pub(crate) fn flow(operation: CollectiveOperation) -> Option<Flow> {
    match operation {
        CollectiveOperation::CreateHandle | CollectiveOperation::DestroyHandle => Some(Flow::Management),
        _ => Collective::from_operation(operation).map(|known| known.flow),
    }
}

/// Whether waits in an operation are known; the others need not be kept.
pub(crate) fn is_analyzed(operation: CollectiveOperation) -> bool {
    flow(operation).is_some()
}
