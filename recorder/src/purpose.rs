#![allow(unsafe_code, reason = "reads the arrays of requests that the program hands to MPI")]
//! The purpose of requests that are no messages: collective operations, files, windows.
//!
//! A call that completes only such requests has the role of the functions that yielded them, so its time is known to be
//! input and output, for example. The other calls that complete requests have the role of their name.

use std::ffi::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};

use ats_model::definitions::RegionRole;
use ats_model::mpi::Function;
use mpi::ffi::{self, MPI_Request};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::lock::Shared;
use crate::request::FEW;

/// The role of each request that is not complete, by its handle.
static ROLES: Shared<FxHashMap<usize, RegionRole>> = Shared::new(FxHashMap::with_hasher(FxBuildHasher));
/// The number of these requests. Programs without them pay for no more than a look at it.
static NOTED: AtomicUsize = AtomicUsize::new(0);

fn change(change: impl FnOnce(&mut FxHashMap<usize, RegionRole>)) {
    let mut roles = ROLES.lock();
    change(&mut roles);
    NOTED.store(roles.len(), Ordering::Relaxed);
}

fn key(request: MPI_Request) -> usize {
    request.0 as usize
}

fn is_null(request: MPI_Request) -> bool {
    // SAFETY: a constant of the library.
    request == unsafe { ffi::RSMPI_REQUEST_NULL }
}

/// The role of a call that completes requests of this function of MPI; `None` if they are messages, or have no role.
pub(crate) fn of_function(name: &str) -> Option<RegionRole> {
    Function::of_spelling(name)?.role_of_requests()
}

/// Notes the role of a request that a call has yielded.
pub(crate) fn note(request: MPI_Request, role: Option<RegionRole>) {
    match role {
        Some(role) if !is_null(request) => change(|roles| _ = roles.insert(key(request), role)),
        _ => forget(request),
    }
}

/// Forgets the role of a handle, which stands for a message now, or is free.
#[inline]
pub(crate) fn forget(request: MPI_Request) {
    if NOTED.load(Ordering::Relaxed) > 0 {
        change(|roles| _ = roles.remove(&key(request)));
    }
}

/// The requests with a role in a call that completes requests.
#[derive(Default)]
pub(crate) struct Purposes {
    /// The role of the call; `None` if it may complete messages, or requests that have little in common.
    pub(crate) role: Option<RegionRole>,
    /// The requests and their indices.
    noted: SmallVec<[(usize, MPI_Request); FEW]>,
}

impl Purposes {
    /// # Safety
    /// There are `count` requests.
    #[inline]
    pub(crate) unsafe fn of(requests: *const MPI_Request, count: c_int) -> Self {
        if NOTED.load(Ordering::Relaxed) == 0 {
            return Purposes::default();
        }
        // SAFETY: as the caller promises.
        unsafe { Self::find(requests, count) }
    }

    #[cold]
    unsafe fn find(requests: *const MPI_Request, count: c_int) -> Self {
        let mut purposes = Purposes::default();
        let mut is_mixed = false;
        let roles = ROLES.lock();
        for at in 0..count.max(0) as usize {
            // SAFETY: as the caller promises.
            let request = unsafe { *requests.add(at) };
            match roles.get(&key(request)) {
                Some(&role) => {
                    purposes.noted.push((at, request));
                    let common = common(purposes.role.unwrap_or(role), role);
                    is_mixed |= common.is_none();
                    purposes.role = common;
                }
                None => is_mixed |= !is_null(request),
            }
        }
        purposes.role = purposes.role.filter(|_| !is_mixed);
        purposes
    }

    /// Forgets those that the call has completed, and so replaced by null.
    ///
    /// # Safety
    /// There are as many requests as before.
    #[inline]
    pub(crate) unsafe fn complete(self, requests: *const MPI_Request) {
        for (at, request) in self.noted {
            // SAFETY: as the caller promises.
            if unsafe { *requests.add(at) } != request {
                forget(request);
            }
        }
    }
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

/// The [`Purposes`] in a call with so many requests, or in one that completes none.
macro_rules! purposes {
    () => {
        crate::purpose::Purposes::default()
    };
    ($requests:ident, $count:expr) => {
        // SAFETY: these are the requests that the program hands to MPI.
        unsafe { crate::purpose::Purposes::of($requests, $count) }
    };
}
pub(crate) use purposes;

#[cfg(test)]
mod tests {
    use super::*;

    fn request(handle: usize) -> MPI_Request {
        MPI_Request(handle as _)
    }

    fn role(requests: &[MPI_Request]) -> Option<RegionRole> {
        // SAFETY: they are as many.
        unsafe { Purposes::of(requests.as_ptr(), requests.len() as c_int).role }
    }

    #[test]
    fn a_call_has_the_role_that_its_requests_share_until_they_are_complete() {
        use RegionRole::{Barrier, CollAllToAll, CollOther, FileIo};
        // SAFETY: a constant of the library.
        let null = unsafe { ffi::RSMPI_REQUEST_NULL };
        let [read, write, barrier, reduce, message] = [8, 16, 24, 32, 40].map(request);
        assert_eq!(role(&[read, write]), None);
        for (request, noted) in [(read, FileIo), (write, FileIo), (barrier, Barrier), (reduce, CollAllToAll)]
        {
            note(request, Some(noted));
        }
        note(null, Some(FileIo));
        for (requests, right) in [
            (&[null, read, write][..], Some(FileIo)),
            (&[barrier], Some(Barrier)),
            (&[barrier, reduce, reduce], Some(CollOther)),
            (&[read, barrier], None),
            (&[read, barrier, read], None),
            (&[read, message], None),
            (&[message, read], None),
            (&[null], None),
            (&[], None),
        ] {
            assert_eq!(role(requests), right, "{requests:?}");
        }

        let mut requests = [read, write];
        // SAFETY: they are as many.
        let purposes = unsafe { Purposes::of(requests.as_ptr(), 2) };
        requests[0] = null;
        // SAFETY: as before.
        unsafe { purposes.complete(requests.as_ptr()) };
        assert_eq!((role(&[read]), role(&[write])), (None, Some(FileIo)));
        note(barrier, None);
        forget(write);
        assert_eq!((role(&[barrier]), role(&[write]), role(&[reduce])), (None, None, Some(CollAllToAll)));
    }

    #[test]
    fn requests_of_messages_have_no_role() {
        let of = |function: Function| of_function(function.name());
        assert_eq!(of(Function::File_iread_at), Some(RegionRole::FileIo));
        assert_eq!(of(Function::Ibarrier), Some(RegionRole::Barrier));
        assert_eq!(of(Function::Rput), Some(RegionRole::Rma));
        for function in [Function::Isend, Function::Irecv, Function::Cancel, Function::File_read] {
            assert_eq!(of(function), None, "{function}");
        }
    }
}
