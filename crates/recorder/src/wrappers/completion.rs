//! Persistent requests being started, and requests being completed.

use std::ffi::c_int;
use std::time::Duration;

use mpi::ffi::{self, MPI_Request, MPI_Status};
use smallvec::SmallVec;

use crate::calls::calls;
use crate::pmpi;
use crate::request::{self, FEW};
use crate::status::{SUCCESS, no_status, status_or};
use crate::{clock, track};

type Statuses = SmallVec<[MPI_Status; FEW]>;

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
            if let Some((code, status)) = ended(request) {
                if let (Some(event), Some(mut track)) = (pending.completed(code, &status), track::mine()) {
                    let now = clock::now();
                    if track.is_on(now) {
                        track.buffer.push(now, event);
                    }
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
        unsafe { pmpi::PMPI_Request_free(&mut request) };
        false
    });
}

/// A message that has not arrived after so many tests, a second and more, never will.
const TESTS_AT_THE_END: u32 = 10_000;
/// Between two tests, other ranks may need the core.
const BETWEEN_TESTS: Duration = Duration::from_micros(100);

/// Tests a request; if it is complete, frees it, and yields the code and the status of its operation.
fn ended(mut request: MPI_Request) -> Option<(c_int, MPI_Status)> {
    let (mut flag, mut status) = (0, no_status());
    // SAFETY: a request that the program has given up, and that the recorder has not freed yet; the results are ours.
    unsafe {
        let code = pmpi::PMPI_Test(&mut request, &mut flag, &mut status);
        let is_freed = request == ffi::RSMPI_REQUEST_NULL;
        if flag == 0 && !is_freed {
            return None;
        }
        // A persistent one is inactive now.
        if !is_freed {
            pmpi::PMPI_Request_free(&mut request);
        }
        Some((code, status))
    }
}

calls! {
    fn MPI_Start(request: *mut MPI_Request) |call| {
        let code = call.make(|| pmpi::PMPI_Start(request));
        if code == SUCCESS {
            call.restarted(*request);
        }
        code
    }

    fn MPI_Startall(count: c_int, requests: *mut MPI_Request) |call| {
        let code = call.make(|| pmpi::PMPI_Startall(count, requests));
        if code == SUCCESS {
            for at in 0..count.max(0) as usize {
                call.restarted(*requests.add(at));
            }
        }
        code
    }

    fn MPI_Request_free(request: *mut MPI_Request) |call| {
        let (handle, (persistent, active)) = (*request, request::forget(*request));
        let active = active.filter(|active| active.is_recorded());
        let code = call.make(|| match active {
            None => pmpi::PMPI_Request_free(request),
            Some(active) => {
                request::keep(handle, active);
                *request = ffi::RSMPI_REQUEST_NULL;
                settle(1);
                SUCCESS
            }
        });
        if code != SUCCESS && let Some(operation) = persistent {
            request::prepare(handle, operation);
        }
        code
    }

    fn MPI_Wait(request: *mut MPI_Request, status: *mut MPI_Status) completes request[1] |call, watched| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| pmpi::PMPI_Wait(request, status));
        watched.one(&mut call, code, request, &0, status);
        code
    }

    fn MPI_Test(
        request: *mut MPI_Request, flag: *mut c_int, status: *mut MPI_Status,
    ) completes request[1] |call, watched| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| pmpi::PMPI_Test(request, flag, status));
        if code != SUCCESS || *flag != 0 {
            watched.one(&mut call, code, request, &0, status);
        } else {
            watched.tested(&mut call, |_| false);
        }
        code
    }

    fn MPI_Waitall(
        count: c_int, requests: *mut MPI_Request, statuses: *mut MPI_Status,
    ) completes requests[count] |call, watched| {
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| pmpi::PMPI_Waitall(count, requests, statuses));
        watched.complete_all(&mut call, code, requests, statuses);
        code
    }

    fn MPI_Testall(
        count: c_int, requests: *mut MPI_Request, flag: *mut c_int, statuses: *mut MPI_Status,
    ) completes requests[count] |call, watched| {
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| pmpi::PMPI_Testall(count, requests, flag, statuses));
        if code != SUCCESS || *flag != 0 {
            watched.complete_all(&mut call, code, requests, statuses);
        } else {
            watched.tested(&mut call, |_| false);
        }
        code
    }

    fn MPI_Waitany(
        count: c_int, requests: *mut MPI_Request, index: *mut c_int, status: *mut MPI_Status,
    ) completes requests[count] |call, watched| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| pmpi::PMPI_Waitany(count, requests, index, status));
        watched.one(&mut call, code, requests, index, status);
        code
    }

    fn MPI_Testany(
        count: c_int, requests: *mut MPI_Request, index: *mut c_int, flag: *mut c_int, status: *mut MPI_Status,
    ) completes requests[count] |call, watched| {
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| pmpi::PMPI_Testany(count, requests, index, flag, status));
        if code != SUCCESS || *flag != 0 {
            watched.one(&mut call, code, requests, index, status);
        } else {
            watched.tested(&mut call, |_| false);
        }
        code
    }

    fn MPI_Waitsome(
        count: c_int, requests: *mut MPI_Request, found: *mut c_int, indices: *mut c_int, statuses: *mut MPI_Status,
    ) completes requests[count] |call, watched| {
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| pmpi::PMPI_Waitsome(count, requests, found, indices, statuses));
        watched.some(&mut call, code, requests, (found, indices, statuses));
        code
    }

    fn MPI_Testsome(
        count: c_int, requests: *mut MPI_Request, found: *mut c_int, indices: *mut c_int, statuses: *mut MPI_Status,
    ) completes requests[count] |call, watched| {
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| pmpi::PMPI_Testsome(count, requests, found, indices, statuses));
        watched.some(&mut call, code, requests, (found, indices, statuses));
        if code == SUCCESS {
            let complete = std::slice::from_raw_parts(indices, (*found).max(0) as usize);
            watched.tested(&mut call, |at| complete.contains(&(at as c_int)));
        }
        code
    }
}
