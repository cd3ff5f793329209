//! A process before MPI.

use crate::Communicator;

/// A process as its launcher has started it, for a program that initialises and finalizes MPI itself.
pub trait Process {
    /// Its rank, as its launcher says; MPI will say the same.
    fn rank(&self) -> usize;
    /// The number of processes, according to the launcher.
    fn size(&self) -> usize;
    /// `MPI_Init_thread`, once; its result is `MPI_COMM_WORLD`.
    fn init(&self) -> Box<dyn Communicator>;
    /// Ends MPI (`MPI_Finalize`).
    fn finalize(&self, world: Box<dyn Communicator>);
}
