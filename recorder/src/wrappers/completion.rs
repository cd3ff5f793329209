//! Persistent requests being started, and requests being completed.
//!
//! MPI sets the handles of completed requests to null, so they are looked up before the call. A call that fails may have
//! completed some of its requests all the same, with or without an error: see [`Watched::failed`].

use std::ffi::c_int;
use std::time::Duration;

use mpi::ffi::{self, MPI_Request, MPI_Status};
use smallvec::SmallVec;

use crate::call::{Call, calls};
use crate::request::{self, FEW, Pending};
use crate::status::{SUCCESS, no_status, status_or};
use crate::{clock, purpose, track};

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
            call.completed(pending, SUCCESS, status);
        }
    }

    /// Notes requests that a call has tested in vain, unless they are complete. The first such call of a request is recorded
    /// and the others are counted, so that a trace does not grow with the pace of polling.
    fn tested(&self, call: &mut Call, is_complete: impl Fn(usize) -> bool) {
        if self.0.is_empty() {
            return;
        }
        let in_vain = || self.0.iter().filter(|(at, ..)| !is_complete(*at));
        let mut table = request::table();
        in_vain().for_each(|&(_, request, pending)| table.count_failed_test(request, pending));
        drop(table);
        in_vain().filter_map(|(_, _, pending)| pending.tested()).for_each(|event| call.record(event));
    }

    /// After a call that completes the one request at `index`.
    ///
    /// # Safety
    /// The arguments are those of the call, which returned `code`.
    #[inline]
    unsafe fn one(
        &self,
        call: &mut Call,
        code: c_int,
        requests: *const MPI_Request,
        index: *const c_int,
        status: *const MPI_Status,
    ) {
        // SAFETY: as the caller promises; if a request is over, both are written.
        unsafe {
            if code == SUCCESS {
                self.complete(call, *index, &*status);
            } else {
                self.failed(call, requests, |at| (at as c_int == *index).then_some((code, status)));
            }
        }
    }

    /// After a call that completes all requests.
    ///
    /// # Safety
    /// The arguments are those of the call, which returned `code`. There is a status for each request.
    #[inline]
    unsafe fn all(
        &mut self,
        call: &mut Call,
        code: c_int,
        requests: *const MPI_Request,
        statuses: *const MPI_Status,
    ) {
        if code != SUCCESS {
            // SAFETY: as the caller promises; if a request is over, the statuses are written.
            return unsafe {
                let said = |at| Some(((*statuses.add(at)).MPI_ERROR, statuses.add(at)));
                self.failed(call, requests, said)
            };
        }
        let mut table = request::table();
        self.0.retain(|(_, request, pending)| table.complete(*request, *pending));
        drop(table);
        for (at, _, pending) in &self.0 {
            // SAFETY: as the caller promises.
            call.completed(*pending, SUCCESS, unsafe { &*statuses.add(*at) });
        }
    }

    /// After a call that completes some requests.
    ///
    /// # Safety
    /// The arguments are those of the call, which returned `code`. There are as many indices and statuses as `found`, which
    /// is negative if all requests are null.
    #[inline]
    unsafe fn some(
        &self,
        call: &mut Call,
        code: c_int,
        requests: *const MPI_Request,
        (found, indices, statuses): (*const c_int, *const c_int, *const MPI_Status),
    ) {
        // SAFETY: as the caller promises; if a request is over, all are written.
        unsafe {
            if code != SUCCESS {
                let said = |request| {
                    let at =
                        (0..(*found).max(0) as usize).find(|at| *indices.add(*at) as usize == request)?;
                    Some(((*statuses.add(at)).MPI_ERROR, statuses.add(at)))
                };
                return self.failed(call, requests, said);
            }
            for at in 0..(*found).max(0) as usize {
                self.complete(call, *indices.add(at), &*statuses.add(at));
            }
        }
    }

    /// After a call that failed: completes those requests that are over, because MPI has freed them, or because they are
    /// persistent and inactive again. `said` yields the code and the status that the call left for the request at an
    /// index, and is asked only for those. A request that MPI says nothing about came to nothing.
    ///
    /// # Safety
    /// There are at least as many requests as were watched, and `said` yields statuses that are written.
    #[cold]
    unsafe fn failed(
        &self,
        call: &mut Call,
        requests: *const MPI_Request,
        said: impl Fn(usize) -> Option<(c_int, *const MPI_Status)>,
    ) {
        for &(at, request, pending) in &self.0 {
            // SAFETY: as the caller promises.
            let now = unsafe { *requests.add(at) };
            if now != request {
                request::table().forget_persistent(request);
            } else if !request::table().is_persistent(request) || is_active(request) {
                continue;
            }
            if !request::table().complete(request, pending) {
                continue;
            }
            match said(at) {
                // SAFETY: as the caller promises.
                Some((code, status)) => call.completed(pending, code, unsafe { &*status }),
                None => call.record(pending.came_to_nothing()),
            }
        }
    }
}

