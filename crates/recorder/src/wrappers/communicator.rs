//! Communicators being made, named and freed.

use std::ffi::{CStr, c_char, c_int};

use ats_model::event::CollectiveOperation;
use mpi::ffi::{MPI_Comm, MPI_Group, MPI_Info, MPI_Request};

use crate::call::Call;
use crate::calls::calls;
use crate::collective::{self, Data, Part};
use crate::communicator;
use crate::pmpi;
use crate::request::Operation;
use crate::status::SUCCESS;

/// A call that all members of `parent` make to get a communicator, or none.
///
/// # Safety
/// `make` puts the communicator to `new`.
unsafe fn creates(
    call: &mut Call,
    parent: MPI_Comm,
    new: *mut MPI_Comm,
    make: impl FnOnce() -> c_int,
) -> c_int {
    let and_follow = || {
        let code = make();
        if code == SUCCESS {
            // SAFETY: as the caller promises.
            communicator::follow(parent, unsafe { *new });
        }
        code
    };
    call.collective(CollectiveOperation::CreateHandle, parent, None, Data::NONE, and_follow)
}

/// A non-blocking call that duplicates `original`. Open MPI and MPICH yield the handle at once, as their Fortran interfaces
/// need it, though the program may not use it yet.
///
/// # Safety
/// `make` puts the communicator to `new`, and the request to `request`.
unsafe fn duplicates(
    call: &mut Call,
    original: MPI_Comm,
    new: *mut MPI_Comm,
    request: *const MPI_Request,
    make: impl FnOnce() -> c_int,
) -> c_int {
    let code = call.make(|| {
        let code = make();
        if code == SUCCESS {
            // SAFETY: as the caller promises.
            communicator::follow_duplicate(original, unsafe { *new });
        }
        code
    });
    if code == SUCCESS {
        let part = collective::part(CollectiveOperation::CreateHandle, original, None, Data::NONE);
        call.started(request, Operation::of_collective(part, None));
    }
    code
}

/// A call that all members of a communicator make to free its handle.
///
/// # Safety
/// `comm` points to a handle.
unsafe fn destroys(call: &mut Call, comm: *mut MPI_Comm, make: impl FnOnce() -> c_int) -> c_int {
    // SAFETY: as the caller promises.
    let handle = unsafe { *comm };
    let Some(known) = communicator::find(handle) else { return call.make(make) };
    let and_forget = || {
        let code = make();
        if code == SUCCESS {
            communicator::forget(handle, known);
        }
        code
    };
    call.takes_part(and_forget, || Part::empty(CollectiveOperation::DestroyHandle, known.reference).end())
}

calls! {
    fn MPI_Comm_dup(comm: MPI_Comm, new: *mut MPI_Comm) |call| {
        creates(&mut call, comm, new, || pmpi::PMPI_Comm_dup(comm, new))
    }

    fn MPI_Comm_dup_with_info(comm: MPI_Comm, info: MPI_Info, new: *mut MPI_Comm) |call| {
        creates(&mut call, comm, new, || pmpi::PMPI_Comm_dup_with_info(comm, info, new))
    }

    fn MPI_Comm_idup(comm: MPI_Comm, new: *mut MPI_Comm, request: *mut MPI_Request) |call| {
        duplicates(&mut call, comm, new, request, || pmpi::PMPI_Comm_idup(comm, new, request))
    }

    fn MPI_Comm_create(comm: MPI_Comm, group: MPI_Group, new: *mut MPI_Comm) |call| {
        creates(&mut call, comm, new, || pmpi::PMPI_Comm_create(comm, group, new))
    }

    fn MPI_Comm_create_group(comm: MPI_Comm, group: MPI_Group, tag: c_int, new: *mut MPI_Comm) |call| {
        // Only the members of the group call it, so it is no collective of `comm`.
        call.make(|| {
            let code = pmpi::PMPI_Comm_create_group(comm, group, tag, new);
            if code == SUCCESS {
                communicator::follow(comm, *new);
            }
            code
        })
    }

    fn MPI_Comm_split(comm: MPI_Comm, color: c_int, key: c_int, new: *mut MPI_Comm) |call| {
        creates(&mut call, comm, new, || pmpi::PMPI_Comm_split(comm, color, key, new))
    }

    fn MPI_Comm_split_type(comm: MPI_Comm, kind: c_int, key: c_int, info: MPI_Info, new: *mut MPI_Comm) |call| {
        creates(&mut call, comm, new, || pmpi::PMPI_Comm_split_type(comm, kind, key, info, new))
    }

    fn MPI_Intercomm_merge(comm: MPI_Comm, high: c_int, new: *mut MPI_Comm) |call| {
        creates(&mut call, comm, new, || pmpi::PMPI_Intercomm_merge(comm, high, new))
    }

    fn MPI_Cart_create(
        comm: MPI_Comm, ndims: c_int, dims: *const c_int, periods: *const c_int, reorder: c_int, new: *mut MPI_Comm,
    ) |call| {
        creates(&mut call, comm, new, || pmpi::PMPI_Cart_create(comm, ndims, dims, periods, reorder, new))
    }

    fn MPI_Cart_sub(comm: MPI_Comm, remain: *const c_int, new: *mut MPI_Comm) |call| {
        creates(&mut call, comm, new, || pmpi::PMPI_Cart_sub(comm, remain, new))
    }

    fn MPI_Graph_create(
        comm: MPI_Comm, nodes: c_int, index: *const c_int, edges: *const c_int, reorder: c_int, new: *mut MPI_Comm,
    ) |call| {
        creates(&mut call, comm, new, || pmpi::PMPI_Graph_create(comm, nodes, index, edges, reorder, new))
    }

    fn MPI_Dist_graph_create(
        comm: MPI_Comm, n: c_int, nodes: *const c_int, degrees: *const c_int, targets: *const c_int,
        weights: *const c_int, info: MPI_Info, reorder: c_int, new: *mut MPI_Comm,
    ) |call| {
        creates(&mut call, comm, new, || {
            pmpi::PMPI_Dist_graph_create(comm, n, nodes, degrees, targets, weights, info, reorder, new)
        })
    }

    fn MPI_Dist_graph_create_adjacent(
        comm: MPI_Comm, indegree: c_int, sources: *const c_int, sourceweights: *const c_int, outdegree: c_int,
        destinations: *const c_int, destweights: *const c_int, info: MPI_Info, reorder: c_int, new: *mut MPI_Comm,
    ) |call| {
        creates(&mut call, comm, new, || {
            pmpi::PMPI_Dist_graph_create_adjacent(
                comm, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, new,
            )
        })
    }

    fn MPI_Comm_set_name(comm: MPI_Comm, name: *const c_char) |call| {
        let code = call.make(|| pmpi::PMPI_Comm_set_name(comm, name));
        if code == SUCCESS {
            communicator::name(comm, &CStr::from_ptr(name).to_string_lossy());
        }
        code
    }

    fn MPI_Comm_free(comm: *mut MPI_Comm) |call| {
        destroys(&mut call, comm, || pmpi::PMPI_Comm_free(comm))
    }

    fn MPI_Comm_disconnect(comm: *mut MPI_Comm) |call| {
        destroys(&mut call, comm, || pmpi::PMPI_Comm_disconnect(comm))
    }
}

#[cfg(has_comm_idup_with_info)]
calls! {
    fn MPI_Comm_idup_with_info(comm: MPI_Comm, info: MPI_Info, new: *mut MPI_Comm, request: *mut MPI_Request) |call| {
        duplicates(&mut call, comm, new, request, || pmpi::PMPI_Comm_idup_with_info(comm, info, new, request))
    }
}
