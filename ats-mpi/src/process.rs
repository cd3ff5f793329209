//! A process before MPI.

use crate::Communicator;

/// A process as its launcher has started it: what a program has that initialises and finalizes MPI itself.
pub trait Process {
    /// Its rank, as its launcher says; MPI will say the same.
    fn rank(&self) -> usize;
    /// How many processes there are, as the launcher says.
    fn size(&self) -> usize;
    /// `MPI_Init_thread`, once; its result is `MPI_COMM_WORLD`.
    fn init(&self) -> Box<dyn Communicator>;
    /// `MPI_Finalize`, after which there is no MPI.
    fn finalize(&self, world: Box<dyn Communicator>);
}
