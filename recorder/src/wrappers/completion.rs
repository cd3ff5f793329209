//! Persistent requests being started, and requests being completed.
//!
//! MPI sets the handles of completed requests to null, so they are looked up before the call.

use std::ffi::c_int;
use std::time::Duration;

use mpi::ffi::{self, MPI_Request, MPI_Status};
use smallvec::SmallVec;

use crate::call::{Call, calls};
use crate::request::{self, Pending};
use crate::status::{no_status, status_or};
use crate::{clock, track};

const SUCCESS: c_int = ffi::MPI_SUCCESS as c_int;

/// So many requests need no allocation.
const FEW: usize = 8;

type Statuses = SmallVec<[MPI_Status; FEW]>;

/// The requests of a call that are followed: index, handle, operation.
struct Watched(SmallVec<[(usize, MPI_Request, Pending); FEW]>);

impl Watched {
    /// # Safety
    /// There are `count` requests.
    #[inline]
    unsafe fn of(requests: *const MPI_Request, count: c_int) -> Self {
        let mut watched = SmallVec::new();
        let table = request::table();
        for at in 0..count.max(0) as usize {
            // SAFETY: as the caller promises.
            let request = unsafe { *requests.add(at) };
            if let Some(pending) = table.find(request) {
                watched.push((at, request, pending));
            }
        }
        Watched(watched)
    }

    fn complete(&self, call: &mut Call, index: c_int, status: &MPI_Status) {
        let at = self.0.binary_search_by_key(&index, |watched| watched.0 as c_int);
        if let Ok((_, request, pending)) = at.map(|at| self.0[at])
            && request::table().complete(request, pending)
        {
            call.completed(pending, status);
        }
    }

    /// # Safety
    /// There is a status for each request.
    unsafe fn complete_all(&mut self, call: &mut Call, statuses: *const MPI_Status) {
        let mut table = request::table();
        self.0.retain(|(_, request, pending)| table.complete(*request, *pending));
        drop(table);
        for (at, _, pending) in &self.0 {
            // SAFETY: as the caller promises.
            call.completed(*pending, unsafe { &*statuses.add(*at) });
        }
    }

    /// # Safety
    /// There are as many indices and statuses as `found`, which is negative if all requests are null.
    unsafe fn complete_some(
        &self,
        call: &mut Call,
        found: c_int,
        indices: *const c_int,
        statuses: *const MPI_Status,
    ) {
        for at in 0..found.max(0) as usize {
            // SAFETY: as the caller promises.
            unsafe { self.complete(call, *indices.add(at), &*statuses.add(at)) };
        }
    }
}

/// The program's place for statuses, or `own` where it gave none.
fn statuses_or(given: *mut MPI_Status, own: &mut Statuses, count: c_int) -> *mut MPI_Status {
    // SAFETY: a constant of the library.
    if given != unsafe { ffi::RSMPI_STATUSES_IGNORE } {
        return given;
    }
    own.resize(count.max(0) as usize, no_status());
    own.as_mut_ptr()
}

/// Records which requests that the program freed are complete, testing so often at most in vain.
fn settle(mut tests: u32) {
    request::retain(|request, pending| {
        loop {
            if let Some(status) = ended(request) {
                if let (Some(event), Some(mut track)) = (pending.completed(&status), track::mine()) {
                    track.buffer.push(clock::now(), event);
                }
                return false;
            }
            tests = tests.saturating_sub(1);
            if tests == 0 {
                return true;
            }
            std::thread::sleep(BETWEEN_TESTS);
        }
    });
}

/// As [`settle`], with patience, before MPI is finalized. MPI is left alone with what is not complete even then.
pub(crate) fn settle_all() {
    settle(TESTS_AT_THE_END);
    request::retain(|mut request, _| {
        // SAFETY: the program has given the request up.
        unsafe { ffi::PMPI_Request_free(&mut request) };
        false
    });
}

/// A message that has not arrived after so many tests, a second and more, never will.
const TESTS_AT_THE_END: u32 = 10_000;
/// Between two tests, other ranks may need the core.
const BETWEEN_TESTS: Duration = Duration::from_micros(100);

