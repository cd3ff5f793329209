//! Messages that are packed and unpacked.

use ats_model::mpi::Form;
use ats_mpi::Op;

use super::VirtualCommunicator;
use crate::kernel::time::{Picoseconds, picoseconds};
use crate::mpi::operation::{OperationKind, Received};
use crate::program::requests;
use crate::world::kernel;

impl VirtualCommunicator {
    /// A blocking send or receive of a column, which is packed or unpacked.
    #[inline(never)]
    pub(super) fn call_packing(&self, op: &Op) -> Received {
        let frame = requests::enter(op.function());
        let kind = match self.kind(op, Form::Blocking).0 {
            OperationKind::Recv { from, tag, capacity } => {
                OperationKind::Recv { from: self.matched_now(from, &frame), tag, capacity }
            }
            kind => kind,
        };
        let number = self.keep(kind, false, packing(op));
        self.call_in_turn(&frame, number, None)
    }
}

/// The time to pack or unpack the message of an operation, if that is a column. That of a real run is in its stamps.
pub(super) fn packing(op: &Op) -> Picoseconds {
    let (Op::Send { buf, .. } | Op::Recv { buf, .. }) = op else { return 0 };
    let Some(column) = buf.column() else { return 0 };
    kernel(|kernel| if kernel.replays() { 0 } else { picoseconds(kernel.costs.packing(column)) })
}
