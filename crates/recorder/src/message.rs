//! Messages that a matched probe has found, until they are received: from MPI's handle to their communicator.

use std::sync::Mutex;

use ats_model::event::CommunicatorRef;
use mpi::ffi::{MPI_Comm, MPI_Message, MPI_Status};
use rustc_hash::FxHashMap;

use crate::communicator;
use crate::lock::lock;

static TABLE: Mutex<Option<FxHashMap<usize, CommunicatorRef>>> = Mutex::new(None);

fn key(message: MPI_Message) -> usize {
    message.0 as usize
}

/// Follows a message that a probe has found; none from `MPI_PROC_NULL` or on a communicator that is not followed.
pub(crate) fn found(message: MPI_Message, status: &MPI_Status, comm: MPI_Comm) {
    if status.MPI_SOURCE >= 0
        && let Some(known) = communicator::find(comm)
    {
        lock(&TABLE).get_or_insert_default().insert(key(message), known.reference);
    }
}

/// A message that is being received.
pub(crate) struct Taken {
    key: usize,
    pub(crate) communicator: CommunicatorRef,
}

/// Takes a message that is about to be received, if it is followed. Its handle may be used again before the call returns.
pub(crate) fn take(message: MPI_Message) -> Option<Taken> {
    let key = key(message);
    lock(&TABLE).as_mut()?.remove(&key).map(|communicator| Taken { key, communicator })
}

/// Puts a message back whose receive failed, unless the handle is another one `now`, so that MPI has lost it.
pub(crate) fn put_back(taken: Taken, now: MPI_Message) {
    if taken.key == key(now) {
        lock(&TABLE).get_or_insert_default().insert(taken.key, taken.communicator);
    }
}