/// Tests a request; if it is complete, frees it.
fn ended(mut request: MPI_Request) -> Option<MPI_Status> {
    let (mut flag, mut status) = (0, no_status());
    // SAFETY: a request that the program has given up, and that the recorder has not freed yet; the results are ours.
    unsafe {
        let code = ffi::PMPI_Test(&mut request, &mut flag, &mut status);
        if code != SUCCESS || flag == 0 {
            return None;
        }
        // A persistent one is inactive now.
        if request != ffi::RSMPI_REQUEST_NULL {
            ffi::PMPI_Request_free(&mut request);
        }
    }
    Some(status)
}

calls! {
    fn MPI_Start(request: *mut MPI_Request) |call| {
        call.restarted(*request);
        call.make(|| ffi::PMPI_Start(request))
    }

    fn MPI_Startall(count: c_int, requests: *mut MPI_Request) |call| {
        for at in 0..count.max(0) as usize {
            call.restarted(*requests.add(at));
        }
        call.make(|| ffi::PMPI_Startall(count, requests))
    }

    fn MPI_Request_free(request: *mut MPI_Request) |call| {
        call.make(|| match request::forget(*request) {
            None => ffi::PMPI_Request_free(request),
            Some(active) => {
                request::keep(*request, active);
                *request = ffi::RSMPI_REQUEST_NULL;
                settle(1);
                SUCCESS
            }
        })
    }

    fn MPI_Wait(request: *mut MPI_Request, status: *mut MPI_Status) |call| {
        let watched = Watched::of(request, 1);
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Wait(request, status));
        if code == SUCCESS {
            watched.complete(&mut call, 0, &*status);
        }
        code
    }

    fn MPI_Test(request: *mut MPI_Request, flag: *mut c_int, status: *mut MPI_Status) |call| {
        let watched = Watched::of(request, 1);
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Test(request, flag, status));
        if code == SUCCESS && *flag != 0 {
            watched.complete(&mut call, 0, &*status);
        }
        code
    }

    fn MPI_Waitall(count: c_int, requests: *mut MPI_Request, statuses: *mut MPI_Status) |call| {
        let mut watched = Watched::of(requests, count);
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| ffi::PMPI_Waitall(count, requests, statuses));
        if code == SUCCESS {
            watched.complete_all(&mut call, statuses);
        }
        code
    }

    fn MPI_Testall(count: c_int, requests: *mut MPI_Request, flag: *mut c_int, statuses: *mut MPI_Status) |call| {
        let mut watched = Watched::of(requests, count);
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| ffi::PMPI_Testall(count, requests, flag, statuses));
        if code == SUCCESS && *flag != 0 {
            watched.complete_all(&mut call, statuses);
        }
        code
    }

    fn MPI_Waitany(count: c_int, requests: *mut MPI_Request, index: *mut c_int, status: *mut MPI_Status) |call| {
        let watched = Watched::of(requests, count);
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Waitany(count, requests, index, status));
        if code == SUCCESS {
            watched.complete(&mut call, *index, &*status);
        }
        code
    }

    fn MPI_Testany(
        count: c_int, requests: *mut MPI_Request, index: *mut c_int, flag: *mut c_int, status: *mut MPI_Status,
    ) |call| {
        let watched = Watched::of(requests, count);
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Testany(count, requests, index, flag, status));
        if code == SUCCESS && *flag != 0 {
            watched.complete(&mut call, *index, &*status);
        }
        code
    }

    fn MPI_Waitsome(
        count: c_int, requests: *mut MPI_Request, found: *mut c_int, indices: *mut c_int, statuses: *mut MPI_Status,
    ) |call| {
        let watched = Watched::of(requests, count);
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| ffi::PMPI_Waitsome(count, requests, found, indices, statuses));
        if code == SUCCESS {
            watched.complete_some(&mut call, *found, indices, statuses);
        }
        code
    }

    fn MPI_Testsome(
        count: c_int, requests: *mut MPI_Request, found: *mut c_int, indices: *mut c_int, statuses: *mut MPI_Status,
    ) |call| {
        let watched = Watched::of(requests, count);
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| ffi::PMPI_Testsome(count, requests, found, indices, statuses));
        if code == SUCCESS {
            watched.complete_some(&mut call, *found, indices, statuses);
        }
        code
    }
}
