//! A virtual process before MPI.

use ats_mpi::{Communicator, Process};

use crate::program::communicator::VirtualCommunicator;

/// A process in virtual time before the start of MPI.
pub(crate) struct VirtualProcess(pub(crate) VirtualCommunicator);

impl Process for VirtualProcess {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn init(&self) -> Box<dyn Communicator> {
        self.0.init_thread();
        Box::new(self.0)
    }

    fn finalize(&self, world: Box<dyn Communicator>) {
        drop(world);
        self.0.finalize();
    }
}
