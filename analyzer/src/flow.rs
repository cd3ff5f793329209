//! Who waits for whom in a collective operation.

use ats_model::event::CollectiveOperation;

/// Who waits for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Barrier,
    AllToAll,
    OneToAll,
    AllToOne,
    Prefix,
}

/// The flow of an operation; none where waits in it are not known.
pub(crate) fn flow(operation: CollectiveOperation) -> Option<Flow> {
    use CollectiveOperation::*;
    match operation {
        Barrier => Some(Flow::Barrier),
        Allgather | Allgatherv | Allreduce | Alltoall | ReduceScatter | ReduceScatterBlock => {
            Some(Flow::AllToAll)
        }
        Bcast | Scatter | Scatterv => Some(Flow::OneToAll),
        Reduce | Gather | Gatherv => Some(Flow::AllToOne),
        Scan | Exscan => Some(Flow::Prefix),
        _ => None,
    }
}

/// Whether waits in an operation are known; the others need not be kept.
pub(crate) fn is_analyzed(operation: CollectiveOperation) -> bool {
    flow(operation).is_some()
}
