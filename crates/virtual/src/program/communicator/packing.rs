//! Messages that are packed and unpacked.

use ats_model::mpi::{Form, Function};
use ats_mpi::{Column, Op};

use super::VirtualCommunicator;
use crate::kernel::time::{Picoseconds, picoseconds};
use crate::mpi::call;
use crate::mpi::operation::{OperationKind, Received};
use crate::program::requests;
use crate::world::{kernel, mpi};

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

/// A derived type of a process. It is made and freed by calls that take no time.
pub(super) struct Vector;

impl Vector {
    pub(super) fn new() -> Self {
        pass(Function::Type_vector);
        pass(Function::Type_commit);
        Vector
    }
}

impl Drop for Vector {
    fn drop(&mut self) {
        // A simulation that has failed is no more.
        if !std::thread::panicking() {
            pass(Function::Type_free);
        }
    }
}

/// A call that takes no time.
fn pass(function: Function) {
    let frame = requests::enter(function);
    mpi(|mpi, kernel| call::leave(mpi, kernel, &frame));
}

/// The time to pack or unpack the message of an operation, if that is a column. That of a real run is in its stamps.
pub(super) fn packing(op: &Op) -> Picoseconds {
    let (Op::Send { buf, .. } | Op::Recv { buf, .. }) = op else { return 0 };
    let Some(&Column { datatype, count, stride }) = buf.column() else { return 0 };
    let has_gaps = stride > 1 && count > 1;
    kernel(|kernel| match kernel.replays() {
        true => 0,
        false => picoseconds(kernel.costs.packing(count, datatype.size(), has_gaps)),
    })
}
