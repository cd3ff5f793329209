//! The blocking collectives. Bytes are counted as Score-P counts them: what the operation's definition moves, also to
//! oneself, not what an algorithm does; with `MPI_IN_PLACE` not to oneself.

use std::ffi::{c_int, c_void};

use ats_model::event::CollectiveOperation::{
    Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Alltoallw, Barrier, Bcast, Exscan, Gather,
    Gatherv, Reduce, ReduceScatter, ReduceScatterBlock, Scan, Scatter, Scatterv,
};
use mpi::ffi::{self, MPI_Comm, MPI_Datatype, MPI_Op};

use crate::call::{bytes, calls, in_place, total};
use crate::communicator::Known;

impl Known {
    fn is(&self, root: c_int) -> bool {
        self.rank as c_int == root
    }

    /// Members that data is exchanged with: all, oneself included unless the buffer is `MPI_IN_PLACE`.
    fn partners(&self, buffer: *const c_void) -> u64 {
        u64::from(self.size) - u64::from(in_place(buffer))
    }
}

calls! {
    fn MPI_Barrier(comm: MPI_Comm) |call| {
        call.collective(Barrier, comm, None, |_| (0, 0), || ffi::PMPI_Barrier(comm))
    }

    fn MPI_Bcast(buffer: *mut c_void, count: c_int, datatype: MPI_Datatype, root: c_int, comm: MPI_Comm) |call| {
        let moved = |c: &Known| {
            let each = bytes(count, datatype);
            (if c.is(root) { each * u64::from(c.size) } else { 0 }, each)
        };
        call.collective(Bcast, comm, Some(root), moved, || ffi::PMPI_Bcast(buffer, count, datatype, root, comm))
    }

    fn MPI_Gather(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int,
        recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let sent = if in_place(sendbuf) { 0 } else { bytes(sendcount, sendtype) };
            (sent, if c.is(root) { c.partners(sendbuf) * bytes(recvcount, recvtype) } else { 0 })
        };
        call.collective(Gather, comm, Some(root), moved, || {
            ffi::PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
        })
    }

    fn MPI_Gatherv(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void,
        recvcounts: *const c_int, displs: *const c_int, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let sent = if in_place(sendbuf) { 0 } else { bytes(sendcount, sendtype) };
            if !c.is(root) {
                return (sent, 0);
            }
            let own = if in_place(sendbuf) { bytes(*recvcounts.add(c.rank as usize), recvtype) } else { 0 };
            (sent, total(recvcounts, c.size, recvtype) - own)
        };
        call.collective(Gatherv, comm, Some(root), moved, || {
            ffi::PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm)
        })
    }

    fn MPI_Scatter(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int,
        recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let received = if in_place(recvbuf) { 0 } else { bytes(recvcount, recvtype) };
            (if c.is(root) { c.partners(recvbuf) * bytes(sendcount, sendtype) } else { 0 }, received)
        };
        call.collective(Scatter, comm, Some(root), moved, || {
            ffi::PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
        })
    }

    fn MPI_Scatterv(
        sendbuf: *const c_void, sendcounts: *const c_int, displs: *const c_int, sendtype: MPI_Datatype,
        recvbuf: *mut c_void, recvcount: c_int, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let received = if in_place(recvbuf) { 0 } else { bytes(recvcount, recvtype) };
            if !c.is(root) {
                return (0, received);
            }
            let own = if in_place(recvbuf) { bytes(*sendcounts.add(c.rank as usize), sendtype) } else { 0 };
            (total(sendcounts, c.size, sendtype) - own, received)
        };
        call.collective(Scatterv, comm, Some(root), moved, || {
            ffi::PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm)
        })
    }

    fn MPI_Reduce(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, root: c_int,
        comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let each = bytes(count, datatype);
            let sent = if in_place(sendbuf) { 0 } else { each };
            (sent, if c.is(root) { c.partners(sendbuf) * each } else { 0 })
        };
        call.collective(Reduce, comm, Some(root), moved, || {
            ffi::PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm)
        })
    }

    fn MPI_Allreduce(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let all = c.partners(sendbuf) * bytes(count, datatype);
            (all, all)
        };
        call.collective(Allreduce, comm, None, moved, || {
            ffi::PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm)
        })
    }

    fn MPI_Allgather(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int,
        recvtype: MPI_Datatype, comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let received = c.partners(sendbuf) * bytes(recvcount, recvtype);
            (if in_place(sendbuf) { received } else { u64::from(c.size) * bytes(sendcount, sendtype) }, received)
        };
        call.collective(Allgather, comm, None, moved, || {
            ffi::PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
        })
    }

    fn MPI_Allgatherv(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void,
        recvcounts: *const c_int, displs: *const c_int, recvtype: MPI_Datatype, comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let all = total(recvcounts, c.size, recvtype);
            if in_place(sendbuf) {
                let own = bytes(*recvcounts.add(c.rank as usize), recvtype);
                return (c.partners(sendbuf) * own, all - own);
            }
            (u64::from(c.size) * bytes(sendcount, sendtype), all)
        };
        call.collective(Allgatherv, comm, None, moved, || {
            ffi::PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm)
        })
    }

    fn MPI_Alltoall(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int,
        recvtype: MPI_Datatype, comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let all = c.partners(sendbuf) * bytes(recvcount, recvtype);
            (all, all)
        };
        call.collective(Alltoall, comm, None, moved, || {
            ffi::PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
        })
    }

    fn MPI_Alltoallv(
        sendbuf: *const c_void, sendcounts: *const c_int, sdispls: *const c_int, sendtype: MPI_Datatype,
        recvbuf: *mut c_void, recvcounts: *const c_int, rdispls: *const c_int, recvtype: MPI_Datatype, comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let received = total(recvcounts, c.size, recvtype);
            if in_place(sendbuf) {
                let others = received - bytes(*recvcounts.add(c.rank as usize), recvtype);
                return (others, others);
            }
            (total(sendcounts, c.size, sendtype), received)
        };
        call.collective(Alltoallv, comm, None, moved, || {
            ffi::PMPI_Alltoallv(
                sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            )
        })
    }

    fn MPI_Alltoallw(
        sendbuf: *const c_void, sendcounts: *const c_int, sdispls: *const c_int, sendtypes: *const MPI_Datatype,
        recvbuf: *mut c_void, recvcounts: *const c_int, rdispls: *const c_int, recvtypes: *const MPI_Datatype,
        comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let each = |counts: *const c_int, types: *const MPI_Datatype, rank: usize| {
                bytes(*counts.add(rank), *types.add(rank))
            };
            let others = (0..c.size as usize).filter(|&rank| !in_place(sendbuf) || rank != c.rank as usize);
            let received = others.clone().map(|rank| each(recvcounts, recvtypes, rank)).sum();
            if in_place(sendbuf) {
                return (received, received);
            }
            (others.map(|rank| each(sendcounts, sendtypes, rank)).sum(), received)
        };
        call.collective(Alltoallw, comm, None, moved, || {
            ffi::PMPI_Alltoallw(
                sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
            )
        })
    }

    fn MPI_Reduce_scatter(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const c_int, datatype: MPI_Datatype, op: MPI_Op,
        comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let own = bytes(*recvcounts.add(c.rank as usize), datatype);
            let kept = if in_place(sendbuf) { own } else { 0 };
            (total(recvcounts, c.size, datatype) - kept, c.partners(sendbuf) * own)
        };
        call.collective(ReduceScatter, comm, None, moved, || {
            ffi::PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm)
        })
    }

    fn MPI_Reduce_scatter_block(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: c_int, datatype: MPI_Datatype, op: MPI_Op,
        comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let all = c.partners(sendbuf) * bytes(recvcount, datatype);
            (all, all)
        };
        call.collective(ReduceScatterBlock, comm, None, moved, || {
            ffi::PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm)
        })
    }

    fn MPI_Scan(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let (each, own) = (bytes(count, datatype), u64::from(!in_place(sendbuf)));
            (u64::from(c.size - c.rank - 1) * each + own * each, u64::from(c.rank) * each + own * each)
        };
        call.collective(Scan, comm, None, moved, || ffi::PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm))
    }

    fn MPI_Exscan(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm,
    ) |call| {
        let moved = |c: &Known| {
            let each = bytes(count, datatype);
            (u64::from(c.size - c.rank - 1) * each, u64::from(c.rank) * each)
        };
        call.collective(Exscan, comm, None, moved, || ffi::PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm))
    }
}
