//! Who is who in a communicator.

use ats_model::{
    Definitions,
    definitions::{Communicator, Members},
    event::CommunicatorRef,
};

/// The communicator of a reference, where it is defined.
pub(crate) fn communicator(definitions: &Definitions, reference: CommunicatorRef) -> Option<&Communicator> {
    definitions.communicators.get(reference.0 as usize)
}

/// The rank in `MPI_COMM_WORLD` of a rank in a communicator, as seen by the process `own`.
pub(crate) fn world_rank(
    definitions: &Definitions,
    reference: CommunicatorRef,
    own: u32,
    rank: u32,
) -> Option<u32> {
    match &communicator(definitions, reference)?.members {
        Members::Ranks(ranks) => ranks.get(rank as usize).copied(),
        Members::SelfOnly => (rank == 0).then_some(own),
    }
}

/// `MPI_COMM_WORLD`, where the trace names one.
pub(crate) fn world(definitions: &Definitions) -> Option<CommunicatorRef> {
    let index =
        definitions.communicators.iter().position(|communicator| communicator.name == "MPI_COMM_WORLD")?;
    Some(CommunicatorRef(index as u32))
}
