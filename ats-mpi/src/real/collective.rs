#![allow(unsafe_code, reason = "makes MPI calls through mpi::ffi")]
//! The collectives: blocking, non-blocking and persistent.

use std::ffi::c_int;

use mpi::ffi::{self, MPI_Info, MPI_Request};

use super::arguments::{Arrays, address, datatype, int, parts, reduce_op};
use super::failure::fatal;
use super::library;
use super::member::Member;
use super::room::require;
use crate::Op;

/// The form of a call, with the place for its request.
pub(super) enum Called<'a> {
    Blocking,
    Started(&'a mut MPI_Request),
    Prepared(&'a mut MPI_Request),
}

impl Called<'_> {
    fn again(&mut self) -> Called<'_> {
        match self {
            Called::Blocking => Called::Blocking,
            Called::Started(request) => Called::Started(request),
            Called::Prepared(request) => Called::Prepared(request),
        }
    }
}

/// A type to be inferred from an argument.
macro_rules! of {
    ($argument:expr) => {
        _
    };
}

/// Makes a call of the library in one of its forms.
macro_rules! either {
    ($called:expr, $op:expr, $blocking:ident, $immediate:ident, $($argument:expr),*) => {
        // SAFETY: `require` has checked that the buffers hold what the call moves; they live until it is complete. The
        // function that prepares a request takes the arguments of the blocking one, and two more (MPI 4.1, section 6.13).
        unsafe {
            match $called {
                Called::Blocking => ffi::$blocking($($argument),*),
                Called::Started(request) => ffi::$immediate($($argument),*, request),
                Called::Prepared(request) => {
                    let init: unsafe extern "C" fn($(of!($argument)),*, MPI_Info, *mut MPI_Request) -> c_int =
                        library::function($op.init_function().expect("each collective operation has one"));
                    init($($argument),*, ffi::RSMPI_INFO_NULL, request)
                }
            }
        }
    };
}

/// Makes the call in one of its forms. If it yields a request, the caller keeps buffers and arrays until the operation is
/// complete, or the persistent request freed. `None` if `op` is not a collective.
pub(super) fn call(op: &Op, arrays: &Arrays, on: Member, mut called: Called<'_>) -> Option<c_int> {
    require(&op.part(on.rank, on.size));
    rooted(op, arrays, on, called.again())
        .or_else(|| of_equals(op, arrays, on, called.again()))
        .or_else(|| among_neighbors(op, on, called.again()))
        .or_else(|| reduced(op, arrays, on, called))
}

/// Moves that have a root. The room of the buffers is checked.
fn rooted(op: &Op, arrays: &Arrays, on: Member, called: Called<'_>) -> Option<c_int> {
    let comm = on.comm;
    let code = match op {
        Op::Bcast { root, buf } => {
            let (at, count, kind) = parts(buf);
            either!(called, op, MPI_Bcast, MPI_Ibcast, at, count, kind, int(*root), comm)
        }
        Op::Scatter { root, send, recv } => {
            let (from, (at, count, kind)) = (address(send.as_ref()), parts(recv));
            either!(
                called,
                op,
                MPI_Scatter,
                MPI_Iscatter,
                from,
                count,
                kind,
                at,
                count,
                kind,
                int(*root),
                comm
            )
        }
        Op::Scatterv { root, buf } => {
            let (from, (at, count, kind)) = (address(buf.all.as_ref()), parts(&buf.own));
            let (counts, displacements) = (arrays.send_counts.as_ptr(), arrays.send_displacements.as_ptr());
            let root = int(*root);
            either!(
                called,
                op,
                MPI_Scatterv,
                MPI_Iscatterv,
                from,
                counts,
                displacements,
                kind,
                at,
                count,
                kind,
                root,
                comm
            )
        }
        Op::Gather { root, send, recv } => {
            let ((from, count, kind), at) = (parts(send), address(recv.as_ref()));
            either!(called, op, MPI_Gather, MPI_Igather, from, count, kind, at, count, kind, int(*root), comm)
        }
        Op::Gatherv { root, buf } => {
            let ((from, count, kind), at) = (parts(&buf.own), address(buf.all.as_ref()));
            let (counts, displacements) = (arrays.recv_counts.as_ptr(), arrays.recv_displacements.as_ptr());
            let root = int(*root);
            either!(
                called,
                op,
                MPI_Gatherv,
                MPI_Igatherv,
                from,
                count,
                kind,
                at,
                counts,
                displacements,
                kind,
                root,
                comm
            )
        }
        _ => return None,
    };
    Some(code)
}

