//! The processes of a launcher, whose program initialises MPI itself.

use ats_model::witness::ClockOffset;
use ats_mpi::real::{self, LaunchedProcess};
use ats_mpi::{BaseComm, Communicator, Process};
use ats_work::log::now_ns;

use super::World;
use crate::launcher::Launcher;

/// One of the processes that the launcher has started. Before and after the program's own MPI they cannot talk:
/// nothing aligns them, and their clocks are taken for one, as those of one machine are.
pub(super) struct Launched(LaunchedProcess);

impl Launched {
    /// The process that this launcher has started.
    pub(super) fn by(launcher: Option<Launcher>) -> Self {
        let (rank, size) = launcher.map_or((0, 1), |launcher| (launcher.rank, launcher.ranks));
        Launched(LaunchedProcess::new(rank, size))
    }
}

impl World for Launched {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn communicator(&self) -> Option<&dyn Communicator> {
        None
    }

    fn process(&self) -> Option<&dyn Process> {
        Some(&self.0)
    }

    fn set_base_comm(&self, base: BaseComm) {
        real::set_base_comm(base);
    }

    fn library(&self) -> Option<String> {
        Some(real::library_version())
    }

    fn align(&self) {}

    fn clock_offset(&self) -> ClockOffset {
        ClockOffset { at_ns: now_ns(), offset_ns: 0 }
    }

    /// Of rank 0 alone.
    fn combined(&self, number: u64) -> Option<u64> {
        (self.rank() == 0).then_some(number)
    }

    fn eager_held(&self) -> Option<bool> {
        None
    }

    fn pcontrol(&self, _level: i32) {}

    fn abort(&self, code: u8) -> ! {
        std::process::exit(code.into())
    }
}
