#![allow(unsafe_code, reason = "reads the arrays of requests and statuses that the program hands to MPI")]
//! The requests of a call that completes requests.
//!
//! MPI sets the handles of completed requests to null, so they are looked up before the call. A call that fails may have
//! completed some of its requests all the same, with or without an error: see [`Watched::failed`].
//!
//! A call that completes only collective operations, or only operations on files or windows, has the role of the
//! functions that started them, so its time is known to be input and output, for example. The other calls have the role of
//! their name.

use std::ffi::c_int;

use ats_model::definitions::RegionRole;
use mpi::ffi::{self, MPI_Request, MPI_Status};
use smallvec::SmallVec;

use crate::call::Call;
use crate::request::{self, FEW, Pending};
use crate::status::{SUCCESS, no_status};

/// The requests of a call that are followed, and the role that all its requests share.
pub(crate) struct Watched {
    /// Index, handle and operation.
    requests: SmallVec<[(usize, MPI_Request, Pending); FEW]>,
    /// The role of the call; `None` if it may complete messages, or requests that have little in common.
    pub(crate) role: Option<RegionRole>,
}

impl Watched {
    /// # Safety
    /// There are `count` requests.
    #[inline]
    pub(crate) unsafe fn new(requests: *const MPI_Request, count: c_int) -> Self {
        // Made in place, since it is large.
        let mut watched = Watched { requests: SmallVec::new(), role: None };
        let mut is_mixed = false;
        let table = request::table();
        for at in 0..count.max(0) as usize {
            // SAFETY: as the caller promises.
            let request = unsafe { *requests.add(at) };
            let role = match table.find(request) {
                Some(pending) => {
                    watched.requests.push((at, request, pending));
                    pending.role()
                }
                None if is_null(request) => continue,
                None => table.role_of_persistent(request),
            };
            watched.role = role.and_then(|role| common(watched.role.unwrap_or(role), role));
            is_mixed |= watched.role.is_none();
        }
        watched.role = watched.role.filter(|_| !is_mixed);
        watched
    }

    fn complete(&self, call: &mut Call, index: c_int, status: &MPI_Status) {
        let at = self.requests.binary_search_by_key(&index, |watched| watched.0 as c_int);
        if let Ok((_, request, pending)) = at.map(|at| self.requests[at])
            && request::table().complete(request, pending)
        {
            call.completed(pending, SUCCESS, status);
        }
    }

    /// Notes requests that a call has tested in vain, unless they are complete. The first such call of a request is recorded
    /// and the others are counted, so that a trace does not grow with the pace of polling.
    pub(crate) fn tested(&self, call: &mut Call, is_complete: impl Fn(usize) -> bool) {
        if self.requests.is_empty() {
            return;
        }
        let in_vain = || self.requests.iter().filter(|(at, ..)| !is_complete(*at));
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
    pub(crate) unsafe fn one(
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
    pub(crate) unsafe fn complete_all(
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
        self.requests.retain(|(_, request, pending)| table.complete(*request, *pending));
        drop(table);
        for (at, _, pending) in &self.requests {
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
    pub(crate) unsafe fn some(
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
        for &(at, request, pending) in &self.requests {
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
                None => pending.came_to_nothing().into_iter().for_each(|event| call.record(event)),
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

fn is_null(request: MPI_Request) -> bool {
    // SAFETY: a constant of the library.
    request == unsafe { ffi::RSMPI_REQUEST_NULL }
}

/// The role of a call that completes requests with two roles.
fn common(one: RegionRole, other: RegionRole) -> Option<RegionRole> {
    use RegionRole::{Barrier, CollAllToAll, CollAllToOne, CollOneToAll, CollOther};
    let is_collective =
        |role| matches!(role, Barrier | CollOneToAll | CollAllToOne | CollAllToAll | CollOther);
    if one == other {
        return Some(one);
    }
    (is_collective(one) && is_collective(other)).then_some(CollOther)
}

#[cfg(test)]
mod tests {
    use ats_model::event::{CollectiveOperation, CommunicatorRef};

    use super::*;
    use crate::collective::Part;
    use crate::request::Operation;

    fn role(requests: &[MPI_Request]) -> Option<RegionRole> {
        // SAFETY: they are as many.
        unsafe { Watched::new(requests.as_ptr(), requests.len() as c_int).role }
    }

    #[test]
    fn a_call_has_the_role_that_its_requests_share_until_they_are_complete() {
        use RegionRole::{Barrier, CollAllToAll, CollOther, FileIo};
        // SAFETY: a constant of the library.
        let null = unsafe { ffi::RSMPI_REQUEST_NULL };
        let [read, write, barrier, reduce, persistent, message, unknown] =
            [8, 16, 24, 32, 40, 48, 56].map(|handle: usize| MPI_Request(handle as _));
        assert_eq!(role(&[read, write]), None);
        let part = |operation| Some(Part::empty(operation, CommunicatorRef(0)));
        let barriers = Operation::of_collective(part(CollectiveOperation::Barrier), Some(Barrier)).unwrap();
        let reduces = Operation::of_collective(None, Some(CollAllToAll)).unwrap();
        let receives = Operation::Receive { communicator: CommunicatorRef(0) };
        let file = Operation::Other(FileIo);
        let started =
            [(read, file), (write, file), (barrier, barriers), (reduce, reduces), (message, receives)];
        for (request, operation) in started {
            let events = request::start(request, operation).count();
            assert_eq!(events, usize::from([barrier, message].contains(&request)));
        }
        request::prepare(persistent, barriers);
        for (requests, right) in [
            (&[null, read, write][..], Some(FileIo)),
            (&[barrier], Some(Barrier)),
            (&[barrier, persistent], Some(Barrier)),
            (&[barrier, reduce, reduce], Some(CollOther)),
            (&[read, barrier], None),
            (&[read, barrier, read], None),
            (&[read, message], None),
            (&[message, read], None),
            (&[unknown, read], None),
            (&[read, unknown], None),
            (&[null], None),
            (&[], None),
        ] {
            assert_eq!(role(requests), right, "{requests:?}");
        }

        request::forget_role(write);
        request::forget_role(barrier);
        assert_eq!((role(&[read]), role(&[write]), role(&[barrier])), (Some(FileIo), None, Some(Barrier)));
        let pending = request::table().find(read).unwrap();
        assert!(request::table().complete(read, pending));
        assert_eq!((role(&[read]), pending.came_to_nothing(), pending.tested()), (None, None, None));
        assert_eq!(pending.completed(SUCCESS, &no_status()), None);
    }
}
