//! The blocking collectives.

use std::ffi::{c_int, c_void};

use ats_model::event::CollectiveOperation::{
    Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Alltoallw, Barrier, Bcast, Exscan, Gather,
    Gatherv, Reduce, ReduceScatter, ReduceScatterBlock, Scan, Scatter, Scatterv,
};
use mpi::ffi::{self, MPI_Comm, MPI_Datatype, MPI_Op};

use crate::call::{Data, calls, counted, each, in_place, typed};

calls! {
    fn MPI_Barrier(comm: MPI_Comm) |call| {
        call.collective(Barrier, comm, None, Data::NONE, || ffi::PMPI_Barrier(comm))
    }

    fn MPI_Bcast(buffer: *mut c_void, count: c_int, datatype: MPI_Datatype, root: c_int, comm: MPI_Comm) |call| {
        let data = Data { in_place: false, sends: each(count, datatype), receives: each(count, datatype) };
        call.collective(Bcast, comm, Some(root), data, || ffi::PMPI_Bcast(buffer, count, datatype, root, comm))
    }

    fn MPI_Gather(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int,
        recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: each(sendcount, sendtype), receives: each(recvcount, recvtype) };
        call.collective(Gather, comm, Some(root), data, || {
            ffi::PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
        })
    }

    fn MPI_Gatherv(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void,
        recvcounts: *const c_int, displs: *const c_int, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: each(sendcount, sendtype), receives: counted(recvcounts, recvtype) };
        call.collective(Gatherv, comm, Some(root), data, || {
            ffi::PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm)
        })
    }

    fn MPI_Scatter(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int,
        recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(recvbuf), sends: each(sendcount, sendtype), receives: each(recvcount, recvtype) };
        call.collective(Scatter, comm, Some(root), data, || {
            ffi::PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
        })
    }

    fn MPI_Scatterv(
        sendbuf: *const c_void, sendcounts: *const c_int, displs: *const c_int, sendtype: MPI_Datatype,
        recvbuf: *mut c_void, recvcount: c_int, recvtype: MPI_Datatype, root: c_int, comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(recvbuf), sends: counted(sendcounts, sendtype), receives: each(recvcount, recvtype) };
        call.collective(Scatterv, comm, Some(root), data, || {
            ffi::PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm)
        })
    }

    fn MPI_Reduce(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, root: c_int,
        comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: each(count, datatype), receives: each(count, datatype) };
        call.collective(Reduce, comm, Some(root), data, || {
            ffi::PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm)
        })
    }

    fn MPI_Allreduce(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: each(count, datatype), receives: each(count, datatype) };
        call.collective(Allreduce, comm, None, data, || {
            ffi::PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm)
        })
    }

    fn MPI_Allgather(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int,
        recvtype: MPI_Datatype, comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: each(sendcount, sendtype), receives: each(recvcount, recvtype) };
        call.collective(Allgather, comm, None, data, || {
            ffi::PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
        })
    }

    fn MPI_Allgatherv(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void,
        recvcounts: *const c_int, displs: *const c_int, recvtype: MPI_Datatype, comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: each(sendcount, sendtype), receives: counted(recvcounts, recvtype) };
        call.collective(Allgatherv, comm, None, data, || {
            ffi::PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm)
        })
    }

    fn MPI_Alltoall(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, recvbuf: *mut c_void, recvcount: c_int,
        recvtype: MPI_Datatype, comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: each(sendcount, sendtype), receives: each(recvcount, recvtype) };
        call.collective(Alltoall, comm, None, data, || {
            ffi::PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
        })
    }

    fn MPI_Alltoallv(
        sendbuf: *const c_void, sendcounts: *const c_int, sdispls: *const c_int, sendtype: MPI_Datatype,
        recvbuf: *mut c_void, recvcounts: *const c_int, rdispls: *const c_int, recvtype: MPI_Datatype, comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: counted(sendcounts, sendtype), receives: counted(recvcounts, recvtype) };
        call.collective(Alltoallv, comm, None, data, || {
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
        let data = Data { in_place: in_place(sendbuf), sends: typed(sendcounts, sendtypes), receives: typed(recvcounts, recvtypes) };
        call.collective(Alltoallw, comm, None, data, || {
            ffi::PMPI_Alltoallw(
                sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
            )
        })
    }

    fn MPI_Reduce_scatter(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: *const c_int, datatype: MPI_Datatype, op: MPI_Op,
        comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: counted(recvcounts, datatype), receives: each(0, datatype) };
        call.collective(ReduceScatter, comm, None, data, || {
            ffi::PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm)
        })
    }

    fn MPI_Reduce_scatter_block(
        sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: c_int, datatype: MPI_Datatype, op: MPI_Op,
        comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: each(recvcount, datatype), receives: each(recvcount, datatype) };
        call.collective(ReduceScatterBlock, comm, None, data, || {
            ffi::PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm)
        })
    }

    fn MPI_Scan(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: each(count, datatype), receives: each(count, datatype) };
        call.collective(Scan, comm, None, data, || ffi::PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm))
    }

    fn MPI_Exscan(
        sendbuf: *const c_void, recvbuf: *mut c_void, count: c_int, datatype: MPI_Datatype, op: MPI_Op, comm: MPI_Comm,
    ) |call| {
        let data = Data { in_place: in_place(sendbuf), sends: each(count, datatype), receives: each(count, datatype) };
        call.collective(Exscan, comm, None, data, || ffi::PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm))
    }
}