/// Whether a persistent request is active and not complete.
fn is_active(request: MPI_Request) -> bool {
    let (mut is_over, mut status) = (0, no_status());
    // SAFETY: the program has not freed the request; the results are ours.
    unsafe { ffi::PMPI_Request_get_status(request, &mut is_over, &mut status) };
    is_over == 0
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
            if let Some((code, status)) = ended(request) {
                if let (Some(event), Some(mut track)) = (pending.completed(code, &status), track::mine()) {
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

/// Tests a request; if it is complete, frees it, and yields the code and the status of its operation.
fn ended(mut request: MPI_Request) -> Option<(c_int, MPI_Status)> {
    let (mut flag, mut status) = (0, no_status());
    // SAFETY: a request that the program has given up, and that the recorder has not freed yet; the results are ours.
    unsafe {
        let code = ffi::PMPI_Test(&mut request, &mut flag, &mut status);
        let is_freed = request == ffi::RSMPI_REQUEST_NULL;
        if flag == 0 && !is_freed {
            return None;
        }
        // A persistent one is inactive now.
        if !is_freed {
            ffi::PMPI_Request_free(&mut request);
        }
        Some((code, status))
    }
}

calls! {
    fn MPI_Start(request: *mut MPI_Request) |call| {
        let code = call.make(|| ffi::PMPI_Start(request));
        if code == SUCCESS {
            call.restarted(*request);
        }
        code
    }

    fn MPI_Startall(count: c_int, requests: *mut MPI_Request) |call| {
        let code = call.make(|| ffi::PMPI_Startall(count, requests));
        if code == SUCCESS {
            for at in 0..count.max(0) as usize {
                call.restarted(*requests.add(at));
            }
        }
        code
    }

    fn MPI_Request_free(request: *mut MPI_Request) |call| {
        let (handle, (persistent, active)) = (*request, request::forget(*request));
        purpose::forget(handle);
        let code = call.make(|| match active {
            None => ffi::PMPI_Request_free(request),
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

    fn MPI_Wait(request: *mut MPI_Request, status: *mut MPI_Status) completes request[1] |call| {
        let watched = Watched::of(request, 1);
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Wait(request, status));
        watched.one(&mut call, code, request, &0, status);
        code
    }

    fn MPI_Test(
        request: *mut MPI_Request, flag: *mut c_int, status: *mut MPI_Status,
    ) completes request[1] |call| {
        let watched = Watched::of(request, 1);
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Test(request, flag, status));
        if code != SUCCESS || *flag != 0 {
            watched.one(&mut call, code, request, &0, status);
        } else {
            watched.tested(&mut call, |_| false);
        }
        code
    }

    fn MPI_Waitall(
        count: c_int, requests: *mut MPI_Request, statuses: *mut MPI_Status,
    ) completes requests[count] |call| {
        let mut watched = Watched::of(requests, count);
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| ffi::PMPI_Waitall(count, requests, statuses));
        watched.all(&mut call, code, requests, statuses);
        code
    }

    fn MPI_Testall(
        count: c_int, requests: *mut MPI_Request, flag: *mut c_int, statuses: *mut MPI_Status,
    ) completes requests[count] |call| {
        let mut watched = Watched::of(requests, count);
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| ffi::PMPI_Testall(count, requests, flag, statuses));
        if code != SUCCESS || *flag != 0 {
            watched.all(&mut call, code, requests, statuses);
        } else {
            watched.tested(&mut call, |_| false);
        }
        code
    }

    fn MPI_Waitany(
        count: c_int, requests: *mut MPI_Request, index: *mut c_int, status: *mut MPI_Status,
    ) completes requests[count] |call| {
        let watched = Watched::of(requests, count);
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Waitany(count, requests, index, status));
        watched.one(&mut call, code, requests, index, status);
        code
    }

    fn MPI_Testany(
        count: c_int, requests: *mut MPI_Request, index: *mut c_int, flag: *mut c_int, status: *mut MPI_Status,
    ) completes requests[count] |call| {
        let watched = Watched::of(requests, count);
        let mut own = no_status();
        let status = status_or(status, &mut own);
        let code = call.make(|| ffi::PMPI_Testany(count, requests, index, flag, status));
        if code != SUCCESS || *flag != 0 {
            watched.one(&mut call, code, requests, index, status);
        } else {
            watched.tested(&mut call, |_| false);
        }
        code
    }

    fn MPI_Waitsome(
        count: c_int, requests: *mut MPI_Request, found: *mut c_int, indices: *mut c_int, statuses: *mut MPI_Status,
    ) completes requests[count] |call| {
        let watched = Watched::of(requests, count);
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| ffi::PMPI_Waitsome(count, requests, found, indices, statuses));
        watched.some(&mut call, code, requests, (found, indices, statuses));
        code
    }

    fn MPI_Testsome(
        count: c_int, requests: *mut MPI_Request, found: *mut c_int, indices: *mut c_int, statuses: *mut MPI_Status,
    ) completes requests[count] |call| {
        let watched = Watched::of(requests, count);
        let mut own = Statuses::new();
        let statuses = statuses_or(statuses, &mut own, count);
        let code = call.make(|| ffi::PMPI_Testsome(count, requests, found, indices, statuses));
        watched.some(&mut call, code, requests, (found, indices, statuses));
        if code == SUCCESS {
            let complete = std::slice::from_raw_parts(indices, (*found).max(0) as usize);
            watched.tested(&mut call, |at| complete.contains(&(at as c_int)));
        }
        code
    }
}