/// Barriers, and moves in which all members are alike. The caller has checked the room of the buffers.
fn of_equals(op: &Op, arrays: &Arrays, on: Member, called: Called<'_>) -> Option<c_int> {
    let comm = on.comm;
    let code = match op {
        Op::Barrier => either!(called, op, MPI_Barrier, MPI_Ibarrier, comm),
        Op::Allgather { send, recv } => {
            let ((from, count, kind), at) = (parts(send), address(Some(recv)));
            either!(called, op, MPI_Allgather, MPI_Iallgather, from, count, kind, at, count, kind, comm)
        }
        Op::Allgatherv { send, recv, .. } => {
            let ((from, count, kind), at) = (parts(send), address(Some(recv)));
            let (counts, displacements) = (arrays.recv_counts.as_ptr(), arrays.recv_displacements.as_ptr());
            either!(
                called,
                op,
                MPI_Allgatherv,
                MPI_Iallgatherv,
                from,
                count,
                kind,
                at,
                counts,
                displacements,
                kind,
                comm
            )
        }
        Op::Alltoall { send, recv } => {
            let ((from, all, kind), at) = (parts(send), address(Some(recv)));
            let block = all / int(on.size);
            either!(called, op, MPI_Alltoall, MPI_Ialltoall, from, block, kind, at, block, kind, comm)
        }
        Op::Alltoallv { send, recv, .. } => {
            let Arrays { send_counts, send_displacements, recv_counts, recv_displacements, .. } = arrays;
            either!(
                called,
                op,
                MPI_Alltoallv,
                MPI_Ialltoallv,
                address(Some(send)),
                send_counts.as_ptr(),
                send_displacements.as_ptr(),
                datatype(send.datatype()),
                address(Some(recv)),
                recv_counts.as_ptr(),
                recv_displacements.as_ptr(),
                datatype(recv.datatype()),
                comm
            )
        }
        Op::Alltoallw { send, recv, .. } => {
            let Arrays {
                send_counts,
                send_displacements,
                send_types,
                recv_counts,
                recv_displacements,
                recv_types,
            } = arrays;
            either!(
                called,
                op,
                MPI_Alltoallw,
                MPI_Ialltoallw,
                address(Some(send)),
                send_counts.as_ptr(),
                send_displacements.as_ptr(),
                send_types.as_ptr(),
                address(Some(recv)),
                recv_counts.as_ptr(),
                recv_displacements.as_ptr(),
                recv_types.as_ptr(),
                comm
            )
        }
        _ => return None,
    };
    Some(code)
}

/// Ends all ranks with a message if a member has no neighbours, or its buffers have no room for each of them.
fn require_for_neighbors(op: &Op, on: Member) {
    let Op::NeighborAlltoall { send, recv, count } = op else { return };
    let function = op.function();
    let Some([sources, destinations]) = on.degrees else {
        fatal(function, "the communicator has no neighbours; make it with `cart` or `dist_graph`");
    };
    for (what, buf, neighbors) in [("send", send, destinations), ("receive", recv, sources)] {
        let needs = count.saturating_mul(neighbors);
        if buf.count() < needs {
            let has = buf.count();
            fatal(
                function,
                &format!("the {what} buffer has {has} elements and needs {needs}, {count} a neighbour"),
            );
        }
    }
}

/// Moves between neighbours.
fn among_neighbors(op: &Op, on: Member, called: Called<'_>) -> Option<c_int> {
    let Op::NeighborAlltoall { send, recv, count } = op else { return None };
    require_for_neighbors(op, on);
    let ((from, _, kind), (at, _, kind_of_received)) = (parts(send), parts(recv));
    let (each, comm) = (int(*count), on.comm);
    let code = either!(
        called,
        op,
        MPI_Neighbor_alltoall,
        MPI_Ineighbor_alltoall,
        from,
        each,
        kind,
        at,
        each,
        kind_of_received,
        comm
    );
    Some(code)
}

/// The operations that compute. The room of the buffers is checked.
fn reduced(operation: &Op, arrays: &Arrays, on: Member, called: Called<'_>) -> Option<c_int> {
    let comm = on.comm;
    let code = match operation {
        Op::Reduce { root, op, send, recv } => {
            let ((from, count, kind), at) = (parts(send), address(recv.as_ref()));
            either!(
                called,
                operation,
                MPI_Reduce,
                MPI_Ireduce,
                from,
                at,
                count,
                kind,
                reduce_op(*op),
                int(*root),
                comm
            )
        }
        Op::Allreduce { op, send, recv } => {
            let ((from, count, kind), at) = (parts(send), address(Some(recv)));
            either!(
                called,
                operation,
                MPI_Allreduce,
                MPI_Iallreduce,
                from,
                at,
                count,
                kind,
                reduce_op(*op),
                comm
            )
        }
        Op::ReduceScatter { op, send, recv, .. } => {
            let ((from, _, kind), at) = (parts(send), address(Some(recv)));
            let counts = arrays.send_counts.as_ptr();
            either!(
                called,
                operation,
                MPI_Reduce_scatter,
                MPI_Ireduce_scatter,
                from,
                at,
                counts,
                kind,
                reduce_op(*op),
                comm
            )
        }
        Op::ReduceScatterBlock { op, send, recv } => {
            let (from, (at, count, kind)) = (address(Some(send)), parts(recv));
            either!(
                called,
                operation,
                MPI_Reduce_scatter_block,
                MPI_Ireduce_scatter_block,
                from,
                at,
                count,
                kind,
                reduce_op(*op),
                comm
            )
        }
        Op::Scan { op, send, recv } => {
            let ((from, count, kind), at) = (parts(send), address(Some(recv)));
            either!(called, operation, MPI_Scan, MPI_Iscan, from, at, count, kind, reduce_op(*op), comm)
        }
        Op::Exscan { op, send, recv } => {
            let ((from, count, kind), at) = (parts(send), address(Some(recv)));
            either!(called, operation, MPI_Exscan, MPI_Iexscan, from, at, count, kind, reduce_op(*op), comm)
        }
        Op::Send { .. } | Op::Recv { .. } | Op::Sendrecv { .. } | Op::NeighborAlltoall { .. } => return None,
        Op::Barrier | Op::Bcast { .. } | Op::Scatter { .. } | Op::Scatterv { .. } => return None,
        Op::Gather { .. } | Op::Gatherv { .. } | Op::Allgather { .. } | Op::Allgatherv { .. } => return None,
        Op::Alltoall { .. } | Op::Alltoallv { .. } | Op::Alltoallw { .. } => return None,
    };
    Some(code)
}
