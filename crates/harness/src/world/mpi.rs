#![allow(unsafe_code, reason = "makes MPI calls through mpi::ffi")]
//! The ranks of MPI.

use ats_model::witness::ClockOffset;
use ats_mpi::Communicator;
use ats_mpi::real::{self, InitError, MpiCommunicator, Universe};
use mpi::ffi;

use super::World;

/// `MPI_COMM_WORLD`. Dropping it finalizes MPI, and by then nothing of MPI may be left; so the order of the fields
/// matters.
pub(super) struct Ranks {
    world: MpiCommunicator,
    _universe: Universe,
}

impl Ranks {
    /// Initialises MPI.
    pub(super) fn init() -> Result<Self, InitError> {
        let universe = Universe::init()?;
        Ok(Ranks { world: universe.world(), _universe: universe })
    }
}

impl World for Ranks {
    fn rank(&self) -> usize {
        self.world.rank()
    }

    fn size(&self) -> usize {
        self.world.size()
    }

    fn communicator(&self) -> Option<&dyn Communicator> {
        Some(&self.world)
    }

    fn library(&self) -> Option<String> {
        Some(real::library_version())
    }

    fn align(&self) {
        real::align(&self.world);
    }

    fn clock_offset(&self) -> ClockOffset {
        let real::clock::ClockOffset { at_ns, offset_ns } = real::clock::offset_to_rank0(&self.world);
        ClockOffset { at_ns, offset_ns }
    }

    fn combined(&self, number: u64) -> Option<u64> {
        real::combined(&self.world, number)
    }

    fn eager_held(&self) -> Option<bool> {
        let c: &dyn Communicator = &self.world;
        Some(real::eager_held(&self.world, &c.base_buf()))
    }

    fn eager_limit(&self) -> Option<usize> {
        Some(real::probe_eager_limit(&self.world))
    }

    fn pcontrol(&self, level: i32) {
        // ATS's own recorder is told of the measured part by its region, and records what is around it, too.
        // SAFETY: the name is a C string.
        if !unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"ats_recorder_mpi".as_ptr()) }.is_null() {
            return;
        }
        // SAFETY: MPI is initialised; no further arguments are required.
        unsafe { ffi::MPI_Pcontrol(level) };
    }

    fn abort(&self, code: u8) -> ! {
        // SAFETY: MPI is initialised.
        unsafe { ffi::MPI_Abort(ffi::RSMPI_COMM_WORLD, code.into()) };
        std::process::exit(code.into())
    }
}
