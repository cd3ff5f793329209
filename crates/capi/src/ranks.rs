//! The ranks that the program runs on, where the library is one for MPI.

#[cfg(feature = "mpi")]
use ats_mpi::Communicator;
#[cfg(feature = "mpi")]
use ats_mpi::real::{self, MpiCommunicator};

/// This rank, and how many there are; `None` if MPI is not initialised.
pub(crate) fn place() -> Option<(usize, usize)> {
    #[cfg(feature = "mpi")]
    return MpiCommunicator::world().map(|world| (world.rank(), world.size()));
    #[cfg(not(feature = "mpi"))]
    None
}

/// Ends all ranks with a message about a call.
pub(crate) fn fatal(call: &str, problem: &str) -> ! {
    #[cfg(feature = "mpi")]
    if place().is_some() {
        real::fatal(call, problem);
    }
    ats_work::say(format_args!("{call}: {problem}"));
    std::process::exit(1)
}
