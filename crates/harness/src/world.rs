//! The processes of a run: the ranks of MPI, or one process alone.

#[cfg(feature = "mpi")]
mod launched;
#[cfg(feature = "mpi")]
mod mpi;

use std::rc::Rc;

use ats_model::witness::ClockOffset;
use ats_mpi::{BaseComm, Communicator, Process};
use ats_work::log::now_ns;

use crate::Outline;
use crate::launcher::Launcher;
use crate::refusal::Refusal;

/// Services that a harness needs from the processes.
pub(crate) trait World {
    /// The rank of this process.
    fn rank(&self) -> usize;
    /// The number of processes.
    fn size(&self) -> usize;
    /// The communicator of all processes, if there is MPI.
    fn communicator(&self) -> Option<&dyn Communicator>;
    /// The process, if the program initialises MPI itself.
    fn process(&self) -> Option<&dyn Process> {
        None
    }
    /// Sets the default type and count for messages.
    fn set_base_comm(&self, base: BaseComm) {
        if let Some(c) = self.communicator() {
            c.set_base_comm(base);
        }
    }
    /// The MPI library, as it calls itself.
    fn library(&self) -> Option<String>;
    /// Waits until all have come here, unseen by tools.
    fn align(&self);
    /// This one's clock against rank 0's, now.
    fn clock_offset(&self) -> ClockOffset;
    /// At rank 0, a number that depends on every rank's; elsewhere none. Unseen by tools.
    fn combined(&self, number: u64) -> Option<u64>;
    /// Whether a standard send of the base message returns before its receive is posted.
    fn eager_held(&self) -> Option<bool>;
    /// The eager limit in bytes, probed, which is that of all communicators from then on; `None` if it cannot be
    /// probed.
    fn eager_limit(&self) -> Option<usize> {
        None
    }
    /// Tells tools at what level to record.
    fn pcontrol(&self, level: i32);
    /// Ends all of them.
    fn abort(&self, code: u8) -> !;
}

/// The processes that a program needs; MPI is initialised until they are dropped, unless the program does that itself.
///
/// # Errors
/// The program was built without MPI, or MPI cannot be initialised.
pub(crate) fn open(outline: &Outline, launcher: Option<Launcher>) -> Result<Rc<dyn World>, Refusal> {
    if !outline.needs.ranks {
        return Ok(Rc::new(Alone));
    }
    #[cfg(feature = "mpi")]
    if outline.owns_mpi {
        return Ok(Rc::new(launched::Launched::by(launcher)));
    }
    #[cfg(feature = "mpi")]
    return match mpi::Ranks::init() {
        Ok(ranks) => Ok(Rc::new(ranks)),
        Err(error) => Err(Refusal::Missing(error.to_string())),
    };
    #[cfg(not(feature = "mpi"))]
    let _ = launcher;
    #[cfg(not(feature = "mpi"))]
    Err(Refusal::Missing(
        "this program was built without MPI; its Cargo.toml has to ask for the feature `mpi` of ats-harness, and one in C or \
         Fortran be linked with the libats of an MPI library"
            .to_owned(),
    ))
}

/// One process without MPI.
struct Alone;

impl World for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn communicator(&self) -> Option<&dyn Communicator> {
        None
    }

    fn library(&self) -> Option<String> {
        None
    }

    fn align(&self) {}

    fn clock_offset(&self) -> ClockOffset {
        ClockOffset { at_ns: now_ns(), offset_ns: 0 }
    }

    fn combined(&self, number: u64) -> Option<u64> {
        Some(number)
    }

    fn eager_held(&self) -> Option<bool> {
        None
    }

    fn pcontrol(&self, _level: i32) {}

    fn abort(&self, code: u8) -> ! {
        std::process::exit(code.into())
    }
}
