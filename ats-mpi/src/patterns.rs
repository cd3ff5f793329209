//! Communication patterns: those of the report (section 3.1.4), `sendrecv` and `shift`, and others of the same kind.
//! All members of a communicator call them together.

mod all_to_one;
mod chain;
mod one_to_all;
mod sendrecv;
mod shift;

pub use all_to_one::mpi_commpattern_all_to_one;
pub use chain::mpi_commpattern_chain;
pub use one_to_all::mpi_commpattern_one_to_all;
pub use sendrecv::mpi_commpattern_sendrecv;
pub use shift::mpi_commpattern_shift;

use crate::{Communicator, MpiBuf, Op, Request, SendMode, Source, Tag};

/// The direction of messages (`mpi_dir_t`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the next higher rank.
    Up,
    /// To the next lower rank.
    Down,
}

/// The transfer of a pattern's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// The relation of sends to receives.
    pub mode: SendMode,
    /// Send with the non-blocking call and `MPI_Wait`.
    pub use_isend: bool,
    /// Receive with the non-blocking call and `MPI_Wait`.
    pub use_irecv: bool,
}

impl Transfer {
    /// Synchronous and blocking: an eager send would hide a late receiver.
    pub const SYNCHRONOUS: Transfer =
        Transfer { mode: SendMode::Synchronous, use_isend: false, use_irecv: false };

    fn send(self, to: usize, tag: u32, buf: &MpiBuf) -> Op {
        Op::Send { mode: self.mode, to, tag, buf: buf.clone() }
    }

    fn recv(self, from: usize, tag: u32, buf: &MpiBuf) -> Op {
        Op::Recv { from: Source::Rank(from), tag: Tag::Is(tag), buf: buf.clone() }
    }

    fn start_send(self, c: &dyn Communicator, to: usize, tag: u32, buf: &MpiBuf) -> Request {
        c.isend_as(self.mode, to, tag, buf)
    }
}
