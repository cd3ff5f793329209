//! Messages in partitions. A send is recorded when the last of its partitions is ready, under the request that
//! `MPI_Start` has activated; a receive as any persistent one.

use std::ffi::{c_int, c_void};

use mpi::ffi::{MPI_Comm, MPI_Count, MPI_Datatype, MPI_Info, MPI_Request};

use crate::call::{receive, send};
use crate::calls::calls;
use crate::pmpi;
use crate::request;
use crate::status::SUCCESS;

calls! {
    fn MPI_Psend_init(
        buf: *const c_void, partitions: c_int, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, tag: c_int,
        comm: MPI_Comm, info: MPI_Info, request: *mut MPI_Request,
    ) |call| {
        let code =
            call.make(|| pmpi::PMPI_Psend_init(buf, partitions, count, datatype, dest, tag, comm, info, request));
        let all = MPI_Count::from(partitions) * count;
        if code == SUCCESS && let Some(operation) = send(all, datatype, dest, tag, comm) {
            request::divide(*request, operation, partitions.max(0) as u32);
        }
        code
    }

    fn MPI_Precv_init(
        buf: *mut c_void, partitions: c_int, count: MPI_Count, datatype: MPI_Datatype, source: c_int, tag: c_int,
        comm: MPI_Comm, info: MPI_Info, request: *mut MPI_Request,
    ) |call| {
        let code =
            call.make(|| pmpi::PMPI_Precv_init(buf, partitions, count, datatype, source, tag, comm, info, request));
        if code == SUCCESS && let Some(operation) = receive(source, comm) {
            request::prepare(*request, operation);
        }
        code
    }

    fn MPI_Pready(partition: c_int, request: MPI_Request) |call| {
        let code = call.make(|| pmpi::PMPI_Pready(partition, request));
        if code == SUCCESS {
            call.readied(request, 1);
        }
        code
    }

    fn MPI_Pready_range(partition_low: c_int, partition_high: c_int, request: MPI_Request) |call| {
        let code = call.make(|| pmpi::PMPI_Pready_range(partition_low, partition_high, request));
        if code == SUCCESS {
            call.readied(request, (partition_high - partition_low + 1).max(0) as u32);
        }
        code
    }

    fn MPI_Pready_list(length: c_int, array_of_partitions: *mut c_int, request: MPI_Request) |call| {
        let code = call.make(|| pmpi::PMPI_Pready_list(length, array_of_partitions, request));
        if code == SUCCESS {
            call.readied(request, length.max(0) as u32);
        }
        code
    }
}
