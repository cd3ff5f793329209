//! Requests and their completion.

use ats_model::mpi::Function;

/// A started operation. The engine owns its data, buffers included: losing a request leaks, never dangles.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a started operation has to be completed"]
pub struct Request(pub u64);

/// The kind of completion call (MPI 4.1, section 3.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// `MPI_Wait` on the only request.
    Wait,
    /// The call `MPI_Waitany`.
    Waitany,
    /// The call `MPI_Waitsome`.
    Waitsome,
    /// The call `MPI_Waitall`.
    Waitall,
    /// `MPI_Test` on the only request.
    Test,
    /// The call `MPI_Testany`.
    Testany,
    /// The call `MPI_Testsome`.
    Testsome,
    /// The call `MPI_Testall`.
    Testall,
}

impl How {
    /// The MPI function.
    pub fn function(self) -> Function {
        match self {
            How::Wait => Function::Wait,
            How::Waitany => Function::Waitany,
            How::Waitsome => Function::Waitsome,
            How::Waitall => Function::Waitall,
            How::Test => Function::Test,
            How::Testany => Function::Testany,
            How::Testsome => Function::Testsome,
            How::Testall => Function::Testall,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.function().name()
    }
}

/// The source of a received message, and its tag and size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Rank in the communicator.
    pub source: usize,
    /// Its tag.
    pub tag: u32,
    /// Its size in bytes.
    pub bytes: usize,
}

/// A message that a matched probe has found and taken away. The engine knows it by its handle.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a message that was taken away has to be received"]
pub struct Matched {
    /// Its source, tag and size.
    pub status: Status,
    /// The engine's handle.
    pub handle: u64,
}

/// The result of a completion call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// For every completed request: its index in the list as it was handed in, and its status (all zero for a send).
    pub completed: Vec<(usize, Status)>,
}
